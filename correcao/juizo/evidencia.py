"""O vaivém da correção: o pedido (entradas novas) e a evidência (o que a resposta fez com elas).

Tudo o que vem do kernel do aluno é suspeito: lê-se como dados, com tamanho limitado, e nada é executado.
"""

import hashlib
import json
from dataclasses import fields
from typing import Any

from correcao.caixa.oraculo import Oraculo
from correcao.comum.anotacao import Veredito
from correcao.comum.texto import imprimivel
from gabarito.base import Questao
from helpers.conferencia.codificacao import codificar
from helpers.conferencia.execucao import PRAZO, Registro
from helpers.conferencia.flagrante import MAIOR_TRECHO, MAIS_NOMES
from helpers.conferencia.juiz import Diagnostico, Juiz, Julgamento
from helpers.conferencia.na_tela import Conferencia
from helpers.conferencia.pedido import TIPO_DA_EVIDENCIA
from helpers.conferencia.pistas import FRASES
from helpers.conferencia.referencia import Caso, carregar, quantidades
from helpers.escrita import enumerar

PRAZO_TOTAL = 60.0  # há mais casos que na conferência: quem passou nela não pode ser reprovado pelo relógio
MAXIMO = 20_000_000  # caracteres de evidência por questão
_MAXIMO_DE_CHAVES = 1_000_000  # colchetes e chaves: o que faz um JSON pequeno ocupar muita memória
_TEXTOS_DO_ERRO = ("tipo", "mensagem", "onde", "auxiliar")
_MAIOR_TEXTO = 500  # de um erro, como no motor da conferência: um mais comprido foi inventado e só pode dar trabalho
_CAMPOS = {f.name for f in fields(Registro)}
_SEM_CONFIRMACAO = "A correção não pôde confirmar, nos números que recebeu, o que o seu notebook disse ter feito."


class EvidenciaInvalida(ValueError):
    """O que o kernel entregou não é uma evidência."""


def semente_da_questao(semente: int, nome: str) -> int:
    """De uma semente por entrega, uma por questão, sem relação visível entre elas."""
    return int.from_bytes(hashlib.sha256(f"{semente}|{nome}".encode()).digest()[:8], "big")


def outra_semente(semente: int) -> int:
    """A da segunda evidência de uma entrega (juizo/uma_vez.py): entradas novas, e sempre as mesmas."""
    return semente_da_questao(semente, "segunda evidência") >> 1


def pedido(q: Questao, semente: int, oraculo: Oraculo | None = None) -> dict:
    """As entradas que o kernel vai receber: as visíveis e as ocultas desta entrega. Nenhuma saída.

    As funções que a resposta não pode examinar ficam com o oráculo. Sem ele, como em um teste que roda a resposta aqui
    mesmo, vão com as outras entradas.
    """
    declarados = [*q.casos, *q.casos_ocultos(semente_da_questao(semente, q.nome))]
    return {
        "casos": [
            oraculo.esconder(q, i, c.entradas) if oraculo else [codificar(e) for e in c.entradas]
            for i, c in enumerate(declarados)
        ],
        "quantidades": quantidades(q.assinatura, q.adaptador, [c.entradas for c in q.casos]),
        "prazo": PRAZO,
        "prazo_total": PRAZO_TOTAL,
        "adaptador": q.adaptador,
    }


def _registro(dado: Any) -> Registro:
    if not isinstance(dado, dict) or set(dado) != _CAMPOS:
        raise EvidenciaInvalida("registro com campos a mais ou a menos")
    erro = dado["erro"]
    if erro is not None:
        textos = isinstance(erro, dict) and all(isinstance(erro.get(k), str) for k in _TEXTOS_DO_ERRO)
        if not textos or not isinstance(erro.get("bases"), list) or not all(isinstance(b, str) for b in erro["bases"]):
            raise EvidenciaInvalida("erro mal anotado")
        textos_do_erro = {campo: erro[campo][:_MAIOR_TEXTO] for campo in _TEXTOS_DO_ERRO}
        erro = textos_do_erro | {"bases": erro["bases"][:50]} | _em_volta(erro)
    if not isinstance(dado["alterou"], list) or not all(type(i) is int and 0 <= i < 100 for i in dado["alterou"]):
        raise EvidenciaInvalida("lista de argumentos alterados inválida")
    pistas = dado["pistas"] if isinstance(dado["pistas"], dict) else {}
    return Registro(
        saida=dado["saida"],
        erro=erro,
        alterou=dado["alterou"],
        testemunha=dado["testemunha"],
        pistas={k: n for k, n in pistas.items() if k in FRASES and type(n) is int and 0 < n < 10**6},
    )


def _em_volta(erro: dict[str, Any]) -> dict[str, Any]:
    """O que se anotou em volta do erro (`flagrante`), se tem o formato combinado: serve à frase, e não à nota."""
    textos = {k: erro[k][:MAIOR_TRECHO] for k in ("trecho", "parecido") if isinstance(erro.get(k), str)}
    tabelas = {k: erro[k].items() for k in ("valores", "origens") if isinstance(erro.get(k), dict)}
    return textos | {
        k: {str(nome)[:100]: valor[:MAIOR_TRECHO] for nome, valor in list(pares)[:MAIS_NOMES] if isinstance(valor, str)}
        for k, pares in tabelas.items()
    }


def ler(texto: Any, questao: str) -> tuple[str | None, list[Registro]]:
    """(problema na chamada, registros) de uma evidência; EvidenciaInvalida para qualquer outra coisa."""
    if not isinstance(texto, str) or len(texto) > MAXIMO or texto.count("[") + texto.count("{") > _MAXIMO_DE_CHAVES:
        raise EvidenciaInvalida("evidência ausente ou grande demais")
    try:
        dado = json.loads(texto)
    except (ValueError, RecursionError) as erro:
        raise EvidenciaInvalida("evidência que não é JSON") from erro
    if not isinstance(dado, dict) or dado.get("questao") != questao or not isinstance(dado.get("registros"), list):
        raise EvidenciaInvalida("evidência de outra questão")
    chamada = dado.get("chamada")
    return (chamada if isinstance(chamada, str) else None), [_registro(r) for r in dado["registros"]]


def das_saidas(saidas: list[Any]) -> Any:
    """A última que uma célula mostrou; None se nenhuma."""
    textos = [o["data"][TIPO_DA_EVIDENCIA] for o in saidas if TIPO_DA_EVIDENCIA in o.get("data", {})]
    return textos[-1] if textos else None


def julgar(q: Questao, semente: int, texto: Any) -> Veredito:
    """Compara a evidência com o gabarito. A que é torta vale zero, com o porquê; um erro que saia daqui é nosso."""
    try:
        chamada, registros = ler(texto, q.nome)
    except EvidenciaInvalida:
        return Veredito("A correção não recebeu um resultado legível da sua função.")
    if chamada == "nao-e-funcao":
        return Veredito(f"`{q.funcao}` deveria ser uma função.")
    if chamada == "argumentos":
        return Veredito(f"`{q.funcao}` não aceita os argumentos do enunciado: {q.assinatura}.")
    return _comparar(q, semente_da_questao(semente, q.nome), registros)


def o_que_resta(q: Questao, veredito: Veredito) -> str | None:
    """O que dizer do que ainda falta, sem uma palavra que não esteja no gabarito: a resposta pode ter posto outras na
    evidência. None se não falta nada, ou se não há o que dizer assim."""
    if veredito.fracao == 1:
        return None
    if conhecido := next((e for e in q.equivocos if e.nome == veredito.equivoco), None):
        return conhecido.frase
    faltam = [f"“{parte}”" for parte in q.partes if parte not in veredito.certas]
    return f"O que ainda falta nela: {enumerar(faltam)}." if faltam else None


def _comparar(q: Questao, semente: int, registros: list[Registro]) -> Veredito:
    declarados = [*q.casos, *q.casos_ocultos(semente)]
    if len(registros) > len(declarados):  # a menos pode faltar tempo; a mais, só quem inventa
        return Veredito("A correção recebeu mais resultados do que pediu.")
    visiveis = Julgamento(q.as_claras(), registros)
    certos = _certos(q, visiveis)
    nos_visiveis = None if all(certos) else _como_na_conferencia(q, registros)
    # quem já perde todos os pontos nos visíveis não precisa dos ocultos, em que a referência roda a cada entrega
    if nos_visiveis and not visiveis.ref.partes_certas(certos):
        return _reprovar(q, nos_visiveis, [], len(declarados))
    todos = Julgamento(q.oculta(semente, com_equivocos=False), registros, visiveis)
    certos += _certos(q, todos, len(certos))
    if all(certos):
        return Veredito(None, None, 1.0, list(q.partes), len(declarados))
    dito = nos_visiveis or Julgamento(q.oculta(semente), registros, todos).diagnostico()
    dito = dito or Diagnostico(_SEM_CONFIRMACAO)
    return _reprovar(q, dito, list(q.partes)[: todos.ref.partes_certas(certos)], len(declarados))


def _reprovar(q: Questao, diagnostico: Diagnostico, certas: list[str], casos: int) -> Veredito:
    frase = imprimivel(diagnostico.frase, " ")  # pode citar o que o aluno escreveu
    return Veredito(frase, diagnostico.equivoco, sum(q.partes[p] for p in certas), certas, casos)


def _como_na_conferencia(q: Questao, registros: list[Registro]) -> Diagnostico | None:
    """Quem erra nos casos visíveis lê o mesmo que leu ao conferir, e que já está calculado: os equívocos conhecidos só
    rodam aqui, o que custa segundos, para quem erra apenas nos ocultos."""
    try:
        guardada = carregar(q.nome)
    except Conferencia:  # uma questão que ainda não passou pelo `gerar`
        return None
    if len(guardada.casos) != len(q.casos) or len(registros) < len(q.casos):
        return None
    return Juiz(guardada).julgar(registros[: len(q.casos)])


def _certos(q: Questao, julgamento: Julgamento, desde: int = 0) -> list[bool]:
    """Caso a caso, e com a testemunha confirmada; o que não tem registro está errado."""
    return [
        julgamento.acertou(i) and _confirmado(q, caso, julgamento.registro(i))
        for i, caso in enumerate(julgamento.ref.casos)
        if i >= desde
    ]


def _confirmado(q: Questao, caso: Caso, registro: Registro) -> bool:
    sem_saida = registro.erro is not None  # onde se espera um erro não há o que testemunhar
    return sem_saida or q.confirma(caso.entradas, registro.testemunha)
