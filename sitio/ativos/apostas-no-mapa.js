// O mapa da página inicial lembra as apostas que se fizeram neste navegador: quantas, de quantas, em cada aula.
(() => {
  "use strict";
  let feitas = {};
  try {
    feitas = JSON.parse(localStorage.getItem("curso-atencao:apostas")) || {};
  } catch {}
  for (const [pagina, questoes] of Object.entries(globalThis.APOSTAS_DE_CADA_PAGINA)) {
    const numero = /^aulas\/(\d\d[a-z]?)-/.exec(pagina)?.[1];
    const cartao = numero && document.querySelector(`[data-aula="${numero}"]`);
    const apostadas = questoes.filter((questao) => feitas[questao]?.aposta !== undefined).length;
    if (!cartao || !apostadas) continue;
    const texto = apostadas === questoes.length ? (apostadas === 1 ? "a aposta feita ✓" : `as ${apostadas} apostas feitas ✓`) : `${apostadas} de ${questoes.length} apostas`;
    cartao.append(Object.assign(document.createElement("span"), { className: "apostadas", textContent: texto }));
  }
})();
