"""The Sources page: what is listed, one source with its facts and versions, and what is done about it."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from services.agent.app import App
from services.core import clock
from services.core.models import Episode, Fact, GraphWrite
from services.documents.versions import NewDocument
from services.jobs import documents_job as feed
from services.jobs.documents_job import text_item
from services.writing.documents import ingest_documents
from tests.fakes.line_extractor import LineExtractor
from tests.pages.conftest import WORKSPACE, opened, words
from tests.pages.ingest import facts, imported

LONG = 30.0
RULES = "# Rules\n\nWhoever travels by train is paid.\n\nDogs stay outside.\n"


@pytest.fixture
def fed(filled: App) -> App:
    """The small graph with a document of two versions, of which the second has a fact."""
    for text in (RULES, RULES + "Ada works for Labs.\n"):
        ingest_documents(
            filled.workspace(WORKSPACE), [NewDocument("rules", text, "Rules of Labs", "markdown", tags=("house",))]
        )
    now = document_of(filled).episode_uuid
    works = Fact(
        "f9", "ada", "labs", "Ada", "WORKS_FOR", "Labs", "Ada works for Labs.", created_at=clock.now(), episodes=(now,)
    )
    filled.bridge.run(filled.graph.write(WORKSPACE, GraphWrite(facts=(works,))))
    filled.mirrors.sync(WORKSPACE)
    return filled


@pytest.fixture
def extractor(monkeypatch: pytest.MonkeyPatch) -> LineExtractor:
    found = LineExtractor()
    monkeypatch.setattr(feed, "extractor_of", lambda services, name: found)
    return found


def document_of(services: App) -> Any:
    return services.mirrors.of(WORKSPACE).documents_by_id(["rules"])["rules"]


def page(**address: str) -> AppTest:
    app = opened("Sources", w=WORKSPACE, **address)
    assert not app.exception
    return app


def reader(app: AppTest) -> dict[str, Any]:
    payloads = [json.loads(c.proto.json) for c in app.get("bidi_component") if c.proto.json]
    return next(dict(payload) for payload in payloads if "outline" in payload)


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception
    return app


def test_an_empty_workspace_leads_to_ingest(services: App) -> None:
    services.accounts.add(WORKSPACE, "Team memory")
    app = page()
    assert "No sources yet" in words(app)
    assert "What will change" in words(press(app, "sources_ingest"))


def test_an_imported_table_is_listed_with_what_it_changed_and_is_undone(services: App) -> None:
    services.accounts.add(WORKSPACE, "Team memory")
    imported(services)
    app = page()
    (table,) = services.accounts.change_sets.of_tables(WORKSPACE, 5)
    assert "No sources yet" not in words(app)
    assert "crew.csv table ✓ done + 2" in words(app)
    assert "Boat" in words(press(app, f"change_show_{table.id}"))
    after = words(press(app, f"change_undo_{table.id}"))
    assert "crew.csv table ↶ undone" in after
    assert "undone + 2" not in after
    assert facts(services) == {}


def test_many_imported_tables_are_listed_below_the_sources_a_few_at_a_time(fed: App) -> None:
    for number in range(9):
        row = f"source,relation,target\nAda,OWNS,Boat {number}\n"
        imported(fed, f"boats-{number}.csv", row.encode())
    app = page()
    assert words(app).index("Rules of Labs") < words(app).index("boats-8.csv")
    assert "boats-0.csv" not in words(app)
    assert "boats-0.csv" in words(press(app, "tables_more"))


def test_documents_and_episodes_are_listed_with_what_came_of_them(fed: App) -> None:
    page_text = words(page())
    assert "2 sources" in page_text
    assert "Rules of Labs" in page_text
    assert "Ada joined Labs" in page_text  # an episode that no document is of
    assert "✓ facts extracted" in page_text
    assert "house" in page_text


def test_words_and_filters_narrow_the_list(fed: App) -> None:
    app = page()
    app.text_input(key="sources_text").set_value("dogs").run()
    assert "1 source " in words(app)
    app.segmented_control(key="sources_kind").set_value("Texts").run()
    assert "No sources match." in words(app)
    assert "2 sources" in words(press(app, "sources_clear"))


def test_a_long_list_is_turned_page_by_page(services: App) -> None:
    services.accounts.add(WORKSPACE, "Team memory")
    notes = tuple(Episode(f"n{n}", f"Note {n:03}", "Text.", created_at=clock.now()) for n in range(120))
    services.bridge.run(services.graph.write(WORKSPACE, GraphWrite(episodes=notes)))
    app = page()
    assert "1–50 of 120 sources" in words(app)
    assert "51–100 of 120 sources" in words(press(app, "sources_after"))
    app.text_input(key="sources_text").set_value("Note 00").run()
    assert "11 sources" in words(app)  # and these from the first on


def test_one_source_shows_its_text_with_its_facts_marked(fed: App) -> None:
    app = page(s="rules")
    page_text = words(app)
    assert "2 versions" in page_text
    assert "Ada works for Labs" in page_text
    shown = reader(app)
    assert shown["lines"][-1] == "Ada works for Labs."
    assert shown["words"] == {"6": [[0, 19, "f9"]]}
    assert [name for name, _, _ in shown["outline"]] == ["Rules"]


def test_a_chosen_fact_has_its_words_and_ways_on(fed: App) -> None:
    app = page(s="rules", f="f9")
    assert "Ada works for Labs. Show in graph" in words(app)
    assert reader(app)["passage"] == [6, 6]
    assert reader(app)["chosen"] == "f9"
    press(app, "source_fact_close")
    assert "f" not in app.query_params


def test_versions_are_compared(fed: App) -> None:
    app = page(s="rules")
    app.session_state["source_tabs"] = "Versions · 2"
    page_text = words(app.run())
    assert "1 line added" in page_text
    assert "2 · present" in page_text


def test_a_source_that_is_gone_has_a_way_out(fed: App) -> None:
    app = page(s="nothing")
    assert "This workspace has no such source." in words(app)
    assert "2 sources" in words(press(app, "all_sources"))


def test_a_long_text_is_shown_in_parts_and_a_chosen_fact_in_its_own(filled: App) -> None:
    content = "\n".join(f"Line {n} says little." for n in range(4_000)) + "\nAda knows Bob.\n"
    known = Fact("f9", "ada", "bob", "Ada", "KNOWS", "Bob", created_at=clock.now(), episodes=("long",))
    batch = GraphWrite((), (known,), (Episode("long", "Long", content, created_at=clock.now()),))
    filled.bridge.run(filled.graph.write(WORKSPACE, batch))
    app = page(s="long")
    assert "Part 1 of 4" in words(app)
    assert reader(app)["first"] == 1
    after = reader(press(app, "piece_after"))
    assert after["first"] == len(reader(page(s="long"))["lines"]) + 1
    shown = page(s="long", f="f9")
    assert "Part 4 of 4" in words(shown)
    assert reader(shown)["passage"] == [4001, 4001]


def test_a_source_is_deleted_with_its_facts_after_a_look_at_what_goes_and_comes_back(fed: App) -> None:
    app = press(page(s="rules"), "delete_source")
    page_text = words(app)
    assert "1 document · 2 sources · 1 fact" in page_text
    assert fed.mirrors.of(WORKSPACE).documents()
    press(app, "confirmed")
    assert fed.mirrors.of(WORKSPACE).documents() == ()
    assert fed.mirrors.of(WORKSPACE).facts(["f9"]) == ()
    app = page()
    assert "Rules of Labs" not in words(app)


def test_a_deletion_is_undone_by_its_button(fed: App) -> None:
    app = press(press(page(s="rules"), "delete_source"), "confirmed")
    app = press(app.run(), "undo_last")
    assert [d.id for d in fed.mirrors.of(WORKSPACE).documents()] == ["rules"]
    assert fed.mirrors.of(WORKSPACE).facts(["f9"])


def test_facts_are_read_again_and_wait_for_review(fed: App, extractor: LineExtractor) -> None:
    text = "Ann | LIVES_IN | Paris"
    ingest_documents(fed.workspace(WORKSPACE), [NewDocument("ann", text, "About Ann")])
    app = page(s="ann")
    app.session_state["again_box"] = True
    press(app.run(), "read_again")
    (job, *_) = fed.jobs.of(WORKSPACE)
    assert fed.jobs.wait(job.id, LONG).counts == {"review": 1}
    app = page(s="ann")
    assert "? in review" in words(app)
    assert "1 proposed fact waits" in words(app)
    assert [b.label for b in app.button if b.key == "item_review"] == ["Review"]


def test_what_failed_says_why_and_is_tried_again(filled: App, extractor: LineExtractor) -> None:
    extractor.failing.add("bad")
    job = filled.accounts.jobs.add(
        WORKSPACE, "documents", "texts", [text_item("bad <b>words</b>", id="note")], options={"extract": "rules"}
    )
    filled.jobs.wait(job, LONG)
    (item,) = filled.accounts.jobs.items(job)
    app = page()
    assert "✕ failed" in words(app)
    assert "The model gave no answer." in words(app)
    app = page(s=item.id)
    assert "not in the graph yet" in words(app)
    assert reader(app)["lines"] == ["bad <b>words</b>"]
    extractor.failing.clear()
    press(app, "item_retry")
    assert filled.jobs.wait(job, LONG).counts == {"done": 1}
    app = page(s=item.id)
    assert "not in the graph yet" not in words(app)
    assert reader(app)["lines"] == ["bad <b>words</b>"]
