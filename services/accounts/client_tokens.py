"""What clients of MCP and REST were granted. A token is shown once; the database has its hash alone."""

import hashlib
import secrets
import uuid
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, insert, select, update

from services.accounts.account_records import User
from services.accounts.client_tables import tokens
from services.accounts.database import Database, Store, row_of
from services.accounts.schema import grants, users
from services.accounts.users import LONGEST_NAME
from services.core import clock
from services.core.errors import AccountsUnavailable, BadInput
from services.core.toolsets import Toolset, read_toolsets

TOKEN_PREFIX = "asof_"
"""What a token begins with, so that programs that look for secrets in texts know it."""

_NOTED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class ClientToken:
    """What one client was granted by a user, whose own rights bound it: workspaces by their names in the graph,
    toolsets, reading or writing too, and instants that it may not leave; None leaves them to the client."""

    id: str
    user_id: str
    name: str
    workspaces: tuple[str, ...]
    toolsets: tuple[Toolset, ...]
    may_write: bool
    as_of: datetime | None
    known_at: datetime | None
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None


_TOKEN = tuple(tokens.c[part.name] for part in fields(ClientToken))


class Tokens(Store):
    """The tokens of one graph's clients.

    When each was last used is written at most once a minute, and by a thread that no caller waits for.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._last_used: dict[str, datetime] = {}
        self._noted: dict[str, datetime] = {}
        self._writer = ThreadPoolExecutor(1, "asof-token-uses")

    def close(self) -> None:
        """Finish writing when tokens were used."""
        self._writer.shutdown()

    def add(
        self,
        user: User,
        name: str,
        *,
        workspaces: Iterable[str],
        toolsets: Iterable[str] = ("analyst",),
        may_write: bool = False,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        expires_at: datetime | None = None,
    ) -> tuple[ClientToken, str]:
        """Grant a client what is given; returns it with the token, which nobody can be shown again.

        Raises `BadInput` where the name is taken, and for what cannot be granted.
        """
        name, now = name.strip(), clock.now()
        self._check_name(name)
        within = tuple(dict.fromkeys(workspaces))
        if not within:
            raise BadInput("workspace: a token needs at least one workspace.")
        if expires_at is not None and expires_at <= now:
            raise BadInput("expires: this time is in the past.", "Give a time in the future.")
        granted = ClientToken(
            str(uuid.uuid4()),
            user.id,
            name,
            within,
            read_toolsets("toolsets", toolsets),
            may_write,
            as_of,
            known_at,
            now,
            expires_at,
        )
        token = TOKEN_PREFIX + secrets.token_urlsafe(32)
        row = row_of(granted) | {"graph": self._database.graph, "digest": _digest(token)}
        self._database.run(insert(tokens).values(row))
        return granted, token

    def listed(self, user_id: str | None = None) -> tuple[ClientToken, ...]:
        """Every token, or those of a user, the newest first; revoked ones too."""
        where = [] if user_id is None else [tokens.c.user_id == user_id]
        return self._found(*where)

    def last_uses(self) -> Mapping[str, datetime]:
        """Return when each token was last used, by id; what other processes heard may be a minute late."""
        asked = select(tokens.c.id, tokens.c.last_used_at).where(*self._of(tokens), tokens.c.last_used_at.is_not(None))
        written = {row["id"]: row["last_used_at"] for row in self._database.all(asked, dict[str, Any])}
        heard = dict(self._last_used)
        return written | {id: max(at, written.get(id, at)) for id, at in heard.items()}

    def revoke(self, name: str, user_id: str | None = None) -> ClientToken:
        """End a token by its name or id, from the next call on; with `user_id` one of that user's alone.

        Raises `BadInput` where there is none that holds.
        """
        holding = next((one for one in self.listed(user_id) if name in (one.id, one.name) and not one.revoked_at), None)
        if holding is None:
            raise BadInput(f"There is no token “{name}”.", "Run `cli.py token list` to see all tokens.")
        revoked = replace(holding, revoked_at=clock.now())
        self._database.run(update(tokens).where(tokens.c.id == holding.id).values(revoked_at=revoked.revoked_at))
        return revoked

    def granted(self, token: str) -> ClientToken | None:
        """What whoever has the token may do now: of its workspaces those that its user still may see.

        None for a token that nobody was given, that is revoked or has expired, and where its user was disabled.
        """
        if not token.startswith(TOKEN_PREFIX):
            return None
        valid = (
            tokens.c.digest == _digest(token),
            tokens.c.revoked_at.is_(None),
            tokens.c.expires_at.is_(None) | (tokens.c.expires_at > clock.now()),
            users.c.disabled_at.is_(None),
        )
        asked = select(*_TOKEN, users.c.is_admin, grants.c.workspace).join_from(tokens, users)
        asked = asked.outerjoin(grants, grants.c.user_id == users.c.id).where(*self._of(tokens), *valid)
        rows = self._database.all(asked, dict[str, Any])
        if not rows:
            return None
        granted = _token({part.name: rows[0][part.name] for part in fields(ClientToken)})
        self._note_use(granted.id)
        allowed = {row["workspace"] for row in rows}
        kept = tuple(name for name in granted.workspaces if rows[0]["is_admin"] or name in allowed)
        return replace(granted, workspaces=kept)

    def _note_use(self, token_id: str) -> None:
        now = self._last_used[token_id] = clock.now()
        if now - self._noted.get(token_id, clock.EARLIEST) >= _NOTED_EVERY:
            self._noted[token_id] = now
            with suppress(RuntimeError):  # the app is closing
                self._writer.submit(self._write_use, token_id, now)

    def _write_use(self, token_id: str, at: datetime) -> None:
        last = tokens.c.last_used_at
        is_due = last.is_(None) | (last <= at - _NOTED_EVERY)
        with suppress(AccountsUnavailable):  # it is written the next time
            self._database.run(update(tokens).where(tokens.c.id == token_id, is_due).values(last_used_at=at))

    def _check_name(self, name: str) -> None:
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise BadInput(
                f"name: must have 1 to {LONGEST_NAME} characters, all of them printable.",
                "Enter a name without line breaks or tabs.",
            )
        if any(one.name == name and not one.revoked_at for one in self.listed()):
            raise BadInput(
                f"name: a token named “{name}” already exists.", "Revoke that token, or choose another name."
            )

    def _found(self, *where: ColumnElement[bool]) -> tuple[ClientToken, ...]:
        asked = select(*_TOKEN).where(*self._of(tokens), *where).order_by(tokens.c.created_at.desc())
        return tuple(_token(row) for row in self._database.all(asked, dict[str, Any]))


def _token(row: Mapping[str, Any]) -> ClientToken:
    return ClientToken(**{**row, "workspaces": tuple(row["workspaces"]), "toolsets": tuple(row["toolsets"])})


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
