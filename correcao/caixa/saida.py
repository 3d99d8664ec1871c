"""As saídas de uma célula, montadas do que o kernel de um aluno contou, só com o que é seguro guardar e mostrar."""

import contextlib
import html
import time
from collections.abc import Iterator
from typing import Any

from nbformat import NotebookNode, from_dict

from correcao.caixa.caixa import Limites
from correcao.comum.imagem import ler as ler_imagem
from correcao.comum.texto import texto_valido
from helpers.conferencia.execucao import NO_RELOGIO
from helpers.conferencia.pedido import TIPO_DA_EVIDENCIA

_IMAGENS = ("image/png", "image/jpeg")
_CORTE = "\n[… a correção cortou o resto desta saída …]\n"
_SAIDAS = 1000  # saídas que se guardam por célula


def parou_no_relogio(texto: str) -> bool:
    """Alguma chamada parou sem gastar o processador? É o que se vê também quando o disco não responde.

    Não é preciso ler a evidência, e quem forja esta marca só ganha outra corrida igual à primeira.
    """
    return f'"tipo": "{NO_RELOGIO}"' in texto


def nova(tipo: str, **campos: Any) -> NotebookNode:
    """Como o new_output do nbformat, sem conferir o esquema a cada saída: aqui os campos já são os certos."""
    return from_dict({"output_type": tipo, **campos})


class Saida:
    """As saídas de uma célula, do que o kernel contou, só com o que é seguro guardar e mostrar.

    HTML, SVG, JavaScript, Markdown e LaTeX ficam de fora: o formgrader os mostraria ao instrutor sem limpá-los.
    """

    def __init__(self, limites: Limites):
        self.limites = limites
        self.bytes = self.mensagens = self.perguntas = 0
        self.livre = False  # o kernel disse que acabou de mostrar as saídas
        self.respondeu: float | None = None  # quando o kernel respondeu à pergunta
        self._texto_guardado = self._imagens_guardadas = 0
        self._saidas: list[NotebookNode] = []
        self._trechos: list[str] = []  # da última saída, se for um stream ainda aberto
        self._por_id: dict[str, NotebookNode] = {}
        self._limpar_na_proxima = False

    def receber(self, mensagem: dict) -> None:
        """Guarda o que a mensagem mostra."""
        tipo, conteudo = mensagem["msg_type"], mensagem["content"]
        with contextlib.suppress(TypeError, ValueError, AttributeError, KeyError):  # conteúdo forjado ou torto
            if tipo == "status":
                self.livre = self.livre or conteudo.get("execution_state") == "idle"
            elif tipo == "stream":
                self._stream(conteudo)
            elif tipo in ("display_data", "execute_result", "update_display_data"):
                self._dados(tipo, conteudo)
            elif tipo == "error":
                self.erro(conteudo.get("ename"), conteudo.get("evalue"), conteudo.get("traceback"))
            elif tipo == "clear_output":
                self._limpar_na_proxima = bool(conteudo.get("wait"))
                if not self._limpar_na_proxima:
                    self._limpar()

    def resposta(self, mensagem: dict) -> None:
        """Um erro que a célula não mostrou fica registrado assim mesmo; o resto da resposta não interessa."""
        self.respondeu = self.respondeu or time.monotonic()
        conteudo = mensagem["content"]
        if conteudo.get("status") == "error" and not any(s.output_type == "error" for s in self._saidas):
            self.erro(conteudo.get("ename"), conteudo.get("evalue"), conteudo.get("traceback"))

    def erro(self, nome: Any, valor: Any, rastro: Any = None) -> None:
        linhas = [texto_valido(linha) for linha in rastro[:100]] if isinstance(rastro, list) else []
        valor = self._cabe(texto_valido(valor))
        linhas = [self._cabe(linha) for linha in linhas] or [valor]
        self._guardar(nova("error", ename=texto_valido(nome)[:200] or "Erro", evalue=valor, traceback=linhas))

    def aviso(self, nome: str, frase: str) -> None:
        """Uma palavra da correção, que não conta como texto do aluno e toma o lugar do KeyboardInterrupt que causou."""
        self._fechar_stream()
        self._saidas = [s for s in self._saidas if s.get("ename") != "KeyboardInterrupt"]
        self._saidas.append(nova("error", ename=nome, evalue=frase, traceback=[frase]))

    def prontas(self) -> list[NotebookNode]:
        self._fechar_stream()
        return self._saidas

    def _cabe(self, texto: str) -> str:
        """O que ainda cabe deste texto no que se guarda por célula."""
        resta = self.limites.texto - self._texto_guardado
        if resta <= 0:
            return ""
        self._texto_guardado += len(texto)
        return texto if len(texto) <= resta else texto[:resta] + _CORTE

    def _guardar(self, saida: NotebookNode) -> None:
        if self._limpar_na_proxima:
            self._limpar()
        self._fechar_stream()
        if len(self._saidas) < _SAIDAS or TIPO_DA_EVIDENCIA in saida.get("data", {}):
            self._saidas.append(saida)

    def _limpar(self) -> None:
        self._saidas, self._trechos, self._por_id, self._limpar_na_proxima = [], [], {}, False

    def _fechar_stream(self) -> None:
        if self._trechos:
            self._saidas[-1].text = "".join(self._trechos)
            self._trechos = []

    def _stream(self, conteudo: dict) -> None:
        nome = "stderr" if conteudo.get("name") == "stderr" else "stdout"
        texto = self._cabe(texto_valido(conteudo.get("text")))
        if not texto:
            return
        if not self._trechos or self._saidas[-1].name != nome or self._limpar_na_proxima:
            self._guardar(nova("stream", name=nome, text=""))
        if self._saidas[-1].output_type == "stream":  # senão, já se guardaram saídas demais
            self._trechos.append(texto)

    def _dados(self, tipo: str, conteudo: dict) -> None:
        passageiro = conteudo.get("transient")
        ident = passageiro.get("display_id") if isinstance(passageiro, dict) else None
        ident = ident if isinstance(ident, str) else None
        dados = dict(self._aproveitaveis(conteudo["data"]))
        if tipo == "update_display_data":
            # só o que esta mesma célula mostrou: as saídas das outras já estão guardadas
            if ident in self._por_id:
                self._por_id[ident].data = dados
            return
        if not dados:
            return
        saida = nova("display_data", data=dados, metadata=_alternativo(conteudo.get("metadata")))
        self._guardar(saida)
        if ident:
            self._por_id[ident] = saida

    def _aproveitaveis(self, dados: dict) -> Iterator[tuple[str, str]]:
        evidencia = dados.get(TIPO_DA_EVIDENCIA)
        if isinstance(evidencia, str):
            yield TIPO_DA_EVIDENCIA, texto_valido(evidencia)
        if texto := self._cabe(texto_valido(dados.get("text/plain"))):
            yield "text/plain", texto
        for tipo in _IMAGENS:
            imagem = ler_imagem(texto_valido(dados.get(tipo)))
            if imagem and imagem.tipo == tipo:
                self._imagens_guardadas += len(imagem.base64)
                if self._imagens_guardadas <= self.limites.imagens:
                    yield tipo, imagem.base64


def _alternativo(metadados: Any) -> dict:
    """Dos metadados fica o texto alternativo da figura, sem nada que feche o atributo em que ele será posto."""
    guardado = {}
    for tipo in _IMAGENS:
        alt = metadados.get(tipo, {}).get("alt") if isinstance(metadados, dict) else None
        if isinstance(alt, str):
            guardado[tipo] = {"alt": html.escape(texto_valido(alt)[:1000])}
    return guardado
