"""The time bar: it sets the view, and the address follows."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from typing import Any

import pytest

from components import dates
from components.address import View
from services.agent.app import App
from services.core import clock
from tests.pages.conftest import opened, popovers, small_graph, words


def widget(widgets: Iterable[Any], name: str) -> Any:
    """The widget of the bar with a name, whatever instant it shows."""
    return next(one for one in widgets if str(one.key).startswith(f"{name}_"))


def test_a_date_without_a_time_is_the_start_of_that_day_in_utc(filled: App) -> None:
    app = opened("Overview", w="team")
    widget(app.date_input, "as_of_date").set_value(date(2021, 6, 1)).run()
    assert app.query_params["as_of"] == "2021-06-01"


def test_a_time_is_taken_in_the_viewers_zone_to_the_second(filled: App) -> None:
    app = opened("Overview", w="team", as_of="2021-06-01")
    app.context = {"timezone": "Europe/Berlin"}
    widget(app.time_input, "as_of_time").set_value(time(14, 30, 5)).run()
    assert app.query_params["as_of"] == "2021-06-01T12:30:05Z"
    assert "● 2021-06-01 14:30:05" in popovers(app)


def test_dates_before_1900_and_after_now_can_be_asked_for(filled: App) -> None:
    app = opened("Overview", w="team", as_of="2021-06-01")
    widget(app.date_input, "as_of_date").set_value(date(1066, 10, 14)).run()
    assert app.query_params["as_of"] == "1066-10-14"
    widget(app.date_input, "as_of_date").set_value(date(2999, 1, 1)).run()
    assert app.query_params["as_of"] == "2999-01-01"
    assert not app.exception


def test_a_date_is_typed_in_words_and_what_it_was_read_as_is_shown(filled: App) -> None:
    app = opened("Settings", w="team", as_of="2021-06-01")
    widget(app.text_input, "as_of_text").set_value("when Ada joined Labs").run()
    assert app.query_params["as_of"] == "2022-07-01"
    assert "read as 2022-07-01 Ada works for Labs, from then on" in words(app)
    widget(app.text_input, "as_of_text").set_value("2021-06-01 14:30").run()
    assert app.query_params["as_of"] == "2021-06-01T14:30:00Z"
    widget(app.text_input, "known_at_text").set_value("June 2021").run()
    assert app.query_params["known_at"] == "2021-06-01"


def test_a_text_that_is_no_date_says_so_and_stays_until_another_date_is_set(filled: App) -> None:
    app = opened("Settings", w="team", as_of="2021-06-01")
    widget(app.text_input, "as_of_text").set_value("soonish").run()
    assert app.query_params["as_of"] == "2021-06-01"
    assert widget(app.text_input, "as_of_text").value == "soonish"
    assert "? soonish" in words(app)
    widget(app.pills, "as_of_text_preset").set_value("First: 2019-03-01").run()
    assert app.query_params["as_of"] == "2019-03-01"
    assert "soonish" not in words(app)


def test_latest_sets_both_clocks_to_now_and_ends_a_comparison(filled: App) -> None:
    app = opened("Overview", w="team", as_of="2020-01-01", known_at="2021-01-01", to="2022-01-01")
    app.button(key="latest").click().run()
    assert set(app.query_params) == {"w"}


def test_the_next_and_the_previous_change_of_the_workspace_are_reached(filled: App) -> None:
    app = opened("Overview", w="team", as_of="2020-06-01")
    app.button(key="next_change").click().run()
    assert app.query_params["as_of"] == "2021-01-01"
    app.button(key="previous_change").click().run()
    app.button(key="previous_change").click().run()
    assert app.query_params["as_of"] == "2019-03-01"


def test_after_the_last_change_the_date_stays(filled: App) -> None:
    app = opened("Overview", w="team", as_of="2024-01-01")
    app.button(key="next_change").click().run()
    assert app.query_params["as_of"] == "2024-01-01"
    assert "No later change" in app.toast[0].value


def test_compare_adds_a_second_date_and_takes_it_away_again(filled: App) -> None:
    app = opened("Overview", w="team", as_of="2021-01-01")
    app.button(key="compare").click().run()
    assert app.query_params["to"] == "2021-01-01"
    assert app.query_params["as_of"] == "2020-01-02"
    app.button(key="compare").click().run()
    assert "to" not in app.query_params


def test_a_comparison_of_now_begins_at_the_start_of_a_day(filled: App) -> None:
    app = opened("Overview", w="team")
    app.button(key="compare").click().run()
    assert len(app.query_params["as_of"]) == len("2021-01-01")


def test_a_comparison_with_an_earlier_date_says_that_it_goes_back(filled: App) -> None:
    assert "back to" in words(opened("Settings", w="team", as_of="2022-01-01", to="2021-01-01"))
    assert "back to" not in words(opened("Settings", w="team", as_of="2021-01-01", to="2022-01-01"))


def test_shortly_before_midnight_bar_and_page_name_the_same_day(filled: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 26, 23, 59, 30, tzinfo=UTC))
    app = opened("Settings", w="team")
    assert f"● *{dates.day(View().at.as_of)} ·* now" in popovers(app)


def test_a_second_record_date_compares_what_was_known(filled: App) -> None:
    app = opened("Overview", w="team", known_at="2021-01-01")
    app.toggle(key="known_second").set_value(True).run()
    assert "to_known" in app.query_params
    assert not app.exception


def test_another_workspace_is_opened_without_the_old_selection(filled: App) -> None:
    app = opened("Overview", w="team", e="ada")
    app.button(key="workspace__").click().run()
    assert dict(app.query_params) == {"w": "_"}


def test_a_path_is_left_behind_in_the_workspace_that_it_was_asked_in(filled: App) -> None:
    filled.bridge.run(filled.graph.write("other", small_graph()))
    filled.accounts.add("other", "Other memory")
    app = opened("Explore", w="team", e="ada")
    app.session_state["explore_path"] = True
    app.run()
    app.selectbox(key="explore_path_find").set_value("bob").run()
    assert "explore_path_clear" in [button.key for button in app.button]
    app.button(key="workspace_other").click().run()
    app.query_params["e"] = "ada"
    app.run()
    assert not app.exception
    assert "explore_path_clear" not in [button.key for button in app.button]
