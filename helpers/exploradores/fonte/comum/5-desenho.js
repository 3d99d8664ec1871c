// Desenhar: setas, cores de mapas de calor, animação.

/** Uma seta em SVG, de (x1, y1) a (x2, y2), que se muda com `.por(x1, y1, x2, y2)`. */
function seta({ tinta, espessura = 2, classe = "" }) {
  const linha = s("line", { "stroke-width": espessura, "stroke-linecap": "round" });
  const ponta = s("path", { "stroke-linejoin": "round" });
  const no = s("g", { class: `seta ${classe}`, style: { stroke: tinta, fill: tinta } }, linha, ponta);
  no.por = (x1, y1, x2, y2) => {
    const comprimento = Math.hypot(x2 - x1, y2 - y1);
    const tamanho = Math.min(4 + 3 * espessura, comprimento);
    const [ux, uy] = comprimento > 1e-6 ? [(x2 - x1) / comprimento, (y2 - y1) / comprimento] : [0, 0];
    const [bx, by] = [x2 - ux * tamanho, y2 - uy * tamanho];
    mudar(linha, { x1, y1, x2: bx, y2: by });
    const lado = tamanho * 0.42;
    mudar(ponta, { d: `M${x2} ${y2} L${bx - uy * lado} ${by + ux * lado} L${bx + uy * lado} ${by - ux * lado} Z` });
    no.style.visibility = comprimento < 1.5 ? "hidden" : "visible";
  };
  return no;
}

/** A cor de uma casa de mapa de calor, de `papel`, com força de −1 a 1; os negativos vão para outra cor.
 *  Nem a mais forte tira o contraste das letras (--teto). */
function tinta(papel, forca) {
  const parte = Math.min(1, Math.abs(forca)).toFixed(3);
  return `color-mix(in srgb, ${forca < 0 ? "var(--negativo)" : cor(papel)} calc(var(--teto) * ${parte}), var(--fundo))`;
}

/** Leva de 0 a 1 em `ms` e chama f(t) a cada quadro; com movimento reduzido, chama só f(1). Devolve como parar. */
function animar(casa, ms, f) {
  if (!casa.movimento() || ms <= 0) {
    f(1);
    return () => {};
  }
  let pedido = null;
  const inicio = performance.now();
  const quadro = (agora) => {
    const t = limitar((agora - inicio) / ms, 0, 1);
    f(1 - (1 - t) ** 3);
    if (t < 1) pedido = requestAnimationFrame(quadro);
  };
  pedido = requestAnimationFrame(quadro);
  return () => cancelAnimationFrame(pedido);
}

/** Junta muitos pedidos de redesenho em um por quadro. */
function umPorQuadro(f) {
  let marcado = false;
  return () => {
    if (marcado) return;
    marcado = true;
    requestAnimationFrame(() => {
      marcado = false;
      f();
    });
  };
}

/** Chama f(largura) agora e quando a largura de `no` muda; devolve como parar. */
function aoRedimensionar(no, f) {
  let antes = 0;
  const olheiro = new ResizeObserver(([entrada]) => {
    const largura = Math.floor(entrada.contentRect.width);
    if (largura > 0 && largura !== antes) f((antes = largura));
  });
  olheiro.observe(no);
  return () => olheiro.disconnect();
}
