"""A questão `sobreajustar` da lista 08."""

import copy

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from gabarito.base import caso, funcao, questao
from gabarito.testemunha import floats, reais, tupla
from helpers.conferencia.pecas.lista_08 import PASSOS_SEGUIDOS, TREINADO, parametros_da_redinha, ver_treino


def sobreajustar(modelo, x, y, passos):
    otimizador = torch.optim.AdamW(modelo.parameters(), lr=0.01)
    perdas = []
    for _ in range(passos):
        perda = modelo(x, y)[1]
        perdas.append(perda.item())
        otimizador.zero_grad()
        perda.backward()
        otimizador.step()
    return perdas


def _lote_separavel(rng, V, B, T):
    """x e y em que cada token aparece uma vez só; alguns alvos são <PAD>."""
    x = rng.permutation(np.arange(1, V))[: B * T].reshape(B, T)
    y = rng.integers(1, V, size=(B, T))
    y[0, -1] = y[-1, 0] = y[-1, T // 2] = 0
    return torch.tensor(x), torch.tensor(y)


def _caso_decorar(rng, passos, V=18, B=4, T=4, d=64, rotulo=""):
    modelo = funcao("lista_08.redinha", V=V, bloco=T + 2, d=d, semente=int(rng.integers(1, 10**6)))
    return caso(modelo, *_lote_separavel(rng, V, B, T), passos, rotulo=rotulo)


def ocultos(rng):
    return [
        _caso_decorar(rng, 300, V=int(rng.integers(17, 22))),
        _caso_decorar(rng, 1, V=13, B=3, T=4),
        _caso_decorar(rng, int(rng.integers(20, 30)), V=14, B=3, T=4, d=16),
    ]


_lembra = np.random.default_rng(82)


def _testemunha(visto, modelo, x, y, passos):
    """As perdas, os parâmetros que deram cada uma (só nos treinos curtos) e os do fim: a conta é refeita com eles."""
    perdas, trilha, fim = tupla(visto, 3)
    antes = parametros_da_redinha(modelo)
    perdas = floats(perdas, passos)
    trilha = [_dois(ps, antes) for ps in tupla(trilha, passos if passos <= PASSOS_SEGUIDOS else 0)]
    return ver_treino(perdas, trilha, _dois(fim, antes), antes, x, y) == TREINADO


def _dois(parametros, antes):
    return [reais(p, a.shape) for p, a in zip(tupla(parametros, 2), antes, strict=True)]


q = questao(
    "lista-08/sobreajustar",
    assinatura="sobreajustar(modelo, x, y, passos)",
    saida=[("o que se viu", "texto"), ("primeira perda", "float")],
    adaptador="lista_08.sobreajustar",
    testemunha=_testemunha,
    referencia=sobreajustar,
    casos=[
        _caso_decorar(_lembra, 300, rotulo="o exemplo do enunciado, 300 passos"),
        _caso_decorar(_lembra, 1, V=13, B=3, T=4, rotulo="um passo só"),
        _caso_decorar(_lembra, 25, V=14, B=3, T=4, d=16, rotulo="25 passos"),
    ],
    ocultos=ocultos,
)

q.casos[0].claro = True


def _treinar(modelo, x, y, passos, taxa=2.0, custo=None, antes=True):
    """O mesmo treino, com descida simples feita à mão e um equívoco de cada vez."""
    perdas = []
    parametros = list(modelo.parameters())
    for _ in range(passos):
        logits, perda = modelo(x, y)
        perda = perda if custo is None else custo(logits, y)
        gradientes = torch.autograd.grad(perda, parametros)
        with torch.no_grad():
            for p, g in zip(parametros, gradientes, strict=True):
                p -= taxa * g
        perdas.append(perda.item() if antes else modelo(x, y)[1].item())
    return perdas


def _sem_treinar(modelo, x, y, passos):
    """Uma lista do tamanho certo depois de um passo só: basta para os equívocos que se veem na própria lista."""
    return _treinar(modelo, x, y, 1) * passos


@q.equivoco
def sem_zero_grad(modelo, x, y, passos):
    """Os gradientes de um passo se somam aos dos anteriores. O backward acumula: zere-os antes de cada um. Veja a Dica
    1."""
    otimizador = torch.optim.SGD(modelo.parameters(), lr=0.01)
    perdas = []
    for _ in range(passos):
        perda = modelo(x, y)[1]
        perda.backward()
        otimizador.step()
        perdas.append(perda.item())
    return perdas


q.equivocos_curtos("""
nada-muda: _treinar(copy.deepcopy(modelo), x, y, passos)
    Os parâmetros do modelo são os mesmos de antes. Ou falta o step do otimizador (ou o backward), ou os gradientes
    foram zerados entre os dois, ou você treinou uma cópia, ou escreveu `p = p − …`, que só dá outro nome (mude no
    lugar: `p -= …`).
mede-depois-do-passo: _treinar(modelo, x, y, passos, antes=False)
    Sua primeira perda não é a do modelo como chegou: foi medida depois de um passo. Anote a perda que deu origem ao
    passo, antes de mexer nos parâmetros.
lista-de-tensores: [torch.tensor(p) for p in _sem_treinar(modelo, x, y, passos)]
    Sua lista é de tensores (e, sem .detach(), cada um segura a conta inteira do seu passo na memória). Guarde números:
    há um método do tensor para isso. Veja a Dica 2.
taxa-pequena-demais: _treinar(modelo, x, y, passos, taxa=0.001)
    A perda, na lista ou medida no fim, não chega a 0,1 em 300 passos. Se cai devagar, aumente a taxa (com Adam, 0,01 é
    um bom começo); se pula, diminua; se mal se mexe, veja se os gradientes não são zerados entre o backward e o step.
taxa-grande-demais: _treinar(modelo, x, y, passos, taxa=-0.1)
    Depois de uns poucos passos a perda está acima da inicial: os passos são grandes demais (ou sobem, em vez de
    descer). Diminua a taxa de aprendizado.
so-a-ultima-perda: _sem_treinar(modelo, x, y, passos)[-1]
    Você devolveu uma perda só. O enunciado pede a lista, com uma perda para cada passo.
para-antes: otimizador.zero_grad() → if perda < 0.1:⏎    break⏎otimizador.zero_grad()
    A lista não tem uma perda por passo: ou o laço parou antes (um break, ou um return dentro dele), ou a perda só foi
    anotada de vez em quando. Dê todos os passos e anote a perda de cada um.
conta-o-pad: _treinar(modelo, x, y, passos, custo=lambda z, a: F.cross_entropy(z.flatten(0, 1), a.flatten()))
    Sua primeira perda não é a do modelo: os alvos 0, de <PAD>, entraram na média. Use a perda que o próprio modelo
    devolve.
alvo-e-o-proprio-x: _treinar(modelo, x, x, passos)
    Sua primeira perda não é a deste lote: os alvos são y, e você treinou o modelo a repetir x.
devolve-array: np.array(_sem_treinar(modelo, x, y, passos))
    Você devolveu um array. O enunciado pede uma lista de floats do Python.
perdas-em-texto: [f"{p:.4f}" for p in _sem_treinar(modelo, x, y, passos)]
    Sua lista é de textos. O enunciado pede números (float), que se possam desenhar e comparar.
perdas-arredondadas: [round(p, 1) for p in _treinar(modelo, x, y, passos)]
    Suas perdas foram arredondadas. Guarde-as como são; quem mostra é que arredonda.
em-outra-base: [p / np.log(10) for p in _treinar(modelo, x, y, passos)]
    Suas perdas não são as que o modelo devolve: parecem estar em outra base do logaritmo, ou divididas por alguma
    coisa. Anote a perda como ela sai.
sempre-300-passos: _treinar(modelo, x, y, 300)
    Sua função dá sempre 300 passos. Quem diz quantos são é o argumento `passos`.
x-e-y-trocados: _treinar(modelo, y, x, passos)
    Sua primeira perda não é a deste lote: x e y foram dados ao modelo na ordem trocada. O que entra é x; os alvos são
    y.
uma-perda-a-mais: [*_sem_treinar(modelo, x, y, passos), modelo(x, y)[1].item()]
    Há uma perda a mais na lista: são tantas quantos os passos. A medida depois do último passo fica de fora.
""")


@q.equivoco
def so_uma_parte_muda(modelo, x, y, passos):
    """Só uma parte dos parâmetros mudou. Dê todos ao otimizador: modelo.parameters()."""
    parametro, perdas = next(modelo.parameters()), []
    for _ in range(passos):
        perda = modelo(x, y)[1]
        perdas.append(perda.item())
        parametro.data -= 20.0 * torch.autograd.grad(perda, parametro)[0]
    return perdas


@q.equivoco
def perdas_de_outro_passo(modelo, x, y, passos):
    """A primeira perda está certa, mas da segunda em diante a lista não traz as que o modelo tinha em cada passo (é a
    do passo anterior? uma média?). Anote, em cada passo, a perda que deu origem a ele."""
    perdas = _treinar(modelo, x, y, passos)
    return [perdas[0], *perdas[:-1]]


@q.equivoco
def perda_somada(modelo, x, y, passos):
    """Sua primeira perda é a soma sobre os alvos, e não a média. Use a perda que o próprio modelo devolve."""

    def somada(z, a):
        return F.cross_entropy(z.flatten(0, 1), a.flatten(), ignore_index=0, reduction="sum")

    return _treinar(modelo, x, y, passos, taxa=0.1, custo=somada)


@q.alternativa
def adam_com_set_to_none(modelo, x, y, passos):
    modelo.train()
    opt = torch.optim.Adam(modelo.parameters(), lr=3e-3)
    historico = []
    for _ in range(passos):
        _logits, L = modelo(x, y)
        opt.zero_grad(set_to_none=True)
        L.backward()
        opt.step()
        historico.append(float(L.detach()))
    return historico


@q.alternativa
def sgd_com_momento(modelo, x, y, passos):
    opt = torch.optim.SGD(modelo.parameters(), lr=0.1, momentum=0.9)
    historico = []
    for _ in range(passos):
        opt.zero_grad()
        L = modelo(x, y)[1]
        L.backward()
        historico.append(L.detach().item())
        opt.step()
    return historico


@q.alternativa
def descida_a_mao(modelo, x, y, passos):
    historico = []
    for _ in range(passos):
        perda = modelo(x, y)[1]
        gradientes = torch.autograd.grad(perda, list(modelo.parameters()), allow_unused=True)
        with torch.no_grad():
            for p, g in zip(modelo.parameters(), gradientes, strict=True):
                if g is not None:
                    p.sub_(1.0 * g)
        historico.append(perda.item())
    return historico


@q.alternativa
def cosseno_e_corte(modelo, x, y, passos):
    opt = torch.optim.AdamW(modelo.parameters(), lr=0.02, weight_decay=0.1)
    agenda = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=passos)
    historico = []
    for _ in range(passos):
        logits, _perda = modelo(x)
        perda = F.cross_entropy(logits.mT, y, ignore_index=0)
        opt.zero_grad()
        perda.backward()
        nn.utils.clip_grad_norm_(modelo.parameters(), 1.0)
        opt.step()
        agenda.step()
        historico.append(perda.item())
    return historico


@q.alternativa
def linha_por_linha(modelo, x, y, passos):
    opt = torch.optim.Adam(modelo.parameters(), lr=0.01)
    contam = (y != 0).sum()
    historico = []
    for _ in range(passos):
        opt.zero_grad()
        total = 0.0
        for xi, yi in zip(x, y, strict=True):  # gradientes somados de propósito, dentro do mesmo passo
            perda = modelo(xi[None], yi[None])[1] * (yi != 0).sum() / contam
            perda.backward()
            total += perda.item()
        opt.step()
        historico.append(total)
    return historico


@q.alternativa
def lbfgs(modelo, x, y, passos):
    opt = torch.optim.LBFGS(modelo.parameters(), lr=1, max_iter=4)

    def medir():  # o LBFGS mede a perda várias vezes em um passo; a que ele devolve é a primeira
        opt.zero_grad()
        perda = modelo(x, y)[1]
        perda.backward()
        return perda

    return [float(opt.step(medir)) for _ in range(passos)]


@q.alternativa
def treina_uma_copia_e_a_devolve(modelo, x, y, passos):
    copia = copy.deepcopy(modelo)
    historico = _treinar(copia, x, y, passos, taxa=1.0)
    modelo.load_state_dict(copia.state_dict())
    return historico


@q.equivoco
def softmax_antes_da_perda(modelo, x, y, passos):
    """Sua primeira perda não é a do modelo: a softmax entrou antes da cross_entropy, que já a aplica. Use a perda que o
    próprio modelo devolve."""

    def com_softmax(z, a):
        return F.cross_entropy(z.softmax(-1).flatten(0, 1), a.flatten(), ignore_index=0)

    return _treinar(modelo, x, y, passos, custo=com_softmax)
