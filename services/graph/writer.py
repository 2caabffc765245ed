"""Writing a batch: look up what is there, create what is new, replace the rest, and keep what is not ours.

New records are CREATEd, which needs no search for them; only those that were found are matched again. Records go in
groups with the same property names, so that a query's text holds the names and its parameters only lists of values.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import batched
from typing import Any, NamedTuple
from uuid import UUID

from services.core.errors import WriteFailed
from services.core.models import Entity, Episode, Fact, GraphWrite
from services.core.wording import counted
from services.graph import cypher, raw, records
from services.graph.dialect import Dialect
from services.graph.raw import Image, Raw, RawEdge, RawNode
from services.graph.store import check_workspace

ROWS = 5_000
_MENTION = ("uuid", "group_id", "created_at")


@dataclass(frozen=True, slots=True)
class _Stored:
    """What the database has under a uuid: property names, and an entity's labels or a fact's two ends."""

    keys: tuple[str, ...]
    context: tuple[str, ...]


class Writer:
    """Writes batches to one database, one at a time."""

    def __init__(self, dialect: Dialect) -> None:
        self._db = dialect
        self._preparing = asyncio.Lock()  # one batch is made ready while the database has another; both in order
        self._turn = asyncio.Lock()

    async def write(self, workspace: str, batch: GraphWrite) -> None:
        """Create or replace by uuid.

        Raises `BadInput` for a workspace, type or attribute that cannot be named so, and `WriteFailed` for a fact whose
        entities are neither in the graph nor in the batch.
        """
        check_workspace(workspace)
        async with self._preparing:
            facts = await asyncio.to_thread(self._fact_rows, workspace, batch.facts)
        await self._take_turn(workspace, batch, facts, None)

    async def create(self, workspace: str, batch: GraphWrite, listed: Mapping[str, Iterable[str]]) -> dict[str, str]:
        """Write what is new; the digests of the elements that it becomes. `listed` are the facts of episodes."""
        check_workspace(workspace)
        async with self._preparing:
            facts = await asyncio.to_thread(self._fact_rows, workspace, batch.facts)
            queries = await asyncio.to_thread(self._fact_queries, facts, {})
        writing = asyncio.create_task(self._take_turn(workspace, batch, facts, queries))
        try:
            return await asyncio.to_thread(self._digests, workspace, batch, facts, listed)
        finally:
            await writing

    async def _take_turn(
        self, workspace: str, batch: GraphWrite, facts: dict[str, "_Row"], queries: list["_Query"] | None
    ) -> None:
        new = queries is not None
        async with self._turn:
            await self._db.ensure_indexes(workspace)
            await self._entities(workspace, batch.entities, new)
            await self._episodes(workspace, batch, new)
            if queries is None:
                queries = self._fact_queries(facts, await self._stored_facts(workspace, facts))
            await self._facts(workspace, queries, new)
            await self._link_sources(workspace, batch)

    def _digests(
        self, workspace: str, batch: GraphWrite, facts: Mapping[str, "_Row"], listed: Mapping[str, Iterable[str]]
    ) -> dict[str, str]:
        others = self.expected(workspace, GraphWrite(batch.entities, (), batch.episodes), listed)
        digests = {key: raw.digest(bag) for key, bag in others.items()}
        columns = 2 + len(records.FACT_COLUMNS)
        for uuid, row in facts.items():
            cells, values = row.cells[:columns], row.cells[columns:]
            more = self._db.as_read(dict(zip(row.names[columns - 2 :], values, strict=True))) if values else {}
            digests[raw.fact_key(uuid)] = raw.text_digest(raw.fact_text(self._db.as_received(cells), more))
        return digests

    def expected(self, workspace: str, batch: GraphWrite, listed: Mapping[str, Iterable[str]]) -> Image:
        """How records will lie that a write creates, mentions included. `listed` are the facts of episodes, by uuid."""
        image: dict[str, tuple[Raw, ...]] = {}
        for entity in batch.entities:
            labels = tuple(sorted({"Entity", *entity.types}))
            node = RawNode(labels, self._db.as_read(self._entity_values(workspace, entity)))
            image[raw.node_key("Entity", entity.uuid)] = (node,)
        for fact in batch.facts:
            row, ends = self._fact_row(workspace, fact), (fact.source_uuid, fact.target_uuid)
            values = self._db.as_read(dict(zip(row.names, row.cells[2:], strict=True)))
            source, target = (raw.node_key("Entity", uuid) for uuid in ends)
            image[raw.fact_key(fact.uuid)] = (RawEdge(raw.FACT, source, target, values),)
        for episode in batch.episodes:
            image |= self._expected_episode(workspace, episode, listed.get(episode.uuid, ()))
        return image

    def _expected_episode(self, workspace: str, episode: Episode, listed: Iterable[str]) -> dict[str, tuple[Raw, ...]]:
        key = raw.node_key("Episodic", episode.uuid)
        values = {**self._episode_values(workspace, episode), "entity_edges": list(listed)}
        image: dict[str, tuple[Raw, ...]] = {key: (RawNode(("Episodic",), self._db.as_read(values)),)}
        for uuid in dict.fromkeys(episode.entity_uuids):
            entity = raw.node_key("Entity", uuid)
            values = self._db.as_read(self._mention_values(workspace, episode, uuid))
            image[raw.link_key("MENTIONS", key, entity)] = (RawEdge("MENTIONS", key, entity, values),)
        return image

    # -- entities

    async def _entities(self, workspace: str, entities: Sequence[Entity], new: bool) -> None:
        unique = {entity.uuid: entity for entity in entities}
        match = f"MATCH {cypher.node(self._db, 'n', 'Entity', 'uuid: u')} RETURN n.uuid, keys(n), labels(n)"
        stored = await self._stored(workspace, match, () if new else unique)
        groups = _Groups(list)
        for entity in unique.values():
            there = stored.get(entity.uuid)
            if there:
                held = set(there.context) - {"Entity", "Entity_" + workspace.replace("-", "")}
                labels = cypher.relabel(self._db, set(entity.types) - set(there.context), held - set(entity.types))
            else:
                labels = cypher.labels(self._db, ["Entity", *entity.types])
            row = _Row.of(self._entity_values(workspace, entity))
            kept = _kept(there, row, lambda key: key in records.ENTITY_COLUMNS or records.is_attribute(key))
            groups[row.names, kept, ("replace" if there else "create", labels)].append(row.cells)
        match = f"MATCH {cypher.node(self._db, 'n', 'Entity', 'uuid: row[0]')}"
        for (names, kept, (how, labels)), rows in groups.items():
            values = self._map("n", names, 0, kept)
            create, replace = f"CREATE (n{labels} {values})", f"{match} SET n = {values} {labels}"
            await self._send(workspace, create if how == "create" else replace, rows)

    def _entity_values(self, workspace: str, entity: Entity) -> dict[str, Any]:
        return {
            "uuid": entity.uuid,
            "name": entity.name,
            "group_id": workspace,
            "summary": entity.summary,
            "created_at": self._db.date(entity.created_at),
            "labels": [*entity.types, "Entity"],
            **records.properties(entity.attributes),
        }

    # -- facts

    def _fact_rows(self, workspace: str, facts: Sequence[Fact]) -> dict[str, "_Row"]:
        """Facts as rows by uuid: both ends, then the values."""
        return {fact.uuid: self._fact_row(workspace, fact) for fact in facts}

    def _fact_row(self, workspace: str, fact: Fact) -> "_Row":
        """All columns, so that most facts go in one query; what is null is not stored."""
        date = self._db.date
        cells = [
            fact.source_uuid,
            fact.target_uuid,
            fact.uuid,
            fact.relation,
            fact.text,
            workspace,
            list(fact.episodes),
            fact.ended_by,
            date(fact.valid_at),
            date(fact.invalid_at),
            date(fact.created_at),
            date(fact.expired_at),
            date(fact.withdrawn_at),
            date(fact.believed_invalid_at),
        ]
        others = records.fact_marks(fact) | records.properties(fact.attributes)
        if not others:
            return _Row(records.FACT_COLUMNS, cells)
        return _Row((*records.FACT_COLUMNS, *others), [*cells, *others.values()])

    async def _stored_facts(self, workspace: str, facts: Iterable[str]) -> dict[str, list[_Stored]]:
        """By uuid, which other programs may have given to several."""
        match = f"UNWIND $uuids AS u MATCH {cypher.fact(self._db, 'uuid: u')} RETURN e.uuid, keys(e), [s.uuid, t.uuid]"
        found: dict[str, list[_Stored]] = defaultdict(list)
        for part in batched(facts, ROWS):
            for uuid, keys, ends in await self._db.read(workspace, match, uuids=part):
                found[uuid].append(_Stored(tuple(keys), tuple(ends)))
        return found

    def _fact_queries(self, facts: Mapping[str, "_Row"], stored: Mapping[str, Sequence[_Stored]]) -> list["_Query"]:
        groups = _Groups(list)
        for uuid, row in facts.items():
            there = stored.get(uuid, ())
            between = next((one for one in there if one.context == tuple(row.cells[:2])), None)
            if between is None and len(there) > 1:
                raise WriteFailed(
                    f"Several facts in the graph have the UUID {uuid}, so Asof cannot move any of them.",
                    "Give each fact a unique UUID.",
                )
            how = "replace" if between else "move" if there else "create"
            kept = _kept(
                between or next(iter(there), None),
                row,
                lambda key: key in records.FACT_COLUMNS or key in records.FACT_MARKS or records.is_attribute(key),
            )
            groups[row.names, kept, (how,)].append(row.cells)
        return [
            _Query(self._fact_cypher(how, names, kept), self._db.packed(part), len(part), makes=how != "replace")
            for (names, kept, (how,)), rows in groups.items()
            for part in batched(rows, ROWS)
        ]

    async def _facts(self, workspace: str, queries: Iterable["_Query"], new: bool) -> None:
        for query in queries:
            written = await self._run(workspace, query, alive=new)
            if written < query.size:
                raise WriteFailed(
                    f"Entities of {counted(query.size - written, 'fact')} are not in the graph.",
                    "Someone may have deleted them. Try again.",
                )
            if written > query.size and query.makes:
                raise WriteFailed(
                    "A fact refers to an entity that shares its UUID with another entity.",
                    "Give each entity a unique UUID.",
                )

    def _fact_cypher(self, how: str, names: Sequence[str], kept: Sequence[str]) -> str:
        """Cypher that makes the fact of a row, gives it new values where it is, or moves it to other entities."""
        if how == "replace":
            place = f"MATCH {cypher.fact(self._db, 'uuid: row[2]')} WHERE s.uuid = row[0] AND t.uuid = row[1]"
            return f"{place} SET e = {self._map('e', names, 2, kept)}"
        source, target = (
            f"MATCH {cypher.node(self._db, variable, 'Entity', f'uuid: row[{position}]')}"
            for position, variable in enumerate("st")
        )
        if how == "create":
            return f"{source} {target} CREATE (s)-[e:RELATES_TO {self._map('e', names, 2)}]->(t)"
        old = f"MATCH ()-{cypher.edge(self._db, 'old', 'uuid: row[2]')}->()"
        values = self._map("old", names, 2, [key for key in kept if key not in records.ENDS])
        return f"{old} {source} {target} CREATE (s)-[e:RELATES_TO]->(t) SET e = {values} DELETE old"

    # -- episodes

    async def _episodes(self, workspace: str, batch: GraphWrite, new: bool) -> None:
        unique = {episode.uuid: episode for episode in batch.episodes}
        match = f"MATCH {cypher.node(self._db, 'p', 'Episodic', 'uuid: u')} RETURN p.uuid, keys(p), []"
        stored = await self._stored(workspace, match, () if new else unique)
        groups = _Groups(list)
        for episode in unique.values():
            there = stored.get(episode.uuid)
            values = self._episode_values(workspace, episode)
            if there is None:
                values["entity_edges"] = []
            row = _Row.of(values)
            kept = _kept(there, row, records.EPISODE_COLUMNS.__contains__)
            groups[row.names, kept, ("new" if there is None else "old",)].append(row.cells)
        match = f"MATCH {cypher.node(self._db, 'p', 'Episodic', 'uuid: row[0]')}"
        for (names, kept, (age,)), rows in groups.items():
            given = self._map("p", names, 0, kept)
            record = f"CREATE (p:Episodic {given})" if age == "new" else f"{match} SET p = {given}"
            await self._send(workspace, record, rows)
        old = [episode for episode in unique.values() if episode.uuid in stored]
        await self._mentions(workspace, unique, old)

    def _episode_values(self, workspace: str, episode: Episode) -> dict[str, Any]:
        return {
            "uuid": episode.uuid,
            "name": episode.name,
            "group_id": workspace,
            "content": episode.content,
            "source": episode.source,
            "source_description": episode.source_description,
            "valid_at": self._db.date(episode.valid_at),
            "created_at": self._db.date(episode.created_at),
        }

    async def _mentions(self, workspace: str, episodes: Mapping[str, Episode], old: Sequence[Episode]) -> None:
        """Bring the MENTIONS edges in line with the episodes; those that are right stay as they are."""
        episode, entity = (
            cypher.node(self._db, variable, label, f"uuid: row[{position}]")
            for position, (variable, label) in enumerate((("p", "Episodic"), ("n", "Entity")))
        )
        pattern = cypher.node(self._db, "p", "Episodic", "uuid: u")
        query = f"UNWIND $uuids AS u MATCH {pattern}-[:MENTIONS]->(n:Entity) RETURN p.uuid, n.uuid"
        parts = [await self._db.read(workspace, query, uuids=part) for part in batched((e.uuid for e in old), ROWS)]
        was = {(source, target) for rows in parts for source, target in rows}
        now = {(e.uuid, mentioned) for e in episodes.values() for mentioned in e.entity_uuids}
        gone = [list(pair) for pair in was - now]
        await self._send(workspace, f"MATCH {episode}-[m:MENTIONS]->{entity} DELETE m", gone)
        made = [
            [source, target, *self._mention_values(workspace, episodes[source], target).values()]
            for source, target in sorted(now - was)
        ]
        create = f"CREATE (p)-[m:MENTIONS {self._map('m', _MENTION, 2)}]->(n)"
        await self._send(workspace, f"MATCH {episode} MATCH {entity} {create}", made)

    def _mention_values(self, workspace: str, episode: Episode, entity_uuid: str) -> dict[str, Any]:
        """The uuid is made of both ends', so that whoever repeats a write makes the same edge."""
        digest = blake2b("\0".join((workspace, episode.uuid, entity_uuid)).encode("utf-8", "replace"), digest_size=16)
        values = str(UUID(bytes=digest.digest(), version=5)), workspace, self._db.date(episode.created_at)
        return dict(zip(_MENTION, values, strict=True))

    async def _link_sources(self, workspace: str, batch: GraphWrite) -> None:
        """Name each fact in its episodes' `entity_edges`, by which Graphiti finds an episode's facts."""
        by_episode: dict[str, list[str]] = defaultdict(list)
        for fact in batch.facts:
            for episode in fact.episodes:
                by_episode[episode].append(fact.uuid)
        place = cypher.node(self._db, "p", "Episodic", "uuid: row[0]")
        others = "[u IN coalesce(p.entity_edges, []) WHERE NOT u IN row[1]]"
        query = f"MATCH {place} SET p.entity_edges = {others} + row[1]"
        await self._send(workspace, query, [[episode, facts] for episode, facts in by_episode.items()])

    # -- both

    async def _stored(self, workspace: str, match: str, uuids: Iterable[str]) -> dict[str, _Stored]:
        found: dict[str, _Stored] = {}
        for part in batched(uuids, ROWS):
            rows = await self._db.read(workspace, f"UNWIND $uuids AS u {match}", uuids=part)
            found.update((uuid, _Stored(tuple(keys), tuple(context))) for uuid, keys, context in rows)
        return found

    def _map(self, source: str, names: Sequence[str], first: int, kept: Sequence[str] = ()) -> str:
        """A record's properties: the items of a row from `first` on, and what `source` holds as `kept`.

        A record always gets its whole map: FalkorDB mixes up properties when one clause sets some and removes others.
        """
        given = [f"{self._db.quoted(name)}: row[{i}]" for i, name in enumerate(names, first)]
        given += [f"{self._db.quoted(name)}: {source}.{self._db.quoted(name)}" for name in kept]
        return f"{{{', '.join(given)}}}"

    async def _send(self, workspace: str, cypher_text: str, rows: Sequence[Sequence[Any]]) -> int:
        """Run the query for every row; how many rows it reached."""
        queries = [_Query(cypher_text, self._db.packed(part), len(part)) for part in batched(rows, ROWS)]
        return sum([await self._run(workspace, query) for query in queries])

    async def _run(self, workspace: str, query: "_Query", *, alive: bool = False) -> int:
        each = f"UNWIND $rows AS row {query.cypher} RETURN count(*)"
        return int((await self._db.write(workspace, each, alive=alive, rows=query.rows))[0][0])


class _Query(NamedTuple):
    """Cypher for each `row` of `rows`, which the database's `packed` made of `size` rows.

    `makes` where each row makes a record, and so must not reach two places.
    """

    cypher: str
    rows: Any
    size: int
    makes: bool = False


class _Row(NamedTuple):
    """A row of a query: what finds its place, then the values of `names`."""

    names: tuple[str, ...]
    cells: list[Any]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "_Row":
        """The row of a record; a value of None is none."""
        given = {name: value for name, value in values.items() if value is not None}
        return cls(tuple(given), [*given.values()])


_Groups = defaultdict[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]], list[list[Any]]]
"""Rows by the query that they need: the same names, the same kept properties, the same way to their place."""


def _kept(there: _Stored | None, row: _Row, replaced: Callable[[str], bool]) -> tuple[str, ...]:
    """What a stored record keeps of its properties: what is not `replaced`."""
    return tuple(k for k in there.keys if not replaced(k) and k not in row.names) if there else ()
