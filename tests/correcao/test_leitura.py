"""A leitura das questões abertas: a rubrica em caixas, a nota no livro do nbgrader, e a página de `ler`."""

import asyncio
import csv
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time

import nbformat
import pytest
from ao_mesmo_tempo import ao_mesmo_tempo
from conftest import RAIZ, entregar, listas, png
from matplotlib.mathtext import MathTextParser
from nbgrader.api import Gradebook
from nbgrader.utils import is_grade, is_solution
from tornado import httpserver, netutil

from correcao.chegada import reparo
from correcao.comum import pagina
from correcao.devolucao import devolver, ler
from correcao.juizo import preprocessadores
from correcao.juizo.corrigir import corrigir
from correcao.livro import leitura
from correcao.livro.criterios import abertas_de, comentario, promessas
from correcao.livro.turma import Turma

LISTA, Q1, Q2 = "lista-03-escala", "discussao-1", "discussao-2"
HOSTIL = "A variância é $d_k$.\n\n<script>window.invadido = 1</script>\n\n"
HOSTIL += "<img src=x onerror='window.invadido = 1'> [aqui](javascript:x)"
TOKEN = "segredo-do-teste"


def fonte(lista):
    return nbformat.read(RAIZ / "source" / lista / f"{lista}.ipynb", as_version=4)


# ---------------------------------------------------------------- a rubrica


@pytest.mark.parametrize("lista", listas())
def test_toda_rubrica_vira_caixas_que_somam_os_pontos_da_questao(lista):
    abertas = abertas_de(fonte(lista))
    assert abertas
    for aberta in abertas:
        assert sum(c.valor for c in aberta.criterios) == aberta.pontos and len(aberta.criterios) >= 2
        prometido = promessas(aberta.enunciado)
        assert ("\nVale" in aberta.enunciado) == bool(prometido)
        if prometido:  # o aluno lê de volta o que o enunciado lhe prometeu
            assert [(c.valor, c.dito) for c in aberta.criterios] == prometido


def test_as_formulas_dos_enunciados_e_das_rubricas_sao_desenhadas_sem_rede():
    parser, feias = MathTextParser("path"), []
    for aberta in (a for lista in listas() for a in abertas_de(fonte(lista))):
        texto = "\n".join(
            [aberta.enunciado, aberta.antes, aberta.depois, aberta.modelo, *(c.rubrica for c in aberta.criterios)]
        )
        for achado in pagina._FORMULA.finditer(texto):
            try:
                parser.parse(f"${pagina.em_mathtext(achado[1] or achado[2])}$")
            except ValueError:
                feias.append(achado[0])
    assert feias == []


def test_as_caixas_escrevem_o_comentario_e_o_resto_e_de_quem_le():
    aberta = abertas_de(fonte(LISTA))[0]
    avaliados = aberta.avaliar([1, 0.5, 0, 1])
    assert sum(a.pontos for a in avaliados) == 0.625
    assert comentario(avaliados) == (
        "Só metade do 0,25 por dizer que hipótese você quebrou e medir o desvio sem essa quebra. "
        "Faltou 0,25 por explicar por que as parcelas deixaram de se cancelar."
    )
    assert leitura.sem_automatico(f"{comentario(avaliados)}\nLeia a aula 03.", avaliados) == "Leia a aula 03."
    with pytest.raises(ValueError, match="4 critérios"):
        aberta.avaliar([1, 1])


def test_uma_rubrica_sem_itens_que_somem_e_so_texto():
    nb = fonte(LISTA)
    celula = next(c for c in nb.cells if is_grade(c) and is_solution(c))
    celula.source = celula.source.replace("**As matrizes (0,25).**", "**As matrizes (0,5).**")
    aberta = abertas_de(nb)[0]
    assert aberta.criterios == [] and "As matrizes" in aberta.antes


@pytest.mark.parametrize(("texto", "nota"), [("0,75", 0.75), ("0.75", 0.75), (" 1 ", 1), (",5", 0.5), ("0,", 0)])
def test_a_nota_se_escreve_com_virgula_ou_com_ponto(texto, nota):
    assert leitura.ler_pontos(texto, 1) == nota


@pytest.mark.parametrize("texto", ["1,5", "-0,5", "nan", "1e0", "0,7,5", "٠", "", "um", "1" * 400])
def test_o_que_nao_e_uma_nota_e_recusado_com_uma_frase(texto):
    with pytest.raises(leitura.NotaRecusada, match="de 0 a 1, como 0,75"):
        leitura.ler_pontos(texto, 1)


# ---------------------------------------------------------------- o livro de notas


@pytest.fixture(scope="module")
def corrigida(tmp_path_factory, com_ou_sem_caixa):
    """Ana e Bia responderam só às questões abertas; Caio, a nenhuma."""
    pasta = tmp_path_factory.mktemp("turma")
    responder(pasta, "ana", HOSTIL)
    responder(pasta, "bia", "Cada empurrão some.")
    entregar(pasta, LISTA, "caio", {})
    (pasta / "moodle.json").write_text(json.dumps({LISTA: {"ana": {"nome": "Ana D'Ávila", "id": "1", "pasta": "x"}}}))
    corrigir(LISTA, raiz=pasta)
    return pasta


@pytest.fixture
def turma(corrigida, tmp_path):
    pasta = tmp_path / "turma"
    shutil.copytree(corrigida, pasta)
    return Turma(pasta)


def responder(pasta, aluno, texto, mexer=None):
    return entregar(pasta, LISTA, aluno, {}, texto, mexer=mexer)


def questao(turma, aluno, qual=Q1):
    return next(q for q in turma.entrega(LISTA, aluno).questoes if q.id == qual)


def situacao(turma, aluno, qual=Q1):
    with turma.livro() as livro:
        return leitura.situacoes(livro, LISTA)[aluno, qual]


def test_a_nota_vai_para_o_livro_do_nbgrader_com_quem_a_deu(turma):
    leitura.dar_nota(turma, LISTA, "ana", Q1, quem="Bruno", fracoes=[1, 1, 0, 0.5])
    with Gradebook(f"sqlite:///{turma.raiz / 'gradebook.db'}") as livro:  # como o formgrader o vê
        nota = livro.find_grade(Q1, LISTA, LISTA, "ana")
        assert (nota.manual_score, nota.score, nota.needs_manual_grade) == (0.625, 0.625, False)
        assert livro.find_comment(Q1, LISTA, LISTA, "ana").comment.startswith("Faltou 0,25 por explicar")
    feita = situacao(turma, "ana")
    assert (feita.quem, feita.lida, [a.fracao for a in feita.criterios]) == ("Bruno", True, [1, 1, 0, 0.5])
    assert not situacao(turma, "ana", Q2).lida and situacao(turma, "caio").vazia and situacao(turma, "caio").lida


def test_a_nota_dada_no_formgrader_aparece_e_nao_se_diz_que_e_de_outro(turma):
    leitura.dar_nota(turma, LISTA, "ana", Q1, quem="Bruno", fracoes=[1, 1, 0, 0])
    with turma.livro() as livro:
        livro.find_grade(Q1, LISTA, LISTA, "ana").manual_score = 0.75
        livro.db.commit()
    feita = situacao(turma, "ana")
    assert (feita.pontos, feita.quem, feita.criterios) == (0.75, leitura.FORMGRADER, [])
    assert questao(turma, "ana").criterios == []


def test_quem_grava_por_cima_de_outro_e_avisado_e_ve_a_nota_dele(turma):
    vista = situacao(turma, "ana").versao
    leitura.dar_nota(turma, LISTA, "ana", Q1, quem="Bruno", fracoes=[1, 1, 1, 1], versao=vista)
    with pytest.raises(leitura.Ultrapassada, match="Bruno deu 1 a esta resposta") as recusa:
        leitura.dar_nota(turma, LISTA, "ana", Q1, quem="Carla", pontos=0.25, versao=vista)
    assert situacao(turma, "ana").pontos == 1
    leitura.dar_nota(turma, LISTA, "ana", Q1, quem="Carla", pontos=0.25, versao=recusa.value.agora.versao)
    assert (situacao(turma, "ana").pontos, situacao(turma, "ana").quem) == (0.25, "Carla")
    with turma.livro() as livro:  # as duas ficam escritas
        assert [linha.quem for linha in livro.db.execute(leitura.LEITURAS.select())] == ["Bruno", "Carla"]


def test_de_varios_que_gravam_ao_mesmo_tempo_so_um_passa(turma):
    assert ao_mesmo_tempo(turma.raiz, LISTA, "ana", Q1) == [1, 3]


def test_a_resposta_que_nao_mudou_fica_com_a_nota_e_a_que_mudou_volta_a_fila(turma):
    for aluno in ("ana", "bia"):
        leitura.dar_nota(turma, LISTA, aluno, Q1, quem="Bruno", fracoes=[1, 0, 0, 0])
    leitura.dar_nota(turma, LISTA, "bia", Q2, quem="Bruno", pontos=1.0)
    responder(turma.raiz, "ana", HOSTIL + "  \n")  # salvou outra vez: o texto é o mesmo

    def outra_na_primeira(nb):
        next(c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade_id") == Q1).source = "Agora sim: $d_k$."

    responder(turma.raiz, "bia", "Cada empurrão some.", outra_na_primeira)
    corrigir(LISTA, raiz=turma.raiz, de_novo=True)
    assert [(situacao(turma, a).lida, situacao(turma, a).pontos) for a in ("ana", "bia")] == [
        (True, 0.25),
        (False, 0.25),
    ]
    assert situacao(turma, "bia", Q2).lida and not situacao(turma, "ana", Q2).lida
    assert questao(turma, "bia").espera and questao(turma, "bia").criterios == []


def test_um_defeito_nosso_ao_receber_nao_devolve_a_fila_o_que_ja_foi_lido(turma, monkeypatch):
    leitura.dar_nota(turma, LISTA, "ana", Q1, quem="Bruno", fracoes=[1, 0, 0, 0])
    with monkeypatch.context() as troca:
        troca.setattr(reparo, "reparar", lambda *_: 1 / 0)
        corrigir(LISTA, raiz=turma.raiz, de_novo=True)
    assert turma.entrega(LISTA, "ana").defeito
    for _ in range(2):  # com a lista em branco no lugar da entrega; e outra vez corrigida
        feita = situacao(turma, "ana")
        assert (feita.lida, feita.pontos, feita.quem, feita.vazia) == (True, 0.25, "Bruno", False)
        assert not situacao(turma, "ana", Q2).lida and situacao(turma, "caio").vazia
        corrigir(LISTA, raiz=turma.raiz)
    assert not turma.entrega(LISTA, "ana").defeito and questao(turma, "ana").pontos == 0.25


def test_a_nota_dada_a_quem_teve_um_defeito_fica_quando_a_correcao_se_repete(turma, monkeypatch):
    with monkeypatch.context() as troca:
        troca.setattr(preprocessadores, "_veredito", lambda *_: 1 / 0)
        corrigir(LISTA, raiz=turma.raiz, de_novo=True)
    with turma.livro() as livro:
        notas = livro.find_submission_notebook(LISTA, LISTA, "ana").grades
        assert all(n.needs_manual_grade for n in notas)  # é como o formgrader mostra que falta algo
    leitura.dar_nota(turma, LISTA, "ana", Q1, quem="Bruno", fracoes=[1, 1, 0, 0])
    corrigir(LISTA, raiz=turma.raiz)
    feita = situacao(turma, "ana")
    assert (feita.lida, feita.pontos, feita.quem) == (True, 0.5, "Bruno")
    assert not any(q.espera for q in turma.entrega(LISTA, "ana").questoes if q.id.startswith("confere-"))


def test_tirar_a_nota_devolve_a_resposta_a_fila(turma):
    leitura.dar_nota(turma, LISTA, "ana", Q1, quem="Bruno", fracoes=[1, 0, 0, 0])
    leitura.dar_nota(turma, LISTA, "ana", Q1, quem="Bruno", texto="")
    assert (situacao(turma, "ana").lida, situacao(turma, "ana").pontos, situacao(turma, "ana").quem) == (
        False,
        None,
        None,
    )


def test_o_aluno_le_de_volta_os_criterios_e_nao_a_rubrica(turma):
    avaliados = abertas_de(fonte(LISTA))[0].avaliar([1, 0.5, 0, 1])
    texto = f"{comentario(avaliados)}\nLeia a aula 03."
    leitura.dar_nota(turma, LISTA, "ana", Q1, quem="Bruno", fracoes=[1, 0.5, 0, 1], texto=texto)
    feita = devolver.devolutiva(turma.entrega(LISTA, "ana"))
    lida = re.sub(r"<svg.*?</svg>|<[^>]+>|\s+", " ", feita, flags=re.DOTALL)
    lida = re.sub(r"\s+", " ", lida)
    assert "✓ 0,25 pelas matrizes" in lida and "◐ 0,25 por dizer que hipótese você quebrou" in lida
    assert "✗ 0,25 por explicar por que as parcelas" in lida and "Comentário do instrutor Leia a aula 03." in lida
    assert "Faltou 0,25" not in lida  # a lista já o diz
    assert "Rubrica" not in feita and "Resposta-modelo" not in feita and "<script" not in feita
    assert questao(turma, "ana").comentario == texto  # inteiro, na planilha do Moodle e no formgrader


def test_a_imagem_que_o_aluno_colou_aparece_a_quem_le_e_a_ele():
    dentro = str(
        pagina.markdown('![$a$ "b"](attachment:a.png) ![c](http://fora/x.png)', {"a.png": {"image/png": png(3, 2)}})
    )
    assert dentro.count("<img") == 1 and 'src="data:image/png;base64,' in dentro and "http" not in dentro
    assert re.fullmatch(r"[^<>\"]*", re.search(r'alt="([^"]*)"', dentro)[1])


# ---------------------------------------------------------------- a página


@pytest.fixture
def servir(turma):
    """Pede à página: (método, caminho, corpo, cabeçalhos) → (código, texto)."""
    soquetes = netutil.bind_sockets(0, ler.AQUI)
    porta, laco = soquetes[0].getsockname()[1], asyncio.new_event_loop()
    mesa = ler.Mesa(turma, LISTA, "Bruno")

    def rodar():
        asyncio.set_event_loop(laco)
        httpserver.HTTPServer(ler.aplicacao(mesa, TOKEN, porta), max_body_size=ler._MAIOR_PEDIDO).add_sockets(soquetes)
        laco.run_forever()

    thread = threading.Thread(target=rodar)
    thread.start()

    def pedir(caminho, corpo=None, **cabecalhos):
        conexao = http.client.HTTPConnection(ler.AQUI, porta)
        todos = {ler.CHAVE: TOKEN, **{nome.replace("_", "-"): valor for nome, valor in cabecalhos.items()}}
        conexao.request(
            "GET" if corpo is None else "POST", caminho, None if corpo is None else json.dumps(corpo), todos
        )
        resposta = conexao.getresponse()
        return resposta.status, resposta.read().decode(), dict(resposta.getheaders())

    pedir.porta = porta
    yield pedir
    laco.call_soon_threadsafe(laco.stop)
    thread.join()
    laco.close()


def nota(turma, aluno="ana", **campos):
    vista = situacao(turma, aluno).versao
    return {
        "questao": Q1,
        "aluno": aluno,
        "versao": vista,
        "pontos": "0,75",
        "comentario": "",
        "fracoes": None,
        **campos,
    }


def test_sem_o_token_ou_vindo_de_outro_site_nada_se_le_nem_se_grava(turma, servir):
    rotas = ["/", "/quadro", f"/resposta?questao={Q1}&aluno=ana", "/outra"]
    for rota in rotas:
        assert servir(rota, X_Token="")[0] == 403 and servir(rota, X_Token="errado")[0] == 403
        assert servir(rota, Host="site-qualquer.com")[0] == 403
        assert servir(rota, Origin="http://site-qualquer.com")[0] == 403
    assert servir(f"/quadro?token={TOKEN}", X_Token="")[0] == 403  # o da barra de endereços só abre a página
    assert servir(f"/?token={TOKEN}", X_Token="")[0] == 200 and servir("/outra")[0] == 404
    for cabecalhos in (
        {"X_Token": ""},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Host": f"x:{servir.porta}"},
    ):
        codigo, texto, _ = servir("/nota", nota(turma), **cabecalhos)
        assert codigo == 403 and "Traceback" not in texto
    assert situacao(turma, "ana").pontos is None
    assert servir("/nota", nota(turma), Origin=f"http://localhost:{servir.porta}")[0] == 200
    assert (situacao(turma, "ana").pontos, situacao(turma, "ana").quem) == (0.75, "Bruno")


def test_a_pagina_se_basta_e_so_roda_o_proprio_programa(servir):
    _, texto, cabecalhos = servir("/")
    politica = cabecalhos["Content-Security-Policy"]
    nonce = re.search(r"script-src 'nonce-([^']+)'", politica)[1]
    assert "default-src 'none'" in politica and "frame-ancestors 'none'" in politica
    assert re.findall(r"<script\b[^>]*>", texto) == [
        f'<script type="application/json" id="dados" nonce="{nonce}">', f'<script nonce="{nonce}">',
    ]  # fmt: skip
    assert not re.search(r"(src|href)=(?!\"data:)", re.sub(r"<script.*?</script>", "", texto, flags=re.DOTALL))
    assert 'lang="pt-BR"' in texto and "width=device-width" in texto and "Resposta-modelo" in texto


def test_o_texto_do_aluno_chega_limpo_e_com_o_nome_dele(servir):
    dados = json.loads(servir(f"/resposta?questao={Q1}&aluno=ana")[1])
    sem_formulas = re.sub(r"<svg.*?</svg>", "", dados["html"], flags=re.DOTALL)
    assert not re.search(r"<(script|img|a)\b|href", sem_formulas) and "&lt;script&gt;" in sem_formulas
    assert 'aria-label="d_k"' in dados["html"] and not dados["lida"]
    fila = json.loads(servir("/quadro")[1])[Q1]["alunos"]
    assert [(a["id"], a["nome"], a["lida"], a["vazia"]) for a in fila] == [
        ("ana", "Ana D'Ávila", False, False), ("bia", None, False, False), ("caio", None, True, True),
    ]  # fmt: skip


def test_uma_resposta_enorme_ou_torta_nao_para_a_pagina(turma, servir):
    caminho = turma.raiz / "autograded" / "ana" / LISTA / f"{LISTA}.ipynb"
    nb = nbformat.read(caminho, as_version=4)
    celula = next(c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade_id") == Q1)
    celula.source = "\0\ue000" + "$x$ *_[(" * 700_000
    nbformat.write(nb, caminho)
    inicio = time.process_time()
    codigo, texto, _ = servir(f"/resposta?questao={Q1}&aluno=ana")
    assert codigo == 200 and "o resto foi cortado" in texto and len(texto) < 2_000_000
    assert time.process_time() - inicio < 60
    caminho.write_text("{")
    assert "autograded" in json.loads(servir(f"/resposta?questao={Q1}&aluno=ana")[1])["html"]


def test_o_que_a_pagina_grava_e_o_que_ela_recusa(turma, servir):
    antiga = nota(turma)
    sujo = "Bom\0 trabalho\x1b[31m \ud800 $d_k$"
    codigo, texto, _ = servir("/nota", nota(turma, pontos="0.5", fracoes=[1, 1, 0, 0], comentario=sujo))
    assert codigo == 200 and json.loads(texto)["fracoes"] == [1, 1, 0, 0]
    guardado = situacao(turma, "ana").comentario
    assert guardado.startswith("Bom  trabalho") and guardado.endswith("$d_k$") and "\0" not in guardado
    codigo, texto, _ = servir("/nota", antiga)
    assert codigo == 409 and json.loads(texto)["agora"]["pontos"] == "0,5" and "Bruno deu 0,5" in texto
    for torto in (
        {"pontos": "1,5"},
        {"fracoes": [2, 0, 0, 0]},
        {"fracoes": [1]},
        {"fracoes": "x"},
        {"fracoes": [{}] * 4},
    ):
        codigo, texto, _ = servir("/nota", nota(turma, **torto))
        assert codigo == 400 and json.loads(texto)["erro"].endswith(("0,75.", "página.", "usa."))
    for torto in ({"aluno": "ninguém"}, {"questao": "confere-escala"}):
        assert servir("/nota", nota(turma) | torto)[0] in (400, 404)
    assert servir("/nota", [1])[0] == 400 and servir("/nota", {})[0] == 404
    assert situacao(turma, "ana").pontos == 0.5


def test_os_comentarios_ja_escritos_voltam_sem_o_que_as_caixas_escrevem(turma, servir):
    for aluno in ("ana", "bia"):
        automatico = comentario(abertas_de(fonte(LISTA))[0].avaliar([1, 0, 0, 0]))
        texto = f"{automatico}\nFaltou a unidade."
        leitura.dar_nota(turma, LISTA, aluno, Q1, quem="Bruno", fracoes=[1, 0, 0, 0], texto=texto)
    assert json.loads(servir("/quadro")[1])[Q1]["comentarios"] == ["Faltou a unidade."]


def test_sem_entregas_corrigidas_ler_diz_o_que_ha(tmp_path):
    feito = subprocess.run(
        [sys.executable, "-m", "correcao.devolucao.ler", "05"], cwd=RAIZ,
        env={**os.environ, "CURSO_TURMA": str(tmp_path)}, capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert (feito.returncode, feito.stdout) == (2, "")
    assert feito.stderr == "Não há entregas corrigidas da lista “05”; há destas: nenhuma.\n"


def test_sem_nomes_a_pagina_nao_diz_de_quem_e_a_resposta_e_a_nota_vai_para_ele(turma):
    mesa = ler.Mesa(turma, LISTA, "Bruno", sem_nomes=True)
    fila = mesa.quadro()[Q1]["alunos"]
    assert all(re.fullmatch(r"resposta-[0-9a-f]{8}", a["id"]) and a["nome"] is None for a in fila) and len(fila) == 3
    assert "ana" not in json.dumps(fila).lower() and [a["id"] for a in fila] == sorted(a["id"] for a in fila)
    da_bia = next(a["id"] for a in fila if "Cada empurrão some." in mesa.resposta(Q1, a["id"])["html"])
    pedido = {"questao": Q1, "aluno": da_bia, "pontos": "0,5", "comentario": "Bom.", "fracoes": None}
    mesa.dar_nota({**pedido, "versao": situacao(turma, "bia").versao})
    assert situacao(turma, "bia").pontos == 0.5
    outra = ler.Mesa(turma, LISTA, "Carla", sem_nomes=True)
    assert [a["id"] for a in outra.quadro()[Q1]["alunos"]] == [a["id"] for a in fila]  # amanhã, os mesmos apelidos


def test_as_respostas_saem_com_nota_comentario_e_quem_leu_em_csv_e_em_uma_pagina(turma, capsys, monkeypatch):
    monkeypatch.setenv("CURSO_TURMA", str(turma.raiz))
    aberta = ler.Mesa(turma, LISTA, "Bruno").abertas[Q1]
    fracoes = [1.0, 0.5, *[0.0] * (len(aberta.criterios) - 2)]
    ler.Mesa(turma, LISTA, "Bruno").dar_nota(nota(turma, pontos="0,375", comentario="=1+1", fracoes=fracoes))
    assert ler.main(["03", "--exportar"]) == 0 and "estão em" in capsys.readouterr().out
    with open(turma.raiz / "relatorios" / f"{LISTA}-abertas.csv", encoding="utf-8-sig", newline="") as tabela:
        linhas = {(linha["questao"], linha["aluno"]): linha for linha in csv.DictReader(tabela, delimiter=";")}
    da_ana = linhas[Q1, "ana"]
    assert (da_ana["pontos"], da_ana["de"], da_ana["quem"], da_ana["nome"]) == ("0,375", "1", "Bruno", "Ana D'Ávila")
    assert da_ana["comentario"] == "'=1+1" and "A variância é $d_k$." in da_ana["resposta"]
    assert (
        "0,125 de 0,25 " in da_ana["criterios"]
        and da_ana["criterios"].count(" de 0,") == len(fracoes)
        and linhas[Q1, "caio"]["pontos"] in ("", "0")
    )
    html = (turma.raiz / "relatorios" / f"{LISTA}-abertas.html").read_text(encoding="utf-8")
    assert "0,375 de 1" in html and "Lida por Bruno" in html and "<script" not in html and "javascript:" not in html
    assert ler.main(["03", "--exportar", "--sem-nomes"]) == 0
    for nome in (".csv", ".html"):
        escrito = (turma.raiz / "relatorios" / f"{LISTA}-abertas{nome}").read_text(encoding="utf-8-sig")
        assert "Ávila" not in escrito and ";ana;" not in escrito and "resposta-" in escrito


# ---------------------------------------------------------------- no navegador


@pytest.mark.lento
def test_no_navegador_se_le_so_com_o_teclado_e_o_segundo_leitor_e_avisado(chromium, playwright, turma, tmp_path):
    ambiente = {**os.environ, "PYTHONUTF8": "1", "CURSO_TURMA": str(turma.raiz), "NO_PROXY": "127.0.0.1"}
    comando = [sys.executable, "-m", "correcao.devolucao.ler", LISTA, "--sem-navegador", "--quem"]
    leitores = [
        subprocess.Popen([*comando, quem], cwd=RAIZ, env=ambiente, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        for quem in ("Bruno", "Carla")
    ]
    try:
        enderecos = [next(x.strip() for x in leitor.stdout if "token=" in x) for leitor in leitores]
        programa = [sys.executable, str(RAIZ / "tests" / "navegador" / "navegador_ler.py"), chromium, *enderecos]
        ambiente |= {"PYTHONPATH": playwright}
        feito = subprocess.run(programa, env=ambiente, capture_output=True, text=True, encoding="utf-8")
    finally:
        for leitor in leitores:
            leitor.terminate()
            leitor.communicate(timeout=300)
    assert feito.returncode == 0, feito.stderr[-3000:]
    visto = json.loads(feito.stdout)
    assert visto["erros"] == visto["fora"] == visto["acesso"] == [] and not visto["invadiu"]
    assert visto["primeira"] == {"quem": "Ana D'Ávila ana", "pontos": "0,375", "formulas": 1}
    assert visto["frases"].startswith("Só metade do 0,25 por dizer que hipótese") and visto["frases"].endswith(
        "rede comum."
    )
    assert visto["depois"] == "bia" and visto["progresso"] == "2 de 3 lidas nesta questão."
    assert visto["reusado"].endswith("\nCite a aula 03.") and visto["virgula"] == "0,75"
    assert visto["fila"] == ["bia"] and visto["rolagem"] <= 360
    assert "Bruno deu 0,75 a esta resposta enquanto você lia." in visto["conflito"]
    assert "0,75 de 1, por Bruno" in visto["da_outra"] and visto["minha"] == "0,25"
    assert visto["depressa"] == {
        "gravadas": ["ana"], "da seguinte": "", "marcou": "1", "no campo": "0,5",
        "recado": "A última tecla não valeu: esta resposta ainda não estava na tela.",
        "sem nota": "Escreva a nota ou marque os critérios.",
    }  # fmt: skip
    lidas = {a: situacao(turma, a) for a in ("ana", "bia")}
    assert (lidas["ana"].pontos, lidas["ana"].quem, lidas["ana"].comentario.splitlines()[-1]) == (
        0.375, "Bruno", "Cite a aula 03.",
    )  # fmt: skip
    assert (lidas["bia"].pontos, lidas["bia"].quem) == (0.25, "Carla")
