"""O livro de notas em um PostgreSQL de verdade, o dos pacotes do Debian, ligado só para o teste."""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from conftest import RAIZ, entregar, instalar_a_parte

from correcao import demo

LISTA = demo.LISTA
pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def psycopg(tmp_path_factory):
    """A pasta com o que está em locks/postgres.lock, fora do ambiente do curso."""
    return instalar_a_parte("postgres.lock", tmp_path_factory.mktemp("psycopg"))


@pytest.fixture(scope="module")
def livro():
    """O endereço de um banco vazio, em um servidor que só atende por um soquete em uma pasta temporária."""
    achados = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: float(p.parent.parent.name))
    if not achados:
        pytest.skip("não há PostgreSQL: apt install postgresql")
    binarios = achados[-1].parent
    raiz = os.geteuid() == 0  # o servidor se recusa a rodar como root; o pacote do Debian cria este usuário
    como = {"user": "postgres", "group": "postgres", "extra_groups": []} if raiz else {}
    # pasta curta: o caminho de um soquete não passa de uns 100 caracteres
    pasta = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    if raiz:
        shutil.chown(pasta, "postgres", "postgres")
    dados = str(pasta / "dados")

    def chamar(nome, *argumentos):
        comando = [str(binarios / nome), *argumentos]
        registro = pasta / f"{nome}.txt"
        with registro.open("w") as saida:  # um arquivo, e não um cano: o servidor ficaria com ele aberto
            feito = subprocess.run(comando, cwd=pasta, stdout=saida, stderr=saida, **como)
        assert feito.returncode == 0, registro.read_text()

    try:
        chamar("initdb", "-D", dados, "-A", "trust", "-U", "curso", "-E", "UTF8", "--locale=C.UTF-8", "-N")
        chamar("pg_ctl", "-D", dados, "-w", "-o", f"-F -k {pasta} -c listen_addresses=''", "start")
        try:
            chamar("createdb", "-h", str(pasta), "-U", "curso", "livro")
            yield f"postgresql+psycopg://curso@/livro?host={pasta}"
        finally:
            chamar("pg_ctl", "-D", dados, "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(pasta, ignore_errors=True)


def rodar(turma, *argumentos, **variaveis):
    ambiente = {**os.environ, "PYTHONUTF8": "1", "CURSO_TURMA": str(turma), **variaveis}
    comando = [sys.executable, *argumentos]
    return subprocess.run(comando, cwd=RAIZ, env=ambiente, capture_output=True, text=True, encoding="utf-8")


def dois_entregam(turma):
    for i, acerto in enumerate([1.0, 0.0], start=1):
        entregar(turma, LISTA, f"aluno-{i}", demo.respostas(random.Random(i), acerto), "As linhas somam 1.")


LER = """
import json, sys
from correcao.livro.turma import Turma
turma = Turma(sys.argv[1])
print(json.dumps([turma.coursedir.db_url.partition(":")[0], turma.listas(),
                  [(e.aluno, e.nota, e.de, len(e.questoes)) for e in turma.entregas(sys.argv[2])]]))
"""


def test_corrigir_ler_e_devolver_com_as_notas_no_servidor(livro, psycopg, tmp_path):
    dois_entregam(tmp_path)
    no_servidor = {"CURSO_LIVRO": livro, "PYTHONPATH": os.pathsep.join([str(RAIZ), psycopg])}
    feito = rodar(tmp_path, "-m", "correcao.juizo.corrigir", LISTA, "--processos", "1", **no_servidor)
    assert feito.returncode == 0, feito.stdout + feito.stderr
    assert "8 de 10" in feito.stdout and not (tmp_path / "gradebook.db").exists()

    feito = rodar(tmp_path, "-m", "correcao.juizo.corrigir", LISTA, **no_servidor)
    assert feito.returncode == 0 and "2 sem mudança" in feito.stdout  # as notas ficaram lá

    lido = rodar(tmp_path, "-c", LER, str(tmp_path), LISTA, **no_servidor)
    assert lido.returncode == 0, lido.stderr
    esperado = f'["postgresql+psycopg", ["{LISTA}"], [["aluno-1", 8.0, 10.0, 8], ["aluno-2", 0.0, 10.0, 8]]]'
    assert lido.stdout.strip() == esperado

    programa = str(Path(__file__).with_name("ao_mesmo_tempo.py"))
    for questao in ("discussao-1", "discussao-2"):
        feito = rodar(tmp_path, programa, str(tmp_path), LISTA, "aluno-1", questao, **no_servidor)
        assert feito.stdout.strip() == "[1, 3]", feito.stderr  # um leitor gravou, e os outros viram a nota dele

    feito = rodar(tmp_path, "-m", "correcao.devolucao.devolver", LISTA, **no_servidor)
    assert feito.returncode == 0, feito.stderr
    assert len(list((tmp_path / "feedback").glob(f"*/{LISTA}/{LISTA}.html"))) == 2
    assert not (tmp_path / "gradebook.db").exists() and not (tmp_path / "copias").exists()


@pytest.mark.parametrize("endereco", ["postgresql+psycopg://curso@/livro", "não é um endereço"])
def test_sem_o_que_o_servidor_pede_a_frase_diz_como_instalar(endereco, tmp_path):
    dois_entregam(tmp_path)
    feito = rodar(tmp_path, "-m", "correcao.juizo.corrigir", LISTA, CURSO_LIVRO=endereco)
    assert feito.returncode == 1 and "Traceback" not in feito.stderr
    assert "pip install --no-deps -r configuracao/locks/postgres.lock" in feito.stderr.strip().splitlines()[-1]


def test_com_o_servidor_fora_do_ar_nada_se_perde(psycopg, tmp_path):
    dois_entregam(tmp_path)
    caminho = {"PYTHONPATH": os.pathsep.join([str(RAIZ), psycopg])}
    endereco = f"postgresql+psycopg://curso@/livro?host={tmp_path}"
    feito = rodar(tmp_path, "-m", "correcao.juizo.corrigir", LISTA, CURSO_LIVRO=endereco, **caminho)
    assert feito.returncode == 1 and "Traceback" not in feito.stderr
    assert "O livro de notas não respondeu" in feito.stderr and not (tmp_path / "gradebook.db").exists()
