"""Como se diz uma lista, na linha de comando e no ambiente."""

LISTA_ATUAL = "CURSO_LISTA"  # variável de ambiente: a que se confere; dela em diante, nada vem de `helpers.minhas`


def achar_lista(pedido: str, listas: list[str]) -> str | None:
    """A lista que o pedido nomeia: "2", "02", "lista-02" ou o nome inteiro."""
    numero, _, resto = pedido.removeprefix("lista-").partition("-")
    if numero.isdigit():
        pedido = "-".join(parte for parte in (f"lista-{int(numero):02d}", resto) if parte)
    return next((nome for nome in listas if nome == pedido or nome.startswith(f"{pedido}-")), None)


def nao_existe(pedido: str, listas: list[str]) -> str:
    """O que se diz a quem pede uma lista que não há."""
    return f"Não existe a lista “{pedido}”; existem: {', '.join(listas) or 'nenhuma'}."
