// What vis-network does not draw: names that never overlap, signs of a comparison, relation names of the selection and
// the ring of the keyboard's focus. Sizes are those of the screen, whatever the zoom.

import { ADDED, CORRECTED, ENDED, HOLDS, RE_DATED, UNDATED } from "./facts.js";
import { shortened } from "./names.js";

const NAME_SIZE = 12;
const SELECTED_NAME_SIZE = 14;
const RELATION_SIZE = 11;
const LETTER_SIZE = 10.5;
const CELL = 96;
const MOST_RELATION_NAMES = 16;
const [LONGEST_NAME, LONGEST_SELECTED_NAME] = [28, 48];
const [LEAST_OF_HUB, MOST_HUBS] = [8, 12];
const SIGNS = { [ADDED]: ["+", "added"], [ENDED]: ["−", "ended"], [CORRECTED]: ["~", "corrected"], [RE_DATED]: ["~", "corrected"] };

/** The parts of the screen that a box lies in. */
function cellsOf([left, top, right, bottom]) {
  const cells = [];
  for (let cx = Math.floor(left / CELL); cx <= Math.floor(right / CELL); cx++) {
    for (let cy = Math.floor(top / CELL); cy <= Math.floor(bottom / CELL); cy++) cells.push(`${cx},${cy}`);
  }
  return cells;
}

/** True for boxes that share a part of the screen. */
function meet(one, other) {
  return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
}

export class Painter {
  constructor(scene) {
    this.scene = scene;
    this.widths = new Map();
  }

  /** Measure names anew: a font has arrived, or the theme has changed. */
  forget() {
    this.widths.clear();
  }

  paint(context) {
    const { scene } = this;
    this.context = context;
    this.scale = scene.network.getScale();
    this.taken = new Map();
    this.names = [];
    if (scene.comparing) this.#signs();
    this.#pathSteps();
    this.#names();
    if (scene.folds.on) for (const id of scene.visible()) this.#letters(id);
    this.#relationNames();
    this.#rings();
    if (scene.focused && scene.network.body.nodes[scene.focused]) this.#focusRing(scene.focused);
  }

  #font(size, weight = 400) {
    this.context.font = `${weight} ${size / this.scale}px Inter, sans-serif`;
  }

  #halo(text, x, y, colour) {
    const { context, scene } = this;
    context.lineJoin = "round";
    context.lineWidth = 4 / this.scale;
    context.strokeStyle = scene.tokens.bg;
    context.strokeText(text, x, y);
    context.fillStyle = colour;
    context.fillText(text, x, y);
  }

  // -- names of entities: the important first, and each only where there is room

  #names() {
    const { scene, context } = this;
    context.textAlign = "left";
    context.textBaseline = "top";
    for (const id of scene.visible()) this.#keepFree(id);
    this.hubs = this.#hubsOf(scene.visible());
    this.named = new Set();
    const order = [...scene.visible()].sort((a, b) => this.#weight(b) - this.#weight(a));
    for (const id of order) this.#name(id);
  }

  /** The entities with the most neighbours: their marks stand close to others, so their names get their place first. */
  #hubsOf(ids) {
    const near = (id) => this.scene.neighbours.get(id)?.size ?? 0;
    return new Set(ids.filter((id) => near(id) >= LEAST_OF_HUB).sort((a, b) => near(b) - near(a)).slice(0, MOST_HUBS));
  }

  #weight(id) {
    const { scene } = this;
    if (scene.isSelected(id)) return 1e6;
    if (scene.focused === id || scene.isOnPath(id)) return 1e5;
    if (this.hubs.has(id)) return 1e4 + scene.entities.get(id).size;
    const near = scene.selected && scene.neighbours.get(scene.selected.uuid)?.has(id) ? 1e3 : 0;
    return near + (scene.live.has(id) ? 100 : 0) + scene.entities.get(id).size;
  }

  #name(id) {
    const { scene } = this;
    const selected = scene.isSelected(id);
    const size = selected ? SELECTED_NAME_SIZE : NAME_SIZE;
    const name = shortened(scene.labelOf(id), selected ? LONGEST_SELECTED_NAME : LONGEST_NAME);
    const place = this.#roomBeside(id, (this.#width(name) * size) / NAME_SIZE, size + 2, selected ? 6 : 4);
    if (!place) return;
    this.named.add(id);
    this.#font(size);
    const muted = scene.comparing ? !scene.isNew(id) && !selected : !scene.live.has(id);
    this.#halo(name, place[0] / this.scale, place[1] / this.scale, muted ? scene.tokens.muted : scene.tokens.text);
  }

  /** Where to draw a name, in pixels: below its mark where that is free. The name of what is chosen, or a hub, may also
   *  go above or beside the mark, and covers marks where no place is free; what is chosen is named in any case. */
  #roomBeside(id, width, height, gap) {
    const { scene } = this;
    const position = scene.position(id);
    const [x, y] = [position.x * this.scale, position.y * this.scale];
    const away = scene.entities.get(id).size * this.scale + gap;
    const below = [x - width / 2, y + away];
    const isChosen = scene.isSelected(id) || scene.focused === id || scene.isOnPath(id);
    const others = [[x - width / 2, y - away - height], [x + away, y - height / 2], [x - away - width, y - height / 2]];
    const mayCover = isChosen || this.hubs.has(id);
    const places = [below, ...(mayCover && !scene.isSelected(id) ? others : [])];
    const boxAt = ([left, top]) => [left, top, left + width, top + height];
    const free = places.find((at) => this.#isFree(boxAt(at)));
    const overMarks = mayCover && places.find((at) => !this.names.some((name) => meet(name, boxAt(at))));
    const place = free || overMarks || (isChosen && below);
    if (!place) return undefined;
    this.#take(boxAt(place));
    this.names.push(boxAt(place));
    return place;
  }

  // -- letters of folded values

  #letters(id) {
    const { scene, context } = this;
    const [text, change] = scene.folds.beside(id, scene.comparing);
    if (!text) return;
    const { x, y } = scene.position(id);
    const { size } = scene.entities.get(id);
    const sign = scene.isNew(id) ? 15 : 0;
    const [left, top] = [x + size * 0.8 + (2 + sign) / this.scale, y - size * 0.7 - 5 / this.scale];
    this.#font(LETTER_SIZE, 600);
    const width = context.measureText(text).width * this.scale;
    if (!this.#claim(left * this.scale, top * this.scale - 5, width, 10)) return;
    context.textAlign = "left";
    context.textBaseline = "middle";
    this.#halo(text, left, top, change ? scene.tokens[change] : scene.comparing ? scene.tokens.muted : scene.tokens.letter);
  }

  // -- the path: its facts are numbered, its entities ringed

  #pathSteps() {
    const { scene } = this;
    for (const id of scene.drawnFacts()) if (scene.stepOf(id)) this.#pathStep(id, scene.stepOf(id));
  }

  #pathStep(id, step) {
    const { context, scene } = this;
    const { words, start } = scene.edges.get(id);
    const tall = 9 / this.scale;
    this.#font(RELATION_SIZE, 600);
    const free = this.#roomOnPath(id, [`${step} · ${words}${start === null ? ", undated" : ""}`, `${step}`], tall);
    const { text, x, y, half } = free;
    context.beginPath();
    context.roundRect(x - half, y - tall, 2 * half, 2 * tall, 4 / this.scale);
    context.fillStyle = scene.tokens.pathBg;
    context.fill();
    context.lineWidth = 1 / this.scale;
    context.strokeStyle = context.fillStyle = scene.tokens.path;
    context.stroke();
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(text, x, y + 0.5 / this.scale);
  }

  /** The longest text that finds room on a fact of the path, and where; its number alone stands there in any case. */
  #roomOnPath(id, texts, tall) {
    for (const text of texts) {
      const half = this.context.measureText(text).width / 2 + 6 / this.scale;
      for (const share of [0.5, 0.38, 0.62, 0.26, 0.74]) {
        const { x, y } = this.#along(id, share);
        const last = text === texts.at(-1) && share === 0.74;
        if (this.#claim((x - half) * this.scale, (y - tall) * this.scale, 2 * half * this.scale, 2 * tall * this.scale, last)) return { text, x, y, half };
      }
    }
    return null;
  }

  #rings() {
    const { scene } = this;
    for (const id of scene.visible()) {
      if (scene.chosen.has(id)) this.#ring(id, 4, scene.tokens.accent);
      else if (scene.isOnPath(id)) this.#ring(id, 4, scene.tokens.path);
    }
  }

  #ring(id, away, colour) {
    const { context, scene } = this;
    const { x, y } = scene.position(id);
    context.beginPath();
    context.arc(x, y, scene.entities.get(id).size + away / this.scale, 0, 2 * Math.PI);
    context.lineWidth = 2 / this.scale;
    context.strokeStyle = colour;
    context.stroke();
  }

  /** No name is written over another entity's mark. */
  #keepFree(id) {
    const { x, y } = this.scene.position(id);
    const half = this.scene.entities.get(id).size * 0.7;
    this.#claim((x - half) * this.scale, (y - half) * this.scale, 2 * half * this.scale, 2 * half * this.scale, true);
  }

  #width(name) {
    if (!this.widths.has(name)) {
      this.#font(NAME_SIZE);
      this.widths.set(name, this.context.measureText(name).width * this.scale);
    }
    return this.widths.get(name);
  }

  /** Take a box of the screen; false when another has it, unless it is taken `anyway`. */
  #claim(left, top, width, height, anyway = false) {
    const box = [left, top, left + width, top + height];
    if (!anyway && !this.#isFree(box)) return false;
    this.#take(box);
    return true;
  }

  /** The same for a text that is written aslant around a place. */
  #claimAslant({ x, y }, angle, width, anyway) {
    const [half, boxes] = [RELATION_SIZE / 2, []];
    for (let away = -width / 2; away <= width / 2; away += half) {
      const at = { x: x * this.scale + away * Math.cos(angle), y: y * this.scale + away * Math.sin(angle) };
      boxes.push([at.x - half, at.y - half, at.x + half, at.y + half]);
    }
    if (!anyway && !boxes.every((box) => this.#isFree(box))) return false;
    for (const box of boxes) this.#take(box);
    return true;
  }

  #isFree(box) {
    return !cellsOf(box).some((cell) => this.taken.get(cell)?.some((other) => meet(box, other)));
  }

  #take(box) {
    for (const cell of cellsOf(box)) {
      if (!this.taken.has(cell)) this.taken.set(cell, []);
      this.taken.get(cell).push(box);
    }
  }

  // -- signs of a comparison

  #signs() {
    const { scene } = this;
    for (const id of scene.visible()) {
      if (!scene.isNew(id)) continue;
      const { x, y } = scene.position(id);
      const reach = scene.entities.get(id).size * 0.85;
      this.#sign({ x: x + reach, y: y - reach }, SIGNS[ADDED], !scene.crowded);
    }
    for (const id of scene.drawnFacts()) {
      const sign = SIGNS[scene.states.get(id)];
      const { fromId, toId } = scene.network.body.edges[id];
      const arrival = sign === SIGNS[ADDED] && (scene.isNew(fromId) || scene.isNew(toId));
      if (sign && !arrival) this.#sign(this.#along(id, 0.44), sign);
    }
  }

  /** A sign where there is room for it: in a crowded picture the rest come with the zoom. */
  #sign({ x, y }, [text, kind], anyway = false) {
    const { context, scene } = this;
    const half = 7 / this.scale;
    const room = scene.crowded ? 15 : 7;
    if (!this.#claim(x * this.scale - room, y * this.scale - room, 2 * room, 2 * room, anyway)) return;
    context.beginPath();
    context.roundRect(x - half, y - half, 2 * half, 2 * half, 4 / this.scale);
    context.fillStyle = scene.tokens[`${kind}Bg`];
    context.fill();
    context.lineWidth = 1 / this.scale;
    context.strokeStyle = context.fillStyle = scene.tokens[kind];
    context.stroke();
    context.textAlign = "center";
    context.textBaseline = "middle";
    this.#font(12, 700);
    context.fillText(text, x, y + 0.5 / this.scale);
  }

  // -- relation names, only on the facts of the selection

  #relationNames() {
    const { scene } = this;
    const { selected } = scene;
    const hot = scene.drawnFacts().filter((id) => !scene.stepOf(id) && this.#isHot(id, selected));
    if (hot.length > MOST_RELATION_NAMES) return;
    for (const id of hot) this.#relationName(id);
  }

  #isHot(id, selected) {
    const { scene } = this;
    const { fromId, toId } = scene.network.body.edges[id];
    return selected?.uuid === id || scene.lit.has(id) || (selected && !scene.comparing && (selected.uuid === fromId || selected.uuid === toId));
  }

  #relationName(id) {
    const { scene, context } = this;
    const state = scene.states.get(id);
    const words = `${scene.edges.get(id).words}${state === ENDED ? " · ended" : ""}`;
    this.#font(RELATION_SIZE);
    const width = context.measureText(words).width;
    const [start, end] = [this.#along(id, 0), this.#along(id, 1)];
    if (Math.hypot(end.x - start.x, end.y - start.y) < width + 56 / this.scale) return;
    const place = this.#roomOnFact(id, width * this.scale);
    if (!place) return;
    const { at, angle } = place;
    context.save();
    context.translate(at.x, at.y);
    context.rotate(angle);
    context.textAlign = "center";
    context.textBaseline = "middle";
    const live = state === HOLDS || state === UNDATED;
    this.#halo(words, 0, 0, live ? scene.tokens.accent : scene.tokens.muted);
    context.restore();
  }

  /** Where on a fact its name covers no other; on the selected one it stands in any case. */
  #roomOnFact(id, width) {
    const shares = [0.5, 0.42, 0.58, 0.34, 0.66];
    for (const share of shares) {
      const [from, to, at] = [this.#along(id, share - 0.05), this.#along(id, share + 0.05), this.#along(id, share)];
      const slope = Math.atan2(to.y - from.y, to.x - from.x);
      const angle = Math.abs(slope) > Math.PI / 2 ? slope + Math.PI : slope;
      const last = share === shares.at(-1) && this.scene.selected?.uuid === id;
      if (this.#claimAslant(at, angle, width, last)) return { at, angle };
    }
    return null;
  }

  #along(id, share) {
    const { edgeType } = this.scene.network.body.edges[id];
    return edgeType.getPoint(share);
  }

  #focusRing(id) {
    const { context, scene } = this;
    const { x, y } = scene.position(id);
    context.beginPath();
    context.arc(x, y, scene.entities.get(id).size + 5 / this.scale, 0, 2 * Math.PI);
    context.setLineDash([4 / this.scale, 3 / this.scale]);
    context.lineWidth = 2 / this.scale;
    context.strokeStyle = scene.tokens.accent;
    context.stroke();
    context.setLineDash([]);
  }
}
