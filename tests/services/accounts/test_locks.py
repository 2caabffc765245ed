"""One writer per workspace: in this process, in another, and in another replica on the same PostgreSQL."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from services.accounts.store import Accounts
from services.agent.app import App
from services.bootstrap import build_services
from services.core.change_records import Origin
from services.core.config import Settings
from services.core.errors import AccountsUnavailable, Cancelled
from services.graph import raw
from services.writing.importer import import_rows
from services.writing.locks import only_writer, writer_if_free
from services.writing.unfinished_writes import recover
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.writing.imports import row

GRAPH = "bolt://graph:7687"


@pytest.fixture
def replicas(url: str) -> Iterator[list[Accounts]]:
    """Two processes' views of the same graph, and one of another graph."""
    opened = [Accounts(url, GRAPH), Accounts(url, GRAPH), Accounts(url, "bolt://elsewhere:7687")]
    yield opened
    for accounts in opened:
        accounts.close()


def test_a_second_writer_waits_and_can_give_up(replicas: list[Accounts]) -> None:
    ours, theirs, elsewhere = replicas
    cancel = threading.Event()
    with only_writer(ours, "a/b", cancel):
        for accounts in (ours, theirs):
            with writer_if_free(accounts, "a/b") as free:
                assert not free
        with writer_if_free(theirs, "another") as free:
            assert free
        with writer_if_free(elsewhere, "a/b") as free:
            assert free, "the same name in another graph is another workspace"
        cancel.set()
        with pytest.raises(Cancelled), only_writer(theirs, "a/b", cancel):
            pass
    with writer_if_free(theirs, "a/b") as free:
        assert free


def test_a_name_of_any_length_and_script_can_be_locked(replicas: list[Accounts]) -> None:
    name = "Ünïcode / " * 60
    with writer_if_free(replicas[0], name) as free, writer_if_free(replicas[1], name) as second:
        assert (free, second) == (True, False)


def test_a_lock_is_no_lock_without_the_database() -> None:
    nowhere = Accounts("postgresql://asof@127.0.0.1:1/asof", GRAPH)
    with pytest.raises(AccountsUnavailable), writer_if_free(nowhere, "w"):
        pass
    nowhere.close()


@pytest.mark.postgres
def test_a_lost_connection_lets_go_of_the_lock(postgres_url: str) -> None:
    ours, theirs = Accounts(postgres_url, GRAPH), Accounts(postgres_url, GRAPH)
    server = create_engine(postgres_url.replace("postgresql:", "postgresql+psycopg:"))
    with only_writer(ours, "w", threading.Event()):
        with server.begin() as connection:
            killed = connection.execute(
                text("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
            ).all()
        assert killed == [(True,)]
        cancel = threading.Event()
        threading.Timer(20, cancel.set).start()
        with only_writer(theirs, "w", cancel):
            cancel.set()
    for each in (ours, theirs):
        each.close()
    server.dispose()


@pytest.mark.postgres
def test_a_lock_cannot_be_taken_on_a_lost_connection(postgres_url: str) -> None:
    accounts = Accounts(postgres_url, GRAPH)
    server = create_engine(postgres_url.replace("postgresql:", "postgresql+psycopg:"))
    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    with accounts.jobs.queue("w") as queue, accounts.writer_lock("w") as take:
        with server.begin() as connection:
            assert connection.execute(text(f"SELECT pg_terminate_backend(pid) {others}")).all()
        with pytest.raises(AccountsUnavailable):
            queue.take()
        with pytest.raises(AccountsUnavailable):
            take()
    accounts.close()
    server.dispose()


@pytest.fixture
def shared(postgres_url: str, tmp_path: Path) -> Iterator[tuple[App, App]]:
    """Two replicas with data folders of their own, on one graph server and one PostgreSQL."""
    graph = MemoryGraphStore()
    both = [
        build_services(Settings(home=tmp_path / name, graph_url=GRAPH, database_url=postgres_url), graph=graph)
        for name in "ab"
    ]
    yield both[0], both[1]
    for services in both:
        services.close()


@pytest.mark.postgres
def test_a_replica_that_starts_leaves_the_live_import_of_another_alone(shared: tuple[App, App]) -> None:
    ours, theirs = shared
    taken_back = []
    done = import_rows(
        ours.workspace("w"), [row(2010)], title="live", progress=lambda *_: taken_back.append(recover(theirs))
    )
    assert set(taken_back) == {0}
    assert done.facts == ours.bridge.run(ours.graph.watermark("w")).counts.facts == 1


@pytest.mark.postgres
def test_a_replica_takes_back_what_another_left_when_it_died(shared: tuple[App, App]) -> None:
    ours, theirs = shared
    ours.accounts.change_sets.begin("w", "died", Origin("import"), raw.packed({"before": {}, "made": []}))
    assert recover(theirs) == 1
