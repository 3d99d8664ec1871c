"""Quão depressa o GPT do curso treina, contra o mesmo modelo feito com torch.nn.MultiheadAttention, como na fonte.

Rode na raiz: python curso.py bancada treino (ou, com o Python do curso, python -m bancadas.treino). Mede, com os dois
modelos alternados na mesma corrida: tokens por segundo no tamanho da fonte e com bloco 64; que parte do tempo os
produtos de matrizes de um passo levariam sozinhos (o limite); e os segundos de treino até a perda de validação 1,90 com
cada receita. Imprime as razões, guarda um gráfico e termina com um objeto JSON em uma linha.

Com uma thread, que é o padrão, o relógio é o do processador: não conta a espera enquanto outros programas usam a
máquina. Com mais threads é o de parede, e a máquina precisa estar quieta.
"""

import json
import statistics
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch
from torch import Tensor, nn

from configuracao import comandos
from configuracao.terminal import rodar
from helpers.corpus import Corpus, carregar
from helpers.treino import DA_FONTE, MELHOR, Receita, andar, avaliar, construir, janelas, relogio, trechos

SAIDA = Path(__file__).resolve().parent / "resultados" / "treino.png"


class ComoNaFonte(nn.Module):
    """O par: a camada de atenção do torch com máscara booleana, e o resto como a fonte descreve."""

    def __init__(self, V: int, r: Receita):
        super().__init__()
        self.tokens, self.posicoes = nn.Embedding(V, r.d), nn.Embedding(r.bloco, r.d)
        nn.init.normal_(self.tokens.weight, 0, r.desvio)  # com N(0, 1), o padrão, a saída atada começa longe de ln V
        nn.init.normal_(self.posicoes.weight, 0, r.desvio)
        camadas = range(r.camadas)
        self.normas1 = nn.ModuleList(nn.LayerNorm(r.d) for _ in camadas)
        self.normas2 = nn.ModuleList(nn.LayerNorm(r.d) for _ in camadas)
        self.atencoes = nn.ModuleList(
            nn.MultiheadAttention(r.d, r.cabecas, dropout=r.dropout, batch_first=True) for _ in camadas
        )
        self.redes = nn.ModuleList(
            nn.Sequential(nn.Linear(r.d, 4 * r.d), nn.GELU(), nn.Linear(4 * r.d, r.d), nn.Dropout(r.dropout))
            for _ in camadas
        )
        self.norma = nn.LayerNorm(r.d)
        self.saida = nn.Linear(r.d, V, bias=False)
        self.saida.weight = self.tokens.weight

    def forward(self, ids: Tensor, alvos: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        T = ids.shape[1]
        mascara = torch.triu(torch.ones(T, T), diagonal=1).bool()
        x = self.tokens(ids) + self.posicoes(torch.arange(T))
        for norma1, atencao, norma2, rede in zip(self.normas1, self.atencoes, self.normas2, self.redes, strict=True):
            y = norma1(x)
            x = x + atencao(y, y, y, attn_mask=mascara, need_weights=False)[0]
            x = x + rede(norma2(x))
        logits = self.saida(self.norma(x))
        if alvos is None:
            return logits, None
        return logits, nn.functional.cross_entropy(logits.flatten(0, 1), alvos.flatten(), ignore_index=0)


def andar_como_na_fonte(modelo: nn.Module, dados: Tensor, r: Receita, semente: int = 0):
    """O laço da fonte: AdamW tal como vem, taxa constante."""
    otimizador = torch.optim.AdamW(modelo.parameters(), lr=r.lr)
    modelo.train()
    for passo, janela in zip(range(r.passos), janelas(dados, r.bloco, r.lote, semente), strict=False):
        _, perda = modelo(janela[:, :-1], janela[:, 1:])
        otimizador.zero_grad()
        perda.backward()
        otimizador.step()
        yield passo + 1, perda.item()


def produtos(V: int, r: Receita) -> Callable[[], None]:
    """Só os produtos de matrizes de um passo (ida, e os dois da volta), sobre tensores já prontos."""
    n, dk, grupos = r.lote * r.bloco, r.d // r.cabecas, r.lote * r.cabecas
    formas = [(r.d, 3 * r.d), (r.d, r.d), (r.d, 4 * r.d), (4 * r.d, r.d)] * r.camadas + [(r.d, V)]
    lineares = [(torch.randn(n, e), torch.randn(s, e), torch.randn(n, s)) for e, s in formas]
    q, k, v, g = (torch.randn(grupos, r.bloco, dk) for _ in range(4))
    A = torch.randn(grupos, r.bloco, r.bloco)

    def f() -> None:
        for x, W, dy in lineares:
            x @ W.T, dy @ W, dy.T @ x
        for _ in range(r.camadas):  # QKᵀ e AV na ida; dA, dV, dQ e dK na volta
            q @ k.mT, A @ v, g @ v.mT, A.mT @ g, A @ k, A.mT @ q

    return f


def segundos(f: Callable[[], object], vezes: int) -> float:
    inicio = relogio()
    for _ in range(vezes):
        f()
    return (relogio() - inicio) / vezes


# ------------------------------------------------------------ tokens por segundo


def medir_velocidade(corpus: Corpus, bloco: int, dropout: float, rodadas: int, passos: int) -> dict[str, float]:
    """Alterna os dois modelos e o limite, rodada a rodada; cada número é a mediana das rodadas."""
    r = replace(DA_FONTE, bloco=bloco, dropout=dropout, passos=10**9)
    torch.manual_seed(0)
    curso = andar(construir(r, corpus.V), corpus.treino, r)
    fonte = andar_como_na_fonte(ComoNaFonte(corpus.V, r), corpus.treino, r)
    corridas = {"curso": lambda: next(curso), "fonte": lambda: next(fonte), "limite": produtos(corpus.V, r)}
    tempos: dict[str, list[float]] = {nome: [] for nome in corridas}
    for rodada in range(rodadas + 1):
        for nome, f in corridas.items():
            tempo = segundos(f, passos)
            if rodada:  # a primeira rodada só aquece
                tempos[nome].append(tempo)
    razoes = [f / c for f, c in zip(tempos["fonte"], tempos["curso"], strict=True)]
    tokens = {nome: r.lote * bloco / statistics.median(t) for nome, t in tempos.items()}
    return tokens | {"razao": statistics.median(razoes), "parte_dos_produtos": tokens["curso"] / tokens["limite"]}


# ------------------------------------------------------------ segundos até 1,90


@dataclass
class Percurso:
    """Uma receita a caminho do alvo. O relógio só anda durante os passos: avaliar é de graça para as duas."""

    nome: str
    modelo: nn.Module
    passos: object  # o gerador de passos
    segundos: float = 0.0
    passo: int = 0
    curva: list[tuple[float, float]] = field(default_factory=list)  # (segundos, perda de validação)
    chegou: bool = False

    def adiante(self, quantos: int, x: Tensor, y: Tensor, alvo: float) -> None:
        inicio = relogio()
        for _, (passo, _) in zip(range(quantos), self.passos, strict=False):
            self.passo = passo
        self.segundos += relogio() - inicio
        self.curva.append((self.segundos, avaliar(self.modelo, x, y)))
        self.chegou = self.curva[-1][1] <= alvo


def ate_o_alvo(corpus: Corpus, alvo: float, vezes: float, cada: int, maximo: int) -> tuple[Percurso, Percurso]:
    """As duas receitas, `cada` passos por vez. Depois que a do curso chega, a da fonte ainda tem até completar
    `vezes` o tempo do curso; se não chegar, esse tempo é um limite inferior do dela."""
    x, y = trechos(corpus.validacao, DA_FONTE.bloco, 2048)  # 32 mil caracteres, os mesmos para as duas
    longa = replace(DA_FONTE, passos=maximo)
    torch.manual_seed(0)
    dela = ComoNaFonte(corpus.V, longa)
    fonte = Percurso("fonte", dela, andar_como_na_fonte(dela, corpus.treino, longa))
    nosso = construir(MELHOR, corpus.V)
    curso = Percurso("curso", nosso, andar(nosso, corpus.treino, MELHOR))
    while not curso.chegou and curso.passo < MELHOR.passos:
        curso.adiante(cada, x, y, alvo)
        if not fonte.chegou:
            fonte.adiante(cada, x, y, alvo)
    while not fonte.chegou and fonte.passo < maximo and fonte.segundos < vezes * curso.segundos:
        fonte.adiante(cada, x, y, alvo)
    return curso, fonte


# ------------------------------------------------------------ relatório


def desenhar(velocidades: dict, percursos: tuple[Percurso, Percurso], alvo: float, destino: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    from helpers.desenho import CORES

    cores = {"fonte": CORES["laranja"], "curso": CORES["azul"], "limite": "0.8"}
    nomes = {"fonte": "como na fonte", "curso": "GPT do curso", "limite": "só os produtos"}
    fig, (esq, dir_) = plt.subplots(1, 2, figsize=(11, 4))
    for i, (quem, cor) in enumerate(cores.items()):
        valores = [v[quem] / 1000 for v in velocidades.values()]
        barras = esq.bar([j + 0.27 * (i - 1) for j in range(len(valores))], valores, 0.25, color=cor, label=nomes[quem])
        esq.bar_label(barras, fmt="%.1f", fontsize=8)
    esq.set_xticks(range(len(velocidades)), [f"bloco {b}\ndropout {p}" for b, p in velocidades])
    esq.set(title="Velocidade de treino", ylabel="milhares de tokens por segundo")
    esq.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3)
    for percurso in percursos:
        dir_.plot(
            *zip(*percurso.curva, strict=True), "o-", ms=3, color=cores[percurso.nome], label=nomes[percurso.nome]
        )
    dir_.axhline(alvo, color="0.5", ls="--", lw=1)
    dir_.annotate(f"{alvo:.2f}", (0, alvo), va="bottom", fontsize=9)
    dir_.set(title="Perda de validação", xlabel="segundos de treino", ylabel="nats por caractere")
    dir_.legend(frameon=False)
    destino.parent.mkdir(parents=True, exist_ok=True)
    fig.savefig(destino)
    plt.close(fig)


def main(argumentos: list[str] | None = None) -> int:
    opcoes = comandos.ler("bancada treino", argumentos)
    torch.set_num_threads(opcoes.threads or 1)
    rodadas, passos, alvo, vezes, cada, maximo = (
        (2, 1, 3.2, 2, 10, 60) if opcoes.rapida else (10, 4, 1.90, 3.5, 50, 20000)
    )
    corpus = carregar()
    print(f"torch {torch.__version__}, {torch.get_num_threads()} thread(s); lote 64, d 128, 2 camadas, 2 cabeças\n")

    velocidades = {}
    print(
        f"{'tokens por segundo':28s}{'fonte':>10s}{'curso':>10s}{'razão':>8s}{'só produtos':>13s}{'parte deles':>13s}"
    )
    for bloco, dropout in [(16, 0.2), (64, 0.2), (16, 0.0), (64, 0.0)]:
        v = velocidades[bloco, dropout] = medir_velocidade(corpus, bloco, dropout, rodadas, passos)
        print(f"{f'bloco {bloco}, dropout {dropout}':28s}{v['fonte']:10.0f}{v['curso']:10.0f}{v['razao']:7.2f}×"
              f"{v['limite']:13.0f}{v['parte_dos_produtos']:12.0%}")  # fmt: skip

    curso, fonte = ate_o_alvo(corpus, alvo, vezes, cada, maximo)
    print(f"\n{f'até {alvo:.2f} na validação':28s}{'segundos':>10s}{'passos':>8s}{'última':>8s}")
    for percurso in (fonte, curso):
        sinal = "" if percurso.chegou else ">"
        print(f"{percurso.nome:28s}{sinal + format(percurso.segundos, '.1f'):>10s}{percurso.passo:8d}"
              f"{percurso.curva[-1][1]:8.3f}{'' if percurso.chegou else '   (não chegou)'}")  # fmt: skip
    razao = curso.segundos / fonte.segundos if curso.chegou else None
    if razao is not None:
        print(f"tempo do curso / tempo da fonte: {'' if fonte.chegou else 'no máximo '}{razao:.2f}")
    saida = opcoes.saida or SAIDA
    desenhar(velocidades, (fonte, curso), alvo, saida)
    print(f"gráfico: {saida}")
    resultado = {f"tokens_por_segundo_bloco_{b}_dropout_{p}": round(v["razao"], 3) for (b, p), v in velocidades.items()}
    resultado |= {
        f"parte_dos_produtos_bloco_{b}": round(velocidades[b, 0.0]["parte_dos_produtos"], 3) for b in (16, 64)
    }
    resultado |= {"tempo_ate_o_alvo": razao and round(razao, 3), "alvo": alvo, "a_fonte_chegou": fonte.chegou,
                  "segundos_do_curso": round(curso.segundos, 1), "segundos_da_fonte": round(fonte.segundos, 1),
                  "threads": torch.get_num_threads()}  # fmt: skip
    print(json.dumps(resultado))
    return 0


if __name__ == "__main__":
    rodar(main)
