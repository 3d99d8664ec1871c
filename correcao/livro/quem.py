"""De que aluno se fala: quem corrige lembra o nome da pessoa, e as pastas têm a matrícula dela."""

import difflib
from collections.abc import Mapping

from configuracao.comandos import enumerar
from correcao.comum.texto import imprimivel, sem_acentos

_MAIS = 4  # sugestões

Conhecidos = Mapping[str, str | None]  # a pasta do aluno → o nome dele, se alguém o disse


def achar(pedido: str, conhecidos: Conhecidos) -> str | None:
    """A pasta de quem tem essa pasta ou, inteiro, esse nome; None se não há, ou se há mais de um."""
    if pedido in conhecidos:
        return pedido
    simples = sem_acentos(pedido)
    achados = [pasta for pasta, nome in conhecidos.items() if simples in (sem_acentos(pasta), sem_acentos(nome or ""))]
    return achados[0] if simples and len(achados) == 1 else None


def parecidos(pedido: str, conhecidos: Conhecidos) -> str:
    """` (você quis dizer “20261034”, de Bruno Lima?)`: quem tem essas palavras no nome ou, senão, o mais parecido."""
    if pedido in conhecidos:
        return ""
    palavras = sem_acentos(pedido).split()
    nomes = {pasta: sem_acentos(f"{pasta} {nome or ''}") for pasta, nome in conhecidos.items()}
    proximos = [
        pasta
        for pasta, nome in nomes.items()
        if palavras and all(any(parte.startswith(p) for parte in nome.split()) for p in palavras)
    ]
    if not proximos:
        de_cada = {
            texto: pasta for pasta, nome in nomes.items() for texto in (sem_acentos(pasta), nome, *nome.split()[1:])
        }
        perto = difflib.get_close_matches(" ".join(palavras), de_cada, 1, 0.6)
        proximos = [de_cada[texto] for texto in perto]
    ditos = [_dito(pasta, conhecidos[pasta]) for pasta in proximos[:_MAIS]]
    return f" (você quis dizer {enumerar(ditos, 'ou')}?)" if ditos else ""


def _dito(pasta: str, nome: str | None) -> str:
    return f"“{imprimivel(pasta)}”" + (f", de {imprimivel(nome)}" if nome else "")
