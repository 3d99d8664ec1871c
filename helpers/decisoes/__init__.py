"""Como cada lista decide o que *manga* é em uma frase, com as funções do aluno (ver `helpers.engane`): um arquivo por
lista, só com o NumPy, porque a página de uma lista também o usa."""
