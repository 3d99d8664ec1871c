"""As peças da lista 09: o que é função, sorteio ou módulo vira dado, para que se possa comparar.

Cada adaptador devolve primeiro um texto que diz o que a resposta é. Se ele já conta um problema, o resto são números
neutros das formas certas, para que o que se leia seja o texto.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.conferencia.pecas import ComTestemunha, que_veio
from helpers.conferencia.pecas.modulos import gpt_em_uso, gradiente_da_perda_chega, outros_tamanhos

# ------------------------------------------------------------------------------------------------ ngrama

PREVISOR = "uma função que devolve probabilidades"


def ngrama(resposta: Callable) -> Callable:
    """O modelo que a resposta devolve é chamado com cada contexto; o resultado é a tabela (contextos, V)."""
    import torch

    def f(dados: Any, V: int, n: int, contextos: tuple) -> tuple:
        tabela = np.zeros((len(contextos), V))
        nada = np.zeros_like(tabela)
        prever = resposta(dados, V, n)
        if not callable(prever):
            return f"{que_veio(prever)}, em vez de uma função de ids", nada
        for i, contexto in enumerate(contextos):
            ids = contexto.clone()
            p = prever(ids)
            if not isinstance(p, torch.Tensor | np.ndarray):
                return f"uma função que devolve {que_veio(p)}, em vez de um array ({V},)", nada
            if tuple(p.shape) != (V,):
                return f"uma função que devolve forma {tuple(p.shape)}, em vez de ({V},)", nada
            if not torch.equal(ids, contexto):
                return "uma função que escreve dentro de ids, em vez de trabalhar em uma cópia", nada
            tabela[i] = p.detach().numpy() if isinstance(p, torch.Tensor) else p
        return _somas(tabela), tabela

    return f


def _somas(tabela: np.ndarray) -> str:
    """As linhas (contextos, V) somam 1? Sem o número, que muda com o arredondamento: o texto se compara por igual."""
    somas = tabela.sum(axis=1)
    if (somas > 1.001).any():
        return "uma função cujas probabilidades somam mais que 1"
    return "uma função cujas probabilidades somam menos que 1" if (somas < 0.999).any() else PREVISOR


# --------------------------------------------------------------------------------------- tarefa_de_copia

SORTEIO = "dois tensores int64, sorteados com o gerador"


def _formas(par: Any, lote: int, largura: int) -> str | None:
    """O que há de errado com o par (x, y), antes de olhar os números."""
    import torch

    if not isinstance(par, tuple | list) or len(par) != 2:
        return f"{que_veio(par)}, em vez do par (x, y)"
    if par[0] is par[1]:
        return "o mesmo tensor em x e em y"
    for nome, t in zip("xy", par, strict=True):
        if not isinstance(t, torch.Tensor):
            return f"em {nome} {que_veio(t)}, em vez de um tensor do torch"
        if t.dtype != torch.int64:
            return f"{nome} do tipo {str(t.dtype).removeprefix('torch.')}, em vez de int64"
        if nome == "x" and tuple(t.shape) == (lote, largura - 1):
            meio = t[:, largura // 2]
            return "x sem a última coluna" if not bool(meio.any()) else "x sem a coluna do separador"
        if tuple(t.shape) != (lote, largura):
            return f"{nome} com forma {tuple(t.shape)}, em vez de {(lote, largura)}"
    return None


MAIOR_EXCESSO = 0.4  # de um token, em relação à média de 400: as chances exatas estão em tests/gabarito/test_acaso.py
MAIOR_DESVIO = 8.0  # da média de uma posição, em desvios padrão dela


def linhas_do_lote_grande(comprimento: int, V: int) -> int:
    """Quantas, para que cada token saia umas 400 vezes."""
    return -(-400 * (V - 1) // comprimento)


def _defeito_do_sorteio(x: Any, seguidos: Any, igual: Any, outro: Any, comprimento: int, V: int) -> str | None:
    """O que há de errado com o acaso no lote grande, x, e nos pequenos (40, 2L + 1)."""
    import torch

    tokens = x[:, :comprimento]  # (G, L)
    if bool((x == -100).any()):
        return "um x com −100, que só existe em y"
    if bool((x == x[:1]).all()):
        return "a mesma sequência em todas as linhas do lote"
    if torch.equal(*seguidos):
        return "o mesmo sorteio em duas chamadas seguidas com o mesmo gerador"
    if not torch.equal(igual, seguidos[0]):
        return "um sorteio diferente a cada vez, com geradores de mesma semente"
    if torch.equal(outro, seguidos[0]):
        return "o mesmo sorteio com geradores de sementes diferentes"
    if bool(((tokens < 1) | (tokens >= V)).any()):
        return None  # a lista dos tokens que apareceram já conta isso
    if comprimento > 1:
        ordenados = tokens.sort(dim=1).values
        if not bool((ordenados[:, 1:] == ordenados[:, :-1]).any()):
            return "um x em que um token nunca se repete na linha"
    contagens = torch.bincount(tokens.flatten(), minlength=V)[1:]
    vistos = contagens[contagens > 0]
    if bool(((vistos * len(vistos) / tokens.numel() - 1).abs() > MAIOR_EXCESSO).any()):
        return "um x em que os tokens não saem todos com a mesma frequência"
    medias = tokens.double().mean(dim=0)  # por posição
    desvio = (((V - 1) ** 2 - 1) / 12 / len(tokens)) ** 0.5  # o da média de G números iguais a 1, …, V − 1
    if bool(((medias - medias.mean()).abs() > MAIOR_DESVIO * desvio).any()):
        return "um x em que a chance de cada token muda com a posição na linha"
    return None


def _origem(x: Any) -> np.ndarray:
    """De onde vem cada coluna de x: 0 se é toda zero; senão, 1 + a primeira coluna igual a ela."""
    colunas = x.T
    return np.array(
        [
            0 if not bool(c.any()) else 1 + next(s for s in range(t + 1) if bool((colunas[s] == c).all()))
            for t, c in enumerate(colunas)
        ]
    )


def _alvo(x: Any, y: Any) -> np.ndarray:
    """O que é cada coluna de y: −100, 1 se é a coluna seguinte de x, 0 se é toda zero, −1 se é outra coisa."""
    largura = x.shape[1]
    saida = np.full(largura, -1)
    for t in range(largura):
        if bool((y[:, t] == -100).all()):
            saida[t] = -100
        elif t + 1 < largura and bool((y[:, t] == x[:, t + 1]).all()):
            saida[t] = 1
        elif bool((y[:, t] == x[:, t]).all()):
            saida[t] = 2
        elif t and bool((y[:, t] == x[:, t - 1]).all()):
            saida[t] = 3
        elif not bool(y[:, t].any()):
            saida[t] = 0
    return saida


def ver_copia(x: Any, y: Any, seguidos: Any, igual: Any, outro: Any, comprimento: int, V: int) -> tuple:
    """Fatos sobre o lote grande (x, y): que sorteio é, de onde vem cada coluna, o que é cada alvo e que tokens saíram.

    Os lotes pequenos são só o x: dois seguidos do mesmo gerador, o de um gerador igual, e o de um diferente.
    """
    import torch

    problema = _defeito_do_sorteio(x, seguidos, igual, outro, comprimento, V)
    tokens = x[:, :comprimento].flatten()
    de_fora = tokens[(tokens < 0) | (tokens > V)]
    if problema is None and len(de_fora):
        problema = f"um x com tokens fora de 1 a V − 1, como {int(de_fora[0])}"
    if problema:
        return problema, *_nada(comprimento, V)
    return SORTEIO, _origem(x), _alvo(x, y), (torch.bincount(tokens, minlength=V + 1) > 0).numpy()


def _nada(comprimento: int, V: int) -> tuple:
    largura = 2 * comprimento + 1
    return np.zeros(largura, dtype=int), np.zeros(largura, dtype=int), np.zeros(V + 1, dtype=bool)


def tarefa_de_copia(resposta: Callable) -> Callable:
    """Junta um lote grande e alguns pequenos, que `ver_copia` examina."""
    import torch

    def f(este: ComTestemunha, lote: int, comprimento: int, V: int, semente: int) -> tuple:
        largura, grande = 2 * comprimento + 1, linhas_do_lote_grande(comprimento, V)

        def gerador(semente: int) -> Any:
            return torch.Generator().manual_seed(semente)

        def pequeno(g: Any) -> Any:  # bastam 40 linhas, e quem sorteia token a token não se atrasa
            return resposta(40, comprimento, V, g)[0]

        with torch.random.fork_rng(devices=[]):
            pedido = resposta(lote, comprimento, V, gerador(semente))
            problema = _formas(pedido, lote, largura)
            if problema:
                return problema, *_nada(comprimento, V)
            x, y = resposta(grande, comprimento, V, gerador(semente))
            problema = _formas((x, y), grande, largura)
            if problema:
                return f"{problema}, quando lote é {grande}", *_nada(comprimento, V)
            mesmo = gerador(semente)
            seguidos = pequeno(mesmo), pequeno(mesmo)
            torch.manual_seed(semente + 2)  # o acaso de fora do gerador não pode entrar
            vistos = x, y, seguidos, pequeno(gerador(semente)), pequeno(gerador(semente + 4))
        este.testemunha = tuple(pedido), *vistos
        return ver_copia(*vistos, comprimento, V)

    return ComTestemunha(f)


# ----------------------------------------------------------------------------------------- GPTSemAtencao

MODELO = "um modelo com os parâmetros pedidos"


def sortear_pesos(V: int, bloco: int, d: int, camadas: int, mistura: str, semente: int) -> dict:
    """Os pesos de um caso: {nome: tensor}. A semente −1 é a do exemplo do enunciado, com números redondos."""
    import torch

    formas: dict[str, tuple[int, ...]] = {"tokens.weight": (V, d), "posicoes.weight": (bloco, d)}
    for i in range(camadas):
        if mistura == "media":
            formas |= {f"blocos.{i}.norma1.weight": (d,), f"blocos.{i}.norma1.bias": (d,)}
            formas |= {f"blocos.{i}.projecao.weight": (d, d), f"blocos.{i}.projecao.bias": (d,)}
        formas |= {f"blocos.{i}.norma2.weight": (d,), f"blocos.{i}.norma2.bias": (d,)}
        formas |= {f"blocos.{i}.expande.weight": (4 * d, d), f"blocos.{i}.expande.bias": (4 * d,)}
        formas |= {f"blocos.{i}.reduz.weight": (d, 4 * d), f"blocos.{i}.reduz.bias": (d,)}
    formas |= {"norma.weight": (d,), "norma.bias": (d,)}
    if semente == -1:
        return {nome: _redondos(nome, forma) for nome, forma in formas.items()}
    rng = np.random.default_rng(semente)
    centro = {nome: 1.0 if "norma" in nome and nome.endswith("weight") else 0.0 for nome in formas}
    return {
        nome: torch.tensor(centro[nome] + 0.6 * rng.normal(size=forma), dtype=torch.float32)
        for nome, forma in formas.items()
    }


def _redondos(nome: str, forma: tuple) -> Any:
    """O exemplo do enunciado: tokens e posições dados, a projeção troca as duas componentes, e a rede é zero."""
    import torch

    dados = {
        "tokens.weight": [[0, 0], [1, -1], [3, 1], [0, 2]],
        "posicoes.weight": [[0, 0], [3, 0], [0, 1]],
        "blocos.0.projecao.weight": [[0, 2], [2, 0]],
    }
    if nome in dados:
        return torch.tensor(dados[nome], dtype=torch.float32)
    return torch.ones(forma) if "norma" in nome and nome.endswith("weight") else torch.zeros(forma)


def _parametros(modelo: Any, pesos: dict) -> str | None:
    """O primeiro parâmetro que falta, sobra ou tem outra forma."""
    tem = modelo.state_dict()
    for nome, valor in pesos.items():
        if nome not in tem:
            return f"falta o parâmetro “{nome}”"
        if tem[nome].shape != valor.shape:
            return f"“{nome}” tem forma {tuple(tem[nome].shape)}, e devia ter {tuple(valor.shape)}"
    # Um peso amarrado a um dos pedidos, com outro nome, é o mesmo parâmetro; e um buffer não é parâmetro.
    todos = dict(modelo.named_parameters(remove_duplicate=False))
    pedidos = {id(todos[nome]) for nome in pesos if nome in todos}
    sobram = [nome for nome, p in todos.items() if id(p) not in pedidos]
    if sobram and todos[sobram[0]].shape == pesos["tokens.weight"].shape:
        return f"a saída tem um peso só dela, “{sobram[0]}”: use o dos tokens, self.tokens.weight"
    return f"sobra o parâmetro “{sobram[0]}”" if sobram else None


def _par(par: Any, forma: tuple, com_alvos: bool) -> str | None:
    """O que o forward devolveu é (logits, perda)?"""
    import torch

    quando = "com alvos" if com_alvos else "sem alvos"
    if not isinstance(par, tuple | list) or len(par) != 2:
        return f"{quando}, o forward devolve {que_veio(par)}, em vez de (logits, perda)"
    logits, perda = par
    if not isinstance(logits, torch.Tensor) or tuple(logits.shape) != forma:
        return f"os logits são {que_veio(logits)}, em vez de {forma}"
    if not com_alvos:
        return None if perda is None else "sem alvos, a perda não é None"
    if perda is None:
        return "com alvos, a perda é None"
    if not isinstance(perda, torch.Tensor) or perda.grad_fn is None:  # um tensor novo, feito de um número, não o tem
        return "a perda não carrega gradiente"
    return None if perda.dim() == 0 else f"a perda tem forma {tuple(perda.shape)}, em vez de ser um número só"


def gpt_sem_atencao(resposta: Callable) -> Callable:
    """Constrói o modelo, carrega os pesos dados e o chama: a primeira parte diz o que não está como pedido."""
    import torch

    def f(V: int, bloco: int, d: int, camadas: int, mistura: str, semente: int, ids: Any, alvos: Any) -> tuple:
        forma = (*ids.shape, V)
        pesos = sortear_pesos(V, bloco, d, camadas, mistura, semente)
        nada = (np.zeros(forma), 0.0, np.zeros(len(outros_tamanhos(ids, bloco))), np.zeros(len(pesos)))
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(9)
            modelo = resposta(V, bloco, d, camadas, mistura)
        if not isinstance(modelo, torch.nn.Module):
            return f"{que_veio(modelo)}, em vez de um nn.Module", *nada
        problema = _parametros(modelo, pesos)
        if problema:
            return f"um modelo em que {problema}", *nada
        modelo.load_state_dict(pesos, strict=False)  # já se sabe que nenhum falta e nenhum sobra
        modelo.eval()
        dados, cobrados = ids.clone(), alvos.clone()  # cópias: quem escreve nelas ouve o nome do argumento do forward
        sem, com = modelo(dados), modelo(dados, cobrados)
        problema = _par(sem, forma, False) or _par(com, forma, True)
        for nome, antes, depois in (("ids", ids, dados), ("alvos", alvos, cobrados)):
            if problema is None and not torch.equal(antes, depois):
                problema = f"o forward escreve dentro de {nome}, em vez de trabalhar em uma cópia"
        if problema is None and not torch.allclose(sem[0], com[0]):
            problema = "os logits mudam quando há alvos"
        if problema is None and not torch.allclose(modelo.train()(ids.clone())[0], com[0]):
            problema = "os logits mudam no modo de treino, como se houvesse dropout"
        if problema is None and getattr(modelo, "bloco", None) != bloco:
            problema = "falta o atributo bloco, com o tamanho do contexto"
        if problema is None and not gradiente_da_perda_chega(modelo.eval(), ids, alvos):
            problema = "o gradiente da perda não chega inteiro a todos os parâmetros"
        if problema:
            return f"um modelo em que {problema}", *nada
        return MODELO, com[0].detach(), float(com[1].detach()), *gpt_em_uso(modelo, pesos, ids, alvos, bloco)

    return f
