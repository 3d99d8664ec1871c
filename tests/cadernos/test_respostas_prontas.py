"""Nada do que vai para o aluno é a resposta de uma questão: nem helpers/, nem as células de preparo das listas.

Cada coisa que se pode chamar é tentada em cada questão; e também o que um aluno faria em um minuto com as mais
próximas: um embrulho de uma linha.
"""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import nbformat
import numpy as np
import pytest
import torch
from conftest import RAIZ, listas, questoes
from pontuar import cabe, pontua, sem_rede_nem_programas, visivel  # noqa: F401

import helpers
from correcao.caixa import a_vista
from gabarito.base import Questao, buscar
from helpers import contagem, copia, corpus, gpt, misturas, treino
from helpers.autoria import origem
from helpers.conferencia.execucao import executar
from helpers.conferencia.juiz import Juiz
from helpers.conferencia.pecas import Funcao, lista_04, lista_06, lista_10, peca
from helpers.llm_comum import Percurso

# ------------------------------------------------------------ o que vai para o aluno


def _publicos(dono: Any, onde: str) -> dict[str, Any]:
    """As funções, as classes e os métodos do curso que `dono` mostra: os dele e os que ele importou."""
    todos = {nome: getattr(dono, nome) for nome in vars(dono) if not nome.startswith("_")}
    daqui = {n: o for n, o in todos.items() if str(getattr(o, "__module__", "")).startswith("helpers")}
    return {f"{onde}.{nome}": o for nome, o in daqui.items() if callable(o)}


def _objetos() -> list[Any]:
    """Um objeto de cada classe que se constrói sem baixar nada."""
    bloco = {"d": 4, "cabecas": 2, "bloco": 6, "dropout": 0.0}
    return [
        contagem.NGramas(torch.tensor([1, 2, 0, 1, 1, 3, 2, 1]), 5, 3),
        corpus.Corpus("um texto", "abracadabra!"),
        gpt.GPT(5, 6, 4, 1, 2),
        gpt.Camada(4, gpt.Atencao(**bloco), 0.0),
        *(mistura(**bloco) for mistura in misturas.MISTURAS.values() if mistura is not None),
        copia.Tarefa(),
        treino.Receita(),
        Percurso(),
        Percurso(guardar=True),
    ]


def de_helpers() -> dict[str, Callable]:
    """Nome → o que se pode chamar em helpers/, cada coisa uma vez."""
    achados: dict[str, Any] = {}
    for m in pkgutil.walk_packages(helpers.__path__, "helpers."):
        achados |= _publicos(importlib.import_module(m.name), m.name)
    for nome, classe in list(achados.items()):
        for ancestral in classe.__mro__ if inspect.isclass(classe) else ():
            achados |= _publicos(ancestral, nome) if ancestral.__module__.startswith("helpers") else {}
    unicos = {id(o): (nome, o) for nome, o in reversed(achados.items())}
    prontos = dict(unicos.values())
    for objeto in _objetos():
        nome = f"um {type(objeto).__name__}"
        metodos = {n.rpartition(".")[2] for c in type(objeto).__mro__ for n in _publicos(c, "")}
        prontos |= {f"{nome}.{metodo}": getattr(objeto, metodo) for metodo in metodos}
        prontos |= {nome: objeto} if callable(objeto) else {}
    return prontos


def das_pecas() -> dict[str, Callable]:
    """As funções e os modelos que as questões entregam à resposta, com os parâmetros com que os entregam."""
    return {
        f"{e.nome}({i}) de {q.nome}": peca(e.nome)(**e.parametros)
        for q in questoes()
        for i, c in enumerate([*q.casos, *q.casos_ocultos(0)])
        for e in c.entradas
        if isinstance(e, Funcao)
    }


def do_preparo(lista: str) -> dict[str, Callable]:
    """As funções e as classes das células que a lista traz prontas."""
    nb = nbformat.read(RAIZ / "release" / lista / f"{lista}.ipynb", as_version=4)
    prontas = [
        c for c in nb.cells if c.cell_type == "code" and c.metadata.get("nbgrader", {}).get("grade_id") == "preparo"
    ]
    nomes: dict[str, Any] = {"__name__": lista}
    exec("\n".join(c.source for c in prontas), nomes)
    return {f"{lista}, {nome}": o for nome, o in nomes.items() if getattr(o, "__module__", None) == lista}


def fora_da_caixa(nome: str, q: Questao) -> bool:
    """Um substituto pode ser uma resposta (helpers/substitutos), mas a caixa que corrige essa lista não o tem."""
    achado = re.match(r"helpers\.substitutos\.(lista_\d\d)\.", nome)
    return achado is not None and achado[1].replace("_", "-") not in a_vista.usadas(q.lista)


def test_nada_do_que_vai_para_o_aluno_e_a_resposta_de_uma_questao():
    todas, prontos = questoes(), de_helpers() | das_pecas()
    for lista in listas():
        prontos |= do_preparo(lista)
    pares = [(nome, f, q) for nome, f in prontos.items() for q in todas if cabe(q, f)]
    certas = [f"{nome} responde {q.nome}" for nome, f, q in pares if not fora_da_caixa(nome, q) and pontua(q, f)]
    print(f"{len(prontos)} funções, classes e métodos em {len(todas)} questões: {len(pares)} pares tentados")
    assert certas == []
    assert len(prontos) > 300 and len(pares) > 5000, "a busca deixou de achar o que tentar"


# ------------------------------------------------------------ o que se faz com elas em uma linha


def _percurso(q, k, v, mascara):
    percurso = Percurso(guardar=True)
    return percurso.atender(0, q, k, v, mascara), (percurso.pesos or percurso.entregues)[0]


def _gerar(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Um texto de cada vez, com um corpus que não traduz nada e uma semente tirada do gerador."""
    semente = int(torch.randint(10**6, (), generator=gerador))
    linhas = [SimpleNamespace(codificar=lambda _, linha=linha: linha, decodificar=lambda x: x) for linha in ids]
    return torch.stack([gpt.gerar(modelo, c, "", n, temperatura, top_k, semente + i) for i, c in enumerate(linhas)])


def _prever(dados, V, n):
    grama = contagem.NGramas(dados, V, n)
    todos = torch.arange(V)[:, None]

    def prever(ids):
        x = ids.expand(V, -1)
        return torch.from_numpy(grama.probabilidades(x, torch.cat([x[:, 1:], todos], 1))[n, :, -1])

    return prever


def _metodo(nome):
    return lambda dados, V, n: getattr(contagem.NGramas(dados, V, n), nome)


def _janela(dados, bloco, lote, gerador):
    janela = next(treino.janelas(dados, bloco, lote, gerador))
    return janela[:, :-1], janela[:, 1:]


def _copia(lote, comprimento, V, gerador):
    x = copia.sequencias(torch.full((lote,), comprimento), copia.Tarefa(V=V), gerador)
    return x, x.roll(-1, 1)


def _receita(passos, maxima, aquecimento, corte=0.0):
    return treino.Receita(passos=passos, lr=maxima, aquecimento=aquecimento, queda="cosseno",
                          queda_desde=aquecimento / passos, corte=corte)  # fmt: skip


def _andar(modelo, sortear, validacao, taxas, avaliar_em, corte):
    x, y = sortear()
    dados = torch.cat([x.flatten(), y[-1, -1:]])
    receita = replace(_receita(len(taxas), taxas[0], 0, corte), bloco=x.shape[1], lote=len(x), queda="constante")
    perdas, medidas = [], {}
    for passo, perda in treino.andar(modelo, dados, receita):
        perdas.append(perda)
        if passo in avaliar_em:
            medidas[passo] = treino.avaliar(modelo, *validacao)
    return perdas, medidas


def _semente(gerador: torch.Generator) -> int:
    return int(torch.randint(2**31, (), generator=gerador))


EMBRULHOS: dict[str, list[Callable]] = {
    "lista-02/softmax": [lambda x, eixo=-1: lista_04.camada(1, 1, 1, 0, 0)(x)],
    "lista-02/entropia": [
        lambda A: -lista_10.pontuacao("menos concentração")(A),
        lambda A: np.array([-lista_10.pontuacao("menos concentração")(linha[None]) for linha in A]),
    ],
    "lista-04/cabeca": [
        lambda X, W_Q, W_K, W_V: lista_04.camada(W_Q, W_K, W_V, 0, 0)(X),
        lambda X, W_Q, W_K, W_V: lista_06.atencao(W_Q, W_K, W_V, False)(X),
    ],
    "lista-05/contar_parametros": [
        lambda d, h, vies=True: sum(p.numel() for p in gpt.Atencao(d, h, 1, 0.0).parameters())
    ],
    "lista-07/layer_norm": [
        lambda x, g, b, eps=1e-5: torch.from_numpy(lista_06.normalizada(1, -1, "depois")(x.numpy())) * g + b
    ],
    "lista-07/Bloco": [
        lambda d, h: gpt.Camada(d, gpt.Atencao(d, h, 64, 0.0), 0.0),
        lambda d, h: gpt.GPT(2, 64, d, 1, h).blocos[0],
    ],
    "lista-08/Tokenizador": [lambda texto: corpus.Corpus("", texto)],
    "lista-08/lotes": [lambda *tudo: next(treino.janelas(*tudo)), _janela],
    "lista-08/GPT": [gpt.GPT, lambda V, bloco, d, camadas, h: gpt.GPT(V, bloco, d, camadas, h, mistura=gpt.Atencao)],
    "lista-08/gerar": [_gerar],
    "lista-08/taxa": [
        lambda passo, passos, maxima, aquecimento: _receita(passos, maxima, aquecimento).taxa(passo - 1),
        lambda passo, passos, maxima, aquecimento: _receita(passos, maxima, aquecimento).taxa(passo),
    ],
    "lista-08/treinar": [
        lambda modelo, sortear, validacao, taxas, *_: copia.treinar(modelo, copia.Tarefa(passos=len(taxas))),
        _andar,
    ],
    "lista-09/bigrama": [lambda dados, V, k: contagem.NGramas(dados, V, 2).ordens[1].vezes],
    "lista-09/ngrama": [
        *(_metodo(nome) for nome in vars(contagem.NGramas) if not nome.startswith("_")),
        lambda dados, V, n: lambda ids: contagem.NGramas(dados, V, n).escrever(ids, 1),
        _prever,
    ],
    "lista-09/media_uniforme_causal": [
        lambda X: misturas.MediaUniforme(X.shape[2], 1, X.shape[1], 0.0)(X),
        lambda X: np.stack([lista_06.media(1.0)(x) for x in X.numpy()]),
    ],
    "lista-09/tarefa_de_copia": [
        lambda B, L, V, g: copia.sequencias(torch.full((B,), L), copia.Tarefa(V=V), g),
        _copia,
        lambda B, L, V, g: next(copia.lotes(copia.Tarefa(L, L, V, lote=B), _semente(g))),
        lambda B, L, V, g: copia.prova(copia.Tarefa(V=V, provas=B), L),
    ],
    "lista-09/GPTSemAtencao": [
        lambda V, bloco, d, camadas, mistura: gpt.GPT(
            V, bloco, d, camadas, 1, mistura=misturas.MISTURAS["uniforme" if mistura == "media" else "nenhuma"]
        )
    ],
    "lista-06/atencao_mascarada": [_percurso, lambda q, k, v, m: Percurso(guardar=True).atender(0, q, k, v, m)],
    "lista-10/transplantar": [
        lambda modelo, frase, doador, cabecas: modelo.logits(frase, desligadas=cabecas)[-1],
        lambda modelo, frase, doador, cabecas: modelo.logits(doador)[-1],
    ],
}


@pytest.mark.parametrize("questao", EMBRULHOS)
def test_nem_embrulhado_em_uma_linha(questao):
    assert [i for i, f in enumerate(EMBRULHOS[questao]) if pontua(buscar(questao), f)] == []


@pytest.mark.parametrize("questao", [*EMBRULHOS, "lista-01/cosseno", "lista-03/vantagem", "lista-06/vaza_futuro"])
def test_a_resposta_certa_ganharia_pontos(questao):
    """Senão, os testes de cima não veriam nada."""
    q = buscar(questao)
    assert pontua(q, q.referencia)


@pytest.mark.lento
def test_com_o_bloco_que_a_lista_08_da_pronto_cada_equivoco_do_gpt_ouve_a_mesma_frase(monkeypatch):
    q, ref = buscar("lista-08/GPT"), visivel("lista-08/GPT")
    monkeypatch.setattr("gabarito.lista_08.gpt.Bloco", origem.substituto("Bloco", "lista-07"))
    entradas = [c.entradas for c in ref.casos]
    ditos = {r.nome: Juiz(ref).julgar(executar(ref.adaptar(r.funcao), entradas)) for r in [q.certas[0], *q.equivocos]}
    assert ditos.pop("referência") is None
    assert {nome: dito.equivoco for nome, dito in ditos.items()} == {e.nome: e.nome for e in q.equivocos}
