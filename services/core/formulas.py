"""Texts that a spreadsheet would run: preceded by an apostrophe on the way out, and read without it on the way in.

See OWASP's page on CSV injection.
"""

import re

_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")
MARK = "'"


def harmless(text: str) -> str:
    """The text as a cell that no spreadsheet runs; numbers stay numbers."""
    return f"{MARK}{text}" if _runs(text) else text


def as_meant(cell: str) -> str:
    """What `harmless` made a cell of."""
    return cell[1:] if cell.startswith(MARK) and _runs(cell[1:]) else cell


def _runs(text: str) -> bool:
    """True for what a spreadsheet would run, marked or not: a mark of the text's own needs one before it as well."""
    text = text.lstrip(MARK)
    return text.startswith(_STARTS) and _NUMBER.fullmatch(text) is None
