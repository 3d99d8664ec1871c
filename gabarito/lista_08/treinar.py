"""A questão `treinar` da lista 08."""

import copy
import math

import numpy as np
import torch
import torch.nn.functional as F  # noqa: F401 (usado nas tabelas)
from torch import nn

from gabarito.base import caso, funcao, questao

LARGO = 100.0  # um corte a que nenhum gradiente daqui chega


def treinar(modelo, sortear, validacao, taxas, avaliar_em, corte):
    otimizador = torch.optim.AdamW(modelo.parameters())
    perdas, medidas = [], {}
    for passo, taxa in enumerate(taxas, 1):
        modelo.train()
        x, y = sortear()
        perda = modelo(x, y)[1]
        otimizador.zero_grad()
        perda.backward()
        nn.utils.clip_grad_norm_(modelo.parameters(), corte)
        for grupo in otimizador.param_groups:
            grupo["lr"] = taxa
        otimizador.step()
        perdas.append(perda.item())
        if passo in avaliar_em:
            modelo.eval()
            with torch.no_grad():
                medidas[passo] = modelo(*validacao)[1].item()
    return perdas, medidas


def _pares(rng, V, *forma):
    """Textos e alvos ao acaso, (2, *forma); alguns alvos são <PAD>."""
    x, y = rng.integers(1, V, size=(2, *forma))
    y[rng.random(forma) < 0.15] = 0
    y[..., 0] = rng.integers(1, V, size=forma[:-1])  # cada linha tem pelo menos um que conta
    return np.stack([x, y])


def _caso(rng, taxas, avaliar_em=(), corte=LARGO, treino=True, parte="passos", rotulo=""):
    V, bloco, passos = int(rng.integers(4, 6)), 3, len(taxas)
    modelo = funcao("lista_08.modelinho", V=V, bloco=bloco, semente=int(rng.integers(1, 10**6)), dispersao=0.8,
                    treino=treino, no_treino=2.0)  # fmt: skip
    lotes = np.stack([_pares(rng, V, 3, bloco) for _ in range(passos)])  # (passos, 2, 3, bloco)
    validacao = _pares(rng, V, 4, bloco)
    return caso(modelo, torch.tensor(lotes), torch.tensor(validacao), list(taxas), list(avaliar_em), corte,
                parte=parte, rotulo=rotulo)  # fmt: skip


def _taxas(rng, passos):
    """Todas diferentes, e longe das vizinhas."""
    return [round(float(t), 3) for t in rng.permutation(np.geomspace(0.03, 0.4, passos))]


def ocultos(rng):
    constante = round(float(rng.uniform(0.08, 0.15)), 3)
    return [
        _caso(rng, [constante] * 6),
        _caso(rng, [constante] * 4, treino=False),
        _caso(rng, [constante] * 6, [2, int(rng.integers(3, 6)), 6], parte="medidas"),
        _caso(rng, _taxas(rng, 5), parte="taxas e corte"),
        _caso(rng, _taxas(rng, 6), [int(rng.integers(2, 5))], round(float(rng.uniform(0.1, 0.2)), 2),
              parte="taxas e corte"),
    ]  # fmt: skip


def _exemplo():
    modelo = funcao("lista_08.modelinho", V=3, bloco=1, semente=1, dispersao=0.0, no_treino=2.0)
    par = torch.tensor([[[1]], [[2]]])  # x e y, (1, 1) cada um
    return caso(modelo, torch.stack([par, par]), par, [0.1, 0.1], [], 5.0, claro=True, rotulo="o exemplo do enunciado")


_sorte = np.random.default_rng(83)

q = questao(
    "lista-08/treinar",
    assinatura="treinar(modelo, sortear, validacao, taxas, avaliar_em, corte)",
    saida=[("o que se viu", "texto"), ("perdas", "array"), ("medidas", "array"), ("parâmetros no fim", "array")],
    adaptador="lista_08.treinar",
    referencia=treinar,
    rtol=1e-3,
    atol=1e-4,
    casos=[
        _exemplo(),
        _caso(_sorte, [0.1] * 6, rotulo="seis passos com a mesma taxa, longe do corte"),
        _caso(_sorte, [0.1] * 4, treino=False, rotulo="um modelo que chega em modo de avaliação"),
        _caso(_sorte, [0.1] * 6, [2, 4, 6], parte="medidas", rotulo="medidas nos passos 2, 4 e 6"),
        _caso(_sorte, [0.05, 0.1, 0.3, 0.2, 0.08], parte="taxas e corte", rotulo="taxas que sobem e descem"),
        _caso(_sorte, [0.05, 0.1, 0.3, 0.2, 0.08, 0.03], [3], 0.15, parte="taxas e corte", rotulo="corte em 0,15"),
    ],
    ocultos=ocultos,
    partes={"passos": 0.5, "medidas": 0.25, "taxas e corte": 0.25},
)


def _cortar_cada_um(modelo, corte):
    for p in modelo.parameters():
        nn.utils.clip_grad_norm_(p, corte)


q.equivocos_curtos("""
sem-zero-grad: otimizador.zero_grad() → pass
    Os gradientes de um passo se somam aos dos anteriores. O backward acumula: zere-os antes de cada um. Veja a Dica 1.
nada-muda: otimizador.step() → pass
    Os parâmetros do modelo são os mesmos de antes. Ou falta o step (ou o backward), ou os gradientes foram zerados
    entre os dois.
treina-uma-copia: otimizador = torch.optim → modelo = copy.deepcopy(modelo)⏎otimizador = torch.optim
    As perdas estão certas, mas o modelo recebido não mudou: você treinou uma cópia dele.
step-antes-do-backward: otimizador.zero_grad() → otimizador.step()⏎otimizador.zero_grad()
        otimizador.step() → pass
    Cada passo andou com o gradiente do lote anterior: o step veio antes do backward, e o último gradiente se perdeu.
mede-depois-do-passo: perda.item() → modelo(x, y)[1].item()
    Sua primeira perda foi medida depois do passo. Anote a que deu origem a ele, antes de mexer nos parâmetros.
lista-de-tensores: perdas.append(perda.item()) → perdas.append(perda.detach())
    Sua lista é de tensores (e, sem .detach(), cada um segura a conta inteira do seu passo na memória). Guarde números:
    há um método do tensor para isso. Veja a Dica 2.
medidas-de-tensores: (*validacao)[1].item() → (*validacao)[1]
    Suas medidas são tensores. Guarde números, como nas perdas: .item(). Veja a Dica 2.
taxa-ignorada: grupo["lr"] = taxa → pass
    As taxas não entraram na conta: o AdamW usou a taxa padrão dele, 0,001. A de cada passo se põe em
    otimizador.param_groups, antes do step. Veja a Dica 3.
so-a-primeira-taxa: torch.optim.AdamW(modelo.parameters()) → torch.optim.AdamW(modelo.parameters(), lr=taxas[0])
        grupo["lr"] = taxa → pass
    Todos os passos andaram com a primeira taxa. Ela muda a cada passo, e o otimizador é o mesmo. Veja a Dica 3.
taxa-atrasada: for grupo in → otimizador.step()⏎for grupo in
        otimizador.step() → pass
    Cada passo andou com a taxa do anterior (e o primeiro, com a padrão do AdamW): ela mudou depois do step. Ponha a
    taxa antes dele.
sem-corte: nn.utils.clip_grad_norm_(modelo.parameters(), corte) → pass
    O corte não fez efeito. Ou ele falta, ou está fora do lugar: depois do backward, que calcula os gradientes, e antes
    do step, que os usa. Veja a Dica 4.
corta-cada-numero: clip_grad_norm_(modelo.parameters(), corte) → clip_grad_value_(modelo.parameters(), corte)
    Você cortou cada número do gradiente (clip_grad_value_). O corte é da norma, e encolhe todos pelo mesmo fator.
corta-cada-parametro:
        nn.utils.clip_grad_norm_(modelo.parameters(), corte) → _cortar_cada_um(modelo, corte)
    Você cortou a norma de cada parâmetro em separado. A norma é uma só, de todos juntos: dê todos à mesma chamada.
corte-de-sempre: (modelo.parameters(), corte) → (modelo.parameters(), 1.0)
    O corte foi sempre 1. Quem diz quanto é o argumento `corte`.
avalia-em-modo-de-treino: modelo.eval() → pass
    As perdas estão certas, mas as medidas foram feitas em modo de treino, com o dropout ligado. Chame modelo.eval()
    antes de medir. Veja a Dica 5.
nao-volta-ao-treino: for passo, taxa in → modelo.train()⏎for passo, taxa in
        modelo.train() → pass
    Depois da primeira medida, o treino seguiu em modo de avaliação, sem dropout. Volte com modelo.train(). Veja a Dica
    5.
treina-em-modo-de-avaliacao: modelo.train() → pass
    O modelo chegou em modo de avaliação, e você treinou assim, sem dropout. Chame modelo.train() antes de cada passo.
avalia-no-lote-do-treino: modelo(*validacao) → modelo(x, y)
    As perdas estão certas, mas as medidas são do lote do treino. Meça em `validacao`, que o modelo não vê quando
    treina.
conta-os-passos-do-zero: enumerate(taxas, 1) → enumerate(taxas)
    As perdas estão certas, mas a contagem dos passos começou do 0, e as medidas saíram um passo depois (a do último nem
    saiu). O primeiro passo é o 1.
mede-em-todo-passo: if passo in avaliar_em → if True
    Você mediu depois de todos os passos. Meça só nos que estão em `avaliar_em`: no treino de verdade, medir custa caro.
mede-antes-do-passo: modelo.train() → antes = modelo.eval()(*validacao)[1].item()⏎modelo.train()
        medidas[passo] = modelo(*validacao)[1].item() → medidas[passo] = antes
    As perdas estão certas, mas as medidas são de antes do passo. A do passo p vem depois que ele muda os parâmetros.
medidas-em-lista: perdas, medidas = [], {} → perdas, medidas = [], []
        medidas[passo] = modelo(*validacao)[1].item() → medidas.append(modelo(*validacao)[1].item())
    Suas medidas são uma lista. O enunciado pede um dicionário: a chave é o passo, e o valor, a perda.
so-as-perdas: return perdas, medidas → return perdas
    Você devolveu só as perdas. São duas coisas: `return perdas, medidas`.
so-as-medidas: return perdas, medidas → return medidas
    Você devolveu só as medidas. São duas coisas: `return perdas, medidas`.
par-trocado: return perdas, medidas → return medidas, perdas
    O par veio trocado: primeiro as perdas, depois as medidas.
um-lote-so: for passo, taxa in → x, y = sortear()⏎for passo, taxa in
        x, y = sortear() → pass
    Você sorteou um lote só, e treinou sempre com ele: o modelo o decora. Cada passo pede o seu, com `sortear()`.
com-sgd: torch.optim.AdamW → torch.optim.SGD
    O otimizador foi o SGD. O enunciado pede o AdamW, com os valores padrão dele.
betas-de-gpt: torch.optim.AdamW(modelo.parameters()) → torch.optim.AdamW(modelo.parameters(), betas=(0.9, 0.95))
    Os betas do AdamW não são os padrão: parecem (0,9; 0,95), os das receitas de GPT. Aqui tudo fora a taxa fica como
    vem.
decaimento-de-gpt: torch.optim.AdamW(modelo.parameters()) → torch.optim.AdamW(modelo.parameters(), weight_decay=0.1)
    O `weight_decay` do AdamW não é o padrão: parece 0,1. Aqui tudo fora a taxa fica como vem.
betas-e-decaimento-de-gpt: AdamW(modelo.parameters()) → AdamW(modelo.parameters(), betas=(0.9, 0.95), weight_decay=0.1)
    O AdamW não está com os valores padrão: parecem os das receitas de GPT, betas (0,9; 0,95) e weight_decay 0,1. Aqui
    tudo fora a taxa fica como vem.
chama-sem-os-alvos: perda = modelo(x, y)[1] → perda = modelo(x)[1]
    Sem os alvos, o modelo devolve None no lugar da perda: chame-o com os dois, modelo(x, y).
com-adam: torch.optim.AdamW → torch.optim.Adam
    Isso foi o Adam, sem o W. O AdamW também encolhe um pouco os parâmetros a cada passo.
otimizador-novo-a-cada-passo: otimizador = torch.optim.AdamW(modelo.parameters()) → pass
        otimizador.zero_grad() → otimizador = torch.optim.AdamW(modelo.parameters())⏎otimizador.zero_grad()
    Você criou um otimizador a cada passo, e o AdamW esqueceu os gradientes dos anteriores. Crie-o uma vez, antes do
    laço.
alvo-e-o-proprio-x: perda = modelo(x, y)[1] → perda = modelo(x, x)[1]
    Sua primeira perda não é a do lote: os alvos são y, e você treinou o modelo para repetir x.
dois-lotes-por-passo: x, y = sortear() → x, y = sortear()[0], sortear()[1]
    Você chamou `sortear()` duas vezes por passo, e o y não é o alvo daquele x. Chame uma vez só: x, y = sortear().
perda-que-conta-o-pad: modelo(x, y)[1] → F.cross_entropy(modelo(x)[0].flatten(0, 1), y.flatten())
    Sua primeira perda não é a do modelo: você fez a conta de novo, e ela cobra os alvos <PAD>. A perda é a que ele já
    devolve, modelo(x, y)[1].
x-e-y-trocados: x, y = sortear() → y, x = sortear()
    Sua primeira perda não é a do lote: x e y foram dados ao modelo na ordem trocada.
so-uma-parte-muda: torch.optim.AdamW(modelo.parameters()) → torch.optim.AdamW([next(modelo.parameters())])
    Só uma parte dos parâmetros mudou. Dê todos ao otimizador: modelo.parameters().
perdas-arredondadas: perda.item() → round(perda.item(), 1)
    Suas perdas foram arredondadas. Guarde todas as casas. Só arredonde na hora de mostrar.
so-a-ultima-perda: perdas.append(perda.item()) → perdas = [perda.item()]
    Sua lista tem uma perda só, e deve haver uma para cada passo. Ou ela recomeça a cada volta (use append), ou o laço
    só deu a primeira.
""")


@q.equivoco
def para_antes(modelo, sortear, validacao, taxas, avaliar_em, corte):
    """Falta o último passo: a lista tem uma perda a menos que as taxas. Quantas voltas dá o seu laço?"""
    return treinar(modelo, sortear, validacao, taxas[:-1], avaliar_em, corte)


@q.equivoco
def uma_perda_a_mais(modelo, sortear, validacao, taxas, avaliar_em, corte):
    """Há uma perda a mais na lista: deve haver uma para cada taxa. A do modelo depois do último passo fica de fora."""
    perdas, medidas = treinar(modelo, sortear, validacao, taxas, avaliar_em, corte)
    return [*perdas, modelo(*validacao)[1].item()], medidas


@q.alternativa
def lambda__lr(modelo, sortear, validacao, taxas, avaliar_em, corte):
    opt = torch.optim.AdamW(modelo.parameters(), lr=1.0)
    agenda = torch.optim.lr_scheduler.LambdaLR(opt, lambda i: taxas[min(i, len(taxas) - 1)])
    historico, validacoes = [], {}
    for i in range(len(taxas)):
        modelo.train()
        x, y = sortear()
        _logits, perda = modelo(x, y)
        opt.zero_grad(set_to_none=True)
        perda.backward()
        torch.nn.utils.clip_grad_norm_(modelo.parameters(), max_norm=corte)
        opt.step()
        agenda.step()
        historico.append(float(perda.detach()))
        if i + 1 in avaliar_em:
            modelo.eval()
            validacoes[i + 1] = float(modelo(*validacao)[1].detach())
    return historico, validacoes


@q.alternativa
def sem_foreach_e_com_funcao_dentro(modelo, sortear, validacao, taxas, avaliar_em, corte):
    def medir():
        modelo.eval()
        with torch.inference_mode():
            perda = modelo(validacao[0], validacao[1])[1].item()
        modelo.train()
        return perda

    opt = torch.optim.AdamW(modelo.parameters(), foreach=False)
    modelo.train()
    perdas, medidas = [], {}
    for taxa in taxas:
        opt.param_groups[0]["lr"] = taxa
        perda = modelo(*sortear())[1]
        perda.backward()
        nn.utils.clip_grad_norm_(modelo.parameters(), corte, foreach=False)
        opt.step()
        opt.zero_grad()
        perdas.append(perda.item())
        if len(perdas) in set(avaliar_em):
            medidas[len(perdas)] = medir()
    return [*perdas], medidas


@q.alternativa
def adamw_a_mao(modelo, sortear, validacao, taxas, avaliar_em, corte):
    ps = list(modelo.parameters())
    medias, quadrados = [torch.zeros_like(p) for p in ps], [torch.zeros_like(p) for p in ps]
    perdas, medidas = [], {}
    for t, taxa in enumerate(taxas, start=1):
        modelo.train()
        perda = modelo(*sortear())[1]
        gs = torch.autograd.grad(perda, ps)
        norma = math.sqrt(sum(float((g**2).sum()) for g in gs))
        fator = min(1.0, corte / norma)
        with torch.no_grad():
            for p, g, m, v in zip(ps, gs, medias, quadrados, strict=True):
                g = g * fator
                m.mul_(0.9).add_(0.1 * g)
                v.mul_(0.999).add_(0.001 * g**2)
                p.mul_(1 - taxa * 0.01)
                p -= taxa * (m / (1 - 0.9**t)) / ((v / (1 - 0.999**t)).sqrt() + 1e-8)
        perdas.append(perda.item())
        if t in avaliar_em:
            modelo.eval()
            medidas[t] = modelo(*validacao)[1].item()
    return perdas, medidas


@q.alternativa
def corte_a_mao(modelo, sortear, validacao, taxas, avaliar_em, corte):
    estava = modelo.training
    otimizador = torch.optim.AdamW(modelo.parameters(), lr=1e-3, weight_decay=0.01)
    perdas, medidas, passo = [], {}, 0
    while passo < len(taxas):
        modelo.train(True)
        x, y = sortear()
        otimizador.zero_grad()
        perda = modelo(x, y)[1]
        perda.backward()
        norma = torch.cat([p.grad.flatten() for p in modelo.parameters()]).norm()
        if norma > corte:
            for p in modelo.parameters():
                p.grad *= corte / norma
        for g in otimizador.param_groups:
            g["lr"] = taxas[passo]
        otimizador.step()
        passo += 1
        perdas.append(perda.item())
        if passo in avaliar_em:
            modelo.train(False)
            medidas[passo] = modelo(*validacao)[1].item()
    modelo.train(estava)
    return perdas, medidas


@q.alternativa
def fundido(modelo, sortear, validacao, taxas, avaliar_em, corte):
    otimizador = torch.optim.AdamW(modelo.parameters(), fused=True)
    perdas, medidas = [], dict.fromkeys(avaliar_em)
    for passo in range(1, len(taxas) + 1):
        modelo.train()
        perda = modelo(*sortear())[1]
        modelo.zero_grad()
        perda.backward()
        nn.utils.clip_grad_norm_(modelo.parameters(), corte)
        otimizador.param_groups[0]["lr"] = taxas[passo - 1]
        otimizador.step()
        perdas += [perda.item()]
        if passo in medidas:
            with torch.no_grad():
                medidas[passo] = modelo.eval()(*validacao)[1].item()
    return perdas, medidas


@q.alternativa
def treina_uma_copia_e_a_devolve(modelo, sortear, validacao, taxas, avaliar_em, corte):
    copia = copy.deepcopy(modelo)
    resultado = treinar(copia, sortear, validacao, taxas, avaliar_em, corte)
    modelo.load_state_dict(copia.state_dict())
    return resultado
