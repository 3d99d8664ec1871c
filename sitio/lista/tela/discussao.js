// A resposta de uma discussão: um campo de texto e, ao lado, como ela fica no notebook.

import { botao, h, texto } from "./comum.js";

export const EM_BRANCO = "*Escreva aqui a sua resposta.*";

export class Discussao {
  constructor(lista, lugar) {
    this.lista = lista;
    const nome = lugar.dataset.nome;
    const titulo = nome.replace("discussao-", "discussão ");
    const guardado = lista.guarda.ler(nome) ?? lista.emBranco[nome];
    this.campo = h("textarea", {
      class: "l-discussao",
      rows: 6,
      "aria-label": texto("editor.discussao", { nome: titulo }),
      placeholder: EM_BRANCO.replaceAll("*", ""),
      aoInput: () => (this.#crescer(), lista.guardar(nome, this.ler())),
    });
    this.campo.value = guardado === EM_BRANCO ? "" : guardado;
    this.previa = h("div", { class: "l-previa", role: "region", "aria-label": `Como fica a ${titulo}`, hidden: true });
    const virar = botao(texto("acoes.previa"), () => this.#virar(virar), { class: "l-botao" });
    const recado = h("div", { class: "l-recado", role: "status" });
    lugar.replaceChildren(this.campo, this.previa, h("div", { class: "l-acoes" }, virar), recado);
    lista.celulas.set(nome, {
      lugar,
      ler: () => this.ler(),
      por: (novo, { deFora = false } = {}) => {
        this.campo.value = novo === EM_BRANCO ? "" : novo;
        this.#crescer();
        if (!this.previa.hidden) this.#mostrar();
        if (!deFora) lista.guardar(nome, this.ler());
      },
      focar: () => this.campo.focus(),
      dividiu: (outra) => {
        const usar = botao(texto("guarda.usar_a_outra"), () => ((this.campo.value = outra), lista.guardar(nome, outra), recado.replaceChildren()), { class: "l-botao" });
        recado.replaceChildren(h("p", {}, texto("guarda.dividida")), h("pre", {}, outra), usar, botao(texto("guarda.descartar"), () => recado.replaceChildren(), { class: "l-botao l-discreto" }));
      },
    });
    this.#crescer();
  }

  ler() {
    return this.campo.value.trim() ? this.campo.value : EM_BRANCO;
  }

  #virar(virar) {
    const ver = this.previa.hidden;
    this.previa.hidden = !ver;
    this.campo.hidden = ver;
    virar.textContent = texto(ver ? "acoes.escrever" : "acoes.previa");
    if (ver) this.#mostrar();
    else this.campo.focus();
  }

  async #mostrar() {
    const escrito = this.campo.value.trim();
    if (!escrito) this.previa.textContent = texto("discussao.vazia");
    else await previa(this.lista.dados.previa).then(
        ({ mostrar }) => mostrar(this.previa, escrito),
        (erro) => (this.previa.textContent = `${erro.message}\n\n${escrito}`),
      );
  }

  #crescer() {
    this.campo.style.height = "auto";
    if (this.campo.scrollHeight) this.campo.style.height = `${this.campo.scrollHeight + 4}px`;
  }
}

/** O Markdown e as fórmulas vêm em outro arquivo, quando alguém os pede. */
function previa(onde) {
  previa.chegando ??= new Promise((resolver, recusar) => {
    document.head.append(h("script", { src: onde, aoLoad: () => resolver(window.PREVIA), aoError: () => recusar(new Error(texto("discussao.sem_previa"))) }));
  });
  return previa.chegando;
}
