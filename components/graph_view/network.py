"""The picture's content: nodes, edges and options of a pyvis network, with what the view needs to know of each."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from pyvis.network import Network

from components.graph_view.folding import Fold
from components.graph_view.layout import Places
from components.markup import relation as words
from components.palette import OTHER, Look
from services.core import clock, date_wording, time_rule
from services.core.models import Entity, Fact
from services.core.precision import is_imprecise, period_of

_OPTIONS: dict[str, Any] = {
    "physics": False,
    "layout": {"improvedLayout": False},
    "interaction": {"hover": True, "tooltipDelay": 120, "selectConnectedEdges": False, "zoomSpeed": 0.6},
    "nodes": {"chosen": False, "font": {"size": 0}},
    "edges": {"chosen": False, "smooth": False, "arrowStrikethrough": False, "selectionWidth": 0, "hoverWidth": 0},
}
_ROUNDNESS = 0.16
_Timed = tuple[Fact, dict[str, Any]]


def network_of(
    entities: Sequence[Entity],
    facts: Sequence[Fact],
    places: Places,
    looks: Mapping[str, Look],
    *,
    known_at: datetime,
    begun: Mapping[str, datetime],
    earlier: tuple[datetime, Sequence[Fact]] | None = None,
    folds: Sequence[Fold] = (),
) -> dict[str, Any]:
    """Nodes, edges and options for vis-network.

    Every fact carries its start and its end as known at `known_at`, in milliseconds, so that the view itself can tell
    what holds at any instant. `begun` is when each entity's first fact in the whole graph begins. `earlier` is the
    other record instant of a comparison with what was recorded then: each fact then carries both, and those that were
    withdrawn in between are drawn too. Values in `folds` are drawn as letters, unless the viewer unfolds them.
    """
    network = Network(directed=True)
    timed = _timed(facts, known_at, earlier)
    degrees = Counter(uuid for fact, _ in timed for uuid in (fact.source_uuid, fact.target_uuid))
    for entity in entities:
        _add_entity(network, entity, places[entity.uuid], looks, degrees[entity.uuid], begun.get(entity.uuid))
    shown = {entity.uuid for entity in entities}
    for group in _parallel((fact, times) for fact, times in timed if {fact.source_uuid, fact.target_uuid} <= shown):
        for place, (fact, times) in enumerate(group):
            network.add_edge(
                fact.source_uuid,
                fact.target_uuid,
                id=fact.uuid,
                relation=fact.relation,
                words=words(fact.relation),
                **times,
                **_bend(fact, place, len(group)),
            )
    nodes, edges, *_ = network.get_network_data()
    lettered = [{"relation": one.relation, "words": words(one.relation), "letters": one.letters} for one in folds]
    return {"nodes": nodes, "edges": edges, "options": _OPTIONS, "folds": lettered}


def _add_entity(
    network: Network,
    entity: Entity,
    place: tuple[float, float],
    looks: Mapping[str, Look],
    degree: int,
    since: datetime | None,
) -> None:
    look = looks.get(entity.type, OTHER)
    size = min(19.0, 6 + 2.6 * math.sqrt(max(1, degree))) * (1 if look.shape == "dot" else 0.9)
    network.add_node(
        entity.uuid,
        label=entity.name,
        type=entity.type,
        since=milliseconds(since),
        shape=look.shape,
        size=round(size, 1),
        x=place[0],
        y=place[1],
    )


def milliseconds(instant: datetime | None) -> int | None:
    """An instant as JavaScript counts: milliseconds since 1970."""
    return None if instant is None else round(instant.timestamp() * 1000)


def _times(fact: Fact, known_at: datetime) -> dict[str, Any]:
    """A fact's start and end, and its dates in words where they say more than the two instants."""
    times: dict[str, Any] = {"start": milliseconds(fact.valid_at), "end": milliseconds(time_rule.end(fact, known_at))}
    if fact.ended_unknown or {fact.valid_at_precision, fact.invalid_at_precision} != {"instant"}:
        times |= _in_words(time_rule.as_known(fact, known_at))
    return times


def _in_words(known: Fact) -> dict[str, Any]:
    """The dates of a fact, and until when they leave open whether it began or ended."""
    found: dict[str, Any] = {"dates": date_wording.span(known)}
    for name, at, precision in (
        ("began", known.valid_at, known.valid_at_precision),
        ("ended", known.invalid_at, known.invalid_at_precision),
    ):
        if at is not None and is_imprecise(precision):
            last = milliseconds(period_of(at, precision)[1])
            found[name] = {"by": last, "words": f"{name} sometime in {date_wording.dated(at, precision)}"}
    return found


def _timed(facts: Sequence[Fact], known_at: datetime, earlier: tuple[datetime, Sequence[Fact]] | None) -> list[_Timed]:
    """Every fact with its times; in a comparison also with those of the earlier record instant."""
    if earlier is None:
        return [(fact, _times(fact, known_at)) for fact in facts]
    now = {fact.uuid: fact for fact in facts}
    then = {fact.uuid: fact for fact in earlier[1]}
    return [
        (
            fact,
            {
                **_times(fact, known_at),
                "before": _times(then[fact.uuid], earlier[0]) if fact.uuid in then else None,
                "gone": fact.uuid not in now,
            },
        )
        for fact in {**then, **now}.values()
    ]


def _parallel(timed: Iterable[_Timed]) -> Iterable[list[_Timed]]:
    """Facts by the pair of entities that they join, whichever way; in each group in order of time."""
    groups: defaultdict[frozenset[str], list[_Timed]] = defaultdict(list)
    for fact, times in timed:
        groups[frozenset((fact.source_uuid, fact.target_uuid))].append((fact, times))
    for group in groups.values():
        group.sort(key=lambda item: (item[0].valid_at or clock.EARLIEST, item[0].uuid))
    return groups.values()


def _bend(fact: Fact, place: int, count: int) -> dict[str, Any]:
    """Return how the curve of one of `count` parallel facts bends, so that each can be seen and clicked."""
    offset = place - (count - 1) / 2
    if offset == 0 or fact.source_uuid == fact.target_uuid:
        return {}
    side = (offset > 0) == (fact.source_uuid < fact.target_uuid)
    roundness = min(0.9, _ROUNDNESS * abs(offset) * 2 / max(1.0, count / 6))
    return {"smooth": {"enabled": True, "type": "curvedCW" if side else "curvedCCW", "roundness": round(roundness, 3)}}
