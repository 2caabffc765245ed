"""The short way for a fact's only row is the long way, whatever the row and whatever is stored."""

from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.core.import_rows import Row
from services.writing import single_row
from tests.services.writing.imports import Graph, row, year

pytestmark = pytest.mark.slow

years = st.sampled_from((None, 2008, 2009))


@st.composite
def rows(draw: st.DrawFn) -> Row:
    """A row about the one fact, with any of its cells given or not."""
    cells = {name: draw(years) for name in ("expired_at", "withdrawn_at", "believed_invalid_at")}
    return row(
        draw(st.none() | st.integers(2006, 2009)),
        draw(years),
        fact=draw(st.sampled_from(("", "Ann works at Acme", "Ann cooks at Acme."))),
        episode=draw(st.sampled_from(("", "one", "two"))),
        ending=draw(st.sampled_from(("", "", "one", "three"))),
        attributes=draw(st.fixed_dictionaries({}, optional={"role": st.sampled_from("ab")})),
        valid_at_precision=draw(st.sampled_from(("instant", "year", "day"))),
        invalid_at_precision=draw(st.sampled_from(("instant", "year"))),
        ended_unknown=draw(st.booleans()),
        **{name: value and year(value) for name, value in cells.items()},
    )


@given(st.lists(rows(), min_size=1, max_size=3))
@settings(max_examples=400, deadline=None)
def test_a_short_cut_leads_to_what_the_history_leads_to(files):
    short, long = Graph(), Graph()
    for file in [*files, *files]:
        said = short.take(file)
        with patch.object(single_row, "needs_history", return_value=True):
            assert long.take(file) == said
        assert short.content() == long.content()


@given(rows(), st.integers(2005, 2007))
@settings(max_examples=200, deadline=None)
def test_a_row_said_before_the_record_was_made_takes_the_long_way(file, said):
    short, long = Graph(), Graph()
    for graph in (short, long):
        graph.take(file)
    later = row(None, fact=file.fact, episode=file.episode)
    verdicts = short.take(later, now=year(said))
    with patch.object(single_row, "needs_history", return_value=True):
        assert long.take(later, now=year(said)) == verdicts
    assert short.content() == long.content()


def test_most_rows_need_no_history():
    file = row(2007, 2008, expired_at=year(2008), episode="one")
    with patch("services.writing.import_plan.FactRevisions", side_effect=AssertionError("asked")):
        graph = Graph()
        assert graph.take(file) == ["new"]
        assert graph.take(file) == ["unchanged"]
