"""`python curso.py ler LISTA`: a página em que uma pessoa lê as questões abertas, uma de cada vez, a turma em fila.

É um servidor só deste computador, e só para quem tem a chave dele: o endereço traz um token, que muda a cada vez, e um
pedido que não vem da própria página (pelo Host e pelo Origin) é recusado. O que é do aluno entra limpo, como na
devolutiva, e a página não busca nada fora: as fórmulas já chegam desenhadas.
"""

import asyncio
import contextlib
import errno
import getpass
import hashlib
import hmac
import json
import secrets
import sys
import tempfile
import traceback
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from markupsafe import Markup
from nbgrader.utils import is_grade, is_locked, is_solution
from tornado import httpserver, netutil, web

from configuracao.terminal import NAO_SE_GRAVA, por_que, rodar
from correcao.chegada.recebimento import ler_original, titulo_da_lista
from correcao.comum import pagina
from correcao.comum.anotacao import registro_da_correcao
from correcao.comum.imagem import so_as_que_cabem
from correcao.devolucao import abertas
from correcao.devolucao.comando import com_a_turma
from correcao.livro import leitura
from correcao.livro.criterios import FRACOES, Aberta, abertas_de, frase
from correcao.livro.livro import um_motor_so
from correcao.livro.turma import Turma, TurmaIndisponivel
from helpers.escrita import numero
from helpers.gravacao import gravar

AQUI = "127.0.0.1"
CHAVE = "X-Token"
_MAIOR_PEDIDO = 100_000  # bytes


class NadaParaLer(Exception):
    """Por que não há o que ler, em uma frase."""


class Mesa:
    """As respostas abertas de uma lista, como a página as pede."""

    def __init__(self, turma: Turma, lista: str, quem: str, sem_nomes: bool = False):
        self.turma, self.lista, self.quem, self.sem_nomes = turma, lista, quem, sem_nomes
        self._de_quem: dict[str, str] = {}  # o que a página mostra no lugar do aluno → ele
        original = ler_original(turma.coursedir, lista)
        self.titulo = titulo_da_lista(original) or lista
        self.abertas = {a.id: a for a in abertas_de(original)}
        self._da_lista = {celula.source for celula in original.cells}
        if not self.abertas:
            raise NadaParaLer(f"A {lista} não tem questões abertas.")

    def questoes(self) -> list[dict[str, Any]]:
        """O que não muda: o enunciado e a rubrica de cada uma."""
        return [
            {
                "id": a.id,
                "titulo": a.titulo,
                "de": a.pontos,
                "enunciado": pagina.markdown(a.enunciado),
                "antes": pagina.markdown(a.antes),
                "depois": pagina.markdown(a.depois),
                "modelo": pagina.markdown(a.modelo),
                "criterios": [
                    {
                        "valor": c.valor,
                        "texto": pagina.markdown(c.rubrica),
                        "frases": {str(f): frase(c.valor, c.dito, f) for f in FRACOES},
                    }
                    for c in a.criterios
                ],
            }
            for a in self.abertas.values()
        ]

    def quadro(self) -> dict[str, Any]:
        """A turma em fila, em cada questão, e os comentários que já se usaram nela."""
        with self.turma.livro() as livro:
            achadas = leitura.situacoes(livro, self.lista)
        nomes = {aluno: dados.get("nome") for aluno, dados in self.turma.moodle(self.lista).items()}
        nomes = {} if self.sem_nomes else nomes
        mostrados = {aluno: self._mostrado(aluno) for aluno, _ in achadas}
        feito: dict[str, Any] = {}
        for questao in self.abertas:
            dela = {aluno: s for (aluno, q), s in achadas.items() if q == questao}
            dela = dict(sorted(dela.items(), key=lambda par: mostrados[par[0]]))
            feito[questao] = {
                "alunos": [
                    {"id": mostrados[a], "nome": nomes.get(a), **self.situacao(questao, s)} for a, s in dela.items()
                ],
                "comentarios": leitura.para_reusar(dela.values()),
            }
        return feito

    def _mostrado(self, aluno: str) -> str:
        """A pasta do aluno; sem nomes, um apelido que não muda de um dia para o outro e embaralha a turma."""
        apelido = hashlib.sha256(f"{self.lista} {aluno}".encode()).hexdigest()[:8]
        mostrado = f"resposta-{apelido}" if self.sem_nomes else aluno
        self._de_quem[mostrado] = aluno
        return mostrado

    def resposta(self, questao: str, aluno: str) -> dict[str, Any]:
        """O que o aluno escreveu, desenhado, e a nota que já tem. KeyError se não há essa resposta."""
        aluno = self._de_quem.get(aluno, aluno)
        with self.turma.livro() as livro:
            situacao = leitura.situacoes(livro, self.lista, aluno)[aluno, questao]
        return {**self.situacao(questao, situacao), "html": str(self._desenhar(questao, aluno))}

    def dar_nota(self, pedido: dict[str, Any]) -> dict[str, Any]:
        """Grava o que a página mandou."""
        questao, aluno, texto = (str(pedido[nome]) for nome in ("questao", "aluno", "pontos"))
        aluno = self._de_quem.get(aluno, aluno)
        fracoes, aberta = pedido.get("fracoes"), self.abertas[questao]
        if fracoes is not None and not (isinstance(fracoes, list) and all(isinstance(f, int | float) for f in fracoes)):
            raise leitura.NotaRecusada("O pedido não tem a forma que a página usa.")
        situacao = leitura.dar_nota(
            self.turma, self.lista, aluno, questao, quem=self.quem, versao=str(pedido["versao"]),
            pontos=leitura.ler_pontos(texto, aberta.pontos) if texto.strip() else None,
            fracoes=fracoes if texto.strip() else None, texto=str(pedido["comentario"]),
        )  # fmt: skip
        return self.situacao(questao, situacao)

    def situacao(self, questao: str, s: leitura.RespostaAberta) -> dict[str, Any]:
        return {
            "pontos": numero(s.pontos, 6) if s.pontos is not None else "",
            "comentario": s.comentario,
            "lida": s.lida,
            "vazia": s.vazia,
            "mudou": s.pontos is not None and not s.lida,
            "quem": s.quem,
            "quando": pagina.data(s.quando) if s.quando else None,
            "criterios": [{"escrito": f"{numero(c.pontos, 6)} de {numero(c.valor, 6)} {c.dito}"} for c in s.criterios],
            "fracoes": _fracoes(self.abertas[questao], s),
            "versao": s.versao,
        }

    def desenhar(self, questao: str, mostrado: str) -> Markup:
        return self._desenhar(questao, self._de_quem[mostrado])

    def texto(self, questao: str, mostrado: str) -> str:
        """O que o aluno escreveu, como o escreveu; vazio se o notebook corrigido não está lá, ou não se lê."""
        caminho = self._corrigido(self._de_quem[mostrado])
        if registro_da_correcao(caminho) is None:
            return ""
        celulas = nbformat.read(caminho, as_version=4).cells
        return next((str(c.source) for c in celulas if _nome(c) == questao and is_solution(c)), "")

    def _corrigido(self, aluno: str) -> Path:
        pasta = self.turma.coursedir.format_path(self.turma.coursedir.autograded_directory, aluno, self.lista)
        return Path(pasta, f"{self.lista}.ipynb")

    def _desenhar(self, questao: str, aluno: str) -> Markup:
        caminho = self._corrigido(aluno)
        anotacao = registro_da_correcao(caminho)
        if anotacao is None:
            frase_ = "O notebook corrigido não está em autograded/; rode: python curso.py corrigir {}"
            return Markup(f'<p class="ruim">{frase_}</p>').format(self.lista)
        nb = nbformat.read(caminho, as_version=4)
        so_as_que_cabem(nb)
        motivo = Markup('<p class="ruim">{}</p>').format(anotacao.motivo) if anotacao.motivo else Markup("")
        return motivo + Markup("").join(self._vizinhanca(nb, questao))

    def _vizinhanca(self, nb: Any, questao: str) -> Iterator[Markup]:
        """A resposta, e o que o aluno escreveu logo antes ou logo depois dela: é ali que ele mede."""
        onde = next((i for i, c in enumerate(nb.cells) if _nome(c) == questao and is_solution(c)), None)
        if onde is None:
            return
        inicio, fim = onde, onde + 1
        while inicio > 0 and not _da_lista(nb.cells[inicio - 1]):
            inicio -= 1
        while fim < len(nb.cells) and not _da_lista(nb.cells[fim]):
            fim += 1
        for i in range(inicio, fim):
            celula = nb.cells[i]
            if i != onde and (celula.source in self._da_lista or not celula.source.strip()):
                continue  # o rascunho que a lista traz, como veio
            if celula.cell_type == "code":
                feita = pagina.codigo(celula.source) + pagina.saidas(celula)
            else:
                feita = pagina.markdown(celula.source, celula.get("attachments"))
            legenda = Markup("") if i == onde else Markup('<p class="fraco">Ao lado da resposta</p>')
            yield legenda + Markup('<div class="do-aluno">{}</div>').format(feita)


def _nome(celula: Any) -> str | None:
    return celula.metadata.get("nbgrader", {}).get("grade_id")


def _da_lista(celula: Any) -> bool:
    return is_locked(celula) or is_grade(celula) or is_solution(celula)


def _fracoes(aberta: Aberta, s: leitura.RespostaAberta) -> list[float] | None:
    """As das caixas; None se não foram elas que deram a nota, ou se a rubrica já é outra."""
    mesmos = [(a.valor, a.dito) for a in s.criterios] == [(c.valor, c.dito) for c in aberta.criterios]
    return [a.fracao for a in s.criterios] if s.criterios and mesmos else None


# ------------------------------------------------------------ o servidor


class _Pedido(web.RequestHandler):
    """O que todo pedido tem de trazer: o endereço desta página, e a chave dela."""

    def initialize(self, mesa: Mesa, token: str, porta: int) -> None:
        self.mesa, self.token = mesa, token
        self.enderecos = {f"{nome}:{porta}" for nome in (AQUI, "localhost")}

    def set_default_headers(self) -> None:
        self.set_header("Cache-Control", "no-store")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("X-Frame-Options", "DENY")
        self.clear_header("Server")

    def prepare(self) -> None:
        origem = self.request.headers.get("Origin")
        de_fora = origem is not None and origem.removeprefix("http://") not in self.enderecos
        # um site qualquer pode dar ao nome dele o endereço deste computador: o Host o denuncia
        if self.request.host not in self.enderecos or de_fora:
            raise web.HTTPError(403, reason="Forbidden", log_message="este pedido não vem da página")
        # o token da barra de endereços abre a página; o resto, só com o cabeçalho, que outro site não pode mandar
        dado = self.request.headers.get(CHAVE) or (self.get_query_argument("token", "") if self.abre else "")
        if not hmac.compare_digest(dado.encode(), self.token.encode()):
            raise web.HTTPError(403, log_message="falta a chave; abra o endereço inteiro que o terminal mostrou")

    abre = False

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        _, erro, _ = kwargs.get("exc_info", (None, None, None))
        frase_ = erro.log_message if isinstance(erro, web.HTTPError) and erro.log_message else "não há nada aqui"
        if status_code >= 500:
            frase_ = "a página tropeçou em um defeito dela mesma; o terminal diz qual"
        self._dizer(status_code, frase_[0].upper() + frase_[1:] + ".")

    def log_exception(self, typ: Any, value: Any, tb: Any) -> None:
        if not isinstance(value, web.HTTPError):
            print("".join(traceback.format_exception(typ, value, tb)), file=sys.stderr)

    def _dizer(self, codigo: int, erro: str, **mais: Any) -> None:
        self.set_status(codigo)
        self.finish({"erro": erro, **mais})

    def _responder(self, fazer: Any) -> None:
        """O que `fazer` devolve, em JSON; o que o impede, em uma frase."""
        try:
            self.finish(fazer())
        except leitura.Ultrapassada as erro:
            self._dizer(409, str(erro), agora=self.mesa.situacao(self.get_json()["questao"], erro.agora))
        except leitura.NotaRecusada as erro:
            self._dizer(400, str(erro))
        except KeyError:
            self._dizer(404, "Essa resposta não está no livro de notas; recarregue a página.")
        except TurmaIndisponivel as erro:
            self._dizer(503, str(erro))

    def get_json(self) -> dict[str, Any]:
        try:
            lido = json.loads(self.request.body)
        except (ValueError, RecursionError):
            lido = None
        if not isinstance(lido, dict):
            raise leitura.NotaRecusada("O pedido não tem a forma que a página usa.")
        return lido


class _Pagina(_Pedido):
    abre = True

    def get(self) -> None:
        nonce = secrets.token_urlsafe(16)
        self.set_header(
            "Content-Security-Policy",
            f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; img-src data:; "
            "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        )
        modelos = {nome: Markup((pagina.MODELOS / f"ler.{nome}").read_text(encoding="utf-8")) for nome in ("css", "js")}
        dados = {"questoes": self.mesa.questoes(), "quem": self.mesa.quem, "token": self.token}
        modelo = pagina.ambiente().get_template("ler.html")
        self.finish(modelo.render(titulo=self.mesa.titulo, nonce=nonce, dados=dados, **modelos))


class _Quadro(_Pedido):
    def get(self) -> None:
        self._responder(self.mesa.quadro)


class _Resposta(_Pedido):
    def get(self) -> None:
        questao, aluno = (self.get_query_argument(nome, "") for nome in ("questao", "aluno"))
        self._responder(lambda: self.mesa.resposta(questao, aluno))


class _Nota(_Pedido):
    def post(self) -> None:
        self._responder(lambda: self.mesa.dar_nota(self.get_json()))


class _Nada(_Pedido):
    def prepare(self) -> None:
        super().prepare()
        raise web.HTTPError(404)


def aplicacao(mesa: Mesa, token: str, porta: int) -> web.Application:
    tudo = {"mesa": mesa, "token": token, "porta": porta}
    rotas: list[Any] = [("/", _Pagina, tudo), ("/quadro", _Quadro, tudo), ("/resposta", _Resposta, tudo)]
    rotas += [("/nota", _Nota, tudo)]
    return web.Application(
        rotas, default_handler_class=_Nada, default_handler_args=tudo, log_function=lambda pedido: None
    )


async def _servir(mesa: Mesa, porta: int, navegador: bool) -> None:
    soquetes = netutil.bind_sockets(porta, AQUI)
    porta, token = soquetes[0].getsockname()[1], secrets.token_urlsafe(24)
    servidor = httpserver.HTTPServer(aplicacao(mesa, token, porta), max_body_size=_MAIOR_PEDIDO)
    servidor.add_sockets(soquetes)
    endereco = f"http://{AQUI}:{porta}/?token={token}"
    print(f"{mesa.titulo}\nQuem lê: {mesa.quem}\n\n    {endereco}\n\nCtrl-C fecha a página.", flush=True)
    with tempfile.TemporaryDirectory() as pasta:
        if navegador:  # pela linha de comando do navegador, todos neste computador veriam o token
            porta_de_entrada = Path(pasta, "ler.html")
            gravar(porta_de_entrada, f'<meta http-equiv="refresh" content="0; url={endereco}">')
            webbrowser.open(porta_de_entrada.as_uri())
        await asyncio.Event().wait()


def _usuario() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # um usuário sem nome, em um contêiner
        return "instrutor"


def main(argumentos: list[str] | None = None) -> int:
    return com_a_turma("ler", argumentos, _ler, NadaParaLer)


def _ler(pedido: Any, turma: Turma) -> int:
    um_motor_so()
    mesa = Mesa(turma, turma.achar(pedido.lista), pedido.quem or _usuario(), pedido.sem_nomes)
    if pedido.exportar:
        tabela, folha = abertas.exportar(mesa)
        print(f"As respostas abertas, com as notas e os comentários de agora, estão em {tabela} e em {folha}")
        return 0
    try:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_servir(mesa, pedido.porta or 0, not pedido.sem_navegador))
    except OSError as erro:
        if erro.errno in NAO_SE_GRAVA - {errno.EACCES}:
            raise
        print(f"Não consegui abrir a página nesta porta: {por_que(erro)}.", file=sys.stderr)
        return 1
    print("\nFechada. As notas estão no livro; agora, devolver e notas.")
    return 0


if __name__ == "__main__":
    rodar(main)
