"""One DuckDB database: opened right or made anew, many readers, one writer."""

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import duckdb

from services.core.data_folder import write_problem
from services.core.errors import MirrorUnavailable
from services.mirror.former import FormerMirror, former_mirror

LAYOUT = f"7 on DuckDB {duckdb.__version__}"
"""The number grows with each change of a table in tables.sql; a new table is added to any mirror. A mirror of another
layout is made anew, and one of another DuckDB, whose hashes may differ."""

_PAGES = "20MB"
"""So much of a file stays in memory."""
_PATIENCE = 1.0
"""Seconds to wait for a moment at which nobody reads or writes."""

_TABLES = "SELECT table_name FROM duckdb_tables() WHERE database_name = 'kept'"
_HERE = Path(__file__).parent
_OFFLINE: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}


class MirrorDatabase:
    """A mirror's file, or one in memory. Any thread may read or write; writers wait for each other.

    `former` is what the file told that stood in its place with another layout.
    """

    def __init__(self, path: Path | None) -> None:
        """Open `path`; one that cannot be read or has another layout is deleted and starts empty.

        Raises `MirrorUnavailable` when another process has it open or the folder cannot be written.
        """
        self.path = path
        self.former: FormerMirror | None = None
        self._writer = threading.Lock()
        self._users = 0
        self._closed = False
        self._gone = threading.Condition()
        if path is not None:
            _make_folder(path.parent)
        try:
            self._connection = _open(path)
        except _Unusable as error:
            assert path is not None, "a database in memory starts empty"
            if problem := write_problem(path.parent):  # what is wrong may be the disk's fault alone
                raise MirrorUnavailable(f"Asof cannot open the mirror. {problem}") from error
            self.former = former_mirror(path)
            delete(path)
            self._connection = _open(path)

    @contextmanager
    def read(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A cursor whose statements all see the same state. Raises `MirrorUnavailable` when one is refused."""
        with _translated(), self._in_use(), closing(self._connection.cursor()) as cursor:
            cursor.begin()
            yield cursor
            cursor.rollback()

    @contextmanager
    def write(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A cursor whose statements happen all or not at all. Raises `MirrorUnavailable` when one is refused."""
        with _translated(), self._writer, self._in_use(), closing(self._connection.cursor()) as cursor:
            cursor.begin()
            try:
                yield cursor
            except BaseException:
                cursor.rollback()
                raise
            cursor.commit()

    @contextmanager
    def cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A cursor without a transaction, which may not write here. Raises `MirrorUnavailable` when one is refused."""
        with _translated(), self._in_use(), closing(self._connection.cursor()) as cursor:
            yield cursor

    @contextmanager
    def copying(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A cursor without a transaction, while nobody writes. Raises `MirrorUnavailable` when one is refused."""
        with _translated(), self._writer, self._in_use(), closing(self._connection.cursor()) as cursor:
            yield cursor

    def copy_from(self, path: Path) -> None:
        """Hold what the file of another mirror of this layout holds; the file stays as it is."""
        with self.copying() as cursor:
            cursor.execute(f"ATTACH '{str(path).replace("'", "''")}' AS kept (READ_ONLY)")
            try:
                if cursor.execute("SELECT layout FROM kept.meta").fetchall() == [(LAYOUT,)]:
                    cursor.execute("DELETE FROM meta")
                    for (table,) in cursor.execute(_TABLES).fetchall():
                        cursor.execute(f"INSERT INTO {table} FROM kept.{table}")
            finally:
                cursor.execute("DETACH DATABASE IF EXISTS kept")

    def forget_pages(self) -> None:
        """Let go of what was read of the file, which DuckDB keeps in memory until it needs that for something else.

        Nobody may read or write meanwhile, for want of memory; where somebody always does, nothing is let go. Indexes
        stay, which of a large mirror alone are more than that; and one without a file has nowhere to read from again.
        """
        if self.path is None:
            return
        with _translated(), self._gone:
            if not self._gone.wait_for(lambda: not self._users, _PATIENCE) or self._closed:
                return
            with closing(self._connection.cursor()) as cursor:
                with suppress(duckdb.OutOfMemoryException):  # what can go has gone by then, and the limit is as it was
                    cursor.execute(f"SET GLOBAL memory_limit = '{_PAGES}'")
                cursor.execute("RESET GLOBAL memory_limit")

    def close(self) -> None:
        """Let go of the file, once those who read or write are done; who comes after that is refused."""
        with self._gone:
            self._closed = True
            self._gone.wait_for(lambda: not self._users)
        with _translated():
            self._connection.close()

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        with self._gone:
            if self._closed:
                raise MirrorUnavailable("The mirror is closed.", "Reload the page.")
            self._users += 1
        try:
            yield
        finally:
            with self._gone:
                self._users -= 1
                self._gone.notify_all()


class _Unusable(Exception):
    """The file is no mirror of this layout."""


def delete(path: Path) -> None:
    """Delete a closed mirror's files."""
    for file in (path, path.with_name(path.name + ".wal")):
        file.unlink(missing_ok=True)


def rule(facts: str = "facts") -> str:
    """Return the macros of the time rule over the table of this name."""
    return (_HERE / "time_rule.sql").read_text(encoding="utf-8").replace("FROM facts;", f"FROM {facts};")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MirrorUnavailable(f"Asof cannot create the folder {folder}.", "Check ASOF_HOME.") from error


def _open(path: Path | None) -> duckdb.DuckDBPyConnection:
    try:
        connection = duckdb.connect(str(path or ":memory:"), config=_OFFLINE)
    except duckdb.Error as error:
        if path is None or "lock" in str(error).lower() or not path.is_file():
            raise MirrorUnavailable(
                f"Asof cannot open the mirror at {path}: {_first_line(error)}",
                "If another process has this file open, stop that process.",
            ) from error
        raise _Unusable from error
    try:
        _prepare(connection)
    except (duckdb.Error, _Unusable) as error:
        connection.close()
        raise _Unusable from error
    return connection


def _prepare(connection: duckdb.DuckDBPyConnection) -> None:
    """Make what is missing, in one transaction: DuckDB waits for the disk at the end of each."""
    connection.execute("SET GLOBAL TimeZone = 'UTC'")
    connection.begin()
    connection.execute((_HERE / "tables.sql").read_text(encoding="utf-8"))
    connection.execute(rule())
    connection.execute("INSERT INTO meta SELECT ?, 0, NULL, NULL, NULL WHERE NOT EXISTS (FROM meta)", [LAYOUT])
    if connection.execute("SELECT layout FROM meta").fetchall() != [(LAYOUT,)]:
        raise _Unusable
    connection.commit()


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except duckdb.Error as error:
        raise MirrorUnavailable(
            f"The mirror could not answer a query: {_first_line(error)}", "Rebuild the mirror on Settings."
        ) from error
