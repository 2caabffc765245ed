"""The SQL page: a query runs on the dates of the bar, and a link gives the same rows."""

import pytest
from streamlit.testing.v1 import AppTest

from services.agent.app import App
from tests.pages.conftest import opened, words

HELD = "SELECT relation, target FROM facts_as_of(:as_of, :known_at) ORDER BY ALL"


@pytest.fixture(autouse=True)
def patient_with_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page waits for its query until it has run, however busy the machine is."""
    monkeypatch.setattr("components.sql.running._AT_ONCE", 30.0)


def run(app: AppTest, sql: str) -> AppTest:
    """Write SQL and run it."""
    app.text_area(key="sql_text").set_value(sql).run()
    return app.button(key="sql_run").click().run()


def rows(app: AppTest) -> list[list[object]]:
    """Return the rows of the result."""
    return [list(row) for row in app.dataframe[0].value.itertuples(index=False)]


def test_a_query_runs_on_the_dates_of_the_bar(filled: App) -> None:
    app = run(opened("SQL", w="team", as_of="2021-06-01", known_at="2023-01-01"), HELD)
    assert not app.exception
    assert rows(app) == [["KNOWS", "Bob"], ["KNOWS", "Cy"], ["WORKS_FOR", "Engines"]]
    assert "3 rows" in words(app)
    assert "no changes since" in words(app)
    assert app.query_params["sql"] == HELD


def test_now_is_pinned_in_the_address_when_a_query_runs(filled: App) -> None:
    app = run(opened("SQL", w="team"), HELD)
    assert app.query_params["as_of"] == app.query_params["known_at"]
    assert len(rows(app)) == 3
    app.switch_page("Overview.py").run()
    assert "as_of" not in app.query_params


def test_a_link_runs_its_query(filled: App) -> None:
    app = opened("SQL", w="team", sql=HELD, as_of="2020-06-01")
    assert rows(app) == [["KNOWS", "Bob"], ["WORKS_FOR", "Engines"]]


def test_what_would_write_is_refused_in_words(filled: App) -> None:
    app = run(opened("SQL", w="team"), "DELETE FROM facts")
    assert "DELETE does not run here" in words(app)
    assert "your query is kept" in words(app)
    assert app.text_area(key="sql_text").value == "DELETE FROM facts"


def test_other_names_of_the_sql_become_fields(filled: App) -> None:
    app = run(opened("SQL", w="team"), "SELECT name FROM entities WHERE name LIKE :start || '%'")
    app.text_input(key="sql_value_start").set_value("La").run()
    app.button(key="sql_run").click().run()
    assert rows(app) == [["Labs"]]
    assert app.query_params["values"] == "start=La"
