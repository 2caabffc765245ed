// A text area with numbers of lines, which says what was typed a moment after the last key. Tab indents; after Esc it
// leaves the field.
const PAUSE = 350;

export default function ({ data, parentElement, setStateValue }) {
  const field = parentElement.querySelector("textarea");
  field.setAttribute("aria-label", data.label);
  field.send = () => {
    clearTimeout(field.timer);
    field.timer = undefined;
    setStateValue("typed", { text: field.value, version: field.version });
  };
  if (field.version !== data.version) {
    field.version = data.version;
    field.value = data.text;
  }
  if (!field.ready) listen(field);
  field.bad = new Set(data.bad);
  number(field);
  return () => clearTimeout(field.timer);
}

function listen(field) {
  field.ready = true;
  let leaves = false;
  field.addEventListener("input", () => {
    number(field);
    clearTimeout(field.timer);
    field.timer = setTimeout(field.send, PAUSE);
  });
  field.addEventListener("blur", () => field.timer && field.send());
  field.addEventListener("scroll", () => (field.previousElementSibling.scrollTop = field.scrollTop));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Tab" && !leaves && !event.shiftKey) {
      event.preventDefault();
      document.execCommand("insertText", false, "  ");
    }
    leaves = event.key === "Escape";
  });
}

function number(field) {
  const lines = field.previousElementSibling, count = field.value.split("\n").length;
  lines.replaceChildren(...Array.from({ length: count }, (_, at) => {
    const line = document.createElement("div");
    line.textContent = at + 1;
    if (field.bad?.has(at + 1)) line.dataset.bad = "";
    return line;
  }));
  lines.scrollTop = field.scrollTop;
}
