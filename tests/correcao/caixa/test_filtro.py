"""O filtro de chamadas ao sistema: um BPF de mentira executa, um a um, os bytes que o núcleo executaria."""

import os
import struct

import pytest

from correcao.caixa import caixa, filtro

PASSA, ERRO = 0x7FFF_0000, 0x0005_0000
EPERM, ENOSYS, EAFNOSUPPORT = 1, 38, 97
MAQUINAS = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
# De cabeça do núcleo, e não do filtro: o que um kernel do Jupyter usa o tempo todo.
COMUNS = {
    "x86_64": {"read": 0, "write": 1, "mmap": 9, "socketpair": 53, "fork": 57, "execve": 59, "openat": 257},
    "aarch64": {"read": 63, "write": 64, "mmap": 222, "socketpair": 199, "execve": 221, "openat": 56},
}
NEGADAS = {
    "x86_64": {"ptrace": 101, "mount": 165, "keyctl": 250, "unshare": 272, "bpf": 321, "io_uring_setup": 425},
    "aarch64": {"ptrace": 117, "mount": 40, "keyctl": 219, "unshare": 97, "bpf": 280, "io_uring_setup": 425},
}
CLONE = {"x86_64": 56, "aarch64": 220}
SOQUETE = {"x86_64": 41, "aarch64": 198}
CLONE3 = 435


@pytest.fixture(params=MAQUINAS)
def maquina(request, monkeypatch):
    monkeypatch.setattr(filtro.os, "uname", lambda: type("uname", (), {"machine": request.param}))
    filtro.programa.cache_clear()
    yield request.param
    filtro.programa.cache_clear()


def responder(numero: int, argumento: int = 0, arquitetura: int | None = None, maquina: str = "") -> int:
    """O que o filtro responde a uma chamada; um salto para fora do programa é um erro, como no núcleo."""
    bruto = filtro.programa()
    programa = [struct.unpack_from("=HBBI", bruto, i) for i in range(0, len(bruto), 8)]
    arquitetura = MAQUINAS[maquina] if arquitetura is None else arquitetura
    memoria = struct.pack("=IIQ6Q", numero, arquitetura, 0, argumento, *[0] * 5)
    acumulador, i = 0, 0
    while True:
        codigo, sim, nao, valor = programa[i]
        i += 1
        if codigo == 0x06:  # ret k
            return valor
        if codigo == 0x20:  # ld [k]
            (acumulador,) = struct.unpack_from("=I", memoria, valor)
        else:
            testes = {0x15: acumulador == valor, 0x35: acumulador >= valor, 0x45: bool(acumulador & valor)}
            i += sim if testes[codigo] else nao


def test_o_que_se_usa_passa_e_o_que_se_nega_nao(maquina):
    assert {nome: responder(n, maquina=maquina) for nome, n in COMUNS[maquina].items()} == dict.fromkeys(
        COMUNS[maquina], PASSA
    )
    assert {nome: responder(n, maquina=maquina) for nome, n in NEGADAS[maquina].items()} == dict.fromkeys(
        NEGADAS[maquina], ERRO | EPERM
    )
    assert responder(CLONE3, maquina=maquina) == ERRO | ENOSYS


def test_so_se_nega_o_que_esta_na_tabela(maquina):
    coluna = 0 if maquina == "x86_64" else 1
    na_tabela = {numeros[coluna] for numeros in filtro._NEGADAS.values()}
    negadas = {n for n in range(600) if responder(n, 1, maquina=maquina) != PASSA}  # o argumento 1 é AF_UNIX
    assert negadas == na_tabela | {CLONE3} and set(NEGADAS[maquina].values()) <= na_tabela


def test_um_processo_novo_passa_e_outro_espaco_de_usuarios_nao(maquina):
    assert responder(CLONE[maquina], 0x11, maquina=maquina) == PASSA  # só SIGCHLD: um fork
    assert responder(CLONE[maquina], 0x1000_0000 | 0x11, maquina=maquina) == ERRO | EPERM


def test_so_as_familias_de_soquete_de_sempre_passam(maquina):
    abertas = [familia for familia in range(64) if responder(SOQUETE[maquina], familia, maquina=maquina) == PASSA]
    assert abertas == [1, 2, 10, 16]
    assert responder(SOQUETE[maquina], 40, maquina=maquina) == ERRO | EAFNOSUPPORT  # AF_VSOCK


def test_chamadas_de_outra_arquitetura_nao_existem(maquina):
    assert responder(0, arquitetura=0x4000_0003) == ERRO | ENOSYS  # i386
    if maquina == "x86_64":
        assert responder(0x4000_0000, maquina=maquina) == ERRO | ENOSYS  # x32


@pytest.fixture
def sem_o_filtro_de_antes():
    """O que se lembrou do filtro deste computador não vale neste teste, nem o deste teste depois dele."""
    lembrados = (filtro.programa, caixa._filtro, caixa._por_que_nao)
    for lembrado in lembrados:
        lembrado.cache_clear()
    yield
    for lembrado in lembrados:
        lembrado.cache_clear()


def test_onde_o_filtro_nao_pode_ser_gravado_nao_se_corrige_e_a_frase_diz_por_que(
    monkeypatch, tmp_path, sem_o_filtro_de_antes
):
    if filtro.programa() is None:
        pytest.skip("não há filtro para este processador")
    (tmp_path / ".jupyter").write_text("um arquivo no lugar da pasta")
    monkeypatch.setattr(caixa, "RAIZ", tmp_path)
    with pytest.raises(caixa.SemCaixa, match=r"Não consegui gravar .*o filtro de chamadas .*escrever$"):
        caixa.Caixa().comando(["true"])


@pytest.mark.skipif(caixa._por_que_nao() is not None, reason="aqui já não há caixa, por outro motivo")
def test_em_um_processador_sem_filtro_nao_se_corrige_e_a_frase_diz_o_que_fazer(monkeypatch, sem_o_filtro_de_antes):
    de_verdade = os.uname()
    monkeypatch.setattr(
        filtro.os, "uname", lambda: type("uname", (), {"machine": "riscv64", "release": de_verdade.release})
    )
    with pytest.raises(caixa.SemCaixa, match="filtro .*riscv64.*x86_64 ou aarch64, ou peça .*--sem-isolamento"):
        caixa.exigir()
