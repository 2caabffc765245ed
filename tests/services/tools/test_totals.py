"""A total counts what there is. A search that stops at a limit has none, and says so."""

import pytest

from services.agent.app import App
from services.core.models import Entity
from services.mirror.mirror import Mirror
from services.tools.knowledge_tools import nearby_facts
from services.tools.registry import TOOLS
from services.tools.tool import Context
from services.tools.toolbox import Toolbox
from tests.services.retrieval.conftest import W, write
from tests.services.tools.conftest import Ask, fact


def lines_of(services: App, tool: str, **given: object) -> tuple[list[str], bool]:
    """The lines that a model reads, and whether the check may take the result for all there is."""
    box = Toolbox(Context(services.workspace(W)), TOOLS.values())
    lines = box.for_model(box.call(tool, given)).splitlines()
    (whole,) = (one for one in box.evidence if one.kind == "result")
    return lines, whole.is_whole


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("search_entities", {"query": "Ada", "limit": 2}),
        ("search_knowledge", {"query": "brake test", "limit": 2}),
        ("graph_search", {"query": "Ada", "maxResults": 2}),
        ("memory_search", {"query": "brake test", "maxResults": 2}),
    ],
)
def test_what_a_search_stops_at_is_not_told_as_a_total(filled: App, tool: str, given: dict[str, object]) -> None:
    lines, is_whole = lines_of(filled, tool, **given)
    assert lines[-1].endswith("the 2 best.)")
    assert not is_whole


def test_a_search_of_the_whole_graph_is_not_whole_but_an_entitys_facts_are(filled: App) -> None:
    assert not lines_of(filled, "search_knowledge_graph", query="works")[1]
    lines, is_whole = lines_of(filled, "search_knowledge_graph", query="works", entity_name="Ada")
    assert lines[-1].endswith("total 4.)")
    assert is_whole


def test_a_search_that_finds_nothing_has_a_total_of_none(filled: App) -> None:
    assert lines_of(filled, "search_entities", query="x", entity_type="Ship")[0][-1].endswith("total 0.)")


def test_entities_of_a_type_are_counted_before_the_best_are_chosen(ask_own: Ask, filled: App) -> None:
    write(filled, *(Entity(f"n{n}", f"N{n}", ("Person",)) for n in range(20)))
    filled.indexes.prepare(W)
    result = ask_own("search_entities", query="Ada", entity_type="person", limit=2)
    assert (result.total, result.document["total"], len(result.items)) == (23, 23, 2)
    lines, is_whole = lines_of(filled, "search_entities", query="Ada", entity_type="Person", limit=2)
    assert lines[0] == "23 entities of type Person; the top 2 matches for “Ada”:"
    assert lines[-2].startswith("... truncated. 23 entities are of this type.")
    assert lines[-1].endswith("total 23.)")
    assert is_whole


def test_changes_are_counted_before_the_newest_are_chosen(ask: Ask) -> None:
    every = ask("get_change_history", limit=100)
    assert every.total == len(every.items)
    cut = ask("get_change_history", limit=3)
    assert (cut.total, cut.document["total"], len(cut.items)) == (every.total, every.total, 3)
    assert cut.heading == f"{every.total} changes, the 3 newest:"
    since = ask("get_change_history", since="2021-01-01", limit=1)
    assert since.total == len(ask("get_change_history", since="2021-01-01", limit=100).items) < every.total
    then = ask("get_change_history", as_of="2020-03-01", known_at="2020-03-01", limit=1)
    assert then.total == 3


def test_every_shortest_path_of_many_facts_is_told_and_counted(ask_own: Ask, filled: App) -> None:
    write(filled, *(Entity(f"m{n}", f"M{n}") for n in range(4)), Entity("zoe", "Zoe"))
    steps = [("Fly", "M0"), ("Fly", "M1"), ("M0", "M2"), ("M1", "M2"), ("M1", "M3"), ("M2", "Zoe"), ("M3", "Zoe")]
    write(filled, *(fact(f"{a}{b}", a, "LEADS_TO", b, "2021-01-01") for a, b in steps))
    write(filled, fact("twice", "Zoe", "FOLLOWS", "M3", "2021-01-01"))
    result = ask_own("find_path", source="Fly", target="Zoe")
    assert [row["entities"] for row in result.rows] == [
        ["Fly", "M0", "M2", "Zoe"],
        ["Fly", "M1", "M2", "Zoe"],
        ["Fly", "M1", "M3", "Zoe"],
        ["Fly", "M1", "M3", "Zoe"],
    ]
    assert (result.total, result.summary) == (4, "4 paths of 3 facts")
    assert {item.fact.uuid for item in result.items if item.fact} >= {"twice", "M3Zoe"}


def test_more_long_paths_than_are_told_are_counted(ask_own: Ask, filled: App) -> None:
    near, far = ([Entity(f"{side}{n}", f"{side.upper()}{n}") for n in range(9)] for side in "nf")
    steps = [("Fly", one.name) for one in near] + [(a.name, b.name) for a in near for b in far]
    steps += [(one.name, "Zoe") for one in far]
    write(filled, *near, *far, Entity("zoe", "Zoe"))
    write(filled, *(fact(f"{a}{b}", a, "LEADS_TO", b, "2021-01-01") for a, b in steps))
    result = ask_own("find_path", source="Fly", target="Zoe")
    assert (result.total, len(result.rows)) == (81, 50)
    assert len({tuple(row["entities"]) for row in result.rows}) == 50


def test_what_surrounds_many_is_read_once_a_hop_and_is_what_surrounds_each(
    filled: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    context, asked = Context(filled.workspace(W)), list[int]()
    read = Mirror.facts_touching
    monkeypatch.setattr(Mirror, "facts_touching", lambda *given: asked.append(1) or read(*given))
    names = ["ada", "bob", "cy", "labs", "fly", "engines"]
    together = nearby_facts(context, names, 3)
    assert len(asked) <= 3
    assert together == {name: nearby_facts(context, [name], 3)[name] for name in names}
    assert [one.uuid for one in together["bob"][0]] == ["f3", "f2", "f5", "f4"]


def test_a_graph_search_tells_a_relationship_to_a_model_once(filled: App) -> None:
    lines, _ = lines_of(filled, "graph_search", query="Ada", maxHops=2)
    facts = [line.split(" [")[0] for line in lines if line.startswith('{"source"')]
    assert len(facts) == len(set(facts)) == 4


def test_a_graph_search_tells_a_model_how_much_the_graph_has(filled: App, ask_own: Ask) -> None:
    stats = ask_own("graph_search", query="Ada").document["stats"]
    line = f"The graph has {stats['totalEntities']} entities and {stats['totalRelationships']} relationships in all."
    assert lines_of(filled, "graph_search", query="Ada")[0][0] == line
    assert lines_of(filled, "graph_search", query="Ada", entityType="Ship")[0][0] != line


def test_a_search_of_facts_says_how_many_it_looked_at(filled: App, ask_own: Ask) -> None:
    every = filled.mirrors.of(W).counts().facts
    everything = ask_own("search_knowledge_graph", query="works").document["looked_at"]
    assert everything >= every > len(ask_own("search_knowledge_graph", query="works", as_of="2019-06-01").items)
    assert lines_of(filled, "search_knowledge_graph", query="works")[0][0] == f"Looked at {everything} facts."
    then = ask_own("search_knowledge_graph", query="works", as_of="2019-06-01").document
    assert then["looked_at"] < everything
    of_ada, _ = lines_of(filled, "search_knowledge_graph", query="works", entity_name="Ada")
    assert of_ada[0].startswith("Looked at 5 facts for 'Ada'")
