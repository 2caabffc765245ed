"""What jobs were to take in and did not: items that failed, or wait for review."""

from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy import func, select

from services.accounts.database import Database
from services.accounts.schema import items, jobs
from services.sources import SourceKind, Unfinished

_STATES: dict[str, Literal["in review", "failed"]] = {"review": "in review", "failed": "failed"}
_KINDS: dict[str, SourceKind] = {"import": "table"}
_LINE = (items.c.id, items.c.job_id, items.c.key, items.c.title, items.c.state, items.c.problem, items.c.hint,
         items.c.finished_at, jobs.c.kind, jobs.c.number)  # fmt: skip


def unfinished(database: Database, workspace: str, limit: int) -> tuple[Unfinished, ...]:
    """Those of the newest jobs first, in their order, one for each document; what a later job took in is left out.

    Raises `AccountsUnavailable` when the database cannot be reached or refuses.
    """
    here = jobs.c.graph == database.graph, jobs.c.workspace == workspace
    asked = select(*_LINE).join_from(items, jobs, items.c.job_id == jobs.c.id)
    asked = asked.where(*here, items.c.state.in_(_STATES))
    asked = asked.order_by(jobs.c.number.desc(), items.c.position).limit(limit)
    with database.transaction() as connection:
        found = connection.execute(asked).mappings().all()
        keys = list(dict.fromkeys(row["key"] for row in found))
        done = select(items.c.key, func.max(jobs.c.number)).join_from(items, jobs, items.c.job_id == jobs.c.id)
        done = done.where(*here, items.c.state == "done", items.c.key.in_(keys)).group_by(items.c.key)
        later = {row[0]: row[1] for row in connection.execute(done)} if keys else {}
    return tuple(_one_each(row for row in found if later.get(row["key"], -1) < row["number"]))


def _one_each(rows: Any) -> Sequence[Unfinished]:
    first: dict[str, Unfinished] = {}
    for row in rows:
        line = Unfinished(
            row["id"], row["job_id"], row["key"], _KINDS.get(row["kind"], "document"), row["title"],
            _STATES[row["state"]], row["problem"], row["hint"], row["finished_at"],
        )  # fmt: skip
        first.setdefault(row["key"], line)
    return tuple(first.values())
