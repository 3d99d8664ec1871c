"""Como se declara uma questão: `questao(...)`, `@q.equivoco`, `@q.alternativa`, as tabelas deles e `previsao(...)`."""

import importlib
import importlib.util
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from gabarito import tabela
from gabarito.tabela import DeclaracaoErrada
from helpers.conferencia.aposta import CERTA_DE_OUTRO_JEITO, canonico
from helpers.conferencia.codificacao import DadoInvalido, codificar, decodificar
from helpers.conferencia.equivocos import DIZ_O_QUE_ESTA_CERTO, assinatura_do_erro
from helpers.conferencia.execucao import SEM_TEMPO, Registro, executar
from helpers.conferencia.impressao import Tolerancia
from helpers.conferencia.juiz import Juiz
from helpers.conferencia.pecas import Funcao, Gerador, peca, semente_alta
from helpers.conferencia.referencia import Caso, Equivoco, Referencia
from helpers.conferencia.saidas import guardar, partes, sal_do_caso

QUESTOES: dict[str, "Questao"] = {}
ALTERA_A_ENTRADA = "altera-a-entrada"  # o equívoco que a escada reconhece sozinha
Rodadas = dict[str, list[Registro]]  # o que cada equívoco fez


@dataclass
class CasoDeclarado:
    entradas: tuple
    rotulo: str
    claro: bool
    nomeia: dict[str, str]  # o que se procura, em português, e o padrão
    parte: str | None = None
    inocentes: list[str] = field(default_factory=list)


def caso(
    *entradas: Any,
    rotulo: str = "",
    claro: bool = False,
    nomeia: str | dict[str, str] | None = None,
    inocentes: list[str] | None = None,
    parte: str | None = None,
) -> CasoDeclarado:
    """Um caso: as entradas, por posição. Se a referência lança erro nele, `nomeia` é o que a mensagem deve citar: um
    padrão, ou {"a posição": padrão, …}. `inocentes` é o que ela não pode citar (uma mensagem que cita tudo não diz quem
    é o culpado).

    `parte` diz a que parte da questão o caso pertence; sem ela, à primeira.
    """
    citados = {"o culpado": nomeia} if isinstance(nomeia, str) else nomeia or {}
    return CasoDeclarado(entradas, rotulo, claro, citados, parte, inocentes or [])


def cita_todos(padroes: Iterable[str]) -> list[str]:
    """Para `inocentes`: uma mensagem que cita todos estes, em qualquer ordem; nada, se são menos de dois.

    Um só pode estar lá por acaso, como uma posição ou um limite.
    """
    padroes = list(dict.fromkeys(padroes))
    return ["(?s)" + "".join(f"(?=.*(?:{p}))" for p in padroes)] if len(padroes) > 1 else []


def funcao(nome: str, **parametros: Any) -> Funcao:
    """Uma entrada que é função, construída por uma peça (ver helpers/conferencia/pecas)."""
    return Funcao(nome, parametros)


def gerador(numero: int) -> Gerador:
    """Uma entrada que é um np.random.Generator. A semente sai do número, mas não é ele: ninguém a usaria sem querer."""
    return Gerador(semente_alta(np.random.default_rng(numero)))


@dataclass
class Resposta:
    """Uma resposta do gabarito: a referência, uma alternativa ou um equívoco conhecido."""

    nome: str
    funcao: Callable
    frase: str = ""  # de um equívoco, o que um bom monitor diria
    fonte: str = ""  # o texto dela, se veio da tabela; senão, ela está em um arquivo
    trocas: list[str] = field(default_factory=list)  # se o texto é o da referência, as trocas feitas nele


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
    adaptador: str | None = None
    testemunha: Callable[..., bool] | None = None
    # A resposta pode chamar as funções que recebe, e não examiná-las (oraculo.py): das entradas de um caso, quantas
    # linhas, no máximo, e quantas colunas tem o que se dá a elas.
    as_cegas: Callable[..., tuple[int, int]] | None = None
    partes: dict[str, float] = field(default_factory=dict)  # nome da parte → fração dos pontos, na ordem em que contam
    ordem: list[str] = field(default_factory=list)  # as saídas como nascem na conta, se não é como se devolvem
    depende: list[str] = field(default_factory=list)  # as funções de antes, na lista, que se podem usar
    opcoes: list[str] = field(default_factory=list)  # de uma previsão, o que se pode responder
    equivocos: list[Resposta] = field(default_factory=list)
    alternativas: list[Resposta] = field(default_factory=list)
    _sorteio: tuple[int, Callable, list[CasoDeclarado]] | None = field(default=None, repr=False, compare=False)
    _as_claras: tuple[tuple, list[Caso]] | None = field(default=None, repr=False, compare=False)

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

    @cached_property
    def dependencias(self) -> list["Questao"]:
        """As questões de que ela depende, e as de que essas dependem, na ordem da lista."""
        if not self.depende:
            return []
        da_lista = {q.funcao: q for q in carregar(self.lista).values()}
        achadas, por_ver = set[str](), list(self.depende)
        while por_ver:
            nome = por_ver.pop()
            achadas.add(nome)
            por_ver += [d for d in da_lista[nome].depende if d not in achadas]
        return [q for nome, q in da_lista.items() if nome in achadas]

    @property
    def certas(self) -> list[Resposta]:
        """A referência e as alternativas."""
        return [Resposta("referência", self.referencia), *self.alternativas]

    # ------------------------------------------------------------ as respostas do banco

    def equivoco(self, resposta: Callable) -> Callable:
        """Declara um equívoco conhecido: o nome dele é o da função, e a frase, a docstring dela."""
        frase = " ".join((resposta.__doc__ or "").split())
        self._guardar(self.equivocos, Resposta(_nome_de(resposta), resposta, frase))
        return resposta

    def alternativa(self, resposta: Callable) -> Callable:
        """Declara uma resposta certa de outra forma; o nome dela é o da função."""
        self._guardar(self.alternativas, Resposta(_nome_de(resposta), resposta))
        return resposta

    def equivocos_curtos(self, texto: str) -> None:
        """Declara, em tabela (gabarito/tabela.py), equívocos de uma linha ou de uma troca na referência."""
        for e in tabela.ler(texto, self.nome):
            if e.juntos:
                self._juntar(e)
            if not e.frase:
                raise DeclaracaoErrada(f"{self.nome}, {e.nome}: falta a frase")
            self._guardar(self.equivocos, self._da_tabela(e))

    def alternativas_curtas(self, texto: str) -> None:
        """O mesmo, para alternativas: sem frase."""
        for e in tabela.ler(texto, self.nome):
            if e.frase:
                raise DeclaracaoErrada(f"{self.nome}, {e.nome}: uma resposta certa não tem frase")
            self._guardar(self.alternativas, self._da_tabela(e))

    def _equivoco(self, nome: str) -> Resposta:
        achado = next((e for e in self.equivocos if e.nome == nome), None)
        if achado is None:
            raise DeclaracaoErrada(f"{self.nome}: não há o equívoco {nome}")
        return achado

    def _juntar(self, e: tabela.Entrada) -> None:
        """Dois equívocos de uma vez: as trocas dos dois e, se não há outra, a frase dos dois."""
        um, outro = (self._equivoco(nome) for nome in e.juntos)
        if e.codigo or not um.trocas or not outro.trocas:
            raise DeclaracaoErrada(f"{self.nome}, {e.nome}: só se juntam equívocos que são trocas, e sem outro código")
        e.codigo = [*um.trocas, *outro.trocas]
        if not e.frase and any(DIZ_O_QUE_ESTA_CERTO.search(r.frase) for r in (um, outro)):
            raise DeclaracaoErrada(f"{self.nome}, {e.nome}: uma das frases diz que o resto está certo; escreva outra")
        e.frase = e.frase or f"São dois erros. {um.frase} {outro.frase}"

    def _da_tabela(self, e: tabela.Entrada) -> Resposta:
        quem, globais = f"{self.nome}, {e.nome}", vars(sys.modules[self.referencia.__module__])
        texto = f"def {self.assinatura}:\n    return {' '.join(e.codigo)}\n"
        if e.e_troca:
            texto = tabela.trocar(self._texto, e.codigo, quem)
        nome = self.referencia.__name__ if e.e_troca else self.funcao
        funcao = tabela.compilar(texto, nome, globais, quem, e.e_troca)
        return Resposta(e.nome, funcao, e.frase, texto, e.codigo if e.e_troca else [])

    @cached_property
    def _texto(self) -> str:
        return tabela.texto_da_referencia(self.referencia)

    def _guardar(self, respostas: list[Resposta], nova: Resposta) -> None:
        if any(r.nome == nova.nome for r in respostas):
            raise DeclaracaoErrada(f"{self.nome}: {nova.nome} foi declarado duas vezes")
        respostas.append(nova)

    # ------------------------------------------------------------ da declaração para a referência

    def casos_ocultos(self, semente: int) -> list[CasoDeclarado]:
        """Os desta semente. O último sorteio fica guardado: quem julga uma entrega acabou de sortear para ela."""
        if self.ocultos is None:
            return []
        if self._sorteio is None or self._sorteio[:2] != (semente, self.ocultos):
            self._sorteio = (semente, self.ocultos, self.ocultos(np.random.default_rng(semente)))
        return list(self._sorteio[2])

    def adaptar(self, resposta: Callable) -> Callable:
        return peca(self.adaptador)(resposta) if self.adaptador else resposta

    def confirma(self, entradas: list, testemunha: Any) -> bool:
        """A testemunha (codificada) que o adaptador entregou basta para as entradas (codificadas) do caso?

        O adaptador roda no kernel do aluno, onde pode ser trocado por um que só diz que está tudo certo. Por isso
        entrega também os números que viu, e daqui, de fora, se confere que eles bastam. O que não é como o combinado
        (gabarito/testemunha.py) não confirma nada; qualquer outro erro é nosso, e sai daqui como erro.
        """
        if self.testemunha is None:
            return True
        dadas = [decodificar(e, confiavel=True) for e in entradas]
        try:
            return bool(self.testemunha(decodificar(testemunha), *dadas))
        except DadoInvalido:
            return False

    def visivel(self, com_equivocos: bool = True, rodadas: Rodadas | None = None) -> Referencia:
        """A referência dos casos visíveis, como vai para o aluno: só o que é `claro` tem a saída às claras."""
        return self._montar(self._resolver(self.casos, False), com_equivocos, rodadas)

    def as_claras(self) -> Referencia:
        """Os casos visíveis com as saídas às claras: os primeiros de toda `oculta`, e iguais em todas."""
        return self._montar(self._visiveis_as_claras(), com_equivocos=False)

    def oculta(self, semente: int, com_equivocos: bool = True) -> Referencia:
        """Os casos visíveis e os ocultos desta semente, com as saídas às claras. Só a correção a tem."""
        visiveis = self._visiveis_as_claras()
        ocultos = self._resolver(self.casos_ocultos(semente), True, len(visiveis), ocultos=True)
        return self._montar([*visiveis, *ocultos], com_equivocos)

    def _visiveis_as_claras(self) -> list[Caso]:
        """Não dependem da entrega: a referência roda neles uma vez só."""
        quais = (self.referencia, *self.casos)
        if self._as_claras is None or [*map(id, self._as_claras[0])] != [*map(id, quais)]:
            self._as_claras = (quais, self._resolver(self.casos, True))
        return self._as_claras[1]

    def so_oculta(self, semente: int, rodadas: Rodadas | None = None) -> Referencia:
        """Só os casos ocultos desta semente: é com ela que o banco confere que cada sorteio se basta.

        `rodadas`, se dado, recebe o que cada equívoco fez, para quem não quer rodá-lo outra vez.
        """
        return self._montar(self._resolver(self.casos_ocultos(semente), True, ocultos=True), rodadas=rodadas)

    def _resolver(
        self, declarados: list[CasoDeclarado], as_claras: bool, primeiro: int = 0, ocultos: bool = False
    ) -> list[Caso]:
        """Os casos com o que a referência faz neles; `primeiro` é a posição do primeiro deles na questão."""
        entradas = [[codificar(e, por_extenso=not as_claras) for e in c.entradas] for c in declarados]
        registros = executar(self.adaptar(self.referencia), entradas)
        if any(r.erro and r.erro["tipo"] in SEM_TEMPO for r in registros):  # também onde se espera um erro
            raise DeclaracaoErrada(f"{self.nome}: a referência não terminou a tempo ({registros[-1].erro})")
        partes = {nome: i for i, nome in enumerate(self.partes)}
        return [
            Caso(
                entradas[i],
                self._esperado(primeiro + i, c, r, claro=as_claras or c.claro),
                c.rotulo,
                ocultos,
                partes[c.parte] if c.parte else 0,
            )
            for i, (c, r) in enumerate(zip(declarados, registros, strict=True))
        ]

    def _montar(self, casos: list[Caso], com_equivocos: bool = True, rodadas: Rodadas | None = None) -> Referencia:
        rodadas = {} if rodadas is None else rodadas
        as_claras = any(c.oculto for c in casos)  # uma referência com casos ocultos nunca vai para o aluno
        entradas = [c.entradas for c in casos]
        equivocos = [
            Equivoco(e.nome, e.frase, self._do_equivoco(e, entradas, casos, as_claras, rodadas))
            for e in self.equivocos
            if com_equivocos and e.nome != ALTERA_A_ENTRADA
        ]
        return Referencia(
            questao=self.nome,
            assinatura=self.assinatura,
            saidas=self.saidas,
            tolerancia=self.tolerancia,
            casos=casos,
            equivocos=equivocos,
            propriedades=self.propriedades,
            adaptador=self.adaptador,
            ordem=self.ordem,
            opcoes=self.opcoes,
            partes=list(self.partes.values()),
        )

    def _esperado(self, i: int, c: CasoDeclarado, r: Registro, claro: bool) -> dict:
        if r.alterou:
            raise DeclaracaoErrada(f"{self.nome}, caso {i}: a referência escreve na entrada")
        if r.erro is not None:
            if not c.nomeia:
                raise DeclaracaoErrada(f"{self.nome}, caso {i}: a referência lança {r.erro}, e falta o `nomeia`")
            return {"erro": r.erro["tipo"], "nomeia": c.nomeia} | ({"inocentes": c.inocentes} if c.inocentes else {})
        ps = partes(r.saida, [tipo for _, tipo in self.saidas])
        if isinstance(ps, str):
            raise DeclaracaoErrada(f"{self.nome}, caso {i}: a referência devolveu {ps}")
        return guardar(ps, claro, sal_do_caso(self.nome, i), self.tolerancia, amostra=True)

    def _do_equivoco(self, e: Resposta, entradas: list[list], casos: list[Caso], claro: bool, rodadas: Rodadas) -> list:
        """O que o equívoco devolve em cada caso, ou "certo" onde ele não se distingue da resposta."""
        certo = Juiz(Referencia(self.nome, self.assinatura, self.saidas, self.tolerancia, casos, []))
        guardados: list = []
        rodadas[e.nome] = executar(self.adaptar(e.funcao), entradas)
        for i, r in enumerate(rodadas[e.nome]):
            if certo.acertou(i, r):
                guardados.append("certo")
            elif r.erro is not None:
                guardados.append({"erro": assinatura_do_erro(r.erro)})
            else:
                ps = partes(r.saida, [tipo for _, tipo in self.saidas])
                sal = sal_do_caso(self.nome, i, e.nome)
                guardados.append({"estrutura": ps} if isinstance(ps, str) else guardar(ps, claro, sal, self.tolerancia))
        # um equívoco lento demais não chega ao fim: o que faltou é igual ao último
        guardados += guardados[-1:] * (len(casos) - len(guardados))
        if all(g == "certo" for g in guardados):
            raise DeclaracaoErrada(f"{self.nome}, {e.nome}: o equívoco é igual à referência em todos os casos")
        return guardados


def _nome_de(resposta: Callable) -> str:
    """`soma_global` é "soma-global"; um sublinhado de verdade se escreve dobrado: `sem_W__O` é "sem-W_O"."""
    return resposta.__name__.replace("__", "\0").replace("_", "-").replace("\0", "_")


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
    adaptador: str | None = None,
    testemunha: Callable[..., bool] | None = None,
    as_cegas: Callable[..., tuple[int, int]] | None = None,
    partes: dict[str, float] | None = None,
    ordem: list[str] | None = None,
    depende: list[str] | None = None,
) -> Questao:
    """Declara uma questão e a põe no registro do curso.

    `partes` dá crédito parcial: {"valores": 0.75, "erros": 0.25}. Uma parte só conta se as anteriores estão certas,
    para que ninguém ganhe pontos por uma função que só lança erros. `testemunha` diz se o que o adaptador viu basta.
    `as_cegas`: ler os parâmetros de uma função recebida daria a resposta; na correção ela fica do lado de fora, e só
    responde a uma matriz da forma do caso, que sai das entradas, ou com menos linhas.
    `ordem` são os nomes das saídas como elas nascem na conta, se não é nessa ordem que se devolvem: ["A", "Y"].
    `depende` são as funções de questões anteriores da lista que a resposta pode usar: ["juntar_cabecas"]. Quem só erra
    por uma delas, já errada, não perde os pontos outra vez (correcao/juizo/uma_vez.py).
    """
    if nome in QUESTOES:
        raise DeclaracaoErrada(f"a questão {nome} foi declarada duas vezes")
    if partes and abs(sum(partes.values()) - 1) > 1e-9:
        raise DeclaracaoErrada(f"{nome}: as frações das partes não somam 1")
    if ordem and (isinstance(saida, str) or sorted(ordem) != sorted(n for n, _ in saida)):
        raise DeclaracaoErrada(f"{nome}: a ordem não tem todas as saídas, uma vez cada uma")
    QUESTOES[nome] = Questao(
        nome,
        assinatura,
        saida,
        referencia,
        casos,
        ocultos,
        propriedades or [],
        Tolerancia(rtol, atol),
        adaptador,
        testemunha,
        as_cegas,
        partes or {},
        ordem or [],
        depende or [],
    )
    return QUESTOES[nome]


_CERTA = "Isso mesmo, escrito de outro jeito."


def previsao(
    nome: str,
    *,
    certo: Any,
    errados: dict[Any, str] | None = None,
    tipo: str = "int",
    tambem: dict[str, str] | None = None,
    opcoes: list[str] | None = None,
) -> Questao:
    """Uma pergunta de aula, com uma resposta só; `errados` diz o que responder a cada equívoco previsto.

    `tambem` são outros jeitos de escrever uma resposta, a certa ou uma errada: {"um ponto": "viram um ponto"}. A quem
    escreve o que não está previsto, se a previsão é um texto, dizem-se as `opcoes`: sem elas, a certa e as erradas.
    """
    errados, tambem = errados or {}, tambem or {}
    if opcoes is None:
        opcoes = [certo, *errados] if tipo == "texto" else []
    for escrita, resposta in tambem.items():
        if resposta != certo and resposta not in errados:
            raise DeclaracaoErrada(f"{nome}: {escrita!r} é outro jeito de escrever {resposta!r}, que não está previsto")
    q = questao(
        nome,
        assinatura="previsao()",
        saida=tipo,
        referencia=lambda: canonico(certo, tipo),
        casos=[caso(rotulo="sua aposta")],
        rtol=0.02 if tipo == "float" else 1e-4,
    )
    # em ordem alfabética, para que o lugar não diga qual é a certa
    q.opcoes = sorted(dict.fromkeys(opcoes), key=lambda opcao: canonico(opcao, tipo)) if len(opcoes) > 1 else []
    for i, (valor, frase) in enumerate(errados.items()):
        q.equivocos.append(Resposta(f"previsao-{i + 1}", lambda valor=valor: canonico(valor, tipo), frase))
    for i, (escrita, resposta) in enumerate(tambem.items()):
        prefixo, frase = ("escrita-", errados[resposta]) if resposta in errados else (CERTA_DE_OUTRO_JEITO, _CERTA)
        q.equivocos.append(Resposta(f"{prefixo}{i + 1}", lambda valor=escrita: canonico(valor, tipo), frase))
    return q


# ---------------------------------------------------------------- o registro


def carregar(lista: str) -> dict[str, Questao]:
    """As questões de "lista-02" ou as previsões de "aula-02", na ordem em que estão nela; vazio se ela não existe."""
    modulo = f"gabarito.{lista.replace('-', '_')}"
    if not re.fullmatch(r"(lista|aula)-\d\d", lista) or importlib.util.find_spec(modulo) is None:
        return {}
    pacote = importlib.import_module(modulo)
    if lista.startswith("aula"):
        return {nome: q for nome, q in QUESTOES.items() if q.lista == lista}
    questoes = [importlib.import_module(f"{modulo}.{nome}").q for nome in pacote.ORDEM]
    conferir_dependencias(questoes)
    return {q.nome: q for q in questoes}


def declarado(lista: str, nome: str, padrao: Any) -> Any:
    """O que o __init__.py da lista diz dela com este nome; `padrao`, se não diz."""
    modulo = f"gabarito.{lista.replace('-', '_')}"
    if importlib.util.find_spec(modulo) is None:
        return padrao
    return getattr(importlib.import_module(modulo), nome, padrao)


def conferir_dependencias(questoes: list[Questao]) -> None:
    """Só se depende do que vem antes na lista: assim também não há círculos."""
    antes: set[str] = set()
    for q in questoes:
        for nome in q.depende:
            if nome not in antes:
                outra = any(nome == o.funcao for o in questoes)
                porque = "não vem antes dela" if outra else "não é uma questão da lista"
                raise DeclaracaoErrada(f"{q.nome}: depende de {nome}, que {porque}")
        antes.add(q.funcao)


def buscar(nome: str) -> Questao | None:
    """A questão com esse nome ("lista-02/softmax"), sem importar as outras listas; None se não existe."""
    return QUESTOES.get(nome) or carregar(nome.partition("/")[0]).get(nome)


def carregar_tudo() -> dict[str, Questao]:
    """O registro inteiro, em ordem: as aulas, depois as listas."""
    import gabarito

    modulos = sorted(m.name for m in pkgutil.iter_modules(gabarito.__path__) if re.match(r"(lista|aula)_\d", m.name))
    return {nome: q for modulo in modulos for nome, q in carregar(modulo.replace("_", "-")).items()}
