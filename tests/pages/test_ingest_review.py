"""A text on the Ingest page: what was read in it is reviewed before it is saved, and nothing typed is lost."""

import threading
from datetime import date

from streamlit.testing.v1 import AppTest

from services.agent.app import App
from services.core.draft_records import SourceText
from services.core.errors import ExtractorUnavailable
from services.core.import_rows import Row
from services.jobs import documents_job as feed
from services.writing.importer import import_rows
from tests.fakes.line_extractor import LineExtractor
from tests.pages.conftest import WORKSPACE, day, displayed, opened, words
from tests.pages.ingest import LINES, LONG, at, facts, item_of, keys, read_text, settled


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


def test_an_entity_that_the_graph_does_not_have_is_marked_beside_its_name(filled: App, reader: LineExtractor) -> None:
    marks = displayed(read_text(filled)).all('.//*[@title="Not in the graph yet"]')
    assert {mark.text for mark in marks} == {"new"}


def test_doubtful_drafts_are_shown_on_demand(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled)
    assert "3 proposed facts, 1 doubtful hidden" in words(app)
    app.button(key="review_show_doubtful").click().run()
    assert "doubtful hidden" not in words(app)
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


def test_a_date_that_is_not_sure_is_offered_beside_the_fact_and_used_on_a_click(
    filled: App, reader: LineExtractor
) -> None:
    app = read_text(filled, "Ada | WORKS_FOR | Turing | 2017-06?")
    item = item_of(filled)
    assert "Perhaps from June 2017" in words(app)
    assert "very likely · dates uncertain" in words(app)
    assert not app.checkbox(key=f"tick_{item}_0").value
    app.button(key=f"use_valid_at_{item}_0").click().run()
    assert "Perhaps" not in words(app)
    assert "dates uncertain" not in words(app)
    assert app.checkbox(key=f"tick_{item}_0").value
    app.button(key="review_save").click().run()
    stored = facts(filled)["WORKS_FOR", "Turing"]
    assert (str(stored.valid_at)[:10], stored.valid_at_precision) == ("2017-06-01", "month")


def test_an_offered_end_before_the_start_is_refused_in_words(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled, "Ada | WORKS_FOR | Turing | 2017-06-01 | 2016-01-01?")
    app.button(key=f"use_invalid_at_{item_of(filled)}_0").click().run()
    assert "The end must be after the start." in words(app)
    assert "Perhaps until 2016-01-01" in words(app)


def test_a_missing_start_is_asked_for_where_the_end_is_known(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled, "Ada | WORKS_FOR | Turing | | 2020-01-01\nAda | OWNS | Boat")
    item = item_of(filled)
    assert f"add_start_{item}_1" not in keys(app)
    app.button(key=f"add_start_{item}_0").click().run()
    app.date_input(key=f"c_start_{item}_0").set_value(date(2015, 5, 1))
    app.button(key=f"c_save_{item}_0").click().run()
    assert f"add_start_{item}_0" not in keys(app)
    app.button(key="review_save").click().run()
    assert str(facts(filled)["WORKS_FOR", "Turing"].valid_at)[:10] == "2015-05-01"


def test_each_draft_says_how_often_such_drafts_were_right(filled: App, reader: LineExtractor) -> None:
    lines = (f"Ada | OWNS | Boat {share} | | | {share}" for share in (0.95, 0.76, 0.51))
    said = words(read_text(filled, "\n".join(lines)))
    assert all(sure in said for sure in ("· very likely", "· likely (75%)", "· uncertain (50%)"))


def test_an_impossible_change_is_refused_in_words_and_the_draft_stays(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled)
    item = item_of(filled)
    app.button(key=f"icon_edit_{item}_0").click().run()
    app.date_input(key=f"c_stop_{item}_0").set_value(date(2023, 1, 1))
    app.button(key=f"c_save_{item}_0").click().run()
    assert "The end must be after the start." in words(app)
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
    assert "1 discarded" in words(app)
    assert app.text_area(key="text_body").value == LINES


def test_a_review_that_somebody_else_saved_meanwhile_can_be_put_away(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled)
    _, item, proposal = feed.reviewed(filled, item_of(filled))
    feed.confirm(filled, item.id, proposal)
    app.button(key="review_save").click().run()
    assert "This item is not waiting for review." in words(app)
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
    assert "This item is not waiting for review." in words(app)
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
    assert "Someone else changed this review." in words(app)
    assert [app.checkbox(key=f"tick_{item}_{number}").value for number in (0, 1)] == [False, False]
    app.checkbox(key=f"tick_{item}_1").check().run()
    assert "Someone else changed this review." not in words(app)
    assert feed.reviewed(filled, item)[2].ticks == {"0": False, "1": True}


def test_a_review_that_somebody_else_changed_is_shown_again_before_it_is_saved(
    filled: App, reader: LineExtractor
) -> None:
    app = read_text(filled)
    item = item_of(filled)
    found_by_another_visit(item).checkbox(key=f"tick_{item}_0").uncheck().run()
    app.button(key="review_save").click().run()
    assert "Someone else changed this review." in words(app)
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
    assert "Someone else changed this review." in words(app)
    assert ("WORKS_FOR", "Turing") not in facts(filled)
    assert not app.checkbox(key=f"tick_{item}_1").value


def test_a_review_with_every_line_dropped_does_not_say_that_nothing_was_found(
    filled: App, reader: LineExtractor
) -> None:
    app = read_text(filled, "Ada | WORKS_FOR | Turing | 2024-01-01")
    item = item_of(filled)
    app.button(key=f"icon_edit_{item}_0").click().run()
    app.button(key=f"c_drop_{item}_0").click().run()
    assert "Asof proposed no facts." in words(app)
    source = words(opened("Sources", w=WORKSPACE, s=item))
    assert "Waiting for your review. Asof proposed no facts." in source


def test_a_graph_that_was_changed_meanwhile_is_shown_before_anything_is_saved(
    filled: App, reader: LineExtractor
) -> None:
    app = read_text(filled, "Ada | LIVES_IN | Paris | 2024-01-01")
    row = Row(1, "Ada", "LIVES_IN", "London", valid_at=day("2020-01-01"))
    import_rows(filled.workspace(WORKSPACE), [row], title="Somebody else")
    app.button(key="review_save").click().run()
    assert "The graph has changed" in words(app)
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
    assert "The text is empty." in words(app)
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
    assert "1 discarded" in came
    assert "waiting" not in came


def test_a_reload_opens_the_review_that_was_open(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled)
    again = opened("Ingest", **dict(app.query_params))
    assert "review_save" in keys(again)
    again.button(key="review_discard").click().run()
    assert "review" not in again.query_params
