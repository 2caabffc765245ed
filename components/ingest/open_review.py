"""The proposal that is being reviewed in this session, and what the analyst does to it.

Edits stay until they are saved or discarded, whatever page is looked at meanwhile: those of an item with the item, so
that another visit has them, too; those of the form with the session. What the session has of an item is how it was
shown: it is read anew when it is opened, when the graph changed, and when an edit or a save was refused.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from components import problems, sign_in, state
from components.ingest.ingest_view import IngestView
from services.agent import get_services
from services.context import OpenWorkspace
from services.core.errors import AsofError, BadInput
from services.core.models import Fact
from services.jobs import keep as keep_with_item
from services.jobs import reviewed
from services.proposals import GraphSnapshot, Proposal, diff, diff_against_graph, revising, snapshot_for

FORM = "form"
PROBLEM = "review_problem"
"""The key under which the session has why the last edit was refused."""
_OPEN, _ROW = "review_open", "review_row"
_KEPT = "reviews"


@dataclass(frozen=True, slots=True)
class UnderReview:
    """A proposal with the snapshot of the graph that it was compared with, and the mirror's `version` of then.

    `key` is the item's id, or `FORM`.
    """

    workspace: str
    key: str
    proposal: Proposal
    snapshot: GraphSnapshot
    version: int
    title: str = ""
    job_id: str = ""

    @property
    def is_item(self) -> bool:
        """True for what a job left for review."""
        return self.key != FORM


def put(workspace: OpenWorkspace, key: str, proposal: Proposal, title: str = "") -> None:
    """Take a proposal under review, and open it."""
    _shown(workspace, key, proposal, title)
    _open(key)


def open_item(item_id: str) -> None:
    """Look at what of an item waits for review; for callbacks."""
    _all().pop(item_id, None)
    _open(item_id)


def _open(key: str) -> None:
    """What a job left is in the address as well, for a reload to open it again; the form's is of this session alone."""
    state.remember(_OPEN, key)
    state.forget(PROBLEM, _ROW)
    state.update(IngestView, review=None if key == FORM else key)


def opened(workspace: OpenWorkspace) -> UnderReview | None:
    """Return what is reviewed now, compared with the graph of now; None where nothing is.

    Raises `BadInput` for an item that no longer waits.
    """
    key = state.remembered(_OPEN) or state.held().of(IngestView).review
    found = kept(key) if key else None
    if found is None and key and key != FORM:
        with st.spinner("Comparing with the graph…"):
            found = _read(key)
    if found is None or found.workspace != workspace.name:
        return None
    return found if found.version == workspace.mirror.version else _again(found)


def _read(item_id: str) -> UnderReview:
    """Read what an item keeps, as whoever changed it last left it. Raises `BadInput` where nothing of it waits."""
    services = get_services()
    try:
        job, item, proposal = reviewed(services, item_id)
    except BadInput:
        _all().pop(item_id, None)
        raise
    return _shown(services.workspace(job.workspace), item_id, proposal, item.title, job.id)


def _again(found: UnderReview) -> UnderReview:
    """The same after the graph changed, or the item: what was decided stays decided.

    Raises `BadInput` for an item that does not wait any more.
    """
    if found.is_item:
        return _read(found.key)
    return _shown(get_services().workspace(found.workspace), found.key, found.proposal, found.title)


def _shown(workspace: OpenWorkspace, key: str, proposal: Proposal, title: str, job_id: str = "") -> UnderReview:
    """A proposal against the graph as it is by now, which is how it is shown from here on."""
    version, snapshot = workspace.mirror.version, snapshot_for(workspace, proposal)
    under = _all()[key] = UnderReview(workspace.name, key, diff(proposal, snapshot), snapshot, version, title, job_id)
    return under


def look_again(key: str) -> None:
    """Compare with the item and with the graph as they are now; for callbacks."""
    if found := kept(key):
        _again(found)


def is_open(workspace: OpenWorkspace) -> bool:
    """True while the page shows something of the workspace for review, or why that cannot be."""
    try:
        return opened(workspace) is not None
    except AsofError:
        return True


def close_any() -> None:
    """Show no review, but keep what was changed in it; for callbacks."""
    state.forget(_OPEN, PROBLEM, _ROW)
    state.update(IngestView, review=None)


def kept(key: str) -> UnderReview | None:
    """Return what is under review by that key, as the analyst left it."""
    return _all().get(key)


def edited_of(job_id: str) -> Mapping[str, Proposal]:
    """Return by item's id what of a job was looked at and is not decided, as the analyst left it."""
    return {under.key: under.proposal for under in _all().values() if under.is_item and under.job_id == job_id}


def close(key: str) -> None:
    """Let go of a review, with what was changed in it."""
    _all().pop(key, None)
    state.forget(PROBLEM, _ROW)
    if state.remembered(_OPEN) == key:
        state.forget(_OPEN)
    if state.held().of(IngestView).review == key:
        state.update(IngestView, review=None)


def _all() -> dict[str, UnderReview]:
    """All that is under review in this session, by key; to be changed in place."""
    found: dict[str, UnderReview] | None = state.remembered(_KEPT)
    if found is None:
        found = {}
        state.remember(_KEPT, found)
    return found


# -- what the analyst does; for callbacks


def tick(key: str, name: str, box: str) -> None:
    """Tick or untick, as the checkbox of that key is, a fact by its key or an ending by the uuid of the stored fact."""
    ticks = {name: bool(state.remembered(box))}
    _revise(key, lambda under: revising.with_ticks(under.proposal, under.snapshot, ticks))


def change(key: str, fact_key: str, fields: Mapping[str, Any]) -> None:
    """Change a draft, whose names are looked up anew; its row closes where that went well."""
    if _revise(
        key,
        lambda under: diff_against_graph(
            get_services().workspace(under.workspace),
            revising.with_draft(under.proposal, under.snapshot, fact_key, **fields),
        ),
        anew=True,
    ):
        state.forget(_ROW)


def use_date(key: str, fact_key: str, name: str) -> None:
    """Give a draft the date that is offered beside it, by the name of the field: `valid_at` or `invalid_at`."""
    _revise(key, lambda under: revising.with_offered_date(under.proposal, under.snapshot, fact_key, name))


def choose(key: str, name: str, type_: str, uuid: str | None) -> None:
    """Say whom a name stands for; None makes it a new entity."""
    _revise(key, lambda under: revising.with_entity(under.proposal, under.snapshot, name, type_, uuid))


def drop(key: str, fact_key: str) -> None:
    """Take a draft out."""
    if _revise(key, lambda under: revising.without(under.proposal, under.snapshot, fact_key)):
        state.forget(_ROW)


def take_as_source(key: str, fact_key: str, stored: Fact) -> None:
    """Let a draft say what a stored fact says, so that the text becomes a further source of that."""

    def same(under: UnderReview) -> Proposal:
        found = revising.with_draft(
            under.proposal,
            under.snapshot,
            fact_key,
            source=stored.source,
            relation=stored.relation,
            target=stored.target,
            valid_at=stored.valid_at,
            invalid_at=stored.invalid_at,
            valid_at_precision=stored.valid_at_precision,
            invalid_at_precision=stored.invalid_at_precision,
            is_over=False,
            same_source=stored.source_uuid,
            same_target=stored.target_uuid,
        )
        snapshot = snapshot_for(get_services().workspace(under.workspace), found)
        draft = next(fact.draft for fact in found.facts if fact.key == fact_key)
        for name, type_, uuid in (
            (draft.source, draft.source_type, stored.source_uuid),
            (draft.target, draft.target_type, stored.target_uuid),
        ):
            found = revising.with_entity(found, snapshot, name, type_, uuid)
        return revising.with_ticks(found, snapshot, {fact_key: True})

    if _revise(key, same, anew=True):
        state.forget(_ROW)


def _revise(key: str, edit: Callable[[UnderReview], Proposal], *, anew: bool = False) -> bool:
    """Do an edit; what is refused changes nothing, and is said. `anew` reads the graph again."""
    under, everything = kept(key), _all()
    state.forget(PROBLEM)
    if under is None or sign_in.current_user() is None:
        return False
    try:
        proposal = edit(under)
        snapshot = snapshot_for(get_services().workspace(under.workspace), proposal) if anew else under.snapshot
        if under.is_item:
            proposal = keep_with_item(get_services(), key, proposal)
        # a quick second click ends a callback where it next asks for the session: by then this has to be in it
        everything[key] = replace(under, proposal=proposal, snapshot=snapshot)
    except AsofError as refused:
        state.remember(PROBLEM, refused)
        if under.is_item:
            problems.problem_of(lambda: look_again(key))
        return False
    return True


def row_open(key: str) -> bool:
    """True for the row whose fields are open."""
    return bool(state.remembered(_ROW) == key)


def toggle_row(key: str) -> None:
    """Open the fields of a row, or close them; for callbacks."""
    state.toggle(_ROW, key)
    state.forget(PROBLEM)
