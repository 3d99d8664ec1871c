"""Llama 3.2, ou outro modelo do Hugging Face, com a mesma interface de helpers/llm.py, para quem tem o transformers.

O curso não instala o transformers nem baixa modelos; `carregar_do_hub` diz o que falta e como conseguir.
"""

import html
import importlib.util
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import torch
from torch import Tensor

from helpers import RAIZ
from helpers.espera import esperando
from helpers.llm_comum import ModeloCausal, ModeloIndisponivel, Percurso, Texto, rotulo

LOCK = RAIZ / "configuracao" / "locks" / "llama.lock"
NOME = "atencao_do_curso"  # como o transformers vai chamar a nossa atenção


def _atender(modulo, q, k, v, mascara, scaling=None, *, percurso: Percurso, **extras):
    """A atenção de uma camada, como o transformers a chama: q (1, H, T, d), k e v (1, H_kv, T, d) → (1, T, H, d)."""
    if extras.get("softcap") is not None or extras.get("s_aux") is not None:
        raise ModeloIndisponivel("A atenção deste modelo tem um passo a mais que a nossa; escolha outro, como o Llama.")
    k, v = (x[0].repeat_interleave(q.shape[1] // k.shape[1], dim=0) for x in (k, v))  # (H, T, d)
    if scaling is not None:
        q = q * (scaling * q.shape[-1] ** 0.5)  # a atenção divide por √d; isto deixa a escala que o modelo pede
    saida = percurso.atender(modulo.layer_idx, q[0], k, v, mascara[0, 0] < 0)  # na máscara deles, o escondido é −∞
    return saida.transpose(0, 1)[None], None


class DoHub(ModeloCausal):
    """Um modelo do transformers em que cada camada entrega q, k e v ao `Percurso`, como no SmolLM2."""

    def __init__(self, onde: str):
        from transformers import AttentionInterface, AttentionMaskInterface, AutoModelForCausalLM, AutoTokenizer
        from transformers.masking_utils import eager_mask

        AttentionInterface.register(NOME, _atender)
        AttentionMaskInterface.register(NOME, eager_mask)
        do_disco = {"local_files_only": Path(onde).is_dir() or not _ha_rede()}
        self.tokenizador = AutoTokenizer.from_pretrained(onde, **do_disco)
        self.rede = AutoModelForCausalLM.from_pretrained(
            onde, dtype=torch.float32, attn_implementation=NOME, **do_disco
        ).eval()
        config = self.rede.config.get_text_config()
        self.nome = onde
        self.camadas, self.cabecas = config.num_hidden_layers, config.num_attention_heads
        self.dim_cabeca = getattr(config, "head_dim", None) or config.hidden_size // self.cabecas
        self.vocabulario = self.rede.get_input_embeddings().num_embeddings
        fim = self.rede.generation_config.eos_token_id
        self.fim = set(fim) if isinstance(fim, list) else {fim}
        self.em_bytes = "Ġ" in self.tokenizador.get_vocab()

    def _ids(self, texto: str) -> list[int]:
        return self.tokenizador(texto).input_ids  # com o token de início, se o modelo tem um

    def texto(self, ids: Sequence[int]) -> str:
        return self.tokenizador.decode([int(i) for i in ids])

    def tokens(self, texto: Texto) -> list[str]:
        """Um rótulo por token; `·` é o espaço."""
        tokens = self.tokenizador.convert_ids_to_tokens(self.ids(texto))
        return [rotulo(token) if self.em_bytes else token.replace("▁", "·") for token in tokens]

    def passar(self, ids: list[int], percurso: Percurso) -> Tensor:
        return self.rede(torch.tensor([ids]), use_cache=False, percurso=percurso).logits[0].float()  # (T, V)

    def _proximo(self, ids: list[int], percurso: Percurso, memoria: dict) -> Tensor:
        if not percurso.comum:  # a máscara prometida é quadrada: com a atenção do aluno, tudo é lido de novo
            return self.passar(ids, percurso)[-1]
        novos = torch.tensor([ids[memoria.get("lidos", 0) :]])
        saida = self.rede(novos, past_key_values=memoria.get("cache"), use_cache=True, percurso=percurso)
        memoria.update(lidos=len(ids), cache=saida.past_key_values)
        return saida.logits[0, -1].float()


def _ha_rede() -> bool:
    """O hub responde? Sem esta pergunta, o transformers insiste por mais de um minuto antes de desistir."""
    from huggingface_hub import constants
    from huggingface_hub.utils import get_session

    try:
        get_session().head(constants.ENDPOINT, timeout=5)
    except Exception:  # cada maneira de não ter rede levanta um erro diferente
        return False
    return True


@cache
def carregar_do_hub(onde: str) -> DoHub:
    """Um modelo causal do Hugging Face ("meta-llama/Llama-3.2-1B") ou de uma pasta do computador, em float32.

    Conte 4 bytes por parâmetro: o Llama 3.2 de 1 bilhão ocupa 5 GB na memória.
    """
    if importlib.util.find_spec("transformers") is None:
        raise ModeloIndisponivel(
            "Este modelo precisa do transformers, que o curso não instala; para tê-lo, rode numa célula "
            f'`%pip install --no-deps -r "{LOCK}"` e reinicie o kernel.'
        )
    try:
        with esperando(f"Trazendo o modelo {html.escape(str(onde))}. Da primeira vez, pode levar alguns minutos…"):
            return DoHub(str(onde))
    except ModeloIndisponivel:
        raise
    except Exception as erro:
        raise ModeloIndisponivel(_explicar(str(onde), erro)) from erro


def _explicar(onde: str, erro: Exception) -> str:
    """A frase para o aluno; o transformers embrulha os erros do hub em OSError, e a causa diz qual foi."""
    tipos = {type(causa).__name__ for causa in _causas(erro)}
    if "GatedRepoError" in tipos:
        return (
            f"O modelo {onde} é fechado: aceite a licença na página dele no Hugging Face, rode `hf auth login` num "
            "terminal e tente de novo."
        )
    if "RepositoryNotFoundError" in tipos or "HFValidationError" in tipos:
        return f"Não há modelo chamado {onde} no Hugging Face, nem pasta com esse nome no computador."
    if tipos & {"LocalEntryNotFoundError", "OfflineModeIsEnabled", "ConnectError", "ConnectionError", "ConnectTimeout"}:
        return f"Sem rede não dá para baixar {onde}: conecte-se, ou dê a pasta de um modelo que já está no computador."
    resumo = f"{type(erro).__name__}: {str(erro).strip().splitlines()[0]}" if str(erro).strip() else type(erro).__name__
    if Path(onde).is_dir():
        return f"A pasta {onde} não tem um modelo causal que o transformers saiba ler ({resumo})."
    return f"O transformers não conseguiu carregar {onde} ({resumo})."


def _causas(erro: BaseException | None) -> Iterator[BaseException]:
    while erro is not None:
        yield erro
        erro = erro.__cause__ or erro.__context__
