"""What an analyst does to a proposal under review: pure functions, each of which weighs everything anew.

A name that the snapshot was not read for counts as a new entity's; `snapshot_for` reads it again.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from services.core.draft_records import Draft
from services.core.errors import BadInput
from services.proposals.graph_diff import diff
from services.proposals.graph_snapshot import GraphSnapshot
from services.proposals.proposal_records import EntityChoice, Proposal, ProposedFact
from services.proposals.resolving import check_draft, storable


def with_ticks(proposal: Proposal, snapshot: GraphSnapshot, ticks: Mapping[str, bool]) -> Proposal:
    """Tick and untick: facts by their key, endings by the uuid of the stored fact."""
    return diff(replace(proposal, ticks={**proposal.ticks, **ticks}), snapshot)


def with_draft(proposal: Proposal, snapshot: GraphSnapshot, key: str, **fields: Any) -> Proposal:
    """Change fields of a draft, by the names that `Draft` has for them. What an analyst wrote is no guess any more.

    A date that was offered beside it is offered no longer. Raises `BadInput` for a missing name, and for an end that is
    not after its start.
    """
    facts = tuple(replace(f, draft=_changed(f, fields)) if f.key == key else f for f in proposal.facts)
    return diff(replace(proposal, facts=facts), snapshot)


def _changed(fact: ProposedFact, fields: Mapping[str, Any]) -> Draft:
    draft = storable(replace(fact.draft, **fields))
    check_draft(draft)
    if draft == fact.draft:
        return draft
    sure = replace(draft, confidence=1.0, valid_at_confidence=1.0, invalid_at_confidence=1.0)
    return replace(sure, unsure_valid_at=None, unsure_invalid_at=None)


def with_offered_date(proposal: Proposal, snapshot: GraphSnapshot, key: str, name: str) -> Proposal:
    """Give a draft the date that is offered beside it as `valid_at` or `invalid_at`, which is sure from here on.

    Raises `BadInput` for an end that is not after the start.
    """
    facts = tuple(replace(f, draft=_with_offered(f.draft, name)) if f.key == key else f for f in proposal.facts)
    return diff(replace(proposal, facts=facts), snapshot)


def _with_offered(draft: Draft, name: str) -> Draft:
    day = getattr(draft, f"unsure_{name}")
    if day is None:
        return draft
    changed: dict[str, Any] = {name: day, f"unsure_{name}": None, f"{name}_confidence": 1.0}
    found = replace(draft, **changed)
    check_draft(found)
    return found


def with_entity(proposal: Proposal, snapshot: GraphSnapshot, name: str, type_: str, uuid: str | None) -> Proposal:
    """Say that a name, wherever the proposal has it with that type, is the entity `uuid`; None makes it a new one.

    Raises `BadInput` for an entity that the snapshot does not hold.
    """
    if uuid is not None and snapshot.entity(uuid) is None:
        raise BadInput("That entity is no longer in the graph.", "Choose another entity.")
    others = tuple(choice for choice in proposal.choices if (choice.name, choice.type) != (name, type_))
    return diff(replace(proposal, choices=(*others, EntityChoice(name, type_, uuid))), snapshot)


def without(proposal: Proposal, snapshot: GraphSnapshot, key: str) -> Proposal:
    """Drop a fact; what it alone would end stays."""
    return diff(replace(proposal, facts=tuple(fact for fact in proposal.facts if fact.key != key)), snapshot)
