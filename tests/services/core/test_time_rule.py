"""The rule of time, case by case."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from services.core import time_rule
from services.core.models import Fact, Instants

SECOND = timedelta(seconds=1)


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def fact(**times: str) -> Fact:
    return Fact("f", "s", "t", "Ada", "WORKS_FOR", "Acme", **{k: day(v) for k, v in times.items()})


def holds(f: Fact, as_of: str, known_at: str = "2030-01-01") -> bool:
    return time_rule.true_at(f, Instants(day(as_of), day(known_at)))


def test_a_fact_holds_from_the_instant_it_begins() -> None:
    f = fact(valid_at="2015-05-22")
    assert holds(f, "2015-05-22")
    assert not time_rule.true_at(f, Instants(day("2015-05-22") - SECOND, day("2030-01-01")))


def test_a_fact_no_longer_holds_at_the_instant_it_ends() -> None:
    f = fact(valid_at="2015-01-01", invalid_at="2016-01-01")
    assert not holds(f, "2016-01-01")
    assert time_rule.true_at(f, Instants(day("2016-01-01") - SECOND, day("2030-01-01")))


def test_a_fact_is_unknown_before_it_was_recorded() -> None:
    f = fact(valid_at="2015-01-01", created_at="2018-01-01")
    assert not holds(f, "2016-01-01", known_at="2017-12-31")
    assert holds(f, "2016-01-01", known_at="2018-01-01")


def test_a_fact_without_a_record_time_was_always_recorded() -> None:
    assert holds(fact(valid_at="2015-01-01"), "2016-01-01", known_at="1990-01-01")


def test_a_withdrawn_record_is_believed_until_the_instant_of_its_withdrawal() -> None:
    f = fact(valid_at="2015-01-01", created_at="2015-01-01", withdrawn_at="2018-01-01")
    assert holds(f, "2016-01-01", known_at="2017-12-31")
    assert not holds(f, "2016-01-01", known_at="2018-01-01")


def test_an_end_is_not_believed_before_the_graph_learned_it() -> None:
    f = fact(valid_at="2015-01-01", invalid_at="2016-01-01", created_at="2015-01-01", expired_at="2018-01-01")
    assert holds(f, "2017-01-01", known_at="2017-06-01")
    assert not holds(f, "2017-01-01", known_at="2018-01-01")


def test_before_a_new_end_was_learned_the_believed_one_counts() -> None:
    f = fact(valid_at="2015-01-01", invalid_at="2016-01-01", expired_at="2018-01-01", believed_invalid_at="2017-01-01")
    assert holds(f, "2016-06-01", known_at="2017-06-01")
    assert not holds(f, "2017-01-01", known_at="2017-06-01")


def test_an_expired_fact_without_an_end_ended_when_it_expired() -> None:
    f = fact(valid_at="2015-01-01", expired_at="2018-01-01")
    assert holds(f, "2017-12-31")
    assert not holds(f, "2018-01-01")


def test_a_fact_that_arrived_ended_is_believed_ended_from_the_start() -> None:
    f = fact(valid_at="2015-01-01", invalid_at="2016-01-01", created_at="2020-01-01")
    assert not holds(f, "2017-01-01", known_at="2020-01-01")


def test_a_fact_without_a_start_never_holds_but_counts_as_undated() -> None:
    f = fact(invalid_at="2016-01-01")
    at = Instants(day("2015-01-01"), day("2030-01-01"))
    assert not time_rule.true_at(f, at)
    assert time_rule.undated(f, at)
    assert not time_rule.undated(f, replace(at, as_of=day("2016-01-01")))


def test_what_was_learned_later_is_not_in_an_earlier_answer() -> None:
    f = replace(
        fact(
            valid_at="2015-01-01",
            invalid_at="2016-01-01",
            created_at="2015-01-01",
            expired_at="2018-01-01",
            withdrawn_at="2019-01-01",
        ),
        ended_by="e",
    )
    before, after = time_rule.as_known(f, day("2017-01-01")), time_rule.as_known(f, day("2018-06-01"))
    assert (before.invalid_at, before.expired_at, before.withdrawn_at, before.ended_by) == (None, None, None, None)
    assert (after.invalid_at, after.expired_at, after.ended_by) == (day("2016-01-01"), day("2018-01-01"), "e")
    assert after.withdrawn_at is None


instants = st.datetimes(datetime(1990, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))
facts = st.builds(
    lambda **times: Fact("f", "s", "t", "A", "R", "B", **times),
    **{
        name: st.none() | instants
        for name in ("valid_at", "invalid_at", "created_at", "expired_at", "withdrawn_at", "believed_invalid_at")
    },
)


@given(facts, instants, instants)
def test_a_fact_as_known_then_is_judged_the_same_by_the_rule(f: Fact, as_of: datetime, known_at: datetime) -> None:
    at = Instants(as_of, known_at)
    if time_rule.recorded(f, known_at):
        shown = time_rule.as_known(f, known_at)
        assert time_rule.true_at(shown, at) == time_rule.true_at(f, at)
        assert time_rule.undated(shown, at) == time_rule.undated(f, at)
