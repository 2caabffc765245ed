"""One review in two visits: neither loses what the other did, and nobody decides on what nobody showed."""

from contextlib import contextmanager

import pytest

from services.core.errors import BadInput
from services.jobs.documents_job import confirm, discard, keep, reviewed
from services.proposals import saving as review
from services.proposals.graph_snapshot import snapshot_for
from services.proposals.proposal_records import Proposal
from services.proposals.revising import with_ticks
from services.writing.change_sets import change_sets
from tests.services.jobs.feeding import LONG, extractor, facts, fed, jobs, note
from tests.services.retrieval.conftest import W, graph, services

__all__ = ["extractor", "graph", "jobs", "services"]

TWO = note("Ann | KNOWS | Bob\nAnn | KNOWS | Eve", "a")


def unticked(services, shown: Proposal, key: str) -> Proposal:
    return with_ticks(shown, snapshot_for(services.workspace(W), shown), {key: False})


def test_a_change_of_what_somebody_else_changed_since_is_refused(services, jobs, extractor):
    _, (item,) = fed(jobs, TWO, extract="rules")
    shown = reviewed(services, item.id)[2]
    keep(services, item.id, unticked(services, shown, "0"))
    with pytest.raises(BadInput, match="Someone else changed this review"):
        keep(services, item.id, unticked(services, shown, "1"))
    assert reviewed(services, item.id)[2].ticks == {"0": False}


def test_one_visit_changes_a_review_again_and_again(services, jobs, extractor):
    _, (item,) = fed(jobs, TWO, extract="rules")
    once = keep(services, item.id, unticked(services, reviewed(services, item.id)[2], "0"))
    keep(services, item.id, unticked(services, once, "1"))
    assert reviewed(services, item.id)[2].ticks == {"0": False, "1": False}


def test_what_somebody_else_changed_since_it_was_shown_is_not_saved(services, jobs, extractor):
    _, (item,) = fed(jobs, TWO, extract="rules")
    shown = reviewed(services, item.id)[2]
    kept = keep(services, item.id, unticked(services, shown, "0"))
    with pytest.raises(BadInput, match="Someone else changed this review"):
        confirm(services, item.id, shown)
    assert facts(services) == {}
    confirm(services, item.id, kept)
    assert [fact.target for fact in facts(services).values()] == ["Eve"]


def test_a_discarded_reading_is_not_changed_or_saved_after_a_new_reading(services, jobs, extractor):
    job, (item,) = fed(jobs, TWO, extract="rules")
    shown = reviewed(services, item.id)[2]
    discard(services, item.id)
    jobs.retry(item.id)
    assert jobs.wait(job.id, LONG).counts == {"review": 1}
    for action in (confirm, keep):
        with pytest.raises(BadInput, match="Someone else changed this review"):
            action(services, item.id, shown)
    assert not reviewed(services, item.id)[2].is_touched


@pytest.fixture
def while_it_waits(monkeypatch):
    """Has something done while a save queued to write."""

    def then(action):
        real = review.writing

        @contextmanager
        def waits(*args, **more):
            with real(*args, **more) as writer:
                action()
                yield writer

        monkeypatch.setattr(review, "writing", waits)

    return then


def test_a_change_made_while_a_save_waits_is_kept_and_the_save_refused(services, jobs, extractor, while_it_waits):
    _, (item,) = fed(jobs, TWO, extract="rules")
    shown = reviewed(services, item.id)[2]
    while_it_waits(lambda: keep(services, item.id, unticked(services, shown, "0")))
    with pytest.raises(BadInput, match="Someone else changed this review"):
        confirm(services, item.id, shown)
    assert facts(services) == {}
    assert change_sets(services.workspace(W)) == ()
    assert reviewed(services, item.id)[2].ticks == {"0": False}


def test_what_somebody_else_discards_while_a_save_waits_is_not_written(services, jobs, extractor, while_it_waits):
    _, (item,) = fed(jobs, TWO, extract="rules")
    shown = reviewed(services, item.id)[2]
    while_it_waits(lambda: discard(services, item.id))
    with pytest.raises(BadInput, match="Someone else changed this review"):
        confirm(services, item.id, shown)
    assert facts(services) == {}
    assert services.accounts.jobs.item(item.id).state == "cancelled"


def test_what_is_saved_before_it_is_let_go_stays_saved(services, jobs, extractor, monkeypatch):
    _, (item,) = fed(jobs, TWO, extract="rules")
    waiting = review._waiting

    def saved_meanwhile(*args):
        found = waiting(*args)
        monkeypatch.setattr(review, "_waiting", waiting)
        confirm(services, item.id, reviewed(services, item.id)[2])
        return found

    monkeypatch.setattr(review, "_waiting", saved_meanwhile)
    with pytest.raises(BadInput, match="Someone else changed this review"):
        discard(services, item.id)
    assert len(facts(services)) == 2
    assert services.accounts.jobs.item(item.id).state == "done"
