"""Elements are read as a database has them, and put exactly so, on every database."""

from datetime import UTC, datetime

from services.core.models import Entity, Episode, Fact, GraphWrite
from services.graph import raw
from services.graph.raw import RawEdge, RawNode
from tests.contract.conftest import Graph

NOW = datetime(2020, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
ANN = Entity(
    "a", "Ann\x01 ", ("Person",), created_at=NOW, attributes={"x": 0.1 + 0.2, "n": 1, "half": 1.0, "l": [1, 2]}
)
BO = Entity("b", "Bø “quoted”", created_at=NOW)
KNOWS = Fact(
    "f",
    "a",
    "b",
    "Ann",
    "KNOWS",
    "Bo",
    "Ann knows Bo.",
    NOW,
    created_at=NOW,
    episodes=("p",),
    attributes={"y": 2.5, "ok": True, "texts": ["ä", ""]},
)
PAGE = Episode("p", "Page", "Ann knows Bo.", created_at=NOW, entity_uuids=("a", "b"))
ALL = GraphWrite((ANN, BO), (KNOWS,), (PAGE,))


def read(graph: Graph, *keys: str):
    return graph.run(graph.store.raw.read(graph.workspace, keys))


def put(graph: Graph, wanted) -> None:
    graph.run(graph.store.raw.put(graph.workspace, wanted))


def test_what_a_write_says_that_records_become_is_what_is_read(graph: Graph) -> None:
    digests = graph.run(graph.store.raw.create(graph.workspace, ALL, {"p": ["f"]}))
    held = read(graph, *digests)
    assert {key: raw.digest(bag) for key, bag in held.items()} == digests
    assert {len(bag) for bag in held.values()} == {1}
    assert len(digests) == 6
    assert set(graph.run(graph.store.raw.around(graph.workspace, ["Entity:a"]))) == {
        "RELATES_TO:f",
        raw.link_key("MENTIONS", "Episodic:p", "Entity:a"),
    }


def test_elements_that_were_deleted_come_back_exactly(graph: Graph) -> None:
    keys = graph.run(graph.store.raw.create(graph.workspace, ALL, {"p": ["f"]}))
    held = read(graph, *keys)
    put(graph, dict.fromkeys(keys, ()))
    assert set(read(graph, *keys).values()) == {()}
    put(graph, held)
    assert read(graph, *keys) == held
    put(graph, held)
    assert read(graph, *keys) == held


def test_a_digest_changes_with_any_property_with_a_label_and_with_an_end(graph: Graph) -> None:
    digests = graph.run(graph.store.raw.create(graph.workspace, ALL, {"p": ["f"]}))
    held = read(graph, *digests)
    for key, (one,) in held.items():
        other = dict(one.properties)
        other["n"] = other.get("n", 1) + 1
        changed = (
            RawNode(one.labels, other) if isinstance(one, RawNode) else RawEdge(one.type, one.source, one.target, other)
        )
        assert raw.digest([changed]) != digests[key]
    (fact,) = held["RELATES_TO:f"]
    assert raw.digest([RawEdge(fact.type, fact.target, fact.source, fact.properties)]) != digests["RELATES_TO:f"]
    (ann,) = held["Entity:a"]
    assert raw.digest([RawNode((*ann.labels, "Z"), ann.properties)]) != digests["Entity:a"]


def test_images_come_back_from_bytes_as_they_were(graph: Graph) -> None:
    keys = graph.run(graph.store.raw.create(graph.workspace, ALL, {"p": ["f"]}))
    held = read(graph, *keys)
    assert raw.image_of(raw.unpacked(raw.packed(raw.image_document(held)))) == held


def test_what_others_wrote_survives_with_vectors_and_native_dates(database: Graph) -> None:
    vector = database.store._db.vector("[0.1, 0.25]")
    dates = (
        "date('2020-01-02')"
        if "falkor" in type(database.store._db).__module__
        else ("datetime('2020-07-01T10:00:00.123456789+02:00[Europe/Berlin]')")
    )
    database.cypher(
        f"CREATE (a:Entity:Person {{uuid: 'a', group_id: '{database.workspace}', name: 'Ann', v: {vector}, d: {dates},"
        f" p: point({{latitude: 1.5, longitude: 2.25}})}})-[:RELATES_TO {{uuid: 'f', group_id: '{database.workspace}',"
        f" fact_embedding: {vector}, d: {dates}}}]->(a)"
    )
    spelled = "MATCH (n:Entity)-[e]->() RETURN toString(n.d), toString(e.d), n.v, n.p, e.fact_embedding"
    before = database.run(database.store._db.read(database.workspace, spelled))
    held = read(database, "Entity:a", "RELATES_TO:f")
    put(database, dict.fromkeys(held, ()))
    put(database, held)
    assert read(database, "Entity:a", "RELATES_TO:f") == held
    assert database.run(database.store._db.read(database.workspace, spelled)) == before


def test_several_elements_of_one_key_are_kept_apart(database: Graph) -> None:
    group = f"group_id: '{database.workspace}'"
    database.cypher(
        f"CREATE (a:Entity {{uuid: 'a', {group}}}), (b:Entity {{uuid: 'b', {group}}}),"
        f" (a)-[:RELATES_TO {{uuid: 'f', {group}, n: 1}}]->(b), (a)-[:RELATES_TO {{uuid: 'f', {group}, n: 2}}]->(b),"
        f" (a)-[:LIKES {{n: 1}}]->(b), (a)-[:LIKES {{n: 2}}]->(b), (a)-[:RELATES_TO {{{group}, n: 3}}]->(b)"
    )
    around = database.run(database.store.raw.around(database.workspace, ["Entity:a"]))
    assert {key: len(bag) for key, bag in around.items()} == {
        "RELATES_TO:f": 2,
        raw.link_key("LIKES", "Entity:a", "Entity:b"): 2,
        raw.link_key("RELATES_TO", "Entity:a", "Entity:b"): 1,
    }
    fewer = {key: bag[:1] for key, bag in around.items()}
    put(database, fewer)
    assert database.run(database.store.raw.around(database.workspace, ["Entity:a"])) == fewer
    put(database, around)
    again = read(database, *around)
    assert {key: raw.digest(bag) for key, bag in again.items()} == {k: raw.digest(bag) for k, bag in around.items()}


def test_an_edge_without_its_ends_is_left_out(graph: Graph) -> None:
    put(graph, {"RELATES_TO:f": (RawEdge("RELATES_TO", "Entity:a", "Entity:b", {"uuid": "f", "name": "KNOWS"}),)})
    assert read(graph, "RELATES_TO:f") == {"RELATES_TO:f": ()}
