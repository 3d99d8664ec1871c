// Feito de helpers/exploradores/fonte/ por: python -m helpers.exploradores.montar (cabecas)
const TEXTOS = {"comum": {"e": "e", "tabela": "Tabela", "ajuda": "Teclas", "tela_cheia": "Tela cheia", "defeito": "Não consegui desenhar este explorador. Rode a célula outra vez. Se continuar assim, avise quem dá o curso.", "nao_sao_numeros": "Em {nome} há algo que não é número. Passe um array ou uma lista de números.", "forma_errada": "{nome} tem a forma {forma}, e aqui precisa ter a forma {pedida}.", "nao_finito": "{nome} tem um {tipo} na posição {onde}. Veja de onde ele veio antes de desenhar.", "teclas": [["Tab", "vai de um controle a outro"], ["T", "mostra ou esconde a tabela com os mesmos números"], ["?", "mostra ou esconde esta ajuda"]]}, "cabecas": {"titulo": "As cabeças", "alt": "Os mapas de atenção de todas as cabeças sobre “{texto}”, um por cabeça, em {camadas} de {cabecas}. Ampliada, a cabeça {cabeca} da camada {camada}.", "esperando": "Carregando os pesos de atenção…", "todas": "Todas as cabeças", "todas_fala": "Os mapas de todas as cabeças. Ande com as setas", "todas_legenda": "Cada fileira é uma camada, e cada quadradinho, uma cabeça. Escolha uma para ver ampliada.", "qual": "Camada {camada}, cabeça {cabeca}", "mapa": "Mapa", "linhas": "Linhas", "quem_olha": "Quem olha", "token": "{token}, token {n}", "casa": "{de} olha para {para}: {peso}", "resumo": "Em média, o peso vai assim: {anterior} para o token anterior, {proprio} para o próprio token e {primeiro} para o primeiro. Aponte para um token para ver para quem ele olha.", "aponte": "Aponte para um token para ver para quem ele olha.", "olha": "“{token}” olha mais para {quem}.", "regua": "Escala das cores, do peso 0 (claro) ao peso 1 (cor cheia)", "tabela": "Os pesos de atenção. {qual}. Em cada linha, quem olha", "sem_tokens": "Faltam os tokens. Passe a lista deles, um texto para cada linha dos pesos.", "sem_pesos": "Faltam os pesos de atenção, com a forma (camadas, cabeças, T, T).", "pesos_tortos": "eles não têm o tamanho certo, ou há neles algo que não é um peso", "sem_kernel": "o kernel não respondeu; rode a célula outra vez", "nao_chegaram": "Os pesos de atenção não chegaram: {por_que}.", "forma": "Os pesos têm a forma {forma}, e aqui precisam ter a forma (camadas, cabeças, T, T), com um mapa T por T para cada cabeça.", "nao_sao_numeros": "Nos pesos há algo que não é número. Passe um array ou um tensor de forma (camadas, cabeças, T, T).", "nao_finito": "Há um NaN ou um infinito nos pesos da camada {camada}, cabeça {cabeca}. Veja de onde ele veio antes de desenhar.", "negativo": "Na camada {camada}, cabeça {cabeca}, há um peso negativo, {valor}. Passe os pesos depois da softmax, e não as pontuações.", "soma": "Na camada {camada}, cabeça {cabeca}, a linha {linha} soma {soma}, e devia somar 1. Passe os pesos depois da softmax.", "quantos_tokens": "São {tokens} tokens, e os mapas são de {T} por {T}. Passe um token para cada linha.", "grande": "São {quantos} pesos, e aqui cabem {cabem}. Escolha menos camadas, ou um texto mais curto.", "inicial": "Não há camada {camada}, cabeça {cabeca}: aqui são {camadas} camadas de {cabecas} cabeças, contadas a partir de 0.", "teclas": [["↑ ↓ ← →", "nos quadradinhos, vão de uma cabeça a outra; nos tokens, de um a outro"], ["M", "troca o mapa pelas linhas, e de volta"]], "legenda_mapa": "Nas linhas, quem olha. Nas colunas, quem é olhado.", "legenda_linhas": "À esquerda, quem olha. À direita, quem é olhado. Linha grossa, peso grande."}};
const ESTILO = ".explorador[data-tema=\"claro\"] { color-scheme: light; --fundo: #ffffff; --fundo-2: #f4f5f7; --fundo-3: #e6e8ec; --borda: #dcdfe4; --borda-forte: #868d99; --texto: #1b1f27; --texto-2: #4f5663; --foco: #1f5fd0; --negativo: #5b6b8c; --teto: 68%; --cor-Q: #0072B2; --letra-Q: #00629B; --cor-K: #E69F00; --letra-K: #8A5A00; --cor-V: #009E73; --letra-V: #00704F; --cor-A: #CC79A7; --letra-A: #9A3D73; --cor-X: #6B7280; --letra-X: #4B5563; --cor-destaque: #D55E00; --letra-destaque: #B34A00; --cor-azul: #0072B2; --letra-azul: #00629B; --cor-laranja: #E69F00; --letra-laranja: #8A5A00; --cor-verde: #009E73; --letra-verde: #00704F; --cor-rosa: #CC79A7; --letra-rosa: #9A3D73; --cor-cinza: #6B7280; --letra-cinza: #4B5563; }\n.explorador[data-tema=\"escuro\"] { color-scheme: dark; --fundo: #16181d; --fundo-2: #21242b; --fundo-3: #2e323b; --borda: #343943; --borda-forte: #7d8492; --texto: #eceef2; --texto-2: #b6bcc8; --foco: #7fb0ff; --negativo: #8fa3cc; --teto: 42%; --cor-Q: #7CC4F0; --letra-Q: #7CC4F0; --cor-K: #F2B84B; --letra-K: #F2B84B; --cor-V: #5CCFA8; --letra-V: #5CCFA8; --cor-A: #EBA3CB; --letra-A: #EBA3CB; --cor-X: #C2C8D2; --letra-X: #C2C8D2; --cor-destaque: #FF9350; --letra-destaque: #FF9350; --cor-azul: #7CC4F0; --letra-azul: #7CC4F0; --cor-laranja: #F2B84B; --letra-laranja: #F2B84B; --cor-verde: #5CCFA8; --letra-verde: #5CCFA8; --cor-rosa: #EBA3CB; --letra-rosa: #EBA3CB; --cor-cinza: #C2C8D2; --letra-cinza: #C2C8D2; }\n:host { display: block; }\n:host(:fullscreen) { overflow: auto; }\n:host(:fullscreen) .explorador { min-height: 100vh; border: 0; border-radius: 0; padding: 2rem 4vw; font-size: 1.15rem; }\n* { box-sizing: border-box; }\n.explorador {\n  container-type: inline-size;\n  font: 0.95rem/1.45 system-ui, -apple-system, \"Segoe UI\", Roboto, Ubuntu, \"Noto Sans\", sans-serif;\n  color: var(--texto); background: var(--fundo);\n  border: 1px solid var(--borda); border-radius: 12px; padding: 0.9rem 1rem 1rem; margin: 0.4rem 0; min-width: 0;\n  font-variant-numeric: tabular-nums; text-align: left;\n}\n.topo { display: flex; flex-wrap: wrap; gap: 0.3rem 0.8rem; align-items: center; margin-bottom: 0.6rem; }\n.topo h2 { font-size: 1.12em; line-height: 1.3; margin: 0; font-weight: 650; flex: 1 1 auto; letter-spacing: -0.01em; }\n.barra { display: flex; gap: 0.35rem; align-items: center; }\n.corpo { min-width: 0; }\n.recado {\n  margin: 0.2rem 0; padding: 0.7rem 0.9rem; border-left: 4px solid var(--cor-destaque); background: var(--fundo-2);\n  border-radius: 0 8px 8px 0;\n}\n.fala { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }\n[hidden] { display: none !important; }\n\nbutton {\n  font: inherit; font-size: 0.88em; color: var(--texto); background: var(--fundo-2); border: 1px solid var(--borda-forte);\n  border-radius: 8px; padding: 0.3rem 0.7rem; min-height: 2.1rem; cursor: pointer; display: inline-flex; gap: 0.45rem;\n  align-items: center; justify-content: center;\n}\nbutton:hover { background: var(--fundo-3); }\nbutton[aria-pressed=\"true\"], button[aria-expanded=\"true\"] { background: var(--fundo-3); border-color: var(--texto-2); }\nbutton.so-icone { min-width: 2.1rem; padding: 0.3rem; }\nbutton svg path { fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }\nbutton:disabled { opacity: 0.55; cursor: default; }\nkbd {\n  font: 600 0.8em/1.3 ui-monospace, \"SFMono-Regular\", Menlo, Consolas, monospace; padding: 0.05em 0.4em; border-radius: 5px;\n  border: 1px solid var(--borda-forte); background: var(--fundo); color: var(--texto-2);\n}\n:focus { outline: none; }\n:focus-visible { outline: 3px solid var(--foco); outline-offset: 2px; border-radius: 6px; }\n\n.controles { display: flex; flex-direction: column; gap: 0.7rem; min-width: 0; }\n.controle { display: grid; grid-template-columns: 1fr auto; gap: 0.15rem 0.6rem; align-items: baseline; min-width: 0; }\n.controle label { color: var(--texto-2); font-size: 0.92em; }\n.controle output { font-weight: 600; }\n.controle input, .controle select { grid-column: 1 / -1; width: 100%; min-width: 0; }\ninput[type=\"range\"] { accent-color: var(--foco); height: 1.6rem; margin: 0; cursor: pointer; }\ninput[type=\"text\"], select, textarea {\n  font: inherit; color: var(--texto); background: var(--fundo); border: 1px solid var(--borda-forte); border-radius: 8px;\n  padding: 0.38rem 0.6rem; min-height: 2.2rem;\n}\n.interruptor { display: flex; gap: 0.55rem; align-items: center; cursor: pointer; min-height: 1.9rem; }\n.interruptor input {\n  appearance: none; flex: none; width: 2.3rem; height: 1.3rem; border-radius: 1rem; margin: 0; cursor: pointer; position: relative;\n  background: var(--borda-forte);\n}\n.interruptor input::after {\n  content: \"\"; position: absolute; top: 0.16rem; left: 0.18rem; width: 0.98rem; height: 0.98rem; border-radius: 50%;\n  background: var(--fundo); transition: transform 0.15s;\n}\n.interruptor input:checked { background: var(--foco); }\n.interruptor input:checked::after { transform: translateX(0.96rem); }\n.interruptor input:focus-visible { border-radius: 1rem; }\n\n.tabela, .ajuda { margin-top: 0.9rem; padding-top: 0.8rem; border-top: 1px solid var(--borda); }\n.rola { overflow-x: auto; max-width: 100%; margin-bottom: 0.8rem; }\ntable { border-collapse: collapse; font-size: 0.9em; background: none; color: inherit; }\ncaption { text-align: left; color: var(--texto-2); padding-bottom: 0.35rem; }\nth, td { padding: 0.22rem 0.6rem; text-align: right; border-bottom: 1px solid var(--borda); font-weight: 400; white-space: nowrap; }\nth { font-weight: 600; }\nth[scope=\"row\"], thead th:first-child { text-align: left; }\ndl { display: grid; grid-template-columns: auto 1fr; gap: 0.35rem 0.9rem; margin: 0; align-items: baseline; }\ndd { margin: 0; }\n\nsvg { display: block; max-width: 100%; height: auto; }\nsvg text { fill: var(--texto); font-family: inherit; }\n\n@media (prefers-reduced-motion: reduce) {\n  *, *::after { transition: none !important; animation: none !important; }\n}\nsub { font-size: 0.75em; line-height: 0; }\n\n.cabecas h3 { font-size: 1em; font-weight: 600; margin: 0; }\n.cabecas .legenda { margin: 0.35rem 0 0; color: var(--texto-2); font-size: 0.9em; }\n.cabecas .lado-a-lado { display: grid; gap: 1.2rem 1.8rem; align-items: start; }\n.cabecas .todas, .cabecas .uma { min-width: 0; }\n.cabecas .todas .rola { max-height: 15rem; overflow: auto; margin: 0.4rem 0 0; padding: 6px; border-radius: 8px; }\n.cabecas .minis { display: grid; grid-template-columns: max-content repeat(var(--h), minmax(1.6rem, 4.6rem)); gap: 4px; justify-content: start; color: var(--texto-2); font-size: 0.78em; }\n.cabecas .minis span { align-self: center; justify-self: center; padding: 0 0.2rem; }\n.cabecas .mini { display: block; padding: 1px; min-height: 0; border-radius: 5px; border: 1px solid var(--borda); background: var(--fundo-2); aspect-ratio: 1; }\n.cabecas .mini canvas { display: block; width: 100%; height: 100%; image-rendering: pixelated; }\n.cabecas .mini[aria-current=\"true\"] { border-color: var(--letra-A); box-shadow: 0 0 0 2px var(--letra-A); }\n\n.cabecas .cabecalho { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; align-items: center; justify-content: space-between; }\n.cabecas .modos { display: flex; }\n.cabecas .modos button { border-radius: 0; }\n.cabecas .modos button:first-child { border-radius: 8px 0 0 8px; border-right: 0; }\n.cabecas .modos button:last-child { border-radius: 0 8px 8px 0; }\n.cabecas .modos button[aria-pressed=\"true\"] { background: var(--texto); color: var(--fundo); border-color: var(--texto); }\n.cabecas .uma .rola { margin: 0.3rem 0 0; padding: 6px; }\n.cabecas .rodape { display: flex; flex-wrap: wrap; gap: 0.3rem 1.5rem; align-items: center; }\n\n.cabecas .palco { font-size: var(--letra-miuda); line-height: 1.2; width: max-content; }\n.cabecas .palco.mapa { display: grid; grid-template-columns: var(--rotulo) max-content; }\n.cabecas .mapa .para-quem { grid-column: 2; display: flex; min-height: 1.5em; margin-bottom: 3px; }\n.cabecas .mapa .para-quem span { width: var(--lado); display: flex; justify-content: center; align-items: flex-end; }\n.cabecas .mapa .para-quem b { writing-mode: vertical-rl; transform: rotate(180deg); max-height: 5.6rem; overflow: hidden; text-overflow: ellipsis; }\n.cabecas .mapa.curtos .para-quem b { writing-mode: horizontal-tb; transform: none; }\n.cabecas .mapa .quem { position: sticky; left: 0; background: var(--fundo); z-index: 1; }\n.cabecas .palco b { font-weight: 500; white-space: nowrap; padding: 2px; border-radius: 4px; background: color-mix(in srgb, var(--cor-A) calc(60% * var(--peso, 0)), var(--fundo)); }\n.cabecas .casas { position: relative; cursor: crosshair; background: var(--fundo-2); border-radius: 4px; overflow: hidden; }\n.cabecas .casas canvas { display: block; width: calc(var(--T) * var(--lado)); height: calc(var(--T) * var(--lado)); image-rendering: pixelated; }\n.cabecas .faixa { position: absolute; left: 0; right: 0; height: var(--lado); border: 2px solid var(--letra-A); border-radius: 4px; pointer-events: none; }\n.cabecas .quem { min-width: 0; }\n.cabecas .token {\n  display: flex; justify-content: flex-end; width: 100%; height: var(--lado); min-height: 0; padding: 0 6px 0 4px; border: 0; background: none;\n  font-size: inherit; white-space: nowrap; border-radius: 4px;\n}\n.cabecas .token span { overflow: hidden; text-overflow: ellipsis; }\n.cabecas .token[aria-pressed=\"true\"] { background: var(--fundo-3); font-weight: 600; }\n.cabecas .palco.linhas { display: flex; align-items: flex-start; }\n.cabecas .linhas .quem { width: 6.2rem; }\n.cabecas .linhas .para-quem { width: 6.2rem; }\n.cabecas .linhas .para-quem span { display: flex; align-items: center; height: var(--lado); padding-left: 4px; min-width: 0; }\n.cabecas .linhas .para-quem b { overflow: hidden; text-overflow: ellipsis; }\n.cabecas .frase { min-height: 2.9em; }\n\n.cabecas .regua { width: 10rem; color: var(--texto-2); font-size: 0.78em; }\n.cabecas .regua i { display: block; height: 0.55rem; border-radius: 4px; background: linear-gradient(to right, var(--fundo-2), var(--cor-A)); border: 1px solid var(--borda); }\n.cabecas .regua div { display: flex; justify-content: space-between; }\n\n@container (min-width: 44rem) {\n  .cabecas .lado-a-lado { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); }\n  .cabecas .todas .rola { max-height: 36rem; }\n}\n";
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

// Arquivos de números, grandes demais para a saída do notebook: o kernel os manda quando são pedidos; uma página parada já
// os traz.

/** Os bytes do arquivo `nome`, como DataView; `calado` é o que se diz se o kernel não responde. */
function pedirArquivo(model, nome, calado) {
  const trazido = model.get(nome);
  if (trazido) return Promise.resolve(trazido);
  return new Promise((resolver, recusar) => {
    const encerrar = (fim, valor) => {
      clearTimeout(prazo);
      model.off("msg:custom", receber);
      fim(valor);
    };
    const receber = (mensagem, [bytes] = []) => {
      if (mensagem?.arquivo !== nome) return;
      encerrar(resolver, bytes instanceof ArrayBuffer ? new DataView(bytes) : bytes);
    };
    const prazo = setTimeout(() => encerrar(recusar, new Error(calado)), 20000);
    model.on("msg:custom", receber);
    model.send({ pedir: nome });
  });
}

/** Um número de 16 bits (1 de sinal, 5 de expoente, 10 de fração) como um número comum. */
function deFloat16(bits) {
  const expoente = (bits >> 10) & 31;
  const fracao = bits & 1023;
  let tamanho = (1 + fracao / 1024) * 2 ** (expoente - 15);
  if (expoente === 0) tamanho = fracao * 2 ** -24;
  if (expoente === 31) tamanho = fracao ? NaN : Infinity;
  return bits & 0x8000 ? -tamanho : tamanho;
}

// As cabeças: os mapas de atenção de todas as camadas e cabeças, e um deles em grande, como mapa ou como linhas.

const LADO_MINIMO = 12; // de uma casa do mapa grande, em pixels
const LADO_MAXIMO = 38;
const ENTRE_COLUNAS = 190; // nas linhas, do token que olha ao que é olhado

function conferirCabecas({ tokens, camadas, cabecas }) {
  const certos = Array.isArray(tokens) && tokens.length > 0 && tokens.every((x) => typeof x === "string");
  if (!certos) return texto("cabecas.sem_tokens");
  return camadas >= 1 && cabecas >= 1 ? null : texto("cabecas.sem_pesos");
}

function criarCabecas(casa) {
  const { tokens, camadas, cabecas, causal, inicial = [0, 0] } = casa.dados;
  const T = tokens.length;
  const estado = { qual: inicial[0] * cabecas + inicial[1], token: null, modo: "mapa" };
  const espera = h("p", { class: "legenda" }, texto("cabecas.esperando"));
  casa.corpo.append(espera);
  let fim = () => {};
  pedirArquivo(casa.model, "pesos", texto("cabecas.sem_kernel"))
    .then((vista) => {
      const pesos = lerPesos(vista, camadas * cabecas, T, causal);
      if (!pesos) throw new Error(texto("cabecas.pesos_tortos"));
      espera.remove();
      fim = mostrarCabecas(casa, estado, (i) => pesos.subarray(i * T * T, (i + 1) * T * T));
    })
    .catch((erro) => casa.corpo.replaceChildren(recado(texto("cabecas.nao_chegaram", { por_que: erro.message }))));
  return () => fim();
}

/** Os pesos (camadas·cabeças, T, T), que vêm em float16; com máscara causal, só as casas até a diagonal. null, se algo não é peso. */
function lerPesos(vista, quantas, T, causal) {
  const porMapa = causal ? (T * (T + 1)) / 2 : T * T;
  if (vista.byteLength !== 2 * quantas * porMapa) return null;
  const pesos = new Float32Array(quantas * T * T);
  let onde = 0;
  for (let m = 0; m < quantas; m++) {
    for (let i = 0; i < T; i++) {
      for (let j = 0; j < (causal ? i + 1 : T); j++, onde += 2) {
        pesos[(m * T + i) * T + j] = deFloat16(vista.getUint16(onde, true));
      }
    }
  }
  return pesos.every((x) => x >= 0 && x < 1.01) ? pesos : null;
}

function mostrarCabecas(casa, estado, mapa) {
  const { tokens, cabecas } = casa.dados;
  const grande = fazerGrande(casa, estado, mapa);
  const grade = fazerGrade(casa, estado, mapa, abrir);

  function abrir(qual) {
    estado.qual = qual;
    grade.marcar();
    grande.pintar();
    casa.falar(`${nomeDoMapa(qual, cabecas)}. ${grande.frase()}`);
    anotar();
  }
  function anotar() {
    const [camada, cabeca] = [Math.floor(estado.qual / cabecas), estado.qual % cabecas];
    casa.estado({ camada, cabeca, token: estado.token, modo: estado.modo });
    casa.mudou();
  }
  grande.aoMudar = anotar;
  casa.corpo.append(h("div", { class: "lado-a-lado" }, grade.no, grande.no));
  casa.tabela(() => ({
    legenda: texto("cabecas.tabela", { qual: nomeDoMapa(estado.qual, cabecas) }),
    colunas: [texto("cabecas.quem_olha"), ...tokens.map(visivel)],
    linhas: tokens.map((t, i) => [visivel(t), ...mapa(estado.qual).subarray(i * tokens.length, (i + 1) * tokens.length)]),
  }));
  const refazer = () => {
    grade.pintar();
    grande.pintar();
  };
  const tema = new MutationObserver(refazer);
  tema.observe(casa.caixa, { attributes: true, attributeFilter: ["data-tema"] });
  casa.atalho("m", () => grande.trocarModo());
  grade.marcar();
  const soltar = grande.acompanhar();
  refazer();
  grade.achar();
  casa.mudou();
  return () => {
    tema.disconnect();
    soltar?.();
  };
}

const visivel = (token) => token.replace(/ /g, "␣").replace(/\n/g, "↵") || "∅";
const nomeDoMapa = (i, cabecas) => texto("cabecas.qual", { camada: Math.floor(i / cabecas), cabeca: i % cabecas });

// ------------------------------------------------------------ as cores

/** A cor dos pesos de atenção no tema de agora, como [r, g, b]. */
function corDosPesos(no) {
  const tela = document.createElement("canvas").getContext("2d");
  tela.fillStyle = getComputedStyle(no).getPropertyValue("--cor-A");
  return [1, 3, 5].map((i) => parseInt(tela.fillStyle.slice(i, i + 2), 16));
}

/** Um ponto por peso. A força da cor é a raiz do peso: assim se veem também os pequenos. */
function pintarMapa(tela, pesos, T, rgb) {
  tela.width = tela.height = T;
  const imagem = new ImageData(T, T);
  for (let p = 0; p < T * T; p++) imagem.data.set([...rgb, 255 * Math.sqrt(pesos[p])], 4 * p);
  tela.getContext("2d").putImageData(imagem, 0, 0);
}

// ------------------------------------------------------------ a grade de mapas pequenos

function fazerGrade(casa, estado, mapa, abrir) {
  const { tokens, camadas, cabecas } = casa.dados;
  const botoes = Array.from({ length: camadas * cabecas }, (_, i) =>
    h("button", { type: "button", class: "mini", "aria-label": nomeDoMapa(i, cabecas), aoClick: () => abrir(i) }, h("canvas", {})));
  focoQueAnda(botoes, { colunas: cabecas, inicial: estado.qual, aoChegar: (i) => i !== estado.qual && abrir(i) });
  const titulos = Array.from({ length: cabecas }, (_, c) => h("span", {}, String(c)));
  const fileiras = Array.from({ length: camadas }, (_, l) => [h("span", {}, String(l)), ...botoes.slice(l * cabecas, (l + 1) * cabecas)]);
  const grade = h("div", { class: "minis", style: { "--h": cabecas } }, h("span", {}), titulos, fileiras.flat());
  const rolo = h("div", { class: "rola", role: "group", "aria-label": texto("cabecas.todas_fala") }, grade);
  const no = h("div", { class: "todas" }, h("h3", {}, texto("cabecas.todas")), rolo,
    h("p", { class: "legenda" }, texto("cabecas.todas_legenda")));
  return {
    no,
    pintar: () => {
      const rgb = corDosPesos(casa.caixa);
      botoes.forEach((b, i) => pintarMapa(b.firstChild, mapa(i), tokens.length, rgb));
    },
    marcar: () => botoes.forEach((b, i) => mudar(b, { "aria-current": String(i === estado.qual) })),
    achar: () => (rolo.scrollTop = botoes[estado.qual].offsetTop - rolo.offsetTop - rolo.clientHeight / 2),
  };
}

// ------------------------------------------------------------ a cabeça em grande

function fazerGrande(casa, estado, mapa) {
  const { tokens, cabecas } = casa.dados;
  const T = tokens.length;
  const titulo = h("h3", {});
  const legenda = h("p", { class: "legenda frase" });
  const palco = h("div", { class: "palco" });
  const rolo = h("div", { class: "rola" }, palco);
  const modos = ["mapa", "linhas"].map((modo) => botao(texto(`cabecas.${modo}`), () => trocarModo(modo), { "data-modo": modo }));
  const eixos = h("span", { class: "legenda" });
  const cabecalho = h("div", { class: "cabecalho" }, titulo, h("div", { class: "modos" }, modos));
  const no = h("div", { class: "uma" }, cabecalho, legenda, rolo, h("div", { class: "rodape" }, regua(), eixos));
  const eu = { no, aoMudar: () => {} };
  let partes = null;
  let largura = 480;
  let recem = null; // o token que acaba de ganhar o foco: o clique que o trouxe não conta de novo
  const chegar = (i) => {
    recem = i === estado.token ? null : i;
    escolher(i);
  };

  function trocarModo(modo = estado.modo === "mapa" ? "linhas" : "mapa") {
    estado.modo = modo;
    montar();
    eu.aoMudar();
  }

  function montar() {
    modos.forEach((b) => mudar(b, { "aria-pressed": String(b.dataset.modo === estado.modo) }));
    eixos.textContent = texto(`cabecas.legenda_${estado.modo}`);
    const focado = partes?.quem.indexOf(palco.getRootNode().activeElement) ?? -1;
    partes = (estado.modo === "mapa" ? palcoDoMapa : palcoDasLinhas)(palco, tokens, largura);
    partes.quem.forEach((b, i) => {
      b.addEventListener("click", () => {
        if (recem !== i) escolher(estado.token === i ? null : i); // clicar de novo desfaz a escolha
        recem = null;
      });
      b.addEventListener("pointerenter", () => escolher(i, false));
      b.addEventListener("pointerleave", () => escolher(estado.token, false));
    });
    focoQueAnda(partes.quem, { inicial: Math.max(focado, estado.token ?? 0), aoChegar: chegar });
    if (focado >= 0) partes.quem[focado].focus();
    eu.pintar();
  }

  /** De quem se mostra a linha: a que a pessoa escolheu, ou, enquanto o ponteiro passa, outra. */
  function escolher(token, de_vez = true) {
    if (de_vez && token !== estado.token) {
      estado.token = token;
      eu.pintar();
      casa.falar(eu.frase());
      eu.aoMudar();
    } else eu.pintar(token);
  }

  eu.frase = (token = estado.token) => (token === null ? resumoDoMapa(mapa(estado.qual), T) : fraseDoToken(mapa(estado.qual), tokens, token));
  eu.trocarModo = trocarModo;
  eu.pintar = (token = estado.token) => {
    if (!partes) return;
    titulo.textContent = nomeDoMapa(estado.qual, cabecas);
    partes.pintar(mapa(estado.qual), token, corDosPesos(casa.caixa));
    partes.quem.forEach((b, i) => mudar(b, { "aria-pressed": String(i === token) }));
    legenda.textContent = eu.frase(token);
  };
  eu.acompanhar = () => aoRedimensionar(rolo, (nova) => {
    largura = nova;
    montar();
  });
  return eu;
}

/** A escala das cores: a força é a raiz do peso. */
function regua() {
  const marcas = [0, 0.25, 1].map((x) => h("span", {}, numero(x, x === 0.25 ? 2 : 0)));
  return h("div", { class: "regua", role: "img", "aria-label": texto("cabecas.regua") }, h("i", {}), h("div", {}, marcas));
}

const botoesDosTokens = (tokens) =>
  tokens.map((t, i) => h("button", { type: "button", class: "token", "aria-label": texto("cabecas.token", { token: visivel(t), n: i + 1 }) }, h("span", {}, visivel(t))));

/** O mapa: cada linha é um token que olha; cada coluna, um que é olhado. */
function palcoDoMapa(palco, tokens, largura) {
  const T = tokens.length;
  const rotulo = Math.min(96, 18 + 8 * Math.max(...tokens.map((t) => t.length)));
  const lado = limitar(Math.floor((largura - rotulo) / T), LADO_MINIMO, LADO_MAXIMO);
  const quem = botoesDosTokens(tokens);
  const paraQuem = tokens.map((t) => h("span", { "aria-hidden": "true" }, h("b", {}, visivel(t))));
  const tela = h("canvas", {});
  const faixa = h("i", { class: "faixa" });
  const casas = h("div", { class: "casas", "aria-hidden": "true" }, tela, faixa);
  palco.className = `palco mapa ${tokens.every((t) => t.length < 3) ? "curtos" : ""}`;
  const medidas = { "--lado": `${lado}px`, "--rotulo": `${rotulo}px`, "--T": T, "--letra-miuda": `${limitar(lado * 0.72, 9, 14)}px` };
  Object.entries(medidas).forEach(([nome, valor]) => palco.style.setProperty(nome, valor));
  palco.replaceChildren(h("div", { class: "para-quem" }, paraQuem), h("div", { class: "quem", role: "group", "aria-label": texto("cabecas.quem_olha") }, quem), casas);
  const dica = (evento) => {
    const caixa = tela.getBoundingClientRect();
    const [i, j] = [evento.clientY - caixa.top, evento.clientX - caixa.left].map((p) => limitar(Math.floor(p / lado), 0, T - 1));
    casas.title = texto("cabecas.casa", { de: visivel(tokens[i]), para: visivel(tokens[j]), peso: numero(partes.pesos[i * T + j], 3) });
    quem[i].dispatchEvent(new PointerEvent("pointerenter"));
  };
  casas.addEventListener("pointermove", dica);
  casas.addEventListener("pointerleave", () => quem[0].dispatchEvent(new PointerEvent("pointerleave")));
  const partes = {
    quem,
    pesos: null,
    pintar(pesos, token, rgb) {
      partes.pesos = pesos;
      pintarMapa(tela, pesos, T, rgb);
      faixa.hidden = token === null;
      faixa.style.top = `${(token ?? 0) * lado}px`;
      paraQuem.forEach((no, j) => no.style.setProperty("--peso", token === null ? 0 : Math.sqrt(pesos[token * T + j])));
    },
  };
  return partes;
}

/** As linhas: à esquerda quem olha, à direita quem é olhado. Quanto mais grossa, maior o peso. */
function palcoDasLinhas(palco, tokens, largura) {
  const T = tokens.length;
  const lado = T > 40 ? 18 : 26;
  const vao = Math.min(ENTRE_COLUNAS * 1.6, Math.max(90, largura - 210));
  const quem = botoesDosTokens(tokens);
  const paraQuem = tokens.map((t) => h("span", { "aria-hidden": "true" }, h("b", {}, visivel(t))));
  const tela = h("canvas", { "aria-hidden": "true" });
  palco.className = "palco linhas";
  Object.entries({ "--lado": `${lado}px`, "--vao": `${vao}px`, "--letra-miuda": `${T > 40 ? 12 : 14}px` }).forEach(([nome, valor]) => palco.style.setProperty(nome, valor));
  palco.replaceChildren(h("div", { class: "quem", role: "group", "aria-label": texto("cabecas.quem_olha") }, quem), tela, h("div", { class: "para-quem" }, paraQuem));
  return {
    quem,
    pintar(pesos, token, rgb) {
      tracarLinhas(tela, pesos, T, { token, rgb, lado, vao });
      paraQuem.forEach((no, j) => no.style.setProperty("--peso", token === null ? 0 : Math.sqrt(pesos[token * T + j])));
    },
  };
}

function tracarLinhas(tela, pesos, T, { token, rgb, lado, vao }) {
  const zoom = window.devicePixelRatio || 1;
  tela.width = vao * zoom;
  tela.height = T * lado * zoom;
  Object.assign(tela.style, { width: `${vao}px`, height: `${T * lado}px` });
  const pincel = tela.getContext("2d");
  pincel.scale(zoom, zoom);
  for (let i = 0; i < T; i++) {
    for (let j = 0; j < T; j++) {
      const peso = pesos[i * T + j];
      const apagada = token !== null && token !== i;
      if (peso < 0.02 || (apagada && peso < 0.1)) continue;
      const [y, y2] = [(i + 0.5) * lado, (j + 0.5) * lado];
      pincel.strokeStyle = `rgba(${rgb}, ${apagada ? 0.08 : 0.15 + 0.85 * peso})`;
      pincel.lineWidth = 1 + 4 * peso;
      pincel.beginPath();
      pincel.moveTo(0, y);
      pincel.bezierCurveTo(vao / 2, y, vao / 2, y2, vao, y2);
      pincel.stroke();
    }
  }
}

// ------------------------------------------------------------ em palavras

/** Para onde vai o peso, em média: o token anterior, o próprio e o primeiro. */
function resumoDoMapa(pesos, T) {
  if (T < 3) return texto("cabecas.aponte");
  const soma = { anterior: 0, proprio: 0, primeiro: 0 };
  for (let i = 2; i < T; i++) {
    soma.anterior += pesos[i * T + i - 1] / (T - 2);
    soma.proprio += pesos[i * T + i] / (T - 2);
    soma.primeiro += pesos[i * T] / (T - 2);
  }
  return texto("cabecas.resumo", Object.fromEntries(Object.entries(soma).map(([nome, x]) => [nome, porcento(x)])));
}

function fraseDoToken(pesos, tokens, i) {
  const T = tokens.length;
  const linha = Array.from(pesos.subarray(i * T, (i + 1) * T));
  const ordem = linha.map((_, j) => j).sort((a, b) => linha[b] - linha[a]).slice(0, 3).filter((j) => linha[j] > 0.005);
  return texto("cabecas.olha", { token: visivel(tokens[i]), quem: enumerar(ordem.map((j) => `“${visivel(tokens[j])}” (${porcento(linha[j])})`)) });
}

const render = explorador({ nome: "cabecas", conferir: conferirCabecas, criar: criarCabecas });

export default { render };
