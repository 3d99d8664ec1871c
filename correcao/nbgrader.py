"""O que se pendura nos pontos de extensão do nbgrader (ver nbgrader_config.py).

Antes de executar, `PedirEvidencia` sorteia entradas. `Executar` (correcao/executar.py) roda o notebook na caixa, com
elas em um arquivo. Depois, `JulgarEvidencia` lê o que o kernel respondeu, compara com o gabarito neste processo, que
não executa nada do aluno, e escreve o veredito na célula. Quem dá a nota é o próprio nbgrader, que lê a célula.
"""

import json
import re
import secrets
from typing import Any

from nbformat.v4 import new_markdown_cell, new_output
from nbgrader import utils
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades

from correcao import evidencia
from correcao.exportador import DADOS
from correcao.reparo import ID_DO_AVISO, aviso_dos_consertos
from gabarito.base import Questao, buscar
from helpers.conferir import TIPO_DA_EVIDENCIA, Conferencia
from helpers.julgamento import Diagnostico

_CHAMADA = re.compile(r"""^\s*conferir\(\s*["']([\w/-]+)["']""", flags=re.MULTILINE)


def questao_da_celula(celula: Any) -> Questao | None:
    """A questão que uma célula de teste confere; None se a célula não é uma conferência do curso."""
    if celula.cell_type != "code" or not utils.is_grade(celula) or utils.is_solution(celula):
        return None
    achada = _CHAMADA.search(celula.source)
    return buscar(achada.group(1)) if achada else None


class PedirEvidencia(NbGraderPreprocessor):
    """Sorteia as entradas desta entrega: o pedido, que só vai para o disco na pasta do kernel, e some com ela."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        curso = resources.setdefault(DADOS, {})
        if curso.get("motivo"):  # já se sabe que vale zero: não há o que executar
            return nb, resources
        curso["semente"] = secrets.randbits(63)
        do_notebook = [q for c in nb.cells if (q := questao_da_celula(c))]
        pedido = {q.nome: evidencia.pedido(q, curso["semente"]) for q in do_notebook}
        curso |= {"pedido": json.dumps(pedido), "arquivos": []}
        return nb, resources


class JulgarEvidencia(NbGraderPreprocessor):
    """Troca a saída de cada conferência pelo veredito: nada do que a célula mostrou vale ponto."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        curso = resources[DADOS]
        curso["enganos"] = {}
        for celula in nb.cells:
            q = questao_da_celula(celula)
            if q is not None:
                celula.outputs = self._veredito(q, curso, celula)
        return nb, resources

    def _veredito(self, q: Questao, curso: dict, celula: Any) -> list:
        diagnostico = self._sem_evidencia(celula, curso.get("motivo"))
        if diagnostico is not None:
            veredito = evidencia.Veredito(diagnostico)
        else:
            veredito = evidencia.julgar(q, curso["semente"], self._ultima(celula))
        if veredito.diagnostico is None:
            return [new_output("stream", name="stdout", text=f"✓ {q.funcao}: {veredito.casos} casos certos.\n")]
        curso["enganos"][q.nome] = veredito.diagnostico.equivoco
        erro = Conferencia(veredito.diagnostico.frase, q.nome, veredito.diagnostico.equivoco)
        if veredito.fracao > 0:
            texto = f"✓ certo: {', '.join(veredito.certas)}\n✗ {erro}\n"
            # o nbgrader lê o número de um execute_result como crédito parcial
            pontos = {"text/plain": repr(veredito.fracao * float(celula.metadata.nbgrader.points))}
            return [new_output("stream", name="stdout", text=texto), new_output("execute_result", data=pontos)]
        return [new_output("error", ename="Conferencia", evalue=str(erro), traceback=erro._render_traceback_())]

    @staticmethod
    def _ultima(celula: Any) -> str | None:
        textos = [o.data[TIPO_DA_EVIDENCIA] for o in celula.outputs if TIPO_DA_EVIDENCIA in o.get("data", {})]
        return textos[-1] if textos else None

    def _sem_evidencia(self, celula: Any, motivo: str | None) -> Diagnostico | None:
        if self._ultima(celula) is not None:
            return None
        if motivo:
            return Diagnostico(motivo)
        erros = [o for o in celula.outputs if o.output_type == "error"]
        if erros and erros[0].ename == "NameError":
            nome = re.search(r"'(\w+)'", erros[0].evalue)
            quem = f"`{nome.group(1)[:80]}`" if nome else "a função"
            return Diagnostico(f"O nome {quem} não existe no notebook que você entregou.")
        onde = evidencia.legivel(f" ({erros[0].ename}: {erros[0].evalue[:300]})") if erros else ""
        return Diagnostico(f"A correção não recebeu nenhum resultado da sua função{onde}.")


class Registrar(NbGraderPreprocessor):
    """Escreve no notebook corrigido o que a correção fez: para a pessoa, no começo; para o programa, nos metadados.

    É o último a mexer: um notebook de autograded/ com esta anotação chegou ao fim da correção.
    """

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        curso = resources[DADOS]
        ja_dito = any(c.get("id") == ID_DO_AVISO for c in nb.cells)  # o reparo já escreveu por que vale zero
        if curso.get("consertos"):
            celula = aviso_dos_consertos(curso["consertos"], "consertos-da-correcao" if ja_dito else ID_DO_AVISO)
            nb.cells.insert(int(ja_dito), celula)
        if curso.get("motivo") and not ja_dito:
            nb.cells.insert(0, new_markdown_cell(f"**Atenção.** {curso['motivo']}"))
        guardar = ("entrega", "consertos", "motivo", "defeito", "enganos", "segundos")
        nb.metadata[DADOS] = {campo: curso.get(campo) for campo in guardar}
        return nb, resources


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
