"""A máquina de corrigir: pede evidências ao kernel do aluno e as julga fora dele. Nunca vai para o aluno."""

DATA = "timestamp.txt"  # o arquivo em que o nbgrader guarda, em cada pasta, a data da entrega
SEGREDO = "submission_secret.txt"  # e a senha com que o aluno busca a devolutiva, quando a entrega veio pela troca
