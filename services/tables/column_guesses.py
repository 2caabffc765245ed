"""Guesses what the columns of a table mean, by their names and by what stands in their first rows."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from services.core import clock
from services.core.errors import BadInput
from services.core.import_rows import DATES
from services.language.relation_names import relation_words
from services.tables.day_order import shown_order
from services.tables.files import Record
from services.tables.known_tables import KnownTable, known_table, meanings_in, properties_in
from services.tables.mapping import ATTRIBUTE, LEFT_OUT, RowOf, TableMapping

_SYNONYMS: Mapping[str, Sequence[str]] = {
    meaning: words.split()
    for meaning, words in {
        "source": (
            "source subject from entity name head source_name from_name subject_name source_node from_node "
            "start_node entity1 entity_1 node1 person who"
        ),
        "relation": (
            "relation predicate edge property relationship relation_type relationship_type edge_type rel verb "
            "link type label"
        ),
        "target": (
            "target object to value tail target_name to_name object_name target_node to_node end_node entity2 "
            "entity_2 node2 what whom"
        ),
        "fact": "fact statement sentence description text",
        "source_type": "source_type subject_type from_type head_type entity_type source_label kind",
        "target_type": "target_type object_type to_type tail_type value_type target_label",
        "episode": "episode source_text evidence quote passage citation reference provenance",
        "valid_at": (
            "valid_at start begin since from_date valid_from start_date begin_date started date start_time "
            "started_at effective_from as_of begins hired joined"
        ),
        "invalid_at": (
            "invalid_at end until valid_to to_date end_date valid_until ended end_time ended_at effective_to "
            "through till til ends finished"
        ),
        "created_at": "created_at recorded_at recorded ingested_at known_since",
        "expired_at": "expired_at",
        "withdrawn_at": "withdrawn_at retracted_at",
        "believed_invalid_at": "believed_invalid_at",
        "valid_at_precision": "valid_at_precision",
        "invalid_at_precision": "invalid_at_precision",
        "ended_unknown": "ended_unknown",
    }.items()
}
"""What columns that mean it are called, the surest name first."""
_KEYS = str.split(
    "name entity title label id key subject person who employee member user customer author company product"
)
"""What the column of an entity's name is called in a table of one row per entity, the surest first."""
_KINDS = ("type", "kind", "category", "class")
_DAYS = ("valid_at", "invalid_at", "created_at")
_DAY = re.compile(r"\d{1,4}[-./]\d{1,2}([-./]\d{1,4})?([ T].*)?")
_NUMBER = re.compile(r"[-+]?[\d.,\s]*\d\s*%?|true|false|yes|no", re.IGNORECASE)
_CODE = re.compile(r"[A-Za-z]{0,4}[-_/.]?\d+[A-Za-z]?")
_LONGEST_NAME = 80
_SAMPLE = 200


def guess_mapping(columns: Sequence[str], first_rows: Sequence[Record], per: RowOf | None = None) -> TableMapping:
    """Guess what a table's columns mean by their names and their first rows, for an analyst to correct.

    `per` says what each row is, where that is known.
    """
    named = {column: "_".join(relation_words(str(column))) for column in columns if column}
    rows = first_rows[:_SAMPLE]
    known = known_table([*named])
    guess = _known(known, named, rows) if known and per is None else _guess(named, rows, per)
    dates = [column for column, meaning in guess.columns.items() if meaning in DATES]
    return replace(guess, day_order=shown_order(row.get(column) for column in dates for row in rows))


def _known(table: KnownTable, named: Mapping[str, str], rows: Sequence[Record]) -> TableMapping:
    """Read the columns of a table of a known kind; where none is the value, each property leads to one."""
    found = meanings_in(table, [*named])
    rest = [column for column in named if column not in found]
    if "target" in found.values():
        return _of_facts(found, rest)
    relations = properties_in(rest)
    if not relations or "source" not in found.values():
        return _guess(named, rows, None)
    return TableMapping({**found, **{column: LEFT_OUT for column in rest if column not in relations}}, "", relations)


def _guess(named: Mapping[str, str], rows: Sequence[Record], per: RowOf | None) -> TableMapping:
    """Guess a table of facts where a column is the value, else one of one row per entity."""
    found = _by_names(named)
    if per == "fact" and "target" not in found.values():
        found = _with_source_and_target(found, named, rows)
    if "target" in found.values() and per != "entity":
        found = _with_dates(found, named, rows)
        rest = [column for column in named if column not in found] if "source" in found.values() else []
        return _of_facts(found, rest)
    return _per_entity(named, rows)


def _of_facts(found: Mapping[str, str], attributes: Iterable[str]) -> TableMapping:
    constant = "" if "relation" in found.values() else "RELATED_TO"
    return TableMapping({**found, **dict.fromkeys(attributes, ATTRIBUTE)}, constant)


def _with_source_and_target(
    found: Mapping[str, str], named: Mapping[str, str], rows: Sequence[Record]
) -> dict[str, str]:
    """Take the first columns of names that mean nothing yet for the source and the target that are missing."""
    free = [c for c in named if c not in found and _holds_names([row.get(c) for row in rows])]
    wanted = [meaning for meaning in ("source", "target") if meaning not in found.values()]
    return {**found, **dict(zip(free, wanted, strict=False))}


def _by_names(named: Mapping[str, str]) -> dict[str, str]:
    """Return what columns mean by their names, each meaning once. Beside a subject, the source is whoever said so."""
    found = {column: "episode" for column, plain in named.items() if plain == "source" and "subject" in named.values()}
    for meaning, words in _SYNONYMS.items():
        ranked = [(words.index(plain), column) for column, plain in named.items() if plain in words]
        free = [(rank, column) for rank, column in ranked if column not in found]
        if free and meaning not in found.values():
            found[min(free, key=lambda one: one[0])[1]] = meaning
    return found


def _per_entity(named: Mapping[str, str], rows: Sequence[Record]) -> TableMapping:
    """Guess a table of one row per entity: which column names it, which are dates, and which are relations."""
    key = next((c for word in _KEYS for c, plain in named.items() if plain == word), None)
    key = key or _first_unique_names(named, rows) or _first_names(named, rows)
    if key is None:
        return TableMapping(dict.fromkeys(named, LEFT_OUT))
    meanings = _with_dates({key: "source"}, named, rows)
    relations = {}
    for column, plain in named.items():
        if column in meanings:
            continue
        if plain in _KINDS:
            meanings[column] = "source_type"
        elif _holds_names([row.get(column) for row in rows]):
            relations[column] = plain.upper()
        else:
            meanings[column] = LEFT_OUT
    return TableMapping(meanings, relations=relations)


def _with_dates(found: Mapping[str, str], named: Mapping[str, str], rows: Sequence[Record]) -> dict[str, str]:
    """Add the columns that date what a row says: by their names, then the first ones that hold dates."""
    by_name = _by_names(named).items()
    dated = {column: meaning for column, meaning in by_name if meaning in _DAYS and column not in found} | dict(found)
    for column in date_columns(named, rows):
        free = next((meaning for meaning in ("valid_at", "invalid_at") if meaning not in dated.values()), None)
        if column not in dated and free:
            dated[column] = free
    return dated


def date_columns(columns: Iterable[str], rows: Sequence[Record]) -> tuple[str, ...]:
    """Return the columns at least half of whose filled cells are days or months, however they are written."""
    return tuple(column for column in columns if _hold(_DAY.fullmatch, [row.get(column) for row in rows]))


def _hold(is_so: Callable[[str], object], cells: Iterable[Any]) -> bool:
    """True where at least half of the filled cells are so."""
    filled = [str(cell).strip() for cell in cells if cell is not None and str(cell).strip()]
    return bool(filled) and 2 * sum(1 for cell in filled if is_so(cell)) >= len(filled)


def _first_names(named: Mapping[str, str], rows: Sequence[Record]) -> str | None:
    """Return the first column of names, where another one follows that can be said of them."""
    found = [column for column in named if _holds_names([row.get(column) for row in rows])]
    return found[0] if len(found) > 1 else None


def _first_unique_names(named: Mapping[str, str], rows: Sequence[Record]) -> str | None:
    """Return the first column whose cells are names, each another one; codes such as "A3" are none beside names."""
    names = {column: cells for column in named if _holds_names(cells := [row.get(column) for row in rows])}
    has_words = any(not _hold(_CODE.fullmatch, cells) for cells in names.values())
    for place, (column, cells) in enumerate(names.items()):
        is_code = place > 0 and has_words and _hold(_CODE.fullmatch, cells)
        if len(set(map(str, cells))) == len(cells) and not is_code:
            return column
    return None


def _holds_names(cells: Iterable[Any]) -> bool:
    """True for cells that may be names of things: no numbers, dates or long texts."""
    filled = [str(cell).strip() for cell in cells if cell is not None and str(cell).strip()]
    strange = (_hold(is_so, filled) for is_so in (_NUMBER.fullmatch, _is_date, _DAY.fullmatch))
    return bool(filled) and not any(strange) and all(len(cell) <= _LONGEST_NAME for cell in filled)


def _is_date(text: str) -> bool:
    try:
        clock.parse_instant(text)
    except BadInput:
        return False
    return True
