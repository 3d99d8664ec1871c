"""A turma mais hostil que se pôde imaginar: ninguém ganha o que não mereceu, e ninguém mais perde.

Todos os ataques de `tabela.py` e três alunas honestas são corrigidos de uma vez só, por um `nbgrader autograde`.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import numpy
import psutil
import pytest
from conftest import CAIXAS, RAIZ, caixas_do_que_demora, entregar, por_que_sem_caixa
from na_caixa import ROOT, como_comum
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook
from tabela import ATAQUES, CERTA, ENTROPIA_CERTA, ENTROPIA_ERRADA, Ataque

from correcao.caixa import a_vista, caixa
from correcao.caixa.quente import quente

pytestmark = pytest.mark.lento

LISTA = "lista-99-ataques"
VALE = {"softmax": 2.0, "entropia": 1.0}
HONESTAS = {
    "aaa-certa": ((CERTA, ENTROPIA_CERTA), {"softmax": 2.0, "entropia": 1.0}),
    "metade": ((CERTA, ENTROPIA_ERRADA), {"softmax": 2.0, "entropia": 0.0}),
    "zzz-certa": ((CERTA, ENTROPIA_CERTA), {"softmax": 2.0, "entropia": 1.0}),
}
# Curtos, para que a turma caiba em poucos minutos, mas folgados para quem é honesto em uma máquina ocupada: também para
# o laço sem fim, que só mostra que sabe a questão seguinte se houver tempo de interrompê-lo.
LIMITES = {
    **{"celula": 3, "interrupcao": 2, "caderno": 40, "espera": 2},
    **{"memoria": 10**9, "processos": 80, "disco": 30_000_000},
    **{"arquivo": 20_000_000, "saida_celula": 6_000_000, "saida_caderno": 12_000_000, "mensagens": 3000},
}
CANARIOS = {onde: f"CANARIO-{onde}-7f3a91" for onde in ("fonte", "gabarito", "colega", "notas", "casa", "ambiente")}
MARCA = "98765.4321"  # segundos de sono dos processos que os ataques deixam para trás


def _lista() -> nbformat.NotebookNode:
    """A lista de mentira, como o instrutor a escreveria em source/."""
    nb = new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}})

    def por(nome: str, codigo: str, **dados) -> None:
        base = {"grade": False, "grade_id": nome, "locked": True, "schema_version": 3, "solution": False, "task": False}
        nb.cells.append(new_code_cell(codigo, id=nome, metadata={"nbgrader": base | dados}))

    por("preparo", "import numpy as np\n\nfrom helpers.conferir import conferir")
    for nome, solucao in (("softmax", CERTA), ("entropia", ENTROPIA_CERTA)):
        corpo = f"### BEGIN SOLUTION\n# {CANARIOS['fonte']}\n{solucao}### END SOLUTION"
        por(nome, corpo, solution=True, locked=False)
        por(f"confere-{nome}", f'conferir("lista-02/{nome}", {nome})', grade=True, points=int(VALE[nome]))
    return nb


def _entregar(turma: Path, aluno: str, softmax: str, entropia: str, ataque: Ataque | None = None) -> None:
    respostas = {"softmax": softmax, "entropia": entropia}
    arquivo = entregar(turma, LISTA, aluno, respostas, mexer=ataque.no_notebook if ataque else None)
    texto = arquivo.read_text(encoding="utf-8")
    trocas = {"RAIZ": RAIZ, "TURMA": turma, "CASA": turma / "casa", "MARCA": MARCA}
    for lugar, valor in trocas.items():
        texto = texto.replace(f"<<{lugar}>>", str(valor))
    arquivo.write_text(texto, encoding="utf-8")
    if ataque and ataque.na_pasta:
        ataque.na_pasta(arquivo.parent, turma)


def _plantar(turma: Path) -> None:
    """Um segredo em cada lugar em que um aluno não pode olhar."""
    (turma / "gabarito").mkdir()
    (turma / "gabarito" / "segredo.py").write_text(f"RESPOSTA = '{CANARIOS['gabarito']}'\n")
    (turma / "casa" / "segredo").mkdir(parents=True)
    (turma / "casa" / "segredo" / "arquivo").write_text(CANARIOS["casa"])
    (turma / "casa" / ".jupyter").mkdir()


def _nbgrader(turma: Path, *argumentos: str, **extra: str) -> subprocess.CompletedProcess:
    ambiente = os.environ | {"CURSO_TURMA": str(turma), "HOME": str(turma / "casa")} | extra
    ambiente.pop(caixa.SEM_ISOLAMENTO, None)
    return subprocess.run(
        [sys.executable, "-m", "nbgrader", *argumentos], cwd=RAIZ, env=ambiente, capture_output=True, text=True
    )


def _intocaveis(turma: Path) -> dict[str, str]:
    """O conteúdo, resumido, do que é do instrutor e de uma colega: para ver se algo mudou."""
    pastas = ["source", "release", "gabarito", "casa/segredo", "submitted/aaa-certa"]
    arquivos = [a for p in pastas for a in (turma / p).rglob("*") if a.is_file()]
    return {str(a): hashlib.sha256(a.read_bytes()).hexdigest() for a in arquivos}


# O mais revelador de cada família, para o caminho em que a turma inteira demoraria: o do usuário comum.
DE_CADA_FAMILIA = (
    *("evidencia-de-uns", "kernel-trocado", "le-as-pastas-vizinhas", "livro-de-notas", "rede", "privilegios"),
    *("partes-vazias", "bomba-de-memoria", "laco-sem-fim", "saida-gigante", "concessoes", "quotas"),
)


def corrigida_por_um_usuario_comum() -> dict:
    """Roda como ele: a turma é dele, e o corpus que a caixa vê também, para que ele pudesse dar concessões."""
    turma = Path(os.environ["TMPDIR"], "turma")
    (turma / "dados").mkdir(parents=True)
    for i in range(5):
        (turma / "dados" / f"{i}.txt").write_text("o corpus")
    (turma / "source" / LISTA).mkdir(parents=True)
    nbformat.write(_lista(), turma / "source" / LISTA / f"{LISTA}.ipynb")
    _plantar(turma)
    _nbgrader(turma, "generate_assignment", LISTA).check_returncode()
    for aluna, (respostas, _) in HONESTAS.items():
        _entregar(turma, aluna, *respostas)
    for ataque in (a for a in ATAQUES if a.nome in DE_CADA_FAMILIA):
        _entregar(turma, ataque.nome, ataque.softmax, ataque.entropia, ataque)
    limites = json.dumps(LIMITES)
    feito = _nbgrader(turma, "autograde", LISTA, CURSO_LIMITES=limites, CURSO_DADOS=str(turma / "dados"))
    notas = {aluno: _pontos(dele) for aluno, dele in _notas(turma).items()}
    nbs = [nbformat.read(p, as_version=4) for p in (turma / "autograded").rglob("*.ipynb")]
    textos = [s.get("text", "") for nb in nbs for c in nb.cells for s in c.get("outputs", [])]
    saiu = [t for t in textos if "CONECTOU" in t or "CONSEGUIU" in t or "CANARIO" in t]
    return {"notas": notas, "codigo": feito.returncode, "dito": feito.stderr, "saiu": saiu}


@pytest.mark.tudo
@pytest.mark.skipif(not ROOT, reason="os outros testes já rodam como usuário comum")
@pytest.mark.parametrize("qual", CAIXAS)
def test_tambem_no_nbgrader_de_um_usuario_comum_cada_uma_ganha_o_que_mereceu(qual):
    if frase := por_que_sem_caixa():
        pytest.skip(frase)
    de_onde = [str(RAIZ / "tests"), str(Path(__file__).parent)]
    programa = f"""
import json, sys
sys.path[:0] = {de_onde!r}
from test_ataques import corrigida_por_um_usuario_comum
print(json.dumps(corrigida_por_um_usuario_comum()))
"""
    a_vista.a_vista('"lista-02/')  # a cópia que a caixa usa, em uma pasta em que só quem instalou o curso escreve
    casa = Path(tempfile.mkdtemp(dir="/tmp", prefix="cx-"))
    feito = json.loads(como_comum(casa, programa, **{quente.QUAL: qual}).splitlines()[-1])
    assert feito["codigo"] == 0, feito["dito"][-3000:]
    merece = {a.nome: {"softmax": 0.0, "entropia": 0.0} | a.merece for a in ATAQUES if a.nome in DE_CADA_FAMILIA}
    assert feito["notas"] == merece | {aluna: pontos for aluna, (_, pontos) in HONESTAS.items()}
    assert (feito["dito"].count("rodou na caixa fria") > 0) is (qual == "fria")
    assert feito["saiu"] == []


@pytest.fixture(scope="module", params=caixas_do_que_demora())
def turma(tmp_path_factory, request):
    """A turma corrigida: as notas no livro, o que mudou no disco, o que ficou rodando."""
    if frase := por_que_sem_caixa():
        pytest.skip(frase)
    turma = tmp_path_factory.mktemp("ataques")
    temporarios = Path(tempfile.mkdtemp(prefix="atq-", dir="/tmp"))
    (turma / "source" / LISTA).mkdir(parents=True)
    nbformat.write(_lista(), turma / "source" / LISTA / f"{LISTA}.ipynb")
    _plantar(turma)
    feito = _nbgrader(turma, "generate_assignment", LISTA)
    assert feito.returncode == 0, feito.stderr
    assert "CANARIO" not in (turma / "release" / LISTA / f"{LISTA}.ipynb").read_text()
    for aluna, (respostas, _) in HONESTAS.items():
        _entregar(turma, aluna, *[f"{r}# {CANARIOS['colega']}\n" for r in respostas])
    for ataque in ATAQUES:
        _entregar(turma, ataque.nome, ataque.softmax, ataque.entropia, ataque)
    with Gradebook(f"sqlite:///{turma / 'gradebook.db'}") as livro:
        livro.add_student("aaa-certa", last_name=CANARIOS["notas"])
    antes, inicio = _intocaveis(turma), time.monotonic()
    feito = _nbgrader(
        turma,
        "autograde",
        LISTA,
        CURSO_LIMITES=json.dumps(LIMITES),
        SEGREDO=CANARIOS["ambiente"],
        TMPDIR=str(temporarios),
        **{quente.QUAL: request.param},
    )
    print(f"{len(ATAQUES)} ataques em {time.monotonic() - inicio:.0f} s")
    yield {
        "pasta": turma,
        "qual": request.param,
        "feito": feito,
        "notas": _notas(turma),
        "mudou": _intocaveis(turma) != antes,
        "sobreviventes": _sobreviventes(),
        "temporarios": sorted(p.name for p in temporarios.iterdir()),
    }
    shutil.rmtree(temporarios, ignore_errors=True)


def _notas(turma: Path) -> dict[str, dict]:
    with Gradebook(f"sqlite:///{turma / 'gradebook.db'}") as livro:
        return {
            entrega.student.id: {
                g.name.removeprefix("confere-"): (g.auto_score, g.manual_score, g.max_score, g.needs_manual_grade)
                for n in entrega.notebooks
                for g in n.grades
            }
            for entrega in livro.assignment_submissions(LISTA)
        }


def _sobreviventes() -> list[str]:
    """Processos que só podem ter vindo de uma entrega."""
    achados = []
    for p in psutil.process_iter(["cmdline", "ppid", "status"]):
        comando = " ".join(p.info["cmdline"] or [])
        if MARCA in comando or LISTA in comando:
            achados.append(f"{p.info['status']}, filho de {p.info['ppid']}: {comando}")
    return achados


def _pontos(notas: dict[str, tuple]) -> dict[str, float]:
    return {questao: auto for questao, (auto, *_) in notas.items()}


def _corrigido(turma: dict, aluno: str) -> nbformat.NotebookNode:
    return nbformat.read(turma["pasta"] / "autograded" / aluno / LISTA / f"{LISTA}.ipynb", as_version=4)


def test_ha_ataques_bastantes_e_todos_com_nome():
    nomes = [a.nome for a in ATAQUES]
    assert len(set(nomes)) == len(nomes) >= 40


def test_a_correcao_chega_ao_fim(turma):
    assert turma["feito"].returncode == 0, turma["feito"].stderr[-3000:]
    assert set(turma["notas"]) == {*HONESTAS, *(a.nome for a in ATAQUES)}
    frias = turma["feito"].stderr.count("rodou na caixa fria")
    assert frias == 0 if turma["qual"] == "quente" else frias > len(ATAQUES) // 2


@pytest.mark.parametrize("aluna", HONESTAS)
def test_quem_e_honesta_ganha_exatamente_o_que_merece(turma, aluna):
    assert _pontos(turma["notas"][aluna]) == HONESTAS[aluna][1]


@pytest.mark.parametrize("ataque", ATAQUES, ids=lambda a: a.nome)
def test_quem_ataca_so_ganha_o_que_mereceu(turma, ataque):
    esperado = {"softmax": 0.0, "entropia": 0.0} | {q: float(p) for q, p in ataque.merece.items()}
    notas = turma["notas"][ataque.nome]
    assert _pontos(notas) == esperado, ataque.tenta
    for questao, (_, manual, maximo, espera) in notas.items():
        assert (manual, maximo, espera) == (None, VALE[questao], False)


@pytest.mark.parametrize("ataque", ATAQUES, ids=lambda a: a.nome)
def test_de_quem_ataca_fica_um_notebook_limpo_e_sem_segredos(turma, ataque):
    pasta = turma["pasta"] / "autograded" / ataque.nome
    saidas = [s for c in _corrigido(turma, ataque.nome).cells for s in c.get("outputs", [])]
    for arquivo in pasta.rglob("*"):
        assert not arquivo.is_symlink()
        if arquivo.is_file():
            assert arquivo.stat().st_size < 3_000_000
            conteudo = arquivo.read_text(encoding="utf-8")
            assert [c for c in CANARIOS.values() if c in conteudo] == []
    texto = json.dumps(saidas, ensure_ascii=False)
    assert "CONECTOU" not in texto and "CONSEGUIU" not in texto
    assert "escreveu em" not in texto
    mostraveis = {"text/plain", "image/png", "image/jpeg", "application/vnd.curso.evidencia+json"}
    assert {tipo for s in saidas for tipo in s.get("data", {})} <= mostraveis
    for saida in saidas:
        for tipo in ("image/png", "image/jpeg"):
            assert "<" not in saida.get("data", {}).get(tipo, "")
            assert "<" not in saida.get("metadata", {}).get(tipo, {}).get("alt", "")


def test_nada_do_instrutor_nem_dos_colegas_mudou(turma):
    assert not turma["mudou"]
    alvos = [RAIZ / "nbgrader_config.py", RAIZ / "helpers" / "conferir.py", RAIZ / "helpers" / "__init__.py"]
    assert not any("INTRUSO" in a.read_text(encoding="utf-8") for a in [*alvos, Path(numpy.__file__)])
    proibidos = ["casa/invadido", "casa/.bashrc", "casa/.jupyter/nbgrader_config.py", "nbgrader_config.py"]
    assert not any((turma["pasta"] / p).exists() for p in proibidos)
    assert not [*turma["pasta"].rglob("intruso*"), *Path(numpy.__file__).parent.glob("intruso*")]


def test_nenhum_processo_sobrevive_e_nada_fica_nos_temporarios(turma):
    assert turma["sobreviventes"] == []
    assert turma["temporarios"] == []
