"""The order of files changes no answer, and importing again changes nothing."""

from datetime import UTC, datetime
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.import_rows import Row
from tests.services.writing.imports import Graph, row, year

YEARS = range(2000, 2028)
ends = st.none() | st.integers(2006, 2009)
exactness = st.fixed_dictionaries(
    {},
    optional={
        "valid_at_precision": st.sampled_from(("year", "day")),
        "invalid_at_precision": st.sampled_from(("year", "month")),
        "ended_unknown": st.booleans(),
    },
)
attributes = st.fixed_dictionaries({}, optional={"role": st.sampled_from("ab"), "grade": st.sampled_from("12")})


@st.composite
def histories(draw: st.DrawFn) -> list[Row]:
    """What one fact was said to be, each time in another year; some rows bring record times of their own."""
    said = draw(st.lists(st.integers(2001, 2025), min_size=1, max_size=6, unique=True))
    rows = []
    for number, at in enumerate(said, 1):
        stamp = draw(st.none() | st.sampled_from(("expired_at", "withdrawn_at")))
        times = {stamp: year(draw(st.integers(at + 1, 2027)))} if stamp else {}
        rows.append(row(at, draw(ends), attributes=draw(attributes), number=number, **draw(exactness), **times))
    return rows


@st.composite
def files(draw: st.DrawFn) -> list[Row]:
    """Rows of any kind: without a date, with ties, with record times of their own, with sources."""
    made, stamped = [], set()  # two rows that stamp one record differently are no history: the last one wins
    for number in range(draw(st.integers(1, 6))):
        said, start = draw(st.none() | st.integers(2001, 2004)), draw(st.sampled_from((2004, 2005)))
        times = {}
        if said is not None and (start, said) not in stamped and draw(st.booleans()):
            stamped.add((start, said))
            stamps = st.integers(2005, 2020).map(year)
            optional = {"expired_at": stamps, "believed_invalid_at": st.integers(2006, 2009).map(year)}
            times = draw(st.fixed_dictionaries({"withdrawn_at": stamps}, optional=optional))
        made.append(
            row(
                said,
                draw(ends),
                start=start,
                number=number,
                attributes=draw(attributes),
                episode=draw(st.sampled_from(("", "one", "two"))),
                **draw(exactness),
                **times,
            )
        )
    return made


@given(histories(), st.randoms(use_true_random=False))
def test_the_order_of_files_changes_no_answer(rows, random):
    in_order, shuffled = Graph(), Graph()
    in_order.take(*rows)
    left = random.sample(rows, len(rows))
    while left:
        size = random.randint(1, len(left))
        shuffled.take(*left[:size])
        left = left[size:]
    assert shuffled.answers(YEARS) == in_order.answers(YEARS)


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_how_exactly_an_end_is_known_is_learned_when_it_was_said(order):
    """What was said before a correction stays as exact as it was, whichever file came first."""
    said = [
        row(2001, number=1),
        row(2004, 2007, number=2),
        row(2005, number=3, attributes={"role": "a"}),
        row(2006, 2007, number=4, invalid_at_precision="year"),
    ]
    graph = Graph()
    for number in order:
        graph.take(said[number])
    assert [fact.invalid_at_precision for fact in graph.facts] == ["instant", "year"]


@given(histories(), st.randoms(use_true_random=False))
def test_rows_that_were_imported_change_nothing_again_in_any_order(rows, random):
    graph = Graph()
    graph.take(*rows)
    before = graph.content()
    for again in random.sample(rows, len(rows)):
        assert graph.take(again) == ["unchanged"]
    assert graph.content() == before


@given(files())
def test_a_file_that_is_imported_twice_changes_nothing_whatever_is_in_it(rows):
    graph = Graph()
    graph.take(*rows)
    before = graph.content()
    graph.take(*rows, now=datetime(2032, 1, 1, tzinfo=UTC))
    assert graph.content() == before
