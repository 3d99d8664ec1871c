// Os controles de uma figura que, no notebook, o kernel redesenha: aqui ela anda entre quadros guardados. De cada posição só
// vieram as linhas do SVG que mudam (gabarito/quadros.py). Sem este programa, ou sem os quadros, fica a imagem.
(() => {
  "use strict";
  const esperando = new Map(); // nome dos quadros → quem os espera

  function pedir(nome, programa) {
    return new Promise((resolver, recusar) => {
      esperando.set(nome, resolver);
      const script = Object.assign(document.createElement("script"), { src: programa });
      script.addEventListener("error", recusar);
      document.head.append(script);
    });
  }

  globalThis.chegaramOsQuadros = (nome, base64) => esperando.get(nome)?.(base64);

  async function abertos(base64) {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const aberto = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(aberto).text());
  }

  function aplicar(base, quadro) {
    const feito = [];
    let ate = 0;
    for (const [de, fim, linhas] of quadro) {
      feito.push(...base.slice(ate, de), ...linhas);
      ate = fim;
    }
    return feito.concat(base.slice(ate)).join("\n");
  }

  function novo(etiqueta, atributos, ...dentro) {
    const no = document.createElement(etiqueta);
    Object.assign(no, atributos);
    no.append(...dentro);
    return no;
  }

  const escrito = (valor, casas) => (casas === null ? String(valor) : valor.toFixed(casas).replace(".", ",").replace("-", "−"));

  function controle({ rotulo, tipo, casas, valores, inicial }, aoMudar) {
    if (tipo === "lista") {
      const lista = novo("select", {}, ...valores.map((texto, i) => novo("option", { selected: i === inicial }, texto)));
      lista.addEventListener("change", () => aoMudar(lista.selectedIndex));
      return novo("label", {}, rotulo, lista);
    }
    if (tipo === "checkbox") {
      const marca = novo("input", { type: tipo, checked: valores[inicial] });
      marca.addEventListener("change", () => aoMudar(valores.indexOf(marca.checked)));
      return novo("label", {}, marca, rotulo);
    }
    const entrada = novo("input", { type: "range", min: 0, max: valores.length - 1, step: 1 });
    const visor = novo("output", {});
    const escrever = () => {
      visor.textContent = escrito(valores[entrada.value], casas);
      entrada.setAttribute("aria-valuetext", visor.textContent);
    };
    entrada.value = inicial;
    entrada.addEventListener("input", () => {
      escrever();
      aoMudar(Number(entrada.value));
    });
    escrever();
    return novo("label", {}, rotulo, entrada, visor);
  }

  function montar(lugar, dados) {
    const { controles, base, quadros, alt } = dados;
    const onde = controles.map((c) => c.inicial);
    const figura = novo("div", { className: "quadros-figura" });
    figura.setAttribute("role", "img");
    figura.setAttribute("aria-label", alt);
    const desenhar = () => {
      const n = onde.reduce((ate, i, k) => ate * controles[k].valores.length + i, 0);
      figura.innerHTML = aplicar(base, quadros[n]);
      const desenho = figura.firstElementChild;
      desenho.removeAttribute("width");
      desenho.removeAttribute("height");
      desenho.setAttribute("aria-hidden", "true");
    };
    const mesa = novo("div", { className: "quadros-controles" });
    controles.forEach((c, k) => mesa.append(controle(c, (i) => { onde[k] = i; desenhar(); })));
    desenhar();
    lugar.append(mesa, figura);
    if (controles.some((c) => c.valores.length < c.havia))
      lugar.append(novo("p", { className: "quadros-nota" }, "Aqui os controles andam aos saltos. No notebook, passam por todos os valores."));
    imagemDe(lugar)?.classList.add("quadros-trocada");
  }

  /** A imagem parada: a última antes dos controles, na célula que vem logo acima. */
  function imagemDe(lugar) {
    const imagens = [...document.querySelectorAll("img")].filter((img) => img.compareDocumentPosition(lugar) & Node.DOCUMENT_POSITION_FOLLOWING);
    return imagens.at(-1);
  }

  async function abrir(lugar) {
    try {
      montar(lugar, await abertos(await pedir(lugar.dataset.quadros, lugar.dataset.programa)));
    } catch {
      lugar.append(novo("p", { className: "quadros-nota" }, "Os quadros desta figura não chegaram, e ela fica parada."));
    }
  }

  const vigia = new IntersectionObserver((entradas) => {
    for (const { isIntersecting, target } of entradas) {
      if (!isIntersecting) continue;
      vigia.unobserve(target);
      abrir(target);
    }
  }, { rootMargin: "600px" });
  for (const lugar of document.querySelectorAll("[data-quadros]")) vigia.observe(lugar);
})();
