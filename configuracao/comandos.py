"""Os comandos do curso, cada um definido uma vez: o curso.py e o módulo que o executa leem a mesma definição.

Para acrescentar um comando, acrescente uma declaração à lista de COMANDOS; o módulo dela começa com
`pedido = comandos.ler("nome", argumentos)` e acaba com `rodar(main)`. Só a biblioteca padrão: vai para o aluno.
"""

import argparse
import difflib
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, NoReturn
from urllib.parse import urlsplit

from configuracao.lugares import RAIZ

GRUPOS_DA_SALA = {"correcao": ("correcao",), "bancadas": ("correcao",), "sitio": ("sitio",)}
AJUDA = ("ajuda", "help", "--ajuda", "--help", "-h")
TRACOS = ("-", "–", "—")  # um editor troca o hífen por um destes, e a pessoa copia o comando dele
PEDIDO_ERRADO = 2
LARGURA = 100  # da ajuda


# ------------------------------------------------------------ os tipos: recusam dizendo o que esperam


def texto(valor: str) -> str:
    if not valor:
        raise ValueError("um valor")
    return valor


def caminho(valor: str) -> Path:
    if not valor:  # Path("") seria a pasta atual
        raise ValueError("um caminho")
    return Path(valor)


def inteiro(minimo: int) -> Callable[[str], int]:
    def converter(valor: str) -> int:
        # o int() aceita " 7", "1_000" e os algarismos de outras escritas, e recusa em inglês o que é comprido demais
        if not (valor.isascii() and valor.isdecimal() and len(valor) <= 18) or int(valor) < minimo:
            raise ValueError(f"um número inteiro a partir de {minimo}")
        return int(valor)

    return converter


def por_cento(valor: str) -> int:
    """“80” ou “80%”."""
    limpo = valor.removesuffix("%")
    if not (limpo.isascii() and limpo.isdecimal() and 0 < int(limpo[:4]) <= 100):
        raise ValueError("um número inteiro de 1 a 100")
    return int(limpo)


def endereco_do_cluster(valor: str) -> str:
    """O de um agendador do dask; fora deste computador, só com TLS."""
    valor = valor if "://" in valor else f"tcp://{valor}"
    try:
        partes = urlsplit(valor)
        completo = bool(partes.hostname and partes.port)
    except ValueError:  # em inglês
        completo = False
    aqui = completo and partes.scheme == "tcp" and partes.hostname in ("localhost", "127.0.0.1", "::1")
    if not aqui and not (completo and partes.scheme == "tls"):
        raise ValueError("tls://MÁQUINA:PORTA ou, só se o agendador está neste computador, tcp://localhost:PORTA")
    return valor


def pesos(valor: str) -> dict[str, float]:
    """“01=1,08=2.5”: a lista e o peso dela."""
    achados = dict(re.findall(r"(\d{1,2})=(\d{1,6}(?:\.\d{1,6})?)(?:,|$)", valor)) if valor.isascii() else {}
    if not re.fullmatch(r"\d{1,2}=[\d.]+(,\d{1,2}=[\d.]+)*", valor, flags=re.ASCII) or len(achados) <= valor.count(","):
        raise ValueError("o peso de cada lista, como em 01=1,08=2.5")
    return {lista: float(peso) for lista, peso in achados.items()}


def um_de(*escolhas: str) -> Callable[[str], str]:
    def converter(valor: str) -> str:
        if valor not in escolhas:
            raise ValueError(enumerar(escolhas, "ou"))
        return valor

    return converter


# ------------------------------------------------------------ as partes de um comando


class Argumento(NamedTuple):
    nome: str  # como se lê no uso; em minúsculas, é o nome dele no pedido
    ajuda: str
    tipo: Callable[[str], Any] = texto
    opcional: bool = False
    varios: bool = False  # leva todos os que restam, e pode não haver nenhum

    @property
    def uso(self) -> str:
        return f"[{self.nome}…]" if self.varios else f"[{self.nome}]" if self.opcional else self.nome


class Opcao(NamedTuple):
    nome: str  # `--de-novo`; no pedido, `de_novo`
    ajuda: str = ""  # sem ela, não aparece: é de uso interno
    valor: str = ""  # o nome do valor que pede; sem ele, a opção só liga
    tipo: Callable[[str], Any] = texto
    repete: bool = False  # pode vir mais de uma vez; no pedido, é uma lista
    grupos: tuple[str, ...] = ()  # os que o comando só usa com ela

    @property
    def chave(self) -> str:
        return self.nome.lstrip("-").replace("-", "_")

    @property
    def escrita(self) -> str:
        return f"{self.nome} {self.valor}".rstrip()

    @property
    def uso(self) -> str:
        return f"[{self.escrita}]" + "…" * self.repete


class Comando(NamedTuple):
    nome: str
    sala: str  # a pasta sem a qual ele não existe: o pacote do aluno não tem as do instrutor
    modulo: str  # quem o executa; vazio, é o próprio curso.py
    resumo: str
    argumentos: tuple[Argumento, ...] = ()
    opcoes: tuple[Opcao, ...] = ()
    exemplos: tuple[str, ...] = ()  # o que vem depois do nome
    sem_instalar: bool = False  # só usa a biblioteca padrão, e roda antes de haver um ambiente
    avulso: bool = False  # só se chama por `python -m`, e o curso.py não o oferece
    grupos: tuple[str, ...] = ()  # de pyproject.toml, além dos da sala (GRUPOS_DA_SALA)

    @property
    def chamada(self) -> str:
        return f"python -m {self.modulo}" if self.avulso else f"python curso.py {self.nome}"

    @property
    def visiveis(self) -> list[Opcao]:
        return [opcao for opcao in self.opcoes if opcao.ajuda]

    @property
    def partes_do_uso(self) -> list[str]:
        return [self.chamada, *(a.uso for a in self.argumentos), *(o.uso for o in self.visiveis)]

    @property
    def uso(self) -> str:
        return " ".join(self.partes_do_uso)


# ------------------------------------------------------------ os comandos

LISTA = Argumento("LISTA", "02, lista-02 ou o nome inteiro")
RAPIDA = Opcao("--rapida", "uma medição curta, só para ver se funciona")
SEM_NAVEGADOR = "--sem-navegador"
SEM_ISOLAMENTO = "--sem-isolamento"
DE_NOVO = "--de-novo"
BANCADAS = (
    *("conferencia", "correcao", "exploradores", "inducao", "llm", "moderno", "pagina", "seu_gpt", "sitio"),
    "treino",
)

COMANDOS = {
    comando.nome: comando
    for comando in (
        Comando(
            "lab",
            sala="configuracao",
            modulo="",
            resumo="abre o JupyterLab no curso",
            opcoes=(
                Opcao("--instrutor", "liga também o formgrader e as ferramentas de autoria", grupos=("correcao",)),
                Opcao(SEM_NAVEGADOR, "mostra o endereço em vez de abrir o navegador"),
            ),
        ),
        Comando(
            "conferir",
            sala="helpers",
            modulo="helpers.conferencia.comando",
            resumo="confere uma lista, como faz o botão Validar",
            argumentos=(Argumento("LISTA", "02, lista-02 ou o caminho de um .ipynb"),),
            exemplos=("02", "entregas/minha-lista.ipynb"),
        ),
        Comando(
            "progresso",
            sala="helpers",
            modulo="helpers.autoria.mapa",
            resumo="a máquina que você está montando, peça por peça, e o próximo passo",
        ),
        Comando(
            "atualizar",
            sala="configuracao",
            modulo="configuracao.atualizar",
            resumo="põe na sua pasta um pacote mais novo, sem tocar nas listas que você já começou",
            argumentos=(Argumento("PACOTE", "o zip que o instrutor mandou (em um JupyterHub, nenhum)", caminho, True),),
            opcoes=(Opcao("--ensaio", "mostra o que mudaria, e não muda nada"),),
            exemplos=("curso-atencao.zip --ensaio", "curso-atencao.zip"),
            sem_instalar=True,
        ),
        Comando(
            "gerar",
            sala="gabarito",
            modulo="gabarito.gerar",
            resumo="gera as referências e as listas dos alunos (instrutor)",
            argumentos=(Argumento("LISTA", "02 ou lista-02; sem nenhuma, todas", varios=True),),
            exemplos=("", "02 03"),
        ),
        Comando(
            "demo",
            sala="correcao",
            modulo="correcao.demo",
            resumo="uma turma de mentira, do zip do Moodle ao relatório (instrutor)",
            opcoes=(
                Opcao(SEM_NAVEGADOR, "não abre o relatório no navegador"),
                Opcao(SEM_ISOLAMENTO, "corrige sem a caixa (aqui não há risco: as entregas são do próprio curso)"),
                Opcao("--alunos", valor="N", tipo=inteiro(1)),
                Opcao("--pasta", valor="PASTA", tipo=caminho),
            ),
        ),
        Comando(
            "prazo",
            sala="correcao",
            modulo="correcao.livro.prazo",
            resumo="os prazos das listas, e quem tem mais prazo (instrutor)",
            argumentos=(
                Argumento("LISTA", "02 ou lista-02; sem ela, mostra os prazos de todas", opcional=True),
                Argumento("DATA", "14/09/2026 23:59, no fuso da turma; sem a hora, 23:59", varios=True),
            ),
            opcoes=(
                Opcao("--aluno", "dá mais prazo só a este aluno; pode repetir", "A", repete=True),
                Opcao("--tirar", "tira o prazo da lista ou, com --aluno, o que o aluno tinha a mais"),
            ),
            exemplos=("", "02 14/09/2026 23:59", "02 16/09/2026 23:59 --aluno 20261234"),
        ),
        Comando(
            "reentrega",
            sala="correcao",
            modulo="correcao.livro.reentrega",
            resumo="até quando se entrega de novo depois do prazo, e qual vale (instrutor)",
            argumentos=(
                Argumento("LISTA", "02 ou lista-02; sem ela, mostra a regra de todas", opcional=True),
                Argumento("DATA", "21/09/2026 23:59, no fuso da turma; sem a hora, 23:59", varios=True),
            ),
            opcoes=(
                Opcao("--vale", "melhor (é assim sem ela) ou ultima", "QUAL", um_de("melhor", "ultima")),
                Opcao("--teto", "quanto uma reentrega pode valer, em % dos pontos; sem ela, 100", "80", por_cento),
                Opcao("--tirar", "deixa de aceitar reentregas desta lista"),
            ),
            exemplos=("", "02 21/09/2026 23:59 --teto 80", "02 --tirar"),
        ),
        Comando(
            "coletar",
            sala="correcao",
            modulo="correcao.chegada.coletar",
            resumo="põe as entregas do Moodle em submitted/ (instrutor)",
            argumentos=(
                LISTA,
                Argumento("ARQUIVO", "o zip de “baixar todos os envios”, outro zip, ou uma pasta", caminho),
            ),
            opcoes=(
                Opcao(
                    "--planilha", "a planilha de notas do Moodle: troca o número dele pela matrícula", "CSV", caminho
                ),
            ),
            exemplos=("02 envios.zip", "02 envios.zip --planilha notas.csv"),
        ),
        Comando(
            "corrigir",
            sala="correcao",
            modulo="correcao.juizo.corrigir",
            resumo="corrige as entregas de uma lista, em submitted/ (instrutor)",
            argumentos=(LISTA,),
            opcoes=(
                Opcao("--aluno", "só este aluno; pode repetir", "A", repete=True),
                Opcao(DE_NOVO, "corrige também o que já estava corrigido"),
                Opcao("--questao", "só julga de novo esta questão, de todos, e mostra o que mudaria", "Q"),
                Opcao("--anular", "com --questao: dá os pontos dela a todos os que entregaram"),
                Opcao("--aplicar", "com --questao: grava o que mudaria"),
                Opcao("--lista-nova", "passa a turma para a lista que mudou depois de corrigida, com o mesmo livro"),
                Opcao("--processos", "quantas entregas de cada vez; sem ela, uma por núcleo", "N", inteiro(1)),
                Opcao(
                    "--cluster",
                    "roda as entregas nas máquinas de um agendador do dask: tls://MÁQUINA:PORTA",
                    "ENDERECO",
                    endereco_do_cluster,
                ),
                Opcao(SEM_ISOLAMENTO, "executa as entregas sem a caixa: só em um computador que você possa perder"),
            ),
            exemplos=("02", "02 --aluno 20261234 --de-novo", "05 --questao multi_cabecas --aplicar"),
        ),
        Comando(
            "ler",
            sala="correcao",
            modulo="correcao.devolucao.ler",
            resumo="abre a página em que se leem as questões abertas, e se dá a nota delas (instrutor)",
            argumentos=(LISTA,),
            opcoes=(
                Opcao("--quem", "o nome de quem lê, que fica com cada nota; sem ela, o do usuário", "NOME"),
                Opcao("--sem-nomes", "esconde de quem é cada resposta"),
                Opcao("--exportar", "em vez de abrir a página, grava as respostas com as notas em CSV e em HTML"),
                Opcao("--porta", "a porta da página; sem ela, uma livre", "N", inteiro(1)),
                Opcao(SEM_NAVEGADOR, "mostra o endereço em vez de abrir o navegador"),
            ),
            exemplos=("05", "05 --quem Bia", "05 --exportar"),
        ),
        Comando(
            "devolver",
            sala="correcao",
            modulo="correcao.devolucao.devolver",
            resumo="faz a página de devolutiva de cada aluno, e o zip para o Moodle (instrutor)",
            argumentos=(LISTA,),
            exemplos=("02",),
        ),
        Comando(
            "notas",
            sala="correcao",
            modulo="correcao.devolucao.notas",
            resumo="exporta as notas (instrutor)",
            argumentos=(Argumento("LISTA", "02 ou lista-02; sem ela, todas", opcional=True),),
            opcoes=(
                Opcao("--moodle", "preenche a planilha de notas baixada do Moodle; pede uma LISTA", "CSV", caminho),
                Opcao("--zero-para-ausentes", "dá zero a quem está na turma e não entregou"),
                Opcao("--todas", "uma linha por aluno, com todas as listas e a média"),
                Opcao("--pesos", "com --todas: o peso de cada lista; o que não se diz é 1", "01=1,08=2", pesos),
                Opcao(
                    "--destino",
                    "onde gravar; sem ela, notas.csv, notas-todas.csv ou ao lado da planilha",
                    "ARQUIVO",
                    caminho,
                ),
            ),
            exemplos=("", "02 --moodle notas.csv", "--todas --pesos 01=1,08=2"),
        ),
        Comando(
            "relatorio",
            sala="correcao",
            modulo="correcao.devolucao.relatorio",
            resumo="a turma de relance, em uma página (instrutor)",
            argumentos=(Argumento("LISTA", "02 ou lista-02; sem ela, o progresso por todas", opcional=True),),
            exemplos=("", "02"),
        ),
        Comando(
            "equivocos",
            sala="correcao",
            modulo="correcao.devolucao.equivocos",
            resumo="os erros da turma que o gabarito não conhece (instrutor)",
            argumentos=(LISTA,),
            opcoes=(Opcao("--quantos", "quantos tipos de erro mostrar; sem ela, 10", "N", inteiro(1)),),
            exemplos=("02", "02 --quantos 30"),
        ),
        Comando(
            "pacote",
            sala="gabarito",
            modulo="gabarito.pacote",
            resumo="faz o zip que vai para os alunos (instrutor)",
            opcoes=(
                Opcao("--ate", "o pacote de uma semana: só as aulas e as listas até esta", "NN", inteiro(1)),
                Opcao("--destino", "onde gravar o zip; sem ela, na pasta pacotes", "ARQUIVO", caminho),
            ),
            exemplos=("", "--ate 03"),
        ),
        Comando(
            "site",
            sala="sitio",
            modulo="sitio.construir",
            resumo="faz o site do curso: páginas que se leem sem instalar nada (instrutor)",
            opcoes=(
                Opcao("--destino", "onde pôr as páginas; sem ela, em pacotes/site", "PASTA", caminho),
                Opcao("--ate", "o site de uma semana: só as aulas e as listas até esta", "NN", inteiro(1)),
                Opcao("--abrir", "abre a página inicial no navegador, no fim"),
            ),
            exemplos=("--abrir", "--ate 03 --destino /tmp/curso"),
        ),
        Comando(
            "hub",
            sala="gabarito",
            modulo="gabarito.hub",
            resumo="o curso em um JupyterHub, um só para a turma (instrutor)",
            opcoes=(
                Opcao("--aplicar", "faz o que falta, como root; sem ela, só diz o que seria feito"),
                Opcao("--conferir", "olha um hub que já existe, e diz o que está errado nele"),
                Opcao("--pasta", "onde o hub fica; sem ela, /srv/curso-atencao", "PASTA", caminho),
                Opcao("--ate", "o pacote de uma semana, como em `pacote`", "NN", inteiro(1)),
            ),
            exemplos=("", "--aplicar", "--conferir"),
        ),
        Comando(
            "treinar",
            sala="helpers",
            modulo="helpers.treino",
            resumo="faz, ou refaz, um dos treinos guardados das aulas 08 e 09",
            argumentos=(Argumento("TREINO", "o nome do treino; sem nenhum, mostra os que há", varios=True),),
            opcoes=(
                Opcao(DE_NOVO, "treina também as sementes já guardadas"),
                Opcao("--pesos", "só refaz os pesos que o explorador “Letra por letra” abre, com a primeira semente"),
            ),
            exemplos=("", "melhor --de-novo", "melhor --pesos"),
        ),
        Comando(
            "bancada",
            sala="bancadas",
            modulo="",
            resumo="mede a velocidade de uma parte do curso (instrutor)",
            argumentos=(Argumento("NOME", " ".join(BANCADAS), um_de(*BANCADAS)),),
            opcoes=(RAPIDA,),
            exemplos=("conferencia --rapida", "treino --help"),
        ),
        Comando(
            "bancada conferencia",
            sala="bancadas",
            modulo="bancadas.conferencia",
            resumo="quanto custa uma conferência além da conta do aluno",
            opcoes=(RAPIDA, Opcao("--antes", "compara com o curso de outra pasta", "PASTA", caminho)),
        ),
        Comando(
            "bancada correcao",
            sala="bancadas",
            modulo="bancadas.correcao",
            resumo="quanto custam a caixa e o julgamento, comparados com o nbgrader puro",
            opcoes=(
                RAPIDA,
                Opcao("--turma", "mede uma turma inteira, com este número de entregas", "N", inteiro(1)),
                Opcao("--lista", "mede só esta lista", "LISTA"),
            ),
        ),
        Comando(
            "bancada exploradores",
            sala="bancadas",
            modulo="bancadas.exploradores",
            resumo="quanto um explorador demora a abrir e a responder, comparado com a ida e volta ao kernel",
            opcoes=(RAPIDA,),
        ),
        Comando(
            "bancada inducao",
            sala="bancadas",
            modulo="bancadas.inducao",
            resumo="que diferença decide se a cabeça de indução da aula 09 nasce",
            opcoes=(RAPIDA,),
        ),
        Comando(
            "bancada llm",
            sala="bancadas",
            modulo="bancadas.llm",
            resumo="quanto custa abrir o LLM da aula 10 e ler 31 tokens com ele",
            opcoes=(RAPIDA, Opcao("--papel", valor="PAPEL", tipo=um_de("curso", "par"))),
        ),
        Comando(
            "bancada moderno",
            sala="bancadas",
            modulo="bancadas.moderno",
            resumo="o GPT da aula 08 com uma peça de hoje por vez: perda e custo de um passo",
            opcoes=(RAPIDA,),
        ),
        Comando(
            "bancada pagina",
            sala="bancadas",
            modulo="bancadas.pagina",
            resumo="quanto a página de uma lista demora a conferir, comparada com o kernel do notebook",
            opcoes=(RAPIDA,),
        ),
        Comando(
            "bancada seu_gpt",
            sala="bancadas",
            modulo="bancadas.seu_gpt",
            resumo="o GPT do fim da lista 08, comparado com o do curso",
            opcoes=(RAPIDA,),
        ),
        Comando(
            "bancada sitio",
            sala="bancadas",
            modulo="bancadas.sitio",
            resumo="quanto custa fazer o site, comparado com o nbconvert nos mesmos notebooks",
            opcoes=(RAPIDA,),
            grupos=("sitio",),
        ),
        Comando(
            "bancada treino",
            sala="bancadas",
            modulo="bancadas.treino",
            resumo="a velocidade do treino do GPT do curso",
            opcoes=(
                RAPIDA,
                Opcao("--threads", "núcleos do torch; sem ela, 1", "N", inteiro(1)),
                Opcao("--saida", "onde guardar o gráfico", "ARQUIVO", caminho),
            ),
        ),
        Comando(
            "versao",
            sala="configuracao",
            modulo="configuracao.versao",
            resumo="que curso é este: a versão, de quem é a pasta e até que aula ela vai",
            sem_instalar=True,
        ),
        Comando(
            "reparar",
            sala="configuracao",
            modulo="",
            resumo="confere o que está instalado e conserta o estragado",
        ),
        Comando(
            "testar",
            sala="configuracao",
            modulo="configuracao.testar",
            resumo="roda os testes do curso",
            grupos=("correcao", "desenvolvimento", "sitio"),
            opcoes=(
                Opcao("--rapido", "só o estilo e os testes curtos, em menos de dois minutos"),
                Opcao("--tudo", "todas as sementes e todos os casos, sem sorteio"),
                Opcao("--instalar", "só instala o que os testes usam, para quem roda o pytest à mão"),
                Opcao(
                    "--semente",
                    "repete o sorteio de outra rodada (o número está na primeira linha dela)",
                    "N",
                    inteiro(0),
                ),
            ),
        ),
        Comando(
            "copia",
            sala="helpers",
            modulo="helpers.copia",
            resumo="faz de novo os treinos da tarefa de cópia (aula 09)",
            avulso=True,
        ),
        Comando(
            "banco",
            sala="gabarito",
            modulo="gabarito.banco",
            resumo="mostra o que cada equívoco e cada alternativa recebe",
            argumentos=(Argumento("QUESTAO", "lista-02 ou lista-02/softmax; sem nenhuma, todas", varios=True),),
            exemplos=("lista-02",),
            avulso=True,
        ),
        Comando(
            "aulas",
            sala="gabarito",
            modulo="gabarito.aulas",
            resumo="executa as aulas e as guarda com as saídas",
            argumentos=(Argumento("AULA", "00 a 10, ou alem/02-nome; sem nenhuma, todas", varios=True),),
            exemplos=("02",),
            avulso=True,
        ),
        Comando(
            "travar",
            sala="configuracao",
            modulo="configuracao.travar",
            resumo="refaz os locks e o environment.yml a partir de pyproject.toml",
            opcoes=(
                Opcao("--atualizar", "vai para as versões mais novas que servem"),
                Opcao("--torch", "completa a tabela de hashes do PyTorch"),
            ),
            avulso=True,
        ),
    )
}


# ------------------------------------------------------------ a ajuda


def ajuda(comando: Comando) -> str:
    partes = {
        "argumentos": [(argumento.nome, argumento.ajuda) for argumento in comando.argumentos],
        "opções": [(o.escrita, o.ajuda) for o in comando.visiveis] + [("--help", "mostra esta ajuda")],
    }
    largura = 2 + max(len(nome) for linhas in partes.values() for nome, _ in linhas)
    blocos = [uso_em_linhas(comando), f"{comando.resumo[0].upper()}{comando.resumo[1:]}."]
    for titulo, linhas in partes.items():
        if linhas:
            blocos.append("\n".join([f"{titulo}:", *(f"  {nome:<{largura}}{dito}" for nome, dito in linhas)]))
    if comando.exemplos:
        linhas_de_exemplo = (f"  {comando.chamada} {resto}".rstrip() for resto in comando.exemplos)
        blocos.append("\n".join(["exemplos:", *linhas_de_exemplo]))
    return "\n\n".join(blocos)


def uso_em_linhas(comando: Comando) -> str:
    """O uso, sem passar da largura de um terminal nem partir uma opção ao meio."""
    linhas = ["uso:"]
    for parte in comando.partes_do_uso:
        if len(linhas[-1]) + 1 + len(parte) > LARGURA:
            linhas.append(" " * len("uso:"))
        linhas[-1] += f" {parte}"
    return "\n".join(linhas)


def ajuda_geral(oferecidos: Iterable[Comando]) -> str:
    linhas = {" ".join([c.nome, *(a.uso for a in c.argumentos)]): c.resumo for c in oferecidos if " " not in c.nome}
    largura = 2 + max(map(len, linhas))
    return "\n".join(
        [
            "uso: python curso.py COMANDO [opções]",
            "",
            "comandos:",
            *(f"  {uso:<{largura}}{resumo}" for uso, resumo in linhas.items()),
            "",
            "Na primeira vez, qualquer comando instala o curso na pasta .venv.",
            "As opções de cada um: python curso.py COMANDO --help",
        ]
    )


# ------------------------------------------------------------ a leitura


def escolher(palavras: Sequence[str]) -> tuple[Comando, list[str]]:
    """O comando da linha e o resto dela. A ajuda geral e o comando que não há terminam aqui."""
    palavras = list(palavras)
    aqui = {nome: c for nome, c in COMANDOS.items() if not c.avulso and (RAIZ / c.sala).is_dir()}
    if not [palavra for palavra in palavras if palavra not in AJUDA]:
        print(ajuda_geral(aqui.values()))
        raise SystemExit(0)
    if palavras[0] in AJUDA:  # `ajuda corrigir` é `corrigir --help`
        palavras = [*palavras[1:], "--help"]
    nome, resto = palavras[0], palavras[1:]
    soltas = [palavra for palavra in resto if not palavra.startswith(TRACOS)]
    if soltas and f"{nome} {soltas[0]}" in COMANDOS:  # `bancada llm`
        nome = f"{nome} {soltas[0]}"
        resto.remove(soltas[0])
    if nome in aqui:
        return aqui[nome], resto
    if nome in COMANDOS and not COMANDOS[nome].avulso:
        errar(f"O comando “{nome}” não está nesta pasta: este comando é do instrutor e não vem no pacote do aluno.")
    todos = "veja todos com: python curso.py ajuda"
    if nome.startswith(TRACOS):
        errar(f"O comando vem antes de “{nome}”; {todos}")
    errar(f"Não existe o comando “{nome}”{parecido(nome, [n for n in aqui if ' ' not in n])}; {todos}")


def ler(nome: str, argumentos: Sequence[str] | None = None) -> Any:
    """O que foi pedido ao comando, já convertido; a ajuda e os erros terminam aqui, com SystemExit."""
    comando = COMANDOS[nome]
    palavras = list(sys.argv[1:] if argumentos is None else argumentos)
    corte = palavras.index("--") if "--" in palavras else len(palavras)
    if set(AJUDA) & set(palavras[:1]) or {"--ajuda", "--help", "-h"} & set(palavras[:corte]):
        print(ajuda(comando))
        raise SystemExit(0)
    dadas, soltas = separar(comando, palavras[:corte])
    valores = {opcao.chave: valor_da_opcao(comando, opcao, dadas[opcao.chave]) for opcao in comando.opcoes}
    return SimpleNamespace(**valores, **distribuir(comando, soltas + palavras[corte + 1 :]))


def grupos(comando: Comando, pedido: Any) -> set[str]:
    """O que o comando usa além do que todo aluno tem; no pacote do aluno não há o lock da correção, nem quem a use."""
    das_opcoes = [opcao.grupos for opcao in comando.opcoes if getattr(pedido, opcao.chave)]
    todos = {grupo for de in (comando.grupos, GRUPOS_DA_SALA.get(comando.sala, ()), *das_opcoes) for grupo in de}
    return {grupo for grupo in todos if (RAIZ / "configuracao" / "locks" / f"{grupo}.lock").is_file()}


def separar(comando: Comando, palavras: list[str]) -> tuple[dict[str, Any], list[str]]:
    """As opções dadas e as palavras soltas.

    O argparse só separa: nenhuma opção é obrigatória e nenhum valor tem tipo, e assim ele não tem do que reclamar em
    inglês. Quem confere é o curso.
    """
    analisador = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    for opcao in comando.opcoes:
        if opcao.valor:
            analisador.add_argument(opcao.nome, dest=opcao.chave, action="append", nargs="?", const="", default=[])
        else:
            analisador.add_argument(opcao.nome, dest=opcao.chave, action="store_true")
    try:
        dadas, soltas = analisador.parse_known_args(palavras)
    except argparse.ArgumentError as erro:  # resta um: um valor dado a quem só liga
        errar(f"A opção “{erro.argument_name}” não leva valor: escreva só {erro.argument_name}.")
    for palavra in soltas:
        if palavra.startswith(TRACOS) and palavra not in TRACOS:
            nomes = [opcao.nome for opcao in comando.visiveis]
            dica = parecido("--" + palavra.partition("=")[0].lstrip("".join(TRACOS)), nomes)
            errar(f"O comando “{comando.nome}” não tem a opção “{palavra}”{dica}; veja: {comando.chamada} --help")
    return vars(dadas), soltas


def valor_da_opcao(comando: Comando, opcao: Opcao, dados: Any) -> Any:
    if not opcao.valor:
        return dados
    if "" in dados:
        errar(f"A opção “{opcao.nome}” pede um valor: {opcao.escrita}; veja: {comando.chamada} --help")
    if len(dados) > 1 and not opcao.repete:
        errar(f"A opção “{opcao.nome}” veio {len(dados)} vezes; fique com uma só.")
    valores = [converter(f"A opção “{opcao.nome}”", opcao.tipo, dado) for dado in dados]
    return valores if opcao.repete else valores[0] if valores else None


def distribuir(comando: Comando, soltas: list[str]) -> dict[str, Any]:
    """As palavras soltas, cada uma no seu argumento."""
    valores: dict[str, Any] = {}
    faltam = []
    for argumento in comando.argumentos:
        quantas = len(soltas) if argumento.varios else 1
        dados, soltas = soltas[:quantas], soltas[quantas:]
        if not dados and not argumento.varios and not argumento.opcional:
            faltam.append(argumento.nome)
        convertidos = [converter(argumento.nome, argumento.tipo, dado) for dado in dados]
        valores[argumento.nome.lower()] = convertidos if argumento.varios else convertidos[0] if convertidos else None
    if faltam:
        errar(f"{'Falta' if len(faltam) == 1 else 'Faltam'} {enumerar(faltam)}; use assim: {comando.uso}")
    if soltas:
        dica = parecido(f"--{soltas[0]}", [opcao.nome for opcao in comando.visiveis])
        errar(f"Sobra “{soltas[0]}”{dica}; use assim: {comando.uso}")
    return valores


def converter(de_quem: str, tipo: Callable[[str], Any], valor: str) -> Any:
    try:
        return tipo(valor)
    except ValueError as esperado:
        errar(f"{de_quem} pede {esperado}, e não “{valor}”.")


def errar(frase: str) -> NoReturn:
    print(frase, file=sys.stderr)
    raise SystemExit(PEDIDO_ERRADO)


def parecido(palavra: str, possiveis: Iterable[str]) -> str:
    """`(você quis dizer …?)`: os que começam assim; senão, o mais parecido."""
    possiveis = list(possiveis)
    proximos = [nome for nome in possiveis if palavra and nome.startswith(palavra.lower())]
    proximos = proximos or difflib.get_close_matches(palavra.lower(), possiveis, 1, 0.5)
    return f" (você quis dizer {enumerar([f'“{nome}”' for nome in proximos], 'ou')}?)" if proximos else ""


def enumerar(nomes: Sequence[str], conjuncao: str = "e") -> str:
    """“a, b e c”. A porta tem a sua: roda antes da instalação e não importa helpers.escrita, que é a dos outros."""
    return f" {conjuncao} ".join([", ".join(nomes[:-1]), nomes[-1]] if len(nomes) > 1 else nomes)
