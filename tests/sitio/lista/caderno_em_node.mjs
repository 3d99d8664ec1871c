// Chamado por test_caderno.py: recebe, em JSON, uma lista de pedidos ao caderno da página, e devolve o que cada um deu.
// O esbuild junta os módulos dele, porque o Node pede outra forma de importar um JSON.

import { createRequire } from "node:module";
import { existsSync, readFileSync } from "node:fs";

const [esbuild, tela, pasta] = process.argv.slice(2);
if (!existsSync(`${pasta}/pontos.mjs`)) {
  const { buildSync } = createRequire(import.meta.url)(esbuild);
  buildSync({ entryPoints: [`${tela}/caderno.js`, `${tela}/pontos.js`], bundle: true, format: "esm", outdir: pasta, outExtension: { ".js": ".mjs" } });
}
const caderno = await import(`${pasta}/caderno.mjs`);
const pontos = await import(`${pasta}/pontos.mjs`);

const feito = JSON.parse(readFileSync(0, "utf8")).map(({ que, emitido, textos, extras, arquivo, nome, resultados }) => {
  if (que === "montar") return caderno.montar(emitido, textos, extras);
  if (que === "assinatura") return pontos.assinatura(nome, textos);
  if (que === "estados") return pontos.estados(emitido, textos, resultados);
  try {
    const { extras: deFora, ...lido } = caderno.abrir(new Uint8Array(Buffer.from(arquivo, "base64")), emitido);
    return { ...lido, extras: deFora.map(({ id, ...extra }) => extra) };
  } catch (erro) {
    if (erro instanceof caderno.Recusa) return { recusa: erro.motivo, ...erro.trocas };
    throw erro;
  }
});
process.stdout.write(JSON.stringify(feito));
