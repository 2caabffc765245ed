"""What stands behind entities and documents: the episodes that mention an entity, and the versions of a document."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from services.core import date_wording
from services.core.models import Document, Episode, Fact, Instants
from services.mirror.reads import Reads
from services.mirror.record_tables import EPISODES, read_instant

_MENTIONS = """
    WITH told AS (
        SELECT unnest(entity_uuids) AS entity, uuid, coalesce(valid_at, created_at) AS seen FROM episodes
        WHERE list_has_any(entity_uuids, $entities::VARCHAR[]) AND (created_at IS NULL OR created_at <= $k))
    SELECT entity, count(DISTINCT uuid), epoch_us(min(seen)), epoch_us(max(seen)), list(DISTINCT uuid)
    FROM told WHERE entity IN (SELECT unnest($entities::VARCHAR[])) GROUP BY 1"""

_VERSIONS = f"""
    SELECT {EPISODES.columns()} FROM episodes
    WHERE created_at BETWEEN $first AND least($last, $k)
    AND (uuid = $present OR source_description = $path OR source_description LIKE '% document')
    ORDER BY created_at DESC, uuid"""

_UNDATED = """
    SELECT {fact} FROM facts_known($k) WHERE valid_at IS NULL AND ends > $t
    AND relation IN (SELECT unnest($relations::VARCHAR[])) ORDER BY source, target, id LIMIT $limit"""

# A fact that ended within the year or month of an instant ended less than a year and a day before it, or after it.
_OF_IMPRECISE_END = """
    SELECT {fact} FROM facts_known($k) WHERE invalid_at_precision IN ('year', 'month')
    AND ends <= $t AND ends > $t - INTERVAL 367 DAY
    AND relation IN (SELECT unnest($relations::VARCHAR[])) ORDER BY source, target, id LIMIT $limit"""

# Asked first: where no fact has such an end, the whole question is spared, which takes four times as long.
_HAS_IMPRECISE_END = """
    SELECT EXISTS (FROM facts WHERE invalid_at_precision IN ('year', 'month') AND invalid_at <= $t
    AND invalid_at > $t - INTERVAL 367 DAY AND list_contains($relations::VARCHAR[], relation))"""

_IS_SOURCE = "SELECT EXISTS (FROM facts WHERE list_has_any(episodes, $episodes::VARCHAR[]))"

# Found by its few narrow columns first, then read whole: much faster than both at once.
_TOUCHING = """
    WITH asked AS MATERIALIZED (SELECT hash(unnest($entities::VARCHAR[])) AS key),
    near AS (
        SELECT id FROM facts_known($k) WHERE (valid_at IS NULL OR valid_at <= $t) AND ends > $t
        AND (source_key IN (FROM asked) OR target_key IN (FROM asked))
        ORDER BY len(episodes) DESC, valid_at DESC NULLS LAST, id LIMIT $limit)
    SELECT {fact} FROM facts WHERE rowid IN (FROM near)"""


@dataclass(frozen=True, slots=True)
class Mentions:
    """The episodes that mention an entity: how many, and the dates of the earliest and the latest."""

    count: int = 0
    first: datetime | None = None
    last: datetime | None = None
    episodes: tuple[str, ...] = ()


class ProvenanceReads(Reads):
    """Who mentions entities, the versions of documents, and facts by what they touch."""

    def mentions(self, entity_uuids: Sequence[str], known_at: datetime) -> dict[str, Mentions]:
        """Of each of these entities who mentions it, as recorded by `known_at`; one that nobody does is left out."""
        found = self._rows(_MENTIONS, {"entities": list(entity_uuids), "k": known_at})
        return {
            entity: Mentions(number, read_instant(first), read_instant(last), tuple(sorted(uuids)))
            for entity, number, first, last, uuids in found
        }

    def possible_versions(self, document: Document, known_at: datetime) -> tuple[Episode, ...]:
        """The texts that a document may have had by `known_at`, newest first; `as_version` tells which it had."""
        times = {"first": document.created_at, "last": document.updated_at, "k": known_at}
        asked = {**times, "path": document.path, "present": document.episode_uuid}
        return self._records(EPISODES, _VERSIONS, asked)

    def is_source(self, episode_uuids: Sequence[str]) -> bool:
        """True when any fact comes from one of these episodes."""
        return bool(self._rows(_IS_SOURCE, {"episodes": list(episode_uuids)})[0][0])

    def facts_touching(self, entity_uuids: Sequence[str], at: Instants, limit: int) -> tuple[Fact, ...]:
        """Facts of these entities that hold at `at` or have no start, as recorded: the `limit` of most sources."""
        asked = {"entities": list(entity_uuids), "t": at.as_of, "k": at.known_at, "limit": limit}
        return self._facts(_TOUCHING, asked)

    def facts_undated(self, at: Instants, relations: Sequence[str], limit: int) -> tuple[Fact, ...]:
        """Facts of these relations that are recorded and not ended, but have no start."""
        asked = {"k": at.known_at, "t": at.as_of, "relations": list(relations), "limit": limit}
        return self._facts(_UNDATED, asked)

    def facts_of_imprecise_end(self, at: Instants, relations: Sequence[str], limit: int) -> tuple[Fact, ...]:
        """Facts of these relations that may have ended: sometime in the year or month of the instant."""
        asked = {"t": at.as_of, "relations": list(relations)}
        if not self._one(_HAS_IMPRECISE_END, asked)[0]:
            return ()
        asked |= {"k": at.known_at, "limit": limit}
        return tuple(fact for fact in self._facts(_OF_IMPRECISE_END, asked) if date_wording.may_have_ended(fact, at))
