"""`equivocos`: os erros que o gabarito não conhece, juntos pelo que fizeram, e prontos para virar uma frase."""

import json
from pathlib import Path

import nbformat
import pytest
from escritas import escrever
from turma_pronta import LISTA, dito, turma_corrigida

from correcao.comum.anotacao import DADOS, Anotacao, Veredito
from correcao.devolucao import equivocos
from correcao.juizo.guardado import Guardada, Pronta, guardar
from helpers.conferencia.conserto.busca import procurar
from helpers.conferencia.exame import examinar
from helpers.conferencia.referencia import carregar

pytestmark = pytest.mark.filterwarnings("ignore:Object of type")  # o nbgrader e o SQLAlchemy
QUESTAO = "lista-02/softmax_temperatura"
RESPOSTAS = {
    "ana": "def softmax_temperatura(x, t, eixo=-1):\n    print('Ana')  # Ana\n    return softmax(x) ** t + 0.25\n",
    # o mesmo que Ana, escrito de outro jeito
    "beto": "def softmax_temperatura(v, temp, eixo=-1):\n    pesos = softmax(v)\n    return 0.25 + pesos ** temp\n",
    "caio": "def softmax_temperatura(x, t, eixo=-1):\n    return softmax(x / t) + 1 / 3\n",
}


def _anotar(turma: Path, aluno: str, codigo: str) -> None:
    """Como a correção deixaria a entrega: o veredito no notebook, e a evidência ao lado."""
    referencia, resposta = carregar(QUESTAO), escrever(QUESTAO, codigo)
    diagnostico, registros = examinar(referencia, resposta)
    assert diagnostico.equivoco is None
    onde = procurar(referencia, resposta, registros)
    caderno = turma / "autograded" / aluno / LISTA / f"{LISTA}.ipynb"
    nb = nbformat.read(caderno, as_version=4)
    celula = next(c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade_id") == "softmax_temperatura")
    celula.source = codigo
    anotacao = Anotacao.de_dados(nb.metadata[DADOS])
    frase = onde.dizer() if onde else None
    anotacao.anotar("confere-softmax_temperatura", Veredito(diagnostico.frase, None, 0.0, onde=frase))
    nb.metadata[DADOS] = anotacao.para_dados()
    nbformat.write(nb, caderno)
    dados = {"questao": QUESTAO, "chamada": None, "registros": [r.como_dados() for r in registros]}
    pronta = Pronta(None, json.dumps(dados))
    guardar(turma, aluno, LISTA, Guardada(None, 1, {"confere-softmax_temperatura": pronta}))


@pytest.fixture(scope="module")
def turma(tmp_path_factory) -> Path:
    pasta = tmp_path_factory.mktemp("turma")
    turma_corrigida(pasta, 3, tuple(RESPOSTAS))
    for aluno, codigo in RESPOSTAS.items():
        _anotar(pasta, aluno, codigo)
    return pasta


def _rodar(turma, monkeypatch, capsys, *palavras):
    monkeypatch.setenv("CURSO_TURMA", str(turma))
    return equivocos.main(["02", *palavras]), dito(capsys)


def test_quem_fez_o_mesmo_fica_junto_e_o_mais_comum_vem_primeiro(turma, monkeypatch, capsys):
    codigo, texto = _rodar(turma, monkeypatch, capsys)
    assert codigo == 0 and texto.startswith(f"{LISTA}: 3 respostas erradas sem nome, de 2 tipos, em 3 entregas.")
    assert texto.index("1. softmax_temperatura: 2 entregas") < texto.index("2. softmax_temperatura: 1 entrega\n")


def test_o_exemplo_vem_como_um_equivoco_sem_nome_de_ninguem_e_o_python_o_le(turma, monkeypatch, capsys):
    _, texto = _rodar(turma, monkeypatch, capsys)
    assert "Ana" not in texto and not any(aluno in texto for aluno in RESPOSTAS)
    inicio = texto.index("      @q.equivoco")
    bloco = texto[inicio : texto.index("\n\n", inicio)]
    assert "def um_nome_curto(" in bloco
    compile("\n".join(linha[6:] for linha in bloco.splitlines()), "exemplo", "exec")


def test_quantos_corta_a_lista_e_diz_quantos_faltam(turma, monkeypatch, capsys):
    _, texto = _rodar(turma, monkeypatch, capsys, "--quantos", "1")
    assert "2. softmax" not in texto and "Há mais 1, menos comuns; para os ver: --quantos 2" in texto


def desconhecido(fez, onde=None, questao="lista-03/pontuacoes"):
    return equivocos.Desconhecido(questao, Veredito("No caso “a”, veio 1.", onde=onde), "def f(): pass", fez)


def test_o_mesmo_conserto_no_mesmo_trecho_junta_quem_errou_tambem_em_outra_coisa():
    a = desconhecido("1", "Olhe a linha 2, em `Q * K`: o sinal da conta.")
    b = desconhecido("2", "Olhe a linha 7, em `q * k`: o sinal da conta.")
    c = desconhecido("3", "Olhe a linha 7, em `q / k`: o sinal da conta.")
    d = desconhecido("1", questao="lista-03/atencao_escalada")
    assert [len(g.respostas) for g in equivocos.agrupar([a, b, c, d])] == [2, 1, 1]


def test_quem_so_erra_nos_sorteados_pede_um_caso_visivel():
    texto = equivocos.mostrar(equivocos.agrupar([desconhecido(None)]), "lista-03-escala", 1, 10)
    assert "falta um caso visível que os separe" in texto and "gabarito/lista_03" in texto


def test_uma_celula_que_nao_se_le_perde_os_comentarios_assim_mesmo():
    assert equivocos.sem_comentarios("def f(:  # Ana\n    1") == "def f(:  \n    1"
