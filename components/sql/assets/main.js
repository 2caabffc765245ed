// The editor of SQL: a text area, and CodeMirror in its place once that is loaded.
//
// What the viewer wrote goes to Python as `sent`: the text, and in a queue with numbers what was asked for, since of two
// events during a slow run one would be lost.

const PAUSE = 400;

export default function ({ data, parentElement, setStateValue }) {
  const frame = parentElement.querySelector(".frame");
  const editor = (frame.editor ??= begin(frame));
  editor.send = (sent) => setStateValue("sent", sent);
  editor.obey(data);
  return () => editor.pause();
}

function begin(frame) {
  const area = frame.querySelector("textarea");
  const editor = { data: {}, acts: [], seq: 0, version: undefined, gone: undefined, view: undefined };
  let timer;
  const text = () => (editor.view ? editor.view.text() : area.value);
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    editor.send({ seq: ++editor.seq, sql: text(), acts: editor.acts });
  };
  editor.changed = () => {
    clearTimeout(timer);
    timer = setTimeout(flush, PAUSE);
  };
  editor.left = () => timer !== undefined && flush();
  editor.pause = () => clearTimeout(timer);
  editor.act = (kind) => {
    editor.acts = [...editor.acts.slice(-7), { seq: ++editor.seq, kind }];
    flush();
  };
  editor.obey = (data) => {
    editor.data = data;
    editor.seq = Math.max(editor.seq, data.seq);
    if (data.version !== editor.version) {
      editor.version = data.version;
      if (text() !== data.text) {
        if (editor.view) editor.view.write(data.text);
        else area.value = data.text;
      }
    }
    area.placeholder = data.placeholder;
    editor.view?.obey(data);
  };
  area.oninput = editor.changed;
  frame.addEventListener("focusout", editor.left); // before the click that takes the focus
  area.onkeydown = (event) => {
    const ctrl = event.ctrlKey || event.metaKey;
    const kind = ctrl && event.key === "Enter" ? "run" : ctrl && event.key === "s" ? "save" : event.key === "Escape" ? "cancel" : "";
    if (!kind || (kind === "cancel" && !editor.data.running)) return;
    event.preventDefault();
    event.stopPropagation();
    editor.act(kind);
  };
  import("./editor.js").then(
    ({ open }) => {
      const { selectionStart: start, selectionEnd: stop } = area;
      const hasFocus = frame.getRootNode().activeElement === area;
      editor.view = open(frame, editor, area.value, [start, stop]);
      area.hidden = true;
      editor.view.obey(editor.data);
      if (hasFocus) editor.view.focus();
      frame.dataset.editor = "codemirror";
    },
    () => (frame.dataset.editor = "plain"),
  );
  return editor;
}
