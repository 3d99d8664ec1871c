// O notebook da lista: do que se escreveu na página ao .ipynb que o JupyterLab abre e `coletar` aceita, e de volta.
//
// Na volta, uma resposta é a célula que traz o nome dela do nbgrader ou, se ele se perdeu, a que define a função. O que
// não é da lista vem também, no lugar em que estava, e nada roda.

import { chave } from "./comum.js";

const MAXIMO = 20_000_000; // bytes
const ASSINATURAS = [
  [[0x50, 0x4b, 3, 4], "zip"],
  [[0x25, 0x50, 0x44, 0x46], "pdf"],
  [[0x89, 0x50, 0x4e, 0x47], "imagem"],
  [[0xff, 0xd8, 0xff], "imagem"],
];

export class Recusa extends Error {
  constructor(motivo, trocas = {}) {
    super(motivo);
    this.motivo = motivo;
    this.trocas = trocas;
  }
}

const marca = (celula) => celula.metadata?.nbgrader?.grade_id ?? "";

/** O nome com que a página guarda uma célula: o do nbgrader ou, no rascunho, o id. */
export const nomeDa = (celula) => marca(celula) || celula.id;

export const fonteDa = (celula) => [celula.source ?? celula.input ?? ""].flat().join("");

const resolvida = (celula) => Boolean(celula.metadata?.nbgrader?.solution);
const rascunho = (celula) => celula.cell_type === "code" && !marca(celula);

/** O que o aluno pode mudar: as respostas e os rascunhos. */
export const editavel = (celula) => resolvida(celula) || rascunho(celula);

/** As linhas como o nbformat as guarda, cada uma com o seu fim. */
function linhas(fonte) {
  return fonte ? fonte.split(/(?<=\n)/) : [];
}

/** O texto do .ipynb. `textos`: nome → o que se escreveu; `extras`: [{ id, depois, tipo, texto }]. */
export function montar(emitido, textos, extras = []) {
  const nb = structuredClone(emitido);
  nb.cells = nb.cells.flatMap((celula) => {
    const escrito = editavel(celula) ? textos[nomeDa(celula)] : undefined;
    if (escrito !== undefined && escrito !== null) celula.source = linhas(escrito);
    return [celula, ...extras.filter((e) => e.depois === nomeDa(celula)).map(deUmExtra)];
  });
  nb.cells.unshift(...extras.filter((e) => e.depois === "").map(deUmExtra));
  return `${JSON.stringify(nb, null, 1)}\n`;
}

function deUmExtra({ id, tipo, texto }) {
  const comum = { cell_type: tipo, id, metadata: {}, source: linhas(texto) };
  return tipo === "code" ? { ...comum, execution_count: null, outputs: [] } : comum;
}

// ---------------------------------------------------------------- a volta

/** Dos bytes de um arquivo ao que há nele desta lista: { textos, extras, faltam, reparado, windows }; ou uma Recusa. */
export function abrir(bytes, emitido) {
  const { celulas, windows } = lerArquivo(bytes);
  conferirALista(celulas, emitido);
  const donas = casar(celulas, emitido.cells);
  const textos = {};
  const faltam = [];
  for (const [i, celula] of emitido.cells.entries()) {
    if (!editavel(celula)) continue;
    if (donas.has(i)) textos[nomeDa(celula)] = semCerca(celulas[donas.get(i)], celula);
    else if (resolvida(celula)) faltam.push(nomeDa(celula));
  }
  if (![...donas.keys()].some((i) => marca(emitido.cells[i]))) throw new Recusa("nenhuma");
  return { textos, faltam, windows, extras: asOutras(celulas, donas, emitido.cells), reparado: mudouDeLugar(celulas, donas, emitido.cells) };
}

function lerArquivo(bytes) {
  if (bytes.length > MAXIMO) throw new Recusa("grande");
  if (bytes.length === 0) throw new Recusa("vazio");
  for (const [inicio, tipo] of ASSINATURAS) if (inicio.every((b, i) => bytes[i] === b)) throw new Recusa(tipo);
  let escrito;
  let windows = false;
  try {
    escrito = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    escrito = new TextDecoder("windows-1252").decode(bytes);
    windows = true;
  }
  let nb;
  try {
    nb = JSON.parse(escrito);
  } catch {
    throw new Recusa("cortado");
  }
  const brutas = nb?.cells ?? nb?.worksheets?.[0]?.cells; // o formato 3 as punha em folhas
  if (!Array.isArray(brutas) || brutas.length === 0) throw new Recusa("sem_celulas");
  const celulas = brutas
    .filter((c) => c && typeof c === "object")
    .map((c) => ({ tipo: c.cell_type === "code" ? "code" : "markdown", fonte: String(fonteDa(c)).replaceAll("\r\n", "\n"), marca: String(marca(c)), id: String(c.id ?? "") }));
  return { celulas, windows };
}

function conferirALista(celulas, emitido) {
  const numeros = (lidas) => {
    const achados = lidas.flatMap((c) => [...c.matchAll(/^#[ \t]*Lista[ \t]+(\d+)|^[ \t]*conferir\(\s*["']lista-(\d+)\//gim)].map((m) => m[1] ?? m[2]));
    return new Set(achados);
  };
  const [esta] = numeros(emitido.cells.map(fonteDa));
  const lidos = numeros(celulas.map((c) => c.fonte));
  if (lidos.size && !lidos.has(esta)) throw new Recusa("outra_lista", { outra: [...lidos][0], esta });
}

/** Os nomes que o texto define com def ou class na margem. */
export function definidos(fonte) {
  return [...fonte.matchAll(/^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)/gm)].map((m) => m[1]);
}

/** Índice da célula emitida → índice da que veio. */
function casar(celulas, emitidas) {
  const donas = new Map();
  const usadas = new Set();
  const casou = (i, j) => j !== undefined && j >= 0 && !usadas.has(j) && (donas.set(i, j), usadas.add(j));
  const livres = (serve) => celulas.flatMap((c, j) => (!usadas.has(j) && serve(c) ? [j] : []));
  // 1. o que está travado: pelo nome, pelo id ou por ser o mesmo texto (as cópias não voltam)
  for (const [i, celula] of emitidas.entries()) {
    if (editavel(celula)) continue;
    const igual = chave(fonteDa(celula));
    const copias = livres((c) => (c.marca && c.marca === marca(celula)) || chave(c.fonte) === igual);
    for (const j of copias) usadas.add(j);
    if (copias.length) donas.set(i, copias[0]);
  }
  // 2. as funções: a última que a define e não é a do enunciado; na falta, a que tem o nome do nbgrader
  for (const [i, celula] of emitidas.entries()) {
    if (!resolvida(celula) || celula.cell_type !== "code") continue;
    const [nome] = definidos(fonteDa(celula));
    const emBranco = chave(fonteDa(celula));
    const nota = (c) => 4 * definidos(c.fonte).includes(nome) + 2 * (chave(c.fonte) !== emBranco) + (c.marca === marca(celula) || c.id === celula.id);
    const candidatas = livres((c) => c.tipo === "code" && (c.marca === marca(celula) || definidos(c.fonte).includes(nome)));
    const melhor = candidatas.reduce((a, j) => (a === undefined || nota(celulas[j]) >= nota(celulas[a]) ? j : a), undefined);
    casou(i, melhor);
    for (const j of candidatas) if (chave(celulas[j].fonte) === emBranco) usadas.add(j);
  }
  // 3. os textos e os rascunhos: pelo nome, pelo id; senão, pelo lugar, entre os mesmos vizinhos
  const soltas = [...emitidas.entries()].filter(([i, c]) => editavel(c) && !donas.has(i));
  for (const [i, celula] of soltas) {
    const [j] = livres((c) => (marca(celula) ? c.marca === marca(celula) : c.id === celula.id && c.tipo === "code"));
    casou(i, j);
  }
  for (const [i, celula] of soltas) {
    if (donas.has(i) || (resolvida(celula) && celula.cell_type === "code")) continue; // uma função, só por ela mesma
    const de = Math.max(-1, ...[...donas].filter(([k]) => k < i).map(([, j]) => j));
    const ate = Math.min(celulas.length, ...[...donas].filter(([k, j]) => k > i && j > de).map(([, j]) => j));
    if (de < 0 && ate === celulas.length) continue; // nenhum vizinho diz onde ela estaria
    casou(i, livres((c) => c.tipo === (celula.cell_type === "code" ? "code" : "markdown")).find((j) => j > de && j < ate));
  }
  return donas;
}

/** Quem respondeu dentro de uma cerca de código (```python) queria o que está dentro dela. */
function semCerca(veio, celula) {
  const cercado = celula.cell_type === "code" && veio.fonte.match(/^\s*```\w*\n([\s\S]*?)\n```\s*$/);
  return cercado ? cercado[1] : veio.fonte;
}

/** As células que não são da lista, com o nome da célula da lista depois da qual estavam. */
function asOutras(celulas, donas, emitidas) {
  const deQuem = new Map([...donas].map(([i, j]) => [j, i]));
  const conhecidas = new Set(emitidas.map((c) => chave(fonteDa(c))));
  const extras = [];
  let depois = "";
  for (const [j, celula] of celulas.entries()) {
    if (deQuem.has(j)) depois = nomeDa(emitidas[deQuem.get(j)]);
    else if (celula.fonte.trim() && !conhecidas.has(chave(celula.fonte)) && !emitidas.some((c) => marca(c) && !editavel(c) && marca(c) === celula.marca)) {
      extras.push({ id: novoId(), depois, tipo: celula.tipo, texto: celula.fonte });
    }
  }
  return extras;
}

/** Alguma resposta veio sem o nome que tinha, ou fora da ordem? */
function mudouDeLugar(celulas, donas, emitidas) {
  const pares = [...donas].sort(([a], [b]) => a - b);
  const semNome = pares.some(([i, j]) => resolvida(emitidas[i]) && celulas[j].marca !== marca(emitidas[i]));
  return semNome || pares.some(([, j], k) => k > 0 && j < pares[k - 1][1]);
}

/** Um id para uma célula nova, dos que o nbformat aceita. */
export function novoId() {
  return `minha-${Array.from(crypto.getRandomValues(new Uint8Array(4)), (b) => b.toString(16).padStart(2, "0")).join("")}`;
}
