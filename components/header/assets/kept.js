// A reload keeps what was typed and not sent, and the tab that was looked at: they are written down as the page goes,
// and put back as the fields and tabs of the same page appear.
const KEPT = "asof-kept";
const FIELDS = "[data-testid=stMain] :is(textarea, input[type=text]):not([role=combobox], [readonly], [autocomplete*=password], [data-testid=stNumberInputField])";
// A password that is shown is a text field, too.
const NOT = "[class*=password], [class*=st-key-clock_], [data-testid=stDialog], [data-testid=stDateInput], [data-testid=stSelectbox]";

const fields = () => [...document.querySelectorAll(FIELDS)].filter((one) => !one.closest(NOT));
// Two fields of a page may share a label: each has the key of its widget, and among those without one its place.
const keyOf = (field) => [...(field.closest("[data-testid=stElementContainer]")?.classList ?? [])].find((one) => one.startsWith("st-key-")) ?? "";
const named = () => {
  const found = new Map();
  for (const field of fields()) {
    const name = `${keyOf(field)} ${field.getAttribute("aria-label") || field.placeholder}`;
    let place = 1;
    while (found.has(`${place} ${name}`)) place += 1;
    found.set(`${place} ${name}`, field);
  }
  return found;
};
const tabs = () => [...document.querySelectorAll("[data-testid=stMain] [role=tablist]")];
const label = (tab) => tab.textContent.replace(/[\d,]+/g, "");

const write = () => {
  const typed = [...named()].filter(([, field]) => field.value.trim()).map(([name, field]) => [name, field.value]);
  const open = tabs().map((list) => label(list.querySelector("[aria-selected=true]") ?? list));
  sessionStorage.setItem(KEPT, JSON.stringify({ page: location.pathname, typed, open }));
};

const put = (field, value) => { // React hears of a value only by way of the element's own setter
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  if (document.activeElement !== field) field.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
};

const keepOverReload = () => {
  addEventListener("pagehide", write);
  const reloaded = performance.getEntriesByType("navigation")[0]?.type === "reload";
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  sessionStorage.removeItem(KEPT);
  if (!reloaded || kept?.page !== location.pathname) return;
  const typed = new Map(kept.typed);
  const putBack = () => {
    if (location.pathname !== kept.page) return watch.disconnect();
    for (const [name, field] of named()) {
      const value = typed.get(name);
      typed.delete(name);
      if (value !== undefined && !field.value) put(field, value);
    }
    tabs().forEach((list, at) => {
      const tab = [...list.querySelectorAll("[role=tab]")].find((one) => label(one) === kept.open[at]);
      if (tab && tab.getAttribute("aria-selected") !== "true") tab.click();
      if (tab) delete kept.open[at];
    });
    if (!typed.size && !kept.open.some(Boolean)) watch.disconnect();
  };
  const watch = new MutationObserver(putBack);
  watch.observe(document.body, { subtree: true, childList: true });
  addEventListener("pointerdown", () => watch.disconnect(), { once: true, capture: true }); // from now on it is the reader's
  addEventListener("keydown", () => watch.disconnect(), { once: true, capture: true });
  putBack();
};
const fetchWhenIdle = (scripts) => { // the script of charts is large: the browser has it before a page needs it
  const beside = document.querySelector("script[type=module][src]")?.src;
  const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 1000));
  const get = (script) => fetch(new URL(script, beside), { priority: "low" }).then((answer) => answer.arrayBuffer());
  if (beside) idle(() => scripts.forEach((script) => get(script).catch(() => {})));
};
if (!window.asofKept) {
  window.asofKept = true;
  keepOverReload();
  closeOnEnter();
}
