"""`python curso.py equivocos LISTA`: os erros da turma que o gabarito ainda não conhece, do mais comum ao mais raro.

Nada roda aqui. O erro de cada um é lido da evidência que a correção guardou: quem dá as mesmas saídas nos casos
visíveis fez a mesma coisa, mesmo que a tenha escrito de outro jeito. Também ficam juntos os que a busca do menor
conserto apontou no mesmo trecho. De quem é cada resposta não se diz.
"""

import ast
import builtins
import collections
import re
import textwrap
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat

from configuracao.terminal import rodar
from correcao.comum.anotacao import Veredito, nome_da_resposta, registro_da_correcao
from correcao.comum.texto import imprimivel
from correcao.devolucao.comando import com_a_turma
from correcao.juizo import guardado
from correcao.juizo.evidencia import EvidenciaInvalida, ler
from correcao.juizo.uma_vez import tentada
from correcao.livro.turma import Turma, avisar_de_quem_falta, sem_notebooks
from gabarito.pontos import questao_conferida
from helpers.conferencia.codificacao import DadoInvalido
from helpers.conferencia.equivocos import assinatura_do_erro
from helpers.conferencia.escada import Leitura
from helpers.conferencia.exame import nao_escrita
from helpers.conferencia.execucao import Registro
from helpers.conferencia.juiz import Julgamento
from helpers.conferencia.na_tela import Conferencia
from helpers.conferencia.referencia import Referencia, carregar

QUANTOS = 10  # grupos que se mostram, se ninguém pede outro número
MAIS_LINHAS = 40  # do exemplo
_BIBLIOTECAS = {"np", "torch", "nn", "F", "math"}


class NadaAMostrar(Exception):
    """Por que não há o que mostrar, em uma frase."""


@dataclass
class Desconhecido:
    """A resposta de alguém, com um erro que nenhum equívoco da questão explica."""

    questao: str
    veredito: Veredito
    codigo: str
    fez: Hashable  # o que ela fez nos casos visíveis; None se os acertou e só errou nos sorteados


@dataclass
class Grupo:
    """Respostas com o mesmo erro."""

    questao: str
    respostas: list[Desconhecido] = field(default_factory=list)

    @property
    def exemplo(self) -> Desconhecido:
        """A mais curta das que têm onde olhar: é a que mostra o erro com menos em volta."""
        return min(self.respostas, key=lambda r: (r.veredito.onde is None, len(r.codigo), r.codigo))


# ---------------------------------------------------------------- as respostas


def desconhecidos(turma: Turma, lista: str, cadernos: list[Path]) -> Iterator[Desconhecido]:
    """Cada resposta tentada que errou de um jeito sem nome."""
    for caderno in cadernos:
        anotacao = registro_da_correcao(caderno)
        guardada = guardado.ler(turma.raiz, caderno.parent.parent.name, lista)
        if anotacao is None or guardada is None or guardada.entrega != anotacao.entrega:
            continue
        vereditos = {q.id: q.veredito for q in anotacao.questoes if q.veredito is not None}
        nb = nbformat.read(caderno, as_version=4)
        celulas = {c.metadata.nbgrader.grade_id: c for c in nb.cells if "nbgrader" in c.metadata}
        for id_, celula in celulas.items():
            veredito, questao = vereditos.get(id_), questao_conferida(celula)
            resposta, pronta = celulas.get(nome_da_resposta(id_)), guardada.questoes.get(id_)
            if questao is None or veredito is None or pronta is None or resposta is None or not tentada(resposta):
                continue
            if veredito.frase is None or veredito.equivoco or veredito.emprestadas:
                continue
            fez = _o_que_fez(questao, pronta.texto)
            if fez is not NADA_SE_SABE:
                yield Desconhecido(questao, veredito, sem_comentarios(resposta.source), fez)


NADA_SE_SABE = object()


def _o_que_fez(questao: str, texto: str | None) -> Hashable:
    """As saídas e os erros nos casos visíveis, arredondados; None se estão todos certos."""
    try:
        referencia = carregar(questao)
        _, registros = ler(texto, questao)
    except (EvidenciaInvalida, Conferencia):
        return NADA_SE_SABE
    if nao_escrita(registros) or len(registros) < len(referencia.casos):
        return NADA_SE_SABE
    visiveis = registros[: len(referencia.casos)]
    try:
        if Julgamento(referencia, visiveis).certa:
            return None
        return tuple(_resumo(referencia, r) for r in visiveis)
    except DadoInvalido:
        return NADA_SE_SABE


def _resumo(referencia: Referencia, registro: Registro) -> Hashable:
    if registro.erro is not None:
        return tuple(assinatura_do_erro(registro.erro))
    partes = Leitura(registro, referencia.tipos).partes
    if isinstance(partes, str):
        return partes
    return tuple((p.forma, p.natureza, p.tipo if p.natureza == "texto" else "", _numeros(p.valores)) for p in partes)


def _numeros(valores: Any) -> tuple[str, ...]:
    return tuple(f"{v:.4g}" for v in valores.ravel().tolist())


# ---------------------------------------------------------------- os grupos


def agrupar(respostas: list[Desconhecido]) -> list[Grupo]:
    """Do maior ao menor. Duas respostas ficam juntas se fizeram o mesmo, ou se o conserto é o mesmo no mesmo trecho."""
    do_mesmo: dict[Hashable, int] = {}
    raiz = list(range(len(respostas)))

    def achar(i: int) -> int:
        while raiz[i] != i:
            i = raiz[i]
        return i

    for i, resposta in enumerate(respostas):
        for chave in _chaves(resposta):
            outra = do_mesmo.setdefault((resposta.questao, chave), i)
            raiz[achar(i)] = achar(outra)
    grupos: dict[int, Grupo] = collections.defaultdict(lambda: Grupo(""))
    for i, resposta in enumerate(respostas):
        grupo = grupos[achar(i)]
        grupo.questao = resposta.questao
        grupo.respostas.append(resposta)
    return sorted(grupos.values(), key=lambda g: (-len(g.respostas), g.questao, g.exemplo.codigo))


def _chaves(resposta: Desconhecido) -> Iterator[Hashable]:
    yield "fez", resposta.fez
    onde = resposta.veredito.onde or ""
    trechos = re.findall(r"`([^`]+)`", onde)
    if resposta.fez is not None and trechos:  # sem um trecho, o assunto sozinho junta erros diferentes
        assunto = re.sub(r"`[^`]+`|linhas? \d+( e a? ?\d+)?", "", onde)
        yield "conserto", assunto, tuple(map(_sem_nomes, trechos))


def _sem_nomes(trecho: str) -> str:
    """`Q * K` e `q * k` são o mesmo trecho: os nomes que o aluno escolheu viram números."""
    nomes: dict[str, str] = {}

    def trocar(achado: re.Match[str]) -> str:
        nome = achado[0]
        fixo = nome in _BIBLIOTECAS or hasattr(builtins, nome)
        return nome if fixo else nomes.setdefault(nome, f"n{len(nomes)}")

    return re.sub(r"(?<![\w.])[^\W\d]\w*", trocar, trecho)


# ---------------------------------------------------------------- o que se mostra


def sem_comentarios(codigo: str) -> str:
    """O texto de uma célula sem comentários, sem docstrings e sem prints, onde alguém pode ter escrito o nome."""
    try:
        arvore = ast.parse(codigo)
        for no in ast.walk(arvore):
            corpo = getattr(no, "body", None)
            if isinstance(corpo, list):
                no.body = [c for c in corpo if not _so_fala(c)] or [ast.Pass()]  # type: ignore[attr-defined]
        return ast.unparse(ast.fix_missing_locations(arvore))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return re.sub(r"#.*", "", codigo)


def _so_fala(no: ast.stmt) -> bool:
    if not isinstance(no, ast.Expr):
        return False
    chamada = isinstance(no.value, ast.Call) and isinstance(no.value.func, ast.Name) and no.value.func.id == "print"
    return chamada or isinstance(no.value, ast.Constant)


def esqueleto(questao: str, codigo: str) -> str:
    """O exemplo já como um equívoco da questão, à espera do nome e da frase."""
    funcao = questao.partition("/")[2]
    linhas = codigo.splitlines()
    fala = '"""O que este código faz, e por que não é o que se pede."""'
    for i, linha in enumerate(linhas):
        if re.match(rf"(def|class) {re.escape(funcao)}\b", linha):
            nova = re.sub(rf"\b{re.escape(funcao)}\b", "um_nome_curto", linha, count=1)
            linhas[i : i + 1] = ["@q.equivoco", nova, f"    {fala}"]
            break
    if len(linhas) > MAIS_LINHAS:
        linhas = [*linhas[:MAIS_LINHAS], "    ..."]
    return "\n".join(imprimivel(linha) for linha in linhas)


def mostrar(grupos: list[Grupo], lista: str, entregas: int, quantos: int) -> str:
    """O texto do comando: um bloco por grupo."""
    respostas = sum(len(g.respostas) for g in grupos)
    um = "resposta errada sem nome" if respostas == 1 else "respostas erradas sem nome"
    tipos = "um tipo" if len(grupos) == 1 else f"{len(grupos)} tipos"
    blocos = [f"{lista}: {respostas} {um}, de {tipos}, em {entregas} {'entrega' if entregas == 1 else 'entregas'}."]
    blocos += [_bloco(i, grupo, lista) for i, grupo in enumerate(grupos[:quantos], start=1)]
    if len(grupos) > quantos:
        blocos.append(f"Há mais {len(grupos) - quantos}, menos comuns; para os ver: --quantos {len(grupos)}")
    return "\n\n".join(blocos)


def _bloco(i: int, grupo: Grupo, lista: str) -> str:
    exemplo = grupo.exemplo
    quem = "1 entrega" if len(grupo.respostas) == 1 else f"{len(grupo.respostas)} entregas"
    linhas = [f"{i}. {grupo.questao.partition('/')[2]}: {quem}"]
    linhas.append(f"   leram: {imprimivel(exemplo.veredito.frase or '')}")
    if exemplo.fez is None:
        linhas.append("   passam nos casos visíveis e erram nos sorteados: falta um caso visível que os separe")
    elif exemplo.veredito.onde:
        linhas.append(f"   conserto: {imprimivel(exemplo.veredito.onde)}")
    else:
        linhas.append("   conserto: nenhum de uma ou duas trocas")
    arquivo = f"gabarito/{lista[: len('lista-00')].replace('-', '_')}"
    linhas.append(f"   um exemplo, para {arquivo}, no arquivo da questão:")
    return "\n".join([*linhas, "", textwrap.indent(esqueleto(grupo.questao, exemplo.codigo), "      ")])


def main(argumentos: list[str] | None = None) -> int:
    return com_a_turma("equivocos", argumentos, _mostrar, NadaAMostrar)


def _mostrar(pedido: Any, turma: Turma) -> int:
    lista = turma.achar(pedido.lista)
    entregas = turma.entregas(lista)
    if not entregas:
        avisar_de_quem_falta(turma.sem)
        raise NadaAMostrar(sem_notebooks(lista))
    cadernos = sorted({e.notebook for e in entregas})  # o de um grupo é um só
    grupos = agrupar(list(desconhecidos(turma, lista, cadernos)))
    if grupos:
        print(mostrar(grupos, lista, len(cadernos), pedido.quantos or QUANTOS))
    else:
        print(f"Nas {len(cadernos)} entregas de {lista}, todo erro que se pôde ler já tem uma frase no gabarito.")
    return avisar_de_quem_falta(turma.sem)


if __name__ == "__main__":
    rodar(main)
