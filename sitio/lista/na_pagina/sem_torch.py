"""O que a página não tem, dito em uma frase a quem o pede: o torch, outros módulos, quem responda a um input."""

import builtins
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from types import ModuleType
from typing import Any, NoReturn

_DO_CURSO = ("helpers", "sitio")
TORCH = (
    "O torch não roda na página. Escreva com o NumPy ou, se a questão pede o torch, baixe a lista e confira-a com o "
    "curso instalado."
)
# Do curso instalado, mas não daqui: quem os importa merece saber disso, e não que “não há um módulo com esse nome”.
_NAO_VEM = ("matplotlib", "IPython", "ipywidgets", "anywidget", "scipy", "pandas", "sklearn")


class SemTorch(ImportError):
    """Alguém precisou do torch."""

    pedido = False  # desde a última vez que se olhou

    def __init__(self) -> None:
        super().__init__(TORCH)
        SemTorch.pedido = True


class _SemTorch:
    """No lugar do torch que o preparo de uma lista importa: só diz que não está aqui quando alguém o usa."""

    def __getattr__(self, nome: str) -> NoReturn:
        if nome.startswith("__"):
            raise AttributeError(nome)
        raise SemTorch

    def __call__(self, *_entradas: Any, **_opcoes: Any) -> NoReturn:
        raise SemTorch


nome_sem_torch = _SemTorch()


class _Recusa(MetaPathFinder):
    def find_spec(self, nome: str, caminho: Sequence[str] | None, alvo: ModuleType | None = None) -> None:
        raiz = nome.partition(".")[0]
        if raiz == "torch":
            raise SemTorch
        if raiz in _NAO_VEM:
            raise ModuleNotFoundError(
                f"`{raiz}` não vem com a página: aqui há o NumPy. Use-o, ou o curso instalado.", name=nome
            )
        if raiz in _DO_CURSO:  # só chega aqui o que os outros procuraram e não acharam
            raise ModuleNotFoundError(f"`{nome}` só existe no curso instalado; a página não o traz.", name=nome)


def _sem_perguntar(_pergunta: object = "") -> NoReturn:
    raise RuntimeError("na página não há como responder a um input; escreva o valor no próprio código")


def instalar() -> None:
    """Só na página: em um Python comum, o torch e o input existem."""
    sys.meta_path.insert(0, _ForaDaqui())
    sys.meta_path.append(_Recusa())
    builtins.input = _sem_perguntar


class _ForaDaqui(_Recusa):
    """Antes de todos: o torch nem se procura, e o que o Pyodide diria dele manda instalar um pacote."""

    def find_spec(self, nome: str, caminho: Sequence[str] | None, alvo: ModuleType | None = None) -> None:
        if nome.partition(".")[0] not in _DO_CURSO:
            super().find_spec(nome, caminho, alvo)
