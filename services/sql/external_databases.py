"""Databases that stay where they are: files of SQLite, and servers of PostgreSQL. They are read, and never written."""

import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

from services.core.config import Settings
from services.core.errors import BadInput, QueryRejected
from services.documents.folders import Folders
from services.sql.catalog import (
    SAMPLE_LENGTH,
    SAMPLES,
    DatabaseColumn,
    DatabaseTable,
    ForeignKey,
    SqlDatabase,
    checked_name,
)
from services.sql.dialects import POSTGRES, SQLITE, SqlDialect
from services.sql.guard import CheckedStatement, Readable
from services.sql.query_limits import QueryLimits
from services.sql.query_results import QueryResult
from services.sql.run_query import in_process, result_of
from services.sql.warehouse import warehouse
from services.web.allowed_addresses import read_intranet
from services.web.fetch import judged

if TYPE_CHECKING:
    from services.context import OpenWorkspace

_PATIENCE = 10.0
"""Seconds to find a server's address."""
_PORT = 5432
_EXAMPLE = "Enter postgresql://user:password@host:5432/database."
_TLS = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
_AUTHORITIES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")
"""Where systems keep the certificates that they trust; a server's is verified by the first that is there."""
_LARGEST = 1 << 50
"""A database is not read whole, so its size is no reason to refuse it."""
_LIMITS = QueryLimits()

DIALECTS: Mapping[str, SqlDialect] = {"sqlite": SQLITE, "postgres": POSTGRES}
"""How the databases of a kind that stay where they are read SQL."""


def add_source(workspace: "OpenWorkspace", name: str, place: str, *, for_all: bool = False) -> SqlDatabase:
    """Register a file of SQLite below the folders of the settings, or a server by its address, with their tables.

    Only an administrator may ask for one `for_all` workspaces. Raises `BadInput` where it cannot be read, and
    `HostRefused` for a server that may not be asked.
    """
    kind = "postgres" if "://" in place else "sqlite"
    owner = None if for_all else workspace.name
    database = SqlDatabase(name=checked_name(name), workspace=owner, kind=kind, place=place)
    try:
        found = _asked(workspace.settings, database, {"samples": SAMPLES}, _LIMITS)
    except QueryRejected as error:
        raise BadInput(
            f"Asof cannot read the database. {error.message}", "Check the address of the database."
        ) from error
    if isinstance(found, dict):
        raise BadInput(f"Asof cannot read the database: {found['error']}.", "Check the address of the database.")
    keys = tuple(
        ForeignKey(table=table["name"], column=column, other_table=other, other_column=other_column)
        for table in found
        for column, other, other_column in table["foreign_keys"]
    )
    known = database.model_copy(update={"tables": tuple(map(_table, found)), "foreign_keys": keys})
    return warehouse(workspace, for_administrator=for_all).add_source(known)


def readable(database: SqlDatabase) -> Readable:
    """Return the tables of a database, by the names that it knows them by."""
    names = [table.name for table in database.tables]
    if database.kind == "sqlite":
        return Readable.of([*names, *(("main", name) for name in names)])
    of_schemas = [tuple(name.split(".", 1)) for name in names if "." in name]
    known = Readable.of([*names, *(("public", name) for name in names), *of_schemas], exactly=True)
    return replace(known, columns=_columns_by_path(database))


def _columns_by_path(database: SqlDatabase) -> dict[tuple[str, ...], frozenset[str]]:
    """Return the columns of each table by every path that it goes by."""
    columns = {table.name: frozenset(column.name for column in table.columns) for table in database.tables}
    paths = {tuple(name.split(".", 1)): found for name, found in columns.items()}
    return (
        paths
        | {(name,): found for name, found in columns.items()}
        | {("public", name): found for name, found in columns.items()}
    )


def run_on_source(
    settings: Settings,
    database: SqlDatabase,
    statement: CheckedStatement,
    values: Mapping[str, Any],
    limits: QueryLimits,
    cancel: threading.Event | None = None,
) -> QueryResult:
    """Return the rows of a statement. Raises `QueryRejected`, `HostRefused` and `Cancelled`."""
    task = {
        "sql": statement.sql,
        "parameters": {name: values[name] for name in statement.parameters},
        "values": [values[name] for name in statement.parameters],
        "functions": sorted(SQLITE.functions),
        "rows": limits.rows,
    }
    return result_of(_asked(settings, database, task, limits, cancel), statement, limits)


def _asked(
    settings: Settings,
    database: SqlDatabase,
    task: Mapping[str, Any],
    limits: QueryLimits,
    cancel: threading.Event | None = None,
) -> Any:
    if database.kind == "sqlite":
        path = str(replace(Folders.of(settings), largest=_LARGEST).find(database.place))
        beside = (path, f"{path}-wal", f"{path}-shm")
        return in_process("services.sql.sqlite_process", {**task, "path": path}, limits, reading=beside, cancel=cancel)
    given = {**task, "server": _server(database.place, settings), "seconds": limits.seconds}
    reading = tuple(file for file in (given["server"].get("sslrootcert"),) if file)
    return in_process(
        "services.sql.postgres_process", given, limits, reading=reading, reaches_hosts=True, cancel=cancel
    )


def _server(url: str, settings: Settings) -> dict[str, Any]:
    """Return what is connected to: the very address that was judged. Raises `BadInput` and `HostRefused`."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORT
    except ValueError as error:
        raise BadInput(
            "This is not a valid server address.", "Enter postgresql://user:password@host:5432/database."
        ) from error
    options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    tls = options.pop("sslmode", "prefer")
    if parts.scheme not in ("postgresql", "postgres") or not parts.hostname or options or tls not in _TLS:
        raise BadInput("This is not a valid server address.", _EXAMPLE)
    address = judged(parts.hostname, port, read_intranet(settings.intranet), _PATIENCE)[0]
    return {
        "host": parts.hostname,
        "hostaddr": str(address),
        "port": port,
        "user": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "dbname": unquote(parts.path.strip("/")),
        "sslmode": tls,
        **({"sslrootcert": _authorities()} if tls.startswith("verify") else {}),
    }


def _authorities() -> str:
    """Return the file of the certificates that this system trusts. Raises `BadInput` where there is none."""
    if found := next((file for file in _AUTHORITIES if Path(file).is_file()), None):
        return found
    raise BadInput("This computer has no trusted certificates.", "Install the package ca-certificates.")


def _table(found: Mapping[str, Any]) -> DatabaseTable:
    columns = [
        DatabaseColumn(
            name=column["name"],
            type=column["type"],
            samples=tuple(value[:SAMPLE_LENGTH] for value in column["samples"]),
        )
        for column in found["columns"]
    ]
    return DatabaseTable(name=found["name"], rows=found["rows"], columns=tuple(columns))
