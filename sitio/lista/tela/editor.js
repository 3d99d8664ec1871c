// O editor de código: CodeMirror 6, em português, para o teclado e para o celular.

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentWithTab, insertTab, undo } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { botao, h, texto } from "./comum.js";

const FRASES = {
  "Control character": "Caractere de controle",
  "Selection deleted": "Seleção apagada",
  "replaced $": "trocado $",
};
const NO_CELULAR = ["(", ")", "[", "]", "@", ":", "=", "_", "*", "-"]; // o que o teclado do celular esconde

/**
 * Um editor em `lugar`. `aoMudar(texto)` a cada mudança feita pela pessoa; `aoRodar()` com Ctrl+Enter ou Shift+Enter.
 * Devolve { ler, por(texto), focar, irPara(linha), no }.
 */
export function editor(lugar, { fonte, rotulo, descrito, aoMudar, aoRodar, aoFocar = () => {} }) {
  const quietos = { deFora: false };
  const rodar = () => (aoRodar(), true);
  const vista = new EditorView({
    parent: lugar,
    state: EditorState.create({
      doc: fonte,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        python(),
        indentUnit.of("    "),
        EditorState.tabSize.of(4),
        EditorView.lineWrapping,
        syntaxHighlighting(classHighlighter),
        EditorState.phrases.of(FRASES),
        EditorView.contentAttributes.of({
          "aria-label": rotulo,
          "aria-describedby": descrito,
          autocapitalize: "off",
          autocorrect: "off",
          spellcheck: "false",
          translate: "no",
        }),
        Prec.highest(
          keymap.of([
            { key: "Mod-Enter", run: rodar },
            { key: "Shift-Enter", run: rodar },
          ]),
        ),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.domEventHandlers({ focus: () => void aoFocar() }),
        EditorView.updateListener.of((mudanca) => {
          if (mudanca.docChanged && !quietos.deFora) aoMudar(mudanca.state.doc.toString());
        }),
      ],
    }),
  });
  vista.scrollDOM.setAttribute("tabindex", "-1"); // quem recebe o foco é o texto, e não a moldura
  lugar.append(teclasDoCelular(vista));
  return {
    no: vista.dom,
    ler: () => vista.state.doc.toString(),
    /** Troca o texto todo. `deFora`: veio de outra aba ou de um arquivo, e já está guardado. */
    por(novo, { deFora = false } = {}) {
      if (novo === vista.state.doc.toString()) return;
      quietos.deFora = deFora;
      vista.dispatch({ changes: { from: 0, to: vista.state.doc.length, insert: novo } });
      quietos.deFora = false;
    },
    focar: () => vista.focus(),
    irPara(linha) {
      const alvo = vista.state.doc.line(Math.min(Math.max(1, linha), vista.state.doc.lines));
      vista.dispatch({ selection: { anchor: alvo.to }, scrollIntoView: true });
    },
    fim: () => vista.destroy(),
  };
}

/** Uma fileira de teclas, que o CSS só mostra onde se toca com o dedo. */
function teclasDoCelular(vista) {
  const por = (letra) => () => {
    vista.dispatch(vista.state.replaceSelection(letra), { userEvent: "input" });
    vista.focus();
  };
  const mandar = (comando) => () => {
    comando(vista);
    vista.focus();
  };
  const semTirarOFoco = (evento) => evento.preventDefault(); // o teclado do celular não some
  return h(
    "div",
    { class: "l-teclas", role: "group", "aria-label": texto("editor.teclas"), aoMousedown: semTirarOFoco },
    botao("⇥", mandar(insertTab), { "aria-label": "Tab", title: "Tab" }),
    botao("⇤", mandar(indentLess), { "aria-label": texto("editor.recuar"), title: texto("editor.recuar") }),
    NO_CELULAR.map((letra) => botao(letra, por(letra))),
    botao("↶", mandar(undo), { "aria-label": texto("editor.desfazer"), title: texto("editor.desfazer") }),
  );
}
