"""`python curso.py corrigir LISTA --questao Q`: julga de novo uma questão, de toda a turma, depois de um conserto nela.

Julga a evidência guardada (juizo/guardado.py), com a semente que a entrega teve. Só se o conserto mudou as entradas
é que o notebook de autograded/ roda outra vez, na caixa. A segunda evidência (juizo/uma_vez.py) também se julga de
novo, se a questão ainda depende de uma errada. Nada se grava sem `--aplicar`; com ele, cada aluno é gravado
por inteiro antes do seguinte, e rodar de novo completa o que parou no meio.
"""

import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import AssignLatePenalties, LimitOutput
from nbgrader.utils import determine_grade
from sqlalchemy.exc import DatabaseError

from correcao.caixa import caixa
from correcao.caixa.caixa import Limites
from correcao.chegada.recebimento import ler_emitida
from correcao.comum.anotacao import DADOS, Anotacao, Veredito, nome_da_resposta, registro_da_correcao
from correcao.comum.texto import imprimivel
from correcao.comum.trava import NaoDaParaCorrigir, travar
from correcao.juizo import guardado, trabalho, uma_vez
from correcao.juizo.evidencia import das_saidas
from correcao.juizo.executar import rodar
from correcao.juizo.exportador import uma_celula_por_linha
from correcao.juizo.guardado import Guardada, Pronta
from correcao.juizo.preprocessadores import desenhar
from correcao.juizo.rodada import BEM, OLHAR, REGISTRO, Rodada, em_cada_uma, quantas_de_cada_vez
from correcao.livro.atraso import Atrasos, descontar
from correcao.livro.livro import LivroIndisponivel, arquivo_do_livro, conferir_o_livro, guardar_copia
from gabarito.base import carregar
from gabarito.no_nbgrader import configuracao
from gabarito.pontos import questao_conferida
from helpers.escrita import numero
from helpers.gravacao import de_uma_vez


@dataclass
class Nota:
    """O que o livro de notas tem da questão de um aluno."""

    automatica: float | None
    a_mao: bool
    vale: float  # o que conta: a dada à mão, se houver, e o crédito extra


@dataclass
class Revisao:
    """O que o novo julgamento faz da questão de um aluno."""

    aluno: str
    antes: float | None = None
    depois: float | None = None
    a_mao: bool = False
    muda_a_frase: bool = False
    frase: str | None = None  # a nova, se ela muda
    fica: str | None = None  # por que não há o que julgar
    problema: str | None = None  # por que não se pôde julgar, e o que fazer
    # o que se grava
    veredito: Veredito | None = None
    saidas: list[NotebookNode] | None = None
    pontos: float | None = None
    guardada: Guardada | None = None  # se as entradas mudaram

    @property
    def muda_a_nota(self) -> bool:
        return not _iguais(self.antes, self.depois)

    @property
    def grava(self) -> bool:
        return self.problema is None and (self.veredito is not None or self.guardada is not None)


class NaoSeJulga(Exception):
    """Esta entrega não se julga de novo; o texto diz por quê, e o que fazer."""


class Rejulgamento(Rodada):
    """Um novo julgamento de uma questão, na turma da pasta `raiz`."""

    def __init__(self, lista: str, questao: str, raiz: Path):
        super().__init__(lista, raiz)
        self.config = configuracao(self.raiz)
        self.id, self.questao = self._achar(questao)
        self.notas: dict[str, Nota] = {}

    def _achar(self, pedida: str) -> tuple[str, str]:
        """(grade_id, nome) da questão, pelo nome da função, por “lista-05/nome” ou pelo grade_id."""
        celulas = ler_emitida(self.coursedir, self.lista).cells
        existem = {c.metadata.nbgrader.grade_id: nome for c in celulas if (nome := questao_conferida(c))}
        for id_, nome in existem.items():
            if pedida in (id_, nome, nome_da_resposta(id_), nome.partition("/")[2]):
                return id_, nome
        nomes = ", ".join(map(nome_da_resposta, existem))
        quais = f"Entre as que o programa corrige existem: {nomes}."
        raise NaoDaParaCorrigir(f"A {self.lista} não tem a questão “{imprimivel(pedida)}”. {quais}")

    # ------------------------------------------------------------ o que há

    def conferir(self, trancar: bool) -> None:
        """O livro responde? Com `trancar`, ninguém mais corrige esta turma até o fim."""
        if trancar:
            travar(str(self.coursedir.root), self)
        livro = arquivo_do_livro(self.coursedir.db_url)
        try:
            conferir_o_livro(self.coursedir.db_url)
        except LivroIndisponivel as erro:
            raise NaoDaParaCorrigir(str(erro)) from None
        if livro is None or livro.exists():  # abri-lo o criaria, vazio
            self._ler_as_notas()

    def _ler_as_notas(self) -> None:
        with self._livro() as livro:
            for entrega in livro.assignment_submissions(self.lista):
                for nota in (g for n in entrega.notebooks for g in n.grades if g.name == self.id):
                    self.notas[entrega.student_id] = Nota(nota.auto_score, nota.manual_score is not None, nota.score)

    def alvos(self, alunos: list[str] | None) -> list[str]:
        """Quem tem nota, e quem entregou e ainda não a tem."""
        todos = set(self.notas) | set(self.alunos())
        if not self.notas:
            comando = f"python curso.py corrigir {curta(self.lista)}"
            raise NaoDaParaCorrigir(f"Nenhuma entrega de {self.lista} foi corrigida; rode antes: {comando}")
        estranhos = sorted(set(alunos or []) - todos)
        if estranhos:
            raise NaoDaParaCorrigir(self.nao_ha_entrega(estranhos[0]))
        return sorted(set(alunos or todos))

    # ------------------------------------------------------------ julgar

    def rever(self, aluno: str) -> Revisao:
        """O que muda para um aluno. Nada do que há no disco muda aqui."""
        try:
            return self._rever(aluno)
        except NaoSeJulga as porque:
            return self._revisao(aluno, problema=str(porque))
        except (caixa.SemCaixa, DatabaseError):  # não é desta entrega
            raise
        except Exception:
            self.registro.exception("defeito ao julgar de novo %s, de %s", self.id, aluno)
            dito = f"um defeito da correção, e não da entrega, impediu o julgamento: veja {REGISTRO}; nada mudou"
            return self._revisao(aluno, problema=dito)

    def _revisao(self, aluno: str, **campos: Any) -> Revisao:
        nota = self.notas.get(aluno)
        antes = nota.vale if nota else None
        return Revisao(aluno, antes, antes, a_mao=bool(nota and nota.a_mao), **campos)

    def _rever(self, aluno: str) -> Revisao:
        nota, anotacao = self.notas.get(aluno), registro_da_correcao(self._corrigido(aluno))
        if nota is None or anotacao is None or anotacao.defeito:
            raise NaoSeJulga(f"a correção não chegou ao fim: {self._de_novo(aluno, '')}")
        guardada = self._guardada(aluno, anotacao)
        pronta = guardada.questoes.get(self.id)
        if pronta is None or pronta.texto is None:
            return self._revisao(aluno, fica="não entregou um resultado que se possa julgar; fica como está")
        nb = nbformat.read(self._corrigido(aluno), as_version=4)
        sorteado = self._sortear([self.questao], guardada.semente)
        texto, mudaram = self._evidencia(nb, guardada.semente, pronta, sorteado["entradas"][self.questao], aluno)
        dito = trabalho.atual().julgar([(self.questao, texto)], guardada.semente)[0]
        if "defeito" in dito:
            raise RuntimeError(f"{dito['defeito']['erro']}\n{dito['defeito']['rastro']}")
        veredito = Veredito.de_dados(dito["veredito"])
        veredito, segunda = self._uma_vez(nb, anotacao, guardada, veredito, sorteado["depende"])
        revisao = self._comparar(aluno, nota, anotacao, self._celula(nb), veredito, dito["funcao"])
        questoes, segundas = dict(guardada.questoes), dict(guardada.segundas)
        if mudaram:
            questoes[self.id] = Pronta(mudaram, guardado.caber(texto))
        if segunda is not None:
            segundas[self.id] = segunda
        if questoes != guardada.questoes or segundas != guardada.segundas:
            revisao.guardada = replace(guardada, questoes=questoes, segundas=segundas)
        return revisao

    def _uma_vez(
        self, nb: NotebookNode, anotacao: Anotacao, guardada: Guardada, veredito: Veredito, depende: uma_vez.Emprestimos
    ) -> tuple[Veredito, Pronta | None]:
        """O veredito, sem o erro que já se cobrou em outra questão; e a segunda evidência, se ela o pede.

        A de uma questão cujas entradas não mudaram já está guardada, e nada roda.
        """
        anotados = {q.id: q.veredito for q in anotacao.questoes if q.veredito}
        nomes = {nome: c.metadata.nbgrader.grade_id for c in nb.cells if (nome := questao_conferida(c))}
        vereditos = {nome: anotados[id_] for nome, id_ in nomes.items() if id_ in anotados} | {self.questao: veredito}
        trocas = uma_vez.emprestimos(nb, vereditos, depende)
        if not trocas:
            return veredito, None
        hoje = uma_vez.entradas_de_hoje(self.questao, trocas[self.questao], guardada.semente)
        segunda = guardada.segundas.get(self.id)
        if segunda is None or segunda.entradas != hoje:
            rodada = uma_vez.rodar(nb, trocas, guardada.semente, Limites.do_ambiente(), self.registro)
            segunda = rodada.evidencias[self.questao]
        ditos = uma_vez.julgar({self.questao: segunda}, guardada.semente)
        return uma_vez.revistos(vereditos, trocas, ditos).get(self.questao, veredito), segunda

    def _guardada(self, aluno: str, anotacao: Anotacao) -> Guardada:
        guardada = guardado.ler(self.raiz, aluno, self.lista)
        if guardada is None:
            raise NaoSeJulga(f"não há evidência guardada: {self._de_novo(aluno)}")
        if guardada.entrega != anotacao.entrega:
            raise NaoSeJulga(f"a evidência guardada é de outra versão da entrega: {self._de_novo(aluno)}")
        return guardada

    def _de_novo(self, aluno: str, opcao: str = " --de-novo") -> str:
        return f"rode python curso.py corrigir {curta(self.lista)} --aluno {shlex.quote(imprimivel(aluno))}{opcao}"

    def _celula(self, nb: NotebookNode) -> NotebookNode:
        return next(c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade_id") == self.id)

    def _evidencia(
        self, nb: NotebookNode, semente: int, pronta: Pronta, hoje: str, aluno: str
    ) -> tuple[str, str | None]:
        """A evidência para as entradas de hoje; e o resumo delas, se não são as que a entrega recebeu."""
        if pronta.texto is not None and hoje == pronta.entradas:
            return pronta.texto, None
        return self._rodar(nb, semente, aluno), hoje

    def _sortear(self, questoes: list[str], semente: int) -> dict[str, Any]:
        sorteado = trabalho.atual().sortear(questoes, semente)
        if defeito := sorteado["defeitos"].get(self.questao):
            raise RuntimeError(f"{defeito['erro']}\n{defeito['rastro']}")
        return sorteado

    def _rodar(self, nb: NotebookNode, semente: int, aluno: str) -> str:
        """A evidência desta questão, de uma nova corrida do notebook inteiro: as outras continuam com a que têm."""
        todas = list(dict.fromkeys(nome for c in nb.cells if (nome := questao_conferida(c))))
        sorteado = self._sortear(todas, semente)
        resultado = rodar(nb, sorteado["pedido"], sorteado["oraculo"], Limites.do_ambiente(), self.registro)
        if resultado.defeito is not None:
            raise RuntimeError(resultado.defeito)
        texto = das_saidas(resultado.saidas[nb.cells.index(self._celula(nb))])
        if texto is None:  # na primeira vez houve: só a correção inteira pode dizer o que isto vale
            porque = (resultado.motivo or "não se recebeu resultado algum").rstrip(".")
            raise NaoSeJulga(f"as entradas mudaram, e com as novas: {porque}; {self._de_novo(aluno)}")
        return texto

    def _comparar(
        self, aluno: str, nota: Nota, anotacao: Anotacao, celula: NotebookNode, veredito: Veredito, funcao: str
    ) -> Revisao:
        antigo = next((q.veredito for q in anotacao.questoes if q.id == self.id), None)
        if antigo is not None and antigo.frase == veredito.frase:
            veredito = replace(veredito, onde=antigo.onde)  # o erro é o mesmo, e o lugar dele também
        celula.outputs = desenhar(veredito, self.questao, funcao, float(celula.metadata.nbgrader.points))
        celula, _ = LimitOutput(config=self.config).preprocess_cell(celula, {}, 0)
        pontos = float(determine_grade(celula, self.registro)[0] or 0.0)  # os que o nbgrader daria
        revisao = self._revisao(aluno)
        # olha o notebook e o livro: um aluno que parou entre um e outro ainda está por gravar
        if veredito != antigo or not _iguais(pontos, nota.automatica):
            revisao.veredito, revisao.saidas, revisao.pontos = veredito, celula.outputs, pontos
            revisao.muda_a_frase = antigo is None or veredito.recado != antigo.recado
            revisao.frase = veredito.recado
            if not nota.a_mao:
                revisao.depois = nota.vale - (nota.automatica or 0.0) + pontos
        return revisao

    # ------------------------------------------------------------ gravar

    def gravar(self, revisao: Revisao) -> None:
        """A evidência, o notebook e o livro de notas de um aluno."""
        try:
            if revisao.guardada is not None:
                guardado.guardar(self.raiz, revisao.aluno, self.lista, revisao.guardada)
            if revisao.veredito is not None:
                self._gravar_a_nota(revisao)
        except OSError as erro:
            self.registro.exception("não se gravou o novo julgamento de %s", revisao.aluno)
            revisao.problema = f"não consegui gravar ({erro.strerror or erro}); a nota é a de antes: rode de novo"
            revisao.depois = revisao.antes

    def _gravar_a_nota(self, revisao: Revisao) -> None:
        """O livro muda dentro de uma transação, que só se fecha com o notebook já no lugar."""
        caminho, novo = self._corrigido(revisao.aluno), self._notebook(revisao)
        antigo = caminho.read_bytes()
        with self._livro() as livro:
            nota = livro.find_grade(self.id, self.lista, self.lista, revisao.aluno)
            nota.auto_score = revisao.pontos  # a dada à mão e o crédito extra ficam
            livro.db.flush()
            self._descontar(livro, revisao.aluno)
            _por_no_lugar(caminho, novo)
            try:
                livro.db.commit()
            except BaseException:
                _por_no_lugar(caminho, antigo)
                raise

    def _notebook(self, revisao: Revisao) -> bytes:
        assert revisao.veredito is not None and revisao.saidas is not None
        nb = nbformat.read(self._corrigido(revisao.aluno), as_version=4)
        anotacao = Anotacao.de_dados(nb.metadata[DADOS])
        anotacao.anotar(self.id, revisao.veredito)
        nb.metadata[DADOS] = anotacao.para_dados()
        self._celula(nb).outputs = revisao.saidas
        return uma_celula_por_linha(nb).encode()

    def _descontar(self, livro: Gradebook, aluno: str) -> None:
        """O desconto por atraso da nota nova, na mesma transação."""
        livro.db.expire_all()  # a nota do notebook é uma soma, que o SQLAlchemy já leu
        descontar(AssignLatePenalties(config=self.config), livro, Atrasos(self.raiz), self.lista, self.lista, aluno)
        livro.db.flush()


def curta(lista: str) -> str:
    """Como se digita: “05”."""
    return lista.split("-")[1]


def _por_no_lugar(caminho: Path, conteudo: bytes) -> None:
    """De uma vez, e com as mesmas permissões: o nbgrader deixa os notebooks corrigidos só para leitura."""
    modo = caminho.stat().st_mode & 0o7777
    with de_uma_vez(caminho) as provisorio:
        provisorio.write_bytes(conteudo)
        provisorio.chmod(modo)


def _iguais(a: float | None, b: float | None) -> bool:
    return a == b or (a is not None and b is not None and abs(a - b) < 1e-9)


# ------------------------------------------------------------ o que se mostra


def quadro(revisoes: list[Revisao]) -> str:
    """Uma linha por aluno: os pontos da questão, antes e depois, e o que há a dizer."""
    largura = max([len(imprimivel(r.aluno)) for r in revisoes] + [len("aluno")])
    linhas = [f"{'aluno':<{largura}}  {'antes':>6}  {'depois':>6}  {'diferença':>9}  situação"]
    for r in revisoes:
        antes, depois = ("–" if x is None else numero(x) for x in (r.antes, r.depois))
        linhas.append(
            f"{imprimivel(r.aluno):<{largura}}  {antes:>6}  {depois:>6}  {_diferenca(r):>9}  {_situacao(r)}".rstrip()
        )
    return "\n".join(linhas)


def _diferenca(r: Revisao) -> str:
    if not r.muda_a_nota or r.antes is None or r.depois is None:
        return ""
    return f"{'+' if r.depois > r.antes else '−'}{numero(abs(r.depois - r.antes))}"


def _situacao(r: Revisao) -> str:
    partes = [r.problema or r.fica or ""]
    partes += ["nota dada à mão, fica"] if r.a_mao else []
    if r.muda_a_frase:
        partes.append(r.frase or "certa")
    return "; ".join(filter(None, partes)) or ("" if r.muda_a_nota else "igual")


def resumo(revisoes: list[Revisao], gravado: bool, copia: Path | None, lista: str) -> str:
    notas = sum(r.muda_a_nota for r in revisoes)
    frases = sum(r.muda_a_frase and not r.muda_a_nota and r.problema is None for r in revisoes)
    verbo = ("mudou" if notas == 1 else "mudaram") if gravado else ("muda" if notas == 1 else "mudam")
    dito = f"{notas} de {len(revisoes)} {'nota' if len(revisoes) == 1 else 'notas'} {verbo}"
    if frases:
        dito += f", e em {frases} {'entrega' if frases == 1 else 'entregas'} só a frase"
    linhas = [dito + _e_agora(any(r.veredito or r.guardada for r in revisoes), gravado, copia, lista)]
    olhar = [imprimivel(r.aluno) for r in revisoes if r.problema]
    if olhar:
        linhas.append(f"Precisam de um olhar: {', '.join(olhar)}.")
    return "\n".join(linhas)


def _e_agora(ha_o_que_gravar: bool, gravado: bool, copia: Path | None, lista: str) -> str:
    if not ha_o_que_gravar:
        return "; não há nada a gravar."
    if not gravado:
        return "; nada foi gravado: para gravar, rode de novo com --aplicar."
    onde = f" O livro de antes está em {copia.parent.name}/{copia.name}." if copia else ""
    return f".{onde} Para que os alunos leiam: python curso.py devolver {lista}"


def rejulgar(
    lista: str,
    questao: str,
    raiz: Path,
    alunos: list[str] | None = None,
    aplicar: bool = False,
    processos: int | None = 1,
) -> tuple[list[Revisao], Path | None]:
    """O que muda para cada aluno, já gravado se `aplicar`; e a cópia que se fez do livro de notas."""
    rodada = Rejulgamento(lista, questao, raiz)
    rodada.conferir(trancar=aplicar)
    alvos = rodada.alvos(alunos)
    try:
        quantos = quantas_de_cada_vez(processos, alvos)
        feitas = em_cada_uma(rodada, alvos, quantos, "Julgando", lambda aluno, _: rodada.rever(aluno))
    except caixa.SemCaixa as erro:
        raise NaoDaParaCorrigir(str(erro)) from None
    revisoes, copia = [feitas[aluno] for aluno in alvos], None
    if aplicar and any(r.grava for r in revisoes):
        copia = guardar_copia(rodada.coursedir.db_url, rodada.raiz)
        for revisao in filter(lambda r: r.grava, revisoes):
            rodada.gravar(revisao)
    return revisoes, copia


def dependem_de(lista: str, questao: str) -> list[str]:
    """As questões em que o acerto desta muda o que se desconta."""
    todas = carregar(lista[: len("lista-00")]).values()
    nome = nome_da_resposta(questao).rpartition("/")[2]
    return [q.funcao for q in todas if any(d.funcao == nome for d in q.dependencias)]


def _tambem(outra: str, lista: str) -> str:
    return f"{outra} depende dela; julgue-a também: python curso.py corrigir {lista} --questao {outra}\n"


def mostrar(
    lista: str, questao: str, raiz: Path, alunos: list[str] | None, aplicar: bool, processos: int | None
) -> int:
    revisoes, copia = rejulgar(lista, questao, raiz, alunos, aplicar, processos)
    print(quadro(revisoes))
    if any(r.muda_a_nota for r in revisoes):
        print("".join(_tambem(outra, curta(lista)) for outra in dependem_de(lista, questao)), end="")
    print(resumo(revisoes, aplicar, copia, curta(lista)))
    return OLHAR if any(r.problema for r in revisoes) else BEM
