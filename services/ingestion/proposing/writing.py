"""A proposal's ticked lines as one edit, with the document that they were read from."""

from dataclasses import dataclass, replace

from services import clock
from services.bootstrap import Services
from services.errors import BadInput
from services.ingestion.edits import Edit
from services.ingestion.extraction.records import Ending
from services.ingestion.importer import edit_of, preview_import
from services.ingestion.plan import Plan
from services.ingestion.proposals import SHOWN, Choice, Proposal
from services.ingestion.proposing.rows import is_possible, rows_of, written_facts
from services.models import Fact


@dataclass(frozen=True, slots=True)
class ProposedEdit:
    """What writing a proposal does: facts that are new, and stored ones that end, are corrected or get a source."""

    edit: Edit
    added: int = 0
    ended: int = 0
    sourced: int = 0


def check_as_shown(shown: Proposal, now: Proposal) -> None:
    """Raise `BadInput` where writing what is ticked would do otherwise than `shown` said, since the graph changed.

    That a fact is in by now as the text has it is no such thing.
    """
    seen = {fact.key: fact for fact in written_facts(shown)}
    writes = {fact.key: fact for fact in written_facts(now)}
    in_by_now = {fact.key for fact in now.facts if fact.verdict == "unchanged"}
    corrected = {key for key, fact in writes.items() if fact.verdict == "correction" != seen.get(key, fact).verdict}
    ended = {e.fact.uuid for e in now.endings if e.ticked} - {e.fact.uuid for e in shown.endings if e.ticked}
    if seen.keys() - writes.keys() - in_by_now or corrected or ended:
        raise BadInput(
            "The graph was changed meanwhile, and this would do otherwise than is shown.",
            "Look at the lines again, and save them then.",
        )


def edit_of_proposal(
    services: Services, workspace: str, proposal: Proposal, document: Edit, episode_uuid: str
) -> ProposedEdit:
    """The ticked lines, with what takes the document in: one edit, for whoever has the writer's desk.

    The source of each fact is the episode, which is in the graph or in `document`; it mentions the ends of its facts.
    Ending and correcting is dated now, and the episode is the reason. Raises `GraphUnavailable`.
    """
    plan = preview_import(services, workspace, rows_of(proposal, episode_uuid))
    ended = _ended(plan)
    return ProposedEdit(
        edit_of(plan, beside=document), len(plan.created.facts), ended, len(plan.replaced.facts) - ended
    )


def _ended(plan: Plan) -> int:
    before = {fact.uuid: fact for fact in plan.before.facts}
    return sum(_is_open(before[fact.uuid]) and not _is_open(fact) for fact in plan.replaced.facts)


def _is_open(fact: Fact) -> bool:
    return clock.end(fact, clock.LATEST) is None and fact.withdrawn_at is None


def left_of(proposal: Proposal, edit: Edit | None = None) -> Proposal:
    """What a written proposal leaves for review: facts and endings that were not written, above what is shown at all.

    A name that the analyst made new is from here on the entity that `edit` made of it.
    """
    made = {(e.name, type_): e.uuid for e in edit.created.entities for type_ in ("", *e.types)} if edit else {}
    choices = tuple(Choice(c.name, c.type, c.uuid or made.get((c.name, c.type))) for c in proposal.choices)
    written = {fact.key for fact in written_facts(proposal)}
    facts = tuple(f for f in proposal.facts if f.key not in written and f.verdict != "unchanged" and is_possible(f)
                  and f.draft.confidence >= SHOWN)  # fmt: skip
    keys = {fact.key for fact in facts}
    unticked = [replace(e, by=None) for e in proposal.endings if not e.ticked and e.by not in keys]
    offered = [o for o in proposal.offered if str(o.by) in keys]
    offered += [Ending(ending.fact.uuid, ending.invalid_at) for ending in unticked]
    return replace(proposal, facts=facts, endings=tuple(unticked), offered=tuple(offered), choices=choices)
