// As apostas na página: o que `confira` responderia em um notebook, com as frases e os padrões de aposta.json e as marcas de
// helpers/referencias. A resposta certa não está escrita aqui nem na página: só a impressão digital dela.
// A parte de cima é só conta, e os testes a rodam no node; a de baixo põe as apostas na tela.
(function (global) {
  "use strict";

  // ---------------------------------------------------------------- SHA-256 (o do navegador não existe em http sem s)

  const RAIZES = [];
  const INICIO = [];
  (function primos() {
    const fracao = (x) => ((x - Math.floor(x)) * 4294967296) | 0;
    for (let n = 2; RAIZES.length < 64; n++) {
      let primo = true;
      for (let k = 2; k * k <= n; k++) if (n % k === 0) primo = false;
      if (!primo) continue;
      if (INICIO.length < 8) INICIO.push(fracao(Math.sqrt(n)));
      RAIZES.push(fracao(Math.cbrt(n)));
    }
  })();

  function emBytes(texto) {
    const bytes = [];
    for (const c of texto) {
      const n = c.codePointAt(0);
      if (n < 0x80) bytes.push(n);
      else if (n < 0x800) bytes.push(0xc0 | (n >> 6), 0x80 | (n & 63));
      else if (n < 0x10000) bytes.push(0xe0 | (n >> 12), 0x80 | ((n >> 6) & 63), 0x80 | (n & 63));
      else bytes.push(0xf0 | (n >> 18), 0x80 | ((n >> 12) & 63), 0x80 | ((n >> 6) & 63), 0x80 | (n & 63));
    }
    return bytes;
  }

  const girar = (x, n) => (x >>> n) | (x << (32 - n));

  function umBloco(estado, bytes, de) {
    const w = new Int32Array(64);
    for (let i = 0; i < 16; i++) {
      const k = de + 4 * i;
      w[i] = (bytes[k] << 24) | (bytes[k + 1] << 16) | (bytes[k + 2] << 8) | bytes[k + 3];
    }
    for (let i = 16; i < 64; i++) {
      const a = girar(w[i - 15], 7) ^ girar(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const b = girar(w[i - 2], 17) ^ girar(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = (w[i - 16] + a + w[i - 7] + b) | 0;
    }
    let [a, b, c, d, e, f, g, h] = estado;
    for (let i = 0; i < 64; i++) {
      const s1 = girar(e, 6) ^ girar(e, 11) ^ girar(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + RAIZES[i] + w[i]) | 0;
      const s0 = girar(a, 2) ^ girar(a, 13) ^ girar(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    return [a, b, c, d, e, f, g, h].map((v, i) => (v + estado[i]) | 0);
  }

  function sha256(texto) {
    const bytes = emBytes(texto);
    const bits = bytes.length * 8;
    bytes.push(0x80);
    while (bytes.length % 64 !== 56) bytes.push(0);
    for (const n of [Math.floor(bits / 4294967296), bits]) bytes.push((n >>> 24) & 255, (n >>> 16) & 255, (n >>> 8) & 255, n & 255);
    let estado = INICIO;
    for (let de = 0; de < bytes.length; de += 64) estado = umBloco(estado, bytes, de);
    return estado.map((v) => (v >>> 0).toString(16).padStart(8, "0")).join("");
  }

  // ---------------------------------------------------------------- a impressão digital (helpers/conferencia/impressao.py)

  const marca = (sal, casa) => sha256(`${sal}|0|${casa}`).slice(0, 8);

  /** A casa da grade de lado 2^expoente, por extenso; o que não é finito é a sua própria casa. */
  function casa(valor, expoente) {
    if (Number.isNaN(valor)) return "nan";
    if (!Number.isFinite(valor)) return valor > 0 ? "inf" : "-inf";
    return BigInt(Math.floor(valor * 2 ** -expoente)).toString();
  }

  function eONumero(valor, guardada, sal, tolerancia) {
    if (guardada.natureza === "inteiro") tolerancia = { rtol: 0, atol: 1e-9 };
    if (Number.isFinite(valor) && Math.abs(valor) > 1e290) valor = NaN;
    const [expoente] = guardada.expoentes;
    const certa = (v) => marca(sal, casa(v, expoente)) === guardada.marcas;
    if (certa(valor)) return true;
    if (!Number.isFinite(valor)) return false;
    const folga = 1.05 * (tolerancia.atol + tolerancia.rtol * Math.abs(valor));
    return certa(valor - folga) || certa(valor + folga);
  }

  // ---------------------------------------------------------------- o que se escreveu (helpers/conferencia/aposta.py)

  const inteira = (padrao) => new RegExp(`^(?:${padrao})$`, "u");
  const trocar = (frase, trocas) => frase.replace(/\{(\w+)\}/g, (_, nome) => trocas[nome]);

  /** Sem diferença de maiúsculas, acentos, hífens e espaços. */
  function canonico(texto, tabela) {
    const semAcentos = texto.toUpperCase().toLowerCase().normalize("NFKD").replace(/\p{Mn}/gu, "");
    return semAcentos.replace(new RegExp(tabela.hifens, "gu"), " ").trim().split(/\s+/u).join(" ");
  }

  /** Como o formato "g" do Python, que a frase usa. */
  function emG(valor) {
    if (!Number.isFinite(valor)) return Number.isNaN(valor) ? "nan" : valor > 0 ? "inf" : "-inf";
    if (valor === 0) return Object.is(valor, -0) ? "-0" : "0";
    const [digitos, expoente] = valor.toExponential(5).split("e");
    const n = Number(expoente);
    const aparar = (s) => (s.includes(".") ? s.replace(/\.?0+$/, "") : s);
    if (n < -4 || n >= 6) return `${aparar(digitos)}e${n < 0 ? "-" : "+"}${String(Math.abs(n)).padStart(2, "0")}`;
    return aparar(valor.toFixed(5 - n));
  }

  function deInfinito(escrito) {
    const nu = escrito.replace(/^[-+]/, "").toLowerCase();
    const sinal = escrito.startsWith("-") ? -1 : 1;
    if (nu === "nan") return NaN;
    return nu.startsWith("inf") ? sinal * Infinity : Number(escrito.replace(/_/g, ""));
  }

  /** O número que se escreveu e o que dizer disso; sem número, só o que dizer. */
  function numeroEscrito(texto, tabela) {
    const avisos = tabela.na_pagina;
    const comUnidade = inteira(tabela.com_unidade).exec(texto.trim());
    const escrito = (comUnidade ? comUnidade[1] : texto).trim();
    const decimal = escrito.replace(/,/g, ".").replace(/−/g, "-");
    if (!inteira(tabela.decimal).test(decimal)) return { aviso: trocar(avisos.ilegivel, { valor: texto }) };
    const valor = deInfinito(decimal);
    const lido = emG(valor).replace(".", avisos.virgula);
    return { valor, aviso: trocar(comUnidade ? avisos.com_unidade : avisos.sem_unidade, { lido }) };
  }

  // ---------------------------------------------------------------- a resposta

  /** A aposta `lida` é a saída guardada, da resposta certa ou de um equívoco? */
  function bate(lida, guardada, sal, questao) {
    if (typeof lida === "string") return guardada.natureza === "texto" && marca(sal, lida) === guardada.marca;
    const inteiro = questao.tipo === "int" && Number.isInteger(lida);
    if (inteiro && Math.abs(lida) > 2 ** 53) return false;
    if (guardada.natureza !== (inteiro ? "inteiro" : "real")) return false;
    return eONumero(lida, guardada, sal, questao);
  }

  function julgada(lida, questao, tabela) {
    if (bate(lida, questao.esperado, `${questao.nome}||0|0`, questao)) return { frase: tabela.certa, certa: true };
    for (const equivoco of questao.equivocos) {
      if (!bate(lida, equivoco.saida, `${questao.nome}|${equivoco.nome}|0|0`, questao)) continue;
      const certa = equivoco.nome.startsWith(tabela.certa_de_outro_jeito);
      return { frase: certa ? tabela.certa : equivoco.frase, certa };
    }
    const { opcoes } = questao;
    if (!opcoes.length || opcoes.some((o) => canonico(o, tabela) === lida)) return { frase: tabela.errada, certa: false };
    const citadas = opcoes.map((o) => `“${o}”`);
    const ultima = citadas.pop();
    return { frase: trocar(tabela.fora_das_opcoes, { outras: citadas.join(", "), ultima }), certa: false };
  }

  /** O que dizer da aposta `escrita`: { aviso, frase, certa }; sem frase, não há o que comparar. */
  function responder(questao, escrita, tabela) {
    if (!escrita.trim()) return { aviso: tabela.na_pagina.falta, frase: "", certa: false };
    if (questao.tipo === "int" || questao.tipo === "float") {
      const { valor, aviso } = numeroEscrito(escrita, tabela);
      return valor === undefined ? { aviso, frase: "", certa: false } : { aviso, ...julgada(valor, questao, tabela) };
    }
    const lida = questao.tipo === "forma" ? (escrita.match(/\p{Nd}+/gu) || [escrita]).join(",") : canonico(escrita, tabela);
    return { aviso: "", ...julgada(lida, questao, tabela) };
  }

  global.Aposta = { sha256, emG, canonico, responder };
})(globalThis);
