"""Um comando visto do terminal: as saídas, o Ctrl-C e os erros do sistema, para o curso.py e para todos os módulos.

Usa só o que o Python já carrega ao começar: vem antes de tudo o que é pesado.
"""

import errno
import io
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn, TextIO

INTERROMPIDO, SEM_LEITOR = 130, 141  # como nos programas do sistema: 128 mais o número do sinal

_ERROS = {
    errno.EACCES: "falta permissão",
    errno.EPERM: "falta permissão",
    errno.EROFS: "o disco é só de leitura",
    errno.ENOSPC: "o disco está cheio",
    errno.EDQUOT: "a sua cota de disco acabou",
    errno.EFBIG: "o arquivo passaria do maior tamanho permitido aqui (ulimit -f)",
    errno.ENOENT: "o caminho não existe",
    errno.ENOTDIR: "o caminho passa por um arquivo que não é pasta",
    errno.EISDIR: "é uma pasta, e não um arquivo",
    errno.EEXIST: "já existe",
    errno.ENAMETOOLONG: "o nome é comprido demais",
}

NAO_SE_GRAVA = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def por_que(erro: OSError) -> str:
    """O erro do sistema em português; o que não é dos comuns fica nas palavras dele."""
    return _ERROS.get(erro.errno or 0, erro.strerror or str(erro))


def nao_gravei(erro: OSError) -> str:
    """O que dizer de um arquivo que não se gravou."""
    onde = f" {erro.filename}" if erro.filename else ""
    return f"Não consegui gravar{onde}: {por_que(erro)}. O que já estava pronto fica; resolva isso e rode de novo."


def rodar(main: Callable[[], int | None]) -> NoReturn:
    """Roda um comando e encerra o Python com o código dele; um Ctrl-C é uma frase, e não um rastro."""
    sys.stdout, sys.stderr = _cuidar(sys.stdout, sys.__stdout__), _cuidar(sys.stderr, sys.__stderr__)
    codigo: Any
    try:
        codigo = main()
    except SystemExit as saida:
        codigo = saida.code
    except KeyboardInterrupt:
        print("\nInterrompido; o que já estava pronto fica. Rode de novo para terminar.", file=sys.stderr)
        codigo = INTERROMPIDO
    sys.stdout.flush()  # aqui, e não no fim do Python, que reclamaria em inglês do leitor que se foi
    sys.exit(codigo)


class _Saida(io.FileIO):
    """Uma saída que pode faltar no meio (`| head`, o disco cheio): o comando termina ali.

    É um SystemExit, e não um OSError, porque os comandos pegam OSError para falar dos arquivos deles. E vale só para a
    saída: um BrokenPipeError de outro cano, o de um kernel por exemplo, continua sendo um defeito, e aparece.
    """

    def write(self, dados: Any) -> int:
        try:
            return super().write(dados)
        except OSError as erro:
            with open(os.devnull, "wb") as nada:  # o que ainda houver para escrever some calado
                os.dup2(nada.fileno(), self.fileno())
            sem_leitor = erro.errno in (errno.EPIPE, errno.EINVAL)  # EINVAL: assim diz o Windows
            raise SystemExit(SEM_LEITOR if sem_leitor else f"Não consegui escrever: {por_que(erro)}.") from None


def _cuidar(saida: TextIO | None, original: TextIO | None) -> TextIO:
    """A mesma saída, em UTF-8 e preparada para faltar; a que já veio fechada (`>&-`) é trocada por uma que some."""
    if saida is None:
        return open(os.devnull, "w", encoding="utf-8")
    if saida is not original or not isinstance(saida, io.TextIOWrapper):  # já cuidada, ou de quem nos chamou
        return saida
    if saida.isatty():  # um terminal não some no meio; no Windows, a classe dele é própria
        saida.reconfigure(encoding="utf-8", errors="replace")
        return saida
    crua = _Saida(saida.fileno(), "w", closefd=False)
    return io.TextIOWrapper(
        crua if saida.write_through else io.BufferedWriter(crua),
        encoding="utf-8",
        errors="replace",
        line_buffering=saida.line_buffering,
        write_through=saida.write_through,
    )
