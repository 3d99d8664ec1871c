"""De cada questão: a referência, os casos, os enganos conhecidos e as respostas certas de outras formas.

Nunca vai para o aluno.
"""
