"""Finding records that changed without a trace in their record times: deleted, back-dated and re-dated ones."""

from collections.abc import Mapping

import duckdb
import pyarrow as pa

from services.graph.store import Fingerprint, Kind, Watermark
from services.mirror.reads import Reads, one, rows
from services.mirror.records import read_instant
from services.models import Counts

_TABLES: Mapping[Kind, str] = {"entity": "entities", "fact": "facts", "episode": "episodes"}

_SEEN = "CREATE TEMP TABLE seen AS SELECT uuid, md5_number_lower(text) AS fingerprint FROM incoming"

_CHANGED = """
    SELECT uuid FROM seen
    ANTI JOIN (FROM fingerprints WHERE kind = $kind AND uuid IN (SELECT uuid FROM {table})) USING (uuid, fingerprint)"""

_GONE = "SELECT uuid FROM {table} ANTI JOIN seen USING (uuid)"

_REMEMBER = """
    INSERT INTO fingerprints SELECT $kind, uuid, fingerprint FROM seen WHERE uuid IN (SELECT uuid FROM {table})"""

_WATERMARK = """
    SELECT (SELECT count(*) FROM entities), (SELECT count(*) FROM facts), (SELECT count(*) FROM episodes),
           epoch_us(greatest((SELECT max(created_at) FROM entities), (SELECT max(created_at) FROM facts),
                             (SELECT max(created_at) FROM episodes))),
           epoch_us((SELECT max(expired_at) FROM facts))"""


class SyncReads(Reads):
    """What is needed to tell whether the mirror is in step with the graph."""

    def watermark(self) -> Watermark:
        """The mirror's own counts and latest record times, as `GraphStore.watermark` gives the graph's."""
        with self._database.read() as cursor:
            *counts, created, expired = one(cursor, _WATERMARK)
        return Watermark(Counts(*counts), read_instant(created), read_instant(expired))

    def out_of_step(self, kind: Kind, fingerprint: Fingerprint) -> tuple[list[str], list[str]]:
        """The uuids whose record is not the one that was read before, and those that the graph has no more."""
        table = _TABLES[kind]
        with self._database.read() as cursor:
            _see(cursor, fingerprint)
            changed = rows(cursor, _CHANGED.format(table=table), {"kind": kind})
            gone = rows(cursor, _GONE.format(table=table))
        return [uuid for (uuid,) in changed], [uuid for (uuid,) in gone]

    def remember(self, kind: Kind, fingerprint: Fingerprint) -> None:
        """Keep the graph's fingerprint, which was taken before the mirror read the records."""
        with self._database.write() as cursor:
            _see(cursor, fingerprint)
            cursor.execute("DELETE FROM fingerprints WHERE kind = $kind", {"kind": kind})
            cursor.execute(_REMEMBER.format(table=_TABLES[kind]), {"kind": kind})


def _see(cursor: duckdb.DuckDBPyConnection, fingerprint: Fingerprint) -> None:
    incoming = pa.table({"uuid": list(fingerprint), "text": [repr(parts) for parts in fingerprint.values()]},
                        schema=pa.schema({"uuid": pa.string(), "text": pa.string()}))  # fmt: skip
    cursor.register("incoming", incoming)
    cursor.execute(_SEEN)
    cursor.unregister("incoming")
