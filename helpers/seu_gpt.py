"""O fim da lista 08: treinar de verdade, com as funções que o aluno escreveu no notebook.

Nada aqui responde a uma questão. `abrir` lê o texto; `falta` diz se dá para rodar a célula; `ao_vivo` desenha a curva
de qualquer treino, olhando o modelo de fora; `reguas` são as perdas de quem só conta letras.
"""

import contextlib
import io
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor, nn

from helpers.conferencia.pedido import sem_ninguem_olhando
from helpers.conferir import Conferencia, conferir
from helpers.contagem import NGramas
from helpers.corpus import Corpus, SemCorpus, carregar
from helpers.tela_do_treino import LETRAS, Tela
from helpers.treino import Historia

QUESTOES = ("Tokenizador", "taxa", "lotes", "GPT", "gerar", "treinar")  # na ordem da lista
_certas: dict[str, Any] = {}  # as que já passaram: mudou a função, confere-se de novo
_sem_texto: list[str] = []  # por que o último texto pedido não serve; vazia, se serve


def abrir(nome: str, contexto: int) -> Corpus | None:
    """O corpus de `carregar(nome)`. Se não serve, diz por quê e guarda o motivo para as outras células."""
    _sem_texto.clear()
    try:
        corpus = carregar(nome)
        if len(corpus.validacao) <= contexto:
            raise SemCorpus(
                f"Em “{nome}”, o pedaço que fica fora do treino tem {len(corpus.validacao)} caracteres, e não cabe "
                f"nele um trecho de {contexto}; diminua o CONTEXTO ou junte mais texto."
            )
    except SemCorpus as motivo:
        _sem_texto.append(str(motivo))
        print(motivo)
        return None
    return corpus


def falta(*nomes: str) -> bool:
    """Há o que impeça a célula de rodar? Se há, diz o quê em uma frase. Nunca para com erro.

    Um nome de questão tem de passar na conferência dela; outro qualquer, só de existir no notebook.
    """
    if sem_ninguem_olhando():
        print("Esta parte não vale nota, e a conferência a pula.")
        return True
    do_notebook = _do_notebook()
    frase = next(filter(None, (_o_que_falta(nome, do_notebook) for nome in nomes)), None)
    if frase:
        print(frase)
    return frase is not None


def _do_notebook() -> Mapping[str, Any]:
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return shell.user_ns if shell else {}


def _o_que_falta(nome: str, do_notebook: Mapping[str, Any]) -> str | None:
    if nome not in QUESTOES:
        if do_notebook.get(nome) is not None:
            return None
        if _sem_texto:
            return f"Ainda não há texto para treinar. {_sem_texto[0]} Depois, rode outra vez a célula que o abre."
        return f"Ainda não há `{nome}`: rode antes as células de cima, em ordem."
    numero, sua = QUESTOES.index(nome) + 1, do_notebook.get(nome)
    if sua is None:
        return f"Não achei `{nome}`: rode a célula da questão {numero}, e depois esta."
    if _certas.get(nome) is not sua:
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                conferir(f"lista-08/{nome}", sua)
        except Conferencia:
            return f"Falta terminar a questão {numero}, `{nome}`: volte a ela, e depois rode esta célula outra vez."
        _certas[nome] = sua
    return None


def reguas(treino: Tensor, V: int, x: Tensor, y: Tensor) -> dict[str, float]:
    """A perda de quem só conta letras no treino, medida nos mesmos textos x e y que o modelo vai prever."""
    nomes = ("não sabe nada", "unigrama", "bigrama", "trigrama", "4-grama", "5-grama")
    n = next(n for n in (5, 4, 3, 2, 1) if V**n < 2**63)  # com milhares de letras diferentes, a régua é menor
    return dict(zip(nomes, NGramas(treino, V, n).perdas(x, y).tolist(), strict=False))


def _o_que_escreve(modelo: nn.Module) -> str:
    """O texto do modelo agora, pela função `escrever` do notebook; vazio se ela não há ou não consegue."""
    escrever = _do_notebook().get("escrever")
    if escrever is None:
        return ""
    treinando = modelo.training
    try:
        with torch.random.fork_rng(devices=[]):  # o treino não sorteia outra coisa porque se olhou
            return str(escrever(modelo, LETRAS))
    except Exception:  # é código do aluno, e aqui só se olha
        return ""
    finally:
        modelo.train(treinando)


@contextlib.contextmanager
def ao_vivo(modelo: nn.Module, passos: int, linhas: dict[str, float], rotulo: str = "O seu GPT") -> Iterator[Historia]:
    """Enquanto dura, cada chamada do modelo com alvos é um passo do treino ou, em avaliação, um ponto da curva."""
    historia, tela = Historia(semente=0), Tela(rotulo, passos, linhas, lambda: _o_que_escreve(modelo))

    def olhar(modelo: nn.Module, _entradas: Any, saida: tuple[Tensor, Tensor | None]) -> None:
        perda = saida[1]
        if perda is None:
            return
        if modelo.training:
            historia.perdas.append(float(perda.detach()))
            tela.passo(historia.perdas[-1])
        else:
            historia.passos.append(len(historia.perdas))
            historia.validacao.append(float(perda.detach()))
            tela.desenhar(historia)

    gancho = modelo.register_forward_hook(olhar)
    try:
        yield historia
    finally:
        gancho.remove()
        tela.fechar(historia)
