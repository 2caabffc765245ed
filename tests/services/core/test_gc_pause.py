"""The garbage collector during bulk work."""

import gc
import threading

import pytest

from services.core.gc_pause import gc_pause


def fail() -> None:
    raise KeyError


def test_the_collector_looks_seldom_and_is_set_back_even_after_a_failure():
    usual = gc.get_threshold()
    with gc_pause():
        assert gc.isenabled()
        assert gc.get_threshold()[0] > usual[0]
    with pytest.raises(KeyError), gc_pause():
        fail()
    assert gc.get_threshold() == usual


def test_the_last_of_several_to_leave_sets_it_back():
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
