"""`diff`: what changed between two pairs of instants."""

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from services.commands.arguments import Arguments, Request, Run, option
from services.commands.command import Command, Terminal, say
from services.commands.text import mirror_note, short
from services.commands.values import instant, not_blank, parsed, whole_number
from services.core import clock
from services.core.errors import GraphUnavailable
from services.core.json_documents import Json, diff_document, instants_document, spelled
from services.core.models import Instants
from services.queries.facts_at import Name

if TYPE_CHECKING:
    from services.context import Services


class DiffArguments(Arguments):
    """Two pairs of instants; one that is not given is now."""

    from_: Annotated[str, option(type=instant, metavar="T1")] = Field(alias="from")
    from_known: Annotated[str | None, option(type=instant, metavar="K1", help="default: now")] = None
    to: Annotated[str | None, option(type=instant, metavar="T2", help="default: now")] = None
    to_known: Annotated[str | None, option(type=instant, metavar="K2", help="default: now")] = None
    entity: Annotated[Name | None, option(type=not_blank, metavar="NAME")] = None
    limit: Annotated[
        int | None, option(type=whole_number, metavar="N", help="list so many changes; the totals count all")
    ] = Field(None, ge=0)


def diff(services: "Services", arguments: DiffArguments, _: Run) -> Json:
    """List what was added, ended, corrected and re-dated, each with its cause.

    While the graph does not answer this is what its mirror says; `mirror_of` is then when that was last in step.
    """
    now = clock.now()
    first = Instants(clock.parse_instant(arguments.from_), parsed(arguments.from_known) or now)
    second = Instants(parsed(arguments.to) or now, parsed(arguments.to_known) or now)
    workspace = arguments.known_workspace(services)
    status = workspace.sync()
    if status.down and status.synced_at is None:
        raise GraphUnavailable("Asof cannot compare dates yet: it has not read the graph.", status.down)
    about = arguments.entity and [entity.uuid for entity in workspace.mirror.entities_named(arguments.entity)]
    found = workspace.mirror.diff(first, second, entity_uuids=about, limit=arguments.limit)
    asked = {"from": instants_document(first), "to": instants_document(second)}
    return {**asked, "mirror_of": spelled(status.synced_at) if status.down else None, **diff_document(found)}


def start(terminal: Terminal) -> int:
    """Print the difference."""
    document = terminal.ask("diff")
    say(mirror_note(document))
    return terminal.show(document, diff_text)


def diff_text(document: Json) -> str:
    """Return the changes by kind, each with its cause."""
    lines = [", ".join(f"{count:,} {kind.replace('_', '-')}" for kind, count in document["totals"].items())]
    for kind in document["totals"]:
        for change in document[kind]:
            fact = change["after"] or change["before"]
            lines.append(f"{kind.replace('_', '-'):<10} {short(change['at']):<20} {fact['fact']}")
            lines += [f"{'':<31} {change['cause']['text']}"] if change["cause"]["text"] else []
        left_out = document["totals"][kind] - len(document[kind])
        lines += [f"{kind.replace('_', '-'):<10} and {left_out:,} more"] if left_out else []
    return "\n".join(lines)


COMMAND = Command(
    "diff",
    "list the facts added, ended, corrected and re-dated, each with its cause",
    start,
    {"diff": Request(DiffArguments, diff)},
)
