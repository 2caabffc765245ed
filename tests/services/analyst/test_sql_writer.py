"""SQL for questions in words: right for most of an open set, and never for what is not surely read."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import pytest

from services.analyst.sql_plan import sql_of
from services.analyst.sql_writer import read_question
from services.sql.dialects import DialectName
from services.sql.query_tables import QueryTable, graph_tables
from tests.services.analyst.sql_tables import databases, open_tables, questions

Opened = dict[str, tuple[duckdb.DuckDBPyConnection, list[QueryTable]]]
LEAST_RIGHT = 0.9


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    folder = tmp_path_factory.mktemp("tables")
    found = {name: open_tables(tables, folder) for name, tables in databases().items()}
    yield found
    for connection, _ in found.values():
        connection.close()


def sql(opened: Opened, domain: str, question: str) -> str | None:
    connection, tables = opened[domain]
    plan = read_question(question, tables, lambda one: connection.execute(one).fetchall())
    return None if plan is None else sql_of(plan)


def plain(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [[_plain(value) for value in row] for row in rows]


def _plain(value: Any) -> Any:
    if isinstance(value, date | datetime):
        return f"{value:%Y-%m-%d}"
    return value if value is None or isinstance(value, str) else round(float(value), 6)


def is_same(rows: list[list[Any]], expected: list[list[Any]]) -> bool:
    """True where rows say what is expected, in any order, perhaps with a column more."""
    if len(rows) != len(expected) or not rows:
        return len(rows) == len(expected)
    ours, theirs = list(zip(*rows, strict=True)), list(zip(*expected, strict=True))
    like = [[place for place, column in enumerate(ours) if Counter(column) == Counter(one)] for one in theirs]
    wanted = Counter(map(tuple, expected))
    return any(
        len(set(places)) == len(places) and Counter(tuple(row[place] for place in places) for row in rows) == wanted
        for places in product(*like)
    )


def test_the_sql_of_most_questions_is_right_and_none_is_made_up(opened: Opened) -> None:
    wrong = []
    asked = [one for one in questions() if one[2] != "NONE"]
    for domain, question, expected in asked:
        written, connection = sql(opened, domain, question), opened[domain][0]
        rows = [connection.execute(one).fetchall() for one in (written, expected) if one]
        if written is None or not is_same(plain(rows[0]), plain(rows[1])):
            wrong.append(question)
    assert len(asked) >= 130
    assert len(wrong) <= (1 - LEAST_RIGHT) * len(asked), wrong
    assert [q for domain, q, expected in questions() if expected == "NONE" and sql(opened, domain, q)] == []


@pytest.mark.parametrize(
    "question",
    [
        "How many orders were made by unicorns?",
        "How many happy customers are there?",
        "Which customers are likely to leave?",
        "Show me everything.",
        "What does the customer think of us per year?",
        "orders",
    ],
)
def test_a_word_that_is_not_read_leaves_the_question_without_sql(opened: Opened, question: str) -> None:
    assert sql(opened, "shop", question) is None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many facts are there per relation?", "GROUP BY 1"),
        ("How many entities are there by type?", "unnest(types) AS listed(value)"),
        ("How many facts began per year?", "EXTRACT(year FROM valid_at)"),
        ("Top 5 relations by number of facts", "LIMIT 5"),
        ("How many documents are there?", "FROM documents"),
    ],
)
def test_the_graphs_own_tables_are_asked_too(question: str, expected: str) -> None:
    plan = read_question(question, graph_tables(), lambda _: [])
    assert plan is not None
    assert expected in sql_of(plan)
    assert ("facts_as_of(:as_of)" in sql_of(plan)) == ("facts" in question)


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        ("duckdb", "CAST(EXTRACT(year FROM order_date) AS INTEGER) AS year"),
        ("postgres", "CAST(EXTRACT(year FROM order_date) AS INTEGER) AS year"),
        ("sqlite", "CAST(strftime('%Y', order_date) AS INTEGER) AS year"),
    ],
)
def test_years_are_written_as_each_database_takes_them(opened: Opened, dialect: DialectName, expected: str) -> None:
    tables = [replace(one, dialect=dialect) for one in opened["shop"][1]]
    plan = read_question("How many orders were placed per year?", tables, lambda _: [])
    assert plan is not None
    assert expected in sql_of(plan)


def test_a_name_that_sql_would_not_take_is_quoted(opened: Opened, tmp_path: Path) -> None:
    assert '"Box Office (USD)"' in (sql(opened, "films", "Top 10 movies by box office") or "")
