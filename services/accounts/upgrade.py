"""Brings the accounts database to the tables of this version, once, however many processes start at the same time."""

import threading
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from services.accounts.schema import NEWEST
from services.core.errors import AccountsUnavailable

_FIRST = "0001"
_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK_OF_SERVER = text("SELECT pg_advisory_xact_lock(20259502261)")
_one_at_a_time = threading.Lock()
"""Alembic keeps what it works on in globals."""


def upgrade(engine: Engine) -> None:
    """Make the tables, or bring those of an earlier version to this one; all of it or nothing.

    Raises `AccountsUnavailable` for a database that a later version of Asof has written.
    """
    with engine.connect() as connection:
        if _revision(connection) == NEWEST:
            return
    with _one_at_a_time, engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # the driver begins nothing of itself before a CREATE
        else:
            connection.execute(_LOCK_OF_SERVER)
        if _revision(connection) != NEWEST:
            _run(connection)


def _revision(connection: Connection) -> str | None:
    """The revision that the tables are of; None where nobody wrote one down."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return str(connection.scalar(text("SELECT version_num FROM alembic_version")))


def _run(connection: Connection) -> None:
    """Imported at the one start that needs it, since it takes long to import."""
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    try:
        if _revision(connection) is None and inspect(connection).has_table("change_sets"):
            command.stamp(config, _FIRST)  # made before there were revisions
        command.upgrade(config, "head")
    except CommandError as error:
        raise AccountsUnavailable(
            "A later version of Asof wrote this accounts database.", "Update Asof, or use another database."
        ) from error
