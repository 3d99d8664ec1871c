"""O que sai para o aluno e para o instrutor: páginas, notas, relatório, a leitura das questões abertas."""
