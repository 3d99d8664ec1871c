// Como fica o texto de uma discussão: Markdown com fórmulas, sem HTML nem imagens de fora.
//
// O markdown-it não deixa passar HTML e recusa endereços como `javascript:`; imagens não se buscam, porque nada aqui vai à
// rede. O que vem do texto só vira elemento por ele e pelo Temml.

import MarkdownIt from "markdown-it";
import temml from "temml";

const md = new MarkdownIt({ html: false, linkify: false, breaks: false }).disable("image");
md.renderer.rules.link_open = (partes, i, opcoes, _ambiente, eu) => {
  partes[i].attrSet("rel", "noopener noreferrer nofollow");
  partes[i].attrSet("target", "_blank");
  return eu.renderToken(partes, i, opcoes);
};

// $…$ e $$…$$, lidos antes das ênfases, para que um _ de dentro não vire itálico
md.inline.ruler.before("escape", "formula", (estado, calado) => {
  const achada = /^(\$\$?)((?:\\.|[^$\\])+?)\1/.exec(estado.src.slice(estado.pos));
  if (!achada || /^\s|\s$/.test(achada[2])) return false;
  if (!calado) Object.assign(estado.push("formula", "math", 0), { content: achada[2], markup: achada[1] });
  estado.pos += achada[0].length;
  return true;
});
md.renderer.rules.formula = (partes, i) => {
  const { content, markup } = partes[i];
  try {
    return temml.renderToString(content, { displayMode: markup === "$$", trust: false, throwOnError: true, maxExpand: 100 });
  } catch {
    return `<code>${md.utils.escapeHtml(markup + content + markup)}</code>`;
  }
};

/** `mostrar(lugar, escrito)` põe em `lugar` o texto como o JupyterLab o mostraria. */
window.PREVIA = { mostrar: (lugar, escrito) => (lugar.innerHTML = md.render(escrito)) };
