// O que se escreve fica no navegador, a cada mudança: uma chave para cada célula de cada lista. Nada sai daqui.
//
// Duas abas na mesma lista se acompanham pelo evento `storage`. Quem grava olha antes o que há: se outra aba escreveu e
// esta não soube (estava congelada, ou sem espaço), a versão da outra não se apaga, e se mostra.

const PREFIXO = "curso-atencao";

function deposito() {
  try {
    const prova = `${PREFIXO}/prova`;
    window.localStorage.setItem(prova, "1");
    window.localStorage.removeItem(prova);
    return window.localStorage;
  } catch (erro) {
    // cheio não é recusado: o que já está lá se lê
    try {
      return erro?.name === "QuotaExceededError" && window.localStorage.length ? window.localStorage : null;
    } catch {
      return null;
    }
  }
}

export class Guarda {
  /** `ouvir`: { mudouFora(nome, texto), dividiu(nome, deFora), estado("guardada" | "cheia" | "recusada"), outraAba() }. */
  constructor(lista, ouvir) {
    this.lista = lista;
    this.ouvir = ouvir;
    this.onde = deposito();
    this.sabidos = new Map(); // chave → o que esta aba leu ou gravou por último
    this.pendentes = new Map(); // o que não coube: chave → texto
    if (!this.onde) ouvir.estado("recusada");
    window.addEventListener("storage", (evento) => this.#chegou(evento));
    window.addEventListener("beforeunload", (evento) => this.#antesDeSair(evento));
    this.#procurarOutraAba();
  }

  chave(nome, lista = this.lista) {
    return `${PREFIXO}/${lista}/${nome}`;
  }

  /** O que está guardado, ou null. De outra lista, só se lê. */
  ler(nome, lista = this.lista) {
    const chave = this.chave(nome, lista);
    if (this.pendentes.has(chave)) return this.pendentes.get(chave);
    const lido = this.onde?.getItem(chave) ?? null;
    if (lista === this.lista) this.sabidos.set(chave, lido);
    return lido;
  }

  lerJSON(nome, lista = this.lista) {
    try {
      return JSON.parse(this.ler(nome, lista) ?? "null");
    } catch {
      return null; // alguém mexeu à mão
    }
  }

  /** Grava; null apaga. Devolve se ficou guardado. */
  gravar(nome, texto) {
    const chave = this.chave(nome);
    this.mexeu = true;
    if (!this.onde) {
      this.pendentes.set(chave, texto);
      return false;
    }
    const ha = this.onde.getItem(chave);
    if (ha !== null && ha !== (this.sabidos.get(chave) ?? null) && ha !== texto && !nome.startsWith("#")) {
      this.ouvir.dividiu(nome, ha);
    }
    try {
      if (texto === null) this.onde.removeItem(chave);
      else this.onde.setItem(chave, texto);
    } catch {
      this.pendentes.set(chave, texto);
      this.ouvir.estado("cheia");
      return false;
    }
    this.sabidos.set(chave, texto);
    const esperava = this.pendentes.delete(chave) || this.pendentes.size > 0;
    if (esperava) this.#tentarOsPendentes();
    return true;
  }

  gravarJSON(nome, valor) {
    return this.gravar(nome, valor === null ? null : JSON.stringify(valor));
  }

  /** Apaga tudo desta lista. */
  apagar() {
    for (const chave of this.chaves()) this.onde.removeItem(chave);
    this.sabidos.clear();
    this.pendentes.clear();
    this.mexeu = false;
  }

  chaves(lista = this.lista) {
    if (!this.onde) return [];
    return Object.keys(this.onde).filter((chave) => chave.startsWith(`${PREFIXO}/${lista}/`));
  }

  #tentarOsPendentes() {
    for (const [chave, texto] of this.pendentes) {
      try {
        if (texto === null) this.onde.removeItem(chave);
        else this.onde.setItem(chave, texto);
        this.sabidos.set(chave, texto);
        this.pendentes.delete(chave);
      } catch {
        return;
      }
    }
    this.ouvir.estado("guardada");
  }

  #chegou({ key, newValue, storageArea }) {
    if (storageArea !== this.onde || !key?.startsWith(`${PREFIXO}/${this.lista}/`)) return;
    const nome = key.slice(`${PREFIXO}/${this.lista}/`.length);
    if (nome === "#aba") {
      if (newValue?.startsWith("?")) this.onde.setItem(key, `!${Math.random()}`); // outra aba perguntou se há alguém
      this.ouvir.outraAba();
      return;
    }
    if (this.pendentes.has(key)) {
      if (newValue !== null) this.ouvir.dividiu(nome, newValue); // a desta aba só está na tela: não se troca
      return;
    }
    this.sabidos.set(key, newValue);
    this.ouvir.mudouFora(nome, newValue);
  }

  #procurarOutraAba() {
    try {
      this.onde?.setItem(this.chave("#aba"), `?${Math.random()}`);
    } catch {
      // sem espaço para perguntar: o aviso de cheio virá na primeira tecla
    }
  }

  #antesDeSair(evento) {
    if (this.pendentes.size && this.mexeu) evento.preventDefault(); // o navegador pergunta se é para sair mesmo
  }
}
