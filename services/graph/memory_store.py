"""An agent's own records in a graph database: each a node under the label of its type, beside Graphiti's own.

Entities that other programs gave one of these labels are no records. All text is compared without regard to case.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import batched
from typing import Any, Protocol

from services.core.memory_records import RECORD_TYPES, MemoryRecord, Properties, RecordType
from services.graph import cypher
from services.graph.dialect import Dialect

ROWS = 2_000
CITIZEN = "citizen"
_DATES = ("datetime", "localdatetime", "date")


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """What records must hold: `equal` properties one of the texts, any of the properties `within`, or of the lists in
    `listed`, a part that is one of `texts`, and `at_least` properties a number that is not less."""

    equal: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    within: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    at_least: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FoundRecord:
    """A record that fits, by the database's own id, with those of its properties that were asked for."""

    own_id: int
    properties: Properties


class MemoryStore(Protocol):
    """Reads an agent's records. Coroutines take the workspace first, and raise what the graph store's do."""

    async def citizens(self, workspace: str) -> tuple[str, ...]:
        """Whose records the workspace holds, as they are spelled there, sorted."""

    async def fitting(
        self, workspace: str, type: RecordType, wanted: RecordFilter, properties: Sequence[str]
    ) -> tuple[FoundRecord, ...]:
        """The records of a type that fit, in no order, with these of their properties."""

    async def read(self, workspace: str, own_ids: Iterable[int]) -> dict[int, Properties]:
        """The whole records of these own ids; those that are gone are left out."""

    async def counts(self, workspace: str) -> dict[RecordType, int]:
        """How many records of each type there are."""

    async def all_records(self, workspace: str) -> tuple[MemoryRecord, ...]:
        """Every record that has an id, by type and id."""


class GraphMemory:
    """A `MemoryStore` over whichever database a dialect speaks to."""

    def __init__(self, dialect: Dialect) -> None:
        self._db = dialect

    async def citizens(self, workspace: str) -> tuple[str, ...]:
        """Whose records the workspace holds, sorted."""
        found = await self._citizens(workspace, {label: f"(n:{label})" for label in RECORD_TYPES})
        if len(found) < 2 or not self._db.scope("n", workspace):
            return found
        every = {label: cypher.every_node(self._db, workspace, "n", label) for label in RECORD_TYPES}
        return await self._citizens(workspace, every)

    async def _citizens(self, workspace: str, patterns: Mapping[RecordType, str]) -> tuple[str, ...]:
        """Whose records these patterns find: where they name no workspace, an index knows, whoever else is in it."""
        each = (
            f"MATCH {p} WHERE n.citizen IS NOT NULL RETURN DISTINCT n.citizen AS citizen" for p in patterns.values()
        )
        rows = await self._db.read(workspace, " UNION ".join(each))
        return tuple(sorted(row[0] for row in rows if isinstance(row[0], str)))

    async def fitting(
        self, workspace: str, type: RecordType, wanted: RecordFilter, properties: Sequence[str]
    ) -> tuple[FoundRecord, ...]:
        """The records of a type that fit, all in one row: Neo4j's driver takes longer for a row than for its items."""
        where, folded, params = _condition(wanted)
        every = cypher.every_node(self._db, workspace, "n", type)
        if seek := self._seek(type, wanted):
            where = f"n.citizen = mine AND {where}"
            params[CITIZEN] = wanted.equal[CITIZEN][0]
        columns = ", ".join(["id(n)", *(f"n.{name}" for name in properties)])
        query = f"{seek}MATCH {every} WHERE {where} {folded} RETURN collect([{columns}])"
        rows = await self._db.read_exactly(workspace, query, **params)
        found = [one for (collected,) in rows for one in collected]
        return tuple(FoundRecord(own, _plain(dict(zip(properties, values, strict=True)))) for own, *values in found)

    async def read(self, workspace: str, own_ids: Iterable[int]) -> dict[int, Properties]:
        """The whole records of these own ids."""
        query = "UNWIND $rows AS x MATCH (n) WHERE id(n) = x RETURN collect([id(n), properties(n)])"
        found: dict[int, Properties] = {}
        for part in batched(own_ids, ROWS):
            for (collected,) in await self._db.read_exactly(workspace, query, rows=list(part)):
                found.update((own, _plain(values)) for own, values in collected)
        return found

    async def counts(self, workspace: str) -> dict[RecordType, int]:
        """How many records of each type there are."""
        every = {label: cypher.every_node(self._db, workspace, "n", label) for label in RECORD_TYPES}
        returns = "AS label, count(n) AS held"
        each = (f"MATCH {p} WHERE {_RECORD} RETURN '{label}' {returns}" for label, p in every.items())
        rows = await self._db.read(workspace, " UNION ALL ".join(each))
        return {label: held for label, held in rows if held}

    async def all_records(self, workspace: str) -> tuple[MemoryRecord, ...]:
        """Every record that has an id, by type and id."""
        found: list[MemoryRecord] = []
        for label in RECORD_TYPES:
            places = await self.fitting(workspace, label, RecordFilter(), ())
            held = await self.read(workspace, (one.own_id for one in places))
            found += [MemoryRecord(label, one) for one in held.values() if isinstance(one.get("id"), str)]
        return tuple(sorted(found, key=lambda one: (one.type, one.id)))

    def _seek(self, type: RecordType, wanted: RecordFilter) -> str:
        """Cypher that looks the citizen's spellings up in the index, for `n.citizen = mine` to be sought there."""
        if CITIZEN not in wanted.equal or not self._db.indexes_citizens:
            return ""
        return (
            f"MATCH (m:{type}) WHERE m.citizen IS NOT NULL WITH DISTINCT m.citizen AS mine"
            " WHERE toLower(toStringOrNull(mine)) = toLower($citizen) "
        )


_RECORD = "NOT n:Entity"


def _condition(wanted: RecordFilter) -> tuple[str, str, dict[str, Any]]:
    """The filter in Cypher, in two parts, and its parameters: what is searched in is folded once, between the parts.

    FalkorDB's `any` does not see what is bound outside of it, so each text has a parameter of its own.
    """
    params: dict[str, Any] = {}

    def given(value: Any) -> str:
        name = f"p{len(params)}"
        params[name] = value
        return f"${name}"

    parts = [_RECORD]
    for name, texts in wanted.equal.items():
        parts.append(_any(f"{_folded(name)} = toLower({given(text)})" for text in texts))
    parts += [f"n.{name} >= {given(number)}" for name, number in wanted.at_least.items()]
    if not wanted.texts:
        return " AND ".join(parts), "", params
    searched = [*map(_folded, wanted.within), *map(_folded_list, wanted.listed)]
    names = [f"t{number}" for number in range(len(searched))]
    texts_given = [given(text) for text in wanted.texts]
    found = _any(f"{name} CONTAINS toLower({t})" for name in names for t in texts_given)
    folded = ", ".join(f"{text} AS {name}" for text, name in zip(searched, names, strict=True))
    return " AND ".join(parts), f"WITH n, {folded} WHERE {found}", params


def _any(conditions: Iterable[str]) -> str:
    return f"({' OR '.join(conditions)})"


def _folded(name: str) -> str:
    return f"toLower(toStringOrNull(n.{name}))"


def _folded_list(name: str) -> str:
    """The items of a list as one text; what is no list is taken for its only item."""
    return f"toLower(reduce(all = '', item IN [] + n.{name} | all + '|' + toStringOrNull(item)))"


def _plain(values: Mapping[str, Any]) -> Properties:
    """Properties as JSON has them: native dates as text. Points, vectors and the like have no such form, and the
    workspace is no part of a record."""
    plain = {name: _value(value) for name, value in values.items() if name != "group_id"}
    return {name: value for name, value in plain.items() if value is not None}


def _value(value: Any) -> Any:
    if isinstance(value, list):
        items = [_value(item) for item in value]
        return None if None in items else items
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    return (content if isinstance(content, str) else content[0]) if kind in _DATES else None
