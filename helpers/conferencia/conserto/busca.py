"""A busca: que trocas, uma a uma e depois duas a duas, fazem passar uma resposta errada nos casos visíveis.

Roda no kernel de quem responde, na função dele e só nos casos que ele já tem. Nada dela sai daqui além da linha e do
assunto da troca (`fala`): o código consertado não é mostrado nem guardado.
"""

import ast
import contextlib
import inspect
import linecache
import random
import re
import sys
import textwrap
import time
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from helpers.conferencia.codificacao import DadoInvalido
from helpers.conferencia.conserto.fala import Conserto, o_que_ha_em_comum
from helpers.conferencia.conserto.trocas import Troca, trocas
from helpers.conferencia.escada import Leitura
from helpers.conferencia.execucao import Registro, executar
from helpers.conferencia.juiz import Juiz, Julgamento
from helpers.conferencia.referencia import Referencia
from helpers.conferencia.saidas import batem, lista_guardada, sal_da_saida

ORCAMENTO = 1.5  # segundos de processador, ao todo
PRAZO = 0.25  # de uma tentativa
TENTATIVAS = 2500  # quem decide é a conta, e não o relógio: o que se diz não muda de uma máquina para outra
PROMISSORAS = 8  # das trocas que melhoram sem resolver, quantas ganham uma companheira
BASTAM = 6  # consertos de duas trocas: com mais, o que há em comum já não muda
MAIOR_FUNCAO = 500  # nós da árvore
SEM_ACASO = {"negacao", "comparacao", "condicao", "reducao", "laco", "sinal"}  # onde só se responde sim ou não
# o que uma tentativa não pode fazer duas vezes: escrever um arquivo, perguntar, começar outro processo
_COM_EFEITO = re.compile(
    r"(?<!\.)\b(open|input|exec|eval|compile)\b|"  # modelo.eval() é outra coisa
    r"\b(save\w*|tofile|write\w*|remove|unlink|mkdir|rename|system|Popen|subprocess|"
    r"os|sys|shutil|pathlib|Path|global|nonlocal|plt|display|yield|await|time|threading)\b"
)


_SEM_GRADIENTE = {"torch.no_grad()", "torch.inference_mode()"}  # os decoradores que não mudam a conta


class Lida(NamedTuple):
    """Uma resposta como se pode mudá-la: a árvore, o texto em que ela está, quantas linhas da célula há antes do texto,
    e uma cópia dos nomes que ela vê, para que as tentativas não mexam nos do notebook."""

    definicao: ast.FunctionDef | ast.ClassDef
    texto: str
    antes: int
    nomes: dict[str, Any]


def procurar(referencia: Referencia, resposta: Any, registros: list[Registro]) -> Conserto | None:
    """Onde está o erro, se há um conserto de uma ou duas trocas; None se não se achou, ou se não dá para procurar."""
    lida = _ler_a_classe(resposta) if isinstance(resposta, type) else _ler(resposta)
    if lida is None or len(registros) < len(referencia.casos) or any(map(_nao_e_caso, registros)):
        return None
    definicao, texto, antes, nomes = lida
    try:
        with _sorteios_como_estavam(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # o Python avisa do que uma tentativa tem de estranho
            achados = _Busca(referencia, resposta, definicao, nomes, registros).achar()
    except (DadoInvalido, RecursionError, MemoryError):
        return None
    return o_que_ha_em_comum(achados, definicao, texto, antes)


def _nao_e_caso(registro: Registro) -> bool:
    """A chamada já custou o que uma tentativa pode custar, ou parou em um nome, e do nome a explicação sabe mais?"""
    parou = registro.erro["tipo"] if registro.erro is not None else ""
    return registro.segundos > PRAZO / 2 or any(que in parou for que in ("Memory", "Name", "Attribute", "Module"))


def _ler(resposta: Any) -> Lida | None:
    """A função, se ela é uma que se pode chamar muitas vezes sem que nada mude em volta."""
    if type(resposta) is not types.FunctionType:
        return None
    decorada = hasattr(resposta, "__wrapped__")
    resposta = inspect.unwrap(resposta)
    try:
        texto = textwrap.dedent(inspect.getsource(resposta))
        (definicao,) = ast.parse(texto).body
    except (OSError, TypeError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(definicao, ast.FunctionDef) or definicao.name != resposta.__code__.co_name:
        return None
    if decorada and not {ast.unparse(d) for d in definicao.decorator_list} <= _SEM_GRADIENTE:
        return None
    if not decorada:
        definicao.decorator_list = []
    if ast.get_docstring(definicao) is not None:
        definicao.body = definicao.body[1:]
    livres = zip(resposta.__code__.co_freevars, resposta.__closure__ or (), strict=True)
    nomes = resposta.__globals__ | {nome: celula.cell_contents for nome, celula in livres}
    antes = resposta.__code__.co_firstlineno - 1
    return Lida(definicao, texto, antes, nomes) if _serve(definicao) else None


def _ler_a_classe(resposta: type) -> Lida | None:
    """O mesmo, de uma classe: o texto é o da célula inteira, que se acha por um dos métodos dela."""
    metodo = next((m for m in vars(resposta).values() if type(m) is types.FunctionType), None)
    if metodo is None:
        return None
    texto = "".join(linecache.getlines(metodo.__code__.co_filename))
    try:
        classes = [no for no in ast.parse(texto).body if isinstance(no, ast.ClassDef) and no.name == resposta.__name__]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not classes or classes[-1].decorator_list or not _serve(classes[-1]):
        return None
    return Lida(classes[-1], texto, 0, dict(metodo.__globals__))


def _serve(definicao: ast.FunctionDef | ast.ClassDef) -> bool:
    if not definicao.body or sum(1 for _ in ast.walk(definicao)) > MAIOR_FUNCAO:
        return False
    try:
        return not _COM_EFEITO.search(ast.unparse(definicao))
    except RecursionError:  # uma conta funda demais; o Python, que a leu, não a reescreve
        return False


@contextlib.contextmanager
def _sorteios_como_estavam() -> Iterator[None]:
    """Uma tentativa pode sortear: quem responde encontra os geradores como os deixou."""
    torch = sys.modules.get("torch")
    do_numpy, do_python = np.random.get_state(), random.getstate()  # noqa: NPY002
    do_torch = torch.get_rng_state() if torch is not None else None
    try:
        yield
    finally:
        np.random.set_state(do_numpy)  # noqa: NPY002
        random.setstate(do_python)
        if torch is not None:
            torch.set_rng_state(do_torch)


class _Busca:
    def __init__(
        self,
        referencia: Referencia,
        resposta: Any,
        definicao: ast.FunctionDef | ast.ClassDef,
        nomes: dict[str, Any],
        registros: list[Registro],
    ):
        self.ref, self.definicao, self.nomes = referencia, definicao, nomes
        self.juiz = Juiz(referencia)
        self.funcoes = [f for f in referencia.depende if f in nomes]
        self.casos = [c.entradas for c in referencia.casos]
        self.i = Julgamento(referencia, registros).certos.index(False)  # o caso de que se fala
        self.nivel = self._nivel(registros[self.i])
        simples = not isinstance(resposta, type) and not hasattr(resposta, "__wrapped__")
        self.padroes = (resposta.__defaults__, resposta.__kwdefaults__) if simples else None
        self.so_sim_ou_nao = set(referencia.tipos) == {"bool"}
        self.fim = time.process_time() + ORCAMENTO
        self.restam = TENTATIVAS

    def achar(self) -> list[tuple[Troca, ...]]:
        """Os consertos de uma troca; se não há nenhum, alguns de duas."""
        achados: list[tuple[Troca, ...]] = []
        promissoras: list[tuple[tuple, Troca]] = []
        for troca in self._trocas():
            nivel = self._com(troca)
            if nivel == CERTA:
                achados.append((troca,))
            elif nivel > self.nivel:
                promissoras.append((nivel, troca))
            if not self._pode_mais():
                return achados
        if not achados:
            promissoras.sort(key=lambda par: par[0], reverse=True)
            for nivel, troca in promissoras[:PROMISSORAS]:
                achados += self._companheiras(nivel, troca, BASTAM - len(achados))
        return achados

    def _companheiras(self, nivel: tuple, primeira: Troca, bastam: int) -> list[tuple[Troca, ...]]:
        achados: list[tuple[Troca, ...]] = []
        primeira.fazer()
        try:
            for segunda in self._trocas():
                if len(achados) >= bastam or not self._pode_mais():
                    break
                if self._com(segunda, nivel) == CERTA:
                    achados.append((primeira, segunda))
        finally:
            primeira.desfazer()
        return achados

    def _trocas(self) -> Iterator[Troca]:
        """Quando a resposta é um sim ou um não, muita troca acerta por acaso: só se tentam as que o decidem."""
        funcoes = [self.definicao] if isinstance(self.definicao, ast.FunctionDef) else _metodos(self.definicao)
        todas = (troca for funcao in funcoes for troca in trocas(funcao, self.funcoes))
        return (t for t in todas if t.que in SEM_ACASO) if self.so_sim_ou_nao else todas

    def _pode_mais(self) -> bool:
        return self.restam > 0 and time.process_time() < self.fim

    def _com(self, troca: Troca, minimo: tuple = ()) -> tuple:
        """A que nível chega a função com a troca: CERTA, se passa em todos os casos visíveis."""
        troca.fazer()
        try:
            funcao = self._compilar()
        finally:
            troca.desfazer()
        self.restam -= 1
        if funcao is None:
            return NADA
        adaptada = self.ref.adaptar(funcao)
        (registro,) = executar(adaptada, [self.casos[self.i]], PRAZO, PRAZO)
        if not self.juiz.acertou(self.i, registro):
            return self._nivel(registro)
        outros = executar(adaptada, self.casos, PRAZO, len(self.casos) * PRAZO)
        certos = Julgamento(self.ref, outros).certos
        return CERTA if all(certos) else (4, certos.count(True))

    def _compilar(self) -> Callable | None:
        modulo = ast.fix_missing_locations(ast.Module([self.definicao], []))
        try:
            exec(compile(modulo, "<conserto>", "exec", dont_inherit=True), self.nomes)
        except Exception:  # uma árvore que o Python não compila, ou um padrão que não se calcula
            return None
        funcao = self.nomes[self.definicao.name]
        if self.padroes is not None:
            funcao.__defaults__, funcao.__kwdefaults__ = self.padroes
        return funcao

    def _nivel(self, registro: Registro) -> tuple:
        """Até onde a função chega no caso: em que linha para, se a estrutura e a forma servem, e quanto está certo."""
        caso = self.ref.casos[self.i]
        if registro.erro is not None:
            onde = re.match(r"(?:em `.*?`, )?linha (\d+)", registro.erro["onde"])
            return (0, int(onde[1]) if onde else 0)
        if "erro" in caso.esperado:
            return (1, 0)
        partes = Leitura(registro, self.ref.tipos).partes
        if isinstance(partes, str):
            return (1, 0)
        certos = [
            batem(p, g, sal_da_saida(self.ref.questao, self.i, n), self.ref.tolerancia)
            for n, (p, g) in enumerate(zip(partes, lista_guardada(caso.esperado), strict=True))
        ]
        com_forma = [c for c in certos if c is not None]
        inteiras = sum(bool(np.all(c)) for c in com_forma)
        return (2, len(com_forma), inteiras)


def _metodos(classe: ast.ClassDef) -> list[ast.FunctionDef]:
    """Os que fazem a conta vêm antes do que só prepara as partes: o tempo é pouco."""
    metodos = [no for no in classe.body if isinstance(no, ast.FunctionDef)]
    return sorted(metodos, key=lambda m: m.name == "__init__")


NADA: tuple = (-1,)
CERTA: tuple = (9,)
