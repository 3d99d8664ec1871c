"""O fim da lista 08: as peças do aluno juntas, a célula que diz o que falta, e a curva de qualquer treino."""

import pytest
import torch
from conftest import RAIZ
from nbclient import NotebookClient
from nbformat import reads

from gabarito.base import buscar
from helpers import regua, seu_gpt
from helpers.conferencia.pedido import PEDIDO
from helpers.corpus import Corpus
from helpers.escrita import decimais
from helpers.treino import trechos

LISTA = RAIZ / "source" / "lista-08-gpt-shakespeare" / "lista-08-gpt-shakespeare.ipynb"
FRASES = "o rato roeu a roupa do rei de Roma, e a rainha, com raiva, resolveu remendar.\n"


@pytest.fixture
def notebook(monkeypatch):
    """O que o aluno tem no notebook: as seis respostas certas."""
    nomes = {nome: buscar(f"lista-08/{nome}").referencia for nome in seu_gpt.QUESTOES}
    monkeypatch.setattr(seu_gpt, "_do_notebook", lambda: nomes)
    monkeypatch.setattr(seu_gpt, "_certas", {})
    monkeypatch.setattr(seu_gpt, "_sem_texto", [])
    return nomes


@pytest.fixture(autouse=True)
def ninguem_confere(monkeypatch):
    """O que outro teste corrigiu neste processo pode ter deixado a marca do nbgrader no ambiente."""
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.delenv(PEDIDO, raising=False)


def test_com_tudo_pronto_nao_falta_nada_e_nada_e_dito(notebook, capsys):
    assert not seu_gpt.falta(*seu_gpt.QUESTOES)
    assert capsys.readouterr().out == ""


def test_a_celula_diz_em_uma_frase_que_questao_terminar(notebook, capsys):
    notebook["taxa"] = buscar("lista-08/taxa")._equivoco("sem-subida").funcao
    assert seu_gpt.falta("Tokenizador", "taxa")
    assert capsys.readouterr().out == (
        "Falta terminar a questão 2, `taxa`: volte a ela, e depois rode esta célula outra vez.\n"
    )
    notebook["taxa"] = buscar("lista-08/taxa").referencia
    assert not seu_gpt.falta("taxa"), "consertada, ela é conferida de novo"


def test_o_que_nao_existe_ainda_tambem_e_dito(notebook, capsys):
    del notebook["GPT"]
    assert seu_gpt.falta("GPT") and seu_gpt.falta("modelo")
    ditas = capsys.readouterr().out.splitlines()
    assert ditas[0].startswith("Não achei `GPT`: rode a célula da questão 4")
    assert ditas[1].startswith("Ainda não há `modelo`: rode antes as células de cima")


@pytest.mark.parametrize(
    ("letras", "contexto", "motivo"),
    [
        (None, 16, "Não achei “meu.txt”"),
        (500, 16, "“meu.txt” tem só 500 caracteres"),
        (12_000, 2000, "não cabe nele um trecho de 2000; diminua o CONTEXTO"),
    ],
)
def test_sem_um_texto_que_sirva_as_celulas_seguintes_dizem_o_porque(
    notebook, tmp_path, monkeypatch, capsys, letras, contexto, motivo
):
    monkeypatch.chdir(tmp_path)
    if letras:
        (tmp_path / "meu.txt").write_text("a" * letras, encoding="utf-8")
    assert seu_gpt.abrir("meu.txt", contexto) is None
    dito = capsys.readouterr().out
    assert motivo in dito
    assert seu_gpt.falta("GPT", "validacao") and seu_gpt.falta("medidas")
    for frase in capsys.readouterr().out.splitlines():
        assert frase.startswith("Ainda não há texto para treinar. " + dito.strip()) and "rode antes" not in frase
    assert seu_gpt.abrir("o-curso", 16) is not None and seu_gpt.falta("validacao")
    assert "rode antes as células de cima" in capsys.readouterr().out, "com um texto, falta só rodar a célula"


def test_em_um_texto_de_milhares_de_letras_diferentes_a_regua_e_menor():
    dados = torch.arange(1, 9001)
    linhas = seu_gpt.reguas(dados, 9001, *trechos(dados, 8, 4))
    assert list(linhas)[-1] == "4-grama"


@pytest.mark.parametrize("marca", [PEDIDO, "NBGRADER_EXECUTION"])
def test_na_conferencia_e_na_correcao_nada_se_treina(notebook, monkeypatch, capsys, marca):
    monkeypatch.setenv(marca, "validate")
    assert seu_gpt.falta(*seu_gpt.QUESTOES)
    assert "a conferência a pula" in capsys.readouterr().out


def test_as_pecas_da_lista_se_juntam_e_o_treino_passa_por_elas(notebook):
    n, texto = notebook, FRASES * 60
    tokenizador = n["Tokenizador"](texto)
    dados = torch.tensor(tokenizador.codificar(texto))
    validacao = trechos(dados, 8, 32)
    torch.manual_seed(0)
    modelo = n["GPT"](tokenizador.V, 8, 16, 1, 2)
    sorte = torch.Generator().manual_seed(0)
    taxas = [n["taxa"](passo, 30, 0.02, 3) for passo in range(1, 31)]
    linhas = seu_gpt.reguas(dados, tokenizador.V, *validacao)
    assert list(linhas) == ["não sabe nada", "unigrama", "bigrama", "trigrama", "4-grama", "5-grama"]
    assert sorted(linhas.values(), reverse=True) == list(linhas.values())
    with seu_gpt.ao_vivo(modelo, 30, linhas) as historia:
        perdas, medidas = n["treinar"](modelo, lambda: n["lotes"](dados, 8, 16, sorte), validacao, taxas, [10, 30], 1.0)
    assert historia.perdas == pytest.approx(perdas)
    assert dict(zip(historia.passos, historia.validacao, strict=True)) == medidas
    assert medidas[30] < linhas["unigrama"] < perdas[0]
    modelo(*validacao)
    assert len(historia.perdas) == 30, "depois do treino, ninguém mais olha o modelo"
    escrito = n["gerar"](modelo, torch.tensor([tokenizador.codificar("o rato")]), 20, 0.5, None, sorte)
    assert tokenizador.decodificar(escrito[0].tolist()).startswith("o rato")


def test_ao_vivo_o_modelo_do_aluno_escreve_e_o_treino_nao_muda_por_isso(monkeypatch):
    modelo = torch.nn.Linear(2, 2).train()
    chamadas = []

    def escrever(m, n):
        m.eval()
        chamadas.append(float(torch.rand(1)))
        return "o rato" if len(chamadas) == 1 else 1 / 0

    monkeypatch.setattr(seu_gpt, "_do_notebook", lambda: {"escrever": escrever})
    torch.manual_seed(0)
    assert seu_gpt._o_que_escreve(modelo) == "o rato" and seu_gpt._o_que_escreve(modelo) == ""
    sorteado = float(torch.rand(1))
    torch.manual_seed(0)
    assert modelo.training and sorteado == float(torch.rand(1))
    monkeypatch.setattr(seu_gpt, "_do_notebook", dict)
    assert seu_gpt._o_que_escreve(modelo) == ""


def test_a_regua_inteira_poe_o_seu_gpt_entre_quem_conta_e_os_treinos_guardados(monkeypatch):
    corpus = Corpus("frases", FRASES * 200)
    fig, alt = regua.regua_inteira(corpus, {"o seu GPT": 1.5})
    nomes = [rotulo.get_text() for rotulo in fig.axes[0].get_yticklabels()]
    assert sorted(nomes) == sorted([*regua.GRAMAS, "o seu GPT"]), "com outro texto, só quem contou nele"
    assert "o seu GPT, 1,50" in decimais(alt)
    monkeypatch.setattr(regua, "SHA256_DO_TEXTO", corpus.sha256)
    fig, _ = regua.regua_inteira(corpus, {"o seu GPT": 1.5})
    nomes = [rotulo.get_text() for rotulo in fig.axes[0].get_yticklabels()]
    assert set(nomes) == {*regua.GRAMAS, *regua.REDES.values(), "o seu GPT"}
    assert nomes[-1] == regua.GRAMAS[-1], "em frases repetidas, ninguém ganha de quem decorou seis letras"


def test_a_regua_da_lista_08_nao_diz_onde_ficam_as_redes_da_aula_09(monkeypatch):
    corpus = Corpus("frases", FRASES * 200)
    monkeypatch.setattr(regua, "SHA256_DO_TEXTO", corpus.sha256)
    fig, alt = regua.regua_da_aula_08(corpus, {"o seu GPT": 1.5})
    nomes = {rotulo.get_text() for rotulo in fig.axes[0].get_yticklabels()}
    assert nomes == {*regua.GRAMAS, regua.REDES["melhor"], regua.REDES["longa"], "o seu GPT"}
    assert not any(regua.REDES[nome] in alt for nome in ("nenhuma", "uniforme", "janela"))
    assert "regua_da_aula_08(" in LISTA.read_text(encoding="utf-8") and "regua_inteira" not in LISTA.read_text("utf-8")


def _da_lista(*trocas):
    """As células da lista, com as respostas, e com o texto e o treino encolhidos para caber em um teste."""
    fonte = LISTA.read_text(encoding="utf-8")
    for achar, por in trocas:
        assert achar in fonte
        fonte = fonte.replace(achar, por)
    return reads(fonte, as_version=4)


def _rodar(nb, pasta):
    NotebookClient(nb, timeout=1200, kernel_name="python3", resources={"metadata": {"path": str(pasta)}}).execute()
    ditas = {c["id"]: "".join(s.get("text", "") for s in c["outputs"]) for c in nb.cells if c.cell_type == "code"}
    return {nome: dita for nome, dita in ditas.items() if nome.startswith("seu-gpt")}


@pytest.mark.lento
def test_a_secao_inteira_roda_com_um_texto_do_aluno_e_guarda_o_modelo_ao_lado(tmp_path):
    (tmp_path / "meu-texto.txt").write_text(FRASES * 200, encoding="cp1252")
    nb = _da_lista(('abrir(\\"o-curso\\", ', 'abrir(\\"meu-texto.txt\\", '), ("64, 1200,", "8, 50,"))
    ditas = _rodar(nb, tmp_path)
    assert "parâmetros. Antes do treino, ele escreve:" in ditas["seu-gpt-modelo"]
    assert "O seu GPT agora escreve:" in ditas["seu-gpt-treino"]
    assert ditas["seu-gpt-comeco"].startswith("o caractere 'A'"), "o texto dele não tem a maiúscula"
    assert ditas["seu-gpt-regua"] == "", "com o texto do aluno, a régua desenha só quem conta e o GPT dele"
    assert ditas["seu-gpt-guardar"] == "O que foi guardado e reaberto escreve o mesmo? True\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["meu-gpt.pt", "meu-texto.txt"]


@pytest.mark.lento
def test_sem_as_respostas_a_secao_so_diz_o_que_falta_e_nunca_para(tmp_path):
    fonte = (RAIZ / "release" / LISTA.parent.name / LISTA.name).read_text(encoding="utf-8")
    nb = reads(fonte, as_version=4)
    nb.cells = [c for c in nb.cells if not c["id"].startswith("confere-")]
    ditas = _rodar(nb, tmp_path)
    assert ditas["seu-gpt-texto"].startswith("Falta terminar a questão 1, `Tokenizador`")
    assert all(len(dita.splitlines()) == 1 for dita in ditas.values()) and len(ditas) == 6
    assert not list(tmp_path.iterdir())
