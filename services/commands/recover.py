"""`recover`: write back what a damaged file of the embedded database lost, or let it go."""

from typing import TYPE_CHECKING, Annotated

from services.commands.arguments import Arguments, Request, Run, option
from services.commands.command import Command, Terminal
from services.core.json_documents import Json

if TYPE_CHECKING:
    from services.context import Services


class RecoverArguments(Arguments):
    """`let_go` gives up what is missing."""

    let_go: Annotated[bool, option(help="write nothing back, and ask no more")] = False


def recover(services: "Services", arguments: RecoverArguments, _: Run) -> Json:
    """Settle what is missing from a workspace."""
    from services.writing import write_back
    from services.writing.losses import let_go, loss_text, losses_of

    workspace = arguments.open_workspace(services)
    missing = [loss_text(loss) for loss in losses_of(workspace)]
    document: Json = {"workspace": workspace.name, "missing": missing, "written_back": 0, "left": 0}
    if arguments.let_go:
        let_go(workspace)
        return document | {"change_set": None}
    done = write_back.write_back(workspace)
    return document | {"written_back": done.records, "left": done.left, "change_set": done.change_set_id}


def start(terminal: Terminal) -> int:
    """Settle what is missing from a workspace."""
    document = terminal.ask("recover")
    text = let_go_text if terminal.options.let_go else recovered_text
    return terminal.show(document, text, failed=document["left"])


def recovered_text(document: Json) -> str:
    """Return what was written back."""
    if not document["missing"]:
        return f"Nothing is known to be missing from “{document['workspace']}”."
    left = f"; {document['left']:,} could not be, or were changed since" if document["left"] else ""
    return "\n".join([*document["missing"], f"{document['written_back']:,} records were written back{left}."])


def let_go_text(document: Json) -> str:
    """Return what was let go."""
    return "\n".join([*document["missing"], "It was let go."]) if document["missing"] else recovered_text(document)


COMMAND = Command(
    "recover",
    "write back what a damaged file of the embedded database lost",
    start,
    {"recover": Request(RecoverArguments, recover)},
)
