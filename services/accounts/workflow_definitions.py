"""Workflows that were saved in a workspace, by name."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, select

from services.accounts.database import Store, row_of
from services.accounts.workflow_tables import workflow_definitions
from services.core import clock


@dataclass(frozen=True, slots=True)
class SavedWorkflow:
    """A workflow's JSON under its name. `user_id` is whose it is, None without accounts."""

    name: str
    document: Mapping[str, Any]
    user_id: str | None
    created_at: datetime
    updated_at: datetime


_COLUMNS = tuple(workflow_definitions.c[part.name] for part in fields(SavedWorkflow))


class WorkflowDefinitions(Store):
    """The saved workflows of one graph's workspaces. Who saves one has checked it."""

    def of(self, workspace: str) -> tuple[SavedWorkflow, ...]:
        """Return the workflows of a workspace, by name."""
        asked = select(*_COLUMNS).where(*self._of(workflow_definitions, workspace))
        return self._database.all(asked.order_by(workflow_definitions.c.name), SavedWorkflow)

    def get(self, workspace: str, name: str) -> SavedWorkflow | None:
        """Return the workflow of a name; None where there is none."""
        return self._database.first(select(*_COLUMNS).where(*self._one(workspace, name)), SavedWorkflow)

    def save(self, workspace: str, document: Mapping[str, Any], user_id: str | None = None) -> SavedWorkflow:
        """Keep a workflow in the place of one of its name."""
        now, known = clock.now(), self.get(workspace, document["name"])
        created = known.created_at if known else now
        saved = SavedWorkflow(document["name"], document, known.user_id if known else user_id, created, now)
        row = {"graph": self._database.graph, "workspace": workspace, **row_of(saved)}
        self._database.put(workflow_definitions, row, ["graph", "workspace", "name"])
        return saved

    def delete(self, workspace: str, name: str) -> bool:
        """Forget a workflow, but not its runs; False where there was none."""
        return bool(self._database.run(delete(workflow_definitions).where(*self._one(workspace, name))))

    def _one(self, workspace: str, name: str) -> tuple[ColumnElement[bool], ...]:
        return (*self._of(workflow_definitions, workspace), workflow_definitions.c.name == name)
