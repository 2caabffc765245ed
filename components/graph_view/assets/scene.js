// The graph on the canvas: vis-network draws, this decides what is drawn and how at the chosen instants.
//
// A step of time replaces the network's indices of visible edges and nodes and hands each a prepared style, without a
// change to its data sets: that is several times faster, and what is not drawn answers no click. Both are internals of
// vis-network 9.1.2, which is why pyvis is pinned and a browser test watches over them.

import "../asof.vis-network-9.1.2/vis-network.min.js";
import { ADDED, CORRECTED, ENDED, HOLDS, NOT_YET, RE_DATED, SAME, UNDATED, changeBetween, statusAt } from "./facts.js";
import { edgeStyles, entityStyle } from "./styles.js";
import { Communities } from "./communities.js";
import { Folds } from "./folds.js";
import { Painter } from "./painter.js";
import { prefixesOf } from "./names.js";

const { DataSet, Network } = globalThis.vis;
const CROWDED = 350;
const MOST_ZOOM = 1.35;
const [ROOM_OF_BUTTONS, ROOM_OF_NOTE] = [40, 24];
const [LONGEST_NAME, CHARACTER, NAME_HEIGHT] = [28, 6.4, 18];
const LIVE = new Set([HOLDS, UNDATED, SAME, ADDED, CORRECTED, RE_DATED]);

/** About half the width of an entity's name on the screen. */
const halfName = ({ name }) => (Math.min(name.length, LONGEST_NAME) * CHARACTER) / 2;

export class Scene {
  constructor(canvas, tokens) {
    Object.assign(this, {
      canvas, tokens, entities: new Map(), facts: [], neighbours: new Map(), looks: {}, layout: null,
      asOf: Date.now(), to: null, marks: {}, selected: null, focused: null, path: [], lit: new Set(), chosen: new Set(), folds: new Folds(), communities: new Communities(), prefixes: new Map(),
      hiddenTypes: new Set(), hiddenRelations: new Set(), show: { [ENDED]: true, [UNDATED]: true, [SAME]: null },
      hidden: new Set(), pinned: new Set(), collapsed: new Set(), states: new Map(), counts: {}, countsOf: new Map(), onRestyle: () => {},
    });
    this.nodes = new DataSet();
    this.edges = new DataSet();
  }

  /** Take over what Python drew. The same layout keeps every place, also those that were dragged. */
  load({ network, looks, layout, communities }) {
    const kept = layout === this.layout;
    this.looks = looks;
    this.facts = network.edges;
    const nodes = network.nodes.map(({ label, ...node }) => ({ ...node, name: label }));
    this.entities = new Map(nodes.map((node) => [node.id, node]));
    this.prefixes = prefixesOf(nodes);
    this.folds.load(network.folds, network.edges);
    this.communities.load(communities);
    this.#joinNeighbours();
    const arrived = nodes.filter((node) => !this.nodes.get(node.id));
    this.#replace(this.nodes, kept ? arrived : nodes, this.entities);
    this.#replace(this.edges, this.facts, new Map(this.facts.map((fact) => [fact.id, fact])));
    if (!this.network) this.#start(network.options);
    this.layout = layout;
    this.restyle();
    if (!kept || arrived.some((node) => !this.#inSight(node))) this.fit(kept);
  }

  #replace(set, items, wanted) {
    set.remove(set.getIds().filter((id) => !wanted.has(id)));
    set.update(items);
  }

  #start(options) {
    this.network = new Network(this.canvas, { nodes: this.nodes, edges: this.edges }, options);
    this.painter = new Painter(this);
    this.network.on("afterDrawing", (context) => this.painter.paint(context));
  }

  #joinNeighbours() {
    this.neighbours = new Map([...this.entities.keys()].map((id) => [id, new Set()]));
    for (const { from, to } of this.facts) {
      if (this.folds.has(to)) continue;
      this.neighbours.get(from)?.add(to);
      this.neighbours.get(to)?.add(from);
    }
  }

  get crowded() {
    return this.facts.length - (this.folds.on ? this.folds.size : 0) > CROWDED;
  }

  /** Whether colour says which community an entity is in; in a comparison it says what changed. */
  get grouped() {
    return this.communities.on && !this.comparing && this.communities.list.length > 0;
  }

  get comparing() {
    return this.to !== null;
  }

  /** The state of a fact at the chosen instants: one of the words of facts.js. */
  stateOf(fact) {
    if (!this.comparing) return statusAt(fact, this.asOf);
    return this.marks[fact.id] ?? changeBetween(fact, this.asOf, this.to);
  }

  /** Decide anew what is drawn and how; called on every step of the slider. */
  restyle() {
    if (!this.network) return;
    const live = new Set();
    const begun = new Set();
    const folded = this.#folded();
    const counts = { [HOLDS]: 0, [ENDED]: 0, [UNDATED]: 0, [ADDED]: 0, [SAME]: 0, [CORRECTED]: 0, [RE_DATED]: 0, [NOT_YET]: 0 };
    const countsOf = new Map();
    const drawn = [];
    this.states.clear();
    this.folds.clear();
    const styles = edgeStyles(this.tokens, this.crowded);
    for (const fact of this.facts) {
      if (!this.#admits(fact, folded)) continue;
      const state = this.stateOf(fact);
      counts[state] += 1;
      if (state === NOT_YET) continue;
      for (const end of new Set([fact.from, fact.to])) {
        if (!countsOf.has(end)) countsOf.set(end, {});
        countsOf.get(end)[state] = (countsOf.get(end)[state] ?? 0) + 1;
      }
      const off = this.#toggledOff(state);
      if (!off || !this.comparing) begun.add(fact.from).add(fact.to);
      if (this.comparing || LIVE.has(state)) live.add(fact.from).add(fact.to);
      if (off) continue;
      this.states.set(fact.id, state);
      if (this.isFolded(fact.to)) {
        this.folds.note(fact, state, this.comparing);
        continue;
      }
      drawn.push(fact.id);
      this.#dress(fact, state, styles);
    }
    this.counts = counts;
    this.countsOf = countsOf;
    this.live = live;
    const { body } = this.network;
    body.nodeIndices = this.#visibleEntities(begun, folded);
    const visible = new Set(body.nodeIndices);
    body.edgeIndices = drawn.filter((id) => visible.has(body.edges[id].fromId) && visible.has(body.edges[id].toId));
    this.#dressEntities(body.nodeIndices);
    body.emitter.emit("_requestRedraw");
    this.onRestyle(this);
  }

  /** Fold common values into letters, or draw them as entities like others. */
  fold(on) {
    if (on === this.folds.on) return;
    this.folds.on = on;
    this.#joinNeighbours();
  }

  /** Whether an entity is drawn as a letter; the selected one never is. */
  isFolded(id) {
    return this.folds.has(id) && !this.isSelected(id);
  }

  /** Entities that are folded into the one that they hang on alone. */
  #folded() {
    const folded = new Set();
    for (const id of this.collapsed) {
      for (const near of this.neighbours.get(id) ?? []) {
        if (this.neighbours.get(near).size === 1 && !this.pinned.has(near)) folded.add(near);
      }
    }
    return folded;
  }

  #admits(fact, folded) {
    return !this.hiddenRelations.has(fact.relation) && this.#shows(fact.from, folded) && this.#shows(fact.to, folded);
  }

  #shows(id, folded) {
    const entity = this.entities.get(id);
    const leftOut = entity === undefined || this.hiddenTypes.has(entity.type) || this.hidden.has(id) || folded.has(id);
    return entity !== undefined && (!leftOut || this.isSelected(id));
  }

  #toggledOff(state) {
    return (this.comparing ? state === SAME : state === ENDED || state === UNDATED) && !this.shows(state);
  }

  /** Whether facts in a state are drawn; what did not change is left out of a crowded comparison until asked for. */
  shows(state) {
    return this.show[state] ?? !this.crowded;
  }

  #visibleEntities(begun, folded) {
    const alone = (id) => !this.comparing && this.neighbours.get(id).size === 0;
    const stays = (id) => begun.has(id) || this.pinned.has(id) || this.isSelected(id) || alone(id);
    return [...this.entities.keys()].filter((id) => this.#shows(id, folded) && stays(id) && !this.isFolded(id));
  }

  #dress(fact, state, styles) {
    const hot = this.isSelected(fact.from) || this.isSelected(fact.to) || this.isSelected(fact.id) || this.lit.has(fact.id);
    let style = this.comparing && state === ENDED ? styles.removed : styles[state];
    if (this.comparing && state === ADDED && (this.isNew(fact.from) || this.isNew(fact.to))) style = styles.arrival;
    if (hot && !this.comparing) style = state === ENDED ? styles.hotEnded : styles.hot;
    const step = this.stepOf(fact.id);
    if (step) style = styles.path;
    const { options } = this.network.body.edges[fact.id];
    options.color = style.color;
    options.arrows = style.arrows;
    options.width = this.isSelected(fact.id) ? style.width + 1 : style.width;
    options.dashes = fact.start === null ? (step ? [6, 5] : [3, 4]) : false;
  }

  #dressEntities(ids) {
    for (const id of ids) {
      const { options } = this.network.body.nodes[id];
      const entity = this.entities.get(id);
      Object.assign(options, entityStyle(this, entity));
      options.fixed = this.pinned.has(id) ? { x: true, y: true } : { x: false, y: false };
    }
  }

  /** True for an entity whose first fact begins between the two instants. */
  isNew(id) {
    const since = this.comparing ? this.entities.get(id).since : null;
    return since !== null && since > this.asOf && since <= this.to;
  }

  /** Which step of the path a fact is, from 1; 0 where it is none, and in a comparison, which shows no path. */
  stepOf(id) {
    return this.comparing ? 0 : this.path.indexOf(id) + 1;
  }

  isOnPath(id) {
    return !this.comparing && this.path.some((fact) => [this.edges.get(fact)?.from, this.edges.get(fact)?.to].includes(id));
  }

  /** Visible entities whose middle lies in a box of the canvas. */
  within([[left, right], [top, bottom]]) {
    return this.visible().filter((id) => {
      const { x, y } = this.network.canvasToDOM(this.position(id));
      return x >= left && x <= right && y >= top && y <= bottom;
    });
  }

  /** The name to write beside an entity: without what all of its type begin with, unless it is looked at. */
  labelOf(id) {
    const { name, type } = this.entities.get(id);
    const whole = this.isSelected(id) || this.focused === id || this.isOnPath(id);
    return whole ? name : name.slice(this.prefixes.get(type)?.length ?? 0);
  }

  isSelected(id) {
    return this.selected?.uuid === id;
  }

  /** Entities that are drawn now, in the order of the data. */
  visible() {
    return this.network ? this.network.body.nodeIndices : [];
  }

  drawnFacts() {
    return this.network ? this.network.body.edgeIndices : [];
  }

  position(id) {
    const { x, y } = this.network.body.nodes[id];
    return { x, y };
  }

  /** Show everything, with room for the names at the rim; what lies on the picture gets room where it would cover one. */
  fit(animated = false) {
    const ids = this.visible();
    if (ids.length === 0) return;
    const places = ids.map((id) => ({ ...this.entities.get(id), ...this.position(id) }));
    const whole = this.#around(places);
    const right = this.#covers(".zoom", whole, places) ? ROOM_OF_BUTTONS : 0;
    const bottom = this.#covers(".note", whole, places) ? ROOM_OF_NOTE : 0;
    const { position, scale } = right || bottom ? this.#around(places, right, bottom) : whole;
    const moves = animated && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.network.moveTo({ position, scale, animation: moves ? { duration: 250, easingFunction: "easeOutQuad" } : false });
  }

  /** The middle and the scale that show these places with their names, with so many more pixels free at two sides. */
  #around(places, right = 0, bottom = 0) {
    const ends = (axis) => places.reduce(([low, high], at) => [at[axis] < low[axis] ? at : low, at[axis] > high[axis] ? at : high], [places[0], places[0]]);
    const [[west, east], [north, south]] = [ends("x"), ends("y")];
    const [before, after] = [Math.max(75, halfName(west) + 8), Math.max(75, halfName(east) + 8) + right];
    const [width, height] = [this.canvas.clientWidth - before - after, this.canvas.clientHeight - bottom - 90];
    const scale = Math.min(MOST_ZOOM, width / Math.max(1, east.x - west.x), height / Math.max(1, south.y - north.y));
    const position = { x: (west.x + east.x + (after - before) / scale) / 2, y: (north.y + south.y + (20 + bottom) / scale) / 2 };
    return { position, scale };
  }

  /** Whether what lies on the picture would cover an entity or its name. */
  #covers(selector, { position, scale }, places) {
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = this.canvas.parentElement.querySelector(selector);
    return offsetWidth > 0 && places.some(({ x, y, size, name }) => {
      const half = Math.max(size * scale, halfName({ name }));
      const at = [this.canvas.clientWidth / 2 + (x - position.x) * scale, this.canvas.clientHeight / 2 + (y - position.y) * scale];
      const [above, below] = [at[1] - size * scale, at[1] + size * scale + NAME_HEIGHT];
      return at[0] + half > offsetLeft && at[0] - half < offsetLeft + offsetWidth && below > offsetTop && above < offsetTop + offsetHeight;
    });
  }

  #inSight({ x, y }) {
    const at = this.network.canvasToDOM({ x, y });
    return at.x > 0 && at.y > 0 && at.x < this.canvas.clientWidth && at.y < this.canvas.clientHeight;
  }

  zoom(factor) {
    this.network.moveTo({ scale: this.network.getScale() * factor });
  }

  /** Bring an entity into view when it is outside. */
  reveal(id) {
    if (!this.network?.body.nodes[id] || this.#inSight(this.position(id))) return;
    this.network.moveTo({ position: this.position(id), animation: false });
  }

  paintWith(tokens) {
    if (tokens === this.tokens) return;
    this.tokens = tokens;
    this.painter?.forget();
    this.restyle();
  }

  destroy() {
    this.network?.destroy();
  }
}
