"""What changed between two views of the graph, or up to one of them, how often, and why.

A cause is what was written down, else what the facts themselves tell.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import duckdb

from services.core import date_wording, time_rule
from services.core.models import Cause, Change, ChangeKind, Diff, EntityCount, Fact, Instants
from services.mirror.reads import Parameters, Reads, by_id, by_uuid, one, rows
from services.mirror.record_tables import ENTITIES, read_instant

_WITHDRAWN_BETWEEN = """
    SELECT {columns}, withdrawn_at AS instant, coalesce(valid_at <= $t1
        AND end_at(learned_at, end_learned, end_believed, $k1) > $t1 AND $t2 IS NOT NULL, false) AS shown
    FROM facts WHERE recorded(recorded_from, recorded_until, $k1) AND recorded_until <= $k2"""

_RECORDED_BETWEEN = """
    SELECT {columns}, created_at AS instant, coalesce(valid_at <= $t2
        AND end_at(learned_at, end_learned, end_believed, $k2) > $t2 AND $t1 IS NOT NULL, false) AS shown
    FROM facts WHERE recorded(recorded_from, recorded_until, $k2) AND recorded_from > $k1"""

_WITHDRAWN_BEFORE = """
    SELECT {columns}, withdrawn_at AS instant, true AS shown
    FROM facts WHERE recorded_until <= least($t, $k) AND recorded_from < recorded_until"""

_RECORDED_BEFORE = """
    SELECT {columns}, created_at AS instant, true AS shown FROM facts WHERE recorded_from <= least($t, $k)"""

# Changes are found as kind, instant and the row ids of their facts: texts of a hundred thousand rows would take longer
# to write down than all the rest.
_CORRECTED = """
    SELECT CASE WHEN was.target_uuid = new.target_uuid AND was.text = new.text AND was.attributes = new.attributes
                THEN 're-dated' ELSE 'corrected' END AS kind,
           withdrawn.instant, withdrawn.id AS older, replacing.id AS newer
    FROM withdrawn JOIN pairs ON pairs.older = withdrawn.id JOIN replacing ON pairs.newer = replacing.id
    JOIN facts AS was ON was.rowid = withdrawn.id JOIN facts AS new ON new.rowid = replacing.id
    WHERE (withdrawn.shown OR replacing.shown)
      AND (touches(was.source_key, was.target_key, $entities)
           OR touches(new.source_key, new.target_key, $entities))"""

_WITHDRAWN_ALONE = """
    SELECT 'corrected' AS kind, withdrawn.instant, withdrawn.id AS older, NULL AS newer
    FROM withdrawn JOIN facts AS was ON was.rowid = withdrawn.id
    WHERE withdrawn.shown AND withdrawn.id NOT IN (SELECT older FROM pairs)
      AND touches(was.source_key, was.target_key, $entities)"""

# Of what the second view has recorded; the columns that can rule a fact out are looked at first.
_ADDED_ENDED_REDATED = """
    SELECT CASE WHEN NOT true_first THEN 'added' WHEN true_second THEN 're-dated' ELSE 'ended' END AS kind,
           CASE WHEN NOT true_first THEN valid_at WHEN true_second THEN expired_at
                ELSE nullif(second_ends, 'infinity'::TIMESTAMPTZ) END AS instant,
           CASE WHEN true_first THEN id END AS older, CASE WHEN true_second THEN id END AS newer
    FROM (
        SELECT *, recorded_from <= $k1 AND valid_at <= $t1 AND first_ends > $t1 AS true_first,
            valid_at <= $t2 AND second_ends > $t2 AS true_second
        FROM (
            SELECT rowid AS id, *, end_at(learned_at, end_learned, end_believed, $k1) AS first_ends,
                end_at(learned_at, end_learned, end_believed, $k2) AS second_ends
            FROM facts WHERE recorded(recorded_from, recorded_until, $k2) AND valid_at <= greatest($t1, $t2)))
    WHERE (true_first <> true_second OR (true_first AND first_ends <> second_ends))
      AND id NOT IN (SELECT newer FROM pairs) AND touches(source_key, target_key, $entities)"""

_BEGUN_OR_ENDED = """
    (SELECT 'added' AS kind, valid_at AS instant, NULL AS older, id AS newer FROM facts_known($k)
     WHERE valid_at <= $t AND ends > valid_at AND touches(source_key, target_key, $entities)
     ORDER BY valid_at DESC, source, id LIMIT $limit)
    UNION ALL
    (SELECT 'ended', ends, id, NULL FROM facts_known($k)
     WHERE ends <= $t AND (valid_at IS NULL OR ends > valid_at) AND touches(source_key, target_key, $entities)
     ORDER BY ends DESC, source, id LIMIT $limit)"""

# Sources are looked up for those alone that can be among the first: where no instant is the last of these, for all.
_LISTED = """
    WITH nth AS (
        SELECT instant FROM changes ORDER BY instant {direction} NULLS LAST LIMIT 1 OFFSET greatest($limit - 1, 0)),
    listed AS (FROM changes WHERE coalesce(instant {until} (FROM nth), (FROM nth) IS NULL))
    SELECT kind, epoch_us(instant), older, newer FROM listed JOIN facts ON rowid = coalesce(newer, older)
    ORDER BY instant {direction} NULLS LAST, source, coalesce(newer, older), older LIMIT $limit"""
_OLDEST = _LISTED.format(direction="ASC", until="<=")
_NEWEST = _LISTED.format(direction="DESC", until=">=")

_COUNT = "SELECT count(*) FROM changes WHERE $since IS NULL OR instant >= $since"

_BUSIEST = """
    WITH counted AS (
        SELECT source_key AS key, sum(1 + (ends <= $t)::INT)::BIGINT AS total FROM facts_known($k)
        WHERE valid_at <= $t AND ends > valid_at GROUP BY key)
    SELECT uuid, total FROM counted JOIN entities ON hash(entities.uuid) = counted.key
    ORDER BY total DESC, name, uuid LIMIT $limit"""

_COLUMNS = "rowid AS id, uuid, source_key, relation, target_key, valid_at"

_SHARED = ("source_key", "relation", "instant")
"""What a withdrawn record and the one in its place share; the instant is when one was withdrawn, the other recorded."""

_IN_COMMON = (("target_key", "valid_at"), ("target_key",), ("valid_at",), ())
"""Where several records could have taken the place, those that have more in common are paired first."""

_REPLACING = """
    CREATE TEMP TABLE replacing AS
    SELECT * FROM ({candidates}) AS candidate SEMI JOIN withdrawn ON {matches}"""

_PAIR = """
    INSERT INTO pairs
    SELECT candidate.id, withdrawn.id FROM ({replacing}) AS candidate JOIN ({withdrawn}) AS withdrawn
    ON {matches} AND candidate.nth = withdrawn.nth"""

_LEFT = """
    SELECT *, row_number() OVER (PARTITION BY {keys} ORDER BY valid_at, uuid) AS nth FROM {table}
    WHERE id NOT IN (SELECT {side} FROM pairs)"""

_SUCCESSORS = """
    WITH ended AS (
        SELECT unnest($uuids::VARCHAR[]) AS uuid, hash(unnest($sources::VARCHAR[])) AS source_key,
               unnest($relations::VARCHAR[]) AS relation, unnest($instants::TIMESTAMPTZ[]) AS instant),
    successor AS (
        SELECT ended.uuid AS ended, min(next.rowid) AS id
        FROM ended JOIN facts AS next ON next.source_key = ended.source_key AND next.relation = ended.relation
                                     AND next.valid_at = ended.instant
        WHERE recorded(next.recorded_from, next.recorded_until, $k) GROUP BY 1)
    SELECT ended, uuid, target FROM successor JOIN facts ON facts.rowid = successor.id WHERE uuid <> ended"""

_EPISODES = """
    SELECT uuid, coalesce(nullif(name, ''), split_part(content, chr(10), 1)) FROM episodes
    WHERE uuid IN (SELECT unnest($uuids::VARCHAR[]))"""

_FACTS = """
    SELECT uuid, coalesce(nullif(text, ''), concat_ws(' ', source, relation, target)) FROM facts
    WHERE uuid IN (SELECT unnest($uuids::VARCHAR[]))"""

_MIRRORED: dict[ChangeKind, ChangeKind] = {"added": "ended", "ended": "added"}
_EVERYTHING = 2**62
_TICK = timedelta(microseconds=1)

_Row = tuple[ChangeKind, int | None, int | None, int | None]
"""A change before its facts are read: kind, instant, and their row ids as the first and the second view have them."""


class ChangeReads(Reads):
    """Differences, each with its cause."""

    def diff(
        self,
        first: Instants,
        second: Instants,
        *,
        entity_uuids: Collection[str] | None = None,
        limit: int | None = None,
    ) -> Diff:
        """What was added, ended, corrected and re-dated from `first` to `second`, by instant, then by source.

        With `entity_uuids` only facts with one of these entities on either side. A withdrawn record and the one that
        took its place are one change. Seen from a later record instant to an earlier one, everything is turned round:
        what was added there is ended here.
        """
        if first.known_at > second.known_at:
            return _turned_round(self.diff(second, first, entity_uuids=entity_uuids, limit=limit))
        entities = None if entity_uuids is None else list(entity_uuids)
        views = {"t1": first.as_of, "k1": first.known_at, "t2": second.as_of, "k2": second.known_at}
        with self._database.read() as cursor:
            questions = corrected(cursor, _WITHDRAWN_BETWEEN, _RECORDED_BETWEEN, views)
            collect(cursor, [_ADDED_ENDED_REDATED, *questions], {**views, "entities": entities})
            totals: dict[ChangeKind, int] = dict(rows(cursor, "SELECT kind, count(*) FROM changes GROUP BY kind"))
            listed = oldest(cursor, _EVERYTHING if limit is None else min(limit, _EVERYTHING))
            return Diff(first, second, changes_of(cursor, listed, first, second), totals)

    def latest_changes(self, at: Instants, *, entity_uuid: str | None = None, limit: int = 14) -> tuple[Change, ...]:
        """What began, ended or was corrected up to `at.as_of`, as known at `at.known_at`, newest first."""
        clocks = {"t": at.as_of, "k": at.known_at}
        entities = None if entity_uuid is None else [entity_uuid]
        with self._database.read() as cursor:
            questions = corrected(cursor, _WITHDRAWN_BEFORE, _RECORDED_BEFORE, clocks)
            most = {"limit": min(limit, _EVERYTHING)}
            collect(cursor, [_BEGUN_OR_ENDED, *questions], {**clocks, "entities": entities, **most})
            listed = rows(cursor, _NEWEST, most)
            return changes_of(cursor, listed, at, at)

    def count_changes(self, at: Instants, since: datetime | None = None) -> int:
        """How many changes `latest_changes` would list without a limit; with `since`, from that instant on."""
        clocks = {"t": at.as_of, "k": at.known_at}
        with self._database.read() as cursor:
            questions = corrected(cursor, _WITHDRAWN_BEFORE, _RECORDED_BEFORE, clocks)
            collect(cursor, [_BEGUN_OR_ENDED, *questions], {**clocks, "entities": None, "limit": _EVERYTHING})
            return count(cursor, since)

    def busiest(self, at: Instants, limit: int = 8) -> tuple[EntityCount, ...]:
        """The entities whose own facts began and ended most often up to `at.as_of`, with how often.

        Facts of others that lead to an entity do not count: they would put every category before what it holds.
        """
        with self._database.read() as cursor:
            found = dict(rows(cursor, _BUSIEST, {"t": at.as_of, "k": at.known_at, "limit": limit}))
            return tuple(EntityCount(entity, found[entity.uuid]) for entity in by_uuid(cursor, ENTITIES, found))


def changes_of(
    cursor: duckdb.DuckDBPyConnection, listed: list[_Row], first: Instants, second: Instants, *, by_record: bool = False
) -> tuple[Change, ...]:
    """The listed changes with their facts, each as its view knew it, and their causes as the second knew them.

    Instants `by_record` are those of the graph's own clock; before a change, nobody knew of it.
    """
    recorded = by_id(cursor, {id for row in listed for id in row[2:] if id is not None})
    found: list[_Unexplained] = []
    for kind, instant, older, newer in listed:
        at = read_instant(instant)
        known_before = min(first.known_at, at - _TICK) if by_record and at else first.known_at
        before = None if older is None else time_rule.as_known(recorded[older], known_before)
        after = None if newer is None else time_rule.as_known(recorded[newer], second.known_at)
        fact = time_rule.as_known(next(recorded[id] for id in (newer, older) if id is not None), second.known_at)
        found.append(_Unexplained(kind, before, after, at, fact))
    return _explained(cursor, found, second.known_at)


def corrected(
    cursor: duckdb.DuckDBPyConnection, withdrawn: str, recorded: str, parameters: Parameters
) -> tuple[str, ...]:
    """The questions for what was corrected; the pairs are left for what follows."""
    return (_CORRECTED, _WITHDRAWN_ALONE) if _pair_corrections(cursor, withdrawn, recorded, parameters) else ()


def collect(cursor: duckdb.DuckDBPyConnection, questions: Sequence[str], parameters: Parameters) -> None:
    """Put what the questions find into the table `changes`."""
    every = " UNION ALL ".join(f"({question})" for question in questions)
    cursor.execute(f"CREATE TEMP TABLE changes AS {every}", dict(parameters))


def oldest(cursor: duckdb.DuckDBPyConnection, limit: int) -> list[_Row]:
    """The first of the collected changes."""
    return rows(cursor, _OLDEST, {"limit": limit})


def count(cursor: duckdb.DuckDBPyConnection, since: datetime | None = None) -> int:
    """How many changes were collected; with `since`, from that instant on."""
    return int(one(cursor, _COUNT, {"since": since})[0])


def _turned_round(diff: Diff) -> Diff:
    changes = tuple(
        replace(change, kind=_MIRRORED.get(change.kind, change.kind), before=change.after, after=change.before)
        for change in diff.changes
    )
    totals = {_MIRRORED.get(kind, kind): count for kind, count in diff.totals.items()}
    return Diff(diff.second, diff.first, changes, totals)


def _pair_corrections(
    cursor: duckdb.DuckDBPyConnection, withdrawn: str, candidates: str, parameters: Parameters
) -> bool:
    """Leave the tables `withdrawn`, `replacing` and `pairs (newer, older)` in the session; rows are named by id.

    `withdrawn` and `candidates` are questions for `{columns}`, `shown` and `instant`; a record is in one pair at most.
    False when nothing was withdrawn: `replacing` is then left out.
    """
    cursor.execute("CREATE TEMP TABLE pairs (newer BIGINT, older BIGINT)")
    cursor.execute("CREATE TEMP TABLE withdrawn AS " + withdrawn.format(columns=_COLUMNS), dict(parameters))
    if not one(cursor, "SELECT count(*) FROM withdrawn")[0]:
        return False
    replacing = _REPLACING.format(candidates=candidates.format(columns=_COLUMNS), matches=_matches(_SHARED))
    cursor.execute(replacing, dict(parameters))
    if not one(cursor, "SELECT count(*) FROM replacing")[0]:
        return True
    for common in _IN_COMMON:
        keys = (*_SHARED, *common)
        left = {
            side: _LEFT.format(keys=", ".join(keys), table=table, side=side)
            for side, table in (("newer", "replacing"), ("older", "withdrawn"))
        }
        cursor.execute(_PAIR.format(replacing=left["newer"], withdrawn=left["older"], matches=_matches(keys)))
    return True


def _matches(keys: tuple[str, ...]) -> str:
    return " AND ".join(f"candidate.{key} IS NOT DISTINCT FROM withdrawn.{key}" for key in keys)


@dataclass(frozen=True, slots=True)
class _Unexplained:
    """A change that still lacks its cause; `fact` is the one to explain, as the later view knows it."""

    kind: ChangeKind
    before: Fact | None
    after: Fact | None
    at: datetime | None
    fact: Fact


def _explained(
    cursor: duckdb.DuckDBPyConnection, changes: list[_Unexplained], known_at: datetime
) -> tuple[Change, ...]:
    """The changes with their causes, as known at `known_at`; a few questions for all of them together."""
    recorded = {change.fact.ended_by for change in changes if change.fact.ended_by}
    sources = {uuid for change in changes for uuid in change.fact.episodes}
    episodes = _texts(cursor, _EPISODES, recorded | sources)
    enders = _texts(cursor, _FACTS, recorded)
    successors = _successors(cursor, [change for change in changes if change.kind == "ended"], known_at)

    def cause(change: _Unexplained) -> Cause:
        fact = change.fact
        if change.kind == "ended" or (change.kind == "re-dated" and change.before and fact.uuid == change.before.uuid):
            if fact.ended_by in enders:
                return Cause("fact", enders[fact.ended_by], fact.ended_by)
            if fact.ended_by in episodes:
                return Cause("episode", episodes[fact.ended_by], fact.ended_by)
        if change.kind == "ended":
            return successors.get(fact.uuid) or _by_end(fact, change.at)
        if change.kind == "corrected" and change.after is None:
            return _by_record("Withdrawn", change.at)
        source = next((uuid for uuid in fact.episodes if uuid in episodes), None)
        return Cause("episode", episodes[source], source) if source else _by_record("Recorded", fact.created_at)

    return tuple(
        Change(change.kind, change.before, change.after, change.at, cause(change), change.fact) for change in changes
    )


def _texts(cursor: duckdb.DuckDBPyConnection, sql: str, uuids: Iterable[str]) -> dict[str, str]:
    asked = list(uuids)
    return dict(rows(cursor, sql, {"uuids": asked})) if asked else {}


def _successors(cursor: duckdb.DuckDBPyConnection, ended: list[_Unexplained], known_at: datetime) -> dict[str, Cause]:
    """What begins exactly where a fact ends, with the same source and relation."""
    if not ended:
        return {}
    asked = {
        "uuids": [change.fact.uuid for change in ended],
        "sources": [change.fact.source_uuid for change in ended],
        "relations": [change.fact.relation for change in ended],
        "instants": [change.at for change in ended],
    }
    found = rows(cursor, _SUCCESSORS, {**asked, "k": known_at})
    return {uuid: Cause("fact", f"Replaced by {target}", by, inferred=True) for uuid, by, target in found}


def _by_end(fact: Fact, at: datetime | None) -> Cause:
    if fact.ended_unknown:
        return _by_record("Recorded as ended", fact.expired_at or at)
    if fact.expired_at or at is None:
        return _by_record("End recorded", fact.expired_at)
    return Cause("record", f"Ended {date_wording.on_its(fact, at)}")


def _by_record(verb: str, at: datetime | None) -> Cause:
    return Cause("record", f"{verb} on {at:%Y-%m-%d}") if at else Cause("unknown", "Cause not recorded")
