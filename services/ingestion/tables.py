"""Reads facts from a file: rows that can be taken, and problems by row number and column."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from services import clock
from services.bulk import bulk_work
from services.errors import BadInput
from services.ingestion.files import MORE_CELLS, Record, records
from services.ingestion.rows import DATES, NAMES, TEXTS, Problem, Row
from services.ingestion.statements import LOG
from services.models import NO_ATTRIBUTES

ROW_AND_PROBLEM = ("asof_row", "asof_problem")
"""The columns that a file of bad rows has more; they are passed over when it is imported."""

_KNOWN = {*NAMES, *TEXTS, *DATES}
_NO_COLUMNS = {MORE_CELLS, *ROW_AND_PROBLEM}
_TYPES = ("source_type", "target_type")
_INT64 = 2**63
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")
_ENDS = ("invalid_at", "believed_invalid_at")


@dataclass(frozen=True, slots=True)
class FactTable:
    """A file of facts, read. `rejected` holds the records behind the problems, by row number."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    problems: tuple[Problem, ...]
    rejected: Mapping[int, Record]

    def needs_all(self) -> "FactTable":
        """This table, when every row can be taken.

        Raises `BadInput` that lists the first problems otherwise.
        """
        if not self.problems:
            return self
        shown = "; ".join(map(str, self.problems[:10]))
        more = f"; and {len(self.problems) - 10} more" if len(self.problems) > 10 else ""
        counted = f"{len(self.rejected)} bad row{'s' if len(self.rejected) > 1 else ''}"
        raise BadInput(
            f"{self.name} has {counted}, so nothing was imported: {shown}{more}.",
            "Correct the file, or import the good rows and set the bad ones aside (--rejects FILE).",
        )


def read_facts(name: str, content: bytes, *, inclusive_ends: bool = False) -> FactTable:
    """Read a file of facts. With `inclusive_ends` an end given as a date means "through that day".

    Raises `BadInput` when the file as a whole cannot be used.
    """
    with bulk_work():
        return _read(name, content, inclusive_ends)


def _read(name: str, content: bytes, inclusive_ends: bool) -> FactTable:
    found = records(name, content)
    if not found:
        raise BadInput(f"{name} holds no facts.", "Write one fact in each line after the names of the columns.")
    reader = _Reader(_meanings(name, found), inclusive_ends)
    rows: list[Row] = []
    problems: list[Problem] = []
    rejected: dict[int, Record] = {}
    for number, record in enumerate(found, 1):
        row, wrong = reader.row(number, record)
        if row is None:
            problems.extend(wrong)
            rejected[number] = record
        else:
            rows.append(row)
    return FactTable(name, tuple(c for c in reader.meanings if c != MORE_CELLS), tuple(rows), tuple(problems), rejected)


def _meanings(name: str, found: Sequence[Record]) -> dict[str, str]:
    """Column as the file spells it → what it means here (an attribute keeps its own name)."""
    spelled = dict.fromkeys(column for record in found for column in record)
    meanings = {column: _meaning(str(column)) for column in spelled if column not in _NO_COLUMNS}
    if odd := [meaning for meaning in meanings.values() if meaning and not _can_be_a_name(meaning)]:
        raise BadInput(f"{name} has a column “{odd[0][:80]}”, which cannot be an attribute's name.",
                       "Leave out backticks, tabs and line breaks.")  # fmt: skip
    used = list(meanings.values())
    if missing := [column for column in NAMES if column not in used]:
        raise BadInput(f"{name} has no column {' and no column '.join(missing)}.",
                       "A facts file needs the columns source, relation and target.")  # fmt: skip
    if twice := sorted({meaning for meaning in used if meaning and used.count(meaning) > 1}):
        raise BadInput(f"{name} has the column {twice[0]} twice.", "Rename or remove one of them.")
    if LOG in used:
        raise BadInput(f"{name} has a column {LOG}, which Asof keeps for itself.", "Rename it in the file.")
    return meanings


def _meaning(column: str) -> str:
    plain = re.sub(r"[\s\-]+", "_", column.strip()).lower()
    return plain if plain in _KNOWN else column.strip()


class _Reader:
    """Turns the records of one file into rows; the dates of a file repeat, so each spelling is read once."""

    def __init__(self, meanings: dict[str, str], inclusive_ends: bool) -> None:
        self.meanings = meanings
        dates = _dates(_instant)
        ends = _dates(_through) if inclusive_ends else dates
        self._columns: dict[str, tuple[str, bool, Callable[[Any], Any]]] = {
            column: (meaning, meaning in _KNOWN, ends if meaning in _ENDS else dates if meaning in DATES else
                     _type if meaning in _TYPES else _text if meaning in _KNOWN else _attribute)
            for column, meaning in meanings.items()
        }  # fmt: skip
        passed_over = (*ROW_AND_PROBLEM, *(column for column, meaning in meanings.items() if not meaning))
        self._columns |= dict.fromkeys(passed_over, ("", True, _passed_over))
        self._columns[MORE_CELLS] = "", True, _more_cells

    def row(self, number: int, record: Record) -> tuple[Row | None, list[Problem]]:
        cells: dict[str, Any] = {}
        attributes: dict[str, Any] = {}
        problems: list[Problem] = []
        for column, value in record.items():
            if value is None or value == "":
                continue
            meaning, known, read = self._columns[column]
            try:
                found = read(value)
            except BadInput as error:
                problems.append(Problem(number, meaning, error.message.rstrip(".")))
                continue
            if found is not None:
                (cells if known else attributes)[meaning] = found
        problems += _checked(number, cells, {p.column for p in problems} if problems else set())
        return (None if problems else Row(number=number, attributes=attributes or NO_ATTRIBUTES, **cells)), problems


def _passed_over(_cell: object) -> None:
    return None


def _more_cells(_cells: object) -> None:
    raise BadInput("it has more cells than the header has columns")


def _dates(read: Callable[[str | int | date], datetime]) -> Callable[[Any], datetime | None]:
    """`read` for the cells of a column of dates; the spellings of a file repeat, and each is read once."""
    known: dict[object, datetime] = {}

    def instant(value: Any) -> datetime | None:
        if isinstance(value, str):
            if found := known.get(value):
                return found
            if not value.strip():
                return None
        elif not isinstance(value, int | date) or isinstance(value, bool):
            raise BadInput(f"“{value}” is not a date")
        try:
            known[value] = found = read(value)
        except (ValueError, OverflowError) as error:
            raise BadInput(f"“{value}” is out of reach") from error
        return found

    return instant


def _instant(value: str | int | date) -> datetime:
    return clock.instant(value) if isinstance(value, date) else clock.parse_instant(str(value))


def _through(value: str | int | date) -> datetime:
    """The first instant after the day, month or year that `value` names; a time of day is an end as it stands."""
    start = _instant(value)
    if isinstance(value, datetime):
        return start
    match "day" if isinstance(value, date) else clock.precision(str(value)):
        case "year":
            return start.replace(year=start.year + 1)
        case "month":
            return (start + timedelta(days=31)).replace(day=1)
        case "day":
            return start + timedelta(days=1)
    return start


def _text(value: Any) -> str | None:
    if isinstance(value, str):
        if _UNWRITABLE.search(value):
            raise BadInput("it holds a character that no database can store")
        return value.strip() or None
    if isinstance(value, bool | dict | list | tuple | set | bytes):
        raise BadInput(f"text is wanted here, not {_kind(value)}")
    return str(value)


def _type(value: Any) -> str | None:
    """An entity's type, which becomes a label in the graph."""
    found = _text(value)
    if found is not None and not _can_be_a_name(found):
        raise BadInput(f"“{found[:80]}” cannot be a type: no backticks, tabs or line breaks")
    return found


def _can_be_a_name(text: str) -> bool:
    return text.isprintable() and "`" not in text


def _attribute(value: Any) -> Any:
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) < _INT64):
        return value
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, date):
        return clock.spell(value) if isinstance(value, datetime) else value.isoformat()
    return _text(value)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "yes or no"
    if isinstance(value, dict):
        return "an object"
    return "bytes" if isinstance(value, bytes) else "a list"


def _checked(number: int, cells: Mapping[str, Any], unread: set[str]) -> list[Problem]:
    """What is wrong with cells that could each be read."""
    problems = [Problem(number, name, "it is missing") for name in NAMES if name not in cells and name not in unread]
    start = cells.get("valid_at")
    if start is None:
        return problems
    for column in _ENDS:
        end = cells.get(column)
        if end is not None and end <= start:
            problems.append(Problem(number, column, f"the end {_short(end)} is not after the start {_short(start)}"))
    return problems


def _short(value: datetime) -> str:
    return clock.spell(value).replace("T00:00:00+00:00", "").replace("+00:00", "Z")
