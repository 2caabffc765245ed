"""Who may come in, and to which workspaces."""

import uuid
from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, select, update

from services.accounts.account_records import User
from services.accounts.database import Store
from services.accounts.schema import grants, sessions, users
from services.core import clock
from services.core.errors import BadInput

LOCAL = "local"
"""The one user of an app without sign-in."""

LONGEST_NAME = 200
USER = tuple(users.c[part.name] for part in fields(User))


class Users(Store):
    """The users of one graph. Names are told apart without regard to case.

    Methods that take a name raise `BadInput` for one that there is not.
    """

    def get(self, user_id: str) -> User | None:
        """A user by id; None where there is none."""
        return self._one(users.c.id == user_id)

    def named(self, name: str) -> User | None:
        """A user by name; None where there is none."""
        return self._one(users.c.name == spelled(name))

    def listed(self) -> tuple[User, ...]:
        """Every user, by name."""
        return self._database.all(select(*USER).where(*self._of(users)).order_by(users.c.name), User)

    def local(self) -> User:
        """The one user of an app without sign-in, an administrator."""
        return self.named(LOCAL) or self.known_or_added(LOCAL, is_admin=True)

    def add(self, name: str, password: str | None = None, *, display_name: str = "", is_admin: bool = False) -> User:
        """Add a user; without a password he comes in by a provider only.

        Raises `BadInput` for a name that is taken or cannot be one, and for a password that is too short.
        """
        added = self._insert(name, password, display_name, is_admin)
        if added is None:
            raise BadInput(f"A user named “{spelled(name)}” already exists.", "Choose another name.")
        return added

    def known_or_added(self, name: str, *, display_name: str = "", is_admin: bool = False) -> User:
        """The user of that name, added where nobody has it; two processes that do so at once get the same one."""
        found = self.named(name) or self._insert(name, None, display_name, is_admin) or self.named(name)
        assert found is not None, "the user who already has the name exists"
        return found

    def set_password(self, name: str, password: str) -> None:
        """Give a user another password, and end his sessions. Raises `BadInput` for one that is too short."""
        from services.accounts.passwords import hashed

        self._set(name, password=hashed(password))
        self._sign_out(name)

    def disable(self, name: str) -> None:
        """Shut a user out, at his next rerun at the latest; what he asked is kept."""
        self._set(name, disabled_at=clock.now())
        self._sign_out(name)

    def enable(self, name: str) -> None:
        """Let a user in again."""
        self._set(name, disabled_at=None)

    # -- workspaces

    def grant(self, name: str, workspace: str) -> None:
        """Let a user into a workspace, by its name in the graph."""
        row = {"user_id": self._needed(name).id, "workspace": workspace}
        self._database.run(self._database.insert(grants).values(row).on_conflict_do_nothing())

    def revoke(self, name: str, workspace: str) -> None:
        """Keep a user out of a workspace from now on."""
        user = self._needed(name)
        self._database.run(delete(grants).where(grants.c.user_id == user.id, grants.c.workspace == workspace))

    def granted(self, user_id: str) -> frozenset[str]:
        """The names of the workspaces that were granted to a user."""
        return frozenset(self._database.scalars(select(grants.c.workspace).where(grants.c.user_id == user_id)))

    def grants(self) -> Mapping[str, tuple[str, ...]]:
        """The workspaces of every user that has any, by the user's id."""
        asked = select(grants).join(users).where(*self._of(users)).order_by(grants.c.workspace)
        found: dict[str, tuple[str, ...]] = {}
        for row in self._database.all(asked, dict[str, Any]):
            found[row["user_id"]] = (*found.get(row["user_id"], ()), row["workspace"])
        return found

    # -- inside

    def _insert(self, name: str, password: str | None, display_name: str, is_admin: bool) -> User | None:
        name = spelled(name)
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise BadInput(
                "This is not a valid user name.", f"Use 1 to {LONGEST_NAME} characters, with no line breaks."
            )
        row = {
            "id": str(uuid.uuid4()),
            "graph": self._database.graph,
            "name": name,
            "display_name": display_name,
            "is_admin": is_admin,
            "password": None,
            "created_at": clock.now(),
        }
        if password is not None:
            from services.accounts.passwords import hashed

            row["password"] = hashed(password)
        statement = self._database.insert(users).values(row).on_conflict_do_nothing(index_elements=["graph", "name"])
        return self._database.first(statement.returning(*USER), User)

    def _needed(self, name: str) -> User:
        user = self.named(name)
        if user is None:
            raise BadInput(f"There is no user “{spelled(name)}”.", "Run `cli.py user list` to see all users.")
        return user

    def _set(self, name: str, **changes: datetime | str | None) -> None:
        self._database.run(update(users).where(users.c.id == self._needed(name).id).values(**changes))

    def _sign_out(self, name: str) -> None:
        self._database.run(delete(sessions).where(sessions.c.user_id == self._needed(name).id))

    def _one(self, where: ColumnElement[bool]) -> User | None:
        return self._database.first(select(*USER).where(*self._of(users), where), User)


def spelled(name: str) -> str:
    """A name as it is kept: without the space around it, in lower case."""
    return name.strip().casefold()
