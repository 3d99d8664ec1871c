"""Os quadros de um `explorar`: a figura em cada posição dos controles, para quem lê a aula no site, sem kernel.

`gabarito.aulas` chama `instalar` no kernel que executa uma aula. Cada `explorar` que ela tem deixa, então, um arquivo
em `sitio/quadros/`: o SVG da figura como abre e, de cada posição, só as linhas que mudam, tudo comprimido. De um
controle de muitas posições ficam algumas, e o site diz isso.
"""

import difflib
import io
import itertools
import json
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from helpers import RAIZ

PASTA = RAIZ / "sitio" / "quadros"
POSICOES = 400  # quantas se desenham, somados todos os controles
TAMANHO = 260_000  # bytes; o que passa disso perde posições, uma sim, uma não
Quadro = list[list[Any]]  # [de, ate, linhas novas], em ordem


def instalar(aula: str, pasta: Path = PASTA) -> None:
    """No kernel: daqui em diante, cada `explorar` também guarda os quadros, em `04-qkv-1`, `04-qkv-2`…"""
    from helpers import explorar as oficina

    quantos = itertools.count(1)
    de_antes = oficina.explorar

    def explorar(desenhar: Callable[..., Any], alt: str, **controles: Any) -> None:
        de_antes(desenhar, alt, **controles)
        caminho = pasta / f"{aula.replace('/', '-')}-{next(quantos)}.quadros"
        caminho.parent.mkdir(parents=True, exist_ok=True)
        caminho.write_bytes(fazer(desenhar, alt, oficina.descrever(controles)))

    oficina.explorar = explorar


def fazer(desenhar: Callable[..., Any], alt: str, controles: Sequence[tuple[dict[str, Any], Any]]) -> bytes:
    """O arquivo de um `explorar`; cada controle vem com o valor em que abre."""
    nomes = [controle["nome"] for controle, _ in controles]
    inteiros = [_valores(controle) for controle, _ in controles]
    inicial = [_mais_perto(valores, valor) for valores, (_, valor) in zip(inteiros, controles, strict=True)]
    escolhidos = _escolher([len(v) for v in inteiros], inicial, [c["tipo"] == "range" for c, _ in controles], POSICOES)
    desenho: dict[tuple[int, ...], list[str]] = {}
    while True:
        for onde in itertools.product(*escolhidos):
            if onde not in desenho:
                valores = {nome: inteiros[k][i] for k, (nome, i) in enumerate(zip(nomes, onde, strict=True))}
                desenho[onde] = svg(desenhar(**valores))
        bruto = _arquivo(alt, controles, inteiros, escolhidos, inicial, desenho)
        maior = max(range(len(escolhidos)), key=lambda k: (controles[k][0]["tipo"] == "range", len(escolhidos[k])))
        if len(bruto) <= TAMANHO or len(escolhidos[maior]) < 8:
            return bruto
        escolhidos[maior] = _um_sim_um_nao(escolhidos[maior], inicial[maior])


def ler(bruto: bytes) -> dict[str, Any]:
    return json.loads(zlib.decompress(bruto))


def _valores(controle: Mapping[str, Any]) -> list[Any]:
    if controle["tipo"] != "range":
        return list(controle["opcoes"]) if controle["tipo"] == "lista" else [False, True]
    quantos = round((controle["maximo"] - controle["minimo"]) / controle["passo"]) + 1
    valores = [controle["minimo"] + i * controle["passo"] for i in range(quantos)]
    return [round(v, controle["casas"]) for v in valores] if controle["casas"] else valores


def _mais_perto(valores: Sequence[Any], valor: Any) -> int:
    return (
        min(range(len(valores)), key=lambda i: abs(valores[i] - valor))
        if valor not in valores
        else valores.index(valor)
    )


def _escolher(tamanhos: list[int], inicial: list[int], anda: list[bool], cabem: int) -> list[list[int]]:
    """De cada controle, as posições que se desenham: todas ou, se não cabem, uma a cada tantas, com as pontas.

    Contam-se do começo, para que os números redondos fiquem; e fica sempre a posição em que ele abre.
    """
    passos = [1] * len(tamanhos)

    def posicoes(k: int) -> list[int]:
        return [i for i in range(tamanhos[k]) if i % passos[k] == 0 or i in (inicial[k], tamanhos[k] - 1)]

    while True:
        agora = [posicoes(k) for k in range(len(tamanhos))]
        total = 1
        for quais in agora:
            total *= len(quais)
        que_andam = [k for k, sim in enumerate(anda) if sim]
        if total <= cabem or not que_andam:
            return agora
        passos[max(que_andam, key=lambda k: len(agora[k]))] += 1


def _um_sim_um_nao(posicoes: list[int], inicial: int) -> list[int]:
    return [p for i, p in enumerate(posicoes) if i % 2 == 0 or p in (inicial, posicoes[-1])]


# ---------------------------------------------------------------- o desenho


def svg(figura: Any) -> list[str]:
    """O SVG da figura, linha a linha, do jeito que o notebook a mostraria; fecha a figura."""
    import matplotlib.pyplot as plt

    from helpers.desenho import em_portugues, legivel

    em_portugues(figura)
    legivel(figura)
    memoria = io.StringIO()
    with plt.rc_context({"svg.hashsalt": "curso", "svg.fonttype": "path"}):
        figura.savefig(memoria, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(figura)
    texto = memoria.getvalue()
    texto = texto[texto.index("<svg") :]
    texto = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", texto, flags=re.DOTALL)
    texto = re.sub(r'<g id="[\w.-]+">', "<g>", texto)  # nomes que ninguém cita
    texto = re.sub(r"-?\d+\.\d{3,}", lambda n: f"{float(n[0]):.2f}".rstrip("0").rstrip("."), texto)
    return [linha.strip() for linha in texto.splitlines() if linha.strip()]


def _arquivo(
    alt: str,
    controles: Sequence[tuple[dict[str, Any], Any]],
    inteiros: list[list[Any]],
    escolhidos: list[list[int]],
    inicial: list[int],
    desenho: dict[tuple[int, ...], list[str]],
) -> bytes:
    base = desenho[tuple(inicial)]
    dados = {
        "alt": alt,
        "controles": [
            {
                "rotulo": controle["rotulo"],
                "tipo": controle["tipo"],
                "casas": controle.get("casas"),
                "valores": [inteiros[k][i] for i in escolhidos[k]],
                "inicial": escolhidos[k].index(inicial[k]),
                "havia": len(inteiros[k]),
            }
            for k, (controle, _) in enumerate(controles)
        ],
        "base": base,
        "quadros": [diferenca(base, desenho[onde]) for onde in itertools.product(*escolhidos)],
    }
    return zlib.compress(json.dumps(dados, ensure_ascii=False, separators=(",", ":")).encode(), 9)


def diferenca(base: list[str], outro: list[str]) -> Quadro:
    trocas = difflib.SequenceMatcher(None, base, outro, autojunk=False).get_opcodes()
    return [[de, ate, outro[i:j]] for que, de, ate, i, j in trocas if que != "equal"]


def aplicar(base: list[str], quadro: Quadro) -> list[str]:
    """O que o navegador faz (sitio/ativos/quadros.js)."""
    feito, ate = list[str](), 0
    for de, fim, linhas in quadro:
        feito += [*base[ate:de], *linhas]
        ate = fim
    return feito + base[ate:]
