"""What drafts mean against the graph: a pure function, so that each edit of the analyst is compared as the first time.

Nothing good is retired silently: `endings.py` holds when a stored fact may end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from services.context import OpenWorkspace
from services.core import clock, time_rule
from services.core.draft_records import Draft, Extraction, Schema, SourceText
from services.core.models import Fact
from services.language.inflection import stem
from services.language.names import name_key
from services.language.relation_names import relation_words
from services.proposals.endings import bounded, endings_of
from services.proposals.graph_snapshot import GraphSnapshot, snapshot_for, with_known_relations
from services.proposals.preselection import is_sure
from services.proposals.proposal_records import Proposal, ProposedFact, Resolved
from services.proposals.resolving import Name, is_whole, one_spelling, resolved_names, storable
from services.proposals.rows import end_of, identity_of, is_possible, row_of, start_of
from services.writing.fact_revisions import Verdict
from services.writing.import_plan import identity, plan_import

_SMALL = {"as", "at", "by", "for", "from", "has", "have", "in", "is", "of", "on", "to", "was", "with"}


def bare_proposal(
    source: SourceText, extraction: Extraction, schema: Schema | None, extractor: str, *, episode_uuid: str = ""
) -> Proposal:
    """The drafts of a text as a proposal, before anything of the graph went into it; one without a name is left out."""
    drafts = one_spelling(map(storable, extraction.drafts))
    facts = [
        ProposedFact(str(number), draft, Resolved(draft.source), Resolved(draft.target), "new")
        for number, draft in enumerate(drafts)
        if is_whole(draft)
    ]
    one_at_a_time = tuple(kind.name for kind in schema.relations if kind.one_at_a_time) if schema else ()
    return Proposal(
        source,
        tuple(facts),
        extractor=extractor,
        episode_uuid=episode_uuid,
        offered=extraction.endings,
        one_at_a_time=one_at_a_time,
    )


def diff_against_graph(workspace: OpenWorkspace, proposal: Proposal) -> Proposal:
    """Compare a proposal with the graph as it is by now; what the analyst decided stays decided. Nothing is written.

    Raises `GraphUnavailable`.
    """
    return diff(proposal, snapshot_for(workspace, proposal))


def diff(proposal: Proposal, snapshot: GraphSnapshot) -> Proposal:
    """Work everything out anew: relations as the graph has them, what names stand for, verdicts, look-alikes, endings,
    ticks."""
    proposal = with_known_relations(proposal, snapshot.relations, snapshot.schema)
    names = resolved_names([fact.draft for fact in proposal.facts], proposal.choices, snapshot)
    read_at = proposal.source.reference_time or snapshot.now
    placed = [_placed(fact, names, read_at, snapshot) for fact in proposal.facts]
    judged = _judged(placed, proposal, snapshot)
    facts = [_ticked(replace(fact, similar=_similar(fact, snapshot)), proposal, snapshot) for fact in judged]
    bound = bounded(facts, proposal, snapshot)
    return replace(proposal, facts=tuple(bound), endings=endings_of(bound, proposal, snapshot))


def _placed(
    fact: ProposedFact, names: Mapping[Name, Resolved], read_at: datetime, snapshot: GraphSnapshot
) -> ProposedFact:
    """The fact between the entities that its names stand for, with the stored fact that it says again or ends."""
    draft = fact.draft
    source, target = names[draft.source, draft.source_type], names[draft.target, draft.target_type]
    over_at = read_at if draft.is_over and draft.invalid_at is None else None
    stored = [
        f
        for f in snapshot.stored.facts
        if source.uuid == f.source_uuid and target.uuid == f.target_uuid and f.relation == draft.relation
    ]
    repeats = _repeated(draft, draft.invalid_at or over_at, read_at, [f for f in stored if f.withdrawn_at is None])
    return ProposedFact(fact.key, draft, source, target, "new", repeats=repeats)


def _repeated(draft: Draft, end: datetime | None, read_at: datetime, stored: Sequence[Fact]) -> Fact | None:
    """The stored fact that a draft is about, among those of the same ends and relation.

    One that gives no start is about what held when the text was written, if that is one fact; and one that is over is
    about the latest fact that is still open.
    """
    same = [fact for fact in stored if fact.valid_at == draft.valid_at]
    if same or draft.valid_at is not None:
        return next((fact for fact in same if _stop(fact) is None), same[0] if same else None)
    at = read_at if end is None else end
    begun = [fact for fact in stored if fact.valid_at is None or fact.valid_at < at]
    if end is not None:
        still = [fact for fact in begun if _stop(fact) is None]
        return max(still, key=lambda f: f.valid_at or clock.EARLIEST, default=None)
    held = [fact for fact in begun if (_stop(fact) or clock.LATEST) > at]
    return held[0] if len(held) == 1 else None


def _stop(fact: Fact) -> datetime | None:
    return time_rule.end(fact, clock.LATEST)


def _judged(facts: Sequence[ProposedFact], proposal: Proposal, snapshot: GraphSnapshot) -> list[ProposedFact]:
    """The facts with the verdicts of the import table."""
    source = proposal.source
    episode = (proposal.episode_uuid or identity(snapshot.workspace, "episode", source.id)) if source.text else ""
    possible = [fact for fact in facts if is_possible(fact)]
    rows = [row_of(fact, number, episode) for number, fact in enumerate(possible, 1)]
    plan = plan_import(snapshot.workspace, rows, snapshot.stored, snapshot.now)
    verdicts: dict[str, Verdict] = {f.key: verdict for f, verdict in zip(possible, plan.verdicts, strict=True)}
    return [replace(fact, verdict=verdicts.get(fact.key, "new")) for fact in facts]


def _similar(fact: ProposedFact, snapshot: GraphSnapshot) -> tuple[Fact, ...]:
    """Stored facts that say nearly the same, without the one that the row is about."""
    if fact.verdict not in ("new", "correction"):
        return ()
    return tuple(
        stored
        for stored in snapshot.stored.facts
        if stored.withdrawn_at is None and stored is not fact.repeats and _is_similar(fact, stored)
    )


def _is_similar(fact: ProposedFact, stored: Fact) -> bool:
    if fact.draft.fact and name_key(fact.draft.fact) == name_key(stored.text) and _meet(fact, stored):
        return True
    same_relation = stored.relation == fact.draft.relation
    if not same_relation and _words(stored.relation) != _words(fact.draft.relation):
        return False
    sources, targets = _may_be(fact.source), _may_be(fact.target)
    ends = stored.source_uuid, stored.target_uuid
    if ends == (fact.source.uuid, fact.target.uuid) or (same_relation and ends == (fact.target.uuid, fact.source.uuid)):
        return _meet(fact, stored)
    return same_relation and ends[0] in sources and ends[1] in targets and _meet(fact, stored)


def _may_be(one: Resolved) -> set[str | None]:
    return {one.uuid, *(candidate.entity.uuid for candidate in one.others)} - {None}


def _meet(fact: ProposedFact, stored: Fact) -> bool:
    """True where both may hold at one time; what has no start may have begun at any."""
    begins_before = (start_of(fact) or clock.EARLIEST) < (_stop(stored) or clock.LATEST)
    return begins_before and (stored.valid_at or clock.EARLIEST) < (end_of(fact) or clock.LATEST)


def _words(relation: str) -> frozenset[str]:
    """A relation's telling words, without their endings: WORKS_FOR and WORKED_AT have the same."""
    words = relation_words(relation)
    return frozenset(stem(word) for word in words if word not in _SMALL) or frozenset(words)


def _ticked(fact: ProposedFact, proposal: Proposal, snapshot: GraphSnapshot) -> ProposedFact:
    """The fact with its tick: the analyst's word, else what the reasons against it and its confidence say."""
    reason = _against(fact, snapshot)
    ticked = proposal.ticks.get(fact.key, not reason and is_sure(fact.draft))
    return replace(fact, ticked=ticked and fact.verdict != "unchanged" and is_possible(fact), reason=reason)


def _against(fact: ProposedFact, snapshot: GraphSnapshot) -> str:
    """What of the graph or of the fact itself speaks against it, in words; empty where nothing does."""
    if not is_possible(fact):
        return "The end must be after the start."
    if identity_of(fact.source) == identity_of(fact.target):
        return "The entity and the value are the same."
    if fact.verdict == "unchanged":
        return "The graph already has this fact, or the text states it twice."
    if fact.verdict == "correction":
        return "The graph has this fact with another end date. Select it to correct the date."
    if fact.similar:
        return "The graph has nearly the same fact."
    if fact.verdict == "new" and _was_withdrawn(fact, snapshot):
        return "The graph had this fact, but someone withdrew it as wrong."
    return ""


def _was_withdrawn(fact: ProposedFact, snapshot: GraphSnapshot) -> bool:
    ends = fact.source.uuid, fact.draft.relation, fact.target.uuid
    return any(
        f.withdrawn_at is not None
        and (f.source_uuid, f.relation, f.target_uuid) == ends
        and start_of(fact) in (None, f.valid_at)
        for f in snapshot.stored.facts
    )
