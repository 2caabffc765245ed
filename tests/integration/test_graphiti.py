"""Graphiti and Asof on one graph: each reads what the other wrote."""

from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from benchmarks.peers.graphiti_driver import graphiti_driver
from services.core.bridge import AsyncBridge
from services.core.group_records import Community, Saga
from services.core.models import Entity, Episode, Fact, GraphWrite, Instants
from services.graph.connect import open_graph
from services.graph.store import GraphStore
from services.mirror.mirrors import Mirrors
from tests.fakes.graphiti_groups import AT, save_community, save_saga
from tests.fakes.scripted_llm import HashEmbedder, NoRanking, ScriptedLLM

# isort: split
from graphiti_core import Graphiti
from graphiti_core.edges import EntityEdge, EpisodicEdge
from graphiti_core.nodes import EntityNode, EpisodeType, EpisodicNode
from graphiti_core.search.search_config_recipes import EDGE_HYBRID_SEARCH_RRF

Y = {year: datetime(year, 1, 1, tzinfo=UTC) for year in range(2000, 2030)}
ADA = Entity("u-ada", "Ada Lovelace", ("Person",), "Writes programs.", Y[2020], {"born": 1815})
ACME = Entity("u-acme", "ACME", ("Company",), "", Y[2020])
PAGE = Episode("p-1", "Page 1", "Ada works at ACME.", "text", "a page", Y[2019], Y[2020], ("u-acme", "u-ada"))
JOB = Fact(
    "f-job",
    "u-ada",
    "u-acme",
    "Ada Lovelace",
    "WORKS_AT",
    "ACME",
    "Ada Lovelace works at ACME.",
    Y[2015],
    None,
    Y[2020],
    episodes=("p-1",),
    attributes={"role": "chief"},
)


@dataclass
class Both:
    """Graphiti and our store on the same workspace."""

    store: GraphStore
    graphiti: Graphiti
    llm: ScriptedLLM
    workspace: str
    bridge: AsyncBridge

    def run[T](self, work: Coroutine[Any, Any, T]) -> T:
        return self.bridge.run(work)

    def ask(self, method: str, *args: Any, **options: Any) -> Any:
        return self.run(getattr(self.store, method)(self.workspace, *args, **options))

    def tell(self, text: str, at: datetime) -> Any:
        """Let Graphiti take in an episode, as the script has it."""
        return self.run(
            self.graphiti.add_episode("note", text, "a note", at, source=EpisodeType.text, group_id=self.workspace)
        )


@pytest.fixture(params=["embedded", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def both(request: pytest.FixtureRequest, bridge: AsyncBridge) -> Iterator[Both]:
    settings = request.getfixturevalue(f"{request.param}_settings")
    workspace = f"graphiti_{uuid4().hex[:8]}"
    store, llm = open_graph(settings), ScriptedLLM()
    bridge.run(store.write(workspace, GraphWrite((ADA,))))  # our indexes first: other tests share the server
    bridge.run(store.clear(workspace))
    driver = bridge.run(graphiti_driver(settings, workspace))

    async def built() -> Graphiti:
        return Graphiti(llm_client=llm, embedder=HashEmbedder(), cross_encoder=NoRanking(), graph_driver=driver)

    yield Both(store, bridge.run(built()), llm, workspace, bridge)
    bridge.run(store.clear(workspace))
    bridge.run(store.close())
    bridge.run(driver.close())


def test_graphiti_reads_what_we_write(both: Both) -> None:
    both.ask("write", GraphWrite((ADA, ACME), (JOB,), (PAGE,)))
    driver = both.graphiti.driver
    node = both.run(EntityNode.get_by_uuid(driver, "u-ada"))
    assert (node.name, set(node.labels), node.summary) == ("Ada Lovelace", {"Entity", "Person"}, "Writes programs.")
    assert (node.group_id, node.created_at, node.attributes) == (both.workspace, Y[2020], {"born": 1815})
    edge = both.run(EntityEdge.get_by_uuid(driver, "f-job"))
    assert (edge.source_node_uuid, edge.name, edge.target_node_uuid) == ("u-ada", "WORKS_AT", "u-acme")
    assert (edge.fact, edge.group_id, edge.episodes) == (JOB.text, both.workspace, ["p-1"])
    assert (edge.valid_at, edge.invalid_at, edge.created_at, edge.expired_at) == (Y[2015], None, Y[2020], None)
    assert edge.attributes == {"role": "chief"}
    page = both.run(EpisodicNode.get_by_uuid(driver, "p-1"))
    assert (page.content, page.source, page.valid_at) == (PAGE.content, EpisodeType.text, Y[2019])
    assert page.entity_edges == ["f-job"]
    mentions = both.run(EpisodicEdge.get_by_group_ids(driver, [both.workspace]))
    assert {(m.source_node_uuid, m.target_node_uuid) for m in mentions} == {("p-1", "u-ada"), ("p-1", "u-acme")}


def test_graphiti_finds_what_we_write_by_its_words(both: Both) -> None:
    both.ask("write", GraphWrite((ADA, ACME), (JOB,), (PAGE,)))
    found = both.run(
        both.graphiti.search_("works", config=EDGE_HYBRID_SEARCH_RRF.model_copy(deep=True), group_ids=[both.workspace])
    )
    assert [edge.uuid for edge in found.edges] == ["f-job"]


def test_graphiti_removes_an_episode_of_ours_with_its_facts(both: Both) -> None:
    both.ask("write", GraphWrite((ADA, ACME), (JOB,), (PAGE,)))
    both.run(both.graphiti.remove_episode("p-1"))
    assert both.ask("facts", ["f-job"]) == ()
    assert both.ask("episodes", ["p-1"]) == ()


def test_we_read_what_graphiti_extracts(both: Both) -> None:
    both.llm.will_find(("Ada", "WORKS_AT", "ACME", "Ada works at ACME."), valid_at="2015-01-01T00:00:00Z")
    added = both.tell("Ada works at ACME since 2015.", Y[2016])
    (fact,) = both.ask("facts_about", "Ada")
    assert (fact.source, fact.relation, fact.target) == ("Ada", "WORKS_AT", "ACME")
    assert (fact.text, fact.valid_at, fact.invalid_at) == ("Ada works at ACME.", Y[2015], None)
    assert fact.episodes == (added.episode.uuid,)
    (episode,) = both.ask("episodes", fact.episodes)
    assert episode.content == "Ada works at ACME since 2015."
    assert set(episode.entity_uuids) == {fact.source_uuid, fact.target_uuid}
    assert "fact_embedding" not in fact.attributes
    assert both.ask("watermark").counts.facts == 1


def test_we_see_that_graphiti_ended_a_fact(both: Both) -> None:
    both.llm.will_find(("Ada", "WORKS_AT", "ACME", "Ada works at ACME."), valid_at="2015-01-01T00:00:00Z")
    both.tell("Ada works at ACME since 2015.", Y[2016])
    seen = both.ask("watermark")
    both.llm.will_find(
        ("Ada", "WORKS_AT", "Initech", "Ada works at Initech."), valid_at="2018-01-01T00:00:00Z", contradicts=(0,)
    )
    both.tell("Ada moved to Initech in 2018.", Y[2019])
    old, new = both.ask("facts_about", "Ada")
    assert (old.target, old.invalid_at, new.target) == ("ACME", Y[2018], "Initech")
    assert old.expired_at is not None
    later = old.expired_at.replace(year=old.expired_at.year + 1)
    assert both.ask("count_true", Instants(Y[2017], later)) == 1
    changed = both.ask("changed_since", seen.last_created_at, seen.last_expired_at)
    assert {f.uuid for f in changed.facts} == {old.uuid, new.uuid}


def test_we_see_that_graphiti_redated_and_deleted_facts(both: Both) -> None:
    both.ask("write", GraphWrite((ADA, ACME), (JOB,), (PAGE,)))
    edge = both.run(EntityEdge.get_by_uuid(both.graphiti.driver, "f-job"))
    edge.valid_at = Y[2012]
    both.run(edge.generate_embedding(HashEmbedder()))
    both.run(edge.save(both.graphiti.driver))
    assert both.ask("facts", ["f-job"])[0].valid_at == Y[2012]
    assert both.ask("facts", ["f-job"])[0].attributes == {"role": "chief"}
    both.run(edge.delete(both.graphiti.driver))
    assert both.ask("facts", ["f-job"]) == ()


def test_a_rewrite_keeps_graphitis_embeddings(both: Both) -> None:
    both.llm.will_find(("Ada", "WORKS_AT", "ACME", "Ada works at ACME."), valid_at="2015-01-01T00:00:00Z")
    both.tell("Ada works at ACME since 2015.", Y[2016])
    (fact,) = both.ask("facts_about", "Ada")
    ada, acme = both.ask("entities", [fact.source_uuid, fact.target_uuid])
    both.ask("write", GraphWrite((ada, acme), (fact,)))
    edge = both.run(EntityEdge.get_by_uuid(both.graphiti.driver, fact.uuid))
    both.run(edge.load_fact_embedding(both.graphiti.driver))
    node = both.run(EntityNode.get_by_uuid(both.graphiti.driver, ada.uuid))
    both.run(node.load_name_embedding(both.graphiti.driver))
    wanted = both.run(HashEmbedder().create("Ada works at ACME."))
    assert edge.fact_embedding == pytest.approx(wanted, abs=1e-5)
    assert len(node.name_embedding) == len(wanted)


def test_we_read_the_communities_and_sagas_that_graphiti_saves(both: Both) -> None:
    pages = tuple(replace(PAGE, uuid=f"p-{n}", name=f"Page {n}", valid_at=Y[2025 - n]) for n in range(1, 4))
    both.ask("write", GraphWrite((ADA, ACME), (JOB,), pages))
    driver = both.graphiti.driver
    both.run(save_community(driver, both.workspace, "c-1", "Work", ["u-ada", "u-acme"]))
    both.run(save_community(driver, both.workspace, "c-2", "Nobody", []))
    both.run(save_saga(driver, both.workspace, "s-1", "Diary", ["p-2", "p-1", "p-3"]))
    communities = (
        Community("c-1", "Work", "What Work is about.", AT, ("u-acme", "u-ada")),
        Community("c-2", "Nobody", "What Nobody is about.", AT, ()),
    )
    sagas = (Saga("s-1", "Diary", "How Diary went.", AT, AT, ("p-2", "p-1", "p-3")),)
    assert both.ask("communities") == communities
    assert both.ask("sagas") == sagas
    mirrors = Mirrors(None, both.store, both.bridge)
    mirror = mirrors.of(both.workspace)
    assert (mirror.communities(), mirror.sagas()) == (communities, sagas)
    assert mirror.communities_of("u-ada") == communities[:1]
    assert [episode.name for episode in mirror.episodes_of("s-1", Y[2026])] == ["Page 2", "Page 1", "Page 3"]
    mirrors.close()
