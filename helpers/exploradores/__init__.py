"""Os exploradores: figuras que respondem na hora, porque a conta é feita no navegador.

Cada um é um módulo de JavaScript, que `montar` faz de fonte/ e o anywidget hospeda no JupyterLab. O mesmo módulo roda
em uma página comum (`pagina_estatica`) e na saída guardada da célula. As aulas os importam de `helpers.explorar`.
"""
