"""O que os notebooks importam. Vai para o aluno.

Há duas salas: `conferencia/` é o motor que confere respostas, e `conferir.py`, a porta dele; o resto é a oficina das
aulas (desenhar, explorar, ler o corpus, treinar, rodar um LLM).
"""

from pathlib import Path

RAIZ = Path(__file__).resolve().parent.parent  # a pasta do curso
