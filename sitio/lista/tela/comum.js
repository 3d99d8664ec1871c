// O que todas as partes usam: elementos, textos e números em português.

import TEXTOS from "./textos.json";

/** Um elemento. `atributos` aceita texto, booleano e função (em `ao…`, como aoClick). */
export function h(nome, atributos = {}, ...filhos) {
  const no = document.createElement(nome);
  for (const [chave, valor] of Object.entries(atributos)) {
    if (valor === false || valor === null || valor === undefined) continue;
    if (typeof valor === "function") no.addEventListener(chave.replace(/^ao/, "").toLowerCase(), valor);
    else no.setAttribute(chave, valor === true ? "" : valor);
  }
  no.append(...filhos.flat().filter((f) => f !== null && f !== undefined && f !== false));
  return no;
}

/** A frase do catálogo (textos.json), com {nomes} trocados. */
export function texto(caminho, trocas = {}) {
  const [parte, ...resto] = caminho.split(".");
  const achado = TEXTOS[parte]?.[resto.join(".")];
  if (typeof achado !== "string") throw new Error(`falta em textos.json: ${caminho}`);
  return achado.replace(/\{(\w+)\}/g, (tudo, nome) => (nome in trocas ? String(trocas[nome]) : tudo));
}

/** a, b e c */
export function enumerar(itens) {
  return itens.length < 2 ? itens.join("") : `${itens.slice(0, -1).join(", ")} e ${itens.at(-1)}`;
}

/** 1,5; 2 */
export function numero(x) {
  return String(Math.round(x * 100) / 100).replace(".", ",");
}

/** Uma frase em pedaços, com o que está entre crases em <code>; tudo entra como texto. */
export function comCodigo(frase) {
  return String(frase).split(/`([^`\n]+)`/).map((pedaco, i) => (i % 2 ? h("code", {}, pedaco) : pedaco));
}

/** Um botão com o seu texto. */
export function botao(rotulo, aoClick, atributos = {}) {
  return h("button", { type: "button", aoClick, ...atributos }, rotulo);
}

/** O texto sem espaços no fim das linhas nem linhas vazias nas pontas: o que dois iguais têm de igual. */
export function chave(fonte) {
  return fonte.split("\n").map((linha) => linha.trimEnd()).join("\n").trim();
}
