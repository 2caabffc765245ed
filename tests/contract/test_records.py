"""What is written comes back; what hangs together goes together."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from services.core.errors import BadInput, WriteFailed
from services.core.models import Counts, Entity, Episode, Fact
from services.graph.store import Watermark
from tests.contract.conftest import Graph

Y = {year: datetime(year, 1, 1, tzinfo=UTC) for year in range(2000, 2030)}
ADA = Entity("u-ada", "Ada", ("Person", "Author"), "Writes.", Y[2020], {"born": 1815, "tags": ["a", "b"]})
BOB = Entity("u-bob", "Bob", ("Person",), "", Y[2021])
ACME = Entity("u-acme", "ACME", ("Company",), "", Y[2019], {"ratio": 0.5, "listed": True, "note": 'a "quote"'})
JOB = Fact(
    "f-job",
    "u-ada",
    "u-acme",
    "Ada",
    "WORKS_AT",
    "ACME",
    "Ada works at ACME.",
    Y[2015],
    Y[2018],
    datetime(2020, 3, 1, 12, 30, 15, 250, UTC),
    Y[2021],
    Y[2022],
    Y[2019],
    "f-other",
    ("p-1",),
    {"role": "chief"},
)
KNOWS = Fact("f-knows", "u-ada", "u-bob", "Ada", "KNOWS", "Bob", "", None, None, Y[2020])
PAGE = Episode("p-1", "Page 1", "Ada works at ACME.", "text", "a page", Y[2019], Y[2020], ("u-acme", "u-ada"))


def test_a_record_comes_back_as_it_was_written(graph: Graph) -> None:
    graph.write(ADA, BOB, ACME, JOB, KNOWS, PAGE)
    assert graph.ask("entities", ["u-ada", "u-acme"]) == (ADA, ACME)
    assert graph.ask("facts", ["f-knows", "f-job"]) == (KNOWS, JOB)
    assert graph.ask("episodes", ["p-1"]) == (PAGE,)


def test_unknown_uuids_and_names_are_empty_answers(graph: Graph) -> None:
    assert graph.ask("entities", ["nobody"]) == ()
    assert graph.ask("facts", ["nothing"]) == ()
    assert graph.ask("episodes", ["nowhere"]) == ()
    assert graph.ask("entities_named", "Nobody") == ()
    assert graph.ask("facts_about", "Nobody") == ()
    assert graph.ask("history", "nobody") == ()
    assert graph.ask("watermark") == Watermark(Counts(0, 0, 0), None, None)
    assert graph.scan("scan_facts") == []
    graph.delete(entities=["nobody"], facts=["nothing"], episodes=["nowhere"])


def test_precisions_and_a_mark_of_an_unknown_end_come_back_and_go(graph: Graph) -> None:
    dated = replace(JOB, valid_at_precision="year", invalid_at_precision="month")
    over = replace(KNOWS, expired_at=Y[2021], ended_unknown=True, valid_at_precision="day")
    graph.write(ADA, BOB, ACME, dated, over)
    assert graph.ask("facts", ["f-knows", "f-job"]) == (over, dated)
    assert graph.scan("scan_facts") in ([over, dated], [dated, over])
    graph.write(JOB, replace(over, target_uuid="u-acme", target="ACME"))
    assert graph.ask("facts", ["f-knows", "f-job"]) == (replace(over, target_uuid="u-acme", target="ACME"), JOB)


def test_an_attribute_named_as_a_precision_stays_an_attribute(graph: Graph) -> None:
    named = replace(KNOWS, attributes={"valid_at_precision": "good", "ended_unknown": 1}, invalid_at_precision="day")
    graph.write(ADA, BOB, named)
    assert graph.ask("facts", ["f-knows"]) == (named,)


@pytest.mark.parametrize(
    "text",
    [
        'O\'Neil "the" {brace} $param `tick` [x] (y) :Label // -- ;',
        "back\\slash \\n \\u0041 \\\\",
        "Zoë 雪 🜚 \u202e\u00a0",
        "line\nbreak\ttab\x01\x1f",
        "') DETACH DELETE n //",
        "x" * 10_000,
    ],
)
def test_text_is_data_and_never_query(graph: Graph, text: str) -> None:
    odd = Entity("u-odd", text, ("Person",), text, Y[2020], {"note": text})
    fact = Fact("f-odd", "u-odd", "u-bob", text, text, "Bob", text, Y[2020], attributes={"note": text})
    graph.write(BOB, odd, fact)
    assert graph.ask("entities_named", text) == (odd,)
    assert graph.ask("facts_about", text) == (fact,)


ESCAPED_TICK = "X\\u0060 {uuid: row[0]}) WITH row MATCH (z) DETACH DELETE z WITH row CREATE (q:\\u0060Y"
"""Neo4j reads the escape as a backtick before it reads anything else."""


@pytest.mark.parametrize(
    "name",
    [
        "Python Version",
        "Größe",
        "a.b-c",
        'has "quotes" {} $x',
        "1st",
        "MATCH",
        "A\\u0060B",
        "A\\\\u0060B",
        "u0060\\",
        "\\u005C\\u0060",
        ESCAPED_TICK,
    ],
)
def test_types_and_attribute_names_may_be_any_words(graph: Graph, name: str) -> None:
    entity = Entity("u-1", "One", (name,), attributes={name: "yes"})
    fact = Fact("f-1", "u-1", "u-bob", "One", "R", "Bob", attributes={name: "yes"})
    graph.write(BOB, entity, fact)
    for _ in range(2):
        assert graph.ask("entities", ["u-1", "u-bob"]) == (entity, BOB)
        assert graph.ask("facts", ["f-1"]) == (fact,)
        graph.write(entity, fact)


@pytest.mark.parametrize(
    "name",
    [
        "uuid",
        "name",
        "fact",
        "valid_at",
        "episodes",
        "labels",
        "attribute_name",
        "group_id",
        "my_embedding",
        "attribute_my_embedding",
        "fact_embedding",
    ],
)
def test_an_attribute_may_have_the_name_of_a_column(graph: Graph, name: str) -> None:
    fact = replace(KNOWS, attributes={name: "mine"})
    graph.write(ADA, BOB, fact)
    assert graph.ask("facts", ["f-knows"]) == (fact,)


def test_a_nested_attribute_is_kept_as_json_text(database: Graph) -> None:
    database.write(replace(ADA, attributes={"where": {"city": "Graz"}, "mixed": [1, "a"], "huge": 2**70}))
    (stored,) = database.ask("entities", ["u-ada"])
    assert stored.attributes == {"where": '{"city": "Graz"}', "mixed": '[1, "a"]', "huge": str(2**70)}


@pytest.mark.parametrize("name", ["", "a\nb"])
def test_a_type_without_a_printable_name_is_refused(database: Graph, name: str) -> None:
    with pytest.raises(BadInput):
        database.write(replace(ADA, types=(name,)))


def test_a_backtick_in_a_type_is_kept_or_refused_but_never_query(database: Graph) -> None:
    entity = replace(ADA, types=("a`) DETACH DELETE n //",))
    database.write(BOB)
    try:
        database.write(entity)
    except BadInput:
        assert database.ask("entities", ["u-ada", "u-bob"]) == (BOB,)
    else:
        assert database.ask("entities", ["u-ada", "u-bob"]) == (entity, BOB)


def test_a_second_write_replaces_the_record_whole(graph: Graph) -> None:
    graph.write(ADA, BOB, ACME, JOB, PAGE)
    ada = replace(ADA, name="Ada L.", types=("Countess", "Author"), summary="", attributes={"died": 1852})
    job = replace(JOB, source="Ada L.", invalid_at=None, ended_by=None, episodes=(), attributes={"part": True})
    page = replace(PAGE, content="Corrected.", entity_uuids=("u-ada", "u-bob"))
    graph.write(ada, job, page)
    assert graph.ask("entities", ["u-ada"]) == (ada,)
    assert graph.ask("facts", ["f-job"]) == (job,)
    assert graph.ask("episodes", ["p-1"]) == (page,)
    assert graph.ask("watermark").counts == Counts(3, 1, 1)


def test_a_fact_may_be_given_other_ends(graph: Graph) -> None:
    graph.write(ADA, BOB, ACME, JOB)
    moved = replace(JOB, source_uuid="u-bob", source="Bob")
    graph.write(moved)
    assert graph.ask("facts", ["f-job"]) == (moved,)
    assert graph.ask("history", "u-ada") == ()
    assert graph.ask("watermark").counts.facts == 1


def test_the_same_uuid_twice_in_a_batch_is_one_record(graph: Graph) -> None:
    graph.write(ADA, BOB, replace(BOB, summary="later"), KNOWS, KNOWS)
    assert graph.ask("watermark").counts == Counts(2, 1, 0)
    assert graph.ask("entities", ["u-bob"])[0].summary == "later"


def test_a_fact_about_nobody_fails_the_write(database: Graph) -> None:
    database.write(ADA)
    with pytest.raises(WriteFailed):
        database.write(KNOWS)


def test_a_rewrite_keeps_embeddings_and_what_is_not_ours(database: Graph) -> None:
    vector = "[0.5, 0.25]" if database.store.default_workspace == "" else "vecf32([0.5, 0.25])"
    database.write(ADA, BOB, ACME, JOB, PAGE)
    database.cypher(f"MATCH (n:Entity {{uuid: 'u-ada'}}) SET n.name_embedding = {vector}")
    database.cypher("MATCH (p:Episodic {uuid: 'p-1'}) SET p.reviewed = true")
    database.cypher(f"MATCH ()-[e:RELATES_TO]->() SET e.fact_embedding = {vector}, e.reference_time = 'then'")
    moved = replace(JOB, source_uuid="u-bob", source="Bob")
    for fact in (replace(JOB, invalid_at=None), moved):
        database.write(ADA, fact, PAGE)
        assert (
            database.cypher("MATCH (n:Entity {uuid: 'u-ada'}) RETURN size(keys(n)), n.name_embedding IS NULL")[0][1]
            is False
        )
        kept = database.cypher("MATCH ()-[e:RELATES_TO]->() RETURN e.fact_embedding IS NULL, e.reference_time")
        assert [list(row) for row in kept] == [[False, "then"]]
        assert database.ask("facts", ["f-job"]) == (fact,)
    page = database.cypher("MATCH (p:Episodic {uuid: 'p-1'}) RETURN p.entity_edges, p.reviewed")[0]
    assert list(page) == [["f-job"], True]


def test_deleting_an_entity_takes_its_facts_and_mentions(graph: Graph) -> None:
    graph.write(ADA, BOB, ACME, JOB, KNOWS, PAGE)
    graph.delete(entities=["u-acme"])
    assert graph.ask("watermark").counts == Counts(2, 1, 1)
    assert graph.ask("episodes", ["p-1"])[0].entity_uuids == ("u-ada",)
    graph.delete(facts=["f-knows"], episodes=["p-1"])
    assert graph.ask("watermark").counts == Counts(2, 0, 0)


def test_workspaces_do_not_see_each_other(graph: Graph) -> None:
    graph.write(ADA, BOB, KNOWS, PAGE)
    other = Graph(graph.store, graph.workspace + "-b", graph.bridge)
    other.write(replace(BOB, uuid="u-other"))
    assert {graph.workspace, other.workspace} <= set(graph.run(graph.store.workspaces()))
    assert other.ask("entities", ["u-ada"]) == ()
    assert other.ask("facts", ["f-knows"]) == ()
    assert other.ask("history", "u-ada") == ()
    other.delete(entities=["u-ada"], facts=["f-knows"], episodes=["p-1"])
    other.ask("clear")
    assert other.workspace not in graph.run(graph.store.workspaces())
    assert graph.ask("watermark").counts == Counts(2, 1, 1)
    other.write(ADA)
    assert other.ask("entities_named", "Ada") == (ADA,)
    other.ask("clear")


def test_a_workspace_name_that_graphiti_refuses_is_refused(database: Graph) -> None:
    with pytest.raises(BadInput):
        Graph(database.store, "no spaces", database.bridge).write(ADA)


def test_reading_a_workspace_does_not_create_it(graph: Graph) -> None:
    assert graph.ask("entities_named", "Ada") == ()
    assert graph.workspace not in graph.run(graph.store.workspaces())


def test_scans_give_every_record_once(graph: Graph) -> None:
    people = [Entity(f"u-{i}", f"P{i}") for i in range(30)]
    facts = [Fact(f"f-{i}", f"u-{i % 30}", f"u-{i * 7 % 30}", f"P{i % 30}", "R", f"P{i * 7 % 30}") for i in range(200)]
    graph.write(*people, *facts, PAGE)
    assert sorted(graph.scan("scan_entities"), key=lambda r: r.uuid) == sorted(people, key=lambda r: r.uuid)
    assert sorted(graph.scan("scan_facts"), key=lambda r: r.uuid) == sorted(facts, key=lambda r: r.uuid)
    assert [r.uuid for r in graph.scan("scan_episodes")] == ["p-1"]


def test_the_watermark_moves_with_new_ended_and_withdrawn_records(graph: Graph) -> None:
    graph.write(ADA, BOB, ACME, JOB)
    assert graph.ask("watermark") == Watermark(Counts(3, 1, 0), Y[2021], Y[2022])
    graph.write(replace(JOB, expired_at=Y[2023]), replace(KNOWS, created_at=Y[2024]))
    assert graph.ask("watermark") == Watermark(Counts(3, 2, 0), Y[2024], Y[2023])
    graph.write(replace(JOB, expired_at=Y[2023], withdrawn_at=Y[2025]))
    assert graph.ask("watermark") == Watermark(Counts(3, 2, 0), Y[2024], Y[2025])


def test_changes_since_a_watermark_are_what_was_recorded_ended_or_withdrawn_after_it(graph: Graph) -> None:
    graph.write(ADA, BOB, ACME, JOB, KNOWS, PAGE)
    everything = graph.ask("changed_since", None, None)
    assert {r.uuid for r in (*everything.entities, *everything.facts, *everything.episodes)} == {
        "u-ada",
        "u-bob",
        "u-acme",
        "f-job",
        "f-knows",
        "p-1",
    }
    later = graph.ask("changed_since", Y[2020], Y[2020])
    assert ([e.uuid for e in later.entities], [f.uuid for f in later.facts], later.episodes) == (
        ["u-bob"],
        ["f-job"],
        (),
    )
    graph.write(replace(KNOWS, expired_at=Y[2020], withdrawn_at=Y[2025]))
    (withdrawn,) = graph.ask("changed_since", Y[2024], Y[2024]).facts
    assert withdrawn.uuid == "f-knows"
