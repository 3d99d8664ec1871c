"""O que mais de uma questão da lista 08 usa."""

from gabarito.base import gerador as gerador_dado

# as palavras que servem para o tamanho do texto; "contexto" não é uma delas
O_TEXTO = r"dados|(?<!con)texto|tokens|caracteres|sequ[eê]ncia"


def novo_gerador(rng):
    return gerador_dado(int(rng.integers(2**40)))
