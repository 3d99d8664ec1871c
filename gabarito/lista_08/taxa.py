"""A questão `taxa` da lista 08."""

import math

import numpy as np  # noqa: F401 (usado nas tabelas)
import torch

from gabarito.base import caso, questao


def taxa(passo, passos, maxima, aquecimento):
    if passo <= aquecimento:
        return maxima * passo / aquecimento
    feito = (passo - aquecimento) / (passos - aquecimento)  # 0 no fim da subida, 1 no último passo
    return maxima * (0.1 + 0.9 * (1 + math.cos(math.pi * feito)) / 2)


def ocultos(rng):
    """Um passo do começo da subida, o último dela, o primeiro e outro da descida, o último de todos, e sem subida."""
    aquecimento, maxima = int(rng.integers(12, 40)), float(rng.uniform(0.001, 0.02))
    passos = aquecimento + int(rng.integers(60, 200))
    meio = aquecimento + int((passos - aquecimento) * rng.uniform(0.2, 0.35))
    quais = [int(rng.integers(2, aquecimento // 3 + 1)), aquecimento, aquecimento + 1, meio, passos]
    return [
        *(caso(p, passos, maxima, aquecimento) for p in quais),
        caso(int(passos * rng.uniform(0.6, 0.8)), passos, maxima, 0),
    ]


q = questao(
    "lista-08/taxa",
    assinatura="taxa(passo, passos, maxima, aquecimento)",
    saida="float",
    referencia=taxa,
    casos=[
        caso(6, 10, 1.0, 2, claro=True, rotulo="o exemplo do enunciado, no passo 6"),
        caso(1, 10, 1.0, 2, rotulo="o exemplo do enunciado, no passo 1"),
        caso(2, 10, 1.0, 2, rotulo="o exemplo do enunciado, no passo 2"),
        caso(10, 10, 1.0, 2, rotulo="o exemplo do enunciado, no passo 10"),
        caso(15, 600, 0.004, 60, rotulo="600 passos, 60 de subida, no passo 15"),
        caso(61, 600, 0.004, 60, rotulo="600 passos, 60 de subida, no passo 61"),
        caso(200, 600, 0.004, 60, rotulo="600 passos, 60 de subida, no passo 200"),
        caso(3, 8, 0.5, 0, rotulo="sem subida"),
    ],
    ocultos=ocultos,
    atol=1e-9,
)

q.equivocos_curtos("""
conta-do-zero: maxima * passo / aquecimento → maxima * (passo + 1) / aquecimento
        (passo - aquecimento) / → (passo + 1 - aquecimento) /
    Você contou os passos a partir do 0. Aqui o primeiro é o 1, e o passo `aquecimento` é o que chega à taxa máxima.
comeca-em-zero: maxima * passo / aquecimento → maxima * (passo - 1) / aquecimento
    Na subida, sua taxa está um passo atrasada: no passo 1 ela dá 0, e esse passo se perde. No passo 1 a taxa
    é maxima/aquecimento.
sem-subida: passo <= aquecimento → False
    Falta a subida: até o passo `aquecimento`, a taxa é maxima·passo/aquecimento.
subida-constante: return maxima * passo / aquecimento → return maxima
    Até o passo `aquecimento` sua taxa já é a máxima. Ela deve subir em linha reta, um pouco a cada passo.
sem-descida: return maxima * (0.1 + 0.9 * (1 + math.cos(math.pi * feito)) / 2) → return maxima
    Depois da subida sua taxa não desce. Falta o meio cosseno, que vai da máxima até um décimo dela.
desce-em-linha-reta: (1 + math.cos(math.pi * feito)) / 2 → (1 - feito)
    Sua descida é uma linha reta. O enunciado pede meio cosseno: devagar no começo, depressa no meio, devagar no fim.
desce-ate-zero: 0.1 + 0.9 * (1 + math.cos(math.pi * feito)) / 2 → (1 + math.cos(math.pi * feito)) / 2
    Sua taxa desce até 0, e o último passo não muda nada. A do último passo é um décimo da máxima.
descida-desde-o-comeco: (passo - aquecimento) / (passos - aquecimento) → passo / passos
    Sua descida conta os passos desde o começo do treino. Quando ela começa, a fração feita é 0: tire os passos da
    subida, no numerador e no denominador.
denominador-com-a-subida: / (passos - aquecimento) → / passos
    Sua descida divide por todos os passos, com os da subida, e assim não chega ao fim. Ela tem passos − aquecimento
    passos.
cosseno-em-graus: math.cos(math.pi * feito) → math.cos(180 * feito)
    O cosseno do Python quer radianos, e o seu recebeu graus. Meia volta é π, e não 180.
sem-o-pi: math.cos(math.pi * feito) → math.cos(feito)
    Falta o π dentro do cosseno: assim o ângulo só vai de 0 a 1, e a taxa para longe de um décimo da máxima. Meia volta
    vai de 0 a π.
piso-pelo-maximo: 0.1 + 0.9 * (1 + math.cos(math.pi * feito)) / 2 → max(0.1, (1 + math.cos(math.pi * feito)) / 2)
    Sua taxa desce rumo a 0 e é segurada em um décimo da máxima. No enunciado o cosseno inteiro vai da máxima até esse
    décimo: a fração é 0,1 mais 0,9 do meio cosseno.
um-passo-atras: maxima * passo / aquecimento → maxima * (passo - 1) / aquecimento
        (passo - aquecimento) / → (passo - 1 - aquecimento) /
    Sua taxa está um passo atrasada, na subida e na descida: você tirou 1 do passo. Ele já vem contado de 1.
volta-inteira: math.pi * feito → 2 * math.pi * feito
    Sua taxa desce e volta a subir: foi uma volta inteira do cosseno (2π). Meia volta basta, de 0 a π.
meio-de-menos: (1 + math.cos(math.pi * feito)) / 2 → (1 + math.cos(math.pi * feito))
    Logo depois da subida sua taxa passa da máxima. 1 + cos vai de 2 a 0: falta dividir por 2.
decimo-somado: 0.1 + 0.9 * (1 + math.cos(math.pi * feito)) / 2 → 0.1 + (1 + math.cos(math.pi * feito)) / 2
    Logo depois da subida sua taxa passa da máxima: o décimo foi somado a uma descida inteira. O cosseno só cuida dos
    outros nove décimos.
seno: math.cos(math.pi * feito) → math.sin(math.pi * feito)
    Você usou o seno. O cosseno é o que vai de 1 a −1 em meia volta.
divide-pela-subida-zero: passo <= aquecimento → passo / aquecimento <= 1
    Quando `aquecimento` é 0 não há subida, e sua conta divide por ele. Compare os passos antes de dividir.
maxima-so-no-decimo: maxima * (0.1 + 0.9 * → (maxima * 0.1 + 0.9 *
    Na descida, só o 0,1 foi multiplicado pela máxima. Ponha a soma inteira entre parênteses.
sem-a-maxima: return maxima * (0.1 → return (0.1
    Na descida, sua taxa não depende da máxima. O meio cosseno dá a fração: falta multiplicar por `maxima`.
divisao-inteira: maxima * passo / aquecimento → maxima * (passo // aquecimento)
    Na subida você usou `//`, que joga fora a parte decimal: antes do fim da subida, dá 0. Use `/`.
subida-e-descida-juntas:
        if passo <= aquecimento: → sobe = min(1, passo / max(aquecimento, 1))⏎if False:
        return maxima * (0.1 → return sobe * maxima * (0.1
    Durante a subida, sua taxa já está descendo: você multiplicou as duas. É uma ou outra, conforme o passo.
""")

q.equivocos_curtos("""
mais-um-em-cima-e-embaixo: maxima * passo / aquecimento → maxima * (passo + 1) / (aquecimento + 1)
    Sua subida soma 1 ao passo e ao aquecimento, como fazem receitas que contam do 0. Aqui o primeiro passo é o 1, e a
    subida é maxima·passo/aquecimento.
sobe-do-decimo: maxima * passo / aquecimento → maxima * (0.1 + 0.9 * passo / aquecimento)
    Sua subida parte de um décimo da máxima. O décimo é só do fim da descida: a subida parte do 0, em linha reta.
sobe-em-cosseno: maxima * passo / aquecimento → maxima * (1 - math.cos(math.pi * passo / aquecimento)) / 2
    Sua subida também é em cosseno. O enunciado pede que ela seja em linha reta, e só a descida, em meio cosseno.
linha-reta-ate-zero: return maxima * (0.1 + 0.9 * (1 + math.cos(math.pi * feito)) / 2) → return maxima * (1 - feito)
    Sua descida é uma linha reta até 0. O enunciado pede meio cosseno, até um décimo da máxima.
raiz-inversa:
        (0.1 + 0.9 * (1 + math.cos(math.pi * feito)) / 2) → (max(aquecimento, 1) / passo) ** 0.5
    Sua descida é a do artigo do Transformer, com a raiz do passo. O enunciado pede meio cosseno, até um décimo da
    máxima.
a-do-artigo: maxima * min(passo**-0.5, passo * max(aquecimento, 1) ** -1.5)
    Esta é a taxa do artigo do Transformer, com a raiz do passo. O enunciado pede uma subida até a `maxima`, em linha
    reta, e depois meio cosseno, até um décimo dela.
exponencial: return maxima * (0.1 + 0.9 * (1 + math.cos(math.pi * feito)) / 2) → return maxima * 0.1**feito
    Sua descida é exponencial: chega ao décimo certo, por outro caminho. O enunciado pede meio cosseno.
cosseno-ao-contrario: 0.1 + 0.9 * (1 + math.cos → 0.1 + 0.9 * (1 - math.cos
    Depois da subida, sua taxa começa em um décimo da máxima e sobe de novo: o sinal do cosseno está trocado.
sem-o-um: (1 + math.cos(math.pi * feito)) / 2 → math.cos(math.pi * feito) / 2
    Falta o 1 somado ao cosseno: ele vai de 1 a −1, e 1 + cos, de 2 a 0. Sem ele, a taxa acaba negativa.
""")

q.alternativas_curtas("""
com-numpy: np.where(passo <= aquecimento, maxima * passo / max(aquecimento, 1), maxima * (0.55 + 0.45 * np.cos(np.pi *
        (passo - aquecimento) / (passos - aquecimento)))).item()
cosseno-ao-quadrado: maxima * passo / aquecimento if passo <= aquecimento else maxima * (0.1 + 0.9 * math.cos(math.pi /
        2 * (passo - aquecimento) / (passos - aquecimento)) ** 2)
minimo-de-duas: maxima * min(passo / aquecimento if aquecimento else 1.0, 0.55 + 0.45 * math.cos(math.pi * max(0, passo
        - aquecimento) / (passos - aquecimento)))
pelo-numpy-interp: float(np.interp(passo, [0, aquecimento], [0, maxima]) if 0 < passo <= aquecimento else maxima / 10 +
        (maxima - maxima / 10) * 0.5 * (1 + np.cos((passo - aquecimento) * np.pi / (passos - aquecimento))))
""")


@q.alternativa
def com_torch(passo, passos, maxima, aquecimento):
    minima = maxima / 10
    if aquecimento > 0 and passo <= aquecimento:
        return passo * (maxima / aquecimento)
    angulo = torch.tensor(torch.pi * (passo - aquecimento) / (passos - aquecimento), dtype=torch.float64)
    return (minima + (maxima - minima) * (1 + torch.cos(angulo)) / 2).item()
