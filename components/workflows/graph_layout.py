"""Where the nodes of a workflow stand in its drawing: in layers from top to bottom, with few crossings."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from statistics import fmean

from services.workflows import WorkflowDefinition

Point = tuple[float, float]
_Pair = tuple[str, str]
_APART = 0.09
"""How far lines are from each other that pass the same layer, in columns."""
_LINES = 200
_SWEEPS = 6


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """An edge as a line through points, from its source to its target; `is_back` for one that leads up again."""

    source: str
    target: str
    condition: str
    points: tuple[Point, ...]
    is_back: bool = False


@dataclass(frozen=True, slots=True)
class GraphLayout:
    """The centre of each node: x in columns, y in layers, both from 0; and the edges between them.

    `left` and `right` are the outermost centres of nodes and lines.
    """

    places: Mapping[str, Point]
    edges: tuple[DrawnEdge, ...]
    left: float = 0.0
    right: float = 0.0

    @property
    def layers(self) -> int:
        """How many layers it is high."""
        return int(max((y for _, y in self.places.values()), default=0)) + 1


def layout(definition: WorkflowDefinition) -> GraphLayout:
    """Return the drawing of a workflow, the same each time."""
    pairs = list(dict.fromkeys([*((edge.source, edge.target) for edge in definition.links), *_returns(definition)]))
    back = _back_pairs(definition.entry_node_id, pairs)
    forward = [pair for pair in pairs if pair not in back]
    layer = _layers(definition, forward)
    rows = _rows(layer, forward)
    x = _columns(rows, forward)
    places = {id: (x[id], float(layer[id])) for id in layer}
    conditions = {(edge.source, edge.target): edge.condition for edge in reversed(definition.links)}
    taken: list[list[float]] = [[] for _ in rows]
    drawn = tuple(
        DrawnEdge(*pair, conditions.get(pair, ""), _line(pair, places, rows, taken), pair in back) for pair in pairs
    )
    right = max((px for edge in drawn for px, _ in edge.points), default=0.0)
    left = min((px for edge in drawn for px, _ in edge.points), default=0.0)
    return GraphLayout(places, drawn, min(0.0, left), max(right, *(px for px, _ in places.values())))


def _returns(definition: WorkflowDefinition) -> Iterator[_Pair]:
    """The ways back to a loop from the nodes that end its body: those without an edge, but for errors."""
    for node in definition.nodes:
        for inner in node.body if node.type == "loop" else ():
            if all(edge.is_error for edge in definition.edges_from[inner]):
                yield inner, node.id


def _back_pairs(entry: str, pairs: Sequence[_Pair]) -> set[_Pair]:
    """The edges that close a circle, on a walk from the entry that takes edges in their order."""
    after, found, done = _followers(pairs), set[_Pair](), set[str]()
    path = [(entry, iter(after[entry]))]
    open_ones = {entry}
    while path:
        node, rest = path[-1]
        target = next(rest, None)
        if target is None:
            path.pop()
            open_ones.discard(node)
            done.add(node)
        elif target in open_ones:
            found.add((node, target))
        elif target not in done:
            open_ones.add(target)
            path.append((target, iter(after[target])))
    return found


def _followers(pairs: Iterable[_Pair]) -> Mapping[str, list[str]]:
    after = defaultdict[str, list[str]](list)
    for source, target in pairs:
        after[source].append(target)
    return after


def _layers(definition: WorkflowDefinition, forward: Sequence[_Pair]) -> dict[str, int]:
    """Each node stands below all that lead to it, and what follows a loop below the loop's body."""
    below = {
        (inner, edge.target)
        for node in definition.nodes
        if node.type == "loop"
        for inner in node.body
        for edge in definition.edges_from[node.id]
        if edge.target not in node.body
    }
    known = {*forward}
    below = {pair for pair in below if not _leads(known, pair[1], pair[0])}
    layer = {node.id: 0 for node in definition.nodes}
    for _ in definition.nodes:
        for source, target in known | below:
            layer[target] = max(layer[target], layer[source] + 1)
    used = {y: number for number, y in enumerate(sorted(set(layer.values())))}
    return {id: used[y] for id, y in layer.items()}


def _leads(pairs: Iterable[_Pair], source: str, target: str) -> bool:
    """True where a way leads from one node to the other."""
    after, seen, waiting = _followers(pairs), set[str](), [source]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += after[node]
    return target in seen


def _rows(layer: Mapping[str, int], pairs: Sequence[_Pair]) -> list[list[str]]:
    """The nodes of each layer from left to right: each near those that it is tied to in the layers beside."""
    rows: list[list[str]] = [[] for _ in range(max(layer.values()) + 1)]
    for id, y in layer.items():
        rows[y].append(id)
    above, below = _followers((b, a) for a, b in pairs), _followers(pairs)
    for sweep in range(_SWEEPS):
        order, ties = (rows, above) if sweep % 2 == 0 else (rows[::-1], below)
        for beside, row in pairwise(order):
            place = {id: number for number, id in enumerate(beside)}
            own = {id: number for number, id in enumerate(row)}
            row.sort(key=lambda id: (_mean([place[tie] for tie in ties[id] if tie in place], own[id]), own[id]))
    return rows


def _columns(rows: Sequence[Sequence[str]], pairs: Sequence[_Pair]) -> dict[str, float]:
    """Where each node is from left to right: under those that it is tied to, and beside its neighbours."""
    row_of = {id: y for y, row in enumerate(rows) for id in row}
    ties = defaultdict[str, list[str]](list)
    for a, b in pairs:
        if row_of[b] == row_of[a] + 1:
            ties[a].append(b)
            ties[b].append(a)
    x: dict[str, float] = {}
    for row in rows:
        x |= _spread(row, {id: number - (len(row) - 1) / 2 for number, id in enumerate(row)})
    for sweep in range(_SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            x |= _spread(row, {id: _mean([x[tie] for tie in ties[id]], x[id]) for id in row})
    left = min(x.values())
    return {id: at - left for id, at in x.items()}


def _spread(row: Sequence[str], wanted: Mapping[str, float]) -> dict[str, float]:
    """The places nearest to the wanted ones that are a column apart."""
    found: dict[str, float] = {}
    at = float("-inf")
    for id in row:
        at = found[id] = max(wanted[id], at + 1)
    shift = fmean(wanted[id] - found[id] for id in row)
    return {id: place + shift for id, place in found.items()}


def _line(
    pair: _Pair, places: Mapping[str, Point], rows: Sequence[Sequence[str]], taken: Sequence[list[float]]
) -> tuple[Point, ...]:
    """An edge as points; in the layers that it passes it goes between the nodes, apart from other lines."""
    (x, y), end = places[pair[0]], places[pair[1]]
    points = [(x, y)]
    for passed in range(int(y) + 1, int(end[1])):
        nodes = [places[id][0] for id in rows[passed]]
        free = [at for at in _gaps(nodes) if all(abs(at - other) >= _APART for other in taken[passed])]
        x = min([x, *free] if _is_free(x, nodes, taken[passed]) else free, key=partial(_detour, x, end[0]))
        taken[passed].append(x)
        points.append((x, float(passed)))
    return (*points, end)


def _detour(x: float, end: float, at: float) -> tuple[float, float]:
    return abs(at - x), abs(at - end)


def _gaps(nodes: Sequence[float]) -> list[float]:
    """Places beside the nodes of a layer, those next to a node first."""
    sides = (at + side * (0.5 + number * _APART) for number in range(_LINES) for at in nodes for side in (-1, 1))
    return [at for at in sides if all(abs(at - node) >= 0.5 - _APART / 9 for node in nodes)]


def _is_free(x: float, nodes: Sequence[float], lines: Sequence[float]) -> bool:
    return all(abs(x - node) >= 0.5 for node in nodes) and all(abs(x - other) >= _APART for other in lines)


def _mean(values: Sequence[float], otherwise: float) -> float:
    return fmean(values) if values else otherwise
