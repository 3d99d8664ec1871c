"""A questão `tarefa_de_copia` da lista 09."""

import numpy as np
import torch
import torch.nn.functional as F

from gabarito.base import caso, questao
from gabarito.testemunha import inteiros, tupla
from helpers.conferencia.pecas import semente_alta
from helpers.conferencia.pecas.lista_09 import SORTEIO, linhas_do_lote_grande, ver_copia


def tarefa_de_copia(lote, comprimento, V, gerador):
    tokens = torch.randint(1, V, (lote, comprimento), generator=gerador)
    separador = torch.zeros(lote, 1, dtype=torch.int64)
    x = torch.cat([tokens, separador, tokens], dim=1)  # (lote, 2·comprimento + 1)
    y = torch.full_like(x, -100)
    y[:, comprimento - 1 : -1] = x[:, comprimento:]
    return x, y


def ocultos(rng):
    L = [int(v) for v in rng.choice(np.arange(3, 9), size=3, replace=False)]
    lotes = [int(v) for v in rng.choice(np.arange(2, 12), size=5, replace=False)]
    Vs = [int(v) for v in rng.choice(np.arange(5, 16), size=5, replace=False)]
    sementes = [semente_alta(rng) for _ in range(5)]
    sozinha = caso(1, L[0], Vs[1], sementes[0])  # um squeeze a mais só aparece com uma linha
    return [*(caso(*c) for c in zip(lotes, [*L, 2, 1], Vs, sementes, strict=True)), sozinha]


def _testemunha(visto, lote, L, V, _semente):
    """Os lotes, brutos: deles se tiram, de novo, os fatos, que só podem ser estes."""
    pedido, x, y, seguidos, igual, outro = tupla(visto, 6)
    pedido = [inteiros(t, (lote, 2 * L + 1)) for t in tupla(pedido, 2)]
    x, y = (inteiros(t, (linhas_do_lote_grande(L, V), 2 * L + 1)) for t in (x, y))
    primeiro, segundo, igual, outro = (inteiros(t, (40, 2 * L + 1)) for t in (*tupla(seguidos, 2), igual, outro))
    fatos = ver_copia(x, y, (primeiro, segundo), igual, outro, L, V)
    esperados = (
        [*range(1, L + 1), 0, *range(1, L + 1)],  # os tokens, o separador e os tokens outra vez
        [-100] * (L - 1) + [1] * (L + 1) + [-100],
        [False, *[True] * (V - 1), False],
    )
    return fatos[0] == SORTEIO and all(map(np.array_equal, fatos[1:], esperados)) and _e_copia(*pedido, L)


def _e_copia(x, y, L):
    """O lote do tamanho pedido, em que as colunas podem coincidir por acaso: só a estrutura."""
    alvo = torch.full_like(x, -100)
    alvo[:, L - 1 : -1] = x[:, L:]
    return bool((x[:, L] == 0).all()) and torch.equal(x[:, L + 1 :], x[:, :L]) and torch.equal(y, alvo)


q = questao(
    "lista-09/tarefa_de_copia",
    assinatura="tarefa_de_copia(lote, comprimento, V, gerador)",
    saida=[
        ("o que foi devolvido", "texto"),
        ("x, coluna por coluna (k: igual à k-ésima; 0: o separador)", "array"),
        ("y, coluna por coluna (1: o próximo de x; 2: o mesmo; 3: o anterior; −100: não se cobra; −1: outro)", "array"),
        ("tokens que saíram, de 0 a V", "array"),
    ],
    referencia=tarefa_de_copia,
    adaptador="lista_09.tarefa_de_copia",
    testemunha=_testemunha,
    casos=[
        caso(2, 3, 8, 1_414_213_563, claro=True, rotulo="o exemplo do enunciado"),
        caso(5, 4, 6, 1_732_050_807, rotulo="cinco linhas, quatro tokens"),
        caso(3, 7, 12, 1_236_067_977, rotulo="sete tokens, V = 12"),
        caso(4, 1, 5, 1_449_489_743, rotulo="um token só"),
        caso(1, 5, 7, 1_645_751_311, rotulo="uma linha só"),
    ],
    ocultos=ocultos,
)

q.equivocos_curtos("""
alvo-no-que-nao-se-sabe: return x, y → y[:, :-1] = x[:, 1:]⏎return x, y
    Não há −100 na primeira metade de y: você cobra do modelo tokens sorteados, que ninguém pode prever. Só dá para
    saber o separador e a cópia. Veja a Dica 2.
esconde-o-separador: return x, y → y[:, :comprimento] = -100⏎return x, y
    Há um −100 a mais, onde o próximo é o separador. Ele vem sempre no mesmo lugar, depois de `comprimento` tokens, e
    por isso dá para saber.
esconde-o-primeiro-da-copia: return x, y → y[:, : comprimento + 1] = -100⏎return x, y
    Há −100 também na posição do separador, cujo próximo é o primeiro token da cópia. Esse já foi visto, e dá para
    saber.
ultimo-alvo-zero: return x, y → y[:, -1] = 0⏎return x, y
    O último alvo é 0. Depois do último token não há nada: não dá para saber o próximo, e o alvo é −100.
nenhum-menos-100:
        return x, y → x, _ = x, y⏎return x, torch.cat([x[:, 1:], torch.zeros(lote, 1, dtype=torch.int64)], dim=1)
    Não há nenhum −100 em y: nem na parte sorteada, nem na última posição. Não cobre o que não dá para saber.
nenhum-menos-100-com-roll: return x, y → x, _ = x, y⏎return x, x.roll(-1, dims=1)
    Seu y é só o x rolado de uma posição, sem nenhum −100. Não cobre o que não dá para saber (a parte sorteada e o que
    vem depois do fim).
tudo-menos-100: return x, y → return x, torch.full_like(y, -100)
    Todos os alvos são −100: não sobrou nada para aprender. Dá para saber o separador e a cópia.
menos-1-no-lugar-de-menos-100: return x, y → return x, torch.where(y == -100, -1, y)
    Você marcou com −1 o que não se sabe. A marca que a cross_entropy do torch pula é −100.
zero-no-lugar-de-menos-100: return x, y → return x, torch.where(y == -100, 0, y)
    Você marcou com 0 o que não se sabe, mas 0 é o separador: o modelo aprenderia a prevê-lo ali. Use −100.
sem-separador: [tokens, separador, tokens] → [tokens, tokens]
    Faltou o separador entre as duas metades: x tem 2·comprimento + 1 colunas.
corta-o-ultimo-de-x: return x, y → return x[:, :-1].clone(), y[:, :-1].clone()
    Você cortou x e y para que casassem, e ficaram com uma coluna a menos. Aqui x é a sequência inteira, com
    2·comprimento + 1 colunas, e o último alvo é −100.
y-com-uma-coluna-a-menos: return x, y → return x, y[:, :-1].clone()
    Seu y tem uma coluna a menos que x. Ele tem a mesma forma: a última coluna, que não dá para saber, é −100.
nunca-o-ultimo-token: tarefa_de_copia(lote, comprimento, V - 1, gerador)
    O token V − 1 nunca aparece: o limite de cima do torch.randint já fica de fora. Sorteie de 1 a V − 1, inclusive.
passa-do-vocabulario: tarefa_de_copia(lote, comprimento, V + 1, gerador)
    Saiu o token V, que não existe: com V tokens, eles vão de 0 a V − 1. O limite de cima do torch.randint já fica de
    fora.
nao-usa-o-gerador: tarefa_de_copia(lote, comprimento, V, None)
    Com geradores de mesma semente saíram sorteios diferentes: o acaso não veio do gerador. Passe generator=gerador.
semente-fixa: tarefa_de_copia(lote, comprimento, V, torch.Generator().manual_seed(0))
    Duas chamadas seguidas deram o mesmo lote: há uma semente nova lá dentro. Use só o gerador que você recebeu, do
    jeito que está.
em-float: return x, y → return x.float(), y.float()
    Os tokens saíram em ponto flutuante. Os ids são inteiros: um embedding só aceita int64.
menos-100-em-x: tarefa_de_copia(lote, comprimento, V, gerador)[::-1]
    Há −100 dentro de x, e ele só existe em y. Você devolveu (y, x), ou escreveu os −100 no tensor errado?
esconde-o-ultimo-da-copia: return x, y → y[:, -2] = -100⏎return x, y
    Há −100 na penúltima posição, cujo próximo é o último token da cópia. Esse já foi visto: só a última posição não tem
    próximo.
so-x: tarefa_de_copia(lote, comprimento, V, gerador)[0]
    Você devolveu um tensor só. O enunciado pede o par (x, y).
copia-sem-deslocar: y[:, comprimento - 1 : -1] = x[:, comprimento:] → y[:, comprimento + 1 :] = x[:, comprimento + 1 :]
    Na cópia, seu y repete o próprio token de x, e o separador não é cobrado. O alvo é o token seguinte, uma posição à
    frente.
y-igual-a-x: return x, y → return x, x.clone()
    Seu y é uma cópia de x, sem deslocar e sem nenhum −100. O alvo de cada posição é o token seguinte, e onde não dá
    para saber vai −100.
junta-no-eixo-errado: [tokens, separador, tokens], dim=1 → [tokens, separador, tokens], dim=0
    O torch.cat juntou as três partes uma embaixo da outra (dim=0), e as larguras não combinam. Elas ficam lado a lado:
    dim=1.
roll-que-esconde-o-separador: return x, y → y = x.roll(-1, dims=1)⏎y[:, :comprimento] = -100⏎return x, y
    São dois erros: o separador pode ser previsto, porque vem sempre no mesmo lugar, e por isso tem alvo; e depois do
    último token não há nada (o roll deu a volta): ali vai −100.
roll-e-nunca-o-ultimo: torch.randint(1, V, → torch.randint(1, V - 1,
        return x, y → y = x.roll(-1, dims=1)⏎y[:, : comprimento - 1] = -100⏎return x, y
    São dois erros: o último alvo é o primeiro token (o roll deu a volta), e ali vai −100; e o token V − 1 nunca sai,
    porque o limite do randint já fica de fora.
""")


@q.equivoco
def cobra_o_ultimo_sorteado(lote, comprimento, V, gerador):
    """Falta um −100: na penúltima posição antes do separador o próximo token ainda é sorteado, e não dá para saber
    qual é."""
    x, y = tarefa_de_copia(lote, comprimento, V, gerador)
    inicio = max(comprimento - 2, 0)
    y[:, inicio:-1] = x[:, inicio + 1 :]
    if comprimento == 1:
        y[:, 0] = -100
    return x, y


@q.equivoco
def ultimo_alvo_da_a_volta(lote, comprimento, V, gerador):
    """O último alvo é o primeiro token: o roll deu a volta. Depois do fim não há nada, e o alvo é −100."""
    x, _ = tarefa_de_copia(lote, comprimento, V, gerador)
    y = x.roll(-1, dims=1)
    y[:, : comprimento - 1] = -100
    return x, y


@q.equivoco
def sem_deslocar(lote, comprimento, V, gerador):
    """Seu y repete o próprio token de x. O alvo é o token seguinte, uma posição à frente."""
    x, _ = tarefa_de_copia(lote, comprimento, V, gerador)
    y = x.clone()
    y[:, :comprimento] = -100
    return x, y


@q.equivoco
def desloca_para_o_outro_lado(lote, comprimento, V, gerador):
    """Seu y é x um passo atrás: o alvo é o token anterior, que o modelo já leu. Ele deve ser o seguinte."""
    x, _ = tarefa_de_copia(lote, comprimento, V, gerador)
    y = x.roll(1, dims=1)
    y[:, : comprimento + 1] = -100
    return x, y


@q.equivoco
def esconde_a_copia(lote, comprimento, V, gerador):
    """Os −100 estão na metade errada: você cobra a parte sorteada e perdoa a cópia, que é a única que dá para saber."""
    x, _ = tarefa_de_copia(lote, comprimento, V, gerador)
    y = x.roll(-1, dims=1)
    y[:, comprimento:] = -100
    return x, y


@q.equivoco
def copia_ao_contrario(lote, comprimento, V, gerador):
    """A segunda metade é a primeira de trás para a frente. O enunciado pede os mesmos tokens na mesma ordem."""
    x, y = tarefa_de_copia(lote, comprimento, V, gerador)
    x = torch.cat([x[:, : comprimento + 1], x[:, :comprimento].flip(1)], dim=1)
    y[:, comprimento - 1 : -1] = x[:, comprimento:]
    if comprimento == 1:
        x[:, 2] = x[:, 0]
    return x, y


@q.equivoco
def sorteia_de_novo(lote, comprimento, V, gerador):
    """A segunda metade foi sorteada de novo, e não é cópia de nada. Guarde o sorteio e use-o duas vezes."""
    partes = [torch.randint(1, V, (lote, comprimento), generator=gerador) for _ in range(2)]
    x = torch.cat([partes[0], torch.zeros(lote, 1, dtype=torch.int64), partes[1]], dim=1)
    y = torch.full_like(x, -100)
    y[:, comprimento - 1 : -1] = x[:, comprimento:]
    return x, y


@q.equivoco
def sorteia_o_zero(lote, comprimento, V, gerador):
    """O token 0 aparece entre os sorteados, e ele é o separador. Sorteie de 1 a V − 1. Veja a Dica 1."""
    tokens = torch.randint(0, V, (lote, comprimento), generator=gerador)
    x = torch.cat([tokens, torch.zeros(lote, 1, dtype=torch.int64), tokens], dim=1)
    y = torch.full_like(x, -100)
    y[:, comprimento - 1 : -1] = x[:, comprimento:]
    return x, y


@q.equivoco
def separador_V(lote, comprimento, V, gerador):
    """O separador é o token 0, e o seu é outro."""
    x, y = tarefa_de_copia(lote, comprimento, V, gerador)
    x[:, comprimento] = V
    y[:, comprimento - 1] = V
    return x, y


@q.equivoco
def a_mesma_linha_no_lote(lote, comprimento, V, gerador):
    """Todas as linhas do lote são iguais: você sorteou uma sequência só. Sorteie (lote, comprimento) tokens."""
    x, y = tarefa_de_copia(1, comprimento, V, gerador)
    return x.repeat(lote, 1), y.repeat(lote, 1)


@q.equivoco
def o_mesmo_token_na_linha(lote, comprimento, V, gerador):
    """Em cada linha saiu um token só, repetido. Sorteie um para cada posição: (lote, comprimento)."""
    x, y = tarefa_de_copia(lote, comprimento, V, gerador)
    if comprimento == 1:
        return x, y
    x[:, :comprimento] = x[:, :1]
    x[:, comprimento + 1 :] = x[:, :1]
    y[:, comprimento - 1 : -1] = x[:, comprimento:]
    return x, y


@q.equivoco
def sem_repeticao(lote, comprimento, V, gerador):
    """Em cada linha os tokens são todos diferentes: parece uma permutação. Aqui um token pode se repetir."""
    x, y = tarefa_de_copia(lote, comprimento, V, gerador)
    if comprimento > 1:
        linhas = torch.stack([torch.randperm(max(V - 1, comprimento), generator=gerador) for _ in range(lote)])
        x[:, :comprimento] = x[:, comprimento + 1 :] = linhas[:, :comprimento] % (V - 1) + 1
        y[:, comprimento - 1 : -1] = x[:, comprimento:]
    return x, y


@q.equivoco
def y_e_o_proprio_x(lote, comprimento, V, gerador):
    """Seus x e y são o mesmo tensor: ou você devolveu x duas vezes, ou fez `y = x`, que não copia (escrever em um muda
    o outro). Use clone()."""
    x, certo = tarefa_de_copia(lote, comprimento, V, gerador)
    y = x
    y[:] = certo
    return x, y


@q.equivoco
def chances_diferentes(lote, comprimento, V, gerador):
    """Os tokens não saem todos com a mesma frequência: trocar os zeros por outro token, ou arredondar um sorteio, muda
    as chances. Sorteie direto de 1 a V − 1."""
    tokens = torch.randint(0, V, (lote, comprimento), generator=gerador).clamp(min=1)
    x = torch.cat([tokens, torch.zeros(lote, 1, dtype=torch.int64), tokens], dim=1)
    y = torch.full_like(x, -100)
    y[:, comprimento - 1 : -1] = x[:, comprimento:]
    return x, y


@q.equivoco
def linhas_em_ordem(lote, comprimento, V, gerador):
    """Os tokens de cada linha não saem ao acaso: os menores vêm antes. Não ordene o que foi sorteado."""
    x, y = tarefa_de_copia(lote, comprimento, V, gerador)
    x[:, :comprimento] = x[:, comprimento + 1 :] = x[:, :comprimento].sort(dim=1).values
    y[:, comprimento - 1 : -1] = x[:, comprimento:]
    return x, y


@q.alternativa
def roll_e_mascara(lote, comprimento, V, gerador):
    metade = torch.randint(low=1, high=V, size=(lote, comprimento), generator=gerador)
    x = torch.zeros(lote, 2 * comprimento + 1, dtype=torch.long)
    x[:, :comprimento] = metade
    x[:, comprimento + 1 :] = metade
    y = x.roll(-1, dims=1)
    y[:, : comprimento - 1] = -100
    y[:, -1] = -100
    return x, y


@q.alternativa
def sorteio_por_multinomial(lote, comprimento, V, gerador):
    pesos = torch.ones(V)
    pesos[0] = 0
    tokens = torch.multinomial(pesos, lote * comprimento, replacement=True, generator=gerador).view(lote, comprimento)
    x = torch.hstack([tokens, tokens.new_zeros(lote, 1), tokens])
    y = torch.hstack([x[:, 1:], tokens.new_full((lote, 1), -100)])
    t = torch.arange(2 * comprimento + 1)
    return x, torch.where(t < comprimento - 1, -100, y)


@q.alternativa
def reais_vezes_V(lote, comprimento, V, gerador):
    tokens = (torch.rand(lote, comprimento, generator=gerador, dtype=torch.float64) * (V - 1)).long() + 1
    x = F.pad(tokens, (0, 1))
    x = torch.cat((x, tokens), dim=-1)
    y = F.pad(x, (0, 1), value=-100)[:, 1:].contiguous()
    y[:, torch.arange(comprimento - 1)] = -100
    return x, y


@q.alternativa
def linha_por_linha(lote, comprimento, V, gerador):
    xs, ys = [], []
    for _ in range(lote):
        s = torch.randint(V - 1, (comprimento,), generator=gerador).add(1).tolist()
        linha = [*s, 0, *s]
        xs.append(linha)
        ys.append([-100] * (comprimento - 1) + linha[comprimento:] + [-100])
    return torch.tensor(xs), torch.tensor(ys)


@q.alternativa
def semente_para_o_numpy(lote, comprimento, V, gerador):
    semente = torch.randint(0, 2**31, (1,), generator=gerador).item()  # o acaso ainda vem todo do gerador
    tokens = torch.from_numpy(np.random.default_rng(semente).integers(1, V, size=(lote, comprimento)))
    nada = torch.full((lote, 1), -100)
    x = torch.cat([tokens, torch.zeros_like(nada), tokens], dim=1)
    return x, torch.cat([nada.expand(-1, comprimento - 1), x[:, comprimento:], nada], dim=1)


@q.alternativa
def indices_e_devolve_lista(lote, comprimento, V, gerador):
    s = torch.randint(1, V, (comprimento, lote), generator=gerador).T
    indice = torch.arange(2 * comprimento + 1)
    x = s[:, (indice % (comprimento + 1)).clamp(max=comprimento - 1)].clone()
    x[:, comprimento] = 0
    y = torch.full(x.shape, -100)
    for t in range(comprimento - 1, 2 * comprimento):
        y[:, t] = x[:, t + 1]
    return [x, y]
