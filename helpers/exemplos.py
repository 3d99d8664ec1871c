"""As frases que atravessam o curso: as da manga e a do rato, com os embeddings de duas dimensões delas.

Os pontos da manga são nossos, escolhidos à mão para caber em um plano; os do rato são os de uma das fontes do curso. As
aulas 01 a 05 só têm três tabelas de vetores: o plano da manga, o rato e o plano com três perguntas a mais.
"""

import numpy as np

_GRUPOS = {
    "fruta": {
        **{"comer": (0.66, 0.60), "suco": (0.90, 0.75), "fruta": (0.50, 0.95), "maçã": (0.78, 0.93)},
        **{"abacaxi": (0.66, 1.12), "pomar": (1.02, 0.52)},
    },
    "roupa": {
        **{"costureira": (-0.72, 0.62), "tecido": (-0.95, 0.77), "camisa": (-0.52, 0.95), "botão": (-0.82, 0.94)},
        **{"blusa": (-0.66, 1.12), "agulha": (-1.05, 0.50)},
    },
    "outras": {
        **{"trem": (-0.98, -0.42), "jornal": (-0.58, -0.35), "rádio": (-0.62, -0.70), "guerra": (-0.90, -0.95)},
        **{"vento": (-0.25, -0.90), "chuva": (0.30, -0.60), "ponte": (0.28, -1.02), "praça": (0.66, -0.76)},
        **{"circo": (0.90, -1.00), "lua": (0.98, -0.48), "barco": (0.55, -0.33)},
    },
    "curtas": {
        **{"Eu": (0.07, -0.13), "Ele": (-0.17, -0.14), "de": (0.08, 0.06), "para": (-0.25, 0.03)},
        **{"a": (-0.02, -0.03), "gosto": (0.20, 0.18), "pediu": (-0.28, 0.18)},
    },
    "ambiguas": {"manga": (0.0, 1.0), "cortar": (0.05, 0.68)},
}

GRUPOS = {grupo: list(palavras) for grupo, palavras in _GRUPOS.items()}  # de que assunto é cada palavra
TABELA = {p: np.array(xy) for palavras in _GRUPOS.values() for p, xy in palavras.items()}  # palavra → (2,)

FRUTA = ["Eu", "gosto", "de", "comer", "manga"]  # N = 5
ROUPA = ["Ele", "pediu", "para", "a", "costureira", "cortar", "a", "manga"]  # N = 8
X_FRUTA = np.array([[0.07, -0.13], [0.20, 0.18], [0.08, 0.06], [0.66, 0.60], [0.0, 1.0]])  # (5, 2): da tabela
X_ROUPA = np.array(
    [[-0.17, -0.14], [-0.28, 0.18], [-0.25, 0.03], [-0.02, -0.03], [-0.72, 0.62], [0.05, 0.68], [-0.02, -0.03], [0, 1]]
)  # (8, 2)

# A pergunta que fica aberta da aula 01 à 10: uma frase, dois sentidos, a mesma palavra duas vezes.
MAIS = {"vai": (0.12, -0.04), "da": (-0.10, 0.07), "comeu": (0.60, 0.66), "e": (0.04, -0.06), "sujou": (-0.12, 0.15)}
VOCABULARIO = TABELA | {p: np.array(xy) for p, xy in MAIS.items()}  # as 32 da aula 01 e as que só outras frases usam
DUAS_MANGAS = ["Ele", "comeu", "manga", "e", "sujou", "a", "manga", "da", "camisa"]  # N = 9
X_DUAS = np.array([VOCABULARIO[p] for p in DUAS_MANGAS])  # (9, 2); as linhas 2 e 6 são iguais

RATO = ["O", "rato", "roeu", "a", "roupa", "do", "rei", "de", "Roma."]  # N = 9; o ponto faz parte do último token
X_RATO = np.array(
    [[0.2, 0.0], [0.5, 0.3], [0.2, 0.3], [0.1, 0.1], [-0.3, 0.2], [0.2, 0.1], [0.8, 0.5], [0.1, 0.3], [0.9, 0.5]]
)  # (9, 2)

# A mesma tabela, com três perguntas de sim (1) ou não (0): a palavra é de um assunto só? é uma ação? é uma pessoa? A
# aula 04 usa a primeira, e a 05, as outras duas.
COLUNAS = ["direita", "alto", "assunto", "ação", "pessoa"]
_SIM = {
    "assunto": {p for grupo in ("fruta", "roupa", "outras") for p in GRUPOS[grupo]} | {"comeu"},
    "ação": {"comer", "comeu", "cortar", "sujou"},
    "pessoa": {"Eu", "Ele", "costureira"},
}
TABELA_5 = {p: np.array([*xy, *(float(p in _SIM[c]) for c in COLUNAS[2:])]) for p, xy in VOCABULARIO.items()}  # (5,)
TABELA_3 = {p: x[:3] for p, x in TABELA_5.items()}  # palavra → (3,): até o assunto
