"""Do JSON de um notebook, de qualquer versão do formato e por mais torto que esteja, às suas células: só texto."""

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from correcao.chegada.reparo import analise
from correcao.chegada.reparo.analise import plural, quantas
from correcao.chegada.reparo.arquivo import ENTREGUE, Zero
from correcao.comum import imagem
from correcao.comum.imagem import Imagem

_MAXIMO_DE_CELULAS = 2_000  # com algum texto
_MAXIMO_DE_BRUTAS = 20_000  # com as vazias, que também custam
_MAXIMO_DE_TEXTO = 2_000_000  # caracteres, somadas as células
_MAXIMO_DE_IMAGENS = 20_000_000  # caracteres em base64, somadas as células
_DEMAIS = (
    "O notebook entregue tem células demais, ou texto demais, para ser uma lista. "
    "Recomece de uma cópia da lista e leve para ela só as suas respostas."
)
_SEM_AS_IMAGENS = (
    "Nem todas as imagens coladas nos textos ficaram: só se aceitam PNG e JPEG inteiros, e há um limite para o tamanho "
    "delas."
)


@dataclass(eq=False)
class Celula:
    """Uma célula da entrega: só texto e o que ela diz ser."""

    posicao: int
    tipo: str  # code, markdown ou raw
    fonte: str
    marca: dict = field(default_factory=dict)  # o metadata.nbgrader, se havia
    id: str = ""
    imagens: dict[str, Imagem] = field(default_factory=dict)
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

    @property
    def anexos(self) -> dict[str, dict[str, str]]:
        """As imagens, como o notebook as guarda."""
        return {nome: {colada.tipo: colada.base64} for nome, colada in self.imagens.items()}

    @cached_property
    def chave(self) -> str:
        return analise.chave(self.fonte)

    @cached_property
    def definidos(self) -> list[str]:
        """Os nomes que a célula define com def ou class na margem, na ordem."""
        return analise.definidos(self.fonte)

    def trocada(self, fonte: str) -> "Celula":
        """A mesma célula, com outro texto."""
        return Celula(self.posicao, self.tipo, fonte, self.marca, self.id, self.imagens, self.etiquetas, self.presa)


def ler_celulas(dado: dict, consertos: list[str]) -> list[Celula]:
    """As células, de qualquer versão do formato; Zero se nenhuma tem texto, ou se há demais."""
    brutas, antigo = _brutas(dado)
    if len(brutas) > _MAXIMO_DE_BRUTAS:
        raise Zero(_DEMAIS)
    celulas = [_celula(c) for c in brutas if isinstance(c, dict)]
    _exigir_um_tamanho(celulas)
    coladas = sum(len(_dicionario(c.get("attachments"))) for c in brutas if isinstance(c, dict))
    _limitar_imagens(celulas)
    if sum(len(c.imagens) for c in celulas) < coladas:
        consertos.append(_SEM_AS_IMAGENS)
    for posicao, celula in enumerate(celulas):
        celula.posicao = posicao
    if antigo:
        consertos.append("O notebook estava em um formato antigo do Jupyter; foi convertido.")
    n = sum(not isinstance(c, dict) for c in brutas)
    if n:
        consertos.append(f"{quantas(n)} não se {plural(n, 'podia', 'podiam')} ler; o resto foi usado.")
    if any(c.estranha for c in celulas if not c.vazia):
        consertos.append("Havia células de um tipo que o Jupyter não conhece; foram lidas como código ou como texto.")
    if any(c.limpa for c in celulas):
        consertos.append("Havia caracteres inválidos no texto das células; foram retirados.")
    return celulas


def _brutas(dado: dict) -> tuple[list, bool]:
    """(as células como vieram, se o formato é o antigo, com folhas)."""
    brutas = dado["cells"] if isinstance(dado.get("cells"), list) else []
    if brutas or not isinstance(dado.get("worksheets"), list):
        return brutas, False
    folhas = [f for f in dado["worksheets"] if isinstance(f, dict)]
    return [c for f in folhas if isinstance(f.get("cells"), list) for c in f["cells"]], True


def _exigir_um_tamanho(celulas: list[Celula]) -> None:
    escritas = sum(not c.vazia for c in celulas)
    if not escritas:
        raise Zero(f"O notebook entregue não tem nenhuma célula escrita. {ENTREGUE}")
    if escritas > _MAXIMO_DE_CELULAS or sum(len(c.fonte) for c in celulas) > _MAXIMO_DE_TEXTO:
        raise Zero(_DEMAIS)


def _celula(bruta: dict) -> Celula:
    tipo = str(bruta.get("cell_type")).strip().lower()
    fonte, limpa = _fonte(bruta, tipo)
    meta = _dicionario(bruta.get("metadata"))
    celula = Celula(
        posicao=0,
        tipo=tipo if tipo in ("code", "markdown", "raw") else "markdown",
        fonte=fonte,
        marca=_dicionario(meta.get("nbgrader")),
        id=bruta["id"] if isinstance(bruta.get("id"), str) else "",
        imagens=_imagens(bruta.get("attachments")),
        etiquetas=[e for e in meta["tags"] if isinstance(e, str)] if isinstance(meta.get("tags"), list) else [],
        limpa=limpa,
    )
    celula.estranha = tipo not in ("code", "markdown", "raw", "heading", "html")
    if celula.estranha and ("outputs" in bruta or "input" in bruta or celula.definidos):
        celula.tipo = "code"
    return celula


def _fonte(bruta: dict, tipo: str) -> tuple[str, bool]:
    """(o texto da célula, se havia nele o que não se pode gravar)."""
    escrito = _texto(next((bruta[k] for k in ("source", "input", "code") if bruta.get(k)), ""))
    escrito = escrito.replace("\r\n", "\n").replace("\r", "\n")
    fonte = escrito.replace("\x00", "").removeprefix("\ufeff")
    fonte = fonte.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if tipo == "heading":
        nivel = bruta.get("level")
        return f"{'#' * (nivel if type(nivel) is int and 1 <= nivel <= 6 else 1)} {fonte}", False
    return fonte, fonte != escrito


def _dicionario(dado: Any) -> dict:
    return dado if isinstance(dado, dict) else {}


def _texto(fonte: Any) -> str:
    if isinstance(fonte, list):
        return "".join(linha for linha in fonte if isinstance(linha, str))
    return fonte if isinstance(fonte, str) else ""


def _imagens(anexos: Any) -> dict[str, Imagem]:
    """Das imagens coladas em um texto, as que são mesmo imagens."""
    boas: dict[str, Imagem] = {}
    for nome, dados in anexos.items() if isinstance(anexos, dict) else ():
        if not re.fullmatch(r"[\w .()-]{1,100}", nome) or not isinstance(dados, dict):
            continue
        for tipo in ("image/png", "image/jpeg"):
            achada = imagem.ler(_texto(dados.get(tipo)))
            if achada:
                boas[nome] = achada
    return boas


def _limitar_imagens(celulas: list[Celula]) -> None:
    """Ficam as primeiras, enquanto couberem."""
    letras = pontos = 0
    for celula in celulas:
        for nome, colada in list(celula.imagens.items()):
            letras, pontos = letras + len(colada.base64), pontos + colada.pontos
            if letras > _MAXIMO_DE_IMAGENS or pontos > imagem.MAIS_NA_PAGINA:
                del celula.imagens[nome]
