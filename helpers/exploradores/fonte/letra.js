// Letra por letra: o GPT da aula 08 escreve no navegador, uma letra de cada vez, e mostra as chances da próxima e para
// onde as cabeças olham.

const BARRAS = 12; // quantas letras têm barra; todas estão na tabela
const MAIOR_K = 21; // no fim do controle, k é o vocabulário inteiro
const DE_UMA_VEZ = 20;
const DE_CADA_MOMENTO = 40;
const NOMES = { " ": ["␣", "espaco"], "\n": ["↵", "fim_de_linha"], "\t": ["⇥", "tabulacao"] };

const desenhoDa = (letra) => NOMES[letra]?.[0] ?? letra;
const nomeDa = (letra) => (NOMES[letra] ? texto(`letra.${NOMES[letra][1]}`) : letra);

function conferirLetra(dados) {
  for (const { vocabulario, pontos } of modelosDe(dados)) {
    const letras = Array.isArray(vocabulario) ? vocabulario : [];
    if (letras.length < 2 || !letras.every((x) => typeof x === "string" && x)) return texto("letra.sem_vocabulario");
    if (!Array.isArray(pontos) || !pontos.length) return texto("letra.sem_pontos");
  }
  return null;
}

/** Os modelos que se podem escolher; o primeiro é o que abre. */
const modelosDe = (dados) => [dados, ...(dados.outros ?? [])];
const comoLetras = (escrito) => [...(escrito ?? "")].map((letra) => ({ letra, maquina: false }));

function criarLetra(casa) {
  const modelos = modelosDe(casa.dados);
  const estado = { cabeca: -1, temperatura: 1, k: MAIOR_K }; // na cabeça, −1 é a média de todas
  const usar = (modelo) =>
    Object.assign(estado, { modelo, letras: comoLetras(modelo.texto), ponto: modelo.pontos.length - 1, cabeca: -1,
      ids: new Map(modelo.vocabulario.map((letra, i) => [letra, i])) });
  usar(modelos[0]);
  const motor = fazerMotor(casa, estado, (frase) => avisar(frase));
  const partes = { refazer, aceitar, sortearUma, gerar, recomecar, parar, motor };
  let gerando = null;
  let bem = false; // se o que está escrito é o que está desenhado

  /** A frase que diz o que falta; o último desenho continua à vista. */
  function avisar(frase) {
    aviso.textContent = frase;
    if (frase) casa.falar(frase);
  }

  /** Refaz a conta e o desenho. Os pesos podem ainda estar a caminho: então a conta espera por eles. */
  async function refazer(dizer = null) {
    papel.escrever();
    bem = false;
    const visto = await motor.calcular();
    if (visto === null) return; // enquanto se esperava, o texto ou o passo mudou
    bem = !visto.problema;
    avisar(visto.problema ?? "");
    painel.classList.toggle("de-antes", !bem);
    if (bem) {
      painel.hidden = false;
      casa.visto = visto;
      fita.desenhar(visto);
      barras.desenhar(visto);
      casa.falar(dizer ? `${dizer} ${barras.resumo(visto)}` : barras.resumo(visto));
    }
    casa.estado({ texto: motor.texto(), passo: estado.modelo.pontos[estado.ponto].passo ?? null, problema: visto.problema ?? null });
    casa.mudou();
  }

  function aceitar(id) {
    if (!bem) return;
    const letra = casa.visto.vocabulario[id];
    estado.letras.push({ letra, maquina: true });
    return refazer(texto("letra.entrou", { letra: nomeDa(letra) }));
  }

  function sortearUma() {
    if (bem) return aceitar(sortear(casa.visto.chances, motor.sorte));
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
      if (faltam <= 1 || !bem) return parar();
      gerando = setTimeout(() => andar(faltam - 1), casa.movimento() ? 70 : 0);
    };
    gerando = setTimeout(() => andar(quantas), 0);
  }

  function recomecar() {
    parar();
    estado.letras = comoLetras(estado.modelo.texto);
    refazer();
  }

  function trocarModelo(i) {
    parar();
    usar(modelos[i]);
    treino.montar();
    momentos.montar();
    papel.rotular();
    refazer(modelos[i].nome);
  }

  const papel = fazerPapel(casa, estado, partes);
  const fita = fazerFita(casa, estado, partes);
  const barras = fazerBarras(casa, estado, partes);
  const controles = fazerControles(casa, estado, partes);
  const treino = fazerTreino(casa, estado, partes);
  const momentos = fazerMomentos(casa, estado, partes);
  const aviso = h("p", { class: "aviso", role: "status" });
  const painel = h("div", { class: "painel", hidden: true }, barras.no, h("div", { class: "ao-lado" }, fita.no, controles.no));
  const qual = modelos.length > 1 && escolha({ rotulo: texto("letra.modelo"), opcoes: modelos.map(({ nome }, i) => [i, nome]), valor: 0, aoMudar: trocarModelo });
  casa.corpo.append(...[qual, treino.no, papel.no, controles.botoes, aviso, painel, momentos.no].filter(Boolean));
  casa.tabela(() => (casa.visto ? tabelasDaLetra(casa.visto) : []));
  casa.atalho("s", sortearUma);
  casa.atalho("g", () => gerar());
  casa.atalho("r", recomecar);
  treino.montar();
  momentos.montar();
  refazer();
  return () => {
    parar();
    momentos.parar();
  };
}

/** Quem faz a conta: pede os pesos do passo escolhido (uma vez cada), lê o fim do texto e dá logits, chances e atenção. */
function fazerMotor(casa, estado, avisar) {
  const { semente = 1 } = casa.dados;
  const modelos = new Map();
  /** O GPT do ponto i do modelo que se usa agora; `demora` é chamada se o kernel não responde logo. */
  const modelo = (i, demora) => {
    const { pontos, cabecas } = estado.modelo;
    const { arquivo } = pontos[i];
    if (!modelos.has(arquivo)) {
      const feito = pedirArquivo(casa.model, arquivo, demora).then((vista) => criarGPT(vista, cabecas));
      modelos.set(arquivo, feito);
      feito.catch(() => modelos.delete(arquivo));
    }
    return modelos.get(arquivo);
  };
  let vez = 0;

  async function calcular() {
    const minha = ++vez;
    const problema = problemaDoTexto(estado.letras, estado.ids);
    if (problema) return { problema };
    const { vocabulario } = estado.modelo;
    try {
      const gpt = await modelo(estado.ponto, () => minha === vez && avisar(texto("letra.kernel_ocupado")));
      if (minha !== vez) return null;
      const letras = estado.letras.slice(-gpt.bloco).map((x) => x.letra);
      const visto = proximas(gpt, letras.map((letra) => estado.ids.get(letra)), estado);
      return visto ? { gpt, letras, vocabulario, ...visto } : { problema: texto("letra.nao_numero") };
    } catch (erro) {
      console.error(erro);
      return { problema: texto("letra.sem_pesos") };
    }
  }
  return { calcular, modelo, sorte: sorteador(semente), texto: () => estado.letras.map((x) => x.letra).join("") };
}

/** Os logits, as chances e a atenção depois dos últimos `ids`; null, se a conta estourou. */
function proximas(gpt, ids, { temperatura, k }) {
  const { logits, atencao } = gpt.calcular(ids);
  const ultimos = logits.subarray((ids.length - 1) * gpt.V);
  if (!ultimos.every(Number.isFinite)) return null;
  return { logits: ultimos, atencao, chances: chances(ultimos, temperatura, k === MAIOR_K ? gpt.V - 1 : k) };
}

const desconhecida = ({ letra }, ids) => !ids.get(letra); // o <PAD>, que é o 0, também não se escreve

function problemaDoTexto(letras, ids) {
  if (letras.length === 0) return texto("letra.vazio");
  const onde = letras.findIndex((x) => desconhecida(x, ids));
  return onde < 0 ? null : texto("letra.desconhecida", { letra: letras[onde].letra, onde: onde + 1 });
}

// ------------------------------------------------------------ as partes da tela

/** O controle que anda pelo treino; só aparece quando há mais de um ponto guardado. */
function fazerTreino(casa, estado, partes) {
  const no = h("div", { class: "treino" });
  function montar() {
    const { pontos, regua } = estado.modelo;
    no.hidden = pontos.length < 2;
    if (no.hidden) return;
    const frase = h("p", { class: "legenda" });
    const contar = () => (frase.textContent = oQueSabe(pontos[estado.ponto].perda, regua));
    const ir = (i) => {
      estado.ponto = i;
      controle.por(i);
      contar();
      partes.refazer(frase.textContent);
    };
    const controle = deslizante({
      rotulo: texto("letra.treino"),
      minimo: 0,
      maximo: pontos.length - 1,
      passo: 1,
      valor: estado.ponto,
      mostrar: (i) => texto("letra.passo", { passo: pontos[i].passo, perda: numero(pontos[i].perda) }),
      aoMudar: ir,
    });
    contar();
    const marcas = pontos.map(({ passo }, i) => h("span", { aoClick: () => ir(i) }, String(passo)));
    no.replaceChildren(controle, h("div", { class: "marcas", "aria-hidden": "true" }, marcas), frase);
  }
  return { no, montar };
}

/** A perda comparada com a de quem não sabe nada, de quem conta letras e de quem conta pares delas. */
function oQueSabe(perda, regua) {
  if (!regua) return "";
  const { nada, letras, pares } = regua;
  const qual = perda > nada ? "nada" : perda > (letras + pares) / 2 ? "letras" : perda > pares - 0.1 ? "pares" : "alem";
  return texto(`letra.sabe_${qual}`, { nada: numero(nada), letras: numero(letras), pares: numero(pares) });
}

/** O mesmo começo, continuado em cada momento do treino com os mesmos sorteios. As linhas crescem juntas. */
function fazerMomentos(casa, estado, partes) {
  const linhas = h("ul", { class: "linhas" });
  let vez = 0;
  let andando = false;
  const rodar = botao(texto("letra.comparar"), () => (andando ? parar() : comparar()), {});
  const no = h("div", { class: "momentos" }, h("h3", {}, texto("letra.momentos")), rodar, linhas);
  const nomear = (sim) => {
    andando = sim;
    rodar.firstChild.textContent = texto(sim ? "letra.parar" : "letra.comparar");
  };
  function parar() {
    vez++;
    nomear(false);
  }
  function montar() {
    parar();
    linhas.replaceChildren();
    no.hidden = estado.modelo.pontos.length < 2;
  }
  async function comparar() {
    const minha = ++vez;
    const { pontos, vocabulario } = estado.modelo;
    const { ids, temperatura, k } = estado;
    const comeco = estado.letras.filter((x) => !desconhecida(x, ids)).map((x) => x.letra);
    if (!comeco.length) return casa.falar(texto("letra.vazio"));
    nomear(true);
    const feitas = pontos.map(({ passo }) => {
      const saida = h("b", {});
      const visor = h("span", { class: "escrito" }, h("span", {}, comeco.slice(-24).join("")), saida);
      linhas.append(h("li", {}, h("span", { class: "quando" }, texto("letra.no_passo", { passo })), visor));
      return { saida, tudo: comeco.map((letra) => ids.get(letra)), sorte: sorteador(7) };
    });
    linhas.replaceChildren(...[...linhas.children].slice(-pontos.length));
    const continuar = async (i) => {
      const gpt = await partes.motor.modelo(i, () => minha === vez && casa.falar(texto("letra.kernel_ocupado")));
      const { saida, tudo, sorte } = feitas[i];
      for (let n = 0; n < DE_CADA_MOMENTO && minha === vez; n++) {
        const visto = proximas(gpt, tudo.slice(-gpt.bloco), { temperatura, k });
        if (!visto) return;
        tudo.push(sortear(visto.chances, sorte));
        saida.append(vocabulario[tudo.at(-1)].replace("\n", " "));
        await new Promise((pronto) => setTimeout(pronto, 0)); // a página respira entre uma letra e outra
      }
    };
    await Promise.allSettled(pontos.map((_, i) => continuar(i)));
    if (minha !== vez) return;
    nomear(false);
    casa.falar([...linhas.children].map((linha) => linha.textContent).join(". "));
  }
  return { no, montar, parar };
}

/** O texto, em que se escreve. Atrás dele, um espelho marca o que foi a máquina que escreveu e o que o modelo não conhece. */
function fazerPapel(casa, estado, partes) {
  const espelho = h("div", { class: "espelho", "aria-hidden": "true" });
  const folha = h("textarea", { rows: "3", spellcheck: "false", autocomplete: "off", autocapitalize: "off", id: "folha" });
  const rotulo = h("label", { for: "folha" });
  folha.addEventListener("input", () => {
    partes.parar();
    estado.letras = remendar(estado.letras, [...folha.value]);
    partes.refazer();
  });
  folha.addEventListener("keydown", (evento) => {
    if (evento.key !== "Enter" || evento.shiftKey || evento.isComposing) return;
    evento.preventDefault();
    evento.stopPropagation();
    if (casa.visto) partes.aceitar(maisProvavel(casa.visto.chances));
  });
  folha.addEventListener("scroll", () => (espelho.scrollTop = folha.scrollTop));
  const escrever = () => {
    const tudo = estado.letras.map((x) => x.letra).join("");
    if (folha.value !== tudo) {
      folha.value = tudo;
      folha.scrollTop = folha.scrollHeight;
    }
    folha.setAttribute("aria-invalid", String(Boolean(problemaDoTexto(estado.letras, estado.ids))));
    espelho.replaceChildren(...marcados(estado.letras, estado.ids), "\u200b");
    espelho.scrollTop = folha.scrollTop;
  };
  const rotular = () => (rotulo.textContent = texto(`letra.pede_${estado.modelo.pede ?? "aluno"}`));
  rotular();
  return { no: h("div", { class: "papel" }, rotulo, h("div", { class: "folha" }, espelho, folha)), escrever, rotular };
}

/** O texto em pedaços, com os que a máquina escreveu dentro de <mark>, e o que o modelo não conhece, de <u>. */
function marcados(letras, ids) {
  const pedacos = [];
  letras.forEach((x, i) => {
    const nome = desconhecida(x, ids) ? "u" : x.maquina ? "mark" : "span";
    if (pedacos.at(-1)?.localName !== nome) pedacos.push(h(nome, {}));
    pedacos.at(-1).append(x.letra);
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
    const comNumero = numeradas(escolhida);
    const torres = letras.map((letra, j) => torre(letra, escolhida[j], comNumero.has(j)));
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

/** As torres que levam o número escrito: as maiores, longe o bastante umas das outras para que eles não se cubram. */
function numeradas(pesos) {
  const altas = pesos.map((_, j) => j).filter((j) => pesos[j] >= 0.095).sort((a, b) => pesos[b] - pesos[a]);
  return altas.reduce((feitas, j) => ([...feitas].some((f) => Math.abs(f - j) < 3) ? feitas : feitas.add(j)), new Set());
}

const torre = (letra, peso, comNumero) =>
  h("span", { class: "torre", "aria-hidden": "true", title: `${nomeDa(letra)}: ${porcento(peso)}`, style: { "--peso": peso } },
    h("small", {}, comNumero ? porcento(peso) : ""), h("i", {}), h("b", {}, desenhoDa(letra)));
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
  const lista = h("ol", { class: "barras" });
  const resto = h("p", { class: "legenda" });
  const linhas = Array.from({ length: BARRAS }, () => {
    const calado = { "aria-hidden": "true" }; // em voz alta se lê o último pedaço
    const botaoDela = h("button", { type: "button" }, h("b", calado), h("span", { class: "trilho", ...calado }, h("i", {})), h("span", { class: "quanto", ...calado }), h("span", { class: "so-falado" }));
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

  function desenhar({ logits, chances: p, vocabulario }) {
    const ordem = emOrdem(logits);
    linhas.forEach((linha, i) => {
      linha.parentNode.hidden = i >= ordem.length;
      if (i >= ordem.length) return;
      const id = ordem[i];
      const [desenho, trilho, valor, falado] = linha.children;
      linha.dataset.id = id;
      linha.classList.toggle("fora", p[id] === 0);
      falado.textContent = texto("letra.aceitar", { letra: nomeDa(vocabulario[id]), chance: porcento(p[id]) });
      desenho.textContent = desenhoDa(vocabulario[id]);
      trilho.firstChild.style.setProperty("--peso", p[id]);
      valor.textContent = porcento(p[id]);
    });
    voltarAoTopo();
    const sobra = ordem.slice(linhas.length);
    resto.textContent = sobra.length ? texto("letra.outras", { quantas: sobra.length, chance: porcento(sobra.reduce((s, id) => s + p[id], 0)) }) : "";
  }

  const resumo = ({ chances: p, vocabulario }) => {
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

function tabelasDaLetra({ gpt, letras, vocabulario, logits, chances: p, atencao }) {
  const linhas = pesosDaUltima(atencao, gpt.camadas * gpt.cabecas, letras.length);
  return [
    {
      legenda: texto("letra.tabela_chances"),
      colunas: [texto("letra.letra"), texto("letra.logit"), texto("letra.chance")],
      linhas: emOrdem(logits).map((id) => [nomeDa(vocabulario[id]), logits[id], numero(p[id], 4)]),
    },
    {
      legenda: texto("letra.tabela_olhares"),
      colunas: [texto("letra.letra"), ...linhas.map((_, i) => nomeDaCabeca(i - 1, gpt))],
      linhas: letras.map((letra, j) => [nomeDa(letra), ...linhas.map((pesos) => pesos[j])]),
    },
  ];
}

const render = explorador({ nome: "letra", conferir: conferirLetra, criar: criarLetra });
