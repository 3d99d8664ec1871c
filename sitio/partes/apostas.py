"""As apostas, que se respondem na página: a célula que chama `confira` ganha opções, ou um campo, e um botão.

O que vem depois fica fechado até se apostar, ou pedir para ver, e até o próximo título de seção: a mesma regra com que
`gabarito.pacote` tira as saídas do que o aluno recebe. A página diz o que `confira` diria, com as mesmas frases
(helpers/conferencia/aposta.json) e as mesmas impressões digitais; a resposta certa não está nela.
"""

import ast
import html
import re
from typing import Any

from helpers.conferencia.aposta import TABELA
from helpers.conferencia.referencia import Equivoco, Referencia, carregar
from sitio.obra import Caderno, Obra, em_script

ATIVOS = ("apostas-frases.js", "apostas.js", "apostas-na-tela.js", "apostas.css")
TITULO = re.compile(r"^#{2,} .*$", re.MULTILINE)
_JA = (
    '<script>document.documentElement.classList.add("com-apostas"); window.jaApostou = (no) => { try {'
    ' const feitas = JSON.parse(localStorage.getItem("curso-atencao:apostas") || "{}");'
    ' if (no.dataset.de.split(" ").every((q) => q in feitas)) no.classList.add("aberta"); } catch {} };</script>'
)


def caderno(caderno: Caderno, obra: Obra) -> None:
    feito = _Fecho(caderno)
    for celula in caderno.nb.cells:
        feito.por(celula)
    caderno.nb.cells = feito.fim()


def paginas(obra: Obra) -> None:
    obra.ativos_da_inicial += ["apostas-indice.js", "apostas-no-mapa.js"]


def arquivos(obra: Obra) -> dict[str, Any]:
    """As frases; e, de cada página, as apostas que ela tem, para o mapa dizer quantas já foram feitas."""
    frases = {nome: valor for nome, valor in TABELA.items() if nome != "no_notebook"}
    indice = {endereco: feitas for endereco, c in obra.cadernos.items() if (feitas := do_caderno(c))}
    return {
        "_static/apostas-frases.js": f"globalThis.FRASES_DAS_APOSTAS = {em_script(frases)};\n",
        "_static/apostas-indice.js": f"globalThis.APOSTAS_DE_CADA_PAGINA = {em_script(indice)};\n",
    }


def da_celula(texto: str) -> list[str]:
    """As questões que esta célula deixa por apostar: `aposta = ...` e, depois, `confira("aula-02/…", aposta)`."""
    if "confira(" not in texto:
        return []
    try:
        arvore = ast.parse(texto)
    except SyntaxError:  # um comando do IPython
        return []
    por_apostar = {
        alvo.id
        for no in arvore.body
        if isinstance(no, ast.Assign) and isinstance(no.value, ast.Constant) and no.value.value is ...
        for alvo in no.targets
        if isinstance(alvo, ast.Name)
    }
    chamadas = (no.value for no in arvore.body if isinstance(no, ast.Expr) and isinstance(no.value, ast.Call))
    return [questao for chamada in chamadas if (questao := _questao(chamada, por_apostar))]


def _questao(chamada: ast.Call, por_apostar: set[str]) -> str | None:
    """A questão de `confira("aula-02/…", aposta)`, se o nome ainda está por apostar."""
    if not (isinstance(chamada.func, ast.Name) and chamada.func.id == "confira" and len(chamada.args) == 2):
        return None
    questao, aposta = chamada.args
    if not (isinstance(aposta, ast.Name) and aposta.id in por_apostar and isinstance(questao, ast.Constant)):
        return None
    return str(questao.value)


def do_caderno(caderno: Caderno) -> list[str]:
    return [q for c in caderno.nb.cells if c.cell_type == "code" for q in da_celula(c.source)]


def na_pagina(referencia: Referencia) -> dict[str, Any]:
    """O que a página precisa para responder como `confira`: marcas, frases dos equívocos e opções."""
    (caso,) = referencia.casos
    return {
        "nome": referencia.questao,
        "tipo": referencia.saidas[0][1],
        "rtol": referencia.tolerancia.rtol,
        "atol": referencia.tolerancia.atol,
        "opcoes": referencia.opcoes,
        "esperado": caso.esperado["saidas"][0],
        "equivocos": [_equivoco(e) for e in referencia.equivocos],
    }  # fmt: skip


def _equivoco(equivoco: Equivoco) -> dict[str, Any]:
    return {"nome": equivoco.nome, "frase": equivoco.frase, "saida": equivoco.casos[0]["saidas"][0]}


def formulario(referencia: Referencia) -> str:
    """O que a pessoa toca: as opções, ou um campo, e o botão."""
    nome, tipo = html.escape(referencia.questao), referencia.saidas[0][1]
    if referencia.opcoes:
        grupo = f"opcao-{nome}"
        escolha = "".join(
            f'<label class="aposta-opcao"><input type="radio" name="{grupo}" value="{html.escape(o)}">'
            f"<span>{html.escape(o)}</span></label>"
            for o in referencia.opcoes
        )
        campo = f'<fieldset><legend>A sua aposta</legend><div class="aposta-opcoes">{escolha}</div></fieldset>'
    else:
        dica = "uma forma, como (3, 4)" if tipo == "forma" else "um número"
        teclado = "text" if tipo == "forma" else "decimal"
        campo = (
            f'<label class="aposta-campo"><span>A sua aposta, {dica}</span>'
            f'<input type="text" inputmode="{teclado}" autocomplete="off" autocapitalize="off" spellcheck="false">'
            "</label>"
        )
    return (
        f'<form class="aposta" data-aposta="{nome}" novalidate>{campo}<button type="submit">Apostar</button>'
        '<p class="aposta-resposta" role="status" aria-live="polite"></p></form>'
        f'<script type="application/json" data-da-aposta="{nome}">{em_script(na_pagina(referencia))}</script>'
    )


class _Fecho:
    """As células de um notebook, uma a uma, com o que fecha depois de cada aposta."""

    def __init__(self, caderno: Caderno):
        self.caderno, self.feitas, self.questoes, self.aberto = caderno, list[Any](), list[str](), False

    def por(self, celula: Any) -> None:
        questoes = da_celula(celula.source) if celula.cell_type == "code" else []
        if questoes:
            self._aposta(celula, questoes)
        elif celula.cell_type == "markdown" and self.questoes and TITULO.search(celula.source):
            self._com_titulos(celula)
        else:
            self.feitas.append(celula)

    def fim(self) -> list[Any]:
        self._fechar()
        return self.feitas

    def _html(self, texto: str) -> None:
        self.feitas.append(self.caderno.html(texto))

    def _aposta(self, celula: Any, questoes: list[str]) -> None:
        if not self.caderno.ativos or ATIVOS[0] not in self.caderno.ativos:
            self.caderno.usar(*ATIVOS)
            self._html(_JA)
        self.feitas.append(_sem_o_pedido(celula))
        self._html("\n".join(formulario(carregar(q)) for q in questoes))
        self._fechar()
        self.questoes += questoes
        self._abrir(aviso=True)

    def _abrir(self, aviso: bool = False) -> None:
        de = html.escape(" ".join(self.questoes))
        botao = (
            '<p class="aposta-fechado"><span>O que vem a seguir abre quando você aposta.</span> '
            '<button type="button">Ver sem apostar</button></p>'
            if aviso
            else ""
        )
        abre = "<script>jaApostou(document.currentScript.parentNode)</script>"
        self._html(f'<div class="depois-da-aposta" data-de="{de}">{abre}{botao}')
        self.aberto = True

    def _fechar(self) -> None:
        if self.aberto:
            self._html("</div>")
        self.aberto = False

    def _com_titulos(self, celula: Any) -> None:
        """Um título não pode ficar dentro de um `<div>`; o de seção (`## `) é onde o que estava fechado termina."""
        texto = celula.source
        while self.questoes and (titulo := TITULO.search(texto)):
            self._markdown(texto[: titulo.start()])
            self._fechar()
            if titulo[0].startswith("## "):
                self.questoes, texto = [], texto[titulo.start() :]
            else:
                self._markdown(titulo[0])
                self._abrir()
                texto = texto[titulo.end() :]
        self._markdown(texto)

    def _markdown(self, texto: str) -> None:
        if texto.strip():
            nova = self.caderno.html("")
            nova.source = texto.strip() + "\n"
            self.feitas.append(nova)


def _sem_o_pedido(celula: Any) -> Any:
    """A célula da aposta, com o código dobrado se ele é só a aposta, e sem o “Troque os três pontos…”."""
    pedido = TABELA["no_notebook"]["falta"]
    for saida in celula.outputs:
        if saida.output_type == "stream":
            saida.text = "".join(linha for linha in saida.text.splitlines(keepends=True) if linha.strip() != pedido)
    celula.outputs = [s for s in celula.outputs if s.output_type != "stream" or s.text.strip()]
    so_a_aposta = all(re.match(r"\w+ = \.\.\.$|confira\(|$", linha) for linha in celula.source.splitlines())
    etiquetas = celula.metadata.setdefault("tags", [])
    if so_a_aposta and "hide-input" not in etiquetas:
        etiquetas.append("hide-input")
    return celula
