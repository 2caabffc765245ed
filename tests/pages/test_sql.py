"""The SQL page: a query runs on the dates of the bar, a link gives the same rows, and what is refused says why."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from services.agent.app import App
from services.mirror.sql_snapshot import SNAPSHOT_FUNCTIONS, SNAPSHOT_MACROS
from services.sql.catalog import Metric
from services.sql.external_databases import add_source
from services.sql.warehouse import warehouse
from tests.pages.conftest import displayed, opened, words

HELD = "SELECT relation, target FROM facts_as_of(:as_of, :known_at) ORDER BY ALL"
TRIPS = b"who,day\nAda,2021-05-01\nADA,2023-07-01\nNobody,2023-07-01\nNobody,soon\nAda,soon\n"
CITIES = b"city,visited,people\nTurin,2021-05-01,3\nOslo,2022-06-01,5\nRome,2023-07-01,8\n"


@pytest.fixture(autouse=True)
def patient_with_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page waits for its query until it has run, however busy the machine is."""
    monkeypatch.setattr("components.sql.running._AT_ONCE", 30.0)


@pytest.fixture
def cities(filled: App) -> App:
    """The small graph, and a table from a file."""
    warehouse(filled.workspace("team")).add_files("trips", "team", [("cities.csv", CITIES)])
    return filled


def run(app: AppTest, sql: str) -> AppTest:
    """Write SQL and run it."""
    app.session_state["sql_text"] = sql
    return app.button(key="sql_run").click().run()


def rows(app: AppTest) -> list[list[object]]:
    """Return the rows of the result."""
    return [list(row) for row in app.dataframe[0].value.itertuples(index=False)]


def editor(app: AppTest) -> dict[str, Any]:
    """Return what the editor was given."""
    payloads = [json.loads(one.proto.json) for one in app.get("bidi_component") if one.proto.json]
    return next(dict(payload) for payload in payloads if "schema" in payload)


def chart(app: AppTest) -> dict[str, Any]:
    """Return the figure that is drawn."""
    return dict(json.loads(app.get("plotly_chart")[0].proto.spec))


def test_a_query_runs_on_the_dates_of_the_bar(filled: App) -> None:
    app = run(opened("SQL", w="team", as_of="2021-06-01", known_at="2023-01-01"), HELD)
    assert not app.exception
    assert rows(app) == [["KNOWS", "Bob"], ["KNOWS", "Cy"], ["WORKS_FOR", "Engines"]]
    assert "3 rows" in words(app)
    assert "no changes since" in words(app)
    assert app.query_params["sql"] == HELD


def test_now_is_pinned_in_the_address_until_another_page_opens(filled: App) -> None:
    app = run(opened("SQL", w="team"), HELD)
    assert app.query_params["as_of"] == app.query_params["known_at"]
    assert len(rows(app)) == 3
    address = dict(app.query_params)
    app.switch_page("Overview.py").run()
    assert not {"as_of", "known_at", "sql"} & set(app.query_params)
    app.switch_page("SQL.py").run()
    assert dict(app.query_params) == address
    assert len(rows(app)) == 3


def test_dates_that_the_viewer_chose_stay_over_a_run(filled: App) -> None:
    app = run(opened("SQL", w="team", as_of="2021-06-01"), HELD)
    app.switch_page("Overview.py").run()
    assert app.query_params["as_of"] == "2021-06-01"


def test_rows_say_which_dates_they_are_of_once_the_bar_shows_others(filled: App) -> None:
    app = run(opened("SQL", w="team", as_of="2020-06-01"), HELD)
    assert "These rows are for" not in words(app)
    app.button(key="next_change").click().run()
    assert "These rows are for ● 2020-06-01." in words(app)
    assert "These rows are for" not in words(run(app, HELD))
    assert "These rows are for" not in words(run(app, "SELECT 1 AS one"))


def test_a_link_runs_its_query(filled: App) -> None:
    app = opened("SQL", w="team", sql=HELD, as_of="2020-06-01")
    assert rows(app) == [["KNOWS", "Bob"], ["WORKS_FOR", "Engines"]]
    assert editor(app)["text"] == HELD


def test_a_link_says_that_a_file_has_changed_and_waits(cities: App) -> None:
    app = run(opened("SQL", w="team"), "SELECT city FROM trips.cities")
    address = {name: app.query_params[name] for name in ("sql", "files", "w")}
    assert len(rows(opened("SQL", **address))) == 3
    warehouse(cities.workspace("team")).add_files("trips", "team", [("cities.csv", CITIES + b"Bern,2024-01-01,1\n")])
    app = opened("SQL", **address)
    assert "trips.cities is newer than this link" in words(app)
    assert not app.dataframe
    app.button(key="sql_run_anyway").click().run()
    assert len(rows(app)) == 4
    assert "has changed" not in words(app)


def test_what_would_write_is_refused_at_its_line(filled: App) -> None:
    sql = "-- delete nothing\nWITH gone AS (\n  DELETE FROM facts RETURNING *)\nSELECT * FROM gone"
    app = run(opened("SQL", w="team"), sql)
    assert "Line 3: DELETE" in words(app)
    assert "your query is still here" in words(app)
    assert editor(app)["wrong"] == {"line": 3, "word": "DELETE"}
    app.button(key="sql_go_to_line").click().run()
    assert editor(app)["go"] == {"seq": 1, "line": 3}


def test_a_column_that_is_not_there_is_marked(filled: App) -> None:
    app = run(opened("SQL", w="team"), "SELECT name,\n  nickname\nFROM entities")
    assert editor(app)["wrong"] == {"line": 2, "word": "nickname"}


def test_other_names_of_the_sql_become_fields(filled: App) -> None:
    app = run(opened("SQL", w="team"), "SELECT name FROM entities WHERE name LIKE :start || '%'")
    assert "Enter :start first." in words(app)
    assert not app.dataframe
    app.text_input(key="sql_value_start").set_value("La").run()
    app.button(key="sql_run").click().run()
    assert "Enter :start first." not in words(app)
    assert rows(app) == [["Labs"]]
    assert app.query_params["values"] == "start=La"
    app.get_by_key("sql_tab").set_value("join").run().get_by_key("sql_tab").set_value("query").run()
    assert app.text_input(key="sql_value_start").value == "La"
    again = opened("SQL", **{name: app.query_params[name] for name in ("w", "sql", "values")})
    assert again.text_input(key="sql_value_start").value == "La"
    assert rows(again) == [["Labs"]]


def test_a_link_to_a_query_without_its_values_asks_for_them(filled: App) -> None:
    app = opened("SQL", w="team", sql="SELECT name FROM entities WHERE name = :who")
    assert not app.exception
    assert "Enter :who first." in words(app)
    app.text_input(key="sql_value_who").set_value("Ada").run()
    assert rows(app.button(key="sql_run").click().run()) == [["Ada"]]


def test_why_a_query_was_refused_is_not_said_of_the_next_one(filled: App, monkeypatch: pytest.MonkeyPatch) -> None:
    app = run(opened("SQL", w="team"), "DELETE FROM facts")
    assert "your query is still here" in words(app)
    monkeypatch.setattr("components.sql.running._AT_ONCE", 0.0)
    run(app, "SELECT count(*) FROM range(100000000) AS a, range(100000) AS b WHERE a.range * b.range % 7 = 3")
    assert app.button(key="sql_run").disabled
    assert "your query is still here" not in words(app)
    app.button(key="sql_cancel").click().run()
    assert not app.button(key="sql_run").disabled
    assert "your query is still here" not in words(app)


def test_nothing_found_says_so_and_more_than_the_most_says_so(filled: App) -> None:
    app = run(opened("SQL", w="team"), "SELECT * FROM facts WHERE false")
    assert "No rows match" in words(app)
    app = run(app, "SELECT * FROM range(10001)")
    assert "10,000 rows, more omitted" in words(app)


def test_facts_are_joined_with_a_table_and_counts_by_category_become_bars(cities: App) -> None:
    app = run(opened("SQL", w="team"), "SELECT city, people FROM trips.cities ORDER BY city")
    drawn = chart(app)["data"][0]
    assert (drawn["type"], drawn["x"]) == ("bar", ["Oslo", "Rome", "Turin"])
    assert "Bar chart, because “city” lists categories" in words(app)
    assert "Rome has the most: 8." in words(app)


def test_numbers_over_dates_become_a_line_which_can_be_changed(cities: App) -> None:
    app = run(opened("SQL", w="team"), "SELECT visited, people FROM trips.cities")
    assert chart(app)["data"][0]["type"] == "scatter"
    assert "Line chart, because “visited” is a date." in words(app)
    kind = next(box for box in app.selectbox if box.label == "Chart")
    kind.set_value("bars").run()
    assert chart(app)["data"][0]["type"] == "bar"


def test_a_chart_that_was_chosen_is_in_the_address_and_drawn_by_a_link(cities: App) -> None:
    app = run(opened("SQL", w="team"), "SELECT city, visited, people FROM trips.cities")
    assert "chart" not in app.query_params
    next(box for box in app.selectbox if box.label == "Chart").set_value("bars").run()
    next(box for box in app.selectbox if box.label == "X axis").set_value("city").run()
    assert app.query_params["chart"] == "kind=bars&x=city&y=people"
    again = opened("SQL", **{name: app.query_params[name] for name in ("w", "sql", "chart")})
    drawn = chart(again)["data"][0]
    assert (drawn["type"], sorted(drawn["x"])) == ("bar", ["Oslo", "Rome", "Turin"])
    again.button(key="sql_run").click().run()
    assert again.query_params["chart"] == "kind=bars&x=city&y=people", "the same query is drawn as before"
    next(box for box in again.selectbox if box.label == "X axis").set_value("visited").run()
    next(box for box in again.selectbox if box.label == "Chart").set_value("line").run()
    assert "chart" not in again.query_params, "this is the chart that fits"
    assert not again.exception


def test_a_chart_that_was_chosen_is_not_that_of_the_next_query(cities: App) -> None:
    app = run(opened("SQL", w="team"), "SELECT city, visited, people FROM trips.cities")
    next(box for box in app.selectbox if box.label == "Chart").set_value("points").run()
    app = run(app, "SELECT city, people FROM trips.cities")
    assert "chart" not in app.query_params
    assert chart(app)["data"][0]["type"] == "bar"


@pytest.mark.parametrize("asked", ["kind=pie&x=city&y=people", "kind=bars&x=gone&y=people", "kind=bars&x=city&y=city"])
def test_an_address_whose_chart_cannot_be_drawn_gives_the_one_that_fits(cities: App, asked: str) -> None:
    app = opened("SQL", w="team", sql="SELECT visited, people FROM trips.cities", chart=asked)
    assert not app.exception
    assert chart(app)["data"][0]["type"] == "scatter"


def test_rows_without_numbers_have_no_chart(filled: App) -> None:
    app = run(opened("SQL", w="team"), "SELECT name FROM entities")
    assert len(rows(app)) == 6
    assert not app.get("plotly_chart")


def test_queries_that_ran_are_listed_for_their_user_and_come_back(filled: App) -> None:
    app = run(opened("SQL", w="team"), "-- My friends\nSELECT target FROM facts WHERE relation = 'KNOWS'")
    run(app, "DROP TABLE facts")
    app = opened("SQL", w="team")
    assert [app.button(key=f"sql_again_side_{n}").label for n in (0, 1)] == ["DROP TABLE facts", "My friends"]
    app.button(key="sql_again_side_1").click().run()
    assert editor(app)["text"].startswith("-- My friends")


def test_starters_run_with_a_click(filled: App) -> None:
    app = opened("SQL", w="team")
    app.button(key="sql_starter_0").click().run()
    assert rows(app) == [["KNOWS", 2], ["WORKS_FOR", 1]]


def test_the_tree_shows_tables_with_their_columns_and_first_rows(cities: App) -> None:
    page = displayed(opened("SQL", w="team"))
    assert "cities3" in page.text.replace(" ", "").replace("\n", "")
    assert "visited" in page.text
    links = [link for link in page.links("Show the first 100 rows") if "trips" in link]
    assert links


def test_the_editor_completes_tables_macros_and_relations(cities: App) -> None:
    schema = editor(opened("SQL", w="team"))["schema"]
    names = {table["name"]: table for table in schema["tables"]}
    assert ["people", "bigint"] in names["trips.cities"]["columns"]
    assert "facts" in names
    assert {*SNAPSHOT_MACROS, *SNAPSHOT_FUNCTIONS} == {macro["name"] for macro in schema["macros"]}
    assert ["WORKS_FOR", "works for", 2] in schema["relations"]


def test_a_database_that_stays_elsewhere_answers_by_itself(
    filled: App, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    with sqlite3.connect(tmp_path / "data" / "shop.db") as shop:
        shop.execute("CREATE TABLE orders (id INTEGER, total REAL)")
        shop.execute("INSERT INTO orders VALUES (1, 9.5)")
    shop.close()
    monkeypatch.setitem(filled.settings.__dict__, "folders", str(tmp_path / "data"))
    add_source(filled.workspace("team"), "shop", "shop.db")
    app = opened("SQL", w="team")
    app.selectbox(key="sql_database").set_value("shop").run()
    assert [table["name"] for table in editor(app)["schema"]["tables"]] == ["orders"]
    assert rows(run(app, "SELECT * FROM orders")) == [[1, 9.5]]
    assert app.query_params["database"] == "shop"


def test_a_query_is_saved_verified_and_opened_again(filled: App) -> None:
    app = run(opened("SQL", w="team"), "SELECT name FROM entities WHERE name LIKE :start || '%'")
    app.button(key="sql_save_query").click().run()
    app.text_input(key="sql_save_name").set_value("Names")
    app.text_input(key="sql_save_question").set_value("Which names begin so?")
    app.checkbox(key="sql_save_verified").check()
    app.button(key="confirmed").click().run()
    (kept,) = filled.accounts.saved_queries.of("team")
    assert (kept.name, kept.question, kept.is_verified) == ("Names", "Which names begin so?", True)
    app = opened("SQL", w="team")
    assert "✓ verified" in words(app)
    assert "needs :start" in words(app)
    app.button(key="sql_open_side_0").click().run()
    assert editor(app)["text"] == kept.sql


def test_deleting_a_query_verifies_no_other(filled: App) -> None:
    kept = filled.accounts.saved_queries
    for name in "abc":
        kept.save("team", name, "SELECT 1", user_id=None)
    first, second, _ = (one.name for one in kept.of("team"))
    kept.verify("team", first)
    app = opened("SQL", w="team")
    app.button(key="sql_all_saved_side").click().run()
    assert app.toggle(key=f"sql_verify_{first}").value
    app.button(key=f"icon_sql_delete_{first}").click().run()
    assert not any(one.is_verified for one in kept.of("team"))
    assert len(kept.of("team")) == 2
    app.button(key="sql_all_saved_side").click().run()
    app.toggle(key=f"sql_verify_{second}").set_value(True).run()
    assert [one.name for one in kept.of("team") if one.is_verified] == [second]


@pytest.fixture
def joined(filled: App, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The form of the join by date, over a table of people and days."""
    monkeypatch.setattr("components.sql.join_preview._AT_ONCE", 30.0)
    warehouse(filled.workspace("team")).add_files("trips", "team", [("trips.csv", TRIPS)])
    app = opened("SQL", w="team", tab="join")
    return app.get_by_key("sql_join_relations").set_value(["WORKS_FOR"]).run()


def test_each_row_of_a_table_gets_what_held_on_its_own_date(joined: AppTest) -> None:
    table = displayed(joined).all("table[@aria-label='First rows of the join']/tbody/tr")
    assert [row.text.split() for row in table[:2]] == [
        ["Ada", "2021-05-01", "Engines"],
        ["ADA", "2023-07-01", "Labs"],
    ]
    assert "✓ 2 joined" in words(joined)
    assert "3 rows · kept in the result" in words(joined)
    assert "No entity has this name." in words(joined)
    assert "This is not a valid date." in words(joined)


def test_a_join_opens_as_a_query_with_the_same_rows(joined: AppTest) -> None:
    joined.button(key="sql_join_open").click().run()
    joined.button(key="sql_run").click().run()
    assert rows(joined)[0][-1] == "Engines"


def test_a_join_is_kept_as_a_table(filled: App, joined: AppTest) -> None:
    joined.button(key="sql_join_keep").click().run()
    joined.button(key="confirmed").click().run()
    names = [table.name for table in warehouse(filled.workspace("team")).database("team", "trips").tables]
    assert names == ["trips", "trips_joined"]


def test_without_a_table_the_join_says_what_to_do_first(filled: App) -> None:
    assert "No tables yet. Add a file" in words(opened("SQL", w="team", tab="join"))


def test_a_metric_of_a_database_is_a_link_that_runs_it(cities: App) -> None:
    kept = warehouse(cities.workspace("team"))
    kept.save_metric("team", "trips", Metric(name="Visitors", sql="SELECT sum(people) FROM trips.cities"))
    (link,) = displayed(opened("SQL", w="team")).links("Visitors")
    assert "SELECT+sum" in link
