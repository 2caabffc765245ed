"""Pauses of the garbage collector, for work that makes very many records that stay."""

import ctypes
import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_SELDOM = (100_000, 50, 100)
"""New objects before the collector looks at them; how often it looks at the next generation; and at everything."""

_ARENA_MAX = -8
"""The option's number in glibc's malloc.h."""

_lock = threading.Lock()
_under_way = 0
_usual = gc.get_threshold()


@contextmanager
def gc_pause() -> Iterator[None]:
    """Let the garbage collector look seldom: again and again through records that stay, it takes half of all time.

    Any thread may enter, more than once too; the last to leave sets the collector back.
    """
    global _under_way, _usual
    with _lock:
        if not _under_way:
            _usual = gc.get_threshold()
            gc.set_threshold(*_SELDOM)
        _under_way += 1
    try:
        yield
    finally:
        with _lock:
            _under_way -= 1
            if not _under_way:
                gc.set_threshold(*_usual)
                give_memory_back()


def few_arenas() -> None:
    """Have all threads share two arenas of memory: with one each, what one gives back is of no use to the others."""
    with suppress(OSError, AttributeError):  # glibc has the call, other systems do without
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 2)


def give_memory_back() -> None:
    """What the work needed goes back to the system; both allocators would keep it for the next time."""
    if arrow := sys.modules.get("pyarrow"):
        arrow.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):  # glibc has the call, other systems do without
        ctypes.CDLL(None).malloc_trim(0)
