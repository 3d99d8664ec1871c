"""Atende a tela: um pedido em dados, uma resposta em dados. O que cada um quer dizer está no CONTRATO.md."""

import importlib
import json
import re
import time
from collections.abc import Callable
from typing import Any

from helpers.autoria.tipos import como_na_entrada
from helpers.conferencia import na_celula
from helpers.conferencia.exame import nao_escrita, passa
from helpers.conferencia.parecer import CERTA, NAO_RODOU, POR_OUTRA, Parecer, dar_parecer
from helpers.conferencia.referencia import carregar
from helpers.escrita import enumerar
from sitio.lista.na_pagina import minhas as de_outras
from sitio.lista.na_pagina.celulas import Celula, Escritor, Espaco, Parada, escrevendo
from sitio.lista.na_pagina.sem_torch import TORCH, SemTorch

Dados = dict[str, Any]
SEM_TORCH, FALTA_OUTRA = "sem-torch", "falta-outra"
RODOU, ERRO = "rodou", "erro"
_SO_COM_TORCH = (
    "Esta questão pede um módulo do torch, que não roda na página. O que você escrever fica guardado: baixe a lista e "
    "confira-a com o curso instalado."
)


class Atendente:
    """O Python de uma lista aberta: os nomes do notebook, e o que a tela entregou das outras."""

    def __init__(self, lista: str):
        self.lista = lista
        self.espaco = Espaco()
        self.minhas = de_outras.instalar(lista)

    def atender(self, pedido: str, mostrar: Callable[[str], None] = lambda _texto: None) -> str:
        """O pedido e a resposta, em JSON; `mostrar` recebe o que uma célula imprime, na hora."""
        dado = json.loads(pedido)
        if self.minhas.entregar(dado.get("outras") or {}):
            self.espaco.recomecar()
        celulas = [Celula(c["id"], c.get("nome") or "", c["texto"]) for c in dado.get("celulas", [])]
        feito = getattr(self, f"_{dado['que']}")(dado, celulas, mostrar)
        origens = de_outras.como_dados(self.minhas.origens(), set(feito.pop("emprestadas", ())))
        return json.dumps(feito | {"avisos": feito.get("avisos", []), "minhas": origens}, ensure_ascii=False)

    # ------------------------------------------------------------ rodar

    def _rodar(self, dado: Dados, celulas: list[Celula], mostrar: Callable[[str], None]) -> Dados:
        i = next(i for i, c in enumerate(celulas) if c.id == dado["id"])
        antes = [c for c in celulas[:i] if c.roda]
        self._por_em_dia(antes, celulas[i])
        escritor = Escritor(mostrar)
        with escrevendo(escritor):
            valor, parada = self.espaco.rodar(celulas[i])
            escrito = "" if valor is None or parada else _repr(valor)
        if len(self.espaco.rodadas) == len(antes):
            self.espaco.rodadas.append(celulas[i])
        dito: Dados = {"situacao": ERRO if parada else RODOU, "saida": escritor.texto(), "valor": escrito}
        dito |= {"frase": parada.frase if parada else "", "linha": parada.linha if parada else None}
        return dito | {"onde": parada.celula if parada else None, "cortada": escritor.cortado, **self._avisos(antes)}

    def _por_em_dia(self, antes: list[Celula], celula: Celula) -> None:
        """As de cima; se a própria célula já rodou, e nada mudou nem veio depois dela, roda outra vez onde está."""
        rodadas = self.espaco.rodadas
        if len(rodadas) > len(antes) and rodadas[len(antes)].id == celula.id:
            del rodadas[len(antes) :]
        self.espaco.por_em_dia(antes)

    def _avisos(self, antes: list[Celula]) -> Dados:
        paradas = [self.espaco.paradas[c.id] for c in antes if c.id in self.espaco.paradas]
        return {"avisos": [f"Uma célula de cima não chegou ao fim. {p.frase}" for p in paradas if not p.sem_torch]}

    def _por_em_dia_tudo(self, _dado: Dados, celulas: list[Celula], _mostrar: Callable[[str], None]) -> Dados:
        self.espaco.por_em_dia([c for c in celulas if c.roda])
        return {"situacao": RODOU, **self._avisos(celulas)}

    # ------------------------------------------------------------ conferir

    def _conferir(self, dado: Dados, celulas: list[Celula], _mostrar: Callable[[str], None]) -> Dados:
        questao, inicio = dado["questao"], time.perf_counter()
        fim = next((i for i, c in enumerate(celulas) if c.confere(questao)), len(celulas))
        self.espaco.por_em_dia([c for c in celulas[:fim] if c.roda])
        SemTorch.pedido = False
        with self.minhas.emprestando(questao, self.espaco.nomes) as emprestadas:
            parecer, parada = self._parecer(questao, celulas[:fim])
            usadas = {n for n, e in emprestadas.items() if e.usada}
            faltou = [n for n, e in emprestadas.items() if e.faltou]
        if parecer.situacao not in (CERTA, POR_OUTRA):
            parecer = self._por_que_nao_daqui(parecer, faltou)
        marca = "✓" if parecer.situacao in (CERTA, POR_OUTRA) else "✗"
        titulo = f"{marca} {questao.rpartition('/')[2]}" + (f" ({parecer.equivoco})" if parecer.equivoco else "")
        onde = {"linha": parada.linha if parada else None, "onde": parada.celula if parada else None}
        segundos = round(time.perf_counter() - inicio, 3)
        return vars(parecer) | onde | {"titulo": titulo, "segundos": segundos, "emprestadas": usadas}

    def _parecer(self, questao: str, celulas: list[Celula]) -> tuple[Parecer, Parada | None]:
        """O de quem confere; ou por que a função não está no notebook."""
        funcao = questao.rpartition("/")[2]
        if funcao in self.espaco.nomes and not na_celula.nao_rodou(funcao):
            try:
                return dar_parecer(questao, self.espaco.nomes[funcao]), None
            except SemTorch:  # não foi a resposta: quem a chama é que precisa dele
                return Parecer(SEM_TORCH, _SO_COM_TORCH), None
        paradas = self.espaco.paradas
        culpada = next((c for c in reversed(celulas) if c.id in paradas and _define(funcao, c)), None)
        if culpada is None:
            return Parecer(NAO_RODOU, na_celula.nao_existe(funcao)), None
        parada = paradas[culpada.id]
        situacao = SEM_TORCH if parada.sem_torch else NAO_RODOU
        return Parecer(situacao, na_celula.nao_rodou(funcao) or parada.frase), parada

    def _por_que_nao_daqui(self, parecer: Parecer, faltou: list[str]) -> Parecer:
        """Se o que a resposta pediu não há na página, é isso que se diz, e não que ela está errada."""
        if SemTorch.pedido:
            return parecer if parecer.situacao == SEM_TORCH else Parecer(SEM_TORCH, TORCH)
        de_fora = {o.nome: o for o in self.minhas.origens() if o.veio == de_outras.FALTA}
        faltam = [de_fora[n] for n in de_fora if n in faltou or de_fora[n].por_extenso() in parecer.frase]
        if faltam:
            frase = "; ".join(o.por_extenso() for o in faltam)
            return Parecer(FALTA_OUTRA, f"Não há como conferir aqui: {frase}.")
        return parecer

    # ------------------------------------------------------------ o fim da lista

    def _veja(self, dado: Dados, celulas: list[Celula], _mostrar: Callable[[str], None]) -> Dados:
        prontas, avisos = self._prontas(celulas)
        try:
            with escrevendo(Escritor()):
                modulo = importlib.import_module("sitio.lista.tela_veja")
                dados = modulo.dados(self.lista, prontas, dado.get("frase") or "")
        except Exception as erro:  # passou nos casos visíveis e falhou no desenho: é da função dele
            frase = f"Uma das suas funções parou no meio do desenho: {type(erro).__name__}: {erro}"
            return {"situacao": ERRO, "frase": frase, "avisos": avisos, "dados": None}
        return {"situacao": CERTA, "frase": "", "avisos": avisos, "dados": dados}

    def _enganar(self, dado: Dados, celulas: list[Celula], _mostrar: Callable[[str], None]) -> Dados:
        from helpers.engane import perguntar
        from helpers.exemplos import VOCABULARIO

        prontas, _ = self._prontas(celulas)
        caixa = next((c.texto for c in celulas if c.nome == "engane"), "")
        usa = re.findall(r"(\w+)=\1\b", caixa)
        conhece = {"conhece": list(VOCABULARIO), "enganou": False}
        if faltam := [nome for nome in usa if nome not in prontas]:
            quais = enumerar([f"`{nome}`" for nome in faltam])
            return conhece | {"situacao": "falta", "frase": f"Quando {quais} passar em Conferir, pergunte de novo."}
        with escrevendo(Escritor()):
            frase, enganou = perguntar(self.lista, {n: prontas[n] for n in usa}, dado["frase"], dado["certo"])
        return conhece | {"situacao": CERTA, "frase": frase, "enganou": enganou}

    def _prontas(self, celulas: list[Celula]) -> tuple[dict[str, Callable], list[str]]:
        """As funções da lista que passam na conferência; e o que se diz das outras."""
        from helpers.indice import questoes

        self.espaco.por_em_dia([c for c in celulas if c.roda])
        prontas, avisos = {}, []
        for questao in questoes(self.lista):
            funcao = questao.rpartition("/")[2]
            certa, registros = passa(carregar(questao), self.espaco.nomes.get(funcao))
            if certa:
                prontas[funcao] = como_na_entrada(self.espaco.nomes[funcao])
                continue
            falta = "ainda não foi escrita" if nao_escrita(registros) else "ainda não passa na conferência"
            avisos.append(f"{funcao}: {falta}.")
        return prontas, avisos


def _define(funcao: str, celula: Celula) -> bool:
    return f"def {funcao}" in celula.texto or f"{funcao} =" in celula.texto or f"class {funcao}" in celula.texto


def _repr(valor: Any) -> str:
    try:
        texto = repr(valor)
    except Exception as erro:  # um __repr__ do aluno pode falhar
        texto = f"um valor que não se deixa mostrar ({type(erro).__name__})"
    return texto if len(texto) <= 20_000 else f"{texto[:20_000]}…"
