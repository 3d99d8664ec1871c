// Feito de helpers/exploradores/fonte/ por: python -m helpers.exploradores.montar (conta)
const TEXTOS = {"comum": {"e": "e", "tabela": "Tabela", "ajuda": "Teclas", "tela_cheia": "Tela cheia", "defeito": "Não consegui desenhar este explorador. Rode a célula outra vez. Se continuar assim, avise quem dá o curso.", "nao_sao_numeros": "Em {nome} há algo que não é número. Passe um array ou uma lista de números.", "forma_errada": "{nome} tem a forma {forma}, e aqui precisa ter a forma {pedida}.", "nao_finito": "{nome} tem um {tipo} na posição {onde}. Veja de onde ele veio antes de desenhar.", "teclas": [["Tab", "vai de um controle a outro"], ["T", "mostra ou esconde a tabela com os mesmos números"], ["?", "mostra ou esconde esta ajuda"]]}, "conta": {"titulo": "A conta das matrizes", "teclas": [["↑ ↓ ← →", "na matriz do resultado, levam de uma casa a outra; nos passos, de um passo a outro"], ["N", "vai ao próximo passo"], ["P", "volta ao passo anterior"]], "painel": "As matrizes deste passo", "passos": "Os passos da conta", "explica_Q": "Cada palavra vira uma consulta. Aponte uma casa de Q e veja a linha e a coluna que se encontram nela.", "explica_K": "Cada palavra vira uma chave, com outra matriz. Aponte uma casa de K.", "explica_V": "Cada palavra vira um valor, que é o que ela entrega. Aponte uma casa de V.", "explica_S": "As pontuações comparam cada palavra com todas. A linha é de quem olha, e a coluna é de quem é olhado.", "explica_A": "A softmax transforma cada linha de pontuações em pesos que somam 1.", "explica_Y": "Cada palavra junta um pouco de cada valor, na medida dos seus pesos.", "casa": "linha {linha}, coluna {coluna}: {valor}", "resultado": "A matriz {nome}, resultado deste passo", "de_quem": "{nome}, linha {linha}, coluna {coluna}", "vezes": "{a} vezes {b}", "mais": "mais", "dividido": ", dividido pela raiz de {d_k}", "fala_produto": "{quem}: {parcelas}{dividido}, dá {valor}.", "fala_softmax": "{quem}: a exponencial de {pontuacao}, dividida pela soma das exponenciais da linha, dá {valor}.", "X_torta": "X precisa ter uma linha para cada palavra, e só números.", "faltam_palavras": "X tem {n} linhas. Passe um nome para cada uma no argumento palavras.", "W_torta": "Passe as três, W_Q, W_K e W_V, com {d} linhas cada. W_Q e W_K precisam ter o mesmo número de colunas.", "grande": "As matrizes são grandes demais para ler casa a casa. Aqui cabem até {n} linhas e {n} colunas.", "ate_errado": "A conta pode parar em “S”, “A” ou “Y”. Escolha uma das três letras.", "alt": "As matrizes da conta de “{frase}”, da esquerda para a direita: {matrizes}. {dito}", "alt_dito": "O maior peso de {palavra} vai para {alvo}: {peso}."}};
const ESTILO = ".explorador[data-tema=\"claro\"] { color-scheme: light; --fundo: #ffffff; --fundo-2: #f4f5f7; --fundo-3: #e6e8ec; --borda: #dcdfe4; --borda-forte: #868d99; --texto: #1b1f27; --texto-2: #4f5663; --foco: #1f5fd0; --negativo: #5b6b8c; --teto: 68%; --cor-Q: #0072B2; --letra-Q: #00629B; --cor-K: #E69F00; --letra-K: #8A5A00; --cor-V: #009E73; --letra-V: #00704F; --cor-A: #CC79A7; --letra-A: #9A3D73; --cor-X: #6B7280; --letra-X: #4B5563; --cor-destaque: #D55E00; --letra-destaque: #B34A00; --cor-azul: #0072B2; --letra-azul: #00629B; --cor-laranja: #E69F00; --letra-laranja: #8A5A00; --cor-verde: #009E73; --letra-verde: #00704F; --cor-rosa: #CC79A7; --letra-rosa: #9A3D73; --cor-cinza: #6B7280; --letra-cinza: #4B5563; }\n.explorador[data-tema=\"escuro\"] { color-scheme: dark; --fundo: #16181d; --fundo-2: #21242b; --fundo-3: #2e323b; --borda: #343943; --borda-forte: #7d8492; --texto: #eceef2; --texto-2: #b6bcc8; --foco: #7fb0ff; --negativo: #8fa3cc; --teto: 42%; --cor-Q: #7CC4F0; --letra-Q: #7CC4F0; --cor-K: #F2B84B; --letra-K: #F2B84B; --cor-V: #5CCFA8; --letra-V: #5CCFA8; --cor-A: #EBA3CB; --letra-A: #EBA3CB; --cor-X: #C2C8D2; --letra-X: #C2C8D2; --cor-destaque: #FF9350; --letra-destaque: #FF9350; --cor-azul: #7CC4F0; --letra-azul: #7CC4F0; --cor-laranja: #F2B84B; --letra-laranja: #F2B84B; --cor-verde: #5CCFA8; --letra-verde: #5CCFA8; --cor-rosa: #EBA3CB; --letra-rosa: #EBA3CB; --cor-cinza: #C2C8D2; --letra-cinza: #C2C8D2; }\n:host { display: block; }\n:host(:fullscreen) { overflow: auto; }\n:host(:fullscreen) .explorador { min-height: 100vh; border: 0; border-radius: 0; padding: 2rem 4vw; font-size: 1.15rem; }\n* { box-sizing: border-box; }\n.explorador {\n  container-type: inline-size;\n  font: 0.95rem/1.45 system-ui, -apple-system, \"Segoe UI\", Roboto, Ubuntu, \"Noto Sans\", sans-serif;\n  color: var(--texto); background: var(--fundo);\n  border: 1px solid var(--borda); border-radius: 12px; padding: 0.9rem 1rem 1rem; margin: 0.4rem 0; min-width: 0;\n  font-variant-numeric: tabular-nums; text-align: left;\n}\n.topo { display: flex; flex-wrap: wrap; gap: 0.3rem 0.8rem; align-items: center; margin-bottom: 0.6rem; }\n.topo h2 { font-size: 1.12em; line-height: 1.3; margin: 0; font-weight: 650; flex: 1 1 auto; letter-spacing: -0.01em; }\n.barra { display: flex; gap: 0.35rem; align-items: center; }\n.corpo { min-width: 0; }\n.recado {\n  margin: 0.2rem 0; padding: 0.7rem 0.9rem; border-left: 4px solid var(--cor-destaque); background: var(--fundo-2);\n  border-radius: 0 8px 8px 0;\n}\n.fala { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }\n[hidden] { display: none !important; }\n\nbutton {\n  font: inherit; font-size: 0.88em; color: var(--texto); background: var(--fundo-2); border: 1px solid var(--borda-forte);\n  border-radius: 8px; padding: 0.3rem 0.7rem; min-height: 2.1rem; cursor: pointer; display: inline-flex; gap: 0.45rem;\n  align-items: center; justify-content: center;\n}\nbutton:hover { background: var(--fundo-3); }\nbutton[aria-pressed=\"true\"], button[aria-expanded=\"true\"] { background: var(--fundo-3); border-color: var(--texto-2); }\nbutton.so-icone { min-width: 2.1rem; padding: 0.3rem; }\nbutton svg path { fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }\nbutton:disabled { opacity: 0.55; cursor: default; }\nkbd {\n  font: 600 0.8em/1.3 ui-monospace, \"SFMono-Regular\", Menlo, Consolas, monospace; padding: 0.05em 0.4em; border-radius: 5px;\n  border: 1px solid var(--borda-forte); background: var(--fundo); color: var(--texto-2);\n}\n:focus { outline: none; }\n:focus-visible { outline: 3px solid var(--foco); outline-offset: 2px; border-radius: 6px; }\n\n.controles { display: flex; flex-direction: column; gap: 0.7rem; min-width: 0; }\n.controle { display: grid; grid-template-columns: 1fr auto; gap: 0.15rem 0.6rem; align-items: baseline; min-width: 0; }\n.controle label { color: var(--texto-2); font-size: 0.92em; }\n.controle output { font-weight: 600; }\n.controle input, .controle select { grid-column: 1 / -1; width: 100%; min-width: 0; }\ninput[type=\"range\"] { accent-color: var(--foco); height: 1.6rem; margin: 0; cursor: pointer; }\ninput[type=\"text\"], select, textarea {\n  font: inherit; color: var(--texto); background: var(--fundo); border: 1px solid var(--borda-forte); border-radius: 8px;\n  padding: 0.38rem 0.6rem; min-height: 2.2rem;\n}\n.interruptor { display: flex; gap: 0.55rem; align-items: center; cursor: pointer; min-height: 1.9rem; }\n.interruptor input {\n  appearance: none; flex: none; width: 2.3rem; height: 1.3rem; border-radius: 1rem; margin: 0; cursor: pointer; position: relative;\n  background: var(--borda-forte);\n}\n.interruptor input::after {\n  content: \"\"; position: absolute; top: 0.16rem; left: 0.18rem; width: 0.98rem; height: 0.98rem; border-radius: 50%;\n  background: var(--fundo); transition: transform 0.15s;\n}\n.interruptor input:checked { background: var(--foco); }\n.interruptor input:checked::after { transform: translateX(0.96rem); }\n.interruptor input:focus-visible { border-radius: 1rem; }\n\n.tabela, .ajuda { margin-top: 0.9rem; padding-top: 0.8rem; border-top: 1px solid var(--borda); }\n.rola { overflow-x: auto; max-width: 100%; margin-bottom: 0.8rem; }\ntable { border-collapse: collapse; font-size: 0.9em; background: none; color: inherit; }\ncaption { text-align: left; color: var(--texto-2); padding-bottom: 0.35rem; }\nth, td { padding: 0.22rem 0.6rem; text-align: right; border-bottom: 1px solid var(--borda); font-weight: 400; white-space: nowrap; }\nth { font-weight: 600; }\nth[scope=\"row\"], thead th:first-child { text-align: left; }\ndl { display: grid; grid-template-columns: auto 1fr; gap: 0.35rem 0.9rem; margin: 0; align-items: baseline; }\ndd { margin: 0; }\n\nsvg { display: block; max-width: 100%; height: auto; }\nsvg text { fill: var(--texto); font-family: inherit; }\n\n@media (prefers-reduced-motion: reduce) {\n  *, *::after { transition: none !important; animation: none !important; }\n}\nsub { font-size: 0.75em; line-height: 0; }\n\n.abas { display: flex; flex-wrap: wrap; gap: 0.35rem; }\n.aba { border-color: var(--borda); padding: 0.25rem 0.7rem; font-size: 0.95em; }\n.aba .passo { font-size: 0.82em; color: var(--texto-2); }\n.aba[aria-selected=\"true\"] { border-color: var(--papel-letra); color: var(--papel-letra); font-weight: 650;\n  background: color-mix(in srgb, var(--papel) 12%, var(--fundo)); }\n.explica { margin: 0.7rem 0 0.5rem; color: var(--texto-2); min-height: 1.45em; }\n.painel .rola { margin-bottom: 0.4rem; padding: 2px; }\n.quadro { display: inline-grid; grid-template-columns: auto auto; gap: 0.5rem 1.1rem; justify-content: start; align-items: end; }\n.em-cima { grid-column: 2; }\n.em-cima, .resultado { justify-self: end; } /* as colunas de cima caem sobre as do resultado */\n.ao-lado { grid-column: 1; }\n.lado-a-lado .resultado { grid-column: 2; }\n.quadro .matriz { font-size: 0.88em; border-collapse: separate; border-spacing: 2px; }\n.matriz caption { padding: 0 0 0.15rem 0.3rem; font-size: 0.95em; text-align: left; }\n.matriz caption b { font-size: 1.15em; }\n.matriz th, .matriz td { border: 0; padding: 0; }\n.matriz thead th { font-weight: 500; color: var(--texto-2); text-align: center; font-size: 0.9em; max-width: 3.4rem; }\n.matriz thead th span { display: block; overflow: hidden; text-overflow: ellipsis; }\n.matriz tbody th { font-weight: 500; color: var(--texto-2); padding-right: 0.4rem; text-align: right; font-size: 0.95em; }\n.resultado .matriz tbody th { display: table-cell; }\n.casa { width: 3.1rem; min-width: 3.1rem; height: 2rem; text-align: center; border-radius: 5px; color: var(--texto); cursor: default; }\n.resultado .casa { cursor: crosshair; }\n.casa.acesa { box-shadow: inset 0 0 0 2.5px var(--papel); font-weight: 700; }\n.resultado .casa.acesa { box-shadow: 0 0 0 3px var(--texto); }\n.casa:focus-visible { outline: 3px solid var(--foco); outline-offset: 3px; }\n.soma { padding: 0.7rem 0.9rem; background: var(--fundo-2); border-radius: 10px; min-height: 6.4rem; }\n.soma p { margin: 0; }\n.de-quem { color: var(--texto-2); font-size: 0.92em; }\n.por-extenso { font-size: 1.08em; line-height: 1.9; }\n.parcela { white-space: nowrap; }\n.total { font-size: 1.15em; padding: 0.05em 0.35em; border-radius: 6px; background: var(--fundo-3); }\nsup { font-size: 0.75em; line-height: 0; }\n\n@container (min-width: 860px) {\n  .mesa { display: grid; grid-template-columns: auto minmax(16rem, 1fr); gap: 1.6rem; align-items: end; }\n}\n@container (max-width: 560px) {\n  .lado-a-lado { grid-template-columns: auto; }\n  .lado-a-lado .resultado { grid-column: 1; }\n  .quadro { gap: 0.4rem 0.5rem; }\n  .quadro .matriz { font-size: 0.8em; border-spacing: 1px; }\n  .casa { width: 2.45rem; min-width: 2.45rem; height: 1.9rem; }\n  .matriz thead th { max-width: 2.45rem; }\n}\n";
// O básico: fazer elementos, escrever números em português, ler o catálogo de textos.

const SVG = "http://www.w3.org/2000/svg";

/** Um elemento HTML. `atributos` aceita texto, booleano, função (em `ao…`, como aoClick) e `style` como objeto. */
function h(nome, atributos = {}, ...filhos) {
  return preencher(document.createElement(nome), atributos, filhos);
}

/** O mesmo, em SVG. */
function s(nome, atributos = {}, ...filhos) {
  return preencher(document.createElementNS(SVG, nome), atributos, filhos);
}

function preencher(no, atributos, filhos) {
  for (const [nome, valor] of Object.entries(atributos)) {
    if (valor === false || valor === null || valor === undefined) continue;
    if (typeof valor === "function") no.addEventListener(nome.replace(/^ao/, "").toLowerCase(), valor);
    else if (nome === "style") Object.entries(valor).forEach(([chave, v]) => no.style.setProperty(chave, v));
    else no.setAttribute(nome, valor === true ? "" : valor);
  }
  no.append(...filhos.flat(Infinity).filter((f) => f !== null && f !== undefined && f !== false));
  return no;
}

/** Muda atributos de um elemento que já existe. */
function mudar(no, atributos) {
  return preencher(no, atributos, []);
}

/** 0,75; −1,20. Um número que não é finito vira um traço. */
function numero(x, casas = 2) {
  if (!Number.isFinite(x)) return "–";
  const texto = Math.abs(x).toFixed(casas);
  const nulo = !/[1-9]/.test(texto);
  return (x < 0 && !nulo ? "−" : "") + texto.replace(".", ",");
}

/** 37 %; com uma casa quando é menos que 10 %. */
function porcento(x) {
  return Number.isFinite(x) ? `${numero(100 * x, x > 0 && x < 0.0995 ? 1 : 0)} %` : "–";
}

/** A frase do catálogo (textos.json), com {nomes} trocados: texto("plano.olha", {quem: "manga"}). */
function texto(caminho, trocas = {}) {
  let achado = TEXTOS;
  for (const parte of caminho.split(".")) achado = achado?.[parte];
  if (typeof achado !== "string") throw new Error(`falta em textos.json: ${caminho}`);
  return achado.replace(/\{(\w+)\}/g, (tudo, nome) => (nome in trocas ? String(trocas[nome]) : tudo));
}

/** a, b e c */
function enumerar(itens) {
  return itens.length < 2 ? itens.join("") : `${itens.slice(0, -1).join(", ")} ${texto("comum.e")} ${itens.at(-1)}`;
}

/** Um texto com índices, como “X W_Q / √d_k”: o que vem depois de _ fica embaixo da linha. */
function formula(escrita) {
  return escrita.split(/(_[\p{L}\p{N}]+)/u).map((parte) => (parte.startsWith("_") ? h("sub", {}, parte.slice(1)) : parte));
}

const limitar = (x, minimo, maximo) => Math.min(maximo, Math.max(minimo, x));

/** A cor de um papel ("Q", "K", "V", "A", "X", "destaque") ou de um nome ("azul"…), como variável de CSS que segue o tema.
 *  `uso`: "traco" para linhas e fundos, "texto" para letras, que precisam de contraste. */
function cor(papel, uso = "traco") {
  return `var(--${uso === "texto" ? "letra" : "cor"}-${papel})`;
}

// As contas com matrizes, guardadas como listas de linhas.

/** As formas que os dados devem ter: todas as linhas do mesmo tamanho, e só números. Devolve [linhas, colunas] ou null. */
function forma(M) {
  if (!Array.isArray(M) || M.length === 0 || !Array.isArray(M[0]) || M[0].length === 0) return null;
  const certa = M.every((linha) => Array.isArray(linha) && linha.length === M[0].length && linha.every(Number.isFinite));
  return certa ? [M.length, M[0].length] : null;
}

function transposta(M) {
  return M[0].map((_, j) => M.map((linha) => linha[j]));
}

function produto(A, B) {
  const colunas = transposta(B);
  return A.map((linha) => colunas.map((coluna) => escalar(linha, coluna)));
}

function escalar(a, b) {
  return a.reduce((soma, x, i) => soma + x * b[i], 0);
}

/** Pesos que somam 1. O maior sai antes da exponencial, para que ela não estoure. */
function pesosDe(pontuacoes) {
  const maior = Math.max(...pontuacoes);
  const partes = pontuacoes.map((x) => Math.exp(x - maior));
  const total = partes.reduce((soma, x) => soma + x, 0);
  return partes.map((x) => x / total);
}

/** Uma cabeça inteira: X (N, D), as projeções que houver e o divisor das pontuações. */
function atender(X, { W_Q, W_K, W_V } = {}, divisor = 1) {
  const Q = W_Q ? produto(X, W_Q) : X;
  const K = W_K ? produto(X, W_K) : X;
  const V = W_V ? produto(X, W_V) : X;
  const S = produto(Q, transposta(K)).map((linha) => linha.map((x) => x / divisor)); // (N, N)
  const A = S.map(pesosDe); // (N, N)
  return { Q, K, V, S, A, Y: produto(A, V) };
}

// A casa de um explorador: título, botões, tabela, ajuda, fala para leitores de tela, tema, e a frase que fica no
// lugar de tudo quando os dados não servem. Fica em um shadow root, para que o CSS da página não entre nem saia.

/**
 * O `render` de um explorador:
 *   nome      o do módulo, e o do trecho dele em textos.json (título, teclas…)
 *   conferir  dados → null, ou a frase do que há de errado
 *   criar     casa → nada, ou uma função que desfaz o que foi ligado fora da casa
 * A casa tem: dados, model, corpo (onde se desenha), estado(…), tabela(…), mudou(), falar(…), atalho(…), movimento().
 */
function explorador({ nome, conferir, criar }) {
  return function render({ model, el }) {
    const raiz = el.shadowRoot ?? el.attachShadow({ mode: "open" });
    el.style.display = "block";
    let desfazer = null;
    const refazer = () => {
      desfazer?.();
      desfazer = montarCasa({ nome, conferir, criar, model, raiz, el });
    };
    const soltar = calarAtalhos(el);
    refazer();
    model.on("change:dados", refazer);
    return () => {
      model.off?.("change:dados", refazer);
      soltar();
      desfazer?.();
    };
  };
}

/** Dentro do explorador não valem os atalhos do JupyterLab (“d d” apagaria a célula, e Ctrl+A escolheria todas elas em vez
 *  do texto de um campo), salvo o de salvar. */
function calarAtalhos(el) {
  const salva = (evento) => (evento.ctrlKey || evento.metaKey) && evento.key.toLowerCase() === "s";
  const calar = (evento) => el.toggleAttribute("data-lm-suppress-shortcuts", !salva(evento));
  window.addEventListener("keydown", calar, true); // antes do JupyterLab, que escuta no document
  return () => window.removeEventListener("keydown", calar, true);
}

function montarCasa({ nome, conferir, criar, model, raiz, el }) {
  const dados = model.get("dados") ?? {};
  const caixa = h("section", { class: `explorador ${nome}`, "aria-label": texto(`${nome}.titulo`) });
  raiz.replaceChildren(h("style", {}, ESTILO), caixa);
  const desligar = [seguirTema(caixa)];
  const desfazer = () => desligar.forEach((f) => f());
  try {
    const problema = dados.problema ?? conferir(dados);
    if (problema) {
      caixa.append(recado(problema));
      return desfazer;
    }
    const casa = fazerCasa({ nome, dados, model, caixa, el });
    const fim = criar(casa);
    if (typeof fim === "function") desligar.push(fim);
    casa.mudou();
  } catch (erro) {
    console.error(erro);
    caixa.replaceChildren(recado(texto("comum.defeito")));
  }
  return desfazer;
}

/** A frase no lugar do desenho. */
function recado(frase) {
  return h("p", { class: "recado", role: "status" }, frase);
}

function fazerCasa({ nome, dados, model, caixa, el }) {
  const corpo = h("div", { class: "corpo" });
  const fala = h("p", { class: "fala", "aria-live": "polite", role: "status" });
  const barra = h("div", { class: "barra" });
  const topo = h("header", { class: "topo" }, h("h2", {}, texto(`${nome}.titulo`)), barra);
  const atalhos = new Map();
  const casa = { dados, model, corpo, topo, barra, caixa };

  casa.falar = falarCom(fala);
  casa.movimento = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;
  /** Guarda no modelo o que se escolheu; o Python lê em `.estado`. */
  casa.estado = (mudancas) => {
    model.set("estado", { ...(model.get("estado") ?? {}), ...mudancas });
    model.save_changes();
  };
  /** Uma tecla que vale no explorador inteiro, salvo enquanto se escreve em um campo. */
  casa.atalho = (tecla, acao) => atalhos.set(tecla.toLowerCase(), acao);
  casa.mudou = () => {};

  const tabela = quadroDaTabela(casa);
  const ajuda = quadroDaAjuda(casa, nome);
  const tela = botao(texto("comum.tela_cheia"), () => telaCheia(el), { class: "discreto so-icone", icone: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4" });
  if (!document.fullscreenEnabled) tela.hidden = true;
  barra.append(tabela.botao, ajuda.botao, tela);
  caixa.append(topo, corpo, tabela.quadro, ajuda.quadro, fala);
  caixa.addEventListener("keydown", (evento) => {
    const acao = atalhoDe(evento, atalhos);
    if (!acao) return;
    evento.preventDefault();
    evento.stopPropagation();
    acao(evento);
  });
  return casa;
}

function atalhoDe(evento, atalhos) {
  const escreve = evento.target.matches?.("input[type=text], textarea, select");
  if (escreve || evento.ctrlKey || evento.metaKey || evento.altKey || evento.defaultPrevented) return null;
  return atalhos.get(evento.key.toLowerCase()) ?? null;
}

/** Diz uma frase ao leitor de tela; se vierem muitas em seguida (quem arrasta), só a última. */
function falarCom(no) {
  let espera = null;
  return (frase) => {
    clearTimeout(espera);
    espera = setTimeout(() => {
      no.textContent = frase;
    }, 250);
  };
}

/** A tabela com os mesmos números do desenho, que a tecla T mostra. casa.tabela(f): f() → {legenda, colunas, linhas}
 *  ou uma lista delas; a primeira coluna nomeia a linha. casa.mudou() a refaz, se estiver à vista. */
function quadroDaTabela(casa) {
  let fazer = null;
  const quadro = h("div", { class: "tabela", hidden: true, tabindex: "-1", role: "group", "aria-label": texto("comum.tabela") });
  const trocar = () => {
    quadro.hidden = !quadro.hidden;
    abrir.setAttribute("aria-expanded", String(!quadro.hidden));
    casa.mudou();
    if (quadro.hidden) abrir.focus();
    else quadro.focus();
  };
  const abrir = botao(texto("comum.tabela"), trocar, { class: "discreto", tecla: "T", "aria-expanded": "false" });
  casa.tabela = (f) => {
    fazer = f;
  };
  casa.mudou = () => {
    if (!quadro.hidden && fazer) quadro.replaceChildren(...[fazer()].flat().map(umaTabela));
  };
  casa.atalho("t", trocar);
  return { quadro, botao: abrir };
}

function umaTabela({ legenda, colunas, linhas }) {
  const cabeca = h("tr", {}, colunas.map((c) => (c ? h("th", { scope: "col" }, c) : h("td"))));
  const corpo = linhas.map(([primeira, ...resto]) =>
    h("tr", {}, h("th", { scope: "row" }, String(primeira)), resto.map((x) => h("td", {}, typeof x === "number" ? numero(x) : x)))
  );
  const tabela = h("table", {}, h("caption", {}, legenda), h("thead", {}, cabeca), h("tbody", {}, corpo));
  return h("div", { class: "rola", tabindex: "0", role: "region", "aria-label": legenda }, tabela);
}

/** As teclas, que a tecla ? mostra: `teclas` em textos.json, uma lista de [tecla, o que faz]. */
function quadroDaAjuda(casa, nome) {
  const pares = [...TEXTOS[nome].teclas, ...TEXTOS.comum.teclas];
  const lista = h("dl", {}, pares.flatMap(([tecla, faz]) => [h("dt", {}, h("kbd", {}, tecla)), h("dd", {}, faz)]));
  const quadro = h("div", { class: "ajuda", hidden: true, tabindex: "-1", role: "group", "aria-label": texto("comum.ajuda") }, lista);
  const trocar = () => {
    quadro.hidden = !quadro.hidden;
    abrir.setAttribute("aria-expanded", String(!quadro.hidden));
    (quadro.hidden ? abrir : quadro).focus();
  };
  const abrir = botao(texto("comum.ajuda"), trocar, { class: "discreto", tecla: "?", "aria-expanded": "false" });
  casa.atalho("?", trocar);
  casa.atalho("escape", () => quadro.hidden || trocar());
  return { quadro, botao: abrir };
}

function telaCheia(el) {
  if (document.fullscreenElement) document.exitFullscreen();
  else el.requestFullscreen();
}

/** Claro ou escuro: o do JupyterLab, se a página é dele; senão, o que a pessoa pediu ao sistema. */
function seguirTema(caixa) {
  const sistema = matchMedia("(prefers-color-scheme: dark)");
  const pintar = () => {
    const jupyter = document.body?.getAttribute("data-jp-theme-light");
    caixa.dataset.tema = (jupyter ? jupyter === "false" : sistema.matches) ? "escuro" : "claro";
  };
  const olheiro = new MutationObserver(pintar);
  if (document.body) olheiro.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  sistema.addEventListener("change", pintar);
  pintar();
  return () => {
    olheiro.disconnect();
    sistema.removeEventListener("change", pintar);
  };
}

// Os controles: os do navegador, que já se usam pelo teclado e já são lidos em voz alta, com um rótulo e o valor à vista.

let proximoId = 0;

/** Com `icone` (o `d` de um caminho em uma caixa de 16 por 16), o rótulo só é lido em voz alta. */
function botao(rotulo, aoApertar, { icone, tecla, ...atributos } = {}) {
  const dentro = icone ? s("svg", { "aria-hidden": "true", viewBox: "0 0 16 16", width: 16, height: 16 }, s("path", { d: icone })) : rotulo;
  const extra = tecla ? h("kbd", { "aria-hidden": "true" }, tecla) : null;
  const nome = icone ? { "aria-label": rotulo, title: rotulo } : {};
  return h("button", { type: "button", ...nome, ...atributos, aoClick: aoApertar }, dentro, extra);
}

/** Um controle deslizante. `mostrar(valor)` é o que se lê ao lado dele; `.por(valor)` o muda por programa. */
function deslizante({ rotulo, minimo, maximo, passo, valor, mostrar = (x) => numero(x), aoMudar, ajuda }) {
  const id = `controle-${proximoId++}`;
  const entrada = h("input", { type: "range", id, min: minimo, max: maximo, step: passo });
  const visor = h("output", { for: id });
  const escrever = () => {
    const lido = mostrar(Number(entrada.value));
    visor.textContent = lido;
    entrada.setAttribute("aria-valuetext", lido);
  };
  entrada.value = valor;
  entrada.addEventListener("input", () => {
    escrever();
    aoMudar(Number(entrada.value));
  });
  escrever();
  const no = h("div", { class: "controle" }, h("label", { for: id, title: ajuda }, formula(rotulo)), visor, entrada);
  no.por = (novo) => {
    entrada.value = novo;
    escrever();
  };
  return no;
}

function interruptor({ rotulo, valor, aoMudar }) {
  const entrada = h("input", { type: "checkbox", role: "switch", checked: valor });
  entrada.addEventListener("change", () => aoMudar(entrada.checked));
  const no = h("label", { class: "interruptor" }, entrada, h("span", {}, formula(rotulo)));
  no.por = (novo) => {
    entrada.checked = novo;
  };
  return no;
}

/** Uma lista de opções: textos, ou [valor, texto]. */
function escolha({ rotulo, opcoes, valor, aoMudar }) {
  const id = `controle-${proximoId++}`;
  const pares = opcoes.map((o) => (Array.isArray(o) ? o : [o, o]));
  const lista = h("select", { id }, pares.map(([v, t]) => h("option", { value: v, selected: v === valor }, t)));
  lista.addEventListener("change", () => aoMudar(pares[lista.selectedIndex][0]));
  const no = h("div", { class: "controle" }, h("label", { for: id }, formula(rotulo)), lista);
  no.por = (novo) => {
    lista.value = novo;
  };
  return no;
}

/** Um campo de texto, que avisa a cada letra. */
function campo({ rotulo, valor, aoMudar, ...atributos }) {
  const id = `controle-${proximoId++}`;
  const entrada = h("input", { type: "text", id, autocomplete: "off", spellcheck: "false", ...atributos });
  entrada.value = valor;
  entrada.addEventListener("input", () => aoMudar(entrada.value));
  const no = h("div", { class: "controle largo" }, h("label", { for: id }, rotulo), entrada);
  no.entrada = entrada;
  no.por = (novo) => {
    if (entrada.value !== novo) entrada.value = novo;
  };
  return no;
}

/** Foco que anda: um só dos `elementos` está no caminho do Tab, e as setas levam aos outros (Home e End, às pontas).
 *  Com `colunas`, é uma grade. `aoChegar(indice)` é chamado quando um deles recebe o foco. */
function focoQueAnda(elementos, { colunas = 1, aoChegar = () => {}, inicial = 0 } = {}) {
  const marcar = (qual) => elementos.forEach((e, i) => e.setAttribute("tabindex", i === qual ? "0" : "-1"));
  const ir = (i) => {
    marcar(i);
    elementos[i].focus();
  };
  elementos.forEach((elemento, i) => {
    elemento.addEventListener("focus", () => {
      marcar(i);
      aoChegar(i);
    });
    elemento.addEventListener("keydown", (evento) => {
      const destino = passoDe(evento.key, i, elementos.length, colunas);
      if (destino === null) return;
      evento.preventDefault();
      evento.stopPropagation();
      ir(destino);
    });
  });
  if (elementos.length) marcar(limitar(inicial, 0, elementos.length - 1));
  return ir;
}

function passoDe(tecla, i, total, colunas) {
  const grade = colunas > 1;
  const passos = { ArrowDown: grade ? colunas : 1, ArrowUp: grade ? -colunas : -1, ArrowRight: 1, ArrowLeft: -1 };
  if (tecla === "Home") return grade ? i - (i % colunas) : 0;
  if (tecla === "End") return grade ? i - (i % colunas) + colunas - 1 : total - 1;
  if (!(tecla in passos)) return null;
  const lateral = tecla === "ArrowRight" || tecla === "ArrowLeft";
  const destino = i + passos[tecla];
  const mudaDeLinha = grade && lateral && Math.floor(destino / colunas) !== Math.floor(i / colunas);
  return destino < 0 || destino >= total || mudaDeLinha ? i : destino;
}

// Desenhar: setas, cores de mapas de calor, animação.

/** Uma seta em SVG, de (x1, y1) a (x2, y2), que se muda com `.por(x1, y1, x2, y2)`. */
function seta({ tinta, espessura = 2, classe = "" }) {
  const linha = s("line", { "stroke-width": espessura, "stroke-linecap": "round" });
  const ponta = s("path", { "stroke-linejoin": "round" });
  const no = s("g", { class: `seta ${classe}`, style: { stroke: tinta, fill: tinta } }, linha, ponta);
  no.por = (x1, y1, x2, y2) => {
    const comprimento = Math.hypot(x2 - x1, y2 - y1);
    const tamanho = Math.min(4 + 3 * espessura, comprimento);
    const [ux, uy] = comprimento > 1e-6 ? [(x2 - x1) / comprimento, (y2 - y1) / comprimento] : [0, 0];
    const [bx, by] = [x2 - ux * tamanho, y2 - uy * tamanho];
    mudar(linha, { x1, y1, x2: bx, y2: by });
    const lado = tamanho * 0.42;
    mudar(ponta, { d: `M${x2} ${y2} L${bx - uy * lado} ${by + ux * lado} L${bx + uy * lado} ${by - ux * lado} Z` });
    no.style.visibility = comprimento < 1.5 ? "hidden" : "visible";
  };
  return no;
}

/** A cor de uma casa de mapa de calor, de `papel`, com força de −1 a 1; os negativos vão para outra cor.
 *  Nem a mais forte tira o contraste das letras (--teto). */
function tinta(papel, forca) {
  const parte = Math.min(1, Math.abs(forca)).toFixed(3);
  return `color-mix(in srgb, ${forca < 0 ? "var(--negativo)" : cor(papel)} calc(var(--teto) * ${parte}), var(--fundo))`;
}

/** Leva de 0 a 1 em `ms` e chama f(t) a cada quadro; com movimento reduzido, chama só f(1). Devolve como parar. */
function animar(casa, ms, f) {
  if (!casa.movimento() || ms <= 0) {
    f(1);
    return () => {};
  }
  let pedido = null;
  const inicio = performance.now();
  const quadro = (agora) => {
    const t = limitar((agora - inicio) / ms, 0, 1);
    f(1 - (1 - t) ** 3);
    if (t < 1) pedido = requestAnimationFrame(quadro);
  };
  pedido = requestAnimationFrame(quadro);
  return () => cancelAnimationFrame(pedido);
}

/** Junta muitos pedidos de redesenho em um por quadro. */
function umPorQuadro(f) {
  let marcado = false;
  return () => {
    if (marcado) return;
    marcado = true;
    requestAnimationFrame(() => {
      marcado = false;
      f();
    });
  };
}

/** Chama f(largura) agora e quando a largura de `no` muda; devolve como parar. */
function aoRedimensionar(no, f) {
  let antes = 0;
  const olheiro = new ResizeObserver(([entrada]) => {
    const largura = Math.floor(entrada.contentRect.width);
    if (largura > 0 && largura !== antes) f((antes = largura));
  });
  olheiro.observe(no);
  return () => olheiro.disconnect();
}

// Em uma página sem Jupyter: um `model` pequeno, com o mesmo contrato, e os dados que já estão na página.

function modeloDaPagina(valores) {
  const ouvintes = {};
  return {
    get: (nome) => valores[nome],
    set(nome, valor) {
      valores[nome] = valor;
      (ouvintes[`change:${nome}`] ?? []).forEach((f) => f());
    },
    save_changes() {},
    on(evento, f) {
      (ouvintes[evento] ??= []).push(f);
    },
    off(evento, f) {
      ouvintes[evento] = (ouvintes[evento] ?? []).filter((g) => g !== f);
    },
  };
}

/** Os bytes vêm em base64, como {"base64": "…"}, e chegam como DataView, que é o que o anywidget também entrega. */
function lerValor(valor) {
  if (typeof valor?.base64 !== "string") return valor;
  const cru = atob(valor.base64);
  return new DataView(Uint8Array.from(cru, (letra) => letra.charCodeAt(0)).buffer);
}

/** Põe o explorador no lugar da imagem, em cada elemento marcado com este resumo. */
function abrirNaPagina(render, resumo, valores) {
  const lidos = Object.fromEntries(Object.entries(valores).map(([nome, valor]) => [nome, lerValor(valor)]));
  for (const no of document.querySelectorAll(`[data-explorador="${resumo}"]:not([data-pronto])`)) {
    no.setAttribute("data-pronto", "");
    no.replaceChildren();
    render({ model: modeloDaPagina({ ...lidos }), el: no.appendChild(document.createElement("div")) });
  }
}

// A conta das matrizes: cada produto com a linha, a coluna e a soma da casa apontada.

const MAIOR_LADO = 16;

function conferirConta({ X, palavras, pesos = {} }) {
  const [fX, fQ, fK, fV] = [X, pesos.W_Q, pesos.W_K, pesos.W_V].map((M) => (M === undefined ? undefined : forma(M)));
  if (!fX) return texto("conta.X_torta");
  if (palavras?.length !== fX[0]) return texto("conta.faltam_palavras", { n: fX[0] });
  const comProjecao = Object.keys(pesos).length > 0;
  if (comProjecao) {
    const certas = fQ && fK && fV && [fQ, fK, fV].every((f) => f[0] === fX[1]) && fQ[1] === fK[1];
    if (!certas) return texto("conta.W_torta", { d: fX[1] });
  }
  const lados = [fX, fQ, fK, fV].filter(Boolean).flat();
  return Math.max(...lados) > MAIOR_LADO ? texto("conta.grande", { n: MAIOR_LADO }) : null;
}

/** Os passos da conta, cada um com as duas matrizes que se multiplicam (ou a que vira pesos) e o resultado. */
function passosDaConta({ X, palavras, pesos = {}, escala, ate = "Y" }) {
  const comProjecao = Boolean(pesos.W_Q);
  const d_k = (pesos.W_K ?? X)[0].length;
  const divisor = escala ? Math.sqrt(d_k) : 1;
  const { Q, K, V, S, A, Y } = atender(X, pesos, divisor);
  const eixo = (letra, M) => M[0].map((_, i) => `${letra}${i + 1}`);
  const m = (nome, papel, valores, linhas, colunas) => ({ nome, papel, valores, linhas, colunas });
  const mX = m("X", "X", X, palavras, eixo("x", X));
  const projetada = (nome, M) => m(nome, nome, M, palavras, eixo(nome.toLowerCase(), M));
  const [mQ, mK, mV] = comProjecao ? [projetada("Q", Q), projetada("K", K), projetada("V", V)] : [mX, mX, mX];
  const projecao = (nome) => ({
    chave: nome, tipo: "produto", direita: m(`W_${nome}`, nome, pesos[`W_${nome}`], mX.colunas, eixo(nome.toLowerCase(), pesos[`W_${nome}`])),
    esquerda: mX, resultado: { Q: mQ, K: mK, V: mV }[nome],
  });
  const virada = { ...mK, nome: `${mK.nome}ᵀ`, valores: transposta(mK.valores), linhas: mK.colunas, colunas: palavras };
  const mS = m("S", "A", S, palavras, palavras);
  const mA = m("A", "A", A, palavras, palavras);
  const passos = [
    ...(comProjecao ? ["Q", "K", "V"].map(projecao) : []),
    { chave: "S", tipo: "produto", esquerda: mQ, direita: virada, resultado: mS, divisor, d_k },
    { chave: "A", tipo: "softmax", esquerda: mS, resultado: mA },
    { chave: "Y", tipo: "produto", esquerda: mA, direita: mV, resultado: m("Y", "V", Y, palavras, eixo("y", Y)) },
  ];
  return passos.slice(0, passos.findIndex((p) => p.chave === ate) + 1);
}

function tituloDoPasso({ chave, esquerda, direita, divisor }) {
  if (chave === "A") return "A = softmax(S)";
  const produto = `${esquerda.nome} ${direita.nome}`;
  return `${chave} = ${produto}${divisor > 1 ? " / √d_k" : ""}`;
}

function criarConta(casa) {
  const passos = passosDaConta(casa.dados);
  let atual = 0;
  let apontada = [0, 0];
  const painel = h("div", { class: "painel", role: "tabpanel", "aria-label": texto("conta.painel") });
  const abas = passos.map((passo, i) =>
    h("button", { type: "button", role: "tab", class: "aba", "aria-selected": "false", style: { "--papel": cor(passo.resultado.papel), "--papel-letra": cor(passo.resultado.papel, "texto") },
      aoClick: () => abas[i].focus() }, h("span", { class: "passo" }, `${i + 1}`), h("span", {}, formula(tituloDoPasso(passo)))));
  const soma = h("div", { class: "soma" });
  const explica = h("p", { class: "explica" });

  const apontar = (i, j, falar = true) => {
    apontada = [i, j];
    marcarCasas(painel, i, j);
    const passo = passos[atual];
    soma.replaceChildren(...contaEscrita(passo, i, j));
    casa.estado({ passo: passo.chave, linha: i, coluna: j });
    if (falar) casa.falar(contaFalada(passo, i, j));
  };
  const abrir = (qual) => {
    atual = qual;
    abas.forEach((aba, i) => {
      aba.setAttribute("aria-selected", String(i === qual));
      aba.setAttribute("tabindex", i === qual ? "0" : "-1");
    });
    const passo = passos[qual];
    explica.textContent = texto(`conta.explica_${passo.chave}`);
    const { valores } = passo.resultado;
    apontada = [limitar(apontada[0], 0, valores.length - 1), limitar(apontada[1], 0, valores[0].length - 1)];
    painel.replaceChildren(quadroDaConta(passo, apontar, apontada));
    apontar(...apontada, false);
    casa.mudou();
  };
  focoQueAnda(abas, { aoChegar: abrir });
  const vizinho = (passo) => () => abrir(limitar(atual + passo, 0, passos.length - 1));
  casa.atalho("n", vizinho(1));
  casa.atalho("p", vizinho(-1));
  casa.tabela(() => tabelasDaConta(passos[atual]));
  casa.corpo.append(
    h("div", { class: "abas", role: "tablist", "aria-label": texto("conta.passos") }, abas),
    explica,
    h("div", { class: "mesa" }, painel, soma)
  );
  apontada = [casa.dados.linha ?? casa.dados.X.length - 1, 0];
  abrir(Math.max(0, passos.findIndex((p) => p.chave === casa.dados.passo)));
}

// ------------------------------------------------------------ o quadro: a linha e a coluna se cruzam na casa

function quadroDaConta(passo, apontar, apontada) {
  const { esquerda, direita, resultado } = passo;
  const lado = h("div", { class: "ao-lado" }, tabelaDeCasas(esquerda, "esquerda"));
  const embaixo = h("div", { class: "resultado" }, gradeDeCasas(resultado, apontar, apontada));
  const emCima = direita ? h("div", { class: "em-cima" }, tabelaDeCasas(direita, "direita")) : null;
  return h("div", { class: "rola", tabindex: "-1" }, h("div", { class: `quadro${direita ? "" : " lado-a-lado"}` }, emCima, lado, embaixo));
}

function maiorDe({ valores }) {
  return Math.max(...valores.flat().map(Math.abs), 1e-9);
}

function cabecalho({ nome, papel, valores }) {
  const formaDela = `${valores.length} × ${valores[0].length}`;
  return h("caption", {}, h("b", { style: { color: cor(papel, "texto") } }, formula(nome)), ` ${formaDela}`);
}

function linhasDeCasas(matriz, casa) {
  const maior = maiorDe(matriz);
  const cabeca = h("tr", {}, h("td", {}), matriz.colunas.map((c) => h("th", { scope: "col" }, h("span", {}, c))));
  const corpo = matriz.valores.map((linha, i) => h("tr", {}, h("th", { scope: "row" }, matriz.linhas[i]),
    linha.map((x, j) => casa(x, i, j, { background: tinta(matriz.papel, x / maior) }))));
  return [h("thead", {}, cabeca), h("tbody", {}, corpo)];
}

function tabelaDeCasas(matriz, qual) {
  const casa = (x, i, j, style) => h("td", { class: "casa", "data-i": i, "data-j": j, style }, numero(x));
  return h("table", { class: `matriz ${qual}`, style: { "--papel": cor(matriz.papel, "texto") } }, cabecalho(matriz), linhasDeCasas(matriz, casa));
}

/** O resultado: uma grade em que as setas andam, e o mouse aponta. */
function gradeDeCasas(matriz, apontar, [i0, j0]) {
  const colunas = matriz.valores[0].length;
  const casas = [];
  const casa = (x, i, j, style) => {
    const nome = texto("conta.casa", { linha: matriz.linhas[i], coluna: matriz.colunas[j], valor: numero(x) });
    const no = h("td", { class: "casa", role: "gridcell", "data-i": i, "data-j": j, style, "aria-label": nome, aoPointerenter: () => apontar(i, j),
      aoClick: () => no.focus() }, numero(x));
    casas.push(no);
    return no;
  };
  const dentro = linhasDeCasas(matriz, casa);
  focoQueAnda(casas, { colunas, inicial: i0 * colunas + j0, aoChegar: (k) => apontar(Math.floor(k / colunas), k % colunas) });
  const nome = texto("conta.resultado", { nome: matriz.nome });
  return h("table", { class: "matriz", role: "grid", "aria-label": nome, style: { "--papel": cor(matriz.papel, "texto") } }, cabecalho(matriz), dentro);
}

function marcarCasas(painel, i, j) {
  const marcar = (seletor, serve) => painel.querySelectorAll(seletor).forEach((no) =>
    no.classList.toggle("acesa", serve(Number(no.dataset.i), Number(no.dataset.j))));
  marcar(".esquerda .casa", (linha) => linha === i);
  marcar(".direita .casa", (_, coluna) => coluna === j);
  marcar(".resultado .casa", (linha, coluna) => linha === i && coluna === j);
}

// ------------------------------------------------------------ a soma por extenso

function contaEscrita(passo, i, j) {
  return passo.tipo === "softmax" ? softmaxEscrita(passo, i, j) : produtoEscrito(passo, i, j);
}

function produtoEscrito({ esquerda, direita, resultado, divisor = 1, d_k }, i, j) {
  const linha = esquerda.valores[i];
  const coluna = direita.valores.map((l) => l[j]);
  const parcelas = linha.map((x, k) => [
    k ? " + " : "",
    h("span", { class: "parcela" }, h("b", { style: { color: cor(esquerda.papel, "texto") } }, entreParenteses(x)), " × ",
      h("b", { style: { color: cor(direita.papel, "texto") } }, entreParenteses(coluna[k]))),
  ]);
  const total = escalar(linha, coluna);
  const fim = divisor > 1
    ? [` = ${numero(total)}`, h("br"), `${numero(total)} / √${d_k} = `]
    : [" = "];
  return [
    h("p", { class: "de-quem" }, nomeDaCasa(resultado, i, j)),
    h("p", { class: "por-extenso" }, parcelas, fim, h("b", { class: "total" }, numero(resultado.valores[i][j]))),
  ];
}

function softmaxEscrita({ esquerda, resultado }, i, j) {
  const linha = esquerda.valores[i];
  const e = (x) => h("span", { class: "parcela" }, "e", h("sup", {}, numero(x)));
  const soma = linha.map((x, k) => [k ? " + " : "", e(x)]);
  const total = linha.reduce((t, x) => t + Math.exp(x), 0);
  return [
    h("p", { class: "de-quem" }, nomeDaCasa(resultado, i, j)),
    h("p", { class: "por-extenso" }, e(linha[j]), " / (", soma, ")", h("br"),
      `${numero(Math.exp(linha[j]))} / ${numero(total)} = `, h("b", { class: "total" }, numero(resultado.valores[i][j]))),
  ];
}

const entreParenteses = (x) => (numero(x).startsWith("−") ? `(${numero(x)})` : numero(x));

function nomeDaCasa({ nome, linhas, colunas }, i, j) {
  return texto("conta.de_quem", { nome, linha: linhas[i], coluna: colunas[j] });
}

function contaFalada(passo, i, j) {
  const { resultado, esquerda, direita, divisor = 1, d_k } = passo;
  const valor = numero(resultado.valores[i][j]);
  const quem = nomeDaCasa(resultado, i, j);
  if (passo.tipo === "softmax") return texto("conta.fala_softmax", { quem, pontuacao: numero(esquerda.valores[i][j]), valor });
  const parcelas = esquerda.valores[i].map((x, k) => texto("conta.vezes", { a: numero(x), b: numero(direita.valores[k][j]) })).join(` ${texto("conta.mais")} `);
  const dividido = divisor > 1 ? texto("conta.dividido", { d_k }) : "";
  return texto("conta.fala_produto", { quem, parcelas, dividido, valor });
}

function tabelasDaConta({ esquerda, direita, resultado }) {
  return [resultado, esquerda, direita].filter(Boolean).map(({ nome, linhas, colunas, valores }) => ({
    legenda: `${nome} (${valores.length} × ${valores[0].length})`, colunas: ["", ...colunas],
    linhas: valores.map((linha, i) => [linhas[i], ...linha]),
  }));
}

const render = explorador({ nome: "conta", conferir: conferirConta, criar: criarConta });

export default { render };
