"""What is missing from a graph is restored once, in one change, and its only copy lasts until all of it is back."""

import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import duckdb
import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.core.config import Settings
from services.core.errors import MirrorUnavailable
from services.core.import_rows import Row
from services.writing.change_sets import change_sets
from services.writing.corrections.apply import merge_entities
from services.writing.damage_check import loss_text, losses
from services.writing.importer import import_rows
from services.writing.locks import only_writer
from services.writing.restore_missing_records import Restored, restore
from services.writing.undoing import undo
from tests.fakes.memory_graph import MemoryGraphStore, Partition
from tests.integration.embedded_files import Starts, home, incremental, start
from tests.services.writing.imports import row
from tests.services.writing.test_importer import content

__all__ = ["home", "start"]

FIRST = [row(2010, source=f"Person {i}", number=i) for i in range(3)]
SECOND = [row(2012, source=f"Writer {i}", target="Bolt", number=i) for i in range(3)]


@pytest.fixture
def graph() -> MemoryGraphStore:
    return MemoryGraphStore()


@pytest.fixture
def services(graph: MemoryGraphStore, tmp_path: Path) -> Iterator[App]:
    built = build_services(Settings(home=tmp_path, _env_file=None), graph=graph)
    built.mirrors.of("w")
    yield built
    built.close()


def save(services: App, rows: Sequence[Row]) -> None:
    import_rows(services.workspace("w"), rows, title="a file")


def as_it_is(held: Partition) -> Partition:
    past = Partition()
    past.entities, past.facts, past.episodes = dict(held.entities), dict(held.facts), dict(held.episodes)
    past.others = dict(held.others)
    return past


class Past:
    """The graph as it is now, to which it goes back later."""

    def __init__(self, services: App, graph: MemoryGraphStore) -> None:
        self._services, self._graph = services, graph
        self._held = as_it_is(graph._partitions.get("w", Partition()))
        self._position = graph.positions.get("w", "")

    def __call__(self) -> None:
        self._graph._partitions["w"] = as_it_is(self._held)
        self._graph.positions["w"] = self._position
        self._services.mirrors.sync("w")


def test_two_who_restore_at_once_restore_it_once(services, graph):
    nothing = Past(services, graph)
    save(services, FIRST)
    saved = content(services)
    nothing()
    done = list[Restored]()
    both = [threading.Thread(target=lambda: done.append(restore(services.workspace("w")))) for _ in range(2)]
    with only_writer(services.accounts, "w", threading.Event()):
        for one in both:
            one.start()
    for one in both:
        one.join()
    assert sorted(one.records for one in done) == [0, 7]
    assert [one.left for one in done] == [0, 0]
    assert len(change_sets(services.workspace("w"))) == 2
    assert content(services) == saved


def test_a_loss_whose_evidence_is_gone_is_passed_over(services, graph):
    nothing = Past(services, graph)
    save(services, FIRST)
    nothing()
    (loss,) = losses(services)
    loss.evidence.unlink()
    assert restore(services.workspace("w")) == Restored(0, 0, None)


def unreadable(path: Path) -> None:
    path.write_bytes(b"no database " * 1_000)


def of_another_layout(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE meta SET layout = 'of another version'")


@pytest.mark.parametrize("damage", [unreadable, of_another_layout])
def test_a_copy_that_cannot_be_read_is_kept_as_it_is(services, graph, damage):
    nothing = Past(services, graph)
    save(services, FIRST)
    nothing()
    (loss,) = losses(services)
    damage(loss.mirror)
    before = loss.mirror.read_bytes()
    with pytest.raises(MirrorUnavailable, match="dismiss") as raised:
        restore(services.workspace("w"))
    assert raised.value.hint
    assert loss.mirror.read_bytes() == before
    assert losses(services) == (loss,)
    assert loss.evidence.exists()


def test_a_loss_lasts_with_its_copy_until_all_of_it_is_back(services, graph):
    nothing = Past(services, graph)
    save(services, FIRST)
    nothing()
    save(services, FIRST[:1])
    done = restore(services.workspace("w"))
    assert done.left > 0
    (loss,) = losses(services)
    assert sum(loss.records.values()) == done.left
    assert loss.mirror.exists()
    again = restore(services.workspace("w"))
    assert (again.records, again.left) == (0, done.left)


def test_several_losses_are_restored_in_one_change_that_can_be_undone(services, graph):
    nothing = Past(services, graph)
    save(services, FIRST)
    nothing()
    empty = Past(services, graph)
    save(services, SECOND)
    empty()
    assert len(losses(services)) == 2
    before = content(services)
    done = restore(services.workspace("w"))
    assert (done.records, done.left) == (14, 0)
    assert losses(services) == ()
    assert len(content(services)[1]) == 6
    assert done.change_set_id is not None
    assert undo(services.workspace("w"), done.change_set_id).left == ()
    assert content(services) == before


def merge_two(services: App) -> None:
    (gone,), (kept,) = (services.mirrors.of("w").entities_named(f"Person {i}") for i in (1, 0))
    merge_entities(services.workspace("w"), gone, kept)


def test_merged_entities_come_back_in_the_same_change(services, graph):
    nothing = Past(services, graph)
    save(services, FIRST)
    merge_two(services)
    saved, merged = content(services), services.mirrors.of("w").merged()
    nothing()
    done = restore(services.workspace("w"))
    assert done.left == 0
    assert len(change_sets(services.workspace("w"))) == 3
    assert (content(services), services.mirrors.of("w").merged()) == (saved, merged)
    assert done.change_set_id is not None
    assert undo(services.workspace("w"), done.change_set_id).left == ()
    assert content(services) == ({}, {}, {})


def test_entities_that_were_merged_again_since_are_not_merged_twice(services, graph):
    nothing = Past(services, graph)
    save(services, FIRST)
    merge_two(services)
    nothing()
    save(services, FIRST)
    merge_two(services)
    since = content(services), graph._partitions["w"].others
    assert since[1]
    assert restore(services.workspace("w")).left > 0
    assert (content(services)[0], graph._partitions["w"].others) == (since[0][0], since[1])


def test_deleted_records_that_are_back_are_counted_apart_from_what_is_missing(services, graph):
    save(services, FIRST)
    before = Past(services, graph)
    save(services, SECOND[:1])
    undo(services.workspace("w"), change_sets(services.workspace("w"))[1].id)
    saved = content(services)
    before()
    (loss,) = losses(services)
    assert loss_text(loss) == (
        "1 fact, 2 entities saved in “w” are missing from the graph. "
        "3 deleted facts, 4 deleted entities are back in “w”."
    )
    assert restore(services.workspace("w")).left == 0
    assert content(services) == saved


def test_one_deleted_record_is_said_to_be_back(services, graph):
    save(services, FIRST)
    save(services, [row(2013, number=1, source="Person 1", target="Person 2")])
    before = Past(services, graph)
    undo(services.workspace("w"), change_sets(services.workspace("w"))[0].id)
    before()
    assert loss_text(losses(services)[0], "Team") == "1 deleted fact is back in “Team”."


def test_merged_entities_come_back_to_the_embedded_graph_in_one_change(home: Path, start: Starts) -> None:
    services = start()
    services.mirrors.of("w")
    save(services, FIRST[:1])
    services.bridge.run(services.graph.ping())
    before = incremental(home).stat().st_size
    save(services, FIRST[1:])
    merge_two(services)
    saved, merged = content(services), services.bridge.run(services.graph.merged("w"))
    start.stop()
    os.truncate(incremental(home), before)
    services = start()
    then = content(services)
    assert (then != saved, services.bridge.run(services.graph.merged("w"))) == (True, ())
    done = restore(services.workspace("w"))
    assert done.left == 0
    assert (content(services), services.bridge.run(services.graph.merged("w"))) == (saved, merged)
    assert services.mirrors.of("w").merged() == merged
    assert done.change_set_id is not None
    assert undo(services.workspace("w"), done.change_set_id).left == ()
    assert (content(services), services.bridge.run(services.graph.merged("w"))) == (then, ())
