"""Takes in documents: their text as an episode, their structure into graph and mirror, their vectors into the mirror.

What is there already as it stands changes nothing, but that further tags are added to its own. A changed document's
chunks take the place of the old ones; its tags, and the episode of the old version, stay. Documents go in by batches:
when it is stopped, what is in is whole.
"""

import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import batched
from pathlib import PurePath

from services.context import OpenWorkspace
from services.core.change_records import Origin
from services.core.errors import BadInput, Cancelled
from services.core.models import Document, Episode, GraphWrite, StructuredDocument
from services.core.progress import Progress, nobody
from services.core.wording import counted
from services.documents.structure import structured
from services.documents.text_formats import format_of, readable, title_of
from services.documents.versions import NewDocument, content_hash, episode_uuid, source_description, title_for_unnamed
from services.graph.store import Embeddings, check_workspace
from services.mirror.mirror import Mirror
from services.mirror.vectors import VectorModel
from services.retrieval.catalog import items_of
from services.retrieval.embedder import embed_texts, model_of
from services.retrieval.items import text_key
from services.writing.change_sets import writing
from services.writing.edits import Edit
from services.writing.record_times import record_instant

BATCH = 256
TEXT = Origin("text")


@dataclass(frozen=True, slots=True)
class Ingested:
    """What was taken in: documents by what happened to them.

    `problems` are the ids of those that cannot be read, each with the reason; they are left out.
    """

    new: int
    changed: int
    unchanged: int
    problems: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedDocuments:
    """Documents made ready to be written: those that are new or changed with their parts, their vectors and the
    episodes of their text, as far as these are not in the graph already.

    `unchanged` are records of those that are in as they stand, `tags` of those that only get further tags, by id;
    `changed` counts those that take the place of an earlier version, `problems` are as `Ingested` has them.
    """

    documents: tuple[StructuredDocument, ...]
    embeddings: Embeddings
    episodes: tuple[Episode, ...]
    unchanged: tuple[Document, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def edit(self) -> Edit:
        """What writes them."""
        created = GraphWrite(episodes=self.episodes)
        return Edit(created=created, documents=self.documents, embeddings=self.embeddings, tags=self.tags)

    @property
    def episode_uuids(self) -> dict[str, str]:
        """The uuid of the episode that holds each document's text, by the document's id."""
        records = (*(whole.document for whole in self.documents), *self.unchanged)
        return {record.id: record.episode_uuid for record in records}


def ingest_documents(
    workspace: OpenWorkspace,
    documents: Sequence[NewDocument],
    *,
    title: str = "",
    origin: Origin = TEXT,
    progress: Progress = nobody,
    cancel: threading.Event | None = None,
) -> Ingested:
    """Take in documents; of several with one id the last counts, and one that cannot be read is left out.

    Each batch of them is a change-set. Raises `BadInput` for an id that cannot be used, before anything is in, and
    `Cancelled` once `cancel` is set.
    """
    check_all(workspace.name, documents)
    with writing(workspace, cancel) as writer:
        reading = _Reading(workspace, documents)
        progress(0, len(reading.fresh))
        done = 0
        for batch in batched(reading.fresh, BATCH):
            if writer.cancel.is_set():
                raise Cancelled("Ingestion stopped early.", f"Asof ingested {counted(done, 'document')} completely.")
            ready = reading.prepared(batch, writer.cancel)
            ids = tuple(whole.document.id for whole in ready.documents)
            writer.apply(
                ready.edit, title=title or title_for(ready.documents), origin=replace(origin, document_ids=ids)
            )
            done += len(batch)
            progress(done, len(reading.fresh))
    changed = sum(one.record.id in reading.known for one in reading.fresh)
    return Ingested(len(reading.fresh) - changed, changed, len(reading.unchanged), tuple(reading.problems))


def prepare_documents(
    workspace: OpenWorkspace, documents: Sequence[NewDocument], cancel: threading.Event | None = None
) -> PreparedDocuments:
    """Make documents ready to be written, without writing anything to the graph. For whoever holds the writer lock.

    Raises `BadInput` for an id that cannot be used, and `Cancelled` once `cancel` is set.
    """
    check_all(workspace.name, documents)
    reading = _Reading(workspace, documents)
    return replace(reading.prepared(reading.fresh, cancel or threading.Event()), tags=reading.tags)


def check_all(workspace: str, documents: Iterable[NewDocument]) -> None:
    """Raise `BadInput` for what cannot name a workspace or a document."""
    check_workspace(workspace)
    for document in documents:
        check_id(document.id)


def title_for(documents: Sequence[StructuredDocument]) -> str:
    """What the list of changes calls a batch of documents."""
    more = f" and {len(documents) - 1:,} more" if len(documents) > 1 else ""
    first = documents[0].document
    return f"{first.title or first.id}{more}"


class _Reading:
    """Documents against those that are there already."""

    def __init__(self, workspace: OpenWorkspace, documents: Sequence[NewDocument]) -> None:
        workspace.sync()
        self._workspace = workspace
        self._mirror = workspace.mirror
        self.known = self._mirror.documents_by_id(document.id for document in documents)
        threads = self._mirror.documents_of_threads({_clean(document.thread) for document in documents} - {""})
        self.problems: list[tuple[str, str]] = []
        given = {document.id: document for document in documents}.values()
        records = _read(given, threads, self.problems)
        read = [_with_tags_of(self.known.get(one.record.id), one) for one in records]
        hashes = {held.id: held.content_hash for held in self.known.values()}
        self.fresh = [one for one in read if one.record.content_hash != hashes.get(one.record.id)]
        fresh = {one.record.id for one in self.fresh}
        there = [one.record for one in read if one.record.id not in fresh]
        self.unchanged = [self.known[record.id] for record in there]
        self.tags = {one.id: one.tags for one in there if one.tags != self.known[one.id].tags}

    def prepared(self, batch: Sequence["_Read"], cancel: threading.Event) -> PreparedDocuments:
        """These with their parts and vectors."""
        workspace, mirror, known, now = self._workspace, self._mirror, self.known, record_instant(self._workspace)
        whole = [
            structured(_dated(workspace.name, one.record, known.get(one.record.id), now), one.text) for one in batch
        ]
        embedder = workspace.services.indexes.embedder
        texts = [text for document in whole for item in items_of(document) for text in item.embedded]
        embed_texts(mirror, embedder, [*texts, *(s.name for d in whole for s in d.sections)], cancel=cancel)
        episodes = [_episode(d.document, one.text) for d, one in zip(whole, batch, strict=True)]
        uuids = [episode.uuid for episode in episodes]
        there = {e.uuid for e in workspace.run(workspace.graph.episodes(workspace.name, uuids))}
        return PreparedDocuments(
            tuple(whole),
            _embeddings(mirror, whole, model_of(embedder)),
            tuple(episode for episode in episodes if episode.uuid not in there),
            tuple(self.unchanged),
            tuple(self.problems),
        )


@dataclass(frozen=True, slots=True)
class _Read:
    """A document's record and its readable text."""

    record: Document
    text: str


def check_id(id: str) -> None:
    """Raise `BadInput` for what cannot name a document."""
    if not id.strip() or id != _clean(id):
        raise BadInput(
            "id: must not be empty, and must not contain NUL or an incomplete character.",
            "Give the document another id.",
        )


def _clean(text: str) -> str:
    """The text without what no database takes: NUL, and halves of characters."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def _with_tags_of(held: Document | None, read: _Read) -> _Read:
    """A document with the tags that it has already, then those it is given."""
    tags = tuple(dict.fromkeys((*(held.tags if held else ()), *read.record.tags)))
    return replace(read, record=replace(read.record, tags=tags))


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
    title = _clean(document.title) or title_of(raw, given) or title_for_unnamed(document.id, text)
    record = Document(
        document.id,
        title,
        "",
        "",
        path,
        PurePath(path).parent.name,
        format,
        _clean(document.thread),
        reference_time=document.reference_time,
        tags=tuple(dict.fromkeys(filter(None, (_clean(t).strip() for t in document.tags)))),
    )
    return _Read(replace(record, content_hash=content_hash(record, text)), text)


def version_of(workspace: str, document: NewDocument) -> Document:
    """The record that a document would be taken in as, with its version's episode; of no thread's position yet.

    Raises `BadInput` when its text cannot be read.
    """
    record = _record(document).record
    return replace(record, episode_uuid=episode_uuid(workspace, record))


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
