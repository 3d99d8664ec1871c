"""`python curso.py pacote`: o zip do aluno, que funciona sozinho e não tem nada do instrutor."""

import hashlib
import json
import re
import sys
import zipfile
from pathlib import Path

from configuracao import comandos
from configuracao.atualizar import MANIFESTO, resumos
from configuracao.terminal import por_que, rodar
from configuracao.versao import versao
from gabarito import indice
from helpers import RAIZ
from helpers.escrita import com_virgula
from helpers.gravacao import de_uma_vez
from helpers.indice import ARQUIVO, de_dados, listas

INDICE = ARQUIVO.relative_to(RAIZ)
PASTA = "curso-atencao"  # o começo do nome da pasta que o zip cria ao ser aberto

# Só entra o que está aqui; o que for criado amanhã fica de fora até alguém decidir.
ARQUIVOS = [
    *("CHANGELOG.md", "LICENSE", "curso.py", "pyproject.toml", "environment.yml", "imagens/diagnostico.png"),
    *("guias/pacote.md", "guias/quando-algo-nao-funciona.md"),
    *(
        f"configuracao/{nome}.py"
        for nome in ("__init__", "__main__", "aluno", "atualizar", "comandos", "computador", "ferramentas", "frases")
    ),
    *(
        f"configuracao/{nome}.py"
        for nome in ("instalar", "barra", "lugares", "no_hub", "saidas", "servidor", "terminal", "testar", "versao")
    ),
    *(f"configuracao/locks/{nome}.lock" for nome in ("curso", "desenvolvimento", "instalador", "llama", "modelos")),
    *(f"configuracao/locks/{nome}.lock" for nome in ("pip", "torch", "torch-comum")),
]
PASTAS = {
    "notebooks": ("*.ipynb", "*.md"),
    "release": ("*.ipynb", "*.csv", "*.npz", "*.png"),
    "helpers": ("*.py", "*.json", "controles.js"),
    "helpers/exploradores/fonte": ("*.js", "*.css"),
    "helpers/textos": ("*.txt",),
    "helpers/exploradores/pesos": ("*.safetensors",),
    "configuracao/hub": ("*.json", "*.py"),
    "configuracao/jupyter": ("*.json", "*.py", "*.js", "*.css", "*.j2"),
}
# O aluno tem um README só com o que ele tem. As novidades vão em uma pasta que já havia: o `atualizar` de um pacote de
# antes recusa um arquivo solto que não conhece.
NO_ZIP = {Path("guias/pacote.md"): Path("README.md"), Path("CHANGELOG.md"): Path("guias/novidades.md")}
_DATA = (2026, 1, 1, 0, 0, 0)  # fixa: o mesmo curso dá o mesmo zip, byte a byte


_SECAO = re.compile(r"^## ", re.MULTILINE)
_NUMERO = re.compile(r"(?:^|lista[-_]|aula[-_])(\d\d)(?=[-_a-z.]|$)")  # o da aula ou o da lista, no nome de um arquivo


def conteudo(raiz: Path = RAIZ, ate: str | None = None) -> list[Path]:
    """Os caminhos, relativos à raiz, do que vai para o aluno; com `ate`, só até a aula e a lista desse número."""
    achados = [Path(a) for a in ARQUIVOS if (raiz / a).is_file()]
    for pasta, padroes in PASTAS.items():
        for padrao in padroes:
            achados += [p.relative_to(raiz) for p in (raiz / pasta).rglob(padrao) if p.is_file()]
    escondido = {".ipynb_checkpoints", "__pycache__"}
    inteiro = sorted(p for p in set(achados) if not escondido & set(p.parts))
    return [p for p in inteiro if ate is None or _ja_chegou(p, ate)]


def _ja_chegou(caminho: Path, ate: str) -> bool:
    """O arquivo é desta semana ou de antes? Um substituto (helpers/substitutos) só vem depois da lista dele."""
    pasta = caminho.parent.as_posix()
    if not (pasta.startswith(("notebooks", "release")) or pasta in ("helpers/referencias", "helpers/substitutos")):
        return True
    achado = _NUMERO.search(caminho.name)
    if achado is None:
        return True
    return achado[1] < ate if pasta == "helpers/substitutos" else achado[1] <= ate


def empacotar(destino: Path, raiz: Path = RAIZ, ate: str | None = None) -> list[Path]:
    """Grava o zip em `destino`; se algo falhar no meio, não deixa um zip pela metade."""
    caminhos = conteudo(raiz, ate)
    if not any(p.parts[0] == "release" for p in caminhos):
        raise FileNotFoundError("A pasta release/ está vazia; rode antes: python curso.py gerar")
    destino.parent.mkdir(parents=True, exist_ok=True)
    arquivos = {NO_ZIP.get(caminho, caminho).as_posix(): _como_vai(raiz, caminho, ate) for caminho in caminhos}
    do_pacote = {nome: resumos(nome, dentro) for nome, dentro in arquivos.items()}
    numero = versao(raiz)
    manifesto = {"versao": numero, "ate": ate, "arquivos": do_pacote}
    arquivos[MANIFESTO] = json.dumps(manifesto, ensure_ascii=False, indent=1, sort_keys=True).encode()
    pasta = _pasta(numero, ate, arquivos[MANIFESTO])
    with de_uma_vez(destino) as provisorio, zipfile.ZipFile(provisorio, "w", zipfile.ZIP_DEFLATED) as arquivo:
        for nome, dentro in arquivos.items():
            info = zipfile.ZipInfo(f"{pasta}/{nome}", date_time=_DATA)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            arquivo.writestr(info, dentro)
    return caminhos


def _pasta(numero: str | None, ate: str | None, manifesto: bytes) -> str:
    """`curso-atencao-2.0.0-ate-03-9c41`: dois pacotes diferentes nunca abrem um por cima do outro.

    Quem descompacta o da semana ao lado do anterior fica com duas pastas, e não sem a lista que fez. O fim do nome é o
    resumo do que vai dentro, porque a lista de uma semana se conserta, e o pacote se manda de novo, na mesma versão.
    """
    semana = [] if ate is None else ["ate", ate]
    marca = hashlib.sha256(manifesto).hexdigest()[:4]
    return "-".join([PASTA, *([numero] if numero else []), *semana, marca])


def _como_vai(raiz: Path, caminho: Path, ate: str | None) -> bytes:
    inteiro = (raiz / caminho).read_bytes()
    if ate is not None and caminho == INDICE:
        return indice.texto(indice.ate(de_dados(json.loads(inteiro)), ate)).encode()
    e_aula = caminho.parts[0] == "notebooks" and caminho.suffix == ".ipynb"
    return como_vai_a_aula(inteiro) if e_aula else inteiro


def como_vai_a_aula(notebook: bytes) -> bytes:
    """A aula sem as saídas que vêm depois de uma aposta (`confira`), até o próximo título de seção, e sem a da primeira
    célula que só imprime.

    Quem rola a tela antes de apostar não vê a resposta, e o primeiro Shift+Enter muda algo à vista. O resto fica como
    está, byte a byte.
    """
    nb, apostou = json.loads(notebook), False
    primeira = next((c for c in nb["cells"] if c.get("outputs")), None)
    if primeira and all(saida["output_type"] == "stream" for saida in primeira["outputs"]):
        primeira["outputs"], primeira["execution_count"] = [], None
    for celula in nb["cells"]:
        texto = "".join(celula["source"])
        if celula["cell_type"] == "markdown":
            apostou = apostou and not _SECAO.search(texto)
        elif celula["cell_type"] == "code":
            if apostou:
                celula["outputs"], celula["execution_count"] = [], None
            apostou = apostou or "confira(" in texto
    return (json.dumps(nb, ensure_ascii=False, indent=1) + "\n").encode()


def main(argumentos: list[str] | None = None) -> int:
    pedido = comandos.ler("pacote", argumentos)
    ate = f"{int(pedido.ate):02d}" if pedido.ate is not None else None
    numeros = [nome[-2:] for nome in listas()]
    if not numeros:
        print(f"Falta o índice do curso, {INDICE}; rode antes: python curso.py gerar", file=sys.stderr)
        return 2
    if ate is not None and ate not in numeros:
        print(f"Não existe a lista {ate}; o --ate vai de {numeros[0]} a {numeros[-1]}.", file=sys.stderr)
        return 2
    nome = "curso-atencao.zip" if ate is None else f"curso-atencao-ate-{ate}.zip"
    destino = pedido.destino or RAIZ / "pacotes" / nome
    try:
        caminhos = empacotar(destino, ate=ate)
    except OSError as erro:
        print(f"Não foi possível gravar {destino}: {por_que(erro)}.", file=sys.stderr)
        return 1
    tamanho = com_virgula(destino.stat().st_size / 1e6, 1)
    print(f"{destino}: versão {versao()}, {len(caminhos)} arquivos, {tamanho} MB.")
    return 0


if __name__ == "__main__":
    rodar(main)
