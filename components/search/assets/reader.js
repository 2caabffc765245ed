// Everything that comes from a document is set as text, never as markup.
const make = (name, words, attributes = {}) => {
  const made = document.createElement(name);
  made.textContent = words;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

const marked = (words, key, data, choose) => {
  const mark = make("mark", words);
  if (!key) return mark;
  mark.setAttribute("role", "button");
  mark.setAttribute("tabindex", "0");
  mark.setAttribute("aria-pressed", String(key === data.chosen));
  mark.onclick = () => choose(key);
  mark.onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose(key);
  };
  return mark;
};

const line = (words, number, data, heads, choose) => {
  const [first, last] = data.passage ?? [0, 0];
  const row = make("div", "", { class: "line", "data-n": number });
  if (number >= first && number <= last) row.classList.add("passage");
  if (heads.has(number)) row.classList.add("head");
  const told = make("span", "");
  const letters = Array.from(words); // positions count characters, not the halves of which JavaScript makes some
  const part = (start, stop) => letters.slice(start, stop).join("");
  let at = 0;
  for (const [start, stop, key] of data.words[number] ?? []) {
    told.append(part(at, start), marked(part(start, stop), key, data, choose));
    at = stop;
  }
  told.append(part(at));
  row.append(told);
  return row;
};

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".reader");
  const shown = JSON.stringify([data.id, data.first, data.passage, data.words, data.chosen, data.total]);
  if (root.shown === shown) return;
  root.shown = shown;
  const text = root.querySelector(".text");
  const nav = root.querySelector("nav");
  const heads = new Set(data.outline.map(([, , start]) => start));
  const end = data.first + data.lines.length - 1;
  const choose = (key) => setTriggerValue("chosen", key);
  const rows = data.lines.map((words, place) => line(words, data.first + place, data, heads, choose));
  text.replaceChildren(...rows);
  if (data.lines.length < data.total) {
    text.append(make("div", `Showing lines ${data.first}–${end} of ${data.total}.`, { class: "cut" }));
  }
  const goTo = (number, share) => {
    const row = rows[Math.min(Math.max(number, data.first), end) - data.first];
    if (row) text.scrollTop = row.offsetTop - text.clientHeight * share;
  };
  const top = Math.min(...data.outline.map(([, level]) => level));
  const within = data.outline.findLast(([, , start]) => data.passage && start <= data.passage[0]);
  nav.hidden = data.outline.length < 2;
  nav.replaceChildren(
    ...data.outline.map((section) => {
      const [name, level, start] = section;
      const button = make("button", name, { type: "button", style: `padding-left: ${6 + 12 * (level - top)}px` });
      button.setAttribute("aria-current", String(section === within));
      button.onclick = () => goTo(start, 0);
      return button;
    }),
  );
  const settle = () => {
    if (!data.passage || !text.clientHeight) return;
    goTo(data.passage[0], 0.25);
    const current = nav.querySelector("[aria-current=true]");
    if (current) nav.scrollTop = current.offsetTop - nav.offsetTop - nav.clientHeight / 3;
    text.dataset.settled = "";
    sized.disconnect();
  };
  const sized = new ResizeObserver(settle); // a drawer that slides in has no height yet
  sized.observe(text);
  return () => sized.disconnect();
}
