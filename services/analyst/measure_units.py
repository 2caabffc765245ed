"""Units behind numbers: "three hours" beside a column of minutes."""

from collections.abc import Sequence
from dataclasses import replace

from services.analyst.day_counts import turnaround
from services.analyst.table_words import NamedColumn, NamedTable
from services.analyst.unit_names import UNITS, parts_behind
from services.analyst.word_likeness import share_root
from services.sql.catalog import DatabaseColumn

_DAYS = {"day": 1, "week": 7, "year": 365.25}
"""How many days spans have; those of months differ too much."""


def column_of_unit(unit: str, table: NamedTable) -> NamedColumn | None:
    """Return the one column whose name says that it measures what a unit does; None where there is none, or several."""
    figures = [one for one in (*table.columns, *turnaround(table)) if one.kind == "number"]
    found = [one for one in figures if factor_between(unit, one) is not None]
    found = found if len(found) < 2 else [one for one in found if one in own_figures(table)]
    return found[0] if len(found) == 1 else None


def own_figures(table: NamedTable) -> Sequence[NamedColumn]:
    """Return a table's columns of numbers; of several those that are called like its rows: the claimed of a claim."""
    figures = [one for one in table.columns if one.kind == "number"]
    own = [one for one in figures if any(share_root(word, name) for word in one.core for name in table.words)]
    return own if len(figures) > 1 and own else figures


def factor_between(unit: str, column: NamedColumn) -> float | None:
    """Return how many of a column's units a unit of a question is; None where they measure different things."""
    if column.formula and unit.removesuffix("s") in _DAYS:
        return _DAYS[unit.removesuffix("s")]
    own = next((UNITS[part] for part in reversed(parts_behind(column.column.name)) if part in UNITS), None)
    asked = UNITS.get(unit)
    return asked[1] / own[1] if own and asked and own[0] == asked[0] else None


def measured_as(unit: str, column: NamedColumn) -> NamedColumn | None:
    """Return a column in a unit that a question asks for; None where it measures something else."""
    factor = factor_between(unit, column)
    if factor is None or column.formula:
        return None
    if factor == 1:
        return column
    named = DatabaseColumn(name=f"{column.column.name}_in_{unit}", type="DOUBLE")
    return replace(column, column=named, formula=f"{{0}}{column.sql} / {factor:.15g}" + ("" if factor % 1 else ".0"))
