"""O que a pessoa lê quando a instalação não dá certo: uma frase, que diz o que fazer."""

import re
from pathlib import Path

from configuracao.lugares import DIARIO


class Aviso(Exception):
    """Um problema que a pessoa pode resolver: o texto é a frase que ela lê. `causa` é um dos nomes de CAUSAS."""

    def __init__(self, frase: str, codigo: int = 1, causa: str = ""):
        super().__init__(frase)
        self.codigo = codigo
        self.causa = causa


SEM_REDE = (
    "Não há acesso à internet, ou ele caiu; verifique a conexão e rode o mesmo comando: ele continua de onde parou"
)
# (nome, como o uv e o pip a contam, a frase): vale a primeira que aparece. A ordem importa: um certificado recusado
# também é uma falha de rede, e um pacote que o pip não acha pode ser só a rede que caiu.
CAUSAS = (
    (
        "disco",
        r"No space left|Errno 28\b|not enough space|os error (?:28|112)\b",
        "O disco encheu durante a instalação; libere 3,2 GB e rode de novo: ela continua de onde parou",
    ),
    (
        "hash",
        r"DO NOT MATCH THE HASHES|Hash mismatch for",
        "Um pacote baixado não é o que o curso espera (download estragado ou alterado); tente de novo em outra "
        "rede e, se repetir, avise o instrutor",
    ),
    (
        "certificado",
        r"CERTIFICATE_VERIFY_FAILED|SSLError|invalid peer certificate",
        "A rede recusou a conexão segura, como é comum em redes com filtro; tente de novo em outra rede",
    ),
    (
        "queda",  # quem respondia parou no meio
        r"IncompleteRead|error decoding response body|network timeout",
        SEM_REDE,
    ),
    (
        "rede",
        r"Failed to establish|NewConnectionError|name resolution|getaddrinfo|Max retries|[Tt]imed? ?out|"
        r"ProxyError|[Cc]onnection ?(reset|Reset|aborted|refused|broken)|unreachable|"
        r"RemoteDisconnected|error sending request|Failed to fetch|Request failed after",
        SEM_REDE,
    ),
    (
        "permissao",
        r"Permission denied|Errno 13\b|WinError (?:5|32)\b|Access is denied|os error (?:5|13|32)\b",
        "Não posso escrever em .venv; feche as outras janelas do curso, veja se a pasta é sua e rode de novo",
    ),
    (
        "ensurepip",
        r"ensurepip",
        "Este Python não consegue criar ambientes; no Debian e no Ubuntu rode `sudo apt install python3-venv` e "
        "tente de novo",
    ),
    (
        "acesso",
        r"40[13] (?:Unauthorized|Forbidden)|valid authentication credentials",
        "O índice de pacotes configurado neste computador recusou o acesso; veja `pip config list` com quem o "
        "configurou, ou instale em outra rede",
    ),
    (
        "pacote",
        # o uv põe o marcador no meio: you require torch{python_version < '3.13'}==2.13.0
        r"No matching distribution found for ([^\s;]+)|you require ([\w.-]+)(?:\{[^}]*\})?(==[^\s,;]+)?",
        "Não encontrei o pacote {pacote} para este sistema e este Python; verifique a internet e, se ela "
        "funciona, avise o instrutor",
    ),
)


def explicar(texto: str, detalhes: Path | str = DIARIO) -> Aviso:
    """O que o uv ou o pip disse, em uma frase que diz o que fazer."""
    for nome, padrao, frase in CAUSAS:
        achado = re.search(padrao, texto)
        if achado:
            pacote = "".join(parte or "" for parte in achado.groups())
            return Aviso(f"{frase.format(pacote=pacote)} (detalhes: {detalhes}).", causa=nome)
    frase = "A instalação falhou; rode de novo e, se repetir, mande ao instrutor o arquivo dos detalhes"
    return Aviso(f"{frase} (detalhes: {detalhes}).")
