"""What the columns of a table mean, guessed and then said: tables of facts, and tables of one row per entity."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, get_args

from services.core import clock
from services.core.errors import BadInput
from services.core.import_rows import DATES, ENDED_UNKNOWN, NAMES, PRECISIONS, TEXTS
from services.language.relation_names import relation_words
from services.tables.day_order import DayOrder, in_order, shown_order
from services.tables.files import Record
from services.tables.known_tables import KnownTable, known_table, meanings_in, properties_in

ATTRIBUTE = "attribute"
"""The meaning of a column that becomes an attribute of the fact, under its own name."""
LEFT_OUT = ""
_OURS = (*NAMES, *TEXTS, *DATES, *PRECISIONS, ENDED_UNKNOWN)
MEANINGS = (*_OURS, ATTRIBUTE, LEFT_OUT)

_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "source": (
        "source",
        "subject",
        "from",
        "entity",
        "name",
        "head",
        "source_name",
        "from_name",
        "subject_name",
        "source_node",
        "from_node",
        "start_node",
        "entity1",
        "entity_1",
        "node1",
        "person",
        "who",
    ),
    "relation": (
        "relation",
        "predicate",
        "edge",
        "property",
        "relationship",
        "relation_type",
        "relationship_type",
        "edge_type",
        "rel",
        "verb",
        "link",
        "type",
        "label",
    ),
    "target": (
        "target",
        "object",
        "to",
        "value",
        "tail",
        "target_name",
        "to_name",
        "object_name",
        "target_node",
        "to_node",
        "end_node",
        "entity2",
        "entity_2",
        "node2",
        "what",
        "whom",
    ),
    "fact": ("fact", "statement", "sentence", "description", "text"),
    "source_type": ("source_type", "subject_type", "from_type", "head_type", "entity_type", "source_label", "kind"),
    "target_type": ("target_type", "object_type", "to_type", "tail_type", "value_type", "target_label"),
    "episode": ("episode", "source_text", "evidence", "quote", "passage", "citation", "reference", "provenance"),
    "valid_at": (
        "valid_at",
        "start",
        "begin",
        "since",
        "from_date",
        "valid_from",
        "start_date",
        "begin_date",
        "started",
        "date",
        "start_time",
        "started_at",
        "effective_from",
        "as_of",
        "begins",
        "hired",
        "joined",
    ),
    "invalid_at": (
        "invalid_at",
        "end",
        "until",
        "valid_to",
        "to_date",
        "end_date",
        "valid_until",
        "ended",
        "end_time",
        "ended_at",
        "effective_to",
        "through",
        "till",
        "til",
        "ends",
        "finished",
    ),
    "created_at": ("created_at", "recorded_at", "recorded", "ingested_at", "known_since"),
    "expired_at": ("expired_at",),
    "withdrawn_at": ("withdrawn_at", "retracted_at"),
    "believed_invalid_at": ("believed_invalid_at",),
    "valid_at_precision": ("valid_at_precision",),
    "invalid_at_precision": ("invalid_at_precision",),
    "ended_unknown": ("ended_unknown",),
}
_KEYS = (
    "name",
    "entity",
    "title",
    "label",
    "id",
    "key",
    "subject",
    "person",
    "who",
    "employee",
    "member",
    "user",
    "customer",
    "author",
    "company",
    "product",
)
_KINDS = ("type", "kind", "category", "class")
_DAYS = ("valid_at", "invalid_at", "created_at")
_DAY = re.compile(r"\d{1,4}[-./]\d{1,2}([-./]\d{1,4})?([ T].*)?")
_NUMBER = re.compile(r"[-+]?[\d.,\s]*\d\s*%?|true|false|yes|no", re.IGNORECASE)
_LONGEST_NAME = 80
_SAMPLE = 200
_NAMED = 8
type RowOf = Literal["fact", "entity"]
"""What each row of a table is: one fact, or one entity with what is said of it in columns of their own."""


@dataclass(frozen=True, slots=True)
class TableMapping:
    """What columns mean: one of `MEANINGS` each; what is not named is left out.

    `relation` is that of every row where no column says it. In a table of one row per entity `relations` says for a
    column which relation leads from the entity to what stands in its cell; `columns` then name no target. `day_order`
    is that of dates such as 02.05.2016.
    """

    columns: Mapping[str, str]
    relation: str = ""
    relations: Mapping[str, str] = field(default_factory=dict)
    day_order: DayOrder = ""

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def mapping_of(document: Mapping[str, Any]) -> TableMapping:
    """The mapping that `document` was made of. Raises `BadInput` for anything else."""
    columns, relations = document.get("columns"), document.get("relations") or {}
    if not isinstance(columns, Mapping) or not isinstance(relations, Mapping):
        raise BadInput("The mapping of columns cannot be read.", 'Write {"columns": {"who": "source", …}}.')
    texts = ({str(k): str(v) for k, v in one.items()} for one in (columns, relations))
    order: DayOrder = next((one for one in get_args(DayOrder.__value__) if one == document.get("day_order")), "")
    return TableMapping(next(texts), str(document.get("relation") or ""), next(texts), order)


def guess_mapping(columns: Sequence[str], first_rows: Sequence[Record], per: RowOf | None = None) -> TableMapping:
    """What a table's columns probably mean, by their names and their first rows; for an analyst to correct.

    `per` says what each row is, where that is known.
    """
    named = {column: "_".join(relation_words(str(column))) for column in columns if column}
    rows = first_rows[:_SAMPLE]
    known = known_table([*named])
    guess = _known(known, named, rows) if known and per is None else _guess(named, rows, per)
    dates = [column for column, meaning in guess.columns.items() if meaning in DATES]
    return replace(guess, day_order=shown_order(row.get(column) for column in dates for row in rows))


def row_of(mapping: TableMapping) -> RowOf:
    """Return what each row is by a mapping."""
    return "entity" if mapping.relations else "fact"


def _known(table: KnownTable, named: Mapping[str, str], rows: Sequence[Record]) -> TableMapping:
    """A table of a known kind; of one that names no value each property leads to one."""
    found = meanings_in(table, [*named])
    rest = [column for column in named if column not in found]
    if "target" in found.values():
        constant = "" if "relation" in found.values() else "RELATED_TO"
        return TableMapping({**found, **dict.fromkeys(rest, ATTRIBUTE)}, constant)
    relations = properties_in(rest)
    if not relations or "source" not in found.values():
        return _guess(named, rows, None)
    return TableMapping({**found, **{column: LEFT_OUT for column in rest if column not in relations}}, "", relations)


def _guess(named: Mapping[str, str], rows: Sequence[Record], per: RowOf | None) -> TableMapping:
    found = _by_names(named)
    if per == "fact" and "target" not in found.values():
        found = _with_ends(found, named, rows)
    if "target" in found.values() and per != "entity":
        rest = {column: ATTRIBUTE for column in named if column not in found}
        constant = "" if "relation" in found.values() else "RELATED_TO"
        return TableMapping({**found, **rest} if "source" in found.values() else found, constant)
    return _wide(named, rows)


def _with_ends(found: Mapping[str, str], named: Mapping[str, str], rows: Sequence[Record]) -> dict[str, str]:
    """The meanings with a source and a target: the first columns of names that mean nothing yet."""
    free = [c for c in named if c not in found and _holds_names([row.get(c) for row in rows])]
    wanted = [meaning for meaning in ("source", "target") if meaning not in found.values()]
    return {**found, **dict(zip(free, wanted, strict=False))}


def _by_names(named: Mapping[str, str]) -> dict[str, str]:
    """Columns by the first of their meaning's synonyms, each meaning once. Beside a subject, the source is whoever
    said so."""
    found = {column: "episode" for column, plain in named.items() if plain == "source" and "subject" in named.values()}
    for meaning, words in _SYNONYMS.items():
        ranked = [(words.index(plain), column) for column, plain in named.items() if plain in words]
        free = [(rank, column) for rank, column in ranked if column not in found]
        if free and meaning not in found.values():
            found[min(free, key=lambda one: one[0])[1]] = meaning
    return found


def _wide(named: Mapping[str, str], rows: Sequence[Record]) -> TableMapping:
    """A table of one row per entity: its key, and each other column as a relation to what stands there."""
    key = next((c for word in _KEYS for c, plain in named.items() if plain == word), None)
    key = key or _telling(named, rows) or _first_names(named, rows)
    if key is None:
        return TableMapping(dict.fromkeys(named, LEFT_OUT))
    days = {column: meaning for column, meaning in _by_names(named).items() if meaning in _DAYS and column != key}
    for column in date_columns(named, rows):
        free = next((meaning for meaning in ("valid_at", "invalid_at") if meaning not in days.values()), None)
        if column != key and column not in days and free:
            days[column] = free
    meanings, relations = {key: "source", **days}, {}
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


def date_columns(columns: Iterable[str], rows: Sequence[Record]) -> tuple[str, ...]:
    """The columns at least half of whose filled cells are days or months, however they are written."""
    return tuple(column for column in columns if _hold(_DAY.fullmatch, [row.get(column) for row in rows]))


def _hold(is_so: Callable[[str], object], cells: Iterable[Any]) -> bool:
    """True where at least half of the filled cells are so."""
    filled = [str(cell).strip() for cell in cells if cell is not None and str(cell).strip()]
    return bool(filled) and 2 * sum(1 for cell in filled if is_so(cell)) >= len(filled)


def _first_names(named: Mapping[str, str], rows: Sequence[Record]) -> str | None:
    """The first column of names, where another one follows that can be said of them."""
    found = [column for column in named if _holds_names([row.get(column) for row in rows])]
    return found[0] if len(found) > 1 else None


def _telling(named: Mapping[str, str], rows: Sequence[Record]) -> str | None:
    """The first column whose cells are names, each another one."""
    for column in named:
        cells = [row.get(column) for row in rows]
        if _holds_names(cells) and len(set(map(str, cells))) == len(cells):
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


def check_mapping(mapping: TableMapping, columns: Sequence[str]) -> None:
    """Raise `BadInput` for a mapping that gives no facts of a table with these columns, or that cannot be meant."""
    used = [meaning for meaning in mapping.columns.values() if meaning not in (ATTRIBUTE, LEFT_OUT)]
    if strange := next((meaning for meaning in used if meaning not in MEANINGS), None):
        raise BadInput(f"A column cannot be mapped to “{strange}”.", f"Choose among {', '.join(MEANINGS[:-1])}.")
    if missing := next((c for c in (*mapping.columns, *mapping.relations) if c not in columns), None):
        raise BadInput(f"The table has no column “{missing}”.", "Guess the mapping of this table again.")
    if twice := next((meaning for meaning in used if used.count(meaning) > 1), None):
        both = " and ".join(f"“{column}”" for column, meaning in mapping.columns.items() if meaning == twice)
        raise BadInput(f"{both} are both mapped to {twice}.", "Choose one of them.")
    if "source" not in used:
        raise BadInput(
            "No column is the source.", f"Say which column names the entity that a fact is about: {_listed(columns)}."
        )
    if mapping.relations:
        if "target" in used or "relation" in used or mapping.relation:
            column = next((c for c, m in mapping.columns.items() if m in ("target", "relation")), "")
            raise BadInput(
                "A table of one row per entity cannot have a column for a relation or a target"
                + (f", but “{column}” is mapped to one." if column else "."),
                "Take away one or the other.",
            )
        if unnamed := next((column for column, name in mapping.relations.items() if not name.strip()), None):
            raise BadInput(f"The relation of “{unnamed}” has no name.", "Name it, or leave the column out.")
        return
    if "target" not in used:
        raise BadInput(
            "No column is the target.", f"Say which column names what the fact leads to: {_listed(columns)}."
        )
    if ("relation" in used) == bool(mapping.relation.strip()):
        raise BadInput("Choose a relation: from a column, or one for all rows.", "Give one of the two.")


def _listed(columns: Sequence[str]) -> str:
    shown = ", ".join(f"“{column}”" for column in columns[:_NAMED])
    return shown + (f" and {len(columns) - _NAMED} more" if len(columns) > _NAMED else "")


def mapped(records: Sequence[Record], mapping: TableMapping) -> tuple[list[Record], list[int]]:
    """The records with the columns of a facts table, and the number of the record that each came from.

    One record per entity gives one for each of its relations.
    """
    found = [(row, number) for number, record in enumerate(records, 1) for row in _rows(record, mapping)]
    return [row for row, _ in found], [number for _, number in found]


def _rows(record: Record, mapping: TableMapping) -> Iterator[Record]:
    kept = {_column(column, meaning): record.get(column) for column, meaning in mapping.columns.items() if meaning}
    if mapping.day_order:
        kept |= {name: in_order(kept[name], mapping.day_order) for name in DATES if name in kept}
    known = {*mapping.columns, *mapping.relations}
    stray = {column: cell for column, cell in record.items() if "\0" in str(column) and column not in known}
    if not mapping.relations:
        yield {**kept, **({"relation": mapping.relation} if mapping.relation else {}), **stray}
    for column, relation in mapping.relations.items():
        cell = record.get(column)
        if cell is not None and str(cell).strip():
            yield {**kept, "relation": relation, "target": cell, **stray}


def _column(column: str, meaning: str) -> str:
    """The column of a facts table. An attribute that has the name of another one of these gets a name of its own."""
    if meaning != ATTRIBUTE:
        return meaning
    return column if meaning_of(column) not in _OURS else f"{meaning_of(column)}_column"


def meaning_of(column: str) -> str:
    """What a column of a facts table means by its name alone: one of `MEANINGS`, or an attribute of that name."""
    plain = re.sub(r"[\s\-]+", "_", column.strip()).lower()
    return plain if plain in _OURS else column.strip()
