"""The Timeline page: one entity's facts, what was true, and what changed."""

import json

from services.agent.app import App
from services.core import clock
from tests.pages.conftest import displayed, opened, words


def test_an_entity_is_found_by_uuid_and_by_name(filled: App) -> None:
    by_name = opened("Timeline", w="team", e="Ada", as_of="2021-06-01")
    assert by_name.query_params["e"] == "ada"
    assert "3 relations · 5 facts · 3 hold on 2021-06-01" in words(by_name)


def test_the_card_says_what_was_true_on_the_date(filled: App) -> None:
    page = words(opened("Timeline", w="team", e="ada", as_of="2021-06-01"))
    card = page[page.index("Valid on 2021-06-01") :]
    assert "Engines" in card
    assert "since 2019-03-01" in card
    assert card.index("Bob") < card.index("Cy")


def test_values_that_began_on_different_days_each_tell_their_own_start(filled: App) -> None:
    page = words(opened("Timeline", w="team", e="ada", as_of="2021-06-01"))
    knows = page[page.index("Bob since") : page.index("What changed")]
    assert "Bob since 2020-01-01" in knows
    assert "Cy since 2021-01-01" in knows


def test_each_fact_that_holds_has_a_link_that_opens_its_correction(filled: App) -> None:
    page = displayed(opened("Timeline", w="team", e="ada", as_of="2021-06-01"))
    assert "correct=f1" in page.links("Edit fact")[0]


def test_a_fact_that_has_ended_has_a_link_that_opens_its_correction(filled: App) -> None:
    page = displayed(opened("Timeline", w="team", e="ada", as_of="2023-06-01"))
    links = [*page.links("Edit fact"), *page.links("Edit ended fact")]
    assert any("correct=f1" in link for link in links)


def test_an_earlier_record_date_hides_what_was_not_recorded_yet(filled: App) -> None:
    page = words(opened("Timeline", w="team", e="ada", as_of="2021-06-01", known_at="2019-12-01"))
    assert "1 relation · 1 fact · 1 hold" in page
    assert "Bob" not in page


def test_without_an_entity_the_page_offers_some(filled: App) -> None:
    app = opened("Timeline", w="team")
    assert "Select an entity to see its facts." in words(app)
    app.button(key="busiest_ada").click().run()
    assert app.query_params["e"] == "ada"
    assert not app.exception


def test_an_end_and_a_beginning_at_one_instant_are_one_change_with_its_cause(filled: App) -> None:
    page = words(opened("Timeline", w="team", e="ada", as_of="2024-01-01"))
    assert "Engines → Labs" in page
    assert "Ada joined Labs" in page


def test_only_what_holds_leaves_ended_facts_out(filled: App) -> None:
    app = opened("Timeline", w="team", e="ada", as_of="2024-01-01")
    app.get_by_key("which_facts").set_value("Valid facts only").run()
    assert "Show 4 facts as a table" in [e.label for e in app.expander]


def test_comparing_lists_what_changed_between_the_dates(filled: App) -> None:
    page = words(opened("Timeline", w="team", e="ada", as_of="2020-06-01", to="2021-06-01"))
    changed = page[page.rindex("What changed") :]
    listed = changed[: changed.index("Two clocks")]
    assert "Cy" in listed
    assert "Bob" not in listed


def test_facts_without_a_date_are_counted_below_what_was_true(filled: App) -> None:
    app = opened("Timeline", w="team", e="ada", as_of="2021-06-01")
    assert app.button(key="undated_facts").label == "Show 1 more fact without a date"
    app.button(key="undated_facts").click().run()
    assert displayed(app).labelled("Without a date").text.startswith("wants to Fly")


def test_the_date_of_the_known_line_covers_no_name_of_an_area(filled: App) -> None:
    app = opened("Timeline", w="team", e="ada", as_of="2021-06-01", known_at="2022-06-01")
    (chart,) = [one for one in app.get("plotly_chart") if "two_clocks" in one.proto.id]
    layout = json.loads(chart.proto.spec)["layout"]
    bottom, top = (clock.parse_instant(end.replace(" ", "T")) for end in layout["yaxis"]["range"])
    heights = {
        one["text"]: (clock.parse_instant(one["y"].replace(" ", "T")) - bottom) / (top - bottom)
        for one in layout["annotations"]
        if "y" in one and "yref" not in one
    }
    date = heights.pop("○ 2022-06-01")
    assert heights
    assert all(not date - 0.03 < height < date + 0.09 for height in heights.values()), (date, heights)


def test_the_two_clock_chart_is_read_out_in_words(filled: App) -> None:
    page = words(opened("Timeline", w="team", e="ada", as_of="2021-06-01"))
    assert "on ● 2021-06-01 was “Engines”." in page
    assert "“works for” on ●" in page


def test_a_comparison_without_changes_says_that_nothing_changed(filled: App) -> None:
    page = words(opened("Timeline", w="team", e="ada", as_of="2023-01-01", to="2024-01-01"))
    assert "Nothing changed between the two dates." in page[page.rindex("What changed") :]
