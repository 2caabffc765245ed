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

from services.analyst.sql_by_rules import draft_sql, read_question
from services.analyst.sql_plan import sql_of
from services.sql.dialects import DialectName
from services.sql.query_tables import HOLDING, QueryTable, graph_tables
from tests.services.analyst.plain_tables import plain_databases, plain_questions
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


@pytest.mark.slow
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


@pytest.fixture(scope="module")
def plain_opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    folder = tmp_path_factory.mktemp("plain")
    found = {name: open_tables(tables, folder) for name, tables in plain_databases().items()}
    yield found
    for connection, _ in found.values():
        connection.close()


def test_questions_of_every_shape_are_answered_right_or_not_at_all(plain_opened: Opened) -> None:
    outcomes: dict[str, list[str]] = {"right": [], "wrong": [], "none": []}
    for _, domain, question, expected in plain_questions():
        written, connection = sql(plain_opened, domain, question), plain_opened[domain][0]
        rows = [connection.execute(one).fetchall() for one in (written, expected) if one]
        is_right = written is not None and is_same(plain(rows[0]), plain(rows[1]))
        outcomes["none" if written is None else "right" if is_right else "wrong"].append(question)
    assert outcomes["wrong"] == []
    assert len(outcomes["none"]) <= 3, outcomes["none"]


@pytest.mark.parametrize(
    "question",
    [
        "How many people per place?",
        "Total salary per person",
        "How many people per shoe size?",
        "The highest paid person in each city",
        "How many people work in IT?",
        "What percentage of nurses in Ghent are old?",
        "Which cities have more than 10 nurses?",
    ],
)
def test_what_rows_are_grouped_by_is_never_dropped(plain_opened: Opened, question: str) -> None:
    assert sql(plain_opened, "market", question) is None


def test_a_question_all_in_capitals_is_read_as_one_without_any(plain_opened: Opened) -> None:
    read = {question: sql(plain_opened, domain, question.lower()) for _, domain, question, _ in plain_questions()}
    loud = {question: sql(plain_opened, domain, question.upper()) for _, domain, question, _ in plain_questions()}
    assert loud == read


@pytest.mark.parametrize(
    ("stressed", "question"),
    [
        ("HOW MANY people are there?", "How many people are there?"),
        ("How many people do NOT live in Ghent?", "How many people do not live in Ghent?"),
        ("HOW MANY PEOPLE LIVE IN Ghent?", "How many people live in Ghent?"),
    ],
)
def test_small_words_in_capitals_are_no_names_where_they_are_stressed(
    plain_opened: Opened, stressed: str, question: str
) -> None:
    assert sql(plain_opened, "market", stressed) == sql(plain_opened, "market", question) is not None


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("What percentage of orders were cancelled?", "100.0 * sum(CASE WHEN status = 'cancelled' THEN 1 ELSE 0 END)"),
        ("Percentage of orders by status", "100.0 * count(*) / sum(count(*)) OVER ()"),
        ("Which cities have more than 10 people?", "HAVING count(*) > 10"),
        ("How many people do not live in Ghent?", "city <> 'Ghent'"),
        ("How many orders have an amount between 100 and 200?", "amount >= 100 AND amount <= 200"),
        ("Show total amount by category from lowest to highest", "ORDER BY 2 ASC"),
        ("Which person placed the most orders?", "JOIN people ON orders.person_id = people.id"),
    ],
)
def test_shares_groups_and_orders_are_written_as_sql(plain_opened: Opened, question: str, part: str) -> None:
    assert part in (sql(plain_opened, "market", question) or "")


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
        ("How many facts started each year?", "EXTRACT(year FROM valid_at)"),
        ("Top 5 relations by number of facts", "LIMIT 5"),
        ("How many documents are there?", "FROM documents"),
    ],
)
def test_the_graphs_own_tables_are_asked_too(question: str, expected: str) -> None:
    plan = read_question(question, graph_tables(), lambda _: [])
    assert plan is not None
    assert expected in sql_of(plan)
    assert ("facts_as_of(:as_of)" in sql_of(plan)) == ("facts" in question)


def graph_rows() -> duckdb.DuckDBPyConnection:
    """Return tables as the graph has them: passages with keywords, and a few facts."""
    connection = duckdb.connect()
    for table in graph_tables():
        columns = ", ".join(f'"{one.name}" {one.type}' for one in table.table.columns)
        connection.execute(f"CREATE TABLE {table.table.name} ({columns})")
    keywords = "['many', 'fact', 'relation', 'status', 'peps', 'draft', 'drafts', 'row', 'python', 'releases']"
    connection.execute(f"INSERT INTO chunks (id, text, keywords) VALUES ('1', 'Many facts', {keywords})")
    connection.execute("INSERT INTO entities (uuid, name, types) VALUES ('1', 'PEP 8', ['Pep']), ('2', 'Draft', ['S'])")
    connection.execute("INSERT INTO facts (source, relation, target) VALUES ('PEP 8', 'HAS_STATUS', 'Draft')")
    return connection


def of_graph(question: str) -> str | None:
    with graph_rows() as connection:
        plan = read_question(
            question,
            graph_tables(),
            lambda one: connection.execute(one.replace(HOLDING, "facts")).fetchall(),
        )
    return None if plan is None else sql_of(plan)


def test_a_relation_of_the_graph_is_chosen_by_its_exact_name() -> None:
    written = of_graph("How many facts have the relation HAS_STATUS?")
    assert written == f"SELECT count(*) AS count\nFROM {HOLDING}\nWHERE relation = 'HAS_STATUS'"
    assert of_graph("How many facts have the relation WORKS_FOR?") is None
    assert of_graph("How many facts have the relation STATUS?") is None


@pytest.mark.parametrize(
    "question",
    ["How many PEPs are drafts?", "How many rows has python_releases?", "How many drafts are there?"],
)
def test_words_that_passages_happen_to_have_choose_no_passages(question: str) -> None:
    assert of_graph(question) is None


def test_a_keyword_that_is_asked_for_chooses_passages() -> None:
    assert "list_contains(keywords, 'draft')" in (of_graph("How many chunks have the keyword draft?") or "")


def test_a_table_that_two_databases_have_is_not_guessed(opened: Opened) -> None:
    connection, tables = opened["shop"]
    twins = [replace(one, database=database) for database in ("spring", "autumn") for one in tables]
    question = "How many orders are there?"
    assert read_question(question, tables, lambda one: connection.execute(one).fetchall()) is not None
    assert read_question(question, twins, lambda one: connection.execute(one).fetchall()) is None


@pytest.mark.parametrize(
    ("question", "unexplained"),
    [
        ("How many barrels were ordered per month?", ("barrels",)),
        ("How many orders of turpentine and molasses are there?", ("turpentine", "molasses")),
        ("Why should turpentine cost more than it did?", ("turpentine",)),
        ("Why are there more orders?", ()),
    ],
)
def test_words_that_no_table_knows_are_returned_in_place_of_sql(
    opened: Opened, question: str, unexplained: tuple[str, ...]
) -> None:
    connection, tables = opened["shop"]
    draft = draft_sql(question, tables, lambda one: connection.execute(one).fetchall())
    assert draft.sql is None
    assert draft.unexplained == unexplained


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
