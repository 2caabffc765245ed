"""How a write tells how far it is."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with how many records are written, and how many there are in all."""


def nobody(_done: int, _total: int) -> None:
    """Progress that nobody watches."""
    return
