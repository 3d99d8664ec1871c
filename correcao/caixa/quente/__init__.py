"""A caixa quente: a mãe, que já importou tudo, e quem pede filhas a ela."""
