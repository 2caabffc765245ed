// Selecting many entities at once: a rectangle drawn with Shift, or after "Select".

/** Let the viewer draw a rectangle on the stage; `onDone(box)` gets it in pixels of the canvas. */
export function drawRectangles(canvas, box, isWanted, onDone) {
  let start = null;
  const at = (event) => {
    const { left, top } = canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const span = (from, to) => [0, 1].map((axis) => [Math.min(from[axis], to[axis]), Math.max(from[axis], to[axis])]);
  const stop = (event) => (event.stopPropagation(), event.preventDefault());
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !(event.shiftKey || isWanted())) return;
    stop(event);
    start = at(event);
    canvas.setPointerCapture(event.pointerId);
  }, true);
  canvas.addEventListener("pointermove", (event) => {
    if (!start) return;
    stop(event);
    const [[left, right], [top, bottom]] = span(start, at(event));
    box.hidden = false;
    Object.assign(box.style, { left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` });
  }, true);
  for (const name of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(name, (event) => {
      if (!start) return;
      stop(event);
      const found = span(start, at(event));
      [start, box.hidden] = [null, true];
      if (name === "pointerup") onDone(found);
    }, true);
  }
  for (const name of ["click", "mousedown", "mouseup"]) canvas.addEventListener(name, (event) => event.shiftKey && stop(event), true);
}
