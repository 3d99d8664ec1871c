"""`python curso.py relatorio [LISTA]`: a turma de relance, em uma página que se basta.

Com uma lista: as notas, cada questão, os diagnósticos mais comuns, as datas, quem precisa de um olhar e as entregas
muito parecidas. Sem lista: o progresso de cada aluno por todas elas, com o total e a média.
"""

import base64
import collections
import io
import os
import re
import urllib.parse
import warnings
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import nbformat
import numpy as np
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, DateFormatter, date2num
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from nbgrader.utils import is_solution

from configuracao.terminal import rodar
from correcao.chegada.recebimento import ler_emitida
from correcao.chegada.reparo.lista import DO_ALUNO
from correcao.comum import datas, pagina
from correcao.comum.anotacao import nome_da_resposta
from correcao.devolucao import semelhanca
from correcao.devolucao.comando import com_a_turma
from correcao.devolucao.semelhanca import Conhecido, Escrito, Parecidos
from correcao.livro.boletim import Linha, boletim, pesos_de
from correcao.livro.turma import (
    Entrega,
    QuestaoCorrigida,
    SemNota,
    Turma,
    TurmaIndisponivel,
    avisar_de_quem_falta,
    sem_notebooks,
)
from gabarito.no_nbgrader import aulas_do_curso, listas_do_curso
from helpers.desenho import CORES
from helpers.escrita import com_virgula, numero
from helpers.gravacao import gravar

PASTA = "relatorios"
MAIOR_ESCRITO = 200_000  # caracteres de uma entrega que se comparam com os das outras
MAIS_GRUPOS = 20  # de entregas parecidas, os que se mostram com o que há nelas; dos outros, só os nomes


class NadaARelatar(Exception):
    """Por que não há relatório, em uma frase."""


# ---------------------------------------------------------------- as contas


def discriminacao(pontos: np.ndarray, resto: np.ndarray) -> float | None:
    """A correlação entre os pontos de uma questão e os do resto da lista; None se um dos dois não varia."""
    if len(pontos) < 3 or np.ptp(pontos) == 0 or np.ptp(resto) == 0:
        return None
    return float(np.corrcoef(pontos, resto)[0, 1])


def questoes(entregas: list[Entrega]) -> list[dict[str, str]]:
    """O acerto, a média e a discriminação de cada questão; as que ainda esperam leitura ficam sem número."""
    linhas = []
    for i, exemplo in enumerate(entregas[0].questoes):
        lidas = [e for e in entregas if not e.questoes[i].espera]
        if not lidas:
            vazios = dict.fromkeys(("acerto", "media", "discriminacao"), "–")
            linhas.append({"titulo": pagina.com_codigo(exemplo.titulo), **vazios})
            continue
        pontos = np.array([e.questoes[i].pontos for e in lidas])
        totais = np.array([sum(q.pontos for q in e.questoes) for e in lidas])
        d = discriminacao(pontos, totais - pontos)
        titulo = exemplo.titulo + _das_lidas(lidas, entregas) + _sem_o_erro_de_outra(lidas, i)
        linhas.append(
            {
                "titulo": pagina.com_codigo(titulo),
                "acerto": f"{np.mean(pontos >= exemplo.de):.0%}",
                "media": f"{numero(pontos.mean())} de {numero(exemplo.de)}",
                "discriminacao": "–" if d is None else com_virgula(d),
            }
        )
    return linhas


def _das_lidas(lidas: list[Entrega], todas: list[Entrega]) -> str:
    """Enquanto faltam respostas por ler, os números são só das lidas (ou deixadas em branco)."""
    return "" if len(lidas) == len(todas) else f" (só as {len(lidas)} já lidas)"


def _sem_o_erro_de_outra(lidas: list[Entrega], i: int) -> str:
    quantas = sum(e.questoes[i].emprestada for e in lidas)
    return f" ({quantas} {'só erra' if quantas == 1 else 'só erram'} por outra questão)" if quantas else ""


def diagnosticos(entregas: list[Entrega], quantos: int = 15) -> list[dict[str, Any]]:
    """O que mais se disse, contando alunos; um equívoco conta junto, mesmo com números diferentes nas frases."""
    alunos: dict[tuple, set[str]] = collections.defaultdict(set)
    frases: dict[tuple, tuple] = {}
    for e in entregas:
        for q in e.questoes:
            if q.automatica and q.pontos < q.de and q.diagnostico and not e.motivo:
                chave = (q.id, q.equivoco or q.diagnostico)
                alunos[chave].add(e.aluno)
                frases.setdefault(chave, (q.titulo, q.diagnostico, q.equivoco))
    maiores = sorted(alunos, key=lambda c: (-len(alunos[c]), c))[:quantos]
    achados = []
    for chave in maiores:
        titulo, frase, nome = frases[chave]
        textos = {"questao": pagina.com_codigo(titulo), "frase": pagina.com_codigo(frase), "nome": nome}
        achados.append({"quantos": len(alunos[chave]), **textos})
    return achados


# ---------------------------------------------------------------- as entregas parecidas


def escrito(e: Entrega, emitida: Any) -> Escrito:
    """O que o aluno escreveu, sem o que deixou como a lista lhe deu."""
    em_branco = {c.source.strip() for c in emitida.cells}
    feito, cabem = Escrito(), MAIOR_ESCRITO
    for celula in nbformat.read(e.notebook, as_version=4).cells:
        if celula.source.strip() in em_branco:
            continue
        texto = pagina.mostravel(celula.source[:cabem])
        cabem -= len(texto)
        if is_solution(celula):
            onde = feito.codigos if celula.cell_type == "code" else feito.textos
            onde[celula.metadata.nbgrader.grade_id] = texto
        elif celula.cell_type == "code" and celula.get("id", "").startswith(DO_ALUNO):
            feito.a_mais.append(texto)
    return feito


def conhecido(lista: str, emitida: Any) -> Conhecido:
    """O que a lista e a aula dela dão, e o que o gabarito tem desta lista e, só as respostas certas, das de antes."""
    from gabarito.base import carregar  # importa o torch, e o relatório de todas as listas não precisa dele
    from gabarito.codigo import como_celula

    curta = lista[: len("lista-00")]
    aulas = [nbformat.read(p, as_version=4) for p in aulas_do_curso(curta[-2:])]
    dado = [c.source for nb in (emitida, *aulas) for c in nb.cells]
    anteriores = sorted({nome[: len(curta)] for nome in listas_do_curso() if nome[: len(curta)] < curta})
    de_antes = [q for nome in anteriores for q in carregar(nome).values()]
    dado += [como_celula(q, resposta) for q in de_antes for resposta in q.certas]
    daqui = carregar(curta).values()
    return Conhecido(dado, {q.funcao: [como_celula(q, r) for r in (*q.certas, *q.equivocos)] for q in daqui})


def parecidas(lista: str, turma: Turma, entregas: list[Entrega]) -> list[dict[str, Any]]:
    """Cada grupo, como a página o mostra."""
    emitida = ler_emitida(turma.coursedir, lista)
    entregas = list({e.notebook: e for e in reversed(entregas)}.values())  # a de um grupo é uma só
    escritos = {e.aluno: escrito(e, emitida) for e in entregas}
    titulos = {nome_da_resposta(q.id): q.titulo for q in entregas[0].questoes}
    achados = semelhanca.grupos(escritos, conhecido(lista, emitida))
    nomes = {e.aluno: _quem(e) for e in entregas}
    return [_grupo(g, escritos, titulos, nomes, com_codigo=i < MAIS_GRUPOS) for i, g in enumerate(achados)]


def _grupo(
    g: Parecidos, escritos: dict[str, Escrito], titulos: dict[str, str], nomes: dict[str, str], com_codigo: bool
) -> dict[str, Any]:
    primeiro, outro = g.alunos[0], g.mais_diferente
    como: dict[str, list[str]] = collections.defaultdict(list)
    for aluno, (_, frase) in sorted(g.quanto.items(), key=lambda par: (-par[1][0], par[0])):
        como[frase].append(nomes[aluno])
    iguais = [titulo for q, titulo in titulos.items() if q in g.iguais]
    return {
        "quantos": len(g.alunos),
        "primeiro": nomes[primeiro],
        "outro": nomes[outro],
        "alunos": [nomes[a] for a in g.alunos],
        "como": dict(como),
        "iguais": pagina.com_codigo(", ".join(iguais)) if iguais else None,
        "questoes": _lado_a_lado(escritos[primeiro], escritos[outro], titulos) if com_codigo else [],
    }


def _lado_a_lado(um: Escrito, outro: Escrito, titulos: dict[str, str]) -> list[dict[str, Any]]:
    """O que os dois escreveram em cada questão, na ordem da lista; uma vez só onde é igual, letra por letra."""
    linhas, a_mais = [], "As células a mais"
    for q, titulo in [*titulos.items(), (a_mais, a_mais)]:
        mostrar = pagina.markdown if q in um.textos or q in outro.textos else pagina.codigo
        textos = [(e.codigos | e.textos | {a_mais: "\n\n".join(e.a_mais)}).get(q, "") for e in (um, outro)]
        if any(textos):
            unicos = [mostrar(texto) if texto else Markup("–") for texto in dict.fromkeys(textos)]
            linhas.append({"titulo": pagina.com_codigo(titulo), "igual": len(unicos) == 1, "lados": unicos})
    return linhas


# ---------------------------------------------------------------- as figuras


def _imagem(fig: Figure, alt: str) -> Markup:
    saida = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # o Matplotlib conta como escolheu as marcas do eixo
        fig.savefig(saida, format="png", dpi=170, bbox_inches="tight", facecolor="white")
    return pagina.figura(base64.b64encode(saida.getvalue()).decode(), alt)


_CAIXAS = (
    "Metade da turma está dentro da caixa, e o traço nela é a mediana; os pontos são quem ficou longe dos outros. "
    "Entre parênteses, quantos entregaram."
)
# acima da figura, sem cobrir nada
_LEGENDA: dict[str, Any] = {"frameon": False, "ncols": 4, "loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}


def _eixos(altura: float) -> tuple[Figure, Axes]:
    """Estreita de propósito: no celular a figura encolhe, e as letras têm de continuar legíveis."""
    fig = Figure(figsize=(5.6, altura))
    return fig, fig.add_subplot()


def figura_das_notas(entregas: list[Entrega]) -> Markup:
    notas, de = [e.nota for e in entregas], entregas[0].de
    fig, ax = _eixos(2.4)
    ax.hist(notas, bins=np.linspace(0, de, 11).tolist(), color=CORES["azul"], edgecolor="white")
    mediana = float(np.median(notas))
    ax.axvline(mediana, color="black", linestyle="--", linewidth=1.2, label=f"mediana {numero(mediana)}")
    ax.set(xlabel="nota", ylabel="alunos", xlim=(0, de))
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    ax.legend(**_LEGENDA)
    return _imagem(fig, f"Histograma das notas de {len(notas)} alunos; mediana {numero(mediana)}")


def figura_das_questoes(entregas: list[Entrega]) -> Markup:
    nomes = [q.titulo.replace("`", "") for q in entregas[0].questoes]
    certas, parte, nada, espera = (np.zeros(len(nomes)) for _ in range(4))
    for e in entregas:
        for i, q in enumerate(e.questoes):
            alvo = espera if q.espera else certas if q.pontos >= q.de else parte if q.pontos > 0 else nada
            alvo[i] += 1
    fig, ax = _eixos(0.9 + 0.34 * len(nomes))
    esquerda = np.zeros(len(nomes))
    verde, laranja = CORES["verde"], CORES["laranja"]
    tons = [("todos os pontos", certas, verde), ("parte", parte, laranja), ("nenhum", nada, "#999999")]
    tons.append(("espera leitura", espera, "#dddddd"))
    for rotulo, valores, cor in tons:
        if valores.any():
            ax.barh(nomes, valores, left=esquerda, label=rotulo, color=cor)
            esquerda += valores
    ax.invert_yaxis()
    ax.set(xlabel="alunos", xlim=(0, len(entregas)))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.legend(**{**_LEGENDA, "bbox_to_anchor": (0.35, 1.0)}, fontsize=9, columnspacing=1.2)
    resumo = "; ".join(f"{n}: {int(c)}" for n, c in zip(nomes, certas, strict=True))
    return _imagem(fig, f"Alunos com todos os pontos em cada questão: {resumo}")


def figura_das_datas(entregas: list[Entrega]) -> Markup | None:
    com_data = [(datas.aqui(e.quando), e) for e in entregas if e.quando]
    if len({quando for quando, _ in com_data}) < 2:
        return None
    fig, ax = _eixos(2.6)
    for atrasada, cor, rotulo in ((False, CORES["azul"], "no prazo"), (True, CORES["laranja"], "com atraso")):
        grupo = [(date2num(quando), e.nota) for quando, e in com_data if (e.atraso > 0) == atrasada]
        if grupo:
            horas, notas = zip(*grupo, strict=True)
            ax.plot(horas, notas, "o", color=cor, alpha=0.7, label=rotulo)
    local = com_data[0][0]
    ax.set(ylabel="nota", xlabel=f"entregue em ({datas.diferenca(local)})", ylim=(-0.3, entregas[0].de + 0.3))
    if any(e.atraso > 0 for _, e in com_data):
        ax.legend(**_LEGENDA)
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    ax.xaxis.set_major_locator(AutoDateLocator(maxticks=7, tz=local.tzinfo))
    no_mesmo_dia = len({quando.date() for quando, _ in com_data}) == 1
    ax.xaxis.set_major_formatter(DateFormatter("%H:%M" if no_mesmo_dia else "%d/%m", tz=local.tzinfo))
    return _imagem(fig, f"Nota contra a data de entrega, {len(com_data)} alunos")


def figura_do_progresso(listas: list[str], matriz: np.ndarray) -> Markup:
    """Uma caixa por lista: os quartos do meio da turma, com a mediana."""
    fig, ax = _eixos(2.8)
    notas = [100 * coluna[~np.isnan(coluna)] for coluna in matriz.T]
    ax.boxplot(notas, patch_artist=True, boxprops={"facecolor": CORES["azul"], "alpha": 0.35},
               medianprops={"color": "black", "linewidth": 2}, flierprops={"markersize": 4})  # fmt: skip
    nomes = [f"{nome.removeprefix('lista-')[:2]}\n({len(n)})" for nome, n in zip(listas, notas, strict=True)]
    ax.set_xticks(range(1, len(listas) + 1), nomes)
    ax.set(xlabel="lista (entregas)", ylabel="% da nota", ylim=(-4, 104))
    medianas = "; ".join(f"{nome[:8]}: {np.median(n):.0f}%" for nome, n in zip(listas, notas, strict=True))
    return _imagem(fig, f"Como as notas se espalham em cada lista; medianas: {medianas}")


# ---------------------------------------------------------------- as páginas


def da_lista(turma: Turma, lista: str) -> str:
    lida = turma.ler(lista)
    entregas = lida.entregas
    if not entregas:
        raise NadaARelatar(sem_notebooks(lista))
    figuras = [
        {"titulo": "As notas", "imagem": figura_das_notas(entregas)},
        {"titulo": "Quem acertou o quê", "imagem": figura_das_questoes(entregas)},
    ]
    if quando := figura_das_datas(entregas):
        figuras.append({"titulo": "Quando entregaram", "imagem": quando})
    notas = [e.nota for e in entregas]
    esperam = sum(e.espera for e in entregas)
    media, mediana, maxima = (numero(float(x)) for x in (np.mean(notas), np.median(notas), entregas[0].de))
    resumo = f"Média {media} e mediana {mediana}, de {maxima}."
    if prazos := turma.prazos(lista, ""):
        atrasadas = sum(e.atraso > 0 for e in entregas)
        resumo += f" Prazo: {datas.curta(prazos[0])}, com {atrasadas} {'atraso' if atrasadas == 1 else 'atrasos'}."
    if faltam := len(lida.faltosos):
        resumo += f" {faltam} {'aluno não entregou' if faltam == 1 else 'alunos não entregaram'}."
    if esperam:
        verbo = "entrega ainda espera" if esperam == 1 else "entregas ainda esperam"
        resumo += f" {esperam} {verbo} a leitura das questões abertas: as notas podem subir."
    return (
        pagina.ambiente()
        .get_template("relatorio.html")
        .render(
            titulo=f"{lista}: a turma de relance",
            quantas=len(entregas),
            politica=turma.atraso.politica(),
            resumo=resumo,
            figuras=figuras,
            questoes=questoes(entregas),
            diagnosticos=diagnosticos(entregas),
            olhar=[
                *((_com_ligacao(turma, e), e.motivo) for e in entregas if e.motivo),
                *((_com_nome(s.aluno, s.nome), s.porque[1]) for s in lida.sem),
            ],
            parecidas=parecidas(lista, turma, entregas),
            faltosos=[_com_nome(aluno, nome) for aluno, nome in lida.faltosos.items()],
            titulo_da_tabela="Aluno a aluno",
            colunas=["nota", *(_curto(q.titulo) for q in entregas[0].questoes), "situação"],
            tabela=[
                *(_do_aluno(turma, e) for e in entregas),
                *(_sem_nota(s, len(entregas[0].questoes)) for s in lida.sem),
            ],
        )
    )


def _quem(e: Entrega) -> str:
    return _com_nome(e.aluno, e.nome) + (f" ({e.grupo})" if e.grupo else "")


def _com_nome(aluno: str, nome: str | None) -> str:
    return f"{nome} · {aluno}" if nome else aluno


def _com_ligacao(turma: Turma, e: Entrega) -> Markup:
    """O aluno, com o caminho da devolutiva dele, se já foi feita."""
    curso, quem = turma.coursedir, Markup.escape(_quem(e))
    pasta = Path(curso.format_path(curso.feedback_directory, e.aluno, e.lista), f"{e.lista}.html")
    return _ligado(turma, pasta, quem)


def _ligado(turma: Turma, pagina_pronta: Path, texto: Markup) -> Markup:
    if not pagina_pronta.is_file():
        return texto
    caminho = os.path.relpath(pagina_pronta, turma.raiz / PASTA).replace(os.sep, "/")
    return Markup('<a href="{}">{}</a>').format(urllib.parse.quote(caminho), texto)


def _situacao(e: Entrega) -> str:
    partes = ["olhar"] if e.motivo else ["espera leitura"] if e.espera else []
    if e.atraso:
        partes.append(f"{datas.duracao(e.atraso)} de atraso{f', −{numero(e.desconto)}' if e.desconto else ''}")
    return "; ".join(partes) or ("com avisos" if e.consertos else "corrigida")


def _calor(fracao: float, texto: str | None = None) -> Markup:
    """A porcentagem sobre uma de cinco cores: com 200 alunos, é por elas que o olho corre a tabela."""
    texto = f"{fracao:.0%}" if texto is None else texto
    return Markup('<span class="calor q{}">{}</span>').format(max(0, min(4, int(5 * fracao))), texto)


def _da_questao(q: QuestaoCorrigida) -> Markup:
    return Markup("…") if q.espera else _calor(q.pontos / q.de if q.de else 0.0, numero(q.pontos))


def _curto(titulo: str) -> str:
    """“1. `softmax`” → “1”, e “Discussão 2” → “D2”: a tabela das questões, acima, diz o resto."""
    achado = re.match(r"(\d+)\.|(D)iscussão (\d+)", titulo)
    return "".join(filter(None, achado.groups())) if achado else titulo.replace("`", "")


def _do_aluno(turma: Turma, e: Entrega) -> list[Any]:
    return [_com_ligacao(turma, e), f"{numero(e.nota)} de {numero(e.de)}", *map(_da_questao, e.questoes), _situacao(e)]


def _sem_nota(s: SemNota, questoes: int) -> list[Any]:
    return [_com_nome(s.aluno, s.nome), "–", *["–"] * questoes, "sem nota"]


def _fracao(linha: Linha, lista: str) -> float:
    e = linha.entregas.get(lista)
    return e.nota / e.de if e and e.de else np.nan


_MEDIA = (
    "A média vai de 0 a 10, com o peso de cada lista, e o que não foi entregue vale zero. O total é a soma das notas, "
    "sem os pesos. De cada lista, a porcentagem da nota."
)


def de_todas(turma: Turma, listas: list[str]) -> str:
    pesos = pesos_de(listas)
    linhas = boletim(turma, listas, pesos)
    listas = [lista for lista in listas if any(lista in linha.entregas for linha in linhas)]
    if not listas:
        raise NadaARelatar(sem_notebooks(None))
    matriz = np.array([[_fracao(linha, lista) for lista in listas] for linha in linhas])
    tabela = [_da_turma(turma, linha, fracoes) for linha, fracoes in zip(linhas, matriz, strict=True)]
    medias = [linha.media for linha in linhas if linha.media is not None]
    totais = [linha.total for linha in linhas if linha.total is not None]
    media, total = (com_virgula(float(np.mean(notas))) if notas else "–" for notas in (medias, totais))
    por_lista = [_calor(float(np.nanmean(coluna))) for coluna in matriz.T]
    resumo = f"{len(linhas)} alunos. Média da turma {media}, de 0 a 10."
    if faltam := sum(linha.media is None for linha in linhas):
        resumo += f" {faltam} {'está' if faltam == 1 else 'estão'} sem média, à espera de que a correção se repita."
    return (
        pagina.ambiente()
        .get_template("relatorio.html")
        .render(
            titulo="A turma por todas as listas",
            quantas=int((~np.isnan(matriz)).sum()),
            politica=turma.atraso.politica(),
            resumo=resumo,
            figuras=[
                {"titulo": "A turma, lista a lista", "texto": _CAIXAS, "imagem": figura_do_progresso(listas, matriz)}
            ],
            titulo_da_tabela="O progresso de cada um",
            texto_da_tabela=_MEDIA,
            # na frente, para que se vejam também em um celular
            colunas=["média", "total", *(_coluna(turma, lista, pesos[lista]) for lista in listas)],
            tabela=tabela,
            rodape=["A turma", media, total, *por_lista],
        )
    )


def _da_turma(turma: Turma, linha: Linha, fracoes: np.ndarray) -> list[Any]:
    celulas: list[Any] = ["–" if np.isnan(v) else _calor(float(v)) for v in fracoes]
    contas = ("–" if conta is None else com_virgula(conta) for conta in (linha.media, linha.total))
    return [_com_nome(linha.aluno, linha.nome), *contas, *celulas]


def _coluna(turma: Turma, lista: str, peso: float) -> Markup:
    """O nome curto da lista, com o caminho do relatório dela, se já foi feito, e o peso, se não é 1."""
    nome = _ligado(turma, turma.raiz / PASTA / f"{lista}.html", Markup.escape(lista[:8]))
    return nome if peso == 1 else nome + f" (peso {numero(peso)})"


def relatorio(pedida: str | None, turma: Turma) -> Path:
    """Grava o relatório de uma lista, ou o de todas, e devolve o caminho."""
    listas = turma.listas()
    if not listas:
        raise NadaARelatar("Ainda não há entregas corrigidas; rode antes: python curso.py corrigir LISTA")
    lista = turma.achar(pedida) if pedida else None
    destino = turma.raiz / PASTA / f"{lista or 'turma'}.html"
    destino.parent.mkdir(exist_ok=True)
    gravar(destino, da_lista(turma, lista) if lista else de_todas(turma, listas))
    return destino


def main(argumentos: list[str] | None = None) -> int:
    return com_a_turma("relatorio", argumentos, _relatar, NadaARelatar)


def _relatar(pedido: Any, turma: Turma) -> int:
    try:
        destino = relatorio(pedido.lista, turma)
    except (NadaARelatar, TurmaIndisponivel):
        avisar_de_quem_falta(turma.sem)
        raise
    print(f"O relatório está em {destino}")
    return avisar_de_quem_falta(turma.sem)


if __name__ == "__main__":
    rodar(main)
