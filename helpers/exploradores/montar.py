"""`python -m helpers.exploradores.montar`: faz modulos/*.js a partir de fonte/, e diz quais mudaram.

Cada módulo é um arquivo só, um módulo ES que segue o contrato do anywidget: os textos, as cores e o estilo, as partes
comuns e o explorador, emendados nessa ordem. Não há empacotador: o que está em fonte/ é o que roda.
"""

import json
import sys
from pathlib import Path
from typing import Any

PASTA = Path(__file__).resolve().parent
FONTE, MODULOS = PASTA / "fonte", PASTA / "modulos"
PARTES = {"cabecas": ["arquivos"], "letra": ["arquivos", "gpt"]}  # as de fonte/partes/ que só alguns usam
FIM = "export default { render };\n"  # a última linha de todo módulo; quem o põe em uma página a troca


def ler_json(nome: str) -> dict[str, Any]:
    return json.loads((FONTE / nome).read_text(encoding="utf-8"))


def nomes() -> list[str]:
    """Os exploradores que há: um arquivo em fonte/ para cada um."""
    return sorted(p.stem for p in FONTE.glob("*.js"))


def cores_em_css() -> str:
    """As cores dos papéis como variáveis, em cada tema: --cor-Q para traços e fundos, --letra-Q para letras."""
    neutras = {
        "claro": "--fundo: #ffffff; --fundo-2: #f4f5f7; --fundo-3: #e6e8ec; --borda: #dcdfe4; --borda-forte: #868d99; "
        "--texto: #1b1f27; --texto-2: #4f5663; --foco: #1f5fd0; --negativo: #5b6b8c; --teto: 68%;",
        "escuro": "--fundo: #16181d; --fundo-2: #21242b; --fundo-3: #2e323b; --borda: #343943; --borda-forte: #7d8492; "
        "--texto: #eceef2; --texto-2: #b6bcc8; --foco: #7fb0ff; --negativo: #8fa3cc; --teto: 42%;",
    }
    linhas = []
    for tema, basicas in neutras.items():
        das_cores = (
            f"--cor-{nome}: {c['traco'] if tema == 'claro' else c['escuro']}; --letra-{nome}: {c[tema]};"
            for nome, c in ler_json("cores.json").items()
        )
        linhas.append(f'.explorador[data-tema="{tema}"] {{ color-scheme: {"light" if tema == "claro" else "dark"}; '
                      f"{basicas} {' '.join(das_cores)} }}")  # fmt: skip
    return "\n".join(linhas)


def estilo(nome: str) -> str:
    """O CSS das partes comuns e, se houver, o de fonte/NOME.css."""
    arquivos = [FONTE / "estilo.css", FONTE / f"{nome}.css"]
    return "\n".join([cores_em_css(), *(a.read_text(encoding="utf-8") for a in arquivos if a.is_file())])


def modulo(nome: str) -> str:
    """O texto do módulo: só os textos de que ele precisa, o estilo, as partes comuns e ele mesmo."""
    textos = ler_json("textos.json")
    constantes = {"TEXTOS": {parte: textos[parte] for parte in ("comum", nome)}, "ESTILO": estilo(nome)}
    partes = [
        f"// Feito de helpers/exploradores/fonte/ por: python -m helpers.exploradores.montar ({nome})",
        *(f"const {c} = {json.dumps(valor, ensure_ascii=False)};" for c, valor in constantes.items()),
        *(p.read_text(encoding="utf-8") for p in sorted((FONTE / "comum").glob("*.js"))),
        *((FONTE / "partes" / f"{parte}.js").read_text(encoding="utf-8") for parte in PARTES.get(nome, [])),
        (FONTE / f"{nome}.js").read_text(encoding="utf-8"),
        FIM,
    ]
    return "\n".join(partes)


def main() -> int:
    MODULOS.mkdir(exist_ok=True)
    for nome in nomes():
        texto, destino = modulo(nome), MODULOS / f"{nome}.js"
        novo = not destino.is_file() or destino.read_text(encoding="utf-8") != texto
        destino.write_text(texto, encoding="utf-8", newline="\n")
        print(f"{destino.name}: {len(texto.encode()) / 1024:.0f} kB{', mudou' if novo else ''}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
