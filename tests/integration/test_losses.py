"""What a damaged file lost: noticed before anything hides it, kept, counted, restored, or dismissed."""

import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from pathlib import Path
from threading import Event

import pytest

from services.core.change_records import Origin
from services.core.errors import Cancelled, MirrorUnavailable, WriteFailed
from services.graph import file_checksums, raw
from services.memory import read_record_lines
from services.writing import import_records, workspaces
from services.writing.change_sets import change_sets, writing
from services.writing.damage_check import _remember as remember
from services.writing.damage_check import dismiss, look_for_losses, loss_text, losses
from services.writing.importer import import_rows
from services.writing.locks import only_writer
from services.writing.missing_records import LostRecords
from services.writing.restore_missing_records import restore
from services.writing.undoing import undo
from tests.integration.embedded_files import (
    ENDED,
    FIRST,
    SECOND,
    cut_between_commands,
    cut_to_half,
    files_of_at_most,
    home,
    incremental,
    remove_increments,
    saved,
    start,
)
from tests.integration.test_embedded_server import ended, server_pid
from tests.services.memory.seeds import SEEDS, lines
from tests.services.writing.imports import row
from tests.services.writing.test_importer import content

__all__ = ["home", "saved", "start"]


def test_a_lost_write_is_noticed_where_no_file_is_damaged(home, start, saved):
    for path in (home / "graph").glob("seal.json"):
        path.unlink()
    cut_between_commands(home)
    services = start()
    (loss,) = losses(services)
    assert (loss.copy, loss.changes) == (None, 1)
    restore(services.workspace("w"))
    assert content(services) == saved


def test_lost_records_of_an_agent_are_noticed_and_restored(home, start):
    services = start()
    workspace = services.workspace("w")
    import_rows(workspace, FIRST, title="a file")
    import_records(workspace, read_record_lines(lines(*SEEDS)).records, title="Memory")
    saved = memory_of(workspace)
    start.stop()
    (home / "graph/seal.json").unlink(missing_ok=True)
    cut_between_commands(home)
    services = start()
    (loss,) = losses(services)
    held = sum(services.bridge.run(services.graph.memory.counts("w")).values())
    lost = len(SEEDS) - held
    assert lost > 1
    assert (loss.records, loss.lost) == ({"records": lost}, 0)
    assert f"{lost} memory records saved in “w” are missing" in loss_text(loss)
    workspace = services.workspace("w")
    done = restore(workspace)
    assert (done.records, done.left, memory_of(workspace)) == (lost, 0, saved)
    assert losses(services) == ()
    undo(workspace, done.change_set_id)
    assert len(memory_of(workspace)) == held


def test_a_lost_undo_of_an_import_of_records_is_undone_again(home, start):
    services = start()
    workspace = services.workspace("w")
    import_records(workspace, read_record_lines(lines(SEEDS[0])).records, title="Memory")
    saved = memory_of(workspace)
    changed = {**SEEDS[0], "trust_level": 0.1}
    plan = import_records(workspace, read_record_lines(lines(changed, SEEDS[1])).records, title="More")
    undo(workspace, plan.change_set)
    assert memory_of(workspace) == saved
    lose_the_last_write(home)
    services = start()
    workspace = services.workspace("w")
    (loss,) = losses(services)
    assert loss.records == {"records": 1, "deleted records": 1}
    assert (restore(workspace).left, memory_of(workspace)) == (0, saved)
    assert losses(services) == ()


def memory_of(workspace):
    """All of an agent's records."""
    records = workspace.run(workspace.graph.memory.all_records(workspace.name))
    return sorted(records, key=lambda record: (record.type, record.id))


def test_the_mirror_waits_while_somebody_writes_to_a_damaged_graph(home, start, saved):
    cut_to_half(home)
    services = start(recovering=False)
    with only_writer(services.accounts, "w", Event()):
        look_for_losses(services)
        assert "another write is under way" in (services.mirrors.sync("w").down or "")
        assert file_checksums.damage(home / "graph") is not None
    assert losses(services) == ()
    assert services.mirrors.sync("w").down is None
    assert losses(services)[0].lost == 0


def test_a_write_to_a_damaged_graph_waits_for_another_one(home, start, saved):
    cut_to_half(home)
    services = start(recovering=False)
    stop = Event()
    stop.set()
    with only_writer(services.accounts, "w", Event()), pytest.raises(Cancelled), writing(services.workspace("w"), stop):
        raise AssertionError
    with ThreadPoolExecutor() as threads, ExitStack() as held:
        held.enter_context(only_writer(services.accounts, "w", Event()))
        write = threads.submit(import_rows, services.workspace("w"), FIRST, title="the same again")
        assert wait([write], timeout=0.3).done == set()
        held.close()
        write.result()
    assert losses(services)[0].lost == 0


def lose_the_last_write(home: Path) -> None:
    """Kill the server, whose files lack the last write then, as where a full disk took no more; nothing tells of it."""
    pid = server_pid(home / "graph")
    os.kill(pid, signal.SIGKILL)
    assert ended(pid)
    cut_between_commands(home)
    (home / "graph/seal.json").unlink(missing_ok=True)


def test_a_write_fails_under_which_the_graph_loses_what_was_saved_before(home, start):
    services = start()
    for rows in (FIRST, SECOND):
        import_rows(services.workspace("w"), rows, title="a file")
    everything = content(services)
    begun = iter([lambda: lose_the_last_write(home)])
    with pytest.raises(WriteFailed, match="lost some saved records"):
        import_rows(services.workspace("w"), ENDED, title="more", progress=lambda *_: next(begun, lambda: None)())
    assert losses(services) == ()
    import_rows(services.workspace("w"), [row(2020, number=1)], title="since")
    (loss,) = losses(services)
    assert (loss.changes, loss.records["facts"], loss.lost) == (1, 40, 0)
    undo(services.workspace("w"), change_sets(services.workspace("w"))[0].id)
    restore(services.workspace("w"))
    assert content(services) == everything


def test_a_loss_is_noticed_by_a_write_that_waited_for_another_one_meanwhile(home, start, saved):
    services = start()
    services.bridge.run(services.graph.ping())
    with ThreadPoolExecutor() as threads, ExitStack() as held:
        held.enter_context(only_writer(services.accounts, "w", Event()))
        write = threads.submit(import_rows, services.workspace("w"), [row(2020, number=1)], title="since")
        assert wait([write], timeout=0.3).done == set()
        lose_the_last_write(home)
        held.close()
        write.result()
    (loss,) = losses(services)
    assert (loss.changes, loss.lost) == (1, 0)


def test_a_write_is_not_taken_back_before_a_loss_could_be_kept(home, start, saved):
    services = start()
    services.accounts.change_sets.begin("w", "died", Origin("import"), raw.packed({"before": {}, "made": []}))
    lose_the_last_write(home)
    (home / "losses").write_text("no folder")
    services = start()
    assert losses(services) == ()
    assert len(services.accounts.change_sets.unfinished("w")) == 1
    (home / "losses").unlink()
    services = start()
    assert losses(services)[0].changes == 1
    assert services.accounts.change_sets.unfinished("w") == ()
    restore(services.workspace("w"))
    assert content(services) == saved


def test_a_workspace_that_cannot_be_looked_at_keeps_no_other_from_it(home, start):
    services = start()
    for name in ("v", "w"):
        import_rows(services.workspace(name), FIRST, title="a file")
        services.mirrors.of(name)
    start.stop()
    cut_to_half(home)
    services = start(recovering=False)
    with only_writer(services.accounts, "v", Event()):
        look_for_losses(services)
        assert file_checksums.damage(home / "graph", "w") is None
    assert file_checksums.damage(home / "graph", "v") is not None


def test_a_write_looks_at_damaged_files_though_the_last_change_is_there(home, start, saved):
    services = start()
    services.mirrors.sync("w")
    services.bridge.run(services.graph.clear("w"))
    (home / "graph/damage.json").write_text(json.dumps({"copy": "a folder"}))
    import_rows(services.workspace("w"), [row(2020, number=1)], title="another file")
    (loss,) = losses(services)
    assert (loss.records["facts"], loss.lost, loss.copy) == (80, 0, "a folder")


def test_each_workspace_is_compared_once_after_files_were_damaged(home, start):
    services = start()
    for name in ("v", "w"):
        import_rows(services.workspace(name), FIRST, title="a file")
        services.mirrors.of(name)
    start.stop()
    cut_to_half(home)
    services = start(recovering=False)
    services.mirrors.of("w")
    graph = home / "graph"
    assert file_checksums.damage(graph, "w") is None
    assert file_checksums.damage(graph, "v") == file_checksums.damage(graph) is not None
    for name in ("v", *services.bridge.run(services.graph.workspaces())):
        services.mirrors.of(name)
    assert file_checksums.damage(graph) is None
    assert {loss.workspace for loss in losses(services)} <= {"v", "w"}


def test_damage_found_meanwhile_is_not_settled_with_an_earlier_one(home):
    path = home / "damage.json"
    path.write_text(json.dumps({"copy": "second", "settled": ["v"]}))
    file_checksums.settle_damage(home, "first", ["w"], ["v", "w"])
    assert file_checksums.damage(home, "w") == "second"
    file_checksums.settle_damage(home, "second", ["w"], ["v", "w"])
    assert not path.exists()


def test_a_loss_that_cannot_be_kept_is_told_and_noticed_once_it_can(home, start, saved):
    cut_to_half(home)
    (home / "losses").write_text("no folder")
    services = start()
    assert losses(services) == ()
    assert "cannot save the list" in (services.mirrors.sync("w").down or "")
    with pytest.raises(MirrorUnavailable, match="missing from the graph"):
        import_rows(services.workspace("w"), FIRST, title="the same again")
    (home / "losses").unlink()
    restore(start().workspace("w"))
    assert content(start()) == saved


@pytest.mark.parametrize("room", [100, 20_000])
def test_nothing_stays_of_a_loss_for_which_there_is_no_room(home, start, saved, room):
    start().mirrors.sync("w")
    start.stop()
    cut_to_half(home)
    services = start(recovering=False)
    services.bridge.run(services.graph.ping())
    mirror = services.mirrors._open("w").mirror
    evidence = LostRecords({}, ("x" * 100,), {}, {}, ())
    for _ in range(2):
        with files_of_at_most(room), pytest.raises(MirrorUnavailable, match="cannot save the list"):
            remember(services.workspace("w"), mirror, evidence, 1, None)
        assert list((home / "losses").iterdir()) == []
    remember(services.workspace("w"), mirror, evidence, 1, None)
    assert len(losses(services)) == 1


def test_a_loss_that_cannot_be_read_hides_no_other(home, start, saved):
    cut_to_half(home)
    services = start()
    (loss,) = losses(services)
    for number, text in enumerate(("", "[]", "{}", '{"noticed_at": 1}', '{"noticed_at": "2026-01-01", "strange": 1}')):
        (home / f"losses/2020-{number}.json").write_text(text)
    (home / "losses/2021.json").mkdir()
    assert losses(services) == (loss,)


def test_a_loss_that_was_dismissed_is_not_noticed_again(home, start, saved):
    cut_to_half(home)
    services = start()
    left = content(services)
    assert dismiss(services.workspace("w")) == 1
    services = start()
    assert losses(services) == ()
    assert content(services) == left
    assert list((home / "losses").iterdir()) == []


def test_without_a_mirror_the_change_sets_give_back_their_facts(home, start):
    services = start()
    import_rows(services.workspace("w"), FIRST, title="a file")
    import_rows(services.workspace("w"), ENDED, title="another file")
    everything = content(services)
    start.stop()
    assert list(home.glob("mirror/*/*.duckdb")) == []
    cut_between_commands(home)
    services = start()
    (loss,) = losses(services)
    assert loss.lost == 0
    restore(services.workspace("w"))
    assert content(services) == everything


def test_a_source_that_nobody_holds_is_counted_as_lost(home, start):
    services = start()
    import_rows(services.workspace("w"), FIRST, title="a file")
    start.stop()
    remove_increments(home)
    services = start()
    (loss,) = losses(services)
    assert (loss.records, loss.lost) == ({"facts": 40, "entities": 41, "episodes": 1}, 1)
    done = restore(services.workspace("w"))
    assert (done.records, done.left) == (81, 1)


def test_a_lost_undo_is_undone_again(home, start):
    services = start()
    services.mirrors.of("w")
    import_rows(services.workspace("w"), FIRST, title="a file")
    import_rows(services.workspace("w"), SECOND, title="another file")
    services.bridge.run(services.graph.ping())
    before = incremental(home).stat().st_size
    undo(services.workspace("w"), change_sets(services.workspace("w"))[0].id)
    everything = content(services)
    start.stop()
    os.truncate(incremental(home), before)
    services = start()
    assert content(services) != everything
    assert losses(services)[0].records == {"deleted facts": 40, "deleted entities": 1}
    restore(services.workspace("w"))
    assert content(services) == everything


def test_what_was_written_since_is_not_overwritten(home, start, saved):
    cut_between_commands(home)
    services = start()
    import_rows(services.workspace("w"), [row(2020, 2019, number=1, source="Person 1")], title="since")
    since = content(services)[1]
    restore(services.workspace("w"))
    ends = {fact.uuid: fact.invalid_at for fact in content(services)[1].values()}
    changed = [fact for fact in since.values() if fact.source == "Person 1" and fact.invalid_at]
    assert all(ends[fact.uuid] == fact.invalid_at for fact in changed)


def test_a_fact_that_was_entered_again_since_is_not_restored_beside_itself(home, start, saved):
    remove_increments(home)
    services = start()
    again = row(None, 2019, number=1, source="Person 1", target="Bolt")
    import_rows(services.workspace("w"), [again], title="since")
    restore(services.workspace("w"))
    ends = [f.invalid_at for f in content(services)[1].values() if (f.source, f.target) == ("Person 1", "Bolt")]
    assert [end.year for end in ends] == [2019]
    (loss,) = losses(services)
    assert loss.records == {"facts": 1, "entities": 2}


def test_a_write_is_not_taken_back_where_the_accounts_lost_its_end(home, start):
    services = start()
    import_rows(services.workspace("w"), FIRST, title="a file")
    import_rows(services.workspace("w"), SECOND, title="another file")
    everything = content(services)
    with services.accounts._database.transaction() as connection:
        connection.exec_driver_sql("DELETE FROM change_sets WHERE title = 'another file'")
        connection.exec_driver_sql("UPDATE change_sets SET state = 'writing', finished_at = NULL, digests = NULL")
    services = start()
    assert content(services) == everything
    assert services.accounts.change_sets.unfinished() == ()
    assert losses(services) == ()


def test_an_emptied_workspace_and_a_new_one_of_the_name_are_no_loss(home, start, saved):
    services = start()
    workspaces.empty(services.workspace("w"))
    services = start()
    assert losses(services) == ()
    workspaces.delete(services.workspace("w"))
    import_rows(services.workspace("w"), FIRST, title="anew")
    services = start()
    assert losses(services) == ()
    assert len(content(services)[1]) == 40
