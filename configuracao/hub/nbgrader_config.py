"""O nbgrader em um JupyterHub: de que curso são as listas, onde é a troca e onde ficam as listas do aluno."""

import os
from pathlib import Path

c = get_config()

load_subconfig("nbgrader_config.py", path=str(Path(__file__).resolve().parents[1] / "jupyter"))
c.CourseDirectory.course_id = "curso-atencao"
c.Exchange.root = os.environ["CURSO_TROCA"]
if os.environ.get("CURSO_ALUNO"):
    c.Exchange.assignment_dir = str(Path(os.environ["CURSO_ALUNO"]).expanduser() / "release")
