// What editor.js takes from CodeMirror; `npm ci && npm run build` writes it to ../assets/codemirror.js.
export {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completeFromList,
  completionKeymap,
  completionStatus,

} from "@codemirror/autocomplete";
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { PostgreSQL, schemaCompletionSource, sql, SQLDialect, SQLite } from "@codemirror/lang-sql";
export { bracketMatching, HighlightStyle, syntaxHighlighting, syntaxTree } from "@codemirror/language";
export { Compartment, EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
export {
  Decoration,
  drawSelection,
  EditorView,
  gutter,
  GutterMarker,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder,
  ViewPlugin,
} from "@codemirror/view";
export { tags } from "@lezer/highlight";
