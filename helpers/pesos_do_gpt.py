"""Os pesos de um GPT como o navegador os lê, e os que o curso guarda de alguns passos de um treino.

Um arquivo safetensors por passo, em float16, e um índice em JSON, que diz o passo e a perda de cada um.
`python curso.py treinar melhor --pesos` os faz de novo (e `treinar portugues --pesos`, os do modelo em português).
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from safetensors.torch import load, save
from torch import Tensor, nn

from helpers import refeitos
from helpers.contagem import NGramas
from helpers.corpus import Corpus, carregar
from helpers.gpt import GPT
from helpers.gravacao import gravar
from helpers.treino import EXPERIMENTOS, MELHOR, Experimento, amostra, andar, avaliar, construir

PASTA = Path(__file__).resolve().parent / "exploradores" / "pesos"
# O começo, e onde a perda passa pela de quem só conta letras, pela de quem conta pares delas, e além.
PASSOS = (0, 15, 60, 300, 1200)
SHA256_DO_CURSO = "eb5cd189ee53e2ebd27acce8e71f0f4503d29bcb5d85ff0891c3a0d929f1840b"  # de carregar("o-curso")
# O que escreve em português: menor, para que os cinco momentos dele juntos caibam em 1 MB.
EM_PORTUGUES = Experimento(
    replace(MELHOR, bloco=32, d=60, passos=3000, dropout=0.1), sementes=(0,), corpus=SHA256_DO_CURSO
)
PASSOS_EM_PORTUGUES = (0, 15, 60, 300, 3000)


def experimento(nome: str) -> Experimento:
    return EM_PORTUGUES if nome == "portugues" else EXPERIMENTOS[nome]


def em_bytes(pesos: dict[str, Tensor]) -> bytes:
    """Os pesos, arredondados para float16, como um arquivo safetensors."""
    return save({nome: p.detach().half().contiguous() for nome, p in pesos.items()})


def de_bytes(bruto: bytes, cabecas: int) -> GPT:
    """O GPT do curso com os pesos arredondados: faz a mesma conta que o navegador."""
    return _montar({nome: p.float() for nome, p in load(bruto).items()}, cabecas)


def _montar(pesos: dict[str, Tensor], cabecas: int) -> GPT:
    """O GPT do curso com estes pesos, sem mexer no sorteio de quem chama."""
    (V, d), bloco = pesos["tokens.weight"].shape, len(pesos["posicoes.weight"])
    with torch.random.fork_rng():
        modelo = GPT(V, bloco, d, sum(nome.endswith("reduz.weight") for nome in pesos), cabecas)
    modelo.load_state_dict(pesos)
    return modelo.eval()


@dataclass(frozen=True)
class Pontos:
    """O índice: o vocabulário, e o passo, a perda de validação (em nats) e o arquivo de cada ponto."""

    treino: str
    hash: str  # o da configuração do treino: pontos de outra configuração são recusados
    semente: int
    cabecas: int
    vocabulario: list[str]
    regua: dict[str, float]  # nos mesmos trechos, de quem não sabe nada, conta letras, conta pares
    pontos: list[dict]
    pasta: Path = PASTA

    def pesos(self, i: int) -> bytes:
        return (self.pasta / self.pontos[i]["arquivo"]).read_bytes()

    def modelo(self, i: int) -> GPT:
        return de_bytes(self.pesos(i), self.cabecas)


def ler(treino: str = "melhor", pasta: Path = PASTA) -> Pontos:
    """O índice de um treino; recusa o que o código de hoje não faria."""
    refaca = f"faça com: python curso.py treinar {treino} --pesos"
    if pasta == PASTA and (refeitos(PASTA) / f"{treino}.json").is_file():
        pasta = refeitos(PASTA)
    try:
        pontos = Pontos(**json.loads((pasta / f"{treino}.json").read_text(encoding="utf-8")), pasta=pasta)
    except FileNotFoundError:
        raise FileNotFoundError(f"Os pesos do treino “{treino}” não estão guardados; {refaca}") from None
    if pontos.hash != experimento(treino).hash():
        raise ValueError(f"Os pesos do treino “{treino}” são de outra configuração; {refaca}")
    return pontos


def fazer(nome: str, corpus: Corpus | None = None, pasta: Path | None = None, passos: tuple[int, ...] | None = None,
          avisar: Callable[[str], None] = print) -> None:  # fmt: skip
    """Treina a primeira semente do experimento e guarda os pesos destes passos."""
    pedido, pasta = experimento(nome), pasta or refeitos(PASTA)
    passos = passos or (PASSOS_EM_PORTUGUES if pedido is EM_PORTUGUES else PASSOS)
    receita, semente = pedido.receita, pedido.sementes[0]
    corpus = corpus or carregar("o-curso" if pedido is EM_PORTUGUES else "shakespeare")
    modelo = construir(receita, corpus.V, semente)
    medida = amostra(corpus.validacao, receita.bloco)
    pontos = []

    def olhar(passo: int) -> None:
        if passo not in passos:
            return
        bruto, arquivo = em_bytes(modelo.state_dict()), f"{nome}-{passo:04d}.safetensors"
        perda = avaliar(de_bytes(bruto, receita.cabecas), *medida)
        pasta.mkdir(parents=True, exist_ok=True)
        gravar(pasta / arquivo, bruto)
        pontos.append({"passo": passo, "perda": round(perda, 4), "arquivo": arquivo})
        avisar(f"{nome}, passo {passo}: perda {perda:.3f}, {len(bruto) / 1e6:.2f} MB em {arquivo}")

    olhar(0)
    torch.manual_seed(semente + 1)  # do dropout, como em `treinar`
    for passo, _ in andar(modelo, corpus.treino, receita, semente):
        olhar(passo)
    nada, letras, pares = NGramas(corpus.treino, corpus.V, 2).perdas(*medida).tolist()
    indice = {"treino": nome, "hash": pedido.hash(), "semente": semente, "cabecas": receita.cabecas}
    indice |= {"vocabulario": corpus.vocabulario, "pontos": pontos}
    indice |= {"regua": {"nada": round(nada, 4), "letras": round(letras, 4), "pares": round(pares, 4)}}
    gravar(pasta / f"{nome}.json", json.dumps(indice, ensure_ascii=False) + "\n")


# ------------------------------------------------------------ um GPT que o aluno escreveu e treinou


class NaoAbre(ValueError):
    """Este modelo não se abre no navegador: a mensagem diz por quê, em uma frase."""


CONTAS = 100_000_000  # por letra, no máximo: parâmetros vezes tokens do contexto
_FORA_DO_BLOCO = {"tokens.weight", "posicoes.weight", "norma.weight", "norma.bias"}
_NO_BLOCO = {  # as partes do bloco da lista 07 e as do bloco do torch, com o nome que têm no GPT do curso
    "qkv": "mistura.qkv",
    "saida": "mistura.saida",
    "self_attn.in_proj_weight": "mistura.qkv.weight",
    "self_attn.out_proj": "mistura.saida",
    "norm1": "norma1",
    "norm2": "norma2",
    "linear1": "expande",
    "linear2": "reduz",
}


def _nome_no_curso(nome: str) -> str:
    if not nome.startswith("blocos."):
        return nome
    _, i, resto = nome.split(".", 2)
    parte, _, fim = resto.rpartition(".")
    return f"blocos.{i}.{_NO_BLOCO.get(resto) or f'{_NO_BLOCO.get(parte, parte)}.{fim}'}"


def do_aluno(modelo: nn.Module, tokenizador) -> tuple[bytes, int, list[str]]:
    """Os pesos de um GPT da lista 08 (ou do curso), as cabeças dele e o vocabulário; NaoAbre diz o que não serve."""
    pesos = {_nome_no_curso(nome): p.detach().float() for nome, p in modelo.named_parameters()}
    if faltam := _FORA_DO_BLOCO - pesos.keys():
        raise NaoAbre(f"Este modelo não tem “{min(faltam)}”: aqui se abre um GPT como o da lista 08, com `tokens`, "
                      "`posicoes`, `blocos` e `norma`.")  # fmt: skip
    V, bloco = len(pesos["tokens.weight"]), len(pesos["posicoes.weight"])
    parametros = sum(p.numel() for p in pesos.values())
    if parametros * bloco > CONTAS:
        raise NaoAbre(f"Este modelo tem {parametros:_} parâmetros e contexto de {bloco}: é grande demais para o "
                      "navegador.".replace("_", " "))  # fmt: skip
    for nome, p in pesos.items():
        if not p.half().isfinite().all():
            raise NaoAbre(f"Há um NaN, um infinito ou um número enorme em “{nome}”: o treino deve ter estourado. Crie "
                          "o modelo de novo e treine com uma taxa menor.")  # fmt: skip
    vocabulario = _vocabulario(tokenizador)
    if len(vocabulario) != V:
        raise NaoAbre(f"O modelo tem {V} tokens, e o tokenizador, {len(vocabulario)}: não são do mesmo texto.")
    return em_bytes(pesos), _cabecas(modelo, pesos), vocabulario


def mapas_de_atencao(modelo: nn.Module, tokenizador, texto: str) -> Tensor:
    """Os pesos de atenção (camadas, h, T, T) de um GPT da lista 08 (ou do curso) sobre o texto, de T caracteres."""
    bruto, cabecas, vocabulario = do_aluno(modelo, tokenizador)
    ids = torch.tensor([[vocabulario.index(c) for c in texto]])  # (1, T)
    return de_bytes(bruto, cabecas).mapas(ids)[:, 0]


def _vocabulario(tokenizador) -> list[str]:
    """O que cada id vira, de 0 a V − 1. O 0 é o <PAD>; os outros, um caractere diferente cada um."""
    if isinstance(tokenizador, Corpus):
        return tokenizador.vocabulario
    try:
        letras = [tokenizador.decodificar([i]) for i in range(1, tokenizador.V)]
    except Exception as erro:
        raise NaoAbre(f"O tokenizador não me deu o vocabulário ({erro}): espero um como o da lista 08, com `V` e "
                      "`decodificar`.") from erro  # fmt: skip
    if len(set(letras)) < len(letras) or any(not isinstance(c, str) or len(c) != 1 for c in letras):
        raise NaoAbre("Neste tokenizador, há ids que não viram um caractere só deles: aqui cada token é um caractere.")
    return ["<PAD>", *letras]


@torch.no_grad()
def _cabecas(modelo: nn.Module, pesos: dict[str, Tensor]) -> int:
    """Quantas cabeças o modelo tem. Elas não aparecem nos parâmetros: é o número com que o GPT do curso, com os mesmos
    pesos, dá os mesmos logits. Se nenhum dá, a conta deste modelo é outra."""
    (V, d), bloco = pesos["tokens.weight"].shape, len(pesos["posicoes.weight"])
    ids = torch.randint(1, V, (4, bloco), generator=torch.Generator().manual_seed(0))
    dele = _logits(modelo, ids)  # (4, bloco, V)
    distancias = {}
    for h in (h for h in range(1, d + 1) if d % h == 0):
        try:
            nosso = _montar(pesos, h)(ids)[0]
        except RuntimeError:
            nomes = pesos.keys() ^ _nomes_do_curso(pesos)
            qual = f"“{min(nomes)}” sobra ou falta" if nomes else "as formas são outras"
            raise NaoAbre(f"Os parâmetros deste modelo não são os de um GPT da lista 08: {qual}.") from None
        distancias[h] = (nosso - dele).abs().max().item() if nosso.shape == dele.shape else float("inf")
    h = min(distancias, key=distancias.__getitem__)
    if not distancias[h] <= 1e-3 * max(1.0, dele.abs().max().item()):
        raise NaoAbre("Com estes pesos, o GPT do curso dá outros logits: a conta do seu modelo é diferente. Confira-o "
                      "com conferir(\"lista-08/GPT\", GPT).")  # fmt: skip
    return h


def _logits(modelo: nn.Module, ids: Tensor) -> Tensor:
    """O que o modelo do aluno responde, sem dropout; ele fica no modo em que estava."""
    treinando = modelo.training
    try:
        saida = modelo.eval()(ids)
        return (saida[0] if isinstance(saida, tuple) else saida).float()
    except Exception as erro:
        raise NaoAbre(f"O seu modelo parou com um erro ao ler um texto de {ids.shape[1]} caracteres: {erro}") from erro
    finally:
        modelo.train(treinando)


def _nomes_do_curso(pesos: dict[str, Tensor]) -> set[str]:
    """Os nomes dos parâmetros de um GPT do curso com tantos blocos quantos há aqui."""
    blocos = {nome.split(".")[1] for nome in pesos if nome.startswith("blocos.")}
    partes = {n for n in GPT(2, 1, 1, 1, 1).state_dict() if n.startswith("blocos.0.")}
    return _FORA_DO_BLOCO | {n.replace("blocos.0.", f"blocos.{i}.") for n in partes for i in blocos}
