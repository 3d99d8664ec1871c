"""A correção em muitas máquinas: um agendador do dask.distributed reparte as entregas, e cada uma roda na caixa dali.

Vai, para cada entrega, uma `Tarefa`, que não diz de quem ela é; volta o `Resultado`. O sorteio, o juiz e o livro de
notas ficam com quem corrige. Os dois lados conversam em JSON: `rodar` é o que acontece lá, `Cluster` é o lado de cá.

O agendador e as máquinas são de confiança, como a conta do instrutor; ainda assim, daqui nada do que eles mandam é lido
com pickle, que executa o que lê (`_fechar_a_porta`). Fora deste computador, só com TLS.
"""

import asyncio
import contextlib
import functools
import hashlib
import json
import logging
import os
import socket
import threading
import time
import uuid
from dataclasses import fields
from pathlib import Path
from typing import Any

from configuracao import comandos
from correcao.caixa.conversa import Resultado, Tarefa
from correcao.juizo.operario import atender, fazer
from helpers import RAIZ
from helpers.conferencia.por_dentro import trocar, trocar_na_tabela

TLS = "CURSO_CLUSTER_TLS"  # variável de ambiente: a pasta com os três arquivos abaixo
_CA, _CERTIFICADO, _CHAVE = "ca.pem", "cert.pem", "chave.pem"
# Bytes de JSON, de que uma entrega comum usa um centésimo; a que passa disso roda aqui. O processo da máquina tem uma
# cópia do último resultado enquanto roda a próxima entrega, que responde pelo que ele crescer (`conversa`).
MAIOR_RESULTADO = 64 * 2**20
_MAIS_DE_UMA_VEZ = 64  # entregas que, por maior que seja o cluster, andam ao mesmo tempo
_CONECTAR = 8.0  # segundos pelo agendador
_ENTREGA = 300.0  # segundos por um resultado que já está pronto
_SEM_MAQUINAS = 60.0  # segundos sem máquina alguma até desistir: uma que cai costuma voltar logo
_VIGIA = 5.0  # segundos entre uma olhada e outra nas máquinas
_FATIA = 0.1
_CONTINUA = "o que já foi corrigido fica: rode de novo e a correção continua."


class SemCluster(Exception):
    """O que impede a turma inteira de ser corrigida no cluster, em uma frase."""


class FacaAqui(Exception):
    """Esta entrega não rodou lá, e a culpa não é dela."""


class OutraVersao(Exception):
    """O pedido veio de um curso diferente do que está nesta máquina."""


@functools.cache
def versao() -> str:
    """Muda quando muda o que roda com uma entrega."""
    arquivos = {p for sala in ("helpers", "correcao") for p in (RAIZ / sala).rglob("*.py")}
    arquivos |= {p for p in (RAIZ / "helpers" / "referencias").rglob("*") if p.is_file()}
    resumo = hashlib.sha256()
    for arquivo in sorted(arquivos):
        resumo.update(f"{arquivo.relative_to(RAIZ).as_posix()}\n".encode())
        resumo.update(hashlib.sha256(arquivo.read_bytes()).digest())
    return resumo.hexdigest()


# ------------------------------------------------------------ lá

_UMA_DE_CADA_VEZ = threading.Lock()  # se alguém der mais de uma thread a um processo, elas esperam


def rodar(pedido: bytes) -> bytes:
    """O que roda na máquina do cluster. Nenhum erro sai daqui a não ser como dados."""
    with _UMA_DE_CADA_VEZ:
        resposta = atender(lambda log: _executar(json.loads(pedido), log))
    resposta["maquina"] = socket.gethostname()
    texto = json.dumps(resposta).encode()
    if len(texto) > MAIOR_RESULTADO:
        erro = {"tipo": "Demais", "texto": f"o resultado tem {len(texto)} bytes", "rastro": ""}
        texto = json.dumps({"erro": erro, "registro": [], "maquina": resposta["maquina"]}).encode()
    return texto


def _executar(pedido: dict[str, Any], log: logging.Logger) -> dict[str, Any]:
    if pedido["versao"] != versao():
        raise OutraVersao
    return fazer({"o_que": "executar", "dados": pedido["tarefa"]}, log)


# ------------------------------------------------------------ aqui


class Cluster:
    """A conexão com o agendador."""

    def __init__(self, cliente: Any):
        self._cliente = cliente
        self._vez_de_olhar, self._olhada = threading.Lock(), time.monotonic()
        self._com_maquinas = self._olhada  # quando se viu alguma pela última vez

    def quantos(self) -> int:
        """Quantas entregas rodam lá ao mesmo tempo; 0 se não há máquinas."""
        return min(sum(self._cliente.nthreads().values()), _MAIS_DE_UMA_VEZ)

    def executar(self, tarefa: Tarefa, log: logging.Logger, parou: threading.Event) -> Resultado:
        """FacaAqui se não deu lá; SemCluster se não vai dar para ninguém."""
        pedido = json.dumps({"versao": versao(), "tarefa": tarefa.para_dados()}).encode()
        try:
            futuro = self._cliente.submit(rodar, pedido, key=f"entrega-{uuid.uuid4().hex}", pure=False)
            try:
                return entender(self._esperar(futuro, parou), tarefa, log)
            finally:
                futuro.release()
        except (FacaAqui, SemCluster):
            raise
        except (Exception, asyncio.CancelledError) as erro:
            self._vigiar()  # sem o agendador, tudo o mais falha
            raise FacaAqui(repr(erro)) from erro

    def _esperar(self, futuro: Any, parou: threading.Event) -> Any:
        while not futuro.done():
            self._vigiar()
            if parou.wait(_FATIA):
                raise KeyboardInterrupt
        # Quando uma máquina morre, o dask dá a tarefa a outra. Só desiste da que matou várias, ou da que nem começou.
        if futuro.status == "error":
            raise FacaAqui("nenhuma máquina a levou até o fim; o registro delas diz por quê")
        return futuro.result(timeout=_ENTREGA)

    def _vigiar(self) -> None:
        if self._cliente.status != "running":
            raise SemCluster(f"Perdi a conexão com o agendador do cluster; {_CONTINUA}")
        if time.monotonic() < self._olhada + _VIGIA or not self._vez_de_olhar.acquire(blocking=False):
            return
        try:
            self._olhada = time.monotonic()
            if self._ainda_ha_maquinas():
                self._com_maquinas = self._olhada
            elif self._olhada > self._com_maquinas + _SEM_MAQUINAS:
                raise SemCluster(f"O cluster ficou sem máquina alguma; {_CONTINUA}")
        finally:
            self._vez_de_olhar.release()

    def _ainda_ha_maquinas(self) -> bool:
        try:
            return self.quantos() > 0
        except Exception as erro:  # é o agendador que responde
            raise SemCluster(f"Perdi a conexão com o agendador do cluster; {_CONTINUA}") from erro

    def fechar(self) -> None:
        with contextlib.suppress(Exception):  # o agendador pode já não estar lá
            self._cliente.close(timeout=2)


def conectar(endereco: str) -> Cluster:
    """SemCluster, com a frase, se não há o dask, os certificados, o agendador ou as máquinas."""
    endereco = comandos.endereco_do_cluster(endereco)
    try:
        import distributed
    except ImportError as erro:
        raise SemCluster(
            f"Não posso usar o cluster que --cluster pede ({erro}); instale antes, com o Python do curso: "
            "python -m pip install --no-deps -r configuracao/locks/cluster.lock"
        ) from None
    _fechar_a_porta()
    _calar("distributed", "tornado", "asyncio")
    seguranca = _seguranca() if endereco.startswith("tls://") else None
    try:
        # msgpack: o resultado é bytes, e assim vai e vem; um objeto que não seja de dados nem sai da máquina dele.
        # Pelo agendador, e não direto com as máquinas: elas não precisam ser alcançadas daqui.
        cliente = distributed.Client(
            endereco,
            timeout=_CONECTAR,
            security=seguranca,
            deserializers=["msgpack"],
            direct_to_workers=False,
            set_as_default=False,
        )
    except (OSError, ValueError, RuntimeError):
        logging.getLogger("correcao").exception("a conexão com o cluster")
        raise SemCluster(
            f"O agendador do cluster não respondeu em {endereco}; confira o endereço, se ele está ligado e se os "
            "certificados são os dele, e rode de novo."
        ) from None
    cluster = Cluster(cliente)
    if not cluster.quantos():
        cluster.fechar()
        raise SemCluster(f"O agendador em {endereco} não tem máquina alguma; ligue-as a ele e rode de novo.")
    return cluster


def _seguranca() -> Any:
    from distributed.security import Security

    pasta = Path(os.environ.get(TLS) or "")
    faltam = [nome for nome in (_CA, _CERTIFICADO, _CHAVE) if not (pasta / nome).is_file()]
    if not os.environ.get(TLS) or faltam:
        raise SemCluster(
            f"Para falar com um cluster por TLS, ponha em {TLS} a pasta em que estão {_CA}, {_CERTIFICADO} e {_CHAVE}"
            + (f"; nela falta {faltam[0]}." if os.environ.get(TLS) else ".")
        )
    arquivos = {"tls_ca_file": _CA, "tls_client_cert": _CERTIFICADO, "tls_client_key": _CHAVE}
    return Security(require_encryption=True, **{papel: str(pasta / nome) for papel, nome in arquivos.items()})


class Recusado(Exception):
    """O que fica no lugar de um pickle que chegou: não se sabe, nem se quer saber, o que ele era."""


def _recusar(*_: Any, **__: Any) -> Recusado:
    return Recusado()


def _fechar_a_porta() -> None:
    """Neste processo, o dask não lê pickle algum.

    Os `deserializers` do cliente só valem para as respostas aos pedidos dele. O tipo de cada resultado, a exceção de
    uma tarefa, os avisos das máquinas e o que vier marcado como __Pickled__ em qualquer mensagem seriam lidos com
    pickle assim mesmo, e até a família "dask", a dos arrays, lê assim o tipo. Todos passam por um destes nomes
    (distributed 2026.8.0; test_cluster.py manda uma isca por cada caminho). Uma recusa não lança erro: o dask
    pararia de ouvir o agendador.
    """
    import distributed.client
    import distributed.protocol.pickle as do_dask
    from distributed.protocol.serialize import families

    class Cliente:
        loads = staticmethod(_recusar)

    for familia, (escrever, _, com_contexto) in list(families.items()):
        if familia != "msgpack":
            trocar_na_tabela(families, familia, (escrever, _recusar, com_contexto))
    trocar(do_dask, "loads", _recusar)
    trocar(distributed.client, "loads", _recusar)
    trocar(distributed.client, "pickle", Cliente)
    # o que o dask faria com a exceção recusada e o rastro dela: exigir que o rastro seja um
    trocar(distributed.client.Client, "_handle_task_erred", _tarefa_com_erro)


def _tarefa_com_erro(cliente: Any, key: Any = None, exception: Any = None, traceback: Any = None) -> None:
    if (estado := cliente.futures.get(key)) is not None:
        estado.set_error(Recusado(), None)


def _calar(*nomes: str) -> None:
    """O que eles contam vai para correcao.log, e não para a tela."""
    nosso = logging.getLogger("correcao")
    for nome in nomes:
        registro = logging.getLogger(nome)
        registro.handlers, registro.propagate = list(nosso.handlers) or [logging.NullHandler()], False
        for filho in (n for n in logging.root.manager.loggerDict if n.startswith(f"{nome}.")):
            logging.getLogger(filho).handlers, logging.getLogger(filho).propagate = [], True


# ------------------------------------------------------------ o que volta


def entender(bruto: Any, tarefa: Tarefa, log: logging.Logger) -> Resultado:
    """O resultado, se tem a forma de um: a máquina é de confiança, mas pode ter outra versão, ou um defeito."""
    resposta = _ler(bruto)
    maquina = str(resposta.get("maquina"))
    if erro := resposta.get("erro"):
        _reclamar(erro, maquina)
    dado: Any = resposta.get("resultado")
    if not _tem_a_forma(dado, len(tarefa.celulas)):
        raise FacaAqui(f"a máquina {maquina} respondeu outra coisa")
    for linha in _lista(resposta.get("registro")):
        if isinstance(linha, list) and [type(parte) for parte in linha] == [int, str]:
            log.log(linha[0], "na máquina %s: %s", maquina, linha[1])
    return Resultado(**dado)


def _ler(bruto: Any) -> dict[str, Any]:
    if not isinstance(bruto, bytes) or len(bruto) > MAIOR_RESULTADO:
        raise FacaAqui("o que voltou do cluster não são bytes de JSON")
    try:
        resposta = json.loads(bruto)
    except (ValueError, RecursionError):
        resposta = None
    if not isinstance(resposta, dict):
        raise FacaAqui("o que voltou do cluster não é o JSON de uma resposta")
    return resposta


def _reclamar(erro: Any, maquina: str) -> None:
    erro = erro if isinstance(erro, dict) else {}
    if erro.get("tipo") == OutraVersao.__name__:
        raise SemCluster(f"A máquina {maquina} tem outra versão do curso; atualize-a e rode de novo.")
    if erro.get("tipo") == "SemCaixa":
        raise SemCluster(f"A máquina {maquina} não tem como isolar uma entrega. {erro.get('texto')}")
    raise FacaAqui(f"na máquina {maquina}: {erro.get('texto')}\n{erro.get('rastro')}")


def _tem_a_forma(dado: Any, celulas: int) -> bool:
    if not isinstance(dado, dict) or dado.keys() != {campo.name for campo in fields(Resultado)}:
        return False
    saidas, contagens = _lista(dado["saidas"]), _lista(dado["contagens"])
    textos = (dado[nome] for nome in ("motivo", "sem_culpa_certa", "defeito", "fria"))
    return (
        len(saidas) == len(contagens) == celulas
        and all(isinstance(saida, dict) for da_celula in saidas for saida in _lista(da_celula, [None]))
        and all(contagem is None or isinstance(contagem, int) for contagem in contagens)
        and all(texto is None or isinstance(texto, str) for texto in textos)
        and isinstance(dado["gasto"], int | float)
        and isinstance(dado["relogio"], int | float)
        and (dado["parou"] is None or dado["parou"] in range(celulas))
    )


def _lista(dado: Any, senao: list[Any] | None = None) -> list[Any]:
    return dado if isinstance(dado, list) else senao or []
