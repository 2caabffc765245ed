"""Messages, files, pages of the web and a model on the Ingest page, and what to look for in texts."""

import json
import logging
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from streamlit.elements.lib import policies
from streamlit.testing.v1 import AppTest

from components import dates
from services.agent.app import App
from services.core.config import Settings
from services.core.errors import BadInput
from tests.fakes.line_extractor import LineExtractor
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.reading_model import ReadingModel
from tests.fakes.site import Site, page
from tests.pages.conftest import WORKSPACE, opened, serving, small_graph, words
from tests.pages.ingest import LINES, at, facts, keys, settled


def test_an_address_opens_its_way_in_without_a_warning(filled: App, caplog: pytest.LogCaptureFixture) -> None:
    policies._shown_default_value_warning = False  # it is logged once in a process
    logging.getLogger("streamlit").addHandler(caplog.handler)
    try:
        app = opened("Ingest", w=WORKSPACE, how="Messages")
    finally:
        logging.getLogger("streamlit").removeHandler(caplog.handler)
    assert app.get_by_key("how").value == "Messages"
    assert "default value" not in caplog.text
    assert opened("Ingest", w=WORKSPACE).get_by_key("how").value == "One fact"


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
    assert "Back to the first item (1 left)" in [button.label for button in app.button]


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
    assert "does not name a speaker" in words(app)
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
    assert "changed for this session" not in words(app)
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
    assert "changed for this session" not in words(app)
    app.button(key="schema_open").click().run()
    app.button(key="schema_use").click().run()
    assert "changed for this session" in words(app)
    app.button(key="schema_open").click().run()
    app.button(key="schema_own").click().run()
    app.button(key="schema_open").click().run()
    app.button(key="schema_use").click().run()
    assert "1 type, 1 relation" in words(app)
    assert "changed for this session" not in words(app)


def test_a_pasted_text_is_of_today_unless_another_day_or_none_is_chosen(filled: App, reader: LineExtractor) -> None:
    app = at("Text")
    field = app.date_input(key="text_day")
    assert field.value == dates.today()
    for day in (field.value, None):
        app.date_input(key="text_day").set_value(day)
        app.text_area(key="text_body").set_value(f"Ann | OWNS | Car {day}").run()
        app.button(key="text_read").click().run()
        settled(app, filled)
        read_at = reader.asked[-1].reference_time
        assert (read_at.date() if read_at else None) == day


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("Ann: Hello\nBob | OWNS | Boat", date(2024, 2, 3)),
        ("[2026-03-01] Ann: Hello\nBob | OWNS | Boat", date(2026, 3, 1)),
    ],
)
def test_messages_without_a_time_are_of_the_chosen_day(
    filled: App, reader: LineExtractor, said: str, day: date
) -> None:
    app = at("Messages")
    assert app.date_input(key="chat_day").value == dates.today()
    app.date_input(key="chat_day").set_value(date(2024, 2, 3))
    app.text_area(key="chat_body").set_value(said).run()
    app.button(key="chat_read").click().run()
    settled(app, filled)
    assert {text.reference_time and text.reference_time.date() for text in reader.asked} == {day}
