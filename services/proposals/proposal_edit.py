"""A proposal's ticked lines as one edit, with the document that they were read from."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from services.context import OpenWorkspace
from services.core import clock, time_rule
from services.core.draft_records import Ending
from services.core.errors import BadInput
from services.core.models import Fact
from services.proposals.preselection import SHOWN
from services.proposals.proposal_records import EntityChoice, Proposal, ProposedFact
from services.proposals.rows import end_of, is_possible, rows_of, written_facts
from services.writing.changes.change_lines import counts_of, lines_of
from services.writing.edits import Edit
from services.writing.importer import edit_of, preview_import


def check_as_shown(shown: Proposal, now: Proposal, stored: Iterable[Fact]) -> None:
    """Raise `BadInput` where writing what is ticked would do otherwise than `shown` said, since the graph changed.

    That a fact is in by now as the text has it is no such thing, nor that one of `stored` has ended as it was to end.
    """
    seen = {fact.key: fact for fact in written_facts(shown)}
    writes = {fact.key: fact for fact in written_facts(now)}
    in_by_now = {fact.key for fact in now.facts if fact.verdict == "unchanged"}
    otherwise = any(
        key not in seen
        or (fact.verdict == "correction" != seen[key].verdict)
        or _last_end(fact) != _last_end(seen[key])
        for key, fact in writes.items()
    )
    to_end, ends = _ends(shown), _ends(now)
    stops = [(fact.uuid, time_rule.end(fact, clock.LATEST)) for fact in stored if fact.withdrawn_at is None]
    ended = {*stops, *((uuid, None) for uuid, stop in stops if stop is not None)}
    if seen.keys() - writes.keys() - in_by_now or otherwise or ends - to_end or to_end - ends - ended:
        raise BadInput(
            "The graph has changed since this preview.",
            "Review the facts again, then save.",
        )


def _last_end(fact: ProposedFact) -> datetime | None:
    """The end that the fact has once it is written: its own, or that of the stored fact that it says again."""
    return end_of(fact) or (time_rule.end(fact.repeats, clock.LATEST) if fact.repeats else None)


def _ends(proposal: Proposal) -> set[tuple[str, datetime | None]]:
    """The stored facts that writing the proposal ends, each with its end."""
    written = {None, *(fact.key for fact in written_facts(proposal))}
    return {(e.fact.uuid, e.invalid_at) for e in proposal.endings if e.ticked and e.by in written}


def edit_of_proposal(
    workspace: OpenWorkspace, proposal: Proposal, document: Edit, episode_uuid: str
) -> tuple[Edit, Mapping[str, int]]:
    """The ticked lines, with what takes the document in: one edit, for whoever holds the writer lock; and what it does
    to facts, by kind as in the list of changes.

    The source of each fact is the episode, which is in the graph or in `document`; it mentions the ends of its facts.
    Ending and correcting is dated now, and the episode is the reason. Raises `GraphUnavailable`.
    """
    plan = preview_import(workspace, rows_of(proposal, episode_uuid))
    facts = edit_of(plan)
    lines = lines_of(facts, {fact.uuid: fact for fact in plan.before.facts}, {})
    return edit_of(plan, beside=document), counts_of(facts, lines)


def left_of(proposal: Proposal, edit: Edit) -> Proposal:
    """What a written proposal leaves for review: facts and endings that were not written, above what is shown at all.

    A name that the analyst made new is from here on the entity that `edit` made of it.
    """
    made = {(e.name, type_): e.uuid for e in edit.created.entities for type_ in ("", *e.types)}
    choices = tuple(EntityChoice(c.name, c.type, c.uuid or made.get((c.name, c.type))) for c in proposal.choices)
    written = {fact.key for fact in written_facts(proposal)}
    facts = tuple(
        f
        for f in proposal.facts
        if f.key not in written and f.verdict != "unchanged" and is_possible(f) and f.draft.confidence >= SHOWN
    )
    keys = {fact.key for fact in facts}
    unticked = [replace(e, by=None) for e in proposal.endings if not e.ticked and e.by not in keys]
    offered = [o for o in proposal.offered if str(o.by) in keys]
    offered += [
        Ending(ending.fact.uuid, ending.invalid_at, invalid_at_precision=ending.invalid_at_precision)
        for ending in unticked
    ]
    return replace(proposal, facts=facts, endings=tuple(unticked), offered=tuple(offered), choices=choices)
