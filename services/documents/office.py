"""DOCX, PPTX, XLSX and Outlook's messages as Markdown. To be called in a sandboxed process only."""

import re
from typing import Any

from services.core.errors import BadInput
from services.documents.extracted_text import AGAIN, NO_PASSWORD, extracted, parsed
from services.documents.office_zips import checked

_MIDNIGHT = re.compile(r"(\d{4}-\d\d-\d\d) 00:00:00(?= \|)")
_ENCRYPTED_OFFICE = "EncryptedPackage".encode("utf-16-le")
_MESSAGE = "__properties_version1.0".encode("utf-16-le")
_OLD = ("WordDocument", "Workbook", "Book", "PowerPoint Document")


def read_package(content: bytes) -> dict[str, Any]:
    """An Office file's text and properties."""
    kind, notes = checked(content)
    found = extracted(content, kind)
    text = _MIDNIGHT.sub(r"\1", found.content) if kind == "xlsx" else found.content
    return {**parsed(kind.upper(), text, found.metadata), "notes": notes}


def read_ole(content: bytes) -> dict[str, Any]:
    """The text of one of Outlook's messages. Raises `BadInput` for whatever else comes in such a container."""
    if _ENCRYPTED_OFFICE in content:
        raise BadInput("This Office file is encrypted.", NO_PASSWORD)
    if _MESSAGE not in content:
        if any(name.encode("utf-16-le") in content for name in _OLD):
            raise BadInput("Asof cannot read Office files from before 2007.", "Save the file as DOCX, PPTX or XLSX.")
        raise BadInput("This is not an Outlook message, or it is damaged.", AGAIN)
    found = extracted(content, "msg")
    notes = [
        f"Asof did not read the attachment {name}. Add it as a separate file."
        for name in found.metadata.get("attachments") or ()
    ]
    return {**parsed("Outlook message", found.content, found.metadata), "notes": notes}
