"""When a user did something last that pages go by: opened a workspace, saw its news, closed an explanation."""

from datetime import datetime
from typing import Literal

from sqlalchemy import select

from services.accounts.database import Store
from services.accounts.schema import user_marks

Mark = Literal["opened", "seen", "two clocks"]


class UserMarks(Store):
    """The marks of one graph's users; those of no workspace are under the name ""."""

    def at(self, user_id: str, mark: Mark, workspace: str = "") -> datetime | None:
        """Return when a user set a mark; None where he never did."""
        columns = user_marks.c
        asked = select(columns.at).where(*self._of(user_marks, workspace), columns.user_id == user_id)
        found: datetime | None = self._database.scalar(asked.where(columns.mark == mark))
        return found

    def put(self, user_id: str, mark: Mark, at: datetime, workspace: str = "") -> None:
        """Set a mark of a user."""
        keys = {"graph": self._database.graph, "workspace": workspace, "user_id": user_id, "mark": mark}
        self._database.put(user_marks, {**keys, "at": at}, list(keys))
