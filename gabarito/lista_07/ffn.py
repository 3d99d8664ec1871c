"""A questão `ffn` da lista 07."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from gabarito.base import caso, questao
from gabarito.lista_07.comum import exata, tensor


def ffn(x, W1, b1, W2, b2):
    x, W1, b1, W2, b2 = (t.double() for t in (x, W1, b1, W2, b2))
    return (exata(x @ W1 + b1) @ W2 + b2).float()


def _caso_ffn(rng, forma, largura, baixo=False, arredonda=False, rotulo=""):
    """x, W1, b1, W2, b2; com `baixo`, os números da camada do meio caem entre −3 e −1, onde a GELU exata se separa."""
    d = forma[-1]
    x = rng.normal(size=forma) * (0.2 if baixo else 1.3)
    W1 = rng.normal(size=(d, largura)) / math.sqrt(d) * (1.0 if baixo else 1.4)
    b1 = -rng.uniform(1.6, 2.6, size=largura) if baixo else rng.normal(size=largura) * 0.7
    W2 = rng.normal(size=(largura, d)) * (2.0 if baixo else 1 / math.sqrt(largura) * 1.5)
    b2 = rng.choice([-1, 1], size=d) * rng.uniform(0.05, 0.2, size=d) * (1 if baixo else 5)
    tudo = (x, W1, b1, W2, b2)
    return caso(*(tensor(np.round(v * 16) / 16 + 0.0 if arredonda else v) for v in tudo), rotulo=rotulo)


def ocultos(rng):
    return [
        _caso_ffn(rng, (4, 3), 7),
        _caso_ffn(rng, (2, 3, 4), 16),
        _caso_ffn(rng, (5, 6), 4),
        _caso_ffn(rng, (3, 4), 9, baixo=True),
        _caso_ffn(rng, (2, 2, 3), 8, baixo=True),
        _caso_ffn(rng, (5,), 11),
        _caso_ffn(rng, (1, 2), 5, baixo=True),
    ]


_rng_ffn = np.random.default_rng(74)

q = questao(
    "lista-07/ffn",
    assinatura="ffn(x, W1, b1, W2, b2)",
    saida="array",
    referencia=ffn,
    depende=["gelu"],
    casos=[
        caso(
            tensor([[1, 2], [0, -1]]), tensor([[1, 0, -1], [0, 1, 1]]), tensor([0, -1, 0]),
            tensor([[1, 0], [2, 1], [0, -1]]), tensor([0.5, 0]),
            claro=True, rotulo="o exemplo do enunciado",
        ),
        _caso_ffn(_rng_ffn, (3, 4), 7, arredonda=True, rotulo="três tokens, d = 4, largura 7"),
        _caso_ffn(_rng_ffn, (2, 3, 2), 5, arredonda=True, rotulo="um lote de duas frases"),
        _caso_ffn(_rng_ffn, (3, 3), 8, baixo=True, arredonda=True, rotulo="camada do meio toda negativa"),
        _caso_ffn(_rng_ffn, (4,), 3, arredonda=True, rotulo="um vetor só, e uma camada que encolhe"),
    ],
    ocultos=ocultos,
    atol=1e-5,  # muitas parcelas que se cancelam, em float32
)  # fmt: skip

q.equivocos_curtos("""
relu: torch.relu(x @ W1 + b1) @ W2 + b2
    Você usou a ReLU no meio. Aqui a ativação é a GELU exata, a da questão 1.
gelu-aproximada: F.gelu(x @ W1 + b1, approximate="tanh") @ W2 + b2
    A ativação é a GELU aproximada, com tanh. O enunciado pede a exata; a diferença é pequena, mas aparece.
aproximada-com-sigmoide: x, W1, b1, W2, b2 = (t.double() for t in (x, W1, b1, W2, b2)) → z = x @ W1 + b1
        (exata(x @ W1 + b1) @ W2 + b2).float() → z * torch.sigmoid(1.702 * z) @ W2 + b2
    A ativação do meio é x·σ(1,702x), uma aproximação grosseira. O enunciado pede a GELU exata, a da questão 1.
normaliza-a-saida: F.layer_norm(F.gelu(x @ W1 + b1) @ W2 + b2, x.shape[-1:])
    Você normalizou a saída da camada. A normalização é do bloco, na questão 5; aqui a saída sai como está.
silu: F.silu(x @ W1 + b1) @ W2 + b2
    A ativação do meio é a SiLU, x·σ(x). O enunciado pede a GELU exata.
sem-ativacao: (x @ W1 + b1) @ W2 + b2
    Falta a GELU entre as duas projeções (foi chamada, e o resultado se perdeu?). Sem ela, as duas matrizes valem por
    uma só, W1·W2.
gelu-no-fim: F.gelu((x @ W1 + b1) @ W2 + b2)
    A GELU foi aplicada à saída, depois da segunda projeção. Ela fica no meio, na camada larga.
gelu-duas-vezes: F.gelu(F.gelu(x @ W1 + b1) @ W2 + b2)
    Há uma GELU a mais, na saída. A ativação é só a do meio.
gelu-na-entrada: (F.gelu(x) @ W1 + b1) @ W2 + b2
    A GELU foi aplicada a x, antes da primeira projeção. Ela vem depois de W1 e b1.
vies-depois-da-gelu: (F.gelu(x @ W1) + b1) @ W2 + b2
    O viés b1 foi somado depois da GELU. Ele entra antes dela, com x·W1.
sem-b1: F.gelu(x @ W1) @ W2 + b2
    O viés b1 não entrou na conta. Veja a Dica 2.
sem-b2: F.gelu(x @ W1 + b1) @ W2
    O viés b2 não entrou na conta: some-o no fim, depois da segunda projeção.
sem-vieses: F.gelu(x @ W1) @ W2
    Nenhum dos dois vieses entrou na conta: b1 se soma antes da GELU, e b2, no fim.
com-residuo: x + F.gelu(x @ W1 + b1) @ W2 + b2
    Você somou x à saída. A conexão residual é do bloco, na questão 5; aqui é só a camada.
pesos-transpostos: F.linear(F.gelu(F.linear(x, W1, b1)), W2, b2)
    As dimensões do produto não batem: ou você transpôs as matrizes, como as de um nn.Linear, ou trocou W1 e W2.
    Nesta questão W1 é (d, m) e fica à direita de x: x·W1; W2 vem depois. Veja a Dica 1.
normaliza-antes: F.gelu(F.layer_norm(x, x.shape[-1:]) @ W1 + b1) @ W2 + b2
    Você normalizou x antes da camada. A normalização é do bloco, na questão 5; aqui x entra como vem.
volta-com-W1: F.gelu(x @ W1 + b1) @ W1.T + b2
    A volta foi feita com W1 transposta. A segunda projeção é W2.
b1-no-fim: F.gelu(x @ W1 + b1) @ W2 + b1
    Um dos vieses está no lugar do outro, e as formas não combinam: b1, (m,), se soma a x·W1; b2, (d,), no fim.
vies-de-d-numeros: F.gelu(x @ W1 + b1 @ W2 + b2)
    O que você somou a x·W1, que tem m números, tem d. Ou o viés ali é o b2, e devia ser o b1, ou você fez b1 @ W2 sem
    querer, porque o @ vem antes do +. Faltam parênteses em volta de (x·W1 + b1).
vies-somado-ao-peso: F.gelu(x @ (W1 + b1)) @ W2 + b2
    O viés foi somado a W1, antes do produto. Ele se soma depois: x·W1 primeiro, b1 em seguida.
gelu-da-gelu: F.gelu(F.gelu(x @ W1 + b1)) @ W2 + b2
    A GELU foi aplicada duas vezes seguidas na camada do meio. Uma basta.
""")


@q.equivoco
def pesos_novos(x, W1, b1, W2, b2):
    """Os parâmetros que vêm nos argumentos não foram usados: sua camada sorteia outros a cada chamada. É o erro dos
    slides, na Caça ao erro da aula 07."""
    torch.manual_seed(0)
    W1, b1 = torch.rand(W1.shape), torch.rand(b1.shape)
    W2, b2 = torch.rand(W2.shape), torch.rand(b2.shape)
    return F.gelu(x @ W1 + b1) @ W2 + b2


@q.equivoco
def um_token_de_cada_vez(x, W1, b1, W2, b2):
    """Aqui x é um vetor só, e o seu laço percorreu os números dele. O `@` já repete a conta nas linhas, sem laço. Veja
    a Dica 1."""
    return torch.stack([F.gelu(linha @ W1 + b1) @ W2 + b2 for linha in x])


@q.equivoco
def altera_a_entrada(x, W1, b1, W2, b2):
    """A conta foi feita dentro da própria entrada."""
    y = F.gelu(x @ W1 + b1) @ W2
    y += b2
    x += y
    return y


@q.alternativa
def com_einsum(x, W1, b1, W2, b2):
    meio = exata(torch.einsum("...d,dm->...m", x, W1) + b1)
    return torch.einsum("...m,md->...d", meio, W2) + b2


@q.alternativa
def posicao_por_posicao(x, W1, b1, W2, b2):
    saidas = []
    for token in x.reshape(-1, x.shape[-1]):
        meio = exata(b1 + sum(v * W1[i] for i, v in enumerate(token)))
        saidas.append(meio @ W2 + b2)
    return torch.stack(saidas).reshape(x.shape)


@q.alternativa
def com_numpy(x, W1, b1, W2, b2):
    x, W1, b1, W2, b2 = (t.numpy().astype(np.float64) for t in (x, W1, b1, W2, b2))
    z = x @ W1 + b1
    return z * (1 + np.vectorize(math.erf)(z / math.sqrt(2))) / 2 @ W2 + b2


@q.alternativa
def com_modulos(x, W1, b1, W2, b2):
    d, m = W1.shape
    rede = nn.Sequential(nn.Linear(d, m), nn.GELU(), nn.Linear(m, d))
    rede.load_state_dict({"0.weight": W1.T, "0.bias": b1, "2.weight": W2.T, "2.bias": b2})
    return rede(x)


@q.alternativa
def unidade_por_unidade(x, W1, b1, W2, b2):
    y = b2.expand(x.shape).clone()
    for m in range(W1.shape[1]):
        y = y + F.gelu((x * W1[:, m]).sum(-1, keepdim=True) + b1[m]) * W2[m]
    return y


q.alternativas_curtas("""
em-uma-linha: F.gelu(x @ W1 + b1) @ W2 + b2
com-linear: F.linear(F.gelu(F.linear(x, W1.T, b1)), W2.T, b2)
""")
