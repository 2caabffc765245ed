"""A proposal is made against what the graph holds."""

from dataclasses import replace

import pytest

from services.core.change_records import Origin
from services.core.draft_records import Ending, Extraction, SourceText
from services.core.models import Entity
from services.proposals.graph_diff import bare_proposal, diff_against_graph
from services.proposals.graph_snapshot import snapshot_for
from services.proposals.proposal_records import EntityChoice
from services.proposals.resolving import CHOSEN, FORMER
from services.proposals.revising import with_entity
from services.writing.change_sets import writing
from services.writing.edits import Edit, Merge
from tests.services.proposals.snapshots import ACME, ANN, BOB, PARIS, READ, ROME, SCHEMA, draft, fact, year
from tests.services.retrieval.conftest import W, graph, services, write

__all__ = ["graph", "services"]

TEXT = SourceText("note", "Ann moved to Paris in 2020.", reference_time=READ)


def proposed(services, *drafts, endings=()):
    bare = bare_proposal(TEXT, Extraction(drafts, tuple(endings)), SCHEMA, "rules")
    return diff_against_graph(services.workspace(W), bare)


def test_an_empty_workspace_knows_nobody(services):
    found = proposed(services, draft("Ann Lee", "LIVES_IN", "Paris", 2020))
    assert [f.verdict for f in found.facts] == ["new"]
    assert [(f.source.uuid, f.target.uuid) for f in found.facts] == [(None, None)]


def test_names_verdicts_and_endings_come_of_the_graph(services):
    roman = fact(ANN, "LIVES_IN", ROME, 2010)
    write(services, ANN, ROME, PARIS, roman)
    found = proposed(services, draft("ann lee", "LIVES_IN", "Paris", 2020), draft("Lee", "KNOWS", "Bob"))
    assert (found.facts[0].source.uuid, found.facts[0].target.uuid) == ("ann", "paris")
    assert [candidate.entity.uuid for candidate in found.facts[1].source.others] == ["ann"]
    assert [(e.fact.uuid, e.ticked) for e in found.endings] == [(roman.uuid, True)]


def test_a_relation_is_taken_to_hold_one_at_a_time_once_the_data_shows_it(services):
    places = [Entity(f"p{n}", f"Place {n}") for n in range(6)]
    steps = [fact(ANN, "STAYS_IN", places[n], 2010 + n, 2011 + n) for n in range(2)]
    write(services, ANN, BOB, *places, *steps, fact(ANN, "STAYS_IN", places[2], 2012))
    said = draft("Ann Lee", "STAYS_IN", "Place 5", 2020)
    assert proposed(services, said).endings == ()
    write(services, fact(BOB, "STAYS_IN", places[0], 2010, 2011), fact(BOB, "STAYS_IN", places[1], 2011, 2012))
    assert [e.fact.target for e in proposed(services, said).endings] == ["Place 2"]


def test_one_fact_for_each_source_shows_nothing_about_a_relation(services):
    write(services, ANN, BOB, ROME, PARIS, fact(ANN, "VISITED", ROME, 2010), fact(BOB, "VISITED", ROME, 2011))
    assert proposed(services, draft("Ann Lee", "VISITED", "Paris", 2020)).endings == ()


def test_what_an_extractor_takes_for_ended_is_offered_if_there_is_such_a_fact(services):
    stored = fact(BOB, "WORKS_FOR", ACME, 2010)
    write(services, ANN, BOB, ACME, stored)
    wild = [Ending(stored.uuid, year(2020), 0), Ending("no such fact", year(2020), 0), Ending(stored.uuid, None, 7)]
    found = proposed(services, draft("Ann Lee", "KNOWS", "Acme Corp.", 2020), endings=wild)
    assert [(e.fact, e.ticked, e.by) for e in found.endings] == [(stored, False, "0")]


def test_a_proposal_is_weighed_again_as_the_graph_is_by_now(services):
    found = proposed(services, draft("Ann Lee", "LIVES_IN", "Rome", 2010))
    write(services, ANN, ROME, fact(ANN, "LIVES_IN", ROME, 2010))
    again = diff_against_graph(services.workspace(W), found)
    assert [(f.verdict, f.source.uuid) for f in again.facts] == [("source", "ann")]


def test_the_ground_holds_what_the_analyst_may_choose(services):
    write(services, ANN, BOB, fact(ANN, "KNOWS", BOB, 2010))
    found = proposed(services, draft("Lee", "KNOWS", "Bob", 2010))
    snapshot = snapshot_for(services.workspace(W), found)
    assert {e.uuid for e in snapshot.stored.entities} == {"ann", "bob"}
    assert [f.uuid for f in snapshot.stored.facts] == ["ann-KNOWS-bob-2010"]


def test_a_chosen_longer_name_has_its_history_beside_a_namesake(services):
    language, lovelace = Entity("lang", "Ada", ("Language",)), Entity("ada", "Ada Lovelace", ("Person",))
    write(services, language, lovelace, ROME, PARIS, fact(lovelace, "LIVES_IN", ROME, 2010))
    found = proposed(services, draft("Ada", "LIVES_IN", "Paris", 2020, source_type="Person"))
    assert [other.entity.uuid for other in found.facts[0].source.others] == ["lang", "ada"]
    chosen = with_entity(found, snapshot_for(services.workspace(W), found), "Ada", "Person", "ada")
    (ending,) = diff_against_graph(services.workspace(W), chosen).endings
    assert (ending.fact.target, ending.invalid_at, ending.ticked) == ("Rome", year(2020), True)


def test_names_and_choices_of_merged_entities_lead_to_the_one_that_was_kept(services):
    twin = Entity("twin", "Annie L.", ("Person",), created_at=year(2005))
    write(services, ANN, twin, BOB, fact(ANN, "KNOWS", BOB, 2010))
    found = proposed(services, draft("annie l", "KNOWS", "Bob", 2010), draft("A. Lee", "KNOWS", "Bob", 2010))
    found = replace(found, choices=(EntityChoice("A. Lee", "", "twin"),))
    with writing(services.workspace(W)) as writer:
        writer.apply(Edit(merges=(Merge("twin", "ann"),)), title="merge", origin=Origin("merge"))
    again = diff_against_graph(services.workspace(W), found)
    assert [(f.source.uuid, f.source.reason) for f in again.facts] == [("ann", FORMER), ("ann", CHOSEN)]
    assert again.facts[0].verdict == "source"


@pytest.mark.parametrize("label", ["Episodic", "MergedEntity", "Community", "Saga"])
def test_an_entity_is_not_given_the_label_of_a_record_of_another_kind(services, label):
    (one,) = proposed(services, draft("Ann", "KNOWS", "Bob", source_type=label)).facts
    assert one.draft.source_type == ""


@pytest.mark.parametrize("name", ["O'Brien", 'a "b" c', "%_\\", "`x`"])
def test_odd_names_are_names(services, name):
    write(services, replace(ANN, name=name))
    (one,) = proposed(services, draft(name, "KNOWS", "Bob", source_type="Per`son")).facts
    assert (one.source.uuid, one.draft.source_type) == ("ann", "")


@pytest.mark.parametrize("name", ["", "  ", "\0", "\ud800"])
def test_a_draft_without_a_name_is_left_out(services, name):
    found = proposed(services, draft(name, "KNOWS", "Bob"), draft("Ann", "KNOWS", f"Bob{name}"))
    assert [(f.key, f.draft.target) for f in found.facts] == [("1", "Bob")]
