"""A linha de comando: uma definição de cada comando, e todo erro de digitação acaba em uma frase em português."""

import ast
import importlib
import importlib.util
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import RAIZ

from configuracao import comandos, testar
from configuracao.comandos import COMANDOS
from gabarito.pacote import conteudo

SAO_UNIX = os.name != "nt"
OFERECIDOS = [c for c in COMANDOS.values() if not c.avulso]
COM_MODULO = [c for c in COMANDOS.values() if c.modulo]
# O vocabulário do argparse e o dos rastros do Python; “--help” é nosso
INGLES = re.compile(
    r"\b(usage|error|arguments?|required|unrecognized|expected|invalid|choices?|choose|from|ambiguous|could|match|"
    r"ignored|explicit|show|message|exit|positional|options?|default|following|are|the|value|allowed|with|at least|"
    r"Traceback|Error|Broken|Exception|int|str|Path|None|True|False)\b|(?<!--)\bhelp\b"
)
FALSAS = ["--opcao-que-nao-existe", "--opcao-que-nao-existe=7", "-z", "-zz", "–x", "—aluno", "---", "--=", "-1"]


def por_nome(lista):
    return pytest.mark.parametrize("comando", lista, ids=lambda c: c.nome)


def pedido_minimo(comando):
    """Um valor que serve a cada argumento obrigatório."""
    return ["conferencia" if a.nome == "NOME" else "02" for a in comando.argumentos if not a.opcional and not a.varios]


def enganos(comando):
    """Todos os jeitos de errar que o comando permite: (o que se digitou, o que a frase tem de citar)."""
    minimo = pedido_minimo(comando)
    for falsa in FALSAS:
        yield [*minimo, falsa], f"não tem a opção “{falsa}”"
    if minimo:
        yield [], "Falta"
    if comando.argumentos:
        yield ["", *minimo[1:]], f"{comando.argumentos[0].nome} pede"
    if not any(a.varios for a in comando.argumentos):
        sobra = ["02"] * (len(comando.argumentos) - len(minimo))
        yield [*minimo, *sobra, "sobra"], "Sobra “sobra”"
        yield [*minimo, *sobra, "--", "--sobra"], "Sobra “--sobra”"
    for opcao in comando.opcoes:
        yield [*minimo, opcao.nome[:-1]], f"não tem a opção “{opcao.nome[:-1]}”"
        yield [*minimo, opcao.nome + "x"], f"não tem a opção “{opcao.nome}x”"
        if not opcao.valor:
            yield [*minimo, opcao.nome + "=sim"], f"“{opcao.nome}” não leva valor"
            continue
        for vazia in ([opcao.nome], [opcao.nome, ""], [opcao.nome + "="], [opcao.nome, opcao.nome, "1"]):
            yield [*minimo, *vazia], f"“{opcao.nome}” pede um valor"
        if not opcao.repete:
            yield [*minimo, opcao.nome, "1", f"{opcao.nome}=2"], f"“{opcao.nome}” veio 2 vezes"
        if opcao.tipo not in (comandos.texto, comandos.caminho):
            for ruim in ("x", "-1", "1.5", "1_0", " 1", "٣", "9" * 5000):
                yield [*minimo, f"{opcao.nome}={ruim}"], f"A opção “{opcao.nome}” pede"


def frase_de(acao, capsys):
    """O que foi dito: uma linha só, no erro, com o código 2."""
    with pytest.raises(SystemExit) as fim:
        acao()
    saida = capsys.readouterr()
    assert fim.value.code == 2 and not saida.out
    assert saida.err.endswith("\n") and saida.err.count("\n") == 1, saida.err
    return saida.err.strip()


@por_nome(COMANDOS.values())
def test_todo_engano_de_digitacao_acaba_em_uma_frase_em_portugues(comando, capsys):
    for palavras, trecho in enganos(comando):
        frase = frase_de(lambda palavras=palavras: comandos.ler(comando.nome, palavras), capsys)
        assert trecho in frase, palavras
        assert not INGLES.search(frase), frase


def test_a_busca_por_ingles_acha_o_que_o_argparse_diria():
    import argparse

    analisador = argparse.ArgumentParser(exit_on_error=False)
    analisador.add_argument("--n", type=int)
    with pytest.raises(argparse.ArgumentError) as dito:
        analisador.parse_args(["--n", "x"])
    assert INGLES.search(str(dito.value)) and INGLES.search(analisador.format_help())


@por_nome(COM_MODULO)
def test_o_modulo_le_a_mesma_definicao_que_a_porta(comando, capsys):
    main = importlib.import_module(comando.modulo).main
    errado = [*pedido_minimo(comando), "--opcao-que-nao-existe"]
    esperada = frase_de(lambda: comandos.ler(comando.nome, errado), capsys)
    assert frase_de(lambda: main(errado), capsys) == esperada
    with pytest.raises(SystemExit) as fim:
        main(["--help"])
    assert fim.value.code == 0 and capsys.readouterr().out == comandos.ajuda(comando) + "\n"


@por_nome(COM_MODULO)
def test_o_modulo_termina_no_lugar_que_cuida_do_terminal_e_nao_faz_outra_definicao(comando):
    especificacao = importlib.util.find_spec(comando.modulo)
    fonte = Path(especificacao.origin).read_text(encoding="utf-8")
    assert "argparse" not in fonte and "sys.argv" not in fonte
    fim = ast.parse(fonte).body[-1]
    assert ast.unparse(fim.test) == "__name__ == '__main__'" and ast.unparse(fim.body[-1]) == "rodar(main)"


def test_o_que_vai_para_a_caixa_nao_importa_a_configuracao_ao_ser_importado():
    for caminho in (RAIZ / "helpers").rglob("*.py"):
        for no in ast.parse(caminho.read_text(encoding="utf-8")).body:
            assert not (isinstance(no, ast.Import | ast.ImportFrom) and "configuracao" in ast.unparse(no)), caminho


@por_nome(COMANDOS.values())
def test_a_ajuda_diz_tudo_o_que_se_pode_pedir(comando):
    texto = comandos.ajuda(comando)
    assert texto.startswith(f"uso: {comando.chamada}") and "\nopções:\n" in texto and not INGLES.search(texto)
    assert all(f"\n  {opcao.escrita} " in texto for opcao in comando.visiveis)
    assert all(f"\n  {argumento.nome} " in texto and argumento.ajuda in texto for argumento in comando.argumentos)
    assert max(map(len, texto.splitlines())) <= 100


@por_nome(COMANDOS.values())
def test_os_exemplos_da_ajuda_funcionam(comando):
    for exemplo in comando.exemplos:
        if "--help" not in exemplo:
            comandos.ler(comando.nome, exemplo.split())


def test_os_valores_chegam_convertidos_e_em_qualquer_ordem():
    pedido = comandos.ler("corrigir", ["--aluno", "a1", "--de-novo", "02", "--aluno=a2"])
    assert (pedido.lista, pedido.aluno, pedido.de_novo) == ("02", ["a1", "a2"], True)
    assert not (pedido.processos or pedido.cluster or pedido.questao or pedido.aplicar or pedido.sem_isolamento)
    pedido = comandos.ler("coletar", ["02", "--planilha", "p.csv", "envios.zip"])
    assert vars(pedido) == {"lista": "02", "arquivo": Path("envios.zip"), "planilha": Path("p.csv")}
    pedido = comandos.ler("treinar", ["a", "--de-novo", "b"])
    assert vars(pedido) == {"treino": ["a", "b"], "de_novo": True, "pesos": False}
    assert vars(comandos.ler("notas", [])) == {
        **{"lista": None, "moodle": None, "destino": None},
        **{"todas": False, "pesos": None, "zero_para_ausentes": False},
    }
    assert comandos.ler("testar", ["--semente", "0"]).semente == 0
    assert comandos.ler("conferir", ["--", "--help"]).lista == "--help"


@pytest.mark.parametrize(
    "palavras, dica",
    [
        (["corrgir", "02"], "“corrigir”"),
        (["RELATÓRIO"], "“relatorio”"),
        (["rep"], "“reparar”"),
        (["lab", "--instr"], "“--instrutor”"),
        (["lab", "instrutor"], "“--instrutor”"),
        (["lab", "-s"], "“--sem-navegador”"),
        (["demo", "--sem"], "“--sem-navegador” ou “--sem-isolamento”"),
        (["notas", "—moodle", "p.csv"], "“--moodle”"),
        (["corrigir", "02", "--De-Novo"], "“--de-novo”"),
    ],
)
def test_o_parecido_e_sugerido(palavras, dica, capsys):
    def pedir():
        comando, resto = comandos.escolher(palavras)
        comandos.ler(comando.nome, resto)

    assert f"(você quis dizer {dica}?)" in frase_de(pedir, capsys)


@pytest.mark.parametrize(
    "palavras, trecho",
    [
        (["xyzw"], "Não existe o comando “xyzw”; veja todos com: python curso.py ajuda"),
        ([""], "Não existe o comando “”; veja"),
        (["banco"], "Não existe o comando “banco”"),
        (["--instrutor", "lab"], "O comando vem antes de “--instrutor”"),
        (["ajuda", "xyzw"], "Não existe o comando “xyzw”"),
        (["bancada"], "Falta NOME; use assim: python curso.py bancada NOME"),
        (
            ["bancada", "trieno"],
            "NOME pede conferencia, correcao, exploradores, inducao, llm, moderno, pagina, seu_gpt, sitio ou treino, "
            "e não “trieno”",
        ),
    ],
)
def test_o_comando_que_nao_ha_e_dito(palavras, trecho, capsys):
    def pedir():
        comando, resto = comandos.escolher(palavras)
        comandos.ler(comando.nome, resto)

    assert trecho in frase_de(pedir, capsys)


def test_a_bancada_e_escolhida_pelo_nome_em_qualquer_lugar():
    for palavras in (["bancada", "llm", "--rapida"], ["bancada", "--rapida", "llm"]):
        comando, resto = comandos.escolher(palavras)
        assert comando.modulo == "bancadas.llm" and comandos.ler(comando.nome, resto).rapida


def test_ha_uma_definicao_para_cada_bancada():
    arquivos = sorted(p.stem for p in (RAIZ / "bancadas").glob("[a-z]*.py"))
    assert arquivos == sorted(comandos.BANCADAS)
    assert arquivos == sorted(nome.removeprefix("bancada ") for nome in COMANDOS if nome.startswith("bancada "))


PAGINAS = [*sorted(RAIZ.glob("*.md")), *sorted((RAIZ / "guias").glob("*.md"))]


@pytest.mark.parametrize("pagina", PAGINAS, ids=lambda p: p.name)
def test_todo_comando_que_um_guia_cita_existe_e_aceita_o_que_ele_escreve(pagina):
    citados = re.findall(r"python curso\.py ([a-z][^`#\n”]*)", pagina.read_text("utf-8"))
    assert citados
    for citado in citados:
        palavras = re.sub(r"\bN\b", "7", citado.replace("LISTA", "02").replace("NN", "02")).split()
        comandos.ler(palavras[0], palavras[1:])  # um engano sairia com uma frase e o código 2


def test_os_comandos_do_instrutor_precisam_das_salas_que_nao_vao_no_pacote():
    do_instrutor = {c.nome for c in OFERECIDOS if "(instrutor)" in c.resumo}
    assert do_instrutor == {
        c.nome for c in OFERECIDOS if c.sala in ("gabarito", "correcao", "bancadas", "sitio") and " " not in c.nome
    }


# ------------------------------------------------------------ a porta


def rodar(*comando, **opcoes):
    comando = [sys.executable, *map(str, comando)]
    return subprocess.run(comando, cwd=RAIZ, env=ambiente(), text=True, encoding="utf-8", timeout=300, **opcoes)


def ambiente(**mais):
    """Sem PYTHONUNBUFFERED: com ele, nada fica para ser escrito só no fim."""
    return {nome: valor for nome, valor in os.environ.items() if nome != "PYTHONUNBUFFERED"} | mais


def test_a_porta_so_carrega_o_pesado_depois_de_entender_a_linha():
    programa = (
        "import runpy, sys\n"
        "sys.argv = ['curso.py', *sys.argv[1:]]\n"
        "try: runpy.run_path('curso.py', run_name='__main__')\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    for palavras in (["corrigir", "--help"], ["corrigir", "02", "03"], ["corrgir"]):
        feito = rodar("-I", "-S", "-c", programa, *palavras, capture_output=True)
        carregados = set(feito.stderr.splitlines()[-1].split())
        pesados = {"numpy", "torch", "nbgrader", "importlib.metadata", "hashlib", "configuracao.instalar", "helpers"}
        assert "configuracao.comandos" in carregados and not carregados & pesados


def test_um_erro_de_digitacao_nao_espera_a_instalacao_e_o_pacote_do_aluno_traz_o_que_a_porta_usa(tmp_path):
    da_porta = [p for p in conteudo() if p.parts[0] in ("curso.py", "configuracao") and p.suffix == ".py"]
    assert {RAIZ / p for p in da_porta} >= {Path(importlib.util.find_spec("configuracao.__main__").origin)}
    for caminho in da_porta:
        (tmp_path / caminho).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / caminho).write_bytes((RAIZ / caminho).read_bytes())
    (tmp_path / "correcao").mkdir()
    feito = rodar(tmp_path / "curso.py", "corrigir", "02", "03", capture_output=True)
    assert feito.returncode == 2 and feito.stderr.startswith("Sobra “03”; use assim: python curso.py corrigir LISTA")
    assert not (tmp_path / ".venv").exists()
    assert "conferir" not in rodar(tmp_path / "curso.py", capture_output=True).stdout  # a sala dele não está aqui


# ------------------------------------------------------------ o terminal


@pytest.fixture
def falso(tmp_path):
    """Roda um módulo de mentira pelo mesmo caminho que a porta usa."""

    def comecar(fonte, **opcoes):
        (tmp_path / "comando_falso.py").write_text(fonte, encoding="utf-8")
        return subprocess.Popen(
            [sys.executable, "-m", "configuracao", "comando_falso", "a", "b"],
            env=ambiente(PYTHONPATH=os.pathsep.join([str(tmp_path), str(RAIZ)])),
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            **opcoes,
        )

    return comecar


COM_RODAR = "from configuracao.terminal import rodar\ndef main():\n    {}\nif __name__ == '__main__': rodar(main)\n"


def sem_leitor():
    """Um cano de que já não há quem leia, como o de `| head -0`."""
    leitura, escrita = os.pipe()
    os.close(leitura)
    return escrita


def test_o_codigo_e_os_argumentos_passam_pelo_caminho_da_porta(falso):
    filho = falso(COM_RODAR.format("import sys; print(sys.argv[1:]); return 3"), stdout=subprocess.PIPE)
    assert filho.communicate() == ("['a', 'b']\n", "") and filho.returncode == 3


@pytest.mark.parametrize(
    "fonte",
    [
        "print('x')",  # escrito só no fim
        "print('x', flush=True)",
        "print('x' * 10**6)",  # maior do que a memória da saída
        "raise SystemExit(print('x'))",
        "\n    try: print('x', flush=True)\n    except OSError as erro: print('Não consegui gravar', erro.filename)",
    ],
)
@pytest.mark.skipif(not SAO_UNIX, reason="o código é o do sinal do Unix")
def test_sem_leitor_o_comando_termina_calado(falso, fonte):
    cano = sem_leitor()
    filho = falso(COM_RODAR.format(fonte), stdout=cano)
    os.close(cano)
    assert filho.communicate()[1] == "" and filho.returncode == 141


@pytest.mark.skipif(not SAO_UNIX, reason="o código é o do sinal do Unix")
def test_quem_le_so_a_primeira_linha_a_recebe(falso):
    filho = falso(COM_RODAR.format("\n    while True: print('linha')"), stdout=subprocess.PIPE)
    assert filho.stdout.readline() == "linha\n"
    filho.stdout.close()
    assert filho.stderr.read() == "" and filho.wait(300) == 141


def test_um_cano_quebrado_que_nao_e_a_saida_continua_sendo_um_defeito(falso):
    filho = falso(COM_RODAR.format("raise BrokenPipeError(32, 'o kernel do aluno')"), stdout=subprocess.DEVNULL)
    assert "o kernel do aluno" in filho.communicate()[1] and filho.returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="não há como simular o disco cheio")
def test_o_disco_cheio_na_saida_e_uma_frase(falso):
    with open("/dev/full", "w") as cheio:
        filho = falso(COM_RODAR.format("print('x')"), stdout=cheio)
    assert filho.communicate()[1] == "Não consegui escrever: o disco está cheio.\n" and filho.returncode == 1


@pytest.mark.skipif(not SAO_UNIX, reason="o sinal de Ctrl-C só pode ser mandado assim no Unix")
@pytest.mark.parametrize(
    "fonte",
    [
        "print('pronto', flush=True)\nimport time; time.sleep(3600)",  # enquanto importa
        COM_RODAR.format("import time; print('pronto', flush=True); time.sleep(3600)"),
    ],
)
def test_ctrl_c_e_uma_frase(falso, fonte):
    filho = falso(fonte, stdout=subprocess.PIPE)
    assert filho.stdout.readline() == "pronto\n"
    filho.send_signal(signal.SIGINT)
    _, erro = filho.communicate(timeout=300)
    assert erro.strip() == "Interrompido; o que já estava pronto fica. Rode de novo para terminar."
    assert filho.returncode == 130


@pytest.mark.skipif(not SAO_UNIX, reason="os canos são os do Unix")
@pytest.mark.parametrize(
    "pedido", [["curso.py"], ["curso.py", "corrigir", "--help"], ["-m", "configuracao.testar", "--help"]]
)
@pytest.mark.parametrize("saida", ["sem leitor", "fechada"])
def test_os_comandos_de_verdade_nao_acabam_em_rastro(pedido, saida):
    if saida == "fechada":
        comando = ["sh", "-c", 'exec "$0" "$@" >&-', sys.executable, *pedido]
        feito = subprocess.run(comando, cwd=RAIZ, stderr=subprocess.PIPE, text=True)
        assert (feito.returncode, feito.stderr) == (0, "")
        return
    cano = sem_leitor()
    feito = rodar(*pedido, stdout=cano, stderr=subprocess.PIPE)
    os.close(cano)
    assert (feito.returncode, feito.stderr) == (141, "")


# ------------------------------------------------------------ testar


@pytest.mark.parametrize(
    "opcoes, esperadas",
    [
        ([], (None, "42")),
        (["--tudo"], ("1", "42")),
        (["--semente", "7"], (None, "7")),
        (["--semente=0", "--tudo", "--rapido"], ("1", "0")),
    ],
)
def test_testar_passa_a_semente_e_o_tudo_aos_testes(opcoes, esperadas, monkeypatch, capsys):
    vistas = []
    for nome in ("CURSO_TUDO", "CURSO_SEMENTE"):
        monkeypatch.setenv(nome, "para que o monkeypatch a desfaça no fim")
        monkeypatch.delenv(nome)

    def nada(comando, env=os.environ, **_):
        vistas.append((env.get("CURSO_TUDO"), env.get("CURSO_SEMENTE")))
        return subprocess.CompletedProcess(comando, 0, "")

    monkeypatch.setattr(testar, "semente_do_conteudo", lambda: 42)
    monkeypatch.setattr(testar.subprocess, "run", nada)
    monkeypatch.setattr(testar.shutil, "which", lambda _: None)  # sem o npm, que não é uma etapa
    assert testar.main(opcoes) == 0
    assert f"--semente {esperadas[1]}" in capsys.readouterr().out
    assert set(vistas) == {esperadas} and len(vistas) == (4 if "--rapido" in opcoes else 5)


def test_a_semente_do_conteudo_e_sempre_a_mesma_e_cabe_em_cem():
    assert testar.semente_do_conteudo() == testar.semente_do_conteudo() and 0 <= testar.semente_do_conteudo() < 100


# ------------------------------------------------------------ as aulas cujo kernel não abriu


@pytest.mark.parametrize("a_outra_falhou", [False, True])
@pytest.mark.parametrize("de_novo", [False, True])
def test_a_aula_sem_kernel_roda_de_novo_e_as_outras_falhas_continuam_falhas(
    tmp_path, monkeypatch, a_outra_falhou, de_novo
):
    rodadas = []

    def pytest_de_mentira(nome, argumentos, pasta, tela):
        rodadas.append((nome, [a for a in argumentos if a.endswith(".ipynb")]))
        muda = '<error message="RuntimeError: Kernel didn\'t respond in 60 seconds">x</error>'
        ruim = '<failure message="Cell outputs differ">x</failure>' if a_outra_falhou else ""
        casos = [("notebooks.01-a.ipynb", muda), ("notebooks.02-b.ipynb", ruim), ("notebooks.alem.01-a.ipynb", "")]
        escritos = "".join(f'<testcase classname="{n}" name="c">{dentro}</testcase>' for n, dentro in casos)
        (tmp_path / "aulas.xml").write_text(f"<testsuites><testsuite>{escritos}</testsuite></testsuites>")
        return nome, nome == "de novo" and de_novo, "", 0.0

    monkeypatch.setattr(testar, "pytest", pytest_de_mentira)
    aulas = ["notebooks/01-a.ipynb", "notebooks/02-b.ipynb", "notebooks/alem/01-a.ipynb"]
    resultados = list(testar.rodar_aulas([], aulas, str(tmp_path)))
    assert rodadas == [("aulas", aulas), ("de novo", aulas[:1])]
    assert all(bem for _, bem, _, _ in resultados) is (de_novo and not a_outra_falhou)


# ------------------------------------------------------------ o que cada comando pede a mais


@pytest.mark.parametrize(
    "linha, grupos",
    [
        ("lab", set()),
        ("conferir 02", set()),
        ("progresso", set()),
        ("gerar", set()),
        ("pacote", set()),
        ("lab --instrutor", {"correcao"}),
        ("corrigir 02", {"correcao"}),
        ("demo", {"correcao"}),
        ("bancada llm", {"correcao"}),
        ("site --ate 03", {"sitio"}),
        ("testar --rapido", {"correcao", "desenvolvimento", "sitio"}),
        ("testar --instalar", {"correcao", "desenvolvimento", "sitio"}),
    ],
)
def test_so_quem_corrige_ou_testa_instala_o_que_o_aluno_nao_usa(linha, grupos, monkeypatch, tmp_path):
    comando, resto = comandos.escolher(linha.split())
    pedido = comandos.ler(comando.nome, resto)
    assert comandos.grupos(comando, pedido) == grupos
    # no pacote do aluno, só vai o lock de quem testa
    (tmp_path / "configuracao" / "locks").mkdir(parents=True)
    (tmp_path / "configuracao" / "locks" / "desenvolvimento.lock").touch()
    monkeypatch.setattr(comandos, "RAIZ", tmp_path)
    assert comandos.grupos(comando, pedido) == grupos - {"correcao", "sitio"}


def test_quem_so_quer_o_pytest_nao_roda_os_testes(monkeypatch, capsys):
    monkeypatch.setattr(testar, "etapas", lambda *_: pytest.fail("rodou"))
    assert testar.main(["--instalar"]) == 0
    assert f"{sys.executable} -m pytest" in capsys.readouterr().out
