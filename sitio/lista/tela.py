"""O que a construção do site faz da lista viva: junta o programa, traz os recursos do Python, e escreve o que o
navegador precisa para guardar o site e instalá-lo."""

import functools
import hashlib
import html
import json
import subprocess
import zlib
from pathlib import Path
from typing import Any

import nbformat

from helpers.exploradores import montar
from sitio import npm
from sitio.obra import NaoDeu, Obra

SALA = Path(__file__).resolve().parent
TELA = SALA / "tela"

# O esbuild, pelo módulo dele: o executável depende de um passo da instalação que aqui não se roda.
JUNTAR = """
const [modulo, ...entradas] = process.argv.slice(1);
const esbuild = require(modulo);
const feito = esbuild.buildSync({
  entryPoints: entradas, bundle: true, minify: true, write: false, format: "iife", charset: "utf8", target: "es2022",
  outdir: "saida", legalComments: "none", logLevel: "silent",
});
process.stdout.write(JSON.stringify(Object.fromEntries(
  feito.outputFiles.map((f) => [f.path.replace(/.*[\\\\/]/, ""), f.text]))));
"""


@functools.cache
def emitida(raiz: Path, pasta: str) -> dict[str, Any]:
    """A lista como está em release/, com as linhas como o arquivo as guarda: é ela que se baixa."""
    return json.loads((raiz / "release" / pasta / f"{pasta}.ipynb").read_text(encoding="utf-8"))


def celulas(raiz: Path, pasta: str) -> list[Any]:
    """As células dela, cada uma com o seu texto em um pedaço só."""
    return nbformat.reads(json.dumps(emitida(raiz, pasta)), as_version=4).cells


@functools.cache
def programas() -> dict[str, str]:
    """O programa da página, o da prévia (Markdown e fórmulas, só para quem a pede) e os dos exploradores."""
    entradas = [str(TELA / nome) for nome in ("principal.js", "previa.js")]
    comando = [npm.node(), "-e", JUNTAR, str(npm.arquivo("esbuild")), *entradas]
    feito = subprocess.run(comando, capture_output=True, text=True, encoding="utf-8", cwd=SALA)
    if feito.returncode:
        raise NaoDeu(f"O esbuild não juntou o programa da lista: {feito.stderr.strip()[-600:]}")
    juntos = json.loads(feito.stdout)
    css = (TELA / "lista.css").read_text(encoding="utf-8")
    feitos = {"lista.js": juntos["principal.js"], "previa.js": juntos["previa.js"], "lista.css": css}
    return feitos | {f"{nome}.js": _desenho(nome) for nome in ("plano", "cabecas")}


def arquivo(nome: str) -> str:
    """O nome de um destes no site, em `_static/`: com o resumo do conteúdo, pode ficar guardado para sempre."""
    resumo = hashlib.sha256(programas()[nome].encode()).hexdigest()[:10]
    return f"lista/{nome.replace('.', f'.{resumo}.')}"


def _desenho(nome: str) -> str:
    """O módulo de um explorador, para quem lhe dá os dados na hora."""
    corpo = montar.modulo(nome).removesuffix(montar.FIM)
    return f"(window.EXPLORADORES ??= {{}}).{nome} = (() => {{\n{corpo}\nreturn render;\n}})();\n"


# ---------------------------------------------------------------- o Python da página


def recursos(obra: Obra) -> dict[str, Any] | None:
    """O manifesto do que o motor precisa, gravado na primeira vez; None sem o NumPy do Pyodide."""
    feitos = vars(obra).setdefault("_recursos_da_lista", {})
    if "manifesto" not in feitos:
        from sitio.lista import recursos as do_motor

        try:
            quais = [nome for nome in do_motor.LISTAS if obra.ate is None or nome[-2:] <= obra.ate]
            feitos["manifesto"] = do_motor.preparar(obra.pasta / "recursos", quais, aviso=print)
        except do_motor.SemRodas as frase:
            raise NaoDeu(str(frase)) from None
    return feitos["manifesto"]


def recursos_do_python(obra: Obra) -> dict[str, Path]:
    if recursos(obra) is None:
        return {}
    pasta = obra.pasta / "recursos"
    return {f"recursos/{p.relative_to(pasta).as_posix()}": p for p in pasta.rglob("*") if p.is_file()}


# ---------------------------------------------------------------- o que o navegador guarda e instala

NOME, NOME_CURTO, FUNDO, TRACO = "Atenção e Transformers", "Atenção", "#1d5f9e", "#ffffff"


def do_navegador(obra: Obra) -> dict[str, bytes | str]:
    """O service worker, o manifesto de quem instala e os ícones."""
    modelo = (TELA / "sw.js").read_text(encoding="utf-8")
    primeiras = ["index", *(e for e in obra.enderecos if e.startswith("listas/")), "como-funciona-uma-lista"]
    paginas = [f"{e}.html" for e in dict.fromkeys(primeiras)]
    depois = [f"{e}.html" for e in obra.enderecos if f"{e}.html" not in paginas]
    do_python = recursos(obra) or {"arquivos": {}}
    pesados = [f"recursos/{a['gz']}" for a in do_python["arquivos"].values()]
    listas = {"PRIMEIRAS": paginas, "DEPOIS": depois, "DO_PYTHON": pesados}
    programa = "".join(f"const {nome} = {json.dumps(valor)};\n" for nome, valor in listas.items()) + modelo
    versao = hashlib.sha256((programa + obra.versao).encode()).hexdigest()[:12]
    icones = [
        {"src": f"_static/icone-{lado}.png", "sizes": f"{lado}x{lado}", "type": "image/png"} for lado in (192, 512)
    ]
    manifesto = {
        "name": NOME, "short_name": NOME_CURTO, "lang": "pt-BR", "start_url": "./index.html", "scope": "./", "id": "./",
        "display": "standalone", "background_color": "#ffffff", "theme_color": FUNDO, "icons": icones,
    }  # fmt: skip
    return {
        "sw.js": f'const VERSAO = "{versao}";\n{programa}',
        "instalar.webmanifest": json.dumps(manifesto, ensure_ascii=False, indent=1),
    } | {f"_static/icone-{lado}.png": icone(lado) for lado in (192, 512)}


def icone(lado: int) -> bytes:
    """Três pontos e as setas de um para os outros dois, em um PNG de duas cores."""
    from itertools import pairwise

    pontos = [(0.5, 0.28), (0.28, 0.7), (0.72, 0.7)]

    def cor(x: float, y: float) -> bool:
        if any((x - a) ** 2 + (y - b) ** 2 < 0.1**2 for a, b in pontos):
            return True
        for (ax, ay), (bx, by) in pairwise([pontos[1], pontos[0], pontos[2]]):
            t = max(0.0, min(1.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)))
            if (x - ax - t * (bx - ax)) ** 2 + (y - ay - t * (by - ay)) ** 2 < 0.028**2:
                return True
        return False

    linhas = []
    for j in range(lado):
        bits = [cor((i + 0.5) / lado, (j + 0.5) / lado) for i in range(lado)]
        linhas.append(
            b"\0" + bytes(sum(b << (7 - k) for k, b in enumerate(bits[n : n + 8])) for n in range(0, lado, 8))
        )
    paleta = bytes.fromhex(FUNDO[1:] + TRACO[1:])
    cabeca = lado.to_bytes(4) * 2 + bytes([1, 3, 0, 0, 0])  # 1 bit por ponto, com paleta
    pedacos = [(b"IHDR", cabeca), (b"PLTE", paleta), (b"IDAT", zlib.compress(b"".join(linhas), 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        len(d).to_bytes(4) + nome + d + zlib.crc32(nome + d).to_bytes(4) for nome, d in pedacos
    )


def experimente(questao: str, fonte: str, endereco: str) -> str:
    """A questão da página inicial: o que se pede, o editor e o botão; o mesmo lugar que ela tem na lista."""
    codigo = f"<pre><code>{html.escape(fonte)}</code></pre>"
    return (
        "<h2>Experimente uma questão</h2>"
        "<p>Na matriz <code>X</code>, cada linha é uma palavra. Devolva os produtos escalares de todas com todas, de "
        "(N, d) para (N, N). Escreva no lugar do <code>raise</code> e aperte <em>Conferir</em>. Se algo "
        "estiver errado, uma frase diz o quê. Nada sai do seu navegador.</p>"
        f'<div class="l-celula" data-papel="resposta" data-nome="{questao}" data-id="{questao}">{codigo}</div>'
        f'<div class="l-celula" data-papel="conferir" data-nome="{questao}" data-questao="lista-01/{questao}" '
        f'data-id="confere-{questao}" data-depois="confere-{questao}" data-dicas=""></div>'
        f'<p><a href="{endereco}.html">Esta é uma questão da lista 01. Faça a lista inteira aqui mesmo</a>, ou '
        "instale o curso.</p>"
    )
