"""The mirror's SQL says the time rule as services/core/time_rule.py does."""

from hypothesis import given
from hypothesis import strategies as st

from services.core import clock, time_rule
from services.core.models import Fact, Instants, SeriesPoint, TrueCounts
from services.mirror.mirror import Mirror
from tests.services.mirror.graphs import ENTITIES, EPISODES, START, clocks, instants, several_facts


def hold(mirror: Mirror, facts: tuple[Fact, ...]) -> None:
    mirror.replace_all([ENTITIES], [facts], [EPISODES])


@given(facts=several_facts(), at=clocks)
def test_what_is_true_undated_and_recorded_is_what_the_clock_says(
    mirror: Mirror, facts: tuple[Fact, ...], at: Instants
) -> None:
    hold(mirror, facts)
    true = [f for f in facts if time_rule.true_at(f, at)]
    undated = sum(time_rule.undated(f, at) for f in facts)
    recorded = sum(time_rule.recorded(f, at.known_at) for f in facts)
    touched = {uuid for f in true for uuid in (f.source_uuid, f.target_uuid)}
    page = mirror.facts_true(at)
    assert mirror.totals(at) == TrueCounts(len(true), undated, recorded, len(touched))
    assert mirror.count_true(at) == page.total == len(true)
    assert page.undated == undated
    assert {f.uuid: f for f in page.facts} == {f.uuid: time_rule.as_known(f, at.known_at) for f in true}


@given(facts=several_facts(), known_at=instants, grid=st.lists(instants, max_size=4, unique=True))
def test_totals_over_time_are_the_totals_of_each_instant(
    mirror: Mirror, facts: tuple[Fact, ...], known_at, grid
) -> None:
    hold(mirror, facts)
    asked = [Instants(t, known_at) for t in sorted(grid)]
    assert mirror.totals_over_time(grid, known_at) == tuple(mirror.totals(at) for at in asked)


@given(facts=several_facts(), known_at=instants)
def test_a_history_is_each_recorded_fact_as_it_was_known(mirror: Mirror, facts: tuple[Fact, ...], known_at) -> None:
    hold(mirror, facts)
    about = [f for f in facts if "e0" in (f.source_uuid, f.target_uuid)]
    order = sorted(about, key=lambda f: (f.valid_at or clock.EARLIEST, f.uuid))
    assert mirror.history("e0") == tuple(order)
    known = tuple(time_rule.as_known(f, known_at) for f in order if time_rule.recorded(f, known_at))
    assert mirror.history("e0", known_at) == known


@given(facts=several_facts(), known_at=instants, grid=st.lists(instants, max_size=5))
def test_counts_over_time_are_the_count_at_each_instant(
    mirror: Mirror, facts: tuple[Fact, ...], known_at, grid
) -> None:
    hold(mirror, facts)
    counted = [
        SeriesPoint(t, "", sum(time_rule.true_at(f, Instants(t, known_at)) for f in facts)) for t in sorted(set(grid))
    ]
    assert list(mirror.true_over_time(grid, known_at)) == counted
    by_relation = mirror.true_over_time(grid, known_at, by="relation")
    for point in by_relation:
        at = Instants(point.at, known_at)
        assert point.count == sum(time_rule.true_at(f, at) for f in facts if f.relation == point.group)
    assert sum(p.count for p in by_relation) == sum(p.count for p in counted)
    of_status = mirror.true_over_time(grid, known_at, relation="STATUS")
    assert [p.count for p in of_status] == [
        sum(time_rule.true_at(f, Instants(t, known_at)) for f in facts if f.relation == "STATUS")
        for t in sorted(set(grid))
    ]


@given(facts=several_facts())
def test_bounds_are_the_earliest_and_the_latest_start_or_end(mirror: Mirror, facts: tuple[Fact, ...]) -> None:
    hold(mirror, facts)
    dates = [d for f in facts for d in (f.valid_at, f.invalid_at or f.expired_at, f.believed_invalid_at) if d]
    assert mirror.bounds() == ((min(dates), max(dates)) if dates else None)


def test_the_extremes_of_the_calendar_are_kept(mirror: Mirror) -> None:
    fact = Fact("f", "e0", "e1", "PEP 484", "R", "Final", valid_at=clock.EARLIEST, invalid_at=clock.LATEST)
    hold(mirror, (fact,))
    assert mirror.facts_true(Instants(START, clock.EARLIEST)).facts == (fact,)
    assert mirror.bounds() == (clock.EARLIEST, clock.LATEST)
    assert mirror.count_true(Instants(clock.LATEST, clock.LATEST)) == 0
