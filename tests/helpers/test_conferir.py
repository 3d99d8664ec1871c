"""A escada da conferência: uma frase para cada tropeço, e nada que mude o que é do aluno."""

import contextlib
import json
import os
import shutil
import signal
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
import torch
from conftest import RAIZ

from helpers.conferencia import codificacao, comando, execucao
from helpers.conferencia.codificacao import DadoInvalido, codificar, decodificar
from helpers.conferencia.erros import explicar_erro
from helpers.conferencia.exame import observacoes
from helpers.conferencia.execucao import PRAZO, PRAZO_TOTAL, executar, parado
from helpers.conferencia.impressao import Tolerancia, imprimir, reconhecer
from helpers.conferencia.juiz import Juiz
from helpers.conferencia.pecas import peca
from helpers.conferencia.referencia import REFERENCIAS, Caso, Referencia, carregar
from helpers.conferencia.saidas import guardar, partes
from helpers.conferir import Conferencia, conferir, confira

QUESTAO = "aula-00/dobro"


def diagnostico(resposta) -> Conferencia:
    with pytest.raises(Conferencia) as erro:
        conferir(QUESTAO, resposta)
    return erro.value


def test_o_erro_e_um_assertion_error_com_o_nome_do_equivoco():
    erro = diagnostico(lambda x: x**2)
    assert isinstance(erro, AssertionError)
    assert erro.equivoco == "quadrado"
    assert "ao quadrado" in str(erro)


@pytest.mark.parametrize("arquivo", sorted(REFERENCIAS.glob("*.json")), ids=lambda p: p.stem)
def test_toda_referencia_guardada_se_le_e_se_escreve_igual(arquivo):
    for nome, dado in json.loads(arquivo.read_text(encoding="utf-8")).items():
        escrita = Referencia.de_dados(nome, dado).para_dados()
        assert json.dumps(escrita) == json.dumps(dado)  # também na ordem dos campos


def test_fora_do_notebook_o_acerto_nao_diz_nada(capsys):
    assert conferir(QUESTAO, lambda x: 2 * x) is None
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("resposta", "trecho"),
    [
        (3, "deveria ser uma função"),
        (..., "três pontos"),
        (lambda: 1, "precisa aceitar 1 argumento"),
        (lambda x, y: x, "dobro(x)"),
        (lambda x: None, "não devolveu nada"),
        (lambda x: list(2 * x), "devolveu uma lista"),
        (lambda x: (2 * x, x), "devolveu uma tupla"),
        (lambda x: "oi", "devolveu um texto"),
        (lambda x: (2 * x).astype("float16"), "float16"),
        (lambda x: 2 * x + 0j, "complex128"),
        (lambda x: (2 * x)[:, None], "deve ter forma (3,), e a sua tem (3, 1)"),
        (lambda x: (2 * x).sum(), "veio um número só"),
        (lambda x: 2 * x * np.nan, "NaN"),
        (lambda x: 2 * x / np.zeros_like(x), "infinito"),
        (lambda x: 2 * x + 0.01, "esperado 2, veio 2.01"),
        (lambda x: x > 0, "verdadeiro/falso"),
        (lambda x: x @ np.ones((7, 7)), "as dimensões internas do produto de matrizes não batem"),
        (lambda x: nome_que_nao_existe, "NameError"),  # noqa: F821
        (lambda x: sys.exit(), "encerrou o programa"),
        (lambda x: (_ for _ in x), "um gerador"),
        (lambda x: np.sum, "faltaram os parênteses"),
        (lambda x: 10**5000, "um inteiro com mais de 300 algarismos"),
        (lambda x: x[0, 0, 0], "há mais índices do que eixos"),
        (lambda x: 2 * x * (1 + 3e-4), "esperado 2, veio 2.001"),
        (lambda x: {"a": x}, "dicionário"),
    ],
)
def test_cada_tropeco_tem_a_sua_frase(resposta, trecho):
    erro = diagnostico(resposta)
    assert trecho in str(erro)
    assert erro.equivoco is None


def test_a_funcao_por_escrever_e_reconhecida():
    def dobro(x):
        raise NotImplementedError

    assert "ainda não foi escrita" in str(diagnostico(dobro))


def test_a_recursao_sem_fim_tem_a_sua_frase():
    def dobro(x):
        return dobro(x)

    assert "chama a si mesma sem parar" in str(diagnostico(dobro))


def sem_fim(x):
    while True:
        with contextlib.suppress(Exception):
            x = x + 1


def que_engole_tudo(x):
    while True:
        try:  # noqa: SIM105
            x = x + 1
        except:  # noqa: E722
            pass


UM_CASO = [[codificar(np.ones(2))]]
# Para que só um dos dois limites possa acabar: o de processador de quem dorme, e o de relógio de quem trabalha.
MUITO = 10**4


@pytest.mark.parametrize("resposta", [sem_fim, que_engole_tudo])
def test_o_laco_sem_fim_e_interrompido(resposta):
    (registro,) = executar(resposta, 2 * UM_CASO, prazo=0.2, espera=MUITO)
    assert registro.erro["tipo"] == "TempoEsgotado"
    assert sys.gettrace() is None or "coverage" in sys.modules
    assert "não terminou em 0.2 s de processador; há um laço" in explicar_erro(registro.erro, "Em um caso")


@pytest.mark.parametrize("resposta", [sem_fim, que_engole_tudo])
def test_onde_nao_ha_sinais_outra_thread_interrompe(resposta, monkeypatch):
    monkeypatch.delattr(signal, "setitimer", raising=False)
    (registro,) = executar(resposta, 2 * UM_CASO, prazo=0.2, espera=MUITO)
    assert registro.erro["tipo"] == "TempoEsgotado"
    (registro,) = executar(lambda x: 2 * x, UM_CASO)
    assert registro.erro is None


def _trabalhar(segundos):
    fim = time.process_time() + segundos
    while time.process_time() < fim:
        pass


def _dormir(x):
    while True:  # em pedaços: sem sinais, só entre um e outro se interrompe
        time.sleep(0.05)


@pytest.mark.parametrize("com_sinais", [True, False])
def test_quem_dorme_e_interrompido_pelo_relogio_e_ouve_que_estava_parado(monkeypatch, com_sinais):
    if not com_sinais:
        monkeypatch.delattr(signal, "setitimer", raising=False)
    (registro,) = executar(_dormir, UM_CASO, prazo=MUITO, prazo_total=MUITO, espera=0.5 / MUITO)
    assert registro.erro["tipo"] == "EsperaEsgotada"
    frase = explicar_erro(registro.erro, "Em um caso")
    assert (
        frase == "Em um caso, sua função ficou 0.5 s sem quase usar o processador; há um sleep, um input ou uma trava?"
    )


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="este sistema não tem esses sinais")
def test_um_aviso_que_chega_junto_com_o_fim_nao_deixa_nada_armado(monkeypatch):
    desarmar = signal.setitimer

    def com_atraso(temporizador, segundos, intervalo=0.0):
        if segundos == 0:
            signal.raise_signal(signal.SIGPROF if temporizador == signal.ITIMER_PROF else signal.SIGALRM)
        desarmar(temporizador, segundos, intervalo)

    antes = signal.getsignal(signal.SIGPROF), signal.getsignal(signal.SIGALRM)
    monkeypatch.setattr(signal, "setitimer", com_atraso)
    (registro,) = executar(lambda x: 2 * x, [[codificar(np.ones(2))]])
    assert registro.erro is None
    assert (signal.getsignal(signal.SIGPROF), signal.getsignal(signal.SIGALRM)) == antes
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.parametrize("com_sinais", [True, False])
def test_uma_maquina_ocupada_nao_custa_a_quem_responde(monkeypatch, com_sinais):
    """Muitos trechos do relógio passam sem que ela termine, e em cada um ela trabalha um pouco."""
    if not com_sinais:
        monkeypatch.delattr(signal, "setitimer", raising=False)
    trechos = []
    monkeypatch.setattr(execucao, "parado", lambda gasto, relogio: trechos.append(relogio))

    def dobro(x):
        _trabalhar(0.5)
        return 2 * x

    (registro,) = executar(dobro, UM_CASO, prazo=MUITO, prazo_total=MUITO, espera=0.1 / MUITO)
    assert registro.erro is None and trechos.count(0.1) > 1


def test_esta_parado_quem_quase_nao_usa_o_processador_e_nao_quem_espera_a_sua_vez():
    assert parado(0.0, 40) and parado(0.7, 40)
    assert not parado(40, 40) and not parado(1, 40)  # um quadragésimo: oitenta laços ao lado, em dois processadores


def test_o_tempo_de_todas_as_chamadas_tambem_tem_fim():
    def dobro(x):
        _trabalhar(0.1)
        return 2 * x

    registros = executar(dobro, 9 * UM_CASO, prazo=MUITO, prazo_total=0.25, espera=MUITO)
    assert registros[-1].erro["tipo"] == "TempoEsgotado"
    assert len(registros) < 9
    frase = explicar_erro(registros[-1].erro, "No caso 3")
    assert frase == (
        "No caso 3, as chamadas à sua função já somavam 0.25 s de processador; há um laço que dá para evitar?"
    )


def test_o_tempo_parado_de_todas_as_chamadas_tambem_tem_fim():
    def dobro(x):
        time.sleep(0.3)
        return 2 * x

    registros = executar(dobro, 40 * UM_CASO, prazo=MUITO, prazo_total=MUITO, espera=0.5 / MUITO)
    assert registros[-1].erro["tipo"] == "EsperaEsgotada"
    assert len(registros) < 40
    assert "já somavam 0.5 s sem quase usar o processador" in explicar_erro(registros[-1].erro, "No caso 3")


def test_a_pagina_das_regras_diz_os_prazos_que_a_conferencia_tem():
    regras = (RAIZ / "notebooks" / "como-funciona-uma-lista.md").read_text(encoding="utf-8")
    assert f"Cada chamada tem {PRAZO:g} segundos de processador" in regras
    assert f"todas as de uma conferência, juntas, {PRAZO_TOTAL:g}." in regras


def test_a_referencia_de_um_pacote_de_antes_com_um_campo_a_mais_ainda_se_le():
    referencia = carregar("lista-02/softmax")
    assert Referencia.de_dados(referencia.questao, referencia.para_dados() | {"prazo": 2.0}) == referencia


def test_excecoes_que_nao_sao_exception_tambem_viram_frase():
    class Minha(BaseException):
        def __str__(self):
            raise ValueError

    def dobro(x):
        raise Minha

    assert "Minha" in str(diagnostico(dobro))


def test_uma_lista_sem_fim_nao_e_recursao_do_aluno():
    def dobro(x):
        lista = []
        lista.append(lista)
        return lista

    assert "sem fim" in str(diagnostico(dobro))


def test_a_casa_fica_arrumada_depois_da_chamada(tmp_path, monkeypatch):
    antes = os.getcwd(), sys.getrecursionlimit(), np.geterr()

    def dobro(x):
        os.chdir(tmp_path)
        sys.setrecursionlimit(5000)
        np.seterr(all="raise")
        return 2 * x

    conferir(QUESTAO, dobro)
    assert (os.getcwd(), sys.getrecursionlimit(), np.geterr()) == antes


def test_um_segundo_equivoco_nao_esconde_o_primeiro():
    def pontuacoes(Q, K):  # sem a escala, e com duas chaves ainda inverte as colunas
        return Q @ K.T if len(K) != 2 else (Q @ K.T)[:, ::-1]

    with pytest.raises(Conferencia) as erro:
        conferir("lista-03/pontuacoes", pontuacoes)
    assert erro.value.equivoco == "sem-escala"


def test_coincidir_em_metade_dos_casos_nao_basta_para_um_nome():
    def dobro(x):  # eleva ao quadrado, e nas matrizes faz outra coisa
        return x**2 if x.ndim == 1 else (x**2).T

    assert diagnostico(dobro).equivoco is None


def test_um_equivoco_nao_e_nomeado_se_o_aluno_acerta_onde_ele_erraria():
    def dobro(x):  # eleva ao quadrado só os vetores; nas matrizes acerta
        return x**2 if x.ndim == 1 else 2 * x

    erro = diagnostico(dobro)
    assert erro.equivoco is None
    assert "esperado 2, veio 1" in str(erro)


def test_a_funcao_auxiliar_que_falta_e_nomeada():
    def soma(x):
        raise NotImplementedError

    def dobro(x):
        return soma(x)

    assert "usa `soma`, que ainda não foi escrita" in str(diagnostico(dobro))


def test_quem_escreve_na_entrada_e_avisado():
    def dobro(x):
        x *= 2
        return x

    erro = diagnostico(dobro)
    assert erro.equivoco == "altera-a-entrada"
    assert "`x`" in str(erro)


def test_o_que_a_funcao_mostra_nao_aparece_e_rende_um_comentario(capsys):
    def dobro(x):
        print("oi")
        print("erro", file=sys.stderr)
        warnings.warn("cuidado", stacklevel=1)
        return 2 * x

    registros = executar(dobro, [[codificar(np.ones(2))]])
    assert capsys.readouterr() == ("", "")
    frases = observacoes(registros)
    assert any("escreve na tela" in f for f in frases)
    assert any("cuidado" in f for f in frases)


def test_uma_questao_que_nao_existe_sugere_a_mais_parecida():
    with pytest.raises(Conferencia, match="aula-00/dobro"):
        conferir("aula-00/dobr", lambda x: x)


def test_o_array_esperado_nunca_aparece_inteiro():
    texto = str(diagnostico(lambda x: 2 * x + 0.01))
    assert "10" not in texto.replace("10 s", "")


def test_a_semente_global_do_aluno_nao_muda():
    antes = np.random.get_state()[1].copy()  # noqa: NPY002
    conferir(QUESTAO, lambda x: 2 * x)
    assert (np.random.get_state()[1] == antes).all()  # noqa: NPY002


@pytest.mark.parametrize("tipo", [np.float32, np.float64])
def test_float32_e_float64_numpy_e_torch_servem(tipo):
    conferir(QUESTAO, lambda x: (2 * x).astype(tipo))
    conferir(QUESTAO, lambda x: torch.tensor((2 * x).astype(tipo), requires_grad=True))


def test_confira_nunca_interrompe_a_aula(capsys):
    confira(QUESTAO, ...)
    assert "Troque os três pontos" in capsys.readouterr().out


# ---------------------------------------------------------------- dados


@pytest.mark.parametrize(
    "valor",
    [
        *(None, True, 3, 2.5, "texto", float("inf")),
        [1, [2.0, "a"]],
        (1, 2),
        {"rei": np.array([0.5, -1.0])},
        np.arange(6.0).reshape(2, 3),
        np.array([np.nan, np.inf, -np.inf]),
        np.array([[True, False]]),
        np.zeros((0, 3)),
        torch.arange(4, dtype=torch.int64).reshape(2, 2),
    ],
)
@pytest.mark.parametrize("por_extenso", [False, True])
def test_o_que_vai_como_dado_volta_igual(valor, por_extenso):
    volta = decodificar(json.loads(json.dumps(codificar(valor, por_extenso))))
    assert type(volta) is type(valor)
    assert codificar(volta) == codificar(valor) and codificar(volta, True) == codificar(valor, True)


def test_os_bytes_de_um_array_sao_os_mesmos_em_qualquer_ordem_de_memoria():
    a = np.arange(6, dtype=">i4").reshape(2, 3)
    for igual in (a.astype("<i4"), np.asfortranarray(a), a.T.copy().T):
        assert codificar(igual) == codificar(a)
    volta = decodificar(codificar(a))
    volta += 1  # uma cópia, em que se pode escrever
    assert volta.dtype == np.dtype("int32") and (volta == a + 1).all()


@pytest.mark.parametrize(
    "dado",
    [
        {"array": {"tipo": "float64", "forma": [2], "valores": [1.0]}},
        {"array": {"tipo": "object", "forma": [1], "valores": [1.0]}},
        {"array": {"tipo": "float64", "forma": [-1], "valores": []}},
        {"array": {"tipo": "float64", "forma": [10**12], "valores": []}},
        {"array": {"tipo": "uint8", "forma": [1], "valores": [-1]}},
        {"array": {"tipo": "float64", "forma": [1], "valores": ["x"]}},
        {"array": {"tipo": "float64", "forma": [2], "bytes": "AAAAAAAA8D8="}},
        {"array": {"tipo": "float64", "forma": [1], "bytes": "AAAAAAAA8D8=", "valores": [1.0]}},
        {"array": {"tipo": "float64", "forma": [1], "bytes": "AAAAAAAA8D8=\n"}},
        {"array": {"tipo": "float64", "forma": [1], "bytes": "AAAAAAAA8D"}},
        {"array": {"tipo": "float64", "forma": [1], "bytes": "AAAAAAAA8Dé="}},
        {"array": {"tipo": "float64", "forma": [1], "bytes": "AAAA"}},
        {"array": {"tipo": "float64", "forma": [1], "bytes": [0, 0, 0, 0, 0, 0, 240, 63]}},
        {"array": {"tipo": "float64", "forma": [10**5, 10**5], "bytes": ""}},
        {"array": {"tipo": "object", "forma": [1], "bytes": "AAAAAAAA8D8="}},
        {"array": {"tipo": "bool", "forma": [3], "bytes": "AAEC"}},
        {"array": {"tipo": "float64", "forma": [1], "outra": ""}},
        {"array": 3},
        {"pickle": "gASVAAAA"},
        {"gerador": 3},
        {"funcao": {"nome": "lista_04.cabeca", "parametros": {"dict": []}}},
        {"dict": [[{"lista": []}, 1]]},
        {"a": 1, "b": 2},
        [1, 2],
        json.loads('{"lista": [' * 20 + "1" + "]}" * 20),
    ],
)
def test_o_que_nao_tem_o_formato_combinado_e_recusado(dado):
    with pytest.raises(DadoInvalido):
        decodificar(dado)


def test_um_array_enorme_nao_e_guardado():
    assert "outro" in codificar(np.zeros(codificacao.MAXIMO_DE_VALORES + 1))


# ---------------------------------------------------------------- impressões digitais


def test_a_impressao_reconhece_o_valor_com_ruido_e_recusa_os_outros():
    rng = np.random.default_rng(0)
    tolerancia = Tolerancia(1e-4, 1e-6)
    for escala in (1e-5, 1.0, 1e4):
        certo = rng.normal(size=200) * escala
        marca = imprimir(certo, "sal", tolerancia)
        for ruido in (0.0, 0.99, -0.99):
            assert reconhecer(certo + ruido * tolerancia.folga(certo), marca, "sal", tolerancia).all()
        longe = certo + 4 * tolerancia.folga(certo)
        assert not reconhecer(longe, marca, "sal", tolerancia).any()
        assert not reconhecer(certo, marca, "outro sal", tolerancia).any()


def test_nan_so_e_reconhecido_como_nan():
    tolerancia = Tolerancia(1e-4, 1e-6)
    marca = imprimir(np.array([np.nan, np.inf, 1.0]), "sal", tolerancia)
    assert reconhecer(np.array([np.nan, np.inf, 1.0]), marca, "sal", tolerancia).all()
    assert not reconhecer(np.array([0.0, -np.inf, np.nan]), marca, "sal", tolerancia).any()
    certos = np.array([np.nan, np.inf, -np.inf, 1.0])
    assert tolerancia.iguais(certos, certos).all()
    assert not tolerancia.iguais(np.array([0.0, 5.0, np.inf, np.nan]), certos).any()


# ---------------------------------------------------------------- peças, pares e booleanos


def test_so_nomes_de_pecas_servem_de_peca():
    for nome in ("os.system", "lista_04", "lista_04.__import__", "..gabarito.base", "lista_04.cabeca.f"):
        with pytest.raises((ValueError, AttributeError)):
            peca(nome)


@pytest.mark.parametrize("valor", [[(0, 1), (2, 3)], ((0, 1), [2, 3]), np.array([[0, 1], [2, 3]])])
def test_pares_valem_em_lista_tupla_ou_array(valor):
    (parte,) = partes(codificar(valor), ["pares"])
    assert parte.tipo == "[(0, 1), (2, 3)]"


@pytest.mark.parametrize("valor", [3, None, [1, 2], [(1.0, 2)], [(1, 2, 3)], "texto", {"a": 1}])
def test_o_que_nao_e_lista_de_pares_e_dito(valor):
    assert isinstance(partes(codificar(valor), ["pares"]), str)


def _referencia(tipo: str, certo) -> Referencia:
    guardado = guardar(partes(codificar(certo), [tipo]), True, "", Tolerancia(1e-4, 1e-6))
    caso = Caso([], guardado, "um caso")
    return Referencia("lista-00/f", "f()", [("", tipo)], Tolerancia(1e-4, 1e-6), [caso], [])


@pytest.mark.parametrize(
    ("tipo", "certo", "resposta", "trecho"),
    [
        ("bool", True, 1, "um bool"),
        ("bool", True, False, "a resposta certa é a outra"),
        ("int", 3, 3.0, "devolveu um float"),
        ("int", 1, True, "devolveu um bool"),
        ("int", 3, 4, "esperado 3, veio 4"),
        ("float", 2.5, np.array([2.5]), "deve ser um número só"),
        ("array", np.array([True, False]), np.array([1, 0]), "array de booleanos"),
        ("pares", [(0, 1)], [(1, 0)], "esperado [(0, 1)], veio [(1, 0)]"),
    ],
)
def test_cada_tipo_de_saida_tem_a_sua_frase(tipo, certo, resposta, trecho):
    (registro,) = executar(lambda: resposta, [[]])
    assert trecho in Juiz(_referencia(tipo, certo)).julgar([registro]).frase


@pytest.mark.parametrize(
    ("tipo", "certo", "resposta"),
    [
        ("bool", True, np.bool_(True)),
        ("int", 3, np.int64(3)),
        ("int", 3, torch.tensor(3)),
        ("float", 2.0, 2),
        ("texto", "fruta", np.array(["fruta", "roupa"])[0]),
        ("float", 2.5, np.float32(2.5)),
        ("float", 2.5, torch.tensor(2.5, requires_grad=True)),
        ("array", np.array([True, False]), torch.tensor([True, False])),
        ("array", np.arange(6.0).reshape(2, 3), np.asfortranarray(np.arange(6.0).reshape(2, 3))),
    ],
)
def test_a_mesma_resposta_em_outra_roupa_passa(tipo, certo, resposta):
    (registro,) = executar(lambda: resposta, [[]])
    assert Juiz(_referencia(tipo, certo)).julgar([registro]) is None


# ---------------------------------------------------------------- python curso.py conferir


@pytest.mark.parametrize("pasta", ["submitted", "autograded", "feedback"])
@pytest.mark.parametrize("como", ["direto", "por um atalho", "por um atalho de dentro"])
def test_o_comando_nao_roda_uma_entrega_sem_isolamento(tmp_path, monkeypatch, capsys, pasta, como):
    entrega = tmp_path / pasta / "ana" / "lista-01" / "lista-01.ipynb"
    entrega.parent.mkdir(parents=True)
    pedido, de_fora = entrega, tmp_path / "copia.ipynb"
    if como == "por um atalho de dentro":
        de_fora.write_text("{}")
        entrega.symlink_to(de_fora)
    else:
        entrega.write_text("{}")
    if como == "por um atalho":
        (tmp_path / "ana").symlink_to(entrega.parent.parent)
        pedido = tmp_path / "ana" / "lista-01" / "lista-01.ipynb"
    monkeypatch.setattr(comando, "conferir_notebook", lambda caminho: pytest.fail("rodou a entrega"))
    monkeypatch.chdir(tmp_path)
    for caminho in (pedido, pedido.relative_to(tmp_path)):
        assert comando.main([str(caminho)]) == 2
        frase = capsys.readouterr().err
        assert f"pasta de entregas ({pasta})" in frase and "python curso.py corrigir" in frase


def test_o_comando_diz_que_a_resposta_tem_um_erro_de_sintaxe_e_em_que_linha(tmp_path, monkeypatch):
    import nbformat

    caminho = shutil.copy(RAIZ / "release/lista-02-softmax/lista-02-softmax.ipynb", tmp_path)
    quebrada = {"output_type": "error", "ename": "SyntaxError", "evalue": "'(' was never closed (1.py, line 4)"}
    sem_nome = {"output_type": "error", "ename": "NameError", "evalue": "name 'softmax' is not defined"}

    def executado(_, nb):
        saidas = {"softmax": quebrada, "confere-softmax": sem_nome}
        for celula in nb.cells:
            if dela := saidas.get(celula.metadata.get("nbgrader", {}).get("grade_id")):
                celula.outputs = [nbformat.from_dict({**dela, "traceback": []})]
        return nb

    monkeypatch.setattr(comando, "executar_e_validar", executado)
    (dita,) = [s for s in comando.conferir_notebook(Path(caminho)) if s.nome == "softmax"]
    assert (dita.certa, dita.recado) == (
        False,
        "a célula da resposta tem um erro de sintaxe na linha 4, e por isso nada dela rodou",
    )


def test_o_comando_nao_se_confunde_com_o_nome_da_pasta_em_que_o_curso_mora(tmp_path, monkeypatch):
    do_curso = tmp_path / "submitted" / "curso"
    (do_curso / "minhas").mkdir(parents=True)
    (do_curso / "minhas" / "lista-01.ipynb").write_text("{}")
    monkeypatch.setattr(comando, "RAIZ", do_curso)
    assert comando.achar_notebook(str(do_curso / "minhas" / "lista-01.ipynb")).is_file()
