"""Wires everything, once per process."""

import threading
from functools import partial

from services.accounts.store import Accounts
from services.agent.app import App, pin, pinned
from services.context import OpenWorkspace
from services.core.bridge import AsyncBridge
from services.core.config import Settings, settings
from services.core.data_folder import make_private
from services.core.sql_draft import SqlDraft
from services.graph.connect import open_graph
from services.graph.store import GraphStore
from services.jobs.processor import Processors
from services.mirror.mirrors import Mirrors
from services.retrieval.embedder import Embedder
from services.writing.damage_check import check

_starting = threading.Lock()


def build_services(
    chosen: Settings,
    *,
    graph: GraphStore | None = None,
    embedder: Embedder | None = None,
    processors: Processors | None = None,
) -> App:
    """Everything on `chosen` settings; tests pass collaborators of their own.

    An unreachable graph database is no error here: each call says so, and works again once it is back.
    """
    make_private(chosen.folder)
    bridge = AsyncBridge()
    graph = graph or open_graph(chosen)
    accounts = Accounts(chosen.accounts_url, chosen.graph_key)
    mirrors = Mirrors(chosen.folder / "mirror", graph, bridge)
    app = App(
        chosen,
        bridge,
        graph,
        accounts,
        mirrors,
        embedder,
        processors,
        write_sql=_write_sql,
        forget_workspace=_forget,
        add_tools=_add_tools,
    )
    mirrors.check_before_reading(partial(check, app))
    return app


def _write_sql(workspace: OpenWorkspace, question: str, database: str | None) -> SqlDraft:
    """The analyst is imported when it is first asked: what it stands on takes long to import."""
    from services.analyst.sql_by_rules import write_sql

    return write_sql(workspace, question, database)


def _add_tools() -> None:
    """Register the tools that stand on packages above their registry, imported when somebody is first given any."""
    from services.tools.registry import add_tool
    from services.workflows.run_workflow_tool import RUN_WORKFLOW

    add_tool(RUN_WORKFLOW)


def _forget(workspace: OpenWorkspace) -> None:
    """Stop the runs of workflows in a workspace that is deleted, and forget their checkpoints."""
    from services.workflows.runs import workflow_runs

    workflow_runs(workspace.services).forget(workspace.name)


def start_services() -> App:
    """The services of this process, built at the first call from the settings of the environment."""
    with _starting:
        app = pinned()
        if app is None:
            app = build_services(settings())
            pin(app)
        return app


def close_services() -> None:
    """Close the services of this process, if any were built."""
    with _starting:
        app = pinned()
        if app is not None:
            pin(None)
            app.close()
