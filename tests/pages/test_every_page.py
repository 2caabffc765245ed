"""What holds on each page: it opens from an address, on nothing, and with the graph out of reach."""

import pytest

from services.agent.app import App
from tests.codebase import ROOT
from tests.conftest import FULL
from tests.fakes.memory_graph import MemoryGraphStore
from tests.pages.conftest import displayed, opened, popovers, words

PAGES = (
    "Overview",
    "Ask",
    "SQL",
    "Workflows",
    "Explore",
    "Timeline",
    "Search",
    "Ingest",
    "Sources",
    "Memory",
    "Health",
    "Traces",
    "Connect",
    "Settings",
)
SOME_PAGES = PAGES if FULL else ("Overview", "SQL", "Ingest", "Settings")
"""For what the frame around every page does, which is the same code on each."""


def test_every_page_that_there_is_is_tested() -> None:
    assert sorted(PAGES) == sorted(path.stem for path in (ROOT / "pages").glob("[!_]*.py"))


@pytest.mark.parametrize("page", PAGES)
def test_a_deep_link_opens_the_page_at_its_instants(filled: App, page: str) -> None:
    app = opened(page, w="team", as_of="2021-06-01", known_at="2023-01-01")
    assert not app.exception
    assert "**Team memory** · 3 of 5 facts hold" in popovers(app)
    assert app.query_params["as_of"] == "2021-06-01"


def test_the_workspace_stands_in_a_menu_with_a_frame_and_an_icon(filled: App) -> None:
    app = opened("Overview", w="team")
    (menu,) = [one.proto.popover for one in app.get("popover") if "Team memory" in one.proto.popover.label]
    assert (menu.type, menu.icon, menu.help) == ("secondary", ":material/database:", "Switch workspace")


@pytest.mark.parametrize("page", SOME_PAGES)
def test_an_unreadable_address_falls_back_to_now(filled: App, page: str) -> None:
    app = opened(page, w="team", as_of="tomorrow-ish", known_at="", hops="99", e="nobody")
    assert not app.exception
    assert any(label.endswith(" now") for label in popovers(app))


@pytest.mark.parametrize("page", SOME_PAGES)
def test_an_unknown_workspace_is_reported_and_can_be_left(filled: App, page: str) -> None:
    app = opened(page, w="nowhere")
    assert "There is no workspace “nowhere”" in words(app)
    app.button[0].click().run()
    assert app.query_params["w"] == "team"
    assert not app.exception


@pytest.mark.parametrize("page", PAGES)
def test_with_the_graph_down_the_page_goes_on_with_the_mirror(filled: App, graph: MemoryGraphStore, page: str) -> None:
    filled.mirrors.of("team")
    graph.down = True
    filled.mirrors.sync("team")
    app = opened(page, w="team", as_of="2021-06-01")
    assert not app.exception
    assert "is not responding" in words(app)
    assert "**Team memory** · 3 of 5 facts hold" in popovers(app)


@pytest.mark.parametrize("page", SOME_PAGES)
def test_comparing_shows_two_dates(filled: App, page: str) -> None:
    app = opened(page, w="team", as_of="2020-06-01", to="2023-01-01")
    assert not app.exception
    labels = popovers(app)
    assert "● 2020-06-01" in labels
    assert "● 2023-01-01" in labels


@pytest.mark.parametrize("page", ["Overview", "Ask", "Workflows", "Explore", "Timeline", "Search", "Health"])
def test_an_empty_workspace_says_what_to_do_first(services: App, page: str) -> None:
    app = opened(page)
    assert not app.exception
    assert "No facts yet" in words(app)
    labels = [b.label for b in app.button]
    assert labels.index("Paste text") < labels.index("Load the PEP demo"), "what is the analyst's own comes first"


@pytest.mark.parametrize("page", ["Ingest", "Sources", "Memory", "Connect", "Settings"])
def test_pages_that_need_no_facts_open_on_an_empty_workspace(services: App, page: str) -> None:
    app = opened(page)
    assert not app.exception
    assert "No facts yet" not in words(app)


def test_without_a_name_the_first_workspace_with_facts_opens(filled: App) -> None:
    app = opened("Overview")
    assert app.query_params["w"] == "team"


def test_names_from_the_graph_are_shown_as_text_and_never_as_markup(filled: App) -> None:
    filled.accounts.rename("team", "<b onclick=x>Team</b>")
    app = opened("Settings", w="team")
    assert "<b onclick=x>Team</b>" in words(app)
    assert displayed(app).all("*[@onclick]") == []
