"""What the viewer's actions on the picture do to the view, and what a view shows."""

from datetime import UTC, datetime

import pytest

from components import state
from components.address import AddressPart, View
from components.explore import canvas, shown_graph
from components.explore.explore_view import ExploreView


@pytest.fixture
def current(monkeypatch: pytest.MonkeyPatch) -> dict[str, View]:
    """The view, kept where no session is needed."""
    kept = {"view": View()}

    def update(*page: type[AddressPart], **changes: object) -> View:
        kept["view"] = kept["view"].changed(*page, **changes)
        return kept["view"]

    monkeypatch.setattr(state, "held", lambda: kept["view"])
    monkeypatch.setattr(state, "update", update)
    return kept


def test_a_picture_grows_from_its_roots_or_the_entity_or_the_whole_graph() -> None:
    assert shown_graph.roots_of(View()) == (shown_graph.OVERVIEW,)
    assert shown_graph.roots_of(View(entity="a")) == ("a",)
    assert shown_graph.roots_of(View(entity="a", pages=(ExploreView(("b", "c")),))) == ("b", "c")


def test_selecting_in_the_overview_keeps_the_overview(current: dict[str, View]) -> None:
    canvas.take("select", {"kind": "entity", "uuid": "a"})
    assert current["view"] == View(entity="a", pages=(ExploreView((shown_graph.OVERVIEW,)),))


def test_selecting_a_fact_leaves_the_entity(current: dict[str, View]) -> None:
    canvas.take("select", {"kind": "entity", "uuid": "a"})
    canvas.take("select", {"kind": "fact", "uuid": "f"})
    assert (current["view"].entity, current["view"].fact) == ("a", "f")
    canvas.take("select", None)
    assert (current["view"].entity, current["view"].fact) == (None, None)


def test_expanding_adds_a_root_once(current: dict[str, View]) -> None:
    for _ in range(2):
        canvas.take("expand", "b")
    assert current["view"].of(ExploreView).roots == (shown_graph.OVERVIEW, "b")


def test_the_slider_sets_the_second_date_only_in_a_comparison(current: dict[str, View]) -> None:
    canvas.take("time", {"as_of": 1530057600000, "to": None})
    assert current["view"].as_of == datetime(2018, 6, 27, tzinfo=UTC)
    current["view"] = View(to=datetime(2024, 1, 1, tzinfo=UTC))
    canvas.take("time", {"as_of": 1530057600000, "to": 1717200000000})
    assert current["view"].to == datetime(2024, 6, 1, tzinfo=UTC)
    canvas.take("time", {"as_of": None, "to": 1717200000000})
    assert current["view"].as_of is None


def test_filters_are_kept_sorted_so_that_equal_views_have_equal_addresses(current: dict[str, View]) -> None:
    canvas.take("filters", {"types": ["b", "a"], "relations": []})
    assert current["view"].of(ExploreView).hidden_types == ("a", "b")


def test_only_an_entity_begins_the_picture_anew_from_it(current: dict[str, View]) -> None:
    canvas.take("hide", ["a"])
    canvas.take("only", "b")
    assert current["view"] == View(entity="b", pages=(ExploreView(("b",)),))
