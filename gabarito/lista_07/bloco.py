"""A questão `Bloco` da lista 07."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from gabarito.base import caso, questao
from gabarito.lista_07.comum import exata, tensor


class Bloco(nn.Module):
    """A referência, em pedaços que os equívocos trocam um a um."""

    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.norma1 = nn.LayerNorm(d)
        self.qkv = nn.Linear(d, 3 * d, bias=False)
        self.saida = nn.Linear(d, d, bias=False)
        self.norma2 = nn.LayerNorm(d)
        self.expande = nn.Linear(d, 4 * d)
        self.reduz = nn.Linear(4 * d, d)

    def separar(self, N):
        return self.qkv(N).chunk(3, dim=-1)  # três (B, T, d)

    def dividir(self, Z):
        B, T, d = Z.shape
        return Z.view(B, T, self.h, d // self.h).transpose(1, 2)  # (B, h, T, d/h)

    def juntar(self, H):
        return H.transpose(1, 2).flatten(2)  # (B, T, d)

    def pontuar(self, Q, K):
        return Q @ K.mT / Q.shape[-1] ** 0.5  # (B, h, T, T)

    def pesar(self, S):
        futuro = torch.ones(S.shape[-2:], dtype=torch.bool).triu(1)
        return S.masked_fill(futuro, float("-inf")).softmax(-1)

    def ativar(self, Z):
        return F.gelu(Z)

    def atender(self, N):
        Q, K, V = (self.dividir(Z) for Z in self.separar(N))
        return self.saida(self.juntar(self.pesar(self.pontuar(Q, K)) @ V))

    def pensar(self, N):
        return self.reduz(self.ativar(self.expande(N)))

    def forward(self, X):
        X = X + self.atender(self.norma1(X))
        return X + self.pensar(self.norma2(X))


def _pesos(rng, d, arredonda=False):
    """Pesos de um bloco: pontuações de desvio perto de 1, camada do meio espalhada entre −3 e 3."""

    def matriz(saem, entram, tamanho):
        return rng.normal(size=(saem, entram)) * tamanho / math.sqrt(entram)

    def ganho():
        return rng.uniform(0.7, 1.5, size=d) * rng.choice([-1, 1], size=d)

    pesos = {
        "norma1.weight": ganho(),
        "norma1.bias": rng.normal(size=d) * 0.4,
        "qkv.weight": matriz(3 * d, d, 1.1),
        "saida.weight": matriz(d, d, 1.3),
        "norma2.weight": ganho(),
        "norma2.bias": rng.normal(size=d) * 0.4,
        "expande.weight": matriz(4 * d, d, 1.6),
        "expande.bias": rng.normal(size=4 * d) * 0.5 - 0.5,
        "reduz.weight": matriz(d, 4 * d, 1.5),
        "reduz.bias": rng.normal(size=d) * 0.4,
    }
    return {n: tensor(np.round(p * 16) / 16 + 0.0 if arredonda else p) for n, p in pesos.items()}


_UM_TOKEN, _UMA, _VARIAS = "um token só", "uma cabeça", "várias cabeças"


def _caso_bloco(rng, B, T, d, h, arredonda=False, rotulo=""):
    """Com um token só não há a quem olhar, e nem a máscara nem a escala contam: é a primeira parte."""
    pesos = _pesos(rng, d, arredonda)
    X = rng.normal(size=(B, T, d)) * 1.5 + rng.normal(size=(B, T, 1)) * 0.5
    parte = _UM_TOKEN if T == 1 else _UMA if h == 1 else _VARIAS
    return caso(d, h, pesos, tensor(np.round(X * 8) / 8 + 0.0 if arredonda else X), rotulo=rotulo, parte=parte)


def ocultos(rng):
    return [
        _caso_bloco(rng, 2, 4, 6, 2),
        _caso_bloco(rng, 1, 5, 6, 3),
        _caso_bloco(rng, 3, 3, 8, 4),
        _caso_bloco(rng, 2, 6, 4, 2),
        _caso_bloco(rng, 2, 3, 5, 1),
        _caso_bloco(rng, 1, 4, 3, 1),
        _caso_bloco(rng, 2, 1, 4, 2),
        _caso_bloco(rng, 1, 1, 6, 1),
        _caso_bloco(rng, 1, 9, 8, 2),
    ]


def _pesos_do_exemplo():
    """d = 2 e h = 1: tudo cabe em uma folha de papel."""
    pesos = {n: torch.zeros(p.shape) for n, p in Bloco(2, 1).state_dict().items()}
    for nome in ("norma1.weight", "norma2.weight"):
        pesos[nome] = torch.ones(2)
    pesos["qkv.weight"] = torch.eye(2).repeat(3, 1)
    pesos["saida.weight"] = torch.eye(2)
    pesos["expande.weight"][:2] = torch.eye(2)
    pesos["reduz.weight"][:, :2] = torch.eye(2)
    return pesos


_rng_bloco = np.random.default_rng(76)

q = questao(
    "lista-07/Bloco",
    assinatura="Bloco(d, h)",
    saida=[
        ("o módulo", "texto"),
        ("Y", "array"),
        ("Y com outros tamanhos de T (um resumo de cada)", "array"),
        ("o que dois passos de treino mudam (um resumo por parâmetro e, no fim, o gradiente em X)", "array"),
    ],
    referencia=Bloco,
    depende=["layer_norm", "ffn"],
    casos=[
        caso(
            2, 1, _pesos_do_exemplo(), tensor([[[3, 1], [0, 2]]]),
            claro=True, rotulo="o exemplo do enunciado", parte=_UMA,
        ),
        _caso_bloco(_rng_bloco, 2, 3, 6, 2, True, "duas frases de três tokens, d = 6, h = 2"),
        _caso_bloco(_rng_bloco, 1, 5, 6, 3, True, "uma frase de cinco tokens, d = 6, h = 3"),
        _caso_bloco(_rng_bloco, 3, 2, 4, 1, True, "três frases de dois tokens, d = 4, h = 1"),
        _caso_bloco(_rng_bloco, 2, 1, 4, 2, True, "um token só, d = 4, h = 2"),
        _caso_bloco(_rng_bloco, 1, 4, 8, 2, True, "uma frase de quatro tokens, d = 8, h = 2"),
    ],
    ocultos=ocultos,
    atol=1e-5,  # muitas parcelas que se cancelam, em float32
    adaptador="lista_07.bloco",
    partes={_UM_TOKEN: 0.25, _UMA: 0.375, _VARIAS: 0.375},
)  # fmt: skip


class _Copiada(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))

    def forward(self, x):
        return self.weight * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-6) + self.bias


def _norma_a_mao(x, camada):
    desvios = x - x.mean(-1, keepdim=True)
    return camada.weight * desvios / torch.sqrt((desvios**2).mean(-1, keepdim=True) + camada.eps) + camada.bias


def _atencao_causal(Q, K, V):
    T = Q.shape[-2]
    S = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    t = torch.arange(T)
    return torch.softmax(torch.where(t[None] > t[:, None], -torch.inf, S), dim=-1) @ V


q.equivocos_curtos("""
pos-norma: X + self.atender(self.norma1(X)) → self.norma1(X + self.atender(X))
        X + self.pensar(self.norma2(X)) → self.norma2(X + self.pensar(X))
    Sua normalização está depois da soma: isto é o pós-norma do artigo de 2017. No pré-norma, ela vem na entrada de
    cada subcamada, e o caminho das somas fica livre. Veja a Dica 4.
K-sem-transpor: Q @ K.mT → Q @ K
    As pontuações são Q vezes a transposta de K, nos dois últimos eixos. Sem transpor, a conta só cabe quando T é igual
    a d_h, por acaso.
sem-mascara: S.masked_fill(futuro, float("-inf")) → S
    A atenção olha para o futuro: falta a máscara causal (masked_fill devolve outro tensor: guarde-o). Veja a Dica 3.
mascara-invertida: .triu(1) → .tril(-1)
    Sua máscara está ao contrário: cada token vê a si mesmo e o futuro, e não vê o passado. Olhe qual triângulo ela
    esconde.
mascara-esconde-a-diagonal: .triu(1) → .triu(0)
    Sua máscara esconde também o próprio token: o primeiro fica sem ninguém para ver, e a softmax dá NaN. A diagonal
    fica à vista.
mascara-uma-casa-tarde: .triu(1) → .triu(2)
    Cada token ainda vê o seguinte: a máscara começa uma diagonal acima da certa.
mascara-negada: S.masked_fill(futuro → S.masked_fill(~futuro
    A máscara está ao contrário: no masked_fill, True esconde. Cada token só vê o futuro, e o último, que ficou sem
    ninguém, deu NaN.
mascara-depois-da-softmax: S.masked_fill(futuro, float("-inf")).softmax(-1) → S.softmax(-1).tril()
    Você zerou os pesos depois da softmax: as linhas deixam de somar 1, e o futuro ainda conta no denominador. A máscara
    entra antes, com −inf. Veja a Dica 3.
mascara-com-zero: S.masked_fill(futuro, float("-inf")) → S.tril()
    Você pôs 0 nas pontuações do futuro, e e⁰ = 1 ainda é peso. Para esconder, ponha −inf antes da softmax.
zero-vezes-infinito: S.masked_fill(futuro, float("-inf")) → (S + torch.ones(S.shape[-2:]).triu(1) * float("-inf"))
    Sua máscara multiplica uma matriz de 0 e 1 por −inf, e 0 · inf é NaN: estraga até o que fica à vista. Ponha −inf só
    onde se esconde (masked_fill, ou torch.full com −inf e depois triu).
softmax-no-eixo-errado: .softmax(-1) → .softmax(-2)
    A softmax foi feita ao longo das consultas. São os pesos de cada linha, no último eixo, que somam 1.
sem-residuo-na-atencao: X + self.atender(self.norma1(X)) → self.atender(self.norma1(X))
    Falta a conexão residual em volta da atenção: some X à saída dela antes de seguir.
sem-residuo-na-feed-forward: X + self.pensar(self.norma2(X)) → self.pensar(self.norma2(X))
    Falta a segunda conexão residual: a saída da feed-forward se soma ao que entrou nela (antes da normalização).
sem-residuos: X = X + self.atender(self.norma1(X)) → X = self.atender(self.norma1(X))
        return X + self.pensar → return self.pensar
    Não há conexão residual nenhuma: a entrada se perde. São duas somas, uma em volta da atenção e outra em volta da
    feed-forward.
residuo-normalizado: X = X + self.atender(self.norma1(X)) → X = self.norma1(X)⏎X = X + self.atender(X)
        return X + self.pensar(self.norma2(X)) → X = self.norma2(X)⏎return X + self.pensar(X)
    Você somou a saída da subcamada à versão normalizada de X. O caminho residual leva o próprio X; a normalização é
    só para a entrada da subcamada.
primeiro-residuo-normalizado: X = X + self.atender(self.norma1(X)) → N = self.norma1(X)⏎X = N + self.atender(N)
    A primeira soma usa X já normalizado por `norma1` (um X = self.norma1(X)?). O caminho residual leva o X que chegou;
    a normalização é só para a entrada da atenção.
segundo-residuo-normalizado: X = X + self.atender(self.norma1(X)) → N = self.norma2(X + self.atender(self.norma1(X)))
        X + self.pensar(self.norma2(X)) → N + self.pensar(N)
    A segunda soma usa Z já normalizado por `norma2` (um Z = self.norma2(Z)?). O caminho residual leva o próprio Z; a
    normalização é só para a entrada da feed-forward.
residuo-da-entrada-original: X = X + self.atender(self.norma1(X)) → Z = X + self.atender(self.norma1(X))
        .norma2(X) → .norma2(Z)
    A segunda soma voltou ao X da entrada do bloco, e o que a atenção fez se perdeu do caminho. Some ao X que já passou
    pela atenção.
em-paralelo: X = X + self.atender → Z = X + self.atender
        return X + self.pensar → return Z + self.pensar
    A feed-forward leu o X de antes da atenção: as duas ficaram em paralelo (há modelos assim). Aqui ela lê o resultado
    da primeira soma.
feed-forward-antes: self.atender(self.norma1(X)) → self.pensar(self.norma2(X))
        self.pensar(self.norma2(X)) → self.atender(self.norma1(X))
    A ordem está trocada: primeiro a atenção (com norma1), depois a feed-forward (com norma2).
normas-trocadas: self.norma1(X) → self.norma2(X)
        self.norma2(X) → self.norma1(X)
    As duas normalizações estão trocadas: `norma1` é a da atenção e `norma2` a da feed-forward.
norma1-esquecida: self.norma1(X) → X
    A `norma1` ficou fora da conta, e o gradiente nem chega aos parâmetros dela: a atenção deve receber X normalizado
    por ela.
sem-normas: self.atender(self.norma1(X)) → self.atender(X)
        self.pensar(self.norma2(X)) → self.pensar(X)
    As duas normalizações foram criadas e não entraram na conta. Chame `norma1` antes da atenção e `norma2` antes da
    feed-forward.
norma2-esquecida: .norma2(X) → .norma1(X)
    A `norma2` ficou fora da conta: ou a feed-forward recebeu X sem normalizar (ela foi chamada, e o resultado se
    perdeu?), ou você usou `norma1` duas vezes.
sem-a-projecao-de-saida: return self.saida(self.juntar → return (self.juntar
    A projeção `saida` ficou fora da conta: depois de juntar as cabeças, é ela que as mistura.
sem-escala: Q @ K.mT / Q.shape[-1] ** 0.5 → Q @ K.mT
    As pontuações não foram divididas por √d_h, a raiz do tamanho de uma cabeça (aula 03).
escala-pelo-modelo: Q.shape[-1] ** 0.5 → (self.h * Q.shape[-1]) ** 0.5
    Você dividiu por √d, o tamanho do modelo. A escala é a do tamanho de uma cabeça, √(d/h).
escala-sem-raiz: Q.shape[-1] ** 0.5 → Q.shape[-1]
    Você dividiu as pontuações por d_h, sem a raiz, ou por √d_h duas vezes (F.scaled_dot_product_attention já divide).
    Elas ficam pequenas demais.
escala-depois-da-softmax: .pesar(self.pontuar(Q, K)) → .pesar(Q @ K.mT) / Q.shape[-1] ** 0.5
    Você dividiu por √d_h os pesos, depois da softmax, e eles deixaram de somar 1. A escala é das pontuações, antes.
divide-com-reshape-direto: Z.view(B, T, self.h, d // self.h).transpose(1, 2) → Z.reshape(B, self.h, T, d // self.h)
    As cabeças saíram embaralhadas: o reshape direto para (B, h, T, d_h) mistura os tokens. Corte as colunas em (B, T,
    h, d_h) e só depois troque os eixos. Veja a Dica 2.
cabecas-intercaladas:
        Z.view(B, T, self.h, d // self.h).transpose(1, 2) → Z.view(B, T, d // self.h, self.h).permute(0, 3, 1, 2)
    Cada cabeça recebeu colunas intercaladas (0, h, 2h, …). As colunas de uma cabeça são vizinhas.
atencao-entre-as-cabecas: Z.view(B, T, self.h, d // self.h).transpose(1, 2) → Z.view(B, T, self.h, d // self.h)
        H.transpose(1, 2) → H
    Faltou trocar os eixos antes da atenção: com (B, T, h, d_h), cada token olha para as próprias cabeças, e não para
    os outros tokens. A conta quer (B, h, T, d_h).
cabecas-e-tamanho-trocados: .view(B, T, self.h, d // self.h) → .view(B, T, d // self.h, self.h)
    Você fez d/h cabeças de h colunas. São h cabeças, de d/h colunas cada uma.
junta-sem-trocar-os-eixos: return H.transpose(1, 2).flatten(2) → B, h, T, d_h = H.shape⏎return H.reshape(B, T, h * d_h)
    Ao juntar as cabeças faltou trazer o eixo dos tokens para a frente antes do reshape: cada linha mistura tokens. Veja
    a Dica 2.
ordem-K-Q-V: return self.qkv(N).chunk(3, dim=-1) → K, Q, V = self.qkv(N).chunk(3, dim=-1)⏎return Q, K, V
    Consultas e chaves estão trocadas: das 3d saídas de `qkv`, as d primeiras são Q, as do meio K, as últimas V.
ordem-V-K-Q: return self.qkv(N).chunk(3, dim=-1) → V, K, Q = self.qkv(N).chunk(3, dim=-1)⏎return Q, K, V
    A ordem está invertida: das 3d saídas de `qkv`, as d primeiras são Q, as do meio K, as últimas V.
valores-sem-projecao: return self.qkv(N).chunk(3, dim=-1) → Q, K, _ = self.qkv(N).chunk(3, dim=-1)⏎return Q, K, N
    Os pesos de atenção misturaram o próprio X normalizado. O que se mistura são os valores V, a última parte de `qkv`.
gelu-aproximada: .gelu(Z) → .gelu(Z, approximate="tanh")
    A ativação é a GELU com tanh. O enunciado pede a exata, a da questão 1; a diferença é pequena, mas aparece.
relu: F.gelu → torch.relu
    A ativação da feed-forward é a ReLU. O enunciado pede a GELU exata.
pos-norma+relu:
    Este é o bloco do artigo de 2017, com a normalização depois da soma e a ReLU. Aqui é o pré-norma: ela vem na entrada
    de cada subcamada, e a ativação é a GELU exata. Veja a Dica 4.
gelu-no-fim: self.reduz(self.ativar(self.expande(N))) → F.gelu(self.reduz(self.expande(N)))
    A GELU foi aplicada depois de `reduz`. Ela fica no meio, entre `expande` e `reduz`.
sem-ativacao: F.gelu(Z) → Z
    Falta a GELU entre `expande` e `reduz` (foi chamada, e o resultado se perdeu?): sem ela as duas valem por uma só.
dropout-sempre-ligado: self.reduz(self.ativar(self.expande(N))) → F.dropout(self.reduz(F.gelu(self.expande(N))), 0.5)
    Em modo de avaliação, seu bloco responde uma coisa diferente a cada vez. Ou há um dropout sempre ligado (F.dropout
    precisa de training=self.training, e nn.Dropout cuida disso sozinho), ou há uma camada criada no forward, com
    parâmetros novos a cada chamada. Crie-a no __init__.
vies-na-atencao: nn.Linear(d, 3 * d, bias=False) → nn.Linear(d, 3 * d)
        nn.Linear(d, d, bias=False) → nn.Linear(d, d)
    Há vieses a mais: `qkv` e `saida` não têm viés, e o nn.Linear põe um se ninguém disser que não. Crie-as com
    bias=False.
vies-so-na-saida: nn.Linear(d, d, bias=False) → nn.Linear(d, d)
    `saida` tem um viés que não está na tabela: crie-a com bias=False.
feed-forward-sem-vies: nn.Linear(d, 4 * d) → nn.Linear(d, 4 * d, bias=False)
        nn.Linear(4 * d, d) → nn.Linear(4 * d, d, bias=False)
    `expande` e `reduz` têm viés (é o que o nn.Linear faz se você não disser nada): tire o bias=False delas.
largura-2d: nn.Linear(d, 4 * d) → nn.Linear(d, 2 * d)
        nn.Linear(4 * d, d) → nn.Linear(2 * d, d)
    Sua feed-forward só dobra a largura. Ela expande de d para 4d: veja as formas na tabela.
linear-ao-contrario: nn.Linear(d, 3 * d, bias=False) → nn.Linear(3 * d, d, bias=False)
        nn.Linear(d, 4 * d) → nn.Linear(4 * d, d)
        nn.Linear(4 * d, d) → nn.Linear(d, 4 * d)
    As medidas de `qkv` estão trocadas: nn.Linear recebe primeiro quantos números entram e depois quantos saem, e guarda
    a matriz como (saem, entram).
sem-return: return X + self.pensar(self.norma2(X)) → X = X + self.pensar(self.norma2(X))
    O forward não devolve nada: a conta foi feita e se perdeu. Falta o return.
devolve-os-pesos-tambem: X = X + self.atender(self.norma1(X)) → Z = X + self.atender(self.norma1(X))
        X + self.pensar(self.norma2(X)) → Z + self.pensar(self.norma2(Z)), self.qkv(X)
    O forward devolve uma tupla. O enunciado pede só a saída, um tensor (B, T, d): assim os blocos se empilham.
escreve-em-X: X = X + self.atender(self.norma1(X)) → X += self.atender(self.norma1(X)).detach()
    Seu forward escreveu dentro de X (um += no tensor muda o de quem chamou). Escreva X = X + …, que cria outro.
gradiente-cortado: .softmax(-1) → .softmax(-1).detach()
    Parte do gradiente dos parâmetros se perde: há um .detach(), um .data ou um no_grad no meio da conta. O bloco
    treinaria mal, sem nenhum aviso.
entrada-sem-gradiente: X = X + self.atender → X = X.detach()⏎X = X + self.atender
    O gradiente não volta inteiro até X (há um .detach() ou um torch.tensor na entrada). X é a saída do bloco de baixo,
    que assim nunca aprenderia.
pede-a-mascara: def forward(self, X): → def forward(self, X, M):
    Seu forward exige um segundo argumento. O bloco é chamado só com X: faça a máscara lá dentro, do tamanho de T.
norma-na-saida-da-subcamada: self.atender(self.norma1(X)) → self.norma1(self.atender(X))
        self.pensar(self.norma2(X)) → self.norma2(self.pensar(X))
    A normalização foi aplicada à saída de cada subcamada, antes da soma. No pré-norma ela vem na entrada: o que a
    subcamada recebe é X já normalizado.
norma-no-fim: X + self.pensar(self.norma2(X)) → self.norma2(X + self.pensar(self.norma2(X)))
    Há uma normalização a mais, na saída do bloco. No pré-norma a soma final sai como está (a do fim é uma só,
    depois do último bloco do modelo).
consultas-com-consultas: Q @ K.mT → Q @ Q.mT
    As pontuações são de Q com Q: as chaves não entraram na conta. Cada consulta se compara com as chaves, K.
mistura-as-chaves: (self.pontuar(Q, K)) @ V → (self.pontuar(Q, K)) @ K
    Os pesos de atenção misturaram as chaves. O que se mistura são os valores V, a última parte de `qkv`.
ordem-Q-V-K: return self.qkv(N).chunk(3, dim=-1) → Q, V, K = self.qkv(N).chunk(3, dim=-1)⏎return Q, K, V
    Chaves e valores estão trocados: das 3d saídas de `qkv`, as d primeiras são Q, as do meio K, as últimas V.
reshape-direto-nos-dois: Z.view(B, T, self.h, d // self.h).transpose(1, 2) → Z.reshape(B, self.h, T, d // self.h)
        H.transpose(1, 2).flatten(2) → H.reshape(H.shape[0], H.shape[2], -1)
    Ao dividir e ao juntar as cabeças, o reshape foi direto e misturou tokens. Corte em (B, T, h, d_h) e troque os
    eixos; na volta, troque-os antes do reshape.
intercaladas-nos-dois:
        Z.view(B, T, self.h, d // self.h).transpose(1, 2) → Z.view(B, T, d // self.h, self.h).permute(0, 3, 1, 2)
        H.transpose(1, 2).flatten(2) → H.permute(0, 2, 3, 1).flatten(2)
    Cada cabeça recebeu colunas intercaladas, na divisão e na junção. As colunas de uma cabeça são vizinhas: o corte é
    (B, T, h, d_h).
softmax-entre-as-cabecas: .softmax(-1) → .softmax(1)
    A softmax foi feita no eixo 1, o das cabeças, e o que está escondido em todas deu NaN. Ela é no último eixo.
sem-escala-e-sem-mascara: Q @ K.mT / Q.shape[-1] ** 0.5 → Q @ K.mT
        S.masked_fill(futuro, float("-inf")) → S
    São dois erros: falta a máscara causal, e as pontuações não foram divididas por √d_h.
sdpa-com-a-mascara-ao-contrario: Q, K, V = ( → M = torch.ones(N.shape[1], N.shape[1]).triu(1).bool()⏎Q, K, V = (
        self.pesar(self.pontuar(Q, K)) @ V → F.scaled_dot_product_attention(Q, K, V, attn_mask=M)
    Cada token só vê o futuro, e o último não vê ninguém. Na scaled_dot_product_attention, True deixa ver, ao contrário
    do masked_fill: negue a máscara, ou use is_causal=True.
entrada-somada-duas-vezes: X = X + self.atender(self.norma1(X)) → E, X = X, X + self.atender(self.norma1(X))
        return X + self.pensar → return E + X + self.pensar
    A entrada do bloco foi somada duas vezes: ela já está no resultado da primeira soma. A segunda soma é só Z mais a
    feed-forward.
buffer-tril: self.h = h → self.h = h⏎self.register_buffer("tril", torch.eye(9))
    `tril` entrou no state_dict, e não está entre os nomes da tabela. Faça a máscara no forward, ou guarde-a com
    register_buffer e persistent=False.
buffer-mask: self.h = h → self.h = h⏎self.register_buffer("mask", torch.eye(9))
    `mask` entrou no state_dict, e não está entre os nomes da tabela. Faça a máscara no forward, ou guarde-a com
    register_buffer e persistent=False.
""")


@q.equivoco
class mascara_guardada(Bloco):
    """Seu bloco guarda a máscara da primeira chamada e a usa em todas. T muda de uma chamada para outra: faça a máscara
    a cada vez, ou guarde uma grande e corte um pedaço T × T."""

    mascara = None

    def pesar(self, S):
        if self.mascara is None:
            self.mascara = torch.ones(S.shape[-2:], dtype=torch.bool).triu(1)
        return S.masked_fill(self.mascara, float("-inf")).softmax(-1)


@q.equivoco
class uma_cabeca_so(Bloco):
    """O argumento h não foi usado: há uma cabeça só, do tamanho do modelo. Divida Q, K e V em h cabeças."""

    def dividir(self, Z):
        return Z[:, None]


@q.equivoco
class qkv_por_cabeca(Bloco):
    """Você cortou as saídas de `qkv` primeiro em cabeças, e dentro de cada uma em Q, K e V (há modelos assim). Aqui,
    primeiro em Q, K e V, com d colunas cada, e depois em cabeças."""

    def atender(self, N):
        B, T, d = N.shape
        Q, K, V = self.qkv(N).view(B, T, self.h, 3 * d // self.h).transpose(1, 2).chunk(3, dim=-1)
        return self.saida(self.juntar(self.pesar(self.pontuar(Q, K)) @ V))


@q.equivoco
class norma_copiada(Bloco):
    """Sua normalização é a versão muito copiada, com d − 1 na variância e eps fora da raiz. Use nn.LayerNorm, ou a sua
    questão 3."""

    def __init__(self, d, h):
        super().__init__(d, h)
        self.norma1, self.norma2 = _Copiada(d), _Copiada(d)


@q.equivoco
class uma_norma_com_dois_nomes(Bloco):
    """`norma1` e `norma2` são o mesmo módulo, com os mesmos parâmetros. Crie duas, cada uma com o seu
    nn.LayerNorm(d)."""

    def __init__(self, d, h):
        super().__init__(d, h)
        self.norma2 = self.norma1


@q.equivoco
class nomes_em_ingles(nn.Module):
    """Os parâmetros não entram: os nomes dos submódulos não são os da tabela. O nome do atributo (`self.norma1`) vira o
    do parâmetro (`norma1.weight`). Veja a Dica 1."""

    def __init__(self, d, h):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attn, self.proj = nn.Linear(d, 3 * d, bias=False), nn.Linear(d, d, bias=False)
        self.fc1, self.fc2 = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def forward(self, X):
        return X


@q.equivoco
class mascara_em_buffer(Bloco):
    """A máscara guardada com register_buffer entrou no state_dict, e a tabela de nomes não a tem. Passe
    persistent=False, ou faça a máscara no forward."""

    def __init__(self, d, h):
        super().__init__(d, h)
        self.register_buffer("mascara", torch.ones(64, 64, dtype=torch.bool).triu(1))


@q.equivoco
class camadas_no_forward(nn.Module):
    """Seu módulo não tem parâmetro nenhum: as camadas são criadas no forward, e sorteadas a cada chamada. Crie-as
    no __init__, como atributos (self.…)."""

    def __init__(self, d, h):
        super().__init__()
        self.d, self.h = d, h

    def forward(self, X):
        Z = X + nn.Linear(self.d, self.d, bias=False)(nn.LayerNorm(self.d)(X))
        return Z + nn.Linear(4 * self.d, self.d)(F.gelu(nn.Linear(self.d, 4 * self.d)(nn.LayerNorm(self.d)(Z))))


@q.equivoco
class sem_super(nn.Module):
    """Falta chamar `super().__init__()` na primeira linha do __init__: é ela que prepara o módulo para guardar
    camadas."""

    def __init__(self, d, h):
        self.h = h
        self.norma1 = nn.LayerNorm(d)

    def forward(self, X):
        return self.norma1(X)


@q.equivoco
class sem_forward(nn.Module):
    """Sua classe não tem o método `forward`, que o torch chama quando se escreve bloco(X). O nome tem de ser esse."""

    def __init__(self, d, h):
        super().__init__()
        self.norma1 = nn.LayerNorm(d)

    def bloco(self, X):
        return self.norma1(X)


@q.equivoco
class sem_gradiente(Bloco):
    """Os parâmetros entraram, mas o gradiente não passa pela saída: ou o forward ainda devolve X, ou a conta saiu do
    torch (NumPy, .detach(), .data, torch.no_grad()). Faça tudo com tensores, a partir dos submódulos."""

    def forward(self, X):
        with torch.no_grad():
            Z = X + self.atender(self.norma1(X))
            return Z + self.pensar(self.norma2(Z))


@q.alternativa
class com_a_funcao_do_torch(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.norma1, self.norma2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv = nn.Linear(d, 3 * d, bias=False)
        self.saida = nn.Linear(d, d, bias=False)
        self.expande = nn.Linear(d, 4 * d)
        self.reduz = nn.Linear(4 * d, d)

    def forward(self, X):
        B, T, d = X.shape
        Q, K, V = self.qkv(self.norma1(X)).split(d, dim=2)
        Q, K, V = (Z.view(B, T, self.h, d // self.h).transpose(1, 2) for Z in (Q, K, V))
        Y = F.scaled_dot_product_attention(Q, K, V, is_causal=True)
        X = X + self.saida(Y.transpose(1, 2).contiguous().view(B, T, d))
        return X + self.reduz(F.gelu(self.expande(self.norma2(X))))


@q.alternativa
class com_einsum(Bloco):
    def atender(self, N):
        B, T, d = N.shape
        Q, K, V = self.qkv(N).view(B, T, 3, self.h, d // self.h).unbind(2)  # cada um (B, T, h, d/h)
        S = torch.einsum("bthd,bshd->bhts", Q, K) / math.sqrt(d // self.h)
        A = torch.softmax(S + torch.full((T, T), -1e9).triu(1), dim=-1)
        return self.saida(torch.einsum("bhts,bshd->bthd", A, V).reshape(B, T, d))


@q.alternativa
class laco_nas_cabecas(Bloco):
    def atender(self, N):
        T, d = N.shape[1:]
        d_h = d // self.h
        tudo = self.qkv(N)
        cabecas = []
        for i in range(self.h):
            Q, K, V = (tudo[:, :, p * d + i * d_h : p * d + (i + 1) * d_h] for p in range(3))
            S = Q @ K.transpose(1, 2) / d_h**0.5
            S = S.masked_fill(~torch.tril(torch.ones(T, T)).bool(), -1e9)
            cabecas.append(torch.softmax(S, dim=-1) @ V)
        return self.saida(torch.cat(cabecas, dim=-1))


@q.alternativa
class com_funcoes_proprias(Bloco):
    def forward(self, X):
        B, T, d = X.shape
        partes = self.qkv(_norma_a_mao(X, self.norma1)).reshape(B, T, 3, self.h, -1).permute(2, 0, 3, 1, 4)
        X = X + self.saida(_atencao_causal(*partes).permute(0, 2, 1, 3).reshape(B, T, d))
        meio = _norma_a_mao(X, self.norma2) @ self.expande.weight.T + self.expande.bias
        return X + exata(meio) @ self.reduz.weight.T + self.reduz.bias


@q.alternativa
class com_dropout_e_buffer(Bloco):
    def __init__(self, d, h, dropout=0.1, bloco=256):
        super().__init__(d, h)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mascara", torch.tril(torch.ones(bloco, bloco)).view(1, 1, bloco, bloco), persistent=False)

    def pesar(self, S):
        T = S.shape[-1]
        S = S.masked_fill(self.mascara[:, :, :T, :T] == 0, float("-inf"))
        return self.dropout(F.softmax(S, dim=-1))

    def pensar(self, N):
        return self.dropout(self.reduz(nn.GELU()(self.expande(N))))


@q.alternativa
class token_por_token(Bloco):
    def atender(self, N):
        B, T, d = N.shape
        Q, K, V = (self.dividir(Z) for Z in self.separar(N))
        linhas = []
        for t in range(T):  # cada token só recebe o passado, e nem precisa de máscara
            S = (Q[:, :, t : t + 1] * K[:, :, : t + 1]).sum(-1) * (d / self.h) ** -0.5  # (B, h, t + 1)
            linhas.append((S.softmax(-1)[..., None] * V[:, :, : t + 1]).sum(2).reshape(B, d))
        return self.saida(torch.stack(linhas, dim=1))


@q.alternativa
class em_float64(Bloco):
    def __init__(self, d, h):
        super().__init__(d, h)
        self.double()

    def forward(self, X):
        return super().forward(X.double())
