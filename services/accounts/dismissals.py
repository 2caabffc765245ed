"""What Health found and an analyst has looked at: it is as it should be."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import datetime

from sqlalchemy import bindparam, delete, select

from services.accounts.database import Store
from services.accounts.schema import dismissals
from services.core import clock


@dataclass(frozen=True, slots=True)
class Dismissal:
    """One finding that is as it should be: its kind, and the key that names it there."""

    kind: str
    key: str
    user_id: str | None
    created_at: datetime


_COLUMNS = tuple(dismissals.c[part.name] for part in fields(Dismissal))


def _digest(key: str) -> str:
    """What tells a key of any length from others, as `SafeText` holds it: PostgreSQL indexes no long text."""
    held = key.replace("\0", "\ufffd").encode("utf-8", "replace")
    return hashlib.blake2b(held, digest_size=16).hexdigest()


class Dismissals(Store):
    """The findings of one graph's workspaces that nobody needs to look at again."""

    def add(self, workspace: str, kind: str, keys: Iterable[str], user_id: str | None = None) -> None:
        """Dismiss findings; one that was dismissed before stays as it was."""
        now = clock.now()
        rows = [
            {
                "graph": self._database.graph,
                "workspace": workspace,
                "kind": kind,
                "digest": _digest(key),
                "key": key,
                "user_id": user_id,
                "created_at": now,
            }
            for key in keys
        ]
        if rows:
            self._database.run(self._database.insert(dismissals).on_conflict_do_nothing(), rows)

    def take_back(self, workspace: str, kind: str, keys: Iterable[str]) -> None:
        """Have findings looked at again."""
        one = dismissals.c.kind == kind, dismissals.c.digest == bindparam("digest_of_one")
        if digests := [{"digest_of_one": _digest(key)} for key in keys]:
            self._database.run(delete(dismissals).where(*self._of(dismissals, workspace), *one), digests)

    def of(self, workspace: str) -> tuple[Dismissal, ...]:
        """All that was dismissed in a workspace, newest first."""
        asked = select(*_COLUMNS).where(*self._of(dismissals, workspace))
        return self._database.all(asked.order_by(dismissals.c.created_at.desc(), dismissals.c.key), Dismissal)
