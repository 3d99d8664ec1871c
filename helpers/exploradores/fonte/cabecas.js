// As cabeças: os mapas de atenção de todas as camadas e cabeças, e um deles em grande, como mapa ou como linhas.

const LADO_MINIMO = 12; // de uma casa do mapa grande, em pixels
const LADO_MAXIMO = 38;
const ENTRE_COLUNAS = 190; // nas linhas, do token que olha ao que é olhado

function conferirCabecas({ tokens, camadas, cabecas }) {
  const certos = Array.isArray(tokens) && tokens.length > 0 && tokens.every((x) => typeof x === "string");
  if (!certos) return texto("cabecas.sem_tokens");
  return camadas >= 1 && cabecas >= 1 ? null : texto("cabecas.sem_pesos");
}

function criarCabecas(casa) {
  const { tokens, camadas, cabecas, causal, inicial = [0, 0] } = casa.dados;
  const T = tokens.length;
  const estado = { qual: inicial[0] * cabecas + inicial[1], token: null, modo: "mapa", semPrimeiro: false, porMarca: false };
  const espera = h("p", { class: "legenda" }, texto("cabecas.esperando"));
  const frase = casa.dados.aceita_frase && casa.model.send ? campoDaFrase(casa) : null;
  casa.corpo.append(...[frase?.no, espera].filter(Boolean));
  let fim = () => {};
  pedirArquivo(casa.model, "pesos", () => (espera.textContent = texto("cabecas.kernel_ocupado")))
    .then((vista) => {
      const pesos = lerPesos(vista, camadas * cabecas, T, causal);
      if (!pesos) throw new Error(texto("cabecas.pesos_tortos"));
      espera.remove();
      fim = mostrarCabecas(casa, estado, (i) => pesos.subarray(i * T * T, (i + 1) * T * T));
    })
    .catch((erro) => espera.replaceWith(recado(texto("cabecas.nao_chegaram", { por_que: erro.message }))));
  return () => {
    frase?.soltar();
    fim();
  };
}

/** Uma frase de quem mexe: o kernel a lê, e o explorador se refaz com os mapas dela (os dados mudam). */
function campoDaFrase({ dados, model, falar }) {
  const dito = h("p", { class: "legenda", role: "status" });
  const escrita = campo({ rotulo: texto("cabecas.sua_frase"), valor: dados.frase ?? "", aoMudar: () => (dito.textContent = ""), maxlength: 200 });
  const ler = () => {
    const pedida = escrita.entrada.value.trim();
    dito.textContent = texto(pedida ? "cabecas.lendo" : "cabecas.escreva");
    if (pedida) model.send({ calcular: pedida });
  };
  escrita.entrada.addEventListener("keydown", (evento) => evento.key === "Enter" && ler());
  const receber = (mensagem) => {
    if (mensagem?.recusado) falar((dito.textContent = mensagem.recusado));
  };
  model.on("msg:custom", receber);
  if (dados.frase) setTimeout(() => escrita.entrada.focus({ preventScroll: true }), 0); // acabou de chegar a que se pediu
  return { no: h("div", { class: "sua-frase" }, escrita, botao(texto("cabecas.ler"), ler), dito), soltar: () => model.off?.("msg:custom", receber) };
}

/** Os pesos (camadas·cabeças, T, T), que vêm em float16; com máscara causal, só as casas até a diagonal. null, se algo não é peso. */
function lerPesos(vista, quantas, T, causal) {
  const porMapa = causal ? (T * (T + 1)) / 2 : T * T;
  if (vista.byteLength !== 2 * quantas * porMapa) return null;
  const pesos = new Float32Array(quantas * T * T);
  let onde = 0;
  for (let m = 0; m < quantas; m++) {
    for (let i = 0; i < T; i++) {
      for (let j = 0; j < (causal ? i + 1 : T); j++, onde += 2) {
        pesos[(m * T + i) * T + j] = deFloat16(vista.getUint16(onde, true));
      }
    }
  }
  return pesos.every((x) => x >= 0 && x < 1.01) ? pesos : null;
}

function mostrarCabecas(casa, estado, original) {
  const { tokens, camadas, cabecas } = casa.dados;
  const T = tokens.length;
  const marcas = Array.from({ length: camadas * cabecas }, (_, i) => marcaDe(original(i), tokens));
  const mapa = (i) => (estado.semPrimeiro ? semPrimeiro(original(i), T) : original(i));
  const grande = fazerGrande(casa, estado, mapa, marcas);
  const caca = fazerCaca(casa, estado, marcas, () => grade.montar());
  const grade = fazerGrade(casa, estado, mapa, marcas, abrir, caca);

  function abrir(qual) {
    estado.qual = qual;
    grade.marcar();
    grande.pintar();
    casa.falar(`${nomeDoMapa(qual, casa.dados)}. ${grande.frase()}`);
    anotar();
  }
  function anotar() {
    const [camada, cabeca] = [Math.floor(estado.qual / cabecas), estado.qual % cabecas];
    casa.estado({ camada, cabeca, token: estado.token, modo: estado.modo, sem_primeiro: estado.semPrimeiro });
    casa.mudou();
  }
  grande.aoMudar = anotar;
  const esconder = interruptor({ rotulo: texto("cabecas.esconder"), valor: false, aoMudar: (sim) => {
    estado.semPrimeiro = sim;
    refazer();
    anotar();
  } });
  const ordenar = interruptor({ rotulo: texto("cabecas.ordenar"), valor: false, aoMudar: (sim) => {
    estado.porMarca = sim;
    grade.montar();
  } });
  casa.corpo.append(h("div", { class: "opcoes" }, T > 2 && esconder, T > 2 && marcas.length > 1 && ordenar, caca.no),
    h("div", { class: "lado-a-lado" }, grade.no, grande.no));
  casa.tabela(() => ({
    legenda: texto("cabecas.tabela", { qual: nomeDoMapa(estado.qual, casa.dados) }),
    colunas: [texto("cabecas.quem_olha"), ...tokens.map(visivel)],
    linhas: tokens.map((t, i) => [visivel(t), ...mapa(estado.qual).subarray(i * T, (i + 1) * T)]),
  }));
  const refazer = () => {
    grade.pintar();
    grande.pintar();
  };
  const tema = new MutationObserver(refazer);
  tema.observe(casa.caixa, { attributes: true, attributeFilter: ["data-tema"] });
  casa.atalho("m", () => grande.trocarModo());
  grade.montar();
  const soltar = grande.acompanhar();
  grande.pintar();
  grade.achar();
  casa.mudou();
  return () => {
    tema.disconnect();
    soltar?.();
  };
}

/** O mapa sem a coluna do primeiro token, que costuma levar quase tudo: o que sobra de cada linha volta a somar 1. */
function semPrimeiro(pesos, T) {
  const novos = pesos.slice();
  for (let i = 0; i < T; i++) {
    const resto = 1 - pesos[i * T];
    for (let j = 0; j < T; j++) novos[i * T + j] = j && resto > 1e-3 ? pesos[i * T + j] / resto : 0;
  }
  return novos;
}

// ------------------------------------------------------------ o que cada cabeça mais faz

/** De quanto peso médio em diante a cabeça merece a marca. */
const MARCAS = { anterior: 0.4, sumidouro: 0.5, propria: 0.5, repetida: 0.3, inducao: 0.3 };

/** {nome, peso}: para onde vai a maior parte do peso, do terceiro token em diante; nome "" se nada se destaca.
 *  Repetida olha para o mesmo token em outro lugar; indução, para o que veio depois dele da outra vez. */
function marcaDe(pesos, tokens) {
  const T = tokens.length, iguais = tokens.map((t) => t.trim().toLowerCase());
  const somas = { anterior: [], sumidouro: [], propria: [], repetida: [], inducao: [] };
  for (let i = 2; i < T; i++) {
    const peso = (j) => pesos[i * T + j];
    somas.anterior.push(peso(i - 1));
    somas.sumidouro.push(peso(0));
    somas.propria.push(peso(i));
    const outros = iguais.map((t, j) => j).filter((j) => j !== i && iguais[j] && iguais[j] === iguais[i]);
    if (outros.length) somas.repetida.push(outros.reduce((s, j) => s + peso(j), 0));
    const depois = outros.map((j) => j + 1).filter((j) => j < i - 1);
    if (depois.length) somas.inducao.push(depois.reduce((s, j) => s + peso(j), 0));
  }
  let melhor = { nome: "", peso: 0, forca: 1 };
  for (const [nome, lista] of Object.entries(somas)) {
    const media = lista.reduce((s, x) => s + x, 0) / (lista.length || 1);
    if (media / MARCAS[nome] >= melhor.forca) melhor = { nome, peso: media, forca: media / MARCAS[nome] };
  }
  return melhor;
}

const nomeDaMarca = ({ nome }) => (nome ? texto(`cabecas.marca_${nome}`) : "");

// ------------------------------------------------------------ a caça

/** Uma pergunta para cada marca que há: achar uma cabeça que a mereça. Três pontos na primeira tentativa, depois dois, um, nenhum. */
function fazerCaca(casa, estado, marcas, aoMudar) {
  const VALE = 3;
  const tipos = Object.keys(MARCAS).filter((nome) => marcas.some((m) => m.nome === nome));
  const pergunta = h("p", { class: "pergunta", role: "status" });
  const resposta = botao(texto("cabecas.e_esta"), responder, { class: "principal" });
  const abre = botao(texto("cabecas.caca"), () => (eu.andando ? encerrar() : comecar()), {});
  const no = h("div", { class: "caca", hidden: tipos.length < 2 }, abre, resposta, pergunta);
  const eu = { no, andando: false };
  let vez = 0, erros = 0, pontos = 0;

  function mostrar(antes = "") {
    abre.firstChild.textContent = texto(eu.andando ? "cabecas.parar_caca" : "cabecas.caca");
    resposta.hidden = !eu.andando;
    const oQue = eu.andando ? texto("cabecas.ache", { qual: texto(`cabecas.ache_${tipos[vez]}`), n: vez + 1, total: tipos.length }) : "";
    pergunta.textContent = [antes, oQue].filter(Boolean).join(" ");
    aoMudar();
  }
  function comecar() {
    [eu.andando, vez, erros, pontos] = [true, 0, 0, 0];
    mostrar();
  }
  function encerrar(antes = "") {
    eu.andando = false;
    mostrar(antes);
  }
  function responder() {
    const certa = marcas[estado.qual].nome === tipos[vez];
    const exemplo = nomeDoMapa(marcas.findIndex((m) => m.nome === tipos[vez]), casa.dados);
    if (!certa && ++erros < VALE) return mostrar(texto("cabecas.nao_e", { faz: nomeDaMarca(marcas[estado.qual]) || texto("cabecas.marca_nenhuma") }));
    const ganhos = VALE - erros;
    pontos += ganhos;
    const dito = certa ? texto("cabecas.acertou", { pontos: ganhos }) : texto("cabecas.era", { exemplo });
    [vez, erros] = [vez + 1, 0];
    if (vez < tipos.length) mostrar(dito);
    else encerrar(`${dito} ${texto("cabecas.fim_da_caca", { pontos, total: VALE * tipos.length })}`);
  }
  resposta.hidden = true;
  return eu;
}

const visivel = (token) => token.replace(/ /g, "␣").replace(/\n/g, "↵") || "∅";
/** Onde só há uma camada, o nome dela não diz nada. */
const nomeDoMapa = (i, { camadas, cabecas }) =>
  texto(camadas > 1 ? "cabecas.qual" : "cabecas.so_cabeca", { camada: Math.floor(i / cabecas), cabeca: i % cabecas });

// ------------------------------------------------------------ as cores

/** A cor dos pesos de atenção no tema de agora, como [r, g, b]. */
function corDosPesos(no) {
  const tela = document.createElement("canvas").getContext("2d");
  tela.fillStyle = getComputedStyle(no).getPropertyValue("--cor-A");
  return [1, 3, 5].map((i) => parseInt(tela.fillStyle.slice(i, i + 2), 16));
}

/** Um ponto por peso. A força da cor é a raiz do peso: assim se veem também os pequenos. */
function pintarMapa(tela, pesos, T, rgb) {
  tela.width = tela.height = T;
  const imagem = new ImageData(T, T);
  for (let p = 0; p < T * T; p++) imagem.data.set([...rgb, 255 * Math.sqrt(pesos[p])], 4 * p);
  tela.getContext("2d").putImageData(imagem, 0, 0);
}

// ------------------------------------------------------------ a grade de mapas pequenos

/** Um botão por cabeça, em ordem de camada ou do que cada uma faz. Durante a caça, as marcas não aparecem. */
function fazerGrade(casa, estado, mapa, marcas, abrir, caca) {
  const { tokens, camadas, cabecas } = casa.dados;
  const grade = h("div", { class: "minis", style: { "--h": cabecas, "--mini": camadas > 1 ? "4.6rem" : "8rem" } });
  const rolo = h("div", { class: "rola", role: "group", "aria-label": texto("cabecas.todas_fala") }, grade);
  const legenda = h("p", { class: "legenda" });
  const no = h("div", { class: "todas" }, h("h3", {}, texto("cabecas.todas")), rolo, legenda);
  let ordem = [], botoes = [];

  function montar() {
    const comFoco = botoes.includes(grade.getRootNode().activeElement);
    const porMarca = estado.porMarca && !caca.andando;
    const lugar = (i) => (marcas[i].nome ? Object.keys(MARCAS).indexOf(marcas[i].nome) : 9) - marcas[i].peso / 2;
    ordem = marcas.map((_, i) => i);
    if (porMarca) ordem.sort((a, b) => lugar(a) - lugar(b) || a - b);
    botoes = ordem.map((i) => {
      const marca = caca.andando ? "" : nomeDaMarca(marcas[i]);
      return h("button", { type: "button", class: "mini", "aria-label": [nomeDoMapa(i, casa.dados), marca].filter(Boolean).join(", "), title: marca || null, aoClick: () => abrir(i) },
        h("canvas", {}), marca && h("i", { class: "marca", "aria-hidden": "true" }, marca[0].toUpperCase()));
    });
    focoQueAnda(botoes, { colunas: cabecas, inicial: ordem.indexOf(estado.qual), aoChegar: (k) => ordem[k] !== estado.qual && abrir(ordem[k]) });
    const titulos = Array.from({ length: cabecas }, (_, c) => h("span", {}, porMarca ? "" : String(c)));
    const fileiras = Array.from({ length: camadas }, (_, l) => [h("span", {}, camadas > 1 && !porMarca ? String(l) : ""), ...botoes.slice(l * cabecas, (l + 1) * cabecas)]);
    grade.replaceChildren(h("span", {}), ...titulos, ...fileiras.flat());
    const quais = Object.keys(MARCAS).filter((nome) => marcas.some((m) => m.nome === nome)).map((nome) => {
      const escrita = texto(`cabecas.marca_${nome}`);
      return `${escrita[0].toUpperCase()}, ${escrita}`;
    });
    const explica = texto(camadas > 1 && !porMarca ? "cabecas.todas_legenda" : "cabecas.todas_de_uma");
    legenda.textContent = quais.length && !caca.andando ? `${explica} ${texto("cabecas.marcas", { quais: quais.join("; ") })}` : explica;
    pintar();
    marcar();
    if (comFoco) botoes[ordem.indexOf(estado.qual)].focus();
  }
  const pintar = () => {
    const rgb = corDosPesos(casa.caixa);
    botoes.forEach((b, k) => pintarMapa(b.firstChild, mapa(ordem[k]), tokens.length, rgb));
  };
  const marcar = () => botoes.forEach((b, k) => mudar(b, { "aria-current": String(ordem[k] === estado.qual) }));
  const achar = () => (rolo.scrollTop = botoes[ordem.indexOf(estado.qual)].offsetTop - rolo.offsetTop - rolo.clientHeight / 2);
  return { no, montar, pintar, marcar, achar };
}

// ------------------------------------------------------------ a cabeça em grande

function fazerGrande(casa, estado, mapa, marcas) {
  const { tokens, cabecas } = casa.dados;
  const T = tokens.length;
  const titulo = h("h3", {});
  const legenda = h("p", { class: "legenda frase" });
  const palco = h("div", { class: "palco" });
  const rolo = h("div", { class: "rola" }, palco);
  const modos = ["mapa", "linhas"].map((modo) => botao(texto(`cabecas.${modo}`), () => trocarModo(modo), { "data-modo": modo }));
  const eixos = h("span", { class: "legenda" });
  const cabecalho = h("div", { class: "cabecalho" }, titulo, h("div", { class: "modos" }, modos));
  const no = h("div", { class: "uma" }, cabecalho, legenda, rolo, h("div", { class: "rodape" }, regua(), eixos));
  const eu = { no, aoMudar: () => {} };
  let partes = null;
  let largura = 480;
  let recem = null; // o token que acaba de ganhar o foco: o clique que o trouxe não conta de novo
  const chegar = (i) => {
    recem = i === estado.token ? null : i;
    escolher(i);
  };

  function trocarModo(modo = estado.modo === "mapa" ? "linhas" : "mapa") {
    estado.modo = modo;
    montar();
    eu.aoMudar();
  }

  function montar() {
    modos.forEach((b) => mudar(b, { "aria-pressed": String(b.dataset.modo === estado.modo) }));
    eixos.textContent = texto(`cabecas.legenda_${estado.modo}`);
    const focado = partes?.quem.indexOf(palco.getRootNode().activeElement) ?? -1;
    partes = (estado.modo === "mapa" ? palcoDoMapa : palcoDasLinhas)(palco, tokens, largura);
    partes.quem.forEach((b, i) => {
      b.addEventListener("click", () => {
        if (recem !== i) escolher(estado.token === i ? null : i); // clicar de novo desfaz a escolha
        recem = null;
      });
      b.addEventListener("pointerenter", () => escolher(i, false));
      b.addEventListener("pointerleave", () => escolher(estado.token, false));
    });
    partes.paraQuem.forEach((no, j) => {
      no.addEventListener("pointerenter", () => deQuem(j));
      no.addEventListener("pointerleave", () => eu.pintar());
    });
    focoQueAnda(partes.quem, { inicial: Math.max(focado, estado.token ?? 0), aoChegar: chegar });
    if (focado >= 0) partes.quem[focado].focus();
    eu.pintar();
  }

  /** De quem se mostra a linha: a que a pessoa escolheu, ou, enquanto o ponteiro passa, outra. */
  function escolher(token, de_vez = true) {
    if (de_vez && token !== estado.token) {
      estado.token = token;
      eu.pintar();
      casa.falar(eu.frase());
      eu.aoMudar();
    } else eu.pintar(token);
  }

  /** O ponteiro está em um token olhado: de quem vem o peso que ele recebe. */
  function deQuem(j) {
    const pesos = mapa(estado.qual), coluna = tokens.map((_, i) => pesos[i * T + j]);
    partes.quem.forEach((b, i) => b.style.setProperty("--peso", Math.sqrt(coluna[i])));
    legenda.textContent = texto("cabecas.recebe", { token: visivel(tokens[j]), quem: maiores(coluna, tokens) });
  }

  eu.frase = (token = estado.token) => (token === null ? resumoDoMapa(mapa(estado.qual), T) : fraseDoToken(mapa(estado.qual), tokens, token));
  eu.trocarModo = trocarModo;
  eu.pintar = (token = estado.token) => {
    if (!partes) return;
    titulo.textContent = nomeDoMapa(estado.qual, casa.dados);
    partes.pintar(mapa(estado.qual), token, corDosPesos(casa.caixa));
    partes.quem.forEach((b, i) => mudar(b, { "aria-pressed": String(i === token), style: { "--peso": 0 } }));
    legenda.textContent = eu.frase(token);
  };
  eu.acompanhar = () => aoRedimensionar(rolo, (nova) => {
    largura = nova;
    montar();
  });
  return eu;
}

/** A escala das cores: a força é a raiz do peso. */
function regua() {
  const marcas = [0, 0.25, 1].map((x) => h("span", {}, numero(x, x === 0.25 ? 2 : 0)));
  return h("div", { class: "regua", role: "img", "aria-label": texto("cabecas.regua") }, h("i", {}), h("div", {}, marcas));
}

const botoesDosTokens = (tokens) =>
  tokens.map((t, i) => h("button", { type: "button", class: "token", "aria-label": texto("cabecas.token", { token: visivel(t), n: i + 1 }) }, h("span", {}, visivel(t))));

/** O mapa: cada linha é um token que olha; cada coluna, um que é olhado. */
function palcoDoMapa(palco, tokens, largura) {
  const T = tokens.length;
  const rotulo = Math.min(96, 18 + 8 * Math.max(...tokens.map((t) => t.length)));
  const lado = limitar(Math.floor((largura - rotulo) / T), LADO_MINIMO, LADO_MAXIMO);
  const quem = botoesDosTokens(tokens);
  const paraQuem = tokens.map((t) => h("span", { "aria-hidden": "true" }, h("b", {}, visivel(t))));
  const tela = h("canvas", {});
  const faixa = h("i", { class: "faixa" });
  const casas = h("div", { class: "casas", "aria-hidden": "true" }, tela, faixa);
  palco.className = `palco mapa ${tokens.every((t) => t.length < 3) ? "curtos" : ""}`;
  const medidas = { "--lado": `${lado}px`, "--rotulo": `${rotulo}px`, "--T": T, "--letra-miuda": `${limitar(lado * 0.72, 9, 14)}px` };
  Object.entries(medidas).forEach(([nome, valor]) => palco.style.setProperty(nome, valor));
  palco.replaceChildren(h("div", { class: "para-quem" }, paraQuem), h("div", { class: "quem", role: "group", "aria-label": texto("cabecas.quem_olha") }, quem), casas);
  const casaDe = (evento) => {
    const caixa = tela.getBoundingClientRect();
    return [evento.clientY - caixa.top, evento.clientX - caixa.left].map((p) => limitar(Math.floor(p / lado), 0, T - 1));
  };
  const dica = (evento) => {
    const [i, j] = casaDe(evento);
    casas.title = texto("cabecas.casa", { de: visivel(tokens[i]), para: visivel(tokens[j]), peso: numero(partes.pesos[i * T + j], 3) });
    quem[i].dispatchEvent(new PointerEvent("pointerenter"));
  };
  casas.addEventListener("pointermove", dica);
  casas.addEventListener("click", (evento) => {
    const dela = quem[casaDe(evento)[0]];
    dela.focus({ preventScroll: true });
    dela.click();
  });
  casas.addEventListener("pointerleave", () => quem[0].dispatchEvent(new PointerEvent("pointerleave")));
  const partes = {
    quem,
    paraQuem,
    pesos: null,
    pintar(pesos, token, rgb) {
      partes.pesos = pesos;
      pintarMapa(tela, pesos, T, rgb);
      faixa.hidden = token === null;
      faixa.style.top = `${(token ?? 0) * lado}px`;
      paraQuem.forEach((no, j) => no.style.setProperty("--peso", token === null ? 0 : Math.sqrt(pesos[token * T + j])));
    },
  };
  return partes;
}

/** As linhas: à esquerda quem olha, à direita quem é olhado. Quanto mais grossa, maior o peso. */
function palcoDasLinhas(palco, tokens, largura) {
  const T = tokens.length;
  const lado = T > 40 ? 18 : 26;
  const vao = Math.min(ENTRE_COLUNAS * 1.6, Math.max(90, largura - 210));
  const quem = botoesDosTokens(tokens);
  const paraQuem = tokens.map((t) => h("span", { "aria-hidden": "true" }, h("b", {}, visivel(t))));
  const tela = h("canvas", { "aria-hidden": "true" });
  palco.className = "palco linhas";
  Object.entries({ "--lado": `${lado}px`, "--vao": `${vao}px`, "--letra-miuda": `${T > 40 ? 12 : 14}px` }).forEach(([nome, valor]) => palco.style.setProperty(nome, valor));
  palco.replaceChildren(h("div", { class: "quem", role: "group", "aria-label": texto("cabecas.quem_olha") }, quem), tela, h("div", { class: "para-quem" }, paraQuem));
  return {
    quem,
    paraQuem,
    pintar(pesos, token, rgb) {
      tracarLinhas(tela, pesos, T, { token, rgb, lado, vao });
      paraQuem.forEach((no, j) => no.style.setProperty("--peso", token === null ? 0 : Math.sqrt(pesos[token * T + j])));
    },
  };
}

function tracarLinhas(tela, pesos, T, { token, rgb, lado, vao }) {
  const zoom = window.devicePixelRatio || 1;
  tela.width = vao * zoom;
  tela.height = T * lado * zoom;
  Object.assign(tela.style, { width: `${vao}px`, height: `${T * lado}px` });
  const pincel = tela.getContext("2d");
  pincel.scale(zoom, zoom);
  for (let i = 0; i < T; i++) {
    for (let j = 0; j < T; j++) {
      const peso = pesos[i * T + j];
      const apagada = token !== null && token !== i;
      if (peso < 0.02 || (apagada && peso < 0.1)) continue;
      const [y, y2] = [(i + 0.5) * lado, (j + 0.5) * lado];
      pincel.strokeStyle = `rgba(${rgb}, ${apagada ? 0.08 : 0.15 + 0.85 * peso})`;
      pincel.lineWidth = 1 + 4 * peso;
      pincel.beginPath();
      pincel.moveTo(0, y);
      pincel.bezierCurveTo(vao / 2, y, vao / 2, y2, vao, y2);
      pincel.stroke();
    }
  }
}

// ------------------------------------------------------------ em palavras

/** Para onde vai o peso, em média: o token anterior, o próprio e o primeiro. */
function resumoDoMapa(pesos, T) {
  if (T < 3) return texto("cabecas.aponte");
  const soma = { anterior: 0, proprio: 0, primeiro: 0 };
  for (let i = 2; i < T; i++) {
    soma.anterior += pesos[i * T + i - 1] / (T - 2);
    soma.proprio += pesos[i * T + i] / (T - 2);
    soma.primeiro += pesos[i * T] / (T - 2);
  }
  return texto("cabecas.resumo", Object.fromEntries(Object.entries(soma).map(([nome, x]) => [nome, porcento(x)])));
}

function fraseDoToken(pesos, tokens, i) {
  const T = tokens.length;
  return texto("cabecas.olha", { token: visivel(tokens[i]), quem: maiores(Array.from(pesos.subarray(i * T, (i + 1) * T)), tokens) });
}

/** Os tokens dos três maiores pesos, cada um com o seu. */
function maiores(pesos, tokens) {
  const ordem = pesos.map((_, j) => j).sort((a, b) => pesos[b] - pesos[a]).slice(0, 3).filter((j) => pesos[j] > 0.005);
  return enumerar(ordem.map((j) => `“${visivel(tokens[j])}” (${porcento(pesos[j])})`));
}

const render = explorador({ nome: "cabecas", conferir: conferirCabecas, criar: criarCabecas });
