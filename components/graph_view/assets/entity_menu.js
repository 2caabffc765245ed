// The menu of an entity in the picture: a right click, a long press, the Menu key or Shift+F10 opens it.

const EDGE = 6;

export class EntityMenu {
  /** `rowsOf(id)` names what can be done with an entity: words, the key that does it without the menu, and the action. */
  constructor(list, canvas, rowsOf) {
    Object.assign(this, { list, canvas, rowsOf });
    list.addEventListener("keydown", (event) => this.#onKey(event));
    list.addEventListener("contextmenu", (event) => event.preventDefault());
    list.addEventListener("focusout", ({ relatedTarget }) => list.contains(relatedTarget) || this.close());
    canvas.addEventListener("pointerdown", () => this.close(), true);
  }

  /** Open it about an entity, beside a point of the canvas. */
  open(id, name, { x, y }) {
    const { list, canvas } = this;
    list.setAttribute("aria-label", name);
    list.replaceChildren(...this.rowsOf(id).map((row) => this.#item(row)));
    list.hidden = false;
    list.style.left = `${Math.max(EDGE, Math.min(x, canvas.clientWidth - list.offsetWidth - EDGE))}px`;
    list.style.top = `${Math.max(EDGE, Math.min(y, canvas.clientHeight - list.offsetHeight - EDGE))}px`;
    list.firstElementChild.focus();
  }

  close() {
    this.list.hidden = true;
  }

  #item({ words, key, action }) {
    const item = Object.assign(document.createElement("button"), { type: "button", tabIndex: -1, textContent: words });
    item.setAttribute("role", "menuitem");
    if (key) item.dataset.key = key;
    item.onclick = () => {
      this.#leave();
      action();
    };
    return item;
  }

  #leave() {
    this.close();
    this.canvas.focus();
  }

  #onKey(event) {
    const items = [...this.list.children];
    const at = items.indexOf(this.list.getRootNode().activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined) items.at(next % items.length).focus();
    else if (event.key === "Escape" || event.key === "Tab") this.#leave();
    else if (!["Enter", " "].includes(event.key)) return;
    else items[at]?.click();
    event.preventDefault();
    event.stopPropagation();
  }
}
