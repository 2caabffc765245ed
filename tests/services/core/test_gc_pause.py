"""The garbage collector during bulk work. Each test has a process of its own: threads of other tests pause it, too."""

import gc
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from services.core.gc_pause import gc_pause

ROOT = Path(__file__).parents[3]


def alone(check: Callable[[], None]) -> None:
    command = f"import runpy; runpy.run_path({__file__!r})[{check.__name__!r}]()"
    subprocess.run([sys.executable, "-c", command], cwd=ROOT, check=True)


def fail() -> None:
    raise KeyError


def is_set_back_after_a_failure() -> None:
    usual = gc.get_threshold()
    with gc_pause():
        assert gc.isenabled()
        assert gc.get_threshold()[0] > usual[0]
    with pytest.raises(KeyError), gc_pause():
        fail()
    assert gc.get_threshold() == usual


def is_set_back_by_the_last() -> None:
    usual, go_on, inside = gc.get_threshold(), threading.Event(), threading.Event()

    def other() -> None:
        with gc_pause():
            inside.set()
            go_on.wait(10)

    thread = threading.Thread(target=other)
    with gc_pause():
        thread.start()
        assert inside.wait(10)
    assert gc.get_threshold() != usual
    go_on.set()
    thread.join()
    assert gc.get_threshold() == usual


def test_the_collector_looks_seldom_and_is_set_back_even_after_a_failure() -> None:
    alone(is_set_back_after_a_failure)


def test_the_last_of_several_to_leave_sets_it_back() -> None:
    alone(is_set_back_by_the_last)
