"""What is kept about a graph beside it: labels of workspaces, synonyms, change-sets; and users with what they asked."""

import uuid
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, delete, select, update

from services import clock
from services.accounts.cases import Cases
from services.accounts.conversations import Conversations
from services.accounts.database import Database
from services.accounts.schema import cases, change_sets, conversations, grants, synonyms, users, workspaces
from services.accounts.sign_in import SignIn
from services.accounts.traces import Traces
from services.accounts.users import Users
from services.errors import BadInput
from services.models import Workspace

ChangeSetState = Literal["writing", "done", "undone"]

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
        self._database = Database(url, graph)
        self.users = Users(self._database)
        self.sign_in = SignIn(self._database)
        self.conversations = Conversations(self._database)
        self.traces = Traces(self._database)
        self.cases = Cases(self._database)

    @property
    def address(self) -> str:
        """Where the database is, for people to read; never with a password."""
        return self._database.address

    def close(self) -> None:
        """Let go of the connections."""
        self.conversations.close()
        self._database.close()

    # -- labels of workspaces

    def workspaces(self) -> tuple[Workspace, ...]:
        """The workspaces that were given a label, by label."""
        with self._database.transaction() as connection:
            ours = select(workspaces.c.name, workspaces.c.label).where(workspaces.c.graph == self._graph)
            rows = connection.execute(ours).all()
        return tuple(sorted((Workspace(row.name, row.label) for row in rows), key=lambda w: (w.label.lower(), w.name)))

    def add(self, name: str, label: str) -> None:
        """Remember a new workspace. Raises `BadInput` when one of that name is known already."""
        with self._database.transaction() as connection:
            statement = (
                self._database.insert(workspaces)
                .values(graph=self._graph, name=name, label=label)
                .on_conflict_do_nothing()
            )
            added = connection.execute(statement.returning(workspaces.c.name)).first()
        if added is None:
            raise BadInput(f"There is a workspace “{name}” already.", "Choose another name.")

    def rename(self, name: str, label: str) -> None:
        """Give a workspace a label, whether it had one or not; its name in the graph stays."""
        statement = self._database.insert(workspaces).values(graph=self._graph, name=name, label=label)
        with self._database.transaction() as connection:
            connection.execute(statement.on_conflict_do_update(index_elements=["graph", "name"], set_={"label": label}))

    def remove(self, name: str) -> None:
        """Forget everything that is kept about a workspace; nothing happens to the graph."""
        with self._database.transaction() as connection:
            for table in (workspaces, change_sets, conversations, cases, synonyms):
                column = table.c.name if table is workspaces else table.c.workspace
                connection.execute(delete(table).where(table.c.graph == self._graph, column == name))
            ours = select(users.c.id).where(users.c.graph == self._graph)
            connection.execute(delete(grants).where(grants.c.workspace == name, grants.c.user_id.in_(ours)))

    # -- synonyms

    def synonyms(self, workspace: str) -> dict[str, dict[str, list[str]]]:
        """Other words for a workspace's types and relations: `{"types": {name: [word, …]}, "relations": {…}}`."""
        asked = select(synonyms.c.document).where(synonyms.c.graph == self._graph, synonyms.c.workspace == workspace)
        with self._database.transaction() as connection:
            kept: dict[str, Any] = connection.scalar(asked) or {}
        return {kind: kept.get(kind, {}) for kind in ("types", "relations")}

    def set_synonyms(self, workspace: str, declared: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
        """Declare other words for types and relations, by the names that the graph has for them.

        Raises `BadInput` where `declared` is anything else than what `synonyms` gives.
        """
        document = _checked(declared)
        statement = self._database.insert(synonyms).values(graph=self._graph, workspace=workspace, document=document)
        with self._database.transaction() as connection:
            connection.execute(
                statement.on_conflict_do_update(index_elements=["graph", "workspace"], set_={"document": document})
            )

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
        with self._database.transaction() as connection:
            connection.execute(self._database.insert(change_sets).values(row))
        return change_set_id

    def finish_change_set(self, change_set_id: str, state: Literal["done", "undone"]) -> bool:
        """Record that a write is in the graph whole ("done") or not at all ("undone").

        False where it is not done, since it was undone before: whoever lost the writer lock learns so here.
        """
        one = [change_sets.c.id == change_set_id]
        if state == "done":
            one.append(change_sets.c.state == "writing")
        with self._database.transaction() as connection:
            return connection.execute(update(change_sets).where(*one).values(state=state)).rowcount == 1

    def unfinished_change_sets(self, workspace: str | None = None) -> tuple[ChangeSetRecord, ...]:
        """Writes that were begun and never finished, newest first: the order in which to undo them.

        Only who holds the writer lock knows that what is unfinished in a workspace was left by a crash.
        """
        columns = [change_sets.c[field.name] for field in fields(ChangeSetRecord)]
        newest_first = select(*columns).where(*self._unfinished(workspace)).order_by(change_sets.c.created_at.desc())
        with self._database.transaction() as connection:
            rows = connection.execute(newest_first).mappings().all()
        return tuple(ChangeSetRecord(**{**row, "payload": zlib.decompress(row["payload"])}) for row in rows)

    def forget_unfinished(self, workspace: str) -> None:
        """Record that nothing is left to undo in a workspace: it was emptied."""
        with self._database.transaction() as connection:
            connection.execute(update(change_sets).where(*self._unfinished(workspace)).values(state="undone"))

    def _unfinished(self, workspace: str | None) -> list[ColumnElement[bool]]:
        conditions = [change_sets.c.graph == self._graph, change_sets.c.state == "writing"]
        return conditions if workspace is None else [*conditions, change_sets.c.workspace == workspace]

    # -- who writes

    @contextmanager
    def writer_lock(self, workspace: str) -> Iterator[Callable[[], bool]]:
        """The lock of a workspace's one writer, as a function that tries once to take it; let go with the block."""
        with closing(self._database.lock(workspace)) as lock:

            def take() -> bool:
                with self._database.translated():
                    return lock.take()

            yield take


def _checked(declared: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[str, dict[str, list[str]]]:
    if strangers := declared.keys() - {"types", "relations"}:
        raise BadInput(f"Synonyms are of types and of relations, not of {', '.join(sorted(strangers))}.")
    checked: dict[str, dict[str, list[str]]] = {}
    for kind, names in declared.items():
        for name, words in names.items():
            if isinstance(words, str) or not all(isinstance(word, str) and word.strip() for word in words):
                raise BadInput(f"The synonyms of “{name}” are no list of words.", "Write them as [“word”, …].")
        checked[kind] = {name: [word.strip() for word in words] for name, words in names.items()}
    return checked
