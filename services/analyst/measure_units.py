"""Units behind numbers: "three hours" beside a column of minutes."""

from collections.abc import Sequence

from services.analyst.table_words import NamedColumn
from services.analyst.unit_names import UNITS, parts_behind


def column_of_unit(unit: str, columns: Sequence[NamedColumn]) -> NamedColumn | None:
    """Return the one column whose name says that it measures what a unit does; None where there is none, or several."""
    found = [one for one in columns if one.kind == "number" and factor_between(unit, one) is not None]
    return found[0] if len(found) == 1 else None


def factor_between(unit: str, column: NamedColumn) -> float | None:
    """Return how many of a column's units a unit of a question is; None where they measure different things."""
    own = next((UNITS[part] for part in reversed(parts_behind(column.column.name)) if part in UNITS), None)
    asked = UNITS.get(unit)
    return asked[1] / own[1] if own and asked and own[0] == asked[0] else None
