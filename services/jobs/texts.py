"""What an item of a job holds, as a text that can be taken in: given as it is, or as a file to be read."""

import codecs
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any, cast

from services.accounts.jobs import item_id
from services.context import OpenWorkspace, Services
from services.core import clock
from services.core.errors import BadInput
from services.core.job_records import JobItem, NewItem
from services.documents.file_types import Format
from services.documents.read_file import read_file
from services.documents.read_text import MEGABYTE, MOST_FILES, ReadLimits, ReadText
from services.documents.text_formats import format_of, readable, title_of
from services.documents.versions import NewDocument, text_id, title_for_unnamed

EARLIER = 6
"""So many earlier messages of its thread go with a text, for whoever "she" is."""


@dataclass(frozen=True, slots=True)
class Text:
    """An item's document, with the text that people read, and what its file had beside it."""

    item: JobItem
    document: NewDocument
    notes: tuple[str, ...] = ()


def text_item(
    text: str,
    *,
    id: str = "",
    title: str = "",
    format: str = "",
    path: str = "",
    thread: str = "",
    reference_time: datetime | None = None,
    tags: Sequence[str] = (),
) -> NewItem:
    """An item of a text as it is."""
    key = id or path or text_id(text)
    payload = {
        "id": key,
        "title": title,
        "format": format,
        "path": path,
        "thread": thread,
        "text": text,
        "reference_time": clock.spell(reference_time) if reference_time else "",
        "tags": list(tags),
    }
    return NewItem(key, title or title_for_unnamed(key, text) or key, payload)


def file_item(
    name: str,
    digest: str,
    *,
    id: str = "",
    path: str = "",
    reference_time: datetime | None = None,
    tags: Sequence[str] = (),
) -> NewItem:
    """An item of a file that `services.jobs.put_upload` keeps."""
    key = id or path or name
    payload = {"id": key, "name": name, "path": path or name, "upload": digest, "tags": list(tags)}
    return NewItem(key, name, payload | ({"reference_time": clock.spell(reference_time)} if reference_time else {}))


def file_items(services: Services, files: Sequence[tuple[str, bytes]]) -> list[NewItem]:
    """Items of files that are given together, by name and content, which are kept until they are read.

    Of files of one name that differ each becomes a document of its own. Raises `BadInput` for more files than
    `MOST_FILES`, and for one that is too large, before any is kept.
    """
    if len(files) > MOST_FILES:
        raise BadInput(
            f"You chose {len(files):,} files; the limit is {MOST_FILES} at a time.",
            "Add the files in several batches.",
        )
    most = services.settings.max_file_mb
    for name, content in files:
        if len(content) > most * MEGABYTE:
            raise BadInput(f"{name} is larger than {most} MB.", "Leave out this file, or raise ASOF_MAX_FILE_MB.")
    found = dict[str, NewItem]()
    for name, content in files:
        digest, id, number = services.accounts.uploads.put(content), name, 1
        while id in found and found[id].payload["upload"] != digest:
            number += 1
            id = f"{name} ({number})"
        found[id] = replace(file_item(name, digest, id=id), title=id)
    return list(found.values())


def read_item(workspace: OpenWorkspace, item: JobItem) -> tuple[Text, tuple[NewItem, ...]]:
    """The text of an item, and what is attached to it as further items. Raises `BadInput` where it cannot be read."""
    payload, limits = item.payload, ReadLimits.up_to(workspace.settings.max_file_mb)
    if payload.get("text") is not None:
        document = _document(payload, str(payload["text"]), str(payload.get("title") or ""))
        return Text(item, _readable(document, limits)), ()
    name = str(payload.get("name") or item.title)
    content = workspace.accounts.uploads.get(str(payload.get("upload") or ""))
    read = read_file(name, content, limits=limits)
    given = {"format": read.format, **{k: v for k, v in payload.items() if v}}
    document = _document(given, read.text, str(payload.get("title") or read.title), read.reference_time)
    return Text(item, _readable(document, limits), read.notes), tuple(_attached(item, document, read.parts))


def _document(payload: Mapping[str, Any], text: str, title: str, dated: datetime | None = None) -> NewDocument:
    path = str(payload.get("path") or "")
    given = payload.get("reference_time")
    return NewDocument(
        str(payload.get("id") or path or text_id(text)),
        text,
        title,
        cast("Format | None", payload.get("format") or None),
        path,
        dated or (clock.parse_instant(given) if given else None),
        str(payload.get("thread") or ""),
        tuple(map(str, payload.get("tags") or ())),
    )


def _readable(document: NewDocument, limits: ReadLimits) -> NewDocument:
    """The document with the text that is kept as its source. Raises `BadInput` for one without any."""
    given = document.format or format_of(document.path, document.text)
    raw = document.text.replace("\0", "").encode("utf-8", "replace")
    if given == "html":  # read as a file is: its converter can be made to take any amount of memory
        read = read_file("text.html", codecs.BOM_UTF8 + raw, limits=limits)
        text, format, title = read.text, read.format, read.title
    else:
        text, format = readable(raw.decode(), given)
        title = title_of(document.text, given)
    if not text.strip():
        raise BadInput("This document contains no text.", "Choose another file, or paste the text.")
    return replace(document, text=text, format=format, title=document.title or title)


def _attached(item: JobItem, document: NewDocument, parts: Iterable[ReadText], above: str = "") -> Iterable[NewItem]:
    """What is attached to a message, each a document of its own."""
    for number, part in enumerate(parts, 1):
        place = f"{above}{number}"
        added = text_item(
            part.text,
            id=f"{document.id}#{place} {part.name}",
            title=part.title or part.name,
            format=part.format,
            path=f"{document.path or document.id}/{part.name}",
            tags=item.payload.get("tags") or (),
            reference_time=part.reference_time or document.reference_time,
        )
        yield added
        yield from _attached(item, document, part.parts, f"{place}.")


def messages_before(workspace: OpenWorkspace, texts: Sequence[Text]) -> dict[str, list[str]]:
    """For each message of a thread, by the id of its document: the messages before it, oldest first.

    Those that the graph has come first, then those of the same job, whether they were written or wait for review.
    """
    threads = {text.document.thread for text in texts} - {""}
    if not threads:
        return {}
    known = _in_graph(workspace, threads)
    ours = {text.item.id: text.document for text in texts}
    first, last = texts[0].item, texts[-1].item
    for item in workspace.accounts.jobs.items_up_to(last, last.position - first.position + 1 + EARLIER * 4):
        payload = item.payload
        document = ours.get(item.id)
        if document is None and payload.get("text") and payload.get("thread") in threads:
            document = _document(payload, str(payload["text"]), "")
        if document is not None and document.thread:
            known[document.thread].pop(document.id, None)
            known[document.thread][document.id] = document.text
    return {t.document.id: _before(workspace, t, known[t.document.thread]) for t in texts if t.document.thread}


def _in_graph(workspace: OpenWorkspace, threads: set[str]) -> dict[str, dict[str, str]]:
    mirror = workspace.mirror
    held = sorted((d for d in mirror.documents() if d.thread in threads), key=lambda d: (d.position, d.id))
    episodes = {e.uuid: e.content for e in mirror.episodes([document.episode_uuid for document in held])}
    known: dict[str, dict[str, str]] = {thread: {} for thread in threads}
    for document in held:
        known[document.thread][document.id] = episodes.get(document.episode_uuid, "")
    return known


def _before(workspace: OpenWorkspace, text: Text, thread: Mapping[str, str]) -> list[str]:
    """The last of a thread's messages before the text's. One that is tried again may find later ones in the graph."""
    ids = list(thread)
    earlier: Iterator[str] = reversed(ids[: ids.index(text.document.id)])
    if text.item.attempts > 1:
        earlier = (id for id in earlier if not _is_later(workspace, text.item, id))
    return [thread[id] for id in islice(earlier, EARLIER)][::-1]


def _is_later(workspace: OpenWorkspace, item: JobItem, document_id: str) -> bool:
    other = workspace.accounts.jobs.item(item_id(item.job_id, document_id))
    return other is not None and other.position > item.position
