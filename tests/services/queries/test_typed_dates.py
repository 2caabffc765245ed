"""What somebody types into the time bar is read as one instant, or said to be unreadable."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from services.core.models import Entity, Fact
from services.mirror.mirror import Mirror
from services.queries.typed_dates import typed_date

NOW = datetime(2026, 11, 26, 14, tzinfo=UTC)


def _day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.fixture(scope="module")
def pep() -> Mirror:
    """PEP 1, which was a draft, then accepted; its delegate is not dated."""

    def fact(uuid: str, relation: str, target: str, start: str | None, stop: str | None = None) -> Fact:
        dates = {"valid_at": (start and _day(start)) or None, "invalid_at": (stop and _day(stop)) or None}
        return Fact(uuid, "pep", target, "PEP 1", relation, target, created_at=_day("2016-01-01"), **dates)

    facts = [
        fact("f1", "HAS_STATUS", "Draft", "2015-01-08", "2015-05-23"),
        fact("f2", "HAS_STATUS", "Accepted", "2015-05-23"),
        fact("f3", "HAS_DELEGATE", "Ada Byron", None),
        replace(fact("f4", "HAS_STATUS", "Rejected", "2017-01-01"), withdrawn_at=_day("2018-01-01")),
    ]
    names = ("Draft", "Accepted", "Ada Byron", "Rejected")
    mirror = Mirror()
    mirror.replace_all([[Entity("pep", "PEP 1"), *(Entity(name, name) for name in names)]], [facts], [])
    return mirror


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2018-06-15", "2018-06-15"),
        ("on 15 June 2018", "2018-06-15"),
        ("June 2018", "2018-06-01"),
        ("june 2018", "2018-06-01"),
        ("Q2 2018", "2018-04-01"),
        ("2018", "2018-01-01"),
        ("2026", "2026-01-01"),
        ("a year ago", "2025-11-26"),
        ("two months ago", "2026-09-26"),
        ("3 days ago", "2026-11-23"),
        ("end of 2025", "2025-12-31"),
        ("before 2018", "2017-12-31"),
        ("since June 2018", "2018-06-01"),
        ("when PEP 1 became Accepted", "2015-05-23"),
        ("when pep 1's status became draft", "2015-01-08"),
        ("when PEP 1 left Draft", "2015-05-23"),
        ("the day that Accepted was the status of PEP 1", "2015-05-23"),
    ],
)
def test_a_text_is_read_as_a_day(pep: Mirror, text: str, day: str) -> None:
    assert typed_date(pep, text, NOW).at == _day(day)


@pytest.mark.parametrize("text", ["", " now ", "Today", "latest"])
def test_no_text_and_words_for_now_are_now(pep: Mirror, text: str) -> None:
    read = typed_date(pep, text, NOW)
    assert (read.at, read.problem) == (None, "")


@pytest.mark.parametrize(
    ("text", "problem", "offers"),
    [
        ("soonish", "“soonish” is not a valid date.", ("2018-06-15", "June 2018", "a year ago")),
        ("March or April", "“March or April” is not a valid date.", ("2018-06-15", "June 2018", "a year ago")),
        ("2018-02-30", "The day “2018-02-30” does not exist.", ()),
        ("when PEP 1 became Acepted", "“PEP 1 became Acepted”", ("when PEP 1 became Accepted",)),
        ("when Microsoft became Final", "No entity in the graph matches", ()),
        ("when PEP 1 had delegate Ada Byron", "has no date", ()),
        ("when PEP 1", "Say what changed about PEP 1.", ("when PEP 1 became Draft",)),
    ],
)
def test_what_cannot_be_read_says_so_and_offers_what_can(
    pep: Mirror, text: str, problem: str, offers: tuple[str, ...]
) -> None:
    read = typed_date(pep, text, NOW)
    assert read.at is None
    assert problem in read.problem
    assert read.offers[: len(offers)] == offers


def test_a_date_that_names_two_days_offers_both(pep: Mirror) -> None:
    assert typed_date(pep, "03/04/2018", NOW).offers == ("2018-03-04", "2018-04-03")


def test_a_change_that_was_not_recorded_yet_is_not_known(pep: Mirror) -> None:
    assert typed_date(pep, "when PEP 1 became Accepted", NOW, _day("2015-12-31")).problem


def test_a_change_that_was_withdrawn_is_known_only_while_the_graph_said_it(pep: Mirror) -> None:
    assert typed_date(pep, "when PEP 1 became Rejected", NOW).problem
    assert typed_date(pep, "when PEP 1 became Rejected", NOW, _day("2017-06-01")).at == _day("2017-01-01")
