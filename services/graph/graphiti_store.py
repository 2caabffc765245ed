"""The graph store on Graphiti's schema, over whichever database a dialect speaks to."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import batched
from typing import Any, Literal

from services.core import clock
from services.core.group_records import Community, Saga
from services.core.models import Counts, Entity, Episode, Fact, GraphWrite, Instants, MergedEntity
from services.graph import cypher, groups, records
from services.graph.dialect import Dialect, Row
from services.graph.graphiti_documents import GraphDocuments
from services.graph.graphiti_raw import GraphRaw
from services.graph.memory_store import GraphMemory
from services.graph.store import Watermark, own_id
from services.graph.writer import Writer
from services.language.names import of_name

Kind = Literal["entity", "fact", "episode"]

_COLUMNS = sorted(records.COLUMNS)
_MANY = 5_000


class GraphitiStore:
    """A `GraphStore` that reads what Graphiti wrote and writes what Graphiti reads."""

    def __init__(self, dialect: Dialect) -> None:
        self._db = dialect
        self._writer = Writer(dialect)
        self.default_workspace, self.address = dialect.default_workspace, dialect.address
        self.documents = GraphDocuments(dialect)
        self.raw = GraphRaw(dialect, self.documents, self._writer)
        self.memory = GraphMemory(dialect)

    async def ping(self) -> None:
        """Return when the database answers."""
        await self._db.version()

    async def close(self) -> None:
        """Let go of the connections."""
        await self._db.close()

    async def workspaces(self) -> tuple[str, ...]:
        """The groups that the database holds anything of, sorted."""
        return tuple(sorted(await self._db.workspaces()))

    async def position(self, workspace: str) -> str | None:
        """The text that `set_position` left with the workspace."""
        return await self._db.position(workspace)

    async def set_position(self, workspace: str, position: str) -> None:
        """Leave a text with the workspace."""
        await self._db.set_position(workspace, position)

    async def watermark(self, workspace: str) -> Watermark:
        """Counts and the latest record times."""
        n, p = self._entities(workspace), self._episodes(workspace)
        e, d = cypher.every_edge(self._db, workspace, "e"), cypher.every_node(self._db, workspace, "d", "Document")
        rows = await self._db.read(
            workspace,
            f"CALL {{ MATCH {n} RETURN count(n) AS entities, toStringOrNull(max(n.created_at)) AS a }}"
            f" CALL {{ MATCH {p} RETURN count(p) AS episodes, toStringOrNull(max(p.created_at)) AS b }}"
            f" CALL {{ MATCH ()-{e}->() RETURN count(e) AS facts, toStringOrNull(max(e.created_at)) AS c,"
            "         toStringOrNull(max(e.expired_at)) AS x, toStringOrNull(max(e.withdrawn_at)) AS w }"
            f" CALL {{ MATCH {d} WHERE d.content_hash IS NOT NULL RETURN count(d) AS documents,"
            f"         toStringOrNull(max(d.updated_at)) AS y }} {groups.marking(self._db, workspace)}"
            f" RETURN entities, facts, episodes, a, b, c, x, w, documents, y, {groups.MARK}",
        )
        if not rows:
            return Watermark(Counts(0, 0, 0), None, None)
        entities, facts, episodes, *times, documents, updated, marked = rows[0]
        *created, expired, withdrawn = map(records.read_date, times)
        last_created = max((t for t in created if t is not None), default=None)
        last_expired = max((t for t in (expired, withdrawn) if t is not None), default=None)
        counts = Counts(entities, facts, episodes)
        last_updated = records.read_date(updated)
        return Watermark(counts, last_created, last_expired, documents, last_updated, groups.mark(marked))

    # -- look-ups

    async def entities(self, workspace: str, uuids: Iterable[str]) -> tuple[Entity, ...]:
        """Entities by uuid, in the order asked."""
        asked = list(dict.fromkeys(uuids))
        found = {entity.uuid: entity for entity in await self._entities_by_uuid(workspace, asked)}
        if missing := [uuid for uuid in asked if uuid not in found]:
            into = {one.uuid: one.into for one in await self.merged(workspace)}
            kept = await self._entities_by_uuid(workspace, [into[uuid] for uuid in missing if uuid in into])
            by_uuid = {entity.uuid: entity for entity in kept}
            found |= {uuid: by_uuid[into[uuid]] for uuid in missing if into.get(uuid) in by_uuid}
        return tuple({found[uuid].uuid: found[uuid] for uuid in asked if uuid in found}.values())

    async def _entities_by_uuid(self, workspace: str, uuids: Iterable[str]) -> tuple[Entity, ...]:
        return await self._by_uuid(workspace, uuids, "entity", cypher.ENTITY, self._entity_reader(workspace))

    async def merged(self, workspace: str) -> tuple[MergedEntity, ...]:
        """What is left of entities that were merged, by uuid."""
        every = cypher.every_node(self._db, workspace, "n", "MergedEntity")
        return records.merged(await self._db.read(workspace, f"MATCH {every} RETURN n.uuid, n.name, n.into, n.labels"))

    async def communities(self, workspace: str) -> tuple[Community, ...]:
        """Graphiti's communities with their members, by uuid."""
        return await groups.communities(self._db, workspace)

    async def sagas(self, workspace: str) -> tuple[Saga, ...]:
        """Graphiti's sagas with their episodes in order, by uuid."""
        return await groups.sagas(self._db, workspace)

    async def facts(self, workspace: str, uuids: Iterable[str]) -> tuple[Fact, ...]:
        """Facts by uuid, in the order asked."""
        return await self._by_uuid(workspace, uuids, "fact", cypher.FACT, records.fact)

    async def episodes(self, workspace: str, uuids: Iterable[str]) -> tuple[Episode, ...]:
        """Episodes by uuid, in the order asked."""
        return await self._by_uuid(workspace, uuids, "episode", cypher.EPISODE, records.episode)

    async def _by_uuid[T: (Entity, Fact, Episode)](
        self, workspace: str, uuids: Iterable[str], kind: Kind, returns: str, read: Callable[[Row], T]
    ) -> tuple[T, ...]:
        asked = list(dict.fromkeys(uuids))
        found: dict[str, T] = {}
        for match, keys in self._matches(workspace, kind, asked):
            rows = await self._db.read(workspace, f"{match} {returns}", keys=keys, columns=_COLUMNS)
            found.update((record.uuid, record) for record in map(read, rows))
        return tuple(found[uuid] for uuid in asked if uuid in found)

    def _matches(self, workspace: str, kind: Kind, uuids: Sequence[str]) -> Iterator[tuple[str, Sequence[Any]]]:
        """Cypher that finds records by `$keys`, and these: uuids, or the own ids of those that have none."""
        keyed = self._keyed(kind, "uuid: key")
        own_ids = [own for own in map(own_id, uuids) if own is not None]
        given = [uuid for uuid in uuids if own_id(uuid) is None] if own_ids else uuids
        for part in batched(given, _MANY):
            yield f"UNWIND $keys AS key MATCH {keyed}", part
        if own_ids:
            yield self._by_own_id(workspace, kind), own_ids

    def _by_own_id(self, workspace: str, kind: Kind) -> str:
        every, variable = self._patterns(workspace)[kind]
        also = ", s, t" if kind == "fact" else ""
        return f"MATCH {every} WHERE id({variable}) IN $keys WITH {variable}{also}"

    async def entities_named(self, workspace: str, name: str, *, exactly: bool = False) -> tuple[Entity, ...]:
        """Entities of that exact name; failing that, of the same name unless `exactly`. Oldest first."""
        every = f"MATCH {self._entities(workspace)} WHERE toStringOrNull(n.name) = $name WITH n"
        rows: list[Row] = []
        # on FalkorDB the index does not know very long names, nor those that begin or end with a space or hold a
        # control character: then all are looked at
        for match in (f"MATCH {self._keyed('entity', 'name: $name')}", every):
            rows = rows or await self._db.read(workspace, f"{match} {cypher.ENTITY}", name=name, columns=_COLUMNS)
        if not (rows or exactly) and (own_ids := await self._of_same_name(workspace, name)):
            match = f"{self._by_own_id(workspace, 'entity')} {cypher.ENTITY}"
            rows = await self._db.read(workspace, match, keys=own_ids, columns=_COLUMNS)
        found = [records.entity(row, workspace) for row in rows] or await self._kept_of_name(workspace, name, exactly)
        return tuple(sorted(found, key=lambda e: (e.created_at or clock.EARLIEST, e.uuid)))

    async def _kept_of_name(self, workspace: str, name: str, exactly: bool) -> list[Entity]:
        """The entities into which those of that name were merged."""
        merged = [one for one in await self.merged(workspace) if one.name == name or not exactly]
        named = of_name(merged, name, lambda one: one.name)
        return list(await self._entities_by_uuid(workspace, [one.into for one in named]))

    async def _of_same_name(self, workspace: str, name: str) -> list[int]:
        """The own ids of the entities of that name; compared here, since each database folds case in its own way."""
        rows = await self._db.read(workspace, f"MATCH {self._entities(workspace)} RETURN id(n), n.name")
        return [row[0] for row in of_name(rows, name, lambda row: records.text(row[1]))]

    async def facts_about(self, workspace: str, name: str) -> tuple[Fact, ...]:
        """The whole history of the entities of that name; one round trip where the name is written exactly so."""
        facts = await self._touching(workspace, f"MATCH {self._keyed('entity', 'name: $name')}", name=name)
        if facts:
            return _by_start(facts)
        about = [entity.uuid for entity in await self.entities_named(workspace, name)]
        return await self._touching_any(workspace, about) if about else ()

    async def history(self, workspace: str, entity_uuid: str) -> tuple[Fact, ...]:
        """Every fact with the entity on either side, by `valid_at`."""
        facts = await self._touching_any(workspace, [entity_uuid])
        if not facts and (into := {one.uuid: one.into for one in await self.merged(workspace)}.get(entity_uuid)):
            return await self._touching_any(workspace, [into])
        return facts

    async def _touching_any(self, workspace: str, uuids: Sequence[str]) -> tuple[Fact, ...]:
        facts: dict[int, Fact] = {}
        for match, keys in self._matches(workspace, "entity", uuids):
            facts |= await self._touching(workspace, match, keys=keys)
        return _by_start(facts)

    async def _touching(self, workspace: str, match: str, **params: Any) -> dict[int, Fact]:
        """Facts by the edge's own id: other programs may have given two the same uuid."""
        query = f"{match} MATCH (n)-[e:RELATES_TO]-() {cypher.TOUCHING_FACTS}"
        found = await self._db.read(workspace, query, columns=_COLUMNS, **params)
        return {row[0]: records.fact(row[1:]) for (collected,) in found for row in collected}

    async def count_true(self, workspace: str, at: Instants) -> int:
        """How many facts hold at `at`, counted by the database."""
        query = f"MATCH {cypher.every_fact(self._db, workspace)} WHERE {self._db.holds('e')} RETURN count(e)"
        rows = await self._db.read(workspace, query, as_of=self._db.date(at.as_of), known_at=self._db.date(at.known_at))
        return int(rows[0][0]) if rows else 0

    # -- the mirror's reading

    def scan_entities(self, workspace: str) -> AsyncIterator[tuple[Entity, ...]]:
        """Every entity, in batches."""
        return self._scan(workspace, "entity", cypher.ENTITY, self._entity_reader(workspace))

    def scan_facts(self, workspace: str) -> AsyncIterator[tuple[Fact, ...]]:
        """Every fact, in batches."""
        return self._scan(workspace, "fact", cypher.FACT, records.fact)

    def scan_episodes(self, workspace: str) -> AsyncIterator[tuple[Episode, ...]]:
        """Every episode, in batches."""
        return self._scan(workspace, "episode", cypher.EPISODE, records.episode)

    async def _scan[R](
        self, workspace: str, kind: Kind, returns: str, read: Callable[[Row], R]
    ) -> AsyncIterator[tuple[R, ...]]:
        """Make the records of a page on a thread, since questions of pages wait on the loop."""
        pattern, record = self._patterns(workspace)[kind]
        async for rows in self._db.pages(workspace, f"MATCH {pattern}", returns, record, columns=_COLUMNS):
            yield tuple(await asyncio.to_thread(list, map(read, rows)))

    async def changed_since(self, workspace: str, created: datetime | None, expired: datetime | None) -> GraphWrite:
        """What was recorded after `created`, or expired or withdrawn after `expired`."""
        created_after = partial(self._after, "created_at", "$created")
        ended_after = " OR ".join(self._after(name, "$expired", "e") for name in ("expired_at", "withdrawn_at"))
        wheres = {
            "entity": (created_after("n"), cypher.ENTITY),
            "fact": (f"{created_after('e')} OR {ended_after}", cypher.FACT),
            "episode": (created_after("p"), cypher.EPISODE),
        }
        found: dict[str, list[Row]] = {}
        for kind, (pattern, _) in self._patterns(workspace).items():
            where, returns = wheres[kind]
            found[kind] = await self._db.read(
                workspace,
                f"MATCH {pattern} WHERE {where} {returns}",
                columns=_COLUMNS,
                created=self._db.date(created or clock.EARLIEST),
                expired=self._db.date(expired or clock.EARLIEST),
            )
        return GraphWrite(
            tuple(map(self._entity_reader(workspace), found["entity"])),
            tuple(map(records.fact, found["fact"])),
            tuple(map(records.episode, found["episode"])),
        )

    def _after(self, name: str, mark: str, variable: str) -> str:
        return f"{self._db.comparable(f'{variable}.{name}')} > {mark}"

    # -- writing

    async def write(self, workspace: str, batch: GraphWrite) -> None:
        """Create or replace by uuid."""
        await self._writer.write(workspace, batch)

    async def clear(self, workspace: str) -> None:
        """Delete everything in the workspace."""
        await self._db.clear(workspace)

    # -- patterns

    def _keyed(self, kind: Kind, key: str) -> str:
        if kind == "fact":
            return cypher.fact(self._db, key)
        variable, label = ("n", "Entity") if kind == "entity" else ("p", "Episodic")
        return cypher.node(self._db, variable, label, key)

    def _entities(self, workspace: str) -> str:
        return cypher.every_node(self._db, workspace, "n", "Entity")

    def _episodes(self, workspace: str) -> str:
        return cypher.every_node(self._db, workspace, "p", "Episodic")

    def _patterns(self, workspace: str) -> dict[Kind, tuple[str, str]]:
        """For each kind the pattern of all records, and the variable that there is one row for."""
        return {
            "entity": (self._entities(workspace), "n"),
            "fact": (cypher.every_fact(self._db, workspace), "e"),
            "episode": (self._episodes(workspace), "p"),
        }

    @staticmethod
    def _entity_reader(workspace: str) -> Callable[[Row], Entity]:
        return partial(records.entity, workspace=workspace)


def _by_start(facts: Mapping[int, Fact]) -> tuple[Fact, ...]:
    return tuple(sorted(facts.values(), key=lambda f: (f.valid_at or clock.EARLIEST, f.uuid)))
