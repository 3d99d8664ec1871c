"""O lado Python de uma lista na página: roda dentro do Pyodide, com o mesmo `helpers/` do notebook.

Nada aqui sabe do navegador: `atendente` recebe textos e devolve dados, e em um Python comum dá o mesmo.
"""
