"""Workspaces: partitions of one graph, each with a name that never changes and a label that people read.

What the graph holds, what has a label and what has a mirror are three sources; together they are the list.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from services.context import OpenWorkspace, Services
from services.core.errors import AccountsUnavailable, BadInput, GraphUnavailable, WriteFailed
from services.core.models import DEFAULT_WORKSPACE, Counts, Workspace
from services.sql.snapshots import delete_snapshots
from services.sql.warehouse import warehouse
from services.writing.change_sets import clear
from services.writing.locks import writer_if_free

DEFAULT_LABEL = "Default workspace"
_PATIENCE = 60.0
"""Seconds that the graph may take to be counted."""
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def listed(services: Services) -> tuple[Workspace, ...]:
    """Every workspace, the default one first, then by label.

    With the graph down those that have a label or a mirror, with the accounts database down by their names in the
    graph.
    """
    try:
        labels = {w.name: w.label for w in services.accounts.workspaces()}
    except AccountsUnavailable:
        labels = {}
    default = services.graph.default_workspace
    try:
        held = services.bridge.run(services.graph.workspaces())
    except GraphUnavailable:
        held = services.mirrors.named_files()
    names = {default, *held, *labels}
    found = [Workspace(name, labels.get(name) or (DEFAULT_LABEL if name == default else name)) for name in names]
    return tuple(sorted(found, key=lambda w: (w.name != default, w.label.lower(), w.name)))


def home(services: Services) -> str:
    """The name of the workspace to start with: the default one, or the first that holds facts when that is empty."""
    names = [workspace.name for workspace in listed(services)]
    return next((name for name in names if _facts(services.workspace(name))), names[0])


def _facts(workspace: OpenWorkspace) -> int:
    """How many facts there are; with the graph down, how many the mirror has."""
    return (counts(workspace) or workspace.status.counts).facts


def with_counts(services: Services) -> tuple[tuple[Workspace, Counts | None], ...]:
    """Every workspace with its counts, asked of the graph itself; None where that does not answer."""
    return tuple((workspace, counts(services.workspace(workspace.name))) for workspace in listed(services))


def counts(workspace: OpenWorkspace) -> Counts | None:
    """What the graph holds in a workspace; None when it cannot be reached."""
    try:
        return workspace.run(workspace.graph.watermark(workspace.name), _PATIENCE).counts
    except GraphUnavailable:
        return None


def create(services: Services, name: str, label: str) -> Workspace:
    """Add an empty workspace.

    Raises `BadInput` when the name cannot be one, or is taken.
    """
    name, label = name.strip(), label.strip()
    if not _NAME.fullmatch(name):
        raise BadInput(
            f"“{name}” is not a valid workspace name.",
            "Use 1 to 64 letters, digits, hyphens and underscores; the label may be any text.",
        )
    if name == DEFAULT_WORKSPACE:
        raise BadInput(f"The database itself uses the name “{DEFAULT_WORKSPACE}”.", "Choose another name.")
    if any(w.name == name for w in listed(services)):
        raise BadInput(f"A workspace named “{name}” already exists.", "Choose another name.")
    services.accounts.add(name, label or name)
    return Workspace(name, label or name)


def rename(workspace: OpenWorkspace, label: str) -> None:
    """Give a workspace another label; its name in the graph stays.

    Raises `BadInput` for an empty label.
    """
    if not label.strip():
        raise BadInput("A label cannot be empty.", "Enter a label.")
    workspace.accounts.rename(workspace.name, label.strip())


def empty(workspace: OpenWorkspace) -> None:
    """Delete everything in a workspace, from the graph and from its mirror; its label stays.

    Raises `WriteFailed` while something writes to it.
    """
    with _cleared(workspace):
        workspace.sync()
        delete_snapshots(workspace)


def delete(workspace: OpenWorkspace) -> None:
    """Delete a workspace with everything in it, its mirror, its databases and its label.

    Raises `BadInput` for the database's default workspace, which can be emptied only, and `WriteFailed` while
    something writes to it.
    """
    if workspace.name == workspace.graph.default_workspace:
        raise BadInput("You cannot delete the default workspace.", "Empty the workspace instead.")
    with _cleared(workspace):
        workspace.services.mirrors.drop(workspace.name)
        warehouse(workspace).remove_all(workspace.name)
        if workspace.services.forget_workspace is not None:
            workspace.services.forget_workspace(workspace)
        workspace.accounts.remove(workspace.name)


@contextmanager
def _cleared(workspace: OpenWorkspace) -> Iterator[None]:
    """Nothing is in the graph's part of the workspace, and nobody writes to it for the block."""
    with writer_if_free(workspace.accounts, workspace.name) as free:
        if not free:
            problem = f"Nothing was deleted: another write to “{workspace.name}” is under way."
            raise WriteFailed(problem, "Stop that write, or wait until it is complete.")
        clear(workspace)
        yield
