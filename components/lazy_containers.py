"""Popovers, expanders and tabs that are drawn into once somebody opens them."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol


class Openable(AbstractContextManager[object, bool | None], Protocol):
    """A container that knows whether it is open: one that has an `on_change`."""

    @property
    def open(self) -> bool | None:
        """Whether it is open."""


def draw_when_open[**P](container: Openable, draw: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
    """Call `draw` within the container while it is open, so that what nobody looks at costs nothing."""
    if container.open:
        with container:
            draw(*args, **kwargs)
