"""A caixa quente promete o mesmo que a fria; e a mãe dela, que nada de uma entrega chega a outra."""

import copy
import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import nbformat
import psutil
import pytest
from conftest import CAIXAS, RAIZ, entregar, por_que_sem_caixa, solucoes, vivo
from na_caixa import ROOT, como_comum, executar, textos

from correcao.caixa import conversa
from correcao.caixa.caixa import Limites
from correcao.caixa.conversa import Resultado, Tarefa
from correcao.caixa.quente import quente
from correcao.juizo import corrigir
from helpers import indice

pytestmark = pytest.mark.lento
LISTA = "lista-01-produto-escalar"
LOG = logging.getLogger("teste")


@pytest.fixture(scope="module", autouse=True)
def _ha_caixa():
    if frase := por_que_sem_caixa():
        pytest.skip(frase)
    yield
    quente.fechar()


def rodar(*celulas: str, fria: str | None = None, **limites) -> Resultado:
    """Na caixa quente, a menos que se espere a fria, pelo motivo que se dá."""
    feito = conversa.executar(Tarefa(list(celulas), limites=Limites(**limites)), LOG)
    assert feito.fria == fria
    return feito


def dito(resultado: Resultado, celula: int = -1) -> str:
    erros = [s for saidas in resultado.saidas for s in saidas if s["output_type"] == "error"]
    assert (erros, resultado.motivo) == ([], None)
    return textos(resultado.saidas[celula])


# ---------------------------------------------------------------- as duas, vistas de dentro

# O que difere entre as duas, e por quê. O resto é igual, campo a campo.
DIFERENCAS = {
    "dev /dev/core": "o bubblewrap faz um atalho para /proc/kcore, que na caixa não se abre",
    "flags dont_write_bytecode": "a mãe guarda os .pyc do que importa; o kernel, como na fria, não",
    "descritores": "os números e a quantidade são do acaso do zmq; os tipos são os mesmos, menos a entrada padrão",
    "o primeiro": "na fria é o bubblewrap; na quente, um Python que, também para um usuário comum, não se deixa ler",
    "montagens proc": "em um espaço de usuários o bubblewrap não precisa proteger o que em /proc fala com o núcleo",
    "montagens programa": "o Python da mãe roda de um lugar só de leitura, que se vê na tabela",
    "escritas": "a quente responde que o sistema é só de leitura, e a fria que não há permissão, ou o contrário",
}
SEM_ESCRITA = ("Permission denied", "Read-only file system", "Operation not permitted", "No such file or directory")


def retratos() -> dict[str, dict]:
    """{caixa: o retrato dela}; roda também como usuário comum."""
    codigo, feitos = (Path(__file__).with_name("retrato.py")).read_text(encoding="utf-8"), {}
    for qual in CAIXAS:
        os.environ[quente.QUAL] = qual
        feito = rodar(codigo, fria=None if qual == "quente" else "pediu-se a fria")
        feitos[qual] = json.loads(dito(feito))
    return feitos


_DOS_TESTES = [RAIZ / "tests", *Path(__file__).parents[:2]]  # de onde o outro Python importa


def _como_comum(pasta: Path) -> dict[str, dict]:
    programa = (
        f"import json, sys; sys.path[:0] = {[str(p) for p in _DOS_TESTES]!r}\n"
        "from test_quente import retratos; print(json.dumps(retratos()))"
    )
    return json.loads(como_comum(pasta, programa).splitlines()[-1])


@pytest.fixture(scope="module", params=["quem corrige", "usuário comum"])
def vistas(request, tmp_path_factory):
    if request.param == "quem corrige":
        with pytest.MonkeyPatch.context() as troca:
            troca.setenv(quente.QUAL, "quente")
            troca.setenv("TZ", "America/Sao_Paulo")
            return retratos()
    if not ROOT:
        pytest.skip("os outros testes já rodam como usuário comum")
    return _como_comum(Path("/tmp") / f"cx-{os.getpid()}-{time.time_ns()}")


def test_as_duas_caixas_vistas_de_dentro_so_diferem_no_que_se_disse(vistas):
    q, f = (copy.deepcopy(vistas[qual]) for qual in CAIXAS)
    assert set(q) == set(f)
    assert f["dev"].pop("/dev/core") and "/dev/core" not in q["dev"]
    assert (q["flags"].pop("dont_write_bytecode"), f["flags"].pop("dont_write_bytecode")) == (0, 1)
    for retrato in (q, f):
        tipos = set(retrato.pop("descritores"))
        assert tipos <= {"/dev/null", "pipe", "socket", "anon_inode:[eventpoll]", "anon_inode:[eventfd]"}
        escritas = retrato.pop("escritas")
        assert set(escritas.values()) <= set(SEM_ESCRITA)
        primeiro = retrato.pop("o primeiro")
        assert primeiro["oom_score_adj"] == "1000\n"
        assert primeiro["mudar o programa"] in SEM_ESCRITA and primeiro["datar o programa"] in SEM_ESCRITA
        assert "mudou" not in str(retrato["eu"])
        # o programa de que a mãe partiu, e o que em /proc se protege
        retrato["montagens"] = {
            ponto: opcoes
            for ponto, opcoes in retrato["montagens"].items()
            if ponto != os.path.realpath(sys.executable) and not ponto.startswith("/proc/")
        }
    for campo in q:
        assert q[campo] == f[campo], campo


def test_o_primeiro_processo_da_caixa_quente_nao_se_deixa_ler_nem_mudar(vistas):
    primeiro = vistas["quente"]["o primeiro"]
    for nome in ("environ", "mem", "mem, para escrever", "maps", "auxv", "fd", "map_files", "root", "cwd"):
        assert primeiro[nome] == "Permission denied", nome
    assert primeiro["mudar o programa"] == "Permission denied"


def test_por_dentro_o_que_nao_se_pode_e_o_mesmo_de_sempre(vistas):
    """O que faz de uma caixa uma caixa, sem comparar: as duas poderiam errar juntas."""
    for retrato in vistas.values():
        estado = retrato["estado"]
        assert {v for campo, valores in estado.items() if campo.startswith("Cap") for v in valores} == {"0" * 16}
        assert estado["NoNewPrivs"] == ["1"] and estado["Seccomp"] == ["2"] and estado["Seccomp_filters"] == ["1"]
        assert retrato["nome"][0] == "caixa" and retrato["rede"][0] == [[1, "lo"]]
        assert retrato["processos"][:2] == [1, 2] and retrato["sessão"][3] == 1
        assert retrato["espaço de usuários"] == [-1, "Operation not permitted"]
        assert "/proc" in retrato["montagens"] and "gabarito" not in str(retrato["montagens"])
        graves = [o for p, o in retrato["montagens"].items() if "nosuid" not in o]
        assert graves == [] and retrato["terminal"] != "abre"
        assert retrato["do curso"] == [] and retrato["módulos"].count("") == 1
        assert retrato["eu"]["mudar o programa"] == "Read-only file system"


def test_as_diferencas_tem_cada_uma_o_seu_motivo():
    assert len(DIFERENCAS) == len(set(DIFERENCAS.values())) < 10


# ---------------------------------------------------------------- segredos plantados

# Nem o que se procura nem o que se achou podem estar, por extenso, na memória de quem procura: tudo passa por uma troca
# de bytes, e o que se tem na mão é o resultado dela.
_TROCA = bytes((b * 7 + 3) % 256 for b in range(256))
MARCA = b"CANARIO-3c1f"
SEMENTE = 6_917_263_540_918_273_645  # como texto e como os oito bytes de um inteiro
PROCURAR = f"""
import os, re
troca = bytes((b * 7 + 3) % 256 for b in range(256))
volta = bytes(troca.index(b) for b in range(256))
agulha, achados = {MARCA.translate(_TROCA)!r}, set()
proprio = (agulha + b"/proprio/".translate(troca)).translate(volta)

sementes = {[str(SEMENTE).encode().translate(_TROCA), SEMENTE.to_bytes(8, "little").translate(_TROCA)]!r}

def olhar(pedaco):
    pedaco = pedaco.translate(troca)
    if any(s in pedaco for s in sementes):
        achados.add(b"/semente/".translate(troca))
    onde = pedaco.find(agulha)
    while onde >= 0:
        achados.add(pedaco[onde + len(agulha):onde + len(agulha) + 12])
        onde = pedaco.find(agulha, onde + 1)

def memoria(pid):
    with open(f"/proc/{{pid}}/mem", "rb", 0) as mem:
        for linha in open(f"/proc/{{pid}}/maps").read().splitlines():
            inicio, fim = (int(n, 16) for n in linha.split()[0].split("-"))
            if linha.split()[1][0] != "r" or "[v" in linha:
                continue
            for i in range(inicio, fim, 1 << 20):
                try:
                    mem.seek(i)
                    olhar(mem.read(min((1 << 20) + 64, fim - i)))
                except (OSError, ValueError, OverflowError):
                    break

lidas = []
for pid in [n for n in os.listdir("/proc") if n.isdigit()]:
    for nome in ("environ", "cmdline", "mountinfo", "cgroup", "maps", "status"):
        try:
            olhar(open(f"/proc/{{pid}}/{{nome}}", "rb").read())
        except OSError:
            pass
    try:
        memoria(pid)
        lidas.append(pid)
    except OSError:
        pass
for n in os.listdir("/proc/self/fd"):
    try:
        olhar(os.readlink(f"/proc/self/fd/{{n}}").encode())
    except OSError:
        pass
for chave, valor in os.environ.items():
    olhar(f"{{chave}}={{valor}}".encode())
print("lidas", os.getpid() in map(int, lidas), "1" in lidas)
print("achados", sorted({{a.translate(volta).split(b"/")[1].decode("latin-1") for a in achados}}))
"""


def canario(onde: str) -> str:
    return f"{MARCA.decode()}/{onde}/"


def test_quem_procura_acha_o_que_esta_na_propria_memoria_e_so_isso():
    feito = rodar(f"guardado = {canario('guardado')!r}, '{SEMENTE}'", PROCURAR)
    assert dito(feito).splitlines() == ["lidas True False", "achados ['guardado', 'proprio', 'semente']"]


@pytest.mark.parametrize("processos", [1, 2])
def test_de_dentro_nao_se_acha_segredo_de_quem_corrige_nem_da_entrega_anterior(tmp_path, monkeypatch, processos):
    """No ambiente, no nome de uma entrega, no código, na saída e nos arquivos de quem veio antes."""
    certas = solucoes(LISTA)
    segredo = f"x = {canario('colega')!r}\nprint(x)\nopen('/tmp/x', 'w').write(x)\nimport os; os.environ['X'] = x\n"
    turma = tmp_path / canario("pasta").replace("/", "-")
    primeira = next(iter(certas))
    da_colega = f"aaa {canario('aluno').replace('/', '.')}"
    entregar(turma, LISTA, da_colega, certas | {primeira: segredo + certas[primeira]})
    entregar(turma, LISTA, "zeca", certas | {primeira: PROCURAR + "\n" + certas[primeira]})
    monkeypatch.setenv("CURSO_TURMA", str(turma))
    monkeypatch.setenv("UM_TOKEN", canario("ambiente"))
    quente.fechar()  # outra mãe, que nasce com o segredo no ambiente de quem a faz
    monkeypatch.setattr("correcao.juizo.preprocessadores.secrets.randbits", lambda _: SEMENTE)
    corrigir.corrigir(LISTA, turma, [da_colega], processos=1)
    corrigir.corrigir(LISTA, turma, processos=processos)
    nb = nbformat.read(turma / "autograded" / "zeca" / LISTA / f"{LISTA}.ipynb", as_version=4)
    saida = next(textos(c.outputs) for c in nb.cells if "achados" in textos(c.get("outputs", [])))
    assert saida.splitlines() == ["lidas True False", "achados ['proprio']"]


# ---------------------------------------------------------------- nada passa de uma entrega a outra

VER = """
import builtins, ctypes, glob, json, multiprocessing, os, random, secrets, signal, socket, sys, tempfile, threading
import uuid
import matplotlib.pyplot as plt, numpy as np, torch
import helpers.conferir
libc = ctypes.CDLL(None)
fixo = {
    "módulos": [hasattr(m, "suja") for m in (np, torch, plt, helpers.conferir, builtins, json, os)],
    "funções": [f.__module__ for f in (np.mean, helpers.conferir.conferir, json.dumps)] + [repr(len)],
    "inventados": "suja" in sys.modules,
    "arquivos": sorted(glob.glob("/tmp/**/suja*", recursive=True) + os.listdir("/dev/shm") + os.listdir(".")),
    "ambiente": os.environ.get("SUJA"),
    "sinais": [str(signal.getsignal(s)) for s in (signal.SIGUSR1, signal.SIGALRM, signal.SIGTERM)],
    "alarme": signal.alarm(0),
    "figuras": (plt.get_fignums(), plt.rcParams["figure.dpi"], plt.rcParams["lines.linewidth"]),
    "torch": (str(torch.get_default_dtype()), torch.get_num_threads(), torch.is_grad_enabled()),
    "numpy": (np.geterr()["divide"], np.get_printoptions()["precision"]),
    "python": (sys.getrecursionlimit(), sys.path.count("/suja"), os.umask(0o022), os.getpriority(0, 0)),
    "threads": threading.active_count() < 20,
    "processos": len([n for n in os.listdir("/proc") if n.isdigit()]),
    "memória comum": (libc.shmget(4321, 4096, 0), libc.semget(4321, 1, 0), libc.msgget(4321, 0)),
    "soquete": socket.socket(socket.AF_UNIX).connect_ex("\\0suja"),
    "limites": __import__("resource").getrlimit(0),
}
acaso = {
    "random": random.random(), "numpy": np.random.rand(), "torch": torch.rand(1).item(),
    "default_rng": np.random.default_rng().random(), "uuid4": str(uuid.uuid4()), "uuid1": str(uuid.uuid1()),
    "secrets": secrets.token_hex(), "tempfile": os.path.basename(tempfile.mktemp()), "urandom": os.urandom(8).hex(),
    "chave": multiprocessing.current_process().authkey.hex(),
}
for nome, modulo in list(sys.modules.items()):
    for chave, valor in list(vars(modulo).items()) if modulo is not None and hasattr(modulo, "__dict__") else []:
        if type(valor) is random.Random:
            acaso[f"{nome}.{chave}"] = repr(valor.getstate())[:200]
print(json.dumps([fixo, acaso]))
"""
SUJAR = """
import builtins, ctypes, os, random, signal, socket, sys, time, types
import json, matplotlib.pyplot as plt, numpy as np, torch
import helpers.conferir
for m in (np, torch, plt, helpers.conferir, builtins, json, os):
    m.suja = True
original = json.dumps
np.mean = helpers.conferir.conferir = lambda *a: 7
sys.modules["suja"] = types.ModuleType("suja")
for arquivo in ("/tmp/suja", "/dev/shm/suja", "suja", os.path.expanduser("~/suja")):
    open(arquivo, "w").write("x")
os.environ["SUJA"] = "1"
signal.signal(signal.SIGUSR1, lambda *a: None)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.alarm(3600)
plt.figure().set_visible(False); plt.rcParams["figure.dpi"] = 7; plt.rcParams["lines.linewidth"] = 77
torch.set_default_dtype(torch.float64); torch.set_num_threads(2); torch.set_grad_enabled(False)
np.seterr(divide="raise"); np.set_printoptions(precision=1)
random.seed(0); np.random.seed(0); torch.manual_seed(0)
sys.setrecursionlimit(777); sys.path.append("/suja"); os.umask(0); os.nice(5)
libc = ctypes.CDLL(None)
print(libc.shmget(4321, 4096, 0o1666) >= 0, libc.semget(4321, 1, 0o1666) >= 0, libc.msgget(4321, 0o1666) >= 0)
soquete = socket.socket(socket.AF_UNIX); soquete.bind("\\0suja"); soquete.listen()
if os.fork() == 0:  # um neto que ninguém espera, com o soquete aberto
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "<<MARCA>>"])
    os._exit(0)
print(os.path.exists("/tmp/suja"), np.mean(3))
"""


def _com(marca: str) -> list[int]:
    return [p.pid for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", marca]]


def _ate(condicao, segundos: float = 300) -> None:
    prazo = time.monotonic() + segundos
    while not condicao():
        assert time.monotonic() < prazo
        time.sleep(0.02)


def _marca() -> str:
    return f"{time.time_ns() % 10**9}.{os.getpid() % 1000:03d}"


def test_nada_do_que_uma_entrega_faz_aparece_na_seguinte_nem_na_vizinha():
    marca = _marca()
    fixo, acaso = json.loads(dito(rodar(VER)))
    suja = conversa.Execucao(Tarefa([SUJAR.replace("<<MARCA>>", marca)]), LOG)
    try:
        conversa._partir(suja, LOG)
        conversa.run_sync(suja.rodar)()
        assert dito(suja.resultado).startswith("True True True\nTrue 7\n")  # sujou mesmo
        _ate(lambda: _com(marca))
        com_a_vizinha = json.loads(dito(rodar(VER)))
    finally:
        conversa.run_sync(suja.encerrar)()
    assert _com(marca) == []
    depois = json.loads(dito(rodar(VER)))
    assert com_a_vizinha[0] == depois[0] == fixo
    assert "random._inst" in acaso  # os geradores que os módulos guardam foram vistos
    for nome in acaso:
        assert len({acaso[nome], com_a_vizinha[1][nome], depois[1][nome]}) == 3, nome


def test_um_modulo_escrito_ao_lado_do_notebook_se_importa(cada_caixa):
    feito = conversa.executar(Tarefa(["open('meu.py', 'w').write('x = 42')", "import meu; print(meu.x)"]), LOG)
    assert dito(feito) == "42\n"


def test_o_fuso_e_a_semente_do_python_que_o_instrutor_pede_valem_na_caixa(cada_caixa, monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("PYTHONHASHSEED", "0")
    quente.fechar()
    codigo = "import time; print(time.localtime(0).tm_hour, hash('a' * 20) == hash('a' * 20), hash('curso'))"
    esperado = subprocess.run([sys.executable, "-c", codigo], capture_output=True, text=True).stdout
    assert dito(conversa.executar(Tarefa([codigo]), LOG)) == esperado
    quente.fechar()


# ---------------------------------------------------------------- a mãe


def _mae() -> psutil.Process:
    processo = quente._DESTE_PROCESSO[0]._processo
    assert processo is not None
    return psutil.Process(processo.pid)


def test_a_mae_tem_o_ambiente_vazio_uma_thread_e_nada_do_gabarito(monkeypatch):
    monkeypatch.setenv("UM_TOKEN", "segredo")
    quente.fechar()
    vistos = dito(rodar("import sys; print(*sorted({m.partition('.')[0] for m in sys.modules}))")).split()
    assert not {"gabarito", "correcao", "nbgrader", "psutil", "tests"} & set(vistos)
    assert {"numpy", "matplotlib", "helpers", "ipykernel"} <= set(vistos)
    mae = Path("/proc", str(_mae().pid))
    assert (mae / "environ").read_bytes().strip(b"\0") == b""
    assert len(list((mae / "task").iterdir())) == 1
    comando = (mae / "cmdline").read_text()
    assert "submitted" not in comando and str(RAIZ / "correcao" / "caixa" / "quente" / "mae.py") in comando
    mapas = (mae / "maps").read_text()
    assert "gabarito" not in mapas
    abertos = [os.readlink(p) for p in (mae / "fd").iterdir()]
    assert len(abertos) == 4 and not [a for a in abertos if a.startswith("/") and a != "/dev/null"]


@pytest.mark.parametrize("nome", indice.listas())
def test_a_mae_de_uma_lista_ja_tem_o_que_o_gabarito_dela_pede_e_nada_do_que_as_outras_pedem(nome):
    lista = indice.listas()[nome]
    emitida = nbformat.read(RAIZ / "release" / lista.pasta / f"{lista.pasta}.ipynb", as_version=4)
    pedida = quente.receita("\n".join(c.source for c in emitida.cells if c.cell_type == "code"))
    assert pedida <= set(quente.TUDO)
    assert pedida - {"torch", "controles"} == set(lista.aquecer)


def test_a_mae_que_morre_e_trocada(monkeypatch):
    rodar("1")
    velha = _mae()
    velha.kill()
    assert dito(rodar("print('nova')")) == "nova\n"
    assert _mae().pid != velha.pid


def test_quem_estava_na_mao_da_mae_que_morreu_roda_outra_vez_e_nao_perde_nada(segunda_vez):
    marca, codigo = _marca(), "import os, subprocess\nif os.environ['TZ'] == 'primeira':\n    subprocess.run({!r})\n"
    quente.fechar()

    def matar() -> None:
        _ate(lambda: _com(marca))
        _mae().kill()

    assassina = threading.Thread(target=matar)
    assassina.start()
    saidas, curso = executar(codigo.format(["sleep", marca]) + "print('feito')", "print('fim')")
    assassina.join()
    assert [textos(s) for s in saidas] == ["feito\n", "fim\n"] and (curso.motivo, curso.defeito) == (None, None)
    assert _com(marca) == []


@pytest.fixture
def outra_mae(monkeypatch, tmp_path):
    """Põe no lugar do programa da mãe um que se escreve aqui; depois, a de sempre."""

    def trocar(texto: str) -> None:
        (tmp_path / "mae.py").write_text(texto, encoding="utf-8")
        monkeypatch.setattr(quente, "_PROGRAMA", tmp_path / "mae.py")
        quente.fechar()

    yield trocar
    quente.fechar()


def test_a_mae_com_mais_de_uma_thread_e_trocada_antes_de_se_dividir(outra_mae, tmp_path):
    texto = (RAIZ / "correcao" / "caixa" / "quente" / "mae.py").read_text(encoding="utf-8")
    aviso, nasceu = tmp_path / "ja-nasceu", "    _aquecer(receita, fontes)\n"
    assert texto.count(nasceu) == 1
    com_outra = f"""    with open({str(aviso)!r}, "a") as arquivo:
        arquivo.write("x")
    if os.path.getsize({str(aviso)!r}) == 1:
        import threading

        threading.Thread(target=signal.pause, daemon=True).start()
"""
    outra_mae(texto.replace(nasceu, nasceu + com_outra))
    assert dito(rodar("print('feito')")) == "feito\n"
    assert aviso.read_text() == "xx"


def test_o_operario_nao_olha_os_modulos_da_mae_que_herdou(monkeypatch):
    monkeypatch.setattr(quente, "impressao", lambda: pytest.fail("olhou"))
    herdada = quente.Mae(None, ["torch"], herdada=True)
    assert herdada.serve_para(["torch"]) and not herdada.serve_para(["torch", "llm"])


def test_a_mae_sem_pedidos_sai_da_memoria_e_volta_quando_alguem_precisa_dela(outra_mae):
    texto = (RAIZ / "correcao" / "caixa" / "quente" / "mae.py").read_text(encoding="utf-8")
    assert texto.count("_OCIOSA = 300.0") == 1
    outra_mae(texto.replace("_OCIOSA = 300.0", "_OCIOSA = 0.2"))
    for i in range(5):  # sair por não ter o que fazer não é morrer: não há conta de quantas vezes
        assert dito(rodar(f"import time; time.sleep({i % 2}); print('feito')")) == "feito\n"  # nem sai no meio de uma
        processo = quente._DESTE_PROCESSO[0]._processo
        _ate(lambda processo=processo: processo.poll() == 0)


def test_se_a_mae_nao_nasce_usa_se_a_fria_sem_demora_e_isso_e_dito(outra_mae):
    outra_mae("import sys; sys.exit('não nasci')")
    inicio = time.monotonic()
    for _ in range(2):
        assert dito(rodar("print('feito')", fria="não nasci")) == "feito\n"
    assert time.monotonic() - inicio < quente._NASCER  # não se esperou por quem não vem


def test_se_a_caixa_quente_nao_se_faz_o_motivo_e_o_do_sistema(outra_mae):
    texto = (RAIZ / "correcao" / "caixa" / "quente" / "mae.py").read_text(encoding="utf-8")
    monta = '_montar("tmpfs", "/tmp", "tmpfs"'
    assert monta in texto
    outra_mae(texto.replace(monta, '_montar("não há", "/tmp", "não há"'))
    motivo = "OSError: [Errno 19] mount não há /tmp: No such device"
    assert dito(rodar("print('feito')", fria=motivo)) == "feito\n"


def test_uma_mae_que_nao_responde_tambem_e_dita(outra_mae, monkeypatch):
    monkeypatch.setattr(quente, "_NASCER", 0.5)
    outra_mae("import time; time.sleep(600)")
    assert dito(rodar("print('feito')", fria="a mãe não respondeu a tempo")) == "feito\n"


def test_um_kernel_que_so_parte_na_fria_tambem_o_diz(outra_mae):
    texto = (RAIZ / "correcao" / "caixa" / "quente" / "mae.py").read_text(encoding="utf-8")
    assert texto.count("    aplicacao.start()\n") == 1
    outra_mae(texto.replace("    aplicacao.start()\n", "    raise SystemExit('torto')\n"))
    feito = conversa.executar(Tarefa(["print('feito')"]), LOG)
    assert dito(feito) == "feito\n" and "na quente o kernel não partiu" in feito.fria


_CORRETOR = """
import logging, sys
sys.path.insert(0, {raiz!r})
from correcao.caixa.conversa import Tarefa, executar
executar(Tarefa([{celula!r}, "import time; time.sleep(3600)"]), logging.getLogger())
"""


@pytest.mark.parametrize("morre", ["quem corrige", "o vigia"])
def test_morto_quem_corrige_ou_o_vigia_nao_sobra_ninguem(temporarios, morre):
    marca = _marca()
    celula = f"""
import os
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "{marca}"])
    os._exit(0)
"""
    programa = _CORRETOR.format(raiz=str(RAIZ), celula=celula)
    ambiente = os.environ | {"TMPDIR": str(temporarios), quente.QUAL: "quente"}
    with subprocess.Popen([sys.executable, "-c", programa], cwd=RAIZ, env=ambiente, stderr=subprocess.PIPE) as corretor:
        _ate(lambda: _com(marca))
        netos = psutil.Process(corretor.pid).children(recursive=True)
        neto = psutil.Process(_com(marca)[0])
        ancestrais = neto.parents()
        assert [p for p in netos if vivo(p) and "bwrap" in p.name()] == []  # é mesmo a quente
        vigia = ancestrais[[p.pid for p in ancestrais].index(corretor.pid) - 2]
        (psutil.Process(corretor.pid) if morre == "quem corrige" else vigia).send_signal(signal.SIGKILL)
        _ate(lambda: not _com(marca))
        if morre == "o vigia":
            corretor.kill()
        _ate(lambda: not [p for p in netos if vivo(p)])


def test_o_que_a_mae_importa_vem_da_lista_dada_a_turma_e_nao_do_que_o_aluno_escreveu(monkeypatch):
    """Um comentário em uma entrega da lista 01 fazia nascer outra mãe, com o torch e o LLM."""
    pedidas = []
    da_casa = quente.mae
    monkeypatch.setattr(quente, "mae", lambda quer: pedidas.append(set(quer)) or da_casa(()))
    comentario = '# import torch; conferir("lista-10/transplantar"); conferir("lista-08/x"); import helpers.explorar'
    conversa.executar(Tarefa([comentario], pedido='{"lista-01/produto": 1}'), LOG)
    conversa.executar(Tarefa([comentario]), LOG)
    assert pedidas == [set(quente.receita_do_pedido('"lista-01/')), set()] and "torch" not in pedidas[0]
    assert quente.receita_do_pedido('"lista-08/') >= {"torch", "otimizadores"}
