"""Units behind numbers: "three hours" beside a column of minutes."""

import re
from collections.abc import Sequence

from services.analyst.table_words import NamedColumn

_NAMES = (
    ("time", 1, "s sec secs second seconds"),
    ("time", 60, "min mins minute minutes"),
    ("time", 3600, "h hr hrs hour hours"),
    ("time", 86400, "d day days"),
    ("weight", 1, "g gram grams"),
    ("weight", 1000, "kg kgs kilo kilos kilogram kilograms"),
    ("weight", 1_000_000, "t ton tons tonne tonnes"),
    ("length", 0.01, "cm centimetre centimetres centimeter centimeters"),
    ("length", 1, "m metre metres meter meters"),
    ("length", 1000, "km kms kilometre kilometres kilometer kilometers"),
    ("length", 1609.344, "mi mile miles"),
    ("volume", 0.001, "ml millilitre millilitres milliliter milliliters"),
    ("volume", 1, "l lt ltr litre litres liter liters"),
    ("euro", 1, "eur euro euros"),
    ("dollar", 1, "usd dollar dollars"),
    ("pound", 1, "gbp pound pounds"),
)
_UNITS = {name: (what, float(factor)) for what, factor, names in _NAMES for name in names.split()}
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def column_of_unit(unit: str, columns: Sequence[NamedColumn]) -> NamedColumn | None:
    """Return the one column whose name says that it measures what a unit does; None where there is none, or several."""
    found = [one for one in columns if one.kind == "number" and factor_between(unit, one) is not None]
    return found[0] if len(found) == 1 else None


def factor_between(unit: str, column: NamedColumn) -> float | None:
    """Return how many of a column's units a unit of a question is; None where they measure different things."""
    own = next((_UNITS[part] for part in reversed(_parts(column)) if part in _UNITS), None)
    asked = _UNITS.get(unit)
    return asked[1] / own[1] if own and asked and own[0] == asked[0] else None


def _parts(column: NamedColumn) -> list[str]:
    return [part.lower() for part in _PARTS.findall(column.column.name)[1:]]
