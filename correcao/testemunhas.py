"""A segunda opinião: o que um adaptador disse do resultado se sustenta no que ele viu?

Em algumas questões não há um resultado certo, e sim muitos: um lote sorteado, um treino. Quem os examina é um adaptador
(helpers/pecas), dentro do kernel do aluno, onde pode ser trocado por outro que só diz que está tudo certo. Por isso ele
entrega também a testemunha, os números que viu, e é daqui, de fora, que se confere que eles bastam.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from helpers.dados import decodificar


def confirma(adaptador: str | None, entradas: Sequence, testemunha: Any) -> bool:
    """A testemunha (codificada) basta para as entradas (codificadas) do caso? Onde não se pede uma, sim."""
    examinar = _EXAMES.get(adaptador)
    if examinar is None:
        return True
    try:
        return bool(examinar(decodificar(testemunha), *(decodificar(e, confiavel=True) for e in entradas)))
    except Exception:  # uma testemunha torta não confirma nada
        return False


def _lotes(testemunha: Any, dados: Tensor, bloco: int, lote: int, _gerador: Any) -> bool:
    """x e y (vezes, lote, bloco): todas as linhas são trechos de dados, y um passo à frente, e há de todos."""
    x, y = testemunha
    if x.dim() != 3 or x.shape != y.shape or x.shape[1:] != (lote, bloco) or len(x) < 100:
        return False
    janelas = dados.unfold(0, bloco, 1)  # (m + 1, bloco): todas diferentes
    iguais = (x.flatten(0, 1)[:, None] == janelas[:-1]).all(-1)  # (vezes · lote, m)
    comecos = iguais.int().argmax(-1)
    certos = iguais.any(-1).all() and (y.flatten(0, 1) == janelas[1:][comecos]).all()
    return bool(certos) and len(comecos.unique()) == len(janelas) - 1


def _sobreajustar(testemunha: Any, modelo: Any, x: Tensor, y: Tensor, passos: int) -> bool:
    """As perdas e os parâmetros do fim: com eles, o modelo erra mesmo menos do que errava?"""
    perdas, parametros = testemunha
    pares = list(zip(modelo.parameters(), parametros, strict=True))
    if len(perdas) != passos or any(p.shape != novo.shape for p, novo in pares):
        return False
    mudou = any(not torch.equal(p, novo) for p, novo in pares)
    with torch.no_grad():
        comeco = float(modelo(x, y)[1])
        for p, novo in pares:
            p.copy_(novo)
        fim = float(modelo(x, y)[1])
    return mudou and (fim < 0.1 if passos >= 300 else fim <= comeco or passos == 1)


def _tarefa_de_copia(testemunha: Any, _lote: int, L: int, V: int, _semente: int) -> bool:
    """x e y (muitas, 2·L + 1): tokens, separador e tokens; e o alvo é o próximo, a partir do separador."""
    x, y = testemunha
    if x.shape != y.shape or x.dim() != 2 or x.shape[1] != 2 * L + 1:
        return False
    tokens, alvo = x[:, :L], torch.full_like(x, -100)
    alvo[:, L - 1 : -1] = x[:, L:]
    certos = (x[:, L] == 0).all() and torch.equal(x[:, L + 1 :], tokens) and torch.equal(y, alvo)
    variados = len(tokens.unique(dim=0)) > 1 and tokens.unique().tolist() == list(range(1, V))
    return bool(certos) and variados


_EXAMES: dict[str | None, Callable[..., bool]] = {
    "lista_08.lotes": _lotes,
    "lista_08.sobreajustar": _sobreajustar,
    "lista_09.tarefa_de_copia": _tarefa_de_copia,
}
