"""A small graph made of dataclasses."""

from datetime import UTC, datetime, timedelta

from services.core.models import Entity, Fact

START = datetime(2015, 1, 1, tzinfo=UTC)
LATER = START + timedelta(days=400)


def entity(name: str, kind: str = "PEP") -> Entity:
    return Entity(name, name, (kind,) if kind else ())


def fact(uuid: str, source: str, target: str, relation: str = "HAS_STATUS", **times: datetime | None) -> Fact:
    return Fact(uuid, source, target, source, relation, target, valid_at=times.pop("valid_at", START), **times)


def star(size: int) -> tuple[list[Entity], list[Fact]]:
    """A hub with `size` entities around it."""
    entities = [entity("hub"), *(entity(f"entity {n}") for n in range(size))]
    return entities, [fact(f"f{n}", "hub", f"entity {n}") for n in range(size)]
