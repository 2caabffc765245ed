"""What the graph holds that a proposal may touch, read once, so that an analyst's edits cost no further question."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from services.context import OpenWorkspace
from services.core import clock
from services.core.draft_records import Draft
from services.core.models import Entity, GraphWrite, Instants
from services.graph.store import own_id
from services.language.names import name_key
from services.mirror.name_candidates import entities_alike
from services.mirror.review_queries import followed_relations
from services.proposals.name_likeness import is_part, likeness
from services.proposals.proposal_records import Proposal
from services.proposals.relations import known_relation, relations_of
from services.writing.record_times import record_instant

_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class GraphSnapshot:
    """Entities that names may stand for, every fact of those that may be a source, and what the data tells.

    `former` leads from the names (folded) and the uuids of entities that were merged to the ones that were kept.
    `followed` are the relations that hold one at a time by the data, `types` those that the graph's entities have.
    `relations` are the graph's, the most frequent first, `schema` those of the workspace's schema.
    """

    workspace: str
    now: datetime
    stored: GraphWrite = field(default_factory=GraphWrite)
    former: Mapping[str, str] = field(default_factory=dict)
    followed: frozenset[str] = frozenset()
    types: frozenset[str] | None = None
    relations: tuple[str, ...] = ()
    schema: tuple[str, ...] = ()

    def entity(self, uuid: str | None) -> Entity | None:
        """An entity by its uuid, or by that of one that was merged into it; None where it was not read."""
        kept = self.former.get(uuid or "", uuid)
        return next((entity for entity in self.stored.entities if entity.uuid == kept), None)


def snapshot_for(workspace: OpenWorkspace, proposal: Proposal) -> GraphSnapshot:
    """Read what a proposal's names and choices may touch.

    Raises `GraphUnavailable`, `WriteFailed` where the clock is wrong, and `MirrorUnavailable` where near names cannot
    be looked for.
    """
    now = record_instant(workspace)
    mirror = workspace.mirror
    relations, schema = relations_of(workspace)
    proposal = with_known_relations(proposal, relations, schema)
    drafts = [fact.draft for fact in proposal.facts]
    names = sorted({name for draft in drafts for name in (draft.source, draft.target)})
    chosen = {choice.uuid for choice in proposal.choices} | {u for d in drafts for u in (d.same_source, d.same_target)}
    near = {entity.uuid for entity in entities_alike(mirror, names)}
    reader = _Reader(workspace)
    offered = [ending.fact_uuid for ending in proposal.offered]
    reading = reader.read(names, near | {uuid for uuid in chosen if uuid}, offered, drafts)
    stored, former = workspace.run(reading)
    counts, held = Counter(draft.relation for draft in drafts), {fact.relation for fact in stored.facts}
    # it matters whether a relation holds one at a time where another fact has it, too
    asked = {relation for relation, count in counts.items() if count > 1 or relation in held}
    types = frozenset(kind.name for kind in mirror.types() if kind.name)
    followed = followed_relations(mirror, Instants(now, now), asked - set(proposal.one_at_a_time))
    return GraphSnapshot(workspace.name, now, stored, former, followed, types, relations, schema)


def with_known_relations(proposal: Proposal, relations: Collection[str], schema: Collection[str]) -> Proposal:
    """The proposal with its relations in the spelling that the graph, or else the schema, has for them."""
    facts = (
        replace(fact, draft=replace(fact.draft, relation=known_relation(fact.draft.relation, relations, schema)))
        for fact in proposal.facts
    )
    one_at_a_time = (known_relation(name, relations, schema) for name in proposal.one_at_a_time)
    return replace(proposal, facts=tuple(facts), one_at_a_time=tuple(dict.fromkeys(one_at_a_time)))


class _Reader:
    """Looks up entities and facts, a few at a time."""

    def __init__(self, workspace: OpenWorkspace) -> None:
        self._graph, self._name = workspace.graph, workspace.name
        self._turns = asyncio.Semaphore(_AT_ONCE)

    async def read(
        self, names: Sequence[str], uuids: Collection[str], offered: Sequence[str], drafts: Sequence[Draft]
    ) -> tuple[GraphWrite, dict[str, str]]:
        """Entities of these names and uuids, histories of possible sources, and the facts that were offered to end."""
        merged = await self._graph.merged(self._name)
        asked = {name_key(name) for name in names}
        former = {name_key(one.name): one.into for one in merged if name_key(one.name) in asked}
        former |= {one.uuid: one.into for one in merged if one.uuid in uuids}
        meant = sorted({*uuids, *former.values()})
        found = {entity.uuid: entity for entity in await self._graph.entities(self._name, meant)}
        exactly = partial(self._graph.entities_named, self._name, exactly=True)
        named = await asyncio.gather(*(self._in_turn(exactly(name)) for name in names))
        found |= {entity.uuid: entity for entities in named for entity in entities}
        entities = sorted(
            (e for e in found.values() if own_id(e.uuid) is None),
            key=lambda e: (e.created_at or clock.EARLIEST, e.uuid),
        )
        sources = [entity.uuid for entity in entities if _may_be_source(entity, drafts, former)]
        histories = await asyncio.gather(*(self._in_turn(self._graph.history(self._name, one)) for one in sources))
        facts = {fact.uuid: fact for history in histories for fact in history if own_id(fact.uuid) is None}
        facts |= {fact.uuid: fact for fact in await self._graph.facts(self._name, offered)}
        return GraphWrite(tuple(entities), tuple(facts.values())), former

    async def _in_turn[T](self, work: Awaitable[T]) -> T:
        async with self._turns:
            return await work


def _may_be_source(entity: Entity, drafts: Sequence[Draft], former: Mapping[str, str]) -> bool:
    """True for whatever a draft's source is, may be, or may become by the analyst's choice of an offered entity."""
    return any(
        entity.uuid in (draft.same_source, former.get(name_key(draft.source)))
        or name_key(draft.source) == name_key(entity.name)
        or likeness(draft.source, draft.source_type, entity)
        or is_part(draft.source, entity)
        for draft in drafts
    )
