const ICONS = { Look: "visibility", Ask: "forum", Feed: "input" };

const address = (title) => (title === "Overview" ? "./" : title) + location.search;

export default function ({ data, parentElement, setTriggerValue }) {
  const host = parentElement.host ?? parentElement;
  host.asofGo = (page) => setTriggerValue("page", page);
  host.asofDraw?.(data);
  if (host.asofDraw) return host.asofClose;
  if (!["Overview", "Timeline"].includes(data.current)) fetchWhenIdle(data.later); // these two draw charts at once
  const nav = parentElement.querySelector("nav");
  const sheet = parentElement.querySelector("dialog");
  const pages = () => host.asofData.groups.flatMap((group) => group.pages);
  const close = (except) => {
    for (const one of nav.querySelectorAll("details[open]")) if (one !== except) one.open = false;
  };
  const go = (title) => {
    close();
    if (title !== host.asofData.current) host.asofGo(title);
  };

  const link = (page) => {
    const made_ = made("a", { href: address(page.title), "data-title": page.title }, icon(page.icon), made("span", {}, page.title), made("kbd", { "aria-hidden": "true" }, page.letter));
    const refresh = () => made_.setAttribute("href", address(page.title)); // the view moves on without a draw
    for (const kind of ["pointerenter", "pointerdown", "focus", "contextmenu"]) made_.addEventListener(kind, refresh);
    made_.addEventListener("click", (event) => {
      if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      go(page.title);
    });
    return made_;
  };
  const walkable = (menu_) => menu_.addEventListener("keydown", (event) => { // arrows walk through its pages, Esc closes it
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && menu_.open) {
      menu_.open = false;
      menu_.querySelector("summary").focus();
    }
    if (!step) return;
    event.preventDefault();
    menu_.open = true;
    const links = [...menu_.querySelectorAll("a")];
    const from = links.indexOf(parentElement.activeElement);
    links[from < 0 && step < 0 ? links.length - 1 : (from + step + links.length) % links.length].focus();
  });
  const menu = (group) => {
    const summary = made("summary", {}, icon(ICONS[group.name] ?? "menu"), made("span", { class: "group" }, group.name), made("b"), icon("expand_more"));
    const menu_ = made("details", { "data-group": group.name }, summary, made("div", { class: "list", role: "group", "aria-label": group.name }, ...group.pages.map(link)));
    menu_.addEventListener("toggle", () => menu_.open && close(menu_));
    walkable(menu_);
    return menu_;
  };
  const narrow = () => {
    const parts = host.asofData.groups.flatMap((group) => [...(group.name ? [made("h3", {}, group.name)] : [made("hr")]), ...group.pages.map(link)]);
    const list = made("div", { class: "list", role: "group", "aria-label": "All pages" }, ...parts);
    const all = made("details", { class: "narrow" }, made("summary", {}, icon("menu"), made("b"), icon("expand_more")), list);
    all.addEventListener("toggle", () => all.open && close(all));
    walkable(all);
    return all;
  };
  const copyLink = () => {
    const status = made("span", { role: "status" });
    const button = made("button", { type: "button", class: "keys", title: "Copy a link to this view" }, icon("link"));
    let timer;
    button.setAttribute("aria-label", button.title);
    button.onclick = async () => {
      status.textContent = (await copy(location.href)) ? host.asofData.copied : "The browser blocked copying";
      clearTimeout(timer);
      timer = setTimeout(() => (status.textContent = ""), 4000);
    };
    return made("span", { class: "copies" }, button, status);
  };
  const build = () => {
    const wide = host.asofData.groups.flatMap((group) => (group.name ? [menu(group)] : group.pages.map(link)));
    const keys = made("button", { type: "button", class: "keys", title: "Keyboard shortcuts", "aria-label": "Show the keyboard shortcuts" }, "?");
    keys.onclick = show;
    nav.replaceChildren(narrow(), ...wide, copyLink(), keys);
  };
  const mark = () => {
    for (const a of nav.querySelectorAll("a")) {
      if (a.dataset.title === host.asofData.current) a.setAttribute("aria-current", "page");
      else a.removeAttribute("aria-current");
    }
    for (const one of nav.querySelectorAll("details")) {
      const page = one.querySelector("a[aria-current]")?.dataset.title ?? "";
      one.classList.toggle("current", !!page);
      one.querySelector("summary b").textContent = page === one.dataset.group ? "" : page;
    }
  };

  const show = () => {
    close();
    const rows = KEYS.flatMap(([part, keys]) => [made("h3", {}, part), ...keys.map(([key, does]) => made("p", {}, made("kbd", {}, key), made("span", {}, does)))]);
    const letters = pages().map((page) => made("p", {}, made("kbd", {}, `g ${page.letter}`), made("span", {}, page.title)));
    const box = made("input", { type: "checkbox", id: "single" });
    box.checked = !off();
    box.onchange = () => (box.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "1"));
    const shut = made("button", { type: "button", "aria-label": "Close", class: "keys" }, "×");
    shut.onclick = () => sheet.close();
    const columns = made("div", { class: "columns" }, made("div", {}, ...rows), made("div", {}, made("h3", {}, "Pages"), ...letters));
    sheet.replaceChildren(made("header", {}, made("h2", { id: "keys-title" }, "Keyboard shortcuts"), shut), columns, made("label", { for: "single" }, box, "Use single-key shortcuts ( / ? g )"));
    sheet.showModal();
  };
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());

  let awaits = 0; // until when a letter after "g" is a page's
  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event) || sheet.open || off()) return;
    const page = performance.now() < awaits && pages().find((one) => one.letter === event.key);
    awaits = event.key === "g" ? performance.now() + 1500 : 0;
    if (page) go(page.title);
    else if (event.key === "?") show();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onClick = (event) => { // whoever opens a clock of the time bar can type over its date at once
    const clock = event.target.closest?.("button")?.closest("[class*='st-key-clock_']");
    if (!clock) return;
    const name = clock.className.match(/st-key-clock_(\w+)/)[1];
    let until = performance.now() + 2000;
    for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, () => (until = 0), { once: true, capture: true });
    const select = (before) => { // the date comes a moment after its field, and takes the selection away
      if (performance.now() > until) return;
      const field = document.querySelector(`.st-key-${name}_text input, .st-key-${name}_at_text input`);
      const shown = field?.value;
      if (field && shown !== before) field.focus(), field.select();
      requestAnimationFrame(() => select(shown));
    };
    requestAnimationFrame(() => select());
  };
  const onPress = (event) => event.composedPath().includes(nav) || close();
  window.addEventListener("keydown", onKey, true);
  document.addEventListener("pointerdown", onPress);
  document.addEventListener("click", onClick);

  host.asofDraw = (now) => {
    const changed = JSON.stringify(now.groups) !== JSON.stringify(host.asofData?.groups);
    host.asofData = now;
    if (changed) build();
    mark();
  };
  host.asofClose = () => {
    window.removeEventListener("keydown", onKey, true);
    document.removeEventListener("pointerdown", onPress);
    document.removeEventListener("click", onClick);
    delete host.asofDraw;
    delete host.asofData;
  };
  host.asofDraw(data);
  return host.asofClose;
}
