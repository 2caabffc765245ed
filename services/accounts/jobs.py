"""Jobs as they are kept: lists of items, of which each ends once."""

import threading
import uuid
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import fields
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Text,
    Update,
    and_,
    case,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    tuple_,
    type_coerce,
    update,
)

from services.accounts.database import Database, Lock, Store
from services.accounts.schema import change_sets, items, jobs
from services.core import clock
from services.core.errors import BadInput, WriteFailed
from services.core.job_records import ItemEnd, ItemState, ItemSummary, Job, JobItem, JobKind, JobState, NewItem
from services.graph.store import check_workspace

KEPT = 200
"""So many ended jobs of a workspace are kept."""
MOST_DEATHS = 5
"""So often the process may die while it does an item; a batch that a kill meets is done again each time."""
_DEADLY: Mapping[str, Any] = {
    "state": "failed", "problem": f"Asof crashed {MOST_DEATHS + 1} times while processing this item.",
    "hint": "See the log, then skip this item or retry it alone.",
}  # fmt: skip
_ROWS = 500
_SUMMED = ("input_tokens", "output_tokens", "cost")
_JOB = tuple(jobs.c[part.name] for part in fields(Job) if part.name in jobs.c)
_ITEM = tuple(items.c[part.name] for part in fields(JobItem))
_OUTCOME = ("moved_to", "left_out", "same_as", "document_id")
_LEFT: tuple[ItemState, ...] = ("queued", "running")
_UNTRIED: Mapping[str, Any] = {
    "state": "queued", "problem": "", "hint": "", "started_at": None, "finished_at": None,
}  # fmt: skip


def end_items(connection: Connection, ends: Iterable[ItemEnd], change_set_id: str | None = None) -> None:
    """Record how items ended, in the transaction of `connection`; what they took is added to what they took before.

    Raises `WriteFailed` for an item that is done already, or is no more, and `BadInput` for a review that somebody else
    changed or decided: then nothing of the transaction may stand.
    """
    for end in ends:
        if connection.execute(_ended(end, change_set_id)).rowcount:
            continue
        if end.was is not None:
            raise BadInput("Someone else changed this review.", "Reload the review and continue from there.")
        raise WriteFailed("This item is already complete, or its job no longer exists.", "Check the job list.")


def _ended(end: ItemEnd, change_set_id: str | None) -> Update:
    values: dict[str, Any] = {
        "state": end.state,
        "problem": end.problem,
        "hint": end.hint,
        "finished_at": None if end.state == "running" else clock.now(),
        **{name: items.c[name] + getattr(end, name) for name in ("input_tokens", "output_tokens", "ms")},
    }
    if end.cost is not None:
        values["cost"] = func.coalesce(items.c.cost, 0.0) + end.cost
    if end.result is not None:
        values["result"] = dict(end.result)
    if change_set_id is not None:
        values["change_set_id"] = change_set_id
    one = update(items).where(items.c.id == end.item_id, items.c.state != "done")
    if end.was is not None:
        one = one.where(items.c.state == "review", items.c.result == dict(end.was))
    return one.values(**values)


def item_id(job_id: str, key: str) -> str:
    """An item's id: the same at each time of adding it."""
    return str(uuid.uuid5(uuid.UUID(job_id), key))


class JobStore(Store):
    """The jobs that feed one graph; `wake` is set when this process queues something."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.wake = threading.Event()

    def queue(self, workspace: str) -> closing[Lock]:
        """The lock of whoever works on a workspace's queue, not yet taken; let go with the block."""
        return closing(self._database.lock(f"queue\0{workspace}"))

    # -- adding

    def add(
        self, workspace: str, kind: JobKind, title: str, new: Sequence[NewItem], *,
        options: Mapping[str, Any] | None = None, user_id: str | None = None, job_id: str | None = None,
    ) -> str:  # fmt: skip
        """Queue a job; returns its id. With the id of a job that is there (a uuid), only the items it lacks are added.

        Raises `BadInput` for a name that no workspace can have.
        """
        check_workspace(workspace)
        job_id = job_id or str(uuid.uuid4())
        row = {"id": job_id, "graph": self._database.graph, "workspace": workspace, "kind": kind, "title": title,
               "user_id": user_id, "options": {**(options or {})}, "state": "running",
               "created_at": clock.now()}  # fmt: skip
        with self._database.transaction() as connection:
            connection.execute(self._database.insert(jobs).values(row).on_conflict_do_nothing())
            self._put(connection, job_id, new)
        self.wake.set()
        return job_id

    def extend(self, job_id: str, new: Sequence[NewItem]) -> None:
        """Add items behind those that a job has; one that is done goes on. Raises `BadInput` where there is no job."""
        with self._database.transaction() as connection:
            if connection.scalar(select(jobs.c.id).where(jobs.c.id == job_id)) is None:
                raise BadInput("This job does not exist.", "Someone may have deleted it. Check the job list.")
            self._put(connection, job_id, new)
        self.wake.set()

    def note(self, job_id: str, more: Mapping[str, Any]) -> None:
        """Keep what was found out on the way with a job's options, for whoever holds the lock of the queue."""
        with self._database.transaction() as connection:
            options = connection.scalar(select(jobs.c.options).where(jobs.c.id == job_id))
            connection.execute(update(jobs).where(jobs.c.id == job_id).values(options={**(options or {}), **more}))

    def _put(self, connection: Connection, job_id: str, new: Sequence[NewItem]) -> None:
        last = connection.scalar(select(func.max(items.c.position)).where(items.c.job_id == job_id))
        first = 0 if last is None else last + 1
        statement = self._database.insert(items).on_conflict_do_nothing()
        rows = [_row(job_id, position, one) for position, one in enumerate(new, first)]
        for start in range(0, len(rows), _ROWS):
            connection.execute(statement, rows[start : start + _ROWS])
        _go_on(connection, job_id, "done")

    # -- reading

    def get(self, job_id: str) -> Job | None:
        """A job by id; None where there is none."""
        return next(iter(self._jobs(jobs.c.id == job_id, limit=1)), None)

    def of(self, workspace: str, limit: int) -> tuple[Job, ...]:
        """The jobs of a workspace, newest first."""
        return self._jobs(jobs.c.workspace == workspace, limit=limit)

    def latest(self, workspace: str, kind: JobKind) -> Job | None:
        """The newest job of a kind; None where there was none."""
        return next(iter(self._jobs(jobs.c.workspace == workspace, jobs.c.kind == kind, limit=1)), None)

    def items(
        self, job_id: str, states: Sequence[ItemState] = (), after: JobItem | None = None, limit: int | None = None
    ) -> tuple[JobItem, ...]:
        """Items of a job in order, those in one of the states where any is named, and behind one of them."""
        asked = select(*_ITEM).where(items.c.job_id == job_id).order_by(items.c.position, items.c.id)
        if states:
            asked = asked.where(items.c.state.in_(states))
        if after is not None:
            asked = asked.where(tuple_(items.c.position, items.c.id) > (after.position, after.id))
        return self._database.all(asked.limit(limit), JobItem)

    def first_items(self, workspace: str, kind: JobKind, limit: int) -> tuple[JobItem, ...]:
        """The first item of each of the newest jobs of a kind, newest job first."""
        asked = select(*_ITEM).join(jobs, jobs.c.id == items.c.job_id).where(*self._of(jobs, workspace))
        asked = asked.where(jobs.c.kind == kind, items.c.position == 0).order_by(jobs.c.number.desc())
        return self._database.all(asked.limit(limit), JobItem)

    def items_up_to(self, last: JobItem, most: int) -> tuple[JobItem, ...]:
        """The last items of a job before an item, and that item, in order."""
        asked = select(*_ITEM).where(items.c.job_id == last.job_id, items.c.position <= last.position)
        newest = asked.order_by(items.c.position.desc(), items.c.id.desc()).limit(most)
        return self._database.all(newest, JobItem)[::-1]

    def outcomes(self, job_id: str) -> tuple[ItemSummary, ...]:
        """How each item of a crawl stands, in order; the drafts of those that wait for review stay where they are."""
        done = case((items.c.state == "done", items.c.result))
        asked = select(items.c.key, items.c.state, items.c.payload, done.label("result"))
        asked = asked.where(items.c.job_id == job_id).order_by(items.c.position, items.c.id)
        return self._database.all(asked, _outcome)

    def item(self, item_id: str) -> JobItem | None:
        """An item by id; None where there is none."""
        return self._database.first(select(*_ITEM).where(items.c.id == item_id), JobItem)

    def changes(self, job_ids: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
        """What jobs changed in the graph, by job: the counts of their change-sets, without those that were undone."""
        named = literal('"job_id":"').concat(jobs.c.id).concat('"')
        made_by = and_(
            change_sets.c.graph == jobs.c.graph,
            change_sets.c.workspace == jobs.c.workspace,
            change_sets.c.created_at >= jobs.c.created_at,
            type_coerce(change_sets.c.origin, Text).contains(named),  # it is kept as a text of JSON
        )
        asked = select(jobs.c.id, change_sets.c.counts).select_from(jobs.join(change_sets, made_by))
        asked = asked.where(jobs.c.id.in_(job_ids), change_sets.c.state != "undone")
        summed: dict[str, dict[str, int]] = {}
        for row in self._database.all(asked, dict[str, Any]):
            of_it = summed.setdefault(row["id"], {})
            for kind, count in (row["counts"] or {}).items():
                of_it[kind] = of_it.get(kind, 0) + count
        return summed

    def waiting(self) -> frozenset[str]:
        """The workspaces with a job that is running, or with an item that is, whatever its job."""
        running = exists().where(items.c.job_id == jobs.c.id, items.c.state == "running")
        asked = select(jobs.c.workspace).distinct().where(*self._of(jobs), or_(jobs.c.state == "running", running))
        return frozenset(self._database.scalars(asked))

    def state(self, job_id: str) -> JobState | None:
        """The state of a job; None where there is none."""
        return self._database.scalar(select(jobs.c.state).where(jobs.c.id == job_id))

    # -- steering

    def set_state(self, job_id: str, state: JobState, *, was: Sequence[JobState]) -> bool:
        """Pause, resume, cancel; False where the job was in none of the states `was`.

        The queued items of a cancelled job are cancelled with it.
        """
        now = clock.now()
        changes = {"state": state, "finished_at": None if state in ("running", "paused") else now}
        with self._database.transaction() as connection:
            one = update(jobs).where(jobs.c.id == job_id, jobs.c.state.in_(was)).values(**changes)
            if not connection.execute(one).rowcount:
                return False
            if state == "cancelled":
                connection.execute(_cancel(items.c.job_id == job_id, now))
            return True

    def revise(self, item_id: str, result: Mapping[str, Any], *, was: Mapping[str, Any]) -> bool:
        """Change what an item holds that waits for review; False where it does not wait, or does not hold `was`."""
        one = items.c.id == item_id, items.c.state == "review", items.c.result == dict(was)
        return bool(self._database.run(update(items).where(*one).values(result=dict(result))))

    def retry(self, item_id: str) -> bool:
        """Queue an item anew that failed or was cancelled; False where it was neither. Its job goes on.

        What a model was paid for stays with it, and nothing else of its result.
        """
        one = items.c.id == item_id, items.c.state.in_(("failed", "cancelled"))
        with self._database.transaction() as connection:
            kept = {"result": _reading(connection.scalar(select(items.c.result).where(*one)))}
            ended = update(items).where(*one).values(**_UNTRIED, **kept)
            job_id = connection.scalar(ended.returning(items.c.job_id))
            if job_id is not None:
                _go_on(connection, job_id, "done", "cancelled")
            return job_id is not None

    def cancel_item(self, item_id: str) -> bool:
        """Cancel an item that is queued or failed; False where it is anything else."""
        one = and_(items.c.id == item_id, items.c.state.in_(("queued", "failed")))
        return bool(self._database.run(update(items).where(one).values(state="cancelled", finished_at=clock.now())))

    # -- for whoever holds the lock of the queue

    def next_job(self, workspace: str) -> Job | None:
        """The oldest running job of a workspace that has queued items."""
        queued = exists().where(items.c.job_id == jobs.c.id, items.c.state == "queued")
        where = jobs.c.workspace == workspace, jobs.c.state == "running", queued
        return next(iter(self._jobs(*where, limit=1, newest_first=False)), None)

    def take(self, job_id: str, most: int) -> tuple[JobItem, ...]:
        """The first queued items of a job, which are running from here on."""
        first = select(items.c.id).where(items.c.job_id == job_id, items.c.state == "queued")
        first = first.order_by(items.c.position, items.c.id).limit(most)
        now = clock.now()
        taking = (
            update(items)
            .where(items.c.id.in_(first.scalar_subquery()), items.c.state == "queued")
            .values(state="running", started_at=now, attempts=items.c.attempts + 1)
            .returning(*_ITEM)
        )
        begun = update(jobs).where(jobs.c.id == job_id, jobs.c.started_at.is_(None)).values(started_at=now)
        with self._database.transaction() as connection:
            taken = [JobItem(**row) for row in connection.execute(taking).mappings()]
            connection.execute(begun)
        return tuple(sorted(taken, key=lambda item: (item.position, item.id)))

    def end(self, ends: Iterable[ItemEnd]) -> None:
        """Record how items ended that no change-set ends, as `end_items` does."""
        with self._database.transaction() as connection:
            end_items(connection, ends)

    def queue_again(self, workspace: str, item_ids: Sequence[str] | None = None) -> tuple[str, ...]:
        """Queue what is running, of all or of these, since nobody does it any more; returns the ids of those.

        These were put down in good order, which is no attempt. All are what a process that died was at: what died so
        too often has failed. Items of a cancelled job are cancelled.
        """
        of_it = select(jobs.c.id).where(*self._of(jobs, workspace))
        running = and_(items.c.job_id.in_(of_it), items.c.state == "running")
        queued = update(items).values(state="queued", started_at=None).returning(items.c.id)
        if item_ids is None:
            queued = queued.where(running)
        else:
            running = and_(running, items.c.id.in_(item_ids))
            queued = queued.where(running).values(attempts=items.c.attempts - 1)
        deadly = update(items).where(running, items.c.attempts > MOST_DEATHS).values(**_DEADLY, finished_at=clock.now())
        stopped = items.c.job_id.in_(of_it.where(jobs.c.state == "cancelled"))
        with self._database.transaction() as connection:
            if item_ids is None:
                connection.execute(deadly)
            left = tuple(connection.scalars(queued))
            connection.execute(_cancel(stopped, clock.now()))
            return left

    def finish(self, workspace: str) -> None:
        """Record which jobs of a workspace are done: no item is queued or running."""
        left = exists().where(items.c.job_id == jobs.c.id, items.c.state.in_(_LEFT))
        done = update(jobs).where(*self._of(jobs, workspace), jobs.c.state == "running", ~left)
        self._database.run(done.values(state="done", finished_at=clock.now()))

    def forget_old(self, workspace: str) -> None:
        """Forget the oldest ended jobs of a workspace beyond `KEPT`, but none with an item that waits for review or
        failed: somebody has to say what becomes of it."""
        ended = *self._of(jobs, workspace), jobs.c.state.in_(("done", "cancelled"))
        oldest = select(jobs.c.id).where(*ended).order_by(jobs.c.number.desc()).offset(KEPT).limit(None)
        open_ended = exists().where(items.c.job_id == jobs.c.id, items.c.state.in_(("review", "failed")))
        with self._database.transaction() as connection:
            ids = list(connection.scalars(oldest.where(~open_ended)))
            for start in range(0, len(ids), _ROWS):
                connection.execute(delete(jobs).where(jobs.c.id.in_(ids[start : start + _ROWS])))

    # -- statements

    def _jobs(self, *where: ColumnElement[bool], limit: int, newest_first: bool = True) -> tuple[Job, ...]:
        order: Any = jobs.c.number.desc() if newest_first else jobs.c.number
        asked = select(*_JOB).where(*self._of(jobs), *where).order_by(order).limit(limit)
        with self._database.transaction() as connection:
            rows = [dict(row) for row in connection.execute(asked).mappings()]
            progress = _progress(connection, [row["id"] for row in rows])
        return tuple(Job(**row | progress.get(row["id"], {})) for row in rows)


def _progress(connection: Connection, job_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Items by state, and what they took together, by job."""
    sums: list[ColumnElement[Any]] = [func.sum(items.c[name]).label(name) for name in _SUMMED]
    asked = select(items.c.job_id, items.c.state, func.count().label("count"), *sums)
    asked = asked.where(items.c.job_id.in_(job_ids)).group_by(items.c.job_id, items.c.state)
    progress: dict[str, dict[str, Any]] = {}
    for row in connection.execute(asked).mappings():
        of_it = progress.setdefault(row["job_id"], {"counts": {}, "input_tokens": 0, "output_tokens": 0, "cost": None})
        of_it["counts"][row["state"]] = row["count"]
        of_it["input_tokens"] += int(row["input_tokens"])
        of_it["output_tokens"] += int(row["output_tokens"])
        if row["cost"] is not None:
            of_it["cost"] = (of_it["cost"] or 0.0) + row["cost"]
    return progress


def _outcome(key: str, state: ItemState, payload: Mapping[str, Any], result: Mapping[str, Any] | None) -> ItemSummary:
    ended = result or {}
    return ItemSummary(key, state, str(payload.get("part", "")), *(str(ended.get(name) or "") for name in _OUTCOME))


def _row(job_id: str, position: int, new: NewItem) -> dict[str, Any]:
    return {
        "id": item_id(job_id, new.key), "job_id": job_id, "position": position, "key": new.key, "title": new.title,
        "state": "queued", "attempts": 0, "payload": dict(new.payload), "problem": "", "hint": "",
        "input_tokens": 0, "output_tokens": 0, "ms": 0.0,
    }  # fmt: skip


def _reading(result: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return {"reading": result["reading"]} if result and "reading" in result else None


def _cancel(where: ColumnElement[bool], now: datetime) -> Update:
    return update(items).where(where, items.c.state == "queued").values(state="cancelled", finished_at=now)


def _go_on(connection: Connection, job_id: str, *was: JobState) -> None:
    """Let a job go on that had ended, where it has queued items."""
    queued = exists().where(items.c.job_id == job_id, items.c.state == "queued")
    one = update(jobs).where(jobs.c.id == job_id, jobs.c.state.in_(was), queued)
    connection.execute(one.values(state="running", finished_at=None))
