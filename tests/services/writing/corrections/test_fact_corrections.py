"""Corrections of a fact: what was said before them is said still, and what was asked for holds from then on."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from services.core import time_rule
from services.core.errors import BadInput
from services.core.models import Entity, Fact, Instants
from services.writing.corrections import fact_corrections
from services.writing.corrections.correction_records import Correction, FactChanges
from services.writing.corrections.fact_corrections import Moment, changes_of_fact

START = datetime(2020, 1, 1, tzinfo=UTC)


def day(n: int) -> datetime:
    return START + timedelta(days=n)


NOW = day(10)
MOMENT = Moment("team", NOW)
AGES = [day(n) for n in range(-1, 20)]
BEFORE = [k for k in AGES if k < NOW]
AFTER = [k for k in AGES if k >= NOW]
ADA, LABS, ENGINES = Entity("ada", "Ada"), Entity("labs", "Labs"), Entity("engines", "Engines")
OPEN = Fact("f", "ada", "labs", "Ada", "WORKS_FOR", "Labs", valid_at=day(1), created_at=day(2), episodes=("p",))

days = st.integers(0, 12).map(day)
past = st.integers(0, 9).map(day)


@st.composite
def stored(draw: st.DrawFn, withdrawn: st.SearchStrategy[datetime | None]) -> Fact:
    """A record as a graph may hold it by `NOW`, with times in any order."""
    return replace(
        OPEN,
        valid_at=draw(st.none() | days),
        invalid_at=draw(st.none() | days),
        created_at=draw(st.none() | past),
        expired_at=draw(st.none() | past),
        withdrawn_at=draw(withdrawn),
        believed_invalid_at=draw(st.none() | days),
        attributes={"grade": 2, "asof_statements": '[{"at": "2020-01-01T00:00:00+00:00"}]'},
    )


def after(fact: Fact, correction: Correction) -> list[Fact]:
    """The records of the graph after a correction of its one fact."""
    edit = correction.edit
    held = {fact.uuid: fact} | {f.uuid: f for f in (*edit.replaced.facts, *edit.created.facts)}
    return [f for uuid, f in held.items() if uuid not in edit.gone.facts]


def said(records: Iterable[Fact], at: Instants) -> list[tuple[object, ...]]:
    """What the graph says at two instants, whatever the uuids of its records."""
    return sorted(
        (
            f.source_uuid,
            f.relation,
            f.target_uuid,
            str(f.valid_at),
            str(time_rule.end(f, at.known_at)),
            time_rule.true_at(f, at),
        )
        for f in records
        if time_rule.recorded(f, at.known_at)
    )


def says_as_before(fact: Fact, correction: Correction) -> bool:
    """True when everything asked for an instant before the correction has the answer that it had."""
    records = after(fact, correction)
    return all(said(records, Instants(t, k)) == said([fact], Instants(t, k)) for k in BEFORE for t in AGES)


def true_on(records: Iterable[Fact], known_at: datetime) -> list[datetime]:
    return [t for t in AGES if any(time_rule.true_at(f, Instants(t, known_at)) for f in records)]


open_ones = st.builds(
    replace, st.just(OPEN), valid_at=st.none() | days, created_at=st.none() | past, believed_invalid_at=st.none() | days
)
current = stored(st.none())
whichever = stored(st.none() | past)


@given(open_ones, st.integers(1, 14).map(day))
def test_an_end_holds_from_now_on_and_not_before(fact: Fact, at: datetime) -> None:
    assume(fact.valid_at is None or at > fact.valid_at)
    correction = fact_corrections.ended(fact, at, MOMENT)
    assert says_as_before(fact, correction)
    for known_at in AFTER:
        expected = [t for t in AGES if fact.valid_at is not None and fact.valid_at <= t < at]
        assert true_on(after(fact, correction), known_at) == expected


@given(current)
def test_a_withdrawn_record_says_nothing_from_now_on(fact: Fact) -> None:
    correction = fact_corrections.taken_back(fact, MOMENT)
    assert says_as_before(fact, correction)
    assert all(said(after(fact, correction), Instants(t, k)) == [] for k in AFTER for t in AGES)


@given(current, st.none() | days, st.none() | days)
def test_an_edited_record_says_the_corrected_statement_from_now_on(
    fact: Fact, start: datetime | None, stop: datetime | None
) -> None:
    assume(start is None or stop is None or stop > start)
    changes = FactChanges("Ada", "WORKS_FOR", "Engines", "", start, stop)
    correction = fact_corrections.edited(fact, changes, (ADA, ENGINES), (), MOMENT)
    assert says_as_before(fact, correction)
    asked = replace(OPEN, target_uuid="engines", valid_at=start, invalid_at=stop, created_at=NOW)
    for known_at in AFTER:
        for t in AGES:
            assert said(after(fact, correction), Instants(t, known_at)) == said([asked], Instants(t, known_at))


@given(whichever)
def test_a_reinstated_fact_is_believed_again_as_before_it_was_retired(fact: Fact) -> None:
    assume(fact.expired_at is not None or fact.withdrawn_at is not None)
    correction = fact_corrections.reinstated(fact, [fact], MOMENT)
    assert says_as_before(fact, correction)
    stop = fact.believed_invalid_at
    if fact.withdrawn_at is not None and fact.expired_at is not None and fact.expired_at < fact.withdrawn_at:
        stop = fact.invalid_at or fact.expired_at
    anew = replace(OPEN, valid_at=fact.valid_at, invalid_at=stop, created_at=NOW)
    for known_at in AFTER:
        for t in AGES:
            assert said(after(fact, correction), Instants(t, known_at)) == said([anew], Instants(t, known_at))


@given(current)
def test_a_correction_keeps_what_was_stated_when_with_the_old_record_alone(fact: Fact) -> None:
    changes = replace(changes_of_fact(fact, NOW), relation="LEADS", invalid_at=None)
    edit = fact_corrections.edited(fact, changes, (ADA, LABS), (), MOMENT).edit
    assert edit.replaced.facts[0].attributes == fact.attributes
    assert edit.created.facts[0].attributes == {"grade": 2}


def test_what_retired_a_fact_stays_readable_when_it_is_reinstated() -> None:
    gone = fact_corrections.ended(OPEN, day(5), Moment("team", day(6))).edit.replaced.facts[0]
    again = fact_corrections.reinstated(gone, [gone], MOMENT)
    assert true_on(after(gone, again), day(5)) == AGES[2:]
    assert true_on(after(gone, again), day(7)) == [day(n) for n in range(1, 5)]
    assert true_on(after(gone, again), day(11)) == AGES[2:]


def test_a_record_that_ended_before_it_was_withdrawn_comes_back_ended_and_by_what() -> None:
    over = fact_corrections.ended(OPEN, day(5), Moment("team", day(6)), by="g").edit.replaced.facts[0]
    gone = fact_corrections.taken_back(over, Moment("team", day(8))).edit.replaced.facts[0]
    (again,) = fact_corrections.reinstated(gone, [gone], MOMENT).edit.created.facts
    assert (again.invalid_at, again.ended_by) == (day(5), "g")
    with pytest.raises(BadInput, match="already says this"):
        fact_corrections.reinstated(gone, [gone, replace(over, uuid="other")], MOMENT)


def test_the_reason_becomes_a_source_that_mentions_both_ends() -> None:
    moment = Moment("team", NOW, "She left.\nHR says so.")
    edit = fact_corrections.ended(OPEN, day(5), moment).edit
    (reason,) = edit.created.episodes
    assert (reason.name, reason.content) == ("She left.", "She left.\nHR says so.")
    assert reason.entity_uuids == ("ada", "labs")
    assert edit.replaced.facts[0].ended_by == reason.uuid
    edited = fact_corrections.edited(
        OPEN, replace(changes_of_fact(OPEN, NOW), valid_at=day(0)), (ADA, LABS), (), moment
    ).edit
    assert edited.created.facts[0].episodes == (edited.created.episodes[0].uuid, "p")


def test_a_fact_that_ended_another_is_its_cause() -> None:
    edit = fact_corrections.ended(OPEN, day(5), Moment("team", NOW, "a note"), by="g").edit
    assert edit.replaced.facts[0].ended_by == "g"
    assert edit.created.episodes == ()


def test_words_that_no_longer_fit_are_said_anew_and_typed_ones_are_kept() -> None:
    fact = replace(OPEN, text="Ada joined Labs")
    moved = replace(changes_of_fact(fact, NOW), target="Engines")
    edited = fact_corrections.edited(fact, moved, (ADA, ENGINES), (), MOMENT).edit.created.facts[0]
    assert edited.text == "Ada works for Engines"
    typed = fact_corrections.edited(fact, replace(moved, text="Ada went to Engines"), (ADA, ENGINES), (), MOMENT)
    assert typed.edit.created.facts[0].text == "Ada went to Engines"


@pytest.mark.parametrize(
    ("fact", "at", "words"),
    [
        (replace(OPEN, withdrawn_at=day(4), expired_at=day(4)), day(5), "is withdrawn"),
        (replace(OPEN, invalid_at=day(4)), day(5), "already has an end date: 2020-01-05"),
        (OPEN, day(1), "end before it started"),
    ],
)
def test_an_end_that_cannot_be_is_refused(fact: Fact, at: datetime, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        fact_corrections.ended(fact, at, MOMENT)


def test_an_edit_that_changes_nothing_or_leaves_a_name_empty_is_refused() -> None:
    with pytest.raises(BadInput, match="You have not changed anything"):
        fact_corrections.edited(OPEN, changes_of_fact(OPEN, NOW), (ADA, LABS), (), MOMENT)
    with pytest.raises(BadInput, match="The value is empty"):
        fact_corrections.edited(OPEN, replace(changes_of_fact(OPEN, NOW), target=" "), (ADA, LABS), (), MOMENT)
    with pytest.raises(BadInput, match="The relation has 5,000 characters"):
        fact_corrections.edited(OPEN, replace(changes_of_fact(OPEN, NOW), relation="X" * 5000), (ADA, LABS), (), MOMENT)
    with pytest.raises(BadInput, match="end before it started"):
        fact_corrections.edited(OPEN, replace(changes_of_fact(OPEN, NOW), invalid_at=day(1)), (ADA, LABS), (), MOMENT)


def test_an_edit_that_says_what_another_fact_says_is_refused() -> None:
    other = replace(OPEN, uuid="other", target_uuid="engines", target="Engines")
    changes = replace(changes_of_fact(OPEN, NOW), target="Engines")
    with pytest.raises(BadInput, match="Another fact already says this"):
        fact_corrections.edited(OPEN, changes, (ADA, ENGINES), [OPEN, other], MOMENT)
    gone = fact_corrections.taken_back(other, Moment("team", day(5))).edit.replaced.facts
    assert fact_corrections.edited(OPEN, changes, (ADA, ENGINES), [OPEN, *gone], MOMENT).edit.created.facts


def test_the_words_of_one_of_two_that_say_the_same_can_be_edited() -> None:
    changes = replace(changes_of_fact(OPEN, NOW), text="Ada is with Labs")
    edit = fact_corrections.edited(OPEN, changes, (ADA, LABS), [OPEN, replace(OPEN, uuid="twin")], MOMENT).edit
    assert edit.created.facts[0].text == "Ada is with Labs"


def test_a_withdrawal_names_its_reason_unless_something_ended_the_fact_before() -> None:
    moment = Moment("team", NOW, "It was somebody else.")
    edit = fact_corrections.taken_back(OPEN, moment).edit
    assert edit.replaced.facts[0].ended_by == edit.created.episodes[0].uuid
    over = fact_corrections.ended(OPEN, day(5), Moment("team", day(6)), by="g").edit.replaced.facts[0]
    edit = fact_corrections.taken_back(over, moment).edit
    assert (edit.replaced.facts[0].ended_by, edit.created.episodes) == ("g", ())


def test_what_stands_already_is_not_reinstated_twice() -> None:
    gone = replace(OPEN, invalid_at=day(5), expired_at=day(6))
    again = fact_corrections.reinstated(gone, [gone], Moment("team", day(8)))
    with pytest.raises(BadInput, match="already says this"):
        fact_corrections.reinstated(gone, after(gone, again), MOMENT)
    with pytest.raises(BadInput, match="neither ended nor withdrawn"):
        fact_corrections.reinstated(OPEN, [OPEN], MOMENT)


def test_a_fact_may_have_ended_on_an_unknown_date() -> None:
    (after_it,) = fact_corrections.ended(OPEN, None, MOMENT).edit.replaced.facts
    assert (after_it.invalid_at, after_it.expired_at, after_it.ended_unknown) == (None, NOW, True)
    assert not time_rule.true_at(after_it, Instants(NOW, NOW))


def test_an_end_keeps_the_precision_that_it_was_given_with() -> None:
    start = datetime(2020, 3, 1, tzinfo=UTC)
    given = replace(OPEN, valid_at=start)
    correction = fact_corrections.ended(given, datetime(2020, 1, 1, tzinfo=UTC), MOMENT, precision="year")
    (after_it,) = correction.edit.replaced.facts
    assert after_it.invalid_at_precision == "year"
    assert after_it.invalid_at is not None
    assert (after_it.invalid_at.year, after_it.invalid_at > start) == (2020, True)
    assert correction.title.endswith("ended in 2020")


def test_an_edit_keeps_precisions_and_a_reinstated_fact_has_the_end_that_it_had() -> None:
    given = replace(OPEN, valid_at_precision="year", invalid_at=day(9), invalid_at_precision="month")
    changes = replace(changes_of_fact(given, NOW), target="Engines")
    edit = fact_corrections.edited(given, changes, (ADA, ENGINES), (), MOMENT).edit
    (again,) = edit.created.facts
    assert (again.valid_at_precision, again.invalid_at_precision) == ("year", "month")
    (gone,) = fact_corrections.taken_back(given, MOMENT).edit.replaced.facts
    (back,) = fact_corrections.reinstated(gone, [gone], MOMENT).edit.created.facts
    assert (back.invalid_at, back.invalid_at_precision) == (day(9), "month")


def year(number: int) -> datetime:
    return datetime(number, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (year(2012), year(2013)),
        (None, year(2013)),
        (datetime(2013, 8, 1, tzinfo=UTC), year(2014) - timedelta(microseconds=1)),
    ],
    ids=["earlier", "none", "later in the year"],
)
def test_an_end_read_through_its_year_is_read_again_when_the_start_is_edited(
    start: datetime | None, end: datetime
) -> None:
    through = year(2014) - timedelta(microseconds=1)
    over = replace(OPEN, valid_at=year(2013), invalid_at=through, invalid_at_precision="year", ended_by="g")
    changes = replace(changes_of_fact(over, NOW), valid_at=start)
    (again,) = fact_corrections.edited(over, changes, (ADA, LABS), (), MOMENT).edit.created.facts
    assert (again.invalid_at, again.invalid_at_precision, again.ended_by) == (end, "year", "g")


def test_an_end_read_through_its_month_cannot_be_left_before_a_later_start() -> None:
    through = datetime(2013, 6, 1, tzinfo=UTC) - timedelta(microseconds=1)
    over = replace(OPEN, valid_at=datetime(2013, 5, 9, tzinfo=UTC), invalid_at=through, invalid_at_precision="month")
    changes = replace(changes_of_fact(over, NOW), valid_at=year(2014))
    with pytest.raises(BadInput, match="end before it started"):
        fact_corrections.edited(over, changes, (ADA, LABS), (), MOMENT)


def test_an_edit_of_a_fact_that_ended_nobody_knows_when_leaves_that_so() -> None:
    (over,) = fact_corrections.ended(OPEN, None, Moment("team", day(6))).edit.replaced.facts
    changes = replace(changes_of_fact(over, NOW), target="Engines")
    (again,) = fact_corrections.edited(over, changes, (ADA, ENGINES), (), MOMENT).edit.created.facts
    assert (again.invalid_at, again.ended_unknown) == (day(6), True)
    known = replace(changes, invalid_at=day(5), invalid_at_precision="day", ended_unknown=False)
    (dated,) = fact_corrections.edited(over, known, (ADA, ENGINES), (), MOMENT).edit.created.facts
    assert (dated.invalid_at, dated.invalid_at_precision, dated.ended_unknown) == (day(5), "day", False)
