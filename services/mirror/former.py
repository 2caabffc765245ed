"""What a mirror's file of another layout tells the one that takes its place: which changes its readers were told of."""

from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import duckdb
import pyarrow as pa

from services.mirror.record_tables import read_instant


@dataclass(frozen=True, slots=True)
class FormerMirror:
    """The record times of its facts, what came late and since which version that is known, as tables of Arrow."""

    facts: pa.Table
    arrivals: pa.Table
    origin: pa.Table
    synced_at: datetime


def former_mirror(path: Path) -> FormerMirror | None:
    """Read a file that is about to be deleted; None where it cannot be read, or was never in step with the graph."""
    try:
        with closing(duckdb.connect(str(path), read_only=True)) as connection:
            connection.execute("SET TimeZone = 'UTC'")
            ((micros,),) = connection.execute("SELECT epoch_us(synced_at) FROM meta").fetchall()
            facts, arrivals, origin = (
                connection.sql(question).to_arrow_table()
                for question in (
                    "SELECT uuid, created_at, expired_at, withdrawn_at FROM facts",
                    "SELECT uuid, kind, version FROM arrivals",
                    "SELECT version FROM origin",
                )
            )
    except (duckdb.Error, ValueError):  # damaged, or of a time when it did not tell
        return None
    synced_at = read_instant(micros)
    return None if synced_at is None else FormerMirror(facts, arrivals, origin, synced_at)
