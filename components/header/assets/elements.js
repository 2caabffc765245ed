// What the menus and the finder share; it stands before each of them.
const made = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const icon = (name) => made("i", { class: "icon", "aria-hidden": "true" }, name);
const OFF = "asof-single-keys-off";
const off = () => localStorage.getItem(OFF);
const typing = (event) => {
  const target = event.composedPath()[0];
  const edits = target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
  return edits || target.closest?.('[data-testid="stDataFrame"]') || document.querySelector('[data-testid="stDialog"]');
};
