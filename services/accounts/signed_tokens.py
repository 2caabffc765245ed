"""Sign-ins of programs as JSON Web Tokens, by one algorithm, with a secret that only the accounts database holds."""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey
from sqlalchemy import select

from services.accounts.account_records import Rights, User
from services.accounts.client_tables import signing_keys
from services.accounts.database import Store
from services.accounts.schema import grants, users
from services.accounts.users import USER
from services.core import clock
from services.core.errors import BadInput

_ALGORITHM = "HS256"


class TokenRefused(BadInput):
    """A token was not made here, has expired, or its user has another password by now."""


class UserGone(TokenRefused):
    """The user of a token was deleted or disabled."""


class SignedTokens(Store):
    """The tokens of one graph's users. None is kept: each is judged by its signature and by its user as he is now."""

    def make(self, user_id: str, lasts: timedelta) -> str:
        """Return a token of a user, who has just signed in by his password."""
        now, secret = clock.now(), self._secret()
        claims = {
            "sub": user_id,
            "iat": int(now.timestamp()),
            "exp": int((now + lasts).timestamp()),
            "pwd": _fingerprint(secret, self._row(user_id).get("password")),
        }
        return jwt.encode({"alg": _ALGORITHM}, claims, OctKey.import_key(secret))

    def rights_of(self, token: str) -> Rights:
        """Return whose token it is, with what is granted to him now. Raises `TokenRefused` and `UserGone`."""
        secret = self._secret()
        claims = _claims(token, secret)
        row = self._row(str(claims.get("sub")))
        if not row or row["disabled_at"] is not None:
            raise UserGone("This user no longer exists.", "Sign in as another user.")
        if not hmac.compare_digest(_fingerprint(secret, row["password"]), str(claims.get("pwd"))):
            raise TokenRefused("The password has changed.", "Sign in again.")
        user = User(**{column.name: row[column.name] for column in USER})
        granted = select(grants.c.workspace).where(grants.c.user_id == user.id)
        return Rights(user, frozenset(self._database.scalars(granted)))

    def _row(self, user_id: str) -> Mapping[str, Any]:
        asked = select(*USER, users.c.password).where(*self._of(users), users.c.id == user_id)
        return self._database.first(asked, dict[str, Any]) or {}

    def _secret(self) -> str:
        """The secret, made when it is first needed; replicas that make one at once get the same."""
        asked = select(signing_keys.c.secret).where(*self._of(signing_keys))
        if (kept := self._database.scalar(asked)) is not None:
            return str(kept)
        row = {"graph": self._database.graph, "secret": secrets.token_urlsafe(48)}
        self._database.run(self._database.insert(signing_keys).values(row).on_conflict_do_nothing())
        return str(self._database.scalar(asked))


def _claims(token: str, secret: str) -> Mapping[str, Any]:
    """Return what a token says, once its signature and its time are good."""
    try:
        claims = jwt.decode(token, OctKey.import_key(secret), algorithms=[_ALGORITHM]).claims
        is_over = int(claims["exp"]) <= clock.now().timestamp()
    except (JoseError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise TokenRefused("This token is not valid for this installation of Asof.", "Sign in again.") from error
    if is_over:
        raise TokenRefused("This token has expired.", "Sign in again.")
    return claims


def _fingerprint(secret: str, password: str | None) -> str:
    """What changes with a password, and tells nobody without the secret anything of its hash."""
    return hmac.new(secret.encode(), (password or "").encode(), hashlib.sha256).hexdigest()
