"""A questão `GPT` da lista 08."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from gabarito.base import caso, questao
from gabarito.lista_08.comum import O_TEXTO
from gabarito.testemunha import parametros
from helpers.conferencia.pecas.lista_08 import NOVO, TETO, defeito_do_comeco, formas
from helpers.conferencia.pecas.modulos import EM_USO


class Bloco(nn.Module):
    """O bloco da lista 07, com a atenção já causal. O que o notebook dá pronto é o do torch."""

    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.norma1 = nn.LayerNorm(d)
        self.qkv = nn.Linear(d, 3 * d, bias=False)
        self.saida = nn.Linear(d, d, bias=False)
        self.norma2 = nn.LayerNorm(d)
        self.expande = nn.Linear(d, 4 * d)
        self.reduz = nn.Linear(4 * d, d)

    def forward(self, x):
        B, T, d = x.shape
        q, k, v = self.qkv(self.norma1(x)).view(B, T, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)  # (B, h, T, d/h)
        x = x + self.saida(y.transpose(1, 2).reshape(B, T, d))
        return x + self.reduz(F.gelu(self.expande(self.norma2(x))))


class GPT(nn.Module):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__()
        self.bloco = bloco
        self.tokens = nn.Embedding(V, d)
        self.posicoes = nn.Embedding(bloco, d)
        self.blocos = nn.ModuleList([Bloco(d, cabecas) for _ in range(camadas)])
        self.norma = nn.LayerNorm(d)
        nn.init.normal_(self.tokens.weight, std=0.02)
        nn.init.normal_(self.posicoes.weight, std=0.02)

    def entrar(self, ids):
        if ids.shape[1] > self.bloco:
            raise ValueError(f"o texto tem {ids.shape[1]} tokens e o contexto é de {self.bloco}")
        return self.tokens(ids) + self.posicoes.weight[: ids.shape[1]]  # (B, T, d)

    def sair(self, x):
        return self.norma(x) @ self.tokens.weight.T  # (B, T, V)

    def custo(self, logits, alvos):
        return F.cross_entropy(logits.flatten(0, 1), alvos.flatten(), ignore_index=0)

    def forward(self, ids, alvos=None):
        x = self.entrar(ids)
        for bloco in self.blocos:
            x = bloco(x)
        logits = self.sair(x)
        return logits, None if alvos is None else self.custo(logits, alvos)


def _longo(T, bloco):
    tamanho = rf"(?<!\d){T}(?!\d)|{O_TEXTO}|ids|(?<!\w)T(?!\w)"
    return {"o tamanho do texto": tamanho, "o do contexto": rf"(?<!\d){bloco}(?!\d)|bloco|contexto"}


def _caso_gpt(rng, V, bloco, d, camadas, cabecas, B, T, alvos=True, novo=False, rotulo=""):
    """ids e alvos ao acaso; cerca de um terço dos alvos são <PAD>, e a primeira linha tem poucos, a última, muitos."""
    ids = rng.integers(0, V, size=(B, T))
    esperado = rng.integers(1, V, size=(B, T))
    esperado[-1, T // 3 :] = 0
    esperado[0, -1] = 0
    esperado[0, 0] = 1 + int(rng.integers(V - 1))
    entradas = (torch.tensor(ids), torch.tensor(esperado) if alvos else None)
    nomeia = _longo(T, bloco) if bloco < T else None
    semente = int(rng.integers(1, 10**6))
    parte = "erros" if nomeia else "valores"
    return caso(V, bloco, d, camadas, cabecas, semente, *entradas, novo, rotulo=rotulo, nomeia=nomeia, parte=parte)


def ocultos(rng):
    T = int(rng.integers(4, 6))
    return [
        _caso_gpt(rng, int(rng.integers(9, 13)), 6, 8, 2, 2, 3, T, novo=True),
        _caso_gpt(rng, 7, 5, 12, 1, 3, 2, 5),
        _caso_gpt(rng, 9, 7, 4, 3, 1, 2, 4, alvos=False),
        _caso_gpt(rng, 6, 8, 8, 2, 4, 2, 8),
        _caso_gpt(rng, 10, 6, 8, 2, 2, 3, int(rng.integers(7, 10))),
    ]


def _testemunha(visto, V, bloco, d, camadas, cabecas, semente, ids, alvos, novo):
    """Os parâmetros de um modelo recém-criado: postos na referência, a perda é mesmo a de quem não sabe nada?"""
    if not novo:
        return True
    modelo = GPT(**NOVO, cabecas=2).double()
    modelo.load_state_dict(parametros(visto, formas(**NOVO)))
    return defeito_do_comeco(modelo, semente, TETO + 0.01) is None  # folga: lá a conta foi em float32


_dado = np.random.default_rng(8)

q = questao(
    "lista-08/GPT",
    assinatura="GPT(V, bloco, d, camadas, cabecas)",
    saida=[
        ("o que se viu", "texto"),
        ("logits", "array"),
        ("perda", "float"),
        *EM_USO,
    ],
    adaptador="lista_08.gpt",
    testemunha=_testemunha,
    referencia=GPT,
    rtol=1e-3,
    atol=1e-5,
    casos=[
        caso(5, 4, 4, 1, 2, -1, torch.tensor([[3, 1, 4]]), torch.tensor([[1, 4, 0]]), False, claro=True,
             rotulo="o exemplo do enunciado"),
        _caso_gpt(_dado, 7, 6, 8, 2, 2, 3, 4, novo=True, rotulo="duas camadas, com <PAD> entre os alvos"),
        _caso_gpt(_dado, 9, 5, 12, 1, 3, 2, 5, rotulo="uma camada, três cabeças, o contexto inteiro"),
        _caso_gpt(_dado, 6, 5, 4, 3, 1, 2, 3, alvos=False, rotulo="três camadas, sem alvos"),
        _caso_gpt(_dado, 8, 5, 8, 1, 2, 2, 7, rotulo="um texto maior que o contexto"),
    ],
    ocultos=ocultos,
    partes={"valores": 0.875, "erros": 0.125},
)  # fmt: skip

q.equivocos_curtos("""
embedding-de-desvio-1: nn.init.normal_(self.tokens.weight, std=0.02) → nn.init.normal_(self.tokens.weight)
        nn.init.normal_(self.posicoes.weight, std=0.02) → nn.init.normal_(self.posicoes.weight)
    Um modelo novo começa com perda muito acima de ln V: o nn.Embedding nasce com desvio 1 e, como também é a saída, dá
    logits enormes. Inicialize-o com números pequenos.
nasce-de-zeros: nn.init.normal_(self.posicoes.weight, std=0.02) → for p in self.parameters():⏎    nn.init.zeros_(p)
    Um modelo novo nasce com zero em todos os parâmetros. A perda é ln V, mas o gradiente é zero em tudo, e ele nunca
    aprende. Inicialize com números pequenos, sorteados.
tokens-iguais: nn.init.normal_(self.tokens.weight, std=0.02) → nn.init.zeros_(self.tokens.weight)
    Os vetores de `tokens` nascem todos iguais (zeros, ou desvio 0): no começo, o modelo não distingue um token de
    outro. Dê a eles um desvio pequeno, como 0,02.
gradiente-cortado: x = self.entrar(ids) → x = self.entrar(ids).detach()
    O gradiente da perda não chega inteiro a todos os parâmetros: há um .detach() ou um no_grad no caminho. Parte do
    modelo nunca aprenderia.
dropout-sempre-ligado: x = self.entrar(ids) → x = F.dropout(self.entrar(ids), 0.2)
    Em modo de avaliação, seu modelo responde uma coisa diferente a cada vez: há um dropout sempre ligado. F.dropout
    precisa de training=self.training; nn.Dropout cuida disso sozinho.
sem-norma-final: self.norma(x) → x
    Falta a última normalização: os logits saem direto do último bloco. `norma` age antes da saída. Veja a Dica 4.
norma-na-entrada: x = self.entrar(ids) → x = self.norma(self.entrar(ids))
        self.norma(x) @ → x @
    A `norma` foi aplicada na entrada, antes dos blocos. O lugar dela é depois do último bloco.
norma-em-cada-bloco: bloco(x) → self.norma(bloco(x))
        self.sair(x) → x @ self.tokens.weight.T
    A `norma` foi aplicada depois de cada bloco. Os blocos já têm as suas; esta age uma vez só, no fim.
residual-a-mais: x = bloco(x) → x = x + bloco(x)
    Você somou x à saída de cada bloco. O bloco já faz essa soma por dentro: x = bloco(x).
a-ultima-posicao-para-todos: self.posicoes.weight[: ids.shape[1]] → self.posicoes.weight[ids.shape[1] - 1]
    Todos os tokens receberam o mesmo vetor de posição, o da última. Cada lugar tem o seu, de 0 a T − 1.
devolve-argmax: return logits, None if → return logits.argmax(-1), None if
    Seus logits são números de tokens: houve um argmax. O forward devolve os números de todos os V tokens, (B, T, V), e
    quem escolhe é o `gerar`.
sem-posicoes: self.tokens(ids) + self.posicoes.weight[: ids.shape[1]] → self.tokens(ids)
    As posições não entraram na conta: some ao vetor de cada token o vetor do lugar dele.
sem-posicoes+sem-norma-final:
    São dois erros: as posições não entraram na conta, e falta a última normalização, antes da saída.
posicoes-do-fim: [: ids.shape[1]] → [self.bloco - ids.shape[1] :]
    As posições foram tiradas do fim da tabela. Um texto curto ocupa os primeiros lugares: de 0 a T − 1.
posicao-pelo-token: self.posicoes.weight[: ids.shape[1]] → self.posicoes(ids % self.bloco)
    A tabela de posições foi indexada pelos ids. Ela se indexa pelo lugar do token na linha, a partir do 0.
posicao-pelo-id: self.posicoes.weight[: ids.shape[1]] → self.posicoes(ids)
    A tabela de posições foi consultada com os ids, e um id pode passar do tamanho dela. Ela se consulta pelo lugar do
    token na linha, de 0 a T − 1.
posicoes-a-partir-de-1: self.posicoes.weight[: ids.shape[1]] → self.posicoes(torch.arange(1, ids.shape[1] + 1))
    As posições começam em 1, e um texto do tamanho do contexto passa do fim da tabela. Conte de 0 a T − 1:
    torch.arange(T).
uma-posicao-por-token: nn.Embedding(bloco, d) → nn.Embedding(V, d)
    A tabela de posições tem V linhas, uma por token. Ela tem uma por lugar do contexto: são `bloco` linhas.
embedding-vezes-raiz-de-d: self.tokens(ids) + → self.tokens(ids) * self.tokens.weight.shape[1] ** 0.5 +
    Os embeddings foram multiplicados por √d, como no Transformer de 2017. Aqui (e no GPT) eles entram como são.
saida-com-peso-proprio: self.bloco = bloco → self.bloco = bloco⏎self.saida = nn.Linear(d, V, bias=False)
        self.norma(x) @ self.tokens.weight.T → self.saida(self.norma(x))
    Há um parâmetro a mais: a saída tem uma matriz só dela. O enunciado pede que ela use a matriz do embedding dos
    tokens, a mesma, e não uma cópia.
blocos-em-lista-comum:
        nn.ModuleList([Bloco(d, cabecas) for _ in range(camadas)]) → [Bloco(d, cabecas) for _ in range(camadas)]
    Os blocos não aparecem entre os parâmetros: uma lista do Python esconde os módulos do torch. Guarde-os em um
    nn.ModuleList.
o-mesmo-bloco-repetido: [Bloco(d, cabecas) for _ in range(camadas)] → [Bloco(d, cabecas)] * camadas
    Suas camadas são o mesmo bloco, repetido: `[bloco] * n` repete a referência, e não o módulo. Construa um bloco para
    cada camada.
so-o-primeiro-bloco: in self.blocos: → in self.blocos[:1]:
    Só um dos blocos foi usado. A saída de cada um é a entrada do seguinte, até o último.
blocos-em-paralelo: logits = self.sair(x) → logits = self.sair(sum(bloco(self.entrar(ids)) for bloco in self.blocos))
    Todos os blocos receberam a mesma entrada. Eles ficam em fila: a saída de um é a entrada do seguinte.
conta-o-pad: , ignore_index=0 →
    Os logits estão certos, mas a perda conta os alvos <PAD>. Eles não são resposta de nada: deixe-os fora da média.
    Veja a Dica 3.
divide-por-todos: ignore_index=0) → ignore_index=0, reduction="sum") / alvos.numel()
    Os <PAD> saíram da soma, mas ficaram no denominador. A média é só sobre os alvos que contam.
perda-somada: ignore_index=0 → ignore_index=0, reduction="sum"
    Sua perda é a soma, e cresce com o tamanho do lote. O enunciado pede a média por alvo.
desloca-os-alvos: .flatten(0, 1) → [:, :-1].flatten(0, 1)
        .flatten() → [:, 1:].flatten()
    Você deslocou os alvos dentro do modelo. Quem fez isso foi a função `lotes`: alvos[b, t] já é o token que vem depois
    de ids[b, t].
softmax-nos-logits: self.norma(x) @ self.tokens.weight.T → torch.softmax(self.norma(x) @ self.tokens.weight.T, dim=-1)
    Você devolveu probabilidades. Logits são os números antes da softmax; e a entropia cruzada do torch já faz a softmax
    dela.
devolve-a-softmax: return logits, → return torch.softmax(logits, dim=-1),
    A perda está certa, mas o que você devolveu soma 1 em cada posição: são probabilidades. Devolva os logits, como saem
    do produto.
so-a-ultima-posicao: return logits, → return logits[:, -1],
    Os logits saíram só da última posição. No treino, cada posição responde pelo token seguinte: a forma é (B, T, V).
alvos-obrigatorios: alvos=None): → alvos):
    Seu forward exige os alvos. Para gerar texto não há alvos: dê a eles um valor padrão, alvos=None. Veja a Dica 4.
perda-sem-gradiente: self.custo(logits, alvos) → self.custo(logits, alvos).item()
    Sua perda virou um número do Python (ou perdeu o gradiente no caminho). Devolva o tensor: sem ele, não há backward.
nao-examina-o-tamanho: ids.shape[1] > self.bloco → False
        self.posicoes.weight[: ids.shape[1]] → self.posicoes(torch.arange(ids.shape[1]))
    Com um texto maior que o contexto, seu modelo para no meio da conta, com um erro que não diz o porquê. Examine antes
    e lance um ValueError com os dois tamanhos.
recusa-o-contexto-cheio: > self.bloco → >= self.bloco
    Um texto com exatamente `bloco` tokens cabe, e o seu modelo o recusou. Recuse só quando T passa de `bloco`.
sem-atributo-bloco: self.bloco = bloco → self.contexto = bloco
        > self.bloco: → > self.contexto:
        é de {self.bloco} → é de {self.contexto}
    Falta o atributo `bloco`, o tamanho do contexto: é por ele que `gerar` sabe onde cortar.
bloco-e-o-numero-de-camadas: self.bloco = bloco → self.bloco = camadas
    O atributo `bloco` não é o tamanho do contexto: nele está outro número. Guarde o argumento `bloco`.
cabecas-e-camadas-trocadas: d, camadas, cabecas): → d, cabecas, camadas):
    O número de blocos é o de cabeças: os dois argumentos foram trocados. A ordem é GPT(V, bloco, d, camadas, cabecas).
so-a-ultima-sem-alvos: return logits, None if → return logits if alvos is not None else logits[:, [-1]], None if
    Sem alvos, seu modelo só devolve os logits da última posição, como em alguns códigos públicos. Aqui a forma é sempre
    (B, T, V): quem escolhe a última é a função `gerar`.
nenhum-bloco: x = bloco(x) → bloco(x)
    O resultado dos blocos se perdeu: os logits saem direto dos embeddings. Guarde-o, x = bloco(x).
softmax-antes-da-perda: self.custo(logits, alvos) → self.custo(torch.softmax(logits, dim=-1), alvos)
    Os logits estão certos, mas você aplicou a softmax antes da cross_entropy, que já a aplica: foram duas.
log-softmax-nos-logits: self.norma(x) @ self.tokens.weight.T → F.log_softmax(self.norma(x) @ self.tokens.weight.T, -1)
    Seus logits já passaram pela log-softmax. Devolva os logits como saem do produto: a cross_entropy faz o resto.
uma-posicao-para-todos: self.posicoes.weight[: ids.shape[1]] → self.posicoes.weight[0]
    Todos os tokens receberam o vetor da posição 0, e assim a ordem não conta. Cada posição, de 0 a T − 1, tem o seu
    vetor.
alvos-sao-os-ids: self.custo(logits, alvos) → self.custo(logits, ids)
    Os logits estão certos, mas a perda compara cada posição com o próprio token. Os alvos são `alvos`, que já vêm um
    passo à frente.
so-os-logits: return logits, None if alvos is None else self.custo(logits, alvos) → return logits
    Seu forward devolve só os logits. O par vem sempre: (logits, perda), com perda None quando não há alvos.
par-trocado: return logits, None if alvos is None else → return None if alvos is None else
        self.custo(logits, alvos) → self.custo(logits, alvos), logits
    O par veio trocado: primeiro os logits, depois a perda.
if-alvos: None if alvos is None else self.custo(logits, alvos) → self.custo(logits, alvos) if alvos else None
    `if alvos` pergunta se o tensor inteiro é verdadeiro, e o torch não sabe responder. Pergunte se `alvos` é None.
perda-sem-achatar: logits.flatten(0, 1), alvos.flatten() → logits, alvos
    A cross_entropy procura o vocabulário no eixo 1, e o seu está no último: as formas não combinam. Achate os dois:
    logits (B·T, V) e alvos (B·T,).
so-o-ultimo-bloco: in self.blocos: → in self.blocos[-1:]:
    Cada bloco recebeu o x da entrada, e só o resultado do último ficou. A saída de um é a entrada do seguinte: x =
    bloco(x).
perda-so-da-ultima: logits.flatten(0, 1), alvos.flatten() → logits[:, -1], alvos[:, -1]
    Os logits estão certos, mas a perda só olha para a última posição de cada linha. Cada posição tem o seu alvo, e a
    média é sobre todos os que contam.
posicao-pela-frase: self.posicoes.weight[: ids.shape[1]] → self.posicoes(torch.arange(ids.size(0)))
    As posições contam as frases do lote, ids.size(0). Quem tem posição é o token: arange(T), com T = ids.shape[1].
""")


@q.equivoco
class guarda_o_tamanho(GPT):
    """Seu modelo guarda as posições da primeira chamada e as usa em todas. T muda de uma chamada para outra: refaça-as
    com o T de cada uma."""

    lugares = None

    def entrar(self, ids):
        x = super().entrar(ids)
        if self.lugares is None:
            self.lugares = torch.arange(ids.shape[1])
        return x - self.posicoes.weight[: ids.shape[1]] + self.posicoes(self.lugares)


@q.equivoco
class media_das_linhas(GPT):
    """Você tirou a média de cada linha e depois a média das linhas. Linhas com mais <PAD> pesaram demais: a média é uma
    só, sobre todos os alvos que contam."""

    def custo(self, logits, alvos):
        return torch.stack([F.cross_entropy(z, a, ignore_index=0) for z, a in zip(logits, alvos, strict=True)]).mean()


@q.equivoco
class view_embaralha(GPT):
    """Os logits estão certos, mas a perda usa um reshape de (B, T, V) para (B, V, T): ele embaralha. Para trocar eixos
    há transpose; ou junte B e T em um eixo só."""

    def custo(self, logits, alvos):
        B, T, V = logits.shape
        return F.cross_entropy(logits.reshape(B, V, T), alvos, ignore_index=0)


@q.equivoco
class escreve_nos_alvos(GPT):
    """Seu forward escreveu dentro de `alvos` (ou de `ids`): quem chamou ainda precisa deles. Diga à entropia cruzada
    que alvo ignorar, ou trabalhe em uma cópia."""

    def custo(self, logits, alvos):
        alvos[alvos == 0] = -100
        return F.cross_entropy(logits.flatten(0, 1), alvos.flatten())


@q.equivoco
class so_logits_sem_alvos(GPT):
    """Sem alvos, seu forward devolve só os logits. O par vem sempre: (logits, None)."""

    def forward(self, ids, alvos=None):
        logits, perda = super().forward(ids, alvos)
        return logits if alvos is None else (logits, perda)


@q.equivoco
class corta_sem_avisar(GPT):
    """Com um texto maior que o contexto, seu modelo corta e segue, sem avisar. Aqui se pede um ValueError: quem corta é
    a função `gerar`."""

    def forward(self, ids, alvos=None):
        ids = ids[:, -self.bloco :]
        return super().forward(ids, None if alvos is None else alvos[:, -self.bloco :])


@q.alternativa
class saida_linear_amarrada(nn.Module):
    def __init__(self, V, bloco, d, camadas, cabecas, dropout=0.1):
        super().__init__()
        self.bloco = bloco
        self.tokens = nn.Embedding(V, d)
        self.posicoes = nn.Embedding(bloco, d)
        self.dropout = nn.Dropout(dropout)
        self.blocos = nn.Sequential(*[Bloco(d, cabecas) for _ in range(camadas)])
        self.norma = nn.LayerNorm(d)
        self.saida = nn.Linear(d, V, bias=False)
        self.saida.weight = self.tokens.weight
        self.apply(self._iniciar)

    def _iniciar(self, modulo):
        if isinstance(modulo, nn.Linear | nn.Embedding):
            nn.init.normal_(modulo.weight, mean=0.0, std=0.02)
        if isinstance(modulo, nn.Linear) and modulo.bias is not None:
            nn.init.zeros_(modulo.bias)

    def forward(self, ids, alvos=None):
        B, T = ids.shape
        if self.bloco < T:
            raise ValueError(f"T = {T} passa do contexto, {self.bloco}")
        x = self.dropout(self.tokens(ids) + self.posicoes(torch.arange(T, device=ids.device)))
        logits = self.saida(self.norma(self.blocos(x)))
        if alvos is None:
            return logits, None
        return logits, F.cross_entropy(logits.view(B * T, -1), alvos.view(B * T), ignore_index=0)


@q.alternativa
class perda_a_mao(GPT):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__(V, bloco, d, camadas, cabecas)
        with torch.no_grad():
            self.tokens.weight.uniform_(-0.05, 0.05)
            self.posicoes.weight.zero_()

    def forward(self, ids, alvos=None):
        x = self.entrar(ids)
        for i in range(len(self.blocos)):
            x = self.blocos[i](x)
        logits = torch.einsum("btd,vd->btv", self.norma(x), self.tokens.weight)
        if alvos is None:
            return logits, None
        logp = torch.log_softmax(logits, dim=-1)
        certo = logp.gather(-1, alvos[..., None])[..., 0]  # (B, T)
        return logits, -certo[alvos != 0].mean()


@q.alternativa
class com_mascara_guardada(GPT):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__(V, bloco, d, camadas, cabecas)
        self.register_buffer("mascara", torch.ones(bloco, bloco, dtype=torch.bool).tril())
        self.tokens.weight.data *= 0.5

    def atender(self, b, x):
        B, T, d = x.shape
        q, k, v = b.qkv(b.norma1(x)).split(d, dim=-1)
        q, k, v = (t.view(B, T, b.h, d // b.h).transpose(1, 2) for t in (q, k, v))
        S = q @ k.mT / math.sqrt(d // b.h)
        A = S.masked_fill(~self.mascara[:T, :T], float("-inf")).softmax(-1)
        x = x + b.saida((A @ v).transpose(1, 2).reshape(B, T, d))
        return x + b.reduz(F.gelu(b.expande(b.norma2(x))))

    def forward(self, ids, alvos=None):
        x = self.entrar(ids)
        for b in self.blocos:
            x = self.atender(b, x)
        logits = F.linear(self.norma(x), self.tokens.weight)
        perda = F.cross_entropy(logits.transpose(1, 2), alvos, ignore_index=0) if alvos is not None else None
        return logits, perda


class BlocoDoTorch(nn.TransformerEncoderLayer):
    """O da célula de preparo."""

    def __init__(self, d, h):
        super().__init__(d, h, 4 * d, dropout=0.0, activation="gelu", batch_first=True, norm_first=True)
        self.self_attn = nn.MultiheadAttention(d, h, bias=False, batch_first=True)

    def forward(self, x):
        futuro = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
        return super().forward(x, futuro, is_causal=True)


@q.alternativa
class com_o_bloco_do_torch(GPT):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__(V, bloco, d, camadas, cabecas)
        self.blocos = nn.Sequential(*[BlocoDoTorch(d, cabecas) for _ in range(camadas)])


@q.alternativa
class embedding_com_padding__idx(GPT):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__(V, bloco, d, camadas, cabecas)
        self.tokens = nn.Embedding(V, d, padding_idx=0)  # o <PAD> que entra não recebe gradiente
        nn.init.normal_(self.tokens.weight, std=0.02)


@q.alternativa
class inicio_um_sobre_raiz_de_d(GPT):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__(V, bloco, d, camadas, cabecas)
        nn.init.normal_(self.tokens.weight, std=d**-0.5)

    def custo(self, logits, alvos):
        contam = alvos != 0
        return nn.CrossEntropyLoss()(logits[contam], alvos[contam])


@q.alternativa
class inicio_xavier(GPT):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__(V, bloco, d, camadas, cabecas)
        for p in self.parameters():
            if p.dim() == 2:
                nn.init.xavier_uniform_(p)

    def custo(self, logits, alvos):
        peso = (alvos != 0).float()
        cada = F.cross_entropy(logits.mT, alvos, reduction="none")  # (B, T)
        return (cada * peso).sum() / peso.sum()
