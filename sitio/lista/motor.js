// O motor de uma lista na página: baixa o Python quando alguém o usa, o põe em um quadro isolado e conversa com ele.
// O que promete à tela está em CONTRATO.md. Aqui não há uma linha que julgue uma resposta: quem julga é `helpers/`.
import { recursosDaPagina } from "./motor-recursos.js";
import { QUADRO } from "./motor-quadro.js";

export { recursosDaPagina };

const PRAZO_DE_CONFERIR = 60_000; // no relógio: os prazos da conferência são menores, e só o que não os ouve chega aqui
const FRASES = {
  "sem-python": "Esta página veio sem o Python: escreva, baixe a lista e confira-a com o curso instalado.",
  "sem-torch":
    "Esta questão se confere com o curso instalado, porque usa o torch, que não roda na página. O que você escrever fica " +
    "guardado: baixe a lista.",
  parada: "Você parou o que estava rodando. O Python da página começa de novo, com o que está escrito.",
  demora:
    "O Python ficou preso em uma conta que não acabava, e a página o começou de novo. Há um array enorme, ou um laço que " +
    "não termina?",
  memoria: "A memória que a página tem acabou, e o Python começou de novo. Use arrays menores.",
  recursao: "A função chama a si mesma sem parar, e o Python começou de novo. Qual é o caso em que ela deve parar?",
  morta: "O Python da página parou no meio e começou de novo. Nada do que você escreveu se perdeu.",
};

export function criarMotor({ lista, recursos, aoMudar = () => {}, aoProgredir = () => {}, aoEscrever = () => {} }) {
  return new Motor(lista, recursos, { aoMudar, aoProgredir, aoEscrever });
}

class Motor {
  #fila = Promise.resolve();
  #quadro = null; // o iframe
  #porta = null; // por onde se fala com o operário
  #ligando = null;
  #pecas = null; // o que se baixou
  #espera = null; // a chamada em curso: { numero, resolver, relogio }
  #numero = 0;
  #caiu = () => {}; // o que fazer se o Worker cai

  constructor(lista, recursos, ouvintes) {
    Object.assign(this, { lista, recursos, ouvintes });
    this.estado = recursos ? "parado" : "sem-python";
  }

  get total() {
    return this.recursos ? this.recursos.total(this.lista) : 0;
  }

  rodar(id, { celulas, outras } = {}) {
    return this.#pedir({ que: "rodar", id, celulas, outras });
  }

  conferir(questao, { celulas, outras } = {}) {
    if (this.recursos && !this.recursos.confere(questao)) return Promise.resolve(this.#dito("sem-torch"));
    return this.#pedir({ que: "conferir", questao, celulas, outras }, PRAZO_DE_CONFERIR);
  }

  veja({ celulas, outras, frase = "" }) {
    return this.#pedir({ que: "veja", frase, celulas, outras }, PRAZO_DE_CONFERIR);
  }

  enganar({ frase, certo }, { celulas, outras }) {
    return this.#pedir({ que: "enganar", frase, certo, celulas, outras }, PRAZO_DE_CONFERIR);
  }

  parar() {
    if (this.#espera) this.#acabar("parada", FRASES.parada);
  }

  fechar() {
    this.#quadro?.remove();
    this.#porta?.close();
    this.#quadro = this.#porta = this.#ligando = null;
    this.#responder(this.#dito("parada"));
    this.#mudar("parado");
  }

  // ------------------------------------------------------------------ ligar

  async ligar() {
    if (!this.recursos) return;
    this.#ligando ??= this.#ligar().catch((erro) => {
      this.#ligando = null;
      this.#mudar("parado");
      throw erro;
    });
    await this.#ligando;
  }

  async #ligar() {
    this.#mudar("carregando");
    this.#pecas ??= await this.recursos.baixar(this.lista, (feito, total) =>
      this.ouvintes.aoProgredir({ feito, total, etapa: "baixando" }),
    );
    this.ouvintes.aoProgredir({ feito: this.total, total: this.total, etapa: "ligando" });
    const nasceu = await this.#nascer();
    if (nasceu.que !== "pronto") throw new Error(`O Python da página não ligou (${nasceu.motivo}). Recarregue a página.`);
    this.#mudar("pronto");
  }

  async #nascer() {
    const novo = !this.#quadro;
    if (novo) this.#quadro = await this.#fazerOQuadro();
    const { port1, port2 } = new MessageChannel();
    this.#porta = port1;
    const primeira = new Promise((resolver) => {
      this.#caiu = (motivo) => resolver({ que: "nao-ligou", motivo });
      port1.onmessage = ({ data }) => {
        port1.onmessage = ({ data: dado }) => this.#ouvir(dado, port1);
        this.#caiu = (motivo) => this.#espera && this.#acabar("morta", porQueMorreu(motivo));
        resolver(data);
      };
    });
    // o quadro guarda o que recebe: dali em diante, nascer de novo não leva nada
    const pecas = novo ? this.#pecas : null;
    this.#quadro.contentWindow.postMessage({ que: "nascer", pecas, lista: this.lista, porta: port2 }, "*", [port2]);
    return primeira;
  }

  #fazerOQuadro() {
    const quadro = document.createElement("iframe");
    quadro.setAttribute("sandbox", "allow-scripts");
    quadro.setAttribute("aria-hidden", "true");
    quadro.tabIndex = -1;
    quadro.title = "Python";
    quadro.style.cssText = "position:absolute;width:0;height:0;border:0;visibility:hidden";
    quadro.srcdoc = QUADRO;
    addEventListener("message", ({ source, data }) => {
      if (source === quadro.contentWindow && data?.que === "caiu") this.#caiu(String(data.motivo));
    });
    return new Promise((resolver) => {
      quadro.addEventListener("load", () => resolver(quadro), { once: true });
      document.body.append(quadro);
    });
  }

  // ------------------------------------------------------------------ pedir

  #pedir(pedido, prazo = 0) {
    if (!this.recursos) return Promise.resolve(this.#dito("sem-python"));
    const feito = this.#fila.then(() => this.#agora(pedido, prazo));
    this.#fila = feito.catch(() => {});
    return feito;
  }

  async #agora(pedido, prazo) {
    await this.ligar();
    this.#mudar("ocupado");
    const resposta = await new Promise((resolver) => {
      const numero = ++this.#numero;
      const relogio = prazo ? setTimeout(() => this.#acabar("morta", FRASES.demora), prazo) : 0;
      this.#espera = { numero, resolver, relogio };
      this.#porta.postMessage({ numero, pedido: JSON.stringify(pedido) });
    });
    if (this.estado === "ocupado") this.#mudar("pronto");
    return resposta;
  }

  #ouvir(dado, porta) {
    if (porta !== this.#porta || dado.numero !== this.#espera?.numero) return; // de um operário que já se foi
    if (dado.que === "texto") this.ouvintes.aoEscrever(String(dado.texto));
    else if (dado.que === "resposta") this.#responder(this.#lida(dado.resposta));
    else this.#acabar("morta", porQueMorreu(String(dado.motivo)));
  }

  // O aluno pode fazer o operário dizer qualquer coisa: o que não se lê é uma morte, e não um erro da página.
  #lida(texto) {
    try {
      return { ...this.#dito("morta"), ...JSON.parse(texto) };
    } catch {
      return this.#dito("morta");
    }
  }

  #responder(resposta) {
    if (!this.#espera) return;
    const { resolver, relogio } = this.#espera;
    clearTimeout(relogio);
    this.#espera = null;
    resolver(resposta);
  }

  #acabar(situacao, frase) {
    this.#porta?.close();
    this.#porta = null;
    this.#mudar("morto");
    this.#ligando = this.#ligar();
    this.#ligando.catch(() => (this.#ligando = null));
    this.#responder(this.#dito(situacao, frase));
  }

  #dito(situacao, frase = FRASES[situacao]) {
    return {
      situacao, frase, saida: "", valor: "", titulo: "", equivoco: null, fracao: 0, observacoes: [], linha: null,
      onde: null, cortada: false, avisos: [], minhas: [], segundos: 0, dados: null,
    };
  }

  #mudar(estado) {
    if (estado === this.estado) return;
    this.estado = estado;
    this.ouvintes.aoMudar(estado);
  }
}

function porQueMorreu(motivo) {
  if (/call stack|recursion/i.test(motivo)) return FRASES.recursao;
  if (/memory|allocation|MemoryError/i.test(motivo)) return FRASES.memoria;
  return FRASES.morta;
}
