// The graph view: wires scene, legend, scrubber and keyboard to each other and to Python.
//
// Python sends the picture as this component's data, and the small things that change often (selection, instants,
// filters) through a second, invisible component, so that a click does not send the picture again. What the viewer
// does goes back as a queue of numbered events: two quick ones are never lost in a rerun. A control that is older than
// the viewer's last event is not obeyed.

import { addressWith, copy } from "./clipboard.js";
import { EntityMenu } from "./entity_menu.js";
import { ADDED, doubtAt, ENDED, HOLDS, NOT_YET, UNDATED } from "./facts.js";
import { onKey } from "./keys.js";
import { Legend } from "./legend.js";
import { written, writtenSpan } from "./moment.js";
import { shortened } from "./names.js";
import { savePicture } from "./picture.js";
import { drawRectangles } from "./rectangle.js";
import { Scene } from "./scene.js";
import { Scrubber } from "./scrubber.js";
import { Steps } from "./steps.js";
import { tokensOf } from "./theme.js";

const QUEUE = 24;
const LONGEST_IN_MENU = 24;
const mounted = new WeakMap();
const views = (globalThis[Symbol.for("asof.graph_views")] ??= new Map());

class View {
  constructor(root) {
    const find = (name) => root.querySelector(name);
    this.root = root;
    this.host = root.host ?? root;
    this.events = [];
    this.sent = 0;
    this.movingTime = false;
    Object.assign(this, {
      frame: find(".frame"), canvas: find(".canvas"), tools: find(".tools.one"), many: find(".tools.many"), note: find(".note"), tip: find(".tip"),
      nothing: find(".nothing"), live: find("[aria-live]"),
    });
    this.scene = new Scene(this.canvas, tokensOf(this.host));
    this.frame.scene = this.scene;
    this.steps = new Steps(this.scene, () => this.#showSteps());
    this.legend = new Legend(this.frame, this.scene, {
      onFilter: (change) => this.#filter(change), onFold: (on) => this.#fold(on), onChoose: (ids) => this.#choose(ids),
      onGroup: (on) => this.#group(on), onCommunity: (community) => this.#showCommunity(community),
    });
    this.scrubber = new Scrubber(find(".scrubber"), {
      onMove: (handle, ms) => this.#moveTime(handle, ms), onRelease: (now) => this.#sendTime(now), onPlay: (playing) => this.#playing(playing),
    });
    this.menu = new EntityMenu(find(".menu"), this.canvas, (id) => this.#menuOf(id));
    this.scene.onRestyle = () => this.#refresh();
    this.#listen();
    document.fonts?.load("12px Inter").then(() => this.#redrawNames());
  }

  // -- from Python

  take(data, setStateValue) {
    this.data = data;
    this.setStateValue = setStateValue;
    this.#paint();
    const content = JSON.stringify(data);
    if (content === this.taken) return;
    const first = this.taken === undefined;
    this.taken = content;
    const entry = views.get(data.view) ?? {};
    views.set(data.view, Object.assign(entry, { obey: () => this.#obey(entry.control) }));
    if (entry.control) this.#obey(entry.control, false);
    const network = JSON.parse(data.network);
    this.scrubber.load(data.bounds, network.edges);
    this.steps.begin(data.layout, entry.control?.roots[0]);
    this.scene.load({ ...data, network });
    this.legend.build();
    this.#showTime();
    if (first) this.#watchCanvas();
  }

  #paint() {
    const tokens = tokensOf(this.host);
    const { style } = this.frame;
    for (const [name, value] of Object.entries({ accent: tokens.accent, muted: tokens.muted, quiet: tokens.edge, letter: tokens.letter })) style.setProperty(`--${name}`, value);
    if (tokens === this.scene.tokens) return;
    this.scene.paintWith(tokens);
    this.legend.build();
  }

  #obey(control, draw = true) {
    if (!control || control.seq < this.sent) return;
    const { scene } = this;
    const compared = scene.comparing;
    scene.selected = control.selected;
    scene.path = control.path;
    scene.lit = new Set(control.lit);
    this.steps.roots = control.roots;
    const folded = scene.folds.on;
    scene.fold(!control.unfolded);
    const grouped = scene.communities.on;
    scene.communities.on = control.grouped;
    scene.hiddenTypes = new Set(control.hidden_types);
    scene.hiddenRelations = new Set(control.hidden_relations);
    scene.pinned = new Set(control.pinned);
    scene.hidden = new Set(control.hidden);
    if (!this.movingTime) Object.assign(scene, { asOf: control.as_of, to: control.to, marks: control.marks });
    if (!draw) return;
    this.#showTime();
    scene.restyle();
    if (control.selected?.kind === "entity") scene.reveal(control.selected.uuid);
    if (scene.network && (compared !== scene.comparing || folded !== scene.folds.on || grouped !== control.grouped || this.#filtersDiffer())) this.legend.build();
  }

  #filtersDiffer() {
    const buttons = [...this.legend.types.children, ...this.legend.sheet.children].map((item) => item.firstElementChild);
    const off = (button) => this.scene.hiddenTypes.has(button.dataset.state) || this.scene.hiddenRelations.has(button.dataset.state);
    return buttons.some((button) => (button.getAttribute("aria-pressed") === "false") !== off(button));
  }

  #showTime() {
    if (this.movingTime) return;
    this.scrubber.show("b", this.scene.to);
    this.scrubber.show("a", this.scene.asOf);
  }

  // -- to Python

  #send(kind, value) {
    this.sent = Math.max(Date.now(), this.sent + 1);
    this.events = [...this.events, { seq: this.sent, kind, value }].slice(-QUEUE);
    this.setStateValue("events", this.events);
  }

  #sendTime(now = false) {
    if (!this.movingTime) return;
    this.movingTime = false;
    this.scrubber.moved = false;
    const { asOf, to } = this.scene;
    this.#send("time", { as_of: now && to === null ? null : asOf, to });
    this.#say(to === null ? `As of ${written(asOf)}: ${this.scene.counts[HOLDS]} ${this.scene.counts[HOLDS] === 1 ? "fact holds" : "facts hold"}` : `From ${written(asOf)} to ${written(to)}: ${this.scene.counts[ADDED]} added, ${this.scene.counts[ENDED]} ended`);
  }

  #filter(change) {
    this.steps.keep();
    change();
    this.scene.restyle();
    this.legend.build();
    this.#send("filters", { types: [...this.scene.hiddenTypes], relations: [...this.scene.hiddenRelations] });
  }

  #moveTime(handle, ms) {
    this.movingTime = true;
    this.scene[handle === "a" ? "asOf" : "to"] = ms;
    this.scene.marks = {};
    this.scene.restyle();
  }

  #fold(on) {
    this.scene.fold(on);
    this.#send("fold", on);
    this.scene.restyle();
    this.legend.build();
    this.#say(on ? "Showing common values as letters" : "Showing common values as entities");
  }

  #group(on) {
    this.scene.communities.on = on;
    this.#send("group", on);
    this.scene.restyle();
    this.legend.build();
    this.#say(on ? "Colours show communities" : "Colours show types");
  }

  #showCommunity({ id, members }) {
    this.#send("community", id);
    this.#choose(members.filter((member) => this.scene.visible().includes(member)));
  }

  /** While time plays, the page around the picture waits, and says so; components/asof.css has the words. */
  #playing(playing) {
    document.documentElement.toggleAttribute("data-asof-playing", playing);
    if (playing) this.#say("The panel and the time bar update when you pause");
  }

  // -- the viewer's deeds

  #listen() {
    const actions = {
      select: (id) => this.#select("entity", id), expand: (id) => this.#expand(id), clear: () => this.#clear(),
      hide: (id) => this.#hide(id), pin: (id) => this.#pin(id), step: (back) => this.#step(back), collapse: (id) => this.#collapse(id), focus: (id) => this.#focus(id),
      menu: (id) => this.#openMenu(id, this.scene.network.canvasToDOM(this.scene.position(id))),
    };
    this.canvas.addEventListener("keydown", (event) => onKey(this.scene, actions, event));
    this.canvas.addEventListener("blur", () => this.#focus(null));
    const selected = () => this.scene.selected?.uuid;
    const deeds = {
      in: () => this.scene.zoom(1.25), out: () => this.scene.zoom(0.8), fit: () => this.scene.fit(true), png: () => this.#save(),
      expand: () => actions.expand(selected()), collapse: () => this.#collapse(selected()), pin: () => this.#pin(selected()), hide: () => this.#hide(selected()),
      undo: () => this.#step(true), redo: () => this.#step(false), rectangle: () => this.#selectMany(), link: () => this.#copyLink(),
      pinMany: () => this.#pinMany(), hideMany: () => this.#hideMany(), clearMany: () => this.#choose([]),
      restore: () => this.#restore(), first: () => this.#goTo(this.data.bounds.first), latest: () => this.#goTo(this.data.bounds.last),
    };
    for (const button of this.frame.querySelectorAll("[data-do]")) button.onclick = () => deeds[button.dataset.do](button);
    this.canvas.addEventListener("mouseleave", () => (this.tip.hidden = true));
    drawRectangles(this.canvas, this.frame.querySelector(".rectangle"), () => this.frame.classList.contains("selecting"), (box) => this.#chooseWithin(box));
  }

  #watchCanvas() {
    const { network } = this.scene;
    network.body.container.querySelector(".vis-network").tabIndex = -1;
    network.on("click", ({ pointer }) => this.#click(pointer.DOM));
    network.on("oncontext", ({ event, pointer }) => this.#rightClick(event, pointer.DOM));
    network.on("doubleClick", ({ pointer }) => this.#doubleClick(pointer.DOM));
    network.on("hoverNode", ({ node, pointer }) => this.#tellEntity(node, pointer.DOM));
    network.on("hoverEdge", ({ edge, pointer }) => this.#tellFact(edge, pointer.DOM));
    network.on("dragStart", ({ nodes }) => nodes.length > 0 && this.steps.keep());
    for (const name of ["blurNode", "blurEdge", "dragStart", "zoom"]) network.on(name, () => (this.tip.hidden = true));
  }

  #click(at) {
    const [entity, fact] = [this.scene.network.getNodeAt(at), this.scene.network.getEdgeAt(at)];
    if (entity !== undefined) this.#select("entity", entity);
    else if (fact !== undefined) this.#select("fact", fact);
    else this.#select(null, null);
  }

  #doubleClick(at) {
    const entity = this.scene.network.getNodeAt(at);
    if (entity !== undefined) this.#expand(entity);
  }

  // -- the menu of an entity

  #rightClick(event, at) {
    const entity = this.scene.network.getNodeAt(at);
    if (entity === undefined) return;
    event.preventDefault();
    this.#openMenu(entity, at);
  }

  #openMenu(id, at) {
    if (getComputedStyle(this.frame.querySelector(".steps")).display === "none") return; // shown small, the picture has no tools
    this.tip.hidden = true;
    this.menu.open(id, this.scene.entities.get(id).name, at);
  }

  #menuOf(id) {
    const { scene } = this;
    const from = scene.selected?.kind === "entity" && scene.selected.uuid !== id ? scene.entities.get(scene.selected.uuid) : null;
    const paths = from ? [{ words: `Path from ${shortened(from.name, LONGEST_IN_MENU)} to here`, action: () => this.#findPath(from.id, id) }] : [];
    return [
      { words: "Open timeline", action: () => this.#send("timeline", id) },
      { words: "Expand", key: "E", action: () => this.#expand(id) },
      { words: "Show only this entity and its neighbours", action: () => this.#showOnly(id) },
      ...paths,
      { words: "Path from here…", action: () => this.#findPath(id, null) },
      { words: scene.pinned.has(id) ? "Unpin" : "Pin", key: "P", action: () => this.#pin(id) },
      { words: scene.collapsed.has(id) ? "Unfold" : "Collapse", key: "C", action: () => this.#collapse(id) },
      { words: "Hide", key: "H", action: () => this.#hide(id) },
      { words: "Copy link", action: () => this.#copyLink({ e: id, f: null, group: null, r: this.steps.roots.join("|") }) },
    ];
  }

  #findPath(from, to) {
    this.#send("path", { from, to });
    document.querySelector(this.data.panel)?.scrollIntoView({ block: "nearest" });
  }

  #showOnly(id) {
    this.steps.keep();
    this.steps.leadTo(id);
    this.#send("only", id);
  }

  #expand(id) {
    this.steps.keep();
    this.#send("expand", id);
  }

  /** Go a step back or forth, here at once and then in what Python keeps. */
  #step(back) {
    const kept = this.steps.go(back);
    if (kept === null) return;
    this.legend.build();
    this.#send("step", kept);
    this.#say(back ? "Undone" : "Redone");
  }

  #showSteps() {
    for (const [name, steps] of [["undo", this.steps?.past], ["redo", this.steps?.coming]]) this.frame.querySelector(`[data-do=${name}]`).disabled = !steps?.length;
  }

  #clear() {
    this.#choose([]);
    this.#select(null, null);
  }

  // -- many entities at once

  #selectMany() {
    const on = this.frame.classList.toggle("selecting");
    this.frame.querySelector("[data-do=rectangle]").setAttribute("aria-pressed", on);
  }

  #chooseWithin(box) {
    if (this.frame.classList.contains("selecting")) this.#selectMany();
    this.#choose(this.scene.within(box));
  }

  #choose(ids) {
    if (ids.length === 0 && this.scene.chosen.size === 0) return;
    this.scene.chosen = new Set(ids);
    this.#showTools();
    this.scene.network.redraw();
    this.#say(ids.length === 1 ? "1 entity selected" : `${ids.length} entities selected`);
  }

  #pinMany() {
    this.steps.keep();
    for (const id of this.scene.chosen) this.scene.pinned.add(id);
    this.scene.restyle();
    this.#send("pin", [...this.scene.pinned]);
    this.#choose([]);
  }

  #hideMany() {
    this.steps.keep();
    for (const id of this.scene.chosen) this.scene.hidden.add(id);
    this.#choose([]);
    this.scene.restyle();
    this.#send("hide", [...this.scene.hidden]);
  }

  /** Copy the address of the page, with `changes` to its parameters. */
  async #copyLink(changes = {}) {
    const button = this.frame.querySelector("[data-do=link]");
    const copied = await copy(addressWith(this.data.parameters, changes));
    button.textContent = copied ? this.data.copied : "Link not copied";
    this.#say(copied ? button.textContent : "The browser blocked copying. Copy the link from the address bar.");
    setTimeout(() => (button.textContent = "Copy link"), 4000);
  }

  #select(kind, uuid) {
    const selected = kind === null ? null : { kind, uuid };
    if (selected?.uuid === this.scene.selected?.uuid) return;
    this.scene.selected = selected;
    this.#send("select", selected); // before the drawing, which takes longer
    this.scene.restyle();
    this.#say(kind === null ? "Nothing selected" : `Selected ${kind === "entity" ? this.#entityWords(uuid) : this.#factWords(uuid)}`);
  }

  #focus(id) {
    this.scene.focused = id;
    if (id) {
      this.scene.reveal(id);
      this.#say(this.#entityWords(id));
    }
    this.scene.network?.redraw();
  }

  #hide(id) {
    this.steps.keep();
    this.scene.hidden.add(id);
    this.scene.pinned.delete(id);
    if (this.scene.focused === id) this.scene.focused = null;
    if (this.scene.isSelected(id)) this.#select(null, null);
    else this.scene.restyle();
    this.#send("hide", [...this.scene.hidden]);
  }

  #restore() {
    this.steps.keep();
    this.scene.hidden.clear();
    this.scene.collapsed.clear();
    this.#send("hide", []);
    this.scene.restyle();
  }

  #pin(id) {
    this.steps.keep();
    const { pinned } = this.scene;
    if (!pinned.delete(id)) pinned.add(id);
    this.scene.restyle();
    this.#send("pin", [...pinned]);
    this.#say(`${this.scene.entities.get(id).name} ${pinned.has(id) ? "pinned" : "unpinned"}`);
  }

  #collapse(id) {
    this.steps.keep();
    const { collapsed } = this.scene;
    if (!collapsed.delete(id)) collapsed.add(id);
    this.scene.restyle();
  }

  #goTo(ms) {
    this.scrubber.goTo(ms);
  }

  #save() {
    const { asOf, to } = this.scene;
    const instants = to === null ? written(asOf) : `${written(asOf)} to ${written(to)}`;
    savePicture(this.scene, `${this.data.caption} · ${instants}`, `asof ${instants}.png`.replaceAll(" ", "-").replaceAll(":", ""));
  }

  // -- what is said around the canvas

  #refresh() {
    this.legend.count();
    this.#note();
    this.#nothing();
    this.#showTools();
  }

  #note() {
    const { entities, hidden, counts, comparing, asOf } = this.scene;
    const [shown, all] = [this.scene.visible().length, Math.max(this.data.total, entities.size)];
    const number = (count) => count.toLocaleString("en");
    const few = shown < all ? `showing ${number(shown)} of ${number(all)} entities` : "";
    const { marks } = this.scene.folds;
    const lines = this.scene.drawnFacts().length;
    const left = Object.values(counts).reduce((sum, count) => sum + count, 0) - counts[NOT_YET] - lines - marks;
    const lettered = marks ? `${number(lines)} ${lines === 1 ? "fact as a line" : "facts as lines"} · ${number(marks)} as letters${left > 0 ? ` · ${number(left)} not drawn` : ""}` : "";
    const none = !comparing && counts[HOLDS] === 0 ? `no facts in this view hold on ${written(asOf)}` : "";
    this.note.firstElementChild.textContent = [few, lettered, none].filter(Boolean).join(" · ");
    this.note.lastElementChild.hidden = hidden.size + this.scene.collapsed.size === 0;
  }

  #nothing() {
    const { scene } = this;
    const empty = !scene.comparing && scene.counts[HOLDS] === 0 && scene.asOf < this.data.bounds.first;
    this.nothing.hidden = !empty;
    if (!empty) return;
    const [title, text, button] = [this.nothing.querySelector("strong"), this.nothing.querySelector("span"), this.nothing.querySelector("button")];
    const first = written(this.data.bounds.first).slice(0, 10);
    title.textContent = `No facts held on ${written(scene.asOf)}`;
    text.textContent = `The first fact in this graph starts on ${first}.`;
    button.textContent = `Go to ${first}`;
  }

  /** What can be done with the selected entity, at the rim, where it covers no name. */
  #showTools() {
    const { scene } = this;
    const id = scene.selected?.kind === "entity" ? scene.selected.uuid : null;
    this.many.hidden = scene.chosen.size === 0;
    this.many.firstElementChild.textContent = `${scene.chosen.size} selected`;
    const shown = this.many.hidden && id !== null && scene.network?.body.nodes[id] && scene.visible().includes(id);
    this.tools.hidden = !shown;
    if (!shown) return;
    this.tools.querySelector("[data-do=pin]").textContent = scene.pinned.has(id) ? "Unpin" : "Pin";
    this.tools.querySelector("[data-do=collapse]").textContent = scene.collapsed.has(id) ? "Unfold" : "Collapse";
  }

  #entityWords(id) {
    const { name, type } = this.scene.entities.get(id);
    return [name, type, this.#countWords(id)].filter(Boolean).join(", ");
  }

  /** How many facts of an entity are in which state, as the legend counts them. */
  #countWords(id) {
    const counts = this.scene.countsOf.get(id) ?? {};
    const states = Object.keys(this.scene.counts).filter((state) => counts[state]);
    return states.length ? `in this view: ${states.map((state) => `${state} ${counts[state]}`).join(", ")}` : "no facts on this date";
  }

  #factWords(id) {
    const fact = this.scene.edges.get(id);
    const name = (end) => this.scene.entities.get(end).name;
    return `${name(fact.from)} ${fact.words} ${name(fact.to)}`;
  }

  #tellEntity(id, at) {
    const { name, type } = this.scene.entities.get(id);
    const values = this.scene.facts.filter((fact) => fact.from === id && this.scene.isFolded(fact.to) && this.scene.states.has(fact.id) && this.scene.states.get(fact.id) !== ENDED);
    const said = values.map((fact) => `${fact.words} ${this.scene.entities.get(fact.to).name}`);
    this.#tell(name, [type, this.#countWords(id), ...said].filter(Boolean).join(" · "), at);
  }

  #tellFact(id, at) {
    const fact = this.scene.edges.get(id);
    const state = this.scene.states.get(id);
    const words = [fact.dates ?? writtenSpan(fact.start, fact.end), (!this.scene.comparing && doubtAt(fact, this.scene.asOf)) || state];
    this.#tell(this.#factWords(id), state === UNDATED ? "undated" : words.join(" · "), at);
  }

  #tell(title, text, { x, y }) {
    [this.tip.firstElementChild.textContent, this.tip.lastElementChild.textContent] = [title, text];
    this.tip.hidden = false;
    const [width, height] = [this.tip.offsetWidth, this.tip.offsetHeight];
    this.tip.style.left = `${Math.min(x + 12, this.canvas.clientWidth - width - 6)}px`;
    this.tip.style.top = `${y + height + 18 > this.canvas.clientHeight ? y - height - 10 : y + 16}px`;
  }

  #say(text) {
    this.live.textContent = text;
  }

  #redrawNames() {
    this.scene.painter?.forget();
    this.scene.network?.redraw();
  }

  leave() {
    this.scrubber.stop();
    this.#playing(false);
    const entry = views.get(this.data.view);
    if (entry) delete entry.obey;
    this.scene.destroy();
    mounted.delete(this.root);
  }
}

export default function graphView({ data, parentElement, setStateValue }) {
  if (!mounted.has(parentElement)) mounted.set(parentElement, new View(parentElement));
  const view = mounted.get(parentElement);
  view.take(data, setStateValue);
  return () => view.leave();
}
