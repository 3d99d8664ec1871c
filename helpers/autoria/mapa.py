"""O mapa da máquina: cada lista é uma caixa dentro da seguinte, do produto escalar ao LLM, com o estado de cada peça.

No notebook, `mapa()`; no terminal, `python curso.py progresso`. Os dois leem os notebooks salvos.
"""

import contextlib
import html
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from helpers import do_aluno
from helpers.autoria import origem
from helpers.autoria.recorte import NotebookIlegivel
from helpers.autoria.verificacao import CERTA, LENTA, POR_ESCREVER, POR_OUTRA
from helpers.escrita import numero
from helpers.indice import listas

SUA, AINDA_NAO, POR_FAZER, DO_CURSO = "sua e certa", "sua, ainda não certa", "por fazer", "do curso"
ESCRITA = "escrita, para uma pessoa ler"
MARCAS = {SUA: "✓", AINDA_NAO: "✎", ESCRITA: "¶", POR_FAZER: "○", DO_CURSO: "■"}
# Sem cor também se distinguem: a borda muda, a marca muda, e o estado está escrito para quem ouve. A cor da borda é um
# número porque de um notebook ainda não confiado o JupyterLab tira a borda em que a cor é um nome.
_BORDA = "#7d8492"
_BORDAS = {
    SUA: "2px solid",
    AINDA_NAO: "2px double",
    ESCRITA: "1px solid",
    POR_FAZER: "1px dashed",
    DO_CURSO: "1px dotted",
}
_FUNDOS = {SUA: "rgba(0,158,115,0.2)", AINDA_NAO: "rgba(230,159,0,0.25)"}
_PESO = {SUA: "bold", AINDA_NAO: "bold"}
EM_BRANCO = "*Escreva aqui a sua resposta.*"  # o que há na célula de uma discussão em release/
_ESTADO = {CERTA: SUA, LENTA: SUA, POR_OUTRA: SUA, POR_ESCREVER: POR_FAZER}


@dataclass
class Estacao:
    """Uma lista no mapa."""

    lista: str
    titulo: str
    pecas: dict[str, str]  # nome → estado
    discussoes: dict[str, str]  # nome → se está escrita; a nota é de quem lê
    pontos: float
    de: float
    caminho: str | None  # o notebook da lista, a partir da pasta das listas
    aviso: str = ""
    a_parte: bool = False

    @property
    def numero(self) -> str:
        return self.lista.rpartition("-")[2]

    @property
    def placar(self) -> str:
        """“2 de 8 pontos, 1 de 2 discussões”; vazio se não há como saber quanto a lista vale."""
        escritas, quantas = sum(e == ESCRITA for e in self.discussoes.values()), len(self.discussoes)
        abertas = f", {escritas} de {quantas} {'discussão' if quantas == 1 else 'discussões'}" if quantas else ""
        return f"{numero(self.pontos)} de {numero(self.de)} pontos{abertas}" if self.de else ""

    @property
    def aulas(self) -> dict[str, str]:
        """Os notebooks da aula que já chegaram, a partir da pasta do curso: {"aula": …}, e às vezes {"07b": …}."""
        caminhos = [f"notebooks/{nome}.ipynb" for nome in listas()[self.lista].aulas]
        chegaram = [c for c in caminhos if (do_aluno() / c).is_file()]
        return {"aula" if i == 0 else Path(c).name.partition("-")[0]: c for i, c in enumerate(chegaram)}


def estacoes() -> list[Estacao]:
    """As listas que há aqui, da primeira à última."""
    # conferir uma lista é esperar por outro processo: duas de cada vez cabem em qualquer computador
    with ThreadPoolExecutor(max_workers=2) as threads:
        return list(threads.map(_estacao, listas()))


def _estacao(nome: str) -> Estacao:
    lista, caminho = listas()[nome], origem.notebook(nome)
    aviso, estados, escritas = origem.sem_arquivo(nome, caminho), {}, set[str]()
    try:
        if not aviso:
            situacoes = origem.situacoes(nome)
            estados = {q.rpartition("/")[2]: _ESTADO.get(s.estado, AINDA_NAO) for q, s in situacoes.items()}
            escritas = _escritas(caminho)
    except NotebookIlegivel:
        aviso = "não consegui ler o notebook desta lista"
    pecas = {q: estados.get(q, POR_FAZER) for q in lista.questoes} | dict.fromkeys(lista.do_curso, DO_CURSO)
    ganhos = sum(valem for q, valem in lista.questoes.items() if estados.get(q) == SUA)
    relativo = f"{caminho.parent.name}/{caminho.name}" if caminho and caminho.is_file() else None
    abertas = {
        aberta.replace("discussao-", "discussão "): ESCRITA if aberta in escritas else POR_FAZER
        for aberta in lista.abertas
    }
    de = sum(lista.questoes.values())
    return Estacao(nome, lista.no_mapa, pecas, abertas, ganhos, de, relativo, aviso, lista.a_parte)


def _escritas(caminho: Path | None) -> set[str]:
    """As células deste notebook, pelo nome no nbgrader, em que há outro texto além do que veio nelas."""
    textos: dict[str, str] = {}
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        for celula in json.loads(caminho.read_text("utf-8"))["cells"] if caminho else []:
            textos[celula["metadata"].get("nbgrader", {}).get("grade_id", "")] = "".join(celula["source"])
    return {nome for nome, texto in textos.items() if texto.replace(EM_BRANCO, "").strip()}


def proximo(mapa: list[Estacao]) -> tuple[Estacao, str] | None:
    """A primeira peça que falta, e só depois a primeira discussão; None se está tudo feito."""
    em_ordem = [(e, e.pecas) for e in mapa] + [(e, e.discussoes) for e in mapa]
    faltam = [(e, nome) for e, partes in em_ordem for nome, como in partes.items() if como in (AINDA_NAO, POR_FAZER)]
    return faltam[0] if faltam else None


# ---------------------------------------------------------------- em texto


def _placar(mapa: list[Estacao]) -> str:
    pontos, de = sum(e.pontos for e in mapa), sum(e.de for e in mapa)
    suas = sum(estado == SUA for e in mapa for estado in e.pecas.values())
    total = sum(estado != DO_CURSO for e in mapa for estado in e.pecas.values())
    return f"{suas} de {total} peças suas, {numero(pontos)} de {numero(de)} pontos nos casos visíveis."


def _legenda() -> str:
    return "   ".join(f"{marca} {estado}" for estado, marca in MARCAS.items())


def em_texto(mapa: list[Estacao]) -> str:
    """O mapa em linhas, para um terminal ou para quem ouve a tela."""
    linhas = []
    for e in mapa:
        linhas.append(f"{e.numero}  {e.titulo}" + (f" ({e.placar})" if e.placar else ""))
        partes = (e.pecas | e.discussoes).items()
        linhas.append("    " + (e.aviso or "   ".join(f"{MARCAS[estado]} {nome}" for nome, estado in partes)))
    linhas += ["", _legenda(), _placar(mapa)]
    if falta := proximo(mapa):
        estacao, peca = falta
        onde = f" (release/{estacao.caminho})" if estacao.caminho else ""
        linhas.append(f"Próximo passo: {peca}, na lista {estacao.numero}{onde}.")
    elif mapa:
        linhas.append("A máquina inteira é sua.")
    return "\n".join(linhas)


# ---------------------------------------------------------------- em um notebook


def em_html(mapa: list[Estacao], raiz: str, dobrado: bool = False) -> str:
    """As caixas, uma dentro da outra. `raiz` é o caminho da pasta das listas, visto de onde está o notebook.

    De cada caixa se vê a linha do título, e as peças aparecem a quem clica nela. Já vêm abertas a da peça certa mais
    nova e, se não é `dobrado`, a do próximo passo.
    """
    falta = proximo(mapa)
    abertas = [e for e in mapa if SUA in e.pecas.values()][-1:]
    if falta and not dobrado:
        abertas.append(falta[0])
    dentro = ""
    for e in mapa:
        if not e.a_parte:
            dentro = _caixa(e, dentro, raiz, e in abertas)
    dentro += "".join(_caixa(e, "", raiz, e in abertas) for e in mapa if e.a_parte)
    passo = "A máquina inteira é sua." if falta is None else f"Próximo passo: {_elo(*falta, raiz, falta[1])}."
    legenda = " ".join(_ficha(estado, estado) for estado in MARCAS)
    return (
        '<section aria-label="O mapa da máquina" style="max-width:760px;line-height:1.5">'
        f'<p style="margin:0 0 4px">{_placar(mapa)} {passo}</p>'
        f'<p style="margin:0 0 6px">{legenda}</p>{dentro}</section>'
    )


def _caixa(e: Estacao, dentro: str, raiz: str, aberta: bool) -> str:
    fichas = " ".join(_ficha(nome, estado) for nome, estado in (e.pecas | e.discussoes).items())
    aulas = "".join(f' · <a href="{raiz}/../{caminho}">{nome}</a>' for nome, caminho in e.aulas.items())
    titulo, placar = html.escape(f"{e.numero} · {e.titulo}"), f" · {e.placar}" if e.placar else ""
    dito = f"<details{' open' if aberta else ''}><summary>{titulo}{placar}</summary>"
    dito += f'<p style="margin:4px 0">{_elo(e, "a lista", raiz)}{aulas}</p>{html.escape(e.aviso) or fichas}</details>'
    estilo = f"border:1px solid {_BORDA};border-radius:8px;padding:6px 8px;margin:6px 0"
    return f'<div style="{estilo}">{dito}{dentro}</div>'


def _ficha(texto: str, estado: str) -> str:
    dito = f' role="img" title="{estado}" aria-label="{html.escape(texto)}: {estado}"'
    quem_ouve = "" if texto == estado else dito  # na legenda, o texto já é o estado
    borda = f"border:{_BORDAS[estado]} {_BORDA};font-weight:{_PESO.get(estado, 'normal')}"
    borda += f";background:{_FUNDOS.get(estado, 'transparent')}"
    estilo = f"display:inline-block;border-radius:6px;padding:0 6px;margin:2px 0;{borda}"
    return f'<span{quem_ouve} style="{estilo}">{MARCAS[estado]} {html.escape(texto)}</span>'


def _elo(e: Estacao, texto: str, raiz: str, questao: str = "") -> str:
    """O elo para a lista; com `questao`, para o lugar dela."""
    onde = f"#cell-id={_celula_do_enunciado(e.caminho, questao)}" if questao and e.caminho else ""
    return f'<a href="{raiz}/{e.caminho}{onde}">{html.escape(texto)}</a>' if e.caminho else html.escape(texto)


def _celula_do_enunciado(caminho: str, questao: str) -> str:
    """O id da célula, que não é o mesmo em toda lista; se o notebook não se lê, o de sempre."""
    nome = f"enunciado-{questao.replace('discussão ', 'discussao-')}"
    with contextlib.suppress(OSError, ValueError, AttributeError, KeyError):
        nb = json.loads((origem.pasta_das_listas() / caminho).read_text(encoding="utf-8"))
        marcadas = {c["metadata"].get("nbgrader", {}).get("grade_id"): c.get("id") for c in nb["cells"]}
        return str(marcadas.get(nome) or nome)
    return nome


class Mapa:
    """O que `mapa()` devolve: um desenho no notebook, linhas no terminal."""

    def __init__(self, estacoes: list[Estacao], raiz: str, dobrado: bool = False):
        self.estacoes, self.raiz, self.dobrado = estacoes, raiz, dobrado

    def __repr__(self) -> str:
        return em_texto(self.estacoes)

    def _repr_html_(self) -> str:
        return em_html(self.estacoes, self.raiz, self.dobrado)


def mapa(dobrado: bool = False) -> Mapa | None:
    """A máquina que você está montando, peça por peça. Salve o notebook antes: o mapa lê o arquivo."""
    if origem.lista_em_conferencia():  # ninguém vai olhar
        return None
    return Mapa(estacoes(), _ate_as_listas(), dobrado)


def _ate_as_listas() -> str:
    """O caminho da pasta das listas a partir da pasta do notebook, que é onde o kernel roda."""
    try:
        return os.path.relpath(origem.pasta_das_listas()).replace(os.sep, "/")
    except ValueError:  # no Windows, em outro disco
        return "../release"


def main(argumentos: list[str] | None = None) -> int:
    from configuracao import comandos  # só aqui: a caixa, que importa esta pasta, não enxerga a outra

    comandos.ler("progresso", argumentos)
    if not (todas := estacoes()):
        print("Não achei nenhuma lista nesta pasta; descompacte de novo o pacote do curso.", file=sys.stderr)
        return 2
    print(em_texto(todas))
    return 0


if __name__ == "__main__":
    from configuracao.terminal import rodar

    rodar(main)
