"""Passwords as argon2 hashes."""

import functools
import threading

from pwdlib import PasswordHash
from pwdlib.exceptions import PwdlibError
from pwdlib.hashers.argon2 import Argon2Hasher

from services.core.errors import BadInput

SHORTEST, LONGEST = 8, 1000
_hasher = PasswordHash((Argon2Hasher(),))
_few = threading.Semaphore(4)
"""Each hash takes 64 MB while it is made, and anybody can ask for one."""


def hashed(password: str) -> str:
    """The hash to keep of a password. Raises `BadInput` for one that is too short or too long."""
    if not SHORTEST <= len(password) <= LONGEST:
        fault = "short" if len(password) < SHORTEST else "long"
        raise BadInput(f"This password is too {fault}.", f"Use {SHORTEST} to {LONGEST:,} characters.")
    return _hasher.hash(password.encode("utf-8", "replace"))


def is_right(password: str, kept: str | None) -> bool:
    """True where the password is the one of the hash; where there is none it takes as long to say no."""
    try:
        with _few:
            right = _hasher.verify(password.encode("utf-8", "replace")[: LONGEST * 4], kept or _nobodys())
    except PwdlibError:  # a hash that nobody of us made
        return False
    return right and kept is not None


@functools.cache
def _nobodys() -> str:
    return _hasher.hash("a placeholder password")
