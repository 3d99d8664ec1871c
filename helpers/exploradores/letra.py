"""O explorador *Letra por letra*: o GPT da aula 08, ou o do aluno, escrevendo no navegador, uma letra de cada vez."""

from typing import Any

import matplotlib.pyplot as plt
import torch
from matplotlib.figure import Figure
from torch import nn

from helpers import pesos_do_gpt
from helpers.desenho import CORES
from helpers.exploradores.anfitriao import Problema, frase, ou_recado
from helpers.exploradores.arquivos import ExploradorComArquivos
from helpers.gpt import GPT

COMECO = "The king is "
OUTROS = {"portugues": "A palavra manga "}  # os que se podem escolher no explorador, e com que texto abrem
NOMES = {" ": "espaço", "\n": "fim de linha"}


@ou_recado
def letra_por_letra(
    modelo: nn.Module | None = None, tokenizador: Any = None, texto: str | None = None
) -> ExploradorComArquivos:
    """Abre o GPT da aula 08, com alguns passos do treino dele, e um menor, que escreve em português; ou o seu:
    `letra_por_letra(meu_gpt, tokenizador)`.

    O seu é como está agora: depois de treinar mais, chame de novo.
    """
    try:
        arquivos, dados = _do_curso("melhor") if modelo is None else _do_aluno(modelo, tokenizador)
        outros = [_do_curso(nome) for nome in OUTROS] if modelo is None else []
    except (pesos_do_gpt.NaoAbre, FileNotFoundError) as motivo:
        raise Problema(str(motivo)) from None
    letras = set(dados["vocabulario"][1:])
    dados["texto"] = (
        texto if texto is not None else "".join(c for c in COMECO if c in letras) or dados["vocabulario"][1]
    )
    dados["outros"] = [outro for _, outro in outros]
    arquivos = dict(arquivos, **{nome: bruto for seus, _ in outros for nome, bruto in seus.items()})
    ultimo = dados["pontos"][-1]
    gpt = pesos_do_gpt.de_bytes(arquivos[ultimo["arquivo"]], dados["cabecas"])
    provaveis = _provaveis(gpt, dados["vocabulario"], dados["texto"])
    quais = ", ".join(f"{NOMES.get(c, c)} {100 * p:.0f} %" for c, p in provaveis[:3]) or "nenhuma"
    qual = "alt" if modelo is None else "alt_do_aluno"
    alt = frase(f"letra.{qual}", texto=dados["texto"], passo=ultimo.get("passo"), quais=quais)
    return ExploradorComArquivos(
        "letra", dados, alt, lambda: _figura(dados["texto"], provaveis), arquivos=arquivos,
        primeiro=ultimo["arquivo"],
    )  # fmt: skip


def _do_curso(treino: str) -> tuple[dict[str, bytes], dict[str, Any]]:
    guardados = pesos_do_gpt.ler(treino)
    arquivos = {p["arquivo"]: guardados.pesos(i) for i, p in enumerate(guardados.pontos)}
    dados = {"vocabulario": guardados.vocabulario, "cabecas": guardados.cabecas, "regua": guardados.regua}
    if treino in OUTROS:
        dados |= {"pede": "portugues", "nome": frase("letra.nome_portugues")}
    else:
        dados |= {"pede": "ingles", "nome": frase("letra.nome_ingles")}
    dados["pontos"] = guardados.pontos
    return arquivos, dados | {"texto": OUTROS.get(treino, COMECO)}


def _do_aluno(modelo: nn.Module, tokenizador: Any) -> tuple[dict[str, bytes], dict[str, Any]]:
    if not isinstance(modelo, nn.Module):
        raise Problema(frase("letra.nao_e_modelo", tipo=type(modelo).__name__))
    if tokenizador is None:
        raise Problema(frase("letra.sem_tokenizador"))
    bruto, cabecas, vocabulario = pesos_do_gpt.do_aluno(modelo, tokenizador)
    dados = {"vocabulario": vocabulario, "cabecas": cabecas, "pontos": [{"arquivo": "meu-gpt"}], "do_aluno": True}
    return {"meu-gpt": bruto}, dados


@torch.no_grad()
def _provaveis(gpt: GPT, vocabulario: list[str], texto: str, quantas: int = 12) -> list[tuple[str, float]]:
    """As letras mais prováveis depois do texto, com as chances; nenhuma, se ele tem algo que o modelo não conhece."""
    ids = [vocabulario.index(c) for c in texto[-gpt.bloco :] if c in vocabulario[1:]]
    if not ids or len(ids) < len(texto[-gpt.bloco :]):
        return []
    chances = gpt(torch.tensor([ids]))[0][0, -1, 1:].softmax(-1)  # (V − 1,): sem o <PAD>
    valores, quais = chances.topk(min(quantas, len(chances)))
    return [(vocabulario[1 + i], p) for i, p in zip(quais.tolist(), valores.tolist(), strict=True)]


def _figura(texto: str, provaveis: list[tuple[str, float]]) -> Figure:
    fig, ax = plt.subplots(figsize=(7, 3.6))
    nomes = [NOMES.get(c, c) for c, _ in provaveis]
    barras = ax.barh(range(len(nomes)), [p for _, p in provaveis], color=CORES["vermelho"])
    ax.bar_label(barras, [f" {100 * p:.0f} %" for _, p in provaveis], fontsize=9)
    ax.set_yticks(range(len(nomes)), nomes)
    ax.invert_yaxis()
    ax.set(title=f"A próxima letra, depois de “{texto}”", xlabel="chance")
    return fig
