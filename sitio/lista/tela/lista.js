// Uma lista viva: os editores no lugar das células, os botões, e o que se guarda. Quem confere é o motor.

import { Abertura } from "./abertura.js";
import { editavel, fonteDa, montar, nomeDa, novoId } from "./caderno.js";
import { botao, h, numero, texto } from "./comum.js";
import { Discussao } from "./discussao.js";
import { editor } from "./editor.js";
import { Enganar } from "./engane.js";
import { Guarda } from "./guarda.js";
import { desenharMapa } from "./mapa.js";
import { Maquina } from "./maquina.js";
import { alcance, assinatura, estados, questoesDe, soAsRespostas, somar } from "./pontos.js";
import { mostrarQueRoda, mostrarResultado } from "./resultado.js";
import { Ver } from "./veja.js";

export class Lista {
  /** `dados`: o que a construção pôs na página (sitio/partes/listas.py); `so`: só esta questão, como na página inicial. */
  constructor(raiz, dados, so = null) {
    Object.assign(this, { raiz, dados, so, lista: dados.lista, emitido: dados.emitido });
    this.noDoExtra = new Map();
    this.celulas = new Map(); // nome → { ler, por, avisar, … }
    this.emBranco = Object.fromEntries(this.emitido.cells.map((c) => [nomeDa(c), fonteDa(c)]));
    this.questoes = questoesDe(this.emitido).questoes;
    this.avisos = raiz.querySelector("[data-papel=avisos]") ?? raiz.insertBefore(h("div", { "data-papel": "avisos", role: "status" }), raiz.firstChild);
    this.guarda = new Guarda(this.lista, {
      estado: (como) => this.#dizerDaGuarda(como),
      mudouFora: (nome, novo) => this.#chegouDeFora(nome, novo),
      dividiu: (nome, outra) => this.celulas.get(nome)?.dividiu(outra),
      outraAba: () => this.avisar("outra-aba", texto("guarda.outra_aba")),
    });
    this.maquina = new Maquina(this);
    this.extras = this.guarda.lerJSON("#extras") ?? [];
    this.#montar();
    this.atualizar();
  }

  // ---------------------------------------------------------------- o que se escreveu

  /** nome → texto de tudo o que se pode mudar, como está na tela ou, se a célula não está aqui, como está guardado. */
  textos() {
    const nomes = this.emitido.cells.filter(editavel).map(nomeDa);
    return Object.fromEntries(nomes.map((nome) => [nome, this.celulas.get(nome)?.ler() ?? this.guarda.ler(nome) ?? this.emBranco[nome]]));
  }

  /** As células de código, em ordem, como o motor as quer. */
  codigo() {
    const textos = this.textos();
    const dosExtras = (depois) => this.extras.filter((e) => e.depois === depois && e.tipo === "code").map((e) => ({ id: e.id, nome: "", texto: e.texto }));
    const daLista = this.emitido.cells.flatMap((c) => {
      const nome = c.metadata?.nbgrader?.grade_id ?? "";
      const esta = c.cell_type === "code" ? [{ id: c.id, nome, texto: textos[nomeDa(c)] ?? fonteDa(c) }] : [];
      return [...esta, ...dosExtras(nomeDa(c))];
    });
    return [...dosExtras(""), ...daLista];
  }

  /** O que está guardado das listas de antes, para `from helpers.minhas import …`. */
  outras() {
    const feitas = Object.entries(this.dados.outras).flatMap(([lista, celulas]) => {
      if (!this.guarda.chaves(lista).length) return [];
      const escritas = celulas.map((c) => ({ ...c, texto: this.guarda.ler(c.nome || c.id, lista) ?? c.texto }));
      const respostas = Object.fromEntries(escritas.filter((c) => c.resposta).map((c) => [c.nome, c.texto]));
      const ditos = this.guarda.lerJSON("#resultados", lista) ?? {};
      const certas = Object.keys(ditos).filter((nome) => ditos[nome].fracao === 1 && ditos[nome].assinatura === assinatura(nome, respostas));
      return [[lista, { celulas: escritas.map(({ id, nome, texto: t }) => ({ id, nome, texto: t })), certas }]];
    });
    return Object.fromEntries(feitas);
  }

  pedido() {
    return { celulas: this.codigo(), outras: this.outras() };
  }

  /** Guarda o que mudou em uma célula; o que é igual ao enunciado não ocupa lugar. */
  guardar(nome, novo) {
    this.guarda.gravar(nome, novo === this.emBranco[nome] ? null : novo);
    clearTimeout(this.espera);
    this.espera = setTimeout(() => this.atualizar(), 250);
  }

  guardarExtras() {
    this.guarda.gravarJSON("#extras", this.extras.length ? this.extras : null);
  }

  resultados() {
    return this.guarda.lerJSON("#resultados") ?? {};
  }

  anotar(nome, fracao) {
    const ditos = this.resultados();
    ditos[nome] = { assinatura: assinatura(nome, soAsRespostas(this.emitido, this.textos())), fracao };
    this.guarda.gravarJSON("#resultados", ditos);
    this.atualizar();
  }

  ipynb() {
    return montar(this.emitido, this.textos(), this.extras);
  }

  // ---------------------------------------------------------------- a tela

  #montar() {
    for (const lugar of this.raiz.querySelectorAll("[data-papel]")) {
      const papel = lugar.dataset.papel;
      if (papel === "resposta" || papel === "rascunho") this.#celulaDeCodigo(lugar, papel);
      else if (papel === "fixa") this.#celulaFixa(lugar);
      else if (papel === "conferir") this.#conferencia(lugar);
      else if (papel === "discussao") new Discussao(this, lugar);
      else if (papel === "veja") new Ver(this, lugar);
      else if (papel === "engane") new Enganar(this, lugar);
      else if (papel === "barra") this.barra = lugar;
      else if (papel === "mapa") this.mapa = lugar;
    }
    if (this.barra) new Abertura(this, this.barra);
    for (const extra of this.extras) this.#porExtra(extra);
  }

  #celulaDeCodigo(lugar, papel) {
    const nome = lugar.dataset.nome;
    const questao = this.questoes.find((q) => q.nome === nome);
    const recado = h("div", { class: "l-recado", role: "status" });
    const ajuda = h("p", { class: "l-ajuda", id: `ajuda-${nome}` }, texto("editor.sair"));
    const moldura = h("div", { class: "l-editor" });
    let recomecada = null; // o aviso de que voltou ao enunciado, até se escrever de novo
    const campo = editor(moldura, {
      fonte: this.guarda.ler(nome) ?? this.emBranco[nome],
      rotulo: questao ? texto("editor.resposta", { nome }) : texto("editor.rascunho"),
      descrito: ajuda.id,
      aoMudar: (novo) => {
        if (novo !== this.emBranco[nome]) recomecada?.remove();
        this.guardar(nome, novo);
      },
      aoRodar: () => (questao ? this.conferencias.get(nome)?.() : rodar()),
      aoFocar: () => this.maquina.adiantar(),
    });
    const acoes = h("div", { class: "l-acoes" });
    const saida = h("div", { class: "l-saida" });
    const rodar = () => this.rodar(lugar.dataset.id, saida, campo);
    if (!questao && this.dados.python) acoes.append(botao(texto("acoes.rodar"), rodar, { class: "l-botao" }));
    const recomecar = () => {
      const antes = campo.ler();
      campo.por(this.emBranco[nome]);
      const desfazer = () => {
        if (campo.ler() === this.emBranco[nome]) campo.por(antes); // o que se escreveu depois não se perde
        recomecada?.remove();
        campo.focar();
      };
      recomecada = h("p", {}, `${texto("acoes.recomecado")} `, botao(texto("acoes.desfazer"), desfazer, { class: "l-botao" }));
      recado.replaceChildren(recomecada);
    };
    acoes.append(botao(texto(questao ? "acoes.recomecar" : "acoes.recomecar_rascunho"), recomecar, { class: "l-botao l-discreto" }));
    lugar.replaceChildren(moldura, ajuda, acoes, recado, saida);
    this.celulas.set(nome, {
      ...campo,
      lugar,
      id: lugar.dataset.id,
      recomecar: acoes.lastChild,
      dividiu: (outra) => this.#mostrarADeFora(recado, outra, (escolhida) => campo.por(escolhida)),
    });
  }

  #mostrarADeFora(recado, outra, usar) {
    const fechar = () => recado.replaceChildren();
    recado.replaceChildren(
      h("p", {}, texto("guarda.dividida")),
      h("pre", {}, outra),
      botao(texto("guarda.usar_a_outra"), () => (usar(outra), fechar()), { class: "l-botao" }),
      botao(texto("guarda.descartar"), fechar, { class: "l-botao l-discreto" }),
    );
  }

  /** Uma célula de código da lista que não se muda, mas se roda, como a das fichas da lista 04. */
  #celulaFixa(lugar) {
    const saida = h("div", { class: "l-saida" });
    lugar.append(botao(texto("acoes.rodar"), () => this.rodar(lugar.dataset.id, saida), { class: "l-botao" }), saida);
  }

  #conferencia(lugar) {
    const { nome, questao, comOCurso } = lugar.dataset;
    const saida = h("div", { class: "l-saida" });
    const acoes = h("div", { class: "l-acoes" });
    const conferir = ({ quieta = false } = {}) => this.conferir(questao, nome, saida, quieta ? null : lugar);
    (this.conferencias ??= new Map()).set(nome, conferir);
    if (comOCurso !== undefined || !this.dados.python) {
      lugar.replaceChildren(h("p", { class: "l-nota" }, texto(this.dados.viva && comOCurso === undefined ? "python.sem" : "python.com_o_curso")));
      this.conferencias.set(nome, () => {});
    } else {
      this.medida ??= new Map();
      this.medida.set(nome, h("span", { class: "l-medida" }));
      acoes.append(botao(texto("acoes.conferir"), conferir, { class: "l-botao l-principal", "aria-label": texto("acoes.conferir_qual", { nome }) }), this.medida.get(nome));
      if (!this.so) acoes.append(botao(texto("acoes.experimentar"), () => this.novoExtra(lugar.dataset.depois), { class: "l-botao l-discreto" }));
      lugar.replaceChildren(acoes, saida);
    }
  }

  // ---------------------------------------------------------------- as células de quem escreve

  novoExtra(depois, fonte = "") {
    const extra = { id: novoId(), depois, tipo: "code", texto: fonte };
    this.extras.push(extra);
    this.guardarExtras();
    this.#porExtra(extra).focar();
  }

  #porExtra(extra) {
    const vizinho = this.raiz.querySelector(`[data-depois="${CSS.escape(extra.depois)}"]`) ?? this.raiz.querySelector(`[data-nome="${CSS.escape(extra.depois)}"]`);
    const lugar = h("div", { class: "l-celula l-extra", "data-extra-de": extra.depois });
    const irmaos = this.raiz.querySelectorAll(`[data-extra-de="${CSS.escape(extra.depois)}"]`);
    (irmaos.length ? irmaos[irmaos.length - 1] : (vizinho ?? this.avisos)).after(lugar);
    const moldura = h("div", { class: "l-editor" });
    const saida = h("div", { class: "l-saida" });
    const ajuda = h("p", { class: "l-ajuda", id: `ajuda-${extra.id}` }, texto("editor.sair"));
    const rodar = () => extra.tipo === "code" && this.rodar(extra.id, saida, campo);
    let dono = extra; // outra aba pode trazer uma versão nova dela
    const campo = editor(moldura, {
      fonte: extra.texto,
      rotulo: texto("editor.extra"),
      descrito: ajuda.id,
      aoMudar: (novo) => ((dono.texto = novo), this.guardarExtras()),
      aoRodar: rodar,
      aoFocar: () => this.maquina.adiantar(),
    });
    const apagar = () => {
      this.extras = this.extras.filter((e) => e.id !== extra.id);
      this.guardarExtras();
      lugar.remove();
    };
    const roda = extra.tipo === "code" && this.dados.python ? botao(texto("acoes.rodar"), rodar, { class: "l-botao", "aria-label": texto("acoes.rodar_rascunho") }) : null;
    lugar.append(moldura, ajuda, h("div", { class: "l-acoes" }, roda, botao(texto("acoes.apagar_celula"), apagar, { class: "l-botao l-discreto" })), saida);
    const receber = (nova) => ((dono = nova), campo.por(nova.texto, { deFora: true }));
    this.noDoExtra.set(extra.id, { lugar, receber });
    return campo;
  }

  // ---------------------------------------------------------------- rodar e conferir

  async rodar(id, saida, campo) {
    const fim = mostrarQueRoda(saida, this.maquina);
    const pedido = this.pedido();
    const dito = await this.maquina.pedir("rodar", id, pedido).finally(fim);
    mostrarResultado(saida, soAsUsadas(dito, pedido.celulas.find((c) => c.id === id)?.texto ?? ""), this);
    campo?.no.scrollIntoView({ block: "nearest" });
  }

  async conferir(questao, nome, saida, lugar) {
    const antes = assinatura(nome, soAsRespostas(this.emitido, this.textos()));
    const fim = mostrarQueRoda(saida, this.maquina);
    const dito = await this.maquina.pedir("conferir", questao, this.pedido()).finally(fim);
    const lido = [...alcance(nome, soAsRespostas(this.emitido, this.textos())).values()].join("\n");
    mostrarResultado(saida, soAsUsadas(dito, lido), this);
    lugar?.scrollIntoView({ block: "nearest" }); // ao conferir tudo, a página fica onde está
    const mudou = antes !== assinatura(nome, soAsRespostas(this.emitido, this.textos())); // enquanto conferia
    if (!["parada", "morta", "defeito"].includes(dito.situacao) && !mudou) this.anotar(nome, dito.fracao ?? 0);
    return dito;
  }

  /** Todas as questões, de cima para baixo, como o botão Validar. */
  async conferirTudo(dizer) {
    const aqui = [...this.medida.keys()];
    let certas = 0;
    for (const [i, nome] of aqui.entries()) {
      dizer(`${i + 1}/${aqui.length}: ${nome}…`);
      const dito = await this.conferencias.get(nome)({ quieta: true });
      certas += dito.fracao === 1;
      if (dito.situacao === "parada" || dito.situacao === "defeito") return dizer(dito.frase);
    }
    const { feitos, total } = somar(this.emitido, this.estados());
    const quantas = aqui.length === 1 ? "1 questão" : `${aqui.length} questões`;
    const quantasCertas = certas === 0 ? "nenhuma certa" : certas === 1 ? "1 certa" : `${certas} certas`;
    dizer(texto("pontos.tudo", { quantas, certas: quantasCertas, pontos: numero(feitos), total: numero(total) }));
  }

  estados() {
    return estados(this.emitido, this.textos(), this.resultados());
  }

  /** Os pontos, as medidas de cada questão e o mapa, do que está na tela. */
  atualizar() {
    const como = this.estados();
    for (const { nome, pontos } of this.questoes) {
      const medida = this.medida?.get(nome);
      if (!medida) continue;
      const { estado, fracao } = como[nome];
      medida.dataset.estado = estado;
      medida.textContent = estado === "mudou" ? texto("pontos.mudou") : ["certa", "errada"].includes(estado) ? texto("pontos.vale", { pontos: numero(pontos * fracao), total: numero(pontos) }) : "";
    }
    const { feitos, total } = somar(this.emitido, como);
    this.aoContar?.(feitos, total);
    if (this.mapa) desenharMapa(this.mapa, this);
    for (const [nome, celula] of this.celulas) if (celula.recomecar) celula.recomecar.hidden = celula.ler() === this.emBranco[nome];
  }

  // ---------------------------------------------------------------- o que se diz

  /** Um aviso no alto, um de cada tipo. `null` o tira. */
  avisar(tipo, frase, ...mais) {
    this.avisos.querySelector(`[data-aviso="${tipo}"]`)?.remove();
    if (frase === null) return;
    const tirar = botao("×", () => aviso.remove(), { class: "l-fechar", "aria-label": "Fechar o aviso" });
    const aviso = h("div", { class: "l-aviso", "data-aviso": tipo }, h("p", {}, frase), ...mais, tirar);
    this.avisos.append(aviso);
  }

  #dizerDaGuarda(como) {
    queueMicrotask(() => this.avisar("guarda", texto(como === "guardada" ? "guarda.voltou" : `guarda.${como}`)));
  }

  #chegouDeFora(nome, novo) {
    if (nome === "#extras") return this.#extrasDeFora(this.guarda.lerJSON("#extras") ?? []);
    if (nome === "#resultados") return this.atualizar();
    if (this.celulas.has(nome)) this.celulas.get(nome).por(novo ?? this.emBranco[nome], { deFora: true });
    this.atualizar();
  }

  /** As células a mais, como outra aba as deixou: as que já estão aqui mudam de texto onde estão. */
  #extrasDeFora(novos) {
    for (const { id, lugar } of this.extras.map((e) => ({ id: e.id, ...this.noDoExtra.get(e.id) }))) {
      if (!novos.some((n) => n.id === id)) lugar?.remove();
    }
    const daqui = new Set(this.extras.map((e) => e.id));
    this.extras = novos;
    for (const extra of novos) {
      if (daqui.has(extra.id)) this.noDoExtra.get(extra.id).receber(extra);
      else this.#porExtra(extra);
    }
  }

  /** Troca tudo pelo que veio de um arquivo (ou pelo que havia antes dele). */
  trocarTudo(textos, extras) {
    for (const [nome, novo] of Object.entries(textos)) {
      if (this.celulas.has(nome)) this.celulas.get(nome).por(novo, { deFora: true });
      this.guardar(nome, novo);
    }
    this.raiz.querySelectorAll(".l-extra").forEach((no) => no.remove());
    this.extras = extras;
    this.guardarExtras();
    for (const extra of extras) this.#porExtra(extra);
    this.atualizar();
  }
}

/** Do que veio de outras listas, só interessa o que o texto usa. */
function soAsUsadas(dito, escrito) {
  const palavras = new Set(escrito.match(/\w+/g));
  return { ...dito, minhas: (dito.minhas ?? []).filter((m) => palavras.has(m.nome)) };
}
