"""Names and histories, on every backend."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from services.core import clock
from services.core.models import Entity, Fact
from services.mirror.mirrors import Mirrors
from tests.contract.conftest import Graph

START, END = datetime(2010, 1, 1, tzinfo=UTC), datetime(2015, 1, 1, tzinfo=UTC)


def person(name: str, uuid: str = "", created_at: datetime | None = START) -> Entity:
    return Entity(uuid or f"u-{name}", name, ("Person",), created_at=created_at)


def link(source: str, target: str, uuid: str = "", **times: datetime | None) -> Fact:
    spans = {"valid_at": START, "created_at": START} | times
    return Fact(uuid or f"{source}>{target}", f"u-{source}", f"u-{target}", source, "KNOWS", target, **spans)


def test_an_exact_name_comes_before_other_cases_of_it(graph: Graph) -> None:
    graph.write(person("ada"), person("Ada"), person("ADA"), person("Bob"))
    assert [e.name for e in graph.ask("entities_named", "Ada")] == ["Ada"]
    assert [e.name for e in graph.ask("entities_named", "BOB")] == ["Bob"]


def test_entities_of_one_name_come_oldest_first(graph: Graph) -> None:
    twins = [person("Ada", "u-2", END), person("Ada", "u-3", START), person("Ada", "u-1", None)]
    graph.write(*twins)
    assert [e.uuid for e in graph.ask("entities_named", "Ada")] == ["u-1", "u-3", "u-2"]


def test_facts_about_a_name_are_those_on_either_side_by_start(graph: Graph) -> None:
    graph.write(person("A"), person("B"), person("C"))
    facts = [link("A", "B", valid_at=END), link("C", "A"), link("B", "C"), link("A", "C", valid_at=None)]
    graph.write(*facts)
    expected = ["A>C", "C>A", "A>B"]
    assert [f.uuid for f in graph.ask("facts_about", "A")] == expected
    assert [f.uuid for f in graph.ask("facts_about", "a")] == expected
    assert [f.uuid for f in graph.ask("history", "u-A")] == expected


def test_parallel_facts_and_a_fact_about_itself_are_each_given_once(graph: Graph) -> None:
    graph.write(person("A"), person("B"), link("A", "B", "f-1"), link("A", "B", "f-2"), link("A", "A", "f-3"))
    assert [f.uuid for f in graph.ask("history", "u-A")] == ["f-1", "f-2", "f-3"]


SPELLINGS = [
    "2015-06-01T00:00:00Z",
    "2015-06-01T02:00:00+02:00",
    "2015-06-01 00:00:00",
    "2015-06-01",
    "20150601T000000Z",
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_dates_are_read_in_any_spelling(database: Graph, spelling: str) -> None:
    database.write(person("A"), person("B"), link("A", "B"))
    database.cypher("MATCH ()-[e:RELATES_TO]->() SET e.valid_at = $when, e.created_at = null", when=spelling)
    (fact,) = database.ask("facts_about", "A")
    assert fact.valid_at == datetime(2015, 6, 1, tzinfo=UTC)
    assert fact.created_at is None


def test_what_no_one_can_read_as_a_date_is_no_date(database: Graph) -> None:
    database.write(person("A"), person("B"), link("A", "B"))
    database.cypher("MATCH ()-[e:RELATES_TO]->() SET e.valid_at = 'some day'")
    assert database.ask("facts_about", "A")[0].valid_at is None


def test_a_write_spells_dates_so_that_text_sorts_in_time_order(embedded: Graph) -> None:
    whole = datetime(2015, 6, 1, 12, tzinfo=UTC)
    embedded.write(
        person("A"), person("B"), link("A", "B", valid_at=whole), link("B", "A", valid_at=whole.replace(microsecond=5))
    )
    rows = embedded.cypher("MATCH ()-[e:RELATES_TO]->() RETURN e.valid_at ORDER BY e.valid_at")
    assert [row[0] for row in rows] == [clock.spell(whole), clock.spell(whole.replace(microsecond=5))]


def test_replacing_an_entity_renames_it_in_its_facts(graph: Graph) -> None:
    graph.write(person("A"), person("B"), link("A", "B"))
    graph.write(replace(person("A"), name="Anna"))
    assert [(f.source, f.target) for f in graph.ask("facts_about", "Anna")] == [("Anna", "B")]


SPELLINGS = [
    ("STRASSE", "straße"),
    ("ΣΊΣΥΦΟΣ", "σίσυφος"),
    ("İzmir", "i̇zmir"),
    ("Ångström", "ÅNGSTRÖM"),
    ("Жук", "жук"),
]


@pytest.mark.parametrize(("name", "asked"), SPELLINGS)
def test_a_name_is_found_in_whatever_case_of_any_script_and_the_mirror_agrees(
    graph: Graph, name: str, asked: str
) -> None:
    named = Entity("u-named", name)
    graph.write(named, Entity("u-x", "x"), Fact("f-named", "u-named", "u-x", name, "R", "x"))
    assert graph.ask("entities_named", asked) == (named,)
    assert [f.uuid for f in graph.ask("facts_about", asked)] == ["f-named"]
    mirrors = Mirrors(None, graph.store, graph.bridge)
    assert mirrors.of(graph.workspace).entities_named(asked) == (named,)
    mirrors.close()


ODD = ["", " a ", "a ", "\tb", "a\n", "a\x01b", "N" * 20_000]


@pytest.mark.parametrize("name", ODD, ids=lambda name: repr(name[:9]))
def test_a_name_is_found_exactly_whatever_an_index_makes_of_it(graph: Graph, name: str) -> None:
    named = Entity("u-named", name)
    graph.write(named, Entity("u-other", name.upper() + "B"))
    assert graph.ask("entities_named", name, exactly=True) == (named,)
    assert graph.ask("entities_named", name + "b", exactly=True) == ()
