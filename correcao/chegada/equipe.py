"""Os grupos de uma tarefa do Moodle: quem está em cada um, segundo a planilha, e que pasta do zip é de qual.

Um Moodle de hoje faz uma pasta por grupo, “Grupo A_7310100_…”, e o número é o do grupo, que não é o de aluno algum. O
grupo padrão, o de quem não está em nenhum, vem sem número. Os de antes fazem uma pasta por aluno, “Grupo A-Ana_12_…”,
todas com os mesmos arquivos. A entrega é uma só, com a pasta do grupo, e a nota e a devolutiva são de todos.
"""

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from correcao.chegada import planilha
from correcao.comum.moodle import DoMoodle
from correcao.comum.texto import sem_acentos

SEM_PLANILHA = "é o envio de um grupo, e quem está nele só a planilha do Moodle, com a coluna Grupo, diz"
FORA_DA_PLANILHA = "a planilha não tem esse grupo, nem um aluno com esse número"
_PARECE = re.compile(r"(?:grupo|group|equipe|team|dupla|trio|default group)\b")  # ninguém se chama assim


@dataclass(frozen=True)
class Equipe:
    """Um grupo."""

    nome: str
    pasta: str  # o nome da pasta dele em submitted/, no lugar do de um aluno
    membros: tuple[str, ...]  # os números deles no Moodle


@dataclass
class Equipes:
    """Os grupos de uma tarefa, e as pessoas que a planilha conhece."""

    todas: list[Equipe] = field(default_factory=list)
    pessoas: dict[str, str] = field(default_factory=dict)  # número → nome

    def achar(self, nome: str, numero: str | None) -> Equipe | None:
        """O grupo a que pertence a pasta `nome_numero_…` do zip."""
        chave, pessoa = _chave(nome), _chave(self.pessoas.get(numero or "", ""))
        dela = next((e for e in self.todas if numero in e.membros), None)
        if dela and chave.startswith(f"{_chave(dela.nome)} "):  # “Grupo A-Ana Sá_12”
            return dela
        iguais = [e for e in self.todas if _chave(e.nome) == chave]
        if len(iguais) > 1:  # “Grupo É” e “Grupo E”: só as letras exatas dizem qual é
            iguais = [e for e in iguais if e.nome == nome]
        if len(iguais) != 1 or (pessoa == chave and iguais[0] is not dela):
            return None
        return iguais[0]

    def por_que_nao(self, nome: str, numero: str | None) -> str | None:
        """Por que uma pasta que não é de um grupo conhecido também não pode ser a de um aluno; None se pode."""
        if numero in self.pessoas and _chave(self.pessoas[numero]) == _chave(nome):
            return None
        if self.todas and (numero not in self.pessoas or _PARECE.match(_chave(nome))):
            return FORA_DA_PLANILHA
        return SEM_PLANILHA if numero is None or _PARECE.match(_chave(nome)) else None


def da_planilha(tabela: planilha.Planilha, ocupados: Iterable[str]) -> Equipes:
    """Os da coluna Grupo; `ocupados` são os nomes de pasta que já são de alunos."""
    de_cada: dict[str, list[str]] = {}
    pessoas = {}
    for numero, linha in tabela.participantes().items():
        pessoas[numero] = tabela.valor(linha, "nome")
        if grupo := tabela.valor(linha, "grupo").strip(" -"):
            de_cada.setdefault(grupo, []).append(numero)
    usados, todas = set(ocupados), []
    for nome, membros in de_cada.items():
        simples = _chave(nome).replace(" ", "-")[:50] or "sem-nome"
        base = simples if simples.startswith("grupo-") else f"grupo-{simples}"
        pasta = next(p for p in itertools.chain([base], (f"{base}-{n}" for n in itertools.count(2))) if p not in usados)
        usados.add(pasta)
        todas.append(Equipe(nome, pasta, tuple(membros)))
    return Equipes(todas, pessoas)


def do_anotado(da_lista: DoMoodle) -> Equipes:
    """Os que uma coleta de antes, com a planilha, anotou."""
    numeros = {aluno: dados.get("id") or "" for aluno, dados in da_lista.items()}
    return Equipes(
        [
            Equipe(dados.get("nome") or pasta, pasta, tuple(numeros.get(m, "") for m in dados["membros"]))
            for pasta, dados in da_lista.items()
            if dados.get("membros")
        ],
        {dados["id"]: dados.get("nome") or "" for dados in da_lista.values() if dados.get("grupo") and dados.get("id")},
    )


def _chave(nome: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", sem_acentos(nome)))
