"""Which tables each row of a table leads to, and which lead to it."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

from services.analyst.question_words import stem
from services.analyst.sql_cues import DIRECTION_STEMS
from services.analyst.sql_plan import TableJoin
from services.analyst.table_words import NamedColumn, NamedTable
from services.analyst.value_lookup import RunSql
from services.core.errors import AsofError
from services.language.inflection import plural
from services.sql.query_tables import sql_name

_LEAST_FOUND = 0.95
"""What share of a column's values another one has to have for it to be a key of those."""
_KEY_ENDING = re.compile(r"_?(?:id|code|no|key|ref)$", re.IGNORECASE)
_MOST_COMPARED = 20
"""The values of so many pairs of columns are compared for a question; each comparison reads two whole tables."""


class Joins:
    """Finds the joins between tables for a question of which `asked` are the stems.

    Columns with one name join tables after their values were compared, which is done for a limited number of pairs.
    """

    def __init__(self, tables: Sequence[NamedTable], asked: Set[str], run: RunSql) -> None:
        self._tables, self._asked, self._run = tables, asked, run
        self._known: dict[tuple[int, int], TableJoin | None] = {}
        self._compared = 0

    def of(self, table: NamedTable) -> tuple[TableJoin, ...]:
        """Return the joins to tables of the same database that each row leads to, directly or through one other."""
        direct = list(self._from(table))
        near = [one.table for one in direct]
        plain = [one for one in direct if not one.table.table.source]
        further = [replace(step, via=first) for first in plain for step in self._from(first.table)]
        new = [one for one in further if one.table is not table and one.table not in near]
        ends = [one.table for one in new]
        return (*direct, *(one for one in new if ends.count(one.table) == 1))

    def into(self, table: NamedTable) -> tuple[TableJoin, ...]:
        """Return a join for each table whose rows lead to those of this one, directly or through one other."""
        direct = tuple(self._into(table))
        near = [table, *(one.table for one in direct)]
        further = [replace(step, via=first) for first in direct for step in self._into(first.table)]
        return (*direct, *(one for one in further if one.table not in near))

    def _into(self, table: NamedTable) -> Iterator[TableJoin]:
        for other in self._others(table):
            if join := self._between(other, table):
                yield TableJoin(other, join.other, join.column)

    def _from(self, table: NamedTable) -> Iterator[TableJoin]:
        for other in self._others(table):
            if join := self._between(table, other):
                yield join
            else:
                yield from _ways(table, other)

    def _others(self, table: NamedTable) -> Iterable[NamedTable]:
        return (one for one in self._tables if one is not table and one.table.database == table.table.database)

    def _between(self, table: NamedTable, other: NamedTable) -> TableJoin | None:
        pair = id(table), id(other)
        if pair not in self._known:
            self._known[pair] = (
                _by_key(table, other, self._asked) or _by_name(table, other) or self._by_same_name(table, other)
            )
        return self._known[pair]

    def _by_same_name(self, table: NamedTable, other: NamedTable) -> TableJoin | None:
        """Return the join by what both tables call the same, where its values show that it is a key of the other."""
        target = other.key or other.columns[0]
        column = next((one for one in table.columns[1:] if one.column.name == target.column.name), None)
        if column is None or column.kind not in ("text", "key", "number") or self._compared == _MOST_COMPARED:
            return None
        self._compared += 1
        return TableJoin(other, column, target) if _is_key_of(column, target, self._run) else None


def _by_key(table: NamedTable, other: NamedTable, asked: Set[str]) -> TableJoin | None:
    """Return the join that a foreign key says; of several the one that the question names."""
    found = []
    for key in table.table.foreign_keys:
        column, target = table.column(key.column), other.column(key.other_column)
        if key.other_table == other.table.table.name and column and target:
            found.append(TableJoin(other, column, target))
    named = set(asked)
    ways = [meant for cues, meant in DIRECTION_STEMS if cues & asked]
    asked = asked | ways[0] if len(ways) == 1 else asked
    meant = [one for one in found if (set(one.column.words) - set(other.words)) & asked] if len(found) > 1 else found
    if len(meant) != 1:
        return None
    role = _role(meant[0].column, other)
    return _called_by_role(meant[0], role) if len(found) > 1 and set(role) <= named else meant[0]


def _role(column: NamedColumn, other: NamedTable) -> tuple[str, ...]:
    """Return what a key says of the rows that it leads to: "destination"."""
    return tuple(word for word in column.core if word not in other.words)


def _called_by_role(join: TableJoin, role: tuple[str, ...]) -> TableJoin:
    """Return a join to a table of which "destination country" is a column."""
    table = NamedTable(join.table.table, role)
    return replace(join, table=table, other=table.column(join.other.column.name) or join.other)


def _ways(table: NamedTable, other: NamedTable) -> Iterator[TableJoin]:
    """Yield the joins by several keys to one table, each to a table of another name: flights from and to airports."""
    keys = [one for one in table.table.foreign_keys if one.other_table == other.table.table.name]
    pairs = [(table.column(one.column), other.column(one.other_column)) for one in keys]
    roles = [_role(column, other) if column else () for column, _ in pairs]
    if len(set(roles)) < len(roles) or len(roles) < 2 or not all(roles):
        return
    for (column, target), role in zip(pairs, roles, strict=True):
        if column is None or target is None:
            continue
        called = sql_name(f"{_KEY_ENDING.sub('', column.column.name)}_{other.table.table.name.rpartition('.')[2]}")
        way = NamedTable(replace(other.table, sql_name=called, source=other.table.sql_name), role)
        if key := way.column(target.column.name):
            yield TableJoin(way, column, key)


def _by_name(table: NamedTable, other: NamedTable) -> TableJoin | None:
    key = other.key
    if key is None:
        return None
    column = next((one for one in table.columns if one != table.key and _leads_to(one, other)), None)
    return TableJoin(other, column, key) if column else None


def _is_key_of(column: NamedColumn, target: NamedColumn, run: RunSql) -> bool:
    """True where the target's values are all different, and nearly all of the column's are among them."""
    repeated = f"SELECT 1 FROM {target.table.sql_name} GROUP BY {target.sql} HAVING count(*) > 1 LIMIT 1"
    known = f"SELECT {target.sql} FROM {target.table.sql_name} WHERE {target.sql} IS NOT NULL"
    found = (
        f"SELECT sum(CASE WHEN {column.sql} IN ({known}) THEN 1 ELSE 0 END), count({column.sql})"
        f" FROM {column.table.sql_name}"
    )
    try:
        if any(run(repeated)):
            return False
        ((among, whole),) = run(found)
    except AsofError:
        return False
    return int(str(among or 0)) >= _LEAST_FOUND * int(str(whole)) > 0


def _leads_to(column: NamedColumn, other: NamedTable) -> bool:
    key = other.key
    if key is None or (column.words[-1:] not in (("id",), ("code",), ("number",)) and column.kind != "key"):
        return False
    is_same = len(key.words) > 1 and column.words == key.words
    return is_same or (column.core != column.words and _several(column.core) == _several(other.words))


def _several(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a name for several of them: "person" leads to a table of "people"."""
    return *words[:-1], stem(plural(words[-1]))


def date_of_event(table: NamedTable, joins: Sequence[TableJoin]) -> NamedColumn | None:
    """Return the date of the sale for the lots of sales: the one date of what rows without a date belong to first."""
    places = {column: place for place, column in enumerate(table.columns)}
    direct = [one for one in joins if not one.via and one.column in places]
    first = min(direct, key=lambda one: places[one.column], default=None)
    dates = first.table.dates() if first is not None else ()
    if first is None or len(dates) != 1:
        return None
    return dates[0] if set(dates[0].words) - {"date", "day"} <= set(first.table.words) else None
