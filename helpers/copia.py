"""A tarefa de cópia da aula 09: treinar cada mistura nela, contar n-gramas nela e guardar o que saiu.

`python -m helpers.copia` faz de novo o que a aula mostra e grava em `helpers/treinos/`. A cópia em que nasce uma cabeça
de indução está em `helpers.inducao`.
"""

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from helpers.contagem import NGramas
from helpers.gpt import GPT
from helpers.gravacao import gravar
from helpers.misturas import MISTURAS
from helpers.treino import PASTA, TreinoDesatualizado, _arredondar, _hash

ARQUIVO = PASTA / "copia.json"
MODELOS = ("sozinho", "uniforme", "janela", "atencao")
COMPRIMENTOS = (1, 2, 3, 4, 6, 8, 12, 16)
SEMENTES = (0, 1, 2)


@dataclass(frozen=True)
class Tarefa:
    """Tudo o que decide um treino da cópia, menos a mistura e a semente."""

    menor: int = 16  # cada sequência copia L tokens, com L sorteado de menor a maior
    maior: int = 16
    V: int = 32
    repete: bool = True  # os tokens de uma sequência podem repetir-se
    d: int = 32
    camadas: int = 2
    cabecas: int = 2
    lote: int = 32
    passos: int = 150
    lr: float = 0.005
    aquecimento: int = 20
    provas: int = 200  # sequências novas para medir os acertos
    ordem: int = 6  # até que n-grama se conta

    def taxa(self, passo: int) -> float:
        """Sobe no aquecimento e desce em linha reta até zero."""
        return self.lr * min(1.0, (passo + 1) / self.aquecimento) * (1 - passo / self.passos)


def sequencias(comprimentos: Tensor, tarefa: Tarefa, sorte: torch.Generator) -> Tensor:
    """Uma sequência por comprimento, completada com zeros à direita: (B, 2·max + 1)."""
    B, maior, V = len(comprimentos), int(comprimentos.max()), tarefa.V
    if tarefa.repete:
        tokens = torch.randint(1, V, (B, maior), generator=sorte)
    else:
        tokens = torch.rand(B, V - 1, generator=sorte).argsort(1)[:, :maior] + 1
    L, p = comprimentos[:, None], torch.arange(2 * maior + 1)[None]  # (B, 1) e (1, 2·max + 1)
    de_onde = torch.where(p < L, p, p - L - 1).clamp(0, maior - 1)
    return tokens.gather(1, de_onde).masked_fill((p == L) | (p > 2 * L), 0)


def lotes(tarefa: Tarefa, semente: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Os lotes de um treino, um por passo: as sequências e os comprimentos (B, 1) delas.

    A mesma semente dá os mesmos a todos os modelos.
    """
    sorte = torch.Generator().manual_seed(semente)
    for _ in range(tarefa.passos):
        comprimentos = torch.randint(tarefa.menor, tarefa.maior + 1, (tarefa.lote,), generator=sorte)
        yield sequencias(comprimentos, tarefa, sorte), comprimentos[:, None]


def prova(tarefa: Tarefa, L: int) -> Tensor:
    """As sequências novas com que todos são medidos no comprimento L."""
    return sequencias(torch.full((tarefa.provas,), L), tarefa, torch.Generator().manual_seed(10_000 + L))


def construir(mistura: str, tarefa: Tarefa, semente: int = 0) -> GPT:
    """Um GPT pequeno, cujo contexto é do tamanho da maior sequência."""
    torch.manual_seed(semente)
    t = tarefa
    return GPT(t.V, 2 * t.maior + 1, t.d, t.camadas, t.cabecas, mistura=MISTURAS[mistura])


def treinar(modelo: nn.Module, tarefa: Tarefa, semente: int = 0) -> list[float]:
    """AdamW, um lote por passo; devolve a perda de cada um."""
    otimizador = torch.optim.AdamW(modelo.parameters(), tarefa.lr)
    perdas = []
    modelo.train()
    for passo, (x, L) in enumerate(lotes(tarefa, semente)):
        for grupo in otimizador.param_groups:
            grupo["lr"] = tarefa.taxa(passo)
        p = torch.arange(x.shape[1])
        y = x.roll(-1, 1).masked_fill((p < L - 1) | (p >= 2 * L), -100)  # não se cobra o que não pode ser sabido
        perda = F.cross_entropy(modelo(x)[0].flatten(0, 1), y.flatten())
        otimizador.zero_grad()
        perda.backward()
        otimizador.step()
        perdas.append(perda.item())
    modelo.eval()
    return perdas


@torch.no_grad()
def acertos(modelo: nn.Module, tarefa: Tarefa, L: int) -> float:
    """A fração da cópia que o modelo acerta: o token mais provável é o certo?"""
    x = prova(tarefa, L)
    previstos = modelo(x)[0][:, L : 2 * L].argmax(-1)  # o que se diz do separador em diante
    return (previstos == x[:, L + 1 :]).float().mean().item()


def acertos_de_contagem(tarefa: Tarefa, L: int, semente: int = 0) -> list[float]:
    """O mesmo para os n-gramas, de 1 a `ordem`, contados nas mesmas sequências de treino."""
    # Soma-se 1 a tudo, e o 0 que sobra separa uma sequência da outra: nenhum contexto junta duas.
    texto = torch.cat([F.pad(x + 1, (tarefa.ordem, 0)).flatten() for x, _ in lotes(tarefa, semente)])
    grama = NGramas(texto, tarefa.V + 1, tarefa.ordem)
    x = F.pad(prova(tarefa, L)[:50] + 1, (tarefa.ordem, 0))
    todos = torch.arange(1, tarefa.V + 1).repeat(len(x))[:, None]
    certos = []
    for t in range(tarefa.ordem + L + 1, x.shape[1]):  # cada lugar da cópia, previsto pelos que vêm antes dele
        antes = x[:, t - tarefa.ordem : t].repeat_interleave(tarefa.V, 0)  # uma vez para cada token que pode vir
        P = grama.probabilidades(antes, torch.cat([antes[:, 1:], todos], 1))[1:, :, -1]
        certos.append(torch.from_numpy(P).unflatten(1, (len(x), -1)).argmax(-1) + 1 == x[:, t])  # (ordens, 50)
    return torch.stack(certos).float().mean((0, 2)).tolist()


# ------------------------------------------------------------ o que fica guardado


def configuracao() -> dict:
    partes = {"modelos": MODELOS, "comprimentos": COMPRIMENTOS, "sementes": SEMENTES}
    return json.loads(json.dumps({"tarefa": dataclasses.asdict(Tarefa()), **partes}))


def _abrir(arquivo: Path, esperada: dict) -> dict:
    refaca = "faça com: python -m helpers.copia"
    try:
        guardado = json.loads(arquivo.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise TreinoDesatualizado(f"O treino da cópia ainda não foi feito; {refaca}") from None
    if guardado["configuracao"] != esperada or guardado["hash"] != _hash(esperada):
        raise TreinoDesatualizado(f"O treino da cópia foi feito com outra configuração; {refaca}")
    return guardado


def carregar_copia() -> dict:
    """{"modelos": {mistura: (comprimentos, sementes)}, "contagem": (comprimentos, ordens)}; recusa o que é velho."""
    return _abrir(ARQUIVO, configuracao())


def fazer() -> dict:
    """Treina cada mistura em cada comprimento, com cada semente, e conta."""
    modelos: dict[str, list] = {nome: [] for nome in MODELOS}
    contagem = []
    for L in COMPRIMENTOS:
        tarefa = replace(Tarefa(), menor=L, maior=L)
        for nome in MODELOS:
            notas = []
            for semente in SEMENTES:
                modelo = construir(nome, tarefa, semente)
                treinar(modelo, tarefa, semente)
                notas.append(acertos(modelo, tarefa, L))
            modelos[nome].append(notas)
            print(f"L = {L:2}, {nome:9} acertos {', '.join(f'{nota:.3f}' for nota in notas)}", flush=True)
        contagem.append(acertos_de_contagem(tarefa, L))
    return {"modelos": modelos, "contagem": contagem}


def main(argumentos: list[str] | None = None) -> int:
    from configuracao import comandos  # só aqui: a caixa, que importa esta pasta, não enxerga a outra

    comandos.ler("copia", argumentos)
    torch.set_num_threads(1)
    _guardar(ARQUIVO, configuracao(), fazer())
    return 0


def _guardar(arquivo: Path, escolhas: dict, feito: dict) -> None:
    texto = json.dumps({"configuracao": escolhas, "hash": _hash(escolhas), **_arredondar(feito)}, ensure_ascii=False)
    gravar(arquivo, texto.replace(', "', ',\n"') + "\n")


if __name__ == "__main__":
    from configuracao.terminal import rodar

    rodar(main)
