"""Lanes and the two-clock plane: what goes where, before anything is drawn."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from components.timeline.lanes import MOST_IN_A_LANE, lay_out
from components.timeline.two_clocks import beliefs
from services.core import time_rule
from services.core.models import Fact, Instants

START = datetime(2020, 1, 1, tzinfo=UTC)
NOW = Instants(START + timedelta(days=40), START + timedelta(days=100))


def _day(n: int | None) -> datetime | None:
    return None if n is None else START + timedelta(days=n)


def _fact(target: str, start: int | None, stop: int | None = None, relation: str = "STATUS") -> Fact:
    return Fact(
        f"{relation}-{target}-{start}",
        "me",
        target,
        "Me",
        relation,
        target,
        valid_at=_day(start),
        invalid_at=_day(stop),
    )


def _lanes(*facts: Fact, limit: int = 9, one_valued: tuple[str, ...] = ()) -> list[tuple[str, list[str]]]:
    laid = lay_out(facts, "me", NOW, limit=limit, one_valued=one_valued)
    return [(lane.label, [f.target for f in lane.facts]) for lane in laid.lanes]


def test_values_that_follow_one_another_share_a_lane() -> None:
    assert _lanes(_fact("b", 10, 20), _fact("a", 0, 10)) == [("status", ["a", "b"])]


def test_values_that_hold_at_once_have_a_lane_each_and_one_label() -> None:
    assert _lanes(_fact("a", 0, 15), _fact("b", 10)) == [("status", ["a"]), ("", ["b"])]


def test_a_clash_in_a_relation_with_one_value_stays_on_its_lane() -> None:
    assert _lanes(_fact("a", 0, 15), _fact("b", 10), one_valued=("STATUS",)) == [("status", ["a", "b"])]


def test_facts_from_the_other_side_are_labelled_so() -> None:
    fact = Fact("x", "other", "me", "Other", "KNOWS", "Me", valid_at=START)
    assert [lane.label for lane in lay_out([fact], "me", NOW, limit=9).lanes] == ["knows of"]


def test_when_lanes_are_left_out_those_that_hold_are_kept_and_the_rest_is_counted() -> None:
    facts = [_fact(f"old {n}", n, 30 + n % 3, "KNOWS") for n in range(8)] + [_fact("now", 9, None, "KNOWS")]
    laid = lay_out(facts, "me", NOW, limit=3)
    assert laid.total == 9
    assert len(laid.lanes) == 3
    assert "now" in [f.target for lane in laid.lanes for f in lane.facts]


def test_every_relation_keeps_a_lane_when_room_is_short() -> None:
    facts = [_fact(f"{n}", 0, None, "KNOWS") for n in range(20)] + [_fact("a", 0), _fact("b", 0, None, "LIKES")]
    assert {name for name, _ in _lanes(*facts, limit=4) if name} == {"knows", "status", "likes"}


def test_a_crowded_lane_keeps_the_facts_nearest_to_the_date_and_counts_them_all() -> None:
    facts = [_fact(f"{n}", n - 200, n - 199) for n in range(400)]
    (lane,) = lay_out(facts, "me", NOW, limit=3).lanes
    assert lane.total == 400
    assert len(lane.facts) == MOST_IN_A_LANE
    assert any(time_rule.true_at(fact, NOW) for fact in lane.facts)
    shown = {fact.target for fact in lane.facts}
    assert {"211", "240", "270"} <= shown
    assert not shown & {"0", "399"}


_days = st.integers(0, 30)
_maybe = st.none() | _days


@st.composite
def _facts(draw: st.DrawFn) -> Fact:
    expired = draw(_maybe)
    return Fact(
        "f",
        "s",
        "t",
        "S",
        "R",
        "T",
        valid_at=_day(draw(_days)),
        invalid_at=_day(draw(_maybe)),
        created_at=_day(draw(_maybe)),
        expired_at=_day(expired),
        withdrawn_at=_day(draw(_maybe)),
        believed_invalid_at=_day(draw(_maybe)) if expired is not None else None,
    )


@given(_facts(), _days, _days)
def test_the_plane_is_filled_exactly_where_the_time_rule_says_true(fact: Fact, t: int, k: int) -> None:
    at = Instants(START + timedelta(days=t), START + timedelta(days=k))
    filled = any(
        b.start <= at.as_of
        and (b.stop is None or at.as_of < b.stop)
        and (b.known_from is None or b.known_from <= at.known_at)
        and (b.known_to is None or at.known_at < b.known_to)
        for b in beliefs([fact])
    )
    assert filled == time_rule.true_at(fact, at)
