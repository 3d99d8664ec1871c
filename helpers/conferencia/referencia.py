"""A referência de uma questão: o que se precisa saber dela para julgar uma resposta, e como se acha no disco."""

import difflib
import json
from collections.abc import Callable, Iterable, Sequence, Sized
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from helpers.conferencia.impressao import Tolerancia
from helpers.conferencia.na_tela import Conferencia
from helpers.conferencia.pecas import peca

REFERENCIAS = Path(__file__).parents[1] / "referencias"


@dataclass
class Caso:
    """Um caso, como está no arquivo de referências ou como a correção o fez."""

    entradas: list  # codificadas
    esperado: dict  # {"erro", "nomeia", "inocentes"} | {"claro": [partes]} | {"saidas": [impressões]}
    rotulo: str = ""
    oculto: bool = False
    parte: int = 0  # a posição, em `Referencia.partes`, da parte da questão a que ele pertence

    def para_dados(self) -> dict[str, Any]:
        """Só os casos visíveis vão para o disco."""
        dados = {"rotulo": self.rotulo, "entradas": self.entradas, "esperado": self.esperado}
        return dados | ({"parte": self.parte} if self.parte else {})

    @classmethod
    def de_dados(cls, dado: dict[str, Any]) -> "Caso":
        return cls(dado["entradas"], dado["esperado"], dado["rotulo"], parte=dado.get("parte", 0))


@dataclass
class Equivoco:
    """Um equívoco conhecido: o que ele devolve em cada caso, e a frase de quem já o viu antes."""

    nome: str
    frase: str
    casos: list  # por caso: "certo" | {"erro": …} | {"estrutura": …} | {"claro"/"saidas": …}

    def para_dados(self) -> dict[str, Any]:
        return {"frase": self.frase, "casos": self.casos}

    @classmethod
    def de_dados(cls, nome: str, dado: dict[str, Any]) -> "Equivoco":
        return cls(nome, dado["frase"], dado["casos"])


@dataclass
class Referencia:
    """Tudo o que se precisa para julgar uma questão."""

    questao: str
    assinatura: str
    saidas: list[tuple[str, str]]  # (nome, tipo); uma só, sem nome, quando a função não devolve tupla
    tolerancia: Tolerancia
    casos: list[Caso]
    equivocos: list[Equivoco]
    propriedades: list[str] = field(default_factory=list)
    adaptador: str | None = None  # a peça que transforma em dados o que a resposta devolve
    ordem: list[str] = field(default_factory=list)  # as saídas como nascem na conta, se não é como se devolvem
    depende: list[str] = field(default_factory=list)  # as funções da lista que a resposta pode usar
    emprestimos: dict[str, Any] = field(default_factory=dict)  # e o que elas devolvem (helpers/conferencia/emprestimo)
    opcoes: list[str] = field(default_factory=list)  # de uma previsão, o que se pode responder, em ordem alfabética
    partes: list[float] = field(default_factory=list)  # a fração dos pontos de cada parte, na ordem em que contam

    def para_dados(self) -> dict[str, Any]:
        """Como fica em helpers/referencias/, sob o nome da questão."""
        unica = len(self.saidas) == 1 and not self.saidas[0][0]
        return {
            "assinatura": self.assinatura,
            "saida": self.saidas[0][1] if unica else [list(par) for par in self.saidas],
            "rtol": self.tolerancia.rtol,
            "atol": self.tolerancia.atol,
            **({"adaptador": self.adaptador} if self.adaptador else {}),
            **({"ordem": self.ordem} if self.ordem else {}),
            **({"depende": self.depende} if self.depende else {}),
            **({"emprestimos": self.emprestimos} if self.emprestimos else {}),
            **({"opcoes": self.opcoes} if self.opcoes else {}),
            **({"partes": self.partes} if self.partes else {}),
            "propriedades": self.propriedades,
            "casos": [c.para_dados() for c in self.casos],
            "equivocos": {e.nome: e.para_dados() for e in self.equivocos},
        }

    @classmethod
    def de_dados(cls, questao: str, dado: dict[str, Any]) -> "Referencia":
        saida = dado["saida"]
        return cls(
            questao=questao,
            assinatura=dado["assinatura"],
            saidas=[("", saida)] if isinstance(saida, str) else [(nome, tipo) for nome, tipo in saida],
            tolerancia=Tolerancia(dado["rtol"], dado["atol"]),
            casos=[Caso.de_dados(c) for c in dado["casos"]],
            equivocos=[Equivoco.de_dados(nome, e) for nome, e in dado["equivocos"].items()],
            propriedades=dado["propriedades"],
            adaptador=dado.get("adaptador"),
            ordem=dado.get("ordem", []),
            depende=dado.get("depende", []),
            emprestimos=dado.get("emprestimos", {}),
            opcoes=dado.get("opcoes", []),
            partes=dado.get("partes", []),
        )

    def partes_certas(self, certos: Sequence[bool]) -> int:
        """Quantas das primeiras partes têm todos os casos certos; depois da primeira errada, nenhuma conta."""
        erradas = [caso.parte for caso, certo in zip(self.casos, certos, strict=True) if not certo]
        return min(erradas, default=len(self.partes))

    @property
    def tipos(self) -> list[str]:
        return [tipo for _, tipo in self.saidas]

    @property
    def como_nascem(self) -> list[int]:
        """As saídas, pela posição, na ordem da conta."""
        nomes = [nome for nome, _ in self.saidas]
        return [nomes.index(nome) for nome in self.ordem] or list(range(len(nomes)))

    @property
    def quantidades(self) -> list[int]:
        return quantidades(self.assinatura, self.adaptador, [c.entradas for c in self.casos])

    def adaptar(self, resposta: Callable) -> Callable:
        return peca(self.adaptador)(resposta) if self.adaptador else resposta

    @property
    def funcao(self) -> str:
        return self.assinatura.split("(")[0]

    @property
    def argumentos(self) -> list[str]:
        return [argumento.split("=")[0].split(":")[0].strip() for argumento in _declarados(self.assinatura)]


def _declarados(assinatura: str) -> list[str]:
    """Os argumentos como estão na assinatura: ["x", "eixo=-1"]."""
    dentro = assinatura.split("(", 1)[1].rsplit(")", 1)[0]
    return [argumento.strip() for argumento in dentro.split(",") if argumento.strip()]


def quantidades(assinatura: str, adaptador: str | None, entradas: Iterable[Sized]) -> list[int]:
    """Com quantos argumentos a resposta vai ser chamada, nos casos com essas entradas."""
    if adaptador:  # quem chama é o adaptador, com os argumentos obrigatórios
        return [sum("=" not in argumento for argumento in _declarados(assinatura))]
    return sorted({len(e) for e in entradas})


# ---------------------------------------------------------------- no disco


@lru_cache(maxsize=16)
def _arquivo(caminho: Path, _modificado: float) -> dict:
    return json.loads(caminho.read_text(encoding="utf-8"))


def _questoes(lista: str) -> dict:
    caminho = REFERENCIAS / f"{lista}.json"
    return _arquivo(caminho, caminho.stat().st_mtime) if caminho.is_file() else {}


def carregar(questao: str) -> Referencia:
    """A referência de uma questão; se o nome não existe, uma Conferencia que sugere o mais parecido."""
    dado = _questoes(questao.partition("/")[0]).get(questao)
    if dado is None:
        nomes = [n for c in sorted(REFERENCIAS.glob("*.json")) for n in _questoes(c.stem)]
        perto = difflib.get_close_matches(questao, nomes, n=1)
        dica = f" Você quis dizer “{perto[0]}”?" if perto else ""
        raise Conferencia(f"Não existe a questão “{questao}”.{dica}", questao)
    return Referencia.de_dados(questao, dado)
