"""Por onde passa cada entrega: o exportador que o Autograde do nbgrader usa (`c.Autograde.exporter_class`).

O nbgrader chama o exportador duas vezes por notebook. Na primeira (a limpeza), os bytes da entrega são lidos aqui e
consertados antes que qualquer outro código os veja. Na segunda (a correção), o notebook já limpo é executado na caixa
e julgado. Nada do que uma entrega traga, e nenhum defeito nosso, deixa um aluno sem nota ou para a turma: no pior
caso a entrega vale zero, com o motivo escrito, e o resumo pede que alguém a olhe.
"""

import copy
import glob
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat.v4.rwbase import strip_transient
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.utils import rmtree
from sqlalchemy.exc import OperationalError

from correcao.caixa import caixa, provisionador
from correcao.chegada import reparo
from correcao.chegada.recebimento import (
    e_pasta,
    emitida_em_comum,
    ler_emitida,
    papeis,
    por_de_lado_a_data_ilegivel,
    questoes_da_lista,
    receber,
    titulo_da_lista,
    unico_notebook,
)
from correcao.comum import memoria
from correcao.comum.anotacao import DADOS, RECEBIDA, Anotacao, registro_da_correcao
from correcao.comum.trava import NaoDaParaCorrigir, OutraCorrecao, travar
from correcao.juizo import lista_nova
from correcao.juizo.guardado import Guardada, guardar
from correcao.livro.livro import um_motor_so
from gabarito.no_nbgrader import completar_no_livro, listas_do_curso
from helpers.conferencia.por_dentro import esta_limpando, passar, trocar
from helpers.gravacao import gravar


def _e_por_fim(fazer: Callable[[], None], depois: Callable[[], Any]) -> Callable[[], None]:
    def feito() -> None:
        try:
            fazer()
        finally:
            depois()

    return feito


def uma_celula_por_linha(nb: Any) -> str:
    """O notebook corrigido. O nbformat o escreveria com uma linha por campo, o que o json só faz devagar, em Python."""
    nb = strip_transient(nb)
    celulas = ",\n".join(json.dumps(c, ensure_ascii=False, sort_keys=True) for c in nb.cells)
    resto = json.dumps({k: v for k, v in nb.items() if k != "cells"}, ensure_ascii=False, sort_keys=True)
    return f'{{"cells": [\n{celulas}\n],\n{resto[1:]}\n'


def _com_ids(nb: Any) -> Any:
    """O notebook, com um id em cada célula. O nbformat o copiaria inteiro também quando nada falta."""
    ids = {c.get("id") for c in nb.cells}
    return nb if len(ids) == len(nb.cells) and None not in ids else nbformat.validator.normalize(nb)[1]


class Exportador(NotebookExporter):
    """Conserta na entrada, e na saída nunca deixa um aluno sem nota."""

    @property
    def conversor(self) -> Any:
        """O Autograde que o usa (ou o Corretor, que é um)."""
        return self.parent

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        try:
            caixa.exigir(self.conversor.coursedir.root)
            soltar = travar(str(self.conversor.coursedir.root), self)
        except (caixa.SemCaixa, OutraCorrecao) as erro:
            self.log.error("%s", erro)
            raise NbGraderException(str(erro)) from None
        if soltar is not None:  # o formgrader continua vivo depois de corrigir: a trava não pode esperar por ele
            self._e_por_fim(soltar)
        self._deixar_os_arquivos_da_entrega()
        if type(self.conversor) is Autograde:  # o `corrigir` já fez isto, uma vez para a turma inteira
            self._completar_a_lista()
            provisionador.varrer()
            self._incluir_as_pastas_sem_notebook()
            self._recomecar_o_que_nao_deu_certo()
            self._e_por_fim(um_motor_so())
        for pasta in self.conversor.assignments:
            por_de_lado_a_data_ilegivel(Path(pasta))

    def _e_por_fim(self, depois: Callable[[], Any]) -> None:
        """Também se a correção parar no meio."""
        trocar(self.conversor, "convert_notebooks", _e_por_fim(self.conversor.convert_notebooks, depois))

    def _completar_a_lista(self) -> None:
        """Uma lista que o livro de notas só conhece pelo prazo deixaria a turma inteira sem nota."""
        lista = self.conversor.coursedir.assignment_id
        if lista not in listas_do_curso():
            return
        problema = completar_no_livro(lista, self.conversor.coursedir)
        try:
            lista_nova.por_em_dia(self.conversor.coursedir, lista)
        except NaoDaParaCorrigir as erro:
            problema = str(erro)
        if problema:
            self.log.error("A lista %s não pôde ser posta no livro de notas: %s", lista, problema)
            raise NbGraderException(problema)

    def _deixar_os_arquivos_da_entrega(self) -> None:
        """Faz o nbgrader não copiar nada da entrega: ele seguiria atalhos e traria módulos que encobrem os de verdade.

        O padrão é o caminho inteiro porque o nbgrader não escapa os colchetes do nome de uma pasta.
        """
        coursedir = self.conversor.coursedir
        entregas = coursedir.directory_structure.format(
            nbgrader_step=coursedir.submitted_directory, student_id="*", assignment_id="*"
        )
        padrao = os.path.join(glob.escape(coursedir.root), entregas)
        if padrao not in coursedir.ignore:
            coursedir.ignore = [*coursedir.ignore, padrao]

    def _incluir_as_pastas_sem_notebook(self) -> None:
        """Também a pasta sem notebook algum é uma entrega: vale zero, com o motivo. O nbgrader passaria por cima dela.

        A lista das entregas é a do próprio conversor, que ele já fez e ainda não percorreu.
        """
        conversor, coursedir = self.conversor, self.conversor.coursedir
        padrao = coursedir.format_path(coursedir.submitted_directory, coursedir.student_id, coursedir.assignment_id)
        for pasta in glob.glob(padrao):
            if self._de_quem(pasta) is None:  # o nbgrader pararia a turma inteira nesta
                self.log.error("O nome da pasta %r tem quebras de linha; mude-o e rode de novo.", pasta)
                conversor.assignments.pop(pasta, None)
            elif pasta not in conversor.assignments and coursedir.notebook_id == "*" and e_pasta(Path(pasta)):
                nome = unico_notebook(Path(pasta))
                if nome is not None:
                    conversor.assignments[pasta] = [os.path.join(pasta, nome)]

    def _recomecar_o_que_nao_deu_certo(self) -> None:
        """O que uma correção morta à força, ou um defeito nosso, deixou, e o nbgrader tomaria por pronto."""
        conversor, coursedir = self.conversor, self.conversor.coursedir
        for aluno in map(self._de_quem, conversor.assignments):
            destino = self._destino(coursedir.assignment_id, aluno)
            if not destino.is_dir() or aluno in coursedir.student_id_exclude.split(","):
                continue
            anotacoes = [registro_da_correcao(caminho) for caminho in destino.glob("*.ipynb")]
            if not anotacoes or any(a is None or a.defeito for a in anotacoes):
                self.log.warning("A correção de %s tinha ficado pela metade, ou com um defeito; recomeço.", aluno)
                try:
                    rmtree(str(destino))
                except OSError as erro:  # fica como está, e os outros alunos não esperam por isso
                    self.log.error("Não consigo apagar %s (%s); apague e rode de novo.", destino, erro)

    def _de_quem(self, pasta: str) -> str | None:
        """O aluno, pelo caminho da entrega, como o nbgrader o lê."""
        coursedir = self.conversor.coursedir
        lista, entregas = re.escape(coursedir.assignment_id), coursedir.submitted_directory
        achado = re.fullmatch(coursedir.format_path(entregas, "(?P<aluno>.*)", lista, escape=True), pasta)
        return achado["aluno"] if achado else None

    def _destino(self, lista: str, aluno: str | None) -> Path:
        coursedir = self.conversor.coursedir
        return Path(coursedir.format_path(coursedir.autograded_directory, aluno, lista))

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> tuple[Any, dict[str, Any]]:
        caminho = Path(filename)
        resources["metadata"] = {"name": caminho.stem, "path": str(caminho.parent)}
        if esta_limpando(self.conversor):
            return self._receber(caminho, resources)
        # é o que a limpeza acaba de conferir e escrever: não se confere outra vez
        return self._corrigir(nbformat.from_dict(json.loads(caminho.read_bytes())), resources)

    def from_notebook_node(self, nb: Any, resources: Any = None, **kw: Any) -> tuple[Any, Any]:
        """O do nbconvert, sem as cópias: ele faz quatro, e o notebook que chega aqui não é de mais ninguém."""
        nb, resources = passar(self, _com_ids(nb), copy.deepcopy(resources))
        nbformat.validate(nb, relax_add_props=True)
        if esta_limpando(self.conversor):  # a correção o lê logo em seguida, e ninguém mais
            return json.dumps(nb, ensure_ascii=False), resources
        return uma_celula_por_linha(nb), resources

    # ------------------------------------------------------------ a limpeza

    def _receber(self, caminho: Path, resources: Any) -> tuple[str, Any]:
        emitida, pasta = self._emitida(resources, para_ler=True), caminho.parent
        titulo = titulo_da_lista(emitida) or resources["nbgrader"]["assignment"]
        anotacao = Anotacao(titulo=titulo, questoes=questoes_da_lista(emitida))
        try:
            with memoria.limitada():
                recebida = receber(pasta, caminho.stem, emitida)
                anotacao.entrega = recebida.resumo
                feito = reparo.reparar(recebida.conteudo, emitida, recebida.nome)
            anotacao.consertos, anotacao.motivo = [*recebida.avisos, *feito.consertos], feito.motivo
            saida = self._exportar(feito.nb, resources, anotacao)
        except OperationalError:  # o livro de notas não responde: não é desta entrega
            raise
        except Exception as erro:
            self.log.exception("defeito ao receber a entrega em %s", pasta)
            anotacao.tropecar(erro)
            saida = self._exportar(self._emitida(resources), resources, anotacao)
        self._levar_os_papeis(pasta, resources)
        return saida

    def _emitida(self, resources: Any, para_ler: bool = False) -> Any:
        ids, ler = resources["nbgrader"], emitida_em_comum if para_ler else ler_emitida
        return ler(self.conversor.coursedir, ids["assignment"], ids["notebook"])

    def _exportar(self, nb: Any, resources: Any, anotacao: Anotacao) -> tuple[str, Any]:
        nb.metadata[RECEBIDA] = anotacao.para_dados()
        return self.from_notebook_node(nb, resources)

    def _levar_os_papeis(self, pasta: Path, resources: Any) -> None:
        """A data, que o nbgrader compara com a da correção para saber se há entrega nova, e a senha da devolutiva."""
        ids = resources["nbgrader"]
        destino = self._destino(ids["assignment"], ids["student"])
        destino.mkdir(parents=True, exist_ok=True)
        for nome, conteudo in papeis(pasta).items():
            gravar(destino / nome, conteudo)

    # ------------------------------------------------------------ a correção

    def _corrigir(self, nb: Any, resources: Any) -> tuple[str, Any]:
        anotacao = Anotacao.de_dados(nb.metadata.pop(RECEBIDA))
        resources[DADOS] = copy.deepcopy(anotacao)
        try:
            saida, depois = self.from_notebook_node(nb, resources)
            self._guardar_a_evidencia(depois)
            return saida, depois
        except (OperationalError, caixa.SemCaixa):  # não é culpa da entrega, e a próxima daria no mesmo
            raise
        except Exception as erro:
            self.log.exception("defeito ao corrigir a entrega de %s", resources["nbgrader"]["student"])
            anotacao.tropecar(erro)
            resources[DADOS] = anotacao
            return self.from_notebook_node(self._emitida(resources), resources)

    def _guardar_a_evidencia(self, resources: Any) -> None:
        """Antes do notebook corrigido, que diz que se chegou ao fim. Sem ela, só não se julga de novo uma questão."""
        anotacao, ids = resources[DADOS], resources["nbgrader"]
        guardada = Guardada(anotacao.entrega, anotacao.semente, anotacao.evidencias, anotacao.segundas)
        try:
            guardar(Path(self.conversor.coursedir.root), ids["student"], ids["assignment"], guardada)
        except Exception as erro:  # um disco cheio não custa um ponto a ninguém
            self.log.error("A evidência de %s não pôde ser guardada: %s", ids["student"], erro)
