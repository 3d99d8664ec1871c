// As curvas dos treinos guardados: um controle anda pelos passos em que se mediu, e ao lado está o que o modelo escrevia.
(() => {
  "use strict";
  const { regua, treinos } = globalThis.TREINOS_GUARDADOS;
  const L = matchMedia("(max-width: 640px)").matches ? 340 : 640; // o desenho, em unidades do SVG: no celular a letra não encolhe
  const A = 300, ESQ = 30, DIR = 8, CIMA = 10, BAIXO = 40;
  const CORES = ["var(--treino-1)", "var(--treino-2)", "var(--treino-3)", "var(--treino-4)"];

  const escrito = (x, casas = 2) => x.toFixed(casas).replace(".", ",");

  function no(etiqueta, atributos = {}, ...dentro) {
    const feito = document.createElement(etiqueta);
    for (const [nome, valor] of Object.entries(atributos)) feito.setAttribute(nome, valor);
    feito.append(...dentro);
    return feito;
  }

  function svg(etiqueta, atributos = {}, ...dentro) {
    const feito = document.createElementNS("http://www.w3.org/2000/svg", etiqueta);
    for (const [nome, valor] of Object.entries(atributos)) feito.setAttribute(nome, valor);
    feito.append(...dentro);
    return feito;
  }

  /** O começo, onde tudo muda depressa, ocupa mais: a mesma escala das figuras das aulas. */
  const esticado = (passo) => Math.log1p(passo / 20);

  function desenho(quais, escolhido) {
    const ultimo = Math.max(...quais.flatMap((t) => t.passos));
    const perdas = quais.flatMap((t) => [...t.validacao, ...t.treino]);
    const [menor, maior] = [Math.floor(Math.min(...perdas) * 2) / 2, Math.ceil(Math.max(...perdas) * 2) / 2];
    const x = (passo) => ESQ + ((L - ESQ - DIR) * esticado(passo)) / esticado(ultimo);
    const y = (perda) => CIMA + ((A - CIMA - BAIXO) * (maior - perda)) / (maior - menor);
    const quadro = svg("svg", { viewBox: `0 0 ${L} ${A}`, "aria-hidden": "true" });
    for (let p = Math.ceil(menor); p <= maior; p++)
      quadro.append(svg("line", { class: "grade", x1: ESQ, x2: L - DIR, y1: y(p), y2: y(p) }), svg("text", { x: ESQ - 8, y: y(p) + 4, "text-anchor": "end" }, String(p)));
    for (const p of [0, 20, 100, 400, 1200, 2000].filter((p) => p <= ultimo && (p !== 1200 || ultimo === 1200)))
      quadro.append(svg("text", { x: x(p), y: A - BAIXO + 18, "text-anchor": p === ultimo ? "end" : "middle" }, String(p)));
    quadro.append(svg("text", { x: (ESQ + L) / 2, y: A - 4, "text-anchor": "middle" }, "passo"));
    for (const [nome, perda] of Object.entries(regua)) {
      if (perda < menor || perda > maior) continue;
      quadro.append(svg("line", { class: "regua", x1: ESQ, x2: L - DIR, y1: y(perda), y2: y(perda) }));
      quadro.append(svg("text", { class: "da-regua", x: L - DIR, y: y(perda) - 4, "text-anchor": "end" }, nome));
    }
    quais.forEach((t, k) => {
      const linha = (valores) => t.passos.map((p, i) => `${i ? "L" : "M"}${x(p).toFixed(1)} ${y(valores[i]).toFixed(1)}`).join("");
      const forte = k === escolhido ? " forte" : "";
      if (k === escolhido) quadro.append(svg("path", { class: "de-treino", d: linha(t.treino), style: `stroke:${CORES[k % 4]}` }));
      quadro.append(svg("path", { class: `de-validacao${forte}`, d: linha(t.validacao), style: `stroke:${CORES[k % 4]}` }));
    });
    const haste = svg("line", { class: "haste", y1: CIMA, y2: A - BAIXO });
    const ponto = svg("circle", { class: "ponto", r: 6, style: `fill:${CORES[escolhido % 4]}` });
    quadro.append(haste, ponto);
    return { quadro, ir(passo, perda) {
      haste.setAttribute("x1", x(passo));
      haste.setAttribute("x2", x(passo));
      ponto.setAttribute("cx", x(passo));
      ponto.setAttribute("cy", y(perda));
    } };
  }

  /** O que o modelo escrevia: a amostra guardada neste passo ou, se ali não se guardou, na última vez antes dele. */
  function amostra(treino, passo) {
    const guardados = Object.keys(treino.amostras).map(Number).filter((p) => p <= passo);
    if (!guardados.length) return null;
    const de = Math.max(...guardados);
    return { de, texto: treino.amostras[de].trim() };
  }

  const degrau = (perda) => Object.entries(regua).filter(([, valor]) => perda < valor).sort((a, b) => a[1] - b[1])[0]?.[0];

  function montar(lugar, n) {
    const quais = lugar.dataset.treinos.split(" ").map((nome) => treinos[nome]);
    let escolhido = 0;
    let marca = null;
    const id = `treinos-${n}`;
    const escolha = no("select", { id: `${id}-qual` }, ...quais.map((t, i) => no("option", { value: i }, t.rotulo)));
    const passos = no("input", { type: "range", min: 0, step: 1, id: `${id}-passo` });
    const visor = no("output", { for: `${id}-passo` });
    const figura = no("div", { class: "treinos-figura" });
    const numeros = no("p", { class: "treinos-numeros" });
    const de = no("p", { class: "treinos-de" });
    const texto = no("div", { class: "treinos-texto", role: "region", tabindex: "0", "aria-label": "O que o modelo escrevia" });

    function andar() {
      const t = quais[escolhido];
      const i = Number(passos.value);
      const [passo, validacao] = [t.passos[i], t.validacao[i]];
      marca.ir(passo, validacao);
      visor.textContent = passo;
      const abaixo = degrau(validacao);
      const onde = abaixo ? `abaixo de: ${abaixo}` : "acima de toda a régua";
      passos.setAttribute("aria-valuetext", `passo ${passo}, perda de validação ${escrito(validacao)}, ${onde}`);
      numeros.textContent = `Perda: ${escrito(validacao)} na validação e ${escrito(t.treino[i])} no treino (${onde}).`;
      const escrita = amostra(t, passo);
      texto.hidden = !escrita;
      de.textContent = escrita ? `O que ele escrevia no passo ${escrita.de}:` : "Deste treino não se guardou o que o modelo escrevia.";
      texto.textContent = escrita?.texto ?? "";
    }

    function abrir() {
      const t = quais[escolhido];
      marca = desenho(quais.length > 6 ? [quais[0], t] : quais, quais.length > 6 ? 1 : escolhido);
      figura.replaceChildren(marca.quadro);
      passos.max = t.passos.length - 1;
      passos.value = Math.min(Number(passos.value), t.passos.length - 1);
      andar();
    }

    escolha.addEventListener("change", () => {
      escolhido = escolha.selectedIndex;
      abrir();
    });
    passos.addEventListener("input", andar);
    passos.value = 0;
    lugar.setAttribute("role", "group");
    lugar.setAttribute("aria-label", "O treino, passo a passo");
    lugar.append(
      no("p", { class: "treinos-titulo" }, "O treino, passo a passo"),
      no("div", { class: "treinos-controles" },
        no("label", { for: `${id}-qual` }, "treino ", escolha), no("label", { for: `${id}-passo` }, "passo ", passos, visor)),
      figura,
      no("p", { class: "treinos-legenda" }, "Linha cheia: validação. Pontilhada: treino. As mais finas: os outros treinos. Tracejadas: a régua, que só conta letras."),
      numeros, de, texto);
    abrir();
  }

  document.querySelectorAll("[data-treinos]").forEach(montar);
})();
