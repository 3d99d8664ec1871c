"""As partes do site, na ordem em que agem. O que uma parte pode ter está na docstring de `sitio`."""

PARTES = (
    "sitio.partes.listas",
    "sitio.partes.celulas",
    "sitio.partes.exploradores",
    "sitio.partes.figuras",
)
