// O motor, visto da tela: nasce no primeiro pedido, diz o que traz, e o que dá errado nele vira uma frase.

import { criarMotor, recursosDaPagina } from "../motor.js";
import { texto } from "./comum.js";

export class Maquina {
  constructor({ lista, dados }) {
    this.lista = lista;
    this.dados = dados;
    this.ouvintes = new Set();
  }

  get motor() {
    this.feito ??= criarMotor({
      lista: this.lista,
      recursos: recursosDaPagina(this.dados.python, this.dados.recursos),
      aoMudar: (estado) => this.#mudou(estado),
      aoProgredir: ({ feito, total, etapa }) => this.#dizer({ chegando: total ? feito / total : 0, mb: total / 1e6, etapa }),
      aoEscrever: (escrito) => this.#dizer({ escrito }),
    });
    return this.feito;
  }

  /** Quem põe o cursor em um editor vai querer o Python: ele começa a chegar. */
  adiantar() {
    if (this.dados.python && !this.adiantado) {
      this.adiantado = true;
      Promise.resolve(this.motor.ligar()).catch(() => {}); // quem pedir algo lê a frase
    }
  }

  async pedir(que, ...argumentos) {
    this.querParar = false;
    try {
      return await this.motor[que](...argumentos);
    } catch (erro) {
      return { situacao: "defeito", frase: texto("python.falhou", { por_que: erro?.message ?? String(erro) }) };
    }
  }

  /** Quem aperta Parar enquanto o Python ainda chega também é atendido: o pedido para assim que começa. */
  parar() {
    this.querParar = this.feito?.estado !== "ocupado";
    this.feito?.parar();
  }

  #mudou(estado) {
    this.#dizer({ estado });
    if (estado === "ocupado" && this.querParar) setTimeout(() => this.parar());
  }

  #dizer(novidade) {
    for (const ouvir of this.ouvintes) ouvir(novidade);
  }
}
