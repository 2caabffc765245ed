"""Facts that were ended or withdrawn on the graph's clock: by what, together with which, and which of them look wrong.

Left out is what arrived ended, and what is said anew by now. What an analyst retired by hand is told as such, and never
looks wrong. Where nobody else wrote a cause down it is read off: the fact that took the place, else the source that
came in just before.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import duckdb

from services.core.health_records import SUSPICIONS, FindingPage, ManualChange, RetiredTogether, Retirement, Suspicion
from services.core.models import Cause, Fact
from services.mirror.reads import Parameters, Reads, by_id, by_uuid, rows
from services.mirror.record_tables import EPISODES, read_instant

MANY = 5
"""So many facts retired at one instant by one source are worth a look."""

_JUST_BEFORE = "INTERVAL 10 MINUTE"
"""A source that came in so long before at most may have retired a fact; Graphiti writes down neither."""

_WORDS = "string_split(lower(caused.source), ' ')"
_NOT_NAMED = rf"""
    CASE WHEN len(list_filter({_WORDS}, lambda word: length(word) > 2)) = 0
         THEN NOT list_has_all(regexp_extract_all(teller.told, '[\pL\pN]+'), {_WORDS})
         ELSE len(list_filter({_WORDS}, lambda word: length(word) > 2 AND contains(teller.told, word))) = 0 END"""
"""Nothing of the name is in the source's text. Short words are found in any text, so they count as whole words, and
only where the name has no other."""

_SAMPLE = 50
"""So many facts of a group are read."""

_RETIRED = f"""
    WITH gone AS MATERIALIZED (
        SELECT rowid AS id, uuid, source_uuid, source_key, target_key, source, relation, valid_at, invalid_at, episodes,
               withdrawn_at, ended_by, coalesce(withdrawn_at, expired_at) AS retired_at
        FROM facts
        WHERE (expired_at IS NOT NULL OR withdrawn_at IS NOT NULL)
        AND coalesce(withdrawn_at, expired_at) > recorded_from),
    anew AS (
        SELECT gone.id FROM gone JOIN facts AS later
        ON later.source_key = gone.source_key AND later.target_key = gone.target_key
        AND later.relation = gone.relation AND later.valid_at IS NOT DISTINCT FROM gone.valid_at
        WHERE later.withdrawn_at IS NULL AND later.expired_at IS NULL AND later.recorded_from >= gone.retired_at),
    left_over AS MATERIALIZED (
        SELECT *, retired_at IN (SELECT unnest($by_hand::TIMESTAMPTZ[])) AS by_hand FROM gone
        WHERE id NOT IN (FROM anew) AND uuid NOT IN (SELECT unnest($dismissed::VARCHAR[]))),
    placed AS (
        SELECT left_over.id, min(next.rowid) AS by_id FROM left_over JOIN facts AS next
        ON next.source_key = left_over.source_key AND next.relation = left_over.relation
        AND next.recorded_from = left_over.withdrawn_at AND next.rowid <> left_over.id GROUP BY 1
        UNION ALL
        SELECT left_over.id, min(next.rowid) FROM left_over JOIN facts AS next
        ON next.source_key = left_over.source_key AND next.relation = left_over.relation
        AND next.valid_at = left_over.invalid_at AND next.rowid <> left_over.id
        WHERE left_over.withdrawn_at IS NULL GROUP BY 1),
    told AS (SELECT uuid, created_at FROM episodes WHERE created_at IS NOT NULL),
    prior AS (
        SELECT left_over.id, told.uuid AS episode FROM left_over ASOF JOIN told
        ON left_over.retired_at >= told.created_at
        WHERE NOT by_hand AND left_over.retired_at - told.created_at <= {_JUST_BEFORE}),
    caused AS MATERIALIZED (
        SELECT left_over.*, by_fact.rowid AS by_id, by_fact.source_key AS by_source, by_fact.relation AS by_relation,
               placed.by_id AS placed_id,
               coalesce(by_episode.uuid, by_fact.episodes[1], successor.episodes[1], prior.episode) AS episode,
               by_episode.uuid IS NOT NULL AS told_so,
               by_fact.rowid IS NULL AND by_episode.uuid IS NULL AS inferred
        FROM left_over LEFT JOIN facts AS by_fact ON by_fact.uuid = left_over.ended_by
        LEFT JOIN episodes AS by_episode ON by_episode.uuid = left_over.ended_by
        LEFT JOIN placed ON placed.id = left_over.id AND NOT by_hand
        LEFT JOIN facts AS successor ON successor.rowid = placed.by_id
        LEFT JOIN prior ON prior.id = left_over.id
        WHERE NOT (by_fact.rowid IS NULL AND by_episode.uuid IS NULL AND placed.by_id IS NULL
                   AND len(left_over.episodes) = 1
                   AND coalesce(list_contains(left_over.episodes, prior.episode), false))),
    judged AS MATERIALIZED (
        SELECT caused.*,
               coalesce(by_source <> source_key, false) AS subject,
               coalesce(by_relation <> relation, false) AS relation_differs,
               CASE WHEN (told_so OR (inferred AND placed_id IS NULL AND caused.episode IS NOT NULL))
                         AND NOT coalesce(list_contains(teller.entity_uuids, source_uuid), false)
                    THEN {_NOT_NAMED} ELSE false END AS silent,
               caused.episode IS NOT NULL AND count(*) OVER (PARTITION BY caused.episode, retired_at) >= {MANY} AS many,
               coalesce(caused.invalid_at < caused.valid_at, false) AS backwards
        FROM caused LEFT JOIN (SELECT uuid, entity_uuids, lower(content) AS told FROM episodes) AS teller
        ON teller.uuid = caused.episode)"""

_SUSPICIOUS = f"""{_RETIRED}
    SELECT id, epoch_us(retired_at), coalesce(by_id, placed_id), episode, inferred,
           [subject, relation_differs, silent, many, backwards], count(*) OVER ()
    FROM judged WHERE NOT by_hand AND (subject OR relation_differs OR silent OR many OR backwards)
    ORDER BY retired_at DESC, id LIMIT $limit"""

_TOGETHER = f"""{_RETIRED}
    SELECT epoch_us(retired_at), episode, bool_and(inferred), list(id ORDER BY id)[1:{_SAMPLE}], count(*),
           min(coalesce(by_id, placed_id)), count(*) OVER (), sum(count(*)) OVER ()
    FROM judged GROUP BY retired_at, episode ORDER BY retired_at DESC, episode LIMIT $limit"""


def suspicious_retirements(
    mirror: Reads, limit: int, dismissed: Sequence[str] = (), by_hand: Sequence[ManualChange] = ()
) -> FindingPage[Retirement]:
    """Retirements that look wrong, newest first, each with its reasons; `dismissed` are uuids of facts."""
    with mirror._database.read() as cursor:
        found = rows(cursor, _SUSPICIOUS, _asked(limit, dismissed, by_hand))
        facts = by_id(cursor, {number for row in found for number in (row[0], row[2]) if number is not None})
        names = _names(cursor, (row[3] for row in found))
    items = tuple(_retirement(row, facts, names) for row in found)
    return FindingPage(items, found[0][-1] if found else 0)


def retired_together(
    mirror: Reads, limit: int, dismissed: Sequence[str] = (), by_hand: Sequence[ManualChange] = ()
) -> tuple[FindingPage[RetiredTogether], int]:
    """All retirements by the source and the instant that made them, newest first; and how many facts that are."""
    with mirror._database.read() as cursor:
        found = rows(cursor, _TOGETHER, _asked(limit, dismissed, by_hand))
        facts = by_id(cursor, {number for row in found for number in (*row[3], row[5]) if number is not None})
        names = _names(cursor, (row[1] for row in found))
    changes = {change.at: change for change in by_hand}
    groups = tuple(_group(row, facts, names, changes) for row in found)
    return FindingPage(groups, found[0][6] if found else 0), int(found[0][7]) if found else 0


def _asked(limit: int, dismissed: Sequence[str], by_hand: Sequence[ManualChange]) -> Parameters:
    return {"limit": limit, "dismissed": list(dismissed), "by_hand": [change.at for change in by_hand]}


def _group(
    row: tuple[Any, ...], facts: dict[int, Fact], names: dict[str, str], changes: Mapping[datetime, ManualChange]
) -> RetiredTogether:
    micros, episode, inferred, numbers, total, by, *_ = row
    at = _instant(micros)
    source = _source(episode, names, inferred)
    if source.kind == "unknown" and by is not None and total == 1:
        source = _by_fact(facts[by], inferred)
    elif source.kind == "unknown" and at in changes:
        source = Cause("change", changes[at].words, changes[at].id)
    return RetiredTogether(source, at, tuple(facts[number] for number in numbers), total)


def _retirement(row: tuple[Any, ...], facts: dict[int, Fact], names: dict[str, str]) -> Retirement:
    number, at, by, episode, inferred, flags, _ = row
    reasons: tuple[Suspicion, ...] = tuple(name for name, flag in zip(SUSPICIONS, flags, strict=True) if flag)
    if by is None:
        return Retirement(facts[number], _instant(at), _source(episode, names, inferred), reasons)
    return Retirement(facts[number], _instant(at), _by_fact(facts[by], inferred), reasons)


def _by_fact(fact: Fact, inferred: bool) -> Cause:
    words = fact.text or f"{fact.source} {fact.relation.replace('_', ' ').lower()} {fact.target}"
    return Cause("fact", words, fact.uuid, inferred)


def _source(episode: str | None, names: dict[str, str], inferred: bool) -> Cause:
    if episode is None or episode not in names:
        return Cause("unknown", "Cause not recorded")
    return Cause("episode", names[episode], episode, inferred)


def _names(cursor: duckdb.DuckDBPyConnection, episodes: Iterable[str | None]) -> dict[str, str]:
    found = by_uuid(cursor, EPISODES, filter(None, episodes))
    return {episode.uuid: episode.name or episode.content.partition("\n")[0] for episode in found}


def _instant(micros: int) -> datetime:
    found = read_instant(micros)
    assert found is not None, "what was retired was retired at some instant"
    return found
