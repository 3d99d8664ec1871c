"""O banco: cada equívoco conhecido tem de ser recusado com a sua frase, e cada alternativa, aceita.

`python -m gabarito.banco [lista-02 …]` mostra o resultado; `gerar` escreve a matriz de cada lista em
`gabarito/lista_NN/MATRIZ.md`.
"""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from configuracao import comandos
from configuracao.terminal import rodar
from gabarito.base import ALTERA_A_ENTRADA, Questao, Rodadas, carregar_tudo, declarado
from gabarito.emprestimos import tabelas
from helpers import RAIZ
from helpers.conferencia.execucao import Registro, executar
from helpers.conferencia.juiz import Diagnostico, Juiz
from helpers.conferencia.referencia import Referencia

SEMENTES, SEMENTES_DE_MODELOS = range(20), range(8)  # com modelos, cada semente custa mais


@dataclass
class Resultado:
    """O que se disse de uma resposta do banco em uma rodada de casos."""

    questao: str
    tipo: str  # "referência", "alternativa" ou "equívoco"
    nome: str
    onde: str  # "nos visíveis" ou "na semente 3"
    dito: Diagnostico | None

    @property
    def problema(self) -> str | None:
        esperado = self.nome if self.tipo == "equívoco" else None
        nome = None if self.dito is None else (self.dito.equivoco or "sem nome")
        if nome == esperado:
            return None
        contado = "passou" if self.dito is None else f"[{self.dito.equivoco}] {self.dito.frase}"
        return f"{self.tipo} {self.nome}, {self.onde}: {contado}"


@dataclass
class Exame:
    """Uma questão nos casos visíveis: a referência que vai para o aluno, e o que se disse de cada resposta."""

    q: Questao
    referencia: Referencia
    resultados: list[Resultado] = field(default_factory=list)

    def matriz(self) -> str:
        """O que o instrutor lê: o que se diz a cada equívoco desta questão."""
        linhas = [f"## {self.q.nome}", "", f"`{self.q.assinatura}`", "", "| equívoco | o que o aluno lê |"]
        linhas.append("| --- | --- |")
        for r in self.resultados:
            if r.tipo == "equívoco":
                frase = "**passou**" if r.dito is None else r.dito.frase.replace("|", "\\|").replace("\n", " ")
                linhas.append(f"| {r.nome} | {frase} |")
        alternativas = ", ".join(a.nome for a in self.q.alternativas) or "—"
        return "\n".join([*linhas, "", f"Aceitas com nota inteira: {alternativas}."])


def visiveis(q: Questao) -> Exame:
    """Faz a referência dos casos visíveis e passa por ela todas as respostas do banco."""
    rodadas: Rodadas = {}
    depende = [d.funcao for d in q.dependencias]
    referencia = replace(q.visivel(rodadas=rodadas), depende=depende, emprestimos=tabelas(q))
    return Exame(q, referencia, _examinar(q, referencia, rodadas, "nos visíveis"))


def ocultos(q: Questao, semente: int) -> list[Resultado]:
    """O mesmo, só com os casos ocultos da semente: ela tem de separar cada equívoco sem a ajuda dos visíveis."""
    rodadas: Rodadas = {}
    referencia = q.so_oculta(semente, rodadas)
    return _examinar(q, referencia, rodadas, f"na semente {semente}")


def _examinar(q: Questao, ref: Referencia, rodadas: Rodadas, onde: str) -> list[Resultado]:
    """Cada equívoco já rodou quando a referência foi feita; o da escada, e as respostas certas, rodam agora."""
    resultados = []
    for r in q.certas:
        tipo = "referência" if r.funcao is q.referencia else "alternativa"
        registros = _rodar(ref, r.funcao)
        dito = _julgar(ref, registros) or _sem_confirmacao(q, ref, registros)
        resultados.append(Resultado(q.nome, tipo, r.nome, onde, dito))
    for e in q.equivocos:
        registros = _rodar(ref, e.funcao) if e.nome == ALTERA_A_ENTRADA else rodadas[e.nome]
        resultados.append(Resultado(q.nome, "equívoco", e.nome, onde, _julgar(ref, registros)))
    return resultados


def _rodar(ref: Referencia, funcao: Callable) -> list[Registro]:
    return executar(ref.adaptar(funcao), [c.entradas for c in ref.casos])


def _julgar(ref: Referencia, registros: list[Registro]) -> Diagnostico | None:
    # ida e volta por dados, como na correção de verdade
    return Juiz(ref).julgar([Registro(**r.como_dados()) for r in registros])


def _sem_confirmacao(q: Questao, ref: Referencia, registros: list[Registro]) -> Diagnostico | None:
    """A testemunha de uma resposta certa tem de confirmá-la em todos os casos, como na correção."""
    for i, (caso, r) in enumerate(zip(ref.casos, registros, strict=True)):
        if r.erro is None and not q.confirma(caso.entradas, r.testemunha):
            return Diagnostico("a testemunha não confirma o que o adaptador disse", caso=i)
    return None


def roda_modelos(q: Questao) -> bool:
    return declarado(q.lista, "RODA_MODELOS", False)


def sementes_de(q: Questao) -> range:
    """As de `testar --tudo`; nenhuma, se a questão não sorteia casos."""
    todas = SEMENTES_DE_MODELOS if roda_modelos(q) else SEMENTES
    return todas if q.ocultos else range(0)


def problemas(resultados: Iterable[Resultado]) -> list[str]:
    return [r.problema for r in resultados if r.problema]


def matriz(exames: Iterable[Exame]) -> str:
    """A página de uma lista, com todas as questões dela."""
    exames = list(exames)
    cabecalho = [
        f"# A matriz da {exames[0].q.lista.replace('-', ' ')}",
        "",
        "Escrita por `python curso.py gerar`. Cada linha é um equívoco conhecido e o que o aluno lê quando o comete.",
        "Um teste garante que cada um é recusado com esta frase nos casos visíveis e nos ocultos, e que cada",
        "alternativa recebe a nota inteira.",
    ]
    return "\n\n".join(["\n".join(cabecalho), *(e.matriz() for e in exames)]) + "\n"


def matriz_de(lista: str) -> Path:
    """Onde fica a matriz de "lista-02"."""
    return RAIZ / "gabarito" / lista.replace("-", "_") / "MATRIZ.md"


def questoes_das_listas() -> list[Questao]:
    return [q for q in carregar_tudo().values() if q.lista.startswith("lista-")]


def main(argumentos: list[str] | None = None) -> int:
    pedidas = comandos.ler("banco", argumentos).questao
    questoes = carregar_tudo().values()
    estranhas = set(pedidas) - {nome for q in questoes for nome in (q.lista, q.nome)}
    if estranhas:
        print(f"Não há “{min(estranhas)}” no gabarito; diga como lista-02 ou lista-02/softmax.", file=sys.stderr)
        return 2
    sobrou = 0
    for q in questoes:
        if pedidas and q.lista not in pedidas and q.nome not in pedidas:
            continue
        print(f"\n{q.nome}: {len(q.equivocos)} equívocos, {len(q.alternativas)} alternativas")
        exame = visiveis(q)
        achados = problemas([*exame.resultados, *(r for s in sementes_de(q) for r in ocultos(q, s))])
        for r in exame.resultados:
            print(f"  {r.tipo} {r.nome}{f' — {r.dito.frase}' if r.dito else ''}")
        for p in achados:
            print(f"  RUIM {p}")
        sobrou += len(achados)
    print(f"\n{sobrou} problema(s).")
    return 1 if sobrou else 0


if __name__ == "__main__":
    rodar(main)
