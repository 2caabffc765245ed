"""What in a whole workspace may want mending, as it is known now: the same said twice, what hangs on nothing, what
refers to nothing, and what has no date."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from services.core.health_records import FindingPage, FutureRecord, Residue, ResidueKind, SameFact
from services.core.models import Entity, Fact, Instants
from services.mirror.reads import Reads, by_id, rows
from services.mirror.record_tables import ENTITIES, read_instant

_NEW = "NOT IN (SELECT unnest($dismissed::VARCHAR[]))"

_SAME_FACTS = f"""
    WITH current AS (SELECT rowid AS id, * FROM facts WHERE withdrawn_at IS NULL AND expired_at IS NULL)
    SELECT list(id ORDER BY created_at NULLS FIRST, uuid), count(*) OVER (),
           array_to_string(list(uuid ORDER BY uuid), ' ') AS key
    FROM current GROUP BY source_key, relation, target_key, valid_at, invalid_at
    HAVING count(*) > 1 AND key {_NEW} ORDER BY max(created_at) DESC NULLS LAST, key LIMIT $limit"""

_ORPHANS = f"""
    SELECT {ENTITIES.columns()}, count(*) OVER () FROM entities
    WHERE hash(uuid) NOT IN (SELECT key FROM degrees) AND uuid NOT IN (SELECT unnest(entity_uuids) FROM episodes)
    AND uuid {_NEW} ORDER BY created_at DESC NULLS LAST, name, uuid LIMIT $limit"""

_UNDATED = f"""
    SELECT id, count(*) OVER () FROM facts_known($k)
    WHERE valid_at IS NULL AND ends > $t AND uuid {_NEW} ORDER BY created_at DESC NULLS LAST, uuid LIMIT $limit"""

_WORDS = "coalesce(nullif(text, ''), concat_ws(' ', source, lower(replace(relation, '_', ' ')), target))"

_CURRENT = "withdrawn_at IS NULL"

_RESIDUES: Mapping[ResidueKind, str] = {
    "source": f"""
        SELECT uuid AS key, {_WORDS} AS name, created_at AS date FROM facts
        WHERE uuid IN (SELECT uuid FROM (SELECT uuid, unnest(episodes) AS episode FROM facts)
                       WHERE episode NOT IN (SELECT uuid FROM episodes))""",
    "cause": f"""
        SELECT uuid AS key, {_WORDS} AS name, created_at AS date FROM facts WHERE ended_by IS NOT NULL
        AND ended_by NOT IN (SELECT uuid FROM facts) AND ended_by NOT IN (SELECT uuid FROM episodes)""",
    "episode": """
        SELECT uuid AS key, coalesce(nullif(name, ''), left(content, 80)) AS name, created_at AS date FROM episodes
        WHERE len(entity_uuids) = 0 AND uuid NOT IN (SELECT unnest(episodes) FROM facts)
        AND uuid NOT IN (SELECT ended_by FROM facts WHERE ended_by IS NOT NULL)
        AND uuid NOT IN (SELECT episode_uuid FROM documents) AND source_description NOT LIKE '% document'
        AND source_description NOT IN (SELECT path FROM documents WHERE path <> '')""",
    "mention": """
        SELECT DISTINCT episodes.uuid AS key, coalesce(nullif(episodes.name, ''), left(content, 80)) AS name,
               episodes.created_at AS date
        FROM episodes JOIN (
            SELECT source_uuid, target_uuid, unnest(facts.episodes) AS episode FROM facts) AS told
        ON told.episode = episodes.uuid
        WHERE NOT list_contains(entity_uuids, source_uuid) OR NOT list_contains(entity_uuids, target_uuid)""",
    "backwards": f"""
        SELECT uuid AS key, {_WORDS} AS name, created_at AS date FROM facts
        WHERE {_CURRENT} AND coalesce(invalid_at, expired_at) <= valid_at""",
    "document": """
        SELECT id AS key, coalesce(nullif(title, ''), id) AS name, updated_at AS date FROM documents
        WHERE episode_uuid NOT IN (SELECT uuid FROM episodes)""",
    "section": """
        SELECT id AS key, coalesce(nullif(title, ''), id) AS name, updated_at AS date FROM documents
        WHERE id IN (SELECT document_id FROM chunks
                     WHERE section_id <> '' AND section_id NOT IN (SELECT id FROM sections))""",
}

_SOME = f"""
    SELECT key, name, epoch_us(date), count(*) OVER () FROM ({{found}})
    WHERE '{{kind}} ' || key {_NEW} ORDER BY date DESC NULLS LAST, key LIMIT $limit"""

_FUTURE = f"""
    SELECT key, name, epoch_us(date), count(*) OVER () FROM (
        SELECT 'RELATES_TO:' || uuid AS key, {_WORDS} AS name, greatest(created_at, expired_at, withdrawn_at) AS date
        FROM facts
        UNION ALL SELECT 'Entity:' || uuid, name, created_at FROM entities
        UNION ALL SELECT 'Episodic:' || uuid, coalesce(nullif(name, ''), left(content, 80)), created_at FROM episodes
        UNION ALL SELECT 'Document:' || id, coalesce(nullif(title, ''), id), greatest(created_at, updated_at)
        FROM documents)
    WHERE date > $now ORDER BY date, key LIMIT $limit"""

_NAMED = """
    SELECT uuid, name, types, coalesce(degree, 0) FROM entities LEFT JOIN degrees ON degrees.key = hash(uuid)
    ORDER BY uuid"""

_NEIGHBOURS = """
    WITH asked AS MATERIALIZED (SELECT unnest($uuids::VARCHAR[]) AS uuid)
    SELECT source_uuid, target_uuid FROM facts WHERE source_uuid IN (FROM asked)
    UNION ALL SELECT target_uuid, source_uuid FROM facts WHERE target_uuid IN (FROM asked)"""


class NamedEntity(NamedTuple):
    """An entity as far as it may be another one's double; `facts` counts those that it is in."""

    uuid: str
    name: str
    types: list[str]
    facts: int


def same_facts(mirror: Reads, limit: int, dismissed: Sequence[str] = ()) -> FindingPage[SameFact]:
    """Current facts with the same ends, relation and times, the newest double first."""
    with mirror._database.read() as cursor:
        found = rows(cursor, _SAME_FACTS, {"limit": limit, "dismissed": list(dismissed)})
        facts = by_id(cursor, [number for row in found for number in row[0]])
    items = tuple(SameFact(tuple(facts[number] for number in numbers)) for numbers, *_ in found)
    return FindingPage(items, found[0][1] if found else 0)


def orphans(mirror: Reads, limit: int, dismissed: Sequence[str] = ()) -> FindingPage[Entity]:
    """Entities that are in no fact and that no source mentions, newest first."""
    found = mirror._rows(_ORPHANS, {"limit": limit, "dismissed": list(dismissed)})
    return FindingPage(tuple(ENTITIES.read(row[:-1]) for row in found), found[0][-1] if found else 0)


def undated_facts(mirror: Reads, at: Instants, limit: int, dismissed: Sequence[str] = ()) -> FindingPage[Fact]:
    """Facts that are recorded and not ended, but have no start; newest first."""
    asked = {"t": at.as_of, "k": at.known_at, "limit": limit, "dismissed": list(dismissed)}
    with mirror._database.read() as cursor:
        found = rows(cursor, _UNDATED, asked)
        facts = by_id(cursor, [number for number, _ in found])
    return FindingPage(tuple(facts[number] for number, _ in found), found[0][1] if found else 0)


def residues(mirror: Reads, kind: ResidueKind, limit: int, dismissed: Sequence[str] = ()) -> FindingPage[Residue]:
    """Records of one kind that refer to nothing, or that nothing refers to, newest first.

    An earlier text of a document is none, nor is one that may be.
    """
    asked = {"limit": limit, "dismissed": list(dismissed)}
    found = mirror._rows(_SOME.format(found=_RESIDUES[kind], kind=kind), asked)
    items = tuple(Residue(kind, key, name, read_instant(date)) for key, name, date, _ in found)
    return FindingPage(items, found[0][-1] if found else 0)


def future_records(mirror: Reads, now: datetime, limit: int | None = None) -> FindingPage[FutureRecord]:
    """Records that by their own word were made, or retired, after `now`, in the order of that."""
    found = mirror._rows(_FUTURE, {"now": now, "limit": limit})
    items = (FutureRecord(key, name, when) for key, name, at, _ in found if (when := read_instant(at)))
    return FindingPage(tuple(items), found[0][-1] if found else 0)


def named_entities(mirror: Reads) -> list[NamedEntity]:
    """Every entity with its name, its types and how many facts it is in."""
    return [NamedEntity(*row) for row in mirror._rows(_NAMED)]


def neighbours(mirror: Reads, uuids: Sequence[str]) -> dict[str, set[str]]:
    """The entities that these have a fact with, whatever its times."""
    found: dict[str, set[str]] = {}
    for one, other in mirror._rows(_NEIGHBOURS, {"uuids": list(uuids)}):
        found.setdefault(one, set()).add(other)
    return found
