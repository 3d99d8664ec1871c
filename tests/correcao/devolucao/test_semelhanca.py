"""As entregas parecidas: um anel é um grupo, trocar nomes não esconde ninguém, e uma turma honesta fica quieta."""

import ast
import functools
import itertools
import random
import re
import types

import nbformat
import pytest
from conftest import RAIZ, listas, solucoes, tudo

from correcao import demo
from correcao.comum import pagina
from correcao.devolucao import relatorio, semelhanca
from correcao.devolucao.semelhanca import Conhecido, Escrito, grupos
from correcao.livro.turma import Entrega, QuestaoCorrigida, Turma
from gabarito.base import carregar
from gabarito.codigo import como_celula

LISTA = "lista-02-softmax"
PROPRIO = """
def softmax(x, eixo=-1):
    desloca = np.amax(x, axis=eixo, keepdims=True)
    potencias = np.power(np.e, x - desloca)
    somas = np.add.reduce(potencias, axis=eixo, keepdims=True)
    resposta = np.empty_like(potencias)
    for posicao in np.ndindex(*potencias.shape):
        linha = list(posicao)
        linha[eixo] = 0
        resposta[posicao] = potencias[posicao] / somas[tuple(linha)]
    return resposta


def maior_que(a, b):
    restos = [i - j for i, j in zip(a, b) if abs(i) > abs(j) + 1e-3]
    return sum(restos) / (len(restos) or 1)
"""
ENCHIMENTO = "".join(f"def g{i}(a):\n    return a * {i} + a ** {i + 2} - a // {i + 7}\n\n\n" for i in range(50))
DISFARCES = {
    "outros nomes": [("desloca", "m"), ("potencias", "p"), ("somas", "s"), ("resposta", "r"), ("posicao", "k")],
    "outro apelido para o numpy": [("np.", "numerico."), ("\ndef softmax", "\nimport numpy as numerico\ndef softmax")],
    "comentários e docstring": [("-1):", '-1):\n    """Minha softmax."""\n    # eu que fiz')],
    "outra formatação": [
        ("potencias[posicao] / somas[tuple(linha)]", "(potencias[posicao]\n / (somas[ tuple(linha) ]))")
    ],
    "anotações de tipo": [("(x, eixo=-1)", "(x: list, eixo: int = -1) -> list"), ("linha =", "linha: list =")],
    "linhas que nada fazem": [
        ("    somas", "    pass\n    'e agora?'\n    somas"),
        ("    return", "    0\n    return"),
    ],
    "variáveis que ninguém usa": [
        ("    somas", "    vazio = []\n    somas"),
        ("        linha[", "        fim = 1\n        linha["),
    ],
    "uma linha do IPython": [("\ndef softmax", "%%time\n!ls\ndef softmax")],
    "dentro de um exec": [(PROPRIO, f"exec({PROPRIO!r})")],
    "em uma classe": [(PROPRIO, "class A:" + PROPRIO.replace("\n", "\n    "))],
    "um erro de sintaxe no fim": [(PROPRIO, f"{PROPRIO}\ndef (:")],
    "cem linhas de enchimento": [("def maior_que", f"{ENCHIMENTO}def maior_que")],
    "outra ordem": [
        (PROPRIO, "\n\ndef maior_que".join(["", PROPRIO.split("def maior_que")[1]]) + PROPRIO.split("def maior")[0])
    ],
}


@functools.cache
def banco(lista: str) -> tuple[dict[str, list[str]], Conhecido]:
    """As respostas certas de cada questão, e o que o relatório conhece dela."""
    qs = carregar(lista[:8]).values()
    certas = {q.funcao: [como_celula(q, r) for r in q.certas] for q in qs}
    return certas, Conhecido([], {q.funcao: [como_celula(q, r) for r in (*q.certas, *q.equivocos)] for q in qs})


def turma(lista: str, quantos: int, semente: int, preferida: float = 0.0) -> tuple[dict[str, Escrito], Conhecido]:
    """Cada aluno sorteia sozinho uma resposta certa para cada questão; a referência, com a preferência dada."""
    certas, conhecido = banco(lista)
    rng = random.Random(semente)
    respostas = (
        {q: cs[0] if rng.random() < preferida else rng.choice(cs) for q, cs in certas.items()} for _ in range(quantos)
    )
    return {f"a{i:03d}": Escrito(r) for i, r in enumerate(respostas)}, conhecido


def alunos(escritos: dict[str, Escrito], conhecido: Conhecido) -> list[list[str]]:
    return [g.alunos for g in grupos(escritos, conhecido)]


# ---------------------------------------------------------------- o que aparece


@pytest.mark.parametrize("tamanho", [3, 20, 40, 60])
def test_um_anel_em_uma_turma_de_sessenta_aparece_como_um_grupo_so(tamanho):
    escritos, conhecido = turma(LISTA, 60, 1)
    for i in range(1, tamanho):
        escritos[f"a{i:03d}"] = escritos["a000"]
    (grupo,) = grupos(escritos, conhecido)
    assert grupo.alunos == [f"a{i:03d}" for i in range(tamanho)] and grupo.iguais == list(escritos["a000"].codigos)
    assert {frase for _, frase in grupo.quanto.values()} == {"igual, letra por letra"}


def test_um_anel_com_os_nomes_trocados_por_cada_um_tambem():
    escritos, conhecido = turma(LISTA, 60, 2)
    for i in range(1, 20):
        trocados = {
            q: re.sub(r"\b(e|z|p|m|maior|saida|linha|um)\b", rf"\g<0>_{i}", c)
            for q, c in escritos["a000"].codigos.items()
        }
        escritos[f"a{i:03d}"] = Escrito({q: f"# do aluno {i}\n{c}" for q, c in trocados.items()})
    (grupo,) = grupos(escritos, conhecido)
    assert len(grupo.alunos) == 20
    assert {frase for _, frase in grupo.quanto.values()} == {"igual, a menos de nomes e comentários"}


@pytest.mark.parametrize("lista", [LISTA, "lista-05-multiplas-cabecas"])
def test_quem_muda_uma_resposta_continua_no_anel(lista):
    escritos, conhecido = turma(lista, 60, 3)
    questoes = list(escritos["a000"].codigos)
    for i in range(1, 12):
        outra = questoes[i % len(questoes)]
        escritos[f"a{i:03d}"] = Escrito(escritos["a000"].codigos | {outra: f"def {outra}(x):\n    return x * {i}"})
    assert [len(g) for g in alunos(escritos, conhecido)] == [12]


@pytest.mark.parametrize("trocas", DISFARCES.values(), ids=DISFARCES)
def test_um_disfarce_de_um_minuto_nao_esconde_um_par(trocas):
    escritos, conhecido = turma(LISTA, 30, 4)
    disfarcado = PROPRIO
    for antes, depois in trocas:
        assert antes in disfarcado
        disfarcado = disfarcado.replace(antes, depois)
    escritos["bia"], escritos["ana"] = Escrito({"softmax": PROPRIO}), Escrito({"softmax": disfarcado})
    assert alunos(escritos, conhecido) == [["ana", "bia"]]


def test_trocar_os_atributos_de_uma_classe_tambem_nao():
    classe = "class Bloco(nn.Module):\n    def __init__(self, d):\n        super().__init__()\n"
    classe += "".join(f"        self.peso_{i} = nn.Linear(d + {i}, {i} * d)\n" for i in range(9))
    classe += "    def forward(self, x):\n"
    classe += (
        "".join(f"        x = x - self.peso_{i}(x).cumsum(-{i + 1}) * {i}\n" for i in range(9)) + "        return x\n"
    )
    escritos, conhecido = turma(LISTA, 10, 4)
    escritos |= {"ana": Escrito({"Bloco": classe}), "bia": Escrito({"Bloco": classe.replace("peso_", "camada")})}
    assert alunos(escritos, conhecido) == [["ana", "bia"]]


def test_a_funcao_auxiliar_em_uma_celula_a_mais_tambem_conta():
    escritos, conhecido = turma(LISTA, 30, 5)
    escritos["bia"], escritos["ana"] = Escrito(a_mais=[PROPRIO]), Escrito({"softmax": PROPRIO})
    assert alunos(escritos, conhecido) == [["ana", "bia"]]


DISCUSSAO = (
    "Sem dividir pela raiz de d, a variância das pontuações cresce com a dimensão, a softmax satura em uma só posição "
    "e o gradiente some; por isso o modelo para de aprender justamente quando as chaves e as consultas ficam maiores, "
    "e dividir devolve a variância para perto de um."
)


@pytest.mark.parametrize("tamanho", [2, 25])
def test_o_mesmo_texto_na_discussao_aparece_mesmo_em_um_terco_da_turma(tamanho):
    escritos, conhecido = turma(LISTA, 60, 6)
    for i in range(tamanho):
        escritos[f"a{i:03d}"].textos["discussao-1"] = DISCUSSAO.upper() if i else DISCUSSAO
    assert [len(g) for g in alunos(escritos, conhecido)] == [tamanho]


# ---------------------------------------------------------------- o que fica quieto


@pytest.mark.parametrize("lista", listas() if tudo() else listas()[:6])
def test_uma_turma_feita_das_alternativas_do_banco_fica_quieta(lista):
    tamanhos, sementes = ((24, 60, 200), range(3)) if tudo() else ((200,), range(1))
    for quantos, preferida, semente in itertools.product(tamanhos, (0.0, 0.6), sementes):
        assert alunos(*turma(lista, quantos, semente, preferida)) == []


def test_textos_curtos_iguais_e_trechos_do_enunciado_nao_contam():
    escritos, conhecido = turma(LISTA, 30, 7)
    conhecido = Conhecido([DISCUSSAO], conhecido.gabarito)
    for i, escrito in enumerate(escritos.values()):
        escrito.textos = {
            "discussao-1": "Cada linha de pesos soma 1, porque vem de uma softmax.",
            "discussao-2": f"{i}: {DISCUSSAO}",
        }
    assert alunos(escritos, conhecido) == []


def test_respostas_em_branco_curtas_ou_estranhas_nao_viram_pista_nem_param_o_relatorio():
    estranhas = [
        "",
        "x = 1",
        "def f(:",
        "(" * 5000,
        "1" + "+1" * 9000,
        "é\x00",
        "f'{x!r:>{y}}'",
        "if x:\n    pass",
        "\\",
    ]
    escritos = {f"a{i}": Escrito({"softmax": c, "entropia": c}, {"d": c}, [c]) for i, c in enumerate(estranhas)}
    assert alunos(escritos, Conhecido()) == []


# ---------------------------------------------------------------- no relatório


def entrega(pasta, aluno: str, nb, motivo: str | None = None) -> Entrega:
    nbformat.write(nb, pasta / f"{aluno}.ipynb")
    questoes = [QuestaoCorrigida(f"confere-{q}", f"1. `{q}`", 1.0, 2.0, True, False) for q in solucoes(LISTA)]
    return Entrega(aluno, LISTA, "Lista 02", 1.0, 10.0, 0.0, None, 0.0, motivo, [], pasta / f"{aluno}.ipynb", questoes)


def test_quem_mata_o_kernel_no_fim_nao_fica_fora_da_comparacao_e_o_relatorio_fala_em_pista(tmp_path):
    proprias = (
        demo.notebook({"softmax": PROPRIO}, None),
        demo.notebook({"softmax": PROPRIO.replace("somas", "s")}, None),
    )
    branco = demo.notebook({}, None)
    entregas = [
        entrega(tmp_path, "ana", proprias[0]),
        entrega(tmp_path, "bia", branco),
        entrega(tmp_path, "caio", branco),
    ]
    entregas.append(entrega(tmp_path, "mau", proprias[1], "O kernel terminou por conta própria."))
    (grupo,) = relatorio.parecidas(LISTA, Turma(tmp_path), entregas)
    assert grupo["alunos"] == ["ana", "mau"] and [len(q["lados"]) for q in grupo["questoes"]] == [2]
    modelo = pagina.ambiente().get_template("relatorio.html")
    texto = modelo.render(titulo="x", parecidas=[grupo], figuras=[])
    assert "é uma pista" in texto and "2 entregas:" in texto and not re.search(r"c[óo]pia(?!r)|plágio", texto)
    vazio = modelo.render(titulo="x", parecidas=[], figuras=[])
    assert "Nenhum grupo chamou a atenção" in vazio


def test_o_que_a_lista_e_a_aula_dao_e_conhecido():
    emitida = nbformat.read(RAIZ / "release" / LISTA / f"{LISTA}.ipynb", as_version=4)
    conhecido = relatorio.conhecido(LISTA, emitida)
    assert set(conhecido.gabarito) == set(solucoes(LISTA)) and len(conhecido.dado) > 60
    assert any("def similaridades" in c for c in conhecido.dado)  # as respostas da lista 01, que se usam de novo
    da_aula = [c for c in conhecido.dado if "import" in c or "def " in c]
    coladas = [*da_aula, *(f"%matplotlib inline\n{c}" for c in da_aula)]  # com uma linha que o Python não lê
    assert alunos({nome: Escrito(a_mais=coladas) for nome in ("ana", "bia")}, conhecido) == []


def test_de_um_codigo_enorme_so_se_le_o_comeco(monkeypatch):
    lidos: list[int] = []
    anotar = {"parse": lambda texto: lidos.append(len(texto)) or ast.parse(texto[:100])}
    monkeypatch.setattr(semelhanca, "ast", types.SimpleNamespace(**vars(ast) | anotar))
    enorme = Escrito({"f": "x = [" + "1, " * 700_000 + "]"})
    assert grupos({"ana": enorme, "bia": Escrito({"f": PROPRIO})}, Conhecido()) == []
    assert max(lidos) <= 200_000
