// Os exploradores seguem o tema do JupyterLab; aqui, o que se escolheu no botão do site.
(() => {
  const escuro = matchMedia("(prefers-color-scheme: dark)");
  const pintar = () => {
    const tema = document.body.dataset.theme;
    const claro = tema === "dark" ? false : tema === "light" ? true : !escuro.matches;
    document.body.setAttribute("data-jp-theme-light", String(claro));
  };
  new MutationObserver(pintar).observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
  escuro.addEventListener("change", pintar);
  pintar();
})();
