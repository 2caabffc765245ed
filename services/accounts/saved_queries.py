"""Queries that were saved under a name; a verified one shows how a question of its kind is written in SQL."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime

from sqlalchemy import ColumnElement, delete, select, update

from services.accounts.database import Store, row_of
from services.accounts.schema import saved_queries
from services.core import clock
from services.core.errors import BadInput

_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class SavedQuery:
    """SQL under a name, over the tables of `database` or, where that is None, over the graph and all files.

    `question` is what it answers, in the words of whoever asked. `user_id` is whose it is, None without accounts.
    """

    name: str
    sql: str
    question: str
    description: str
    database: str | None
    is_verified: bool
    user_id: str | None
    created_at: datetime
    updated_at: datetime


_COLUMNS = tuple(saved_queries.c[part.name] for part in fields(SavedQuery))


class SavedQueries(Store):
    """The saved queries of one graph's workspaces."""

    def of(self, workspace: str, *, only_verified: bool = False) -> tuple[SavedQuery, ...]:
        """Return the queries of a workspace, by name."""
        asked = select(*_COLUMNS).where(*self._of(saved_queries, workspace)).order_by(saved_queries.c.name)
        return self._database.all(asked.where(saved_queries.c.is_verified) if only_verified else asked, SavedQuery)

    def save(
        self,
        workspace: str,
        name: str,
        sql: str,
        *,
        question: str = "",
        description: str = "",
        database: str | None = None,
        user_id: str | None = None,
    ) -> SavedQuery:
        """Keep a query in the place of one of its name, which stays verified only where its SQL and question do.

        Raises `BadInput` without a name or without SQL.
        """
        name, sql = _checked_name(name), sql.strip()
        if not sql:
            raise BadInput("The query is empty.", "Enter the SQL you want to save.")
        known = self._database.first(select(*_COLUMNS).where(*self._one(workspace, name)), SavedQuery)
        is_same = known is not None and (known.sql, known.question, known.database) == (sql, question, database)
        now = clock.now()
        saved = SavedQuery(
            name,
            sql,
            question,
            description,
            database,
            is_verified=known is not None and known.is_verified and is_same,
            user_id=known.user_id if known else user_id,
            created_at=known.created_at if known else now,
            updated_at=now,
        )
        row = {"graph": self._database.graph, "workspace": workspace, **row_of(saved)}
        self._database.put(saved_queries, row, ["graph", "workspace", "name"])
        return saved

    def verify(self, workspace: str, name: str, *, is_verified: bool = True) -> None:
        """Say that a query answers its question rightly, or no longer. Raises `BadInput` where there is none."""
        statement = update(saved_queries).where(*self._one(workspace, name)).values(is_verified=is_verified)
        if not self._database.run(statement):
            raise BadInput(f"There is no saved query “{name}”.", "Someone may have deleted it. Reload the page.")

    def delete(self, workspace: str, names: Sequence[str]) -> None:
        """Forget queries."""
        ours = self._of(saved_queries, workspace)
        self._database.run(delete(saved_queries).where(*ours, saved_queries.c.name.in_(list(names))))

    def _one(self, workspace: str, name: str) -> tuple[ColumnElement[bool], ...]:
        return (*self._of(saved_queries, workspace), saved_queries.c.name == name)


def _checked_name(name: str) -> str:
    name = " ".join(name.split())
    if not 0 < len(name) <= _LONGEST_NAME:
        raise BadInput(f"A saved query needs a name of 1 to {_LONGEST_NAME} characters.", "Change the name.")
    return name
