"""Bytes as text, whatever they were saved in."""

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 4096
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MOST_CONTROLS = 0.05
_META = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE)
_META_WITHIN = 4096
_AS_BROWSERS_DO = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}
"""What these names are used for: each right-hand one reads all that the left-hand one does, and more."""
_NO_CHARSETS = frozenset(
    ("punycode", "idna", "utf-7", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem")
)
"""What Python reads beside the encodings of pages: one takes hours for a large page, others write tags in letters."""


def decoded(content: bytes, *, declared: str = "") -> str:
    """The text in `content`: by its byte order mark, as UTF-8 where that can be no chance, as declared, or as it looks.

    What does not look like UTF-16 or UTF-8 is taken for Windows-1252. NULs are left out. A declared encoding that is
    unknown, or that the bytes do not fit, counts for nothing.
    """
    return _decoded(content, declared).removeprefix("\ufeff").replace("\0", "")


def encoding_in_html(content: bytes) -> str:
    """The encoding that a page's own `<meta>` declares, or nothing."""
    found = _META.search(content[:_META_WITHIN])
    return found[1].decode("ascii") if found else ""


def is_binary(content: bytes) -> bool:
    """True when more than 5% of the first signs are of those that no text has."""
    sample = _decoded(content[:_SAMPLE], "")
    return len(_CONTROLS.findall(sample)) > _MOST_CONTROLS * len(sample)


def is_unicode(content: bytes) -> bool:
    """True when the bytes are UTF-8, or say or show that they are another Unicode encoding."""
    return bool(_marked(content) or _as(content, "utf-8") is not None or _utf_16(content))


def known_encoding(declared: str) -> str:
    """Python's name of a declared encoding of text; empty for any other name, and for what no page is saved in."""
    try:
        known = codecs.lookup(declared.strip()).name
        "".encode(declared.strip())  # raises for what is no encoding of text, such as `hex`
    except (LookupError, ValueError):
        return ""
    return "" if known.replace("_", "-") in _NO_CHARSETS else _AS_BROWSERS_DO.get(known, known)


def _decoded(content: bytes, declared: str) -> str:
    # bytes above ASCII that happen to be UTF-8 hardly ever are anything else, whatever is declared
    surely = "" if content.isascii() else "utf-8"
    for encoding in (_marked(content), surely, known_encoding(declared), _utf_16(content), "utf-8"):
        if encoding and (text := _as(content, encoding)) is not None:
            return text
    return content.decode("cp1252", "replace").replace("\ufffd", "")


def _marked(content: bytes) -> str:
    return next((encoding for mark, encoding in _MARKS if content.startswith(mark)), "")


def _as(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeError:
        return None


def _utf_16(content: bytes) -> str:
    """UTF-16 without a mark: in European text, every other byte is NUL."""
    sample = content[:_SAMPLE]
    if len(content) % 2 or len(sample) < 2:
        return ""
    half = len(sample) / 2
    even, odd = sample[::2].count(0) / half, sample[1::2].count(0) / half
    if odd > 0.5 and even < 0.1:
        return "utf-16-le"
    return "utf-16-be" if even > 0.5 and odd < 0.1 else ""
