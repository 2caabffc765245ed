"""Takes in documents: their text as an episode, their structure into graph and mirror, their vectors into the mirror.

What is there already as it stands changes nothing. A changed document's chunks take the place of the old ones, and the
episode of the old version stays. Documents go in by batches: when it is stopped, what is in is whole.
"""

import hashlib
import threading
import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import batched
from pathlib import PurePath

from services import clock
from services.bootstrap import Services
from services.bulk import bulk_work
from services.errors import BadInput, Cancelled
from services.graph.store import check_workspace
from services.ingestion.importer import Progress, nobody
from services.ingestion.locks import only_writer
from services.ingestion.readers.endings import Format
from services.ingestion.readers.formats import format_of, readable, title_of
from services.ingestion.readers.structure import structured
from services.mirror.mirror import Mirror
from services.models import Document, Episode, GraphWrite, StructuredDocument
from services.retrieval.catalog import items_of
from services.retrieval.embedding import embed_texts
from services.retrieval.items import text_key

BATCH = 256
_EPISODES = uuid.UUID("7d0d9c1e-7c5b-4f0a-9a4b-6f1f6b6d3a10")


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A text to take in. `id` names it in its workspace; without a `format` its path, then its text tell that."""

    id: str
    text: str
    title: str = ""
    format: Format | None = None
    path: str = ""
    reference_time: datetime | None = None
    thread: str = ""


@dataclass(frozen=True, slots=True)
class Ingested:
    """What was taken in: documents by what happened to them, and the chunks that went in."""

    new: int
    changed: int
    unchanged: int
    chunk_ids: frozenset[str]


def ingest_documents(
    services: Services,
    workspace: str,
    documents: Sequence[NewDocument],
    *,
    progress: Progress = nobody,
    cancel: threading.Event | None = None,
) -> Ingested:
    """Take in documents; of several with one id the last counts.

    Raises `BadInput` for one that cannot be taken, before anything is in, and `Cancelled` between batches once
    `cancel` is set.
    """
    check_workspace(workspace)
    for number, document in enumerate(documents, 1):
        _check(number, document)
    stop = cancel or threading.Event()
    with only_writer(services.accounts, workspace, stop), bulk_work():
        services.mirrors.sync(workspace)
        mirror = services.mirrors.of(workspace)
        known = {document.id: document for document in mirror.documents()}
        fresh = [one for one in _read({d.id: d for d in documents}.values(), known.values())
                 if one.record.content_hash != _hash_of(known.get(one.record.id))]  # fmt: skip
        progress(0, len(fresh))
        chunk_ids, done = set[str](), 0
        for batch in batched(fresh, BATCH):
            if stop.is_set():
                raise Cancelled("It was stopped.", f"{done:,} documents are in, each of them whole.")
            chunk_ids |= _take_in(services, workspace, mirror, batch, known)
            done += len(batch)
            progress(done, len(fresh))
    changed = sum(one.record.id in known for one in fresh)
    unchanged = len({document.id for document in documents}) - len(fresh)
    return Ingested(len(fresh) - changed, changed, unchanged, frozenset(chunk_ids))


@dataclass(frozen=True, slots=True)
class _Read:
    """A document's record and its readable text."""

    record: Document
    text: str


def _check(number: int, document: NewDocument) -> None:
    if not document.id.strip() or "\0" in document.id:
        raise BadInput(f"Document {number} has no id that can be used.", "Give it one, without the character NUL.")


def _hash_of(document: Document | None) -> str | None:
    return None if document is None else document.content_hash


def _read(documents: Iterable[NewDocument], known: Iterable[Document]) -> Iterator[_Read]:
    """Records of documents; those of a thread are numbered on from the ones that it has."""
    positions, last = dict[str, int](), defaultdict[str, int](int)
    for held in known:
        positions[held.id] = held.position
        last[held.thread] = max(last[held.thread], held.position + 1)
    for document in documents:
        given = document.format or format_of(document.path, document.text)
        text, format = readable(document.text.replace("\0", ""), given)
        position = positions.get(document.id, last[document.thread]) if document.thread else 0
        last[document.thread] = max(last[document.thread], position + 1)
        title = document.title or title_of(document.text, given)
        record = Document(
            document.id, title, "", "", document.path, _directory(document.path), format, document.thread, position,
            reference_time=document.reference_time,
        )  # fmt: skip
        yield _Read(replace(record, content_hash=_digest(record, text)), text)


def _directory(path: str) -> str:
    return PurePath(path).parent.name if path else ""


def _digest(record: Document, text: str) -> str:
    """What tells versions apart."""
    when = "" if record.reference_time is None else clock.spell(record.reference_time)
    told = "\0".join((record.title, record.format, record.path, record.thread, when, text))
    return hashlib.blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _take_in(
    services: Services, workspace: str, mirror: Mirror, batch: Sequence[_Read], known: dict[str, Document]
) -> set[str]:
    """Put one batch into graph and mirror; returns its chunks' ids."""
    now = clock.now()
    whole = [structured(_dated(workspace, one.record, known.get(one.record.id), now), one.text) for one in batch]
    embedder = services.indexes.embedder
    texts = [text for document in whole for item in items_of(document) for text in item.embedded]
    embed_texts(mirror, embedder, [*texts, *(s.name for d in whole for s in d.sections), *_bodies(whole)])
    episodes = tuple(_episode(d.document, one.text) for d, one in zip(whole, batch, strict=True))
    services.bridge.run(services.graph.write(workspace, GraphWrite(episodes=episodes)), timeout=None)
    embeddings = _embeddings(mirror, whole, embedder.dimension)
    services.bridge.run(services.graph.documents.write(workspace, whole, embeddings), timeout=None)
    services.mirrors.written(workspace, GraphWrite(episodes=episodes), documents=whole)
    return {chunk.id for document in whole for chunk in document.chunks}


def _dated(workspace: str, record: Document, held: Document | None, now: datetime) -> Document:
    episode = uuid.uuid5(_EPISODES, "\0".join((workspace, record.id, record.content_hash)))
    created = held.created_at if held else now
    return replace(record, episode_uuid=str(episode), created_at=created, updated_at=now)


def _episode(document: Document, text: str) -> Episode:
    source = "message" if document.thread else "text"
    told = document.path or f"{document.format} document"
    return Episode(document.episode_uuid, document.title or document.id, text, source, told,
                   document.reference_time or document.updated_at, document.updated_at)  # fmt: skip


def _bodies(documents: Iterable[StructuredDocument]) -> Iterator[str]:
    return (chunk.text for document in documents for chunk in document.chunks)


def _embeddings(mirror: Mirror, documents: Sequence[StructuredDocument], dimension: int) -> dict[str, list[float]]:
    """What the graph gets: for a section its heading's vector, for a chunk its text's."""
    texts = {section.id: section.name for document in documents for section in document.sections}
    texts |= {chunk.id: chunk.text for document in documents for chunk in document.chunks}
    vectors, there = mirror.vectors.of([text_key(text) for text in texts.values()], dimension)
    return {id: row.tolist() for id, row, known in zip(texts, vectors, there, strict=True) if known}
