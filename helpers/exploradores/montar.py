"""O módulo de cada explorador, montado de fonte/ quando alguém o lê.

É um texto só, um módulo ES que segue o contrato do anywidget: os textos, as cores e o estilo, as partes comuns e o
explorador, emendados nessa ordem. Não há empacotador: o que está em fonte/ é o que roda, sem os comentários, os
recuos, alguns espaços, e as funções, os textos e as cores de que este explorador não precisa, porque cada saída guarda
um módulo. Para ver um inteiro, com as linhas que o navegador conta: `python -m helpers.exploradores.montar plano`.
"""

import functools
import json
import re
import sys
from pathlib import Path
from typing import Any

PASTA = Path(__file__).resolve().parent
FONTE = PASTA / "fonte"
PARTES = {  # as de fonte/partes/ que só alguns usam
    "cabecas": ["arquivos"],
    "chaves": ["palavras"],
    "letra": ["arquivos", "gpt"],
    "plano": ["palavras", "fichas"],
}
FIM = "export default { render };\n"  # a última linha de todo módulo; quem o põe em uma página a troca


SO_COMENTARIO = re.compile(r"^[ \t]*(//.*|/\*\*(?:.|\n)*?\*/)[ \t]*\n|(?<=[;,{}()])[ \t]+// .*$", re.MULTILINE)
RECUO = re.compile(r"^[ \t]+|\n(?=\n)", re.MULTILINE)  # nenhum texto entre crases passa de uma linha
ESPACO = re.compile(
    r'("(?:\\.|[^"\\\n])*"|`[^`]*`)|(?<=,) | (=>|===|!==|=|&&|\|\|) '
)  # fora dos textos entre aspas e crases
DE_FORA = "abrirNaPagina"  # quem a chama é a página
FUNCAO = re.compile(r"^(?:async )?function (\w+)\((?:.|\n)*?^}\n", re.MULTILINE)


def ler_js(arquivo: Path) -> str:
    return SO_COMENTARIO.sub("", arquivo.read_text(encoding="utf-8"))


def sem_espacos(programa: str) -> str:
    return ESPACO.sub(lambda achado: achado[1] or achado[2] or "", programa)


def so_o_que_se_usa(programa: str) -> str:
    """O programa sem as funções que ninguém chama; tirar uma pode deixar outra sem quem a chame."""
    while True:
        nomes = [*re.findall(r"[\w$]+", programa), DE_FORA]
        sobram = [f for f in FUNCAO.finditer(programa) if nomes.count(f[1]) == re.findall(r"[\w$]+", f[0]).count(f[1])]
        if not sobram:
            return programa
        for achada in reversed(sobram):
            programa = programa[: achada.start()] + programa[achada.end() :]


def ler_json(nome: str) -> dict[str, Any]:
    return json.loads((FONTE / nome).read_text(encoding="utf-8"))


def nomes() -> list[str]:
    """Os exploradores que há: um arquivo em fonte/ para cada um."""
    return sorted(p.stem for p in FONTE.glob("*.js"))


@functools.cache
def papeis() -> dict[str, dict[str, str]]:
    """As cores dos papéis (Q, K, …): `traco`, de desenhar, e as das letras em cada tema. Um papel pode citar outro."""
    lidos = ler_json("cores.json")["papeis"]
    return {nome: lidos[cor] if isinstance(cor, str) else cor for nome, cor in lidos.items()}


@functools.cache
def neutras(tema: str) -> dict[str, str]:
    """O fundo, a borda, o texto… de um tema, “claro” ou “escuro”."""
    return {nome: cor[tema] for nome, cor in ler_json("cores.json")["neutras"].items()}


def cores_em_css(onde: str | None = None) -> str:
    """As cores citadas em `onde` (ou todas), em cada tema: --cor-Q é para traços e fundos, e --letra-Q, para letras."""
    usadas = {n: c for n, c in papeis().items() if onde is None or re.search(rf"[\"'-]{re.escape(n)}\b", onde)}
    linhas = []
    for tema, esquema, traco in (("claro", "light", "traco"), ("escuro", "dark", "escuro")):
        basicas = (f"--{nome}: {valor};" for nome, valor in neutras(tema).items())
        das_cores = (f"--cor-{nome}: {cor[traco]}; --letra-{nome}: {cor[tema]};" for nome, cor in usadas.items())
        regras = " ".join([f"color-scheme: {esquema};", *basicas, *das_cores])
        linhas.append(f'.explorador[data-tema="{tema}"] {{ {regras} }}')
    return "\n".join(linhas)


def estilo(nome: str, programa: str) -> str:
    """O CSS das partes comuns e, se houver, o de fonte/NOME.css, com as cores que um deles ou o programa citam."""
    arquivos = [FONTE / "estilo.css", FONTE / f"{nome}.css"]
    regras = "\n".join(a.read_text(encoding="utf-8") for a in arquivos if a.is_file())
    dados = PASTA / f"{nome}.py"  # a cor de um grupo de palavras vem com os dados
    citam = "\n".join([regras, programa, dados.read_text(encoding="utf-8") if dados.is_file() else ""])
    return cores_em_css(citam) + "\n" + re.sub(r"\s*([{};])\s*|(?<=[:,])\s+", r"\1", re.sub(r"/\*.*?\*/", "", regras))


def textos_de(pedidos: list[str], programa: str) -> dict[str, Any]:
    """Os textos que o programa cita; os outros são do Python. `texto(`a.explica_${x}`)` cita todos os explica_…"""
    textos, palavras = ler_json("textos.json"), set(re.findall(r"[\w$]+", programa))
    usa = lambda chave: chave in palavras or f"{chave.rpartition('_')[0]}_$" in palavras  # noqa: E731
    return {p: {k: v for k, v in textos[p].items() if k in ("titulo", "teclas") or usa(k)} for p in pedidos}


@functools.cache
def modulo(nome: str) -> str:
    """O texto do módulo: só os textos de que ele precisa, o estilo, as partes comuns e ele mesmo."""
    usadas = PARTES.get(nome, [])
    fontes = [*sorted((FONTE / "comum").glob("*.js")), *(FONTE / "partes" / f"{parte}.js" for parte in usadas)]
    inteiro = "\n".join(ler_js(p) for p in [*fontes, FONTE / f"{nome}.js"])
    programa = sem_espacos(RECUO.sub("", so_o_que_se_usa(inteiro)))
    pedidos = [parte for parte in ("comum", *usadas, nome) if parte in ler_json("textos.json")]
    constantes = {"TEXTOS": textos_de(pedidos, programa), "ESTILO": estilo(nome, programa)}
    partes = [
        # A primeira linha está também nas saídas que as aulas guardam: mudá-la pede que se salvem todas outra vez.
        f"// Feito de helpers/exploradores/fonte/ por: python -m helpers.exploradores.montar ({nome})",
        *(f"const {c} = {json.dumps(valor, ensure_ascii=False)};" for c, valor in constantes.items()),
        programa,
        FIM,
    ]
    return "\n".join(partes)


if __name__ == "__main__":
    sys.stdout.write(modulo(*sys.argv[1:]))
