"""O que a correção escreve na pasta da turma, e quem o lê em um computador de várias contas."""

import os
import shutil
import stat
import tempfile
from pathlib import Path

import pytest
from turma_pronta import zip_de

from correcao.chegada import coletar
from correcao.comum import reserva
from correcao.juizo import corrigir
from correcao.livro import prazo

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="o Windows não tem estas permissões"),
    pytest.mark.usefixtures("com_ou_sem_caixa"),
    pytest.mark.filterwarnings("ignore:Object of type"),
]


@pytest.fixture
def turma(monkeypatch):
    """Uma pasta a que qualquer conta chega, como a de um clone na casa de um instrutor."""
    pasta = Path(tempfile.mkdtemp(prefix="turma-"))
    pasta.chmod(0o755)
    monkeypatch.setenv("CURSO_TURMA", str(pasta))
    monkeypatch.delenv("CURSO_LIVRO", raising=False)
    antes = os.umask(0o022)
    yield pasta
    os.umask(antes)
    shutil.rmtree(pasta)


def modo(caminho: Path) -> int:
    return stat.S_IMODE(caminho.stat().st_mode)


def test_o_que_a_volta_de_uma_lista_escreve_so_o_dono_le(turma, tmp_path, capsys):
    (turma / "autograded").mkdir()  # a do clone, que o git fez para todos
    envios = zip_de(
        tmp_path, {"Ana_1_assignsubmission_file_/l.ipynb": b"nada", "Bia_2_assignsubmission_file_/l.docx": b"x"}
    )
    assert prazo.main(["02", "14/09/2026"]) == 0 and coletar.main(["02", str(envios)]) == 3
    assert corrigir.main(["02"]) == 3
    escritas = [p for p in turma.iterdir() if p.name in (*reserva.PASTAS, *reserva.ARQUIVOS)]
    assert {"submitted", "autograded", "recusados", "gradebook.db", "moodle.json"} <= {p.name for p in escritas}
    assert {p.name: oct(modo(p)) for p in escritas if modo(p) & 0o077} == {}
    assert reserva.abertas(turma) == [] and "Outras contas" not in capsys.readouterr().err


def test_corrigir_avisa_do_que_esta_aberto_e_nao_e_dele(turma, tmp_path, capsys, monkeypatch):
    coletar.main(["02", str(zip_de(tmp_path, {"Ana_1_assignsubmission_file_/l.ipynb": b"nada"}))])
    (turma / "feedback").mkdir()
    monkeypatch.setattr(reserva, "fechar", lambda caminho: None)  # como se fosse de outra conta
    capsys.readouterr()
    corrigir.main(["02"])
    dito = capsys.readouterr().err
    assert "autograded, feedback, evidencias" in dito and f"em {turma}." in dito
    assert "`chmod go-rwx source autograded feedback" in dito and "submitted" not in dito
    turma.chmod(0o700)  # ninguém mais chega a elas
    assert reserva.aviso(turma) is None


def test_a_pasta_que_se_fez_para_um_grupo_continua_dele(turma):
    compartilhada = turma / "feedback"
    compartilhada.mkdir()
    compartilhada.chmod(0o2775)
    reserva.fechar(compartilhada)
    assert modo(compartilhada) == 0o2770
    (turma / "gradebook.db").symlink_to(turma / "feedback")
    reserva.fechar(turma / "gradebook.db")  # de um atalho não se muda o que está do outro lado
    assert modo(compartilhada) == 0o2770
