"""Um empate é julgado do mesmo jeito em todo processador: quem ordena sem guardar a ordem dos empatados é recusado.

O NumPy escolhe a ordenação pelas instruções que o processador tem; `NPY_DISABLE_CPU_FEATURES` as esconde dele.
"""

import json
import os
import subprocess
import sys

import pytest
from conftest import RAIZ

from helpers.conferencia import pistas

CABECALHO = "import numpy as np\nimport torch\n\ndef mais_parecido(X, n):\n    s = X @ X[n]\n"
INSTAVEIS = {
    "do maior para o menor": "    s[n] = -np.inf\n    return int(np.argsort(-s)[0])",
    "em float32": "    s[n] = -np.inf\n    return int(np.argsort(-s.astype(np.float32))[0])",
    "o último": "    s[n] = -np.inf\n    return int(np.argsort(s)[-1])",
    "do avesso": "    s[n] = -np.inf\n    return int(np.argsort(s)[::-1][0])",
    "pula n": "    return int([i for i in np.argsort(-s) if i != n][0])",
    "pula n do avesso": "    return int([i for i in np.argsort(s)[::-1] if i != n][0])",
    "apaga n": "    i = int(np.argsort(-np.delete(s, n))[0])\n    return i + (i >= n)",
    "do torch": "    s[n] = -np.inf\n    return int(torch.argsort(torch.tensor(s), descending=True)[0])",
}
ESTAVEIS = {
    "estável": '    s[n] = -np.inf\n    return int(np.argsort(-s, kind="stable")[0])',
    "argmax": "    s[n] = -np.inf\n    return int(np.argmax(s))",
}
SEM = ["", "X86_V4 AVX512_ICL AVX512_SPR AVX512F AVX512_SKX", "X86_V3 X86_V4 AVX512_ICL AVX512_SPR AVX512_SKX AVX2"]
PROGRAMA = """
import json, sys, warnings
warnings.simplefilter("ignore")  # o NumPy avisa do que este processador não tem
from gabarito.base import buscar
from helpers.conferencia.execucao import executar
from helpers.conferencia.juiz import Julgamento

q, certos = buscar("lista-01/mais_parecido"), {}
rodadas = [q.visivel(com_equivocos=False), *(q.so_oculta(s) for s in (0, 1))]
for nome, texto in json.load(sys.stdin).items():
    nomes = {}
    exec(texto, nomes)
    certos[nome] = [
        Julgamento(r, executar(nomes["mais_parecido"], [c.entradas for c in r.casos])).certa for r in rodadas
    ]
print(json.dumps(certos))
"""


@pytest.mark.parametrize("escondidas", SEM, ids=["com tudo", "sem AVX-512", "sem AVX2"])
def test_quem_ordena_sem_guardar_a_ordem_dos_empatados_e_recusado_em_todo_processador(escondidas):
    textos = {nome: CABECALHO + corpo for nome, corpo in (INSTAVEIS | ESTAVEIS).items()}
    feito = subprocess.run(
        [sys.executable, "-c", PROGRAMA],
        input=json.dumps(textos),
        env=os.environ | {"NPY_DISABLE_CPU_FEATURES": escondidas, "PYTHONPATH": str(RAIZ)},
        cwd=RAIZ,
        capture_output=True,
        text=True,
    )
    assert feito.returncode == 0, feito.stderr
    certos = json.loads(feito.stdout)
    assert {nome for nome, rodadas in certos.items() if any(rodadas)} == set(ESTAVEIS)
    assert all(all(certos[nome]) for nome in ESTAVEIS)


@pytest.mark.parametrize("corpo", [*INSTAVEIS.values(), *ESTAVEIS.values()], ids=[*INSTAVEIS, *ESTAVEIS])
def test_a_ordenacao_que_nao_guarda_os_empatados_e_dita_e_so_ela(corpo, tmp_path):
    (tmp_path / "resposta.py").write_text(CABECALHO + corpo, encoding="utf-8")
    nomes: dict = {}
    exec(compile(CABECALHO + corpo, tmp_path / "resposta.py", "exec"), nomes)
    achou = pistas.ORDEM_INSTAVEL in pistas.procurar(nomes["mais_parecido"])
    assert achou == (corpo in INSTAVEIS.values())
