"""Who listens at an address of ours hears when there is something else, as long as the token may read it."""

import threading
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourceUpdated

from services.agent.app import App
from services.core.errors import BadInput
from services.core.models import Entity
from services.mcp import subscriptions
from services.mcp.access import Access
from services.mcp.resources import states
from tests.services.mcp.conftest import served
from tests.services.retrieval.conftest import W, write
from tests.services.tools.conftest import day, fact

ADA, CY = f"asof://{W}/entity/Ada", f"asof://{W}/entity/Cy"
FACT = f"asof://{W}/fact/f1"


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscriptions, "PAUSE", 0.02)


def learn(app: App, uuid: str) -> None:
    """The graph learns that Ada knows somebody else."""
    write(app, Entity("ada", "Ada"), Entity(uuid, uuid), fact(uuid, "Ada", "KNOWS", uuid, "2023-01-01"))


def listening(app: App, work: Callable[[Client], Coroutine[Any, Any, None]], **granted: Any) -> str:
    """Does some work with a client whose token was granted something; returns the id of the token."""
    given: dict[str, Any] = {"workspaces": [W], **granted}
    made, token = app.accounts.tokens.add(app.accounts.users.local(), "listener", **given)

    async def run(address: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            create_mcp_http_client(headers=headers) as http,
            Client(streamable_http_client(address, http_client=http), mode="2026-07-28") as client,
        ):
            with anyio.fail_after(30):
                await work(client)

    with served(app) as address:
        anyio.run(run, address)
    return made.id


def test_a_client_hears_of_what_changed_and_of_nothing_else(filled: App) -> None:
    async def work(client: Client) -> None:
        async with client.listen(resource_subscriptions=[ADA, CY, FACT]) as news:
            assert news.honored.resource_subscriptions == [ADA, CY, FACT]
            await anyio.to_thread.run_sync(learn, filled, "dee")
            assert await anext(news) == ResourceUpdated(ADA)
            await anyio.to_thread.run_sync(learn, filled, "eve")
            assert await anext(news) == ResourceUpdated(ADA)

    listening(filled, work)


def test_a_revoked_token_hears_nothing_more(filled: App) -> None:
    async def work(client: Client) -> None:
        async with client.listen(resource_subscriptions=[ADA]) as news:
            filled.accounts.tokens.revoke("listener")
            learn(filled, "dee")
            assert [event async for event in news] == []

    listening(filled, work)


@pytest.mark.parametrize(
    ("granted", "address", "said"),
    [
        ({"toolsets": ["omnii"]}, ADA, "has no access to the toolset"),
        ({}, "asof://other/entity/Ada", "this connection has no access"),
        ({}, f"asof://{W}/fact/none", "there is no fact"),
        ({}, "https://example.org/", "there is no resource"),
    ],
)
def test_what_may_not_be_read_is_not_listened_to(filled: App, granted: dict[str, Any], address: str, said: str) -> None:
    async def work(client: Client) -> None:
        with pytest.raises(MCPError, match=said):
            async with client.listen(resource_subscriptions=[address]):
                pass

    listening(filled, work, **granted)


def test_an_open_stream_does_not_keep_the_app_from_ending(filled: App) -> None:
    heard, listens = list[Any](), threading.Event()

    async def listen(address: str) -> None:
        async with Client(address, mode="2026-07-28") as client, client.listen(resource_subscriptions=[ADA]) as news:
            listens.set()
            heard.append([event async for event in news])

    with served(filled) as address:  # returns once the server has ended
        client = threading.Thread(target=anyio.run, args=(listen, address))
        client.start()
        assert listens.wait(30)
    client.join(30)
    assert heard == [[]]


def test_at_a_pin_nothing_ever_changes(filled: App) -> None:
    now = states(filled, Access("a", (W,)), [ADA], {})
    pinned = Access("b", (W,), known_at=day("2022-06-30"))
    then = states(filled, pinned, [ADA], {})
    learn(filled, "dee")
    assert states(filled, pinned, [ADA], then)[ADA].digest == then[ADA].digest
    assert states(filled, Access("a", (W,)), [ADA], now)[ADA].digest != now[ADA].digest


def test_what_is_gone_has_changed(filled: App) -> None:
    access = Access("a", (W,), ("analyst",))
    before = states(filled, access, [ADA], {})
    after = states(filled, replace(access, toolsets=()), [ADA], before)
    assert after[ADA].digest != before[ADA].digest
    with pytest.raises(BadInput):
        states(filled, replace(access, toolsets=()), [ADA], {})
