"""`ler LISTA --exportar`: as respostas abertas com a nota, o comentário e quem leu, em um CSV e em uma página.

Servem a um recurso e ao arquivo da disciplina: o que está nelas é o que está no livro de notas nesta hora.
"""

import csv
import io
from pathlib import Path
from typing import Any

from correcao.comum import pagina
from correcao.comum.reserva import fechar, pasta_fechada
from correcao.devolucao.notas import gravar_sem_perder, sem_formula
from helpers.escrita import numero
from helpers.gravacao import gravar

PASTA = "relatorios"
CABECALHO = [
    "lista",
    "questao",
    "aluno",
    "nome",
    "pontos",
    "de",
    "quem",
    "quando",
    "criterios",
    "comentario",
    "resposta",
]


def exportar(mesa: Any) -> tuple[Path, Path]:
    """Grava o CSV e a página, e devolve onde estão."""
    pasta = pasta_fechada(mesa.turma.raiz / PASTA)
    tabela, folha = (pasta / f"{mesa.lista}-abertas{fim}" for fim in (".csv", ".html"))
    questoes = [(aberta, mesa.quadro()[aberta.id]["alunos"]) for aberta in mesa.abertas.values()]
    saida = io.StringIO(newline="")
    linhas = [_linha(mesa, aberta, dela) for aberta, alunos in questoes for dela in alunos]
    csv.writer(saida, delimiter=";").writerows([CABECALHO, *([sem_formula(c) for c in linha] for linha in linhas)])
    gravar_sem_perder(tabela, saida.getvalue().encode("utf-8-sig"))  # com BOM, o Excel lê os acentos
    modelo = pagina.ambiente().get_template("abertas.html")
    gravar(folha, modelo.render(titulo=mesa.titulo, questoes=[_questao(mesa, a, alunos) for a, alunos in questoes]))
    fechar(folha)
    return tabela, folha


def _linha(mesa: Any, aberta: Any, dela: dict[str, Any]) -> list[str]:
    criterios = "; ".join(c["escrito"] for c in dela["criterios"])
    return [
        *(mesa.lista, aberta.id, dela["id"], dela["nome"] or "", dela["pontos"], numero(aberta.pontos)),
        *(dela["quem"] or "", dela["quando"] or "", criterios, dela["comentario"], mesa.texto(aberta.id, dela["id"])),
    ]


def _questao(mesa: Any, aberta: Any, alunos: list[dict[str, Any]]) -> dict[str, Any]:
    respostas = [{**dela, "html": mesa.desenhar(aberta.id, dela["id"])} for dela in alunos]
    return {"titulo": aberta.titulo, "enunciado": pagina.markdown(aberta.enunciado), "de": numero(aberta.pontos),
            "respostas": respostas}  # fmt: skip
