"""O JupyterLab do curso: quieto, sem perguntas e sem depender da internet."""

import os
import warnings
from pathlib import Path

from configuracao.saidas import ao_salvar

c = get_config()

c.Application.log_level = "ERROR"
c.ServerApp.answer_yes = True  # um Ctrl-C encerra, sem perguntar em inglês
c.ServerApp.port_retries = 0  # o curso.py já escolheu uma porta livre e anunciou o endereço
c.ServerApp.use_redirect_file = False  # alguns navegadores não abrem arquivos de pastas escondidas
c.LabApp.news_url = None
c.LabApp.check_for_updates_class = "jupyterlab.NeverCheckForUpdate"
c.LabApp.extension_manager = "readonly"
c.LabApp.extra_labextensions_path = [str(Path(__file__).resolve().parent / "labextensions")]
warnings.filterwarnings("ignore", message="Overriding existing pre_save_hook")  # o Jupyter lê esta linha duas vezes
c.ContentsManager.pre_save_hook = ao_salvar  # um explorador reabre com a sua imagem
perfis = {Path(pasta).name for pasta in os.environ.get("JUPYTER_CONFIG_PATH", "").split(os.pathsep)}
if "instrutor" not in perfis:  # o formgrader desenha as suas telas com este mesmo exportador
    # “Salvar e exportar como HTML” dá uma página que se lê sem rede
    c.HTMLExporter.extra_template_basedirs = [str(Path(__file__).resolve().parent / "nbconvert" / "templates")]
    c.HTMLExporter.template_name = "curso"
    c.HTMLExporter.language_code = "pt-BR"
    c.HTMLExporter.preprocessors = ["helpers.exportar.Formulas"]
