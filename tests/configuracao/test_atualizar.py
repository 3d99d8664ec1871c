"""`python curso.py atualizar`: um pacote mais novo por cima da pasta do aluno, e o que ele escreveu fica."""

import errno
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import RAIZ, abrir_pacote

from configuracao import atualizar
from gabarito.pacote import empacotar
from helpers.autoria import origem

LISTA = "release/lista-01-a/lista-01-a.ipynb"
NOVA = "release/lista-01-a/lista-01-a.nova.ipynb"
AULA, PECA = "notebooks/01-a.ipynb", "helpers/peca.py"


def caderno(texto: str, saida: str = "") -> str:
    saidas = [{"output_type": "stream", "name": "stdout", "text": saida}] if saida else []
    celula = {"cell_type": "code", "source": [texto], "outputs": saidas, "metadata": {}, "execution_count": None}
    return json.dumps({"cells": [celula], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def por(pasta: Path, **arquivos: str) -> None:
    """`por(pasta, AULA="…")`: os nomes são as constantes daqui; `None` apaga."""
    for nome, texto in arquivos.items():
        destino = pasta / globals().get(nome, nome)
        if texto is None:
            destino.unlink()
            continue
        destino.parent.mkdir(parents=True, exist_ok=True)
        destino.write_text(texto, encoding="utf-8")


@pytest.fixture
def curso(tmp_path) -> Path:
    """O curso do instrutor, bem pequeno."""
    raiz = tmp_path / "instrutor"
    for nome in ("__init__", "atualizar", "comandos", "lugares", "terminal", "versao"):
        (raiz / "configuracao").mkdir(parents=True, exist_ok=True)
        shutil.copy(RAIZ / "configuracao" / f"{nome}.py", raiz / "configuracao")
    shutil.copy(RAIZ / "curso.py", raiz)
    por(raiz, LISTA=caderno("# resposta 1"), AULA=caderno("aula = 1"), PECA="peca = 1\n")
    por(raiz, **{"helpers/velha.py": "velha = 1\n", "release/lista-01-a/dados.csv": "1,2\n"})
    return raiz


def pacote(curso: Path, nome: str = "p.zip", ate: str | None = None) -> Path:
    empacotar(curso.parent / nome, curso, ate)
    return curso.parent / nome


@pytest.fixture
def aluno(curso, tmp_path, monkeypatch) -> Path:
    """A pasta do aluno, com o primeiro pacote aberto nela."""
    pasta = abrir_pacote(pacote(curso), tmp_path / "casa")
    monkeypatch.setattr(atualizar, "RAIZ", pasta)
    return pasta


def foto(pasta: Path) -> dict[str, bytes]:
    return {str(p.relative_to(pasta)): p.read_bytes() for p in pasta.rglob("*") if p.is_file() and "pyc" not in p.name}


def segundo(curso: Path) -> Path:
    """Na segunda semana tudo mudou, há uma aula a mais, e uma peça saiu."""
    por(curso, LISTA=caderno("# resposta 2"), AULA=caderno("aula = 2"), PECA="peca = 2\n")
    por(
        curso, **{"helpers/velha.py": None, "notebooks/02-b.ipynb": caderno("b"), "release/lista-01-a/dados.csv": "3\n"}
    )
    return pacote(curso, "segundo.zip")


def test_o_que_o_aluno_nao_mexeu_e_trocado_e_o_que_saiu_do_curso_sai(curso, aluno, capsys):
    assert atualizar.main([str(segundo(curso))]) == 0
    novo = foto(aluno)
    assert novo[LISTA] == caderno("# resposta 2").encode() and b"aula = 2" in novo[AULA] and b"2" in novo[PECA]
    assert "notebooks/02-b.ipynb" in novo and "helpers/velha.py" not in novo and NOVA not in novo
    assert "notebooks/02-b.ipynb: entrou" in capsys.readouterr().out
    assert atualizar.main([str(curso.parent / "segundo.zip")]) == 0 and "já está em dia" in capsys.readouterr().out
    assert foto(aluno) == novo


def test_a_lista_que_o_aluno_comecou_fica_e_a_nova_vai_para_o_lado(curso, aluno, capsys, monkeypatch):
    minha = caderno("def f(): return 42")
    por(aluno, LISTA=minha)
    assert atualizar.main([str(segundo(curso))]) == 0
    assert (aluno / LISTA).read_text(encoding="utf-8") == minha
    assert (aluno / NOVA).read_text(encoding="utf-8") == caderno("# resposta 2")
    assert f"{LISTA}: tem coisas suas, e fica como está; a versão nova está em {NOVA}" in capsys.readouterr().out
    monkeypatch.setenv(origem.LISTAS, str(aluno / "release"))  # o que conferir, progresso e minhas leem
    assert origem.notebook("lista-01") == aluno / LISTA
    por(curso, LISTA=caderno("# resposta 3"))
    por(aluno, NOVA=caderno("comecei por aqui"))
    atualizar.main([str(pacote(curso, "terceiro.zip"))])
    assert (aluno / NOVA).read_text(encoding="utf-8") == caderno("comecei por aqui")
    assert (aluno / "release/lista-01-a/lista-01-a.nova-2.ipynb").read_text(encoding="utf-8") == caderno("# resposta 3")


@pytest.mark.parametrize("o_que_muda", ["a lista", "uma peça", "a semana", "a versão"])
def test_um_pacote_novo_aberto_ao_lado_do_antigo_nao_apaga_a_lista_feita(curso, aluno, o_que_muda):
    minha = caderno("def f(): return 42")
    por(aluno, LISTA=minha)
    if o_que_muda == "a versão":
        por(curso, **{"pyproject.toml": '[project]\nversion = "2.1.0"\n'})
    por(
        curso, **{"a lista": {"LISTA": caderno("# resposta 2")}, "uma peça": {"PECA": "peca = 2\n"}}.get(o_que_muda, {})
    )
    novo = pacote(curso, "segundo.zip", ate="01" if o_que_muda == "a semana" else None)
    aberta = abrir_pacote(novo, aluno.parent)  # como faz quem não leu que o comando é o atualizar
    assert (aluno / LISTA).read_text(encoding="utf-8") == minha
    assert aberta != aluno and aberta.name.startswith("curso-atencao-") and (aberta / LISTA).is_file()
    assert atualizar.ao_lado(aberta) is None  # o que não se instalou ainda não é o curso de ninguém
    (aluno / ".venv").mkdir()
    assert atualizar.ao_lado(aberta) == aluno


def test_a_pasta_de_um_pacote_diz_a_versao_e_a_semana_e_so_muda_com_ele(curso):
    def pasta(**como):
        with zipfile.ZipFile(pacote(curso, **como)) as zip_:
            return zip_.namelist()[0].partition("/")[0]

    por(curso, **{"pyproject.toml": '[project]\nversion = "2.1.0"\n'})
    assert pasta(ate="03").startswith("curso-atencao-2.1.0-ate-03-") and pasta() == pasta(nome="outro.zip")


def test_a_lista_que_nao_mudou_no_curso_nao_ganha_uma_nova_ao_lado(curso, aluno):
    por(aluno, LISTA=caderno("def f(): return 42"))
    por(curso, PECA="peca = 2\n")
    antes = foto(aluno)
    assert atualizar.main([str(pacote(curso, "segundo.zip"))]) == 0
    assert {n for n, c in foto(aluno).items() if antes.get(n) != c} == {PECA, atualizar.MANIFESTO}


def test_rodar_uma_aula_nao_e_muda_la_e_escrever_nela_e(curso, aluno):
    por(aluno, AULA=caderno("aula = 1", saida="rodei"))
    zip_ = segundo(curso)
    atualizar.main([str(zip_)])
    assert b"aula = 2" in (aluno / AULA).read_bytes()
    por(aluno, AULA=caderno("minha = 1"))
    por(curso, AULA=caderno("aula = 3"))
    atualizar.main([str(pacote(curso, "terceiro.zip"))])
    assert (aluno / AULA).read_text(encoding="utf-8") == caderno("minha = 1")
    assert b"aula = 3" in (aluno / "notebooks/01-a.nova.ipynb").read_bytes()


def test_o_que_o_aluno_mudou_no_programa_do_curso_fica_guardado(curso, aluno, capsys):
    por(aluno, PECA="peca = 'minha'\n")
    assert atualizar.main([str(segundo(curso))]) == 0
    assert (aluno / PECA).read_text() == "peca = 2\n"
    assert (aluno / atualizar.GUARDADOS / PECA).read_text() == "peca = 'minha'\n"
    assert "você o mudou; o seu foi para antes-de-atualizar/" in capsys.readouterr().out


def test_em_uma_pasta_sem_manifesto_tudo_o_que_e_diferente_e_do_aluno(curso, aluno):
    (aluno / atualizar.MANIFESTO).unlink()
    por(aluno, LISTA=caderno("def f(): return 42"))
    atualizar.main([str(segundo(curso))])
    novo = foto(aluno)
    assert novo[LISTA] == caderno("def f(): return 42").encode() and novo[NOVA] == caderno("# resposta 2").encode()
    assert b"aula = 1" in novo[AULA] and b"aula = 2" in novo["notebooks/01-a.nova.ipynb"]
    assert novo[f"{atualizar.GUARDADOS}/{PECA}"] == b"peca = 1\n" and "helpers/velha.py" in novo


def test_o_ensaio_diz_o_que_mudaria_e_nao_muda_nada(curso, aluno, capsys):
    por(aluno, LISTA=caderno("def f(): return 42"))
    antes = foto(aluno)
    assert atualizar.main([str(segundo(curso)), "--ensaio"]) == 0
    dito = capsys.readouterr().out
    assert foto(aluno) == antes and f"iria para {NOVA}" in dito and "nada mudou" in dito and "entraria" in dito


def test_um_pacote_de_menos_semanas_e_recusado(curso, aluno, capsys):
    assert atualizar.main([str(pacote(curso, "semana.zip", "01"))]) == 2
    assert "só vai até a lista 01, e a sua pasta já tem o curso inteiro" in capsys.readouterr().err


# ------------------------------------------------------------ as versões


def da_versao(curso: Path, numero: str | None) -> Path:
    """Um pacote dessa versão, com uma peça diferente; sem número, um dos primeiros, que não a diziam."""
    por(curso, PECA=f"peca = {numero!r}\n")
    if numero:
        por(curso, **{"pyproject.toml": f'[project]\nversion = "{numero}"\n'})
    else:
        (curso / "pyproject.toml").unlink(missing_ok=True)
    return pacote(curso, f"{numero}.zip")


def test_a_atualizacao_diz_de_que_versao_para_que_versao(curso, aluno, capsys):
    def dito(numero, *opcoes):
        assert atualizar.main([str(da_versao(curso, numero)), *opcoes]) == 0
        return capsys.readouterr().out.splitlines()[0]

    assert dito("1.9.0") == "De um pacote sem versão, dos primeiros, para a versão 1.9.0."
    assert dito("1.10.0", "--ensaio") == "Da versão 1.9.0 você iria para a 1.10.0."
    assert dito("1.10.0") == "Da versão 1.9.0 para a 1.10.0."
    assert dito("1.10.0") == "A sua pasta já está em dia com este pacote, da versão 1.10.0."
    por(curso, AULA=caderno("aula = 2"))
    assert dito("1.10.0") == "A versão é a mesma, 1.10.0."
    assert json.loads((aluno / atualizar.MANIFESTO).read_text())["versao"] == "1.10.0"


def test_dois_pacotes_sem_versao_se_atualizam_como_antes(curso, aluno, capsys):
    assert atualizar.main([str(segundo(curso))]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "O que mudou:"


@pytest.mark.parametrize("numero, de", [("1.9.0", "da versão 1.9.0"), (None, "de antes de o curso ter versões")])
def test_um_pacote_de_uma_versao_anterior_e_recusado(curso, aluno, capsys, numero, de):
    assert atualizar.main([str(da_versao(curso, "1.10.0"))]) == 0
    antes = foto(aluno)
    assert atualizar.main([str(da_versao(curso, numero))]) == 2
    frase = f"Este pacote é {de}, e a sua pasta já está na 1.10.0; não há o que atualizar.\n"
    assert capsys.readouterr().err == frase and foto(aluno) == antes


@pytest.mark.parametrize("campo", ["versao", "ate"])
@pytest.mark.parametrize("valor", [3, "x", "1.0", ["1.0.0"], "1.0.0\n", "9" * 5000, "٠٣"])
def test_um_manifesto_que_diz_bobagem_termina_em_uma_frase(curso, aluno, capsys, campo, valor, tmp_path):
    zip_, mau = segundo(curso), tmp_path / "mau.zip"
    with zipfile.ZipFile(zip_) as de, zipfile.ZipFile(mau, "w") as para:
        for nome in de.namelist():
            dentro = de.read(nome)
            if nome.endswith("pacote.json"):
                dentro = json.dumps(json.loads(dentro) | {campo: valor}).encode()
            para.writestr(nome, dentro)
    antes = foto(aluno)
    assert atualizar.main([str(mau)]) == 2
    erro = capsys.readouterr().err
    assert foto(aluno) == antes and len(erro.splitlines()) == 1 and "não é um pacote deste curso" in erro


def com(zip_: Path, nome: str, conteudo: bytes = b"x", atalho: bool = False) -> Path:
    """O mesmo pacote, com um arquivo a mais."""
    destino = zip_.with_name("mau.zip")
    shutil.copy(zip_, destino)
    with zipfile.ZipFile(destino, "a", zipfile.ZIP_DEFLATED) as aberto:
        info = zipfile.ZipInfo(nome)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = (0o120777 if atalho else 0o644) << 16
        aberto.writestr(info, conteudo)
    return destino


@pytest.mark.parametrize(
    "nome, conteudo",
    [
        ("curso-atencao/../fora.py", b"x"),
        ("curso-atencao/helpers/../../fora.py", b"x"),
        ("/etc/fora.py", b"x"),
        ("C:\\fora.py", b"x"),
        ("curso-atencao/helpers\\..\\..\\fora.py", b"x"),
        ("curso-atencao/.venv/bin/python", b"x"),
        ("curso-atencao/helpers/.oculto.py", b"x"),
        ("curso-atencao/submitted/ana.ipynb", b"x"),
        ("curso-atencao/helpers/PECA.py", b"x"),
        ("curso-atencao/helpers/bomba.py", b"0" * 40_000_000),
        ("curso-atencao/helpers/a_mais.py", b"x"),
    ],
)
def test_um_caminho_que_um_pacote_nao_tem_recusa_o_zip_inteiro(curso, aluno, capsys, nome, conteudo):
    antes = foto(aluno.parent)
    assert atualizar.main([str(com(segundo(curso), nome, conteudo))]) == 2
    dito = capsys.readouterr().err
    assert foto(aluno.parent) == antes and len(dito.splitlines()) == 1 and "baixe o pacote de novo" in dito


def test_um_atalho_no_zip_ou_na_pasta_nao_se_segue(curso, aluno, capsys, tmp_path):
    assert atualizar.main([str(com(segundo(curso), "curso-atencao/helpers/a.py", b"/etc/passwd", atalho=True))]) == 2
    (tmp_path / "outra").mkdir()
    (tmp_path / "outra" / "peca.py").write_text("segredo")
    shutil.rmtree(aluno / "helpers")
    os.symlink(tmp_path / "outra", aluno / "helpers")
    assert atualizar.main([str(curso.parent / "segundo.zip")]) == 2
    assert "não é uma pasta comum" in capsys.readouterr().err
    assert foto(tmp_path / "outra") == {"peca.py": b"segredo"}


@pytest.mark.parametrize(
    "como", ["cortado", "texto", "vazio", "sem manifesto", "manifesto de outro", "não existe", "pasta"]
)
def test_um_zip_que_nao_serve_termina_em_uma_frase(curso, aluno, capsys, como, tmp_path):
    zip_, mau = segundo(curso), tmp_path / "mau.zip"
    inteiro = zip_.read_bytes()
    if como in ("cortado", "texto", "vazio"):
        mau.write_bytes({"cortado": inteiro[: len(inteiro) // 2], "texto": b"oi", "vazio": b""}[como])
    elif como == "pasta":
        mau.mkdir()
    elif como != "não existe":
        with zipfile.ZipFile(zip_) as de, zipfile.ZipFile(mau, "w") as para:
            for nome in de.namelist():
                if nome.endswith("pacote.json"):
                    if como == "manifesto de outro":
                        para.writestr(nome, de.read(nome).replace(b'"arquivos"', b'"arquivos": {}, "outros"'))
                else:
                    para.writestr(nome, de.read(nome))
    antes = foto(aluno)
    assert atualizar.main([str(mau)]) == 2
    erro = capsys.readouterr().err
    assert foto(aluno) == antes and len(erro.splitlines()) == 1 and erro.rstrip().endswith(".")


@pytest.mark.parametrize("erro", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("na_vez", [0, 2, 5])
def test_parado_em_qualquer_lugar_nada_se_perde_e_rodar_de_novo_termina(
    curso, aluno, capsys, monkeypatch, erro, na_vez
):
    minha = caderno("def f(): return 42")
    por(aluno, LISTA=minha, PECA="peca = 'minha'\n")
    zip_, da_casa, vezes = segundo(curso), os.replace, []

    def parar(de, para):
        vezes.append(para)
        if len(vezes) > na_vez:
            raise erro
        da_casa(de, para)

    monkeypatch.setattr(atualizar.os, "replace", parar)
    if isinstance(erro, KeyboardInterrupt):
        with pytest.raises(KeyboardInterrupt):
            atualizar.main([str(zip_)])
    else:
        assert atualizar.main([str(zip_)]) == 1 and "o disco está cheio" in capsys.readouterr().err
    assert (aluno / LISTA).read_text(encoding="utf-8") == minha
    minhas = [(aluno / p).read_text() for p in (PECA, f"{atualizar.GUARDADOS}/{PECA}") if (aluno / p).is_file()]
    assert "peca = 'minha'\n" in minhas and not list(aluno.glob(".atualizacao-*"))
    monkeypatch.setattr(atualizar.os, "replace", da_casa)
    assert atualizar.main([str(zip_)]) == 0
    assert (aluno / PECA).read_text() == "peca = 2\n" and (aluno / NOVA).is_file()
    assert (aluno / LISTA).read_text(encoding="utf-8") == minha


def test_pelo_curso_py_nada_e_instalado_e_na_pasta_do_instrutor_se_recusa(curso, aluno, capsys, monkeypatch):
    comando = [sys.executable, "curso.py", "atualizar", str(segundo(curso))]
    feito = subprocess.run(comando, cwd=aluno, capture_output=True, text=True, encoding="utf-8")
    assert feito.returncode == 0, feito.stderr
    assert "02-b.ipynb: entrou" in feito.stdout and not (aluno / ".venv").exists()
    monkeypatch.setattr(atualizar, "RAIZ", RAIZ)
    assert atualizar.main([str(curso.parent / "segundo.zip")]) == 2 and "do instrutor" in capsys.readouterr().err
