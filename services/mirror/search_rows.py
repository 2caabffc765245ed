"""Reads in bulk what a search index is made of, and which facts an index may return at two instants."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.core.models import Fact, Instants
from services.mirror.reads import Reads, in_list
from services.mirror.record_tables import FACTS

Keys = NDArray[np.uint64]
"""DuckDB's hashes of uuids stand for them where many are compared."""

Searched = Literal["chunk", "entity", "fact"]


class ChunkRow(NamedTuple):
    """A chunk with what surrounds it; a path spells headings from the top."""

    id: str
    signature: int
    document_id: str
    title: str
    thread: str
    section_id: str
    section_path: str
    place: int
    text: str


class FactRow(NamedTuple):
    """A fact as far as its words go."""

    uuid: str
    signature: int
    source_uuid: str
    target_uuid: str
    source: str
    relation: str
    target: str
    text: str


class EntityRow(NamedTuple):
    """An entity as far as its words go."""

    uuid: str
    signature: int
    name: str
    types: list[str]
    summary: str


class SectionRow(NamedTuple):
    """A section as far as its heading goes."""

    id: str
    document_id: str
    title: str
    name: str
    path: str


_CHUNKS = """
    FROM chunks JOIN documents ON documents.id = chunks.document_id
    LEFT JOIN sections ON sections.id = chunks.section_id LEFT JOIN around ON around.id = chunks.id"""

_AROUND = """
    WITH around AS (
        SELECT chunks.id, hash(lag(text, 2) OVER spoken, lag(text) OVER spoken, lead(text) OVER spoken,
                               lead(text, 2) OVER spoken) AS near
        FROM chunks JOIN documents ON documents.id = document_id WHERE thread <> ''
        WINDOW spoken AS (PARTITION BY thread ORDER BY position, document_id, index))"""
"""Hashes the two messages before and after each message of a thread."""

_SIGNATURES = {
    "chunk": "hash(text, title, thread, position, documents.id, section_id, sections.path, chunks.index, near)",
    "fact": "hash(text, source_uuid, relation, target_uuid, source, target)",
    "entity": "hash(name, types, summary)",
}
"""Hashes all that the rows below say of an item, and the messages around it."""

_READ = {
    "chunk": f"""
        {_AROUND} SELECT chunks.id, {_SIGNATURES["chunk"]}, chunks.document_id, title, thread, section_id,
        coalesce(sections.path, ''), chunks.index, text {_CHUNKS} WHERE {{asked}}
        ORDER BY thread, position, chunks.document_id, chunks.index""",
    "fact": f"""
        SELECT uuid, {_SIGNATURES["fact"]}, source_uuid, target_uuid, source, relation, target, text
        FROM facts WHERE {{asked}} ORDER BY uuid""",
    "entity": f"""
        SELECT uuid, {_SIGNATURES["entity"]}, name, types, summary FROM entities WHERE {{asked}} ORDER BY uuid""",
}
_IDS = {"chunk": "chunks.id", "fact": "uuid", "entity": "uuid"}

_SIGNED = {
    "chunk": f"{_AROUND} SELECT chunks.id AS id, {_SIGNATURES['chunk']} AS signature {_CHUNKS}",
    "fact": f"SELECT uuid AS id, {_SIGNATURES['fact']} AS signature FROM facts",
    "entity": f"SELECT uuid AS id, {_SIGNATURES['entity']} AS signature FROM entities",
}

_SECTIONS = """
    SELECT sections.id, document_id, title, name, sections.path FROM sections
    JOIN documents ON documents.id = document_id ORDER BY document_id, start_line, level"""

_CALLED = """
    SELECT uuid, list_has_any($asked::VARCHAR[], [bare, spelled, title]) FROM (
        SELECT uuid, strip_accents(lower(name)) AS bare, strip_accents(lower(split_part(summary, chr(10), 1))) AS title,
            strip_accents(replace(replace(replace(lower(name), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue')) AS spelled
        FROM entities WHERE NOT contains(name, '://'))
    WHERE len(list_filter($asked::VARCHAR[], lambda one: starts_with(title || ' ', one || ' ')
        OR contains(concat(' ', bare, ' ', spelled, ' '), concat(' ', one, ' ')))) > 0"""

_FACTS_ON = """
    WITH pairs AS (SELECT unnest($relations::VARCHAR[]) AS relation, unnest($entities::VARCHAR[]) AS entity)
    SELECT DISTINCT hash(uuid) AS key FROM facts JOIN pairs USING (relation)
    WHERE entity IN (source_uuid, target_uuid)"""

_ENTITIES_OF = """
    SELECT hash(uuid) AS key FROM entities WHERE ($k::TIMESTAMPTZ IS NULL OR created_at IS NULL OR created_at <= $k)
    AND (len($types::VARCHAR[]) = 0 OR list_has_any(types, $types::VARCHAR[]))"""

_CHUNKS_OF = """
    SELECT hash(chunks.id) AS key FROM chunks JOIN documents ON documents.id = chunks.document_id
    LEFT JOIN sections ON sections.id = chunks.section_id
    WHERE (len($documents::VARCHAR[]) = 0 OR documents.id IN (SELECT unnest($documents::VARCHAR[])))
    AND ($section = '' OR lower(sections.name) = lower($section))
    AND ($since::TIMESTAMPTZ IS NULL OR reference_time >= $since)
    AND ($until::TIMESTAMPTZ IS NULL OR reference_time < $until)
    AND ($k::TIMESTAMPTZ IS NULL OR documents.updated_at IS NULL OR documents.updated_at <= $k)"""


class SearchRows(Reads):
    """Reads everything that a search can find."""

    def chunks_by_section(self) -> dict[str, list[str]]:
        """Return the chunks that stand under each heading, in their order."""
        found = self._rows("SELECT section_id, list(id ORDER BY index) FROM chunks WHERE section_id <> '' GROUP BY 1")
        return dict(found)

    def signatures(self, kind: Searched) -> dict[str, int]:
        """Return a digest of what the rows below say of each item of a kind."""
        with self._database.read() as cursor:
            found = cursor.execute(_SIGNED[kind]).fetchnumpy()
        return dict(zip(found["id"].tolist(), found["signature"].tolist(), strict=True))

    def chunk_rows(self, ids: Sequence[str] | None = None) -> list[ChunkRow]:
        """Return every chunk, or those of `ids`, by thread, position in it, document and place in that."""
        return [ChunkRow(*row) for row in self._searched("chunk", ids)]

    def thread_rows(self, threads: Sequence[str]) -> list[ChunkRow]:
        """Return every chunk of these threads, in their order."""
        asked = "thread IN (SELECT unnest($threads::VARCHAR[]))"
        return [ChunkRow(*row) for row in self._rows(_READ["chunk"].format(asked=asked), {"threads": list(threads)})]

    def fact_rows(self, ids: Sequence[str] | None = None) -> list[FactRow]:
        """Return every fact, whatever its times, or those of `ids`."""
        return [FactRow(*row) for row in self._searched("fact", ids)]

    def entity_rows(self, ids: Sequence[str] | None = None) -> list[EntityRow]:
        """Return every entity, or those of `ids`."""
        return [EntityRow(*row) for row in self._searched("entity", ids)]

    def _searched(self, kind: Searched, ids: Sequence[str] | None) -> list[tuple[Any, ...]]:
        if ids is None:
            return self._rows(_READ[kind].format(asked="true"))
        asked = f"{_IDS[kind]} IN (SELECT unnest($ids::VARCHAR[]))"
        return self._rows(_READ[kind].format(asked=asked), {"ids": list(ids)})

    def section_rows(self) -> list[SectionRow]:
        """Return every section, by document and place in it."""
        return [SectionRow(*row) for row in self._rows(_SECTIONS)]

    def keys(self, uuids: Sequence[str]) -> Keys:
        """Return the key of each uuid, in their order."""
        sql = "SELECT hash(uuid) AS key FROM (SELECT unnest($uuids::VARCHAR[]) AS uuid)"
        return self._keys(sql, uuids=list(uuids))

    def keys_true(self, at: Instants) -> Keys:
        """Return the keys of the facts that are true at `at`."""
        return self._keys("SELECT hash(uuid) AS key FROM facts_true($t, $k)", t=at.as_of, k=at.known_at)

    def keys_true_or_undated(self, at: Instants) -> Keys:
        """Return the keys of the facts that are true at `at`, or that are open then and lack a start."""
        sql = "SELECT hash(uuid) AS key FROM facts_known($k) WHERE coalesce(valid_at <= $t, true) AND ends > $t"
        return self._keys(sql, t=at.as_of, k=at.known_at)

    def keys_recorded(self, known_at: datetime) -> Keys:
        """Return the keys of the facts that the graph knew by `known_at`, withdrawn since or not."""
        return self._keys("SELECT hash(uuid) AS key FROM facts WHERE recorded_from <= $k", k=known_at)

    def _keys(self, sql: str, **asked: Any) -> Keys:
        with self._database.read() as cursor:
            return np.asarray(cursor.execute(sql, asked).fetchnumpy()["key"], np.uint64)

    def keys_of_facts(self, relations: Sequence[str]) -> Keys:
        """Return the keys of the facts of these relations."""
        asked = "relation IN (SELECT unnest($relations::VARCHAR[]))"
        return self._keys(f"SELECT hash(uuid) AS key FROM facts WHERE {asked}", relations=list(relations))

    def keys_of_facts_on(self, pairs: Sequence[tuple[str, str]]) -> Keys:
        """The keys of the facts of these relations, each with an entity at either end."""
        relations, entities = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        return self._keys(_FACTS_ON, relations=relations, entities=entities)

    def entities_called(self, spellings: Iterable[str]) -> list[tuple[str, bool]]:
        """The entities whose name, or whose summary at its start, holds one of these spellings, without case and
        accents, by uuid; and whether it is all of the name, or of the summary's first line."""
        return [(str(uuid), bool(whole)) for uuid, whole in self._rows(_CALLED, {"asked": sorted(spellings)})]

    def keys_of_entities(self, types: Sequence[str], known_at: datetime | None) -> Keys:
        """The keys of the entities of one of these types, if any are given, that were recorded by `known_at`."""
        return self._keys(_ENTITIES_OF, types=list(types), k=known_at)

    def keys_of_chunks(
        self,
        documents: Sequence[str],
        section: str,
        since: datetime | None,
        until: datetime | None,
        known_at: datetime | None,
    ) -> Keys:
        """The keys of the chunks of these documents and of sections of that name, if given, by their documents' times:
        of a reference time from `since` until before `until`, of a version that was taken in by `known_at`.
        """
        asked = {"documents": list(documents), "section": section, "since": since, "until": until, "k": known_at}
        return self._keys(_CHUNKS_OF, **asked)

    def records_of(self, uuids: Sequence[str]) -> tuple[Fact, ...]:
        """Every fact with one of these uuids, which other programs may have given to several."""
        if not uuids:
            return ()
        with self._database.read() as cursor:
            found = in_list(cursor, f"SELECT {FACTS.columns()} FROM facts WHERE uuid IN", uuids, "ORDER BY created_at")
        return tuple(map(FACTS.read, found))
