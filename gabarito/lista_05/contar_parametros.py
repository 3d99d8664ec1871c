"""A questão `contar_parametros` da lista 05."""

import numpy as np
import torch

from gabarito.base import caso, questao


def contar_parametros(d_model, h, vies=True):
    return 4 * d_model**2 + (4 * d_model if vies else 0)


_D_E_H = [(64, 4), (96, 6), (128, 8), (256, 4), (320, 5), (512, 8), (640, 10), (2048, 16)]


def ocultos(rng):
    i, j = rng.choice(len(_D_E_H), size=2, replace=False)
    return [
        caso(*_D_E_H[j], False),
        caso(4096, 32, False),
        caso(int(rng.integers(3, 30)), 1, False),
        caso(8 * int(rng.integers(2_500_000, 5_500_000)), 8, False),
        caso(*_D_E_H[i], parte="vieses"),
        caso(*_D_E_H[j], True, parte="vieses"),
        caso(5120, 40, parte="vieses"),
        caso(int(rng.integers(3, 30)) * 7, 7, parte="vieses"),
    ]


q = questao(
    "lista-05/contar_parametros",
    assinatura="contar_parametros(d_model, h, vies=True)",
    saida="int",
    referencia=contar_parametros,
    casos=[
        caso(6, 2, False, claro=True, rotulo="o exemplo do enunciado, sem viés"),
        caso(6, 2, rotulo="o exemplo do enunciado, com viés", parte="vieses"),
        caso(768, 12, True, rotulo="uma camada do BERT-base", parte="vieses"),
        caso(1024, 16, False, rotulo="uma camada do BERT-large, sem viés"),
        # uma do GPT-3 custaria 2,4 GB e 3 s a quem monta a camada, que tem de ouvir por quê, e não que demorou
        caso(1600, 25, rotulo="uma camada do GPT-2 XL", parte="vieses"),
        caso(10, 1, rotulo="uma cabeça só", parte="vieses"),
        # nem um byte por número cabe na memória de um computador: quem cria as matrizes sabe disso aqui, e não na nota
        caso(20_000_000, 100, False, rotulo="um tamanho que ainda não existe, d = 20 milhões"),
    ],
    ocultos=ocultos,
    rtol=0.0,  # com d acima de 10 mil, um décimo de milésimo é mais que os quatro vieses
    atol=1e-9,
    partes={"matrizes": 0.6, "vieses": 0.4},
)

q.equivocos_curtos("""
esquece-W_O: 3 * d_model**2 + (3 * d_model if vies else 0)
    Você contou três projeções. São quatro: além de W_Q, W_K e W_V, há a de saída, W_O.
vezes-h: h * (4 * d_model**2 + (4 * d_model if vies else 0))
    Sua conta dá a cada cabeça projeções do tamanho do modelo inteiro. Cada cabeça tem d/h colunas; as h juntas fazem
    uma matriz (d, d). Veja a Dica 1.
vezes-h-menos-W_O: h * 3 * d_model**2 + d_model**2 + (4 * d_model if vies else 0)
    A projeção de saída está certa, mas W_Q, W_K e W_V foram contadas h vezes inteiras. Cada cabeça tem só d/h colunas
    de cada uma.
esquece-as-h-cabecas: 3 * d_model * (d_model // h) + d_model**2 + (4 * d_model if vies else 0)
    W_O está certa, mas W_Q, W_K e W_V foram contadas para uma cabeça só, com d·(d/h) números cada. São h cabeças, e
    cada uma tem as suas três.
uma-cabeca-e-W_O: 3 * (d_model * (d_model // h) + vies * (d_model // h)) + d_model**2 + vies * d_model
    W_O está certa, mas W_Q, W_K e W_V foram contadas para uma cabeça só, com d·(d/h) números cada. São h cabeças, e
    cada uma tem as suas três.
W_O-de-uma-cabeca: 3 * d_model**2 + d_model * (d_model // h) + (4 * d_model if vies else 0)
    W_Q, W_K e W_V estão certas, mas W_O foi contada com d/h linhas. Ela recebe as h cabeças em fila: é (d, d).
um-vies-so: 4 * d_model**2 + (d_model if vies else 0)
    As matrizes estão certas, mas há um viés só. Cada uma das quatro projeções tem o seu, de tamanho d.
tres-vieses: 4 * d_model**2 + (3 * d_model if vies else 0)
    As matrizes estão certas, mas a projeção de saída ficou sem viés. Ela também tem o seu, de tamanho d.
vies-por-cabeca: 4 * d_model**2 + (4 * h * d_model if vies else 0)
    As matrizes estão certas, mas cada cabeça ganhou um viés do tamanho do modelo. As h cabeças juntas têm d componentes
    por projeção.
vies-de-uma-cabeca: 4 * d_model**2 + (4 * (d_model // h) if vies else 0)
    As matrizes estão certas, mas os vieses têm só d/h componentes. O viés de uma projeção tem uma componente para cada
    coluna dela, e são d.
vies-de-uma-cabeca-e-de-W_O: 4 * d_model**2 + (3 * (d_model // h) + d_model if vies else 0)
    As matrizes e o viés de W_O estão certos, mas os vieses de W_Q, W_K e W_V têm só d/h números, os de uma cabeça. As h
    cabeças juntas têm d em cada um.
sempre-com-vies: 4 * d_model**2 + 4 * d_model
    Você soma os vieses mesmo quando `vies` é False.
nunca-com-vies: 4 * d_model**2
    Os vieses não entraram na conta quando `vies` é True (o padrão). São quatro, de tamanho d.
vies-ao-contrario: 4 * d_model**2 + (0 if vies else 4 * d_model)
    Está trocado: você soma os vieses quando `vies` é False, e não soma quando é True.
o-bloco-inteiro: 12 * d_model**2 + (9 * d_model if vies else 0)
    Você contou também a camada feed-forward (mais 8d² e 5d). A pergunta é só sobre as quatro projeções da atenção.
sem-quadrado: 4 * d_model + (4 * d_model if vies else 0)
    Seu resultado cresce com d, e não com d²: parece que cada matriz entrou com d números. Uma matriz (d, d) tem d·d.
esquece-a-matriz-W_O: 3 * d_model**2 + (4 * d_model if vies else 0)
    Os vieses estão certos, mas só há três matrizes. São quatro: além de W_Q, W_K e W_V, há a de saída, W_O.
parenteses-do-if: 4 * d_model**2 + 4 * d_model if vies else 0
    Sem viés, sua função devolve 0: o `if … else 0` pegou a soma inteira. Ponha entre parênteses só a parte dos vieses.
uma-projecao-so: d_model**2 + (d_model if vies else 0)
    Você contou uma projeção só. São quatro: W_Q, W_K, W_V e W_O.
resultado-em-float: 4 * d_model**2 / h * h + (4 * d_model if vies else 0)
    O número está certo, mas é um float: há uma divisão com `/` na conta. Use `//`, ou simplifique antes: o h se
    cancela.
circunflexo: 4 * d_model ^ 2 + (4 * d_model if vies else 0)
    Em Python, `^` não é potência (é uma operação com bits). A potência é `**`.
cria-as-matrizes: sum((np.zeros((d_model, d_model)).size for _ in range(4))) + (4 * d_model if vies else 0)
    Você criou as matrizes para contar os números delas, e elas não cabem na memória. O tamanho de cada uma se sabe sem
    criá-la: é o produto das dimensões.
""")


@q.equivoco
def uma_cabeca_so(d_model, h, vies=True):
    """Você contou os parâmetros de uma cabeça, com d·(d/h) em cada projeção. São h cabeças, e o h se cancela. Veja a
    Dica 1."""
    d_h = d_model // h
    return 4 * d_model * d_h + (4 * d_h if vies else 0)


@q.alternativa
def cabeca_por_cabeca(d_model, h, vies=True):
    d_h = d_model // h
    total = 0
    for _ in range(h):
        total += 3 * (d_model * d_h + (d_h if vies else 0))  # W_Q, W_K e W_V desta cabeça
    return total + h * d_h * d_model + (d_model if vies else 0)  # e W_O


@q.alternativa
def modulo_do_torch_sem_memoria(d_model, h, vies=True):
    modulo = torch.nn.MultiheadAttention(d_model, h, bias=vies, device="meta")  # formas, sem números dentro
    return sum(p.numel() for p in modulo.parameters())


@q.alternativa
def inteiro_do_numpy(d_model, h, vies=True):
    d = np.int64(d_model)
    return 4 * d * d + (4 * d if vies else 0)


@q.alternativa
def soma_de_formas(d_model, h, vies=True):
    formas = [(d_model, d_model)] * 4 + [(d_model,)] * (4 if vies else 0)
    return sum(int(np.prod(forma, dtype=np.int64)) for forma in formas)


q.alternativas_curtas("""
fatorada: 4 * d_model * (d_model + int(vies))
""")
