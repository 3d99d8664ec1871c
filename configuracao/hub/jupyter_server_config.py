"""O servidor de uma pessoa em um JupyterHub: o que o `python curso.py lab` recebe do jupyter_lab_config.py."""

from pathlib import Path

c = get_config()

load_subconfig("jupyter_lab_config.py", path=str(Path(__file__).resolve().parents[1] / "jupyter"))
