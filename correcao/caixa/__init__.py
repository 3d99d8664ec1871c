"""Onde roda o que veio de um aluno, e a conversa com o kernel dele."""
