"""Dos bytes de um arquivo qualquer ao JSON de um notebook, ou à frase que diz por que não é um."""

import json
import re
from typing import Any

_MAXIMO_DE_CHAVES = 3_000_000  # colchetes e chaves: o que faz um JSON pequeno ocupar muita memória
_ASSINATURAS = [
    (b"PK\x03\x04", "um arquivo zip"),
    (b"\x1f\x8b", "um arquivo compactado (gzip)"),
    (b"Rar!", "um arquivo rar"),
    (b"7z\xbc\xaf", "um arquivo 7z"),
    (b"%PDF", "um PDF"),
    (b"\x89PNG", "uma imagem"),
    (b"\xff\xd8\xff", "uma imagem"),
]
DO_WINDOWS = (
    "O arquivo estava na codificação do Windows (Windows-1252), e foi lido assim. O que essa "
    "codificação não tem, como uma letra grega, já veio perdido. Abra a lista no JupyterLab, e não em um "
    "editor de texto."
)
ENTREGUE = "Abra a lista no JupyterLab, salve e entregue o próprio arquivo .ipynb."


class Zero(Exception):
    """Não há o que corrigir; o texto é o motivo, para o aluno e para o instrutor."""


def nome_seguro(nome: str) -> str:
    """O nome do arquivo, sem nada que o Markdown ou o terminal interpretem."""
    return re.sub(r"[^\w .()+-]", "", str(nome).rpartition("/")[2])[:80].strip() or "entregue"


def abrir(bruto: bytes | None, nome: str, consertos: list[str], maximo: int) -> dict:
    """O JSON do notebook; Zero com o motivo quando não é um."""
    if bruto is None:
        raise Zero(f"Nenhum notebook desta entrega chegou à correção. {ENTREGUE}")
    _exigir_que_se_possa_ler(bruto, nome, maximo)
    texto = _decodificar(bruto, nome, consertos)
    if bruto.count(b"[") + bruto.count(b"{") > _MAXIMO_DE_CHAVES:
        raise Zero(f"O arquivo {nome} não tem a estrutura de um notebook. {ENTREGUE}")
    dado, sobra = _json(texto, nome)
    if sobra:
        consertos.append("Havia texto solto depois do fim do notebook; foi ignorado.")
    if isinstance(dado, dict) and isinstance(dado.get("content"), dict):
        dado = dado["content"]  # como a API do Jupyter devolve um arquivo
    if not isinstance(dado, dict) or not any(isinstance(dado.get(k), list) for k in ("cells", "worksheets")):
        raise Zero(f"O arquivo {nome} não é um notebook: não tem células. {ENTREGUE}")
    return dado


def _exigir_que_se_possa_ler(bruto: bytes, nome: str, maximo: int) -> None:
    if len(bruto) > maximo:
        raise Zero(
            f"O arquivo {nome} tem mais de {maximo // 1_000_000} MB. "
            "Limpe as saídas das células, salve e entregue de novo."
        )
    if not bruto.strip(b"\x00 \t\r\n"):
        raise Zero(f"O arquivo {nome} está vazio. {ENTREGUE}")
    for inicio, que in _ASSINATURAS:
        if bruto.startswith(inicio):
            raise Zero(f"O arquivo {nome} é {que}, e não um notebook. {ENTREGUE}")


def _decodificar(bruto: bytes, nome: str, consertos: list[str]) -> str:
    try:
        return bruto.decode("utf-8-sig")
    except UnicodeDecodeError:
        if (texto := _do_windows(bruto)) is not None:
            consertos.append(DO_WINDOWS)
            return texto
        codificacao = " (parece UTF-16)" if bruto[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
        raise Zero(
            f"O arquivo {nome} não está em UTF-8{codificacao}, a codificação de um notebook. "
            f"Ele foi salvo por um editor de texto? {ENTREGUE}"
        ) from None


def _do_windows(bruto: bytes) -> str | None:
    """O que um editor de texto do Windows salvou na codificação dele; None se parece outra coisa.

    Em um UTF-8 estragado há mais letras acentuadas inteiras do que bytes que não se leem.
    """
    lido = bruto.decode("utf-8", "replace")
    estragados = lido.count("\ufffd")
    if b"\x00" in bruto or sum(not c.isascii() for c in lido) > 2 * estragados:
        return None
    try:
        return bruto.decode("cp1252")
    except UnicodeDecodeError:
        return None


def _json(texto: str, nome: str) -> tuple[Any, bool]:
    """(o dado, se sobrou texto depois dele)."""
    texto = texto.lstrip(" \t\r\n\x00")
    try:
        dado, fim = json.JSONDecoder(strict=False).raw_decode(texto)
    except (ValueError, RecursionError) as erro:
        raise Zero(_por_que_nao_e_json(texto, nome, erro)) from None
    return dado, bool(texto[fim:].strip(" \t\r\n\x00"))


def _por_que_nao_e_json(texto: str, nome: str, erro: Exception) -> str:
    if texto.startswith("<"):
        return (
            f"O arquivo {nome} é uma página da web, e não um notebook. "
            "Baixe o notebook com Arquivo > Baixar (.ipynb), e não com o “Salvar página” do navegador."
        )
    if re.search(r"^(<{7}|>{7}) ", texto, flags=re.MULTILINE):
        return f"O arquivo {nome} tem marcas de conflito do Git e não pode ser lido. Desfaça o conflito e entregue."
    if not texto.startswith("{"):
        if re.search(r"^(import |from |def |class |#)", texto, flags=re.MULTILINE):
            return f"O arquivo {nome} é um programa em Python, e não um notebook. {ENTREGUE}"
        return f"O arquivo {nome} não é um notebook. {ENTREGUE}"
    # O JSON que para no meio acusa o erro no fim, ou em um texto que nunca fecha.
    no_fim = isinstance(erro, json.JSONDecodeError) and (
        erro.pos >= len(texto.rstrip()) - 1 or erro.msg.startswith("Unterminated string")
    )
    if no_fim:
        return f"O arquivo {nome} está truncado: termina no meio. Salve o notebook e entregue de novo."
    return f"O arquivo {nome} está corrompido: não é um JSON válido. {ENTREGUE}"
