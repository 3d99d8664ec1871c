"""O motor da conferência: chama a resposta, anota o que ela fez, compara e diz em uma frase o que há de errado.

Quem escreve um notebook só conhece a porta, `helpers/conferir.py`.
"""
