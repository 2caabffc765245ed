"""The sources of a graph, listed: documents, and the episodes that are no document's text."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from services.core.models import Document, Episode
from services.core.source_records import Source, SourceOrder, SourcePage, SourcesAsked, Unfinished
from services.mirror.reads import Reads
from services.mirror.record_tables import DOCUMENTS, EPISODES, read_instant

Likeness = Literal["title", "id", "path", "any"]
_ALIKE: Mapping[Likeness, str] = {
    "title": "left_over.name = changed.title",
    "id": "left_over.name = changed.id",
    "path": "left_over.source_description = changed.path",
    "any": "true",
}

_CANDIDATES = f"""
    WITH changed AS (SELECT rowid AS document, * FROM documents WHERE created_at < updated_at),
    left_over AS MATERIALIZED (
        SELECT rowid AS episode, name, source_description, created_at FROM episodes
        WHERE uuid NOT IN (SELECT episode_uuid FROM documents) AND uuid NOT IN (SELECT unnest($known::VARCHAR[]))
        AND (source_description LIKE '% document' OR source_description IN (SELECT path FROM documents))),
    pairs AS MATERIALIZED (
        SELECT document, episode FROM changed JOIN left_over
        ON left_over.created_at >= changed.created_at AND left_over.created_at < changed.updated_at AND {{alike}}
        WHERE source_description = path OR source_description LIKE '% document' LIMIT $limit)
    SELECT {DOCUMENTS.columns("documents.")}, {EPISODES.columns("episodes.")} FROM pairs
    JOIN documents ON documents.rowid = document JOIN episodes ON episodes.rowid = episode"""

_SOURCES = """
    WITH told AS MATERIALIZED (
        SELECT episode_uuid AS episode, id AS key FROM documents
        UNION ALL SELECT unnest($earlier::VARCHAR[]), unnest($earlier_of::VARCHAR[])),
    items AS (
        SELECT unnest($place::BIGINT[]) AS place, unnest($item::VARCHAR[]) AS item, unnest($about::VARCHAR[]) AS about,
               unnest($item_kind::VARCHAR[]) AS kind, unnest($item_title::VARCHAR[]) AS title,
               unnest($item_state::VARCHAR[]) AS state, unnest($item_at::TIMESTAMPTZ[]) AS ended),
    waiting AS MATERIALIZED (
        SELECT items.*, coalesce(documents.id, item) AS key, documents.id IS NULL AS alone
        FROM items LEFT JOIN documents ON documents.id = about),
    cited AS MATERIALIZED (
        SELECT coalesce(told.key, one.episode) AS key, count(DISTINCT one.uuid) AS facts
        FROM (SELECT uuid, unnest(episodes) AS episode FROM facts) AS one LEFT JOIN told ON told.episode = one.episode
        GROUP BY 1),
    listed AS (
        SELECT 'document' AS holds, id AS key, if(thread = '', 'document', 'message') AS kind,
               coalesce(nullif(title, ''), id) AS title, reference_time AS date,
               coalesce(updated_at, created_at) AS recorded_at, chunk_count AS chunks, tags, episode_uuid AS episode
        FROM documents
        UNION ALL
        SELECT 'episode', uuid, if(source = 'message', 'message', 'episode'),
               coalesce(nullif(name, ''), left(content, 80)), valid_at, created_at, 0, [], uuid
        FROM episodes WHERE uuid NOT IN (SELECT episode FROM told)
        UNION ALL
        SELECT 'item', item, kind, title, NULL, ended, 0, [], NULL
        FROM waiting WHERE alone),
    known AS (
        SELECT listed.*, coalesce(cited.facts, 0) AS facts, waiting.place,
               coalesce(waiting.state, if(coalesce(cited.facts, 0) > 0, 'facts read', 'read')) AS state
        FROM listed LEFT JOIN cited ON cited.key = listed.key
        LEFT JOIN waiting ON waiting.key = listed.key),
    asked AS MATERIALIZED (
        SELECT known.* FROM known {texts}
        WHERE ($kind IS NULL OR known.kind = $kind) AND ($state IS NULL OR known.state = $state) {words}),
    page AS MATERIALIZED (SELECT *, count(*) OVER () AS total FROM asked ORDER BY {order} LIMIT $limit OFFSET $offset),
    held AS (
        SELECT page.key, episodes.uuid, episodes.entity_uuids FROM page
        LEFT JOIN told ON told.key = page.key AND page.holds = 'document'
        JOIN episodes ON episodes.uuid = coalesce(told.episode, page.episode)),
    versions AS (SELECT key, count(DISTINCT uuid) AS versions FROM held GROUP BY 1),
    mentioned AS (
        SELECT key, count(DISTINCT entity) AS entities
        FROM (SELECT key, unnest(entity_uuids) AS entity FROM held) GROUP BY 1)
    SELECT page.holds, key, page.kind, page.title, epoch_us(page.date), epoch_us(page.recorded_at), page.chunks,
           page.tags, page.facts, page.place, page.state, coalesce(versions, 1), coalesce(entities, 0), page.total
    FROM page LEFT JOIN versions USING (key) LEFT JOIN mentioned USING (key) ORDER BY {order}"""

_ORDERS: Mapping[SourceOrder, str] = {
    "recorded": "recorded_at DESC NULLS LAST, lower(title), key",
    "newest": "date DESC NULLS LAST, lower(title), key",
    "oldest": "date NULLS LAST, lower(title), key",
    "title": "lower(title), key",
}

_TEXTS = "LEFT JOIN episodes ON episodes.uuid = known.episode"
_WORD = """
    AND (contains(strip_accents(lower(known.title)), strip_accents($w{n})) OR contains(lower(content), $w{n})
         OR len(list_filter(tags, lambda tag: contains(strip_accents(lower(tag)), strip_accents($w{n})))) > 0)"""

_TOTAL = """
    SELECT (SELECT count(*) FROM documents)
         + (SELECT count(*) FROM episodes WHERE uuid NOT IN (SELECT episode_uuid FROM documents))"""


def possible_earlier_texts(
    mirror: Reads, alike: Likeness, known: Sequence[str], limit: int
) -> list[tuple[Document, Episode]]:
    """Episodes that may have been an earlier text of a document, each with it, `limit` of them.

    `alike` is what the two have in common; those `known` are left out.
    """
    sql = _CANDIDATES.format(alike=_ALIKE[alike])
    width = len(DOCUMENTS.schema)
    found = mirror._rows(sql, {"known": list(known), "limit": limit})
    return [(DOCUMENTS.read(row[:width]), EPISODES.read(row[width:])) for row in found]


def sources(
    mirror: Reads, asked: SourcesAsked, earlier: Mapping[str, str], unfinished: Sequence[Unfinished]
) -> SourcePage:
    """The sources asked for. `earlier` are the uuids of earlier texts with their document's id; `unfinished` are at
    most one item for each document."""
    words = {f"w{n}": word.lower() for n, word in enumerate(asked.words)}
    sql = _SOURCES.format(
        texts=_TEXTS if words else "",
        words="".join(_WORD.format(n=n) for n in range(len(words))),
        order=_ORDERS[asked.order],
    )
    parameters = {
        "earlier": list(earlier),
        "earlier_of": list(earlier.values()),
        "kind": asked.kind,
        "state": asked.state,
        "limit": asked.limit,
        "offset": asked.offset,
        "place": list(range(len(unfinished))),
        "item": [one.item_id for one in unfinished],
        "about": [one.document_id for one in unfinished],
        "item_kind": [one.kind for one in unfinished],
        "item_title": [one.title for one in unfinished],
        "item_state": [one.state for one in unfinished],
        "item_at": [one.at for one in unfinished],
        **words,
    }
    found = mirror._rows(sql, parameters)
    return SourcePage(tuple(_source(row, unfinished) for row in found), found[0][-1] if found else 0)


def has_sources(mirror: Reads) -> bool:
    """True where the graph was fed from anything that is known."""
    return bool(mirror._rows(_TOTAL)[0][0])


def _source(row: Sequence[Any], unfinished: Sequence[Unfinished]) -> Source:
    holds, key, kind, title, date, recorded, chunks, tags, facts, place, state, versions, entities, _ = row
    return Source(
        key,
        holds,
        kind,
        state,
        title,
        read_instant(date),
        read_instant(recorded),
        versions,
        chunks,
        facts,
        entities,
        tuple(tags),
        None if place is None else unfinished[place],
    )
