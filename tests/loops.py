"""Coroutines run from tests that are plain functions."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def alone[T](work: Coroutine[Any, Any, T]) -> T:
    """What comes of the work, on a thread without a loop: the tests' own has one once a browser was driven."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
