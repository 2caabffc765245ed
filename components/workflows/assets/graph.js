// The graph of a workflow: nodes are buttons on a ground, edges lines below them. Python says where; pixels follow the
// width of the page.
const LAYER = 74, HEIGHT = 46, NARROW = 150, NARROWEST = 116, WIDEST = 214, CORNER = 6, SIDE = 18;

export default function ({ data, parentElement, setTriggerValue }) {
  const graph = parentElement.querySelector(".graph");
  graph.setAttribute("aria-label", data.label);
  graph.data = data;
  graph.choose = (id) => setTriggerValue("chosen", id);
  if (!graph.watched) {
    graph.watched = new ResizeObserver(() => draw(graph));
    graph.watched.observe(graph);
    graph.addEventListener("keydown", (event) => walk(graph, event));
  }
  draw(graph);
  return () => {
    graph.watched?.disconnect();
    graph.watched = undefined;
  };
}

function draw(graph) {
  const { data } = graph;
  const ground = graph.querySelector(".ground");
  const columns = data.right - data.left + 1;
  const room = graph.clientWidth - 2 * SIDE;
  const pitch = Math.max(NARROWEST, Math.min(WIDEST, room / columns));
  const width = pitch * columns + 2 * SIDE, gap = pitch < NARROW ? 8 : 16;
  graph.classList.toggle("narrow", pitch < NARROW);
  ground.style.width = `${width}px`;
  ground.style.height = `${(data.layers - 1) * LAYER + HEIGHT}px`;
  const place = ([x, y]) => [SIDE + (x - data.left + 0.5) * pitch, y * LAYER];
  nodes(graph, ground, place, pitch - gap);
  edges(ground.querySelector("svg"), data.edges, place, pitch - gap, width);
}

function nodes(graph, ground, place, width) {
  const known = new Map([...ground.querySelectorAll("button")].map((one) => [one.dataset.id, one]));
  const first = graph.data.chosen ?? graph.data.nodes[0]?.id;
  for (const node of graph.data.nodes) {
    const button = known.get(node.id) ?? added(graph, ground, node.id);
    known.delete(node.id);
    const [x, y] = place([node.x, node.y]);
    Object.assign(button.style, { left: `${x - width / 2}px`, top: `${y}px`, width: `${width}px`, height: `${HEIGHT}px` });
    button.dataset.state = node.state;
    button.setAttribute("aria-pressed", String(node.id === graph.data.chosen));
    button.tabIndex = node.id === first ? 0 : -1;
    button.title = node.about;
    const [sign, title, line, kind] = button.children;
    for (const [part, words] of [[sign, node.sign], [title, node.title], [kind, node.kind], [line, node.line]])
      if (part.textContent !== words) part.textContent = words;
    button.setAttribute("aria-label", [node.title, node.kind, node.state, node.line].filter(Boolean).join(", "));
  }
  for (const gone of known.values()) gone.remove();
}

function added(graph, ground, id) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.id = id;
  button.append(...["i", "b", "small", "em"].map((name) => document.createElement(name)));
  button.onclick = () => graph.choose(id);
  ground.append(button);
  return button;
}

function edges(svg, all, place, width, right) {
  svg.setAttribute("width", right);
  svg.setAttribute("height", "100%");
  svg.replaceChildren(...all.flatMap((edge) => {
    const points = edge.points.map(place);
    const path = edge.back ? backwards(points, width) : downwards(points);
    const [x, y] = edge.back ? [points.at(-1)[0] + width / 2, points.at(-1)[1] + HEIGHT / 2] : points.at(-1);
    const head = edge.back ? `M${x + 1} ${y}l6 -4v8z` : `M${x} ${y}l-4 -7h8z`;
    const line = shape(path, edge.css);
    const title = document.createElementNS(svg.namespaceURI, "title");
    title.textContent = edge.about;
    line.append(title);
    return [line, shape(head, `head ${edge.css}`)];
  }));
}

function shape(path, css) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "path");
  made.setAttribute("d", path);
  made.setAttribute("class", css);
  return made;
}

function downwards(points) {
  let [x, y] = [points[0][0], points[0][1] + HEIGHT];
  const parts = [`M${x} ${y}`];
  points.slice(1).forEach(([nextX, nextY], number) => {
    const last = number === points.length - 2;
    const turn = nextY - (LAYER - HEIGHT) / 2;
    if (Math.abs(nextX - x) > 1) {
      const way = Math.sign(nextX - x), corner = Math.min(CORNER, Math.abs(nextX - x) / 2);
      parts.push(`V${turn - corner}q0 ${corner} ${way * corner} ${corner}H${nextX - way * corner}q${way * corner} 0 ${way * corner} ${corner}`);
    }
    parts.push(`V${last ? nextY - 5 : nextY + HEIGHT}`);
    [x, y] = [nextX, nextY];
  });
  return parts.join("");
}

function backwards([[x, y], [toX, toY]], width) {
  const from = x + width / 2, to = toX + width / 2, side = Math.max(from, to) + 12;
  return `M${from} ${y + HEIGHT / 2}H${side - CORNER}q${CORNER} 0 ${CORNER} ${-CORNER}V${toY + HEIGHT / 2 + CORNER}q0 ${-CORNER} ${-CORNER} ${-CORNER}H${to + 5}`;
}

function walk(graph, event) {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  const buttons = graph.data.nodes.map((node) => graph.querySelector(`button[data-id="${CSS.escape(node.id)}"]`));
  const at = buttons.indexOf(event.target);
  if (!step || at < 0) return;
  event.preventDefault();
  const next = buttons[Math.max(0, Math.min(buttons.length - 1, at + step))];
  buttons.forEach((one) => (one.tabIndex = one === next ? 0 : -1));
  next.focus();
}
