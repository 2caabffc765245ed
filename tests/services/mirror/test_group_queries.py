"""Communities and sagas: kept in step with the graph, and found by who is in them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from services.core.bridge import AsyncBridge
from services.core.group_records import Community, Saga
from services.core.models import Entity, Episode, GraphWrite
from services.mirror.mirror import Mirror
from services.mirror.mirrors import Mirrors
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.mirror.graphs import W

START = datetime(2024, 1, 1, tzinfo=UTC)
ADA = Entity("ada", "Ada", created_at=START)
FIRST, SECOND = (
    Episode(name, name, f"text of {name}", "text", "", START, START + timedelta(days=day), ("ada",))
    for day, name in enumerate(("first", "second"))
)
PEOPLE = Community("people", "People", "Who there is.", START, ("ada", "bob"))
EVERYBODY = Community("all", "Everybody", "", START, ("ada", "bob", "cy"))
DIARY = Saga("diary", "Diary", "What happened.", START, START, ("second", "first"))


def hold(mirror: Mirror) -> None:
    mirror.replace_all([[ADA]], [], [[FIRST, SECOND]])
    mirror.hold_groups([EVERYBODY, PEOPLE], [DIARY])


def test_the_groups_of_an_entity_are_found_the_smallest_community_first(mirror: Mirror) -> None:
    hold(mirror)
    assert mirror.communities_of("ada") == (PEOPLE, EVERYBODY)
    assert mirror.communities_of("dan") == ()
    assert mirror.sagas_of("ada") == (DIARY,)
    assert mirror.sagas_of("bob") == ()


def test_the_episodes_of_a_saga_come_in_its_order_as_far_as_the_graph_had_them(mirror: Mirror) -> None:
    hold(mirror)
    later = START + timedelta(days=9)
    assert mirror.episodes_of("diary", later) == (replace(SECOND, content=""), replace(FIRST, content=""))
    assert mirror.episodes_of("diary", START) == (replace(FIRST, content=""),)
    assert mirror.episodes_of("unknown", later) == ()


def test_the_same_groups_again_are_no_new_version(mirror: Mirror) -> None:
    hold(mirror)
    version = mirror.version
    mirror.hold_groups([EVERYBODY, PEOPLE], [DIARY])
    assert mirror.version == version
    mirror.hold_groups([PEOPLE], [DIARY])
    assert mirror.version > version
    assert mirror.communities() == (PEOPLE,)


def test_a_mirror_learns_of_groups_with_the_next_episode_and_when_all_is_compared(
    store: MemoryGraphStore, mirrors: Mirrors, bridge: AsyncBridge
) -> None:
    mirror = mirrors.of(W)
    assert mirror.communities() == ()
    store.groups[W] = ((PEOPLE,), ())
    bridge.run(store.write(W, GraphWrite((ADA,), (), (replace(FIRST, created_at=datetime(2100, 1, 1, tzinfo=UTC)),))))
    mirrors.sync(W)
    assert mirror.communities() == (PEOPLE,)
    store.groups[W] = ((), (DIARY,))
    mirrors.sync(W, deep=True)
    assert (mirror.communities(), mirror.sagas()) == ((), (DIARY,))
