"""Facts as rows of a table that can be sorted."""

from dataclasses import replace
from datetime import UTC, datetime

from components.fact_table import rows
from services.core.models import Fact, Instants

NOW = Instants(datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC))


def fact(start: datetime | None, stop: datetime | None = None) -> Fact:
    return Fact("f", "a", "b", "Ada", "WORKS_FOR", "Labs", valid_at=start, invalid_at=stop)


def test_dates_of_any_precision_are_written_so_that_they_sort_by_time() -> None:
    first, later = datetime(2017, 1, 1, tzinfo=UTC), datetime(2017, 6, 1, tzinfo=UTC)
    exact = replace(fact(later, datetime(2017, 6, 30, tzinfo=UTC)), valid_at_precision="day")
    month = replace(fact(first, later), valid_at_precision="year", invalid_at_precision="month")
    ancient = replace(fact(datetime(79, 1, 1, tzinfo=UTC)), valid_at_precision="year")
    shown = [(row["Valid from"], row["Valid until"]) for row in rows([ancient, month, exact, fact(None)], NOW)]
    assert shown == [("0079", ""), ("2017", "2017-06"), ("2017-06-01", "2017-06-30"), ("", "")]


def test_an_end_on_an_unknown_date_is_told_by_how_the_fact_stands() -> None:
    over = replace(fact(datetime(1985, 1, 1, tzinfo=UTC)), ended_unknown=True, expired_at=NOW.known_at)
    words = "ended, date unknown (before 1 January 2026)"
    (row,) = rows([over], NOW)
    assert (row["Valid until"], row["Status"]) == ("", words)
    (earlier,) = rows([over], Instants(datetime(1990, 1, 1, tzinfo=UTC), NOW.known_at))
    assert (earlier["Valid until"], earlier["Status"]) == ("", f"holds; {words}")
