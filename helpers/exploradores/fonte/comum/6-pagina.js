// Em uma página sem Jupyter: um `model` pequeno, com o mesmo contrato, e os dados que já estão na página.

function modeloDaPagina(valores) {
  const ouvintes = {};
  return {
    get: (nome) => (typeof valores[nome]?.deflate === "string" ? inflar(valores[nome].deflate) : valores[nome]),
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

/** Os bytes vêm comprimidos e em base64, como {"deflate": "…"}, e só são abertos quando alguém os pede; chegam como DataView,
 * que é o que o anywidget também entrega. */
async function inflar(base64) {
  const cru = Uint8Array.from(atob(base64), (letra) => letra.charCodeAt(0));
  const fluxo = new Blob([cru]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new DataView(await new Response(fluxo).arrayBuffer());
}

/** Põe o explorador no lugar da imagem, em cada elemento marcado com este resumo. */
function abrirNaPagina(render, resumo, valores) {
  for (const no of document.querySelectorAll(`[data-explorador="${resumo}"]:not([data-pronto])`)) {
    no.setAttribute("data-pronto", "");
    no.replaceChildren();
    render({ model: modeloDaPagina({ ...valores }), el: no.appendChild(document.createElement("div")) });
  }
}
