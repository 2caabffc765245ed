"""The SQL of one question for DuckDB, PostgreSQL and SQLite: each database runs it, and all give the same rows."""

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import psycopg
import pytest

from services.analyst.sql_by_rules import read_question
from services.analyst.sql_plan import sql_of
from services.sql.dialects import DialectName
from services.sql.query_tables import QueryTable
from tests.fakes.postgres_server import postgres_on
from tests.services.analyst.sql_tables import open_tables

pytestmark = pytest.mark.slow

QUARTER = re.compile(r"(\d{4})-Q(\d)")
Run = Callable[[str], Sequence[Sequence[Any]]]
SHOPS = ["shop_id INTEGER", "shop_name TEXT", "plan TEXT", "opened_year INTEGER"]
ORDERS = ["order_no INTEGER", "shop_id INTEGER", "placed_on DATE", "sent_on DATE", "amount INTEGER", "channel TEXT"]
MADE = {
    "shops": [(n, f"Shop {n}", ("Free", "Pro")[n % 2], 1985 + n) for n in range(1, 9)],
    "orders": [
        (
            n,
            n % 6 + 1,
            f"{2009 + n % 5}-{1 + n % 9:02}-{1 + n % 27:02}",
            None if n % 5 == 0 else f"2024-10-{1 + n % 20:02}",
            10 * n % 70,
            ("web", "phone", "desk")[n % 3],
        )
        for n in range(1, 60)
    ],
}
QUESTIONS = (
    "How many orders were placed on Mondays?",
    "How many orders were placed per weekday?",
    "How many orders were placed each decade?",
    "How many shops were opened per decade?",
    "How many orders were placed per year?",
    "How many orders were placed by month in 2012?",
    "How many orders were placed by quarter in 2012?",
    "How many orders were placed in March 2012?",
    "How many orders have not been sent?",
    "How many orders have an amount over 40?",
    "average days to sent by channel",
    "average amount by plan",
    "What percentage of orders came by phone?",
    "share of orders by channel",
    "Top 3 shops by total amount",
    "Which shops have more than 9 orders?",
    "How many shops have no orders?",
    "How many shops have no desk order?",
    "How many shops had no orders in 2012?",
    "How many orders took longer than a week?",
    "How long do orders take on average?",
    "Which channel has the fewest orders?",
    "How many different shops placed orders by phone?",
)


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[DialectName, tuple[Run, list[QueryTable]]]]:
    """The same tables in a database of each dialect."""
    columns = {"shops": SHOPS, "orders": ORDERS}
    named = [(table, [one.split()[0] for one in columns[table]], rows) for table, rows in MADE.items()]
    duck, known = open_tables(named, tmp_path_factory.mktemp("dialects"))
    with (
        closing(duck),
        closing(sqlite3.connect(":memory:")) as lite,
        postgres_on() as socket,
        psycopg.connect(host=socket, user="asof", dbname="postgres", autocommit=True) as postgres,
    ):
        for table, declared in columns.items():
            made = f"CREATE TABLE {table} ({', '.join(declared)})"
            lite.execute(made)
            postgres.execute(made)  # type: ignore[call-overload]
            marks = ["?"] * len(declared)
            lite.executemany(f"INSERT INTO {table} VALUES ({', '.join(marks)})", MADE[table])
            marks = ["%s"] * len(declared)
            postgres.cursor().executemany(f"INSERT INTO {table} VALUES ({', '.join(marks)})", MADE[table])
        yield {
            "duckdb": (lambda sql: duck.execute(sql).fetchall(), known),
            "sqlite": (lambda sql: lite.execute(sql).fetchall(), of_dialect("sqlite", known)),
            "postgres": (lambda sql: postgres.execute(sql).fetchall(), of_dialect("postgres", known)),  # type: ignore[call-overload]
        }


def of_dialect(dialect: DialectName, tables: Sequence[QueryTable]) -> list[QueryTable]:
    return [replace(one, dialect=dialect) for one in tables]


def rows(database: tuple[Run, list[QueryTable]], question: str) -> list[tuple[Any, ...]] | None:
    """Return the rows of the SQL for a question; None where none is written."""
    run, tables = database
    plan = read_question(question, tables, run)
    return None if plan is None else sorted(tuple(map(plain, row)) for row in run(sql_of(plan)))


def plain(value: Any) -> Any:
    """Return a value as all databases give it: figures as they are rounded, dates by their months."""
    if isinstance(value, Decimal | float | int):
        return round(float(value), 6)
    if isinstance(value, date | datetime):
        return f"{value:%Y-%m}"
    quarter = QUARTER.fullmatch(value)
    return f"{quarter[1]}-{3 * int(quarter[2]) - 2:02}" if quarter else value


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_database_runs_the_sql_and_gives_the_same_rows(
    databases: dict[DialectName, tuple[Run, list[QueryTable]]], question: str
) -> None:
    expected = rows(databases["duckdb"], question)
    assert expected, "no SQL, or no rows"
    assert [rows(databases[name], question) for name in ("postgres", "sqlite")] == [expected, expected]


def test_weekdays_are_told_by_their_names(databases: dict[DialectName, tuple[Run, list[QueryTable]]]) -> None:
    for database in databases.values():
        found = rows(database, "How many orders were placed per weekday?") or []
        assert "Sunday" in {day for day, _ in found}


def test_a_median_is_written_where_the_database_has_one(
    databases: dict[DialectName, tuple[Run, list[QueryTable]]],
) -> None:
    question = "median amount by channel"
    expected = rows(databases["duckdb"], question)
    assert expected
    assert rows(databases["postgres"], question) == expected
    assert rows(databases["sqlite"], question) is None
