"""O que se guarda da saída de um explorador: a imagem e o HTML. O controle vivo depende de um kernel que já se foi."""

from typing import Any

CONTROLE = "application/vnd.jupyter.widget-view+json"


def sem_controles(nb: dict[str, Any]) -> None:
    """Tira do notebook os controles vivos. Quem só tinha o controle some; quem tem também uma imagem fica com ela."""
    for celula in nb.get("cells", []):
        saidas = celula.get("outputs", [])
        for saida in saidas:
            dados = saida.get("data", {})
            if CONTROLE in dados and "image/png" in dados:
                del dados[CONTROLE]
        if "outputs" in celula:
            celula["outputs"] = [s for s in saidas if CONTROLE not in s.get("data", {})]


def ao_salvar(model: dict[str, Any], **_outros: Any) -> None:
    """O gancho do Jupyter, chamado antes de gravar: assim o notebook reabre com a imagem, e não com um aviso."""
    if model.get("type") == "notebook" and model.get("content"):
        sem_controles(model["content"])
