#!/usr/bin/env python3
"""A porta do curso: prepara o ambiente em `.venv` e roda o comando pedido.

Usa só a biblioteca padrão. A sintaxe deste arquivo serve de propósito até ao Python 3.6: quem tem um Python
antigo lê uma frase clara em vez de um SyntaxError. A instalação mora em configuracao/instalar.py.
"""
import contextlib
import difflib
import errno
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

if sys.version_info < (3, 11):
    sys.exit("Este curso pede Python 3.11 ou mais novo e este é o %d.%d; instale um mais novo (python.org) e "
             "rode de novo com ele." % tuple(sys.version_info[:2]))

RAIZ = Path(__file__).resolve().parent
sys.path.insert(0, str(RAIZ / "configuracao"))
import instalar  # noqa: E402
from instalar import Aviso  # noqa: E402

BOAS_VINDAS = "notebooks/00-boas-vindas.ipynb"


def ambiente(instrutor=False):
    """As variáveis dos comandos: o Jupyter do curso não depende do que há na pasta pessoal."""
    variaveis = instalar.ambiente()
    for nome in ("JUPYTER_PATH", "JUPYTER_NO_CONFIG", "MPLBACKEND"):
        variaveis.pop(nome, None)
    perfis = ["instrutor", "jupyter"] if instrutor else ["jupyter"]
    casa = RAIZ / ".jupyter"
    (casa / "ipython").mkdir(parents=True, exist_ok=True)   # sem a pasta, o IPython avisa a cada kernel
    variaveis.update(
        JUPYTER_PREFER_ENV_PATH="1",
        JUPYTER_CONFIG_PATH=os.pathsep.join(str(RAIZ / "configuracao" / perfil) for perfil in perfis),
        JUPYTER_CONFIG_DIR=str(casa), JUPYTER_DATA_DIR=str(casa / "dados"), IPYTHONDIR=str(casa / "ipython"))
    return variaveis


def rodar(comando, variaveis):
    """Espera o filho. O Ctrl-C chega a ele também, e é ele quem decide como sair."""
    filho = subprocess.Popen(comando, cwd=str(RAIZ), env=variaveis)
    signal.signal(signal.SIGTERM, lambda *_: filho.terminate())
    while True:
        try:
            codigo = filho.wait()
            return codigo if codigo >= 0 else 128 - codigo
        except KeyboardInterrupt:
            continue


# ------------------------------------------------------------ os comandos

def lab(python, opcoes):
    """O JupyterLab na página de boas-vindas."""
    porta = porta_livre()
    raiz = raiz_do_lab("--instrutor" in opcoes)
    pagina = "/lab/tree/" + BOAS_VINDAS if (raiz / BOAS_VINDAS).is_file() else "/lab"
    # temporária, porque nem todo disco (um pendrive, por exemplo) deixa o Jupyter proteger os arquivos dele
    with tempfile.TemporaryDirectory(prefix="curso-") as pasta:
        variaveis = dict(ambiente("--instrutor" in opcoes), JUPYTER_RUNTIME_DIR=pasta)
        token = variaveis.setdefault("JUPYTER_TOKEN", secrets.token_hex(16))
        comando = [python, "-m", "jupyterlab", "--ServerApp.port=%d" % porta,
                   "--ServerApp.root_dir=%s" % raiz, "--LabApp.default_url=" + pagina, "--log-level=ERROR"]
        if "--sem-navegador" in opcoes:
            comando.append("--no-browser")
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            comando.append("--allow-root")
        endereco = "http://localhost:%d%s?token=%s" % (porta, pagina, token)
        threading.Thread(target=anunciar, args=(porta, endereco), daemon=True).start()
        codigo = rodar(comando, variaveis)
    if codigo:
        raise Aviso("O JupyterLab fechou com um erro (código %d); leia a mensagem acima." % codigo, codigo)
    return 0


def raiz_do_lab(instrutor):
    """A pasta do curso; a da turma, se ela é outra: o formgrader só trabalha com o que está dentro da raiz."""
    turma = Path(os.environ.get("CURSO_TURMA") or RAIZ).resolve()
    if not instrutor or turma == RAIZ or RAIZ in turma.parents:
        return RAIZ
    if not turma.is_dir():
        raise Aviso("Não existe a pasta da turma, %s (é o que diz CURSO_TURMA)." % turma, 2)
    return turma


def porta_livre():
    """A de sempre, se estiver livre: o endereço fica o mesmo de um dia para o outro."""
    for porta in list(range(8888, 8988)) + [0]:
        with socket.socket() as tomada, contextlib.suppress(OSError):
            tomada.bind(("127.0.0.1", porta))
            return tomada.getsockname()[1]
    raise Aviso("Não há porta livre em localhost; reinicie o computador e tente de novo.")


def anunciar(porta, endereco):
    """Diz o endereço quando o servidor já responde."""
    for _ in range(1200):
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", porta), 1).close()
            print("O curso está aberto em: %s" % endereco)
            print("Para encerrar, aperte Ctrl+C nesta janela.", flush=True)
            return
        time.sleep(0.1)


def testar(python, opcoes):
    return rodar([python, str(RAIZ / "configuracao" / "testar.py")] + opcoes, ambiente())


def reparar(python, opcoes):
    """Confere os arquivos instalados, um a um, e instala de novo os estragados."""
    estragados = instalar.reparar()
    print("Estavam estragados, e foram instalados de novo: %s." % ", ".join(estragados) if estragados else
          "Conferi os arquivos instalados: nada estragado.")
    return 0


def bancada(python, opcoes):
    """Uma medição de velocidade de bancadas/, com os processos que ela quiser."""
    nome = next(opcao for opcao in opcoes if not opcao.startswith("-"))
    existentes = sorted(p.stem for p in (RAIZ / "bancadas").glob("*.py") if p.stem != "__init__")
    if nome not in existentes:
        raise Aviso("Não existe a bancada “%s”%s; as que há são: %s." % (
            nome, parecido(nome, existentes), ", ".join(existentes)), 2)
    return rodar([python, "-m", "bancadas." + nome] + [opcao for opcao in opcoes if opcao != nome], ambiente())


def modulo(nome):
    """O comando que só passa as opções adiante, para `python -m nome`."""
    return lambda python, opcoes: rodar([python, "-m", nome] + opcoes, ambiente())


# nome: função, sala de que precisa, opções, quantos nomes soltos, uso, resumo, explicação
COMANDOS = {
    "lab": (lab, "configuracao", ["--instrutor", "--sem-navegador"], (0, 0), "lab [--instrutor] [--sem-navegador]",
            "abre o JupyterLab no curso",
            "  --instrutor       liga também o formgrader e as ferramentas de autoria\n"
            "  --sem-navegador   mostra o endereço em vez de abrir o navegador\n"),
    "conferir": (modulo("helpers.validar"), "helpers", [], (1, 1), "conferir LISTA",
                 "confere uma lista, como faz o botão Validar",
                 "  LISTA             02, lista-02 ou o caminho de um .ipynb\n"),
    "gerar": (modulo("gabarito.gerar"), "gabarito", [], (0, 99), "gerar [LISTA…]",
              "gera as referências e as listas dos alunos (instrutor)",
              "  LISTA             02 ou lista-02; sem nenhuma, todas\n"),
    "demo": (modulo("correcao.demo"), "correcao", ["--sem-navegador", "--sem-isolamento"], (0, 0),
             "demo [--sem-navegador]", "uma turma de mentira, do zip do Moodle ao relatório (instrutor)",
             "  --sem-navegador   não abre o relatório no navegador\n"
             "  --sem-isolamento  sem a caixa: as entregas são do próprio banco\n"),
    "coletar": (modulo("correcao.coletar"), "correcao", ["--planilha"], (2, 3),
                "coletar LISTA ARQUIVO", "põe as entregas do Moodle em submitted/ (instrutor)",
                "  ARQUIVO           o zip de «baixar todos os envios», outro zip, ou uma pasta de notebooks\n"
                "  --planilha CSV    a planilha de notas do Moodle: troca o número dele pela matrícula\n"),
    "corrigir": (modulo("correcao.corrigir"), "correcao", ["--aluno", "--de-novo", "--sem-isolamento"], (1, 99),
                 "corrigir LISTA [--aluno A]", "corrige as entregas de uma lista, em submitted/ (instrutor)",
                 "  LISTA             02, lista-02 ou o nome inteiro\n"
                 "  --aluno A         só este aluno\n"
                 "  --de-novo         corrige também o que já estava corrigido\n"
                 "  --sem-isolamento  executa as entregas sem a caixa: só em um computador que você possa perder\n"),
    "devolver": (modulo("correcao.devolver"), "correcao", [], (1, 1), "devolver LISTA",
                 "faz a página de devolutiva de cada aluno, e o zip para o Moodle (instrutor)",
                 "  LISTA             02, lista-02 ou o nome inteiro\n"),
    "notas": (modulo("correcao.notas"), "correcao", ["--moodle", "--destino"], (0, 3), "notas [LISTA] [--moodle CSV]",
              "exporta as notas (instrutor)",
              "  LISTA             02 ou lista-02; sem ela, todas\n"
              "  --moodle CSV      preenche a planilha de notas baixada do Moodle\n"
              "  --destino ARQUIVO onde gravar\n"),
    "relatorio": (modulo("correcao.relatorio"), "correcao", [], (0, 1), "relatorio [LISTA]",
                  "a turma de relance, em uma página (instrutor)",
                  "  LISTA             02 ou lista-02; sem ela, o progresso por todas\n"),
    "pacote": (modulo("correcao.pacote"), "correcao", ["--destino"], (0, 1), "pacote [--destino ARQUIVO]",
               "faz o zip que vai para os alunos (instrutor)",
               "  --destino         onde gravar o zip; sem ela, na pasta pacotes\n"),
    "treinar": (modulo("helpers.treino"), "helpers", ["--de-novo"], (0, 1), "treinar [CORRIDA] [--de-novo]",
                "faz, ou refaz, uma das corridas guardadas das aulas 08 e 09",
                "  CORRIDA           o nome da corrida; sem ele, mostra as que há\n"
                "  --de-novo         treina também as sementes já guardadas\n"),
    "bancada": (bancada, "bancadas", ["--rapida"], (1, 1), "bancada NOME [--rapida]",
                "mede a velocidade: conferencia, correcao, llm ou treino (instrutor)",
                "  NOME              conferencia, correcao, llm ou treino\n"
                "  --rapida          uma medição curta, só para ver se funciona\n"),
    "reparar": (reparar, "configuracao", [], (0, 0), "reparar", "confere o que está instalado e conserta o estragado",
                ""),
    "testar": (testar, "configuracao", ["--rapido"], (0, 0), "testar [--rapido]", "roda os testes do curso",
               "  --rapido          só o estilo e os testes curtos, em menos de dois minutos\n"),
}


def ajuda(nome=None):
    if nome:
        uso, resumo, explicacao = COMANDOS[nome][4:]
        return "uso: python curso.py %s\n\n%s.\n\nopções:\n%s  --help            mostra esta ajuda" % (
            uso, resumo[0].upper() + resumo[1:], explicacao)
    linhas = ["uso: python curso.py COMANDO [opções]", "", "comandos:"]
    linhas += ["  %-38s%s" % (uso, resumo) for _, sala, _, _, uso, resumo, _ in COMANDOS.values()
               if (RAIZ / sala).is_dir()]
    return "\n".join(linhas + ["", "Na primeira vez, qualquer comando instala o curso na pasta .venv.",
                               "As opções de cada um: python curso.py COMANDO --help"])


def escolher(argumentos):
    """A função e as opções pedidas, ou None quando bastou mostrar a ajuda."""
    nome, opcoes = (argumentos[0], argumentos[1:]) if argumentos else ("ajuda", [])
    pedidos_de_ajuda = {"ajuda", "help", "--ajuda", "--help", "-h"}
    if nome in pedidos_de_ajuda:
        print(ajuda(opcoes[0] if opcoes and opcoes[0] in COMANDOS else None))
        return None
    if nome not in COMANDOS:
        raise Aviso("Não existe o comando “%s”%s; veja todos com: python curso.py ajuda" % (
            nome, parecido(nome, COMANDOS)), 2)
    if pedidos_de_ajuda & set(opcoes):
        print(ajuda(nome))
        return None
    funcao, sala, aceitas, (minimo, maximo), uso = COMANDOS[nome][:5]
    if not (RAIZ / sala).is_dir():
        raise Aviso("O comando “%s” não está nesta pasta: este comando é do instrutor e não vem no pacote do "
                    "aluno." % nome, 2)
    estranhas = [opcao for opcao in opcoes if opcao.startswith("-") and opcao.split("=")[0] not in aceitas]
    if estranhas:
        raise Aviso("O comando “%s” não tem a opção “%s”%s; veja: python curso.py %s --help" % (
            nome, estranhas[0], parecido(estranhas[0], aceitas), nome), 2)
    if not minimo <= sum(not opcao.startswith("-") for opcao in opcoes) <= maximo:
        raise Aviso("Use assim: python curso.py %s" % uso, 2)
    return funcao, opcoes


def parecido(palavra, possiveis):
    proximas = difflib.get_close_matches(palavra, list(possiveis), 1, 0.5)
    return " (você quis dizer “%s”?)" % proximas[0] if proximas else ""


def principal(argumentos):
    for saida in (sys.stdout, sys.stderr):
        saida.reconfigure(encoding="utf-8", errors="replace")
    try:
        pedido = escolher(argumentos)
        if pedido is None:
            return 0
        funcao, opcoes = pedido
        return funcao(instalar.preparar(), opcoes)
    except Aviso as aviso:
        frase, codigo = str(aviso), aviso.codigo
    except KeyboardInterrupt:
        frase, codigo = "\nInterrompido; nada se perdeu: rode o mesmo comando de novo.", 130
    except PermissionError as erro:
        frase, codigo = ("Não posso escrever em %s; feche as outras janelas do curso ou copie a pasta para "
                         "um lugar seu, e rode de novo." % (erro.filename or RAIZ)), 1
    except OSError as erro:
        if erro.errno != errno.ENOSPC:
            raise
        frase, codigo = "O disco encheu; libere uns 3 GB e rode o mesmo comando de novo.", 1
    print(frase, file=sys.stderr)
    return codigo


if __name__ == "__main__":
    sys.exit(principal(sys.argv[1:]))
