"""Wires everything, once per process. Whoever needs a service asks `get_services()` for it."""

import sys
import threading
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from services.accounts.store import Accounts
from services.bridge import AsyncBridge
from services.config import Settings, settings
from services.errors import BadInput
from services.graph.connect import open_graph
from services.graph.store import GraphStore
from services.mirror.mirrors import Mirrors

if TYPE_CHECKING:
    from services.agent.turns import Turns
    from services.ingestion.jobs.queue import Jobs
    from services.retrieval.embedder import Embedder
    from services.retrieval.indexes import Indexes
    from services.retrieval.search import Search


_opening = threading.Lock()


@dataclass(frozen=True)
class Services:
    """The collaborators of pages, routes and commands. `graph` is a coroutine interface: go through `bridge`."""

    settings: Settings
    bridge: AsyncBridge
    graph: GraphStore
    accounts: Accounts
    mirrors: Mirrors

    @property
    def indexes(self) -> "Indexes":
        """The search indexes. Raises `BadInput` where the settings name no embedder."""
        with _opening:  # the first page and the warm-up may ask at once
            return self._indexes

    @cached_property
    def _indexes(self) -> "Indexes":
        """Imported at first use, since what they stand on takes long to import."""
        from services.retrieval.indexes import Indexes

        return Indexes(self.mirrors, _embedder(self.settings, self.bridge))

    @property
    def turns(self) -> "Turns":
        """The turns of conversations, which run on when their page is closed."""
        with _opening:
            return self._turns

    @cached_property
    def _turns(self) -> "Turns":
        from services.agent.turns import Turns

        return Turns(self)

    @property
    def jobs(self) -> "Jobs":
        """The jobs that feed the graph, which survive a restart."""
        with _opening:
            return self._jobs

    @cached_property
    def _jobs(self) -> "Jobs":
        from services.ingestion.jobs.queue import Jobs

        return Jobs(self)

    @property
    def search(self) -> "Search":
        """Search over facts, chunks and entities."""
        from services.retrieval.search import Search

        return Search(self.indexes)

    def close(self) -> None:
        """Stop following the graph, let go of the databases, stop the loop."""
        with ExitStack() as closing:  # whatever one of them throws, the others are closed, last to first
            closing.callback(self.bridge.close)
            closing.callback(self.accounts.close)
            closing.callback(lambda: self.bridge.run(self.graph.close()))
            closing.callback(self.mirrors.close)
            if "_indexes" in self.__dict__:
                closing.callback(self.indexes.close)
            if "_turns" in self.__dict__:
                closing.callback(self.turns.close)
            if "_jobs" in self.__dict__:
                closing.callback(self.jobs.close)


def build_services(chosen: Settings, *, graph: GraphStore | None = None) -> Services:
    """Services on `chosen` settings; tests pass a graph store of their own.

    An unreachable graph database is no error here: each call says so, and works again once it is back.
    """
    chosen.folder.mkdir(parents=True, exist_ok=True)
    bridge = AsyncBridge()
    graph = graph or open_graph(chosen)
    accounts = Accounts(chosen.accounts_url, chosen.graph_key)
    mirrors = Mirrors(chosen.folder / "mirror", graph, bridge)
    return Services(chosen, bridge, graph, accounts, mirrors)


def _embedder(chosen: Settings, bridge: AsyncBridge) -> "Embedder":
    """The embedder of the settings. Raises `BadInput` for one that there is not."""
    if chosen.embedder == "local":
        from services.retrieval.embedder import LocalEmbedder

        return LocalEmbedder()
    provider, _, model = chosen.embedder.partition(":")
    if provider not in ("openai", "voyage") or not model:
        raise BadInput(f"ASOF_EMBEDDER is “{chosen.embedder}”.", "Write local, openai:MODEL or voyage:MODEL.")
    from services.graph.graphiti_embedder import GraphitiEmbedder

    return GraphitiEmbedder(bridge, provider, model, chosen.embedding_dimension)  # type: ignore[arg-type]


_PIN = "asof.services"
_lock = threading.Lock()


def get_services() -> Services:
    """The services of this process, built at the first call.

    They are pinned on `sys`, since a hot reload evicts modules and would leave pages and routes with two copies.
    """
    with _lock:
        pinned: Services | None = getattr(sys, _PIN, None)
        if pinned is None:
            pinned = build_services(settings())
            setattr(sys, _PIN, pinned)
        return pinned


def close_services() -> None:
    """Close the services of this process, if any were built."""
    with _lock:
        pinned: Services | None = getattr(sys, _PIN, None)
        if pinned is not None:
            delattr(sys, _PIN)
            pinned.close()
