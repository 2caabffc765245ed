"""The accounts database on both back ends; PostgreSQL is a server of the tests' own, on a unix socket of theirs."""

import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from services.accounts.account_records import User
from services.accounts.store import Accounts

GRAPH = "bolt://graph:7687"

_DEBIAN = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


def _binary(name: str) -> str | None:
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *map(str, _DEBIAN)]))


def _server_user() -> str | None:
    """PostgreSQL refuses to run as root; Debian's package brings a user for it."""
    if os.geteuid() != 0:
        return None
    return "postgres" if any(user.pw_name == "postgres" for user in pwd.getpwall()) else "nobody"


def _run(user: str | None, *command: str) -> None:
    subprocess.run(command, check=True, user=user, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, cwd="/")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The folder of a running server's socket."""
    initdb, control = _binary("initdb"), _binary("pg_ctl")
    if initdb is None or control is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql)")
    user = _server_user()
    with tempfile.TemporaryDirectory(prefix="asof-pg-", ignore_cleanup_errors=True) as folder:
        if user:
            shutil.chown(folder, user)
        data = f"{folder}/data"
        _run(user, initdb, "-D", data, "-U", "asof", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        options = f"-k {folder} -c listen_addresses='' -c fsync=off"
        _run(user, control, "-D", data, "-l", f"{folder}/log", "-o", options, "-w", "start")
        try:
            yield folder
        finally:
            _run(user, control, "-D", data, "-m", "immediate", "-w", "stop")


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """An empty database of that server."""
    name = f"test_{uuid.uuid4().hex}"
    engine = create_engine(f"postgresql+psycopg://asof@/postgres?host={postgres_server}", isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f'CREATE DATABASE "{name}"'))
    engine.dispose()
    return f"postgresql://asof@/{name}?host={postgres_server}"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty accounts database, on either back end."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'accounts.db'}"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def accounts(url: str) -> Iterator[Accounts]:
    store = Accounts(url, GRAPH)
    yield store
    store.close()


@pytest.fixture
def ada(accounts: Accounts) -> User:
    return accounts.users.add("ada")


@pytest.fixture
def bob(accounts: Accounts) -> User:
    return accounts.users.add("bob")
