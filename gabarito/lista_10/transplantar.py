"""A questão `transplantar` da lista 10."""

import numpy as np

from gabarito.base import caso, questao


def transplantar(modelo, frase, doador, cabecas):
    guardados = {}

    def colher(camada, saidas):
        for c, h in cabecas:
            if c == camada:
                guardados[c, h] = saidas[h, -1].clone()
        return saidas

    def enxertar(camada, novas):
        for c, h in cabecas:
            if camada == c:
                novas[h, -1] = guardados[c, h]
        return novas

    modelo.logits(doador, gancho=colher)
    return modelo.logits(frase, gancho=enxertar)[-1]


_VARIAS = "várias cabeças"
PAISES = [("Germany", "Japan"), ("Spain", "Greece"), ("China", "Russia")]  # os pares que a correção sorteia


def _caso(rng, camadas, h, d_h, T, T_doador, cabecas, **como):
    """Um modelo pequeno e duas frases, que são listas de tokens; a primeira parte é a de um par só."""
    medidas = [int(rng.integers(1, 2**20)), camadas, h, d_h, 11]  # a semente, os tamanhos e os tokens que há
    frase, outra = ([int(i) for i in rng.choice(11, size=n, replace=False)] for n in (T, T_doador))
    return caso(medidas, frase, outra, cabecas, parte=_VARIAS if len(cabecas) > 1 else None, **como)


def _sortear_cabecas(rng, camadas, h, k):
    """k pares (camada, cabeca) diferentes, e com a camada diferente da cabeça: quem as troca não acerta por sorte."""
    pares = [(c, i) for c in range(camadas) for i in range(h) if c != i]
    return [pares[i] for i in rng.choice(len(pares), size=k, replace=False)]


def _frase(pais):
    return f"The capital of {pais} is"


def ocultos(rng):
    um, outro = PAISES[rng.integers(len(PAISES))]
    return [
        _caso(rng, 3, 4, 3, 5, 5, _sortear_cabecas(rng, 2, 4, 1)),
        _caso(rng, 2, 3, 4, 4, 6, [(0, int(rng.integers(1, 3)))]),
        _caso(rng, 4, 2, 5, 6, 3, [(int(rng.integers(2, 4)), 0)]),
        _caso(rng, 3, 3, 4, 5, 5, [(0, 2), (0, 1), (2, 1)]),
        _caso(rng, 4, 3, 3, 4, 6, _sortear_cabecas(rng, 4, 3, 3)),
        caso("SmolLM2", _frase(um), _frase(outro), [(23, 4)], parte=_VARIAS),
    ]


def _visivel(semente, *tudo, rotulo):
    return _caso(np.random.default_rng(semente), *tudo, rotulo=rotulo)


q = questao(
    "lista-10/transplantar",
    assinatura="transplantar(modelo, frase, doador, cabecas)",
    saida="array",
    referencia=transplantar,
    casos=[
        caso([0, 1, 2, 1, 3], [0, 1], [0, 2], [(0, 1)], claro=True, rotulo="o exemplo do enunciado"),
        _visivel(91, 3, 4, 3, 5, 5, [(1, 3)], rotulo="três camadas de quatro cabeças"),
        _visivel(92, 2, 3, 4, 4, 6, [(0, 2)], rotulo="uma doadora mais comprida"),
        _visivel(93, 4, 2, 5, 6, 3, [(3, 0)], rotulo="uma doadora mais curta"),
        _visivel(94, 3, 4, 3, 5, 5, [(0, 3), (0, 1), (2, 1)], rotulo="três cabeças, duas na mesma camada"),
        _visivel(95, 4, 3, 3, 4, 6, [(3, 1), (1, 2)], rotulo="duas cabeças, de trás para a frente"),
        caso("SmolLM2", _frase("France"), _frase("Italy"), [(23, 4)], rotulo="dentro do SmolLM2", parte=_VARIAS),
    ],
    ocultos=ocultos,
    rtol=1e-3,
    atol=1e-4,
    adaptador="lista_10.transplantar",
    partes={"uma cabeça": 0.6, _VARIAS: 0.4},
)

q.equivocos_curtos("""
sem-enxerto: frase, gancho=enxertar → frase
    Os logits são os da frase intacta. O gancho que enxerta foi passado em `gancho=`, e os números vieram mesmo de
    `doador`?
os-logits-do-doador: modelo.logits(doador)[-1]
    Estes são os logits da frase doadora. Ela só empresta os números; quem escreve é `frase`.
frases-trocadas: modelo.logits(doador, gancho=colher) → modelo.logits(frase, gancho=colher)
        return modelo.logits(frase, gancho=enxertar) → return modelo.logits(doador, gancho=enxertar)
    As duas frases estão trocadas: você pôs os números de `frase` dentro de `doador`. É o contrário.
em-todas-as-posicoes: novas[h, -1] = → novas[h] =
    Você enxertou em todas as posições da cabeça. Só a última recebe os números, [h, -1].
so-na-primeira-posicao: novas[h, -1] = → novas[h, 0] =
    Você enxertou na primeira posição. O próximo token se prevê na última, [h, -1].
colhe-a-primeira-posicao: saidas[h, -1].clone() → saidas[h, 0].clone()
    Você colheu a primeira posição da frase doadora. Os números são os da última, [h, -1].
colhe-a-media-das-posicoes: saidas[h, -1].clone() → saidas[h].mean(dim=0)
    Você colheu a média das posições da frase doadora. Os números são os da última, [h, -1].
a-cabeca-inteira: saidas[h, -1].clone() → saidas[h].clone()
        novas[h, -1] = → novas[h] =
    Você transplantou a cabeça com todas as posições, e as frases nem sempre têm o mesmo comprimento. Só a última muda,
    [h, -1], na colheita e no enxerto.
a-camada-inteira: guardados[c, h] = saidas[h, -1] → guardados[c, h] = saidas[:, -1]
        novas[h, -1] = → novas[:, -1] =
    Você transplantou todas as cabeças da camada. Só as que estão em `cabecas` mudam.
em-todas-as-camadas: if camada == c → if True
    O enxerto foi feito em todas as camadas. O gancho é chamado em cada uma: enxerte só quando `camada` é a do par.
colhe-em-todas-as-camadas: if c == camada → if True
    Os números são os da última camada: o gancho é chamado em cada uma, e cada vez apaga a anterior. Colha só quando
    `camada` é a do par.
nas-duas-sem-olhar-a-camada: if c == camada → if True
        if camada == c → if True
    O seu gancho não olha em que camada está. Ele é chamado em cada uma: colha e enxerte só quando `camada` é a do par.
camada-seguinte: if camada == c → if camada == c + 1
    O enxerto ficou uma camada adiante. As camadas se contam a partir de 0, e o gancho recebe o número delas.
so-o-primeiro-par: guardados = {} → guardados = {}⏎cabecas = cabecas[:1]
    Só a primeira cabeça da lista foi transplantada. Percorra todos os pares.
so-o-ultimo-par: guardados = {} → guardados = {}⏎cabecas = cabecas[-1:]
    Só a última cabeça da lista foi transplantada. Percorra todos os pares.
um-vetor-para-todas: guardados[c, h] = saidas → guardados[0] = saidas
        = guardados[c, h] → = guardados[0]
    Todas as cabeças receberam os mesmos números, os da última que você colheu. Guarde um vetor para cada par.
um-vetor-por-camada: guardados[c, h] = saidas → guardados[c] = saidas
        = guardados[c, h] → = guardados[c]
    Duas cabeças da mesma camada receberam os mesmos números: a segunda apagou a primeira. Guarde um vetor para cada par
    (camada, cabeca).
um-vetor-por-cabeca: guardados[c, h] = saidas → guardados[h] = saidas
        = guardados[c, h] → = guardados[h]
    Duas cabeças de mesmo número, em camadas diferentes, receberam os mesmos números. Guarde um vetor para cada par
    (camada, cabeca).
soma-em-vez-de-trocar: novas[h, -1] = → novas[h, -1] +=
    Você somou os números da doadora aos que já estavam lá. No transplante, eles tomam o lugar.
desliga-em-vez-de-trocar: = guardados[c, h] → = 0.0
    Você pôs zero: isso é desligar. Aqui entram os números que a cabeça tinha na frase doadora.
todas-as-linhas: gancho=enxertar)[-1] → gancho=enxertar)
    Vieram os logits de todas as posições, (T, V). Devolva só os da última, (V,).
os-logits-da-primeira-posicao: gancho=enxertar)[-1] → gancho=enxertar)[0]
    Você devolveu os logits da primeira posição. O próximo token sai da última: a linha −1.
as-probabilidades: gancho=enxertar)[-1] → gancho=enxertar)[-1].softmax(dim=-1)
    Vieram as probabilidades. Devolva os logits, sem softmax.
so-o-token: gancho=enxertar)[-1] → gancho=enxertar)[-1].argmax()
    Veio um token só, o mais provável. Devolva os logits de todos, (V,).
a-diferenca: gancho=enxertar)[-1] → gancho=enxertar)[-1] - modelo.logits(frase)[-1]
    Você devolveu a diferença entre os logits com e sem o transplante. Devolva os logits com ele.
gancho-sem-return: return novas → novas.sum()
    O seu gancho não devolve nada. O que ele devolve segue no lugar da saída: termine-o com return.
""")


@q.equivoco
def gancho_com_os_argumentos_trocados(modelo, frase, doador, cabecas):
    """Os argumentos do seu gancho estão trocados: primeiro vem a camada, um número, e depois a saída das cabeças."""
    guardados = {}

    def colher(saidas, camada):
        for c, h in cabecas:
            if camada == c:
                guardados[c, h] = saidas[h, -1]
        return saidas

    return modelo.logits(doador, gancho=colher)[-1]


@q.equivoco
def cabeca_antes_da_camada(modelo, frase, doador, cabecas):
    """Camada e cabeça estão trocadas: cada par é (camada, cabeca), nesta ordem."""
    validos = [(c, h) for h, c in cabecas if c < modelo.camadas and h < modelo.cabecas]
    return transplantar(modelo, frase, doador, validos)


@q.alternativa
def um_gancho_que_faz_as_duas_coisas(modelo, frase, doador, cabecas):
    numeros, enxertando = {}, False

    def gancho(camada, saidas):
        for c, h in cabecas:
            if c == camada and enxertando:
                saidas[h, -1] = numeros[(c, h)]
            elif c == camada:
                numeros[(c, h)] = saidas[h, -1]
        return saidas

    modelo.logits(doador, gancho=gancho)
    enxertando = True
    return modelo.logits(frase, gancho=gancho)[-1]


@q.alternativa
def guarda_todas_as_camadas(modelo, frase, doador, cabecas):
    todas = []
    modelo.logits(doador, gancho=lambda camada, saidas: (todas.append(saidas), saidas)[1])

    def trocar(camada, saidas):
        novas = saidas.clone()
        for c, h in cabecas:
            if c == camada:
                novas[h, -1, :] = todas[c][h, -1, :]
        return novas

    return modelo.logits(frase, gancho=trocar)[len(modelo.ids(frase)) - 1]


@q.alternativa
def sem_gancho_na_doadora(modelo, frase, doador, cabecas):
    """Os pesos e os valores que `percorrer` guarda dão a mesma saída."""
    pesos, entregues = modelo.atencoes(doador), modelo.percorrer(doador).entregues

    def gancho(camada, saidas):
        for c, h in cabecas:
            if c == camada:
                saidas[h, -1] = pesos[c, h, -1] @ entregues[c][2][h]
        return saidas

    return modelo.logits(frase, gancho=gancho)[-1]


@q.alternativa
def com_numpy(modelo, frase, doador, cabecas):
    numeros = {}

    def colher(camada, saidas):
        numeros[camada] = saidas.numpy()[:, -1].copy()
        return saidas

    def enxertar(camada, saidas):
        saidas = saidas.numpy()
        for c, h in cabecas:
            if c == camada:
                saidas[h, -1] = numeros[c][h]
        return saidas

    modelo.logits(doador, gancho=colher)
    return modelo.logits(frase, gancho=enxertar).numpy()[-1]


@q.alternativa
def com_uma_classe(modelo, frase, doador, cabecas):
    class Gancho:
        def __init__(self, novos=None):
            self.novos, self.vistos = novos, {}

        def __call__(self, camada, saidas):
            for c, h in (par for par in cabecas if par[0] == camada):
                self.vistos[c, h] = saidas[h, -1].clone()
                if self.novos:
                    saidas[h, -1] = self.novos[c, h]
            return saidas

    modelo.percorrer(doador, gancho=(colhe := Gancho()))
    return modelo.logits(frase, gancho=Gancho(colhe.vistos))[-1].double()
