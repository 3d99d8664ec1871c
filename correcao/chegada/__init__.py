"""Do zip, da planilha ou da troca até o notebook consertado de cada aluno."""
