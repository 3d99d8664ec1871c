"""O GPT do fim da lista 08, treinado como a lista sugere, contra o GPT do curso do mesmo tamanho.

Rode na raiz: python curso.py bancada seu_gpt. As respostas são as de source/, lidas das células dela. Os dois modelos
andam juntos, um passo de cada por vez, com os mesmos tamanhos de lote e de contexto; o relógio é o do processador, com
uma thread. Diz em que passo cada um fica abaixo do trigrama, medido no mesmo texto, e termina com um objeto JSON.
"""

import json
from dataclasses import replace
from typing import Any

import nbformat
import torch

from configuracao import comandos
from configuracao.terminal import rodar
from helpers import RAIZ
from helpers.corpus import Corpus, carregar
from helpers.seu_gpt import QUESTOES, reguas
from helpers.treino import MELHOR, andar, avaliar, construir, relogio, trechos

Par = tuple[torch.Tensor, torch.Tensor]
Medidas = dict[int, float]  # passo → perda
LISTA = RAIZ / "source" / "lista-08-gpt-shakespeare" / "lista-08-gpt-shakespeare.ipynb"


def da_lista() -> dict[str, Any]:
    """As respostas da lista, o que a célula de preparo dá, e os tamanhos que ela sugere (CONTEXTO, LARGURA, …)."""
    celulas = {c["id"]: c.source for c in nbformat.read(LISTA, as_version=4).cells}
    (tamanhos,) = [linha for linha in celulas["seu-gpt-texto"].splitlines() if linha.startswith("CONTEXTO,")]
    nomes: dict[str, Any] = {}
    exec("\n".join([celulas["preparo"], *(celulas[nome] for nome in QUESTOES), tamanhos]), nomes)
    return nomes


def treinar_os_dois(
    n: dict[str, Any], corpus: Corpus, prova: Par, passos: int, cada: int
) -> tuple[Medidas, Medidas, dict[str, float]]:
    """A perda do GPT da lista e a do curso, a cada tantos passos, e os segundos de processador que cada um levou."""
    contexto, lote = n["CONTEXTO"], n["LOTE"]
    tamanhos = {"d": n["LARGURA"], "camadas": n["CAMADAS"], "cabecas": n["CABECAS"]}
    torch.manual_seed(0)
    seu = n["GPT"](corpus.V, contexto, *tamanhos.values())
    receita = replace(MELHOR, bloco=contexto, **tamanhos, lote=lote, passos=passos, aquecimento=passos // 10)
    do_curso = construir(receita, corpus.V)
    andando, sorte = andar(do_curso, corpus.treino, receita), torch.Generator().manual_seed(0)
    avaliar_em = range(cada, passos + 1, cada)
    do_curso_em: Medidas = {}
    segundos = {"curso": 0.0}

    def sortear() -> Par:
        """Um lote para o passo do aluno; antes, o mesmo passo do modelo do curso, que não conta no tempo dele."""
        inicio = relogio()
        passo, _ = next(andando)
        if passo in avaliar_em:
            do_curso_em[passo] = avaliar(do_curso, *prova)
        segundos["curso"] += relogio() - inicio
        return n["lotes"](corpus.treino, contexto, lote, sorte)

    taxas = [n["taxa"](passo, passos, n["TAXA"], passos // 10) for passo in range(1, passos + 1)]
    inicio = relogio()
    _, medidas = n["treinar"](seu, sortear, prova, taxas, avaliar_em, 1.0)
    return medidas, do_curso_em, {"lista": relogio() - inicio - segundos["curso"], **segundos}


def main(argumentos: list[str] | None = None) -> int:
    rapida = comandos.ler("bancada seu_gpt", argumentos).rapida
    torch.set_num_threads(1)
    corpus, n = carregar(), da_lista()
    passos, cada = (20, 5) if rapida else (n["PASSOS"], 50)
    prova = trechos(corpus.validacao, n["CONTEXTO"], 512)
    trigrama = reguas(corpus.treino, corpus.V, *prova)["trigrama"]
    medidas, do_curso_em, segundos = treinar_os_dois(n, corpus, prova, passos, cada)

    print(f"trigrama: {trigrama:.3f}\n{'passo':>6s}{'o da lista':>12s}{'o do curso':>12s}")
    for passo, medida in medidas.items():
        print(f"{passo:6d}{medida:12.3f}{do_curso_em[passo]:12.3f}")
    do_aluno, contra = segundos["lista"], segundos["curso"]
    print(f"segundos de processador, com as medidas: {do_aluno:.1f} o da lista, {contra:.1f} o do curso")
    abaixo = {
        nome: next((passo for passo, medida in onde.items() if medida < trigrama), None)
        for nome, onde in (("lista", medidas), ("curso", do_curso_em))
    }
    resultado = {
        "trigrama": round(trigrama, 3),
        "perda_da_lista": round(medidas[passos], 3),
        "perda_do_curso": round(do_curso_em[passos], 3),
        "abaixo_do_trigrama_no_passo": abaixo,
        "segundos_da_lista": round(do_aluno, 1),
        "tempo_da_lista_sobre_o_do_curso": round(do_aluno / contra, 2),
    }
    print(json.dumps(resultado, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    rodar(main)
