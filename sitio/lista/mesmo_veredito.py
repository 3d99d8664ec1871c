"""O banco na página: cada equívoco e cada alternativa das listas 01 a 06 ouve no Pyodide o que ouve no notebook?

    python -m sitio.lista.mesmo_veredito [lista-02 …]

Aqui a resposta é conferida no Python do curso, com o torch; na página, pelo motor, em um Node. O que difere sem ser
engano nosso está em `DIFEREM`, com o porquê.
"""

import contextlib
import io
import json
import linecache
import subprocess
import sys
import tempfile
import types
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from configuracao.lugares import RAIZ
from gabarito.banco import questoes_das_listas
from gabarito.codigo import como_celula
from helpers.conferencia.parecer import dar_parecer
from sitio.lista import recursos
from sitio.lista.rastro import celulas

CAMPOS = ("situacao", "frase", "equivoco", "fracao")
# “questão resposta” → por que a página diz outra coisa
DIFEREM = {
    "lista-05/contar_parametros cria-as-matrizes": "em 32 bits, do array que não cabe o NumPy não diz a forma",
}
EM_NODE = RAIZ / "sitio" / "lista" / "em_node.mjs"


@dataclass(frozen=True)
class Resposta:
    """Uma resposta do banco, como um aluno a escreveria na célula da questão."""

    questao: str
    nome: str
    texto: str

    @property
    def com_torch(self) -> bool:
        return "torch" in self.texto

    def __str__(self) -> str:
        return f"{self.questao} {self.nome}"


def respostas(lista: str) -> list[Resposta]:
    questoes = [q for q in questoes_das_listas() if q.lista == lista]
    return [Resposta(q.nome, r.nome, como_celula(q, r)) for q in questoes for r in (*q.certas, *q.equivocos)]


def no_notebook(resposta: Resposta) -> dict[str, Any]:
    """O que a conferência diz no Python do curso, com a célula rodada em um espaço só dela."""
    modulo, arquivo = types.ModuleType("__main__"), f"<célula {resposta}>"
    linecache.cache[arquivo] = (len(resposta.texto), None, resposta.texto.splitlines(True), arquivo)
    antes, sys.modules["__main__"] = sys.modules["__main__"], modulo
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(resposta.texto, arquivo, "exec", dont_inherit=True), vars(modulo))
            parecer = dar_parecer(resposta.questao, vars(modulo)[resposta.questao.rpartition("/")[2]])
    finally:
        sys.modules["__main__"] = antes
    return {campo: getattr(parecer, campo) for campo in CAMPOS}


def na_pagina(pasta: Path, lista: str, quais: Iterable[Resposta]) -> list[dict[str, Any]]:
    """O que o motor diz de cada uma; `pasta` tem o que `recursos.preparar` fez, e o manifesto."""
    da_lista = celulas(lista)
    pedidos = [{"que": "conferir", "questao": r.questao, "celulas": [_com_ela(c, r) for c in da_lista]} for r in quais]
    return em_node(pasta, lista, pedidos)


def _com_ela(celula: dict[str, str], resposta: Resposta) -> dict[str, str]:
    funcao = resposta.questao.rpartition("/")[2]
    return celula | {"texto": resposta.texto} if f"def {funcao}(" in celula["texto"] else celula


def em_node(pasta: Path, lista: str, pedidos: list[dict[str, Any]]) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as temporaria:
        entrada, saida = Path(temporaria, "pedidos.json"), Path(temporaria, "respostas.json")
        entrada.write_text(json.dumps([{"lista": lista, "pedidos": pedidos}]), encoding="utf-8")
        feito = subprocess.run(
            ["node", str(EM_NODE), str(pasta), str(entrada), str(saida)],
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        if feito.returncode:
            raise RuntimeError(f"O Node parou: {feito.stderr[-3000:]}")
        return json.loads(saida.read_text("utf-8"))[0]["respostas"]


def diferencas(pasta: Path, lista: str, quais: list[Resposta]) -> list[str]:
    """As que ouvem outra coisa na página; das que usam o torch, as que ela não recusa."""
    problemas = []
    for r, la in zip(quais, na_pagina(pasta, lista, quais), strict=True):
        if r.com_torch:
            if la["situacao"] != "sem-torch":
                problemas.append(f"{r}: usa o torch, e a página diz {la['situacao']}: {la['frase']}")
            continue
        aqui, dito = no_notebook(r), {campo: la[campo] for campo in CAMPOS}
        if aqui != dito and str(r) not in DIFEREM:
            problemas.append(f"{r}:\n  notebook: {aqui}\n  página:   {dito}")
    return problemas


def main(pedidas: list[str]) -> int:
    achados = 0
    with tempfile.TemporaryDirectory() as temporaria:
        pasta = Path(temporaria)
        quais = pedidas or list(recursos.LISTAS)
        if recursos.preparar(pasta, quais) is None:
            return 2
        for lista in quais:
            todas = respostas(lista)
            problemas = diferencas(pasta, lista, todas)
            torch = sum(r.com_torch for r in todas)
            print(f"{lista}: {len(todas)} respostas, {torch} com o torch, {len(problemas)} diferença(s).", flush=True)
            print("\n".join(f"  {p}" for p in problemas))
            achados += len(problemas)
    return 1 if achados else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
