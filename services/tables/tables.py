"""Reads facts from a file: rows that can be taken, and problems by row number and column."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import chain, repeat
from typing import Any

from services.core import clock
from services.core.errors import BadInput
from services.core.gc_pause import gc_pause
from services.core.import_rows import DATES, ENDED_UNKNOWN, NAMES, PRECISIONS, TEXTS, Row, RowProblem
from services.core.models import NO_ATTRIBUTES, STATEMENTS, Attributes, Precision
from services.core.precision import is_as_exact, stored_end
from services.tables import cells
from services.tables.day_order import DayOrder, in_order, open_date
from services.tables.files import MORE_CELLS, Record, TableFile, open_table, records
from services.tables.mapping import TableMapping, check_mapping, listed, mapped, meaning_of

ROW_AND_PROBLEM = ("asof_row", "asof_problem")
"""The columns that a file of bad rows has more; they are passed over when it is imported."""

SOURCES = "asof_sources"
"""The column of an exported file that names what states each fact; it is passed over, too."""

_KNOWN = {*NAMES, *TEXTS, *DATES, *PRECISIONS, ENDED_UNKNOWN}
_NO_COLUMNS = {MORE_CELLS, *ROW_AND_PROBLEM, SOURCES}
_ENDS = ("invalid_at", "believed_invalid_at")
_SPAN = {name.removesuffix("_precision"): name for name in PRECISIONS}
"""The dates of a fact that remember how they were given, each with the column that says so."""
_RETIRED = ("invalid_at", "expired_at", "withdrawn_at")
_RECORDED = ("created_at", "expired_at", "withdrawn_at")
_SAY_ORDER = (
    "Give the order of dates such as 02.05.2016 with --date-order day-first or month-first. On the Ingest page, "
    "choose it on the Table tab."
)
_LATE = timedelta(minutes=1)
"""So far the clock of who wrote a file may be ahead of ours."""
_READERS: Mapping[str, cells.Reader] = {
    **dict.fromkeys(NAMES, cells.name),
    **dict.fromkeys(TEXTS, cells.text),
    **dict.fromkeys(("source_type", "target_type"), cells.entity_type),
    **dict.fromkeys(DATES, cells.instant),
    **dict.fromkeys(_SPAN, cells.dated),
    **dict.fromkeys(PRECISIONS, cells.precision),
    ENDED_UNKNOWN: cells.yes,
}
_FIELDS = {name: Row._field_defaults.get(name, "") for name in Row._fields[1:-1]}
"""The columns of a row in its own order, each with the value of a cell that is not given."""
_EMPTY: Mapping[str, Any] = {
    **_FIELDS,
    **dict.fromkeys(_SPAN, cells.UNDATED),
    **dict.fromkeys(PRECISIONS),
}
"""What stands in a column as it is read where a cell says nothing."""


@dataclass(frozen=True, slots=True)
class FactTable:
    """A file of facts, read. `rejected` holds the file's records behind the problems, by row number.

    Each row of the file is counted once: `good` are those that give a fact or several, `without_fact` those that give
    none, since no cell says what their entity is related to; the others are in `rejected`. Of an Excel file `sheet`
    was read, and the `other_sheets` with rows were not.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    good: int
    without_fact: int
    problems: tuple[RowProblem, ...]
    rejected: Mapping[int, Record]
    sheet: str = ""
    other_sheets: tuple[str, ...] = ()

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
            f"{self.name} has {counted}, so Asof imported nothing: {shown}{more}.",
            _SAY_ORDER
            if any(problem.needs_order for problem in self.problems)
            else (
                "Correct the file, or import only the good rows and write the bad ones to another file (--rejects "
                "FILE)."
            ),
        )


def read_facts(
    name: str,
    content: bytes,
    *,
    inclusive_ends: bool = False,
    mapping: TableMapping | None = None,
    day_order: DayOrder = "",
    sheet: str = "",
) -> FactTable:
    """Open a file and read its facts, as `facts_of` does."""
    file = open_table(name, content)
    return facts_of(file, inclusive_ends=inclusive_ends, mapping=mapping, day_order=day_order, sheet=sheet)


@gc_pause()
def facts_of(
    file: TableFile,
    *,
    inclusive_ends: bool = False,
    mapping: TableMapping | None = None,
    day_order: DayOrder = "",
    sheet: str = "",
) -> FactTable:
    """Read the facts of a file, or of a `sheet`. With `inclusive_ends` an end given as a date means "through that day".

    `mapping` says what the columns mean where their names do not, and without one `day_order` how dates are written.
    The facts of one row of a table of one row per entity have its number, and are bad together. Raises `BadInput` when
    the file as a whole cannot be used.
    """
    given = found = records(file, sheet)
    numbers: Sequence[int] = range(1, len(given) + 1)
    own = columns_of(given)
    if mapping is not None:
        check_mapping(mapping, own)
        found, numbers = mapped(given, mapping)
    if not found:
        raise BadInput(f"{_named(file, sheet)} contains no facts.", "Write one fact per line below the column names.")
    meanings = _meanings(file, sheet, columns_of(found))
    if mapping is None and day_order:
        found = _in_order(given, meanings, day_order)
    reader = _Reader(found, numbers, inclusive_ends)
    reader.read(meanings)
    own_names = {meaning: column for column, meaning in mapping.columns.items()} if mapping else {}
    distinct = dict.fromkeys(
        replace(problem, column=own_names.get(problem.column, problem.column))
        for problem in (*reader.problems, *reader.checked())
    )
    problems = sorted(distinct, key=lambda problem: problem.number)
    rejected = {problem.number: given[problem.number - 1] for problem in problems}
    rows = tuple(row for row in reader.rows() if row.number not in rejected)
    used = len(set(numbers))
    read = file.sheet(sheet)
    others = tuple(name for name in file.sheets if name != read)
    good, without_fact = used - len(rejected), len(given) - used
    return FactTable(file.name, own, rows, good, without_fact, tuple(problems), rejected, read, others)


def columns_of(found: Sequence[Record]) -> tuple[str, ...]:
    """The columns that records have, in the order in which they come."""
    spelled = dict.fromkeys(chain.from_iterable(dict.fromkeys(map(tuple, found))))
    return tuple(str(column) for column in spelled if column not in _NO_COLUMNS)


def _in_order(given: Sequence[Record], meanings: Mapping[str, str], order: DayOrder) -> list[Record]:
    """The records with their dates as year, month and day."""
    dated = [column for column, meaning in meanings.items() if meaning in DATES]
    return [{**one, **{column: in_order(one[column], order) for column in dated if column in one}} for one in given]


def _named(file: TableFile, sheet: str) -> str:
    """The file by its name, with the sheet that is read where there are others."""
    return f"{file.name} (sheet “{file.sheet(sheet)}”)" if len(file.sheets) > 1 else file.name


def _meanings(file: TableFile, sheet: str, columns: Sequence[str]) -> dict[str, str]:
    """Column as the file spells it → what it means here (an attribute keeps its own name)."""
    name = _named(file, sheet)
    meanings = {column: meaning_of(column) for column in columns}
    if odd := [meaning for meaning in meanings.values() if meaning and not cells.can_be_a_name(meaning)]:
        raise BadInput(
            f"{name}: the column name “{odd[0][:80]}” is not a valid attribute name.",
            "Leave out backticks, tabs and line breaks.",
        )
    used = list(meanings.values())
    if missing := [column for column in NAMES if column not in used]:
        raise BadInput(
            f"{name} has no column {' and no column '.join(missing)}; its columns are {listed(columns)}.",
            "Rename the columns to source, relation and target, or map them on the Table tab of the Ingest page."
            + _other_sheets(file, sheet),
        )
    if twice := sorted(meaning for meaning, count in Counter(used).items() if meaning and count > 1):
        raise BadInput(f"{name} has the column {twice[0]} twice.", "Rename or remove one of them.")
    if STATEMENTS in used:
        raise BadInput(f"{name} has a column {STATEMENTS}. Asof reserves this name.", "Rename the column in the file.")
    return meanings


def _other_sheets(file: TableFile, sheet: str) -> str:
    """The sheets that may have the columns which the one that is read lacks."""
    others = [name for name in file.sheets if name != file.sheet(sheet)]
    return f" Other sheets: {listed(others)}. Choose one with --sheet NAME." if others else ""


class _Reader:
    """Turns the records of one file into rows, a column at a time."""

    def __init__(self, found: Sequence[Record], numbers: Sequence[int], inclusive_ends: bool) -> None:
        self._found = found
        self._numbers = numbers
        through = cells.dated_through, cells.through
        self._ends = dict(zip(_ENDS, through, strict=True)) if inclusive_ends else {}
        self._spellings: dict[tuple[cells.Reader, Any], cells.Spellings] = {}
        self._columns: dict[str, list[Any]] = {}
        self._attributes: dict[str, list[Any]] = {}
        self.problems: list[RowProblem] = []

    def read(self, meanings: Mapping[str, str]) -> None:
        """Read the columns; cells beyond those of the header are a problem of their row."""
        for column, meaning in meanings.items():
            if meaning in _KNOWN:
                reader = self._ends.get(meaning) or _READERS[meaning]
                self._columns[meaning] = self._column(column, meaning, reader, _EMPTY[meaning])
            elif meaning:
                self._attributes[meaning] = self._column(column, meaning, cells.attribute, None)
        self._column(MORE_CELLS, "", _more_cells, None)
        for dated, precision in _SPAN.items():
            self._columns[precision] = self._precisions(dated) if dated in self._columns else []
        if self._columns.keys() >= _SPAN.keys():
            spans = zip(
                *(self._columns[name] for name in ("valid_at", "invalid_at", "invalid_at_precision")), strict=True
            )
            self._columns["invalid_at"] = [
                end if start is None or end is None or end > start else stored_end(start, end, precision)
                for start, end, precision in spans
            ]

    def _precisions(self, dated: str) -> list[Precision]:
        """Take apart a column of dates; return how they are given: as another column says, or as they are written.

        The end of a day, month or year that an inclusive end names is an instant.
        """
        found = self._columns[dated]
        self._columns[dated] = [at for at, _ in found]
        written: list[Precision] = [precision for _, precision in found]
        named = self._columns.get(_SPAN[dated])
        if dated in self._ends:
            through = [own != "instant" for own in written]
            written = ["instant"] * len(written)
            named = named and [None if skipped else one for one, skipped in zip(named, through, strict=True)]
        return written if named is None else self._named(dated, named, written)

    def _named(self, dated: str, named: Sequence[Precision | None], written: Sequence[Precision]) -> list[Precision]:
        """What a column says of how dates are given; a date that is more exact than that is a problem."""
        given = zip(self._columns[dated], named, written, strict=True)
        found: list[Precision] = [(one or own) if at is not None else "instant" for at, one, own in given]
        for number, at, precision in zip(self._numbers, self._columns[dated], found, strict=True):
            if precision != "instant" and not is_as_exact(at, precision):
                reason = f"the date {_short(at)} is more precise than a {precision}"
                self.problems.append(RowProblem(number, _SPAN[dated], reason))
        return found

    def _column(self, column: str, meaning: str, reader: cells.Reader, empty: Any) -> list[Any]:
        if (reader, empty) not in self._spellings:  # the dates of two columns are often the same
            self._spellings[reader, empty] = cells.Spellings(reader, empty)
        given = [record.get(column) for record in self._found]
        values, unread = self._spellings[reader, empty].column(given)
        self.problems += [
            RowProblem(
                self._numbers[position], meaning, reason, meaning in DATES and bool(open_date([given[position]]))
            )
            for position, reason in unread.items()
        ]
        return values

    def checked(self) -> Iterator[RowProblem]:
        """What is wrong with cells that could each be read."""
        unread = {(problem.number, problem.column) for problem in self.problems}
        for name in NAMES:
            for number, value in zip(self._numbers, self._columns[name], strict=True):
                if not value and (number, name) not in unread:
                    yield RowProblem(number, name, "the value is missing")
        yield from self._misrecorded()
        yield from self._over_before_begun()
        starts = self._columns.get("valid_at", ())
        for column in _ENDS:
            ends = self._columns.get(column, ())
            for number, start, end in zip(self._numbers, starts, ends, strict=False):
                if start is not None and end is not None and end <= start:
                    reason = f"the end {_short(end)} must be after the start {_short(start)}"
                    yield RowProblem(number, column, reason)

    def _misrecorded(self) -> Iterator[RowProblem]:
        """What no graph can have recorded: something that is still to come, or a record that ended before it began."""
        latest = clock.now() + _LATE
        for column in _RECORDED:
            for number, at in zip(self._numbers, self._columns.get(column, ()), strict=False):
                if at is not None and at > latest:
                    yield RowProblem(number, column, f"{_short(at)} is in the future")
        made, expired = (self._columns.get(column, ()) for column in ("created_at", "expired_at"))
        for number, start, end in zip(self._numbers, made, expired, strict=False):
            if start is not None and end is not None and end < start:
                yield RowProblem(number, "expired_at", f"{_short(end)} is before created_at, {_short(start)}")

    def _over_before_begun(self) -> Iterator[RowProblem]:
        """What is said to have ended by now, or when the row was recorded, and begins later."""
        now = clock.now()
        given = (self._columns.get(name) or repeat(None) for name in ("valid_at", *_RETIRED, "created_at"))
        rows = zip(self._numbers, self._columns.get(ENDED_UNKNOWN, ()), *given, strict=False)
        for number, over, start, *stops, made in rows:
            if over and start is not None and not any(stops) and start >= (made or now):
                yield RowProblem(number, ENDED_UNKNOWN, f"the fact cannot end before its start {_short(start)}")

    def rows(self) -> list[Row]:
        """The rows, bad ones too."""
        columns = [self._columns.get(name) or repeat(empty) for name, empty in _FIELDS.items()]
        return list(map(Row, self._numbers, *columns, self._attributes_of_rows()))

    def _attributes_of_rows(self) -> Iterator[Attributes]:
        if not self._attributes:
            return repeat(NO_ATTRIBUTES)
        names = tuple(self._attributes)
        by_row = zip(*self._attributes.values(), strict=True)
        return ({n: v for n, v in zip(names, row, strict=True) if v is not None} or NO_ATTRIBUTES for row in by_row)


def _more_cells(_cells: object) -> None:
    raise BadInput("the row has more cells than the header has columns")


def _short(value: datetime) -> str:
    return clock.spell(value).replace("T00:00:00+00:00", "").replace("+00:00", "Z")
