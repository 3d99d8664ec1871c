"""O curso visto pelo nbgrader. Fica com o instrutor; o pacote do aluno não o tem."""

import os
import sys
from pathlib import Path

RAIZ = Path(__file__).resolve().parent  # calculada aqui: é dela que vêm as salas, com helpers.RAIZ
if str(RAIZ) not in sys.path:
    sys.path.insert(0, str(RAIZ))  # `correcao` e `gabarito` moram ao lado deste arquivo
# O nbgrader chama o comando `alembic`: sem o .venv ativado, ele não estaria no PATH.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])

c = get_config()  # as classes vão como texto: ler a configuração não importa a máquina de corrigir

# O que o aluno também tem: os textos do botão Validar em português.
load_subconfig("nbgrader_config.py", path=str(RAIZ / "configuracao" / "jupyter"))

c.CourseDirectory.course_id = "curso-atencao"
if os.environ.get("CURSO_TROCA"):  # a pasta de troca de um JupyterHub (guias/jupyterhub.md)
    c.Exchange.root = os.environ["CURSO_TROCA"]
# Os testes e quem guarda as entregas fora do repositório apontam para outra pasta.
c.CourseDirectory.root = os.environ.get("CURSO_TURMA") or str(RAIZ)

# O livro de notas é um SQLite na pasta da turma; para um servidor, CURSO_LIVRO=postgresql+psycopg://usuario@maquina/banco.
if os.environ.get("CURSO_LIVRO"):
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import SQLAlchemyError

    c.CourseDirectory.db_url = os.environ["CURSO_LIVRO"]
    try:
        make_url(c.CourseDirectory.db_url).get_dialect().import_dbapi()
    except (ImportError, SQLAlchemyError) as erro:
        sys.exit(
            f"Não posso usar o livro de notas que CURSO_LIVRO pede ({erro}); para um PostgreSQL, instale antes, com o "
            "Python do curso: python -m pip install --no-deps -r configuracao/locks/postgres.lock"
        )

c.ClearSolutions.code_stub = {
    "python": "# Escreva aqui a sua resposta e apague a linha abaixo.\nraise NotImplementedError"
}
c.ClearSolutions.text_stub = "*Escreva aqui a sua resposta.*"

c.OverwriteCells.add_missing_cells = True
c.OverwriteCells.missing_cell_notification = (
    "Esta célula (id: {cell_id}) faltava na entrega e foi posta de volta pela correção.\n\n"
)

# A entrega é lida e consertada pelo exportador do curso, que faz com que nada mais do que veio com ela seja copiado.
c.Autograde.exporter_class = "correcao.juizo.exportador.Exportador"
c.Autograde.pre_convert_hook = "correcao.chegada.recebimento.antes_de_converter"

c.Autograde.sanitize_preprocessors = [
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.DeduplicateIds",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "correcao.juizo.preprocessadores.SobrescreverCelulas",
    "correcao.juizo.preprocessadores.ConferirMetadados",
]
c.Autograde.autograde_preprocessors = [
    "correcao.juizo.preprocessadores.PedirEvidencia",
    "correcao.juizo.executar.Executar",
    "correcao.juizo.preprocessadores.JulgarEvidencia",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "correcao.livro.anuladas.DesfazerAsAnuladas",
    "correcao.juizo.preprocessadores.SalvarNotas",
    "correcao.livro.anuladas.DarAsAnuladas",
    "correcao.livro.atraso.DescontarAtraso",
    "correcao.juizo.preprocessadores.Registrar",
    "correcao.juizo.preprocessadores.ConferirMetadados",
]

# O atraso: quanto da nota se perde por dia, até que teto, depois de quantas horas (correcao/livro/atraso.py).
c.AssignLatePenalties.plugin_class = "correcao.livro.atraso.Atraso"
c.Atraso.por_dia = 0.0
c.Atraso.teto = 1.0
c.Atraso.tolerancia = 0.0
# O fuso da turma: nele se escrevem os prazos (`python curso.py prazo`) e se leem as datas do Moodle.
c.Atraso.fuso = "America/Sao_Paulo"
c.NbGraderAPI.timezone = c.Atraso.fuso  # o do formgrader, que sem isto oferece +0000
c.NbGraderAPI.timestamp_format = "%d/%m/%Y %H:%M"

# O peso de cada lista na média (`notas --todas` e `relatorio`): {"01": 1, "08": 2}; o que não se diz é 1.
c.Notas.pesos = {}

# `nbgrader zip_collect`, para quem o prefere ao `python curso.py coletar`.
c.ZipCollectApp.extractor_plugin = "correcao.chegada.zip_collect.ExtratorSeguro"
c.ZipCollectApp.collector_plugin = "correcao.chegada.zip_collect.ColetorDoMoodle"

# A troca de um JupyterHub (`nbgrader collect` e `release_feedback`): uma entrega torta não para a turma.
c.ExchangeFactory.collect = "correcao.chegada.troca.ColetaDaTroca"
c.ExchangeFactory.release_feedback = "correcao.chegada.troca.DevolucaoDaTroca"

# O botão de devolutiva do formgrader, e o `nbgrader generate_feedback`, fazem a página do `python curso.py devolver`.
c.GenerateFeedback.exporter_class = "correcao.devolucao.devolver.DevolutivaDoCurso"

# No formgrader, a rubrica aparece antes da resposta (e o que o aluno escreveu não executa nada).
c.HTMLExporter.preprocessors = ["correcao.devolucao.rubrica.MostrarRubrica"]
