"""O módulo de cada explorador, montado de fonte/ quando alguém o lê.

É um texto só, um módulo ES que segue o contrato do anywidget: os textos, as cores e o estilo, as partes comuns e o
explorador, emendados nessa ordem. Não há empacotador: o que está em fonte/ é o que roda, sem as linhas que só comentam,
porque cada saída guarda um módulo. Para ver um deles inteiro,
com as linhas que o navegador conta: `python -m helpers.exploradores.montar plano`.
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
    "plano": ["palavras"],
}
FIM = "export default { render };\n"  # a última linha de todo módulo; quem o põe em uma página a troca


SO_COMENTARIO = re.compile(r"^[ \t]*(//.*|/\*\*(?:.|\n)*?\*/)[ \t]*\n", re.MULTILINE)


def ler_js(arquivo: Path) -> str:
    return SO_COMENTARIO.sub("", arquivo.read_text(encoding="utf-8"))


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


def cores_em_css() -> str:
    """Toda cor como variável, em cada tema: de um papel, --cor-Q é para traços e fundos, e --letra-Q, para letras."""
    linhas = []
    for tema, esquema, traco in (("claro", "light", "traco"), ("escuro", "dark", "escuro")):
        basicas = (f"--{nome}: {valor};" for nome, valor in neutras(tema).items())
        das_cores = (f"--cor-{nome}: {cor[traco]}; --letra-{nome}: {cor[tema]};" for nome, cor in papeis().items())
        regras = " ".join([f"color-scheme: {esquema};", *basicas, *das_cores])
        linhas.append(f'.explorador[data-tema="{tema}"] {{ {regras} }}')
    return "\n".join(linhas)


def estilo(nome: str) -> str:
    """O CSS das partes comuns e, se houver, o de fonte/NOME.css."""
    arquivos = [FONTE / "estilo.css", FONTE / f"{nome}.css"]
    return "\n".join([cores_em_css(), *(a.read_text(encoding="utf-8") for a in arquivos if a.is_file())])


@functools.cache
def modulo(nome: str) -> str:
    """O texto do módulo: só os textos de que ele precisa, o estilo, as partes comuns e ele mesmo."""
    textos, usadas = ler_json("textos.json"), PARTES.get(nome, [])
    pedidos = [parte for parte in ("comum", *usadas, nome) if parte in textos]
    constantes = {"TEXTOS": {parte: textos[parte] for parte in pedidos}, "ESTILO": estilo(nome)}
    partes = [
        # A primeira linha está também nas saídas que as aulas guardam: mudá-la pede que se salvem todas outra vez.
        f"// Feito de helpers/exploradores/fonte/ por: python -m helpers.exploradores.montar ({nome})",
        *(f"const {c} = {json.dumps(valor, ensure_ascii=False)};" for c, valor in constantes.items()),
        *(ler_js(p) for p in sorted((FONTE / "comum").glob("*.js"))),
        *(ler_js(FONTE / "partes" / f"{parte}.js") for parte in usadas),
        ler_js(FONTE / f"{nome}.js"),
        FIM,
    ]
    return "\n".join(partes)


if __name__ == "__main__":
    sys.stdout.write(modulo(*sys.argv[1:]))
