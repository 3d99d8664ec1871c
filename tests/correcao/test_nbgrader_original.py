"""Os testes que o nbgrader traz para o autograde, com a configuração do curso: o que ele promete continua valendo.

Rodam como o nbgrader os escreveu, em turmas deles, com o exportador, a caixa, o julgamento e o registro do curso. O que
o curso faz de outro modo, de propósito, está em `NAO_SE_APLICAM`, com o porquê.
"""

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import nbgrader
import pytest
from conftest import RAIZ

pytestmark = [pytest.mark.lento, pytest.mark.tudo]  # o nbgrader só muda quando se muda a versão dele

ORIGINAIS = Path(nbgrader.__file__).parent / "tests" / "apps" / "test_nbgrader_autograde.py"

# A pasta da turma e a política de atraso são as de cada teste. Os notebooks de exemplo trazem, em inglês, os textos de
# outros dois comandos (generate_assignment e validate): com os do curso, uma resposta em branco pareceria respondida.
CONFIGURACAO = f"""
c = get_config()
load_subconfig("nbgrader_config.py", path={str(RAIZ)!r})
del c.CourseDirectory.root, c.AssignLatePenalties, c.ClearSolutions, c.Validator
"""
LIMITES = '{"celula": 3}'  # de processador, para o laço sem fim; o exemplo que dorme 5 s não gasta nenhum

NAO_SE_APLICAM = {
    "test_grade": "o comentário automático de uma resposta em branco é “Sem resposta.”, e não “No response.”",
    "test_grade_empty_timestamp": "uma data ilegível não deixa o aluno sem nota: é posta de lado",
    "test_grade_overwrite_files": "dos arquivos da entrega só o notebook é levado, mesmo com exclude_overwriting",
    "test_grade_overwrite_files_subdirs": "idem, em subpastas",
    "test_side_effects": "o que o notebook escreve fica no rascunho da caixa, e some com ela",
    "test_force_single_notebook": "compara byte a byte duas cópias; a correção anota em cada uma quanto tempo levou",
    "test_update_newer_single_notebook": "idem",
    "test_missing_files": "a pasta sem notebook algum também é uma entrega: vale zero, com o motivo",
    "test_filter_notebook": "no fim, pede que uma pasta de autograded sem o notebook fique assim; aqui é refeita",
    "test_handle_failure": "nenhuma entrega falha nem perde a pasta: a que não é da lista vale zero, com o motivo",
    "test_handle_failure_single_notebook": "idem",
    "test_missing_source_kernelspec": "o kernel é sempre o da caixa; o que o aluno pede no notebook não conta",
    "test_incorrect_source_kernelspec": "idem: nem o que a lista pede conta",
    "test_no_execute": "sem execução não há evidência nem saídas: as que vieram com a entrega não valem",
    "test_grade_with_validating_envvar": "do ambiente de quem corrige, nem NBGRADER_EXECUTION entra na caixa",
    "test_autograde_timeout": "o tempo de cada célula é o de correcao.caixa.caixa.Limites, e não o de Execute.timeout",
}
# Os que não se aplicam ficam de fora. E a cada livro novo, que há um por teste, o nbgrader chama o programa alembic
# para saber sempre a mesma coisa: aqui se pergunta uma vez.
PREPARO = f"""
from gabarito.no_nbgrader import sem_o_programa_alembic
sem_o_programa_alembic()

def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if item.name not in {sorted(NAO_SE_APLICAM)}]
"""
# O próprio nbgrader os pula.
PULADOS = {"test_many_students", "test_infinite_loop_with_output"}


@pytest.fixture(scope="module")
def resultados(tmp_path_factory) -> dict[str, str]:
    """{nome do teste: "passou", "falhou" ou "pulado"}"""
    pasta = tmp_path_factory.mktemp("original")
    for nome in ("configuracao", "casa"):
        (pasta / nome).mkdir()
    (pasta / "configuracao" / "nbgrader_config.py").write_text(CONFIGURACAO, encoding="utf-8")
    (pasta / "pytest.ini").write_text("[pytest]\n")
    (pasta / "preparo.py").write_text(PREPARO)
    casa = {"HOME": str(pasta / "casa"), "JUPYTER_CONFIG_DIR": str(pasta / "casa")}
    ambiente = os.environ | casa | {"JUPYTER_CONFIG_PATH": str(pasta / "configuracao"), "CURSO_LIMITES": LIMITES}
    ambiente["PYTHONPATH"] = os.pathsep.join([str(pasta), str(RAIZ)])
    for nome in ("CURSO_TURMA", "CURSO_LIVRO"):
        ambiente.pop(nome, None)
    relatorio = pasta / "resultados.xml"
    comando = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", f"--junitxml={relatorio}"]
    feito = subprocess.run(
        [*comando, "-p", "preparo", "-c", str(pasta / "pytest.ini"), str(ORIGINAIS)],
        cwd=pasta,
        env=ambiente,
        capture_output=True,
        text=True,
    )
    assert relatorio.is_file(), feito.stdout + feito.stderr
    return {caso.get("name"): _situacao(caso) for caso in ET.parse(relatorio).iter("testcase")}


def _situacao(caso: ET.Element) -> str:
    if caso.find("failure") is not None or caso.find("error") is not None:
        return "falhou"
    return "pulado" if caso.find("skipped") is not None else "passou"


def test_os_que_se_aplicam_passam(resultados):
    assert {nome for nome, situacao in resultados.items() if situacao != "passou"} <= PULADOS
    assert not set(resultados) & set(NAO_SE_APLICAM)


def test_a_maior_parte_se_aplica(resultados):
    assert sum(s == "passou" for s in resultados.values()) > (len(resultados) + len(NAO_SE_APLICAM)) / 2
