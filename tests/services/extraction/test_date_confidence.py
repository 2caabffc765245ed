"""How sure the dates of a draft are, and what becomes of those that are not."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from services.core.draft_records import SURE_DATE, Draft
from services.extraction.date_confidence import DateEvidence, share_right, with_date_confidence
from services.extraction.learned.dates import DateEdge
from services.extraction.rules.clause_dates import Times
from services.extraction.rules.date_expressions import DateExpression
from tests.services.extraction.read import drafts

_MAY, _JUNE = (datetime(2019, month, 1, tzinfo=UTC) for month in (5, 6))
_DAYS = st.sampled_from([None, _MAY, _JUNE])
_SHARES = st.floats(0, 1)


def evidence(start=None, end=None, *edges, beside=(), ruled=True, relation="WORKS_FOR", share=0.9):
    seen = tuple(DateEdge(DateExpression(0, 4, "at", day), starts, ends) for day, starts, ends in edges)
    dates = tuple(DateExpression(0, 4, "at", day) for day in beside)
    return DateEvidence(relation, Times(start, end), share, ruled, dates, seen)


def test_the_surer_the_network_the_surer_a_start():
    shares = [share_right(evidence(_MAY, None, (_MAY, p, 0.1), beside=[_MAY]), "start") for p in (0.1, 0.5, 0.9)]
    assert shares == sorted(set(shares))


def test_a_date_of_another_sentence_is_less_sure():
    seen = (_MAY, 0.6, 0.1)
    inside, outside = (evidence(_MAY, None, seen, beside=dates) for dates in ([_MAY], []))
    assert share_right(inside, "start") > share_right(outside, "start")


def test_a_missing_date_is_less_sure_where_the_network_sees_one():
    told, untold = (share_right(evidence(None, None, *seen), "end") for seen in ([(_MAY, 0.1, 0.9)], []))
    assert told < SURE_DATE < untold


@given(_DAYS, _DAYS, st.lists(st.tuples(st.sampled_from([_MAY, _JUNE]), _SHARES, _SHARES), max_size=3), _SHARES)
def test_a_date_is_part_of_the_fact_where_it_is_sure_else_offered(start, end, seen, share):
    known = evidence(start, end, *seen, beside=[_MAY], share=share)
    found = with_date_confidence(Draft("Ann", "WORKS_FOR", "Acme", valid_at=start, invalid_at=end), known)
    sides = (
        (start, found.valid_at, found.unsure_valid_at, found.valid_at_confidence),
        (end, found.invalid_at, found.unsure_invalid_at, found.invalid_at_confidence),
    )
    for given_day, kept, offered, sure in sides:
        assert kept is None or (kept == given_day and sure >= round(SURE_DATE, 3) and offered is None)
        assert given_day is None or given_day in (kept, offered)


def test_a_plain_sentence_gives_a_fact_with_a_sure_start():
    found = next(one for one in drafts("Ida Moen has lived in Oslo since 2019.") if one.relation == "LIVES_IN")
    assert (found.valid_at, found.unsure_valid_at) == (datetime(2019, 1, 1, tzinfo=UTC), None)
