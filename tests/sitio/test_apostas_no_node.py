"""Na página, uma aposta recebe a mesma resposta que em um notebook: o JavaScript, rodado no node, contra `confira`."""

import json
import random
import re
import shutil
import subprocess
import unicodedata

import pytest
from conftest import RAIZ

from gabarito.base import carregar_tudo
from helpers.conferencia.aposta import TABELA, responder
from helpers.conferencia.na_celula import SemAspas
from helpers.conferencia.referencia import carregar
from sitio.partes.apostas import na_pagina

PROGRAMA = """
require(process.argv[1]);
let tudo = "";
process.stdin.on("data", (parte) => { tudo += parte; }).on("end", () => {
  const { tabela, questoes, pedidos } = JSON.parse(tudo);
  const responder = ([nome, escrita]) => globalThis.Aposta.responder(questoes[nome], escrita, tabela);
  process.stdout.write(JSON.stringify(pedidos.map(responder)));
});
"""
PREVISOES = {nome: q for nome, q in carregar_tudo().items() if q.assinatura == "previsao()"}
ESQUISITAS = [
    "nan",
    "-inf",
    "infinity",
    "1e3",
    "1_000",
    "1.000",
    "1e400",
    "1e300",
    "1e-7",
    "5.",
    ".5",
    "+5",
    "--5",
    "٣",
    "1/2",
]
ESQUISITAS += [
    "?",
    "não sei",
    "8.000.000",
    "0x10",
    "99999999999999999999",
    "-0",
    "(3, 4)",
    "3 x 4",
    "3",
    "ß",
    "None",
    "a b",
]


def no_node(pedidos):
    node = shutil.which("node")
    if node is None:
        pytest.skip("falta o node, que roda o JavaScript das apostas")
    questoes = {nome: na_pagina(carregar(nome)) for nome in {nome for nome, _ in pedidos}}
    entrada = json.dumps({"tabela": TABELA, "questoes": questoes, "pedidos": pedidos})
    programa = RAIZ / "sitio" / "ativos" / "apostas.js"
    feito = subprocess.run([node, "-e", PROGRAMA, programa], input=entrada, capture_output=True, text=True, check=True)
    return json.loads(feito.stdout)


def do_python(nome, escrita):
    dito = responder(nome, SemAspas(escrita), "na_pagina")
    return {"aviso": dito.aviso, "frase": dito.frase, "certa": dito.certa}


def respostas_do_gabarito(q):
    valores = [q.referencia(), *(e.funcao() for e in q.equivocos)]
    return [f"{v:.12g}" if isinstance(v, float) else str(v) for v in valores]


def sem_acento(texto):
    return "".join(c for c in unicodedata.normalize("NFKD", texto) if not unicodedata.combining(c))


def jeitos(q, sorteio):
    """O que uma pessoa escreveria, de muitos jeitos."""
    base = [*respostas_do_gabarito(q), *q.opcoes]
    if q.saida in ("int", "float"):
        numeros = [float(v) for v in base if re.fullmatch(r"-?\d+(\.\d+)?(e[-+]?\d+)?", v)]
        perto = [n * (1 + t) for n in numeros for t in (0.015, -0.019, 0.02, 0.021, -0.03, 0.1, 1e-5, 1e-9)]
        perto += [sorteio.uniform(-3, 3) * 10 ** sorteio.randint(-3, 4) for _ in range(6)]
        escritos = [f"{n:.10g}" for n in [*numeros, *perto]]
        com_virgula = [e.replace(".", ",") for e in escritos]
        base += [*escritos, *com_virgula, *(f"{e}°" for e in com_virgula), *(f" {e} graus" for e in escritos[:6])]
        base += [e.replace("-", "−") for e in escritos if e.startswith("-")] + [f"{e}%" for e in escritos[:6]]
    else:
        base += [t.upper() for t in base] + [sem_acento(t) for t in base] + [t.title() for t in base]
        base += [t.replace(" ", "-") for t in base] + [f"  {t}  " for t in base[:6]] + [t + "s" for t in base[:6]]
        base += (
            [f"({t})" for t in base[:6]]
            + [t.replace(",", " por ") for t in base[:6]]
            + [t.replace(",", ", ") for t in base[:6]]
        )
    return [t for t in dict.fromkeys([*base, *ESQUISITAS]) if t.strip()]


def test_a_pagina_diz_de_milhares_de_apostas_o_mesmo_que_o_notebook():
    sorteio = random.Random(32)
    pedidos = [[nome, escrita] for nome, q in PREVISOES.items() for escrita in jeitos(q, sorteio)]
    esperadas = [do_python(*pedido) for pedido in pedidos]
    diferentes = [x for x in zip(pedidos, no_node(pedidos), esperadas, strict=True) if x[1] != x[2]]
    assert len(pedidos) > 3000
    assert sum(e["certa"] for e in esperadas) > 300
    assert diferentes == []


@pytest.mark.parametrize(
    ("nome", "escritas"),
    [
        ("aula-00/angulo", ["90", "90°", "90,0", " 90 graus ", "89"]),
        ("aula-00/media-da-bia", ["8,5", "8.5", "8,49"]),
        ("aula-02/divide-pela-soma", ["manga", "Manga", "MANGA "]),
        ("aula-06/quem-vai-melhor", ["com", "sem", "SEM"]),
    ],
)
def test_a_tolerancia_e_a_do_notebook(nome, escritas):
    assert no_node([[nome, e] for e in escritas]) == [do_python(nome, e) for e in escritas]


def test_a_pagina_nao_leva_a_resposta_certa_escrita():
    for nome, q in PREVISOES.items():
        if not q.opcoes:
            dados = na_pagina(carregar(nome))
            assert set(dados["esperado"]) <= {"forma", "natureza", "marca", "expoentes", "marcas"}, nome
