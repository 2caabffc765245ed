"""Only one statement runs, and it can only read: its whole tree is walked, and what is not known is refused.

The tree alone is no wall: what it lets pass runs where nothing can be written and nothing else is to be read
(`query_process.py`, `external_databases.py`).
"""

import logging
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from services.core.errors import QueryRejected
from services.sql.dialects import SqlDialect
from services.sql.qualified_names import QualifiedNames

Path = tuple[str, ...]
"""The parts of a table's name as its database compares them, the schema or database first."""

_LONGEST = 100_000
"""More characters are no question but an attack on the parser."""
_DEEPEST = 60
"""So many brackets may stand within each other; reading them takes the parser longer and longer."""
_MOST_NAMED = 12
"""So many tables are named where one is not found."""

_STATEMENTS = (exp.Query, exp.Values, exp.Describe, exp.Summarize, exp.Pivot)

_READERS = (exp.From, exp.Join, exp.Describe, exp.Summarize)
_SOURCES = (exp.Query, exp.Table, exp.Values, exp.Unnest, exp.Lateral, exp.Pivot, exp.Describe, exp.Summarize)
"""What the readers may read. A text in their place is the name of a file."""

_CLAUSES = """
    Alias CTE Cube Describe Distinct Except Fetch Filter From Group GroupingSets Having Intersect Join Lateral Limit
    LimitOptions Offset Order Ordered Pivot PivotAlias PivotAny Qualify Rollup Select Subquery Summarize Table
    TableAlias TableSample Tuple Union UnpivotColumns Values Where Window WindowSpec With WithFill WithinGroup
"""
_VALUES = """
    BitString Boolean ByteString Column ColumnDef Comprehension DataType DataTypeParam HexString Identifier Interval
    IntervalSpan JSONKeyValue JSONPath JSONPathKey JSONPathRoot JSONPathSlice JSONPathSubscript JSONPathUnion
    JSONPathWildcard Kwarg Lambda Literal National Null Parameter Placeholder PropertyEQ RawString Slice Star
    UnicodeString Var
"""
_OPERATORS = """
    Add All Any AtTimeZone Between BitwiseAnd BitwiseLeftShift BitwiseNot BitwiseOr BitwiseRightShift BitwiseXor
    Bracket DPipe Div Dot EQ Escape GT GTE Glob ILike IgnoreNulls In IntDiv Is LT LTE Like Mod Mul NEQ Neg Not
    NullSafeEQ NullSafeNEQ Paren RespectNulls SimilarTo Sub
"""
_SPELLED_AS_FUNCTIONS = """
    Abs And ArgMax ArgMin Array ArrayContainedBy ArrayContainsAll ArrayOverlaps Case Cast Ceil Chr Collate
    CurrentDate CurrentTime CurrentTimestamp Exists Extract Floor GroupConcat If Initcap JSONBContains JSONBExtract
    JSONBExtractScalar JSONExtract JSONExtractScalar JSONObject Localtime Localtimestamp Max Min Normalize Or
    Overlay PercentileCont PercentileDisc Pow Quantile RegexpILike RegexpLike StartsWith StrPosition Struct
    Substring ToMap Trim TryCast Unnest Xor
"""
_KNOWN = frozenset((_CLAUSES + _VALUES + _OPERATORS + _SPELLED_AS_FUNCTIONS).split())
"""The kinds of nodes that a statement is made of. Functions called by name are `Anonymous`: their names are judged."""

_ENDS_A_VALUE = frozenset(
    (TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING, TokenType.NUMBER, TokenType.R_PAREN, TokenType.R_BRACKET)
)
"""After these, and after an opening square bracket, a colon is no parameter's: it cuts a list or names a value."""

_ESCAPED_NAME = re.compile(r'\bu&"', re.IGNORECASE)
"""To the parser this is a column `u`, an operator and another name; to PostgreSQL it is one name."""

logging.getLogger("sqlglot").setLevel(logging.ERROR)  # it warns of what is refused here


@dataclass(frozen=True, slots=True)
class Readable:
    """What a statement may read: tables by every name that they go by, macros that stand in a table's place, and
    functions beside those of its dialect. PostgreSQL needs the `columns` of each table as well, to tell them from
    functions. The databases `elsewhere` answer by themselves; a hint says so to whoever names one of their tables.
    """

    tables: frozenset[Path]
    macros: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    shown: tuple[str, ...] = field(default=(), compare=False)
    columns: Mapping[Path, frozenset[str]] = field(default_factory=dict, compare=False)
    elsewhere: frozenset[str] = field(default=frozenset(), compare=False)

    @classmethod
    def of(
        cls,
        tables: Iterable[str | Path],
        macros: Collection[str] = (),
        functions: Collection[str] = (),
        *,
        exactly: bool = False,
    ) -> "Readable":
        """Those of these names, `exactly` where their database tells cases apart; a name that is text has one part."""
        paths = [(name,) if isinstance(name, str) else tuple(name) for name in tables]
        shown = tuple(sorted({".".join(path) for path in paths}))
        folded = paths if exactly else [tuple(map(_lower, path)) for path in paths]
        return cls(frozenset(folded), frozenset(map(_lower, macros)), frozenset(map(_lower, functions)), shown)

    def hint(self, asked: Path) -> str:
        """Return where the table `asked` is to be had, or which tables there are."""
        if len(asked) > 1 and asked[0] in self.elsewhere:
            return f"To query the connected database “{asked[0]}”, choose it and leave its name out of the query."
        more = len(self.shown) - _MOST_NAMED
        listed = ", ".join(self.shown[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        return f"Available: {listed}." if listed else "There are no tables yet."


@dataclass(frozen=True, slots=True)
class CheckedStatement:
    """A statement that may run, as its database takes it, the names of its parameters, and the tables that it reads."""

    sql: str
    parameters: tuple[str, ...]
    tables: frozenset[Path]


def check(sql: str, dialect: SqlDialect, readable: Readable) -> CheckedStatement:
    """Return the one statement of `sql`, which reads only what is readable. Raises `QueryRejected` for all else."""
    if "\0" in sql or len(sql) > _LONGEST:
        raise QueryRejected("This SQL is too long.", f"The limit is {_LONGEST:,} characters.")
    tokens = dialect.tokens(sql)
    _refuse_depth(tokens)
    bound, parameters = _bound(sql, tokens, dialect)
    statement = _the_one(dialect.parsed(bound))
    tables = {path for node in statement.walk() for path in _judged(node, dialect, readable)}
    if dialect.name == "postgres":
        _judge_names(statement, bound, dialect, readable)
    return CheckedStatement(bound, parameters, frozenset(tables))


def _judge_names(statement: exp.Expr, sql: str, dialect: SqlDialect, readable: Readable) -> None:
    """Raise `QueryRejected` for a name that PostgreSQL may take for a function's."""
    if _ESCAPED_NAME.search(sql):
        raise QueryRejected("Names written as U&“…” are not allowed.", "Write the name itself, without U&.")
    compared, is_named_within = partial(_compared, dialect=dialect), partial(_is_named_within, dialect=dialect)
    QualifiedNames(statement, readable.columns, compared, is_named_within).judge()


def named_parameters(sql: str, dialect: SqlDialect) -> tuple[str, ...]:
    """Return the names of the parameters of some SQL, in order. Raises `QueryRejected` for what cannot be read."""
    return _bound(sql, dialect.tokens(sql), dialect)[1]


def _the_one(statements: list[exp.Expr]) -> exp.Expr:
    if not statements:
        raise QueryRejected("There is no SQL statement.", "Write one, such as SELECT count(*) FROM facts.")
    if len(statements) > 1:
        raise QueryRejected("You can run only one statement at a time.", "Remove everything after the first semicolon.")
    (statement,) = statements
    if not isinstance(statement, _STATEMENTS):
        raise QueryRejected(
            f"{_kind(statement)} is not allowed: SQL can only read.", "Begin with SELECT, FROM or WITH."
        )
    return statement


def _judged(node: exp.Expr, dialect: SqlDialect, readable: Readable) -> Iterator[Path]:
    """Yield the table that a node of the tree reads, if it does. Raises `QueryRejected` for what is not known."""
    if isinstance(node, exp.Table):
        if isinstance(node.this, exp.Func) or not _is_named_within(node, dialect):
            yield from _judged_table(node, dialect, readable)
    elif isinstance(node, exp.In) and node.args.get("field") and dialect.name == "sqlite":
        yield from _judged(_behind_in(node), dialect, readable)
    elif isinstance(node, exp.Anonymous):
        _judge_call(node, dialect, readable)
    elif type(node).__name__ not in _KNOWN or (isinstance(node, _READERS) and not isinstance(node.this, _SOURCES)):
        raise QueryRejected(f"{_kind(node)} is not allowed here.", "SQL can only read tables and compute values.")


def _judged_table(table: exp.Table, dialect: SqlDialect, readable: Readable) -> Iterator[Path]:
    if isinstance(table.this, exp.Unnest | exp.Anonymous):
        if len(table.parts) > 1:
            raise QueryRejected(
                f"The function “{table.sql()}” must not have a schema before its name.",
                "Write only the name of the function.",
            )
        return
    path = tuple(_compared(part, dialect) for part in table.parts if isinstance(part, exp.Identifier))
    if path not in readable.tables or len(path) != len(table.parts):
        raise QueryRejected(
            f"There is no table “{'.'.join(path) or table.sql()}” that this SQL can read.", readable.hint(path)
        )
    yield path


def _behind_in(node: exp.In) -> exp.Table:
    """Return what SQLite reads where no bracket follows IN, also a text: a table."""
    behind = node.args["field"]
    if isinstance(behind, exp.Column):
        parts = [part.copy() for part in behind.parts]
    elif isinstance(behind, exp.Literal) and behind.is_string:
        parts = [exp.Identifier(this=behind.name, quoted=True)]
    else:
        raise QueryRejected("IN needs a table or a list.", "Put the values in brackets.")
    table = exp.Table(**dict(zip(("this", "db", "catalog"), reversed(parts), strict=False)))
    table.parent = node
    return table


def _judge_call(call: exp.Anonymous, dialect: SqlDialect, readable: Readable) -> None:
    """Raise `QueryRejected` for a function that is not listed, where it stands."""
    name, parent = _compared(call.this, dialect), call.parent
    if isinstance(parent, exp.Table | exp.Lateral) and call.arg_key == "this":
        if name not in dialect.table_functions and name not in readable.macros:
            raise QueryRejected(f"Asof cannot read “{name}” as a table.", readable.hint((name,)))
        return
    if name not in dialect.functions and name not in readable.functions:
        raise QueryRejected(f"The function “{name}” is not allowed.", "Use only functions that compute values.")
    schema = parent.this.sql().lower() if isinstance(parent, exp.Dot) and parent.expression is call else ""
    if schema and dialect.qualified is not None and schema not in dialect.qualified:
        raise QueryRejected(
            f"The function “{name}” must not have a schema before its name.", "Write only the name of the function."
        )


def _is_named_within(table: exp.Table, dialect: SqlDialect) -> bool:
    """True where the statement itself says what the table is, in a WITH that can be seen from there."""
    if len(table.parts) != 1 or not isinstance(table.this, exp.Identifier):
        return False
    name, node = _compared(table.this, dialect), table.parent
    below: list[exp.Expr] = [table]
    while node is not None:
        named = node.args.get("with_")
        if (
            named is not None
            and named is not below[-1]
            and name in (_alias(part, dialect) for part in named.expressions)
        ):
            return True
        if isinstance(node, exp.With) and name in _seen_within(node, below, dialect):
            return True
        below.append(node)
        node = node.parent
    return False


def _seen_within(named: exp.With, inside: list[exp.Expr], dialect: SqlDialect) -> Iterator[str]:
    """Yield the names that one part of a WITH sees: those before it, and its own where it comes back to itself, which
    is behind its UNION only: before that, and in an EXCEPT, the name is a table's.
    """
    for part in named.expressions:
        if part is inside[-1]:
            is_union = named.recursive and isinstance(part.this, exp.Union)
            if is_union and any(node is part.this.expression for node in inside):
                yield _alias(part, dialect)
            return
        yield _alias(part, dialect)


def _alias(part: exp.Expr, dialect: SqlDialect) -> str:
    alias = part.args.get("alias")
    return _compared(alias.this if isinstance(alias, exp.TableAlias) else part.alias, dialect)


def _bound(sql: str, tokens: list[Token], dialect: SqlDialect) -> tuple[str, tuple[str, ...]]:
    """Return the SQL with each `:name` as the database writes parameters, and their names in order."""
    names: dict[str, int] = {}
    pieces, at = [], 0
    for index, name in _parameters(tokens):
        number = names.setdefault(name, len(names) + 1)
        pieces += [sql[at : tokens[index].start], dialect.parameter.format(name=name, number=number)]
        at = tokens[index + 1].end + 1
    return "".join((*pieces, sql[at:])), tuple(names)


def _parameters(tokens: list[Token]) -> Iterator[tuple[int, str]]:
    """Yield the place of each parameter's mark among the tokens, with its name."""
    if any(token.token_type == TokenType.PLACEHOLDER for token in tokens):
        raise QueryRejected("Asof does not support parameters written as ?.", "Write each parameter as :name.")
    for index, (mark, word) in enumerate(pairwise(tokens)):
        before = tokens[index - 1].token_type if index else None
        is_marked = mark.token_type == TokenType.PARAMETER and mark.text == "$"
        is_marked |= mark.token_type == TokenType.COLON and before not in {*_ENDS_A_VALUE, TokenType.L_BRACKET}
        if is_marked and word.start == mark.end + 1 and word.text.isascii() and word.text.isidentifier():
            yield index, word.text


def _refuse_depth(tokens: Iterable[Token]) -> None:
    depth = 0
    for token in tokens:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if depth > _DEEPEST:
            raise QueryRejected("This SQL is nested too deeply.", "Use WITH to name parts of the query.")


def _kind(node: exp.Expr) -> str:
    """Return what a reader calls a part of SQL: its own first word, else the name of its kind."""
    word = node.name if isinstance(node, exp.Command) and isinstance(node.this, str) else node.key
    return word.upper()


def _compared(name: str | exp.Expr, dialect: SqlDialect) -> str:
    """Return a name as the database compares it: PostgreSQL takes one in quotation marks as it stands."""
    if isinstance(name, str):
        return _lower(name)
    return name.name if dialect.name == "postgres" and name.args.get("quoted") else _lower(name.name)


def _lower(name: str) -> str:
    """Return a name as databases compare it: of letters beyond ASCII they change none."""
    return "".join(letter.lower() if letter.isascii() else letter for letter in name)
