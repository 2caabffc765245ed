"""How tools write down a fact whose dates were given as years or months."""

from dataclasses import replace
from datetime import UTC, datetime

from services.core.models import Fact, Instants
from services.tools import wording

FACT = Fact("f", "s", "t", "Ada", "WORKS_FOR", "Acme", valid_at=datetime(1974, 1, 1, tzinfo=UTC))
ENDED = replace(FACT, invalid_at=datetime(1979, 5, 1, tzinfo=UTC))


def status(fact: Fact, year: int, month: int = 7) -> str:
    return wording.status(fact, Instants(datetime(year, month, 1, tzinfo=UTC), datetime(2030, 1, 1, tzinfo=UTC)))


def test_within_the_year_of_its_start_a_fact_has_begun_some_time_in_it() -> None:
    given = replace(FACT, valid_at_precision="year")
    assert status(given, 1974) == "current, started sometime in 1974"
    assert status(given, 1975) == status(FACT, 1974) == "current"


def test_within_the_month_of_its_end_a_fact_is_superseded_some_time_in_it() -> None:
    given = replace(ENDED, invalid_at_precision="month")
    assert status(given, 1979, 5) == "superseded sometime in May 1979"
    assert status(given, 1979) == "superseded May 1979"
    assert status(ENDED, 1979, 5) == "superseded 1979-05-01"
