// Arquivos de números, grandes demais para a saída do notebook: o kernel os manda quando são pedidos; uma página parada já
// os traz.

/** Os bytes do arquivo `nome`, como DataView; `calado` é o que se diz se o kernel não responde. */
function pedirArquivo(model, nome, calado) {
  const trazido = model.get(nome);
  if (trazido) return Promise.resolve(trazido);
  return new Promise((resolver, recusar) => {
    const encerrar = (fim, valor) => {
      clearTimeout(prazo);
      model.off("msg:custom", receber);
      fim(valor);
    };
    const receber = (mensagem, [bytes] = []) => {
      if (mensagem?.arquivo !== nome) return;
      encerrar(resolver, bytes instanceof ArrayBuffer ? new DataView(bytes) : bytes);
    };
    const prazo = setTimeout(() => encerrar(recusar, new Error(calado)), 20000);
    model.on("msg:custom", receber);
    model.send({ pedir: nome });
  });
}

/** Um número de 16 bits (1 de sinal, 5 de expoente, 10 de fração) como um número comum. */
function deFloat16(bits) {
  const expoente = (bits >> 10) & 31;
  const fracao = bits & 1023;
  let tamanho = (1 + fracao / 1024) * 2 ** (expoente - 15);
  if (expoente === 0) tamanho = fracao * 2 ** -24;
  if (expoente === 31) tamanho = fracao ? NaN : Infinity;
  return bits & 0x8000 ? -tamanho : tamanho;
}
