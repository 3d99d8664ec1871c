"""`python curso.py notas`: as notas em um CSV comum, ou na planilha que o Moodle baixou e espera de volta."""

import csv
import html
import io
import re
import sys
from pathlib import Path

from configuracao import comandos
from configuracao.terminal import por_que, rodar
from correcao import datas, pasta_da_turma, planilha
from correcao.dono import ids_da_planilha
from correcao.texto import imprimivel
from correcao.turma import Entrega, Turma, TurmaIndisponivel, avisar_de_quem_falta, sem_notebooks
from helpers.arquivos import gravar
from helpers.conferencia.listas import achar_lista

NOTAS = "notas.csv"
# Onde uma planilha veria uma fórmula: no começo da célula e, no Excel que espera outro separador, depois de cada um.
_FORMULA = re.compile(r"(^\s*|[,;][\s\"']*|[\t\r\n]\s*)([=+@-])")


class NaoHaNotas(Exception):
    """Por que não há o que exportar, em uma frase."""


def em_csv(turma: Turma, listas: list[str], destino: Path) -> int:
    """Um CSV com uma linha por aluno e lista, como o Excel em português o lê; devolve quantas linhas."""
    entregas, sem = [], []
    for lista in listas:
        entregas += turma.entregas(lista)
        sem += turma.sem
    turma.sem = sem
    if not entregas:
        raise NaoHaNotas(sem_notebooks(listas[0] if len(listas) == 1 else None))
    cabecalho = ["aluno", "nome", "lista", "nota", "de", "desconto_por_atraso", "entregue_em", "horas_de_atraso"]
    saida = io.StringIO(newline="")
    escritor = csv.writer(saida, delimiter=";")
    escritor.writerow([*cabecalho, "situacao"])
    escritor.writerows(_linha(e) for e in entregas)
    gravar(destino, saida.getvalue().encode("utf-8-sig"))  # com BOM, o Excel lê os acentos
    return len(entregas)


def _linha(e: Entrega) -> list[str]:
    quando = datas.aqui(e.quando).strftime("%d/%m/%Y %H:%M:%S") if e.quando else ""
    situacao = "espera leitura" if e.espera else (e.motivo or "corrigida")
    nota, de, desconto = (_com_virgula(f"{n:.2f}") for n in (e.nota, e.de, e.desconto))
    horas = _com_virgula(f"{e.atraso / 3600:.1f}")
    aluno, nome, lista, situacao = map(_sem_formula, (e.aluno, e.nome or "", e.lista, situacao))
    return [aluno, nome, lista, nota, de, desconto, quando, horas, situacao]


def _com_virgula(numero: str) -> str:
    return numero.replace(".", ",")


def _sem_formula(texto: str) -> str:
    """Com um apóstrofo, que faz do resto um texto, antes do que seria executado por quem abre o CSV."""
    return _FORMULA.sub(lambda f: f"{f[1]}'{f[2]}" if f[1].strip() else f"'{f[0]}", texto)


def no_moodle(turma: Turma, lista: str, tabela: planilha.Planilha) -> tuple[int, list[str]]:
    """Preenche nota e comentário de quem tem nota; devolve quantos, e os alunos que não estão na planilha."""
    da_turma, linhas = turma.moodle(lista), tabela.participantes()
    # quem não veio de um zip do Moodle é achado pela matrícula ou pelo e-mail
    dos_alunos = {proprio: linhas[numero] for numero, proprio in ids_da_planilha(tabela).items()}
    preenchidos, ausentes = 0, []
    for e in turma.entregas(lista):
        linha = linhas.get((da_turma.get(e.aluno) or {}).get("id") or "") or dos_alunos.get(e.aluno)
        if linha is None:
            ausentes.append(e.aluno)
            continue
        maxima = _ler_numero(tabela.valor(linha, "maxima")) or e.de
        tabela.por(linha, "nota", tabela.numero(e.nota * maxima / e.de if e.de else 0.0))
        if "comentario" in tabela.colunas:
            tabela.por(linha, "comentario", comentario(e))
        preenchidos += 1
    return preenchidos, ausentes


def _ler_numero(texto: str) -> float | None:
    try:
        return float(texto.replace(",", "."))
    except ValueError:
        return None


def comentario(e: Entrega) -> str:
    """Um parágrafo curto: o que houve em cada questão que não ganhou tudo, ou que só errava por outra.

    O Moodle o lê como HTML.
    """
    frases = [e.motivo] if e.motivo else []
    frases += [f"Desconto por atraso: {e.desconto:.2f}.".replace(".", ",", 1)] if e.desconto else []
    for q in e.questoes:
        if q.espera:
            frases.append(f"{q.titulo}: espera a leitura do instrutor.")
        elif (q.pontos < q.de or q.emprestada) and q.diagnostico and not e.motivo:
            frases.append(f"{q.titulo}: {q.diagnostico}")
    texto = html.escape(" ".join(frases) or "Tudo certo.", quote=False)
    return _FORMULA.sub(lambda f: f"{f[1]}&#{ord(f[2])};", texto)  # no Moodle se lê igual


def main(argumentos: list[str] | None = None) -> int:
    pedido = comandos.ler("notas", argumentos)
    try:
        return exportar(pedido.lista, pedido.moodle, pedido.destino, pasta_da_turma())
    except (NaoHaNotas, TurmaIndisponivel, planilha.PlanilhaInvalida) as erro:
        print(erro, file=sys.stderr)
        return 2
    except OSError as erro:
        print(f"Não consegui gravar {erro.filename}: {por_que(erro)}.", file=sys.stderr)
        return 1


def exportar(pedida: str | None, moodle: Path | None, destino: Path | None, raiz: Path) -> int:
    turma = Turma(raiz)
    listas = turma.listas()
    if not listas:
        raise NaoHaNotas("Ainda não há notas; rode antes: python curso.py corrigir LISTA")
    lista = achar_lista(pedida, listas) if pedida else None
    if pedida and lista is None:
        raise NaoHaNotas(f"Não há notas da lista “{pedida}”; há destas: {', '.join(listas)}.")
    print(turma.atraso.politica())
    if moodle is None:
        destino = destino or raiz / NOTAS
        quantas = em_csv(turma, [lista] if lista else listas, destino)
        print(f"{quantas} notas em {destino}")
        return avisar_de_quem_falta(turma, lista or "LISTA")
    if lista is None:
        raise NaoHaNotas("A planilha do Moodle é de uma tarefa só; diga a lista: notas LISTA --moodle CSV")
    tabela = planilha.ler(moodle)
    preenchidos, ausentes = no_moodle(turma, lista, tabela)
    if not preenchidos and not ausentes:
        raise NaoHaNotas(sem_notebooks(lista))
    if not preenchidos:
        raise NaoHaNotas(f"Nenhum aluno de {lista} está em {moodle.name}; é a planilha desta tarefa? Nada foi gravado.")
    destino = destino or moodle.with_name(f"{moodle.stem}-preenchida{moodle.suffix}")
    tabela.gravar(destino)
    print(f"{preenchidos} notas em {destino}; no Moodle, use “Carregar planilha de notas”.")
    if ausentes:
        print(f"Não estão na planilha: {', '.join(map(imprimivel, ausentes))}.", file=sys.stderr)
    return avisar_de_quem_falta(turma, lista) or (3 if ausentes else 0)


if __name__ == "__main__":
    rodar(main)
