"""The types of file that Asof reads: how each is recognised, and who reads it.

To add one, write its reader and add a line to `FILE_TYPES`.
"""

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

from services.core.errors import BadInput
from services.documents.encodings import decoded, is_binary

Format = Literal["markdown", "rst", "html", "text"]
"""How the text of a document is marked up."""

_SAMPLE = 8192
_HTML = re.compile(
    r"\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!--(?:(?!-->).)*+-->\s*+)*+<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)
_OF_EVERY_MAIL = r"(?:from|received|message-id|mime-version|return-path):"
_MAIL = re.compile(
    rf"(?:From [^\r\n]*+\r?\n)?(?:(?!{_OF_EVERY_MAIL})(?:[\w-]++:|[ \t])[^\r\n]*+\r?\n)*+{_OF_EVERY_MAIL}", re.I
)
"""Header lines until one that every message has. Neither pattern ever tries a line twice."""


@dataclass(frozen=True, slots=True)
class FileType:
    """A type of file.

    `reader` is the function that parses it in a sandboxed process, as `module:function`, which takes the file's bytes;
    a type without one is text that is read as it stands. `format` is the markup that the ending alone tells.
    A file of bytes begins with one of `signatures`. A text is of this type whatever its ending where `opening` matches
    its beginning; one with the type's ending must match `required`.
    """

    name: str
    endings: tuple[str, ...]
    format: Format | None = None
    reader: str = ""
    signatures: tuple[bytes, ...] = ()
    opening: re.Pattern[str] | None = None
    required: re.Pattern[str] | None = None


_OFFICE = "services.documents.office"
PDF = FileType("PDF", (".pdf",), reader="services.documents.pdf:read_pdf", signatures=(b"%PDF-",))
HTML = FileType(
    "HTML", (".html", ".htm", ".xhtml"), "html", reader="services.documents.webpages:read_html", opening=_HTML
)
TEXT = FileType("text", (".txt",), "text")
FILE_TYPES = (
    PDF,
    FileType(
        "Office file",
        (".docx", ".docm", ".pptx", ".pptm", ".xlsx", ".xlsm"),
        reader=f"{_OFFICE}:read_package",
        signatures=(b"PK\x03\x04", b"PK\x05\x06"),
    ),
    FileType(
        "Outlook message", (".msg",), reader=f"{_OFFICE}:read_ole", signatures=(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",)
    ),
    FileType("e-mail", (".eml",), reader="services.documents.mail:read_mail", required=_MAIL),
    HTML,
    FileType("Markdown", (".md", ".markdown"), "markdown"),
    FileType("reStructuredText", (".rst",), "rst"),
    TEXT,
    FileType("text", (".text", ".log", ".json", ".jsonl", ".csv", ".tsv", ".yaml", ".yml")),
)
_BY_ENDING = {ending: type for type in FILE_TYPES for ending in type.endings}
FILE_ENDINGS = tuple(_BY_ENDING)
"""The endings of files that can be read, as a form offers them."""

_RTF = b"{\\rtf1"
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_REFUSED = (
    ((b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*", b"BM"), "a picture"),
    ((b"Rar!", b"7z\xbc\xaf", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd"), "an archive"),
    ((_RTF,), "rich text (RTF)"),
    ((b"PAR1",), "a Parquet table"),
    ((b"MZ", b"\x7fELF", b"\xcf\xfa\xed\xfe"), "a program"),
    ((b"SQLite format 3\0",), "a database"),
)
_ADVICE = {
    "a picture": "Extract its text with OCR, then add the text.",
    "an archive": "Unpack the archive and add its files.",
    "rich text (RTF)": "Save the file as DOCX or plain text.",
    "a Parquet table": "Import the file as a table of facts.",
}
_PDF_WITHIN = 1024
"""Readers of PDF look this far into a file for its first line."""


def file_type(name: str, content: bytes) -> FileType:
    """Return the type of a file, by its content and, where that leaves it open, by its name's ending.

    Raises `BadInput` when it is empty, or of no type that Asof reads.
    """
    if not content or content.isspace():
        raise BadInput("This file is empty.", "Choose another file.")
    named = type_by_ending(name)
    if signed := _type_by_signature(content, named):
        return signed
    _refuse_known(content)
    if is_binary(content):
        raise BadInput(*_not_readable(named))
    text = decoded(content[:_SAMPLE])
    if named and named.required:
        if not named.required.match(text):
            raise BadInput(
                f"This is not a valid {named.name}: it does not start with headers such as From or Date.",
                "Save the file again.",
            )
        return named
    if named and named.format and named is not TEXT:
        return named
    return next((type for type in FILE_TYPES if type.opening and type.opening.match(text)), TEXT)


def type_by_ending(name: str) -> FileType | None:
    """Return the type that the ending of a file's name stands for."""
    return _BY_ENDING.get(PurePath(name).suffix.lower())


def _type_by_signature(content: bytes, named: FileType | None) -> FileType | None:
    if named is PDF and b"%PDF-" in content[:_PDF_WITHIN]:
        return PDF
    head = content[:_PDF_WITHIN].lstrip()
    return next((type for type in FILE_TYPES if type.signatures and head.startswith(type.signatures)), None)


def _refuse_known(content: bytes) -> None:
    is_no_text = _CONTROL.search(content[:64]) is not None  # a text may open with their letters
    for signatures, what in _REFUSED:
        if any(content.startswith(s) and (s == _RTF or not s.isascii() or is_no_text) for s in signatures):
            raise BadInput(f"This is {what}. Asof cannot read it.", _ADVICE.get(what, ""))


def _not_readable(named: FileType | None) -> tuple[str, str]:
    if named and named.reader and named is not HTML:
        return (
            f"This {named.name} is damaged: Asof cannot open it.",
            "Open the file in the application that created it, then save the file again.",
        )
    if named:
        return "This is not text: it contains binary data.", "Save the file as plain text in UTF-8."
    return "Asof cannot read files of this type.", "Use PDF, DOCX, PPTX, XLSX, HTML, Markdown, reST, text or e-mail."
