"""How facts are laid out on a terminal."""

from dataclasses import replace
from datetime import UTC, datetime

from services.commands.facts import facts_text
from services.commands.text import fact_span, fact_table, short
from services.core.json_documents import fact_document, instants_document
from services.core.models import Fact, Instants

START, END, LATER = (datetime(year, month, 1, tzinfo=UTC) for year, month in ((1974, 1), (1979, 5), (2030, 1)))
EXACT = Fact("f", "s", "t", "Ada", "WORKS_FOR", "Acme", valid_at=START, invalid_at=END)
FACT = replace(EXACT, valid_at_precision="year", invalid_at_precision="month")


def test_a_table_says_dates_as_exactly_as_they_are_known() -> None:
    unknown = replace(EXACT, invalid_at=None, ended_unknown=True, expired_at=LATER)
    _, exact, row, ended = fact_table([fact_document(one) for one in (EXACT, FACT, unknown)])
    assert exact.split() == ["1974-01-01", "1979-05-01", "Ada", "WORKS_FOR", "Acme"]
    assert row.split() == ["1974", "May", "1979", "Ada", "WORKS_FOR", "Acme"]
    assert "ended, date unknown (before 1 January 2030)" in ended
    assert fact_span(fact_document(FACT)) == "1974 → May 1979"


def test_a_fact_is_marked_within_its_start_and_listed_apart_within_its_end() -> None:
    shown = {"undated": 0, "facts": [fact_document(FACT)], **instants_document(Instants(START, LATER))}
    assert facts_text(shown).endswith("Acme    (sometime in 1974)")
    over = {
        "undated": 1,
        "facts": [],
        "may_have_ended": [fact_document(FACT)],
        **instants_document(Instants(END, LATER)),
    }
    lines = facts_text(over).splitlines()
    assert lines[1:3] == ["No dated facts are valid on this date.", "May have ended:"]
    assert lines[4].endswith("(ended sometime in May 1979)")
    assert lines[5] == "(1 more without a date)"


def test_instants_are_shown_to_the_second() -> None:
    assert short("2026-11-27T06:42:04.123456+00:00") == "2026-11-27T06:42:04Z"
    assert short("2018-06-27T00:00:00+00:00") == "2018-06-27"
