"""The accounts database on both back ends; PostgreSQL is a server of the tests' own, on a unix socket of theirs."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from services.accounts.account_records import User
from services.accounts.store import Accounts
from tests.fakes.postgres_server import postgres_on

GRAPH = "bolt://graph:7687"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The folder of a running server's socket."""
    with postgres_on() as folder:
        yield folder


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
