// Feito de helpers/exploradores/fonte/ por: python -m helpers.exploradores.montar (letra)
const TEXTOS = {"comum": {"e": "e", "tabela": "Tabela", "ajuda": "Teclas", "tela_cheia": "Tela cheia", "defeito": "Não consegui desenhar este explorador. Rode a célula outra vez. Se continuar assim, avise quem dá o curso.", "nao_sao_numeros": "Em {nome} há algo que não é número. Passe um array ou uma lista de números.", "forma_errada": "{nome} tem a forma {forma}, e aqui precisa ter a forma {pedida}.", "nao_finito": "{nome} tem um {tipo} na posição {onde}. Veja de onde ele veio antes de desenhar.", "teclas": [["Tab", "vai de um controle a outro"], ["T", "mostra ou esconde a tabela com os mesmos números"], ["?", "mostra ou esconde esta ajuda"]]}, "letra": {"titulo": "Letra por letra", "alt": "As letras mais prováveis depois de “{texto}”, segundo o GPT no passo {passo} do treino: {quais}.", "alt_do_aluno": "As letras mais prováveis depois de “{texto}”, segundo o seu GPT: {quais}.", "texto": "Escreva um começo em inglês, como Shakespeare. O modelo continua.", "texto_do_aluno": "Escreva um começo. O seu GPT continua.", "treino": "Treino do modelo", "passo": "passo {passo} · perda {perda}", "sabe_nada": "Ainda não sabe nada. Chutar qualquer letra daria perda {nada}.", "sabe_letras": "Já sabe quais letras são comuns. Contar letras daria perda {letras}.", "sabe_pares": "Já sabe que letra costuma vir depois de qual. Contar pares de letras daria perda {pares}.", "sabe_alem": "Sabe mais do que quem só conta pares de letras, que teria perda {pares}. Já olha mais longe.", "olhares": "Para onde cada cabeça olha", "olha": "{cabeca}: a última letra, “{letra}”, olha mais para {quem}. O modelo vê no máximo {bloco} letras.", "media": "Média das cabeças", "media_curta": "média", "cabeca": "Camada {camada}, cabeça {cabeca}", "cabeca_curta": "{camada} · {cabeca}", "proxima": "A próxima letra", "aceitar": "{letra}, {chance}, aceitar", "entrou": "Entrou “{letra}”.", "mais_provavel": "Agora a mais provável é “{letra}”, com {chance}.", "outras": "As outras {quantas} juntas têm {chance}.", "temperatura": "Temperatura", "temperatura_ajuda": "Divide os logits antes da softmax. Pequena, o modelo arrisca pouco. Grande, arrisca muito.", "gulosa": "0, sempre a maior", "top_k": "Top-k, as letras que entram no sorteio", "top_k_ajuda": "Só as k letras de maior logit podem sair.", "todas": "todas", "gerar": "Gerar {n} letras", "parar": "Parar", "sortear": "Sortear uma", "recomecar": "Recomeçar", "letra": "letra", "logit": "logit", "chance": "chance", "espaco": "espaço", "fim_de_linha": "fim de linha", "tabulacao": "tabulação", "tabela_chances": "A chance de cada letra ser a próxima", "tabela_olhares": "Quanto a última letra olha para cada uma (pesos de atenção)", "vazio": "Escreva ao menos uma letra, e o modelo continua.", "desconhecida": "O modelo não conhece “{letra}” (é o {onde}º caractere): ele só lê os que estavam no texto do treino. Troque esse caractere.", "nao_numero": "A conta deste modelo deu NaN ou infinito. O treino deve ter estourado: treine de novo com uma taxa menor.", "sem_pesos": "Os pesos do modelo não chegaram: {por_que}.", "sem_vocabulario": "Faltam as letras que o modelo conhece (o vocabulário). Abra o explorador com letra_por_letra().", "sem_pontos": "Faltam os pesos do modelo. Abra o explorador com letra_por_letra().", "teclas": [["Enter", "no texto, aceita a letra mais provável (Shift+Enter muda de linha)"], ["↑ ↓", "nas barras, vão de uma letra a outra; Enter aceita a que está com o foco"], ["S", "sorteia uma letra"], ["G", "gera 20 letras, ou interrompe a geração"], ["R", "recomeça do texto do início"]], "nao_e_modelo": "Passe o modelo treinado, e não {tipo}: letra_por_letra(meu_gpt, tokenizador).", "sem_tokenizador": "Falta o tokenizador, que diz que letra é cada número: letra_por_letra(meu_gpt, tokenizador).", "sem_kernel": "o kernel não respondeu; rode a célula outra vez"}};
const ESTILO = ".explorador[data-tema=\"claro\"] { color-scheme: light; --fundo: #ffffff; --fundo-2: #f4f5f7; --fundo-3: #e6e8ec; --borda: #dcdfe4; --borda-forte: #868d99; --texto: #1b1f27; --texto-2: #4f5663; --foco: #1f5fd0; --negativo: #5b6b8c; --teto: 68%; --cor-Q: #0072B2; --letra-Q: #00629B; --cor-K: #E69F00; --letra-K: #8A5A00; --cor-V: #009E73; --letra-V: #00704F; --cor-A: #CC79A7; --letra-A: #9A3D73; --cor-X: #6B7280; --letra-X: #4B5563; --cor-destaque: #D55E00; --letra-destaque: #B34A00; --cor-azul: #0072B2; --letra-azul: #00629B; --cor-laranja: #E69F00; --letra-laranja: #8A5A00; --cor-verde: #009E73; --letra-verde: #00704F; --cor-rosa: #CC79A7; --letra-rosa: #9A3D73; --cor-cinza: #6B7280; --letra-cinza: #4B5563; }\n.explorador[data-tema=\"escuro\"] { color-scheme: dark; --fundo: #16181d; --fundo-2: #21242b; --fundo-3: #2e323b; --borda: #343943; --borda-forte: #7d8492; --texto: #eceef2; --texto-2: #b6bcc8; --foco: #7fb0ff; --negativo: #8fa3cc; --teto: 42%; --cor-Q: #7CC4F0; --letra-Q: #7CC4F0; --cor-K: #F2B84B; --letra-K: #F2B84B; --cor-V: #5CCFA8; --letra-V: #5CCFA8; --cor-A: #EBA3CB; --letra-A: #EBA3CB; --cor-X: #C2C8D2; --letra-X: #C2C8D2; --cor-destaque: #FF9350; --letra-destaque: #FF9350; --cor-azul: #7CC4F0; --letra-azul: #7CC4F0; --cor-laranja: #F2B84B; --letra-laranja: #F2B84B; --cor-verde: #5CCFA8; --letra-verde: #5CCFA8; --cor-rosa: #EBA3CB; --letra-rosa: #EBA3CB; --cor-cinza: #C2C8D2; --letra-cinza: #C2C8D2; }\n:host { display: block; }\n:host(:fullscreen) { overflow: auto; }\n:host(:fullscreen) .explorador { min-height: 100vh; border: 0; border-radius: 0; padding: 2rem 4vw; font-size: 1.15rem; }\n* { box-sizing: border-box; }\n.explorador {\n  container-type: inline-size;\n  font: 0.95rem/1.45 system-ui, -apple-system, \"Segoe UI\", Roboto, Ubuntu, \"Noto Sans\", sans-serif;\n  color: var(--texto); background: var(--fundo);\n  border: 1px solid var(--borda); border-radius: 12px; padding: 0.9rem 1rem 1rem; margin: 0.4rem 0; min-width: 0;\n  font-variant-numeric: tabular-nums; text-align: left;\n}\n.topo { display: flex; flex-wrap: wrap; gap: 0.3rem 0.8rem; align-items: center; margin-bottom: 0.6rem; }\n.topo h2 { font-size: 1.12em; line-height: 1.3; margin: 0; font-weight: 650; flex: 1 1 auto; letter-spacing: -0.01em; }\n.barra { display: flex; gap: 0.35rem; align-items: center; }\n.corpo { min-width: 0; }\n.recado {\n  margin: 0.2rem 0; padding: 0.7rem 0.9rem; border-left: 4px solid var(--cor-destaque); background: var(--fundo-2);\n  border-radius: 0 8px 8px 0;\n}\n.fala { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }\n[hidden] { display: none !important; }\n\nbutton {\n  font: inherit; font-size: 0.88em; color: var(--texto); background: var(--fundo-2); border: 1px solid var(--borda-forte);\n  border-radius: 8px; padding: 0.3rem 0.7rem; min-height: 2.1rem; cursor: pointer; display: inline-flex; gap: 0.45rem;\n  align-items: center; justify-content: center;\n}\nbutton:hover { background: var(--fundo-3); }\nbutton[aria-pressed=\"true\"], button[aria-expanded=\"true\"] { background: var(--fundo-3); border-color: var(--texto-2); }\nbutton.so-icone { min-width: 2.1rem; padding: 0.3rem; }\nbutton svg path { fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }\nbutton:disabled { opacity: 0.55; cursor: default; }\nkbd {\n  font: 600 0.8em/1.3 ui-monospace, \"SFMono-Regular\", Menlo, Consolas, monospace; padding: 0.05em 0.4em; border-radius: 5px;\n  border: 1px solid var(--borda-forte); background: var(--fundo); color: var(--texto-2);\n}\n:focus { outline: none; }\n:focus-visible { outline: 3px solid var(--foco); outline-offset: 2px; border-radius: 6px; }\n\n.controles { display: flex; flex-direction: column; gap: 0.7rem; min-width: 0; }\n.controle { display: grid; grid-template-columns: 1fr auto; gap: 0.15rem 0.6rem; align-items: baseline; min-width: 0; }\n.controle label { color: var(--texto-2); font-size: 0.92em; }\n.controle output { font-weight: 600; }\n.controle input, .controle select { grid-column: 1 / -1; width: 100%; min-width: 0; }\ninput[type=\"range\"] { accent-color: var(--foco); height: 1.6rem; margin: 0; cursor: pointer; }\ninput[type=\"text\"], select, textarea {\n  font: inherit; color: var(--texto); background: var(--fundo); border: 1px solid var(--borda-forte); border-radius: 8px;\n  padding: 0.38rem 0.6rem; min-height: 2.2rem;\n}\n.interruptor { display: flex; gap: 0.55rem; align-items: center; cursor: pointer; min-height: 1.9rem; }\n.interruptor input {\n  appearance: none; flex: none; width: 2.3rem; height: 1.3rem; border-radius: 1rem; margin: 0; cursor: pointer; position: relative;\n  background: var(--borda-forte);\n}\n.interruptor input::after {\n  content: \"\"; position: absolute; top: 0.16rem; left: 0.18rem; width: 0.98rem; height: 0.98rem; border-radius: 50%;\n  background: var(--fundo); transition: transform 0.15s;\n}\n.interruptor input:checked { background: var(--foco); }\n.interruptor input:checked::after { transform: translateX(0.96rem); }\n.interruptor input:focus-visible { border-radius: 1rem; }\n\n.tabela, .ajuda { margin-top: 0.9rem; padding-top: 0.8rem; border-top: 1px solid var(--borda); }\n.rola { overflow-x: auto; max-width: 100%; margin-bottom: 0.8rem; }\ntable { border-collapse: collapse; font-size: 0.9em; background: none; color: inherit; }\ncaption { text-align: left; color: var(--texto-2); padding-bottom: 0.35rem; }\nth, td { padding: 0.22rem 0.6rem; text-align: right; border-bottom: 1px solid var(--borda); font-weight: 400; white-space: nowrap; }\nth { font-weight: 600; }\nth[scope=\"row\"], thead th:first-child { text-align: left; }\ndl { display: grid; grid-template-columns: auto 1fr; gap: 0.35rem 0.9rem; margin: 0; align-items: baseline; }\ndd { margin: 0; }\n\nsvg { display: block; max-width: 100%; height: auto; }\nsvg text { fill: var(--texto); font-family: inherit; }\n\n@media (prefers-reduced-motion: reduce) {\n  *, *::after { transition: none !important; animation: none !important; }\n}\nsub { font-size: 0.75em; line-height: 0; }\n\n.letra { --mono: ui-monospace, \"SFMono-Regular\", Menlo, Consolas, \"DejaVu Sans Mono\", monospace; }\n.letra .corpo { display: grid; gap: 0.9rem 1.6rem; }\n.letra h3, .letra legend { font-size: 0.95em; font-weight: 600; margin: 0; padding: 0; }\n.letra .legenda { margin: 0.3rem 0 0; color: var(--texto-2); font-size: 0.9em; }\n.letra .treino, .letra .papel, .letra .atencao, .letra .proxima { min-width: 0; }\n.letra .ao-lado { display: grid; gap: 1.1rem; align-content: start; min-width: 0; }\n.letra .marcas { display: flex; justify-content: space-between; color: var(--texto-2); font-size: 0.8em; padding: 0 8px; }\n.letra .marcas span { width: 0; display: flex; justify-content: center; }\n.letra .marcas span:last-child { margin-right: -8px; justify-content: flex-end; }\n.letra .tabela { display: flex; flex-wrap: wrap; gap: 0 2rem; align-items: flex-start; }\n.letra .tabela .rola { max-height: 24rem; overflow: auto; }\n\n.letra .papel label { display: block; color: var(--texto-2); font-size: 0.92em; margin-bottom: 0.25rem; }\n.letra .folha { position: relative; background: var(--fundo-2); border-radius: 8px; }\n.letra .folha textarea, .letra .espelho {\n  display: block; width: 100%; margin: 0; font: 1.15rem/1.5 var(--mono); padding: 0.5rem 0.7rem; border: 1px solid var(--borda-forte);\n  white-space: pre-wrap; overflow-wrap: break-word; overflow-y: scroll; border-radius: 8px; resize: none; height: 6.3rem; scrollbar-width: thin;\n}\n.letra .folha textarea { position: relative; background: none; }\n.letra .espelho { position: absolute; inset: 0; color: transparent; border-color: transparent; pointer-events: none; }\n.letra mark { color: transparent; background: color-mix(in srgb, var(--cor-destaque) 22%, transparent); border-radius: 2px; }\n\n.letra .painel { display: grid; gap: 0.9rem 1.6rem; min-width: 0; }\n.letra fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }\n.letra legend { margin-bottom: 0.3rem; }\n.letra .fita {\n  display: grid; grid-template-columns: auto repeat(var(--T), minmax(0.72rem, 1.9rem)); gap: 2px; align-items: stretch; padding: 3px 1rem 3px 3px;\n}\n.letra .fita .torre { display: flex; flex-direction: column; justify-content: flex-end; height: 5.6rem; text-align: center; }\n.letra .torre small { font-size: 0.68rem; line-height: 1.3; color: var(--texto-2); white-space: nowrap; margin: 0 -1rem; display: none; }\n.letra .torre i { height: calc(3.6rem * var(--peso)); background: var(--cor-A); border-radius: 3px 3px 0 0; transition: height 0.15s; }\n.letra .torre b {\n  font: 600 clamp(0.85rem, 2.2cqi, 1.05rem)/1.7 var(--mono); background: var(--fundo-2); border-top: 2px solid var(--cor-A); border-radius: 0 0 4px 4px;\n}\n.letra .cela { min-height: 1.35rem; border-radius: 3px; background: color-mix(in srgb, var(--cor-A) calc(100% * var(--peso)), var(--fundo-2)); }\n.letra .qual {\n  display: flex; align-items: center; gap: 0.3rem; font-size: 0.85em; padding-right: 0.4rem; white-space: nowrap; cursor: pointer;\n  color: var(--texto-2); border-radius: 6px;\n}\n.letra .qual input { flex: none; accent-color: var(--letra-A); margin: 0 0.15rem; width: 0.95rem; height: 0.95rem; }\n.letra .qual span:nth-of-type(1) { display: none; }\n.letra .qual:has(:checked) { color: var(--texto); font-weight: 600; }\n\n.letra ol { list-style: none; margin: 0.3rem 0 0; padding: 0; display: grid; gap: 2px; }\n.letra ol button {\n  width: 100%; display: grid; grid-template-columns: 2rem 1fr 4rem; gap: 0.5rem; padding: 0 0.5rem 0 0; min-height: 1.75rem; border: 0;\n  background: none; text-align: right; font-size: 0.95em;\n}\n.letra ol button:hover { background: var(--fundo-3); }\n.letra ol b { font: 600 1.05rem/1.5 var(--mono); text-align: center; }\n.letra .trilho { display: block; height: 1.05rem; border-radius: 4px; background: var(--fundo-2); overflow: hidden; }\n.letra .trilho i {\n  display: block; height: 100%; width: calc(100% * var(--peso)); min-width: 2px; background: var(--cor-destaque); border-radius: 4px; transition: width 0.15s;\n}\n.letra ol .fora { color: var(--texto-2); }\n.letra ol .fora .trilho i { visibility: hidden; }\n\n.letra .controles { display: grid; gap: 0.7rem 1.6rem; }\n.letra .botoes { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-top: -0.3rem; }\n.letra button.principal { background: var(--foco); border-color: var(--foco); color: var(--fundo); font-weight: 600; }\n.letra button.principal:hover { filter: brightness(1.1); }\n\n@container (min-width: 44rem) {\n  .letra .painel { grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); }\n  .letra .torre small { display: block; }\n}\n@container (min-width: 56rem) {\n  .letra .qual span:nth-of-type(1) { display: inline; }\n  .letra .qual span:nth-of-type(2) { display: none; }\n}\n";
// O básico: fazer elementos, escrever números em português, ler o catálogo de textos.

const SVG = "http://www.w3.org/2000/svg";

/** Um elemento HTML. `atributos` aceita texto, booleano, função (em `ao…`, como aoClick) e `style` como objeto. */
function h(nome, atributos = {}, ...filhos) {
  return preencher(document.createElement(nome), atributos, filhos);
}

/** O mesmo, em SVG. */
function s(nome, atributos = {}, ...filhos) {
  return preencher(document.createElementNS(SVG, nome), atributos, filhos);
}

function preencher(no, atributos, filhos) {
  for (const [nome, valor] of Object.entries(atributos)) {
    if (valor === false || valor === null || valor === undefined) continue;
    if (typeof valor === "function") no.addEventListener(nome.replace(/^ao/, "").toLowerCase(), valor);
    else if (nome === "style") Object.entries(valor).forEach(([chave, v]) => no.style.setProperty(chave, v));
    else no.setAttribute(nome, valor === true ? "" : valor);
  }
  no.append(...filhos.flat(Infinity).filter((f) => f !== null && f !== undefined && f !== false));
  return no;
}

/** Muda atributos de um elemento que já existe. */
function mudar(no, atributos) {
  return preencher(no, atributos, []);
}

/** 0,75; −1,20. Um número que não é finito vira um traço. */
function numero(x, casas = 2) {
  if (!Number.isFinite(x)) return "–";
  const texto = Math.abs(x).toFixed(casas);
  const nulo = !/[1-9]/.test(texto);
  return (x < 0 && !nulo ? "−" : "") + texto.replace(".", ",");
}

/** 37 %; com uma casa quando é menos que 10 %. */
function porcento(x) {
  return Number.isFinite(x) ? `${numero(100 * x, x > 0 && x < 0.0995 ? 1 : 0)} %` : "–";
}

/** A frase do catálogo (textos.json), com {nomes} trocados: texto("plano.olha", {quem: "manga"}). */
function texto(caminho, trocas = {}) {
  let achado = TEXTOS;
  for (const parte of caminho.split(".")) achado = achado?.[parte];
  if (typeof achado !== "string") throw new Error(`falta em textos.json: ${caminho}`);
  return achado.replace(/\{(\w+)\}/g, (tudo, nome) => (nome in trocas ? String(trocas[nome]) : tudo));
}

/** a, b e c */
function enumerar(itens) {
  return itens.length < 2 ? itens.join("") : `${itens.slice(0, -1).join(", ")} ${texto("comum.e")} ${itens.at(-1)}`;
}

/** Um texto com índices, como “X W_Q / √d_k”: o que vem depois de _ fica embaixo da linha. */
function formula(escrita) {
  return escrita.split(/(_[\p{L}\p{N}]+)/u).map((parte) => (parte.startsWith("_") ? h("sub", {}, parte.slice(1)) : parte));
}

const limitar = (x, minimo, maximo) => Math.min(maximo, Math.max(minimo, x));

/** A cor de um papel ("Q", "K", "V", "A", "X", "destaque") ou de um nome ("azul"…), como variável de CSS que segue o tema.
 *  `uso`: "traco" para linhas e fundos, "texto" para letras, que precisam de contraste. */
function cor(papel, uso = "traco") {
  return `var(--${uso === "texto" ? "letra" : "cor"}-${papel})`;
}

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

// A casa de um explorador: título, botões, tabela, ajuda, fala para leitores de tela, tema, e a frase que fica no
// lugar de tudo quando os dados não servem. Fica em um shadow root, para que o CSS da página não entre nem saia.

/**
 * O `render` de um explorador:
 *   nome      o do módulo, e o do trecho dele em textos.json (título, teclas…)
 *   conferir  dados → null, ou a frase do que há de errado
 *   criar     casa → nada, ou uma função que desfaz o que foi ligado fora da casa
 * A casa tem: dados, model, corpo (onde se desenha), estado(…), tabela(…), mudou(), falar(…), atalho(…), movimento().
 */
function explorador({ nome, conferir, criar }) {
  return function render({ model, el }) {
    const raiz = el.shadowRoot ?? el.attachShadow({ mode: "open" });
    el.style.display = "block";
    let desfazer = null;
    const refazer = () => {
      desfazer?.();
      desfazer = montarCasa({ nome, conferir, criar, model, raiz, el });
    };
    const soltar = calarAtalhos(el);
    refazer();
    model.on("change:dados", refazer);
    return () => {
      model.off?.("change:dados", refazer);
      soltar();
      desfazer?.();
    };
  };
}

/** Dentro do explorador não valem os atalhos do JupyterLab (“d d” apagaria a célula, e Ctrl+A escolheria todas elas em vez
 *  do texto de um campo), salvo o de salvar. */
function calarAtalhos(el) {
  const salva = (evento) => (evento.ctrlKey || evento.metaKey) && evento.key.toLowerCase() === "s";
  const calar = (evento) => el.toggleAttribute("data-lm-suppress-shortcuts", !salva(evento));
  window.addEventListener("keydown", calar, true); // antes do JupyterLab, que escuta no document
  return () => window.removeEventListener("keydown", calar, true);
}

function montarCasa({ nome, conferir, criar, model, raiz, el }) {
  const dados = model.get("dados") ?? {};
  const caixa = h("section", { class: `explorador ${nome}`, "aria-label": texto(`${nome}.titulo`) });
  raiz.replaceChildren(h("style", {}, ESTILO), caixa);
  const desligar = [seguirTema(caixa)];
  const desfazer = () => desligar.forEach((f) => f());
  try {
    const problema = dados.problema ?? conferir(dados);
    if (problema) {
      caixa.append(recado(problema));
      return desfazer;
    }
    const casa = fazerCasa({ nome, dados, model, caixa, el });
    const fim = criar(casa);
    if (typeof fim === "function") desligar.push(fim);
    casa.mudou();
  } catch (erro) {
    console.error(erro);
    caixa.replaceChildren(recado(texto("comum.defeito")));
  }
  return desfazer;
}

/** A frase no lugar do desenho. */
function recado(frase) {
  return h("p", { class: "recado", role: "status" }, frase);
}

function fazerCasa({ nome, dados, model, caixa, el }) {
  const corpo = h("div", { class: "corpo" });
  const fala = h("p", { class: "fala", "aria-live": "polite", role: "status" });
  const barra = h("div", { class: "barra" });
  const topo = h("header", { class: "topo" }, h("h2", {}, texto(`${nome}.titulo`)), barra);
  const atalhos = new Map();
  const casa = { dados, model, corpo, topo, barra, caixa };

  casa.falar = falarCom(fala);
  casa.movimento = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;
  /** Guarda no modelo o que se escolheu; o Python lê em `.estado`. */
  casa.estado = (mudancas) => {
    model.set("estado", { ...(model.get("estado") ?? {}), ...mudancas });
    model.save_changes();
  };
  /** Uma tecla que vale no explorador inteiro, salvo enquanto se escreve em um campo. */
  casa.atalho = (tecla, acao) => atalhos.set(tecla.toLowerCase(), acao);
  casa.mudou = () => {};

  const tabela = quadroDaTabela(casa);
  const ajuda = quadroDaAjuda(casa, nome);
  const tela = botao(texto("comum.tela_cheia"), () => telaCheia(el), { class: "discreto so-icone", icone: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4" });
  if (!document.fullscreenEnabled) tela.hidden = true;
  barra.append(tabela.botao, ajuda.botao, tela);
  caixa.append(topo, corpo, tabela.quadro, ajuda.quadro, fala);
  caixa.addEventListener("keydown", (evento) => {
    const acao = atalhoDe(evento, atalhos);
    if (!acao) return;
    evento.preventDefault();
    evento.stopPropagation();
    acao(evento);
  });
  return casa;
}

function atalhoDe(evento, atalhos) {
  const escreve = evento.target.matches?.("input[type=text], textarea, select");
  if (escreve || evento.ctrlKey || evento.metaKey || evento.altKey || evento.defaultPrevented) return null;
  return atalhos.get(evento.key.toLowerCase()) ?? null;
}

/** Diz uma frase ao leitor de tela; se vierem muitas em seguida (quem arrasta), só a última. */
function falarCom(no) {
  let espera = null;
  return (frase) => {
    clearTimeout(espera);
    espera = setTimeout(() => {
      no.textContent = frase;
    }, 250);
  };
}

/** A tabela com os mesmos números do desenho, que a tecla T mostra. casa.tabela(f): f() → {legenda, colunas, linhas}
 *  ou uma lista delas; a primeira coluna nomeia a linha. casa.mudou() a refaz, se estiver à vista. */
function quadroDaTabela(casa) {
  let fazer = null;
  const quadro = h("div", { class: "tabela", hidden: true, tabindex: "-1", role: "group", "aria-label": texto("comum.tabela") });
  const trocar = () => {
    quadro.hidden = !quadro.hidden;
    abrir.setAttribute("aria-expanded", String(!quadro.hidden));
    casa.mudou();
    if (quadro.hidden) abrir.focus();
    else quadro.focus();
  };
  const abrir = botao(texto("comum.tabela"), trocar, { class: "discreto", tecla: "T", "aria-expanded": "false" });
  casa.tabela = (f) => {
    fazer = f;
  };
  casa.mudou = () => {
    if (!quadro.hidden && fazer) quadro.replaceChildren(...[fazer()].flat().map(umaTabela));
  };
  casa.atalho("t", trocar);
  return { quadro, botao: abrir };
}

function umaTabela({ legenda, colunas, linhas }) {
  const cabeca = h("tr", {}, colunas.map((c) => (c ? h("th", { scope: "col" }, c) : h("td"))));
  const corpo = linhas.map(([primeira, ...resto]) =>
    h("tr", {}, h("th", { scope: "row" }, String(primeira)), resto.map((x) => h("td", {}, typeof x === "number" ? numero(x) : x)))
  );
  const tabela = h("table", {}, h("caption", {}, legenda), h("thead", {}, cabeca), h("tbody", {}, corpo));
  return h("div", { class: "rola", tabindex: "0", role: "region", "aria-label": legenda }, tabela);
}

/** As teclas, que a tecla ? mostra: `teclas` em textos.json, uma lista de [tecla, o que faz]. */
function quadroDaAjuda(casa, nome) {
  const pares = [...TEXTOS[nome].teclas, ...TEXTOS.comum.teclas];
  const lista = h("dl", {}, pares.flatMap(([tecla, faz]) => [h("dt", {}, h("kbd", {}, tecla)), h("dd", {}, faz)]));
  const quadro = h("div", { class: "ajuda", hidden: true, tabindex: "-1", role: "group", "aria-label": texto("comum.ajuda") }, lista);
  const trocar = () => {
    quadro.hidden = !quadro.hidden;
    abrir.setAttribute("aria-expanded", String(!quadro.hidden));
    (quadro.hidden ? abrir : quadro).focus();
  };
  const abrir = botao(texto("comum.ajuda"), trocar, { class: "discreto", tecla: "?", "aria-expanded": "false" });
  casa.atalho("?", trocar);
  casa.atalho("escape", () => quadro.hidden || trocar());
  return { quadro, botao: abrir };
}

function telaCheia(el) {
  if (document.fullscreenElement) document.exitFullscreen();
  else el.requestFullscreen();
}

/** Claro ou escuro: o do JupyterLab, se a página é dele; senão, o que a pessoa pediu ao sistema. */
function seguirTema(caixa) {
  const sistema = matchMedia("(prefers-color-scheme: dark)");
  const pintar = () => {
    const jupyter = document.body?.getAttribute("data-jp-theme-light");
    caixa.dataset.tema = (jupyter ? jupyter === "false" : sistema.matches) ? "escuro" : "claro";
  };
  const olheiro = new MutationObserver(pintar);
  if (document.body) olheiro.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  sistema.addEventListener("change", pintar);
  pintar();
  return () => {
    olheiro.disconnect();
    sistema.removeEventListener("change", pintar);
  };
}

// Os controles: os do navegador, que já se usam pelo teclado e já são lidos em voz alta, com um rótulo e o valor à vista.

let proximoId = 0;

/** Com `icone` (o `d` de um caminho em uma caixa de 16 por 16), o rótulo só é lido em voz alta. */
function botao(rotulo, aoApertar, { icone, tecla, ...atributos } = {}) {
  const dentro = icone ? s("svg", { "aria-hidden": "true", viewBox: "0 0 16 16", width: 16, height: 16 }, s("path", { d: icone })) : rotulo;
  const extra = tecla ? h("kbd", { "aria-hidden": "true" }, tecla) : null;
  const nome = icone ? { "aria-label": rotulo, title: rotulo } : {};
  return h("button", { type: "button", ...nome, ...atributos, aoClick: aoApertar }, dentro, extra);
}

/** Um controle deslizante. `mostrar(valor)` é o que se lê ao lado dele; `.por(valor)` o muda por programa. */
function deslizante({ rotulo, minimo, maximo, passo, valor, mostrar = (x) => numero(x), aoMudar, ajuda }) {
  const id = `controle-${proximoId++}`;
  const entrada = h("input", { type: "range", id, min: minimo, max: maximo, step: passo });
  const visor = h("output", { for: id });
  const escrever = () => {
    const lido = mostrar(Number(entrada.value));
    visor.textContent = lido;
    entrada.setAttribute("aria-valuetext", lido);
  };
  entrada.value = valor;
  entrada.addEventListener("input", () => {
    escrever();
    aoMudar(Number(entrada.value));
  });
  escrever();
  const no = h("div", { class: "controle" }, h("label", { for: id, title: ajuda }, formula(rotulo)), visor, entrada);
  no.por = (novo) => {
    entrada.value = novo;
    escrever();
  };
  return no;
}

function interruptor({ rotulo, valor, aoMudar }) {
  const entrada = h("input", { type: "checkbox", role: "switch", checked: valor });
  entrada.addEventListener("change", () => aoMudar(entrada.checked));
  const no = h("label", { class: "interruptor" }, entrada, h("span", {}, formula(rotulo)));
  no.por = (novo) => {
    entrada.checked = novo;
  };
  return no;
}

/** Uma lista de opções: textos, ou [valor, texto]. */
function escolha({ rotulo, opcoes, valor, aoMudar }) {
  const id = `controle-${proximoId++}`;
  const pares = opcoes.map((o) => (Array.isArray(o) ? o : [o, o]));
  const lista = h("select", { id }, pares.map(([v, t]) => h("option", { value: v, selected: v === valor }, t)));
  lista.addEventListener("change", () => aoMudar(pares[lista.selectedIndex][0]));
  const no = h("div", { class: "controle" }, h("label", { for: id }, formula(rotulo)), lista);
  no.por = (novo) => {
    lista.value = novo;
  };
  return no;
}

/** Um campo de texto, que avisa a cada letra. */
function campo({ rotulo, valor, aoMudar, ...atributos }) {
  const id = `controle-${proximoId++}`;
  const entrada = h("input", { type: "text", id, autocomplete: "off", spellcheck: "false", ...atributos });
  entrada.value = valor;
  entrada.addEventListener("input", () => aoMudar(entrada.value));
  const no = h("div", { class: "controle largo" }, h("label", { for: id }, rotulo), entrada);
  no.entrada = entrada;
  no.por = (novo) => {
    if (entrada.value !== novo) entrada.value = novo;
  };
  return no;
}

/** Foco que anda: um só dos `elementos` está no caminho do Tab, e as setas levam aos outros (Home e End, às pontas).
 *  Com `colunas`, é uma grade. `aoChegar(indice)` é chamado quando um deles recebe o foco. */
function focoQueAnda(elementos, { colunas = 1, aoChegar = () => {}, inicial = 0 } = {}) {
  const marcar = (qual) => elementos.forEach((e, i) => e.setAttribute("tabindex", i === qual ? "0" : "-1"));
  const ir = (i) => {
    marcar(i);
    elementos[i].focus();
  };
  elementos.forEach((elemento, i) => {
    elemento.addEventListener("focus", () => {
      marcar(i);
      aoChegar(i);
    });
    elemento.addEventListener("keydown", (evento) => {
      const destino = passoDe(evento.key, i, elementos.length, colunas);
      if (destino === null) return;
      evento.preventDefault();
      evento.stopPropagation();
      ir(destino);
    });
  });
  if (elementos.length) marcar(limitar(inicial, 0, elementos.length - 1));
  return ir;
}

function passoDe(tecla, i, total, colunas) {
  const grade = colunas > 1;
  const passos = { ArrowDown: grade ? colunas : 1, ArrowUp: grade ? -colunas : -1, ArrowRight: 1, ArrowLeft: -1 };
  if (tecla === "Home") return grade ? i - (i % colunas) : 0;
  if (tecla === "End") return grade ? i - (i % colunas) + colunas - 1 : total - 1;
  if (!(tecla in passos)) return null;
  const lateral = tecla === "ArrowRight" || tecla === "ArrowLeft";
  const destino = i + passos[tecla];
  const mudaDeLinha = grade && lateral && Math.floor(destino / colunas) !== Math.floor(i / colunas);
  return destino < 0 || destino >= total || mudaDeLinha ? i : destino;
}

// Desenhar: setas, cores de mapas de calor, animação.

/** Uma seta em SVG, de (x1, y1) a (x2, y2), que se muda com `.por(x1, y1, x2, y2)`. */
function seta({ tinta, espessura = 2, classe = "" }) {
  const linha = s("line", { "stroke-width": espessura, "stroke-linecap": "round" });
  const ponta = s("path", { "stroke-linejoin": "round" });
  const no = s("g", { class: `seta ${classe}`, style: { stroke: tinta, fill: tinta } }, linha, ponta);
  no.por = (x1, y1, x2, y2) => {
    const comprimento = Math.hypot(x2 - x1, y2 - y1);
    const tamanho = Math.min(4 + 3 * espessura, comprimento);
    const [ux, uy] = comprimento > 1e-6 ? [(x2 - x1) / comprimento, (y2 - y1) / comprimento] : [0, 0];
    const [bx, by] = [x2 - ux * tamanho, y2 - uy * tamanho];
    mudar(linha, { x1, y1, x2: bx, y2: by });
    const lado = tamanho * 0.42;
    mudar(ponta, { d: `M${x2} ${y2} L${bx - uy * lado} ${by + ux * lado} L${bx + uy * lado} ${by - ux * lado} Z` });
    no.style.visibility = comprimento < 1.5 ? "hidden" : "visible";
  };
  return no;
}

/** A cor de uma casa de mapa de calor, de `papel`, com força de −1 a 1; os negativos vão para outra cor.
 *  Nem a mais forte tira o contraste das letras (--teto). */
function tinta(papel, forca) {
  const parte = Math.min(1, Math.abs(forca)).toFixed(3);
  return `color-mix(in srgb, ${forca < 0 ? "var(--negativo)" : cor(papel)} calc(var(--teto) * ${parte}), var(--fundo))`;
}

/** Leva de 0 a 1 em `ms` e chama f(t) a cada quadro; com movimento reduzido, chama só f(1). Devolve como parar. */
function animar(casa, ms, f) {
  if (!casa.movimento() || ms <= 0) {
    f(1);
    return () => {};
  }
  let pedido = null;
  const inicio = performance.now();
  const quadro = (agora) => {
    const t = limitar((agora - inicio) / ms, 0, 1);
    f(1 - (1 - t) ** 3);
    if (t < 1) pedido = requestAnimationFrame(quadro);
  };
  pedido = requestAnimationFrame(quadro);
  return () => cancelAnimationFrame(pedido);
}

/** Junta muitos pedidos de redesenho em um por quadro. */
function umPorQuadro(f) {
  let marcado = false;
  return () => {
    if (marcado) return;
    marcado = true;
    requestAnimationFrame(() => {
      marcado = false;
      f();
    });
  };
}

/** Chama f(largura) agora e quando a largura de `no` muda; devolve como parar. */
function aoRedimensionar(no, f) {
  let antes = 0;
  const olheiro = new ResizeObserver(([entrada]) => {
    const largura = Math.floor(entrada.contentRect.width);
    if (largura > 0 && largura !== antes) f((antes = largura));
  });
  olheiro.observe(no);
  return () => olheiro.disconnect();
}

// Em uma página sem Jupyter: um `model` pequeno, com o mesmo contrato, e os dados que já estão na página.

function modeloDaPagina(valores) {
  const ouvintes = {};
  return {
    get: (nome) => valores[nome],
    set(nome, valor) {
      valores[nome] = valor;
      (ouvintes[`change:${nome}`] ?? []).forEach((f) => f());
    },
    save_changes() {},
    on(evento, f) {
      (ouvintes[evento] ??= []).push(f);
    },
    off(evento, f) {
      ouvintes[evento] = (ouvintes[evento] ?? []).filter((g) => g !== f);
    },
  };
}

/** Os bytes vêm em base64, como {"base64": "…"}, e chegam como DataView, que é o que o anywidget também entrega. */
function lerValor(valor) {
  if (typeof valor?.base64 !== "string") return valor;
  const cru = atob(valor.base64);
  return new DataView(Uint8Array.from(cru, (letra) => letra.charCodeAt(0)).buffer);
}

/** Põe o explorador no lugar da imagem, em cada elemento marcado com este resumo. */
function abrirNaPagina(render, resumo, valores) {
  const lidos = Object.fromEntries(Object.entries(valores).map(([nome, valor]) => [nome, lerValor(valor)]));
  for (const no of document.querySelectorAll(`[data-explorador="${resumo}"]:not([data-pronto])`)) {
    no.setAttribute("data-pronto", "");
    no.replaceChildren();
    render({ model: modeloDaPagina({ ...lidos }), el: no.appendChild(document.createElement("div")) });
  }
}

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

// Letra por letra: o GPT da aula 08 escreve no navegador, uma letra de cada vez, e mostra as chances da próxima e para
// onde as cabeças olham.

const BARRAS = 12; // quantas letras têm barra; todas estão na tabela
const MAIOR_K = 21; // no fim do controle, k é o vocabulário inteiro
const DE_UMA_VEZ = 20;
const NOMES = { " ": ["␣", "espaco"], "\n": ["↵", "fim_de_linha"], "\t": ["⇥", "tabulacao"] };

const desenhoDa = (letra) => NOMES[letra]?.[0] ?? letra;
const nomeDa = (letra) => (NOMES[letra] ? texto(`letra.${NOMES[letra][1]}`) : letra);

function conferirLetra({ vocabulario, pontos }) {
  const letras = Array.isArray(vocabulario) ? vocabulario : [];
  if (letras.length < 2 || !letras.every((x) => typeof x === "string" && x)) return texto("letra.sem_vocabulario");
  return Array.isArray(pontos) && pontos.length ? null : texto("letra.sem_pontos");
}

function criarLetra(casa) {
  const { vocabulario, pontos } = casa.dados;
  const estado = {
    letras: [...(casa.dados.texto ?? "")].map((letra) => ({ letra, maquina: false })),
    ponto: pontos.length - 1,
    cabeca: -1, // −1 é a média de todas
    temperatura: 1,
    k: MAIOR_K,
  };
  const motor = fazerMotor(casa, estado, new Map(vocabulario.map((letra, i) => [letra, i])));
  const partes = { refazer, aceitar, sortearUma, gerar, recomecar, parar };
  let gerando = null;

  /** Refaz a conta e o desenho. Os pesos podem ainda estar a caminho: então a conta espera por eles. */
  async function refazer(dizer = null) {
    papel.escrever();
    const visto = await motor.calcular();
    if (visto === null) return; // enquanto se esperava, o texto ou o passo mudou
    const bem = !visto.problema;
    aviso.hidden = bem;
    painel.hidden = !bem;
    aviso.textContent = visto.problema ?? "";
    if (bem) {
      fita.desenhar(visto);
      barras.desenhar(visto);
      casa.falar(dizer ? `${dizer} ${barras.resumo(visto)}` : barras.resumo(visto));
    }
    casa.estado({ texto: motor.texto(), passo: pontos[estado.ponto].passo ?? null, problema: visto.problema ?? null });
    casa.visto = visto;
    casa.mudou();
  }

  function aceitar(id) {
    estado.letras.push({ letra: vocabulario[id], maquina: true });
    return refazer(texto("letra.entrou", { letra: nomeDa(vocabulario[id]) }));
  }

  function sortearUma() {
    if (casa.visto && !casa.visto.problema) return aceitar(sortear(casa.visto.chances, motor.sorte));
  }

  function parar() {
    clearTimeout(gerando);
    gerando = null;
    controles.gerando(false);
  }

  async function gerar(quantas = DE_UMA_VEZ) {
    if (gerando !== null) return parar();
    controles.gerando(true);
    const andar = async (faltam) => {
      await sortearUma();
      if (gerando === null) return;
      if (faltam <= 1 || casa.visto?.problema) return parar();
      gerando = setTimeout(() => andar(faltam - 1), casa.movimento() ? 70 : 0);
    };
    gerando = setTimeout(() => andar(quantas), 0);
  }

  function recomecar() {
    parar();
    estado.letras = [...(casa.dados.texto ?? "")].map((letra) => ({ letra, maquina: false }));
    refazer();
  }

  const papel = fazerPapel(casa, estado, partes);
  const fita = fazerFita(casa, estado, partes);
  const barras = fazerBarras(casa, estado, partes);
  const controles = fazerControles(casa, estado, partes);
  const aviso = h("p", { class: "recado", role: "alert", hidden: true });
  const painel = h("div", { class: "painel", hidden: true }, barras.no, h("div", { class: "ao-lado" }, fita.no, controles.no));
  casa.corpo.append(fazerTreino(casa, estado, partes), papel.no, controles.botoes, aviso, painel);
  casa.tabela(() => (casa.visto && !casa.visto.problema ? tabelasDaLetra(casa, estado) : []));
  casa.atalho("s", sortearUma);
  casa.atalho("g", () => gerar());
  casa.atalho("r", recomecar);
  refazer();
  return parar;
}

/** Quem faz a conta: pede os pesos do passo escolhido (uma vez cada), lê o fim do texto e dá logits, chances e atenção. */
function fazerMotor(casa, estado, ids) {
  const { vocabulario, pontos, cabecas, semente = 1 } = casa.dados;
  const modelos = new Map();
  const modelo = (i) => {
    if (!modelos.has(i)) {
      const pedido = pedirArquivo(casa.model, pontos[i].arquivo, texto("letra.sem_kernel"));
      modelos.set(i, pedido.then((vista) => criarGPT(vista, cabecas)));
    }
    return modelos.get(i);
  };
  let vez = 0;

  async function calcular() {
    const minha = ++vez;
    const problema = problemaDoTexto(estado.letras, ids);
    if (problema) return { problema };
    try {
      const gpt = await modelo(estado.ponto);
      if (minha !== vez) return null;
      const letras = estado.letras.slice(-gpt.bloco).map((x) => x.letra);
      const { logits, atencao } = gpt.calcular(letras.map((letra) => ids.get(letra)));
      const ultimos = logits.subarray((letras.length - 1) * gpt.V);
      if (!ultimos.every(Number.isFinite)) return { problema: texto("letra.nao_numero") };
      const k = estado.k === MAIOR_K ? gpt.V - 1 : estado.k;
      return { gpt, letras, logits: ultimos, atencao, chances: chances(ultimos, estado.temperatura, k) };
    } catch (erro) {
      modelos.delete(estado.ponto);
      console.error(erro);
      return { problema: texto("letra.sem_pesos", { por_que: erro.message }) };
    }
  }
  return { calcular, sorte: sorteador(semente), texto: () => estado.letras.map((x) => x.letra).join(""), vocabulario };
}

function problemaDoTexto(letras, ids) {
  if (letras.length === 0) return texto("letra.vazio");
  const onde = letras.findIndex((x) => !ids.has(x.letra) || ids.get(x.letra) === 0);
  return onde < 0 ? null : texto("letra.desconhecida", { letra: letras[onde].letra, onde: onde + 1 });
}

// ------------------------------------------------------------ as partes da tela

/** O controle que anda pelo treino; só aparece quando há mais de um ponto guardado. */
function fazerTreino(casa, estado, partes) {
  const { pontos, regua } = casa.dados;
  if (pontos.length < 2) return h("span", { hidden: true });
  const frase = h("p", { class: "legenda" });
  const contar = () => (frase.textContent = oQueSabe(pontos[estado.ponto].perda, regua));
  const controle = deslizante({
    rotulo: texto("letra.treino"),
    minimo: 0,
    maximo: pontos.length - 1,
    passo: 1,
    valor: estado.ponto,
    mostrar: (i) => texto("letra.passo", { passo: pontos[i].passo, perda: numero(pontos[i].perda) }),
    aoMudar: (i) => {
      estado.ponto = i;
      contar();
      partes.refazer(frase.textContent);
    },
  });
  contar();
  const marcas = pontos.map(({ passo }) => h("span", {}, String(passo)));
  return h("div", { class: "treino" }, controle, h("div", { class: "marcas", "aria-hidden": "true" }, marcas), frase);
}

/** A perda comparada com a de quem não sabe nada, de quem conta letras e de quem conta pares delas. */
function oQueSabe(perda, regua) {
  if (!regua) return "";
  const { nada, letras, pares } = regua;
  const qual = perda > nada ? "nada" : perda > (letras + pares) / 2 ? "letras" : perda > pares - 0.1 ? "pares" : "alem";
  return texto(`letra.sabe_${qual}`, { nada: numero(nada), letras: numero(letras), pares: numero(pares) });
}

/** O texto, em que se escreve. Atrás dele, um espelho marca o que foi a máquina que escreveu. */
function fazerPapel(casa, estado, partes) {
  const espelho = h("div", { class: "espelho", "aria-hidden": "true" });
  const folha = h("textarea", { rows: "3", spellcheck: "false", autocomplete: "off", autocapitalize: "off", id: "folha" });
  const rotulo = h("label", { for: "folha" }, texto(casa.dados.do_aluno ? "letra.texto_do_aluno" : "letra.texto"));
  folha.addEventListener("input", () => {
    partes.parar();
    estado.letras = remendar(estado.letras, [...folha.value]);
    partes.refazer();
  });
  folha.addEventListener("keydown", (evento) => {
    if (evento.key !== "Enter" || evento.shiftKey || evento.isComposing) return;
    evento.preventDefault();
    evento.stopPropagation();
    if (casa.visto && !casa.visto.problema) partes.aceitar(maisProvavel(casa.visto.chances));
  });
  folha.addEventListener("scroll", () => (espelho.scrollTop = folha.scrollTop));
  const escrever = () => {
    const tudo = estado.letras.map((x) => x.letra).join("");
    if (folha.value !== tudo) {
      folha.value = tudo;
      folha.scrollTop = folha.scrollHeight;
    }
    espelho.replaceChildren(...marcados(estado.letras), "\u200b");
    espelho.scrollTop = folha.scrollTop;
  };
  return { no: h("div", { class: "papel" }, rotulo, h("div", { class: "folha" }, espelho, folha)), escrever };
}

/** O texto em pedaços, com os que a máquina escreveu dentro de <mark>. */
function marcados(letras) {
  const pedacos = [];
  letras.forEach(({ letra, maquina }, i) => {
    if (i === 0 || maquina !== letras[i - 1].maquina) pedacos.push(maquina ? h("mark", {}) : h("span", {}));
    pedacos.at(-1).append(letra);
  });
  return pedacos;
}

/** O texto novo, com a lembrança de quem escreveu cada letra que não mudou. */
function remendar(velhas, novas) {
  let inicio = 0;
  let fim = 0;
  const menor = Math.min(velhas.length, novas.length);
  while (inicio < menor && velhas[inicio].letra === novas[inicio]) inicio++;
  while (fim < menor - inicio && velhas.at(-1 - fim).letra === novas.at(-1 - fim)) fim++;
  const meio = novas.slice(inicio, novas.length - fim).map((letra) => ({ letra, maquina: false }));
  return [...velhas.slice(0, inicio), ...meio, ...velhas.slice(velhas.length - fim)];
}

/** A fita: as letras que o modelo vê e, em cada cabeça, quanto a última delas olha para cada uma. */
function fazerFita(casa, estado, partes) {
  const grade = h("div", { class: "fita" });
  const legenda = h("p", { class: "legenda" });
  const rolo = h("div", { class: "rola" }, grade);
  const no = h("fieldset", { class: "atencao" }, h("legend", {}, texto("letra.olhares")), rolo, legenda);

  function desenhar({ gpt, letras, atencao }) {
    const T = letras.length;
    const linhas = pesosDaUltima(atencao, gpt.camadas * gpt.cabecas, T);
    const escolhida = linhas[estado.cabeca + 1] ?? linhas[0];
    grade.style.setProperty("--T", T);
    const torres = letras.map((letra, j) => torre(letra, escolhida[j]));
    const fileiras = linhas.flatMap((pesos, i) => [radio(i - 1, gpt), ...pesos.map(celula)]);
    const focada = grade.getRootNode().activeElement?.name === "cabeca";
    grade.replaceChildren(h("span", {}), ...torres, ...fileiras);
    if (focada) grade.querySelector("input:checked").focus();
    rolo.scrollLeft = rolo.scrollWidth; // se não cabem todas, à vista ficam as últimas
    legenda.textContent = texto("letra.olha", {
      cabeca: nomeDaCabeca(estado.cabeca, gpt), letra: nomeDa(letras.at(-1)), quem: maioresOlhares(letras, escolhida), bloco: gpt.bloco,
    });
  }

  function radio(i, gpt) {
    const entrada = h("input", { type: "radio", name: "cabeca", checked: i === estado.cabeca, "aria-label": nomeDaCabeca(i, gpt) });
    entrada.addEventListener("change", () => {
      estado.cabeca = i;
      desenhar(casa.visto);
      casa.falar(legenda.textContent);
      casa.mudou();
    });
    return h("label", { class: "qual" }, entrada, h("span", { "aria-hidden": "true" }, nomeDaCabeca(i, gpt)), h("span", { "aria-hidden": "true" }, nomeCurto(i, gpt)));
  }
  return { no, desenhar };
}

const torre = (letra, peso) =>
  h("span", { class: "torre", "aria-hidden": "true", title: `${nomeDa(letra)}: ${porcento(peso)}`, style: { "--peso": peso } },
    h("small", {}, peso >= 0.095 ? porcento(peso) : ""), h("i", {}), h("b", {}, desenhoDa(letra)));
const celula = (peso) => h("span", { class: "cela", "aria-hidden": "true", title: porcento(peso), style: { "--peso": peso } });

/** A linha da última posição em cada cabeça, com a média delas na frente: (1 + camadas·h, T). */
function pesosDaUltima(atencao, cabecas, T) {
  const linhas = Array.from({ length: cabecas }, (_, c) => Array.from(atencao.subarray((c + 1) * T * T - T, (c + 1) * T * T)));
  const media = linhas[0].map((_, j) => linhas.reduce((soma, linha) => soma + linha[j] / cabecas, 0));
  return [media, ...linhas];
}

const lugarDaCabeca = (i, { cabecas }) => ({ camada: Math.floor(i / cabecas), cabeca: i % cabecas }); // de 0, como no código
const nomeDaCabeca = (i, gpt) => (i < 0 ? texto("letra.media") : texto("letra.cabeca", lugarDaCabeca(i, gpt)));
const nomeCurto = (i, gpt) => (i < 0 ? texto("letra.media_curta") : texto("letra.cabeca_curta", lugarDaCabeca(i, gpt)));

function maioresOlhares(letras, pesos) {
  const ordem = pesos.map((_, j) => j).sort((a, b) => pesos[b] - pesos[a]).slice(0, 3);
  return enumerar(ordem.map((j) => `“${nomeDa(letras[j])}” (${porcento(pesos[j])})`));
}

/** As barras: as letras mais prováveis, cada uma um botão que a aceita. */
function fazerBarras(casa, estado, partes) {
  const { vocabulario } = casa.dados;
  const lista = h("ol", { class: "barras" });
  const resto = h("p", { class: "legenda" });
  const linhas = Array.from({ length: Math.min(BARRAS, vocabulario.length - 1) }, () => {
    const botaoDela = h("button", { type: "button" }, h("b", {}), h("span", { class: "trilho" }, h("i", {})), h("output", {}));
    botaoDela.addEventListener("click", () => {
      partes.parar();
      partes.aceitar(Number(botaoDela.dataset.id));
    });
    lista.append(h("li", {}, botaoDela));
    return botaoDela;
  });
  const irPara = focoQueAnda(linhas);
  /** As letras mudaram de lugar: o foco, ou a vez de recebê-lo, volta à primeira. */
  const voltarAoTopo = () => {
    if (linhas.includes(lista.getRootNode().activeElement)) irPara(0);
    else linhas.forEach((linha, i) => linha.setAttribute("tabindex", i === 0 ? "0" : "-1"));
  };

  function desenhar({ logits, chances: p }) {
    const ordem = emOrdem(logits);
    linhas.forEach((linha, i) => {
      const id = ordem[i];
      const [desenho, trilho, valor] = linha.children;
      linha.dataset.id = id;
      linha.classList.toggle("fora", p[id] === 0);
      linha.setAttribute("aria-label", texto("letra.aceitar", { letra: nomeDa(vocabulario[id]), chance: porcento(p[id]) }));
      desenho.textContent = desenhoDa(vocabulario[id]);
      trilho.firstChild.style.setProperty("--peso", p[id]);
      valor.textContent = porcento(p[id]);
    });
    voltarAoTopo();
    const sobra = ordem.slice(linhas.length);
    resto.textContent = sobra.length ? texto("letra.outras", { quantas: sobra.length, chance: porcento(sobra.reduce((s, id) => s + p[id], 0)) }) : "";
  }

  const resumo = ({ chances: p }) => {
    const id = maisProvavel(p);
    return texto("letra.mais_provavel", { letra: nomeDa(vocabulario[id]), chance: porcento(p[id]) });
  };
  return { no: h("div", { class: "proxima" }, h("h3", {}, texto("letra.proxima")), lista, resto), desenhar, resumo };
}

/** Os ids, do maior logit ao menor, sem o <PAD>. */
const emOrdem = (logits) => Array.from(logits, (_, id) => id).slice(1).sort((a, b) => logits[b] - logits[a]);
const maisProvavel = (p) => p.indexOf(Math.max(...p));

function fazerControles(casa, estado, partes) {
  const temperatura = deslizante({
    rotulo: texto("letra.temperatura"),
    minimo: 0,
    maximo: 2,
    passo: 0.1,
    valor: estado.temperatura,
    mostrar: (x) => (x === 0 ? texto("letra.gulosa") : numero(x, 1)),
    aoMudar: (x) => mudarE("temperatura", x),
    ajuda: texto("letra.temperatura_ajuda"),
  });
  const k = deslizante({
    rotulo: texto("letra.top_k"),
    minimo: 1,
    maximo: MAIOR_K,
    passo: 1,
    valor: estado.k,
    mostrar: (x) => (x === MAIOR_K ? texto("letra.todas") : String(x)),
    aoMudar: (x) => mudarE("k", x),
    ajuda: texto("letra.top_k_ajuda"),
  });
  const mudarE = (nome, x) => {
    estado[nome] = x;
    partes.refazer();
  };
  const deUmaVez = botao(texto("letra.gerar", { n: DE_UMA_VEZ }), () => partes.gerar(), { class: "principal", tecla: "G" });
  const botoes = h("div", { class: "botoes" },
    deUmaVez,
    botao(texto("letra.sortear"), () => { partes.parar(); partes.sortearUma(); }, { tecla: "S" }),
    botao(texto("letra.recomecar"), partes.recomecar, { class: "discreto", tecla: "R" }));
  const gerando = (sim) => (deUmaVez.firstChild.textContent = sim ? texto("letra.parar") : texto("letra.gerar", { n: DE_UMA_VEZ }));
  return { no: h("div", { class: "controles" }, temperatura, k), botoes, gerando };
}

function tabelasDaLetra({ dados, visto }, estado) {
  const { gpt, letras, logits, chances: p, atencao } = visto;
  const linhas = pesosDaUltima(atencao, gpt.camadas * gpt.cabecas, letras.length);
  return [
    {
      legenda: texto("letra.tabela_chances"),
      colunas: [texto("letra.letra"), texto("letra.logit"), texto("letra.chance")],
      linhas: emOrdem(logits).map((id) => [nomeDa(dados.vocabulario[id]), logits[id], numero(p[id], 4)]),
    },
    {
      legenda: texto("letra.tabela_olhares"),
      colunas: [texto("letra.letra"), ...linhas.map((_, i) => nomeDaCabeca(i - 1, gpt))],
      linhas: letras.map((letra, j) => [nomeDa(letra), ...linhas.map((pesos) => pesos[j])]),
    },
  ];
}

const render = explorador({ nome: "letra", conferir: conferirLetra, criar: criarLetra });

export default { render };
