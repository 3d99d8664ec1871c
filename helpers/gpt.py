"""O GPT do curso: um decodificador pré-norma pequeno, escrito para ser lido e para treinar depressa numa CPU.

Formas nos comentários: B textos no lote, T tokens em cada um, C números por token, h cabeças, V tokens no vocabulário.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

PAD = 0  # o token que não conta na perda


def apagar(x: Tensor, p: float) -> Tensor:
    """Dropout: zera cada número com chance p e aumenta os que ficam. É o F.dropout com um gerador mais rápido na CPU:
    um sorteio de 64 bits serve a quatro números, 16 bits para cada um."""
    if p == 0:
        return x
    sorte = torch.empty(-(-x.numel() // 4), dtype=torch.int64).random_(-(2**63), None).view(torch.int16)
    ficam = sorte[: x.numel()].view(x.shape) >= round(p * 2**16) - 2**15
    return x * (ficam * (1 / (1 - p)))


class Atencao(nn.Module):
    """Atenção causal de h cabeças: um produto só faz Q, K e V de todas elas."""

    futuro: Tensor

    def __init__(self, d: int, cabecas: int, bloco: int, dropout: float):
        super().__init__()
        self.cabecas, self.dropout = cabecas, dropout
        self.qkv = nn.Linear(d, 3 * d, bias=False)
        self.saida = nn.Linear(d, d, bias=False)
        futuro = nn.Transformer.generate_square_subsequent_mask(bloco)  # −∞ no futuro, 0 no passado e no presente
        self.register_buffer("futuro", futuro, persistent=False)

    def preparar(self, q_ou_k: Tensor) -> Tensor:
        """O que se faz com consultas e chaves antes de se encontrarem: aqui, nada; em helpers/moderno.py, um giro."""
        return q_ou_k

    def pesos(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """(B, T, C) -> pesos de atenção (B·h, T, T) e valores (B·h, T, C/h)."""
        B, T, C = x.shape
        qkv = self.qkv(x).view(B, T, 3, self.cabecas, C // self.cabecas).permute(2, 0, 3, 1, 4).flatten(1, 2)
        q, k, v = qkv.unbind()  # cada um (B·h, T, C/h)
        q, k = self.preparar(q), self.preparar(k)
        pontuacoes = torch.baddbmm(self.futuro[:T, :T], q, k.transpose(1, 2), alpha=q.shape[-1] ** -0.5)
        return pontuacoes.softmax(-1), v

    def forward(self, x: Tensor) -> Tensor:
        A, v = self.pesos(x)
        y = apagar(A, self.dropout if self.training else 0.0) @ v  # (B·h, T, C/h)
        return self.saida(y.unflatten(0, (-1, self.cabecas)).transpose(1, 2).flatten(2))  # (B, T, C)


class Camada(nn.Module):
    """Duas somas no caminho residual: o que os outros tokens dizem e o que cada token pensa sozinho."""

    def __init__(self, d: int, mistura: nn.Module | None, dropout: float):
        super().__init__()
        self.norma1 = nn.LayerNorm(d) if mistura is not None else None
        self.mistura = mistura
        self.norma2 = nn.LayerNorm(d)
        self.expande, self.reduz = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
        self.dropout = dropout

    def forward(self, x: Tensor) -> Tensor:
        if self.mistura is not None and self.norma1 is not None:
            x = x + self.mistura(self.norma1(x))
        y = self.reduz(F.gelu(self.expande(self.norma2(x))))
        return x + apagar(y, self.dropout if self.training else 0.0)


class GPT(nn.Module):
    """`mistura` é quem faz a camada olhar para os outros tokens: uma fábrica (d, cabecas, bloco, dropout) -> módulo
    que leva (B, T, C) em (B, T, C) sem olhar o futuro, ou None. O peso da saída é o do embedding dos tokens. Com
    `camada`, os blocos são outros: o `Bloco(d, cabecas)` da lista 07."""

    def __init__(self, V: int, bloco: int = 16, d: int = 128, camadas: int = 2, cabecas: int = 2,
                 dropout: float = 0.0, mistura: Callable | None = Atencao, zerar: bool = False, ganho: float = 1.0,
                 desvio: float = 0.02, camada: Callable[[int, int], nn.Module] | None = None):  # fmt: skip
        super().__init__()
        self.V, self.bloco = V, bloco
        self.tokens = nn.Embedding(V, d)
        self.posicoes = nn.Embedding(bloco, d)
        faz = (lambda: mistura(d, cabecas, bloco, dropout)) if mistura is not None else (lambda: None)
        self.blocos = nn.ModuleList(camada(d, cabecas) if camada else Camada(d, faz(), dropout) for _ in range(camadas))
        self.norma = nn.LayerNorm(d)
        self.iniciar(zerar, ganho, desvio)

    @torch.no_grad()
    def iniciar(self, zerar: bool, ganho: float, desvio: float) -> None:
        """Embeddings pequenos; matrizes com desvio ganho/√entradas, que guarda a escala do que passa por elas; com
        `zerar`, as que somam no caminho residual começam em zero e a camada nasce sem mexer nele."""
        for nome, p in self.named_parameters():
            if nome in ("tokens.weight", "posicoes.weight"):
                p.normal_(0.0, desvio)
            elif nome.endswith("bias") or (zerar and nome.endswith(("saida.weight", "reduz.weight"))):
                p.zero_()
            elif p.dim() > 1:  # as normas ficam como estão: só 1
                p.normal_(0.0, ganho / p[0].numel() ** 0.5)

    def entrada(self, ids: Tensor) -> Tensor:
        """(B, T) -> (B, T, C): o que o token é mais onde ele está."""
        if ids.shape[1] > self.bloco:
            raise ValueError(f"o texto tem {ids.shape[1]} tokens e o contexto deste modelo é de {self.bloco}")
        return self.tokens(ids) + self.posicoes.weight[: ids.shape[1]]

    def forward(self, ids: Tensor, alvos: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        """ids (B, T) -> logits (B, T, V) e, se houver alvos (B, T), a perda média em nats."""
        x = self.entrada(ids)
        for camada in self.blocos:
            x = camada(x).to(x.dtype)  # o bloco do aluno pode fazer a conta em float64
        logits = F.linear(self.norma(x), self.tokens.weight)  # (B, T, V)
        if alvos is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), alvos.flatten(), ignore_index=PAD)

    @torch.no_grad()
    def mapas(self, ids: Tensor) -> Tensor:
        """Os pesos de atenção de todas as camadas e cabeças, (camadas, B, h, T, T)."""
        x, mapas = self.entrada(ids), []
        for camada in self.blocos:
            assert isinstance(camada, Camada) and isinstance(camada.mistura, Atencao) and camada.norma1 is not None
            A, _ = camada.mistura.pesos(camada.norma1(x))  # (B·h, T, T)
            mapas.append(A.unflatten(0, (len(ids), -1)))
            x = camada(x)
        return torch.stack(mapas)


@torch.no_grad()
def gerar(modelo: GPT, corpus, inicio: str = "\n", n: int = 300, temperatura: float = 1.0, top_k: int | None = None,
          semente: int = 0) -> str:  # fmt: skip
    """`inicio` e mais n caracteres escritos pelo modelo. Temperatura 0: sempre o mais provável."""
    treinando, sorte = modelo.training, torch.Generator().manual_seed(semente)
    modelo.eval()
    ids = corpus.codificar(inicio)[None]  # (1, T)
    for _ in range(n):
        z = modelo(ids[:, -modelo.bloco :])[0][0, -1]  # (V,) logits do próximo
        z[PAD] = float("-inf")
        if top_k is not None:
            z[z < z.topk(min(top_k, len(z))).values[-1]] = float("-inf")
        if temperatura > 0:  # dividir por T, somar ruído de Gumbel e ficar com o maior é sortear da softmax(z / T)
            z = z / temperatura - torch.empty(len(z)).exponential_(generator=sorte).log()
        ids = torch.cat([ids, z.argmax()[None, None]], 1)
    modelo.train(treinando)
    return corpus.decodificar(ids[0])
