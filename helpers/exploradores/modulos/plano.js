// Feito de helpers/exploradores/fonte/ por: python -m helpers.exploradores.montar (plano)
const TEXTOS = {"comum": {"e": "e", "tabela": "Tabela", "ajuda": "Teclas", "tela_cheia": "Tela cheia", "defeito": "Não consegui desenhar este explorador. Rode a célula outra vez. Se continuar assim, avise quem dá o curso.", "nao_sao_numeros": "Em {nome} há algo que não é número. Passe um array ou uma lista de números.", "forma_errada": "{nome} tem a forma {forma}, e aqui precisa ter a forma {pedida}.", "nao_finito": "{nome} tem um {tipo} na posição {onde}. Veja de onde ele veio antes de desenhar.", "teclas": [["Tab", "vai de um controle a outro"], ["T", "mostra ou esconde a tabela com os mesmos números"], ["?", "mostra ou esconde esta ajuda"]]}, "plano": {"titulo": "O plano da frase", "teclas": [["↑ ↓ ← →", "no ponto, movem a palavra (com Shift, passos maiores); nos botões das palavras, escolhem quem olha"], ["0", "põe as palavras de volta no lugar"]], "plano": "O plano, com as palavras da frase", "ponto": "ponto que se move com as setas", "ponto_em": "{palavra}, em {x} e {y}", "quem_olha": "Quem olha para as outras", "frase": "Frase", "escreva": "Ou escreva a sua", "temperatura": "Temperatura", "dimensao": "Dimensão dos vetores, d_k", "escala": "Dividir por √d_k", "projecoes": "Usar as projeções W_Q, W_K e W_V", "cabeca": "Cabeça", "todas": "Todas juntas", "voltar": "Voltar ao começo", "pesos": "Quanto {palavra} olha para cada palavra", "pesos_da_cabeca": "Quanto {palavra} olha para cada palavra ({cabeca})", "olha": "Sem contar ela mesma, {palavra} olha mais para {alvo} (peso {peso}) e vai de ({x}; {y}) para ({x2}; {y2}).", "tabela_pesos": "Os pesos de atenção. Em cada linha, quem olha", "tabela_lugares": "Onde cada palavra está e para onde vai", "colunas_lugares": ["", "dimensão 1", "dimensão 2", "nova dimensão 1", "nova dimensão 2"], "sem_frase": "Falta a frase. Passe ao menos uma no argumento frases, como “Eu gosto de comer manga”.", "sem_tabela": "Falta a tabela de palavras. Passe um dicionário em que cada palavra tem dois números.", "ponto_torto": "O vetor de “{palavra}” precisa ter dois números.", "cabeca_torta": "As projeções de “{nome}” não têm as formas que servem aqui. W_Q e W_K são (2, d_k), e W_V é (2, 2).", "frase_vazia": "A frase está vazia. Escreva ao menos uma palavra.", "frase_longa": "A frase ficou comprida. Aqui cabem {n} palavras.", "desconhecida": "Não conheço {nomes}. As palavras que tenho são {conhecidas}.", "alt": "O plano com as palavras de “{frase}”. De cada uma sai uma seta para onde ela vai ao olhar para as outras. {dito}", "temperatura_fora": "A temperatura vai de 0,0625 a 16.", "so_uma": "{palavra} está sozinha na frase, só olha para si mesma e vai de ({x}; {y}) para ({x2}; {y2})."}};
const ESTILO = ".explorador[data-tema=\"claro\"] { color-scheme: light; --fundo: #ffffff; --fundo-2: #f4f5f7; --fundo-3: #e6e8ec; --borda: #dcdfe4; --borda-forte: #868d99; --texto: #1b1f27; --texto-2: #4f5663; --foco: #1f5fd0; --negativo: #5b6b8c; --teto: 68%; --cor-Q: #0072B2; --letra-Q: #00629B; --cor-K: #E69F00; --letra-K: #8A5A00; --cor-V: #009E73; --letra-V: #00704F; --cor-A: #CC79A7; --letra-A: #9A3D73; --cor-X: #6B7280; --letra-X: #4B5563; --cor-destaque: #D55E00; --letra-destaque: #B34A00; --cor-azul: #0072B2; --letra-azul: #00629B; --cor-laranja: #E69F00; --letra-laranja: #8A5A00; --cor-verde: #009E73; --letra-verde: #00704F; --cor-rosa: #CC79A7; --letra-rosa: #9A3D73; --cor-cinza: #6B7280; --letra-cinza: #4B5563; }\n.explorador[data-tema=\"escuro\"] { color-scheme: dark; --fundo: #16181d; --fundo-2: #21242b; --fundo-3: #2e323b; --borda: #343943; --borda-forte: #7d8492; --texto: #eceef2; --texto-2: #b6bcc8; --foco: #7fb0ff; --negativo: #8fa3cc; --teto: 42%; --cor-Q: #7CC4F0; --letra-Q: #7CC4F0; --cor-K: #F2B84B; --letra-K: #F2B84B; --cor-V: #5CCFA8; --letra-V: #5CCFA8; --cor-A: #EBA3CB; --letra-A: #EBA3CB; --cor-X: #C2C8D2; --letra-X: #C2C8D2; --cor-destaque: #FF9350; --letra-destaque: #FF9350; --cor-azul: #7CC4F0; --letra-azul: #7CC4F0; --cor-laranja: #F2B84B; --letra-laranja: #F2B84B; --cor-verde: #5CCFA8; --letra-verde: #5CCFA8; --cor-rosa: #EBA3CB; --letra-rosa: #EBA3CB; --cor-cinza: #C2C8D2; --letra-cinza: #C2C8D2; }\n:host { display: block; }\n:host(:fullscreen) { overflow: auto; }\n:host(:fullscreen) .explorador { min-height: 100vh; border: 0; border-radius: 0; padding: 2rem 4vw; font-size: 1.15rem; }\n* { box-sizing: border-box; }\n.explorador {\n  container-type: inline-size;\n  font: 0.95rem/1.45 system-ui, -apple-system, \"Segoe UI\", Roboto, Ubuntu, \"Noto Sans\", sans-serif;\n  color: var(--texto); background: var(--fundo);\n  border: 1px solid var(--borda); border-radius: 12px; padding: 0.9rem 1rem 1rem; margin: 0.4rem 0; min-width: 0;\n  font-variant-numeric: tabular-nums; text-align: left;\n}\n.topo { display: flex; flex-wrap: wrap; gap: 0.3rem 0.8rem; align-items: center; margin-bottom: 0.6rem; }\n.topo h2 { font-size: 1.12em; line-height: 1.3; margin: 0; font-weight: 650; flex: 1 1 auto; letter-spacing: -0.01em; }\n.barra { display: flex; gap: 0.35rem; align-items: center; }\n.corpo { min-width: 0; }\n.recado {\n  margin: 0.2rem 0; padding: 0.7rem 0.9rem; border-left: 4px solid var(--cor-destaque); background: var(--fundo-2);\n  border-radius: 0 8px 8px 0;\n}\n.fala { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }\n[hidden] { display: none !important; }\n\nbutton {\n  font: inherit; font-size: 0.88em; color: var(--texto); background: var(--fundo-2); border: 1px solid var(--borda-forte);\n  border-radius: 8px; padding: 0.3rem 0.7rem; min-height: 2.1rem; cursor: pointer; display: inline-flex; gap: 0.45rem;\n  align-items: center; justify-content: center;\n}\nbutton:hover { background: var(--fundo-3); }\nbutton[aria-pressed=\"true\"], button[aria-expanded=\"true\"] { background: var(--fundo-3); border-color: var(--texto-2); }\nbutton.so-icone { min-width: 2.1rem; padding: 0.3rem; }\nbutton svg path { fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }\nbutton:disabled { opacity: 0.55; cursor: default; }\nkbd {\n  font: 600 0.8em/1.3 ui-monospace, \"SFMono-Regular\", Menlo, Consolas, monospace; padding: 0.05em 0.4em; border-radius: 5px;\n  border: 1px solid var(--borda-forte); background: var(--fundo); color: var(--texto-2);\n}\n:focus { outline: none; }\n:focus-visible { outline: 3px solid var(--foco); outline-offset: 2px; border-radius: 6px; }\n\n.controles { display: flex; flex-direction: column; gap: 0.7rem; min-width: 0; }\n.controle { display: grid; grid-template-columns: 1fr auto; gap: 0.15rem 0.6rem; align-items: baseline; min-width: 0; }\n.controle label { color: var(--texto-2); font-size: 0.92em; }\n.controle output { font-weight: 600; }\n.controle input, .controle select { grid-column: 1 / -1; width: 100%; min-width: 0; }\ninput[type=\"range\"] { accent-color: var(--foco); height: 1.6rem; margin: 0; cursor: pointer; }\ninput[type=\"text\"], select, textarea {\n  font: inherit; color: var(--texto); background: var(--fundo); border: 1px solid var(--borda-forte); border-radius: 8px;\n  padding: 0.38rem 0.6rem; min-height: 2.2rem;\n}\n.interruptor { display: flex; gap: 0.55rem; align-items: center; cursor: pointer; min-height: 1.9rem; }\n.interruptor input {\n  appearance: none; flex: none; width: 2.3rem; height: 1.3rem; border-radius: 1rem; margin: 0; cursor: pointer; position: relative;\n  background: var(--borda-forte);\n}\n.interruptor input::after {\n  content: \"\"; position: absolute; top: 0.16rem; left: 0.18rem; width: 0.98rem; height: 0.98rem; border-radius: 50%;\n  background: var(--fundo); transition: transform 0.15s;\n}\n.interruptor input:checked { background: var(--foco); }\n.interruptor input:checked::after { transform: translateX(0.96rem); }\n.interruptor input:focus-visible { border-radius: 1rem; }\n\n.tabela, .ajuda { margin-top: 0.9rem; padding-top: 0.8rem; border-top: 1px solid var(--borda); }\n.rola { overflow-x: auto; max-width: 100%; margin-bottom: 0.8rem; }\ntable { border-collapse: collapse; font-size: 0.9em; background: none; color: inherit; }\ncaption { text-align: left; color: var(--texto-2); padding-bottom: 0.35rem; }\nth, td { padding: 0.22rem 0.6rem; text-align: right; border-bottom: 1px solid var(--borda); font-weight: 400; white-space: nowrap; }\nth { font-weight: 600; }\nth[scope=\"row\"], thead th:first-child { text-align: left; }\ndl { display: grid; grid-template-columns: auto 1fr; gap: 0.35rem 0.9rem; margin: 0; align-items: baseline; }\ndd { margin: 0; }\n\nsvg { display: block; max-width: 100%; height: auto; }\nsvg text { fill: var(--texto); font-family: inherit; }\n\n@media (prefers-reduced-motion: reduce) {\n  *, *::after { transition: none !important; animation: none !important; }\n}\nsub { font-size: 0.75em; line-height: 0; }\n\n.duas { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }\n.duas > * { min-width: 0; }\n.moldura { border: 1px solid var(--borda); border-radius: 10px; overflow: hidden; background: var(--fundo); min-height: 8rem; }\n.moldura.vazia svg { display: none; }\n.moldura .recado { margin: 1rem; }\n.palavras { display: flex; flex-wrap: wrap; gap: 0.35rem; margin-bottom: 0.6rem; }\n.palavra { min-height: 2rem; padding: 0.2rem 0.65rem; border-color: var(--borda); font-size: 1em; }\n.palavra[aria-checked=\"true\"] { border-color: var(--letra-destaque); color: var(--letra-destaque); font-weight: 650;\n  background: color-mix(in srgb, var(--cor-destaque) 10%, var(--fundo)); }\n.eixo { stroke: var(--borda); stroke-width: 1; }\ncircle.apagado { opacity: 0.55; }\n.ligacoes line { opacity: 0.42; stroke-linecap: round; }\n.seta.outra { opacity: 0.75; }\n.ponto { cursor: grab; }\n.ponto:active { cursor: grabbing; }\n.alvo { fill: transparent; }\n.bola { stroke: var(--fundo); stroke-width: 2; }\n.ponto:focus-visible { outline: none; }\n.ponto:focus-visible .alvo { stroke: var(--foco); stroke-width: 3; }\n.nome { font-weight: 550; paint-order: stroke; stroke: var(--fundo); stroke-width: 4px; stroke-linejoin: round; pointer-events: none; }\n.nome.frente { font-weight: 700; }\ntext.apagado { pointer-events: none; }\n.dito { margin: 0.6rem 0 0; }\n.barras h3 { font-size: 0.92em; font-weight: 600; margin: 1rem 0 0.3rem; color: var(--letra-A); }\n.barras ul { list-style: none; margin: 0; padding: 0; }\n.barras li { display: grid; grid-template-columns: minmax(4.5em, 30%) 1fr 3em; gap: 0.5rem; align-items: center; line-height: 1.6; }\n.barras .quem { overflow: hidden; text-overflow: ellipsis; }\n.trilho { height: 0.75rem; border-radius: 4px; background: var(--fundo-2); overflow: hidden; }\n.barra-cheia { display: block; height: 100%; background: var(--cor-A); border-radius: 4px; }\n.quanto { text-align: right; }\n@container (min-width: 700px) {\n  .duas { grid-template-columns: minmax(0, 1.75fr) minmax(15rem, 1fr); gap: 1.4rem; }\n}\n";
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

// O plano da frase: cada palavra é um ponto, e uma seta diz para onde ela vai quando olha para as outras.

const MAXIMO_DE_PALAVRAS = 16;

function conferirPlano({ frases, tabela, cabecas = [] }) {
  if (!Array.isArray(frases) || !frases.length) return texto("plano.sem_frase");
  const palavras = Object.entries(tabela ?? {});
  if (!palavras.length) return texto("plano.sem_tabela");
  const torta = palavras.find(([, ponto]) => ponto?.length !== 2 || !ponto.every(Number.isFinite));
  if (torta) return texto("plano.ponto_torto", { palavra: torta[0] });
  for (const { nome, W_Q, W_K, W_V } of cabecas) {
    const [q, k, v] = [W_Q, W_K, W_V].map(forma);
    const certas = q && k && v && q[0] === 2 && k[0] === 2 && q[1] === k[1] && v[0] === 2 && v[1] === 2;
    if (!certas) return texto("plano.cabeca_torta", { nome });
  }
  return null;
}

/** A frase em palavras da tabela: {palavras} ou {problema}. Aceita pontuação e maiúsculas trocadas. */
function lerFrase(frase, tabela) {
  const pedacos = frase.split(/\s+/).map((p) => p.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "")).filter(Boolean);
  if (!pedacos.length) return { problema: texto("plano.frase_vazia") };
  if (pedacos.length > MAXIMO_DE_PALAVRAS) return { problema: texto("plano.frase_longa", { n: MAXIMO_DE_PALAVRAS }) };
  const porMinuscula = new Map(Object.keys(tabela).map((p) => [p.toLowerCase(), p]));
  const achar = (p) => (Object.hasOwn(tabela, p) ? p : porMinuscula.get(p.toLowerCase()));
  const estranhas = [...new Set(pedacos.filter((p) => !achar(p)))];
  if (!estranhas.length) return { palavras: pedacos.map(achar) };
  const conhecidas = Object.keys(tabela).sort((a, b) => a.localeCompare(b, "pt")).join(", ");
  const nomes = enumerar(estranhas.map((p) => `“${p}”`));
  return { problema: texto("plano.desconhecida", { nomes, conhecidas }) };
}

/** Tudo o que se vê, a partir do que se escolheu. Não toca na tela. */
function contaDoPlano({ tabela, cabecas }, escolhas) {
  const X = escolhas.palavras.map((p) => escolhas.pontos[p] ?? tabela[p]); // (N, 2)
  const ligadas = escolhas.projecoes ? cabecas : [];
  const usadas = !ligadas.length ? [{ nome: "" }] : escolhas.cabeca < 0 ? ligadas : [ligadas[escolhas.cabeca]];
  return usadas.map((cabeca) => {
    const d_k = escolhas.dimensao ?? cabeca.W_Q?.[0].length ?? 2;
    const tamanho = escolhas.dimensao ? Math.sqrt(escolhas.dimensao / 2) : 1; // quanto as pontuações crescem com d_k
    const divisor = (escolhas.temperatura * (escolhas.escala ? Math.sqrt(d_k) : 1)) / tamanho;
    return { nome: cabeca.nome, X, ...atender(X, cabeca, divisor) };
  });
}

function criarPlano(casa) {
  const { dados } = casa;
  const escolhas = {
    palavras: [],
    frente: 0,
    pontos: {},
    temperatura: dados.temperatura ?? 1,
    escala: Boolean(dados.escala),
    dimensao: dados.dimensoes?.[0] ?? null,
    projecoes: Boolean(dados.projecoes),
    cabeca: 0,
  };
  const moldura = h("div", { class: "moldura" });
  const palavras = h("div", { class: "palavras", role: "radiogroup", "aria-label": texto("plano.quem_olha") });
  const barras = h("div", { class: "barras" });
  const dito = h("p", { class: "dito" });
  const desenho = fazerDesenho(casa, escolhas, moldura, (quem) => por({ frente: quem }), mover);
  let contas = [];

  const atualizar = () => {
    if (!escolhas.palavras.length) return;
    contas = contaDoPlano(dados, escolhas);
    desenho.pintar(contas);
    barras.replaceChildren(...barrasDe(escolhas, contas));
    const frase = resumoDoPlano(escolhas, contas);
    dito.textContent = frase;
    casa.falar(frase);
    casa.mudou();
  };
  const pintarLogo = umPorQuadro(atualizar);

  function por(mudancas) {
    Object.assign(escolhas, mudancas);
    if ("frente" in mudancas) marcarPalavra(palavras, escolhas.frente);
    const { temperatura, escala, cabeca, projecoes, dimensao } = escolhas;
    casa.estado({ frase: escolhas.palavras.join(" "), frente: escolhas.palavras[escolhas.frente] ?? null, pontos: escolhas.pontos,
      temperatura, escala, dimensao, projecoes, cabeca });
    pintarLogo();
  }

  function mover(palavra, ponto) {
    por({ pontos: { ...escolhas.pontos, [palavra]: ponto } });
  }

  function lerTexto(frase) {
    const { palavras: lidas = [], problema } = lerFrase(frase, dados.tabela);
    moldura.classList.toggle("vazia", Boolean(problema));
    aviso.hidden = !problema;
    aviso.textContent = problema ?? "";
    if (problema) {
      escolhas.palavras = [];
      palavras.replaceChildren();
      barras.replaceChildren();
      dito.textContent = "";
      casa.falar(problema);
      return;
    }
    escolhas.palavras = lidas;
    const frente = lidas.lastIndexOf(dados.destaque);
    trocarPalavras(palavras, lidas, (i) => por({ frente: i }));
    por({ frente: frente < 0 ? lidas.length - 1 : frente });
  }

  const aviso = recado("");
  const controles = controlesDoPlano(casa, escolhas, por, lerTexto, () => por({ pontos: {} }));
  moldura.append(aviso);
  const lado = h("div", { class: "lado" }, controles, barras);
  casa.corpo.append(h("div", { class: "duas" }, h("div", {}, palavras, moldura, dito), lado));
  casa.tabela(() => (escolhas.palavras.length ? tabelasDoPlano(escolhas, contas) : []));
  casa.atalho("0", () => por({ pontos: {} }));
  lerTexto(dados.frases[0]);
  contas = contaDoPlano(dados, { ...escolhas, palavras: escolhas.palavras });
  return aoRedimensionar(moldura, (largura) => {
    desenho.medir(largura);
    atualizar();
  });
}

// ------------------------------------------------------------ os controles

function controlesDoPlano(casa, escolhas, por, lerTexto, voltar) {
  const { dados } = casa;
  const cabecas = dados.cabecas ?? [];
  const escrita = campo({ rotulo: texto("plano.escreva"), valor: dados.frases[0], aoMudar: lerTexto });
  const trocarFrase = (frase) => {
    escrita.por(frase);
    lerTexto(frase);
  };
  const itens = [
    dados.frases.length > 1 && escolha({ rotulo: texto("plano.frase"), opcoes: dados.frases, aoMudar: trocarFrase }),
    escrita,
    dados.temperatura !== null && deslizanteDaTemperatura(escolhas.temperatura, (temperatura) => por({ temperatura })),
    dados.dimensoes?.length > 1 && deslizante({
      rotulo: texto("plano.dimensao"), minimo: 0, maximo: dados.dimensoes.length - 1, passo: 1, valor: 0,
      mostrar: (i) => String(dados.dimensoes[i]), aoMudar: (i) => por({ dimensao: dados.dimensoes[i] }),
    }),
    dados.com_escala && interruptor({ rotulo: texto("plano.escala"), valor: escolhas.escala, aoMudar: (escala) => por({ escala }) }),
    cabecas.length > 0 && interruptor({
      rotulo: texto("plano.projecoes"), valor: escolhas.projecoes, aoMudar: (projecoes) => por({ projecoes }),
    }),
    cabecas.length > 1 && escolha({
      rotulo: texto("plano.cabeca"), valor: 0, aoMudar: (cabeca) => por({ cabeca }),
      opcoes: [...cabecas.map(({ nome }, i) => [i, nome]), [-1, texto("plano.todas")]],
    }),
    botao(texto("plano.voltar"), voltar, { class: "discreto", tecla: "0" }),
  ];
  return h("div", { class: "controles" }, itens);
}

/** O controle anda em potências: metade e dobro ficam à mesma distância de 1. */
function deslizanteDaTemperatura(valor, aoMudar) {
  return deslizante({
    rotulo: texto("plano.temperatura"), minimo: -4, maximo: 4, passo: 0.1, valor: Math.log2(valor),
    mostrar: (x) => numero(2 ** x), aoMudar: (x) => aoMudar(2 ** x),
  });
}

function trocarPalavras(grupo, palavras, aoEscolher) {
  const botoes = palavras.map((p, i) =>
    h("button", { type: "button", role: "radio", "aria-checked": "false", class: "palavra", aoClick: () => botoes[i].focus() }, p)
  );
  focoQueAnda(botoes, { aoChegar: aoEscolher });
  grupo.replaceChildren(...botoes);
}

function marcarPalavra(grupo, frente) {
  [...grupo.children].forEach((b, i) => {
    b.setAttribute("aria-checked", String(i === frente));
    b.setAttribute("tabindex", i === frente ? "0" : "-1");
  });
}

// ------------------------------------------------------------ o desenho

function limitesDoPlano({ tabela, limites }) {
  if (limites) return limites;
  const todos = Object.values(tabela);
  const folga = (eixo) => {
    const [menor, maior] = [Math.min(0, ...todos.map((p) => p[eixo])), Math.max(0, ...todos.map((p) => p[eixo]))];
    const margem = Math.max(0.12 * (maior - menor), 0.1);
    return [menor - margem, maior + margem];
  };
  return [...folga(0), ...folga(1)];
}

function fazerDesenho(casa, escolhas, moldura, aoEscolher, aoMover) {
  const { dados } = casa;
  const [x0, x1, y0, y1] = limitesDoPlano(dados);
  const svg = s("svg", { role: "group", "aria-label": texto("plano.plano") });
  const camadas = Object.fromEntries(["fundo", "ligacoes", "setas", "pontos", "rotulos"].map((n) => [n, s("g", { class: n })]));
  svg.append(...Object.values(camadas));
  moldura.append(svg);
  const escala = { largura: 600, altura: 500, lugares: new Map() };
  escala.x = (x) => ((x - x0) / (x1 - x0)) * escala.largura;
  escala.y = (y) => ((y1 - y) / (y1 - y0)) * escala.altura;
  escala.deVolta = (px, py) => [
    arredondar(limitar(x0 + (px / escala.largura) * (x1 - x0), x0, x1)),
    arredondar(limitar(y1 - (py / escala.altura) * (y1 - y0), y0, y1)),
  ];
  arrastar(svg, escala, escolhas, aoEscolher, aoMover);
  teclasDoPonto(svg, escolhas, dados, [x0, x1, y0, y1], aoMover);
  return {
    medir(largura) {
      escala.largura = largura;
      escala.altura = Math.round(limitar((largura * (y1 - y0)) / (x1 - x0), 260, 620));
      mudar(svg, { viewBox: `0 0 ${largura} ${escala.altura}`, width: largura, height: escala.altura });
    },
    pintar(contas) {
      const comFoco = svg.getRootNode().activeElement?.classList?.contains("ponto");
      camadas.fundo.replaceChildren(...fundoDoPlano(dados, escolhas, escala));
      camadas.ligacoes.replaceChildren(...ligacoesDe(escolhas, contas[0], escala));
      camadas.setas.replaceChildren(...setasDe(escolhas, contas, escala));
      camadas.pontos.replaceChildren(...pontosDe(dados, escolhas, contas[0].X, escala));
      camadas.rotulos.replaceChildren(...rotulosDe(dados, escolhas, contas, escala));
      if (comFoco) camadas.pontos.querySelector("[tabindex]")?.focus();
    },
  };
}

const arredondar = (x) => Math.round(x * 100) / 100;

function fundoDoPlano({ tabela, grupos = [] }, { palavras, pontos }, escala) {
  const [ox, oy] = [escala.x(0), escala.y(0)];
  const eixos = [
    s("line", { class: "eixo", x1: 0, x2: escala.largura, y1: oy, y2: oy }),
    s("line", { class: "eixo", x1: ox, x2: ox, y1: 0, y2: escala.altura }),
  ];
  const fora = Object.keys(tabela).filter((p) => !palavras.includes(p));
  const apagados = fora.map((p) => {
    const [x, y] = pontos[p] ?? tabela[p];
    return s("circle", { class: "apagado", cx: escala.x(x), cy: escala.y(y), r: 3, style: { fill: cor(corDa(p, grupos)) } });
  });
  return [...eixos, ...apagados];
}

function corDa(palavra, grupos) {
  return grupos.find((g) => g.palavras.includes(palavra))?.cor ?? "cinza";
}

/** De quem está na frente a cada palavra, uma linha tão grossa quanto o peso. */
function ligacoesDe({ palavras, frente }, { X, A }, escala) {
  const [xf, yf] = X[frente];
  return palavras.map((_, m) =>
    s("line", {
      x1: escala.x(xf), y1: escala.y(yf), x2: escala.x(X[m][0]), y2: escala.y(X[m][1]),
      style: { stroke: cor("A"), "stroke-width": `${14 * A[frente][m]}px` },
    })
  );
}

function setasDe({ palavras, frente }, contas, escala) {
  const de = (conta, n, tinta, espessura, classe) => {
    const nova = seta({ tinta, espessura, classe });
    nova.por(escala.x(conta.X[n][0]), escala.y(conta.X[n][1]), escala.x(conta.Y[n][0]), escala.y(conta.Y[n][1]));
    return nova;
  };
  const outras = palavras.map((_, n) => (n === frente ? null : de(contas[0], n, "var(--texto-2)", 1.3, "outra"))).filter(Boolean);
  const daFrente = contas.map((conta, c) => de(conta, frente, cor(CORES_DAS_CABECAS[c % 4]), 3.5, "frente"));
  return [...outras, ...daFrente];
}

const CORES_DAS_CABECAS = ["destaque", "azul", "verde", "rosa"];

function pontosDe({ grupos = [] }, { palavras, frente }, X, escala) {
  const vistas = new Set();
  return palavras.map((palavra, n) => {
    if (vistas.has(palavra) && n !== frente) return null;
    vistas.add(palavra);
    const eDaFrente = n === frente;
    const [x, y] = X[n];
    const nome = { palavra, x: numero(x), y: numero(y) };
    const atributos = eDaFrente
      ? { tabindex: "0", role: "button", "aria-roledescription": texto("plano.ponto"), "aria-label": texto("plano.ponto_em", nome) }
      : { "aria-hidden": "true" };
    return s("g", { class: `ponto${eDaFrente ? " frente" : ""}`, "data-n": n, ...atributos,
        transform: `translate(${escala.x(x)} ${escala.y(y)})` },
      s("circle", { class: "alvo", r: 18 }),
      s("circle", { class: "bola", r: eDaFrente ? 8 : 6, style: { fill: eDaFrente ? cor("destaque") : cor(corDa(palavra, grupos)) } })
    );
  }).filter(Boolean);
}

/** Os nomes, cada um no lugar em volta do ponto em que menos cobre os outros. */
function rotulosDe({ tabela, grupos = [] }, { palavras, frente, pontos }, contas, escala) {
  const [{ X }] = contas;
  const cheios = palavras.map((_, n) => [escala.x(X[n][0]), escala.y(X[n][1])]);
  const ocupados = cheios.map(([x, y]) => [x - 8, y - 8, x + 8, y + 8]);
  const pontas = [...contas.map(({ Y }) => Y[frente]), ...contas[0].Y].map(([x, y]) => [escala.x(x), escala.y(y)]);
  ocupados.push(...pontas.map(([x, y]) => [x - 9, y - 9, x + 9, y + 9]));
  const feitos = [];
  const escrever = (palavra, x, y, classe, corpo, tinta) => {
    const [dx, dy, ancora, caixa] = melhorLugar(palavra, x, y, corpo, ocupados, escala);
    ocupados.push(caixa);
    feitos.push(s("text", { class: classe, x: dx, y: dy, "text-anchor": ancora, "font-size": corpo, style: tinta ? { fill: tinta } : {},
      "aria-hidden": "true" }, palavra));
  };
  const ordem = palavras.map((_, n) => n).sort((a, b) => (b === frente) - (a === frente));
  const escritas = new Set();
  for (const n of ordem) {
    if (escritas.has(palavras[n])) continue;
    escritas.add(palavras[n]);
    const daFrente = n === frente;
    escrever(palavras[n], ...cheios[n], daFrente ? "nome frente" : "nome", daFrente ? 17 : 15, daFrente ? cor("destaque", "texto") : null);
  }
  if (contas.length > 1) {
    contas.forEach(({ nome, Y }, c) =>
      escrever(nome, escala.x(Y[frente][0]), escala.y(Y[frente][1]), "nome", 13, cor(CORES_DAS_CABECAS[c % 4], "texto")));
  }
  if (escala.largura >= 480) {
    for (const [palavra, ponto] of Object.entries(tabela)) {
      const [x, y] = pontos[palavra] ?? ponto;
      if (!palavras.includes(palavra)) escrever(palavra, escala.x(x), escala.y(y), "apagado", 11.5, cor(corDa(palavra, grupos), "texto"));
    }
  }
  return feitos;
}

function melhorLugar(palavra, x, y, corpo, ocupados, { largura, altura }) {
  const [w, a, d] = [palavra.length * corpo * 0.56, corpo, 11];
  const lugares = [[d, 0, "start"], [-d, 0, "end"], [0, -d - a / 2, "middle"], [0, d + a / 2, "middle"], [d - 3, -d, "start"],
    [d - 3, d, "start"], [3 - d, -d, "end"], [3 - d, d, "end"]];
  let melhor = null;
  for (const [dx, dy, ancora] of lugares) {
    const esquerda = x + dx - (ancora === "end" ? w : ancora === "middle" ? w / 2 : 0);
    const caixa = [esquerda, y + dy - a / 2, esquerda + w, y + dy + a / 2];
    const fora = caixa[0] < 2 || caixa[1] < 2 || caixa[2] > largura - 2 || caixa[3] > altura - 2;
    const custo = ocupados.reduce((soma, o) => soma + sobra(caixa, o), fora ? 1e5 : 0);
    if (!melhor || custo < melhor.custo - 1) melhor = { custo, lugar: [x + dx, y + dy + a * 0.34, ancora, caixa] };
  }
  return melhor.lugar;
}

function sobra(a, b) {
  const largura = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const altura = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return largura > 0 && altura > 0 ? largura * altura : 0;
}

// ------------------------------------------------------------ mexer

function arrastar(svg, escala, escolhas, aoEscolher, aoMover) {
  let pego = null;
  const segurar = (evento) => evento.target.closest(".ponto") && evento.preventDefault();
  svg.addEventListener("touchstart", segurar, { passive: false }); // o dedo move o ponto; fora dele, rola a página
  svg.addEventListener("pointerdown", (evento) => {
    const no = evento.target.closest(".ponto");
    if (!no) return;
    pego = Number(no.dataset.n);
    svg.setPointerCapture(evento.pointerId);
    evento.preventDefault();
    aoEscolher(pego);
  });
  svg.addEventListener("pointermove", (evento) => {
    if (pego === null) return;
    const caixa = svg.getBoundingClientRect();
    aoMover(escolhas.palavras[pego], escala.deVolta(evento.clientX - caixa.left, evento.clientY - caixa.top));
  });
  for (const fim of ["pointerup", "pointercancel"]) {
    svg.addEventListener(fim, () => {
      if (pego !== null) requestAnimationFrame(() => requestAnimationFrame(() => svg.querySelector(".ponto.frente")?.focus()));
      pego = null;
    });
  }
}

const DIRECOES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function teclasDoPonto(svg, escolhas, { tabela }, [x0, x1, y0, y1], aoMover) {
  svg.addEventListener("keydown", (evento) => {
    const direcao = DIRECOES[evento.key];
    if (!direcao || !evento.target.closest(".ponto")) return;
    evento.preventDefault();
    evento.stopPropagation();
    const palavra = escolhas.palavras[escolhas.frente];
    const [x, y] = escolhas.pontos[palavra] ?? tabela[palavra];
    const passo = evento.shiftKey ? 0.25 : 0.05;
    aoMover(palavra, [
      arredondar(limitar(x + passo * direcao[0], x0, x1)),
      arredondar(limitar(y + passo * direcao[1], y0, y1)),
    ]);
  });
}

// ------------------------------------------------------------ os números

function barrasDe({ palavras, frente }, contas) {
  return contas.map(({ nome, A }) => {
    const titulo = texto(nome ? "plano.pesos_da_cabeca" : "plano.pesos", { palavra: palavras[frente], cabeca: nome });
    const linhas = palavras.map((palavra, m) =>
      h("li", {}, h("span", { class: "quem" }, palavra), h("span", { class: "trilho", "aria-hidden": "true" },
        h("span", { class: "barra-cheia", style: { width: `${100 * A[frente][m]}%` } })), h("span", { class: "quanto" }, numero(A[frente][m]))));
    return h("div", {}, h("h3", {}, titulo), h("ul", {}, linhas));
  });
}

function resumoDoPlano({ palavras, frente }, contas) {
  return contas.map(({ nome, X, A, Y }) => {
    const pesos = A[frente];
    const outras = palavras.map((_, m) => m).filter((m) => palavras[m] !== palavras[frente]);
    const maior = outras.length ? outras.reduce((a, b) => (pesos[b] > pesos[a] ? b : a)) : frente;
    const trocas = { palavra: palavras[frente], alvo: palavras[maior], peso: numero(pesos[maior]), cabeca: nome,
      x: numero(X[frente][0]), y: numero(X[frente][1]), x2: numero(Y[frente][0]), y2: numero(Y[frente][1]) };
    return `${nome ? `${nome}: ` : ""}${texto(outras.length ? "plano.olha" : "plano.so_uma", trocas)}`;
  }).join(" ");
}

function tabelasDoPlano({ palavras }, contas) {
  return contas.flatMap(({ nome, X, A, Y }) => {
    const de = nome ? ` (${nome})` : "";
    return [
      { legenda: texto("plano.tabela_pesos") + de, colunas: ["", ...palavras], linhas: A.map((linha, n) => [palavras[n], ...linha]) },
      { legenda: texto("plano.tabela_lugares") + de, colunas: TEXTOS.plano.colunas_lugares,
        linhas: X.map((x, n) => [palavras[n], ...x, ...Y[n]]) },
    ];
  });
}

const render = explorador({ nome: "plano", conferir: conferirPlano, criar: criarPlano });

export default { render };
