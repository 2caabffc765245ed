"""DESIGN's table of what an import row means: a test for each case, in either order of files."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from services.core.models import Entity, Fact, GraphWrite
from services.writing.import_plan import plan_import
from tests.services.writing.imports import NOW, Graph, attributes, row, year


def given(**cells):
    return cells


# -- new, the same, a further source


def test_a_row_about_something_unknown_is_a_new_record():
    graph = Graph()
    assert graph.take(row(2010, 2015, fact="Ann worked at Acme.", attributes={"role": "cook"})) == ["new"]
    fact = graph.fact
    assert (fact.source, fact.relation, fact.target, fact.text) == ("Ann", "WORKS_AT", "Acme", "Ann worked at Acme.")
    assert (fact.valid_at, fact.invalid_at, fact.created_at) == (year(2005), year(2015), year(2010))
    assert (fact.expired_at, fact.withdrawn_at, dict(fact.attributes)) == (None, None, {"role": "cook"})


def test_a_fact_without_a_sentence_gets_one():
    graph = Graph()
    graph.take(row(2010))
    assert graph.fact.text == "Ann works at Acme"


def test_a_row_without_created_at_is_recorded_now():
    graph = Graph()
    graph.take(row(None))
    assert graph.fact.created_at == NOW


def test_another_start_is_another_fact():
    graph = Graph()
    assert graph.take(row(2010, start=2005), row(2010, start=2006), row(2010, start=None)) == ["new"] * 3
    assert len(graph.facts) == 3


def test_a_row_that_says_the_same_changes_nothing():
    graph = Graph()
    graph.take(row(2010, 2015, attributes={"role": "cook"}))
    before = graph.fact
    assert graph.take(row(None, 2015, attributes={"role": "cook"})) == ["unchanged"]
    assert graph.fact == before


def test_a_row_that_says_the_same_from_another_episode_is_a_further_source():
    graph = Graph()
    graph.take(row(2010, episode="The first letter"))
    assert graph.take(row(2011, episode="The second letter")) == ["source"]
    assert [graph.episodes[uuid].content for uuid in graph.fact.episodes] == ["The first letter", "The second letter"]
    assert graph.fact.created_at == year(2010)


def test_the_same_text_is_the_same_episode_and_mentions_all_its_entities():
    graph = Graph()
    graph.take(row(2010, episode="A letter\nabout Ann"), row(2011, target="Bolt", episode="A letter\nabout Ann"))
    (episode,) = graph.episodes.values()
    assert (episode.name, episode.valid_at, episode.created_at) == ("A letter", year(2005), year(2010))
    assert {graph.entities[uuid].name for uuid in episode.entity_uuids} == {"Ann", "Acme", "Bolt"}


def test_an_empty_cell_erases_nothing():
    graph = Graph()
    graph.take(row(2010, 2015, attributes={"role": "cook"}))
    assert graph.take(row(2012)) == ["unchanged"]
    assert (graph.fact.invalid_at, dict(graph.fact.attributes)) == (year(2015), {"role": "cook"})


def test_a_sentence_is_taken_where_none_was_given_and_kept_where_one_was():
    graph = Graph()
    graph.take(row(2010))
    graph.take(row(2011, fact="Ann cooks at Acme."))
    graph.take(row(2012, fact="Ann is at Acme."))
    assert graph.fact.text == "Ann cooks at Acme."


# -- a change: the stored record is open, and the row has an end


@pytest.mark.parametrize(
    "files", [(row(2010), row(2016, 2015)), (row(2016, 2015), row(2010))], ids=["in order", "late"]
)
def test_an_end_for_an_open_fact_is_a_change_that_was_learned_then(files):
    graph = Graph()
    for file in files:
        graph.take(file)
    fact = graph.fact
    assert (fact.created_at, fact.invalid_at, fact.expired_at) == (year(2010), year(2015), year(2016))
    assert (fact.withdrawn_at, fact.believed_invalid_at) == (None, None)
    assert (graph.ends(2015), graph.ends(2016)) == ([None], [year(2015)])


@pytest.mark.parametrize("late", [False, True], ids=["in order", "late"])
def test_the_episode_of_a_change_is_its_cause_and_a_source(late):
    opening, ending = row(2010, episode="Hired"), row(2016, 2015, episode="Left")
    graph = Graph()
    verdicts = [graph.take(file) for file in ((ending, opening) if late else (opening, ending))]
    assert graph.episodes[graph.fact.ended_by].content == "Left"
    assert {graph.episodes[uuid].content for uuid in graph.fact.episodes} == {"Hired", "Left"}
    assert late or verdicts == [["new"], ["change"]]


def test_a_change_that_is_said_again_changes_nothing():
    graph = Graph()
    graph.take(row(2010), row(2016, 2015))
    before = graph.content()
    assert graph.take(row(2016, 2015)) == ["unchanged"]
    assert graph.take(row(2010)) == ["unchanged"]
    assert graph.content() == before


def test_an_open_row_does_not_reopen_an_ended_fact():
    graph = Graph()
    graph.take(row(2010), row(2016, 2015))
    assert graph.take(row(2020)) == ["unchanged"]
    assert graph.fact.invalid_at == year(2015)


# -- a correction: ends or attributes differ


@pytest.mark.parametrize("late", [False, True], ids=["in order", "late"])
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (given(end=2015), given(end=2014)),
        (given(attributes={"role": "cook"}), given(attributes={"role": "chef"})),
        (given(), given(attributes={"role": "chef"})),
        (given(attributes={"role": "cook"}), given(end=2015, attributes={"role": "chef"})),
    ],
    ids=["ends", "attributes", "one more attribute", "an end and attributes"],
)
def test_a_difference_withdraws_the_older_when_the_newer_was_recorded(older, newer, late):
    files = [row(2010, **older), row(2016, **newer)]
    graph = Graph()
    for file in reversed(files) if late else files:
        graph.take(file)
    first, second = graph.facts
    assert (first.created_at, first.withdrawn_at) == (year(2010), year(2016))
    assert (second.created_at, second.withdrawn_at, second.expired_at) == (year(2016), None, None)
    assert first.invalid_at == (year(older["end"]) if "end" in older else None)
    assert dict(attributes(second)) == newer.get("attributes", {})
    assert second.invalid_at == (year(newer["end"]) if "end" in newer else None)


def test_withdrawing_fills_an_empty_expired_at_so_that_graphiti_sees_an_end():
    graph = Graph()
    graph.take(row(2010, 2015), row(2016, 2014))
    first = graph.facts[0]
    assert (first.expired_at, first.believed_invalid_at, first.invalid_at) == (year(2016), year(2015), year(2015))
    assert graph.ends(2012) == [year(2015)]


def test_withdrawing_keeps_what_an_earlier_change_recorded():
    graph = Graph()
    graph.take(row(2010), row(2012, 2011), row(2016, 2014))
    first = graph.facts[0]
    assert (first.expired_at, first.withdrawn_at, first.believed_invalid_at) == (year(2012), year(2016), None)
    assert (graph.ends(2011), graph.ends(2013), graph.ends(2016)) == ([None], [year(2011)], [year(2014)])


def test_what_a_correction_does_not_give_is_kept():
    graph = Graph()
    graph.take(row(2010, 2015, fact="Ann cooked.", attributes={"role": "cook", "town": "Ulm"}))
    graph.take(row(2016, attributes={"role": "chef"}))
    second = graph.facts[1]
    assert (second.invalid_at, second.text) == (year(2015), "Ann cooked.")
    assert dict(attributes(second)) == {"role": "chef", "town": "Ulm"}


def test_of_two_that_were_recorded_together_the_row_is_the_newer():
    graph = Graph()
    graph.take(row(2010, 2015))
    assert graph.take(row(2010, 2014)) == ["correction"]
    assert graph.ends(2010) == [year(2014)]
    assert len(graph.facts) == 2


def test_a_corrected_row_that_comes_again_changes_nothing():
    graph = Graph()
    graph.take(row(2010, 2015), row(2010, 2014), row(2016, 2013))
    before = graph.content()
    for again in (row(2010, 2015), row(2010, 2014), row(2016, 2013)):
        assert graph.take(again) == ["unchanged"]
    assert graph.content() == before


def test_a_row_between_two_equal_ones_corrects_the_first_and_is_corrected():
    graph = Graph()
    for file in (row(2010, 2015), row(2014, 2015), row(2012, 2011)):
        graph.take(file)
    assert (graph.ends(2011), graph.ends(2013), graph.ends(2014)) == ([year(2015)], [year(2011)], [year(2015)])


def test_a_row_older_than_what_is_stored_extends_its_beginning_when_it_says_the_same():
    graph = Graph()
    graph.take(row(2016, 2015))
    stored = graph.fact.uuid
    assert graph.take(row(2010, 2015)) == ["source"]
    assert (graph.fact.uuid, graph.fact.created_at, graph.fact.expired_at) == (stored, year(2010), None)


def test_of_contradicting_undated_rows_the_last_stands_also_after_a_repeat():
    graph, rows = Graph(), (row(None, 2015), row(None, 2014))
    graph.take(*rows)
    before = graph.content()
    assert graph.take(*rows, now=datetime(2032, 1, 1, tzinfo=UTC)) == ["unchanged", "unchanged"]
    assert graph.content() == before
    assert graph.ends(2031) == [year(2014)]


# -- a row with record times of its own


def test_a_row_with_record_times_is_stored_as_it_stands():
    graph = Graph()
    times = {"expired_at": year(2016), "withdrawn_at": year(2018), "believed_invalid_at": year(2020)}
    assert graph.take(row(2010, 2015, **times)) == ["new"]
    assert {name: getattr(graph.fact, name) for name in times} == times
    assert (graph.ends(2011), graph.ends(2016), graph.ends(2018)) == ([year(2020)], [year(2015)], [])


def test_a_withdrawn_row_is_expired_as_well():
    graph = Graph()
    graph.take(row(2010, 2015, withdrawn_at=year(2018)))
    assert (graph.fact.expired_at, graph.fact.believed_invalid_at) == (year(2018), year(2015))


def test_record_times_go_to_the_record_that_was_made_at_the_same_instant():
    graph = Graph()
    graph.take(row(2010))
    stored = graph.fact.uuid
    assert graph.take(row(2010, 2015, expired_at=year(2016))) == ["change"]
    assert graph.take(row(2010, 2015, expired_at=year(2016), withdrawn_at=year(2018))) == ["change"]
    fact = graph.fact
    assert (fact.uuid, fact.invalid_at, fact.expired_at, fact.withdrawn_at) == (
        stored,
        year(2015),
        year(2016),
        year(2018),
    )


def test_an_end_that_was_believed_before_is_kept_when_another_was_learned():
    graph = Graph()
    graph.take(row(2010, 2020))
    graph.take(row(2010, 2015, expired_at=year(2016)))
    assert (graph.ends(2012), graph.ends(2016)) == ([year(2020)], [year(2015)])


def test_the_original_row_after_the_one_with_record_times_changes_nothing():
    graph = Graph()
    graph.take(row(2010, 2015, expired_at=year(2016), withdrawn_at=year(2018)))
    before = graph.content()
    assert graph.take(row(2010)) == ["unchanged"]
    assert graph.content() == before


def test_a_withdrawn_record_does_not_stand_in_the_way_of_a_new_one():
    graph = Graph()
    graph.take(row(2010, withdrawn_at=year(2012)))
    assert graph.take(row(2014)) == ["new"]
    assert (graph.ends(2011), graph.ends(2013), graph.ends(2014)) == ([None], [], [None])


def test_the_source_that_tells_of_the_end_is_its_cause_alone():
    graph = Graph()
    graph.take(row(2010, 2015, expired_at=year(2015), episode="Hired", ending="Left"))
    assert graph.episodes[graph.fact.ended_by].content == "Left"
    assert [graph.episodes[uuid].content for uuid in graph.fact.episodes] == ["Hired"]
    assert graph.episodes[graph.fact.ended_by].valid_at == year(2015)


# -- entities


def test_an_entity_is_the_same_when_name_and_type_are():
    graph = Graph()
    graph.take(row(2010, source_type="Person"), row(2010, source_type="Ship", target="Bolt"))
    graph.take(row(2011, source_type="Person", target="Cog"))
    assert sorted((e.name, e.type) for e in graph.entities.values() if e.name == "Ann") == [
        ("Ann", "Person"),
        ("Ann", "Ship"),
    ]


def test_a_missing_type_matches_any_in_either_order_of_rows():
    for rows in ([row(2010, source_type="Person"), row(2011)], [row(2010), row(2011, source_type="Person")]):
        together, apart = Graph(), Graph()
        together.take(*rows)
        for file in rows:
            apart.take(file)
        for graph in (together, apart):
            assert [e.types for e in graph.entities.values() if e.name == "Ann"] == [("Person",)]
            assert len(graph.facts) == 1


def test_names_differ_by_case():
    graph = Graph()
    graph.take(row(2010), row(2010, source="ANN"))
    assert {e.name for e in graph.entities.values()} == {"Ann", "ANN", "Acme"}


def test_the_same_import_gives_the_same_uuids_in_every_workspace_of_that_name():
    first, second = Graph(), Graph()
    for graph in (first, second):
        graph.take(row(2010, 2015, episode="A letter"), row(2016, 2014))
    assert first.content() == second.content()


# -- graphs that others wrote


def test_what_others_wrote_is_corrected_by_the_same_rules():
    graph = Graph()
    ann, acme = Entity("a", "Ann", ("Person",)), Entity("b", "Acme")
    foreign = Fact("f", "a", "b", "Ann", "WORKS_AT", "Acme", "Ann has a job.", year(2005), None, None)
    graph.entities, graph.records = {"a": ann, "b": acme}, {"f": foreign}
    assert graph.take(row(2016, 2015)) == ["change"]
    assert (graph.fact.uuid, graph.fact.expired_at, graph.fact.created_at) == ("f", year(2016), None)


def test_two_records_that_others_wrote_of_one_fact_are_not_merged_by_a_late_row():
    graph = Graph()
    graph.entities = {"a": Entity("a", "Ann"), "b": Entity("b", "Acme")}
    twins = {
        uuid: Fact(uuid, "a", "b", "Ann", "WORKS_AT", "Acme", "", year(2005), None, year(at))
        for uuid, at in (("f", 2010), ("g", 2012))
    }
    graph.records = dict(twins)
    assert graph.take(row(2008)) == ["unchanged"]
    assert graph.records == twins


def test_a_plan_tells_what_it_would_replace():
    from services.writing.import_plan import plan_import

    graph = Graph()
    graph.take(row(2010))
    stored = GraphWrite(tuple(graph.entities.values()), tuple(graph.records.values()))
    plan = plan_import("w", [row(2016, 2015), row(2016, target="Bolt")], stored, NOW)
    assert plan.before == GraphWrite(facts=(graph.fact,))
    assert {f.target for f in plan.created.facts} == {"Bolt"}
    assert [e.name for e in plan.created.entities] == ["Bolt"]
    assert plan.counts == {"new": 1, "source": 0, "change": 1, "correction": 0, "unchanged": 0}


# -- what came to be otherwise since


def test_a_row_with_record_times_and_no_created_at_says_the_same_the_second_time():
    graph = Graph()
    assert graph.take(row(None, 2012, expired_at=year(2012))) == ["new"]
    assert graph.take(row(None, 2012, expired_at=year(2012)), now=year(2032)) == ["unchanged"]


def test_a_float_that_came_back_with_fewer_digits_says_the_same():
    graph = Graph()
    graph.take(row(2010, attributes={"share": 0.30000000000000004}))
    (uuid,) = graph.records
    graph.records[uuid] = replace(graph.records[uuid], attributes={"share": 0.3})
    assert graph.take(row(2010, attributes={"share": 0.30000000000000004})) == ["unchanged"]
    assert graph.take(row(2011, attributes={"share": 0.31})) == ["correction"]


def test_a_uuid_that_another_record_has_by_now_is_not_taken_from_it():
    rows, nothing = [row(2010)], GraphWrite()
    first = plan_import("w", rows, nothing, NOW).created
    taken = frozenset({*(e.uuid for e in first.entities), *(f.uuid for f in first.facts)})
    again = plan_import("w", rows, nothing, NOW, taken=taken).created
    assert [e.name for e in again.entities] == [e.name for e in first.entities]
    assert taken.isdisjoint({*(e.uuid for e in again.entities), *(f.uuid for f in again.facts)})
