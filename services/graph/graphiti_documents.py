"""Documents in a graph database: written in batches that each are whole, and read by id.

A document is there when its Document node is, with the parts that are of the same version. A new version is created
beside the old one, its Document node last, and then the old one is deleted: whatever interrupts that, one of them is
there whole, and what was left behind goes with the next write of the same id. Nodes that were just created are joined
by the database's own ids, which are found at once whatever characters ours are made of.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from itertools import batched
from typing import Any

from services.core.models import Document, SectionType, SimilarChunks, StructuredDocument
from services.graph import cypher
from services.graph import document_records as records
from services.graph.dialect import Dialect, Row
from services.graph.document_records import Values
from services.graph.records import EMBEDDING
from services.graph.store import Embeddings, check_workspace

ROWS = 2_000
"""Nodes of one query; with their vectors that is some 20 MB on the way to FalkorDB."""

IDS = 500
"""Documents that are read at a time: each may have hundreds of parts."""

LONGEST_KEY = 1_000

Places = Mapping[tuple[str, str], int]
"""The database's own ids of sections by the document's id and the section's."""


class GraphDocuments:
    """A `DocumentStore` over whichever database a dialect speaks to.

    A link between chunks goes from the lesser id to the greater, whichever way it was given. Within this process
    nobody reads a document that is half written.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._db = dialect
        self._turn = asyncio.Lock()

    # -- reading

    async def all_documents(self, workspace: str) -> tuple[Document, ...]:
        """Every document, without its parts, by id."""
        rows = await self._db.read(workspace, f"{self._every(workspace, 'Document')} RETURN {records.DOCUMENT}")
        return tuple(await asyncio.to_thread(lambda: records.latest(map(records.document, rows))))

    async def scan(self, workspace: str, ids: Iterable[str]) -> AsyncIterator[tuple[StructuredDocument, ...]]:
        """The documents of those ids with their parts, in batches and in the order asked."""
        for asked in batched(dict.fromkeys(ids), IDS):
            async with self._turn:
                documents = await self.found(workspace, "Document", "id", asked, records.DOCUMENT)
                sections = await self.found(workspace, "Section", "document_id", asked, records.SECTION)
                chunks = await self.found(workspace, "Chunk", "document_id", asked, records.CHUNK)
            whole = await asyncio.to_thread(records.structured, documents, sections, chunks)
            if found := tuple(whole[key] for key in asked if key in whole):
                yield found

    async def similar(self, workspace: str) -> tuple[SimilarChunks, ...]:
        """Every link between chunks, by their ids."""
        linked = "MATCH (n)-[e:SEMANTICALLY_SIMILAR]->(m:Chunk)"
        where = f"WHERE {records.mark('m', 'Chunk')} AND e.similarity IS NOT NULL"
        query = f"{self._every(workspace, 'Chunk')} {linked} {where} RETURN n.id, m.id, e.similarity"
        rows = await self._db.read(workspace, query)
        return tuple(sorted(map(records.similar, rows), key=lambda pair: (pair.first, pair.second)))

    async def section_types(self, workspace: str) -> tuple[SectionType, ...]:
        """Every section type, by id."""
        members = f"OPTIONAL MATCH (s:Section)-[:INSTANCE_OF]->(n) WHERE {records.mark('s', 'Section')}"
        query = f"{self._every(workspace, 'SectionType')} {members} WITH n, collect(s.id) AS members"
        rows = await self._db.read(workspace, f"{query} RETURN {records.SECTION_TYPE}")
        return tuple(sorted(map(records.section_type, rows), key=lambda kind: kind.id))

    # -- documents

    async def write(self, workspace: str, documents: Sequence[StructuredDocument], embeddings: Embeddings) -> None:
        """Put in documents with their parts; those of the same ids are replaced whole.

        Raises `BadInput` for a workspace that cannot be named so.
        """
        check_workspace(workspace)
        for batch in _batches({whole.document.id: whole for whole in documents}.values()):
            async with self._turn:
                await self._db.ensure_indexes(workspace)
                ids = [whole.document.id for whole in batch]
                old = [
                    [row[0]] for label, key in NODES for row in await self.found(workspace, label, key, ids, "id(n)")
                ]
                places = await self._create_sections(workspace, batch, embeddings)
                await self._create_chunks(workspace, batch, embeddings, places)
                await self._create_documents(workspace, batch, places)
                await self.send(workspace, _GONE, old)

    async def _create_sections(
        self, workspace: str, batch: Sequence[StructuredDocument], embeddings: Embeddings
    ) -> Places:
        """Create the sections, each below its parent."""
        owned = [(whole.document, section) for whole in batch for section in whole.sections]
        values = (records.section_values(workspace, d, s, embeddings.get(s.id), self._db.date) for d, s in owned)
        made = await self._create(workspace, "Section", values)
        places = {(document.id, section.id): place for (document, section), place in zip(owned, made, strict=True)}
        steps = [(whole.document.id, step) for whole in batch for step in records.steps_down(whole.sections)]
        below = [(places[document, up], places[document, down]) for document, (up, down) in steps]
        await self._link(workspace, "PARENT_SECTION", below)
        return places

    async def _create_chunks(
        self, workspace: str, batch: Sequence[StructuredDocument], embeddings: Embeddings, sections: Places
    ) -> None:
        """Create the chunks, each in its section."""
        owned = [(whole.document, chunk) for whole in batch for chunk in whole.chunks]
        values = (records.chunk_values(workspace, d, c, embeddings.get(c.id), self._db.date) for d, c in owned)
        made = await self._create(workspace, "Chunk", values)
        homes = (sections.get((document.id, chunk.section_id)) for document, chunk in owned)
        inside = [(home, place) for home, place in zip(homes, made, strict=True) if home is not None]
        await self._link(workspace, "IN_SECTION", inside)

    async def _create_documents(self, workspace: str, batch: Sequence[StructuredDocument], sections: Places) -> None:
        """Create the documents, in one query with the links to their sections: none is there without them."""
        values = [records.document_values(workspace, whole.document, self._db.date) for whole in batch]
        parts = [[sections[whole.document.id, section.id] for section in whole.sections] for whole in batch]
        rows = [[own, *each.values()] for own, each in zip(parts, values, strict=True)]
        create = f"CREATE (n:Document {self._map(values[0])}) WITH n, row UNWIND row[0] AS place"
        await self.send(workspace, f"{create} MATCH (s) WHERE id(s) = place CREATE (n)-[:HAS_SECTION]->(s)", rows)

    # -- links between chunks

    async def write_similar(self, workspace: str, pairs: Sequence[SimilarChunks], *, only: bool = False) -> None:
        """Link chunks; a pair that is linked is updated, and one whose chunks are not there is left out.

        `only` deletes all other links.
        """
        check_workspace(workspace)
        if only:
            every = f"{self._every(workspace, 'Chunk')} MATCH (n)-[e:SEMANTICALLY_SIMILAR]->() DELETE e"
            await self._db.write(workspace, every)
        given = {(min(p.first, p.second), max(p.first, p.second)): p.similarity for p in pairs if p.first != p.second}
        if not given:
            return
        async with self._turn:
            await self._db.ensure_indexes(workspace)
            places = await self._places(workspace, "Chunk", {key for pair in given for key in pair})
            rows = [[places[a], places[b], alike] for (a, b), alike in given.items() if a in places and b in places]
            link = "MERGE (a)-[e:SEMANTICALLY_SIMILAR]->(b) SET e.similarity = row[2]"
            await self.send(workspace, f"{_ENDS} {link}", rows)

    # -- section types

    async def replace_section_types(self, workspace: str, types: Sequence[SectionType]) -> None:
        """Make these the workspace's section types, with INSTANCE_OF from their sections, and no others."""
        check_workspace(workspace)
        async with self._turn:
            await self._db.ensure_indexes(workspace)
            await self._db.write(workspace, f"{self._every(workspace, 'SectionType')} DETACH DELETE n")
            values = (records.type_values(workspace, kind, self._db.date) for kind in types)
            made = await self._create(workspace, "SectionType", values)
            sections = await self._places(workspace, "Section", {key for kind in types for key in kind.section_ids})
            members = [
                (sections[key], place)
                for kind, place in zip(types, made, strict=True)
                for key in kind.section_ids
                if key in sections
            ]
            await self._link(workspace, "INSTANCE_OF", members)

    # -- all of them

    def _every(self, workspace: str, label: str) -> str:
        """Cypher that finds all our nodes `n` of a label."""
        return f"MATCH {cypher.every_node(self._db, workspace, 'n', label)} WHERE {records.mark('n', label)}"

    def matches(self, workspace: str, label: str, key: str, ids: Iterable[str]) -> Iterator[tuple[str, Sequence[str]]]:
        """Cypher that finds our nodes `n` whose property `key` is one of `$keys`, and these, a part at a time.

        FalkorDB's index takes ids for the same that differ in control characters or in spaces at either end, and does
        not know very long ones. So what it finds is compared once more, and odd ids are looked for without it.
        """
        asked = list(ids)
        plain, odd = [one for one in asked if _indexed(one)], [one for one in asked if not _indexed(one)]
        by_index = f"MATCH {cypher.node(self._db, 'n', label, f'{key}: key')} WHERE toStringOrNull(n.{key}) = key"
        for part in batched(plain, IDS):
            yield f"UNWIND $keys AS key {by_index} AND {records.mark('n', label)}", part
        for part in batched(odd, IDS):
            yield f"{self._every(workspace, label)} AND toStringOrNull(n.{key}) IN $keys", part

    async def found(self, workspace: str, label: str, key: str, ids: Iterable[str], columns: str) -> list[Row]:
        """`columns` of our nodes `n` of a label whose property `key` is one of `ids`."""
        found: list[Row] = []
        for match, keys in self.matches(workspace, label, key, ids):
            found += await self._db.read(workspace, f"{match} RETURN {columns}", keys=keys)
        return found

    async def _places(self, workspace: str, label: str, ids: Iterable[str]) -> dict[str, int]:
        """The database's own ids by ours; unknown ones are left out."""
        return {row[0]: row[1] for row in await self.found(workspace, label, "id", ids, "n.id, id(n)")}

    async def _create(self, workspace: str, label: str, values: Iterable[Values]) -> list[int]:
        """Create a node of each; the database's own ids, in the same order."""
        each = await asyncio.to_thread(list, values)
        if not each:
            return []
        rows = [[number, *one.values()] for number, one in enumerate(each)]
        create = f"CREATE (n:{label} {self._map(each[0])}) RETURN row[0], id(n)"
        made = {row[0]: row[1] for row in await self.send(workspace, create, rows)}
        return [made[number] for number in range(len(rows))]

    def _map(self, values: Values) -> str:
        """The properties of a node, from the second item of a row on."""
        items = ((name, f"row[{i}]") for i, name in enumerate(values, 1))
        return f"{{{', '.join(f'{k}: {self._db.vector(v) if k == EMBEDDING else v}' for k, v in items)}}}"

    async def _link(self, workspace: str, relation: str, pairs: Iterable[Sequence[int]]) -> None:
        """Join nodes by the database's own ids."""
        await self.send(workspace, f"{_ENDS} CREATE (a)-[:{relation}]->(b)", list(pairs))

    async def send(self, workspace: str, text: str, rows: Sequence[Sequence[Any]]) -> list[Row]:
        """The rows of the query for every `row`; packed on a thread, for vectors take long."""
        found: list[Row] = []
        for part in batched(rows, ROWS):
            packed = await asyncio.to_thread(self._db.packed, part)
            found += await self._db.write(workspace, f"UNWIND $rows AS row {text}", rows=packed)
        return found


NODES = (("Document", "id"), ("Section", "document_id"), ("Chunk", "document_id"))
"""What the nodes of documents, and what interrupted writes left of them, are found by."""
_GONE = "WITH row[0] AS x MATCH (n) WHERE id(n) = x DETACH DELETE n"
_ENDS = "WITH row, row[0] AS x, row[1] AS y MATCH (a) WHERE id(a) = x WITH row, a, y MATCH (b) WHERE id(b) = y"
"""FalkorDB seeks an own id that is a variable; for one that is an item of a list it would visit every node."""


def _indexed(key: str) -> bool:
    """True for an id that FalkorDB's index knows."""
    return 0 < len(key) <= LONGEST_KEY and key.isprintable() and key == key.strip()


def _batches(documents: Iterable[StructuredDocument]) -> Iterator[list[StructuredDocument]]:
    """Documents together until they make `ROWS` nodes; one that makes more goes alone."""
    batch: list[StructuredDocument] = []
    nodes = 0
    for whole in documents:
        size = 1 + len(whole.sections) + len(whole.chunks)
        if batch and nodes + size > ROWS:
            yield batch
            batch, nodes = [], 0
        batch.append(whole)
        nodes += size
    if batch:
        yield batch
