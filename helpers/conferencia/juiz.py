"""Compara o que a função fez (registros) com a referência e diz, em uma frase, o que há de errado.

Cada caso é julgado uma vez (`escada`); do primeiro que falha se procura o equívoco (`equivocos`) e se monta a frase
(`fraseado`). De várias saídas, fala-se da que nasce primeiro na conta. O mesmo código julga os casos visíveis, no
notebook (referências em impressão digital), e os ocultos, na correção.
"""

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from helpers.conferencia import pistas
from helpers.conferencia.codificacao import DadoInvalido
from helpers.conferencia.equivocos import DIZ_O_QUE_ESTA_CERTO, Busca
from helpers.conferencia.escada import FALTOU, ILEGIVEL, Escada, Falha, Leitura
from helpers.conferencia.execucao import Registro
from helpers.conferencia.referencia import Equivoco, Referencia


@dataclass
class Diagnostico:
    """Por que a resposta não está certa: uma frase, e o nome curto do equívoco quando ele é conhecido."""

    frase: str
    equivoco: str | None = None
    caso: int | None = None
    certos: list[bool] = field(default_factory=list)  # de cada caso, se está certo; vazio se nenhum foi julgado


class Juiz:
    """Julga os registros de uma função contra uma referência."""

    def __init__(self, referencia: Referencia):
        self.ref = referencia

    def julgar(self, registros: Sequence[Registro]) -> Diagnostico | None:
        """None quando tudo está certo; senão, o diagnóstico do primeiro caso que falha."""
        return Julgamento(self.ref, registros).diagnostico()

    def acertou(self, i: int, registro: Registro) -> bool:
        """O que a função fez no caso i está certo?"""
        return Escada(self.ref).subir(i, Leitura(registro, self.ref.tipos)) is None


class Julgamento:
    """O de uma resposta. Cada caso é julgado uma vez, quando se pergunta por ele, e o que se decidiu fica guardado.

    `ja_julgado` é o julgamento dos mesmos registros em que os primeiros casos eram estes mesmos.
    """

    def __init__(self, referencia: Referencia, registros: Sequence[Registro], ja_julgado: "Julgamento | None" = None):
        self.ref = referencia
        self._escada = Escada(referencia)
        ja_lidas = ja_julgado._leituras if ja_julgado else []
        novos = registros[len(ja_lidas) : len(referencia.casos)]
        self._leituras: list[Leitura] = [*ja_lidas, *(Leitura(r, referencia.tipos) for r in novos)]
        self._falhas: list[Falha | None] = list(ja_julgado._falhas) if ja_julgado else []

    def acertou(self, i: int) -> bool:
        return self._falha(i) is None

    def registro(self, i: int) -> Registro:
        return self._leituras[i].registro

    @property
    def certos(self) -> list[bool]:
        """Caso a caso; o que não tem registro está errado."""
        return [self.acertou(i) for i in range(len(self.ref.casos))]

    @property
    def certa(self) -> bool:
        """A resposta está certa em todos os casos? Para no primeiro em que não está."""
        return all(self.acertou(i) for i in range(len(self.ref.casos)))

    def _falha(self, i: int) -> Falha | None:
        for k in range(len(self._falhas), i + 1):
            julgavel = k < len(self._leituras)
            self._falhas.append(self._escada.subir(k, self._leituras[k]) if julgavel else FALTOU)
        return self._falhas[i]

    def diagnostico(self) -> Diagnostico | None:
        """O do primeiro caso que falha: o equívoco que o explica, se é conhecido; senão, o degrau em que parou e o que
        se leu no texto. None quando tudo está certo."""
        if self.certa:
            return None
        certos = self.certos
        i = certos.index(False)
        falha = self._falhas[i]
        assert falha is not None
        conhecido, inteiro = (None, True) if falha.equivoco is not None else self._equivoco(i, certos)
        achadas = self._pistas(i) if falha.equivoco is None else {}
        if pistas.RETURN_NO_LACO in achadas and (conhecido is None or not inteiro or "return" not in conhecido.frase):
            return Diagnostico(f"{pistas.dizer(achadas)} {falha.frase()}", pistas.RETURN_NO_LACO, i, certos)
        if pistas.MEMORIA in achadas:  # o que se vê daí em diante é o que havia na memória, e não o que a conta faz
            lido, de, _ = falha.frase().partition("; costuma vir ")
            pista = pistas.dizer({pistas.MEMORIA: achadas[pistas.MEMORIA]})
            return Diagnostico(f"{lido}{'.' if de else ''} {pista}", pistas.MEMORIA, i, certos)
        if conhecido is not None:
            return Diagnostico(self._frase_do_equivoco(conhecido, inteiro, i), conhecido.nome, i, certos)
        if pistas.ORDEM_INSTAVEL in achadas:  # explica o erro: não há outro a procurar
            return Diagnostico(f"{falha.frase()} {pistas.dizer(achadas)}", pistas.ORDEM_INSTAVEL, i, certos)
        return Diagnostico(f"{falha.frase()} {pistas.dizer(achadas)}".rstrip(), falha.equivoco or None, i, certos)

    def _pistas(self, i: int) -> dict[str, int]:
        registro = self.registro(i)
        # um erro já diz a linha; mas quem sai do laço na primeira volta pode errar mais adiante por isso
        return {
            nome: linha
            for nome, linha in registro.pistas.items()
            if (registro.erro is None or nome == pistas.RETURN_NO_LACO)
            and (nome != pistas.ORDEM_INSTAVEL or self.ref.casos[i].parte)
        }

    def _equivoco(self, i: int, certos: list[bool]) -> tuple[Equivoco | None, bool]:
        if ILEGIVEL not in self._falhas:
            with contextlib.suppress(DadoInvalido):  # o que escreveu na entrada não foi lido, e pode ser ilegível
                return Busca(self.ref, self._leituras, certos[: len(self._leituras)]).achar(i)
        return None, True

    def _frase_do_equivoco(self, equivoco: Equivoco, inteiro: bool, i: int) -> str:
        if inteiro:
            return equivoco.frase
        frase, veja, dica = equivoco.frase.partition(" Veja a Dica ")
        if DIZ_O_QUE_ESTA_CERTO.search(frase):
            # em “A está certa”, A é a matriz
            inicial = frase[:1] if re.match(r"[A-Z] (é|está)\b", frase) else frase[:1].lower()
            frase = f"{self._escada.dizer.rotulo(self.ref.casos[i])}: {inicial}{frase[1:]}"
        return f"{frase} Pode haver outro erro além desse.{veja}{dica}"
