"""`history`: an entity's facts over time."""

from typing import TYPE_CHECKING, Annotated

from services.commands.arguments import Arguments, Request, Run, option
from services.commands.command import Command, Terminal
from services.commands.text import fact_table
from services.commands.values import instant, not_blank, parsed
from services.core import clock, time_rule
from services.core.errors import QueryRejected
from services.core.json_documents import Json, fact_document, spelled
from services.queries.facts_at import Name, histories, of_relation, with_sources_at
from services.queries.unknown_names import note_on_name

if TYPE_CHECKING:
    from services.context import Services


class HistoryArguments(Arguments):
    """An entity's facts, whatever their times; with `known_at` as they were known then."""

    entity: Annotated[Name, option(type=not_blank, metavar="NAME")]
    relation: Annotated[str | None, option(metavar="NAME")] = None
    known_at: Annotated[str | None, option(type=instant, metavar="K", help="as known then; default: every record")] = (
        None
    )


def history(services: "Services", arguments: HistoryArguments, _: Run) -> Json:
    """Return every record with the entity on either side, by start, then by when it was recorded."""
    workspace = arguments.open_workspace(services)
    found = histories(workspace, [arguments.entity])[arguments.entity]
    if isinstance(found, QueryRejected):
        raise found
    if not found:
        arguments.refuse_missing_workspace(services)
    if (known_at := parsed(arguments.known_at)) is not None:
        known = [time_rule.as_known(f, known_at) for f in found if f.created_at is None or f.created_at <= known_at]
        found = tuple(with_sources_at(workspace, known, known_at))
    asked = of_relation(found, arguments.relation)
    ordered = sorted(asked, key=lambda f: (f.valid_at or clock.EARLIEST, f.created_at or clock.EARLIEST))
    return {
        "entity": arguments.entity,
        "known_at": spelled(known_at),
        "facts": [fact_document(f) for f in ordered],
        "note": "" if ordered else note_on_name(workspace, arguments.entity, known_at),
    }


def start(terminal: Terminal) -> int:
    """Print an entity's records."""
    return terminal.show(terminal.ask("history"), history_text)


def history_text(document: Json) -> str:
    """Return every record, as a table."""
    return (
        "\n".join(fact_table(document["facts"], "created_at", "expired_at", "withdrawn_at"))
        or document["note"]
        or "No facts."
    )


COMMAND = Command("history", "list an entity's facts over time", start, {"history": Request(HistoryArguments, history)})
