"""A planilha de notas que o Moodle baixa e aceita de volta, em português ou em inglês, com vírgula ou ponto.

Lê sem perder nada (separador, aspas, codificação, quebras de linha, outras colunas) e só muda o que se pede.
"""

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from configuracao.terminal import por_que
from correcao.comum.texto import sem_acentos
from helpers.escrita import com_virgula
from helpers.gravacao import gravar

# O nome de cada coluna nas traduções do Moodle, sem acentos nem maiúsculas.
COLUNAS = {
    "id": ("identifier", "identificador"),
    "nome": ("full name", "nome completo", "nome"),
    "numero": ("id number", "numero de identificacao", "numero de id", "matricula"),
    "email": ("email address", "endereco de email", "endereco de e-mail", "e-mail", "email"),
    "nota": ("grade", "nota", "avaliacao"),
    "maxima": ("maximum grade", "nota maxima", "avaliacao maxima"),
    "status": ("status", "estado"),
    "grupo": ("group", "grupo"),
    "enviado": ("last modified (submission)", "ultima modificacao (envio)", "ultima modificacao (submissao)"),
    "pode": ("grade can be changed", "nota pode ser alterada", "a nota pode ser modificada"),
    "comentario": ("feedback comments", "comentarios de feedback", "comentarios do feedback", "comentarios"),
}


_USE = "use o arquivo que o Moodle dá em “Baixar planilha de notas”"
_SINAIS = {"≠": "!=", "≤": "<=", "≥": ">=", "→": "->", "⇒": "=>", "−": "-", "√": "raiz de ", "≈": "~", "✓": "ok"}


class PlanilhaInvalida(ValueError):
    """O arquivo não é uma planilha de notas do Moodle; o texto diz por quê e o que fazer."""


def numero_do_participante(texto: str) -> str | None:
    """“Participante 12345” → "12345"."""
    achado = re.search(r"(\d+)\s*$", texto)
    return achado.group(1) if achado else None


@dataclass
class Planilha:
    """As linhas como estavam, e onde está cada coluna que interessa."""

    cabecalho: list[str]
    linhas: list[list[str]]
    colunas: dict[str, int]
    separador: str
    codificacao: str
    quebra: str
    tudo_entre_aspas: bool

    def valor(self, linha: list[str], coluna: str) -> str:
        i = self.colunas.get(coluna)
        return linha[i].strip() if i is not None and i < len(linha) else ""

    def por(self, linha: list[str], coluna: str, valor: str) -> None:
        linha[self.colunas[coluna]] = valor

    def participantes(self) -> dict[str, list[str]]:
        """Número do participante no Moodle → a linha dele."""
        pares = [(numero_do_participante(self.valor(linha, "id")), linha) for linha in self.linhas]
        return {numero: linha for numero, linha in pares if numero}

    def numero(self, x: float) -> str:
        """O número como a planilha os escreve: 7,50 ou 7.50."""
        exemplos = [self.valor(linha, c) for linha in self.linhas for c in ("maxima", "nota")]
        virgula = any(re.fullmatch(r"\d+,\d+", e) for e in exemplos)
        ponto = any(re.fullmatch(r"\d+\.\d+", e) for e in exemplos)
        if virgula or (self.separador == ";" and not ponto):  # ; separa as colunas onde a vírgula separa os centavos
            return com_virgula(x)
        return f"{x:.2f}"

    def gravar(self, destino: Path) -> None:
        gravar(destino, self.em_bytes())

    def em_bytes(self) -> bytes:
        saida = io.StringIO(newline="")
        estilo: Literal[0, 1] = csv.QUOTE_ALL if self.tudo_entre_aspas else csv.QUOTE_MINIMAL
        escritor = csv.writer(saida, delimiter=self.separador, lineterminator=self.quebra, quoting=estilo)
        escritor.writerows([self.cabecalho, *self.linhas])
        return _codificar(saida.getvalue(), self.codificacao)


def ler(caminho: Path) -> Planilha:
    """Lê a planilha do Moodle; PlanilhaInvalida para qualquer outra coisa."""
    try:
        bruto = caminho.read_bytes()
    except OSError as erro:
        raise PlanilhaInvalida(f"Não consegui ler a planilha {caminho}: {por_que(erro)}.") from None
    codificacao = _codificacao(bruto)
    texto = bruto.decode(codificacao)
    if "\x00" in texto or bruto.startswith(b"PK"):
        raise PlanilhaInvalida(f"{caminho.name} não é um CSV; {_USE}, sem salvá-lo em outro formato.")
    primeira = texto.partition("\n")[0]
    separador = max(",;\t", key=primeira.count)
    try:
        linhas = [linha for linha in csv.reader(io.StringIO(texto, newline=""), delimiter=separador) if linha]
    except csv.Error:
        raise PlanilhaInvalida(f"{caminho.name} não pôde ser lido como CSV; {_USE}.") from None
    cabecalho = linhas[0] if linhas else []
    colunas = _achar_colunas(cabecalho)
    faltam = [nome for nome, coluna in (("Identificador", "id"), ("Nota", "nota")) if coluna not in colunas]
    if faltam:
        raise PlanilhaInvalida(
            f"{caminho.name} não parece a planilha de notas do Moodle: falta a coluna "
            f"{' e a coluna '.join(faltam)}; {_USE}."
        )
    curtas = [i for i, linha in enumerate(linhas, 1) if len(linha) != len(cabecalho)]
    if curtas:
        raise PlanilhaInvalida(
            f"A linha {curtas[0]} de {caminho.name} não tem tantas colunas quanto o cabeçalho; {_USE}."
        )
    quebra = "\r\n" if "\r\n" in texto else "\n"
    aspas = primeira.lstrip("\ufeff").startswith('"')
    return Planilha(cabecalho, linhas[1:], colunas, separador, codificacao, quebra, aspas)


def _codificacao(bruto: bytes) -> str:
    if bruto.startswith(b"\xef\xbb\xbf"):
        return "utf-8-sig"
    try:
        bruto.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        pass
    try:
        bruto.decode("cp1252")  # o “ANSI” do Windows: o Latin-1 com aspas curvas e travessões
        return "cp1252"
    except UnicodeDecodeError:
        return "latin-1"


def _codificar(texto: str, codificacao: str) -> bytes:
    """Em uma planilha que não é UTF-8, um sinal que ela não conhece vira o mais parecido que houver."""
    try:
        return texto.encode(codificacao)
    except UnicodeEncodeError:
        return "".join(_SINAIS.get(c, c) for c in texto).encode(codificacao, "replace")


def _achar_colunas(cabecalho: list[str]) -> dict[str, int]:
    nomes = [sem_acentos(nome.lstrip("\ufeff")) for nome in cabecalho]
    return {coluna: nomes.index(n) for coluna, possiveis in COLUNAS.items() for n in reversed(possiveis) if n in nomes}
