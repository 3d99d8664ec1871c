"""Ataques ao que o kernel diz ter visto: adaptadores trocados, que rodam no lugar dos nossos e dizem o que querem.

Quem troca o adaptador escolhe cada palavra e cada número da evidência. Só ganha pontos se os números são os certos, e
então tem a resposta.
"""

import copy
import time
from functools import lru_cache

import numpy as np
import pytest
import torch
from conftest import tudo

from correcao.juizo import evidencia
from gabarito.base import Questao, buscar
from gabarito.lista_05.multi_cabecas import multi_cabecas
from gabarito.lista_07.bloco import Bloco
from gabarito.lista_08.gerar import _exatas
from gabarito.lista_08.gpt import GPT
from gabarito.lista_09.gpt_sem_atencao import GPTSemAtencao
from helpers.conferencia.atendimento import codificar_evidencia
from helpers.conferencia.codificacao import DadoInvalido, codificar, decodificar
from helpers.conferencia.execucao import executar
from helpers.conferencia.pecas import ComTestemunha, lista_05, lista_07, lista_08, lista_09
from helpers.conferencia.pecas.modulos import com_outros_tamanhos, dois_passos, gpt_em_uso, ondas, outros_tamanhos

SEMENTE = 7


@pytest.fixture(autouse=True)
def sem_equivocos(monkeypatch):
    """Os equívocos conhecidos só escolhem a frase, e aqui são treinos e demoram; os casos são sempre os mesmos."""
    monkeypatch.setattr(Questao, "oculta", lambda q, semente, com_equivocos=True: _oculta(q.nome, semente))


_com_tudo = Questao.oculta


@lru_cache
def _oculta(nome, semente):
    return _com_tudo(buscar(nome), semente, False)


@lru_cache
def casos(nome):
    return evidencia.pedido(buscar(nome), SEMENTE)["casos"]


def julgar(nome, registros):
    dados = {"questao": nome, "chamada": None, "registros": [r.como_dados() for r in registros]}
    return evidencia.julgar(buscar(nome), SEMENTE, codificar_evidencia(dados))


def fracao_do_falso(nome, falso):
    """Quanto ganha quem põe `falso` no lugar do nosso adaptador, seja qual for a resposta."""
    return julgar(nome, executar(falso, casos(nome), 10.0, 60.0)).fracao


@lru_cache
def honestos(nome):
    """O que a referência faz com o nosso adaptador. Quem mexe nisto mexe em uma cópia."""
    q = buscar(nome)
    return executar(q.adaptar(q.referencia), casos(nome), prazo_total=60.0)


COM_TESTEMUNHA = [
    "lista-05/para_torch",
    "lista-08/GPT",
    "lista-08/gerar",
    "lista-08/lotes",
    "lista-09/tarefa_de_copia",
]


# ---------------------------------------------------------------- quem só diz que está certo


def para_torch_sem_torch(W_Q, W_K, W_V, W_O, h, X, so_os_pesos):
    Y, A = multi_cabecas(X, W_Q, W_K, W_V, W_O, h)
    return lista_05.CERTO, np.zeros(X.shape) if so_os_pesos else Y, A


def bloco_sem_gradiente(d, h, pesos, X):
    """Tudo certo, menos o que um treino mudaria."""
    modulo = Bloco(d, h).eval()
    modulo.load_state_dict(pesos)
    outros = com_outros_tamanhos(modulo, outros_tamanhos(X))
    return lista_07.CERTO, modulo(X), outros, np.zeros(len(pesos) + 1)


def bloco_de_gradiente_cortado(d, h, pesos, X):
    class Cortado(Bloco):
        def pesar(self, S):
            return super().pesar(S).detach()

    modulo, entrada = Cortado(d, h).eval(), X.clone().requires_grad_(True)
    modulo.load_state_dict(pesos)
    nomeados = dict(modulo.named_parameters())
    treino = dois_passos(lambda: (modulo(entrada) * ondas(X.shape)).sum(), [nomeados[n] for n in pesos], entrada)
    return lista_07.CERTO, modulo(X), com_outros_tamanhos(modulo, outros_tamanhos(X)), treino


def bloco_que_esquece_a_entrada(d, h, pesos, X):
    """O gradiente chega aos parâmetros, e não a X: um bloco assim não se empilha."""
    modulo = Bloco(d, h).eval()
    modulo.load_state_dict(pesos)
    nomeados = dict(modulo.named_parameters())
    treino = dois_passos(lambda: (modulo(X) * ondas(X.shape)).sum(), [nomeados[n] for n in pesos])
    return lista_07.CERTO, modulo(X), com_outros_tamanhos(modulo, outros_tamanhos(X)), np.append(treino, 0.0)


def _gpt(este, texto, modelo, nomes, ids, alvos):
    com = modelo(ids, alvos)
    em_uso = gpt_em_uso(modelo, nomes, ids, alvos, modelo.bloco)
    return texto, com[0], float(com[1]) if alvos is not None else 0.0, *em_uso


def gpt_de_gradiente_cortado(este, V, bloco, d, camadas, cabecas, semente, ids, alvos, novo):
    class Cortado(GPT):
        def entrar(self, ids):
            return super().entrar(ids).detach()

    este.testemunha = dict(GPT(**lista_08.NOVO, cabecas=2).named_parameters()) if novo else None
    modelo = Cortado(V, bloco, d, camadas, cabecas)
    dados = lista_08.pesos(V, bloco, d, camadas, semente)
    modelo.load_state_dict(dados)
    return _gpt(este, "um GPT", modelo.eval(), dados, ids, alvos)


def gpt_que_nasce_com_desvio_1(este, V, bloco, d, camadas, cabecas, semente, ids, alvos, novo):
    if novo:
        inicial = GPT(**lista_08.NOVO, cabecas=2)
        torch.nn.init.normal_(inicial.tokens.weight)
        este.testemunha = dict(inicial.named_parameters())
    modelo, dados = GPT(V, bloco, d, camadas, cabecas), lista_08.pesos(V, bloco, d, camadas, semente)
    modelo.load_state_dict(dados)
    return _gpt(este, "um GPT", modelo.eval(), dados, ids, alvos)


def gpt_sem_atencao_cortado(este, V, bloco, d, camadas, mistura, semente, ids, alvos):
    class Cortado(GPTSemAtencao):
        def sair(self, x):
            return self.norma(x.detach()) @ self.tokens.weight.T

    modelo, dados = (
        Cortado(V, bloco, d, camadas, mistura),
        lista_09.sortear_pesos(V, bloco, d, camadas, mistura, semente),
    )
    modelo.load_state_dict(dados)
    return _gpt(este, lista_09.MODELO, modelo.eval(), dados, ids, alvos)


def _escritos(*sorteios):
    """Como o nosso adaptador os manda: cada token, um algarismo."""
    return tuple("".join(map(str, t.flatten().tolist())) for t in sorteios)


def lotes_sem_sorteio(este, dados, bloco, lote, rng):
    """Uma janela depois da outra: há de todas, por igual, e nada foi sorteado."""
    if len(dados) <= bloco:
        raise ValueError(f"{len(dados)} {bloco}")
    m, n = len(dados) - bloco, lista_08.VEZES * lote
    onde = (torch.arange(n) * 7 % m).view(-1, lote, 1) + torch.arange(bloco)
    x, y = dados[onde], dados[onde + 1]
    este.testemunha = _escritos(x, y, x[: lista_08.OUTRAS], x[: lista_08.OUTRAS])
    janelas = dados.unfold(0, bloco, 1)
    return lista_08.LOTES_CERTOS, torch.stack([janelas[:m], janelas[1 : m + 1]], 1)


def lotes_que_so_diz(dados, bloco, lote, rng):
    if len(dados) <= bloco:
        raise ValueError(f"{len(dados)} {bloco}")
    janelas, m = dados.unfold(0, bloco, 1), len(dados) - bloco
    return lista_08.LOTES_CERTOS, torch.stack([janelas[:m], janelas[1 : m + 1]], 1)


def gerar_sem_sorteio(este, modelo, ids, n, temperatura, top_k, rng, com, vezes):
    """As frequências certas, calculadas; e, como sorteios, as próprias frequências, em fila."""
    if vezes == 1:
        return lista_08.GERADOS, buscar("lista-08/gerar").referencia(modelo, ids, n, temperatura, top_k)[
            :, ids.shape[1] :
        ]
    exatas = _exatas(modelo, ids, n, temperatura, top_k)
    um = torch.zeros(lista_08.POUCOS * len(ids), n, dtype=torch.int64)
    muitos = torch.stack([_em_fila(exatas[2 * b], vezes) for b in range(len(ids))], 1).view(-1, 1).repeat(1, n)
    este.testemunha = _escritos(muitos, um, um, um)
    return lista_08.GERADOS, exatas


def _em_fila(p, vezes):
    return torch.arange(len(p)).repeat_interleave((p * vezes).round().long())[:vezes]


def gerar_que_ignora_o_gerador(este, modelo, ids, n, temperatura, top_k, rng, com, vezes):
    """Sorteia de verdade, mas sem o gerador: com a mesma semente saem textos diferentes."""
    certa = buscar("lista-08/gerar").referencia

    def novos(v):
        return certa(modelo, ids.repeat(v, 1), n, temperatura, top_k)[:, ids.shape[1] :]

    if vezes == 1:
        return lista_08.GERADOS, novos(1)
    este.testemunha = _escritos(*(novos(v) for v in (vezes, *[lista_08.POUCOS] * 3)))
    return lista_08.GERADOS, _exatas(modelo, ids, n, temperatura, top_k)


def treinar_que_so_diz(modelo, lotes, validacao, taxas, avaliar_em, corte):
    """A primeira perda, que é fácil, e dali em diante perdas que descem como devem; o modelo não muda."""
    comeco = float(modelo.train()(*lotes[0])[1])
    medidas = [float(modelo.eval()(*validacao)[1]) * 0.98**passo for passo in avaliar_em]
    parametros = torch.cat([p.detach().flatten() for p in modelo.parameters()])
    return lista_08.TREINADO, np.array([comeco * 0.98**i for i in range(len(taxas))]), np.array(medidas), parametros


def treinar_que_inventa_o_modelo(modelo, lotes, validacao, taxas, avaliar_em, corte):
    """As perdas e as medidas certas, de um treino de verdade; os parâmetros do fim, não."""
    sorteados = iter(lotes)
    antes = torch.cat([p.detach().flatten() for p in modelo.parameters()])
    certa = buscar("lista-08/treinar").referencia
    perdas, medidas = certa(modelo, lambda: next(sorteados), validacao, taxas, avaliar_em, corte)
    return lista_08.TREINADO, np.array(perdas), np.array(list(medidas.values())), antes


def copia_sem_sorteio(este, lote, L, V, semente):
    """Todas as sequências, em ordem, com todos os tokens por igual."""

    def feito(linhas, de=0):
        tokens = (torch.arange(linhas * L) + de).view(linhas, L) % (V - 1) + 1
        x = torch.cat([tokens, torch.zeros(linhas, 1, dtype=torch.int64), tokens], dim=1)
        y = torch.full_like(x, -100)
        y[:, L - 1 : -1] = x[:, L:]
        return x, y

    grande = lista_09.linhas_do_lote_grande(L, V)
    este.testemunha = feito(lote), *feito(grande), (feito(40)[0], feito(40, 1)[0]), feito(40)[0], feito(40)[0]
    return _diz_que_e_copia(L, V)


def copia_que_so_diz(lote, L, V, semente):
    return _diz_que_e_copia(L, V)


def _diz_que_e_copia(L, V):
    origem = np.array([*range(1, L + 1), 0, *range(1, L + 1)])
    alvo = np.array([*[-100] * (L - 1), *[1] * (L + 1), -100])
    return lista_09.SORTEIO, origem, alvo, np.array([False, *[True] * (V - 1), False])


FALSOS = {
    "lista-05/para_torch": [para_torch_sem_torch],
    "lista-07/Bloco": [bloco_sem_gradiente, bloco_de_gradiente_cortado, bloco_que_esquece_a_entrada],
    "lista-08/GPT": [gpt_de_gradiente_cortado, gpt_que_nasce_com_desvio_1],
    "lista-08/gerar": [gerar_sem_sorteio, gerar_que_ignora_o_gerador],
    "lista-08/lotes": [lotes_que_so_diz, lotes_sem_sorteio],
    "lista-08/treinar": [treinar_que_so_diz, treinar_que_inventa_o_modelo],
    "lista-09/GPTSemAtencao": [gpt_sem_atencao_cortado],
    "lista-09/tarefa_de_copia": [copia_que_so_diz, copia_sem_sorteio],
}
# O que um falso responde de verdade: a parte de `gerar` que não sorteia; e o bloco com um token só, em que a softmax é
# 1, não tem gradiente, e cortá-la não muda nada. Do resto, nada.
FEITO = {"gerar_sem_sorteio": 1 / 2, "gerar_que_ignora_o_gerador": 1 / 2, "bloco_de_gradiente_cortado": 1 / 4}
PARES = [(nome, falso) for nome, falsos in FALSOS.items() for falso in falsos]


@pytest.mark.parametrize("nome, falso", PARES, ids=[falso.__name__ for _, falso in PARES])
def test_um_adaptador_trocado_que_so_diz_que_esta_certo_nao_da_pontos(nome, falso):
    com_testemunha = falso.__code__.co_varnames[0] == "este"
    assert fracao_do_falso(nome, ComTestemunha(falso) if com_testemunha else falso) == FEITO.get(falso.__name__, 0)


@pytest.mark.parametrize("nome", FALSOS)
def test_a_resposta_certa_com_o_nosso_adaptador_da_todos(nome):
    assert julgar(nome, honestos(nome)).fracao == 1


# ---------------------------------------------------------------- a testemunha torta

TORTOS = [
    None,
    True,
    0,
    -1,
    10**300,
    1.5,
    {"numero": "nan"},
    {"numero": "-inf"},
    "x",
    "x" * 10_000,
    {"lista": []},
    {"tupla": [None] * 6},
    {"lista": [{"lista": [{"lista": [{"lista": [1]}]}]}] * 100},
    {"dict": []},
    {"dict": [[1, 2], ["a", {"lista": []}]]},
    {"dict": [[{"lista": []}, 1]]},
    {"outro": "um valor"},
    {"funcao": {"nome": "lista_08.modelinho", "parametros": {}}},
    {"array": {"tipo": "float64", "forma": [], "valores": [1.0]}},
    {"array": {"tipo": "float16", "forma": [2], "valores": [1e300, -1e300]}},
    {"tensor": {"tipo": "float32", "forma": [2, 0, 3], "valores": []}},
    {"tensor": {"tipo": "int64", "forma": [2], "valores": [2**62, -(2**62)]}},
    {"tensor": {"tipo": "uint8", "forma": [1] * 16, "valores": [200]}},
    {"tensor": {"tipo": "bfloat16", "forma": [1], "valores": ["nan"]}},
    {"tensor": {"tipo": "bool", "forma": [200_000], "valores": [True] * 200_000}},
    {"tensor": {"tipo": "int64", "forma": [10**5, 10**5], "valores": []}},
    {"tensor": {"tipo": "int64", "forma": [10**5, 10**5], "bytes": ""}},
    {"tensor": {"tipo": "bool", "forma": [3], "bytes": "AgIC"}},
    {"tensor": 3},
    [1, 2],
]


def folhas(dado, caminho=()):
    """Os caminhos até cada dado de dentro de uma testemunha codificada, e até ela mesma."""
    yield caminho
    if isinstance(dado, dict) and len(dado) == 1:
        ((nome, corpo),) = dado.items()
        if nome in ("tupla", "lista", "dict") and isinstance(corpo, list):
            de_dentro = [(i, 1) for i in range(len(corpo))] if nome == "dict" else [(i,) for i in range(len(corpo))]
            for onde in de_dentro[:6]:
                alvo = corpo[onde[0]][1] if nome == "dict" else corpo[onde[0]]
                yield from folhas(alvo, (*caminho, nome, *onde))


def trocado(dado, caminho, valor):
    """O dado com outro valor em um lugar; do resto, nada se copia."""
    if not caminho:
        return valor
    passo, *resto = caminho
    novo = copy.copy(dado)
    novo[passo] = trocado(dado[passo], resto, valor)
    return novo


def por_extenso(folha):
    """O corpo de um tensor, com os números escritos um a um."""
    return codificar(decodificar(folha), por_extenso=True)["tensor"]


def quase_certos(folha):
    """Um tensor quase certo, com outra forma, outro tipo, ou um número que não é finito."""
    ((nome, corpo),) = folha.items()
    bytes_a_menos = corpo["bytes"][:-4]
    yield {nome: corpo | {"bytes": bytes_a_menos}}
    yield {nome: corpo | {"bytes": "é" + bytes_a_menos}}
    corpo = por_extenso(folha)
    yield {nome: corpo | {"forma": [len(corpo["valores"])] if len(corpo["forma"]) > 1 else [1, *corpo["forma"]]}}
    yield {nome: corpo | {"forma": [*corpo["forma"], 1]}}
    yield {nome: corpo | {"tipo": "float64" if "int" in corpo["tipo"] else "int64"}}
    for estranho in ("nan", "inf", 1e300, 1e30) if "float" in corpo["tipo"] else ():
        yield {nome: corpo | {"valores": [estranho, *corpo["valores"][1:]]}}


def quase_algarismos(folha):
    """Os sorteios em fila, com um a menos, um a mais, um sinal, uma letra ou um algarismo de outra escrita."""
    return [folha[1:], folha + "1", "-" + folha[1:], "a" + folha[1:], "٣" + folha[1:], "²" + folha[1:]]


def de_fora(folha):
    """Um tensor da forma certa, com um número que não devia estar lá: talvez nem faça falta, mas não para ninguém."""
    nome, corpo = "tensor", por_extenso(folha)
    for estranho in (-1, 10**5, 2**40, -100):
        yield {nome: corpo | {"valores": [estranho, *corpo["valores"][1:]]}}


def _no_caminho(dado, caminho):
    for passo in caminho:
        dado = dado[passo]
    return dado


@pytest.mark.parametrize("nome", COM_TESTEMUNHA)
def test_uma_testemunha_torta_nao_confirma_nada_nao_para_o_juiz_e_nao_o_atrasa(nome):
    q, inicio = buscar(nome), time.process_time()
    pares = [(e, r.testemunha) for e, r in zip(casos(nome), honestos(nome), strict=True) if r.testemunha is not None]
    pares.sort(key=lambda par: len(str(par[1])))
    for entradas, certa in pares if tudo() else pares[:1]:
        assert q.confirma(entradas, certa)
        for caminho in folhas(certa):
            folha = _no_caminho(certa, caminho)
            tensor = isinstance(folha, dict) and "tensor" in folha
            quase = quase_certos(folha) if tensor else quase_algarismos(folha) if isinstance(folha, str) else ()
            for valor in [*TORTOS, *quase]:
                confirmou = q.confirma(entradas, trocado(certa, caminho, valor))
                assert not confirmou or folha == valor, caminho
            for valor in de_fora(folha) if tensor else ():
                assert q.confirma(entradas, trocado(certa, caminho, valor)) in (False, True)
    assert time.process_time() - inicio < 300


def test_so_um_dado_que_nao_e_como_o_combinado_e_um_nao_e_qualquer_outro_erro_e_nosso():
    def lanca(erro):
        def testemunha(visto, x):
            raise erro

        return testemunha

    for erro, sai in ((DadoInvalido("torto"), False), (ZeroDivisionError("nosso"), True), (ValueError("nosso"), True)):
        q = Questao(
            "lista-99/x", "x(x)", "float", float, [], None, [], buscar("lista-02/softmax").tolerancia, 1.0,
            testemunha=lanca(erro),
        )  # fmt: skip
        if sai:
            with pytest.raises(type(erro)):
                q.confirma([1.0], None)
        else:
            assert not q.confirma([1.0], None)
