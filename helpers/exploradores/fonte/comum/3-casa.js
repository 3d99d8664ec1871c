// A casa de um explorador: título, botões, tabela, ajuda, fala para leitores de tela, tema, e a frase que fica no
// lugar de tudo quando os dados não servem. Fica em um shadow root, para que o CSS da página não entre nem saia.

/**
 * O `render` de um explorador:
 *   nome      o do módulo, e o do trecho dele em textos.json (título, teclas…)
 *   conferir  dados → null, ou a frase do que há de errado
 *   criar     casa → nada, ou uma função que desfaz o que foi ligado fora da casa
 * A casa tem: dados, model, corpo (onde se desenha), estado(…), tabela(…), mudou(), falar(…), atalho(…), movimento().
 */
function explorador({ nome, conferir, criar }) {
  return function render({ model, el }) {
    const raiz = el.shadowRoot ?? el.attachShadow({ mode: "open" });
    el.style.display = "block";
    let desfazer = null;
    const refazer = () => {
      desfazer?.();
      desfazer = montarCasa({ nome, conferir, criar, model, raiz, el });
    };
    const soltar = calarAtalhos(el);
    refazer();
    model.on("change:dados", refazer);
    return () => {
      model.off?.("change:dados", refazer);
      soltar();
      desfazer?.();
    };
  };
}

/** Dentro do explorador não valem os atalhos do JupyterLab (“d d” apagaria a célula, e Ctrl+A escolheria todas elas em vez
 *  do texto de um campo), salvo o de salvar. */
function calarAtalhos(el) {
  const salva = (evento) => (evento.ctrlKey || evento.metaKey) && evento.key.toLowerCase() === "s";
  const calar = (evento) => el.toggleAttribute("data-lm-suppress-shortcuts", !salva(evento));
  window.addEventListener("keydown", calar, true); // antes do JupyterLab, que escuta no document
  return () => window.removeEventListener("keydown", calar, true);
}

function montarCasa({ nome, conferir, criar, model, raiz, el }) {
  const dados = model.get("dados") ?? {};
  const caixa = h("section", { class: `explorador ${nome}`, "aria-label": texto(`${nome}.titulo`) });
  raiz.replaceChildren(h("style", {}, ESTILO), caixa);
  const desligar = [seguirTema(caixa, el)];
  const desfazer = () => desligar.forEach((f) => f());
  try {
    const problema = dados.problema ?? conferir(dados);
    if (problema) {
      caixa.append(recado(problema));
      return desfazer;
    }
    const casa = fazerCasa({ nome, dados, model, caixa, el, desligar });
    const fim = criar(casa);
    if (typeof fim === "function") desligar.push(fim);
    casa.mudou();
  } catch (erro) {
    console.error(erro);
    caixa.replaceChildren(recado(texto("comum.defeito")));
  }
  return desfazer;
}

/** A frase no lugar do desenho. */
function recado(frase) {
  return h("p", { class: "recado", role: "status" }, frase);
}

function fazerCasa({ nome, dados, model, caixa, el, desligar }) {
  const corpo = h("div", { class: "corpo" });
  const fala = h("p", { class: "fala", "aria-live": "polite", role: "status" });
  const barra = h("div", { class: "barra" });
  const topo = h("header", { class: "topo" }, h("h2", {}, texto(`${nome}.titulo`)), barra);
  const atalhos = new Map();
  const casa = { dados, model, corpo, topo, barra, caixa };

  casa.falar = falarCom(fala);
  casa.movimento = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;
  /** Guarda no modelo o que se escolheu; o Python lê em `.estado`. */
  casa.estado = (mudancas) => {
    model.set("estado", { ...(model.get("estado") ?? {}), ...mudancas });
    model.save_changes();
  };
  /** Uma tecla que vale no explorador inteiro, salvo enquanto se escreve em um campo. */
  casa.atalho = (tecla, acao) => atalhos.set(tecla.toLowerCase(), acao);
  casa.mudou = () => {};

  const tabela = quadroDaTabela(casa);
  const ajuda = quadroDaAjuda(casa, nome);
  const tela = botao(texto("comum.tela_cheia"), () => telaCheia(el), { class: "discreto so-icone", icone: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4" });
  if (!document.fullscreenEnabled) tela.hidden = true;
  barra.append(tabela.botao, ajuda.botao, tela);
  caixa.append(topo, corpo, tabela.quadro, ajuda.quadro, fala);
  const usar = (evento) => {
    const acao = atalhoDe(evento, atalhos);
    if (!acao) return;
    evento.preventDefault();
    evento.stopPropagation();
    acao(evento);
  };
  caixa.addEventListener("keydown", usar);
  desligar.push(teclasDeQuemAponta(el, usar));
  return casa;
}

/** Quem joga nem sempre clicou antes: com o ponteiro no explorador, a tecla é dele, se ninguém escreve nem está em outro explorador. */
function teclasDeQuemAponta(el, usar) {
  const daqui = (evento) => {
    const foco = document.activeElement;
    const ocupado = foco?.shadowRoot?.querySelector(".explorador") || foco?.matches(":read-write, select");
    if (el.matches(":hover") && !ocupado) usar(evento);
  };
  window.addEventListener("keydown", daqui, true); // antes do JupyterLab, que escuta no document
  return () => window.removeEventListener("keydown", daqui, true);
}

function atalhoDe(evento, atalhos) {
  const escreve = evento.target.matches?.("input[type=text], textarea, select");
  const altGr = evento.getModifierState("AltGraph"); // com que muito teclado brasileiro escreve ?
  if (escreve || evento.metaKey || (!altGr && (evento.ctrlKey || evento.altKey)) || evento.defaultPrevented) return null;
  return atalhos.get(evento.key.toLowerCase()) ?? null;
}

/** Diz uma frase ao leitor de tela; se vierem muitas em seguida (quem arrasta), só a última. */
function falarCom(no) {
  let espera = null;
  return (frase) => {
    clearTimeout(espera);
    espera = setTimeout(() => {
      no.textContent = frase;
    }, 250);
  };
}

/** A tabela com os mesmos números do desenho, que a tecla T mostra. casa.tabela(f): f() → {legenda, colunas, linhas}
 *  ou uma lista delas; a primeira coluna nomeia a linha. casa.mudou() a refaz, se estiver à vista. */
function quadroDaTabela(casa) {
  let fazer = null;
  const quadro = h("div", { class: "tabela", hidden: true, tabindex: "-1", role: "group", "aria-label": texto("comum.tabela") });
  const trocar = () => {
    quadro.hidden = !quadro.hidden;
    abrir.setAttribute("aria-expanded", String(!quadro.hidden));
    casa.mudou();
    if (quadro.hidden) abrir.focus();
    else quadro.focus();
  };
  const abrir = botao(texto("comum.tabela"), trocar, { class: "discreto", tecla: "T", "aria-expanded": "false" });
  casa.tabela = (f) => {
    fazer = f;
  };
  casa.mudou = () => {
    if (!quadro.hidden && fazer) quadro.replaceChildren(...[fazer()].flat().map(umaTabela));
  };
  casa.atalho("t", trocar);
  return { quadro, botao: abrir };
}

function umaTabela({ legenda, colunas, linhas }) {
  const cabeca = h("tr", {}, colunas.map((c) => (c ? h("th", { scope: "col" }, c) : h("td"))));
  const corpo = linhas.map(([primeira, ...resto]) =>
    h("tr", {}, h("th", { scope: "row" }, String(primeira)), resto.map((x) => h("td", {}, typeof x === "number" ? numero(x) : x)))
  );
  const tabela = h("table", {}, h("caption", {}, legenda), h("thead", {}, cabeca), h("tbody", {}, corpo));
  return h("div", { class: "rola", tabindex: "0", role: "region", "aria-label": legenda }, tabela);
}

/** As teclas, que a tecla ? mostra: `teclas` em textos.json, uma lista de [tecla, o que faz]. */
function quadroDaAjuda(casa, nome) {
  const pares = [...TEXTOS[nome].teclas, ...TEXTOS.comum.teclas];
  const lista = h("dl", {}, pares.flatMap(([tecla, faz]) => [h("dt", {}, h("kbd", {}, tecla)), h("dd", {}, faz)]));
  const quadro = h("div", { class: "ajuda", hidden: true, tabindex: "-1", role: "group", "aria-label": texto("comum.ajuda") }, lista);
  const trocar = () => {
    quadro.hidden = !quadro.hidden;
    abrir.setAttribute("aria-expanded", String(!quadro.hidden));
    (quadro.hidden ? abrir : quadro).focus();
  };
  const abrir = botao(texto("comum.ajuda"), trocar, { class: "discreto", tecla: "?", "aria-expanded": "false" });
  casa.atalho("?", trocar);
  casa.atalho("escape", () => quadro.hidden || trocar());
  return { quadro, botao: abrir };
}

function telaCheia(el) {
  if (document.fullscreenElement) document.exitFullscreen();
  else el.requestFullscreen();
}

/** Claro ou escuro, na ordem: o que diz o elemento mais perto, do explorador ao <html>, que tenha o data-jp-theme-light do JupyterLab ou
 *  data-theme (“light” ou “dark”, como em uma página do Sphinx); o que a pessoa pediu ao sistema. */
function seguirTema(caixa, el) {
  const sistema = matchMedia("(prefers-color-scheme: dark)");
  const quem = "[data-theme], [data-jp-theme-light]";
  const pintar = () => {
    const { theme, jpThemeLight } = (el.closest(quem) ?? document.body.closest(quem))?.dataset ?? {};
    const dito = { dark: true, false: true, light: false, true: false }[jpThemeLight ?? theme];
    caixa.dataset.tema = dito ?? sistema.matches ? "escuro" : "claro";
  };
  const olheiro = new MutationObserver(pintar);
  olheiro.observe(document, { attributes: true, subtree: true, attributeFilter: ["data-theme", "data-jp-theme-light"] });
  sistema.addEventListener("change", pintar);
  pintar();
  return () => {
    olheiro.disconnect();
    sistema.removeEventListener("change", pintar);
  };
}
