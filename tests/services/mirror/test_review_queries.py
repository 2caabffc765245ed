"""What to look at, and where the next change is: asked of a mirror in memory, held to the rule in Python."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core import contradictions, time_rule
from services.core.models import Entity, Fact, GraphWrite, Instants
from services.mirror import review_queries
from services.mirror.mirror import Mirror

START = datetime(2020, 1, 1, tzinfo=UTC)


def _day(n: int) -> datetime:
    return START + timedelta(days=n)


def _fact(uuid: str, source: str, target: str, start: int, stop: int | None = None, created: int | None = None) -> Fact:
    return Fact(
        uuid,
        source,
        target,
        source,
        "STATUS",
        target,
        valid_at=_day(start),
        invalid_at=None if stop is None else _day(stop),
        created_at=_day(start if created is None else created),
    )


def _mirror(facts: Sequence[Fact]) -> Mirror:
    mirror = Mirror()
    names = {name for fact in facts for name in (fact.source_uuid, fact.target_uuid)}
    mirror.apply(GraphWrite(tuple(Entity(name, name) for name in names), tuple(facts)))
    return mirror


AT = Instants(_day(100), _day(100))
CLEAN = [_fact(f"{n}-{i}", f"s{n}", f"v{i}", i * 10, i * 10 + 10) for n in range(10) for i in range(4)]


def test_a_relation_with_few_overlaps_is_one_valued_and_those_are_at_odds() -> None:
    clash = _fact("clash", "s0", "other", 35, 50)
    mirror = _mirror([*CLEAN, clash])
    assert review_queries.one_valued_relations(mirror, AT) == {"STATUS"}
    found = review_queries.review_list(mirror, AT)
    assert found.contradictions_total == 1
    (overlap,) = found.contradictions
    assert (overlap.first.uuid, overlap.second.uuid) == ("0-3", "clash")
    assert (overlap.start, overlap.stop) == (_day(35), _day(40))


def test_a_relation_whose_values_mostly_overlap_has_several_and_nothing_is_at_odds() -> None:
    mirror = _mirror([_fact(f"{n}", f"s{n % 3}", f"v{n}", n) for n in range(9)])
    assert review_queries.one_valued_relations(mirror, AT) == frozenset()
    assert review_queries.review_list(mirror, AT).contradictions_total == 0


def test_late_records_are_counted_and_the_latest_comes_first() -> None:
    found = review_queries.review_list(
        _mirror([_fact("a", "s", "x", 0, 1, 31), _fact("b", "t", "y", 0, 1, 60), *CLEAN]), AT, 1
    )
    assert found.late_total == 2
    assert [fact.uuid for fact in found.late] == ["b"]


def test_a_record_that_took_the_place_of_a_wrong_one_is_not_late() -> None:
    wrong = replace(_fact("wrong", "s", "x", 0), withdrawn_at=_day(60), expired_at=_day(60))
    edited = _fact("edited", "s", "y", 1, created=60)
    reinstated = _fact("again", "s", "x", 0, created=70)
    late = _fact("late", "s", "z", 2, created=80)
    found = review_queries.review_list(_mirror([wrong, edited, reinstated, late, *CLEAN]), AT)
    assert [fact.uuid for fact in found.late] == ["late"]


_spans = st.lists(
    st.tuples(st.integers(0, 20), st.none() | st.integers(1, 15), st.integers(0, 2)), min_size=1, max_size=8
)


@pytest.mark.slow
@given(_spans, st.integers(-1, 40))
def test_the_changes_before_and_after_are_those_of_the_facts(spans: list[tuple[int, int | None, int]], t: int) -> None:
    facts = [_fact(str(i), "s", f"v{v}", a, None if n is None else a + n) for i, (a, n, v) in enumerate(spans)]
    mirror, at = _mirror(facts), Instants(_day(t), _day(100))
    instants = {d for f in facts for d in (f.valid_at, f.invalid_at) if d is not None}
    assert review_queries.change_before(mirror, at) == max((d for d in instants if d < at.as_of), default=None)
    assert review_queries.change_after(mirror, at) == min((d for d in instants if d > at.as_of), default=None)
    assert review_queries.change_after(mirror, at, "v0") == min(
        (d for f in facts if f.target_uuid == "v0" for d in (f.valid_at, f.invalid_at) if d and d > at.as_of),
        default=None,
    )
    mirror.close()


@given(_spans)
def test_an_overlap_is_a_time_when_both_facts_hold(spans: list[tuple[int, int | None, int]]) -> None:
    facts = [_fact(str(i), "s", f"v{v}", a, None if n is None else a + n) for i, (a, n, v) in enumerate(spans)]
    for overlap in contradictions.overlaps(facts, _day(100), {"STATUS"}):
        for fact in (overlap.first, overlap.second):
            assert time_rule.true_at(fact, Instants(overlap.start, _day(100)))


_odd_spans = st.lists(
    st.tuples(st.integers(0, 12), st.none() | st.integers(-2, 8), st.integers(0, 2), st.integers(0, 2)), max_size=8
)


@pytest.mark.slow
@given(_odd_spans)
def test_the_mirror_and_python_find_the_same_contradictions(spans: list[tuple[int, int | None, int, int]]) -> None:
    odd = [_fact(f"o{i}", f"o{s}", f"v{v}", a, None if n is None else a + n) for i, (a, n, v, s) in enumerate(spans)]
    facts = [*odd, *(_fact(f"c{n}-{i}", f"c{n}", f"v{i}", i, i + 1) for n in range(10) for i in range(20))]
    mirror = _mirror(facts)
    assert review_queries.one_valued_relations(mirror, AT) == {"STATUS"}
    found = review_queries.review_list(mirror, AT, 1000).contradictions
    expected = contradictions.overlaps(facts, AT.known_at, {"STATUS"})
    assert {(o.first.uuid, o.second.uuid, o.start, o.stop) for o in found} == {
        (o.first.uuid, o.second.uuid, o.start, o.stop) for o in expected
    }
    mirror.close()


def test_changes_between_instants_leave_the_first_out_and_take_the_next_in() -> None:
    mirror = _mirror([_fact("a", "s", "x", 0, 10), _fact("b", "s", "y", 10, 20)])
    assert review_queries.changes_between(mirror, (_day(0), _day(10), _day(15), _day(20)), _day(100)) == (2, 0, 1)


def test_nothing_changes_between_instants_of_an_empty_graph() -> None:
    assert review_queries.changes_between(_mirror([]), (_day(0), _day(10)), _day(100)) == (0,)
