// De onde a página tira o que o Python precisa: por http, arquivos comprimidos; do disco (file://), onde fetch não lê
// nada, scripts com o mesmo em base64. Os nomes e os tamanhos vêm do manifesto, que `recursos.py` fez.
const RECEBIDOS = new Map(); // nome → quem espera por ele; um script só sabe chamar uma função global

export function recursosDaPagina(manifesto, base, { doDisco = location.protocol === "file:" } = {}) {
  if (!manifesto) return null;
  const { arquivos, comuns, listas, sem_torch: semTorch } = manifesto;
  const nomes = (lista) => [...comuns, ...(listas[lista] ?? [])];
  return {
    total: (lista) => nomes(lista).reduce((soma, nome) => soma + arquivos[nome].comprimido, 0),

    confere: (questao) => questao.split("/")[0] in listas && !semTorch.includes(questao),

    // nome → bytes; o da lista se chama "curso.zip", seja qual for ela
    async baixar(lista, aoReceber) {
      if (!(lista in listas)) throw new Error("Esta lista se confere com o curso instalado.");
      const total = this.total(lista);
      let feito = 0;
      const contar = (bytes) => aoReceber((feito += bytes), total);
      const ler = doDisco ? doScript : doServidor;
      const lidos = await Promise.all(
        nomes(lista).map(async (nome) => {
          const bytes = await ler(base, nome, arquivos[nome], contar);
          return [listas[lista].includes(nome) ? "curso.zip" : nome, bytes];
        }),
      );
      return Object.fromEntries(lidos);
    },
  };
}

async function doServidor(base, nome, { gz }, contar) {
  const falha = new Error("Não consegui baixar o Python da página. Veja se há internet e tente de novo.");
  const resposta = await fetch(new URL(gz, new URL(base, document.baseURI))).catch(() => null);
  if (!resposta?.ok) throw falha;
  const partes = [];
  try {
    for (const leitor = resposta.body.getReader(); ; ) {
      const { done, value } = await leitor.read();
      if (done) break;
      partes.push(value);
      contar(value.length);
    }
  } catch {
    throw falha;
  }
  return abrir(new Blob(partes));
}

function doScript(base, nome, { js, comprimido }, contar) {
  globalThis.cursoRecurso ??= (qual, texto) => RECEBIDOS.get(qual)?.(texto);
  return new Promise((resolver, rejeitar) => {
    const script = document.createElement("script");
    RECEBIDOS.set(nome, (texto) => {
      RECEBIDOS.delete(nome);
      script.remove();
      contar(comprimido);
      resolver(abrir(new Blob([Uint8Array.from(atob(texto), (c) => c.charCodeAt(0))])));
    });
    script.onerror = () => rejeitar(new Error(`Falta um arquivo ao lado desta página (${js}). Descompacte o zip inteiro.`));
    script.src = new URL(js, new URL(base, document.baseURI));
    document.head.append(script);
  });
}

// Há servidores que já entregam um .gz descomprimido: quem decide é o começo do que veio.
async function abrir(blob) {
  const inicio = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  if (inicio[0] !== 0x1f || inicio[1] !== 0x8b) return blob.arrayBuffer();
  return new Response(blob.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
