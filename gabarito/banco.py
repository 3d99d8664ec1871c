"""O banco: cada engano conhecido tem de ser recusado com a sua frase, e cada alternativa, aceita.

`python -m gabarito.banco [lista-02 …]` mostra o resultado; `gerar` escreve a matriz em `gabarito/MATRIZ.md`.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gabarito.base import Questao, carregar_tudo
from helpers.execucao import Registro, executar
from helpers.julgamento import Diagnostico, Juiz, Referencia

SEMENTES, SEMENTES_DE_MODELOS = range(20), range(8)  # as listas 07 a 10 rodam modelos, e cada semente custa mais
MATRIZ = Path(__file__).resolve().parent / "MATRIZ.md"


@dataclass
class Resultado:
    questao: str
    tipo: str  # "referência", "alternativa" ou "equívoco"
    nome: str
    esperado: str | None  # o equívoco que deve ser dito; None quando deve passar
    visivel: Diagnostico | None
    ocultos: dict[int, Diagnostico | None]  # por semente
    completo: bool = True  # também nos casos visíveis?

    def _diz(self, d: Diagnostico | None) -> str | None:
        return None if d is None else (d.equivoco or "sem nome")

    @property
    def problemas(self) -> list[str]:
        achados = []
        if self.completo and self._diz(self.visivel) != self.esperado:
            achados.append(f"nos visíveis: {_contar(self.visivel)}")
        ruins = [s for s, d in self.ocultos.items() if self._diz(d) != self.esperado]
        if ruins:
            achados.append(f"na semente {ruins[0]} (e em mais {len(ruins) - 1}): {_contar(self.ocultos[ruins[0]])}")
        return achados


def _contar(d: Diagnostico | None) -> str:
    return "passou" if d is None else f"[{d.equivoco}] {d.frase}"


def _julgar(ref: Referencia, funcao: Callable, registros: list[Registro] | None = None) -> Diagnostico | None:
    if registros is None:
        registros = executar(ref.adaptar(funcao), [c.entradas for c in ref.casos], ref.prazo)
    # Ida e volta por dados, como na correção de verdade.
    return Juiz(ref).julgar([Registro(**r.como_dados()) for r in registros])


def sementes_de(q: Questao) -> range:
    return SEMENTES_DE_MODELOS if q.lista >= "lista-07" else SEMENTES


def examinar(q: Questao, sementes: Iterable[int] | None = None, completo: bool = True) -> Iterator[Resultado]:
    """Passa a referência, as alternativas e os equívocos pelos casos visíveis e pelos ocultos de cada semente.

    Sem `completo`, só pelos ocultos, e com cada engano rodado uma vez só: custa a metade, mas não percebe um engano
    que a cada vez dá outra coisa.
    """
    visivel = q.visivel() if completo else None
    # Só os casos ocultos: cada semente tem de separar o engano sozinha, sem a ajuda dos visíveis.
    sementes = sementes_de(q) if sementes is None else sementes
    rodadas: dict[int, dict[str, list[Registro]]] = {s: {} for s in sementes} if q.ocultos else {}
    ocultas = {s: q.so_oculta(s, feitas) for s, feitas in rodadas.items()}
    provas = [("referência", "referência", None, q.referencia)]
    provas += [("alternativa", nome, None, f) for nome, f in q.alternativas.items()]
    provas += [("equívoco", e.nome, e.nome, e.funcao) for e in q.equivocos]
    for tipo, nome, esperado, funcao in provas:
        feitas = {s: None if completo or tipo != "equívoco" else rodadas[s].get(nome) for s in ocultas}
        ocultos = {s: _julgar(ref, funcao, feitas[s]) for s, ref in ocultas.items()}
        yield Resultado(q.nome, tipo, nome, esperado, _julgar(visivel, funcao) if visivel else None, ocultos, completo)


def matriz(questoes: list[Questao]) -> str:
    """A página que o instrutor lê: o que se diz a cada engano, questão por questão."""
    linhas = [
        "# A matriz do banco",
        "",
        "Escrita por `python curso.py gerar`. Cada linha é um engano conhecido e o que o aluno lê quando o comete. Um",
        "teste garante que cada um é recusado com esta frase nos casos visíveis e em 20 sementes de casos ocultos (8",
        "nas listas 07 a 10), e que cada alternativa recebe a nota inteira.",
    ]
    for q in questoes:
        linhas += ["", f"## {q.nome}", "", f"`{q.assinatura}`", "", "| engano | o que o aluno lê |", "| --- | --- |"]
        visivel = q.visivel()
        for e in q.equivocos:
            d = _julgar(visivel, e.funcao)
            frase = "**passou**" if d is None else d.frase.replace("|", "\\|").replace("\n", " ")
            linhas.append(f"| {e.nome} | {frase} |")
        linhas += ["", f"Aceitas com nota inteira: {', '.join(q.alternativas) or '—'}."]
    return "\n".join(linhas) + "\n"


def questoes_das_listas() -> list[Questao]:
    return [q for q in carregar_tudo().values() if q.lista.startswith("lista-")]


def main() -> int:
    pedidas = sys.argv[1:]
    sobrou = 0
    for q in carregar_tudo().values():
        if pedidas and q.lista not in pedidas and q.nome not in pedidas:
            continue
        print(f"\n{q.nome}: {len(q.equivocos)} equívocos, {len(q.alternativas)} alternativas")
        for r in examinar(q):
            sobrou += bool(r.problemas)
            frase = f" — {r.visivel.frase}" if r.visivel else ""
            print(f"  {'RUIM' if r.problemas else 'ok  '} {r.tipo} {r.nome}{frase}")
            for p in r.problemas:
                print(f"         {p}")
    print(f"\n{sobrou} problema(s).")
    return 1 if sobrou else 0


if __name__ == "__main__":
    sys.exit(main())
