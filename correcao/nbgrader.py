"""O que se pendura nos pontos de extensão do nbgrader (ver nbgrader_config.py).

Antes de executar, `PedirEvidencia` sorteia entradas e as deixa em um arquivo; depois, `JulgarEvidencia` lê o que o
kernel respondeu, compara com o gabarito neste processo e escreve o veredito na célula. Quem dá a nota é o próprio
nbgrader, que lê a célula.
"""

import json
import os
import re
import secrets
import tempfile
from pathlib import Path
from typing import Any

from nbclient.exceptions import DeadKernelError
from nbformat.v4 import new_output
from nbgrader import utils
from nbgrader.preprocessors import Execute, NbGraderPreprocessor, SaveAutoGrades

from correcao import evidencia
from gabarito.base import Questao, carregar_tudo
from helpers.conferir import PEDIDO, TIPO_DA_EVIDENCIA, Conferencia
from helpers.julgamento import Diagnostico

_CHAMADA = re.compile(r"""^\s*conferir\(\s*["']([\w/-]+)["']""", flags=re.MULTILINE)


def questao_da_celula(celula: Any, questoes: dict[str, Questao]) -> Questao | None:
    """A questão que uma célula de teste confere; None se a célula não é uma conferência do curso."""
    if celula.cell_type != "code" or not utils.is_grade(celula) or utils.is_solution(celula):
        return None
    achada = _CHAMADA.search(celula.source)
    return questoes.get(achada.group(1)) if achada else None


class PedirEvidencia(NbGraderPreprocessor):
    """Sorteia as entradas desta entrega e deixa o pedido onde o kernel o encontra."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        questoes = carregar_tudo()
        semente = secrets.randbits(63)
        do_notebook = [q for c in nb.cells if (q := questao_da_celula(c, questoes))]
        pedido = {q.nome: evidencia.pedido(q, semente) for q in do_notebook}
        pasta = tempfile.mkdtemp(prefix="curso-")
        caminho = Path(pasta, "pedido.json")
        caminho.write_text(json.dumps(pedido), encoding="utf-8")
        os.environ[PEDIDO] = str(caminho)  # o kernel herda o ambiente deste processo
        resources["curso"] = {"semente": semente, "pedido": str(caminho)}
        return nb, resources


class Executar(Execute):
    """O Execute do nbgrader, que não perde a entrega quando o kernel morre: o resto das células fica sem evidência."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        try:
            return super().preprocess(nb, resources)
        except DeadKernelError:
            self.log.warning("O kernel morreu; as células que não chegaram a rodar ficam sem pontos.")
            return nb, resources


class JulgarEvidencia(NbGraderPreprocessor):
    """Troca a saída de cada conferência pelo veredito: nada do que a célula mostrou vale ponto."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        questoes = carregar_tudo()
        curso = resources.pop("curso")
        os.environ.pop(PEDIDO, None)
        Path(curso["pedido"]).unlink(missing_ok=True)
        Path(curso["pedido"]).parent.rmdir()
        for celula in nb.cells:
            q = questao_da_celula(celula, questoes)
            if q is not None:
                celula.outputs = [self._veredito(q, curso["semente"], celula)]
        return nb, resources

    def _veredito(self, q: Questao, semente: int, celula: Any) -> Any:
        diagnostico = self._sem_evidencia(celula)
        if diagnostico is None:
            diagnostico = evidencia.julgar(q, semente, self._ultima(celula))
        if diagnostico is None:
            quantos = len(q.casos) + len(q.casos_ocultos(evidencia.semente_da_questao(semente, q.nome)))
            return new_output("stream", name="stdout", text=f"✓ {q.funcao}: {quantos} casos certos.\n")
        erro = Conferencia(diagnostico.frase, q.nome, diagnostico.equivoco)
        return new_output("error", ename="Conferencia", evalue=str(erro), traceback=erro._render_traceback_())

    @staticmethod
    def _ultima(celula: Any) -> str | None:
        textos = [o.data[TIPO_DA_EVIDENCIA] for o in celula.outputs if TIPO_DA_EVIDENCIA in o.get("data", {})]
        return textos[-1] if textos else None

    def _sem_evidencia(self, celula: Any) -> Diagnostico | None:
        if self._ultima(celula) is not None:
            return None
        erros = [o for o in celula.outputs if o.output_type == "error"]
        if erros and erros[0].ename == "NameError":
            nome = re.search(r"'(\w+)'", erros[0].evalue)
            quem = f"`{nome.group(1)}`" if nome else "a função"
            return Diagnostico(f"O nome {quem} não existe no notebook que você entregou.")
        motivo = f" ({erros[0].ename}: {erros[0].evalue})" if erros else ""
        return Diagnostico(f"A correção não recebeu nenhum resultado da sua função{motivo}.")


class SalvarNotas(SaveAutoGrades):
    """O SaveAutoGrades do nbgrader, com o comentário automático em português."""

    def _add_comment(self, celula: Any, resources: Any) -> None:
        super()._add_comment(celula, resources)
        comentario = self.gradebook.find_comment(
            celula.metadata["nbgrader"]["grade_id"], self.notebook_id, self.assignment_id, self.student_id
        )
        if comentario.auto_comment == "No response.":
            comentario.auto_comment = "Sem resposta."
            self.gradebook.db.commit()
