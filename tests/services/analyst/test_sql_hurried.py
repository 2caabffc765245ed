"""SQL for questions as analysts type them in a hurry: units, owners, days between dates, and what is lacking."""

from collections.abc import Iterator

import duckdb
import pytest

from services.analyst.sql_by_rules import read_question
from services.analyst.sql_plan import sql_of
from services.sql.query_tables import QueryTable
from tests.services.analyst.sql_tables import open_tables

Tables = tuple[duckdb.DuckDBPyConnection, list[QueryTable]]


@pytest.fixture(scope="module")
def claims(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    holders = [(n, f"Ann Holder{n}", 1940 + 5 * n, ("Bath", "York")[n % 2]) for n in range(1, 13)]
    calls = [
        (
            f"C{n}",
            n % 9 + 1,
            f"2023-{1 + n % 12:02}-03",
            f"2023-{1 + n % 12:02}-{4 + n % 20:02}",
            ("fire", "water", "theft")[n % 3],
            n * 300.5,
            n * 100.0 if n % 4 else None,
            15 * n,
            None if n % 3 == 0 else f"2024-{1 + n % 12:02}-09",
        )
        for n in range(1, 41)
    ]
    tables = [
        ("policyholders", ["holder_id", "holder_name", "birth_yr", "town"], holders),
        (
            "claims",
            [
                "claim_no",
                "holder_id",
                "loss_dt",
                "reported_dt",
                "peril",
                "claimed_gbp",
                "paid_gbp",
                "handling_min",
                "settled_on",
            ],
            calls,
        ),
    ]
    connection, known = open_tables(tables, tmp_path_factory.mktemp("claims"))
    yield connection, known
    connection.close()


def written(claims: Tables, question: str) -> str | None:
    """Return the SQL for a question; None where none is written."""
    connection, tables = claims
    plan = read_question(question, tables, lambda one: connection.execute(one).fetchall())
    return None if plan is None else sql_of(plan)


def rows(claims: Tables, question: str) -> list[tuple[object, ...]] | None:
    sql = written(claims, question)
    return None if sql is None else sorted(claims[0].execute(sql).fetchall())


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("total handling time in hours per peril", "SELECT peril, sum(handling_min / 60.0) FROM claims GROUP BY 1"),
        ("handling time by peril, in hours", "SELECT peril, sum(handling_min / 60.0) FROM claims GROUP BY 1"),
        (
            "peril by town",
            "SELECT peril, town, count(*) FROM claims JOIN policyholders USING (holder_id) GROUP BY 1, 2",
        ),
        ("How many claims were settled?", "SELECT count(*) FROM claims WHERE settled_on IS NOT NULL"),
        (
            "claims that were settled, by peril",
            "SELECT peril, count(*) FROM claims WHERE settled_on IS NOT NULL GROUP BY 1",
        ),
        (
            "days from loss to report, average by peril",
            "SELECT peril, avg(reported_dt - loss_dt) FROM claims GROUP BY 1",
        ),
        (
            "For every peril, the longest time between loss and report",
            "SELECT peril, max(reported_dt - loss_dt) FROM claims GROUP BY 1",
        ),
        (
            "How many claims are there per holder on average?",
            "SELECT 1.0 * count(*) / count(DISTINCT holder_id) FROM claims",
        ),
        (
            "On average, how many claims does a holder make?",
            "SELECT 1.0 * count(*) / count(DISTINCT holder_id) FROM claims",
        ),
        (
            "holders who never made a claim",
            "SELECT holder_name FROM policyholders WHERE holder_id NOT IN (SELECT holder_id FROM claims)",
        ),
        (
            "claims between 1,000 and 5,000 pounds",
            "SELECT count(*) FROM claims WHERE claimed_gbp BETWEEN 1000 AND 5000",
        ),
        (
            "How many claims have a claimed amount over 1000?",
            "SELECT count(*) FROM claims WHERE claimed_gbp > 1000",
        ),
        ("How many claims are above 11k?", "SELECT count(*) FROM claims WHERE claimed_gbp > 11000"),
        (
            "Fire claims in York: how many?",
            "SELECT count(*) FROM claims JOIN policyholders USING (holder_id) WHERE peril = 'fire' AND town = 'York'",
        ),
        (
            "Which perils came up fewer than 14 times?",
            "SELECT peril, count(*) FROM claims GROUP BY 1 HAVING count(*) < 14",
        ),
        ("How many claims took longer than an hour?", "SELECT count(*) FROM claims WHERE handling_min > 60"),
        ("How many holders were born before 1970?", "SELECT count(*) FROM policyholders WHERE birth_yr < 1970"),
        (
            "Biggest theft claim",
            "SELECT claim_no, claimed_gbp FROM claims WHERE peril = 'theft' ORDER BY 2 DESC LIMIT 1",
        ),
    ],
)
def test_a_hurried_question_gets_the_sql_that_it_means(claims: Tables, question: str, gold: str) -> None:
    expected = sorted(claims[0].execute(gold).fetchall())
    assert expected
    assert rows(claims, question) == expected


@pytest.mark.parametrize(
    ("question", "limit"),
    [
        ("Who are the holders with the most claims?", "LIMIT 10"),
        ("Who is the holder with the most claims?", "LIMIT 1"),
        ("Which holder has the most claims?", "LIMIT 1"),
        ("Which holders have the most claims?", "LIMIT 10"),
    ],
)
def test_the_verb_tells_whether_one_is_asked_for_or_several(claims: Tables, question: str, limit: str) -> None:
    assert (written(claims, question) or "").splitlines()[-1:] == [limit]


@pytest.mark.parametrize(
    "question",
    [
        "How many claims were renewed in 2023?",
        "How many claims paid out?",
        "What is the best handling time for fire?",
        "Oldest claim handler",
    ],
)
def test_what_nothing_in_the_tables_tells_is_left_without_sql(claims: Tables, question: str) -> None:
    assert written(claims, question) is None
