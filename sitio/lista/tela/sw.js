// Guarda o site para quando não houver rede. Antes destas linhas, a construção põe VERSAO, PRIMEIRAS, DEPOIS e DO_PYTHON.
//
// Uma página vem da rede, se ela responde logo, e senão do que está guardado. O resto tem a versão no nome: vem do guardado.

const SITIO = `curso-atencao-sitio-${VERSAO}`;
const PYTHON = "curso-atencao-python"; // 10 MB que não mudam quando muda um texto
const PACIENCIA = 4000; // milissegundos à espera da rede, se a página está guardada

self.addEventListener("install", (evento) => {
  self.skipWaiting();
  evento.waitUntil(guardarPaginas(PRIMEIRAS));
});

self.addEventListener("activate", (evento) => {
  evento.waitUntil(
    (async () => {
      for (const nome of await caches.keys()) if (nome.startsWith("curso-atencao-sitio-") && nome !== SITIO) await caches.delete(nome);
      const python = await caches.open(PYTHON);
      for (const pedido of await python.keys()) if (!DO_PYTHON.some((nome) => pedido.url.endsWith(nome))) await python.delete(pedido);
      await self.clients.claim();
    })(),
  );
  guardarPaginas(DEPOIS); // sem que ninguém espere: as aulas
});

self.addEventListener("message", (evento) => {
  if (evento.data === "guardar-o-python") evento.waitUntil(guardarOPython(evento.source));
});

self.addEventListener("fetch", (evento) => {
  const { request: pedido } = evento;
  const endereco = new URL(pedido.url);
  if (pedido.method !== "GET" || endereco.origin !== location.origin) return;
  evento.respondWith(pedido.mode === "navigate" ? daRede(pedido) : doGuardado(pedido));
});

/** As páginas e o que cada uma cita; uma que falhe não estraga as outras. */
async function guardarPaginas(nomes) {
  const guardado = await caches.open(SITIO);
  const citados = new Set();
  for (const nome of nomes) {
    const onde = new URL(nome, registration.scope);
    try {
      const resposta = await fetch(onde, { cache: "no-cache" });
      if (!resposta.ok) continue;
      await guardado.put(onde, resposta.clone());
      for (const [, citado] of (await resposta.text()).matchAll(/(?:src|href)="([^"#]+\.(?:js|css|png|svg|woff2?|webmanifest)(?:\?[^"#]*)?)"/g)) {
        citados.add(new URL(citado.replaceAll("&amp;", "&"), onde).href);
      }
    } catch {
      // sem rede no meio: o que faltar virá quando for pedido
    }
  }
  for (const citado of citados) {
    if (new URL(citado).origin === location.origin && !(await guardado.match(citado))) await guardado.add(citado).catch(() => {});
  }
}

async function guardarOPython(quem) {
  const python = await caches.open(PYTHON);
  let feitos = 0;
  for (const nome of DO_PYTHON) {
    const onde = new URL(nome, registration.scope);
    if (!(await python.match(onde))) await python.add(onde).catch(() => {});
    quem?.postMessage({ guardados: (feitos += 1), de: DO_PYTHON.length });
  }
}

async function daRede(pedido) {
  const guardada = await caches.match(pedido, { ignoreSearch: true });
  const rede = fetch(pedido).then(async (resposta) => {
    if (resposta.ok) await (await caches.open(SITIO)).put(pedido, resposta.clone());
    return resposta;
  });
  if (!guardada) return rede.catch(async () => (await caches.match(new URL("index.html", registration.scope))) ?? Response.error());
  const demora = new Promise((resolver) => setTimeout(() => resolver(guardada), PACIENCIA));
  return Promise.race([rede.catch(() => guardada), demora]);
}

async function doGuardado(pedido) {
  const guardado = await caches.match(pedido);
  if (guardado) return guardado;
  const resposta = await fetch(pedido);
  if (resposta.ok && resposta.status === 200) {
    const qual = DO_PYTHON.some((nome) => pedido.url.endsWith(nome)) ? PYTHON : SITIO;
    await (await caches.open(qual)).put(pedido, resposta.clone()).catch(() => {}); // sem espaço, só não se guarda
  }
  return resposta;
}
