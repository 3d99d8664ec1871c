// O plano das chaves: à esquerda, o das palavras; à direita, o das consultas e chaves, que W_Q e W_K fazem delas.
//
// Formas nos comentários: N palavras na frase, D números por palavra, dos quais os dois primeiros são o lugar dela no plano.

const MAIOR_NUMERO = 4; // de W_Q e de W_K, quando é a pessoa quem mexe
const ENTRE_PASSOS = 50; // do treino, em milissegundos
const LADOS = [0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 10, 12, 16, 20, 24]; // até onde vai o plano da direita
const FORMAS = ["M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0", "M-5.4-5.4h10.8v10.8h-10.8z", "M0-7.2L6.6 5h-13.2z", "M0-6.4L6.4 0L0 6.4L-6.4 0z"];

function conferirChaves({ frases, tabela, componentes, W_Q, W_K }) {
  const D = componentes?.length;
  if (!Object.keys(tabela ?? {}).length || !frases?.length) return texto("chaves.sem_palavras");
  const torta = Object.entries(tabela).find(([, x]) => x?.length !== D || !x.every(Number.isFinite));
  if (torta) return texto("chaves.ponto_torto", { palavra: torta[0], d: D });
  return [W_Q, W_K].map(forma).every((f) => f?.[0] === D && f[1] === 2) ? null : texto("chaves.W_torta", { d: D });
}

/** A palavra n de X (N, D) procura nas outras: a consulta q (2,), as chaves K (N, 2), e o que a atenção faz com elas. */
function procurar(X, n, W_Q, W_K) {
  const [q] = produto([X[n]], W_Q);
  const K = produto(X, W_K);
  const S = K.map((k) => escalar(q, k) / Math.SQRT2);
  const A = pesosDe(S);
  return { q, K, S, A, Y: [0, 1].map((c) => X.reduce((soma, x, m) => soma + A[m] * x[c], 0)) };
}

/** Em vários exemplos {X, n, pista}: a perda, o quadrado da distância da ponta da seta à pista, em média; quantos dão à pista
 *  mais da metade do peso; e quanto a perda cresce com cada número de W_Q e de W_K. */
function perdaDasChaves(exemplos, W_Q, W_K) {
  const feita = { perda: 0, certos: 0, dQ: W_Q.map(() => [0, 0]), dK: W_K.map(() => [0, 0]) };
  for (const { X, n, pista } of exemplos) {
    const { q, K, A, Y } = procurar(X, n, W_Q, W_K);
    const erro = Y.map((y, c) => y - X[pista][c]);
    feita.perda += escalar(erro, erro) / exemplos.length;
    feita.certos += A[pista] > 0.5;
    X.forEach((x, m) => {
      const s = (A[m] * Math.SQRT2 * (escalar(erro, x) - escalar(erro, Y))) / exemplos.length; // quanto cresce com q · k
      for (const c of [0, 1]) {
        x.forEach((_, d) => {
          feita.dQ[d][c] += s * X[n][d] * K[m][c];
          feita.dK[d][c] += s * x[d] * q[c];
        });
      }
    });
  }
  return feita;
}

const descer = (W, dW, taxa) => W.map((linha, d) => linha.map((w, c) => w - taxa * dW[d][c]));
const emPar = (ponto) => texto("chaves.par", { x: numero(ponto[0]), y: numero(ponto[1]) });

function criarChaves(casa) {
  const { dados } = casa;
  const { tabela, componentes } = dados;
  const { taxa, passos, quase_nada } = dados.treino;
  const exemplos = dados.treino.exemplos.map(({ palavras, quem, pista }) => ({ X: palavras.map((p) => tabela[p]), n: quem, pista }));
  const escolhas = { palavras: [], frente: 0, apontada: null, W_Q: dados.W_Q, W_K: dados.W_K, passo: 0, perdas: [] };
  let conta = null, nota = null;
  const cartas = h("div", { class: "palavras", role: "radiogroup", "aria-label": texto("chaves.quem_procura") });
  const [dito, aviso] = [h("p", { class: "dito" }), h("p", { class: "aviso", role: "status" })];
  const planos = fazerPlanos(casa, escolhas, { escolher, apontar: (m) => por({ apontada: m }), puxar, redesenhar: () => mostrar() });
  const matrizes = [["W_Q", "Q"], ["W_K", "K"]].map(([nome, papel]) => fazerMatriz(nome, papel, componentes, (d, c, x) =>
    mexer({ [nome]: escolhas[nome].map((linha, i) => (i === d ? linha.map((w, j) => (j === c ? x : w)) : linha)) })));
  const treino = exemplos.length ? fazerTreino(casa, umPasso, () => mostrarJa(true)) : null;

  function mostrarJa(falar) {
    const { palavras, frente, W_Q, W_K } = escolhas;
    conta = procurar(palavras.map((p) => tabela[p]), frente, W_Q, W_K);
    nota = perdaDasChaves(exemplos, W_Q, W_K);
    const alto = Math.max(...conta.A), maior = escolhas.apontada ?? (conta.A[frente] === alto ? frente : conta.A.indexOf(alto));
    planos.pintar(conta, maior);
    matrizes.forEach((m, i) => m.por([W_Q, W_K][i], palavras[frente], i ? null : tabela[palavras[frente]]));
    [...cartas.children].forEach((carta, m) => pesar(carta, conta, m, m === maior));
    treino?.mostrar(escolhas, nota, exemplos.length);
    const trocas = { quem: palavras[frente], alvo: maior === frente ? texto("chaves.si_mesma") : palavras[maior], y: emPar(conta.Y),
      sombra: numero(sombra(conta, maior)), s: numero(conta.S[maior]), peso: porcento(conta.A[maior]) };
    const olhar = `${texto(escolhas.apontada === null ? "chaves.olha" : "chaves.da", trocas)} ${texto("chaves.dito", trocas)}`;
    dito.textContent = alto - Math.min(...conta.A) < 1e-9 ? texto("chaves.iguais", trocas) : olhar;
    if (falar) casa.falar([treino?.dito(), dito.textContent].filter(Boolean).join(" "));
    casa.mudou();
  }
  const mostrar = umPorQuadro(() => mostrarJa(!treino?.andando()));

  function por(mudancas) {
    Object.assign(escolhas, mudancas);
    if ("frente" in mudancas) marcarPalavra(cartas, escolhas.frente);
    const { palavras, frente, W_Q, W_K, passo } = escolhas;
    casa.estado({ frase: palavras.join(" "), quem: palavras[frente], W_Q, W_K, passo });
    mostrar();
  }
  /** Os números mudados pela pessoa: o treino, se havia um, para, e um outro começaria dali. */
  function mexer(mudancas) {
    treino?.parar();
    const limitados = Object.entries(mudancas).map(([nome, W]) => [nome, W.map((l) => l.map((w) => limitar(w, -MAIOR_NUMERO, MAIOR_NUMERO)))]);
    por({ ...Object.fromEntries(limitados), passo: 0, perdas: [] });
  }
  /** Leva a consulta, ou a chave de uma palavra, até um ponto: muda o mínimo da matriz, e o resto vem junto. */
  function puxar(nome, palavra, ponto) {
    const x = tabela[palavra], [agora] = produto([x], escolhas[nome]), tamanho = Math.max(escalar(x, x), 1e-3);
    mexer({ [nome]: escolhas[nome].map((linha, d) => linha.map((w, c) => arredondar(w + (x[d] * (ponto[c] - agora[c])) / tamanho))) });
  }
  /** Um passo do treino; devolve se ainda adianta dar outro. */
  function umPasso() {
    const { W_Q, W_K, passo, perdas } = escolhas;
    const { perda, dQ, dK } = perdaDasChaves(exemplos, W_Q, W_K);
    por({ W_Q: descer(W_Q, dQ, taxa), W_K: descer(W_K, dK, taxa), passo: passo + 1, perdas: [...perdas, perda] });
    return perda - perdaDasChaves(exemplos, escolhas.W_Q, escolhas.W_K).perda > quase_nada && escolhas.passo < passos;
  }
  /** Uma palavra da frase passa a ser quem procura; uma de fora entra na frase. */
  function escolher(palavra) {
    const n = escolhas.palavras.lastIndexOf(palavra);
    if (n >= 0) por({ frente: n, apontada: null });
    else escrever([...escolhas.palavras, palavra].join(" "), escolhas.frente);
  }
  function escrever(frase, frente) {
    escrita.por(frase);
    lerTexto(frase, frente);
  }
  function lerTexto(frase, frente) {
    const { palavras, problema } = lerFrase(frase, tabela);
    const ultima = frase.split(/\s/).at(-1).toLowerCase(), noMeio = ultima && Object.keys(tabela).some((p) => p.toLowerCase().startsWith(ultima));
    aviso.textContent = noMeio ? "" : problema ?? ""; // de uma palavra que ainda se escreve, nada se diz
    if (problema) return;
    escolhas.palavras = palavras;
    const dela = palavras.lastIndexOf(dados.destaque);
    trocarPalavras(cartas, palavras, (i) => por({ frente: i }), cartaDe);
    [...cartas.children].forEach((carta, m) => {
      carta.addEventListener("pointerenter", () => por({ apontada: m }));
      carta.addEventListener("pointerleave", () => por({ apontada: null }));
    });
    por({ frente: frente ?? (dela < 0 ? palavras.length - 1 : dela), apontada: null });
  }
  function voltar() {
    mexer({ W_Q: dados.W_Q, W_K: dados.W_K });
    lista?.por(dados.frases[0]);
    escrever(dados.frases[0]);
  }

  const escrita = campo({ rotulo: texto("palavras.escreva"), valor: dados.frases[0], aoMudar: (frase) => lerTexto(frase) });
  const lista = dados.frases.length > 1 && escolha({ rotulo: texto("palavras.frase"), opcoes: dados.frases, aoMudar: (f) => escrever(f) });
  const volta = botao(texto("chaves.voltar"), voltar, { class: "discreto", tecla: "0" });
  casa.corpo.append(h("div", { class: "frases" }, lista, escrita, aviso), cartas, h("div", { class: "mesa" },
    h("div", {}, planos.no, dito, legendaDosGrupos(dados.grupos)), h("div", { class: "painel" }, matrizes.map((m) => m.no), treino?.no, volta)));
  casa.tabela(() => tabelasDasChaves(dados, escolhas, conta));
  casa.atalho("0", voltar);
  lerTexto(dados.frases[0]);
  const soltar = aoRedimensionar(planos.no, () => {
    planos.medir();
    mostrarJa(true);
  });
  return () => {
    soltar();
    treino?.parar();
  };
}

const sombra = ({ q, K }, m) => escalar(q, K[m]) / Math.max(Math.hypot(...q), 1e-9);

function cartaDe(palavra) {
  return [h("b", {}, palavra), h("span", { class: "trilho" }, h("span", { class: "barra-cheia" })), h("span", { class: "quanto" })];
}

function pesar(carta, { A, S }, m, apontada) {
  carta.querySelector(".barra-cheia").style.width = `${100 * A[m]}%`;
  carta.querySelector(".quanto").textContent = porcento(A[m]);
  carta.classList.toggle("apontada", apontada);
  carta.title = texto("chaves.pontuacao", { s: numero(S[m]) });
}

// ------------------------------------------------------------ os números

function fazerMatriz(nome, papel, componentes, aoMudar) {
  const casas = componentes.map((componente, d) => [0, 1].map((c) => {
    const rotulo = texto("chaves.casa", { nome, componente, n: c + 1 });
    const entrada = h("input", { type: "range", min: -MAIOR_NUMERO, max: MAIOR_NUMERO, step: 0.05, "aria-label": rotulo });
    const visor = h("output", { aoClick: () => entrada.focus() });
    entrada.addEventListener("input", () => aoMudar(d, c, Number(entrada.value)));
    const no = h("div", { class: "casa" }, visor, entrada);
    no.por = (x) => {
      if (Math.abs(Number(entrada.value) - x) > 0.026) entrada.value = x;
      visor.textContent = numero(x);
      const [a, b] = [0, limitar(x / MAIOR_NUMERO, -1, 1)].sort((p, q) => p - q);
      Object.entries({ "--de": a, "--ate": b }).forEach(([nome, v]) => entrada.style.setProperty(nome, (v + 1) / 2));
      entrada.setAttribute("aria-valuetext", numero(x));
    };
    return no;
  }));
  const nota = h("p", { class: "nota" });
  const linhas = componentes.map((componente, d) => [h("span", { class: "linha" }, componente), casas[d]]);
  const no = h("div", { class: "matriz", role: "group", "aria-label": nome, style: { "--papel": cor(papel), "--papel-letra": cor(papel, "texto") } },
    h("h3", {}, formula(nome), h("small", {}, texto(`chaves.${nome}`))), h("div", { class: "casas" }, linhas), papel === "Q" && nota);
  /** De `quem`, o vetor x: onde ele tem 0, a linha não muda nada, e isso é dito. */
  no.por = (W, quem, x) => {
    const paradas = componentes.filter((_, d) => x?.[d] === 0);
    casas.forEach((linha, d) => linha.forEach((casa, c) => {
      casa.por(W[d][c]);
      casa.classList.toggle("parada", x?.[d] === 0);
    }));
    nota.textContent = paradas.length ? texto("chaves.paradas", { quem, quais: enumerar(paradas) }) : "";
  };
  return { no, por: no.por };
}

// ------------------------------------------------------------ o treino

function fazerTreino(casa, umPasso, aoParar) {
  let pedido = null, parado = "";
  const curva = s("polyline"), placar = h("p", { class: "placar" });
  const rodar = botao(texto("chaves.treinar"), () => (pedido ? parar() : comecar()), { class: "treinar", tecla: "R" });
  const um = () => {
    parar();
    encerrar(umPasso());
  };
  const no = h("div", { class: "treino" }, h("div", { class: "botoes" }, rodar, botao(texto("chaves.um_passo"), um, { tecla: "P" })), placar,
    s("svg", { viewBox: "0 0 200 40", preserveAspectRatio: "none", role: "img", "aria-label": texto("chaves.curva") }, curva));
  const nomear = () => (rodar.firstChild.textContent = texto(pedido ? "chaves.pausar" : "chaves.treinar"));
  const encerrar = (adianta) => {
    parado = adianta ? "" : texto("chaves.parou");
    if (!adianta) parar();
    return adianta;
  };
  function parar() {
    if (!pedido) return;
    cancelAnimationFrame(pedido);
    pedido = null;
    nomear();
    aoParar();
  }
  function comecar() {
    let antes = -Infinity;
    if (!casa.movimento()) while (encerrar(umPasso()));
    else {
      pedido = requestAnimationFrame(function quadro(agora) {
        pedido = requestAnimationFrame(quadro);
        if (agora - antes < ENTRE_PASSOS) return;
        antes = agora;
        encerrar(umPasso());
      });
    }
    nomear();
  }
  casa.atalho("r", () => rodar.click());
  casa.atalho("p", um);
  const dito = () => (placar.firstChild ? `${placar.textContent} ${parado}` : parado);
  const mostrar = ({ passo, perdas }, { perda, certos }, total) => {
    if (!passo) parado = "";
    placar.textContent = `${texto("chaves.placar", { passo, perda: numero(perda, 3), certos, total })} ${parado}`;
    const todas = [...perdas, perda], alto = Math.max(...todas);
    mudar(curva, { points: todas.map((p, i) => `${(200 * i) / Math.max(todas.length - 1, 60)},${39 - (37 * p) / alto}`).join(" ") });
  };
  return { no, parar, mostrar, dito, andando: () => Boolean(pedido) };
}

// ------------------------------------------------------------ os dois planos

function fazerPlano(nome) {
  const svg = s("svg", { role: "group", "aria-label": texto(`chaves.${nome}`) });
  const plano = { svg, lado: 320, largura: 320, altura: 320, vista: [0, 0, 1] }; // o meio, e a metade do lado: a mesma escala nos dois eixos
  const parte = (v, eixo) => (0.5 + (v - plano.vista[eixo]) / (2 * plano.vista[2])) * plano.lado;
  plano.x = (x) => parte(x, 0);
  plano.y = (y) => plano.lado - parte(y, 1);
  plano.no = h("figure", { class: `o-das-${nome}` }, h("figcaption", {}, texto(`chaves.${nome}`)), svg);
  return plano;
}

function fazerPlanos(casa, escolhas, { escolher, apontar, puxar, redesenhar }) {
  const { tabela, grupos } = casa.dados;
  const [palavras, chaves] = [fazerPlano("palavras"), fazerPlano("chaves")];
  const no = h("div", { class: "planos" }, palavras.no, chaves.no);
  const punho = s("g", { class: "ponto punho", tabindex: 0, role: "button", "aria-roledescription": texto("chaves.ponto") }, s("circle", { class: "alvo", r: 18 }),
    s("circle", { class: "bola", r: 7 }));
  const fundos = [palavras, chaves].map(({ svg }) => svg.appendChild(s("g")));
  chaves.svg.append(punho);
  palavras.vista = vistaDe(Object.values(tabela), []);
  let pego = null, q = null, aberto = false;
  const quem = () => escolhas.palavras[escolhas.frente];

  function pintar(conta, maior) {
    q = conta.q;
    const todas = Object.fromEntries(Object.entries(tabela).map(([p, x]) => [p, produto([x], escolhas.W_K)[0]]));
    const alvo = vistaDe([conta.q, ...Object.values(todas)]), { vista } = chaves;
    const longe = Math.max(...vista.map((v, i) => Math.abs(v - alvo[i]))) > 0.01 * alvo[2];
    if (!pego) chaves.vista = longe && aberto && casa.movimento() ? vista.map((v, i) => v + 0.2 * (alvo[i] - v)) : alvo;
    aberto = true;
    fundos[0].replaceChildren(...noPlanoDasPalavras(palavras, tabela, grupos, escolhas, conta));
    fundos[1].replaceChildren(...noPlanoDasChaves(chaves, todas, grupos, escolhas, conta, maior));
    mudar(punho, { transform: `translate(${chaves.x(conta.q[0])} ${chaves.y(conta.q[1])})`,
      "aria-label": texto("chaves.consulta_em", { quem: quem(), onde: emPar(conta.q) }) });
    if (!pego && chaves.vista !== alvo) redesenhar();
  }

  for (const plano of [palavras, chaves]) {
    const { svg } = plano;
    const doPonto = (evento) => evento.target.closest(".ponto");
    const lugar = ({ clientX, clientY }) => {
      const { left, top } = svg.getBoundingClientRect();
      const [, , R] = plano.vista;
      return [clientX - left, top + plano.lado - clientY].map((p, i) => plano.vista[i] + limitar((2 * p) / plano.lado - 1, -1, 1) * R);
    };
    svg.addEventListener("touchstart", (e) => doPonto(e) && e.preventDefault(), { passive: false }); // fora de um ponto, o dedo rola a página
    svg.addEventListener("pointerdown", (evento) => {
      const achado = doPonto(evento);
      if (!achado) return;
      const { palavra } = achado.dataset, [onde] = palavra ? produto([tabela[palavra]], escolhas.W_K) : [q];
      pego = { palavra, de: [evento.clientX, evento.clientY], folga: lugar(evento).map((v, i) => v - onde[i]), andou: false };
      svg.setPointerCapture(evento.pointerId);
      evento.preventDefault();
      if (!palavra) punho.focus();
    });
    svg.addEventListener("pointermove", (evento) => {
      if (!pego) {
        const m = escolhas.palavras.indexOf(doPonto(evento)?.dataset.palavra);
        if ((m < 0 ? null : m) !== escolhas.apontada) apontar(m < 0 ? null : m);
        return;
      }
      pego.andou ||= Math.hypot(evento.clientX - pego.de[0], evento.clientY - pego.de[1]) > 4;
      if (pego.andou && plano === chaves) puxar(pego.palavra ? "W_K" : "W_Q", pego.palavra ?? quem(), lugar(evento).map((v, i) => v - pego.folga[i]));
    });
    for (const fim of ["pointerup", "pointercancel"]) {
      svg.addEventListener(fim, () => {
        const solto = pego;
        pego = null;
        if (solto?.palavra && !(solto.andou && plano === chaves)) escolher(solto.palavra);
        else if (solto) redesenhar();
      });
    }
    svg.addEventListener("pointerleave", () => pego || escolhas.apontada === null || apontar(null));
  }
  punho.addEventListener("keydown", (evento) => {
    const direcao = DIRECOES[evento.key], passo = evento.shiftKey ? 0.25 : 0.05;
    if (!direcao) return;
    evento.preventDefault();
    evento.stopPropagation();
    puxar("W_Q", quem(), q.map((x, c) => x + passo * direcao[c]));
  });
  return {
    no, pintar,
    medir() {
      for (const plano of [palavras, chaves]) {
        plano.lado = plano.largura = plano.altura = Math.round(Math.min(plano.no.clientWidth, Math.max(280, 0.62 * innerHeight)));
        mudar(plano.svg, { viewBox: `0 0 ${plano.lado} ${plano.lado}`, width: plano.lado, height: plano.lado });
      }
    },
  };
}

/** Que parte do plano se vê: a origem e todos os pontos. Com `lados`, anda aos pulos, para que se veja o que se
 *  move dentro dela. */
function vistaDe(pontos, lados = LADOS) {
  const [menores, maiores] = [Math.min, Math.max].map((f) => [0, 1].map((c) => f(0, ...pontos.map((p) => p[c]))));
  const alcance = 0.62 * Math.max(maiores[0] - menores[0], maiores[1] - menores[1]);
  const R = lados.find((l) => l >= alcance) ?? Math.max(alcance, 1e-6);
  return [...[0, 1].map((c) => (Math.round((2 * (maiores[c] + menores[c])) / R) * R) / 4), R];
}

function grade({ x, y, lado, vista }) {
  const R = vista[2];
  const passo = [0.5, 1, 2, 5, 10, 20, 50].find((p) => R / p < 4) ?? 100;
  const riscos = [];
  for (let v = -Math.floor((2 * R) / passo) * passo; v <= 2 * R; v += passo) {
    riscos.push(s("line", { class: v ? "risco" : "eixo", x1: x(v), x2: x(v), y1: 0, y2: lado }),
      s("line", { class: v ? "risco" : "eixo", x1: 0, x2: lado, y1: y(v), y2: y(v) }));
    const marca = (px, py) => s("text", { class: "marca", x: px, y: py, "text-anchor": "middle" }, numero(v, passo < 1 ? 1 : 0));
    if (v && x(v) > 16 && x(v) < lado - 16) riscos.push(marca(x(v), Math.min(y(0) + 13, lado - 4)));
  }
  return riscos;
}

const formaDe = (palavra, grupos) => FORMAS[grupos.find((g) => g.palavras.includes(palavra))?.forma ?? 3];

function pontosDasPalavras({ x, y }, lugares, grupos, { palavras, frente }, papel, A) {
  const ordem = Object.keys(lugares).sort((a, b) => palavras.includes(a) - palavras.includes(b));
  return ordem.map((palavra) => {
    const m = palavras.lastIndexOf(palavra), [px, py] = [x(lugares[palavra][0]), y(lugares[palavra][1])];
    const tinta = papel === "X" && palavra === palavras[frente] ? cor("Q") : cor(papel);
    return s("g", { class: `ponto ${m < 0 ? "fora" : "dentro"}`, "data-palavra": palavra, transform: `translate(${px} ${py})` }, s("title", {}, palavra),
      m >= 0 && s("circle", { class: "halo", r: 7 + 24 * Math.sqrt(A[m]), style: { fill: cor("A") } }), s("circle", { class: "alvo", r: m < 0 ? 7 : 16 }),
      s("path", { class: "bola", d: formaDe(palavra, grupos), transform: `scale(${m < 0 ? 0.62 : 1.05})`, style: { fill: tinta } }));
  });
}

/** Os nomes dos assuntos, no meio das palavras de cada um: [nome, x, y, cor, corpo]. */
function nomesDosGrupos({ x, y }, lugares, grupos) {
  const meio = (palavras, c) => palavras.reduce((soma, p) => soma + lugares[p][c], 0) / palavras.length;
  return grupos.slice(0, 3).map(({ nome, palavras }) => [nome, x(meio(palavras, 0)), y(meio(palavras, 1)), "X", 12]);
}

function nomesDasPalavras(plano, lugares, { palavras, frente }, papel, ocupados, outros = []) {
  const unicas = [...new Set([palavras[frente], ...palavras])];
  const no = (p) => [plano.x(lugares[p][0]), plano.y(lugares[p][1])];
  ocupados.push(...unicas.map((p) => [no(p)[0] - 8, no(p)[1] - 8, no(p)[0] + 8, no(p)[1] + 8]));
  const escritos = [...unicas.map((p) => [p, ...no(p), papel === "X" && p === palavras[frente] ? "Q" : papel, 14]), ...outros];
  return escritos.map(([nome, px, py, tinta, corpo], i) => {
    const daPalavra = i < unicas.length ? { class: "nome ponto", "data-palavra": nome } : { class: "nome" };
    const [tx, ty, ancora, caixa] = melhorLugar(nome, px, py, corpo, ocupados, plano);
    ocupados.push(caixa);
    return s("text", { ...daPalavra, x: tx, y: ty, "text-anchor": ancora, "font-size": corpo, style: { fill: cor(tinta, "texto") }, "aria-hidden": "true" }, nome);
  });
}

/** Quem procura, ligado a cada palavra por uma linha tão grossa quanto o peso, e a seta que sai. */
function noPlanoDasPalavras(plano, tabela, grupos, escolhas, { A, Y }) {
  const { palavras, frente } = escolhas, { x, y } = plano, [px, py] = tabela[palavras[frente]];
  const linhas = palavras.map((p, m) => s("line", { class: "ligacao", x1: x(px), y1: y(py), x2: x(tabela[p][0]), y2: y(tabela[p][1]),
    style: { stroke: cor("A"), "stroke-width": `${14 * A[m]}px` } }));
  const sai = seta({ tinta: cor("Y"), espessura: 4 });
  sai.por(x(px), y(py), x(Y[0]), y(Y[1]));
  const ocupados = [[x(Y[0]) - 10, y(Y[1]) - 10, x(Y[0]) + 10, y(Y[1]) + 10]];
  return [...grade(plano), ...linhas, ...pontosDasPalavras(plano, tabela, grupos, escolhas, "X", A.map(() => 0)), sai,
    ...nomesDasPalavras(plano, tabela, escolhas, "X", ocupados, nomesDosGrupos(plano, tabela, grupos))];
}

/** As chaves, a consulta e, na reta dela, a sombra de cada chave da frase; a da palavra `maior`, por inteiro. */
function noPlanoDasChaves(plano, todas, grupos, escolhas, conta, maior) {
  const { palavras, frente } = escolhas, { x, y, vista } = plano, { q, K, A } = conta;
  const tamanho = Math.hypot(...q), u = tamanho > 1e-6 ? q.map((c) => c / tamanho) : null;
  const pe = (m) => u.map((c) => c * sombra(conta, m));
  const traco = (classe, de, ate) => s("line", { class: classe, x1: x(de[0]), y1: y(de[1]), x2: x(ate[0]), y2: y(ate[1]) });
  const riscos = u && [
    traco("reta", ...[-4, 4].map((longe) => u.map((c) => longe * vista[2] * c))),
    ...K.map((k, m) => traco(`queda${m === maior ? " maior" : ""}`, k, pe(m))),
    traco("sombra", [0, 0], pe(maior)),
    ...K.map((_, m) => s("circle", { class: "pe", cx: x(pe(m)[0]), cy: y(pe(m)[1]), r: 3 })),
  ];
  const consulta = seta({ tinta: cor("Q"), espessura: 4 });
  consulta.por(x(0), y(0), x(q[0]), y(q[1]));
  const ponta = [x(q[0]), y(q[1])], ocupados = [[ponta[0] - 12, ponta[1] - 12, ponta[0] + 12, ponta[1] + 12]];
  const outros = [[texto("chaves.consulta", { quem: palavras[frente] }), ...ponta, "Q", 13]];
  if (u) outros.push([texto("chaves.sombra", { s: numero(sombra(conta, maior)) }), x(pe(maior)[0] / 2), y(pe(maior)[1] / 2), "K", 12]);
  outros.push(...nomesDosGrupos(plano, todas, grupos));
  return [...grade(plano), ...(riscos ?? []), consulta, ...pontosDasPalavras(plano, todas, grupos, escolhas, "K", A),
    ...nomesDasPalavras(plano, todas, escolhas, "K", ocupados, outros)];
}

/** As formas das palavras e, depois, o que se desenha no plano das chaves. */
function legendaDosGrupos(grupos) {
  const item = (nome, ...desenho) => h("li", {}, s("svg", { viewBox: "-8 -8 16 16", width: 16, height: 16, "aria-hidden": "true" }, desenho), h("span", {}, nome));
  const deLado = (classe) => s("line", { class: classe, x1: -8, x2: 8 });
  return h("div", {}, h("ul", { class: "grupos" }, grupos.map(({ nome, forma: qual }) => item(nome, s("path", { d: FORMAS[qual] })))),
    h("ul", { class: "grupos" }, item(texto("chaves.e_a_reta"), deLado("reta")), item(texto("chaves.e_a_sombra"), deLado("sombra")),
      item(texto("chaves.e_o_halo"), s("circle", { class: "halo", r: 8, style: { fill: cor("A") } }))));
}

function tabelasDasChaves({ tabela, componentes }, { palavras, frente, W_Q, W_K }, conta) {
  const { q, K, S, A, Y } = conta;
  const matriz = (nome, W) => ({ legenda: nome, colunas: ["", "1", "2"], linhas: W.map((linha, d) => [componentes[d], ...linha]) });
  return [
    { legenda: texto("chaves.tabela", { quem: palavras[frente], q: emPar(q), y: emPar(Y) }), colunas: TEXTOS.chaves.colunas,
      linhas: palavras.map((p, m) => [p, ...tabela[p].slice(0, 2), ...K[m], sombra(conta, m), S[m], A[m]]) },
    matriz("W_Q", W_Q), matriz("W_K", W_K),
  ];
}

const render = explorador({ nome: "chaves", conferir: conferirChaves, criar: criarChaves });
