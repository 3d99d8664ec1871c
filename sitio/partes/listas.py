"""As listas vivas: nas páginas das listas, as células viram editores, conferências e discussões que se escrevem ali.

Aqui só se põe na página o lugar de cada coisa e os dados de que o programa, que está em `sitio/lista/tela/`, precisa.
Sem JavaScript, cada lugar mostra o código da célula, como em qualquer página.
"""

import copy
import html
import re
from collections.abc import Mapping
from typing import Any

from helpers.indice import listas
from sitio.enderecos import relativo
from sitio.lista import tela
from sitio.obra import Caderno, Obra, em_script

VIVAS = tuple(f"lista-{n:02d}" for n in range(1, 7))
COM_O_CURSO = {"lista-05/para_torch"}  # o PyTorch não cabe em uma página
COM_EXPLORADORES = {"lista-02": ("plano", "cabecas"), "lista-04": ("cabecas",)}
EXPERIMENTE = ("lista-01", "similaridades")  # a questão da página inicial

# O motor é um Worker dentro de um quadro isolado, e a política da página vale também dentro dele.
CSP = {
    "script-src": "'unsafe-eval' 'wasm-unsafe-eval' blob:",
    "worker-src": "'self' blob:",
    "frame-src": "'self' blob:",
    "connect-src": "'self'",
    "manifest-src": "'self'",
}

# O que o notebook diz de si e não vale na página.
NA_PAGINA = (
    (re.compile(r"Salve o notebook \(Ctrl\+S\) e rode a célula\. Ela desenha a máquina"), "Aqui está a máquina"),
    (re.compile(r"rode a conferência logo abaixo"), "aperte *Conferir*, logo abaixo"),
    (
        re.compile(r"fica guardada na pasta\s+do\s+curso, sem ir na entrega, e a aula \d\d começa com ela"),
        "fica guardada neste navegador",
    ),
)
# E o que não vale em uma lista que a página não confere.
SEM_CONFERIR = (
    (
        re.compile(r"Escreva cada função na célula que já tem o nome dela e rode a conferência logo abaixo\. Ela usa"),
        "Escreva aqui, baixe a lista e confira com o curso instalado. A conferência usa",
    ),
)


def caderno(caderno: Caderno, obra: Obra) -> None:
    if not caderno.endereco.startswith("listas/"):
        return
    lista = caderno.endereco.removeprefix("listas/")[: len("lista-01")]
    todas = copy.deepcopy(caderno.nb.cells)
    for i, celula in enumerate(caderno.nb.cells):
        caderno.nb.cells[i] = _na_pagina(caderno, celula, todas, i, lista)
    barra = '<div class="l-barra" data-papel="barra"></div><div data-papel="avisos" role="status"></div>'
    caderno.nb.cells.insert(1, caderno.html(barra + _sem_programa()))
    dados = em_script(dados_da_lista(obra, lista, caderno.endereco))
    caderno.nb.cells.append(caderno.html(_script(dados, "article")))
    usados = ("lista.css", *(f"{nome}.js" for nome in COM_EXPLORADORES.get(lista, ())), "lista.js")
    caderno.usar(*(tela.arquivo(nome) for nome in usados))
    caderno.csp |= CSP


def _sem_programa() -> str:
    return "<noscript><p>Para responder aqui, ligue o JavaScript. Sem ele, a lista é só de ler.</p></noscript>"


def _script(dados: str, onde: str, so: str = "") -> str:
    qual = f' data-so="{so}"' if so else ""
    return f'<script type="application/json" data-lista-viva="{onde}"{qual}>{dados}</script>'


def _na_pagina(caderno: Caderno, celula: Any, todas: list[Any], i: int, lista: str) -> Any:
    """A célula como ela é na página, com o mesmo id; o texto travado fica texto."""
    marca = celula.metadata.get("nbgrader", {})
    nome = marca.get("grade_id", "")
    if celula.cell_type == "markdown" and not marca.get("solution"):
        for padrao, troca in (*(() if lista in VIVAS else SEM_CONFERIR), *NA_PAGINA):
            celula.source = padrao.sub(troca, celula.source)
        return celula
    nova = caderno.html(_lugar(celula, marca, nome, todas, i, lista))
    nova.id = celula.id
    return nova


def _lugar(celula: Any, marca: Mapping[str, Any], nome: str, todas: list[Any], i: int, lista: str) -> str:
    codigo = f"<pre><code>{html.escape(celula.source)}</code></pre>"
    if celula.cell_type == "markdown":
        return _div("discussao", f"<p>{html.escape(celula.source.strip('*'))}</p>", nome=nome, id=celula.id)
    if marca.get("grade"):
        questao = re.search(r'conferir\("([\w-]+/(\w+))"', celula.source)
        assert questao is not None, celula.source
        depois = todas[i + 1] if i + 1 < len(todas) else celula
        dicas = depois.metadata.get("nbgrader", {}).get("grade_id", "").startswith("dicas-")
        extra = {"com-o-curso": ""} if lista not in VIVAS or questao[1] in COM_O_CURSO else {}
        quem = nome if not dicas else depois.metadata.nbgrader.grade_id
        return _div("conferir", "", nome=questao[2], questao=questao[1], id=celula.id, depois=nome, dicas=quem, **extra)
    if nome in ("veja", "engane", "mapa"):
        return _div(nome, "", id=celula.id)
    if nome == "preparo":
        return f"<details class='l-preparo'><summary>O que já vem importado</summary>{codigo}</details>"
    if nome and not marca.get("solution"):
        return _div("fixa" if lista in VIVAS else "lida", codigo, nome=nome, id=celula.id)
    return _div("resposta" if nome else "rascunho", codigo, nome=nome or celula.id, id=celula.id)


def _div(papel: str, dentro: str, **dados: str) -> str:
    atributos = "".join(f' data-{chave}="{html.escape(valor)}"' for chave, valor in dados.items())
    return f'<div class="l-celula" data-papel="{papel}"{atributos}>{dentro}</div>'


# ---------------------------------------------------------------- os dados


def dados_da_lista(obra: Obra, lista: str, onde: str) -> dict[str, Any]:
    """Tudo o que o programa da página precisa saber, e nenhuma resposta."""
    todas = listas()
    ha = {e.removeprefix("listas/")[: len("lista-01")]: e for e in obra.enderecos if e.startswith("listas/")}
    raiz = "../" * onde.count("/")
    return {
        "lista": lista,
        "arquivo": f"{todas[lista].pasta}.ipynb",
        "emitido": tela.emitida(obra.raiz, todas[lista].pasta),
        "python": python(obra) if lista in VIVAS else None,
        "viva": lista in VIVAS,
        "recursos": f"{raiz}recursos/",
        "raiz": raiz,
        "previa": f"{raiz}_static/{tela.arquivo('previa.js')}",
        "outras": {outra: _codigo(obra, ha[outra]) for outra in VIVAS if outra < lista and outra in ha},
        "elos": {outra: relativo(onde, e) for outra, e in ha.items()},
        "mapa": [_estacao(obra, nome, ha.get(nome), onde) for nome in todas],
    }


def _estacao(obra: Obra, nome: str, endereco: str | None, onde: str) -> dict[str, Any]:
    lista = listas()[nome]
    celulas = _do_curso(obra, endereco) if endereco else []
    marcas = {c.metadata.get("nbgrader", {}).get("grade_id"): c for c in celulas}
    return {
        "lista": nome,
        "titulo": lista.no_mapa,
        "questoes": lista.questoes,
        "abertas": lista.abertas,
        "a_parte": lista.a_parte,
        "elo": relativo(onde, endereco) if endereco else None,
        "respostas": {q: marcas[q].source for q in lista.questoes if q in marcas},
        "ancoras": {m: c.id for m, c in marcas.items() if m and m.startswith("enunciado-")},
    }


def _codigo(obra: Obra, endereco: str) -> list[dict[str, Any]]:
    """As células de código de outra lista, como vêm em branco."""
    return [
        {
            "id": c.id,
            "nome": (marca := c.metadata.get("nbgrader", {})).get("grade_id", ""),
            "texto": c.source,
            "resposta": bool(marca.get("solution")),
        }
        for c in _do_curso(obra, endereco)
        if c.cell_type == "code"
    ]


def _do_curso(obra: Obra, endereco: str) -> list[Any]:
    return tela.celulas(obra.raiz, endereco.removeprefix("listas/"))


def python(obra: Obra) -> dict[str, Any] | None:
    """O manifesto do motor; None se aqui não há de onde tirar o Python da página."""
    return tela.recursos(obra)


# ---------------------------------------------------------------- as páginas e os arquivos


def paginas(obra: Obra) -> None:
    """Põe na página inicial uma questão para experimentar já."""
    lista, questao = EXPERIMENTE
    endereco = next((e for e in obra.enderecos if e.startswith(f"listas/{lista}")), None)
    if endereco is None:
        return
    dados = em_script(dados_da_lista(obra, lista, "index"))
    resposta = next(c for c in _do_curso(obra, endereco) if c.metadata.get("nbgrader", {}).get("grade_id") == questao)
    obra.experimente = tela.experimente(questao, resposta.source, endereco) + _script(dados, "#experimente", questao)
    obra.ativos_da_inicial += [tela.arquivo("lista.css"), tela.arquivo("lista.js")]
    obra.csp_da_inicial |= CSP


def arquivos(obra: Obra) -> dict[str, Any]:
    programas = {f"_static/{tela.arquivo(nome)}": conteudo for nome, conteudo in tela.programas().items()}
    return programas | tela.do_navegador(obra) | tela.recursos_do_python(obra)
