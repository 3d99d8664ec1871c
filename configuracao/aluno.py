"""A pasta de um aluno onde o curso é um só para muitos, como em um JupyterHub.

O programa e o ambiente ficam na pasta do curso, que o aluno só lê. As aulas e os guias vêm para a pasta dele, que
CURSO_ALUNO diz qual é, e com eles tudo o que o curso guarda de uma pessoa. As listas vêm pela troca do nbgrader ou,
onde não há uma, também como cópias. O que muda na pasta do curso chega aqui pelas regras de `atualizar`: nada do que o
aluno escreveu se perde. Só a biblioteca padrão.
"""

import os
import sys
from pathlib import Path
from typing import Any

from configuracao import atualizar
from configuracao.atualizar import NaoDaParaAtualizar, Passo
from configuracao.lugares import DO_ALUNO, RAIZ, do_aluno, programa_do_venv
from configuracao.servidor import TROCA
from configuracao.terminal import por_que

MANIFESTO = ".jupyter/pacote.json"  # o do pacote de que a pasta do aluno veio
_PARA_ELE = ("notebooks/", "guias/", "imagens/", "README.md", "LICENSE")


def preparar(pasta: Path, curso: Path = RAIZ) -> list[Passo]:
    """Faz a pasta, fechada aos outros, ou a põe em dia com a do curso; devolve o que entrou nela."""
    pasta.mkdir(parents=True, exist_ok=True)
    (pasta / "release").mkdir(exist_ok=True)  # sem ela, a tela das listas do nbgrader não abre
    if hasattr(os, "getuid") and pasta.stat().st_uid == os.getuid():
        pasta.chmod(0o700)
    novo = atualizar.manifesto_da_pasta(curso)
    if not novo["arquivos"]:
        raise NaoDaParaAtualizar(
            f"{curso} não é um pacote de aluno, e só um pacote serve a muitos; quem cuida do curso o faz com: "
            "python curso.py hub"
        )
    if not (porta := pasta / "curso.py").is_file() or porta.read_text(encoding="utf-8") != _porta(curso):
        porta.write_text(_porta(curso), encoding="utf-8")
    aqui = atualizar.manifesto_da_pasta(pasta, MANIFESTO)
    if aqui == (dele := _so_o_dele(novo)):
        return []
    passos, _ = atualizar.planejar(pasta, aqui, dele)
    arquivos = {p.origem: (curso / p.origem).read_bytes() for p in passos}
    atualizar.aplicar(pasta, arquivos, dele, passos, [], MANIFESTO)
    return passos


def _porta(curso: Path) -> str:
    """O curso.py da pasta do aluno: com ele, `python curso.py progresso` é o mesmo aqui e em casa."""
    variaveis = [f'os.environ.setdefault("{DO_ALUNO}", os.path.dirname(os.path.abspath(__file__)))']
    if troca := os.environ.get(TROCA):
        variaveis.append(f'os.environ.setdefault("{TROCA}", {troca!r})')
    return "\n".join(
        [
            '"""A porta do curso, que aqui é um só para todos."""\n',
            "import os\nimport sys\n",
            *variaveis,
            f"python, porta = {str(programa_do_venv('python', curso))!r}, {str(curso / 'curso.py')!r}",
            "os.execv(python, [python, porta, *sys.argv[1:]])\n",
        ]
    )


def _so_o_dele(manifesto: dict[str, Any]) -> dict[str, Any]:
    comeco = _PARA_ELE if os.environ.get(TROCA) else (*_PARA_ELE, "release/")
    arquivos = {nome: r for nome, r in manifesto["arquivos"].items() if nome.startswith(comeco)}
    return {**manifesto, "arquivos": arquivos}


def por_em_dia() -> bool:
    """A pasta de quem roda isto; o que o impede é dito, e não impede mais nada."""
    try:
        passos = preparar(do_aluno())
    except NaoDaParaAtualizar as erro:
        print(erro, file=sys.stderr)
        return False
    except OSError as erro:
        onde = f" em {erro.filename}" if erro.filename else ""
        print(f"Não pus a sua pasta em dia: parei{onde}, {por_que(erro)}. Nada seu se perdeu.", file=sys.stderr)
        return False
    ao_lado = [p for p in passos if p.caminho != p.origem]
    for passo in ao_lado:
        print(f"{passo.origem} mudou no curso e você mexeu nele; a versão nova está em {passo.caminho}.")
    return True
