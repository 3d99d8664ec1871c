// Letra por letra: o GPT da aula 08 escreve no navegador, uma letra de cada vez, e mostra as chances da próxima e para
// onde as cabeças olham.

const BARRAS = 12; // quantas letras têm barra; todas estão na tabela
const MAIOR_K = 21; // no fim do controle, k é o vocabulário inteiro
const DE_UMA_VEZ = 20;
const NOMES = { " ": ["␣", "espaco"], "\n": ["↵", "fim_de_linha"], "\t": ["⇥", "tabulacao"] };

const desenhoDa = (letra) => NOMES[letra]?.[0] ?? letra;
const nomeDa = (letra) => (NOMES[letra] ? texto(`letra.${NOMES[letra][1]}`) : letra);

function conferirLetra({ vocabulario, pontos }) {
  const letras = Array.isArray(vocabulario) ? vocabulario : [];
  if (letras.length < 2 || !letras.every((x) => typeof x === "string" && x)) return texto("letra.sem_vocabulario");
  return Array.isArray(pontos) && pontos.length ? null : texto("letra.sem_pontos");
}

function criarLetra(casa) {
  const { vocabulario, pontos } = casa.dados;
  const estado = {
    letras: [...(casa.dados.texto ?? "")].map((letra) => ({ letra, maquina: false })),
    ponto: pontos.length - 1,
    cabeca: -1, // −1 é a média de todas
    temperatura: 1,
    k: MAIOR_K,
  };
  const motor = fazerMotor(casa, estado, new Map(vocabulario.map((letra, i) => [letra, i])));
  const partes = { refazer, aceitar, sortearUma, gerar, recomecar, parar };
  let gerando = null;

  /** Refaz a conta e o desenho. Os pesos podem ainda estar a caminho: então a conta espera por eles. */
  async function refazer(dizer = null) {
    papel.escrever();
    const visto = await motor.calcular();
    if (visto === null) return; // enquanto se esperava, o texto ou o passo mudou
    const bem = !visto.problema;
    aviso.hidden = bem;
    painel.hidden = !bem;
    aviso.textContent = visto.problema ?? "";
    if (bem) {
      fita.desenhar(visto);
      barras.desenhar(visto);
      casa.falar(dizer ? `${dizer} ${barras.resumo(visto)}` : barras.resumo(visto));
    }
    casa.estado({ texto: motor.texto(), passo: pontos[estado.ponto].passo ?? null, problema: visto.problema ?? null });
    casa.visto = visto;
    casa.mudou();
  }

  function aceitar(id) {
    estado.letras.push({ letra: vocabulario[id], maquina: true });
    return refazer(texto("letra.entrou", { letra: nomeDa(vocabulario[id]) }));
  }

  function sortearUma() {
    if (casa.visto && !casa.visto.problema) return aceitar(sortear(casa.visto.chances, motor.sorte));
  }

  function parar() {
    clearTimeout(gerando);
    gerando = null;
    controles.gerando(false);
  }

  async function gerar(quantas = DE_UMA_VEZ) {
    if (gerando !== null) return parar();
    controles.gerando(true);
    const andar = async (faltam) => {
      await sortearUma();
      if (gerando === null) return;
      if (faltam <= 1 || casa.visto?.problema) return parar();
      gerando = setTimeout(() => andar(faltam - 1), casa.movimento() ? 70 : 0);
    };
    gerando = setTimeout(() => andar(quantas), 0);
  }

  function recomecar() {
    parar();
    estado.letras = [...(casa.dados.texto ?? "")].map((letra) => ({ letra, maquina: false }));
    refazer();
  }

  const papel = fazerPapel(casa, estado, partes);
  const fita = fazerFita(casa, estado, partes);
  const barras = fazerBarras(casa, estado, partes);
  const controles = fazerControles(casa, estado, partes);
  const aviso = h("p", { class: "recado", role: "alert", hidden: true });
  const painel = h("div", { class: "painel", hidden: true }, barras.no, h("div", { class: "ao-lado" }, fita.no, controles.no));
  casa.corpo.append(fazerTreino(casa, estado, partes), papel.no, controles.botoes, aviso, painel);
  casa.tabela(() => (casa.visto && !casa.visto.problema ? tabelasDaLetra(casa, estado) : []));
  casa.atalho("s", sortearUma);
  casa.atalho("g", () => gerar());
  casa.atalho("r", recomecar);
  refazer();
  return parar;
}

/** Quem faz a conta: pede os pesos do passo escolhido (uma vez cada), lê o fim do texto e dá logits, chances e atenção. */
function fazerMotor(casa, estado, ids) {
  const { vocabulario, pontos, cabecas, semente = 1 } = casa.dados;
  const modelos = new Map();
  const modelo = (i) => {
    if (!modelos.has(i)) {
      const pedido = pedirArquivo(casa.model, pontos[i].arquivo, texto("letra.sem_kernel"));
      modelos.set(i, pedido.then((vista) => criarGPT(vista, cabecas)));
    }
    return modelos.get(i);
  };
  let vez = 0;

  async function calcular() {
    const minha = ++vez;
    const problema = problemaDoTexto(estado.letras, ids);
    if (problema) return { problema };
    try {
      const gpt = await modelo(estado.ponto);
      if (minha !== vez) return null;
      const letras = estado.letras.slice(-gpt.bloco).map((x) => x.letra);
      const { logits, atencao } = gpt.calcular(letras.map((letra) => ids.get(letra)));
      const ultimos = logits.subarray((letras.length - 1) * gpt.V);
      if (!ultimos.every(Number.isFinite)) return { problema: texto("letra.nao_numero") };
      const k = estado.k === MAIOR_K ? gpt.V - 1 : estado.k;
      return { gpt, letras, logits: ultimos, atencao, chances: chances(ultimos, estado.temperatura, k) };
    } catch (erro) {
      modelos.delete(estado.ponto);
      console.error(erro);
      return { problema: texto("letra.sem_pesos", { por_que: erro.message }) };
    }
  }
  return { calcular, sorte: sorteador(semente), texto: () => estado.letras.map((x) => x.letra).join(""), vocabulario };
}

function problemaDoTexto(letras, ids) {
  if (letras.length === 0) return texto("letra.vazio");
  const onde = letras.findIndex((x) => !ids.has(x.letra) || ids.get(x.letra) === 0);
  return onde < 0 ? null : texto("letra.desconhecida", { letra: letras[onde].letra, onde: onde + 1 });
}

// ------------------------------------------------------------ as partes da tela

/** O controle que anda pelo treino; só aparece quando há mais de um ponto guardado. */
function fazerTreino(casa, estado, partes) {
  const { pontos, regua } = casa.dados;
  if (pontos.length < 2) return h("span", { hidden: true });
  const frase = h("p", { class: "legenda" });
  const contar = () => (frase.textContent = oQueSabe(pontos[estado.ponto].perda, regua));
  const controle = deslizante({
    rotulo: texto("letra.treino"),
    minimo: 0,
    maximo: pontos.length - 1,
    passo: 1,
    valor: estado.ponto,
    mostrar: (i) => texto("letra.passo", { passo: pontos[i].passo, perda: numero(pontos[i].perda) }),
    aoMudar: (i) => {
      estado.ponto = i;
      contar();
      partes.refazer(frase.textContent);
    },
  });
  contar();
  const marcas = pontos.map(({ passo }) => h("span", {}, String(passo)));
  return h("div", { class: "treino" }, controle, h("div", { class: "marcas", "aria-hidden": "true" }, marcas), frase);
}

/** A perda comparada com a de quem não sabe nada, de quem conta letras e de quem conta pares delas. */
function oQueSabe(perda, regua) {
  if (!regua) return "";
  const { nada, letras, pares } = regua;
  const qual = perda > nada ? "nada" : perda > (letras + pares) / 2 ? "letras" : perda > pares - 0.1 ? "pares" : "alem";
  return texto(`letra.sabe_${qual}`, { nada: numero(nada), letras: numero(letras), pares: numero(pares) });
}

/** O texto, em que se escreve. Atrás dele, um espelho marca o que foi a máquina que escreveu. */
function fazerPapel(casa, estado, partes) {
  const espelho = h("div", { class: "espelho", "aria-hidden": "true" });
  const folha = h("textarea", { rows: "3", spellcheck: "false", autocomplete: "off", autocapitalize: "off", id: "folha" });
  const rotulo = h("label", { for: "folha" }, texto(casa.dados.do_aluno ? "letra.texto_do_aluno" : "letra.texto"));
  folha.addEventListener("input", () => {
    partes.parar();
    estado.letras = remendar(estado.letras, [...folha.value]);
    partes.refazer();
  });
  folha.addEventListener("keydown", (evento) => {
    if (evento.key !== "Enter" || evento.shiftKey || evento.isComposing) return;
    evento.preventDefault();
    evento.stopPropagation();
    if (casa.visto && !casa.visto.problema) partes.aceitar(maisProvavel(casa.visto.chances));
  });
  folha.addEventListener("scroll", () => (espelho.scrollTop = folha.scrollTop));
  const escrever = () => {
    const tudo = estado.letras.map((x) => x.letra).join("");
    if (folha.value !== tudo) {
      folha.value = tudo;
      folha.scrollTop = folha.scrollHeight;
    }
    espelho.replaceChildren(...marcados(estado.letras), "\u200b");
    espelho.scrollTop = folha.scrollTop;
  };
  return { no: h("div", { class: "papel" }, rotulo, h("div", { class: "folha" }, espelho, folha)), escrever };
}

/** O texto em pedaços, com os que a máquina escreveu dentro de <mark>. */
function marcados(letras) {
  const pedacos = [];
  letras.forEach(({ letra, maquina }, i) => {
    if (i === 0 || maquina !== letras[i - 1].maquina) pedacos.push(maquina ? h("mark", {}) : h("span", {}));
    pedacos.at(-1).append(letra);
  });
  return pedacos;
}

/** O texto novo, com a lembrança de quem escreveu cada letra que não mudou. */
function remendar(velhas, novas) {
  let inicio = 0;
  let fim = 0;
  const menor = Math.min(velhas.length, novas.length);
  while (inicio < menor && velhas[inicio].letra === novas[inicio]) inicio++;
  while (fim < menor - inicio && velhas.at(-1 - fim).letra === novas.at(-1 - fim)) fim++;
  const meio = novas.slice(inicio, novas.length - fim).map((letra) => ({ letra, maquina: false }));
  return [...velhas.slice(0, inicio), ...meio, ...velhas.slice(velhas.length - fim)];
}

/** A fita: as letras que o modelo vê e, em cada cabeça, quanto a última delas olha para cada uma. */
function fazerFita(casa, estado, partes) {
  const grade = h("div", { class: "fita" });
  const legenda = h("p", { class: "legenda" });
  const rolo = h("div", { class: "rola" }, grade);
  const no = h("fieldset", { class: "atencao" }, h("legend", {}, texto("letra.olhares")), rolo, legenda);

  function desenhar({ gpt, letras, atencao }) {
    const T = letras.length;
    const linhas = pesosDaUltima(atencao, gpt.camadas * gpt.cabecas, T);
    const escolhida = linhas[estado.cabeca + 1] ?? linhas[0];
    grade.style.setProperty("--T", T);
    const torres = letras.map((letra, j) => torre(letra, escolhida[j]));
    const fileiras = linhas.flatMap((pesos, i) => [radio(i - 1, gpt), ...pesos.map(celula)]);
    const focada = grade.getRootNode().activeElement?.name === "cabeca";
    grade.replaceChildren(h("span", {}), ...torres, ...fileiras);
    if (focada) grade.querySelector("input:checked").focus();
    rolo.scrollLeft = rolo.scrollWidth; // se não cabem todas, à vista ficam as últimas
    legenda.textContent = texto("letra.olha", {
      cabeca: nomeDaCabeca(estado.cabeca, gpt), letra: nomeDa(letras.at(-1)), quem: maioresOlhares(letras, escolhida), bloco: gpt.bloco,
    });
  }

  function radio(i, gpt) {
    const entrada = h("input", { type: "radio", name: "cabeca", checked: i === estado.cabeca, "aria-label": nomeDaCabeca(i, gpt) });
    entrada.addEventListener("change", () => {
      estado.cabeca = i;
      desenhar(casa.visto);
      casa.falar(legenda.textContent);
      casa.mudou();
    });
    return h("label", { class: "qual" }, entrada, h("span", { "aria-hidden": "true" }, nomeDaCabeca(i, gpt)), h("span", { "aria-hidden": "true" }, nomeCurto(i, gpt)));
  }
  return { no, desenhar };
}

const torre = (letra, peso) =>
  h("span", { class: "torre", "aria-hidden": "true", title: `${nomeDa(letra)}: ${porcento(peso)}`, style: { "--peso": peso } },
    h("small", {}, peso >= 0.095 ? porcento(peso) : ""), h("i", {}), h("b", {}, desenhoDa(letra)));
const celula = (peso) => h("span", { class: "cela", "aria-hidden": "true", title: porcento(peso), style: { "--peso": peso } });

/** A linha da última posição em cada cabeça, com a média delas na frente: (1 + camadas·h, T). */
function pesosDaUltima(atencao, cabecas, T) {
  const linhas = Array.from({ length: cabecas }, (_, c) => Array.from(atencao.subarray((c + 1) * T * T - T, (c + 1) * T * T)));
  const media = linhas[0].map((_, j) => linhas.reduce((soma, linha) => soma + linha[j] / cabecas, 0));
  return [media, ...linhas];
}

const lugarDaCabeca = (i, { cabecas }) => ({ camada: Math.floor(i / cabecas), cabeca: i % cabecas }); // de 0, como no código
const nomeDaCabeca = (i, gpt) => (i < 0 ? texto("letra.media") : texto("letra.cabeca", lugarDaCabeca(i, gpt)));
const nomeCurto = (i, gpt) => (i < 0 ? texto("letra.media_curta") : texto("letra.cabeca_curta", lugarDaCabeca(i, gpt)));

function maioresOlhares(letras, pesos) {
  const ordem = pesos.map((_, j) => j).sort((a, b) => pesos[b] - pesos[a]).slice(0, 3);
  return enumerar(ordem.map((j) => `“${nomeDa(letras[j])}” (${porcento(pesos[j])})`));
}

/** As barras: as letras mais prováveis, cada uma um botão que a aceita. */
function fazerBarras(casa, estado, partes) {
  const { vocabulario } = casa.dados;
  const lista = h("ol", { class: "barras" });
  const resto = h("p", { class: "legenda" });
  const linhas = Array.from({ length: Math.min(BARRAS, vocabulario.length - 1) }, () => {
    const botaoDela = h("button", { type: "button" }, h("b", {}), h("span", { class: "trilho" }, h("i", {})), h("output", {}));
    botaoDela.addEventListener("click", () => {
      partes.parar();
      partes.aceitar(Number(botaoDela.dataset.id));
    });
    lista.append(h("li", {}, botaoDela));
    return botaoDela;
  });
  const irPara = focoQueAnda(linhas);
  /** As letras mudaram de lugar: o foco, ou a vez de recebê-lo, volta à primeira. */
  const voltarAoTopo = () => {
    if (linhas.includes(lista.getRootNode().activeElement)) irPara(0);
    else linhas.forEach((linha, i) => linha.setAttribute("tabindex", i === 0 ? "0" : "-1"));
  };

  function desenhar({ logits, chances: p }) {
    const ordem = emOrdem(logits);
    linhas.forEach((linha, i) => {
      const id = ordem[i];
      const [desenho, trilho, valor] = linha.children;
      linha.dataset.id = id;
      linha.classList.toggle("fora", p[id] === 0);
      linha.setAttribute("aria-label", texto("letra.aceitar", { letra: nomeDa(vocabulario[id]), chance: porcento(p[id]) }));
      desenho.textContent = desenhoDa(vocabulario[id]);
      trilho.firstChild.style.setProperty("--peso", p[id]);
      valor.textContent = porcento(p[id]);
    });
    voltarAoTopo();
    const sobra = ordem.slice(linhas.length);
    resto.textContent = sobra.length ? texto("letra.outras", { quantas: sobra.length, chance: porcento(sobra.reduce((s, id) => s + p[id], 0)) }) : "";
  }

  const resumo = ({ chances: p }) => {
    const id = maisProvavel(p);
    return texto("letra.mais_provavel", { letra: nomeDa(vocabulario[id]), chance: porcento(p[id]) });
  };
  return { no: h("div", { class: "proxima" }, h("h3", {}, texto("letra.proxima")), lista, resto), desenhar, resumo };
}

/** Os ids, do maior logit ao menor, sem o <PAD>. */
const emOrdem = (logits) => Array.from(logits, (_, id) => id).slice(1).sort((a, b) => logits[b] - logits[a]);
const maisProvavel = (p) => p.indexOf(Math.max(...p));

function fazerControles(casa, estado, partes) {
  const temperatura = deslizante({
    rotulo: texto("letra.temperatura"),
    minimo: 0,
    maximo: 2,
    passo: 0.1,
    valor: estado.temperatura,
    mostrar: (x) => (x === 0 ? texto("letra.gulosa") : numero(x, 1)),
    aoMudar: (x) => mudarE("temperatura", x),
    ajuda: texto("letra.temperatura_ajuda"),
  });
  const k = deslizante({
    rotulo: texto("letra.top_k"),
    minimo: 1,
    maximo: MAIOR_K,
    passo: 1,
    valor: estado.k,
    mostrar: (x) => (x === MAIOR_K ? texto("letra.todas") : String(x)),
    aoMudar: (x) => mudarE("k", x),
    ajuda: texto("letra.top_k_ajuda"),
  });
  const mudarE = (nome, x) => {
    estado[nome] = x;
    partes.refazer();
  };
  const deUmaVez = botao(texto("letra.gerar", { n: DE_UMA_VEZ }), () => partes.gerar(), { class: "principal", tecla: "G" });
  const botoes = h("div", { class: "botoes" },
    deUmaVez,
    botao(texto("letra.sortear"), () => { partes.parar(); partes.sortearUma(); }, { tecla: "S" }),
    botao(texto("letra.recomecar"), partes.recomecar, { class: "discreto", tecla: "R" }));
  const gerando = (sim) => (deUmaVez.firstChild.textContent = sim ? texto("letra.parar") : texto("letra.gerar", { n: DE_UMA_VEZ }));
  return { no: h("div", { class: "controles" }, temperatura, k), botoes, gerando };
}

function tabelasDaLetra({ dados, visto }, estado) {
  const { gpt, letras, logits, chances: p, atencao } = visto;
  const linhas = pesosDaUltima(atencao, gpt.camadas * gpt.cabecas, letras.length);
  return [
    {
      legenda: texto("letra.tabela_chances"),
      colunas: [texto("letra.letra"), texto("letra.logit"), texto("letra.chance")],
      linhas: emOrdem(logits).map((id) => [nomeDa(dados.vocabulario[id]), logits[id], numero(p[id], 4)]),
    },
    {
      legenda: texto("letra.tabela_olhares"),
      colunas: [texto("letra.letra"), ...linhas.map((_, i) => nomeDaCabeca(i - 1, gpt))],
      linhas: letras.map((letra, j) => [nomeDa(letra), ...linhas.map((pesos) => pesos[j])]),
    },
  ];
}

const render = explorador({ nome: "letra", conferir: conferirLetra, criar: criarLetra });
