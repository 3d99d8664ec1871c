// A conta das matrizes: cada produto com a linha, a coluna e a soma da casa apontada.

const MAIOR_LADO = 16;

function conferirConta({ X, palavras, pesos = {} }) {
  const [fX, fQ, fK, fV] = [X, pesos.W_Q, pesos.W_K, pesos.W_V].map((M) => (M === undefined ? undefined : forma(M)));
  if (!fX) return texto("conta.X_torta");
  if (palavras?.length !== fX[0]) return texto("conta.faltam_palavras", { n: fX[0] });
  const comProjecao = Object.keys(pesos).length > 0;
  if (comProjecao) {
    const certas = fQ && fK && fV && [fQ, fK, fV].every((f) => f[0] === fX[1]) && fQ[1] === fK[1];
    if (!certas) return texto("conta.W_torta", { d: fX[1] });
  }
  const lados = [fX, fQ, fK, fV].filter(Boolean).flat();
  return Math.max(...lados) > MAIOR_LADO ? texto("conta.grande", { n: MAIOR_LADO }) : null;
}

/** Os passos da conta, cada um com as duas matrizes que se multiplicam (ou a que vira pesos) e o resultado. */
function passosDaConta({ X, palavras, pesos = {}, escala, ate = "Y" }) {
  const comProjecao = Boolean(pesos.W_Q);
  const d_k = (pesos.W_K ?? X)[0].length;
  const divisor = escala ? Math.sqrt(d_k) : 1;
  const { Q, K, V, S, A, Y } = atender(X, pesos, divisor);
  const eixo = (letra, M) => M[0].map((_, i) => `${letra}${i + 1}`);
  const m = (nome, papel, valores, linhas, colunas) => ({ nome, papel, valores, linhas, colunas });
  const mX = m("X", "X", X, palavras, eixo("x", X));
  const projetada = (nome, M) => m(nome, nome, M, palavras, eixo(nome.toLowerCase(), M));
  const [mQ, mK, mV] = comProjecao ? [projetada("Q", Q), projetada("K", K), projetada("V", V)] : [mX, mX, mX];
  const projecao = (nome) => ({
    chave: nome, tipo: "produto", direita: m(`W_${nome}`, nome, pesos[`W_${nome}`], mX.colunas, eixo(nome.toLowerCase(), pesos[`W_${nome}`])),
    esquerda: mX, resultado: { Q: mQ, K: mK, V: mV }[nome],
  });
  const virada = { ...mK, nome: `${mK.nome}ᵀ`, valores: transposta(mK.valores), linhas: mK.colunas, colunas: palavras };
  const mS = m("S", "A", S, palavras, palavras);
  const mA = m("A", "A", A, palavras, palavras);
  const passos = [
    ...(comProjecao ? ["Q", "K", "V"].map(projecao) : []),
    { chave: "S", tipo: "produto", esquerda: mQ, direita: virada, resultado: mS, divisor, d_k },
    { chave: "A", tipo: "softmax", esquerda: mS, resultado: mA },
    { chave: "Y", tipo: "produto", esquerda: mA, direita: mV, resultado: m("Y", "V", Y, palavras, eixo("y", Y)) },
  ];
  return passos.slice(0, passos.findIndex((p) => p.chave === ate) + 1);
}

function tituloDoPasso({ chave, esquerda, direita, divisor }) {
  if (chave === "A") return "A = softmax(S)";
  const produto = `${esquerda.nome} ${direita.nome}`;
  return `${chave} = ${produto}${divisor > 1 ? " / √d_k" : ""}`;
}

function criarConta(casa) {
  const passos = passosDaConta(casa.dados);
  let atual = 0;
  let apontada = [0, 0];
  const painel = h("div", { class: "painel", role: "tabpanel", "aria-label": texto("conta.painel") });
  const abas = passos.map((passo, i) =>
    h("button", { type: "button", role: "tab", class: "aba", "aria-selected": "false", style: { "--papel": cor(passo.resultado.papel), "--papel-letra": cor(passo.resultado.papel, "texto") },
      aoClick: () => abas[i].focus() }, h("span", { class: "passo" }, `${i + 1}`), h("span", {}, formula(tituloDoPasso(passo)))));
  const soma = h("div", { class: "soma" });
  const explica = h("p", { class: "explica" });

  const apontar = (i, j, falar = true) => {
    apontada = [i, j];
    marcarCasas(painel, i, j);
    const passo = passos[atual];
    soma.replaceChildren(...contaEscrita(passo, i, j));
    casa.estado({ passo: passo.chave, linha: i, coluna: j });
    if (falar) casa.falar(contaFalada(passo, i, j));
  };
  const abrir = (qual) => {
    atual = qual;
    abas.forEach((aba, i) => {
      aba.setAttribute("aria-selected", String(i === qual));
      aba.setAttribute("tabindex", i === qual ? "0" : "-1");
    });
    const passo = passos[qual];
    explica.textContent = texto(`conta.explica_${passo.chave}`);
    const { valores } = passo.resultado;
    apontada = [limitar(apontada[0], 0, valores.length - 1), limitar(apontada[1], 0, valores[0].length - 1)];
    painel.replaceChildren(quadroDaConta(passo, apontar, apontada));
    apontar(...apontada, false);
    casa.mudou();
  };
  focoQueAnda(abas, { aoChegar: abrir });
  const vizinho = (passo) => () => abrir(limitar(atual + passo, 0, passos.length - 1));
  casa.atalho("n", vizinho(1));
  casa.atalho("p", vizinho(-1));
  casa.tabela(() => tabelasDaConta(passos[atual]));
  casa.corpo.append(
    h("div", { class: "abas", role: "tablist", "aria-label": texto("conta.passos") }, abas),
    explica,
    h("div", { class: "mesa" }, painel, soma)
  );
  apontada = [casa.dados.linha ?? casa.dados.X.length - 1, 0];
  abrir(Math.max(0, passos.findIndex((p) => p.chave === casa.dados.passo)));
}

// ------------------------------------------------------------ o quadro: a linha e a coluna se cruzam na casa

function quadroDaConta(passo, apontar, apontada) {
  const { esquerda, direita, resultado } = passo;
  const lado = h("div", { class: "ao-lado" }, tabelaDeCasas(esquerda, "esquerda"));
  const embaixo = h("div", { class: "resultado" }, gradeDeCasas(resultado, apontar, apontada));
  const emCima = direita ? h("div", { class: "em-cima" }, tabelaDeCasas(direita, "direita")) : null;
  return h("div", { class: "rola", tabindex: "-1" }, h("div", { class: `quadro${direita ? "" : " lado-a-lado"}` }, emCima, lado, embaixo));
}

function maiorDe({ valores }) {
  return Math.max(...valores.flat().map(Math.abs), 1e-9);
}

function cabecalho({ nome, papel, valores }) {
  const formaDela = `${valores.length} × ${valores[0].length}`;
  return h("caption", {}, h("b", { style: { color: cor(papel, "texto") } }, formula(nome)), ` ${formaDela}`);
}

function linhasDeCasas(matriz, casa) {
  const maior = maiorDe(matriz);
  const cabeca = h("tr", {}, h("td", {}), matriz.colunas.map((c) => h("th", { scope: "col" }, h("span", {}, c))));
  const corpo = matriz.valores.map((linha, i) => h("tr", {}, h("th", { scope: "row" }, matriz.linhas[i]),
    linha.map((x, j) => casa(x, i, j, { background: tinta(matriz.papel, x / maior) }))));
  return [h("thead", {}, cabeca), h("tbody", {}, corpo)];
}

function tabelaDeCasas(matriz, qual) {
  const casa = (x, i, j, style) => h("td", { class: "casa", "data-i": i, "data-j": j, style }, numero(x));
  return h("table", { class: `matriz ${qual}`, style: { "--papel": cor(matriz.papel, "texto") } }, cabecalho(matriz), linhasDeCasas(matriz, casa));
}

/** O resultado: uma grade em que as setas andam, e o mouse aponta. */
function gradeDeCasas(matriz, apontar, [i0, j0]) {
  const colunas = matriz.valores[0].length;
  const casas = [];
  const casa = (x, i, j, style) => {
    const nome = texto("conta.casa", { linha: matriz.linhas[i], coluna: matriz.colunas[j], valor: numero(x) });
    const no = h("td", { class: "casa", role: "gridcell", "data-i": i, "data-j": j, style, "aria-label": nome, aoPointerenter: () => apontar(i, j),
      aoClick: () => no.focus() }, numero(x));
    casas.push(no);
    return no;
  };
  const dentro = linhasDeCasas(matriz, casa);
  focoQueAnda(casas, { colunas, inicial: i0 * colunas + j0, aoChegar: (k) => apontar(Math.floor(k / colunas), k % colunas) });
  const nome = texto("conta.resultado", { nome: matriz.nome });
  return h("table", { class: "matriz", role: "grid", "aria-label": nome, style: { "--papel": cor(matriz.papel, "texto") } }, cabecalho(matriz), dentro);
}

function marcarCasas(painel, i, j) {
  const marcar = (seletor, serve) => painel.querySelectorAll(seletor).forEach((no) =>
    no.classList.toggle("acesa", serve(Number(no.dataset.i), Number(no.dataset.j))));
  marcar(".esquerda .casa", (linha) => linha === i);
  marcar(".direita .casa", (_, coluna) => coluna === j);
  marcar(".resultado .casa", (linha, coluna) => linha === i && coluna === j);
}

// ------------------------------------------------------------ a soma por extenso

function contaEscrita(passo, i, j) {
  return passo.tipo === "softmax" ? softmaxEscrita(passo, i, j) : produtoEscrito(passo, i, j);
}

function produtoEscrito({ esquerda, direita, resultado, divisor = 1, d_k }, i, j) {
  const linha = esquerda.valores[i];
  const coluna = direita.valores.map((l) => l[j]);
  const parcelas = linha.map((x, k) => [
    k ? " + " : "",
    h("span", { class: "parcela" }, h("b", { style: { color: cor(esquerda.papel, "texto") } }, entreParenteses(x)), " × ",
      h("b", { style: { color: cor(direita.papel, "texto") } }, entreParenteses(coluna[k]))),
  ]);
  const total = escalar(linha, coluna);
  const fim = divisor > 1
    ? [` = ${numero(total)}`, h("br"), `${numero(total)} / √${d_k} = `]
    : [" = "];
  return [
    h("p", { class: "de-quem" }, nomeDaCasa(resultado, i, j)),
    h("p", { class: "por-extenso" }, parcelas, fim, h("b", { class: "total" }, numero(resultado.valores[i][j]))),
  ];
}

function softmaxEscrita({ esquerda, resultado }, i, j) {
  const linha = esquerda.valores[i];
  const e = (x) => h("span", { class: "parcela" }, "e", h("sup", {}, numero(x)));
  const soma = linha.map((x, k) => [k ? " + " : "", e(x)]);
  const total = linha.reduce((t, x) => t + Math.exp(x), 0);
  return [
    h("p", { class: "de-quem" }, nomeDaCasa(resultado, i, j)),
    h("p", { class: "por-extenso" }, e(linha[j]), " / (", soma, ")", h("br"),
      `${numero(Math.exp(linha[j]))} / ${numero(total)} = `, h("b", { class: "total" }, numero(resultado.valores[i][j]))),
  ];
}

const entreParenteses = (x) => (numero(x).startsWith("−") ? `(${numero(x)})` : numero(x));

function nomeDaCasa({ nome, linhas, colunas }, i, j) {
  return texto("conta.de_quem", { nome, linha: linhas[i], coluna: colunas[j] });
}

function contaFalada(passo, i, j) {
  const { resultado, esquerda, direita, divisor = 1, d_k } = passo;
  const valor = numero(resultado.valores[i][j]);
  const quem = nomeDaCasa(resultado, i, j);
  if (passo.tipo === "softmax") return texto("conta.fala_softmax", { quem, pontuacao: numero(esquerda.valores[i][j]), valor });
  const parcelas = esquerda.valores[i].map((x, k) => texto("conta.vezes", { a: numero(x), b: numero(direita.valores[k][j]) })).join(` ${texto("conta.mais")} `);
  const dividido = divisor > 1 ? texto("conta.dividido", { d_k }) : "";
  return texto("conta.fala_produto", { quem, parcelas, dividido, valor });
}

function tabelasDaConta({ esquerda, direita, resultado }) {
  return [resultado, esquerda, direita].filter(Boolean).map(({ nome, linhas, colunas, valores }) => ({
    legenda: `${nome} (${valores.length} × ${valores[0].length})`, colunas: ["", ...colunas],
    linhas: valores.map((linha, i) => [linhas[i], ...linha]),
  }));
}

const render = explorador({ nome: "conta", conferir: conferirConta, criar: criarConta });
