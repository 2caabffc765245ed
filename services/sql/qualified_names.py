"""Which columns may be named behind a point in PostgreSQL, which reads `t.f` as `f(t)` where `t` has no column `f`.

So a point could call a function that no list allows. Behind it only a column may stand that its source is known to
have: a table's own, or what the part of the statement gives that goes by the name.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from sqlglot import exp

from services.core.errors import QueryRejected

_SYSTEM_COLUMNS = frozenset(("cmax", "cmin", "ctid", "tableoid", "xmax", "xmin"))
_OF_FUNCTIONS = frozenset(("key", "ordinality", "value"))
"""The columns of functions that stand in a table's place, beside the one named like the function or its alias."""
_NAMED_BY_THEIR_VALUE = (exp.Paren, exp.Bracket, exp.Collate, exp.AtTimeZone)
_OTHER_SPELLINGS = frozenset(("bool", "btrim", "case", "date_part", "ltrim", "rtrim", "timezone"))
"""What PostgreSQL calls the results of CASE, TRIM, EXTRACT, AT TIME ZONE and truth values."""

Names = frozenset[str]
_SOURCES = (exp.Table, exp.Subquery, exp.Lateral, exp.Unnest, exp.Values)


class QualifiedNames:
    """Judges the qualified names of one statement by the columns of each table, by its path."""

    def __init__(
        self,
        statement: exp.Expr,
        columns: Mapping[tuple[str, ...], Names],
        compared: Callable[[exp.Expr], str],
        is_named_within: Callable[[exp.Table], bool],
    ) -> None:
        self._statement, self._columns = statement, columns
        self._compared, self._is_named_within = compared, is_named_within
        self._known: dict[int, Names] = {}

    def judge(self) -> None:
        """Raise `QueryRejected` for a name behind a point that is no known column."""
        for node in self._statement.find_all(exp.Column, exp.Dot):
            if isinstance(node, exp.Dot):
                self._judge_field(node)
            elif node.args.get("table") and isinstance(node.this, exp.Identifier):
                self._judge_column(node, self._compared(node.args["table"]), self._compared(node.this))

    def _judge_column(self, node: exp.Expr, source: str, name: str) -> None:
        found = list(self._seen_from(node, source)) or [
            one for one in self._statement.find_all(*_SOURCES) if self._name(one) == source
        ]
        for one in found:
            if name not in self._of_source(one) and not (isinstance(one, exp.Table) and name in _SYSTEM_COLUMNS):
                raise _unknown(f"{source}.{name}")

    def _judge_field(self, dot: exp.Dot) -> None:
        """Judge `(row).name`; where it cannot be seen whose row it is, each table that is read must have the column."""
        if not isinstance(dot.expression, exp.Identifier):
            return
        row, name = dot.this.unnest(), self._compared(dot.expression)
        if isinstance(row, exp.Column) and not row.args.get("table") and list(self._seen_from(dot, row.name.lower())):
            self._judge_column(dot, self._compared(row.this), name)
            return
        read = [self._of_table(table) for table in self._statement.find_all(exp.Table) if self._is_stored(table)]
        if not read or any(name not in columns for columns in read):
            raise _unknown(name)

    def _seen_from(self, node: exp.Expr, name: str) -> Iterator[exp.Expr]:
        """Yield what a name may stand for at a place: within a FROM it may also be what stands further out."""
        below, above = node, node.parent
        while above is not None:
            if isinstance(above, exp.Select) and below.arg_key != "with_":
                found = [one for one in self._sources(above) if self._name(one) == name]
                yield from found
                if found and below.arg_key not in ("from_", "joins", "laterals"):
                    return
            below, above = above, above.parent

    def _sources(self, node: exp.Expr) -> Iterator[exp.Expr]:
        """Yield what a SELECT, or a part of its FROM, reads."""
        if isinstance(node, _SOURCES) and not (isinstance(node, exp.Subquery) and self._is_join(node)):
            yield node
        elif isinstance(node, exp.Subquery | exp.Paren):
            yield from self._sources(node.this)
        beside = [node.args.get("from_"), *(node.args.get("joins") or ()), *(node.args.get("laterals") or ())]
        for part in filter(None, beside):
            yield from self._sources(part.this if isinstance(part, exp.From | exp.Join) else part)

    @staticmethod
    def _is_join(node: exp.Subquery) -> bool:
        return not node.alias and not isinstance(node.this, exp.Query)

    def _name(self, source: exp.Expr) -> str:
        alias = source.args.get("alias")
        if isinstance(alias, exp.TableAlias) and alias.this:
            return self._compared(alias.this)
        if isinstance(source, exp.Table) and isinstance(source.this, exp.Identifier | exp.Anonymous):
            return self._compared(source.this)
        return "unnest" if isinstance(source, exp.Unnest) else ""

    def _of_source(self, source: exp.Expr) -> Names:
        """Return the columns of what a FROM reads, with those that it is given new names for."""
        if id(source) not in self._known:
            self._known[id(source)] = frozenset()  # a part that reads itself adds nothing to its columns
            alias = source.args.get("alias")
            given = alias.columns if isinstance(alias, exp.TableAlias) else ()
            self._known[id(source)] = self._given(source) | frozenset(map(self._compared, given))
        return self._known[id(source)]

    def _given(self, source: exp.Expr) -> Names:
        if isinstance(source, exp.Table) and isinstance(source.this, exp.Identifier):
            return self._of_table(source) if self._is_stored(source) else self._of_parts(source)
        if isinstance(source, exp.Values):
            widest = max((len(row.expressions) for row in source.expressions), default=0)
            return frozenset(f"column{number + 1}" for number in range(widest))
        if isinstance(source, exp.Unnest):  # of rows of a table it has their columns, and none of its own name
            return _OF_FUNCTIONS
        if isinstance(source, exp.Table) or (
            isinstance(source, exp.Lateral) and not isinstance(source.this, exp.Subquery)
        ):
            called = frozenset((self._name(source), source.this.name.lower()))
            return _OF_FUNCTIONS if "unnest" in called else called | _OF_FUNCTIONS
        return self._of_query(source.this)

    def _is_stored(self, table: exp.Table) -> bool:
        return isinstance(table.this, exp.Identifier) and not self._is_named_within(table)

    def _of_table(self, table: exp.Table) -> Names:
        return self._columns.get(tuple(map(self._compared, table.parts)), frozenset())

    def _of_parts(self, table: exp.Table) -> Names:
        """Return the columns of the part of a WITH; where several have the name, those that all have."""
        name = self._compared(table.this)
        parts = [self._of_source(part) for part in self._statement.find_all(exp.CTE) if self._name(part) == name]
        return frozenset.intersection(*parts) if parts else frozenset()

    def _of_query(self, query: exp.Expr) -> Names:
        if isinstance(query, exp.SetOperation):
            return self._of_query(query.this)
        if isinstance(query, exp.Subquery | exp.Paren) and isinstance(query.this, exp.Expr):
            return self._of_query(query.this)
        if isinstance(query, exp.Select):
            return frozenset(chain.from_iterable(self._called(one, query) for one in query.expressions))
        return frozenset(chain.from_iterable(map(self._of_source, self._sources(query))))

    def _called(self, value: exp.Expr, query: exp.Select) -> Names:
        """Return what PostgreSQL may call a value of a SELECT."""
        if value.is_star and isinstance(value, exp.Star | exp.Column):
            source = self._compared(value.args["table"]) if value.args.get("table") else None
            every = (one for one in self._sources(query) if source in (None, self._name(one)))
            return frozenset(chain.from_iterable(map(self._of_source, every)))
        if isinstance(value, exp.Alias):
            return frozenset((self._compared(value.args["alias"]),))
        if isinstance(value, exp.Column | exp.Anonymous):
            return frozenset((self._compared(value.this) if isinstance(value.this, exp.Expr) else value.name.lower(),))
        if isinstance(value, exp.Dot):
            return self._called(value.expression, query)
        if isinstance(value, exp.Identifier):
            return frozenset((self._compared(value),))
        if isinstance(value, exp.Subquery):
            return self._of_query(value)
        within = [value.args.get("default")] if isinstance(value, exp.Case) else []
        within += [value.this] if isinstance(value, (*_NAMED_BY_THEIR_VALUE, exp.Cast)) else []
        named = [self._called(one, query) for one in within if one is not None]
        spelled = value.args["to"] if isinstance(value, exp.Cast) else value
        words = re.findall(r"^\w+", spelled.sql("postgres").lower())
        return frozenset(words).union(*named, _OTHER_SPELLINGS)


def _unknown(name: str) -> QueryRejected:
    return QueryRejected(
        f"There is no column “{name}” that this SQL can read.",
        "After a dot, write a column of the table before it. If the column is new, reconnect the database.",
    )
