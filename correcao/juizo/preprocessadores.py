"""O que se pendura nos pontos de extensão do nbgrader (ver nbgrader_config.py).

Antes de executar, `PedirEvidencia` sorteia entradas. `Executar` (juizo/executar.py) roda o notebook na caixa, com
elas em um arquivo. Depois, `JulgarEvidencia` lê o que o kernel respondeu, compara com o gabarito neste processo, que
não executa nada do aluno, anota o veredito como dados e desenha com ele a saída da célula. Uma
questão que pode ter errado só por outra é julgada outra vez, sem esse erro (juizo/uma_vez.py). Quem dá a nota é o
próprio nbgrader, que lê essa saída; `Registrar` guarda a anotação nos metadados do notebook.
"""

import re
import secrets
from dataclasses import replace
from functools import cache
from typing import Any

import fastjsonschema
from nbconvert.filters import strip_ansi
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader import utils
from nbgrader.api import BaseCell, GradeCell, TaskCell
from nbgrader.nbgraderformat import ValidationError
from nbgrader.nbgraderformat.common import BaseMetadataValidator
from nbgrader.nbgraderformat.v3 import MetadataValidatorV3
from nbgrader.preprocessors import CheckCellMetadata, NbGraderPreprocessor, OverwriteCells, SaveAutoGrades
from sqlalchemy.orm import with_polymorphic

from correcao.caixa import caixa
from correcao.caixa.caixa import Limites
from correcao.caixa.saida import nova
from correcao.chegada.reparo import ID_DO_AVISO, aviso_dos_consertos
from correcao.comum.anotacao import DADOS, DEFEITO, Anotacao, Veredito, nome_da_resposta
from correcao.comum.texto import imprimivel
from correcao.juizo import onde_olhar, trabalho, uma_vez
from correcao.juizo.evidencia import das_saidas
from correcao.juizo.guardado import Pronta, caber
from correcao.livro import leitura, tentativas
from correcao.livro.livro import DeUmaVez
from gabarito.base import Questao
from gabarito.pontos import questao_conferida
from helpers.conferencia.na_tela import Conferencia
from helpers.conferencia.nao_rodou import INTERROMPIDA, por_que_nao_rodou


def _automatica(celula: NotebookNode) -> bool:
    """A célula vale pontos sem que uma pessoa a leia?"""
    return celula.cell_type == "code" and utils.is_grade(celula) and not utils.is_solution(celula)


def _em_branco(celula: NotebookNode) -> bool:
    """É uma resposta, e está como a lista a trouxe?"""
    return utils.is_solution(celula) and celula.metadata.nbgrader.get("checksum") == utils.compute_checksum(celula)


def questao_da_celula(celula: NotebookNode) -> Questao | None:
    """A questão que uma célula de teste confere; None se a célula não é uma conferência do curso."""
    nome = questao_conferida(celula)
    return None if nome is None else trabalho.questao(nome)


class PedirEvidencia(NbGraderPreprocessor):
    """Sorteia as entradas desta entrega: o pedido, que só vai para o disco na pasta do kernel, e some com ela."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        anotacao: Anotacao = resources.setdefault(DADOS, Anotacao())
        if anotacao.motivo:  # já se sabe que vale zero: não há o que executar
            return nb, resources
        nomes = {
            nome: c.metadata.nbgrader.grade_id for c in filter(_automatica, nb.cells) if (nome := questao_conferida(c))
        }
        anotacao.semente = secrets.randbits(63)
        sorteado = trabalho.atual().sortear(list(nomes), anotacao.semente)
        anotacao.pedido, anotacao.oraculo = sorteado["pedido"], sorteado["oraculo"]
        anotacao.entradas, anotacao.depende = sorteado["entradas"], sorteado["depende"]
        for nome, defeito in sorteado["defeitos"].items():
            self.log.error("defeito ao sortear as entradas de %s\n%s", nomes[nome], defeito["rastro"])
            anotacao.sem_pedido[nomes[nome]] = defeito["erro"]
        return nb, resources


class JulgarEvidencia(NbGraderPreprocessor):
    """Anota o veredito de cada conferência e o põe no lugar da saída dela: nada do que a célula mostrou vale ponto."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        anotacao: Anotacao = resources[DADOS]
        parou = anotacao.motivo  # o que se acrescentar a ele daqui em diante é de uma questão, e não das seguintes
        celulas = list(filter(_automatica, nb.cells))
        julgadas = _julgar(celulas, anotacao)
        respostas = {c.metadata.nbgrader.grade_id: c for c in nb.cells if "nbgrader" in c.metadata}
        vereditos: dict[str, Veredito] = {}
        for celula in celulas:
            nome = celula.metadata.nbgrader.grade_id
            try:
                resposta = respostas.get(nome_da_resposta(nome))
                veredito = _veredito(celula, anotacao, parou, julgadas.get(nome), resposta)
            except Exception as erro:  # a culpa é nossa: a próxima correção refaz a entrega, e até lá alguém a olha
                self.log.exception("defeito ao julgar %s", nome)
                anotacao.tropecar(erro)
                veredito, celula.outputs = Veredito(DEFEITO), [_em_vermelho(Veredito(DEFEITO), nome)]
            anotacao.anotar(nome, veredito)
            if questao := questao_conferida(celula):
                vereditos[questao] = veredito
        if not anotacao.defeito:  # senão, a próxima correção recomeça de qualquer modo
            self._cobrar_uma_vez(nb, anotacao, vereditos)
        if not anotacao.defeito and not anotacao.motivo:
            self._dizer_onde_olhar(nb, anotacao, vereditos)
        return nb, resources

    def _dizer_onde_olhar(self, nb: NotebookNode, anotacao: Anotacao, vereditos: dict[str, Veredito]) -> None:
        """Só muda o que a página diz; se a procura falha, ela diz o que diria sem ela."""
        textos = onde_olhar.sem_nome(nb, vereditos)
        if not textos:
            return
        try:
            achados = onde_olhar.procurar(nb, textos, Limites.do_ambiente(), self.log)
        except Exception:
            self.log.exception("a procura do menor conserto falhou, e nenhuma nota depende dela")
            return
        for celula in filter(_automatica, nb.cells):
            if (questao := questao_conferida(celula)) in achados:
                dados = celula.metadata.nbgrader
                veredito = replace(vereditos[questao], onde=achados[questao])
                celula.outputs = desenhar(veredito, questao, _funcao(questao), float(dados.points))
                anotacao.anotar(dados.grade_id, veredito)

    def _cobrar_uma_vez(self, nb: NotebookNode, anotacao: Anotacao, vereditos: dict[str, Veredito]) -> None:
        """Dá os pontos a quem só errou por outra questão, que já os perdeu."""
        trocas = uma_vez.emprestimos(nb, vereditos, anotacao.depende)
        if not trocas:
            return
        celulas = {questao: c for c in filter(_automatica, nb.cells) if (questao := questao_conferida(c)) in trocas}
        try:
            segunda = uma_vez.rodar(nb, trocas, anotacao.semente, Limites.do_ambiente(), self.log)
            ditos = uma_vez.julgar(segunda.evidencias, anotacao.semente)
            revistos = uma_vez.revistos(vereditos, trocas, ditos)
        except caixa.SemCaixa:
            raise
        except Exception as erro:
            self.log.exception("defeito ao julgar outra vez %s", ", ".join(trocas))
            anotacao.tropecar(erro)
            revistos, ditos = {questao: Veredito(DEFEITO) for questao in trocas}, {}
        else:
            anotacao.processador = round((anotacao.processador or 0.0) + segunda.processador, 2)
            anotacao.segundas = {
                celulas[q].metadata.nbgrader.grade_id: pronta for q, pronta in segunda.evidencias.items()
            }
        vereditos |= revistos
        for questao, veredito in revistos.items():
            dados = celulas[questao].metadata.nbgrader
            celulas[questao].outputs = desenhar(veredito, questao, _funcao(questao), float(dados.points))
            anotacao.anotar(dados.grade_id, veredito)


def _funcao(questao: str) -> str:
    return questao.partition("/")[2]


class DefeitoDoJuiz(RuntimeError):
    """Um erro nosso ao julgar, com o rastro que ele deixou onde aconteceu."""


def _julgar(celulas: list[NotebookNode], anotacao: Anotacao) -> dict[str, dict[str, Any]]:
    """O que o juiz disse da evidência de cada célula que a tem."""
    com_evidencia = {}
    for celula in celulas:
        nome, texto = celula.metadata.nbgrader.grade_id, das_saidas(celula.outputs)
        if questao := questao_conferida(celula):
            anotacao.evidencias[nome] = Pronta(anotacao.entradas.get(questao), caber(texto))
            if texto is not None:
                com_evidencia[nome] = (questao, texto)
    ditos = trabalho.atual().julgar(list(com_evidencia.values()), anotacao.semente) if com_evidencia else []
    return dict(zip(com_evidencia, ditos, strict=True))


def _veredito(
    celula: NotebookNode,
    anotacao: Anotacao,
    parou: str | None,
    dito: dict[str, Any] | None,
    resposta: NotebookNode | None,
) -> Veredito:
    """O de uma célula de teste; se ela é uma conferência do curso, fica também desenhado na saída dela."""
    dados = celula.metadata.nbgrader
    if dados.grade_id in anotacao.sem_pedido:
        raise RuntimeError(f"não houve pedido: {anotacao.sem_pedido[dados.grade_id]}")
    questao = questao_conferida(celula)
    if questao is None:
        if parou and celula.execution_count is None:  # não chegou a rodar: sem um erro, o nbgrader lhe daria os pontos
            celula.outputs = [_em_vermelho(Veredito(parou), dados.grade_id)]
        return _do_nbgrader(celula)
    if dito and "defeito" in dito:
        raise DefeitoDoJuiz(f"{dito['defeito']['erro']}\n{dito['defeito']['rastro']}")
    veredito = Veredito.de_dados(dito["veredito"]) if dito else Veredito(_sem_evidencia(celula, resposta, parou))
    celula.outputs = desenhar(veredito, questao, dito["funcao"] if dito else "", float(dados.points))
    return veredito


def _sem_evidencia(celula: NotebookNode, resposta: NotebookNode | None, parou: str | None) -> str:
    """Por que a conferência não entregou nada, pelo erro que ela mostrou ou, antes dela, a célula da resposta."""
    erros = [o for o in celula.outputs if o.output_type == "error"]
    if erros and erros[-1].ename == INTERROMPIDA:
        return imprimivel(erros[-1].evalue[:300], " ")
    if parou:
        return parou
    if erros and erros[0].ename == "NameError":
        if resposta is not None and (porque := por_que_nao_rodou(resposta)):
            return imprimivel(f"{porque[0].upper()}{porque[1:]}.", " ")
        nome = re.search(r"'(\w+)'", erros[0].evalue)
        quem = f"`{nome.group(1)[:80]}`" if nome else "a função"
        return f"O nome {quem} não existe no notebook que você entregou."
    onde = imprimivel(f" ({erros[0].ename}: {erros[0].evalue[:300]})", " ") if erros else ""
    return f"A correção não recebeu nenhum resultado da sua função{onde}."


def _do_nbgrader(celula: NotebookNode) -> Veredito:
    """O de um teste que não é uma conferência do curso: quem decide é o nbgrader, pelo erro que a célula mostrou."""
    erro = next((o for o in celula.outputs if o.output_type == "error"), None)
    return Veredito(fracao=1.0) if erro is None else Veredito(imprimivel(strip_ansi(erro.evalue), " "))


def desenhar(veredito: Veredito, questao: str, funcao: str, pontos: float) -> list[NotebookNode]:
    """A saída que o nbgrader pontua e o formgrader mostra."""
    if veredito.frase is None:
        recado = f"{veredito.recado}\n" if veredito.recado else ""
        texto = f"✓ {funcao}: {veredito.casos} casos certos.\n{recado}"
        return [_texto(texto)]
    if veredito.fracao > 0:
        texto = f"✓ certo: {', '.join(veredito.certas)}\n✗ {veredito.recado}\n"
        # o nbgrader lê o número de um execute_result como crédito parcial
        parcial = {"text/plain": repr(veredito.fracao * pontos)}
        return [_texto(texto), nova("execute_result", data=parcial, metadata={}, execution_count=None)]
    return [_em_vermelho(veredito, questao)]


def _texto(texto: str) -> NotebookNode:
    return nova("stream", name="stdout", text=texto)


def _em_vermelho(veredito: Veredito, nome: str) -> NotebookNode:
    frase = veredito.recado or ""
    rastro = Conferencia(frase, nome, veredito.equivoco)._render_traceback_()
    return nova("error", ename="Conferencia", evalue=frase, traceback=rastro)


class Registrar(NbGraderPreprocessor):
    """Escreve no notebook corrigido o que a correção fez: para a pessoa, no começo; para o programa, nos metadados.

    É o último a mexer: um notebook de autograded/ com esta anotação chegou ao fim da correção.
    """

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        anotacao: Anotacao = resources[DADOS]
        ja_dito = any(c.get("id") == ID_DO_AVISO for c in nb.cells)  # o reparo já escreveu por que vale zero
        if anotacao.consertos:
            celula = aviso_dos_consertos(anotacao.consertos, "consertos-da-correcao" if ja_dito else ID_DO_AVISO)
            nb.cells.insert(int(ja_dito), celula)
        if anotacao.motivo and not ja_dito:
            nb.cells.insert(0, new_markdown_cell(f"**Atenção.** {anotacao.motivo}"))
        nb.metadata[DADOS] = anotacao.para_dados()
        return nb, resources


class _ComEsquemaConferido(BaseMetadataValidator):
    """O esquema do nbgrader não muda: vira um programa uma vez, como o nbformat faz com o dele."""

    def validate_cell(self, celula: NotebookNode) -> None:
        dados = celula.metadata.get("nbgrader", {})
        try:
            if dados.get("schema_version") == self.schema_version:
                _validador()(dados)
                return
        except fastjsonschema.JsonSchemaValueException:
            pass
        super().validate_cell(celula)  # que diz o que há de errado


class _Metadados(MetadataValidatorV3, _ComEsquemaConferido):
    """As regras do nbgrader, por cima do esquema."""


@cache
def _validador() -> Any:
    return fastjsonschema.compile(MetadataValidatorV3().schema)


class ConferirMetadados(CheckCellMetadata):
    """O CheckCellMetadata do nbgrader: o que ele recusa é recusado aqui, em um décimo do tempo."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        try:
            _Metadados().validate_nb(nb)
        except ValidationError:
            return super().preprocess(nb, resources)  # que o diz no registro, e levanta o erro
        return nb, resources


class SobrescreverCelulas(OverwriteCells):
    """O OverwriteCells do nbgrader, que vai ao livro de notas uma vez, e não a cada célula."""

    gradebook: Any

    def preprocess_cell(self, celula: NotebookNode, resources: Any, indice: int) -> tuple[NotebookNode, Any]:
        if indice == 0:
            self._adiantar()
        return super().preprocess_cell(celula, resources, indice)

    def _adiantar(self) -> None:
        lista = self.gradebook.find_notebook(self.notebook_id, self.assignment_id)
        com_pontos = with_polymorphic(BaseCell, [GradeCell, TaskCell])
        celulas = self.gradebook.db.query(com_pontos).filter(com_pontos.notebook_id == lista.id).all()
        self.gradebook = DeUmaVez(
            self.gradebook,
            find_notebook={self.notebook_id: lista},
            find_source_cell={c.name: c for c in lista.source_cells},
            find_graded_cell={c.name: c for c in celulas if isinstance(c, GradeCell | TaskCell)},
        )


class SalvarNotas(SaveAutoGrades):
    """O SaveAutoGrades do nbgrader, que grava uma vez, e com o comentário automático em português.

    A resposta aberta que alguém já leu só volta à fila se o texto dela mudou. De uma entrega com um defeito nosso, o
    formgrader pede um olhar em cada questão: em branco o nbgrader não sabe deixar uma nota.
    """

    gradebook: Any

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        self._ultima = len(nb.cells) - 1
        self._mudaram: dict[str, str] = {}  # nota → o resumo do texto novo
        self._defeito = resources[DADOS].defeito is not None
        return super().preprocess(nb, resources)

    def preprocess_cell(self, celula: NotebookNode, resources: Any, indice: int) -> tuple[NotebookNode, Any]:
        if indice == 0:
            self._adiantar()
        if not self._fica(celula):
            self._salvar(celula, resources, indice)
        if indice == self._ultima:
            leitura.guardar_textos(self.gradebook.db, self._mudaram)
            self.gradebook.gravar()
        return celula, resources

    def _fica(self, celula: NotebookNode) -> bool:
        """A resposta aberta que o livro conhece, se um defeito nosso pôs a lista em branco no lugar da entrega."""
        if not (self._defeito and utils.is_grade(celula) and _em_branco(celula)):
            return False
        return self.gradebook.find_grade(celula.metadata.nbgrader.grade_id).id in self._textos

    def _salvar(self, celula: NotebookNode, resources: Any, indice: int) -> None:
        lida = self._ja_lida(celula)
        super().preprocess_cell(celula, resources, indice)
        if _em_branco(celula):  # o comentário de uma resposta em branco é do nbgrader
            comentario = self.gradebook.find_comment(celula.metadata["nbgrader"]["grade_id"])
            if comentario.auto_comment == "No response.":
                comentario.auto_comment = "Sem resposta."
        if lida or (self._defeito and _automatica(celula)):
            self.gradebook.find_grade(celula.metadata.nbgrader.grade_id).needs_manual_grade = not lida

    def _ja_lida(self, celula: NotebookNode) -> bool:
        """Anota o texto de uma resposta aberta; devolve se alguém já deu nota a este mesmo texto."""
        if not (utils.is_grade(celula) and utils.is_solution(celula)):
            return False
        nota, resumo = self.gradebook.find_grade(celula.metadata.nbgrader.grade_id), leitura.resumir(celula)
        antes = self._textos.get(nota.id)
        if antes != resumo:
            self._mudaram[nota.id] = resumo
        return antes == resumo and nota.manual_score is not None and not nota.needs_manual_grade

    def _adiantar(self) -> None:
        entrega = self.gradebook.find_submission_notebook(self.notebook_id, self.assignment_id, self.student_id)
        # o nome de uma nota é o da célula dela: sem isto, cada um seria uma ida ao livro
        self._celulas = self.gradebook.db.query(BaseCell).filter(BaseCell.notebook_id == entrega.notebook_id).all()
        notas, comentarios = ({x.name: x for x in guardados} for guardados in (entrega.grades, entrega.comments))
        leitura.criar_tabelas(self.gradebook.db)
        tentativas.lembrar(self.gradebook.db, entrega.assignment, notas.values())
        self._textos = leitura.textos(self.gradebook.db, [nota.id for nota in notas.values()])
        self.gradebook = DeUmaVez(self.gradebook, find_grade=notas, find_comment=comentarios)
