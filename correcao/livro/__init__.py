"""O livro de notas e o que se lê dele: prazos, atrasos, leituras, a turma."""
