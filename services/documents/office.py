"""PDF, DOCX, PPTX, XLSX and Outlook's messages as Markdown. To be called in a sandboxed process only."""

import io
import re
from collections.abc import Mapping
from typing import Any

import kreuzberg

from services.core.errors import BadInput
from services.documents.packages import checked

_MIME = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "msg": "application/vnd.ms-outlook",
    "pdf": "application/pdf",
}
_MOST_PAGES = 2_000
_MOSTLY = 0.5
_MIDNIGHT = re.compile(r"(\d{4}-\d\d-\d\d) 00:00:00(?= \|)")
_UNSAID = frozenset({"(unspecified)", "(anonymous)", "untitled"})
"""What programs write where nobody said anything."""
_ENCRYPTED_OFFICE = "EncryptedPackage".encode("utf-16-le")
_MESSAGE = "__properties_version1.0".encode("utf-16-le")
_OLD = ("WordDocument", "Workbook", "Book", "PowerPoint Document")
_NO_PASSWORD = "Save it without a password."
_AGAIN = "Save it again from its program."


def read_package(content: bytes) -> dict[str, Any]:
    """An Office file's text and properties."""
    kind, notes = checked(content)
    found = _extracted(content, kind)
    text = _MIDNIGHT.sub(r"\1", found.content) if kind == "xlsx" else found.content
    return {**_parsed(kind.upper(), text, found.metadata), "notes": list(notes)}


def read_ole(content: bytes) -> dict[str, Any]:
    """The text of one of Outlook's messages. Raises `BadInput` for whatever else comes in such a container."""
    if _ENCRYPTED_OFFICE in content:
        raise BadInput("This Office file is encrypted.", _NO_PASSWORD)
    if _MESSAGE not in content:
        if any(name.encode("utf-16-le") in content for name in _OLD):
            raise BadInput("Files of Office before 2007 cannot be read.", "Save it as DOCX, PPTX or XLSX.")
        raise BadInput("This is no message of Outlook, or it is damaged.", _AGAIN)
    found = _extracted(content, "msg")
    names = [str(name) for name in found.metadata.get("attachments") or ()]
    parsed = _parsed("Outlook message", found.content, found.metadata)
    return {**parsed, "notes": [f"The attachment {name} was not read." for name in names]}


def read_pdf(content: bytes) -> dict[str, Any]:
    """The text of a PDF by Kreuzberg, and by pypdf where that fails or finds none."""
    try:
        found = _extracted(content, "pdf")
    except BadInput as fault:
        if fault.hint == _NO_PASSWORD:
            raise
        return _read_by_pypdf(content, fault)
    pages = found.metadata.get("page_count") or 0
    _check_pages(pages)
    if not found.content.strip():
        return _read_by_pypdf(content, None)
    if _in_tables(found.content) > _MOSTLY:  # prose is taken for a table where its words stand in columns by chance
        return _read_by_pypdf(content, None)
    return _parsed("PDF", found.content, found.metadata)


def _extracted(content: bytes, kind: str) -> kreuzberg.ExtractionResult:
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
            raise BadInput(f"This {what} needs a password.", _NO_PASSWORD) from fault
        raise BadInput(f"This {what} is damaged: it cannot be read.", _AGAIN) from fault


def _parsed(kind: str, text: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
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


def _in_tables(text: str) -> float:
    """The share of the text that stands in tables."""
    return sum(len(line) for line in text.split("\n") if line.startswith("|")) / max(1, len(text))


def _check_pages(pages: int) -> None:
    if pages > _MOST_PAGES:
        raise BadInput(f"This PDF has {pages:,} pages, and {_MOST_PAGES:,} are allowed.", "Split it.")


def _read_by_pypdf(content: bytes, fault: BadInput | None) -> dict[str, Any]:
    """What pypdf finds. Raises `fault`, or why there is no text, when it finds none either."""
    import pypdf
    from pypdf.errors import PyPdfError

    damaged = fault or BadInput("This PDF is damaged: it cannot be read.", _AGAIN)
    try:
        reader = pypdf.PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise BadInput("This PDF needs a password.", _NO_PASSWORD)
        _check_pages(len(reader.pages))
        text = "\n\n".join(page.extract_text() for page in reader.pages)
        about: Mapping[str, Any] = reader.metadata or {}
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise damaged from error
    if not text.strip():
        many = f"{len(reader.pages):,} pages are" if len(reader.pages) != 1 else "page is"
        hint = "Asof does not read text from pictures."
        raise BadInput(f"This PDF holds no text: its {many} empty or a picture.", hint)
    metadata = {"title": about.get("/Title"), "authors": [about.get("/Author")]}
    return {**_parsed("PDF", text, metadata), "format": "text"}
