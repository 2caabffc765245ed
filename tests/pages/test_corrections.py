"""Correcting facts and entities by form, on the pages that show them."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from streamlit.testing.v1 import AppTest

from services.agent.app import App
from services.core import clock, time_rule
from services.core.contradictions import LATE
from services.core.models import Fact, GraphWrite, Instants
from tests.pages.conftest import WORKSPACE, day, displayed, opened, words


def click(app: AppTest, key: str) -> AppTest:
    app = app.button(key=key).click().run()
    assert not app.exception
    return app


def fact(services: App, uuid: str) -> Fact:
    (found,) = services.mirrors.of(WORKSPACE).facts((uuid,))
    return found


def form(action: str, *, page: str = "Explore") -> AppTest:
    """The form for Ada's present employer, with an action chosen in it."""
    app = opened(page, w=WORKSPACE, f="f2")
    app.session_state["action_f2"] = action
    return click(app, "correct_fact")


def test_a_fact_is_edited_and_the_old_record_stays_readable(filled: App) -> None:
    before = clock.now()
    app = form("Edit")
    app.text_input(key="target_f2").set_value("Engines")
    app.text_input(key="why_f2").set_value("She never left.")
    app = click(app, "confirmed")
    new = next(
        f
        for f in filled.mirrors.of(WORKSPACE).history("ada")
        if f.relation == "WORKS_FOR" and f.uuid not in ("f1", "f2")
    )
    assert (new.target_uuid, new.withdrawn_at) == ("engines", None)
    assert app.query_params["f"] == new.uuid
    assert filled.mirrors.of(WORKSPACE).episodes(new.episodes)[0].content == "She never left."
    assert time_rule.true_at(fact(filled, "f2"), Instants(day("2023-01-01"), before))
    assert not time_rule.true_at(fact(filled, "f2"), Instants(day("2023-01-01"), clock.now()))


def _form_that_stays() -> None:
    """A page that is nothing but the open form: a test cannot run a dialog alone, as a browser does."""
    from components import fact_actions
    from services import cached
    from services.mirror import Mirror

    fact_actions.correct.__wrapped__(
        "team", cached.ask(Mirror.facts, "team", ("f2",))[0]
    )  # as a dialog that is open already


def test_why_one_action_failed_is_not_shown_for_another(filled: App) -> None:
    filled.mirrors.sync(WORKSPACE)
    app = click(AppTest.from_function(_form_that_stays, default_timeout=30).run(), "confirmed")
    assert "You have not changed anything." in words(app)
    app.get_by_key("action_f2").set_value("End").run()
    assert "You have not changed anything." not in words(app)


def test_a_fact_is_ended_on_a_day(filled: App) -> None:
    app = form("End")
    app.date_input(key="at_f2").set_value(day("2024-02-01").date())
    app = click(app, "confirmed")
    assert fact(filled, "f2").invalid_at == day("2024-02-01")
    assert "Ada works for Labs ended" in words(app)


def test_a_fact_is_ended_some_time_in_a_year(filled: App) -> None:
    app = form("End")
    app.date_input(key="at_f2").set_value(day("2024-02-01").date())
    app.selectbox(key="at_precision_f2").set_value("year")
    click(app, "confirmed")
    ended = fact(filled, "f2")
    assert (ended.invalid_at, ended.invalid_at_precision) == (day("2024-01-01"), "year")


def test_a_fact_is_ended_on_an_unknown_date_which_an_edit_may_tell_later(filled: App) -> None:
    app = form("End")
    app.checkbox(key="over_f2").check()
    click(app, "confirmed")
    ended = fact(filled, "f2")
    assert (ended.invalid_at, ended.ended_unknown) == (None, True)
    app = form("Edit")
    assert app.checkbox(key="over_f2").value
    assert app.date_input(key="stop_f2").value is None
    app.date_input(key="stop_f2").set_value(day("2024-02-01").date())
    click(app, "confirmed")
    (again,) = [
        f for f in filled.mirrors.of(WORKSPACE).history("ada") if f.created_at and f.created_at >= ended.expired_at
    ]
    assert (again.invalid_at, again.invalid_at_precision, again.ended_unknown) == (day("2024-02-01"), "day", False)


@pytest.mark.parametrize(
    ("action", "check"),
    [
        ("Withdraw", lambda services: fact(services, "f2").withdrawn_at is not None),
        ("Delete", lambda services: services.mirrors.of(WORKSPACE).facts(("f2",)) == ()),
    ],
)
def test_a_fact_is_withdrawn_or_deleted(filled: App, action: str, check: Callable[[App], bool]) -> None:
    click(form(action), "confirmed")
    assert check(filled)


def test_an_ended_fact_is_reinstated_by_the_form_and_that_is_undone(filled: App) -> None:
    app = click(opened("Explore", w=WORKSPACE, f="f1"), "correct_fact")
    app = click(app, "confirmed")
    assert fact(filled, "f1").withdrawn_at is not None
    click(app, "undo_last")
    assert fact(filled, "f1").withdrawn_at is None


def ended_by(services: App, fact: str, by: str) -> None:
    (held,) = services.bridge.run(services.graph.facts(WORKSPACE, (fact,)))
    services.bridge.run(services.graph.write(WORKSPACE, GraphWrite(facts=(replace(held, ended_by=by),))))
    services.mirrors.sync(WORKSPACE, deep=True)


@pytest.mark.parametrize("ticked", [True, False])
def test_a_fact_that_a_deleted_one_had_ended_is_shown_and_holds_again(filled: App, ticked: bool) -> None:
    ended_by(filled, "f1", "f2")
    app = form("Delete")
    box = app.checkbox(key="reinstate_with_f1")
    assert (box.label, box.value) == ("Reinstate 1 fact that only these records ended", True)
    assert "Facts to reinstate" in displayed(app).labels
    if not ticked:
        box.uncheck()
    click(app, "confirmed")
    works = [f for f in filled.mirrors.of(WORKSPACE).history("ada") if f.relation == "WORKS_FOR"]
    assert [f.invalid_at for f in works if f.withdrawn_at is None] == [None if ticked else day("2022-07-01")]


def test_a_reinstatement_that_another_fact_makes_needless_is_not_promised(filled: App) -> None:
    (held,) = filled.bridge.run(filled.graph.facts(WORKSPACE, ("f2",)))
    twin = replace(held, uuid="twin", invalid_at=day("2024-01-01"), expired_at=day("2024-01-01"))
    filled.bridge.run(filled.graph.write(WORKSPACE, GraphWrite(facts=(twin,))))
    app = click(opened("Explore", w=WORKSPACE, f="twin"), "correct_fact")
    assert "The graph already says this" in words(app)


def test_an_entity_is_renamed_where_it_is_shown(filled: App) -> None:
    app = click(opened("Timeline", w=WORKSPACE, e="ada"), "correct_entity")
    app.text_input(key="name_ada").set_value("Ada Lovelace")
    app = click(app, "confirmed")
    assert filled.mirrors.of(WORKSPACE).entities(("ada",))[0].name == "Ada Lovelace"
    assert "Ada Lovelace" in words(app)


def test_an_entity_can_be_merged_with_any_other(filled: App) -> None:
    app = opened("Explore", w=WORKSPACE, e="bob")
    app.session_state["action_bob"] = "Merge"
    app = click(app, "correct_entity")
    assert "merge_find" in [box.key for box in app.selectbox]


def test_an_entity_that_a_search_found_is_corrected_from_its_hit(filled: App) -> None:
    app = opened("Search", w=WORKSPACE, q="Labs", kind="entities", mode="keyword")
    assert any("correct=labs" in link for link in displayed(app).links("Edit entity"))
    app.session_state["correct"] = "labs"
    app = app.run()
    app.text_input(key="name_labs").set_value("Laboratories")
    click(app, "confirmed")
    assert filled.mirrors.of(WORKSPACE).entities(("labs",))[0].name == "Laboratories"


def test_an_entity_is_deleted_with_its_facts(filled: App) -> None:
    note = filled.mirrors.of(WORKSPACE).episodes(("note",))[0]
    filled.bridge.run(filled.graph.write(WORKSPACE, GraphWrite(episodes=(replace(note, entity_uuids=("bob",)),))))
    filled.mirrors.sync(WORKSPACE, deep=True)
    app = opened("Explore", w=WORKSPACE, e="bob")
    app.session_state["action_bob"] = "Delete"
    app = click(app, "correct_entity")
    assert "This deletes 1 fact · 1 entity" in words(app)
    assert "1 source will no longer mention this entity." in words(app)
    click(app, "confirmed")
    assert filled.mirrors.of(WORKSPACE).facts(("f3",)) == ()


def test_a_row_of_the_timelines_table_opens_its_fact(filled: App) -> None:
    app = opened("Timeline", w=WORKSPACE, e="ada")
    app.session_state["timeline_rows"] = True
    app.session_state["timeline_table"] = {"selection": {"rows": [0], "columns": [], "cells": []}}
    app = app.run()
    assert not app.exception
    assert "correct_fact" in [button.key for button in app.button]


@pytest.mark.parametrize("page", ["Overview", "Search", "Ask", "Explore"])
def test_a_link_of_a_list_opens_the_form_once(filled: App, page: str) -> None:
    app = opened(page, w=WORKSPACE)
    app.session_state["correct"] = "f2"
    app = app.run()
    assert not app.exception
    assert "action_f2" in [control.key for control in app.segmented_control]
    app = app.run()
    assert "action_f2" not in [control.key for control in app.segmented_control]


def test_the_address_of_a_link_opens_the_form_in_a_tab_of_its_own(filled: App) -> None:
    app = opened("Search", w=WORKSPACE, correct="f2")
    assert not app.exception
    assert "action_f2" in [control.key for control in app.segmented_control]
    assert "correct" not in app.query_params


def test_the_overview_links_what_is_to_review_to_the_form(filled: App) -> None:
    late = Fact(
        "late",
        "ada",
        "bob",
        "Ada",
        "LIKES",
        "Bob",
        valid_at=day("2011-01-01"),
        created_at=day("2011-01-01") + LATE + timedelta(days=1),
    )
    filled.bridge.run(filled.graph.write(WORKSPACE, GraphWrite(facts=(late,))))
    links = displayed(opened("Overview", w=WORKSPACE)).links("Edit fact")
    assert any(link.startswith("./?") and "correct=late" in link for link in links)


@pytest.mark.usefixtures("filled")
def test_a_comparison_links_each_of_its_changes_to_the_form() -> None:
    app = opened("Explore", w=WORKSPACE, e="ada", as_of="2019-01-01", to="2023-01-01")
    assert any("correct=f2" in link for link in displayed(app).links("Edit fact"))


def test_an_end_beyond_what_a_field_shows_stays_what_it_is(filled: App) -> None:
    start, forever = day("2011-01-01"), day("9999-12-31")
    held = Fact("ever", "ada", "bob", "Ada", "LIKES", "Bob", valid_at=start, invalid_at=forever, created_at=start)
    filled.bridge.run(filled.graph.write(WORKSPACE, GraphWrite(facts=(held,))))
    app = click(opened("Explore", w=WORKSPACE, f="ever"), "correct_fact")
    app.text_input(key="text_ever").set_value("Ada likes Bob very much.")
    click(app, "confirmed")
    (new,) = [f for f in filled.mirrors.of(WORKSPACE).history("ada") if f.text == "Ada likes Bob very much."]
    assert new.invalid_at == forever
