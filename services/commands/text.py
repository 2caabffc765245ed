"""How results are laid out for people on a terminal."""

from collections.abc import Sequence

from services.core.json_documents import Json


def fact_table(facts: Sequence[Json], *more: str) -> list[str]:
    """Return facts in aligned columns, under a head."""
    columns = ("valid_at", "invalid_at", *more, "source", "relation", "target")
    rows = [[short(fact[c]) if c.endswith("_at") else fact[c] for c in columns] for fact in facts]
    return aligned([columns, *rows]) if rows else []


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of cells as lines; each column is as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def clocks(document: Json) -> str:
    """Return the instants that a result is for."""
    return f"As of {short(document['as_of'])}, known at {short(document['known_at'])}"


def mirror_note(document: Json) -> str:
    """Return what to say of a result that comes from the mirror while the graph does not answer."""
    if document["mirror_of"] is None:
        return ""
    return f"The graph does not answer. This is its mirror, last in step at {short(document['mirror_of'])}."


def short(instant: str | None) -> str:
    """Return an instant without midnight and in the short spelling of UTC; nothing for none."""
    return (instant or "").replace("T00:00:00+00:00", "").replace("+00:00", "Z")
