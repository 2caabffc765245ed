"""SQL for questions as strangers ask them, and none where it would likely say something else."""

from collections.abc import Iterator
from dataclasses import replace

import duckdb
import pytest

from services.analyst.sql_by_rules import draft_sql
from services.analyst.sql_phrases import in_plain_words
from services.sql.key_guesses import guessed_keys
from services.sql.query_tables import QueryTable
from tests.services.analyst.sql_tables import open_tables

Brewery = tuple[duckdb.DuckDBPyConnection, list[QueryTable]]


@pytest.fixture(scope="module")
def brewery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brewery]:
    pubs = [
        (f"P{n}", f"The Swan {n}", ("Clun", "Ludlow", "Knighton")[n % 3], "YN"[n % 2], f"{1990 + n}-05-02")
        for n in range(1, 9)
    ]
    brewers = [
        (f"B{n}", f"Ida Marsh{n}", ("Welsh", "Irish")[n % 2], ("yes", "no")[n % 2], n * 0.25) for n in range(1, 5)
    ]
    casks = [
        (f"K{n}", ("Dry stout", "Pale ale", "Mild")[n % 3], 2015 + n % 6, f"P{n % 4 + 1}", ("oak", "steel")[n % 2])
        for n in range(1, 31)
    ]
    ferments = [(n, f"2024-0{n}-01", f"2024-0{n}-{n + 3:02}", 4 * n, 2 * n) for n in range(1, 9)]
    tips = [(n, ("Xu", "Yeo")[n % 2], f"202{3 + n % 2}-0{n}-03", 2.5 * n) for n in range(1, 9)]
    sent = [
        (
            4000 + n,
            f"K{n % 30 + 1}",
            f"P{n % 7 + 1}",
            f"B{n % 4 + 1}",
            f"202{3 + n % 3}-{n % 12 + 1:02}-11",
            None if n % 5 == 0 else f"202{3 + n % 3}-{n % 12 + 1:02}-{12 + n % 16}",
            ("trade", "private")[n % 2],
            round(0.013 * (n % 17 + 1), 3),
            40.5 + 7 * (n % 23),
            "YNNN"[n % 4],
            n % 5 or None,
            200 + n,
        )
        for n in range(1, 121)
    ]
    tables = [
        ("pubs", ["pub_cd", "pub_name", "town", "garden_yn", "opened_on"], pubs),
        ("brewers", ["brewer_id", "brewer_name", "nationality", "qualified", "fee_per_sip"], brewers),
        ("casks", ["cask_no", "style", "made_yr", "home_pub_cd", "wood"], casks),
        (
            "deliveries",
            [
                "delivery_no",
                "cask_no",
                "drop_pub_cd",
                "brewer_id",
                "sent_on",
                "returned_on",
                "cust_type",
                "vol_m3",
                "bill_eur",
                "spilled_flag",
                "pub_rating",
                "sips",
            ],
            sent,
        ),
        ("tips", ["tip_id", "tipper", "tip_date", "tip_gbp"], tips),
        (
            "rainfall",
            ["region", "fell_on", "mm_fell", "mm_lost"],
            [("Wem", f"2024-0{n}-01", n, 2) for n in range(1, 9)],
        ),
        ("ferments", ["ferment_no", "begun_on", "ended_on", "hours_hot", "loss_kg"], ferments),
        ("tests", ["test_id", "test_day", "lab"], [(n, f"202{n % 3}-04-0{n}", "Wem") for n in range(1, 9)]),
        (
            "samples",
            ["test_id", "nr", "substance", "failed"],
            [(n % 8 + 1, n, ("lead", "zinc")[n % 2], ("no", "yes", "no")[n % 3]) for n in range(1, 40)],
        ),
    ]
    connection, known = open_tables(tables, tmp_path_factory.mktemp("brewery"))
    keys = list(guessed_keys(connection, [one.table for one in known]))
    joined = [replace(one, foreign_keys=tuple(key for key in keys if key.table == one.table.name)) for one in known]
    yield connection, joined
    connection.close()


def written(brewery: Brewery, question: str) -> str | None:
    """Return the SQL for a question; None where none is written."""
    connection, tables = brewery
    return draft_sql(question, tables, lambda one: connection.execute(one).fetchall()).sql


_PRIVATELY_SPILLED = "SELECT count(*) FROM deliveries WHERE cust_type = 'private' AND spilled_flag = 'Y'"
_PUBS = "FROM deliveries JOIN pubs ON drop_pub_cd = pub_cd"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "total volume in m3 delivered to Clun in 2024",
            f"SELECT sum(vol_m3) {_PUBS} WHERE town = 'Clun' AND year(sent_on) = 2024",
        ),
        ("cubic metres delivered per town", f"SELECT town, sum(vol_m3) {_PUBS} GROUP BY 1"),
        (
            "biggest 7 pubs by volume delivered",
            f"SELECT pub_name, sum(vol_m3) {_PUBS} GROUP BY 1 ",
        ),
        (
            "how many deliveries were made by qualified brewers, per customer type",
            "SELECT cust_type, count(*) FROM deliveries JOIN brewers USING (brewer_id) WHERE qualified GROUP BY 1",
        ),
        (
            "top 7 drop pubs by billing",
            f"SELECT pub_name, sum(bill_eur) {_PUBS} GROUP BY 1 ",
        ),
        (
            "the 7 pubs (by name) with the highest total bill",
            f"SELECT pub_name, sum(bill_eur) {_PUBS} GROUP BY 1 ",
        ),
        ("How many deliveries went to pubs with a garden?", f"SELECT count(*) {_PUBS} WHERE garden_yn = 'Y'"),
        (
            "How many days does a delivery last on average, trade versus private?",
            "SELECT cust_type, avg(returned_on - sent_on) FROM deliveries GROUP BY 1",
        ),
        (
            "How many trade deliveries went to each town (Clun, Ludlow and so on)?",
            f"SELECT town, count(*) {_PUBS} WHERE cust_type = 'trade' GROUP BY 1",
        ),
        (
            "average bill of trade deliveries, by sent year",
            "SELECT year(sent_on), avg(bill_eur) FROM deliveries WHERE cust_type = 'trade' GROUP BY 1",
        ),
        (
            "What share of trade deliveries was spilled?",
            "SELECT 100.0 * avg((spilled_flag = 'Y')::int) FROM deliveries WHERE cust_type = 'trade'",
        ),
        (
            "percentage of private deliveries that were spilled, by town",
            f"SELECT town, 100.0 * avg((spilled_flag = 'Y')::int) {_PUBS} WHERE cust_type = 'private' GROUP BY 1",
        ),
        ("how many privately ordered deliveries were spilled", _PRIVATELY_SPILLED),
        ("How many stout casks do we have?", "SELECT count(*) FROM casks WHERE style = 'Dry stout'"),
        (
            "pubs without a spilled delivery",
            "SELECT pub_name FROM pubs ANTI JOIN (FROM deliveries WHERE spilled_flag = 'Y') ON drop_pub_cd = pub_cd",
        ),
        (
            "How many pubs had no deliveries in 2023?",
            "SELECT count(*) FROM pubs ANTI JOIN (FROM deliveries WHERE year(sent_on) = 2023) ON drop_pub_cd = pub_cd",
        ),
        (
            "3 towns with most spilled deliveries",
            f"SELECT town, count(*) {_PUBS} WHERE spilled_flag = 'Y' GROUP BY 1",
        ),
        (
            "How many Welsh brewers made deliveries in 2025?",
            "SELECT count(DISTINCT brewer_id) FROM deliveries JOIN brewers USING (brewer_id)"
            " WHERE nationality = 'Welsh' AND year(sent_on) = 2025",
        ),
        (
            "count of deliveries by return month, 2024",
            "SELECT date_trunc('month', returned_on)::timestamp, month(returned_on), count(*) FROM deliveries"
            " WHERE year(returned_on) = 2024 GROUP BY 1, 2",
        ),
        (
            "total billed to Clun by year",
            f"SELECT year(sent_on), sum(bill_eur) {_PUBS} WHERE town = 'Clun' GROUP BY 1",
        ),
        ("spilled volume per town", f"SELECT town, sum(vol_m3) {_PUBS} WHERE spilled_flag = 'Y' GROUP BY 1"),
        ("sent sips by town", f"SELECT town, sum(sips) {_PUBS} GROUP BY 1"),
        ("sips per town, top 3", f"SELECT town, sum(sips) {_PUBS} GROUP BY 1"),
        (
            "average bill by town in 2024, best 3",
            f"SELECT town, avg(bill_eur) {_PUBS} WHERE year(sent_on) = 2024 GROUP BY 1",
        ),
        (
            "What share of trade deliveries to Clun was flagged as spilled?",
            f"SELECT 100.0 * count_if(spilled_flag = 'Y') / count(*) {_PUBS}"
            " WHERE cust_type = 'trade' AND town = 'Clun'",
        ),
        (
            "number of deliveries per pub rating",
            "SELECT pub_rating, count(*) FROM deliveries WHERE pub_rating > 0 GROUP BY 1",
        ),
        ("average bill", "SELECT avg(bill_eur) FROM deliveries"),
        ("the 2 highest tips", "SELECT tip_id, tip_gbp FROM tips ORDER BY 2 DESC LIMIT 2"),
        ("average tip in 2024", "SELECT avg(tip_gbp) FROM tips WHERE year(tip_date) = 2024"),
        ("newest 2 pubs", "SELECT pub_name, opened_on FROM pubs ORDER BY 2 DESC LIMIT 2"),
        ("Which town brings in the most?", f"SELECT town, sum(bill_eur) {_PUBS} GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
        (
            "How many samples failed each year?",
            "SELECT year(test_day), count(*) FROM samples JOIN tests USING (test_id) WHERE failed GROUP BY 1",
        ),
    ],
)
def test_a_strangers_question_gets_the_sql_that_it_means(brewery: Brewery, question: str, gold: str) -> None:
    expected = sorted(brewery[0].execute(gold).fetchall())
    assert expected
    assert sorted(brewery[0].execute(written(brewery, question) or "SELECT 'none'").fetchall()) == expected


@pytest.mark.parametrize(
    "question",
    [
        "average number of deliveries per pub by customer type",
        "total bills issued per tank",
        "How many casks went missing in 2024?",
        "cost per litre by town",
        "How many of the brewers brewed in 2024?",
        "unpaid bill total per town",
        "largest cask ever",
    ],
)
def test_what_would_likely_be_answered_wrongly_is_left_without_sql(brewery: Brewery, question: str) -> None:
    assert written(brewery, question) is None


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("Parcels per zone (e.g. north)", "Parcels per zone"),
        ("Parcels per zone (north, east etc.)", "Parcels per zone"),
        ("The 5 zones (by name) with the most parcels", "The 5 zones with the most parcels"),
        ("Soil moved in cubic metres", "Soil moved in cbm"),
        ("Soil moved in m³", "Soil moved in cbm"),
        ("Orders of the pump M3", "Orders of the pump M3"),
        ("Parcels (such as late ones)", "Parcels (such as late ones)"),
    ],
)
def test_examples_and_asides_are_left_out(question: str, plain: str) -> None:
    assert in_plain_words(question) == plain
