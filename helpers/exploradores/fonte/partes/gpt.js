// O GPT do curso (helpers/gpt.py) em JavaScript: lê os pesos de um arquivo safetensors em float16 e faz a mesma conta.
//
// Formas nos comentários: T tokens no texto, C números por token, h cabeças, V tokens no vocabulário.

const LEITORES = {
  F16: [2, (vista, onde) => deFloat16(vista.getUint16(onde, true))],
  F32: [4, (vista, onde) => vista.getFloat32(onde, true)],
};

/** Os tensores de um safetensors: {nome: {forma, dados: Float32Array}}, e os metadados. O arquivo tem o tamanho do
 * cabeçalho (8 bytes), o cabeçalho em JSON e os números, um tensor depois do outro. */
function lerSafetensors(vista) {
  const tamanho = Number(vista.getBigUint64(0, true));
  const texto = new TextDecoder().decode(new Uint8Array(vista.buffer, vista.byteOffset + 8, tamanho));
  const { __metadata__: metadados = {}, ...partes } = JSON.parse(texto);
  const tensores = {};
  for (const [nome, { dtype, shape, data_offsets }] of Object.entries(partes)) {
    const [largura, ler] = LEITORES[dtype], inicio = 8 + tamanho + data_offsets[0];
    const dados = new Float32Array((data_offsets[1] - data_offsets[0]) / largura);
    for (let i = 0; i < dados.length; i++) dados[i] = ler(vista, inicio + i * largura);
    tensores[nome] = { forma: shape, dados };
  }
  return { tensores, metadados };
}

/** y (T, saidas) = x (T, entradas) Wᵀ + b, com W (saidas, entradas) como o torch a guarda. */
function linear(x, T, W, b = null) {
  const [saidas, entradas] = W.forma, w = W.dados, y = new Float32Array(T * saidas);
  for (let t = 0; t < T; t++) {
    const de = t * entradas;
    for (let s = 0; s < saidas; s++) {
      let soma = b ? b.dados[s] : 0;
      for (let e = 0, i = s * entradas; e < entradas; e++, i++) soma += x[de + e] * w[i];
      y[t * saidas + s] = soma;
    }
  }
  return y;
}

function norma(x, T, ganho, vies) {
  const C = ganho.dados.length, y = new Float32Array(x.length);
  for (let t = 0; t < T; t++) {
    const linha = x.subarray(t * C, (t + 1) * C);
    let media = 0, variancia = 0;
    for (const v of linha) media += v / C;
    for (const v of linha) variancia += (v - media) ** 2 / C;
    const desvio = Math.sqrt(variancia + 1e-5);
    for (let c = 0; c < C; c++) y[t * C + c] = ((linha[c] - media) / desvio) * ganho.dados[c] + vies.dados[c];
  }
  return y;
}

/** A função erro, com erro menor que 1,5e-7 (Abramowitz e Stegun, 7.1.26). */
function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const soma = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return Math.sign(x) * (1 - soma * Math.exp(-x * x));
}

const gelu = (x) => 0.5 * x * (1 + erf(x / Math.SQRT2));

/** A softmax de z / temperatura; −∞ vira 0. */
function softmax(z, temperatura = 1) {
  let maior = -Infinity, soma = 0;
  for (const v of z) maior = Math.max(maior, v);
  const p = Float64Array.from(z, (v) => Math.exp((v - maior) / temperatura));
  for (const v of p) soma += v;
  return p.map((v) => v / soma);
}

/** Atenção causal: qkv (T, 3C) -> a saída das cabeças em fila (T, C); escreve em A (h, T, T) os pesos de atenção. */
function atencao(qkv, T, C, h, A) {
  const D = C / h, y = new Float32Array(T * C);
  for (let c = 0; c < h; c++) {
    for (let i = 0; i < T; i++) {
      const q = i * 3 * C + c * D, pontuacoes = new Float32Array(i + 1); // do futuro, nem a conta se faz
      for (let j = 0; j <= i; j++) {
        const k = j * 3 * C + C + c * D;
        let soma = 0;
        for (let d = 0; d < D; d++) soma += qkv[q + d] * qkv[k + d];
        pontuacoes[j] = soma / Math.sqrt(D);
      }
      softmax(pontuacoes).forEach((peso, j) => {
        A[(c * T + i) * T + j] = peso;
        const v = j * 3 * C + 2 * C + c * D;
        for (let d = 0; d < D; d++) y[i * C + c * D + d] += peso * qkv[v + d];
      });
    }
  }
  return y;
}

const somar = (x, y) => { for (let i = 0; i < x.length; i++) x[i] += y[i]; };

/** O modelo de um arquivo (um DataView): {V, bloco, camadas, cabecas, calcular}. `calcular(ids)` leva T tokens em {logits (T, V),
 * atencao (camadas, h, T, T)}, como o `forward` e o `mapas` do Python. */
function criarGPT(vista, cabecas) {
  const { tensores: p } = lerSafetensors(vista);
  const [V, C] = p["tokens.weight"].forma, bloco = p["posicoes.weight"].forma[0];
  const camadas = Object.keys(p).filter((nome) => nome.endsWith("reduz.weight")).length;

  function calcular(ids) {
    const T = ids.length, x = new Float32Array(T * C), atencoes = new Float32Array(camadas * cabecas * T * T);
    ids.forEach((id, t) => {
      for (let c = 0; c < C; c++) {
        x[t * C + c] = p["tokens.weight"].dados[id * C + c] + p["posicoes.weight"].dados[t * C + c];
      }
    });
    for (let l = 0; l < camadas; l++) {
      const de = (nome) => p[`blocos.${l}.${nome}`];
      const normal = norma(x, T, de("norma1.weight"), de("norma1.bias"));
      const A = atencoes.subarray(l * cabecas * T * T, (l + 1) * cabecas * T * T);
      const y = atencao(linear(normal, T, de("mistura.qkv.weight")), T, C, cabecas, A);
      somar(x, linear(y, T, de("mistura.saida.weight")));
      const dentro = linear(norma(x, T, de("norma2.weight"), de("norma2.bias")), T, de("expande.weight"), de("expande.bias"));
      somar(x, linear(dentro.map(gelu), T, de("reduz.weight"), de("reduz.bias")));
    }
    const logits = linear(norma(x, T, p["norma.weight"], p["norma.bias"]), T, p["tokens.weight"]);
    return { logits, atencao: atencoes };
  }
  return { V, bloco, camadas, cabecas, calcular };
}

/** As chances do próximo token: dos logits (V,), com a temperatura e só os k maiores; o <PAD>, que é o 0, nunca sai.
 * Temperatura 0 é guloso: o maior leva tudo. */
function chances(logits, temperatura, k) {
  const z = Float64Array.from(logits);
  z[0] = -Infinity;
  const limite = Float64Array.from(z).sort()[z.length - Math.min(Math.max(1, k), z.length - 1)];
  for (let i = 0; i < z.length; i++) if (z[i] < limite) z[i] = -Infinity;
  if (temperatura > 0) return softmax(z, temperatura);
  const maior = z.indexOf(Math.max(...z));
  return z.map((_, i) => (i === maior ? 1 : 0));
}

/** Um sorteio de 0 a 1 que a semente decide (mulberry32). */
function sorteador(semente) {
  let estado = semente >>> 0;
  return () => {
    estado = (estado + 0x6d2b79f5) >>> 0;
    let t = Math.imul(estado ^ (estado >>> 15), 1 | estado);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** O índice sorteado da distribuição p. */
function sortear(p, sorte) {
  let resta = sorte(), ultimo = 0;
  for (let i = 0; i < p.length; i++) {
    if (p[i] > 0) ultimo = i;
    if ((resta -= p[i]) < 0) return i;
  }
  return ultimo; // a soma de p não chega a 1 por um arredondamento
}
