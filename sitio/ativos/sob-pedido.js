// Números grandes que um explorador só pede quando precisa deles: cada um é um programa, porque uma página aberta com dois
// cliques não pode ler outros arquivos. `deScript` é o segundo argumento de JSON.parse: troca { script } por uma promessa que
// só começa quando alguém a espera.
(() => {
  "use strict";
  const chegando = new Map(); // caminho → promessa
  const esperando = new Map(); // nome → quem o espera

  globalThis.chegouOArquivo = (nome, base64) => esperando.get(nome)?.(base64);

  async function inflar(base64) {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const aberto = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new DataView(await new Response(aberto).arrayBuffer());
  }

  function trazer(caminho) {
    if (!chegando.has(caminho)) {
      chegando.set(caminho, new Promise((resolver, recusar) => {
        esperando.set(caminho.split("/").at(-1).replace(/\.js$/, ""), resolver);
        const script = Object.assign(document.createElement("script"), { src: caminho });
        script.addEventListener("error", () => {
          chegando.delete(caminho); // quem pedir de novo tenta de novo
          recusar(new Error(caminho));
        });
        document.head.append(script);
      }));
    }
    return chegando.get(caminho).then(inflar);
  }

  globalThis.deScript = (_, valor) =>
    typeof valor?.script === "string" ? { then: (resolver, recusar) => trazer(valor.script).then(resolver, recusar) } : valor;
})();
