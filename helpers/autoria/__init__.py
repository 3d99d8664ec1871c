"""Quem escreveu cada função do curso: o aluno, nas listas dele, ou o curso. A porta é `helpers.minhas`."""
