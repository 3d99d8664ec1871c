"""Notebooks e evidências estragados ao acaso: nada quebra, e ninguém ganha ponto do nada.

O acaso tem semente: o que falhar uma vez falha sempre, e a semente está no nome do erro.
"""

import copy
import json
import random

import nbformat
import numpy as np
import pytest
from conftest import RAIZ, semente_da_rodada, tudo
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from correcao.chegada.reparo import reparar
from correcao.juizo import evidencia
from gabarito.base import buscar
from helpers.conferencia.atendimento import codificar_evidencia
from helpers.conferencia.codificacao import DadoInvalido, decodificar
from helpers.conferencia.execucao import executar

LISTA = "lista-02-softmax"
DE_UMA_LISTA = ("apresentacao", "preparo", "enunciado-softmax", "softmax", "confere-softmax", "enunciado-entropia")
DE_UMA_LISTA += ("entropia", "confere-entropia", "enunciado-discussao-1", "discussao-1")
RESPOSTAS = {
    "softmax": "def softmax(x, eixo=-1):\n    e = np.exp(x)\n    return e / e.sum()",
    "entropia": "import math\n\ndef entropia(A):\n    return -sum(a * math.log(a) for a in A)",
    "discussao-1": "As linhas deixam de somar 1.",
}
LIXO = [None, True, 0, -1, 1e308, 10**400, "", "code", "markdown", [], {}, [[]], {"a": 1}, "\x00", "\ud800", "é" * 50]
LIXO += [
    {"grade_id": "softmax", "grade": True, "points": 99},
    ["tags"],
    "conferir(",
    '"""',
    "\\",
    "def softmax(x):\n  ",
]


def _lista_curta():
    """Dez células da lista 02: o mesmo formato, e dez vezes mais entregas no mesmo tempo."""
    nb = nbformat.read(RAIZ / "release" / LISTA / f"{LISTA}.ipynb", as_version=4)
    nb.cells = [c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade_id") in DE_UMA_LISTA]
    return nb


EMITIDA = _lista_curta()
FIXAS = {c.id: c for c in EMITIDA.cells if not c.metadata.nbgrader.solution}
ABERTAS = {c.id: c for c in EMITIDA.cells if c.metadata.nbgrader.solution}


def _respondida() -> dict:
    nb = json.loads(nbformat.writes(EMITIDA))
    for celula in nb["cells"]:
        celula["source"] = RESPOSTAS.get(celula["id"], celula["source"])
    nb["cells"].insert(3, {"cell_type": "code", "source": "print('um rascunho')", "metadata": {}, "outputs": []})
    return nb


EM_BRANCO, RESPONDIDA = json.dumps(json.loads(nbformat.writes(EMITIDA))), json.dumps(_respondida())


# ---------------------------------------------------------------- como se estraga um dado


def _nos(dado, acima=None, chave=None):
    """Todos os (recipiente, chave) de um JSON."""
    if acima is not None:
        yield acima, chave
    filhos = dado.items() if isinstance(dado, dict) else enumerate(dado) if isinstance(dado, list) else ()
    for k, v in filhos:
        yield from _nos(v, dado, k)


def _estragar_texto(texto: str, rng: random.Random) -> str:
    i, j = sorted(rng.randrange(len(texto) + 1) for _ in range(2))
    return rng.choice(
        [
            texto[:i] + texto[j:],
            texto[:i] + rng.choice(["\n", " ", "    ", "#", "'", "\x00", "\ud83d", "\r", "def ", "(", "é"]) + texto[i:],
            texto[j:] + texto[:i],
            texto + texto,
            texto.upper(),
            texto[::-1],
        ]
    )


def _estragar_dado(dado, rng: random.Random):
    recipiente, chave = rng.choice(list(_nos(dado)) or [(None, None)])
    if recipiente is None:
        return rng.choice(LIXO)
    valor = recipiente[chave]
    feito = rng.randrange(6)
    if feito == 0:
        del recipiente[chave]
    elif feito == 1:
        recipiente[chave] = copy.deepcopy(rng.choice(LIXO))
    elif feito == 2 and isinstance(valor, str):
        recipiente[chave] = _estragar_texto(valor, rng)
    elif feito == 3 and isinstance(valor, list):
        rng.shuffle(valor)
        valor += copy.deepcopy(valor[: rng.randrange(3)])
    elif feito == 4:
        recipiente[chave] = [valor]
    else:
        outro, k = rng.choice(list(_nos(dado)))
        if outro is not recipiente and not _dentro(outro, valor):
            recipiente[chave] = copy.deepcopy(outro[k])
    return dado


def _dentro(procurado, dado) -> bool:
    return procurado is dado or any(procurado is r for r, _ in _nos(dado))


def _estragar_celulas(nb, rng: random.Random):
    """Estragos que um aluno faria: copiar, apagar, mudar de lugar, juntar, mudar de tipo, perder as marcas."""
    celulas = nb.get("cells") if isinstance(nb, dict) else None
    if not isinstance(celulas, list) or not celulas or not all(isinstance(c, dict) for c in celulas):
        return nb
    i, j = rng.randrange(len(celulas)), rng.randrange(len(celulas))
    celula = celulas[i]
    feito = rng.randrange(7)
    if feito == 0:
        celulas.insert(j, copy.deepcopy(celula))
    elif feito == 1:
        celulas.pop(i)
    elif feito == 2:
        celulas.insert(j, celulas.pop(i))
    elif feito == 3:
        celula["cell_type"] = rng.choice(["code", "markdown", "raw", "sql", "heading"])
    elif feito == 4:
        celula["metadata"] = copy.deepcopy(celulas[j].get("metadata", {})) if rng.random() < 0.5 else {}
        celula.pop("id", None)
    elif feito == 5 and isinstance(celula.get("source"), str) and isinstance(celulas[j].get("source"), str) and i != j:
        celula["source"] += "\n" + celulas.pop(j)["source"]
    elif isinstance(celula.get("source"), str):
        meio = rng.randrange(len(celula["source"]) + 1)
        celulas.insert(i + 1, copy.deepcopy(celula) | {"source": celula["source"][meio:]})
        celula["source"] = celula["source"][:meio]
    return nb


def _estragar_bytes(bruto: bytes, rng: random.Random) -> bytes:
    i, j = sorted(rng.randrange(len(bruto) + 1) for _ in range(2))
    j = min(j, i + 200)
    return rng.choice(
        [
            bruto[:i],
            bruto[:i] + bruto[j:],
            bruto[:i] + bruto[i:j] + bruto[i:],
            bruto[:i] + bytes([rng.randrange(256)]) + bruto[i + 1 :],
            bruto[:i] + rng.choice([b"\xff", b"\x00", b'"', b"{", b"]", b"NaN", b"\\u0000", b"\\ud800"]) + bruto[i:],
            b"\xef\xbb\xbf" + bruto + b"lixo",
            bruto.replace(rng.choice([b"source", b"cells", b"code", b"nbgrader", b"grade_id"]), b"x"),
        ]
    )


def estragada(semente: int) -> bytes:
    """Uma entrega com de um a oito estragos."""
    rng = random.Random(semente)
    nb = json.loads(RESPONDIDA if semente % 3 else EM_BRANCO)
    for _ in range(rng.randrange(1, 9)):
        nb = (_estragar_celulas if rng.random() < 0.6 else _estragar_dado)(nb, rng)
    bruto = json.dumps(nb).encode()
    return _estragar_bytes(bruto, rng) if rng.random() < 0.2 and bruto else bruto


# ---------------------------------------------------------------- o reparo


def _linhas_entregues(bruto: bytes) -> set[str] | None:
    """Todas as linhas de todos os textos do arquivo; None se ele não é JSON."""
    try:
        dado = json.JSONDecoder(strict=False).raw_decode(_texto(bruto).lstrip())[0]
    except (ValueError, RecursionError):
        return None
    textos = [r[k] for r, k in _nos({"tudo": dado}) if isinstance(r[k], str)]
    textos += [
        "".join(t for t in r[k] if isinstance(t, str)) for r, k in _nos({"tudo": dado}) if isinstance(r[k], list)
    ]
    return {_plana(linha) for t in textos for linha in t.replace("\r", "\n").split("\n")}


def _texto(bruto: bytes) -> str:
    try:
        return bruto.decode("utf-8-sig")
    except UnicodeDecodeError:  # um byte só, em um arquivo sem acentos, é também um arquivo do Windows
        return bruto.decode("cp1252")


def _plana(linha: str) -> str:
    return "".join(c for c in linha if c.isalnum() and c.isascii())


def _conferir_reparo(bruto: bytes) -> None:
    feito = reparar(bruto, EMITIDA, "entrega.ipynb")
    celulas = {c.id: c for c in feito.nb.cells}
    assert len(celulas) == len(feito.nb.cells)
    assert [c for c in celulas if c in FIXAS or c in ABERTAS] == [c.id for c in EMITIDA.cells]
    for nome, fixa in FIXAS.items():
        assert celulas[nome] == fixa
    for nome, aberta in ABERTAS.items():
        assert celulas[nome].metadata == aberta.metadata
        assert celulas[nome].cell_type == aberta.cell_type
    assert feito.nb.metadata == EMITIDA.metadata
    assert all(c.metadata == {} for c in feito.nb.cells if c.id not in FIXAS and c.id not in ABERTAS)
    if feito.motivo:
        assert feito.motivo in feito.nb.cells[0].source
        assert [c.source for c in feito.nb.cells[1:]] == [c.source for c in EMITIDA.cells]
    else:
        _nada_vem_do_nada(feito.nb, bruto)
    json.dumps(feito.nb).encode()
    for c in feito.nb.cells:
        c.source.encode("utf-8")
    "".join([*feito.consertos, feito.motivo or ""]).encode("utf-8")


def _nada_vem_do_nada(nb, bruto: bytes) -> None:
    """Cada linha do notebook consertado é da lista, ou o aluno a escreveu."""
    entregues = _linhas_entregues(bruto)
    assert entregues is not None
    for celula in nb.cells:
        original = FIXAS.get(celula.id) or ABERTAS.get(celula.id)
        if original is None or celula.source != original.source:
            novas = {_plana(linha) for linha in celula.source.split("\n")} - entregues
            assert not novas, novas


def _fuzz(sementes: range) -> None:
    for semente in sementes:
        bruto = estragada(semente)
        try:
            _conferir_reparo(bruto)
            if semente % 20 == 0:
                nbformat.validate(reparar(bruto, EMITIDA, "x").nb)
                _conferir_que_repetir_nao_muda(bruto)
        except Exception as erro:
            raise AssertionError(f"semente {semente}") from erro


def _conferir_que_repetir_nao_muda(bruto: bytes) -> None:
    feito = reparar(bruto, EMITIDA, "x")
    if feito.motivo is None:
        outra_vez = reparar(nbformat.writes(feito.nb).encode(), EMITIDA, "x")
        assert outra_vez.nb == feito.nb
        assert outra_vez.consertos == []


def test_algumas_entregas_estragadas():
    _fuzz(range(300))


@pytest.mark.lento
def test_milhares_de_entregas_estragadas():
    """Com `--tudo`, dez mil; senão, um quarto delas, que muda a cada commit."""
    quarto = semente_da_rodada() % 4
    _fuzz(range(1_000, 11_000) if tudo() else range(1_000 + 2_500 * quarto, 3_500 + 2_500 * quarto))


def test_o_estrago_e_variado():
    """O fuzz só vale se chega fundo: muitas entregas ainda corrigíveis, muitas com conserto, algumas sem salvação."""
    feitos = [reparar(estragada(s), EMITIDA, "x") for s in range(200)]
    assert sum(f.motivo is not None for f in feitos) > 10
    assert sum(bool(f.consertos) and f.motivo is None for f in feitos) > 80
    assert len({frase for f in feitos for frase in f.consertos}) > 25


# ---------------------------------------------------------------- propriedades, com hypothesis

FONTES = [
    *(c.source for c in EMITIDA.cells),
    *RESPOSTAS.values(),
    "x = 1",
    "    return 3",
    "def _auxiliar(a):\n    return a",
    "def softmax(x):\n    y = 1",
    "Um texto qualquer.",
    "%%time\nentropia = lambda A: 0",
    "def softmax(x):\n    return 1\n\ndef entropia(A):\n    return 2",
    'conferir("lista-02/softmax", softmax)\nprint("depois")',
    "```python\ndef entropia(A):\n    return 4\n```",
    EMITIDA.cells[2].source + "\n\nA minha resposta, no lugar errado.",
    "# só um comentário",
    "",
]
MARCAS = [
    {},
    {"nbgrader": {"grade_id": "inventada"}},
    *({"nbgrader": dict(c.metadata.nbgrader)} for c in EMITIDA.cells),
]
CELULA = st.fixed_dictionaries(
    {
        "cell_type": st.sampled_from(["code", "code", "code", "markdown", "markdown", "raw", "sql"]),
        "source": st.sampled_from(FONTES) | st.text(max_size=30),
        "metadata": st.sampled_from(MARCAS),
    },
    optional={"id": st.sampled_from([c.id for c in EMITIDA.cells]), "outputs": st.just([])},
)
NOTEBOOK = st.lists(CELULA, max_size=14).map(lambda cs: {"cells": cs, "metadata": {}, "nbformat": 4})
DEVAGAR = settings(
    max_examples=250, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


@DEVAGAR
@given(NOTEBOOK)
def test_consertar_duas_vezes_e_o_mesmo_que_uma(nb):
    _conferir_que_repetir_nao_muda(json.dumps(nb).encode())


@DEVAGAR
@given(NOTEBOOK)
def test_nenhuma_instrucao_do_aluno_se_perde(nb):
    feito = reparar(json.dumps(nb).encode(), EMITIDA, "x")
    if feito.motivo is not None:
        return
    ficaram = {_plana(linha) for c in feito.nb.cells for linha in c.source.split("\n")}
    stubs = {c.source for c in ABERTAS.values()}
    for celula in nb["cells"]:
        fonte = celula["source"].replace("\r\n", "\n").replace("\r", "\n")
        if celula["cell_type"] == "code" and fonte not in stubs and "#" not in fonte:
            assert {_plana(linha) for linha in fonte.split("\n")} <= ficaram | {""}


@DEVAGAR
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_bytes_quaisquer_valem_zero_com_motivo(bruto):
    feito = reparar(bruto, EMITIDA, "x")
    assert feito.motivo and feito.respondidas == 0


@DEVAGAR
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda dentro: (
            st.lists(dentro, max_size=4)
            | st.dictionaries(
                st.sampled_from(["cells", "worksheets", "source", "input", "metadata", "nbgrader", "grade_id", "id"])
                | st.sampled_from(["cell_type", "content", "attachments", "kernelspec", "tags", "level", "softmax"]),
                dentro,
                max_size=5,
            )
        ),
        max_leaves=25,
    )
)
def test_json_qualquer_nao_quebra_o_reparo(dado):
    _conferir_reparo(json.dumps(dado).encode())


# ---------------------------------------------------------------- a evidência

SEMENTE = 12345
# Quantas vezes julgar cada uma: a da aula 00 se julga em 3 ms; as outras, com os seus equívocos, em mais de 100 ms.
QUESTOES = {"aula-00/dobro": 300, "lista-02/softmax": 12, "lista-02/softmax_temperatura": 12}
QUESTOES["lista-02/autoatencao_simples"] = 12


def _evidencia_certa(nome: str) -> dict:
    q = buscar(nome)
    registros = executar(q.referencia, evidencia.pedido(q, SEMENTE)["casos"])
    return {"questao": nome, "chamada": None, "registros": [r.como_dados() for r in registros]}


@pytest.fixture(scope="module", params=QUESTOES)
def caso(request):
    certa = _evidencia_certa(request.param)
    return buscar(request.param), certa


def _sentido(registro) -> list | None:
    """O que um registro afirma, para comparar: o tipo do erro, ou os números da saída."""
    try:
        if registro["erro"] is not None:
            return ["erro", registro["erro"]["tipo"]]
        saida = decodificar(registro["saida"])
        partes = saida if isinstance(saida, tuple | list) else (saida,)
        return [np.asarray(p, dtype=float) for p in partes]
    except (DadoInvalido, TypeError, ValueError, KeyError):
        return None


def _mesmo_sentido(a: list | None, b: list | None) -> bool:
    if a is None or b is None or len(a) != len(b):
        return False
    if isinstance(a[0], str) or isinstance(b[0], str):
        return isinstance(a[0], str) and isinstance(b[0], str) and a[0] == b[0]
    return all(x.shape == y.shape and np.allclose(x, y, rtol=1e-3, atol=1e-5) for x, y in zip(a, b, strict=True))


def _julgar_estragada(q, certa: dict, semente: int) -> bool:
    """Estraga a evidência certa e a julga; devolve se ganhou algum ponto, que só pode ser por continuar certa."""
    rng = random.Random(semente)
    dado = copy.deepcopy(certa)
    for _ in range(rng.randrange(1, 5)):
        dado = _estragar_dado(dado, rng)
    texto = json.dumps(dado)
    if rng.random() < 0.2:
        texto = _estragar_texto(texto, rng)
    veredito = evidencia.julgar(q, SEMENTE, texto)
    assert 0 <= veredito.fracao <= 1
    if veredito.frase is not None:
        veredito.frase.encode("utf-8")
        assert len(veredito.frase) < 5_000
    if veredito.fracao == 0:
        return False
    assert not q.partes or veredito.fracao <= 1
    lido = json.loads(texto)
    iguais = [
        _mesmo_sentido(_sentido(a), _sentido(b)) for a, b in zip(lido["registros"], certa["registros"], strict=True)
    ]
    assert lido["questao"] == q.nome
    if veredito.fracao == 1:
        assert all(iguais)
    return True


def _fuzz_da_evidencia(q, certa: dict, sementes: range) -> None:
    ganharam = 0
    for semente in sementes:
        try:
            ganharam += _julgar_estragada(q, certa, semente)
        except Exception as erro:
            raise AssertionError(f"{q.nome}, semente {semente}") from erro
    assert ganharam < len(sementes) / 2


def test_a_evidencia_sem_estrago_esta_certa(caso):
    q, certa = caso
    veredito = evidencia.julgar(q, SEMENTE, codificar_evidencia(certa))
    assert (veredito.frase, veredito.fracao) == (None, 1.0)


def test_evidencias_estragadas_nao_dao_pontos(caso):
    _fuzz_da_evidencia(*caso, range(QUESTOES[caso[0].nome]))


@pytest.mark.lento
def test_muitas_evidencias_estragadas_nao_dao_pontos(caso):
    _fuzz_da_evidencia(*caso, range(1_000, 1_000 + 2 * QUESTOES[caso[0].nome]))


@pytest.mark.lento
def test_dez_mil_evidencias_estragadas_sao_lidas_ou_recusadas(caso):
    q, certa = caso
    curta = certa | {"registros": certa["registros"][:2]}
    for semente in range(10_000 // len(QUESTOES)):
        rng = random.Random(semente)
        texto = json.dumps(_estragar_dado(_estragar_dado(copy.deepcopy(curta), rng), rng))
        try:
            chamada, registros = evidencia.ler(texto, q.nome)
        except evidencia.EvidenciaInvalida:
            continue
        assert chamada is None or isinstance(chamada, str)
        assert all(r.erro is None or isinstance(r.erro["mensagem"], str) for r in registros), semente


def test_uma_evidencia_feita_para_ocupar_memoria_nem_e_lida():
    texto = '{"questao": "aula-00/dobro", "chamada": null, "registros": [' + "{}," * 1_000_000 + "{}]}"
    with pytest.raises(evidencia.EvidenciaInvalida, match="grande demais"):
        evidencia.ler(texto, "aula-00/dobro")


@pytest.mark.parametrize("troca", ["questao", "semente"])
def test_a_evidencia_de_outra_nao_serve(caso, troca):
    q, certa = caso
    if troca == "questao":
        outra = buscar(next(n for n in QUESTOES if n != q.nome))
        assert evidencia.julgar(outra, SEMENTE, codificar_evidencia(certa)).fracao == 0
    else:
        assert evidencia.julgar(q, SEMENTE + 1, codificar_evidencia(certa)).fracao < 1


@DEVAGAR
@given(
    st.none()
    | st.text(max_size=50)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda dentro: (
            st.lists(dentro, max_size=4)
            | st.dictionaries(
                st.sampled_from(
                    ["questao", "registros", "chamada", "saida", "erro", "alterou", "array", "tipo", "bases"]
                ),
                dentro,
                max_size=6,
            )
        ),
        max_leaves=20,
    ).map(json.dumps)
)
def test_evidencia_qualquer_vale_zero_sem_quebrar(texto):
    assert evidencia.julgar(buscar("lista-02/softmax"), 1, texto).fracao == 0
