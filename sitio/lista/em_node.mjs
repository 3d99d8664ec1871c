// O Python da página em um Node, sem navegador: atende os pedidos de um arquivo e escreve as respostas.
//
//     node em_node.mjs RECURSOS PEDIDOS RESPOSTAS
//
// RECURSOS é a pasta e o manifesto que `recursos.preparar` fez; PEDIDOS, um JSON com [{lista, pedidos: […]}, …].
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";

const require = createRequire(import.meta.url);
require("./motor-operario.js");
const { loadPyodide } = require("pyodide");

const [, , pasta, entrada, saida] = process.argv;
const manifesto = JSON.parse(fs.readFileSync(path.join(pasta, "manifesto.json"), "utf-8"));
const ler = (nome) => new Uint8Array(gunzipSync(fs.readFileSync(path.join(pasta, manifesto.arquivos[nome].gz))));
const numpy = ler("numpy.zip");
const feitas = [];
// o Node mostraria a linha do erro, que no Pyodide tem um megabyte
process.on("uncaughtException", (erro) => {
  console.error(String(erro?.message ?? erro).slice(0, 3000));
  process.exit(1);
});

for (const { lista, pedidos } of JSON.parse(fs.readFileSync(entrada, "utf-8"))) {
  const py = await loadPyodide({ stdin: () => null, stdout: () => {}, stderr: () => {} });
  const atender = globalThis.cursoOperario.vestir(py, { numpy, curso: ler(`${lista}.zip`), lista });
  const respostas = pedidos.map((pedido) => JSON.parse(atender(JSON.stringify(pedido), () => {})));
  feitas.push({ lista, respostas });
}
fs.writeFileSync(saida, JSON.stringify(feitas));
process.exit(0); // o Pyodide deixa temporizadores no ar
