"""The graph store on Graphiti's schema, over whichever database a dialect speaks to."""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from services import clock
from services.graph import cypher, records, walk
from services.graph.dialect import Dialect, Row
from services.graph.store import Fingerprint, Kind, Watermark
from services.graph.writer import Writer
from services.models import Counts, Entity, Episode, Fact, GraphWrite, Instants, Path, Subgraph

_COLUMNS = sorted(records.RESERVED)
_MANY = 5_000


class GraphitiStore:
    """A `GraphStore` that reads what Graphiti wrote and writes what Graphiti reads."""

    def __init__(self, dialect: Dialect) -> None:
        self._db = dialect
        self._writer = Writer(dialect)

    @property
    def default_workspace(self) -> str:
        """The database's own default group."""
        return self._db.default_workspace

    @property
    def address(self) -> str:
        """Where the graph is, for people to read."""
        return self._db.address

    async def ping(self) -> None:
        """Return when the database answers."""
        await self._db.version()

    async def version(self) -> str:
        """The database's name and version."""
        return await self._db.version()

    async def close(self) -> None:
        """Let go of the connections."""
        await self._db.close()

    async def workspaces(self) -> tuple[str, ...]:
        """The groups that the database holds anything of, sorted."""
        return tuple(sorted(await self._db.workspaces()))

    async def watermark(self, workspace: str) -> Watermark:
        """Counts and the latest record times."""
        n, p, e = self._entity(), self._episode(), cypher.edge(self._db, "e")
        rows = await self._db.read(
            workspace,
            f"CALL {{ MATCH {n} RETURN count(n) AS entities, toString(max(n.created_at)) AS a }}"
            f" CALL {{ MATCH {p} RETURN count(p) AS episodes, toString(max(p.created_at)) AS b }}"
            f" CALL {{ MATCH ()-{e}->() RETURN count(e) AS facts, toString(max(e.created_at)) AS c,"
            "         toString(max(e.expired_at)) AS x }"
            " RETURN entities, facts, episodes, a, b, c, x",
        )
        if not rows:
            return Watermark(Counts(0, 0, 0), None, None)
        entities, facts, episodes, *times = rows[0]
        *created, expired = map(records.read_date, times)
        return Watermark(
            Counts(entities, facts, episodes), max((t for t in created if t is not None), default=None), expired
        )

    # -- look-ups

    async def entities(self, workspace: str, uuids: Iterable[str]) -> tuple[Entity, ...]:
        """Entities by uuid, in the order asked."""
        match = f"UNWIND $uuids AS u MATCH {self._entity('uuid: u')}"
        return await self._by_uuid(workspace, uuids, f"{match} {cypher.ENTITY}", self._entity_reader(workspace))

    async def facts(self, workspace: str, uuids: Iterable[str]) -> tuple[Fact, ...]:
        """Facts by uuid, in the order asked."""
        match = f"UNWIND $uuids AS u MATCH {self._fact('uuid: u')}"
        return await self._by_uuid(workspace, uuids, f"{match} {cypher.FACT}", records.fact)

    async def episodes(self, workspace: str, uuids: Iterable[str]) -> tuple[Episode, ...]:
        """Episodes by uuid, in the order asked."""
        match = f"UNWIND $uuids AS u MATCH {self._episode('uuid: u')}"
        return await self._by_uuid(workspace, uuids, f"{match} {cypher.EPISODE}", records.episode)

    async def _by_uuid[T: (Entity, Fact, Episode)](
        self, workspace: str, uuids: Iterable[str], query: str, read: Callable[[Row], T]
    ) -> tuple[T, ...]:
        asked = list(dict.fromkeys(uuids))
        found: dict[str, T] = {}
        for start in range(0, len(asked), _MANY):
            rows = await self._db.read(workspace, query, uuids=asked[start : start + _MANY], columns=_COLUMNS)
            found.update((record.uuid, record) for record in map(read, rows))
        return tuple(found[uuid] for uuid in asked if uuid in found)

    async def entities_named(self, workspace: str, name: str) -> tuple[Entity, ...]:
        """Entities of that exact name; failing that, of that name without regard to case. Oldest first."""
        exact = f"MATCH {self._entity('name: $name')} {cypher.ENTITY}"
        folded = f"MATCH {self._entity()} WHERE toLower(n.name) = toLower($name) {cypher.ENTITY}"
        rows = await self._db.read(workspace, exact, name=name, columns=_COLUMNS)
        rows = rows or await self._db.read(workspace, folded, name=name, columns=_COLUMNS)
        found = [records.entity(row, workspace) for row in rows]
        return tuple(sorted(found, key=lambda e: (e.created_at or clock.EARLIEST, e.uuid)))

    async def facts_about(self, workspace: str, name: str) -> tuple[Fact, ...]:
        """The whole history of the entities of that name; one round trip where the name is written exactly so."""
        facts = await self._touching(workspace, self._entity("name: $name"), name=name)
        if facts:
            return facts
        about = [entity.uuid for entity in await self.entities_named(workspace, name)]
        return await self._touching_any(workspace, about) if about else ()

    async def history(self, workspace: str, entity_uuid: str) -> tuple[Fact, ...]:
        """Every fact with the entity on either side, by `valid_at`."""
        return await self._touching(workspace, self._entity("uuid: $uuid"), uuid=entity_uuid)

    async def _touching_any(self, workspace: str, uuids: Sequence[str]) -> tuple[Fact, ...]:
        return await self._touching(workspace, self._entity("uuid: u"), before="UNWIND $uuids AS u", uuids=list(uuids))

    async def _touching(self, workspace: str, start: str, *, before: str = "", **params: Any) -> tuple[Fact, ...]:
        query = f"{before} MATCH {start}-[e:RELATES_TO]-() {cypher.TOUCHING_FACT}"
        rows = await self._db.read(workspace, query, columns=_COLUMNS, **params)
        facts = {fact.uuid: fact for fact in map(records.fact, rows)}
        return tuple(sorted(facts.values(), key=lambda f: (f.valid_at or clock.EARLIEST, f.uuid)))

    async def neighbours(
        self, workspace: str, entity_uuid: str, *, at: Instants | None, depth: int, limit: int
    ) -> Subgraph:
        """The entity and what is within `depth` facts that hold or are undated at `at`."""
        step = partial(self._touching_any, workspace)
        return await walk.neighbours(partial(self.entities, workspace), step, entity_uuid, at, depth, limit)

    async def shortest_path(
        self, workspace: str, source_uuid: str, target_uuid: str, *, at: Instants, max_hops: int = 5
    ) -> Path | None:
        """A shortest chain of facts that hold at `at`, walked in either direction."""
        step = partial(self._touching_any, workspace)
        entities = partial(self.entities, workspace)
        return await walk.shortest_path(entities, step, source_uuid, target_uuid, at, max_hops)

    async def count_true(self, workspace: str, at: Instants) -> int:
        """How many facts hold at `at`, counted by the database."""
        query = f"MATCH {self._fact()} WHERE {self._db.holds('e')} RETURN count(e)"
        rows = await self._db.read(workspace, query, as_of=self._db.date(at.as_of), known_at=self._db.date(at.known_at))
        return int(rows[0][0]) if rows else 0

    # -- the mirror's reading

    async def scan_entities(self, workspace: str) -> AsyncIterator[tuple[Entity, ...]]:
        """Every entity, in batches."""
        read = self._entity_reader(workspace)
        async for rows in self._pages(workspace, "entity", cypher.ENTITY):
            yield tuple(map(read, rows))

    async def scan_facts(self, workspace: str) -> AsyncIterator[tuple[Fact, ...]]:
        """Every fact, in batches."""
        async for rows in self._pages(workspace, "fact", cypher.FACT):
            yield tuple(map(records.fact, rows))

    async def scan_episodes(self, workspace: str) -> AsyncIterator[tuple[Episode, ...]]:
        """Every episode, in batches."""
        async for rows in self._pages(workspace, "episode", cypher.EPISODE):
            yield tuple(map(records.episode, rows))

    def _pages(self, workspace: str, kind: Kind, returns: str) -> AsyncIterator[list[Row]]:
        pattern, record = self._patterns()[kind]
        return self._db.pages(workspace, f"MATCH {pattern}", returns, record, columns=_COLUMNS)

    async def changed_since(self, workspace: str, created: datetime | None, expired: datetime | None) -> GraphWrite:
        """What was recorded after `created` or expired after `expired`."""
        created_after = partial(self._after, "created_at", "$created")
        wheres = {
            "entity": (created_after("n"), cypher.ENTITY),
            "fact": (f"{created_after('e')} OR {self._after('expired_at', '$expired', 'e')}", cypher.FACT),
            "episode": (created_after("p"), cypher.EPISODE),
        }
        found: dict[str, list[Row]] = {}
        for kind, (pattern, _) in self._patterns().items():
            where, returns = wheres[kind]
            found[kind] = await self._db.read(
                workspace, f"MATCH {pattern} WHERE {where} {returns}", columns=_COLUMNS,
                created=self._db.date(created or clock.EARLIEST), expired=self._db.date(expired or clock.EARLIEST),
            )  # fmt: skip
        return GraphWrite(
            tuple(map(self._entity_reader(workspace), found["entity"])),
            tuple(map(records.fact, found["fact"])),
            tuple(map(records.episode, found["episode"])),
        )

    def _after(self, name: str, mark: str, variable: str) -> str:
        return f"{self._db.comparable(f'{variable}.{name}')} > {mark}"

    async def fingerprint(self, workspace: str, kind: Kind) -> Fingerprint:
        """One small tuple for every record of a kind."""
        returns = {"entity": cypher.ENTITY_PRINT, "fact": cypher.FACT_PRINT, "episode": cypher.EPISODE_PRINT}[kind]
        prints: dict[str, tuple[object, ...]] = {}
        async for rows in self._pages(workspace, kind, returns):
            prints.update((row[0], tuple(map(_hashable, row[1:]))) for row in rows)
        return prints

    # -- writing

    async def write(self, workspace: str, batch: GraphWrite) -> None:
        """Create or replace by uuid."""
        await self._writer.write(workspace, batch)

    async def delete(self, workspace: str, *, entities: Iterable[str] = (), facts: Iterable[str] = (),
                     episodes: Iterable[str] = ()) -> None:  # fmt: skip
        """Delete by uuid, each with everything that hangs on it."""
        fact = f"()-{cypher.edge(self._db, 'e', 'uuid: u')}->()"
        for pattern, gone, uuids in (
            (fact, "DELETE e", facts),
            (self._entity("uuid: u"), "DETACH DELETE n", entities),
            (self._episode("uuid: u"), "DETACH DELETE p", episodes),
        ):
            asked = list(dict.fromkeys(uuids))
            for start in range(0, len(asked), _MANY):
                query = f"UNWIND $uuids AS u MATCH {pattern} {gone}"
                await self._db.write(workspace, query, uuids=asked[start : start + _MANY])

    async def clear(self, workspace: str) -> None:
        """Delete everything in the workspace."""
        await self._db.clear(workspace)

    # -- patterns

    def _entity(self, key: str = "") -> str:
        return cypher.node(self._db, "n", "Entity", key)

    def _episode(self, key: str = "") -> str:
        return cypher.node(self._db, "p", "Episodic", key)

    def _fact(self, key: str = "") -> str:
        return cypher.fact(self._db, key)

    def _patterns(self) -> dict[Kind, tuple[str, str]]:
        return {"entity": (self._entity(), "n"), "fact": (self._fact(), "e"), "episode": (self._episode(), "p")}

    @staticmethod
    def _entity_reader(workspace: str) -> Callable[[Row], Entity]:
        return partial(records.entity, workspace=workspace)


def _hashable(value: Any) -> object:
    return tuple(sorted(value)) if isinstance(value, list) else value
