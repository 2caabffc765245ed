"""Facts in sentences, with dates that are known to the year or month alone."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from services.analyst import phrasing
from services.core.models import Fact
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
    assert phrasing.length(over, LEARNED) == "about 1,826 days"
    assert phrasing.length(replace(over, valid_at_precision="day"), LEARNED) == "1,826 days"


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
