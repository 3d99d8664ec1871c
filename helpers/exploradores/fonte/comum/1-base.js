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

/** 0,75; −1,20; 2,52 × 10³⁰. Um número que não é finito vira um traço. */
function numero(x, casas = 2) {
  if (!Number.isFinite(x)) return "–";
  if (Math.abs(x) >= 1e6) {
    const [parte, expoente] = x.toExponential(casas).split("e+");
    return `${numero(Number(parte), casas)} × 10${[...expoente].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]).join("")}`;
  }
  const texto = Math.abs(x).toFixed(casas);
  const nulo = !/[1-9]/.test(texto);
  return (x < 0 && !nulo ? "−" : "") + texto.replace(".", ",");
}

/** 37 %; com uma casa quando é menos que 10 %. O espaço não deixa que o sinal vá para a outra linha. */
function porcento(x) {
  return Number.isFinite(x) ? `${numero(100 * x, x > 0 && x < 0.0995 ? 1 : 0)}\u00a0%` : "–";
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
