"""Mirrors keep in step with their graphs, whatever others do to them."""

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.bridge import AsyncBridge
from services.core.errors import MirrorUnavailable
from services.core.mirror_records import MirrorReading
from services.core.models import Counts, Entity, Episode, Fact, GraphWrite
from services.mirror.mirror import Mirror
from services.mirror.mirrors import Mirrors
from tests.fakes.deletion import delete
from tests.fakes.held_graph import HeldGraphStore
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.mirror.graphs import ENTITIES, EPISODES, FACT, START, W, content, facts, graph, graph_content

pytestmark = pytest.mark.slow


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "it did not come true within 10 s"
        threading.Event().wait(0.01)


def test_a_mirror_is_built_at_its_first_use_and_found_again_by_the_next_process(
    tmp_path: Path, store: MemoryGraphStore, bridge: AsyncBridge
) -> None:
    first = Mirrors(tmp_path, store, bridge)
    assert content(first.of(W)) == graph_content(store, bridge)
    version = first.of(W).version
    first.close()
    store.down = True
    again = Mirrors(tmp_path, store, bridge)
    assert again.of(W).history("e0") == (FACT,)
    assert again.of(W).version == version
    status = again.status(W)
    assert status.down is not None
    assert "is not responding" in status.down
    assert status.synced_at is not None
    again.close()


def test_a_mirror_that_is_being_made_says_how_far_it_is(tmp_path: Path, bridge: AsyncBridge) -> None:
    store = HeldGraphStore()
    bridge.run(store.write(W, graph((FACT, replace(FACT, uuid="another")))))
    mirrors = Mirrors(tmp_path, store, bridge)
    mirrors.open_within(W, 0.0)
    until(lambda: (reading := mirrors.status(W).reading) is not None and reading.so_far.facts == 1)
    reading = mirrors.status(W).reading
    assert reading is not None
    assert reading.total.facts == 2
    assert 0 < reading.share < 1
    assert mirrors.status(W).counts.facts == 0
    store.go_on.set()
    until(lambda: mirrors.status(W).synced_at is not None)
    assert mirrors.status(W).reading is None
    assert mirrors.status(W).counts.facts == 2
    mirrors.close()


def test_a_mirror_that_somebody_else_has_made_is_being_read_before_the_graph_answers(
    mirrors: Mirrors, store: MemoryGraphStore
) -> None:
    seen = list[MirrorReading | None]()
    mirrors.check_before_reading(lambda *_: seen.append(mirrors.status(W).reading))
    mirrors.of(W)
    assert [reading is not None and reading.so_far for reading in seen] == [Counts(0, 0, 0)]
    assert mirrors.status(W).reading is None
    store.down = True
    mirrors.drop(W)
    mirrors.sync(W)
    assert mirrors.status(W).reading is None
    assert mirrors.status(W).down is not None
    mirrors.sync(W)
    assert [reading is not None for reading in seen] == [True, True, False]


def test_nothing_changed_means_that_nothing_is_read_and_the_version_stays(
    mirrors: Mirrors, store: MemoryGraphStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = mirrors.of(W).version

    def refuse(*_: object) -> None:
        raise AssertionError("the graph was read although its watermark is the same")

    monkeypatch.setattr(store, "changed_since", refuse)
    monkeypatch.setattr(store, "scan_facts", refuse)
    assert mirrors.sync(W).version == before


def test_what_others_record_or_end_is_seen_by_its_record_times(
    mirrors: Mirrors, store: MemoryGraphStore, bridge: AsyncBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = mirrors.of(W).version
    later = START + timedelta(days=1)
    ended = replace(FACT, invalid_at=later, expired_at=later)
    new = replace(FACT, uuid="f1", target_uuid="e2", target=ENTITIES[2].name, created_at=later)
    bridge.run(store.write(W, GraphWrite(facts=(ended, new))))

    def refuse(*_: object) -> None:
        raise AssertionError("everything was compared although the watermark told all")

    monkeypatch.setattr(store, "scan_facts", refuse)
    assert mirrors.sync(W).version > before
    assert mirrors.of(W).facts(["f0", "f1"]) == (ended, new)


def test_a_deleted_record_is_found_by_the_counts(
    mirrors: Mirrors, store: MemoryGraphStore, bridge: AsyncBridge
) -> None:
    mirrors.of(W)
    bridge.run(delete(store, W, entities=["e1"]))
    assert mirrors.sync(W).counts == Counts(len(ENTITIES) - 1, 0, len(EPISODES))
    assert content(mirrors.of(W)) == graph_content(store, bridge)


def test_a_back_dated_record_is_found_by_a_deep_look(
    mirrors: Mirrors, store: MemoryGraphStore, bridge: AsyncBridge
) -> None:
    mirrors.of(W)
    earlier = replace(FACT, valid_at=START - timedelta(days=400))
    bridge.run(store.write(W, GraphWrite(facts=(earlier,))))
    mirrors.sync(W)
    assert mirrors.of(W).facts(["f0"]) == (FACT,)
    mirrors.sync(W, deep=True)
    assert mirrors.of(W).facts(["f0"]) == (earlier,)


ADA, PAGE = ENTITIES[0], EPISODES[0]


@pytest.mark.parametrize(
    "changed",
    [
        replace(FACT, text="sbid"),
        replace(FACT, attributes={"grade": "b"}),
        replace(FACT, episodes=("p1",)),
        replace(FACT, relation="STATES"),
        replace(ADA, summary="zyx"),
        replace(ADA, attributes={"grade": "b"}),
        replace(ADA, types=("Nobody",)),
        replace(PAGE, content="zyx"),
        replace(PAGE, source_description="zyx"),
        replace(PAGE, entity_uuids=("e2",)),
    ],
    ids=repr,
)
def test_a_deep_look_finds_a_change_that_leaves_every_size_and_time_as_it_was(
    mirrors: Mirrors, store: MemoryGraphStore, bridge: AsyncBridge, changed: Entity | Fact | Episode
) -> None:
    fact, entity = replace(FACT, attributes={"grade": "a"}), replace(ADA, summary="abc", attributes={"grade": "a"})
    page = replace(PAGE, content="abc", source_description="abc", entity_uuids=("e1",))
    bridge.run(store.write(W, GraphWrite((entity,), (fact,), (page,))))
    before = mirrors.sync(W, deep=True).version
    assert mirrors.sync(W, deep=True).version == before
    kind = {Entity: "entities", Fact: "facts", Episode: "episodes"}[type(changed)]
    bridge.run(store.write(W, GraphWrite(**{kind: (changed,)})))
    assert mirrors.sync(W, deep=True).version > before
    assert content(mirrors.of(W)) == graph_content(store, bridge)


EARLIER = replace(FACT, valid_at=START - timedelta(days=400))
"""The fact re-dated by somebody else: no count and no record time tells."""


@pytest.fixture
def left_behind(tmp_path: Path, store: MemoryGraphStore, bridge: AsyncBridge) -> Path:
    """The folder of a process that built a mirror and ended; the fact was re-dated since."""
    first = Mirrors(tmp_path, store, bridge)
    first.of(W)
    first.close()
    bridge.run(store.write(W, GraphWrite(facts=(EARLIER,))))
    return tmp_path


@pytest.mark.parametrize("opened_by", ["of", "sync"])
def test_a_process_that_opens_a_mirror_and_answers_has_compared_it_first(
    left_behind: Path, store: MemoryGraphStore, bridge: AsyncBridge, opened_by: str
) -> None:
    again = Mirrors(left_behind, store, bridge)
    getattr(again, opened_by)(W)
    assert again.of(W).facts(["f0"]) == (EARLIER,)
    again.close()


def test_a_followed_mirror_is_shown_at_once_and_compared_in_the_background(
    left_behind: Path, store: MemoryGraphStore, bridge: AsyncBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, scan = threading.Event(), store.scan_facts

    async def held(workspace: str):
        await asyncio.to_thread(go.wait, 10)
        async for batch in scan(workspace):
            yield batch

    monkeypatch.setattr(store, "scan_facts", held)
    again = Mirrors(left_behind, store, bridge)
    again.follow(3600)
    assert again.of(W).facts(["f0"]) == (FACT,)
    go.set()
    until(lambda: again.of(W).facts(["f0"]) == (EARLIER,))
    again.close()


def test_what_we_wrote_ourselves_is_never_missing_from_a_mirror_that_was_not_open(
    left_behind: Path, store: MemoryGraphStore, bridge: AsyncBridge
) -> None:
    writer = Mirrors(left_behind, store, bridge)
    writer.written(W, GraphWrite(facts=(EARLIER,)))
    writer.close()
    again = Mirrors(left_behind, store, bridge)
    again.follow(3600)
    assert again.of(W).facts(["f0"]) == (EARLIER,)
    again.close()


def test_what_another_process_wrote_is_seen_by_the_one_that_has_the_mirror_open(
    mirrors: Mirrors, tmp_path: Path, store: MemoryGraphStore, bridge: AsyncBridge
) -> None:
    mirrors.of(W)
    bridge.run(store.write(W, GraphWrite(facts=(EARLIER,))))
    other = Mirrors(tmp_path, store, bridge)
    other.written(W, GraphWrite(facts=(EARLIER,)))
    other.close()
    mirrors.sync(W)
    assert mirrors.of(W).facts(["f0"]) == (EARLIER,)


def test_a_write_succeeds_when_the_mirror_refuses_it_and_is_compared_next(
    mirrors: Mirrors, store: MemoryGraphStore, bridge: AsyncBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror = mirrors.of(W)
    bridge.run(store.write(W, GraphWrite(facts=(EARLIER,))))

    def refuse(*_: object, **__: object) -> None:
        raise MirrorUnavailable("The mirror could not answer a query: the disk is full.")

    with monkeypatch.context() as patched:
        patched.setattr(mirror, "apply", refuse)
        mirrors.written(W, GraphWrite(facts=(EARLIER,)))
    assert mirrors.status(W).down == "The mirror could not answer a query: the disk is full."
    mirrors.sync(W)
    assert mirrors.of(W).facts(["f0"]) == (EARLIER,)
    assert mirrors.status(W).down is None


def test_what_no_mirror_can_hold_is_told_and_the_mirror_stays_as_it_was(
    mirrors: Mirrors, store: MemoryGraphStore, bridge: AsyncBridge
) -> None:
    mirrors.of(W)
    bridge.run(store.write(W, GraphWrite(facts=(replace(FACT, text=7),))))  # type: ignore[arg-type]
    down = mirrors.sync(W, deep=True).down
    assert down is not None
    assert "Asof cannot copy a record of the graph to the mirror" in down
    assert mirrors.of(W).facts(["f0"]) == (FACT,)
    with pytest.raises(MirrorUnavailable) as caught:
        mirrors.rebuild(W)
    assert isinstance(caught.value.__cause__, TypeError)


def test_two_records_of_one_uuid_are_two_records() -> None:
    twin = replace(FACT, relation="STATES", valid_at=START + timedelta(days=1))
    mirror = Mirror()
    for held in ([FACT, FACT, twin], [FACT, twin], [twin, twin]):
        mirror.become([ENTITIES], [held[:2], held[2:]], [EPISODES])
        assert mirror.counts() == Counts(len(ENTITIES), len(held), len(EPISODES))
        assert list(mirror.history("e0")) == held
        version = mirror.version
        mirror.become([ENTITIES], [held], [EPISODES])
        assert mirror.version == version
    mirror.close()


def test_our_own_write_is_there_at_once_and_taken_back_if_the_graph_has_it_no_more(
    mirrors: Mirrors, store: MemoryGraphStore, bridge: AsyncBridge
) -> None:
    mirrors.of(W)
    changed = replace(FACT, text="said by us")
    mirrors.written(W, GraphWrite(facts=(changed,)))
    assert mirrors.of(W).facts(["f0"]) == (changed,)
    mirrors.sync(W, deep=True)
    assert mirrors.of(W).facts(["f0"]) == (FACT,)
    mirrors.written(W, GraphWrite(), gone_facts=["f0"])
    assert mirrors.of(W).counts().facts == 0
    mirrors.sync(W, deep=True)
    assert content(mirrors.of(W)) == graph_content(store, bridge)


def test_an_entity_that_is_renamed_is_renamed_in_its_facts(
    mirrors: Mirrors, store: MemoryGraphStore, bridge: AsyncBridge
) -> None:
    mirrors.of(W)
    bridge.run(store.write(W, GraphWrite(entities=(replace(ENTITIES[1], name="Accepted"),))))
    mirrors.sync(W, deep=True)
    assert [f.target for f in mirrors.of(W).history("e0")] == ["Accepted"]


changes = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.integers(0, 4).flatmap(facts)),
        st.tuples(st.just("delete"), st.sampled_from(["f0", "f1", "f2", "f3"])),
        st.tuples(st.just("delete episode"), st.sampled_from(["p0", "p1"])),
        st.tuples(st.just("delete entity"), st.sampled_from(["e2", "e3"])),
        st.tuples(st.just("restore"), st.none()),
        st.tuples(st.just("sync"), st.none()),
    ),
    max_size=12,
)


@given(changes=changes)
def test_after_any_changes_a_deep_look_makes_the_mirror_equal_to_the_graph(
    bridge: AsyncBridge, changes: list[tuple[str, object]]
) -> None:
    store = MemoryGraphStore()
    mirrors = Mirrors(None, store, bridge)
    bridge.run(store.write(W, graph(())))
    mirrors.of(W)
    for change, what in changes:
        if change == "write" and isinstance(what, Fact):
            bridge.run(store.write(W, GraphWrite(entities=ENTITIES, facts=(what,))))
        elif change == "restore":
            bridge.run(store.write(W, GraphWrite(ENTITIES, (), EPISODES)))
        elif change == "sync":
            mirrors.sync(W)
        else:
            kind = {"delete": "facts", "delete episode": "episodes", "delete entity": "entities"}[change]
            bridge.run(delete(store, W, **{kind: [what]}))
    mirrors.sync(W, deep=True)
    assert content(mirrors.of(W)) == graph_content(store, bridge)
    mirrors.close()


def test_the_mirror_answers_while_the_graph_is_down_and_recovers_by_itself(
    mirrors: Mirrors, store: MemoryGraphStore, bridge: AsyncBridge
) -> None:
    store.down = True
    assert mirrors.of(W).counts() == Counts(0, 0, 0)
    mirrors.follow(0.01)
    until(lambda: mirrors.status(W).down is not None)
    store.down = False
    until(lambda: mirrors.status(W).down is None)
    assert content(mirrors.of(W)) == graph_content(store, bridge)
    store.down = True
    until(lambda: mirrors.status(W).down is not None)
    assert mirrors.of(W).history("e0") == (FACT,)
