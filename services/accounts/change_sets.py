"""Change-sets as they are kept: what each write changed, and what it takes to undo it and to redo it."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from itertools import batched
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, Text, delete, func, or_, select, type_coerce, update

from services.accounts.database import Store
from services.accounts.jobs import end_items
from services.accounts.schema import change_sets
from services.core import clock
from services.core.change_records import UNDO_DAYS, ChangeSetRecord, ChangeSetState, Origin, OriginKind
from services.core.health_records import ManualChange
from services.core.job_records import ItemEnd

_AT_ONCE = 1000
"""So many values go into one statement; databases limit its parameters."""
_BY_HAND: tuple[OriginKind, ...] = ("import", "form", "correction", "merge", "delete", "clean-up")
_UNFINISHED = ("writing", "undoing", "redoing")
_TICK = timedelta(microseconds=1)
_FORGOTTEN: Mapping[str, Any] = {"payload": b"", "digests": None, "redo": None, "changes": None}

_c = change_sets.c
_LISTED = (
    _c.id,
    _c.workspace,
    _c.title,
    _c.state,
    _c.created_at,
    _c.origin,
    _c.counts,
    _c.finished_at,
    _c.undone_at,
    _c.undone_by,
    (func.length(_c.payload) > 0).label("has_images"),
    _c.digests.is_not(None).label("has_digests"),
    _c.redo.is_not(None).label("has_redo"),
)


@dataclass(frozen=True, slots=True)
class StoredChangeSet:
    """A change-set with what undoing takes: `payload` tells what was there before the write, `digests` what the write
    left and is not undone, `redo` what an undo took away and is not redone."""

    id: str
    workspace: str
    title: str
    state: ChangeSetState
    payload: bytes
    digests: bytes | None
    redo: bytes | None
    position: int | None = None
    changes: Sequence[Mapping[str, Any]] | None = None


_KEPT = (_c.id, _c.workspace, _c.title, _c.state, _c.payload, _c.digests, _c.redo, _c.position)
_IN_GRAPH = _c.state.in_(("done", "undone")), _c.position.is_not(None)


class ChangeSets(Store):
    """The change-sets of one graph. Whoever begins or finishes one holds the writer lock of its workspace.

    What begins or finishes one is on the disk when the call returns: a power failure takes back nothing that was
    acknowledged, and leaves nothing half written that could not be taken back.
    """

    # -- one write

    def begin(self, workspace: str, title: str, origin: Origin, payload: bytes, at: datetime | None = None) -> str:
        """Save a write before the graph is touched; returns the id of its change-set. `at` is the instant that the
        records it makes carry, where that is one."""
        id, now = str(uuid.uuid4()), at or clock.now()
        row: dict[str, Any] = {
            "id": id,
            "graph": self._database.graph,
            "workspace": workspace,
            "title": title,
            "state": "writing",
            "payload": payload,
            "user_id": origin.user_id,
            "origin": asdict(origin),
        }
        latest = select(func.max(_c.created_at)).where(*self._of(change_sets, workspace))
        with self._database.transaction(durable=True) as connection:
            last = connection.scalar(latest)
            row["created_at"] = now if last is None else max(now, last + _TICK)
            row["position"] = self._next(workspace)
            connection.execute(self._database.insert(change_sets).values(row))
        return id

    def finish(
        self,
        id: str,
        *,
        digests: bytes,
        counts: Mapping[str, int],
        changes: Sequence[Mapping[str, Any]],
        ends: Sequence[ItemEnd] = (),
    ) -> bool:
        """Record that a write is in the graph whole, and how the items of jobs ended that it was of.

        False where it was taken back before: whoever lost the writer lock learns so here. Raises `WriteFailed` where
        one of the items has ended otherwise.
        """
        values = {
            "state": "done",
            "digests": digests,
            "counts": dict(counts),
            "changes": list(changes),
            "finished_at": clock.now(),
        }
        with self._database.transaction(durable=True) as connection:
            if not connection.execute(self._moving(id, "writing", **values)).rowcount:
                return False
            end_items(connection, ends, id)
        return True

    def drop(self, id: str) -> None:
        """Forget a write of which nothing is in the graph."""
        self._database.run(delete(change_sets).where(_c.id == id))

    # -- undo and redo

    def begin_undo(self, id: str, redo: bytes, digests: bytes, user_id: str | None) -> bool:
        """Save what an undo takes away, before it does, and the digests of what it finds not undone yet; False where
        the change-set is not done."""
        values = {"redo": redo, "digests": digests, "undone_by": user_id, "position": self._next_after(id)}
        return self._move(id, "done", state="undoing", **values)

    def finish_undo(self, id: str, left: bytes | None = None) -> bool:
        """Record that a change-set was undone. `left` are the digests of what was not, and can be later."""
        if left is not None:
            return self._move(id, "undoing", state="done", digests=left)
        return self._move(id, "undoing", state="undone", undone_at=clock.now())

    def begin_redo(self, id: str, redo: bytes, digests: bytes) -> bool:
        """Save what a redo finds not redone yet, before it puts it back, and the digests of all that stands then;
        False where nothing of the change-set is undone."""
        return self._move(
            id, "undone", "done", state="redoing", redo=redo, digests=digests, position=self._next_after(id)
        )

    def finish_redo(self, id: str, left: bytes | None = None) -> bool:
        """Record that a change-set was redone. `left` is what was not, and can be later."""
        return self._move(id, "redoing", state="done", undone_at=None, undone_by=None, redo=left)

    def _next(self, workspace: str | ColumnElement[str]) -> ScalarSelect[int]:
        other = change_sets.alias()
        asked = select(func.coalesce(func.max(other.c.position), 0) + 1)
        return asked.where(other.c.graph == self._database.graph, other.c.workspace == workspace).scalar_subquery()

    def _next_after(self, id: str) -> ScalarSelect[int]:
        other = change_sets.alias()
        return self._next(select(other.c.workspace).where(other.c.id == id).scalar_subquery())

    def _move(self, id: str, *was: ChangeSetState, **values: Any) -> bool:
        return self._database.run(self._moving(id, *was, **values), durable=True) == 1

    def _moving(self, id: str, *was: ChangeSetState, **values: Any) -> Any:
        return update(change_sets).where(_c.id == id, _c.state.in_(was)).values(**values)

    def take_as_finished(self, workspace: str, position: str) -> bool:
        """End what is unfinished where the graph holds later change-sets, which began after that; False elsewhere.

        How it was finished has been lost with those, and with it what undoing a write takes.
        """
        if not self.lacking(workspace, position):
            return False
        unfinished = update(change_sets).where(*self._of(change_sets, workspace))
        undone = {"state": "undone", "undone_at": clock.now()}
        done = {"state": "done", "undone_at": None, "undone_by": None, "redo": None}
        with self._database.transaction(durable=True) as connection:
            connection.execute(delete(change_sets).where(*self._of(change_sets, workspace), _c.state == "writing"))
            connection.execute(unfinished.where(_c.state == "undoing").values(undone))
            connection.execute(unfinished.where(_c.state == "redoing").values(done))
        return True

    # -- what the graph must hold

    def position(self, id: str) -> str:
        """What tells the graph which change-set it holds as the last one."""
        return f"{self._database.scalar(select(_c.position).where(_c.id == id)) or 0} {id}"

    def last_position(self, workspace: str) -> str:
        """The position of the last change-set that is in the graph; empty where there is none."""
        asked = select(_c.position, _c.id).where(*self._of(change_sets, workspace), *_IN_GRAPH)
        last = self._database.first(asked.order_by(_c.position.desc()).limit(1), dict[str, Any])
        return "" if last is None else f"{last['position']} {last['id']}"

    def is_last(self, workspace: str, id: str) -> bool:
        """True where nothing of the workspace was written, undone or redone after this change-set was."""
        return self.last_position(workspace) == self.position(id)

    def written_workspaces(self) -> tuple[str, ...]:
        """The workspaces that have a last position."""
        return tuple(self._database.scalars(select(_c.workspace).where(*self._of(change_sets), *_IN_GRAPH).distinct()))

    def since(self, workspace: str, position: str) -> tuple[StoredChangeSet, ...]:
        """The change-sets that were written, undone or redone after a position, with their lines, in that order.

        All of them where nobody knows the position, unless it is later than all of them.
        """
        if self.lacking(workspace, position):
            return ()
        later = _c.position > (_number(position) if self.knows(workspace, position) else 0)
        asked = select(*_KEPT, _c.changes).where(*self._of(change_sets, workspace), *_IN_GRAPH, later)
        return self._database.all(asked.order_by(_c.position), StoredChangeSet)

    def lacking(self, workspace: str, position: str) -> int:
        """How many of the last change-sets are not here that a graph at this position holds.

        There are some where a file of the accounts database was damaged, or an old copy of it was put back.
        """
        newest = select(func.max(_c.position)).where(*self._of(change_sets, workspace), *_IN_GRAPH)
        missing = _number(position) - (self._database.scalar(newest) or 0)
        return 0 if missing <= 0 or self.knows(workspace, position) else missing

    def knows(self, workspace: str, position: str) -> bool:
        """True where the change-set of a position is here."""
        named = select(_c.id).where(*self._of(change_sets, workspace), _c.id == position.partition(" ")[2])
        return self._database.scalar(named) is not None

    def finished_since(self, workspace: str, at: datetime) -> tuple[StoredChangeSet, ...]:
        """The change-sets that were written, undone or redone at an instant or after it."""
        later = or_(_c.finished_at >= at, _c.undone_at >= at)
        asked = select(*_KEPT).where(*self._of(change_sets, workspace), _c.state.in_(("done", "undone")), later)
        return self._database.all(asked, StoredChangeSet)

    # -- looking

    def kept(self, id: str) -> StoredChangeSet | None:
        """A change-set of this graph with its images."""
        return self._database.first(select(*_KEPT).where(*self._of(change_sets), _c.id == id), StoredChangeSet)

    def unfinished(self, workspace: str | None = None) -> tuple[StoredChangeSet, ...]:
        """What was begun and never finished, newest first: the order in which to take it back.

        Only who holds the writer lock knows that what is unfinished in a workspace was left by a crash.
        """
        where = [*self._of(change_sets, workspace), _c.state.in_(_UNFINISHED)]
        return self._database.all(select(*_KEPT).where(*where).order_by(_c.created_at.desc()), StoredChangeSet)

    def standing_since(self, id: str) -> tuple[StoredChangeSet, ...]:
        """What was written to the same workspace after a change-set, and is not undone; oldest first."""
        begun = select(_c.workspace, _c.created_at).where(*self._of(change_sets), _c.id == id).subquery()
        later = _c.workspace == begun.c.workspace, _c.created_at > begun.c.created_at
        asked = select(*_KEPT).where(*self._of(change_sets), *later, _c.state == "done", _c.digests.is_not(None))
        return self._database.all(asked.order_by(_c.created_at), StoredChangeSet)

    def record(self, id: str) -> ChangeSetRecord | None:
        """A change-set as it is listed."""
        return self._database.first(select(*_LISTED).where(*self._of(change_sets), _c.id == id), _record)

    def listed(self, workspace: str, limit: int, before: datetime | None = None) -> tuple[ChangeSetRecord, ...]:
        """The latest change-sets of a workspace, newest first; with `before` those that were begun before it."""
        where = [*self._of(change_sets, workspace), _c.state != "writing", _c.finished_at.is_not(None)]
        if before is not None:
            where.append(_c.created_at < before)
        asked = select(*_LISTED).where(*where).order_by(_c.created_at.desc()).limit(limit)
        return self._database.all(asked, _record)

    def made_at(self, workspace: str, instants: Sequence[datetime]) -> Mapping[datetime, str]:
        """Whose changes were written at these instants, by their users' ids."""
        asked = select(_c.created_at, _c.user_id).where(
            *self._of(change_sets, workspace), _c.created_at.in_(set(instants)), _c.user_id.is_not(None)
        )
        return {row["created_at"]: row["user_id"] for row in self._database.all(asked, dict[str, Any])}

    def begun_at(self, workspace: str, instants: Collection[datetime]) -> tuple[ChangeSetRecord, ...]:
        """The change-sets that were written at these instants."""
        where = [*self._of(change_sets, workspace), _c.state != "writing"]
        asked = (select(*_LISTED).where(*where, _c.created_at.in_(some)) for some in batched(instants, _AT_ONCE))
        return tuple(record for one in asked for record in self._database.all(one, _record))

    def of_job(self, workspace: str, job_id: str) -> tuple[ChangeSetRecord, ...]:
        """The change-sets that a job made, newest first."""
        named = type_coerce(_c.origin, Text).contains(job_id, autoescape=True)  # it is kept as a text of JSON
        asked = select(*_LISTED).where(*self._of(change_sets, workspace), named, _c.finished_at.is_not(None))
        found = self._database.all(asked.order_by(_c.created_at.desc()), _record)
        return tuple(record for record in found if record.origin.job_id == job_id)

    def of_tables(self, workspace: str, limit: int) -> tuple[ChangeSetRecord, ...]:
        """The latest change-sets that a table was imported with, newest first."""
        imported = type_coerce(_c.origin, Text).contains('"kind":"import"', autoescape=True)  # a text of JSON
        where = [*self._of(change_sets, workspace), _c.state != "writing", _c.finished_at.is_not(None)]
        asked = select(*_LISTED).where(*where, imported | _c.origin.is_(None))
        return self._database.all(asked.order_by(_c.created_at.desc()).limit(limit), _record)

    def by_hand(self, workspace: str) -> tuple[ManualChange, ...]:
        """The changes that an analyst made without a text, with the reason or else the title of each, oldest first."""
        origin = type_coerce(_c.origin, Text)  # it is kept as a text of JSON
        kinds = or_(*(origin.contains(f'"kind":"{kind}"', autoescape=True) for kind in _BY_HAND))
        asked = select(_c.id, _c.created_at, _c.title, _c.origin).where(*self._of(change_sets, workspace), kinds)
        return self._database.all(asked.order_by(_c.created_at), _manual)

    def changes(self, id: str) -> list[dict[str, Any]]:
        """The lines of a change-set, as `finish` got them."""
        asked = select(_c.changes).where(*self._of(change_sets), _c.id == id)
        return self._database.scalar(asked) or []

    # -- forgetting

    def forget_images(self) -> None:
        """Forget what undoing takes of all that was written too long ago, and its lines; the list stays."""
        old = _c.finished_at < clock.now() - timedelta(days=UNDO_DAYS)
        some = (func.length(_c.payload) > 0) | _c.digests.is_not(None) | _c.redo.is_not(None)
        ours = [*self._of(change_sets), _c.state.in_(("done", "undone"))]
        self._database.run(update(change_sets).where(*ours, old, some).values(**_FORGOTTEN))

    def settle(self, workspace: str) -> None:
        """Record that nothing is left to undo or to redo in a workspace: it was emptied."""
        ours = self._of(change_sets, workspace)
        with self._database.transaction() as connection:
            connection.execute(delete(change_sets).where(*ours, _c.finished_at.is_(None), _c.state == "writing"))
            for was, state in (("undoing", "undone"), ("redoing", "done")):
                connection.execute(update(change_sets).where(*ours, _c.state == was).values(state=state))
            connection.execute(update(change_sets).where(*ours).values(**_FORGOTTEN))


def _record(
    *,
    state: ChangeSetState,
    origin: Mapping[str, Any] | None,
    counts: Mapping[str, int] | None,
    has_images: bool,
    has_digests: bool,
    has_redo: bool,
    **others: Any,
) -> ChangeSetRecord:
    given = {"kind": "import"} if origin is None else origin
    return ChangeSetRecord(
        **others,
        state=state,
        origin=Origin(**{**given, "document_ids": tuple(given.get("document_ids", ()))}),
        counts=counts or {},
        can_undo=state == "done" and bool(has_images) and bool(has_digests),
        can_redo=state in ("done", "undone") and bool(has_images) and bool(has_redo),
    )


def _manual(*, id: str, created_at: datetime, title: str, origin: Mapping[str, Any]) -> ManualChange:
    return ManualChange(id, created_at, origin["note"] or title)


def _number(position: str) -> int:
    return int(position.partition(" ")[0] or 0)
