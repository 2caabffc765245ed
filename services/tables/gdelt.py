"""Rows of GDELT events, whose files come without a header."""

from collections.abc import Sequence

_WIDTHS = (57, 58, 61)
_NAMES = {
    0: "GlobalEventID",
    1: "SQLDATE",
    5: "Actor1Code",
    6: "Actor1Name",
    15: "Actor2Code",
    16: "Actor2Name",
    26: "EventCode",
    28: "EventRootCode",
    30: "GoldsteinScale",
    31: "NumMentions",
    57: "SOURCEURL",
}


def is_gdelt_row(cells: Sequence[str]) -> bool:
    """True for what is no header but the first row of events: as wide, with a number and a day in front."""
    return len(cells) in _WIDTHS and cells[0].isdigit() and cells[1].isdigit() and len(cells[1]) == 8


def gdelt_header(width: int) -> list[str]:
    """Return the names of the columns; the address of the source is the last one."""
    names = {**_NAMES, 57: "" if width > 58 else _NAMES[57], width - 1: _NAMES[57] if width > 57 else ""}
    return [names.get(place) or f"column {place + 1}" for place in range(width)]
