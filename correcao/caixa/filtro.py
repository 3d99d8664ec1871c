"""O filtro de chamadas ao sistema da caixa (seccomp): o que nenhuma lista usa, e que os espaços de nomes não isolam.

O chaveiro do núcleo é o da sessão do instrutor; um soquete de máquina virtual (AF_VSOCK) fala com o hospedeiro, mesmo
sem rede; e há chamadas que só servem a quem procura uma falha do núcleo. Aqui elas respondem que não há permissão.
"""

import os
import struct
from functools import cache

_PERM, _SEM_CHAMADA, _SEM_FAMILIA = 1, 38, 97  # errno
_ERRO, _PASSA = 0x0005_0000, 0x7FFF_0000  # o que o filtro responde
_LE, _IGUAL, _MAIOR, _BITS, _DEVOLVE = 0x20, 0x15, 0x35, 0x45, 0x06  # as instruções
_NUMERO, _ARQUITETURA, _ARGUMENTO = 0, 4, 16  # onde estão, no que o núcleo mostra
_FAMILIAS = (1, 2, 10, 16)  # soquetes: AF_UNIX, AF_INET, AF_INET6, AF_NETLINK
_OUTRO_USUARIO = 0x1000_0000  # CLONE_NEWUSER: dentro dele se teriam privilégios de mentira

# Os números de cada chamada, em x86_64 e em aarch64; a partir da 424 são os mesmos.
ARQUITETURAS = {"x86_64": (0xC000_003E, 0), "aarch64": (0xC000_00B7, 1)}
_NEGADAS = {
    **{"add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219)},
    **{"ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272)},
    **{"bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282)},
    **{"mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "unshare": (272, 97), "setns": (308, 268)},
    **{"sync": (162, 81), "syncfs": (306, 267)},  # fazem esperar o disco de todo o computador
    **{"open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264)},
    **{"io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427)},
    **{"open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "mount_setattr": (442, 442)},
}
_SOQUETE, _CLONE, _CLONE3 = (41, 198), (56, 220), (435, 435)


@cache
def programa() -> bytes | None:
    """O filtro desta máquina, como o bubblewrap o lê; None se não se conhecem os números das chamadas dela."""
    if os.uname().machine not in ARQUITETURAS:
        return None
    arquitetura, coluna = ARQUITETURAS[os.uname().machine]
    instrucoes = [_ler(_ARQUITETURA), _se(_IGUAL, arquitetura, 1, 0), _erro(_SEM_CHAMADA), _ler(_NUMERO)]
    if coluna == 0:  # a outra tabela do x86_64, a x32, tem as mesmas chamadas com outros números
        instrucoes += [_se(_MAIOR, 0x4000_0000, 0, 1), _erro(_SEM_CHAMADA)]
    for numeros in _NEGADAS.values():
        instrucoes += [_se(_IGUAL, numeros[coluna], 0, 1), _erro(_PERM)]
    # sem clone3, cujas opções não se veem daqui, a biblioteca do C usa clone
    instrucoes += [_se(_IGUAL, _CLONE3[coluna], 0, 1), _erro(_SEM_CHAMADA)]
    instrucoes += [_se(_IGUAL, _CLONE[coluna], 0, 4), _ler(_ARGUMENTO), _se(_BITS, _OUTRO_USUARIO, 0, 1)]
    instrucoes += [_erro(_PERM), _passar()]
    instrucoes += [_se(_IGUAL, _SOQUETE[coluna], 0, len(_FAMILIAS) + 2), _ler(_ARGUMENTO)]
    instrucoes += [_se(_IGUAL, familia, len(_FAMILIAS) - i, 0) for i, familia in enumerate(_FAMILIAS)]
    instrucoes += [_erro(_SEM_FAMILIA), _passar()]
    return b"".join(instrucoes)


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
