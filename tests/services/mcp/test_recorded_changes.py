"""What a client is told of the graph's changes when it asks again: whatever it was not told yet, once."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from services.agent.app import App
from services.core import clock
from services.core.models import Entity, Fact, GraphWrite
from services.mcp.access import Access
from services.mcp.calls import call
from services.mirror import database
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.retrieval.conftest import W, open_services, write
from tests.services.tools.conftest import fact

Y2020, Y2021, Y2022 = (datetime(year, 1, 1, tzinfo=UTC) for year in (2020, 2021, 2022))
PEOPLE = (Entity("ada", "Ada"), Entity("cy", "Cy"))
CLIENT = Access("client", (W,))
Listed = tuple[str, str]


def recorded(uuid: str, at: datetime | None, **more: datetime | None) -> Fact:
    return replace(fact(uuid, "Ada", "KNOWS", "Cy", "2019-01-01"), created_at=at, **more)


def write_here(services: App, *facts: Fact) -> None:
    """Asof writes into the graph."""
    write(services, *PEOPLE, *facts)


def write_elsewhere(services: App, *facts: Fact) -> None:
    """Another program writes into the graph; the mirror finds it when it follows."""
    services.bridge.run(services.graph.write(W, GraphWrite(PEOPLE, facts)))
    services.mirrors.sync(W, deep=True)


def ask_to_the_end(services: App, access: Access = CLIENT, limit: int = 50) -> list[Listed]:
    """What a client is told by all pages, as kinds and uuids."""
    listed, cursor = [], {}
    while True:
        found = call(services, access, "get_changes", {"limit": limit, **cursor})
        assert found.data is not None, found.text
        listed += [(one["kind"], (one["after"] or one["before"])["uuid"]) for one in found.data["changes"]]
        if not found.data["cursor"]:
            assert len(listed) == found.data["total"]
            return listed
        cursor = {"cursor": found.data["cursor"]}


@pytest.fixture
def asked(services: App) -> App:
    """Services whose client was told of all that there is: a fact of 2021."""
    write_elsewhere(services, recorded("first", Y2021))
    assert ask_to_the_end(services) == [("added", "first")]
    assert ask_to_the_end(services) == []
    return services


def test_a_record_with_an_earlier_time_is_told_next_and_once(asked: App) -> None:
    write_elsewhere(asked, recorded("late", Y2020))
    found = call(asked, CLIENT, "get_changes", {})
    (change,) = found.data["changes"]
    assert (change["after"]["uuid"], change["late"]) == ("late", True)
    assert "- [2020-01-01T00:00:00+00:00, which arrived late] added:" in found.text
    assert ask_to_the_end(asked) == []


def test_our_own_import_of_old_records_is_told_next_and_once(asked: App) -> None:
    write_here(asked, *(recorded(f"imported-{n}", Y2020 + timedelta(n)) for n in range(5)))
    assert ask_to_the_end(asked, limit=2) == [("added", f"imported-{n}") for n in range(5)]
    assert ask_to_the_end(asked) == []


def test_a_late_end_and_withdrawal_are_told_without_what_was_known_later(asked: App) -> None:
    write_elsewhere(asked, recorded("first", Y2021, expired_at=Y2022, invalid_at=Y2022))
    found = call(asked, CLIENT, "get_changes", {})
    (change,) = found.data["changes"]
    assert (change["kind"], change["before"]["invalid_at"]) == ("ended", None)
    withdrawn = Y2022 + timedelta(1)
    write_elsewhere(asked, recorded("first", Y2021, expired_at=Y2022, invalid_at=Y2022, withdrawn_at=withdrawn))
    assert ask_to_the_end(asked) == [("corrected", "first")]
    assert ask_to_the_end(asked) == []


def test_a_record_without_a_time_is_told_once(asked: App) -> None:
    write_elsewhere(asked, recorded("timeless", None))
    assert ask_to_the_end(asked) == [("added", "timeless")]
    assert ask_to_the_end(asked) == []
    assert ("added", "timeless") in ask_to_the_end(asked, Access("another", (W,)))


def test_a_pinned_client_is_told_of_what_is_visible_at_its_pin(asked: App) -> None:
    pinned = Access("pinned", (W,), known_at=Y2022)
    assert ask_to_the_end(asked, pinned) == [("added", "first")]
    write_elsewhere(asked, recorded("within", Y2020), recorded("beyond", Y2022 + timedelta(1)))
    assert ask_to_the_end(asked, pinned) == [("added", "within")]
    assert ask_to_the_end(asked, pinned) == []
    assert Counter(ask_to_the_end(asked)) == Counter([("added", "within"), ("added", "beyond")])


def test_what_comes_late_while_pages_are_turned_is_told_after_them(asked: App) -> None:
    write_here(asked, *(recorded(f"n{n}", Y2020 + timedelta(n)) for n in range(4)))
    first = call(asked, CLIENT, "get_changes", {"limit": 2})
    write_here(asked, recorded("between", Y2020 - timedelta(1)))
    second = call(asked, CLIENT, "get_changes", {"limit": 2, "cursor": first.data["cursor"]})
    uuids = [one["after"]["uuid"] for page in (first, second) for one in page.data["changes"]]
    assert (uuids, second.data["cursor"]) == (["n0", "n1", "n2", "n3"], None)
    assert ask_to_the_end(asked) == [("added", "between")]


def test_since_an_instant_stays_on_the_clock_of_the_records(asked: App) -> None:
    write_here(asked, recorded("late", Y2020))
    assert call(asked, CLIENT, "get_changes", {"since": "2020-06-01"}).data["total"] == 1


def learn_late(folder: Path, graph: MemoryGraphStore, uuid: str) -> None:
    """Have an app, which is closed again, write a fact that came late after its client has seen everything."""
    services = open_services(folder, graph)
    write_elsewhere(services, recorded("first", Y2021))
    ask_to_the_end(services)
    write_here(services, recorded(uuid, Y2020))
    services.close()


def test_what_came_late_is_known_after_a_restart(tmp_path: Path) -> None:
    graph = MemoryGraphStore()
    learn_late(tmp_path, graph, "before the restart")
    services = open_services(tmp_path, graph)
    services.bridge.run(services.graph.write(W, GraphWrite((), (recorded("meanwhile", Y2020),))))
    assert {uuid for _, uuid in ask_to_the_end(services)} == {"before the restart", "meanwhile"}
    services.mirrors.rebuild(W)
    assert ask_to_the_end(services) == []
    services.close()


def test_what_came_late_is_known_to_a_mirror_after_one_of_another_layout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = MemoryGraphStore()
    learn_late(tmp_path, graph, "before the update")
    for layout in ("a newer one", "the newest"):  # nobody asks between the two
        monkeypatch.setattr(database, "LAYOUT", layout)
        services = open_services(tmp_path, graph)
        services.bridge.run(services.graph.write(W, GraphWrite((), (recorded(layout, Y2020),))))
        services.mirrors.of(W)
        services.close()
    services = open_services(tmp_path, graph)
    assert {uuid for _, uuid in ask_to_the_end(services)} == {"before the update", "a newer one", "the newest"}
    assert ask_to_the_end(services) == []
    services.close()


@pytest.mark.parametrize("loss", [lambda file: file.write_bytes(b"torn"), Path.unlink])
def test_where_the_mirror_was_lost_a_client_is_told_everything_once_more(
    tmp_path: Path, loss: Callable[[Path], object]
) -> None:
    graph = MemoryGraphStore()
    services = open_services(tmp_path, graph)
    write_elsewhere(services, recorded("first", Y2021))
    ask_to_the_end(services)
    write_here(services, recorded("late", Y2020))
    file = services.mirrors.file(W)
    services.close()
    assert file is not None
    loss(file)
    services = open_services(tmp_path, graph)
    assert ask_to_the_end(services, limit=1) == [("added", "late"), ("added", "first")]
    assert ask_to_the_end(services) == []
    services.close()


@pytest.mark.parametrize("seed", range(6))
def test_after_any_writes_each_change_is_told_once_in_the_next_answer(services: App, seed: int) -> None:
    chance, held = random.Random(seed), dict[str, Fact]()
    pins = {"free": None, "pinned": Y2021}
    clients = {name: Access(name, (W,), known_at=pin) for name, pin in pins.items()}
    answers: dict[str, Counter[Listed]] = {name: Counter() for name in clients}
    for step in range(12):
        for one in _changed(chance, held, step):
            held[one.uuid] = one
        chance.choice((write_here, write_elsewhere))(services, *held.values())
        services.mirrors.sync(W)
        for name in chance.sample(sorted(clients), chance.randint(0, 2)):
            answers[name] += Counter(ask_to_the_end(services, clients[name], chance.choice((1, 3, 50))))
            assert answers[name] == _visible(held.values(), pins[name] or clock.now()), f"{name} after step {step}"


def _changed(chance: random.Random, held: dict[str, Fact], step: int) -> Iterator[Fact]:
    """A few new records, and ends of old ones, most at instants that are long over."""
    for n in range(chance.randint(0, 3)):
        yield recorded(f"{step}-{n}", chance.choice((clock.now(), _some_time(chance), _some_time(chance))))
    for uuid in chance.sample(sorted(held), min(len(held), chance.randint(0, 2))):
        one = held[uuid]
        if one.expired_at is None and one.created_at is not None:
            end = one.created_at + timedelta(days=chance.randint(1, 400))
            yield replace(one, expired_at=min(end, max(clock.now(), one.created_at)), invalid_at=end)


def _some_time(chance: random.Random) -> datetime:
    return Y2020 + timedelta(hours=chance.randint(0, 20_000))


def _visible(facts: Iterable[Fact], known_at: datetime) -> Counter[Listed]:
    added = {("added", f.uuid) for f in facts if f.created_at is not None and f.created_at <= known_at}
    ended = {("ended", f.uuid) for f in facts if f.expired_at and f.created_at < f.expired_at <= known_at}
    return Counter(added | ended)
