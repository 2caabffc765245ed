"""Point look-ups: from the graph, which is always fresh, and from the mirror while the graph is out of reach."""

from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from services.bootstrap import Services
from services.errors import GraphUnavailable
from services.mirror.mirror import Mirror
from services.models import Entity, Episode, Fact, Instants, Path

_PATIENCE = 10.0
"""Seconds that a page waits for the graph before it takes the mirror's answer."""


@dataclass(frozen=True, slots=True)
class Answer[T]:
    """What was looked up. `as_of_sync` is when the mirror that gave it was in step; None when the graph itself did."""

    value: T
    as_of_sync: datetime | None = None


def entities(services: Services, workspace: str, uuids: Iterable[str]) -> Answer[tuple[Entity, ...]]:
    """Entities by uuid, in the order asked; unknown ones are left out."""
    asked = tuple(uuids)
    return _look_up(services, workspace, services.graph.entities(workspace, asked), lambda m: m.entities(asked))


def facts(services: Services, workspace: str, uuids: Iterable[str]) -> Answer[tuple[Fact, ...]]:
    """Facts by uuid, in the order asked; unknown ones are left out."""
    asked = tuple(uuids)
    return _look_up(services, workspace, services.graph.facts(workspace, asked), lambda m: m.facts(asked))


def episodes(services: Services, workspace: str, uuids: Iterable[str]) -> Answer[tuple[Episode, ...]]:
    """Episodes by uuid, in the order asked; unknown ones are left out."""
    asked = tuple(uuids)
    return _look_up(services, workspace, services.graph.episodes(workspace, asked), lambda m: m.episodes(asked))


def history(services: Services, workspace: str, entity_uuid: str) -> Answer[tuple[Fact, ...]]:
    """Every fact with the entity on either side, whatever its times, undated first, then by start."""
    work = services.graph.history(workspace, entity_uuid)
    return _look_up(services, workspace, work, lambda m: m.history(entity_uuid))


def shortest_path(
    services: Services, workspace: str, source_uuid: str, target_uuid: str, at: Instants
) -> Answer[Path | None]:
    """A shortest chain of facts that hold at `at`, walked in either direction; None when there is none."""
    work = services.graph.shortest_path(workspace, source_uuid, target_uuid, at=at)
    return _look_up(services, workspace, work, lambda m: m.shortest_path(source_uuid, target_uuid, at))


def _look_up[T](
    services: Services, workspace: str, work: Coroutine[Any, Any, T], instead: Callable[[Mirror], T]
) -> Answer[T]:
    try:
        return Answer(services.bridge.run(work, timeout=_PATIENCE))
    except GraphUnavailable:
        mirror = services.mirrors.of(workspace)
        if mirror.synced_at is None:
            raise
        return Answer(instead(mirror), mirror.synced_at)
