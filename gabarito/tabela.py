"""A tabela de respostas curtas de uma questão: `nome: código`, e abaixo, recuada, a frase.

O código é o que a função devolve (`softmax(x, 0)`) ou uma troca no texto da referência (`x.max(…) → x.min(…)`). O que
uma troca procura tem de estar lá exatamente uma vez. Várias trocas vão uma por linha, as de baixo com oito espaços:

    sem-escala: / math.sqrt(d) → / 1
            * gama → * (1 + gama)
        A frase que um bom monitor diria, em quantas linhas quiser.

Dois equívocos de troca que andam juntos se declaram só pelos nomes, `sem-escala+sem-W_O:`. Sem frase própria, ficam as
dos dois.
"""

import ast
import inspect
import linecache
import re
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

SETA = " → "
LINHA = "⏎"  # em uma troca, começa outra linha, com o recuo da primeira
JUNTO = "+"
_NOME = re.compile(r"([\w.-]+(?:\+[\w.-]+)?):(?: (.*))?")


class DeclaracaoErrada(ValueError):
    """A declaração de uma questão não se sustenta: o texto diz qual questão, qual resposta e por quê."""


@dataclass
class Entrada:
    """Uma resposta da tabela: o nome, as linhas de código e a frase (vazia, se é uma resposta certa)."""

    nome: str
    codigo: list[str] = field(default_factory=list)
    frase: str = ""

    @property
    def e_troca(self) -> bool:
        return any(SETA in f"{linha} " for linha in self.codigo)

    @property
    def juntos(self) -> list[str]:
        """Os dois equívocos que ela junta, se é o caso."""
        return self.nome.split(JUNTO) if JUNTO in self.nome else []


def ler(texto: str, questao: str) -> list[Entrada]:
    """As entradas da tabela, na ordem em que estão."""
    entradas: list[Entrada] = []
    for linha in textwrap.dedent(texto).splitlines():
        recuo, conteudo = len(linha) - len(linha.lstrip()), linha.strip()
        if not conteudo:
            continue
        achado = _NOME.fullmatch(conteudo) if recuo == 0 else None
        if achado:
            entradas.append(Entrada(achado[1], [achado[2]] if achado[2] else []))
        elif recuo == 8 and entradas:
            entradas[-1].codigo.append(conteudo)
        elif recuo == 4 and entradas:
            entradas[-1].frase = f"{entradas[-1].frase} {conteudo}".strip()
        else:
            raise DeclaracaoErrada(
                f"{questao}: não entendi a linha {conteudo!r} da tabela; ela deve ser `nome: código`, ou ter quatro "
                "espaços (a frase) ou oito (mais código)"
            )
    for e in entradas:
        if not e.codigo and not e.juntos:
            raise DeclaracaoErrada(f"{questao}, {e.nome}: falta o código")
    return entradas


def texto_da_referencia(referencia: Callable) -> str:
    """A referência e o que ela usa do seu arquivo: o que um aluno escreveria na célula."""
    modulo = ast.parse(texto := inspect.getsource(sys.modules[referencia.__module__]))
    definidas = {no.name: no for no in modulo.body if isinstance(no, ast.FunctionDef | ast.ClassDef)}
    usadas, fila = set(), [referencia.__name__]
    while fila:
        nome = fila.pop()
        if nome in definidas and nome not in usadas:
            usadas.add(nome)
            fila += [no.id for no in ast.walk(definidas[nome]) if isinstance(no, ast.Name)]
    linhas = texto.splitlines(keepends=True)
    return "\n\n".join("".join(linhas[no.lineno - 1 : no.end_lineno]) for n, no in definidas.items() if n in usadas)


def trocar(texto: str, trocas: list[str], quem: str) -> str:
    """O texto com as trocas feitas; o que cada uma procura tem de estar nele exatamente uma vez."""
    feitas = []
    for troca in trocas:
        velho, seta, novo = f"{troca} ".partition(SETA)  # o espaço serve a quem troca por nada
        if not seta:
            raise DeclaracaoErrada(f"{quem}: falta a seta em {troca!r}")
        vezes = texto.count(velho)
        if vezes != 1:
            raise DeclaracaoErrada(f"{quem}: a troca procura {velho!r}, que aparece {vezes} vezes na referência")
        inicio = texto.index(velho)
        linha = texto[texto.rfind("\n", 0, inicio) + 1 :]
        recuo = " " * (len(linha) - len(linha.lstrip(" ")))
        feitas.append((inicio, inicio + len(velho), novo.removesuffix(" ").replace(LINHA, f"\n{recuo}")))
    limite = len(texto)
    for inicio, fim, novo in sorted(feitas, reverse=True):  # de trás para a frente: uma não mexe no lugar da outra
        if fim > limite:
            raise DeclaracaoErrada(f"{quem}: duas trocas mexem no mesmo trecho")
        texto, limite = texto[:inicio] + novo + texto[fim:], inicio
    return texto


def compilar(texto: str, nome: str, globais: dict[str, Any], quem: str, sozinho: bool) -> Callable:
    """A função ou a classe `nome` que o texto define, sem mexer em `globais`; nos rastros de erro aparece o texto.

    `sozinho`: os nomes que o texto define valem dentro dele. Senão, `softmax` dentro de `softmax` é a referência.
    """
    arquivo = f"<{quem}>"
    linecache.cache[arquivo] = (len(texto), None, texto.splitlines(keepends=True), arquivo)
    fora = dict(globais) if sozinho else globais
    definidos = fora if sozinho else {}
    try:
        exec(compile(texto, arquivo, "exec"), fora, definidos)
    except SyntaxError as erro:
        raise DeclaracaoErrada(f"{quem}: o código não é Python ({erro.msg}: {(erro.text or '').strip()!r})") from erro
    return definidos[nome]
