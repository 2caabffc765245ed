"""Results as tables of pandas, with the types that their database names."""

import io
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

from services.core.formulas import harmless
from services.sql import QueryResult

if TYPE_CHECKING:
    import pandas as pd

ColumnKind = Literal["number", "instant", "text"]

_NUMBERS = re.compile(
    r"(u?(tiny|small|big|huge)?int(eger)?\d*|int\d|float\d*|double|real|numeric|decimal|money|serial)\b", re.I
)
_INSTANT = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)?)?")
_INSTANTS = re.compile(r"(date|timestamp|datetime)", re.I)


def column_kind(type_name: str) -> ColumnKind:
    """Return what a column holds by its type: "text" is all that is neither a number nor a date."""
    if _INSTANTS.match(type_name):
        return "instant"
    return "number" if _NUMBERS.match(type_name) and not type_name.endswith("]") else "text"


def is_instant(value: str) -> bool:
    """True for a date or an instant as results spell them."""
    return _INSTANT.fullmatch(value) is not None


def unlike(names: tuple[str, ...]) -> list[str]:
    """Return the names of columns, with a number where two are the same."""
    seen: dict[str, int] = {}
    taken = set(names)
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        other = name
        while seen[name] > 1 and other in taken:
            other = f"{name}_{seen[name]}"
            seen[name] += other in taken
        taken.add(other)
        found.append(other)
    return found


def frame_of(result: QueryResult) -> "pd.DataFrame":
    """Return a result as a table; a column whose values do not fit its type stays as it came."""
    import pandas as pd

    names = unlike(result.columns)
    frame = pd.DataFrame(list(map(list, result.rows)), columns=names, dtype=object)
    for name, type_name in zip(names, result.types, strict=True):
        frame[name] = _typed(frame[name], type_name)
    return frame


def _typed(column: "pd.Series[Any]", type_name: str) -> "pd.Series[Any]":
    import pandas as pd

    kind = column_kind(type_name)
    try:
        if kind == "number":
            return _numbers(column)
        if kind == "instant":
            return pd.to_datetime(column, format="ISO8601")
        return column if column.map(_is_plain).all() else column.map(_as_text)
    except (ValueError, TypeError, OverflowError):
        return column.map(_as_text)


def _numbers(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Return numbers with all their digits: whole ones beside empty cells are no floats, nor is a long decimal."""
    import pandas as pd

    values = column.dropna()
    if len(values) and values.map(_is_whole).all():
        return column.astype("Int64")
    if values.map(_is_exact).all():
        return pd.to_numeric(column).convert_dtypes()
    return column.map(_as_text)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_exact(value: Any) -> bool:
    """False for what a float would hold other digits of, such as a decimal that came as text."""
    if isinstance(value, str):
        return Decimal(repr(float(value))) == Decimal(value)
    return not _is_whole(value) or int(float(value)) == value


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _as_text(value: Any) -> str | None:
    return None if value is None else str(value)


def as_csv(result: QueryResult) -> str:
    """Return a result as CSV of which no cell is one that a spreadsheet would run."""
    import csv

    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(map(harmless, result.columns))
    writer.writerows(map(_cell, row) for row in result.rows)
    return written.getvalue()


def _cell(value: Any) -> Any:
    if value is None or isinstance(value, int | float):
        return "" if value is None else value
    return harmless(str(value))


def as_parquet(result: QueryResult) -> bytes:
    """Return a result as Parquet."""
    written = io.BytesIO()
    frame_of(result).to_parquet(written, index=False)
    return written.getvalue()
