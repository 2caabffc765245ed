// The slider of time: bars of what began and ended, one handle (or two in a comparison) as native range inputs, play.
// Nothing here reaches Python before the handle is let go.

import { DAY, UNITS, shifted, startOf, written } from "./moment.js";

const BARS = 96;
const HEIGHT = 38;
const GAP = 8;
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
const SVG = "http://www.w3.org/2000/svg";

/** What was chosen in the fields, for when the page is drawn anew. */
const chosen = {};

export class Scrubber {
  /** `onMove(handle, ms)` is called on every step, `onRelease()` when the value settles, `onPlay(playing)` when
   *  play starts and stops. */
  constructor(root, { onMove, onRelease, onPlay }) {
    const find = (name) => root.querySelector(name);
    Object.assign(this, {
      root, onMove, onRelease, onPlay, first: 0, last: 1, values: { a: 0, b: null }, bins: [], timer: 0,
      inputs: { a: find("input.a"), b: find("input.b") }, marks: { a: find(".mark.a"), b: find(".mark.b") },
      bars: find(".bars"), years: find(".years"), play: find(".play"), unit: find(".unit"), speed: find(".speed"),
    });
    for (const handle of ["a", "b"]) this.#listen(handle);
    for (const name of ["unit", "speed"]) {
      this[name].value = chosen[name] ?? this[name].value;
      this[name].onchange = () => (chosen[name] = this[name].value);
    }
    this.play.onclick = () => (this.timer ? this.stop() : this.#start());
    find(".now").onclick = () => this.#settle(this.values.b === null ? "a" : "b", Date.now(), true);
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.calm.onchange = () => this.stop();
  }

  #listen(handle) {
    const input = this.inputs[handle];
    input.oninput = () => this.#move(handle, startOf(Number(input.value), this.unit.value));
    input.onchange = () => this.onRelease();
    input.onkeydown = (event) => this.#key(handle, event);
    input.onkeyup = (event) => this.moved && this.#isKey(event.key) && this.onRelease();
  }

  #isKey(key) {
    return key in KEYS || ["PageUp", "PageDown", "Home", "End"].includes(key);
  }

  #key(handle, event) {
    this.stop();
    if (!this.#isKey(event.key)) return;
    event.preventDefault();
    const larger = UNITS[Math.min(UNITS.indexOf(this.unit.value) + 1, 3)];
    const page = this.unit.value === "year" ? 5 : 1;
    const at = this.values[handle];
    const to = { PageUp: () => shifted(at, larger, page), PageDown: () => shifted(at, larger, -page), Home: () => this.first, End: () => this.last };
    this.#move(handle, (to[event.key] ?? (() => shifted(at, this.unit.value, KEYS[event.key])))());
  }

  #move(handle, ms) {
    this.moved = true;
    this.show(handle, this.#within(handle, ms));
    this.onMove(handle, this.values[handle]);
  }

  #settle(handle, ms, now = false) {
    this.stop();
    this.show(handle, ms);
    this.onMove(handle, ms);
    this.onRelease(now);
  }

  /** Go to an instant and say so to Python. */
  goTo(ms) {
    this.#settle("a", ms);
  }

  #within(handle, ms) {
    const { a, b } = this.values;
    const low = handle === "b" ? a : this.first;
    const high = handle === "a" && b !== null ? b : this.last;
    return Math.min(Math.max(ms, low), high);
  }

  /** Set the bounds and the facts that the bars count. */
  load({ first, last }, facts) {
    [this.first, this.last] = [first, Math.max(last, first + DAY)];
    for (const input of Object.values(this.inputs)) Object.assign(input, { min: this.first, max: this.last, step: "any" });
    this.bins = Array.from({ length: BARS }, () => [0, 0]);
    const put = (ms, which) => ms !== null && ms >= this.first && ms <= this.last && (this.bins[this.#bin(ms)][which] += 1);
    for (const { start, end } of facts) put(start, 0), put(end, 1);
    this.#drawBars();
    this.#drawYears();
  }

  #bin(ms) {
    return Math.min(BARS - 1, Math.floor(this.#share(ms) * BARS));
  }

  #share(ms) {
    return Math.min(1, Math.max(0, (ms - this.first) / (this.last - this.first)));
  }

  #drawBars() {
    const most = Math.max(1, ...this.bins.map(([began, ended]) => began + ended));
    this.bars.replaceChildren();
    this.bins.forEach(([began, ended], i) => {
      const tall = (count) => (count ? Math.max(1.5, (HEIGHT - 2) * (count / most)) : 0);
      const low = tall(began);
      const group = document.createElementNS(SVG, "g");
      group.append(bar(i, HEIGHT - low, low, "began"), bar(i, HEIGHT - low - tall(ended), tall(ended), "ended"));
      this.bars.append(group);
    });
  }

  #drawYears() {
    const [from, to] = [this.first, this.last].map((ms) => new Date(ms).getUTCFullYear());
    const every = Math.max(1, Math.ceil((to - from) / 12));
    this.years.replaceChildren();
    for (let year = Math.ceil((from + 1) / every) * every; year <= to; year += every) {
      const label = document.createElement("span");
      label.textContent = year;
      label.style.left = `${this.#share(Date.UTC(year, 0, 1)) * 100}%`;
      this.years.append(label);
    }
  }

  /** Put a handle at an instant; `b` null leaves the comparison. */
  show(handle, ms) {
    this.values[handle] = ms;
    this.root.classList.toggle("comparing", this.values.b !== null);
    if (ms !== null) {
      const [input, mark] = [this.inputs[handle], this.marks[handle]];
      const label = mark.firstElementChild;
      input.value = ms;
      input.setAttribute("aria-valuetext", written(ms));
      mark.style.left = `${this.#share(ms) * 100}%`;
      label.textContent = `${this.values.b === null ? "●" : handle.toUpperCase()} ${written(ms)}`;
    }
    for (const each of ["a", "b"]) this.marks[each].firstElementChild.dataset.edge = this.#side(each);
    this.#keepApart();
    const [from, to] = this.values.b === null ? [-1, this.#bin(this.values.a)] : [this.#bin(this.values.a), this.#bin(this.values.b)];
    [...this.bars.children].forEach((group, i) => group.classList.toggle("past", i >= from && i <= to));
  }

  /** Where a label stands: over its mark; at the rim inwards; the two of a comparison away from each other. */
  #side(handle) {
    const share = this.#share(this.values[handle] ?? this.last);
    if (share > 0.94) return "right";
    if (share < 0.06) return "left";
    return this.values.b === null ? "" : { a: "right", b: "left" }[handle];
  }

  /** The labels of a comparison's two instants are never written over each other: one gives way. */
  #keepApart() {
    const [a, b] = ["a", "b"].map((each) => this.marks[each].firstElementChild);
    for (const label of [a, b]) label.style.marginLeft = "";
    if (this.values.b === null) return;
    const [first, second] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
    const over = first.right + GAP - second.left;
    if (over <= 0 || first.width === 0) return;
    const room = this.bars.getBoundingClientRect().right - second.right;
    const right = Math.min(over, Math.max(0, room));
    b.style.marginLeft = `${right}px`;
    a.style.marginLeft = `${right - over}px`;
  }

  #start() {
    this.onPlay(true);
    const handle = this.values.b === null ? "a" : "b";
    const step = () => {
      const next = shifted(this.values[handle], this.unit.value, 1);
      this.#move(handle, next);
      if (next >= this.last) this.stop();
    };
    if (this.values[handle] >= this.last) this.show(handle, handle === "b" ? this.values.a : this.first);
    step();
    if (this.calm.matches) {
      this.onPlay(false);
      return this.onRelease();
    }
    this.play.classList.add("playing");
    this.play.setAttribute("aria-label", "Pause");
    this.timer = setInterval(step, 1000 / Number(this.speed.value));
  }

  /** Stop playing, and say where it stopped. */
  stop() {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = 0;
    this.play.classList.remove("playing");
    this.play.setAttribute("aria-label", "Play");
    this.onPlay(false);
    this.onRelease();
  }
}

function bar(place, top, height, kind) {
  const rect = document.createElementNS(SVG, "rect");
  const values = { x: place * 10 + 1.2, y: top, width: 7.6, height, class: kind };
  for (const [name, value] of Object.entries(values)) rect.setAttribute(name, value);
  return rect;
}
