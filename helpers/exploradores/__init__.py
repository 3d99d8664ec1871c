"""Os exploradores: figuras que respondem na hora, porque a conta é feita no navegador.

Cada um é um módulo de JavaScript, que `montar` faz de fonte/ e o anywidget hospeda no JupyterLab. O mesmo módulo roda
em uma página comum (`pagina_estatica`) e na saída guardada da célula. As aulas os importam de `helpers.explorar`.

O que uma página que os hospeda pode contar:

- Tema: o explorador segue o `data-theme="light"` ou `"dark"` do elemento mais perto que o tenha, dele ao `<html>`, e
  muda junto com ele. O `data-jp-theme-light` do JupyterLab (`"true"` ou `"false"`) serve igual, e manda mais. Sem
  nenhum, ou com outro valor (`"auto"`), segue o sistema.
- Estilo: cada um vive em um shadow root. O CSS da página não entra, nem o dele sai, e a largura é a do lugar.
- Teclas: só ouve as que lhe cabem, com o foco ou o ponteiro nele, e nenhuma enquanto se escreve em outro lugar.
- Movimento: com `prefers-reduced-motion: reduce`, nada se anima.
"""
