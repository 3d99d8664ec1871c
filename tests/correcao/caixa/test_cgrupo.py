"""O grupo de controle da caixa: em que pasta se faz, que limites recebe, e que quem passa deles morre sozinho."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ENCHER_SOQUETES
from na_caixa import na_caixa

from correcao.caixa import caixa, cgrupo
from correcao.caixa.caixa import Caixa
from correcao.caixa.cgrupo import Grupo


@pytest.fixture
def arvore(tmp_path, monkeypatch):
    """Uma árvore de grupos de mentira, de pastas e arquivos comuns; recebe o que o núcleo diria do nosso processo."""

    def plantar(nosso: str) -> None:
        (tmp_path / "nosso").write_text(nosso)
        monkeypatch.setattr(cgrupo, "_ARVORE", tmp_path)
        monkeypatch.setattr(cgrupo, "_NOSSO", tmp_path / "nosso")

    return plantar


def repartir(pasta: Path, controles: str) -> None:
    pasta.mkdir(parents=True, exist_ok=True)
    (pasta / "cgroup.subtree_control").write_text(controles)


def test_na_primeira_versao_o_grupo_se_faz_dentro_do_nosso(tmp_path, arvore):
    arvore("9:name=systemd:/\n4:cpu,memory:/a/b\n0::/a\n")
    assert list(cgrupo._candidatas()) == [tmp_path / "memory/a/b"]


def test_na_segunda_versao_se_faz_na_pasta_mais_proxima_que_reparte_a_memoria(tmp_path, arvore):
    arvore("0::/user.slice/app.slice/terminal.scope\n")
    repartir(tmp_path / "user.slice/app.slice/terminal.scope", "")
    repartir(tmp_path / "user.slice/app.slice", "cpu memory pids\n")
    repartir(tmp_path / "user.slice", "memory\n")
    repartir(tmp_path, "cpu\n")
    assert list(cgrupo._candidatas()) == [tmp_path / "user.slice/app.slice", tmp_path / "user.slice"]


def test_onde_nao_ha_grupos_nao_se_faz_nenhum(tmp_path, arvore):
    arvore("")
    assert list(cgrupo._candidatas()) == []
    assert cgrupo._fazer(tmp_path / "não há", "x", 100) is None


@pytest.mark.parametrize(
    "do_nucleo, limites",
    [
        (["memory.max", "memory.swap.max"], {"memory.max": "100", "memory.swap.max": "0"}),
        (
            ["memory.limit_in_bytes", "memory.kmem.tcp.limit_in_bytes"],
            {"memory.limit_in_bytes": "100", "memory.kmem.tcp.limit_in_bytes": "100"},
        ),
    ],
    ids=["segunda versão", "primeira versão"],
)
def test_cada_versao_recebe_os_limites_que_tem(tmp_path, monkeypatch, do_nucleo, limites):
    da_casa = Path.mkdir

    def como_o_nucleo(pasta, *resto, **opcoes):
        da_casa(pasta, *resto, **opcoes)
        for nome in do_nucleo:
            (pasta / nome).touch()

    monkeypatch.setattr(Path, "mkdir", como_o_nucleo)
    feito = cgrupo._fazer(tmp_path, "x", 100)
    assert {p.name: p.read_text() for p in feito.pasta.iterdir()} == limites


@pytest.mark.parametrize(
    "arquivos, foi_vitima",
    [
        ({"memory.events": "max 0\noom 0\noom_kill 1\n"}, True),
        ({"memory.events": "max 9\noom 1\noom_kill 1\n"}, False),
        ({"memory.events": "max 0\noom 0\noom_kill 0\n"}, False),
        (
            {"memory.oom_control": "oom_kill 1\n", "memory.limit_in_bytes": "100", "memory.max_usage_in_bytes": "60"},
            True,
        ),
        (
            {"memory.oom_control": "oom_kill 1\n", "memory.limit_in_bytes": "100", "memory.max_usage_in_bytes": "99"},
            False,
        ),
        ({}, False),
    ],
)
def test_o_grupo_sabe_se_quem_morreu_pagou_pela_falta_de_memoria_do_computador(tmp_path, arquivos, foi_vitima):
    for nome, texto in arquivos.items():
        (tmp_path / nome).write_text(texto)
    assert Grupo(tmp_path).foi_vitima() is foi_vitima
    assert not (foi_vitima and Grupo(tmp_path).estourou())


def test_sem_uma_conta_do_pico_nao_se_sabe_que_foi_pouco(tmp_path):
    assert Grupo(tmp_path).pico() == float("inf")
    (tmp_path / "memory.peak").write_text("123\n")
    assert Grupo(tmp_path).pico() == 123


@pytest.mark.parametrize(
    "arquivo, texto, morreu",
    [
        ("memory.events", "low 0\noom 3\noom_kill 0\noom_group_kill 0\n", False),
        ("memory.events", "low 0\noom 3\noom_kill 2\noom_group_kill 0\n", True),
        ("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n", True),
        ("outro", "", False),
    ],
)
def test_o_grupo_sabe_se_alguem_passou_do_limite(tmp_path, arquivo, texto, morreu):
    (tmp_path / arquivo).write_text(texto)
    assert Grupo(tmp_path).estourou() is morreu


@pytest.fixture
def de_verdade():
    feito = Grupo.novo("curso-teste", 300_000_000)
    if feito is None:
        pytest.skip("este sistema não deixa fazer um grupo")
    yield feito
    feito.apagar()
    assert not feito.pasta.exists()


@pytest.mark.lento
def test_quem_enche_soquetes_morre_no_limite_do_grupo_e_so_ele(de_verdade):
    caixa.exigir()
    programa = "import os, time" + ENCHER_SOQUETES
    descricao = Caixa(usuario=caixa.novo_usuario(), grupo=str(de_verdade.pasta))
    feito = subprocess.run(descricao.comando([sys.executable, "-c", programa]), timeout=300)
    assert feito.returncode == 137 and de_verdade.estourou()
    assert subprocess.run(na_caixa("true"), timeout=300).returncode == 0


@pytest.mark.lento
def test_quem_o_nucleo_mata_por_uma_falta_de_memoria_de_fora_e_vitima(de_verdade):
    """O computador que fica sem memória é aqui o grupo de fora, menor do que o de dentro."""
    dentro = cgrupo._fazer(de_verdade.pasta, "curso-dentro", 2**32)
    if dentro is None:
        pytest.skip("este sistema não deixa fazer um grupo dentro de outro")
    entrar = ["/bin/sh", "-c", cgrupo.ENTRAR + 'exec "$@"', "sh", str(dentro.pasta)]
    try:
        feito = subprocess.run([*entrar, sys.executable, "-c", "cheio = b'x' * 400_000_000"], timeout=300)
        assert feito.returncode == -9 and dentro.foi_vitima() and not dentro.estourou()
        assert 10**8 < dentro.pico() < 2**32
    finally:
        dentro.apagar()


def test_um_grupo_vazio_e_velho_e_varrido_e_um_novo_nao(de_verdade, monkeypatch):
    cgrupo.varrer()
    assert de_verdade.pasta.is_dir()
    monkeypatch.setattr(cgrupo, "_VELHO", -1.0)
    cgrupo.varrer()
    assert not de_verdade.pasta.exists()
