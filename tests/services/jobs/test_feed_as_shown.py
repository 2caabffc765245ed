"""A review is written as it was shown, or not at all: what the graph learned meanwhile is looked at again."""

import pytest

from services.core import clock
from services.core.draft_records import Draft
from services.core.errors import BadInput
from services.core.import_rows import Row
from services.jobs.documents_job import confirm, reviewed
from services.proposals.by_hand import propose_fact, save_fact
from services.proposals.graph_diff import diff_against_graph
from services.proposals.graph_snapshot import snapshot_for
from services.proposals.revising import with_ticks
from services.writing.change_sets import change_sets
from services.writing.importer import import_rows
from services.writing.undoing import undo
from tests.services.jobs.feeding import extractor, facts, fed, jobs, note
from tests.services.retrieval.conftest import W, graph, services

__all__ = ["extractor", "graph", "jobs", "services"]


def stated(services, target: str, start: str, end: str = "") -> None:
    row = Row(
        1,
        "Ann",
        "LIVES_IN",
        target,
        valid_at=clock.parse_instant(start),
        invalid_at=clock.parse_instant(end) if end else None,
    )
    import_rows(services.workspace(W), [row], title="Meanwhile")


def in_review(services, jobs):
    _, (item,) = fed(jobs, note("Ann | LIVES_IN | Paris | 2020", "a"), extract="rules")
    return item.id, reviewed(services, item.id)[2]


def refused(services, jobs, item_id: str, shown) -> None:
    before = facts(services)
    with pytest.raises(BadInput, match="The graph has changed"):
        confirm(services, item_id, shown)
    assert (facts(services), jobs.store.item(item_id).state) == (before, "review")


def test_an_ending_that_would_not_happen_any_more_is_not_let_go_silently(services, jobs, extractor):
    stated(services, "Oslo", "2010")
    item_id, shown = in_review(services, jobs)
    assert [(e.fact.target, e.ticked) for e in shown.endings] == [("Oslo", True)]
    stated(services, "Ulm", "2019")
    refused(services, jobs, item_id, shown)
    confirm(services, item_id, diff_against_graph(services.workspace(W), shown))
    assert jobs.store.item(item_id).state == "done"


def test_an_ending_on_another_date_is_another_one(services, jobs, extractor):
    stated(services, "Oslo", "2010")
    item_id, shown = in_review(services, jobs)
    stated(services, "Oslo", "2010", "2015")
    refused(services, jobs, item_id, shown)


def test_an_ending_that_somebody_wrote_meanwhile_keeps_nothing_from_being_saved(services, jobs, extractor):
    stated(services, "Oslo", "2010")
    item_id, shown = in_review(services, jobs)
    stated(services, "Oslo", "2010", "2020")
    confirm(services, item_id, shown)
    assert {f.target: f.invalid_at for f in facts(services).values()} == {
        "Oslo": clock.parse_instant("2020"),
        "Paris": None,
    }


def test_a_fact_that_was_shown_open_is_not_written_with_an_end(services, jobs, extractor):
    item_id, shown = in_review(services, jobs)
    stated(services, "Rome", "2022")
    refused(services, jobs, item_id, shown)


def test_a_fact_added_meanwhile_with_the_shown_end_gets_one_more_source(services, jobs, extractor):
    stated(services, "Rome", "2022")
    item_id, shown = in_review(services, jobs)
    assert [fact.ends_at for fact in shown.facts] == [clock.parse_instant("2022")]
    stated(services, "Paris", "2020", "2022")
    confirm(services, item_id, shown)
    (paris,) = (fact for fact in facts(services).values() if fact.target == "Paris")
    assert len(paris.episodes) == 1


def test_a_fact_that_was_shown_as_not_to_be_written_is_not_written(services, jobs, extractor):
    stated(services, "Rome", "2020")
    item_id, shown = in_review(services, jobs)
    assert [fact.ticked for fact in shown.facts] == [False]
    (made,) = change_sets(services.workspace(W))
    undo(services.workspace(W), made.id)
    refused(services, jobs, item_id, shown)


def test_facts_written_at_once_and_facts_saved_after_review_count_as_changes(services, jobs, extractor):
    text = "Ann | KNOWS | Bob | 2020\nAnn | KNOWS | Eve | 2020 || 0.6"
    job, (item,) = fed(jobs, note(text, "a"), extract="rules", write_at_once=True)
    assert jobs.store.changes([job.id])[job.id]["added"] == 1
    _, _, left = reviewed(services, item.id)
    saved = confirm(services, item.id, with_ticks(left, snapshot_for(services.workspace(W), left), {"1": True}))
    assert jobs.store.changes([job.id])[job.id]["added"] == 2
    undo(services.workspace(W), saved)
    assert jobs.store.changes([job.id])[job.id]["added"] == 1


def test_a_correction_counts_as_one_with_the_item_as_with_its_change(services, jobs, extractor):
    stated(services, "Paris", "2020", "2022")
    _, (item,) = fed(jobs, note("Ann | LIVES_IN | Paris | 2020 | 2023", "a"), extract="rules")
    _, _, shown = reviewed(services, item.id)
    ticked = with_ticks(shown, snapshot_for(services.workspace(W), shown), {"0": True})
    assert [fact.verdict for fact in ticked.facts] == ["correction"]
    confirm(services, item.id, ticked)
    told = jobs.store.item(item.id).result
    assert {name: told[name] for name in ("added", "ended", "corrected", "source")} == {
        "added": 0,
        "ended": 0,
        "corrected": 1,
        "source": 0,
    }


def test_a_text_in_which_nothing_is_stated_goes_in_without_a_review(services, jobs, extractor):
    _, (item,) = fed(jobs, note("Nothing is stated here.", "a"), extract="rules")
    assert (item.state, item.result["document"], item.result["held"], facts(services)) == ("done", "new", 0, {})
    assert {document.id for document in services.mirrors.of(W).documents()} == {"a"}


def test_a_fact_that_is_stated_again_without_a_source_is_unchanged(services):
    draft = Draft("Ann", "WORKS_FOR", "Acme", valid_at=clock.parse_instant("2020"))
    save_fact(services.workspace(W), propose_fact(services.workspace(W), draft))
    again = propose_fact(services.workspace(W), draft)
    assert [(fact.verdict, fact.ticked) for fact in again.facts] == [("unchanged", False)]
    sourced = propose_fact(services.workspace(W), draft, "Her letter.")
    assert [(fact.verdict, fact.ticked) for fact in sourced.facts] == [("source", True)]
