"""A proposal's lines as import rows: the import table says what they mean."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from services.core.import_rows import Row
from services.core.models import Precision
from services.core.precision import stored_end
from services.language.names import name_key
from services.proposals.proposal_records import Proposal, ProposedEnding, ProposedFact, Resolved


def start_of(fact: ProposedFact) -> datetime | None:
    """The start that is written: the draft's own, or that of the stored fact that it repeats."""
    return fact.repeats.valid_at if fact.repeats and fact.draft.valid_at is None else fact.draft.valid_at


def start_precision_of(fact: ProposedFact) -> Precision:
    """How the start that is written was given."""
    if start_of(fact) is None:
        return "instant"
    draft = fact.draft
    return fact.repeats.valid_at_precision if fact.repeats and draft.valid_at is None else draft.valid_at_precision


def end_of(fact: ProposedFact) -> datetime | None:
    """The end that is written."""
    return stored_end(start_of(fact), fact.draft.invalid_at, fact.draft.invalid_at_precision) or fact.ends_at


def end_precision_of(fact: ProposedFact) -> Precision:
    """How the end that is written was given."""
    if end_of(fact) is None:
        return "instant"
    return fact.draft.invalid_at_precision if fact.draft.invalid_at else fact.ends_at_precision


def is_over_unknown(fact: ProposedFact) -> bool:
    """True for a fact that has ended, when nothing tells when."""
    return fact.draft.is_over and end_of(fact) is None


def is_possible(fact: ProposedFact) -> bool:
    """False where its end is not after its start: the import refuses such a row."""
    start, end = start_of(fact), end_of(fact)
    return start is None or end is None or end > start


def name_of(one: Resolved) -> str:
    """The name that is written: the entity's own."""
    return one.entity.name if one.entity else one.name


def uuid_of(one: Resolved) -> str:
    """The uuid that is written; empty for a new entity that the import names."""
    return one.uuid or one.new_uuid


def identity_of(one: Resolved) -> str:
    """What tells an entity from others of the proposal: its uuid, else its name."""
    return uuid_of(one) or name_key(one.name)


def row_of(fact: ProposedFact, number: int, episode_uuid: str) -> Row:
    """One proposed fact as a row whose source is the episode."""
    draft = fact.draft
    return Row(
        number,
        name_of(fact.source),
        draft.relation,
        name_of(fact.target),
        draft.fact,
        _type_of(fact.source),
        _type_of(fact.target),
        start_of(fact),
        end_of(fact),
        episode_uuid=episode_uuid,
        source_uuid=uuid_of(fact.source),
        target_uuid=uuid_of(fact.target),
        fact_uuid=fact.repeats.uuid if fact.repeats else "",
        valid_at_precision=start_precision_of(fact),
        invalid_at_precision=end_precision_of(fact),
        ended_unknown=is_over_unknown(fact),
    )


def rows_of(proposal: Proposal, episode_uuid: str = "") -> list[Row]:
    """What is ticked, as rows: facts with the episode as their source, and stored facts with the end they get from it.

    Without `episode_uuid` it is the proposal's own.
    """
    episode = episode_uuid or proposal.episode_uuid
    written = written_facts(proposal)
    rows = [row_of(fact, number, episode) for number, fact in enumerate(written, 1)]
    return rows + [_ending_row(e, len(rows) + n, episode) for n, e in enumerate(_written_endings(proposal, written), 1)]


def written_facts(proposal: Proposal) -> tuple[ProposedFact, ...]:
    """The facts that are ticked; one that only ends a stored fact needs that ending's tick, too."""
    kept = {(ending.by, ending.fact.uuid) for ending in proposal.endings if not ending.ticked}
    facts = (fact for fact in proposal.facts if fact.ticked and fact.verdict != "unchanged" and is_possible(fact))
    return tuple(fact for fact in facts if fact.repeats is None or (fact.key, fact.repeats.uuid) not in kept)


def _written_endings(proposal: Proposal, written: Sequence[ProposedFact]) -> Iterator[ProposedEnding]:
    """The endings that are ticked with the facts that bring them, without those that a fact's own row says."""
    by_key = {fact.key: fact for fact in written}
    for ending in proposal.endings:
        by = by_key.get(ending.by or "")
        if not ending.ticked or not ending.is_known or (ending.by is not None and by is None):
            continue
        if by is None or by.repeats is None or by.repeats.uuid != ending.fact.uuid:
            yield ending


def _ending_row(ending: ProposedEnding, number: int, episode_uuid: str) -> Row:
    fact = ending.fact
    return Row(
        number,
        fact.source,
        fact.relation,
        fact.target,
        valid_at=fact.valid_at,
        invalid_at=ending.invalid_at,
        ending_uuid=episode_uuid,
        source_uuid=fact.source_uuid,
        target_uuid=fact.target_uuid,
        fact_uuid=fact.uuid,
        valid_at_precision=fact.valid_at_precision,
        invalid_at_precision=ending.invalid_at_precision,
        ended_unknown=ending.ended_unknown,
    )


def _type_of(one: Resolved) -> str:
    """The type that is written: an entity that has others keeps them."""
    if one.entity is None or not one.entity.types or one.type in one.entity.types:
        return one.type
    return one.entity.type
