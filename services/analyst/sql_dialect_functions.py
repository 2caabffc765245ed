"""What the databases call by other names: units of dates, days of the week, and medians."""

from calendar import day_name

from services.sql.dialects import DialectName

_YEAR = "CAST(EXTRACT(year FROM {0}) AS INTEGER)"
_POSTGRES_UNITS = {
    "year": _YEAR,
    "decade": f"{_YEAR} / 10 * 10",
    "quarter": "date_trunc('quarter', {0})",
    "month": "date_trunc('month', {0})",
    "week": "date_trunc('week', {0})",
    "day": "CAST({0} AS DATE)",
    "weekday": "to_char({0}, 'FMDay')",
}
_DUCKDB_UNITS = _POSTGRES_UNITS | {"decade": f"{_YEAR} // 10 * 10", "weekday": "dayname({0})"}
_SUNDAY_FIRST = (day_name[6], *day_name[:6])
_SQLITE_UNITS = {
    "year": "CAST(strftime('%Y', {0}) AS INTEGER)",
    "decade": "CAST(strftime('%Y', {0}) AS INTEGER) / 10 * 10",
    "quarter": "strftime('%Y', {0}) || '-Q' || ((CAST(strftime('%m', {0}) AS INTEGER) + 2) / 3)",
    "month": "strftime('%Y-%m', {0})",
    "week": "strftime('%Y-%W', {0})",
    "day": "date({0})",
    "weekday": "CASE strftime('%w', {0}) "
    + " ".join(f"WHEN '{place}' THEN '{name}'" for place, name in enumerate(_SUNDAY_FIRST))
    + " END",
}
_UNITS = {"duckdb": _DUCKDB_UNITS, "postgres": _POSTGRES_UNITS, "sqlite": _SQLITE_UNITS}


def unit_of_date(dialect: DialectName, unit: str, date: str) -> str:
    """Return SQL for the year, the weekday or another unit of a date."""
    return _UNITS[dialect][unit].format(date)


def decade_of_year(dialect: DialectName, year: str) -> str:
    """Return SQL for the decade of a year: DuckDB divides whole numbers by a sign of its own."""
    return f"{year} {'//' if dialect == 'duckdb' else '/'} 10 * 10"


def number_in_year(dialect: DialectName, unit: str, date: str) -> str:
    """Return SQL for the number of a month or quarter within its year."""
    if dialect != "sqlite":
        return f"CAST(EXTRACT({unit} FROM {date}) AS INTEGER)"
    month = f"CAST(strftime('%m', {date}) AS INTEGER)"
    return month if unit == "month" else f"({month} + 2) / 3"


def day_of_week(dialect: DialectName, date: str) -> str:
    """Return SQL for the number of a day from Monday, which is 1."""
    return f"(strftime('%w', {date}) + 6) % 7 + 1" if dialect == "sqlite" else f"EXTRACT(isodow FROM {date})"


def has_median(dialect: DialectName) -> bool:
    """False for SQLite, which has none in most builds."""
    return dialect != "sqlite"


def aggregate_of(dialect: DialectName, name: str, what: str) -> str:
    """Return SQL for an aggregate."""
    if name == "median" and dialect == "postgres":
        return f"percentile_cont(0.5) WITHIN GROUP (ORDER BY {what})"
    return f"{name}({what})"
