"""One loop for the drivers, whichever thread asks."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from services.core.bridge import AsyncBridge
from services.core.errors import GraphUnavailable


@pytest.fixture
def bridge() -> Iterator[AsyncBridge]:
    bridge = AsyncBridge()
    yield bridge
    bridge.close()


async def running_loop() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


def test_every_thread_is_served_by_the_same_loop(bridge: AsyncBridge) -> None:
    with ThreadPoolExecutor(8) as pool:
        loops = set(pool.map(lambda _: bridge.run(running_loop()), range(64)))
    assert len(loops) == 1


def test_work_that_outlives_its_time_is_cancelled_and_reported(bridge: AsyncBridge) -> None:
    cancelled = asyncio.Event()

    async def stuck() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    with pytest.raises(GraphUnavailable, match=r"within 0\.01 s"):
        bridge.run(stuck(), timeout=0.01)
    assert bridge.run(asyncio.wait_for(cancelled.wait(), 5), timeout=10)


def test_an_error_of_the_work_reaches_the_caller(bridge: AsyncBridge) -> None:
    async def fails() -> None:
        raise TimeoutError("its own")

    with pytest.raises(TimeoutError, match="its own"):
        bridge.run(fails())


def test_waiting_on_the_bridges_own_thread_is_refused(bridge: AsyncBridge) -> None:
    async def waits_for_itself() -> None:
        bridge.run(running_loop())

    with pytest.raises(RuntimeError, match="await"):
        bridge.run(waits_for_itself())


def test_a_closed_bridge_takes_no_more_work_and_can_be_closed_again() -> None:
    bridge = AsyncBridge()
    bridge.close()
    with pytest.raises(GraphUnavailable, match="closing"):
        bridge.run(running_loop())
    bridge.close()
