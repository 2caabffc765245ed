"""A fact by hand on the Ingest page: what it changes is shown before it is saved, and it can be taken back."""

from datetime import date

from streamlit.testing.v1 import AppTest

from services.agent.app import App
from services.core.change_records import Origin
from services.core.models import Entity, GraphWrite
from services.writing.change_sets import writing
from services.writing.edits import Edit, Scope
from tests.fakes.memory_graph import MemoryGraphStore
from tests.pages.conftest import ROOT, WORKSPACE, displayed, words
from tests.pages.ingest import at, facts, keys


def one_fact(target: str, start: date | None = None, **typed: str | bool) -> AppTest:
    """Next page a preview of what Ada works for; what is not in the graph has to be there before it is drawn."""
    app = AppTest.from_file(str(ROOT / "pages" / "_main.py"), default_timeout=30)
    app.query_params["w"] = WORKSPACE
    fields = {"source": "Ada", "relation": "WORKS_FOR", "target": target or None, "start": start, **typed}
    for key, value in fields.items():
        app.session_state[f"fact_{key}"] = value
    app.switch_page("Ingest.py").run()
    return next(button for button in app.button if button.label == "Preview changes").click().run()


def saved(target: str, start: date, **typed: str) -> AppTest:
    """Next page Ada's employer was saved, and that the one before ended."""
    app = one_fact(target, start, **typed)
    for box in app.checkbox:
        box.check()
    app.run()
    return app.button(key="review_save").click().run()


def test_one_fact_shows_what_it_changes_and_may_end_the_one_before(filled: App) -> None:
    app = one_fact("Turing", date(2024, 1, 1))
    assert "1 added" in words(app)
    assert "0 ended" in words(app)
    app.checkbox(key="ending_form_f2_0").check().run()
    assert "1 ended" in words(app)
    assert "Before this change, the value from 2024-01-01 on was “Labs”." in words(app)
    assert "Labs 2022-07-01 → 2024-01-01, ends" in displayed(app).labels
    assert "Turing 2024-01-01 → now, new" in displayed(app).labels
    assert ("WORKS_FOR", "Turing") not in facts(filled)
    app.button(key="review_save").click().run()
    stored = facts(filled)
    assert stored["WORKS_FOR", "Labs"].invalid_at == stored["WORKS_FOR", "Turing"].valid_at


def test_what_is_not_ticked_does_not_end(filled: App) -> None:
    app = one_fact("Turing", date(2024, 1, 1))
    app.button(key="review_save").click().run()
    assert facts(filled)["WORKS_FOR", "Labs"].invalid_at is None
    assert ("WORKS_FOR", "Turing") in facts(filled)


def test_a_relation_that_holds_one_at_a_time_ends_the_one_before_by_itself(filled: App) -> None:
    one_fact("London", date(2020, 1, 1), relation="LIVES_IN").button(key="review_save").click().run()
    app = one_fact("Paris", date(2024, 1, 1), relation="LIVES_IN")
    assert "1 ended" in words(app)
    app.button(key="review_save").click().run()
    stored = facts(filled)
    assert stored["LIVES_IN", "London"].invalid_at == stored["LIVES_IN", "Paris"].valid_at


def test_a_fact_may_begin_some_time_in_a_year(filled: App) -> None:
    app = one_fact("Turing", date(2024, 5, 6), start_precision="year")
    app.button(key="review_save").click().run()
    stored = facts(filled)["WORKS_FOR", "Turing"]
    assert stored.valid_at is not None
    assert (stored.valid_at.date(), stored.valid_at_precision) == (date(2024, 1, 1), "year")
    assert app.selectbox(key="fact_start_precision").value == "day"


def test_a_fact_may_have_ended_on_an_unknown_date_and_that_is_undone(filled: App) -> None:
    app = one_fact("Turing", date(2001, 5, 6), is_over=True)
    assert "2001-05-06 → date unknown" in words(app)
    app.button(key="review_save").click().run()
    stored = facts(filled)["WORKS_FOR", "Turing"]
    assert (stored.invalid_at, stored.ended_unknown, stored.valid_at_precision) == (None, True, "day")
    assert stored.expired_at is not None
    assert stored.created_at is not None
    assert stored.created_at <= stored.expired_at
    app.button(key=next(key for key in keys(app) if key.startswith("change_undo_"))).click().run()
    assert ("WORKS_FOR", "Turing") not in facts(filled)


def test_an_empty_field_is_named_and_nothing_typed_is_lost(filled: App) -> None:
    app = one_fact("")
    assert "The value is empty." in words(app)
    assert app.selectbox(key="fact_source").value == "Ada"


def test_a_failed_save_keeps_the_form_and_the_preview(filled: App, graph: MemoryGraphStore) -> None:
    app = one_fact("Turing", date(2024, 1, 1))
    graph.down = True
    app.button(key="review_save").click().run()
    assert not app.exception
    assert app.selectbox(key="fact_target").value == "Turing"
    assert "is not responding" in words(app)
    assert "1 added" in words(app)


def test_a_saved_fact_is_undone_and_redone_from_the_list_of_changes(filled: App) -> None:
    app = saved("Turing", date(2024, 1, 1), note="Told by Bob", episode="His letter")
    assert "“Told by Bob”" in words(app)
    undo = next(key for key in keys(app) if key.startswith("change_undo_"))
    app.button(key=undo).click().run()
    assert ("WORKS_FOR", "Turing") not in facts(filled)
    assert facts(filled)["WORKS_FOR", "Labs"].invalid_at is None
    redo = next(key for key in keys(app) if key.startswith("change_redo_"))
    app.button(key=redo).click().run()
    assert ("WORKS_FOR", "Turing") in facts(filled)


def test_a_saved_fact_leaves_the_form_empty_and_says_so_in_one_place(filled: App) -> None:
    app = saved("Turing", date(2024, 1, 1), note="Told by Bob", episode="His letter")
    assert app.selectbox(key="fact_source").value is None
    assert app.selectbox(key="fact_target").value is None
    assert app.date_input(key="fact_start").value is None
    assert not app.text_input(key="fact_note").value
    assert not app.text_input(key="fact_episode").value
    assert "undo_last" in keys(app)
    assert not app.toast


def test_a_relation_as_people_type_it_is_the_one_that_the_graph_has(filled: App) -> None:
    one_fact("Turing", date(2024, 1, 1), relation="works for").button(key="review_save").click().run()
    assert ("WORKS_FOR", "Turing") in facts(filled)


def test_an_empty_workspace_offers_the_relations_that_texts_are_read_for(services: App) -> None:
    app = at("One fact", "_")
    assert "WORKS_FOR" in app.selectbox(key="fact_relation").options


def test_a_typed_relation_is_spelled_in_its_field_as_the_graph_or_the_schema_has_it(filled: App) -> None:
    app = one_fact("Paris", relation="lives in")
    assert app.selectbox(key="fact_relation").value == "LIVES_IN"
    app = one_fact("Turing", relation="works for")
    assert app.selectbox(key="fact_relation").value == "WORKS_FOR"
    assert "works for" not in app.selectbox(key="fact_relation").options


def test_a_new_name_is_marked_as_new_beside_names_close_to_it(filled: App) -> None:
    app = one_fact("Zebra", source="Ad")
    assert "New: Ad. Similar:" in words(app)
    app.button(key="fact_source_take_ada").click().run()
    assert app.selectbox(key="fact_source").value == "Ada"
    assert "New: Ad." not in words(app)
    assert "New: Zebra." in words(app)
    assert "Close to it" not in words(app)


def test_the_way_in_is_kept_while_other_pages_are_looked_at(filled: App) -> None:
    app = at("Text")
    app.switch_page("Sources.py").run()
    app.switch_page("Ingest.py").run()
    assert app.text_area(key="text_body")


def test_an_undo_that_would_leave_something_says_so_first(filled: App) -> None:
    app = saved("Turing", date(2024, 1, 1))
    first = next(key for key in keys(app) if key.startswith("change_undo_"))
    app = saved("Hooli", date(2025, 1, 1))
    app.button(key=first).click().run()
    assert "Unchanged records" in displayed(app).labels
    assert "Undo “Ada works for Hooli” first." in words(app)
    assert ("WORKS_FOR", "Turing") in facts(filled)
    app.button(key="turn_rest").click().run()
    assert facts(filled)["WORKS_FOR", "Labs"].invalid_at is None, "nobody changed that one since"
    assert ("WORKS_FOR", "Turing") in facts(filled)


def test_a_change_that_cannot_be_undone_now_says_why_and_has_no_button(filled: App) -> None:
    entity = Entity("x", "X")
    for edit in (Edit(created=GraphWrite((entity,))), Edit(gone=Scope(entities=frozenset({"x"})))):
        with writing(filled.workspace(WORKSPACE)) as writer:
            writer.apply(edit, title="X", origin=Origin("form"))
    app = at("One fact")
    app.button(key=[key for key in keys(app) if key.startswith("change_undo_")][1]).click().run()
    assert "Undo “X” first." in words(app)
    assert "turn_rest" not in keys(app)
