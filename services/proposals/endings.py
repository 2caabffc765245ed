"""When a stored fact would end: what is certain is ticked, everything else is offered.

A draft ends a stored fact only where its relation holds one at a time, the subject is the same entity, and the new one
has a later start; or where the text says that the very fact is over. Starts that were given as periods which overlap
("2013", "March 2013") have no order, so neither fact ends the other without asking.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from services.core import clock, time_rule
from services.core.models import Fact, Precision
from services.core.precision import overlap
from services.proposals.graph_snapshot import GraphSnapshot
from services.proposals.proposal_records import Proposal, ProposedEnding, ProposedFact
from services.proposals.rows import (
    end_of,
    end_precision_of,
    identity_of,
    is_over_unknown,
    start_of,
    start_precision_of,
)


def is_one_at_a_time(relation: str, proposal: Proposal, snapshot: GraphSnapshot) -> bool:
    """True for a relation that holds one at a time, by the schema or by the data."""
    return relation in proposal.one_at_a_time or relation in snapshot.followed


def bounded(facts: Sequence[ProposedFact], proposal: Proposal, snapshot: GraphSnapshot) -> list[ProposedFact]:
    """The facts with the ends that others give them, stored or of the same text; and the contradictions unticked."""
    found = {fact.key: _before_later(fact, proposal, snapshot) for fact in facts}
    groups: dict[tuple[str, str], list[ProposedFact]] = defaultdict(list)
    for fact in found.values():
        if fact.ticked and fact.verdict == "new" and is_one_at_a_time(fact.draft.relation, proposal, snapshot):
            groups[identity_of(fact.source), fact.draft.relation].append(fact)
    for group in groups.values():
        found |= {fact.key: fact for fact in _in_turn(group, proposal)}
    return list(found.values())


def _before_later(fact: ProposedFact, proposal: Proposal, snapshot: GraphSnapshot) -> ProposedFact:
    """A fact of the past ends where the stored fact that followed it began; with one that it has no order to it
    collides."""
    start = start_of(fact)
    if fact.verdict != "new" or start is None or not is_one_at_a_time(fact.draft.relation, proposal, snapshot):
        return fact
    rivals = [rival for rival in rivals_of(fact, snapshot) if rival.valid_at is not None]
    unordered = tuple(rival for rival in rivals if _began_together(fact, rival) and not _are_apart(fact, rival))
    if unordered:
        same = next((rival for rival in unordered if rival.valid_at == start), None)
        doubt = (
            f"The graph has “{same.text}” with the same start date."
            if same
            else f"The graph has “{unordered[0].text}”, and the dates do not show which came first."
        )
        return replace(
            fact,
            similar=(*fact.similar, *(rival for rival in unordered if rival not in fact.similar)),
            ticked=proposal.ticks.get(fact.key, False),
            reason=fact.reason or doubt,
        )
    later = [
        (rival.valid_at, rival.valid_at_precision)
        for rival in rivals
        if rival.valid_at and rival.valid_at > start and not _began_together(fact, rival)
    ]
    if later and not _has_ended(fact):
        ends_at, precision = min(later)
        return replace(fact, ends_at=ends_at, ends_at_precision=precision)
    return fact


def _began_together(fact: ProposedFact, rival: Fact) -> bool:
    """True where both began in periods that share an instant, so that no start is before the other."""
    start = start_of(fact)
    if start is None or rival.valid_at is None:
        return False
    return overlap(start, start_precision_of(fact), rival.valid_at, rival.valid_at_precision)


def _are_apart(fact: ProposedFact, rival: Fact) -> bool:
    """True where one is known to have ended before the other began."""
    spans = (start_of(fact), end_of(fact)), (rival.valid_at, time_rule.end(rival, clock.LATEST))
    return any(end and start and end <= start for (_, end), (start, _) in (spans, spans[::-1]))


def _has_ended(fact: ProposedFact) -> bool:
    return fact.draft.is_over or end_of(fact) is not None


def _in_turn(group: Sequence[ProposedFact], proposal: Proposal) -> Iterator[ProposedFact]:
    """Facts of one text about one thing at a time: the later one ends the earlier; of two that no date tells apart
    the second is not ticked."""
    kept: list[ProposedFact] = []
    for fact in group:
        clash = next((other for other in kept if _clash(fact, other)), None)
        if clash is None:
            kept.append(fact)
            continue
        reason = f"The text also says “{clash.draft.target}”, and the dates do not show which came later."
        yield replace(fact, ticked=proposal.ticks.get(fact.key, False), reason=reason)
    dated = sorted((fact for fact in kept if start_of(fact)), key=lambda f: start_of(f) or clock.EARLIEST)
    for i, fact in enumerate(dated):
        others = (other for other in dated[i + 1 :] if identity_of(other.target) != identity_of(fact.target))
        following = [other for other in others if not _start_together(fact, other)]
        ends = [(start, start_precision_of(other)) for other in following if (start := start_of(other))][:1]
        ends += [(fact.ends_at, fact.ends_at_precision)] if fact.ends_at else []
        if ends and fact.draft.invalid_at is None:
            ends_at, precision = min(ends)
            fact = replace(fact, ends_at=ends_at, ends_at_precision=precision)
        yield fact


def _clash(one: ProposedFact, other: ProposedFact) -> bool:
    """True where both are open, and no two starts put them in order."""
    if identity_of(one.target) == identity_of(other.target) or _has_ended(one) or _has_ended(other):
        return False
    return _start_together(one, other)


def _start_together(one: ProposedFact, other: ProposedFact) -> bool:
    """True where no start is before the other: one has none, or their periods share an instant."""
    start, begun = start_of(one), start_of(other)
    if start is None or begun is None:
        return True
    return overlap(start, start_precision_of(one), begun, start_precision_of(other))


def endings_of(
    facts: Sequence[ProposedFact], proposal: Proposal, snapshot: GraphSnapshot
) -> tuple[ProposedEnding, ...]:
    """Every stored fact that would end, or that the extractor takes for ended; each once."""
    found: dict[str, ProposedEnding] = {}
    ways = (
        _stated_as_over(facts, snapshot),
        _succeeded(facts, proposal, snapshot),
        _taken_for_ended(facts, proposal, snapshot),
    )
    for ending in (ending for way in ways for ending in way):
        found.setdefault(ending.fact.uuid, ending)
    ticks = proposal.ticks
    return tuple(replace(e, ticked=ticks.get(e.fact.uuid, e.ticked)) for e in found.values())


def _stated_as_over(facts: Iterable[ProposedFact], snapshot: GraphSnapshot) -> Iterator[ProposedEnding]:
    for fact in facts:
        if fact.verdict == "change" and fact.repeats is not None:
            is_sure = _could_be_meant(fact, fact.repeats, snapshot) == 1
            reason = (
                "The text says that this fact has ended."
                if is_sure
                else "The text may refer to any of several facts in the graph."
            )
            precision, unknown = end_precision_of(fact), is_over_unknown(fact)
            yield ProposedEnding(fact.repeats, end_of(fact), reason, fact.key, is_sure, precision, unknown)


def _could_be_meant(fact: ProposedFact, repeats: Fact, snapshot: GraphSnapshot) -> int:
    """How many open facts of the same ends and relation there are, of the draft's start where that has one."""
    ends = repeats.source_uuid, repeats.relation, repeats.target_uuid
    return sum(
        (f.source_uuid, f.relation, f.target_uuid) == ends
        and f.withdrawn_at is None
        and time_rule.end(f, clock.LATEST) is None
        and fact.draft.valid_at in (None, f.valid_at)
        for f in snapshot.stored.facts
    )


def _succeeded(facts: Sequence[ProposedFact], proposal: Proposal, snapshot: GraphSnapshot) -> Iterator[ProposedEnding]:
    """What the facts of the text take the place of, the earliest first."""
    new = [f for f in facts if f.verdict == "new" and is_one_at_a_time(f.draft.relation, proposal, snapshot)]
    for fact in sorted(new, key=lambda f: (not f.ticked, start_of(f) or clock.LATEST)):
        rivals = [rival for rival in rivals_of(fact, snapshot) if time_rule.end(rival, clock.LATEST) is None]
        start, ends_at = start_of(fact), start_of(fact) or proposal.source.reference_time or snapshot.now
        earlier = [rival for rival in rivals if start and rival.valid_at and rival.valid_at < start]
        for rival in rivals:
            if rival.valid_at is not None and rival.valid_at >= ends_at:
                continue
            doubt = _doubt(fact, rival, earlier)
            reason = doubt or f"{fact.draft.relation} has one value at a time, and the new value starts later."
            yield ProposedEnding(rival, ends_at, reason, fact.key, not doubt, start_precision_of(fact))


def _precision_of_start(fact: ProposedFact | None) -> Precision:
    return start_precision_of(fact) if fact else "instant"


def _doubt(fact: ProposedFact, rival: Fact, earlier: Sequence[Fact]) -> str:
    """Why a stored fact of a relation that holds one at a time is not ended without asking; empty where it is."""
    if start_of(fact) is None:
        return "The text gives no start date, so the fact starts on the date of the text."
    if rival.valid_at is None:
        return "This fact has no start date, so it may have started later."
    if _began_together(fact, rival):
        return "Both facts started in the same period, so the dates do not show which came first."
    return "The graph has several such facts at the same time." if len(earlier) > 1 else ""


def rivals_of(fact: ProposedFact, snapshot: GraphSnapshot) -> list[Fact]:
    """Stored facts of the same subject and relation about another target, as they are recorded now."""
    if fact.source.uuid is None:
        return []
    return [
        stored
        for stored in snapshot.stored.facts
        if stored.source_uuid == fact.source.uuid
        and stored.relation == fact.draft.relation
        and stored.target_uuid != fact.target.uuid
        and stored.withdrawn_at is None
    ]


def _taken_for_ended(
    facts: Sequence[ProposedFact], proposal: Proposal, snapshot: GraphSnapshot
) -> Iterator[ProposedEnding]:
    """What the extractor takes for ended beyond that: offered, unticked."""
    stored = {fact.uuid: fact for fact in snapshot.stored.facts}
    by_key = {fact.key: fact for fact in facts}
    for offered in proposal.offered:
        fact = stored.get(offered.fact_uuid)
        by = by_key.get(str(offered.by))
        if (
            fact is None
            or fact.withdrawn_at
            or time_rule.end(fact, clock.LATEST)
            or (offered.by is not None and by is None)
        ):
            continue
        ends_at = offered.invalid_at or (start_of(by) if by else None)
        if fact.valid_at is None or ends_at is None or fact.valid_at < ends_at:
            reason = "Only the extractor suggests that this fact ended."
            precision = offered.invalid_at_precision if offered.invalid_at else _precision_of_start(by)
            yield ProposedEnding(fact, ends_at, reason, by.key if by else None, False, precision, ends_at is None)
