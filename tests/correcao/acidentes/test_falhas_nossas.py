"""Uma falha nossa nunca é uma nota: o que cada comando diz dela, com que código, e o que não pode dizer."""

import asyncio
import contextlib
import csv
import io
import json
import logging
import os
import resource
import shutil
import signal
from pathlib import Path

import nbformat
import psutil
import pytest
from conftest import por_que_sem_caixa
from tornado import httpclient, httpserver, netutil
from turma_pronta import LISTA, NOTEBOOK, dito, turma_corrigida, zip_de

from correcao.caixa import conversa
from correcao.caixa.caixa import Limites
from correcao.caixa.quente import quente
from correcao.chegada import coletar
from correcao.comum.anotacao import DADOS, DEFEITO
from correcao.devolucao import devolver, ler, notas, relatorio
from correcao.juizo import corrigir, executar
from correcao.livro import prazo
from correcao.livro.livro import guardar_copia
from correcao.livro.turma import SERA_REPETIDA, Turma

pytestmark = pytest.mark.filterwarnings("ignore:Object of type")  # o nbgrader e o SQLAlchemy
NOMES = {"a001": "Ana Sá", "a002": "Beto Cruz", "a003": "Caio Reis"}
CABECALHO = "Identificador;Nome completo;Número de identificação;Status;Nota;Nota máxima;Comentários do feedback"


@pytest.fixture(scope="module")
def modelo(tmp_path_factory) -> Path:
    """Três entregas corrigidas; na de Beto, o juiz tropeçou, e o livro tem pontos que não são uma nota."""
    pasta = tmp_path_factory.mktemp("modelo")
    with pytest.MonkeyPatch.context() as troca:
        troca.delenv("CURSO_LIVRO", raising=False)
        turma_corrigida(pasta, 3)
    alunos = {a: {"nome": nome, "id": a[-1], "pasta": f"{nome}_{a[-1]}_…"} for a, nome in NOMES.items()}
    (pasta / "moodle.json").write_text(json.dumps({LISTA: alunos}), encoding="utf-8")
    com_defeito(pasta, "a002")
    linhas = "".join(f"\nParticipante {a[-1]};{nome};{a};Enviado;;10,00;" for a, nome in NOMES.items())
    (pasta / "p.csv").write_text(CABECALHO + linhas + "\n", encoding="utf-8")
    return pasta


@pytest.fixture
def turma(modelo, tmp_path, monkeypatch) -> Path:
    pasta = tmp_path / "turma"
    shutil.copytree(modelo, pasta)
    monkeypatch.setenv("CURSO_TURMA", str(pasta))
    monkeypatch.delenv("CURSO_LIVRO", raising=False)
    return pasta


def com_defeito(turma: Path, *alunos: str) -> None:
    for aluno in alunos:
        arquivo = turma / "autograded" / aluno / LISTA / f"{LISTA}.ipynb"
        nb = nbformat.read(arquivo, as_version=4)
        nb.metadata[DADOS] |= {"motivo": DEFEITO, "defeito": "KeyError('x')"}
        nbformat.write(nb, arquivo)


def linhas_de(arquivo: Path) -> dict[str, list[str]]:
    linhas = csv.reader(io.StringIO(arquivo.read_text("utf-8-sig"), newline=""), delimiter=";")
    return {linha[0][-4:]: linha for linha in linhas}


# ---------------------------------------------------------------- quem teve um defeito não tem nota em lugar nenhum

COMANDOS = [
    (notas, ["02"]),
    (notas, ["02", "--zero-para-ausentes"]),
    (notas, ["--todas"]),
    (notas, ["02", "--moodle", "p.csv"]),
    (notas, ["02", "--moodle", "p.csv", "--zero-para-ausentes"]),
    (devolver, ["02"]),
    (relatorio, ["02"]),
    (relatorio, []),
]


@pytest.mark.parametrize("modulo, argumentos", COMANDOS, ids=lambda x: x if isinstance(x, str) else None)
@pytest.mark.parametrize("todos", [False, True], ids=["um", "todos"])
def test_cada_comando_diz_quem_ficou_sem_nota_e_o_que_rodar(turma, capsys, monkeypatch, modulo, argumentos, todos):
    monkeypatch.chdir(turma)
    com_defeito(turma, *(NOMES if todos else []))
    codigo = modulo.main(argumentos)
    frase = "Sem nota, por um defeito da correção, e não da entrega: "
    quem = "Ana Sá (a001), Beto Cruz (a002), Caio Reis (a003)" if todos else "Beto Cruz (a002)"
    assert f"{frase}{quem}; rode antes: python curso.py corrigir {LISTA}" in dito(capsys)
    assert codigo == (2 if todos and modulo is relatorio else 3)  # um relatório de ninguém não se faz
    paginas = [*turma.rglob("*.html"), *turma.glob("*.csv")]
    assert not any("nan" in p.read_text("utf-8-sig").lower().split() for p in paginas)


def test_a_celula_dele_fica_em_branco_e_a_dos_outros_nao(turma, capsys):
    assert notas.main(["02"]) == 3
    linhas = linhas_de(turma / "notas.csv")
    assert linhas["a002"][3:8] == [""] * 5 and "vai ser repetida" in linhas["a002"][8]
    assert linhas["a001"][3] and linhas["a003"][3]


def test_a_nota_que_estava_na_planilha_do_moodle_tambem_sai_e_o_comentario_diz_por_que(turma, capsys):
    tabela = turma / "p.csv"
    tabela.write_text(tabela.read_text("utf-8").replace("a002;Enviado;;", "a002;Enviado;9,00;"), encoding="utf-8")
    assert notas.main(["02", "--moodle", str(tabela)]) == 3
    linha = linhas_de(turma / "p-preenchida.csv")["te 2"]
    assert linha[4] == "" and linha[6] == SERA_REPETIDA


def test_a_media_espera_a_nota_que_falta(turma, capsys):
    assert notas.main(["--todas"]) == 3
    linhas = linhas_de(turma / "notas-todas.csv")
    assert linhas["a002"][2:6] == [""] * 4 and all(linhas["a001"][2:6])
    assert relatorio.main([]) == 3
    texto = (turma / "relatorios" / "turma.html").read_text(encoding="utf-8")
    assert "1 está sem média, à espera de que a correção se repita." in texto
    linha = texto[texto.index("Beto Cruz") :]
    assert linha[: linha.index("</tr>")].count(">–<") == 3


def test_a_pagina_diz_que_a_correcao_se_repete_e_nao_mostra_pontos(turma, capsys):
    (turma / "feedback" / "a002" / LISTA).mkdir(parents=True)
    pagina = turma / "feedback" / "a002" / LISTA / f"{LISTA}.html"
    pagina.write_text("10 de 10, de uma correção anterior")
    assert devolver.main(["02"]) == 3
    texto = pagina.read_text(encoding="utf-8")
    assert SERA_REPETIDA in texto and "Beto Cruz" in texto
    assert "pontos" not in texto[texto.index("<body>") :] and " de 10" not in texto
    assert texto == devolver.devolutiva(Turma(turma).entrega(LISTA, "a002"))  # é a que o formgrader e a troca levam


def test_o_quadro_de_corrigir_nao_lhe_da_nota(turma):
    situacoes = [corrigir.Situacao(aluno) for aluno in NOMES]
    corrigir.Correcao(LISTA, turma).completar(situacoes)
    assert situacoes[1].nota is None and situacoes[0].nota is not None
    assert "a002      sem nota" in corrigir.quadro(situacoes)
    assert "Sem nota, por um defeito da correção, e não da entrega: a002." in corrigir.resumo(LISTA, situacoes)


def test_cada_membro_de_um_grupo_fica_sem_nota(turma, capsys):
    grupo = {"nome": "Grupo A", "membros": ["m1", "m2"], "id": "9", "pasta": "x"}
    membros = {m: {"nome": f"Membro {m}", "grupo": "a002", "id": m} for m in ("m1", "m2")}
    (turma / "moodle.json").write_text(json.dumps({LISTA: {"a002": grupo, **membros}}), encoding="utf-8")
    assert notas.main(["02"]) == 3
    assert "Membro m1 (m1), Membro m2 (m2); rode antes" in dito(capsys)
    assert [linha[3] for q, linha in linhas_de(turma / "notas.csv").items() if q in ("m1", "m2")] == ["", ""]


@pytest.mark.parametrize("argumentos", [["02"], ["--todas"]])
def test_quem_entregou_e_nao_chegou_a_ser_corrigido_tambem_e_dito(turma, capsys, argumentos):
    (turma / "submitted" / "a004" / LISTA).mkdir(parents=True)
    assert notas.main(argumentos) == 3
    assert f"a correção não chegou ao fim: a004; rode antes: python curso.py corrigir {LISTA}" in dito(capsys)


# ---------------------------------------------------------------- a pasta que é um atalho


@pytest.mark.parametrize("qual", ["a pasta do aluno", "a da lista", "um atalho para nada"])
def test_uma_entrega_que_e_um_atalho_e_dita_pelo_nome(tmp_path, monkeypatch, capsys, qual):
    turma, fora = tmp_path / "turma", tmp_path / "fora"
    (fora / LISTA).mkdir(parents=True)
    (fora / LISTA / f"{LISTA}.ipynb").write_bytes(NOTEBOOK)
    (turma / "submitted").mkdir(parents=True)
    if qual == "a da lista":
        (turma / "submitted" / "lia").mkdir()
        (turma / "submitted" / "lia" / LISTA).symlink_to(fora / LISTA)
    else:
        (turma / "submitted" / "lia").symlink_to(fora if qual == "a pasta do aluno" else tmp_path / "nada")
    monkeypatch.setenv("CURSO_TURMA", str(turma))
    monkeypatch.delenv("CURSO_LIVRO", raising=False)
    assert corrigir.main(["02"]) == corrigir.PROBLEMA  # alguém ficou sem nota
    texto = dito(capsys)
    assert "sem nota  A pasta da entrega, em submitted/, é um atalho (link)" in texto
    assert "Precisam de um olhar: lia." in texto and not (turma / "autograded").exists()


# ---------------------------------------------------------------- o disco cheio, ou um limite no tamanho dos arquivos


@contextlib.contextmanager
def sem_espaco():
    """Nenhum arquivo cresce, como com `ulimit -f 0`; para um disco cheio muda só o número do erro.

    Também não o da saída do pytest, se ela vai para um arquivo: o que se diz aqui dentro fica na memória (capsys).
    """
    macio, duro = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, duro))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (macio, duro))


GRAVAM = [
    (notas, ["02"], 1, "Não consegui gravar {}/notas.csv: o arquivo passaria do maior tamanho"),
    (notas, ["--todas"], 1, "Não consegui gravar {}/notas-todas.csv: o arquivo passaria"),
    (notas, ["02", "--moodle", "p.csv"], 1, "Não consegui gravar p-preenchida.csv: o arquivo passaria"),
    (devolver, ["02"], 1, "Não consegui gravar {}/feedback/a001/"),
    (relatorio, ["02"], 1, "Não consegui gravar {}/relatorios/lista-02-softmax.html: o arquivo passaria"),
    (relatorio, [], 1, "Não consegui gravar {}/relatorios/turma.html: o arquivo passaria"),
    (prazo, ["02", "14/09/2027"], 2, "gradebook.db não respondeu (o disco está cheio, ou há um limite"),
    (prazo, ["03", "14/09/2027"], 2, "gradebook.db não respondeu (o disco está cheio, ou há um limite"),
    (coletar, ["02", "envios.zip"], 1, "A coleta parou em {}/submitted/a001/"),
]


@pytest.mark.parametrize("modulo, argumentos, codigo, frase", GRAVAM)
def test_sem_espaco_cada_comando_para_com_uma_frase_e_com_espaco_segue(
    turma, capsys, caplog, monkeypatch, modulo, argumentos, codigo, frase
):
    monkeypatch.chdir(turma)
    zip_de(turma, {"Ana_1_assignsubmission_file_/l.ipynb": NOTEBOOK})
    antes = (turma / "gradebook.db").read_bytes()
    with sem_espaco():
        assert modulo.main(argumentos) == codigo
    dele = [linha for linha in capsys.readouterr().err.splitlines() if linha.strip()]
    assert len(dele) == 1 and frase.format(turma) in dele[0], dele
    assert not [r for r in caplog.records if r.exc_info]  # nem pelo registro do nbgrader
    assert (turma / "gradebook.db").read_bytes() == antes
    assert modulo.main(argumentos) in (0, 3)


async def mandar(mesa: ler.Mesa, nota: dict) -> tuple[int, dict]:
    soquetes = netutil.bind_sockets(0, ler.AQUI)
    porta = soquetes[0].getsockname()[1]
    servidor = httpserver.HTTPServer(ler.aplicacao(mesa, "chave", porta))
    servidor.add_sockets(soquetes)
    endereco, cabecalhos = f"http://{ler.AQUI}:{porta}/nota", {ler.CHAVE: "chave"}
    pedido = httpclient.HTTPRequest(endereco, "POST", cabecalhos, json.dumps(nota), request_timeout=300)
    resposta = await httpclient.AsyncHTTPClient().fetch(pedido, raise_error=False)
    servidor.stop()
    return resposta.code, json.loads(resposta.body)


def test_sem_espaco_a_pagina_de_ler_diz_por_que_nao_gravou_e_com_espaco_grava(turma, capsys, caplog):
    mesa = ler.Mesa(Turma(turma), LISTA, "Bruno")
    questao = next(iter(mesa.abertas))
    aluno = mesa.quadro()[questao]["alunos"][0]
    nota = {"questao": questao, "aluno": aluno["id"], "versao": aluno["versao"], "pontos": "0,5", "comentario": "Bom."}
    antes = (turma / "gradebook.db").read_bytes()
    with sem_espaco():
        codigo, dito_ = asyncio.run(mandar(mesa, nota))
    assert codigo == 503 and "gradebook.db não respondeu (o disco está cheio" in dito_["erro"]
    assert dito_["erro"].endswith("nada se perdeu: tente de novo.")  # quem lê não tem o que rodar
    assert capsys.readouterr().err == "" and not [r for r in caplog.records if r.exc_info]
    assert (turma / "gradebook.db").read_bytes() == antes
    codigo, dito_ = asyncio.run(mandar(mesa, nota))
    assert (codigo, dito_["pontos"], dito_["comentario"]) == (200, "0,5", "Bom.")


def test_sem_espaco_nao_fica_meia_copia_do_livro(turma):
    from correcao.livro.livro import LivroIndisponivel

    with sem_espaco(), pytest.raises(LivroIndisponivel, match="Não consegui guardar uma cópia do livro de notas"):
        guardar_copia(f"sqlite:///{turma / 'gradebook.db'}", turma)
    assert list((turma / "copias").iterdir()) == []


@pytest.mark.lento
def test_sem_espaco_corrigir_para_com_uma_frase_e_com_espaco_segue(tmp_path, monkeypatch, capsys):
    if por_que_sem_caixa():
        pytest.skip("é na caixa que se corrige")
    turma = tmp_path / "turma"
    (turma / "submitted" / "ana" / LISTA).mkdir(parents=True)
    (turma / "submitted" / "ana" / LISTA / f"{LISTA}.ipynb").write_text("isto não é um notebook")
    monkeypatch.setenv("CURSO_TURMA", str(turma))
    monkeypatch.delenv("CURSO_LIVRO", raising=False)

    def sem_lugar(self):
        raise RuntimeError("o nbgrader não diz que foi o disco")

    with contextlib.ExitStack() as pilha, monkeypatch.context() as troca:
        troca.setattr(corrigir.Corretor, "start", lambda self: pilha.enter_context(sem_espaco()) or sem_lugar(self))
        assert corrigir.main(["02", "--processos", "1"]) == corrigir.PROBLEMA
    linhas = capsys.readouterr().err.splitlines()
    assert len(linhas) == 1 and linhas[0].startswith(f"Não consegui gravar {turma}: o arquivo passaria"), linhas
    assert corrigir.main(["02", "--processos", "1"]) == corrigir.OLHAR


# ---------------------------------------------------------------- quem mata a caixa por fora


def vigia(execucao) -> psutil.Process:
    """O processo de fora da caixa: o vigia na quente, o monitor do bubblewrap na fria."""
    return psutil.Process(execucao.kernel.processo.process.pid)


def primeiro(execucao) -> psutil.Process:
    return vigia(execucao).children()[0]


def mae(execucao) -> psutil.Process:
    return psutil.Process(quente._DESTE_PROCESSO[0]._processo.pid)


MORTES = [
    ("quente", vigia, signal.SIGKILL, 1),
    ("fria", vigia, signal.SIGKILL, 1),
    ("quente", vigia, signal.SIGKILL, 2),
    ("quente", vigia, signal.SIGTERM, 2),
    ("quente", primeiro, signal.SIGKILL, 2),
    ("quente", mae, signal.SIGKILL, 2),
    ("fria", vigia, signal.SIGKILL, 2),
]


@pytest.mark.lento
@pytest.mark.parametrize(
    "caixa, quem, sinal, vezes", MORTES, ids=[f"{c} {q.__name__} {s:d} {v}x" for c, q, s, v in MORTES]
)
def test_a_morte_de_um_processo_nosso_se_repete_ou_e_um_defeito_e_nunca_custa_pontos(
    monkeypatch, caixa, quem, sinal, vezes
):
    if frase := por_que_sem_caixa():
        pytest.skip(frase)
    monkeypatch.setenv(quente.QUAL, caixa)
    da_casa, faltam = conversa.Execucao._celula, [None] * vezes

    async def matar(self, codigo, saida, indice):
        if "sleep" in codigo and faltam:
            faltam.pop()
            os.kill(quem(self).pid, sinal)
        await da_casa(self, codigo, saida, indice)

    monkeypatch.setattr(conversa.Execucao, "_celula", matar)
    celulas = ["print(1)", "import time; time.sleep(2); print(2)", "print(3)"]
    feito = executar.rodar_codigo(celulas, None, [], Limites(), logging.getLogger("teste"))
    if vezes == 1:
        assert (feito.motivo, feito.defeito) == (None, None)
        assert [saidas[0]["text"] for saidas in feito.saidas] == ["1\n", "2\n", "3\n"]
    else:
        assert feito.motivo == DEFEITO and "também na segunda vez" in feito.defeito
