"""Uma rodada de correção: pedir evidências, julgá-las e gravar as notas."""
