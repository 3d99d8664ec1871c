// Arquivos de números, grandes demais para a saída do notebook: o primeiro vem com o explorador, na bagagem dele; os outros, o
// kernel manda quando são pedidos. Uma página parada já traz todos.

const PACIENCIA = 3000; // milissegundos de silêncio até se dizer que o kernel está ocupado

/** Os bytes do arquivo `nome`, como DataView. Um kernel ocupado só responde quando acaba: não há prazo, e `demora()` avisa. */
function pedirArquivo(model, nome, demora = () => {}) {
  const trazido = model.get(nome) ?? (model.get("dados").bagagem === nome ? model.get("bagagem") : null);
  if (trazido) return Promise.resolve(trazido);
  return new Promise((resolver) => {
    const aviso = setTimeout(demora, PACIENCIA);
    const receber = (mensagem, [bytes] = []) => {
      if (mensagem?.arquivo !== nome) return;
      clearTimeout(aviso);
      model.off("msg:custom", receber);
      resolver(bytes instanceof ArrayBuffer ? new DataView(bytes) : bytes);
    };
    model.on("msg:custom", receber);
    model.send?.({ pedir: nome });
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
