"""What the columns of a table mean, and its rows under our names: tables of facts, and of one row per entity."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from services.core.errors import BadInput
from services.core.import_rows import DATES, ENDED_UNKNOWN, NAMES, PRECISIONS, TEXTS
from services.tables.day_order import DayOrder, in_order
from services.tables.files import Record

ATTRIBUTE = "attribute"
"""The meaning of a column that becomes an attribute of the fact, under its own name."""
LEFT_OUT = ""
_OURS = (*NAMES, *TEXTS, *DATES, *PRECISIONS, ENDED_UNKNOWN)
MEANINGS = (*_OURS, ATTRIBUTE, LEFT_OUT)

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
        raise BadInput("Asof cannot read the column mapping.", 'Write {"columns": {"who": "source", …}}.')
    texts = ({str(k): str(v) for k, v in one.items()} for one in (columns, relations))
    order: DayOrder = next((one for one in get_args(DayOrder.__value__) if one == document.get("day_order")), "")
    return TableMapping(next(texts), str(document.get("relation") or ""), next(texts), order)


def row_of(mapping: TableMapping) -> RowOf:
    """Return what each row is by a mapping."""
    return "entity" if mapping.relations else "fact"


def check_mapping(mapping: TableMapping, columns: Sequence[str]) -> None:
    """Raise `BadInput` for a mapping that gives no facts of a table with these columns, or that cannot be meant."""
    used = [meaning for meaning in mapping.columns.values() if meaning not in (ATTRIBUTE, LEFT_OUT)]
    if strange := next((meaning for meaning in used if meaning not in MEANINGS), None):
        raise BadInput(f"You cannot map a column to “{strange}”.", f"Choose one of {', '.join(MEANINGS[:-1])}.")
    if missing := next((c for c in (*mapping.columns, *mapping.relations) if c not in columns), None):
        raise BadInput(f"The table has no column “{missing}”.", "Map this table's columns again.")
    if twice := next((meaning for meaning in used if used.count(meaning) > 1), None):
        both = " and ".join(f"“{column}”" for column, meaning in mapping.columns.items() if meaning == twice)
        raise BadInput(f"{both} are both mapped to {twice}.", "Map only one of the columns.")
    if "source" not in used:
        raise BadInput(
            "The mapping has no source column.",
            f"Choose the column that contains the entity of each fact: {listed(columns)}.",
        )
    if mapping.relations:
        if "target" in used or "relation" in used or mapping.relation:
            column = next((c for c, m in mapping.columns.items() if m in ("target", "relation")), "")
            raise BadInput(
                "A table with one row per entity cannot have a relation or target column"
                + (f", but “{column}” is mapped to one." if column else "."),
                "Map no column to relation or target, or use one row per fact.",
            )
        if unnamed := next((column for column, name in mapping.relations.items() if not name.strip()), None):
            raise BadInput(f"The relation of “{unnamed}” has no name.", "Enter a name, or leave out the column.")
        return
    if "target" not in used:
        raise BadInput(
            "The mapping has no target column.",
            f"Choose the column that contains the value of each fact: {listed(columns)}.",
        )
    if ("relation" in used) == bool(mapping.relation.strip()):
        raise BadInput(
            "The mapping needs exactly one relation.",
            "Choose either a column for the relation, or one relation for all rows.",
        )


def listed(columns: Sequence[str]) -> str:
    """Return the names of columns or sheets, the first ones where there are many."""
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
