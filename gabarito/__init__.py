"""De cada questão: a referência, os casos, os equívocos conhecidos e as respostas certas de outras formas.

Nunca vai para o aluno.
"""

import os

# Antes do torch: as contas do banco são miúdas, e duas threads em máquina ocupada as deixam muito mais lentas.
os.environ.setdefault("OMP_NUM_THREADS", "1")
