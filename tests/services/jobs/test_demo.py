"""The bundled demo: it loads by way of the import, answers the questions of its headers, and can be reset."""

from collections.abc import Iterator

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.core import clock, time_rule
from services.core.config import Settings
from services.core.models import Instants, Workspace
from services.jobs.demo import LABEL, WORKSPACE, load_demo
from services.retrieval.query import Query
from tests.fakes.deletion import delete
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.writing.test_importer import content

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A dashboard with the demo, which no test changes."""
    services = build_services(Settings(home=tmp_path_factory.mktemp("demo")), graph=MemoryGraphStore())
    load_demo(services)
    yield services
    services.close()


def test_the_demo_loads_and_loading_it_again_changes_nothing(services):
    done = load_demo(services)
    assert (done.rows["new"], done.facts) == (5190, 5190)
    before = content(services, WORKSPACE)
    assert load_demo(services).rows["unchanged"] == 5190
    assert content(services, WORKSPACE) == before


def test_the_demo_can_be_reset_and_keeps_the_label_that_somebody_gave_it(services):
    load_demo(services)
    assert services.accounts.workspaces() == (Workspace(WORKSPACE, LABEL),)
    services.accounts.rename(WORKSPACE, "Proposals")
    before = content(services, WORKSPACE)
    (ann,) = list(before[0].values())[:1]
    services.bridge.run(delete(services.graph, WORKSPACE, entities=[ann.uuid]))
    load_demo(services, reset=True)
    entities, facts, episodes = content(services, WORKSPACE)
    assert (entities, facts, episodes.keys()) == (before[0], before[1], before[2].keys())
    assert services.accounts.workspaces() == (Workspace(WORKSPACE, "Proposals"),)


def test_a_status_holds_from_its_commit_until_the_one_that_ended_it(demo):
    history = demo.bridge.run(demo.graph.facts_about(WORKSPACE, "PEP 484"))
    statuses = [f for f in history if f.relation == "HAS_STATUS"]
    assert [f.target for f in statuses] == ["Draft", "Accepted", "Provisional", "Final"]
    draft, accepted = statuses[:2]
    assert draft.invalid_at == draft.expired_at == accepted.valid_at == accepted.created_at
    at = Instants(accepted.valid_at, clock.now())
    assert [f.target for f in statuses if time_rule.true_at(f, at)] == ["Accepted"]


def test_a_fact_comes_from_the_header_it_was_read_from_and_is_ended_by_the_next(demo):
    history = demo.bridge.run(demo.graph.facts_about(WORKSPACE, "PEP 484"))
    draft, accepted = [f for f in history if f.relation == "HAS_STATUS"][:2]
    (source,) = demo.bridge.run(demo.graph.episodes(WORKSPACE, draft.episodes))
    assert source.name.startswith("Header of PEP 484, committed 2015-01-08")
    assert "Status: Draft" in source.content
    assert (draft.ended_by,) == accepted.episodes


def test_delegates_have_no_date_and_people_no_address(demo):
    entities, facts, episodes = content(demo, WORKSPACE)
    delegates = [f for f in facts.values() if f.relation == "HAS_DELEGATE"]
    assert len(delegates) > 100
    assert all(f.valid_at is None for f in delegates)
    people = [e for e in entities.values() if e.type == "Person"]
    assert "Guido van Rossum" in {p.name for p in people}
    authors = [line for e in episodes.values() for line in e.content.splitlines() if line.startswith("Author")]
    assert len(authors) > 700
    assert not any("@" in line for line in authors)


def test_the_texts_of_well_known_peps_are_there_and_can_be_found_without_a_wait(demo):
    mirror = demo.mirrors.of(WORKSPACE)
    assert len(mirror.documents()) == 60
    assert demo.indexes.of(WORKSPACE).waiting == 0
    hits = demo.workspace(WORKSPACE).search(Query("how to send values into a generator", kinds=("chunk",))).hits
    assert "PEP 342 – Coroutines via Enhanced Generators" in {hit.document.title for hit in hits[:3] if hit.document}


def test_only_free_peps_bring_their_abstract(demo):
    entities = {e.name: e for e in content(demo, WORKSPACE)[0].values() if e.type == "PEP"}
    assert entities["PEP 484"].summary.startswith("Type Hints\n\n:pep:`3107` introduced")
    assert entities["PEP 551"].summary == "Security transparency in the Python runtime"
