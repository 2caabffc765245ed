"""Correcting facts and entities by form, on the pages that show them."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from streamlit.testing.v1 import AppTest

from services import clock
from services.bootstrap import Services
from services.models import Fact, GraphWrite, Instants
from services.review import LATE
from tests.pages.conftest import WORKSPACE, day, opened, words


def click(app: AppTest, key: str) -> AppTest:
    app = app.button(key=key).click().run()
    assert not app.exception
    return app


def fact(services: Services, uuid: str) -> Fact:
    (found,) = services.mirrors.of(WORKSPACE).facts((uuid,))
    return found


def form(deed: str, *, page: str = "Explore") -> AppTest:
    """The form for Ada's present employer, with a deed chosen in it."""
    app = opened(page, w=WORKSPACE, f="f2")
    app.session_state["deed_f2"] = deed
    return click(app, "correct_fact")


def test_a_fact_is_edited_and_the_old_record_stays_readable(filled: Services) -> None:
    before = clock.now()
    app = form("Edit")
    app.text_input(key="target_f2").set_value("Engines")
    app.text_input(key="why_f2").set_value("She never left.")
    app = click(app, "confirmed")
    new = next(f for f in filled.mirrors.of(WORKSPACE).history("ada") if f.relation == "WORKS_FOR" and f.uuid not in
               ("f1", "f2"))  # fmt: skip
    assert (new.target_uuid, new.withdrawn_at) == ("engines", None)
    assert app.query_params["f"] == new.uuid
    assert filled.mirrors.of(WORKSPACE).episodes(new.episodes)[0].content == "She never left."
    assert clock.true_at(fact(filled, "f2"), Instants(day("2023-01-01"), before))
    assert not clock.true_at(fact(filled, "f2"), Instants(day("2023-01-01"), clock.now()))


def test_a_fact_is_ended_on_a_day(filled: Services) -> None:
    app = form("End")
    app.date_input(key="at_f2").set_value(day("2024-02-01").date())
    app = click(app, "confirmed")
    assert fact(filled, "f2").invalid_at == day("2024-02-01")
    assert "Ada works for Labs ended" in words(app)


@pytest.mark.parametrize(
    ("deed", "check"),
    [("Withdraw", lambda services: fact(services, "f2").withdrawn_at is not None),
     ("Delete", lambda services: services.mirrors.of(WORKSPACE).facts(("f2",)) == ())],
)  # fmt: skip
def test_a_fact_is_withdrawn_or_deleted(filled: Services, deed: str, check: Callable[[Services], bool]) -> None:
    click(form(deed), "confirmed")
    assert check(filled)


def test_an_ended_fact_is_reinstated_by_the_form_and_that_is_undone(filled: Services) -> None:
    app = click(opened("Explore", w=WORKSPACE, f="f1"), "correct_fact")
    app = click(app, "confirmed")
    assert fact(filled, "f1").withdrawn_at is not None
    click(app, "undo_last")
    assert fact(filled, "f1").withdrawn_at is None


def test_an_entity_is_renamed_where_it_is_shown(filled: Services) -> None:
    app = click(opened("Timeline", w=WORKSPACE, e="ada"), "correct_entity")
    app.text_input(key="name_ada").set_value("Ada Lovelace")
    app = click(app, "confirmed")
    assert filled.mirrors.of(WORKSPACE).entities(("ada",))[0].name == "Ada Lovelace"
    assert "Ada Lovelace" in words(app)


def test_an_entity_can_be_merged_with_any_other(filled: Services) -> None:
    app = opened("Explore", w=WORKSPACE, e="bob")
    app.session_state["deed_bob"] = "Merge"
    app = click(app, "correct_entity")
    assert "merge_find" in [box.key for box in app.selectbox]


def test_an_entity_is_deleted_with_its_facts(filled: Services) -> None:
    note = filled.mirrors.of(WORKSPACE).episodes(("note",))[0]
    filled.bridge.run(filled.graph.write(WORKSPACE, GraphWrite(episodes=(replace(note, entity_uuids=("bob",)),))))
    filled.mirrors.sync(WORKSPACE, deep=True)
    app = opened("Explore", w=WORKSPACE, e="bob")
    app.session_state["deed_bob"] = "Delete"
    app = click(app, "correct_entity")
    assert "<b>1 fact · 1 entity</b> will be deleted" in words(app)
    assert "1 source will no longer mention it." in words(app)
    click(app, "confirmed")
    assert filled.mirrors.of(WORKSPACE).facts(("f3",)) == ()


def test_a_row_of_the_timelines_table_opens_its_fact(filled: Services) -> None:
    app = opened("Timeline", w=WORKSPACE, e="ada")
    app.session_state["timeline_rows"] = True
    app.session_state["timeline_table"] = {"selection": {"rows": [0], "columns": [], "cells": []}}
    app = app.run()
    assert not app.exception
    assert "correct_fact" in [button.key for button in app.button]


@pytest.mark.parametrize("page", ["Overview", "Search", "Ask"])
def test_a_link_of_a_list_opens_the_form_once(filled: Services, page: str) -> None:
    app = opened(page, w=WORKSPACE)
    app.session_state["correct"] = "f2"
    app = app.run()
    assert not app.exception
    assert "deed_f2" in [control.key for control in app.segmented_control]
    app = app.run()
    assert "deed_f2" not in [control.key for control in app.segmented_control]


def test_the_overview_links_what_is_to_review_to_the_form(filled: Services) -> None:
    late = Fact("late", "ada", "bob", "Ada", "LIKES", "Bob", valid_at=day("2011-01-01"),
                created_at=day("2011-01-01") + LATE + timedelta(days=1))  # fmt: skip
    filled.bridge.run(filled.graph.write(WORKSPACE, GraphWrite(facts=(late,))))
    assert "correct=late" in words(opened("Overview", w=WORKSPACE))
