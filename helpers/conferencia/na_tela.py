"""Como a conferência aparece em um notebook: o diagnóstico, o recado a quem passou e o nome que ainda não existe."""

import sys
from typing import Any

from helpers.conferencia import na_celula
from helpers.conferencia.frases import TIPO_DO_RECADO
from helpers.conferencia.por_dentro import mostrar_erro

_VERDE, _VERMELHO, _NEGRITO, _FIM = "\x1b[32m", "\x1b[31m", "\x1b[1m", "\x1b[0m"


class Conferencia(AssertionError):
    """A resposta não está certa. O texto é o diagnóstico; `equivoco`, o nome curto do equívoco, se conhecido."""

    def __init__(self, frase: str, questao: str, equivoco: str | None = None):
        super().__init__(frase)
        self.questao = questao
        self.equivoco = equivoco

    def _render_traceback_(self) -> list[str]:
        """O que o notebook mostra: só o diagnóstico, sem o caminho do erro por dentro do curso."""
        import textwrap  # só aqui: quem acerta não espera por ele

        titulo = f"{_VERMELHO}{_NEGRITO}✗ {self.questao.rpartition('/')[2]}{_FIM}"
        if self.equivoco:
            titulo += f"{_VERMELHO} ({self.equivoco}){_FIM}"
        return [titulo, *textwrap.wrap(str(self), 80)]


def em_verde(texto: str) -> str:
    return f"{_VERDE}✓ {texto}{_FIM}"


def _shell() -> Any:
    """O IPython em que se está; None se não é um notebook. Não o importa, que demora: se ninguém o fez, não é."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def em_notebook() -> bool:
    return _shell() is not None


def dar_o_recado(frase: str) -> None:
    """O que se diz a quem passou: em um notebook aparece embaixo da célula, e o botão Validar o lê dali."""
    if em_notebook():
        from IPython.display import display

        display({"text/plain": em_verde(frase), TIPO_DO_RECADO: frase}, raw=True)


def cuidar_do_notebook() -> None:
    """Dá uma frase também ao que para antes de chegar aqui: a aposta que o Python não lê, a função que não há."""
    if em_notebook():
        na_celula.instalar(_shell())
        _shell().set_custom_exc((NameError,), _mostrar_nome_que_falta)


def _mostrar_nome_que_falta(shell: Any, tipo: type, erro: NameError, rastro: Any, tb_offset: int | None = None) -> None:
    while rastro.tb_next is not None:  # até o quadro em que o nome faltou
        rastro = rastro.tb_next
    codigo = rastro.tb_frame.f_code
    na_conferencia = codigo.co_name == "<module>" and "conferir" in codigo.co_names
    if not na_conferencia or not erro.name:
        shell.showtraceback((tipo, erro, erro.__traceback__), tb_offset=tb_offset)
        return
    frase = na_celula.nao_existe(erro.name)
    mostrar_erro(shell, tipo, erro, Conferencia(frase, erro.name)._render_traceback_())
