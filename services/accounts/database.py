"""The accounts database itself, SQLite or PostgreSQL: its engine, its transactions, its locks, its faults in words."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    ExceptionContext,
    Executable,
    Select,
    Table,
    create_engine,
    event,
    make_url,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from services.accounts.column_types import DAMAGED
from services.accounts.locks import AdvisoryLock, FileLock
from services.accounts.read_only import close_for_good, read_only_engine
from services.accounts.upgrade import upgrade
from services.core.data_folder import HINT, write_problem
from services.core.errors import AccountsUnavailable, BadInput

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_DURABLE = "asof_durable"
_PATIENCE = 10  # seconds for a server to take a connection; without a limit that is minutes

_KIND = 0xFF  # of SQLite's extended codes of faults
_CANNOT_WRITE = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}
"""What SQLite says where its file or folder takes nothing."""
_CORRUPT = ("file is not a database", "database disk image is malformed", "Could not decode to UTF-8", DAMAGED)
"""What SQLite says of a file that it cannot read."""
_RESTORE = (
    "Restore a backup. Or move the file elsewhere: Asof then creates a database without accounts, conversations "
    "or undo history. The graph does not change."
)


class Database:
    """One graph's part of the accounts database, opened at its first use. Any thread may call any method.

    While a SQLite file or its folder cannot be written it is only read, and sign-ins are kept in memory.
    Every method raises `AccountsUnavailable` when the database cannot be reached or refuses.
    """

    def __init__(self, url: str, graph: str) -> None:
        self.graph = graph
        self._engine = _engine(url)
        self._durable = self._engine.execution_options(**{_DURABLE: True})
        self._read_only: Engine | None = None
        self._lock = threading.Lock()
        self._has_tables = False
        self._is_doubtful = False
        if not self.is_postgresql:
            event.listen(self._engine, "connect", self._note_opening)
            event.listen(self._engine, "handle_error", self._note_fault)

    @property
    def address(self) -> str:
        """Where the database is, for people to read; never with a password."""
        return self._engine.url.render_as_string(hide_password=True)

    @property
    def is_postgresql(self) -> bool:
        """True on a server; a file otherwise."""
        return self._engine.dialect.name == "postgresql"

    @property
    def _file(self) -> Path:
        """The file of a database that is no server's."""
        return Path(self._engine.url.database or "").absolute()

    def close(self) -> None:
        """Let go of the connections."""
        self._engine.dispose()
        if self._read_only is not None:
            self._read_only.dispose()

    def insert(self, table: Table) -> postgresql.Insert | sqlite.Insert:
        """An insert that can say what happens when the row is there already: each dialect has its own class."""
        return postgresql.insert(table) if self.is_postgresql else sqlite.insert(table)

    def lock(self, name: str) -> "Lock":
        """The lock of that name in this graph, not yet taken."""
        name = f"{self.graph}\0{name}"
        with self.translated():
            if self.is_postgresql:
                return Lock(self, AdvisoryLock(self._engine, name))
            return Lock(self, FileLock(self._file.parent / "locks", name))

    @contextmanager
    def transaction(self, *, durable: bool = False) -> Iterator[Connection]:
        """All of a block or nothing. What a `durable` one wrote is on the disk when the block has ended."""
        with self.translated():
            engine = self._opened()
            with (self._durable if durable and self._has_tables else engine).begin() as connection:
                yield connection

    def run(
        self, statement: Executable, rows: Sequence[Mapping[str, Any]] | None = None, *, durable: bool = False
    ) -> int:
        """Run one statement in a transaction of its own; returns how many rows it changed."""
        with self.transaction(durable=durable) as connection:
            return connection.execute(statement, rows or None, execution_options={"preserve_rowcount": True}).rowcount

    def put(self, table: Table, row: Mapping[str, Any], keys: Sequence[str]) -> None:
        """Insert a row, or take it over where there is one of the same `keys`."""
        changes = {name: value for name, value in row.items() if name not in keys}
        statement = self.insert(table).values(dict(row))
        self.run(statement.on_conflict_do_update(index_elements=keys, set_=changes))

    def all[R](self, asked: Executable, record: Callable[..., R]) -> tuple[R, ...]:
        """Return a record of each row, made of its columns by name."""
        with self.transaction() as connection:
            return tuple(record(**row) for row in connection.execute(asked).mappings())

    def first[R](self, asked: Executable, record: Callable[..., R]) -> R | None:
        """Return a record of the first row; None where there is none."""
        with self.transaction() as connection:
            row = connection.execute(asked).mappings().first()
        return None if row is None else record(**row)

    def scalars(self, asked: Select[Any]) -> Sequence[Any]:
        """Return the first column of all rows."""
        with self.transaction() as connection:
            return connection.scalars(asked).all()

    def scalar[T](self, asked: Select[T]) -> T | None:
        """Return the first column of the first row; None where there is none."""
        with self.transaction() as connection:
            return connection.scalar(asked)

    @contextmanager
    def translated(self) -> Iterator[None]:
        """The database's faults in words of ours."""
        try:
            yield
        except (SQLAlchemyError, OSError) as error:
            if any(words in str(getattr(error, "orig", error)) for words in _CORRUPT):
                raise AccountsUnavailable(f"The accounts database at {self.address} is corrupt.", _RESTORE) from error
            problem = self._write_problem()
            raise AccountsUnavailable(
                f"Asof cannot use the accounts database at {self.address}. {problem}".strip(),
                HINT
                if problem
                else (
                    "Check that ASOF_DATABASE_URL is correct and that its server is running or its folder is writable."
                ),
            ) from error

    def turn_read_only(self) -> bool:
        """Only read until the folder can be written again; False where it can, and on a server."""
        with self.translated(), self._lock:
            if self._read_only is None and self._file.is_file() and self._write_problem():
                engine = read_only_engine(self._file)
                upgrade(engine)
                self._read_only = engine
        return self._read_only is not None

    def _opened(self) -> Engine:
        """The engine to ask now, on tables of this version."""
        if self._is_doubtful:
            self._engine.dispose()
        if self._is_doubtful or not self._has_tables:
            self._is_doubtful = False
            self.turn_read_only()
        with self._lock:
            if self._read_only is not None:
                if self._write_problem():
                    return self._read_only
                close_for_good(self._read_only)
                self._read_only = None
            if not self._has_tables:
                upgrade(self._engine)
                self._has_tables = True
            return self._engine

    def _note_opening(self, _connection: object, _record: object) -> None:
        """Doubt connections that are opened while nobody can write: SQLite never writes on them, even when it could."""
        self._is_doubtful = self._is_doubtful or not os.access(self._file, os.W_OK)

    def _note_fault(self, context: ExceptionContext) -> None:
        if getattr(context.original_exception, "sqlite_errorcode", 0) & _KIND in _CANNOT_WRITE:
            self._is_doubtful = context.is_disconnect = True

    def _write_problem(self) -> str:
        if self.is_postgresql:
            return ""
        is_protected = self._file.is_file() and not os.access(self._file, os.W_OK)
        return write_problem(self._file.parent) or (f"The file {self._file} is not writable." if is_protected else "")


@dataclass(frozen=True, slots=True)
class Lock:
    """The right to do something alone. A process that dies, or loses its server, lets go of it.

    `take` and `discard` raise `AccountsUnavailable` when the database cannot be reached or refuses.
    """

    _database: Database
    _lock: FileLock | AdvisoryLock

    def take(self) -> bool:
        """Try once; True when it is ours now."""
        with self._database.translated():
            return self._lock.take()

    def close(self) -> None:
        """Let go."""
        self._lock.close()

    def discard(self) -> None:
        """Let go of a lock that is ours and that nobody will ask for again."""
        with self._database.translated():
            self._lock.discard()


class Store:
    """One part of what is kept about a graph. Any thread may call any method.

    Every method raises `AccountsUnavailable` when the database cannot be reached or refuses.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def _of(self, table: Table, workspace: str | None = None) -> list[ColumnElement[bool]]:
        """What keeps a statement to the rows of this graph, or of one of its workspaces."""
        ours = [table.c.graph == self._database.graph]
        return ours if workspace is None else [*ours, table.c.workspace == workspace]


def row_of(record: "DataclassInstance") -> dict[str, Any]:
    """Return the fields of a record by name; what they hold stays as it is."""
    return {part.name: getattr(record, part.name) for part in fields(record)}


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        if parsed.drivername in {"postgres", "postgresql"}:
            parsed = parsed.set(drivername="postgresql+psycopg")
        patience = {} if "connect_timeout" in parsed.query else {"connect_timeout": _PATIENCE}
        server = parsed.get_backend_name() == "postgresql"
        engine = create_engine(parsed, pool_pre_ping=True, connect_args=patience if server else {})
    except (SQLAlchemyError, ImportError, ValueError) as error:
        raise BadInput(
            "ASOF_DATABASE_URL is not valid.", ("Write the URL as postgresql://user@host/database.")
        ) from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _set_durability)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """Readers beside a writer, a writer that waits for another one, and rows that go with what they belong to."""
    for pragma in ("journal_mode = WAL", "busy_timeout = 10000", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _set_durability(connection: Connection) -> None:
    """Have SQLite wait for the disk at the end of a durable transaction, and of no other.

    A commit is whole either way, but one that was not waited for is lost when the power fails.
    """
    level = "FULL" if connection.get_execution_options().get(_DURABLE) else "NORMAL"
    connection.connection.execute(f"PRAGMA synchronous = {level}")
