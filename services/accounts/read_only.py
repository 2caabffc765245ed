"""A SQLite database in a folder that cannot be written: read as it is there, while sign-ins are kept in memory."""

from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Engine, MetaData, create_engine, event
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import CreateTable

from services.accounts.schema import attempts, sessions

_OF_SIGN_IN = (sessions, attempts)


def read_only_engine(path: Path) -> Engine:
    """Return an engine on which nothing but sessions and attempts to sign in can be written; they end with it.

    It has a single connection, since SQLite's temporary tables belong to one.
    """
    how = {"mode": "ro", "uri": "true"} | ({} if _has_log(path) else {"immutable": "1"})
    url = URL.create("sqlite", database=f"file:{quote(str(path))}", query=how)
    engine = create_engine(url, pool_size=1, max_overflow=0)
    event.listen(engine, "connect", _keep_sign_ins_in_memory)
    return engine


def close_for_good(engine: Engine) -> None:
    """Close its connection once nobody uses it: while it is open, this process may share a log that it cannot write."""
    with suppress(SQLAlchemyError), engine.connect() as connection:
        connection.detach()
    engine.dispose()


def _has_log(path: Path) -> bool:
    """True where the last changes are in a log beside the database, as a killed process leaves them.

    SQLite would ignore it if the database were declared immutable, and needs that declaration where there is no log.
    """
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _keep_sign_ins_in_memory(connection: Any, _record: object) -> None:
    """Have temporary tables stand before those of the file; SQLite looks for a name among them first."""
    connection.execute("PRAGMA temp_store = MEMORY")
    for table in _OF_SIGN_IN:
        copy = CreateTable(table.to_metadata(MetaData(), schema="temp"), include_foreign_key_constraints=())
        connection.execute(str(copy.compile(dialect=sqlite.dialect())))
        names = ", ".join(column.name for column in table.columns)
        connection.execute(f"INSERT INTO temp.{table.name} ({names}) SELECT {names} FROM main.{table.name}")
    connection.commit()
