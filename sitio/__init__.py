"""O site do curso: os notebooks, com as saídas que eles guardam, em páginas que se leem sem instalar nada.

`python curso.py site` monta em `.sitio/` uma pasta com a fonte de cada página (`montagem`). O Sphinx, com o myst-nb e o
tema Furo, faz dela HTML (`esfinge`, `extensao`), e o que mudou é copiado para o destino (`construir`). Nenhum kernel
roda, nenhuma página pede nada à rede, e tudo funciona de `file://`: por isso todo programa é um `<script>` clássico.

Quem quer mudar uma página escreve uma **parte**: um módulo em `sitio/partes/`, citado em `sitio.partes.PARTES`, na
ordem em que age. Ela tem as funções que quiser destas três, e recebe sempre a mesma `obra` (`sitio.obra.Obra`):

`caderno(caderno, obra)`
    Chamada uma vez por notebook (aulas, além e listas), antes de ele virar página. Muda `caderno.nb.cells` como quiser:
    é um notebook do nbformat. `caderno.endereco` diz qual é (`"aulas/02-softmax"`). Para trocar células por HTML:

        caderno.nb.cells[i:j] = [caderno.html('<form class="aposta">…</form>'), caderno.dados("aposta-1", {…})]
        caderno.usar("apostas.js", "apostas.css")

    `html()` faz uma célula com esse HTML, tal e qual; `dados()`, um `<script type="application/json">` com este id, que
    nenhum texto fecha. Um `<div>` pode abrir em uma célula e fechar em outra, se entre elas não há título de seção.
    `usar()` põe nesta página, com `defer`, o que está em `sitio/ativos/` (ou o que `arquivos` deu em `_static/`).

`paginas(obra)`
    Chamada depois de todos os cadernos. Acrescenta ou troca páginas: a que tem o endereço de um notebook toma o lugar
    dele.

        obra.por(Pagina("listas/lista-01-produto-escalar", "Lista 01 · Produto escalar", html="<div…>",
                        ativos=("lista.js",), csp={"worker-src": "blob:"}))

    Em vez de `html`, `texto` (Markdown do MyST). `csp` soma fontes à política da página (`sitio.politica`);
    `largo=True` tira a coluna dos títulos; `busca` é o que se acha nela, se não é texto. `obra.paginas` tem as
    que já há.

`arquivos(obra)`
    Devolve o que vai para a saída tal e qual: um dicionário do caminho no site (`"_static/python/pyodide.js"`) para os
    bytes, o texto ou o `Path` de onde copiar.

Na página inicial, o que estiver em `obra.experimente` (HTML) vai para o lugar marcado “experimente uma questão”; use
`obra.ativos_da_inicial` para os programas dele. Um programa do npm se acha com `sitio.npm.arquivo("pyodide/…")`.
"""
