"""A página inicial: o que é o curso, em uma tela, com o plano da frase vivo nela; e os índices de tudo."""

import html
import json

from helpers.exploradores.anfitriao import Explorador
from helpers.exploradores.plano import plano_da_frase
from sitio.obra import Obra, Pagina, cru, titulo
from sitio.partes.exploradores import colocar, lugar, programa
from sitio.rumo import numero, texto_de

GUIAS_DO_MENU = (
    ("Para estudar", ("baixar", "glossario", "como-funciona-uma-lista", "guias/quando-algo-nao-funciona")),
    (
        "Para ensinar",
        (
            "guias/instrutor",
            "guias/plano-de-15-semanas",
            "guias/publicar-o-site",
            "guias/jupyterhub",
            "guias/escrever-questoes",
            "guias/escrever-aulas",
            "contribuir",
            "seguranca",
        ),
    ),
    ("O curso", ("novidades", "licencas")),
)

ABERTURA = """
<p class="chamada">Um curso em português, do produto escalar a um modelo de linguagem de verdade. Leia, aposte e mexa
aqui mesmo, sem instalar nada. No plano, a seta mostra para onde <em>manga</em> vai quando olha para as outras palavras.
Troque a frase.</p>
<p class="botoes"><a class="botao forte" href="aulas/00-boas-vindas.html">Começar</a>
<a class="botao" href="#mapa">O caminho</a> <a class="botao" href="baixar.html">Baixar o curso</a></p>
"""


def pagina(obra: Obra) -> Pagina:
    aulas = sorted(onde for onde in obra.cadernos if onde.startswith("aulas/"))
    listas = sorted(onde for onde in obra.enderecos if onde.startswith("listas/"))
    indices = [_indice("Aulas", [*aulas, "alem/index"]), _indice("Listas", listas)]
    ha = set(obra.enderecos)
    indices += [_indice(nome, [onde for onde in quais if onde in ha]) for nome, quais in GUIAS_DO_MENU]
    texto = "\n".join(["# Atenção e Transformers", cru(_corpo(obra)), *indices])
    ativos = (programa("plano"), *(nome for nome in obra.ativos_da_inicial if nome not in _sob_pedido(obra)))
    return Pagina("index", "Atenção e Transformers", texto=texto, ativos=ativos, csp=obra.csp_da_inicial, largo=True)


def _corpo(obra: Obra) -> str:
    plano = plano_da_frase(temperatura=None, desafios=False)
    assert isinstance(plano, Explorador)
    dados = json.dumps(plano.valores(), ensure_ascii=False, sort_keys=True).replace("<", "\\u003c")
    return "\n".join(
        [
            ABERTURA,
            lugar("plano-da-inicial"),
            colocar("plano-da-inicial", "plano", dados),
            # experimente uma questão: quem a faz viva na página a põe em obra.experimente
            _experimente(obra),
            _mapa(obra),
        ]
    )


def _sob_pedido(obra: Obra) -> list[str]:
    """Os programas da questão para experimentar, que pesam mais que a página: só chegam quando ela aparece na tela."""
    return [nome for nome in obra.ativos_da_inicial if nome.startswith("lista/") and nome.endswith(".js")]


def _experimente(obra: Obra) -> str:
    quais = " ".join(f"_static/{nome}" for nome in _sob_pedido(obra))
    return (
        f'<section id="experimente" data-programas="{quais}">{obra.experimente}</section>' if obra.experimente else ""
    )


def _mapa(obra: Obra) -> str:
    """O caminho inteiro; em cada cartão, `data-aula` diz qual é, para quem lembra o que já se fez."""
    cartoes = []
    for onde in sorted(obra.cadernos):
        if not onde.startswith("aulas/"):
            continue
        n, caderno = numero(onde), obra.cadernos[onde]
        nome = titulo(texto_de(caderno)).partition("·")[2].strip()
        ligacoes = [
            f'<a href="{p}.html">Lista {n[:2]}</a>' for p in obra.enderecos if p.startswith(f"listas/lista-{n[:2]}")
        ]
        lista = ligacoes[0] if ligacoes and _ultima(n, obra) else ""
        cartoes.append(
            f'<li data-aula="{n}"><a href="{onde}.html"><b>{n}</b> {html.escape(nome)}</a>'
            f"<span>{caderno.minutos} min{' · ' + lista if lista else ''}</span></li>"
        )
    return f'<h2 id="mapa">O caminho</h2><ol class="mapa">{"".join(cartoes)}</ol>'


def _ultima(n: str, obra: Obra) -> bool:
    """A lista vem depois da segunda metade da aula, se há uma."""
    return n.endswith("b") or not any(numero(onde) == f"{n}b" for onde in obra.cadernos)


def _indice(nome: str, quais: list[str]) -> str:
    if not quais:
        return ""
    return "\n".join(["```{toctree}", ":hidden:", f":caption: {nome}", "", *quais, "```", ""])
