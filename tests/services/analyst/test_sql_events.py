"""SQL for questions whose words say what happened, who did it, or what kind of money it was, and choose no rows."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from services.analyst.sql_by_rules import read_question
from services.analyst.sql_plan import sql_of
from services.sql.catalog import ForeignKey
from services.sql.query_tables import QueryTable
from tests.services.analyst.sql_tables import open_tables

Workshop = tuple[duckdb.DuckDBPyConnection, list[QueryTable]]


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    smiths = [(f"S{n}", name, licence, n + 1) for n, (name, licence) in enumerate([("Ada", "A"), ("Bo", "B")])]
    jobs = [
        (
            n,
            f"202{n % 4}-03-0{n % 8 + 1}",
            f"S{n % 2}",
            ("cargo", "city")[n % 2],
            f"K{n % 5}",
            ("gears", "brakes")[n % 2],
        )
        for n in range(24)
    ]
    figures = [(n % 3, 40 + n, "" if n % 4 == 0 else f"202{n % 4}-04-01", 10 + n) for n in range(24)]
    rows = [(*job, *more) for job, more in zip(jobs, figures, strict=True)]
    names = ["job_no", "received_on", "smith_id", "bike_kind", "buyer", "work_type"]
    columns = [*names, "crew", "resp_min", "finished_on", "parts_eur"]
    made = [("smiths", ["smith_id", "smith_name", "licence", "stall_m"], smiths), ("jobs", columns, rows)]
    connection, tables = open_tables(made, tmp_path_factory.mktemp("workshop"))
    yield connection, tables
    connection.close()


def sql(workshop: Workshop, question: str) -> str:
    connection, tables = workshop
    plan = read_question(question, tables, lambda one: connection.execute(one).fetchall())
    return "" if plan is None else " ".join(sql_of(plan).split())


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("Which smith tinkered with the most jobs?", "GROUP BY smiths.smith_id, 1 ORDER BY 2 DESC NULLS LAST LIMIT 1"),
        ("How many cargo bikes did we mend in 2022?", "WHERE bike_kind = 'cargo' AND received_on >= DATE '2022-01-01'"),
        ("How many gears jobs are there?", "SELECT count(*) AS count FROM jobs WHERE work_type = 'gears'"),
        ("Jobs by kind of work", "SELECT work_type, count(*)"),
        ("average parts cost per type of bike", "SELECT bike_kind, avg(parts_eur)"),
        ("How many jobs are still unfinished?", "WHERE finished_on IS NULL"),
        ("Haberdashery takings per year", "sum(parts_eur)"),
        ("Who has the widest stall?", "SELECT smith_name, stall_m FROM smiths ORDER BY 2 DESC NULLS LAST LIMIT 1"),
        ("Which type of work has the slowest average response?", "avg(resp_min) AS avg_resp_min FROM jobs GROUP BY 1"),
        ("Three buyers who spent the most on parts", "SELECT buyer, sum(parts_eur)"),
        ("How many jobs took more than 50 minutes?", "WHERE resp_min > 50"),
        ("Which buyers have brought the most jobs? Give me two.", "LIMIT 2"),
        ("How many jobs were done by smiths of each licence?", "SELECT smiths.licence, count(*)"),
    ],
)
def test_words_that_choose_nothing_by_their_place_are_passed_over(workshop: Workshop, question: str, part: str) -> None:
    assert part in sql(workshop, question)


@pytest.mark.parametrize(
    "question",
    [
        "How many jobs were abandoned?",
        "How many velvet jobs are there?",
        "How many jobs did the crew enjoy after dark?",
        "What is the licence of the smith from the moon with the most jobs?",
        "Where is the smith with the widest stall from?",
        "How many jobs were geared in 2022?",
        "Which three smiths did the most jobs and who were their buyers?",
    ],
)
def test_words_that_may_choose_rows_leave_a_question_without_sql(workshop: Workshop, question: str) -> None:
    assert sql(workshop, question) == ""


def test_a_key_that_a_question_asks_for_is_shown_beside_the_name(workshop: Workshop) -> None:
    shown = "SELECT smiths.smith_id, smiths.smith_name, count(*) AS count"
    assert sql(workshop, "What are the id and name of the smith with the most jobs?").startswith(shown)


def test_of_two_ways_to_one_table_the_one_that_is_named_is_taken(tmp_path: Path) -> None:
    ports = ("ports", ["port_code", "city"], [("A", "Ghent"), ("B", "Bruges")])
    trips = ("trips", ["trip_no", "source_port", "dest_port"], [(1, "A", "B"), (2, "A", "B"), (3, "B", "A")])
    connection, (known, joined) = open_tables([ports, trips], tmp_path)
    keys = tuple(
        ForeignKey(table="trips", column=one, other_table="ports", other_column="port_code")
        for one in ("source_port", "dest_port")
    )
    asked = (connection, [known, QueryTable("trips", "db", "duckdb", joined.table, keys)])
    assert "ON trips.source_port = ports.port_code" in sql(asked, "How many trips depart from Ghent?")
    assert "ON trips.dest_port = ports.port_code" in sql(asked, "How many trips arrive in Ghent?")
    assert "JOIN" not in sql(asked, "How many trips concern Ghent?")
    connection.close()
