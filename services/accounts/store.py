"""Labels of workspaces and the change-sets of our own writes, in SQLite or PostgreSQL."""

import threading
import uuid
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Table,
    create_engine,
    delete,
    event,
    make_url,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from services import clock
from services.accounts.locks import AdvisoryLock, FileLock, WriterLock
from services.accounts.schema import change_sets, metadata, workspaces
from services.errors import AccountsUnavailable, BadInput
from services.models import Workspace

ChangeSetState = Literal["writing", "done", "undone"]

_PATIENCE = 10  # seconds for a server to take a connection; without a limit that is minutes
_FAST = 1  # zlib's level: before-images compress well enough, and a bulk write waits for them


@dataclass(frozen=True, slots=True)
class ChangeSetRecord:
    """One write of ours. `payload` is what its writer gave: enough to put back what was there before."""

    id: str
    workspace: str
    title: str
    state: ChangeSetState
    created_at: datetime
    payload: bytes


class Accounts:
    """What is kept about one graph in the accounts database, opened at its first use. Any thread may call any method.

    `graph` tells graphs apart: workspaces of the same name in two graphs are two workspaces. Every method raises
    `AccountsUnavailable` when the database cannot be reached or refuses.
    """

    def __init__(self, url: str, graph: str) -> None:
        self._graph = graph
        self._engine = _engine(url)
        self._lock = threading.Lock()
        self._has_tables = False

    @property
    def address(self) -> str:
        """Where the database is, for people to read; never with a password."""
        return self._engine.url.render_as_string(hide_password=True)

    def close(self) -> None:
        """Let go of the connections."""
        self._engine.dispose()

    # -- labels of workspaces

    def workspaces(self) -> tuple[Workspace, ...]:
        """The workspaces that were given a label, by label."""
        with self._transaction() as connection:
            ours = select(workspaces.c.name, workspaces.c.label).where(workspaces.c.graph == self._graph)
            rows = connection.execute(ours).all()
        return tuple(sorted((Workspace(row.name, row.label) for row in rows), key=lambda w: (w.label.lower(), w.name)))

    def add(self, name: str, label: str) -> None:
        """Remember a new workspace. Raises `BadInput` when one of that name is known already."""
        with self._transaction() as connection:
            statement = (
                self._insert(workspaces).values(graph=self._graph, name=name, label=label).on_conflict_do_nothing()
            )
            added = connection.execute(statement.returning(workspaces.c.name)).first()
        if added is None:
            raise BadInput(f"There is a workspace “{name}” already.", "Choose another name.")

    def rename(self, name: str, label: str) -> None:
        """Give a workspace a label, whether it had one or not; its name in the graph stays."""
        statement = self._insert(workspaces).values(graph=self._graph, name=name, label=label)
        with self._transaction() as connection:
            connection.execute(statement.on_conflict_do_update(index_elements=["graph", "name"], set_={"label": label}))

    def remove(self, name: str) -> None:
        """Forget a workspace's label and its change-sets; nothing happens to the graph."""
        with self._transaction() as connection:
            for table, column in ((workspaces, workspaces.c.name), (change_sets, change_sets.c.workspace)):
                connection.execute(delete(table).where(table.c.graph == self._graph, column == name))

    # -- change-sets

    def begin_change_set(self, workspace: str, title: str, payload: bytes) -> str:
        """Record that a write starts, with what would undo it; returns the change-set's id."""
        change_set_id = str(uuid.uuid4())
        row = {
            "id": change_set_id,
            "graph": self._graph,
            "workspace": workspace,
            "title": title,
            "state": "writing",
            "created_at": clock.now(),
            "payload": zlib.compress(payload, _FAST),
        }
        with self._transaction() as connection:
            connection.execute(self._insert(change_sets).values(row))
        return change_set_id

    def finish_change_set(self, change_set_id: str, state: Literal["done", "undone"]) -> bool:
        """Record that a write is in the graph whole ("done") or not at all ("undone").

        False where it is not done, since it was undone before: whoever lost the writer lock learns so here.
        """
        one = [change_sets.c.id == change_set_id]
        if state == "done":
            one.append(change_sets.c.state == "writing")
        with self._transaction() as connection:
            return connection.execute(update(change_sets).where(*one).values(state=state)).rowcount == 1

    def unfinished_change_sets(self, workspace: str | None = None) -> tuple[ChangeSetRecord, ...]:
        """Writes that were begun and never finished, newest first: the order in which to undo them.

        Only who holds the writer lock knows that what is unfinished in a workspace was left by a crash.
        """
        columns = [change_sets.c[field.name] for field in fields(ChangeSetRecord)]
        newest_first = select(*columns).where(*self._unfinished(workspace)).order_by(change_sets.c.created_at.desc())
        with self._transaction() as connection:
            rows = connection.execute(newest_first).mappings().all()
        return tuple(ChangeSetRecord(**{**row, "payload": zlib.decompress(row["payload"])}) for row in rows)

    def forget_unfinished(self, workspace: str) -> None:
        """Record that nothing is left to undo in a workspace: it was emptied."""
        with self._transaction() as connection:
            connection.execute(update(change_sets).where(*self._unfinished(workspace)).values(state="undone"))

    def _unfinished(self, workspace: str | None) -> list[ColumnElement[bool]]:
        conditions = [change_sets.c.graph == self._graph, change_sets.c.state == "writing"]
        return conditions if workspace is None else [*conditions, change_sets.c.workspace == workspace]

    # -- who writes

    @contextmanager
    def writer_lock(self, workspace: str) -> Iterator[Callable[[], bool]]:
        """The lock of a workspace's one writer, as a function that tries once to take it; let go with the block."""
        with self._translated():
            lock = self._lock_of(workspace)
        with closing(lock):

            def take() -> bool:
                with self._translated():
                    return lock.take()

            yield take

    def _lock_of(self, workspace: str) -> WriterLock:
        name = f"{self._graph}\0{workspace}"
        if self._engine.dialect.name == "postgresql":
            return AdvisoryLock(self._engine, name)
        return FileLock(Path(self._engine.url.database or "").absolute().parent / "locks", name)

    def _insert(self, table: Table) -> postgresql.Insert | sqlite.Insert:
        """An insert that can say what happens when the row is there already: each dialect has its own class."""
        return postgresql.insert(table) if self._engine.dialect.name == "postgresql" else sqlite.insert(table)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """All of a block or nothing."""
        with self._translated():
            self._create_tables()
            with self._engine.begin() as connection:
                yield connection

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """The database's faults in words of ours."""
        try:
            yield
        except (SQLAlchemyError, OSError) as error:
            raise AccountsUnavailable(
                f"The accounts database at {self.address} cannot be used.",
                "Check ASOF_DATABASE_URL, and that its server runs or its folder can be written.",
            ) from error

    def _create_tables(self) -> None:
        with self._lock:
            if not self._has_tables:
                metadata.create_all(self._engine)
                self._has_tables = True


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        if parsed.drivername in {"postgres", "postgresql"}:
            parsed = parsed.set(drivername="postgresql+psycopg")
        patience = {} if "connect_timeout" in parsed.query else {"connect_timeout": _PATIENCE}
        server = parsed.get_backend_name() == "postgresql"
        engine = create_engine(parsed, pool_pre_ping=True, connect_args=patience if server else {})
    except (SQLAlchemyError, ImportError) as error:
        raise BadInput("ASOF_DATABASE_URL cannot be used.", "Write it as postgresql://user@host/database.") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """Readers beside a writer, and a writer that waits for another one."""
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "busy_timeout = 10000"):
        connection.execute(f"PRAGMA {pragma}")
