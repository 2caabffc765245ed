"""Looking records up: by uuid, by name, by what an analyst types; and which types and relations there are."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from services.core.group_records import GroupMark
from services.core.models import Counts, Entity, Episode, Fact, MergedEntity, NameCount
from services.graph.store import Watermark
from services.language.names import of_name
from services.mirror.reads import Reads, by_uuid, in_list, one, records, rows
from services.mirror.record_tables import ENTITIES, EPISODES, FACTS, MERGED, read_instant

_FOLDED = "strip_accents(lower({}))"

_THERE = "($k IS NULL OR created_at IS NULL OR created_at <= $k)"
_RECORDED = "($k IS NULL OR recorded(recorded_from, recorded_until, $k))"

_FIND = f"""
    WITH asked AS (SELECT {_FOLDED.format("$text")} AS asked),
    named AS (SELECT *, {_FOLDED.format("name")} AS folded FROM entities),
    found AS (
        SELECT named.*, CASE WHEN folded = asked THEN 0 WHEN starts_with(folded, asked) THEN 1
                             WHEN contains(folded, ' ' || asked) THEN 2 ELSE 3 END AS class
        FROM named, asked WHERE contains(folded, asked) AND {_THERE})
    SELECT {{entity}} FROM found LEFT JOIN degrees ON degrees.key = hash(uuid)
    ORDER BY class, coalesce(degree, 0) DESC, length(name), name, uuid LIMIT $limit"""

_OF_TYPES = f"FROM entities WHERE {_THERE} AND ($types IS NULL OR list_has_any(types, $types::VARCHAR[]))"

_NEWEST = "ORDER BY created_at DESC NULLS LAST, uuid LIMIT $limit OFFSET $offset"

_TYPES = f"""
    SELECT type, count(*) FROM (SELECT unnest(if(len(types) = 0, [''], types)) AS type FROM entities WHERE {_THERE})
    GROUP BY 1 ORDER BY 2 DESC, 1"""

_RELATIONS = f"SELECT relation, count(*) FROM facts WHERE {_RECORDED} GROUP BY 1 ORDER BY 2 DESC, 1"

_COUNTS = "SELECT (SELECT count(*) FROM entities), (SELECT count(*) FROM facts), (SELECT count(*) FROM episodes)"

_COUNTS_AT = f"""
    SELECT (SELECT count(*) FROM entities WHERE {_THERE}), (SELECT count(*) FROM facts WHERE {_RECORDED}),
           (SELECT count(*) FROM episodes WHERE {_THERE})"""

_NAMED = f"""
    SELECT {ENTITIES.columns()} FROM entities WHERE name IN (SELECT unnest($names::VARCHAR[]))
    ORDER BY created_at NULLS FIRST, uuid"""

_INTO = 'SELECT uuid, "into" FROM merged WHERE uuid IN (SELECT unnest($uuids::VARCHAR[]))'

_RECORD_TIMES = """
    SELECT epoch_us(greatest((SELECT max(created_at) FROM entities), (SELECT max(created_at) FROM facts),
                             (SELECT max(created_at) FROM episodes))),
           epoch_us((SELECT greatest(max(expired_at), max(withdrawn_at)) FROM facts))"""

_DOCUMENT_MARK = "SELECT count(*), epoch_us(max(updated_at)) FROM documents"

_GROUP_MARK = """
    SELECT count(*), epoch_us(max(created_at)), coalesce(sum(length(summary)), 0)::BIGINT
    FROM (SELECT created_at, summary FROM communities UNION ALL SELECT created_at, summary FROM sagas)"""


class LookupReads(Reads):
    """Records as they are, whatever the instants; with `known_at` those alone that the graph had then."""

    def counts(self, known_at: datetime | None = None) -> Counts:
        """How many records the mirror holds; with `known_at`, how many of them the graph had then."""
        return Counts(*(self._one(_COUNTS) if known_at is None else self._one(_COUNTS_AT, {"k": known_at})))

    def watermark(self) -> Watermark:
        """The mirror's own counts and latest record times, as `GraphStore.watermark` gives the graph's."""
        with self._database.read() as cursor:
            counts, (created, expired) = one(cursor, _COUNTS), one(cursor, _RECORD_TIMES)
            documents, updated = one(cursor, _DOCUMENT_MARK)
            groups, made, length = one(cursor, _GROUP_MARK)
        summary = Counts(*counts), read_instant(created), read_instant(expired)
        return Watermark(*summary, documents, read_instant(updated), GroupMark(groups, read_instant(made), length))

    def entities(self, uuids: Iterable[str]) -> tuple[Entity, ...]:
        """Entities by uuid, in the order asked; unknown ones are left out."""
        asked = list(dict.fromkeys(uuids))
        with self._database.read() as cursor:
            found = {entity.uuid: entity for entity in by_uuid(cursor, ENTITIES, asked)}
            if missing := [uuid for uuid in asked if uuid not in found]:
                into = dict(rows(cursor, _INTO, {"uuids": missing}))
                kept = {entity.uuid: entity for entity in by_uuid(cursor, ENTITIES, into.values())}
                found |= {uuid: kept[into[uuid]] for uuid in missing if into.get(uuid) in kept}
        return tuple({found[uuid].uuid: found[uuid] for uuid in asked if uuid in found}.values())

    def facts(self, uuids: Iterable[str]) -> tuple[Fact, ...]:
        """Facts by uuid, as they are recorded, in the order asked; unknown ones are left out."""
        return self._by_uuid(FACTS, uuids)

    def episodes(self, uuids: Iterable[str]) -> tuple[Episode, ...]:
        """Episodes by uuid, in the order asked; unknown ones are left out."""
        return self._by_uuid(EPISODES, uuids)

    def episode_names(self, uuids: Iterable[str]) -> Mapping[str, str]:
        """The names of episodes by uuid, without reading their texts; unknown ones are left out."""
        asked = list(dict.fromkeys(uuids))
        if not asked:
            return {}
        with self._database.read() as cursor:
            return dict(in_list(cursor, "SELECT uuid, name FROM episodes WHERE uuid IN", asked))

    def entities_named(self, name: str) -> tuple[Entity, ...]:
        """Entities of that exact name; failing that, of the same name (`services/language/names.py`). Oldest first."""
        with self._database.read() as cursor:
            found = records(cursor, ENTITIES, _NAMED, {"names": [name]})
            if found:
                return found
            everyone = (row[0] for row in rows(cursor, "SELECT DISTINCT name FROM entities"))
            if same := of_name(everyone, name, str):
                return records(cursor, ENTITIES, _NAMED, {"names": same})
            merged = of_name(rows(cursor, 'SELECT name, "into" FROM merged'), name, lambda row: str(row[0]))
            return by_uuid(cursor, ENTITIES, [into for _, into in merged])

    def merged(self) -> tuple[MergedEntity, ...]:
        """What is left of entities that were merged, by uuid."""
        return self._records(MERGED, f"SELECT {MERGED.columns()} FROM merged ORDER BY uuid")

    def find_entities(self, text: str, limit: int = 12, known_at: datetime | None = None) -> tuple[Entity, ...]:
        """Entities for a type-ahead box, whatever case and accents are typed.

        The whole name first, then names that begin so, then words that do, then any other place; busiest first in each.
        """
        asked = {"text": text.strip(), "limit": limit, "k": known_at}
        return self._records(ENTITIES, _FIND.format(entity=ENTITIES.columns()), asked)

    def entities_of(
        self, types: Sequence[str] | None, known_at: datetime, *, limit: int, offset: int = 0
    ) -> tuple[tuple[Entity, ...], int]:
        """Entities that the graph had at `known_at`, of any of these types or, where that is None, of every type: the
        newest first, from number `offset` on; and how many there are."""
        asked = {"k": known_at, "types": None if types is None else list(types)}
        with self._database.read() as cursor:
            (total,) = one(cursor, f"SELECT count(*) {_OF_TYPES}", asked)
            page = {**asked, "limit": limit, "offset": offset}
            return records(cursor, ENTITIES, f"SELECT {ENTITIES.columns()} {_OF_TYPES} {_NEWEST}", page), int(total)

    def types(self, known_at: datetime | None = None) -> tuple[NameCount, ...]:
        """Entity types with their entities counted, most first; the empty name counts those without a type."""
        return tuple(NameCount(name, count) for name, count in self._rows(_TYPES, {"k": known_at}))

    def relations(self, known_at: datetime | None = None) -> tuple[NameCount, ...]:
        """Relations with their facts counted, whatever these say of the world's time, most first."""
        return tuple(NameCount(name, count) for name, count in self._rows(_RELATIONS, {"k": known_at}))
