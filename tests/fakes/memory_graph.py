"""A graph store in memory, with the whole interface and the Python time rule. The contract tests run on it too."""

from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from datetime import datetime

from services.core import clock, time_rule
from services.core.errors import GraphUnavailable
from services.core.group_records import Community, GroupMark, Saga
from services.core.memory_records import RECORD_TYPES
from services.core.models import Counts, Entity, Episode, Fact, GraphWrite, Instants, MergedEntity
from services.graph import raw, records
from services.graph.raw import Raw
from services.graph.store import Watermark
from services.language.names import of_name
from tests.fakes.memory_agent_records import MemoryAgentRecords
from tests.fakes.memory_documents import MemoryDocuments, Shelf
from tests.fakes.memory_raw import MemoryRaw


class Partition:
    """What a workspace holds; `others` are nodes and edges that no record is made of."""

    def __init__(self) -> None:
        self.entities: dict[str, Entity] = {}
        self.facts: dict[str, Fact] = {}
        self.episodes: dict[str, Episode] = {}
        self.shelf = Shelf()
        self.others: dict[str, tuple[Raw, ...]] = {}


def _holds_records(partition: Partition) -> bool:
    return any(raw.node_parts(key)[0] in RECORD_TYPES for key in partition.others if raw.is_node(key))


class MemoryGraphStore:
    """`down = True` makes every call fail as an unreachable database does.

    `groups` are the communities and sagas of each workspace, which are put here past the store.
    """

    default_workspace = "_"
    address = "memory"

    def __init__(self) -> None:
        self.down = False
        self._partitions: dict[str, Partition] = {}
        self.positions: dict[str, str] = {}
        self.groups: dict[str, tuple[tuple[Community, ...], tuple[Saga, ...]]] = {}
        self.documents = MemoryDocuments(lambda workspace: self._open(workspace).shelf)
        self.raw = MemoryRaw(self._open, Partition, self.write)
        self.memory = MemoryAgentRecords(self._open)

    def _open(self, workspace: str) -> Partition:
        if self.down:
            raise GraphUnavailable("The graph database at memory is not responding.", "Start it again.")
        return self._partitions.setdefault(workspace, Partition())

    async def ping(self) -> None:
        self._open("_")

    async def close(self) -> None:
        return None

    async def workspaces(self) -> tuple[str, ...]:
        self._open("_")
        held = self._partitions.items()
        return tuple(sorted(n for n, p in held if p.entities or p.facts or p.episodes or _holds_records(p)))

    async def position(self, workspace: str) -> str | None:
        self._open(workspace)
        return self.positions.get(workspace, "")

    async def set_position(self, workspace: str, position: str) -> None:
        self._open(workspace)
        self.positions[workspace] = position

    async def watermark(self, workspace: str) -> Watermark:
        p = self._open(workspace)
        created = [
            r.created_at for rs in (p.entities, p.facts, p.episodes) for r in rs.values() if r.created_at is not None
        ]
        expired = [at for f in p.facts.values() for at in (f.expired_at, f.withdrawn_at) if at is not None]
        groups = [group for kind in self.groups.get(workspace, ()) for group in kind]
        return Watermark(
            Counts(len(p.entities), len(p.facts), len(p.episodes)),
            max(created, default=None),
            max(expired, default=None),
            len(p.shelf.documents),
            max((d.document.updated_at for d in p.shelf.documents.values() if d.document.updated_at), default=None),
            GroupMark(
                len(groups),
                max((group.created_at for group in groups if group.created_at), default=None),
                sum(len(group.summary) for group in groups),
            ),
        )

    async def entities(self, workspace: str, uuids: Iterable[str]) -> tuple[Entity, ...]:
        known = self._open(workspace).entities
        into = {one.uuid: one.into for one in await self.merged(workspace)}
        found = [known[u] if u in known else known[into[u]] for u in uuids if u in known or into.get(u) in known]
        return tuple({entity.uuid: entity for entity in found}.values())

    async def merged(self, workspace: str) -> tuple[MergedEntity, ...]:
        others = self._open(workspace).others.items()
        nodes = [bag[0].properties for key, bag in others if key.startswith("MergedEntity:")]
        return records.merged([[n["uuid"], n["name"], n["into"], n.get("types")] for n in nodes])

    async def communities(self, workspace: str) -> tuple[Community, ...]:
        self._open(workspace)
        return self.groups.get(workspace, ((), ()))[0]

    async def sagas(self, workspace: str) -> tuple[Saga, ...]:
        self._open(workspace)
        return self.groups.get(workspace, ((), ()))[1]

    async def facts(self, workspace: str, uuids: Iterable[str]) -> tuple[Fact, ...]:
        known = self._open(workspace).facts
        return tuple(self._named(workspace, known[u]) for u in uuids if u in known)

    async def episodes(self, workspace: str, uuids: Iterable[str]) -> tuple[Episode, ...]:
        known = self._open(workspace).episodes
        return tuple(known[u] for u in uuids if u in known)

    def _named(self, workspace: str, fact: Fact) -> Fact:
        entities = self._open(workspace).entities
        return replace(fact, source=entities[fact.source_uuid].name, target=entities[fact.target_uuid].name)

    async def entities_named(self, workspace: str, name: str, *, exactly: bool = False) -> tuple[Entity, ...]:
        everyone = self._open(workspace).entities.values()
        found = of_name((e for e in everyone if e.name == name or not exactly), name, lambda e: e.name)
        if not found:
            merged = [one for one in await self.merged(workspace) if one.name == name or not exactly]
            found = await self.entities(workspace, [one.into for one in of_name(merged, name, lambda one: one.name)])
        return tuple(sorted(found, key=lambda e: (e.created_at or clock.EARLIEST, e.uuid)))

    async def facts_about(self, workspace: str, name: str) -> tuple[Fact, ...]:
        about = {e.uuid for e in await self.entities_named(workspace, name)}
        return self._touching(workspace, about)

    async def history(self, workspace: str, entity_uuid: str) -> tuple[Fact, ...]:
        into = {one.uuid: one.into for one in await self.merged(workspace)}
        return self._touching(workspace, {entity_uuid}) or self._touching(workspace, {into.get(entity_uuid, "")})

    def _touching(self, workspace: str, uuids: set[str]) -> tuple[Fact, ...]:
        touching = [f for f in self._open(workspace).facts.values() if {f.source_uuid, f.target_uuid} & uuids]
        touching.sort(key=lambda f: (f.valid_at or clock.EARLIEST, f.uuid))
        return tuple(self._named(workspace, f) for f in touching)

    async def count_true(self, workspace: str, at: Instants) -> int:
        return sum(time_rule.true_at(f, at) for f in self._open(workspace).facts.values())

    async def scan_entities(self, workspace: str) -> AsyncIterator[tuple[Entity, ...]]:
        yield tuple(self._open(workspace).entities.values())

    async def scan_facts(self, workspace: str) -> AsyncIterator[tuple[Fact, ...]]:
        yield tuple(self._named(workspace, f) for f in self._open(workspace).facts.values())

    async def scan_episodes(self, workspace: str) -> AsyncIterator[tuple[Episode, ...]]:
        yield tuple(self._open(workspace).episodes.values())

    async def changed_since(self, workspace: str, created: datetime | None, expired: datetime | None) -> GraphWrite:
        p = self._open(workspace)

        def after(value: datetime | None, mark: datetime | None) -> bool:
            return value is not None and (mark is None or value > mark)

        return GraphWrite(
            tuple(e for e in p.entities.values() if after(e.created_at, created)),
            tuple(
                self._named(workspace, f)
                for f in p.facts.values()
                if after(f.created_at, created) or after(f.expired_at, expired) or after(f.withdrawn_at, expired)
            ),
            tuple(e for e in p.episodes.values() if after(e.created_at, created)),
        )

    async def write(self, workspace: str, batch: GraphWrite) -> None:
        p = self._open(workspace)
        p.entities.update((e.uuid, e) for e in batch.entities)
        p.facts.update((f.uuid, f) for f in batch.facts)
        p.episodes.update((e.uuid, e) for e in batch.episodes)

    async def clear(self, workspace: str) -> None:
        self._open(workspace)
        self._partitions.pop(workspace, None)
