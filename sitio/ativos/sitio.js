// O que toda página do site tem: o tema que os exploradores seguem, copiar o código, o teclado e o papel.
(() => {
  const escuro = matchMedia("(prefers-color-scheme: dark)");
  let noPapel = false;

  // Os exploradores seguem o tema do JupyterLab; aqui, o que se escolheu no botão do site. O papel é sempre claro.
  function pintar() {
    const tema = document.body.dataset.theme;
    const claro = noPapel || (tema === "dark" ? false : tema === "light" ? true : !escuro.matches);
    document.body.setAttribute("data-jp-theme-light", String(claro));
  }
  new MutationObserver(pintar).observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
  escuro.addEventListener("change", pintar);
  pintar();

  // No papel tudo se lê: o que está dobrado abre, e volta a fechar depois. Só as dicas das listas ficam como estão.
  const dica = (no) => document.querySelector(".l-barra") && /^\s*Dica/.test(no.querySelector("summary")?.textContent ?? "");
  let abertos = [];
  addEventListener("beforeprint", () => {
    noPapel = true;
    pintar();
    abertos = [...document.querySelectorAll("article details:not([open], .hide)")].filter((no) => !dica(no));
    abertos.forEach((no) => (no.open = true));
    document.querySelectorAll("img[loading=lazy]").forEach((no) => (no.loading = "eager"));
  });
  addEventListener("afterprint", () => {
    noPapel = false;
    pintar();
    abertos.forEach((no) => (no.open = false));
  });

  // O que rola dentro de si recebe o foco, para que o teclado também o role.
  function rolaveis() {
    for (const no of document.querySelectorAll("article pre, article .table-wrapper, article .formula, article .formula-longa")) {
      const rola = no.scrollWidth > no.clientWidth + 1;
      if (rola) no.tabIndex = 0;
      else no.removeAttribute("tabindex");
    }
  }
  addEventListener("resize", rolaveis);
  addEventListener("toggle", rolaveis, true);
  rolaveis();

  // Copiar o código. De file:// não há área de transferência moderna em todo navegador: o jeito antigo serve.
  async function copiar(texto) {
    try {
      await navigator.clipboard.writeText(texto);
    } catch {
      const campo = document.createElement("textarea");
      campo.value = texto;
      document.body.append(campo);
      campo.select();
      document.execCommand("copy");
      campo.remove();
    }
  }
  for (const bloco of document.querySelectorAll("article .cell_input div.highlight, article div.highlight-python div.highlight")) {
    const botao = document.createElement("button");
    botao.type = "button";
    botao.className = "copiar";
    botao.textContent = "Copiar";
    botao.addEventListener("click", async () => {
      await copiar(bloco.querySelector("pre").textContent);
      botao.textContent = "Copiado";
      setTimeout(() => (botao.textContent = "Copiar"), 1500);
    });
    bloco.append(botao);
  }

  // Um programa que pesa mais que a página só chega quando o lugar dele aparece na tela.
  for (const lugar of document.querySelectorAll("[data-programas]")) {
    const olheiro = new IntersectionObserver(([visto]) => {
      if (!visto.isIntersecting) return;
      olheiro.disconnect();
      for (const onde of lugar.dataset.programas.split(" ").filter(Boolean)) {
        document.head.append(Object.assign(document.createElement("script"), { src: onde }));
      }
    });
    olheiro.observe(lugar);
  }

  // As gavetas do celular (o menu e as seções): no tema, quem as abre é uma caixa de marcar.
  for (const botao of document.querySelectorAll("[data-abre]")) {
    const caixa = document.getElementById(botao.dataset.abre);
    const dizer = () => botao.setAttribute("aria-expanded", String(caixa.checked));
    caixa.addEventListener("change", dizer);
    botao.addEventListener("click", () => {
      caixa.checked = !caixa.checked;
      caixa.dispatchEvent(new Event("change"));
    });
    dizer();
  }
  addEventListener("keydown", (evento) => {
    if (evento.key !== "Escape") return;
    for (const caixa of document.querySelectorAll(".sidebar-toggle:checked")) {
      caixa.checked = false;
      caixa.dispatchEvent(new Event("change"));
    }
  });
})();
