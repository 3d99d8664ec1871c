"""Um erro se cobra uma vez: a questão que só erra por outra, já errada, ganha os pontos, e o aluno lê por quê."""

import ast
import itertools
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import nbformat
import numpy as np
import pytest
import torch
from conftest import RAIZ, entregar, lentas, listas, questoes, solucoes
from nbgrader.api import Gradebook
from pontuar import pontua

from correcao.comum.anotacao import DEFEITO, Veredito, registro_da_correcao
from correcao.devolucao import devolver, preencher
from correcao.devolucao.relatorio import questoes as linhas_do_relatorio
from correcao.juizo import corrigir, evidencia, guardado, rejulgar, trabalho, uma_vez
from correcao.livro.turma import Turma
from gabarito.base import Resposta, buscar, conferir_dependencias
from gabarito.codigo import como_celula, emprestada
from gabarito.emprestimos import _solucao
from gabarito.pontos import conferidas
from gabarito.tabela import DeclaracaoErrada
from helpers.conferencia.atendimento import codificar_evidencia
from helpers.conferencia.comando import conferir_notebook, relatar
from helpers.conferencia.execucao import executar
from helpers.conferencia.referencia import carregar
from helpers.conferir import Conferencia, conferir

QUE_DEPENDEM = [q for q in questoes() if q.depende]
PARES = [(q, d) for q in QUE_DEPENDEM for d in q.dependencias]
SEMENTE = 20_261_117


def _ids(par):
    return "-".join(q.funcao for q in par)


def _nomes(q) -> dict:
    """O notebook da lista com as respostas do instrutor, cada função com o nome que tem nele."""
    nomes = {"__name__": "notebook-da-lista"}
    exec(_solucao(q.lista), nomes)
    return nomes


# ---------------------------------------------------------------- a declaração


def test_todas_as_listas_em_que_se_aproveita_uma_funcao_a_declaram():
    declaradas = {q.funcao: q.depende for q in QUE_DEPENDEM}
    for lista in listas():
        funcoes = {nome.partition("/")[2] for nome in conferidas(_notebook(lista))}
        for nome, texto in solucoes(lista).items():
            usadas = {no.id for no in ast.walk(ast.parse(texto)) if isinstance(no, ast.Name)} & funcoes - {nome}
            assert usadas <= set(declaradas.get(nome, [])), (lista, nome)


@cache
def _notebook(lista: str):
    return nbformat.read(RAIZ / "source" / lista / f"{lista}.ipynb", as_version=4)


@pytest.mark.parametrize("q", QUE_DEPENDEM, ids=lambda q: q.funcao)
def test_no_notebook_a_dependencia_tambem_vem_antes(q):
    lista = next(nome for nome in listas() if nome.startswith(q.lista))
    ordem = conferidas(_notebook(lista))
    assert all(ordem.index(d.nome) < ordem.index(q.nome) for d in q.dependencias)


@pytest.mark.parametrize(
    "nome, porque",
    [("inventada", "não é uma questão da lista"), ("multi_cabecas", "não vem antes"), ("juntar_cabecas", "não vem")],
)
def test_so_se_depende_do_que_vem_antes_na_lista(monkeypatch, nome, porque):
    q = buscar("lista-05/juntar_cabecas")
    monkeypatch.setattr(q, "depende", [nome])
    with pytest.raises(DeclaracaoErrada, match=porque):
        conferir_dependencias([buscar(f"lista-05/{f}") for f in ("dividir_cabecas", "juntar_cabecas", "multi_cabecas")])


def test_quem_depende_de_quem_depende_tambem_depende():
    assert [d.funcao for d in buscar("lista-07/Bloco").dependencias] == ["ffn", "layer_norm"]
    assert [d.funcao for d in buscar("lista-01/sentido").dependencias] == ["incorporar", "similaridades"]


# ---------------------------------------------------------------- o que se empresta


@pytest.mark.parametrize("d", {d.nome: d for _, d in PARES}.values(), ids=lambda d: d.funcao)
def test_a_emprestada_acerta_a_questao_dela_e_nao_mexe_em_outro_nome(d):
    nomes = {"np": "meu", "softmax": "meu", "math": "meu"}
    exec(emprestada(d), nomes)
    assert set(nomes) == {"np", "softmax", "math", "__builtins__", d.funcao}
    assert [nomes[n] for n in ("np", "softmax", "math") if n != d.funcao] == ["meu"] * (3 - (d.funcao == "softmax"))
    assert _julgar(d, nomes[d.funcao]).fracao == 1


def _julgar(q, resposta, semente=SEMENTE) -> Veredito:
    registros = executar(q.adaptar(resposta), evidencia.pedido(q, semente)["casos"], prazo_total=60.0)
    dados = {"questao": q.nome, "chamada": None, "registros": [r.como_dados() for r in registros]}
    return evidencia.julgar(q, semente, codificar_evidencia(dados))


@pytest.mark.parametrize("q", [pytest.param(q, marks=lentas(q), id=q.funcao) for q in QUE_DEPENDEM])
def test_com_as_emprestadas_a_resposta_certa_ganha_tudo(q):
    nomes = _nomes(q)
    for d in q.dependencias:
        nomes[d.funcao] = lambda *_: 1 / 0
        exec(emprestada(d), nomes)
    assert _julgar(q, nomes[q.funcao]).fracao == 1


def test_a_emprestada_aceita_tensores_e_listas_de_quem_escreveu_assim():
    nomes: dict = {}
    exec(emprestada(buscar("lista-05/juntar_cabecas")), nomes)
    H = np.arange(12.0).reshape(2, 3, 2)
    certa = nomes["juntar_cabecas"](H)
    assert torch.equal(nomes["juntar_cabecas"](torch.from_numpy(H)), torch.from_numpy(certa))
    assert np.array_equal(nomes["juntar_cabecas"](list(H)), certa)


# ---------------------------------------------------------------- `return dependencia(...)` não ganha nada


def _embrulhos(q, d):
    """Respostas que só chamam a dependência: com os argumentos em qualquer ordem, e um retoque no que ela devolve."""
    nomes: dict = {}
    exec(emprestada(d), nomes)
    certa = nomes[d.funcao]
    recebe = q.assinatura.count(",") + 1
    da = d.assinatura.count(",") + 1
    retoques = {
        "como veio": lambda y: y,
        "duas vezes": lambda y: (y, y),
        "só o primeiro": lambda y: y[0],
        "só o último": lambda y: y[-1],
        "ao contrário": lambda y: y[::-1],
        "transposta": lambda y: y.T,
        "de novo": lambda y: certa(y),
        "tudo somado": lambda y: y.sum(),
        "um int": lambda y: int(y),
    }
    for quantos in range(1, min(da, recebe) + 1):
        for escolha in itertools.permutations(range(recebe), quantos):
            for nome, retoque in retoques.items():
                yield (
                    f"{nome}, {escolha}",
                    lambda *a, escolha=escolha, retoque=retoque: retoque(certa(*(a[i] for i in escolha))),
                )
    yield "a própria", certa
    yield "o que der", lambda *a: certa(*a[:da])
    yield "primeiro argumento transposto", lambda *a: certa(a[0], np.asarray(a[0]).T)


def _modulos(q, d):
    """O mesmo, em um módulo com os submódulos do enunciado: só o `forward` é a dependência."""
    nomes: dict = {}
    exec(emprestada(d), nomes)
    certa, formas = nomes[d.funcao], []
    if q.funcao == "Bloco":
        dela = {
            "layer_norm": [lambda m, X: (X, m.norma1.weight, m.norma1.bias), lambda m, X: (X, 1.0, 0.0)],
            "ffn": [lambda m, X: (X, m.expande.weight.T, m.expande.bias, m.reduz.weight.T, m.reduz.bias)],
        }
        formas = [lambda m, X, f=f: certa(*f(m, X)) for f in dela[d.funcao]]
        formas += [lambda m, X, f=f: X + certa(*f(m, X)) for f in dela[d.funcao]]
    else:
        formas = [
            lambda m, ids, alvos=None: (certa(m.entrar(ids)), None),
            lambda m, ids, alvos=None: certa(m.entrar(ids)),
            lambda m, ids, alvos=None: (certa(m.sair(m.entrar(ids))), m.sair(m.entrar(ids)).mean()),
        ]
    for i, forma in enumerate(formas):
        yield f"forward {i}", type(q.funcao, (q.referencia,), {"forward": forma})
    yield "a própria", certa
    yield "no lugar da classe", lambda *a: certa


@pytest.mark.parametrize("par", [pytest.param(p, marks=lentas(p[0])) for p in PARES], ids=map(_ids, PARES))
def test_so_devolver_a_dependencia_nao_ganha_nada(par):
    q, d = par
    tentativas = list((_modulos if q.adaptador else _embrulhos)(q, d))
    assert [nome for nome, f in tentativas if pontua(q, f)] == []
    assert len(tentativas) >= 4


def test_a_prova_de_cima_veria_uma_dependencia_que_responde_sozinha(monkeypatch):
    d = buscar("lista-01/similaridades")
    monkeypatch.setattr(d, "referencia", buscar("lista-01/cosseno").referencia)
    q = buscar("lista-01/cosseno")
    assert "como veio, (0,)" in [nome for nome, f in _embrulhos(q, d) if pontua(q, f)]


# ---------------------------------------------------------------- quem roda outra vez


@pytest.mark.parametrize(
    "texto, sim",
    [
        ("def f(x):\n    return x", True),
        ("f = lambda x: x", True),
        ("def f(x):\n    return x +", True),
        ('def f(x):\n    """O que faz."""\n    raise NotImplementedError', False),
        ('def f(x):\n    """O que faz."""\n    pass', False),
        ("import numpy as np\n\n\ndef f(x):\n    ...", False),
        ("def f(x):\n    return None", False),
        ("# nada", False),
        ("  \n", False),
    ],
)
def test_tentar_e_escrever_alguma_coisa(texto, sim):
    assert uma_vez.tentada(nbformat.v4.new_code_cell(texto, metadata={"nbgrader": {"grade_id": "f"}})) is sim


@pytest.mark.parametrize("fundo", ["-" * 2500 + "1", "x" + ".a" * 2500, "1" + "+1" * 2500])
def test_uma_conta_funda_demais_foi_tentada_e_nao_parece_um_defeito_nosso(fundo):
    texto = f"def f(x):\n    raise ValueError({fundo})"
    assert uma_vez.tentada(nbformat.v4.new_code_cell(texto, metadata={"nbgrader": {"grade_id": "f"}}))


def test_uma_resposta_enorme_foi_tentada_e_nao_se_analisa(monkeypatch):
    """Quem corrige ocuparia quinhentas vezes o tamanho dela."""
    monkeypatch.setattr(uma_vez, "ast", None)
    texto = "x = [" + "1, " * 700_000 + "]"
    assert uma_vez.tentada(nbformat.v4.new_code_cell(texto, metadata={"nbgrader": {"grade_id": "f"}}))


def test_uma_classe_como_a_lista_a_deu_nao_foi_tentada():
    for celula in nbformat.read(RAIZ / "release/lista-07-bloco/lista-07-bloco.ipynb", 4).cells:
        if celula.metadata.get("nbgrader", {}).get("grade_id") == "Bloco":
            assert "super().__init__()" in celula.source and not uma_vez.tentada(celula)


def test_culpada_e_so_a_que_ficou_sem_os_pontos():
    antes = {q: Veredito("Errada.", "equivoco", 0.0) for q in ("l/a", "l/b", "l/c")}
    trocas = {"l/b": {"l/a": ""}, "l/c": {"l/a": "", "l/b": ""}}
    ditos = {q: {"veredito": Veredito(None, None, 1.0, [], 5).__dict__} for q in trocas}
    depois = uma_vez.revistos(antes, trocas, ditos)
    assert [(v.fracao, v.frase, v.equivoco, v.emprestadas) for v in depois.values()] == [(1.0, None, None, ["a"])] * 2


def test_quem_ganha_so_uma_parte_le_a_frase_da_primeira_vez_e_nunca_a_da_segunda():
    antes = {"l/a": Veredito("Errada."), "l/b": Veredito("A primeira frase.", None, 0.0)}
    dito = {"veredito": Veredito("def a(): o gabarito", None, 0.75, ["valores"], 5).__dict__}
    (veredito,) = uma_vez.revistos(antes, {"l/b": {"l/a": ""}}, {"l/b": dito}).values()
    assert (veredito.fracao, veredito.certas) == (0.75, ["valores"])
    assert veredito.recado == (
        "Com uma `a` certa, esta resposta acerta mais. O erro da sua já foi descontado lá, e aqui não conta. "
        "A primeira frase."
    )
    igual = {"veredito": Veredito("def a(): o gabarito", None, 0.0).__dict__}
    assert uma_vez.revistos(antes, {"l/b": {"l/a": ""}}, {"l/b": igual}) == {}


SEM_O_ERRO = "def softmax_temperatura(x, T, eixo=-1):\n    return softmax(x / np.float64(T), eixo)"
INGENUA = "def softmax(x, eixo=-1):\n    e = np.exp(x)\n    return e / e.sum(axis=eixo, keepdims=True)"


@pytest.fixture(scope="module")
def com_a_ingenua_e_com_a_certa():
    """Os dois julgamentos de uma `softmax_temperatura` que não lança ValueError, sobre uma `softmax` que dá NaN."""
    q, ditos = buscar("lista-02/softmax_temperatura"), []
    for texto, semente in ((INGENUA, SEMENTE), (emprestada(buscar("lista-02/softmax")), SEMENTE + 1)):
        nomes: dict = {"np": np}
        exec(texto, nomes)
        exec(SEM_O_ERRO, nomes)
        registros = executar(q.adaptar(nomes[q.funcao]), evidencia.pedido(q, semente)["casos"], prazo_total=60.0)
        dados = {"questao": q.nome, "chamada": None, "registros": [r.como_dados() for r in registros]}
        ditos += trabalho.julgar([(q.nome, codificar_evidencia(dados))], semente)
    return ditos


def test_o_que_se_diz_do_que_falta_e_o_que_custou_os_pontos_e_nao_o_que_nao_se_cobra(com_a_ingenua_e_com_a_certa):
    primeiro, segundo = com_a_ingenua_e_com_a_certa
    antes = {"lista-02/softmax_temperatura": Veredito.de_dados(primeiro["veredito"])}
    assert "NaN" in antes["lista-02/softmax_temperatura"].frase
    trocas = {"lista-02/softmax_temperatura": {"lista-02/softmax": ""}}
    antes["lista-02/softmax"] = Veredito("Errada.")
    revistos = uma_vez.revistos(antes, trocas, {"lista-02/softmax_temperatura": segundo})
    (veredito,) = revistos.values()
    assert veredito.fracao == 0.75 and veredito.equivoco == "aceita-T-invalido"
    assert veredito.recado == (
        "Com uma `softmax` certa, esta resposta acerta mais. O erro da sua já foi descontado lá, e aqui não conta. "
        "Com T = 0 e com T negativo sua função devolve alguma coisa. Divisão por zero não tem sentido, e um T negativo "
        "inverte a ordem das palavras: nos dois casos lance ValueError. Veja a Dica 2."
    )


def test_o_que_falta_se_diz_so_com_palavras_do_gabarito():
    q = buscar("lista-02/softmax_temperatura")
    roubada = Veredito("def softmax(): o gabarito", "inventado", 0.75, ["valores"])
    assert evidencia.o_que_resta(q, roubada) == "O que ainda falta nela: “erros”."
    assert evidencia.o_que_resta(q, Veredito(None, None, 1.0, ["valores", "erros"])) is None
    assert evidencia.o_que_resta(buscar("lista-01/similaridades"), Veredito("Errada.")) is None  # não tem partes


def test_quem_nao_ganha_nada_com_a_certa_le_tambem_o_erro_que_e_so_desta():
    antes = {"l/a": Veredito("Errada."), "l/b": Veredito("Deu NaN.", "um", 0.0)}
    dito = {"veredito": Veredito("Ignora T.", "ignora-T", 0.0).__dict__, "resta": "Divida por T."}
    (veredito,) = uma_vez.revistos(antes, {"l/b": {"l/a": ""}}, {"l/b": dito}).values()
    assert (veredito.fracao, veredito.emprestadas) == (0.0, [])
    assert veredito.recado == "Deu NaN. Mesmo com uma `a` certa, ela ainda erra. Divida por T."


# ---------------------------------------------------------------- na correção

LISTA, ID = "lista-05-multiplas-cabecas", "confere-multi_cabecas"
ERRADA = "def juntar_cabecas(H):\n    h, N, d_h = H.shape\n    return H.reshape(N, h * d_h)"
FRASE = (
    "Esta resposta está certa: com uma `juntar_cabecas` certa, ela acerta tudo. O erro da sua já foi descontado lá, e "
    "por isso você ganhou os pontos desta."
)
CURIOSA = """
import inspect, builtins
_exec, _vistos = builtins.exec, []
def _espia(*a, **k):
    _vistos.append(str(a[0]))
    return _exec(*a, **k)
builtins.exec = _espia

def multi_cabecas(X, W_Q, W_K, W_V, W_O, h):
    segredo = "ROUBADO " + " ".join(_vistos + [str(c) for c in get_ipython().user_ns["In"]])
    print(segredo)
    open("/tmp/segredo", "w").write(segredo)
    raise ValueError(segredo[:400])
print("ROUBADO", _vistos)
"""


@pytest.fixture(scope="module")
def corrigida(tmp_path_factory) -> Path:
    """Ana só erra por `juntar_cabecas`; bia erra as duas; caio deixou-a em branco; davi quer ler a certa; eva errou a
    escrita dela; e fabi acertou tudo."""
    turma, certas = tmp_path_factory.mktemp("turma"), solucoes(LISTA)
    em_branco = {nome: texto for nome, texto in certas.items() if nome != "juntar_cabecas"}
    entregar(turma, LISTA, "ana", certas | {"juntar_cabecas": ERRADA})
    sem_escala = certas["multi_cabecas"].replace("np.sqrt(Q.shape[-1])", "1.0")
    entregar(turma, LISTA, "bia", certas | {"juntar_cabecas": ERRADA, "multi_cabecas": sem_escala})
    entregar(turma, LISTA, "caio", em_branco)
    entregar(turma, LISTA, "davi", certas | {"juntar_cabecas": ERRADA, "multi_cabecas": CURIOSA})
    entregar(turma, LISTA, "eva", certas | {"juntar_cabecas": ERRADA + ")"})
    entregar(turma, LISTA, "fabi", certas)
    corrigir.corrigir(LISTA, turma)
    return turma


def _caderno(turma: Path, aluno: str) -> Path:
    return turma / "autograded" / aluno / LISTA / f"{LISTA}.ipynb"


def _vereditos(turma: Path, aluno: str) -> dict[str, Veredito]:
    anotacao = registro_da_correcao(_caderno(turma, aluno))
    assert anotacao is not None and anotacao.defeito is None
    return {q.id.removeprefix("confere-"): q.veredito for q in anotacao.questoes if q.veredito}


def _nota(turma: Path, aluno: str, id_: str = ID) -> float:
    with Gradebook(f"sqlite:///{turma / 'gradebook.db'}") as livro:
        return livro.find_grade(id_, LISTA, LISTA, aluno).score


@pytest.mark.lento
@pytest.mark.usefixtures("com_ou_sem_caixa")
class TestNaCorrecao:
    def test_quem_so_erra_por_outra_ganha_os_pontos_e_le_por_que(self, corrigida):
        for aluna in ("ana", "eva"):
            vistos = _vereditos(corrigida, aluna)
            assert (vistos["juntar_cabecas"].fracao, vistos["multi_cabecas"].fracao) == (0.0, 1.0)
            assert vistos["multi_cabecas"].recado == FRASE
            assert (_nota(corrigida, aluna), _nota(corrigida, aluna, "confere-juntar_cabecas")) == (2.0, 0.0)

    def test_quem_erra_tambem_a_propria_nao_ganha_e_le_o_erro_dela(self, corrigida):
        veredito = _vereditos(corrigida, "bia")["multi_cabecas"]
        assert veredito.fracao == 0.0 and "sem escala" in veredito.recado and _nota(corrigida, "bia") == 0.0
        assert ID in guardado.ler(corrigida, "bia", LISTA).segundas

    @pytest.mark.parametrize("aluno", ["caio", "fabi"])
    def test_sem_uma_dependencia_tentada_e_errada_nada_roda_outra_vez(self, corrigida, aluno):
        assert guardado.ler(corrigida, aluno, LISTA).segundas == {}
        assert _nota(corrigida, aluno) == (0.0 if aluno == "caio" else 2.0)

    def test_as_entradas_da_segunda_vez_sao_outras_e_sempre_as_mesmas(self, corrigida):
        guardada = guardado.ler(corrigida, "ana", LISTA)
        primeira, segunda = guardada.questoes[ID], guardada.segundas[ID]
        assert None not in (primeira.texto, segunda.texto) and primeira.texto != segunda.texto
        outra = evidencia.outra_semente(guardada.semente)
        assert outra == evidencia.outra_semente(guardada.semente) != guardada.semente
        sorteios = [trabalho.sortear(["lista-05/multi_cabecas"], s)["entradas"] for s in (guardada.semente, outra)]
        assert sorteios[0] != sorteios[1]

    def test_quem_le_a_certa_por_dentro_nao_a_leva_e_nao_ganha_nada(self, corrigida, tmp_path):
        vistos = _vereditos(corrigida, "davi")
        assert vistos["juntar_cabecas"].fracao == 0 and vistos["multi_cabecas"].fracao == 0
        guardada = guardado.ler(corrigida, "davi", LISTA)
        certa = como_celula(*(lambda q: (q, q.certas[0]))(buscar("lista-05/juntar_cabecas")))
        pedaco = "H.transpose(1, 0, 2).reshape"
        assert pedaco in certa and pedaco in guardada.segundas[ID].texto  # leu: está na evidência, que ninguém recebe
        devolver.devolver(LISTA, Turma(corrigida))
        pagina = (corrigida / "feedback" / "davi" / LISTA / f"{LISTA}.html").read_text(encoding="utf-8")
        for texto in (_caderno(corrigida, "davi").read_text(encoding="utf-8"), pagina):
            assert "ROUBADO" in texto and pedaco not in texto

    def test_a_devolutiva_as_notas_e_o_relatorio_contam_o_que_houve(self, corrigida):
        turma = Turma(corrigida)
        devolver.devolver(LISTA, turma)
        pagina = (corrigida / "feedback" / "ana" / LISTA / f"{LISTA}.html").read_text(encoding="utf-8")
        assert FRASE.replace("`juntar_cabecas`", "<code>juntar_cabecas</code>") in pagina
        assert FRASE in preencher.comentario(turma.entrega(LISTA, "ana"))
        linha = next(q for q in linhas_do_relatorio(turma.entregas(LISTA)) if "multi_cabecas" in q["titulo"])
        assert "(2 só erram por outra questão)" in linha["titulo"] and linha["acerto"] == "50%"
        saida = next(c for c in nbformat.read(_caderno(corrigida, "ana"), 4).cells if _id(c) == ID).outputs
        assert len(saida) == 1 and FRASE in saida[0].text and saida[0].text.startswith("✓ multi_cabecas")

    def test_pelo_nbgrader_o_veredito_e_o_mesmo(self, corrigida, tmp_path):
        turma = tmp_path / "turma"
        for aluna in ("ana", "bia"):
            shutil.copytree(corrigida / "submitted" / aluna, turma / "submitted" / aluna)
        feito = subprocess.run(
            [sys.executable, "-m", "nbgrader", "autograde", LISTA],
            cwd=RAIZ, env=os.environ | {"CURSO_TURMA": str(turma)}, capture_output=True, text=True,
        )  # fmt: skip
        assert feito.returncode == 0, feito.stderr[-3000:]
        for aluna in ("ana", "bia"):
            assert _vereditos(turma, aluna) == _vereditos(corrigida, aluna)
            assert _nota(turma, aluna) == _nota(corrigida, aluna)

    def test_julgada_de_novo_a_questao_fica_como_esta_e_nada_roda(self, corrigida, monkeypatch):
        monkeypatch.setattr(trabalho, "executar", lambda *_: pytest.fail("o código do aluno rodou"))
        revisoes, _ = rejulgar.rejulgar(LISTA, "multi_cabecas", corrigida, ["ana", "bia", "fabi"])
        assert [(r.problema, r.veredito, r.guardada) for r in revisoes] == [(None, None, None)] * 3

    def test_mudada_a_certa_que_se_empresta_a_segunda_evidencia_e_feita_de_novo(self, corrigida, monkeypatch):
        q = buscar("lista-05/juntar_cabecas")
        monkeypatch.setattr(q, "referencia", _juntar_de_outro_jeito)
        trabalho._emprestada.cache_clear()
        try:
            (ana,), _ = rejulgar.rejulgar(LISTA, "multi_cabecas", corrigida, ["ana"])
        finally:
            trabalho._emprestada.cache_clear()
        assert ana.problema is None and ana.veredito is None and ana.depois == 2.0
        antes = guardado.ler(corrigida, "ana", LISTA).segundas[ID]
        assert ana.guardada.segundas[ID].entradas != antes.entradas

    def test_um_defeito_na_segunda_vez_e_nosso_e_a_proxima_correcao_o_refaz(self, corrigida, tmp_path, monkeypatch):
        turma = tmp_path / "turma"
        shutil.copytree(corrigida / "submitted" / "ana", turma / "submitted" / "ana")
        with monkeypatch.context() as troca:
            troca.setattr(uma_vez, "rodar", lambda *_: 1 / 0)
            (situacao,) = corrigir.corrigir(LISTA, turma)
        anotacao = registro_da_correcao(_caderno(turma, "ana"))
        assert situacao.motivo == DEFEITO and "ZeroDivisionError" in anotacao.defeito
        assert next(q.veredito.frase for q in anotacao.questoes if q.id == ID) == DEFEITO
        corrigir.corrigir(LISTA, turma)
        assert _vereditos(turma, "ana")["multi_cabecas"].recado == FRASE

    def test_em_uma_fila_de_dependencias_so_a_primeira_errada_paga(self, tmp_path):
        lista, turma = "lista-02-softmax", tmp_path / "turma"  # empilhar usa autoatencao_simples, que usa softmax
        errada = "def softmax(x, eixo=-1):\n    return np.exp(x) / np.exp(x).sum()"
        entregar(turma, lista, "ana", solucoes(lista) | {"softmax": errada})
        corrigir.corrigir(lista, turma)
        anotacao = registro_da_correcao(turma / "autograded" / "ana" / lista / f"{lista}.ipynb")
        vistos = {q.id.removeprefix("confere-"): q.veredito for q in anotacao.questoes if q.veredito}
        assert {nome for nome, v in vistos.items() if v.fracao < 1} == {"softmax"}
        com_a_da_ana = {nome: v.emprestadas for nome, v in vistos.items() if v.emprestadas}
        assert {"autoatencao_simples", "empilhar"} <= set(com_a_da_ana)
        assert set(map(tuple, com_a_da_ana.values())) == {("softmax",)}


def _id(celula) -> str | None:
    return celula.metadata.get("nbgrader", {}).get("grade_id")


def _juntar_de_outro_jeito(H):
    return np.concatenate(list(H), axis=1)


# ---------------------------------------------------------------- na conferência e no botão Validar

COM_TABELA = [(q, d) for q, d in PARES if carregar(q.nome).emprestimos.get(d.funcao)]


def test_toda_questao_que_nao_e_um_modulo_tem_o_que_emprestar_na_conferencia():
    assert {q.funcao for q in QUE_DEPENDEM if not q.adaptador} == {q.funcao for q, _ in COM_TABELA}


def _com_equivoco(q, d, equivoco: Resposta) -> dict:
    nomes = _nomes(q)
    exec(como_celula(d, equivoco), solta := dict(nomes))
    nomes[d.funcao] = solta[d.funcao]
    return nomes


def _erra(nome: str, resposta) -> str | None:
    try:
        conferir(nome, resposta)
    except Conferencia as dito:
        return str(dito)
    return None


@pytest.mark.parametrize("par", COM_TABELA, ids=map(_ids, COM_TABELA))
def test_na_conferencia_a_resposta_certa_passa_com_qualquer_erro_da_dependencia(par):
    q, d = par
    for equivoco in d.equivocos[:4]:
        nomes = _com_equivoco(q, d, equivoco)
        do_aluno = nomes[d.funcao]
        assert _erra(d.nome, do_aluno) is not None
        assert _erra(q.nome, nomes[q.funcao]) is None, equivoco.nome
        assert nomes[d.funcao] is do_aluno  # volta ao lugar


def test_na_conferencia_quem_erra_a_propria_continua_a_errar():
    q, d = buscar("lista-05/multi_cabecas"), buscar("lista-05/juntar_cabecas")
    nomes = _com_equivoco(q, d, d.equivocos[0])
    exec(solucoes(LISTA)["multi_cabecas"].replace("@ W_O, A", "@ W_O.T, A"), nomes)
    frase = _erra(q.nome, nomes["multi_cabecas"])
    assert frase is not None and "também está errada" not in frase  # aqui se sabe: com a certa, ela erra


def test_na_conferencia_se_nao_da_para_saber_se_diz_o_que_fazer_e_o_que_vai_acontecer():
    q, d = buscar("lista-05/multi_cabecas"), buscar("lista-05/juntar_cabecas")
    nomes = _com_equivoco(q, d, d.equivocos[0])
    exec(solucoes(LISTA)["multi_cabecas"].replace("juntar_cabecas(A @ V)", "juntar_cabecas(2 * A @ V) / 2"), nomes)
    assert _erra(q.nome, nomes["multi_cabecas"]).endswith(
        "também está errada: conserte-a antes. Se o erro é só dela, esta questão ganha os pontos."
    )


def test_na_conferencia_uma_dependencia_por_escrever_nao_se_empresta():
    q = buscar("lista-05/multi_cabecas")
    nomes = _nomes(q)
    exec("def juntar_cabecas(H):\n    raise NotImplementedError", nomes)
    assert "que ainda não foi escrita" in _erra(q.nome, nomes["multi_cabecas"])


def test_quem_nao_chega_a_entrada_certa_nao_le_a_saida():
    from helpers.conferencia.emprestimo import Emprestada, NaoHa

    q, d = buscar("lista-05/multi_cabecas"), buscar("lista-05/juntar_cabecas")
    tabela = carregar(q.nome).emprestimos["juntar_cabecas"]
    com_ela = Emprestada(d.assinatura, tabela)
    with pytest.raises(NaoHa):
        com_ela(np.ones((2, 3, 2)))
    assert com_ela.faltou and not any("." in trancada or "valores" in trancada for trancada in tabela.values())


@pytest.mark.lento
def test_o_botao_validar_mostra_o_mesmo_que_a_correcao(tmp_path):
    caminho = entregar(tmp_path, LISTA, "ana", solucoes(LISTA) | {"juntar_cabecas": ERRADA})
    destino = shutil.copy(caminho, tmp_path / f"{LISTA}.ipynb")
    situacoes = {s.nome: s for s in conferir_notebook(Path(destino))}
    assert (situacoes["juntar_cabecas"].certa, situacoes["multi_cabecas"].certa) == (False, True)
    assert situacoes["multi_cabecas"].recado == (
        "Esta resposta está certa: com uma `juntar_cabecas` certa, ela acerta tudo. O erro da sua só conta na "
        "outra questão."
    )
    assert "✓ multi_cabecas (2 pontos): Esta resposta está certa" in relatar(list(situacoes.values()))


def test_as_referencias_dizem_de_que_cada_questao_depende():
    assert {q.nome: carregar(q.nome).depende for q in QUE_DEPENDEM} == {
        q.nome: [d.funcao for d in q.dependencias] for q in QUE_DEPENDEM
    }
