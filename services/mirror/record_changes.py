"""What the graph learned, in the order of its own clock, told once to whoever reads on from where he stopped."""

from collections.abc import Mapping
from datetime import datetime

from services.core import clock
from services.core.change_records import ReadPosition
from services.core.models import Change, ChangeKind, Instants
from services.mirror.changes import changes_of, collect, corrected, count, oldest
from services.mirror.reads import Reads, rows

# What came late is unread, however early it was recorded; what comes while somebody turns pages is on none of them.
_UNREAD = """
    {at} <= $k2 AND (coalesce({at} > $k1::TIMESTAMPTZ, true) OR uuid IN (
        SELECT uuid FROM arrivals WHERE kind = '{kind}' AND version > $v1 AND version <= $v2))
    AND uuid NOT IN (SELECT uuid FROM arrivals WHERE kind = '{kind}' AND version > $v2)"""

_LATEST = 2**62
"""A version that no mirror reaches: a window with this one as both goes by record times alone."""

_IS_ADDED = _UNREAD.format(at="recorded_from", kind="added")

_WITHDRAWN = f"""
    SELECT {{columns}}, withdrawn_at AS instant, true AS shown FROM facts
    WHERE {_UNREAD.format(at="withdrawn_at", kind="withdrawn")} AND recorded_from < recorded_until"""

_RECORDED = f"SELECT {{columns}}, created_at AS instant, true AS shown FROM facts WHERE {_IS_ADDED}"

_ADDED = f"""
    SELECT 'added' AS kind, created_at AS instant, NULL AS older, rowid AS newer FROM facts
    WHERE {_IS_ADDED} AND rowid NOT IN (SELECT newer FROM pairs) AND touches(source_key, target_key, $entities)"""

_ENDED = f"""
    SELECT 'ended' AS kind, expired_at AS instant, rowid AS older, rowid AS newer FROM facts
    WHERE {_UNREAD.format(at="expired_at", kind="ended")} AND expired_at > recorded_from
      AND expired_at < recorded_until"""


class RecordChangeReads(Reads):
    """Changes on the clock of the records."""

    def recorded_totals(self, since: datetime, until: datetime) -> Mapping[ChangeKind, int]:
        """Count what was added, ended, corrected and re-dated from one instant to another, by kind."""
        window = {"k1": since, "k2": until, "v1": _LATEST, "v2": _LATEST}
        with self._database.read() as cursor:
            questions = (_ADDED, _ENDED, *corrected(cursor, _WITHDRAWN, _RECORDED, window))
            collect(cursor, questions, {**window, "entities": None})
            return dict(rows(cursor, "SELECT kind, count(*) FROM changes GROUP BY kind"))

    def recorded_changes(
        self, since: ReadPosition, until: ReadPosition, *, first: int, limit: int
    ) -> tuple[tuple[Change, ...], int]:
        """What was added, ended, corrected and re-dated in the graph, as far as it is at `until` and was not at
        `since`, the oldest first, from number `first` on; and how much that is in all."""
        window = {"k1": since.recorded, "k2": until.recorded, "v1": since.version, "v2": until.version}
        if since.recorded == clock.EARLIEST:
            window["k1"] = None  # facts without a record time were not read either
        with self._database.read() as cursor:
            questions = (_ADDED, _ENDED, *corrected(cursor, _WITHDRAWN, _RECORDED, window))
            collect(cursor, questions, {**window, "entities": None})
            listed = oldest(cursor, first + limit)[first:]
            before, after = (Instants(until.recorded, known_at) for known_at in (since.recorded, until.recorded))
            return changes_of(cursor, listed, before, after, by_record=True), count(cursor)
