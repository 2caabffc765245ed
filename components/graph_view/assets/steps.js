// Undo and redo of what the viewer does to the picture: hide, expand, only this, collapse, pin, drag and filter; never of facts.

const MOST = 50;
const ids = (set) => [...set].sort();

export class Steps {
  /** `onStep()` is called when there is another step to go to. */
  constructor(scene, onStep) {
    Object.assign(this, { scene, onStep, past: [], coming: [], roots: [], layout: null, ledTo: [] });
  }

  /** Keep the picture as it is, before an action changes it. */
  keep() {
    this.past = [...this.past, this.#now()].slice(-MOST);
    this.coming = [];
    this.onStep();
  }

  /** Expect a picture that grows from these entities: it is a step, and no other picture. */
  leadTo(...roots) {
    if (roots[0] !== this.roots[0]) this.ledTo.push(roots[0]);
    this.roots = roots;
  }

  /** Forget the steps where this picture, which grows from `root`, is neither the same one nor one that a step led to. */
  begin(layout, root) {
    const step = this.ledTo.indexOf(root);
    this.ledTo = this.ledTo.slice(step + 1); // those before it were passed by
    if (layout === this.layout) return;
    this.layout = layout;
    if (step >= 0) return;
    Object.assign(this, { past: [], coming: [], ledTo: [] });
    this.onStep();
  }

  /** Go a step back or forth. Returns what Python keeps of the picture, or null where there is no such step. */
  go(back) {
    const [from, to] = back ? [this.past, this.coming] : [this.coming, this.past];
    if (from.length === 0) return null;
    to.push(this.#now());
    const step = from.pop();
    this.#show(step);
    this.onStep();
    return step.kept;
  }

  #now() {
    const { hidden, pinned, hiddenTypes, hiddenRelations, collapsed, network } = this.scene;
    const kept = { roots: [...this.roots], hidden: ids(hidden), pinned: ids(pinned), types: ids(hiddenTypes), relations: ids(hiddenRelations) };
    return { kept, collapsed: ids(collapsed), places: network ? network.getPositions() : {} };
  }

  #show({ kept, collapsed, places }) {
    const { scene } = this;
    const sets = { hidden: kept.hidden, pinned: kept.pinned, hiddenTypes: kept.types, hiddenRelations: kept.relations, collapsed };
    for (const [name, values] of Object.entries(sets)) scene[name] = new Set(values);
    this.leadTo(...kept.roots);
    for (const [id, { x, y }] of Object.entries(places)) if (scene.network.body.nodes[id]) Object.assign(scene.network.body.nodes[id], { x, y });
    scene.restyle();
  }
}
