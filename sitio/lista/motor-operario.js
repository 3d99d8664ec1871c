// O operário: liga o Pyodide dentro do Worker e atende os pedidos da página, um por vez. Em um Node, que não é um Worker,
// só deixa em `cursoOperario` o que os testes usam. No Worker, o código do Pyodide vem antes deste, no mesmo blob.
"use strict";
(() => {
  const CASA = "/curso";
  const PACOTES = "/lib/python3.13/site-packages";
  const POR_VEZ = 50; // milissegundos entre uma remessa do que se imprimiu e a próxima

  // Os prazos da conferência são sinais (helpers/conferencia/execucao.py), e aqui não há quem os mande. Mas o Pyodide
  // pergunta a este “buffer”, a cada punhado de instruções do Python, se chegou um: é quem olha o relógio.
  function relogio() {
    const SIGALRM = 14, SIGPROF = 27, REAL = 0;
    const armados = new Map(); // sinal → [quando, intervalo]
    // no Node, o tempo de processador, que não depende de quem mais usa a máquina; um Worker não sabe o dele
    const gasto = globalThis.process?.cpuUsage;
    const agora = gasto ? () => (gasto().user + gasto().system) / 1000 : () => performance.now();
    return {
      armar(qual, segundos, intervalo) {
        const sinal = qual === REAL ? SIGALRM : SIGPROF;
        if (segundos > 0) armados.set(sinal, [agora() + 1000 * segundos, 1000 * intervalo]);
        else armados.delete(sinal);
      },
      get 0() {
        if (armados.size) {
          const ja = agora();
          for (const [sinal, [quando, intervalo]] of armados) {
            if (ja < quando) continue;
            if (intervalo > 0) armados.set(sinal, [ja + intervalo, intervalo]);
            else armados.delete(sinal);
            return sinal;
          }
        }
        return 0;
      },
      set 0(_lido) {},
    };
  }

  // O NumPy e o que a lista usa do curso; devolve quem atende: (pedido em JSON, quem mostra) → resposta em JSON.
  function vestir(py, { numpy, curso, lista }) {
    py.unpackArchive(numpy, "zip", { extractDir: PACOTES });
    py.unpackArchive(curso, "zip", { extractDir: CASA });
    const horas = relogio();
    py.setInterruptBuffer(horas);
    py.runPython(`import sys; sys.path.insert(0, "${CASA}")`);
    const ligar = py.pyimport("sitio.lista.na_pagina.ligar");
    return ligar.ligar(lista, (qual, segundos, intervalo) => horas.armar(qual, segundos, intervalo));
  }

  globalThis.cursoOperario = { vestir };
  if (typeof WorkerGlobalScope === "undefined") return;

  // ---------------------------------------------------------------- no Worker

  const { fetch } = globalThis;
  const { instantiateStreaming } = WebAssembly;

  async function ligar({ recursos, modulo, lista, porta }) {
    const dados = new Map(Object.entries(recursos));
    // o Pyodide pede por endereço o que já está aqui; a rede, a CSP barra
    globalThis.fetch = async (pedido) => {
      const nome = String(pedido.url ?? pedido).split("/").pop();
      if (nome === "pyodide.asm.wasm") return new Response();
      if (!dados.has(nome)) throw new TypeError(`não há ${nome}`);
      return new Response(dados.get(nome));
    };
    WebAssembly.instantiateStreaming = async (_resposta, pedidos) => ({
      instance: await WebAssembly.instantiate(modulo, pedidos),
      module: modulo,
    });
    const lock = JSON.parse(new TextDecoder().decode(dados.get("pyodide-lock.json")));
    const py = await loadPyodide({
      indexURL: "https://pyodide.invalid/",
      lockFileContents: lock,
      stdin: () => null,
      stdout: () => {},
      stderr: () => {},
      env: { HOME: "/home/aluno", CURSO_NA_PAGINA: "1" },
    });
    globalThis.fetch = fetch;
    WebAssembly.instantiateStreaming = instantiateStreaming;
    const atender = vestir(py, {
      numpy: new Uint8Array(dados.get("numpy.zip")),
      curso: new Uint8Array(dados.get("curso.zip")),
      lista,
    });
    porta.onmessage = ({ data }) => porta.postMessage(responder(atender, data, porta));
    porta.postMessage({ que: "pronto" });
  }

  function responder(atender, { numero, pedido }, porta) {
    let guardado = "", ultima = performance.now();
    const remeter = () => {
      if (guardado) porta.postMessage({ que: "texto", numero, texto: guardado });
      [guardado, ultima] = ["", performance.now()];
    };
    try {
      const resposta = atender(pedido, (texto) => {
        guardado += texto;
        if (performance.now() - ultima > POR_VEZ) remeter();
      });
      remeter();
      return { que: "resposta", numero, resposta };
    } catch (erro) {
      remeter();
      return { que: "morta", numero, motivo: String(erro?.message ?? erro).slice(-2000) };
    }
  }

  globalThis.onmessage = ({ data }) => {
    globalThis.onmessage = null;
    ligar(data).catch((erro) => data.porta.postMessage({ que: "nao-ligou", motivo: String(erro?.message ?? erro) }));
  };
})();
