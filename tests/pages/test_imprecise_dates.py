"""Pages say dates as exactly as they are known, and show apart what may have ended."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from services.agent.app import App
from services.core.models import Episode, Fact, GraphWrite
from tests.fakes.line_extractor import LineExtractor
from tests.pages.conftest import WORKSPACE, day, displayed, opened, small_graph, words
from tests.pages.ingest import read_text


def life() -> GraphWrite:
    """Ada at three employers: dates known to the year, the month, and an end that nobody knows."""
    whole = small_graph()
    recorded = day("1990-01-01")

    def fact(uuid: str, target: str, start: str, stop: str = "") -> Fact:
        return Fact(
            uuid,
            "ada",
            target,
            "Ada",
            "WORKS_FOR",
            target.title(),
            f"Ada works for {target.title()}",
            valid_at=day(start),
            invalid_at=day(stop) if stop else None,
            created_at=recorded,
            episodes=("note",),
            valid_at_precision="year",
        )

    facts = (
        replace(fact("engines_1", "engines", "1974-01-01", "1979-05-01"), invalid_at_precision="month"),
        replace(fact("labs_1", "labs", "1985-01-01"), ended_unknown=True, expired_at=day("2020-11-23")),
        fact("bob_1", "bob", "2021-01-01"),
    )
    note = Episode("note", "A note", "Ada worked for Engines.", valid_at=recorded, created_at=recorded)
    return GraphWrite(whole.entities, facts, (note,))


@pytest.fixture
def imprecise(services: App) -> App:
    services.bridge.run(services.graph.write(WORKSPACE, life()))
    services.accounts.add(WORKSPACE, "Team memory")
    return services


@pytest.mark.usefixtures("imprecise")
def test_the_timeline_marks_what_began_some_time_in_the_year_of_the_date() -> None:
    page = words(opened("Timeline", w=WORKSPACE, e="ada", as_of="1974-03-01"))
    card = page[page.index("Valid on 1974-03-01") : page.index("What changed")]
    assert "Engines" in card
    assert "sometime in 1974" in card
    assert "1974-01-01" not in card
    later = words(opened("Timeline", w=WORKSPACE, e="ada", as_of="1976-03-01"))
    assert "since 1974" in later[later.index("Valid on") : later.index("What changed")]


@pytest.mark.usefixtures("imprecise")
def test_the_timeline_shows_apart_what_ended_some_time_in_the_month_of_the_date() -> None:
    page = words(opened("Timeline", w=WORKSPACE, e="ada", as_of="1979-05-20"))
    assert "Engines" not in page[page.index("Valid on 1979-05-20") : page.index("May have ended")]
    assert "ended sometime in May 1979" in page[page.index("May have ended") : page.index("What changed")]
    assert "May have ended" not in words(opened("Timeline", w=WORKSPACE, e="ada", as_of="1979-06-01"))


@pytest.mark.usefixtures("imprecise")
def test_changes_are_dated_as_exactly_as_they_are_known() -> None:
    page = words(opened("Timeline", w=WORKSPACE, e="ada", as_of="2022-01-01"))
    changes = page[page.index("What changed") :]
    assert "May 1979" in changes
    assert "before 2020-11-23" in changes
    assert "1974-01-01" not in changes


@pytest.mark.usefixtures("imprecise")
def test_explore_shows_apart_what_may_have_ended() -> None:
    page = words(opened("Explore", w=WORKSPACE, e="ada", as_of="1979-05-20"))
    assert "May have ended 1 fact by 1979-05-20" in page
    assert "ended sometime in May 1979" in page
    assert "1974 → May 1979" in words(opened("Explore", w=WORKSPACE, e="ada", as_of="1984-05-20"))


@pytest.mark.usefixtures("imprecise")
def test_the_panel_of_a_fact_says_what_its_dates_leave_open() -> None:
    began = words(opened("Explore", w=WORKSPACE, f="engines_1", as_of="1974-03-01"))
    assert "holds on 1974-03-01, started sometime in 1974" in began
    assert "valid from 1974" in began
    assert "valid until May 1979" in began
    assert "ended sometime in May 1979" in words(opened("Explore", w=WORKSPACE, f="engines_1", as_of="1979-05-20"))


@pytest.mark.usefixtures("imprecise")
def test_an_end_that_nobody_knows_is_said_so_and_never_as_a_date() -> None:
    page = words(opened("Explore", w=WORKSPACE, f="labs_1"))
    assert "valid until ended, date unknown (before 23 November 2020)" in page
    panel = words(opened("Explore", w=WORKSPACE, e="ada", as_of="2022-01-01"))
    assert "Labs ended, date unknown (before 23 November 2020) 1985" in panel
    assert "2020-11-23" not in panel
    changes = words(opened("Timeline", w=WORKSPACE, e="ada", as_of="2022-01-01"))
    assert "before 2020-11-23 − works for Labs Edit fact Recorded as ended on 2020-11-23" in changes


@pytest.mark.usefixtures("imprecise")
def test_search_says_dates_as_exactly_as_they_are_known() -> None:
    page = words(
        opened("Search", w=WORKSPACE, q="Engines", kind="facts", mode="keyword", recorded="1", as_of="1979-05-20")
    )
    assert "1974 → May 1979" in page
    assert "ended sometime in May 1979" in page


@pytest.mark.usefixtures("imprecise")
def test_a_source_says_the_dates_of_its_facts_as_exactly_as_they_are_known() -> None:
    page = words(opened("Sources", w=WORKSPACE, s="note"))
    assert "1974 → May 1979" in page
    assert "2021 → now" in page


def change(services: App, uuid: str, **more: object) -> None:
    """Write a fact of the graph with other values."""
    (held,) = services.bridge.run(services.graph.facts(WORKSPACE, (uuid,)))
    services.bridge.run(services.graph.write(WORKSPACE, GraphWrite(facts=(replace(held, **more),))))
    services.mirrors.sync(WORKSPACE, deep=True)


def test_an_end_learned_between_two_record_dates_is_dated_as_exactly_as_it_is_known(imprecise: App) -> None:
    change(imprecise, "engines_1", expired_at=day("2020-06-01"))
    days = {"as_of": "2022-01-01", "to": "2022-01-01"}
    learned = words(opened("Explore", w=WORKSPACE, e="ada", **days, known_at="2019-01-01", to_known="2021-01-01"))
    assert "May 1979" in learned
    assert "before 2020-11-23" in learned
    assert "1979-05-01" not in learned
    back = words(opened("Explore", w=WORKSPACE, e="ada", **days, known_at="2021-01-01", to_known="2019-01-01"))
    assert "May 1979" in back
    assert "1979-05-01" not in back


@pytest.mark.usefixtures("imprecise")
def test_the_form_of_a_fact_says_its_dates_as_exactly_as_they_are_known() -> None:
    app = opened("Explore", w=WORKSPACE, f="engines_1").button(key="correct_fact").click().run()
    assert "Ada works for Engines 1974 → May 1979" in words(app)


def test_what_holds_again_after_a_deletion_is_dated_as_exactly_as_it_is_known(imprecise: App) -> None:
    change(imprecise, "engines_1", expired_at=day("2020-06-01"), ended_by="bob_1")
    app = opened("Explore", w=WORKSPACE, f="bob_1")
    app.session_state["action_bob_1"] = "Delete"
    app.button(key="correct_fact").click().run()
    assert "Ada works for Engines 1974 → now" in displayed(app).labelled("Facts to reinstate").text


def test_a_review_says_the_dates_of_a_similar_fact_as_exactly_as_they_are_known(
    imprecise: App, reader: LineExtractor
) -> None:
    app = read_text(imprecise, "Ada | WORKED_FOR | Bob | 2021-08-01")
    assert "Ada works for Bob, 2021 → now" in words(app)


def _bars_of_ada() -> None:
    """A page that is nothing but the bars of where Ada works, before and after a change that leaves them alone."""
    from components.ingest.before_after import before_after
    from services import cached
    from services.mirror import Mirror

    held = cached.ask(Mirror.facts, "team", ("engines_1", "labs_1"))
    before_after(held, held)


def test_the_bars_of_a_review_say_dates_as_exactly_as_they_are_known(imprecise: App) -> None:
    imprecise.mirrors.sync(WORKSPACE)
    labels = displayed(AppTest.from_function(_bars_of_ada, default_timeout=30).run()).labels
    assert "Engines 1974 → May 1979" in labels
    assert "Labs 1985 → ended, date unknown (before 23 November 2020)" in labels
