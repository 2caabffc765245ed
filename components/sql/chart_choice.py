"""Which chart fits a result: chosen by what its columns hold, with the reason in words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from components.markup import quoted
from components.sql.frames import column_kind, unlike
from services.sql import QueryResult

if TYPE_CHECKING:
    import pandas as pd

ChartKind = Literal["line", "bars", "stacked", "points"]
KINDS: dict[ChartKind, str] = {"line": "Line", "bars": "Bars", "stacked": "Stacked bars", "points": "Points"}
MOST_SERIES, MOST_BARS, MOST_POINTS = 6, 40, 5_000
_TOTALS = ("total", "sum", "all", "overall")
_KEYS = ("id", "uuid", "key", "code", "number", "no")
_YEARS = ("year", "yr", "jahr")


@dataclass(frozen=True, slots=True)
class ChartColumns:
    """The columns of a result by what a chart can do with them."""

    instants: tuple[str, ...]
    texts: tuple[str, ...]
    ordered: tuple[str, ...]
    numbers: tuple[str, ...]

    @property
    def across(self) -> tuple[str, ...]:
        """The columns that can stand below a chart."""
        return (*self.instants, *self.ordered, *self.texts, *self.numbers)


@dataclass(frozen=True, slots=True)
class ChartChoice:
    """A chart: `ys` drawn over `x`, for each value of `split` apart where there is one. `why` is a sentence."""

    kind: ChartKind
    x: str
    ys: tuple[str, ...]
    split: str = ""
    why: str = ""


def columns_of(result: QueryResult, frame: "pd.DataFrame") -> ChartColumns:
    """Sort the columns of a result by what they hold; years count as an order, keys as texts."""
    found: dict[str, list[str]] = {"instant": [], "text": [], "ordered": [], "number": []}
    for name, type_name in zip(unlike(result.columns), result.types, strict=True):
        kind: str = column_kind(type_name)
        if frame[name].map(lambda value: isinstance(value, str)).any():
            kind = "text"
        if kind == "number":
            kind = "ordered" if _is_year(name, frame[name]) else "text" if _is_key(name) else "number"
        found[kind].append(name)
    return ChartColumns(*(tuple(found[kind]) for kind in ("instant", "text", "ordered", "number")))


def chosen(result: QueryResult, frame: "pd.DataFrame") -> ChartChoice | None:
    """Return the chart that fits; None where a chart would say no more than the table."""
    columns = columns_of(result, frame)
    if len(frame) < 2 or not columns.numbers:
        return None
    if columns.instants:
        return _over_time(columns, frame)
    if columns.ordered or columns.texts:
        return _by_category(columns, frame)
    return _points(columns) if len(columns.numbers) > 1 else None


def _over_time(columns: ChartColumns, frame: "pd.DataFrame") -> ChartChoice:
    x, ys = columns.instants[0], columns.numbers[:MOST_SERIES]
    split = next((text for text in columns.texts if _is_split(frame, x, text)), "") if len(ys) == 1 else ""
    each = f", with one line per {split}" if split else ""
    return ChartChoice("line", x, ys, split, f"Line chart, because “{x}” is a date{each}.")


def _by_category(columns: ChartColumns, frame: "pd.DataFrame") -> ChartChoice:
    x = (*columns.ordered, *columns.texts)[0]
    ys = tuple(y for y in columns.numbers if not _is_total(y, columns.numbers, frame))[:MOST_SERIES]
    split = (
        next((text for text in columns.texts if text != x and _is_split(frame, x, text)), "") if len(ys) == 1 else ""
    )
    if split:
        return ChartChoice("stacked", x, ys, split, f"Stacked bars, one colour per {split}.")
    if len(ys) > 1 and _are_counts(frame, ys):
        return ChartChoice("stacked", x, ys, "", f"Stacked bars, because {quoted(ys)} are counts per {x}.")
    if x in columns.ordered and len(frame) > MOST_BARS:
        return ChartChoice("line", x, ys, "", f"Line chart, because “{x}” is ordered and has many values.")
    return ChartChoice(
        "bars", x, ys, "", f"Bar chart, because “{x}” lists {_what(x, columns)} and {quoted(ys)} {_is(ys)}."
    )


def _points(columns: ChartColumns) -> ChartChoice:
    x, y = columns.numbers[:2]
    return ChartChoice("points", x, (y,), "", f"Scatter chart, because “{x}” and “{y}” are both numeric.")


def changed(choice: ChartChoice, kind: ChartKind, x: str, ys: Sequence[str]) -> ChartChoice:
    """Return a chart as the viewer wants it; it is split on only where its axis stays."""
    if (kind, x, tuple(ys)) == (choice.kind, choice.x, choice.ys):
        return choice
    split = choice.split if x == choice.x and tuple(ys) == choice.ys else ""
    return replace(choice, kind=kind, x=x, ys=tuple(ys), split=split, why="")


def as_pairs(choice: ChartChoice) -> tuple[tuple[str, str], ...]:
    """Return what the viewer can choose of a chart as an address spells it."""
    return (("kind", choice.kind), ("x", choice.x), *(("y", y) for y in choice.ys))


def from_pairs(pairs: Sequence[tuple[str, str]], start: ChartChoice, columns: ChartColumns) -> ChartChoice:
    """Return the chart that an address asks for; `start` where it asks for none, or for columns that are not there."""
    given = dict(pairs)
    ys = tuple(value for name, value in pairs if name == "y")[:MOST_SERIES]
    kind = next((known for known in KINDS if known == given.get("kind")), None)
    if kind is None or given.get("x") not in columns.across or not set(ys) <= set(columns.numbers):
        return start
    return changed(start, kind, given["x"], ys)


def extreme(choice: ChartChoice, frame: "pd.DataFrame") -> str:
    """Say where a chart is highest: `2015 has the most: 29.`"""
    if choice.split or choice.kind == "points" or not choice.ys:
        return ""
    sums = frame[list(choice.ys)].sum(axis=1) if choice.kind == "stacked" else frame[choice.ys[0]]
    if sums.dropna().empty:
        return ""
    place = int(sums.astype(float).argmax())
    of = f" of “{choice.ys[0]}”" if choice.kind != "stacked" and len(choice.ys) > 1 else ""
    return f"{label(frame[choice.x].iloc[place])} has the most{of}: {label(sums.iloc[place])}."


def label(value: Any) -> str:
    """Return a value as one reads it: a date without a time it does not have, a number with separators."""
    if hasattr(value, "strftime"):
        return f"{value:%Y-%m-%d}" if f"{value:%H%M%S}" == "000000" else f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() else f"{value:,.4g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _is_split(frame: "pd.DataFrame", x: str, text: str) -> bool:
    """True where a column tells rows of the same place apart, with few values."""
    return frame[text].nunique() <= MOST_SERIES and bool(frame[x].duplicated().any())


def _is_year(name: str, column: "pd.Series[Any]") -> bool:
    values = column.dropna()
    is_named = any(word in _YEARS for word in name.lower().split("_"))
    return is_named and not values.empty and bool(((values >= 1000) & (values <= 3000)).all())


def _is_key(name: str) -> bool:
    return name.lower().rpartition("_")[2] in _KEYS


def _is_total(name: str, numbers: Sequence[str], frame: "pd.DataFrame") -> bool:
    """True for a column that adds up the others, which would count everything twice in a stack."""
    others = [other for other in numbers if other != name]
    if len(others) < 2:
        return False
    if name.lower() in _TOTALS:
        return True
    return bool((frame[others].sum(axis=1) == frame[name]).all())


def _are_counts(frame: "pd.DataFrame", ys: Sequence[str]) -> bool:
    return all(bool((frame[y].dropna() >= 0).all()) and bool((frame[y].dropna() % 1 == 0).all()) for y in ys)


def _what(x: str, columns: ChartColumns) -> str:
    return "years" if x in columns.ordered else "categories"


def _is(ys: Sequence[str]) -> str:
    return "is a number" if len(ys) == 1 else "are numbers"
