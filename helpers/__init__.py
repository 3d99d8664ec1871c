"""O que os notebooks importam: conferir respostas, desenhar e explorar. Vai para o aluno."""
