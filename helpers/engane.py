"""*Engane a sua máquina*: no fim de uma lista, as funções do aluno decidem o que *manga* é em uma frase dele.

    engane("lista-01", sentido=sentido)               # no fim da lista: a caixa em que se escreve a frase
    palavras, certo = frase_guardada("lista-01")      # no começo da aula seguinte: a frase que a enganou

Como cada lista decide está em `helpers/decisoes/lista_NN.py`: `decidir(prontas, palavras)` recebe as funções (nome →
função) e devolve, para cada *manga* da frase, quanto ela é fruta e quanto é roupa, (mangas, 2). Se a frase não serve,
ela lança um ValueError com o porquê. `ENGANA` é a do curso, para quem não guardou nenhuma: (frase, o que manga é nela).

A frase guardada fica na pasta do curso, em `.jupyter/engane`. Ela não vai na entrega e não sai do computador.
"""

import contextlib
import html
import importlib
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from helpers import do_aluno
from helpers.autoria.tipos import como_na_entrada
from helpers.conferencia.exame import nao_escrita, passa
from helpers.conferencia.pedido import sem_ninguem_olhando
from helpers.conferencia.referencia import carregar
from helpers.escrita import com_virgula, enumerar
from helpers.exemplos import TABELA_5, VOCABULARIO
from helpers.gravacao import gravar
from helpers.indice import questoes

GUARDADAS = do_aluno() / ".jupyter" / "engane"
SENTIDOS = ("fruta", "roupa")
CERTOS = (*SENTIDOS, "fruta, depois roupa", "roupa, depois fruta")  # os dois últimos, para uma frase de duas mangas

Funcoes = dict[str, Callable[..., Any]]


def engane(lista: str, **funcoes: Callable[..., Any]) -> None:
    """A caixa em que o aluno escreve uma frase e diz o que *manga* é nela. Na correção e no Validar, não faz nada."""
    if sem_ninguem_olhando():
        return
    prontas = _prontas(lista, funcoes)
    if len(prontas) < len(funcoes):
        print("Quando tudo passar na conferência, rode esta célula de novo.")
        return
    import ipywidgets as widgets  # só aqui: quem corrige não precisa deles
    from IPython.display import display

    largo = {"layout": {"width": "95%"}, "style": {"description_width": "initial"}}
    frase = widgets.Text(description="A sua frase", placeholder="Ele comeu manga", **largo)
    certo = widgets.Dropdown(description="Nela, manga é", options=CERTOS, style=largo["style"])
    botao, dito = widgets.Button(description="Perguntar a ela"), widgets.HTML()

    def clicar(_botao: Any) -> None:
        dito.value = f'<p role="status">{html.escape(tentar(lista, prontas, frase.value, certo.value))}</p>'

    botao.on_click(clicar)
    conhece = f"As palavras que ela conhece: {', '.join(VOCABULARIO)}."
    display(widgets.VBox([widgets.HTML(f"<p>{conhece}</p>"), frase, certo, botao, dito]))


def tentar(lista: str, prontas: Funcoes, frase: str, certo: str) -> str:
    """Pergunta às funções o que *manga* é na frase, guarda a frase se elas erram e devolve o que se diz."""
    dito, enganou = perguntar(lista, prontas, frase, certo)
    if not enganou:
        return dito
    try:
        GUARDADAS.mkdir(parents=True, exist_ok=True)
        gravar(GUARDADAS / f"{lista}.json", json.dumps({"frase": " ".join(em_palavras(frase)), "certo": certo}))
    except OSError:
        return f"{dito} Não consegui guardar a frase na pasta do curso, então anote: a próxima aula pergunta por ela."
    return f"{dito} A frase ficou guardada na pasta do curso, e a próxima aula começa com ela."


def perguntar(lista: str, prontas: Funcoes, frase: str, certo: str) -> tuple[str, bool]:
    """(o que se diz, a frase enganou as funções?)"""
    try:
        palavras = em_palavras(frase)
        esperado = _um_para_cada(certo, palavras.count("manga"))
        graus = np.asarray(_da_lista(lista).decidir(prontas, palavras), dtype=float)  # (mangas, 2)
    except ValueError as porque:
        return str(porque), False
    except Exception as erro:  # passou nos casos visíveis e falhou aqui: é da função dele
        return f"Uma das suas funções parou nesta frase: {type(erro).__name__}: {erro}", False
    achado = [SENTIDOS[i] for i in graus.argmax(axis=1)]
    contas = "; ".join(f"fruta {com_virgula(fruta)}, roupa {com_virgula(roupa)}" for fruta, roupa in graus)
    diz = f"em “{' '.join(palavras)}”, manga é {', depois '.join(achado)} ({contas})"
    if achado == esperado:
        return f"Ela acertou: {diz}. Tente outra frase.", False
    return f"Você enganou a sua máquina. Para ela, {diz}.", True


def frase_guardada(lista: str) -> tuple[list[str], str]:
    """A frase que enganou as funções desta lista, e o que *manga* é nela; uma linha diz de onde veio."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        guardada = json.loads((GUARDADAS / f"{lista}.json").read_text("utf-8"))
        palavras, certo = em_palavras(guardada["frase"]), guardada["certo"]
        _um_para_cada(certo, palavras.count("manga"))
        print(f"“{' '.join(palavras)}”, a frase com que você enganou a sua {lista.replace('-', ' ')}. Manga é {certo}.")
        return palavras, certo
    frase, certo = _da_lista(lista).ENGANA
    print(f"“{frase}”, uma frase do curso, porque da {lista.replace('-', ' ')} não há uma sua. Manga é {certo}.")
    return em_palavras(frase), certo


def em_palavras(frase: str) -> list[str]:
    """As palavras da frase como estão na tabela, sem a pontuação; um ValueError diz as que ela não tem."""
    soltas = [p for p in (bruta.strip(".,;:!?…“”\"'()") for bruta in frase.split()) if p]
    achadas = [next((q for q in (p, p.lower(), p.capitalize()) if q in VOCABULARIO), None) for p in soltas]
    fora = [f"“{p}”" for p, achada in zip(soltas, achadas, strict=True) if achada is None]
    if fora:
        raise ValueError(f"Não estão na tabela: {enumerar(dict.fromkeys(fora))}. Troque por palavras que ela conhece.")
    if "manga" not in achadas:
        raise ValueError("Escreva uma frase em que apareça a palavra manga.")
    return [p for p in achadas if p]


def lados(Y: np.ndarray, palavras: Sequence[str]) -> np.ndarray:
    """O cosseno de cada *manga* de Y (N, 2) com *fruta* e com *camisa*, (mangas, 2): para que lado ela aponta."""
    mangas = np.asarray(Y)[[n for n, p in enumerate(palavras) if p == "manga"]]  # (mangas, 2)
    alvos = np.stack([VOCABULARIO["fruta"], VOCABULARIO["camisa"]])  # (2, 2)
    return mangas @ alvos.T / np.linalg.norm(mangas, axis=1)[:, None] / np.linalg.norm(alvos, axis=1)


def duas_cabecas(palavras: Sequence[str]) -> tuple[np.ndarray, ...]:
    """A máquina da aula 05: X (N, 4), e W_Q, W_K, W_V e W_O (4, 4), de duas cabeças com duas colunas cada.

    A cabeça 0 pergunta o que se faz, e a 1, quem faz. A resposta fica nas duas primeiras colunas de Y.
    """
    X = np.array([TABELA_5[p] for p in palavras])[:, [0, 1, 3, 4]]  # (N, 4): o plano, a ação e a pessoa
    W_Q, W_K, W_V, W_O = np.zeros((4, 4, 4))
    W_Q[1, 0] = W_Q[1, 2] = 8  # perguntam as palavras do alto do plano
    W_K[2, 0] = W_K[3, 2] = 1  # … pela ação, e pela pessoa
    W_V[:2, :2] = W_V[:2, 2:] = W_O[:2, :2] = np.eye(2)
    W_O[2:, :2] = 0.5 * np.eye(2)  # a pessoa vale a metade
    return X, W_Q, W_K, W_V, W_O


def _um_para_cada(certo: str, mangas: int) -> list[str]:
    """O que cada *manga* da frase é, segundo o aluno."""
    if certo not in CERTOS:
        raise ValueError("Diga o que manga é na frase: fruta ou roupa.")
    partes = certo.split(", depois ")
    if len(partes) > 1 and mangas != 2:
        raise ValueError(f"“{certo}” é para uma frase com duas mangas. Nesta, conte outra vez: mangas, {mangas}.")
    return partes if len(partes) > 1 else partes * mangas


def _da_lista(lista: str) -> Any:
    return importlib.import_module(f"helpers.decisoes.{lista.replace('-', '_')}")


def _prontas(lista: str, funcoes: Funcoes) -> Funcoes:
    """As funções que passam na conferência; das outras, diz qual é a questão que falta."""
    prontas = {}
    for nome, funcao in funcoes.items():
        certa, registros = passa(carregar(f"{lista}/{nome}"), funcao)
        if certa:
            prontas[nome] = como_na_entrada(funcao)
            continue
        numero = questoes(lista).index(f"{lista}/{nome}") + 1
        estado = "ainda não foi escrita" if nao_escrita(registros) else "ainda não passa na conferência"
        print(f"Falta a questão {numero}: `{nome}` {estado}.")
    return prontas
