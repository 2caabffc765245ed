"""Text and properties of files as Kreuzberg extracts them. To be called in a sandboxed process only."""

from collections.abc import Mapping
from typing import Any

import kreuzberg

from services.core.errors import BadInput

_MIME = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "msg": "application/vnd.ms-outlook",
    "pdf": "application/pdf",
}
_UNSAID = frozenset({"(unspecified)", "(anonymous)", "untitled"})
"""What programs write where nobody said anything."""
NO_PASSWORD = "Save the file without a password."
AGAIN = "Open the file in the application that created it, then save the file again."


def extracted(content: bytes, kind: str) -> kreuzberg.ExtractionResult:
    """Return a file's text as Markdown. Raises `BadInput` for one that is damaged or needs a password."""
    settings = kreuzberg.ExtractionConfig(
        use_cache=False,
        enable_quality_processing=False,
        output_format="markdown",
        concurrency=kreuzberg.ConcurrencyConfig(max_threads=2),
    )
    try:
        return kreuzberg.extract_bytes_sync(content, _MIME[kind], config=settings)
    except kreuzberg.KreuzbergError as fault:
        what = {"msg": "Outlook message"}.get(kind, kind.upper())
        if "password" in str(fault).lower():
            raise BadInput(f"This {what} needs a password.", NO_PASSWORD) from fault
        raise BadInput(f"This {what} is damaged: Asof cannot read it.", AGAIN) from fault


def parsed(kind: str, text: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the text with title, author and date, as every reader of files returns them."""
    authors = metadata.get("authors") or [metadata.get("from_name") or metadata.get("from_email") or ""]
    return {
        "kind": kind,
        "text": text,
        "format": "markdown",
        "title": _word(metadata.get("title") or metadata.get("subject")),
        "author": ", ".join(word for author in authors if (word := _word(author))),
        "when": metadata.get("created_at") or metadata.get("modified_at") or "",
    }


def _word(value: object) -> str:
    word = " ".join(str(value or "").split())
    return "" if word.lower() in _UNSAID else word
