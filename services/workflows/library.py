"""The workflows of a workspace: the built-in one, and those that were saved under their names."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from services.context import OpenWorkspace
from services.core.errors import BadInput
from services.workflows.definition import WorkflowDefinition, definition_document
from services.workflows.validation import read_definition

_DEFAULT = Path(__file__).parent / "default_workflow.json"
DEFAULT_NAME = "Default News Reporter Workflow"


@dataclass(frozen=True, slots=True)
class WorkflowEntry:
    """A workflow of the list. The built-in one is nobody's, and cannot be changed."""

    name: str
    definition: WorkflowDefinition
    is_builtin: bool = False
    updated_at: datetime | None = None


@cache
def builtin_workflow() -> WorkflowDefinition:
    """Return the built-in workflow: from a question to a reviewed report."""
    return read_definition(json.loads(_DEFAULT.read_text(encoding="utf-8")))


def list_workflows(workspace: OpenWorkspace) -> tuple[WorkflowEntry, ...]:
    """Return the workflows of a workspace, the built-in one first, then by name."""
    kept = workspace.accounts.workflow_definitions.of(workspace.name)
    saved = (WorkflowEntry(one.name, read_definition(one.document), updated_at=one.updated_at) for one in kept)
    return (WorkflowEntry(DEFAULT_NAME, builtin_workflow(), is_builtin=True), *saved)


def find_workflow(workspace: OpenWorkspace, name: str) -> WorkflowDefinition:
    """Return the workflow of a name; "default" is the built-in one. Raises `BadInput` where there is none."""
    if name in ("default", DEFAULT_NAME):
        return builtin_workflow()
    found = workspace.accounts.workflow_definitions.get(workspace.name, name)
    if found is None:
        names = ", ".join(entry.name for entry in list_workflows(workspace))
        raise BadInput(f"There is no workflow “{name}”.", f"Available: {names}.")
    return read_definition(found.document)


def save_workflow(
    workspace: OpenWorkspace, document: Mapping[str, Any], user_id: str | None = None
) -> WorkflowDefinition:
    """Keep a workflow in the place of one of its name.

    Raises `BadInput` for a document that is none, and for the name of the built-in one.
    """
    found = read_definition(document)
    if found.name in ("default", DEFAULT_NAME):
        raise BadInput("name: this is the name of the built-in workflow.", "Choose another name.")
    workspace.accounts.workflow_definitions.save(workspace.name, definition_document(found), user_id)
    return found


def duplicate_workflow(workspace: OpenWorkspace, name: str, user_id: str | None = None) -> WorkflowDefinition:
    """Save a copy of a workflow under a name that is free."""
    found, taken = find_workflow(workspace, name), {entry.name for entry in list_workflows(workspace)}
    names = (f"{found.name} (copy{'' if n == 1 else f' {n}'})" for n in range(1, len(taken) + 2))
    free = next(one for one in names if one not in taken)
    return save_workflow(workspace, definition_document(replace(found, name=free)), user_id)


def delete_workflow(workspace: OpenWorkspace, name: str) -> None:
    """Forget a saved workflow; its runs stay. Raises `BadInput` where there is none."""
    if not workspace.accounts.workflow_definitions.delete(workspace.name, name):
        raise BadInput(f"There is no saved workflow “{name}”.", "Someone may have deleted it.")
