// As palavras de uma frase, lidas de uma tabela, e os nomes delas escritos em um plano.

const MAXIMO_DE_PALAVRAS = 16;

/** A frase em palavras da tabela: {palavras} ou {problema}. Aceita pontuação e maiúsculas trocadas. */
function lerFrase(frase, tabela) {
  const pedacos = frase.split(/\s+/).map((p) => p.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "")).filter(Boolean);
  if (!pedacos.length) return { problema: texto("palavras.frase_vazia") };
  if (pedacos.length > MAXIMO_DE_PALAVRAS) return { problema: texto("palavras.frase_longa", { n: MAXIMO_DE_PALAVRAS }) };
  const porMinuscula = new Map(Object.keys(tabela).map((p) => [p.toLowerCase(), p]));
  const achar = (p) => (Object.hasOwn(tabela, p) ? p : porMinuscula.get(p.toLowerCase()));
  const estranhas = [...new Set(pedacos.filter((p) => !achar(p)))];
  if (!estranhas.length) return { palavras: pedacos.map(achar) };
  const conhecidas = Object.keys(tabela).sort((a, b) => a.localeCompare(b, "pt")).join(", ");
  const nomes = enumerar(estranhas.map((p) => `“${p}”`));
  return { problema: texto("palavras.desconhecida", { nomes, conhecidas }) };
}

/** O lugar, em volta do ponto, em que o nome menos cobre o que já está `ocupados`: [x, y, âncora, caixa, quanto cobre]. */
function melhorLugar(palavra, x, y, corpo, ocupados, { largura, altura }) {
  const [w, a, d] = [palavra.length * corpo * 0.56, corpo, 11];
  const lugares = [[d, 0, "start"], [-d, 0, "end"], [0, -d - a / 2, "middle"], [0, d + a / 2, "middle"], [d - 3, -d, "start"],
    [d - 3, d, "start"], [3 - d, -d, "end"], [3 - d, d, "end"]];
  let melhor = null;
  for (const [dx, dy, ancora] of lugares) {
    const esquerda = x + dx - (ancora === "end" ? w : ancora === "middle" ? w / 2 : 0);
    const caixa = [esquerda, y + dy - a / 2, esquerda + w, y + dy + a / 2];
    const fora = caixa[0] < 2 || caixa[1] < 2 || caixa[2] > largura - 2 || caixa[3] > altura - 2;
    const custo = ocupados.reduce((soma, o) => soma + sobra(caixa, o), fora ? 1e5 : 0);
    if (!melhor || custo < melhor.custo - 1) melhor = { custo, lugar: [x + dx, y + dy + a * 0.34, ancora, caixa] };
  }
  return [...melhor.lugar, melhor.custo];
}

function sobra(a, b) {
  const largura = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const altura = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return largura > 0 && altura > 0 ? largura * altura : 0;
}

const arredondar = (x) => Math.round(x * 100) / 100;

const DIRECOES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Um botão para cada palavra da frase, dos quais um só vale, com o que `dentro` põe em cada um. */
function trocarPalavras(grupo, palavras, aoEscolher, dentro = (palavra) => palavra) {
  const botoes = palavras.map((p, i) =>
    h("button", { type: "button", role: "radio", "aria-checked": "false", class: "palavra", aoClick: () => botoes[i].focus() }, dentro(p, i))
  );
  focoQueAnda(botoes, { aoChegar: aoEscolher });
  grupo.replaceChildren(...botoes);
}

function marcarPalavra(grupo, frente) {
  [...grupo.children].forEach((b, i) => {
    b.setAttribute("aria-checked", String(i === frente));
    b.setAttribute("tabindex", i === frente ? "0" : "-1");
  });
}

const SUGESTOES = 5;

/** As palavras da tabela que completam a última da frase; nenhuma, se ela já acabou. */
function completam(frase, tabela) {
  const semAcento = (p) => p.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  const ultima = semAcento(frase.split(/\s/).at(-1));
  return ultima ? Object.keys(tabela).filter((p) => semAcento(p).startsWith(ultima)).slice(0, SUGESTOES) : [];
}

/** A cor do grupo da palavra. */
function corDa(palavra, grupos) {
  return grupos.find((g) => g.palavras.includes(palavra))?.cor ?? "cinza";
}
