"""A memória de quem corrige: nada que uma entrega escreva, pergunte ou responda o faz crescer sem limite.

Cada ataque roda em um processo que só faz isso, e que olha sem parar quanto ele mesmo ocupa.
"""

import json
import logging
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import psutil
import pytest
from conftest import CAIXAS, RAIZ, entregar, por_que_sem_caixa, solucoes
from na_caixa import ROOT, como_comum
from tabela import DIRETO

from correcao.caixa import conversa
from correcao.caixa.conversa import Tarefa
from correcao.caixa.oraculo import Oraculo
from correcao.caixa.quente import quente
from correcao.chegada import reparo
from correcao.comum import memoria
from correcao.comum.anotacao import DEFEITO
from correcao.juizo import corrigir, evidencia, trabalho
from gabarito.base import buscar
from helpers.conferencia.codificacao import codificar

_FOLGA = 150  # MB, além da guarda: as mensagens que se leem entre uma olhada e outra

ATAQUES = {
    "partes vazias": DIRETO + "partes_vazias(4)\ntime.sleep(5)",
    # a primeira derruba a conexão; as outras chegam enquanto se espera para ver se o kernel morreu
    "depois da queda": DIRETO + "do_iopub.send(bytes(25_000_000))\ntime.sleep(0.5)\npartes_vazias(4)\ntime.sleep(5)",
    "colchetes": """
import zmq
kernel, DELIMITADOR = get_ipython().kernel, b"<IDS|MSG>"
fundo = b'{"data": {}, "metadata": {"a": [' + b"[]," * 7_000_000 + b"[]]}}"
sessao = kernel.session
partes = [sessao.pack(sessao.msg_header("display_data")), sessao.pack(kernel.get_parent()), b"{}", fundo]
kernel.iopub_thread.socket.send_multipart([b"x", DELIMITADOR, sessao.sign(partes), *partes])
""",
}


def crescimento(qual: str, ataque: str) -> tuple[str | None, int]:
    """(o motivo que se dá à entrega, quantos MB este processo cresceu)."""
    este, vistos, fim = psutil.Process(), [0], threading.Event()
    da_casa = conversa.Execucao._esperar_pronto

    def olhar():
        while not fim.is_set():
            vistos.append(este.memory_info().rss)
            if vistos[-1] > 2**31:  # o teste não pode tomar a memória do computador
                os._exit(3)
            time.sleep(0.005)

    async def esperar_pronto(self, prazo):
        await da_casa(self, prazo)
        vistos[:] = [este.memory_info().rss]
        threading.Thread(target=olhar, daemon=True).start()

    with pytest.MonkeyPatch.context() as troca:
        troca.setenv(quente.QUAL, qual)
        troca.setattr(conversa.Execucao, "_esperar_pronto", esperar_pronto)
        feito = conversa.executar(Tarefa([ATAQUES[ataque]]), logging.getLogger("teste"))
    fim.set()
    assert feito.defeito is None and bool(feito.fria) is (qual == "fria")
    return feito.motivo, (max(vistos) - vistos[0]) >> 20


def crescimentos() -> dict[str, dict[str, tuple[str | None, int]]]:
    return {qual: {ataque: crescimento(qual, ataque) for ataque in ATAQUES} for qual in CAIXAS}


@pytest.fixture(scope="module", params=["quem corrige", "usuário comum"])
def vistos(request):
    if frase := por_que_sem_caixa():
        pytest.skip(frase)
    programa = f"""
import json, sys
sys.path[:0] = {[str(RAIZ / "tests"), str(Path(__file__).parent)]!r}
from test_memoria import crescimentos
print(json.dumps(crescimentos()))
"""
    if request.param == "quem corrige":
        feito = subprocess.run([sys.executable, "-c", programa], cwd=RAIZ, capture_output=True, text=True)
        assert feito.returncode == 0, feito.stderr
        return json.loads(feito.stdout.splitlines()[-1])
    if not ROOT:
        pytest.skip("os outros testes já rodam como usuário comum")
    casa = Path(tempfile.mkdtemp(dir="/tmp", prefix="cx-"))
    return json.loads(como_comum(casa, programa).splitlines()[-1])


@pytest.mark.lento
@pytest.mark.parametrize("qual", CAIXAS)
@pytest.mark.parametrize("ataque", ATAQUES)
def test_o_que_um_kernel_escreve_nao_passa_da_guarda(vistos, qual, ataque):
    motivo, megabytes = vistos[qual][ataque]
    assert megabytes < conversa._MEMORIA_DA_CORRECAO // 2**20 + _FOLGA
    assert ataque == "colchetes" or "escreveu demais" in motivo  # uma mensagem que não se lê não se mostra, e é tudo


# ---------------------------------------------------------------- o limite do núcleo


def _encher(*_):
    return np.empty(2 * memoria.DE_UMA_ENTREGA, np.uint8)  # só se pede: sem o limite, nada se ocuparia


def _sem_limite() -> bool:
    import resource

    return resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY


so_no_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="só no Linux há o limite")


@so_no_linux
def test_julgar_uma_evidencia_que_enche_a_memoria_e_um_defeito_e_nao_o_fim_da_turma(monkeypatch):
    monkeypatch.setattr(evidencia, "julgar", _encher)
    cheia, seguinte = trabalho.julgar([("lista-02/softmax", "{}")] * 2, 7)
    assert "MemoryError" in cheia["defeito"]["erro"] and "MemoryError" in seguinte["defeito"]["erro"]
    monkeypatch.undo()
    assert _sem_limite() and "veredito" in trabalho.julgar([("lista-02/softmax", "{}")], 7)[0]


@so_no_linux
def test_uma_funcao_do_oraculo_que_enche_a_memoria_vira_um_erro_para_quem_perguntou():
    q, oraculo = buscar("lista-06/vaza_futuro"), Oraculo()
    lugar = oraculo.esconder(q, 0, q.casos[0].entradas)[0]["de_fora"]
    oraculo._funcoes[tuple(lugar)] = _encher, oraculo._funcoes[tuple(lugar)][1]
    pergunta = json.dumps({"lugar": lugar, "entrada": codificar(np.ones((3, 2)))})
    assert json.loads(oraculo.responder(pergunta))["erro"][0] == "MemoryError" and _sem_limite()


@so_no_linux
@pytest.mark.usefixtures("com_ou_sem_caixa")
def test_ler_um_notebook_que_enche_a_memoria_so_custa_a_correcao_dele(tmp_path, monkeypatch):
    lista = "lista-01-produto-escalar"
    da_casa = reparo.reparar
    cheia = entregar(tmp_path, lista, "cheia", solucoes(lista)).read_bytes()
    entregar(tmp_path, lista, "outra", {nome: f"# outra\n{texto}" for nome, texto in solucoes(lista).items()})
    monkeypatch.setattr(reparo, "reparar", lambda bruto, *r: _encher() if bruto == cheia else da_casa(bruto, *r))
    situacoes = {s.aluno: s for s in corrigir.corrigir(lista, tmp_path)}
    assert situacoes["cheia"].motivo == DEFEITO and situacoes["outra"].motivo is None
    assert situacoes["outra"].nota > 0 and _sem_limite()
