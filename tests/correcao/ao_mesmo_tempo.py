"""Vários leitores dão nota à mesma resposta, ao mesmo tempo, tendo visto a mesma coisa.

Também é um programa, que test_postgres.py roda onde está o que o servidor pede: recebe a turma, a lista, o aluno
e a questão, e escreve quantos gravaram e quantos foram avisados.
"""

import json
import sys
import threading
from pathlib import Path

from correcao.livro import leitura
from correcao.livro.turma import Turma


def ao_mesmo_tempo(raiz: Path, lista: str, aluno: str, questao: str, leitores: int = 4) -> list[int]:
    """[quantos gravaram, quantos foram avisados da nota que outro deu]."""
    with Turma(raiz).livro() as livro:
        versao = leitura.situacoes(livro, lista)[aluno, questao].versao
    largada, ditos = threading.Barrier(leitores), []

    def gravar(quem: str) -> None:
        turma = Turma(raiz)
        largada.wait()
        try:
            leitura.dar_nota(turma, lista, aluno, questao, quem=quem, pontos=0.5, versao=versao)
            ditos.append("gravou")
        except leitura.Ultrapassada as erro:
            ditos.append("avisado" if "deu 0,5 a esta resposta" in str(erro) else str(erro))

    threads = [threading.Thread(target=gravar, args=(f"leitor {i}",)) for i in range(leitores)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [ditos.count("gravou"), ditos.count("avisado")]


if __name__ == "__main__":
    print(json.dumps(ao_mesmo_tempo(Path(sys.argv[1]), *sys.argv[2:])))
