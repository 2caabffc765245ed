"""SQL over a graph's relations as tables: what holds now or at a date, and what happened in each year."""

from collections.abc import Iterator

import duckdb
import pytest

from services.analyst.graph_relations import graph_readings
from services.analyst.sql_by_rules import draft_sql
from services.core.errors import BadInput

FACTS = (
    ("Ada", "WORKS_FOR", "Acme", 2019, None),
    ("Bo", "WORKS_FOR", "Acme", 2020, 2022),
    ("Cy", "WORKS_FOR", "Zenit", 2020, None),
    ("Dee", "WORKS_FOR", "Zenit", 2021, None),
    ("Ada", "HAS_ROLE", "Engineer", 2019, None),
    ("Bo", "HAS_ROLE", "Manager", 2020, None),
    ("Cy", "HAS_ROLE", "Engineer", 2020, None),
)


@pytest.fixture(scope="module")
def graph() -> Iterator[duckdb.DuckDBPyConnection]:
    """A graph of people, employers and roles, each recorded when it began, with the macros of a snapshot."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE entities (uuid VARCHAR, name VARCHAR, types VARCHAR[], created_at DATE)")
        kinds = {one[0]: "Person" for one in FACTS} | {"Acme": "Company", "Zenit": "Company"}
        kinds |= {"Engineer": "Role", "Manager": "Role"}
        since = {one[0]: f"{one[3]}-01-01" for one in reversed(FACTS)}
        entities = [(name, name, kind, since.get(name)) for name, kind in kinds.items()]
        connection.executemany("INSERT INTO entities VALUES (?, ?, [?], ?)", entities)
        columns = "source_uuid VARCHAR, source VARCHAR, relation VARCHAR, target VARCHAR"
        connection.execute(f"CREATE TABLE facts ({columns}, valid_at DATE, invalid_at DATE)")
        rows = [(a, a, r, b, f"{first}-01-01", last and f"{last}-01-01") for a, r, b, first, last in FACTS]
        connection.executemany("INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?)", rows)
        holds = "valid_at <= t AND (invalid_at IS NULL OR invalid_at > t)"
        connection.execute(f"CREATE MACRO facts_as_of(t) AS TABLE SELECT * FROM facts WHERE {holds}")
        ever = (
            "valid_at <= getvariable('known_at') AND valid_at < b::DATE AND a::DATE < coalesce(invalid_at, 'infinity')"
        )
        connection.execute(f"CREATE MACRO facts_between(a, b) AS TABLE SELECT * FROM facts WHERE {ever}")
        yield connection


def rows(
    graph: duckdb.DuckDBPyConnection, question: str, known_at: str = "2026-01-01"
) -> list[tuple[object, ...]] | None:
    """Return the rows of the SQL for a question on 2026-01-01; None where none is written."""
    known = f"TIMESTAMP '{known_at}'"
    graph.execute(f"SET VARIABLE known_at = {known}")

    def run(sql: str) -> list[tuple[object, ...]]:
        return graph.execute(sql.replace(":as_of", "TIMESTAMP '2026-01-01'").replace(":known_at", known)).fetchall()

    asked, tables = graph_readings(question, run)
    sql = draft_sql(asked, tables, run).sql
    return None if sql is None else run(sql)


def test_entities_of_a_type_are_counted(graph: duckdb.DuckDBPyConnection) -> None:
    assert rows(graph, "How many companies are there?") == [(2,)]


def test_the_sources_of_a_relation_are_counted_as_they_hold(graph: duckdb.DuckDBPyConnection) -> None:
    assert rows(graph, "How many persons have the role Engineer?") == [(2,)]
    assert rows(graph, "persons by role") == [("Engineer", 2), ("Manager", 1)]


def test_a_date_says_when_the_facts_are_to_hold(graph: duckdb.DuckDBPyConnection) -> None:
    assert rows(graph, "How many persons work for Acme?") == [(1,)]
    assert rows(graph, "How many persons work for Acme as of 2021-06-01?") == [(2,)]


def test_what_began_in_each_year_is_counted_though_it_has_ended(graph: duckdb.DuckDBPyConnection) -> None:
    assert rows(graph, "How many persons have the role Manager per year?") == [(2020, 1)]


def test_facts_recorded_later_than_asked_are_not_counted_by_year(graph: duckdb.DuckDBPyConnection) -> None:
    question = "How many persons have the role Engineer per year?"
    assert rows(graph, question) == [(2019, 1), (2020, 1)]
    assert rows(graph, question, known_at="2019-06-01") == [(2019, 1)]


def test_entities_recorded_later_than_asked_are_not_counted(graph: duckdb.DuckDBPyConnection) -> None:
    assert rows(graph, "How many persons are there?") == [(4,)]
    assert rows(graph, "How many persons are there?", known_at="2020-06-01") == [(3,)]


def test_what_the_graph_does_not_know_is_not_read(graph: duckdb.DuckDBPyConnection) -> None:
    assert rows(graph, "How many bugs were filed per person?") is None
    assert rows(graph, "top 5 companies by turnover") is None


def test_a_graph_that_cannot_be_read_has_no_tables() -> None:
    def run(sql: str) -> list[tuple[object, ...]]:
        raise BadInput("The graph is away.")

    assert graph_readings("How many persons are there?", run) == ("How many persons are there?", ())
