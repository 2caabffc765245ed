"""The days between two dates of a row, as a column that a question can name: "average days to close"."""

from collections.abc import Iterator

from services.analyst.question_words import stem
from services.analyst.table_words import NamedColumn, NamedTable
from services.sql.catalog import DatabaseColumn

_BETWEEN_DATES = {
    "duckdb": "date_diff('day', CAST({0} AS DATE), CAST({1} AS DATE))",
    "postgres": "(CAST({1} AS DATE) - CAST({0} AS DATE))",
    "sqlite": "CAST(julianday(date({1})) - julianday(date({0})) AS INTEGER)",
}


def days_between(table: NamedTable) -> Iterator[NamedColumn]:
    """Yield the "days to close" of a table with a date of opening and one of closing: from the first date on."""
    dates = [one for one in table.dates() if one.kind == "date"]
    for end in dates[1:]:
        name = f"days_to_{'_'.join(end.core)}"
        formula = _BETWEEN_DATES[table.table.dialect].format(f"{{0}}{dates[0].sql}", f"{{0}}{end.sql}")
        words = ("day", stem("to"), *end.core)
        yield NamedColumn(table.table, DatabaseColumn(name=name, type="INTEGER"), words, formula)
