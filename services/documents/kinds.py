"""What a file is: by what it opens with, and where that says nothing, by its ending."""

import re
from pathlib import PurePath
from typing import Literal

from services.core.errors import BadInput
from services.documents.encodings import decoded, is_binary

Kind = Literal["pdf", "office", "ole", "email", "html", "markdown", "rst", "text"]
"""`office` is any ZIP (DOCX, PPTX and XLSX are), `ole` Outlook's messages and what Office encrypts."""

_BY_ENDING: dict[str, Kind] = {
    ".pdf": "pdf",
    **dict.fromkeys((".docx", ".docm", ".pptx", ".pptm", ".xlsx", ".xlsm"), "office"),
    ".msg": "ole",
    ".eml": "email",
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    **dict.fromkeys((".md", ".markdown"), "markdown"),
    ".rst": "rst",
    **dict.fromkeys((".txt", ".text", ".log", ".json", ".jsonl", ".csv", ".tsv", ".yaml", ".yml"), "text"),
}
ENDINGS_OF_FILES = tuple(_BY_ENDING)
"""The endings that the file form offers."""

_SIGNATURES: tuple[tuple[bytes, Kind], ...] = (
    (b"%PDF-", "pdf"),
    (b"PK\x03\x04", "office"),
    (b"PK\x05\x06", "office"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "ole"),
)
_RTF = b"{\\rtf1"
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_REFUSED = (
    ((b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*", b"BM"), "a picture"),
    ((b"Rar!", b"7z\xbc\xaf", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd"), "a packed archive"),
    ((_RTF,), "rich text (RTF)"),
    ((b"PAR1",), "a Parquet table"),
    ((b"MZ", b"\x7fELF", b"\xcf\xfa\xed\xfe"), "a program"),
    ((b"SQLite format 3\0",), "a database"),
)
_ADVICE = {
    "a picture": "Asof does not read text from pictures.",
    "a packed archive": "Unpack it, and add the files in it.",
    "rich text (RTF)": "Save it as DOCX or plain text.",
    "a Parquet table": "Import it as a table of facts.",
}
_PDF_WITHIN = 1024
"""So far into a file readers of PDF look for its first line."""
_HTML = re.compile(
    r"\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!--(?:(?!-->).)*+-->\s*+)*+<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)
_OF_EVERY_MAIL = r"(?:from|received|message-id|mime-version|return-path):"
_MAIL = re.compile(
    rf"(?:From [^\r\n]*+\r?\n)?(?:(?!{_OF_EVERY_MAIL})(?:[\w-]++:|[ \t])[^\r\n]*+\r?\n)*+{_OF_EVERY_MAIL}", re.I
)
"""Header lines until one that every message has. Neither pattern ever tries a line twice."""
_SAMPLE = 8192
KINDS_OF_TEXT: frozenset[Kind] = frozenset({"markdown", "rst", "text"})
"""What needs no parser to be read."""


def kind_of(name: str, content: bytes) -> Kind:
    """What the file is. Raises `BadInput` when it is empty, or nothing that Asof reads."""
    if not content or content.isspace():
        raise BadInput("This file is empty.")
    ending = _BY_ENDING.get(PurePath(name).suffix.lower())
    if signed := _signed(content, ending):
        return signed
    _refuse_known(content)
    if is_binary(content):
        raise BadInput(*_not_readable(ending))
    text = decoded(content[:_SAMPLE])
    if ending == "email":
        if not _MAIL.match(text):
            raise BadInput("This is no e-mail: it does not open with From, Date and the like.", "Save it again.")
        return "email"
    if ending in KINDS_OF_TEXT and ending != "text":
        return ending
    return "html" if ending == "html" or _HTML.match(text) else "text"


def kind_by_ending(name: str) -> Kind | None:
    """What the file's ending says that it is."""
    return _BY_ENDING.get(PurePath(name).suffix.lower())


def _signed(content: bytes, ending: Kind | None) -> Kind | None:
    head = content[:_PDF_WITHIN].lstrip()
    if ending == "pdf" and b"%PDF-" in content[:_PDF_WITHIN]:
        return "pdf"
    return next((kind for signature, kind in _SIGNATURES if head.startswith(signature)), None)


def _refuse_known(content: bytes) -> None:
    is_no_text = _CONTROL.search(content[:64]) is not None  # a text may open with their letters
    for signatures, what in _REFUSED:
        if any(content.startswith(s) and (s == _RTF or not s.isascii() or is_no_text) for s in signatures):
            raise BadInput(f"This is {what}, which cannot be read.", _ADVICE.get(what, ""))


def _not_readable(ending: Kind | None) -> tuple[str, str]:
    known = {"pdf": "PDF", "office": "Office file", "ole": "Outlook message", "email": "e-mail"}
    if ending in known:
        return f"This {known[ending]} is damaged: it does not open as one.", "Save it again from its program."
    if ending:
        return "This is no text: it holds bytes that no text has.", "Save it as plain text in UTF-8."
    return "Asof cannot read files of this type.", "PDF, DOCX, PPTX, XLSX, HTML, Markdown, reST, text and e-mail can."
