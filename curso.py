#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""A porta do curso: lê o comando, prepara o ambiente em `.venv` e o roda.

A sintaxe deste arquivo serve de propósito até ao Python 2.7: quem tem um Python antigo lê uma frase clara em vez de um
SyntaxError. Os comandos são definidos em configuracao/comandos.py; a instalação mora em configuracao/instalar.py.
"""

from __future__ import print_function

import contextlib
import errno
import importlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

if sys.version_info < (3, 11):
    sys.exit(
        "Este curso pede Python 3.11 ou mais novo e este é o %d.%d; instale um mais novo (python.org) e "
        "rode de novo com ele." % tuple(sys.version_info[:2])
    )

from pathlib import Path

RAIZ = Path(__file__).resolve().parent  # calculada aqui: é dela que vem configuracao.lugares
sys.path.insert(0, str(RAIZ))
from configuracao import comandos, lugares, terminal  # noqa: E402

BOAS_VINDAS = "notebooks/00-boas-vindas.ipynb"


def ambiente(instrutor=False):
    """As variáveis dos comandos: o Jupyter do curso não depende do que há na pasta pessoal."""
    from configuracao import instalar, servidor

    return servidor.variaveis(instalar.ambiente(), instrutor)


def esperar(comando, variaveis):
    """Roda o filho até o fim. O Ctrl-C chega a ele também, e é ele quem decide como sair."""
    filho = subprocess.Popen(comando, cwd=str(lugares.do_aluno()), env=variaveis)
    signal.signal(signal.SIGTERM, lambda *_: filho.terminate())
    while True:
        try:
            codigo = filho.wait()
            return codigo if codigo >= 0 else 128 - codigo
        except KeyboardInterrupt:
            continue


# ------------------------------------------------------------ os comandos que são da própria porta


def lab(python, pedido):
    """O JupyterLab na página de boas-vindas."""
    porta = porta_livre()
    raiz = raiz_do_lab(pedido.instrutor)
    pagina = "/lab/tree/" + BOAS_VINDAS if (raiz / BOAS_VINDAS).is_file() else "/lab"
    # temporária, porque nem todo disco (um pendrive, por exemplo) deixa o Jupyter proteger os arquivos dele
    with tempfile.TemporaryDirectory(prefix="curso-") as pasta:
        variaveis = dict(ambiente(pedido.instrutor), JUPYTER_RUNTIME_DIR=pasta)
        token = variaveis.setdefault("JUPYTER_TOKEN", os.urandom(16).hex())
        comando = [
            python,
            "-m",
            "jupyterlab",
            "--ServerApp.port=%d" % porta,
            "--ServerApp.root_dir=%s" % raiz,
            "--LabApp.default_url=" + pagina,
            "--log-level=ERROR",
        ]
        if pedido.sem_navegador:
            comando.append("--no-browser")
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            comando.append("--allow-root")
        endereco = "http://localhost:%d%s?token=%s" % (porta, pagina, token)
        threading.Thread(target=anunciar, args=(porta, endereco), daemon=True).start()
        codigo = esperar(comando, variaveis)
    if codigo:
        avisar("O JupyterLab fechou com um erro (código %d); leia a mensagem acima." % codigo, codigo)
    return 0


def raiz_do_lab(instrutor):
    """A pasta do curso; a da turma, se ela é outra: o formgrader só trabalha com o que está dentro da raiz."""
    turma = Path(os.environ.get("CURSO_TURMA") or RAIZ).resolve()
    if not instrutor or turma == RAIZ or RAIZ in turma.parents:
        return lugares.do_aluno()
    if not turma.is_dir():
        avisar("Não existe a pasta da turma, %s (é o que diz CURSO_TURMA)." % turma, 2)
    return turma


def porta_livre():
    """A de sempre, se estiver livre: o endereço fica o mesmo de um dia para o outro."""
    for porta in list(range(8888, 8988)) + [0]:
        with socket.socket() as tomada, contextlib.suppress(OSError):
            tomada.bind(("127.0.0.1", porta))
            return tomada.getsockname()[1]
    avisar("Não há porta livre em localhost; reinicie o computador e tente de novo.")


def anunciar(porta, endereco):
    """Diz o endereço quando o servidor já responde."""
    for _ in range(1200):
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", porta), 1).close()
            print("O curso está aberto em: %s" % endereco)
            print("Para encerrar, aperte Ctrl+C nesta janela.", flush=True)
            return
        time.sleep(0.1)


def reparar(python, pedido):
    """Confere os arquivos instalados, um a um, e instala de novo os estragados."""
    from configuracao import instalar

    estragados = instalar.reparar()
    print(
        "Estavam estragados, e foram instalados de novo: %s." % ", ".join(estragados)
        if estragados
        else "Conferi os arquivos instalados: nada estragado."
    )
    return 0


# ------------------------------------------------------------ a porta


def principal():
    """Entende a linha inteira antes de instalar: um erro de digitação não espera por isso."""
    comando, resto = comandos.escolher(sys.argv[1:])
    pedido = comandos.ler(comando.nome, resto)
    if comando.sem_instalar:
        return importlib.import_module(comando.modulo).main(resto)
    from configuracao import instalar  # só agora: demora mais do que mostrar uma ajuda

    try:
        if lugares.DO_ALUNO in os.environ:  # o curso é um só para muitos
            from configuracao import aluno

            aluno.por_em_dia()
        python = instalar.preparar(comandos.grupos(comando, pedido))
        if comando.modulo:
            return esperar([python, "-m", "configuracao", comando.modulo] + resto, ambiente())
        return {"lab": lab, "reparar": reparar}[comando.nome](python, pedido)
    except instalar.Aviso as aviso:
        avisar(str(aviso), aviso.codigo)
    except PermissionError as erro:
        avisar(
            "Não posso escrever em %s; feche as outras janelas do curso ou copie a pasta para "
            "um lugar seu, e rode de novo." % (erro.filename or RAIZ)
        )
    except OSError as erro:
        if erro.errno != errno.ENOSPC:
            raise
        avisar("O disco encheu; libere 3,2 GB e rode o mesmo comando de novo.")


def avisar(frase, codigo=1):
    print(frase, file=sys.stderr)
    sys.exit(codigo)


if __name__ == "__main__":
    terminal.rodar(principal)
