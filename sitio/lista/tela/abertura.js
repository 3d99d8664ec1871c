// A barra da lista: os pontos, conferir tudo, baixar, abrir um arquivo e apagar.

import { abrir, Recusa } from "./caderno.js";
import { botao, enumerar, h, numero, texto } from "./comum.js";

export class Abertura {
  constructor(lista, lugar) {
    this.lista = lista;
    const pontos = h("p", { class: "l-pontos", role: "status" });
    const recado = h("p", { class: "l-recado", role: "status" });
    lista.aoContar = (feitos, total) => {
      pontos.textContent = lista.medida?.size ? texto("pontos.ate_agora", { feitos: numero(feitos), total: numero(total) }) : "";
    };
    const arquivo = h("input", { type: "file", accept: ".ipynb,application/json", id: "l-arquivo", class: "l-escondido", tabindex: "-1", "aria-label": "Um arquivo .ipynb" });
    arquivo.addEventListener("change", () => this.#ler(arquivo));
    const conferirTudo = async () => {
      tudo.disabled = true;
      await lista.conferirTudo((frase) => (recado.textContent = frase)).finally(() => (tudo.disabled = false));
    };
    const tudo = botao(texto("acoes.conferir_tudo"), conferirTudo, { class: "l-botao", hidden: !lista.medida?.size });
    const apagar = () => {
      if (!window.confirm(texto("acoes.apagar_mesmo"))) return;
      lista.guarda.apagar();
      lista.trocarTudo(lista.emBranco, []);
      lista.guarda.apagar();
      lista.atualizar();
      recado.textContent = texto("acoes.apagado");
    };
    lugar.replaceChildren(
      pontos,
      h(
        "div",
        { class: "l-acoes" },
        tudo,
        botao(texto("acoes.baixar"), () => this.#baixar(), { class: "l-botao" }),
        botao(texto("acoes.abrir"), () => arquivo.click(), { class: "l-botao" }),
        botao(texto("acoes.apagar_tudo"), apagar, { class: "l-botao l-discreto" }),
      ),
      arquivo,
      recado,
    );
    lugar.after(h("p", { class: "l-nota" }, texto("guarda.so_aqui")));
  }

  #baixar() {
    const endereco = URL.createObjectURL(new Blob([this.lista.ipynb()], { type: "application/x-ipynb+json" }));
    h("a", { href: endereco, download: this.lista.dados.arquivo }).click();
    setTimeout(() => URL.revokeObjectURL(endereco), 60_000);
  }

  async #ler(campo) {
    const [escolhido] = campo.files;
    campo.value = ""; // para que o mesmo arquivo possa ser escolhido de novo
    if (!escolhido) return;
    const { lista } = this;
    try {
      if (escolhido.size > 20_000_000) throw new Recusa("grande");
      const lido = abrir(new Uint8Array(await escolhido.arrayBuffer()), lista.emitido);
      const antes = { textos: lista.textos(), extras: lista.extras };
      const mudaram = Object.keys(lido.textos).filter((nome) => lido.textos[nome] !== antes.textos[nome]);
      lista.trocarTudo(lido.textos, lido.extras);
      const desfazer = () => {
        lista.trocarTudo(antes.textos, antes.extras);
        lista.avisar("aberto", texto("abrir.desfeito"));
      };
      lista.avisar("aberto", this.#contar(escolhido.name, lido, mudaram), botao(texto("abrir.desfazer"), desfazer, { class: "l-botao" }));
    } catch (erro) {
      if (!(erro instanceof Recusa)) throw erro;
      lista.avisar("aberto", texto(`abrir.${erro.motivo}`, erro.trocas));
    }
    lista.avisos.scrollIntoView({ block: "nearest" });
  }

  #contar(arquivo, { faltam, extras, reparado, windows }, mudaram) {
    const partes = [
      texto("abrir.aberto", { arquivo }),
      mudaram.length ? texto("abrir.trocadas", { quais: enumerar(mudaram) }) : texto("abrir.iguais"),
      faltam.length && texto("abrir.faltam", { quais: enumerar(faltam) }),
      extras.length && texto("abrir.extras", { quantas: extras.length === 1 ? "1 célula sua" : `${extras.length} células suas` }),
      reparado && texto("abrir.reparado"),
      windows && texto("abrir.windows"),
    ];
    return partes.filter(Boolean).join(" ");
  }
}
