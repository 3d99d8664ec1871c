"""A página inicial: o que é o curso, em uma tela, com o plano da frase vivo nela; e os índices de tudo."""

import json

from helpers.exploradores import montar
from helpers.exploradores.anfitriao import Explorador
from helpers.exploradores.plano import plano_da_frase
from sitio.obra import Obra, Pagina, cru
from sitio.partes.exploradores import colocar, programa

GUIAS_DO_MENU = (
    ("Para estudar", ("glossario", "como-funciona-uma-lista", "guias/quando-algo-nao-funciona")),
    (
        "Para ensinar",
        (
            "guias/instrutor",
            "guias/plano-de-15-semanas",
            "guias/publicar-o-site",
            "guias/escrever-questoes",
            "guias/escrever-aulas",
            "contribuir",
            "seguranca",
        ),
    ),
    ("O curso", ("novidades",)),
)

ABERTURA = """
<p class="chamada">Um curso em português, para quem programa um pouco em Python e já multiplicou duas matrizes. São onze
aulas e dez listas, do produto escalar a um modelo de linguagem de verdade. Leia, mexa e aposte aqui mesmo, sem instalar
nada.</p>
"""


def pagina(obra: Obra) -> Pagina:
    aulas = sorted(onde for onde in obra.cadernos if onde.startswith("aulas/"))
    listas = sorted(onde for onde in obra.enderecos if onde.startswith("listas/"))
    alem = sorted(onde for onde in obra.cadernos if onde.startswith("alem/"))
    indices = [_indice("Aulas", aulas), _indice("Listas", listas), _indice("Além", alem)]
    ha = set(obra.enderecos)
    indices += [_indice(nome, [onde for onde in quais if onde in ha]) for nome, quais in GUIAS_DO_MENU]
    texto = "\n".join(["# Atenção e Transformers", cru(_corpo(obra)), *indices])
    ativos = (programa("plano"), *obra.ativos_da_inicial)
    return Pagina("index", "Atenção e Transformers", texto=texto, ativos=ativos, csp=obra.csp_da_inicial, largo=True)


def _corpo(obra: Obra) -> str:
    plano = plano_da_frase()
    assert isinstance(plano, Explorador)
    dados = json.dumps(plano.valores(), ensure_ascii=False, sort_keys=True).replace("<", "\\u003c")
    return "\n".join(
        [
            ABERTURA,
            f'<div data-explorador="plano-da-inicial"><p>{montar.ler_json("textos.json")["plano"]["titulo"]}</p></div>',
            colocar("plano-da-inicial", "plano", dados),
            # experimente uma questão: quem a faz viva na página a põe em obra.experimente
            f'<section id="experimente">{obra.experimente}</section>' if obra.experimente else "",
        ]
    )


def _indice(nome: str, quais: list[str]) -> str:
    if not quais:
        return ""
    return "\n".join(["```{toctree}", ":hidden:", f":caption: {nome}", "", *quais, "```", ""])
