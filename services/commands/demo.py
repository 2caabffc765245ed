"""The command `demo`: load the demo into a workspace of its own."""

from typing import TYPE_CHECKING

from services.commands.base import Arguments, Run
from services.core.errors import BadInput
from services.core.json_documents import Document
from services.core.models import DEFAULT_WORKSPACE

if TYPE_CHECKING:
    from services.context import Services


class DemoArguments(Arguments):
    """The demo has a workspace of its own."""

    reset: bool = False


def demo(services: "Services", arguments: DemoArguments, run: Run) -> Document:
    """Load the demo into the workspace `peps`; with `reset`, empty that first."""
    from services.jobs.demo import WORKSPACE, load_demo
    from services.writing.importer import imported_document

    if arguments.workspace not in {DEFAULT_WORKSPACE, WORKSPACE}:
        raise BadInput(f"The demo has a workspace of its own, {WORKSPACE}.", "Leave the workspace out.")
    done = load_demo(services, run.progress, reset=arguments.reset, cancel=run.cancel)
    return {"workspace": WORKSPACE, **imported_document(done)}
