// Veja o que você fez, nas listas 02 e 04: os exploradores do curso desenham o que as funções do aluno devolveram.
//
// Os módulos deles vêm prontos em window.EXPLORADORES (sitio/partes/listas.py). Os números vêm do motor (tela_veja.py).

import { botao, h, numero, texto } from "./comum.js";
import { mostrarQueRoda, mostrarResultado } from "./resultado.js";

const BONS = (n) => (Number.isFinite(n) ? n : 0);

export class Ver {
  constructor(lista, lugar) {
    Object.assign(this, { lista, lugar });
    if (!lista.dados.python || !["lista-02", "lista-04"].includes(lista.lista)) {
      lugar.replaceChildren(h("p", { class: "l-nota" }, texto(lista.dados.viva && !lista.dados.python ? "python.sem" : "veja.com_o_curso")));
      return;
    }
    this.saida = h("div", { class: "l-saida" });
    this.desenho = h("div", { class: "l-veja" });
    lugar.replaceChildren(h("div", { class: "l-acoes" }, botao(texto("veja.desenhar"), () => this.desenhar(), { class: "l-botao l-principal" })), this.saida, this.desenho);
  }

  async desenhar() {
    const fim = mostrarQueRoda(this.saida, this.lista.maquina);
    const dito = await this.lista.maquina.pedir("veja", this.lista.pedido()).finally(fim);
    mostrarResultado(this.saida, { ...dito, situacao: dito.situacao === "certa" ? "rodou" : dito.situacao, saida: " " }, this.lista);
    if (dito.situacao === "certa") this.saida.querySelector(".l-texto")?.remove();
    const desenhar = { "lista-02": desenharA02, "lista-04": desenharA04 }[this.lista.lista];
    this.desenho.replaceChildren(...(dito.dados ? desenhar(dito.dados, this) : []));
  }
}

// ---------------------------------------------------------------- a lista 02

function desenharA02({ caminho, olhares, empurroes }) {
  return [
    caminho && h("h3", {}, "empilhar: para onde as palavras vão"),
    caminho && aoLongoDasCamadas(caminho),
    olhares && h("h3", {}, "Quem olha para quem, em cada camada"),
    olhares && cabecas(olhares),
    empurroes && h("h3", {}, "empurrar: os pesos de manga quando se empurra costureira"),
    empurroes && empurrando(empurroes),
  ].filter(Boolean);
}

/** O plano da frase do rato, com as palavras onde a `empilhar` as deixou depois de cada camada. */
function aoLongoDasCamadas({ palavras, quadros, T }) {
  const nomes = palavras.map((p) => String(p).replace(/\.$/, ""));
  const dados = (camada) => ({
    frases: [nomes.join(" ")],
    tabela: Object.fromEntries(nomes.map((nome, n) => [nome, quadros[camada][n].map(BONS)])),
    grupos: [],
    destaque: "rato",
    temperatura: T,
    com_escala: false,
    escala: false,
    dimensoes: [],
    cabecas: [],
    projecoes: false,
    desafios: [],
  });
  const modelo = modeloDe({ dados: dados(0), estado: {} });
  const qual = (camada) => (camada === 0 ? "no começo" : camada === 1 ? "depois de 1 camada" : `depois de ${camada} camadas`);
  const escolha = h("select", { id: "veja-camada", aoChange: () => modelo.set("dados", dados(Number(escolha.value))) }, quadros.map((_, c) => h("option", { value: c }, qual(c))));
  return h("div", {}, h("p", {}, h("label", { for: "veja-camada" }, "As palavras "), escolha), abrir("plano", modelo));
}

/** Um controle do empurrão, e uma barra para cada palavra. */
function empurrando({ palavras, empurroes, pesos, olhadas }) {
  const barras = palavras.map((palavra) => ({ palavra, barra: h("meter", { min: 0, max: 1 }), valor: h("output", {}) }));
  const dito = h("p", { role: "status" });
  const mostrar = () => {
    const i = Number(controle.value);
    barras.forEach(({ palavra, barra, valor }, n) => {
      const peso = BONS(pesos[i][n]);
      barra.value = peso;
      barra.setAttribute("aria-label", `peso de ${palavra}`);
      valor.textContent = peso.toFixed(2).replace(".", ",");
    });
    const quantas = olhadas ? ` Na prática, manga olha para ${numero(Math.round(10 * BONS(olhadas[i])) / 10)} palavras.` : "";
    dito.textContent = `Com a pontuação de costureira ${empurroes[i] < 0 ? "descendo" : "subindo"} ${numero(Math.abs(empurroes[i]))}.${quantas}`;
  };
  const meio = Math.max(0, empurroes.indexOf(0));
  const controle = h("input", { type: "range", id: "veja-empurrao", min: 0, max: empurroes.length - 1, step: 1, value: meio, aoInput: mostrar });
  mostrar();
  return h(
    "div",
    {},
    h("p", {}, h("label", { for: "veja-empurrao" }, "O empurrão "), controle),
    dito,
    h("table", { class: "l-barras" }, h("tbody", {}, barras.map(({ palavra, barra, valor }) => h("tr", {}, h("th", { scope: "row" }, palavra), h("td", {}, barra), h("td", {}, valor))))),
  );
}

// ---------------------------------------------------------------- a lista 04

function desenharA04({ leitura, telegramas = [], conhece }, ver) {
  const feitos = [];
  if (leitura) feitos.push(h("p", {}, `Na sua cabeça, quem tem ${leitura.procura} procura quem tem ${leitura.oferece}.`));
  if (telegramas.length) feitos.push(h("h3", {}, "A palavra que a sua cabeça acha"), comTelegrama(telegramas, conhece, ver));
  return feitos;
}

/** Um dos telegramas, à escolha, ou um de quem escreve, que a cabeça dele lê na hora. */
function comTelegrama(telegramas, conhece, ver) {
  const modelo = modeloDe(paraCabecas(telegramas[0], true));
  modelo.send = async ({ calcular }) => {
    if (!calcular) return;
    const dito = await ver.lista.maquina.pedir("veja", { ...ver.lista.pedido(), frase: calcular });
    const [lido] = dito.dados?.telegramas ?? [];
    if (!lido) return modelo.avisar("msg:custom", { recusado: dito.dados?.recusa ?? dito.frase });
    modelo.trocar(paraCabecas(lido, true, calcular));
  };
  const escolha = h(
    "select",
    { id: "veja-telegrama", aoChange: () => modelo.trocar(paraCabecas(telegramas[Number(escolha.value)], true)) },
    telegramas.map((t, i) => h("option", { value: i }, t.tokens.join(" "))),
  );
  return h(
    "div",
    {},
    h("p", {}, h("label", { for: "veja-telegrama" }, "O telegrama "), escolha),
    abrir("cabecas", modelo),
    conhece && h("details", { class: "l-nota" }, h("summary", {}, "Que palavras têm ficha?"), h("p", {}, conhece.join(", "))),
  );
}

// ---------------------------------------------------------------- os exploradores

function cabecas(mapas) {
  return abrir("cabecas", modeloDe(paraCabecas(mapas)));
}

/** Os pesos (camadas, cabeças, N, N) como o explorador *As cabeças* os espera: float16, na bagagem. */
function paraCabecas({ tokens, pesos }, aceita = false, frase = "") {
  const todos = pesos.flat(3);
  const bagagem = new DataView(new ArrayBuffer(2 * todos.length));
  todos.forEach((peso, i) => bagagem.setUint16(2 * i, emFloat16(BONS(peso)), true));
  const dados = { tokens: tokens.map(String), camadas: pesos.length, cabecas: pesos[0].length, causal: false, inicial: [0, 0], bagagem: "pesos", aceita_frase: aceita, frase };
  return { dados, bagagem, estado: {} };
}

/** Um peso, de 0 a 1, em 16 bits (1 de sinal, 5 de expoente, 10 de fração). */
function emFloat16(x) {
  if (!(x > 0)) return 0;
  const expoente = Math.floor(Math.log2(x));
  if (expoente < -14) return Math.round(x * 2 ** 24);
  return ((expoente + 15) << 10) + Math.round((x / 2 ** expoente - 1) * 1024);
}

/** Um `model` com o contrato do anywidget, para quem não tem kernel. */
function modeloDe(valores) {
  const ouvintes = {};
  const modelo = {
    get: (nome) => valores[nome],
    set(nome, valor) {
      valores[nome] = valor;
      modelo.avisar(`change:${nome}`);
    },
    trocar(novos) {
      valores.bagagem = novos.bagagem;
      modelo.set("dados", novos.dados);
    },
    avisar: (evento, ...dito) => (ouvintes[evento] ?? []).forEach((f) => f(...dito)),
    save_changes() {},
    on: (evento, f) => void (ouvintes[evento] ??= []).push(f),
    off: (evento, f) => void (ouvintes[evento] = (ouvintes[evento] ?? []).filter((g) => g !== f)),
  };
  return modelo;
}

function abrir(nome, model) {
  const el = h("div", { class: "l-explorador" });
  window.EXPLORADORES[nome]({ model, el });
  return el;
}
