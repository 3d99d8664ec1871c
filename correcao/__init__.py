"""A máquina de corrigir: pede evidências ao kernel do aluno e as julga fora dele. Nunca vai para o aluno."""
