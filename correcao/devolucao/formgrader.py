"""O formgrader do nbgrader em português: é a extensão que o `lab --instrutor` carrega no lugar da original.

O que se traduz é o programa, e não a página: os modelos e os .js do nbgrader são lidos da instalação dele e servidos
com os textos trocados, antes que o nome de um aluno ou a resposta dele entre em cena. As frases estão em
modelos/formgrader.json, para o nbgrader que pyproject.toml fixa; uma que não esteja lá aparece em inglês, e nada para.
"""

import functools
import json
import re
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from jupyter_server.utils import url_path_join
from nbgrader.apps.api import NbGraderAPI
from nbgrader.server_extensions.formgrader import apihandlers, handlers
from nbgrader.server_extensions.formgrader.formgrader import FormgradeExtension
from nbgrader.utils import capture_log, temp_attrs
from tornado import web

from correcao.juizo.corrigir import Corretor

FRASES = Path(__file__).parents[1] / "modelos" / "formgrader.json"
MODELOS = Path(handlers.template_path)
PROGRAMAS = Path(handlers.static_path) / "js"
# 8,75 / 10 e não 8.75 / 10; a ordem da tabela usa outro atributo, que fica como está
_NOTA = re.compile(r'\.text\((\w+ \+ " / " \+ \w+)\)')


@functools.cache
def frases() -> dict[str, Any]:
    """“textos” valem entre aspas ou entre etiquetas, com qualquer espaço; “trechos”, como estão no programa."""
    return json.loads(FRASES.read_text(encoding="utf-8"))


@functools.cache
def _textos() -> re.Pattern[str]:
    """Um texto inteiro, do primeiro ao último caractere: “Name” não casa dentro de “Name of the course”."""
    longos_antes = sorted(frases()["textos"], key=len, reverse=True)
    opcoes = "|".join(r"\s+".join(map(re.escape, texto.split())) for texto in longos_antes)
    return re.compile(rf'(?<=[">}}])(\s*)({opcoes})(\s*)(?=["<{{])')


def traduzir(programa: str) -> str:
    """O modelo ou o .js com os textos conhecidos em português; os outros ficam como vieram."""
    for antes, depois in frases()["trechos"].items():
        programa = programa.replace(antes, depois)
    programa = _NOTA.sub(r'.text((\1).replace(/\\./g, ","))', programa)
    textos = frases()["textos"]
    return _textos().sub(lambda m: m[1] + textos[" ".join(m[2].split())] + m[3], programa)


class Modelos(FileSystemLoader):
    """Os modelos Jinja do formgrader, traduzidos ao serem lidos."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        fonte, arquivo, em_dia = super().get_source(environment, template)
        return traduzir(fonte), arquivo, em_dia


@functools.cache
def _programa(caminho: str) -> bytes:
    return traduzir(Path(caminho).read_text(encoding="utf-8")).encode()


class Programas(web.StaticFileHandler):
    """Os .js do formgrader, traduzidos ao serem servidos."""

    @classmethod
    def get_content(
        cls, abspath: str, start: int | None = None, end: int | None = None
    ) -> Generator[bytes, None, None]:
        yield _programa(abspath)[start:end]

    def get_content_size(self) -> int:
        return len(_programa(self.absolute_path))

    def get_content_type(self) -> str:
        return "text/javascript; charset=utf-8"


class Api(NbGraderAPI):
    """O que o botão de corrigir chama, com o corretor do curso: também a pasta sem notebook é uma entrega."""

    def autograde(self, assignment_id: str, student_id: str, force: bool = True, create: bool = True) -> dict[str, Any]:
        with temp_attrs(self.coursedir, assignment_id=assignment_id, student_id=student_id):
            corretor = Corretor(coursedir=self.coursedir, parent=self)
            corretor.force, corretor.create_student = force, create
            return capture_log(corretor)


class BotaoDeCorrigir(apihandlers.AutogradeHandler):
    @property
    def api(self) -> Api:
        self.coursedir.parent.load_config_file()
        return Api(self.coursedir, self.authenticator, parent=self.coursedir.parent)


class FormgraderEmPortugues(FormgradeExtension):
    """A extensão do nbgrader, com outros leitores de modelos e de programas, e o botão de corrigir do curso."""

    def init_tornado_settings(self, webapp: web.Application) -> None:
        super().init_tornado_settings(webapp)
        webapp.settings["nbgrader_jinja2_env"] = Environment(loader=Modelos(MODELOS), autoescape=True)
        # a tela de uma entrega é feita pelo nbconvert, que procura os modelos primeiro nestes leitores
        webapp.settings["nbgrader_exporter"].extra_loaders = [Modelos(MODELOS / "formgrade")]

    def init_handlers(self, webapp: web.Application) -> None:
        js, corrigir = r"/formgrader/static/js/(.*)", r"/formgrader/api/submission/([^/]+)/([^/]+)/autograde"
        base = webapp.settings["base_url"]
        nossos: list[Any] = [
            (url_path_join(base, js), Programas, {"path": str(PROGRAMAS)}),
            (url_path_join(base, corrigir), BotaoDeCorrigir),
        ]
        webapp.add_handlers(".*$", nossos)  # antes dos do nbgrader: vale o primeiro
        super().init_handlers(webapp)


def _load_jupyter_server_extension(servidor: Any) -> None:
    formgrader = FormgraderEmPortugues(parent=servidor)
    formgrader.root_dir = servidor.root_dir
    formgrader.log = servidor.log
    formgrader.initialize([])
    formgrader.init_tornado_settings(servidor.web_app)
    formgrader.init_handlers(servidor.web_app)
