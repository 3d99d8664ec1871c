"""O que se conta, ao aluno e ao instrutor, do que foi consertado: uma frase por tipo de conserto, e só do que houve."""

from correcao.chegada.reparo.analise import plural, quantas
from correcao.chegada.reparo.celulas import Celula
from correcao.chegada.reparo.lista import Lista
from correcao.chegada.reparo.montagem import Montagem
from helpers.escrita import enumerar

_VOLTARAM = "Voltaram a ser como foram emitidas as conferências"
_DE_VOLTA = "de volta."
_AO_TEXTO = "voltou ao texto com que foi emitida", "voltaram ao texto com que foram emitidas"


def contar_do_kernel(dado: dict, lista: Lista) -> list[str]:
    """O que dizer de um notebook que pede outro kernel; vale sempre o da lista."""
    metadados = dado.get("metadata")
    kernel = metadados.get("kernelspec") if isinstance(metadados, dict) else None
    nome = kernel.get("name") if isinstance(kernel, dict) else None
    if nome is None or nome == lista.metadados.get("kernelspec", {}).get("name"):
        return []
    return ["O notebook pedia um kernel que não é o da lista; foi usado o da lista."]


def contar(montagem: Montagem, antiga: bool = False) -> list[str]:
    """As frases, das marcas às respostas; de uma entrega de outra versão da lista, não se diz o que só falta nela."""
    partes = (_das_marcas, _das_travadas, _das_repetidas, _das_respostas_juntas, _de_cada_codigo, _de_cada_texto)
    frases = [frase for parte in partes for frase in parte(montagem)]
    return [frase for frase in frases if not (antiga and frase.endswith(_DE_VOLTA))]


def _das_marcas(montagem: Montagem) -> list[str]:
    frases = []
    n = _sem_marca(montagem)
    if n:
        frases.append(
            f"{quantas(n)} da lista {plural(n, 'estava', 'estavam')} sem a marca do nbgrader, ou com a de outra; "
            f"{plural(n, 'foi reconhecida', 'foram reconhecidas')} pelo que {plural(n, 'diz', 'dizem')}."
        )
    if montagem.triagem.marca_alterada:
        frases.append("As marcas do nbgrader tinham sido alteradas; valem as da lista.")
    return frases


def _sem_marca(montagem: Montagem) -> int:
    """Quantas células da lista foram reconhecidas só pelo que dizem."""
    triagem, respostas = montagem.triagem, montagem.respostas
    copias, pista = triagem.copias, triagem.pista
    travadas = {c for cs in copias.values() for c in cs} & triagem.sem_marca
    codigos = {c for r, c in respostas.dono.items() if c in triagem.sem_marca or (pista[c] is None and r not in copias)}
    textos = {c for m in respostas.pela_posicao if m not in copias for c in respostas.de_texto[m]}
    return len(travadas) + len(codigos | textos)


def _das_travadas(montagem: Montagem) -> list[str]:
    lista, editadas = montagem.lista, montagem.triagem.editadas
    frases = []
    testes = sorted(editadas & set(lista.testes))
    if testes:
        verbos = plural(len(testes), "Voltou a ser como foi emitida a conferência", _VOLTARAM)
        frases.append(f"{verbos} {enumerar(map(lista.rotulo, testes))}.")
    n = len(editadas - set(testes))
    if n:
        frases.append(f"{quantas(n)} da lista {plural(n, *_AO_TEXTO)}.")
    n = sum(not montagem.respostas.presente(i) for i in range(len(lista.emitidas)))
    if n:
        frases.append(
            f"{quantas(n)} da lista {plural(n, 'faltava e foi posta', 'faltavam e foram postas')} {_DE_VOLTA}"
        )
    n = montagem.fora_de_ordem
    if n:
        frases.append(f"{quantas(n)} {plural(n, 'estava', 'estavam')} fora de ordem; vale a ordem da lista.")
    return frases


def _das_repetidas(montagem: Montagem) -> list[str]:
    triagem, lista = montagem.triagem, montagem.lista
    frases = []
    travadas = [cs for i, cs in triagem.copias.items() if i not in lista.codigos and i not in lista.textos]
    n = montagem.respostas.repetidas + sum(len(cs) - 1 for cs in travadas)
    if n:
        frases.append(f"{quantas(n)} da lista {plural(n, 'estava repetida', 'estavam repetidas')}; ficou uma de cada.")
    if triagem.separadas:
        frases.append("Havia conferências da lista junto de outro código; cada uma voltou à sua célula.")
    if triagem.etiquetadas:
        frases.append(f"Foram retiradas as etiquetas (tags) de {quantas(triagem.etiquetadas).lower()}.")
    return frases


# ---------------------------------------------------------------- as respostas


def _compartilhadas(montagem: Montagem) -> list[int]:
    """As respostas que estavam em uma mesma célula."""
    dono = montagem.respostas.dono
    return sorted(r for r, c in dono.items() if sum(d is c for d in dono.values()) > 1)


def _das_respostas_juntas(montagem: Montagem) -> list[str]:
    frases = []
    if montagem.triagem.partidas:
        frases.append("Uma função ou uma classe estava partida em mais de uma célula; as partes foram juntadas.")
    compartilhadas = _compartilhadas(montagem)
    if compartilhadas:
        nomes = enumerar(map(montagem.lista.rotulo, compartilhadas))
        frases.append(f"As respostas {nomes} estavam em uma mesma célula; ela foi repetida em cada questão.")
    return frases


def _de_cada_codigo(montagem: Montagem) -> list[str]:
    triagem, dono = montagem.triagem, montagem.respostas.dono
    compartilhadas, frases = _compartilhadas(montagem), []
    for r, celula in sorted(dono.items()):
        frases += _de_onde_veio(montagem, r, celula, r in compartilhadas)
        donas = dono.values()
        if any(c is not celula and triagem.pista[c] == r and c not in donas for c in triagem.soltas):
            frases.append(
                f"Mais de uma célula dizia ser a resposta {montagem.lista.rotulo(r)}; valeu a última antes da "
                "conferência, e as outras continuam no notebook."
            )
    return frases


def _de_onde_veio(montagem: Montagem, r: int, celula: Celula, compartilhada: bool) -> list[str]:
    """Onde estava a resposta `r`, se não era na sua célula."""
    copias, pista, rotulo = montagem.triagem.copias, montagem.triagem.pista[celula], montagem.lista.rotulo(r)
    if celula.tipo != "code":
        return [f"A resposta {rotulo} estava em uma célula de texto; voltou a ser código."]
    if pista not in (None, r) and not compartilhada:
        return [f"A resposta {rotulo} estava na célula de outra questão; foi posta na sua."]
    if r in copias and pista is None:
        return [f"A resposta {rotulo} estava fora da sua célula; foi posta nela."]
    if any(not c.vazia for c in copias.get(r, ())) and not compartilhada:
        return [f"Havia uma cópia da célula {rotulo} ainda sem resposta; foi retirada."]
    return []


def _de_cada_texto(montagem: Montagem) -> list[str]:
    respostas, frases = montagem.respostas, []
    for m, partes in sorted(respostas.de_texto.items()):
        rotulo = montagem.lista.rotulo(m)
        if len(partes) > 1:
            frases.append(f"A resposta {rotulo} estava em mais de uma célula; foram juntadas.")
        if m in respostas.pela_posicao and m in montagem.triagem.copias:
            frases.append(f"A resposta {rotulo} estava fora da sua célula; foi posta nela.")
    return frases
