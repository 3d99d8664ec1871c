"""O botão Validar do JupyterLab: a extensão do nbgrader, com o que o `python curso.py conferir` diz.

Quem executa e julga o notebook é o `comando`; aqui só se responde a quem apertou o botão. A resposta tem também o
formato do nbgrader, para a tela dele; a do curso (configuracao/jupyter/labextensions) mostra o `relato`.
"""

import html
from pathlib import Path
from typing import Any

from jupyter_server.utils import url_path_join
from nbgrader.server_extensions.validate_assignment import handlers

from helpers.conferencia.comando import NaoDaParaConferir, Situacao, conferir_notebook, resumo


def resposta(situacoes: list[Situacao]) -> dict[str, Any]:
    """O que a tela recebe: uma linha por questão e o resumo; e as que não passam, como o nbgrader as conta."""
    erradas = [s for s in situacoes if s.certa is False]
    falhas = [{"source": s.titulo, "error": html.escape(s.recado), "raw_error": s.recado} for s in erradas]
    linhas = [{"marca": s.marca, "titulo": s.titulo, "recado": s.recado, "celula": s.celula} for s in situacoes]
    return {**({"failed": falhas} if falhas else {}), "relato": {"linhas": linhas, "resumo": resumo(situacoes)}}


class Validar(handlers.ValidateAssignmentHandler):
    def validate_notebook(self, path: str) -> dict[str, Any]:
        raiz = Path(self.root_dir).resolve()
        caminho = (raiz / path).resolve()
        if not caminho.is_relative_to(raiz):
            return super().validate_notebook(path)  # o nbgrader sabe recusar
        try:
            return {"success": True, "value": resposta(conferir_notebook(caminho))}
        except NaoDaParaConferir as erro:
            return {"success": False, "value": str(erro)}
        except Exception:
            self.log.exception("defeito ao validar %s", caminho)
            frase = "Um defeito do curso, e não da sua resposta. O que houve está na janela em que o curso foi aberto."
            return {"success": False, "value": frase}


def _load_jupyter_server_extension(servidor: Any) -> None:
    base = servidor.web_app.settings["base_url"]
    servidor.web_app.settings["root_dir"] = servidor.root_dir
    nossos = [
        (url_path_join(base, r"/assignments/validate"), Validar),
        (url_path_join(base, r"/nbgrader_version"), handlers.NbGraderVersionHandler),
    ]
    servidor.web_app.add_handlers(".*$", nossos)
