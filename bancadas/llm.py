"""Quanto custa abrir o LLM da aula 10 e ler 31 tokens com ele, contra o mínimo que a mesma máquina permite.

Rode na raiz: python curso.py bancada llm (ou, com o Python do curso, python -m bancadas.llm). Cada repetição é um
processo novo, com uma thread do torch, e o relógio é o do processador: não conta a espera enquanto outros usam a
máquina. Os pares:

- abrir: o GGUFReader do pacote gguf, tal como vem, e o dequantize de cada tensor, sem tokenizador nem modelo;
- ler 31 tokens: só os produtos de matrizes da leitura (o limite).

A última linha é um objeto JSON com as razões e as medidas.
"""

import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from configuracao import comandos
from configuracao.terminal import rodar
from helpers import RAIZ

TOKENS = 31
LIMITES = {"abrir_s": 6.0, "ler_s": 0.3, "memoria_gb": 1.1}  # o que a aula promete em um núcleo quieto


def _segundos(f: Callable[[], object], vezes: int = 1) -> float:
    """O menor tempo de processador de algumas vezes: o resto é ruído da máquina."""
    tempos = []
    for _ in range(vezes):
        inicio = time.process_time()
        f()
        tempos.append(time.process_time() - inicio)
    return min(tempos)


def _pico_gb() -> float | None:
    estado = Path("/proc/self/status")  # só no Linux
    pico = re.search(r"VmHWM:\s+(\d+) kB", estado.read_text()) if estado.exists() else None
    return int(pico[1]) * 1024 / 1e9 if pico else None


def medir_curso(vezes: int) -> dict[str, float | None]:
    """Abrir o modelo do curso, ler 31 tokens, e os produtos dessa leitura sozinhos."""
    import torch

    from helpers.llm import carregar

    torch.set_num_threads(1)
    medida = {"abrir_s": _segundos(carregar)}
    modelo = carregar()
    medida["ler_s"] = _segundos(lambda: modelo.logits(list(range(1000, 1000 + TOKENS))), vezes)
    medida["memoria_gb"] = _pico_gb()
    entradas = {n: torch.randn(TOKENS, n) for n in {p.shape[1] for p in modelo.p.values() if p.dim() == 2}}
    matrizes = [p for p in modelo.p.values() if p.dim() == 2]  # o embedding também multiplica, na saída
    q = torch.randn(modelo.cabecas, TOKENS, modelo.dim_cabeca)

    def produtos() -> None:
        for p in matrizes:
            torch.nn.functional.linear(entradas[p.shape[1]], p)
        for _ in range(modelo.camadas):
            (q @ q.mT) @ q

    medida["produtos_s"] = _segundos(produtos, vezes)
    return medida


def medir_par() -> dict[str, float | None]:
    """Abrir o mesmo arquivo só com o que o pacote gguf oferece."""
    from gguf import GGUFReader
    from gguf.quants import dequantize

    from helpers.llm import ARQUIVO, PACOTE, SHA256, TAMANHO
    from helpers.llm_comum import arquivo_do_pacote

    caminho = arquivo_do_pacote(PACOTE, ARQUIVO, TAMANHO, SHA256)

    def abrir() -> list:
        return [dequantize(t.data, t.tensor_type) for t in GGUFReader(caminho).tensors]

    return {"abrir_s": _segundos(abrir), "memoria_gb": _pico_gb()}


def _em_outro_processo(papel: str) -> dict[str, float]:
    feito = subprocess.run(
        [sys.executable, "-m", "bancadas.llm", "--papel", papel], cwd=RAIZ, capture_output=True, text=True
    )
    if feito.returncode:
        raise SystemExit(feito.stderr.strip().splitlines()[-1])
    return json.loads(feito.stdout.splitlines()[-1])


def main(argumentos: list[str] | None = None) -> int:
    opcoes = comandos.ler("bancada llm", argumentos)
    if opcoes.papel:
        print(json.dumps(medir_curso(8) if opcoes.papel == "curso" else medir_par()))
        return 0
    rodadas = [(_em_outro_processo("par"), _em_outro_processo("curso")) for _ in range(1 if opcoes.rapida else 5)]
    curso = {nome: statistics.median(c[nome] or 0 for _, c in rodadas) for nome in rodadas[0][1]}
    razoes = {
        "abrir_contra_gguf": statistics.median(c["abrir_s"] / p["abrir_s"] for p, c in rodadas),
        "ler_contra_produtos": statistics.median(c["ler_s"] / c["produtos_s"] for _, c in rodadas),
    }
    print(f"{'':16s}{'curso':>9s}{'promessa':>10s}")
    for nome, limite in LIMITES.items():
        print(f"{nome:16s}{curso[nome]:9.2f}{limite:10.1f}")
    print(f"\nabrir: {razoes['abrir_contra_gguf']:.2f}× o GGUFReader com dequantize, que não monta o tokenizador")
    print(f"ler {TOKENS} tokens: {razoes['ler_contra_produtos']:.2f}× os produtos de matrizes sozinhos")
    print(json.dumps({nome: round(valor, 3) for nome, valor in (razoes | curso).items()}))
    return 0


if __name__ == "__main__":
    rodar(main)
