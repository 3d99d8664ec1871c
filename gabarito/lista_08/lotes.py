"""A questão `lotes` da lista 08."""

import numpy as np
import torch

from gabarito.base import caso, questao
from gabarito.base import gerador as gerador_dado
from gabarito.lista_08.comum import O_TEXTO, novo_gerador
from gabarito.testemunha import algarismos, tupla
from helpers.conferencia.pecas.lista_08 import LOTES_CERTOS, OUTRAS, VEZES, ver_lotes


def _conferir_tamanho(dados, bloco):
    if len(dados) < bloco + 1:
        raise ValueError(f"o texto tem {len(dados)} tokens e um bloco de {bloco} precisa de {bloco + 1}")


def lotes(dados, bloco, lote, gerador):
    _conferir_tamanho(dados, bloco)
    comecos = torch.randint(len(dados) - bloco, (lote,), generator=gerador)  # (lote,)
    onde = comecos[:, None] + torch.arange(bloco)  # (lote, bloco)
    return dados[onde], dados[onde + 1]


def _sem_repetir(rng, n, V, bloco):
    """n tokens de 1 a V − 1, com repetições, em que nenhuma janela de `bloco` (nem de bloco − 1, se der) se repete."""
    while True:
        dados = rng.integers(1, V, size=n)
        janelas = [tuple(dados[i : i + bloco]) for i in range(n - bloco + 1)]
        circulares = [tuple(np.resize(np.roll(dados, -i), bloco)) for i in range(n - bloco + 1, n)]
        if len(set(janelas + circulares)) == len(janelas + circulares):
            return torch.tensor(dados)


def _curto(rng, n, bloco):
    nomeia = {"o tamanho do texto": rf"(?<!\d){n}(?!\d)|{O_TEXTO}", "o bloco": rf"(?<!\d){bloco}(?!\d)|bloco|contexto"}
    return caso(torch.tensor(rng.integers(1, 9, size=n)), bloco, 3, novo_gerador(rng), nomeia=nomeia, parte="erros")


def ocultos(rng):
    bloco, outro = (int(b) for b in rng.choice([3, 4, 5, 6], size=2, replace=False))
    return [
        caso(_sem_repetir(rng, 18, 10, bloco), bloco, 8, novo_gerador(rng)),
        caso(_sem_repetir(rng, int(rng.integers(11, 15)), 10, outro), outro, 6, novo_gerador(rng)),
        caso(_sem_repetir(rng, 9, 10, 4), 4, 9, novo_gerador(rng)),
        caso(torch.tensor(rng.permutation(np.arange(1, 8))), 6, 3, novo_gerador(rng)),
        caso(torch.tensor(rng.permutation(np.arange(1, 10))), 1, 16, novo_gerador(rng)),
        caso(torch.tensor(rng.permutation(np.arange(1, 8))), 4, 40, novo_gerador(rng)),
        _curto(rng, bloco, bloco),
        _curto(rng, 2, 5),
    ]


def _com_rotulo(c, rotulo):
    c.rotulo = rotulo
    return c


def _testemunha(visto, dados, bloco, lote, _gerador):
    """Os lotes sorteados, brutos: é deles que se tira, de novo, o que o adaptador disse ter visto."""
    vezes = (VEZES, VEZES, OUTRAS, OUTRAS)
    x, y, iguais, outros = (algarismos(t, (n, lote, bloco)) for t, n in zip(tupla(visto, 4), vezes, strict=True))
    return ver_lotes(x, y, iguais, outros, dados)[0] == LOTES_CERTOS


q = questao(
    "lista-08/lotes",
    assinatura="lotes(dados, bloco, lote, gerador)",
    saida=[("o que se viu", "texto"), ("janelas", "array")],
    adaptador="lista_08.lotes",
    testemunha=_testemunha,
    referencia=lotes,
    casos=[
        caso(torch.tensor([5, 3, 8, 6, 2, 7]), 3, 3, gerador_dado(1), claro=True, rotulo="o exemplo do enunciado"),
        caso(
            torch.tensor([4, 9, 1, 7, 4, 2, 9, 1, 5, 8, 8, 3, 6, 1, 4, 3]),
            4,
            5,
            gerador_dado(2),
            rotulo="dezesseis tokens",
        ),
        caso(torch.tensor([6, 2, 9, 4, 7, 1]), 4, 7, gerador_dado(3), rotulo="um lote com mais linhas do que começos"),
        caso(
            torch.tensor([3, 8, 5, 2, 6]),
            4,
            3,
            gerador_dado(4),
            rotulo="um começo só: cabem o bloco e o alvo, e mais nada",
        ),
        caso(torch.tensor([2, 7, 4, 1, 9, 3, 8]), 1, 12, gerador_dado(5), rotulo="bloco de um token"),
        caso(torch.tensor([7, 1, 4, 9, 2, 6]), 3, 40, gerador_dado(6), rotulo="quarenta linhas, três começos"),
        _com_rotulo(_curto(np.random.default_rng(4), 4, 4), "texto do tamanho do bloco: falta um token para o alvo"),
        _com_rotulo(_curto(np.random.default_rng(5), 3, 8), "texto menor que o bloco"),
    ],
    ocultos=ocultos,
    partes={"valores": 0.75, "erros": 0.25},
)

q.equivocos_curtos("""
falta-o-ultimo-comeco: len(dados) - bloco → max(len(dados) - bloco - 1, 1)
    O último começo possível nunca é sorteado. O fim de torch.randint já fica de fora: com n tokens, o começo vai de 0
    até n − bloco − 1, inclusive. Veja a Dica 1.
y-igual-a-x: return dados[onde], dados[onde + 1] → x, _y = dados[onde], dados[onde + 1]⏎return x, x.clone()
    Seu y é igual a x: o modelo aprenderia a repetir a entrada. O alvo da posição t é o token t + 1.
y-e-a-volta:
        return dados[onde], dados[onde + 1] → x, _y = dados[onde], dados[onde + 1]⏎return x, torch.roll(x, -1, dims=1)
    Seu y é x girado: a última posição recebeu o primeiro token da própria linha. O alvo dela é o token seguinte do
    texto, que não está em x.
x-e-y-trocados: return dados[onde], dados[onde + 1] → x, y = dados[onde], dados[onde + 1]⏎return y, x
    Há linhas de x que começam onde y já não cabe. Ou x e y vieram trocados (ou os dois são y), ou há um começo a mais
    no sorteio. O que entra vem antes; o alvo, um passo depois.
y-e-so-o-proximo: dados[onde], dados[onde + 1] → dados[comecos[:, None] + torch.arange(bloco)], dados[comecos + bloco]
    Seu y tem um token por linha. Cada posição de x tem o seu alvo: y tem a mesma forma de x, (lote, bloco).
ignora-o-gerador: .randint(len(dados) - bloco, (lote,), generator=gerador) → .randint(len(dados) - bloco, (lote,))
    Dois geradores com a mesma semente deram lotes diferentes: o sorteio não usou o gerador recebido. Passe-o com
    generator=gerador.
sempre-o-mesmo-lote: generator=gerador → generator=torch.Generator().manual_seed(0)
    Chamada de novo com o mesmo gerador, sua função devolve sempre o mesmo lote. Não ponha semente lá dentro, nem comece
    sempre do começo: é o gerador que avança.
so-multiplos-do-bloco: torch.randint → bloco * torch.randint(
        len(dados) - bloco → len(dados) - 1) // bloco
    Só alguns começos saem: os múltiplos do bloco, ao que parece, ou só os de uma parte do texto. Todo começo em que
    cabem o trecho e o alvo pode ser sorteado.
comecos-desiguais: len(dados) - bloco → len(dados)
        generator=gerador → generator=gerador).clamp(max=len(dados) - bloco - 1
    Os começos não têm a mesma chance: alguns saem muito mais que outros. Em vez de consertar o sorteio depois (clamp,
    %, round), sorteie direto entre 0 e n − bloco − 1.
da-a-volta: len(dados) - bloco → len(dados)
        dados[onde] → dados[onde % len(dados)]
        onde + 1 → (onde + 1) % len(dados)
    Há linhas que passam do fim do texto e continuam do começo. Um trecho que não cabe inteiro não se sorteia.
arredonda-o-sorteio: torch.randint(len(dados) - bloco, (lote,) → torch.rand(lote
        generator=gerador) → generator=gerador).mul(len(dados) - bloco - 1).round().long()
    Os começos não têm a mesma chance: os das pontas saem menos. É o que um arredondamento faz, porque em cada ponta só
    cai meio intervalo. Sorteie inteiros, com torch.randint.
tokens-soltos: comecos[:, None] + torch.arange(bloco) → torch.randint(len(dados) - 1, (lote, bloco), generator=gerador)
    As linhas de x não são trechos seguidos do texto. Sorteie onde cada trecho começa (e não cada token) e copie dali os
    bloco tokens, em ordem, sem embaralhar e sem pôr nada na frente.
em-float: return dados[onde], dados[onde + 1] → x, y = dados[onde], dados[onde + 1]⏎return x.float(), y.float()
    Seus tensores são de float. Os ids são inteiros (int64), porque são índices do embedding.
lista-de-trechos: return dados[onde], dados[onde + 1] → x, y = dados[onde], dados[onde + 1]⏎return list(x), list(y)
    Seu x é uma lista de trechos. Junte-os em um tensor só, de forma (lote, bloco): há uma função do torch que empilha.
comeco-que-nao-cabe-indexando: len(dados) - bloco → len(dados) - bloco + 1
    Um índice passou do fim do texto: há começos a mais no sorteio. O último em que cabem o trecho e o alvo é n − bloco
    − 1, e o limite de torch.randint já fica de fora.
y-com-uma-coluna-a-menos: return dados[onde], dados[onde + 1] → return dados[onde], dados[onde][:, 1:]
    Seu y tem uma coluna a menos que x: falta o alvo da última posição, que é o token seguinte do texto.
""")


@q.equivoco
def y_com_pad_no_fim(dados, bloco, lote, gerador):
    """A última posição de y ficou com 0. O token seguinte existe no texto: y tem os bloco alvos, até o que vem logo
    depois de x."""
    x, _y = lotes(dados, bloco, lote, gerador)
    return x, torch.cat([x[:, 1:], torch.zeros_like(x[:, :1])], dim=1)


@q.equivoco
def um_comeco_para_todas(dados, bloco, lote, gerador):
    """Todas as linhas de um lote começam no mesmo lugar: é o mesmo trecho, repetido. Sorteie um começo para cada linha.
    Veja a Dica 2."""
    _conferir_tamanho(dados, bloco)
    i = int(torch.randint(len(dados) - bloco, (1,), generator=gerador))
    return dados[i : i + bloco].repeat(lote, 1), dados[i + 1 : i + bloco + 1].repeat(lote, 1)


@q.equivoco
def um_sorteio_para_cada(dados, bloco, lote, gerador):
    """Seus x e y vieram de começos diferentes: foram dois sorteios. Sorteie os começos uma vez só, e use os mesmos nos
    dois."""
    x, _ = lotes(dados, bloco, lote, gerador)
    _, y = lotes(dados, bloco, lote, gerador)
    return x, y


@q.equivoco
def linhas_vizinhas(dados, bloco, lote, gerador):
    """Só a primeira linha foi sorteada; as outras começam logo depois dela. Sorteie um começo para cada linha, senão o
    lote é quase um trecho só."""
    _conferir_tamanho(dados, bloco)
    m = len(dados) - bloco
    comecos = (torch.randint(m, (1,), generator=gerador) + torch.arange(lote)) % m
    onde = comecos[:, None] + torch.arange(bloco)
    return dados[onde], dados[onde + 1]


@q.equivoco
def nao_examina_o_tamanho(dados, bloco, lote, gerador):
    """Com um texto curto demais, quem reclama é o sorteio, com um RuntimeError que não diz nada. Examine antes e lance
    um ValueError com o tamanho do texto e o do bloco."""
    comecos = torch.randint(len(dados) - bloco, (lote,), generator=gerador)
    onde = comecos[:, None] + torch.arange(bloco)
    return dados[onde], dados[onde + 1]


@q.equivoco
def esquece_o_alvo_no_tamanho(dados, bloco, lote, gerador):
    """Um texto do tamanho do bloco ainda não serve: falta o token que é o alvo da última posição. São precisos bloco +
    1."""
    if len(dados) < bloco:
        raise ValueError(f"o texto tem {len(dados)} tokens e o bloco é de {bloco}")
    comecos = torch.randint(len(dados) - bloco, (lote,), generator=gerador)
    onde = comecos[:, None] + torch.arange(bloco)
    return dados[onde], dados[onde + 1]


@q.equivoco
def recusa_o_que_serve(dados, bloco, lote, gerador):
    """Um texto com exatamente bloco + 1 tokens foi recusado, e ele serve: cabem o bloco e o alvo, com um começo só."""
    if len(dados) <= bloco + 1:
        raise ValueError(f"o texto tem {len(dados)} tokens e o bloco é de {bloco}")
    return lotes(dados, bloco, lote, gerador)


@q.equivoco
def assert_em_vez_de_erro(dados, bloco, lote, gerador):
    """A verificação está lá, mas um assert lança AssertionError. O enunciado pede um ValueError: `raise
    ValueError(...)`."""
    assert len(dados) > bloco, f"texto de {len(dados)} tokens, bloco de {bloco}"
    return lotes(dados, bloco, lote, gerador)


@q.equivoco
def sem_repeticao(dados, bloco, lote, gerador):
    """O lote saiu com menos linhas do que o pedido: você sorteou sem repetição, e os começos acabaram. Aqui um começo
    pode sair mais de uma vez."""
    _conferir_tamanho(dados, bloco)
    comecos = torch.randperm(len(dados) - bloco, generator=gerador)[:lote]
    onde = comecos[:, None] + torch.arange(bloco)
    return dados[onde], dados[onde + 1]


@q.equivoco
def sem_repeticao_quando_cabe(dados, bloco, lote, gerador):
    """Em um lote, nenhum começo sai duas vezes: você sorteou sem repetição (randperm?). Cada linha tem o seu sorteio,
    que não depende do das outras."""
    _conferir_tamanho(dados, bloco)
    m = len(dados) - bloco
    comecos = torch.randperm(m, generator=gerador)[:lote]
    if lote > m:
        comecos = torch.randint(m, (lote,), generator=gerador)
    onde = comecos[:, None] + torch.arange(bloco)
    return dados[onde], dados[onde + 1]


@q.equivoco
def deitado(dados, bloco, lote, gerador):
    """A forma saiu (bloco, lote). Cada linha é um trecho: (lote, bloco)."""
    x, y = lotes(dados, bloco, lote, gerador)
    return x.T.contiguous(), y.T.contiguous()


@q.equivoco
def falta_o_primeiro_comeco(dados, bloco, lote, gerador):
    """O começo 0 nunca é sorteado. Em torch.randint, sem o primeiro argumento, o sorteio já parte do 0."""
    _conferir_tamanho(dados, bloco)
    m = len(dados) - bloco
    comecos = torch.randint(min(1, m - 1), m, (lote,), generator=gerador)
    onde = comecos[:, None] + torch.arange(bloco)
    return dados[onde], dados[onde + 1]


@q.alternativa
def fatias_empilhadas(dados, bloco, lote, gerador):
    if len(dados) <= bloco:
        raise ValueError(f"dados tem {len(dados)} tokens, e o bloco {bloco} pede pelo menos mais um")
    comecos = torch.randint(0, len(dados) - bloco, (lote,), generator=gerador)
    x = torch.stack([dados[i : i + bloco] for i in comecos])
    y = torch.stack([dados[i + 1 : i + 1 + bloco] for i in comecos])
    return x, y


@q.alternativa
def unfold(dados, bloco, lote, gerador):
    if dados.numel() - bloco < 1:
        raise ValueError(f"texto curto demais para o bloco: {dados.numel()} < {bloco} + 1")
    janelas = dados.unfold(0, bloco + 1, 1)  # (m, bloco + 1)
    linhas = janelas[torch.randint(len(janelas), (lote,), generator=gerador)]
    return linhas[:, :-1], linhas[:, 1:]


@q.alternativa
def um_a_um(dados, bloco, lote, gerador):
    n = dados.shape[0]
    if n < bloco + 1:
        raise ValueError(f"n={n}, bloco={bloco}")
    x = torch.zeros(lote, bloco, dtype=torch.long)
    y = torch.zeros(lote, bloco, dtype=torch.long)
    for linha in range(lote):
        i = torch.randint(n - bloco, (), generator=gerador).item()
        x[linha], y[linha] = dados[i : i + bloco], dados[i + 1 : i + bloco + 1]
    return x, y


@q.alternativa
def multinomial(dados, bloco, lote, gerador):
    m = len(dados) - bloco
    if m <= 0:
        raise ValueError(f"são {len(dados)} caracteres para um contexto de {bloco}")
    comecos = torch.multinomial(torch.ones(m), lote, replacement=True, generator=gerador)
    x = torch.stack([dados.narrow(0, int(i), bloco) for i in comecos])
    return x, torch.cat([x[:, 1:], dados[comecos + bloco][:, None]], dim=1)


@q.alternativa
def rand_e_floor(dados, bloco, lote, gerador):
    if len(dados) < bloco + 1:
        raise ValueError(f"dados ({len(dados)}) menor que bloco + 1 ({bloco + 1})")
    comecos = (torch.rand(lote, generator=gerador) * (len(dados) - bloco)).long()
    tudo = torch.take(dados, comecos.view(-1, 1) + torch.arange(bloco + 1).view(1, -1))
    return tudo[:, :bloco].contiguous(), tudo[:, 1:].contiguous()


@q.alternativa
def semente_tirada_do_gerador(dados, bloco, lote, gerador):
    if len(dados) < bloco + 1:
        raise ValueError(f"o texto tem {len(dados)} tokens e o bloco, {bloco}")
    rng = np.random.default_rng(int(torch.randint(2**31, (1,), generator=gerador)))
    comecos = rng.integers(0, len(dados) - bloco, size=lote)
    x = np.array([dados[i : i + bloco].tolist() for i in comecos])
    y = np.array([dados[i + 1 : i + bloco + 1].tolist() for i in comecos])
    return torch.from_numpy(x), torch.from_numpy(y)


@q.equivoco
def comeco_que_nao_cabe(dados, bloco, lote, gerador):
    """Um dos trechos saiu mais curto, e o torch.stack parou: há começos perto demais do fim. O último em que cabem o
    trecho e o alvo é n − bloco − 1; confira o limite do sorteio e as fatias de x e de y."""
    _conferir_tamanho(dados, bloco)
    comecos = torch.randint(len(dados) - bloco + 1, (lote,), generator=gerador)
    return tuple(torch.stack([dados[i + k : i + k + bloco] for i in comecos]) for k in (0, 1))
