// Quanto a lista vale até aqui, só com o que já se conferiu e não mudou depois.

import { fonteDa, nomeDa } from "./caderno.js";

/** As questões que se conferem: [{ nome, questao, pontos }], e as discussões: [{ nome, pontos }]. */
export function questoesDe(emitido) {
  const questoes = [];
  const discussoes = [];
  for (const celula of emitido.cells) {
    const marca = celula.metadata?.nbgrader;
    if (!marca?.grade) continue;
    if (celula.cell_type === "code") {
      const questao = fonteDa(celula).match(/conferir\(\s*["']([\w-]+\/\w+)["']/)?.[1] ?? "";
      questoes.push({ nome: questao.split("/")[1], questao, pontos: marca.points });
    } else discussoes.push({ nome: marca.grade_id, pontos: marca.points });
  }
  return { questoes, discussoes };
}

/** O que uma conferência leu: o texto da resposta e os das que ela chama, e as que estas chamam. */
export function assinatura(nome, textos) {
  return resumo([...alcance(nome, textos)].sort().flat().join("\0"));
}

/** Uma resposta e as que ela chama, direta ou indiretamente: nome → texto. */
export function alcance(nome, textos) {
  const lidos = new Map();
  const ler = (qual) => {
    if (lidos.has(qual) || textos[qual] === undefined) return;
    lidos.set(qual, textos[qual]);
    const palavras = new Set(textos[qual].match(/\w+/g));
    for (const outro of Object.keys(textos)) if (palavras.has(outro)) ler(outro);
  };
  ler(nome);
  return lidos;
}

/** Um resumo curto de um texto. */
function resumo(escrito) {
  let a = 0x811c9dc5;
  let b = 0x1000193;
  for (let i = 0; i < escrito.length; i++) {
    a = Math.imul(a ^ escrito.charCodeAt(i), 0x01000193) >>> 0;
    b = Math.imul(b ^ escrito.charCodeAt(i), 0x85ebca6b) >>> 0;
  }
  return a.toString(36) + b.toString(36);
}

/** Do que está guardado, o estado de cada questão: nome → { estado, fracao }. */
export function estados(emitido, textos, resultados) {
  const { questoes } = questoesDe(emitido);
  const emBranco = Object.fromEntries(emitido.cells.map((c) => [nomeDa(c), fonteDa(c)]));
  return Object.fromEntries(
    questoes.map(({ nome }) => {
      const escrita = textos[nome] !== undefined && textos[nome] !== null && textos[nome] !== emBranco[nome];
      const dito = resultados?.[nome];
      if (!dito) return [nome, { estado: escrita ? "escrita" : "por fazer", fracao: 0 }];
      const vale = dito.assinatura === assinatura(nome, soAsRespostas(emitido, textos));
      if (!vale) return [nome, { estado: "mudou", fracao: 0 }];
      return [nome, { estado: dito.fracao === 1 ? "certa" : "errada", fracao: dito.fracao }];
    }),
  );
}

/** nome → texto, só das células em que se responde com código. */
export function soAsRespostas(emitido, textos) {
  const respostas = emitido.cells.filter((c) => c.cell_type === "code" && c.metadata?.nbgrader?.solution);
  return Object.fromEntries(respostas.map((c) => [nomeDa(c), textos[nomeDa(c)] ?? fonteDa(c)]));
}

/** Os pontos feitos e o total das questões que se conferem. */
export function somar(emitido, doEstado) {
  const { questoes } = questoesDe(emitido);
  const total = questoes.reduce((soma, q) => soma + q.pontos, 0);
  return { feitos: questoes.reduce((soma, q) => soma + q.pontos * (doEstado[q.nome]?.fracao ?? 0), 0), total };
}

