"""A questão `gerar` da lista 08."""

import numpy as np
import torch

from gabarito.base import caso, funcao, questao
from gabarito.lista_08.comum import novo_gerador
from gabarito.testemunha import algarismos, tupla
from helpers.conferencia.pecas import peca
from helpers.conferencia.pecas.lista_08 import GERADOS, POUCOS, ver_sorteios


def _proximo(logits, temperatura, top_k, gerador):
    """Um token por linha: logits (B, V) -> (B, 1)."""
    if temperatura == 0:
        return logits.argmax(-1, keepdim=True)
    if top_k is not None:
        minimo = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
        logits = logits.masked_fill(logits < minimo, float("-inf"))
    return torch.multinomial(torch.softmax(logits / temperatura, dim=-1), 1, generator=gerador)


@torch.no_grad()
def gerar(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    treinando = modelo.training
    modelo.eval()
    for _ in range(n):
        logits, _perda = modelo(ids[:, -modelo.bloco :])
        ids = torch.cat([ids, _proximo(logits[:, -1], temperatura, top_k, gerador)], dim=1)
    modelo.train(treinando)
    return ids


VEZES = 10_000
LONGE, PERTO = 0.2, 0.13  # quanto um equívoco tem de mudar alguma frequência: o de temperatura, e o de top-k
FOLGADO = 0.15  # quanto dois logits têm de diferir
FOLGA = 0.05  # quanto uma frequência, em VEZES sorteios, pode fugir da outra por azar


def _modelinho(rng, V, bloco, dispersao=1.0, treino=True):
    return funcao("lista_08.modelinho", V=V, bloco=bloco, semente=int(rng.integers(1, 10**6)),
                  dispersao=dispersao, treino=treino)  # fmt: skip


def _logits_do_fim(modelo, ids):
    """Os da última posição de cada linha, (B, V)."""
    with torch.no_grad():
        return _construir(modelo)(ids[:, -modelo.parametros["bloco"] :])[0][:, -1]


def _longe(p, q, quanto=LONGE):
    return float((p - q).abs().max()) > quanto


def _folgados(logits):
    """Nenhum par de logits tão próximo que o arredondamento decida quem é o maior."""
    return float(logits.sort().values.diff().min()) > FOLGADO


def _guloso(rng, V, bloco, B, T, n, top_k=None, temperatura=0.0, treino=True, pad=False, rotulo=""):
    """Um caso sem acaso: temperatura 0, ou top_k 1. Ao longo do texto, o maior logit ganha com folga.

    Com `pad`, em cada texto sai um 0 antes do fim, e depois dele outra coisa.
    """
    while True:
        modelo = _modelinho(rng, V, bloco, treino=treino)
        ids = torch.tensor(rng.integers(1, V, size=(B, T)))
        pronto = _construir(modelo)
        cheio, margem = _gerar_com(pronto, ids, n, lambda z, bloco: z[:, -bloco:])
        novos = cheio[:, T:]
        if pad and not ((novos[:, :-1] == 0) & (novos[:, 1:] != 0)).any(dim=1).all():
            continue
        if margem > 0.1 and (n < 3 or all(not torch.equal(_gerar_com(pronto, ids, n, c)[0], cheio) for c in _CORTES)):
            parte = "top_k" if temperatura else "guloso"
            return caso(modelo, ids, n, temperatura, top_k, novo_gerador(rng), True, 1, rotulo=rotulo, parte=parte)


def _construir(modelo):
    return peca(modelo.nome)(**modelo.parametros).eval()


_CORTES = [
    lambda z, bloco: z[:, -1:],
    lambda z, bloco: z[:, :bloco],
    lambda z, bloco: z[:, -(bloco - 1) :],
]


@torch.no_grad()
def _gerar_com(modelo, ids, n, corte):
    """O guloso, com este corte da janela, e a menor margem com que o maior logit ganhou: serve para escolher casos."""
    margem = float("inf")
    for _ in range(n):
        maiores = modelo(corte(ids, modelo.bloco))[0][:, -1].topk(2)
        ids = torch.cat([ids, maiores.indices[:, :1]], dim=1)
        margem = min(margem, float(maiores.values.diff().abs().min()))
    return ids, margem


def _sorteado(rng, V, bloco, T, n, temperatura, top_k, com=True, rotulo=""):
    """Um caso com sorteio em que errar a temperatura, o top-k ou o sinal muda muito as frequências."""
    while True:
        modelo = _modelinho(rng, V, bloco, 0.8)
        ids = torch.tensor(rng.integers(1, V, size=(1, T)))
        z = _logits_do_fim(modelo, ids)[0]
        certo = _frequencias(z, temperatura, top_k)
        vizinhos = []
        equivocos = [_frequencias(z, 1.0, 1), _frequencias(-z, temperatura, top_k), torch.full((V,), 1 / V)]
        if temperatura != 1.0:
            equivocos += [_frequencias(z, 1.0, top_k), _frequencias(z, 1 / temperatura, top_k)]
        if top_k is not None and top_k < V:
            zerados = z.masked_fill(z < z.topk(top_k).values[-1], 0.0)
            vizinhos = [_frequencias(z, temperatura, k) for k in (top_k - 1, top_k + 1, None)]
            vizinhos.append(torch.softmax(zerados / temperatura, -1))
        perto_basta = all(_longe(certo, v, PERTO) for v in vizinhos)
        if perto_basta and _folgados(z) and all(_longe(certo, e, PERTO if top_k else LONGE) for e in equivocos):
            parte = "sorteio" if top_k is None else "top_k"
            return caso(modelo, ids, n, temperatura, top_k, novo_gerador(rng), com, VEZES, rotulo=rotulo, parte=parte)


def _dois_comecos(rng, V, bloco, T, top_k, rotulo=""):
    """Dois começos no mesmo lote, em que o corte do top-k de um não serve para o outro, e o do primeiro é o maior."""
    while True:
        modelo = _modelinho(rng, V, bloco, 0.8)
        antes = rng.bit_generator.state
        comecos = torch.tensor(rng.integers(1, V, size=(50, 2, T)))  # fazer um modelo custa mais do que olhar todos
        with torch.no_grad():
            z = _construir(modelo)(comecos[:, :, -bloco:].flatten(0, 1))[0][:, -1].reshape(50, 2, V)
        proprios = z.topk(top_k).values[:, :, -1:]  # (50, 2, 1)
        certo = _cortadas(z, proprios)
        serve = (proprios[:, 0] > proprios[:, 1])[:, 0] & (certo.amax((1, 2)) < 1 - PERTO)
        serve &= z.sort().values.diff().amin((1, 2)) > FOLGADO
        for corte in (proprios[:, :1], proprios[:, 1:]):
            serve &= (certo - _cortadas(z, corte)).abs().amax((1, 2)) > PERTO
        if serve.any():
            qual = int(serve.int().argmax())
            rng.bit_generator.state = antes
            rng.integers(1, V, size=(qual + 1, 2, T))  # o sorteio segue de onde estaria se se olhasse um por um
            ids = comecos[qual]
            return caso(modelo, ids, 1, 1.0, top_k, novo_gerador(rng), True, VEZES, rotulo=rotulo, parte="top_k")


def _cortadas(z, corte):
    """As probabilidades dos logits (50, 2, V) que não estão abaixo do corte; NaN, que nunca está longe, se não sobra
    um."""
    return torch.softmax(z.masked_fill(z < corte, float("-inf")), -1)


def _frequencias(z, temperatura, top_k):
    if top_k is not None and top_k < len(z):
        z = z.masked_fill(z < z.topk(top_k).values[-1], float("-inf"))
    return torch.softmax(z / temperatura, -1)


def ocultos(rng):
    V = int(rng.integers(6, 9))
    return [
        _guloso(rng, V, 4, 2, 3, 7),
        _guloso(rng, V, 5, 3, 7, 4, top_k=1, temperatura=0.7, treino=False),
        _guloso(rng, 6, 3, 2, 5, 3, top_k=4),
        _guloso(rng, 7, 4, 2, 4, 0),
        _guloso(rng, 5, 4, 1, 3, 5, pad=True),
        _sorteado(rng, 6, 4, 6, 2, float(rng.choice([0.5, 2.0, 2.5])), None),
        _sorteado(rng, 6, 4, 3, 1, 1.0, None, com=False),
        _sorteado(rng, 8, 4, 5, 1, 2.5, 2),
        _sorteado(rng, 5, 4, 2, 1, 1.0, 9),
        _dois_comecos(rng, 7, 4, 5, int(rng.integers(2, 4))),
    ]


def _exatas(modelo, ids, n, temperatura, top_k):
    """As probabilidades do primeiro e do último token novo depois de cada começo, sem sortear nada: (2B, V)."""
    linhas = []
    for comeco in ids:
        textos, pesos = comeco[None], torch.ones(1)  # todos os textos possíveis, e a chance de cada um
        for i in range(n):
            with torch.no_grad():
                z = modelo.eval()(textos[:, -modelo.bloco :])[0][:, -1]
            p = torch.stack([_frequencias(linha, temperatura, top_k) for linha in z])  # (K, V)
            if i in (0, n - 1):
                linhas += [pesos @ p] * (2 if n == 1 else 1)
            V = p.shape[1]
            textos = torch.cat([textos.repeat_interleave(V, 0), torch.arange(V).repeat(len(textos))[:, None]], dim=1)
            pesos = (pesos[:, None] * p).flatten()
    return torch.stack(linhas)


def _testemunha(visto, modelo, ids, n, temperatura, top_k, _gerador, com, vezes):
    """Os sorteios, brutos: deles se tiram as frequências, que se comparam com as probabilidades exatas."""
    if vezes == 1:  # sem acaso, os tokens novos dizem tudo
        return True
    B, V = len(ids), modelo.ultimo.shape[0]
    quantos = (vezes, POUCOS, POUCOS, POUCOS)
    sorteios = [algarismos(t, (B * q, n)) for t, q in zip(tupla(visto, 4), quantos, strict=True)]
    que, frequencias = ver_sorteios(*sorteios, B, V, com)
    return que == GERADOS and not _longe(frequencias, _exatas(modelo, ids, n, temperatura, top_k), FOLGA)


def _exemplo_gerar():
    """O exemplo do enunciado: pequeno, e com contexto menor que o texto."""
    rng = np.random.default_rng(81)
    c = _guloso(rng, 6, 3, 1, 2, 4, rotulo="o exemplo do enunciado")
    c.claro = True
    return c


_sorte = np.random.default_rng(80)

q = questao(
    "lista-08/gerar",
    assinatura="gerar(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None)",
    saida=[("o que se viu", "texto"), ("tokens novos (ou das frequências deles)", "array")],
    adaptador="lista_08.gerar",
    testemunha=_testemunha,
    referencia=gerar,
    atol=FOLGA,
    rtol=0.0,
    casos=[
        _exemplo_gerar(),
        _guloso(_sorte, 7, 4, 3, 6, 5, rotulo="três textos, já maiores que o contexto"),
        _guloso(_sorte, 7, 4, 2, 3, 4, top_k=1, temperatura=1.5, treino=False, rotulo="top_k = 1: não há sorteio"),
        _guloso(_sorte, 6, 4, 2, 3, 0, rotulo="n = 0"),
        _guloso(np.random.default_rng(82), 5, 4, 1, 3, 5, pad=True, rotulo="o <PAD> sai no meio do texto"),
        _sorteado(_sorte, 6, 4, 5, 2, 2.0, None, rotulo="temperatura 2, em 10 000 sorteios"),
        _sorteado(_sorte, 6, 4, 3, 1, 1.0, None, com=False, rotulo="só os três primeiros argumentos"),
        _sorteado(_sorte, 5, 4, 2, 1, 1.0, 8, rotulo="top_k maior que V, em 10 000 sorteios"),
        _sorteado(_sorte, 8, 4, 6, 1, 2.5, 2, rotulo="temperatura 2,5 e top_k = 2, em 10 000 sorteios"),
        _dois_comecos(_sorte, 7, 4, 5, 3, rotulo="top_k = 3, com dois começos diferentes no lote"),
    ],
    ocultos=ocultos,
    partes={"guloso": 0.5, "sorteio": 0.25, "top_k": 0.25},
)


def _laco(modelo, ids, n, escolher, corte=None):
    """O laço da geração com outra escolha do próximo, para os equívocos."""
    treinando = modelo.training
    modelo.eval()
    with torch.no_grad():
        for _ in range(n):
            visto = ids[:, -modelo.bloco :] if corte is None else corte(ids)
            ids = torch.cat([ids, escolher(modelo(visto)[0])], dim=1)
    modelo.train(treinando)
    return ids


q.equivocos_curtos("""
nao-corta: _laco(modelo, ids, n, lambda z: _proximo(z[:, -1], temperatura, top_k, gerador), lambda t: t)
    Quando o texto passa do contexto, o modelo recusa: ele só aceita `modelo.bloco` tokens. Dê a ele só os últimos.
corta-o-fim: _laco(modelo, ids, n, lambda z: _proximo(z[:, -1], temperatura, top_k, gerador), lambda t: t[:,
        :modelo.bloco])
    Você deu ao modelo os primeiros `bloco` tokens, e não os últimos: ele continua sempre do mesmo lugar.
so-o-ultimo-token: _laco(modelo, ids, n, lambda z: _proximo(z[:, -1], temperatura, top_k, gerador), lambda t: t[:, -1:])
    O modelo só recebeu o último token. O contexto inteiro, até `modelo.bloco` tokens, é o que a atenção usa.
corta-um-a-mais: _laco(modelo, ids, n, lambda z: _proximo(z[:, -1], temperatura, top_k, gerador), lambda t: t[:,
        -(modelo.bloco - 1):])
    O modelo recebeu um token a menos do que cabe. São os últimos `bloco`, e não `bloco − 1`.
primeira-posicao: _laco(modelo, ids, n, lambda z: _proximo(z[:, 0], temperatura, top_k, gerador))
    Você escolheu o próximo com os logits da primeira posição. Quem sabe o que vem depois do texto é a última.
sempre-o-mais-provavel: _laco(modelo, ids, n, lambda z: z[:, -1].argmax(-1, keepdim=True))
    Não houve sorteio: saiu sempre o token mais provável. Isso é só para temperatura 0; nas outras, sorteie com as
    probabilidades da softmax. Veja a Dica 2.
top-k-ignorado: _laco(modelo, ids, n, lambda z: _proximo(z[:, -1], temperatura, None, gerador))
    O top_k não fez diferença: tokens fora dos k mais prováveis continuam saindo.
a-primeira-linha-decide: _laco(modelo, ids, n, lambda z: _proximo(z[:1, -1], temperatura, top_k,
        gerador).expand(len(z), 1))
    Todas as linhas receberam o mesmo token novo: a escolha foi feita uma vez só, com a primeira. Cada texto do lote tem
    o seu próximo.
so-os-novos: gerar(modelo, ids, n, temperatura, top_k, gerador)[:, ids.shape[1] :]
    Você devolveu só os tokens novos. O enunciado pede o texto inteiro: os T dados e, depois deles, os n novos.
um-a-mais: gerar(modelo, ids, n + 1, temperatura, top_k, gerador)
    Saiu um token a mais do que os n pedidos. Quantas voltas dá o seu laço?
muda-so-o-atributo:
        logits, _perda = modelo(ids[:, -modelo.bloco :]) → logits = modelo(ids[:, -modelo.bloco :])[0][:, -1].detach()
        logits[:, -1] → logits
        modelo.train(treinando) → modelo.training = treinando
    Você mudou só o atributo `modelo.training`, e as camadas de dentro (o dropout) ficaram no outro modo. Use
    modelo.eval() e modelo.train(modo), que alcançam todas.
ignora-o-gerador: gerar(modelo, ids, n, temperatura, top_k, None)
    Dois geradores com a mesma semente deram textos diferentes: o sorteio não usou o gerador recebido.
esquece-de-juntar: ids.clone()
    O texto voltou como chegou: torch.cat devolve outro tensor, e o resultado dele se perdeu. Guarde-o em `ids` a cada
    volta.
para-no-primeiro: ids = torch.cat( → return torch.cat(
    Saiu um token novo só, e o modelo nem voltou ao modo de antes: o return está dentro do laço?
sem-keepdim: _laco(modelo, ids, n, lambda z: _proximo(z[:, -1], temperatura, top_k, gerador)[:,
        [0] if temperatura else 0])
    O token novo saiu com a forma (B,), e para o torch.cat ele precisa ser (B, 1): conserve o eixo (keepdim=True).
um-a-menos: gerar(modelo, ids, max(n - 1, 0), temperatura, top_k, gerador)
    Saiu um token a menos do que os n pedidos. Quantas voltas dá o seu laço?
todas-as-posicoes: _laco(modelo, ids, n, lambda z: _proximo(z, temperatura, top_k, gerador))
    A escolha foi feita com os logits de todas as posições, (B, T, V). Só a última diz o que vem depois: fique com ela,
    (B, V).
""")


def _ate_o_pad(modelo, ids, n, temperatura, top_k, gerador, inclusive):
    """A geração que acaba quando o <PAD> sai em todos os textos."""
    treinando = modelo.training
    modelo.eval()
    with torch.no_grad():
        for _ in range(n):
            novo = _proximo(modelo(ids[:, -modelo.bloco :])[0][:, -1], temperatura, top_k, gerador)
            acabou = bool((novo == 0).all())
            if inclusive or not acabou:
                ids = torch.cat([ids, novo], dim=1)
            if acabou:
                break
    modelo.train(treinando)
    return ids


@q.equivoco
def para_no_pad(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Sua geração para quando sai o <PAD>. Aqui ele é um token como os outros: são sempre n tokens novos."""
    return _ate_o_pad(modelo, ids, n, temperatura, top_k, gerador, inclusive=True)


@q.equivoco
def para_antes_do_pad(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Sua geração para quando sairia o <PAD>, sem o pôr no texto. Aqui ele é um token como os outros: são sempre n
    tokens novos."""
    return _ate_o_pad(modelo, ids, n, temperatura, top_k, gerador, inclusive=False)


@q.equivoco
def depois_do_pad_so_pad(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Depois do primeiro <PAD>, seu texto só tem <PAD>. Aqui ele é um token como os outros, e não o fim do texto."""
    T = ids.shape[1]

    def escolher(z):
        nonlocal acabou
        novo = _proximo(z[:, -1], temperatura, top_k, gerador).masked_fill(acabou, 0)
        acabou = acabou | (novo == 0)
        return novo

    acabou = torch.zeros(len(ids), 1, dtype=torch.bool)
    return _laco(modelo, ids, n, escolher)[:, : T + n]


@q.equivoco
def nem_temperatura_nem_top_k(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Seu `gerar` sorteia sempre com as probabilidades do modelo, sem olhar `temperatura` nem `top_k`. Divida os logits
    pela temperatura (com 0, escolha o maior) e corte os que não estão entre os k maiores."""
    return _laco(modelo, ids, n, lambda z: _proximo(z[:, -1], 1.0, None, gerador))


@q.equivoco
def proibe_o_pad(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """O token 0 nunca sai. Na aula o <PAD> é proibido, mas aqui ele entra no sorteio como os outros."""

    def escolher(z):
        z = z[:, -1].clone()
        z[:, 0] = float("-inf")
        return _proximo(z, temperatura, top_k, gerador)

    return _laco(modelo, ids, n, escolher)


@q.equivoco
def temperatura_multiplica(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Sua temperatura faz o contrário: a alta concentra e a baixa espalha. Os logits se dividem por ela."""
    inversa = 1 / temperatura if temperatura else 0.0
    return _laco(modelo, ids, n, lambda z: _proximo(z[:, -1], inversa, top_k, gerador))


@q.equivoco
def temperatura_ignorada(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """As frequências são as de temperatura 1, seja qual for a pedida. Falta dividir os logits por ela, antes da softmax
    (dividir as probabilidades, depois, não muda nada: o sorteio as normaliza de novo)."""
    usada = 1.0 if temperatura else 0.0
    return _laco(modelo, ids, n, lambda z: _proximo(z[:, -1], usada, top_k, gerador))


@q.equivoco
def divide_por_zero(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Com temperatura 0 você dividiu por zero, e a softmax deu NaN. Temperatura 0 é um caso à parte: o mais provável,
    sem sorteio. Veja a Dica 1."""

    def escolher(z):
        z = z[:, -1] / temperatura
        if top_k is not None:
            z = z.masked_fill(z < z.topk(min(top_k, z.shape[-1])).values[:, -1:], float("-inf"))
        return torch.multinomial(torch.softmax(z, dim=-1), 1, generator=gerador)

    return _laco(modelo, ids, n, escolher)


@q.equivoco
def sorteio_uniforme(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Todos os tokens saem com a mesma frequência: o sorteio não usou as probabilidades do modelo."""

    def escolher(z):
        if temperatura == 0 or top_k == 1:
            return z[:, -1].argmax(-1, keepdim=True)
        return torch.randint(z.shape[-1], (len(z), 1), generator=gerador)

    return _laco(modelo, ids, n, escolher)


@q.equivoco
def softmax_duas_vezes(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """A softmax foi feita duas vezes, e a segunda deixou as probabilidades quase iguais. Divida os logits pela
    temperatura e faça uma softmax só."""

    def escolher(z):
        z = z[:, -1]
        return _proximo(torch.softmax(z, dim=-1) if temperatura else z, temperatura, top_k, gerador)

    return _laco(modelo, ids, n, escolher)


@q.equivoco
def top_k_sem_temperatura(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Com top_k, a temperatura deixou de contar: as frequências são as de temperatura 1. Os dois valem juntos."""
    usada = temperatura if top_k is None or temperatura == 0 else 1.0
    return _laco(modelo, ids, n, lambda z: _proximo(z[:, -1], usada, top_k, gerador))


@q.equivoco
def temperatura_sem_top_k(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Com temperatura diferente de 1, o top_k deixou de contar: tokens fora dos k de maior logit continuam saindo. Os
    dois valem juntos."""
    usado = top_k if temperatura in (0, 1) or top_k == 1 else None
    return _laco(modelo, ids, n, lambda z: _proximo(z[:, -1], temperatura, usado, gerador))


@q.equivoco
def top_k_zera_os_logits(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Fora dos k mais prováveis, o logit virou 0, e exp(0) é 1: eles ainda saem, e bastante. Esconda-os com −inf, como
    na máscara causal. Veja a Dica 3."""

    def escolher(z):
        z = z[:, -1]
        if top_k is not None and temperatura:
            z = z.masked_fill(z < z.topk(min(top_k, z.shape[-1])).values[:, -1:], 0.0)
        return _proximo(z, temperatura, None, gerador)

    return _laco(modelo, ids, n, escolher)


@q.equivoco
def top_k_um_a_menos(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Seu top_k deixa k − 1 tokens: o k-ésimo também fica. Veja se a comparação com o menor dos k é estrita."""

    def escolher(z):
        z = z[:, -1]
        menos = None if top_k is None else max(top_k - 1, 1) if top_k <= z.shape[-1] else None
        return _proximo(z, temperatura, menos, gerador)

    return _laco(modelo, ids, n, escolher)


@q.equivoco
def top_k_do_lote_inteiro(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Seu top_k usa um corte só para o lote inteiro, o menor de todos, e em alguns textos sobram mais de k tokens. Cada
    linha tem o seu corte: são (B, 1), e não um número."""

    def escolher(z):
        z = z[:, -1]
        if top_k is not None and temperatura:
            z = z.masked_fill(z < z.topk(min(top_k, z.shape[-1])).values.min(), float("-inf"))
        return _proximo(z, temperatura, None, gerador)

    return _laco(modelo, ids, n, escolher)


@q.equivoco
def top_k_sobre_o_lote(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Seu top_k fica com os k maiores logits do lote inteiro: em alguns textos não sobra token nenhum, e a softmax dá
    NaN. Escolha os k maiores de cada linha (topk já trabalha no último eixo)."""

    def escolher(z):
        z = z[:, -1]
        if top_k is not None and temperatura:
            z = z.masked_fill(z < z.flatten().topk(min(top_k, z.shape[-1])).values[-1], float("-inf"))
        return _proximo(z, temperatura, None, gerador)

    return _laco(modelo, ids, n, escolher)


@q.equivoco
def top_k_da_primeira_linha(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Seu top_k usa em todas as linhas o corte da primeira. Cada texto do lote tem os seus k maiores: o corte tem uma
    linha para cada um, (B, 1)."""

    def escolher(z):
        z = z[:, -1]
        if top_k is not None and temperatura:
            z = z.masked_fill(z < z.topk(min(top_k, z.shape[-1])).values[0, -1], float("-inf"))
        return _proximo(z, temperatura, None, gerador)

    return _laco(modelo, ids, n, escolher)


@q.equivoco
def top_k_os_menores(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Você ficou com os k menos prováveis. O corte é para o outro lado."""

    def escolher(z):
        z = z[:, -1]
        if top_k is not None and temperatura and top_k < z.shape[-1]:
            z = z.masked_fill(z > z.topk(top_k, largest=False).values[:, -1:], float("-inf"))
        return _proximo(z, temperatura, None, gerador)

    return _laco(modelo, ids, n, escolher)


@q.equivoco
def top_k_maior_que_v(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Com top_k maior que o vocabulário, torch.topk não tem de onde tirar, e para com erro. Nesse caso nada se corta:
    fique com o menor dos dois."""

    def escolher(z):
        z = z[:, -1]
        if top_k is not None:
            z = z.masked_fill(z < z.topk(top_k).values[:, -1:], float("-inf"))
        return _proximo(z, temperatura, None, gerador)

    return _laco(modelo, ids, n, escolher)


@q.equivoco
def nao_realimenta(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Os n tokens saíram todos do mesmo contexto: o que foi escolhido não voltou para a entrada. Cada token novo entra
    no texto antes de escolher o seguinte."""
    treinando = modelo.training
    modelo.eval()
    logits = modelo(ids[:, -modelo.bloco :])[0][:, -1].detach()
    modelo.train(treinando)
    novos = [_proximo(logits, temperatura, top_k, gerador) for _ in range(n)]
    return torch.cat([ids, *novos], dim=1)


@q.equivoco
def perde_o_comeco(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """O começo do texto se perdeu: você cortou os próprios ids, e não só o que o modelo vê. Corte em uma variável à
    parte."""
    treinando = modelo.training
    modelo.eval()
    for _ in range(n):
        ids = ids[:, -modelo.bloco :]
        novo = _proximo(modelo(ids)[0][:, -1].detach(), temperatura, top_k, gerador)
        ids = torch.cat([ids, novo], dim=1)
    modelo.train(treinando)
    return ids


@q.equivoco
def em_modo_de_treino(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """O modelo foi chamado em modo de treino, com o dropout ligado, e a resposta dele é outra. Chame modelo.eval()
    antes de gerar. Veja a Dica 4."""
    with torch.no_grad():
        for _ in range(n):
            logits = modelo(ids[:, -modelo.bloco :])[0][:, -1]
            ids = torch.cat([ids, _proximo(logits, temperatura, top_k, gerador)], dim=1)
    return ids


@q.equivoco
def nao_volta_ao_modo_de_antes(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """O modelo ficou em outro modo: quem chama `gerar` no meio de um treino continuaria sem dropout (ou o contrário).
    Guarde modelo.training no começo e devolva-o no fim."""
    modelo.eval()
    for _ in range(n):
        logits = modelo(ids[:, -modelo.bloco :])[0][:, -1].detach()
        ids = torch.cat([ids, _proximo(logits, temperatura, top_k, gerador)], dim=1)
    return ids


@q.equivoco
def volta_sempre_ao_treino(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """No fim você põe o modelo em modo de treino, sempre. Se ele chegou em avaliação, deve sair em avaliação: guarde
    modelo.training no começo."""
    saida = gerar(modelo, ids, n, temperatura, top_k, gerador)
    modelo.train()
    if len(saida) == 0:
        return None
    return saida if modelo.training else None


@q.equivoco
def escreve_em_ids(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Sua função escreveu dentro de `ids`: quem chamou ainda precisa deles. Junte os novos em outro tensor
    (torch.cat)."""
    saida = gerar(modelo, ids, n, temperatura, top_k, gerador)
    ids.zero_()
    return saida


@q.equivoco
def semente_fixa_com_gerador(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Geradores de sementes diferentes deram os mesmos textos: há uma semente fixa lá dentro. Não ponha semente no
    gerador que você recebeu. Isso é com quem chama."""
    if gerador is not None:
        gerador.manual_seed(0)
    return gerar(modelo, ids, n, temperatura, top_k, gerador)


@q.equivoco
def semente_fixa(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Sem gerador, sua função devolve sempre os mesmos sorteios: há uma semente fixa lá dentro. Sem gerador, quem
    sorteia é o gerador global do torch."""
    gerador = torch.Generator().manual_seed(0) if gerador is None else gerador
    return gerar(modelo, ids, n, temperatura, top_k, gerador)


@q.equivoco
def softmax_no_eixo_do_lote(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """A softmax foi feita ao longo do lote, e não do vocabulário: as probabilidades de cada texto não somam 1. Olhe o
    eixo."""

    def escolher(z):
        z = z[:, -1]
        if temperatura == 0:
            return z.argmax(-1, keepdim=True)
        z = z / temperatura
        if top_k is not None:
            z = z.masked_fill(z < z.topk(min(top_k, z.shape[-1])).values[:, -1:], float("-inf"))
        p = torch.softmax(z, dim=0).nan_to_num(0.0) + 1e-12
        return torch.multinomial(p, 1, generator=gerador)

    return _laco(modelo, ids, n, escolher)


@q.alternativa
@torch.no_grad()
def gumbel(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    modo = modelo.training
    modelo.eval()
    texto = ids.clone()
    for _ in range(n):
        z = modelo(texto[:, -modelo.bloco :])[0][:, -1, :]
        if top_k is not None and top_k < z.shape[-1]:
            corte = z.sort(dim=-1, descending=True).values[:, top_k - 1]
            z = torch.where(z < corte[:, None], -torch.inf, z)
        if temperatura > 0:
            u = torch.rand(z.shape, generator=gerador).clamp_min(1e-30)
            z = z / temperatura - torch.log((-torch.log(u)).clamp_min(1e-30))
        texto = torch.cat((texto, z.argmax(dim=1)[:, None]), dim=1)
    modelo.train(modo)
    return texto


@q.alternativa
def topk_e_gather(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    estava = modelo.training
    modelo.eval()
    V = None
    with torch.inference_mode():
        for _ in range(n):
            logits, _perda = modelo(ids[:, -modelo.bloco :])
            V = logits.size(-1)
            k = 1 if temperatura == 0 else min(top_k or V, V)
            valores, quais = logits[:, -1].topk(k, dim=-1)  # (B, k)
            p = torch.softmax(valores / (temperatura or 1.0), dim=-1)
            sorteio = torch.multinomial(p, 1, generator=gerador)
            ids = torch.cat([ids, quais.gather(1, sorteio)], dim=1)
    modelo.train(estava)
    return ids.clone()


@q.alternativa
def temperatura_minima(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    modo = modelo.training
    try:
        modelo.eval()
        with torch.no_grad():
            for _ in range(n):
                z = modelo(ids[:, -modelo.bloco :], None)[0][:, -1] / max(temperatura, 1e-6)
                if top_k is not None:
                    k = min(top_k, z.shape[1])
                    z[z < torch.topk(z, k).values[:, [-1]]] = -float("inf")
                ids = torch.hstack([ids, torch.multinomial(z.softmax(-1), 1, generator=gerador)])
    finally:
        modelo.train(modo)
    return ids


@q.alternativa
def acumulada_inversa(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    era_treino = modelo.training
    modelo.eval()
    colunas = [ids[:, i] for i in range(ids.shape[1])]
    for _ in range(n):
        janela = torch.stack(colunas[-modelo.bloco :], dim=1)
        z = modelo(janela)[0][:, -1].detach().double()
        if temperatura == 0:
            colunas.append(z.argmax(1))
            continue
        p = (z / temperatura).softmax(1)
        if top_k is not None:
            ordem = p.argsort(dim=1, descending=True)
            fora = ordem[:, top_k:]
            p = p.scatter(1, fora, 0.0)
            p = p / p.sum(1, keepdim=True)
        u = torch.rand(len(p), 1, generator=gerador, dtype=torch.float64)
        colunas.append((p.cumsum(1) < u).sum(1).clamp_max(p.shape[1] - 1))
    modelo.train(era_treino)
    return torch.stack(colunas, dim=1)


@q.alternativa
@torch.no_grad()
def categorical_com_espaco_pronto(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    modo = modelo.training
    modelo.eval()
    B, T = ids.shape
    tudo = torch.zeros(B, T + n, dtype=torch.int64)
    tudo[:, :T] = ids
    for t in range(T, T + n):
        z = modelo(tudo[:, max(0, t - modelo.bloco) : t])[0][:, -1]
        if temperatura == 0:
            tudo[:, t] = z.argmax(-1)
        else:
            if top_k is not None and top_k < z.shape[-1]:
                z = z.masked_fill(z < z.kthvalue(z.shape[-1] - top_k + 1, dim=-1, keepdim=True).values, -1e9)
            tudo[:, t] = torch.multinomial((z / temperatura).softmax(-1), 1, generator=gerador).squeeze(-1)
    modelo.train(modo)
    return tudo


@q.equivoco
def corta_tambem_o_k_esimo(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Com top_k = 1 não sobrou token nenhum: a comparação com o k-ésimo logit (<=) corta ele também. Só sai quem é
    menor."""

    def escolher(z):
        z = z[:, -1]
        if top_k is not None and temperatura:
            z = z.masked_fill(z <= z.topk(min(top_k, z.shape[-1])).values[:, -1:], float("-inf"))
        return _proximo(z, temperatura, None, gerador)

    return _laco(modelo, ids, n, escolher)


@q.equivoco
def sorteia_com_os_logits(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """O sorteio recebeu os logits, e logits podem ser negativos ou −inf. torch.multinomial quer probabilidades: falta a
    softmax."""

    def escolher(z):
        z = z[:, -1]
        return torch.multinomial(z, 1, generator=gerador) if temperatura else z.argmax(-1, keepdim=True)

    return _laco(modelo, ids, n, escolher)


@q.equivoco
def posicao_entre_os_k(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    """Com top_k, saiu a posição do token na lista dos k maiores (0, 1, …), e não o token. O topk devolve também os
    índices: use o sorteado para escolher um deles."""

    def escolher(z):
        z = z[:, -1]
        return _proximo(z if top_k is None or not temperatura else z.topk(min(top_k, z.shape[-1])).values, temperatura,
                        None, gerador)  # fmt: skip

    return _laco(modelo, ids, n, escolher)
