"""The Ingest page: nothing is saved without a preview, and nothing that was given is lost."""

from datetime import date

from streamlit.testing.v1 import AppTest

from components.ingest_file import SAMPLE
from services.bootstrap import Services
from tests.fakes.memory_graph import MemoryGraphStore
from tests.pages.conftest import opened, words

BAD = b"source,relation,target,valid_at,invalid_at\nAda,KNOWS,Bob,2020-01-01,\nAda,KNOWS,Cy,not a day,\n"


def finished(app: AppTest) -> AppTest:
    """The page once its jobs are over; each run draws how far they are."""
    for _ in range(200):
        if "● running" not in words(app):
            return app
        app.run()
    raise AssertionError("the job did not come to an end")


def test_a_file_is_previewed_and_then_imported(services: Services) -> None:
    app = opened("Ingest")
    app.file_uploader[0].upload("facts.csv", SAMPLE.encode()).run()
    assert "3 good rows · 0 bad rows" in words(app)
    assert services.bridge.run(services.graph.watermark("_")).counts.facts == 0
    app.button(key="import_rows").click().run()
    assert "3 new" in words(finished(app))
    assert services.bridge.run(services.graph.watermark("_")).counts.facts == 3


def test_bad_rows_are_named_and_hold_the_import_back(services: Services) -> None:
    app = opened("Ingest")
    app.file_uploader[0].upload("facts.csv", BAD).run()
    assert "1 good row · 1 bad row" in words(app)
    assert app.button(key="import_rows").disabled
    problems = app.dataframe[1].value.to_dict("records")
    assert problems[0]["Row"] == 2
    assert problems[0]["Column"] == "valid_at"


def test_the_good_rows_can_be_taken_alone(services: Services) -> None:
    app = opened("Ingest")
    app.file_uploader[0].upload("facts.csv", BAD).run()
    app.radio(key="import_mode").set_value("The good rows; the bad ones as a file").run()
    app.button(key="import_rows").click().run()
    finished(app)
    assert services.bridge.run(services.graph.watermark("_")).counts.facts == 1


def test_an_inclusive_end_is_moved_to_the_next_day(services: Services) -> None:
    app = opened("Ingest")
    app.file_uploader[0].upload("facts.csv", SAMPLE.encode()).run()
    app.toggle(key="inclusive_ends").set_value(True).run()
    assert app.dataframe[0].value.to_dict("records")[0]["invalid_at"] == "2022-07-02"


def test_a_file_that_cannot_be_read_is_said_in_words(services: Services) -> None:
    app = opened("Ingest")
    app.file_uploader[0].upload("facts.csv", b"a,b\n1,2\n").run()
    assert "has no column source" in words(app)
    assert not app.exception


def _one_fact(app: AppTest, target: str, start: date | None = None) -> AppTest:
    app.get_by_key("how").set_value("One fact").run()
    app.text_input(key="fact_source").set_value("Ada")
    app.selectbox(key="fact_relation").set_value("WORKS_FOR")
    app.text_input(key="fact_target").set_value(target)
    app.date_input(key="fact_start").set_value(start)
    return app.form_submit_button[0].click().run()


def test_one_fact_shows_what_it_changes_and_ends_the_one_before(filled: Services) -> None:
    app = _one_fact(opened("Ingest", w="team"), "Turing", date(2024, 1, 1))
    assert "Labs</b> ends" in words(app)
    app.button(key="save_fact").click().run()
    assert "Saved: Ada works for Turing." in app.success[0].value
    stored = {
        f.target: f for f in filled.bridge.run(filled.graph.facts_about("team", "Ada")) if f.relation == "WORKS_FOR"
    }
    assert stored["Labs"].invalid_at == stored["Turing"].valid_at


def test_an_empty_field_is_named_and_nothing_typed_is_lost(filled: Services) -> None:
    app = _one_fact(opened("Ingest", w="team"), "")
    assert "Value is empty." in words(app)
    assert app.text_input(key="fact_source").value == "Ada"


def test_a_failed_save_keeps_the_form_and_the_preview(filled: Services, graph: MemoryGraphStore) -> None:
    app = _one_fact(opened("Ingest", w="team"), "Turing", date(2024, 1, 1))
    graph.down = True
    app.button(key="save_fact").click().run()
    assert not app.exception
    assert app.text_input(key="fact_target").value == "Turing"
    assert "does not answer" in app.toast[0].value
