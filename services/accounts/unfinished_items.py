"""What jobs were to take in and did not: items that failed, or wait for review."""

from typing import Any

from sqlalchemy import Subquery, func, or_, select

from services.accounts.database import Store
from services.accounts.schema import items, jobs
from services.core.source_records import SourceKind, Unfinished, UnfinishedState

_STATES: dict[str, UnfinishedState] = {"review": "in review", "failed": "failed"}
_KINDS: dict[str, SourceKind] = {"import": "table"}
_LINE = (
    items.c.id,
    items.c.job_id,
    items.c.key,
    items.c.title,
    items.c.state,
    items.c.problem,
    items.c.hint,
    items.c.finished_at,
    items.c.position,
    jobs.c.kind,
    jobs.c.number,
)


class UnfinishedItems(Store):
    """What the jobs of one graph left: one item for each document, unless a later job took the document in."""

    def listed(self, workspace: str, limit: int, state: UnfinishedState | None = None) -> tuple[Unfinished, ...]:
        """Those of the newest jobs first, in their order; with `state`, those of that state."""
        found = self._newest(workspace, state)
        asked = select(found).where(found.c.nth == 1).order_by(found.c.number.desc(), found.c.position).limit(limit)
        return self._database.all(asked, _unfinished)

    def count(self, workspace: str, state: UnfinishedState | None = None) -> int:
        """How many there are of those that `listed` lists."""
        found = self._newest(workspace, state)
        return self._database.scalar(select(func.count()).select_from(found).where(found.c.nth == 1)) or 0

    def _newest(self, workspace: str, state: UnfinishedState | None) -> Subquery:
        """Items of a state that no later job took in; `nth` counts those of one document, newest first."""
        here = self._of(jobs, workspace)
        done = select(items.c.key, func.max(jobs.c.number).label("number"))
        done = done.join_from(items, jobs, items.c.job_id == jobs.c.id).where(*here, items.c.state == "done")
        later = done.group_by(items.c.key).subquery()
        nth = func.row_number().over(partition_by=items.c.key, order_by=(jobs.c.number.desc(), items.c.position))
        asked = select(*_LINE, nth.label("nth")).join_from(items, jobs, items.c.job_id == jobs.c.id)
        asked = asked.outerjoin(later, later.c.key == items.c.key)
        return asked.where(
            *here,
            items.c.state.in_([name for name, word in _STATES.items() if state in (None, word)]),
            or_(later.c.number.is_(None), later.c.number < jobs.c.number),
        ).subquery()


def _unfinished(**row: Any) -> Unfinished:
    return Unfinished(
        row["id"],
        row["job_id"],
        row["key"],
        _KINDS.get(row["kind"], "document"),
        row["title"],
        _STATES[row["state"]],
        row["problem"],
        row["hint"],
        row["finished_at"],
    )
