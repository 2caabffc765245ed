"""Entities for the finder: by name, title, former name or id, as somebody types."""

from dataclasses import dataclass

from services.core.models import Entity
from services.mirror.reads import Reads, rows
from services.mirror.record_tables import ENTITIES

_LONGEST_TITLE = 120

_FOLDED = "strip_accents(lower({}))"

# How well a spelling fits, best first: all of it, its start, the start of a word, any place, all words somewhere.
_CLASS = """CASE WHEN folded = asked THEN 0 WHEN starts_with(folded, asked) THEN 1
    WHEN contains(folded, ' ' || asked) THEN 2 WHEN contains(folded, asked) THEN 3
    WHEN len(words) > 1 AND len(list_filter(words, lambda word: contains(folded, word))) = len(words) THEN 4 END"""

_FOUND = f"""
    WITH asked AS (
        SELECT {_FOLDED.format("$text")} AS asked, string_split({_FOLDED.format("$text")}, ' ') AS words),
    spelled AS (
        SELECT uuid, 0 AS kind, '' AS also, {_FOLDED.format("name")} AS folded FROM entities UNION ALL
        SELECT uuid, 1, title, {_FOLDED.format("title")} FROM (
            SELECT uuid, trim(split_part(ltrim(summary), chr(10), 1)) AS title FROM entities)
            WHERE length(title) BETWEEN 1 AND {_LONGEST_TITLE} UNION ALL
        SELECT "into", 2, name, {_FOLDED.format("name")} FROM merged UNION ALL
        SELECT uuid, 3, uuid, lower(uuid) FROM entities WHERE lower(uuid) = lower($text) UNION ALL
        SELECT "into", 3, uuid, lower(uuid) FROM merged WHERE lower(uuid) = lower($text)),
    ranked AS (SELECT uuid, kind, also, {_CLASS} AS class FROM spelled, asked),
    best AS (
        SELECT uuid, kind, also, class FROM ranked WHERE class IS NOT NULL
        QUALIFY row_number() OVER (PARTITION BY uuid ORDER BY class, kind, also) = 1)
    SELECT kind, also, {ENTITIES.columns()} FROM best JOIN entities USING (uuid)
    LEFT JOIN degrees ON degrees.key = hash(uuid)
    ORDER BY class, kind, coalesce(degree, 0) DESC, length(name), name, uuid LIMIT $limit"""


@dataclass(frozen=True, slots=True)
class FoundEntity:
    """An entity of the finder; `former_name` or `id` is what was found of it, where that is neither name nor title."""

    entity: Entity
    former_name: str = ""
    id: str = ""


def find_named(mirror: Reads, text: str, limit: int = 8) -> tuple[FoundEntity, ...]:
    """Return the entities whose name, title, former name or id is like this text, best first."""
    asked = {"text": " ".join(text.split()), "limit": limit}
    if not asked["text"]:
        return ()
    with mirror._database.read() as cursor:
        return tuple(
            FoundEntity(ENTITIES.read(row), also if kind == 2 else "", also if kind == 3 else "")
            for kind, also, *row in rows(cursor, _FOUND, asked)
        )
