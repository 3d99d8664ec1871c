// O quadro isolado em que o Python vive: um iframe de origem opaca, sem rede, e dentro dele um Worker feito de um blob.
// Um Worker carregado pelo endereço escapa da CSP de um meta; um blob a herda, com a origem do quadro.
const CSP = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:",
  "worker-src blob:",
  "connect-src 'none'",
].join("; ");

// Roda dentro do quadro. Guarda o que recebeu da primeira vez; a cada “nascer”, acaba com o operário que havia.
function dentro() {
  let pecas = null, modulo = null, programa = null, operario = null;

  async function nascer({ pecas: novas, lista, porta }) {
    operario?.terminate();
    if (novas) {
      pecas = novas;
      modulo = WebAssembly.compile(pecas["pyodide.asm.wasm"]);
      const partes = ["pyodide.asm.js", "pyodide.js", "operario.js"].flatMap((nome) => [pecas[nome], "\n"]);
      programa = URL.createObjectURL(new Blob(partes, { type: "text/javascript" }));
    }
    operario = new Worker(programa);
    operario.onerror = (erro) => parent.postMessage({ que: "caiu", motivo: erro.message }, "*");
    const recursos = {
      "numpy.zip": pecas["numpy.zip"],
      "curso.zip": pecas["curso.zip"],
      "python_stdlib.zip": pecas["python_stdlib.zip"],
      "pyodide-lock.json": pecas["pyodide-lock.json"],
    };
    operario.postMessage({ recursos, modulo: await modulo, lista, porta }, [porta]);
  }

  addEventListener("message", (evento) => {
    if (evento.source === parent && evento.data?.que === "nascer") nascer(evento.data);
  });
}

export const QUADRO = `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${CSP}"><title>Python</title></head>
<body><script>(${dentro})()</script></body></html>`;
