"""Que diferença decide se a cabeça de indução nasce: as redes da aula 09, mudando uma coisa de cada vez.

Rode na raiz: python curso.py bancada inducao. Treina cada rede com cada semente, mede no fim os acertos, as duas notas
e os acertos nos dicionários inventados, imprime a tabela e guarda tudo em helpers/treinos/inducao.json, de onde a aula
lê. O relógio é o do processador.
"""

import json
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import torch

from configuracao import comandos
from configuracao.terminal import rodar
from helpers import inducao
from helpers.gravacao import gravar
from helpers.inducao import AMARRADA, SEMENTES, SOLTA, Rede
from helpers.treino import _arredondar, _hash, relogio

REDES: dict[str, Rede] = {
    "saída solta": SOLTA,
    "saída amarrada": AMARRADA,
    # da amarrada, uma diferença de cada vez
    "amarrada, com embeddings de desvio 1": replace(AMARRADA, tokens=1.0, posicoes=1.0),
    "amarrada, sem decaimento": replace(AMARRADA, decaimento=0.0),
    "amarrada, sem feed-forward": replace(AMARRADA, feed_forward=False),
    "amarrada, com o dobro dos passos": replace(AMARRADA, passos=1200),
    "solta, com embeddings de desvio 0,3": replace(SOLTA, tokens=0.3, posicoes=0.3),
    "solta, que começa igual à amarrada": replace(AMARRADA, solta=True, copiada=True),
}


def medir(pedido: tuple[str, int]) -> dict:
    """A história de um treino, e o que a rede faz no fim com os dicionários e com cada período."""
    nome, semente = pedido
    torch.set_num_threads(1)
    inicio = relogio()
    vida = inducao.treinar(REDES[nome], semente)
    segundos = relogio() - inicio
    menor, maior = inducao.PERIODOS
    return {
        "passos": vida.passos,
        **{qual: vida.serie(qual) for qual in vida.medidas[0]},
        "dicionarios": inducao.acertos(vida.rede, *inducao.dicionarios(500)),
        "periodos": [inducao.acertos(vida.rede, *inducao.prova(P)) for P in range(menor, maior + 1)],
        "segundos": round(segundos, 1),
    }


def main(argumentos: list[str] | None = None) -> int:
    opcoes = comandos.ler("bancada inducao", argumentos)
    sementes = SEMENTES[:1] if opcoes.rapida else SEMENTES
    feito: dict[str, list[dict]] = {nome: [] for nome in REDES}
    print(f"{'rede':38} {'semente':>7} {'acertos':>8} {'trás':>6} {'indução':>8} {'dicionários':>12} {'s':>6}")
    pedidos = [(nome, semente) for nome in REDES for semente in sementes]
    with ProcessPoolExecutor(os.cpu_count()) as operarios:
        for (nome, semente), m in zip(pedidos, operarios.map(medir, pedidos), strict=True):
            feito[nome].append(m)
            notas = f"{m['acertos'][-1]:8.2f} {m['anterior'][-1]:6.2f} {m['inducao'][-1]:8.2f} {m['dicionarios']:12.2f}"
            print(f"{nome:38} {semente:7} {notas} {m['segundos']:6.1f}", flush=True)
    if not opcoes.rapida:
        escolhas = inducao.configuracao(REDES)
        texto = json.dumps({"configuracao": escolhas, "hash": _hash(escolhas), "redes": _arredondar(feito)})
        gravar(inducao.ARQUIVO, texto.replace('], "', '],\n"').replace('}, "', '},\n"') + "\n")
    return 0


if __name__ == "__main__":
    rodar(main)
