// A página de busca. Quem procura não precisa acertar os acentos: eles saem do índice e do que se procura.
(() => {
  const dobrar = (texto) => texto.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  // letra a letra, para que um lugar no texto dobrado seja o mesmo no texto de verdade
  const dobrarNoLugar = (texto) => Array.from(texto, (letra) => (letra.length === 1 && dobrar(letra)[0]) || letra).join("");

  const motor = new MiniSearch({
    fields: ["pagina", "secao", "texto"],
    storeFields: ["onde", "pagina", "secao", "texto"],
    processTerm: (termo) => dobrar(termo) || null,
    searchOptions: {
      boost: { secao: 4, pagina: 2 },
      prefix: (termo) => termo.length > 2,
      fuzzy: (termo) => (termo.length > 5 ? 0.15 : false),
      combineWith: "AND",
    },
  });
  motor.addAll(window.INDICE_DA_BUSCA.map(([onde, pagina, secao, texto], id) => ({ id, onde, pagina, secao, texto })));

  const LIMITE = 40;
  const EM_VOLTA = 90; // letras antes e depois do que se achou
  const buscar = (pedido) => {
    const todas = motor.search(pedido);
    return todas.length ? todas : motor.search(pedido, { combineWith: "OR" });
  };
  window.buscarNoCurso = buscar; // os testes a chamam

  /** O pedaço do texto em que está o que se achou, com o achado marcado. */
  function pedaco(texto, termos) {
    const liso = dobrarNoLugar(texto);
    const lugares = termos.map((termo) => liso.search(new RegExp(`(?<![\\p{L}\\d])${escapar(termo)}`, "u")));
    const primeiro = Math.min(...lugares.filter((lugar) => lugar >= 0));
    const comeco = Number.isFinite(primeiro) ? Math.max(0, texto.lastIndexOf(" ", primeiro - EM_VOLTA)) : 0;
    const fim = Math.min(texto.length, comeco + 3 * EM_VOLTA);
    const p = document.createElement("p");
    let daqui = comeco;
    const marcas = new RegExp(`(?<![\\p{L}\\d])(?:${termos.map(escapar).join("|")})`, "gu");
    for (const achado of liso.slice(0, fim).matchAll(marcas)) {
      if (achado.index < daqui) continue;
      p.append(texto.slice(daqui, achado.index));
      const marca = document.createElement("mark");
      marca.textContent = texto.slice(achado.index, achado.index + achado[0].length);
      p.append(marca);
      daqui = achado.index + achado[0].length;
    }
    p.append(texto.slice(daqui, fim));
    if (comeco > 0) p.prepend("… ");
    if (fim < texto.length) p.append(" …");
    return p;
  }

  const escapar = (termo) => termo.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

  function item(achado) {
    const li = document.createElement("li");
    const ligacao = document.createElement("a");
    ligacao.href = achado.onde;
    ligacao.textContent = [achado.pagina, achado.secao].filter(Boolean).join(" › ");
    li.append(ligacao, pedaco(achado.texto, achado.terms));
    return li;
  }

  const formulario = document.getElementById("procura");
  const campo = formulario.elements.q;
  function mostrar() {
    const pedido = campo.value.trim();
    const achados = pedido ? buscar(pedido) : [];
    document.getElementById("achados").replaceChildren(...achados.slice(0, LIMITE).map(item));
    document.getElementById("quantos").textContent = !pedido
      ? ""
      : achados.length === 0
        ? `Não achei “${pedido}”. Tente uma palavra só, ou outra.`
        : `${achados.length} ${achados.length === 1 ? "lugar" : "lugares"}${achados.length > LIMITE ? `; os ${LIMITE} primeiros estão aqui` : ""}.`;
  }

  formulario.addEventListener("submit", (evento) => {
    evento.preventDefault();
    history.replaceState(null, "", `?q=${encodeURIComponent(campo.value)}`);
    mostrar();
  });
  let espera;
  campo.addEventListener("input", () => {
    clearTimeout(espera);
    espera = setTimeout(mostrar, 120);
  });
  campo.value = new URLSearchParams(location.search).get("q") ?? "";
  campo.focus();
  mostrar();
})();
