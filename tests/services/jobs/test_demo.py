"""The bundled demo: it loads by way of the import, answers the questions of its headers, and can be reset."""

import pytest

from services.core import clock, time_rule
from services.core.models import Instants, Workspace
from services.jobs.demo import LABEL, WORKSPACE, load_demo
from services.retrieval.query import Query
from tests.fakes.deletion import delete
from tests.services.writing.test_importer import content

pytestmark = pytest.mark.slow


def test_the_demo_loads_and_loading_it_again_changes_nothing(services):
    done = load_demo(services)
    assert (done.rows["new"], done.facts) == (5190, 5190)
    before = content(services, WORKSPACE)
    assert load_demo(services).rows["unchanged"] == 5190
    assert content(services, WORKSPACE) == before


@pytest.mark.slow
def test_the_demo_has_a_label_and_one_that_somebody_gave_it_stays(services):
    load_demo(services)
    assert services.accounts.workspaces() == (Workspace(WORKSPACE, LABEL),)
    services.accounts.rename(WORKSPACE, "Proposals")
    load_demo(services, reset=True)
    assert services.accounts.workspaces() == (Workspace(WORKSPACE, "Proposals"),)


@pytest.mark.slow
def test_the_demo_can_be_reset(services):
    load_demo(services)
    before = content(services, WORKSPACE)
    (ann,) = list(before[0].values())[:1]
    services.bridge.run(delete(services.graph, WORKSPACE, entities=[ann.uuid]))
    load_demo(services, reset=True)
    entities, facts, episodes = content(services, WORKSPACE)
    assert (entities, facts, episodes.keys()) == (before[0], before[1], before[2].keys())


def test_a_status_holds_from_its_commit_until_the_one_that_ended_it(services):
    load_demo(services)
    history = services.bridge.run(services.graph.facts_about(WORKSPACE, "PEP 484"))
    statuses = [f for f in history if f.relation == "HAS_STATUS"]
    assert [f.target for f in statuses] == ["Draft", "Accepted", "Provisional", "Final"]
    draft, accepted = statuses[:2]
    assert draft.invalid_at == draft.expired_at == accepted.valid_at == accepted.created_at
    at = Instants(accepted.valid_at, clock.now())
    assert [f.target for f in statuses if time_rule.true_at(f, at)] == ["Accepted"]


@pytest.mark.slow
def test_a_fact_comes_from_the_header_it_was_read_from_and_is_ended_by_the_next(services):
    load_demo(services)
    history = services.bridge.run(services.graph.facts_about(WORKSPACE, "PEP 484"))
    draft, accepted = [f for f in history if f.relation == "HAS_STATUS"][:2]
    (source,) = services.bridge.run(services.graph.episodes(WORKSPACE, draft.episodes))
    assert source.name.startswith("Header of PEP 484, committed 2015-01-08")
    assert "Status: Draft" in source.content
    assert (draft.ended_by,) == accepted.episodes


@pytest.mark.slow
def test_delegates_have_no_date_and_people_no_address(services):
    load_demo(services)
    entities, facts, episodes = content(services, WORKSPACE)
    delegates = [f for f in facts.values() if f.relation == "HAS_DELEGATE"]
    assert len(delegates) > 100
    assert all(f.valid_at is None for f in delegates)
    people = [e for e in entities.values() if e.type == "Person"]
    assert "Guido van Rossum" in {p.name for p in people}
    authors = [line for e in episodes.values() for line in e.content.splitlines() if line.startswith("Author")]
    assert len(authors) > 700
    assert not any("@" in line for line in authors)


@pytest.mark.slow
def test_the_texts_of_well_known_peps_are_there_and_can_be_found_without_a_wait(services):
    load_demo(services)
    mirror = services.mirrors.of(WORKSPACE)
    assert len(mirror.documents()) == 60
    assert services.indexes.of(WORKSPACE).waiting == 0
    hits = services.workspace(WORKSPACE).search(Query("how to send values into a generator", kinds=("chunk",))).hits
    assert "PEP 342 – Coroutines via Enhanced Generators" in {hit.document.title for hit in hits[:3] if hit.document}


@pytest.mark.slow
def test_only_free_peps_bring_their_abstract(services):
    load_demo(services)
    entities = {e.name: e for e in content(services, WORKSPACE)[0].values() if e.type == "PEP"}
    assert entities["PEP 484"].summary.startswith("Type Hints\n\n:pep:`3107` introduced")
    assert entities["PEP 551"].summary == "Security transparency in the Python runtime"
