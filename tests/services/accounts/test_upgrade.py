"""The tables of this version, from nothing, from those of an earlier version, and by many processes at once."""

import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, MetaData, Table, create_engine, make_url, text

from services.accounts import database, upgrade
from services.accounts.schema import NEWEST, change_sets, metadata, workspaces
from services.accounts.store import Accounts
from services.core import clock
from services.core.errors import AccountsUnavailable
from services.core.models import Workspace
from tests.services.accounts.conftest import GRAPH

_FIRST_COLUMNS = ("id", "graph", "workspace", "title", "state", "created_at", "payload")
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def every_revision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here no database is a copy of one that was made before."""
    monkeypatch.setattr(database, "upgrade", upgrade.upgrade)


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    parsed = make_url(url)
    if parsed.get_backend_name() == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
    engine = create_engine(parsed)
    yield engine
    engine.dispose()


def test_the_revisions_make_the_tables_that_the_code_knows(accounts: Accounts, engine: Engine) -> None:
    accounts.workspaces()
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_the_newest_revision_is_the_one_that_start_up_looks_for() -> None:
    assert ScriptDirectory(str(upgrade._MIGRATIONS)).get_heads() == [NEWEST]


def test_a_database_from_before_there_were_revisions_is_taken_over_without_loss(
    accounts: Accounts, engine: Engine
) -> None:
    before = MetaData()
    workspaces.to_metadata(before)
    Table("change_sets", before, *(change_sets.c[name]._copy() for name in _FIRST_COLUMNS))
    before.create_all(engine)
    with engine.begin() as connection:
        connection.execute(workspaces.insert().values(graph=GRAPH, name="peps", label="Python's proposals"))
    assert accounts.workspaces() == (Workspace("peps", "Python's proposals"),)
    assert accounts.users.local().is_admin
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_what_answers_took_before_it_was_kept_apart_still_counts(
    accounts: Accounts, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from alembic import command

    real = command.upgrade
    with monkeypatch.context() as before:
        before.setattr(command, "upgrade", lambda config, _: real(config, "0002"))
        accounts.workspaces()
    with engine.begin() as connection:
        for statement in _EARLIER:
            connection.execute(text(statement))
    later = Accounts(accounts._database._engine.url.render_as_string(hide_password=False), GRAPH)
    (used,) = later.traces.usage()
    assert (used.user, used.model, used.cost, used.answers) == ("ada", "claude", 0.5, 1)
    assert used.day == date(2026, 11, 22)
    assert later.traces.spent("u", clock.parse_instant("2026-11-22")) == 0.5
    later.close()


def test_what_was_dismissed_before_keys_of_any_length_stays_dismissed(
    accounts: Accounts, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from alembic import command

    real = command.upgrade
    with monkeypatch.context() as before:
        before.setattr(command, "upgrade", lambda config, _: real(config, "0005"))
        accounts.workspaces()
    with engine.begin() as connection:
        connection.execute(text(f"INSERT INTO dismissals VALUES ('{GRAPH}', 'team', 'orphan', 'Zoë', NULL, {_AT})"))
    later = Accounts(accounts._database._engine.url.render_as_string(hide_password=False), GRAPH)
    assert [one.created_at for one in later.dismissals.of("team")] == [clock.parse_instant("2026-11-22T10:00:00Z")]
    later.dismissals.take_back("team", "orphan", ["Zoë"])
    assert later.dismissals.of("team") == ()
    later.close()


_AT = "'2026-11-22 10:00:00+00:00'"
_EARLIER = (
    f"INSERT INTO users VALUES ('u', '{GRAPH}', 'ada', '', false, NULL, {_AT}, NULL)",
    f"INSERT INTO conversations VALUES ('c', '{GRAPH}', 'u', 'team', 'T', 't', {_AT}, {_AT}, false)",
    *(
        "INSERT INTO messages (id, conversation_id, role, content, folded, created_at, state, blocks, sources, model,"
        f" effort, problem, hint, input_tokens, output_tokens, cost, ms, thumb, note) VALUES ('{role}', 'c', '{role}',"
        f" '', '', {_AT}, 'done', '[]', '[]', 'claude', '', '', '', 7, 1, 0.5, 0, 0, '')"
        for role in ("user", "assistant")
    ),
)


def test_a_database_of_a_later_version_is_left_alone(accounts: Accounts, engine: Engine) -> None:
    accounts.workspaces()
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    fresh = Accounts(accounts._database._engine.url.render_as_string(hide_password=False), GRAPH)
    with pytest.raises(AccountsUnavailable, match="later version"):
        fresh.workspaces()
    fresh.close()


def test_a_revision_that_fails_leaves_nothing_behind(
    accounts: Accounts, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from alembic import command

    with monkeypatch.context() as patched:
        real = command.upgrade

        def dies(*args: object) -> None:
            real(*args)  # type: ignore[arg-type]
            raise OSError("the disk is full")

        patched.setattr(command, "upgrade", dies)
        with pytest.raises(AccountsUnavailable):
            accounts.workspaces()
        found = MetaData()
        found.reflect(engine)
        assert list(found.tables) == []
    assert accounts.workspaces() == ()


_OPENS = """import sys
from services.accounts.store import Accounts
Accounts(*sys.argv[1:3]).rename(sys.argv[3], "label")
"""


@pytest.mark.slow
def test_processes_that_start_at_once_make_the_tables_once(url: str) -> None:
    processes = [subprocess.Popen([sys.executable, "-c", _OPENS, url, GRAPH, f"w{n}"], cwd=ROOT) for n in range(4)]
    assert [process.wait(timeout=60) for process in processes] == [0] * len(processes)
    accounts = Accounts(url, GRAPH)
    assert len(accounts.workspaces()) == len(processes)
    accounts.close()
