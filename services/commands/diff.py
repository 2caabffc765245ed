"""The command `diff`: what changed between two pairs of instants."""

from typing import TYPE_CHECKING

from pydantic import Field

from services.commands.base import Arguments, Run, group_of
from services.core import clock
from services.core.errors import GraphUnavailable
from services.core.json_documents import Document, diff_document, instants_document, spelled
from services.core.models import Instants
from services.queries.facts_at import (
    Name,
    instant,
)

if TYPE_CHECKING:
    from services.context import Services


class DiffArguments(Arguments):
    """Two pairs of instants; one that is not given is now."""

    from_: str = Field(alias="from")
    from_known: str | None = None
    to: str | None = None
    to_known: str | None = None
    entity: Name | None = None
    limit: int | None = Field(None, ge=0)


def diff(services: "Services", arguments: DiffArguments, _: Run) -> Document:
    """What was added, ended, corrected and re-dated, each with its cause.

    While the graph does not answer this is what its mirror says; `mirror_of` is then when that was last in step.
    """
    now = clock.now()
    first = Instants(clock.parse_instant(arguments.from_), instant(arguments.from_known, now))
    second = Instants(instant(arguments.to, now), instant(arguments.to_known, now))
    group = group_of(services, arguments.workspace)
    status = services.mirrors.sync(group)
    if status.down and status.synced_at is None:
        raise GraphUnavailable("There is nothing to compare: the graph could not be read yet.", status.down)
    mirror = services.mirrors.of(group)
    about = arguments.entity and [entity.uuid for entity in mirror.entities_named(arguments.entity)]
    found = mirror.diff(first, second, entity_uuids=about, limit=arguments.limit)
    asked = {"from": instants_document(first), "to": instants_document(second)}
    return {**asked, "mirror_of": spelled(status.synced_at) if status.down else None, **diff_document(found)}
