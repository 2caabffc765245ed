"""Files and pages as text. Whatever needs a parser is read in a process of its own."""

import base64
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

from services.core.errors import BadInput
from services.documents.encodings import decoded, is_unicode
from services.documents.file_types import HTML, FileType, file_type, type_by_ending
from services.documents.read_text import MEGABYTE, MOST_ATTACHMENTS, USUAL, ReadLimits, ReadText
from services.documents.run_sandboxed import run_sandboxed
from services.documents.text_formats import readable, title_of

_PARSING = "services.documents.parsing"
_DEEPEST = 3
_LONGEST_NAME, _LONGEST_TITLE, _MOST_NOTES = 200, 300, 50


def read_file(name: str, content: bytes, *, limits: ReadLimits = USUAL) -> ReadText:
    """The text of a file, by what it is, which its name need not tell; with the attachments of an e-mail.

    Raises `BadInput` in one line for what is empty, too large, encrypted, damaged, a bomb, holds no text, or takes
    too long. An attachment that cannot be read is left out, and `notes` says why.
    """
    return _Reading(limits).file(name, content, depth=0)


def read_page(url: str, content: bytes, content_type: str = "", *, limits: ReadLimits = USUAL) -> ReadText:
    """The main text of a page of the web, with its title, author and date; another file's text where it is one.

    `content_type` is the header that it was sent with. Raises `BadInput` as `read_file` does.
    """
    sent_as, _, parameters = content_type.lower().partition(";")
    charset = parameters.partition("charset=")[2].partition(";")[0].strip(" \"'")
    name = PurePath(url.partition("#")[0].partition("?")[0]).name
    _check_size(content, limits)
    type = file_type(_named(name, sent_as.strip()), content)
    if not type.reader:
        return _plain(name, content, type, charset)
    if type is not HTML:
        return read_file(name, content, limits=limits)
    task = {"url": url, "charset": charset}
    return _record(name, run_sandboxed(_PARSING, task, content, limits, is_one_of_many=True))


def _named(name: str, sent_as: str) -> str:
    """A page's name with the ending of what it was sent as; one that has an ending of a file keeps it."""
    if sent_as in ("text/html", "application/xhtml+xml") or (not sent_as and not type_by_ending(name)):
        return f"{name}.html"
    return name


class _Reading:
    """One file with all that is attached to it, within one set of limits."""

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self._ends = time.monotonic() + limits.seconds
        self._attachments = 0

    def file(self, name: str, content: bytes, *, depth: int) -> ReadText:
        if depth > _DEEPEST:
            raise BadInput(f"the file is nested more than {_DEEPEST} levels deep.")
        _check_size(content, self._limits)
        type = file_type(name, content)
        if not type.reader:
            read = _plain(name, content, type)
        else:
            left = max(1.0, self._ends - time.monotonic())
            parsed = run_sandboxed(_PARSING, {"name": name}, content, replace(self._limits, seconds=left))
            attached, more = parsed.get("attachments") or [], int(parsed.get("more_attachments") or 0)
            read = self._with_parts(_record(name, parsed), attached, more, depth)
        return replace(read, notes=(*_mislabelled(name, type), *read.notes))

    def _with_parts(self, read: ReadText, attachments: list[dict[str, str]], more: int, depth: int) -> ReadText:
        parts, notes = [], list(read.notes)
        for number, attached in enumerate(attachments):
            if self._attachments >= MOST_ATTACHMENTS:
                more += len(attachments) - number
                break
            self._attachments += 1
            name = _clipped(attached["name"])
            try:
                parts.append(self.file(name, base64.b64decode(attached["content"]), depth=depth + 1))
            except BadInput as error:
                notes.append(f"Asof did not read the attachment {name}: {error.message}")
        if more:
            left = f"{more:,} attachments" if more > 1 else "1 attachment"
            notes.append(f"Asof skipped {left}: it reads at most {MOST_ATTACHMENTS} per file.")
        return replace(read, parts=tuple(parts), notes=tuple(notes))


def _check_size(content: bytes, limits: ReadLimits) -> None:
    if len(content) > limits.file_bytes:
        size, most = len(content) / MEGABYTE, limits.file_bytes / MEGABYTE
        raise BadInput(
            f"This file is {size:,.1f} MB; the limit is {most:,.0f} MB.",
            "To allow larger files, raise ASOF_MAX_FILE_MB.",
        )


def _plain(name: str, content: bytes, type: FileType, charset: str = "") -> ReadText:
    raw = decoded(content, declared=charset)
    text, format = readable(raw, type.format or "text")
    notes = () if charset or is_unicode(content) else ("The file is not UTF-8; Asof read it as Windows-1252.",)
    return ReadText(name, type.name, text, format, title_of(raw, format)[:_LONGEST_TITLE], notes=notes)


def _mislabelled(name: str, type: FileType) -> tuple[str, ...]:
    """A note when the ending says something else than the file is."""
    claimed = type_by_ending(name)
    if claimed is None or claimed is type or not (claimed.reader or type.reader):
        return ()
    return (f"Asof read the file as {type.name}, although its name ends in {PurePath(name).suffix}.",)


def _record(name: str, parsed: dict[str, Any]) -> ReadText:
    text, format = readable(parsed["text"].replace("\0", ""), parsed["format"])
    title, author = ((parsed.get(name) or "")[:_LONGEST_TITLE] for name in ("title", "author"))
    notes = tuple(note[:_LONGEST_TITLE] for note in (parsed.get("notes") or ())[:_MOST_NOTES])
    return ReadText(name, parsed["kind"], text, format, title, author, _when(parsed.get("when")), notes=notes)


def _clipped(name: str) -> str:
    """A file's name, cut before its ending where it is longer than any file's."""
    ending = PurePath(name).suffix[:_LONGEST_NAME]
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - len(ending)] + ending


def _when(written: str | None) -> datetime | None:
    """The time that a file says, in UTC; one without a zone is taken for UTC."""
    try:
        when = datetime.fromisoformat(written or "")
        return when.astimezone(UTC) if when.tzinfo else when.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
