"""Roda o notebook de um aluno na caixa e fica só com o que é seguro guardar.

Todo byte que vem do kernel é suspeito: ele é do aluno, que pode trocar o IPython, forjar mensagens, calar-se ou nunca
parar. Por isso a conversa é feita aqui, e não pelo nbclient: cada mensagem é contada antes de ser lida, só mexe na
célula que está rodando, e o que não se entende é ignorado. Quando um limite estoura, a caixa é morta, as células que
faltam ficam sem evidência e o motivo vai, em uma frase, para a anotação da entrega (`resources["curso"].motivo`).

O tempo é o de processador. Quem só passa do de relógio, ou fica sem a memória do computador, pode ter tido azar com os
vizinhos: roda outra vez, sozinho, antes que isso lhe custe um ponto.
"""

import asyncio
import contextlib
import html
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import zmq
import zmq.asyncio
from nbclient.util import run_sync
from nbformat import NotebookNode, from_dict
from nbgrader.preprocessors import Execute
from traitlets import Instance, default

from correcao import caixa, evidencia
from correcao.anotacao import DADOS, DEFEITO, Anotacao
from correcao.caixa import Limites
from correcao.imagem import ler as ler_imagem
from correcao.oraculo import Oraculo
from correcao.provisionador import Gerente
from helpers.conferir import TIPO_DA_EVIDENCIA

_IMAGENS = ("image/png", "image/jpeg")
_VIGIA = 0.5  # segundos entre uma olhada e outra nos processos da caixa
_FATIA = 0.05  # segundos entre uma olhada e outra na memória do computador e de quem corrige, que se enchem depressa
_PARTIDA = 60.0  # segundos para o kernel responder pela primeira vez
_DESPEDIDA = 10.0  # segundos pelo resto das saídas, depois que o kernel respondeu
_MORTE = 5.0  # segundos por um processo que já foi morto
_CORTE = "\n[… a correção cortou o resto desta saída …]\n"
_MEMORIA = Path("/proc/meminfo")
_MEMORIA_DA_MAQUINA = 256 * 2**20  # bytes que têm de sobrar para o resto do computador
_MEMORIA_DA_CORRECAO = 256 * 2**20  # bytes que este processo pode crescer com o que uma entrega escreve
_SAIDAS = 1000  # saídas que se guardam por célula
_SEM_RESULTADO = "o que vinha depois ficou sem resultado."
_PARTIDAS = 2  # se o kernel não parte, tenta-se de novo: a culpa é da máquina, não do aluno


class _Parou(Exception):
    """A execução não continua: o texto é o motivo, em uma frase."""


class _SemCulpaCerta(Exception):
    """O que acabou foi o relógio, ou a memória do computador: a culpa pode não ser da entrega."""


class _TempoEsgotado(Exception):
    """A célula não terminou no prazo; o texto diz que prazo era."""

    def __init__(self, segundos: float, no_relogio: bool):
        super().__init__(f"{_numero(segundos)} s {'de relógio' if no_relogio else 'de processador'}")
        self.no_relogio = no_relogio


class Executar(Execute):
    """No lugar do Execute do nbgrader: na caixa, com limites, e sem nunca falhar pelo que o aluno fez."""

    limites = Instance(Limites).tag(config=True)

    @default("limites")
    def _limites(self) -> Limites:
        return Limites.do_ambiente()

    def preprocess(self, nb: NotebookNode, resources: Any, km: Any = None) -> tuple[NotebookNode, Any]:
        anotacao: Anotacao = resources.setdefault(DADOS, Anotacao())
        _limpar(nb)
        if anotacao.motivo:  # já se sabe por que esta entrega não roda
            return nb, resources
        caixa.exigir()
        inicio = time.monotonic()
        execucao = self._rodar(nb, anotacao, sozinha=False)
        if porque := execucao.sem_culpa_certa or _so_o_relogio(nb):
            self.log.warning("%s: a entrega roda outra vez, sozinha.", porque)
            with self._sozinha():
                execucao = self._rodar(nb, anotacao, sozinha=True)
        anotacao.motivo, anotacao.segundos = execucao.motivo, round(time.monotonic() - inicio, 2)
        if execucao.motivo:
            self.log.warning(execucao.motivo)
        if execucao.defeito is not None:
            anotacao.tropecar(execucao.defeito)
        return nb, resources

    def _sozinha(self) -> contextlib.AbstractContextManager[None]:
        """Enquanto vale, nenhuma outra entrega roda. Hoje elas vão uma de cada vez, e isso não pede nada."""
        return contextlib.nullcontext()

    def _rodar(self, nb: NotebookNode, anotacao: Anotacao, sozinha: bool) -> "_Execucao":
        """Uma corrida, do kernel novo à caixa morta."""
        _limpar(nb)
        execucao = _Execucao(nb, self.limites, anotacao, self.log, sozinha)
        try:
            self._partir(execucao)
            run_sync(execucao.rodar)()
        finally:
            run_sync(execucao.encerrar)()
        return execucao

    def _partir(self, execucao: "_Execucao") -> None:
        for tentativa in range(1, _PARTIDAS + 1):
            try:
                return run_sync(execucao.partir)()
            except Exception as erro:
                run_sync(execucao.encerrar)()
                if tentativa == _PARTIDAS:
                    raise
                self.log.warning("O kernel não partiu (%s); tento de novo.", erro)


def _limpar(nb: NotebookNode) -> None:
    for celula in nb.cells:
        if celula.cell_type == "code":
            celula.outputs, celula.execution_count = [], None


def _so_o_relogio(nb: NotebookNode) -> str | None:
    """Por que não se sabe de quem foi a culpa, se alguma chamada a uma resposta parou só porque o relógio andou."""
    saidas = [s for c in nb.cells if c.cell_type == "code" for s in c.outputs]
    textos = [s.data[TIPO_DA_EVIDENCIA] for s in saidas if TIPO_DA_EVIDENCIA in s.get("data", {})]
    return "Uma resposta ficou parada no relógio" if any(map(evidencia.parou_no_relogio, textos)) else None


class _Execucao:
    """Um kernel e a conversa com ele, célula a célula."""

    def __init__(self, nb: NotebookNode, limites: Limites, anotacao: Anotacao, log: Any, sozinha: bool):
        self.nb, self.limites, self.log, self.sozinha = nb, limites, log, sozinha
        self.pedido, self.oraculo = anotacao.pedido, anotacao.oraculo or Oraculo()
        self.motivo: str | None = None
        self.sem_culpa_certa: str | None = None  # por que parou, e deve rodar outra vez
        self.defeito: Exception | None = None  # parou por um erro nosso
        self.gerente: Gerente | None = None
        self.cliente: Any = None
        self.canais: dict[Any, str] = {}
        self.bytes_do_caderno = 0
        self.contagem = 0
        self.olhada = 0.0  # quando se olham outra vez os processos da caixa
        self.este_processo = psutil.Process()
        self.memoria_antes = self.solta_antes = 0  # bytes deste processo, e de memória solta, com o kernel pronto

    @property
    def kernel(self) -> Gerente:
        """O gerente, entre `partir` e `encerrar`."""
        assert self.gerente is not None
        return self.gerente

    # ------------------------------------------------------------ começo e fim

    async def partir(self) -> None:
        if _memoria()[0] < _MEMORIA_DA_MAQUINA:  # se já falta antes de começar, não é por causa da entrega
            raise RuntimeError("o computador está sem memória")
        self.gerente = Gerente(limites=self.limites, pedido=self.pedido)
        await self.gerente.start_kernel()
        self.cliente = self.gerente.client()
        self.cliente.start_channels(hb=False)
        self.poller = zmq.asyncio.Poller()
        self.canais = {}
        for nome in ("iopub", "shell", "stdin"):
            soquete = getattr(self.cliente, f"{nome}_channel").socket
            # quem diz que a conexão caiu: é o que acontece com uma mensagem maior que o limite
            self.canais |= {soquete: nome, soquete.get_monitor_socket(zmq.EVENT_DISCONNECTED): "queda"}
        for soquete in self.canais:
            self.poller.register(soquete, zmq.POLLIN)
        await self._esperar_pronto(time.monotonic() + _PARTIDA)
        self.memoria_antes, (_, self.solta_antes) = self.este_processo.memory_info().rss, _memoria()

    async def _esperar_pronto(self, prazo: float) -> None:
        """Até ter ouvido o kernel pelos dois canais: antes disso, uma saída poderia se perder."""
        ouvidos: set[str] = set()
        while not ouvidos >= {"iopub", "shell"}:
            if time.monotonic() > prazo or not await self.kernel.is_alive():
                raise RuntimeError(f"o kernel não respondeu: {self.kernel.processo.queixas()}")
            self.cliente.kernel_info()
            fim = time.monotonic() + 0.5
            while not ouvidos >= {"iopub", "shell"} and time.monotonic() < fim:
                ouvidos |= {canal async for canal, _, _ in self._chegadas(0.1)}

    async def encerrar(self) -> None:
        """Mata a caixa e tudo o que houver nela; não há adeus a dar a um kernel de aluno."""
        try:
            self._calar()
        finally:
            if self.gerente is not None:
                gerente, self.gerente = self.gerente, None
                await self._matar(gerente)

    def _calar(self) -> None:
        if self.cliente is None:
            return
        cliente, self.cliente = self.cliente, None
        for soquete, nome in self.canais.items():
            if nome != "queda":
                soquete.disable_monitor()
        for canal in (cliente.shell_channel, cliente.iopub_channel, cliente.stdin_channel, cliente.control_channel):
            canal.close()

    @staticmethod
    async def _matar(gerente: Gerente) -> None:
        gerente.shutting_down = True
        try:
            if gerente.has_kernel:
                await gerente.processo.kill()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(gerente.processo.wait(), _MORTE)
            await gerente.cleanup_resources()
        finally:  # aconteça o que acontecer, o pedido não fica no disco
            if gerente.provisioner is not None:
                gerente.processo.apagar_a_troca()

    # ------------------------------------------------------------ as células

    async def rodar(self) -> None:
        self.fim = time.monotonic() + self.limites.espera * self.limites.caderno
        for indice, celula in enumerate(self.nb.cells):
            # As etiquetas da célula não contam: `skip-execution` deixaria uma conferência sem rodar.
            if celula.cell_type != "code" or not celula.source.strip():
                continue
            saida = _Saida(self.limites)
            await self._ate_parar(celula.source, saida, indice)
            if self.motivo:
                saida.aviso("ExecucaoInterrompida", self.motivo)
            celula.outputs = saida.prontas()
            celula.execution_count = self.contagem
            if self.motivo or self.sem_culpa_certa:
                return

    async def _ate_parar(self, codigo: str, saida: "_Saida", indice: int) -> None:
        """Roda a célula; se a execução não pode seguir, anota por quê."""
        try:
            await self._celula(codigo, saida, indice)
        except _Parou as parada:
            self.motivo = str(parada)
        except _SemCulpaCerta as parada:
            if self.sozinha:
                self.motivo = f"{parada}, também quando a entrega rodou sozinha; {_SEM_RESULTADO}"
            else:
                self.sem_culpa_certa = str(parada)
        except Exception as erro:  # o aluno pode ter achado um jeito de confundir a conversa, mas o erro é nosso
            self.log.exception("defeito na conversa com o kernel")
            self.motivo, self.defeito = DEFEITO, erro

    async def _celula(self, codigo: str, saida: "_Saida", indice: int) -> None:
        onde = f"na célula {indice + 1}"
        self.contagem += 1
        # Sem funções a responder, o kernel diz sozinho a um input() que não há quem digite.
        com_entrada = self.oraculo.tem_o_que_responder
        pergunta = self.cliente.execute(_texto(codigo), allow_stdin=com_entrada, stop_on_error=False)
        try:
            return await self._ate_o_fim(pergunta, saida, self.limites.celula, onde)
        except _TempoEsgotado as esgotado:
            prazo = self._cobrar(esgotado, onde)
        await self.kernel.interrupt_kernel()
        try:
            await self._ate_o_fim(pergunta, saida, self.limites.interrupcao, onde)
        except _TempoEsgotado as esgotado:
            self._cobrar(esgotado, onde)
            raise _Parou(
                f"A execução parou {onde}, que não terminou em {prazo} nem quando foi interrompida; {_SEM_RESULTADO}"
            ) from None
        duvida = "há um sleep, um input ou uma trava?" if prazo.no_relogio else "há um laço que não acaba?"
        saida.aviso("TempoEsgotado", f"A célula não terminou em {prazo}; {duvida}")

    def _cobrar(self, esgotado: _TempoEsgotado, onde: str) -> _TempoEsgotado:
        """O relógio só se cobra de quem está sozinho."""
        if esgotado.no_relogio and not self.sozinha:
            raise _SemCulpaCerta(f"A execução não terminou em {esgotado} {onde}") from None
        return esgotado

    async def _ate_o_fim(self, pergunta: str, saida: "_Saida", segundos: float, onde: str) -> None:
        """Recebe mensagens até o kernel responder e dizer que está livre."""
        agora, gasto_antes = time.monotonic(), None
        prazo = agora + self.limites.espera * segundos
        while not (saida.livre and saida.respondeu is not None):
            chegou = await self._receber(pergunta, saida, min(prazo, self.fim) - agora, onde)
            agora = time.monotonic()
            self._vigiar_o_computador(onde)
            if agora >= self.olhada:  # de uma célula à outra: cem células curtas também se veem
                gasto, self.olhada = self._vigiar(onde, chegou), agora + _VIGIA
                # a primeira olhada da célula é o zero: o que ela gastou até ali não se cobra dela
                gasto_antes = gasto if gasto_antes is None else gasto_antes
                if gasto - gasto_antes >= segundos:
                    raise _TempoEsgotado(segundos, no_relogio=False)
            if saida.respondeu is not None and agora > saida.respondeu + _DESPEDIDA:
                # só se perde o aviso de que está livre quando há mensagens demais, ou uma grande demais, na frente
                raise self._demais(onde) if self.sozinha else _SemCulpaCerta(f"O fim da célula não chegou {onde}")
            if agora >= self.fim:
                ao_todo = _numero(self.limites.espera * self.limites.caderno)
                raise _SemCulpaCerta(f"O notebook passou de {ao_todo} s de relógio ao todo {onde}")
            if agora >= prazo:
                raise _TempoEsgotado(self.limites.espera * segundos, no_relogio=True)

    async def _receber(self, pergunta: str, saida: "_Saida", espera: float, onde: str) -> bool:
        """O que o kernel disse até agora; chegou alguma coisa?"""
        chegou = False
        async for canal, mensagem, tamanho in self._chegadas(min(_FATIA, max(0.0, espera))):
            chegou = True
            self._contar(saida, tamanho, onde, canal)
            if canal == "queda":
                await self._caiu(onde)
            if mensagem is None or _mae(mensagem) != pergunta:
                continue  # ilegível, de outra célula ou de uma thread esquecida: não é desta conta
            if canal == "shell":
                saida.resposta(mensagem)
            elif canal == "stdin":
                self.cliente.input(self.oraculo.responder(mensagem["content"].get("prompt")))
            else:
                saida.receber(mensagem)
        return chegou

    def _contar(self, saida: "_Saida", tamanho: int, onde: str, canal: str) -> None:
        if canal == "stdin":  # perguntas ao oráculo: não se guardam, e chamar uma função mil vezes não é escrever
            saida.perguntas += tamanho
            if saida.perguntas > self.limites.perguntas:
                raise self._demais(onde)
            return
        saida.bytes += tamanho
        saida.mensagens += 1
        self.bytes_do_caderno += tamanho
        limites = self.limites
        demais = saida.bytes > limites.saida_celula or self.bytes_do_caderno > limites.saida_caderno
        if demais or saida.mensagens > limites.mensagens:
            raise self._demais(onde)

    @staticmethod
    def _demais(onde: str) -> _Parou:
        return _Parou(f"O notebook escreveu demais e foi interrompido {onde}; {_SEM_RESULTADO}")

    async def _caiu(self, onde: str) -> None:
        for _ in range(40):  # se foi porque o kernel morreu, a morte se vê em seguida
            self._vivo(onde)  # e só ela: quem escreve sem parar enche a memória enquanto se espera
            await asyncio.sleep(0.05)
        raise _Parou(f"O kernel escreveu demais, ou fechou a conexão, {onde}; {_SEM_RESULTADO}")

    def _vivo(self, onde: str) -> None:
        provisionador = self.kernel.processo
        codigo = provisionador.process.poll() if provisionador.process else 0
        if codigo is None:
            return
        if codigo not in (137, -9):
            raise _Parou(f"O kernel terminou por conta própria {onde}; {_SEM_RESULTADO}")
        if provisionador.grupo is not None and provisionador.grupo.estourou():
            raise self._memoria_demais(onde)
        raise _SemCulpaCerta(f"O kernel foi morto, talvez por falta de memória no computador, {onde}")

    def _vigiar(self, onde: str, chegou: bool) -> float:
        """Olha os processos da caixa; devolve os segundos de processador que já gastaram."""
        if not chegou:  # o que já foi dito antes de morrer ainda vale
            self._vivo(onde)
        memoria, gasto = self.kernel.processo.olhar()
        gasto += self.oraculo.segundos
        if memoria > self.limites.memoria:
            raise self._memoria_demais(onde)
        if gasto > self.limites.caderno:
            ao_todo = _numero(self.limites.caderno)
            raise _Parou(f"O notebook passou de {ao_todo} s de processador ao todo {onde}; {_SEM_RESULTADO}")
        return gasto

    def _memoria_demais(self, onde: str) -> _Parou:
        gigas = _numero(round(self.limites.memoria / 2**30, 1))
        # o que se imprime também é memória, até sair do kernel: dali não se vê qual dos dois foi
        return _Parou(
            f"A entrega guardou ou escreveu demais e passou de {gigas} GB de memória {onde}; {_SEM_RESULTADO}"
        )

    def _vigiar_o_computador(self, onde: str) -> None:
        """A memória que não aparece em processo algum: sem um grupo que a limite, pode ser da entrega ou de outro."""
        if self.este_processo.memory_info().rss > self.memoria_antes + _MEMORIA_DA_CORRECAO:
            raise self._demais(onde)  # uma mensagem de muitas partes junta-se inteira aqui antes que se a conte
        disponivel, solta = _memoria()
        if self.kernel.processo.grupo is None and solta - self.solta_antes > self.limites.memoria:
            raise _SemCulpaCerta(f"A memória sem dono do computador cresceu demais {onde}")
        if disponivel < _MEMORIA_DA_MAQUINA:
            raise _SemCulpaCerta(f"O computador da correção ficou sem memória {onde}")

    # ------------------------------------------------------------ as mensagens

    async def _chegadas(self, espera: float) -> Any:
        """(canal, mensagem ou None se ilegível, bytes) do que houver para receber, esperando até `espera` segundos."""
        prontos = await self.poller.poll(int(1000 * espera) + 1)
        for soquete, _ in prontos:
            for _ in range(50):  # um canal que não para de falar não pode calar o outro, nem o relógio
                try:
                    quadros = await soquete.recv_multipart(zmq.NOBLOCK)
                except zmq.Again:
                    break
                yield self.canais[soquete], self._decifrar(quadros), sum(len(q) for q in quadros) + 64

    def _decifrar(self, quadros: list[bytes]) -> dict | None:
        sessao = self.cliente.session
        try:
            mensagem = sessao.deserialize(sessao.feed_identities(quadros)[1])
        except Exception:  # assinatura errada, JSON torto ou fundo demais: o kernel é do aluno
            return None
        certa = isinstance(mensagem.get("content"), dict) and isinstance(mensagem.get("msg_type"), str)
        return mensagem if certa else None


def _memoria() -> tuple[int, int]:
    """(bytes que ainda se podem usar, bytes em uso que não são de um processo), em todo o computador.

    A segunda é a dos arquivos sem disco (memfd, /dev/shm), dos soquetes e dos canos cheios: o que está em uso, menos a
    memória dos processos e a que o núcleo joga fora quando precisa. Só no Linux se sabe.
    """
    try:
        linhas = [linha.split() for linha in _MEMORIA.read_text().splitlines()]
    except OSError:
        return psutil.virtual_memory().available, 0
    m = {nome.rstrip(":"): 1024 * int(valor) for nome, valor, *_ in linhas}
    reaproveitavel = m["MemFree"] + m["Buffers"] + m["Cached"] - m["Shmem"] + m["SReclaimable"]
    return m["MemAvailable"], m["MemTotal"] - reaproveitavel - m["AnonPages"]


def _numero(x: float) -> str:
    return f"{x:g}".replace(".", ",")


def _mae(mensagem: dict) -> str | None:
    cabecalho = mensagem.get("parent_header")
    return cabecalho.get("msg_id") if isinstance(cabecalho, dict) else None


def _texto(valor: Any) -> str:
    """Um texto que se pode gravar em UTF-8: nem tudo o que cabe em um str do Python cabe em um arquivo."""
    if isinstance(valor, list) and all(isinstance(v, str) for v in valor):
        valor = "".join(valor)
    return valor.encode("utf-8", "replace").decode("utf-8") if isinstance(valor, str) else ""


def _saida(tipo: str, **campos: Any) -> NotebookNode:
    """Como o new_output do nbformat, sem conferir o esquema a cada saída: aqui os campos já são os certos."""
    return from_dict({"output_type": tipo, **campos})


class _Saida:
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
        linhas = [_texto(linha) for linha in rastro[:100]] if isinstance(rastro, list) else []
        valor = self._cabe(_texto(valor))
        linhas = [self._cabe(linha) for linha in linhas] or [valor]
        self._guardar(_saida("error", ename=_texto(nome)[:200] or "Erro", evalue=valor, traceback=linhas))

    def aviso(self, nome: str, frase: str) -> None:
        """Uma palavra da correção, que não conta como texto do aluno e toma o lugar do KeyboardInterrupt que causou."""
        self._fechar_stream()
        self._saidas = [s for s in self._saidas if s.get("ename") != "KeyboardInterrupt"]
        self._saidas.append(_saida("error", ename=nome, evalue=frase, traceback=[frase]))

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
        texto = self._cabe(_texto(conteudo.get("text")))
        if not texto:
            return
        if not self._trechos or self._saidas[-1].name != nome or self._limpar_na_proxima:
            self._guardar(_saida("stream", name=nome, text=""))
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
        saida = _saida("display_data", data=dados, metadata=_alternativo(conteudo.get("metadata")))
        self._guardar(saida)
        if ident:
            self._por_id[ident] = saida

    def _aproveitaveis(self, dados: dict) -> Iterator[tuple[str, str]]:
        evidencia = dados.get(TIPO_DA_EVIDENCIA)
        if isinstance(evidencia, str):
            yield TIPO_DA_EVIDENCIA, _texto(evidencia)
        if texto := self._cabe(_texto(dados.get("text/plain"))):
            yield "text/plain", texto
        for tipo in _IMAGENS:
            imagem = ler_imagem(_texto(dados.get(tipo)))
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
            guardado[tipo] = {"alt": html.escape(_texto(alt)[:1000])}
    return guardado
