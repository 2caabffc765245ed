"""Reads the cells of one column: text, a type, a date, an attribute's value."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, get_args

from services.core import clock
from services.core.errors import BadInput
from services.core.models import Precision
from services.graph.raw import UUID_LABELS

Reader = Callable[[Any], Any]
"""What makes a value of a cell; None is a cell that says nothing. Raises `BadInput` when it cannot be read."""

UNDATED: tuple[None, Precision] = None, "instant"
"""What `dated` would say of a cell that names no date."""
LONGEST_NAME = 1_000
LONGEST_TEXT = 1_000_000
"""Characters: what is longer is a text, and names nothing."""
_YES, _NO = {"true", "yes", "1", "1.0", "y", "x"}, {"false", "no", "0", "0.0", "n", "", "none", "nan"}
_TEXTS = {str, type(None)}
_INT64 = 2**63
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")
_OTHER_KINDS = sorted({*UUID_LABELS} - {"Entity"})
"""Labels by which an entity would be read, and deleted, as an episode, a former name or a community as well."""
_NO_TYPES = f"use no backticks, tabs or line breaks, and none of the names {', '.join(_OTHER_KINDS)}"


class Spellings(dict[str | None, Any]):
    """The values of cells as they are spelled: spellings repeat, so each text is read once.

    `empty` stands where a cell says nothing.
    """

    def __init__(self, read: Reader, empty: Any) -> None:
        super().__init__({None: empty, "": empty})
        self._read = read
        self._empty = empty

    def __missing__(self, cell: str) -> Any:
        self[cell] = found = self.value(cell)
        return found

    def value(self, cell: Any) -> Any:
        """The value of a cell, met before or not."""
        if cell is None or cell == "":
            return self._empty
        try:
            found = self._read(cell)
        except BadInput as error:
            hint = f": {error.hint[:1].lower()}{error.hint[1:].rstrip('.')}" if error.hint else ""
            return _Unread(f"{error.message.rstrip('.')}{hint}")
        return self._empty if found is None else found

    def column(self, cells: Sequence[Any]) -> tuple[list[Any], Mapping[int, str]]:
        """The values of a column's cells, and by position why a cell cannot be read.

        Only texts are remembered: 1, 1.0 and True are equal, and yet not the same.
        """
        texts = set(map(type, cells)) <= _TEXTS
        values = list(map(self.__getitem__ if texts else self.value, cells))
        if _Unread not in set(map(type, values)):
            return values, {}
        unread = {i: value for i, value in enumerate(values) if isinstance(value, _Unread)}
        for position in unread:
            values[position] = self._empty
        return values, unread


class _Unread(str):
    """Why a cell could not be read, where its value would stand."""

    __slots__ = ()


def text(value: Any) -> str | None:
    """A text without the space around it; a number becomes its digits."""
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise BadInput(f"the text has {len(value):,} characters; the limit is {LONGEST_TEXT:,}")
        if _UNWRITABLE.search(value):
            raise BadInput("the text contains a character that Asof cannot store")
        return value.strip() or None
    if isinstance(value, bool | dict | list | tuple | set | bytes):
        raise BadInput(f"must be text, not {_kind(value)}")
    return None if isinstance(value, float) and math.isnan(value) else str(value)


def name(value: Any) -> str | None:
    """The name of an entity or of a relation."""
    found = text(value)
    if found is not None and len(found) > LONGEST_NAME:
        raise BadInput(f"the name has {len(found):,} characters; the limit is {LONGEST_NAME:,}")
    return found


def check_stated(source: str, relation: str, target: str) -> None:
    """Raise `BadInput` for a fact of which something is missing, or that names something at great length."""
    for label, given in (("entity", source), ("relation", relation), ("value", target)):
        if not given.strip():
            raise BadInput(f"The {label} is empty.", "A fact needs an entity, a relation and a value.")
        if len(given) > LONGEST_NAME:
            raise BadInput(f"The {label} has {len(given):,} characters.", f"Use at most {LONGEST_NAME:,} characters.")


def entity_type(value: Any) -> str | None:
    """An entity's type, which becomes a label in the graph."""
    found = text(value)
    if found is not None and not can_be_a_type(found):
        raise BadInput(f"“{found[:80]}” cannot be a type: {_NO_TYPES}")
    return found


def attribute(value: Any) -> Any:
    """A value that both databases store as it is; others as text."""
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) < _INT64):
        return value
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, date):
        return clock.spell(value) if isinstance(value, datetime) else value.isoformat()
    return text(value)


def instant(value: Any) -> datetime | None:
    """A date in any spelling, or a cell that is one."""
    return _dated(value, _instant)


def through(value: Any) -> datetime | None:
    """The first instant after the day, month or year that a cell names; a time of day is an end as it stands."""
    return _dated(value, _after)


def dated(value: Any) -> tuple[datetime, Precision] | None:
    """A date in any spelling, and how the cell names it."""
    at = instant(value)
    return None if at is None else (at, date_precision(value))


def dated_through(value: Any) -> tuple[datetime, Precision] | None:
    """The first instant after the day, month or year that a cell names, and which of them that is."""
    at = through(value)
    return None if at is None else (at, date_precision(value))


def date_precision(value: Any) -> Precision:
    """How a cell that `instant` reads names its date; an unreadable one names none."""
    if isinstance(value, date):
        return "instant" if isinstance(value, datetime) else "day"
    try:
        return clock.precision(str(value))
    except (ValueError, OverflowError):
        return "instant"


def precision(value: Any) -> Precision | None:
    """A cell that says how a date is given."""
    given = (text(value) or "").lower()
    found: Precision | None = next((one for one in get_args(Precision) if one == given), None)
    if given and found is None:
        raise BadInput(f"“{given[:80]}” is not a valid precision: use year, month, day or instant")
    return found


def yes(value: Any) -> bool | None:
    """True for a cell that says yes; one that says no says nothing."""
    given = str(value).strip().lower()
    if given not in _YES and given not in _NO:
        raise BadInput(f"“{given[:80]}” is neither yes nor no")
    return True if given in _YES else None


def can_be_a_name(name: str) -> bool:
    """True for what can name a type or an attribute in the graph."""
    return name.isprintable() and "`" not in name


def can_be_a_type(name: str) -> bool:
    """True for what can name a type of entities in the graph."""
    return can_be_a_name(name) and name not in _OTHER_KINDS


def _dated(value: Any, read: Callable[[str | int | date], datetime]) -> datetime | None:
    if isinstance(value, str):
        if not value.strip():
            return None
    elif not isinstance(value, int | date) or isinstance(value, bool):
        raise BadInput(f"“{value}” is not a valid date")
    try:
        return read(value)
    except (ValueError, OverflowError) as error:
        raise BadInput(f"the date “{value}” is out of range: use a year before 9999") from error


def _instant(value: str | int | date) -> datetime:
    return clock.instant(value) if isinstance(value, date) else clock.parse_instant(str(value))


def _after(value: str | int | date) -> datetime:
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


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "yes or no"
    if isinstance(value, dict):
        return "an object"
    return "bytes" if isinstance(value, bytes) else "a list"
