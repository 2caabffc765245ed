"""What the Workflows page adds to the view: the workflow, the run of it, and what of the run is looked at."""

from dataclasses import dataclass
from typing import Annotated, Any

from components import state
from components.address import FLAG, AddressPart, Parameter, View


@dataclass(frozen=True, slots=True)
class WorkflowsView(AddressPart):
    """A workflow, "" for the built-in one, or a run, perhaps beside the run before it. `step` is the open step of a run
    or node of a workflow; where `is_edited` the workflow is edited, and "" is a new one."""

    workflow: Annotated[str, Parameter("workflow")] = ""
    run: Annotated[str | None, Parameter("run")] = None
    before: Annotated[str | None, Parameter("before")] = None
    step: Annotated[str | None, Parameter("step")] = None
    is_edited: Annotated[bool, Parameter("edit", FLAG)] = False


def look_at(workflow: str = "", **changes: Any) -> None:
    """Look at a workflow or a run, with nothing of another one open; for callbacks."""
    state.update(WorkflowsView, **_fields(workflow) | changes)


def there(view: View, workflow: str = "", **changes: Any) -> View:
    """Return the view of a workflow or a run, with nothing of another one open; for links."""
    return view.changed(WorkflowsView, **_fields(workflow) | changes)


def _fields(workflow: str) -> dict[str, Any]:
    """Return every field of the view, all but the workflow at their defaults."""
    return {"workflow": workflow, "run": None, "before": None, "step": None, "is_edited": False}
