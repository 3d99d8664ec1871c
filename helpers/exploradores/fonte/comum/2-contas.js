// As contas com matrizes, guardadas como listas de linhas.

/** As formas que os dados devem ter: todas as linhas do mesmo tamanho, e só números. Devolve [linhas, colunas] ou null. */
function forma(M) {
  if (!Array.isArray(M) || M.length === 0 || !Array.isArray(M[0]) || M[0].length === 0) return null;
  const certa = M.every((linha) => Array.isArray(linha) && linha.length === M[0].length && linha.every(Number.isFinite));
  return certa ? [M.length, M[0].length] : null;
}

function transposta(M) {
  return M[0].map((_, j) => M.map((linha) => linha[j]));
}

function produto(A, B) {
  const colunas = transposta(B);
  return A.map((linha) => colunas.map((coluna) => escalar(linha, coluna)));
}

function escalar(a, b) {
  return a.reduce((soma, x, i) => soma + x * b[i], 0);
}

/** Pesos que somam 1. O maior sai antes da exponencial, para que ela não estoure. */
function pesosDe(pontuacoes) {
  const maior = Math.max(...pontuacoes);
  const partes = pontuacoes.map((x) => Math.exp(x - maior));
  const total = partes.reduce((soma, x) => soma + x, 0);
  return partes.map((x) => x / total);
}

/** Uma cabeça inteira: X (N, D), as projeções que houver e o divisor das pontuações. */
function atender(X, { W_Q, W_K, W_V } = {}, divisor = 1) {
  const Q = W_Q ? produto(X, W_Q) : X;
  const K = W_K ? produto(X, W_K) : X;
  const V = W_V ? produto(X, W_V) : X;
  const S = produto(Q, transposta(K)).map((linha) => linha.map((x) => x / divisor)); // (N, N)
  const A = S.map(pesosDe); // (N, N)
  return { Q, K, V, S, A, Y: produto(A, V) };
}
