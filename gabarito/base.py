"""Como se declara uma questão: `questao(...)`, `@q.equivoco(...)`, `@q.alternativa(...)` e `previsao(...)`."""

import contextlib
import importlib
import itertools
import pkgutil
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from helpers.conferir import canonico
from helpers.dados import codificar
from helpers.execucao import PRAZO, Registro, executar
from helpers.impressao import Tolerancia
from helpers.julgamento import Caso, Engano, Juiz, Referencia, assinatura_do_erro, guardar, partes, sal_do_caso
from helpers.pecas import Funcao, Gerador, peca

QUESTOES: dict[str, "Questao"] = {}


@dataclass
class CasoDeclarado:
    entradas: tuple
    rotulo: str
    claro: bool
    nomeia: list[str]
    parte: str | None = None


def caso(
    *entradas: Any,
    rotulo: str = "",
    claro: bool = False,
    nomeia: str | list[str] | None = None,
    parte: str | None = None,
) -> CasoDeclarado:
    """Um caso: as entradas, por posição. Se a referência lança erro nele, `nomeia` é o que a mensagem deve citar.

    `parte` diz a que parte da questão o caso pertence; sem ela, à primeira.
    """
    padroes = [nomeia] if isinstance(nomeia, str) else list(nomeia or [])
    return CasoDeclarado(entradas, rotulo, claro, padroes, parte)


def funcao(nome: str, **parametros: Any) -> Funcao:
    """Uma entrada que é função, construída por uma peça (ver helpers/pecas)."""
    return Funcao(nome, parametros)


def gerador(semente: int) -> Gerador:
    """Uma entrada que é um np.random.Generator com essa semente."""
    return Gerador(int(semente))


@dataclass
class Equivoco:
    nome: str
    frase: str
    funcao: Callable


@dataclass
class Questao:
    """Uma questão inteira. Tudo o que a conferência e a correção precisam sai daqui."""

    nome: str
    assinatura: str
    saida: str | list[tuple[str, str]]
    referencia: Callable
    casos: list[CasoDeclarado]
    ocultos: Callable[[np.random.Generator], list[CasoDeclarado]] | None
    propriedades: list[str]
    tolerancia: Tolerancia
    prazo: float
    adaptador: str | None = None
    partes: dict[str, float] = field(default_factory=dict)  # nome da parte → fração dos pontos, na ordem em que contam
    equivocos: list[Equivoco] = field(default_factory=list)
    alternativas: dict[str, Callable] = field(default_factory=dict)

    @property
    def funcao(self) -> str:
        """O nome da função que o aluno escreve."""
        return self.assinatura.split("(")[0]

    @property
    def lista(self) -> str:
        return self.nome.partition("/")[0]

    @property
    def saidas(self) -> list[tuple[str, str]]:
        return [("", self.saida)] if isinstance(self.saida, str) else list(self.saida)

    def equivoco(self, nome: str, frase: str) -> Callable:
        """Declara um engano conhecido, com a frase que um bom monitor diria."""

        def registrar(funcao: Callable) -> Callable:
            if any(e.nome == nome for e in self.equivocos):
                raise ValueError(f"{self.nome}: o equívoco {nome!r} foi declarado duas vezes")
            self.equivocos.append(Equivoco(nome, frase, funcao))
            return funcao

        return registrar

    def alternativa(self, nome: str) -> Callable:
        """Declara uma resposta certa de outra forma."""

        def registrar(funcao: Callable) -> Callable:
            if nome in self.alternativas:
                raise ValueError(f"{self.nome}: a alternativa {nome!r} foi declarada duas vezes")
            self.alternativas[nome] = funcao
            return funcao

        return registrar

    # ------------------------------------------------------------ da declaração para a referência

    def casos_ocultos(self, semente: int) -> list[CasoDeclarado]:
        return self.ocultos(np.random.default_rng(semente)) if self.ocultos else []

    def partes_certas(self, declarados: list[CasoDeclarado], certos: list[bool]) -> list[str]:
        """As primeiras partes em que todos os casos estão certos; depois da primeira errada, nenhuma conta."""
        nomes = list(self.partes)
        erradas = {d.parte or nomes[0] for d, certo in zip(declarados, certos, strict=True) if nomes and not certo}
        return list(itertools.takewhile(lambda nome: nome not in erradas, nomes))

    def visivel(self, com_enganos: bool = True) -> Referencia:
        """A referência dos casos visíveis: só o que é `claro` tem a saída às claras."""
        return self._referencia(self.casos, False, com_enganos)

    def adaptar(self, resposta: Callable) -> Callable:
        return peca(self.adaptador)(resposta) if self.adaptador else resposta

    def oculta(self, semente: int, com_enganos: bool = True) -> Referencia:
        """Os casos visíveis e os ocultos desta semente, com as saídas às claras. Só a correção a tem."""
        return self._referencia([*self.casos, *self.casos_ocultos(semente)], True, com_enganos)

    def so_oculta(self, semente: int, rodadas: dict[str, list[Registro]] | None = None) -> Referencia:
        """Só os casos ocultos desta semente: é com ela que o banco confere que cada sorteio se basta.

        `rodadas`, se dado, recebe o que cada engano fez, para quem não quer rodá-lo outra vez.
        """
        return self._referencia(self.casos_ocultos(semente), True, rodadas=rodadas)

    def _referencia(
        self,
        declarados: list[CasoDeclarado],
        oculto: bool,
        com_enganos: bool = True,
        rodadas: dict[str, list[Registro]] | None = None,
    ) -> Referencia:
        rodadas = {} if rodadas is None else rodadas
        entradas = [[codificar(e) for e in c.entradas] for c in declarados]
        casos = []
        for i, (c, e, r) in enumerate(
            zip(declarados, entradas, executar(self.adaptar(self.referencia), entradas), strict=True)
        ):
            esconder = oculto and i >= len(self.casos)
            esperado = self._esperado(i, c, r, claro=oculto or c.claro)
            casos.append(Caso(e, esperado, c.rotulo, oculto=esconder))
        enganos = [
            Engano(q.nome, q.frase, self._do_engano(q, entradas, casos, oculto, rodadas))
            for q in self.equivocos
            if com_enganos and q.nome != "altera-a-entrada"  # esse a escada reconhece sozinha
        ]
        return Referencia(
            questao=self.nome,
            assinatura=self.assinatura,
            saidas=self.saidas,
            tolerancia=self.tolerancia,
            casos=casos,
            enganos=enganos,
            propriedades=self.propriedades,
            prazo=self.prazo,
            adaptador=self.adaptador,
        )

    def _esperado(self, i: int, c: CasoDeclarado, r: Registro, claro: bool) -> dict:
        if r.alterou:
            raise ValueError(f"{self.nome}, caso {i}: a referência escreve na entrada")
        if r.erro is not None:
            if not c.nomeia:
                raise ValueError(f"{self.nome}, caso {i}: a referência lança {r.erro} e o caso não diz o que nomeia")
            return {"erro": r.erro["tipo"], "nomeia": c.nomeia}
        ps = partes(r.saida, [tipo for _, tipo in self.saidas])
        if isinstance(ps, str):
            raise ValueError(f"{self.nome}, caso {i}: a referência devolveu {ps}")
        return guardar(ps, claro, sal_do_caso(self.nome, i), self.tolerancia, amostra=True)

    def _do_engano(self, q: Equivoco, entradas: list[list], casos: list[Caso], claro: bool, rodadas: dict) -> list:
        """O que o engano devolve em cada caso, ou "certo" onde ele não se distingue da resposta."""
        certo = Juiz(Referencia(self.nome, self.assinatura, self.saidas, self.tolerancia, casos, []))
        guardados: list = []
        rodadas[q.nome] = executar(self.adaptar(q.funcao), entradas, min(self.prazo, 2.0))
        for i, r in enumerate(rodadas[q.nome]):
            if certo.acertou(i, r):
                guardados.append("certo")
            elif r.erro is not None:
                guardados.append({"erro": assinatura_do_erro(r.erro)})
            else:
                ps = partes(r.saida, [tipo for _, tipo in self.saidas])
                sal = sal_do_caso(self.nome, i, q.nome)
                guardados.append({"estrutura": ps} if isinstance(ps, str) else guardar(ps, claro, sal, self.tolerancia))
        # um engano lento demais não chega ao fim: o que faltou é igual ao último
        return guardados + guardados[-1:] * (len(casos) - len(guardados))


def questao(
    nome: str,
    *,
    assinatura: str,
    saida: str | list[tuple[str, str]],
    referencia: Callable,
    casos: list[CasoDeclarado],
    ocultos: Callable[[np.random.Generator], list[CasoDeclarado]] | None = None,
    propriedades: list[str] | None = None,
    rtol: float = 1e-4,
    atol: float = 1e-6,
    prazo: float = PRAZO,
    adaptador: str | None = None,
    partes: dict[str, float] | None = None,
) -> Questao:
    """Declara uma questão e a põe no registro do curso.

    `partes` dá crédito parcial: {"valores": 0.75, "erros": 0.25}. Uma parte só conta se as anteriores estão certas,
    para que ninguém ganhe pontos por uma função que só lança erros.
    """
    if nome in QUESTOES:
        raise ValueError(f"a questão {nome!r} foi declarada duas vezes")
    if partes and abs(sum(partes.values()) - 1) > 1e-9:
        raise ValueError(f"{nome}: as frações das partes não somam 1")
    QUESTOES[nome] = Questao(
        nome,
        assinatura,
        saida,
        referencia,
        casos,
        ocultos,
        propriedades or [],
        Tolerancia(rtol, atol),
        prazo,
        adaptador,
        partes or {},
    )
    return QUESTOES[nome]


def previsao(nome: str, *, certo: Any, errados: dict[Any, str] | None = None, tipo: str = "int") -> Questao:
    """Uma pergunta de aula, com uma resposta só; `errados` diz o que responder a cada engano previsto."""
    tolerancia = {"rtol": 0.02, "atol": 1e-6} if tipo == "float" else {}
    q = questao(
        nome,
        assinatura="previsao()",
        saida=tipo,
        referencia=lambda: canonico(certo, tipo),
        casos=[caso(rotulo="sua previsão")],
        **tolerancia,
    )
    for i, (valor, frase) in enumerate((errados or {}).items()):
        q.equivoco(f"previsao-{i + 1}", frase)(lambda valor=valor: canonico(valor, tipo))
    return q


def buscar(nome: str) -> Questao | None:
    """A questão com esse nome ("lista-02/softmax"), sem importar as outras listas; None se não existe."""
    modulo = nome.partition("/")[0].replace("-", "_")
    if nome not in QUESTOES and re.fullmatch(r"(lista|aula)_\d\d", modulo):
        with contextlib.suppress(ModuleNotFoundError):
            importlib.import_module(f"gabarito.{modulo}")
    return QUESTOES.get(nome)


def carregar_tudo() -> dict[str, Questao]:
    """Importa cada módulo `lista_NN` e `aula_NN` do gabarito e devolve o registro, em ordem."""
    import gabarito

    for modulo in sorted(m.name for m in pkgutil.iter_modules(gabarito.__path__)):
        if modulo.startswith(("lista_", "aula_")):
            importlib.import_module(f"gabarito.{modulo}")
    return dict(sorted(QUESTOES.items(), key=lambda par: par[0].partition("/")[0]))
