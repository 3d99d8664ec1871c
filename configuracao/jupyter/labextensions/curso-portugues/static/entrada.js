// O que falta ao JupyterLab em português. O pacote de idioma oficial deixa menus em inglês: complemento.json
// os traduz. O nbgrader escreve o botão Validar em inglês dentro do próprio programa, fora do alcance das
// traduções: aqui os textos dele são trocados na tela, e o resultado da validação é o relato que o curso devolve,
// o mesmo do `python curso.py conferir`. O que não está nas listas fica como veio.
(() => {
  const COMPLEMENTO = new URL('complemento.json', document.currentScript.src);

  // As traduções chegam por um fetch antes de a tela existir; juntamos a elas as que faltam.
  const fetchOriginal = window.fetch.bind(window);
  let relato = null; // o da última validação, até que o diálogo dela apareça
  let validado = null; // o notebook em que se apertou Validar
  window.fetch = async (pedido, opcoes) => {
    const resposta = await fetchOriginal(pedido, opcoes);
    if (resposta.ok && /\/assignments\/validate(\?|$)/.test(resposta.url)) {
      relato = ((await resposta.clone().json()).value || {}).relato || null;
    }
    if (!resposta.ok || !/\/lab\/api\/translations\/pt_BR/.test(resposta.url)) {
      return resposta;
    }
    const faltas = await (await fetchOriginal(COMPLEMENTO)).json();
    const corpo = await resposta.json();
    for (const dominio of ['jupyterlab', 'jupyterlab_widgets']) {
      const textos = (corpo.data[dominio] = corpo.data[dominio] || { '': corpo.data.jupyterlab[''] });
      for (const [ingles, portugues] of Object.entries(faltas)) {
        for (const chave of [ingles, `menu\u0004${ingles}`]) {
          textos[chave] = textos[chave] || [].concat(portugues);
        }
      }
    }
    return new Response(JSON.stringify(corpo), { status: resposta.status, headers: resposta.headers });
  };

  const FRASES = {
    'Validate': 'Validar',
    'Saving...': 'Salvando…',
    'Validating...': 'Validando…',
    'Validation Results': 'Resultado da validação',
    'Validation failed': 'A validação não terminou',
    'Version Mismatch': 'Versões diferentes do nbgrader',
    'Cannot save notebook': 'Não foi possível salvar o notebook.',
    'Success! Your notebook passes all the tests.': 'Tudo certo: o notebook passa em todos os testes visíveis.',
    'The following cell failed:': 'Esta célula não passou:',
    'The following cell passed:': 'Esta célula passou:',
    'The source of the following cell has changed, but it should not have!':
      'O texto desta célula mudou, e não deveria:',
    'There was an error running the validate command:': 'A validação parou com um erro:',
    'You did not provide a response.': 'Você ainda não respondeu.',
    // a tela das listas, onde há uma troca (um JupyterHub)
    'Assignment List': 'Listas do curso',
    'Assignments': 'Listas do curso',
    'Create Assignment': 'Criar uma lista',
    'Create assignment': 'Criar uma lista',
    'Released, downloaded, and submitted assignments for course:': 'As suas listas, no curso',
    'Loading, please wait...': 'Carregando…',
    'Toggle Dropdown': 'Escolher o curso',
    'Released assignments': 'Para buscar',
    'Downloaded assignments': 'Já buscadas',
    'Submitted assignments': 'Entregues',
    'There are no assignments to fetch.': 'Não há listas para buscar.',
    'There are no downloaded assignments.': 'Você ainda não buscou nenhuma lista.',
    'There are no submitted assignments.': 'Você ainda não entregou nenhuma lista.',
    'Fetch': 'Buscar',
    'Fetching...': 'Buscando…',
    'Submit': 'Entregar',
    'submitting...': 'Entregando…',
    'Fetch Feedback': 'Buscar a devolutiva',
    'Fetching Feedback...': 'Buscando…',
    '(view feedback)': ' (ver a devolutiva)',
    '(feedback available to fetch)': ' (há uma devolutiva para buscar)',
    'Error fetching assignment.': 'Não consegui buscar a lista.',
    'Error submitting assignment.': 'Não consegui entregar a lista.',
    'Error fetching feedback.': 'Não consegui buscar a devolutiva.',
    'Error validating assignment.': 'A validação parou com um erro.',
    'Error fetching courses!': 'Não consegui ler as listas do curso.',
    'No courses found.': 'Ainda não há listas publicadas.',
    'Invalid Submission': 'A entrega não foi aceita',
    'Assignment not submitted:': 'A lista não foi entregue:',
    'Partial credit; passed some but not all of the tests': 'Pontos parciais: passou em alguns testes, não em todos.'
  };
  const TIPO_MUDOU = /^The following (\w+) cell has changed to a (\w+) cell, but it should not have!$/;
  const TIPOS = { code: 'código', markdown: 'texto', raw: 'texto puro' };

  const REFERENCIA = /^(.+) Reference$/; // os elos do menu Ajuda, que o kernel manda em inglês

  function traduzir(texto) {
    const limpo = texto.trim();
    const referencia = limpo.match(REFERENCIA);
    if (referencia) {
      return `Referência: ${referencia[1]}`;
    }
    const tipo = limpo.match(TIPO_MUDOU);
    if (tipo) {
      const [de, para] = [tipo[2], tipo[1]].map(nome => TIPOS[nome] || nome);
      return `Esta célula era de ${de} e virou de ${para}; ela não deveria mudar:`;
    }
    return Object.hasOwn(FRASES, limpo) ? FRASES[limpo] : null;
  }

  function traduzirTextos(raiz) {
    const passeio = document.createTreeWalker(raiz, NodeFilter.SHOW_TEXT);
    while (passeio.nextNode()) {
      const novo = traduzir(passeio.currentNode.data);
      if (novo !== null) {
        passeio.currentNode.data = novo;
      }
    }
  }

  function novo(etiqueta, texto, estilo) {
    const no = document.createElement(etiqueta);
    no.textContent = texto;
    Object.assign(no.style, estilo);
    return no;
  }

  const CORES = { '✓': 'var(--jp-success-color1)', '✗': 'var(--jp-error-color1)', '·': 'var(--jp-ui-font-color2)' };

  function mostrarRelato(corpo, { linhas, resumo }) {
    const lista = novo('ul', '', { listStyle: 'none', padding: '0', margin: '1em 0' });
    const onde = validado;
    for (const { marca, titulo, recado, celula } of linhas) {
      const item = novo('li', '', { margin: '0.4em 0', maxWidth: '60em' });
      const questao = novo('a', titulo, { color: 'inherit', textDecoration: 'underline' });
      questao.href = `#cell-id=${celula}`;
      questao.addEventListener('click', evento => {
        evento.preventDefault();
        corpo.closest('.jp-Dialog').querySelector('.jp-Dialog-footer button').click();
        onde.setFragment(`#cell-id=${celula}`);
      });
      const nome = novo('b', `${marca} `, { color: CORES[marca] || 'inherit' });
      nome.append(celula && onde ? questao : titulo);
      item.append(nome);
      item.append(recado ? `: ${recado}` : '');
      lista.append(item);
    }
    corpo.replaceChildren(novo('b', resumo, {}), lista);
  }

  function cuidarDoBotao(painel) {
    const barra = painel.toolbar.node;
    const acertar = () => {
      const botao = barra.querySelector('.validate-button');
      if (botao) {
        traduzirTextos(botao);
        botao.title = 'Validar a lista: roda tudo e mostra o que já passa';
        botao.setAttribute('aria-label', botao.textContent);
      }
    };
    barra.addEventListener('click', evento => {
      if (evento.target.closest('.validate-button')) {
        validado = painel;
      }
    }, true);
    const olheiro = new MutationObserver(acertar);
    olheiro.observe(barra, { childList: true, subtree: true, characterData: true });
    acertar();
    painel.disposed.connect(() => olheiro.disconnect());
  }

  // Ao abrir, o kernel escreve a versão dele no notebook, e a aba diria que ele mudou. Se as células são as mesmas, não.
  async function cuidarDaMarca(painel, contexto) {
    await contexto.ready;
    const celulas = () => JSON.stringify(contexto.model.toJSON().cells);
    const antes = celulas();
    const limpar = () => setTimeout(() => {
      if (!contexto.isDisposed && contexto.model.dirty && celulas() === antes) {
        contexto.model.dirty = false;
      }
    });
    contexto.model.metadataChanged.connect(limpar);
    painel.sessionContext.ready.then(limpar);
    limpar();
  }

  // Um elo leva à célula, e as de cima, que só então se desenham, a empurram: volta-se a ela, se ninguém rolou a página.
  function cuidarDosElos(painel) {
    const ir = painel.setFragment.bind(painel);
    painel.setFragment = async fragmento => {
      let mexeu = false;
      const anotar = () => { mexeu = true; };
      const gestos = ['wheel', 'pointerdown', 'keydown'];
      gestos.forEach(gesto => window.addEventListener(gesto, anotar, { capture: true }));
      ir(fragmento);
      for (const espera of [400, 600, 1000]) {
        await new Promise(pronto => setTimeout(pronto, espera));
        if (!mexeu && !painel.isDisposed) {
          ir(fragmento);
        }
      }
      gestos.forEach(gesto => window.removeEventListener(gesto, anotar, { capture: true }));
    };
  }

  // A célula de uma discussão ainda por escrever diz como se escreve nela.
  const POR_ESCREVER = '*Escreva aqui a sua resposta.*';

  async function cuidarDasDiscussoes(painel, contexto) {
    const marcar = () => {
      for (const celula of painel.content.widgets) {
        const { type, sharedModel } = celula.model;
        const falta = type === 'markdown' && sharedModel.getSource().trim() === POR_ESCREVER;
        celula.node.classList.toggle('curso-por-escrever', falta);
      }
    };
    await contexto.ready;
    contexto.model.contentChanged.connect(marcar);
    marcar();
  }

  // O JupyterLab não dá à imagem o texto alternativo que a figura traz nos metadados: sem isto, um leitor de tela não a lê.
  async function cuidarDasFiguras(painel, contexto) {
    await contexto.ready;
    const nomear = () => {
      for (const { outputArea } of painel.content.widgets) {
        (outputArea ? outputArea.widgets : []).forEach((saida, i) => {
          const imagem = saida.node.querySelector('.jp-RenderedImage > img');
          const dados = imagem && outputArea.model.get(i).metadata['image/png'];
          if (dados && dados.alt) {
            imagem.alt = dados.alt;
          }
        });
      }
    };
    const temImagem = ({ addedNodes }) => [...addedNodes].some(no => no.localName === 'img' || (no.querySelector && no.querySelector('img')));
    const olheiro = new MutationObserver(mudancas => { if (mudancas.some(temImagem)) { nomear(); } });
    olheiro.observe(painel.content.node, { childList: true, subtree: true });
    painel.disposed.connect(() => olheiro.disconnect());
    nomear();
  }

  const ESTILO = `
    .curso-por-escrever .jp-MarkdownOutput p::after {
      content: " Dê dois cliques para começar, e Shift+Enter quando terminar."; }
    .jp-RenderedMarkdown details { margin-bottom: 1em; }
    [data-jp-theme-light="false"] :is(.jp-RenderedImage, .jp-RenderedMarkdown) img {
      background: #fff; border: 8px solid #fff; border-radius: 8px; box-sizing: border-box; }
    .jp-InputPlaceholder .jp-PlaceholderText { font-size: 0; }
    .jp-InputPlaceholder .jp-PlaceholderText::after {
      content: "código dobrado"; font-family: var(--jp-ui-font-family); font-size: var(--jp-ui-font-size1); }`;

  function vestir() {
    const estilo = document.createElement('style');
    estilo.textContent = ESTILO;
    document.head.append(estilo);
  }

  // Em um JupyterHub nenhuma página se abre dentro de outra, para que a de um aluno não mostre a do instrutor: o formgrader
  // vai para uma aba dele.
  const noHub = () => {
    const dados = document.getElementById('jupyter-config-data');
    return Boolean(dados && JSON.parse(dados.textContent).hubPrefix);
  };

  const LISTAS = 'nbgrader-assignment-list'; // a tela em que se buscam e se entregam as listas

  function cuidarDasListas(app) {
    const vestidas = new WeakSet();
    app.shell.layoutModified.connect(() => {
      for (const tela of app.shell.widgets('main')) {
        if (tela.id === 'formgrader' && noHub()) {
          const quadro = tela.node.querySelector('iframe');
          if (quadro && !vestidas.has(tela)) {
            vestidas.add(tela);
            window.open(quadro.src, 'formgrader');
            setTimeout(() => tela.close());
          }
          continue;
        }
        if (tela.id !== LISTAS || vestidas.has(tela)) {
          continue;
        }
        vestidas.add(tela);
        tela.title.label = traduzir(tela.title.label) || tela.title.label;
        const acertar = () => {
          traduzirTextos(tela.node);
          tela.node.querySelector('[title="Refresh assignments list"]')?.setAttribute('title', 'Ler de novo');
        };
        new MutationObserver(acertar).observe(tela.node, { childList: true, subtree: true, characterData: true });
        acertar();
      }
    });
  }

  function cuidarDosDialogos() {
    new MutationObserver(mudancas => {
      for (const mudanca of mudancas) {
        for (const no of mudanca.addedNodes) {
          if (no.classList && no.matches('.lm-Menu')) {
            requestAnimationFrame(() => traduzirTextos(no)); // os itens são desenhados com ele já na página
          }
          if (no.classList && no.matches('.nbgrader-ErrorDialog, .nbgrader-SuccessDialog')) {
            // o título é desenhado um instante depois do diálogo
            new MutationObserver(() => traduzirTextos(no)).observe(no, { childList: true, subtree: true });
            traduzirTextos(no);
            const corpo = no.querySelector('#validation-message');
            if (corpo && relato) {
              mostrarRelato(corpo, relato);
              relato = null;
            }
          }
        }
      }
    }).observe(document.body, { childList: true });
  }

  const extensao = {
    id: 'curso-portugues:plugin',
    description: 'O que falta ao JupyterLab em português.',
    autoStart: true,
    activate: app => {
      app.docRegistry.addWidgetExtension('Notebook', { createNew: (painel, contexto) => {
        cuidarDoBotao(painel);
        cuidarDaMarca(painel, contexto);
        cuidarDosElos(painel);
        cuidarDasDiscussoes(painel, contexto);
        cuidarDasFiguras(painel, contexto);
      } });
      vestir();
      cuidarDosDialogos();
      cuidarDasListas(app);
    }
  };

  // o formato de uma extensão pronta do JupyterLab (module federation), escrito à mão: não há o que compilar
  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB['curso-portugues'] = {
    init: () => {},
    get: async () => () => ({ __esModule: true, default: extensao })
  };
})();
