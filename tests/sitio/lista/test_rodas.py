"""De onde vem o NumPy da página, e o que se diz quando ele não vem."""

import hashlib
import json
import zipfile

import pytest

from sitio.lista import rodas

NOME = "numpy-1.0-cp313.whl"


@pytest.fixture
def pyodide(tmp_path, monkeypatch):
    """Um Pyodide de mentira, a gaveta vazia e nada no ambiente."""
    pasta = tmp_path / "pyodide"
    pasta.mkdir()
    roda = {"file_name": NOME, "sha256": hashlib.sha256(b"a roda").hexdigest(), "version": "1.0"}
    (pasta / "pyodide-lock.json").write_text(json.dumps({"packages": {"numpy": roda}}))
    (pasta / "package.json").write_text('{"version": "9.9"}')
    (pasta / "pyodide.mjs").write_text("x=`https://exemplo.invalid/pyodide/v${U}/full/`")
    monkeypatch.setattr(rodas, "PYODIDE", pasta)
    monkeypatch.setattr(rodas, "GAVETA", tmp_path / "gaveta")
    monkeypatch.delenv(rodas.RODAS, raising=False)
    return tmp_path


def test_a_pasta_dada_com_a_roda_oficial(pyodide, monkeypatch):
    (pyodide / NOME).write_bytes(b"a roda")
    monkeypatch.setenv(rodas.RODAS, str(pyodide))
    assert rodas.achar() == rodas.Roda(pyodide / NOME, "1.0", oficial=True)


def test_a_pasta_dada_com_um_numpy_compilado(pyodide, monkeypatch):
    arquivo = pyodide / "numpy-2.3.5-para-pyodide-9.9.zip"
    with zipfile.ZipFile(arquivo, "w") as feito:
        feito.writestr("numpy/__init__.py", "")
    monkeypatch.setenv(rodas.RODAS, str(pyodide))
    assert rodas.achar() == rodas.Roda(arquivo, "2.3.5", oficial=False)


@pytest.mark.parametrize(
    ("arquivo", "dito"),
    [
        (None, "lá não há"),
        (NOME, "o SHA-256 é outro"),
        ("numpy-2.3.5-para-pyodide-9.9.zip", "não se abre como o zip de um NumPy"),
        ("numpy-2.3.5-para-pyodide-9.8.zip", "lá não há"),
    ],
)
def test_uma_pasta_dada_que_nao_serve_e_um_erro_e_nao_um_silencio(pyodide, monkeypatch, arquivo, dito):
    if arquivo:
        (pyodide / arquivo).write_bytes(b"outra coisa")
    monkeypatch.setenv(rodas.RODAS, str(pyodide))
    with pytest.raises(rodas.SemRodas, match=dito):
        rodas.achar()


def test_da_gaveta_so_serve_a_que_tem_o_resumo_certo(pyodide, monkeypatch):
    (pyodide / "gaveta").mkdir()
    (pyodide / "gaveta" / NOME).write_bytes(b"a roda")
    assert rodas.achar() == rodas.Roda(pyodide / "gaveta" / NOME, "1.0", oficial=True)
    (pyodide / "gaveta" / NOME).write_bytes(b"trocada")
    monkeypatch.setattr(rodas.urllib.request, "urlopen", _sem_rede)
    ditos = []
    assert rodas.achar(ditos.append) is None
    assert NOME in ditos[0] and rodas.RODAS in ditos[0]


def test_o_que_se_baixa_fica_na_gaveta_se_tem_o_resumo_certo(pyodide, monkeypatch):
    pedidos = []

    class Resposta:
        def __enter__(self):
            return self

        def __exit__(self, *_erro):
            pass

        def read(self):
            return b"a roda"

    monkeypatch.setattr(rodas.urllib.request, "urlopen", lambda url, timeout: pedidos.append(url) or Resposta())
    assert rodas.achar() == rodas.Roda(pyodide / "gaveta" / NOME, "1.0", oficial=True)
    assert pedidos == [f"https://exemplo.invalid/pyodide/v9.9/full/{NOME}"]
    monkeypatch.setattr(Resposta, "read", lambda _self: b"outra")
    (pyodide / "gaveta" / NOME).unlink()
    assert rodas.achar(lambda _frase: None) is None and not (pyodide / "gaveta" / NOME).exists()


def _sem_rede(*_entradas, **_opcoes):
    raise OSError("sem rede")
