"""A questão `atencao_mascarada` da lista 06."""

import numpy as np
import torch

from gabarito.base import caso, questao
from gabarito.lista_06.comum import pontuacoes, softmax, softmax_mascarado
from gabarito.lista_06.mascara_causal import mascara_causal


def atencao_mascarada(Q, K, V, M):
    A = softmax_mascarado(pontuacoes(Q, K), M)
    return A @ V, A


def _qkv(rng, antes, N, C, d_k, d_v, escala=1.0):
    Q = rng.normal(size=(*antes, N, d_k)) * escala
    K = rng.normal(size=(*antes, C, d_k)) * escala
    return Q.round(3), K.round(3), rng.normal(size=(*antes, C, d_v)).round(3)


def _qkv_extremos(rng, antes, N, C, d_v, longe=40):
    """Pontuações inteiras perto de ±longe, exatas em float32 (d_k = 4), e uma máscara: cada linha só vê um dos sinais.

    A linha 0 só vê perto de −40 e esconde perto de +40: um −30 no lugar de −inf ainda ganharia do que se vê.
    """
    lado = np.where(np.arange(C) % 2, 1.0, -1.0)  # as chaves alternam o sinal
    quem = np.where(np.arange(N) % 3 == 2, -1.0, 1.0)
    Q = np.zeros((*antes, N, 4))
    K = np.zeros((*antes, C, 4))
    Q[..., 0], K[..., 0] = longe / 5 * quem, 10.0 * lado
    Q[..., 1:] = rng.choice([-1.0, 1.0], size=(*antes, N, 3))
    K[..., 1:] = 2.0 * rng.integers(-1, 2, size=(*antes, C, 3))  # somam no máximo ±3 às pontuações
    V = rng.integers(-16, 17, size=(*antes, C, d_v)) / 8
    esconde = quem[:, None] * lado > 0  # (N, C)
    esconde[1] = ~esconde[1]  # e uma linha em que o visível é o maior
    return Q, K, V, esconde


_FRASE, _LOTE, _EXTREMOS = "uma frase", "um lote", "linha toda escondida e pontuações grandes"


def _por_partes(casos):
    """Diz a parte de cada caso e os põe na ordem delas: quem só erra a última ouve isso por último."""
    for c in casos:
        Q, K, _, M = c.entradas
        extremo = M.all(axis=-1).any() or np.abs(pontuacoes(Q, K)).max() > 100
        c.parte = _EXTREMOS if extremo else _LOTE if Q.ndim > 2 else _FRASE
    return sorted(casos, key=lambda c: [_FRASE, _LOTE, _EXTREMOS].index(c.parte))


def ocultos(rng):
    T = int(rng.integers(4, 7))
    aleatoria = rng.random((4, 6)) < 0.4
    aleatoria[:, 0], aleatoria[0, 1], aleatoria[2] = False, True, True  # a linha 2, escondida inteira
    pads = np.zeros((3, 1, 1, 5), dtype=bool)
    pads[0, ..., 3:] = pads[1, ..., 1] = pads[2] = True  # a última frase é só pad
    por_cabeca = rng.random((2, 3, 4, 4)) < 0.3
    por_cabeca[..., 0] = False
    por_cabeca[1, 2, 1] = True
    return _por_partes(
        [
            caso(*_qkv(rng, (), T, T, 3, 2), mascara_causal(T)),
            caso(*_qkv(rng, (), 4, 6, 5, 3), aleatoria),
            caso(*_qkv(rng, (3, 2), 5, 5, 3, 4), pads),
            caso(*_qkv(rng, (2, 3), 4, 4, 2, 5), por_cabeca),
            caso(*_qkv(rng, (2,), T, T, 2, 3), mascara_causal(T)),
            caso(*_qkv(rng, (2, 2), 5, 5, 4, 3), mascara_causal(5) | pads[:2]),
            caso(*_qkv(rng, (), 3, 5, 6, 2), np.zeros((3, 5), dtype=bool)),
            caso(*_qkv(rng, (), 4, 3, 2, 3), np.array([[False, True, False]])),
            caso(*_qkv_extremos(rng, (), 4, 6, 3)),
            caso(*_qkv_extremos(rng, (2, 2), 3, 5, 2)),
            caso(*_qkv_extremos(rng, (), 5, 4, 3, longe=1000)),
            caso(*_qkv(rng, (), 4, 3, 5, 2), np.array([[False], [True], [False], [False]])),
            caso(*_qkv(rng, (2, 3), 3, 4, 2, 3), np.array([[False], [False], [True]])),
            caso(*_qkv(rng, (), 3, 5, 2, 4), np.array([False, True, False, False, True])),
            caso(*_qkv(rng, (2,), 4, 3, 2, 5), np.array([True, False, False])),
        ]
    )


def _visiveis_atencao_mascarada():
    rng = np.random.default_rng(6)

    def qkv(antes, N, C, d_k, d_v):
        return tuple(a.round(1) for a in _qkv(rng, antes, N, C, d_k, d_v))

    Q = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
    K = np.array([[2.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    V = np.array([[1.0, 0.0, 3.0], [0.0, 2.0, 1.0], [4.0, 1.0, 0.0]])
    linha = np.array(
        [[False, True, False, False, True], [True, True, True, True, True], [True, False, False, True, False]]
    )
    pads = np.array([[False, False, False, True], [False, True, False, False]])[:, None, None, :]
    so_pad = np.array([[False, True, True], [True, True, True]])[:, None, None, :]
    return _por_partes(
        [
            caso(Q, K, V, mascara_causal(3), claro=True, rotulo="o exemplo do enunciado"),
            caso(*qkv((), 3, 5, 4, 2), linha, rotulo="3 consultas, 5 chaves, uma linha toda escondida"),
            caso(*qkv((2, 3), 4, 4, 2, 3), pads, rotulo="lote e cabeças, com máscara de preenchimento"),
            caso(*qkv((2,), 4, 4, 3, 2), mascara_causal(4), rotulo="um lote, com máscara causal (T, T)"),
            caso(*qkv((2, 2), 3, 3, 2, 4), mascara_causal(3) | so_pad, rotulo="causal e pads, uma frase só de pads"),
            caso(*qkv((), 2, 4, 3, 2), np.zeros((2, 4), dtype=bool), rotulo="nada escondido"),
            caso(*_qkv_extremos(rng, (), 3, 4, 2), rotulo="pontuações perto de −40 à vista e de +40 escondidas"),
            caso(*_qkv_extremos(rng, (), 4, 4, 2, longe=1000), rotulo="pontuações perto de −1000 e de 1000"),
            caso(*qkv((), 3, 4, 2, 3), np.array([[False], [True], [False]]), rotulo="M de forma (N, 1)"),
            caso(*qkv((2,), 3, 4, 3, 2), np.array([False, False, True, False]), rotulo="M de forma (C,), com lote"),
            caso(*qkv((), 3, 4, 2, 3), np.array([[True, False, False, True]]), rotulo="M de forma (1, C)"),
            caso(*qkv((), 3, 4, 3, 2), np.array([False, True, False, True]), rotulo="M de forma (C,), sem lote"),
        ]
    )


q = questao(
    "lista-06/atencao_mascarada",
    assinatura="atencao_mascarada(Q, K, V, M)",
    saida=[("Y", "array"), ("A", "array")],
    ordem=["A", "Y"],
    referencia=atencao_mascarada,
    casos=_visiveis_atencao_mascarada(),
    ocultos=ocultos,
    propriedades=["A: nao-negativa"],
    partes={_FRASE: 0.5, _LOTE: 0.25, _EXTREMOS: 0.25},
)

q.equivocos_curtos("""
mascara-depois-da-softmax: softmax_mascarado(pontuacoes(Q, K), M) → np.where(M, 0.0, softmax(pontuacoes(Q, K)))
    Você zerou os pesos depois da softmax: as linhas já não somam 1, e o futuro continua dentro do denominador. Esconda
    antes: −inf nas pontuações. Veja a Dica 4.
ignora-a-mascara: softmax_mascarado(pontuacoes(Q, K), M) → softmax(pontuacoes(Q, K) + np.where(M, -1e-9, 0.0))
    Sua máscara não esconde nada: os pesos são os da atenção comum. Ou M não entrou na conta, ou o número somado é
    pequeno demais (−1e-9 não é −1e9).
mascara-invertida: atencao_mascarada(Q, K, V, ~M)
    Você escondeu o que devia mostrar: em M, True esconde. Em scaled_dot_product_attention é o contrário; veja a seção
    da aula sobre as duas convenções.
linha-escondida-da-nan: softmax_mascarado(pontuacoes(Q, K), M) → softmax(np.where(M, -np.inf, pontuacoes(Q, K)))
    A linha que está toda escondida deu NaN: com −inf em todas as posições a softmax faz −inf − (−inf), e quem zera
    depois e renormaliza faz 0/0. Trate essa linha à parte: zeros em A e em Y. Veja a Dica 3.
linha-escondida-uniforme: softmax_mascarado(pontuacoes(Q, K), M) → softmax(np.where(M, -1e9, pontuacoes(Q, K)))
    Na linha toda escondida, as posições têm todas o mesmo número: elas empatam, e a softmax dá pesos iguais a quem
    devia ser invisível. Zere essa linha. Veja a Dica 3.
linha-escondida-sem-mascara:
        softmax_mascarado(pontuacoes(Q, K), M) → softmax(pontuacoes(Q, K) + np.where(M, -(2.0**20), 0.0))
    Na linha toda escondida, os pesos são os de quem não tem máscara: somar a mesma constante a todas as pontuações não
    muda a softmax. Zere essa linha.
zera-y-e-esquece-a: softmax_mascarado(pontuacoes(Q, K), M) → softmax(np.where(M, -1e9, pontuacoes(Q, K)))
        A @ V → np.where(M.all(axis=-1, keepdims=True), 0.0, A @ V)
    Y está certa, mas na linha toda escondida os pesos A ainda não são zeros. Zere A, e Y sai zero sozinha.
zera-a-e-esquece-y: softmax_mascarado(pontuacoes(Q, K), M) → softmax(np.where(M, -1e9, pontuacoes(Q, K)))
        A @ V, A → A @ V, np.where(M.all(axis=-1, keepdims=True), 0.0, A)
    A está certa, mas Y foi calculada antes de você zerar a linha escondida. Calcule Y = A V por último.
zero-vezes-infinito: softmax_mascarado(pontuacoes(Q, K), M) → softmax(pontuacoes(Q, K) + M * -np.inf)
    Sua máscara aditiva foi feita multiplicando M por −inf, e 0 × inf é NaN. Escolha em vez de multiplicar: np.where(M,
    −inf, …).
sem-escala: pontuacoes(Q, K) → Q @ np.swapaxes(K, -1, -2)
    Falta dividir as pontuações por √d_k (aula 03), antes da softmax.
escala-pelo-numero-de-chaves: pontuacoes(Q, K) → Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-2])
    Você dividiu pela raiz do número de chaves. A escala vem do tamanho de uma chave, d_k, que é o último eixo.
escala-por-len-k: pontuacoes(Q, K) → Q @ np.swapaxes(K, -1, -2) / np.sqrt(len(K))
    Você dividiu pela raiz de len(K), que é o tamanho do primeiro eixo (em uma frase, o número de chaves). A escala vem
    do tamanho de uma chave, d_k, o do último eixo.
escala-por-d-v: pontuacoes(Q, K) → Q @ np.swapaxes(K, -1, -2) / np.sqrt(V.shape[-1])
    Você dividiu por √d_v, o tamanho dos valores. A escala vem do tamanho das chaves, d_k: são elas que entram no
    produto escalar.
divide-por-d-k: pontuacoes(Q, K) → Q @ np.swapaxes(K, -1, -2) / Q.shape[-1]
    Você dividiu por d_k, sem a raiz: as pontuações encolhem demais.
y-sem-mascara: softmax(pontuacoes(Q, K)) @ V, softmax_mascarado(pontuacoes(Q, K), M)
    A está certa, mas Y não é A V: foi calculada com os pesos de antes da máscara. É Y que segue pelo modelo, e nela o
    escondido ainda aparece.
devolve-trocado: return A @ V, A → Y, A = A @ V, A⏎return A, Y
    Você devolveu (A, Y). O enunciado pede primeiro Y, depois A.
transpoe-tudo: pontuacoes(Q, K) → Q @ K.T / np.sqrt(Q.shape[-1])
    Com lote e cabeças, K.T inverte todos os eixos, o do lote também. Troque só os dois últimos (np.swapaxes). Veja a
    Dica 2.
mascara-invertida-com-menos-1e9:
        softmax_mascarado(pontuacoes(Q, K), M) → softmax(np.where(M, pontuacoes(Q, K), -1e9))
    A máscara está ao contrário: você conservou as pontuações onde M é True e escondeu as outras. Em M, True esconde.
mascara-invertida-da-nan: softmax_mascarado(pontuacoes(Q, K), M) → softmax(np.where(M, pontuacoes(Q, K), -np.inf))
    A máscara está ao contrário: você conservou as pontuações onde M é True, e a linha que via tudo ficou sem ninguém e
    deu NaN. Em M, True esconde.
sdpa-com-a-mascara-ao-contrario: return A @ V, A → return softmax_mascarado(pontuacoes(Q, K), ~M) @ V, A
    A está certa, mas Y foi feita só com o que devia estar escondido. Na scaled_dot_product_attention do torch, True
    deixa ver: dê a ela ~M.
any-no-lugar-de-all: return A @ V, A → A = np.where(M.any(axis=-1, keepdims=True), 0.0, A)⏎return A @ V, A
    Você zerou toda linha que tem algo escondido (any). Só a que está toda escondida (all) fica em zeros; as outras têm
    os seus pesos.
mais-infinito: softmax_mascarado(pontuacoes(Q, K), M) → softmax(np.where(M, np.inf, pontuacoes(Q, K)))
    O que está escondido recebeu +inf, e a softmax deu NaN. O sinal é o outro: −inf.
menos-infinito-nos-pesos: softmax_mascarado(pontuacoes(Q, K), M) → np.where(M, -np.inf, softmax(pontuacoes(Q, K)))
    O −inf foi posto nos pesos, depois da softmax. Ele vai nas pontuações, antes dela; peso escondido é 0.
escala-depois-da-softmax: pontuacoes(Q, K) → Q @ np.swapaxes(K, -1, -2)
        return A @ V, A → A = A / np.sqrt(Q.shape[-1])⏎return A @ V, A
    Os pesos foram divididos por √d_k depois da softmax, e deixaram de somar 1. Divida as pontuações, antes dela.
esconde-depois-e-sem-escala: softmax_mascarado(pontuacoes(Q, K), M) → softmax(Q @ np.swapaxes(K, -1, -2)) * ~M
    São dois erros: a máscara entrou depois da softmax, e as linhas já não somam 1 (esconda antes, com −inf nas
    pontuações); e falta dividir por √d_k.
zera-o-nan-so-em-y: softmax_mascarado(pontuacoes(Q, K), M) → softmax(np.where(M, -np.inf, pontuacoes(Q, K)))
        return A @ V, A → return np.nan_to_num(A @ V), A
    Na linha toda escondida, Y ficou em zeros, mas os pesos A ainda são NaN. Ponha zero em A, e Y sai zero sozinha.
sem-escala-e-ordem-trocada: pontuacoes(Q, K) → Q @ np.swapaxes(K, -1, -2)
        return A @ V, A → return A, A @ V
    São dois erros: o enunciado pede primeiro Y, depois A; e falta dividir as pontuações por √d_k.
zero-vezes-infinito-escondido:
        softmax_mascarado(pontuacoes(Q, K), M) → np.nan_to_num(softmax(pontuacoes(Q, K) + M * np.nan))
    Todos os pesos saíram 0: M * −inf dá NaN onde M é False (0 vezes infinito), e o nan_to_num escondeu isso. Use
    np.where.
""")


@q.equivoco
def zero_na_pontuacao(Q, K, V, M):
    """Você pôs 0 nas pontuações escondidas. Mas exp(0) é 1: uma pontuação 0 ainda recebe peso. O número cuja
    exponencial é 0 é −inf."""
    A = np.where(M.all(axis=-1, keepdims=True), 0.0, softmax(pontuacoes(Q, K) * ~M))
    return A @ V, A


@q.equivoco
def menos_dez(Q, K, V, M):
    """O escondido ainda recebe um restinho de peso: −10 é pouco, exp(−10) não é zero. Use −inf, ou algo como −1e9."""
    A = softmax(np.where(M, -10.0, pontuacoes(Q, K)))
    A = np.where(M.all(axis=-1, keepdims=True), 0.0, A)
    return A @ V, A


@q.equivoco
def transpoe_tudo_antes(Q, K, V, M):
    """K.T inverte todos os eixos, e aqui K tem mais de dois. Troque só os dois últimos, com np.swapaxes. Veja a Dica
    2."""
    K_t = K.T
    A = softmax_mascarado(Q @ K_t / np.sqrt(Q.shape[-1]), M)
    return A @ V, A


@q.equivoco
def zero_na_pontuacao_e_no_peso(Q, K, V, M):
    """Você pôs 0 nas pontuações escondidas e depois zerou os pesos delas. Mas exp(0) é 1, e o escondido já tinha
    entrado no denominador: as linhas não somam 1. Ponha −inf, ou −1e9, antes da softmax."""
    A = np.where(M, 0.0, softmax(pontuacoes(Q, K) * ~M))
    return A @ V, A


@q.equivoco
def menos_dez_e_zera_no_fim(Q, K, V, M):
    """Esconder com −10 não basta: as pontuações podem ser −40, e aí o escondido toma quase todo o peso antes de você
    pôr zero nele. Use −inf, ou algo como −1e9."""
    A = np.where(M, 0.0, softmax(np.where(M, -10.0, pontuacoes(Q, K))))
    return A @ V, A


@q.equivoco
def sempre_a_causal(Q, K, V, M):
    """Você escondeu sempre o futuro, sem olhar para M. Use a máscara que a função recebeu."""
    S = pontuacoes(Q, K)
    A = softmax_mascarado(S, np.triu(np.ones(S.shape[-2:], dtype=bool), k=1))
    return A @ V, A


@q.equivoco
def a_causal_de_N(Q, K, V, M):
    """Você fez uma máscara causal do tamanho de Q e não usou M. Ela nem sempre é a causal, e o número de chaves pode
    ser outro. Use a máscara que a função recebeu."""
    M = mascara_causal(Q.shape[-2])
    A = np.where(M, 0.0, softmax(np.where(M, -1e9, pontuacoes(Q, K))))
    return A @ V, A


@q.equivoco
def menos_trinta(Q, K, V, M):
    """Esconder com −30 não basta: as pontuações podem ser −40, e aí o escondido ainda ganha do que está à vista. Use
    −inf, ou algo como −1e9."""
    A = softmax(np.where(M, -30.0, pontuacoes(Q, K)))
    A = np.where(M.all(axis=-1, keepdims=True), 0.0, A)
    return A @ V, A


@q.equivoco
def soma_menos_cinquenta(Q, K, V, M):
    """Somar −50 não basta: um +40 escondido vira −10, e ainda ganha de um −40 à vista. Use −inf, ou algo como −1e9."""
    A = softmax(pontuacoes(Q, K) + np.where(M, -50.0, 0.0))
    A = np.where(M.all(axis=-1, keepdims=True), 0.0, A)
    return A @ V, A


def _com_o_numero(S, M):
    """Os pesos de quem esconde com um número em S, e só zera a linha toda escondida."""
    return np.where(M.all(axis=-1, keepdims=True), 0.0, softmax(S))


@q.equivoco
def menos_trinta_e_zera_no_fim(Q, K, V, M):
    """Esconder com −30 não basta: as pontuações podem ser −40, e aí o escondido toma quase todo o peso antes de você
    pôr zero nele. Use −inf, ou algo como −1e9."""
    A = np.where(M, 0.0, softmax(np.where(M, -30.0, pontuacoes(Q, K))))
    return A @ V, A


@q.equivoco
def menos_cinquenta(Q, K, V, M):
    """Esconder com −50 não basta: perto de pontuações como −40, o escondido ainda recebe um restinho de peso, e de
    −1000 ele ganha. Use −inf, ou algo como −1e9."""
    A = _com_o_numero(np.where(M, -50.0, pontuacoes(Q, K)), M)
    return A @ V, A


@q.equivoco
def menos_cem(Q, K, V, M):
    """Esconder com um número finito pequeno, como −100, não basta: as pontuações podem ser −1000, e aí o escondido
    ganha do que está à vista. Use −inf, ou algo como −1e9."""
    A = _com_o_numero(np.where(M, -100.0, pontuacoes(Q, K)), M)
    return A @ V, A


@q.equivoco
def menos_mil(Q, K, V, M):
    """Esconder com −1000 não basta: as pontuações também podem ser −1000, e aí o escondido fica com parte do peso. Use
    −inf, ou algo como −1e9."""
    A = _com_o_numero(np.where(M, -1000.0, pontuacoes(Q, K)), M)
    return A @ V, A


@q.equivoco
def menos_mil_e_zera_no_fim(Q, K, V, M):
    """Esconder com −1000 não basta: as pontuações também podem ser −1000, e aí o escondido toma parte do peso antes de
    você pôr zero nele. Use −inf, ou algo como −1e9."""
    A = np.where(M, 0.0, softmax(np.where(M, -1000.0, pontuacoes(Q, K))))
    return A @ V, A


@q.equivoco
def epsilon_no_denominador(Q, K, V, M):
    """Quando o escondido tem as maiores pontuações, o que está à vista fica minúsculo e some. Esconda antes de subtrair
    o máximo, com −inf ou −1e9 (somar −50 não basta), e não some nada ao denominador."""
    S = pontuacoes(Q, K)
    E = np.where(M, 0.0, np.exp(S - S.max(axis=-1, keepdims=True)))
    A = E / (E.sum(axis=-1, keepdims=True) + 1e-12)
    return A @ V, A


@q.equivoco
def sem_o_maximo(Q, K, V, M):
    """Com pontuações pequenas está certo, mas exp(1000) estoura, e exp(−1000) vira 0. Subtraia de cada linha o máximo
    do que ela vê, como na softmax da lista 02."""
    E = np.exp(np.where(M, -np.inf, pontuacoes(Q, K)))
    soma = E.sum(axis=-1, keepdims=True)
    A = E / (soma + (soma == 0))
    return A @ V, A


@q.equivoco
def sem_o_maximo_e_da_nan(Q, K, V, M):
    """Com pontuações pequenas está certo, mas exp(1000) estoura, e exp(−1000) vira 0: saiu NaN. Subtraia de cada linha
    o máximo do que ela vê, como na softmax da lista 02."""
    E = np.exp(np.where(M, -1e9, pontuacoes(Q, K)))
    A = np.where(M.all(axis=-1, keepdims=True), 0.0, E / E.sum(axis=-1, keepdims=True))
    return A @ V, A


@q.equivoco
def maximo_de_tudo(Q, K, V, M):
    """A linha que só vê pontuações perto de −1000 ficou toda em 0: o máximo que você subtraiu é muito maior que elas, e
    as exponenciais deram 0. Ou ele é o de outras linhas, ou é o de algo escondido, e aí um número finito pequeno, como
    −100, não esconde: use −inf ou −1e9, antes de achar o máximo de cada linha."""
    S = np.where(M, -np.inf, pontuacoes(Q, K))
    topo = S.max()
    E = np.exp(S - (topo if np.isfinite(topo) else 0.0))
    soma = E.sum(axis=-1, keepdims=True)
    A = E / (soma + (soma == 0))
    return A @ V, A


@q.equivoco
def maximo_de_tudo_e_da_nan(Q, K, V, M):
    """Na linha que só vê pontuações perto de −1000, toda exponencial deu 0, e 0/0 é NaN: o máximo que você subtraiu é
    muito maior que elas. Ou ele é o de outras linhas, ou é o de algo escondido, e aí um número finito pequeno, como
    −100, não esconde: use −inf ou −1e9, antes de achar o máximo de cada linha."""
    S = np.where(M, -1e9, pontuacoes(Q, K))
    E = np.exp(S - S.max())
    A = np.where(M.all(axis=-1, keepdims=True), 0.0, E / E.sum(axis=-1, keepdims=True))
    return A @ V, A


@q.equivoco
def softmax_nas_colunas(Q, K, V, M):
    """Seus pesos somam 1 em cada coluna. Quem reparte o peso é a consulta, que é a linha. A softmax é no último eixo, e
    as pontuações são Q com K, nesta ordem."""
    S = np.where(M, -np.inf, pontuacoes(Q, K))
    topo = S.max(axis=-2, keepdims=True)
    E = np.exp(S - np.where(np.isfinite(topo), topo, 0.0))
    soma = E.sum(axis=-2, keepdims=True)
    A = E / np.where(soma == 0, 1.0, soma)
    return A @ V, A


@q.equivoco
def altera_a_entrada(Q, K, V, M):
    """Não escreva nas entradas."""
    Q /= np.sqrt(Q.shape[-1])
    A = softmax_mascarado(Q @ np.swapaxes(K, -1, -2), M)
    return A @ V, A


@q.alternativa
def menos_inf_e_nan_to_num(Q, K, V, M):
    with np.errstate(invalid="ignore"):
        A = np.nan_to_num(softmax(np.where(M, -np.inf, pontuacoes(Q, K))))
    return A @ V, A


@q.alternativa
def menos_1e9_e_zera_no_fim(Q, K, V, M):
    A = softmax(np.where(M, -1e9, pontuacoes(Q, K)))
    A = np.where(M, 0.0, A)
    return A @ V, A


@q.alternativa
def menos_1e4_somado_float32(Q, K, V, M):
    Q, K, V = (a.astype(np.float32) for a in (Q, K, V))
    A = softmax(pontuacoes(Q, K) + np.where(M, np.float32(-1e4), np.float32(0)))
    A = np.where(M, np.float32(0), A)
    return A @ V, A


@q.alternativa
def menos_1e9_somado(Q, K, V, M):
    A = softmax(pontuacoes(Q, K) + M * -1e9)
    A = A * ~M.all(axis=-1, keepdims=True)
    return A @ V, A


@q.alternativa
def einsum(Q, K, V, M):
    S = np.where(M, -1e9, np.einsum("...nk,...mk->...nm", Q, K) / Q.shape[-1] ** 0.5)
    E = np.exp(S - S.max(axis=-1, keepdims=True)) * ~M
    soma = E.sum(axis=-1, keepdims=True)
    A = E / (soma + (soma == 0))
    return np.einsum("...nm,...mv->...nv", A, V), A


@q.alternativa
def com_torch(Q, K, V, M):
    Q, K, V, M = (torch.tensor(a) for a in (Q, K, V, M))
    S = Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5
    A = torch.softmax(S.masked_fill(M, float("-inf")), dim=-1).nan_to_num(0.0)
    return A @ V, A


@q.alternativa
def com_torch_float32(Q, K, V, M):
    Q, K, V = (torch.tensor(a, dtype=torch.float32) for a in (Q, K, V))
    M = torch.tensor(M)
    A = torch.softmax((Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5).masked_fill(M, -1e9), dim=-1)
    A = A.masked_fill(M, 0.0)
    return A @ V, A


@q.alternativa
def linha_por_linha(Q, K, V, M):
    S = pontuacoes(Q, K)
    M = np.broadcast_to(M, S.shape)
    A = np.zeros_like(S)
    for i in np.ndindex(S.shape[:-1]):
        vistas = np.flatnonzero(~M[i])
        if len(vistas):
            A[i][vistas] = softmax(S[i][vistas])
    return A @ V, A
