"""Why a fact began, ended or was corrected: what was written down, else what the facts themselves tell."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import duckdb

from services.core.models import Cause, Change, ChangeKind, Fact
from services.mirror.reads import rows

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


@dataclass(frozen=True, slots=True)
class Unexplained:
    """A change that still lacks its cause; `fact` is the one to explain, as the later view knows it."""

    kind: ChangeKind
    before: Fact | None
    after: Fact | None
    at: datetime | None
    fact: Fact


def explain(cursor: duckdb.DuckDBPyConnection, changes: list[Unexplained], known_at: datetime) -> tuple[Change, ...]:
    """The changes with their causes, as known at `known_at`; a few questions for all of them together."""
    recorded = {change.fact.ended_by for change in changes if change.fact.ended_by}
    sources = {uuid for change in changes for uuid in change.fact.episodes}
    episodes = _texts(cursor, _EPISODES, recorded | sources)
    enders = _texts(cursor, _FACTS, recorded)
    successors = _successors(cursor, [change for change in changes if change.kind == "ended"], known_at)

    def cause(change: Unexplained) -> Cause:
        fact = change.fact
        if change.kind == "ended" or (change.kind == "re-dated" and change.before and fact.uuid == change.before.uuid):
            if fact.ended_by in enders:
                return Cause("fact", enders[fact.ended_by], fact.ended_by)
            if fact.ended_by in episodes:
                return Cause("episode", episodes[fact.ended_by], fact.ended_by)
        if change.kind == "ended":
            return successors.get(fact.uuid) or _by_record("Ended", fact.expired_at or change.at)
        if change.kind == "corrected" and change.after is None:
            return _by_record("Withdrawn", change.at)
        source = next((uuid for uuid in fact.episodes if uuid in episodes), None)
        return Cause("episode", episodes[source], source) if source else _by_record("Recorded", fact.created_at)

    return tuple(Change(change.kind, change.before, change.after, change.at, cause(change)) for change in changes)


def _texts(cursor: duckdb.DuckDBPyConnection, sql: str, uuids: Iterable[str]) -> dict[str, str]:
    asked = list(uuids)
    return dict(rows(cursor, sql, {"uuids": asked})) if asked else {}


def _successors(cursor: duckdb.DuckDBPyConnection, ended: list[Unexplained], known_at: datetime) -> dict[str, Cause]:
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
    return {uuid: Cause("fact", f"{target} replaces it", by, inferred=True) for uuid, by, target in found}


def _by_record(verb: str, at: datetime | None) -> Cause:
    return Cause("record", f"{verb} on {at:%Y-%m-%d}") if at else Cause("unknown", "Nothing says why")
