"""The command `history`: an entity's facts over time."""

from typing import TYPE_CHECKING

from services.commands.base import Arguments, Run, group_of, no_workspace
from services.core import clock
from services.core.errors import QueryRejected
from services.core.json_documents import Document, fact_document, spelled
from services.queries.facts_at import (
    Name,
    histories,
    of_relation,
    with_sources_at,
)

if TYPE_CHECKING:
    from services.context import Services


class HistoryArguments(Arguments):
    """An entity's facts, whatever their times; with `known_at` as they were known then."""

    entity: Name
    relation: str | None = None
    known_at: str | None = None


def history(services: "Services", arguments: HistoryArguments, _: Run) -> Document:
    """Every record with the entity on either side, by start, then by when it was recorded."""
    group = group_of(services, arguments.workspace)
    found = histories(services.workspace(group), [arguments.entity])[arguments.entity]
    if isinstance(found, QueryRejected):
        raise found
    known_at = clock.parse_instant(arguments.known_at) if arguments.known_at else None
    if known_at is not None:
        known = [clock.as_known(f, known_at) for f in found if f.created_at is None or f.created_at <= known_at]
        found = tuple(with_sources_at(services.workspace(group), known, known_at))
    asked = of_relation(found, arguments.relation)
    ordered = sorted(asked, key=lambda f: (f.valid_at or clock.EARLIEST, f.created_at or clock.EARLIEST))
    return {
        "entity": arguments.entity,
        "known_at": spelled(known_at),
        "facts": [fact_document(f) for f in ordered],
        "note": no_workspace(services, arguments, found=bool(found)),
    }
