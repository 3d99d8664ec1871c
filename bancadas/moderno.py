"""Do GPT de 2017 ao de hoje: cada peça trocada no GPT da aula 08, e quanto custa um passo de cada.

Rode na raiz: python curso.py bancada moderno. Guarda tudo em helpers/treinos/moderno.json depois de cada treino, e
recomeça de onde parou: primeiro uma semente de cada troca, depois as outras duas da escolhida. A base são os treinos
guardados de “melhor”, que têm os mesmos lotes. O relógio é o do processador, com uma thread; e, como a máquina pode
estar ocupada, o custo de um passo é medido alternando as trocas com a base, e só a razão entre os dois se guarda. No
fim, a receita da fonte treina até 1,90 ou até gastar pouco mais de quatro vezes o que a melhor troca gastou.
"""

import json
import statistics
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from bancadas.treino import ComoNaFonte, andar_como_na_fonte
from configuracao import comandos
from configuracao.terminal import rodar
from helpers.corpus import Corpus, carregar
from helpers.gravacao import gravar
from helpers.moderno import (
    ALVO,
    ARQUIVO,
    BASE,
    MELHOR_TROCA,
    SEMENTES,
    TROCAS,
    GPTDeHoje,
    Pecas,
    configuracao,
    custo_ate,
)
from helpers.treino import CEDO, DA_FONTE, MELHOR, amostra, avaliar, janelas, relogio, trechos

COM_TESTE = (MELHOR_TROCA,)  # o teste só se abre para a que a validação escolheu


def otimizadores(modelo: nn.Module, pecas: Pecas) -> list[torch.optim.Optimizer]:
    """AdamW em tudo, como na aula; ou Muon nas matrizes dos blocos e AdamW no resto."""
    r, blocos = MELHOR, [p for nome, p in modelo.named_parameters() if nome.startswith("blocos") and p.dim() == 2]
    if not pecas.muon:
        return [torch.optim.AdamW(modelo.parameters(), r.lr, r.betas, weight_decay=r.decaimento, fused=True)]
    do_muon = {id(p) for p in blocos}
    resto = [p for p in modelo.parameters() if id(p) not in do_muon]
    return [
        torch.optim.Muon(blocos, pecas.taxa_do_muon, weight_decay=r.decaimento),
        torch.optim.AdamW(resto, pecas.taxa_do_resto, r.betas, weight_decay=r.decaimento, fused=True),
    ]


def andar(modelo: nn.Module, dados: Tensor, pecas: Pecas, semente: int = 0) -> Iterator[int]:
    """O treino da aula, com os otimizadores destas peças: cada um com o seu pico; a subida e a descida são as de lá."""
    r, quem = MELHOR, otimizadores(modelo, pecas)
    grupos = [(grupo, grupo["lr"] / r.lr) for otimizador in quem for grupo in otimizador.param_groups]
    modelo.train()
    for passo, janela in zip(range(r.passos), janelas(dados, r.bloco, r.lote, semente), strict=False):
        for grupo, vezes in grupos:
            grupo["lr"] = vezes * r.taxa(passo)
        modelo(janela[:, :-1], janela[:, 1:])[1].backward()
        nn.utils.clip_grad_norm_(modelo.parameters(), r.corte)
        for otimizador in quem:
            otimizador.step()
            otimizador.zero_grad()
        yield passo + 1


def montar(nome: str, V: int, semente: int) -> GPTDeHoje:
    torch.manual_seed(semente)
    return GPTDeHoje(V, TROCAS[nome])


def treinar(nome: str, corpus: Corpus, semente: int) -> dict[str, Any]:
    """Um treino inteiro: a perda de validação pelo caminho, nos trechos de sempre, e no fim, no texto inteiro."""
    cada = 50 if nome in COM_TESTE else 100
    modelo, medida = montar(nome, corpus.V, semente), amostra(corpus.validacao, MELHOR.bloco)
    curva = {0: avaliar(modelo, *medida)}
    for passo in andar(modelo, corpus.treino, TROCAS[nome], semente):
        if passo % cada == 0 or passo in CEDO:
            curva[passo] = avaliar(modelo, *medida)
    final = {"validacao": avaliar(modelo, *trechos(corpus.validacao, MELHOR.bloco))}
    if nome in COM_TESTE:
        final["teste"] = avaliar(modelo, *trechos(corpus.teste, MELHOR.bloco))
    return {"semente": semente, "passos": list(curva), "validacao": _curtas(curva.values()),
            "final": dict(zip(final, _curtas(final.values()), strict=True))}  # fmt: skip


def custos(corpus: Corpus, rodadas: int, passos: int) -> dict[str, dict[str, float]]:
    """Quanto custa um passo de cada troca, e um da fonte, em passos da base: a mediana, e de quanto a quanto foi."""
    andando: dict[str, Iterator] = {
        nome: andar(montar(nome, corpus.V, 0), corpus.treino, pecas) for nome, pecas in TROCAS.items()
    }
    andando["fonte"] = andar_como_na_fonte(ComoNaFonte(corpus.V, DA_FONTE), corpus.treino, DA_FONTE)
    tempos: dict[str, list[float]] = {nome: [] for nome in andando}
    for rodada in range(rodadas + 1):
        for nome, treino in andando.items():
            inicio = relogio()
            for _ in range(passos):
                next(treino)
            if rodada:  # a primeira só aquece
                tempos[nome].append(relogio() - inicio)
    razoes = {nome: sorted(t / b for t, b in zip(ts, tempos[BASE], strict=True)) for nome, ts in tempos.items()}
    return {
        nome: dict(zip(("mediana", "menor", "maior"), _curtas((statistics.median(r), r[0], r[-1])), strict=True))
        for nome, r in razoes.items()
        if nome != BASE
    }


def da_fonte(corpus: Corpus, ate: int, cada: int = 50) -> dict[str, Any]:
    """A receita da fonte, que não para em 1200: até a perda do alvo ou até este passo."""
    torch.manual_seed(0)
    modelo, medida = ComoNaFonte(corpus.V, DA_FONTE), amostra(corpus.validacao, DA_FONTE.bloco)
    curva: dict[int, float] = {}
    for passo, _ in andar_como_na_fonte(modelo, corpus.treino, replace(DA_FONTE, passos=10**9)):
        if passo % cada == 0:
            curva[passo] = avaliar(modelo, *medida)
            if curva[passo] <= ALVO or passo >= ate:
                break
    return {"passos": list(curva), "validacao": _curtas(curva.values())}


def _curtas(valores) -> list[float]:
    return [round(valor, 4) for valor in valores]


def _gravar(guardado: dict[str, Any]) -> None:
    texto = json.dumps(guardado, ensure_ascii=False).replace('{"semente"', '\n{"semente"')  # uma linha por treino
    gravar(ARQUIVO, texto + "\n")


def _ler() -> dict[str, Any]:
    """O que já está guardado. Uma troca que mudou recomeça; as outras ficam."""
    agora = configuracao()
    novo: dict[str, Any] = {
        "configuracao": agora,
        "treinos": {nome: [] for nome in TROCAS if nome != BASE},
        "custos": {},
    }
    try:
        antes = json.loads(ARQUIVO.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return novo
    if antes["configuracao"] | {"trocas": 0} != agora | {"trocas": 0}:
        return novo
    for nome in novo["treinos"]:
        if antes["configuracao"]["trocas"].get(nome) == agora["trocas"][nome]:
            novo["treinos"][nome] = antes["treinos"].get(nome, [])
    if antes["configuracao"] == agora:
        novo |= {parte: antes[parte] for parte in ("custos", "fonte") if parte in antes}
    return novo


def main(argumentos: list[str] | None = None) -> int:
    rapida = comandos.ler("bancada moderno", argumentos).rapida
    torch.set_num_threads(1)
    corpus = carregar()
    if rapida:
        print(json.dumps({"custos": custos(corpus, 3, 2)}, ensure_ascii=False))
        return 0
    guardado = _ler()
    for semente in (0, 1, 2):
        for nome, feitos in guardado["treinos"].items():
            if semente in SEMENTES[nome] and semente not in [treino["semente"] for treino in feitos]:
                feitos.append(treinar(nome, corpus, semente))
                _gravar(guardado)
                print(f"{nome}, semente {semente}: {feitos[-1]['final']}", flush=True)
        if not guardado["custos"]:
            guardado["custos"] = custos(corpus, 15, 8)
            _gravar(guardado)
        if "fonte" not in guardado:
            custos_de = {nome: custo["mediana"] for nome, custo in guardado["custos"].items()}
            da_melhor = custo_ate(ALVO, guardado["treinos"][MELHOR_TROCA][0], custos_de[MELHOR_TROCA])
            assert da_melhor is not None, "a melhor troca não chegou ao alvo"
            guardado["fonte"] = da_fonte(corpus, round(4.2 * da_melhor / custos_de["fonte"]))
            _gravar(guardado)
    print(json.dumps(guardado["custos"], ensure_ascii=False))
    return 0


if __name__ == "__main__":
    rodar(main)
