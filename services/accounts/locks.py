"""Locks that live where the change-sets are, so that whoever can see an unfinished write can see its writer too."""

import fcntl
import hashlib
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import BigInteger, Connection, Engine, bindparam, text
from sqlalchemy.exc import SQLAlchemyError

_TRY = text("SELECT pg_try_advisory_lock(:key)").bindparams(bindparam("key", type_=BigInteger))
_LET_GO = text("SELECT pg_advisory_unlock_all()")


class FileLock:
    """`flock` on a file beside a SQLite database: two files opened by one process exclude each other too."""

    def __init__(self, folder: Path, name: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        digest = hashlib.blake2b(name.encode(), digest_size=16).hexdigest()
        self._path = folder / f"write-{digest}.lock"
        self._file = self._path.open("w")

    def take(self) -> bool:
        """Try once; True when it is ours now."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        """Let go."""
        self._file.close()

    def discard(self) -> None:
        """Let go of a lock that is ours and that nobody will ask for again: the file is removed."""
        self._path.unlink(missing_ok=True)
        self.close()


class AdvisoryLock:
    """PostgreSQL's advisory lock of a session, on a connection that nothing else uses."""

    def __init__(self, engine: Engine, name: str) -> None:
        digest = hashlib.blake2b(name.encode(), digest_size=8, person=b"asof").digest()
        self._key = int.from_bytes(digest, signed=True)
        self._connection: Connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        self._connection.detach()  # closed at the end, not given back to the pool with its lock

    def take(self) -> bool:
        """Try once; True when it is ours now."""
        return bool(self._connection.scalar(_TRY, {"key": self._key}))

    def close(self) -> None:
        """Let go at once: a server notices later that a connection was closed."""
        with closing(self._connection), suppress(SQLAlchemyError):  # one that is lost has let go
            if not self._connection.closed:
                self._connection.execute(_LET_GO)

    discard = close
    """The server keeps nothing of a lock that was let go."""
