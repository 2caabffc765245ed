"""A small graph, and texts about it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from services.core.draft_records import Draft, Ending, Extraction, RelationKind, Schema, SourceText
from services.core.models import Entity, Fact, GraphWrite
from services.proposals.graph_diff import bare_proposal, diff
from services.proposals.graph_snapshot import GraphSnapshot
from services.proposals.proposal_records import Proposal

NOW = datetime(2031, 1, 1, tzinfo=UTC)
READ = datetime(2030, 6, 1, tzinfo=UTC)
SCHEMA = Schema((), (RelationKind("LIVES_IN", one_at_a_time=True), RelationKind("KNOWS"), RelationKind("WORKS_FOR")))

ANN = Entity("ann", "Ann Lee", ("Person",), created_at=datetime(2001, 1, 1, tzinfo=UTC))
ROME = Entity("rome", "Rome", ("Place",))
PARIS = Entity("paris", "Paris", ("Place",))
ACME = Entity("acme", "Acme Corp.", ("Organization",))
BOB = Entity("bob", "Bob", ())


def year(number: int) -> datetime:
    return datetime(number, 1, 1, tzinfo=UTC)


def fact(
    source: Entity, relation: str, target: Entity, start: int | None = None, end: int | None = None, **more: Any
) -> Fact:
    uuid = more.pop("uuid", f"{source.uuid}-{relation}-{target.uuid}-{start}")
    text = more.pop("text", f"{source.name} {relation.replace('_', ' ').lower()} {target.name}")
    return Fact(
        uuid,
        source.uuid,
        target.uuid,
        source.name,
        relation,
        target.name,
        text,
        start and year(start),
        end and year(end),
        created_at=year(2010),
        **more,
    )


def snapshot(*facts: Fact, entities: Sequence[Entity] = (ANN, ROME, PARIS, ACME, BOB), **more: Any) -> GraphSnapshot:
    return GraphSnapshot("_", NOW, GraphWrite(tuple(entities), facts), **more)


def draft(
    source: str, relation: str, target: str, start: int | None = None, end: int | None = None, **more: Any
) -> Draft:
    return Draft(source, relation, target, valid_at=start and year(start), invalid_at=end and year(end), **more)


def proposal(on: GraphSnapshot, *drafts: Draft, endings: Sequence[Ending] = (), schema: Schema = SCHEMA) -> Proposal:
    text = SourceText("note", "A note.", reference_time=READ)
    extraction = Extraction(drafts, tuple(endings))
    return diff(bare_proposal(text, extraction, schema, "rules", episode_uuid="episode"), on)
