"""Compara o que a função fez (registros) com a referência e diz, em uma frase, o que há de errado.

A escada: parou com erro → escreveu na entrada → equívoco conhecido → tipo → forma → NaN → propriedades → valor. De
várias saídas, fala-se da que nasce primeiro na conta. O mesmo código julga os casos visíveis, no notebook (referências
em impressão digital), e os ocultos, na correção.
"""

import contextlib
import json
import re
from collections.abc import Callable, Iterable, Sequence, Sized
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from helpers.conferencia import impressao, pistas
from helpers.conferencia.codificacao import DadoInvalido, decodificar
from helpers.conferencia.erros import explicar_erro, o_que_quer_dizer, por_escrever
from helpers.conferencia.execucao import SEM_TEMPO, Registro
from helpers.conferencia.frases import TIPOS_POR_EXTENSO, explicar_estrutura, explicar_forma
from helpers.conferencia.impressao import Tolerancia
from helpers.conferencia.pecas import peca
from helpers.conferencia.propriedades import PROPRIEDADES
from helpers.conferencia.relacoes import relacao

# uma frase que diz o que está certo só vale onde o aluno fez exatamente o que o equívoco faz
DIZ_O_QUE_ESTA_CERTO = re.compile(r"\b(est(á|ão) cert[oa]s?|tudo certo)\b", flags=re.IGNORECASE)


@dataclass
class Parte:
    """Uma das saídas, já como números: escalar tem forma ()."""

    forma: tuple[int, ...]
    natureza: str  # "real", "inteiro", "booleano" ou "texto"
    tipo: str
    valores: np.ndarray


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
    prazo: float = 10.0
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
            "prazo": self.prazo,
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
            prazo=dado["prazo"],
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


@dataclass
class _Errada:
    """Uma saída que não é a certa, e em que elementos."""

    n: int
    nome: str
    parte: Parte
    guardada: dict
    batem: np.ndarray


@dataclass
class Diagnostico:
    """Por que a resposta não está certa: uma frase, e o nome curto do equívoco quando ele é conhecido."""

    frase: str
    equivoco: str | None = None
    caso: int | None = None


# ---------------------------------------------------------------- das saídas para números


def _escalar(valor: Any) -> Parte:
    if isinstance(valor, bool):
        return Parte((), "booleano", "bool", np.array(float(valor)))
    if isinstance(valor, int):
        # Um inteiro maior que 2^53 não cabe exato em float: fica como texto, que se compara por igual.
        if abs(valor) > 2**53:
            return Parte((), "texto", str(valor), np.array(0.0))
        return Parte((), "inteiro", "int", np.array(float(valor)))
    if isinstance(valor, float):
        return Parte((), "real", "float64", np.array(valor))
    if isinstance(valor, str):
        return Parte((), "texto", valor, np.array(0.0))
    raise DadoInvalido("valor de tipo desconhecido")


def _parte(dado: Any) -> Parte | str:
    """Os números de uma saída codificada; se não forem números, o nome do que ela é."""
    if isinstance(dado, dict) and len(dado) == 1:
        (nome, corpo), *_ = dado.items()
        if nome in ("array", "tensor"):
            a = decodificar({"array": corpo})
            inteiro = np.issubdtype(a.dtype, np.integer)
            natureza = "booleano" if a.dtype == bool else ("inteiro" if inteiro else "real")
            return Parte(a.shape, natureza, corpo["tipo"], a.astype(float))
        if nome == "outro" and isinstance(corpo, str):
            return corpo[:80]
        if nome in ("tupla", "lista") and isinstance(corpo, list):
            return f"uma {nome} de {len(corpo)}"
        if nome == "dict":
            return "um dicionário"
    valor = decodificar(dado)
    return "None" if valor is None else _escalar(valor)


def _par_de_inteiros(item: Any) -> tuple[int, int] | str:
    """Um par (i, j) escrito de qualquer jeito usual; se não for um par, o nome do que é."""
    if isinstance(item, dict) and ("array" in item or "tensor" in item):
        item = {"lista": decodificar({"array": next(iter(item.values()))}).tolist()}
    corpo = item.get("tupla", item.get("lista")) if isinstance(item, dict) and len(item) == 1 else None
    if not isinstance(corpo, list):
        if isinstance(item, dict):
            return "dicionários" if "dict" in item else "coisas que não são pares"
        return "textos" if isinstance(item, str) else "números soltos"
    if len(corpo) != 2:
        return f"grupos de {len(corpo)}"
    if not all(type(n) is int for n in corpo):
        return "pares que não são de inteiros"
    return corpo[0], corpo[1]


def _pares(dado: Any) -> Parte | str:
    """Uma lista de pares de inteiros, como texto: é igual ou não é."""
    if isinstance(dado, dict) and ("array" in dado or "tensor" in dado):  # np.argwhere e torch.nonzero: (K, 2)
        a = decodificar({"array": next(iter(dado.values()))})
        if a.size and (a.ndim != 2 or a.dtype.kind not in "iu"):
            return f"um array {a.dtype} de forma {a.shape}"
        dado = {"lista": [{"lista": linha} for linha in a.tolist()] if a.size else []}
    corpo = dado.get("lista", dado.get("tupla")) if isinstance(dado, dict) and len(dado) == 1 else None
    if not isinstance(corpo, list):
        outra = _parte(dado)
        return outra if isinstance(outra, str) else "um valor que não é lista"
    lidos = [_par_de_inteiros(item) for item in corpo]
    ruins = [par for par in lidos if isinstance(par, str)]
    return f"uma lista de {ruins[0]}" if ruins else Parte((), "texto", str(lidos), np.array(0.0))


def partes(dado: Any, tipos: list[str]) -> list[Parte] | str:
    """As saídas de uma chamada, uma por tipo pedido; ou, se a estrutura é outra, o nome dela."""
    quantas = len(tipos)
    if quantas == 1:
        unica = _pares(dado) if tipos[0] == "pares" else _parte(dado)
        return unica if isinstance(unica, str) else [unica]
    if isinstance(dado, dict) and len(dado) == 1:
        (nome, corpo), *_ = dado.items()
        if nome in ("tupla", "lista") and isinstance(corpo, list):
            if len(corpo) != quantas:
                return f"uma {nome} de {len(corpo)}"
            lidas = [_parte(d) for d in corpo]
            ruins = [p for p in lidas if isinstance(p, str)]
            return f"entre os valores, {ruins[0]}" if ruins else [p for p in lidas if isinstance(p, Parte)]
    unica = _parte(dado)
    if isinstance(unica, str):
        return unica
    return f"um array só, de forma {unica.forma}" if unica.forma else "um valor só"


# ---------------------------------------------------------------- das partes para o arquivo, e de volta


def guardar(ps: list[Parte], claro: bool, sal: str, tolerancia: Tolerancia, amostra: bool = False) -> dict:
    """As saídas de um caso como dados: às claras ou em impressão digital."""
    if claro:
        return {"claro": [_as_claras(p) for p in ps]}
    return {"saidas": [_impressa(p, f"{sal}|{i}", tolerancia, amostra) for i, p in enumerate(ps)]}


def _as_claras(p: Parte) -> dict:
    valores = [v if np.isfinite(v) else str(v) for v in p.valores.ravel().tolist()]
    return {"forma": list(p.forma), "natureza": p.natureza, "tipo": p.tipo, "valores": valores}


def _impressa(p: Parte, sal: str, tolerancia: Tolerancia, amostra: bool) -> dict:
    dado = {"forma": list(p.forma), "natureza": p.natureza}
    if p.natureza == "texto":
        return dado | {"marca": impressao.marca(sal, 0, p.tipo)}
    dado |= impressao.imprimir(_sem_enormes(p.valores), sal, _tolerancia_de(p, tolerancia))
    # Um valor às claras por array, para que o diagnóstico possa dizer "esperado … veio …".
    if amostra and p.valores.size >= 4:
        dado["amostra"] = _amostra(p.valores.ravel())
    return dado


def _amostra(valores: np.ndarray) -> list:
    """O valor mais longe do meio, e onde. Arredonda, para que o último bit de outro processador não mude o arquivo."""
    longe = np.abs(valores - np.median(valores))
    i = int(np.flatnonzero(longe >= longe.max() * (1 - 1e-9))[0]) if np.isfinite(longe).all() else int(longe.argmax())
    return [i, float(f"{valores[i]:.12g}")]


def _tolerancia_de(p: Parte, tolerancia: Tolerancia) -> Tolerancia:
    return tolerancia if p.natureza == "real" else Tolerancia(0.0, 1e-9)


def _batem(p: Parte, guardada: dict, sal: str, tolerancia: Tolerancia) -> np.ndarray | None:
    """Elemento a elemento, a parte é a guardada? None quando nem a forma é a mesma."""
    if p.forma != tuple(guardada["forma"]):
        return None
    if (p.natureza == "texto") != (guardada["natureza"] == "texto"):
        return None
    if p.natureza == "texto":
        igual = (
            p.tipo == guardada["tipo"] if "tipo" in guardada else impressao.marca(sal, 0, p.tipo) == guardada["marca"]
        )
        return np.array(igual)
    if "valores" in guardada:
        certos = np.array([float(v) for v in guardada["valores"]]).reshape(p.forma)
        return np.asarray(tolerancia.iguais(p.valores, certos))
    return impressao.reconhecer(_sem_enormes(p.valores), guardada, sal, tolerancia)


def _sem_enormes(valores: np.ndarray) -> np.ndarray:
    """Perto de 1e308, que o nan_to_num põe no lugar de infinito, a folga é infinita: não é número que sirva."""
    return np.where(np.isfinite(valores) & (np.abs(valores) > 1e290), np.nan, valores)


def _lista_guardada(dado: dict) -> list[dict]:
    return dado["claro"] if "claro" in dado else dado["saidas"]


# ---------------------------------------------------------------- a escada


class Juiz:
    """Julga os registros de uma função contra uma referência."""

    def __init__(self, referencia: Referencia):
        self.ref = referencia

    def julgar(self, registros: Sequence[Registro]) -> Diagnostico | None:
        """None quando tudo está certo; senão, o diagnóstico do primeiro caso que falha."""
        for i, caso in enumerate(self.ref.casos):
            if i >= len(registros):
                return Diagnostico("A correção não recebeu o resultado de todos os casos.", caso=i)
            try:
                frase, equivoco = self._caso(i, caso, registros[i])
            except DadoInvalido:
                return Diagnostico("O resultado da sua função não pôde ser lido como dados.", caso=i)
            if frase is not None:
                return self._diagnostico(i, frase, equivoco, registros)
        return None

    def _diagnostico(self, i: int, frase: str, equivoco: str | None, registros: Sequence[Registro]) -> Diagnostico:
        """O equívoco que explica o caso i, se é conhecido; senão, o degrau em que ele parou e o que se leu no texto."""
        conhecido, inteiro = None, True
        if equivoco is None:
            with contextlib.suppress(DadoInvalido):  # outro dos registros pode ser ilegível
                conhecido, inteiro = self._equivoco(i, registros)
        achadas = registros[i].pistas if equivoco is None and registros[i].erro is None else {}
        if pistas.RETURN_NO_LACO in achadas and (conhecido is None or not inteiro or "return" not in conhecido.frase):
            return Diagnostico(f"{pistas.dizer(achadas)} {frase}", pistas.RETURN_NO_LACO, i)
        if conhecido is not None:
            return Diagnostico(self._frase_do_equivoco(conhecido, inteiro, i), conhecido.nome, i)
        return Diagnostico(f"{frase} {pistas.dizer(achadas)}".rstrip(), equivoco or None, i)

    def _frase_do_equivoco(self, equivoco: Equivoco, inteiro: bool, i: int) -> str:
        if inteiro:
            return equivoco.frase
        frase, veja, dica = equivoco.frase.partition(" Veja a Dica ")
        if DIZ_O_QUE_ESTA_CERTO.search(frase):
            # em “A está certa”, A é a matriz
            inicial = frase[:1] if re.match(r"[A-Z] (é|está)\b", frase) else frase[:1].lower()
            frase = f"{self._rotulo(self.ref.casos[i])}: {inicial}{frase[1:]}"
        return f"{frase} Pode haver outro erro além desse.{veja}{dica}"

    def acertou(self, i: int, registro: Registro) -> bool:
        """O que a função fez no caso i está certo?"""
        return self._caso(i, self.ref.casos[i], registro)[0] is None

    def _caso(self, i: int, caso: Caso, registro: Registro) -> tuple[str | None, str | None]:
        """(frase, equívoco) do caso; (None, None) quando está certo. Equívoco "" impede a busca de equívocos."""
        if registro.erro is not None and (por_escrever(registro.erro) or registro.erro["tipo"] in SEM_TEMPO):
            return explicar_erro(registro.erro, self._lugar(caso)), ""
        if registro.alterou:
            nome = self._argumento(registro.alterou[0])
            frase = (
                f"Sua função escreveu dentro do argumento `{nome}`; trabalhe em uma cópia e deixe a entrada intacta."
            )
            return frase, "altera-a-entrada"
        if "erro" in caso.esperado:
            return self._erro_esperado(caso, registro), None
        if registro.erro is not None:
            return explicar_erro(registro.erro, self._lugar(caso)), None
        return self._saida(i, caso, registro), None

    def _erro_esperado(self, caso: Caso, registro: Registro) -> str | None:
        tipo = caso.esperado["erro"]
        if registro.erro is None:
            if registro.saida == {"outro": f"um valor do tipo {tipo}"}:
                return f"{self._lugar(caso)}, a função devolveu o {tipo} (com return); um erro se lança, com raise."
            return f"{self._lugar(caso)}, a função deveria lançar {tipo} (com raise), mas terminou sem erro."
        if tipo not in registro.erro["bases"]:
            veio = f"{registro.erro['tipo']}: {registro.erro['mensagem']}".rstrip(": .")
            frase = f"{self._lugar(caso)}, a função deveria lançar {tipo}, e lançou {veio}."
            if {"NameError", "TypeError", "AttributeError"} & set(registro.erro["bases"]):  # um erro de quem escreve
                return f"{frase} {o_que_quer_dizer(registro.erro)}".rstrip()
            if re.search(r"\bassert\b", registro.erro["onde"]):
                return f"{frase} Examine com um `if`, e use `raise {tipo}(…)`."
            if re.search(r"\braise\b", registro.erro["onde"]):
                return f"{frase} O erro que se pede é `{tipo}`: troque o nome dele no seu `raise`."
            return f"{frase} Quem reclamou foi a conta: examine a entrada antes, e use `raise {tipo}(…)`."
        for que, padrao in caso.esperado["nomeia"].items():
            if not re.search(padrao, registro.erro["mensagem"], flags=re.IGNORECASE):
                return (
                    f"{self._lugar(caso)}, o {tipo} está certo, mas a mensagem “{registro.erro['mensagem']}” "
                    f"não cita {que}; o enunciado pede isso, para quem lê saber o que consertar."
                )
        for padrao in caso.esperado.get("inocentes", []):
            if re.search(padrao, registro.erro["mensagem"], flags=re.IGNORECASE):
                return (
                    f"{self._lugar(caso)}, o {tipo} está certo, mas a mensagem “{registro.erro['mensagem']}” "
                    "cita também quem não tem culpa, e quem a lê não sabe onde está o problema; cite só o culpado."
                )
        return None

    def _saida(self, i: int, caso: Caso, registro: Registro) -> str | None:
        ps = partes(registro.saida, self.ref.tipos)
        if isinstance(ps, str):
            return explicar_estrutura(ps, self._saidas_por_extenso(caso), self._lugar(caso))
        guardadas = _lista_guardada(caso.esperado)
        for n in self.ref.como_nascem:
            frase = self._tipo_e_forma(ps[n], guardadas[n], *self.ref.saidas[n], caso)
            if frase:
                return frase
        return self._conteudo(ps, guardadas, i, caso)

    def _saidas_por_extenso(self, caso: Caso) -> list[tuple[str, str]]:
        """(nome, tipo) de cada saída; um array de booleanos é dito como tal."""
        naturezas = [g["natureza"] for g in _lista_guardada(caso.esperado)]
        return [
            (nome, "booleanos" if tipo == "array" and natureza == "booleano" else tipo)
            for (nome, tipo), natureza in zip(self.ref.saidas, naturezas, strict=True)
        ]

    def _tipo_e_forma(self, p: Parte, guardada: dict, nome: str, tipo: str, caso: Caso) -> str | None:
        forma = tuple(guardada["forma"])
        if tipo == "array" and p.tipo in ("float16", "bfloat16"):
            return f"Sua saída está em {p.tipo}, com cerca de 3 algarismos; use float32 ou float64."
        if tipo == "pares":
            return None
        if p.natureza == "texto" and guardada["natureza"] != "texto":
            return f"{self._lugar(caso)}, a função devolveu um texto; o enunciado pede {_por_extenso(tipo, forma)}."
        if tipo == "int" and (p.natureza != "inteiro" or p.forma != ()):
            veio = "um bool" if p.natureza == "booleano" else ("um float" if p.forma == () else f"um array {p.forma}")
            inteira = " Converta com `int(…)` ou, se há uma divisão na conta, use `//`." if veio == "um float" else ""
            return f"{self._lugar(caso)}, a função devolveu {veio}; o enunciado pede um int.{inteira}"
        if tipo == "bool" and p.forma:
            return f"{self._lugar(caso)}, o enunciado pede um bool só, e veio um array {p.forma}; falta um .all()?"
        if guardada["natureza"] == "booleano" and p.natureza != "booleano":
            que = "um array de booleanos (True ou False)" if forma else "um bool (True ou False)"
            return f"{self._lugar(caso)}, o enunciado pede {que}, e veio {p.tipo}."
        if p.natureza == "booleano" and guardada["natureza"] != "booleano":
            pede = _por_extenso(tipo, forma)
            return f"{self._lugar(caso)}, a função devolveu verdadeiro/falso; o enunciado pede {pede}."
        if p.forma != forma:
            return explicar_forma(p.forma, forma, nome, self._lugar(caso))
        return None

    def _conteudo(self, ps: list[Parte], guardadas: list[dict], i: int, caso: Caso) -> str | None:
        """NaN em qualquer saída, depois as propriedades de todas, e só então o primeiro valor que difere."""
        erradas = []
        for n in self.ref.como_nascem:
            p, guardada = ps[n], guardadas[n]
            batem = _batem(p, guardada, self._sal(i, n), self.ref.tolerancia)
            if batem is None:  # um texto onde se espera um número, ou o contrário
                batem = np.zeros(p.forma, dtype=bool)
            if not np.all(batem):
                erradas.append(_Errada(n, self.ref.saidas[n][0], p, guardada, batem))
        if not erradas:
            return None
        entradas = [decodificar(e, confiavel=True) for e in caso.entradas]
        for e in erradas:
            # há questões em que −inf é a resposta: só se aponta o que não é finito e não devia ser assim
            ruins = ~np.isfinite(e.parte.valores) & ~e.batem
            if np.any(ruins):
                return self._nao_finito(e, np.argwhere(ruins)[0], entradas, caso)
        for descricao in self.ref.propriedades:
            alvo, _, propriedade = descricao.rpartition(": ")
            for e in erradas:
                alvos = (e.nome, "")
                frase = PROPRIEDADES[propriedade].verificar(e.parte.valores, entradas) if alvo in alvos else None
                if frase:
                    return f"{self._lugar(caso)}: {frase[0].lower()}{frase[1:]}"
        return self._valor(erradas[0], caso) + self._as_outras(erradas)

    def _as_outras(self, erradas: list[_Errada]) -> str:
        """Das saídas que não estão erradas, se houver."""
        fora = {e.n for e in erradas} | ({0} if self.ref.adaptador else set())
        certas = [nome for n, (nome, _) in enumerate(self.ref.saidas) if n not in fora]
        if not certas or self._e_descricao(erradas[0].n):
            return ""
        quais = " e ".join([", ".join(certas[:-1]), certas[-1]] if certas[1:] else certas)
        return (
            f" Aqui a outra saída, {quais}, está certa."
            if not certas[1:]
            else f" Aqui as outras saídas, {quais}, estão certas."
        )

    def _e_descricao(self, n: int) -> bool:
        """A primeira saída de um adaptador diz, em palavras, o que ele viu: não é um texto do aluno."""
        return self.ref.adaptador is not None and n == 0 and self.ref.saidas[0][1] == "texto"

    def _nao_finito(self, e: _Errada, ruim: np.ndarray, entradas: list, caso: Caso) -> str:
        valor = e.parte.valores[tuple(ruim)]
        onde = f" em {_indice(ruim)}{_de(e.nome)}" if e.parte.forma else f" em {e.nome}" * bool(e.nome)
        if np.isnan(valor) and _linha_escondida(e.parte.forma, ruim, entradas):
            return (
                f"{self._lugar(caso)}, sua saída tem NaN{onde}: nessa linha a máscara esconde todas as chaves, "
                "e a softmax de uma linha só de −inf dá NaN. Trate-a à parte."
            )
        if np.isnan(valor):
            return (
                f"{self._lugar(caso)}, sua saída tem NaN{onde}; costuma vir de 0/0, de inf − inf, "
                "ou do log ou da raiz de um número negativo."
            )
        if valor < 0:
            return (
                f"{self._lugar(caso)}, sua saída tem menos infinito{onde}; costuma vir do log de zero, "
                "ou de uma pontuação escondida que não passou pela softmax."
            )
        return (
            f"{self._lugar(caso)}, sua saída tem infinito{onde}; costuma vir de uma divisão por zero "
            "ou de exp() de um número grande."
        )

    def _valor(self, e: _Errada, caso: Caso) -> str:
        p, guardada, lugar = e.parte, e.guardada, self._lugar(caso)
        if self._e_descricao(e.n):
            return f"{lugar}, veio {p.tipo[:200]}."
        if p.natureza == "texto":
            entre_aspas = self.ref.saidas[e.n][1] == "texto"
            certo = None if caso.oculto else guardada.get("tipo")
            return f"{lugar}, {_compara_textos(certo, p.tipo, entre_aspas)}"
        if p.natureza == "booleano" and not p.forma:
            return f"{lugar}, sua função respondeu {bool(p.valores)}, e a resposta certa é a outra."
        if not p.forma:
            certo = guardada["valores"][0] if "valores" in guardada else None
            onde = f"em {e.nome}: " if e.nome else ""
            return f"{lugar}, {onde}{_compara(certo, float(p.valores), caso.oculto)}"
        plano = int(np.flatnonzero(~e.batem.ravel())[0])
        certo = None
        if "valores" in guardada:
            certo = guardada["valores"][plano]
        elif "amostra" in guardada and not e.batem.ravel()[guardada["amostra"][0]]:
            plano, certo = guardada["amostra"]
        indice = np.unravel_index(plano, p.forma)
        comparacao = _compara(certo, float(p.valores[indice]), caso.oculto)
        if p.natureza == "booleano":
            comparacao = f"veio {bool(p.valores[indice])}, e o certo é o contrário."
        return f"{lugar}, em {_indice(indice)}{_de(e.nome)}: {comparacao}{self._relacao(e, caso)}"

    def _relacao(self, e: _Errada, caso: Caso) -> str:
        as_claras = "valores" in e.guardada and e.parte.natureza != "booleano" and not caso.oculto
        certo = np.array(e.guardada["valores"], dtype=float).reshape(e.parte.forma) if as_claras else None
        return relacao(e.parte.valores, certo, e.batem)

    # ---------------------------------------------------------------- equívocos conhecidos

    def _equivoco(self, i: int, registros: Sequence[Registro]) -> tuple[Equivoco | None, bool]:
        """O equívoco que explica o caso i e concorda com o aluno no maior número de casos; e se explica todos."""
        registros = registros[: len(self.ref.casos)]
        certos = [self.acertou(k, r) for k, r in enumerate(registros)]
        facil = set(self.ref.tipos) <= {"bool", "int"} or registros[i].erro is not None
        melhor, votos = None, 0
        for equivoco in self.ref.equivocos:
            if equivoco.casos[i] == "certo" or not self._concorda(equivoco, i, registros[i]):
                continue
            concorda = [self._concorda(equivoco, k, r) for k, r in enumerate(registros)]
            if self._convence(equivoco, concorda, certos, facil) and sum(concorda) > votos:
                melhor, votos = equivoco, sum(concorda)
        if melhor is None:
            return self._da_primeira_saida(i, registros), False
        return melhor, votos == len(registros)

    def _da_primeira_saida(self, i: int, registros: Sequence[Registro]) -> Equivoco | None:
        """Com dois equívocos juntos, o primeiro da conta: o que explica, em todos os casos, a saída que nasce antes."""
        n = self.ref.como_nascem[0]
        if len(self.ref.saidas) == 1 or self.ref.tipos[n] != "array":
            return None
        lidas = [None if r.erro is not None else partes(r.saida, self.ref.tipos) for r in registros]
        minhas = [ps[n] for ps in lidas if isinstance(ps, list)]
        casos = self.ref.casos
        if len(minhas) < len(casos) or all(self._igual(minhas[k], c.esperado, k, n) for k, c in enumerate(casos)):
            return None
        # só um equívoco sozinho, e cuja frase não diz que as outras saídas estão certas: delas não se sabe
        serve = [e for e in self.ref.equivocos if "+" not in e.nome and not DIZ_O_QUE_ESTA_CERTO.search(e.frase)]
        return next((e for e in serve if self._explica(e, minhas, n)), None)

    def _explica(self, equivoco: Equivoco, minhas: list[Parte], n: int) -> bool:
        """A saída n do equívoco é, em todos os casos, a do aluno?"""
        for k, (caso, guardado) in enumerate(zip(self.ref.casos, equivoco.casos, strict=True)):
            certo = guardado == "certo"
            if not self._igual(minhas[k], caso.esperado if certo else guardado, k, n, "" if certo else equivoco.nome):
                return False
        return True

    def _igual(self, p: Parte, guardado: dict, i: int, n: int, equivoco: str = "") -> bool:
        """A saída n do caso i é a que está guardada, da referência ou de um equívoco?"""
        if "erro" in guardado or "estrutura" in guardado:
            return False
        g = _lista_guardada(guardado)[n]
        batem = _batem(p, g, self._sal(i, n, equivoco), self.ref.tolerancia)
        return batem is not None and bool(np.all(batem)) and (bool(p.forma) or p.natureza == g["natureza"])

    @staticmethod
    def _convence(equivoco: Equivoco, concorda: list[bool], certos: list[bool], facil: bool) -> bool:
        """O equívoco explica o aluno, ou só coincidiu com ele em um caso?

        Um sim ou não, um índice, ou o mesmo erro do NumPy coincidem por acaso: aí, só concordando em tudo. Nos outros,
        o aluno não pode ter acertado onde o equívoco erra, e tem de errar igual em dois terços desses casos, que têm de
        ser metade dos que ele erra; nos demais ele pode ter um segundo equívoco.
        """
        if facil:
            return all(concorda)
        erra = [k for k in range(len(concorda)) if equivoco.casos[k] != "certo"]
        iguais = sum(concorda[k] for k in erra)
        return not any(certos[k] for k in erra) and 3 * iguais >= 2 * len(erra) and 2 * iguais >= certos.count(False)

    def _concorda(self, equivoco: Equivoco, i: int, registro: Registro) -> bool:
        """No caso i, o aluno fez o mesmo que este equívoco faria?"""
        guardado = equivoco.casos[i]
        if guardado == "certo":
            return self.acertou(i, registro)
        if "erro" in guardado:
            return registro.erro is not None and assinatura_do_erro(registro.erro) == guardado["erro"]
        if registro.erro is not None:
            return False
        ps = partes(registro.saida, self.ref.tipos)
        if "estrutura" in guardado:
            return ps == guardado["estrutura"]
        if isinstance(ps, str):
            return False
        return all(self._igual(p, guardado, i, n, equivoco.nome) for n, p in enumerate(ps))

    # ---------------------------------------------------------------- como se fala de um caso

    def _sal(self, i: int, n: int, equivoco: str = "") -> str:
        return f"{sal_do_caso(self.ref.questao, i, equivoco)}|{n}"

    def _argumento(self, i: int) -> str:
        nomes = self.ref.argumentos
        return nomes[i] if i < len(nomes) else f"argumento {i + 1}"

    def _rotulo(self, caso: Caso) -> str:
        if caso.oculto:
            return "Em um caso que você não vê"
        return f"No caso “{caso.rotulo}”" if caso.rotulo else "Em um caso"

    def _lugar(self, caso: Caso) -> str:
        """ "No caso “eixo 0”, com softmax(x de forma (2, 3), 0)"; de um caso oculto não se mostra a entrada."""
        if caso.oculto:
            return self._rotulo(caso)
        # com um adaptador, as últimas entradas são dele, e o aluno não as recebe
        entradas = caso.entradas[: len(self.ref.argumentos)]
        argumentos = ", ".join(
            _resumo(decodificar(e, confiavel=True), self._argumento(k)) for k, e in enumerate(entradas)
        )
        rotulo = self._rotulo(caso)
        return f"{rotulo}, com {self.ref.funcao}({argumentos})" if caso.entradas else rotulo


def sal_do_caso(questao: str, i: int, equivoco: str = "") -> str:
    return f"{questao}|{equivoco}|{i}"


def assinatura_do_erro(erro: dict) -> list[str]:
    """O que faz de dois erros o mesmo: o tipo, o texto, com os tamanhos que cita, e se houve ali uma transposta.

    Nas mesmas entradas, o mesmo equívoco dá os mesmos tamanhos. Só mudam à toa o endereço de um objeto e, entre A[i, j]
    e A[i][j], o número do eixo.
    """
    transposta = "transposta" if re.search(r"\.m?T\b|transpose|swapaxes|permute|linear", erro.get("trecho", "")) else ""
    return [erro["tipo"], re.sub(r"0x[0-9a-f]+|(?<=for axis )\d+", "#", erro["mensagem"]), transposta]


def _por_extenso(tipo: str, forma: tuple[int, ...]) -> str:
    return f"um array de forma {forma}" if tipo == "array" else TIPOS_POR_EXTENSO.get(tipo, tipo)


def _de(nome: str) -> str:
    return f" de {nome}" if nome else ""


def _indice(indice: Sequence | np.ndarray) -> str:
    return "[" + ", ".join(str(int(i)) for i in indice) + "]"


def _compara(certo: float | None, veio: float, oculto: bool) -> str:
    """ "esperado 0.5, veio 0.3", com algarismos bastantes para que os dois não pareçam iguais."""
    if certo is None or oculto:
        return f"veio {veio:.6g}, e não é esse o valor."
    algarismos = next((n for n in (4, 6, 9, 12) if f"{float(certo):.{n}g}" != f"{veio:.{n}g}"), 17)
    return f"esperado {float(certo):.{algarismos}g}, veio {veio:.{algarismos}g}."


def _compara_textos(certo: str | None, veio: str, entre_aspas: bool) -> str:
    """O mesmo, para textos, que vão entre aspas (um vazio tem de ser visto), e para o que se compara como texto."""
    veio = json.dumps(veio[:200], ensure_ascii=False) if entre_aspas else veio[:200]
    if certo is None or len(certo) > 200:
        return f"veio {veio}, e não é esse o resultado."
    return f"esperado {json.dumps(certo, ensure_ascii=False) if entre_aspas else certo}, veio {veio}."


def _linha_escondida(forma: tuple[int, ...], indice: np.ndarray, entradas: Iterable[Any]) -> bool:
    """Alguma máscara das entradas (True esconde), ou uma matriz com −inf, esconde a linha inteira deste índice?"""
    for entrada in entradas:
        if not forma or not getattr(entrada, "ndim", 0):
            continue
        a = np.asarray(entrada)
        escondido = a if a.dtype == bool else np.isneginf(a.astype(float))
        with contextlib.suppress(ValueError):  # uma entrada que não se estende até as linhas desta saída
            linhas = np.broadcast_to(escondido, (*forma[:-1], a.shape[-1]))
            if linhas[tuple(indice[:-1])].all():
                return True
    return False


def _resumo(valor: Any, nome: str) -> str:
    """Uma entrada em poucas letras: o valor, se couber; senão, o nome e a forma."""
    if callable(valor) or isinstance(valor, np.random.Generator) or nome == "gerador":  # no caso só está a semente
        return nome
    if hasattr(valor, "shape"):
        return f"{nome} de forma {tuple(valor.shape)}"
    texto = repr(valor)
    return texto if len(texto) <= 30 else nome
