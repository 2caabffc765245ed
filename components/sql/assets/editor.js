// CodeMirror as the SQL page has it: keywords bold, strings coloured, parameters marked, and nothing else.
import {
  acceptCompletion, autocompletion, bracketMatching, closeBrackets, closeBracketsKeymap, Compartment, completionKeymap,
  completionStatus, Decoration, defaultKeymap, drawSelection, EditorState, EditorView, gutter, GutterMarker,
  highlightActiveLine, HighlightStyle, history, historyKeymap, indentWithTab, keymap, lineNumbers, placeholder, Prec,
  sql, StateEffect, StateField, syntaxHighlighting, syntaxTree, tags, ViewPlugin,
} from "./codemirror.js";
import { dialects, sources } from "./completion.js";

const PARAMETER = /(?<![:\w]):([A-Za-z_]\w*)/g;

const look = HighlightStyle.define([
  { tag: tags.keyword, fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--string)" },
  { tag: [tags.lineComment, tags.blockComment], color: "var(--muted)" },
]);

const parameters = ViewPlugin.fromClass(
  class {
    constructor(view) {
      this.decorations = marks(view);
    }
    update(update) {
      if (update.docChanged || update.viewportChanged) this.decorations = marks(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function marks(view) {
  const found = [];
  for (const { from, to } of view.visibleRanges) {
    for (const match of view.state.doc.sliceString(from, to).matchAll(PARAMETER)) {
      const at = from + match.index;
      if (/String|Comment/.test(syntaxTree(view.state).resolveInner(at, 1).name)) continue;
      const name = ["as_of", "known_at"].includes(match[1]) ? match[1] : "other";
      found.push(Decoration.mark({ class: `p-${name}` }).range(at, at + match[0].length));
    }
  }
  return Decoration.set(found);
}

// the line that a problem is about, until the text changes
const setWrong = StateEffect.define();
const wrong = StateField.define({
  create: () => null,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setWrong)) return effect.value;
    return transaction.docChanged ? null : value;
  },
  provide: (field) => EditorView.decorations.compute([field], (state) => {
    const at = state.field(field);
    if (!at || at.line > state.doc.lines) return Decoration.none;
    const line = state.doc.line(at.line);
    const ranges = [Decoration.line({ class: "bad" }).range(line.from)];
    const place = at.word ? line.text.toLowerCase().indexOf(at.word.toLowerCase()) : -1;
    const [from, to] = place < 0 ? [line.from, line.to] : [line.from + place, line.from + place + at.word.length];
    if (to > from) ranges.push(Decoration.mark({ class: "bad-word" }).range(from, to));
    return Decoration.set(ranges);
  }),
});

class Cross extends GutterMarker {
  toDOM() {
    const mark = document.createElement("span");
    mark.textContent = "✕";
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", "error");
    return mark;
  }
}
const cross = new Cross();
const errors = gutter({
  class: "cm-marks",
  lineMarker: (view, block) => {
    const at = view.state.field(wrong);
    return at && at.line <= view.state.doc.lines && view.state.doc.line(at.line).from === block.from ? cross : null;
  },
  lineMarkerChange: (update) => update.startState.field(wrong) !== update.state.field(wrong),
});

const closeCompletion = completionKeymap.find(({ key }) => key === "Escape").run;

export function open(frame, editor, text, [start, stop]) {
  const language = new Compartment();
  const hint = new Compartment();
  let schema;
  let mark;
  let empty;
  let gone;
  const act = (kind) => () => {
    editor.act(kind);
    return true;
  };
  const cancel = (view) => completionStatus(view.state) === null && editor.data.running === true && act("cancel")();
  const languageOf = (given) => {
    const dialect = dialects[given.dialect] ?? dialects.duckdb;
    return [sql({ dialect }), autocompletion({ override: sources(given, dialect), icons: false, addToOptions: [count], defaultKeymap: false })];
  };
  const view = new EditorView({
    parent: frame,
    root: frame.getRootNode(),
    state: EditorState.create({
      doc: text,
      selection: { anchor: start, head: stop },
      extensions: [
        errors, lineNumbers(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(),
        syntaxHighlighting(look), parameters, wrong, EditorView.lineWrapping,
        language.of(languageOf({ tables: [], macros: [], relations: [] })), hint.of(placeholder("")),
        EditorView.contentAttributes.of({
          "aria-label": "SQL. Press Ctrl+Enter to run it, Tab to indent, and Esc, then Tab, to leave the editor.",
          spellcheck: "false",
        }),
        Prec.highest(keymap.of([
          { key: "Mod-Enter", run: (view) => (closeCompletion(view), act("run")()), stopPropagation: true },
          { key: "Mod-s", run: act("save"), preventDefault: true },
          { key: "Escape", run: cancel },
          { key: "Tab", run: acceptCompletion },
        ])),
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((one) => one.isUserEvent("asof"))) editor.changed();
        }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    focus: () => view.focus(),
    write: (words) => view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: words },
      selection: { anchor: words.length },
      userEvent: "asof",
    }),
    obey: (data) => {
      const effects = [];
      if (JSON.stringify(data.schema) !== schema) {
        schema = JSON.stringify(data.schema);
        effects.push(language.reconfigure(languageOf(data.schema)));
      }
      if (JSON.stringify(data.wrong) !== mark) {
        mark = JSON.stringify(data.wrong);
        effects.push(setWrong.of(data.wrong));
      }
      if (data.placeholder !== empty) {
        empty = data.placeholder;
        effects.push(hint.reconfigure(placeholder(empty ?? "")));
      }
      if (effects.length) view.dispatch({ effects });
      if (data.go && data.go.seq !== gone) {
        const isFirst = gone === undefined;
        gone = data.go.seq;
        const line = view.state.doc.line(Math.min(data.go.line, view.state.doc.lines));
        if (!isFirst || data.go.seq) {
          view.dispatch({ selection: { anchor: line.from, head: line.to }, scrollIntoView: true });
          view.focus();
        }
      }
    },
  };
}

const count = {
  position: 90,
  render: (completion) => {
    if (completion.count === undefined) return null;
    const made = document.createElement("span");
    made.className = "cm-count";
    made.textContent = completion.count.toLocaleString("en");
    return made;
  },
};
