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

import psutil
import pytest
from conftest import CAIXAS, RAIZ, por_que_sem_caixa
from na_caixa import ROOT, como_comum
from tabela import DIRETO

from correcao.caixa import conversa
from correcao.caixa.conversa import Tarefa
from correcao.caixa.quente import quente

_FOLGA = 150  # MB, além da guarda: as mensagens que se leem entre uma olhada e outra

# Uma mensagem bem assinada, com o conteúdo que se quiser.
ASSINADA = """
def mandar(conteudo):
    kernel = get_ipython().kernel
    sessao = kernel.session
    partes = [sessao.pack(sessao.msg_header("display_data")), sessao.pack(kernel.get_parent()), b"{}", conteudo]
    kernel.iopub_thread.socket.send_multipart([b"x", b"<IDS|MSG>", sessao.sign(partes), *partes])
"""

ATAQUES = {
    "partes vazias": DIRETO + "partes_vazias(4)\ntime.sleep(5)",
    # a primeira derruba a conexão; as outras chegam enquanto se espera para ver se o kernel morreu
    "depois da queda": DIRETO + "do_iopub.send(bytes(25_000_000))\ntime.sleep(0.5)\npartes_vazias(4)\ntime.sleep(5)",
    "colchetes": ASSINADA
    + """
mandar(b'{"data": {}, "metadata": {"a": [' + b"[]," * 7_000_000 + b"[]]}}")
""",
    # números que o JSON leva segundos para ler; enquanto isso chegam mensagens do maior tamanho que se aceita
    "números": DIRETO
    + ASSINADA
    + """
grande = b"\\2" + (23_000_000).to_bytes(8, "big") + bytes(23_000_000)
mandar(b'{"data": {}, "metadata": {"a": [' + b"5e-324," * 3_000_000 + b"0]}}")
time.sleep(0.3)
soquete = next(ligados())
soquete.setblocking(True)
while True:
    soquete.sendall(grande)
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
from test_guarda import crescimentos
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
