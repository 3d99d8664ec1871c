"""As fórmulas em MathML, feitas pelo Temml em um processo só do Node; as que já foram feitas ficam guardadas."""

import html
import json
import subprocess
from pathlib import Path

from sitio import npm
from sitio.obra import NaoDeu

Formula = tuple[str, bool]  # o LaTeX, e se vem em uma linha só sua

PROGRAMA = """
const temml = require(process.argv[1]);
const pedidos = JSON.parse(require("fs").readFileSync(0, "utf8"));
const feitas = pedidos.map(([latex, bloco]) => {
  try {
    return { html: temml.renderToString(latex, { displayMode: bloco, throwOnError: true, wrap: "none" }) };
  } catch (erro) {
    return { erro: String(erro.message) };
  }
});
process.stdout.write(JSON.stringify(feitas));
"""


class Formulas:
    """`fazer` desenha as que faltam; `html` dá uma delas."""

    def __init__(self, guardadas: Path) -> None:
        self.arquivo = guardadas
        self.feitas: dict[str, str] = {}
        if guardadas.is_file():
            self.feitas = json.loads(guardadas.read_text(encoding="utf-8"))

    def fazer(self, pedidas: dict[Formula, str]) -> None:
        """`pedidas` diz, de cada fórmula, em que página ela está: é o que se lê se ela não serve."""
        faltam = [p for p in pedidas if _chave(p) not in self.feitas]
        if not faltam:
            return
        temml = str(npm.arquivo("temml/dist/temml.cjs"))
        feito = subprocess.run(
            [npm.node(), "-e", PROGRAMA, temml],
            input=json.dumps(faltam),
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        if feito.returncode:
            raise NaoDeu(f"O Temml não desenhou as fórmulas: {feito.stderr.strip().splitlines()[-1:]}")
        for pedida, resposta in zip(faltam, json.loads(feito.stdout), strict=True):
            if "erro" in resposta:
                raise NaoDeu(f"Em {pedidas[pedida]}, a fórmula {pedida[0]!r} não se desenha: {resposta['erro']}")
            self.feitas[_chave(pedida)] = _acessivel(resposta["html"], pedida[0])
        self.arquivo.write_text(json.dumps(self.feitas, ensure_ascii=False), encoding="utf-8")

    def html(self, formula: Formula) -> str:
        return self.feitas[_chave(formula)]


def _chave(formula: Formula) -> str:
    return ("bloco " if formula[1] else "linha ") + formula[0]


def _acessivel(mathml: str, latex: str) -> str:
    """O LaTeX como texto alternativo da fórmula, para quem a ouve sem um leitor de MathML, e para quem a copia."""
    alternativo = html.escape(" ".join(latex.split()), quote=True)
    return mathml.replace("<math", f'<math alttext="{alternativo}"', 1)
