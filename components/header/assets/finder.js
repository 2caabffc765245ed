const WAIT = 120; // milliseconds without a key before the server is asked

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const host = parentElement.host ?? parentElement;
  host.asofAsk = (text) => setStateValue("typed", text);
  host.asofChoose = (chosen) => setTriggerValue("chosen", chosen);
  host.asofShow?.(data);
  if (host.asofShow) return host.asofClose;
  const root = parentElement.querySelector(".finder");
  const input = root.querySelector("input");
  const list = root.querySelector("ul");
  const opener = root.querySelector(".open");
  let [timer, lines, active, waiting] = [0, [], 0, false];
  root.classList.toggle("inline", data.inline);
  input.placeholder = data.label;
  input.setAttribute("aria-label", data.label);
  opener.setAttribute("aria-label", data.label);

  const text = () => input.value.trim().replace(/\s+/g, " ");
  const close = () => {
    root.classList.remove("opened");
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  };
  const choose = (line) => {
    clearTimeout(timer);
    host.asofChoose(line.page ? { page: line.page } : { entity: line.uuid });
    input.value = "";
    close();
    input.blur();
  };
  const point = (place) => {
    active = place;
    [...list.querySelectorAll("[role=option]")].forEach((one, at) => {
      one.setAttribute("aria-selected", String(at === active));
      if (at === active) one.scrollIntoView({ block: "nearest" });
    });
    input.setAttribute("aria-activedescendant", lines.length ? `line-${active}` : "");
  };
  const row = (line, place) => {
    const mark = line.page ? icon(line.icon) : made("b", { class: "mark", style: `color: light-dark(${line.light}, ${line.dark})` }, line.mark);
    const words = made("span", { class: "words" }, made("strong", {}, line.name), " ", line.about ? made("small", {}, line.about) : "");
    const item = made("li", { role: "option", id: `line-${place}` }, mark, words, " ", made("em", {}, line.type));
    item.addEventListener("pointermove", () => active !== place && point(place));
    item.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
    item.addEventListener("click", () => choose(line));
    return item;
  };
  const draw = () => {
    const asked = text();
    const folded = asked.toLowerCase();
    const found = host.asofFound.typed === asked ? host.asofFound.hits : waiting ? lines.filter((line) => !line.page) : [];
    const pages = folded ? host.asofFound.pages.filter((page) => page.name.toLowerCase().startsWith(folded)) : [];
    lines = [...pages.map((page) => ({ ...page, page: page.name, type: "Page" })), ...found];
    list.replaceChildren(...lines.map(row));
    const answered = host.asofFound.typed === asked;
    if (!asked) list.append(made("li", { class: "none" }, "Type a name, a title, a former name or an id."));
    else if (!lines.length && answered) list.append(made("li", { class: "none", role: "status" }, `No entity matches “${asked}”.`));
    list.hidden = !root.contains(parentElement.activeElement) || !list.children.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    point(0);
  };
  const open = () => {
    root.classList.add("opened");
    input.focus();
    input.select();
    draw();
  };

  input.addEventListener("input", () => {
    clearTimeout(timer);
    delete host.asofEnter;
    waiting = true;
    const asked = text();
    if (asked) timer = setTimeout(() => host.asofAsk(asked), WAIT);
    draw();
  });
  input.addEventListener("focus", draw);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && lines.length) point((active + step + lines.length) % lines.length);
    else if (event.key === "Enter" && lines.length && (lines[active].page || host.asofFound.typed === text())) choose(lines[active]);
    else if (event.key === "Enter" && text()) host.asofEnter = text(); // chosen as soon as the answer is there
    else if (event.key === "Escape") {
      clearTimeout(timer);
      delete host.asofEnter;
      input.value = "";
      close();
      input.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  root.addEventListener("focusout", () => setTimeout(() => root.contains(parentElement.activeElement) || close()));
  opener.onclick = open;
  const onKey = (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing(event) || off()) return;
    event.preventDefault();
    event.stopPropagation();
    open();
  };
  if (!data.inline) window.addEventListener("keydown", onKey, true);

  host.asofShow = (now) => {
    host.asofFound = now;
    if (now.typed === text()) waiting = false;
    if (!list.hidden || root.contains(parentElement.activeElement)) draw();
    if (host.asofEnter && host.asofEnter === now.typed) {
      delete host.asofEnter;
      if (lines.length) choose(lines[0]);
    }
  };
  host.asofClose = () => {
    window.removeEventListener("keydown", onKey, true);
    delete host.asofShow;
  };
  host.asofFound = data;
  list.hidden = true;
  return host.asofClose;
}
