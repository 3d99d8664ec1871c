// O plano da frase: cada palavra é um ponto, e uma seta diz para onde ela vai quando olha para as outras.

function conferirPlano({ frases, tabela, cabecas = [] }) {
  if (!Array.isArray(frases) || !frases.length) return texto("plano.sem_frase");
  const palavras = Object.entries(tabela ?? {});
  if (!palavras.length) return texto("plano.sem_tabela");
  const torta = palavras.find(([, ponto]) => ponto?.length !== 2 || !ponto.every(Number.isFinite));
  if (torta) return texto("plano.ponto_torto", { palavra: torta[0] });
  for (const { nome, W_Q, W_K, W_V } of cabecas) {
    const [q, k, v] = [W_Q, W_K, W_V].map(forma);
    const certas = q && k && v && q[0] === 2 && k[0] === 2 && q[1] === k[1] && v[0] === 2 && v[1] === 2;
    if (!certas) return texto("plano.cabeca_torta", { nome });
  }
  return null;
}

/** Tudo o que se vê, a partir do que se escolheu. Não toca na tela. */
function contaDoPlano({ tabela, cabecas }, escolhas) {
  const X = escolhas.palavras.map((p) => escolhas.pontos[p] ?? tabela[p]); // (N, 2)
  const ligadas = escolhas.projecoes ? cabecas : [];
  const usadas = !ligadas.length ? [{ nome: "" }] : escolhas.cabeca < 0 ? ligadas : [ligadas[escolhas.cabeca]];
  return usadas.map((cabeca) => {
    const d_k = escolhas.dimensao ?? cabeca.W_Q?.[0].length ?? 2;
    const tamanho = escolhas.dimensao ? Math.sqrt(escolhas.dimensao / 2) : 1; // quanto as pontuações crescem com d_k
    const divisor = (escolhas.temperatura * (escolhas.escala ? Math.sqrt(d_k) : 1)) / tamanho;
    return { nome: cabeca.nome, X, ...atender(X, cabeca, divisor) };
  });
}

function criarPlano(casa) {
  const { dados } = casa;
  const escolhas = {
    palavras: [],
    frente: 0,
    pontos: {},
    temperatura: dados.temperatura ?? 1,
    escala: Boolean(dados.escala),
    dimensao: dados.dimensoes?.[0] ?? null,
    projecoes: Boolean(dados.projecoes),
    cabeca: 0,
  };
  const moldura = h("div", { class: "moldura" });
  const palavras = h("div", { class: "palavras", role: "radiogroup", "aria-label": texto("plano.quem_olha") });
  const barras = h("div", { class: "barras" });
  const dito = h("p", { class: "dito" });
  const desenho = fazerDesenho(casa, escolhas, moldura, (quem) => por({ frente: quem }), mover);
  let contas = [];

  const atualizar = () => {
    if (!escolhas.palavras.length) return;
    contas = contaDoPlano(dados, escolhas);
    desenho.pintar(contas);
    barras.replaceChildren(...barrasDe(escolhas, contas));
    const frase = resumoDoPlano(escolhas, contas);
    dito.textContent = frase;
    casa.falar(frase);
    casa.mudou();
  };
  const pintarLogo = umPorQuadro(atualizar);

  function por(mudancas) {
    Object.assign(escolhas, mudancas);
    if ("frente" in mudancas) marcarPalavra(palavras, escolhas.frente);
    const { temperatura, escala, cabeca, projecoes, dimensao } = escolhas;
    casa.estado({ frase: escolhas.palavras.join(" "), frente: escolhas.palavras[escolhas.frente] ?? null, pontos: escolhas.pontos,
      temperatura, escala, dimensao, projecoes, cabeca });
    pintarLogo();
  }

  function mover(palavra, ponto) {
    por({ pontos: { ...escolhas.pontos, [palavra]: ponto } });
  }

  function lerTexto(frase) {
    const { palavras: lidas = [], problema } = lerFrase(frase, dados.tabela);
    moldura.classList.toggle("vazia", Boolean(problema));
    aviso.hidden = !problema;
    aviso.textContent = problema ?? "";
    if (problema) {
      escolhas.palavras = [];
      palavras.replaceChildren();
      barras.replaceChildren();
      dito.textContent = "";
      casa.falar(problema);
      return;
    }
    escolhas.palavras = lidas;
    const frente = lidas.lastIndexOf(dados.destaque);
    trocarPalavras(palavras, lidas, (i) => por({ frente: i }));
    por({ frente: frente < 0 ? lidas.length - 1 : frente });
  }

  const aviso = recado("");
  const controles = controlesDoPlano(casa, escolhas, por, lerTexto, () => por({ pontos: {} }));
  moldura.append(aviso);
  const lado = h("div", { class: "lado" }, controles, barras);
  casa.corpo.append(h("div", { class: "duas" }, h("div", {}, palavras, moldura, dito), lado));
  casa.tabela(() => (escolhas.palavras.length ? tabelasDoPlano(escolhas, contas) : []));
  casa.atalho("0", () => por({ pontos: {} }));
  lerTexto(dados.frases[0]);
  contas = contaDoPlano(dados, { ...escolhas, palavras: escolhas.palavras });
  return aoRedimensionar(moldura, (largura) => {
    desenho.medir(largura);
    atualizar();
  });
}

// ------------------------------------------------------------ os controles

function controlesDoPlano(casa, escolhas, por, lerTexto, voltar) {
  const { dados } = casa;
  const cabecas = dados.cabecas ?? [];
  const escrita = campo({ rotulo: texto("palavras.escreva"), valor: dados.frases[0], aoMudar: lerTexto });
  const trocarFrase = (frase) => {
    escrita.por(frase);
    lerTexto(frase);
  };
  const itens = [
    dados.frases.length > 1 && escolha({ rotulo: texto("palavras.frase"), opcoes: dados.frases, aoMudar: trocarFrase }),
    escrita,
    dados.temperatura !== null && deslizanteDaTemperatura(escolhas.temperatura, (temperatura) => por({ temperatura })),
    dados.dimensoes?.length > 1 && deslizante({
      rotulo: texto("plano.dimensao"), minimo: 0, maximo: dados.dimensoes.length - 1, passo: 1, valor: 0,
      mostrar: (i) => String(dados.dimensoes[i]), aoMudar: (i) => por({ dimensao: dados.dimensoes[i] }),
    }),
    dados.com_escala && interruptor({ rotulo: texto("plano.escala"), valor: escolhas.escala, aoMudar: (escala) => por({ escala }) }),
    cabecas.length > 0 && interruptor({
      rotulo: texto("plano.projecoes"), valor: escolhas.projecoes, aoMudar: (projecoes) => por({ projecoes }),
    }),
    cabecas.length > 1 && escolha({
      rotulo: texto("plano.cabeca"), valor: 0, aoMudar: (cabeca) => por({ cabeca }),
      opcoes: [...cabecas.map(({ nome }, i) => [i, nome]), [-1, texto("plano.todas")]],
    }),
    botao(texto("plano.voltar"), voltar, { class: "discreto", tecla: "0" }),
  ];
  return h("div", { class: "controles" }, itens);
}

/** O controle anda em potências: metade e dobro ficam à mesma distância de 1. */
function deslizanteDaTemperatura(valor, aoMudar) {
  return deslizante({
    rotulo: texto("plano.temperatura"), minimo: -4, maximo: 4, passo: 0.1, valor: Math.log2(valor),
    mostrar: (x) => numero(2 ** x), aoMudar: (x) => aoMudar(2 ** x),
  });
}

// ------------------------------------------------------------ o desenho

function limitesDoPlano({ tabela, limites }) {
  if (limites) return limites;
  const todos = Object.values(tabela);
  const folga = (eixo) => {
    const [menor, maior] = [Math.min(0, ...todos.map((p) => p[eixo])), Math.max(0, ...todos.map((p) => p[eixo]))];
    const margem = Math.max(0.12 * (maior - menor), 0.1);
    return [menor - margem, maior + margem];
  };
  return [...folga(0), ...folga(1)];
}

function fazerDesenho(casa, escolhas, moldura, aoEscolher, aoMover) {
  const { dados } = casa;
  const [x0, x1, y0, y1] = limitesDoPlano(dados);
  const svg = s("svg", { role: "group", "aria-label": texto("plano.plano") });
  const camadas = Object.fromEntries(["fundo", "ligacoes", "setas", "pontos", "rotulos"].map((n) => [n, s("g", { class: n })]));
  svg.append(...Object.values(camadas));
  moldura.append(svg);
  const escala = { largura: 600, altura: 500, lugares: new Map() };
  escala.x = (x) => ((x - x0) / (x1 - x0)) * escala.largura;
  escala.y = (y) => ((y1 - y) / (y1 - y0)) * escala.altura;
  escala.deVolta = (px, py) => [
    arredondar(limitar(x0 + (px / escala.largura) * (x1 - x0), x0, x1)),
    arredondar(limitar(y1 - (py / escala.altura) * (y1 - y0), y0, y1)),
  ];
  arrastar(svg, escala, escolhas, aoEscolher, aoMover);
  teclasDoPonto(svg, escolhas, dados, [x0, x1, y0, y1], aoMover);
  return {
    medir(largura) {
      escala.largura = largura;
      escala.altura = Math.round(limitar((largura * (y1 - y0)) / (x1 - x0), 260, 620));
      mudar(svg, { viewBox: `0 0 ${largura} ${escala.altura}`, width: largura, height: escala.altura });
    },
    pintar(contas) {
      const comFoco = svg.getRootNode().activeElement?.classList?.contains("ponto");
      camadas.fundo.replaceChildren(...fundoDoPlano(dados, escolhas, escala));
      camadas.ligacoes.replaceChildren(...ligacoesDe(escolhas, contas[0], escala));
      camadas.setas.replaceChildren(...setasDe(escolhas, contas, escala));
      camadas.pontos.replaceChildren(...pontosDe(dados, escolhas, contas[0].X, escala));
      camadas.rotulos.replaceChildren(...rotulosDe(dados, escolhas, contas, escala));
      if (comFoco) camadas.pontos.querySelector("[tabindex]")?.focus();
    },
  };
}

function fundoDoPlano({ tabela, grupos = [] }, { palavras, pontos }, escala) {
  const [ox, oy] = [escala.x(0), escala.y(0)];
  const eixos = [
    s("line", { class: "eixo", x1: 0, x2: escala.largura, y1: oy, y2: oy }),
    s("line", { class: "eixo", x1: ox, x2: ox, y1: 0, y2: escala.altura }),
  ];
  const fora = Object.keys(tabela).filter((p) => !palavras.includes(p));
  const apagados = fora.map((p) => {
    const [x, y] = pontos[p] ?? tabela[p];
    return s("circle", { class: "apagado", cx: escala.x(x), cy: escala.y(y), r: 3, style: { fill: cor(corDa(p, grupos)) } });
  });
  return [...eixos, ...apagados];
}

function corDa(palavra, grupos) {
  return grupos.find((g) => g.palavras.includes(palavra))?.cor ?? "cinza";
}

/** De quem está na frente a cada palavra, uma linha tão grossa quanto o peso. */
function ligacoesDe({ palavras, frente }, { X, A }, escala) {
  const [xf, yf] = X[frente];
  return palavras.map((_, m) =>
    s("line", {
      x1: escala.x(xf), y1: escala.y(yf), x2: escala.x(X[m][0]), y2: escala.y(X[m][1]),
      style: { stroke: cor("A"), "stroke-width": `${14 * A[frente][m]}px` },
    })
  );
}

function setasDe({ palavras, frente }, contas, escala) {
  const de = (conta, n, tinta, espessura, classe) => {
    const nova = seta({ tinta, espessura, classe });
    nova.por(escala.x(conta.X[n][0]), escala.y(conta.X[n][1]), escala.x(conta.Y[n][0]), escala.y(conta.Y[n][1]));
    return nova;
  };
  const outras = palavras.map((_, n) => (n === frente ? null : de(contas[0], n, "var(--texto-2)", 1.3, "outra"))).filter(Boolean);
  const daFrente = contas.map((conta, c) => de(conta, frente, cor(CORES_DAS_CABECAS[c % 4]), 3.5, "frente"));
  return [...outras, ...daFrente];
}

const CORES_DAS_CABECAS = ["destaque", "azul", "verde", "rosa"];

function pontosDe({ grupos = [] }, { palavras, frente }, X, escala) {
  const vistas = new Set();
  return palavras.map((palavra, n) => {
    if (vistas.has(palavra) && n !== frente) return null;
    vistas.add(palavra);
    const eDaFrente = n === frente;
    const [x, y] = X[n];
    const nome = { palavra, x: numero(x), y: numero(y) };
    const atributos = eDaFrente
      ? { tabindex: "0", role: "button", "aria-roledescription": texto("plano.ponto"), "aria-label": texto("plano.ponto_em", nome) }
      : { "aria-hidden": "true" };
    return s("g", { class: `ponto${eDaFrente ? " frente" : ""}`, "data-n": n, ...atributos,
        transform: `translate(${escala.x(x)} ${escala.y(y)})` },
      s("circle", { class: "alvo", r: 18 }),
      s("circle", { class: "bola", r: eDaFrente ? 8 : 6, style: { fill: eDaFrente ? cor("destaque") : cor(corDa(palavra, grupos)) } })
    );
  }).filter(Boolean);
}

/** Os nomes, cada um no lugar em volta do ponto em que menos cobre os outros. */
function rotulosDe({ tabela, grupos = [] }, { palavras, frente, pontos }, contas, escala) {
  const [{ X }] = contas;
  const cheios = palavras.map((_, n) => [escala.x(X[n][0]), escala.y(X[n][1])]);
  const ocupados = cheios.map(([x, y]) => [x - 8, y - 8, x + 8, y + 8]);
  const pontas = [...contas.map(({ Y }) => Y[frente]), ...contas[0].Y].map(([x, y]) => [escala.x(x), escala.y(y)]);
  ocupados.push(...pontas.map(([x, y]) => [x - 9, y - 9, x + 9, y + 9]));
  const feitos = [];
  const escrever = (palavra, x, y, classe, corpo, tinta) => {
    const [dx, dy, ancora, caixa] = melhorLugar(palavra, x, y, corpo, ocupados, escala);
    ocupados.push(caixa);
    feitos.push(s("text", { class: classe, x: dx, y: dy, "text-anchor": ancora, "font-size": corpo, style: tinta ? { fill: tinta } : {},
      "aria-hidden": "true" }, palavra));
  };
  const ordem = palavras.map((_, n) => n).sort((a, b) => (b === frente) - (a === frente));
  const escritas = new Set();
  for (const n of ordem) {
    if (escritas.has(palavras[n])) continue;
    escritas.add(palavras[n]);
    const daFrente = n === frente;
    escrever(palavras[n], ...cheios[n], daFrente ? "nome frente" : "nome", daFrente ? 17 : 15, daFrente ? cor("destaque", "texto") : null);
  }
  if (contas.length > 1) {
    contas.forEach(({ nome, Y }, c) =>
      escrever(nome, escala.x(Y[frente][0]), escala.y(Y[frente][1]), "nome", 13, cor(CORES_DAS_CABECAS[c % 4], "texto")));
  }
  if (escala.largura >= 480) {
    for (const [palavra, ponto] of Object.entries(tabela)) {
      const [x, y] = pontos[palavra] ?? ponto;
      if (!palavras.includes(palavra)) escrever(palavra, escala.x(x), escala.y(y), "apagado", 11.5, cor(corDa(palavra, grupos), "texto"));
    }
  }
  return feitos;
}

// ------------------------------------------------------------ mexer

function arrastar(svg, escala, escolhas, aoEscolher, aoMover) {
  let pego = null;
  const segurar = (evento) => evento.target.closest(".ponto") && evento.preventDefault();
  svg.addEventListener("touchstart", segurar, { passive: false }); // o dedo move o ponto; fora dele, rola a página
  svg.addEventListener("pointerdown", (evento) => {
    const no = evento.target.closest(".ponto");
    if (!no) return;
    pego = Number(no.dataset.n);
    svg.setPointerCapture(evento.pointerId);
    evento.preventDefault();
    aoEscolher(pego);
  });
  svg.addEventListener("pointermove", (evento) => {
    if (pego === null) return;
    const caixa = svg.getBoundingClientRect();
    aoMover(escolhas.palavras[pego], escala.deVolta(evento.clientX - caixa.left, evento.clientY - caixa.top));
  });
  for (const fim of ["pointerup", "pointercancel"]) {
    svg.addEventListener(fim, () => {
      if (pego !== null) requestAnimationFrame(() => requestAnimationFrame(() => svg.querySelector(".ponto.frente")?.focus()));
      pego = null;
    });
  }
}

function teclasDoPonto(svg, escolhas, { tabela }, [x0, x1, y0, y1], aoMover) {
  svg.addEventListener("keydown", (evento) => {
    const direcao = DIRECOES[evento.key];
    if (!direcao || !evento.target.closest(".ponto")) return;
    evento.preventDefault();
    evento.stopPropagation();
    const palavra = escolhas.palavras[escolhas.frente];
    const [x, y] = escolhas.pontos[palavra] ?? tabela[palavra];
    const passo = evento.shiftKey ? 0.25 : 0.05;
    aoMover(palavra, [
      arredondar(limitar(x + passo * direcao[0], x0, x1)),
      arredondar(limitar(y + passo * direcao[1], y0, y1)),
    ]);
  });
}

// ------------------------------------------------------------ os números

function barrasDe({ palavras, frente }, contas) {
  return contas.map(({ nome, A }) => {
    const titulo = texto(nome ? "plano.pesos_da_cabeca" : "plano.pesos", { palavra: palavras[frente], cabeca: nome });
    const linhas = palavras.map((palavra, m) =>
      h("li", {}, h("span", { class: "quem" }, palavra), h("span", { class: "trilho", "aria-hidden": "true" },
        h("span", { class: "barra-cheia", style: { width: `${100 * A[frente][m]}%` } })), h("span", { class: "quanto" }, numero(A[frente][m]))));
    return h("div", {}, h("h3", {}, titulo), h("ul", {}, linhas));
  });
}

function resumoDoPlano({ palavras, frente }, contas) {
  return contas.map(({ nome, X, A, Y }) => {
    const pesos = A[frente];
    const outras = palavras.map((_, m) => m).filter((m) => palavras[m] !== palavras[frente]);
    const maior = outras.length ? outras.reduce((a, b) => (pesos[b] > pesos[a] ? b : a)) : frente;
    const trocas = { palavra: palavras[frente], alvo: palavras[maior], peso: numero(pesos[maior]), cabeca: nome,
      x: numero(X[frente][0]), y: numero(X[frente][1]), x2: numero(Y[frente][0]), y2: numero(Y[frente][1]) };
    return `${nome ? `${nome}: ` : ""}${texto(outras.length ? "plano.olha" : "plano.so_uma", trocas)}`;
  }).join(" ");
}

function tabelasDoPlano({ palavras }, contas) {
  return contas.flatMap(({ nome, X, A, Y }) => {
    const de = nome ? ` (${nome})` : "";
    return [
      { legenda: texto("plano.tabela_pesos") + de, colunas: ["", ...palavras], linhas: A.map((linha, n) => [palavras[n], ...linha]) },
      { legenda: texto("plano.tabela_lugares") + de, colunas: TEXTOS.plano.colunas_lugares,
        linhas: X.map((x, n) => [palavras[n], ...x, ...Y[n]]) },
    ];
  });
}

const render = explorador({ nome: "plano", conferir: conferirPlano, criar: criarPlano });
