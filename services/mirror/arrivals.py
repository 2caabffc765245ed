"""Changes that reach a mirror after its readers were told of later ones, and the version with which each came."""

from collections.abc import Sequence
from datetime import datetime

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from services.mirror.former import FormerMirror
from services.mirror.reads import in_list, registered

_COPY = "CREATE OR REPLACE TEMP TABLE {name} AS SELECT uuid, created_at, expired_at, withdrawn_at FROM facts"

_EVENTS = """
    SELECT uuid, unnest(['added', 'ended', 'withdrawn']) AS kind,
           unnest([coalesce(created_at, '-infinity'), expired_at, withdrawn_at]) AS instant FROM {name}"""

_ARRIVED = f"""
    INSERT INTO arrivals
    SELECT uuid, kind, $version FROM ({_EVENTS.format(name="facts_after")}) AS event
    ANTI JOIN ({_EVENTS.format(name="facts_before")}) AS known USING (uuid, kind, instant)
    WHERE instant <= $read_until"""

_INSTANT = pa.timestamp("us", tz="UTC")


def early_facts(facts: pa.Table, read_until: datetime | None) -> list[str]:
    """Return the uuids of the facts of which anything was recorded by `read_until`, or at no known time."""
    if read_until is None or not facts.num_rows:
        return []
    limit = pa.scalar(read_until, _INSTANT)
    added, ended, withdrawn = (
        pc.fill_null(pc.less_equal(facts.column(name), limit), name == "created_at")
        for name in ("created_at", "expired_at", "withdrawn_at")
    )
    uuids: list[str] = facts.filter(pc.or_(added, pc.or_(ended, withdrawn))).column("uuid").to_pylist()
    return uuids


class LateArrivals:
    """What one write brings with record times up to `read_until`: made before it, noted after it in its transaction.

    `uuids` are the facts that it may change; None stands for all. With nobody told of anything, nothing is late. A
    build is compared with the `former` mirror, whose late arrivals it takes over.
    """

    def __init__(
        self,
        cursor: duckdb.DuckDBPyConnection,
        read_until: datetime | None,
        uuids: Sequence[str] | None = None,
        former: FormerMirror | None = None,
    ) -> None:
        self._cursor, self._read_until, self._uuids = cursor, read_until, uuids
        if former is None:
            self._copy("facts_before")
        else:
            self._take_over(former)

    def note(self, version: int) -> None:
        """Keep with which version these changes came."""
        if self._copy("facts_after"):
            self._cursor.execute(_ARRIVED, {"version": version, "read_until": self._read_until})

    def _take_over(self, former: FormerMirror) -> None:
        for rows, into in (
            (former.facts, "CREATE OR REPLACE TEMP TABLE facts_before AS"),
            (former.arrivals, "INSERT INTO arrivals"),
            (former.origin, "INSERT INTO origin"),
        ):
            with registered(self._cursor, rows):
                self._cursor.execute(f"{into} FROM incoming")

    def _copy(self, name: str) -> bool:
        if self._read_until is None or self._uuids == []:
            return False
        if self._uuids is None:
            self._cursor.execute(_COPY.format(name=name))
        else:
            in_list(self._cursor, f"{_COPY.format(name=name)} WHERE uuid IN", self._uuids)
        return True
