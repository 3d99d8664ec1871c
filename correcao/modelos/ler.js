// A página de `python curso.py ler`. O que é do aluno já chega limpo em `html`; todo o resto entra como texto.
"use strict";
const DADOS = JSON.parse(document.getElementById("dados").textContent);
const por = (id) => document.getElementById(id);
const ESTADOS = [0, 1, 0.5]; // o que uma caixa passa a ser a cada toque
const rascunhos = new Map(); // "questão aluno" → o que ainda não se gravou
let quadro = {};
let questao = DADOS.questoes[0];
let aluno = null;
let aqui = null; // a resposta aberta: {versao, …}, como o servidor a deu
let fracoes = null; // as das caixas; null enquanto ninguém as tocou
let escrito = ""; // o que as caixas escreveram no começo do comentário
let gravando = false;
let pedidas = 0; // as respostas pedidas ao servidor; só a última vai para a tela
let perdida = false; // uma tecla que daria nota veio antes de a resposta estar na tela

async function pedir(caminho, corpo) {
  const opcoes = { headers: { "X-Token": DADOS.token } };
  if (corpo) Object.assign(opcoes, { method: "POST", body: JSON.stringify(corpo) });
  let resposta;
  try {
    resposta = await fetch(caminho, opcoes);
  } catch {
    throw { erro: "A página não responde: veja se o comando ainda está aberto no terminal. Nada do que você escreveu se perdeu." };
  }
  const dados = await resposta.json();
  if (!resposta.ok) throw { ...dados, codigo: resposta.status };
  return dados;
}

function novo(etiqueta, texto, atributos = {}) {
  const no = document.createElement(etiqueta);
  if (texto !== undefined) no.textContent = texto;
  for (const [nome, valor] of Object.entries(atributos)) no.setAttribute(nome, valor);
  return no;
}

const comVirgula = (x) => String(Math.round(x * 1e6) / 1e6).replace(".", ",");
const chave = () => `${questao.id} ${aluno}`;
const alunos = () => quadro[questao.id].alunos;
const visiveis = () => alunos().filter((a) => !por("so-nao-lidos").checked || !a.lida || a.id === aluno);

// O que se diz de uma falha: a frase do servidor ou, se ela é da própria página, a de um defeito.
const dita = (falha) => falha?.erro || `A página tropeçou em um defeito dela mesma (${falha?.message || falha}); recarregue-a. O que já foi gravado está no livro de notas.`;

function dizer(texto, classe = "") {
  por("recado").textContent = texto;
  por("recado").className = classe;
}

// ------------------------------------------------------------ a fila

function desenharQuadro() {
  por("questoes").replaceChildren(...DADOS.questoes.map((q) => {
    const dela = quadro[q.id].alunos;
    const botao = novo("button", `${q.titulo}: ${dela.filter((a) => a.lida).length} de ${dela.length}`, { type: "button" });
    botao.setAttribute("aria-pressed", q === questao);
    botao.onclick = () => irPara(q);
    return botao;
  }));
  const lidas = alunos().filter((a) => a.lida).length;
  por("barra").style.width = `${alunos().length ? (100 * lidas) / alunos().length : 0}%`;
  por("progresso").textContent = `${lidas} de ${alunos().length} lidas nesta questão. Você lê como ${DADOS.quem}.`;
  por("fila").replaceChildren(...visiveis().map((a) => {
    const [marca, dita] = a.vazia && !a.pontos ? ["∅", "sem resposta"] : a.mudou ? ["↻", "mudou depois da leitura"]
      : a.lida ? ["✓", "lida"] : ["○", "por ler"];
    const botao = novo("button", undefined, { type: "button", title: dita });
    botao.append(novo("span", marca, { role: "img", "aria-label": dita }), novo("span", a.nome || a.id), novo("span", a.pontos, { class: "n" }));
    const rascunho = rascunhos.has(`${questao.id} ${a.id}`) ? " · por gravar" : "";
    botao.append(novo("span", (a.nome ? a.id : "") + rascunho, { class: "id" }));
    if (a.id === aluno) botao.setAttribute("aria-current", "true");
    botao.onclick = () => abrir(a.id);
    const item = novo("li");
    item.append(botao);
    return item;
  }));
  por("fila").querySelector('[aria-current]')?.scrollIntoView({ block: "nearest", inline: "center" });
  por("reusar").replaceChildren(...quadro[questao.id].comentarios.map((texto, i) => {
    const botao = novo("button", undefined, { type: "button" });
    botao.append(novo("kbd", `Shift ${i + 1}`), ` ${texto}`);
    botao.onclick = () => acrescentar(texto);
    return botao;
  }));
}

async function atualizar() {
  quadro = await pedir("/quadro");
  desenharQuadro();
}

async function irPara(outra) {
  guardarRascunho();
  questao = outra;
  for (const parte of ["enunciado", "antes", "depois", "modelo"]) por(parte).innerHTML = questao[parte];
  por("modelo-caixa").hidden = !questao.modelo;
  por("de").textContent = `de ${comVirgula(questao.de)}`;
  por("criterios").replaceChildren(...questao.criterios.map((criterio, i) => {
    const caixa = novo("button", undefined, { type: "button", role: "checkbox", class: "criterio" });
    const texto = novo("div");
    texto.innerHTML = criterio.texto;
    const vale = novo("span", comVirgula(criterio.valor) + " ", { class: "vale" });
    vale.append(novo("kbd", i + 1));
    caixa.append(novo("span", "", { class: "caixa", "aria-hidden": "true" }), vale, texto);
    caixa.onclick = () => tocar(i);
    return caixa;
  }));
  const primeiro = alunos().find((a) => !a.lida) || alunos()[0];
  if (primeiro) await abrir(primeiro.id);
}

function andar(passo) {
  const fila = visiveis();
  const onde = fila.findIndex((a) => a.id === aluno) + passo;
  if (fila[onde]) abrir(fila[onde].id);
}

async function proximoNaoLido() {
  const todos = alunos();
  const onde = todos.findIndex((a) => a.id === aluno);
  const seguinte = [...todos.slice(onde + 1), ...todos.slice(0, onde)].find((a) => !a.lida);
  if (seguinte) return abrir(seguinte.id);
  const outra = DADOS.questoes.find((q) => q !== questao && quadro[q.id].alunos.some((a) => !a.lida));
  if (outra) {
    dizer(`Todas lidas em ${questao.titulo}.`, "bom");
    return irPara(outra);
  }
  dizer("Tudo lido nesta lista.", "bom");
}

// ------------------------------------------------------------ uma resposta

async function abrir(quem) {
  guardarRascunho();
  aluno = quem;
  const pedida = chave(), vez = ++pedidas;
  let vinda;
  try {
    vinda = await pedir(`/resposta?questao=${encodeURIComponent(questao.id)}&aluno=${encodeURIComponent(quem)}`);
  } catch (falha) {
    return dizer(dita(falha), "ruim");
  }
  if (vez !== pedidas) return; // já se foi para outra
  const dela = alunos().find((a) => a.id === quem);
  const { html, ...situacao } = vinda;
  Object.assign(dela, situacao);
  aqui = vinda;
  por("de-quem").replaceChildren(dela.nome || quem, " ", novo("span", dela.nome ? quem : "", { class: "fraco" }));
  por("resposta").innerHTML = html;
  por("da-outra").hidden = true;
  const rascunho = rascunhos.get(pedida);
  preencher(rascunho || vinda);
  if (rascunho) aqui.versao = rascunho.versao; // se alguém mudou a nota depois, o servidor o dirá
  dizer(perdida ? "A última tecla não valeu: esta resposta ainda não estava na tela."
    : vinda.mudou ? "O aluno mudou a resposta depois da última leitura; a nota de antes está nos campos." : "");
  perdida = false;
  por("nota").inert = gravando;
  desenharQuadro();
  por("de-quem").focus({ preventScroll: true });
}

function preencher(de) {
  fracoes = de.fracoes ? [...de.fracoes] : null;
  escrito = fracoes ? frases() : "";
  por("pontos").value = de.pontos;
  por("comentario").value = de.comentario;
  const quando = aqui.quando ? ` em ${aqui.quando}` : "";
  por("situacao").textContent = aqui.vazia && !aqui.quem ? "sem resposta" : !aqui.quem ? "por ler"
    : `${aqui.pontos} de ${comVirgula(questao.de)}, por ${aqui.quem}${quando}`;
  desenharCaixas();
}

function agora() {
  return { questao: questao.id, aluno, versao: aqui.versao, pontos: por("pontos").value, comentario: por("comentario").value, fracoes };
}

function mudou() {
  const campos = agora();
  return aqui && (campos.pontos !== aqui.pontos || campos.comentario !== aqui.comentario || String(fracoes) !== String(aqui.fracoes));
}

function guardarRascunho() {
  if (!aqui) return;
  if (mudou()) rascunhos.set(chave(), agora());
  else rascunhos.delete(chave());
  fechar();
}

// Sem uma resposta na tela não há nota a dar: o que se digita não vai para campo algum.
function fechar() {
  aqui = null;
  por("nota").inert = true;
}

function desenharCaixas() {
  por("criterios").querySelectorAll(".criterio").forEach((caixa, i) => {
    const fracao = fracoes ? fracoes[i] : 0;
    caixa.setAttribute("aria-checked", { 0: "false", 0.5: "mixed", 1: "true" }[fracao]);
    caixa.querySelector(".caixa").textContent = { 0: "", 0.5: "½", 1: "✓" }[fracao];
  });
}

const frases = () => questao.criterios.map((c, i) => c.frases[fracoes[i].toFixed(1)]).filter(Boolean).join(" ");

function marcar(novas) {
  if (!aqui || !questao.criterios.length) return;
  fracoes = novas;
  const campo = por("comentario");
  const resto = campo.value.startsWith(escrito) ? campo.value.slice(escrito.length).trim() : campo.value;
  escrito = frases();
  campo.value = [escrito, resto].filter(Boolean).join("\n");
  por("pontos").value = comVirgula(questao.criterios.reduce((soma, c, i) => soma + c.valor * fracoes[i], 0));
  desenharCaixas();
}

function tocar(i) {
  const novas = fracoes ? [...fracoes] : questao.criterios.map(() => 0);
  if (i >= novas.length) return;
  novas[i] = ESTADOS[(ESTADOS.indexOf(novas[i]) + 1) % ESTADOS.length];
  marcar(novas);
}

function acrescentar(texto) {
  const campo = por("comentario");
  if (!campo.value.includes(texto)) campo.value = [campo.value.trim(), texto].filter(Boolean).join("\n");
}

async function gravar(peloBotao = false) {
  if (!aqui || gravando) return; // um Enter a mais, enquanto o de antes se grava
  if (!por("pontos").value.trim() && !aqui.pontos) {
    dizer("Escreva a nota ou marque os critérios.", "ruim");
    return peloBotao && por("pontos").focus();
  }
  const enviada = agora(), onde = chave(), foco = document.activeElement;
  gravando = por("nota").inert = true;
  por("nota").setAttribute("aria-busy", "true");
  let falhou = null;
  try {
    await pedir("/nota", enviada);
  } catch (falha) {
    falhou = falha;
  }
  gravando = false;
  por("nota").inert = !aqui;
  por("nota").removeAttribute("aria-busy");
  if (falhou) {
    perdida = false;
    if (falhou.agora && aqui && onde === chave()) mostrarOutra(falhou.agora);
    if (aqui && onde === chave()) foco.focus();
    return dizer(dita(falhou), "ruim");
  }
  rascunhos.delete(onde);
  if (onde === chave()) fechar();
  await atualizar();
  const fila = alunos();
  const seguinte = fila[fila.findIndex((a) => a.id === enviada.aluno) + 1];
  if (onde !== chave()) return;
  dizer("");
  if (por("so-nao-lidos").checked || !seguinte) await proximoNaoLido();
  else await abrir(seguinte.id);
  if (!aqui && onde === chave()) await abrir(aluno); // não havia para onde ir
  if (!por("recado").textContent) dizer("Gravada.", "bom");
}

// Outra pessoa deu nota no meio: a dela à vista, a sua nos campos; gravar outra vez troca a dela pela sua.
function mostrarOutra(outra) {
  const caixa = por("da-outra");
  const ficar = novo("button", "Ficar com essa nota", { type: "button" });
  ficar.onclick = () => {
    rascunhos.delete(chave());
    fechar();
    abrir(aluno);
  };
  const quem = outra.quem ? `${outra.pontos} de ${comVirgula(questao.de)}, por ${outra.quem}` : "Por ler outra vez";
  caixa.replaceChildren(novo("p", quem, { class: "pontos" }), novo("p", outra.comentario), ficar,
    novo("p", "A sua nota continua nos campos. Se gravar de novo, ela fica no lugar dessa.", { class: "fraco" }));
  caixa.hidden = false;
  aqui = { ...aqui, ...outra, html: aqui.html };
}

// ------------------------------------------------------------ as teclas

const TECLAS = {
  j: () => andar(1), ArrowRight: () => andar(1), k: () => andar(-1), ArrowLeft: () => andar(-1), n: proximoNaoLido,
  t: () => marcar(questao.criterios.map(() => 1)), z: () => marcar(questao.criterios.map(() => 0)),
  c: () => por("comentario").focus(), p: () => por("pontos").select(), f: () => por("so-nao-lidos").click(),
  q: () => irPara(DADOS.questoes[(DADOS.questoes.indexOf(questao) + 1) % DADOS.questoes.length]),
  e: () => por("enunciado-caixa").toggleAttribute("open"), m: () => por("modelo-caixa").toggleAttribute("open"),
  "?": () => por("teclas").showModal(),
};

document.addEventListener("keydown", (tecla) => {
  if (por("teclas").open || tecla.altKey || tecla.metaKey) return;
  const campo = tecla.target;
  const escrevendo = campo.matches("textarea, input:not([type=checkbox])");
  if (tecla.key === "Enter" && tecla.repeat && !campo.matches("textarea")) return tecla.preventDefault(); // ficou apertado
  if (tecla.key === "Enter" && (tecla.ctrlKey || campo.id === "pontos" || !campo.matches("textarea, button, summary, input"))) {
    tecla.preventDefault();
    return gravar();
  }
  if (tecla.key === "Escape" && escrevendo) return campo.blur();
  if (escrevendo || tecla.ctrlKey) return;
  const algarismo = /^(?:Digit|Numpad)([1-9])$/.exec(tecla.code);
  if (algarismo) {
    tecla.preventDefault();
    if (!aqui || gravando) return void (perdida = true);
    if (!tecla.shiftKey) return tocar(algarismo[1] - 1);
    const texto = quadro[questao.id].comentarios[algarismo[1] - 1];
    return texto && acrescentar(texto);
  }
  if (TECLAS[tecla.key]) {
    tecla.preventDefault();
    if ("tzcp".includes(tecla.key) && (!aqui || gravando)) return void (perdida = true);
    TECLAS[tecla.key]();
  }
});

por("nota").addEventListener("submit", (evento) => {
  evento.preventDefault();
  gravar(true);
});
por("pontos").addEventListener("beforeinput", (evento) => {
  if (!evento.data || /^[\d.,\s]*$/.test(evento.data)) return;
  evento.preventDefault();
  dizer("No campo da nota só cabem números. Esc sai dele, e as teclas voltam a valer.", "ruim");
});
por("so-nao-lidos").addEventListener("change", desenharQuadro);
por("abrir-teclas").addEventListener("click", () => por("teclas").showModal());
window.addEventListener("focus", () => Object.keys(quadro).length && atualizar().catch((falha) => dizer(dita(falha), "ruim")));
window.addEventListener("unhandledrejection", (evento) => dizer(dita(evento.reason), "ruim"));
window.addEventListener("error", (evento) => dizer(dita(evento.error), "ruim"));
window.addEventListener("beforeunload", (evento) => {
  if (rascunhos.size || (aqui && mudou())) evento.preventDefault();
});

pedir("/quadro").then((dados) => {
  quadro = dados;
  return irPara(questao);
}).catch((falha) => dizer(dita(falha), "ruim"));
