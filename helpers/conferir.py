"""A porta da conferência: `conferir("lista-02/softmax", softmax)`.

Nos casos visíveis o julgamento é aqui, na hora. Quando a lista está sendo corrigida, a correção deixa um pedido com
entradas novas, e esta função só devolve a evidência: o que a resposta fez com elas. Nenhum notebook muda por isso.
"""

import contextlib
import difflib
import json
import os
import re
import sys
import textwrap
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Any

from helpers.conferencia.emprestimo import Emprestada
from helpers.conferencia.erros import por_escrever
from helpers.conferencia.execucao import Registro, aceita, executar
from helpers.conferencia.frases import TIPO_DO_RECADO, pode_vir_de, so_conta_la
from helpers.conferencia.julgamento import Diagnostico, Juiz, Referencia
from helpers.conferencia.pecas import peca
from helpers.conferencia.por_dentro import mostrar_erro
from helpers.conferencia.propriedades import PROPRIEDADES

REFERENCIAS = Path(__file__).parent / "referencias"
TIPO_DA_EVIDENCIA = "application/vnd.curso.evidencia+json"
CERTA_DE_OUTRO_JEITO = "certa-"  # como começa o nome de uma previsão certa, escrita de outro jeito
PEDIDO = "CURSO_PEDIDO"  # variável de ambiente com o caminho do pedido da correção
_LENTO = 2.0  # segundos, somados todos os casos, a partir dos quais vale um comentário
_SORTEIO = "Com a mesma entrada, sua função deu dois resultados: há um sorteio nela, e aqui nada é sorteado."
_VERDE, _VERMELHO, _NEGRITO, _FIM = "\x1b[32m", "\x1b[31m", "\x1b[1m", "\x1b[0m"


class Conferencia(AssertionError):
    """A resposta não está certa. O texto é o diagnóstico; `equivoco`, o nome curto do equívoco, se conhecido."""

    def __init__(self, frase: str, questao: str, equivoco: str | None = None):
        super().__init__(frase)
        self.questao = questao
        self.equivoco = equivoco

    def _render_traceback_(self) -> list[str]:
        """O que o notebook mostra: só o diagnóstico, sem o caminho do erro por dentro do curso."""
        titulo = f"{_VERMELHO}{_NEGRITO}✗ {self.questao.rpartition('/')[2]}{_FIM}"
        if self.equivoco:
            titulo += f"{_VERMELHO} ({self.equivoco}){_FIM}"
        return [titulo, *textwrap.wrap(str(self), 80)]


# ---------------------------------------------------------------- referências


@lru_cache(maxsize=16)
def _arquivo(caminho: Path, _modificado: float) -> dict:
    return json.loads(caminho.read_text(encoding="utf-8"))


def _questoes(lista: str) -> dict:
    caminho = REFERENCIAS / f"{lista}.json"
    return _arquivo(caminho, caminho.stat().st_mtime) if caminho.is_file() else {}


def carregar(questao: str) -> Referencia:
    """A referência de uma questão; se o nome não existe, uma Conferencia que sugere o mais parecido."""
    dado = _questoes(questao.partition("/")[0]).get(questao)
    if dado is None:
        nomes = [n for c in sorted(REFERENCIAS.glob("*.json")) for n in _questoes(c.stem)]
        perto = difflib.get_close_matches(questao, nomes, n=1)
        dica = f" Você quis dizer “{perto[0]}”?" if perto else ""
        raise Conferencia(f"Não existe a questão “{questao}”.{dica}", questao)
    return Referencia.de_dados(questao, dado)


# ---------------------------------------------------------------- conferir


def conferir(questao: str, resposta: Any) -> None:
    """Confere a resposta nos casos visíveis; lança Conferencia com o diagnóstico, ou volta em silêncio.

    Em um notebook, quando está tudo certo, mostra uma linha verde com o que foi conferido.
    """
    pedido = _pedido_da_correcao(questao)
    if pedido is not None:
        _entregar_evidencia(questao, resposta, pedido)
        return
    referencia = carregar(questao)
    with _como_na_correcao():
        diagnostico, registros = examinar(referencia, resposta)
        if diagnostico is not None:
            diagnostico.frase += _do_que_ja_passa(referencia, registros)
        if diagnostico is not None and (erradas := _dependencias_erradas(referencia, resposta, registros)):
            certa, culpadas = _certa_sem_o_erro_delas(referencia, resposta, erradas), [f for f in erradas if erradas[f]]
            if certa:
                _dar_o_recado(so_conta_la(culpadas))
                return
            if certa is None:
                diagnostico.frase = f"{diagnostico.frase} {pode_vir_de(culpadas)}"
    if diagnostico is not None:
        # "from None": o caminho por dentro do curso não interessa a quem responde
        raise Conferencia(diagnostico.frase, questao, diagnostico.equivoco) from None
    if _em_notebook():
        print(_linha_verde(referencia))
        for observacao in observacoes(registros):
            print(f"  {observacao}")


def _do_que_ja_passa(referencia: Referencia, registros: list[Registro]) -> str:
    """A quem errou só uma das últimas partes da questão: quanto vale o que está certo."""
    juiz = Juiz(referencia)
    certos = [i < len(registros) and juiz.acertou(i, registros[i]) for i in range(len(referencia.casos))]
    fracao = sum(referencia.partes[: referencia.partes_certas(certos)])
    return f" O que já passa aqui vale {100 * fracao:.0f} % dos pontos da questão." if fracao else ""


def _como_na_correcao() -> contextlib.AbstractContextManager[None]:
    """O que a resposta usa de outras listas, por `helpers.minhas`, é o do curso: um erro de lá não se cobra aqui."""
    origem = sys.modules.get("helpers.autoria.origem")
    return origem.so_do_curso() if origem else contextlib.nullcontext()


def examinar(referencia: Referencia, resposta: Any) -> tuple[Diagnostico | None, list[Registro]]:
    """O que há de errado na resposta, nos casos visíveis (None se nada), e o que ela fez em cada um."""
    frase = _nao_da_para_chamar(referencia, resposta)
    if frase:
        return Diagnostico(frase), []
    casos = [c.entradas for c in referencia.casos]
    registros = executar(referencia.adaptar(resposta), casos, referencia.prazo, resposta=resposta)
    try:
        diagnostico = Juiz(referencia).julgar(registros)
        if diagnostico is not None and _varia(referencia, resposta, diagnostico, registros):
            diagnostico.frase = f"{_SORTEIO} {diagnostico.frase}"
        return diagnostico, registros
    except Exception:  # a resposta pode ter trocado funções do NumPy ou do Python por outras
        return Diagnostico("O resultado da sua função não pôde ser comparado; reinicie o kernel e rode de novo."), []


def _varia(referencia: Referencia, resposta: Any, dito: Diagnostico, registros: list[Registro]) -> bool:
    """A resposta dá outra coisa com a mesma entrada? (Onde o sorteio faz parte da questão, um adaptador a chama.)"""
    if dito.equivoco or dito.caso is None or referencia.adaptador or registros[dito.caso].erro:
        return False
    (outra_vez,) = executar(resposta, [referencia.casos[dito.caso].entradas], referencia.prazo)
    return outra_vez.erro is None and outra_vez.saida != registros[dito.caso].saida


def _nao_da_para_chamar(referencia: Referencia, resposta: Any) -> str | None:
    """O primeiro degrau da escada: existe, é função, aceita os argumentos?"""
    nome = referencia.funcao
    if not callable(resposta):
        que = "o valor `...` (três pontos)" if resposta is ... else f"um valor do tipo {type(resposta).__name__}"
        return f"`{nome}` deveria ser uma função, e é {que}; passe a função sem os parênteses da chamada."
    for quantidade in referencia.quantidades:
        if not aceita(resposta, quantidade):
            return (
                f"`{nome}` precisa aceitar {quantidade} {'argumento' if quantidade == 1 else 'argumentos'} "
                f"por posição; a assinatura do enunciado é {referencia.assinatura}."
            )
    return None


def iguais(a: Any, b: Any) -> bool:
    """Os dois arrays têm a mesma forma e os mesmos números? (A tolerância para o arredondamento é nossa.)"""
    import numpy as np

    um, outro = np.asarray(a), np.asarray(b)
    return um.shape == outro.shape and bool(np.allclose(um, outro, rtol=1e-5, atol=1e-7))


# ---------------------------------------------------------------- o erro que vem de outra questão


def so_erra_por_outra(referencia: Referencia, resposta: Any, registros: list[Registro]) -> bool:
    """A resposta errada passa se as funções da mesma lista que ela usa forem as certas?"""
    erradas = _dependencias_erradas(referencia, resposta, registros)
    return bool(erradas) and _certa_sem_o_erro_delas(referencia, resposta, erradas) is True


def _dependencias_erradas(referencia: Referencia, resposta: Any, registros: list[Registro]) -> dict[str, bool]:
    """As funções do aluno de que a resposta depende, já escritas, que não passam nos casos visíveis delas.

    De cada uma se diz se a culpa é dela: a que só erra por outra não a tem.
    """
    if not registros or nao_escrita(registros):
        return {}
    nomes, lista = _nomes_em_volta(resposta), referencia.questao.partition("/")[0]
    erradas: dict[str, bool] = {}
    for funcao in referencia.depende:
        if callable(nomes.get(funcao)):
            sua = carregar(f"{lista}/{funcao}")
            diagnostico, registros = examinar(sua, nomes[funcao])
            if diagnostico is not None and not nao_escrita(registros):
                de_antes = {f: True for f in sua.depende if f in erradas}
                erradas[funcao] = not (de_antes and _certa_sem_o_erro_delas(sua, nomes[funcao], de_antes))
    return erradas


def _certa_sem_o_erro_delas(referencia: Referencia, resposta: Any, erradas: dict[str, bool]) -> bool | None:
    """A resposta passa com as dependências certas? None se aqui não há como saber."""
    if not referencia.emprestimos:
        return None
    nomes, lista = _nomes_em_volta(resposta), referencia.questao.partition("/")[0]
    certas = {f: Emprestada(carregar(f"{lista}/{f}").assinatura, referencia.emprestimos.get(f, {})) for f in erradas}
    do_aluno = {f: nomes[f] for f in erradas}
    nomes.update(certas)
    try:
        diagnostico, _ = examinar(referencia, resposta)
    finally:
        nomes.update(do_aluno)
    return None if any(c.faltou for c in certas.values()) else diagnostico is None


def _nomes_em_volta(resposta: Any) -> dict[str, Any]:
    """Os nomes do notebook, onde a resposta procura as outras funções."""
    modulo = sys.modules.get(getattr(resposta, "__module__", None) or "")
    return getattr(resposta, "__globals__", None) or (vars(modulo) if modulo else {})


def nao_escrita(registros: list[Registro]) -> bool:
    """A função ainda é a do enunciado, com o `raise NotImplementedError`?"""
    return bool(registros) and registros[0].erro is not None and por_escrever(registros[0].erro)


def _dar_o_recado(frase: str) -> None:
    """O que se diz a quem passou: em um notebook aparece embaixo da célula, e o botão Validar o lê dali."""
    if _em_notebook():
        from IPython.display import display

        verde = f"{_VERDE}✓ {frase}{_FIM}"
        display({"text/plain": verde, TIPO_DO_RECADO: frase}, raw=True)


def observacoes(registros: list[Registro]) -> list[str]:
    """O que não custa pontos, mas vale saber: a função imprime, avisa ou demora."""
    frases = []
    if any(r.impresso for r in registros):
        frases.append(
            "Sua função escreve na tela (print ou barra de progresso); está certa, mas em silêncio fica melhor."
        )
    avisos = [a for r in registros for a in r.avisos]
    if avisos:
        frases.append(f"Sua função emitiu um aviso: {avisos[0]}. O resultado está certo, mas vale entender o porquê.")
    segundos = sum(r.segundos for r in registros)
    if segundos > _LENTO:
        tempo = f"{segundos:.1f}".replace(".", ",")
        frases.append(f"Sua função levou {tempo} s; um laço em Python talvez possa virar uma conta com arrays.")
    return frases


def _linha_verde(referencia: Referencia) -> str:
    titulos = [PROPRIEDADES[p.rpartition(": ")[2]].titulo for p in referencia.propriedades]
    feito = ", ".join(["forma", *dict.fromkeys(titulos), "valores"])
    quantos = len(referencia.casos)
    casos = "1 caso" if quantos == 1 else f"{quantos} casos"
    return f"{_VERDE}✓ {referencia.funcao}: {casos} ({feito}).{_FIM}"


# ---------------------------------------------------------------- confira: a versão das aulas


def confira(questao: str, resposta: Any, *decimais: Any) -> None:
    """Nas aulas: diz se a aposta está certa, sem nunca interromper o notebook."""
    if resposta is ... or resposta is None:
        print("Troque os três pontos pela sua aposta e rode esta célula de novo.")
        return
    referencia = carregar(questao)
    tipo = referencia.saidas[0][1]
    valor = (resposta, *decimais) if decimais else resposta  # confira("…", 2,45) chega com um argumento a mais
    if tipo in ("int", "float"):
        valor, aviso = _numero_escrito(valor)
        if aviso:
            print(aviso)
    valor = canonico(valor, tipo)
    diagnostico, _ = examinar(referencia, lambda: valor)
    if diagnostico is None or (diagnostico.equivoco or "").startswith(CERTA_DE_OUTRO_JEITO):
        print(f"{_VERDE}✓ Isso mesmo.{_FIM}")
    elif diagnostico.equivoco:
        print(diagnostico.frase)
    elif not referencia.opcoes or (isinstance(valor, str) and valor in [canonico(o, tipo) for o in referencia.opcoes]):
        print("Ainda não. Releia o trecho acima e tente outra vez, ou siga em frente e compare.")
    else:
        *outras, ultima = (f"“{opcao}”" for opcao in referencia.opcoes)
        print(f"Essa não é uma das opções. Responda {', '.join(outras)} ou {ultima}.")


def _numero_escrito(valor: Any) -> tuple[Any, str]:
    """Um número escrito à brasileira (2,45, que o Python lê como um par) ou entre aspas, e o que dizer disso."""
    if isinstance(valor, tuple) and len(valor) == 2 and all(type(n) is int for n in valor) and valor[1] >= 0:
        lido = float(f"{valor[0]}.{valor[1]}")
        return lido, f"Li {lido:g}. Em Python a vírgula separa dois valores: o decimal se escreve com ponto."
    if not isinstance(valor, str):
        return valor, ""
    try:
        lido = float(valor.strip().replace(",", ".").replace("−", "-"))
    except ValueError:
        return valor, "A aposta desta célula é um número, sem aspas e sem unidade."
    com_ponto = " e com ponto decimal" if "," in valor else ""
    return lido, f"Li {lido:g}. Um número se escreve sem aspas{com_ponto}."


def canonico(valor: Any, tipo: str) -> Any:
    """Textos sem diferença de maiúsculas, acentos, hífens e espaços; formas como texto; 8 e 8.0 são o mesmo número."""
    if tipo == "texto" and isinstance(valor, str):
        decomposto = unicodedata.normalize("NFKD", valor.casefold())
        sem_acentos = "".join(c for c in decomposto if not unicodedata.combining(c))
        return " ".join(re.sub(r"[-‐‑–]", " ", sem_acentos).split())
    if tipo == "forma" and isinstance(valor, tuple | list):
        return ",".join(str(n) for n in valor)
    if tipo == "forma" and isinstance(valor, str):
        return ",".join(re.findall(r"\d+", valor)) or valor
    if getattr(valor, "ndim", None) == 0 and hasattr(valor, "item"):  # um número do NumPy ou do torch
        valor = valor.item()
    if isinstance(valor, int | float) and not isinstance(valor, bool):
        with contextlib.suppress(OverflowError):  # um inteiro que não cabe em um float fica como está
            if tipo == "float":
                return float(valor)
            if tipo == "int" and float(valor).is_integer():
                return int(valor)
    return valor


# ---------------------------------------------------------------- evidência, quando a lista está sendo corrigida


def _pedido_da_correcao(questao: str) -> dict | None:
    caminho = os.environ.get(PEDIDO)
    if not caminho:
        return None
    try:
        return json.loads(Path(caminho).read_text(encoding="utf-8")).get(questao)
    except (OSError, ValueError):
        return None


def _entregar_evidencia(questao: str, resposta: Any, pedido: dict) -> None:
    """Chama a resposta com as entradas do pedido e publica o que ela fez, só com dados."""
    from IPython.display import display

    evidencia: dict[str, Any] = {"questao": questao, "registros": [], "chamada": None}
    if not callable(resposta):
        evidencia["chamada"] = "nao-e-funcao"
    elif not all(aceita(resposta, quantidade) for quantidade in pedido["quantidades"]):
        evidencia["chamada"] = "argumentos"
    else:
        funcao = peca(pedido["adaptador"])(resposta) if pedido["adaptador"] else resposta
        registros = executar(funcao, pedido["casos"], pedido["prazo"], pedido["prazo_total"], resposta)
        evidencia["registros"] = [r.como_dados() for r in registros]
    display({TIPO_DA_EVIDENCIA: codificar_evidencia(evidencia)}, raw=True)


def codificar_evidencia(evidencia: dict) -> str:
    """Texto, e não objeto: o Jupyter não tem o que reinterpretar no caminho."""
    return json.dumps(evidencia, ensure_ascii=False)


# ---------------------------------------------------------------- no notebook


def _em_notebook() -> bool:
    return "IPython" in sys.modules and sys.modules["IPython"].get_ipython() is not None


def _ensinar_nome_que_falta() -> None:
    """`conferir("…", softmax)` sem a função definida para antes de chegar aqui: dá uma frase também a esse erro."""
    shell = sys.modules["IPython"].get_ipython()

    def mostrar(shell: Any, tipo: type, erro: NameError, rastro: Any, tb_offset: int | None = None) -> None:
        while rastro.tb_next is not None:  # até o quadro em que o nome faltou
            rastro = rastro.tb_next
        codigo = rastro.tb_frame.f_code
        na_conferencia = codigo.co_name == "<module>" and "conferir" in codigo.co_names
        if not na_conferencia or not erro.name:
            shell.showtraceback((tipo, erro, erro.__traceback__), tb_offset=tb_offset)
            return
        frase = (
            f"O nome `{erro.name}` não existe neste notebook: rode a célula em que você o define, "
            "ou veja se o nome é o do enunciado."
        )
        mostrar_erro(shell, tipo, erro, Conferencia(frase, erro.name)._render_traceback_())

    shell.set_custom_exc((NameError,), mostrar)


if _em_notebook():
    _ensinar_nome_que_falta()

__all__ = ["Conferencia", "conferir", "confira"]
