"""What was true at an instant, and how that changes over time."""

from collections.abc import Iterable
from datetime import datetime
from itertools import accumulate
from typing import Literal

from services.core import clock, time_rule
from services.core.models import Fact, FactPage, Instants, SeriesPoint, TrueCounts
from services.mirror.reads import Reads, facts, one, rows
from services.mirror.record_tables import FACTS, read_instant

Grouping = Literal["all", "relation", "target"]

_GROUPS: dict[Grouping, str] = {"all": "''", "relation": "relation", "target": "target"}

_ASKED = "($relation IS NULL OR relation = $relation)"

# Found by its few narrow columns first, then read whole: much faster than both at once.
_TRUE = f"""
    SELECT {{fact}} FROM facts_as_known($k) WHERE id IN (
        SELECT id FROM facts_true($t, $k) WHERE {_ASKED} ORDER BY valid_at DESC, id LIMIT $limit)
    ORDER BY valid_at DESC, id"""

_TRUE_AND_UNDATED = f"""
    SELECT count(*) FILTER (valid_at <= $t AND ends > $t), count(*) FILTER (valid_at IS NULL AND ends > $t)
    FROM facts_known($k) WHERE {_ASKED}"""

# By one key and nothing else: with a second condition beside it DuckDB leaves the index and reads the whole table.
_TOUCHING = tuple(
    f"SELECT rowid, {FACTS.columns()} FROM facts WHERE {key} = hash($entity)" for key in ("source_key", "target_key")
)

_TOTALS = """
    SELECT count(*) FILTER (valid_at <= $t AND ends > $t),
           count(*) FILTER (valid_at IS NULL AND ends > $t),
           count(*)
    FROM facts_known($k)"""

_ENTITIES_IN_TRUE_FACTS = """
    SELECT count(DISTINCT key) FROM (
        SELECT source_key AS key FROM facts_true($t, $k) UNION ALL SELECT target_key FROM facts_true($t, $k))"""

_TOTALS_OVER_TIME = """
    WITH asked AS (SELECT unnest($instants::TIMESTAMPTZ[]) AS t),
    known AS MATERIALIZED (SELECT valid_at, ends, source_key, target_key FROM facts_known($k)),
    counted AS (
        SELECT t, count(*) FILTER (valid_at <= t) AS true, count(*) FILTER (ends > t AND valid_at IS NULL) AS undated
        FROM asked JOIN known ON ends > t GROUP BY t),
    touched AS (
        SELECT t, count(DISTINCT key) AS entities FROM (
            SELECT t, unnest([source_key, target_key]) AS key FROM asked JOIN known ON valid_at <= t AND ends > t)
        GROUP BY t)
    SELECT coalesce(counted.true, 0), coalesce(undated, 0), (SELECT count(*) FROM known), coalesce(entities, 0)
    FROM asked LEFT JOIN counted USING (t) LEFT JOIN touched USING (t) ORDER BY t"""

# A fact that ends no later than it begins is never true, so neither its start nor its end counts.
_STARTS_AND_ENDS = """
    SELECT {group}, map_values(histogram(valid_at, $instants::TIMESTAMPTZ[])),
           map_values(histogram(ends, $instants::TIMESTAMPTZ[]))
    FROM facts_known($k)
    WHERE ends > valid_at AND ($relation IS NULL OR relation = $relation)
    GROUP BY 1 ORDER BY 1"""

_BOUNDS = """
    WITH dates AS (
        SELECT min(valid_at) AS first, max(valid_at) AS last FROM facts UNION ALL
        SELECT min(coalesce(invalid_at, expired_at)), max(coalesce(invalid_at, expired_at)) FROM facts UNION ALL
        SELECT min(believed_invalid_at), max(believed_invalid_at) FROM facts)
    SELECT epoch_us(min(first)), epoch_us(max(last)) FROM dates"""

_BOUNDS_AT = """
    WITH dates AS (SELECT unnest([valid_at, invalid_at]) AS date FROM facts_known($k))
    SELECT epoch_us(min(date)), epoch_us(max(date)) FROM dates"""


class AsOfReads(Reads):
    """As-of and known-at questions, counts over time, histories."""

    def bounds(self, known_at: datetime | None = None) -> tuple[datetime, datetime] | None:
        """The earliest and the latest start or end of any fact; None when nothing has a date.

        With `known_at`, those that the graph knew then.
        """
        found = self._one(_BOUNDS) if known_at is None else self._one(_BOUNDS_AT, {"k": known_at})
        first, last = map(read_instant, found)
        return None if first is None or last is None else (first, last)

    def count_true(self, at: Instants) -> int:
        """How many facts are true at `at`."""
        return int(self._one("SELECT count(*) FROM facts_true($t, $k)", _clocks(at))[0])

    def totals(self, at: Instants) -> TrueCounts:
        """Everything that is counted at `at`; one who needs the true facts alone asks `count_true`."""
        with self._database.read() as cursor:
            true, undated, recorded = one(cursor, _TOTALS, _clocks(at))
            (entities,) = one(cursor, _ENTITIES_IN_TRUE_FACTS, _clocks(at))
        return TrueCounts(true, undated, recorded, entities)

    def totals_over_time(self, instants: Iterable[datetime], known_at: datetime) -> tuple[TrueCounts, ...]:
        """What `totals` says at each instant, in order of time and in one question."""
        asked = {"instants": sorted(set(instants)), "k": known_at}
        return tuple(TrueCounts(*row) for row in self._rows(_TOTALS_OVER_TIME, asked))

    def true_over_time(
        self, instants: Iterable[datetime], known_at: datetime, *, relation: str | None = None, by: Grouping = "all"
    ) -> tuple[SeriesPoint, ...]:
        """How many facts are true at each instant, as known at `known_at`; a point for each group and instant.

        One pass over the facts sorts their starts and ends between the instants; sums over those are the counts.
        """
        grid = sorted(set(instants))
        if not grid:
            return ()
        sql = _STARTS_AND_ENDS.format(group=_GROUPS[by])
        groups = self._rows(sql, {"instants": grid, "k": known_at, "relation": relation})
        if by == "all" and not groups:
            groups = [("", None, None)]
        points: list[SeriesPoint] = []
        for group, started, ended in groups:
            counts = zip(_running(started, len(grid)), _running(ended, len(grid)), strict=True)
            points += [SeriesPoint(at, group, up - down) for at, (up, down) in zip(grid, counts, strict=True)]
        return tuple(points)

    def facts_true(
        self, at: Instants, *, entity_uuid: str | None = None, relation: str | None = None, limit: int = 1000
    ) -> FactPage:
        """The facts that are true at `at`, as known then, newest first; those without a start are only counted."""
        if entity_uuid is not None:
            # one entity's facts are few: the clock itself tells which of them hold
            about = [fact for fact in self.history(entity_uuid) if relation in (None, fact.relation)]
            true = [fact for fact in reversed(about) if time_rule.true_at(fact, at)]
            known = tuple(time_rule.as_known(fact, at.known_at) for fact in true[:limit])
            return FactPage(known, len(true), sum(time_rule.undated(fact, at) for fact in about))
        asked = {**_clocks(at), "relation": relation}
        with self._database.read() as cursor:
            found = facts(cursor, _TRUE, {**asked, "limit": limit})
            total, undated = one(cursor, _TRUE_AND_UNDATED, asked)
        return FactPage(found, total, undated)

    def history(self, entity_uuid: str, known_at: datetime | None = None) -> tuple[Fact, ...]:
        """Every fact with the entity on either side, undated first, then by start.

        With `known_at`, what was recorded then and as it was known then; without, every record as it is, withdrawn ones
        too.
        """
        asked = {"entity": entity_uuid}
        with self._database.read() as cursor:
            touching = {row[0]: FACTS.read(row[1:]) for sql in _TOUCHING for row in rows(cursor, sql, asked)}
        found = sorted((f for f in touching.values() if entity_uuid in (f.source_uuid, f.target_uuid)), key=_by_start)
        if known_at is None:
            return tuple(found)
        return tuple(time_rule.as_known(fact, known_at) for fact in found if time_rule.recorded(fact, known_at))


def _by_start(fact: Fact) -> tuple[bool, datetime, str]:
    return fact.valid_at is not None, fact.valid_at or clock.EARLIEST, fact.uuid


def _clocks(at: Instants) -> dict[str, datetime]:
    return {"t": at.as_of, "k": at.known_at}


def _running(counts: list[int] | None, length: int) -> list[int]:
    """Running sums of a histogram's first bins; its last bin holds what comes after the grid."""
    return list(accumulate((counts or [0] * length)[:length]))
