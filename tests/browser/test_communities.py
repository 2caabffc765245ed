"""Graphiti's communities and sagas on the Explore page, in a real browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from benchmarks.peers.graphiti_driver import graphiti_driver
from services.core.bridge import AsyncBridge
from services.core.config import Settings
from services.graph.connect import open_graph
from tests.browser.conftest import CORRECTIONS
from tests.browser.explore_page import ExplorePage
from tests.browser.filled import FilledFolders
from tests.browser.server import free_port, running
from tests.fakes.graphiti_groups import save_community, save_saga

pytestmark = pytest.mark.browser

COLOURS = "new Set(scene.visible().map((id) => scene.network.body.nodes[id].options.color.background)).size"
DIARY = ["Ada joined Labs.", "Ada signed with Engines.", "The move was announced."]


@pytest.fixture(scope="module")
def app_url(bridge: AsyncBridge, filled: FilledFolders) -> Iterator[str]:
    """The app with the workspace `team`, in which Graphiti has saved two communities and a saga."""
    with filled.copy(CORRECTIONS) as home:
        bridge.run(_gather(Settings(home=home, graph_url="embedded")))
        with running(home, free_port(), {}) as url:
            yield url


async def _gather(settings: Settings) -> None:
    store = open_graph(settings)
    driver = await graphiti_driver(settings, "team")
    uuids = {e.name: e.uuid async for page in store.scan_entities("team") for e in page}
    episodes = {e.content: e.uuid async for page in store.scan_episodes("team") for e in page}
    await save_community(driver, "team", "c-people", "Who knows whom", [uuids[n] for n in ("Ada", "Bob", "Eve")])
    await save_community(driver, "team", "c-work", "Where they work", [uuids[n] for n in ("Engines", "Labs")])
    await save_saga(driver, "team", "s-diary", "The diary of Ada", [episodes[words] for words in DIARY])
    await driver.close()
    await store.close()


def _explore_groups_by_community_and_shows_one_with_its_members(page: Page, explore: ExplorePage) -> None:
    expect(explore.panel()).to_contain_text("Who knows whom")
    legend = page.get_by_role("group", name="Communities")
    legend.get_by_role("switch", name="Group by community").click()
    expect(legend.get_by_role("switch")).to_have_attribute("aria-checked", "true")
    assert explore.read(COLOURS) == 3  # two communities, and grey
    page.wait_for_url(lambda url: "communities=1" in url)
    legend.get_by_role("button", name="Who knows whom").click()
    expect(explore.panel().get_by_role("heading", name="Who knows whom")).to_be_visible()
    expect(explore.panel()).to_contain_text("What Who knows whom is about.")
    members = explore.panel().get_by_role("table", name="Community members")
    expect(members.get_by_role("link")).to_have_text(["Ada", "Bob", "Eve"])
    assert explore.read("scene.chosen.size") == 3
    members.get_by_role("link", name="Ada").click()
    expect(explore.headed("Ada")).to_be_visible()
    explore.panel().get_by_role("link", name="Who knows whom").click()
    expect(explore.panel().get_by_role("heading", name="Who knows whom")).to_be_visible()


def _a_saga_shows_its_episodes_in_order_with_their_dates(page: Page, explore: ExplorePage) -> None:
    explore.panel().get_by_role("link", name="The diary of Ada").click()
    expect(explore.panel().get_by_role("heading", name="The diary of Ada")).to_be_visible()
    expect(explore.panel()).to_contain_text("How The diary of Ada went.")
    rows = explore.panel().get_by_role("table", name="Sources in this saga").get_by_role("row")
    expect(rows).to_contain_text(DIARY)
    expect(rows).to_contain_text(["2022-07-01 · not yet", "2019-03-01", "2018-01-01"])
    page.get_by_role("button", name="Close").click()
    expect(explore.panel()).to_contain_text("Select an entity to see its facts.")


def test_a_visit_to_communities_and_sagas(page: Page, explore: ExplorePage) -> None:
    explore.open(w="team", as_of="2021-01-01")
    _a_saga_shows_its_episodes_in_order_with_their_dates(page, explore)
    _explore_groups_by_community_and_shows_one_with_its_members(page, explore)
