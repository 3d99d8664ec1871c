"""`python curso.py conferir LISTA`: o que o botão Validar faz, no terminal, questão por questão."""

import logging
import os
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import nbformat
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbconvert.filters import strip_ansi
from nbgrader import utils
from nbgrader.validator import Validator
from traitlets.config import Config

from helpers import RAIZ, do_aluno
from helpers.conferencia.frases import TIPO_DO_RECADO
from helpers.conferencia.listas import LISTA_ATUAL, achar_lista, nao_existe
from helpers.conferencia.nao_rodou import por_que_nao_rodou
from helpers.conferencia.por_dentro import celulas_alteradas, executar_e_validar
from helpers.escrita import numero

RELEASE = do_aluno() / "release"
_DE_UMA_TURMA = {"submitted", "autograded", "feedback"}  # as pastas do nbgrader em que há o que os alunos escreveram
_CELULA = (
    300  # segundos de relógio: o limite de uma conferência é outro, de processador; este só pega um laço fora dela
)
SEM_RESPOSTA = "sem resposta ainda"


class NaoDaParaConferir(Exception):
    """O que impede a conferência, em uma frase."""


@dataclass
class Situacao:
    nome: str
    pontos: float
    certa: bool | None  # None: a questão é corrigida por uma pessoa
    recado: str = ""
    celula: str = ""  # o id da que se responde, para quem quer ir até ela

    @property
    def marca(self) -> str:
        return {True: "✓", False: "✗", None: "·"}[self.certa]

    @property
    def titulo(self) -> str:
        return f"{self.nome} ({_pontos(self.pontos)})"


def achar_notebook(pedido: str) -> Path:
    """O notebook de uma lista, pelo número, pelo nome ou pelo caminho; nunca o de uma entrega."""
    caminho = _procurar(pedido)
    atalho, alvo = Path(os.path.abspath(caminho)), caminho.resolve()
    if pasta := _pasta_de_entregas(atalho) or _pasta_de_entregas(alvo):
        raise NaoDaParaConferir(
            f"{pedido} está em uma pasta de entregas ({pasta}), e conferi-lo rodaria sem isolamento o que outra pessoa "
            "escreveu; corrija com: python curso.py corrigir LISTA --aluno ALUNO (se é seu, copie-o para outra pasta)."
        )
    return alvo


def _pasta_de_entregas(caminho: Path) -> str | None:
    """A pasta de uma turma em que o arquivo está; o lugar em que o próprio curso mora não conta."""
    base = next((b for b in (do_aluno(), RAIZ) if caminho.is_relative_to(b)), Path(caminho.anchor))
    partes = caminho.relative_to(base).parts
    return next((parte for parte in partes if parte in _DE_UMA_TURMA), None)


def _procurar(pedido: str) -> Path:
    if pedido.endswith(".ipynb"):
        if not Path(pedido).is_file():
            raise NaoDaParaConferir(f"Não achei o arquivo {pedido}; confira o caminho.")
        return Path(pedido)
    listas = sorted(p.name for p in RELEASE.glob("lista-*"))
    lista = achar_lista(pedido, listas)
    if lista is None:
        raise NaoDaParaConferir(nao_existe(pedido, listas))
    caminho = RELEASE / lista / f"{lista}.ipynb"
    if not caminho.is_file():
        outros = sorted(p.name for p in caminho.parent.glob("*.ipynb"))
        raise NaoDaParaConferir(
            f"A pasta release/{lista} não tem {lista}.ipynb; "
            + (f"se é o {outros[0]}, devolva a ele o nome antigo." if outros else "copie-o de novo do pacote do curso.")
        )
    return caminho


def ler_notebook(caminho: Path) -> Any:
    try:
        nb = nbformat.read(caminho, as_version=4)
        nbformat.validate(nb)
    except (OSError, ValueError, AttributeError, KeyError, nbformat.ValidationError) as erro:
        raise NaoDaParaConferir(
            f"{caminho.name} não é um notebook que se possa ler; abra-o no JupyterLab e salve de novo, "
            "ou recomece de uma cópia da lista."
        ) from erro
    if not any(utils.is_grade(c) for c in nb.cells):
        raise NaoDaParaConferir(
            f"{caminho.name} não tem questões de lista; se foi editado fora do JupyterLab, as marcas podem ter sumido."
        )
    return nb


def conferir_notebook(caminho: Path) -> list[Situacao]:
    """Executa o notebook em um kernel limpo e diz a situação de cada questão. O arquivo não muda."""
    nb = ler_notebook(caminho)
    # O kernel avisa, em inglês, que conversa por TCP local: não interessa a quem confere uma lista.
    argumentos = ["--HistoryManager.hist_file=:memory:", "--IPKernelApp.log_level=40"]
    if achada := re.match(r"lista-\d\d", caminho.name):  # de outras listas, só o que a correção também tem
        argumentos.append(f"--IPKernelApp.exec_lines=import os; os.environ['{LISTA_ATUAL}'] = '{achada.group()}'")
    validador = Validator(config=Config({"Execute": {"extra_arguments": argumentos, "timeout": _CELULA}}))
    validador.log.setLevel(logging.CRITICAL)
    try:
        with utils.chdir(str(caminho.parent)):
            nb = executar_e_validar(validador, nb)
    except DeadKernelError as erro:
        raise NaoDaParaConferir(
            "O kernel parou no meio do notebook; alguma célula encerra o Python ou usa memória demais."
        ) from erro
    except CellTimeoutError as erro:
        raise NaoDaParaConferir("Uma célula não terminou a tempo; há um laço que não acaba?") from erro
    mudadas = {c.metadata.nbgrader.grade_id for c in celulas_alteradas(validador, nb)}
    quebradas = {
        c.metadata.nbgrader.grade_id: dito
        for c in nb.cells
        if utils.is_solution(c) and c.cell_type == "code" and (dito := por_que_nao_rodou(c))
    }
    ids = {c.metadata.nbgrader.grade_id: c.get("id", "") for c in nb.cells if "nbgrader" in c.metadata}
    return [
        replace(s, celula=ids.get(_enunciado(c), c.get("id", "")))
        for c in nb.cells
        if utils.is_grade(c) and (s := _situacao(c, mudadas, quebradas))
    ]


def _enunciado(celula: Any) -> str:
    return "enunciado-" + celula.metadata.nbgrader.grade_id.removeprefix("confere-")


def _situacao(celula: Any, mudadas: set[str], quebradas: dict[str, str]) -> Situacao:
    nome = celula.metadata.nbgrader.grade_id.removeprefix("confere-").replace("discussao-", "discussão ")
    pontos = float(celula.metadata.nbgrader.points)
    nota, _ = utils.determine_grade(celula)
    if utils.is_solution(celula):
        return Situacao(nome, pontos, None, SEM_RESPOSTA if nota == 0 else "respondida; quem corrige é uma pessoa")
    if celula.cell_type != "code":
        return Situacao(nome, pontos, False, "a célula de teste deixou de ser de código; volte-a ao tipo que tinha")
    if celula.metadata.nbgrader.grade_id in mudadas:
        recado = "a célula de teste foi alterada; na correção vale a original, então desfaça a mudança"
        return Situacao(nome, pontos, False, recado)
    if any(s.get("ename") == "NameError" for s in celula.outputs) and nome in quebradas:
        return Situacao(nome, pontos, False, quebradas[nome])
    return Situacao(nome, pontos, nota == pontos, _recado(celula))


def _recado(celula: Any) -> str:
    """O diagnóstico da célula, sem as cores e sem a linha do título; ou o recado a quem passou."""
    for saida in celula.outputs:
        if TIPO_DO_RECADO in saida.get("data", {}):
            return str(saida.data[TIPO_DO_RECADO])
        if saida.output_type == "error":
            if saida.ename == "Conferencia":
                return saida.evalue
            linhas = [strip_ansi(linha) for linha in saida.traceback]
            return (
                " ".join(linhas[1:]) if linhas[:1] and linhas[0].startswith("✗") else f"{saida.ename}: {saida.evalue}"
            )
    return ""


def _pontos(n: float) -> str:
    return f"{numero(n)} ponto" + ("" if n == 1 else "s")


def resumo(situacoes: list[Situacao]) -> str:
    """O que já passa, quantos pontos isso dá e que questões abertas ainda estão em branco."""
    automaticas = [s for s in situacoes if s.certa is not None]
    certas = [s for s in automaticas if s.certa]
    ganhos, total = sum(s.pontos for s in certas), sum(s.pontos for s in automaticas)
    quantas = f"{len(certas)} de {len(automaticas)} questões"
    frase = f"{quantas} passam nos casos visíveis ({numero(ganhos)} de {_pontos(total)})."
    vazias = [s.nome for s in situacoes if s.certa is None and s.recado == SEM_RESPOSTA]
    if vazias:
        frase += f" Ainda em branco: {', '.join(vazias)}."
    return frase


def relatar(situacoes: list[Situacao]) -> str:
    linhas = [f"{s.marca} {s.titulo}" + (f": {s.recado}" if s.recado else "") for s in situacoes]
    return "\n".join([*linhas, "", resumo(situacoes)])


def main(argumentos: list[str] | None = None) -> int:
    from configuracao import comandos  # só aqui: a caixa, que importa esta pasta, não enxerga a outra

    pedido = comandos.ler("conferir", argumentos).lista
    try:
        caminho = achar_notebook(pedido)
        print(f"Conferindo {caminho.name} em um kernel limpo…\n", flush=True)
        situacoes = conferir_notebook(caminho)
    except NaoDaParaConferir as erro:
        print(erro, file=sys.stderr)
        return 2
    print(relatar(situacoes))
    return 0 if all(s.certa is not False for s in situacoes) else 1


if __name__ == "__main__":
    from configuracao.terminal import rodar

    rodar(main)
