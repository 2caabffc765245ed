"""Tables that many people have: which columns mean what in them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownTable:
    """A kind of table: for each meaning the columns that may have it, the best first, and those that tell the kind."""

    name: str
    key_columns: tuple[str, ...]
    meanings: Mapping[str, tuple[str, ...]]


KNOWN_TABLES = (
    KnownTable(
        "Wikidata",
        ("p580", "p582", "p585"),
        {
            "source": ("itemlabel", "subjectlabel", "entitylabel", "item", "subject", "entity"),
            "relation": ("propertylabel", "predicatelabel", "property", "predicate"),
            "target": ("valuelabel", "objectlabel", "value", "object"),
            "valid_at": ("p580", "p585"),
            "invalid_at": ("p582",),
        },
    ),
    KnownTable(
        "ICEWS events",
        ("eventdate", "eventtext", "sourcename", "targetname"),
        {
            "source": ("sourcename",),
            "relation": ("eventtext",),
            "target": ("targetname",),
            "valid_at": ("eventdate",),
            "fact": ("eventsentence",),
        },
    ),
    KnownTable(
        "GDELT events",
        ("sqldate", "actor1name", "actor2name"),
        {
            "source": ("actor1name",),
            "relation": ("eventcode", "eventrootcode"),
            "target": ("actor2name",),
            "valid_at": ("sqldate",),
            "episode": ("sourceurl",),
        },
    ),
)
_PROPERTY = re.compile(r"(P\d+)(Label)?")
_TIMES = {"P580", "P582", "P585"}


def known_table(columns: Sequence[str]) -> KnownTable | None:
    """Return the kind of table that has these columns. Of Wikidata's one is enough, of events' all are needed."""
    plain = {_plain(column) for column in columns}
    for table in KNOWN_TABLES:
        enough = any if table.name == "Wikidata" else all
        if enough(name in plain for name in table.key_columns):
            return table
    return None


def meanings_in(table: KnownTable, columns: Sequence[str]) -> dict[str, str]:
    """Return what columns of a known table mean, by column."""
    by_plain = {_plain(column): column for column in columns}
    found: dict[str, str] = {}
    for meaning, names in table.meanings.items():
        column = next((by_plain[name] for name in names if name in by_plain), None)
        if column is not None:
            found[column] = meaning
    return found


def properties_in(columns: Sequence[str]) -> dict[str, str]:
    """Return the columns of Wikidata's properties that lead to other items, each with its relation; labels first."""
    found: dict[str, str] = {}
    for column in sorted(columns, key=lambda column: not column.endswith("Label")):
        matched = _PROPERTY.fullmatch(column.strip())
        if matched and matched[1] not in _TIMES and matched[1] not in found.values():
            found[column] = matched[1]
    return found


def _plain(column: str) -> str:
    """The column's name without spaces and signs, and without what stands in brackets: "P580 (start time)"."""
    return re.sub(r"\(.*?\)|[^a-z0-9]", "", column.lower())
