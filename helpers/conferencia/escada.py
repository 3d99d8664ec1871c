"""A escada: o que a função fez em um caso está certo? Se não está, em que degrau ela parou.

Parou com erro → escreveu na entrada → tipo → forma → valor. O degrau traz a frase por montar, porque só se conta um
dos casos errados e montá-la custa mais do que julgar.
"""

import re
from collections.abc import Callable
from functools import cached_property

from helpers.conferencia.codificacao import DadoInvalido
from helpers.conferencia.erros import explicar_erro, o_que_quer_dizer, por_escrever
from helpers.conferencia.execucao import SEM_TEMPO, Registro
from helpers.conferencia.fraseado import Fraseado, por_extenso
from helpers.conferencia.frases import explicar_estrutura, explicar_forma
from helpers.conferencia.referencia import Caso, Referencia
from helpers.conferencia.saidas import Parte, bate, lista_guardada, partes, sal_da_saida

Frase = Callable[[], str]


class Falha:
    """Um caso errado, e a frase dele por montar. Equívoco "" impede a busca de equívocos conhecidos."""

    def __init__(self, frase: Frase, equivoco: str | None = None):
        self.frase, self.equivoco = frase, equivoco


FALTOU = Falha(lambda: "A correção não recebeu o resultado de todos os casos.", "")
ILEGIVEL = Falha(lambda: "O resultado da sua função não pôde ser lido como dados.", "")


class Leitura:
    """O que a função fez em um caso, com as saídas lidas uma vez só."""

    def __init__(self, registro: Registro, tipos: list[str]):
        self.registro, self.tipos = registro, tipos

    @cached_property
    def partes(self) -> list[Parte] | str:
        return partes(self.registro.saida, self.tipos)


class Escada:
    """Os degraus de uma questão."""

    def __init__(self, referencia: Referencia):
        self.ref = referencia
        self.dizer = Fraseado(referencia)

    def subir(self, i: int, leitura: Leitura) -> Falha | None:
        """O degrau em que o caso i parou; None se está certo."""
        try:
            return self._subir(i, leitura)
        except DadoInvalido:
            return ILEGIVEL

    def _subir(self, i: int, leitura: Leitura) -> Falha | None:
        caso, registro = self.ref.casos[i], leitura.registro
        erro = registro.erro
        if erro is not None and (por_escrever(erro) or erro["tipo"] in SEM_TEMPO):
            return Falha(lambda: explicar_erro(erro, self.dizer.lugar(caso)), "")
        if registro.alterou:
            return Falha(lambda: self._alterou(caso, registro.alterou[0]), "altera-a-entrada")
        if "erro" in caso.esperado:
            frase = self._erro_esperado(caso, registro)
        elif erro is not None:
            return Falha(lambda: explicar_erro(erro, self.dizer.lugar(caso)))
        else:
            frase = self._saida(i, caso, leitura.partes)
        return Falha(frase) if frase else None

    def _alterou(self, caso: Caso, n: int) -> str:
        nome = self.dizer.argumento(n)
        funcoes = [i for i, e in enumerate(caso.entradas) if isinstance(e, dict) and "funcao" in e]
        if funcoes:  # pode não ter sido a do aluno quem escreveu
            f = self.dizer.argumento(funcoes[0])
            return (
                f"O argumento `{nome}` mudou: a sua função, ou a `{f}` que ela chamou, escreveu dentro dele. "
                f"Dê a `{f}` uma cópia, e deixe a entrada intacta."
            )
        return f"Sua função escreveu dentro do argumento `{nome}`; trabalhe em uma cópia e deixe a entrada intacta."

    def _no_caso(self, caso: Caso, texto: str) -> Frase:
        return lambda: f"{self.dizer.lugar(caso)}, {texto}"

    def _erro_esperado(self, caso: Caso, registro: Registro) -> Frase | None:
        tipo, erro = caso.esperado["erro"], registro.erro
        if erro is None:
            if registro.saida == {"outro": f"um valor do tipo {tipo}"}:
                return self._no_caso(caso, f"a função devolveu o {tipo} (com return); um erro se lança, com raise.")
            return self._no_caso(caso, f"a função deveria lançar {tipo} (com raise), mas terminou sem erro.")
        if tipo not in erro["bases"]:
            return lambda: f"{self.dizer.lugar(caso)}, {_outro_erro(tipo, erro)}"
        for que, padrao in caso.esperado["nomeia"].items():
            if not re.search(padrao, erro["mensagem"], flags=re.IGNORECASE):
                return self._no_caso(
                    caso,
                    f"o {tipo} está certo, mas a mensagem “{erro['mensagem']}” "
                    f"não cita {que}; o enunciado pede isso, para quem lê saber o que consertar.",
                )
        for padrao in caso.esperado.get("inocentes", []):
            if re.search(padrao, erro["mensagem"], flags=re.IGNORECASE):
                return self._no_caso(
                    caso,
                    f"o {tipo} está certo, mas a mensagem “{erro['mensagem']}” "
                    "cita também quem não tem culpa, e quem a lê não sabe onde está o problema; cite só o culpado.",
                )
        return None

    def _saida(self, i: int, caso: Caso, ps: list[Parte] | str) -> Frase | None:
        if isinstance(ps, str):
            return lambda: explicar_estrutura(ps, self.dizer.saidas_por_extenso(caso), self.dizer.lugar(caso))
        guardadas = lista_guardada(caso.esperado)
        for n in self.ref.como_nascem:
            frase = self._tipo_e_forma(ps[n], guardadas[n], *self.ref.saidas[n], caso)
            if frase:
                return frase
        sais = [sal_da_saida(self.ref.questao, i, n) for n in range(len(ps))]
        certas = (bate(p, guardadas[n], sais[n], self.ref.tolerancia) for n, p in enumerate(ps))
        return None if all(certas) else lambda: self.dizer.conteudo(ps, i, caso)

    def _tipo_e_forma(self, p: Parte, guardada: dict, nome: str, tipo: str, caso: Caso) -> Frase | None:
        forma = tuple(guardada["forma"])
        if tipo == "array" and p.tipo in ("float16", "bfloat16"):
            return lambda: f"Sua saída está em {p.tipo}, com cerca de 3 algarismos; use float32 ou float64."
        if tipo == "pares":
            return None
        if tipo == "texto" and guardada["natureza"] == "texto" and p.natureza != "texto":
            onde = f" em {nome}" if nome else ""
            return self._no_caso(caso, f"o enunciado pede um texto{onde}, e veio um {p.tipo}.")
        if p.natureza == "texto" and guardada["natureza"] != "texto":
            return self._no_caso(caso, f"a função devolveu um texto; o enunciado pede {por_extenso(tipo, forma)}.")
        if tipo == "int" and (p.natureza != "inteiro" or p.forma != ()):
            veio = "um bool" if p.natureza == "booleano" else ("um float" if p.forma == () else f"um array {p.forma}")
            como = " Se só falta o tipo, converta com `int(…)` ou, se há uma divisão na conta, use `//`."
            inteira = como if veio == "um float" else ""
            return self._no_caso(caso, f"a função devolveu {veio}; o enunciado pede um int.{inteira}")
        if tipo == "bool" and p.forma:
            return self._no_caso(caso, f"o enunciado pede um bool só, e veio um array {p.forma}; falta um .all()?")
        if guardada["natureza"] == "booleano" and p.natureza != "booleano":
            que = "um array de booleanos (True ou False)" if forma else "um bool (True ou False)"
            return self._no_caso(caso, f"o enunciado pede {que}, e veio {p.tipo}.")
        if p.natureza == "booleano" and guardada["natureza"] != "booleano":
            pede = por_extenso(tipo, forma)
            return self._no_caso(caso, f"a função devolveu verdadeiro/falso; o enunciado pede {pede}.")
        if p.forma != forma:
            return lambda: explicar_forma(p.forma, forma, nome, self.dizer.lugar(caso))
        return None


def _outro_erro(tipo: str, erro: dict) -> str:
    """A função lançou um erro que não é o que se pede."""
    veio = f"{erro['tipo']}: {erro['mensagem']}".rstrip(": .")
    frase = f"a função deveria lançar {tipo}, e lançou {veio}."
    if {"NameError", "TypeError", "AttributeError"} & set(erro["bases"]):  # um erro de quem escreve
        return f"{frase} {o_que_quer_dizer(erro)}".rstrip()
    if re.search(r"\bassert\b", erro["onde"]):
        return f"{frase} Examine com um `if`, e use `raise {tipo}(…)`."
    if re.search(r"\braise\b", erro["onde"]):
        return f"{frase} O erro que se pede é `{tipo}`: troque o nome dele no seu `raise`."
    return f"{frase} Quem reclamou foi a conta: examine a entrada antes, e use `raise {tipo}(…)`."
