// A porta do programa da lista: a página inteira de uma lista ou, na inicial, uma questão só.

import { Lista } from "./lista.js";

const AQUI = new URL(".", document.currentScript.src); // _static/

for (const no of document.querySelectorAll("script[data-lista-viva]")) {
  const dados = { ...JSON.parse(no.textContent), aqui: AQUI.href };
  new Lista(document.querySelector(no.dataset.listaViva), dados, no.dataset.so ?? null);
}

// Só de um servidor: o navegador guarda o site para quando não houver rede, e o deixa instalar como um aplicativo.
if (location.protocol.startsWith("http")) {
  document.head.append(Object.assign(document.createElement("link"), { rel: "manifest", href: new URL("../instalar.webmanifest", AQUI).href }));
  navigator.serviceWorker?.register(new URL("../sw.js", AQUI)).catch(() => {}); // sem ele, só se precisa da rede
}
