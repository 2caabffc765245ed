"""SQL for rows that lack others of a kind, columns set against each other, and tables reached in two ways."""

from collections.abc import Iterator
from dataclasses import replace

import duckdb
import pytest

from services.analyst.sql_by_rules import read_question
from services.analyst.sql_plan import sql_of
from services.sql.key_guesses import guessed_keys
from services.sql.query_tables import QueryTable
from tests.services.analyst.sql_tables import open_tables

Harbour = tuple[duckdb.DuckDBPyConnection, list[QueryTable]]
PORTS = (
    ("BRG", "Bergen", "Norway"),
    ("OSL", "Oslo", "Norway"),
    ("HAM", "Hamburg", "Germany"),
    ("GOT", "Gothenburg", "Sweden"),
)
STATES = ("docked", "delayed", "lost")


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harbour]:
    ships = [(n, ("Aurora", "Boreas", "Calypso")[n % 3], ("yes", "no")[n % 2], 1980 + n) for n in range(1, 13)]
    trips = [
        (
            f"V{n}",
            n % 8 + 1,
            PORTS[n % 3][0],
            PORTS[(n + 1 + n % 2) % 3][0],
            f"2023-{1 + n % 12:02}-03",
            None if n % 7 == 0 else f"2023-{1 + n % 12:02}-{4 + n % 23:02}",
            50 + n % 40,
            60 + n % 11,
            STATES[n % 3],
        )
        for n in range(1, 61)
    ]
    checks = [
        (n, n % 6 + 1, ("hull", "engine", "fire safety")[n % 3], f"202{2 + n % 3}-05-11", n % 5 + 1) for n in range(40)
    ]
    probes = [(n, ("lead", "iron")[n % 2], n * 1.25, 20 + n % 9, f"2024-01-{1 + n % 28:02}") for n in range(50)]
    tables = [
        ("ports", ["port_code", "town", "country"], list(PORTS)),
        ("ships", ["ship_id", "title", "icebreaker", "built_year"], ships),
        (
            "voyages",
            ["voyage_no", "ship_id", "origin", "destination", "left_on", "docked_on", "cargo_t", "limit_t", "state"],
            trips,
        ),
        ("checks", ["check_id", "ship_id", "check_kind", "checked_on", "stars"], checks),
        (
            "emissions",
            ["emission_id", "gas", "exceeds"],
            [(n, ("CO2", "SO2")[n % 2], "YN"[n % 3 // 2]) for n in range(30)],
        ),
        ("probes", ["probe_id", "metal", "value", "upper_limit", "taken_on"], probes),
    ]
    connection, known = open_tables(tables, tmp_path_factory.mktemp("harbour"))
    keys = list(guessed_keys(connection, [one.table for one in known]))
    known = [replace(one, foreign_keys=tuple(key for key in keys if key.table == one.table.name)) for one in known]
    yield connection, known
    connection.close()


def rows(harbour: Harbour, question: str) -> list[tuple[object, ...]] | None:
    """Return the rows of the SQL for a question; None where none is written."""
    connection, tables = harbour
    plan = read_question(question, tables, lambda one: connection.execute(one).fetchall())
    return None if plan is None else sorted(connection.execute(sql_of(plan)).fetchall())


UNCHECKED = "ship_id NOT IN (SELECT ship_id FROM checks WHERE {})"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("How many ships never had an engine check?", UNCHECKED.format("check_kind = 'engine'")),
        ("number of ships without a fire safety check", UNCHECKED.format("check_kind = 'fire safety'")),
        ("ships that never had an engine check?", UNCHECKED.format("check_kind = 'engine'")),
        ("How many ships have no check for hull?", UNCHECKED.format("check_kind = 'hull'")),
        ("How many ships were not checked in 2023?", UNCHECKED.format("year(checked_on) = 2023")),
        (
            "How many ships had no engine check since 2024?",
            UNCHECKED.format("check_kind = 'engine' AND checked_on >= '2024-01-01'"),
        ),
    ],
)
def test_rows_without_others_of_a_kind_or_a_time_are_counted(harbour: Harbour, question: str, gold: str) -> None:
    expected = harbour[0].execute(f"SELECT count(*) FROM ships WHERE {gold}").fetchall()
    assert rows(harbour, question) == expected


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("How many probes exceeded the upper limit?", "SELECT count(*) FROM probes WHERE value > upper_limit"),
        ("probes above the limit by metal", "SELECT metal, count(*) FROM probes WHERE value > upper_limit GROUP BY 1"),
        (
            "How many voyages had more cargo than the limit?",
            "SELECT count(*) FROM voyages WHERE cargo_t > limit_t",
        ),
        ("How many voyages had a cargo below the limit?", "SELECT count(*) FROM voyages WHERE cargo_t < limit_t"),
    ],
)
def test_two_columns_are_compared_with_each_other(harbour: Harbour, question: str, gold: str) -> None:
    assert rows(harbour, question) == sorted(harbour[0].execute(gold).fetchall())


TOOK = "docked_on - left_on"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("How long do voyages take on average?", f"SELECT avg({TOOK}) FROM voyages"),
        ("How many voyages took more than 10 days to dock?", f"SELECT count(*) FROM voyages WHERE {TOOK} > 10"),
        (
            "How many days does a lost voyage take on average from left to docked?",
            f"SELECT avg({TOOK}) FROM voyages WHERE state = 'lost'",
        ),
        ("average duration by state", f"SELECT state, avg({TOOK}) FROM voyages GROUP BY 1"),
        ("How many voyages took longer than a week?", f"SELECT count(*) FROM voyages WHERE {TOOK} > 7"),
        ("How many voyages lasted more than 10 days?", f"SELECT count(*) FROM voyages WHERE {TOOK} > 10"),
        (
            "Which state takes the longest to dock on average?",
            f"SELECT state, avg({TOOK}) FROM voyages GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
        ),
        ("How many voyages are still open?", "SELECT count(*) FROM voyages WHERE docked_on IS NULL"),
    ],
)
def test_what_a_row_took_is_the_time_between_its_two_dates(harbour: Harbour, question: str, gold: str) -> None:
    assert rows(harbour, question) == sorted(harbour[0].execute(gold).fetchall())


WAYS = "voyages v JOIN ports a ON v.origin = a.port_code JOIN ports b ON v.destination = b.port_code"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "How many voyages went from Norway to Germany?",
            f"SELECT count(*) FROM {WAYS} WHERE a.country = 'Norway' AND b.country = 'Germany'",
        ),
        ("voyages by destination country", f"SELECT b.country, count(*) FROM {WAYS} GROUP BY 1"),
        ("How many voyages left from Norway?", f"SELECT count(*) FROM {WAYS} WHERE a.country = 'Norway'"),
        (
            "top 2 routes (origin and destination) by cargo",
            f"SELECT a.port_code, a.town, b.port_code, b.town, sum(cargo_t) FROM {WAYS} GROUP BY 1, 2, 3, 4"
            " ORDER BY 5 DESC LIMIT 2",
        ),
        ("Which ports have no departures?", "SELECT port_code, town FROM ports WHERE port_code = 'GOT'"),
    ],
)
def test_a_table_is_reached_in_each_of_two_ways(harbour: Harbour, question: str, gold: str) -> None:
    assert rows(harbour, question) == sorted(harbour[0].execute(gold).fetchall())


def test_a_date_that_is_to_be_missing_is_in_no_year(harbour: Harbour) -> None:
    assert rows(harbour, "how many voyages with no docking in 2023") is None


def test_a_group_is_not_ranked_by_how_long_one_of_its_rows_took(harbour: Harbour) -> None:
    assert rows(harbour, "slowest state") is None
    assert len(rows(harbour, "slowest voyage") or ()) == 1


@pytest.mark.parametrize("question", ["voyages per country", "How many voyages are there for each port?"])
def test_of_two_ways_none_is_taken_where_nothing_says_which(harbour: Harbour, question: str) -> None:
    assert rows(harbour, question) is None


def test_a_name_that_several_rows_share_is_shown_with_its_key(harbour: Harbour) -> None:
    gold = "SELECT ship_id, title, count(*) FROM voyages JOIN ships USING (ship_id) GROUP BY 1, 2"
    assert rows(harbour, "voyages per ship") == sorted(harbour[0].execute(gold).fetchall())


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("How many voyages carried a zero cargo?", "SELECT count(*) FROM voyages WHERE cargo_t = 0"),
        ("How many emissions exceeded the limit?", "SELECT count(*) FROM emissions WHERE exceeds = 'Y'"),
        ("checks by number of stars", "SELECT stars, count(*) FROM checks GROUP BY 1"),
        (
            "Which state has the most different ships?",
            "SELECT state, count(DISTINCT ship_id) AS n FROM voyages GROUP BY 1 ORDER BY n DESC LIMIT 1",
        ),
        ("what % of voyages were lost", "SELECT 100.0 * count(*) FILTER (state = 'lost') / count(*) FROM voyages"),
        ("voyages per ship on average", "SELECT 1.0 * count(*) / count(DISTINCT ship_id) FROM voyages"),
        (
            "How many icebreakers were checked in 2023?",
            "SELECT count(DISTINCT ship_id) FROM checks JOIN ships USING (ship_id)"
            " WHERE icebreaker = 'yes' AND year(checked_on) = 2023",
        ),
    ],
)
def test_what_is_counted_or_grouped_by_is_taken_at_its_word(harbour: Harbour, question: str, gold: str) -> None:
    assert rows(harbour, question) == sorted(harbour[0].execute(gold).fetchall())
