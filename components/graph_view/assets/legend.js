// The strip above the canvas: what the lines mean, with counts; it filters by state, entity type and relation.

import { ADDED, CORRECTED, ENDED, HOLDS, RE_DATED, SAME, UNDATED } from "./facts.js";

const SHAPES = {
  dot: "<circle cx='8' cy='8' r='6'/>",
  square: "<rect x='2.5' y='2.5' width='11' height='11' rx='1'/>",
  diamond: "<path d='M8 1.5 14.5 8 8 14.5 1.5 8z'/>",
  triangle: "<path d='M8 2 14.5 13.5h-13z'/>",
  hexagon: "<path d='M4.5 2h7L15 8l-3.5 6h-7L1 8z'/>",
};

/** A type's mark as SVG, in the colour of the theme. */
function mark(look, theme) {
  const paint = look.hollow ? `fill:none;stroke:${look[theme]};stroke-width:2.5` : `fill:${look[theme]};stroke:none`;
  return `<svg viewBox="0 0 16 16" aria-hidden="true" style="${paint}">${SHAPES[look.shape]}</svg>`;
}

function line(colour, dashes = "") {
  return `<svg class="dash" viewBox="0 0 22 6" aria-hidden="true"><path d="M0 3h22" stroke="${colour}" stroke-dasharray="${dashes}"/></svg>`;
}

export class Legend {
  /** `onFilter(change)` is called to switch types or relations, `onFold(on)` to fold common values, `onChoose(ids)` to
   *  select what has one of them, `onGroup(on)` to tell communities apart, `onCommunity(id)` to show one of them. */
  constructor(root, scene, { onFilter, onFold, onChoose, onGroup, onCommunity }) {
    const find = (name) => root.querySelector(name);
    Object.assign(this, { scene, onFilter, onFold, onChoose, onGroup, onCommunity, folds: find(".folds"), communities: find(".communities"), states: find(".legend"), types: find(".types"), relations: find(".relations"), sheet: find(".sheet") });
    root.addEventListener("click", (event) => this.relations.contains(event.target) || (this.relations.open = false));
  }

  /** Build the switches anew: the data, the theme or the mode has changed. */
  build() {
    const { scene } = this;
    this.#buildStates(scene.tokens);
    this.#buildFolds();
    this.#buildCommunities();
    const types = tally([...scene.entities.values()].filter(({ id }) => !scene.isFolded(id)).map((entity) => entity.type));
    const grey = { light: scene.tokens.entity, dark: scene.tokens.entity };
    const shown = (name) => ({ ...(scene.looks[name] ?? scene.looks[""]), ...(scene.grouped ? grey : {}) });
    this.types.replaceChildren(...types.map(([name, count]) => this.#switch("hiddenTypes", types, name, name || "no type", count, mark(shown(name), scene.tokens.name))));
    const relations = tally(scene.facts.map((fact) => fact.relation));
    const words = new Map(scene.facts.map((fact) => [fact.relation, fact.words]));
    this.sheet.replaceChildren(...relations.map(([name, count]) => this.#switch("hiddenRelations", relations, name, words.get(name), count, "")));
    this.count();
  }

  #buildStates(t) {
    const signs = [[ADDED, "+", t.added, t.addedBg], [ENDED, "−", t.ended, t.endedBg], [CORRECTED, "~", t.corrected, t.correctedBg]];
    const items = this.scene.comparing
      ? [...signs.map(([name, sign, ink, ground]) => fixed(name, `<b style="color:${ink};background:${ground}" aria-hidden="true">${sign}</b>`)), this.#toggle(SAME, "no change", line(t.same))]
      : [fixed(HOLDS, line(t.edge)), this.#toggle(ENDED, "ended", line(t.faint)), this.#toggle(UNDATED, "undated", line(t.edge, "3 3"))];
    this.states.replaceChildren(...items);
  }

  #toggle(state, name, picture) {
    const { show } = this.scene;
    return toggle(state, name, null, picture, this.scene.shows(state), (on) => {
      show[state] = on;
      this.scene.restyle();
    });
  }

  /** A switch of one type or relation, and beside it the way to see nothing else. */
  #switch(set, all, name, words, count, picture) {
    const { scene } = this;
    const change = (hidden) => this.onFilter(() => (scene[set] = new Set(hidden)));
    const others = all.map(([other]) => other).filter((other) => other !== name);
    const alone = others.length > 0 && others.every((other) => scene[set].has(other));
    const item = document.createElement("span");
    item.className = "switch";
    const button = toggle(name, words, count, picture, !scene[set].has(name), (on, event) => {
      if (event.altKey) change(others);
      else change(on ? [...scene[set]].filter((other) => other !== name) : [...scene[set], name]);
    });
    const only = document.createElement("button");
    Object.assign(only, { type: "button", className: "only", textContent: alone ? "show all" : "only this", onclick: () => change(alone ? [] : others) });
    only.setAttribute("aria-label", alone ? "Show all" : `Show only ${words}`);
    item.append(button, ...(others.length > 0 ? [only] : []));
    return item;
  }

  /** The row of common values: whether they are letters, those of which relation, and what each letter means. */
  #buildFolds() {
    const { folds } = this.scene;
    this.folds.hidden = folds.list.length === 0;
    const [fold, relation, letters] = this.folds.children;
    fold.setAttribute("aria-checked", folds.on);
    fold.onclick = () => this.onFold(!folds.on);
    relation.hidden = letters.hidden = !folds.on;
    relation.replaceChildren(...folds.list.map((one) => new Option(one.words, one.relation, false, one.relation === folds.relation)));
    relation.onchange = () => {
      folds.relation = relation.value;
      this.scene.restyle();
      this.#buildFolds();
      this.count();
    };
    const shown = folds.list.find((one) => one.relation === folds.relation)?.letters ?? {};
    letters.replaceChildren(...Object.entries(shown).map(([id, letter]) => this.#letter(id, letter)));
  }

  /** The row of communities: whether colours tell them apart, and which colour is whose. */
  #buildCommunities() {
    const { scene } = this;
    const { list, on } = scene.communities;
    this.communities.hidden = list.length === 0 || scene.comparing;
    const [group, items] = this.communities.children;
    group.setAttribute("aria-checked", on);
    group.onclick = () => this.onGroup(!on);
    items.hidden = !on;
    items.replaceChildren(...list.map((community) => this.#community(community)));
  }

  #community(community) {
    const { id, name, members } = community;
    const colours = { shape: "dot", light: community.light, dark: community.dark };
    const button = fill(document.createElement("button"), id, name, members.length, mark(colours, this.scene.tokens.name));
    Object.assign(button, { type: "button", title: `Show ${name}`, onclick: () => this.onCommunity(community) });
    return button;
  }

  #letter(id, letter) {
    const { name } = this.scene.entities.get(id) ?? { name: letter };
    const button = fill(document.createElement("button"), id, name, null, `<b></b>`);
    button.querySelector("b").textContent = letter;
    Object.assign(button, { type: "button", title: `Select entities with ${name}`, onclick: () => this.onChoose([...(this.scene.folds.having.get(id) ?? [])]) });
    return button;
  }

  /** Show how many facts are in each state now. */
  count() {
    const { counts } = this.scene;
    for (const item of this.states.children) {
      const { state } = item.dataset;
      const count = (counts[state] ?? 0) + (state === CORRECTED ? (counts[RE_DATED] ?? 0) : 0);
      item.querySelector("small").textContent = count.toLocaleString("en");
    }
    for (const item of this.folds.lastElementChild.children) {
      const count = this.scene.folds.having.get(item.dataset.state)?.size ?? 0;
      item.hidden = count === 0;
      item.querySelector("small").textContent = count.toLocaleString("en");
    }
  }
}

function tally(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

function fill(item, state, words, count, picture) {
  item.dataset.state = state;
  item.innerHTML = `${picture}<span></span><small></small>`;
  item.querySelector("span").textContent = words;
  if (count !== null) item.querySelector("small").textContent = count.toLocaleString("en");
  return item;
}

function fixed(state, picture) {
  const item = fill(document.createElement("span"), state, state, null, picture);
  item.className = "fixed";
  return item;
}

function toggle(state, words, count, picture, on, onToggle) {
  const button = fill(document.createElement("button"), state, words, count, picture);
  button.type = "button";
  button.setAttribute("aria-pressed", on);
  button.onclick = (event) => {
    const next = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", next);
    onToggle(next, event);
  };
  return button;
}
