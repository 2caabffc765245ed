"""The view and its address."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.address import View, page_query, parameters_of, register, view_of
from components.ask.ask_view import AskView
from components.connect.connect_view import CLIENTS, LIFETIMES, ConnectView
from components.explore.explore_view import ExploreView
from components.ingest.ingest_view import IngestView
from components.page_views import PAGE_VIEWS
from components.search.search_view import KINDS, MODES, MOST, SearchView
from components.sources.sources_view import SourcesView
from components.sql.sql_view import SqlView
from components.timeline.timeline_view import MOST_LANES, TimelineView
from services.core.models import Instants

words = st.text(st.characters(exclude_characters="|", exclude_categories=["Cs"]), min_size=1)
instants = st.none() | st.datetimes(datetime(1, 1, 2), datetime(9998, 12, 30), timezones=st.just(UTC))
lists = st.lists(words, unique=True).map(lambda names: tuple(sorted(names)))
texts = st.text(st.characters(exclude_categories=["Cs"]))
several = st.lists(texts.filter(bool), unique=True).map(tuple)
lines = st.tuples(st.integers(1, 9999), st.integers(0, 99)).map(lambda span: (span[0], sum(span)))
searches = st.builds(
    SearchView,
    text=texts,
    kind=st.sampled_from(KINDS),
    mode=st.sampled_from(MODES),
    types=several,
    relations=several,
    documents=several,
    section=texts,
    since=st.none() | st.dates(),
    until=st.none() | st.dates(),
    recorded=st.booleans(),
    shown=st.integers(1, MOST),
    open=texts,
    lines=st.none() | lines,
)
pictures = st.builds(
    ExploreView,
    hops=st.integers(1, 3),
    roots=st.lists(words, unique=True).map(tuple),
    hidden_types=lists,
    hidden_relations=lists,
    hidden=lists,
)
answers = st.builds(
    AskView,
    chat=st.none() | words,
    message=st.none() | words,
    cited=st.none() | st.integers(1, 9999),
    call=st.none() | words,
    beside=st.none() | words,
)
connections = st.builds(
    ConnectView,
    client=st.sampled_from(list(CLIENTS)),
    workspaces=st.lists(words, unique=True).map(tuple),
    toolsets=lists,
    may_write=st.booleans(),
    is_free=st.booleans(),
    days=st.sampled_from(list(LIFETIMES)),
)
parts = (
    answers,
    connections,
    pictures,
    searches,
    st.builds(SourcesView, source=st.none() | texts),
    st.builds(TimelineView, since=instants, lanes=st.integers(1, MOST_LANES)),
)
views = st.builds(
    View,
    workspace=st.none() | words,
    entity=st.none() | words,
    fact=st.none() | words,
    as_of=instants,
    known_at=instants,
    to=instants,
    to_known=instants,
    pages=st.tuples(*parts).map(lambda given: tuple(part for part in given if part != type(part)())),
)


@pytest.fixture(autouse=True)
def _pages() -> None:
    register(*PAGE_VIEWS)


@given(views)
def test_an_address_opens_the_view_that_wrote_it(view: View) -> None:
    assert view_of(parameters_of(view)) == view


def test_the_default_view_adds_nothing_to_the_address() -> None:
    assert parameters_of(View()) == {}


def test_a_view_that_names_no_instant_is_of_one_and_stays_so_when_it_is_changed() -> None:
    now = datetime(2018, 6, 27, 14, 30, tzinfo=UTC)
    view = View(now=now).changed(ExploreView, entity="ada", hops=2)
    assert (view.at, view.then) == (Instants(now, now), Instants(now, now))


def test_the_start_of_a_day_is_written_as_its_date_alone() -> None:
    view = View(as_of=datetime(2018, 6, 27, tzinfo=UTC), known_at=datetime(2018, 6, 27, 14, 30, tzinfo=UTC))
    assert parameters_of(view) == {"as_of": "2018-06-27", "known_at": "2018-06-27T14:30:00Z"}


@pytest.mark.parametrize(
    "params",
    [
        {"as_of": "someday"},
        {"hops": "99"},
        {"to": ""},
        {"hops": "x"},
        {"other": "1"},
        {"kind": "x"},
        {"n": "0"},
        {"lines": "9-3"},
        {"from": "x"},
        {"client": "x"},
        {"days": "31"},
        {"args": "{"},
        {"args": "[1]"},
        {"args": "[" * 60_000},
        {"how": "x"},
        {"tab": "x"},
    ],
)
def test_what_cannot_be_read_is_left_at_its_default(params: dict[str, str]) -> None:
    assert view_of(params) == View()


def test_an_instant_of_the_second_side_that_is_not_given_is_the_first_sides() -> None:
    view = View(as_of=datetime(2018, 1, 1, tzinfo=UTC), known_at=datetime(2019, 1, 1, tzinfo=UTC))
    assert not view.comparing
    assert view.then == view.at


def test_a_change_of_one_page_leaves_the_others_as_they_are() -> None:
    view = View(entity="a").changed(TimelineView, lanes=24).changed(ExploreView, fact="f", hops=2)
    assert (view.entity, view.fact) == ("a", "f")
    assert (view.of(TimelineView).lanes, view.of(ExploreView).hops, view.of(AskView)) == (24, 2, AskView())
    assert view.changed(ExploreView, hops=1) == View(entity="a", fact="f").changed(TimelineView, lanes=24)


def test_a_field_that_neither_the_view_nor_the_page_has_is_refused() -> None:
    with pytest.raises(TypeError):
        View().changed(AskView, lanes=3)
    with pytest.raises(TypeError):
        View().changed(lanes=3)


def test_a_link_holds_the_dates_and_what_its_page_shows_alone() -> None:
    view = View("w", entity="a", as_of=datetime(2018, 1, 1, tzinfo=UTC)).changed(AskView, chat="c")
    shown = view.changed(IngestView, way="Table").changed(SqlView, sql="SELECT 1")
    assert page_query(shown, SqlView) == "w=w&as_of=2018-01-01&sql=SELECT+1"
