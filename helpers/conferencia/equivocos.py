"""Os equívocos conhecidos: qual deles explica o que o aluno fez?"""

import re

from helpers.conferencia.escada import Leitura
from helpers.conferencia.referencia import Equivoco, Referencia
from helpers.conferencia.saidas import Parte, bate, lista_guardada, sal_da_saida

# uma frase que diz o que está certo só vale onde o aluno fez exatamente o que o equívoco faz
DIZ_O_QUE_ESTA_CERTO = re.compile(r"\b(est(á|ão) cert[oa]s?|tudo certo)\b", flags=re.IGNORECASE)


class Busca:
    """A busca do equívoco de uma resposta, já com o que se decidiu de cada caso."""

    def __init__(self, referencia: Referencia, leituras: list[Leitura], certos: list[bool]):
        self.ref, self.leituras, self.certos = referencia, leituras, certos

    def achar(self, i: int) -> tuple[Equivoco | None, bool]:
        """O equívoco que explica o caso i e concorda com o aluno no maior número de casos; e se explica todos."""
        facil = set(self.ref.tipos) <= {"bool", "int"} or self.leituras[i].registro.erro is not None
        melhor, votos = None, 0
        for equivoco in self.ref.equivocos:
            if equivoco.casos[i] == "certo" or not self._concorda(equivoco, i):
                continue
            concorda = [self._concorda(equivoco, k) for k in range(len(self.leituras))]
            if self._convence(equivoco, concorda, facil) and sum(concorda) > votos:
                melhor, votos = equivoco, sum(concorda)
        if melhor is None:
            return self._da_primeira_saida(), False
        return melhor, votos == len(self.leituras)

    def _da_primeira_saida(self) -> Equivoco | None:
        """Com dois equívocos juntos, o primeiro da conta: o que explica, em todos os casos, a saída que nasce antes."""
        n = self.ref.como_nascem[0]
        if len(self.ref.saidas) == 1 or self.ref.tipos[n] != "array":
            return None
        lidas = [leitura.partes for leitura in self.leituras if leitura.registro.erro is None]
        minhas = [ps[n] for ps in lidas if isinstance(ps, list)]
        casos = self.ref.casos
        if len(minhas) < len(casos) or all(self._igual(minhas[k], c.esperado, k, n) for k, c in enumerate(casos)):
            return None
        # só um equívoco sozinho, e cuja frase não diz que as outras saídas estão certas: delas não se sabe
        serve = [e for e in self.ref.equivocos if "+" not in e.nome and not DIZ_O_QUE_ESTA_CERTO.search(e.frase)]
        return next((e for e in serve if self._explica(e, minhas, n)), None)

    def _explica(self, equivoco: Equivoco, minhas: list[Parte], n: int) -> bool:
        """A saída n do equívoco é, em todos os casos, a do aluno?"""
        for k, (caso, guardado) in enumerate(zip(self.ref.casos, equivoco.casos, strict=True)):
            certo = guardado == "certo"
            if not self._igual(minhas[k], caso.esperado if certo else guardado, k, n, "" if certo else equivoco.nome):
                return False
        return True

    def _igual(self, p: Parte, guardado: dict, i: int, n: int, equivoco: str = "") -> bool:
        """A saída n do caso i é a que está guardada, da referência ou de um equívoco?"""
        if "erro" in guardado or "estrutura" in guardado:
            return False
        g = lista_guardada(guardado)[n]
        if not p.forma and p.natureza != g["natureza"]:
            return False
        return bate(p, g, sal_da_saida(self.ref.questao, i, n, equivoco), self.ref.tolerancia)

    def _convence(self, equivoco: Equivoco, concorda: list[bool], facil: bool) -> bool:
        """O equívoco explica o aluno, ou só coincidiu com ele em um caso?

        Um sim ou não, um índice, ou o mesmo erro do NumPy coincidem por acaso: aí, só concordando em tudo. Nos outros,
        o aluno não pode ter acertado onde o equívoco erra, e tem de errar igual em dois terços desses casos, que têm de
        ser metade dos que ele erra; nos demais ele pode ter um segundo equívoco. Se só os zeros dele coincidem,
        não basta.
        """
        if facil:
            return all(concorda)
        erra = [k for k in range(len(concorda)) if equivoco.casos[k] != "certo"]
        if any(self.certos[k] for k in erra):
            return False
        iguais = sum(concorda[k] for k in erra)
        if iguais < len(erra) and all(self._deu_zero(k) for k in erra if concorda[k]):
            return False
        return 3 * iguais >= 2 * len(erra) and 2 * iguais >= self.certos.count(False)

    def _deu_zero(self, i: int) -> bool:
        """No caso i, o aluno só devolveu o número 0? A ele chega qualquer soma que não acha o que procura."""
        ps = self.leituras[i].partes
        return isinstance(ps, list) and all(p.forma == () and p.natureza == "real" and not p.valores for p in ps)

    def _concorda(self, equivoco: Equivoco, i: int) -> bool:
        """No caso i, o aluno fez o mesmo que este equívoco faria?"""
        guardado, leitura = equivoco.casos[i], self.leituras[i]
        if guardado == "certo":
            return self.certos[i]
        erro = leitura.registro.erro
        if "erro" in guardado:
            return erro is not None and assinatura_do_erro(erro) == guardado["erro"]
        if erro is not None:
            return False
        ps = leitura.partes
        if "estrutura" in guardado:
            return ps == guardado["estrutura"]
        if isinstance(ps, str):
            return False
        return all(self._igual(p, guardado, i, n, equivoco.nome) for n, p in enumerate(ps))


def assinatura_do_erro(erro: dict) -> list[str]:
    """O que faz de dois erros o mesmo: o tipo, o texto, com os tamanhos que cita, e se houve ali uma transposta.

    Nas mesmas entradas, o mesmo equívoco dá os mesmos tamanhos. Só mudam à toa o endereço de um objeto e, entre A[i, j]
    e A[i][j], o número do eixo.
    """
    transposta = "transposta" if re.search(r"\.m?T\b|transpose|swapaxes|permute|linear", erro.get("trecho", "")) else ""
    return [erro["tipo"], re.sub(r"0x[0-9a-f]+|(?<=for axis )\d+", "#", erro["mensagem"]), transposta]
