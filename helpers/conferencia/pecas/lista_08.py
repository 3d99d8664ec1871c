"""As peças da lista 08: o que as respostas fazem, visto de fora e contado só com dados.

Um tokenizador, um modelo, um lote sorteado e um treino não são dados. Cada adaptador põe a resposta para trabalhar e
devolve o que viu: um texto que diz se o combinado foi cumprido, e números. Onde há sorteio, qualquer jeito certo de
sortear dá os mesmos fatos.

Onde há sorteio ou treino, o adaptador só junta os números brutos (a testemunha), e quem tira deles o texto é uma função
`ver_…`, que não chama a resposta. A mesma função roda no kernel, para o diagnóstico, e na correção, para o veredito.
"""

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from helpers.conferencia.pecas import ComTestemunha, semente_alta
from helpers.conferencia.pecas.modulos import (
    aceita_um_argumento,
    aquecer_o_torch,
    gpt_em_uso,
    gradiente_da_perda_chega,
    outros_tamanhos,
    parametros,
    serve_de_novo,
)

PAD = 0


def _com_semente(semente: int) -> torch.Generator:
    return torch.Generator().manual_seed(semente)


def _semente_global(semente: int) -> None:
    torch.default_generator.manual_seed(semente)  # o mesmo que torch.manual_seed na CPU, e mais rápido


def _nome_do_tipo(valor: Any) -> str:
    return "None" if valor is None else f"um valor do tipo {type(valor).__name__}"


def _em_algarismos(tokens: Tensor) -> str:
    """Os tokens em fila: nos casos em que há sorteio, todos vão de 0 a 9, e a evidência fica pequena."""
    return "".join(map(str, tokens.flatten().tolist()))


# ------------------------------------------------------------------------------------------ Tokenizador


def _lista_de_inteiros(valor: Any) -> bool:
    return isinstance(valor, list) and all(isinstance(i, int | np.integer) and not isinstance(i, bool) for i in valor)


def _numeros(objeto: Any, texto: str) -> list[int] | None:
    """Os identificadores dos caracteres do texto, na ordem do sorted; None se o objeto não os dá como deve."""
    try:
        codigos = objeto.codificar("".join(sorted(set(texto))))
    except Exception:  # quem codifica a frase do caso fala do erro
        return None
    return codigos if _lista_de_inteiros(codigos) else None


def _defeito_do_vocabulario(objeto: Any, texto: str, resposta: Callable) -> str | None:
    """O que há de errado nos números, sejam eles quais forem: sem sorted, mudam a cada vez que o Python abre."""
    numeros = _numeros(objeto, texto)
    resposta("zyx\tZYX~")  # outro, construído depois: cada objeto tem o seu próprio vocabulário
    if numeros != _numeros(objeto, texto) or numeros != _numeros(resposta(texto), texto):
        return "um tokenizador que muda quando se constrói outro"
    if not numeros:
        return None
    if 0 in numeros:
        return "um tokenizador em que um caractere tem o id 0"
    if sorted(numeros) != list(range(min(numeros), min(numeros) + len(numeros))):
        return None
    if max(numeros) >= objeto.V:
        return "um tokenizador em que V não passa do maior id"
    return None if numeros == sorted(numeros) else "um tokenizador que não numera os caracteres na ordem do sorted"


def tokenizador(resposta: Callable) -> Callable:
    """A classe vira uma função: constrói com o texto, codifica a frase, decodifica os ids, e conta o que saiu."""

    def f(texto: str, frase: str, ids: list) -> tuple:
        objeto = resposta(texto)
        V = getattr(objeto, "V", None)
        if isinstance(V, bool) or not isinstance(V, int | np.integer):
            return f"um atributo V que é {_nome_do_tipo(V)}, e não um int", 0, np.zeros(len(frase)), ""
        if defeito := _defeito_do_vocabulario(objeto, texto, resposta):
            return defeito, 0, np.zeros(len(frase)), ""
        codigos = objeto.codificar(frase)
        if not _lista_de_inteiros(codigos):
            que = "uma lista que não é de int" if isinstance(codigos, list) else _nome_do_tipo(codigos)
            return f"um codificar que devolve {que}", int(V), np.zeros(len(frase)), ""
        dados = list(ids)
        volta = objeto.decodificar(dados)
        if dados != ids:
            return "um decodificar que muda a lista que recebeu", int(V), np.array(codigos, dtype=int), ""
        if not isinstance(volta, str):
            return f"um decodificar que devolve {_nome_do_tipo(volta)}", int(V), np.array(codigos, dtype=int), ""
        return "um tokenizador", int(V), np.array(codigos, dtype=int), volta

    return f


# ------------------------------------------------------------------------------------------------ lotes

LOTES_CERTOS = "lotes de trechos sorteados"
VEZES, OUTRAS = 60, 10  # lotes sorteados em cada caso: com um gerador, e com outro, igual ou diferente


def _defeito_do_lote(par: Any, bloco: int, lote: int) -> str | None:
    """O que há de errado na forma de (x, y), em uma expressão; None quando não há nada."""
    if not isinstance(par, tuple | list) or len(par) != 2:
        return f"{_nome_do_tipo(par)}, e não um par (x, y)"
    for nome, t in zip("xy", par, strict=True):
        if not isinstance(t, Tensor):
            return f"um {nome} que é {_nome_do_tipo(t)}, e não um tensor"
        if tuple(t.shape) != (lote, bloco):
            return f"um {nome} de forma {tuple(t.shape)}, e não ({lote}, {bloco})"
        if t.dtype != torch.int64:
            return f"um {nome} do tipo {str(t.dtype).removeprefix('torch.')}, e não int64"
    return None


def maior_desvio(sorteios: int, m: int) -> float:
    """Quanto a contagem de um dos m resultados, igualmente prováveis, pode fugir da média sem que se desconfie.

    Sete desvios, e mais 10 porque a binomial tem a cauda de cima mais gorda que a normal. As chances exatas de que um
    sorteio honesto passe disto estão em tests/gabarito/test_acaso.py.
    """
    return 7 * math.sqrt(sorteios / m * (1 - 1 / m)) + 10


def _defeito_dos_comecos(comecos: Tensor, m: int) -> str | None:
    """comecos (VEZES, lote): de onde saiu cada linha."""
    vistos = torch.bincount(comecos.flatten(), minlength=m)  # (m,)
    if m == 1:
        return None
    if comecos.shape[1] > 1 and (comecos == comecos[:, :1]).all():
        return "um lote cujas linhas começam todas no mesmo lugar"
    if comecos.shape[1] > 1 and ((comecos[:, 1:] - comecos[:, :-1]) % m == 1).all():
        return "um lote cujas linhas são vizinhas, com um sorteio só"
    faltam = (vistos == 0).nonzero().flatten().tolist()
    if faltam == [m - 1]:
        return "lotes em que o último começo possível nunca aparece"
    if faltam == [0]:
        return "lotes em que o primeiro começo, o 0, nunca aparece"
    if faltam:
        return "lotes em que alguns começos possíveis nunca aparecem"
    if (vistos - comecos.numel() / m).abs().max() > maior_desvio(comecos.numel(), m):
        return "lotes em que uns começos saem mais que outros (clamp, % ou round no sorteio?)"
    if comecos.shape[1] > 1 and (comecos.sort(dim=1).values.diff(dim=1) != 0).all():
        return "lotes em que um começo nunca se repete"
    return None


def _defeito_do_x(x: Tensor, dados: Tensor) -> str | None:
    """As linhas de x são trechos seguidos de dados?"""
    bloco = x.shape[-1]
    circular = torch.cat([dados, dados[: bloco - 1]]).unfold(0, bloco, 1)  # (len(dados), bloco)
    achou = (x[:, :, None] == circular).all(-1)  # (VEZES, lote, len(dados))
    if not achou.any(-1).all():
        return "um x com linhas que não são trechos de dados"
    if (achou.int().argmax(-1) > len(dados) - bloco).any():
        return "um x que passa do fim do texto e volta ao começo"
    return None


def ver_lotes(x: Tensor, y: Tensor, iguais: Tensor, outros: Tensor, dados: Tensor) -> tuple[str, Tensor]:
    """De onde saíram as linhas de x e y (VEZES, lote, bloco), e as janelas vistas, pelo começo.

    `iguais` e `outros` (OUTRAS, lote, bloco) são os x de outro gerador: de mesma semente, e de outra.
    """
    bloco, m = x.shape[-1], len(dados) - x.shape[-1]  # m: quantos começos são possíveis
    nada = torch.zeros((m, 2, bloco), dtype=torch.int64)
    defeito = _defeito_do_x(x, dados)
    if defeito:
        return defeito, nada
    janelas = dados.unfold(0, bloco, 1)  # (m + 1, bloco): todas diferentes, pelos dados dos casos
    comecos = (x[:, :, None] == janelas).all(-1).int().argmax(-1)  # (VEZES, lote)
    if (comecos == m).any():
        return "um x que começa onde y já não cabe", nada
    vistas = torch.full((m, 2, bloco), -1)
    vistas[comecos.flatten(), 0], vistas[comecos.flatten(), 1] = x.flatten(0, 1), y.flatten(0, 1)
    if not (y == janelas[comecos + 1]).all():
        de_y = (y[:, :, None] == janelas).all(-1)  # (VEZES, lote, m + 1)
        if de_y.any(-1).all() and len((de_y.int().argmax(-1) - comecos).unique()) > 1:
            return "um y que vem de outro começo que o de x", nada
        return "um y que não é x um passo à frente", vistas
    if not torch.equal(x[: len(iguais)], iguais):
        return "lotes diferentes para geradores iguais", vistas
    if m > 1 and (comecos == comecos[0, 0]).all():
        return "lotes em que só um começo aparece", nada
    if m > 1 and (comecos == comecos[:1]).all():
        return "sempre o mesmo lote, embora o gerador avance", nada
    if m > 1 and torch.equal(x[: len(outros)], outros):
        return "os mesmos lotes para geradores de sementes diferentes", nada
    return _defeito_dos_comecos(comecos, m) or LOTES_CERTOS, vistas


def lotes(resposta: Callable) -> Callable:
    """Sorteia muitos lotes, que `ver_lotes` examina."""

    def f(este: ComTestemunha, dados: Tensor, bloco: int, lote: int, rng: np.random.Generator) -> tuple:
        semente = semente_alta(rng)  # a do gerador do torch que a resposta vai receber
        with torch.random.fork_rng(devices=[]):

            def sortear(semente: int, vezes: int) -> list:
                gerador = _com_semente(semente)
                return [resposta(dados, bloco, lote, gerador) for _ in range(vezes)]

            pares = sortear(semente, VEZES)
            _semente_global(semente + 2)  # o sorteio vem do gerador, e não da semente global
            iguais, outros = sortear(semente, OUTRAS), sortear(semente + 4, OUTRAS)
        defeitos = (_defeito_do_lote(par, bloco, lote) for par in [*pares, *iguais, *outros])
        defeito = next(filter(None, defeitos), None)
        if defeito or len(dados) <= bloco:
            nada = np.zeros((max(len(dados) - bloco, 1), 2, bloco), dtype=int)
            return defeito or "um lote, embora o texto seja curto demais", nada
        x, y, x_iguais, x_outros = (
            torch.stack([par[i] for par in sorteados])  # (vezes, lote, bloco)
            for sorteados, i in ((pares, 0), (pares, 1), (iguais, 0), (outros, 0))
        )
        este.testemunha = tuple(_em_algarismos(t) for t in (x, y, x_iguais, x_outros))
        return ver_lotes(x, y, x_iguais, x_outros, dados)

    return ComTestemunha(f)


# -------------------------------------------------------------------------------------------------- GPT

TETO = 1.5  # quanto a perda inicial pode passar de ln V


def formas(V: int, bloco: int, d: int, camadas: int) -> dict[str, tuple[int, ...]]:
    """O nome e a forma de cada parâmetro do GPT da lista."""
    de_um_bloco = {
        **{"norma1.weight": (d,), "norma1.bias": (d,)},
        **{"qkv.weight": (3 * d, d), "saida.weight": (d, d)},
        **{"norma2.weight": (d,), "norma2.bias": (d,)},
        **{"expande.weight": (4 * d, d), "expande.bias": (4 * d,), "reduz.weight": (d, 4 * d), "reduz.bias": (d,)},
    }
    todas: dict[str, tuple[int, ...]] = {"tokens.weight": (V, d), "posicoes.weight": (bloco, d)}
    todas |= {f"blocos.{i}.{nome}": forma for i in range(camadas) for nome, forma in de_um_bloco.items()}
    return todas | {"norma.weight": (d,), "norma.bias": (d,)}


def pesos(V: int, bloco: int, d: int, camadas: int, semente: int) -> dict[str, Tensor]:
    """Pesos sorteados, de tamanho comum, com normas e vieses que não são os de partida; todos zero com semente −1."""
    if semente < 0:
        return {nome: torch.zeros(forma) for nome, forma in formas(V, bloco, d, camadas).items()}
    g = _com_semente(semente)
    sorteados = {}
    for nome, forma in formas(V, bloco, d, camadas).items():
        t = torch.randn(forma, generator=g)
        if len(forma) == 1:
            sorteados[nome] = (1.0 if nome.endswith("weight") else 0.0) + 0.3 * t
        else:
            sorteados[nome] = t * (0.7 if forma[0] in (V, bloco) and "blocos" not in nome else d**-0.5)
    return sorteados


def _defeito_dos_nomes(modelo: nn.Module, esperados: dict[str, tuple[int, ...]]) -> str | None:
    achados = parametros(modelo)
    faltam = [nome for nome in esperados if nome not in achados]
    if faltam:
        return f"um modelo em que falta o parâmetro {faltam[0]}"
    donos: dict[int, str] = {}
    for nome in esperados:
        if id(achados[nome]) in donos:
            return f"um modelo em que {donos[id(achados[nome])]} e {nome} são o mesmo"
        donos[id(achados[nome])] = nome
    # o peso da saída pode ter um segundo nome, se for o mesmo parâmetro do embedding
    sobram = [nome for nome, p in achados.items() if nome not in esperados and id(p) not in donos]
    if sobram:
        if tuple(achados[sobram[0]].shape) == esperados["tokens.weight"]:
            return f"um modelo em que a saída tem um peso só dela, {sobram[0]}: use o dos tokens, self.tokens.weight"
        return f"um modelo com um parâmetro a mais, {sobram[0]}"
    for nome, forma in esperados.items():
        if tuple(achados[nome].shape) != forma:
            return f"um modelo em que {nome} tem a forma {tuple(achados[nome].shape)}"
    return None


NOVO = {"V": 40, "bloco": 8, "d": 8, "camadas": 1}  # o modelo recém-construído cuja perda se mede, com 2 cabeças


def defeito_do_comeco(modelo: nn.Module, semente: int, teto: float = TETO) -> str | None:
    """A perda de um modelo recém-construído, com alvos que nada têm a ver com a entrada; e se ele pode aprender."""
    g = _com_semente(semente)
    ids, alvos = torch.randint(1, NOVO["V"], (2, 48, NOVO["bloco"]), generator=g)
    perda = modelo.eval()(ids, alvos)[1]
    if not abs(float(perda.detach()) - math.log(NOVO["V"])) < teto:  # alta ou baixa demais, ou NaN
        return "um GPT cuja perda inicial é muito maior que ln V"
    gradientes = torch.autograd.grad(perda, list(modelo.parameters()), allow_unused=True)
    if all(t is None or not t.any() for t in gradientes):
        return "um GPT que nasce parado: o gradiente é zero em todos os parâmetros"
    tokens = parametros(modelo)["tokens.weight"].detach()
    return "um GPT em que os tokens nascem todos iguais" if torch.equal(tokens, tokens[:1].expand_as(tokens)) else None


def _defeito_do_uso(modelo: Any, novo: Any, ids: Tensor, alvos: Tensor) -> str | None:
    """O que só se vê usando o modelo outra vez: com outro tamanho de texto, e medindo as derivadas."""
    with torch.no_grad():
        if not serve_de_novo(lambda z: modelo(z)[0], lambda z: novo(z)[0], outros_tamanhos(ids, modelo.bloco)):
            return "um modelo que já não serve quando T muda de uma chamada para outra"
    if not gradiente_da_perda_chega(modelo, ids, alvos):
        return "um modelo em que o gradiente da perda não chega inteiro a todos os parâmetros"
    return None


def _por_pesos(modelo: nn.Module, dados: dict[str, Tensor]) -> nn.Module:
    com_nome = parametros(modelo)
    with torch.no_grad():
        for nome, peso in dados.items():
            com_nome[nome].copy_(peso)
    return modelo.eval()


def _defeito_do_modelo(modelo: Any, bloco: int, esperados: dict[str, tuple[int, ...]]) -> str | None:
    """O que há de errado antes de qualquer conta: o tipo, os nomes, o atributo, os argumentos do forward."""
    if not isinstance(modelo, nn.Module):
        return f"{_nome_do_tipo(modelo)}, que não é um nn.Module"
    defeito = _defeito_dos_nomes(modelo, esperados)
    if defeito:
        return defeito
    if not hasattr(modelo, "bloco"):
        return "um modelo sem o atributo bloco, o tamanho do contexto"
    if modelo.bloco != bloco:
        return "um modelo em que o atributo bloco não é o tamanho do contexto"
    return None if aceita_um_argumento(modelo.forward) else "um modelo que não pode ser chamado só com ids"


def _defeito_da_saida(saida: Any, alvos: Tensor | None, forma: tuple[int, ...]) -> str | None:
    if not isinstance(saida, tuple) or len(saida) != 2:
        return f"{_nome_do_tipo(saida)}, e não um par (logits, perda)"
    logits, perda = saida
    if not isinstance(logits, Tensor):
        return f"logits que são {_nome_do_tipo(logits)}"
    if not logits.is_floating_point():
        return (
            f"logits do tipo {str(logits.dtype).removeprefix('torch.')}, e não números com vírgula (um argmax a mais?)"
        )
    if tuple(logits.shape) != forma:
        return f"logits de forma {tuple(logits.shape)}, e não {forma}"
    if alvos is None:
        return None if perda is None else "uma perda que não é None, embora não haja alvos"
    if not isinstance(perda, Tensor):
        return f"uma perda que é {_nome_do_tipo(perda)}, e não um tensor"
    if perda.dim() != 0:
        return f"uma perda de forma {tuple(perda.shape)}, e não um número só"
    return None if perda.requires_grad else "uma perda sem gradiente, com a qual não se treina"


def _recusa(modelo: nn.Module, ids: Tensor) -> bool:
    try:
        modelo(ids)
    except ValueError:  # o que o enunciado pede, mas só para um texto maior que o contexto
        return True
    except Exception:  # de outro erro fala quem compara os números
        return False
    return False


def gpt(resposta: Callable) -> Callable:
    """Constrói o modelo, copia pesos dados para dentro dele, chama-o em modo de avaliação e mede a perda inicial."""

    def f(
        este: ComTestemunha,
        V: int,
        bloco: int,
        d: int,
        camadas: int,
        cabecas: int,
        semente: int,
        ids: Tensor,
        alvos: Any,
        novo: bool,
    ) -> tuple:
        esperados = formas(V, bloco, d, camadas)
        nada = (np.zeros((*ids.shape, V)), 0.0, np.zeros(len(outros_tamanhos(ids, bloco))), np.zeros(len(esperados)))
        with torch.random.fork_rng(devices=[]), torch.enable_grad():
            _semente_global(abs(semente))
            modelo = resposta(V, bloco, d, camadas, cabecas)
            defeito = _defeito_do_modelo(modelo, bloco, esperados)
            if defeito:
                return defeito, *nada
            dados = pesos(V, bloco, d, camadas, semente)
            entradas = [t.clone() for t in (ids, alvos) if t is not None]
            saida = _por_pesos(modelo, dados)(*entradas)
            defeito = _defeito_da_saida(saida, alvos, (*ids.shape, V))
            if not defeito and not all(torch.equal(*par) for par in zip(entradas, (ids, alvos), strict=False)):
                defeito = "um forward que escreve dentro de ids ou de alvos"
            # a forma antes do valor: há quem, sem alvos, só calcule a última posição
            if not defeito and (sem_alvos := _defeito_da_saida(modelo(ids.clone()), None, (*ids.shape, V))):
                defeito = sem_alvos if "alvos" in sem_alvos else f"{sem_alvos}, quando não há alvos"
            if not defeito and not torch.allclose(modelo(ids.clone())[0], saida[0], rtol=1e-3, atol=1e-4):
                defeito = "um modelo que responde cada vez uma coisa, mesmo em avaliação (eval)"
            if not defeito and bloco - 1 == ids.shape[1] and _recusa(modelo, outros_tamanhos(ids, bloco)[-1]):
                defeito = "um modelo que recusa um texto do tamanho do contexto"
            if not defeito and novo:
                outro = _por_pesos(resposta(V, bloco, d, camadas, cabecas), dados)
                inicial = resposta(*NOVO.values(), 2)
                achados = parametros(inicial)
                # a correção põe estes números na referência e mede a perda outra vez
                este.testemunha = {nome: achados.get(nome) for nome in formas(**NOVO)}
                defeito = defeito_do_comeco(inicial, semente) or _defeito_do_uso(modelo, outro, ids, alvos)
            if defeito:
                return defeito, *nada
            logits, perda = saida
            em_uso = gpt_em_uso(modelo, esperados, ids, alvos, bloco)
        return "um GPT", logits.detach(), float(perda.detach()) if perda is not None else 0.0, *em_uso

    return ComTestemunha(f)


# ------------------------------------------------------------------------------------------------ gerar


class _Modelinho(nn.Module):
    """Um modelo de brinquedo com a interface do GPT: olha o último token, a média da janela e o lugar de cada um."""

    def __init__(self, V: int, bloco: int, semente: int, dispersao: float, no_treino: float):
        super().__init__()
        g = _com_semente(semente)
        self.bloco, self.no_treino = bloco, no_treino
        self.ultimo = nn.Parameter(dispersao * torch.randn(V, V, generator=g))
        self.janela = nn.Parameter(2.0 * dispersao * torch.randn(V, V, generator=g))
        self.lugar = nn.Parameter(dispersao * torch.randn(bloco, V, generator=g))
        self.dropout = nn.Identity()  # uma camada de dentro: eval() e train() a alcançam, mudar o atributo não

    def forward(self, ids: Tensor, alvos: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        T = ids.shape[1]
        if self.bloco < T:
            raise ValueError(f"o texto tem {T} tokens e o contexto deste modelo é de {self.bloco}")
        media = self.janela[ids].cumsum(1) / torch.arange(1, T + 1)[:, None]  # (B, T, V)
        logits = self.ultimo[ids] + media + self.lugar[:T]
        if self.training or self.dropout.training:  # no lugar do dropout: em modo de treino, a resposta é outra
            logits = self.no_treino * logits
        if alvos is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), alvos.flatten(), ignore_index=PAD)


def modelinho(
    V: int, bloco: int, semente: int, dispersao: float = 1.0, treino: bool = True, no_treino: float = -1.0
) -> nn.Module:
    return _Modelinho(V, bloco, semente, dispersao, no_treino).train(treino)


GERADOS = "ids com os novos no fim"
POUCOS = 200  # textos de cada começo nas chamadas que só servem para ver se dois sorteios são iguais


def _defeito_dos_ids(saida: Any, entrada: Tensor, n: int) -> str | None:
    """O que há de errado em uma saída de `gerar`, antes de olhar o que foi sorteado."""
    B, T = entrada.shape
    if not isinstance(saida, Tensor):
        return f"{_nome_do_tipo(saida)}, e não um tensor"
    if saida.dim() == 2 and len(saida) != B:
        return f"um tensor {tuple(saida.shape)}, e não com os {B} textos dados, um por linha"
    if tuple(saida.shape) != (B, T + n):
        return f"um tensor {tuple(saida.shape)}, e não com as T colunas dadas e as n novas"
    if saida.dtype != torch.int64:
        return f"ids do tipo {str(saida.dtype).removeprefix('torch.')}, e não int64"
    return None if torch.equal(saida[:, :T], entrada) else "um começo que não é o que foi dado"


def _defeito_do_modo(modelo: nn.Module, modo: bool) -> str | None:
    if modelo.training != modo:
        return "um modelo deixado em outro modo (treino ou avaliação)"
    if any(m.training != modo for m in modelo.modules()):
        return "um modelo com as camadas de dentro deixadas em outro modo"
    return None


def ver_sorteios(muitos: Tensor, um: Tensor, igual: Tensor, outro: Tensor, B: int, V: int, com: bool) -> tuple:
    """O que se vê nos tokens novos de muitos textos, e nos de poucos: com um gerador, um igual e um diferente.

    Devolve as frequências do primeiro e do último token novo depois de cada um dos B começos, (2B, V). Cada linha do
    lote é de um começo, em rodízio. Sem gerador (`com` falso), os três são sorteados com o global.
    """
    novos = muitos.reshape(-1, B, muitos.shape[1])  # (vezes, B, n)
    nada = torch.zeros(2 * B, V)
    if ((muitos < 0) | (muitos >= V)).any():
        return "tokens que não existem", nada
    iguais = torch.equal(um, igual)
    if not com and iguais:
        return "sempre os mesmos sorteios, embora não haja gerador", nada
    if com and not iguais:
        return "textos diferentes para geradores iguais", nada
    houve_sorteio = (um != um[:B].repeat(POUCOS, 1)).any()  # quem não sorteia é denunciado pelas frequências
    if com and houve_sorteio and torch.equal(um, outro):
        return "os mesmos textos para geradores de sementes diferentes", nada
    contagens = [torch.bincount(novos[:, b, i], minlength=V) for b in range(B) for i in (0, -1)]
    return GERADOS, torch.stack(contagens) / len(novos)


def gerar(resposta: Callable) -> Callable:
    """Chama a resposta; com `vezes` maior que 1, repete os começos no lote e devolve frequências em vez de sorteios."""

    def f(
        este: ComTestemunha,
        modelo: Any,
        ids: Tensor,
        n: int,
        temperatura: float,
        top_k: int | None,
        rng: np.random.Generator,
        com: bool,
        vezes: int,
    ) -> tuple:
        B, T = ids.shape
        semente, V, modo = semente_alta(rng), modelo.ultimo.shape[0], modelo.training
        nada = np.zeros((2 * B, V)) if vezes > 1 else np.zeros((B, n))

        def chamar(entrada: Tensor, i: int) -> Any:
            _semente_global(semente + 4 * i)  # o sorteio vem do gerador, e não da semente global
            if not com:  # sem gerador, e com os valores de sempre: três argumentos só
                return resposta(modelo, entrada, n)
            return resposta(modelo, entrada, n, temperatura, top_k, _com_semente(semente + 2 * (i == 3)))

        # muitos textos; poucos, duas vezes com a mesma semente; e poucos, com outra
        entradas = [ids.repeat(v, 1) for v in (vezes, *[min(vezes, POUCOS)] * (3 if vezes > 1 else 2))]
        dadas = [entrada.clone() for entrada in entradas]
        with torch.random.fork_rng(devices=[]), torch.enable_grad():  # ao sair, desfaz o que a resposta desligou
            saidas = [chamar(dada, i) for i, dada in enumerate(dadas)]
        if not all(map(torch.equal, dadas, entradas)):
            return "um gerar que escreve dentro de ids", nada
        defeitos = (_defeito_dos_ids(saida, entrada, n) for saida, entrada in zip(saidas, entradas, strict=True))
        defeito = _defeito_do_modo(modelo, modo) or next(filter(None, defeitos), None)
        if defeito:
            return defeito, nada
        novos = [saida[:, T:] for saida in saidas]
        if vezes == 1:
            return (GERADOS, novos[0]) if torch.equal(*novos[1:]) else ("textos diferentes para geradores iguais", nada)
        muitos, um, igual, outro = novos
        este.testemunha = tuple(_em_algarismos(t) for t in novos)
        return ver_sorteios(muitos, um, igual, outro, B, V, com)

    return ComTestemunha(f)


# ---------------------------------------------------------------------------------------------- treinar

TREINADO = "perdas, medidas e um modelo treinado"


def _defeito_das_perdas(perdas: Any, passos: int) -> str | None:
    if not isinstance(perdas, list):
        return f"perdas que são {_nome_do_tipo(perdas)}, e não uma lista"
    if ruins := [p for p in perdas if not isinstance(p, float)]:
        return f"uma lista de perdas com {_nome_do_tipo(ruins[0])}, e não com floats"
    if len(perdas) != passos:
        que = {1: "uma perda a mais que os passos", -1: "uma perda a menos que os passos"}
        return que.get(len(perdas) - passos, "uma lista que não tem uma perda por passo")
    return None


def _defeito_das_medidas(medidas: Any, avaliar_em: list[int]) -> str | None:
    if not isinstance(medidas, dict):
        return f"medidas que são {_nome_do_tipo(medidas)}, e não um dicionário"
    if ruins := [m for m in medidas.values() if not isinstance(m, float)]:
        return f"medidas com {_nome_do_tipo(ruins[0])}, e não com floats"
    if list(medidas) == avaliar_em:
        return None
    if list(medidas) == [passo - 1 for passo in avaliar_em]:
        return "medidas um passo antes dos pedidos"
    quais = ", ".join(map(str, medidas))
    return f"medidas dos passos {quais}, e não dos pedidos" if quais else "um dicionário de medidas vazio"


def treinar(resposta: Callable) -> Callable:
    """Dá à resposta lotes contados e devolve o que ficou do treino: as perdas, as medidas e os parâmetros."""
    aquecer_o_torch()

    def f(
        modelo: Any,
        lotes: Tensor,
        validacao: Tensor,
        taxas: list[float],
        avaliar_em: list[int],
        corte: float,
    ) -> tuple:
        dados, sorteados = itertools.cycle(lotes.clone()), 0

        def sortear() -> tuple[Tensor, Tensor]:
            nonlocal sorteados
            sorteados += 1
            x, y = next(dados)  # (lote, bloco) cada um
            return x, y

        with torch.random.fork_rng(devices=[]), torch.enable_grad():
            saida = resposta(modelo, sortear, tuple(validacao), list(taxas), list(avaliar_em), corte)
        passos, medir = len(taxas), len(avaliar_em)
        nada = np.zeros(passos), np.zeros(medir), np.zeros(sum(p.numel() for p in modelo.parameters()))
        if not isinstance(saida, tuple | list) or len(saida) != 2:
            return f"{_nome_do_tipo(saida)}, e não um par (perdas, medidas)", *nada
        perdas, medidas = saida
        defeito = _defeito_das_perdas(perdas, passos) or _defeito_das_medidas(medidas, avaliar_em)
        if not defeito and sorteados != passos:
            defeito = f"{'um lote só' if sorteados == 1 else f'{sorteados} lotes'} em {passos} passos"
        if defeito:
            return defeito, *nada
        fim = torch.cat([p.detach().flatten() for p in modelo.parameters()])
        return TREINADO, np.array(perdas), np.array(list(medidas.values())), fim

    return f
