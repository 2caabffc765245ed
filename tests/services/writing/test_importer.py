"""An import is in whole, or not at all: after a failure, a cancel, and a crash."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.core.change_records import Origin
from services.core.config import Settings
from services.core.errors import Cancelled, GraphUnavailable, WriteFailed
from services.core.models import GraphWrite
from services.graph import raw
from services.graph.raw import Image
from services.writing.changes import applying
from services.writing.importer import import_rows, preview_import
from services.writing.locks import only_writer
from services.writing.unfinished_writes import recover
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.writing.imports import row

BEFORE = [row(2010, episode="The first letter"), row(2010, source="Bo", source_type="Person")]
NOTHING = raw.packed({"before": {}, "made": []})
AFTER = [
    row(2016, 2015, episode="The second letter"),
    row(2010, source="Bo", source_type="Ship", target="Cog"),
    row(2010, source="Bo", source_type="Person", target="Acme", target_type="Firm"),
]


def content(services: App, workspace: str = "w") -> tuple[object, ...]:
    async def read() -> tuple[object, ...]:
        graph = services.graph
        return tuple(
            [
                {r.uuid: r async for batch in scan(workspace) for r in batch}
                for scan in (graph.scan_entities, graph.scan_facts, graph.scan_episodes)
            ]
        )

    return services.bridge.run(read())


class FailingStore(MemoryGraphStore):
    """Fails at a write: after `writes_left` of them, with `fault`; once, or until it is repaired."""

    writes_left: int | None = None
    fault: Exception = GraphUnavailable("The graph database went away.", "Start it again.")
    stays_broken = False

    def __init__(self) -> None:
        super().__init__()
        self._put, self.raw.put = self.raw.put, self._put_unless_broken

    async def _put_unless_broken(self, workspace: str, wanted: Image) -> None:
        if self.writes_left == 0 and self.stays_broken:
            raise self.fault
        await self._put(workspace, wanted)

    async def write(self, workspace: str, batch: GraphWrite) -> None:
        if self.writes_left == 0:
            if not self.stays_broken:
                self.writes_left = None
            raise self.fault
        if self.writes_left is not None:
            self.writes_left -= 1
        await super().write(workspace, batch)


@pytest.fixture
def store() -> FailingStore:
    return FailingStore()


@pytest.fixture
def services(tmp_path: Path, store: FailingStore):
    services = build_services(Settings(home=tmp_path), graph=store)
    yield services
    services.close()


def test_an_import_tells_what_it_did(services):
    done = import_rows(services.workspace("w"), [*BEFORE, *BEFORE], title="letters")
    assert dict(done.rows) == {"new": 2, "source": 0, "change": 0, "correction": 0, "unchanged": 2}
    assert (done.entities, done.facts, done.episodes) == (3, 2, 1)
    assert services.accounts.change_sets.unfinished() == ()


def test_importing_twice_writes_nothing_the_second_time(services):
    import_rows(services.workspace("w"), AFTER, title="letters")
    before = content(services)
    done = import_rows(services.workspace("w"), AFTER, title="letters")
    assert dict(done.rows)["unchanged"] == 3
    assert content(services) == before


def test_a_preview_writes_nothing(services):
    plan = preview_import(services.workspace("w"), BEFORE)
    assert plan.counts["new"] == 2
    assert content(services) == ({}, {}, {})


def test_progress_goes_from_nothing_to_all(services):
    seen = []
    import_rows(services.workspace("w"), BEFORE, title="letters", progress=lambda *step: seen.append(step))
    assert seen[0] == (0, 6)
    assert seen[-1] == (6, 6)
    assert seen == sorted(seen)


@pytest.mark.parametrize("writes", [0, 1, 2])
def test_a_database_that_fails_in_the_middle_leaves_nothing_of_the_import(services, store, writes):
    import_rows(services.workspace("w"), BEFORE, title="before")
    before = content(services)
    store.writes_left = writes
    with pytest.raises(WriteFailed, match="Nothing was saved"):
        import_rows(services.workspace("w"), AFTER, title="after")
    assert content(services) == before
    assert services.accounts.change_sets.unfinished() == ()


def test_a_fault_of_the_driver_is_told_as_a_failed_write(services, store):
    store.writes_left, store.fault = 1, ConnectionResetError("reset")
    with pytest.raises(WriteFailed, match="reset"):
        import_rows(services.workspace("w"), BEFORE, title="letters")
    assert content(services) == ({}, {}, {})


def test_what_cannot_be_taken_back_now_is_taken_back_at_the_next_start(services, store):
    import_rows(services.workspace("w"), BEFORE, title="before")
    before = content(services)
    store.writes_left, store.stays_broken = 1, True
    with pytest.raises(WriteFailed, match="Asof could not roll it back yet"):
        import_rows(services.workspace("w"), AFTER, title="after")
    store.writes_left = None
    assert recover(services) == 1
    assert content(services) == before
    assert recover(services) == 0


def test_what_could_not_be_taken_back_is_taken_back_before_the_next_import(services, store):
    import_rows(services.workspace("w"), BEFORE, title="before")
    store.writes_left, store.stays_broken = 1, True
    with pytest.raises(WriteFailed, match="Asof could not roll it back yet"):
        import_rows(services.workspace("w"), AFTER, title="after")
    store.writes_left, store.stays_broken = None, False
    later = [row(2020, source="Cy", target="Dee")]
    import_rows(services.workspace("w"), later, title="later")
    import_rows(services.workspace("fresh"), BEFORE, title="before")
    import_rows(services.workspace("fresh"), later, title="later")
    held = [{(f.source, f.target, f.valid_at) for f in content(services, w)[1].values()} for w in ("w", "fresh")]
    assert held[0] == held[1]
    assert services.accounts.change_sets.unfinished() == ()


@pytest.mark.parametrize("step", [0, 1, 2, 3])
def test_a_cancelled_import_is_not_in_wherever_it_was(services, step):
    import_rows(services.workspace("w"), BEFORE, title="before")
    before, cancel, steps = content(services), threading.Event(), []

    def progress(done: int, total: int) -> None:
        if len(steps) == step:
            cancel.set()
        steps.append(done)

    with pytest.raises(Cancelled):
        import_rows(services.workspace("w"), AFTER, title="after", progress=progress, cancel=cancel)
    assert content(services) == before
    assert services.accounts.change_sets.unfinished() == ()


def test_taking_back_keeps_an_entity_that_others_came_to_use(services, store):
    """Somebody else writes a fact on our new entity while we import."""
    store.writes_left, store.stays_broken = 2, True
    with pytest.raises(WriteFailed):
        import_rows(services.workspace("w"), BEFORE, title="before")
    store.writes_left = None
    entities = {e.name: e for e in content(services)[0].values()}
    theirs = row_fact(entities["Ann"].uuid, entities["Bo"].uuid)
    services.bridge.run(store.write("w", GraphWrite(facts=(theirs,))))
    recover(services)
    assert {e.name for e in content(services)[0].values()} == {"Ann", "Bo"}
    assert set(content(services)[1]) == {theirs.uuid}


def row_fact(source: str, target: str):
    from services.core.models import Fact

    return Fact("theirs", source, target, "Ann", "KNOWS", "Bo")


def test_a_mirror_that_is_open_sees_the_import_and_its_undoing(services, store):
    mirror = services.mirrors.of("w")
    import_rows(services.workspace("w"), BEFORE, title="before")
    assert mirror.counts().facts == 2
    store.writes_left = 2
    with pytest.raises(WriteFailed):
        import_rows(services.workspace("w"), AFTER, title="after")
    assert mirror.counts().facts == 2


def test_a_write_that_another_process_is_still_at_is_not_taken_back(services):
    services.accounts.change_sets.begin("w", "theirs", Origin("import"), NOTHING)
    with only_writer(services.accounts, "w", threading.Event()):
        assert recover(services) == 0
    assert recover(services) == 1


VICTIM = """
import sys
from pathlib import Path
from services.bootstrap import build_services
from services.core.config import Settings
from services.writing import importer
from services.writing.changes import applying
from services.core.import_rows import Row

applying.BATCH = 50
services = build_services(Settings(home=Path(sys.argv[1]), graph_url="embedded"))
rows = [Row(i, f"Person {i}", "KNOWS", "Ann", episode=f"Letter {i}") for i in range(400)]

def progress(done, total):
    if done > total * 0.8:
        print("in the middle", flush=True)
        sys.stdin.read()

importer.import_rows(services.workspace("w"), rows, title="killed", progress=progress)
"""


def test_an_import_that_is_killed_is_taken_back_at_the_next_start(short_folder):
    home = short_folder / "killed"
    chosen = Settings(home=home, graph_url="embedded")
    services = build_services(chosen)
    import_rows(services.workspace("w"), BEFORE, title="before")
    before = content(services)
    victim = subprocess.Popen(
        [sys.executable, "-c", VICTIM, str(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert victim.stdout.readline() == "in the middle\n"
    assert len(content(services)[1]) > 100
    assert recover(services) == 0, "the writer lives, and holds its lock"
    os.kill(victim.pid, signal.SIGKILL)
    victim.communicate()
    assert recover(services) == 1
    assert content(services) == before
    services.close()


class CountingStore(MemoryGraphStore):
    """Counts the scans of the whole workspace."""

    scans = 0

    def scan_facts(self, workspace: str):
        self.scans += 1
        return super().scan_facts(workspace)


def test_a_few_rows_for_a_large_workspace_do_not_read_it_whole(tmp_path):
    store = CountingStore()
    services = build_services(Settings(home=tmp_path), graph=store)
    many = [row(2010, source=f"Person {i}", target=f"Person {i + 1}") for i in range(300)]
    import_rows(services.workspace("w"), many, title="many")
    few = [row(2010, source="Person 7", target="Person 8"), row(2012, source="Person 8", target="Person 7")]
    assert preview_import(services.workspace("w"), few).verdicts == ("unchanged", "new")
    assert store.scans == 0
    assert preview_import(services.workspace("w"), many).counts["unchanged"] == 300
    assert store.scans == 1
    services.close()


class SlowStore(MemoryGraphStore):
    """Fails at a batch of facts while the next one is still under way, and tells what was under way when."""

    def __init__(self) -> None:
        super().__init__()
        self._put, self.raw.put = self.raw.put, self._put_when_quiet
        self.under_way: list[set[str]] = []
        self.two_under_way = asyncio.Event()

    async def write(self, workspace: str, batch: GraphWrite) -> None:
        kind = {name for name in ("entities", "facts", "episodes") if getattr(batch, name)}
        assert all(other == kind == {"facts"} for other in self.under_way), "facts hang on what comes before them"
        self.under_way.append(kind)
        if len(self.under_way) == 2:
            self.two_under_way.set()
        try:
            if kind == {"facts"}:
                await asyncio.wait_for(self.two_under_way.wait(), timeout=30)
            if any(fact.source == "Person 7" for fact in batch.facts):
                raise GraphUnavailable("The power is out.")
            for _ in range(50):
                await asyncio.sleep(0)
            await super().write(workspace, batch)
        finally:
            self.under_way.remove(kind)

    async def _put_when_quiet(self, workspace: str, wanted: Image) -> None:
        assert not self.under_way, "what is under way cannot be taken back"
        await self._put(workspace, wanted)


def test_two_batches_are_written_at_once_and_a_failed_import_leaves_none(tmp_path, monkeypatch):
    monkeypatch.setattr(applying, "BATCH", 2)
    store = SlowStore()
    services = build_services(Settings(home=tmp_path), graph=store)
    rows = [row(2010, source=f"Person {i}", target="Ann", episode="A letter") for i in range(12)]
    with pytest.raises(WriteFailed, match="Nothing was saved"):
        import_rows(services.workspace("w"), rows, title="letters")
    assert not any(content(services))
    store.two_under_way.clear()
    assert import_rows(services.workspace("w"), rows[:6], title="letters").facts == 6
    assert store.two_under_way.is_set()
    services.close()


def test_what_another_program_renamed_is_left_as_it_is(services, store):
    import_rows(services.workspace("w"), BEFORE[:1], title="before")
    entities, _, _ = content(services)
    ann = replace(next(e for e in entities.values() if e.name == "Ann"), name="Ann Lovelace", summary="A countess.")
    services.bridge.run(store.write("w", GraphWrite(entities=(ann,))))
    import_rows(services.workspace("w"), BEFORE[:1], title="again")
    entities, facts, _ = content(services)
    assert entities[ann.uuid] == ann
    assert sorted(f.source for f in facts.values()) == ["Ann", "Ann Lovelace"]
