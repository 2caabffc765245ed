"""`recover`: restore records that a damaged file of the embedded database lost, or dismiss the notice of it."""

from typing import TYPE_CHECKING, Annotated

from services.commands.arguments import Arguments, Request, Run, option
from services.commands.command import Command, Terminal
from services.core.json_documents import Json

if TYPE_CHECKING:
    from services.context import Services


class RecoverArguments(Arguments):
    """`dismiss` gives up what is missing."""

    dismiss: Annotated[bool, option(help="dismiss the notice without restoring anything")] = False


def recover(services: "Services", arguments: RecoverArguments, _: Run) -> Json:
    """Restore what is missing from a workspace, or dismiss it."""
    from services.writing import restore_missing_records
    from services.writing.damage_check import dismiss, loss_text, losses_of
    from services.writing.lost_changes import lost_changes_of

    workspace = arguments.open_workspace(services)
    missing = [loss_text(loss) for loss in losses_of(workspace)]
    forgotten = [lost.notice for lost in lost_changes_of(workspace)]
    document: Json = {"workspace": workspace.name, "missing": missing, "lost_changes": forgotten}
    document |= {"written_back": 0, "left": 0}
    if arguments.dismiss:
        dismiss(workspace)
        return document | {"change_set": None}
    done = restore_missing_records.restore(workspace)
    return document | {"written_back": done.records, "left": done.left, "change_set": done.change_set_id}


def start(terminal: Terminal) -> int:
    """Restore what is missing from a workspace, or dismiss it."""
    document = terminal.ask("recover")
    text = dismissed_text if terminal.options.dismiss else recovered_text
    return terminal.show(document, text, failed=document["left"])


def recovered_text(document: Json) -> str:
    """Return what was restored."""
    from services.writing.restore_missing_records import restored_text

    if not document["missing"]:
        nothing = f"Nothing is missing from “{document['workspace']}”."
        return "\n".join(document["lost_changes"] or [nothing])
    restored = restored_text(document["written_back"], document["left"])
    return "\n".join([*document["missing"], restored, *document["lost_changes"]])


def dismissed_text(document: Json) -> str:
    """Return what was dismissed."""
    if notices := [*document["missing"], *document["lost_changes"]]:
        return "\n".join([*notices, "Asof dismissed the missing records without restoring them."])
    return recovered_text(document)


COMMAND = Command(
    "recover",
    "restore records lost to a damaged file of the embedded database",
    start,
    {"recover": Request(RecoverArguments, recover)},
)
