"""One fact that somebody states by hand: what it would change, and the write."""

from dataclasses import replace

from services.context import OpenWorkspace
from services.core import clock, time_rule
from services.core.change_records import Origin
from services.core.draft_records import Draft, Ending, Extraction, SourceText
from services.core.errors import BadInput
from services.core.import_rows import Row
from services.extraction.schemas import default_schema
from services.proposals.endings import rivals_of
from services.proposals.graph_diff import bare_proposal, diff
from services.proposals.graph_snapshot import GraphSnapshot, snapshot_for
from services.proposals.proposal_edit import check_as_shown
from services.proposals.proposal_records import Proposal, ProposedFact
from services.proposals.resolving import check_draft
from services.proposals.rows import rows_of
from services.writing.change_sets import writing
from services.writing.import_plan import episode_uuid
from services.writing.importer import edit_of, preview_import

EXTRACTOR = "form"


def propose_fact(workspace: OpenWorkspace, draft: Draft, source: str = "") -> Proposal:
    """What a stated fact would change; `source` says in its own words where it is known from. Nothing is written.

    Raises `BadInput` for a fact without a name, a relation or a value, and for an end that is not after its start.
    """
    check_draft(draft)
    bare = bare_proposal(
        SourceText("", source),
        Extraction((draft,)),
        default_schema(),
        EXTRACTOR,
        episode_uuid=episode_uuid(workspace.name, source),
    )
    snapshot = snapshot_for(workspace, bare)
    proposal = diff(bare, snapshot)
    rival = None if proposal.endings else _rival(proposal.facts[0], snapshot)
    return proposal if rival is None else diff(replace(bare, offered=(rival,)), snapshot)


def _rival(fact: ProposedFact, snapshot: GraphSnapshot) -> Ending | None:
    """The only other value that holds when the fact begins: it may have ended then, which the analyst decides."""
    start = fact.draft.valid_at
    if start is None or fact.verdict != "new":
        return None
    held = [stored for stored in rivals_of(fact, snapshot) if time_rule.end(stored, clock.LATEST) is None]
    begun = [stored for stored in held if stored.valid_at is not None and stored.valid_at < start]
    return Ending(begun[0].uuid, start, 0) if len(held) == len(begun) == 1 else None


def save_fact(workspace: OpenWorkspace, proposal: Proposal, *, note: str = "", user_id: str | None = None) -> str:
    """Write what is ticked of a stated fact's proposal.

    Returns the change-set's id. Raises `BadInput` where that changes nothing, or would by now do otherwise than the
    proposal says, and `WriteFailed`.
    """
    with writing(workspace) as writer:
        workspace.sync()
        snapshot = snapshot_for(workspace, proposal)
        now = diff(proposal, snapshot)
        check_as_shown(proposal, now, snapshot.stored.facts)
        plan = preview_import(workspace, [_sourced(row, proposal.source.text) for row in rows_of(now)])
        if plan.is_empty:
            raise BadInput(
                "The graph already has this fact.",
                "To add a source, enter a different one.",
            )
        origin = Origin("form", user_id, note=note.strip())
        return writer.apply(edit_of(plan), title=title_of(proposal), origin=origin, at=plan.recorded_at)


def title_of(proposal: Proposal) -> str:
    """The stated fact in words."""
    draft = proposal.facts[0].draft
    return f"{draft.source} {draft.relation.replace('_', ' ').lower()} {draft.target}"


def _sourced(row: Row, source: str) -> Row:
    """The row with its source as a text, which becomes an episode of its own; without one, it has none."""
    episode, ending = source if row.episode_uuid else "", source if row.ending_uuid else ""
    return row._replace(episode_uuid="", ending_uuid="", episode=episode, ending=ending)
