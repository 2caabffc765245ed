"""The one way into a graph: an edit is applied whole or not at all and kept as a change-set.

What undoing takes is saved before the graph is touched. A failure or a cancel takes everything back; after a crash the
next start or the next write does (`unfinished_writes.py`). One writer works on a workspace at a time, in whichever
process.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from services.context import OpenWorkspace, Services
from services.core import clock
from services.core.change_records import ChangeSetRecord, Origin
from services.core.data_folder import HINT, save_problem
from services.core.errors import AsofError, GraphUnavailable, WriteFailed
from services.core.gc_pause import gc_pause
from services.core.job_records import ItemEnd
from services.core.models import Fact, GraphWrite
from services.core.progress import Progress, nobody
from services.graph import raw
from services.graph.store import check_workspace
from services.mirror.record_tables import joined
from services.writing.changes.applying import Written, apply_edit
from services.writing.changes.before_images import BeforeImages, before_images_of
from services.writing.changes.change_lines import KEPT, LINES, counts_of, line_document, lines_of
from services.writing.changes.mirroring import bring_in_step
from services.writing.damage_check import check_before_write, dismiss, may_lack_something
from services.writing.edits import Edit, Line
from services.writing.graph_position import advance
from services.writing.locks import only_writer
from services.writing.lost_changes import reset_position
from services.writing.unfinished_writes import finish_unfinished, put_what_can_be, take_back


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
                finish_unfinished(workspace)
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
            raise lost_write()
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
        put_what_can_be(self.workspace, {key: touched.before.get(key, ()) for key in ours})

    def _undo_after(self, error: BaseException, id: str, touched: BeforeImages) -> None:
        """Take the write back, unless it is in whole after all, and tell of an error in words of ours."""
        try:
            kept = self.workspace.accounts.change_sets.kept(id)
            if kept is not None and kept.state == "done":
                return  # the accounts database took it, and its answer was lost on the way
            take_back(self.workspace, id, {**dict.fromkeys(touched.made, ()), **touched.before})
        except AsofError as second:
            raise WriteFailed(
                f"The write failed, and Asof could not roll it back yet: {second.message}",
                "Asof will roll it back at the next write or start, once the database responds.",
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


def lost_write() -> WriteFailed:
    """The error of whoever lost the writer lock: another process took the write for one that a crash left."""
    return WriteFailed("Another process rolled back the write.", "See the log of that process, then try again.")
