"""O que dizer de cada erro do Python: a tabela, e o que não cabe em uma frase pronta."""
