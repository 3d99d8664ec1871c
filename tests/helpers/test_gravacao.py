"""Um arquivo é trocado de uma vez: ou o antigo, ou o novo, inteiros, e nada pelo meio."""

import pytest

from helpers.gravacao import de_uma_vez, gravar


def test_o_novo_toma_o_lugar_do_antigo_e_nada_mais_fica(tmp_path):
    destino = tmp_path / "notas.csv"
    for conteudo, escrito in (("ação\n", "ação\n".encode()), (b"\xff\x00", b"\xff\x00")):
        gravar(destino, conteudo)
        assert destino.read_bytes() == escrito and list(tmp_path.iterdir()) == [destino]


@pytest.mark.parametrize("erro", [KeyboardInterrupt, ValueError("x"), OSError(28, "No space left on device")])
def test_se_algo_falha_no_meio_o_antigo_fica_como_estava(tmp_path, erro):
    destino = tmp_path / "pacote.zip"
    gravar(destino, "antigo")
    with pytest.raises(type(erro) if isinstance(erro, Exception) else erro), de_uma_vez(destino) as provisorio:
        provisorio.write_text("pela metade")
        raise erro
    assert destino.read_text() == "antigo" and list(tmp_path.iterdir()) == [destino]


def test_o_erro_traz_o_nome_que_a_pessoa_conhece(tmp_path):
    with pytest.raises(OSError) as nao_ha_pasta:
        gravar(tmp_path / "não há" / "x.csv", "x")
    assert nao_ha_pasta.value.filename == str(tmp_path / "não há" / "x.csv")
    (tmp_path / "pasta").mkdir()
    with pytest.raises(OSError) as e_pasta:
        gravar(tmp_path / "pasta", "x")
    assert e_pasta.value.filename == str(tmp_path / "pasta") and list(tmp_path.iterdir()) == [tmp_path / "pasta"]
