// Os controles de `explorar`: os do navegador, com nome, e o valor escrito com vírgula. O que se mexe vai ao kernel na
// hora, e um de cada vez: enquanto ele desenha, só o último valor espera. Assim a figura acompanha a mão.

const ESTILO = `
.explorar { display: flex; flex-wrap: wrap; gap: 6px 24px; max-width: 760px; padding: 4px 0; line-height: 1.5;
  color: var(--jp-content-font-color1, inherit); font-family: var(--jp-content-font-family, inherit); }
.explorar label { display: flex; align-items: center; gap: 8px; min-height: 28px; }
.explorar input[type="range"] { width: 200px; accent-color: var(--jp-brand-color1, #1f5fd0); }
.explorar input[type="checkbox"] { width: 24px; height: 24px; accent-color: var(--jp-brand-color1, #1f5fd0); }
.explorar select, .explorar input[type="text"] { font: inherit; min-height: 28px; color: inherit;
  background: var(--jp-layout-color1, transparent); border: 1px solid currentColor; border-radius: 4px; }
.explorar output { min-width: 3.5em; font-variant-numeric: tabular-nums; }
.explorar p { margin: 0; flex-basis: 100%; }
`;
const DEMORA = 1500; // milissegundos sem resposta do kernel até que se diga alguma coisa

function novo(etiqueta, atributos, ...dentro) {
  const no = document.createElement(etiqueta);
  Object.assign(no, atributos);
  no.append(...dentro);
  return no;
}

function controle({ rotulo, tipo, valor, minimo, maximo, passo, casas, opcoes }, aoMudar) {
  if (tipo === "lista") {
    const lista = novo("select", {}, ...opcoes.map((texto) => novo("option", { selected: texto === valor }, texto)));
    lista.addEventListener("change", () => aoMudar(opcoes[lista.selectedIndex]));
    return novo("label", {}, rotulo, lista);
  }
  if (tipo === "range") {
    const entrada = novo("input", { type: tipo, min: minimo, max: maximo, step: passo });
    const visor = novo("output", {});
    const escrever = () => {
      const lido = Number(entrada.value).toFixed(casas).replace(".", ",").replace("-", "−");
      visor.textContent = lido;
      entrada.setAttribute("aria-valuetext", lido);
    };
    entrada.value = valor;
    entrada.addEventListener("input", () => {
      escrever();
      aoMudar(Number(entrada.value));
    });
    escrever();
    return novo("label", {}, rotulo, entrada, visor);
  }
  const marca = tipo === "checkbox";
  const entrada = novo("input", { type: tipo, [marca ? "checked" : "value"]: valor });
  entrada.addEventListener("input", () => aoMudar(marca ? entrada.checked : entrada.value));
  return novo("label", {}, ...(marca ? [entrada, rotulo] : [rotulo, entrada]));
}

function render({ model, el }) {
  const valores = { ...model.get("valores") };
  const espera = novo("p", {});
  espera.setAttribute("role", "status");
  let ocupado = false;
  let falta = false;
  let aviso = 0;

  function mandar() {
    falta = ocupado;
    if (ocupado) return;
    ocupado = true;
    aviso = setTimeout(() => { espera.textContent = "Esperando o kernel, que está ocupado…"; }, DEMORA);
    model.set("valores", { ...valores });
    model.set("pedido", model.get("pedido") + 1);
    model.save_changes();
  }

  function chegou() {
    clearTimeout(aviso);
    espera.textContent = "";
    ocupado = false;
    if (falta) mandar();
  }

  model.on("change:feito", chegou);
  const caixas = model.get("controles").map((c) =>
    controle({ ...c, valor: valores[c.nome] }, (valor) => {
      valores[c.nome] = valor;
      mandar();
    }));
  const raiz = novo("div", { className: "explorar" }, ...caixas, espera);
  raiz.setAttribute("role", "group");
  raiz.setAttribute("aria-label", "Controles da figura");
  el.append(novo("style", {}, ESTILO), raiz);
  // As setas são do controle, e não do JupyterLab, que com elas dobraria títulos; salvar continua valendo.
  const salva = (evento) => (evento.ctrlKey || evento.metaKey) && evento.key.toLowerCase() === "s";
  const calar = (evento) => raiz.contains(evento.target) && evento.target.toggleAttribute("data-lm-suppress-shortcuts", !salva(evento));
  window.addEventListener("keydown", calar, true); // antes do JupyterLab, que escuta no document
  return () => {
    window.removeEventListener("keydown", calar, true);
    model.off("change:feito", chegou);
  };
}

export default { render };
