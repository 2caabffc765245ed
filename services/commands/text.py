"""How results are laid out for people on a terminal."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime

from services.core import clock, date_wording
from services.core.json_documents import Json, read_fact
from services.core.models import Instants

_FRACTION = re.compile(r"(?<=:\d\d)\.\d+")
"""What an instant has beyond its seconds."""


def fact_table(facts: Sequence[Json], *more: str, at: Instants | None = None) -> list[str]:
    """Return facts in aligned columns, under a head; with what their dates leave open at two instants."""
    columns = ("valid_at", "invalid_at", *more, "source", "relation", "target")
    rows = []
    for document in facts:
        fact = read_fact(document)
        words = {"valid_at": date_wording.start(fact, _short, ""), "invalid_at": date_wording.stop(fact, _short, "")}
        cells = [words.get(c) or (short(document[c]) if c.endswith("_at") else document[c]) for c in columns]
        doubt = date_wording.doubt(fact, at.as_of) if at else ""
        rows.append([*cells, f"({doubt})" if doubt else ""])
    return aligned([(*columns, ""), *rows]) if rows else []


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of cells as lines; each column is as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def printable(text: str) -> str:
    """Return a text without what steers a terminal or turns its letters around: each such letter is its escape."""
    return text if text.isprintable() else "".join(map(_printable, text))


def _printable(letter: str) -> str:
    is_shown = letter.isprintable() or letter in "\t\n" or unicodedata.category(letter) == "Zs"
    return letter if is_shown else ascii(letter)[1:-1]


def clocks(document: Json) -> str:
    """Return the instants that a result is for."""
    return f"As of {short(document['as_of'])}, known at {short(document['known_at'])}"


def mirror_note(document: Json) -> str:
    """Return what to say of a result that comes from the mirror while the graph does not answer."""
    if document["mirror_of"] is None:
        return ""
    return f"The graph is not responding. These results are from its mirror, synced {short(document['mirror_of'])}."


def fact_span(document: Json) -> str:
    """Return when a fact holds: "2015-03-01 → now", "1974 → June 2017"."""
    return date_wording.span(read_fact(document), _short)


def _short(instant: datetime) -> str:
    return short(clock.spell(instant))


def short(instant: str | None) -> str:
    """Return an instant without midnight, to the second, in the short spelling of UTC; nothing for none."""
    return _FRACTION.sub("", instant or "").replace("T00:00:00+00:00", "").replace("+00:00", "Z")
