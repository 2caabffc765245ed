"""The list of jobs: what each did, why something failed, and the buttons that steer it."""

import threading
import time
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from services import cached
from services.agent.app import App
from services.core.background import Task
from services.core.errors import BadInput
from services.core.job_records import ItemEnd, JobItem
from services.jobs import documents_job as feed
from services.jobs.bulk_actions import BulkResult
from services.jobs.import_job import import_item
from services.jobs.processor import JobContext
from services.jobs.queue import Jobs
from services.jobs.texts import text_item
from services.web.crawl_limits import MOST_FORBIDDEN
from tests.fakes.jobs import Gate, ScriptedProcessor, texts
from tests.fakes.line_extractor import LineExtractor
from tests.pages.conftest import WORKSPACE, displayed, opened, words

LONG = 20.0


@pytest.fixture
def processor(filled: App) -> ScriptedProcessor:
    """Who does the jobs of the page's services."""
    filled.jobs.close()
    processor = ScriptedProcessor()
    filled.__dict__["_jobs"] = Jobs(filled, lambda _: processor)
    filled.jobs.start()
    return processor


def encrypted(item: JobItem, context: JobContext) -> None:
    raise BadInput("It is <b>encrypted</b>.", "Give it without a password.")


def added(services: App, keys: str) -> str:
    return services.accounts.jobs.add(WORKSPACE, "documents", "Notes *of* the team", texts(keys))


def test_a_job_of_which_something_failed_says_what_waits_as_well(filled: App, processor: ScriptedProcessor) -> None:
    actions: dict[str, Callable[[JobItem, JobContext], None]] = {
        "a": lambda item, context: context.end(ItemEnd(item.id, "review")),
        "b": encrypted,
    }
    processor.actions.update(actions)
    filled.jobs.wait(added(filled, "ab"), LONG)
    page = words(opened("Ingest", w=WORKSPACE))
    assert "✕ 1 failed" in page
    assert "2 of 2 · 1 to review" in page


def test_an_item_that_failed_says_why_and_is_done_when_retried(filled: App, processor: ScriptedProcessor) -> None:
    actions: dict[str, Callable[[JobItem, JobContext], None]] = {"b": encrypted}
    processor.actions.update(actions)
    job_id = added(filled, "abc")
    filled.jobs.wait(job_id, LONG)
    app = opened("Ingest", w=WORKSPACE)
    assert "✕ 1 failed" in words(app)
    assert "3 of 3" in words(app)
    app.button(key=f"show_{job_id}").click().run()
    assert "It is <b>encrypted</b>." in words(app)
    processor.actions.clear()
    (failed,) = filled.accounts.jobs.items(job_id, ["failed"])
    app.button(key=f"retry_{failed.id}").click().run()
    assert filled.jobs.wait(job_id, LONG).counts == {"done": 3}
    assert "✓ done" in words(app.run())


def test_a_job_is_paused_gone_on_with_and_cancelled_by_its_buttons(filled: App, processor: ScriptedProcessor) -> None:
    gate = Gate()
    processor.actions["b"] = gate
    job_id = added(filled, "abc")
    assert gate.reached.wait(LONG)
    app = opened("Ingest", w=WORKSPACE)
    assert "reading text b" in words(app)
    assert "1 running" in words(app)
    app.button(key=f"pause_{job_id}").click().run()
    assert "paused" in words(app)
    gate.reached.clear()
    app.button(key=f"resume_{job_id}").click().run()
    assert gate.reached.wait(LONG)
    app.button(key=f"cancel_{job_id}").click().run()
    assert "cancelled" in words(app)
    job = filled.jobs.get(job_id)
    assert job is not None
    assert job.state == "cancelled"


def test_a_review_that_is_discarded_while_its_job_runs_moves_nothing_back(
    filled: App, processor: ScriptedProcessor
) -> None:
    gate = Gate()
    processor.actions["a"] = lambda item, context: context.end(ItemEnd(item.id, "review"))
    processor.actions["b"] = gate
    job_id = added(filled, "ab")
    assert gate.reached.wait(LONG)
    filled.accounts.jobs.end([ItemEnd(filled.accounts.jobs.items(job_id, ["review"])[0].id, "cancelled")])
    app = opened("Ingest", w=WORKSPACE)
    assert "1 of 2 · 1 discarded · reading text b" in words(app)
    assert [bar.element.get("aria-valuenow") for bar in displayed(app).all("*[@role='progressbar']")] == ["50"]
    gate.open.set()
    filled.jobs.wait(job_id, LONG)
    assert "2 of 2 · 1 discarded" in words(opened("Ingest", w=WORKSPACE))


def test_a_crawl_says_how_many_pages_robots_txt_kept_out(filled: App, processor: ScriptedProcessor) -> None:
    job_id = filled.accounts.jobs.add(WORKSPACE, "crawl", "https://example.org/", texts("a"))
    filled.jobs.wait(job_id, LONG)
    assert "robots.txt" not in words(opened("Ingest", w=WORKSPACE))
    filled.accounts.jobs.note(job_id, {"forbidden": ["https://example.org/b", "https://example.org/c"]})
    assert "1 page · 2 blocked by robots.txt" in words(opened("Ingest", w=WORKSPACE))
    filled.accounts.jobs.note(job_id, {"forbidden": [f"https://example.org/{n}" for n in range(MOST_FORBIDDEN)]})
    assert "1 page · 1,000 or more blocked by robots.txt" in words(opened("Ingest", w=WORKSPACE))


def test_a_workspace_without_jobs_has_no_list(filled: App) -> None:
    assert "Jobs" not in words(opened("Ingest", w=WORKSPACE))


def test_all_that_a_job_left_for_review_is_saved_as_it_is_ticked_and_undone_again(
    filled: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "extractor_of", lambda services, name: LineExtractor())
    items = [text_item(f"Ada | OWNS | {thing}\nAda | EATS | {thing} | | | 0.5", id=thing) for thing in ("Boat", "Car")]
    job_id = filled.accounts.jobs.add(WORKSPACE, "documents", "Things", items, options={"extract": "rules"})
    assert filled.jobs.wait(job_id, LONG).counts == {"review": 2}
    app = opened("Ingest", w=WORKSPACE)
    app.button(key=f"show_{job_id}").click().run()
    app.button(key=f"save_all_{job_id}").click().run()
    assert _over(app, "jobs of team").result == BulkResult(2)
    assert _owned(filled) == {"Boat", "Car"}
    app.run()
    app.button(key=f"undo_{job_id}").click().run()
    assert _over(app, "jobs of team").result == BulkResult(2)
    assert _owned(filled) == set()
    assert "2 done" in words(app.run())


def test_a_ticked_review_is_saved_even_when_a_later_job_is_about_that_document(
    filled: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "extractor_of", lambda services, name: LineExtractor())
    text = "Ada | OWNS | {0}\nAda | EATS | {0} | | | 0.6"
    items = [text_item(text.format(thing), id=thing) for thing in ("Boat", "Car")]
    first = filled.accounts.jobs.add(WORKSPACE, "documents", "Things", items, options={"extract": "rules"})
    filled.jobs.wait(first, LONG)
    later = filled.accounts.jobs.add(
        WORKSPACE, "documents", "Again", items[:1], options={"extract": "rules", "again": True}
    )
    filled.jobs.wait(later, LONG)
    boat = next(item.id for item in filled.accounts.jobs.items(first) if item.key == "Boat")
    app = opened("Ingest", w=WORKSPACE)
    app.button(key=f"show_{first}").click().run()
    app.button(key=f"review_{boat}").click().run()
    app.checkbox(key=f"tick_{boat}_1").check().run()
    app.button(key=f"save_all_{first}").click().run()
    assert _over(app, "jobs of team").result == BulkResult(2)
    found = filled.bridge.run(filled.graph.facts_about(WORKSPACE, "Ada"))
    assert {fact.target for fact in found if fact.relation == "EATS"} == {"Boat"}


def test_all_that_a_cancelled_job_left_for_review_is_let_go_once_that_is_confirmed(
    filled: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "extractor_of", lambda services, name: LineExtractor())
    items = [text_item(f"Ada | OWNS | {thing}", id=thing) for thing in ("Boat", "Car")]
    job_id = filled.accounts.jobs.add(WORKSPACE, "documents", "Things", items, options={"extract": "rules"})
    filled.jobs.wait(job_id, LONG)
    filled.accounts.jobs.set_state(job_id, "cancelled", was=["done"])
    app = opened("Ingest", w=WORKSPACE)
    app.button(key=f"show_{job_id}").click().run()
    app.button(key=f"discard_all_{job_id}").click().run()
    assert "2 texts" in words(app)
    assert filled.jobs.get(job_id).counts == {"review": 2}  # type: ignore[union-attr]
    app.button(key="confirmed").click().run()
    assert _over(app, "jobs of team").result == BulkResult(2)
    assert filled.jobs.get(job_id).counts == {"cancelled": 2}  # type: ignore[union-attr]
    assert _owned(filled) == set()
    shown = [button.key for button in app.run().button]
    assert f"discard_all_{job_id}" not in shown
    assert {f"show_{job_id}", "retry_all"} <= set(shown)


def test_nothing_of_a_job_is_let_go_or_closed_while_something_else_is_under_way(
    filled: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "extractor_of", lambda services, name: LineExtractor())
    items = [text_item(f"Ada | OWNS | {thing}", id=thing) for thing in ("Boat", "Car")]
    job_id = filled.accounts.jobs.add(WORKSPACE, "documents", "Things", items, options={"extract": "rules"})
    filled.jobs.wait(job_id, LONG)
    app = opened("Ingest", w=WORKSPACE)
    app.button(key=f"show_{job_id}").click().run()
    app.button(key=f"review_{filled.accounts.jobs.items(job_id)[0].id}").click().run()
    app.button(key=f"discard_all_{job_id}").click().run()
    done = threading.Event()
    cached.background().start("jobs of team", "Something else", lambda handle: done.wait(LONG))
    try:
        app.button(key="confirmed").click().run()
        assert "under way" in str(app.session_state["confirm_problem"]), "the question stays open, and says why"
        assert "review_save" in [button.key for button in app.button]
        assert filled.jobs.get(job_id).counts == {"review": 2}  # type: ignore[union-attr]
    finally:
        done.set()
    _over(app, "jobs of team")


def test_the_last_change_is_not_shown_any_more_once_a_whole_job_is_dealt_with(
    filled: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "extractor_of", lambda services, name: LineExtractor())
    items = [text_item(f"Ada | OWNS | {thing}", id=thing) for thing in ("Boat", "Car", "House")]
    job_id = filled.accounts.jobs.add(WORKSPACE, "documents", "Things", items, options={"extract": "rules"})
    filled.jobs.wait(job_id, LONG)
    app = opened("Ingest", w=WORKSPACE)
    app.button(key=f"show_{job_id}").click().run()
    app.button(key=f"review_{filled.accounts.jobs.items(job_id)[0].id}").click().run()
    app.button(key="review_save").click().run()
    assert "undo_last" in [button.key for button in app.button]
    app.button(key=f"save_all_{job_id}").click().run()
    _over(app, "jobs of team")
    assert "undo_last" not in [button.key for button in app.run().button]


def test_the_only_change_of_a_job_is_undone_from_its_line(filled: App) -> None:
    digest = filled.accounts.uploads.put(b"source,relation,target,valid_at\nAda,OWNS,Boat,2020-01-01\n")
    job_id = filled.accounts.jobs.add(WORKSPACE, "import", "f.csv", [import_item("f.csv", digest)])
    filled.jobs.wait(job_id, LONG)
    app = opened("Ingest", w=WORKSPACE)
    app.button(key=f"show_{job_id}").click().run()
    app.button(key=f"undo_{job_id}").click().run()
    assert _owned(filled) == set()
    assert f"undo_{job_id}" not in [button.key for button in app.button]


def _over(app: AppTest, place: str) -> Task:
    """The last work in the background of a place, once it is over."""
    task = cached.background().of(place)[0]
    end = time.monotonic() + LONG
    while task.state == "running" and time.monotonic() < end:
        threading.Event().wait(0.02)
        task = cached.background().of(place)[0]
    return task


def _owned(services: App) -> set[str]:
    found = services.bridge.run(services.graph.facts_about(WORKSPACE, "Ada"))
    return {fact.target for fact in found if fact.relation == "OWNS"}
