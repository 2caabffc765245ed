"""What the analyst tells at an instant is what the time rule says."""

from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from services.core import clock, time_rule
from services.core.models import Instants
from tests.services.analyst.conftest import Graph, day, in_short

_DAYS = st.integers(0, 365 * 26).map(lambda days: day("2000-01-01") + timedelta(days=days))
_ASKED = {"OWNED_BY": "Who owned", "COMMANDED_BY": "Who commanded", "HAS_STATE": "What was the state of"}


@settings(max_examples=60, deadline=None)
@given(at=_DAYS, relation=st.sampled_from(sorted(_ASKED)), vessel=st.sampled_from(["Aurora", "Borealis", "Calypso"]))
def test_a_value_at_an_instant_is_what_is_true_then(harbour: Graph, at: datetime, relation: str, vessel: str) -> None:
    instants = Instants(at, clock.now())
    wanted = [
        f for f in harbour.facts if (f.source, f.relation) == (vessel, relation) and time_rule.true_at(f, instants)
    ]
    assert harbour.cited(f"{_ASKED[relation]} {vessel} on {at:%Y-%m-%d}?") == [in_short(fact) for fact in wanted]


@settings(max_examples=40, deadline=None)
@given(at=_DAYS)
def test_a_history_up_to_an_instant_has_what_began_by_then(harbour: Graph, at: datetime) -> None:
    states = [fact for fact in harbour.facts if (fact.source, fact.relation) == ("Aurora", "HAS_STATE")]
    begun = [in_short(fact) for fact in states if fact.valid_at is not None and fact.valid_at <= at]
    assert harbour.cited("Give me the history of the state of Aurora.", as_of=at) == begun
