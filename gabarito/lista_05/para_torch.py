"""A questão `para_torch` da lista 05."""

import numpy as np
import torch

from gabarito.base import caso, questao
from gabarito.lista_05.comum import WK_EXEMPLO, WO_EXEMPLO, WQ_EXEMPLO, WV_EXEMPLO, X_EXEMPLO, modulo_pronto, preencher
from gabarito.testemunha import reais
from helpers.conferencia.codificacao import DadoInvalido
from helpers.conferencia.pecas.lista_05 import CERTO, que_modulo


def para_torch(W_Q, W_K, W_V, W_O, h):
    return preencher(modulo_pronto(W_O, h), np.concatenate([W_Q.T, W_K.T, W_V.T]), W_O.T)


_SAIDA = "saída"


def _caso_torch(rng, N, d, h, casas=None, rotulo="", so_os_pesos=False):
    """Pesos, h e X; as pontuações ficam longe de saturar."""
    matrizes = [rng.normal(size=(d, d)) * s / np.sqrt(d) for s in (1.2, 1.2, 1.0, 1.0)]
    X = rng.normal(size=(N, d))
    if casas is not None:
        matrizes, X = [np.round(M, casas) + 0.0 for M in matrizes], np.round(X, casas) + 0.0
    return caso(*matrizes, h, X, so_os_pesos, rotulo=rotulo, parte=None if so_os_pesos else _SAIDA)


def ocultos(rng):
    return [
        _caso_torch(rng, 6, 8, 4, so_os_pesos=True),
        _caso_torch(rng, 4, 6, 2, so_os_pesos=True),
        _caso_torch(rng, 5, 9, 3, so_os_pesos=True),
        _caso_torch(rng, 5, 8, 2),
        _caso_torch(rng, 4, 6, 3),
        _caso_torch(rng, 3, 12, 4),
        _caso_torch(rng, 7, 10, 5),
        _caso_torch(rng, 4, 5, 1),
        _caso_torch(rng, 1, 4, 4),
        _caso_torch(rng, 2, 8, 2),
    ]


def _testemunha(visto, W_Q, W_K, W_V, W_O, h, X, so_os_pesos):
    """O estado do módulo: posto em um nn.MultiheadAttention nosso, ele faz com X o mesmo que a referência?"""
    d = len(W_O)
    formas = {"in_proj_weight": (3 * d, d), "out_proj.weight": (d, d), "in_proj_bias": (3 * d,), "out_proj.bias": (d,)}
    escolhas = {"num_heads": h, "batch_first": True, "dropout": 0, "bias_k": None, "bias_v": None}
    if not isinstance(visto, dict) or set(visto) != set(formas | escolhas):
        raise DadoInvalido("não é o estado de um módulo")
    if not all(isinstance(visto[n], int | float | None) and visto[n] == certo for n, certo in escolhas.items()):
        return False
    pesos = {n: None if n.endswith("bias") and visto[n] is None else reais(visto[n], f) for n, f in formas.items()}
    feito = _chamar(pesos["in_proj_weight"].numpy(), pesos["out_proj.weight"].numpy(), h, X)
    certo = _chamar(np.concatenate([W_Q.T, W_K.T, W_V.T]), W_O.T, h, X)
    pares = list(zip(feito, certo, strict=True))[1 if so_os_pesos else 0 :]  # (Y, A), ou só A
    iguais = all(torch.allclose(a, b, rtol=1e-4, atol=1e-6) for a, b in pares)
    return iguais and que_modulo(visto | pesos) == CERTO


def _chamar(entrada, saida, h, X):
    """(Y, A) de um nn.MultiheadAttention em float64, sem vieses."""
    modulo, lote = preencher(modulo_pronto(saida, h).double(), entrada, saida), torch.tensor(X)[None]  # (1, N, d)
    return modulo(lote, lote, lote, average_attn_weights=False)


q = questao(
    "lista-05/para_torch",
    assinatura="para_torch(W_Q, W_K, W_V, W_O, h)",
    saida=[("módulo", "texto"), ("Y", "array"), ("A", "array")],
    ordem=["módulo", "A", "Y"],
    referencia=para_torch,
    casos=[
        caso(
            WQ_EXEMPLO, WK_EXEMPLO, WV_EXEMPLO, WO_EXEMPLO, 2, X_EXEMPLO, False,
            claro=True, rotulo="o exemplo da questão 5", parte=_SAIDA,
        ),
        _caso_torch(np.random.default_rng(25), 4, 6, 2, 1, "só os pesos de atenção, d = 6, h = 2", so_os_pesos=True),
        _caso_torch(np.random.default_rng(26), 3, 6, 3, 1, "só os pesos de atenção, d = 6, h = 3", so_os_pesos=True),
        _caso_torch(np.random.default_rng(21), 5, 6, 2, 1, "cinco tokens, d = 6, h = 2"),
        _caso_torch(np.random.default_rng(22), 3, 6, 3, 1, "três tokens, d = 6, h = 3"),
        _caso_torch(np.random.default_rng(23), 4, 3, 1, 1, "uma cabeça só"),
        _caso_torch(np.random.default_rng(24), 2, 6, 2, 1, "d = 6 e h = 2 outra vez, com outras matrizes"),
    ],
    ocultos=ocultos,
    adaptador="lista_05.para_torch",
    partes={"pesos de atenção": 0.5, _SAIDA: 0.5},
    testemunha=_testemunha,
)  # fmt: skip

q.equivocos_curtos("""
sem-transpor: preencher(modulo_pronto(W_O, h), np.concatenate([W_Q, W_K, W_V]), W_O)
    As matrizes foram copiadas como estão, e o torch as guarda transpostas: por dentro ele faz x @ W.T. Transponha
    todas; como elas são quadradas, nada avisa.
saida-sem-transpor: preencher(modulo_pronto(W_O, h), np.concatenate([W_Q.T, W_K.T, W_V.T]), W_O)
    Os pesos de atenção estão certos, mas a saída não: o peso de out_proj foi copiado sem transpor.
entrada-sem-transpor: preencher(modulo_pronto(W_O, h), np.concatenate([W_Q, W_K, W_V]), W_O.T)
    A projeção de saída está transposta, como deve ser, mas as de entrada não: in_proj_weight guarda W_Qᵀ, W_Kᵀ e W_Vᵀ,
    uma embaixo da outra.
ordem-K-Q-V: preencher(modulo_pronto(W_O, h), np.concatenate([W_K.T, W_Q.T, W_V.T]), W_O.T)
    Em in_proj_weight, as chaves vieram antes das consultas. A ordem do torch é Q, K, V.
ordem-Q-V-K: preencher(modulo_pronto(W_O, h), np.concatenate([W_Q.T, W_V.T, W_K.T]), W_O.T)
    Em in_proj_weight, os valores vieram antes das chaves. A ordem do torch é Q, K, V.
ordem-V-K-Q: preencher(modulo_pronto(W_O, h), np.concatenate([W_V.T, W_K.T, W_Q.T]), W_O.T)
    Em in_proj_weight, a ordem saiu invertida: V, K, Q. A do torch é Q, K, V.
nada-copiado: modulo_pronto(W_O, h)
    O módulo tem os números que o torch sorteou: nenhum dos seus chegou lá. Copie-os para in_proj_weight e para
    out_proj.weight.
nada-copiado-com-vies: modulo_pronto(W_O, h, bias=True)
    O módulo, criado com vieses, tem os números que o torch sorteou: nenhum dos seus chegou lá. Copie-os para
    in_proj_weight e para out_proj.weight.
uma-cabeca-so: preencher(modulo_pronto(W_O, 1), np.concatenate([W_Q.T, W_K.T, W_V.T]), W_O.T)
    O módulo tem uma cabeça só, do tamanho do modelo. Ao criá-lo, diga quantas são: h.
copia-lado-a-lado: preencher(modulo_pronto(W_O, h), np.concatenate([W_Q.T, W_K.T, W_V.T], axis=1), W_O.T)
    O que você copia não cabe em in_proj_weight, que é (3d, d): as três projeções uma embaixo da outra, cada uma
    transposta. Confira a forma do que você copia: (d, 3d) é lado a lado, e (3, d, d) é uma pilha de três.
devolve-tupla: para_torch(W_Q, W_K, W_V, W_O, h), h
    Você devolveu uma tupla. O enunciado pede só o módulo: quem o chama com X é a conferência.
devolve-a-classe: torch.nn.MultiheadAttention
    Você devolveu a classe nn.MultiheadAttention, e não um módulo dela. Falta criá-lo, com parênteses e tamanhos.
chaves-com-W_Q: preencher(modulo_pronto(W_O, h), np.concatenate([W_Q.T, W_Q.T, W_V.T]), W_O.T)
    Em in_proj_weight, W_Q entrou duas vezes, e W_K, nenhuma. A ordem é W_Q, W_K, W_V.
valores-com-W_K: preencher(modulo_pronto(W_O, h), np.concatenate([W_Q.T, W_K.T, W_K.T]), W_O.T)
    Em in_proj_weight, W_K entrou duas vezes, e W_V, nenhuma. A ordem é W_Q, W_K, W_V.
saida-com-W_V: preencher(modulo_pronto(W_O, h), np.concatenate([W_Q.T, W_K.T, W_V.T]), W_V.T)
    Os pesos de atenção estão certos, mas em out_proj você copiou W_V. Ali vai W_O, transposta.
com-dropout: preencher(modulo_pronto(W_O, h, dropout=0.1), np.concatenate([W_Q.T, W_K.T, W_V.T]), W_O.T)
    O módulo tem dropout: em modo de treino, a saída muda de uma chamada para a outra. Crie o módulo sem dropout.
tamanhos-trocados: torch.nn.MultiheadAttention(h, len(W_O) + (h == 1), bias=False, batch_first=True)
    Os dois primeiros argumentos estão trocados: nn.MultiheadAttention recebe primeiro o tamanho do modelo, d, e depois
    o número de cabeças, h.
""")


@q.equivoco
def reshape_em_vez_de_transpor(W_Q, W_K, W_V, W_O, h):
    """`in_proj_weight` tem a forma certa, (3d, d), mas você chegou a ela com reshape, que não troca linhas por colunas.
    Transponha. Veja a Dica 3."""
    d = len(W_O)
    return preencher(modulo_pronto(W_O, h), np.concatenate([W_Q, W_K, W_V], axis=1).reshape(3 * d, d), W_O.T)


@q.equivoco
def W__O_esquecida(W_Q, W_K, W_V, W_O, h):
    """Os pesos de atenção estão certos, mas a projeção de saída ainda é a que o torch sorteou: falta copiar W_O para
    out_proj."""
    modulo = modulo_pronto(W_O, h)
    with torch.no_grad():
        modulo.in_proj_weight.copy_(torch.tensor(np.concatenate([W_Q.T, W_K.T, W_V.T])))
    return modulo


@q.equivoco
def lote_no_segundo_eixo(W_Q, W_K, W_V, W_O, h):
    """O módulo espera o lote no segundo eixo, que é o padrão do torch. Crie-o com batch_first=True."""
    modulo = modulo_pronto(W_O, h, batch_first=False)
    return preencher(modulo, np.concatenate([W_Q.T, W_K.T, W_V.T]), W_O.T)


@q.equivoco
def escala_duas_vezes(W_Q, W_K, W_V, W_O, h):
    """Você já entregou W_Q dividida por √d_h, e o módulo divide outra vez. A escala é com ele: copie a matriz como
    ela é."""
    escala = np.sqrt(len(W_O) // h)
    return preencher(modulo_pronto(W_O, h), np.concatenate([W_Q.T / escala, W_K.T, W_V.T]), W_O.T)


@q.equivoco
def tipos_misturados(W_Q, W_K, W_V, W_O, h):
    """Uma parte dos parâmetros do módulo está em float64 e outra em float32, e o torch não multiplica as duas. Copie
    para dentro do que já existe, ou crie o módulo no tipo das suas matrizes. Veja a Dica 2."""
    modulo = modulo_pronto(W_O, h)
    modulo.in_proj_weight = torch.nn.Parameter(torch.tensor(np.concatenate([W_Q.T, W_K.T, W_V.T])))
    with torch.no_grad():
        modulo.out_proj.weight.copy_(torch.tensor(W_O.T))
    return modulo


@q.equivoco
def tipos_misturados_no_vies(W_Q, W_K, W_V, W_O, h):
    """As matrizes do módulo estão em float64 e os vieses em float32, e o torch não junta os dois. Copie para dentro do
    que já existe, ou crie o módulo no tipo das suas matrizes."""
    modulo = modulo_pronto(W_O, h, bias=True)
    modulo.in_proj_weight.data = torch.tensor(np.concatenate([W_Q.T, W_K.T, W_V.T]))
    modulo.out_proj.weight.data = torch.tensor(W_O.T)
    return modulo


@q.equivoco
def sem_no__grad(W_Q, W_K, W_V, W_O, h):
    """O torch não deixa escrever em um parâmetro que ele acompanha para o gradiente. Faça a cópia dentro de `with
    torch.no_grad():`. Veja a Dica 2."""
    modulo = modulo_pronto(W_O, h)
    modulo.in_proj_weight.copy_(torch.tensor(np.concatenate([W_Q.T, W_K.T, W_V.T])))
    modulo.out_proj.weight.copy_(torch.tensor(W_O.T))
    return modulo


@q.equivoco
def array_no_lugar_do_tensor(W_Q, W_K, W_V, W_O, h):
    """Você pôs um array do NumPy no `.data` de um parâmetro, e lá só cabe um tensor. Converta antes, com
    torch.tensor."""
    modulo = modulo_pronto(W_O, h)
    modulo.in_proj_weight.data = np.concatenate([W_Q.T, W_K.T, W_V.T])
    modulo.out_proj.weight.data = W_O.T
    return modulo


@q.equivoco
def tensor_no_lugar_do_parametro(W_Q, W_K, W_V, W_O, h):
    """Um parâmetro do módulo não pode ser trocado por um tensor comum. Copie os valores para dentro dele com `copy_`,
    ou embrulhe o tensor em nn.Parameter."""
    modulo = modulo_pronto(W_O, h)
    modulo.in_proj_weight = torch.tensor(np.concatenate([W_Q.T, W_K.T, W_V.T]))
    modulo.out_proj.weight = torch.tensor(W_O.T)
    return modulo


@q.equivoco
def lado_a_lado_em_vez_de_empilhar(W_Q, W_K, W_V, W_O, h):
    """Você entregou as três projeções lado a lado, (d, 3d), e in_proj_weight é (3d, d): uma embaixo da outra, cada uma
    transposta."""
    modulo = modulo_pronto(W_O, h)
    entrada = torch.tensor(np.hstack([W_Q, W_K, W_V]))
    modulo.load_state_dict({"in_proj_weight": entrada, "out_proj.weight": torch.tensor(W_O.T)})
    return modulo


@q.equivoco
def vies_que_nao_e_zero(W_Q, W_K, W_V, W_O, h):
    """A saída está certa, mas há um viés diferente de zero no módulo (o das chaves não muda a softmax, e se esconde). O
    enunciado pede todos em zero, ou nenhum: crie-o com bias=False."""
    d = len(W_O)
    modulo = preencher(modulo_pronto(W_O, h, bias=True), np.concatenate([W_Q.T, W_K.T, W_V.T]), W_O.T)
    with torch.no_grad():
        modulo.in_proj_bias[d : 2 * d] = 3.0
    return modulo


@q.equivoco
def devolve_linear(W_Q, W_K, W_V, W_O, h):
    """Você devolveu um nn.Linear; o pedido é um nn.MultiheadAttention, com as quatro projeções dentro."""
    linear = torch.nn.Linear(len(W_O), len(W_O), bias=False)
    with torch.no_grad():
        linear.weight.copy_(torch.tensor(W_O.T))
    return linear


@q.equivoco
def devolve_funcao(W_Q, W_K, W_V, W_O, h):
    """Você devolveu uma função que chama o módulo. O enunciado pede o próprio nn.MultiheadAttention."""
    modulo = para_torch(W_Q, W_K, W_V, W_O, h)
    return lambda X: modulo(X, X, X)


@q.equivoco
def sem_return(W_Q, W_K, W_V, W_O, h):
    """Sua função não devolveu nada: o módulo ficou pronto lá dentro e se perdeu. Falta o return."""
    para_torch(W_Q, W_K, W_V, W_O, h)


@q.alternativa
def com_load__state__dict(W_Q, W_K, W_V, W_O, h):
    modulo = torch.nn.MultiheadAttention(W_Q.shape[0], h, bias=False, batch_first=True, dtype=torch.float64)
    entrada = torch.cat([torch.tensor(W).T for W in (W_Q, W_K, W_V)])
    modulo.load_state_dict({"in_proj_weight": entrada, "out_proj.weight": torch.tensor(W_O).T})
    return modulo


@q.alternativa
def vies_zero(W_Q, W_K, W_V, W_O, h):
    modulo = torch.nn.MultiheadAttention(W_Q.shape[0], h, batch_first=True)
    modulo.in_proj_weight.data.copy_(torch.from_numpy(np.hstack([W_Q, W_K, W_V]).T))
    modulo.out_proj.weight.data.copy_(torch.from_numpy(W_O.T))
    torch.nn.init.zeros_(modulo.in_proj_bias)
    torch.nn.init.zeros_(modulo.out_proj.bias)
    return modulo


@q.alternativa
def fatia_por_fatia(W_Q, W_K, W_V, W_O, h):
    d = len(W_O)
    modulo = torch.nn.MultiheadAttention(d, h, dropout=0.0, bias=False, batch_first=True).double()
    with torch.no_grad():
        for i, W in enumerate((W_Q, W_K, W_V)):
            modulo.in_proj_weight[i * d : (i + 1) * d] = torch.tensor(W).T
        modulo.out_proj.weight[:] = torch.tensor(W_O).T
    return modulo


@q.alternativa
def parametros_novos_em_avaliacao(W_Q, W_K, W_V, W_O, h):
    modulo = torch.nn.MultiheadAttention(len(W_O), h, bias=False, batch_first=True)
    entrada = np.vstack([W_Q.T, W_K.T, W_V.T]).astype(np.float32)
    modulo.in_proj_weight = torch.nn.Parameter(torch.tensor(entrada))
    modulo.out_proj.weight = torch.nn.Parameter(torch.tensor(W_O.T.astype(np.float32)))
    return modulo.eval()


@q.alternativa
def subclasse_sem_forward(W_Q, W_K, W_V, W_O, h):
    class Camada(torch.nn.MultiheadAttention):
        pass

    camada = Camada(len(W_O), h, bias=False, batch_first=True)
    return preencher(camada, np.concatenate([W_Q.T, W_K.T, W_V.T]), W_O.T)


@q.alternativa
def vieses_retirados(W_Q, W_K, W_V, W_O, h):
    modulo = preencher(modulo_pronto(W_O, h, bias=True), np.concatenate([W_Q.T, W_K.T, W_V.T]), W_O.T)
    modulo.in_proj_bias = modulo.out_proj.bias = None
    return modulo


q.alternativas_curtas("""
sem-gradiente: para_torch(W_Q, W_K, W_V, W_O, h).requires_grad_(False)
""")


@q.equivoco
def so_a_saida_copiada(W_Q, W_K, W_V, W_O, h):
    """A projeção de saída foi copiada, mas as de entrada ainda são as que o torch sorteou: faltam W_Q, W_K e W_V em
    in_proj_weight."""
    modulo = modulo_pronto(W_O, h)
    with torch.no_grad():
        modulo.out_proj.weight.copy_(torch.tensor(W_O.T))
    return modulo


@q.equivoco
def projecoes_separadas(W_Q, W_K, W_V, W_O, h):
    """Neste módulo q_proj_weight é None: as três projeções de entrada moram juntas em in_proj_weight, (3d, d). É para
    lá que se copia."""
    modulo = modulo_pronto(W_O, h)
    with torch.no_grad():
        modulo.q_proj_weight.copy_(torch.tensor(W_Q.T))
    return modulo


@q.equivoco
def copia_para_a_camada(W_Q, W_K, W_V, W_O, h):
    """`out_proj` é uma camada, e não um tensor: o peso dela é out_proj.weight. É nele que se copia."""
    modulo = modulo_pronto(W_O, h)
    with torch.no_grad():
        modulo.in_proj_weight.copy_(torch.tensor(np.concatenate([W_Q.T, W_K.T, W_V.T])))
        modulo.out_proj.copy_(torch.tensor(W_O.T))
    return modulo


@q.equivoco
def array_no_copy(W_Q, W_K, W_V, W_O, h):
    """O copy_ recebeu um array do NumPy, e só aceita um tensor. Converta antes, com torch.tensor."""
    modulo = modulo_pronto(W_O, h)
    with torch.no_grad():
        modulo.in_proj_weight.copy_(np.concatenate([W_Q.T, W_K.T, W_V.T]))
    return modulo
