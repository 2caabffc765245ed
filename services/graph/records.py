"""Rows of Graphiti's schema as our records, and our records as properties.

What we hold of a record is its columns and its attributes; embeddings and Graphiti's own bookkeeping are not read, and
a write leaves them alone.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from services.core import clock
from services.core.errors import BadInput
from services.core.models import Attributes, Entity, Episode, Fact, MergedEntity, Precision

ENTITY_COLUMNS = ("uuid", "name", "group_id", "summary", "created_at", "labels")
FACT_DATES = ("valid_at", "invalid_at", "created_at", "expired_at", "withdrawn_at", "believed_invalid_at")
FACT_COLUMNS = ("uuid", "name", "fact", "group_id", "episodes", "ended_by", *FACT_DATES)
FACT_MARKS = ("valid_at_precision", "invalid_at_precision", "ended_unknown")
"""What a fact's edge tells of its dates, stored only where it is not the usual: it is read and spelled out with the
attributes, so that a fact without them is what it was before there were any."""
EPISODE_COLUMNS = ("uuid", "name", "group_id", "content", "source", "source_description", "valid_at", "created_at")

ENDS = ("source_node_uuid", "target_node_uuid", "source_uuid", "target_uuid")
"""Where Graphiti repeats on a fact's edge what the edge itself says."""

COLUMNS = frozenset((*ENTITY_COLUMNS, *FACT_COLUMNS, *ENDS, "reference_time", "entity_edges", "attributes"))
"""Property names that are never read with the attributes."""

RESERVED = COLUMNS.union(FACT_MARKS)
"""Property names with a meaning of their own; an attribute of that name is stored under another (`properties`)."""

ESCAPE = "attribute_"
"""What the stored name of an attribute begins with when its own name means something else in Graphiti's schema."""

EMBEDDING = "embedding"
"""What the name of a vector ends with. Vectors are not read."""

_INT64 = 2**63


def read_date(value: Any) -> datetime | None:
    """A date as databases and Graphiti write it, in UTC: text in any spelling, or native. None when unreadable."""
    if isinstance(value, str):
        return _parsed(value)
    return clock.instant(value) if isinstance(value, date) else None


@lru_cache(maxsize=16_384)
def _parsed(text: str) -> datetime | None:
    """Neo4j ends a date that has a named zone with the name, after the offset that says it all."""
    try:
        return clock.parse_instant(text.partition("[")[0])
    except BadInput:
        return None


def is_attribute(key: str) -> bool:
    """True for a property that is an attribute of the record: not a column, not bookkeeping, not an embedding."""
    return key not in RESERVED and (key.startswith(ESCAPE) or not key.endswith(EMBEDDING))


def _plain(name: str) -> str:
    while name.startswith(ESCAPE):
        name = name.removeprefix(ESCAPE)
    return name


def attributes(pairs: Iterable[Sequence[Any]]) -> dict[str, Any]:
    """Attributes from the `[key, value]` pairs of a record's properties."""
    found = {}
    for key, value in pairs:
        if value is None or not is_attribute(key):
            continue
        escaped = key.startswith(ESCAPE) and not is_attribute(_plain(key))
        found[key.removeprefix(ESCAPE) if escaped else key] = _readable(value)
    return found


def _readable(value: Any) -> Any:
    if isinstance(value, date):
        return clock.spell(clock.instant(value))
    return value.hex() if isinstance(value, bytes) else value


def text(value: Any) -> str:
    """What stands where a text should: other programs put numbers there, dates, and nothing."""
    if isinstance(value, str):
        return value
    return "" if value is None else str(_storable(value))


def _texts(value: Any) -> tuple[str, ...]:
    """A list of texts; one that is given without a list is the only one."""
    return tuple(map(text, value if isinstance(value, list) else [] if value is None else [value]))


def properties(held: Attributes) -> dict[str, Any]:
    """Attributes as properties: scalars and lists of one kind of scalar stay as they are, others become JSON text."""
    if not held:
        return {}
    stored = {
        key if is_attribute(_plain(key)) else ESCAPE + key: _storable(value)
        for key, value in held.items()
        if value is not None
    }
    return dict(sorted(stored.items()))


def _storable(value: Any) -> Any:
    if isinstance(value, str | bool) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, int) and -_INT64 <= value < _INT64:
        return value
    if isinstance(value, date):
        return clock.spell(clock.instant(value))
    if isinstance(value, list | tuple):
        items = [_storable(item) for item in value]
        plain = len({type(item) for item in items}) <= 1 and not any(isinstance(item, list) for item in items)
        return items if plain and None not in value else _as_json(value)
    return _as_json(value) if isinstance(value, Mapping) else str(value)


def _as_json(value: Any) -> str:
    return json.dumps(dict(value) if isinstance(value, Mapping) else value, ensure_ascii=False, default=str)


def entity(row: Sequence[Any], workspace: str) -> Entity:
    """An entity from uuid, name, summary, created_at, labels(n), n.labels and attribute pairs."""
    uuid, name, summary, created_at, labels, order, pairs = row
    hidden = {"Entity", "Entity_" + workspace.replace("-", "")}
    rank = {label: position for position, label in enumerate(_texts(order))}
    types = sorted((t for t in labels if t not in hidden), key=lambda t: (rank.get(t, len(rank)), t))
    return Entity(uuid, text(name), tuple(types), text(summary), read_date(created_at), attributes(pairs))


def merged(rows: Iterable[Sequence[Any]]) -> tuple[MergedEntity, ...]:
    """Merged entities from uuid, name, `into` and n.labels, each led to the end of its chain."""
    found = {
        row[0]: MergedEntity(row[0], text(row[1]), tuple(t for t in _texts(row[3]) if t != "Entity"), row[2])
        for row in rows
        if isinstance(row[0], str)
    }
    return tuple(replace(one, into=_end(one.into, found)) for _, one in sorted(found.items()))


def _end(uuid: str, merged_by_uuid: Mapping[str, MergedEntity]) -> str:
    """The end of a chain; of one that goes round, wherever it meets itself."""
    seen = set[str]()
    while uuid in merged_by_uuid and uuid not in seen:
        seen.add(uuid)
        uuid = merged_by_uuid[uuid].into
    return uuid


def fact(row: Sequence[Any]) -> Fact:
    """A fact from both ends' uuid and name, uuid, name, text, episodes, ended_by, the six dates, attribute pairs."""
    source, source_name, target, target_name, uuid, relation, sentence, episodes, ended_by, *dates, pairs = row
    valid, invalid, created, expired, withdrawn, believed = map(read_date, dates)
    return Fact(
        uuid,
        source,
        target,
        text(source_name),
        text(relation),
        text(target_name),
        text(sentence),
        valid,
        invalid,
        created,
        expired,
        withdrawn,
        believed,
        None if ended_by is None else text(ended_by),
        _texts(episodes),
        attributes(pairs),
        *(_marks(pairs) if pairs else ()),
    )


def _marks(pairs: Iterable[Sequence[Any]]) -> tuple[Precision, Precision, bool]:
    given = {key: value for key, value in pairs if key in FACT_MARKS}
    start, end = _precision(given.get("valid_at_precision")), _precision(given.get("invalid_at_precision"))
    return start, end, given.get("ended_unknown") is True


def _precision(value: Any) -> Precision:
    return value if value in ("year", "month", "day") else "instant"


def fact_marks(held: Fact) -> dict[str, Any]:
    """What a fact tells of its dates as properties; what is usual is not stored."""
    marks = {
        "valid_at_precision": held.valid_at_precision,
        "invalid_at_precision": held.invalid_at_precision,
        "ended_unknown": held.ended_unknown,
    }
    return {name: value for name, value in marks.items() if value not in ("instant", False)}


def episode(row: Sequence[Any]) -> Episode:
    """An episode from its columns and the uuids of the entities that it mentions."""
    uuid, name, content, source, description, valid, created, mentioned = row
    return Episode(
        uuid,
        text(name),
        text(content),
        text(source) or "text",
        text(description),
        read_date(valid),
        read_date(created),
        tuple(sorted(u for u in mentioned if u is not None)),
    )
