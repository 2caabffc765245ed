"""What the columns of an earlier import meant, for a table that has the same ones."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.agent import get_services
from services.tables import TableMapping, mapping_of

_LOOKED_AT = 50


@dataclass(frozen=True, slots=True)
class EarlierMapping:
    """What the columns of an imported file meant."""

    file: str
    mapping: TableMapping


def earlier_mapping(workspace: str, columns: Sequence[str]) -> EarlierMapping | None:
    """Return the mapping of the last import into a workspace of a table with these columns."""
    for item in get_services().accounts.jobs.first_items(workspace, "import", _LOOKED_AT):
        if document := item.payload.get("mapping"):
            mapping = mapping_of(document)
            if {*mapping.columns, *mapping.relations} == set(columns):
                return EarlierMapping(str(item.payload.get("name", "")), mapping)
    return None
