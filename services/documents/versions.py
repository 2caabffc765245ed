"""The versions of a document: each has an episode, whose uuid is made of the document's id and all that it says.

So an episode tells for certain whether it is a version of a document, and no link between them need be stored.
"""

import hashlib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import product
from typing import get_args

from services.core import clock
from services.core.models import Document, Episode
from services.documents.file_types import Format

_EPISODES = uuid.UUID("7d0d9c1e-7c5b-4f0a-9a4b-6f1f6b6d3a10")
_PATHLESS = " document"
_UNNAMED = "text:"
_TITLE = 60


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
    tags: tuple[str, ...] = ()


def content_hash(record: Document, text: str) -> str:
    """What tells versions apart: a digest of what the document says, and of what it is called."""
    when = "" if record.reference_time is None else clock.spell(record.reference_time)
    parts = "\0".join((record.title, record.format, record.path, record.thread, when, text))
    return hashlib.blake2b(parts.encode(), digest_size=16).hexdigest()


def episode_uuid(workspace: str, record: Document) -> str:
    """The uuid of the episode that holds this version's text."""
    return str(uuid.uuid5(_EPISODES, "\0".join((workspace, record.id, record.content_hash))))


def source_description(record: Document) -> str:
    """What the episode says of its source: the path, or the format where there is none."""
    return record.path or f"{record.format}{_PATHLESS}"


def as_version(workspace: str, document: Document, episode: Episode) -> Document | None:
    """The document's record as it was when the episode was its text; None where it never was."""
    if episode.uuid == document.episode_uuid:
        return document
    for record in _could_be(document, episode):
        hashed = replace(record, content_hash=content_hash(record, episode.content), episode_uuid=episode.uuid)
        if episode_uuid(workspace, hashed) == episode.uuid:
            return hashed
    return None


def _could_be(document: Document, episode: Episode) -> Iterator[Document]:
    """The records that such an episode may have been written for; a title or a thread may have come later."""
    described, at = episode.source_description, episode.created_at
    formats = dict.fromkeys((document.format, *get_args(Format)))
    places = (
        [(described, format) for format in formats]
        if described == document.path
        else [("", described.removesuffix(_PATHLESS))]
    )
    titles = [episode.name, *([""] if episode.name == document.id else [])]
    threads = dict.fromkeys((document.thread, ""))
    dated = None if episode.valid_at == at else episode.valid_at
    for (path, format), title, thread in product(places, titles, threads):
        yield replace(
            document,
            title=title,
            path=path,
            directory=document.directory if path else "",
            format=format,
            thread=thread,
            reference_time=dated,
            updated_at=at,
        )


def text_id(text: str) -> str:
    """What names a text that has no name: the same text is the same document."""
    return _UNNAMED + hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()


def title_for_unnamed(id: str, text: str) -> str:
    """The title of a text that nobody named: its first words. Nothing for one that its id names."""
    if not id.startswith(_UNNAMED):
        return ""
    line = text.strip().partition("\n")[0].replace("\0", "").encode("utf-8", "replace").decode()
    line = " ".join(line.lstrip("#").split())
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1]}…"
