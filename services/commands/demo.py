"""`demo`: load the demo into a workspace of its own."""

from typing import TYPE_CHECKING, Annotated

from services.commands.arguments import Arguments, Request, Run, option
from services.commands.command import Command, Terminal
from services.commands.import_facts import imported_text
from services.core.errors import BadInput
from services.core.json_documents import Json
from services.core.models import DEFAULT_WORKSPACE

if TYPE_CHECKING:
    from services.context import Services


class DemoArguments(Arguments):
    """The demo has a workspace of its own."""

    reset: Annotated[bool, option(help="empty the workspace first")] = False


def demo(services: "Services", arguments: DemoArguments, run: Run) -> Json:
    """Load the demo into the workspace `peps`; with `reset`, empty that first."""
    from services.jobs.demo import WORKSPACE, load_demo
    from services.writing.importer import imported_document

    if arguments.workspace not in {DEFAULT_WORKSPACE, WORKSPACE}:
        raise BadInput(f"The demo always uses the workspace {WORKSPACE}.", "Leave out --workspace.")
    done = load_demo(services, run.progress, reset=arguments.reset, cancel=run.cancel)
    return {"workspace": WORKSPACE, **imported_document(done)}


def start(terminal: Terminal) -> int:
    """Load the demo."""
    from services.jobs.demo import WORKSPACE

    if terminal.options.workspace not in {DEFAULT_WORKSPACE, WORKSPACE}:
        terminal.refuse(f"the demo has its own workspace, {WORKSPACE}")
    return terminal.show(terminal.ask("demo"), imported_text)


COMMAND = Command("demo", "load the demo workspace (peps)", start, {"demo": Request(DemoArguments, demo)})
