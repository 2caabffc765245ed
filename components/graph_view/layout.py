"""Where entities stand: a spring layout whose names do not cover each other, and which leaves old places alone."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import rustworkx
from numpy.typing import NDArray

from services.core.models import Entity, Fact

Places = Mapping[str, tuple[float, float]]
"""uuid → place in the canvas's units, which are pixels at a zoom of 1; the y axis points down."""

_WIDTH, _HEIGHT = 920.0, 500.0
_ROOMY = 60
"""Up to so many entities fit one screen at a zoom of 1; more get a larger ground in proportion."""
_SEED = 7
_NAME_HEIGHT = 44.0
_CHARACTER = 6.4
_MOST_PUSHED = 500


def place(
    entities: Sequence[Entity], facts: Sequence[Fact], fixed: Places | None = None
) -> dict[str, tuple[float, float]]:
    """A place for each entity; those in `fixed` keep theirs, and newcomers settle near what they are joined to."""
    if not entities:
        return {}
    fixed = {e.uuid: fixed[e.uuid] for e in entities if e.uuid in fixed} if fixed else {}
    uuids = [e.uuid for e in entities]
    points = _settle(uuids, facts, fixed) if fixed else _spread(_spring(uuids, facts))
    if len(entities) <= _MOST_PUSHED:
        widths = np.array([max(56.0, _CHARACTER * len(e.name)) for e in entities])
        free = np.array([uuid not in fixed for uuid in uuids])
        points = _push_apart(points, widths, free)
    return {uuid: (round(float(x), 1), round(float(y), 1)) for uuid, (x, y) in zip(uuids, points, strict=True)}


def _graph(uuids: Sequence[str], facts: Sequence[Fact]) -> "rustworkx.PyGraph[str, float]":
    """The joined pairs, once each; a tie to a hub pulls less, so that hubs do not draw everything into one ball."""
    index = {uuid: i for i, uuid in enumerate(uuids)}
    pairs = {
        (min(a, b), max(a, b))
        for a, b in ((index.get(f.source_uuid), index.get(f.target_uuid)) for f in facts)
        if a is not None and b is not None and a != b
    }
    degree = [0] * len(uuids)
    for a, b in pairs:
        degree[a] += 1
        degree[b] += 1
    graph: rustworkx.PyGraph[str, float] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(list(uuids))
    graph.add_edges_from([(a, b, 1.6 / math.sqrt(min(degree[a], degree[b]) + 1)) for a, b in sorted(pairs)])
    return graph


def _spring(uuids: Sequence[str], facts: Sequence[Fact]) -> NDArray[np.float64]:
    graph = _graph(uuids, facts)
    k = 2.2 / math.sqrt(len(uuids))
    found = rustworkx.spring_layout(graph, k=k, num_iter=140, seed=_SEED, weight_fn=float)
    return np.array([found[i] for i in range(len(uuids))], dtype=np.float64)


def _spread(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Stretch a layout over the ground; its outliers are drawn in, since they would shrink everything else."""
    ranks = points.argsort(axis=0).argsort(axis=0) / max(1, len(points) - 1) * 2 - 1
    middle = np.median(points, axis=0)
    reach = np.quantile(np.abs(points - middle), 0.95, axis=0)
    shape = np.clip((points - middle) / np.where(reach > 0, reach, 1), -1.3, 1.3)
    scale = math.sqrt(max(1.0, len(points) / _ROOMY))
    spread: NDArray[np.float64] = (0.4 * shape + 0.6 * ranks) * np.array([_WIDTH / 2, _HEIGHT / 2]) * scale
    return spread


def _settle(uuids: Sequence[str], facts: Sequence[Fact], fixed: Places) -> NDArray[np.float64]:
    """Put newcomers on a ring around the middle of their placed neighbours, on the side away from the rest."""
    centre = np.mean(list(fixed.values()), axis=0)
    joined: dict[str, list[str]] = {}
    for fact in facts:
        joined.setdefault(fact.source_uuid, []).append(fact.target_uuid)
        joined.setdefault(fact.target_uuid, []).append(fact.source_uuid)
    newcomers = [uuid for uuid in uuids if uuid not in fixed]
    places = dict(fixed)
    for turn, uuid in enumerate(newcomers):
        known = [fixed[near] for near in joined.get(uuid, []) if near in fixed]
        anchor = np.mean(known, axis=0) if known else centre
        outward = math.atan2(anchor[1] - centre[1], anchor[0] - centre[0])
        angle = outward + (turn - (len(newcomers) - 1) / 2) * min(0.5, 2 * math.pi / len(newcomers))
        reach = 110 + 34 * (turn % 3)
        places[uuid] = (anchor[0] + reach * math.cos(angle), anchor[1] + reach * math.sin(angle))
    return np.array([places[uuid] for uuid in uuids], dtype=np.float64)


def _push_apart(
    points: NDArray[np.float64], widths: NDArray[np.float64], free: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Move overlapping boxes (an entity with its name below) apart, along the axis that needs less."""
    points = points.copy()
    wide = (widths[:, None] + widths[None, :]) / 2 + 4
    for _ in range(60):
        gap = points[None, :, :] - points[:, None, :]
        over_x = wide - np.abs(gap[:, :, 0])
        over_y = _NAME_HEIGHT - np.abs(gap[:, :, 1])
        meets = (over_x > 0) & (over_y > 0)
        np.fill_diagonal(meets, False)
        if not meets.any():
            break
        sideways = meets & (over_x / wide < over_y / _NAME_HEIGHT)
        apart = np.where(gap >= 0, -1.0, 1.0)
        shift_x = (np.where(sideways, over_x * apart[:, :, 0], 0)).sum(axis=1)
        shift_y = (np.where(meets & ~sideways, over_y * apart[:, :, 1], 0)).sum(axis=1)
        shift = np.clip(np.stack([shift_x, shift_y], axis=1) * 0.3, -24, 24)
        points[free] += shift[free]
    return points
