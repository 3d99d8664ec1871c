"""Imagens feitas para parar o navegador de quem corrige, ou para se fazer passar por um quadro da correção."""

import base64
import io
import struct

import nbformat
import pytest
from conftest import RAIZ, png
from matplotlib.figure import Figure
from PIL import Image

from correcao.caixa.caixa import Limites
from correcao.caixa.saida import Saida
from correcao.chegada import reparo
from correcao.comum import imagem, pagina
from correcao.devolucao import rubrica

LISTA = "lista-02-softmax"


def b64(bruto: bytes) -> str:
    return base64.b64encode(bruto).decode()


def jpeg(largura: int, altura: int, antes: bytes = b"", varreduras: int = 1) -> str:
    """Só o que um leitor precisa para saber o tamanho; `antes` vem logo depois do começo."""
    tamanho = b"\xff\xc2" + struct.pack(">HBHHB", 11, 8, altura, largura, 1) + b"\1\x11\0"
    return b64(b"\xff\xd8" + antes + tamanho + b"\xff\xda\0\x08\1\1\0\0\x3f\0\0" * varreduras + b"\xff\xd9")


def do_pil(formato: str, **opcoes) -> str:
    saida = io.BytesIO()
    Image.new("RGB", (300, 200), "white").save(saida, formato, **opcoes)
    return b64(saida.getvalue())


def do_matplotlib(formato: str) -> str:
    saida = io.BytesIO()
    Figure(figsize=(3, 2)).savefig(saida, format=formato)
    return b64(saida.getvalue())


HONESTAS = {
    "png do matplotlib": do_matplotlib("png"),
    "jpeg do matplotlib": do_matplotlib("jpg"),
    "png do PIL": do_pil("PNG"),
    "jpeg do PIL": do_pil("JPEG"),
    "jpeg progressivo com miniatura": do_pil("JPEG", progressive=True, exif=b"Exif\0\0" + b"\xff\xd8" * 50),
    "png de 50 milhões de pontos": png(10_000, 5_000),
    "com quebras de linha": "\n".join(png(10, 10)),
}
BOMBAS = {
    "png enorme": png(100_000, 100_000),
    "png enorme com espaços no meio": png(100_000, 100_000).replace("A", " A", 40),
    "png enorme com o base64 torto": png(100_000, 100_000)[:61] + "=" + png(100_000, 100_000)[61:],
    "png enorme depois de lixo": "=" + png(100_000, 100_000),
    "jpeg enorme": jpeg(65_000, 65_000),
    "jpeg enorme sem JFIF": jpeg(65_000, 65_000, b"\xff\xdb\0\x04\0\0"),
    "jpeg com bytes de enchimento": jpeg(65_000, 65_000, b"\xff" * 300),
    "jpeg que se diz pequeno antes": jpeg(65_000, 65_000, b"\xff\xc0\0\x0b\x08\0\1\0\1\1\1\x11\0"),
    "jpeg com a altura por dizer": jpeg(65_000, 0),
    "jpeg de mil varreduras": jpeg(5_000, 5_000, varreduras=1_000),
    "jpeg sem tamanho": b64(b"\xff\xd8\xff\xe0\0\x10JFIF\0"),
    "png animado": png(5_000, 5_000, antes=b"\0\0\0\x08acTL\0\1\0\0\0\0\0\0crc_"),
    "png truncado": b64(base64.b64decode(png(100_000, 100_000))[:20]),
    "png sem tamanho": png(0, 10),
    "gif": b64(b"GIF89a\xff\xff\xff\xff\0\0\0;"),
    "svg": b64(b"<svg onload=alert(1)>"),
}


def guardadas(dados: dict[str, str]) -> dict:
    """O que a correção guarda de uma figura que o kernel mandou mostrar."""
    saida = Saida(Limites())
    saida.receber({"msg_type": "display_data", "content": {"data": dados}})
    return next(iter(saida.prontas()), {}).get("data", {})


@pytest.mark.parametrize("honesta", HONESTAS.values(), ids=HONESTAS)
def test_uma_figura_honesta_passa_inteira(honesta):
    lida = imagem.ler(honesta)
    assert base64.b64decode(lida.base64) == base64.b64decode(honesta) and "data:image/" in pagina.figura(honesta)
    assert guardadas({lida.tipo: honesta}) == {lida.tipo: lida.base64}


@pytest.mark.parametrize("bomba", BOMBAS.values(), ids=BOMBAS)
def test_uma_imagem_grande_demais_ou_torta_nao_e_guardada_nem_mostrada(bomba):
    assert guardadas({"image/png": bomba}) == guardadas({"image/jpeg": bomba}) == {}
    assert pagina.figura(bomba) == ""


def com_anexos(anexos: dict) -> reparo.Reparo:
    emitida = nbformat.read(RAIZ / "release" / LISTA / f"{LISTA}.ipynb", as_version=4)
    discussao = next(c for c in emitida.cells if c.metadata.get("nbgrader", {}).get("grade_id") == "discussao-1")
    antes = nbformat.writes(emitida)
    discussao.source, discussao.attachments = "".join(f"![x](attachment:{nome})" for nome in anexos), anexos
    return reparo.reparar(nbformat.writes(emitida).encode(), nbformat.reads(antes, as_version=4), "l.ipynb")


def anexadas(feito: reparo.Reparo) -> dict:
    return next((c.attachments for c in feito.nb.cells if "attachments" in c), {})


@pytest.mark.parametrize("bomba", BOMBAS.values(), ids=BOMBAS)
@pytest.mark.parametrize("tipo", ["image/png", "image/jpeg", "image/gif"])
def test_uma_imagem_colada_tem_os_mesmos_limites_e_o_aluno_fica_sabendo(bomba, tipo):
    boa = png(10, 10)
    feito = com_anexos({"a.png": {tipo: bomba}, "b.png": {"image/png": boa}})
    assert anexadas(feito) == {"b.png": {"image/png": boa}} and any("só se aceitam PNG" in c for c in feito.consertos)
    assert "<img" not in rubrica.inofensivo("![x](attachment:a.png)", {"a.png": {tipo: bomba}})


def test_muitas_imagens_que_cabem_uma_a_uma_nao_cabem_todas():
    feito = com_anexos({f"{i}.png": {"image/png": png(10_000, 5_000)} for i in range(30)})
    assert len(anexadas(feito)) == 4
    saidas = [nbformat.v4.new_output("display_data", {"image/png": png(10_000, 5_000)}) for _ in range(30)]
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(outputs=saidas)])
    imagem.so_as_que_cabem(nb)
    assert str(pagina.saidas(nb.cells[0])).count("<img") == 4


def test_uma_imagem_citada_mil_vezes_entra_na_pagina_uma_vez():
    feito = rubrica.inofensivo("![](attachment:a.png) " * 900, {"a.png": {"image/png": png(10, 10)}})
    assert feito.count("<img") == 1
