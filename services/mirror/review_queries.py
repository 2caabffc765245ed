"""What an analyst should look at, over a whole workspace; and where its next change is."""

from collections.abc import Collection, Sequence
from datetime import datetime

from services.core.contradictions import LATE, Attention, Overlap
from services.core.models import Instants
from services.mirror.reads import Reads
from services.mirror.record_tables import read_instant

_STEPS = """
    WITH dated AS (
        SELECT * FROM facts_known($k) WHERE valid_at <= $t AND (invalid_at IS NULL OR invalid_at > valid_at)),
    steps AS (
        SELECT uuid, relation, target_uuid, valid_at, invalid_at,
               lead(uuid) OVER following AS next_uuid, lead(target_uuid) OVER following AS next_target,
               lead(valid_at) OVER following AS next_start, lead(invalid_at) OVER following AS next_end
        FROM dated WINDOW following AS (PARTITION BY source_uuid, relation ORDER BY valid_at, uuid)),
    judged AS (
        SELECT *, next_target <> target_uuid AND (invalid_at IS NULL OR invalid_at > next_start) AS clash
        FROM steps WHERE next_uuid IS NOT NULL),
    one_valued AS (
        SELECT relation FROM judged GROUP BY relation HAVING count(*) FILTER (clash) <= $share * count(*))"""

_ONE_VALUED = f"""{_STEPS}
    SELECT relation FROM dated GROUP BY relation
    HAVING relation NOT IN (SELECT relation FROM judged) OR relation IN (FROM one_valued)"""

_FOLLOWED = f"""{_STEPS.replace("WHERE", "WHERE relation IN (SELECT unnest($relations::VARCHAR[])) AND", 1)}
    SELECT relation FROM judged WHERE next_target <> target_uuid AND relation IN (FROM one_valued)
    GROUP BY relation HAVING count(*) FILTER (NOT clash) >= $least"""

_CONTRADICTIONS = f"""{_STEPS}
    SELECT uuid, next_uuid, epoch_us(next_start), epoch_us(least(invalid_at, next_end)), count(*) OVER ()
    FROM judged WHERE clash AND relation IN (FROM one_valued)
    AND least(uuid, next_uuid) || ' ' || greatest(uuid, next_uuid) NOT IN (SELECT unnest($dismissed::VARCHAR[]))
    ORDER BY next_start DESC, uuid LIMIT $limit"""

_LATE = """
    WITH late AS (
        SELECT * FROM facts_known($k) WHERE valid_at <= $t AND created_at - valid_at > $late),
    corrected AS (
        SELECT late.uuid FROM late JOIN facts AS before ON before.source_uuid = late.source_uuid
        WHERE before.withdrawn_at <= late.created_at AND (before.withdrawn_at = late.created_at OR (
              before.relation = late.relation AND before.target_uuid = late.target_uuid
              AND before.valid_at = late.valid_at)))
    SELECT uuid, count(*) OVER () FROM late WHERE uuid NOT IN (FROM corrected)
    ORDER BY created_at - valid_at DESC, uuid LIMIT $limit"""

_CHANGES = """
    SELECT epoch_us({pick}(instant)) FROM (
        SELECT source_uuid, target_uuid, unnest([valid_at, invalid_at]) AS instant FROM facts_known($k))
    WHERE instant {side} $t AND ($entity IS NULL OR source_uuid = $entity OR target_uuid = $entity)"""

_CHANGES_BETWEEN = """
    SELECT map_values(histogram(valid_at, $instants::TIMESTAMPTZ[])),
           map_values(histogram(invalid_at, $instants::TIMESTAMPTZ[]))
    FROM facts_known($k) WHERE valid_at IS NOT NULL"""

CLASHING_SHARE = 0.05
"""A relation has one value at a time when at most this share of the steps from one fact to the next overlap."""


HANDOVERS = 3
"""So often one value must have taken another's place before a text may end a fact on the strength of that."""


def one_valued_relations(mirror: Reads, at: Instants) -> frozenset[str]:
    """The relations whose facts follow one another for each source, but for a few; read off the data."""
    asked = {"t": at.as_of, "k": at.known_at, "share": CLASHING_SHARE}
    return frozenset(name for (name,) in mirror._rows(_ONE_VALUED, asked))


def followed_relations(mirror: Reads, at: Instants, relations: Collection[str]) -> frozenset[str]:
    """Those of `relations` that hold one at a time and have shown it: in a few steps one value took another's place.

    A relation with one fact for each source shows nothing.
    """
    if not relations:
        return frozenset()
    asked = {"t": at.as_of, "k": at.known_at, "share": CLASHING_SHARE, "least": HANDOVERS, "relations": [*relations]}
    return frozenset(name for (name,) in mirror._rows(_FOLLOWED, asked))


def review_list(mirror: Reads, at: Instants, limit: int = 5, dismissed: Sequence[str] = ()) -> Attention:
    """Facts begun by `at` that contradict each other, or that were recorded late; the totals, and the first `limit`.

    `dismissed` are pairs of facts that are as they should be, by `core.health_records.pair_key`. A record that took the
    place of one that was withdrawn is not late: that one was recorded before.
    """
    asked = {"t": at.as_of, "k": at.known_at, "limit": limit}
    pairs = mirror._rows(_CONTRADICTIONS, {**asked, "share": CLASHING_SHARE, "dismissed": list(dismissed)})
    late = mirror._rows(_LATE, {**asked, "late": LATE})
    uuids = [uuid for row in pairs for uuid in row[:2]] + [row[0] for row in late]
    known = {
        fact.uuid: fact
        for fact in mirror._facts(
            "SELECT {fact} FROM facts_known($k) WHERE uuid IN (SELECT unnest($uuids::VARCHAR[]))",
            {"k": at.known_at, "uuids": uuids},
        )
    }
    overlaps = tuple(
        Overlap(known[first], known[second], read_instant(start) or at.as_of, read_instant(stop))
        for first, second, start, stop, _ in pairs
    )
    return Attention(
        overlaps,
        pairs[0][-1] if pairs else 0,
        tuple(known[row[0]] for row in late),
        late[0][-1] if late else 0,
    )


def change_before(mirror: Reads, at: Instants, entity_uuid: str | None = None) -> datetime | None:
    """The last instant before `at` at which a fact (of the entity) began or ended."""
    return _change(mirror, at, entity_uuid, "max", "<")


def change_after(mirror: Reads, at: Instants, entity_uuid: str | None = None) -> datetime | None:
    """The first instant after `at` at which a fact (of the entity) begins or ends."""
    return _change(mirror, at, entity_uuid, "min", ">")


def _change(mirror: Reads, at: Instants, entity_uuid: str | None, pick: str, side: str) -> datetime | None:
    asked = {"t": at.as_of, "k": at.known_at, "entity": entity_uuid}
    ((found,),) = mirror._rows(_CHANGES.format(pick=pick, side=side), asked)
    return read_instant(found)


def changes_between(mirror: Reads, instants: Sequence[datetime], known_at: datetime) -> tuple[int, ...]:
    """How many facts began or ended after each instant and up to the next, as known at `known_at`."""
    grid = sorted(set(instants))
    (found,) = mirror._rows(_CHANGES_BETWEEN, {"instants": grid, "k": known_at})
    begun, ended = ((counts or [0] * len(grid))[1 : len(grid)] for counts in found)
    return tuple(map(sum, zip(begun, ended, strict=True)))
