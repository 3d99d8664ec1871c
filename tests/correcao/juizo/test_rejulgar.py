"""`corrigir LISTA --questao Q`: julga de novo uma questão, da evidência guardada, e só grava quando se pede."""

import datetime
import gzip
import hashlib
import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import nbformat
import numpy as np
import pytest
from conftest import RAIZ, entregar, solucoes
from nbgrader.api import Gradebook
from nbgrader.utils import determine_grade

from correcao.caixa.conversa import Resultado
from correcao.comum import trava
from correcao.comum.anotacao import DADOS, Anotacao
from correcao.juizo import corrigir, evidencia, guardado, rejulgar, trabalho
from correcao.livro import turma as modulo_turma
from correcao.livro.livro import COPIAS
from correcao.livro.turma import Turma
from gabarito import no_nbgrader
from gabarito.base import buscar, caso
from helpers.conferencia.impressao import Tolerancia
from helpers.conferencia.pecas import Funcao

LISTA, QUESTAO, ID = "lista-01-produto-escalar", "lista-01/cosseno", "confere-cosseno"
FOLGADA = Tolerancia(0.0, 1e-3)  # com ela, quem arredonda para quatro casas acerta
pytestmark = [pytest.mark.lento, pytest.mark.usefixtures("com_ou_sem_caixa")]


@pytest.fixture(scope="module")
def corrigida(tmp_path_factory) -> Path:
    """Ana acerta, bia arredonda, caio esquece a divisão e davi não escreveu a função."""
    turma = tmp_path_factory.mktemp("turma")
    certas = solucoes(LISTA)
    respostas = {
        "ana": certas["cosseno"],
        "bia": certas["cosseno"].replace(
            "return similaridades(X / comprimentos)", "return np.round(similaridades(X / comprimentos), 4)"
        ),
        "caio": "def cosseno(X):\n    return X @ X.T",
        "davi": "nada = 1",
    }
    for aluno, resposta in respostas.items():
        entregar(turma, LISTA, aluno, certas | {"cosseno": resposta})
    corrigir.corrigir(LISTA, turma)
    return turma


@pytest.fixture
def turma(corrigida, tmp_path, monkeypatch) -> Path:
    shutil.copytree(corrigida, tmp_path / "turma")
    monkeypatch.setenv("CURSO_TURMA", str(tmp_path / "turma"))
    return tmp_path / "turma"


@pytest.fixture
def consertada(turma, monkeypatch) -> Path:
    """A turma, depois de um conserto na tolerância da questão: as entradas são as mesmas."""
    monkeypatch.setattr(buscar(QUESTAO), "tolerancia", FOLGADA)
    return turma


@pytest.fixture
def com_outro_caso(turma, monkeypatch) -> Path:
    """A turma, depois de um conserto que também mudou as entradas."""
    q = buscar(QUESTAO)
    monkeypatch.setattr(q, "tolerancia", FOLGADA)
    monkeypatch.setattr(q, "casos", [*q.casos, caso(np.array([[2.0, 1.0], [3.0, 1.0]]), rotulo="mais um")])
    return turma


@pytest.fixture
def nada_roda(monkeypatch):
    def falhar(*_):
        pytest.fail("o código do aluno rodou")

    monkeypatch.setattr(trabalho, "executar", falhar)


def arquivo(turma: Path, aluno: str) -> Path:
    return turma / "autograded" / aluno / LISTA / f"{LISTA}.ipynb"


def conteudo(turma: Path) -> dict[str, str]:
    """Tudo o que há na turma, menos o que só conta o que se fez."""
    achados = (p for p in turma.rglob("*") if p.is_file() and p.name not in ("correcao.log", ".correcao.trava"))
    return {str(p.relative_to(turma)): hashlib.sha256(p.read_bytes()).hexdigest() for p in achados}


def notas(turma: Path) -> dict[str, float]:
    with Gradebook(f"sqlite:///{turma / 'gradebook.db'}") as livro:
        return {a: livro.find_grade(ID, LISTA, LISTA, a).score for a in ("ana", "bia", "caio", "davi")}


def mudar_no_livro(turma: Path, aluno: str, **campos) -> None:
    with Gradebook(f"sqlite:///{turma / 'gradebook.db'}") as livro:
        nota = livro.find_grade(ID, LISTA, LISTA, aluno)
        for nome, valor in campos.items():
            setattr(nota, nome, valor)
        livro.db.commit()


def pedir(capsys, *opcoes: str, questao: str = "cosseno") -> tuple[int, list[str]]:
    codigo = corrigir.main(["01", "--questao", questao, "--processos", "1", *opcoes])
    dito = capsys.readouterr()
    assert "Traceback" not in dito.out + dito.err
    return codigo, (dito.out + dito.err).splitlines()


def linha_de(linhas: list[str], aluno: str) -> str:
    return next(linha for linha in linhas if linha.startswith(aluno))


# ---------------------------------------------------------------- o que se guarda


def test_a_correcao_guarda_a_evidencia_de_cada_entrega_fora_de_autograded(corrigida):
    for aluno in ("ana", "bia", "caio", "davi"):
        guardada = guardado.ler(corrigida, aluno, LISTA)
        anotacao = Anotacao.de_dados(nbformat.read(arquivo(corrigida, aluno), 4).metadata[DADOS])
        assert guardada.entrega == anotacao.entrega and guardada.semente and len(guardada.questoes) == 5
        assert (guardada.questoes[ID].texto is None) == (aluno == "davi") and guardada.questoes[ID].entradas
        assert {p.name for p in arquivo(corrigida, aluno).parent.iterdir()} == {f"{LISTA}.ipynb"}
        assert str(guardada.semente) not in arquivo(corrigida, aluno).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "estragado", [b"", b"nada", gzip.compress(b"{", mtime=0), gzip.compress(b'{"questoes": {"x": 3}}', mtime=0)]
)
def test_uma_evidencia_estragada_no_disco_e_como_se_nao_houvesse(tmp_path, estragado):
    destino = guardado.arquivo(tmp_path, "ana", LISTA)
    destino.parent.mkdir(parents=True)
    destino.write_bytes(estragado)
    assert guardado.ler(tmp_path, "ana", LISTA) is None


def test_uma_evidencia_grande_demais_nao_se_guarda(monkeypatch):
    monkeypatch.setattr(guardado, "MAXIMO", 3)
    assert guardado.caber("abc") == "abc" and guardado.caber("abcd") is None


def test_as_funcoes_que_a_resposta_nao_ve_tambem_contam_como_entradas(monkeypatch):
    q = buscar("lista-04/equivariante")
    antes = trabalho.sortear([q.nome], 7)
    assert q.as_cegas and trabalho.sortear([q.nome], 7) == antes
    outra = next(e for c in q.casos for e in c.entradas if isinstance(e, Funcao) and e != q.casos[0].entradas[0])
    assert isinstance(q.casos[0].entradas[0], Funcao)
    trocado = replace(q.casos[0], entradas=(outra, *q.casos[0].entradas[1:]))
    monkeypatch.setattr(q, "casos", [trocado, *q.casos[1:]])
    depois = trabalho.sortear([q.nome], 7)
    assert depois["pedido"] == antes["pedido"] and depois["entradas"] != antes["entradas"]


def test_sem_poder_guardar_a_evidencia_ninguem_perde_pontos(turma, monkeypatch):
    def cheio(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("correcao.juizo.exportador.guardar", cheio)
    [situacao] = corrigir.corrigir(LISTA, turma, ["ana"], de_novo=True)
    assert situacao.motivo is None and notas(turma)["ana"] > 0
    assert "não pôde ser guardada" in (turma / "correcao.log").read_text(encoding="utf-8")


# ---------------------------------------------------------------- o que se mostra


def test_sem_conserto_ninguem_muda_e_nada_do_aluno_roda(turma, capsys, nada_roda):
    antes = conteudo(turma)
    codigo, linhas = pedir(capsys, "--aplicar")
    assert codigo == 0 and linhas[-1] == "0 de 4 notas mudaram; não há nada a gravar."
    assert all(linha_de(linhas, aluno).endswith("igual") for aluno in ("ana", "bia", "caio"))
    assert conteudo(turma) == antes


@pytest.mark.parametrize("como", ["cosseno", QUESTAO, ID])
def test_um_conserto_devolve_o_ponto_a_uma_aluna_e_so_a_ela_e_nada_se_grava(consertada, capsys, nada_roda, como):
    antes = conteudo(consertada)
    codigo, linhas = pedir(capsys, questao=como)
    assert codigo == 0
    assert linhas[-1] == "1 de 4 notas muda; nada foi gravado: para gravar, rode de novo com --aplicar."
    assert "+" in linha_de(linhas, "bia") and linha_de(linhas, "bia").endswith("certa")
    assert not any("+" in linha_de(linhas, aluno) for aluno in ("ana", "caio", "davi"))
    assert "fica como está" in linha_de(linhas, "davi")
    assert conteudo(consertada) == antes


def test_quem_muda_so_de_frase_e_contado_a_parte(turma, capsys, monkeypatch, nada_roda):
    monkeypatch.setattr(evidencia, "_como_na_conferencia", lambda *_: None)
    for e in buscar(QUESTAO).equivocos:
        monkeypatch.setattr(e, "frase", f"{e.frase} E mais isto.")
    codigo, linhas = pedir(capsys)
    assert codigo == 0 and "0 de 4 notas mudam, e em 2 entregas só a frase; nada foi gravado" in linhas[-1]
    assert linha_de(linhas, "caio").endswith("E mais isto.")


def test_so_o_aluno_pedido(consertada, capsys):
    _, linhas = pedir(capsys, "--aluno", "caio", "--aplicar")
    assert len(linhas) == 3 and notas(consertada)["bia"] == 0
    codigo, linhas = pedir(capsys, "--aluno", "zé")
    assert codigo == 2 and linhas == [f"Não há entrega de {LISTA} do aluno “zé”."]


# ---------------------------------------------------------------- o que se grava


def test_o_que_se_grava_concorda_no_livro_no_notebook_e_no_que_se_devolve(consertada, capsys, nada_roda):
    antes, de_antes = conteudo(consertada), notas(consertada)
    modo = stat.S_IMODE(arquivo(consertada, "bia").stat().st_mode)
    codigo, linhas = pedir(capsys, "--aplicar")
    assert codigo == 0 and linhas[-1].startswith("1 de 4 notas mudou.") and "devolver 01" in linhas[-1]
    cheia = notas(consertada)["ana"]
    assert notas(consertada) == de_antes | {"bia": cheia}
    nb = nbformat.read(arquivo(consertada, "bia"), 4)
    nbformat.validate(nb)
    celula = next(c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade_id") == ID)
    assert determine_grade(celula)[0] == cheia and "casos certos" in celula.outputs[0].text
    da_bia = next(q for q in Turma(consertada).entrega(LISTA, "bia").questoes if q.id == ID)
    assert (da_bia.pontos, da_bia.diagnostico, da_bia.equivoco) == (cheia, None, None)
    assert stat.S_IMODE(arquivo(consertada, "bia").stat().st_mode) == modo
    mudou = {nome for nome, resumo in conteudo(consertada).items() if antes.get(nome) != resumo}
    copias = {nome for nome in mudou if nome.startswith("copias")}
    assert mudou - copias == {"gradebook.db", str(arquivo(consertada, "bia").relative_to(consertada))}


def test_o_resto_do_notebook_fica_byte_a_byte(consertada, capsys):
    def resto(caminho: Path) -> dict:
        nb = json.loads(caminho.read_bytes())
        nb["metadata"][DADOS]["questoes"] = [q for q in nb["metadata"][DADOS]["questoes"] if q["id"] != ID]
        for celula in nb["cells"]:
            if celula["metadata"].get("nbgrader", {}).get("grade_id") == ID:
                celula["outputs"] = []
        return nb

    antes = resto(arquivo(consertada, "bia"))
    pedir(capsys, "--aplicar")
    assert resto(arquivo(consertada, "bia")) == antes


def test_julgar_de_novo_da_o_mesmo_que_corrigir_de_novo(consertada, capsys):
    pedir(capsys, "--aplicar")
    julgada = Turma(consertada).entrega(LISTA, "bia")
    corrigir.corrigir(LISTA, consertada, ["bia"], de_novo=True)
    refeita = Turma(consertada).entrega(LISTA, "bia")
    assert (julgada.nota, julgada.questoes) == (refeita.nota, refeita.questoes)


def test_antes_de_gravar_se_guarda_uma_copia_do_livro(consertada, capsys):
    antes = notas(consertada)
    shutil.rmtree(consertada / COPIAS, ignore_errors=True)
    pedir(capsys)
    assert not (consertada / COPIAS).exists()
    _, linhas = pedir(capsys, "--aplicar")
    [copia] = (consertada / COPIAS).glob("*.db")
    assert copia.name in linhas[-1]
    shutil.copy(copia, consertada / "gradebook.db")
    assert notas(consertada) == antes


def test_a_nota_dada_a_mao_e_o_credito_extra_ficam(consertada, capsys):
    mudar_no_livro(consertada, "bia", manual_score=0.25, extra_credit=0.5)
    _, linhas = pedir(capsys, "--aplicar")
    assert "nota dada à mão, fica" in linha_de(linhas, "bia") and "+" not in linha_de(linhas, "bia")
    assert notas(consertada)["bia"] == 0.75
    mudar_no_livro(consertada, "bia", manual_score=None)  # sem ela, vale a que o programa deu agora
    assert notas(consertada)["bia"] == notas(consertada)["ana"] + 0.5


def test_o_desconto_por_atraso_e_o_da_nota_nova(consertada, capsys, monkeypatch):
    def com_atraso(raiz=None):
        config = no_nbgrader.configuracao(raiz)
        config.Atraso.por_dia = 0.1
        return config

    for modulo in (rejulgar, modulo_turma):
        monkeypatch.setattr(modulo, "configuracao", com_atraso)
    with Gradebook(f"sqlite:///{consertada / 'gradebook.db'}") as livro:
        livro.find_assignment(LISTA).duedate = datetime.datetime(2026, 3, 1)
        livro.find_submission(LISTA, "bia").timestamp = datetime.datetime(2026, 3, 2, 12)
        livro.db.commit()
    pedir(capsys, "--aplicar")
    with Gradebook(f"sqlite:///{consertada / 'gradebook.db'}") as livro:
        entrega = livro.find_submission(LISTA, "bia")
        assert entrega.late_submission_penalty == pytest.approx(0.2 * entrega.score) and entrega.score > 0
        assert Turma(consertada).entrega(LISTA, "bia").desconto == pytest.approx(entrega.late_submission_penalty)


def test_o_que_parou_entre_o_notebook_e_o_livro_se_completa_na_proxima_vez(consertada, capsys):
    velho = (consertada / "gradebook.db").read_bytes()
    pedir(capsys, "--aplicar")
    cheia = notas(consertada)["ana"]
    (consertada / "gradebook.db").write_bytes(velho)  # como se tivesse sido morto antes de fechar a transação
    assert notas(consertada)["bia"] == 0
    _, linhas = pedir(capsys, "--aplicar")
    assert linhas[-1].startswith("1 de 4 notas mudou.") and notas(consertada)["bia"] == cheia
    _, linhas = pedir(capsys, "--aplicar")
    assert linhas[-1] == "0 de 4 notas mudaram; não há nada a gravar."


def test_um_livro_que_nao_deixa_gravar_deixa_o_notebook_como_estava(consertada, capsys):
    antes = conteudo(consertada)
    with sqlite3.connect(consertada / "gradebook.db") as conexao:
        conexao.execute("begin immediate")  # deixa ler, e não deixa escrever
        codigo, linhas = pedir(capsys, "--aplicar")
        conexao.rollback()
    assert codigo == 1 and "rode de novo" in linhas[-1]
    assert {n: r for n, r in conteudo(consertada).items() if not n.startswith("copias")} == {
        n: r for n, r in antes.items() if not n.startswith("copias")
    }


def test_um_notebook_que_nao_se_grava_deixa_o_livro_como_estava(consertada, capsys, monkeypatch):
    def cheio(*_):
        raise OSError(28, "disco cheio")

    monkeypatch.setattr(rejulgar, "_por_no_lugar", cheio)
    codigo, linhas = pedir(capsys, "--aplicar")
    assert codigo == 3 and "não consegui gravar (disco cheio)" in linha_de(linhas, "bia")
    assert notas(consertada)["bia"] == 0 and linhas[-1] == "Precisam de um olhar: bia."


def test_uma_segunda_correcao_ao_mesmo_tempo_e_recusada(consertada, capsys, monkeypatch):
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setattr(trava, "_TRAVAS", {})
    with open(consertada / ".correcao.trava", "a") as outra:
        fcntl.flock(outra, fcntl.LOCK_EX)
        codigo, linhas = pedir(capsys, "--aplicar")
    assert codigo == 2 and "em outra janela" in linhas[-1] and notas(consertada)["bia"] == 0


# ---------------------------------------------------------------- quando as entradas mudaram


def test_com_outras_entradas_o_notebook_roda_outra_vez_e_so_esta_questao_muda(com_outro_caso, capsys, monkeypatch):
    rodadas, de_verdade = [], trabalho.executar
    monkeypatch.setattr(trabalho, "executar", lambda *a: rodadas.append(1) or de_verdade(*a))
    antes = conteudo(com_outro_caso)
    outras = {a: guardado.ler(com_outro_caso, a, LISTA) for a in ("ana", "bia")}
    codigo, linhas = pedir(capsys, "--aluno", "ana", "--aluno", "bia")
    assert codigo == 0 and "1 de 2 notas muda;" in linhas[-1] and len(rodadas) == 2
    assert conteudo(com_outro_caso) == antes
    codigo, linhas = pedir(capsys, "--aluno", "ana", "--aluno", "bia", "--aplicar")
    assert codigo == 0 and notas(com_outro_caso)["bia"] == notas(com_outro_caso)["ana"] and len(rodadas) == 4
    for aluno, antiga in outras.items():
        nova = guardado.ler(com_outro_caso, aluno, LISTA)
        assert nova.semente == antiga.semente and nova.questoes[ID] != antiga.questoes.pop(ID)
        assert {i: q for i, q in nova.questoes.items() if i != ID} == antiga.questoes
    codigo, linhas = pedir(capsys, "--aluno", "ana", "--aluno", "bia")  # as de agora já são as guardadas
    assert "não há nada a gravar" in linhas[-1] and len(rodadas) == 4


def test_quem_nao_chega_ao_fim_com_as_novas_entradas_fica_como_estava_e_precisa_de_um_olhar(
    com_outro_caso, capsys, monkeypatch
):
    def parou(tarefa, log):
        vazias = [[] for _ in tarefa.celulas]
        return Resultado(vazias, [None] * len(vazias), motivo="O kernel parou na célula 3.")

    monkeypatch.setattr(trabalho, "executar", parou)
    antes = conteudo(com_outro_caso)
    codigo, linhas = pedir(capsys, "--aplicar")
    assert codigo == 3 and "O kernel parou na célula 3; rode python curso.py corrigir 01 --aluno bia --de-novo" in (
        linha_de(linhas, "bia")
    )
    assert conteudo(com_outro_caso) == antes


def test_quem_parou_sem_culpa_certa_roda_outra_vez_sozinho_antes_de_se_julgar(com_outro_caso, capsys, monkeypatch):
    sozinhas, de_verdade = [], trabalho.executar

    def azar(tarefa, log):
        sozinhas.append(tarefa.sozinha)
        vazias = [[] for _ in tarefa.celulas]
        parou = Resultado(vazias, [None] * len(vazias), sem_culpa_certa="O relógio andou")
        return de_verdade(tarefa, log) if tarefa.sozinha else parou

    monkeypatch.setattr(trabalho, "executar", azar)
    codigo, linhas = pedir(capsys, "--aluno", "bia")
    assert codigo == 0 and "1 de 1 nota muda;" in linhas[-1] and sozinhas == [False, True]


# ---------------------------------------------------------------- quem não se julga


def test_quem_nao_tem_evidencia_desta_entrega_tem_de_ser_corrigido_de_novo(consertada, capsys):
    guardado.arquivo(consertada, "ana", LISTA).unlink()
    outra = guardado.ler(consertada, "bia", LISTA)
    outra.entrega = "0" * 64
    guardado.guardar(consertada, "bia", LISTA, outra)
    os.chmod(arquivo(consertada, "caio"), 0o644)
    arquivo(consertada, "caio").write_text("{}")
    codigo, linhas = pedir(capsys, "--aplicar")
    assert codigo == 3 and linhas[-1] == "Precisam de um olhar: ana, bia, caio."
    assert "não há evidência guardada: rode python curso.py corrigir 01 --aluno ana --de-novo" in linha_de(
        linhas, "ana"
    )
    assert "outra versão da entrega" in linha_de(linhas, "bia") and "não chegou ao fim" in linha_de(linhas, "caio")
    assert notas(consertada)["bia"] == 0


@pytest.mark.parametrize("campo, valor", [("tolerancia", None), ("ocultos", lambda rng: 1 / 0)])
def test_um_defeito_nosso_e_dito_e_nao_muda_nada(turma, capsys, monkeypatch, campo, valor):
    monkeypatch.setattr(buscar(QUESTAO), campo, valor)
    antes = conteudo(turma)
    codigo, linhas = pedir(capsys, "--aplicar")
    assert codigo == 3 and "um defeito da correção, e não da entrega" in linha_de(linhas, "ana")
    assert conteudo(turma) == antes
    assert "Traceback" in (turma / "correcao.log").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "pedido, trecho",
    [
        (
            ["01", "--questao", "softmax"],
            "existem: incorporar, similaridades, cosseno, ",
        ),
        (["01", "--questao", "discussao-1"], "não tem a questão “discussao-1”"),
        (["02", "--questao", "softmax"], "rode antes: python curso.py corrigir 02"),
        (["01", "--aplicar"], "diga a questão"),
        (["01", "--questao", "cosseno", "--de-novo"], "fique com uma só"),
    ],
)
def test_um_pedido_que_nao_faz_sentido_acaba_em_uma_frase(turma, capsys, pedido, trecho):
    antes = conteudo(turma)
    assert corrigir.main(pedido) == 2
    dito = capsys.readouterr()
    assert trecho in dito.err and dito.err.count("\n") == 1 and not dito.out
    assert conteudo(turma) == antes


def test_em_varios_operarios_da_no_mesmo(turma, capsys):
    outra = guardado.ler(turma, "ana", LISTA)
    outra.questoes[ID].entradas = "0" * 64  # ela roda de novo; os outros, não
    guardado.guardar(turma, "ana", LISTA, outra)
    assert corrigir.main(["01", "--questao", "cosseno", "--processos", "2", "--aplicar"]) == 0
    assert "0 de 4 notas mudaram." in capsys.readouterr().out
    refeita = guardado.ler(turma, "ana", LISTA)
    da_bia = guardado.ler(turma, "bia", LISTA)
    assert refeita.questoes[ID].entradas not in ("0" * 64, da_bia.questoes[ID].entradas)
    antes, depois = (json.loads(g.questoes[ID].texto)["registros"] for g in (outra, refeita))
    assert [r["saida"] for r in depois] == [r["saida"] for r in antes]  # a mesma semente, as mesmas entradas


# ---------------------------------------------------------------- na linha de comando


def comando(turma: Path, *opcoes: str, **extra: str) -> subprocess.CompletedProcess:
    programa = [sys.executable, "-m", "correcao.juizo.corrigir", "01", "--processos", "1", *opcoes]
    ambiente = os.environ | {"CURSO_TURMA": str(turma)} | extra
    return subprocess.run(programa, cwd=RAIZ, capture_output=True, text=True, env=ambiente)


def com_o_conserto(pasta: Path, mais: str = "") -> dict[str, str]:
    """O ambiente em que a questão está consertada, e em que se faz também o que `mais` diz."""
    (pasta / "sitecustomize.py").write_text(
        "import os\nfrom correcao.juizo import rejulgar\nfrom gabarito.base import buscar\n"
        "from helpers.conferencia.impressao import Tolerancia\n"
        f"buscar({QUESTAO!r}).tolerancia = Tolerancia(0.0, 1e-3)\n{mais}"
    )
    return {"PYTHONPATH": os.pathsep.join([str(pasta), str(RAIZ)])}


def test_na_linha_de_comando_uma_questao_que_nao_ha_tambem_e_dita_em_uma_frase(turma):
    feito = comando(turma, "--questao", "softmax")
    assert feito.returncode == 2 and feito.stderr.count("\n") == 1 and "não tem a questão “softmax”" in feito.stderr


@pytest.mark.parametrize("quando", ["antes de trocar o notebook", "antes de fechar o livro"])
def test_morto_a_forca_no_meio_a_proxima_vez_completa(turma, tmp_path, quando):
    de_antes = arquivo(turma, "bia").read_bytes()
    matar = "trocar = rejulgar._por_no_lugar\ndef morrer(*a):\n"
    matar += "    trocar(*a)\n" * quando.endswith("livro") + "    os._exit(9)\nrejulgar._por_no_lugar = morrer\n"
    pedido = ["--questao", "cosseno", "--aplicar"]
    assert comando(turma, *pedido, **com_o_conserto(tmp_path, matar)).returncode == 9
    assert notas(turma)["bia"] == 0
    assert (arquivo(turma, "bia").read_bytes() == de_antes) == quando.endswith("notebook")
    feito = comando(turma, *pedido, **com_o_conserto(tmp_path))
    assert feito.returncode == 0 and "1 de 4 notas mudou." in feito.stdout, feito.stdout + feito.stderr
    da_bia = next(q for q in Turma(turma).entrega(LISTA, "bia").questoes if q.id == ID)
    assert da_bia.pontos == notas(turma)["ana"] and da_bia.diagnostico is None
