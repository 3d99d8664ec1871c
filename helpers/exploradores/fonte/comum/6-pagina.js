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
