"""O que os modelos de verdade têm em comum: a atenção que se troca, as cabeças que se desligam e a mesma interface.

Cada modelo (helpers/llm.py, helpers/codificador.py, helpers/llm_hub.py) só diz como percorre as suas camadas; em cada
uma entrega q, k e v a um `Percurso`, que chama a atenção do torch ou a do aluno, confere o que esta devolve e guarda o
que se pede.
"""

import hashlib
import importlib.util
import inspect
import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

LIMITE = 512  # tokens por texto: com mais que isso, os pesos de todas as cabeças já não cabem em qualquer computador

Atencao = Callable[[Tensor, Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]
Gancho = Callable[[int, Tensor], Tensor]
Texto = str | Sequence[int] | np.ndarray | Tensor


class ModeloIndisponivel(RuntimeError):
    """O modelo não pôde ser carregado; a mensagem diz por que e como consertar."""


class ErroNaAtencao(ValueError):
    """A função de atenção recebida devolveu o que não serve; a mensagem diz o quê."""


class Percurso:
    """Uma passagem pelo modelo: a atenção de cada camada, as cabeças desligadas e o que fica guardado."""

    def __init__(
        self,
        atencao_do_aluno: Atencao | None = None,
        desligadas: Iterable[tuple[int, int]] = (),
        gancho: Gancho | None = None,
        guardar: bool = False,
    ):
        self.do_aluno = atencao_do_aluno
        self.com_numpy = False
        self.desligadas = {(int(camada), int(cabeca)) for camada, cabeca in desligadas}
        self.gancho = _conferido(gancho)
        self.guardar = guardar
        self.entregues: list[tuple[Tensor, Tensor, Tensor, Tensor]] = []  # q, k, v e a máscara de cada camada
        self.pesos: list[Tensor] = []  # os que a função do aluno devolveu
        self.escritas: list[Tensor] = []  # o que se somou ao caminho residual, na ordem

    @property
    def comum(self) -> bool:
        """Só a atenção do curso? Então a geração pode guardar as chaves e os valores do texto já lido."""
        return self.do_aluno is None and self.gancho is None

    def escrever(self, parcela: Tensor) -> Tensor:
        """Anota uma parcela (T, d) do caminho residual e a devolve."""
        if self.guardar:
            self.escritas.append(parcela)
        return parcela

    def atender(self, camada: int, q: Tensor, k: Tensor, v: Tensor, mascara: Tensor) -> Tensor:
        """A saída das cabeças (H, T, d), pronta para W_O."""
        if self.do_aluno is None:
            saida = F.scaled_dot_product_attention(q, k, v, ~mascara)  # no torch, True é quem se vê
        else:
            saida, pesos = self._atencao_do_aluno(self.do_aluno, camada, (q, k, v, mascara))
            if self.guardar:
                self.pesos.append(pesos)
        if self.guardar:
            self.entregues.append((q, k, v, mascara))
        apagadas = torch.tensor([cabeca for i, cabeca in self.desligadas if i == camada], dtype=torch.long)
        saida = saida.index_fill(0, apagadas, 0.0)
        if self.gancho is not None:
            devolvido = self.gancho(camada, saida.clone())
            saida = _tensor(devolvido, saida.shape, f"O gancho da camada {camada} devolveu a saída das cabeças")
        return saida

    def _atencao_do_aluno(self, dele: Callable, camada: int, entradas: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
        resposta, (q, k, *_) = self.chamar(dele, entradas), entradas
        if not isinstance(resposta, (tuple, list)) or len(resposta) != 2:
            raise ErroNaAtencao(
                f"A sua atenção deve devolver duas coisas, `saida` e `pesos`; ela devolveu {_descrever(resposta)}."
            )
        inicio = f"Na camada {camada}, a sua atenção devolveu"
        saida = _tensor(resposta[0], q.shape, f"{inicio} `saida`")
        pesos = _tensor(resposta[1], (*q.shape[:2], k.shape[1]), f"{inicio} `pesos`")
        if not torch.isfinite(saida).all():
            raise ErroNaAtencao(
                f"{inicio} NaN ou infinito em `saida`: veja se alguma linha das pontuações ficou toda escondida, ou se "
                "a exponencial recebeu números grandes demais."
            )
        return saida, pesos

    def chamar(self, dele: Callable, entradas: tuple[Tensor, ...]) -> Any:
        """Chama a função do aluno com tensores e, se ela não os aceita, com arrays do NumPy.

        Nada na função diz em que biblioteca ela foi escrita, e muita função NumPy também roda com tensores. O teste é
        chamá-la: `x.max(axis=-1, keepdims=True)` ou `k.transpose(0, 2, 1)` falham com tensores, e então vão os arrays.
        Ela recebe cópias, porque pode escrever no que recebe, e a máscara é a mesma em todas as camadas.
        """
        if not self.com_numpy:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", DeprecationWarning)  # o NumPy avisa quando recebe tensores
                    return dele(*(x.clone() for x in entradas))
            except Exception as erro:
                erro_com_tensores = erro
        try:
            resposta = dele(*(x.numpy().copy() for x in entradas))
        except Exception as erro:
            if self.com_numpy:
                raise
            if (type(erro), str(erro)) != (type(erro_com_tensores), str(erro_com_tensores)):
                erro_com_tensores.add_note(f"Com arrays do NumPy o erro foi outro: {type(erro).__name__}: {erro}")
            raise erro_com_tensores from None
        self.com_numpy = True  # as outras camadas já começam pelo NumPy
        return resposta


def _conferido(gancho: Any) -> Gancho | None:
    """O gancho, se o modelo pode chamá-lo. O Python só diria que faltam argumentos, e não quais."""
    if gancho is None:
        return None
    if not callable(gancho):
        raise ErroNaAtencao(
            f"O gancho deve ser uma função, e chegou {_descrever(gancho)}. Passe o nome dela, sem parênteses."
        )
    try:
        inspect.signature(gancho).bind(0, None)
    except ValueError:  # não diz que argumentos recebe
        pass
    except TypeError:
        raise ErroNaAtencao(
            "O modelo chama o gancho com dois argumentos, o número da camada e a saída das cabeças, nesta ordem."
        ) from None
    return gancho


def _tensor(x, forma: Sequence[int], inicio: str) -> Tensor:
    """x como tensor float32 da forma pedida, ou uma frase que começa por `inicio` e diz o que veio."""
    try:
        x = torch.tensor(np.ascontiguousarray(x)) if isinstance(x, np.ndarray) else torch.as_tensor(x)
    except (TypeError, ValueError, RuntimeError):
        raise ErroNaAtencao(f"{inicio} como {_descrever(x)}; esperava um tensor (ou array) de números.") from None
    if tuple(x.shape) != tuple(forma):
        raise ErroNaAtencao(f"{inicio} com a forma {tuple(x.shape)}; a forma certa aqui é {tuple(forma)}.")
    return x.detach().to(torch.float32)


def _descrever(x) -> str:
    if x is None:
        return "None (falta um `return`?)"
    if isinstance(x, (tuple, list)):
        return f"{len(x)} coisas"
    return f"só um {type(x).__name__}" + (f" de forma {tuple(x.shape)}" if hasattr(x, "shape") else "")


class Modelo:
    """A interface comum. Quem herda diz `nome`, `camadas`, `cabecas`, `dim_cabeca`, `vocabulario` e escreve `_ids`,
    `tokens` e `passar`."""

    nome: str
    camadas: int
    cabecas: int
    dim_cabeca: int
    vocabulario: int

    def _ids(self, texto: str) -> list[int]:
        raise NotImplementedError

    def tokens(self, texto: Texto) -> list[str]:
        raise NotImplementedError

    def passar(self, ids: list[int], percurso: Percurso) -> Tensor:
        raise NotImplementedError

    def ids(self, texto: Texto) -> list[int]:
        """Os números dos tokens. Aceita também os próprios números, que então só são conferidos."""
        try:
            ids = self._ids(texto) if isinstance(texto, str) else [int(i) for i in texto]
        except (TypeError, ValueError, RuntimeError):
            raise ValueError("Dê um texto, ou uma lista com os números dos tokens.") from None
        if not ids:
            raise ValueError("O texto está vazio: escreva ao menos uma palavra.")
        if len(ids) > LIMITE:
            raise ValueError(f"O texto tem {len(ids)} tokens; aqui ele pode ter até {LIMITE}.")
        if not all(0 <= i < self.vocabulario for i in ids):
            raise ValueError(f"Os tokens deste modelo vão de 0 a {self.vocabulario - 1}.")
        return ids

    def _percurso(self, atencao, desligadas, gancho, guardar: bool = False) -> Percurso:
        percurso = Percurso(atencao, desligadas, gancho, guardar)
        for camada, cabeca in percurso.desligadas:
            if not (0 <= camada < self.camadas and 0 <= cabeca < self.cabecas):
                raise ValueError(
                    f"Não há a cabeça ({camada}, {cabeca}): as camadas vão de 0 a {self.camadas - 1} e as cabeças, "
                    f"de 0 a {self.cabecas - 1}."
                )
        return percurso

    @torch.no_grad()
    def percorrer(self, texto: Texto, atencao: Atencao | None = None, desligadas=(), gancho=None) -> Percurso:
        """Uma passagem pelo texto com tudo guardado: `entregues` (q, k, v e a máscara de cada camada) e `escritas`."""
        percurso = self._percurso(atencao, desligadas, gancho, guardar=True)
        self.passar(self.ids(texto), percurso)
        return percurso

    def atencoes(self, texto: Texto, atencao: Atencao | None = None, desligadas=(), gancho=None) -> Tensor:
        """Os pesos de atenção de todas as camadas e cabeças: (camadas, cabeças, T, T)."""
        percurso = self.percorrer(texto, atencao, desligadas, gancho)
        if percurso.pesos:
            return torch.stack(percurso.pesos)
        # A atenção do torch não mostra os pesos; mas, se os valores são as linhas da identidade, a saída dela são eles.
        return torch.stack(
            [F.scaled_dot_product_attention(q, k, torch.eye(k.shape[1]), ~m) for q, k, _, m in percurso.entregues]
        )


class ModeloCausal(Modelo):
    """Um modelo que prevê o próximo token. `passar` devolve os logits (T, V) e `fim` é o conjunto de tokens finais."""

    fim: set[int] = set()

    def texto(self, ids: Sequence[int]) -> str:
        raise NotImplementedError

    @torch.no_grad()
    def logits(self, texto: Texto, atencao: Atencao | None = None, desligadas=(), gancho=None) -> Tensor:
        """Os logits do próximo token em cada posição: (T, V)."""
        return self.passar(self.ids(texto), self._percurso(atencao, desligadas, gancho))

    def perdas(self, texto: Texto, atencao: Atencao | None = None, desligadas=(), gancho=None) -> Tensor:
        """−log p de cada token depois do primeiro, em nats: (T − 1,)."""
        ids = self.ids(texto)
        if len(ids) < 2:
            raise ValueError("A perda precisa de ao menos dois tokens: o primeiro não é previsto por ninguém.")
        logits = self.logits(ids, atencao, desligadas, gancho)
        return F.cross_entropy(logits[:-1], torch.tensor(ids[1:]), reduction="none")

    def perplexidade(self, texto: Texto, atencao: Atencao | None = None, desligadas=(), gancho=None) -> float:
        """exp da perda média: entre quantos tokens, em média, o modelo hesita."""
        return self.perdas(texto, atencao, desligadas, gancho).mean().exp().item()

    @torch.no_grad()
    def gerar(self, texto: Texto, n: int = 20, atencao: Atencao | None = None, desligadas=(), gancho=None) -> str:
        """A continuação do texto, até n tokens, sempre o mais provável; para no token que termina o texto."""
        ids, percurso = self.ids(texto), self._percurso(atencao, desligadas, gancho)
        novos: list[int] = []
        memoria: dict = {}
        while len(novos) < n and len(ids) + len(novos) < LIMITE:
            logits = self._proximo(ids + novos, percurso, memoria)  # (V,)
            escolhido = int(logits.argmax())
            if escolhido in self.fim:
                break
            novos.append(escolhido)
        return self.texto(novos)

    def _proximo(self, ids: list[int], percurso: Percurso, memoria: dict) -> Tensor:
        """Os logits do token que vem depois de `ids`: (V,). Quem sabe guardar chaves e valores em `memoria`, guarda."""
        return self.passar(ids, percurso)[-1]

    def cabeca(self, texto: Texto, camada: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """O que a camada entrega à atenção: q, k, v (cabeças, T, d) e a máscara (T, T)."""
        return self.percorrer(texto).entregues[camada]


# O BPE de bytes escreve cada byte com um caractere visível: ele mesmo, ou, para os 68 que não se veem, 256, 257, …
_VISIVEIS = [*range(33, 127), *range(161, 173), *range(174, 256)]
_BYTE = {chr(b): b for b in _VISIVEIS} | {
    chr(256 + n): b for n, b in enumerate(b for b in range(256) if b not in _VISIVEIS)
}


def rotulo(token: str) -> str:
    """O token como se lê num gráfico: 'Ġmanga' é '·manga', e os acentos voltam a ser acentos."""
    if not all(letra in _BYTE for letra in token):
        return token  # um token especial de outro modelo
    dados = bytes(_BYTE[letra] for letra in token)
    try:
        texto = dados.decode("utf-8")
    except UnicodeDecodeError:
        texto = "".join(chr(b) if b < 128 else f"⟨{b:02X}⟩" for b in dados)
    return texto.replace(" ", "·").replace("\n", "↵").replace("\t", "→").replace("\r", "←")


def arquivo_do_pacote(pacote: str, nome: str, tamanho: int, sha256: str) -> Path:
    """O arquivo de um pacote instalado, conferido; o pacote não é importado, porque pediria outros que não temos."""
    conserto = "Feche o JupyterLab e rode `python curso.py reparar` num terminal, na pasta do curso."
    achado = importlib.util.find_spec(pacote)
    caminho = Path(achado.submodule_search_locations[0], nome) if achado and achado.submodule_search_locations else None
    if caminho is None or not caminho.is_file():
        raise ModeloIndisponivel(f"O arquivo {Path(nome).name}, do pacote {pacote}, não está instalado. {conserto}")
    if caminho.stat().st_size != tamanho:
        raise ModeloIndisponivel(
            f"O arquivo {caminho.name} tem {caminho.stat().st_size} bytes, e não {tamanho}: a instalação parou no meio."
            f" {conserto}"
        )
    with open(caminho, "rb") as f:
        if hashlib.file_digest(f, "sha256").hexdigest() != sha256:
            raise ModeloIndisponivel(f"O arquivo {caminho.name} foi alterado depois de instalado. {conserto}")
    return caminho
