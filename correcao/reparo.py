"""O reparo: de bytes quaisquer ao notebook que o nbgrader sabe corrigir, com as respostas do aluno onde elas estiverem.

Nada é executado aqui, nada é lido do disco, e nada do que o aluno mandou manda em nós: da entrega só passam o texto das
células e, no texto das discussões, as imagens coladas. Estrutura, marcas do nbgrader, kernel e testes vêm da lista
emitida.

Quem decide o que é cada célula, nesta ordem: o texto igual ao da lista, a marca do nbgrader (`grade_id`), o nome da
função que ela define e, por último, a posição entre as vizinhas.
"""

import ast
import copy
import json
import re
import textwrap
import warnings
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

MAXIMO = 100_000_000  # bytes de um arquivo; acima disso nem se abre
MAXIMO_DE_CHAVES = 3_000_000  # colchetes e chaves: o que faz um JSON pequeno ocupar muita memória
MAXIMO_DE_CELULAS = 2_000  # com algum texto
MAXIMO_DE_TEXTO = 2_000_000  # caracteres, somadas as células
MAXIMO_DE_IMAGENS = 20_000_000  # caracteres em base64, somadas as células
_MAXIMO_PARA_ANALISAR = 20_000  # caracteres que se entregam ao analisador do Python
_MAXIMO_DE_JUNCOES = 50  # células partidas que se tenta juntar
_VOLTAS = 4  # de um reparo a outro, até que nada mude

ID_DO_AVISO = "aviso-da-correcao"
_TITULO_DO_ZERO = "## Esta entrega não pôde ser corrigida"
_TITULO_DOS_CONSERTOS = "## O que a correção consertou nesta entrega"


@dataclass
class Reparo:
    nb: NotebookNode
    consertos: list[str] = field(default_factory=list)
    motivo: str | None = None
    respondidas: int = 0


class _Zero(Exception):
    """Não há o que corrigir; o texto é o motivo, para o aluno e para o instrutor."""


def reparar(bruto: bytes | None, emitida: NotebookNode, nome: str) -> Reparo:
    """O notebook pronto para o nbgrader, o que foi consertado nele e, se vale zero, por quê.

    `bruto` é o conteúdo do arquivo (None: não havia arquivo); `emitida`, a lista como foi distribuída; `nome`, o nome
    do arquivo entregue, que só aparece nas frases.
    """
    lista, arquivo = _Lista(emitida), _nome_seguro(nome)
    consertos: list[str] = []
    try:
        dado = _abrir(bruto, arquivo, consertos)
        celulas = _celulas(dado, consertos)
        _exigir_a_lista(celulas, lista, arquivo)
    except _Zero as zero:
        return Reparo(_sem_respostas(lista, str(zero)), consertos, str(zero))
    consertos += _do_kernel(dado, lista)
    montagem = _Montagem(lista, celulas)
    consertos += montagem.consertos()
    nb = montagem.notebook()
    for _ in range(_VOLTAS):  # o que um conserto aproxima (duas metades de uma célula) outro pode juntar
        montagem = _Montagem(lista, _celulas(nb, []))
        antes, nb = nb, montagem.notebook()
        if nb == antes:
            break
    return Reparo(nb, consertos, None, montagem.respondidas)


def com_aviso(reparo: Reparo) -> NotebookNode:
    """O notebook reparado com uma primeira célula que conta ao aluno o que foi consertado, se algo foi."""
    if reparo.motivo or not reparo.consertos:
        return reparo.nb
    nb = copy.deepcopy(reparo.nb)
    nb.cells.insert(0, aviso_dos_consertos(reparo.consertos))
    return nb


def aviso_dos_consertos(consertos: list[str], id_da_celula: str = ID_DO_AVISO) -> NotebookNode:
    """A célula que conta ao aluno o que foi consertado."""
    texto = "\n".join([_TITULO_DOS_CONSERTOS, "", *(f"- {frase}" for frase in consertos)])
    return new_markdown_cell(texto, id=id_da_celula)


def _sem_respostas(lista: "_Lista", motivo: str) -> NotebookNode:
    nb = lista.notebook([lista.celula(i) for i in range(len(lista.emitidas))])
    nb.cells.insert(0, new_markdown_cell(f"{_TITULO_DO_ZERO}\n\n{motivo}", id=ID_DO_AVISO))
    return nb


# ---------------------------------------------------------------- do arquivo ao JSON

_ASSINATURAS = [
    (b"PK\x03\x04", "um arquivo zip"),
    (b"\x1f\x8b", "um arquivo compactado (gzip)"),
    (b"Rar!", "um arquivo rar"),
    (b"7z\xbc\xaf", "um arquivo 7z"),
    (b"%PDF", "um PDF"),
    (b"\x89PNG", "uma imagem"),
    (b"\xff\xd8\xff", "uma imagem"),
]
_ENTREGUE = "Abra a lista no JupyterLab, salve e entregue o próprio arquivo .ipynb."


def _nome_seguro(nome: str) -> str:
    """O nome do arquivo, sem nada que o Markdown ou o terminal interpretem."""
    return re.sub(r"[^\w .()+-]", "", str(nome).rpartition("/")[2])[:80].strip() or "entregue"


def _abrir(bruto: bytes | None, nome: str, consertos: list[str]) -> dict:
    """O JSON do notebook; _Zero com o motivo quando não é um."""
    if bruto is None:
        raise _Zero(f"Não havia um notebook na entrega. {_ENTREGUE}")
    if len(bruto) > MAXIMO:
        raise _Zero(
            f"O arquivo {nome} tem mais de {MAXIMO // 1_000_000} MB. "
            "Limpe as saídas das células, salve e entregue de novo."
        )
    if not bruto.strip(b"\x00 \t\r\n"):
        raise _Zero(f"O arquivo {nome} está vazio. {_ENTREGUE}")
    for inicio, que in _ASSINATURAS:
        if bruto.startswith(inicio):
            raise _Zero(f"O arquivo {nome} é {que}, e não um notebook. {_ENTREGUE}")
    texto = _decodificar(bruto, nome)
    if bruto.count(b"[") + bruto.count(b"{") > MAXIMO_DE_CHAVES:
        raise _Zero(f"O arquivo {nome} não tem a estrutura de um notebook. {_ENTREGUE}")
    dado, sobra = _json(texto, nome)
    if sobra:
        consertos.append("Havia texto solto depois do fim do notebook; foi ignorado.")
    if isinstance(dado, dict) and isinstance(dado.get("content"), dict):
        dado = dado["content"]  # como a API do Jupyter devolve um arquivo
    if not isinstance(dado, dict) or not any(isinstance(dado.get(k), list) for k in ("cells", "worksheets")):
        raise _Zero(f"O arquivo {nome} não é um notebook: não tem células. {_ENTREGUE}")
    return dado


def _decodificar(bruto: bytes, nome: str) -> str:
    try:
        return bruto.decode("utf-8-sig")
    except UnicodeDecodeError:
        codificacao = " (parece UTF-16)" if bruto[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
        raise _Zero(
            f"O arquivo {nome} não está em UTF-8{codificacao}, a codificação de um notebook. "
            f"Ele foi salvo por um editor de texto? {_ENTREGUE}"
        ) from None


def _json(texto: str, nome: str) -> tuple[Any, bool]:
    """(o dado, se sobrou texto depois dele)."""
    texto = texto.lstrip(" \t\r\n\x00")
    try:
        dado, fim = json.JSONDecoder(strict=False).raw_decode(texto)
    except (ValueError, RecursionError) as erro:
        raise _Zero(_por_que_nao_e_json(texto, nome, erro)) from None
    return dado, bool(texto[fim:].strip(" \t\r\n\x00"))


def _por_que_nao_e_json(texto: str, nome: str, erro: Exception) -> str:
    if texto.startswith("<"):
        return (
            f"O arquivo {nome} é uma página da web, e não um notebook. "
            "Baixe o notebook com Arquivo > Baixar (.ipynb), e não com o «Salvar página» do navegador."
        )
    if re.search(r"^(<{7}|>{7}) ", texto, flags=re.MULTILINE):
        return f"O arquivo {nome} tem marcas de conflito do Git e não pode ser lido. Desfaça o conflito e entregue."
    if not texto.startswith("{"):
        if re.search(r"^(import |from |def |class |#)", texto, flags=re.MULTILINE):
            return f"O arquivo {nome} é um programa em Python, e não um notebook. {_ENTREGUE}"
        return f"O arquivo {nome} não é um notebook. {_ENTREGUE}"
    # O JSON que para no meio acusa o erro no fim, ou em um texto que nunca fecha.
    no_fim = isinstance(erro, json.JSONDecodeError) and (
        erro.pos >= len(texto.rstrip()) - 1 or erro.msg.startswith("Unterminated string")
    )
    if no_fim:
        return f"O arquivo {nome} está truncado: termina no meio. Salve o notebook e entregue de novo."
    return f"O arquivo {nome} está corrompido: não é um JSON válido. {_ENTREGUE}"


# ---------------------------------------------------------------- do JSON às células


@dataclass(eq=False)
class _Celula:
    """Uma célula da entrega: só texto e o que ela diz ser."""

    posicao: int
    tipo: str  # code, markdown ou raw
    fonte: str
    marca: dict = field(default_factory=dict)  # o metadata.nbgrader, se havia
    id: str = ""
    imagens: dict = field(default_factory=dict)
    etiquetas: list[str] = field(default_factory=list)
    presa: tuple[int, str] | None = None  # o resto de uma célula travada: (índice na lista, "antes" ou "depois")
    limpa: bool = False  # tinha caracteres inválidos
    estranha: bool = False  # de um tipo que o Jupyter não conhece
    partida: bool = False  # foi juntada à sua outra metade

    @property
    def grade_id(self) -> str:
        declarado = self.marca.get("grade_id")
        return declarado if isinstance(declarado, str) else ""

    @property
    def vazia(self) -> bool:
        return not self.imagens and not self.fonte.strip()

    @cached_property
    def chave(self) -> str:
        return _chave(self.fonte)

    @cached_property
    def definidos(self) -> list[str]:
        """Os nomes que a célula define com def ou class na margem, na ordem."""
        return [m.group(1) or m.group(2) for m in _DEFINICAO.finditer(_na_margem(self.fonte))]

    def define_fracamente(self, nome: str) -> bool:
        """`nome = …`, `import … as nome`, ou um def recuado (dentro de um if ou de um try)."""
        n = re.escape(nome)
        linhas = [linha for linha in _na_margem(self.fonte).split("\n") if nome in linha and len(linha) < 1000]
        atribui = rf"^{n}[ \t]*(:[^=\n]*)?=(?!=)(?![ \t]*{n}[ \t]*\()"
        importa = rf"^(from[ \t][^\n]*)?import[ \t]([^\n]*[ ,(\t])?{n}[ \t]*(,|\)|$)"
        recuado = rf"^[ \t]+(async[ \t]+)?(def|class)[ \t]+{n}\b"
        return any(re.search(f"{atribui}|{importa}|{recuado}", linha) for linha in linhas)


_DEFINICAO = re.compile(r"^(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*[(\[]|^class[ \t]+(\w+)[ \t]*[(:\[]", flags=re.MULTILINE)
_CHAMADA = re.compile(r"""^[ \t]*conferir\(\s*["']([\w-]+)/""", flags=re.MULTILINE)
_TITULO = re.compile(r"^#[ \t]*Lista[ \t]+(\d+)", flags=re.MULTILINE | re.IGNORECASE)


def _chave(fonte: str) -> str:
    return "\n".join(linha.rstrip() for linha in fonte.split("\n")).strip()


def _na_margem(fonte: str) -> str:
    """O texto como o IPython o executa: sem o recuo comum e sem os `>>>` de um exemplo colado."""
    linhas = fonte.split("\n")
    primeira = next((linha for linha in linhas if linha.strip()), "")
    if primeira.startswith(">>> "):
        return "\n".join(linha[4:] if linha[:4] in (">>> ", "... ") else linha for linha in linhas)
    recuo = primeira[: len(primeira) - len(primeira.lstrip(" \t"))]
    return "\n".join(linha.removeprefix(recuo) for linha in linhas) if recuo else fonte


def _e_python(fonte: str) -> bool:
    """Se o texto é um programa; o que for grande demais para ser uma resposta não é analisado."""
    if len(fonte) > _MAXIMO_PARA_ANALISAR:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(_na_margem(fonte))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _celulas(dado: dict, consertos: list[str]) -> list[_Celula]:
    """As células com algum texto, de qualquer versão do formato; _Zero se não há nenhuma, ou há demais."""
    brutas = dado["cells"] if isinstance(dado.get("cells"), list) else []
    antigo = not brutas and isinstance(dado.get("worksheets"), list)
    if antigo:
        folhas = [f for f in dado["worksheets"] if isinstance(f, dict)]
        brutas = [c for f in folhas if isinstance(f.get("cells"), list) for c in f["cells"]]
    celulas = [_celula(c) for c in brutas if isinstance(c, dict)]
    escritas = sum(not c.vazia for c in celulas)
    if not escritas:
        raise _Zero(f"O notebook entregue não tem nenhuma célula escrita. {_ENTREGUE}")
    if escritas > MAXIMO_DE_CELULAS or sum(len(c.fonte) for c in celulas) > MAXIMO_DE_TEXTO:
        raise _Zero(
            "O notebook entregue tem células demais, ou texto demais, para ser uma lista. "
            "Recomece de uma cópia da lista e leve para ela só as suas respostas."
        )
    if _limitar_imagens(celulas):
        consertos.append("Havia imagens demais coladas nos textos; só as primeiras ficaram.")
    for posicao, celula in enumerate(celulas):
        celula.posicao = posicao
    if antigo:
        consertos.append("O notebook estava em um formato antigo do Jupyter; foi convertido.")
    estragadas = sum(not isinstance(c, dict) for c in brutas)
    if estragadas:
        consertos.append(f"{_quantas(estragadas)} não se {_p(estragadas, 'podia', 'podiam')} ler; o resto foi usado.")
    if any(c.estranha for c in celulas if not c.vazia):
        consertos.append("Havia células de um tipo que o Jupyter não conhece; foram lidas como código ou como texto.")
    if any(c.limpa for c in celulas):
        consertos.append("Havia caracteres inválidos no texto das células; foram retirados.")
    return celulas


def _do_kernel(dado: dict, lista: "_Lista") -> list[str]:
    """O que dizer de um notebook que pede outro kernel; vale sempre o da lista."""
    metadados = dado.get("metadata")
    kernel = metadados.get("kernelspec") if isinstance(metadados, dict) else None
    nome = kernel.get("name") if isinstance(kernel, dict) else None
    if nome is None or nome == lista.metadados.get("kernelspec", {}).get("name"):
        return []
    return ["O notebook pedia um kernel que não é o da lista; foi usado o da lista."]


def _celula(bruta: dict) -> _Celula:
    tipo = str(bruta.get("cell_type")).strip().lower()
    texto = _texto(next((bruta[k] for k in ("source", "input", "code") if bruta.get(k)), ""))
    fonte = texto.replace("\r\n", "\n").replace("\r", "\n")
    limpa = fonte.replace("\x00", "").removeprefix("\ufeff")
    limpa = limpa.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if tipo == "heading":
        nivel = bruta.get("level")
        limpa = f"{'#' * (nivel if type(nivel) is int and 1 <= nivel <= 6 else 1)} {limpa}"
    meta = bruta.get("metadata") if isinstance(bruta.get("metadata"), dict) else {}
    marca = meta.get("nbgrader") if isinstance(meta.get("nbgrader"), dict) else {}
    celula = _Celula(
        posicao=0,
        tipo=tipo if tipo in ("code", "markdown", "raw") else "markdown",
        fonte=limpa,
        marca=marca,
        id=bruta["id"] if isinstance(bruta.get("id"), str) else "",
        imagens=_imagens(bruta.get("attachments")),
        etiquetas=[e for e in meta["tags"] if isinstance(e, str)] if isinstance(meta.get("tags"), list) else [],
        limpa=limpa != fonte and tipo != "heading",
    )
    celula.estranha = tipo not in ("code", "markdown", "raw", "heading", "html")
    if celula.estranha and ("outputs" in bruta or "input" in bruta or celula.definidos):
        celula.tipo = "code"
    return celula


def _texto(fonte: Any) -> str:
    if isinstance(fonte, list):
        return "".join(linha for linha in fonte if isinstance(linha, str))
    return fonte if isinstance(fonte, str) else ""


def _imagens(anexos: Any) -> dict:
    """Das imagens coladas em um texto, as que são mesmo imagens."""
    boas: dict[str, dict] = {}
    for nome, dados in anexos.items() if isinstance(anexos, dict) else ():
        if not re.fullmatch(r"[\w .()-]{1,100}", nome) or not isinstance(dados, dict):
            continue
        for tipo in ("image/png", "image/jpeg", "image/gif", "image/webp"):
            base64 = _texto(dados.get(tipo))
            if base64 and re.fullmatch(r"[A-Za-z0-9+/=\s]+", base64):
                boas[nome] = {tipo: base64}
                break
    return boas


def _limitar_imagens(celulas: list[_Celula]) -> bool:
    total = 0
    for celula in celulas:
        total += sum(len(b) for dados in celula.imagens.values() for b in dados.values())
        if total > MAXIMO_DE_IMAGENS:
            celula.imagens = {}
    return total > MAXIMO_DE_IMAGENS


def _juntar_partidas(celulas: list[_Celula], lista: "_Lista") -> list[_Celula]:
    """Junta a célula partida no meio de uma função à sua outra metade, que começa recuada."""
    juntas: list[_Celula] = []
    tentativas = 0
    for celula in celulas:
        antes = juntas[-1] if juntas else None
        if (
            antes is not None
            and antes.tipo == celula.tipo == "code"
            and antes.definidos
            and not celula.definidos
            and antes.chave not in lista.das_chaves
            and (tentativas := tentativas + 1) <= _MAXIMO_DE_JUNCOES
            and antes.fonte.rstrip("\n").rpartition("\n")[2][:1] in (" ", "\t")
            and celula.fonte.lstrip("\n")[:1] in (" ", "\t")
            and _e_python(inteira := f"{antes.fonte.rstrip()}\n{celula.fonte.lstrip(chr(10))}")
        ):
            juntas[-1] = _Celula(antes.posicao, "code", inteira, antes.marca, antes.id, partida=True)
        else:
            juntas.append(celula)
    return juntas


# ---------------------------------------------------------------- a lista emitida


class _Lista:
    """A lista como foi distribuída; as células sem marca do nbgrader são rascunho, e do aluno."""

    def __init__(self, emitida: NotebookNode):
        self.metadados = copy.deepcopy(emitida.metadata)
        self.emitidas = [c for c in emitida.cells if c.metadata.get("nbgrader", {}).get("grade_id")]
        self.marcas = [c.metadata.nbgrader for c in self.emitidas]
        self.indice = {m.grade_id: i for i, m in enumerate(self.marcas)}
        self.por_id = {c.id: i for i, c in enumerate(self.emitidas) if c.get("id")}
        self.chaves = [_chave(c.source) for c in self.emitidas]
        self.das_chaves: dict[str, list[int]] = {}
        for i, chave in enumerate(self.chaves):
            self.das_chaves.setdefault(chave, []).append(i)
        self.codigos = [i for i, c in enumerate(self.emitidas) if self.marcas[i].solution and c.cell_type == "code"]
        self.textos = [i for i, c in enumerate(self.emitidas) if self.marcas[i].solution and c.cell_type != "code"]
        respostas = {*self.codigos, *self.textos}
        self.fixas = [i for i in range(len(self.emitidas)) if i not in respostas]
        self.testes = [i for i in self.fixas if self.marcas[i].grade and self.emitidas[i].cell_type == "code"]
        self.nomes = {r: set(_Celula(0, "code", self.emitidas[r].source).definidos) for r in self.codigos}
        self.linhas_de_teste = {
            linha: i for i in self.testes for linha in self.chaves[i].split("\n") if linha.startswith("conferir(")
        }
        self.linhas = {i: _linhas(self.chaves[i]) for i in self.fixas if self.emitidas[i].cell_type == "markdown"}

    @cached_property
    def da_linha(self) -> dict[str, set[int]]:
        """Em que textos da lista está cada linha."""
        onde: dict[str, set[int]] = {}
        for i, linhas in self.linhas.items():
            for linha in linhas:
                onde.setdefault(linha, set()).add(i)
        return onde

    @cached_property
    def numeros(self) -> set[str]:
        """Como a lista se chama nas suas conferências e no seu título."""
        return _numeros(self.emitidas, lambda c: c.cell_type, lambda c: c.source)

    @cached_property
    def _metadados_das_celulas(self) -> list[str]:
        return [json.dumps(c.metadata) for c in self.emitidas]  # copiar um texto é bem mais rápido que deepcopy

    def teste_de(self, resposta: int) -> int | None:
        for i in self.testes:
            if i > resposta and any(re.search(rf"\b{re.escape(n)}\b", self.chaves[i]) for n in self.nomes[resposta]):
                return i
        return None

    def rotulo(self, i: int) -> str:
        return f"`{self.marcas[i].grade_id}`"

    def celula(self, i: int, fonte: str | None = None, imagens: dict | None = None) -> NotebookNode:
        """A célula emitida, com a fonte do aluno se ela é uma resposta."""
        celula = NotebookNode({k: v for k, v in self.emitidas[i].items() if k != "metadata"})
        celula.metadata = from_dict(json.loads(self._metadados_das_celulas[i]))
        if fonte is not None:
            celula.source = fonte
        if celula.cell_type == "code":
            celula.outputs, celula.execution_count = [], None
        elif imagens:
            celula.attachments = from_dict(imagens)
        return celula

    def notebook(self, celulas: list[NotebookNode]) -> NotebookNode:
        """O notebook com os metadados da lista; os ids que faltam são dados em ordem, sem repetir."""
        usados = {*self.por_id, ID_DO_AVISO}
        numero = 0
        for celula in celulas:
            if celula.get("id") not in self.por_id:
                numero += 1
                while f"do-aluno-{numero}" in usados:
                    numero += 1
                celula.id = f"do-aluno-{numero}"
        return NotebookNode(nbformat=4, nbformat_minor=5, metadata=copy.deepcopy(self.metadados), cells=celulas)


def _linhas(texto: str) -> set[str]:
    """As linhas de um texto, sem contar espaços nem linhas vazias."""
    return {" ".join(linha.split()) for linha in texto.split("\n") if linha.strip()}


def _numeros(celulas: Iterable[Any], tipo: Callable, fonte: Callable) -> set[str]:
    achados = set()
    for c in celulas:
        if tipo(c) == "markdown":
            achados |= {f"lista-{int(m.group(1)):02d}" for m in _TITULO.finditer(fonte(c)[:2000])}
        else:
            achados |= set(_CHAMADA.findall(fonte(c)))
    return achados


def _exigir_a_lista(celulas: list[_Celula], lista: _Lista, nome: str) -> None:
    """_Zero se o notebook é o de outra lista, ou de nenhuma."""
    daqui = sum(c.chave in lista.das_chaves for c in celulas if c.tipo == "markdown")
    votos = _numeros(celulas, lambda c: c.tipo, lambda c: c.fonte)
    outras = sorted(v for v in votos - lista.numeros if re.fullmatch(r"(lista|aula)-\d{2}", v))
    if outras and not votos & lista.numeros and daqui <= 2:
        certa = f", e esta entrega é da {min(lista.numeros)}" if lista.numeros else ""
        raise _Zero(f"O arquivo {nome} é da {', '.join(outras[:3])}{certa}. Entregue o notebook desta lista.")
    nomes = {n for r in lista.codigos for n in lista.nomes[r]}
    conhecida = votos & lista.numeros or any(
        c.chave in lista.das_chaves or c.grade_id in lista.indice or nomes & set(c.definidos) for c in celulas
    )
    if not conhecida:
        raise _Zero(
            f"O notebook {nome} não tem nenhuma questão desta lista: nem as suas células, nem as funções que ela pede. "
            "Confira se não entregou outro arquivo."
        )


# ---------------------------------------------------------------- a montagem


class _Montagem:
    """Diz o que é cada célula da entrega e monta o notebook na ordem da lista."""

    def __init__(self, lista: _Lista, celulas: list[_Celula]):
        self.lista = lista
        self.copias: dict[int, list[_Celula]] = {}  # células travadas e stubs, por índice na lista
        self.editadas: set[int] = set()
        self.soltas: list[_Celula] = []  # tudo o que é do aluno
        self.pista: dict[_Celula, int | None] = {}  # o que a célula diz ser
        self.testadas: dict[int, int] = {}  # conferência que estava junto de outro código → posição
        self.separadas = self.repetidas = self.etiquetadas = 0
        self.sem_marca: set[_Celula] = set()
        self.marca_alterada = False
        juntas = _juntar_partidas(celulas, lista)
        self.partidas = any(c.partida for c in juntas)
        for celula in juntas:
            self._classificar(celula)
        self.dono: dict[int, _Celula] = {}  # resposta de código → célula
        self.respostas_de_texto: dict[int, list[_Celula]] = {}
        self.pela_posicao: set[int] = set()
        self._achar_codigos()
        self._achar_textos()

    # ------------------------------------------------ o que é cada célula

    def _alegada(self, celula: _Celula) -> int | None:
        indice = self.lista.indice.get(celula.grade_id)
        if indice is None:
            indice = self.lista.por_id.get(celula.id)
            if indice is not None:
                self.sem_marca.add(celula)
        elif {k: v for k, v in celula.marca.items() if k != "checksum"} != {
            k: v for k, v in self.lista.marcas[indice].items() if k != "checksum"
        }:
            self.marca_alterada = True
        return indice

    def _classificar(self, celula: _Celula) -> None:
        if celula.id == ID_DO_AVISO and celula.chave.startswith((_TITULO_DO_ZERO, _TITULO_DOS_CONSERTOS)):
            return
        lista, alegada = self.lista, self._alegada(celula)
        emitidas = lista.emitidas[alegada].metadata.get("tags", []) if alegada is not None else []
        self.etiquetadas += celula.etiquetas != emitidas
        if celula.vazia:
            if alegada is not None:
                self._copia(alegada, celula)
            return
        iguais = lista.das_chaves.get(celula.chave)
        if iguais:
            if alegada not in iguais:
                self.sem_marca.add(celula)
                alegada = next((i for i in iguais if i not in self.copias), iguais[0])
            self._copia(alegada, celula)
            return
        if celula.tipo == "code":
            celula = self._sem_as_conferencias(celula, alegada)
        fixa = alegada if alegada in lista.fixas else None
        if fixa is None and alegada is None and celula.tipo != "code":
            fixa = self._parecida(celula)
        if fixa is not None:
            self._editada(fixa, celula)
        elif not celula.vazia:
            self.soltas.append(celula)
            self.pista[celula] = alegada

    def _copia(self, i: int, celula: _Celula) -> None:
        self.copias.setdefault(i, []).append(celula)
        if celula.tipo != self.lista.emitidas[i].cell_type or (celula.vazia and i in self.lista.fixas):
            self.editadas.add(i)

    def _sem_as_conferencias(self, celula: _Celula, alegada: int | None) -> _Celula:
        """Tira da célula as linhas que são, tal e qual, as conferências da lista: elas têm a sua própria célula."""
        linhas = celula.fonte.split("\n")
        testes = [self.lista.linhas_de_teste.get(linha.rstrip()) for linha in linhas]
        if not any(i is not None for i in testes):
            return celula
        self.testadas.update((i, celula.posicao) for i in testes if i is not None)
        self.separadas += any(i not in (None, alegada) for i in testes)
        ficam = [linha for linha, i in zip(linhas, testes, strict=True) if i is None]
        return _trocada(celula, "\n".join(ficam).strip("\n"))

    def _parecida(self, celula: _Celula) -> int | None:
        """O texto da lista de que esta célula é uma cópia mexida: metade das linhas dela está lá."""
        linhas = _linhas(celula.fonte)
        votos: dict[int, int] = {}
        for linha in linhas:
            for i in self.lista.da_linha.get(linha, ()):
                votos[i] = votos.get(i, 0) + 1
        melhor = max(votos, key=lambda i: (votos[i], -i), default=None)
        return melhor if melhor is not None and 2 * votos[melhor] >= len(linhas) else None

    def _editada(self, i: int, celula: _Celula) -> None:
        """Uma célula travada que mudou: volta a emitida, e o que o aluno pôs nela fica ao lado."""
        self.copias.setdefault(i, []).append(celula)
        self.editadas.add(i)
        texto_da_lista = self.lista.linhas.get(i, set())
        linhas = [linha for linha in celula.fonte.split("\n") if " ".join(linha.split()) not in texto_da_lista]
        resto = _trocada(celula, "\n".join(linhas).strip("\n") if texto_da_lista else celula.fonte)
        resto.presa = (i, "antes" if i in self.lista.testes else "depois")
        if celula.tipo == "code" and not _tem_instrucao(resto.fonte):
            return
        parecida = self._parecida(resto) if resto.tipo != "code" and resto.fonte.strip() else None
        if parecida is not None:
            self._editada(parecida, resto)
        elif not resto.vazia:
            self.soltas.append(resto)
            self.pista[resto] = None

    # ------------------------------------------------ respostas em código

    def _achar_codigos(self) -> None:
        lista = self.lista
        codigo = [c for c in self.soltas if c.tipo == "code"]
        outras = [c for c in self.soltas if c.tipo != "code"]
        for celula in self.soltas:  # a marca de uma discussão em um programa, ou de um programa em uma discussão, mente
            pista = self.pista[celula]
            define = any(n in self._todos_os_nomes for n in celula.definidos)
            if (pista in lista.textos and celula.tipo == "code" and define) or (
                pista in lista.codigos and celula.tipo != "code" and not self._define(celula, pista)
            ):
                self.pista[celula] = None
        degraus: list[Callable[[int], list[_Celula]]] = [
            lambda r: [c for c in self.soltas if self.pista[c] == r and self._define(c, r)],
            lambda r: [c for c in codigo if self._principal(c) == r and self._de_quem(c) is None],
            lambda r: [c for c in codigo if lista.nomes[r] & set(c.definidos)],
            lambda r: [c for c in codigo if self._de_quem(c) is None and lista.nomes[r] and self._define(c, r)],
            lambda r: self._em_texto(outras, r),
            lambda r: [c for c in codigo if self.pista[c] == r and self._de_quem(c) is None],
        ]
        for achar in degraus:
            for r in lista.codigos:
                if r not in self.dono and (achadas := achar(r)):
                    self.dono[r] = self._a_que_vale(r, achadas)

    @cached_property
    def _todos_os_nomes(self) -> dict[str, int]:
        return {n: r for r in self.lista.codigos for n in self.lista.nomes[r]}

    def _define(self, celula: _Celula, r: int) -> bool:
        nomes = self.lista.nomes[r]
        return not nomes or bool(nomes & set(celula.definidos)) or any(celula.define_fracamente(n) for n in nomes)

    def _principal(self, celula: _Celula) -> int | None:
        """De que questão é a célula, se define várias funções: as auxiliares vêm antes, a da questão por último."""
        donos = [self._todos_os_nomes[n] for n in celula.definidos if n in self._todos_os_nomes]
        pista = self.pista[celula]
        return pista if pista in donos else (donos[-1] if donos else None)

    def _de_quem(self, celula: _Celula) -> int | None:
        return next((r for r, c in self.dono.items() if c is celula), None)

    def _em_texto(self, outras: list[_Celula], r: int) -> list[_Celula]:
        """As células de texto que são, na verdade, o programa da resposta (com ou sem a cerca do Markdown)."""
        achadas = []
        for celula in outras:
            programa = _sem_cerca(celula.fonte)
            imitacao = _Celula(celula.posicao, "code", programa)
            if self.lista.nomes[r] & set(imitacao.definidos) and _e_python(programa):
                achadas.append(celula)
        return achadas

    def _a_que_vale(self, r: int, achadas: list[_Celula]) -> _Celula:
        """A última antes da última conferência, como quem roda de cima para baixo; sem conferência, a última."""
        teste = self.lista.teste_de(r)
        posicoes = [c.posicao for c in self.copias.get(teste, ())] if teste is not None else []
        posicoes += [self.testadas[teste]] if teste in self.testadas else []
        antes = [c for c in achadas if posicoes and c.posicao <= max(posicoes)]
        return (antes or achadas)[-1]

    # ------------------------------------------------ respostas em texto

    def _achar_textos(self) -> None:
        usadas = set(self.dono.values())
        for m in self.lista.textos:
            achadas = [c for c in self.soltas if self.pista[c] == m and c not in usadas]
            if achadas:
                unicas = {c.chave: c for c in achadas}
                self.respostas_de_texto[m] = list(unicas.values())
                self.repetidas += len(achadas) - len(unicas)
                usadas |= set(achadas)
        faltam: dict[tuple[float, float], list[int]] = {}
        for m in self.lista.textos:
            if m not in self.respostas_de_texto:
                faltam.setdefault(self._vizinhanca(m), []).append(m)
        for (inicio, fim), manuais in faltam.items():
            perto = [c for c in self.soltas if c not in usadas and inicio <= c.posicao <= fim]
            textos = [c for c in perto if c.tipo != "code" and self._pode_ser_texto(c, manuais)]
            textos = textos or [c for c in perto if c.tipo == "code" and _e_prosa(c.fonte)]
            for ordem, m in enumerate(manuais):
                ultima = ordem == len(manuais) - 1
                achadas = textos[ordem:] if ultima else textos[ordem : ordem + 1]
                if achadas:
                    self.respostas_de_texto[m] = achadas
                    self.pela_posicao.add(m)

    def _pode_ser_texto(self, celula: _Celula, manuais: list[int]) -> bool:
        """O resto de um enunciado mexido só é resposta se o enunciado é o da questão."""
        return celula.presa is None or celula.presa[0] + 1 in manuais

    def _vizinhanca(self, m: int) -> tuple[float, float]:
        """Entre que posições da entrega a resposta `m` deveria estar."""
        vizinhas = [(i, self._posicao(i)) for i in range(len(self.lista.emitidas)) if i not in self.lista.textos]
        antes = [p for i, p in vizinhas if p is not None and i < m]
        depois = [p for i, p in vizinhas if p is not None and i > m and (not antes or p > antes[-1])]
        return (antes[-1] if antes else -1), (depois[0] if depois else float("inf"))

    # ------------------------------------------------ a ordem

    def _posicao(self, i: int) -> int | None:
        """Onde, na entrega, está a célula `i` da lista."""
        if i in self.dono:
            return self.dono[i].posicao if self._de_quem(self.dono[i]) == i else None
        if i in self.respostas_de_texto:
            return self.respostas_de_texto[i][0].posicao
        copias = self.copias.get(i)
        if not copias:
            return None
        return copias[-1 if i in self.lista.testes else 0].posicao

    @cached_property
    def _ancoras(self) -> list[tuple[int, int]]:
        """(posição na entrega, índice na lista) das células reconhecidas, na ordem da entrega."""
        pares = [(p, i) for i in range(len(self.lista.emitidas)) if (p := self._posicao(i)) is not None]
        return sorted(pares)

    @cached_property
    def _em_ordem(self) -> list[tuple[int, int]]:
        """As âncoras que não saíram do lugar: a maior subsequência que cresce."""
        fim: list[int] = []  # o menor último índice de uma subsequência de cada tamanho
        quem: list[int] = []
        anterior: list[int | None] = []
        for n, (_, i) in enumerate(self._ancoras):
            k = bisect_left(fim, i)
            anterior.append(quem[k - 1] if k else None)
            fim[k : k + 1] = [i]
            quem[k : k + 1] = [n]
        caminho: list[tuple[int, int]] = []
        n = quem[-1] if quem else None
        while n is not None:
            caminho.append(self._ancoras[n])
            n = anterior[n]
        return caminho[::-1]

    def _lugar(self, celula: _Celula) -> int:
        """Depois de que célula da lista entra uma célula a mais (−1: antes de todas)."""
        if celula.presa is not None:
            i, lado = celula.presa
            return i - 1 if lado == "antes" else i
        k = bisect_left(self._em_ordem, (celula.posicao, -1))
        lugar = self._em_ordem[k - 1][1] if k else -1
        if len(self._em_ordem) < len(self._ancoras) and _so_define(celula.fonte):
            # Uma auxiliar não pode ficar depois de quem vinha depois dela e voltou para o seu lugar.
            mudadas = set(self._ancoras) - set(self._em_ordem)
            seguintes = [i for p, i in mudadas if p > celula.posicao and i in self.dono]
            lugar = min([lugar, *(i - 1 for i in seguintes)])
        return lugar

    # ------------------------------------------------ o resultado

    def notebook(self) -> NotebookNode:
        usadas = {*self.dono.values(), *(c for cs in self.respostas_de_texto.values() for c in cs)}
        lugares: dict[int, list[NotebookNode]] = {}
        for celula in self.soltas:
            if celula not in usadas:
                lugares.setdefault(self._lugar(celula), []).append(_a_mais(celula))
        celulas = lugares.get(-1, [])
        for i in range(len(self.lista.emitidas)):
            celulas.append(self._pronta(i))
            celulas += lugares.get(i, [])
        return self.lista.notebook(celulas)

    def _pronta(self, i: int) -> NotebookNode:
        if i in self.dono:
            celula = self.dono[i]
            return self.lista.celula(i, celula.fonte if celula.tipo == "code" else _sem_cerca(celula.fonte))
        if i in self.respostas_de_texto:
            partes = self.respostas_de_texto[i]
            imagens = {nome: dados for c in partes for nome, dados in c.imagens.items()}
            return self.lista.celula(i, "\n\n".join(c.fonte for c in partes), imagens)
        return self.lista.celula(i)

    @property
    def respondidas(self) -> int:
        return len(self.dono) + len(self.respostas_de_texto)

    # ------------------------------------------------ o que se conta

    def consertos(self) -> list[str]:
        return [*self._da_estrutura(), *self._das_respostas()]

    def _da_estrutura(self) -> list[str]:
        lista, frases = self.lista, []
        n = len({c for cs in self.copias.values() for c in cs} & self.sem_marca) + len(
            {c for r, c in self.dono.items() if c in self.sem_marca or (self.pista[c] is None and r not in self.copias)}
            | {c for m in self.pela_posicao if m not in self.copias for c in self.respostas_de_texto[m]}
        )
        if n:
            frases.append(
                f"{_quantas(n)} da lista {_p(n, 'estava', 'estavam')} sem a marca do nbgrader, ou com a de outra; "
                f"{_p(n, 'foi reconhecida', 'foram reconhecidas')} pelo que {_p(n, 'diz', 'dizem')}."
            )
        if self.marca_alterada:
            frases.append("As marcas do nbgrader tinham sido alteradas; valem as da lista.")
        testes = sorted(self.editadas & set(lista.testes))
        if testes:
            frases.append(f"Voltaram a ser como foram emitidas as conferências {_enumerar(map(lista.rotulo, testes))}.")
        n = len(self.editadas - set(testes))
        if n:
            frases.append(f"{_quantas(n)} da lista {_p(n, 'voltou', 'voltaram')} ao texto com que foi emitida.")
        faltam = [i for i in range(len(lista.emitidas)) if not self._presente(i)]
        if faltam:
            n = len(faltam)
            frases.append(f"{_quantas(n)} da lista {_p(n, 'faltava e foi posta', 'faltavam e foram postas')} de volta.")
        n = len(self._ancoras) - len(self._em_ordem)
        if n:
            frases.append(f"{_quantas(n)} {_p(n, 'estava', 'estavam')} fora de ordem; vale a ordem da lista.")
        n = self.repetidas + sum(
            len(cs) - 1 for i, cs in self.copias.items() if i not in lista.codigos and i not in lista.textos
        )
        if n:
            frases.append(f"{_quantas(n)} da lista {_p(n, 'estava repetida', 'estavam repetidas')}; ficou uma de cada.")
        if self.separadas:
            frases.append("Havia conferências da lista junto de outro código; cada uma voltou à sua célula.")
        if self.etiquetadas:
            n = self.etiquetadas
            frases.append(f"Foram retiradas as etiquetas (tags) de {_quantas(n).lower()}.")
        return frases

    def _presente(self, i: int) -> bool:
        return any(i in d for d in (self.copias, self.dono, self.respostas_de_texto, self.testadas))

    def _das_respostas(self) -> list[str]:
        lista, frases = self.lista, []
        if self.partidas:
            frases.append("Uma função estava partida em duas células; as duas metades foram juntadas.")
        compartilhadas = [r for r, c in self.dono.items() if sum(d is c for d in self.dono.values()) > 1]
        if compartilhadas:
            nomes = _enumerar(map(lista.rotulo, sorted(compartilhadas)))
            frases.append(f"As respostas {nomes} estavam em uma mesma célula; ela foi repetida em cada questão.")
        for r, celula in sorted(self.dono.items()):
            outra = self.pista[celula] not in (None, r) and r not in compartilhadas
            if celula.tipo != "code":
                frases.append(f"A resposta {lista.rotulo(r)} estava em uma célula de texto; voltou a ser código.")
            elif outra:
                frases.append(f"A resposta {lista.rotulo(r)} estava na célula de outra questão; foi posta na sua.")
            elif r in self.copias and self.pista[celula] is None:
                frases.append(f"A resposta {lista.rotulo(r)} estava fora da sua célula; foi posta nela.")
            elif any(not c.vazia for c in self.copias.get(r, ())) and r not in compartilhadas:
                frases.append(f"Havia uma cópia da célula {lista.rotulo(r)} ainda sem resposta; foi retirada.")
            mais = [c for c in self.soltas if c is not celula and self.pista[c] == r and c not in self.dono.values()]
            if mais:
                frases.append(
                    f"Mais de uma célula dizia ser a resposta {lista.rotulo(r)}; valeu a última antes da conferência, "
                    "e as outras continuam no notebook."
                )
        for m, partes in sorted(self.respostas_de_texto.items()):
            if len(partes) > 1:
                frases.append(f"A resposta {lista.rotulo(m)} estava em mais de uma célula; foram juntadas.")
            if m in self.pela_posicao and m in self.copias:
                frases.append(f"A resposta {lista.rotulo(m)} estava fora da sua célula; foi posta nela.")
        return frases


def _trocada(celula: _Celula, fonte: str) -> _Celula:
    return _Celula(
        celula.posicao, celula.tipo, fonte, celula.marca, celula.id, celula.imagens, celula.etiquetas, celula.presa
    )


def _a_mais(celula: _Celula) -> NotebookNode:
    """Uma célula que não é da lista: fica no lugar, sem metadado algum."""
    if celula.tipo == "code":
        return new_code_cell(celula.fonte)
    if celula.tipo == "raw":
        return new_raw_cell(celula.fonte)
    nova = new_markdown_cell(celula.fonte)
    if celula.imagens:
        nova.attachments = from_dict(celula.imagens)
    return nova


def _sem_cerca(fonte: str) -> str:
    """O programa de dentro de ```python … ```, se a célula é só isso."""
    linhas = fonte.strip().split("\n")
    cercada = len(linhas) > 2 and linhas[0].startswith(("```", "~~~")) and linhas[-1].strip() == linhas[0][:3]
    return textwrap.dedent("\n".join(linhas[1:-1])) if cercada else fonte


def _tem_instrucao(fonte: str) -> bool:
    return any(linha.strip() and not linha.lstrip().startswith("#") for linha in fonte.split("\n"))


def _e_prosa(fonte: str) -> bool:
    """Um texto que ficou em uma célula de código: não é um programa, nem tem comandos do IPython."""
    comandos = re.search(r"^\s*[%!?]", fonte, flags=re.MULTILINE)
    return not comandos and len(fonte) <= _MAXIMO_PARA_ANALISAR and not _e_python(fonte)


def _so_define(fonte: str) -> bool:
    """Só importações e definições na margem: mudar a célula de lugar não muda o que ela faz."""
    inicio = re.compile(r"(async\s|def\s|class\s|@|import\s|from\s|#|\)|\]|\})")
    linhas = [linha for linha in fonte.split("\n") if linha.strip() and linha[:1] not in (" ", "\t")]
    return all(inicio.match(linha) for linha in linhas)


def _p(n: int, um: str, varios: str) -> str:
    return um if n == 1 else varios


def _quantas(n: int) -> str:
    return "Uma célula" if n == 1 else f"{n} células"


def _enumerar(partes: Iterable[str]) -> str:
    *antes, ultima = partes
    return f"{', '.join(antes)} e {ultima}" if antes else ultima
