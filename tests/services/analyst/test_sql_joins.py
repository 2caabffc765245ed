"""SQL over tables that lead to each other: only by keys, through one other, and for rows that none lead to."""

from collections.abc import Iterator
from dataclasses import replace

import duckdb
import pytest

from services.analyst.sql_by_rules import read_question
from services.analyst.sql_plan import sql_of
from services.sql.query_tables import QueryTable
from tests.services.analyst.sql_tables import open_tables

Orchard = tuple[duckdb.DuckDBPyConnection, list[QueryTable]]
NAMES = ("Ada Quist", "Bo Renner", "Cy Abbott")


@pytest.fixture(scope="module")
def orchard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Orchard]:
    farms = [(n, f"Farm {n}", ("Kent", "Devon")[n % 2]) for n in range(1, 5)]
    trees = [(f"T{n}", n % 4 + 1, ("oak", "elm")[n % 2], 2010 + n % 9, n % 3) for n in range(20)]
    checks = [(n, f"T{n % 15}", f"202{n % 4}-0{n % 8 + 1}-11", NAMES[n % 3], n % 9 or None) for n in range(40)]
    picks = [(n, f"T{n % 12}", f"202{n % 4}-09-0{n % 8 + 1}", 3.5 * n, ("Cox", "Gala")[n % 2]) for n in range(30)]
    lab = [(n, ("Nitrate", "Iron")[n % 2], n * 1.5, f"2023-0{n % 8 + 1}-02") for n in range(24)]
    tables = [
        ("farms", ["farm_id", "farm_name", "county"], farms),
        ("trees", ["tree_no", "farm_id", "species", "planted", "grade"], trees),
        ("checks", ["check_id", "tree_no", "check_date", "checker", "height_m"], checks),
        ("harvests", ["harvest_id", "tree_no", "picked_on", "kg", "apple_kind"], picks),
        ("results", ["result_id", "substance", "val", "tested_on"], lab),
    ]
    connection, known = open_tables(tables, tmp_path_factory.mktemp("orchard"))
    yield connection, known
    connection.close()


def read(orchard: Orchard, question: str, without: str = "") -> str | None:
    connection, tables = orchard
    chosen = [one for one in tables if one.table.name != without]
    plan = read_question(question, chosen, lambda one: connection.execute(one).fetchall())
    return None if plan is None else " ".join(sql_of(plan).split())


def rows(orchard: Orchard, question: str) -> list[tuple[object, ...]]:
    return orchard[0].execute(read(orchard, question) or "SELECT 'none'").fetchall()


@pytest.mark.parametrize(
    "question",
    ["How many trees were never checked?", "number of trees without checks", "How many trees has nobody checked?"],
)
def test_rows_that_no_other_rows_lead_to_are_counted(orchard: Orchard, question: str) -> None:
    assert rows(orchard, question) == [(5,)]


def test_a_table_is_reached_through_the_one_between(orchard: Orchard) -> None:
    written = read(orchard, "Total kilos of harvests per county") or ""
    assert "JOIN trees ON harvests.tree_no = trees.tree_no JOIN farms ON trees.farm_id = farms.farm_id" in written
    assert sum(float(str(kilos)) for _, kilos in rows(orchard, "Total kilos of harvests per county")) == 3.5 * sum(
        range(30)
    )


def test_tables_that_share_a_name_are_not_joined_where_its_values_are_not_the_others(orchard: Orchard) -> None:
    connection, tables = orchard
    trees = next(one for one in tables if one.table.name == "trees")
    columns = (trees.table.columns[4], trees.table.columns[2])
    grades = trees.table.model_copy(update={"name": "grades", "columns": columns})
    connection.execute(
        "CREATE OR REPLACE TABLE grades AS SELECT * FROM (VALUES (7, 'fine'), (8, 'poor')) AS t(grade, species)"
    )
    with_grades = [trees, replace(trees, sql_name="grades", table=grades)]
    plan = read_question("How many trees per grade?", with_grades, lambda one: connection.execute(one).fetchall())
    assert plan is not None
    assert " ".join(sql_of(plan).split()).startswith("SELECT grade, count(*) AS count FROM trees GROUP BY 1")


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("Which three trees gave the most apple?", "sum(harvests.kg)"),
        ("Who did the most checks in 2023?", "SELECT checker, count(*)"),
        ("How many different people have made a check?", "count(DISTINCT checker)"),
        ("What is the average nitrate?", "avg(val) AS avg_val FROM results WHERE substance = 'Nitrate'"),
        ("Checks per quarter of 2022", "quarter_number"),
        ("How many checks were there in 2020 or 2023?", "IN (2020, 2023)"),
        ("How does the average height differ between checkers?", "GROUP BY 1"),
        ("busiest checker by checks", "SELECT checker, count(*)"),
        ("How many kilos does a harvest have on average?", "avg(kg)"),
        ("How have harvests changed from year to year?", "EXTRACT(year FROM picked_on)"),
    ],
)
def test_what_is_ranked_or_measured_is_read_off_the_tables(orchard: Orchard, question: str, part: str) -> None:
    assert part in (read(orchard, question) or "")


@pytest.mark.parametrize(
    "question",
    [
        "Which counties have the highest average nitrate?",
        "How many cox were checked?",
        "What is the maximum height and the average kilos of checks?",
        "Which farm is worth the most?",
        "How many trees planted in 2012 were never checked?",
    ],
)
def test_a_question_of_which_a_part_is_lost_is_left_without_sql(orchard: Orchard, question: str) -> None:
    assert read(orchard, question) is None


def test_only_a_few_columns_are_compared_where_many_tables_share_their_name(orchard: Orchard) -> None:
    connection, tables = orchard
    trees = next(one for one in tables if one.table.name == "trees")
    columns = (trees.table.columns[4], trees.table.columns[2])
    many = []
    for number in range(12):
        named = f"grades_{number}"
        connection.execute(f"CREATE OR REPLACE TABLE {named} (species VARCHAR, grade BIGINT)")
        table = trees.table.model_copy(update={"name": named, "columns": columns[::-1]})
        many.append(replace(trees, sql_name=named, table=table))
    run: list[str] = []

    def running(sql: str) -> list[tuple[object, ...]]:
        run.append(sql)
        return connection.execute(sql).fetchall()

    read_question("How many trees per grade?", [trees, *many], running)
    assert len([one for one in run if "HAVING count(*) > 1" in one]) <= 20
