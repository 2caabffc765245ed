"""Which dates a fact has where rules and network read different ones."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from services.core.draft_records import SURE_DATE, Draft
from services.extraction.date_choice import settled
from services.extraction.date_confidence import with_date_confidence
from services.extraction.rules.clause_dates import Times
from tests.services.extraction.read import drafts
from tests.services.extraction.test_date_confidence import evidence

_MAY, _JUNE = (datetime(2019, month, 1, tzinfo=UTC) for month in (5, 6))
_SHARES = st.floats(0, 1)
_DAYS = st.sampled_from([None, _MAY, _JUNE])


def test_a_date_that_the_network_is_sure_of_is_the_fact_s_where_rules_read_another():
    known = evidence(_MAY, None, (_MAY, 0.01, 0.01), (_JUNE, 0.99, 0.01), beside=[_MAY, _JUNE], ruled=False)
    assert settled(known).times == Times(_JUNE)


def test_dates_that_the_network_hardly_doubts_stay():
    known = evidence(_MAY, None, (_MAY, 0.45, 0.1), beside=[_MAY])
    assert settled(known) == known


def test_what_ends_by_the_rules_does_not_start_on_that_day():
    known = evidence(None, _MAY, (_MAY, 0.99, 0.01), beside=[_MAY])
    assert settled(known).times.valid_at is None


def test_a_fact_of_which_the_end_is_given_up_is_not_over():
    known = evidence(None, _MAY, (_MAY, 0.01, 0.01), beside=[_MAY], ruled=False)
    assert settled(known).times == Times()


def test_the_network_does_not_move_what_a_change_says_by_a_rule():
    text = "Kiln Ltd was demerged from Heron Group in May 2014."
    (told,) = (one for one in drafts(text) if one.relation == "PART_OF")
    assert (told.valid_at or told.unsure_valid_at) is None


@given(_DAYS, _DAYS, st.lists(st.tuples(st.sampled_from([_MAY, _JUNE]), _SHARES, _SHARES), max_size=3))
def test_a_date_that_rules_read_otherwise_is_offered_and_never_sure(start, end, seen):
    chosen = settled(evidence(start, end, *seen, beside=[_MAY]))
    days = {"start": chosen.times.valid_at, "end": chosen.times.invalid_at}
    assert {side for side, own in (("start", start), ("end", end)) if days[side] != own} == set(chosen.disputed)
    held = Draft("Ann", "WORKS_FOR", "Acme", valid_at=days["start"], invalid_at=days["end"])
    found = with_date_confidence(held, chosen)
    if "start" in chosen.disputed:
        assert (found.valid_at, found.unsure_valid_at) == (None, days["start"])
        assert found.valid_at_confidence < SURE_DATE
    if "end" in chosen.disputed:
        assert (found.invalid_at, found.unsure_invalid_at) == (None, days["end"])
        assert found.invalid_at_confidence < SURE_DATE
