"""`python curso.py notas`: as notas em um CSV comum, ou na planilha que o Moodle baixou e espera de volta.

Com uma lista, ou sem nenhuma, uma linha por aluno e lista; com --todas, uma por aluno, com a média.
"""

import csv
import datetime
import io
import itertools
import sys
from pathlib import Path
from typing import Any

from configuracao.terminal import rodar
from correcao.chegada import planilha
from correcao.comum import datas
from correcao.comum.reserva import fechar
from correcao.comum.texto import imprimivel
from correcao.devolucao.comando import com_a_turma
from correcao.devolucao.preencher import FORMULA, OutraTarefa, Preenchida, preencher
from correcao.livro import boletim
from correcao.livro.turma import (
    Entrega,
    Lida,
    SemNota,
    Turma,
    avisar_de_quem_falta,
    sem_notebooks,
)
from helpers.conferencia.listas import achar_lista
from helpers.escrita import com_virgula, numero
from helpers.gravacao import gravar

NOTAS, TODAS = "notas.csv", "notas-todas.csv"
CABECALHO = [
    "aluno",
    "nome",
    "lista",
    "nota",
    "de",
    "desconto_por_atraso",
    "entregue_em",
    "horas_de_atraso",
    "situacao",
]
NAO_ENTREGOU = "não entregou"


class NaoHaNotas(Exception):
    """Por que não há o que exportar, em uma frase."""


# ---------------------------------------------------------------- o CSV comum


def em_csv(lidas: list[Lida], destino: Path, zero: bool = False) -> int:
    """Um CSV com uma linha por aluno e lista, como o Excel em português o lê; devolve quantas notas há nele.

    Depois delas vai quem está sem nota por culpa nossa; e no fim, sem nota ou, com `zero`, com zero, quem não entregou.
    """
    entregas, sem = [e for lida in lidas for e in lida.entregas], [s for lida in lidas for s in lida.sem]
    if not entregas and not any(s.entrega for s in sem):
        raise NaoHaNotas(sem_notebooks(lidas[0].lista if len(lidas) == 1 else None))
    faltas = [_falta(lida, a, nome, zero) for lida in lidas for a, nome in lida.faltosos.items() if lida.entregas]
    _escrever([CABECALHO, *map(_linha, entregas), *map(_sem_nota, sem), *faltas], destino)
    return len(entregas)


def _linha(e: Entrega) -> list[str]:
    quando = datas.aqui(e.quando).strftime("%d/%m/%Y %H:%M:%S") if e.quando else ""
    situacao = "espera leitura" if e.espera else (e.motivo or "corrigida")
    nota, de, desconto = (com_virgula(n) for n in (e.nota, e.de, e.desconto))
    aluno, nome, lista, situacao = map(sem_formula, (e.aluno, e.nome or "", e.lista, situacao))
    return [aluno, nome, lista, nota, de, desconto, quando, com_virgula(e.atraso / 3600, 1), situacao]


def _sem_nota(s: SemNota) -> list[str]:
    return [*map(sem_formula, (s.aluno, s.nome or "", s.lista)), "", "", "", "", "", s.porque[1]]


def _falta(lida: Lida, aluno: str, nome: str | None, zero: bool) -> list[str]:
    ainda_pode = aluno in lida.com_prazo
    nota, de = com_virgula(0.0) if zero and not ainda_pode else "", com_virgula(lida.entregas[0].de)
    situacao = f"{NAO_ENTREGOU}, e ainda tem prazo" if ainda_pode else NAO_ENTREGOU
    return [*map(sem_formula, (aluno, nome or "", lida.lista)), nota, de, "", "", "", situacao]


def todas_em_csv(linhas: list[boletim.Linha], pesos: dict[str, float], destino: Path) -> None:
    """Uma linha por aluno, com a nota de cada lista e a média de 0 a 10."""
    cabecalho = ["aluno", "nome", *(f"{lista[:8]} (peso {numero(peso)})" for lista, peso in pesos.items())]
    corpo = []
    for linha in linhas:
        notas = [com_virgula(linha.entregas[lista].nota) if lista in linha.entregas else "" for lista in pesos]
        das_entregues = linha.media_das_entregues
        contas = ["" if n is None else com_virgula(n) for n in (linha.total, linha.media, das_entregues)]
        contas.append(str(len(linha.entregas) + len(linha.sem)))
        corpo.append([sem_formula(linha.aluno), sem_formula(linha.nome or ""), *notas, *contas])
    _escrever([[*cabecalho, "total", "media", "media_das_entregues", "entregues"], *corpo], destino)


def _escrever(linhas: list[list[str]], destino: Path) -> None:
    saida = io.StringIO(newline="")
    csv.writer(saida, delimiter=";").writerows(linhas)
    gravar_sem_perder(destino, saida.getvalue().encode("utf-8-sig"))  # com BOM, o Excel lê os acentos


def gravar_sem_perder(destino: Path, conteudo: bytes) -> None:
    """Se o que há no lugar é outra coisa, fica ao lado, com a data, e isso é dito."""
    if destino.is_file() and destino.read_bytes() != conteudo:
        de_antes = datetime.datetime.fromtimestamp(destino.stat().st_mtime)
        finais = itertools.chain([""], (f"-{n}" for n in itertools.count(2)))
        nomes = (f"{destino.stem}-{de_antes:%Y%m%d-%H%M%S}{fim}{destino.suffix}" for fim in finais)
        guardado = next(p for nome in nomes if not (p := destino.with_name(nome)).exists())
        gravar(guardado, destino.read_bytes())
        fechar(guardado)
        print(f"{destino.name} já existia e mudou; o de antes ficou em {guardado.name}.", file=sys.stderr)
    gravar(destino, conteudo)
    fechar(destino)


def sem_formula(texto: str) -> str:
    """Com um apóstrofo, que faz do resto um texto, antes do que seria executado por quem abre o CSV."""
    return FORMULA.sub(lambda f: f"{f[1]}'{f[2]}" if f[1].strip() else f"'{f[0]}", texto)


# ---------------------------------------------------------------- o comando


def main(argumentos: list[str] | None = None) -> int:
    recusas = (NaoHaNotas, OutraTarefa, planilha.PlanilhaInvalida)
    return com_a_turma("notas", argumentos, exportar, *recusas)


def exportar(pedido: Any, turma: Turma) -> int:
    if problema := _pedido_que_nao_combina(pedido):
        raise NaoHaNotas(problema)
    listas = turma.listas()
    if not listas:
        raise NaoHaNotas("Ainda não há notas; rode antes: python curso.py corrigir LISTA")
    lista = achar_lista(pedido.lista, listas) if pedido.lista else None
    if pedido.lista and lista is None:
        raise NaoHaNotas(f"Não há notas da lista “{pedido.lista}”; há destas: {', '.join(listas)}.")
    print(turma.atraso.politica())
    if pedido.todas:
        return _de_todas(pedido, turma, listas)
    lidas = [turma.ler(nome) for nome in ([lista] if lista else listas)]
    codigo = _no_moodle(pedido, turma, lidas[0]) if pedido.moodle else _no_csv(pedido, turma, lidas)
    esperam = avisar_das_que_esperam([e for lida in lidas for e in lida.entregas])
    return avisar_de_quem_falta(s for lida in lidas for s in lida.sem) or esperam or codigo


def _pedido_que_nao_combina(pedido: Any) -> str | None:
    if pedido.todas and (pedido.lista or pedido.moodle or pedido.zero_para_ausentes):
        return "“--todas” vai sozinha, ou com “--pesos” e “--destino”: é uma linha por aluno, de todas as listas."
    if pedido.pesos and not pedido.todas:
        return "“--pesos” vai com “--todas”: notas --todas --pesos 01=1,08=2"
    if pedido.moodle and not pedido.lista:
        return "A planilha do Moodle é de uma tarefa só; diga a lista: notas LISTA --moodle CSV"
    return None


def avisar_das_que_esperam(entregas: list[Entrega]) -> int:
    """0; ou 3, com o aviso, se há questões abertas por ler."""
    esperam = sum(e.espera for e in entregas)
    if not esperam:
        return 0
    quantas = "1 entrega espera" if esperam == 1 else f"{esperam} entregas esperam"
    frase = "a leitura das questões abertas: a nota vai sem esses pontos. Depois de ler, rode `notas` outra vez."
    print(f"{quantas} {frase}", file=sys.stderr)
    return 3


def _de_todas(pedido: Any, turma: Turma, listas: list[str]) -> int:
    pesos = boletim.pesos_de(listas, pedido.pesos)
    linhas = boletim.boletim(turma, listas, pesos)
    entregas = [e for linha in linhas for e in linha.entregas.values()]
    if not entregas and not any(s.entrega for s in turma.sem):
        raise NaoHaNotas(sem_notebooks(None))
    destino = pedido.destino or turma.raiz / TODAS
    todas_em_csv(linhas, pesos, destino)
    quantas = f"{len(listas)} {'lista' if len(listas) == 1 else 'listas'}"
    print(f"{len(linhas)} alunos e {quantas} em {destino}; na média, o que não foi entregue vale zero.")
    esperam = avisar_das_que_esperam(entregas)
    if mesmas := boletim.parecem_a_mesma(turma):
        quem = "; ".join(map(imprimivel, mesmas))
        frase = "Se são, junte as linhas e, nas próximas listas, colete sempre com --planilha."
        print(f"Parecem a mesma pessoa, em duas linhas: {quem}. {frase}", file=sys.stderr)
        esperam = 3
    return avisar_de_quem_falta(turma.sem) or esperam


def _no_csv(pedido: Any, turma: Turma, lidas: list[Lida]) -> int:
    destino = pedido.destino or turma.raiz / NOTAS
    print(f"{em_csv(lidas, destino, pedido.zero_para_ausentes)} notas em {destino}")
    for lida in lidas:
        if lida.faltosos:
            nomes = ", ".join(imprimivel(nome or aluno) for aluno, nome in lida.faltosos.items())
            print(f"Não entregaram a {lida.lista} ({len(lida.faltosos)}): {nomes}.")
        if lida.por_coletar:
            _dizer_dos_por_coletar([nome or aluno for aluno, nome in lida.por_coletar.items()])
    return 3 if any(lida.por_coletar for lida in lidas) else 0


def _no_moodle(pedido: Any, turma: Turma, lida: Lida) -> int:
    moodle: Path = pedido.moodle
    tabela = planilha.ler(moodle)
    feita = preencher(turma, lida, tabela, pedido.zero_para_ausentes)
    com_defeito = any(s.entrega for s in lida.sem)
    if not feita.preenchidos and not feita.fora and not com_defeito:
        raise NaoHaNotas(sem_notebooks(lida.lista))
    if not feita.preenchidos and not com_defeito:
        frase = f"Nenhum aluno de {lida.lista} está em {moodle.name}; é a planilha desta tarefa? Nada foi gravado."
        raise NaoHaNotas(frase)
    destino = pedido.destino or moodle.with_name(f"{moodle.stem}-preenchida{moodle.suffix}")
    gravar_sem_perder(destino, tabela.em_bytes())
    print(f"{feita.preenchidos} notas em {destino}; no Moodle, use “Carregar planilha de notas”.")
    return _contar_quem_falta(feita)


def _dizer_dos_por_coletar(nomes: list[str]) -> None:
    quem = ", ".join(map(imprimivel, nomes))
    print(f"O Moodle diz que entregaram, e aqui não têm nota: {quem}; colete e corrija antes.", file=sys.stderr)


def _contar_quem_falta(feita: Preenchida) -> int:
    if feita.faltam:
        fim = "; ficaram com zero" if feita.zerados else ", e ficam sem nota; para lhes dar zero, --zero-para-ausentes"
        print(f"Não entregaram ({len(feita.faltam)}): {', '.join(feita.faltam)}{fim}.")
    if feita.com_prazo:
        print(f"Não entregaram e ainda têm prazo: {', '.join(feita.com_prazo)}.")
    if feita.por_coletar:
        _dizer_dos_por_coletar(feita.por_coletar)
    if feita.fora:
        print(f"Não estão na planilha: {', '.join(map(imprimivel, feita.fora))}.", file=sys.stderr)
    if feita.travados:
        quem = ", ".join(feita.travados)
        print(f"O Moodle diz que não aceita outra nota de: {quem}; destrave-a lá antes de carregar.", file=sys.stderr)
    return 3 if feita.fora or feita.por_coletar or feita.travados else 0


if __name__ == "__main__":
    rodar(main)
