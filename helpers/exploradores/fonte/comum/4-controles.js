// Os controles: os do navegador, que já se usam pelo teclado e já são lidos em voz alta, com um rótulo e o valor à vista.

let proximoId = 0;

/** Com `icone` (o `d` de um caminho em uma caixa de 16 por 16), o rótulo só é lido em voz alta. */
function botao(rotulo, aoApertar, { icone, tecla, ...atributos } = {}) {
  const dentro = icone ? s("svg", { "aria-hidden": "true", viewBox: "0 0 16 16", width: 16, height: 16 }, s("path", { d: icone })) : rotulo;
  const extra = tecla ? h("kbd", { "aria-hidden": "true" }, tecla) : null;
  const nome = icone ? { "aria-label": rotulo, title: rotulo } : {};
  return h("button", { type: "button", ...nome, ...atributos, aoClick: aoApertar }, dentro, extra);
}

/** Um controle deslizante. `mostrar(valor)` é o que se lê ao lado dele; `.por(valor)` o muda por programa. */
function deslizante({ rotulo, minimo, maximo, passo, valor, mostrar = (x) => numero(x), aoMudar, ajuda }) {
  const id = `controle-${proximoId++}`;
  const entrada = h("input", { type: "range", id, min: minimo, max: maximo, step: passo });
  const visor = h("output", { for: id });
  const escrever = () => {
    const lido = mostrar(Number(entrada.value));
    visor.textContent = lido;
    entrada.setAttribute("aria-valuetext", lido);
  };
  entrada.value = valor;
  entrada.addEventListener("input", () => {
    escrever();
    aoMudar(Number(entrada.value));
  });
  escrever();
  const no = h("div", { class: "controle" }, h("label", { for: id, title: ajuda }, formula(rotulo)), visor, entrada);
  no.por = (novo) => {
    entrada.value = novo;
    escrever();
  };
  return no;
}

function interruptor({ rotulo, valor, aoMudar }) {
  const entrada = h("input", { type: "checkbox", role: "switch", checked: valor });
  entrada.addEventListener("change", () => aoMudar(entrada.checked));
  const no = h("label", { class: "interruptor" }, entrada, h("span", {}, formula(rotulo)));
  no.por = (novo) => {
    entrada.checked = novo;
  };
  return no;
}

/** Uma lista de opções: textos, ou [valor, texto]. */
function escolha({ rotulo, opcoes, valor, aoMudar }) {
  const id = `controle-${proximoId++}`;
  const pares = opcoes.map((o) => (Array.isArray(o) ? o : [o, o]));
  const lista = h("select", { id }, pares.map(([v, t]) => h("option", { value: v, selected: v === valor }, t)));
  lista.addEventListener("change", () => aoMudar(pares[lista.selectedIndex][0]));
  const no = h("div", { class: "controle" }, h("label", { for: id }, formula(rotulo)), lista);
  no.por = (novo) => {
    lista.value = novo;
  };
  return no;
}

/** Um campo de texto, que avisa a cada letra. */
function campo({ rotulo, valor, aoMudar, ...atributos }) {
  const id = `controle-${proximoId++}`;
  const entrada = h("input", { type: "text", id, autocomplete: "off", spellcheck: "false", ...atributos });
  entrada.value = valor;
  entrada.addEventListener("input", () => aoMudar(entrada.value));
  const no = h("div", { class: "controle largo" }, h("label", { for: id }, rotulo), entrada);
  no.entrada = entrada;
  no.por = (novo) => {
    if (entrada.value !== novo) entrada.value = novo;
  };
  return no;
}

/** Foco que anda: um só dos `elementos` está no caminho do Tab, e as setas levam aos outros (Home e End, às pontas).
 *  Com `colunas`, é uma grade. `aoChegar(indice)` é chamado quando um deles recebe o foco. */
function focoQueAnda(elementos, { colunas = 1, aoChegar = () => {}, inicial = 0 } = {}) {
  const marcar = (qual) => elementos.forEach((e, i) => e.setAttribute("tabindex", i === qual ? "0" : "-1"));
  const ir = (i) => {
    marcar(i);
    elementos[i].focus();
  };
  elementos.forEach((elemento, i) => {
    elemento.addEventListener("focus", () => {
      marcar(i);
      aoChegar(i);
    });
    elemento.addEventListener("keydown", (evento) => {
      const destino = passoDe(evento.key, i, elementos.length, colunas);
      if (destino === null) return;
      evento.preventDefault();
      evento.stopPropagation();
      ir(destino);
    });
  });
  if (elementos.length) marcar(limitar(inicial, 0, elementos.length - 1));
  return ir;
}

function passoDe(tecla, i, total, colunas) {
  const grade = colunas > 1;
  const passos = { ArrowDown: grade ? colunas : 1, ArrowUp: grade ? -colunas : -1, ArrowRight: 1, ArrowLeft: -1 };
  if (tecla === "Home") return grade ? i - (i % colunas) : 0;
  if (tecla === "End") return grade ? i - (i % colunas) + colunas - 1 : total - 1;
  if (!(tecla in passos)) return null;
  const lateral = tecla === "ArrowRight" || tecla === "ArrowLeft";
  const destino = i + passos[tecla];
  const mudaDeLinha = grade && lateral && Math.floor(destino / colunas) !== Math.floor(i / colunas);
  return destino < 0 || destino >= total || mudaDeLinha ? i : destino;
}
