"""Nothing good is retired silently."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core import clock, time_rule
from services.core.draft_records import Ending
from services.core.models import Entity
from services.proposals.proposal_records import document_of, proposal_of
from services.proposals.revising import with_ticks, without
from services.proposals.rows import rows_of
from services.writing.import_plan import plan_import
from tests.services.proposals.snapshots import (
    ACME,
    ANN,
    BOB,
    NOW,
    PARIS,
    ROME,
    draft,
    fact,
    proposal,
    snapshot,
    year,
)

ROMAN = fact(ANN, "LIVES_IN", ROME, 2010)
MOVED = draft("Ann Lee", "LIVES_IN", "Paris", 2020)


def written(found, on):
    """What the ticked lines do to the graph: facts as they are after, by uuid."""
    plan = plan_import(on.workspace, rows_of(found), on.stored, NOW)
    return {f.uuid: f for f in plan.write.facts}


def test_a_later_fact_of_a_relation_that_holds_one_at_a_time_ends_the_one_before():
    on = snapshot(ROMAN)
    found = proposal(on, MOVED)
    (ending,) = found.endings
    assert (ending.fact, ending.invalid_at, ending.by, ending.ticked) == (ROMAN, year(2020), "0", True)
    after = written(found, on)[ROMAN.uuid]
    assert (after.invalid_at, after.expired_at, after.believed_invalid_at) == (year(2020), NOW, None)
    assert (after.ended_by, after.episodes) == ("episode", ())


def test_so_does_one_that_the_data_shows_to_hold_one_at_a_time():
    stored = fact(ANN, "PLAYS_FOR", ACME, 2010)
    on = snapshot(stored, followed=frozenset({"PLAYS_FOR"}))
    assert [e.ticked for e in proposal(on, draft("Ann Lee", "PLAYS_FOR", "Bob", 2020)).endings] == [True]


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        (fact(ANN, "KNOWS", ROME, 2010), draft("Ann Lee", "KNOWS", "Paris", 2020)),
        (ROMAN, draft("Bob", "LIVES_IN", "Paris", 2020)),
        (ROMAN, draft("Ann Lee", "LIVES_IN", "Paris", 2005)),
        (fact(ANN, "LIVES_IN", ROME, 2010, 2015), MOVED),
        (replace(ROMAN, withdrawn_at=year(2012), expired_at=year(2012)), MOVED),
    ],
    ids=["holds several", "another subject", "earlier", "ended", "withdrawn"],
)
def test_nothing_else_ends(stored, said):
    on = snapshot(stored)
    found = proposal(on, said)
    assert found.endings == ()
    assert stored.uuid not in written(found, on)


@pytest.mark.parametrize(
    ("stored", "said", "reason"),
    [
        ([fact(ANN, "LIVES_IN", ROME)], MOVED, "This fact has no start date, so it may have started later."),
        (
            [ROMAN],
            draft("Ann Lee", "LIVES_IN", "Paris"),
            "The text gives no start date, so the fact starts on the date of the text.",
        ),
        ([ROMAN, fact(ANN, "LIVES_IN", BOB, 2012)], MOVED, "The graph has several such facts at the same time."),
    ],
    ids=["no start", "no date", "several"],
)
def test_what_is_in_doubt_is_offered_unticked(stored, said, reason):
    on = snapshot(*stored)
    found = proposal(on, said)
    assert {(e.ticked, e.reason) for e in found.endings} == {(False, reason)}
    assert not written(found, on).keys() & {f.uuid for f in stored}


def test_a_fact_of_the_same_start_is_a_contradiction_and_nobody_ends():
    found = proposal(snapshot(ROMAN), draft("Ann Lee", "LIVES_IN", "Paris", 2010))
    assert (found.endings, found.facts[0].ticked, found.facts[0].similar) == ((), False, (ROMAN,))


def test_a_fact_of_the_past_ends_where_the_stored_one_began():
    one = proposal(snapshot(ROMAN), draft("Ann Lee", "LIVES_IN", "Paris", 2005)).facts[0]
    assert (one.ends_at, one.draft.invalid_at) == (year(2010), None)


def test_the_text_that_says_so_ends_the_very_fact():
    stored = fact(ANN, "KNOWS", BOB, 2010)
    on = snapshot(stored, fact(ANN, "KNOWS", BOB, 2001, 2003))
    found = proposal(on, draft("Ann Lee", "KNOWS", "Bob", is_over=True))
    assert [(f.verdict, f.ticked) for f in found.facts] == [("change", True)]
    assert [(e.fact, e.invalid_at, e.ended_unknown, e.by) for e in found.endings] == [(stored, None, True, "0")]
    (after,) = written(found, on).values()
    assert (after.uuid, after.invalid_at, after.ended_by) == (stored.uuid, None, "episode")
    assert (after.expired_at, after.ended_unknown) == (on.now, True)
    assert written(with_ticks(found, on, {stored.uuid: False}), on) == {}
    assert written(with_ticks(found, on, {"0": False}), on) == {}


def test_a_fact_ends_as_exactly_as_what_follows_it_began():
    found = proposal(snapshot(ROMAN), draft("Ann Lee", "LIVES_IN", "Paris", 2015, valid_at_precision="year"))
    (ending,) = found.endings
    assert (ending.invalid_at, ending.invalid_at_precision) == (year(2015), "year")
    after = written(found, snapshot(ROMAN))[ROMAN.uuid]
    assert (after.invalid_at, after.invalid_at_precision) == (year(2015), "year")


def test_of_several_that_a_text_may_call_over_none_is_ended_unasked():
    on = snapshot(fact(ANN, "KNOWS", BOB, 2010, uuid="met"), fact(ANN, "KNOWS", BOB, 2010, uuid="rowed"))
    for over in (draft("Ann Lee", "KNOWS", "Bob", is_over=True), draft("Ann Lee", "KNOWS", "Bob", 2010, 2015)):
        found = proposal(on, over)
        (ending,) = found.endings
        assert (ending.ticked, written(found, on)) == (False, {})
        after = written(with_ticks(found, on, {ending.fact.uuid: True}), on)
        assert after.keys() == {ending.fact.uuid}


def test_of_several_records_between_the_same_two_the_very_one_ends():
    others = [
        fact(ANN, "KNOWS", BOB, 2010, uuid=uuid, text=text)
        for uuid, text in (("met", "They met."), ("wrote", "They wrote a book."), ("rowed", "They row."))
    ]
    on = snapshot(*others)
    for meant in others:
        found = proposal(on, draft("Zed", "KNOWS", "Eve", 2020), endings=[Ending(meant.uuid, year(2020), 0)])
        assert written(found, on).keys() & {f.uuid for f in others} == set()
        after = written(with_ticks(found, on, {meant.uuid: True}), on)
        assert after.keys() & {f.uuid for f in others} == {meant.uuid}


def test_an_end_without_a_start_ends_the_stored_fact_then():
    stored = fact(ANN, "WORKS_FOR", ACME, 2010)
    on = snapshot(stored)
    found = proposal(on, draft("Ann Lee", "WORKS_FOR", "Acme Corp.", None, 2015))
    assert written(found, on)[stored.uuid].invalid_at == year(2015)
    early = proposal(on, draft("Ann Lee", "WORKS_FOR", "Acme Corp.", None, 2005))
    assert (early.facts[0].verdict, early.endings) == ("new", ())


def test_an_ending_goes_with_the_fact_that_brings_it():
    on = snapshot(ROMAN)
    found = proposal(on, MOVED)
    assert ROMAN.uuid not in written(with_ticks(found, on, {"0": False}), on)
    kept = written(with_ticks(found, on, {ROMAN.uuid: False}), on)
    assert [f.target for f in kept.values()] == ["Paris"]
    assert without(found, on, "0").endings == ()


def test_two_facts_of_one_text_follow_each_other():
    on = snapshot()
    found = proposal(on, draft("Ann Lee", "LIVES_IN", "Rome", 2015), draft("Ann Lee", "LIVES_IN", "Paris", 2010))
    assert [(f.ticked, f.ends_at) for f in found.facts] == [(True, None), (True, year(2015))]
    ends = {f.target: f.invalid_at for f in written(found, on).values()}
    assert ends == {"Rome": None, "Paris": year(2015)}


def test_of_two_that_no_date_tells_apart_the_second_is_not_ticked():
    for dates in ((None, None), (2010, None), (2010, 2010)):
        on = snapshot()
        said = [
            draft("Ann Lee", "LIVES_IN", place, start) for place, start in zip(("Rome", "Paris"), dates, strict=True)
        ]
        found = proposal(on, *said)
        assert [f.ticked for f in found.facts] == [True, False]
        assert "Rome" in found.facts[1].reason
        assert [f.ticked for f in with_ticks(found, on, {"1": True}).facts] == [True, True]


def test_a_stored_fact_ends_where_the_first_of_its_followers_begins():
    found = proposal(snapshot(ROMAN), draft("Ann Lee", "LIVES_IN", "Bob", 2025), MOVED)
    assert [(e.fact, e.invalid_at, e.by) for e in found.endings] == [(ROMAN, year(2020), "1")]


MAY = datetime(2013, 5, 1, tzinfo=UTC)


def in_may(place, **more):
    return replace(draft("Ann Lee", "LIVES_IN", place, **more), valid_at=MAY, valid_at_precision="month")


def some_time_in(number, place, *span, **more):
    return draft("Ann Lee", "LIVES_IN", place, number, *span, valid_at_precision="year", **more)


def test_of_two_that_began_in_a_year_and_in_a_month_of_it_neither_ends_the_other():
    for said in ((some_time_in(2013, "Rome"), in_may("Paris")), (in_may("Rome"), some_time_in(2013, "Paris"))):
        found = proposal(snapshot(), *said)
        assert [(f.ticked, f.ends_at) for f in found.facts] == [(True, None), (False, None)]
        assert found.facts[1].reason == "The text also says “Rome”, and the dates do not show which came later."


def test_one_that_began_in_the_year_before_is_ended_by_one_of_a_month():
    found = proposal(snapshot(), some_time_in(2012, "Rome"), in_may("Paris"))
    assert [(f.ticked, f.ends_at, f.ends_at_precision) for f in found.facts] == [
        (True, MAY, "month"),
        (True, None, "instant"),
    ]


def test_an_ended_one_does_not_end_another_that_began_in_the_same_year():
    moved = in_may("Paris", end=2014)
    found = proposal(snapshot(), some_time_in(2013, "Rome"), moved, draft("Ann Lee", "LIVES_IN", "Bob", 2020))
    assert [f.ends_at for f in found.facts] == [year(2020), None, None]


def test_a_stored_fact_of_the_same_year_is_ended_by_one_of_a_month_only_when_asked():
    stored = replace(fact(ANN, "LIVES_IN", ROME, 2013), valid_at_precision="year")
    on = snapshot(stored)
    found = proposal(on, in_may("Paris"))
    (one,), (ending,) = found.facts, found.endings
    assert (one.ticked, one.similar) == (False, (stored,))
    assert one.reason == "The graph has “Ann Lee lives in Rome”, and the dates do not show which came first."
    assert (ending.fact, ending.ticked, ending.invalid_at) == (stored, False, MAY)
    assert ending.reason == "Both facts started in the same period, so the dates do not show which came first."
    assert written(found, on) == {}
    asked = written(with_ticks(found, on, {one.key: True, stored.uuid: True}), on)
    assert asked[stored.uuid].invalid_at == MAY


def test_a_fact_of_a_year_is_not_ended_by_a_stored_one_of_a_month_of_it():
    stored = replace(fact(ANN, "LIVES_IN", ROME, 2013), valid_at=MAY, valid_at_precision="month")
    found = proposal(snapshot(stored), some_time_in(2013, "Paris"))
    (one,) = found.facts
    assert (one.ticked, one.ends_at, found.endings) == (False, None, ())


def test_a_stored_fact_that_ended_before_the_month_of_the_next_is_no_contradiction():
    ended = replace(fact(ANN, "LIVES_IN", ROME, 2013), invalid_at=MAY, valid_at_precision="year")
    found = proposal(snapshot(ended), in_may("Paris"))
    assert [(f.ticked, f.similar) for f in found.facts] == [(True, ())]


# -- unrelated facts are never retired, whatever an extractor says (graphiti#1728)

ENTITIES = [ANN, BOB, ROME, PARIS, ACME, *(Entity(f"e{n}", f"Name {n}") for n in range(3))]
RELATIONS = ["LIVES_IN", "KNOWS", "WORKS_FOR"]
YEARS = st.none() | st.integers(2000, 2029)


@st.composite
def spans(draw):
    start, end = draw(YEARS), draw(YEARS)
    return (start, None) if start is None or end is None or end <= start else (start, end)


@st.composite
def stored_facts(draw):
    row = st.tuples(st.sampled_from(ENTITIES), st.sampled_from(RELATIONS), st.sampled_from(ENTITIES), spans())
    rows = draw(st.lists(row, max_size=6, unique_by=lambda row: (row[0].uuid, row[1], row[2].uuid, row[3][0])))
    return [fact(source, relation, target, *span) for source, relation, target, span in rows]


@st.composite
def drafts(draw):
    names = st.sampled_from([*(e.name for e in ENTITIES), "ann lee", "Lee", "Someone New", "Acme"])
    span = draw(spans())
    return draft(
        draw(names),
        draw(st.sampled_from(RELATIONS)),
        draw(names),
        *span,
        is_over=draw(st.booleans()),
        confidence=draw(st.sampled_from([0.5, 0.8, 0.95])),
    )


UUIDS = [f"{one.uuid}-{relation}-{other.uuid}-2010" for one in ENTITIES for relation in RELATIONS for other in ENTITIES]
endings = st.builds(
    Ending,
    st.sampled_from(["no such fact", *UUIDS]),
    st.none() | st.integers(2000, 2029).map(year),
    st.none() | st.integers(0, 9),
)


@pytest.mark.slow
@given(stored_facts(), st.lists(drafts(), max_size=5), st.lists(endings, max_size=8))
def test_only_one_at_a_time_or_its_own_words_end_a_fact(stored, said, wild):
    on = snapshot(*stored, entities=ENTITIES)
    wild += [Ending(f.uuid, year(2029), n) for n, f in enumerate(stored)]
    found = proposal(on, *said, endings=wild)
    before = {f.uuid: f for f in stored}
    for after in written(found, on).values():
        old = before.get(after.uuid)
        if old is None:
            continue
        assert after.withdrawn_at is None
        if time_rule.end(after, clock.LATEST) == time_rule.end(old, clock.LATEST):
            continue
        own = [f for f in found.facts if f.verdict == "change" and f.repeats == old]
        followers = [f for f in found.facts if f.ticked and f.source.uuid == old.source_uuid]
        followers = [f for f in followers if f.draft.relation == old.relation == "LIVES_IN"]
        assert own or any(f.draft.valid_at and old.valid_at and f.draft.valid_at > old.valid_at for f in followers)


@given(stored_facts(), st.lists(drafts(), max_size=5), st.lists(endings, max_size=8))
def test_unticked_lines_never_change_the_graph(stored, said, wild):
    on = snapshot(*stored, entities=ENTITIES)
    found = proposal(on, *said, endings=wild)
    ticks = {f.key: False for f in found.facts} | {e.fact.uuid: False for e in found.endings}
    bare = with_ticks(found, on, ticks)
    assert rows_of(bare) == []
    stored_first = with_ticks(found, on, {e.fact.uuid: False for e in found.endings})
    changed = written(stored_first, on)
    assert all(
        time_rule.end(changed[f.uuid], clock.LATEST) == time_rule.end(f, clock.LATEST)
        for f in stored
        if f.uuid in changed
    )


@given(stored_facts(), st.lists(drafts(), max_size=5), st.lists(endings, max_size=8))
def test_a_proposal_outlives_json(stored, said, wild):
    import json

    on = snapshot(*stored, entities=ENTITIES)
    found = with_ticks(proposal(on, *said, endings=wild), on, {"0": False})
    again = proposal_of(json.loads(json.dumps(document_of(found))))
    assert again == found
    assert rows_of(again) == rows_of(found)


@given(stored_facts(), st.lists(drafts(), max_size=5), st.lists(endings, max_size=8))
def test_no_row_is_refused_by_the_import(stored, said, wild):
    on = snapshot(*stored, entities=ENTITIES)
    found = proposal(on, *said, endings=wild)
    everything = with_ticks(found, on, {f.key: True for f in found.facts} | {e.fact.uuid: True for e in found.endings})
    rows = rows_of(everything)
    assert all(r.source and r.relation and r.target for r in rows)
    assert all(r.invalid_at is None or r.valid_at is None or r.invalid_at > r.valid_at for r in rows)
