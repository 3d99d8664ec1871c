"""O filtro de chamadas ao sistema da caixa (seccomp): o que nenhuma lista usa, e que os espaços de nomes não isolam.

O chaveiro do núcleo é o da sessão do instrutor; um soquete de máquina virtual (AF_VSOCK) fala com o hospedeiro, mesmo
sem rede; e há chamadas que só servem a quem procura uma falha do núcleo. Aqui elas respondem que não há permissão.

Há também o que os arquivos que toda caixa vê deixam dizer a outra: travas, concessões, avisos de quem abriu o quê e o
que está na memória do computador. Uma trava responde que deu certo, sem travar nada: nos arquivos da própria caixa, que
é onde um programa honesto a pede, ninguém mais a disputa.
"""

import os
import struct
from functools import cache

_NADA_FEZ, _PERM, _DE_NOVO, _INVALIDA, _SEM_TRAVA, _SEM_CHAMADA, _SEM_FAMILIA = (
    0,
    1,
    11,
    22,
    37,
    38,
    97,
)  # errno; 0: deu certo
_ERRO, _PASSA = 0x0005_0000, 0x7FFF_0000  # o que o filtro responde
_LE, _IGUAL, _MAIOR, _BITS, _DEVOLVE = 0x20, 0x15, 0x35, 0x45, 0x06  # as instruções
_NUMERO, _ARQUITETURA, _ARGUMENTO = 0, 4, 16  # onde estão, no que o núcleo mostra; cada argumento tem oito bytes
# Soquetes: AF_UNIX e AF_NETLINK, que diz que interfaces há. Com os da internet não se chegaria a lugar algum, e o
# núcleo conta, para todas as redes de uma vez, quantos há e quantos pacotes passam.
_FAMILIAS = (1, 16)
_OUTRO_USUARIO = 0x1000_0000  # CLONE_NEWUSER: dentro dele se teriam privilégios de mentira

# Os números de cada chamada, em x86_64 e em aarch64; a partir da 424 são os mesmos.
ARQUITETURAS = {"x86_64": (0xC000_003E, 0), "aarch64": (0xC000_00B7, 1)}
_NEGADAS = {
    **{"add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219)},
    **{"ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272)},
    **{"bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282)},
    **{"mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "unshare": (272, 97), "setns": (308, 268)},
    **{"sync": (162, 81), "syncfs": (306, 267)},  # fazem esperar o disco de todo o computador
    "syslog": (103, 116),  # o diário do núcleo, em que quem cai deixa escrito onde caiu
    **{"open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264)},
    **{"io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427)},
    **{"open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "mount_setattr": (442, 442)},
}
# Estas respondem que não existem: quem as usa só para andar mais depressa tem outro jeito (para preadv2, preadv).
_INEXISTENTES = {
    **{"inotify_init": (253, None), "inotify_init1": (294, 26), "inotify_add_watch": (254, 27)},
    **{"fanotify_init": (300, 262), "fanotify_mark": (301, 263)},
    **{"io_setup": (206, 0), "io_submit": (209, 2), "io_getevents": (208, 4), "io_pgetevents": (333, 292)},
    **{"preadv2": (327, 286), "mincore": (27, 232), "cachestat": (451, 451), "process_madvise": (440, 440)},
    "clone3": (435, 435),  # cujas opções não se veem daqui; a biblioteca do C usa clone
    **{"futex_waitv": (449, 449), "futex_wait": (455, 455), "futex_requeue": (456, 456)},
    "sysinfo": (99, 179),  # quantos processos e quanta memória há no computador inteiro
}
# E estas, que deram certo: são conselhos, ou a trava de um arquivo inteiro.
_SEM_EFEITO = {"flock": (73, 32), "fadvise64": (221, 223)}
_SOQUETE, _CLONE, _FCNTL, _MADVISE, _FUTEX = (41, 198), (56, 220), (72, 25), (28, 233), (202, 98)
# O primeiro da caixa tem o usuário dos outros: quem lhe desse um limite de processador faria o núcleo matá-lo, e a
# morte pareceria vir de fora.
_PRLIMIT, _O_PRIMEIRO = (302, 261), 1
# De fcntl, o que é do próprio descritor: F_DUPFD… F_SETFL, F_GETOWN, F_DUPFD_QUERY, F_DUPFD_CLOEXEC… F_GET_SEALS.
_DO_DESCRITOR = (0, 1, 2, 3, 4, 9, 16, 1027, 1030, 1031, 1032, 1033, 1034)
_TRAVAR, _VER_A_TRAVA = (6, 7, 37, 38), (5, 36)  # F_SETLK, F_SETLKW, F_GETLK e as formas OFD
# Quem dorme em uma página de um arquivo, como a de uma biblioteca, pode ser acordado de outra caixa, em que a página
# é a mesma, com camada ou sem. São FUTEX_WAIT, FUTEX_WAIT_BITSET e FUTEX_WAIT_REQUEUE_PI, nos dois relógios, quando a
# espera não é só do processo. “Tente de novo” é resposta que a biblioteca do C conhece: olha outra vez, sem dormir.
_ESPERAS = (0, 256, 9, 265, 11, 267)
# MADV_MERGEABLE, MADV_COLD, MADV_PAGEOUT, MADV_COLLAPSE: mexem nas páginas que todos usam
_CONSELHOS = (12, 20, 21, 25)


@cache
def programa() -> bytes | None:
    """O filtro desta máquina, como o bubblewrap o lê; None se não se conhecem os números das chamadas dela."""
    if os.uname().machine not in ARQUITETURAS:
        return None
    arquitetura, coluna = ARQUITETURAS[os.uname().machine]
    instrucoes = [_ler(_ARQUITETURA), _se(_IGUAL, arquitetura, 1, 0), _erro(_SEM_CHAMADA), _ler(_NUMERO)]
    if coluna == 0:  # a outra tabela do x86_64, a x32, tem as mesmas chamadas com outros números
        instrucoes += [_se(_MAIOR, 0x4000_0000, 0, 1), _erro(_SEM_CHAMADA)]
    for tabela, erro in ((_NEGADAS, _PERM), (_INEXISTENTES, _SEM_CHAMADA), (_SEM_EFEITO, _NADA_FEZ)):
        for numeros in tabela.values():
            if (numero := numeros[coluna]) is not None:
                instrucoes += [_se(_IGUAL, numero, 0, 1), _erro(erro)]
    instrucoes += _por_argumento(_CLONE[coluna], 0, _BITS, {(_OUTRO_USUARIO,): _PERM}, _passar())
    instrucoes += _por_argumento(_SOQUETE[coluna], 0, _IGUAL, {_FAMILIAS: None}, _erro(_SEM_FAMILIA))
    instrucoes += _por_argumento(_MADVISE[coluna], 2, _IGUAL, {_CONSELHOS: _NADA_FEZ}, _passar())
    instrucoes += _por_argumento(_FUTEX[coluna], 1, _IGUAL, {_ESPERAS: _DE_NOVO}, _passar())
    instrucoes += _por_argumento(_PRLIMIT[coluna], 0, _IGUAL, {(_O_PRIMEIRO,): _PERM}, _passar())
    do_fcntl = {_DO_DESCRITOR: None, _TRAVAR: _NADA_FEZ, _VER_A_TRAVA: _SEM_TRAVA}
    instrucoes += _por_argumento(_FCNTL[coluna], 1, _IGUAL, do_fcntl, _erro(_INVALIDA))
    return b"".join([*instrucoes, _passar()])


def _por_argumento(
    chamada: int, qual: int, teste: int, respostas: dict[tuple[int, ...], int | None], senao: bytes
) -> list[bytes]:
    """O que se responde a uma chamada, conforme os 32 bits de baixo do argumento `qual`; None é deixar passar."""
    corpo = [_ler(_ARGUMENTO + 8 * qual)]
    for valores, erro in respostas.items():
        for valor in valores:
            corpo += [_se(teste, valor, 0, 1), _passar() if erro is None else _erro(erro)]
    corpo.append(senao)
    return [_se(_IGUAL, chamada, 0, len(corpo)), *corpo]


def _instrucao(codigo: int, sim: int, nao: int, valor: int) -> bytes:
    return struct.pack("=HBBI", codigo, sim, nao, valor)


def _ler(onde: int) -> bytes:
    return _instrucao(_LE, 0, 0, onde)


def _se(teste: int, valor: int, sim: int, nao: int) -> bytes:
    """Quantas instruções pular se o teste der certo, e se não der."""
    return _instrucao(teste, sim, nao, valor)


def _erro(numero: int) -> bytes:
    return _instrucao(_DEVOLVE, 0, 0, _ERRO | numero)


def _passar() -> bytes:
    return _instrucao(_DEVOLVE, 0, 0, _PASSA)
