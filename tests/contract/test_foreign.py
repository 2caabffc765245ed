"""Graphs that other programs wrote: what Graphiti's schema leaves open is read all the same, and alike everywhere."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from services.core.errors import WriteFailed
from services.core.models import Counts, Entity, Fact
from services.mirror.mirrors import Mirrors
from services.tables.tables import read_facts
from services.writing.import_plan import plan_import
from services.writing.importer import stored_for
from tests.contract.conftest import Graph

NODE = "group_id: $group, created_at: '2020-01-01T00:00:00+00:00'"


@pytest.fixture
def mirrors(database: Graph) -> Iterator[Mirrors]:
    mirrors = Mirrors(None, database.store, database.bridge)
    yield mirrors
    mirrors.close()


def foreign(graph: Graph, text: str) -> None:
    """Write Cypher in which `$group` is the workspace, whichever database it is."""
    graph.cypher(text.replace("$group", f"'{graph.workspace}'"))


def alike(graph: Graph, mirrors: Mirrors, name: str) -> tuple[list[Entity], list[Fact]]:
    """The entities of that name and their facts, as the graph and the mirror both have them."""
    mirror = mirrors.of(graph.workspace)
    assert mirrors.status(graph.workspace).down is None
    assert mirror.counts() == graph.ask("watermark").counts
    entities = graph.ask("entities_named", name)
    assert mirror.entities_named(name) == entities
    facts = list(graph.ask("facts_about", name))
    assert _in_order(f for e in entities for f in mirror.history(e.uuid)) == _in_order(facts)
    assert _in_order(f for e in entities for f in graph.ask("history", e.uuid)) == _in_order(facts)
    assert graph.ask("entities", [e.uuid for e in entities]) == entities
    version = mirror.version
    assert mirrors.sync(graph.workspace, deep=True).version == version
    return list(entities), facts


def _in_order(facts: Iterable[Fact]) -> list[Fact]:
    return sorted(facts, key=lambda f: (f.uuid, f.relation))


def test_numbers_where_texts_should_be_are_read_as_text(database: Graph, mirrors: Mirrors) -> None:
    foreign(
        database,
        f"CREATE (:Entity {{uuid: 'a', name: 42, summary: 3, {NODE}}})-[:RELATES_TO {{uuid: 'e', name: 7, fact: 8.5,"
        f" group_id: $group, episodes: 'p', ended_by: 9, valid_at: 1500000000}}]->(:Entity {{uuid: 'b', {NODE}}}),"
        f" (:Episodic {{uuid: 'p', name: 1, content: 2, source: 3, source_description: 4, {NODE}}})",
    )
    (entity,), (fact,) = alike(database, mirrors, "42")
    assert (entity.name, entity.summary) == ("42", "3")
    assert (fact.source, fact.relation, fact.target, fact.text) == ("42", "7", "", "8.5")
    assert (fact.episodes, fact.ended_by, fact.valid_at) == (("p",), "9", None)
    (episode,) = database.ask("episodes", ["p"])
    assert (episode.name, episode.content, episode.source, episode.source_description) == ("1", "2", "3", "4")


def test_precisions_that_are_none_of_ours_say_nothing(database: Graph, mirrors: Mirrors) -> None:
    ends = f"CREATE (:Entity {{uuid: 'a', name: 'A', {NODE}}})-[:RELATES_TO {{uuid: 'f', name: 'IS', {NODE}"
    foreign(database, f"{ends}, valid_at_precision: 9, ended_unknown: 'yes'}}]->(:Entity {{uuid: 'b', {NODE}}})")
    ((fact,),) = [alike(database, mirrors, "A")[1]]
    assert (fact.valid_at_precision, fact.invalid_at_precision, fact.ended_unknown) == ("instant", "instant", False)


def test_two_facts_of_one_uuid_are_two_facts(database: Graph, mirrors: Mirrors) -> None:
    foreign(
        database,
        f"CREATE (a:Entity {{uuid: 'a', name: 'A', {NODE}}}), (b:Entity {{uuid: 'b', name: 'B', {NODE}}}),"
        " (a)-[:RELATES_TO {uuid: 'e', name: 'R', fact: 'x', group_id: $group}]->(b),"
        " (a)-[:RELATES_TO {uuid: 'e', name: 'S', fact: 'y', group_id: $group}]->(b)",
    )
    _, facts = alike(database, mirrors, "A")
    assert sorted(f.relation for f in facts) == ["R", "S"]
    assert sorted(f.relation for f in database.ask("history", "a")) == ["R", "S"]


def test_records_without_a_uuid_are_read_under_one_of_their_own(database: Graph, mirrors: Mirrors) -> None:
    foreign(
        database,
        f"CREATE (a:Entity {{name: 'A', {NODE}}}), (b:Entity {{name: 'B', uuid: 5, {NODE}}}),"
        " (a)-[:RELATES_TO {name: 'R', fact: 'x', group_id: $group}]->(b),"
        " (a)-[:RELATES_TO {name: 'S', fact: 'y', group_id: $group}]->(b),"
        f" (:Episodic {{name: 'p', {NODE}}})-[:MENTIONS]->(a)",
    )
    (a,), facts = alike(database, mirrors, "A")
    assert sorted(f.relation for f in facts) == ["R", "S"]
    assert len({f.uuid for f in facts}) == 2
    assert list(database.ask("facts", [f.uuid for f in facts])) == facts
    (page,) = database.scan("scan_episodes")
    assert page.entity_uuids == (a.uuid,)
    assert database.ask("episodes", [page.uuid]) == (page,)
    assert list(database.ask("history", a.uuid)) == facts


def test_an_id_made_of_the_database_s_own_finds_no_record_that_has_a_uuid(database: Graph) -> None:
    foreign(database, f"CREATE (:Entity {{uuid: 'a', name: 'A', {NODE}}})")
    own = database.cypher("MATCH (n:Entity {uuid: 'a'}) RETURN id(n)")[0][0]
    assert database.ask("entities", [f"node:{own}"]) == ()


def test_values_that_json_has_no_like_of_are_shown_as_text(database: Graph, mirrors: Mirrors) -> None:
    foreign(
        database,
        f"CREATE (:Entity {{uuid: 'a', name: 'A', {NODE}, place: point({{latitude: 1.5, longitude: 2.5}})}})"
        "-[:RELATES_TO {uuid: 'e', name: 'R', group_id: $group, clock: localtime('10:30'), span: duration('PT2H'),"
        " tags: ['x', 'y'], day: date('2020-01-02')}]->"
        f"(:Entity {{uuid: 'b', name: 'B', {NODE}}})",
    )
    (a,), (fact,) = alike(database, mirrors, "A")
    assert a.attributes == {"place": "POINT(2.5 1.5)"}
    span = fact.attributes["span"]
    assert fact.attributes == {
        "clock": fact.attributes["clock"],
        "span": span,
        "tags": ["x", "y"],
        "day": "2020-01-02T00:00:00+00:00",
    }
    assert fact.attributes["clock"].startswith("10:30:00")
    assert span in ("PT2H", "PT7200S")
    json.dumps(dict(fact.attributes))


def test_dates_that_no_database_can_read_do_not_stop_the_mirror(database: Graph, mirrors: Mirrors) -> None:
    foreign(
        database,
        "CREATE (:Entity {uuid: 'a', name: 'A', group_id: $group, created_at: 'some day'})"
        "-[:RELATES_TO {uuid: 'e', name: 'R', group_id: $group, created_at: ['x'], valid_at: 'soon'}]->"
        "(:Entity {uuid: 'b', name: 'B', group_id: $group, created_at: 17})",
    )
    _, (fact,) = alike(database, mirrors, "A")
    assert (fact.created_at, fact.valid_at) == (None, None)
    foreign(database, f"CREATE (:Entity {{uuid: 'c', name: 'C', {NODE}}})")
    assert mirrors.sync(database.workspace).down is None
    assert len(mirrors.of(database.workspace).entities_named("C")) == 1


@pytest.fixture
def groupless(database: Graph) -> Iterator[Graph]:
    """The default workspace, emptied afterwards."""
    graph = Graph(database.store, database.store.default_workspace, database.bridge)
    yield graph
    graph.ask("clear")


def test_what_has_no_group_is_in_the_default_workspace_in_every_question(groupless: Graph) -> None:
    groupless.cypher(
        "CREATE (:Entity {uuid: 'g1', name: 'No Group'})-[:RELATES_TO {uuid: 'r1', name: 'R', fact: 'f'}]->"
        "(:Entity {uuid: 'g2', name: 'Y'}), (:Episodic {uuid: 'p1', name: 'p'}), (:Film {title: 'not ours'})"
    )
    assert groupless.workspace in groupless.run(groupless.store.workspaces())
    assert groupless.ask("watermark").counts == Counts(2, 1, 1)
    assert len(groupless.scan("scan_entities")) == 2
    assert len(groupless.ask("entities_named", "no group")) == 1
    mirrors = Mirrors(None, groupless.store, groupless.bridge)
    alike(groupless, mirrors, "No Group")
    mirrors.close()
    groupless.write(Entity("g1", "Grouped"))
    assert groupless.ask("watermark").counts == Counts(2, 1, 1)
    groupless.delete(facts=["r1"], episodes=["p1"])
    assert groupless.ask("watermark").counts == Counts(2, 0, 0)
    groupless.ask("clear")
    assert groupless.ask("watermark").counts == Counts(0, 0, 0)


def test_an_import_leaves_records_without_a_uuid_alone_and_makes_its_own(database: Graph) -> None:
    foreign(
        database,
        f"CREATE (:Entity {{name: 'A', {NODE}}})-[:RELATES_TO {{name: 'R', fact: 'x', group_id: $group}}]->"
        f"(:Entity {{name: 'B', uuid: 'b', {NODE}}})",
    )
    table = read_facts("f.csv", b"source,relation,target\nA,R,B\nA,R,C\n")
    for new in (2, 0):
        stored = database.run(stored_for(database.store, database.workspace, table.rows))
        plan = plan_import(database.workspace, table.rows, stored, datetime(2026, 1, 1, tzinfo=UTC))
        assert len(plan.created.facts) == new
        database.run(database.store.write(database.workspace, plan.write))
    assert database.ask("watermark").counts == Counts(4, 3, 0)


def test_of_two_facts_with_one_uuid_only_the_one_between_these_entities_is_replaced(database: Graph) -> None:
    ends = "".join(f", ({name.lower()}:Entity {{name: '{name}', uuid: '{name}', {NODE}}})" for name in "ABCD")
    foreign(
        database,
        f"CREATE {ends[2:]}, (a)-[:RELATES_TO {{uuid: 'u', name: 'R', fact: 'one', group_id: $group}}]->(b),"
        " (c)-[:RELATES_TO {uuid: 'u', name: 'Q', fact: 'two', group_id: $group}]->(d)",
    )
    (one,) = database.ask("facts_about", "A")
    database.write(replace(one, text="said better"))
    assert [fact.text for fact in database.ask("facts_about", "A")] == ["said better"]
    assert [fact.text for fact in database.ask("facts_about", "C")] == ["two"]
    with pytest.raises(WriteFailed):
        database.write(replace(one, source_uuid="B", target_uuid="C"))


def test_a_fact_of_an_entity_whose_uuid_another_has_is_refused(database: Graph) -> None:
    foreign(
        database,
        f"CREATE (:Entity {{name: 'One', uuid: 'e', {NODE}}}), (:Entity {{name: 'Two', uuid: 'e', {NODE}}}),"
        f" (:Entity {{name: 'A', uuid: 'a', {NODE}}})",
    )
    with pytest.raises(WriteFailed, match="another entity"):
        database.write(Fact("f", "e", "a", "One", "LIKES", "A"))


def test_groups_that_others_make_without_an_episode_reach_the_mirror(database: Graph, mirrors: Mirrors) -> None:
    foreign(database, f"CREATE (:Entity {{uuid: 'ada', {NODE}}}), (:Saga {{uuid: 's', {NODE}}})")
    mirror = mirrors.of(database.workspace)
    assert mirror.communities() == ()
    foreign(database, f"MATCH (n:Entity) CREATE (:Community {{uuid: 'c', name: 'C', {NODE}}})-[:HAS_MEMBER]->(n)")
    mirrors.sync(database.workspace)
    assert [one.member_uuids for one in mirror.communities()] == [("ada",)]
    again = "group_id: $group, created_at: '2021-01-01T00:00:00+00:00'"
    foreign(database, "MATCH (c:Community) WHERE c.group_id = $group DETACH DELETE c")
    foreign(database, f"MATCH (n:Entity) CREATE (:Community {{uuid: 'd', name: 'D', {again}}})-[:HAS_MEMBER]->(n)")
    mirrors.sync(database.workspace)
    assert [one.name for one in mirror.communities()] == ["D"]
    foreign(database, "MATCH (s:Saga) WHERE s.group_id = $group SET s.summary = 'How it went – 過去.'")
    version = mirrors.sync(database.workspace).version
    assert [one.summary for one in mirror.sagas()] == ["How it went – 過去."]
    assert mirror.watermark() == database.ask("watermark")
    assert mirrors.sync(database.workspace).version == version
