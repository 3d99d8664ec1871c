// As apostas na tela: o formulário de cada uma, o que abre depois, e a lembrança do que já se apostou, só neste navegador.
(() => {
  "use strict";
  const GAVETA = "curso-atencao:apostas";
  const FRASES = globalThis.FRASES_DAS_APOSTAS;

  // Há navegadores em que ler a gaveta já é um erro; sem ela, lembra-se até fechar a página.
  const lembradas = (() => {
    try {
      return JSON.parse(localStorage.getItem(GAVETA)) || {};
    } catch {
      return {};
    }
  })();

  function lembrar(questao, valor) {
    try {
      Object.assign(lembradas, JSON.parse(localStorage.getItem(GAVETA))); // outra aba pode ter apostado
    } catch {}
    lembradas[questao] = valor;
    try {
      localStorage.setItem(GAVETA, JSON.stringify(lembradas));
    } catch {}
  }

  function abrir() {
    for (const parte of document.querySelectorAll(".depois-da-aposta:not(.aberta)")) {
      if (!parte.dataset.de.split(" ").every((questao) => questao in lembradas)) continue;
      parte.classList.add("aberta");
      window.dispatchEvent(new Event("resize")); // o que se desenhou escondido mede-se de novo
    }
  }

  const escrita = (form) => (form.querySelector("input[type=radio]:checked") ?? form.querySelector("input[type=text]"))?.value ?? "";

  function mostrar(form, { aviso, frase, certa }) {
    const lugar = form.querySelector(".aposta-resposta");
    lugar.replaceChildren(...[aviso, frase].filter(Boolean).map((dita) => Object.assign(document.createElement("span"), { textContent: dita })));
    form.dataset.estado = frase ? (certa ? "certa" : "errada") : "falta";
  }

  function preparar(form) {
    const nome = form.dataset.aposta;
    const dados = [...document.querySelectorAll("script[data-da-aposta]")].find((no) => no.dataset.daAposta === nome);
    const questao = JSON.parse(dados.textContent);
    form.addEventListener("submit", (evento) => {
      evento.preventDefault();
      const aposta = escrita(form);
      const dito = globalThis.Aposta.responder(questao, aposta, FRASES);
      mostrar(form, dito);
      if (!dito.frase) return form.querySelector("input").focus();
      lembrar(nome, { aposta, certa: dito.certa });
      abrir();
    });
    const antes = lembradas[nome];
    if (!antes || antes.aposta === undefined) return;
    for (const campo of form.querySelectorAll("input")) {
      if (campo.type === "text") campo.value = antes.aposta;
      else campo.checked = campo.value === antes.aposta;
    }
    mostrar(form, globalThis.Aposta.responder(questao, antes.aposta, FRASES));
  }

  /** Quem segue uma ligação para dentro do que está fechado chega à aposta que o fecha. */
  function levarAteAposta() {
    const alvo = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const parte = alvo && alvo.closest(".depois-da-aposta:not(.aberta)");
    if (!parte) return;
    const falta = parte.dataset.de.split(" ").find((questao) => !(questao in lembradas));
    const form = [...document.querySelectorAll("form.aposta")].find((f) => f.dataset.aposta === falta);
    form?.scrollIntoView({ block: "center" });
    form?.querySelector("input").focus({ preventScroll: true });
  }

  for (const form of document.querySelectorAll("form.aposta")) preparar(form);
  for (const parte of document.querySelectorAll(".depois-da-aposta")) {
    const botao = parte.querySelector(":scope > .aposta-fechado button");
    botao?.addEventListener("click", () => {
      for (const questao of parte.dataset.de.split(" ")) if (!(questao in lembradas)) lembrar(questao, {});
      abrir();
      const primeiro = [...parte.children].find((no) => !no.matches("script, .aposta-fechado"));
      if (primeiro) {
        primeiro.tabIndex = -1; // o botão some: quem usa o teclado segue do que abriu
        primeiro.focus({ preventScroll: true });
      }
    });
  }
  abrir();
  levarAteAposta();
  window.addEventListener("hashchange", levarAteAposta);
})();
