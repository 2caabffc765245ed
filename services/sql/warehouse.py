"""Named databases of a data folder: tables read from files, and databases that stay where they are.

Each has a folder with `database.json`, and its tables in a file of DuckDB, which is replaced whole and never changed:
whoever reads it goes on reading what was there.
"""

import base64
import fcntl
import hashlib
import io
import os
import re
import shutil
import threading
import time
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from services.core.data_folder import make_private
from services.core.durable_files import replace_file
from services.core.errors import BadInput, QueryRejected
from services.sql.catalog import (
    SAMPLE_LENGTH,
    SAMPLES,
    DatabaseColumn,
    DatabaseTable,
    Kind,
    Metric,
    SqlDatabase,
    checked_name,
    table_name,
)
from services.sql.key_guesses import guessed_keys
from services.sql.query_history import forget_past_queries
from services.sql.query_limits import QueryLimits
from services.sql.query_results import in_json
from services.sql.quoting import identifier
from services.sql.run_query import in_process
from services.tables.table_formats import TABLE_FORMATS

if TYPE_CHECKING:
    from services.context import OpenWorkspace

TABLE_ENDINGS = tuple(TABLE_FORMATS)
"""The endings of files that can become tables."""
_LIMITS = QueryLimits(seconds=120.0, result_bytes=1 << 30)
_READING = ".reading"
_WRITTEN_ONCE = re.compile(r"[0-9a-f]{32}\.(duckdb|duckdb\.wal)|database\.json\.\d+\.new")
_ABANDONED = 3600.0
"""So many seconds after it was given to be read, a file is read no longer: its process was killed."""
_changing_here = threading.Lock()


class Warehouse:
    """The databases below a folder. Any thread may call it.

    Those of all workspaces are changed for an administrator alone; for others that raises `BadInput`.
    """

    def __init__(self, folder: Path, *, for_administrator: bool = False) -> None:
        self._folder, self._for_administrator = folder, for_administrator

    def databases(self, workspace: str) -> tuple[SqlDatabase, ...]:
        """Return the databases that a workspace sees, its own and those of all, by name."""
        found = [one for file in self._folder.glob("*/database.json") if (one := self._read(file)) is not None]
        seen = {one.name: one for owner in (None, workspace) for one in found if one.workspace == owner}
        return tuple(seen[name] for name in sorted(seen))

    def database(self, workspace: str, name: str) -> SqlDatabase:
        """Return one of those. Raises `BadInput` where there is none of the name."""
        databases = self.databases(workspace)
        for one in databases:
            if one.name == name.strip().lower():
                return one
        names = ", ".join(one.name for one in databases)
        raise BadInput(
            f"There is no database “{name}”.", f"Available: {names}." if names else "Add a database from files first."
        )

    def file(self, database: SqlDatabase) -> Path:
        """Return the file that holds the tables of a database of files."""
        return self._home(database) / database.place

    def vectors_file(self, database: SqlDatabase) -> Path:
        """Return the file for the vectors of what a database holds; the graph has one as well."""
        return self._home(database) / "vectors.npz"

    def add_files(self, name: str, workspace: str | None, files: Iterable[tuple[str, bytes]]) -> SqlDatabase:
        """Read files, by name and content, into tables of a database, which is made where it is missing.

        A table of a file's name takes the place of the one that it was read into before. Raises `BadInput`.
        """
        name = checked_name(name)
        _delete_leftovers(self._folder)
        read = [(file, _digest(content), _tables(file, content, self._folder)) for file, content in files]
        with _changing(self._folder):
            database = self._own(name, workspace, "files")
            with self._replaced(database) as (connection, place):
                tables = {table.name: table for table in database.tables}
                for file, digest, found in read:
                    for table in _written(connection, file, digest, found, tables):
                        tables[table.name] = table
                keys = tuple(guessed_keys(connection, tuple(tables.values())))
            known = {"place": place, "tables": tuple(tables.values()), "foreign_keys": keys}
            return self._keep(database.model_copy(update=known))

    def describe(
        self, workspace: str, name: str, text: str, *, table: str | None = None, column: str | None = None
    ) -> SqlDatabase:
        """Say in words what a database, a table or a column holds. Raises `BadInput` where it is unknown."""
        with _changing(self._folder):
            database = self.database(workspace, name)
            if table is None:
                return self._keep(database.model_copy(update={"description": text}))
            tables = tuple(_described(one, text, column) if one.name == table else one for one in database.tables)
            if table not in {one.name for one in tables}:
                tables_there = ", ".join(one.name for one in tables)
                raise BadInput(f"The database “{name}” has no table “{table}”.", f"Available: {tables_there}.")
            return self._keep(database.model_copy(update={"tables": tables}))

    def save_metric(self, workspace: str, name: str, metric: Metric) -> SqlDatabase:
        """Keep a metric with a database, in the place of one of its name. Raises `BadInput` where it is not whole."""
        if not metric.name.strip() or not metric.sql.strip():
            raise BadInput("A metric needs a name and SQL.", "Enter both.")
        with _changing(self._folder):
            database = self.database(workspace, name)
            metrics = {one.name: one for one in (*database.metrics, metric)}
            return self._keep(database.model_copy(update={"metrics": tuple(metrics[one] for one in sorted(metrics))}))

    def delete_metric(self, workspace: str, name: str, metric: str) -> SqlDatabase:
        """Forget a metric of a database; nothing changes where it has none of the name. Raises `BadInput`."""
        with _changing(self._folder):
            database = self.database(workspace, name)
            metrics = tuple(one for one in database.metrics if one.name != metric)
            return self._keep(database.model_copy(update={"metrics": metrics}))

    def add_source(self, database: SqlDatabase) -> SqlDatabase:
        """Register a database that stays where it is, in the place of one of its name and kind, whose descriptions and
        metrics it takes over. Raises `BadInput`.
        """
        with _changing(self._folder):
            known = self._own(checked_name(database.name), database.workspace, database.kind)
            described = {table.name: table for table in known.tables}
            kept = {
                "name": known.name,
                "description": known.description,
                "metrics": known.metrics,
                "tables": tuple(_described_as(table, described.get(table.name)) for table in database.tables),
            }
            return self._keep(database.model_copy(update=kept))

    def remove(self, workspace: str, name: str) -> None:
        """Forget a database and delete its tables; one that stays elsewhere is left alone there."""
        with _changing(self._folder):
            database = self.database(workspace, name)
            self._refuse_unless_own(database)
            shutil.rmtree(self._home(database), ignore_errors=True)

    def remove_all(self, workspace: str) -> None:
        """Forget the databases and queries of a workspace, as it is erased; those of all workspaces stay."""
        for one in self.databases(workspace):
            if one.workspace == workspace:
                self.remove(workspace, one.name)
        forget_past_queries(self._folder, workspace)

    def _home(self, database: SqlDatabase) -> Path:
        """Return the folder of a database: two workspaces may have one of the same name."""
        owner = "" if database.workspace is None else f".{_digest(database.workspace.encode())[:12]}"
        return self._folder / (database.name + owner)

    def _read(self, file: Path) -> SqlDatabase | None:
        try:
            return SqlDatabase.model_validate_json(file.read_bytes())
        except (OSError, ValidationError):  # it is being removed, or was written by a later version
            return None

    def _own(self, name: str, workspace: str | None, kind: Kind) -> SqlDatabase:
        """Return the database of a name, or one to be made. Raises `BadInput` where it is of another kind."""
        made = SqlDatabase(name=name, workspace=workspace, kind=kind, place="")
        known = self._read(self._home(made) / "database.json")
        shared = self._read(self._home(made.model_copy(update={"workspace": None})) / "database.json")
        if (known and known.kind != kind) or (shared and not known):
            raise BadInput(f"A database named “{name}” already exists.", "Choose another name.")
        self._refuse_unless_own(made)
        return known or made

    def _refuse_unless_own(self, database: SqlDatabase) -> None:
        if database.workspace is None and not self._for_administrator:
            raise BadInput(
                f"“{database.name}” belongs to all workspaces.", "Ask an administrator to change the database."
            )

    def _keep(self, database: SqlDatabase) -> SqlDatabase:
        self._refuse_unless_own(database)
        home = self._home(database)
        make_private(home)
        before = self._read(home / "database.json")
        replace_file(home / "database.json", database.model_dump_json(indent=1).encode())
        if before is None or before.place != database.place:
            _delete_written_once(home, {database.place, before.place if before else ""})
        return database

    @contextmanager
    def _replaced(self, database: SqlDatabase) -> Iterator[tuple[duckdb.DuckDBPyConnection, str]]:
        """Change a copy of a database's file in a block, and give its name; nothing of it stays where that fails."""
        home, place = self._home(database), f"{uuid.uuid4().hex}.duckdb"
        make_private(self._folder)
        make_private(home)
        if database.place:
            shutil.copyfile(home / database.place, home / place)
        try:
            with duckdb.connect(str(home / place)) as connection:
                yield connection, place
        except BaseException:
            for left in home.glob(f"{place}*"):
                left.unlink(missing_ok=True)
            with suppress(OSError):
                home.rmdir()  # of a new database nothing else is there
            raise


@contextmanager
def _changing(folder: Path) -> Iterator[None]:
    """Change databases in a block while no other thread and no other process does; it may not stand within another."""
    make_private(folder)
    with _changing_here:
        lock = os.open(folder / "changing.lock", os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


def _delete_leftovers(folder: Path) -> None:
    """Delete what a process that was killed had given to be read."""
    abandoned = time.time() - _ABANDONED
    for left in folder.glob(f"*{_READING}"):
        with suppress(OSError):  # another process may delete it as well
            if left.stat().st_mtime < abandoned:
                left.unlink()


def _delete_written_once(home: Path, kept: Collection[str]) -> None:
    """Delete the files of a database that are not to be kept, with what a process that was killed left.

    The one before the last change is kept: a query that named it may be about to open it.
    """
    for old in home.iterdir():
        if _WRITTEN_ONCE.fullmatch(old.name) and old.name not in kept:
            old.unlink(missing_ok=True)


def warehouse(workspace: "OpenWorkspace", *, for_administrator: bool = False) -> Warehouse:
    """Return the databases of the data folder."""
    return Warehouse(workspace.settings.folder / "sql", for_administrator=for_administrator)


def _tables(file: str, content: bytes, folder: Path) -> list[tuple[str, pa.Table]]:
    """Return the tables of a file, with the names of its sheets. Raises `BadInput`."""
    form = TABLE_FORMATS.get(PurePath(file).suffix.lower())
    if form is None:
        raise BadInput(f"{file} is not in a supported table format.", "Use CSV, TSV, JSON, JSONL, Parquet or Excel.")
    if not content.strip():
        raise BadInput(f"{file} is empty.", "Choose a file with rows.")
    make_private(folder)
    given = folder / f"{uuid.uuid4().hex}{_READING}"
    try:
        given.write_bytes(content)
        task = {"path": str(given), "format": form}
        found: Any = in_process("services.sql.file_process", task, _LIMITS, reading=(str(given),))
        return [(name, pq.read_table(io.BytesIO(base64.b64decode(packed)))) for name, packed in found]
    except QueryRejected as error:
        raise BadInput(f"Asof cannot read {file}. {error.message}", error.hint) from error
    finally:
        given.unlink(missing_ok=True)


def _written(
    connection: duckdb.DuckDBPyConnection,
    file: str,
    digest: str,
    found: list[tuple[str, pa.Table]],
    known: Mapping[str, DatabaseTable],
) -> Iterator[DatabaseTable]:
    """Write the tables of a file, and yield what is to be known of them."""
    taken = {name for name, table in known.items() if table.source != file}
    for sheet, content in found:
        named = PurePath(file).stem + (f"_{sheet}" if len(found) > 1 else "")
        name = table_name(named, frozenset(taken))
        taken.add(name)
        connection.register("incoming", content)
        connection.execute(f'CREATE OR REPLACE TABLE "{name}" AS FROM incoming')
        connection.unregister("incoming")
        yield _known(connection, name, file, digest, known.get(name))


def _known(
    connection: duckdb.DuckDBPyConnection, name: str, file: str, digest: str, before: DatabaseTable | None
) -> DatabaseTable:
    """Return what is to be known of a table; the descriptions of one before it stay."""
    columns = [
        DatabaseColumn(name=column, type=kind, samples=_samples(connection, name, column))
        for column, kind, *_ in connection.execute(f'DESCRIBE "{name}"').fetchall()
    ]
    ((rows,),) = connection.execute(f'SELECT count(*) FROM "{name}"').fetchall()
    table = DatabaseTable(name=name, columns=tuple(columns), rows=rows, source=file, digest=digest)
    return _described_as(table, before)


def _described_as(table: DatabaseTable, before: DatabaseTable | None) -> DatabaseTable:
    """Return a table with the descriptions of one before it."""
    if before is None:
        return table
    texts = {column.name: column.description for column in before.columns}
    columns = tuple(one.model_copy(update={"description": texts.get(one.name, "")}) for one in table.columns)
    return table.model_copy(update={"description": before.description, "columns": columns})


def _samples(connection: duckdb.DuckDBPyConnection, table: str, column: str) -> tuple[str, ...]:
    """Return the most frequent values of a column, as text."""
    quoted = identifier(column)
    order = f"ORDER BY count(*) DESC, 1 LIMIT {SAMPLES}"
    sql = f'SELECT {quoted} FROM "{table}" WHERE {quoted} IS NOT NULL GROUP BY 1 {order}'
    return tuple(str(in_json(value))[:SAMPLE_LENGTH] for (value,) in connection.execute(sql).fetchall())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _described(table: DatabaseTable, text: str, column: str | None) -> DatabaseTable:
    if column is None:
        return table.model_copy(update={"description": text})
    if column not in {one.name for one in table.columns}:
        columns_there = ", ".join(one.name for one in table.columns)
        raise BadInput(f"The table “{table.name}” has no column “{column}”.", f"Available: {columns_there}.")
    columns = [one.model_copy(update={"description": text}) if one.name == column else one for one in table.columns]
    return table.model_copy(update={"columns": tuple(columns)})
