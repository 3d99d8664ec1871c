"""`python curso.py hub`: o que ele diz antes de fazer, o que escreve, e o que acha de errado em um que já existe."""

import os
import sys
from pathlib import Path

import pytest

from configuracao import atualizar
from gabarito import hub, hub_conferido
from helpers import RAIZ

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="o JupyterHub do curso é para o Linux")
EU = Path(__file__).owner()


@pytest.fixture
def plano(tmp_path) -> hub.Plano:
    clone = tmp_path / "clone"
    clone.mkdir(mode=0o700)
    return hub.Plano(tmp_path / "srv", clone.owner(), Path(sys.executable), clone)


@pytest.fixture
def pronto(plano) -> hub.Plano:
    """Um hub no lugar, sem os programas."""
    plano.pasta.mkdir()
    hub._troca(plano)
    hub._escrever_a_configuracao(plano)
    (plano.curso / "configuracao").mkdir(parents=True)
    for curso in (plano.curso, plano.clone):
        site = curso / ".venv" / "lib" / "python3.11" / "site-packages"
        (site / "jupyterhub-6.1.1.dist-info").mkdir(parents=True)
        (curso / ".venv" / "bin").mkdir()
        (curso / ".venv" / "bin" / "python").write_text("")
    (plano.curso / atualizar.MANIFESTO).write_text(
        f'{{"versao": "{hub_conferido.versao()}", "ate": null, "arquivos": {{}}}}'
    )
    hub_conferido.abrir_a_todos(plano.curso)
    return plano


def achados(plano: hub.Plano) -> list[str]:
    return [
        *(a for a in hub_conferido.do_curso(plano.curso) if "não rodam o Python" not in a),  # o tmp do pytest é fechado
        *hub_conferido.da_troca(plano.troca, hub.CURSO, plano.instrutor),
        *hub_conferido.do_clone(plano.clone, plano.instrutor),
        *hub_conferido.dos_programas(plano.pasta, plano.clone, Path(sys.executable)),
    ]


def test_a_configuracao_e_python_e_diz_de_quem_e_cada_curso_e_onde_e_a_troca(plano):
    texto = hub.texto_da_configuracao(plano)
    compile(texto, "jupyterhub_config.py", "exec")
    espaco = {"get_config": lambda: Config()}
    exec(texto, espaco)

    class Spawner:
        def __init__(self, nome):
            self.user = type("Usuario", (), {"name": nome})

    ana, prof = Spawner("ana"), Spawner(plano.instrutor)
    for spawner in (ana, prof):
        espaco["escolher_o_curso"](spawner)
    assert ana.cmd[0] == str(plano.curso / ".venv/bin/python") and ana.cmd[-1] == "configuracao.no_hub"
    assert prof.cmd[0] == str(plano.clone / ".venv/bin/python")
    assert espaco["c"].Spawner.environment == {"CURSO_TROCA": str(plano.troca)}
    assert "127.0.0.1" in espaco["c"].JupyterHub.bind_url


class Config(dict):
    """Um `c` que aceita qualquer nome."""

    def __getattr__(self, nome):
        return self.setdefault(nome, Config())

    def __setattr__(self, nome, valor):
        self[nome] = valor


def test_um_hub_no_lugar_nao_tem_achados(pronto):
    assert achados(pronto) == []


@pytest.mark.parametrize(
    "estragar, frase, conserto",
    [
        (lambda p: p.troca.chmod(0o755), "nem todos escrevem", "chmod 1777"),
        (lambda p: p.troca.chmod(0o777), "poderia apagar a pasta do curso", "chmod 1777"),
        (lambda p: (p.troca / hub.CURSO / "inbound").chmod(0o755), "veem as entregas uns dos outros", "chmod 2733"),
        (lambda p: (p.troca / hub.CURSO / "inbound").chmod(0o700), "a entrega não passa", "chmod 2733"),
        (lambda p: (p.troca / hub.CURSO / "inbound").rmdir(), "Falta", "--aplicar"),
        (lambda p: (p.clone / "gradebook.db").touch() or p.clone.chmod(0o755), "gradebook.db", "chmod go-rwx"),
        (lambda p: (p.curso / "x.py").touch(0o600), "não leem", "chmod -R a+rX"),
        (lambda p: (p.curso / "x.py").touch() or (p.curso / "x.py").chmod(0o666), "Qualquer um pode", "go-w"),
        (lambda p: next(p.clone.glob(".venv/lib/*/*/jupyterhub*")).rename(p.pasta / "x"), "Falta o JupyterHub", "hub"),
        (lambda p: p.configuracao.unlink(), "Falta a configuração", "--aplicar"),
        (lambda p: p.configuracao.parent.chmod(0o755), "aberto às outras contas", "chmod 700"),
        (lambda p: (p.curso / atualizar.MANIFESTO).unlink(), "da versão None", "--aplicar"),
    ],
)
def test_cada_coisa_errada_e_dita_com_o_que_a_conserta(pronto, estragar, frase, conserto, monkeypatch):
    monkeypatch.setattr(hub_conferido, "fechado_no_caminho", lambda caminho: None)  # o tmp do pytest é fechado
    estragar(pronto)
    (achado,) = achados(pronto)
    assert frase in achado and conserto in achado


def test_um_python_em_uma_pasta_fechada_nao_serve(tmp_path):
    (tmp_path / "fechada").mkdir(mode=0o700)
    (tmp_path / "fechada" / "python").touch()
    fechada = hub_conferido.fechado_no_caminho(tmp_path / "fechada" / "python")
    assert fechada is not None and (tmp_path / "fechada").is_relative_to(fechada)


def test_o_pacote_de_todos_se_poe_em_dia_sem_escrever_de_novo_o_que_ja_esta(plano):
    plano.clone = RAIZ
    assert not hub._em_dia(plano)
    hub._por_o_pacote(plano)
    assert hub._em_dia(plano) and (plano.curso / "curso.py").is_file()
    assert not {p.name for p in plano.curso.iterdir()} & {"gabarito", "source", "correcao", "tests"}
    assert (plano.curso / "configuracao" / "no_hub.py").is_file() and not hub_conferido._erros_de_permissao(
        plano.curso
    )[0]


def test_sem_aplicar_diz_o_que_faria_e_nao_faz_nada(plano, capsys, monkeypatch):
    monkeypatch.setattr(hub, "_em_dia", lambda plano: False)
    monkeypatch.setattr(hub.shutil, "which", lambda nome: None if nome == hub.PROXY else "/usr/bin/npm")
    assert hub._fazer(plano, aplicar=False) == 0
    dito = capsys.readouterr().out
    assert "· fazer a troca" in dito and "· escrever" in dito and "--aplicar" in dito
    assert not plano.pasta.exists()


def test_aplicar_faz_so_o_que_falta_e_nao_escreve_por_cima_da_configuracao(pronto, capsys, monkeypatch):
    monkeypatch.setattr(hub, "_em_dia", lambda plano: True)
    monkeypatch.setattr(hub, "_rodar", lambda comando, onde: pytest.fail(f"rodou {comando}"))
    monkeypatch.setattr(hub.shutil, "which", lambda nome: sys.executable)
    (pronto.curso / ".venv" / "curso.json").touch()
    pronto.configuracao.write_text("# a minha\n")
    pronto.troca.chmod(0o700)
    assert hub._fazer(pronto, aplicar=True) == 0
    dito = capsys.readouterr().out
    (feito,) = [linha for linha in dito.splitlines() if "·" in linha]
    assert feito.strip().startswith(f"· fazer a troca, {pronto.troca}")
    assert pronto.configuracao.read_text() == "# a minha\n" and hub_conferido.modo(pronto.troca) == 0o1777


def test_um_clone_do_root_e_recusado_com_o_que_fazer(monkeypatch, capsys):
    monkeypatch.setattr(hub, "python_de_todos", lambda: Path(sys.executable))
    if RAIZ.stat().st_uid == 0:
        assert hub.main([]) == 2 and "com a conta do instrutor" in capsys.readouterr().err
    elif os.geteuid():
        assert hub.main(["--aplicar"]) == 2 and "sudo" in capsys.readouterr().err


def test_conferir_onde_nao_ha_um_hub_e_uma_frase(tmp_path, capsys):
    assert hub_conferido.relatar(tmp_path / "nada", tmp_path, EU, hub.CURSO, tmp_path) == 2
    assert "Não há um hub do curso" in capsys.readouterr().out
