"""O curso visto pelo nbgrader. Fica com o instrutor; o pacote do aluno não o tem."""

import os
import sys
from pathlib import Path

RAIZ = Path(__file__).resolve().parent
if str(RAIZ) not in sys.path:
    sys.path.insert(0, str(RAIZ))  # `correcao` e `gabarito` moram ao lado deste arquivo
# O nbgrader chama o comando `alembic`: sem o .venv ativado, ele não estaria no PATH.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])

from nbconvert.preprocessors import ClearMetadataPreprocessor  # noqa: E402
from nbgrader.preprocessors import (  # noqa: E402
    AssignLatePenalties,
    CheckCellMetadata,
    IgnorePattern,
    LimitOutput,
)

from correcao.nbgrader import Executar, JulgarEvidencia, PedirEvidencia, SalvarNotas  # noqa: E402

c = get_config()

# O que o aluno também tem: os textos do botão Validar em português.
load_subconfig("nbgrader_config.py", path=str(RAIZ / "configuracao" / "jupyter"))

c.CourseDirectory.course_id = "curso-atencao"
# Os testes e quem guarda as entregas fora do repositório apontam para outra pasta.
c.CourseDirectory.root = os.environ.get("CURSO_TURMA", str(RAIZ))

c.ClearSolutions.code_stub = {
    "python": "# Escreva aqui a sua resposta e apague a linha abaixo.\nraise NotImplementedError"
}
c.ClearSolutions.text_stub = "*Escreva aqui a sua resposta.*"

c.OverwriteCells.add_missing_cells = True
c.OverwriteCells.missing_cell_notification = (
    "Esta célula (id: {cell_id}) faltava na entrega e foi posta de volta pela correção.\n\n"
)

# As chamadas de uma questão têm 60 s ao todo (correcao/evidencia.py); a célula tem folga para isso.
c.Execute.timeout = 90
# O kernel avisa, em inglês e a cada entrega, que conversa por TCP local; o histórico não vai para o disco.
c.Execute.extra_arguments = ["--HistoryManager.hist_file=:memory:", "--IPKernelApp.log_level=40"]
c.Execute.error_on_timeout = {
    "ename": "TempoEsgotado",
    "evalue": "a célula não terminou em 90 s",
    "traceback": ["A célula não terminou em 90 s; há um laço que não acaba?"],
}

c.Autograde.autograde_preprocessors = [
    PedirEvidencia,
    Executar,
    JulgarEvidencia,
    IgnorePattern,
    ClearMetadataPreprocessor,
    LimitOutput,
    SalvarNotas,
    AssignLatePenalties,
    CheckCellMetadata,
]
