// A porta do programa da lista: a página inteira de uma lista ou, na inicial, uma questão só.

import { Lista } from "./lista.js";

const RAIZ = new URL("../../", document.currentScript.src); // este programa está em _static/lista/

for (const no of document.querySelectorAll("script[data-lista-viva]")) {
  new Lista(document.querySelector(no.dataset.listaViva), JSON.parse(no.textContent), no.dataset.so ?? null);
}

// Só de um servidor: o navegador guarda o site para quando não houver rede, e o deixa instalar como um aplicativo.
if (location.protocol.startsWith("http")) {
  document.head.append(Object.assign(document.createElement("link"), { rel: "manifest", href: new URL("instalar.webmanifest", RAIZ).href }));
  navigator.serviceWorker?.register(new URL("sw.js", RAIZ)).catch(() => {}); // sem ele, só se precisa da rede
}
