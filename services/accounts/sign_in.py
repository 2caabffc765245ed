"""Who is signed in: sessions by an opaque token, of which the database has the hash alone."""

import hashlib
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Literal

from sqlalchemy import delete, func, insert, select

from services.accounts.account_records import Rights, User
from services.accounts.database import Database, Store
from services.accounts.page_owners import Pages
from services.accounts.schema import attempts, grants, sessions, users
from services.accounts.users import LONGEST_NAME, USER, spelled
from services.core import clock
from services.core.errors import AccountsUnavailable, BadInput

COOKIE = "asof_session"
LASTS = timedelta(days=14)
_OF_PROVIDER = "_streamlit_user"
"""The beginning of the names of the cookies in which Streamlit keeps, signed, what a provider said of a user."""

_MINUTES = 5


class WrongPassword(BadInput):
    """There is no such user, the password is another one, or the user was disabled."""


class TooManyTries(BadInput):
    """Somebody tried too often: by this name, or from this address."""


class Attempts(Store):
    """Tries to sign in of the last minutes by keys (a name, an address), counted for every replica of the app."""

    def take(self, limits: Mapping[str, int]) -> list[int] | None:
        """Use up one try of each key, given with its limit; None where one of them has none left.

        It counts before it is known whether it was good, and looks once that is committed, so that many at once are
        no way around. Returns what `give_back` takes.
        """
        now, graph = clock.now(), self._database.graph
        rows = [{"graph": graph, "key": key, "created_at": now} for key in limits]
        with self._database.transaction() as connection:
            connection.execute(delete(attempts).where(attempts.c.created_at <= now - timedelta(minutes=_MINUTES)))
            taken = list(connection.scalars(insert(attempts).returning(attempts.c.number), rows))
        counted = select(attempts.c.key, func.count()).where(*self._of(attempts), attempts.c.key.in_(limits))
        with self._database.transaction() as connection:
            tries = connection.execute(counted.group_by(attempts.c.key)).all()
        if all(number <= limits[key] for key, number in tries):
            return taken
        self.give_back(taken)
        return None

    def give_back(self, taken: Sequence[int]) -> None:
        """The try was good, and does not count."""
        self._database.run(delete(attempts).where(attempts.c.number.in_(taken)))


class SignIn(Store):
    """The sessions of one graph's users."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.pages = Pages()
        self._attempts = Attempts(database)

    def begin(self, name: str, password: str, address: str) -> str:
        """Sign a user in by name and password; returns the token of the session.

        Raises `WrongPassword`, whatever is wrong and in the same time, and `TooManyTries`.
        """
        try:
            return self._begin(name, password, address)
        except AccountsUnavailable:
            if not self._database.turn_read_only():
                raise
        return self._begin(name, password, address)

    def check(self, name: str, password: str, address: str) -> str:
        """Return the id of the user of a name and password, and begin no session. Raises as `begin` does."""
        name = spelled(name)[:LONGEST_NAME]
        with self._trying(name, address):
            return self._checked(name, password)

    def _begin(self, name: str, password: str, address: str) -> str:
        user_id = self.check(name, password, address)
        token = secrets.token_urlsafe(32)
        self.put(token, user_id)
        return token

    def put(self, token: str, user_id: str) -> None:
        """Keep that whoever has the token is this user, for as long as a session lasts from now on."""
        now = clock.now()
        row = {"token": _hash(token), "user_id": user_id, "created_at": now, "expires_at": now + LASTS}
        statement = self._database.insert(sessions).values(row)
        again = {"user_id": user_id, "expires_at": row["expires_at"]}
        with self._database.transaction() as connection:
            connection.execute(delete(sessions).where(sessions.c.expires_at <= now))
            connection.execute(statement.on_conflict_do_update(index_elements=["token"], set_=again))

    def rights_of(self, token: str) -> Rights | None:
        """Whose session it is, and what was granted to him; None once it is over, and where he was disabled."""
        asked = (
            select(*USER, grants.c.workspace)
            .join_from(sessions, users)
            .outerjoin(grants, grants.c.user_id == users.c.id)
            .where(
                sessions.c.token == _hash(token),
                sessions.c.expires_at > clock.now(),
                *self._of(users),
                users.c.disabled_at.is_(None),
            )
        )
        with self._database.transaction() as connection:
            rows = connection.execute(asked).all()
        if not rows:
            return None
        granted = frozenset(workspace for *_, workspace in rows if workspace is not None)
        return Rights(User(*rows[0][:-1]), granted)

    def end(self, token: str) -> None:
        """Sign out."""
        self._database.run(delete(sessions).where(sessions.c.token == _hash(token)))

    @contextmanager
    def _trying(self, name: str, address: str) -> Iterator[None]:
        """A try by a name from an address; only a wrong password counts. Raises `TooManyTries`.

        What somebody tries by a name elsewhere leaves its owner's own tries alone, until very many do so.
        """
        taken = self._attempts.take({f"from {address}": 30, f"{name} from {address}": 5, f"as {name}": 100})
        if taken is None:
            raise TooManyTries("Too many attempts.", f"Wait {_MINUTES} minutes, then try again.")
        try:
            yield
        except WrongPassword:
            raise
        except BaseException:
            self._attempts.give_back(taken)
            raise
        self._attempts.give_back(taken)

    def _checked(self, name: str, password: str) -> str:
        """The id of the user. The password is looked at whether there is a user or not: both take the same time."""
        from services.accounts.passwords import is_right

        asked = select(users.c.id, users.c.password, users.c.disabled_at)
        with self._database.transaction() as connection:
            row = connection.execute(asked.where(*self._of(users), users.c.name == name)).first()
        right = is_right(password, None if row is None else row.password)
        if row is None or not right or row.disabled_at is not None:
            raise WrongPassword("Wrong name or password.", "Try again, or ask an administrator for a new password.")
        return str(row.id)


def token_of(cookies: Mapping[str, str], auth: Literal["none", "local", "oidc"]) -> str | None:
    """What a browser's cookies say who it is; None where they say nothing.

    With a provider that is the cookies that Streamlit signed, all of them: it cuts long ones to pieces.
    """
    if auth == "local":
        return cookies.get(COOKIE)
    signed = sorted((name, value) for name, value in cookies.items() if name.startswith(_OF_PROVIDER))
    return "\n".join(f"{name}={value}" for name, value in signed) if auth == "oidc" and signed else None


def allowed_emails(setting: str) -> frozenset[str]:
    """The e-mails and @domains of ASOF_ALLOWED.

    Raises `BadInput` where there are none: that would let in whoever has an account at the provider.
    """
    allowed = frozenset(filter(None, (part.strip().casefold() for part in setting.split(","))))
    if not allowed:
        raise BadInput(
            "ASOF_AUTH is oidc, but ASOF_ALLOWED does not say who may sign in.",
            "List e-mail addresses or @domains in ASOF_ALLOWED.",
        )
    return allowed


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
