"""Takes in documents: their text as an episode, their structure into graph and mirror, their vectors into the mirror.

What is there already as it stands changes nothing. A changed document's chunks take the place of the old ones, and the
episode of the old version stays. Documents go in by batches: when it is stopped, what is in is whole.
"""

import threading
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
from services.ingestion.versions import content_hash, episode_uuid, source_description
from services.mirror.mirror import Mirror
from services.mirror.vectors import VectorModel
from services.models import Document, Episode, GraphWrite, StructuredDocument
from services.retrieval.catalog import items_of
from services.retrieval.embedder import model_of
from services.retrieval.embedding import embed_texts
from services.retrieval.items import text_key

BATCH = 256


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
    """What was taken in: documents by what happened to them, and the chunks that went in.

    `problems` are the ids of those that cannot be read, each with the reason; they are left out.
    """

    new: int
    changed: int
    unchanged: int
    chunk_ids: frozenset[str]
    problems: tuple[tuple[str, str], ...] = ()


def ingest_documents(
    services: Services,
    workspace: str,
    documents: Sequence[NewDocument],
    *,
    progress: Progress = nobody,
    cancel: threading.Event | None = None,
) -> Ingested:
    """Take in documents; of several with one id the last counts, and one that cannot be read is left out.

    Raises `BadInput` for an id that cannot be used, before anything is in, and `Cancelled` once `cancel` is set.
    """
    check_workspace(workspace)
    for document in documents:
        check_id(document.id)
    stop = cancel or threading.Event()
    with only_writer(services.accounts, workspace, stop), bulk_work():
        services.mirrors.sync(workspace)
        mirror = services.mirrors.of(workspace)
        known = {document.id: document for document in mirror.documents()}
        problems: list[tuple[str, str]] = []
        read = list(_read({d.id: d for d in documents}.values(), known.values(), problems))
        fresh = [one for one in read if one.record.content_hash != _hash_of(known.get(one.record.id))]
        progress(0, len(fresh))
        chunk_ids, done = set[str](), 0
        for batch in batched(fresh, BATCH):
            if stop.is_set():
                raise Cancelled("It was stopped.", f"{done:,} documents are in, each of them whole.")
            chunk_ids |= _take_in(services, workspace, mirror, batch, known, stop)
            done += len(batch)
            progress(done, len(fresh))
    changed = sum(one.record.id in known for one in fresh)
    unchanged = len(read) - len(fresh)
    return Ingested(len(fresh) - changed, changed, unchanged, frozenset(chunk_ids), tuple(problems))


@dataclass(frozen=True, slots=True)
class _Read:
    """A document's record and its readable text."""

    record: Document
    text: str


def check_id(id: str) -> None:
    """Raise `BadInput` for what cannot name a document."""
    if not id.strip() or id != _clean(id):
        raise BadInput("id: it is empty, or holds NUL or half a character.", "Give the document another.")


def _clean(text: str) -> str:
    """The text without what no database takes: NUL, and halves of characters."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def _hash_of(document: Document | None) -> str | None:
    return None if document is None else document.content_hash


def _read(
    documents: Iterable[NewDocument], known: Iterable[Document], problems: list[tuple[str, str]]
) -> Iterator[_Read]:
    """Records of documents; those of a thread are numbered on from the ones that it has.

    What cannot be read goes to `problems`.
    """
    positions, last = dict[tuple[str, str], int](), defaultdict[str, int](int)
    for held in known:
        positions[held.thread, held.id] = held.position
        last[held.thread] = max(last[held.thread], held.position + 1)
    for document in documents:
        try:
            read = _record(document)
        except BadInput as error:
            problems.append((document.id, str(error)))
            continue
        thread, record = read.record.thread, read.record
        position = positions.get((thread, record.id), last[thread]) if thread else 0
        last[thread] = max(last[thread], position + 1)
        yield replace(read, record=replace(record, position=position))


def _record(document: NewDocument) -> _Read:
    """A document's record, of no thread's position yet. Raises `BadInput` when its text cannot be read."""
    raw, path = _clean(document.text), _clean(document.path)
    given = document.format or format_of(path, raw)
    text, format = readable(raw, given)
    title = _clean(document.title) or title_of(raw, given)
    record = Document(document.id, title, "", "", path, _directory(path), format, _clean(document.thread),
                      reference_time=document.reference_time)  # fmt: skip
    return _Read(replace(record, content_hash=content_hash(record, text)), text)


def _directory(path: str) -> str:
    return PurePath(path).parent.name if path else ""


def _take_in(
    services: Services, workspace: str, mirror: Mirror, batch: Sequence[_Read], known: dict[str, Document],
    cancel: threading.Event,
) -> set[str]:  # fmt: skip
    """Put one batch into graph and mirror; returns its chunks' ids."""
    now = clock.now()
    whole = [structured(_dated(workspace, one.record, known.get(one.record.id), now), one.text) for one in batch]
    embedder = services.indexes.embedder
    texts = [text for document in whole for item in items_of(document) for text in item.embedded]
    embed_texts(mirror, embedder, [*texts, *(s.name for d in whole for s in d.sections)], cancel=cancel)
    episodes = tuple(_episode(d.document, one.text) for d, one in zip(whole, batch, strict=True))
    services.bridge.run(services.graph.write(workspace, GraphWrite(episodes=episodes)), timeout=None)
    embeddings = _embeddings(mirror, whole, model_of(embedder))
    services.bridge.run(services.graph.documents.write(workspace, whole, embeddings), timeout=None)
    services.mirrors.written(workspace, GraphWrite(episodes=episodes), documents=whole)
    return {chunk.id for document in whole for chunk in document.chunks}


def _dated(workspace: str, record: Document, held: Document | None, now: datetime) -> Document:
    created = held.created_at if held else now
    return replace(record, episode_uuid=episode_uuid(workspace, record), created_at=created, updated_at=now)


def _episode(document: Document, text: str) -> Episode:
    source = "message" if document.thread else "text"
    title, when = document.title or document.id, document.reference_time or document.updated_at
    return Episode(document.episode_uuid, title, text, source, source_description(document), when, document.updated_at)


def _embeddings(mirror: Mirror, documents: Sequence[StructuredDocument], model: VectorModel) -> dict[str, list[float]]:
    """What the graph gets: for a section its heading's vector, for a chunk its text's."""
    texts = {section.id: section.name for document in documents for section in document.sections}
    texts |= {item.id: item.embedded[-1] for document in documents for item in items_of(document)}
    vectors, there = mirror.vectors.of([text_key(text) for text in texts.values()], model)
    return {id: row.tolist() for id, row, known in zip(texts, vectors, there, strict=True) if known}
