"""SQL for questions about days, groups set against each other, rows that are missing, and how many groups there are."""

from collections.abc import Iterator

import duckdb
import pytest

from services.analyst.sql_by_rules import read_question
from services.analyst.sql_plan import sql_of
from services.sql.query_tables import QueryTable
from tests.services.analyst.sql_tables import open_tables

Tables = tuple[duckdb.DuckDBPyConnection, list[QueryTable]]
DAYS = [f"2024-{1 + n % 9:02}-{1 + n % 27:02}" for n in range(60)]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    shops = [(n, f"Shop {n}", ("Free", "Pro")[n % 2], 10 * n + 1) for n in range(1, 9)]
    orders = [
        (f"R{n}", n % 6 + 1, day, f"2024-10-{1 + n % 20:02}", ("web", "phone", "desk")[n % 3], "YN"[n % 2], n * 2.5)
        for n, day in enumerate(DAYS)
    ]
    dues = [(*row[:3], "2024-10-10", *row[3:]) for row in orders]
    ended = [(*row[:4], None if n % 5 == 0 else row[4], *row[5:]) for n, row in enumerate(dues)]
    tables = [
        ("shops", ["shop_id", "shop_name", "plan_typ", "floor_m2"], shops),
        ("orders", ["order_no", "shop_id", "opened_on", "eta_dt", "closed_on", "chan", "rush", "used_kwh"], ended),
    ]
    connection, known = open_tables(tables, tmp_path_factory.mktemp("shop"))
    yield connection, known
    connection.close()


def rows(shop: Tables, question: str) -> list[tuple[object, ...]] | None:
    """Return the rows of the SQL for a question; None where none is written."""
    connection, tables = shop
    plan = read_question(question, tables, lambda one: connection.execute(one).fetchall())
    return None if plan is None else connection.execute(sql_of(plan)).fetchall()


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("How many orders were opened at weekends?", "dayofweek(opened_on) IN (0, 6)"),
        ("How many orders were opened on Mondays?", "dayofweek(opened_on) = 1"),
        ("How many orders closed after their ETA?", "closed_on > eta_dt"),
        ("How many orders took more than 200 days to close?", "closed_on - opened_on > 200"),
        ("How many orders are still open?", "closed_on IS NULL"),
    ],
)
def test_orders_are_chosen_by_what_is_said_of_their_days(shop: Tables, question: str, gold: str) -> None:
    assert rows(shop, question) == shop[0].execute(f"SELECT count(*) FROM orders WHERE {gold}").fetchall()


def test_days_between_two_dates_are_averaged(shop: Tables) -> None:
    gold = "SELECT chan, avg(closed_on - opened_on) FROM orders GROUP BY 1"
    assert sorted(rows(shop, "average days to close by channel") or ()) == sorted(shop[0].execute(gold).fetchall())


def test_rows_are_counted_by_the_day_of_the_week(shop: Tables) -> None:
    gold = shop[0].execute("SELECT dayname(opened_on), count(*) FROM orders GROUP BY 1").fetchall()
    assert sorted(rows(shop, "orders opened per day of the week") or ()) == sorted(gold)


def test_the_last_date_is_one_value(shop: Tables) -> None:
    found = rows(shop, "When was the last order opened?")
    assert found == shop[0].execute("SELECT max(opened_on) FROM orders").fetchall()


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("web vs phone: how many orders each?", "chan, count(*) FROM orders WHERE chan IN ('web', 'phone')"),
        ("average kWh of rush orders compared with the others", "rush, avg(used_kwh) FROM orders"),
        ("number of orders, rush vs not rush", "rush, count(*) FROM orders"),
    ],
)
def test_what_is_set_against_each_other_is_grouped_by(shop: Tables, question: str, gold: str) -> None:
    assert sorted(rows(shop, question) or ()) == sorted(shop[0].execute(f"SELECT {gold} GROUP BY 1").fetchall())


def test_groups_beyond_a_number_are_counted(shop: Tables) -> None:
    more = "SELECT shop_id FROM orders GROUP BY 1 HAVING count(*) > 9"
    found = rows(shop, "How many shops have more than 9 orders?")
    assert found == shop[0].execute(f"SELECT count(*) FROM ({more})").fetchall()


def test_shops_with_fewer_orders_than_some_are_not_counted_without_those_of_none(shop: Tables) -> None:
    assert rows(shop, "How many shops have fewer than 12 orders?") is None


def test_shops_without_orders_are_listed(shop: Tables) -> None:
    assert rows(shop, "Which shops have no orders?") == [("Shop 7",), ("Shop 8",)]
    assert rows(shop, "Which shops have never placed an order?") == [("Shop 7",), ("Shop 8",)]


def test_the_share_within_each_group_is_ranked(shop: Tables) -> None:
    share = "100.0 * count(*) FILTER (WHERE rush = 'Y') / count(*)"
    gold = shop[0].execute(f"SELECT chan, {share} FROM orders GROUP BY 1 ORDER BY 2 DESC LIMIT 1").fetchall()
    assert rows(shop, "Which channel has the highest percentage of rush orders?") == gold


def test_a_median_and_an_area_are_read_by_their_units(shop: Tables) -> None:
    gold = "SELECT plan_typ, median(floor_m2) FROM shops GROUP BY 1"
    assert sorted(rows(shop, "median floor area by plan") or ()) == sorted(shop[0].execute(gold).fetchall())
    assert rows(shop, "How many shops are bigger than 40 square metres?") == [(5,)]


def test_what_was_used_most_is_added_up(shop: Tables) -> None:
    gold = "SELECT shop_name, sum(used_kwh) FROM orders JOIN shops USING (shop_id) GROUP BY 1 ORDER BY 2 DESC LIMIT 2"
    assert rows(shop, "Which two shops used the most energy?") == shop[0].execute(gold).fetchall()


def test_a_mere_name_of_rows_with_a_condition_counts_them(shop: Tables) -> None:
    gold = shop[0].execute("SELECT count(*) FROM orders WHERE chan = 'web' AND used_kwh > 50").fetchall()
    assert rows(shop, "web orders of more than 50 kWh") == gold
    assert rows(shop, "web orders with a discount of more than 50 kWh") is None
