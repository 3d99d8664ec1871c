"""As peças da lista 08: o que as respostas fazem, visto de fora e contado só com dados.

Um tokenizador, um modelo, um lote sorteado e um treino não são dados. Cada adaptador põe a resposta para trabalhar e
devolve o que viu: um texto que diz se o combinado foi cumprido, e números. Onde há sorteio, qualquer jeito certo de
sortear dá os mesmos fatos.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from helpers.conferencia.pecas import ComTestemunha
from helpers.conferencia.pecas.lista_07 import aceita_um_argumento, gradiente_e_o_da_conta, serve_de_novo

PAD = 0


def _com_semente(semente: int) -> torch.Generator:
    return torch.Generator().manual_seed(semente)


def _semente_global(semente: int) -> None:
    torch.default_generator.manual_seed(semente)  # o mesmo que torch.manual_seed na CPU, e mais rápido


def _nome_do_tipo(valor: Any) -> str:
    return "None" if valor is None else f"um valor do tipo {type(valor).__name__}"


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

VEZES = 100  # lotes sorteados em cada caso


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


def _defeito_dos_comecos(comecos: Tensor, m: int) -> str | None:
    """comecos (VEZES, lote): de onde saiu cada linha. Larguíssimo: um sorteio honesto nunca falha aqui.

    Sete desvios (e mais 10, porque a binomial tem a cauda de cima mais gorda que a normal) são menos de uma recusa em
    dez bilhões; e em 100 lotes de duas linhas ou mais, com os poucos começos dos casos, algum começo sempre se repete.
    """
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
    esperado = comecos.numel() / m
    if (vistos - esperado).abs().max() > 7 * math.sqrt(esperado * (1 - 1 / m)) + 10:
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


def lotes(resposta: Callable) -> Callable:
    """Sorteia muitos lotes e diz de onde saíram as linhas; as janelas vistas voltam como dados, pelo começo."""

    def f(este: ComTestemunha, dados: Tensor, bloco: int, lote: int, rng: np.random.Generator) -> tuple:
        m = len(dados) - bloco  # quantos começos são possíveis
        semente = int(rng.integers(10**6))  # a do gerador do torch que a resposta vai receber
        nada = np.zeros((max(m, 1), 2, bloco), dtype=int)
        with torch.random.fork_rng(devices=[]):
            gerador = _com_semente(semente)
            pares = [resposta(dados, bloco, lote, gerador) for _ in range(VEZES)]
            _semente_global(semente + 1)  # o sorteio vem do gerador, e não da semente global
            de_novo = resposta(dados, bloco, lote, _com_semente(semente))
        defeitos = (_defeito_do_lote(par, bloco, lote) for par in [*pares, de_novo])
        defeito = next(filter(None, defeitos), None)
        if defeito or m < 1:
            return defeito or "um lote, embora o texto seja curto demais", nada
        x = torch.stack([p[0] for p in pares])  # (VEZES, lote, bloco)
        y = torch.stack([p[1] for p in pares])
        este.testemunha = x, y  # a correção a confere (a testemunha da questão)
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
            return "um y que não é x um passo à frente", vistas
        if not torch.equal(pares[0][0], de_novo[0]):
            return "lotes diferentes para geradores iguais", vistas
        if m > 1 and (comecos == comecos[0, 0]).all():
            return "lotes em que só um começo aparece", nada
        if m > 1 and (comecos == comecos[:1]).all():
            return "sempre o mesmo lote, embora o gerador avance", nada
        return _defeito_dos_comecos(comecos, m) or "lotes de trechos sorteados", vistas

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
    achados = dict(modelo.named_parameters(remove_duplicate=False))
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
        return f"um modelo com um parâmetro a mais, {sobram[0]}"
    for nome, forma in esperados.items():
        if tuple(achados[nome].shape) != forma:
            return f"um modelo em que {nome} tem a forma {tuple(achados[nome].shape)}"
    return None


def _defeito_do_comeco(resposta: Callable, semente: int) -> str | None:
    """A perda de um modelo recém-construído, com alvos que nada têm a ver com a entrada; e se ele pode aprender."""
    V, bloco, d = 64, 16, 16
    _semente_global(semente)
    g = _com_semente(semente)
    ids = torch.randint(1, V, (48, bloco), generator=g)
    alvos = torch.randint(1, V, (48, bloco), generator=g)
    modelo = resposta(V, bloco, d, 1, 2).eval()
    perda = modelo(ids, alvos)[1]
    if not abs(float(perda.detach()) - math.log(V)) < TETO:  # alta ou baixa demais, ou NaN
        return "um GPT cuja perda inicial é muito maior que ln V"
    gradientes = torch.autograd.grad(perda, list(modelo.parameters()), allow_unused=True)
    if all(t is None or not t.any() for t in gradientes):
        return "um GPT que nasce parado: o gradiente é zero em todos os parâmetros"
    return None


def _defeito_do_uso(modelo: Any, novo: Any, ids: Tensor, alvos: Tensor) -> str | None:
    """O que só se vê usando o modelo outra vez: com outro tamanho de texto, e medindo as derivadas."""
    curto_e_longo = [ids[:, :-1], *([torch.cat([ids, ids[:, :1]], dim=1)] if ids.shape[1] < modelo.bloco else [])]
    with torch.no_grad():
        if not serve_de_novo(lambda z: modelo(z)[0], lambda z: novo(z)[0], curto_e_longo):
            return "um modelo que já não serve quando T muda de uma chamada para outra"
    # o alvo 0 não conta, e quem usa padding_idx=0 não dá gradiente ao <PAD> que entra: só texto de verdade
    ids, alvos = ids.clamp(min=1), alvos.clamp(min=1)
    grupos: dict[str, list] = {}
    for nome, p in modelo.named_parameters():
        grupos.setdefault(nome.rpartition(".")[0][: len("blocos.0")], []).append(p)  # cada bloco é um grupo
    if not all(gradiente_e_o_da_conta(lambda: modelo(ids, alvos)[1].double(), g) for g in grupos.values()):
        return "um modelo em que o gradiente da perda não chega inteiro a todos os parâmetros"
    return None


def _por_pesos(modelo: nn.Module, dados: dict[str, Tensor]) -> nn.Module:
    com_nome = dict(modelo.named_parameters(remove_duplicate=False))
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
    if getattr(modelo, "bloco", None) != bloco:
        return "um modelo sem o atributo bloco, o tamanho do contexto"
    return None if aceita_um_argumento(modelo.forward) else "um modelo que não pode ser chamado só com ids"


def _defeito_da_saida(saida: Any, alvos: Tensor | None, forma: tuple[int, ...]) -> str | None:
    if not isinstance(saida, tuple) or len(saida) != 2:
        return f"{_nome_do_tipo(saida)}, e não um par (logits, perda)"
    logits, perda = saida
    if not isinstance(logits, Tensor) or not logits.is_floating_point():
        return f"logits que são {_nome_do_tipo(logits)}"
    if tuple(logits.shape) != forma:
        return f"logits de forma {tuple(logits.shape)}, e não {forma}"
    if alvos is None:
        return None if perda is None else "uma perda que não é None, embora não haja alvos"
    if not isinstance(perda, Tensor):
        return f"uma perda que é {_nome_do_tipo(perda)}, e não um tensor"
    if perda.dim() != 0:
        return f"uma perda de forma {tuple(perda.shape)}, e não um número só"
    return None if perda.requires_grad else "uma perda sem gradiente, com a qual não se treina"


def gpt(resposta: Callable) -> Callable:
    """Constrói o modelo, copia pesos dados para dentro dele, chama-o em modo de avaliação e mede a perda inicial."""

    def f(
        V: int, bloco: int, d: int, camadas: int, cabecas: int, semente: int, ids: Tensor, alvos: Any, novo: bool
    ) -> tuple:
        nada = np.zeros((*ids.shape, V))
        with torch.random.fork_rng(devices=[]), torch.enable_grad():
            _semente_global(abs(semente))
            modelo = resposta(V, bloco, d, camadas, cabecas)
            defeito = _defeito_do_modelo(modelo, bloco, formas(V, bloco, d, camadas))
            if defeito:
                return defeito, nada, 0.0
            dados = pesos(V, bloco, d, camadas, semente)
            entradas = [t.clone() for t in (ids, alvos) if t is not None]
            saida = _por_pesos(modelo, dados)(*entradas)
            defeito = _defeito_da_saida(saida, alvos, (*ids.shape, V))
            if not defeito and not all(torch.equal(*par) for par in zip(entradas, (ids, alvos), strict=False)):
                defeito = "um forward que escreve dentro de ids ou de alvos"
            if not defeito and not torch.allclose(modelo(ids.clone())[0], saida[0], rtol=1e-3, atol=1e-4):
                defeito = "um modelo que responde cada vez uma coisa, mesmo em avaliação (eval)"
            if defeito:
                return defeito, nada, 0.0
            logits, perda = saida
            if novo:
                outro = _por_pesos(resposta(V, bloco, d, camadas, cabecas), dados)
                defeito = _defeito_do_comeco(resposta, abs(semente)) or _defeito_do_uso(modelo, outro, ids, alvos)
        return defeito or "um GPT", logits.detach(), float(perda) if perda is not None else 0.0

    return f


# ------------------------------------------------------------------------------------------------ gerar


class _Modelinho(nn.Module):
    """Um modelo de brinquedo com a interface do GPT: olha o último token, a média da janela e o lugar de cada um."""

    def __init__(self, V: int, bloco: int, semente: int, dispersao: float):
        super().__init__()
        g = _com_semente(semente)
        self.bloco = bloco
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
        if self.training or self.dropout.training:  # um dropout exagerado: em modo de treino, a resposta é outra
            logits = -logits
        if alvos is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), alvos.flatten(), ignore_index=PAD)


def modelinho(V: int, bloco: int, semente: int, dispersao: float = 1.0, treino: bool = True) -> nn.Module:
    return _Modelinho(V, bloco, semente, dispersao).train(treino)


def gerar(resposta: Callable) -> Callable:
    """Chama a resposta; com `vezes` maior que 1, repete o começo no lote e devolve frequências em vez de sorteios."""

    def f(
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
        semente = int(rng.integers(10**6))
        V = modelo.ultimo.shape[0]
        nada = np.zeros((2, V)) if vezes > 1 else np.zeros((B, n))
        modo = modelo.training

        def chamar(entrada: Tensor, i: int) -> Any:
            _semente_global(semente + i)  # o sorteio vem do gerador, e não da semente global
            if not com:  # sem gerador, e com os valores de sempre: três argumentos só
                return resposta(modelo, entrada, n)
            return resposta(modelo, entrada, n, temperatura, top_k, _com_semente(semente + (i == 3)))

        # muitos textos; poucos, duas vezes com a mesma semente; e poucos, com outra
        entradas = [ids.repeat(v, 1) for v in (vezes, *[min(vezes, 60)] * (3 if vezes > 1 else 2))]
        dadas = [entrada.clone() for entrada in entradas]
        with torch.random.fork_rng(devices=[]), torch.enable_grad():  # ao sair, desfaz o que a resposta desligou
            saidas = [chamar(dada, i) for i, dada in enumerate(dadas)]
        if not all(map(torch.equal, dadas, entradas)):
            return "um gerar que escreve dentro de ids", nada
        if modelo.training != modo:
            return "um modelo deixado em outro modo (treino ou avaliação)", nada
        if any(m.training != modo for m in modelo.modules()):
            return "um modelo com as camadas de dentro deixadas em outro modo", nada
        for entrada, saida in zip(entradas, saidas, strict=True):
            if not isinstance(saida, Tensor):
                return f"{_nome_do_tipo(saida)}, e não um tensor", nada
            if tuple(saida.shape) != (len(entrada), T + n):
                return f"um tensor {tuple(saida.shape)}, e não com as T colunas dadas e as n novas", nada
            if saida.dtype != torch.int64:
                return f"ids do tipo {str(saida.dtype).removeprefix('torch.')}, e não int64", nada
            if not torch.equal(saida[:, :T], entrada):
                return "um começo que não é o que foi dado", nada
        iguais = torch.equal(saidas[1], saidas[2])
        if not com and iguais:
            return "sempre os mesmos sorteios, embora não haja gerador", nada
        if com and not iguais:
            return "textos diferentes para geradores iguais", nada
        houve_sorteio = (saidas[1] != saidas[1][:1]).any()  # quem não sorteia é denunciado pelas frequências
        if com and houve_sorteio and vezes > 1 and torch.equal(saidas[1], saidas[3]):
            return "os mesmos textos para geradores de sementes diferentes", nada
        novos = saidas[0][:, T:]
        if vezes == 1:
            return "ids com os novos no fim", novos
        duas = [torch.bincount(novos[:, i], minlength=V)[:V] / len(novos) for i in (0, -1)]
        return "ids com os novos no fim", torch.stack(duas)

    return f


# ----------------------------------------------------------------------------------------- sobreajustar


class _Redinha(nn.Module):
    """Um modelo mínimo com a interface do GPT: cada posição responde só pelo token que está nela."""

    def __init__(self, V: int, bloco: int, d: int, semente: int):
        super().__init__()
        g = _com_semente(semente)
        self.bloco = bloco
        self.tokens = nn.Parameter(torch.randn(V, d, generator=g))
        self.saida = nn.Parameter(0.1 * torch.randn(V, d, generator=g))

    def forward(self, ids: Tensor, alvos: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        logits = F.linear(self.tokens[ids], self.saida)  # (B, T, V)
        if alvos is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), alvos.flatten(), ignore_index=PAD)


def redinha(V: int, bloco: int, d: int, semente: int) -> nn.Module:
    return _Redinha(V, bloco, d, semente)


class _Espia:
    """Vê o treino sem tocar em nada: se os gradientes de um passo se somam aos dos anteriores, e que perdas houve.

    Quem treina uma cópia e depois a devolve ao modelo não é visto, e não há o que dizer dele. Em um treino comprido só
    se veem as primeiras perdas, que medir todas custa tempo: os curtos bastam.
    """

    MAXIMO = 60

    def __init__(self, modelo: Any, x: Tensor, y: Tensor):
        self.contas, self.somados, self.novo = 0, 0, torch.zeros(())
        self.modelo, self.lote = modelo, (x.clone(), y.clone())
        self.perdas: list[float] = []
        modelo.saida.register_hook(self._guardar)
        modelo.saida.register_post_accumulate_grad_hook(self._comparar)
        modelo.register_forward_pre_hook(self._medir)

    def _guardar(self, gradiente: Tensor) -> None:
        self.novo = gradiente.detach().clone()

    def _comparar(self, peso: Tensor) -> None:
        self.contas += 1
        self.somados += peso.grad is None or not torch.allclose(peso.grad, self.novo, rtol=1e-3, atol=1e-7)

    def _medir(self, _modelo: nn.Module, _entradas: Any) -> None:
        """A perda do lote com os parâmetros desta hora, seja qual for a conta que a resposta vai fazer com eles."""
        if len(self.perdas) < self.MAXIMO:
            with torch.no_grad():
                self.perdas.append(float(self.modelo.forward(*self.lote)[1]))  # sem passar por aqui outra vez

    def viu(self, perdas: list[float]) -> bool:
        """As perdas da lista são, na ordem, das que houve? (Um otimizador pode medir várias em um passo.)"""
        houve = iter(self.perdas)
        viu_tudo = 0 < len(self.perdas) < self.MAXIMO
        return not viu_tudo or all(any(_perto(p, q) for q in houve) for p in perdas)

    def atrasou(self, primeira: float) -> bool:
        return bool(self.perdas) and not _perto(primeira, self.perdas[0])


def _perto(p: float, q: float) -> bool:
    return math.isclose(p, q, rel_tol=1e-3, abs_tol=1e-5)


def _defeito_das_perdas(perdas: Any, passos: int) -> str | None:
    if not isinstance(perdas, list):
        return f"{_nome_do_tipo(perdas)}, e não uma lista"
    if len(perdas) != passos:
        que = {1: "uma perda a mais que os passos", -1: "uma perda a menos que os passos"}
        return que.get(len(perdas) - passos, "uma lista que não tem uma perda por passo")
    if not all(isinstance(p, float) for p in perdas):
        ruim = next(p for p in perdas if not isinstance(p, float))
        return f"uma lista com {_nome_do_tipo(ruim)}, e não com floats"
    return None


def _aquecer_o_torch() -> None:
    """O primeiro otimizador de um processo carrega meio torch, por segundos: que não contem no prazo da resposta."""
    peso = torch.zeros(1, requires_grad=True)
    otimizador = torch.optim.AdamW([peso])
    peso.sum().backward()
    otimizador.step()


def sobreajustar(resposta: Callable) -> Callable:
    """Deixa a resposta treinar o modelo e mede, depois, o que mudou nele. A primeira perda volta como dado."""
    _aquecer_o_torch()

    def f(este: ComTestemunha, modelo: Any, x: Tensor, y: Tensor, passos: int) -> tuple:
        antes = [p.detach().clone() for p in modelo.parameters()]
        espia = _Espia(modelo, x, y)
        with torch.random.fork_rng(devices=[]), torch.enable_grad():
            _semente_global(8)
            perdas = resposta(modelo, x, y, passos)
        defeito = _defeito_das_perdas(perdas, passos)
        if defeito:
            return defeito, 0.0
        # antes da medida do fim, que também passa pelo modelo
        fiel, atrasada = espia.viu(perdas), espia.atrasou(perdas[0])
        iguais = [torch.equal(p, a) for p, a in zip(modelo.parameters(), antes, strict=True)]
        if all(iguais):
            return "um modelo com os mesmos parâmetros de antes", perdas[0]
        if any(iguais):
            return "um modelo em que só uma parte dos parâmetros mudou", perdas[0]
        with torch.no_grad():
            fim = float(modelo(x, y)[1])
        if espia.contas == passos and espia.somados >= passos - 1 > 0:
            return "gradientes que se somam de um passo para o outro", perdas[0]
        if not math.isfinite(fim):
            return "um treino que terminou em NaN ou infinito", perdas[0]
        if not fiel:
            return "perdas que não são as que o modelo tinha em cada passo", perdas[0]
        if passos >= 300 and (perdas[-1] >= 0.1 or fim >= 0.1):
            return f"uma perda que não chegou a menos de 0,1 em {passos} passos", perdas[0]
        if passos > 1 and fim > perdas[0]:
            return "uma perda que subiu", perdas[0]
        este.testemunha = perdas, [p.detach() for p in modelo.parameters()]  # a correção a confere
        if atrasada:
            return "uma primeira perda que não é a do modelo como chegou", 0.0
        return "um modelo treinado", perdas[0]

    return ComTestemunha(f)
