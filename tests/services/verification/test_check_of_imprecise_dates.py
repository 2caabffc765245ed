"""Sentences about facts whose dates are known to the year or month alone."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from services.core.answer_records import Evidence, Mark
from services.core.models import Precision
from tests.services.verification.turns import facts, mark, marked


def known_to(evidence: Sequence[Evidence], began: Precision, ended: Precision = "instant") -> list[Evidence]:
    return [
        replace(e, fact=replace(e.fact, valid_at_precision=began, invalid_at_precision=ended))
        for e in evidence
        if e.fact is not None
    ]


LEARNED = datetime(2026, 11, 20, 9, tzinfo=UTC)
OPEN = known_to(facts("Ada Lane | MANAGES | Depot North | 1974-01-01 | | Ada Lane manages Depot North"), "year")
JOINED = known_to(facts("Ada Lane | JOINED | Depot North | 1974-01-01 | | Ada Lane joined Depot North"), "year")
OVER = known_to(
    facts("Ada Lane | MANAGES | Depot North | 1974-01-01 | 2017-06-01 | Ada Lane manages Depot North"), "year", "month"
)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Ada Lane manages Depot North, since 1974 [1].", "supported"),
        ("Ada Lane has managed Depot North since 1974 [1].", "supported"),
        ("Ada Lane manages Depot North, since 1975 [1].", "contradicted"),
        ("Ada Lane manages Depot North, since 1973 [1].", "contradicted"),
    ],
)
def test_what_is_known_to_the_year_is_held_against_the_year(sentence: str, expected: Mark) -> None:
    assert mark(sentence, OPEN) == expected


@pytest.mark.parametrize(("year", "expected"), [("1974", "supported"), ("1975", "contradicted")])
def test_an_event_of_a_year_is_held_against_the_year(year: str, expected: Mark) -> None:
    assert mark(f"Ada Lane joined Depot North in {year} [1].", JOINED) == expected


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("from 1974 until June 2017", "supported"),
        ("from 1974 to 2017", "supported"),
        ("until June 2017", "supported"),
        ("until July 2018", "contradicted"),
        ("from 1974 until June 2016", "contradicted"),
    ],
)
def test_a_span_of_year_and_month_is_held_against_both(when: str, expected: Mark) -> None:
    assert mark(f"Ada Lane managed Depot North {when} [1].", OVER) == expected


UNKNOWN = [
    replace(e, fact=replace(e.fact, ended_unknown=True, invalid_at=LEARNED, expired_at=LEARNED))
    for e in OPEN
    if e.fact is not None
]


@pytest.mark.parametrize("began", ["from 1974", ""])
def test_an_unknown_end_is_borne_out_by_a_fact_that_has_one_alone(began: str) -> None:
    said = f"Ada Lane managed Depot North {began}; ended, date unknown (before 20 November 2026) [1]."
    assert mark(said, UNKNOWN) == "supported"
    assert mark(said, OPEN) == "contradicted"


def test_what_is_wrong_is_told_as_exactly_as_it_is_known() -> None:
    (sentence,) = marked("Ada Lane managed Depot North from 1974 until June 2016 [1].", OVER)
    assert "began in 1974 and ended in June 2017" in sentence.reason
