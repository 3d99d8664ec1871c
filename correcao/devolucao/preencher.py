"""A planilha de notas do Moodle, preenchida: a nota e o comentário de cada um, e o que dizer de quem não entregou."""

import datetime
import html
import re
from dataclasses import dataclass, field

from correcao.chegada import planilha
from correcao.chegada.dono import ids_da_planilha
from correcao.chegada.envio import Envio, envios
from correcao.comum import datas
from correcao.comum.moodle import de_que_lista
from correcao.comum.texto import imprimivel, sem_acentos
from correcao.livro.turma import SERA_REPETIDA, Entrega, Lida, QuestaoCorrigida, Turma
from helpers.escrita import com_virgula, numero

# Onde uma planilha veria uma fórmula: no começo da célula e, no Excel que espera outro separador, depois de cada um.
FORMULA = re.compile(r"(^\s*|[,;][\s\"']*|[\t\r\n]\s*)([=+@-])")


class OutraTarefa(Exception):
    """A planilha não é a desta lista, em uma frase."""


@dataclass
class Preenchida:
    """O que se fez com a planilha do Moodle."""

    preenchidos: int = 0
    fora: list[str] = field(default_factory=list)  # têm nota e não estão nela
    faltam: list[str] = field(default_factory=list)  # estão nela e não entregaram
    zerados: int = 0
    com_prazo: list[str] = field(default_factory=list)  # não entregaram e ainda podem entregar
    por_coletar: list[str] = field(default_factory=list)  # o Moodle diz que entregaram
    travados: list[str] = field(default_factory=list)  # o Moodle não aceita outra nota


def preencher(turma: Turma, lida: Lida, tabela: planilha.Planilha, zero: bool = False) -> Preenchida:
    """Preenche nota e comentário de quem tem nota e, com `zero`, dá zero a quem não entregou."""
    feita, linhas, ditos = Preenchida(), dict(tabela.participantes()), envios(tabela)
    coletados = {a: n for a, d in turma.moodle(lida.lista).items() if (n := d.get("id")) and n.isdecimal()}
    daqui = [e.aluno for e in lida.entregas] + [s.aluno for s in lida.sem]
    numeros = {aluno: coletados[aluno] for aluno in daqui if aluno in coletados}
    if numeros and not linhas.keys() & set(numeros.values()):
        raise OutraTarefa(
            f"Esta é a planilha de outra tarefa do Moodle{de_que_lista(linhas, turma.raiz, lida.lista)}: nenhum dos "
            f"números coletados na {lida.lista} está nela. Nada foi gravado."
        )
    # quem não veio de um zip do Moodle é achado pela matrícula ou pelo e-mail
    dos_alunos = {proprio: n for n, proprio in ids_da_planilha(tabela).items()}
    for e in lida.entregas:
        linha = linhas.pop(numeros.get(e.aluno) or dos_alunos.get(e.aluno) or "", None)
        if linha is None:
            feita.fora.append(e.aluno)
            continue
        maxima = _ler_numero(tabela.valor(linha, "maxima")) or e.de
        escala = maxima / e.de if e.de else 0.0
        _por(tabela, linha, tabela.numero(e.nota * escala), comentario(e, escala or 1.0))
        feita.preenchidos += 1
        if sem_acentos(tabela.valor(linha, "pode")) in ("nao", "no"):
            feita.travados.append(imprimivel(e.nome or e.aluno))
    perdidos = {s.aluno: coletados.get(s.aluno) or dos_alunos.get(s.aluno) for s in lida.sem}
    for s in lida.sem:
        if s.entrega and (linha := linhas.get(perdidos[s.aluno] or "")):  # a nota que lá estivesse não é desta entrega
            _por(tabela, linha, "", SERA_REPETIDA)
    de_cada_numero = {n: aluno for aluno, n in coletados.items()}
    for n, linha in linhas.items():
        # o que já tem nota fica como está
        if n not in perdidos.values() and not tabela.valor(linha, "nota").strip(" -"):
            prazos = [p.replace(tzinfo=datetime.UTC) for p in turma.prazos(lida.lista, de_cada_numero.get(n, ""))]
            if _faltou(feita, ditos[n], n, prazos) and zero:
                _por(tabela, linha, tabela.numero(0.0), "Não houve entrega.")
                feita.zerados += 1
    return feita


def _faltou(feita: Preenchida, dito: Envio, numero_dele: str, prazos: list[datetime.datetime]) -> bool:
    """Diz em `feita` por que alguém não tem nota; devolve se foi porque não entregou, e já não pode."""
    quem = imprimivel(dito.nome or f"participante {numero_dele}")
    agora = datetime.datetime.now(datetime.UTC)
    if dito.enviou:
        feita.por_coletar.append(quem)
    elif any(prazo > agora for prazo in (*prazos, dito.prorrogacao or agora)):
        feita.com_prazo.append(quem)
    else:
        feita.faltam.append(quem)
        return True
    return False


def _por(tabela: planilha.Planilha, linha: list[str], nota: str, texto: str) -> None:
    tabela.por(linha, "nota", nota)
    if "comentario" in tabela.colunas:
        tabela.por(linha, "comentario", texto)


def _ler_numero(texto: str) -> float | None:
    try:
        return float(texto.replace(",", "."))
    except ValueError:
        return None


def comentario(e: Entrega, escala: float = 1.0) -> str:
    """Um parágrafo curto: o que houve em cada questão que não ganhou tudo, ou que só errava por outra.

    Os pontos vão na escala da planilha. O Moodle o lê como HTML.
    """
    frases = [e.motivo] if e.motivo else []
    frases += [f"{arquivo}: {porque}." for arquivo, porque in e.recusados if e.motivo]
    if e.desconto:
        frases.append(f"Desconto de {com_virgula(e.desconto * escala)} por {datas.duracao(e.atraso)} de atraso.")
    frases += e.reentrega[1:]  # a primeira é a política, que está na página
    frases += filter(None, (_da_questao(q, e, escala) for q in e.questoes))
    texto = html.escape(" ".join(frases) or ("Tudo certo." if e.completa else "Veja a devolutiva."), quote=False)
    return FORMULA.sub(lambda f: f"{f[1]}&#{ord(f[2])};", texto)  # no Moodle se lê igual


def _da_questao(q: QuestaoCorrigida, e: Entrega, escala: float) -> str | None:
    if q.espera:
        return f"{q.titulo}: espera a leitura do instrutor."
    partes = [q.diagnostico] if (q.pontos < q.de or q.emprestada) and q.diagnostico and not e.motivo else []
    if q.comentario:
        partes.append(" ".join(q.comentario.split()))
    if q.pontos < q.de and not partes and not e.motivo:
        partes.append(f"{numero(q.pontos * escala)} de {numero(q.de * escala)}.")
    return f"{q.titulo}: {' '.join(partes)}" if partes else None
