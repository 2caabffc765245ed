"""PDF as Markdown or text. To be called in a sandboxed process only."""

import io
from collections.abc import Mapping
from typing import Any

from services.core.errors import BadInput
from services.core.wording import counted
from services.documents.extracted_text import AGAIN, NO_PASSWORD, extracted, parsed

_MOST_PAGES = 2_000
_MOSTLY = 0.5


def read_pdf(content: bytes) -> dict[str, Any]:
    """The text of a PDF by Kreuzberg, and by pypdf where that fails or finds none."""
    try:
        found = extracted(content, "pdf")
    except BadInput as fault:
        if fault.hint == NO_PASSWORD:
            raise
        return _read_by_pypdf(content, fault)
    _check_pages(found.metadata.get("page_count") or 0)
    # prose is taken for a table where its words stand in columns by chance
    if not found.content.strip() or _in_tables(found.content) > _MOSTLY:
        return _read_by_pypdf(content, None)
    return parsed("PDF", found.content, found.metadata)


def _in_tables(text: str) -> float:
    """The share of the text that stands in tables."""
    return sum(len(line) for line in text.split("\n") if line.startswith("|")) / max(1, len(text))


def _check_pages(pages: int) -> None:
    if pages > _MOST_PAGES:
        raise BadInput(f"This PDF has {pages:,} pages; the limit is {_MOST_PAGES:,}.", "Split the PDF.")


def _read_by_pypdf(content: bytes, fault: BadInput | None) -> dict[str, Any]:
    """What pypdf finds. Raises `fault`, or why there is no text, when it finds none either."""
    import pypdf
    from pypdf.errors import PyPdfError

    damaged = fault or BadInput("This PDF is damaged: Asof cannot read it.", AGAIN)
    try:
        reader = pypdf.PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise BadInput("This PDF needs a password.", NO_PASSWORD)
        _check_pages(len(reader.pages))
        text = "\n\n".join(page.extract_text() for page in reader.pages)
        about: Mapping[str, Any] = reader.metadata or {}
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise damaged from error
    if not text.strip():
        raise BadInput(
            f"This PDF contains no text on its {counted(len(reader.pages), 'page')}.",
            "Run OCR on the PDF, then add the PDF again.",
        )
    return {
        **parsed("PDF", text, {"title": about.get("/Title"), "authors": [about.get("/Author")]}),
        "format": "text",
    }
