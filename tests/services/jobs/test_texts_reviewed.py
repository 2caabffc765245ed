"""Facts from texts that wait for a review: confirmed, discarded, or changed meanwhile."""

import pytest

from services.core.errors import BadInput
from services.jobs.documents_job import confirm, discard, reviewed
from services.proposals.graph_diff import diff_against_graph
from services.proposals.graph_snapshot import snapshot_for
from services.proposals.revising import with_entity, with_ticks
from services.writing.change_sets import change_sets
from tests.services.jobs.feeding import episodes, extractor, facts, fed, jobs, note
from tests.services.retrieval.conftest import W, graph, services

__all__ = ["extractor", "graph", "jobs", "services"]


def test_a_proposal_waits_for_review_and_nothing_is_written(services, jobs, extractor):
    job, (item,) = fed(jobs, note("Ann | LIVES_IN | Paris | 2020", "a"), extract="rules")
    assert (job.state, item.state, item.result["drafts"], item.result["held"]) == ("done", "review", 1, 1)
    assert (facts(services), episodes(services)) == ({}, [])
    _, _, proposal = reviewed(services, item.id)
    assert [(f.draft.source, f.ticked) for f in proposal.facts] == [("Ann", True)]
    assert proposal.source.text == "Ann | LIVES_IN | Paris | 2020"


def test_a_confirmed_proposal_goes_in_with_its_document(services, jobs, extractor):
    _, (item,) = fed(jobs, note("Ann | LIVES_IN | Paris | 2020\nBob | KNOWS | Ann", "a", title="Note"), extract="rules")
    _, _, proposal = reviewed(services, item.id)
    proposal = with_ticks(proposal, snapshot_for(services.workspace(W), proposal), {"1": False})
    change = confirm(services, item.id, proposal, "u1")
    (fact,) = facts(services).values()
    (episode,) = episodes(services)
    assert (fact.source, fact.target, fact.episodes) == ("Ann", "Paris", (episode.uuid,))
    assert set(episode.entity_uuids) == {fact.source_uuid, fact.target_uuid}
    assert services.mirrors.of(W).document("a").document.episode_uuid == episode.uuid
    done = jobs.store.item(item.id)
    assert (done.state, done.change_set_id, done.result["added"]) == ("done", change, 1)
    assert "proposal" not in done.result
    (record,) = change_sets(services.workspace(W))
    assert (record.origin.user_id, record.origin.item_id, record.title) == ("u1", item.id, "Note")


def test_a_review_can_be_confirmed_once(services, jobs, extractor):
    _, (item,) = fed(jobs, note("Ann | LIVES_IN | Paris | 2020", "a"), extract="rules")
    _, _, proposal = reviewed(services, item.id)
    confirm(services, item.id, proposal)
    with pytest.raises(BadInput):
        confirm(services, item.id, proposal)
    with pytest.raises(BadInput):
        discard(services, item.id)


def test_a_discarded_review_leaves_nothing(services, jobs, extractor):
    _, (item,) = fed(jobs, note("Ann | LIVES_IN | Paris | 2020", "a"), extract="rules")
    discard(services, item.id)
    assert (jobs.store.item(item.id).state, facts(services)) == ("cancelled", {})
    with pytest.raises(BadInput):
        reviewed(services, item.id)


def test_what_the_graph_learned_meanwhile_counts(services, jobs, extractor):
    _, (item,) = fed(jobs, note("Ann | LIVES_IN | Paris | 2020", "a"), extract="rules")
    _, _, proposal = reviewed(services, item.id)
    fed(jobs, note("Ann | LIVES_IN | Paris | 2020", "b"), extract="rules", write_at_once=True)
    confirm(services, item.id, proposal)
    (fact,) = facts(services).values()
    assert len(fact.episodes) == 2


def test_a_review_is_not_saved_as_something_else_than_was_shown(services, jobs, extractor):
    _, (moved,) = fed(jobs, note("Ann | LIVES_IN | Paris | 2020", "a"), extract="rules")
    _, (met,) = fed(jobs, note("Bob | KNOWS | Eve | 2010", "b"), extract="rules")
    shown = [reviewed(services, item.id)[2] for item in (moved, met)]
    fed(jobs, note("Ann | LIVES_IN | Rome | 2010\nBob | KNOWS | Eve | 2011", "c"), extract="rules", write_at_once=True)
    for item, proposal in zip((moved, met), shown, strict=True):
        before = facts(services)
        with pytest.raises(BadInput, match="The graph has changed"):
            confirm(services, item.id, proposal)
        assert (facts(services), jobs.store.item(item.id).state) == (before, "review")
        confirm(services, item.id, diff_against_graph(services.workspace(W), proposal))
    assert [f.invalid_at is not None for f in facts(services).values() if f.target == "Rome"] == [True]


def test_a_review_of_an_earlier_version_does_not_take_the_place_of_a_later_one(services, jobs, extractor):
    old, new = note("Ann | KNOWS | Bob | 2020", "a"), note("Ann | KNOWS | Eve | 2021", "a")
    _, (item,) = fed(jobs, old, extract="rules")
    fed(jobs, new, extract="rules", write_at_once=True)
    present = services.mirrors.of(W).document("a")
    confirm(services, item.id, reviewed(services, item.id)[2])
    assert services.mirrors.of(W).document("a") == present
    (bob,) = (f for f in facts(services).values() if f.target == "Bob")
    assert [e.content for e in episodes(services) if e.uuid in bob.episodes] == ["Ann | KNOWS | Bob | 2020"]


def test_an_entity_made_new_is_another_one(services, jobs, extractor):
    fed(jobs, note("Ann | LIVES_IN | Paris | 2020", "a"), extract="rules", write_at_once=True)
    _, (item,) = fed(jobs, note("Ann | LIVES_IN | Rome | 2021", "b"), extract="rules")
    _, _, proposal = reviewed(services, item.id)
    confirm(services, item.id, with_entity(proposal, snapshot_for(services.workspace(W), proposal), "Ann", "", None))
    found = facts(services)
    assert len(found) == 2
    assert len({fact.source_uuid for fact in found.values()}) == 2
    assert all(fact.invalid_at is None for fact in found.values())
