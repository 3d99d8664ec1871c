"""O que os comandos da correção usam do terminal é o mesmo de todos os comandos do curso."""

from configuracao.terminal import por_que, rodar

__all__ = ["por_que", "rodar"]
