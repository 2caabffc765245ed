// The keyboard on the canvas: arrows walk from entity to entity, letters act on the one in focus.

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The visible entity that lies nearest in a direction; the off-axis distance counts twice. */
export function nearest(scene, from, [dx, dy]) {
  const start = scene.position(from);
  let [best, least] = [null, Infinity];
  for (const id of scene.visible()) {
    const { x, y } = scene.position(id);
    const along = (x - start.x) * dx + (y - start.y) * dy;
    const across = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    if (id !== from && along > 0 && along + 2 * across < least) [best, least] = [id, along + 2 * across];
  }
  return best;
}

/** Handle keys on `scene`'s canvas; `actions` has one function per deed, each given the entity in focus. */
export function onKey(scene, actions, event) {
  if ((event.ctrlKey || event.metaKey) && ["z", "y"].includes(event.key.toLowerCase())) {
    actions.step(event.key.toLowerCase() === "z" && !event.shiftKey);
    event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const current = scene.focused ?? (scene.selected?.kind === "entity" ? scene.selected.uuid : null);
  const shown = current !== null && scene.visible().includes(current) ? current : null;
  const deeds = { Enter: actions.select, " ": actions.select, e: actions.expand, h: actions.hide, p: actions.pin, c: actions.collapse, ContextMenu: actions.menu };
  const pressed = event.key === "F10" && event.shiftKey ? "ContextMenu" : event.key;
  const key = pressed.length === 1 ? pressed.toLowerCase() : pressed;
  if (DIRECTIONS[key]) actions.focus(shown ? (nearest(scene, shown, DIRECTIONS[key]) ?? shown) : (scene.visible()[0] ?? null));
  else if (deeds[key] && shown) deeds[key](shown);
  else if (key === "f") scene.fit(true);
  else if (key === "Escape") actions.clear();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
