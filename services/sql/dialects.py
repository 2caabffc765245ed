"""The dialects of SQL that are read, and the functions that each may call.

A function that is not listed is refused: a list of dangerous ones would miss the next one that a database learns.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sqlglot import ParseError, TokenError, exp
from sqlglot.dialects import Dialect, DuckDB, Postgres, SQLite
from sqlglot.parser import Parser
from sqlglot.parsers.duckdb import DuckDBParser
from sqlglot.parsers.postgres import PostgresParser
from sqlglot.parsers.sqlite import SQLiteParser
from sqlglot.tokenizer_core import Token, TokenType

from services.core.errors import QueryRejected

DialectName = Literal["duckdb", "sqlite", "postgres"]

_FUNCTIONS = Path(__file__).parent / "allowed_functions"
_TEMPLATE = ("{#", "{%", "{{")
"""The parser drops or skips what a template has behind these; to DuckDB they begin a value."""


class _NamesFunctions:
    """Leaves each function under the name that stands in the SQL, and reads `LIMIT a % b` as arithmetic."""

    FUNCTIONS: dict[str, Any] = {}  # noqa: RUF012

    def _parse_term(self, parse_mod: bool = True) -> exp.Expr | None:
        if parse_mod:
            return super()._parse_term()  # type: ignore[misc, no-any-return]
        index = self._index  # type: ignore[attr-defined]
        try:
            return super()._parse_term()  # type: ignore[misc, no-any-return]
        except ParseError:  # it was LIMIT 10%
            self._retreat(index)  # type: ignore[attr-defined]
            return super()._parse_term(parse_mod=False)  # type: ignore[misc, no-any-return]


class _DuckDBNames(_NamesFunctions, DuckDBParser):
    pass


class _SQLiteNames(_NamesFunctions, SQLiteParser):
    pass


class _PostgresNames(_NamesFunctions, PostgresParser):
    """Takes a function in quotation marks for nothing but its name: what it is called may be somebody's own."""

    def _parse_function_call(self, *args: Any, **given: Any) -> exp.Expr | None:
        if self._curr and self._curr.token_type == TokenType.IDENTIFIER:
            given["anonymous"] = True
        return super()._parse_function_call(*args, **given)


@dataclass(frozen=True, slots=True)
class SqlDialect:
    """How one database's SQL is read. `table_functions` are those that may stand in the place of a table.

    `parameter` writes the parameter of a name and its number; `qualified` are the schemas whose name may stand before
    a function's, None where there is no schema with functions of others.
    """

    name: DialectName
    grammar: Dialect
    parser: type[Parser]
    functions: frozenset[str]
    table_functions: frozenset[str]
    parameter: str
    qualified: frozenset[str] | None

    def tokens(self, sql: str) -> list[Token]:
        """Return the tokens of SQL. Raises `QueryRejected` for an open string or comment and a template's marks."""
        if mark := next((mark for mark in _TEMPLATE if mark in sql), ""):
            raise QueryRejected(
                f"“{mark}” is not allowed in this SQL.",
                "Put a space after the brace. Inside a string, write '{' || '…'.",
            )
        with _translated():
            found: list[Token] = self.grammar.tokenize(sql)
            return found

    def parsed(self, sql: str) -> list[exp.Expr]:
        """Return the statements of some SQL. Raises `QueryRejected` for what cannot be read."""
        with _translated():
            return [found for found in self.parser(dialect=self.grammar).parse(self.tokens(sql), sql) if found]


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except ParseError as error:
        first = error.errors[0] if error.errors else {}
        place = f" (line {first['line']}, near “{first['highlight']}”)" if first.get("highlight") else ""
        raise QueryRejected(
            f"Asof cannot read this SQL{place}.", "Check the brackets, commas and keywords there."
        ) from error
    except TokenError as error:
        raise QueryRejected("Asof cannot read this SQL.", "Check for an unclosed quotation mark or comment.") from error
    except RecursionError as error:
        raise QueryRejected("This SQL is nested too deeply.", "Use WITH to name parts of the query.") from error


def _names(dialect: DialectName) -> frozenset[str]:
    """Return the functions of a dialect, and SQLite's, which people and models write everywhere: a database that lacks
    one says so, and what it has instead.
    """
    listed = (_FUNCTIONS / f"{name}.txt" for name in {dialect, "sqlite"})
    return frozenset(" ".join(file.read_text(encoding="utf-8") for file in listed).split())


DUCKDB = SqlDialect(
    "duckdb",
    DuckDB(),
    _DuckDBNames,
    _names("duckdb") - {"glob"},  # which lists files there
    frozenset(("generate_series", "json_each", "json_tree", "range", "unnest")),
    "${name}",
    None,
)
SQLITE = SqlDialect(
    "sqlite", SQLite(), _SQLiteNames, _names("sqlite"), frozenset(("json_each", "json_tree")), ":{name}", frozenset()
)
POSTGRES = SqlDialect(
    "postgres",
    Postgres(),
    _PostgresNames,
    _names("postgres"),
    frozenset(
        (
            "generate_series",
            "json_array_elements",
            "json_array_elements_text",
            "json_each",
            "json_each_text",
            "json_object_keys",
            "jsonb_array_elements",
            "jsonb_array_elements_text",
            "jsonb_each",
            "jsonb_each_text",
            "jsonb_object_keys",
            "jsonb_path_query",
            "regexp_matches",
            "regexp_split_to_table",
            "string_to_table",
            "unnest",
        )
    ),
    "${number}",
    frozenset(("pg_catalog",)),
)
