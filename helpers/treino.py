"""Treinar o GPT do curso: receitas, a curva ao vivo, a perda dentro e fora do treino, e os treinos guardados.

`python -m helpers.treino` lista os treinos que as aulas usam; `python -m helpers.treino NOME…` os faz de novo. Os
pesos que o navegador abre são de helpers/pesos_do_gpt.py.
"""

import dataclasses
import hashlib
import json
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from helpers import refeitos
from helpers.corpus import DIVISAO, SHA256_DO_TEXTO, Corpus, carregar
from helpers.gpt import GPT, gerar
from helpers.gravacao import de_uma_vez, gravar
from helpers.misturas import MISTURAS
from helpers.tela_do_treino import CEDO, LETRAS, Tela, curva, eixo_dos_passos

__all__ = ["CEDO", "Tela", "curva", "eixo_dos_passos"]
PASTA = Path(__file__).resolve().parent / "treinos"
AMOSTRA = 16384  # caracteres, sempre os mesmos, nas medidas do meio do treino


# ------------------------------------------------------------ receitas


@dataclass(frozen=True)
class Receita:
    """Tudo o que decide um treino, menos o texto e a semente."""

    # o modelo
    bloco: int = 16
    d: int = 128
    camadas: int = 2
    cabecas: int = 2
    mistura: str = "atencao"  # um nome de helpers.misturas.MISTURAS
    dropout: float = 0.0
    zerar: bool = False  # as projeções que somam no caminho residual começam em zero
    ganho: float = 1.0  # as outras matrizes começam com desvio padrão ganho/√entradas
    desvio: float = 0.02  # desvio padrão dos embeddings no começo
    # o treino, com AdamW
    lote: int = 64
    passos: int = 1200
    lr: float = 0.003
    aquecimento: int = 0  # em quantos passos a taxa sobe de zero a lr
    queda: str = "constante"  # ou "linear", ou "cosseno": como a taxa desce
    queda_desde: float = 0.0  # a fração do treino em que ela começa a descer
    betas: tuple[float, float] = (0.9, 0.999)
    decaimento: float = 0.01  # weight decay
    corte: float = 0.0  # norma máxima do gradiente; 0 é sem corte

    def taxa(self, passo: int) -> float:
        """A taxa de aprendizado no passo 0, 1, …"""
        sobe = min(1.0, (passo + 1) / self.aquecimento) if self.aquecimento else 1.0
        inicio = self.queda_desde * self.passos
        feito = min(1.0, max(0.0, (passo - inicio) / (self.passos - inicio)))  # 0 até a queda começar, 1 no fim
        desce = {"constante": 1.0, "linear": 1.0 - feito, "cosseno": (1 + math.cos(math.pi * feito)) / 2}[self.queda]
        return self.lr * sobe * desce


# A da fonte, com a inicialização que o torch dá a uma camada linear (uniforme até ±1/√entradas: desvio 1/√3 disso).
DA_FONTE = Receita(dropout=0.2, lr=0.003, ganho=3**-0.5)
# A mesma arquitetura, o mesmo lote e os mesmos 1200 passos, com outro começo e outra taxa.
MELHOR = Receita(
    zerar=True, desvio=0.05, lr=0.002, aquecimento=100, queda="linear", queda_desde=0.1, betas=(0.9, 0.95), corte=1.0
)
LONGA = replace(MELHOR, bloco=64, passos=2000)


def construir(receita: Receita, V: int, semente: int = 0, camada: Callable[[int, int], nn.Module] | None = None) -> GPT:
    """O modelo da receita, com os parâmetros iniciais da semente; com `camada`, os blocos são dessa classe."""
    torch.manual_seed(semente)
    r, mistura = receita, MISTURAS[receita.mistura]
    return GPT(V, r.bloco, r.d, r.camadas, r.cabecas, r.dropout, mistura, r.zerar, r.ganho, r.desvio, camada)


# ------------------------------------------------------------ dados e perda


def janelas(dados: Tensor, bloco: int, lote: int, semente: int) -> Iterator[Tensor]:
    """Sem fim: pedaços do texto que começam em lugares sorteados, (lote, bloco + 1). Sem a última coluna, são o x de um
    lote; sem a primeira, o y."""
    todas = dados.unfold(0, bloco + 1, 1)  # (n - bloco, bloco + 1), sem copiar nada
    sorte = torch.Generator().manual_seed(semente)
    while True:
        yield todas[torch.randint(len(todas), (lote,), generator=sorte)]


def trechos(dados: Tensor, bloco: int, quantos: int | None = None) -> tuple[Tensor, Tensor]:
    """O texto cortado em trechos seguidos: x e y (N, bloco), a definição de perda fora do treino do curso inteiro.

    Cada caractere do texto, menos o primeiro (e a sobra que não enche um trecho), é previsto uma vez, a partir dos que
    vêm antes dele no mesmo trecho: de 1 a `bloco` caracteres. Com `quantos`, só essa quantidade, igualmente espaçada.
    """
    N = (len(dados) - 1) // bloco
    x, y = dados[: N * bloco].view(N, bloco), dados[1 : N * bloco + 1].view(N, bloco)
    if quantos is None or quantos >= N:
        return x, y
    escolhidos = torch.arange(quantos) * N // quantos
    return x[escolhidos], y[escolhidos]


def amostra(dados: Tensor, bloco: int) -> tuple[Tensor, Tensor]:
    """Os trechos das medidas do meio do treino: quem compara uma reta com a curva a mede neles."""
    return trechos(dados, bloco, max(64, AMOSTRA // bloco))


@torch.no_grad()
def avaliar_por_posicao(modelo: nn.Module, x: Tensor, y: Tensor) -> Tensor:
    """A perda média em nats por caractere, sem dropout, em cada posição do contexto: (T,)."""
    treinando = modelo.training
    modelo.eval()
    soma, pedaco = torch.zeros(x.shape[1], dtype=torch.float64), max(1, 16384 // x.shape[1])
    for xs, ys in zip(x.split(pedaco), y.split(pedaco), strict=True):
        perdas = nn.functional.cross_entropy(modelo(xs)[0].flatten(0, 1), ys.flatten(), reduction="none")
        soma += perdas.view(ys.shape).double().sum(0)
    modelo.train(treinando)
    return soma / len(x)


def avaliar(modelo: nn.Module, x: Tensor, y: Tensor) -> float:
    """A perda média em nats por caractere, sem dropout."""
    return avaliar_por_posicao(modelo, x, y).mean().item()


# ------------------------------------------------------------ o treino


@dataclass
class Historia:
    """O que aconteceu em um treino."""

    semente: int
    passos: list[int] = field(default_factory=list)  # quando se avaliou
    treino: list[float] = field(default_factory=list)  # em trechos fixos do treino, sem dropout
    validacao: list[float] = field(default_factory=list)  # em trechos fixos da validação, sem dropout
    perdas: list[float] = field(default_factory=list)  # de cada lote, com dropout: o “treino” que a fonte mede
    amostras: dict[int, str] = field(default_factory=dict)
    final: dict[str, float] = field(default_factory=dict)  # "treino", "treino_com_dropout", "validacao" e "teste"
    por_posicao: list[float] = field(default_factory=list)  # (T,) a perda final de teste em cada lugar do contexto
    segundos: float = 0.0  # só de treino, sem as avaliações


def andar(modelo: nn.Module, dados: Tensor, receita: Receita, semente: int = 0) -> Iterator[tuple[int, float]]:
    """Dá um passo de treino por vez: (passo, perda do lote). Quem chama decide quando olhar e quando parar."""
    otimizador = torch.optim.AdamW(modelo.parameters(), receita.lr, receita.betas, weight_decay=receita.decaimento,
                                   fused=True)  # fmt: skip
    modelo.train()
    sorteadas = janelas(dados, receita.bloco, receita.lote, semente)
    for passo, janela in zip(range(receita.passos), sorteadas, strict=False):  # uma não tem fim
        for grupo in otimizador.param_groups:
            grupo["lr"] = receita.taxa(passo)
        _, perda = modelo(janela[:, :-1], janela[:, 1:])
        perda.backward()
        if receita.corte:
            nn.utils.clip_grad_norm_(modelo.parameters(), receita.corte)
        otimizador.step()
        otimizador.zero_grad()
        yield passo + 1, perda.item()


def relogio() -> float:
    """Com uma thread, o tempo de processador: a espera, enquanto outros programas usam a máquina, não conta."""
    return time.process_time() if torch.get_num_threads() == 1 else time.perf_counter()


def treinar(
    modelo: GPT,
    corpus: Corpus,
    receita: Receita,
    semente: int = 0,
    avaliar_em: int = 100,
    amostras_em: tuple[int, ...] = (),
    rotulo: str = "treino",
    linhas: dict[str, float] | None = None,
) -> Historia:
    """Treina e devolve a história. No notebook mostra uma barra e a curva, que cresce; no terminal, só a barra.

    Mede a cada `avaliar_em` passos, e antes disso nos de CEDO. `linhas` são perdas de referência (ln V, unigrama,
    bigrama…) que aparecem como retas na curva; na medida em que a perda passa por baixo de uma, o modelo escreve. Na
    tela ele escreve a cada medida, ao lado da curva.
    """
    historia = Historia(semente)
    tela = Tela(rotulo, receita.passos, linhas or {}, lambda: gerar(modelo, corpus, n=LETRAS, semente=semente))
    fixos = {nome: amostra(getattr(corpus, nome), receita.bloco) for nome in ("treino", "validacao")}
    acima = set((linhas or {}).values())  # as retas por que a perda ainda não passou

    def olhar(passo: int) -> None:
        escreve = passo in amostras_em
        if passo % avaliar_em == 0 or passo == receita.passos or passo in CEDO and passo < avaliar_em:
            historia.passos.append(passo)
            historia.treino.append(avaliar(modelo, *fixos["treino"]))
            historia.validacao.append(avaliar(modelo, *fixos["validacao"]))
            tela.desenhar(historia)
            cruzadas = {valor for valor in acima if historia.validacao[-1] < valor}
            acima.difference_update(cruzadas)
            escreve = escreve or bool(cruzadas)
        if escreve:
            historia.amostras[passo] = gerar(modelo, corpus, n=200, semente=semente)

    olhar(0)
    torch.manual_seed(semente + 1)  # do dropout: o mesmo, tenha o modelo sido feito agora ou lido do disco
    passos = andar(modelo, corpus.treino, receita, semente)
    for _ in range(receita.passos):
        inicio = relogio()
        passo, perda = next(passos)
        historia.segundos += relogio() - inicio
        historia.perdas.append(perda)
        tela.passo(perda)
        olhar(passo)
    modelo.eval()
    tela.fechar(historia)
    return historia


def medir_no_fim(historia: Historia, modelo: GPT, corpus: Corpus) -> None:
    """A perda nos textos inteiros, para guardar. À parte do treino: custa quase tanto quanto ele, e abre o teste."""
    bloco = modelo.bloco
    historia.por_posicao = avaliar_por_posicao(modelo, *trechos(corpus.teste, bloco)).tolist()
    historia.final = {
        "treino": avaliar(modelo, *trechos(corpus.treino, bloco, 4 * len(amostra(corpus.treino, bloco)[0]))),
        "treino_com_dropout": statistics.fmean(historia.perdas[-100:]),
        "validacao": avaliar(modelo, *trechos(corpus.validacao, bloco)),
        "teste": statistics.fmean(historia.por_posicao),
    }


# ------------------------------------------------------------ pontos de treino


def guardar(caminho: str | Path, modelo: GPT, receita: Receita) -> None:
    """Os pesos em safetensors, que só guarda números, com a receita nos metadados."""
    caminho = Path(caminho)
    caminho.parent.mkdir(parents=True, exist_ok=True)
    pesos = {nome: p.detach().contiguous() for nome, p in modelo.state_dict().items()}
    with de_uma_vez(caminho) as provisorio:
        save_file(pesos, provisorio, metadata={"receita": json.dumps(dataclasses.asdict(receita))})


def abrir(caminho: str | Path) -> GPT:
    """O modelo guardado, pronto para usar. Abrir o arquivo de outra pessoa não executa nada dela."""
    try:
        with safe_open(caminho, framework="pt") as arquivo:
            campos = json.loads((arquivo.metadata() or {}).get("receita", "{}"))
            pesos = {_nome_de_hoje(nome): arquivo.get_tensor(nome) for nome in arquivo.keys()}  # noqa: SIM118
    except FileNotFoundError:
        raise FileNotFoundError(f"Não há um modelo guardado em {caminho}.") from None
    except (SafetensorError, OSError, ValueError) as erro:
        raise ValueError(f"O arquivo {caminho} está estragado ou não é um modelo deste curso ({erro}).") from erro
    modelo = _montar(campos, pesos)
    if modelo is None:
        raise ValueError(f"O arquivo {caminho} {_o_que_e(pesos)}.")
    return modelo.eval()


_ANTES = {"simbolos": "tokens", "lugares": "posicoes", "pilha": "blocos"}
_ANTES_NO_BLOCO = {"norma_mistura": "norma1", "norma_pensa": "norma2"}


def _nome_de_hoje(nome: str) -> str:
    """Um modelo guardado quando o GPT do curso dava outros nomes às suas partes ainda se abre."""
    primeira, *outras = nome.split(".")
    return ".".join([_ANTES.get(primeira, primeira), *(_ANTES_NO_BLOCO.get(parte, parte) for parte in outras)])


def _montar(campos: dict, pesos: dict[str, Tensor]) -> GPT | None:
    """O GPT do curso com estes pesos; None se eles não são dele."""
    try:
        modelo = construir(Receita(**campos | {"betas": tuple(campos["betas"])}), len(pesos["tokens.weight"]))
        modelo.load_state_dict(pesos)
    except (TypeError, KeyError, ValueError, RuntimeError):
        return None
    return modelo


def _o_que_e(pesos: dict[str, Tensor]) -> str:
    """O que são estes pesos, que não são de um GPT do curso, e como usá-los."""
    do_torch = "blocos.0.self_attn.in_proj_weight" in pesos  # o bloco que a lista 08 dá pronto
    if not {"tokens.weight", "posicoes.weight"} <= pesos.keys() or not (do_torch or "blocos.0.expande.weight" in pesos):
        return "não é de um GPT deste curso; abra-o com a classe de onde os pesos vieram"
    (V, d), bloco = pesos["tokens.weight"].shape, len(pesos["posicoes.weight"])
    camadas = len({nome.split(".")[1] for nome in pesos if nome.startswith("blocos.")})
    com_atencao = do_torch or "blocos.0.qkv.weight" in pesos
    classe, lista, ultimo = ("GPT", "08", "cabecas") if com_atencao else ("GPTSemAtencao", "09", "mistura")
    return (
        f"é de um {classe} escrito na lista {lista} (V = {V}, contexto de {bloco}, d = {d}, blocos: {camadas}), e não "
        f"do GPT do curso; abra-o com a sua classe: modelo = {classe}({V}, {bloco}, {d}, {camadas}, {ultimo}) e "
        "modelo.load_state_dict(safetensors.torch.load_file(…))"
    )


# ------------------------------------------------------------ treinos guardados


class TreinoDesatualizado(RuntimeError):
    """O que está guardado não é o que o código de hoje faria."""


@dataclass(frozen=True)
class Experimento:
    """Uma receita com as sementes e o que se anota; o hash diz se um treino guardado é mesmo dela."""

    receita: Receita
    sementes: tuple[int, ...] = (0, 1, 2)
    avaliar_em: int = 100
    amostras_em: tuple[int, ...] = ()
    corpus: str = ""  # o SHA-256 do texto, se não é o padrão

    def configuracao(self) -> dict:
        corpus = self.corpus or SHA256_DO_TEXTO
        return json.loads(json.dumps(dataclasses.asdict(self) | {"corpus": corpus, "divisao": DIVISAO}))

    def hash(self) -> str:
        return _hash(self.configuracao())


EXPERIMENTOS = {
    # aula 08: a receita da fonte, a melhor, e uma com mais contexto e mais passos
    "da-fonte": Experimento(DA_FONTE, amostras_em=(0, 100, 400, 1200)),
    "melhor": Experimento(MELHOR, amostras_em=(0, 100, 400, 1200)),
    "longa": Experimento(LONGA, sementes=(0,), avaliar_em=250, amostras_em=(0, 500, LONGA.passos)),
    # aula 08: a melhor sem um ingrediente de cada vez
    "sem-escala-inicial": Experimento(replace(MELHOR, ganho=DA_FONTE.ganho, desvio=DA_FONTE.desvio)),
    "sem-zerar": Experimento(replace(MELHOR, zerar=False)),
    "sem-aquecimento": Experimento(replace(MELHOR, aquecimento=0)),
    "sem-queda": Experimento(replace(MELHOR, queda="constante")),
    "sem-corte": Experimento(replace(MELHOR, corte=0.0)),
    "sem-betas": Experimento(replace(MELHOR, betas=DA_FONTE.betas)),
    "com-taxa-da-fonte": Experimento(replace(MELHOR, lr=DA_FONTE.lr)),
    "com-dropout": Experimento(replace(MELHOR, dropout=DA_FONTE.dropout)),
    # aula 09: a melhor receita com outra coisa no lugar da atenção
    "uniforme": Experimento(replace(MELHOR, mistura="uniforme")),
    "janela": Experimento(replace(MELHOR, mistura="janela")),
    "sozinho": Experimento(replace(MELHOR, mistura="sozinho")),
    "nenhuma": Experimento(replace(MELHOR, mistura="nenhuma")),
}


def _hash(configuracao: dict) -> str:
    """SHA-256 do JSON em forma canônica: as mesmas escolhas dão sempre o mesmo número."""
    return hashlib.sha256(json.dumps(configuracao, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def treinos_guardados(nome: str, pasta: Path = PASTA) -> list[Historia]:
    """As histórias guardadas de um experimento, uma por semente; recusa as de outra configuração."""
    if nome not in EXPERIMENTOS:
        raise KeyError(f"não conheço o treino “{nome}”; há: {', '.join(EXPERIMENTOS)}")
    refaca = f"faça com: python curso.py treinar {nome}"
    if pasta == PASTA and (refeitos(PASTA) / f"{nome}.json").is_file():
        pasta = refeitos(PASTA)
    try:
        guardado = json.loads((pasta / f"{nome}.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise TreinoDesatualizado(f"O treino “{nome}” ainda não foi feito; {refaca}") from None
    if _hash(guardado["configuracao"]) != guardado["hash"]:
        raise TreinoDesatualizado(f"O arquivo do treino “{nome}” foi mexido: o hash não confere; {refaca}")
    if guardado["hash"] != EXPERIMENTOS[nome].hash():
        raise TreinoDesatualizado(f"O treino “{nome}” foi feito com outra configuração; {refaca}")
    historias = [
        Historia(**c | {"amostras": {int(k): t for k, t in c["amostras"].items()}}) for c in guardado["historias"]
    ]
    if [c.semente for c in historias] != list(EXPERIMENTOS[nome].sementes):
        raise TreinoDesatualizado(f"O treino “{nome}” está pela metade: faltam sementes; {refaca}")
    return historias


def resumo(historias: list[Historia], qual: str = "teste") -> tuple[float, float]:
    """Média e desvio padrão (entre as sementes) da perda final."""
    finais = [c.final[qual] for c in historias]
    return statistics.fmean(finais), statistics.stdev(finais) if len(finais) > 1 else float("nan")


def fazer_treino(nome: str, de_novo: bool = False, pasta: Path | None = None, corpus: Corpus | None = None,
                  avisar: Callable[[str], None] = print) -> None:  # fmt: skip
    """Treina as sementes que faltam (ou todas, com `de_novo`) e guarda depois de cada uma."""
    experimento, caminho = EXPERIMENTOS[nome], (pasta or refeitos(PASTA)) / f"{nome}.json"
    prontas: dict[int, dict] = {}
    if caminho.is_file() and not de_novo:
        guardado = json.loads(caminho.read_text(encoding="utf-8"))
        if guardado["hash"] == experimento.hash():
            prontas = {c["semente"]: c for c in guardado["historias"]}
    corpus = corpus or carregar()
    if corpus.sha256 != SHA256_DO_TEXTO:
        raise ValueError("os treinos guardados são do corpus padrão; este texto é outro")
    faltam = [semente for semente in experimento.sementes if semente not in prontas]
    if not faltam:
        avisar(f"O treino “{nome}” já está feito; para treinar outra vez: python curso.py treinar {nome} --de-novo")
    for semente in faltam:
        modelo = construir(experimento.receita, corpus.V, semente)
        e, rotulo = experimento, f"{nome}, semente {semente}"
        historia = treinar(modelo, corpus, e.receita, semente, e.avaliar_em, e.amostras_em, rotulo)
        medir_no_fim(historia, modelo, corpus)
        avisar(f"{nome}, semente {semente}: validação {historia.final['validacao']:.3f} em {historia.segundos:.0f} s")
        prontas[semente] = _arredondar(dataclasses.asdict(historia))
        _escrever(caminho, experimento, [prontas[s] for s in experimento.sementes if s in prontas])


def _arredondar(valor):
    """Quatro casas bastam para uma perda, e o arquivo fica pequeno."""
    if isinstance(valor, float):
        return round(valor, 4)
    if isinstance(valor, list):
        return [_arredondar(v) for v in valor]
    return {k: _arredondar(v) for k, v in valor.items()} if isinstance(valor, dict) else valor


def _escrever(caminho: Path, experimento: Experimento, historias: list[dict]) -> None:
    partes = {"configuracao": experimento.configuracao(), "hash": experimento.hash(), "historias": historias}
    texto = json.dumps(partes, ensure_ascii=False).replace('{"semente"', '\n{"semente"')  # uma linha por semente
    caminho.parent.mkdir(parents=True, exist_ok=True)
    gravar(caminho, texto + "\n")


def main(argumentos: list[str] | None = None) -> int:
    from configuracao import comandos  # só aqui: a caixa, que importa esta pasta, não enxerga a outra

    pedido = comandos.ler("treinar", argumentos)
    if pedido.pesos and pedido.treino == ["portugues"]:  # só os pesos deste são usados
        return _refazer_pesos(pedido.treino)
    estranhas = [nome for nome in pedido.treino if nome not in EXPERIMENTOS]
    if estranhas:
        print(f"Não conheço o treino “{estranhas[0]}”; há: {', '.join(EXPERIMENTOS)}", file=sys.stderr)
        return 2
    if pedido.pesos:
        return _refazer_pesos(pedido.treino)
    for nome in pedido.treino:
        fazer_treino(nome, pedido.de_novo)
    for nome in [] if pedido.treino else EXPERIMENTOS:
        try:
            media, desvio = resumo(historias := treinos_guardados(nome))
            print(
                f"{nome:24s} teste {media:.3f}"
                + (f" ± {desvio:.3f}, {len(historias)} sementes" if desvio == desvio else "")
            )
        except TreinoDesatualizado as motivo:
            print(f"{nome:24s} {motivo}")
    return 0


def _refazer_pesos(nomes: list[str]) -> int:
    from helpers import pesos_do_gpt  # que importa este módulo

    if not nomes:
        print("Diga de que treino são os pesos: python curso.py treinar melhor --pesos", file=sys.stderr)
        return 2
    for nome in nomes:
        if pesos_do_gpt.experimento(nome).receita.mistura != "atencao":
            print(f"O treino “{nome}” não tem atenção, e o explorador não o abre.", file=sys.stderr)
            return 2
        pesos_do_gpt.fazer(nome)
    return 0


if __name__ == "__main__":
    from configuracao.terminal import rodar

    rodar(main)
