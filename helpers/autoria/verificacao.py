"""Confere as funções de uma lista em outro processo, para que nada do que há nela pare uma aula.

    python -m helpers.autoria.verificacao NOTEBOOK LISTA SAIDA QUESTAO…

Um laço sem fim, um `os._exit` ou memória demais ficam com o outro processo. Cada questão que ele termina vai para o
arquivo de saída, uma por linha: se ele cair no meio, as outras continuam em um novo.
"""

import ast
import contextlib
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from helpers import RAIZ
from helpers.autoria.recorte import Caderno, ler, montar
from helpers.conferencia.listas import LISTA_ATUAL
from helpers.escrita import com_virgula
from helpers.indice import com_torch

CERTA, ERRADA, LENTA, POR_ESCREVER = "certa", "errada", "lenta", "por-escrever"
POR_OUTRA = "por-outra"  # certa, a não ser pelo erro de outra da mesma lista: ganha os pontos, mas não serve às aulas
LENTA_DEMAIS = 5.0  # segundos de processador nos casos visíveis: em uma aula as entradas são maiores
_MONTAR = 5.0  # segundos de processador para as importações, as definições e as atribuições
_AO_TODO = 120.0  # segundos de processador para a lista inteira
_PARADA = 60.0  # segundos de relógio que se espera por quem quase não usa o processador
_MEMORIA = 6 * 2**30  # bytes de endereços, como na caixa da correção


@dataclass(frozen=True)
class Situacao:
    """O que se sabe de uma função: o estado dela e, se não está certa, por quê."""

    estado: str
    frase: str = ""


def verificar(caminho: Path, caderno: Caderno, questoes: list[str]) -> dict[str, Situacao]:
    """A situação de cada questão da lista, conferida nos casos visíveis."""
    situacoes = {q: Situacao(POR_ESCREVER) for q in questoes if caderno.esta_por_escrever(q.rpartition("/")[2], q)}
    resta = _AO_TODO
    while faltam := [q for q in questoes if q not in situacoes]:
        comecada, novas, motivo, gasto = _em_outro_processo(caminho, caderno.lista, faltam, resta)
        situacoes |= novas
        resta -= gasto
        if comecada and comecada not in situacoes:
            situacoes[comecada] = Situacao(ERRADA, motivo)
        elif not novas:  # o processo nem começou: não há o que esperar do próximo
            situacoes |= {q: Situacao(ERRADA, motivo) for q in faltam if q not in situacoes}
    return situacoes


def _em_outro_processo(
    caminho: Path, lista: str, questoes: list[str], prazo: float
) -> tuple[str | None, dict[str, Situacao], str, float]:
    """(a última questão que ele começou, o que disse de cada uma, por que parou, segundos de processador)."""
    with tempfile.TemporaryDirectory(prefix="curso-") as pasta:
        saida = Path(pasta, "saida")
        saida.touch()
        comando = [sys.executable, "-m", "helpers.autoria.verificacao", str(caminho), lista, str(saida), *questoes]
        ambiente = os.environ | {LISTA_ATUAL: lista, "OMP_NUM_THREADS": "1", "MPLBACKEND": "agg"}
        nada, motivo = subprocess.DEVNULL, "Ao ser conferida, ela encerrou o Python."
        with subprocess.Popen(comando, cwd=RAIZ, env=ambiente, stdin=nada, stdout=nada, stderr=nada) as processo:
            try:
                acabou, gasto = _esperar(processo, prazo)
            finally:
                processo.kill()
        if not acabou:
            motivo = "Ela não terminou a tempo; há um laço que não acaba?"
        linhas = [json.loads(linha) for linha in saida.read_text(encoding="utf-8").splitlines()]
    ditas = {dito["questao"]: Situacao(dito["estado"], dito["frase"]) for dito in linhas if "estado" in dito}
    return (linhas[-1]["questao"] if linhas else None), ditas, motivo, gasto


def _esperar(processo: subprocess.Popen, prazo: float) -> tuple[bool, float]:
    """(acabou?, segundos de processador): até que acabe, gaste o prazo ou fique parado. O relógio sozinho não conta."""
    import psutil

    from helpers.conferencia.execucao import parado

    gasto = antes = 0.0
    fim_do_trecho = time.monotonic() + _PARADA
    while gasto < prazo:
        with contextlib.suppress(subprocess.TimeoutExpired):
            processo.wait(timeout=0.5)
            return True, gasto
        with contextlib.suppress(psutil.Error):
            gasto = sum(psutil.Process(processo.pid).cpu_times()[:2])
        if time.monotonic() >= fim_do_trecho:
            if parado(gasto - antes, _PARADA):
                break
            antes, fim_do_trecho = gasto, time.monotonic() + _PARADA
    return False, gasto


# ---------------------------------------------------------------- o outro processo


def _conferir(caderno: Caderno, questao: str) -> Situacao:
    from helpers.conferencia.exame import examinar
    from helpers.conferencia.execucao import TempoEsgotado, com_prazo
    from helpers.conferencia.por_outra import so_erra_por_outra
    from helpers.conferencia.referencia import carregar

    nome = questao.rpartition("/")[2]
    if erro_de_sintaxe := caderno.erro_de_sintaxe(nome):
        return Situacao(ERRADA, f"{erro_de_sintaxe}.")
    comandos, faltam = caderno.precisa(nome, questao)
    quais = ", ".join(f"`{falta}`" for falta in faltam)
    nao_ha = f" (não achei {quais} entre as importações, definições e atribuições simples)" if faltam else ""
    try:
        with com_prazo(_MONTAR):
            resposta = montar(comandos, caderno.lista)[nome]
    except TempoEsgotado:
        return Situacao(ERRADA, "O código de que ela depende não terminou a tempo.")
    except BaseException as erro:  # o que está na lista pode lançar qualquer coisa, até SystemExit
        return Situacao(ERRADA, f"Ao preparar a função, houve um {type(erro).__name__}: {str(erro)[:120]}{nao_ha}")
    referencia = carregar(questao)
    diagnostico, registros = examinar(referencia, resposta)
    if diagnostico is not None:
        por_outra, _ = so_erra_por_outra(referencia, resposta, registros)
        return Situacao(POR_OUTRA if por_outra else ERRADA, diagnostico.frase + nao_ha)
    if (segundos := sum(r.segundos for r in registros)) > LENTA_DEMAIS:
        return Situacao(
            LENTA, f"Leva {com_virgula(segundos, 1)} s nos casos visíveis, e o limite é {LENTA_DEMAIS:g} s."
        )
    return Situacao(CERTA)


def _importar_antes(caderno: Caderno) -> None:
    """O torch, que demora a chegar em um computador ocupado e que, interrompido por um prazo, não se importa mais."""
    nos = [c.no for c in caderno.comandos]
    importados = {a.name for no in nos if isinstance(no, ast.Import) for a in no.names}
    importados |= {no.module or "" for no in nos if isinstance(no, ast.ImportFrom)}
    do_torch = any(nome.partition(".")[0] == "torch" for nome in importados)
    if do_torch or com_torch() & set(caderno.importa_de_minhas()):
        with contextlib.suppress(ImportError):
            importlib.import_module("torch")


def _limitar_a_memoria() -> None:
    """A deste processo, e para sempre: só quem nasceu para isto a chama."""
    if sys.platform.startswith("linux"):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORIA, _MEMORIA))


def main(argumentos: list[str]) -> None:
    caminho, lista, saida, *questoes = argumentos
    caderno = ler(Path(caminho), lista, [q.rpartition("/")[2] for q in questoes])
    _importar_antes(caderno)
    with open(saida, "a", encoding="utf-8", buffering=1) as arquivo:
        for questao in questoes:
            print(json.dumps({"questao": questao}), file=arquivo)
            print(json.dumps({"questao": questao} | asdict(_conferir(caderno, questao))), file=arquivo)


if __name__ == "__main__":
    _limitar_a_memoria()
    main(sys.argv[1:])
