"""Where LangGraph keeps its checkpoints: a file of the data folder, or PostgreSQL where that holds the accounts."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from services.core.config import Settings

_making = threading.Lock()
"""Two runs that begin at once do not make the tables both."""
_PATIENCE = 30.0
"""Seconds that a checkpoint waits for another one."""


def checkpoint_file(settings: Settings) -> Path:
    """Return the file of the checkpoints, where they are not in PostgreSQL."""
    return settings.folder / "workflows.db"


def _server(settings: Settings) -> str:
    """The address of PostgreSQL as its own library writes it; empty where the accounts are in a file."""
    scheme, _, rest = settings.accounts_url.partition("://")
    return f"postgresql://{rest}" if scheme.partition("+")[0] in ("postgres", "postgresql") else ""


@contextmanager
def open_saver(settings: Settings) -> Iterator[Any]:
    """Give a saver for the block, its tables made."""
    if server := _server(settings):
        from langgraph.checkpoint.postgres import PostgresSaver

        with PostgresSaver.from_conn_string(server) as saver:
            with _making:
                saver.setup()
            yield saver
        return
    from langgraph.checkpoint.sqlite import SqliteSaver

    with closing(_connected(checkpoint_file(settings))) as connection:
        in_file = SqliteSaver(connection)
        with _making:
            in_file.setup()
        yield in_file


def _connected(file: Path) -> sqlite3.Connection:
    """A connection to a file that gives back the room of what is deleted."""
    connection = sqlite3.connect(file, timeout=_PATIENCE, check_same_thread=False)
    connection.execute("PRAGMA auto_vacuum = FULL")
    return connection


def prune(settings: Settings, *run_ids: str) -> None:
    """Forget the checkpoints of runs."""
    if not run_ids or not (_server(settings) or checkpoint_file(settings).is_file()):
        return
    with open_saver(settings) as saver:
        for run_id in run_ids:
            saver.delete_thread(run_id)


def checkpoint_bytes(settings: Settings) -> int:
    """Return how many bytes the checkpoints take."""
    if _server(settings):
        with open_saver(settings) as saver, saver.conn.cursor() as cursor:
            cursor.execute(_SIZE)
            return int(cursor.fetchone()["bytes"])
    files = (checkpoint_file(settings).with_name(f"workflows.db{ending}") for ending in ("", "-wal"))
    return sum(file.stat().st_size for file in files if file.is_file())


_SIZE = """
SELECT coalesce(sum(pg_column_size(c.*)), 0) AS bytes FROM (
    SELECT checkpoint::text AS content FROM checkpoints
    UNION ALL SELECT encode(blob, 'base64') FROM checkpoint_blobs
    UNION ALL SELECT encode(blob, 'base64') FROM checkpoint_writes
) AS c
"""
