"""As imagens de um aluno: só PNG e JPEG, e só as que um navegador abre sem sofrer.

Um arquivo de poucos bytes pode ter, aberto, bilhões de pontos, e parar o navegador de quem corrige. O tamanho está no
cabeçalho: nada é desenhado aqui.
"""

import base64
import binascii
import struct
from dataclasses import dataclass
from typing import Any

MAIS_PONTOS = 50_000_000  # de uma imagem: as fotos de um celular têm isso
MAIS_NA_PAGINA = 200_000_000  # pontos, na soma das imagens de um notebook
_MAIS_VARREDURAS = 100  # de um JPEG progressivo, que é redesenhado inteiro a cada uma; têm umas dez
_INICIO_DO_PNG = b"\x89PNG\r\n\x1a\n"
_COM_TAMANHO = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}  # os segmentos de um JPEG que dizem a altura e a largura
_SEM_CORPO = {0x01, *range(0xD0, 0xD9)}


@dataclass(frozen=True)
class Imagem:
    tipo: str  # image/png ou image/jpeg
    base64: str  # escrito de novo: um navegador e o Python não leem do mesmo jeito um base64 torto
    pontos: int


def ler(texto: Any) -> Imagem | None:
    """A imagem que está em base64 no texto; None se não é PNG nem JPEG, se está estragada ou se é grande demais."""
    try:
        bruto = base64.b64decode("".join(texto.split()), validate=True)
    except (binascii.Error, ValueError, AttributeError):
        return None
    e_png = bruto.startswith(_INICIO_DO_PNG)
    tipo, pontos = ("image/png", _do_png(bruto)) if e_png else ("image/jpeg", _do_jpeg(bruto))
    return Imagem(tipo, base64.b64encode(bruto).decode(), pontos) if 0 < pontos <= MAIS_PONTOS else None


def _do_png(bruto: bytes) -> int:
    """Quantos pontos; 0 se está incompleto, ou se é uma animação, que pode ter quadros sem fim."""
    i = len(_INICIO_DO_PNG)
    if bruto[i + 4 : i + 8] != b"IHDR":
        return 0
    while i + 8 <= len(bruto):
        tamanho, parte = struct.unpack_from(">I4s", bruto, i)
        if parte == b"acTL":
            return 0
        if parte == b"IDAT":
            largura, altura = struct.unpack_from(">II", bruto, 16)
            return largura * altura
        i += 12 + tamanho
    return 0


def _do_jpeg(bruto: bytes) -> int:
    """Quantos pontos, pelo maior dos tamanhos que ele declara antes de começar o desenho; 0 se não declara nenhum."""
    i, pontos = 2, 0
    if not bruto.startswith(b"\xff\xd8\xff") or bruto.count(b"\xff\xda") > _MAIS_VARREDURAS:
        return 0
    while i + 4 <= len(bruto) and bruto[i] == 0xFF and bruto[i + 1] != 0xDA:
        marca = bruto[i + 1]
        if marca == 0xFF or marca in _SEM_CORPO:  # um byte que só preenche, ou um segmento sem nada
            i += 1 if marca == 0xFF else 2
            continue
        if marca in _COM_TAMANHO and i + 9 <= len(bruto):
            altura, largura = struct.unpack_from(">HH", bruto, i + 5)
            pontos = max(pontos, altura * largura)
        i += 2 + int.from_bytes(bruto[i + 2 : i + 4])
    return pontos if bruto[i : i + 2] == b"\xff\xda" else 0


def so_as_que_cabem(nb: Any) -> None:
    """Tira do notebook, na memória, as imagens que uma página não mostra; as primeiras têm preferência."""
    restam = MAIS_NA_PAGINA
    saidas = (s.get("data", {}) for c in nb.cells for s in c.get("outputs", []))
    coladas = (dados for c in nb.cells for dados in c.get("attachments", {}).values())
    for dados in (*saidas, *coladas):
        for tipo in [t for t in dados if t.startswith("image/")]:
            imagem = ler(dados[tipo])
            if imagem is None or imagem.tipo != tipo or imagem.pontos > restam:
                del dados[tipo]
            else:
                restam -= imagem.pontos
                dados[tipo] = imagem.base64
