"""A conversa com o kernel de um aluno, na caixa: uma tarefa (dados) entra, um resultado (dados) sai.

Todo byte que vem do kernel é suspeito: ele é do aluno, que pode trocar o IPython, forjar mensagens, calar-se ou nunca
parar. Por isso a conversa é feita aqui, e não pelo nbclient: cada mensagem é contada antes de ser lida, só mexe na
célula que está rodando, e o que não se entende é ignorado. Quando um limite estoura, a caixa é morta, e o resultado diz
em que célula foi e, em uma frase, por quê: quem pediu a corrida recomeça sem ela (juizo/executar.py).
"""

import asyncio
import contextlib
import hmac
import logging
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import psutil
import zmq
from nbclient.util import run_sync

from correcao.caixa import caixa
from correcao.caixa.caixa import Limites
from correcao.caixa.oraculo import Oraculo
from correcao.caixa.provisionador import Gerente
from correcao.caixa.quente import quente
from correcao.caixa.saida import Saida, parou_no_relogio
from correcao.comum.anotacao import DEFEITO
from correcao.comum.texto import texto_valido
from helpers.conferencia.execucao import parado
from helpers.conferencia.nao_rodou import INTERROMPIDA
from helpers.conferencia.pedido import TIPO_DA_EVIDENCIA
from helpers.escrita import numero

_VIGIA = 0.5  # segundos entre uma olhada e outra nos processos da caixa
_FATIA = 0.05  # segundos entre uma olhada e outra na memória do computador e de quem corrige, que se enchem depressa
# Segundos de relógio. Só se esgotam com algo quebrado: uma máquina ocupada demora, e não muda o que se diz.
_PARTIDA = 300.0  # para o kernel responder pela primeira vez
_DESPEDIDA = 30.0  # pelo resto das saídas, depois que o kernel respondeu
_MORTE = 60.0  # por um processo que já foi morto
_MEMORIA = Path("/proc/meminfo")
_MEMORIA_DA_MAQUINA = 256 * 2**20  # bytes que têm de sobrar para o resto do computador
_MEMORIA_DA_CORRECAO = 256 * 2**20  # bytes que este processo pode crescer com o que uma entrega escreve
_MORTO = (137, 143, -9)  # SIGKILL, e o SIGTERM de quem, como o earlyoom, mata antes que a memória acabe
_MAIS_PARTES = 64  # de uma mensagem: as do Jupyter têm seis, mais uma por anexo; uma vazia custa 2 bytes e ocupa 64
_MAIS_FORA_DOS_TEXTOS = 1_000_000  # bytes de uma mensagem: é o que o JSON demora a ler, e enquanto isso chegam outras
_PARTIDAS = 2  # se o kernel não parte, tenta-se de novo: a culpa é da máquina, não do aluno


@dataclass(frozen=True)
class Tarefa:
    """O que é preciso para rodar um notebook: nada diz de quem ele é."""

    celulas: list[str | None]  # o código de cada célula; None nas que não são de código
    pedido: str | None = None
    oraculo: list[Any] = field(default_factory=list)  # como Oraculo.para_dados
    limites: Limites = field(default_factory=Limites)
    sozinha: bool = False  # é a segunda vez, e nada mais roda neste computador
    ja_gasto: float = 0.0  # dos segundos do notebook inteiro, os que outra corrida já usou

    def para_dados(self) -> dict[str, Any]:
        return vars(self) | {"limites": asdict(self.limites)}

    @classmethod
    def de_dados(cls, dado: dict[str, Any]) -> "Tarefa":
        return cls(**dado | {"limites": Limites(**dado["limites"])})


@dataclass
class Resultado:
    """O que se viu: as saídas de cada célula e, se a execução não chegou ao fim, por quê."""

    saidas: list[list[Any]] = field(default_factory=list)  # uma lista por célula
    contagens: list[int | None] = field(default_factory=list)
    motivo: str | None = None  # o que se diz ao aluno
    parou: int | None = None  # a célula em que a execução acabou, se foi por causa dela
    sem_culpa_certa: str | None = None  # parou pelo relógio ou pela memória do computador: deve rodar outra vez
    defeito: str | None = None  # parou por um erro nosso
    fria: str | None = None  # rodou na caixa fria, e por que não na quente
    gasto: float = 0.0  # segundos de processador, na caixa
    relogio: float = 0.0  # segundos, do kernel pronto ao fim

    def para_dados(self) -> dict[str, Any]:
        return dict(vars(self))


def executar(tarefa: Tarefa, log: logging.Logger) -> Resultado:
    """Uma corrida, do kernel novo à caixa morta."""
    execucao = Execucao(tarefa, log)
    try:
        _partir(execucao, log)
        run_sync(execucao.rodar)()
    finally:
        run_sync(execucao.encerrar)()
    resultado = execucao.resultado
    if resultado.sem_culpa_certa is None and not tarefa.sozinha:
        resultado.sem_culpa_certa = _so_o_relogio(resultado)
    return resultado


def _partir(execucao: "Execucao", log: logging.Logger) -> None:
    for tentativa in range(1, _PARTIDAS + 1):
        try:
            return run_sync(execucao.partir)()
        except Exception as erro:
            run_sync(execucao.encerrar)()
            if tentativa == _PARTIDAS:
                raise
            # se o problema for da caixa quente, a fria não o tem
            execucao.so_fria = execucao.resultado.fria or f"na quente o kernel não partiu ({erro})"
            log.warning("O kernel não partiu (%s); tento de novo.", erro)


def _so_o_relogio(resultado: Resultado) -> str | None:
    """Por que não se sabe de quem foi a culpa, se alguma chamada a uma resposta parou só porque o relógio andou."""
    dados = [saida.get("data", {}) for saidas in resultado.saidas for saida in saidas]
    textos = [d[TIPO_DA_EVIDENCIA] for d in dados if TIPO_DA_EVIDENCIA in d]
    return "Uma resposta ficou parada no relógio" if any(map(parou_no_relogio, textos)) else None


class _Parou(Exception):
    """A execução não continua: o texto é o motivo, em uma frase."""


class _SemCulpaCerta(Exception):
    """O que acabou foi o relógio, ou a memória do computador: a culpa pode não ser da entrega."""


class _SemCulpa(_SemCulpaCerta):
    """A culpa não é da entrega: duas vezes seguidas, é um defeito nosso, ou do computador."""


class _TempoEsgotado(Exception):
    """A célula não terminou no prazo; o texto diz que prazo era."""

    def __init__(self, segundos: float, no_relogio: bool):
        super().__init__(f"{numero(segundos)} s {'de relógio' if no_relogio else 'de processador'}")
        self.no_relogio = no_relogio


class Execucao:
    """Um kernel e a conversa com ele, célula a célula."""

    def __init__(self, tarefa: Tarefa, log: logging.Logger):
        self.tarefa, self.limites, self.log = tarefa, tarefa.limites, log
        self.oraculo = Oraculo.de_dados(tarefa.oraculo)
        vazias: list[list[Any]] = [[] for _ in tarefa.celulas]
        self.resultado = Resultado(saidas=vazias, contagens=[None] * len(vazias))
        self.so_fria: str | None = None
        self.gerente: Gerente | None = None
        self.cliente: Any = None
        self.canais: dict[Any, str] = {}
        self.bytes_do_caderno = 0
        self.contagem = 0
        self.olhada = 0.0  # quando se olham outra vez os processos da caixa
        self.gasto = 0.0  # segundos de processador da caixa, na última olhada
        self.olhada_na_memoria = 0.0
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
        self.gerente = Gerente(limites=self.limites, pedido=self.tarefa.pedido)
        self.gerente.receita = quente.receita_do_pedido(self.tarefa.pedido)
        self.gerente.so_fria = self.so_fria
        await self.gerente.start_kernel()
        self.resultado.fria = self.gerente.processo.sem_quente
        self.cliente = self.gerente.client()
        self.cliente.start_channels(hb=False)
        self.poller = zmq.Poller()
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
                ouvidos |= {canal for canal, _ in self._chegadas(0.1)}

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
        inicio = time.monotonic()
        self.fim = inicio + self.limites.espera * self.resta
        for indice, codigo in enumerate(self.tarefa.celulas):
            if codigo is None or not codigo.strip():
                continue
            saida = Saida(self.limites)
            await self._ate_parar(codigo, saida, indice)
            if self.resultado.motivo:
                saida.aviso(INTERROMPIDA, self.resultado.motivo)
            self.resultado.saidas[indice] = saida.prontas()
            self.resultado.contagens[indice] = self.contagem
            if self.resultado.motivo or self.resultado.sem_culpa_certa:
                break
        # do kernel que já morreu, sabe-se o que tinha gastado na última olhada
        gasto = max(self.gasto, self.kernel.processo.olhar()[1] + self.oraculo.segundos)
        self.resultado.gasto, self.resultado.relogio = round(gasto, 2), round(time.monotonic() - inicio, 2)

    @property
    def resta(self) -> float:
        """Os segundos que o notebook inteiro ainda tem."""
        return max(0.0, self.limites.caderno - self.tarefa.ja_gasto)

    async def _ate_parar(self, codigo: str, saida: Saida, indice: int) -> None:
        """Roda a célula; se a execução não pode seguir, anota por quê."""
        try:
            await self._celula(codigo, saida, indice)
        except _Parou as parada:
            self.resultado.motivo, self.resultado.parou = f"{parada}.", indice
        except _SemCulpaCerta as parada:
            if self.tarefa.sozinha and isinstance(parada, _SemCulpa):
                self.resultado.motivo, self.resultado.defeito = DEFEITO, f"{parada}, também na segunda vez"
            elif self.tarefa.sozinha:
                self.resultado.parou = indice
                self.resultado.motivo = f"{parada}, também quando a entrega rodou sozinha."
            else:
                self.resultado.sem_culpa_certa = str(parada)
        except Exception as erro:  # o aluno pode ter achado um jeito de confundir a conversa, mas o erro é nosso
            self.log.exception("defeito na conversa com o kernel")
            self.resultado.motivo, self.resultado.defeito = DEFEITO, repr(erro)

    async def _celula(self, codigo: str, saida: Saida, indice: int) -> None:
        onde = f"na célula {indice + 1}"
        self.contagem += 1
        # Sem funções a responder, o kernel diz sozinho a um input() que não há quem digite.
        com_entrada = self.oraculo.tem_o_que_responder
        pergunta = self.cliente.execute(texto_valido(codigo), allow_stdin=com_entrada, stop_on_error=False)
        try:
            return await self._ate_o_fim(pergunta, saida, self.limites.celula, onde)
        except _TempoEsgotado as esgotado:
            prazo = self._cobrar(esgotado, onde)
        await self.kernel.interrupt_kernel()
        try:
            await self._ate_o_fim(pergunta, saida, self.limites.interrupcao, onde)
        except _TempoEsgotado as esgotado:
            self._cobrar(esgotado, onde)
            raise _Parou(f"A execução parou {onde}, que não terminou em {prazo} nem quando foi interrompida") from None
        duvida = "há um sleep, um input ou uma trava?" if prazo.no_relogio else "há um laço que não acaba?"
        saida.aviso("TempoEsgotado", f"A célula não terminou em {prazo}; {duvida}")

    def _cobrar(self, esgotado: _TempoEsgotado, onde: str) -> _TempoEsgotado:
        """O relógio só se cobra de quem está sozinho."""
        if esgotado.no_relogio and not self.tarefa.sozinha:
            raise _SemCulpaCerta(f"A execução não terminou em {esgotado} {onde}") from None
        return esgotado

    async def _ate_o_fim(self, pergunta: str, saida: Saida, segundos: float, onde: str) -> None:
        """Recebe mensagens até o kernel responder e dizer que está livre."""
        agora, gasto_antes = time.monotonic(), None
        trecho = self.limites.espera * segundos  # de relógio: quem não trabalha em um inteiro está parado
        fim_do_trecho, gasto_no_trecho = agora + trecho, self.gasto
        while not (saida.livre and saida.respondeu is not None):
            chegou = await self._receber(pergunta, saida, min(fim_do_trecho, self.fim) - agora, onde)
            agora = time.monotonic()
            if agora >= self.olhada_na_memoria:
                self._vigiar_o_computador(onde)
                self.olhada_na_memoria = agora + _FATIA
            if agora >= self.olhada:  # de uma célula à outra: cem células curtas também se veem
                gasto, self.olhada = self._vigiar(onde, chegou), agora + _VIGIA
                # a primeira olhada da célula é o zero: o que ela gastou até ali não se cobra dela
                gasto_antes = gasto if gasto_antes is None else gasto_antes
                if gasto - gasto_antes >= segundos:
                    raise _TempoEsgotado(segundos, no_relogio=False)
            if saida.respondeu is not None and agora > saida.respondeu + _DESPEDIDA:
                # só se perde o aviso de que está livre quando há mensagens demais, ou uma grande demais, na frente
                raise (
                    self._demais(onde) if self.tarefa.sozinha else _SemCulpaCerta(f"O fim da célula não chegou {onde}")
                )
            if agora >= self.fim:
                ao_todo = numero(self.limites.espera * self.limites.caderno)
                raise _SemCulpaCerta(f"O notebook passou de {ao_todo} s de relógio ao todo {onde}")
            if agora >= fim_do_trecho:
                antes, gasto_no_trecho = gasto_no_trecho, self._vigiar(onde, chegou)
                if parado(gasto_no_trecho - antes, trecho):
                    raise _TempoEsgotado(trecho, no_relogio=True)
                fim_do_trecho = agora + trecho  # espera a sua vez em uma máquina ocupada, e trabalha

    async def _receber(self, pergunta: str, saida: Saida, espera: float, onde: str) -> bool:
        """O que o kernel disse até agora; chegou alguma coisa?"""
        chegou = False
        for canal, quadros in self._chegadas(min(_FATIA, max(0.0, espera))):
            chegou = True
            self._vigiar_este_processo(onde)  # antes de abrir cada uma: enquanto esta se lê, chegam outras
            self._contar(saida, quadros, onde, canal)
            if canal == "queda":
                await self._caiu(onde)
            mensagem = self._decifrar(quadros)
            if mensagem is None or _mae(mensagem) != pergunta:
                continue  # ilegível, de outra célula ou de uma thread esquecida: não é desta conta
            if canal == "shell":
                saida.resposta(mensagem)
            elif canal == "stdin":
                self.cliente.input(self.oraculo.responder(mensagem["content"].get("prompt")))
            else:
                saida.receber(mensagem)
        return chegou

    def _contar(self, saida: Saida, quadros: list[bytes], onde: str, canal: str) -> None:
        if len(quadros) > _MAIS_PARTES:
            raise self._demais(onde)
        tamanho = sum(len(q) for q in quadros) + 64
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
        return _Parou(f"O notebook escreveu demais e foi interrompido {onde}")

    async def _caiu(self, onde: str) -> None:
        for _ in range(40):  # se foi porque o kernel morreu, a morte se vê em seguida
            self._vivo(onde)
            self._vigiar_este_processo(onde)  # quem escreve sem parar encheria a memória enquanto se espera
            await asyncio.sleep(0.05)
        raise _Parou(f"O kernel escreveu demais, ou fechou a conexão, {onde}")

    def _vivo(self, onde: str) -> None:
        provisionador = self.kernel.processo
        codigo = provisionador.process.poll() if provisionador.process else 0
        if codigo is None:
            return
        de_fora = codigo < 0 and not caixa.sem_isolamento()  # um sinal ao vigia, ao bwrap ou ao primeiro da caixa
        if not de_fora and codigo not in _MORTO:
            raise _Parou(f"O kernel terminou por conta própria {onde}")
        grupo = provisionador.grupo
        if grupo is not None and grupo.estourou():
            raise self._memoria_demais(onde)
        if de_fora:
            raise _SemCulpa(f"Alguém de fora matou a caixa (sinal {-codigo}) {onde}")
        if grupo is not None and grupo.foi_vitima():
            raise self._faltou_memoria(f"O computador da correção ficou sem memória, e o kernel foi morto, {onde}")
        # Sem o núcleo a dizer que foi a memória, só um programa pode ter mandado o sinal, e quase sempre é o da própria
        # entrega, que tem muitos jeitos de o mandar sem deixar rastro (kill, um temporizador, um filho que acaba, sair
        # com esse código): se também sozinha ela morre assim, paga. Chamar a isto um defeito seria deixar sem nota
        # nenhuma, para sempre, quem quisesse.
        raise _SemCulpaCerta(f"O kernel foi morto, talvez por falta de memória no computador, {onde}")

    def _faltou_memoria(self, frase: str) -> _SemCulpaCerta:
        """Faltou ao computador: é sem culpa quem não chegou à metade da que podia usar, se há um grupo que o diga."""
        grupo = self.kernel.processo.grupo
        sem_culpa = grupo is not None and grupo.pico() < self.limites.memoria / 2
        return _SemCulpa(frase) if sem_culpa else _SemCulpaCerta(frase)

    def _vigiar(self, onde: str, chegou: bool) -> float:
        """Olha os processos da caixa; devolve os segundos de processador que já gastaram."""
        if not chegou:  # o que já foi dito antes de morrer ainda vale
            self._vivo(onde)
        memoria, gasto = self.kernel.processo.olhar()
        gasto += self.oraculo.segundos
        if memoria > self.limites.memoria:
            raise self._memoria_demais(onde)
        if gasto > self.resta:
            ao_todo = numero(self.limites.caderno)
            raise _Parou(f"O notebook passou de {ao_todo} s de processador ao todo {onde}")
        self.gasto = gasto
        return gasto

    def _memoria_demais(self, onde: str) -> _Parou:
        gigas = numero(round(self.limites.memoria / 2**30, 1))
        # o que se imprime também é memória, até sair do kernel: dali não se vê qual dos dois foi
        return _Parou(f"A entrega guardou ou escreveu demais e passou de {gigas} GB de memória {onde}")

    def _vigiar_este_processo(self, onde: str) -> None:
        """O que chega junta-se aqui antes que se o conte: também o que está na fila, e a mensagem ainda pela metade."""
        if self.este_processo.memory_info().rss > self.memoria_antes + _MEMORIA_DA_CORRECAO:
            raise self._demais(onde)

    def _vigiar_o_computador(self, onde: str) -> None:
        """A memória que não aparece em processo algum: sem um grupo que a limite, pode ser da entrega ou de outro."""
        self._vigiar_este_processo(onde)
        disponivel, solta = _memoria()
        if self.kernel.processo.grupo is None and solta - self.solta_antes > self.limites.memoria:
            raise _SemCulpaCerta(f"A memória sem dono do computador cresceu demais {onde}")
        if disponivel < _MEMORIA_DA_MAQUINA:
            raise self._faltou_memoria(f"O computador da correção ficou sem memória {onde}")

    # ------------------------------------------------------------ as mensagens

    def _chegadas(self, espera: float) -> Iterator[tuple[str, list[bytes]]]:
        """(canal, partes da mensagem) do que houver para receber, esperando até `espera` segundos."""
        for soquete, _ in self.poller.poll(int(1000 * espera) + 1):
            for _ in range(50):  # um canal que não para de falar não pode calar o outro, nem o relógio
                try:
                    quadros = [soquete.recv(zmq.NOBLOCK)]
                    while soquete.getsockopt(zmq.RCVMORE) and len(quadros) <= _MAIS_PARTES:
                        quadros.append(soquete.recv(zmq.NOBLOCK))
                except zmq.Again:
                    break
                yield self.canais[soquete], quadros

    def _decifrar(self, quadros: list[bytes]) -> dict | None:
        """O que o `deserialize` da sessão leria, sem as datas, que custam o dobro do resto e não se usam.

        None, se é ilegível.
        """
        sessao = self.cliente.session
        try:
            assinatura, *partes = sessao.feed_identities(quadros)[1]
            if not hmac.compare_digest(assinatura, sessao.sign(partes[:4])):
                return None
            lidas = partes[0], partes[1], partes[3]
            if sum(map(_fora_dos_textos, lidas)) > _MAIS_FORA_DOS_TEXTOS:
                return None
            cabecalho, mae, conteudo = map(sessao.unpack, lidas)
            tipo = cabecalho["msg_type"]
        except Exception:  # JSON torto ou fundo demais: o kernel é do aluno
            return None
        certa = isinstance(conteudo, dict) and isinstance(tipo, str)
        return {"msg_type": tipo, "parent_header": mae, "content": conteudo} if certa else None


def _fora_dos_textos(dado: bytes) -> int:
    """Quantos bytes de um JSON não são de um texto: os números, os sinais, as aspas."""
    sem_escapes = dado.replace(b"\\\\", b"").replace(b'\\"', b"")
    aspas = sem_escapes.count(b'"')
    # com aspas demais, separar os textos já custaria o que se quer poupar
    return aspas if aspas > _MAIS_FORA_DOS_TEXTOS else aspas + sum(map(len, sem_escapes.split(b'"')[::2]))


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


def _mae(mensagem: dict) -> str | None:
    cabecalho = mensagem.get("parent_header")
    return cabecalho.get("msg_id") if isinstance(cabecalho, dict) else None
