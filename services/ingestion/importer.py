"""Writes an import, all or nothing.

What would undo the write is saved before the graph is touched. A failure or a cancel takes everything back; after a
crash the next start or the next write does. One writer works on a workspace at a time, in whichever process.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass

from services import clock
from services.bootstrap import Services
from services.bulk import bulk_work
from services.errors import AsofError, Cancelled, GraphUnavailable, WriteFailed
from services.graph.store import check_workspace
from services.ingestion.changeset import ChangeSet, take_back
from services.ingestion.history import Verdict
from services.ingestion.locks import only_writer, writer_if_free
from services.ingestion.plan import NO_SUMMARIES, Plan, Summaries, plan_import
from services.ingestion.rows import Row
from services.ingestion.stored import held_by_others, stored_for
from services.mirror.records import Columns, in_columns, joined
from services.models import GraphWrite

Progress = Callable[[int, int], None]
"""Called with how many records are written, and how many there are in all."""

_BATCH = 5_000
_AT_ONCE = 2
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: rows by what they meant, and how many records of each kind are new."""

    rows: Mapping[Verdict, int]
    entities: int
    facts: int
    episodes: int


def preview_import(
    services: Services, workspace: str, rows: Sequence[Row], summaries: Summaries = NO_SUMMARIES
) -> Plan:
    """What importing `rows` would do, without doing it. Raises `BadInput` for what cannot name a workspace."""
    check_workspace(workspace)
    with bulk_work():
        stored = services.bridge.run(stored_for(services.graph, workspace, rows), timeout=None)
        now, taken = clock.now(), frozenset[str]()
        while True:
            plan = plan_import(workspace, rows, stored, now, summaries, taken)
            others = services.bridge.run(held_by_others(services.graph, workspace, plan.created), timeout=None)
            if not others:
                return plan
            taken |= others


def import_rows(
    services: Services,
    workspace: str,
    rows: Sequence[Row],
    *,
    title: str,
    summaries: Summaries = NO_SUMMARIES,
    progress: Progress | None = None,
    cancel: threading.Event | None = None,
) -> Imported:
    """Import `rows` whole, or not at all. `title` says in the list of changes what this was.

    Raises `Cancelled` once `cancel` is set, and `WriteFailed` when the write did not go through; nothing is in then.
    """
    stop = cancel or threading.Event()
    with only_writer(services.accounts, workspace, stop), bulk_work():
        _take_back_unfinished(services, workspace)
        plan = preview_import(services, workspace, rows, summaries)
        _write(services, workspace, plan, title, progress or nobody, stop)
    return summary(plan)


def summary(plan: Plan) -> Imported:
    """A plan in numbers."""
    created = plan.created
    return Imported(plan.counts, len(created.entities), len(created.facts), len(created.episodes))


def recover(services: Services) -> int:
    """Take back the writes that a crash left unfinished, except those that another process is still at; how many.

    What cannot be taken back now is logged, and waits for the next time. Raises `AccountsUnavailable`.
    """
    undone = 0
    for workspace in dict.fromkeys(record.workspace for record in services.accounts.unfinished_change_sets()):
        with writer_if_free(services.accounts, workspace) as free:
            try:
                undone += _take_back_unfinished(services, workspace) if free else 0
            except Exception as error:  # noqa: BLE001 - one workspace's trouble keeps neither others nor a start waiting
                fault = None if isinstance(error, AsofError) else error
                _log.warning("The unfinished import into “%s” waits: %s", workspace, error, exc_info=fault)
    return undone


def clear(services: Services, workspace: str) -> None:
    """Delete everything in a workspace, with what could be taken back there. For whoever holds the writer lock."""
    services.bridge.run(services.graph.clear(workspace), timeout=None)
    services.accounts.forget_unfinished(workspace)


def _write(
    services: Services, workspace: str, plan: Plan, title: str, progress: Progress, cancel: threading.Event
) -> None:
    batches = list(_batches(plan))
    total = sum(batch.size for batch in batches)
    progress(0, total)
    if not total:
        return
    change_set = _change_set(plan)
    change_set_id = services.accounts.begin_change_set(workspace, title, change_set.to_bytes())
    mirrored: list[Columns] | None = [] if services.mirrors.wants(workspace) else None
    try:
        done = 0
        for size in _written(services, workspace, batches, mirrored, cancel):
            done += size
            progress(done, total)
        _stop_if(cancel)
        if not services.accounts.finish_change_set(change_set_id, "done"):
            raise WriteFailed("The import was taken back by another process.", "Look at its log, and try again.")
    except BaseException as error:
        _undo_after(error, services, workspace, change_set_id, change_set)
        raise
    services.mirrors.written(workspace, plan.write if mirrored is None else joined(mirrored))


@dataclass(frozen=True, slots=True)
class _Batch:
    """A part of a write; `new` where nothing of it is stored yet."""

    records: GraphWrite
    new: bool

    @property
    def size(self) -> int:
        return len(self.records.entities) + len(self.records.facts) + len(self.records.episodes)


def _written(
    services: Services,
    workspace: str,
    batches: Iterable[_Batch],
    mirrored: list[Columns] | None,
    cancel: threading.Event,
) -> Iterator[int]:
    """Write batches in order and give each one's size once it is in; when this ends, nothing is under way.

    Facts hang on no other facts: one batch of them is made ready while the database takes in the one before. The
    mirror's columns are made meanwhile, too, where `mirrored` collects them.
    """
    under_way: deque[tuple[_Batch, Future[None]]] = deque()
    try:
        for batch in batches:
            _stop_if(cancel)
            while under_way and (len(under_way) == _AT_ONCE or not under_way[0][0].records.facts):
                yield _next(under_way)
            write = services.graph.write(workspace, batch.records, new=batch.new)
            under_way.append((batch, services.bridge.submit(write)))
            if mirrored is not None:
                mirrored.append(in_columns(batch.records))
        while under_way:
            yield _next(under_way)
    finally:
        wait([future for _, future in under_way])


def _next(under_way: deque[tuple[_Batch, Future[None]]]) -> int:
    batch, future = under_way[0]
    future.result()
    under_way.popleft()
    return batch.size


def _undo_after(
    error: BaseException, services: Services, workspace: str, change_set_id: str, change_set: ChangeSet
) -> None:
    """Take the write back, and tell of an error in words of ours."""
    try:
        _undo(services, workspace, change_set_id, change_set)
    except AsofError as second:
        raise WriteFailed(
            f"The import failed, and could not yet be taken back: {second.message}",
            "It is taken back before the next write or at the next start, once the database answers.",
        ) from error
    if isinstance(error, GraphUnavailable):
        raise WriteFailed(f"The import failed and nothing of it is in: {error.message}", error.hint) from error
    if isinstance(error, Exception) and not isinstance(error, AsofError):
        raise WriteFailed(f"The import failed and nothing of it is in: {error}.") from error


def _take_back_unfinished(services: Services, workspace: str) -> int:
    """For whoever holds the writer lock: only then is what is unfinished no longer under way."""
    unfinished = services.accounts.unfinished_change_sets(workspace)
    for record in unfinished:
        _undo(services, workspace, record.id, ChangeSet.from_bytes(record.payload))
    return len(unfinished)


def _undo(services: Services, workspace: str, change_set_id: str, change_set: ChangeSet) -> None:
    restored, gone = services.bridge.run(take_back(services.graph, workspace, change_set), timeout=None)
    services.accounts.finish_change_set(change_set_id, "undone")
    services.mirrors.written(
        workspace,
        restored,
        gone_entities=gone,
        gone_facts=change_set.new_facts,
        gone_episodes=change_set.new_episodes,
    )


def _change_set(plan: Plan) -> ChangeSet:
    created = plan.created
    return ChangeSet(
        tuple(e.uuid for e in created.entities),
        tuple(f.uuid for f in created.facts),
        tuple(e.uuid for e in created.episodes),
        plan.before,
    )


def _batches(plan: Plan) -> Iterator[_Batch]:
    """Entities first, then the sources that mention them, then the facts that join them."""
    for kind in ("entities", "episodes", "facts"):
        for write, new in ((plan.created, True), (plan.replaced, False)):
            records = getattr(write, kind)
            for start in range(0, len(records), _BATCH):
                yield _Batch(GraphWrite(**{kind: records[start : start + _BATCH]}), new)


def _stop_if(cancel: threading.Event) -> None:
    if cancel.is_set():
        raise Cancelled("It was cancelled, and nothing of it is in.")


def nobody(_done: int, _total: int) -> None:
    """Progress that nobody watches."""
    return
