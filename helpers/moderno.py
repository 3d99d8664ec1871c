"""As peças que mudaram no GPT de 2017 para cá, para pôr uma de cada vez no GPT do curso, sem mudar o tamanho dele.

`python curso.py bancada moderno` treina cada troca e guarda o que mediu em helpers/treinos/moderno.json. `guardados`
o lê.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from helpers.corpus import DIVISAO, SHA256_DO_TEXTO
from helpers.gpt import GPT, Atencao, Camada
from helpers.treino import MELHOR, PASTA, Receita, TreinoDesatualizado, treinos_guardados


@dataclass(frozen=True)
class Pecas:
    """De que é feito o modelo e quem dá os passos. Sem nada trocado, é o GPT da aula 08."""

    rms_norm: bool = False  # no lugar de todas as LayerNorms
    rope: bool = False  # consultas e chaves giram com a posição
    com_P: bool = True  # a matriz das posições, somada na entrada
    qk_norm: bool = False  # consultas e chaves com comprimento fixo
    ativacao: str = "gelu"  # ou "relu2", ou "swiglu"
    muon: bool = False  # no lugar do AdamW, nas matrizes dos blocos
    taxa_do_muon: float = 0.01  # o pico da taxa das matrizes
    taxa_do_resto: float = 0.003  # e o do AdamW, que com o Muon fica com o que não é matriz de um bloco


BASE = "aula"
TROCAS = {
    BASE: Pecas(),
    "rms-norm": Pecas(rms_norm=True),
    "rope": Pecas(rope=True, com_P=False),
    "rope-e-P": Pecas(rope=True),
    "qk-norm": Pecas(qk_norm=True),
    "relu2": Pecas(ativacao="relu2"),
    "swiglu": Pecas(ativacao="swiglu"),
    "muon": Pecas(muon=True),
    # a taxa do resto foi escolhida na validação, com a semente 0, entre 0,003, 0,006 e 0,01
    "tudo": Pecas(rope=True, qk_norm=True, ativacao="swiglu", muon=True, taxa_do_resto=0.01),
}
NOMES = {
    BASE: "a receita da aula",
    "rms-norm": "RMSNorm",
    "rope": "RoPE no lugar de P",
    "rope-e-P": "RoPE, e P também",
    "qk-norm": "QK-norm",
    "relu2": "ReLU²",
    "swiglu": "SwiGLU",
    "muon": "Muon",
    "tudo": "RoPE e P, QK-norm, SwiGLU e Muon",
    "fonte": "a receita da fonte",
}
MELHOR_TROCA = "tudo"
SEMENTES = {nome: [0] for nome in TROCAS if nome != BASE}
SEMENTES |= {"rms-norm": [0, 1], "rope": [0, 1], MELHOR_TROCA: [0, 1, 2]}
ALVO = 1.90
ARQUIVO = PASTA / "moderno.json"


def configuracao() -> dict:
    """Tudo o que decide os treinos guardados."""
    escolhas = {"trocas": {n: asdict(p) for n, p in TROCAS.items()}, "receita": asdict(MELHOR)}
    return json.loads(json.dumps(escolhas | {"corpus": SHA256_DO_TEXTO, "divisao": DIVISAO}))


@dataclass(frozen=True)
class Guardados:
    """O que `bancada moderno` mediu. A base, “aula”, são os treinos guardados da receita “melhor”."""

    treinos: dict[str, list[dict]]  # em cada troca, um treino por semente
    custos: dict[str, dict[str, float]]  # um passo de cada troca, em passos da base
    fonte: dict[str, list]  # os passos e a perda da receita da fonte


def guardados(arquivo: Path = ARQUIVO) -> Guardados:
    """O que está guardado; recusa o que é de outra configuração ou está pela metade."""
    refaca = "faça com: python curso.py bancada moderno"
    try:
        lido = json.loads(arquivo.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise TreinoDesatualizado(f"Os treinos de “do GPT de 2017 ao de hoje” não estão guardados; {refaca}") from None
    if lido["configuracao"] != configuracao():
        raise TreinoDesatualizado(f"Os treinos guardados são de outra configuração; {refaca}")
    feitas = {nome: [treino["semente"] for treino in feitos] for nome, feitos in lido["treinos"].items()}
    if not lido["custos"] or not lido.get("fonte") or any(feitas.get(nome) != s for nome, s in SEMENTES.items()):
        raise TreinoDesatualizado(f"Os treinos guardados estão pela metade; {refaca}")
    base = [
        {"semente": h.semente, "passos": h.passos, "validacao": h.validacao, "final": h.final}
        for h in treinos_guardados("melhor")
    ]
    um = dict.fromkeys(("mediana", "menor", "maior"), 1.0)
    return Guardados({BASE: base} | lido["treinos"], {BASE: um} | lido["custos"], lido["fonte"])


def custo_ate(alvo: float, treino: Mapping[str, list], passo: float) -> float | None:
    """Quanto um treino gastou até a perda de validação descer ao alvo, a `passo` por passo; None se não desceu."""
    chegou = [p for p, perda in zip(treino["passos"], treino["validacao"], strict=True) if perda <= alvo]
    return chegou[0] * passo if chegou else None


def giros(T: int, C: int, base: float = 10_000.0) -> Tensor:
    """O cosseno e o seno de quanto gira cada par de números em cada posição, (2, T, C/2).

    O primeiro par gira um radiano por letra, e os outros, cada vez menos.
    """
    angulos = torch.arange(T)[:, None] * base ** -(torch.arange(C // 2) / (C // 2))
    return torch.stack([angulos.cos(), angulos.sin()])


def girar(x: Tensor, quanto: Tensor) -> Tensor:
    """RoPE: cada par de números de x (…, T, C) gira conforme a posição dele; o i faz par com o i + C/2."""
    cos, sen = quanto
    a, b = x.chunk(2, -1)  # (…, T, C/2) cada
    return torch.cat([a * cos - b * sen, a * sen + b * cos], -1)


class AtencaoDeHoje(Atencao):
    """A do curso, em que consultas e chaves ainda podem ser normalizadas e girar antes de se encontrarem."""

    giros: Tensor

    def __init__(self, d: int, cabecas: int, bloco: int, rope: bool, qk_norm: bool):
        super().__init__(d, cabecas, bloco, 0.0)
        self.rope, self.qk_norm = rope, qk_norm
        self.register_buffer("giros", giros(bloco, d // cabecas), persistent=False)

    def preparar(self, q_ou_k: Tensor) -> Tensor:
        x = q_ou_k  # (B·h, T, C)
        if self.qk_norm:
            x = F.rms_norm(x, x.shape[-1:])  # comprimento √C, seja qual for o que tinha
        return girar(x, self.giros[:, : x.shape[-2]]) if self.rope else x


class CamadaDeHoje(Camada):
    """A do curso com outra ativação. Na SwiGLU, uma das duas expansões é a porta da outra, e as três matrizes são mais
    estreitas: os parâmetros continuam sendo tantos quantos antes."""

    def __init__(self, d: int, mistura: nn.Module, ativacao: str):
        super().__init__(d, mistura, 0.0)
        self.ativacao = ativacao
        if ativacao == "swiglu":
            meio = round(8 * d / 3)  # 3·d·meio = 8·d²
            self.expande, self.porta, self.reduz = nn.Linear(d, meio), nn.Linear(d, meio), nn.Linear(meio, d)

    def forward(self, x: Tensor) -> Tensor:
        assert self.mistura is not None and self.norma1 is not None
        x = x + self.mistura(self.norma1(x))
        y = self.norma2(x)
        if self.ativacao == "swiglu":
            y = F.silu(self.porta(y)) * self.expande(y)
        elif self.ativacao == "relu2":
            y = F.relu(self.expande(y)).square()
        else:
            y = F.gelu(self.expande(y))
        return x + self.reduz(y)


class GPTDeHoje(GPT):
    """O GPT do curso com as peças pedidas."""

    def __init__(self, V: int, pecas: Pecas, receita: Receita = MELHOR):
        r = receita

        def camada(d: int, cabecas: int) -> nn.Module:
            return CamadaDeHoje(d, AtencaoDeHoje(d, cabecas, r.bloco, pecas.rope, pecas.qk_norm), pecas.ativacao)

        super().__init__(V, r.bloco, r.d, r.camadas, r.cabecas, 0.0, None, r.zerar, r.ganho, r.desvio, camada)
        if not pecas.com_P:
            del self.posicoes
        if pecas.rms_norm:
            for dono, nome in [(self, "norma"), *((b, n) for b in self.blocos for n in ("norma1", "norma2"))]:
                setattr(dono, nome, nn.RMSNorm(r.d))

    def entrada(self, ids: Tensor) -> Tensor:
        return super().entrada(ids) if hasattr(self, "posicoes") else self.tokens(ids)
