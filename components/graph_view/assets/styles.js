// How facts and entities look in each state. Styles are made once per theme and shared, so a step of time only assigns.

import { ADDED, CORRECTED, ENDED, HOLDS, RE_DATED, SAME, UNDATED } from "./facts.js";

const NONE = { enabled: false };
const made = new Map();

function edge(colour, width, { arrow = true, opacity = 1 } = {}) {
  return {
    color: { color: colour, highlight: colour, hover: colour, inherit: false, opacity },
    arrows: { to: { enabled: arrow, scaleFactor: 0.38, type: "arrow" }, middle: NONE, from: NONE },
    width,
  };
}

/** One style per state of a fact; `hot` ones are for the selection, `removed` for what ended between two instants,
 *  `arrival` for facts of an entity that is itself new. A crowded picture has fainter lines. */
export function edgeStyles(tokens, crowded) {
  const key = `${tokens.name}${crowded}`;
  if (!made.has(key)) made.set(key, stylesOf(tokens, crowded ? 0.5 : 0.8));
  return made.get(key);
}

function stylesOf(t, opacity) {
  return {
    [HOLDS]: edge(t.edge, 1, { opacity }),
    [UNDATED]: edge(t.edge, 1, { opacity }),
    [ENDED]: edge(t.faint, 1, { arrow: false, opacity: opacity + 0.2 }),
    [SAME]: edge(t.same, 1, { opacity }),
    [ADDED]: edge(t.added, 1.8),
    [CORRECTED]: edge(t.corrected, 1.8),
    [RE_DATED]: edge(t.corrected, 1.8),
    removed: edge(t.ended, 1.8),
    arrival: edge(t.added, 1.2, { opacity: 0.75 }),
    hot: edge(t.accent, 1.6),
    path: edge(t.path, 3),
    hotEnded: edge(t.edge, 1, { arrow: false }),
  };
}

function plainColour({ grouped, communities, tokens }, id, look) {
  return grouped ? communities.colour(id, tokens.name, tokens.entity) : look[tokens.name];
}

/** What the look, the time and the selection make of an entity. */
export function entityStyle(scene, entity) {
  const { tokens, looks } = scene;
  const look = looks[entity.type] ?? looks[""];
  const own = scene.comparing ? (scene.isNew(entity.id) ? tokens.added : tokens.entity) : plainColour(scene, entity.id, look);
  const selected = scene.isSelected(entity.id);
  const hollow = look.hollow && !(scene.grouped && scene.communities.of.has(entity.id));
  const rim = selected ? tokens.accent : hollow ? own : tokens.bg;
  const border = selected ? 3 : hollow ? 2.5 : 1.5;
  const background = hollow ? tokens.bg : own;
  return {
    color: { background, border: rim, highlight: { background, border: rim }, hover: { background, border: rim } },
    borderWidth: border,
    size: entity.size + (selected ? 2 : 0),
    opacity: scene.live.has(entity.id) || selected ? 1 : 0.35,
  };
}
