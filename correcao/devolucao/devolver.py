"""`python curso.py devolver LISTA`: uma página por aluno, que se lê no celular e sem rede, e um zip para o Moodle.

A página tem a nota, o diagnóstico de cada questão, os comentários do instrutor e o que o próprio aluno escreveu. Não
tem células de teste, entradas ocultas, referências nem rastros de erro do curso.
"""

import functools
import zipfile
from pathlib import Path
from typing import Any

import nbformat
from markupsafe import Markup
from nbconvert.exporters import Exporter
from nbgrader.utils import compute_checksum, is_grade, is_locked, is_solution
from tqdm import tqdm

from configuracao.terminal import rodar
from correcao.chegada.recebimento import papeis
from correcao.comum import datas, pagina
from correcao.comum.anotacao import nome_da_resposta
from correcao.comum.imagem import so_as_que_cabem
from correcao.devolucao.comando import com_a_turma
from correcao.livro.criterios import Avaliado
from correcao.livro.leitura import sem_automatico
from correcao.livro.turma import (
    SERA_REPETIDA,
    Entrega,
    QuestaoCorrigida,
    Turma,
    avisar_de_quem_falta,
    sem_notebooks,
)
from helpers import RAIZ
from helpers.escrita import numero
from helpers.gravacao import de_uma_vez, gravar

_DATA_DO_ZIP = (2026, 1, 1, 0, 0, 0)


class NadaADevolver(Exception):
    """Por que não há devolutivas, em uma frase."""


def devolutiva(e: Entrega) -> str:
    """A página de um aluno; sem nota nem questões, se um defeito nosso o deixou sem elas."""
    if e.defeito:
        return _so_o_cabecalho(e)
    nb = nbformat.read(e.notebook, as_version=4)
    so_as_que_cabem(nb)
    return (
        pagina.ambiente()
        .get_template("devolutiva.html")
        .render(
            titulo=e.titulo,
            quem=(e.nome or e.aluno) + (f", do {e.grupo}" if e.grupo else ""),
            quando=pagina.data(e.quando) if e.quando else None,
            nota=numero(e.nota),
            de=numero(e.de),
            porcento=round(100 * e.nota / e.de) if e.de else 0,
            desconto=numero(e.desconto) if e.desconto else None,
            atraso=datas.duracao(e.atraso) if e.atraso else None,
            reentrega=e.reentrega,
            espera=e.espera,
            motivo=e.motivo,
            avisos=e.consertos,
            recusados=e.recusados,
            questoes=[_questao(q, nb, e) for q in e.questoes],
            olhar=_a_seguir(e),
            resto=_resto(nb),
        )
    )


def _so_o_cabecalho(e: Entrega) -> str:
    quando = pagina.data(e.quando) if e.quando else None
    modelo = pagina.ambiente().get_template("devolutiva.html")
    return modelo.render(titulo=e.titulo, quem=e.nome or e.aluno, quando=quando, sera_repetida=SERA_REPETIDA)


def _questao(q: QuestaoCorrigida, nb: Any, e: Entrega) -> dict[str, Any]:
    classe, marca = ("espera", "…") if q.espera else _marca(q.pontos, q.de)
    comentario = sem_automatico(q.comentario or "", q.criterios)
    return {
        "titulo": pagina.com_codigo(q.titulo),
        "titulo_simples": q.titulo.replace("`", ""),
        "pontos": numero(q.pontos),
        "de": numero(q.de),
        "classe": classe,
        "marca": marca,
        "espera": q.espera,
        # com um motivo que vale para a entrega inteira, repeti-lo em cada questão não ajuda
        "diagnostico": pagina.com_codigo(q.diagnostico) if q.diagnostico and q.diagnostico != e.motivo else None,
        "criterios": [_criterio(a) for a in q.criterios],
        # o que os critérios escreveram no comentário já está na lista deles
        "comentario": pagina.markdown(comentario) if comentario else None,
        "resposta": _resposta(nb, q),
        "aberta": not q.automatica,
    }


def _criterio(a: Avaliado) -> dict[str, Any]:
    classe, marca = _marca(a.fracao, 1.0)
    return {"classe": classe, "marca": marca, "dito": pagina.markdown(f"{numero(a.valor)} {a.dito}")}


def _marca(pontos: float, de: float) -> tuple[str, str]:
    """(cor, sinal): quem ganhou parte dos pontos não errou tudo."""
    if pontos >= de:
        return "bom", "✓"
    return ("parte", "◐") if pontos > 0 else ("ruim", "✗")


def _resposta(nb: Any, q: QuestaoCorrigida) -> Markup:
    """A célula de resposta do aluno, com o que ela mostrou; nada, se ele não escreveu nela."""
    nome = nome_da_resposta(q.id)
    for celula in nb.cells:
        if is_solution(celula) and celula.metadata.nbgrader.grade_id == nome:
            if celula.metadata.nbgrader.get("checksum") == compute_checksum(celula):
                break  # como a lista a deu: não é do aluno
            if celula.cell_type == "code":
                return pagina.codigo(celula.source) + pagina.saidas(celula)
            return pagina.markdown(celula.source, celula.get("attachments"))
    return Markup("")


def _resto(nb: Any) -> Markup:
    """As células que não são da lista."""
    partes = []
    for celula in nb.cells:
        nossa = is_locked(celula) or is_solution(celula) or is_grade(celula) or "nbgrader" in celula.metadata
        if celula.cell_type == "code" and not nossa and celula.source.strip():
            partes.append(pagina.codigo(celula.source) + pagina.saidas(celula))
    return Markup("").join(partes)


def _a_seguir(e: Entrega) -> list[Markup]:
    """Um passo para cada questão que não ganhou tudo, do mais simples ao mais demorado."""
    erradas = [q for q in e.questoes if q.automatica and q.pontos < q.de]
    if not erradas:
        return []
    numero = e.lista.removeprefix("lista-")[:2]
    aula = next(iter(sorted((RAIZ / "notebooks").glob(f"{numero}-*.ipynb"))), None)
    nomes = Markup(", ").join(pagina.com_codigo(q.titulo) for q in erradas)
    conferir = "Corrija e confira de novo, uma por vez: {}. No terminal: <code>python curso.py conferir {}</code>."
    passos = [Markup(conferir).format(nomes, numero)]
    if aula:
        reler = "Releia a aula <code>notebooks/{}</code>; as dicas da lista vão da pista ao passo a passo."
        passos.append(Markup(reler).format(aula.name))
    return passos


class DevolutivaDoCurso(Exporter):
    """A mesma página, para o botão do formgrader e o `nbgrader generate_feedback`: a do nbgrader é outra, em inglês."""

    file_extension = ".html"

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> tuple[Any, dict[str, Any]]:
        de_quem = resources["nbgrader"]
        entrega = self._turma.entrega(de_quem["assignment"], de_quem["student"])
        if entrega is None:
            raise NadaADevolver(f"A entrega de {de_quem['student']} ainda não foi corrigida.")
        return devolutiva(entrega), {**resources, "output_extension": self.file_extension}

    @functools.cached_property
    def _turma(self) -> Turma:
        conversor: Any = self.parent
        return Turma(Path(conversor.coursedir.root))


def devolver(lista: str, turma: Turma) -> tuple[list[Path], Path]:
    """Grava as páginas e o zip; devolve os caminhos."""
    entregas = turma.entregas(lista)
    entregas += [s.entrega for s in turma.sem if s.entrega]
    if not entregas:
        raise NadaADevolver(sem_notebooks(lista))
    paginas = []
    for e in tqdm(entregas, desc="Devolvendo", unit="aluno", disable=None, leave=False):
        destino = Path(turma.coursedir.format_path(turma.coursedir.feedback_directory, e.aluno, lista), f"{lista}.html")
        destino.parent.mkdir(parents=True, exist_ok=True)
        gravar(destino, devolutiva(e))
        for nome, conteudo in papeis(e.notebook.parent).items():  # sem eles, o `nbgrader release_feedback` não a acha
            gravar(destino.with_name(nome), conteudo)
        paginas.append(destino)
    return paginas, _zip_do_moodle(turma, lista, dict(zip((e.aluno for e in entregas), paginas, strict=True)))


def _zip_do_moodle(turma: Turma, lista: str, paginas: dict[str, Path]) -> Path:
    """O zip de “arquivos de feedback”: a pasta de cada um tem o nome que o Moodle deu ao baixar as entregas."""
    destino = Path(turma.coursedir.root, turma.coursedir.feedback_directory, f"{lista}-moodle.zip")
    pastas = turma.moodle(lista)
    with de_uma_vez(destino) as provisorio, zipfile.ZipFile(provisorio, "w", zipfile.ZIP_DEFLATED) as arquivo:
        for aluno, caminho in paginas.items():
            pasta = (pastas.get(aluno) or {}).get("pasta") or aluno
            info = zipfile.ZipInfo(f"{pasta}/devolutiva-{lista}.html", date_time=_DATA_DO_ZIP)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            arquivo.writestr(info, caminho.read_bytes())
    return destino


def main(argumentos: list[str] | None = None) -> int:
    return com_a_turma("devolver", argumentos, _devolver, NadaADevolver)


def _devolver(pedido: Any, turma: Turma) -> int:
    paginas, zip_ = devolver(turma.achar(pedido.lista), turma)
    print(f"{len(paginas)} páginas em {paginas[0].parent.parent.parent}")
    print(f"Para o Moodle (“Carregar múltiplos arquivos de feedback em um zip”): {zip_}")
    return avisar_de_quem_falta(turma.sem)


if __name__ == "__main__":
    rodar(main)
