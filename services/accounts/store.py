"""What is kept about a graph beside it: labels of workspaces, synonyms, change-sets; and users with what they asked."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any

from sqlalchemy import delete, select

from services.accounts.cases import Cases
from services.accounts.change_sets import ChangeSets
from services.accounts.changes_seen import ChangesSeen
from services.accounts.client_proposals import ProposedCalls
from services.accounts.client_tables import changes_seen, proposed_calls
from services.accounts.client_tokens import Tokens
from services.accounts.conversations import Conversations
from services.accounts.database import Database, Store
from services.accounts.dismissals import Dismissals
from services.accounts.extraction_state import Readings, Schemas
from services.accounts.jobs import JobStore
from services.accounts.pending_calls import PendingCalls
from services.accounts.saved_queries import SavedQueries
from services.accounts.schema import (
    cases,
    change_sets,
    conversations,
    dismissals,
    grants,
    jobs,
    pending,
    readings,
    saved_queries,
    schemas,
    synonyms,
    user_marks,
    users,
    workspaces,
)
from services.accounts.sign_in import SignIn
from services.accounts.signed_tokens import SignedTokens
from services.accounts.traces import Traces
from services.accounts.unfinished_items import UnfinishedItems
from services.accounts.uploads import Uploads
from services.accounts.user_marks import UserMarks
from services.accounts.users import Users
from services.accounts.workflow_definitions import WorkflowDefinitions
from services.accounts.workflow_runs import WorkflowRunStore
from services.accounts.workflow_tables import workflow_definitions, workflow_runs
from services.core.errors import BadInput
from services.core.models import Workspace


class Accounts(Store):
    """What is kept about one graph in the accounts database, opened at its first use. Any thread may call any method.

    `graph` tells graphs apart: workspaces of the same name in two graphs are two workspaces. Every method raises
    `AccountsUnavailable` when the database cannot be reached or refuses.
    """

    def __init__(self, url: str, graph: str) -> None:
        super().__init__(Database(url, graph))
        self.users = Users(self._database)
        self.marks = UserMarks(self._database)
        self.sign_in = SignIn(self._database)
        self.tokens = Tokens(self._database)
        self.signed_tokens = SignedTokens(self._database)
        self.proposed_calls = ProposedCalls(self._database)
        self.changes_seen = ChangesSeen(self._database)
        self.conversations = Conversations(self._database)
        self.traces = Traces(self._database)
        self.cases = Cases(self._database)
        self.uploads = Uploads(self._database)
        self.pending_calls = PendingCalls(self._database)
        self.jobs = JobStore(self._database)
        self.change_sets = ChangeSets(self._database)
        self.schemas = Schemas(self._database)
        self.readings = Readings(self._database)
        self.dismissals = Dismissals(self._database)
        self.unfinished = UnfinishedItems(self._database)
        self.saved_queries = SavedQueries(self._database)
        self.workflow_definitions = WorkflowDefinitions(self._database)
        self.workflow_runs = WorkflowRunStore(self._database)

    @property
    def address(self) -> str:
        """Where the database is, for people to read; never with a password."""
        return self._database.address

    def close(self) -> None:
        """Let go of the connections."""
        self.tokens.close()
        self.conversations.close()
        self._database.close()

    # -- labels of workspaces

    def workspaces(self) -> tuple[Workspace, ...]:
        """The workspaces that were given a label, by label."""
        ours = select(workspaces.c.name, workspaces.c.label).where(*self._of(workspaces))
        return tuple(sorted(self._database.all(ours, Workspace), key=lambda w: (w.label.lower(), w.name)))

    def add(self, name: str, label: str) -> None:
        """Remember a new workspace. Raises `BadInput` when one of that name is known already."""
        statement = self._database.insert(workspaces).values(graph=self._database.graph, name=name, label=label)
        if not self._database.run(statement.on_conflict_do_nothing()):
            raise BadInput(f"A workspace named “{name}” already exists.", "Choose another name.")

    def rename(self, name: str, label: str) -> None:
        """Give a workspace a label, whether it had one or not; its name in the graph stays."""
        row = {"graph": self._database.graph, "name": name, "label": label}
        self._database.put(workspaces, row, ["graph", "name"])

    def remove(self, name: str) -> None:
        """Forget everything that is kept about a workspace; nothing happens to the graph."""
        with self._database.transaction() as connection:
            for table in (
                workspaces,
                change_sets,
                conversations,
                cases,
                synonyms,
                jobs,
                schemas,
                readings,
                pending,
                proposed_calls,
                changes_seen,
                dismissals,
                user_marks,
                saved_queries,
                workflow_definitions,
                workflow_runs,
            ):
                column = table.c.name if table is workspaces else table.c.workspace
                connection.execute(delete(table).where(*self._of(table), column == name))
            ours = select(users.c.id).where(*self._of(users))
            connection.execute(delete(grants).where(grants.c.workspace == name, grants.c.user_id.in_(ours)))

    # -- synonyms

    def synonyms(self, workspace: str) -> dict[str, dict[str, list[str]]]:
        """Other words for a workspace's types and relations: `{"types": {name: [word, …]}, "relations": {…}}`."""
        asked = select(synonyms.c.document).where(*self._of(synonyms, workspace))
        kept: dict[str, Any] = self._database.scalar(asked) or {}
        return {kind: kept.get(kind, {}) for kind in ("types", "relations")}

    def set_synonyms(self, workspace: str, declared: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
        """Declare other words for types and relations, by the names that the graph has for them.

        Raises `BadInput` where `declared` is anything else than what `synonyms` gives.
        """
        row = {"graph": self._database.graph, "workspace": workspace, "document": _checked(declared)}
        self._database.put(synonyms, row, ["graph", "workspace"])

    # -- who writes

    @contextmanager
    def writer_lock(self, workspace: str) -> Iterator[Callable[[], bool]]:
        """The lock of a workspace's one writer, as a function that tries once to take it; let go with the block."""
        with closing(self._database.lock(workspace)) as lock:
            yield lock.take


def _checked(declared: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[str, dict[str, list[str]]]:
    if strangers := declared.keys() - {"types", "relations"}:
        raise BadInput(f"You can set synonyms only for types and relations, not for {', '.join(sorted(strangers))}.")
    checked: dict[str, dict[str, list[str]]] = {}
    for kind, names in declared.items():
        for name, words in names.items():
            if isinstance(words, str) or not all(isinstance(word, str) and word.strip() for word in words):
                raise BadInput(
                    f"The synonyms of “{name}” must be a list of words.", 'Write the synonyms as ["word", …].'
                )
        checked[kind] = {name: [word.strip() for word in words] for name, words in names.items()}
    return checked
