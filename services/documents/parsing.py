"""What the sandboxed process does with a file: finds out its type and has the type's parser read it."""

import pkgutil
from collections.abc import Mapping
from typing import Any

from services.core.errors import BadInput
from services.documents.file_types import file_type

_PAGE = b"<!doctype html><html><head><title>A page</title></head><body><main><h1>A page</h1><p>%s</p></main></html>"
_WORDS = b"It was written on 3 March 2024, so that whatever a parser does first is done before any other page comes. "


def warm_up() -> None:
    """Read a page of our own, before any other is read by a process that is forked from this one."""
    read({"url": "https://example.org/", "charset": ""}, _PAGE % (_WORDS * 9))


def read(task: Mapping[str, Any], content: bytes) -> dict[str, Any]:
    """Return the text of the file `name`, or of the page at `url` sent as `charset`; attachments come as they are.

    Each parser is imported when a file needs it: most of the time that a small file takes is the imports.
    """
    if url := task.get("url"):
        from services.documents.webpages import read_article

        parsed = read_article(content, url, task["charset"])
    else:
        parsed = dict(pkgutil.resolve_name(file_type(task["name"], content).reader)(content))
    if not parsed["text"].strip():
        raise BadInput(f"This {parsed['kind']} contains no text.", "Paste the text instead.")
    return parsed
