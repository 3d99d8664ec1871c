"""O curso é um só para muitos: o programa não muda, e o que é de cada um fica em uma pasta dele."""

import importlib
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import helpers
from configuracao import aluno, atualizar, lugares, no_hub, servidor
from helpers import corpus, treino
from helpers.autoria import mapa, origem

LISTA, AULA, PECA = "release/lista-01-a/lista-01-a.ipynb", "notebooks/01-a.ipynb", "helpers/peca.py"


def caderno(texto: str) -> str:
    celula = {"cell_type": "code", "source": [texto], "outputs": [], "metadata": {}, "execution_count": None}
    return json.dumps({"cells": [celula], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def publicar(curso: Path, versao: str, **arquivos: str) -> None:
    """Um pacote aberto na pasta de todos, com o manifesto dele."""
    resumos = {}
    for nome, texto in arquivos.items():
        destino = curso / nome
        destino.parent.mkdir(parents=True, exist_ok=True)
        destino.write_text(texto, encoding="utf-8")
        resumos[nome] = atualizar.resumos(nome, texto.encode())
    (curso / "configuracao").mkdir(exist_ok=True)
    (curso / atualizar.MANIFESTO).write_text(json.dumps({"versao": versao, "ate": None, "arquivos": resumos}))


@pytest.fixture
def curso(tmp_path, monkeypatch) -> Path:
    monkeypatch.delenv(servidor.TROCA, raising=False)
    publicar(tmp_path / "curso", "1.0.0", **{LISTA: caderno("# 1"), AULA: caderno("aula = 1"), PECA: "peca = 1\n"})
    return tmp_path / "curso"


def arquivos(pasta: Path) -> set[str]:
    return {p.relative_to(pasta).as_posix() for p in pasta.rglob("*") if p.is_file()}


def test_a_pasta_do_aluno_recebe_as_aulas_e_as_listas_e_nada_do_programa(curso, tmp_path):
    casa = tmp_path / "ana" / "curso-atencao"
    antes = arquivos(curso)
    assert {p.caminho for p in aluno.preparar(casa, curso)} == {AULA, LISTA}
    assert arquivos(casa) == {AULA, LISTA, "curso.py", aluno.MANIFESTO}
    assert arquivos(curso) == antes
    assert aluno.preparar(casa, curso) == []  # da segunda vez, não há o que fazer


@pytest.mark.skipif(os.name == "nt", reason="o Python do .venv tem lá outro nome")
def test_o_comando_de_sempre_chama_o_curso_de_todos_com_a_pasta_do_aluno(curso, tmp_path, monkeypatch):
    monkeypatch.setenv(servidor.TROCA, "/uma/troca")
    aluno.preparar(tmp_path / "ana", curso)
    (curso / ".venv" / "bin").mkdir(parents=True)
    (curso / ".venv" / "bin" / "python").write_text('#!/bin/sh\necho "$@" "$CURSO_ALUNO" "$CURSO_TROCA"\n')
    (curso / ".venv" / "bin" / "python").chmod(0o755)
    fora = {nome: valor for nome, valor in os.environ.items() if not nome.startswith("CURSO_")}
    comando = [sys.executable, "curso.py", "conferir", "02"]
    dito = subprocess.run(comando, cwd=tmp_path / "ana", env=fora, capture_output=True, text=True).stdout
    assert dito.split() == [str(curso / "curso.py"), "conferir", "02", str(tmp_path / "ana"), "/uma/troca"]


@pytest.mark.skipif(os.name == "nt", reason="as permissões são as do POSIX")
def test_a_pasta_do_aluno_so_ele_abre(curso, tmp_path):
    aluno.preparar(tmp_path / "ana", curso)
    assert stat.S_IMODE((tmp_path / "ana").stat().st_mode) == 0o700


def test_onde_ha_uma_troca_as_listas_so_vem_por_ela(curso, tmp_path, monkeypatch):
    monkeypatch.setenv(servidor.TROCA, str(tmp_path / "troca"))
    aluno.preparar(tmp_path / "ana", curso)
    assert arquivos(tmp_path / "ana") == {AULA, "curso.py", aluno.MANIFESTO}


def test_o_que_o_aluno_escreveu_fica_quando_o_curso_de_todos_muda(curso, tmp_path):
    casa = tmp_path / "ana"
    aluno.preparar(casa, curso)
    (casa / LISTA).write_text(caderno("minha resposta"))
    publicar(curso, "1.1.0", **{LISTA: caderno("# 2"), AULA: caderno("aula = 2"), PECA: "peca = 2\n"})
    aluno.preparar(casa, curso)
    assert "minha resposta" in (casa / LISTA).read_text()
    assert "# 2" in (casa / LISTA.replace(".ipynb", ".nova.ipynb")).read_text()
    assert "aula = 2" in (casa / AULA).read_text()


def test_uma_pasta_que_nao_e_um_pacote_nao_serve_a_muitos(tmp_path):
    with pytest.raises(atualizar.NaoDaParaAtualizar, match="python curso.py hub"):
        aluno.preparar(tmp_path / "ana", tmp_path)


def test_sem_a_variavel_a_pasta_do_aluno_e_a_do_curso_e_com_ela_as_salas_concordam(tmp_path, monkeypatch):
    monkeypatch.delenv(lugares.DO_ALUNO, raising=False)
    assert lugares.do_aluno() == helpers.do_aluno() == helpers.RAIZ
    monkeypatch.setenv(lugares.DO_ALUNO, str(tmp_path))
    assert lugares.do_aluno() == helpers.do_aluno() == tmp_path


def test_o_que_o_curso_guarda_de_uma_pessoa_vai_para_a_pasta_dela(tmp_path, monkeypatch):
    monkeypatch.setenv(lugares.DO_ALUNO, str(tmp_path))
    for nome in (origem.LISTAS, "CURSO_DADOS", servidor.TROCA):
        monkeypatch.delenv(nome, raising=False)
    modulos = [importlib.import_module(f"helpers.{nome}") for nome in ("engane", "conferencia.comando")]
    dela = [origem.pasta_das_listas(), corpus.pasta(), helpers.refeitos(treino.PASTA)]
    dela += [Path(servidor.variaveis({})[nome]) for nome in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")]
    assert all(p.is_relative_to(tmp_path) for p in dela)
    for modulo in modulos:  # as constantes destes são do começo do processo
        texto = Path(modulo.__file__).read_text("utf-8")
        assert "= do_aluno() / " in texto and "= RAIZ / " not in texto
    assert mapa.estacoes()[0].aviso == "a pasta da lista 01 não está aqui"


def test_um_texto_que_quem_instalou_ja_baixou_serve_a_todos(tmp_path, monkeypatch):
    monkeypatch.setattr(corpus, "RAIZ", tmp_path / "curso")
    monkeypatch.setenv(lugares.DO_ALUNO, str(tmp_path / "ana"))
    monkeypatch.delenv("CURSO_DADOS", raising=False)
    (tmp_path / "curso" / "dados").mkdir(parents=True)
    (tmp_path / "curso" / "dados" / "texto").write_bytes(b"o rato roeu")
    lido = corpus._guardado("texto", lambda: pytest.fail("baixou de novo"), lambda bruto: None)
    assert lido == b"o rato roeu" and not (tmp_path / "ana").exists()


def test_um_treino_refeito_fica_com_quem_o_refez_e_e_o_que_ele_ve(tmp_path, monkeypatch):
    monkeypatch.setenv(lugares.DO_ALUNO, str(tmp_path))
    nome = "sozinho"
    do_curso = json.loads((treino.PASTA / f"{nome}.json").read_text("utf-8"))
    do_curso["historias"][0]["segundos"] = 12345.0
    (tmp_path / "treinos").mkdir()
    (tmp_path / "treinos" / f"{nome}.json").write_text(json.dumps(do_curso))
    assert treino.treinos_guardados(nome)[0].segundos == 12345.0
    monkeypatch.delenv(lugares.DO_ALUNO)
    assert treino.treinos_guardados(nome)[0].segundos != 12345.0


def test_em_um_hub_atualizar_so_poe_em_dia_a_pasta_do_aluno(curso, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(atualizar, "RAIZ", curso)
    monkeypatch.setenv(lugares.DO_ALUNO, str(tmp_path / "ana"))
    monkeypatch.setattr(aluno.preparar, "__defaults__", (curso,))
    assert atualizar.main([]) == 0 and "notebooks/01-a.ipynb: entrou" in capsys.readouterr().out
    assert atualizar.main([]) == 0 and "já está em dia" in capsys.readouterr().out
    assert atualizar.main(["outro.zip"]) == 2 and "um só para todos" in capsys.readouterr().err


def test_o_servidor_do_aluno_abre_a_pasta_dele_e_o_do_instrutor_o_clone_com_o_formgrader(tmp_path, monkeypatch):
    monkeypatch.setenv(lugares.DO_ALUNO, str(tmp_path))
    monkeypatch.setenv(servidor.TROCA, str(tmp_path / "troca"))
    comando, variaveis, pasta = no_hub.servidor_de(instrutor=False)
    assert pasta == tmp_path and f"--ServerApp.root_dir={tmp_path}" in comando
    perfis = [Path(p).name for p in variaveis["JUPYTER_CONFIG_PATH"].split(os.pathsep)]
    assert perfis == ["hub", "jupyter"]
    monkeypatch.delenv(lugares.DO_ALUNO)
    comando, variaveis, pasta = no_hub.servidor_de(instrutor=True)
    perfis = [Path(p).name for p in variaveis["JUPYTER_CONFIG_PATH"].split(os.pathsep)]
    assert pasta == helpers.RAIZ and perfis == ["instrutor", "hub", "jupyter"]


def test_no_hub_o_aluno_tem_buscar_e_entregar_e_nao_tem_o_que_e_do_instrutor():
    def telas(*perfis: str) -> dict[str, bool]:
        juntas: dict[str, bool] = {}
        for perfil in reversed(perfis):  # o primeiro perfil vale sobre os seguintes
            arquivo = lugares.RAIZ / "configuracao" / perfil / "labconfig" / "page_config.json"
            juntas |= json.loads(arquivo.read_text())["disabledExtensions"]
        return {nome.partition(":")[2]: not fora for nome, fora in juntas.items() if "nbgrader" in nome}

    do_aluno = telas("hub", "jupyter")
    assert do_aluno["assignment-list"] and do_aluno["menu"]
    assert not (do_aluno["formgrader"] or do_aluno["create-assignment"] or do_aluno["course-list"])
    do_instrutor = telas("instrutor", "hub", "jupyter")
    assert all(do_instrutor[nome] for nome in ("assignment-list", "menu", "formgrader", "create-assignment"))
