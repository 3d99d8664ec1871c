"""O que as aulas 10 e 10b medem: as frases, os textos, as capitais e as trocas entre as frases de dois países."""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from helpers.llm import carregar
from helpers.llm_comum import Percurso

FRASES = (
    "The cat sat on the mat because it was tired.",
    "My sister likes music, but my brother hates music.",
    "When the fog came in, he rang the bell until the last boat was safe.",
    "In the spring she planted beans and corn behind the house.",
    "The train to the city leaves at seven and arrives before noon.",
    "Ele gostava muito de comer manga.",
    "O rato roeu a roupa do rei de Roma.",
    "A costureira vai cortar a manga da camisa.",
    "O velho farol ficava no fim do porto.",
    "Ela viu o gato e o gato viu a ave.",
)
HORTA = (
    "My grandmother kept a garden behind the house. In the spring she planted beans and corn, and in the fall we ate "
    "them together."
)
TEXTOS = (
    "The old bakery on the corner opens before sunrise. Every morning the baker lights the oven, weighs the flour and "
    "listens to the radio. By seven the first customers are waiting at the door.",
    "Water expands when it freezes, and this is why a full bottle breaks in a freezer. Most liquids shrink as they get "
    "colder. Ice is lighter than water, so lakes freeze from the top down, and the fish live below.",
    f"{HORTA} When she died, my mother sold the house, but she kept the seeds in a small box.",
)
# Seis frases de cada sentido, que terminam todas do mesmo jeito: só o que veio antes distingue uma da outra.
BANCO = (
    "He put all his money in the bank",
    "She got a loan from the bank",
    "The robbers ran out of the bank",
    "I opened an account at the bank",
    "She cashed the check at the bank",
    "He owes a lot of money to the bank",
)
MARGEM = (
    "He sat down to fish from the bank",
    "The boat drifted toward the bank",
    "They swam across to the bank",
    "The ducks slept on the bank",
    "We walked along the river to the bank",
    "The canoe was pulled up on the bank",
)
MANGA_FRUTA = (
    "Ele descascou a manga",
    "A menina comeu a manga",
    "Ela lavou e mordeu a manga",
    "O suco foi feito com a manga",
    "Do alto da árvore caiu a manga",
    "O macaco subiu e pegou a manga",
)
MANGA_ROUPA = (
    "A costureira cortou a manga",
    "O alfaiate costurou a manga",
    "Da camisa ele rasgou a manga",
    "Ela vestiu o casaco e puxou a manga",
    "No vestido falta só a manga",
    "Com o ferro ela passou a manga",
)
SENTIDOS = (("bank", BANCO), ("bank", MARGEM), ("manga", MANGA_FRUTA), ("manga", MANGA_ROUPA))
DOIS_BANCOS = "She took her money to the bank and then sat on the river bank"
CAPITAIS = {  # o primeiro token de cada uma; Brasília sai em dois
    **{"France": " Paris", "Germany": " Berlin", "Italy": " Rome", "Spain": " Madrid", "Japan": " Tokyo"},
    **{"Russia": " Moscow", "England": " London", "Portugal": " Lisbon", "Greece": " Athens", "Egypt": " Cairo"},
    **{"China": " Beijing", "Brazil": " Bras"},
}
CONTROLES = (  # yen sai em dois tokens
    ("The currency of Japan is the", " y", " dollar"),
    ("The language spoken in France is", " French", " English"),
    ("The Eiffel Tower is in", " Paris", " London"),
)
CAMADA, CABECA = 23, 4  # a que a atribuição direta ao logit apontou


class _Enxerto(Percurso):
    """Uma passagem em que a cabeça da aula entrega, no último token, os números que se dão a ela."""

    def __init__(self, numeros: Tensor):
        super().__init__()
        self.numeros = numeros  # (64,)

    def atender(self, camada: int, q: Tensor, k: Tensor, v: Tensor, mascara: Tensor) -> Tensor:
        saida = super().atender(camada, q, k, v, mascara)
        if camada == CAMADA:
            saida[CABECA, -1] = self.numeros
        return saida


def capital(pais: str) -> str:
    return f"The capital of {pais} is"


@torch.no_grad()
def trocar_paises(paises: Sequence[str]) -> list[list[tuple[str, float]]]:
    """O primeiro token que o modelo escreve, e a probabilidade dele: uma linha por frase, uma coluna por doadora.

    Na diagonal, a frase recebe os seus próprios números, e nada muda.
    """
    modelo = carregar()
    guardados = []
    for pais in paises:
        q, k, v, mascara = modelo.cabeca(capital(pais), CAMADA)
        guardados.append(F.scaled_dot_product_attention(q, k, v, ~mascara)[CABECA, -1])  # (64,)
    linhas = []
    for pais in paises:
        ids, linha = modelo.ids(capital(pais)), []
        for numeros in guardados:
            p = modelo.passar(ids, _Enxerto(numeros))[-1].softmax(dim=-1)  # (V,)
            linha.append((modelo.texto([int(p.argmax())]), p.max().item()))
        linhas.append(linha)
    return linhas
