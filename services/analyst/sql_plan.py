"""What a question asks of tables, and the SQL that says it in the dialect of their database."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from services.analyst.sql_dialect_functions import (
    aggregate_of,
    day_of_week,
    decade_of_year,
    number_in_year,
    unit_of_date,
)
from services.analyst.table_words import NamedColumn, NamedTable
from services.sql.query_tables import sql_name
from services.sql.quoting import literal

Aggregate = Literal["", "count", "sum", "avg", "median", "max", "min"]
TimeUnit = Literal["year", "quarter", "month", "week", "day", "weekday", "decade"]


@dataclass(frozen=True, slots=True)
class Group:
    """A column whose values rows are grouped by, or by the year or another unit of its dates."""

    column: NamedColumn
    unit: TimeUnit | None = None
    is_numbered: bool = False
    """True for a month as a number from 1 to 12, or a quarter from 1 to 4."""
    is_hidden: bool = False
    """True for a key that keeps namesakes apart, and is not shown."""


@dataclass(frozen=True, slots=True)
class RowCondition:
    """What a row has to have: a value of a list, one beyond a number, or a date from `first` to before `last`."""

    column: NamedColumn
    operator: Literal[
        "in",
        "not in",
        ">",
        ">=",
        "<",
        "<=",
        "=",
        "dated",
        "true",
        "false",
        "has",
        "missing",
        "present",
        "without rows",
        "in years",
        "on days",
    ]
    values: tuple[str | float, ...] = ()
    first: datetime | None = None
    last: datetime | None = None
    rows: "TableJoin | None" = None
    """The table of which no row leads to it."""
    inner: tuple["RowCondition", ...] = ()
    """What those rows of the other table would have to have."""
    other: NamedColumn | None = None
    """What it is compared with, where that is no number."""


@dataclass(frozen=True, slots=True)
class TableJoin:
    """Another table that each row leads to, by a column of each; `via` is the one before it that it needs."""

    table: NamedTable
    column: NamedColumn
    other: NamedColumn
    via: "TableJoin | None" = None


@dataclass(frozen=True, slots=True)
class SqlPlan:
    """What to count, sum or rank. Without `measure` rows are counted; without `aggregate` rows themselves are ranked.

    `limit` and `descending` rank; a rank without a limit shows all.
    """

    table: NamedTable
    aggregate: Aggregate = "count"
    measure: NamedColumn | None = None
    is_distinct: bool = False
    groups: tuple[Group, ...] = ()
    conditions: tuple[RowCondition, ...] = ()
    is_ranked: bool = False
    limit: int | None = None
    descending: bool = True
    joins: tuple[TableJoin, ...] = ()
    having: tuple[str, float] | None = None
    """What the measure of a group has to be, as a sign and a number."""
    counts_groups: bool = False
    """Asks how many groups there are, and not which."""
    per: NamedColumn | None = None
    """Asks how many rows there are for each of its values on average."""
    is_share: bool = False
    """Asks how many of a hundred rows are in each group, or meet the conditions `shared`."""
    among: tuple[RowCondition, ...] = ()
    """What rows have to meet to be among those hundred."""

    @property
    def shown(self) -> tuple[Group, ...]:
        """The groups that a row of the answer tells."""
        return tuple(group for group in self.groups if not group.is_hidden)

    @property
    def shared(self) -> tuple[RowCondition, ...]:
        """Of what share of rows is asked: all conditions that are no dates and not `among`, else the dates."""
        others = [one for one in self.conditions if one not in self.among]
        return tuple(one for one in others if one.operator != "dated") or tuple(others)


def sql_of(plan: SqlPlan) -> str:
    """Return the SQL of a plan."""
    written = "\n".join(filter(None, _clauses(plan)))
    return f"SELECT count(*) AS count\nFROM (\n{written}\n) AS groups" if plan.counts_groups else written


def _clauses(plan: SqlPlan) -> Iterator[str]:
    joins = joined(plan)
    write = _Writer(plan, {one.table.table.sql_name for one in joins})
    shown = [*write.groups(), *write.measure()]
    yield f"SELECT {', '.join(shown)}"
    yield f"FROM {plan.table.table.sql_name}{write.unnested()}"
    for one in joins:
        table = one.table.table
        named = f"{table.source} AS {table.sql_name}" if table.source else table.sql_name
        yield f"JOIN {named} ON {write.name(one.column)} = {write.name(one.other)}"
    if chosen := [one for one in plan.conditions if not plan.is_share or one not in plan.shared]:
        yield f"WHERE {' AND '.join(map(write.condition, chosen))}"
    if plan.groups and plan.aggregate:
        yield f"GROUP BY {', '.join((*write.hidden(), *(str(n + 1) for n in range(len(plan.shown)))))}"
    if plan.having is not None:
        yield f"HAVING {write.aggregated()} {plan.having[0]} {_number(plan.having[1])}"
    if plan.is_ranked:
        yield f"ORDER BY {len(shown)} {'DESC' if plan.descending else 'ASC'} NULLS LAST"
    elif plan.groups and not plan.counts_groups:
        yield f"ORDER BY {write.order()}"
    if plan.limit is not None:
        yield f"LIMIT {plan.limit}"


def joined(plan: SqlPlan) -> list[TableJoin]:
    """Return the joins that a plan needs, each after those that it goes by."""
    needed = _tables_of(plan)
    ends = [one for one in plan.joins if one.table.table.sql_name in needed]
    return list(dict.fromkeys(step for one in ends for step in (one.via, one) if step))


def _tables_of(plan: SqlPlan) -> set[str]:
    """Return the tables besides its own that a plan takes something from, as SQL names them."""
    columns = [*(group.column for group in plan.groups), *(one.column for one in plan.conditions)]
    columns += [plan.measure] if plan.measure else []
    return {column.table.sql_name for column in columns} - {plan.table.table.sql_name}


class _Writer:
    """Writes the parts of one statement; names have their table before them where there are several."""

    def __init__(self, plan: SqlPlan, joined: set[str]) -> None:
        self._plan, self._joined = plan, joined
        self._dialect = plan.table.table.dialect

    def name(self, column: NamedColumn) -> str:
        table = f"{column.table.sql_name}." if self._joined else ""
        return column.formula.format(table) if column.formula else f"{table}{column.sql}"

    def groups(self) -> list[str]:
        return [self._group(group) for group in self._plan.shown]

    def hidden(self) -> list[str]:
        """Return the keys that rows are grouped by besides what is shown."""
        shown = {group.column for group in self._plan.shown}
        keys = (group.column for group in self._plan.groups if group.is_hidden)
        return [self.name(column) for column in keys if column not in shown]

    def unnested(self) -> str:
        """Return what FROM needs besides where rows are grouped by what a list of theirs holds."""
        lists = [group.column for group in self._plan.groups if group.column.kind == "list"]
        return f", unnest({lists[0].sql}) AS listed(value)" if lists else ""

    def _group(self, group: Group) -> str:
        if group.column.kind == "list":
            return f"value AS {group.column.sql}"
        name = self.name(group.column)
        if group.is_numbered:
            return f"{self._numbered(name, group)} AS {group.unit}_number"
        if group.column.table.source:
            return f"{name} AS {sql_name(f'{group.column.table.sql_name}_{group.column.column.name}')}"
        return name if group.unit is None else f"{self._unit(name, group)} AS {group.unit}"

    def _unit(self, name: str, group: Group) -> str:
        if group.column.kind == "year":
            return name if group.unit == "year" else decade_of_year(self._dialect, name)
        return unit_of_date(self._dialect, group.unit or "year", self._date(name, group.column))

    def _numbered(self, name: str, group: Group) -> str:
        return number_in_year(self._dialect, group.unit or "month", self._date(name, group.column))

    def _date(self, name: str, column: NamedColumn) -> str:
        """Return a column as a date where it is declared as text; SQLite has no dates."""
        return name if _is_dated(column) or self._dialect == "sqlite" else f"CAST({name} AS DATE)"

    def measure(self) -> list[str]:
        plan = self._plan
        if not plan.aggregate:
            return [] if plan.measure is None else [self.name(plan.measure)]
        if plan.per is not None:
            owner = self.name(plan.per)
            return [f"1.0 * count({owner}) / nullif(count(DISTINCT {owner}), 0) AS average"]
        if plan.is_share:
            return [f"{self._share()} AS percentage"]
        alias = (
            plan.aggregate
            if plan.measure is None or plan.aggregate == "count"
            else f"{plan.aggregate}_{'_'.join(plan.measure.column.name.lower().split())}"
        )
        plain = alias if alias.replace("_", "a").isalnum() and alias.isascii() else plan.aggregate
        return [f"{self.aggregated()} AS {plain}"]

    def aggregated(self) -> str:
        """Return what is worked out for each group."""
        what = "*" if self._plan.measure is None else self.name(self._plan.measure)
        what = f"DISTINCT {what}" if self._plan.is_distinct else what
        return aggregate_of(self._dialect, self._plan.aggregate, what)

    def _share(self) -> str:
        if not self._plan.shared:
            return "100.0 * count(*) / sum(count(*)) OVER ()"
        met = " AND ".join(map(self.condition, self._plan.shared))
        return f"100.0 * sum(CASE WHEN {met} THEN 1 ELSE 0 END) / nullif(count(*), 0)"

    def order(self) -> str:
        """Order by time where there is a unit, else the greatest first."""
        shown = self._plan.shown
        if not self.measure():
            return "1"
        if any(group.unit or group.column.kind in ("year", "date") for group in shown) or len(shown) > 1:
            return ", ".join(str(n) for n in range(1, len(shown) + 1))
        return f"{len(shown) + 1} DESC NULLS LAST, 1"

    def condition(self, one: RowCondition) -> str:
        name = self.name(one.column)
        match one.operator:
            case "in" | "not in":
                return self._listed(name, one)
            case "true":
                return name if self._is_truth(one) else f"{name} IN ({self._truths(one, 'y')})"
            case "false":
                return f"NOT {name}" if self._is_truth(one) else f"{name} IN ({self._truths(one, 'n')})"
            case "in years":
                return f"{self._unit(name, Group(one.column, 'year'))} IN ({', '.join(map(_number, one.values))})"
            case "on days":
                day = day_of_week(self._dialect, self._date(name, one.column))
                return f"{day} IN ({', '.join(map(_number, one.values))})"
            case "without rows" if one.rows:
                return self._unmatched(name, one.rows, one.inner)
            case "missing" | "present":
                return f"{name} IS {'NOT ' if one.operator == 'present' else ''}NULL"
            case "has":
                return f"list_contains({name}, {literal(str(one.values[0]))})"
            case "dated":
                return self._dated(name, one)
        compared = self.name(one.other) if one.other else _number(one.values[0])
        return f"{name} {one.operator} {compared}"

    def _unmatched(self, name: str, rows: TableJoin, inner: tuple[RowCondition, ...]) -> str:
        """Say that no row of another table leads to one; what both call the same has its table before it."""
        own = name if self._joined else f"{self._plan.table.table.sql_name}.{name}"
        first, other = rows.via or rows, rows.table.table.sql_name
        near = first.table.table.sql_name
        step = f" JOIN {other} ON {other}.{rows.other.sql} = {near}.{rows.column.sql}" if rows.via else ""
        met = [f"{near}.{first.other.sql} = {own}", *map(_Writer(self._plan, {other}).condition, inner)]
        return f"NOT EXISTS (SELECT 1 FROM {near}{step} WHERE {' AND '.join(met)})"

    def _listed(self, name: str, one: RowCondition) -> str:
        values = [literal(value) if isinstance(value, str) else _number(value) for value in one.values]
        negated = one.operator == "not in"
        if len(values) == 1:
            return f"{name} {'<>' if negated else '='} {values[0]}"
        return f"{name} {'NOT IN' if negated else 'IN'} ({', '.join(values)})"

    def _is_truth(self, one: RowCondition) -> bool:
        return "BOOL" in one.column.column.type.upper() and self._dialect != "sqlite"

    def _truths(self, one: RowCondition, side: str) -> str:
        words = ("1", "true", "t", "yes", "y") if side == "y" else ("0", "false", "f", "no", "n")
        samples = one.column.column.samples or words
        found = [value for value in samples if value.lower() in words] or [words[0]]
        is_number = "INT" in one.column.column.type.upper() or "BOOL" in one.column.column.type.upper()
        return ", ".join(value if is_number and value.isdigit() else literal(value) for value in found)

    def _dated(self, name: str, one: RowCondition) -> str:
        if one.column.kind == "year":
            ends = [(">=", one.first and one.first.year), ("<", one.last and _year_after(one.last))]
            if one.first and one.last and _year_after(one.last) == one.first.year + 1:
                return f"{name} = {one.first.year}"
            return " AND ".join(f"{name} {sign} {year}" for sign, year in ends if year)
        form = "'{}'" if self._dialect == "sqlite" or not _is_dated(one.column) else "DATE '{}'"
        pairs = [(">=", one.first), ("<", one.last)]
        return " AND ".join(f"{name} {sign} {form.format(_day(at))}" for sign, at in pairs if at)


def _is_dated(column: NamedColumn) -> bool:
    declared = column.column.type.upper()
    return "DATE" in declared or "TIMESTAMP" in declared


def _year_after(last: datetime) -> int:
    """Return the first year that is not in a span that ends before `last`."""
    return last.year if (last.month, last.day) == (1, 1) else last.year + 1


def _day(at: datetime) -> str:
    return f"{at:%Y-%m-%d}"


def _number(value: str | float) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)
