// Values that nearly everything hangs on, such as a status, as letters beside what hangs on them.

import { ADDED, ENDED, NOT_YET } from "./facts.js";

/** What was chosen in the row of letters, for when the page is drawn anew. */
const chosen = { relation: null };

export class Folds {
  constructor() {
    Object.assign(this, { list: [], on: true, values: new Map(), letters: new Map(), having: new Map(), marks: 0, size: 0 });
  }

  load(list, facts) {
    this.list = list;
    this.values = new Map(list.flatMap((fold) => Object.entries(fold.letters).map(([id, letter]) => [id, { ...fold, letter }])));
    this.size = facts.filter(({ to }) => this.values.has(to)).length;
  }

  /** The relation whose values are shown as letters; one at a time, or the letters could not be told apart. */
  get relation() {
    return this.list.find(({ relation }) => relation === chosen.relation)?.relation ?? this.list[0]?.relation ?? null;
  }

  set relation(name) {
    chosen.relation = name;
  }

  has(id) {
    return this.on && this.values.has(id);
  }

  clear() {
    this.letters.clear();
    this.having.clear();
    this.marks = 0;
  }

  /** Note a fact with a folded value: which letters its entity has at the instant, or had before a comparison. */
  note(fact, state, comparing) {
    if (state === NOT_YET || (!comparing && state === ENDED)) return;
    this.marks += 1;
    const { relation, letter } = this.values.get(fact.to);
    if (relation !== this.relation) return;
    const [before, after] = this.letters.get(fact.from) ?? [new Set(), new Set()];
    if (state !== ADDED) before.add(letter);
    if (state !== ENDED) after.add(letter);
    this.letters.set(fact.from, [before, after]);
    this.having.set(fact.to, (this.having.get(fact.to) ?? new Set()).add(fact.from));
  }

  /** The letters of an entity, and how they changed: "added", "ended", "corrected", or "" where they did not. */
  beside(id, comparing) {
    const [before, after] = (this.letters.get(id) ?? [[], []]).map((letters) => [...letters].sort().join(" "));
    if (!comparing || before === after) return [after, ""];
    if (before && after) return [`${before} → ${after}`, "corrected"];
    return after ? [`+ ${after}`, "added"] : [`− ${before}`, "ended"];
  }

}
