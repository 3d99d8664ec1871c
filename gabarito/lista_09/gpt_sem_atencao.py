"""A questão `GPTSemAtencao` da lista 09."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from gabarito.base import caso, questao
from gabarito.lista_09.comum import em_ids
from gabarito.lista_09.media_uniforme_causal import media_uniforme_causal
from helpers.conferencia.pecas.modulos import EM_USO

_MEDIA = "media"


class PartesDoBloco(nn.Module):  # o nome do esqueleto, que aparece no erro de quem usa o que ele não tem
    def __init__(self, d, mistura):
        super().__init__()
        self.mistura = mistura
        if mistura == "media":
            self.norma1 = nn.LayerNorm(d)
            self.projecao = nn.Linear(d, d)
        self.norma2 = nn.LayerNorm(d)
        self.expande = nn.Linear(d, 4 * d)
        self.reduz = nn.Linear(4 * d, d)

    def ouvir(self, x):
        if self.mistura == "nenhuma":
            return x
        return x + self.projecao(media_uniforme_causal(self.norma1(x)))

    def pensar(self, x):
        return x + self.reduz(F.gelu(self.expande(self.norma2(x))))

    def forward(self, x):
        return self.pensar(self.ouvir(x))


class GPTSemAtencao(nn.Module):
    Bloco = PartesDoBloco

    def __init__(self, V, bloco, d, camadas, mistura):
        super().__init__()
        self.bloco = bloco
        self.tokens = nn.Embedding(V, d)
        self.posicoes = nn.Embedding(bloco, d)
        self.blocos = nn.ModuleList([self.Bloco(d, mistura) for _ in range(camadas)])
        self.norma = nn.LayerNorm(d)

    def entrar(self, ids):
        return self.tokens(ids) + self.posicoes.weight[: ids.shape[1]]

    def sair(self, x):
        return self.norma(x) @ self.tokens.weight.T

    def custo(self, logits, alvos):
        return F.cross_entropy(logits.flatten(0, 1), alvos.flatten())

    def forward(self, ids, alvos=None):
        x = self.entrar(ids)
        for bloco in self.blocos:
            x = bloco(x)
        logits = self.sair(x)
        return logits, None if alvos is None else self.custo(logits, alvos)


def _caso_gpt(rng, V, bloco, d, camadas, mistura, B, T, **opcoes):
    """Entre os alvos há tokens, o 0 (o separador da cópia, que conta) e −100, em números diferentes em cada linha."""
    ids = rng.integers(0, V, size=(B, T))
    alvos = rng.integers(1, V, size=(B, T))
    alvos[0, -1] = 0
    alvos[-1, : T // 2] = -100
    if T > 3:
        alvos[0, 1] = -100
    parte = _MEDIA if mistura == "media" else None
    semente = int(rng.integers(1, 10**6))
    return caso(V, bloco, d, camadas, mistura, semente, em_ids(ids), em_ids(alvos), parte=parte, **opcoes)


def ocultos(rng):
    V = int(rng.integers(8, 12))
    return [
        _caso_gpt(rng, V, 6, 8, 2, "media", 3, 5),
        _caso_gpt(rng, 7, 5, 12, 1, "media", 2, 5),
        _caso_gpt(rng, V, 6, 8, 2, "nenhuma", 2, 4),
        _caso_gpt(rng, 6, 7, 4, 3, "media", 2, 4),
        _caso_gpt(rng, 9, 4, 8, 1, "nenhuma", 3, 4),
    ]


_dado = np.random.default_rng(9)

q = questao(
    "lista-09/GPTSemAtencao",
    assinatura="GPTSemAtencao(V, bloco, d, camadas, mistura)",
    saida=[
        ("o que se viu", "texto"),
        ("logits", "array"),
        ("perda", "float"),
        *EM_USO,
    ],
    adaptador="lista_09.gpt_sem_atencao",
    referencia=GPTSemAtencao,
    depende=["media_uniforme_causal"],
    rtol=1e-3,
    atol=1e-5,
    casos=[
        caso(4, 3, 2, 1, "media", -1, em_ids([[2, 1, 3]]), em_ids([[0, 2, -100]]), claro=True,
             rotulo="o exemplo do enunciado", parte=_MEDIA),
        _caso_gpt(_dado, 7, 6, 8, 2, "media", 3, 5, rotulo="a média, duas camadas"),
        _caso_gpt(_dado, 9, 5, 4, 2, "nenhuma", 2, 4, rotulo="sem mistura, duas camadas"),
        _caso_gpt(_dado, 6, 4, 12, 1, "media", 2, 4, rotulo="a média, uma camada, o contexto inteiro"),
        _caso_gpt(_dado, 8, 7, 8, 3, "nenhuma", 2, 6, rotulo="sem mistura, três camadas"),
    ],
    ocultos=ocultos,
    partes={"nenhuma": 0.5, _MEDIA: 0.5},
)  # fmt: skip

q.equivocos_curtos("""
media-com-o-futuro: media_uniforme_causal(self.norma1(x)) → self.norma1(x).mean(dim=1, keepdim=True).expand_as(x)
    Com a mistura “media”, a saída de uma posição depende das seguintes: a média é da frase inteira. Use a média causal
    da questão 2.
projeta-sem-misturar: media_uniforme_causal(self.norma1(x)) → self.norma1(x)
    Com a mistura “media”, cada token passa por `projecao` sozinho: falta a média do passado entre `norma1` e
    `projecao`.
nao-mistura: x + self.projecao(media_uniforme_causal(self.norma1(x))) → x
    Com a mistura “media”, seu bloco não mistura nada: o forward não usa `norma1` e `projecao`, ou o resultado delas se
    perdeu, ou a pergunta sobre a mistura está ao contrário.
media-sem-projecao: self.projecao(media_uniforme_causal(self.norma1(x))) → media_uniforme_causal(self.norma1(x))
    A média do passado entrou direto no caminho residual, sem passar por `projecao`.
media-sem-norma1: media_uniforme_causal(self.norma1(x)) → media_uniforme_causal(x)
    A média foi tirada de x, sem normalizar antes: o bloco é pré-norma, e `norma1` vem primeiro.
normaliza-depois-da-media: media_uniforme_causal(self.norma1(x)) → self.norma1(media_uniforme_causal(x))
    Você normalizou a média. A ordem é outra: primeiro normalize cada token com `norma1`, depois tire a média.
sem-residuo-na-mistura: return x + self.projecao → return self.projecao
    A mistura substituiu x, em vez de se somar a ele: falta o caminho residual da primeira metade do bloco.
sem-residuo-no-feed-forward: return x + self.reduz → return self.reduz
    A camada feed-forward substituiu x, em vez de se somar a ele: falta o caminho residual da segunda metade do bloco.
feed-forward-se-perde: return x + self.reduz → y = x + self.reduz
        (self.norma2(x)))) → (self.norma2(x))))⏎return x
    A feed-forward não chegou ao resultado: ou ela falta, ou o que ela dá não foi guardado. É x = x + reduz(…).
feed-forward-so-com-a-media: return x + self.reduz → return x if self.mistura == "nenhuma" else x + self.reduz
    Com a mistura “nenhuma”, a feed-forward ficou de fora: ela está dentro do if? Ela vem sempre, com a média e sem ela.
sem-norma2: self.norma2(x) → x
    A camada feed-forward recebeu x sem normalizar: falta `norma2` antes de `expande`.
relu-no-lugar-da-gelu: F.gelu → F.relu
    Entre `expande` e `reduz` você usou ReLU. O enunciado pede a GELU.
sem-gelu: F.gelu(self.expande(self.norma2(x))) → self.expande(self.norma2(x))
    Falta a GELU entre `expande` e `reduz`. Sem ela, duas camadas lineares seguidas valem por uma só.
gelu-aproximada: self.expande(self.norma2(x)) → self.expande(self.norma2(x)), approximate="tanh"
    Quase: sua GELU é a aproximação com tangente hiperbólica. O enunciado pede a exata, que é o padrão de F.gelu.
sem-posicoes: self.tokens(ids) + self.posicoes.weight[: ids.shape[1]] → self.tokens(ids)
    O modelo não usa as posições: some `posicoes` aos embeddings dos tokens.
sem-norma-final: self.norma(x) → x
    Falta a última normalização: `norma` age depois do último bloco, antes da saída.
devolve-probabilidades:
        self.norma(x) @ self.tokens.weight.T → torch.softmax(self.norma(x) @ self.tokens.weight.T, dim=-1)
    Seus logits já passaram pela softmax. A cross_entropy a aplica outra vez: devolva as pontuações como saem.
o-mesmo-bloco-repetido: [self.Bloco(d, mistura) for _ in range(camadas)] → [self.Bloco(d, mistura)] * camadas
    Todas as camadas são o mesmo objeto (`[bloco] * camadas`): elas usam os mesmos parâmetros. Construa um bloco para
    cada camada, ou use os que o esqueleto já fez.
so-o-primeiro-bloco: in self.blocos: → in self.blocos[:1]:
    Só o primeiro bloco é usado. Passe x por todos, um depois do outro.
bloco-sem-return: return self.pensar(self.ouvir(x)) → self.pensar(self.ouvir(x))
    O forward do bloco não devolve nada, e a norma seguinte recebeu None: falta `return x`.
so-o-ultimo-bloco: in self.blocos: → in self.blocos[-1:]:
    Cada bloco recebeu o x da entrada, e só o resultado do último ficou. A saída de um é a entrada do seguinte: x =
    bloco(x).
nenhum-bloco: x = bloco(x) → bloco(x)
    O resultado dos blocos se perdeu: os logits saem direto dos embeddings. Guarde-o, x = bloco(x).
devolve-log-probabilidades:
        self.norma(x) @ self.tokens.weight.T → torch.log_softmax(self.norma(x) @ self.tokens.weight.T, dim=-1)
    Seus logits já passaram pela log-softmax. Devolva as pontuações como saem do produto: a cross_entropy faz o resto.
softmax-antes-da-perda: self.custo(logits, alvos) → self.custo(torch.softmax(logits, dim=-1), alvos)
    Os logits estão certos, mas você aplicou a softmax antes da cross_entropy, que já a aplica: foram duas.
soma-no-lugar-da-media: media_uniforme_causal(self.norma1(x)) → self.norma1(x).cumsum(dim=1)
    Com a mistura “media”, você somou o passado sem dividir. A posição t divide por t + 1, como na questão 2.
media-dividida-por-T: media_uniforme_causal(self.norma1(x)) → self.norma1(x).cumsum(dim=1) / x.shape[1]
    Com a mistura “media”, a soma do passado foi dividida sempre por T. A posição t divide por t + 1, como na questão 2.
metades-em-paralelo: self.pensar(self.ouvir(x)) → self.ouvir(x) + self.pensar(x) - x
    As duas metades do bloco leram o mesmo x. A segunda (norma2, expande, reduz) lê o x que a primeira já mudou.
metades-trocadas: self.pensar(self.ouvir(x)) → self.ouvir(self.pensar(x))
    As metades do bloco estão trocadas: primeiro a média (norma1, projecao), depois a camada feed-forward.
posicoes-do-fim: [: ids.shape[1]] → [-ids.shape[1] :]
    As posições usadas foram as últimas da tabela. Um texto de T tokens usa as de 0 a T − 1.
menos-100-vira-zero: alvos.flatten() → alvos.clamp(min=0).flatten()
    Os logits estão certos, mas a perda conta os alvos −100, que você trocou por 0. A cross_entropy já pula os −100:
    deixe-os como estão. Veja a Dica 2.
pula-tambem-o-zero: alvos.flatten() → alvos.masked_fill(alvos == 0, -100).flatten()
    Os logits estão certos, mas a perda pula os alvos 0. Aqui o 0 é um token como os outros (na cópia, é o separador):
    só os −100 não contam.
so-pula-o-zero: alvos.flatten() → alvos.flatten(), ignore_index=0
    Com ignore_index=0, os alvos −100 deixam de ser pulados, e a cross_entropy reclama deles. É o contrário: o 0 conta,
    e só os −100 ficam de fora, que é o que ela já faz.
escreve-nos-alvos: alvos.flatten() → alvos.clamp_(min=0).flatten()
    Seu forward escreve dentro de `alvos`, e muda o tensor de quem chamou. Se precisar de outro, faça uma cópia.
soma-das-perdas: alvos.flatten() → alvos.flatten(), reduction="sum"
    A perda é a soma sobre as posições. O enunciado pede a média sobre as que contam.
divide-por-todas-as-posicoes: alvos.flatten()) → alvos.flatten(), reduction="sum") / alvos.numel()
    A perda foi dividida pelo número de todas as posições, inclusive as que não contam. Divida só pelas que contam.
desloca-os-alvos-de-novo: logits.flatten(0, 1) → logits[:, :-1].flatten(0, 1)
        alvos.flatten() → alvos[:, 1:].flatten()
    Você deslocou os alvos de uma posição, mas eles já vêm deslocados: alvos[b, t] é o que vem depois de ids[b, t].
if-alvos: None if alvos is None else self.custo(logits, alvos) → self.custo(logits, alvos) if alvos else None
    `if alvos` pergunta se o tensor inteiro é verdadeiro, e ele não sabe responder. Pergunte `if alvos is not None`.
cross-entropy-sem-achatar: logits.flatten(0, 1) → logits
        alvos.flatten() → alvos
    A cross_entropy procura o vocabulário no eixo 1, e o seu está no último: as formas não combinam. Achate os dois:
    logits (B·T, V) e alvos (B·T,). Veja a Dica 2.
posicoes-a-partir-de-1: self.posicoes.weight[: ids.shape[1]] → self.posicoes(torch.arange(1, ids.shape[1] + 1))
    As posições começam em 1, e um texto do tamanho do contexto passa do fim da tabela. Conte de 0 a T − 1:
    torch.arange(T).
todas-as-posicoes: self.posicoes.weight[: ids.shape[1]] → self.posicoes.weight
    Você somou as posições todas, e um texto mais curto que o contexto não combina com elas. Use só as T primeiras.
mistura-sempre: if self.mistura == "nenhuma" → if False
    Com `"nenhuma"` o bloco não tem `norma1` nem `projecao`, e o seu forward usa as duas. Pergunte pela mistura e, com
    `"nenhuma"`, pule o passo 2. Veja a Dica 1.
perda-zero-sem-alvos: None if alvos is None → torch.tensor(0.0) if alvos is None
    Sem alvos, a perda deve ser None, e não um número.
so-os-logits: return logits, None if alvos is None else self.custo(logits, alvos) → return logits
    Seu forward devolve só os logits. Devolva sempre o par (logits, perda), com perda None quando não há alvos.
perda-sem-gradiente: self.custo(logits, alvos) → self.custo(logits, alvos).item()
    A perda virou um número solto (item(), detach() ou um tensor feito de novo), e sem gradiente não há como treinar.
    Devolva o próprio tensor da conta.
gradiente-cortado: x = self.entrar(ids) → x = self.entrar(ids).detach()
    A perda está certa, mas o gradiente dela não chega inteiro a todos os parâmetros: há um .detach() ou um no_grad no
    caminho. Parte do modelo nunca aprenderia.
vocabulario-no-meio: return logits, → return logits.mT,
    Seus logits têm o vocabulário no eixo do meio, (B, V, T). O enunciado pede (B, T, V).
saida-solta: self.norma = nn.LayerNorm(d) → self.norma = nn.LayerNorm(d)⏎self.saida = nn.Linear(d, V, bias=False)
        self.norma(x) @ self.tokens.weight.T → self.saida(self.norma(x))
    Há um parâmetro a mais, de uma camada de saída própria. A saída é amarrada: usa o próprio peso de `tokens`.
lista-comum: self.blocos = nn.ModuleList( → self.blocos = list(
    Os parâmetros dos blocos não aparecem no modelo: eles estão em uma lista comum do Python. Use
    nn.ModuleList, ou as partes que o esqueleto já fez.
sempre-com-projecao: if mistura == "media": → if True:
    Com a mistura “nenhuma” sobram parâmetros: `norma1` e `projecao` só existem quando há mistura.
sem-o-atributo-bloco: self.bloco = bloco → self.contexto = bloco
    Falta o atributo `self.bloco`, o tamanho do contexto. Quem gera texto precisa dele, para saber onde cortar.
norma2-no-lugar-de-norma1: self.norma1(x) → self.norma2(x)
    A média foi tirada de x normalizado por `norma2`. Antes da média, quem normaliza é `norma1`.
norma1-duas-vezes: self.expande(self.norma2(x)) → self.expande(getattr(self, "norma1", self.norma2)(x))
    Com a mistura “media”, a camada feed-forward recebeu x normalizado por `norma1`. A norma dela é `norma2`.
so-a-ultima-sem-alvos: return logits, None if → return logits if alvos is not None else logits[:, [-1]], None if
    Sem alvos, seu modelo só devolve os logits da última posição, como em alguns códigos públicos. Aqui a forma é sempre
    (B, T, V).
alvos-sao-os-ids: self.custo(logits, alvos) → self.custo(logits, ids)
    Os logits estão certos, mas a perda compara cada posição com o próprio token. Os alvos são `alvos`, que já vêm um
    passo à frente.
residuo-normalizado: return x + self.projecao → x = self.norma1(x)⏎return x + self.projecao
        (self.norma1(x)) → (x)
    Com a mistura “media”, a soma usa x já normalizado por `norma1`. O caminho residual leva o próprio x; a norma é só
    para a média.
""")


@q.equivoco
class pos_norma(GPTSemAtencao):
    """Seus blocos normalizam depois da soma (pós-norma). O enunciado pede antes de cada metade (pré-norma), e o caminho
    residual fica livre."""

    class Bloco(PartesDoBloco):
        def ouvir(self, x):
            return x if self.mistura == "nenhuma" else self.norma1(x + self.projecao(media_uniforme_causal(x)))

        def pensar(self, x):
            return self.norma2(x + self.reduz(F.gelu(self.expande(x))))


@q.equivoco
class sem_super_init(nn.Module):
    """O torch só aceita submódulos depois que a classe-mãe foi preparada: comece o __init__ com
    `super().__init__()`."""

    def __init__(self, V, bloco, d, camadas, mistura):
        self.tokens = nn.Embedding(V, d)


@q.equivoco
class media_sem_o_presente(GPTSemAtencao):
    """Com a mistura “media”, a média deixa de fora a própria posição. Ela conta: de 0 até t, inclusive, como na questão
    2."""

    class Bloco(PartesDoBloco):
        def ouvir(self, x):
            if self.mistura == "nenhuma":
                return x
            z = self.norma1(x)
            return x + self.projecao((z.cumsum(dim=1) - z) / torch.arange(x.shape[1]).clamp(min=1)[:, None])


@q.equivoco
class media_uma_vez_so(GPTSemAtencao):
    """Com a mistura “media”, a média entrou uma vez só, antes do laço. Cada bloco tem a sua, com a `norma1` e a
    `projecao` dele."""

    def forward(self, ids, alvos=None):
        x = self.blocos[0].ouvir(self.entrar(ids))
        for bloco in self.blocos:
            x = bloco.pensar(x)
        logits = self.sair(x)
        return logits, None if alvos is None else self.custo(logits, alvos)


@q.equivoco
class media_por_texto(GPTSemAtencao):
    """Você tirou a média de cada texto e depois a média das médias. A média é uma só, sobre todas as posições que
    contam."""

    def custo(self, logits, alvos):
        return torch.stack([F.cross_entropy(z, a) for z, a in zip(logits, alvos, strict=True)]).mean()


@q.equivoco
class view_embaralha(GPTSemAtencao):
    """Os logits estão certos, mas a perda usa um reshape de (B, T, V) para (B, V, T): ele embaralha. Para trocar eixos
    há transpose; ou junte B e T em um eixo só."""

    def custo(self, logits, alvos):
        B, T, V = logits.shape
        return F.cross_entropy(logits.reshape(B, V, T), alvos)


@q.equivoco
class com_dropout(GPTSemAtencao):
    """Seu modelo tem dropout, e os logits mudam no modo de treino. O enunciado pede sem: a correção compara números
    exatos."""

    class Bloco(PartesDoBloco):
        def pensar(self, x):
            return x + F.dropout(self.reduz(F.gelu(self.expande(self.norma2(x)))), 0.3, self.training)


@q.alternativa
class com_ModuleDict(nn.Module):
    def __init__(self, V, bloco, d, camadas, mistura):
        super().__init__()
        self.bloco = bloco
        self.mistura = mistura
        self.tokens, self.posicoes = nn.Embedding(V, d), nn.Embedding(bloco, d)
        self.blocos = nn.ModuleList()
        for _ in range(camadas):
            partes = {"norma2": nn.LayerNorm(d), "expande": nn.Linear(d, 4 * d), "reduz": nn.Linear(4 * d, d)}
            if mistura == "media":
                partes |= {"norma1": nn.LayerNorm(d), "projecao": nn.Linear(d, d)}
            self.blocos.append(nn.ModuleDict(partes))
        self.norma = nn.LayerNorm(d)

    def forward(self, ids, alvos=None):
        T = ids.shape[1]
        pesos = torch.ones(T, T).tril()
        pesos = pesos / pesos.sum(1, keepdim=True)
        x = self.tokens(ids) + self.posicoes(torch.arange(T))
        for b in self.blocos:
            if self.mistura == "media":
                x = x + b["projecao"](pesos @ b["norma1"](x))
            x = x + b["reduz"](F.gelu(b["expande"](b["norma2"](x))))
        logits = F.linear(self.norma(x), self.tokens.weight)
        if alvos is None:
            return logits, None
        contam = alvos != -100
        logp = torch.log_softmax(logits, dim=-1)
        return logits, -logp[contam].gather(1, alvos[contam][:, None]).mean()


@q.alternativa
class saida_amarrada_em_um_Linear(GPTSemAtencao):
    def __init__(self, V, bloco, d, camadas, mistura):
        super().__init__(V, bloco, d, camadas, mistura)
        self.saida = nn.Linear(d, V, bias=False)
        self.saida.weight = self.tokens.weight

    def sair(self, x):
        return self.saida(self.norma(x))


@q.alternativa
class projeta_e_depois_tira_a_media(GPTSemAtencao):
    class Bloco(PartesDoBloco):
        def ouvir(self, x):  # a média e a projeção são lineares, e os pesos somam 1: a ordem não importa
            return x if self.mistura == "nenhuma" else x + media_uniforme_causal(self.projecao(self.norma1(x)))


@q.alternativa
class triangulo_em_um_buffer(GPTSemAtencao):
    def __init__(self, V, bloco, d, camadas, mistura):
        super().__init__(V, bloco, d, camadas, mistura)
        self.register_buffer("pesos", torch.ones(bloco, bloco).tril() / torch.arange(1, bloco + 1)[:, None])

    def forward(self, ids, alvos=None):
        x, T = self.entrar(ids), ids.shape[1]
        for b in self.blocos:
            if hasattr(b, "projecao"):
                x = x + b.projecao(torch.einsum("ts,bsc->btc", self.pesos[:T, :T], b.norma1(x)))
            x = b.pensar(x)
        logits = self.sair(x)
        if alvos is None:
            return logits, None
        return logits, F.cross_entropy(logits.transpose(1, 2), alvos)


@q.alternativa
class perda_com_lacos_e_sequential(GPTSemAtencao):
    def __init__(self, V, bloco, d, camadas, mistura):
        super().__init__(V, bloco, d, camadas, mistura)
        self.blocos = nn.Sequential(*[PartesDoBloco(d, mistura) for _ in range(camadas)])
        self.sorteio = nn.Dropout(0.0)

    def forward(self, ids, alvos=None):
        logits = self.sair(self.sorteio(self.blocos(self.entrar(ids))))
        if alvos is None:
            return [logits, None]
        logp = logits.log_softmax(-1)
        perdas = [-logp[b, t, a] for b, linha in enumerate(alvos) for t, a in enumerate(linha) if a >= 0]
        return [logits, sum(perdas) / len(perdas)]


q.alternativas_curtas("""
em-float64: self.norma = nn.LayerNorm(d) → self.norma = nn.LayerNorm(d)⏎self.double()
""")
