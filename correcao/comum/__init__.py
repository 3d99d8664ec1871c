"""O que todas as salas da correção usam: a anotação, as datas, as páginas, a trava."""
