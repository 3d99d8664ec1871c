"""O filtro de chamadas ao sistema: um BPF de mentira executa, um a um, os bytes que o núcleo executaria."""

import os
import struct

import pytest

from correcao.caixa import caixa, filtro

PASSA, ERRO = 0x7FFF_0000, 0x0005_0000
DEU_CERTO, EPERM, EAGAIN, EINVAL, ENOLCK, ENOSYS, EAFNOSUPPORT = 0, 1, 11, 22, 37, 38, 97
MAQUINAS = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
# De cabeça do núcleo, e não do filtro: o que um kernel do Jupyter usa o tempo todo.
COMUNS = {
    "x86_64": {"read": 0, "write": 1, "mmap": 9, "socketpair": 53, "fork": 57, "execve": 59, "openat": 257},
    "aarch64": {"read": 63, "write": 64, "mmap": 222, "socketpair": 199, "execve": 221, "openat": 56},
}
NEGADAS = {
    "x86_64": {"ptrace": 101, "mount": 165, "keyctl": 250, "unshare": 272, "bpf": 321, "io_uring_setup": 425}
    | {"syslog": 103},
    "aarch64": {"ptrace": 117, "mount": 40, "keyctl": 219, "unshare": 97, "bpf": 280, "io_uring_setup": 425}
    | {"syslog": 116},
}
# As que deixariam uma caixa falar com outra pelos arquivos que as duas veem, ou gastar o que é do computador inteiro.
FUTEX2 = {"futex_waitv": 449, "futex_wait": 455, "futex_requeue": 456}
INEXISTENTES = {
    "x86_64": {"inotify_init": 253, "inotify_init1": 294, "inotify_add_watch": 254, "fanotify_init": 300}
    | {"fanotify_mark": 301, "io_setup": 206, "io_submit": 209, "io_getevents": 208, "io_pgetevents": 333}
    | {"preadv2": 327, "mincore": 27, "cachestat": 451, "process_madvise": 440, "clone3": 435, "sysinfo": 99}
    | FUTEX2,
    "aarch64": {"inotify_init1": 26, "inotify_add_watch": 27, "fanotify_init": 262, "fanotify_mark": 263}
    | {"io_setup": 0, "io_submit": 2, "io_getevents": 4, "io_pgetevents": 292, "preadv2": 286, "mincore": 232}
    | {"cachestat": 451, "process_madvise": 440, "clone3": 435, "sysinfo": 179}
    | FUTEX2,
}
SEM_EFEITO = {"x86_64": {"flock": 73, "fadvise64": 221}, "aarch64": {"flock": 32, "fadvise64": 223}}
FCNTL, MADVISE = {"x86_64": 72, "aarch64": 25}, {"x86_64": 28, "aarch64": 233}
FUTEX = {"x86_64": 202, "aarch64": 98}
CLONE = {"x86_64": 56, "aarch64": 220}
SOQUETE = {"x86_64": 41, "aarch64": 198}
PRLIMIT = {"x86_64": 302, "aarch64": 261}


@pytest.fixture(params=MAQUINAS)
def maquina(request, monkeypatch):
    monkeypatch.setattr(filtro.os, "uname", lambda: type("uname", (), {"machine": request.param}))
    filtro.programa.cache_clear()
    yield request.param
    filtro.programa.cache_clear()


def responder(numero: int, *argumentos: int, arquitetura: int | None = None, maquina: str = "") -> int:
    """O que o filtro responde a uma chamada; um salto para fora do programa é um erro, como no núcleo."""
    bruto = filtro.programa()
    programa = [struct.unpack_from("=HBBI", bruto, i) for i in range(0, len(bruto), 8)]
    arquitetura = MAQUINAS[maquina] if arquitetura is None else arquitetura
    memoria = struct.pack("=IIQ6Q", numero, arquitetura, 0, *argumentos, *[0] * (6 - len(argumentos)))
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
    for tabela, erro in ((INEXISTENTES, ENOSYS), (SEM_EFEITO, DEU_CERTO)):
        respostas = {nome: responder(n, maquina=maquina) for nome, n in tabela[maquina].items()}
        assert respostas == dict.fromkeys(tabela[maquina], ERRO | erro)


def test_so_se_nega_o_que_esta_na_tabela(maquina):
    coluna = 0 if maquina == "x86_64" else 1
    na_tabela = {numeros[coluna] for numeros in filtro._NEGADAS.values()}
    # o primeiro argumento é AF_UNIX; o segundo, F_GETFD, ou acordar quem espera
    negadas = {n for n in range(600) if responder(n, 1, 1, maquina=maquina) != PASSA} - {PRLIMIT[maquina]}
    outras = {*INEXISTENTES[maquina].values(), *SEM_EFEITO[maquina].values()}
    assert negadas == na_tabela | outras and set(NEGADAS[maquina].values()) <= na_tabela


def test_de_fcntl_so_passa_o_que_e_do_proprio_descritor(maquina):
    respostas = {comando: responder(FCNTL[maquina], 3, comando, maquina=maquina) for comando in range(2048)}
    assert [c for c, r in respostas.items() if r == PASSA] == [0, 1, 2, 3, 4, 9, 16, 1027, *range(1030, 1035)]
    # F_SETLK, F_SETLKW e as formas OFD: deu certo, mas nada se travou; F_GETLK: não há como saber
    assert [c for c, r in respostas.items() if r == ERRO | DEU_CERTO] == [6, 7, 37, 38]
    assert [c for c, r in respostas.items() if r == ERRO | ENOLCK] == [5, 36]
    # F_SETLEASE, F_GETLEASE, F_NOTIFY, F_SET_RW_HINT e o que um dia houver
    assert all(respostas[c] == ERRO | EINVAL for c in (1024, 1025, 1026, 1035, 1036, 1037, 1038, 2047))
    # o núcleo só olha os 32 bits de baixo do comando
    assert responder(FCNTL[maquina], 3, 1024 | 1 << 32, maquina=maquina) == ERRO | EINVAL


def test_um_conselho_sobre_a_memoria_de_todos_nao_tem_efeito(maquina):
    sem_efeito = [c for c in range(128) if responder(MADVISE[maquina], 0, 0, c, maquina=maquina) != PASSA]
    assert sem_efeito == [12, 20, 21, 25]  # MERGEABLE, COLD, PAGEOUT, COLLAPSE


def test_um_processo_novo_passa_e_outro_espaco_de_usuarios_nao(maquina):
    assert responder(CLONE[maquina], 0x11, maquina=maquina) == PASSA  # só SIGCHLD: um fork
    assert responder(CLONE[maquina], 0x1000_0000 | 0x11, maquina=maquina) == ERRO | EPERM


def test_cada_um_muda_os_proprios_limites_e_ninguem_os_do_primeiro_da_caixa(maquina):
    assert [pid for pid in range(1000) if responder(PRLIMIT[maquina], pid, maquina=maquina) != PASSA] == [1]
    assert responder(PRLIMIT[maquina], 1, maquina=maquina) == ERRO | EPERM
    assert responder(PRLIMIT[maquina], 1 | 1 << 32, maquina=maquina) == ERRO | EPERM  # o núcleo só olha 32 bits


def test_so_as_familias_de_soquete_de_sempre_passam(maquina):
    abertas = [familia for familia in range(64) if responder(SOQUETE[maquina], familia, maquina=maquina) == PASSA]
    assert abertas == [1, 16]  # AF_UNIX e AF_NETLINK
    # AF_INET, AF_INET6, AF_VSOCK
    assert {responder(SOQUETE[maquina], f, maquina=maquina) for f in (2, 10, 40)} == {ERRO | EAFNOSUPPORT}


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


def test_ninguem_dorme_em_uma_pagina_que_outra_caixa_tambem_ve(maquina):
    respostas = {op: responder(FUTEX[maquina], 0, op, maquina=maquina) for op in range(512)}
    # FUTEX_WAIT, FUTEX_WAIT_BITSET e FUTEX_WAIT_REQUEUE_PI sem FUTEX_PRIVATE_FLAG, e com FUTEX_CLOCK_REALTIME
    assert [op for op, r in respostas.items() if r != PASSA] == [0, 9, 11, 256, 265, 267]
    assert {respostas[op] for op in (0, 9, 11, 256, 265, 267)} == {ERRO | EAGAIN}
