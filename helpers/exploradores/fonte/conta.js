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
function passosDaConta({ X, palavras, pesos = {}, escala, colunas, ate = "Y" }) {
  const comProjecao = Boolean(pesos.W_Q);
  const d_k = (pesos.W_K ?? X)[0].length;
  const divisor = escala ? Math.sqrt(d_k) : 1;
  const { Q, K, V, S, A, Y } = atender(X, pesos, divisor);
  const eixo = (letra, M) => M[0].map((_, i) => `${letra}${i + 1}`);
  // `base` é a matriz cujos números se mudam no lugar; as outras são contas feitas com elas
  const m = (nome, papel, valores, linhas, colunas, base) => ({ nome, papel, valores, linhas, colunas, base });
  const mX = m("X", "X", X, palavras, colunas ?? eixo("x", X), "X");
  const projetada = (nome, M) => m(nome, nome, M, palavras, eixo(nome.toLowerCase(), M));
  const [mQ, mK, mV] = comProjecao ? [projetada("Q", Q), projetada("K", K), projetada("V", V)] : [mX, mX, mX];
  const projecao = (nome) => ({
    chave: nome, tipo: "produto", direita: m(`W_${nome}`, nome, pesos[`W_${nome}`], mX.colunas, eixo(nome.toLowerCase(), pesos[`W_${nome}`]), `W_${nome}`),
    esquerda: mX, resultado: { Q: mQ, K: mK, V: mV }[nome],
  });
  const virada = { ...mK, nome: `${mK.nome}ᵀ`, valores: transposta(mK.valores), linhas: mK.colunas, colunas: palavras, base: null };
  const mS = m("S", "A", S, palavras, palavras);
  const mA = m("A", "A", A, palavras, palavras);
  const passos = [
    ...(comProjecao ? ["Q", "K", "V"].map(projecao) : []),
    { chave: "S", tipo: "produto", esquerda: mQ, direita: virada, resultado: mS, divisor, d_k },
    { chave: "A", tipo: "softmax", esquerda: mS, resultado: mA },
    { chave: "Y", tipo: "produto", esquerda: mA, direita: mV, resultado: m("Y", "V", Y, palavras, eixo("y", Y)), pesos: A, valores: V },
  ];
  return passos.slice(0, passos.findIndex((p) => p.chave === ate) + 1);
}

function tituloDoPasso({ chave, esquerda, direita, divisor }) {
  if (chave === "A") return "A = softmax(S)";
  const produto = `${esquerda.nome} ${direita.nome}`;
  return `${chave} = ${produto}${divisor > 1 ? " / √d_k" : ""}`;
}

function criarConta(casa) {
  const { dados } = casa;
  let agora = { X: dados.X, ...dados.pesos }; // as matrizes de base, com os números de quem mexe
  let passos = passosDaConta(dados);
  let atual = 0;
  let apontada = [0, 0];
  let quadro = null;
  const painel = h("div", { class: "painel", role: "tabpanel", "aria-label": texto("conta.painel") });
  const abas = passos.map((passo, i) =>
    h("button", { type: "button", role: "tab", class: "aba", "aria-selected": "false", style: { "--papel": cor(passo.resultado.papel), "--papel-letra": cor(passo.resultado.papel, "texto") },
      aoClick: () => abas[i].focus() }, h("span", { class: "passo" }, `${i + 1}`), h("span", {}, formula(tituloDoPasso(passo)))));
  const soma = h("div", { class: "soma" });
  const resulta = h("div", { class: "resulta" });
  const explica = h("p", { class: "explica" });
  const filme = fazerFilme(casa, painel, soma);

  const apontar = (i = apontada[0], j = apontada[1], falar = true) => {
    filme.parar();
    apontada = [i, j];
    marcarCasas(painel, i, j);
    const passo = passos[atual];
    soma.replaceChildren(...contaEscrita(passo, i, j));
    resulta.replaceChildren(...setaDeY(passo, i));
    casa.estado({ passo: passo.chave, linha: i, coluna: j, ...agora });
    if (falar) casa.falar(contaFalada(passo, i, j));
  };
  const abrir = (qual) => {
    const foco = painel.getRootNode().activeElement;
    const [noPainel, naAba] = [painel.contains(foco), abas.includes(foco)];
    atual = qual;
    abas.forEach((aba, i) => {
      aba.setAttribute("aria-selected", String(i === qual));
      aba.setAttribute("tabindex", i === qual ? "0" : "-1");
    });
    const passo = passos[qual];
    explica.replaceChildren(...formula(texto(`conta.explica_${passo.chave}`)));
    const { valores } = passo.resultado;
    apontada = [limitar(apontada[0], 0, valores.length - 1), limitar(apontada[1], 0, valores[0].length - 1)];
    quadro = fazerQuadro(passo, apontar, apontada, mexer);
    painel.replaceChildren(quadro.no);
    apontar(...apontada, false);
    casa.mudou();
    if (noPainel) painel.querySelector(".resultado [tabindex='0']").focus(); // quem estava em uma casa continua em uma casa
    else if (naAba && foco !== abas[qual]) abas[qual].focus();
  };
  /** Um número de uma matriz de base mudou: tudo o que vem depois dela muda. */
  function mexer(base, i, j, x) {
    usar({ ...agora, [base]: agora[base].map((linha, n) => (n === i ? linha.map((y, k) => (k === j ? x : y)) : linha)) });
  }
  function usar(matrizes) {
    agora = matrizes;
    const { X, ...pesos } = agora;
    passos = passosDaConta({ ...dados, X, pesos });
    quadro.renovar(passos[atual]);
    apontar(...apontada);
    casa.mudou();
  }
  focoQueAnda(abas, { aoChegar: (i) => i !== atual && abrir(i) });
  const vizinho = (passo) => () => abrir(limitar(atual + passo, 0, passos.length - 1));
  const voltar = () => usar({ X: dados.X, ...dados.pesos });
  const ver = () => filme.passar(passos[atual], ...apontada);
  casa.atalho("n", vizinho(1));
  casa.atalho("p", vizinho(-1));
  casa.atalho("c", ver);
  casa.atalho("0", voltar);
  casa.tabela(() => tabelasDaConta(passos[atual]));
  casa.corpo.append(
    h("div", { class: "abas", role: "tablist", "aria-label": texto("conta.passos") }, abas),
    explica,
    h("div", { class: "mesa" }, painel, h("div", { class: "ao-fim" },
      h("div", { class: "botoes" }, botao(texto("conta.ver"), ver, { tecla: "C" }), botao(texto("conta.voltar"), voltar, { tecla: "0" })), soma, resulta))
  );
  apontada = [dados.linha ?? dados.X.length - 1, 0];
  abrir(Math.max(0, passos.findIndex((p) => p.chave === dados.passo)));
  return filme.parar;
}

// ------------------------------------------------------------ o filme: a linha e a coluna entram na casa

/** Mostra a conta de uma casa, parcela por parcela: cada par de números voa até ela. Onde se pede menos movimento, nada voa. */
function fazerFilme(casa, painel, soma) {
  const INTEIRO = 5000; // milissegundos, no máximo
  let vez = 0;
  const achar = (qual, i, j) => painel.querySelector(`${qual} .casa[data-i="${i}"][data-j="${j}"]`);
  function voar(de, ate, ms) {
    const [a, b, base] = [de, ate, painel].map((no) => no.getBoundingClientRect());
    const voa = h("span", { class: "voa", "aria-hidden": "true", style: { left: `${a.left - base.left}px`, top: `${a.top - base.top}px`, width: `${a.width}px` } },
      de.textContent || de.firstChild.value);
    painel.append(voa);
    const fim = { transform: `translate(${b.left - a.left}px, ${b.top - a.top}px) scale(0.7)`, opacity: 0.35 };
    voa.animate([{}, fim], { duration: ms, easing: "ease-in" }).finished.finally(() => voa.remove());
  }
  function parar() {
    vez++;
    painel.querySelectorAll(".voa").forEach((no) => no.remove());
    soma.querySelectorAll(".ainda").forEach((no) => no.classList.remove("ainda"));
  }
  async function passar(passo, i, j) {
    parar();
    const minha = vez;
    casa.falar(contaFalada(passo, i, j));
    if (!casa.movimento()) return;
    const daSoftmax = passo.tipo === "softmax";
    const parcelas = [...soma.querySelectorAll(".parcela")], total = soma.querySelector(".total");
    const ordem = daSoftmax ? [...parcelas.slice(1), parcelas[0]] : parcelas;
    [...parcelas, total].forEach((no) => no.classList.add("ainda"));
    const quantas = passo.esquerda.valores[i].length, ms = Math.min(800, INTEIRO / quantas);
    for (let k = 0; k < quantas; k++) {
      const origens = daSoftmax ? [achar(".esquerda", i, k)] : [achar(".esquerda", i, k), achar(".direita", k, j)];
      origens.forEach((de) => voar(de, achar(".resultado", i, j), ms));
      await new Promise((pronto) => setTimeout(pronto, ms));
      if (minha !== vez) return;
      ordem[k].classList.remove("ainda");
    }
    parar();
  }
  return { passar, parar };
}

/** No passo Y, com valores de duas dimensões: as setas dos valores, tão fortes quanto o peso de cada um, e a que resulta. */
function setaDeY({ chave, esquerda, resultado, pesos, valores }, i) {
  if (chave !== "Y" || valores[0].length !== 2) return [];
  const LADO = 220, maior = 1.25 * Math.max(...valores.flat().map(Math.abs), 1e-9);
  const aqui = ([x, y]) => [LADO / 2 + (x / maior) * (LADO / 2), LADO / 2 - (y / maior) * (LADO / 2)];
  const de = (ponto, espessura, opacidade) => {
    const nova = seta({ tinta: cor("V"), espessura });
    nova.por(LADO / 2, LADO / 2, ...aqui(ponto));
    nova.style.opacity = opacidade;
    return nova;
  };
  const [palavra, y] = [esquerda.linhas[i], resultado.valores[i]];
  const alt = texto("conta.resulta", { palavra, x: numero(y[0]), y: numero(y[1]) });
  const eixos = [[0, LADO / 2, LADO, LADO / 2], [LADO / 2, 0, LADO / 2, LADO]].map(([x1, y1, x2, y2]) => s("line", { class: "eixo", x1, y1, x2, y2 }));
  const setas = valores.map((v, m) => de(v, 1 + 3 * pesos[i][m], 0.25 + 0.5 * pesos[i][m]));
  const nomes = valores.map((v, m) => {
    const [x, y] = aqui(v);
    return s("text", { x, y: y - 5, "text-anchor": "middle", "font-size": 11 }, esquerda.linhas[m]);
  });
  return [s("svg", { viewBox: `0 0 ${LADO} ${LADO}`, width: LADO, height: LADO, role: "img", "aria-label": alt }, eixos, setas, nomes, de(y, 4, 1)), h("p", { class: "explica" }, alt)];
}

// ------------------------------------------------------------ o quadro: a linha e a coluna se cruzam na casa

/** {no, renovar}: `renovar(passo)` põe os números de outra conta nas mesmas casas, sem tirar o foco de quem escreve. */
function fazerQuadro(passo, apontar, apontada, mexer) {
  const { esquerda, direita, resultado } = passo;
  const daLinha = (i, j) => apontar(i, direita ? undefined : j);
  const partes = [tabelaDeCasas(esquerda, "esquerda", mexer, daLinha), direita && tabelaDeCasas(direita, "direita", mexer, (_, j) => apontar(undefined, j)), gradeDeCasas(resultado, apontar, apontada)];
  const [lado, cima, grade] = partes.map((parte, i) => parte && h("div", { class: ["ao-lado", "em-cima", "resultado"][i] }, parte.no));
  const no = h("div", { class: "rola", tabindex: "-1" }, h("div", { class: `quadro${direita ? "" : " lado-a-lado"}` }, cima, lado, grade));
  const renovar = (novo) => [novo.esquerda, novo.direita, novo.resultado].forEach((matriz, i) => partes[i]?.renovar(matriz));
  return { no, renovar };
}

function maiorDe({ valores }) {
  return Math.max(...valores.flat().map(Math.abs), 1e-9);
}

function cabecalho({ nome, papel, valores }) {
  const formaDela = `${valores.length} × ${valores[0].length}`;
  return h("caption", {}, h("b", { style: { color: cor(papel, "texto") } }, formula(nome)), ` ${formaDela}`);
}

/** As linhas da tabela; `fazer(i, j)` dá o nó de uma casa, e `por(no, x, i, j, matriz)` escreve nele. */
function comCasas(matriz, atributos, fazer, por) {
  const cabeca = h("tr", {}, h("td", {}), matriz.colunas.map((c) => h("th", { scope: "col" }, h("span", { title: c }, c))));
  const nos = matriz.valores.map((linha, i) => linha.map((_, j) => fazer(i, j)));
  const corpo = nos.map((linha, i) => h("tr", {}, h("th", { scope: "row" }, matriz.linhas[i]), linha));
  const no = h("table", { ...atributos, style: { "--papel": cor(matriz.papel, "texto") } }, cabecalho(matriz), h("thead", {}, cabeca), h("tbody", {}, corpo));
  const renovar = (nova) => {
    const maior = maiorDe(nova);
    nos.forEach((linha, i) => linha.forEach((casa, j) => {
      casa.style.background = tinta(nova.papel, nova.valores[i][j] / maior);
      por(casa, nova.valores[i][j], i, j, nova);
    }));
  };
  renovar(matriz);
  return { no, renovar, nos: nos.flat() };
}

function tabelaDeCasas(matriz, qual, mexer, apontar) {
  const { base, nome, linhas, colunas } = matriz;
  const fazer = (i, j) => h("td", { class: "casa", "data-i": i, "data-j": j, aoPointerenter: () => apontar(i, j) },
    base && campoDoNumero(texto("conta.de_quem", { nome, linha: linhas[i], coluna: colunas[j] }), (x) => mexer(base, i, j, x)));
  const por = (casa, x) => (base ? casa.firstChild.por(x) : (casa.textContent = numero(x)));
  return comCasas(matriz, { class: `matriz ${qual}` }, fazer, por);
}

const MAIOR_NUMERO = 99;

/** Um número que se muda no lugar, escrito ou com ↑ e ↓. O que não é número fica marcado, e, ao sair, volta o de antes. */
function campoDoNumero(rotulo, aoMudar) {
  const no = h("input", { type: "text", inputmode: "decimal", autocomplete: "off", "aria-label": rotulo, size: 5 });
  let valor = 0;
  const usar = (x) => aoMudar((valor = limitar(x, -MAIOR_NUMERO, MAIOR_NUMERO)));
  const lido = () => (no.value.trim() ? Number(no.value.trim().replace("−", "-").replace(",", ".")) : NaN);
  const escrever = () => {
    no.value = numero(valor);
    no.removeAttribute("aria-invalid");
  };
  no.addEventListener("input", () => {
    no.setAttribute("aria-invalid", String(!Number.isFinite(lido())));
    if (Number.isFinite(lido())) usar(lido());
  });
  no.addEventListener("keydown", (evento) => {
    const passo = { ArrowUp: 0.1, ArrowDown: -0.1 }[evento.key];
    if (!passo) return;
    evento.preventDefault();
    usar(Math.round((valor + passo) * 100) / 100);
    escrever();
  });
  no.addEventListener("focus", () => no.select());
  no.addEventListener("click", () => no.selectionStart === no.selectionEnd && no.select());
  no.addEventListener("blur", escrever);
  no.por = (x) => {
    valor = x;
    if (no.getRootNode().activeElement !== no) escrever();
  };
  return no;
}

/** O resultado: uma grade em que as setas andam, e o mouse aponta. */
function gradeDeCasas(matriz, apontar, [i0, j0]) {
  const colunas = matriz.valores[0].length;
  const fazer = (i, j) => {
    const no = h("td", { class: "casa", role: "gridcell", "data-i": i, "data-j": j, aoPointerenter: () => apontar(i, j), aoClick: () => no.focus() });
    return no;
  };
  const por = (no, x, i, j, { linhas, colunas: nomes }) => {
    no.textContent = numero(x);
    no.setAttribute("aria-label", texto("conta.casa", { linha: linhas[i], coluna: nomes[j], valor: numero(x) }));
  };
  const feita = comCasas(matriz, { class: "matriz", role: "grid", "aria-label": texto("conta.resultado", { nome: matriz.nome }) }, fazer, por);
  focoQueAnda(feita.nos, { colunas, inicial: i0 * colunas + j0, aoChegar: (k) => apontar(Math.floor(k / colunas), k % colunas) });
  return feita;
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

const ESTOURA = 12; // daqui em diante, a exponencial não se lê: como na aula 02, tira-se antes a maior da linha

function softmaxEscrita({ esquerda, resultado }, i, j) {
  const S = esquerda.valores[i], maior = Math.max(...S);
  const tira = maior > ESTOURA ? maior : 0;
  const linha = S.map((x) => x - tira);
  const e = (x) => h("span", { class: "parcela" }, "e", h("sup", {}, numero(x)));
  const soma = linha.map((x, k) => [k ? " + " : "", e(x)]);
  const total = linha.reduce((t, x) => t + Math.exp(x), 0);
  return [
    h("p", { class: "de-quem" }, nomeDaCasa(resultado, i, j)),
    h("p", { class: "por-extenso" }, e(linha[j]), " / (", soma, ")", h("br"),
      `${numero(Math.exp(linha[j]))} / ${numero(total)} = `, h("b", { class: "total" }, numero(resultado.valores[i][j]))),
    tira && h("p", { class: "de-quem" }, texto("conta.tirado", { maior: numero(maior) })),
  ].filter(Boolean);
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
