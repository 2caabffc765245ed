"""What a crash left is taken back once, by one process, whatever became of the workspace meanwhile."""

import threading
from dataclasses import replace

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.core.change_records import Origin
from services.core.config import Settings
from services.core.errors import AccountsUnavailable, BadInput, GraphUnavailable, MirrorUnavailable, WriteFailed
from services.core.models import GraphWrite
from services.jobs.demo import WORKSPACE, load_demo
from services.writing import workspaces
from services.writing.change_sets import change_sets, writing
from services.writing.edits import Edit
from services.writing.importer import import_rows, preview_import
from services.writing.locks import only_writer
from services.writing.undoing import redo, undo
from services.writing.unfinished_writes import recover
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.writing.imports import row
from tests.services.writing.test_importer import NOTHING, content

BEFORE = [row(2010, episode="The first letter")]
ENDED = [row(2016, 2015, episode="The second letter")]


class StrictStore(MemoryGraphStore):
    """Refuses facts without their entities, as the databases do."""

    async def write(self, workspace: str, batch: GraphWrite) -> None:
        await super().write(workspace, GraphWrite(batch.entities, (), batch.episodes))
        held = self._open(workspace).entities
        if any({fact.source_uuid, fact.target_uuid} - held.keys() for fact in batch.facts):
            raise WriteFailed("Facts name an entity that is not in the graph.")
        await super().write(workspace, GraphWrite(facts=batch.facts))


@pytest.fixture
def services(tmp_path):
    services = build_services(Settings(home=with_tables(tmp_path)), graph=StrictStore())
    yield services
    services.close()


class _Died(BaseException):
    """What `kill -9` leaves of a process: neither finished nor undone."""


def crash(services: App, monkeypatch: pytest.MonkeyPatch, workspace: str = "w") -> None:
    """Die at the end of an import of `ENDED`, before it is marked as done."""

    def die(*_: object, **__: object) -> None:
        raise _Died

    with monkeypatch.context() as patch:
        patch.setattr(services.accounts.change_sets, "finish", die)
        patch.setattr("services.writing.change_sets.ChangeSetWriter._undo_after", lambda *_: None)
        with pytest.raises(_Died):
            import_rows(services.workspace(workspace), ENDED, title="crashed")
    assert len(services.accounts.change_sets.unfinished(workspace)) == 1


def test_an_import_that_finishes_before_its_lock_is_had_is_not_taken_back(services, monkeypatch):
    import_rows(services.workspace("w"), BEFORE, title="before")
    crash(services, monkeypatch)
    (record,) = services.accounts.change_sets.unfinished()
    whole, lock = content(services), services.accounts.writer_lock

    def lock_after_it_finished(workspace: str):
        services.accounts.change_sets.finish(record.id, digests=b"", counts={}, changes=())
        return lock(workspace)

    monkeypatch.setattr(services.accounts, "writer_lock", lock_after_it_finished)
    assert recover(services) == 0
    assert content(services) == whole


def test_an_import_that_another_process_took_back_meanwhile_is_not_called_done(services):
    import_rows(services.workspace("w"), BEFORE, title="before")
    before = content(services)

    def taken_back(done: int, total: int) -> None:
        if done == total:
            services.accounts.change_sets.settle("w")

    with pytest.raises(WriteFailed, match="Another process"):
        import_rows(services.workspace("w"), ENDED, title="lost its lock", progress=taken_back)
    assert content(services) == before


@pytest.mark.parametrize("removed", [workspaces.empty, workspaces.delete])
def test_what_a_crash_left_goes_with_the_workspace(services, monkeypatch, removed):
    import_rows(services.workspace("w"), BEFORE, title="before")
    crash(services, monkeypatch)
    removed(services.workspace("w"))
    assert services.accounts.change_sets.unfinished() == ()
    assert recover(services) == 0
    assert content(services) == ({}, {}, {})
    assert import_rows(services.workspace("w"), BEFORE, title="anew").facts == 1


@pytest.mark.slow
def test_resetting_the_demo_forgets_what_a_crash_left_there(services, monkeypatch):
    import_rows(services.workspace(WORKSPACE), BEFORE, title="before")
    crash(services, monkeypatch, WORKSPACE)
    assert load_demo(services, reset=True).facts == 5190
    assert services.accounts.change_sets.unfinished() == ()
    assert len(content(services, WORKSPACE)[1]) == 5190


@pytest.mark.parametrize("removed", [workspaces.empty, workspaces.delete])
def test_a_workspace_is_not_emptied_while_something_writes_to_it(services, removed):
    import_rows(services.workspace("w"), BEFORE, title="before")
    before = content(services)
    with only_writer(services.accounts, "w", threading.Event()), pytest.raises(WriteFailed, match="write to “w”"):
        removed(services.workspace("w"))
    assert content(services) == before


def test_a_fact_whose_entities_are_gone_stays_gone_and_the_next_import_goes_on(services, monkeypatch):
    import_rows(services.workspace("w"), BEFORE, title="before")
    crash(services, monkeypatch)
    services.bridge.run(services.graph.clear("w"))
    mirror = services.mirrors.of("w")
    assert recover(services) == 1
    assert content(services)[1] == {}
    assert mirror.counts().facts == 0
    assert import_rows(services.workspace("w"), BEFORE, title="anew").rows["new"] == 1


def test_what_cannot_be_taken_back_is_logged_and_the_rest_is_taken_back(services, caplog):
    origin, begin = Origin("import"), services.accounts.change_sets.begin
    begin("first", "whole", origin, NOTHING)
    begin("broken", "not readable", origin, b"{")
    begin("last", "whole", origin, NOTHING)
    assert recover(services) == 2
    assert [record.workspace for record in services.accounts.change_sets.unfinished()] == ["broken"]
    assert "unfinished write to “broken” waits" in caplog.text


def test_recovery_says_when_the_accounts_cannot_be_asked(tmp_path):
    chosen = Settings(home=tmp_path, database_url="postgresql://asof@127.0.0.1:1/asof")
    services = build_services(chosen, graph=StrictStore())
    with pytest.raises(AccountsUnavailable):
        recover(services)
    services.close()


def test_an_import_succeeds_though_the_mirror_refuses_it(services, monkeypatch, caplog):
    import_rows(services.workspace("w"), BEFORE, title="before")
    mirror = services.mirrors.of("w")

    def full(*_: object, **__: object) -> None:
        raise MirrorUnavailable("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(mirror, "apply", full)
        assert import_rows(services.workspace("w"), [row(2010, source="Bo")], title="more").facts == 1
    assert "The disk is full." in caplog.text
    assert services.mirrors.sync("w").counts.facts == 2


def test_the_commands_name_for_the_default_group_is_no_name_for_a_workspace(services):
    with pytest.raises(BadInput, match="default"):
        workspaces.create(services, "default", "Mine")


def test_a_redo_that_is_gone_on_with_leaves_what_was_changed_since(services, monkeypatch):
    import_rows(services.workspace("w"), [row(2010), row(2010, source="Bo", target="Cog")], title="first")
    (first,) = change_sets(services.workspace("w"))
    undo(services.workspace("w"), first.id)
    named = {entity.name: entity for entity in preview_import(services.workspace("w"), [row(2010)]).created.entities}
    ann = replace(named["Ann"], summary="Somebody else wrote this.")
    with writing(services.workspace("w")) as writer:
        writer.apply(Edit(created=GraphWrite((ann,))), title="theirs", origin=Origin("form"))

    async def fail(*_):
        raise GraphUnavailable("It is down.")

    with monkeypatch.context() as patch:
        patch.setattr(services.graph.raw, "put", fail)
        with pytest.raises(WriteFailed):
            redo(services.workspace("w"), first.id)
    assert recover(services) == 1
    entities = content(services)[0]
    assert entities[ann.uuid] == ann
    assert {entity.name for entity in entities.values()} == {"Ann", "Acme", "Bo", "Cog"}


def test_a_write_that_is_in_whole_stays_though_nobody_heard_so(services, monkeypatch):
    finish = services.accounts.change_sets.finish

    def lost(*given, **more):
        finish(*given, **more)
        raise AccountsUnavailable("The connection broke.")

    with monkeypatch.context() as patch:
        patch.setattr(services.accounts.change_sets, "finish", lost)
        with pytest.raises(AccountsUnavailable):
            import_rows(services.workspace("w"), [row(2010)], title="first")
    (record,) = change_sets(services.workspace("w"))
    assert (record.state, len(content(services)[1])) == ("done", 1)
    assert undo(services.workspace("w"), record.id).left == ()
