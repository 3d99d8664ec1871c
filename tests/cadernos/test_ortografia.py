"""A ortografia do que as pessoas leem: aulas, listas, guias, e as frases da conferência, dos comandos e das páginas.

O dicionário é o do hunspell, do sistema (`apt install hunspell hunspell-pt-br`); as palavras que só o curso usa estão
em palavras.txt. O que é código (entre crases, ou com cara de código) não se confere.
"""

import ast
import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from conftest import RAIZ

PALAVRAS = Path(__file__).with_name("palavras.txt")
_CODIGO = re.compile(
    r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|\]\([^)]*\)|<[^>]*>|&\w+;|curso-atencao|"  # em Markdown e em HTML
    r"\S*[_/\\=@{}|]\S*|\S*\w[.(\[]\w\S*|(?<!\w)-+\w\S*|\x1b\[\d*m",  # com cara de código: um caminho, uma opção, f(x)
    flags=re.DOTALL,
)
_PALAVRA = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_COM_MAIUSCULA_NO_MEIO = re.compile(r"[a-z][A-Z]")  # o nome de uma classe, ou NumPy
# As palavras que dizem que um texto é português; “a”, “as”, “do” e “no” não, que também são inglês.
_PORTUGUES = re.compile(
    r"[áâãàéêíóôõúç]|\b(?:com|da|das|de|dos|e|em|na|nao|o|os|para|por|que|se|seu|sua|um|uma|voce)\b"
)

pytestmark = pytest.mark.skipif(
    shutil.which("hunspell") is None
    or "pt_BR" not in subprocess.run(["hunspell", "-D"], capture_output=True, text=True, input="").stderr,
    reason="não há hunspell com o dicionário pt_BR: apt install hunspell hunspell-pt-br",
)


def desconhecidas(palavras: Iterable[str]) -> set[str]:
    """As que não estão no dicionário nem são do curso, e as que ele recusa."""
    comando = ["hunspell", "-l", "-d", "pt_BR", "-i", "utf-8"]
    dito = subprocess.run(
        comando, input="\n".join(palavras), capture_output=True, text=True, encoding="utf-8", check=True
    )
    do_curso = SECOES["inglês"] | SECOES["português"] | SECOES["pessoas e programas"] | SECOES["siglas e símbolos"]
    fora = {p for p in dito.stdout.split() if p not in do_curso and p.lower() not in do_curso}
    return fora | {p for p in palavras if p.lower() in SECOES["recusadas"]}


def _ler_secoes() -> dict[str, set[str]]:
    partes = re.split(r"(?m)^# ([^:\n]+).*\n", PALAVRAS.read_text("utf-8"))[1:]
    return {nome: set(linhas.split()) for nome, linhas in zip(partes[::2], partes[1::2], strict=True)}


SECOES = _ler_secoes()


# ------------------------------------------------------------ o que se lê


def lidas() -> Iterator[tuple[Path, str]]:
    """(onde, uma palavra)."""
    for leem, padroes in LEITORES.items():
        for caminho in sorted(c for padrao in padroes for c in RAIZ.glob(padrao)):
            for texto in leem(caminho.read_text("utf-8")):
                yield from ((caminho, p) for p in palavras(texto))


def da_pagina(texto: str) -> Iterator[str]:
    yield texto.split("\n## In English")[0]


def da_matriz(texto: str) -> Iterator[str]:
    """O que o aluno lê de cada equívoco; o nome dele não tem acentos."""
    yield from map(_sem_nomes, re.findall(r"(?m)^\| [^|]* \| (.*) \|$", texto))


def do_caderno(texto: str) -> Iterator[str]:
    for celula in json.loads(texto)["cells"]:
        fonte = "".join(celula["source"])
        if celula["cell_type"] == "markdown":
            yield fonte
        else:
            yield from do_programa(fonte)
            # em uma aula, os comentários também se leem
            yield from filter(_parece_portugues, map(_sem_nomes, re.findall(r"(?m)(?<=# ).*$", fonte)))


def do_programa(codigo: str) -> Iterator[str]:
    """Os textos que parecem português, menos as docstrings. Em uma f-string, o lugar de um valor é um sublinhado."""
    arvore = ast.parse(codigo)
    nao_sao = {id(no.value) for no in ast.walk(arvore) if isinstance(no, ast.Expr)}
    nao_sao |= {id(pedaco) for no in ast.walk(arvore) if isinstance(no, ast.JoinedStr) for pedaco in no.values}
    for no in ast.walk(arvore):
        texto = ""
        if isinstance(no, ast.JoinedStr):
            texto = "".join(str(p.value) if isinstance(p, ast.Constant) else "_" for p in no.values)
        elif isinstance(no, ast.Constant) and isinstance(no.value, str) and id(no) not in nao_sao:
            texto = no.value
        if _parece_portugues(texto):
            yield _sem_nomes(texto)


def _parece_portugues(texto: str) -> bool:
    return len(texto.split()) >= 3 and _PORTUGUES.search(texto) is not None


def _sem_nomes(texto: str) -> str:
    """As frases e os comentários às vezes escrevem o nome de uma função sem as crases."""
    return re.sub(rf"(?i)\b({'|'.join(SECOES['nomes de funções'])})\b", "_", texto)


def dos_dados(texto: str) -> Iterator[str]:
    por_ver = [json.loads(texto)]
    while por_ver:
        dado = por_ver.pop()
        if isinstance(dado, dict | list):
            por_ver += dado.values() if isinstance(dado, dict) else dado
        elif isinstance(dado, str) and _PORTUGUES.search(dado):
            yield dado


def do_modelo(texto: str) -> Iterator[str]:
    yield re.sub(r"<(style|script).*?</\1>|\{[{%].*?[%}]\}", " ", texto, flags=re.DOTALL)


LEITORES = {
    da_pagina: ["*.md", "guias/*.md", "notebooks/*.md"],
    da_matriz: ["gabarito/*/MATRIZ.md"],
    do_caderno: ["notebooks/*.ipynb", "notebooks/alem/*.ipynb", "source/*/*.ipynb"],
    do_programa: ["configuracao/**/*.py", "helpers/**/*.py", "gabarito/*.py", "correcao/**/*.py"],
    dos_dados: ["helpers/exploradores/fonte/textos.json", "correcao/modelos/*.json"],
    do_modelo: ["correcao/modelos/*.html"],
}


def palavras(texto: str) -> list[str]:
    return [p for p in _PALAVRA.findall(_CODIGO.sub(" ", texto)) if not _COM_MAIUSCULA_NO_MEIO.search(p)]


# ------------------------------------------------------------ os testes


def test_toda_palavra_esta_no_dicionario_ou_e_do_curso():
    onde: dict[str, str] = {}
    for caminho, palavra in lidas():
        onde.setdefault(palavra, caminho.relative_to(RAIZ).as_posix())
    assert len(onde) > 5000
    erradas = desconhecidas(onde)
    achadas = {onde[p] + ": " + p for p in onde for errada in erradas if errada in (p, *p.split("-"))}
    assert not erradas, f"escritas errado, ou que faltam em {PALAVRAS.name}: {sorted(achadas or erradas)}"


ENGANOS = ["nao", "voce", "funcao", "atencao", "tambem", "so", "saida", "Questao", "matirz", "concerteza"]


@pytest.mark.parametrize("palavra", [*ENGANOS, *sorted(SECOES["recusadas"])])
def test_um_acento_esquecido_e_uma_letra_trocada_sao_achados(palavra):
    assert desconhecidas(palavras(f"A {palavra} da aula.")) == {palavra}


def test_o_que_e_codigo_nao_se_confere_e_o_que_esta_em_volta_sim():
    assert palavras("Rode `nao` e gabarito/questao.py --opcao com $funcao$ e f(atencao) agora") == [
        "Rode",
        "e",
        "com",
        "e",
        "agora",
    ]
    assert list(do_programa('x = f"A {nome} nao serve"\ny = "nada"')) == ["A _ nao serve"]


def test_as_palavras_do_curso_estao_em_ordem_e_uma_vez_so():
    linhas = PALAVRAS.read_text("utf-8").splitlines()
    for secao in "\n".join(linhas).split("\n\n"):
        em_ordem = secao.splitlines()[1:]
        assert em_ordem == sorted(set(em_ordem), key=lambda p: (p.casefold(), p)), secao.splitlines()[0]
