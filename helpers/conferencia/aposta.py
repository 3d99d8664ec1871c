"""As apostas das aulas: `confira` lê o que se respondeu, escrito de qualquer jeito usual, e diz se está certo."""

import contextlib
import re
import unicodedata
from typing import Any

from helpers.conferencia.exame import examinar
from helpers.conferencia.na_celula import SemAspas
from helpers.conferencia.na_tela import em_verde
from helpers.conferencia.referencia import carregar
from helpers.escrita import enumerar

CERTA_DE_OUTRO_JEITO = "certa-"  # como começa o nome de uma previsão certa, escrita de outro jeito


_COM_UNIDADE = re.compile(r"([-−+]?\d+(?:[.,]\d+)?)\s*(?:[°º%]|(?!e\d)[^\W\d]+)")  # 90°, 45 graus, −0,5 radianos


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
        if isinstance(valor, str):  # não há o que comparar
            return
    elif isinstance(valor, SemAspas):
        print(f"Li “{valor}”. Em Python, um texto se escreve entre aspas.")
    valor = canonico(valor, tipo)
    diagnostico, _ = examinar(referencia, lambda: valor)
    if diagnostico is None or (diagnostico.equivoco or "").startswith(CERTA_DE_OUTRO_JEITO):
        print(em_verde("Isso mesmo."))
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
    so_o_numero = _COM_UNIDADE.fullmatch(valor.strip())
    escrito = (so_o_numero[1] if so_o_numero else valor).strip()
    try:
        lido = float(escrito.replace(",", ".").replace("−", "-"))
    except ValueError:
        return valor, f"Li “{valor}”. A aposta desta célula é um número, em algarismos, sem aspas e sem unidade."
    jeitos = ["sem aspas"] * (type(valor) is str or not so_o_numero) + ["sem unidade"] * bool(so_o_numero)
    jeitos += ["com ponto decimal"] * ("," in escrito)
    return lido, f"Li {lido:g}. Um número se escreve {enumerar(jeitos)}."


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
