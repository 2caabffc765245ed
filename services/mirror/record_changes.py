"""What was recorded between two instants of the graph's own clock, in the order in which it was."""

from datetime import datetime

from services.core.models import Change, Instants
from services.mirror.changes import changes_of, collect, corrected, count, oldest
from services.mirror.reads import Reads

_WITHDRAWN = """
    SELECT {columns}, withdrawn_at AS instant, true AS shown FROM facts
    WHERE recorded_until > $k1 AND recorded_until <= $k2 AND recorded_from < recorded_until"""

_RECORDED = """
    SELECT {columns}, created_at AS instant, true AS shown FROM facts
    WHERE recorded_from > $k1 AND recorded_from <= $k2"""

_ADDED = """
    SELECT 'added' AS kind, created_at AS instant, NULL AS older, rowid AS newer FROM facts
    WHERE recorded_from > $k1 AND recorded_from <= $k2 AND rowid NOT IN (SELECT newer FROM pairs)
      AND touches(source_key, target_key, $entities)"""

_ENDED = """
    SELECT 'ended' AS kind, expired_at AS instant, rowid AS older, rowid AS newer FROM facts
    WHERE expired_at > $k1 AND expired_at <= $k2 AND expired_at > recorded_from AND expired_at < recorded_until"""


class RecordChangeReads(Reads):
    """Changes on the clock of the records."""

    def recorded_changes(
        self, since: datetime, until: datetime, *, first: int, limit: int
    ) -> tuple[tuple[Change, ...], int]:
        """What was added, ended, corrected and re-dated in the graph after `since` and up to `until`, the oldest
        first, from number `first` on; and how much that is in all."""
        clocks = {"k1": since, "k2": until}
        with self._database.read() as cursor:
            questions = (_ADDED, _ENDED, *corrected(cursor, _WITHDRAWN, _RECORDED, clocks))
            collect(cursor, questions, {**clocks, "entities": None})
            listed = oldest(cursor, first + limit)[first:]
            before, after = (Instants(until, known_at) for known_at in (since, until))
            return changes_of(cursor, listed, before, after), count(cursor)
