"""O que veio de fora, como se pode mostrar e comparar."""

import unicodedata
from typing import Any


def imprimivel(texto: str, troca: str = "?", maximo: int | None = None) -> str:
    """Uma linha só, sem códigos de terminal, sem sentido trocado e que se pode gravar em UTF-8.

    Nomes de arquivos em Linux são bytes quaisquer, e uma frase pode citar o que o aluno escreveu.
    """
    return "".join(c if c.isprintable() else troca for c in texto[:maximo])


def texto_valido(valor: Any) -> str:
    """Um texto que se pode gravar em UTF-8: nem tudo o que cabe em um str do Python cabe em um arquivo."""
    if isinstance(valor, list) and all(isinstance(v, str) for v in valor):
        valor = "".join(valor)
    return valor.encode("utf-8", "replace").decode("utf-8") if isinstance(valor, str) else ""


def sem_acentos(texto: str) -> str:
    """Sem acentos, sem maiúsculas, sem espaços nas pontas."""
    separado = unicodedata.normalize("NFKD", texto.strip().casefold())
    return "".join(c for c in separado if not unicodedata.combining(c))
