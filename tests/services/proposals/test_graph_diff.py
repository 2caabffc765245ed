"""What drafts mean against a graph: what names stand for, what is new, what looks alike."""

from dataclasses import replace

import pytest

from services.core.errors import BadInput
from services.core.models import Entity
from services.proposals.proposal_records import document_of, proposal_of
from services.proposals.resolving import CHOSEN, FORMER, LONGER, SAME, SAME_BUT_SPELLING
from services.proposals.revising import with_draft, with_entity, with_ticks, without
from services.proposals.rows import is_over_unknown, is_possible, rows_of
from tests.services.proposals.snapshots import (
    ACME,
    ANN,
    BOB,
    PARIS,
    ROME,
    draft,
    fact,
    proposal,
    snapshot,
    year,
)


def only(found):
    (one,) = found.facts
    return one


def test_a_name_is_the_entity_of_the_same_name_and_type():
    one = only(
        proposal(snapshot(), draft("Ann Lee", "LIVES_IN", "Rome", 2020, source_type="Person", target_type="Place"))
    )
    assert (one.source.uuid, one.source.reason, one.target.uuid) == ("ann", SAME, "rome")
    assert (one.verdict, one.ticked, one.reason) == ("new", True, "")


@pytest.mark.parametrize("name", [" ", "X" * 1001])
def test_a_draft_keeps_its_name_where_the_new_one_can_be_none(name):
    on = snapshot()
    found = proposal(on, draft("Ann Lee", "KNOWS", "Bob"))
    with pytest.raises(BadInput, match=r"The value (is empty|has 1,001 characters)"):
        with_draft(found, on, "0", target=name)


def test_a_missing_type_matches_any_and_another_type_none():
    bare, other = proposal(
        snapshot(),
        draft("Bob", "KNOWS", "Ann Lee", source_type="Person"),
        draft("Ann Lee", "KNOWS", "x", source_type="Product"),
    ).facts
    assert (bare.source.uuid, bare.target.uuid) == ("bob", "ann")
    assert other.source.uuid is None
    assert [c.reason for c in other.source.others] == ["the same name, but of type Person"]


def test_case_spaces_and_full_stops_make_no_other_name():
    one = only(proposal(snapshot(), draft("ann  lee", "WORKS_FOR", "ACME CORP", 2020)))
    assert (one.source.uuid, one.target.uuid) == ("ann", "acme")
    assert {one.source.reason, one.target.reason} == {SAME_BUT_SPELLING}


def test_a_name_of_a_merged_entity_is_the_kept_ones():
    one = only(proposal(snapshot(former={"annie lee": "ann"}), draft("Annie Lee", "KNOWS", "Bob", 2020)))
    assert (one.source.uuid, one.source.reason) == ("ann", FORMER)


def test_anything_weaker_is_offered_and_not_taken():
    found = proposal(
        snapshot(), draft("Lee", "WORKS_FOR", "Acme", 2020, source_type="Person", target_type="Organization")
    )
    one = only(found)
    assert (one.source.uuid, one.target.uuid) == (None, None)
    assert [(c.entity.uuid, c.reason) for c in one.source.others] == [("ann", "a last name")]
    assert [c.entity.uuid for c in one.target.others] == ["acme"]


LABS = Entity("labs", "Turing Labs", ("Company",))
TOWER = Entity("tower", "Turing Tower", ("Place",))


def test_longer_names_with_the_words_of_a_name_are_offered_where_nobody_has_it():
    on = snapshot(entities=(LABS, TOWER, BOB))
    one = only(proposal(on, draft("Bob", "WORKS_FOR", "Turing", target_type="Company")))
    assert [(c.entity.uuid, c.reason) for c in one.target.others] == [("labs", LONGER)]
    bare = only(proposal(on, draft("Bob", "WORKS_FOR", "turing")))
    assert (bare.target.uuid, [c.entity.uuid for c in bare.target.others]) == (None, ["labs", "tower"])
    strange = snapshot(entities=(LABS, TOWER, BOB), types=frozenset({"Company", "Place"}))
    said = draft("Bob", "WORKS_FOR", "Turing", target_type="Organization")
    assert [c.entity.uuid for c in only(proposal(strange, said)).target.others] == ["labs", "tower"]


def test_longer_names_are_not_offered_for_a_name_that_somebody_has():
    on = snapshot(entities=(LABS, TOWER, BOB, Entity("turing", "Turing", ("Person",))))
    assert only(proposal(on, draft("Bob", "KNOWS", "Turing"))).target.others == ()


def test_what_was_offered_is_still_offered_once_another_was_chosen():
    on = snapshot(entities=(LABS, TOWER, BOB))
    one = only(with_entity(proposal(on, draft("Bob", "WORKS_FOR", "Turing")), on, "Turing", "", "tower"))
    assert (one.target.uuid, [c.entity.uuid for c in one.target.others]) == ("tower", ["labs"])


def test_an_extractors_match_is_taken_when_the_names_agree_and_else_offered():
    near = draft("A. Lee", "LIVES_IN", "Rome", 2020, same_source="ann")
    assert only(proposal(snapshot(), near)).source.uuid == "ann"
    for far in ("The Eternal City", "Bob Stone"):
        one = only(proposal(snapshot(), draft(far, "KNOWS", "Zed", same_source="rome")))
        assert (one.source.uuid, [c.entity.uuid for c in one.source.others]) == (None, ["rome"])


def test_a_type_of_another_vocabulary_does_not_keep_equal_names_apart():
    pep = Entity("pep", "PEP 703", ("PEP",))
    said = draft("PEP 703", "HAS_STATUS", "Final", 2026, source_type="Document")
    assert only(proposal(snapshot(entities=(pep,), types=frozenset({"PEP"})), said)).source.uuid == "pep"
    for known, entities in (({"PEP", "Document"}, (pep,)), ({"PEP"}, (pep, Entity("twin", "PEP 703", ("Draft",))))):
        assert only(proposal(snapshot(entities=entities, types=frozenset(known)), said)).source.uuid is None


def test_of_two_entities_of_one_name_it_is_the_one_that_the_extractor_took():
    twin = Entity("twin", "Ann Lee", ("Person",), created_at=year(2005))
    on = snapshot(entities=(ANN, twin, ROME))
    assert only(proposal(on, draft("Ann Lee", "LIVES_IN", "Rome", 2020))).source.uuid == "ann"
    took = draft("Ann Lee", "LIVES_IN", "Rome", 2020, same_source="twin")
    assert only(proposal(on, took)).source.uuid == "twin"


def test_one_text_spells_a_new_name_one_way():
    found = proposal(snapshot(), draft("Zed Inc.", "KNOWS", "Bob", 2020), draft("zed inc", "KNOWS", "Rome", 2020))
    assert {f.draft.source for f in found.facts} == {"Zed Inc."}
    assert {(f.source.name, f.source.uuid) for f in found.facts} == {("Zed Inc.", None)}


def test_a_known_fact_gets_a_source_and_one_of_this_text_stays_unchanged():
    stored = fact(ANN, "WORKS_FOR", ACME, 2015)
    said = draft("Ann Lee", "WORKS_FOR", "Acme Corp.", 2015)
    assert only(proposal(snapshot(stored), said)).verdict == "source"
    again = only(proposal(snapshot(replace(stored, episodes=("episode",))), said))
    assert (again.verdict, again.ticked) == ("unchanged", False)


def test_an_undated_draft_repeats_the_one_fact_that_held_then():
    held, over = fact(ANN, "WORKS_FOR", ACME, 2015), fact(ANN, "WORKS_FOR", ACME, 2001, 2003)
    one = only(proposal(snapshot(held, over), draft("Ann Lee", "WORKS_FOR", "Acme Corp.")))
    assert (one.verdict, one.repeats, one.ticked) == ("source", held, True)


def test_a_draft_said_twice_in_a_text_is_written_once():
    said = draft("Ann Lee", "WORKS_FOR", "Acme Corp.", 2015)
    assert [f.ticked for f in proposal(snapshot(), said, said).facts] == [True, False]


def test_a_fact_of_another_start_that_may_hold_at_the_same_time_looks_alike():
    stored = fact(ANN, "WORKS_FOR", ACME, 2015)
    one = only(proposal(snapshot(stored), draft("Ann Lee", "WORKS_FOR", "Acme Corp.", 2016)))
    assert (one.similar, one.ticked) == ((stored,), False)
    assert one.reason == "The graph has nearly the same fact."


def test_a_fact_of_another_time_does_not():
    one = only(
        proposal(snapshot(fact(ANN, "WORKS_FOR", ACME, 2001, 2003)), draft("Ann Lee", "WORKS_FOR", "Acme Corp.", 2016))
    )
    assert (one.similar, one.ticked) == ((), True)


def test_near_relations_and_weakly_named_targets_look_alike():
    stored = fact(ANN, "WORKS_AT", ACME, 2015)
    assert only(proposal(snapshot(stored), draft("Ann Lee", "WORKED_FOR", "Acme Corp.", 2016))).similar == (stored,)
    assert only(proposal(snapshot(stored), draft("Ann Lee", "LEFT", "Acme Corp.", 2016))).similar == ()
    assert only(proposal(snapshot(stored), draft("Ann Lee", "WORKS_AT", "Acme", 2016))).similar == (stored,)


def test_a_fact_in_the_other_direction_looks_alike():
    stored = fact(ANN, "MARRIED_TO", PARIS, 2015)
    assert only(proposal(snapshot(stored), draft("Paris", "MARRIED_TO", "Ann Lee", 2015))).similar == (stored,)


def test_the_same_words_look_alike():
    stored = fact(ANN, "LIKES", PARIS, 2015)
    said = draft("Ann Lee", "IS_FOND_OF", "Paris", 2016, fact="Ann Lee likes Paris.")
    assert only(proposal(snapshot(stored), said)).similar == (stored,)


def test_another_end_than_the_stored_one_is_a_correction_and_not_ticked():
    one = only(
        proposal(
            snapshot(fact(ANN, "WORKS_FOR", ACME, 2015, 2018)), draft("Ann Lee", "WORKS_FOR", "Acme Corp.", 2015, 2019)
        )
    )
    assert (one.verdict, one.ticked) == ("correction", False)


def test_what_was_withdrawn_does_not_come_back_by_itself():
    wrong = fact(ANN, "KNOWS", BOB, 2015, withdrawn_at=year(2020), expired_at=year(2020))
    on = snapshot(wrong)
    for start in (2015, None):
        found = proposal(on, draft("Ann Lee", "KNOWS", "Bob", start))
        assert (only(found).ticked, only(found).reason) == (
            False,
            "The graph had this fact, but someone withdrew it as wrong.",
        )
        assert only(with_ticks(found, on, {"0": True})).ticked
    assert only(proposal(on, draft("Ann Lee", "KNOWS", "Bob", 2021))).ticked


def test_a_draft_below_the_threshold_and_one_about_itself_are_not_ticked():
    unsure, itself = proposal(
        snapshot(), draft("Ann Lee", "KNOWS", "Bob", 2020, confidence=0.74), draft("Ann Lee", "KNOWS", "ann lee", 2020)
    ).facts
    assert (unsure.ticked, unsure.reason) == (False, "")
    assert (itself.ticked, itself.reason) == (False, "The entity and the value are the same.")


def test_a_new_entity_about_itself_is_not_ticked_either():
    assert not only(proposal(snapshot(), draft("Zed", "KNOWS", "zed", 2020))).ticked


def test_an_impossible_span_is_never_ticked():
    found = proposal(snapshot(), draft("Ann Lee", "KNOWS", "Bob", 2020, 2020))
    assert not only(with_ticks(found, snapshot(), {"0": True})).ticked


# -- the analyst's edits


def test_the_analysts_tick_outlives_other_edits():
    on = snapshot()
    found = proposal(
        on, draft("Ann Lee", "KNOWS", "Bob", 2020), draft("Ann Lee", "KNOWS", "Rome", 2020, confidence=0.6)
    )
    found = with_ticks(found, on, {"0": False, "1": True})
    found = with_draft(found, on, "0", valid_at=year(2019))
    assert [(f.ticked, f.draft.valid_at) for f in found.facts] == [(False, year(2019)), (True, year(2020))]


def test_a_draft_that_an_analyst_corrected_is_ticked_and_a_look_changes_nothing():
    on = snapshot()
    found = proposal(on, draft("Ann Lee", "KNOWS", "Bob", 2020, confidence=0.6))
    assert not only(with_draft(found, on, "0", target="Bob")).ticked
    assert only(with_draft(found, on, "0", target="Bo")).ticked


def test_another_entity_for_a_name_holds_for_every_draft_with_it():
    on = snapshot(fact(ANN, "WORKS_FOR", ACME, 2015))
    found = proposal(on, draft("Lee", "KNOWS", "Bob", 2020), draft("Lee", "WORKS_FOR", "Acme Corp.", 2015))
    found = with_entity(found, on, "Lee", "", "ann")
    assert [(f.source.uuid, f.source.reason) for f in found.facts] == [("ann", CHOSEN)] * 2
    assert [f.verdict for f in found.facts] == ["new", "source"]


def test_made_new_it_is_another_entity_of_the_same_name():
    on = snapshot(fact(ANN, "WORKS_FOR", ACME, 2015))
    found = with_entity(proposal(on, draft("Ann Lee", "WORKS_FOR", "Acme Corp.", 2015)), on, "Ann Lee", "", None)
    one = only(found)
    assert (one.source.uuid, one.verdict, bool(one.source.new_uuid)) == (None, "new", True)
    assert one.source.new_uuid != "ann"


def test_an_entity_that_went_is_chosen_no_more():
    on = snapshot()
    found = with_entity(proposal(on, draft("Lee", "KNOWS", "Bob", 2020)), on, "Lee", "", "ann")
    gone = snapshot(entities=(ROME, PARIS))
    assert only(without(found, gone, "no such key")).source.uuid is None


def test_a_dropped_draft_is_gone_and_the_others_keep_their_keys():
    on = snapshot()
    found = without(proposal(on, draft("Ann Lee", "KNOWS", "Bob"), draft("Ann Lee", "KNOWS", "Rome")), on, "0")
    assert [f.key for f in found.facts] == ["1"]


def test_what_is_over_without_a_date_is_written_as_ended_on_an_unknown_date():
    on = snapshot()
    found = proposal(on, draft("Ann Lee", "KNOWS", "Bob", 2015, is_over=True, valid_at_precision="year"))
    assert (only(found).ends_at, is_over_unknown(only(found))) == (None, True)
    (row,) = rows_of(found)
    assert (row.invalid_at, row.ended_unknown, row.valid_at_precision) == (None, True, "year")


def test_an_end_in_the_year_of_the_start_is_read_through_that_year():
    found = proposal(snapshot(), draft("Ann Lee", "KNOWS", "Bob", 2015, 2015, invalid_at_precision="year"))
    assert is_possible(only(found))
    (row,) = rows_of(found)
    assert row.invalid_at is not None
    assert (row.invalid_at.year, row.invalid_at > year(2015), row.invalid_at_precision) == (2015, True, "year")


@pytest.mark.parametrize(
    ("said", "ticked"),
    [
        ({}, True),
        ({"confidence": 0.5}, False),
        ({"valid_at_confidence": 0.5}, False),
        ({"invalid_at_confidence": 0.5}, False),
        ({"unsure_valid_at": year(2019)}, False),
        ({"unsure_invalid_at": year(2024)}, False),
    ],
)
def test_a_draft_is_ticked_where_triple_and_both_dates_are_sure(said, ticked):
    assert only(proposal(snapshot(), draft("Bob", "KNOWS", "Ann Lee", **said))).ticked is ticked


def test_a_draft_changed_by_hand_is_sure():
    on = snapshot()
    unsure = draft("Bob", "KNOWS", "Ann Lee", confidence=0.5, valid_at_confidence=0.5, unsure_invalid_at=year(2024))
    found = only(with_draft(proposal(on, unsure), on, "0", valid_at=year(2020)))
    assert (found.ticked, found.draft) == (True, draft("Bob", "KNOWS", "Ann Lee", 2020))


def test_a_proposal_kept_before_dates_had_a_confidence_can_be_read():
    found = proposal(snapshot(), draft("Bob", "KNOWS", "Ann Lee", 2020))
    kept = document_of(found)
    for name in ("valid_at_confidence", "invalid_at_confidence", "unsure_valid_at", "unsure_invalid_at"):
        del kept["facts"][0]["draft"][name]
    assert proposal_of(kept) == found
