"""Facts in sentences, with dates that are known to the year or month alone."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from services.analyst import phrasing
from services.analyst.date_comparison import began_in_one, began_later
from services.analyst.lengths import Unit, length
from services.core.models import Fact, Precision
from tests.services.analyst.conftest import opened
from tests.services.retrieval.conftest import write

START, END, LEARNED = (datetime(year, 1, 1, tzinfo=UTC) for year in (1974, 1979, 2020))
WORKS = Fact("f", "s", "t", "Ada", "WORKS_FOR", "Acme", valid_at=START, valid_at_precision="year")
JOINED = replace(WORKS, relation="JOINED")


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        (WORKS, "Ada works for Acme, since 1974."),
        (JOINED, "Ada joined Acme in 1974."),
        (replace(JOINED, valid_at_precision="month"), "Ada joined Acme in January 1974."),
        (replace(JOINED, valid_at_precision="instant"), "Ada joined Acme on 1974-01-01."),
        (replace(WORKS, invalid_at=END), "Ada worked for Acme from 1974 until 1979-01-01."),
        (
            replace(WORKS, invalid_at=END, invalid_at_precision="month"),
            "Ada worked for Acme from 1974 until January 1979.",
        ),
        (replace(WORKS, valid_at=None), "Ada works for Acme (undated)."),
        (replace(WORKS, valid_at=None, invalid_at=END, invalid_at_precision="year"), "Ada worked for Acme until 1979."),
        (
            replace(WORKS, ended_unknown=True, expired_at=LEARNED),
            "Ada worked for Acme from 1974; ended, date unknown (before 1 January 2020).",
        ),
        (
            replace(WORKS, valid_at=None, ended_unknown=True, invalid_at=LEARNED),
            "Ada worked for Acme; ended, date unknown (before 1 January 2020).",
        ),
    ],
)
def test_a_sentence_says_dates_as_exactly_as_they_are_known(fact: Fact, said: str) -> None:
    assert phrasing.sentence(fact, phrasing.date_of) == said


def test_how_long_a_fact_held_is_said_to_be_about_where_its_dates_are() -> None:
    over = replace(WORKS, invalid_at=END)
    assert length(over, LEARNED) == "about 5 years (1,826 days)"
    assert length(replace(over, valid_at_precision="day"), LEARNED) == "5 years (1,826 days)"


@pytest.mark.parametrize(
    ("end", "unit", "said"),
    [
        ("1974-01-01", "", "0 days"),
        ("1974-01-02", "", "1 day"),
        ("1974-01-31", "", "30 days"),
        ("1974-02-01", "", "1 month (31 days)"),
        ("1975-12-31", "", "1 year and 11 months (729 days)"),
        ("1976-01-01", "", "2 years (730 days)"),
        ("1976-03-15", "month", "26 months (804 days)"),
        ("1974-01-20", "week", "2 weeks (19 days)"),
        ("1976-01-01", "day", "730 days"),
        ("1974-01-05", "week", "4 days"),
    ],
)
def test_a_length_is_said_in_years_and_months_or_in_the_unit_asked_for(end: str, unit: Unit, said: str) -> None:
    over = replace(WORKS, valid_at_precision="day", invalid_at=datetime.fromisoformat(f"{end}T00:00:00+00:00"))
    assert length(over, LEARNED, unit) == said


def test_a_question_about_the_year_of_an_end_tells_what_may_have_ended(tmp_path: Path) -> None:
    graph = opened(tmp_path, {"Person": ("Ada",), "Company": ("Acme",)}, ())
    over = replace(WORKS, uuid="o", source_uuid="Ada", target_uuid="Acme", invalid_at=END, invalid_at_precision="year")
    write(graph.services, over)
    try:
        within = graph.ask("Who worked for Acme on 1979-05-01?")
        assert within.declined
        assert within.hint == "This may have ended by then: Ada worked for Acme from 1974 until 1979."
        assert "may have ended" not in graph.ask("Who worked for Acme on 1980-05-01?").hint
    finally:
        graph.services.close()


OPEN = "The recorded dates do not settle this question."


@pytest.mark.parametrize(
    ("one", "other", "unit", "lead"),
    [
        (("1974", "year"), ("1974", "year"), "day", OPEN),
        (("1974", "year"), ("1974", "year"), "year", "Yes."),
        (("1974", "year"), ("1975", "year"), "day", "No."),
        (("1974-03", "month"), ("1974-03-09", "day"), "day", OPEN),
        (("1974-03", "month"), ("1974-03-09", "day"), "month", "Yes."),
        (("1974", "year"), ("1974-03", "month"), "month", OPEN),
    ],
)
def test_dates_are_the_same_only_as_exactly_as_both_are_known(
    tmp_path: Path, one: tuple[str, Precision], other: tuple[str, Precision], unit: str, lead: str
) -> None:
    graph = opened(tmp_path, {"Person": ("Ada", "Bo"), "Prize": ("Cup", "Bowl")}, ())
    for name, prize, (start, precision) in (("Ada", "Cup", one), ("Bo", "Bowl", other)):
        begun = datetime.fromisoformat((start + "-01-01")[:10]).replace(tzinfo=UTC)
        fact = Fact(name, name, prize, name, "WON", prize, valid_at=begun, valid_at_precision=precision)
        write(graph.services, fact)
    try:
        assert graph.ask(f"Did Ada and Bo win a prize in the same {unit}?").text.startswith(lead)
    finally:
        graph.services.close()


@pytest.mark.parametrize("undated", [replace(WORKS, valid_at=None), replace(JOINED, valid_at=None)])
def test_a_fact_without_a_date_is_neither_later_than_another_nor_of_its_year(undated: Fact) -> None:
    for other in (WORKS, undated):
        assert began_in_one("year", undated, other) is None
        assert began_later(undated, other) is None
        assert began_later(other, undated) is None


@pytest.mark.parametrize(
    ("start", "precision", "is_later"),
    [
        (datetime(1974, 6, 1, tzinfo=UTC), "day", None),
        (datetime(1974, 1, 1, tzinfo=UTC), "year", None),
        (datetime(1975, 1, 1, tzinfo=UTC), "year", True),
        (datetime(1973, 12, 31, tzinfo=UTC), "day", False),
    ],
)
def test_what_began_in_a_year_is_later_only_than_what_began_before(
    start: datetime, precision: Precision, is_later: bool | None
) -> None:
    assert began_later(replace(WORKS, valid_at=start, valid_at_precision=precision), WORKS) is is_later


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Who was mayor of Oslo when Ada won the cup?", {"Bo", "Cy"}),
        ("Who became mayor of Oslo in the same year as Ada won Cup?", {"Cy"}),
        ("Who became mayor of Oslo in the same month as Ada won Cup?", set()),
        ("Who was mayor of Oslo when Ada won Cup?", {"Bo", "Cy"}),
    ],
)
def test_what_began_in_a_year_dates_a_question_to_all_of_it(tmp_path: Path, question: str, named: set[str]) -> None:
    graph = opened(tmp_path, {"Person": ("Ada", "Bo", "Cy", "Di"), "City": ("Oslo",), "Prize": ("Cup",)}, ())
    for name, *years in (("Bo", 1970, 1974), ("Cy", 1974, 1978), ("Di", 1978, 1980)):
        start, end = (datetime(year, 6, 1, tzinfo=UTC) for year in years)
        write(graph.services, Fact(name, name, "Oslo", name, "MAYOR_OF", "Oslo", valid_at=start, invalid_at=end))
    won = Fact("w", "Ada", "Cup", "Ada", "WON", "Cup", valid_at=START, valid_at_precision="year")
    write(graph.services, won)
    try:
        answer = graph.ask(question)
        assert {name for name in ("Bo", "Cy", "Di") if name in answer.text} == named
        assert answer.declined is not bool(named)
    finally:
        graph.services.close()
