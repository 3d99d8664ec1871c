// Engane a sua máquina: uma frase, o que manga é nela, e o que as funções do aluno decidem.

import { botao, h, texto } from "./comum.js";
import { mostrarQueRoda, mostrarResultado } from "./resultado.js";

const CERTOS = ["fruta", "roupa", "fruta, depois roupa", "roupa, depois fruta"];

export class Enganar {
  constructor(lista, lugar) {
    if (!lista.dados.python) {
      lugar.replaceChildren(h("p", { class: "l-nota" }, texto(lista.dados.viva ? "python.sem" : "engane.com_o_curso")));
      return;
    }
    const guardada = lista.guarda.lerJSON("#engane") ?? {};
    const frase = h("input", { type: "text", id: "engane-frase", placeholder: "Ele comeu manga", autocomplete: "off", value: guardada.frase ?? "" });
    const certo = h("select", { id: "engane-certo" }, CERTOS.map((c) => h("option", { selected: c === guardada.certo }, c)));
    const saida = h("div", { class: "l-saida" });
    const perguntar = async (evento) => {
      evento.preventDefault();
      const pedida = { frase: frase.value, certo: certo.value };
      const fim = mostrarQueRoda(saida, lista.maquina);
      const dito = await lista.maquina.pedir("enganar", pedida, lista.pedido()).finally(fim);
      mostrarResultado(saida, { ...dito, situacao: dito.enganou ? "certa" : dito.situacao === "certa" ? "rodou" : dito.situacao, saida: "" }, lista);
      if (dito.enganou) lista.guarda.gravarJSON("#engane", pedida);
      if (dito.conhece) saida.append(h("details", { class: "l-nota" }, h("summary", {}, "Que palavras ela conhece?"), h("p", {}, texto("engane.conhece", { palavras: dito.conhece.join(", ") }))));
    };
    lugar.replaceChildren(
      h(
        "form",
        { class: "l-engane", aoSubmit: perguntar },
        h("p", {}, h("label", { for: frase.id }, texto("engane.frase")), frase),
        h("p", {}, h("label", { for: certo.id }, texto("engane.certo")), certo),
        h("button", { class: "l-botao l-principal" }, texto("engane.perguntar")),
      ),
      saida,
    );
  }
}
