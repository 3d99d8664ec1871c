"""A vida de uma cabeça de indução: a tarefa em que ela nasce, as redes da aula 09 e o que se mede nelas.

Cada sequência são P tokens diferentes, e os mesmos outra vez, até encher o contexto. P muda de uma para a outra, e por
isso nem o lugar nem a distância dizem o que copiar. `python curso.py bancada inducao` compara as redes, mudando uma
coisa de cada vez, e guarda o que a aula mostra em `helpers/treinos/inducao.json`.
"""

import json
import uuid
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from helpers.gpt import GPT
from helpers.treino import PASTA, Tela, TreinoDesatualizado, _hash

ARQUIVO = PASTA / "inducao.json"
LARGURA = 24  # posições de uma sequência
V = 16
PERIODOS = (3, 8)  # o menor e o maior P
MEDIDO = 6  # o P das sequências em que se mede
LOTE, AQUECIMENTO = 32, 20
SEMENTES = (0, 1, 2)

Sorteio = Callable[[torch.Generator], tuple[Tensor, Tensor]]  # um lote: x e y (B, T), com −100 onde não se cobra
Medida = Callable[["Copista"], dict[str, float]]


@dataclass(frozen=True)
class Rede:
    """O que pode mudar de uma rede para a outra: como ela nasce e como é treinada."""

    solta: bool = True  # a saída tem uma matriz só dela; senão, é a dos embeddings dos tokens, como no GPT da aula 08
    tokens: float = 1.0  # desvio padrão dos embeddings no começo; 1 é o de nn.Embedding
    posicoes: float = 1.0
    copiada: bool = False  # a matriz da saída começa igual à dos embeddings, e depois segue sozinha
    feed_forward: bool = True
    decaimento: float = 0.01
    queda: bool = True  # a taxa desce até zero; senão, é constante
    passos: int = 600
    lr: float = 0.003
    d: int = 64
    cabecas: int = 2

    def taxa(self, passo: int) -> float:
        return self.lr * min(1.0, (passo + 1) / AQUECIMENTO) * (1 - passo / self.passos if self.queda else 1)


SOLTA = Rede()
AMARRADA = Rede(solta=False, tokens=0.3, posicoes=0.3)


class Copista(GPT):
    """O GPT do curso, com duas camadas, em que a matriz da saída pode não ser a dos embeddings."""

    def __init__(self, rede: Rede, tokens: int = V, bloco: int = LARGURA):
        super().__init__(tokens, bloco, rede.d, camadas=2, cabecas=rede.cabecas)
        with torch.no_grad():
            self.tokens.weight.normal_(0, rede.tokens)
            self.posicoes.weight.normal_(0, rede.posicoes)
        if not rede.feed_forward:
            for camada in self.blocos:
                camada.expande, camada.reduz = nn.Identity(), _Nada()
        self.desfaz = nn.Linear(rede.d, tokens, bias=False) if rede.solta else self.tokens
        if rede.copiada:
            with torch.no_grad():
                self.desfaz.weight.copy_(self.tokens.weight)

    def forward(self, ids: Tensor, alvos: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        """ids (B, T) -> logits (B, T, V) e, se houver alvos (B, T), a perda média nos que não são −100."""
        x = self.entrada(ids)
        for camada in self.blocos:
            x = camada(x)
        logits = F.linear(self.norma(x), self.desfaz.weight)
        return logits, None if alvos is None else F.cross_entropy(logits.flatten(0, 1), alvos.flatten())


class _Nada(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.zeros_like(x)


# ------------------------------------------------------------ as sequências, e o que se mede nelas


def repetidas(periodos: Tensor, sorte: torch.Generator) -> tuple[Tensor, Tensor]:
    """Um período P para cada sequência -> x e y (B, LARGURA). Da primeira volta só se cobra o último token."""
    P, p = periodos[:, None], torch.arange(LARGURA)
    x = torch.rand(len(P), V, generator=sorte).argsort(1).gather(1, p % P)  # todos diferentes dentro de um período
    return x, x.roll(-1, 1).masked_fill((p < P - 1) | (p == LARGURA - 1), -100)


def sortear(sorte: torch.Generator) -> tuple[Tensor, Tensor]:
    """Um lote de treino."""
    menor, maior = PERIODOS
    return repetidas(torch.randint(menor, maior + 1, (LOTE,), generator=sorte), sorte)


def prova(P: int = MEDIDO, quantas: int = 100) -> tuple[Tensor, Tensor]:
    """As sequências novas em que todas as redes são medidas."""
    return repetidas(torch.full((quantas,), P), torch.Generator().manual_seed(10_000 + P))


@torch.no_grad()
def acertos(modelo: Copista, x: Tensor, y: Tensor) -> float:
    """A fração certa do que se cobra."""
    return (modelo(x)[0].argmax(-1) == y)[y != -100].float().mean().item()


@torch.no_grad()
def medir(modelo: Copista) -> dict[str, float]:
    """Os acertos e duas notas, cada uma a da melhor cabeça da camada: na 0, quanto peso vai para a posição de trás, nas
    que vêm logo depois da primeira vez de um token; na 1, quanto vai para as posições da indução, da segunda volta em
    diante."""
    x, y = prova()
    A, t = modelo.mapas(x), torch.arange(1, MEDIDO + 1)  # A (2, B, h, T, T)
    return {
        "acertos": acertos(modelo, x, y),
        "anterior": A[0][..., t, t - 1].mean((0, 2)).max().item(),
        "inducao": (A[1] * lugares_da_inducao(MEDIDO)).sum(-1)[..., MEDIDO:].mean((0, 2)).max().item(),
    }


def lugares_da_inducao(P: int) -> Tensor:
    """(T, T): de cada posição que copia, as que vêm logo depois das outras vezes do token dela."""
    t = torch.arange(LARGURA)
    return ((t - t[:, None] - 1) % P == 0) & (t <= t[:, None]) & (t > 0) & (t[:, None] >= P)


def dicionarios(quantos: int, pares: int = 4, semente: int = 5) -> tuple[Tensor, Tensor]:
    """Pares inventados, (chave, valor), e os mesmos pares em outra ordem: x e y (quantos, 4·pares). Só se cobra o valor
    de cada chave que volta. Nenhuma sequência de treino é assim: nelas a ordem é sempre a mesma."""
    sorte = torch.Generator().manual_seed(semente)
    x = torch.rand(quantos, V, generator=sorte).argsort(1)[:, : 2 * pares].view(quantos, pares, 2)
    ordem = torch.rand(quantos, pares, generator=sorte).argsort(1)
    x = torch.cat([x, x.gather(1, ordem[..., None].expand_as(x))], dim=1).flatten(1)
    y = x.roll(-1, 1)
    y[:, : 2 * pares] = -100
    y[:, 1::2] = -100
    return x, y


# ------------------------------------------------------------ o treino


@dataclass
class Vida:
    """A rede treinada e o que se mediu nela: um valor por medida e por passo medido."""

    rede: "Copista"
    passos: list[int] = field(default_factory=list)
    medidas: list[dict[str, float]] = field(default_factory=list)

    def __str__(self) -> str:
        return ", ".join(f"{rotulo} {self.medidas[-1][qual]:.2f}" for qual, (rotulo, *_) in CURVAS.items())

    def serie(self, qual: str) -> list[float]:
        return [m[qual] for m in self.medidas]


def viver(rede: Rede, semente: int = 0, sorteio: Sorteio = sortear, medida: Medida = medir, tokens: int = V,
          bloco: int = LARGURA, cada: int = 25) -> Iterator[Vida]:  # fmt: skip
    """Treina com AdamW e, a cada tantos passos, mede e devolve a vida até ali."""
    torch.manual_seed(semente)
    modelo = Copista(rede, tokens, bloco)
    vida = Vida(modelo)
    otimizador = torch.optim.AdamW(modelo.parameters(), rede.lr, weight_decay=rede.decaimento)
    sorte = torch.Generator().manual_seed(semente)
    for passo in range(rede.passos + 1):
        if passo % cada == 0 or passo == rede.passos:
            vida.passos.append(passo)
            vida.medidas.append(medida(modelo))
            yield vida
        if passo == rede.passos:
            return
        for grupo in otimizador.param_groups:
            grupo["lr"] = rede.taxa(passo)
        perda = modelo(*sorteio(sorte))[1]
        assert perda is not None
        otimizador.zero_grad()
        perda.backward()
        otimizador.step()


def treinar(rede: Rede, semente: int = 0) -> Vida:
    """A vida inteira, sem mostrar nada."""
    *_, vida = viver(rede, semente)
    return vida


def ver_nascer(redes: dict[str, Rede], exemplo: Tensor | None = None, **como) -> dict[str, Vida]:
    """Treina as redes lado a lado e mostra a barra e, no notebook, as curvas e o mapa da camada 1, que crescem."""
    passos = max(rede.passos for rede in redes.values())
    tela = TelaDaVida(passos, prova(quantas=1)[0] if exemplo is None else exemplo)
    vidas: dict[str, Vida] = {}
    for volta in zip(*(viver(rede, **como) for rede in redes.values()), strict=True):
        vidas = dict(zip(redes, volta, strict=True))
        tela.crescer(vidas)
    tela.barra.close()
    return vidas


class TelaDaVida(Tela):
    """A barra, e uma coluna para cada rede, com as três curvas e o mapa da camada 1 em uma sequência."""

    def __init__(self, passos: int, exemplo: Tensor):
        super().__init__("treino", passos, {})
        self.exemplo, self.vezes = exemplo, 0

    def crescer(self, vidas: dict[str, Vida]) -> None:
        agora = max(vida.passos[-1] for vida in vidas.values())
        self.barra.update(agora - self.barra.n)
        self.vezes += 1
        if not self.no_notebook or (self.vezes % 2 == 0 and agora < self.passos):  # desenhar custa mais que medir
            return
        from helpers.desenho import publicar

        primeira = not self.identidade
        self.identidade = self.identidade or uuid.uuid4().hex
        ditos = [f"Até o passo {agora}."]
        for nome, vida in vidas.items():
            fim = {qual: f"{valor:.2f}" for qual, valor in vida.medidas[-1].items()}
            ditos.append(
                f"{nome.capitalize()}: os acertos chegam a {fim['acertos']}, o peso na posição de trás, na camada"
            )
            ditos.append(f"0, a {fim['anterior']}, e o das posições da indução, na camada 1, a {fim['inducao']}.")
        fig = retrato(vidas, self.exemplo, self.passos)
        publicar(fig, " ".join(ditos), display_id=self.identidade, atualizar=not primeira)


CURVAS = {"acertos": ("acertos", "preto", ":"), "anterior": ("camada 0: a de trás", "posicoes", "-"),
          "inducao": ("camada 1: indução", "A", "-")}  # fmt: skip


def retrato(vidas: dict[str, Vida], exemplo: Tensor, passos: int):
    """Uma coluna por rede: em cima, as curvas; embaixo, onde olha a cabeça da camada 1 que mais olha para um lugar."""
    import matplotlib.pyplot as plt

    from helpers.desenho import CORES, PAPEIS, mapa_de_calor

    fig, eixos = plt.subplots(
        2, len(vidas), figsize=(max(7.0, 5.6 * len(vidas)), 7.2), squeeze=False, height_ratios=[1, 1.35]
    )
    cores = PAPEIS | CORES
    for (cima, baixo), (nome, vida) in zip(eixos.T, vidas.items(), strict=True):
        for qual, (rotulo, cor, traco) in CURVAS.items():
            cima.plot(vida.passos, vida.serie(qual), traco, color=cores[cor], lw=2, label=rotulo)
        cima.set(title=nome, xlabel="passo", ylabel="fração", xlim=(0, passos), ylim=(-0.02, 1.05))
        A = vida.rede.mapas(exemplo)[1, 0]  # (h, T, T)
        cabeca = int(A.max(-1).values.mean(-1).argmax())
        mapa_de_calor(A[cabeca].numpy(), ax=baixo, valores=False, vmin=0, vmax=1, eixo_x="posição olhada")
        baixo.set(title=f"cabeça {cabeca} da camada 1", ylabel="posição que olha")
    fig.legend(*eixos[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False)
    return fig


# ------------------------------------------------------------ o que fica guardado


def configuracao(redes: dict[str, Rede]) -> dict:
    """Do que depende o que está guardado."""
    tarefa = {"V": V, "largura": LARGURA, "periodos": PERIODOS, "medido": MEDIDO, "lote": LOTE, "sementes": SEMENTES}
    return json.loads(json.dumps({"tarefa": tarefa, "redes": {nome: asdict(rede) for nome, rede in redes.items()}}))


def carregar(redes: dict[str, Rede] | None = None) -> dict[str, list[dict]]:
    """{rede: uma história por semente}, como a bancada as guardou; recusa o que foi mexido ou não é destas redes."""
    refaca = "faça com: python curso.py bancada inducao"
    try:
        guardado = json.loads(ARQUIVO.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise TreinoDesatualizado(f"As redes da indução ainda não foram treinadas; {refaca}") from None
    escolhas = guardado["configuracao"]
    velho = redes is not None and escolhas != configuracao(redes) or escolhas["tarefa"] != configuracao({})["tarefa"]
    if velho or guardado["hash"] != _hash(escolhas):
        raise TreinoDesatualizado(f"As redes da indução foram treinadas com outra configuração; {refaca}")
    return guardado["redes"]
