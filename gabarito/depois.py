"""O torch que só se importa na hora em que se usa.

As listas de NumPy só precisam dele para as respostas em PyTorch do banco, e importá-lo custa mais do que julgar dez
entregas: quem corrige uma destas listas quase nunca chega a usá-lo. Para o resto do gabarito, ele é o próprio módulo.
"""

import importlib
import types
from typing import Any


class _Depois(types.ModuleType):
    def __getattr__(self, nome: str) -> Any:
        return getattr(importlib.import_module(self.__name__), nome)


torch: Any = _Depois("torch")
