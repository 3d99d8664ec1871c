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

/** Tudo o que se vê, a partir do que se escolheu. Não toca na tela. Em cada camada, o lugar novo de uma palavra vira o lugar dela. */
function contaDoPlano({ tabela, cabecas }, escolhas) {
  const X = escolhas.palavras.map((p) => escolhas.pontos[p] ?? tabela[p]); // (N, 2)
  const ligadas = escolhas.projecoes ? cabecas : [];
  const usadas = !ligadas.length ? [{ nome: "" }] : escolhas.cabeca < 0 ? ligadas : [ligadas[escolhas.cabeca]];
  return usadas.map((cabeca) => {
    const d_k = escolhas.dimensao ?? cabeca.W_Q?.[0].length ?? 2;
    const tamanho = escolhas.dimensao ? Math.sqrt(escolhas.dimensao / 2) : 1; // quanto as pontuações crescem com d_k
    const divisor = (escolhas.temperatura * (escolhas.escala ? Math.sqrt(d_k) : 1)) / tamanho;
    let conta = { X, ...atender(X, cabeca, divisor) };
    for (let c = 0; c < (escolhas.camadas ?? 0); c++) conta = { X: conta.Y, ...atender(conta.Y, cabeca, divisor) };
    return { nome: cabeca.nome, ...conta };
  });
}

const MAIS_CAMADAS = 12;
const RITMO = 380; // milissegundos que as setas levam para ir ao lugar novo

function criarPlano(casa) {
  const { dados } = casa;
  const comeco = {
    pontos: {},
    temperatura: dados.temperatura ?? 1,
    escala: Boolean(dados.escala),
    dimensao: dados.dimensoes?.[0] ?? null,
    projecoes: Boolean(dados.projecoes),
    cabeca: 0,
    camadas: 0,
  };
  const escolhas = { palavras: [], frente: 0, ...comeco };
  const moldura = h("div", { class: "moldura" });
  const barras = h("div", { class: "barras" });
  const dito = h("p", { class: "dito" });
  const fichas = fazerFichas(casa, escolhas, (frente) => por({ frente }), porPalavras);
  const desenho = fazerDesenho(casa, escolhas, moldura, { aoEscolher: (frente) => por({ frente }), aoMover: mover, aoPor: juntar });
  const controles = controlesDoPlano(casa, escolhas, por, lerTexto, voltar);
  const desafios = fazerDesafios(casa, escolhas, () => pintarLogo());
  let contas = [];
  let mostradas = []; // o que está desenhado: no meio de uma animação, ainda não é o que se calculou
  let aVista = false;
  let soltar = () => {};

  const atualizar = () => {
    if (!escolhas.palavras.length) return;
    contas = contaDoPlano(dados, escolhas);
    soltar();
    barras.replaceChildren(...barrasDe(escolhas, contas));
    controles.contar(escolhas);
    const frase = [resumoDoPlano(escolhas, contas), desafios.conferir(contas[0])].filter(Boolean).join(" ");
    dito.textContent = resumoDoPlano(escolhas, contas);
    casa.falar(frase);
    casa.mudou();
    const de = aVista ? aPartirDe(mostradas, contas, escolhas.palavras) : null;
    aVista = false;
    const agora = { ...escolhas }; // uma animação que ainda anda desenha o que se escolheu quando ela começou
    const mostrar = (feitas) => desenho.pintar(agora, (mostradas = feitas.map((c) => ({ ...c, palavras: agora.palavras }))), desafios.alvo());
    soltar = de ? animar(casa, RITMO, (parte) => mostrar(noMeio(de, contas, parte))) : (mostrar(contas), () => {});
  };
  const pintarLogo = umPorQuadro(atualizar);

  /** Muda o que se escolheu; com `animado`, as setas vão até o lugar novo à vista de quem olha. */
  function por(mudancas, animado = false) {
    Object.assign(escolhas, mudancas);
    if (escolhas.cabeca < 0) escolhas.camadas = 0; // com as cabeças todas juntas, não há um lugar novo só
    if ("frente" in mudancas) fichas.marcar();
    const { temperatura, escala, cabeca, projecoes, dimensao, camadas } = escolhas;
    casa.estado({ frase: escolhas.palavras.join(" "), frente: escolhas.palavras[escolhas.frente] ?? null, pontos: escolhas.pontos,
      temperatura, escala, dimensao, projecoes, cabeca, camadas, desafios: desafios.feitos() });
    aVista ||= animado;
    pintarLogo();
  }

  /** Só na camada 0 as palavras se arrastam: nas outras, elas estão onde a atenção as pôs. */
  function mover(palavra, ponto) {
    if (escolhas.camadas) return por({ camadas: 0 }, true);
    por({ pontos: { ...escolhas.pontos, [palavra]: ponto } });
  }

  /** As palavras novas da frase, e quem fica na frente. */
  function porPalavras(palavras, frente, falado = "") {
    controles.escrever(palavras.join(" "));
    trocar(palavras, frente);
    if (falado) casa.falar(falado);
  }

  function trocar(palavras, frente) {
    escolhas.palavras = palavras;
    fichas.montar(frente);
    por({ frente }, true);
  }

  function juntar(palavra) {
    if (escolhas.palavras.length >= MAXIMO_DE_PALAVRAS) return controles.avisar(texto("palavras.frase_longa", { n: MAXIMO_DE_PALAVRAS }));
    const doDestaque = palavra === dados.destaque ? escolhas.palavras.length : escolhas.frente;
    porPalavras([...escolhas.palavras, palavra], doDestaque, texto("plano.entrou", { palavra }));
  }

  /** Enquanto a frase não serve, fica o desenho da última que serviu. */
  function lerTexto(frase) {
    const { palavras: lidas, problema } = lerFrase(frase, dados.tabela);
    controles.avisar(problema, problema ? completam(frase, dados.tabela) : []);
    if (problema || lidas.join(" ") === escolhas.palavras.join(" ")) return;
    const frente = lidas.lastIndexOf(dados.destaque);
    trocar(lidas, frente < 0 ? lidas.length - 1 : frente);
  }

  function voltar() {
    Object.assign(escolhas, comeco);
    controles.repor(comeco);
    escolhas.palavras = [];
    lerTexto(dados.frases[0]);
  }

  const vaiECamada = (n) => () => por({ camadas: limitar(escolhas.camadas + n, 0, MAIS_CAMADAS) }, true);
  casa.corpo.append(h("div", { class: "duas" }, h("div", {}, fichas.no, moldura, dito),
    h("div", { class: "lado" }, controles.no, desafios.no, barras)));
  casa.tabela(() => tabelasDoPlano(escolhas, contas));
  casa.atalho("0", voltar);
  casa.atalho("c", vaiECamada(1));
  casa.atalho("v", vaiECamada(-1));
  lerTexto(dados.frases[0]);
  contas = contaDoPlano(dados, escolhas);
  aVista = false; // abre já no lugar
  const parar = aoRedimensionar(moldura, (largura) => {
    desenho.medir(largura);
    aVista = false;
    atualizar();
  });
  return () => {
    parar();
    soltar();
  };
}

/** De onde as setas partem: cada palavra que já estava à vista, de onde estava; uma nova, do lugar dela, sem seta. */
function aPartirDe(mostradas, contas, palavras) {
  if (mostradas.length !== contas.length) return null;
  return contas.map(({ X }, c) => {
    const { palavras: velhas, X: deX, Y: deY } = mostradas[c];
    const onde = palavras.map((p, n) => (velhas[n] === p ? n : velhas.indexOf(p)));
    return { X: X.map((x, n) => deX[onde[n]] ?? x), Y: X.map((x, n) => deY[onde[n]] ?? x) };
  });
}

function noMeio(de, contas, parte) {
  const entre = (a, b) => a.map((linha, n) => linha.map((x, i) => x + parte * (b[n][i] - x)));
  return contas.map((conta, c) => ({ ...conta, X: entre(de[c].X, conta.X), Y: entre(de[c].Y, conta.Y) }));
}

// ------------------------------------------------------------ os controles

function controlesDoPlano(casa, escolhas, por, lerTexto, voltar) {
  const { dados } = casa;
  const cabecas = dados.cabecas ?? [];
  const aviso = h("p", { class: "aviso", role: "status" });
  const sugestoes = h("div", { class: "sugestoes", role: "group", "aria-label": texto("palavras.completar") });
  const escrita = campo({ rotulo: texto("palavras.escreva"), valor: dados.frases[0], aoMudar: lerTexto });
  const escrever = (frase) => {
    escrita.por(frase);
    avisar("");
  };
  const trocarFrase = (frase) => {
    escrever(frase);
    lerTexto(frase);
  };
  /** O que falta na frase; se a última palavra ainda se escreve, as que a completam. */
  function avisar(problema, completas = []) {
    aviso.textContent = completas.length ? "" : problema ?? "";
    escrita.entrada.setAttribute("aria-invalid", String(Boolean(problema) && !completas.length));
    sugestoes.replaceChildren(...completas.map((p, i) => botao(p, () => completar(p), { tecla: i ? "" : "Enter" })));
    if (completas.length) casa.falar(texto("palavras.sugere", { palavras: enumerar(completas) }));
    else if (problema) casa.falar(problema);
  }
  function completar(palavra) {
    trocarFrase(escrita.entrada.value.replace(/\S*$/, palavra));
    escrita.entrada.focus();
  }
  escrita.entrada.addEventListener("keydown", (evento) => {
    if (evento.key !== "Enter" || !sugestoes.firstChild) return;
    evento.preventDefault();
    sugestoes.firstChild.click();
  });

  const lista = dados.frases.length > 1 && escolha({ rotulo: texto("palavras.frase"), opcoes: dados.frases, aoMudar: trocarFrase });
  const quantas = h("output", {});
  const camada = (n) => () => por({ camadas: limitar(escolhas.camadas + n, 0, MAIS_CAMADAS) }, true);
  const [menos, mais] = [botao(texto("plano.camada_menos"), camada(-1), { tecla: "V" }), botao(texto("plano.camada_mais"), camada(1), { tecla: "C" })];
  // de cada escolha, o controle dela e o que ele mostra para um valor
  const deEscolhas = {
    temperatura: dados.temperatura !== null && [deslizanteDaTemperatura(escolhas.temperatura, (temperatura) => por({ temperatura })), Math.log2],
    dimensao: dados.dimensoes?.length > 1 && [deslizante({
      rotulo: texto("plano.dimensao"), minimo: 0, maximo: dados.dimensoes.length - 1, passo: 1, valor: 0,
      mostrar: (i) => String(dados.dimensoes[i]), aoMudar: (i) => por({ dimensao: dados.dimensoes[i] }),
    }), (d) => dados.dimensoes.indexOf(d)],
    escala: dados.com_escala && [interruptor({ rotulo: texto("plano.escala"), valor: escolhas.escala, aoMudar: (escala) => por({ escala }) })],
    projecoes: cabecas.length > 0 && [interruptor({
      rotulo: texto("plano.projecoes"), valor: escolhas.projecoes, aoMudar: (projecoes) => por({ projecoes }, true),
    })],
    cabeca: cabecas.length > 1 && [escolha({
      rotulo: texto("plano.cabeca"), valor: 0, aoMudar: (cabeca) => por({ cabeca }, true),
      opcoes: [...cabecas.map(({ nome }, i) => [i, nome]), [-1, texto("plano.todas")]],
    })],
  };
  const no = h("div", { class: "controles" }, lista, h("div", {}, escrita, h("div", { class: "ajuda-da-frase" }, aviso, sugestoes)),
    Object.values(deEscolhas).map((par) => par && par[0]),
    h("div", { class: "camadas" }, h("span", {}, texto("plano.camada"), " ", quantas), menos, mais),
    botao(texto("plano.voltar"), voltar, { class: "discreto", tecla: "0" }));
  return {
    no, escrever, avisar,
    contar({ camadas, cabeca }) {
      quantas.textContent = String(camadas);
      menos.disabled = camadas === 0;
      mais.disabled = camadas === MAIS_CAMADAS || cabeca < 0;
    },
    repor(comeco) {
      if (lista) lista.por(dados.frases[0]);
      escrever(dados.frases[0]);
      for (const [nome, par] of Object.entries(deEscolhas)) if (par) par[0].por((par[1] ?? ((x) => x))(comeco[nome]));
    },
  };
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

function fazerDesenho(casa, escolhas, moldura, { aoEscolher, aoMover, aoPor }) {
  const { dados } = casa;
  const [x0, x1, y0, y1] = limitesDoPlano(dados);
  const svg = s("svg", { role: "group", "aria-label": texto("plano.plano") });
  const camadas = Object.fromEntries(["fundo", "ligacoes", "setas", "pontos", "rotulos"].map((n) => [n, s("g", { class: n })]));
  svg.append(...Object.values(camadas));
  moldura.append(svg);
  // uma unidade tem o mesmo tamanho nos dois eixos; o que sobra de um lado mostra mais do plano
  const escala = { largura: 600, altura: 500, unidade: 200 };
  const [meioX, meioY] = [(x0 + x1) / 2, (y0 + y1) / 2];
  escala.x = (x) => escala.largura / 2 + (x - meioX) * escala.unidade;
  escala.y = (y) => escala.altura / 2 - (y - meioY) * escala.unidade;
  escala.caber = ([x, y]) => {
    const [metadeX, metadeY] = [escala.largura / 2 / escala.unidade, escala.altura / 2 / escala.unidade];
    return [arredondar(limitar(x, meioX - metadeX, meioX + metadeX)), arredondar(limitar(y, meioY - metadeY, meioY + metadeY))];
  };
  escala.deVolta = (px, py) => escala.caber([meioX + (px - escala.largura / 2) / escala.unidade, meioY - (py - escala.altura / 2) / escala.unidade]);
  arrastar(svg, escala, escolhas, dados.tabela, { aoEscolher, aoMover, aoPor });
  teclasDoPonto(svg, escolhas, dados, escala, aoMover);
  return {
    medir(largura) {
      escala.largura = largura;
      const cabem = document.fullscreenElement ? 0.68 * innerHeight : limitar(0.62 * innerHeight, 300, 620);
      escala.altura = Math.round(limitar((largura * (y1 - y0)) / (x1 - x0), 260, cabem));
      escala.unidade = Math.min(largura / (x1 - x0), escala.altura / (y1 - y0));
      mudar(svg, { viewBox: `0 0 ${largura} ${escala.altura}`, width: largura, height: escala.altura });
    },
    pintar(escolhas, contas, alvo) {
      const comFoco = svg.getRootNode().activeElement?.classList?.contains("ponto");
      camadas.fundo.replaceChildren(...fundoDoPlano(dados, escolhas, escala, alvo));
      camadas.ligacoes.replaceChildren(...ligacoesDe(escolhas, contas[0], escala));
      camadas.setas.replaceChildren(...setasDe(escolhas, contas, escala));
      camadas.pontos.replaceChildren(...pontosDe(dados, escolhas, contas[0].X, escala));
      camadas.rotulos.replaceChildren(...rotulosDe(dados, escolhas, contas, escala));
      if (comFoco) camadas.pontos.querySelector("[tabindex]")?.focus();
    },
  };
}

function fundoDoPlano({ tabela, grupos = [] }, { palavras, pontos }, escala, alvo) {
  const [ox, oy] = [escala.x(0), escala.y(0)];
  const eixos = [
    s("line", { class: "eixo", x1: 0, x2: escala.largura, y1: oy, y2: oy }),
    s("line", { class: "eixo", x1: ox, x2: ox, y1: 0, y2: escala.altura }),
  ];
  const fora = Object.keys(tabela).filter((p) => !palavras.includes(p));
  const apagados = fora.map((p) => {
    const [x, y] = pontos[p] ?? tabela[p];
    return s("g", { class: "fora", "data-palavra": p }, s("title", {}, texto("plano.por", { palavra: p })), s("circle", { class: "alvo", cx: escala.x(x), cy: escala.y(y), r: 13 }),
      s("circle", { class: "apagado", cx: escala.x(x), cy: escala.y(y), r: 3.5, style: { fill: cor(corDa(p, grupos)) } }));
  });
  const mira = alvo && s("circle", { class: "mira", cx: escala.x(alvo.ponto[0]), cy: escala.y(alvo.ponto[1]), r: alvo.raio * escala.unidade });
  return [...eixos, mira, ...apagados].filter(Boolean);
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
    return s("g", { class: `ponto${eDaFrente ? " frente" : ""}`, "data-n": n, "data-palavra": palavra, ...atributos,
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
  const escrever = (palavra, x, y, classe, corpo, tinta, soSeCabe = false) => {
    const [dx, dy, ancora, caixa, cobre] = melhorLugar(palavra, x, y, corpo, ocupados, escala);
    if (soSeCabe && cobre > 0) return;
    ocupados.push(caixa);
    feitos.push(s("text", { class: classe, x: dx, y: dy, "text-anchor": ancora, "font-size": corpo, style: tinta ? { fill: tinta } : {},
      "aria-hidden": "true", "data-palavra": palavra }, palavra));
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
  const larga = escala.largura >= 480;
  for (const [palavra, ponto] of Object.entries(tabela)) {
    const [x, y] = pontos[palavra] ?? ponto;
    if (!palavras.includes(palavra)) escrever(palavra, escala.x(x), escala.y(y), "apagado fora", larga ? 11.5 : 10.5, cor(corDa(palavra, grupos), "texto"), !larga);
  }
  return feitos;
}

// ------------------------------------------------------------ mexer

/** Pega-se uma palavra pelo ponto ou pelo nome. Uma de fora entra na frase com um clique, ou assim que é arrastada. */
function arrastar(svg, escala, escolhas, tabela, { aoEscolher, aoMover, aoPor }) {
  let pego = null;
  const segurar = (evento) => evento.target.closest(".ponto, .nome") && evento.preventDefault();
  svg.addEventListener("touchstart", segurar, { passive: false }); // o dedo move o ponto; fora dele, rola a página
  svg.addEventListener("click", (evento) => {
    const { palavra } = evento.target.closest(".fora")?.dataset ?? {};
    if (palavra) aoPor(palavra);
  });
  svg.addEventListener("pointerdown", (evento) => {
    const { palavra, n } = evento.target.closest("[data-palavra]")?.dataset ?? {};
    const { palavras, frente, pontos } = escolhas, { clientX, clientY, pointerId, pointerType } = evento;
    const qual = Number(n ?? (palavra === palavras[frente] ? frente : palavras.lastIndexOf(palavra)));
    if (!palavra || evento.button || (qual < 0 && (pointerType === "touch" || !tabela[palavra]))) return;
    const [x, y] = pontos[palavra] ?? tabela[palavra];
    pego = { palavra, fora: qual < 0, de: [clientX, clientY], folga: [clientX - escala.x(x), clientY - escala.y(y)] };
    evento.preventDefault();
    if (pego.fora) return;
    svg.setPointerCapture(pointerId);
    aoEscolher(qual);
  });
  svg.addEventListener("pointermove", ({ clientX, clientY, pointerId }) => {
    if (!pego) return;
    if (escolhas.camadas && !pego.fora) {
      aoMover();
      pego = null;
      return;
    }
    const andou = Math.hypot(clientX - pego.de[0], clientY - pego.de[1]);
    if (pego.fora) {
      if (andou < 6) return;
      svg.setPointerCapture(pointerId);
      aoPor(pego.palavra);
      pego.fora = !escolhas.palavras.includes(pego.palavra);
    }
    if (andou && !pego.fora) aoMover(pego.palavra, escala.deVolta(clientX - pego.folga[0], clientY - pego.folga[1]));
  });
  for (const fim of ["pointerup", "pointercancel"]) {
    svg.addEventListener(fim, () => {
      if (pego && !pego.fora) requestAnimationFrame(() => requestAnimationFrame(() => svg.querySelector(".ponto.frente")?.focus()));
      pego = null;
    });
  }
}

function teclasDoPonto(svg, escolhas, { tabela }, escala, aoMover) {
  svg.addEventListener("keydown", (evento) => {
    const direcao = DIRECOES[evento.key];
    if (!direcao || !evento.target.closest(".ponto")) return;
    evento.preventDefault();
    evento.stopPropagation();
    const palavra = escolhas.palavras[escolhas.frente];
    const [x, y] = escolhas.pontos[palavra] ?? tabela[palavra];
    const passo = evento.shiftKey ? 0.25 : 0.05;
    aoMover(palavra, escala.caber([x + passo * direcao[0], y + passo * direcao[1]]));
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

const JUNTAS = 0.05; // a distância, entre as duas mais longes, em que as palavras parecem uma só

function resumoDoPlano({ palavras, frente, camadas }, contas) {
  if (camadas) {
    const { Y } = contas[0];
    const longe = Math.max(...Y.map((a) => Math.max(...Y.map((b) => Math.hypot(a[0] - b[0], a[1] - b[1])))));
    const trocas = { quantas: texto(camadas > 1 ? "plano.camadas" : "plano.uma_camada", { n: camadas }), palavra: palavras[frente], x: numero(Y[frente][0]), y: numero(Y[frente][1]), longe: numero(longe) };
    return texto(longe < JUNTAS && palavras.length > 1 ? "plano.juntas" : "plano.depois", trocas);
  }
  return contas.map(({ nome, X, A, Y }) => {
    const pesos = A[frente];
    const outras = palavras.map((_, m) => m).filter((m) => palavras[m] !== palavras[frente]);
    const maior = outras.length ? outras.reduce((a, b) => (pesos[b] > pesos[a] ? b : a)) : frente;
    const trocas = { palavra: palavras[frente], alvo: palavras[maior], peso: numero(pesos[maior]), cabeca: nome,
      x: numero(X[frente][0]), y: numero(X[frente][1]), x2: numero(Y[frente][0]), y2: numero(Y[frente][1]) };
    return (nome && `${nome}: `) + texto(outras.length ? "plano.olha" : "plano.so_uma", trocas);
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
