"""What services share: the settings, the loop, the graph, the accounts, the mirrors and the search indexes."""

import threading
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from services.accounts.store import Accounts
from services.core.bridge import AsyncBridge
from services.core.config import Settings
from services.core.errors import AccountsUnavailable, BadInput
from services.graph.store import GraphStore
from services.mirror.mirrors import Mirrors

if TYPE_CHECKING:
    from services.core.mirror_records import MirrorStatus
    from services.core.sql_draft import SqlDraft
    from services.mirror.mirror import Mirror
    from services.retrieval.embedder import Embedder
    from services.retrieval.indexes import Indexes
    from services.retrieval.query import Query
    from services.retrieval.search import Search, SearchResult

_opening = threading.Lock()


class Attached(Protocol):
    """A service of a package above, which has to be closed."""

    def close(self) -> None:
        """Let go of what it uses."""


@dataclass(frozen=True)
class Services:
    """The collaborators of everything that works on a graph. `graph` is a coroutine interface: go through `bridge`.

    `embedder` is the one of the settings where none is given. `write_sql` writes SQL for a question without a model,
    over a database or, where that is None, over all files; for what it does not read it returns no SQL.
    `forget_workspace` has packages above forget a workspace that is deleted; `add_tools`
    registers tools of theirs; `attached` are services of theirs, by name, which are closed before those that they
    stand on.
    """

    settings: Settings
    bridge: AsyncBridge
    graph: GraphStore
    accounts: Accounts
    mirrors: Mirrors
    embedder: "Embedder | None" = None
    write_sql: "Callable[[OpenWorkspace, str, str | None], SqlDraft] | None" = field(default=None, kw_only=True)
    forget_workspace: "Callable[[OpenWorkspace], None] | None" = field(default=None, kw_only=True)
    add_tools: "Callable[[], None]" = field(default=lambda: None, kw_only=True)
    attached: dict[str, Attached] = field(default_factory=dict, kw_only=True, compare=False)

    @property
    def indexes(self) -> "Indexes":
        """The search indexes. Raises `BadInput` where the settings name no embedder."""
        with _opening:  # the first page and the warm-up may ask at once
            return self._indexes

    @cached_property
    def _indexes(self) -> "Indexes":
        """Imported at first use, since what they stand on takes long to import."""
        from services.retrieval.indexes import Indexes

        return Indexes(self.mirrors, self.embedder or _embedder(self.settings, self.bridge))

    @property
    def search(self) -> "Search":
        """Search over facts, chunks and entities."""
        from services.retrieval.search import Search

        return Search(self.indexes)

    def workspace(self, name: str) -> "OpenWorkspace":
        """The services bound to the workspace of this name, whether there is one or not."""
        return OpenWorkspace(self, name)

    def close(self) -> None:
        """Stop following the graph, close the databases, stop the loop."""
        with ExitStack() as closing:  # whatever one of them raises, the others are closed, last to first
            closing.callback(self.bridge.close)
            closing.callback(self.accounts.close)
            closing.callback(lambda: self.bridge.run(self.graph.close()))
            closing.callback(self.mirrors.close)
            if "_indexes" in self.__dict__:
                closing.callback(self.indexes.close)
            for one in self.attached.values():
                closing.callback(one.close)


@dataclass(frozen=True, slots=True)
class OpenWorkspace:
    """One workspace and the services that work on it. `name` is the name that the graph knows it by."""

    services: Services
    name: str

    @property
    def settings(self) -> Settings:
        """The settings of the services."""
        return self.services.settings

    @property
    def graph(self) -> GraphStore:
        """The graph of all workspaces: its methods take `name`, and `run` waits for what they return."""
        return self.services.graph

    @property
    def accounts(self) -> Accounts:
        """The database of users, conversations, jobs and change-sets."""
        return self.services.accounts

    @property
    def mirror(self) -> "Mirror":
        """The workspace's tables, as far as they follow the graph. Raises `MirrorUnavailable`."""
        return self.services.mirrors.of(self.name)

    @property
    def status(self) -> "MirrorStatus":
        """How the workspace's mirror stands."""
        return self.services.mirrors.status(self.name)

    def run[T](self, work: Coroutine[Any, Any, T], timeout: float | None = None) -> T:
        """Wait for `work` on the loop of the services, for `timeout` seconds at most.

        Raises `GraphUnavailable` when the time is up.
        """
        return self.services.bridge.run(work, timeout)

    def ask_accounts[T](self, ask: Callable[[Accounts], T], otherwise: T) -> T:
        """Return what the accounts database answers, or `otherwise` while it is out of reach."""
        try:
            return ask(self.accounts)
        except AccountsUnavailable:
            return otherwise

    def search(self, query: "Query") -> "SearchResult":
        """Return the best hits for a query, as `Search.find` does."""
        return self.services.search.find(self.name, self.mirror, query)

    def sync(self) -> "MirrorStatus":
        """Bring the mirror in step with the graph now, and return how it stands."""
        return self.services.mirrors.sync(self.name)


def _embedder(chosen: Settings, bridge: AsyncBridge) -> "Embedder":
    """The embedder of the settings. Raises `BadInput` for one that there is not."""
    if chosen.embedder == "local":
        from services.retrieval.embedder import LocalEmbedder

        return LocalEmbedder()
    provider, _, model = chosen.embedder.partition(":")
    if provider == "onnx" and model:
        from services.retrieval.onnx_embedder import OnnxEmbedder

        return OnnxEmbedder(Path(model).expanduser().resolve())
    if provider not in ("openai", "voyage") or not model:
        raise BadInput(
            f"ASOF_EMBEDDER is not valid: “{chosen.embedder}”.",
            "Set it to local, onnx:FOLDER, openai:MODEL or voyage:MODEL.",
        )
    from services.graph.graphiti_embedder import GraphitiEmbedder

    return GraphitiEmbedder(bridge, provider, model, chosen.embedding_dimension)  # type: ignore[arg-type]
