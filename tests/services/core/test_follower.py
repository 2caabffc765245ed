"""What is kept for each workspace is made once, looked after in turn, and let go of together."""

import threading
from collections.abc import Callable, Iterator

import pytest

from services.core.errors import GraphUnavailable
from services.core.follower import Follower

LONG = 10.0


class Turns:
    """Turns that are counted by workspace, and fail where they are to."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.failing: dict[str, Exception] = {}
        self.changed = threading.Condition()

    def __call__(self, workspace: str, value: str) -> float:
        with self.changed:
            self.seen.append(value)
            self.changed.notify_all()
        if workspace in self.failing:
            raise self.failing[workspace]
        return 0.0

    def wait(self, what: Callable[[list[str]], bool]) -> bool:
        with self.changed:
            return self.changed.wait_for(lambda: what(self.seen), LONG)


@pytest.fixture
def turns() -> Turns:
    return Turns()


@pytest.fixture
def follower(turns: Turns) -> Iterator[Follower[str]]:
    follower = Follower("test", turns)
    yield follower
    follower.close()


def test_a_value_is_made_once_and_taken_out_once(follower: Follower[str]) -> None:
    assert follower.peek("team") is None
    assert follower.use("team", str.upper) == "TEAM"
    assert follower.use("team", str.title) == follower.peek("team") == "TEAM"
    with follower.taken_out("team") as value:
        assert value == "TEAM"
    with follower.taken_out("team") as value:
        assert value is None


def test_every_workspace_in_use_has_its_turn(follower: Follower[str], turns: Turns) -> None:
    follower.use("one", str.upper)
    follower.use("two", str.upper)
    follower.start(0.001)
    assert turns.wait(lambda seen: seen.count("ONE") > 2 and seen.count("TWO") > 2)


@pytest.mark.parametrize("fault", [GraphUnavailable("It is away."), RuntimeError("a driver's")])
def test_one_that_fails_rests_and_the_others_go_on(follower: Follower[str], turns: Turns, fault: Exception) -> None:
    turns.failing["bad"] = fault
    follower.use("bad", str.upper)
    follower.use("good", str.upper)
    follower.start(0.001)
    assert turns.wait(lambda seen: seen.count("GOOD") > 3)
    assert turns.seen.count("BAD") == 1


def test_a_wake_makes_a_round_at_once(follower: Follower[str], turns: Turns) -> None:
    follower.start(3600)
    follower.use("team", str.upper)
    follower.wake()
    assert turns.wait(lambda seen: seen == ["TEAM"])


def test_closing_gives_back_what_was_kept(follower: Follower[str]) -> None:
    follower.use("one", str.upper)
    follower.use("two", str.upper)
    follower.start(3600)
    assert follower.close() == ["ONE", "TWO"]
    assert follower.peek("one") is None
