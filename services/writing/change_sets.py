"""The one way into a graph: an edit is applied whole or not at all, kept as a change-set, and can be undone and redone.

What undoing takes is saved before the graph is touched. A failure or a cancel takes everything back; after a crash the
next start or the next write does. One writer works on a workspace at a time, in whichever process.
"""

import logging
import threading
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from services.context import OpenWorkspace, Services
from services.core import clock
from services.core.change_records import ChangeSetRecord, Origin
from services.core.data_folder import HINT, save_problem
from services.core.errors import AsofError, BadInput, GraphUnavailable, WriteFailed
from services.core.gc_pause import gc_pause
from services.core.job_records import ItemEnd
from services.core.models import Fact, GraphWrite
from services.core.progress import Progress, nobody
from services.graph import raw
from services.graph.raw import Image, Raw
from services.graph.store import check_workspace
from services.mirror.record_tables import joined
from services.writing.changes import legacy_payload
from services.writing.changes.applying import Written, apply_edit
from services.writing.changes.before_images import BeforeImages, before_images_of
from services.writing.changes.change_lines import KEPT, LINES, counts_of, line_document, lines_of
from services.writing.changes.images import Images
from services.writing.changes.mirroring import bring_in_step
from services.writing.changes.restoring import LaterChanges, count_records, held_by, left_records, restorable
from services.writing.edits import Edit, Line, Undone
from services.writing.graph_position import advance, go_back
from services.writing.locks import only_writer, writer_if_free
from services.writing.losses import check_before_write, dismiss, left_unfinished, look_for_losses, may_lack_something
from services.writing.lost_changes import reset_position

_log = logging.getLogger(__name__)
_LOST = WriteFailed("Another process rolled back the write.", "See its log, then try again.")


@contextmanager
def writing(workspace: OpenWorkspace, cancel: threading.Event | None = None) -> Iterator["ChangeSetWriter"]:
    """Wait for our turn to write to a workspace, take back what a crash left unfinished there, and write for the block.

    What the graph lost is looked for once it is our turn, since it may come back without its last writes while we wait.
    Raises `Cancelled` when `cancel` is set before it is our turn, `BadInput` for what cannot name a workspace, and
    `WriteFailed` where the data folder takes nothing.
    """
    check_workspace(workspace.name)
    stop = cancel or threading.Event()
    if problem := save_problem(workspace.settings):
        raise WriteFailed(f"Nothing was saved. {problem}", HINT)
    while True:
        with only_writer(workspace.accounts, workspace.name, stop), gc_pause():
            if not may_lack_something(workspace):
                _finish_unfinished(workspace)
                yield ChangeSetWriter(workspace, stop)
                return
        check_before_write(workspace)


@dataclass(frozen=True, slots=True)
class ChangeSetWriter:
    """Whoever has one is the only writer of its workspace."""

    workspace: OpenWorkspace
    cancel: threading.Event

    def apply(
        self,
        edit: Edit,
        *,
        title: str,
        origin: Origin,
        ends: Sequence[ItemEnd] = (),
        lines: Sequence[Line] | None = None,
        at: datetime | None = None,
        progress: Progress = nobody,
    ) -> str:
        """Do all of an edit or nothing, and record with it how items of jobs ended; returns the id of its change-set.

        `title` says in the list of changes what this was, `lines` what it did; without them they are made of the facts.
        `at` is the instant that the records carry which this makes, where that is one.
        Raises `Cancelled` once `cancel` is set, `BadInput` for what cannot be edited, and `WriteFailed` when the write
        did not go through; nothing is in then.
        """
        workspace = self.workspace
        before = _facts_before(workspace, edit)
        touched = workspace.run(before_images_of(workspace.graph, workspace.name, edit, at or clock.now()))
        shown = list(lines if lines is not None else lines_of(edit, before, touched.before))
        images = {"before": raw.image_document(touched.before), "nodes": raw.image_document(edit.nodes)}
        payload = raw.packed({**images, "made": sorted(touched.made)})
        sets = workspace.accounts.change_sets
        id = sets.begin(workspace.name, title, origin, payload, at)
        mirrored = workspace.services.mirrors.wants(workspace.name)
        try:
            written = apply_edit(workspace, edit, touched, mirrored=mirrored, progress=progress, cancel=self.cancel)
            advance(workspace, sets.position(id))
            done = sets.finish(
                id,
                digests=raw.packed(written.digests),
                counts=counts_of(edit, shown),
                changes=[line_document(line) for line in shown[:KEPT]],
                ends=ends,
            )
        except BaseException as error:
            self._undo_after(error, id, touched)
            raise
        if not done:
            self._take_out_ours(written, touched)
            raise _LOST
        self._mirror(edit, written, mirrored)
        sets.forget_images()
        return id

    def _mirror(self, edit: Edit, written: Written, mirrored: bool) -> None:
        records_alone = replace(edit, created=GraphWrite(), replaced=GraphWrite()) == Edit()
        if records_alone:
            self.workspace.services.mirrors.written(
                self.workspace.name, joined(written.columns) if mirrored else edit.created
            )
        else:
            bring_in_step(self.workspace, written.digests, documents=edit.documents)

    def _take_out_ours(self, written: Written, touched: BeforeImages) -> None:
        """Take back what still is as we wrote it: whoever took the write back may have let others write since."""
        now = self.workspace.run(self.workspace.graph.raw.read(self.workspace.name, written.digests))
        ours = [key for key, digest in written.digests.items() if raw.digest(now[key]) == digest]
        _put_what_can_be(self.workspace, {key: touched.before.get(key, ()) for key in ours})

    def _undo_after(self, error: BaseException, id: str, touched: BeforeImages) -> None:
        """Take the write back, unless it is in whole after all, and tell of an error in words of ours."""
        try:
            kept = self.workspace.accounts.change_sets.kept(id)
            if kept is not None and kept.state == "done":
                return  # the accounts database took it, and its answer was lost on the way
            _take_back(self.workspace, id, {**dict.fromkeys(touched.made, ()), **touched.before})
        except AsofError as second:
            raise WriteFailed(
                f"The write failed and could not be rolled back yet: {second.message}",
                "It will be rolled back at the next write or start, once the database responds.",
            ) from error
        if isinstance(error, GraphUnavailable):
            raise WriteFailed(f"Nothing was saved: {error.message}", error.hint) from error
        if isinstance(error, Exception) and not isinstance(error, AsofError):
            raise WriteFailed(f"Nothing was saved: {str(error).rstrip('.')}.") from error


def _facts_before(workspace: OpenWorkspace, edit: Edit) -> dict[str, Fact]:
    """The facts that an edit changes or deletes, as records."""
    graph = workspace.graph
    uuids = [*(fact.uuid for fact in edit.replaced.facts), *edit.gone.facts]
    found = list(workspace.run(graph.facts(workspace.name, uuids))) if uuids else []
    for uuid in edit.gone.entities:
        found += workspace.run(graph.history(workspace.name, uuid))
    return {fact.uuid: fact for fact in found}


# -- after a failure or a crash


def recover(services: Services) -> int:
    """Take back the writes that a crash left unfinished and go on with such undos, except those that another process is
    still at; how many. What a damaged file lost is noticed before that.

    What cannot be done now is logged, and waits for the next time: so does a workspace that may lack something, since
    taking a write back would hide that. Raises `AccountsUnavailable`.
    """
    look_for_losses(services)
    done = 0
    for workspace in dict.fromkeys(kept.workspace for kept in services.accounts.change_sets.unfinished()):
        with writer_if_free(services.accounts, workspace) as free:
            try:
                if free and not may_lack_something(services.workspace(workspace)):
                    done += _finish_unfinished(services.workspace(workspace))
            except Exception as error:  # noqa: BLE001 - one workspace's trouble keeps neither others nor a start waiting
                fault = None if isinstance(error, AsofError) else error
                _log.warning("The unfinished write to “%s” waits: %s", workspace, error, exc_info=fault)
    services.accounts.change_sets.forget_images()
    return done


def _finish_unfinished(workspace: OpenWorkspace) -> int:
    """For whoever holds the writer lock: only then is what is unfinished no longer under way."""
    sets, unfinished = workspace.accounts.change_sets, left_unfinished(workspace)
    for kept in unfinished:
        images = Images(kept)
        if kept.state == "writing":
            if images.earlier is not None:
                workspace.run(legacy_payload.put_records(workspace.graph, workspace.name, images.earlier))
            _take_back(workspace, kept.id, {**dict.fromkeys(images.made, ()), **images.before})
        elif kept.state == "undoing":
            going = images.redo.keys() & images.digests.keys()
            _put_what_can_be(workspace, {key: images.before.get(key, ()) for key in going})
            advance(workspace, sets.position(kept.id))
            sets.finish_undo(kept.id, _not_undone(images.digests, images.redo))
        else:
            again = {key: bag for key, bag in images.redo.items() if key in images.digests or key not in images.own}
            _put_what_can_be(workspace, again)
            advance(workspace, sets.position(kept.id))
            sets.finish_redo(kept.id, _not_redone(images.redo, again))
    return len(unfinished)


def _take_back(workspace: OpenWorkspace, id: str, wanted: Image) -> None:
    """Put what was there before a write that may have happened in part; doing it twice does no harm."""
    _put_what_can_be(workspace, wanted)
    go_back(workspace, id)
    workspace.accounts.change_sets.drop(id)


def _put_what_can_be(workspace: OpenWorkspace, wanted: Image) -> None:
    chosen, _ = workspace.run(restorable(workspace.graph, workspace.name, wanted))
    workspace.run(workspace.graph.raw.put(workspace.name, chosen))
    bring_in_step(workspace, chosen)


# -- undo and redo


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
            raise _LOST
        _put(workspace, plan.wanted)
        advance(workspace, sets.position(images.id))
        sets.finish_undo(images.id, _not_undone(pending, plan.wanted))
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
            raise _LOST
        _put(workspace, plan.wanted)
        advance(workspace, sets.position(images.id))
        sets.finish_redo(images.id, _not_redone(pending, plan.wanted))
    return plan.result


def preview_redo(workspace: OpenWorkspace, change_set_id: str) -> Undone:
    """What `redo` would do, without doing it."""
    return _plan_redo(workspace, _undone(workspace, change_set_id)).result


def _done(workspace: OpenWorkspace, id: str) -> Images:
    kept = workspace.accounts.change_sets.kept(id)
    if kept is None or kept.workspace != workspace.name:
        raise BadInput("There is no such change.", "See the list of changes.")
    if kept.state != "done":
        raise BadInput("This change was already undone, or is still in progress.", "See the list of changes.")
    if not kept.payload or kept.digests is None:
        raise BadInput("This change can no longer be undone.", "Changes can be undone for 30 days.")
    return Images(kept)


def _undone(workspace: OpenWorkspace, id: str) -> Images:
    kept = workspace.accounts.change_sets.kept(id)
    if kept is None or kept.workspace != workspace.name or kept.redo is None:
        raise BadInput("This change cannot be redone.", "It has not been undone, or it is too old.")
    return Images(kept)


def _not_undone(digests: Mapping[str, str], undone: Container[str]) -> bytes | None:
    """The digests of what an undo left, which can be undone later; None where it left nothing."""
    rest = {key: digest for key, digest in digests.items() if key not in undone}
    return raw.packed(rest) if rest else None


def _not_redone(images: Image, redone: Container[str]) -> bytes | None:
    """The images of what a redo left, which can be redone later; None where it left nothing."""
    rest = {key: bag for key, bag in images.items() if key not in redone}
    return raw.packed(raw.image_document(rest)) if rest else None


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
            f"The database saved only a part: {error.message}",
            "It will be completed at the next write or start, once the database responds.",
        ) from error
    bring_in_step(workspace, wanted)


def change_sets(
    workspace: OpenWorkspace, limit: int = 50, before: datetime | None = None
) -> tuple[ChangeSetRecord, ...]:
    """The latest changes of a workspace, newest first; with `before` those that were begun before it."""
    return workspace.accounts.change_sets.listed(workspace.name, limit, before)


def change_set_lines(services: Services, change_set_id: str) -> tuple[Line, ...]:
    """What a change did, its first 500 lines."""
    return LINES.validate_python(services.accounts.change_sets.changes(change_set_id))


def clear(workspace: OpenWorkspace) -> None:
    """Delete everything in a workspace, with what could be taken back there. For whoever holds the writer lock."""
    workspace.run(workspace.graph.clear(workspace.name))
    workspace.accounts.change_sets.settle(workspace.name)
    reset_position(workspace)
    dismiss(workspace)
