// O que aparece embaixo de uma célula: o Python chegando, o que ela escreveu, e o que a conferência disse.
//
// Tudo o que vem do motor é texto, e entra como texto: o código de um aluno pode fazê-lo dizer qualquer coisa.

import { botao, comCodigo, h, numero, texto } from "./comum.js";

const BOAS = ["certa", "por-outra"];

/** “Rodando…”, com um botão de parar; devolve quem acaba com isso. */
export function mostrarQueRoda(saida, maquina) {
  const comecou = Date.now();
  const dito = h("span", {}, texto("python.rodando"));
  const barra = h("progress", { max: 1, "aria-label": texto("python.chegando"), hidden: true });
  const escrito = h("pre", { class: "l-texto", hidden: true });
  saida.setAttribute("aria-busy", "true");
  saida.replaceChildren(
    h("p", { class: "l-andamento", role: "status" }, barra, dito, botao(texto("acoes.parar"), () => maquina.parar(), { class: "l-botao" })),
    escrito,
  );
  const ouvir = (novidade) => {
    if (novidade.chegando !== undefined) {
      barra.hidden = false;
      barra.value = novidade.chegando;
      const trocas = { feito: Math.round(100 * novidade.chegando), mb: Math.round(novidade.mb) };
      dito.textContent = novidade.etapa === "ligando" ? texto("python.ligando") : texto("python.chegando_quanto", trocas);
    } else if (["pronto", "ocupado"].includes(novidade.estado)) {
      barra.hidden = true;
      dito.textContent = texto("python.rodando");
    } else if (novidade.escrito) {
      escrito.hidden = false;
      escrito.append(novidade.escrito);
    }
  };
  maquina.ouvintes.add(ouvir);
  const relogio = setInterval(() => {
    if (barra.hidden) dito.textContent = texto("python.rodando_ha", { s: Math.round((Date.now() - comecou) / 1000) });
  }, 2000);
  return () => {
    clearInterval(relogio);
    maquina.ouvintes.delete(ouvir);
    saida.removeAttribute("aria-busy");
  };
}

/** O que `rodar`, `conferir`, `veja` ou `enganar` devolveu. */
export function mostrarResultado(saida, dito, lista) {
  const certo = BOAS.includes(dito.situacao);
  const titulo = dito.titulo ?? "";
  const partes = [
    (dito.saida || dito.valor) && h("pre", { class: "l-texto", tabindex: "0", role: "region", "aria-label": "O que a célula mostrou" }, (dito.saida ?? "") + (dito.valor ?? "")),
    (dito.frase || titulo) &&
      h(
        "div",
        { class: "l-dito", "data-como": certo ? "certo" : dito.situacao === "rodou" ? "neutro" : "errado" },
        titulo && h("p", { class: "l-titulo" }, titulo),
        dito.frase && h("p", {}, comCodigo(dito.frase)),
        irParaALinha(dito, lista),
      ),
    dito.cortada && h("p", { class: "l-nota" }, texto("python.cortada")),
    dito.situacao === "rodou" && !dito.frase && !dito.saida && !dito.valor && h("p", { class: "l-nota" }, texto("python.nada")),
    ...[...(dito.observacoes ?? []), ...(dito.avisos ?? [])].map((frase) => h("p", { class: "l-nota" }, comCodigo(frase))),
    deOnde(dito.minhas ?? [], lista),
  ];
  saida.replaceChildren(h("div", { role: "status" }, partes.flat().filter(Boolean)));
}

function irParaALinha({ onde, linha }, lista) {
  const celula = onde && [...lista.celulas.values()].find((c) => c.id === onde);
  if (!celula || !linha) return null;
  const ir = () => {
    celula.irPara(linha);
    celula.focar();
  };
  return botao(`Ir para a linha ${numero(linha)}`, ir, { class: "l-botao" });
}

/** De onde veio o que se importou de outra lista; se falta, o elo para ela. */
function deOnde(minhas, lista) {
  const faltam = minhas.filter((m) => m.veio !== "sua");
  return faltam.map((m) => {
    const onde = lista.dados.elos[m.lista];
    const elo = onde ? h("a", { href: onde }, `lista ${m.lista.slice(-2)}`) : `lista ${m.lista.slice(-2)}`;
    const porque = m.porque ? `, porque a sua ${m.porque}` : "";
    const veio = m.veio === "emprestada" ? `Aqui ${m.nome} veio emprestada só para conferir${porque}. Ela é da ` : `Falta ${m.nome}${porque}. Ela é da `;
    return h("p", { class: "l-nota" }, veio, elo, ".");
  });
}
