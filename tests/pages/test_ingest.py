"""The Ingest page: nothing is saved without a preview, nothing that was given is lost, and all can be taken back."""

import json
import re
import threading
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from components.ingest.table import SAMPLE
from services.agent.app import App
from services.core.config import Settings
from services.core.draft_records import SourceText
from services.core.errors import BadInput, ExtractorUnavailable
from services.core.import_rows import Row
from services.core.models import Fact
from services.jobs import documents_job as feed
from services.writing.importer import import_rows
from tests.fakes.line_extractor import LineExtractor
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.reading_model import ReadingModel
from tests.fakes.site import Site, page
from tests.pages.conftest import ROOT, WORKSPACE, day, displayed, opened, serving, small_graph, words

BAD = b"source,relation,target,valid_at,invalid_at\nAda,KNOWS,Bob,2020-01-01,\nAda,KNOWS,Cy,not a day,\n"
LINES = (
    "Ada | WORKS_FOR | Turing | 2024-01-01\nAda | LIVES_IN | Paris | 2020-01-01 | | 0.6\nAda | OWNS | Boat | | | 0.3"
)
LONG = 20.0


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> LineExtractor:
    """Who reads facts from texts in the place of the rules."""
    extractor = LineExtractor()
    monkeypatch.setattr(feed, "extractor_of", lambda services, name: extractor)
    return extractor


def at(how: str, workspace: str = WORKSPACE) -> AppTest:
    """The page at one of its ways in."""
    app = opened("Ingest", w=workspace)
    app.get_by_key("how").set_value(how).run()
    return app


def settled(app: AppTest, services: App, workspace: str = WORKSPACE) -> AppTest:
    """The page once its newest job is over."""
    services.jobs.wait(services.jobs.of(workspace, 1)[0].id, LONG)
    return app.run()


def facts(services: App, entity: str = "Ada", workspace: str = WORKSPACE) -> dict[tuple[str, str], Fact]:
    found = services.bridge.run(services.graph.facts_about(workspace, entity))
    return {(fact.relation, fact.target): fact for fact in found}


def keys(app: AppTest) -> list[str]:
    return [button.key or "" for button in app.button]


# -- one fact


def one_fact(target: str, start: date | None = None, **typed: str) -> AppTest:
    """The page after a preview of what Ada works for; what is not in the graph has to be there before it is drawn."""
    app = AppTest.from_file(str(ROOT / "pages" / "_main.py"), default_timeout=30)
    app.query_params["w"] = WORKSPACE
    fields = {"source": "Ada", "relation": "WORKS_FOR", "target": target or None, "start": start, **typed}
    for key, value in fields.items():
        app.session_state[f"fact_{key}"] = value
    app.switch_page("Ingest.py").run()
    return next(button for button in app.button if button.label == "Preview changes").click().run()


def saved(target: str, start: date, **typed: str) -> AppTest:
    """The page after Ada's employer was saved, and that the one before ended."""
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
    assert "Before this change the graph said “Labs” for 2024-01-01 onwards." in words(app)
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


def test_an_empty_field_is_named_and_nothing_typed_is_lost(filled: App) -> None:
    app = one_fact("")
    assert "Value is empty." in words(app)
    assert app.selectbox(key="fact_source").value == "Ada"


def test_a_failed_save_keeps_the_form_and_the_preview(filled: App, graph: MemoryGraphStore) -> None:
    app = one_fact("Turing", date(2024, 1, 1))
    graph.down = True
    app.button(key="review_save").click().run()
    assert not app.exception
    assert app.selectbox(key="fact_target").value == "Turing"
    assert "does not answer" in words(app)
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
    assert "New: Ad. Close to it:" in words(app)
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
    assert "What stays as it is" in displayed(app).labels
    assert ("WORKS_FOR", "Turing") in facts(filled)
    app.button(key="undo_rest").click().run()
    assert facts(filled)["WORKS_FOR", "Labs"].invalid_at is None, "nobody changed that one since"
    assert ("WORKS_FOR", "Turing") in facts(filled)


# -- a text, and its review


def read_text(services: App, text: str = LINES) -> AppTest:
    app = at("Text")
    app.text_area(key="text_body").set_value(text).run()
    app.button(key="text_read").click().run()
    return settled(app, services)


def item_of(services: App) -> str:
    """The id of what waits for review."""
    (item,) = services.accounts.jobs.items(services.jobs.of(WORKSPACE, 1)[0].id, ["review"])
    return item.id


def test_a_text_is_read_reviewed_and_saved_as_it_was_ticked(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled)
    ticks = {box.label: box.value for box in app.checkbox}
    assert ticks["Ada works for Turing"]
    assert not ticks["Ada lives in Paris"], "it is below the confidence from which on drafts are ticked"
    assert "Ada owns Boat" not in ticks, "what is mostly wrong is shown on demand"
    assert ("WORKS_FOR", "Turing") not in facts(filled)
    app.checkbox(key=f"tick_{item_of(filled)}_1").check().run()
    app.button(key="review_save").click().run()
    stored = facts(filled)
    assert ("WORKS_FOR", "Turing") in stored
    assert ("LIVES_IN", "Paris") in stored
    assert ("OWNS", "Boat") not in stored
    assert "1 done · 2 facts added" in words(app)


def test_doubtful_drafts_are_shown_on_demand(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled)
    app.button(key="review_show_doubtful").click().run()
    assert "Ada owns Boat" in [box.label for box in app.checkbox]
    assert "· doubtful" in words(app)


def test_a_draft_is_changed_and_another_dropped(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled)
    item = item_of(filled)
    app.button(key=f"icon_edit_{item}_0").click().run()
    app.text_input(key=f"c_target_{item}_0").set_value("Turing Works")
    app.date_input(key=f"c_start_{item}_0").set_value(date(2023, 5, 1))
    app.button(key=f"c_save_{item}_0").click().run()
    app.button(key=f"icon_edit_{item}_1").click().run()
    app.button(key=f"c_drop_{item}_1").click().run()
    assert "Ada lives in Paris" not in [box.label for box in app.checkbox]
    app.button(key="review_save").click().run()
    stored = facts(filled)
    assert stored["WORKS_FOR", "Turing Works"].valid_at is not None
    assert str(stored["WORKS_FOR", "Turing Works"].valid_at)[:10] == "2023-05-01"
    assert ("LIVES_IN", "Paris") not in stored


def test_a_row_of_a_review_offers_the_relations_that_texts_are_read_for(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled)
    item = item_of(filled)
    app.button(key=f"icon_edit_{item}_0").click().run()
    offered = app.selectbox(key=f"c_relation_{item}_0").options
    assert {"KNOWS", "WANTS_TO", "BORN_IN"} <= set(offered)
    assert len(offered) == len(set(offered))


def test_an_impossible_change_is_refused_in_words_and_the_draft_stays(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled)
    item = item_of(filled)
    app.button(key=f"icon_edit_{item}_0").click().run()
    app.date_input(key=f"c_stop_{item}_0").set_value(date(2023, 1, 1))
    app.button(key=f"c_save_{item}_0").click().run()
    assert "The end is not after the start." in words(app)
    assert app.date_input(key=f"c_stop_{item}_0").value == date(2023, 1, 1)


def test_a_name_can_be_another_entity_of_the_graph(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled, "Bob | WORKS_FOR | Engine | 2020-01-01")
    who = next(box for box in app.selectbox if (box.key or "").startswith("who_"))
    assert "Engine" in who.label
    assert "Engines (Company) · one letter apart" in who.options
    app.selectbox(key=who.key).set_value("engines").run()
    assert "for “Engine”" in words(app)
    app.button(key="review_save").click().run()
    assert ("WORKS_FOR", "Engines") in facts(filled, "Bob")


def test_a_similar_fact_can_get_the_text_as_a_further_source(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled, "Ada | WORKED_FOR | Labs | 2022-08-01")
    item = item_of(filled)
    assert "The graph has nearly the same fact." in words(app)
    app.button(key=f"icon_edit_{item}_0").click().run()
    app.button(key=f"same_{item}_0_0").click().run()
    assert app.checkbox(key=f"tick_{item}_0").value
    before = len(facts(filled)["WORKS_FOR", "Labs"].episodes)
    app.button(key="review_save").click().run()
    assert len(facts(filled)["WORKS_FOR", "Labs"].episodes) == before + 1
    assert ("WORKED_FOR", "Labs") not in facts(filled)


def test_a_review_that_is_discarded_changes_nothing(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled)
    app.button(key="review_discard").click().run()
    assert ("WORKS_FOR", "Turing") not in facts(filled)
    assert "1 let go" in words(app)
    assert app.text_area(key="text_body").value == LINES


def test_a_review_that_somebody_else_saved_meanwhile_can_be_put_away(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled)
    _, item, proposal = feed.reviewed(filled, item_of(filled))
    feed.confirm(filled, item.id, proposal)
    app.button(key="review_save").click().run()
    assert "Nothing of it waits for review." in words(app)
    app.button(key="review_close").click().run()
    assert "review_save" not in keys(app)
    assert not app.exception


def test_a_review_that_somebody_else_discarded_meanwhile_can_be_put_away(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled)
    feed.discard(filled, item_of(filled))
    app.button(key="review_discard").click().run()
    assert "review_save" not in keys(app)
    assert not app.exception


def test_a_review_is_found_again_by_another_visit_and_opened_from_the_list_of_jobs(
    filled: App, reader: LineExtractor
) -> None:
    read_text(filled)
    job, item = filled.jobs.of(WORKSPACE, 1)[0], item_of(filled)
    app = at("Text")
    assert "review_next" in keys(app)
    app.button(key=f"show_{job.id}").click().run()
    app.button(key=f"review_{item}").click().run()
    assert "Ada works for Turing" in [box.label for box in app.checkbox]


def test_what_was_changed_in_a_review_is_there_again_after_the_page_was_loaded_anew(
    filled: App, reader: LineExtractor
) -> None:
    app = read_text(filled, f"{LINES}\nAda | OWNS | Car | 2024-01-01")
    item = item_of(filled)
    app.checkbox(key=f"tick_{item}_3").uncheck().run()
    app.button(key=f"icon_edit_{item}_0").click().run()
    app.text_input(key=f"c_target_{item}_0").set_value("Turing Works")
    app.date_input(key=f"c_start_{item}_0").set_value(date(2023, 5, 1))
    app.button(key=f"c_save_{item}_0").click().run()
    app.button(key=f"icon_edit_{item}_1").click().run()
    app.button(key=f"c_drop_{item}_1").click().run()
    anew = at("Text").button(key="review_next").click().run()
    boxes = {box.label: box.value for box in anew.checkbox}
    assert boxes["Ada works for Turing Works"]
    assert "2023-05-01" in words(anew)
    assert not boxes["Ada owns Car"]
    assert "Ada lives in Paris" not in boxes


def test_a_change_in_a_review_that_somebody_else_discarded_is_refused(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled)
    _, item, _ = feed.reviewed(filled, item_of(filled))
    feed.discard(filled, item.id)
    app.checkbox(key=f"tick_{item.id}_0").uncheck().run()
    assert "Nothing of it waits for review." in words(app)
    assert filled.accounts.jobs.items(item.job_id)[0].state == "cancelled"


def found_by_another_visit(item: str) -> AppTest:
    app = at("Text").button(key="review_next").click().run()
    assert app.checkbox(key=f"tick_{item}_0").value
    return app


def test_a_tick_in_a_review_that_somebody_changed_is_refused_and_theirs_shown(
    filled: App, reader: LineExtractor
) -> None:
    app = read_text(filled)
    item = item_of(filled)
    found_by_another_visit(item).checkbox(key=f"tick_{item}_0").uncheck().run()
    app.checkbox(key=f"tick_{item}_1").check().run()
    assert "Somebody else changed this review." in words(app)
    assert [app.checkbox(key=f"tick_{item}_{number}").value for number in (0, 1)] == [False, False]
    app.checkbox(key=f"tick_{item}_1").check().run()
    assert "Somebody else changed this review." not in words(app)
    assert feed.reviewed(filled, item)[2].ticks == {"0": False, "1": True}


def test_a_review_that_somebody_else_changed_is_shown_again_before_it_is_saved(
    filled: App, reader: LineExtractor
) -> None:
    app = read_text(filled)
    item = item_of(filled)
    found_by_another_visit(item).checkbox(key=f"tick_{item}_0").uncheck().run()
    app.button(key="review_save").click().run()
    assert "Somebody else changed this review." in words(app)
    assert ("WORKS_FOR", "Turing") not in facts(filled)
    assert not app.checkbox(key=f"tick_{item}_0").value
    app.button(key="review_save").click().run()
    assert filled.accounts.jobs.item(item).state == "done"  # type: ignore[union-attr]


def test_a_review_is_opened_again_as_somebody_else_left_it(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled)
    job, item = filled.jobs.of(WORKSPACE, 1)[0], item_of(filled)
    found_by_another_visit(item).checkbox(key=f"tick_{item}_0").uncheck().run()
    app.button(key=f"show_{job.id}").click().run()
    app.button(key=f"review_{item}").click().run()
    assert not app.checkbox(key=f"tick_{item}_0").value


def test_a_text_that_somebody_else_read_again_is_shown_as_it_was_read_then(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled)
    item = item_of(filled)
    app.checkbox(key=f"tick_{item}_1").check().run()
    feed.discard(filled, item)
    filled.jobs.retry(item)
    filled.jobs.wait(filled.jobs.of(WORKSPACE, 1)[0].id, LONG)
    app.button(key="review_save").click().run()
    assert "Somebody else changed this review." in words(app)
    assert ("WORKS_FOR", "Turing") not in facts(filled)
    assert not app.checkbox(key=f"tick_{item}_1").value


def test_a_review_with_every_line_dropped_does_not_say_that_nothing_was_found(
    filled: App, reader: LineExtractor
) -> None:
    app = read_text(filled, "Ada | WORKS_FOR | Turing | 2024-01-01")
    item = item_of(filled)
    app.button(key=f"icon_edit_{item}_0").click().run()
    app.button(key=f"c_drop_{item}_0").click().run()
    assert "It has no proposed facts." in words(app)
    source = words(opened("Sources", w=WORKSPACE, s=item))
    assert "It waits for your review, with no proposed lines." in source


def test_a_graph_that_was_changed_meanwhile_is_shown_before_anything_is_saved(
    filled: App, reader: LineExtractor
) -> None:
    app = read_text(filled, "Ada | LIVES_IN | Paris | 2024-01-01")
    row = Row(1, "Ada", "LIVES_IN", "London", valid_at=day("2020-01-01"))
    import_rows(filled.workspace(WORKSPACE), [row], title="Somebody else")
    app.button(key="review_save").click().run()
    assert "The graph was changed meanwhile" in words(app)
    assert "1 ended" in words(app)
    app.button(key="review_save").click().run()
    stored = facts(filled)
    assert stored["LIVES_IN", "London"].invalid_at == stored["LIVES_IN", "Paris"].valid_at


def test_names_of_a_text_are_shown_as_they_stand(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled, "<b>Ada</b> | OWNS | <script>boat</script>")
    assert "<b>Ada</b>" in words(app)
    assert displayed(app).all("script") == []


def test_an_empty_text_is_refused_in_words(filled: App) -> None:
    app = at("Text")
    app.button(key="text_read").click().run()
    assert "There is no text." in words(app)
    assert filled.jobs.of(WORKSPACE) == ()


def test_a_text_that_nobody_could_read_is_read_again_by_its_button(filled: App, reader: LineExtractor) -> None:
    def away(_: SourceText) -> None:
        raise ExtractorUnavailable("The model is away.")

    reader.meanwhile = away
    app = read_text(filled)
    assert "The model is away." in words(app)
    reader.meanwhile = lambda _: None
    app.button(key=next(key for key in keys(app) if key.startswith("again_"))).click().run()
    app = settled(app, filled)
    assert "Ada works for Turing" in [box.label for box in app.checkbox]


def test_a_text_that_cannot_be_read_says_why_and_is_read_again(filled: App, reader: LineExtractor) -> None:
    reader.failing.add("Turing")
    app = read_text(filled)
    assert "The model gave no answer." in words(app)
    assert "Open in Explore" not in words(app)
    reader.failing.clear()
    app.button(key=next(key for key in keys(app) if key.startswith("again_"))).click().run()
    app = settled(app, filled)
    assert "Ada works for Turing" in [box.label for box in app.checkbox]


def test_without_a_reader_the_text_is_taken_in_for_search(filled: App) -> None:
    app = at("Text")
    app.selectbox(key="ingest_reader").set_value("").run()
    app.text_area(key="text_body").set_value("A note about boats.").run()
    app.button(key="text_read").click().run()
    assert "1 done" in words(settled(app, filled))
    (document,) = filled.mirrors.of(WORKSPACE).documents()
    assert document.title == filled.jobs.of(WORKSPACE, 1)[0].title == "A note about boats."


def test_the_rules_read_a_plain_sentence(filled: App) -> None:
    app = read_text(filled, "Bob Marsh has lived in Paris since 2020.")
    assert "Bob Marsh lives in Paris" in [box.label for box in app.checkbox]
    app.button(key="review_save").click().run()
    assert ("LIVES_IN", "Paris") in facts(filled, "Bob Marsh")


def test_a_job_that_was_cancelled_in_the_middle_of_a_text_lets_go_of_it(filled: App, reader: LineExtractor) -> None:
    reached, go_on = threading.Event(), threading.Event()

    def meanwhile(_source: SourceText) -> None:
        reached.set()
        assert go_on.wait(30)

    reader.meanwhile = meanwhile
    app = at("Text")
    app.text_area(key="text_body").set_value(LINES).run()
    app.button(key="text_read").click().run()
    assert reached.wait(30)
    filled.jobs.cancel(filled.jobs.of(WORKSPACE, 1)[0].id)
    came = words(app.run())
    go_on.set()
    assert "1 let go" in came
    assert "waiting" not in came


# -- messages, files, the web


def test_pasted_messages_are_previewed_and_reviewed_one_after_the_other(filled: App, reader: LineExtractor) -> None:
    app = at("Messages")
    chat = "[2026-03-01 10:22] Ann: Hello\nAnn | LIVES_IN | Lisbon\n[2026-03-01 10:24] Bob: Hi\nBob | OWNS | Boat"
    app.text_area(key="chat_body").set_value(chat).run()
    assert "2026-03-01 10:22" in words(app)
    app.button(key="chat_read").click().run()
    app = settled(app, filled)
    assert filled.jobs.of(WORKSPACE, 1)[0].counts == {"review": 2}
    assert "Next item to review (1 left)" in [button.label for button in app.button]
    app.button(key="review_next").click().run()
    assert "Bob owns Boat" in [box.label for box in app.checkbox]
    assert "Back to the first to review (1 left)" in [button.label for button in app.button]


def test_why_one_review_could_not_be_saved_is_not_shown_for_the_next(
    filled: App, reader: LineExtractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = at("Messages")
    chat = "[2026-03-01] Ann: Hello\nAnn | OWNS | Car\n[2026-03-02] Bob: Hi\nBob | OWNS | Boat"
    app.text_area(key="chat_body").set_value(chat).run()
    app.button(key="chat_read").click().run()
    app = settled(app, filled)

    def refused(*_: object) -> None:
        raise BadInput("The disk is full.")

    monkeypatch.setattr("components.ingest.review.confirm_item", refused)
    app.button(key="review_save").click().run()
    assert "The disk is full." in words(app)
    app.button(key="review_next").click().run()
    assert "Bob owns Boat" in [box.label for box in app.checkbox]
    assert "The disk is full." not in words(app)


def test_what_is_no_conversation_is_refused_before_anything_is_read(filled: App) -> None:
    app = at("Messages")
    app.text_area(key="chat_body").set_value("just a line").run()
    assert "does not say who speaks" in words(app)
    assert app.button(key="chat_read").disabled


def test_files_are_read_and_one_that_cannot_be_is_named_with_the_reason(filled: App, reader: LineExtractor) -> None:
    app = at("Files")
    files = app.file_uploader(key="text_files")
    files.upload("note.txt", LINES.encode()).upload("broken.pdf", b"%PDF-1.4 x").run()
    assert app.button(key="files_read").label == "Read 2 files"
    app.button(key="files_read").click().run()
    app = settled(app, filled)
    assert filled.jobs.of(WORKSPACE, 1)[0].counts == {"review": 1, "failed": 1}
    assert "Ada works for Turing" in [box.label for box in app.checkbox]
    app.button(key="review_discard").click().run()
    assert "broken.pdf This PDF is damaged" in words(app)


def test_an_address_inside_the_network_is_refused_and_stays_in_the_form(filled: App) -> None:
    app = at("Web")
    app.text_input(key="web_url").set_value("ftp://127.0.0.1/x").run()
    app.button(key="web_read").click().run()
    assert filled.jobs.of(WORKSPACE) == ()
    assert app.text_input(key="web_url").value == "ftp://127.0.0.1/x"
    assert "robots.txt" in words(app)


def test_a_page_of_the_web_is_fetched_read_and_reviewed(
    graph: MemoryGraphStore, tmp_path: Path, reader: LineExtractor
) -> None:
    with Site({"/": page("Ada | LIVES_IN | Paris | 2020-01-01", "text/plain")}) as site:
        chosen = Settings(home=tmp_path, _env_file=None, intranet=f"{site.host}:{site.port}")
        with serving(chosen, graph) as services:
            services.jobs.start()
            services.bridge.run(services.graph.write(WORKSPACE, small_graph()))
            services.accounts.add(WORKSPACE, "Team memory")
            app = at("Web")
            app.text_input(key="web_url").set_value(site.url()).run()
            app.button(key="web_read").click().run()
            app = settled(app, services)
            assert "Ada lives in Paris" in [box.label for box in app.checkbox]


# -- a model


@pytest.fixture
def with_model(graph: MemoryGraphStore, tmp_path: Path) -> Iterator[App]:
    """Services that have a model at a scripted endpoint, with a price."""
    with ReadingModel() as model:
        chosen = Settings(
            home=tmp_path,
            _env_file=None,
            ANTHROPIC_API_KEY="k",
            ANTHROPIC_BASE_URL=model.url,
            model="reader-1",
            prices="reader-1=3/15",
        )
        with serving(chosen, graph) as built:
            built.jobs.start()
            built.bridge.run(built.graph.write(WORKSPACE, small_graph()))
            built.accounts.add(WORKSPACE, "Team memory")
            yield built


def test_what_a_model_will_take_is_shown_before_it_is_asked(with_model: App) -> None:
    app = at("Text")
    app.selectbox(key="ingest_reader").set_value("reader-1").run()
    app.text_area(key="text_body").set_value("Ada works for Turing since 2024. " * 40).run()
    estimate = next(caption.value for caption in app.caption if "tokens" in caption.value)
    assert re.search(r"about \d+ s · [\d,]+ tokens · \\\$\d+\.\d\d", estimate)
    assert with_model.jobs.of(WORKSPACE) == ()
    assert app.toggle(key="ingest_at_once").value is False


def by_model(app: AppTest) -> AppTest:
    app.selectbox(key="ingest_reader").set_value("reader-1").run()
    return app.text_area(key="text_body").set_value("Ada works for Turing since 2024.").run()


def test_what_a_model_read_is_reviewed_and_its_tokens_are_shown(with_model: App) -> None:
    app = by_model(at("Text"))
    app.button(key="text_read").click().run()
    app = settled(app, with_model)
    assert "Ada works for Turing" in [box.label for box in app.checkbox]
    assert ("WORKS_FOR", "Turing") not in facts(with_model)
    assert re.search(r"[\d,]+ tokens, \$\d+\.\d\d", words(app))


def test_what_a_model_read_is_written_at_once_where_that_is_chosen_and_can_be_undone(with_model: App) -> None:
    app = by_model(at("Text"))
    app.toggle(key="ingest_at_once").set_value(True).run()
    app.button(key="text_read").click().run()
    app = settled(app, with_model)
    assert "1 done · 1 fact added" in words(app)
    assert ("WORKS_FOR", "Turing") in facts(with_model)
    app.button(key=next(key for key in keys(app) if key.startswith("change_undo_"))).click().run()
    assert ("WORKS_FOR", "Turing") not in facts(with_model)


# -- what to look for


def test_what_to_look_for_is_changed_saved_for_the_workspace_and_used(filled: App, reader: LineExtractor) -> None:
    app = at("Text")
    app.button(key="schema_open").click().run()
    document = {"types": [{"name": "Ship"}], "relations": [{"name": "SAILS_TO"}]}
    app.file_uploader(key="schema_import").upload("seen.json", json.dumps(document).encode()).run()
    assert "changed for this visit" not in words(app)
    app.button(key="schema_open").click().run()
    app.button(key="schema_save").click().run()
    saved = filled.accounts.schemas.get(WORKSPACE)
    assert saved is not None
    assert [one["name"] for one in saved["relations"]] == ["SAILS_TO"]
    assert "1 relation" in words(at("Text"))


def test_what_to_look_for_changes_for_the_visit_once_it_is_used_and_back_again(filled: App) -> None:
    document = {"types": [{"name": "Ship"}], "relations": [{"name": "SAILS_TO"}]}
    filled.accounts.schemas.set(WORKSPACE, document)
    app = at("Text")
    app.button(key="schema_open").click().run()
    app.button(key="schema_default").click().run()
    assert "1 type, 1 relation" in words(app)
    assert "changed for this visit" not in words(app)
    app.button(key="schema_open").click().run()
    app.button(key="schema_use").click().run()
    assert "changed for this visit" in words(app)
    app.button(key="schema_open").click().run()
    app.button(key="schema_own").click().run()
    app.button(key="schema_open").click().run()
    app.button(key="schema_use").click().run()
    assert "1 type, 1 relation" in words(app)
    assert "changed for this visit" not in words(app)


# -- tables


def test_a_file_is_previewed_and_then_imported(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("facts.csv", SAMPLE.encode()).run()
    assert "3 good rows · 0 bad rows" in words(app)
    assert services.bridge.run(services.graph.watermark("_")).counts.facts == 0
    app.button(key="import_rows").click().run()
    assert "✓ done" in words(settled(app, services, "_"))
    assert services.bridge.run(services.graph.watermark("_")).counts.facts == 3


def test_a_table_is_no_larger_than_any_other_file(services: App) -> None:
    app = at("Table", "_")
    assert app.file_uploader(key="facts_file").proto.max_upload_size_mb == services.settings.max_file_mb


def test_bad_rows_are_named_and_hold_the_import_back(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("facts.csv", BAD).run()
    assert "1 good row · 1 bad row" in words(app)
    assert app.button(key="import_rows").disabled
    problems = app.dataframe[1].value.to_dict("records")
    assert problems[0]["Row"] == 2
    assert problems[0]["Column"] == "valid_at"


def test_the_good_rows_can_be_taken_alone(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("facts.csv", BAD).run()
    app.radio(key="import_mode").set_value("The good rows; the bad ones as a file").run()
    app.button(key="import_rows").click().run()
    settled(app, services, "_")
    assert services.bridge.run(services.graph.watermark("_")).counts.facts == 1


def test_the_bad_rows_can_still_be_saved_once_the_good_ones_are_in(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("facts.csv", BAD).run()
    app.radio(key="import_mode").set_value("The good rows; the bad ones as a file").run()
    app.button(key="import_rows").click().run()
    app = settled(app, services, "_")
    assert "✓ done" in words(app)
    assert [button.label for button in app.get("download_button")].count("The bad rows as a file") == 1


def test_a_file_chosen_while_a_review_is_open_takes_its_place_and_the_review_waits(
    filled: App, reader: LineExtractor
) -> None:
    app = read_text(filled)
    assert "review_save" in keys(app)
    app.get_by_key("how").set_value("Table").run()
    app.file_uploader[0].upload("facts.csv", SAMPLE.encode()).run()
    assert "3 good rows · 0 bad rows" in words(app)
    assert "review_save" not in keys(app)
    app.button(key="review_next").click().run()
    assert "Ada works for Turing" in [box.label for box in app.checkbox]


def test_a_review_of_another_workspace_stands_in_nobodys_way(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled)
    app.get_by_key("how").set_value("Table").run()
    app.file_uploader[0].upload("facts.csv", SAMPLE.encode()).run()
    app.button(key="review_next").click().run()
    assert "Go to review" in words(app)
    app.query_params["w"] = "_"
    app.run()
    assert "import_rows" in keys(app)
    assert "Go to review" not in words(app)
    app.query_params["w"] = WORKSPACE
    app.run()
    assert "review_save" in keys(app)


def test_an_inclusive_end_is_moved_to_the_next_day(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("facts.csv", SAMPLE.encode()).run()
    app.toggle(key="inclusive_ends").set_value(True).run()
    assert app.dataframe[0].value.to_dict("records")[0]["invalid_at"] == "2022-07-02"


def test_a_column_of_dates_that_is_not_taken_for_one_is_reported(services: App) -> None:
    app = at("Table", "_")
    table = b"person,employer,hired on,seen,\nAda,Labs,2015-01-02,2015-01,x\nBob,Engines,01.02.2016,2015-02,y\n"
    app.file_uploader[0].upload("people.csv", table).run()
    assert [warning.value for warning in app.warning] == []
    app.selectbox(key=next(box.key for box in app.selectbox if box.label == "hired on")).set_value("").run()
    app.selectbox(key=next(box.key for box in app.selectbox if box.label == "seen")).set_value("source").run()
    warnings = [warning.value for warning in app.warning]
    assert warnings == ["“hired on” holds dates, and is left out.", "“seen” holds dates, and is to be the source."]
    assert "Its rows stand here once the form says no more what is wrong." in words(app)
    assert "" not in [box.label for box in app.selectbox]


def test_why_nothing_was_read_is_not_shown_in_another_way_in(filled: App) -> None:
    app = at("Text")
    app.button(key="text_read").click().run()
    assert "There is no text." in words(app)
    app.get_by_key("how").set_value("Messages").run()
    assert "There is no text." not in words(app)


def test_columns_of_other_names_are_guessed_shown_and_imported(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("people.csv", b"person,employer,city\nAda,Labs,London\nBob,Engines,Paris\n").run()
    meanings = {box.label: box.value for box in app.selectbox}
    assert meanings["person"] == "source"
    assert meanings["employer"] == "a relation of its own"
    assert "2 good rows · 0 bad rows · 4 facts" in words(app)
    assert app.button(key="import_rows").label == "Import 4 facts"
    app.button(key="import_rows").click().run()
    settled(app, services, "_")
    assert ("CITY", "Paris") in facts(services, "Bob", "_")


def test_a_row_without_a_fact_is_counted_beside_the_good_and_the_bad_ones(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("people.csv", b"person,employer,city\nAda,Labs,London\nBob,Engines,Paris\nCy,,\n").run()
    assert "2 good rows · 0 bad rows · 1 row without a fact · 4 facts" in words(app)


def test_columns_that_give_no_facts_say_what_is_missing(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("numbers.csv", b"a,b\n1,2\n").run()
    assert "No column is the source." in words(app)
    assert not app.exception


def test_a_file_that_cannot_be_read_is_reported_in_words(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("facts.csv", b"").run()
    assert "is empty" in words(app)
    assert not app.exception
