"""Changes are undone and redone, as far as nothing stands in the way; what is left can be undone or redone later."""

from collections.abc import Mapping, Set
from dataclasses import dataclass

from services.context import OpenWorkspace
from services.core.change_records import UNDO_DAYS
from services.core.errors import AsofError, BadInput, WriteFailed
from services.graph import raw
from services.graph.raw import Image, Raw
from services.writing.change_sets import lost_write, writing
from services.writing.changes.images import Images
from services.writing.changes.mirroring import bring_in_step
from services.writing.changes.restoring import LaterChanges, count_records, held_by, left_records, restorable
from services.writing.edits import Undone
from services.writing.graph_position import advance
from services.writing.unfinished_writes import not_redone, not_undone


def undo(workspace: OpenWorkspace, change_set_id: str, user_id: str | None = None) -> Undone:
    """Put back what was there before a change, but for that which something stands in the way of, and which can be
    undone later.

    Raises `BadInput` for a change-set that cannot be undone, and `WriteFailed` when the graph did not take it.
    """
    with writing(workspace):
        images = _done(workspace, change_set_id)
        plan = _plan_undo(workspace, images)
        if not plan.wanted and plan.result.left:
            return plan.result
        redo = {**images.redo, **{key: plan.now[key] for key in plan.wanted}}
        pending = {key: digest for key, digest in images.digests.items() if key not in plan.settled}
        sets = workspace.accounts.change_sets
        if not sets.begin_undo(images.id, raw.packed(raw.image_document(redo)), raw.packed(pending), user_id):
            raise lost_write()
        _put(workspace, plan.wanted)
        advance(workspace, sets.position(images.id))
        sets.finish_undo(images.id, not_undone(pending, plan.wanted))
    return plan.result


def preview_undo(workspace: OpenWorkspace, change_set_id: str) -> Undone:
    """What `undo` would do, without doing it."""
    return _plan_undo(workspace, _done(workspace, change_set_id)).result


def redo(workspace: OpenWorkspace, change_set_id: str) -> Undone:
    """Put back what an undo took away, but for that which something stands in the way of, and which can be redone
    later.

    Raises `BadInput` for a change-set that cannot be redone, and `WriteFailed` when the graph did not take it.
    """
    with writing(workspace):
        images = _undone(workspace, change_set_id)
        plan = _plan_redo(workspace, images)
        if not plan.wanted and plan.result.left:
            return plan.result
        pending = {key: bag for key, bag in images.redo.items() if key not in plan.settled}
        written = {key: raw.digest(bag) for key, bag in plan.wanted.items() if key in images.own}
        digests = raw.packed({**images.digests, **written})
        sets = workspace.accounts.change_sets
        if not sets.begin_redo(images.id, raw.packed(raw.image_document(pending)), digests):
            raise lost_write()
        _put(workspace, plan.wanted)
        advance(workspace, sets.position(images.id))
        sets.finish_redo(images.id, not_redone(pending, plan.wanted))
    return plan.result


def preview_redo(workspace: OpenWorkspace, change_set_id: str) -> Undone:
    """What `redo` would do, without doing it."""
    return _plan_redo(workspace, _undone(workspace, change_set_id)).result


def _done(workspace: OpenWorkspace, id: str) -> Images:
    kept = workspace.accounts.change_sets.kept(id)
    if kept is None or kept.workspace != workspace.name:
        raise BadInput("This change does not exist.", "See the list of changes.")
    if kept.state != "done":
        raise BadInput("Someone has already undone this change, or is undoing it now.", "See the list of changes.")
    if not kept.payload or kept.digests is None:
        raise BadInput("You can no longer undo this change.", f"You can undo a change for {UNDO_DAYS} days.")
    return Images(kept)


def _undone(workspace: OpenWorkspace, id: str) -> Images:
    kept = workspace.accounts.change_sets.kept(id)
    if kept is None or kept.workspace != workspace.name or kept.redo is None:
        raise BadInput("You cannot redo this change.", "Nobody has undone it, or it is too old.")
    return Images(kept)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to put, what is there now, the keys of what is as it is to be already, and what comes of it."""

    wanted: dict[str, tuple[Raw, ...]]
    now: Image
    settled: Set[str]
    result: Undone


def _plan_undo(workspace: OpenWorkspace, images: Images) -> _Plan:
    return _plan(workspace, images, {key: images.before.get(key, ()) for key in images.digests}, images.digests)


def _plan_redo(workspace: OpenWorkspace, images: Images) -> _Plan:
    return _plan(workspace, images, images.redo, {key: raw.digest(images.before.get(key, ())) for key in images.redo})


def _plan(workspace: OpenWorkspace, images: Images, wanted: Image, digests: Mapping[str, str]) -> _Plan:
    """What to put of `wanted`: what no later change wrote that stands, and what has these digests still."""
    graph, run = workspace.graph, workspace.run
    later = _later_changes(workspace, images.id)
    now = run(graph.raw.read(workspace.name, wanted))
    free = wanted.keys() - (later.wrote.keys() & images.own)
    settled = {key for key in free if raw.digest(now[key]) == raw.digest(wanted[key])}
    chosen = {key: wanted[key] for key in free - settled if raw.digest(now[key]) == digests[key]}
    reasons = {key: later.changed(key) for key in wanted.keys() - settled - chosen.keys()}
    since = run(graph.raw.read(workspace.name, filter(raw.is_fact, later.wrote)))
    missing = {key for key in reasons if raw.is_node(key) and wanted[key] and not digests[key]}
    chosen, also = run(restorable(graph, workspace.name, chosen, {**since, **now}, later, missing))
    reasons |= also
    now = {**now, **run(graph.raw.read(workspace.name, chosen.keys() - now.keys()))}
    known = {key: now[key] or images.before.get(key, ()) for key in reasons}
    return _Plan(chosen, now, settled, Undone(count_records(chosen), left_records(reasons, known)))


def _later_changes(workspace: OpenWorkspace, id: str) -> LaterChanges:
    """What the changes after one wrote, as far as they stand, and what taking them back needs."""
    wrote, needs = dict[str, str](), dict[str, str]()
    for kept in workspace.accounts.change_sets.standing_since(id):
        images = Images(kept)
        wrote |= dict.fromkeys(images.digests, kept.title)
        put_back = (one for key in images.digests.keys() & images.before.keys() for one in images.before[key])
        needs |= dict.fromkeys((key for one in put_back for key in held_by(one, passages=True)), kept.title)
    return LaterChanges(wrote, needs)


def _put(workspace: OpenWorkspace, wanted: Image) -> None:
    """Put an image. A failure is gone on with before the next write, or at the next start."""
    try:
        workspace.run(workspace.graph.raw.put(workspace.name, wanted))
    except AsofError as error:
        raise WriteFailed(
            f"The database saved only part of the change: {error.message}",
            "Asof will complete it at the next write or start, once the database responds.",
        ) from error
    bring_in_step(workspace, wanted)
