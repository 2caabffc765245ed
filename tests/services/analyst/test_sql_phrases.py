"""Questions about tables in plainer words, and what they say of missing values and of units."""

from pathlib import Path

import pytest

from services.analyst.sql_by_rules import read_question
from services.analyst.sql_phrases import in_plain_words
from services.analyst.sql_plan import sql_of
from tests.services.analyst.made_tables import MadeTable
from tests.services.analyst.sql_tables import open_tables

RIDES: MadeTable = (
    "rides",
    ["ride_id", "started_on", "dur_min", "tariff", "complaint", "returned_on"],
    [
        (1, "2023-01-02", 20, "hourly", "late", "2023-01-02"),
        (2, "2023-02-03", 200, "daily", "", ""),
        (3, "2024-02-03", 90, "hourly", "", "2024-02-04"),
    ],
)


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("Orders from 2019 onwards", "Orders since 2019"),
        ("Orders placed in 2023 or later", "Orders placed since 2023"),
        ("Sales month by month", "Sales per month"),
        ("Which three agents have the most calls? Names and counts please.", "Which three agents have the most calls?"),
        ("Average weight per farm, harvests from 2023", "Average weight per farm, harvests in 2023"),
        ("Harvests from 2023 to 2024", "Harvests from 2023 to 2024"),
        ("Contract starts from 2023", "Contract starts from 2023"),
        ("Top 3 farms by nr of goats", "Top 3 farms by number of goats"),
        ("Rides of more than three hours", "Rides of more than 3 hours"),
        ("Biggest farms in terms of revenue", "Biggest farms by revenue"),
        ("What share (in percent) of rides was late?", "What share of rides was late?"),
    ],
)
def test_a_question_is_put_in_plainer_words(question: str, plain: str) -> None:
    assert in_plain_words(question) == plain


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many rides lasted more than three hours?", "dur_min > 180"),
        ("How many rides led to a complaint?", "complaint IS NOT NULL"),
        ("How many rides have no complaint?", "complaint IS NULL"),
        ("How many rides have not been returned yet?", "returned_on IS NULL"),
        ("rides started each month of 2023", "CAST(EXTRACT(month FROM started_on) AS INTEGER) AS month_number"),
    ],
)
def test_units_missing_values_and_months_are_read(question: str, expected: str, tmp_path: Path) -> None:
    connection, tables = open_tables([RIDES], tmp_path)
    plan = read_question(question, tables, lambda one: connection.execute(one).fetchall())
    connection.close()
    assert plan is not None
    assert expected in sql_of(plan)


@pytest.mark.parametrize("question", ["How many rides were never insured?", "How many rides have not been cleaned?"])
def test_a_negation_that_is_not_read_leaves_the_question_without_sql(question: str, tmp_path: Path) -> None:
    connection, tables = open_tables([RIDES], tmp_path)
    assert read_question(question, tables, lambda one: connection.execute(one).fetchall()) is None
    connection.close()


LOANS: MadeTable = (
    "loans",
    ["loanid", "loandate", "netprice", "cancelled", "stockqty", "channel"],
    [
        (1, "2023-01-02", 20.5, "yes", 0, "web"),
        (2, "2023-02-03", 200.0, "no", 4, "shop"),
        (3, "2024-02-03", 90.0, "no", 7, "web"),
    ],
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("average net price per channel", "avg(netprice)"),
        ("loans per year by loan date", "EXTRACT(year FROM loandate)"),
        ("cancellation rate by channel", "100.0 * "),
        ("What share (in percent) of the loans was cancelled?", "100.0 * "),
    ],
)
def test_run_together_names_and_rates_are_read(question: str, expected: str, tmp_path: Path) -> None:
    connection, tables = open_tables([LOANS], tmp_path)
    plan = read_question(question, tables, lambda one: connection.execute(one).fetchall())
    connection.close()
    assert plan is not None
    assert expected in sql_of(plan)


def test_what_is_out_of_stock_has_none_of_it(tmp_path: Path) -> None:
    plants: MadeTable = (
        "plants",
        ["plant_id", "name", "stock_qty"],
        [(1, "Yew", 0), (2, "Box", 4), (3, "Oak", 5), (4, "Ash", 7), (5, "Elm", 9)],
    )
    connection, tables = open_tables([plants], tmp_path)
    plan = read_question("How many plants are out of stock?", tables, lambda one: connection.execute(one).fetchall())
    connection.close()
    assert plan is not None
    assert "stock_qty" in sql_of(plan)
