"""O que é cada célula da entrega: da lista, tal e qual; da lista, mexida; ou do aluno.

Quem decide, nesta ordem: o texto igual ao da lista, a marca do nbgrader (`grade_id`) e, em um texto, as linhas que ele
tem em comum com um enunciado.
"""

from correcao.chegada.reparo import analise
from correcao.chegada.reparo.avisos import e_aviso
from correcao.chegada.reparo.celulas import Celula
from correcao.chegada.reparo.lista import Lista

_MAXIMO_DE_JUNCOES = 50  # células partidas que se tenta juntar


class Triagem:
    """Separa as células da lista das que são do aluno, e anota o que estas dizem ser."""

    def __init__(self, lista: Lista, celulas: list[Celula]):
        self.lista = lista
        self.copias: dict[int, list[Celula]] = {}  # células travadas e stubs, por índice na lista
        self.editadas: set[int] = set()
        self.soltas: list[Celula] = []  # tudo o que é do aluno
        self.pista: dict[Celula, int | None] = {}  # o que a célula diz ser
        self.testadas: dict[int, int] = {}  # conferência que estava junto de outro código → posição
        self.separadas = self.etiquetadas = 0
        self.sem_marca: set[Celula] = set()
        self.marca_alterada = False
        juntas = _juntar_partidas(celulas, lista)
        self.partidas = any(c.partida for c in juntas)
        for celula in juntas:
            self._classificar(celula)

    def _classificar(self, celula: Celula) -> None:
        if e_aviso(celula.id, celula.chave):
            return
        alegada = self._alegada(celula)
        emitidas = self.lista.emitidas[alegada].metadata.get("tags", []) if alegada is not None else []
        self.etiquetadas += celula.etiquetas != emitidas
        if celula.vazia:
            if alegada is not None:
                self._copia(alegada, celula)
            return
        iguais = self.lista.das_chaves.get(celula.chave)
        if iguais:
            if alegada not in iguais:
                self.sem_marca.add(celula)
                alegada = next((i for i in iguais if i not in self.copias), iguais[0])
            self._copia(alegada, celula)
            return
        self._do_aluno_ou_editada(celula, alegada)

    def _alegada(self, celula: Celula) -> int | None:
        """Que célula da lista ela diz ser, pela marca do nbgrader ou, sem marca, pelo id."""
        indice = self.lista.indice.get(celula.grade_id)
        if indice is None:
            indice = self.lista.por_id.get(celula.id)
            if indice is not None:
                self.sem_marca.add(celula)
        elif _sem_checksum(celula.marca) != _sem_checksum(self.lista.marcas[indice]):
            self.marca_alterada = True
        return indice

    def _copia(self, i: int, celula: Celula) -> None:
        self.copias.setdefault(i, []).append(celula)
        if celula.tipo != self.lista.emitidas[i].cell_type or (celula.vazia and i in self.lista.fixas):
            self.editadas.add(i)

    def _do_aluno_ou_editada(self, celula: Celula, alegada: int | None) -> None:
        if celula.tipo == "code":
            celula = self._sem_as_conferencias(celula, alegada)
        fixa = alegada if alegada in self.lista.fixas else None
        if alegada is None and celula.tipo != "code":
            fixa = self._parecida(celula)
        if fixa is not None:
            self._editada(fixa, celula)
        elif not celula.vazia:
            self._solta(celula, alegada)

    def _solta(self, celula: Celula, pista: int | None) -> None:
        self.soltas.append(celula)
        self.pista[celula] = pista

    def _sem_as_conferencias(self, celula: Celula, alegada: int | None) -> Celula:
        """Tira da célula as linhas que são, tal e qual, as conferências da lista: elas têm a sua própria célula."""
        linhas = celula.fonte.split("\n")
        testes = [self.lista.linhas_de_teste.get(linha.rstrip()) for linha in linhas]
        if not any(i is not None for i in testes):
            return celula
        self.testadas.update((i, celula.posicao) for i in testes if i is not None)
        self.separadas += any(i not in (None, alegada) for i in testes)
        ficam = [linha for linha, i in zip(linhas, testes, strict=True) if i is None]
        return celula.trocada("\n".join(ficam).strip("\n"))

    def _parecida(self, celula: Celula) -> int | None:
        """O texto da lista de que esta célula é uma cópia mexida: metade das linhas dela está lá."""
        linhas = analise.linhas(celula.fonte)
        votos: dict[int, int] = {}
        for linha in linhas:
            for i in self.lista.da_linha.get(linha, ()):
                votos[i] = votos.get(i, 0) + 1
        melhor = max(votos, key=lambda i: (votos[i], -i), default=None)
        return melhor if melhor is not None and 2 * votos[melhor] >= len(linhas) else None

    def _editada(self, i: int, celula: Celula) -> None:
        """Uma célula travada que mudou: volta a emitida, e o que o aluno pôs nela fica ao lado."""
        self.copias.setdefault(i, []).append(celula)
        self.editadas.add(i)
        da_lista = self.lista.linhas.get(i, set())
        linhas = [linha for linha in celula.fonte.split("\n") if " ".join(linha.split()) not in da_lista]
        resto = celula.trocada("\n".join(linhas).strip("\n") if da_lista else celula.fonte)
        resto.presa = (i, "antes" if i in self.lista.testes else "depois")
        if celula.tipo == "code" and not analise.tem_instrucao(resto.fonte):
            return
        parecida = self._parecida(resto) if resto.tipo != "code" and resto.fonte.strip() else None
        if parecida is not None:
            self._editada(parecida, resto)
        elif not resto.vazia:
            self._solta(resto, None)


def _sem_checksum(marca: dict) -> dict:
    return {k: v for k, v in marca.items() if k != "checksum"}


def _juntar_partidas(celulas: list[Celula], lista: Lista) -> list[Celula]:
    """Junta a célula partida no meio de uma função, ou de uma classe, à sua outra metade, que começa recuada."""
    juntas: list[Celula] = []
    tentativas = 0
    for celula in celulas:
        antes = juntas[-1] if juntas else None
        if (
            antes is not None
            and _pode_continuar(antes, celula, lista)
            and (tentativas := tentativas + 1) <= _MAXIMO_DE_JUNCOES
            and (_acaba_recuada(antes.fonte) or not analise.e_python(antes.fonte))
            and analise.e_python(inteira := f"{antes.fonte.rstrip()}\n{celula.fonte.lstrip(chr(10))}")
        ):
            juntas[-1] = Celula(antes.posicao, "code", inteira, antes.marca, antes.id, partida=True)
        else:
            juntas.append(celula)
    return juntas


def _pode_continuar(antes: Celula, celula: Celula, lista: Lista) -> bool:
    """A célula começa recuada, depois de uma que define algo, e o que ela mesma define só podem ser métodos."""
    if not antes.tipo == celula.tipo == "code" or not antes.definidos or antes.chave in lista.das_chaves:
        return False
    if celula.fonte.lstrip("\n")[:1] not in (" ", "\t"):
        return False
    if not celula.definidos:
        return True
    da_lista = lista.do_nome.keys() & set(celula.definidos)
    return not da_lista and analise.so_metodos(celula.fonte) and analise.termina_em_classe(antes.fonte)


def _acaba_recuada(fonte: str) -> bool:
    return fonte.rstrip("\n").rpartition("\n")[2][:1] in (" ", "\t")
