"""As apostas das aulas: `confira` lê o que se respondeu, escrito de qualquer jeito usual, e diz se está certo.

As frases e os padrões estão em aposta.json, que o site também lê (sitio/ativos/apostas.js): a página responde o mesmo.
"""

import contextlib
import json
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers.conferencia.exame import examinar
from helpers.conferencia.na_celula import SemAspas
from helpers.conferencia.na_tela import em_verde
from helpers.conferencia.referencia import Referencia, carregar
from helpers.escrita import enumerar

TABELA: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
CERTA_DE_OUTRO_JEITO: str = TABELA["certa_de_outro_jeito"]  # como começa o nome de uma previsão certa, escrita de outro

_DECIMAL = re.compile(TABELA["decimal"])
_COM_UNIDADE = re.compile(TABELA["com_unidade"])  # 90°, 45 graus, −0,5 radianos
_HIFENS = re.compile(TABELA["hifens"])


@dataclass(frozen=True)
class Resposta:
    """O que se diz de uma aposta: de como foi escrita (quase sempre nada) e do que ela vale."""

    aviso: str
    frase: str  # vazia se não há o que comparar
    certa: bool = False


def confira(questao: str, resposta: Any, *decimais: Any) -> None:
    """Nas aulas: diz se a aposta está certa, sem nunca interromper o notebook."""
    if resposta is ... or resposta is None:
        print(TABELA["no_notebook"]["falta"])
        return
    dito = responder(questao, (resposta, *decimais) if decimais else resposta)  # confira("…", 2,45) chega com um a mais
    if dito.aviso:
        print(dito.aviso)
    if dito.frase:
        print(em_verde(dito.frase) if dito.certa else dito.frase)


def responder(questao: str, valor: Any, onde: str = "no_notebook") -> Resposta:
    """O que dizer de uma aposta; `onde` escolhe as frases que falam da célula, ou as que falam da página."""
    referencia, avisos, aviso = carregar(questao), TABELA[onde], ""
    tipo = referencia.saidas[0][1]
    if tipo in ("int", "float"):
        valor, aviso = _numero_escrito(valor, avisos)
        if isinstance(valor, str):  # não há o que comparar
            return Resposta(aviso, "")
    elif isinstance(valor, SemAspas):
        aviso = avisos["sem_aspas"].format(valor=valor)
    frase, certa = _julgada(referencia, canonico(valor, tipo), tipo)
    return Resposta(aviso, frase, certa)


def _julgada(referencia: Referencia, valor: Any, tipo: str) -> tuple[str, bool]:
    """A frase, e se a aposta está certa."""
    diagnostico, _ = examinar(referencia, lambda: valor)
    if diagnostico is None or (diagnostico.equivoco or "").startswith(CERTA_DE_OUTRO_JEITO):
        return TABELA["certa"], True
    if diagnostico.equivoco:
        return diagnostico.frase, False
    if not referencia.opcoes or (isinstance(valor, str) and valor in [canonico(o, tipo) for o in referencia.opcoes]):
        return TABELA["errada"], False
    *outras, ultima = (f"“{opcao}”" for opcao in referencia.opcoes)
    return TABELA["fora_das_opcoes"].format(outras=", ".join(outras), ultima=ultima), False


def _numero_escrito(valor: Any, avisos: dict[str, str]) -> tuple[Any, str]:
    """Um número escrito à brasileira (2,45, que o Python lê como um par) ou entre aspas, e o que dizer disso."""
    if isinstance(valor, tuple) and len(valor) == 2 and all(type(n) is int for n in valor) and valor[1] >= 0:
        lido = float(f"{valor[0]}.{valor[1]}")
        return lido, avisos["par"].format(lido=f"{lido:g}")
    if not isinstance(valor, str):
        return valor, ""
    so_o_numero = _COM_UNIDADE.fullmatch(valor.strip())
    escrito = (so_o_numero[1] if so_o_numero else valor).strip()
    decimal = escrito.replace(",", ".").replace("−", "-")
    if not _DECIMAL.fullmatch(decimal):
        return valor, avisos["ilegivel"].format(valor=valor)
    lido = float(decimal)
    jeitos = ["sem aspas"] * (type(valor) is str or not so_o_numero) + ["sem unidade"] * bool(so_o_numero)
    jeitos += ["com ponto decimal"] * ("," in escrito)
    dito = avisos["com_unidade" if so_o_numero else "sem_unidade"]
    return lido, dito.format(lido=f"{lido:g}".replace(".", avisos["virgula"]), jeitos=enumerar(jeitos))


def canonico(valor: Any, tipo: str) -> Any:
    """Textos sem diferença de maiúsculas, acentos, hífens e espaços; formas como texto; 8 e 8.0 são o mesmo número."""
    if tipo == "texto" and isinstance(valor, str):
        decomposto = unicodedata.normalize("NFKD", valor.casefold())
        sem_acentos = "".join(c for c in decomposto if not unicodedata.combining(c))
        return " ".join(_HIFENS.sub(" ", sem_acentos).split())
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
