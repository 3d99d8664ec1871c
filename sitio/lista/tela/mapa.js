// O mapa da máquina: cada lista é uma caixa dentro da seguinte, com o que já é de quem escreve neste navegador.

import { EM_BRANCO } from "./discussao.js";
import { h, numero, texto } from "./comum.js";
import { assinatura } from "./pontos.js";

const MARCAS = { "sua e certa": "✓", "sua, ainda não certa": "✎", "escrita, para uma pessoa ler": "¶", "por fazer": "○", "do curso": "■" };

export function desenharMapa(lugar, lista) {
  const estacoes = lista.dados.mapa.map((estacao) => lida(estacao, lista));
  const aberta = new Set([lista.lista, ...[...lugar.querySelectorAll("details[open]")].map((d) => d.dataset.lista)]);
  let dentro = null;
  for (const e of estacoes.filter((e) => !e.a_parte)) dentro = caixa(e, dentro, aberta.has(e.lista));
  const aParte = estacoes.filter((e) => e.a_parte).map((e) => caixa(e, null, aberta.has(e.lista)));
  const pecas = estacoes.flatMap((e) => e.pecas.map((p) => ({ ...p, e })));
  const suas = pecas.filter((p) => p.estado === "sua e certa").length;
  const soma = (campo) => numero(estacoes.reduce((s, e) => s + e[campo], 0));
  const falta = pecas.find((p) => p.estado !== "sua e certa") ?? estacoes.flatMap((e) => e.discussoes.map((p) => ({ ...p, e }))).find((p) => p.estado === "por fazer");
  const passo = falta ? [` ${texto("mapa.proximo")} `, elo(falta.e, falta.nome, `enunciado-${falta.id ?? falta.nome}`), "."] : [` ${texto("mapa.inteira")}`];
  lugar.replaceChildren(
    h(
      "section",
      { "aria-label": "O mapa da máquina", class: "l-mapa" },
      h("p", {}, texto("mapa.suas", { suas, total: pecas.length, pontos: soma("pontos"), de: soma("de") }), ...passo),
      h("p", { class: "l-fichas" }, Object.keys(MARCAS).filter((m) => m !== "do curso").map((estado) => ficha(texto(`mapa.${estado}`), estado, true))),
      dentro,
      ...aParte,
    ),
  );
}

/** O que há desta lista neste navegador. */
function lida(estacao, lista) {
  const esta = estacao.lista === lista.lista;
  const guardado = (nome) => (esta ? lista.textos()[nome] : lista.guarda.ler(nome, estacao.lista));
  const resultados = lista.guarda.lerJSON("#resultados", estacao.lista) ?? {};
  const respostas = Object.fromEntries(Object.entries(estacao.respostas).map(([nome, emBranco]) => [nome, guardado(nome) ?? emBranco]));
  let pontos = 0;
  const pecas = Object.entries(estacao.questoes).map(([nome, valem]) => {
    const dito = resultados[nome];
    const certa = dito?.fracao === 1 && dito.assinatura === assinatura(nome, respostas);
    if (certa) pontos += valem;
    const escrita = respostas[nome] !== undefined && respostas[nome] !== estacao.respostas[nome];
    return { nome, estado: certa ? "sua e certa" : escrita ? "sua, ainda não certa" : "por fazer" };
  });
  const discussoes = Object.keys(estacao.abertas).map((id) => {
    const escrito = guardado(id);
    const ha = escrito && escrito.trim() && escrito !== EM_BRANCO;
    return { id, nome: id.replace("discussao-", "discussão "), estado: ha ? "escrita, para uma pessoa ler" : "por fazer" };
  });
  const de = Object.values(estacao.questoes).reduce((soma, v) => soma + v, 0);
  return { ...estacao, pecas, discussoes, pontos, de };
}

function caixa(e, dentro, aberta) {
  const fichas = [...e.pecas, ...e.discussoes].map((p) => ficha(p.nome, p.estado));
  return h(
    "div",
    { class: "l-caixa" },
    h(
      "details",
      { open: aberta, "data-lista": e.lista },
      h("summary", {}, `${e.lista.slice(-2)} · ${e.titulo} · ${numero(e.pontos)} de ${numero(e.de)}`),
      h("p", { class: "l-fichas" }, elo(e, "a lista"), " ", fichas),
    ),
    dentro,
  );
}

function ficha(nome, estado, legenda = false) {
  const dito = legenda ? {} : { role: "img", title: estado, "aria-label": `${nome}: ${estado}` };
  return h("span", { class: "l-ficha", "data-estado": estado, ...dito }, `${MARCAS[estado]} ${nome}`);
}

function elo(e, nome, ancora = "") {
  return e.elo ? h("a", { href: ancora ? `${e.elo}#${e.ancoras?.[ancora] ?? ancora}` : e.elo }, nome) : nome;
}
