// Uma palavra do glossário mostra o que quer dizer onde está: a primeira de cada seção vira um botão, que abre a definição.
(() => {
  "use strict";
  const FORA = "a, button, code, pre, h1, h2, h3, h4, summary, math, form, label, strong, table.dataframe, script, style, .formula, " +
    "[data-explorador], .quadros, .treinos, .output, .caption";
  const aula = /\/(\d\d)b?-[^/]*$/.exec(decodeURIComponent(location.pathname))?.[1] ?? "99";
  const raiz = document.querySelector("article");
  if (!raiz || !("popover" in HTMLElement.prototype)) return;

  const deQuem = new Map();
  for (const termo of globalThis.TERMOS_DO_GLOSSARIO)
    if (termo.aula <= aula) for (const nome of termo.nomes) if (!deQuem.has(nome.toLowerCase())) deQuem.set(nome.toLowerCase(), termo);
  if (!deQuem.size) return;
  const nomes = [...deQuem.keys()].sort((a, b) => b.length - a.length).map((n) => n.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const padrao = new RegExp(`(?<![\\p{L}\\p{N}-])(?:${nomes.join("|")})(?![\\p{L}\\p{N}-])`, "giu");

  const balao = Object.assign(document.createElement("span"), { className: "significado", popover: "auto" });
  let dono = null;
  balao.addEventListener("toggle", (evento) => {
    if (dono) dono.setAttribute("aria-expanded", String(evento.newState === "open"));
  });

  function mostrar(botao, termo) {
    const jaAberto = dono === botao && balao.matches(":popover-open");
    if (balao.matches(":popover-open")) balao.hidePopover();
    if (jaAberto) return;
    dono = botao;
    botao.after(balao); // logo depois da palavra: é a próxima coisa que se lê
    const ingles = termo.ingles ? ` <i lang="en">(${termo.ingles})</i>` : "";
    const glossario = document.querySelector('a[href$="glossario.html"]')?.getAttribute("href");
    const ligacao = glossario ? ` <a href="${glossario}">No glossário</a>` : "";
    balao.innerHTML = `<span role="status"><b>${termo.nomes[0]}</b>${ingles}: ${termo.definicao}</span>${ligacao}`;
    balao.showPopover();
    const onde = botao.getBoundingClientRect();
    const largura = balao.offsetWidth;
    balao.style.left = `${Math.max(8, Math.min(onde.left, document.documentElement.clientWidth - largura - 8))}px`;
    const embaixo = onde.bottom + 6;
    balao.style.top = `${embaixo + balao.offsetHeight > innerHeight ? Math.max(8, onde.top - balao.offsetHeight - 6) : embaixo}px`;
  }

  function botaoDe(escrito, termo) {
    const botao = Object.assign(document.createElement("button"), { type: "button", className: "termo", textContent: escrito });
    botao.setAttribute("aria-expanded", "false");
    botao.addEventListener("click", () => mostrar(botao, termo));
    return botao;
  }

  const vistos = new Map(); // seção → os termos que já têm botão nela
  function primeiraVez(secao, termo) {
    if (!vistos.has(secao)) vistos.set(secao, new Set());
    const dela = vistos.get(secao);
    return !dela.has(termo) && dela.add(termo);
  }

  function marcar(no) {
    const secao = no.parentElement.closest("section");
    const texto = no.data;
    const pedacos = [];
    let ate = 0;
    for (const achado of texto.matchAll(padrao)) {
      const termo = deQuem.get(achado[0].toLowerCase());
      if (!termo || !primeiraVez(secao, termo)) continue;
      pedacos.push(texto.slice(ate, achado.index), botaoDe(achado[0], termo));
      ate = achado.index + achado[0].length;
    }
    if (pedacos.length) no.replaceWith(...pedacos, texto.slice(ate));
  }

  // O que está em negrito é onde a palavra se apresenta: ali o texto já diz o que ela é.
  for (const negrito of raiz.querySelectorAll("p strong, li strong")) {
    const termo = deQuem.get(negrito.textContent.trim().toLowerCase());
    if (termo) primeiraVez(negrito.closest("section"), termo);
  }
  const textos = [];
  const anda = document.createTreeWalker(raiz, NodeFilter.SHOW_TEXT);
  while (anda.nextNode()) if (anda.currentNode.parentElement.closest("p, li") && !anda.currentNode.parentElement.closest(FORA)) textos.push(anda.currentNode);
  textos.forEach(marcar);
  addEventListener("scroll", () => balao.matches(":popover-open") && balao.hidePopover(), { passive: true });
})();
