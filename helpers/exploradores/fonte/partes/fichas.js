// As palavras da frase, como fichas que se escolhem, andam e saem; e os desafios do plano.

// ------------------------------------------------------------ as fichas: as palavras da frase

/** Um botão por palavra: escolhe quem olha, anda com o mouse (ou Shift e uma seta) e sai da frase (Delete, ou o botão). */
function fazerFichas(casa, escolhas, aoEscolher, aoTrocar) {
  const grupo = h("div", { class: "palavras", role: "radiogroup", "aria-label": texto("plano.quem_olha") });
  const dela = (chave) => texto(chave, { palavra: escolhas.palavras[escolhas.frente] });
  const ferramentas = [
    ["plano.para_tras", "M10 3 5 8l5 5", () => levar(-1)],
    ["plano.para_frente", "M6 3l5 5-5 5", () => levar(1)],
    ["plano.tirar", "M4 4l8 8M12 4l-8 8", tirar],
  ].map(([chave, icone, acao]) => {
    const no = botao(dela(chave), () => acao(escolhas.frente), { class: "so-icone", icone });
    no.nomear = () => Object.entries({ "aria-label": dela(chave), title: dela(chave) }).forEach(([k, v]) => no.setAttribute(k, v));
    return no;
  });

  /** A palavra n vai para a posição m, e o resto dá lugar. */
  function reordenar(n, m) {
    const novas = [...escolhas.palavras];
    const [palavra] = novas.splice(n, 1);
    novas.splice(m, 0, palavra);
    aoTrocar(novas, m, texto("plano.foi_para", { palavra, n: m + 1 }));
  }
  function levar(passo, n = escolhas.frente) {
    const m = limitar(n + passo, 0, escolhas.palavras.length - 1);
    if (m !== n) reordenar(n, m);
  }
  function tirar(n) {
    if (escolhas.palavras.length < 2) return;
    const novas = escolhas.palavras.filter((_, i) => i !== n);
    const { frente } = escolhas;
    aoTrocar(novas, Math.min(n < frente ? frente - 1 : frente, novas.length - 1), texto("plano.saiu", { palavra: escolhas.palavras[n] }));
  }
  grupo.addEventListener("keydown", (evento) => {
    const n = [...grupo.children].indexOf(evento.target);
    const passo = evento.shiftKey ? { ArrowLeft: -1, ArrowRight: 1 }[evento.key] : 0;
    const sai = ["Delete", "Backspace"].includes(evento.key);
    if (n < 0 || !(passo || sai)) return;
    evento.preventDefault();
    evento.stopPropagation();
    if (sai) tirar(n);
    else levar(passo, n);
  }, true);
  arrastarFichas(grupo, reordenar, tirar);

  return {
    no: h("div", { class: "fichas" }, grupo, h("div", { class: "ferramentas" }, ferramentas)),
    /** As fichas são outras; se uma delas tinha o foco, ele vai para a de quem fica na frente. */
    montar(frente) {
      const comFoco = grupo.contains(grupo.getRootNode().activeElement);
      trocarPalavras(grupo, escolhas.palavras, aoEscolher);
      escolhas.frente = frente;
      if (comFoco) grupo.children[frente].focus();
    },
    marcar() {
      marcarPalavra(grupo, escolhas.frente);
      ferramentas.forEach((f) => f.nomear());
      ferramentas[2].disabled = escolhas.palavras.length < 2;
    },
  };
}

/** Pelo mouse ou pelo dedo: solta entre outras, a ficha muda de lugar; solta longe, sai da frase. */
function arrastarFichas(grupo, reordenar, tirar) {
  const LONGE = 44;
  let pega = null;
  const destino = ({ clientX, clientY }) => {
    const caixa = grupo.getBoundingClientRect();
    if (clientY < caixa.top - LONGE || clientY > caixa.bottom + LONGE) return -1;
    const depois = (r) => clientY > r.bottom || (clientY >= r.top && clientX > r.left + r.width / 2);
    return pega.caixas.filter((r, i) => i !== pega.n && depois(r)).length;
  };
  grupo.addEventListener("pointerdown", (evento) => {
    const n = [...grupo.children].indexOf(evento.target.closest(".palavra"));
    if (n < 0 || evento.button) return;
    pega = { n, no: grupo.children[n], de: [evento.clientX, evento.clientY], andou: false,
      caixas: [...grupo.children].map((no) => no.getBoundingClientRect()) };
    ouvir("addEventListener");
  });
  const ouvir = (como) => { // na janela: quem puxa depressa sai da ficha entre um movimento e outro
    window[como]("pointermove", andar);
    for (const fim of ["pointerup", "pointercancel"]) window[como](fim, soltar);
  };
  function andar(evento) {
    const [dx, dy] = [evento.clientX - pega.de[0], evento.clientY - pega.de[1]];
    pega.andou ||= Math.hypot(dx, dy) > 6;
    if (!pega.andou) return;
    const m = destino(evento);
    pega.no.style.transform = `translate(${dx}px, ${dy}px)`;
    pega.no.classList.toggle("fora-da-frase", m < 0);
    pega.no.classList.add("levada");
    const outras = [...grupo.children].filter((_, i) => i !== pega.n);
    outras.forEach((no, i) => {
      no.classList.toggle("abre-antes", i === m);
      no.classList.toggle("abre-depois", m === outras.length && i === m - 1);
    });
  }
  function soltar(evento) {
    const solta = pega;
    const m = solta.andou && evento.type === "pointerup" ? destino(evento) : solta.n;
    pega = null;
    ouvir("removeEventListener");
    solta.no.style.transform = "";
    [...grupo.children].forEach((no) => no.classList.remove("levada", "fora-da-frase", "abre-antes", "abre-depois"));
    if (m < 0) tirar(solta.n);
    else if (m !== solta.n) reordenar(solta.n, m);
  }
}

// ------------------------------------------------------------ os desafios

/** Cada desafio é um alvo no plano, a que a seta de uma palavra precisa chegar com tantas palavras, sem mexer em mais nada. */
function fazerDesafios(casa, escolhas, refazer) {
  const { desafios = [], tabela, destaque, frases } = casa.dados;
  const no = h("div", { class: "desafios", hidden: !desafios.length });
  const feitos = new Set();
  let aberto = -1;
  const placar = h("p", { class: "placar" });
  const botoes = desafios.map((d, i) => botao(texto("plano.desafio", { n: i + 1 }), () => abrir(i === aberto ? -1 : i), { "aria-pressed": "false" }));
  no.append(h("h3", {}, texto("plano.desafios")), h("div", { class: "botoes" }, botoes), placar);

  function abrir(i) {
    aberto = i;
    botoes.forEach((b, j) => b.setAttribute("aria-pressed", String(i === j)));
    refazer();
  }
  const comoNoComeco = () => !Object.keys(escolhas.pontos).length && !escolhas.camadas && Math.abs(escolhas.temperatura - (casa.dados.temperatura ?? 1)) < 1e-9;

  /** Diz quanto falta para o desafio aberto; null, se nenhum está. */
  function conferir({ Y }) {
    const d = desafios[aberto];
    if (!d) {
      placar.textContent = desafios.length ? texto("plano.feitos", { feitos: feitos.size, total: desafios.length }) : "";
      return null;
    }
    const n = escolhas.palavras.lastIndexOf(destaque), longe = n < 0 ? Infinity : Math.hypot(...Y[n].map((y, i) => y - tabela[d.alvo][i]));
    const certas = escolhas.palavras.length === d.palavras && n >= 0 && comoNoComeco();
    if (certas && longe <= d.raio) feitos.add(aberto);
    const falta = !comoNoComeco() ? texto("plano.sem_mexer") : n < 0 ? texto("plano.sem_destaque", { destaque })
      : escolhas.palavras.length !== d.palavras ? texto("plano.quantas", { ha: escolhas.palavras.length, pede: d.palavras })
      : longe > d.raio ? texto("plano.falta", { quanto: numero(longe - d.raio) }) : texto(feitos.size === desafios.length ? "plano.todos" : "plano.chegou");
    botoes.forEach((b, j) => b.classList.toggle("feito", feitos.has(j)));
    botoes.forEach((b, j) => (b.firstChild.textContent = texto(feitos.has(j) ? "plano.desafio_feito" : "plano.desafio", { n: j + 1 })));
    placar.textContent = `${d.pede} ${falta}`;
    placar.classList.toggle("feito", certas && longe <= d.raio);
    return falta;
  }
  return { no, conferir, feitos: () => feitos.size, alvo: () => (aberto < 0 ? null : { ponto: tabela[desafios[aberto].alvo], raio: desafios[aberto].raio }) };
}
