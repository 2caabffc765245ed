"""Reads facts from a file: rows that can be taken, and problems by row number and column."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from services import clock
from services.errors import BadInput
from services.ingestion.files import MORE_CELLS, Record, records
from services.ingestion.rows import DATES, NAMES, TEXTS, Problem, Row
from services.ingestion.statements import LOG

_KNOWN = {*NAMES, *TEXTS, *DATES}
_ENDS = {"invalid_at", "believed_invalid_at"}
_TIME_OF_DAY = re.compile(r"\d:\d|T\d", re.IGNORECASE)


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
    meanings = {column: _meaning(str(column)) for column in spelled if column != MORE_CELLS}
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
        self._inclusive = inclusive_ends
        self._instants: dict[tuple[object, bool], datetime] = {}

    def row(self, number: int, record: Record) -> tuple[Row | None, list[Problem]]:
        cells: dict[str, Any] = {}
        attributes: dict[str, Any] = {}
        problems: list[Problem] = []
        for column, value in record.items():
            if value is None or value == "":
                continue
            if column == MORE_CELLS:
                problems.append(Problem(number, "", "it has more cells than the header has columns"))
                continue
            meaning = self.meanings[column]
            try:
                read = self._cell(meaning, value)
            except BadInput as error:
                problems.append(Problem(number, meaning, error.message.rstrip(".")))
                continue
            if read is not None:
                (cells if meaning in _KNOWN else attributes)[meaning] = read
        problems += _checked(number, cells, {p.column for p in problems})
        return (None if problems else Row(number=number, attributes=attributes, **cells)), problems

    def _cell(self, meaning: str, value: Any) -> Any:
        if meaning in DATES:
            return self._date(value, self._inclusive and meaning in _ENDS)
        if isinstance(value, str):
            return value.strip() or None
        return _text(value) if meaning in _KNOWN else _attribute(value)

    def _date(self, value: Any, inclusive: bool) -> datetime | None:
        if isinstance(value, str) and not value.strip():
            return None
        if not isinstance(value, str | int | date) or isinstance(value, bool):
            raise BadInput(f"“{value}” is not a date")
        key = (value, inclusive)
        if key not in self._instants:
            try:
                self._instants[key] = _through(value) if inclusive else _instant(value)
            except (ValueError, OverflowError) as error:
                raise BadInput(f"“{value}” is out of reach") from error
        return self._instants[key]


def _instant(value: str | int | date) -> datetime:
    return clock.instant(value) if isinstance(value, date) else clock.parse_instant(str(value))


def _through(value: str | int | date) -> datetime:
    """The first instant after the day (or month, or year) that `value` names; a time of day is an end as it stands."""
    start = _instant(value)
    if isinstance(value, datetime) or (isinstance(value, str) and _TIME_OF_DAY.search(value)):
        return start
    text = str(value).strip()
    if re.fullmatch(r"\d{4}", text):
        return start.replace(year=start.year + 1)
    if re.fullmatch(r"\d{4}-\d{1,2}", text):
        return (start + timedelta(days=31)).replace(day=1)
    return start + timedelta(days=1)


def _text(value: Any) -> str:
    if isinstance(value, bool | dict | list | tuple | set | bytes):
        raise BadInput(f"text is wanted here, not {_kind(value)}")
    return str(value)


def _attribute(value: Any) -> Any:
    if isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else value
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
    for column in ("invalid_at", "believed_invalid_at"):
        end = cells.get(column)
        if start is not None and end is not None and end <= start:
            problems.append(Problem(number, column, f"the end {_short(end)} is not after the start {_short(start)}"))
    return problems


def _short(value: datetime) -> str:
    return clock.spell(value).replace("T00:00:00+00:00", "").replace("+00:00", "Z")
