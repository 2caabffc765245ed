"""What one line of an import file says, and what can be wrong with it."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from services.core.models import NO_ATTRIBUTES, Attributes, Precision

NAMES = ("source", "relation", "target")
TEXTS = ("fact", "source_type", "target_type", "episode")
DATES = ("valid_at", "invalid_at", "created_at", "expired_at", "withdrawn_at", "believed_invalid_at")
PRECISIONS = ("valid_at_precision", "invalid_at_precision")
ENDED_UNKNOWN = "ended_unknown"


class Row(NamedTuple):
    """A fact as a file states it. None, and an empty text, is a cell that was not given.

    `number` counts the file's records from 1, its header left out. `episode` is the text of the source, `ending` that
    of the source that tells of the end, where it is another one. What no file has: `episode_uuid` and `ending_uuid`
    name an episode in their place that is in the graph or goes in with the rows; `source_uuid` and `target_uuid` are
    entities, stored or to be made under that uuid, whatever others have that name; `fact_uuid` is the stored record
    that is meant, where several are alike. With `ended_unknown` the fact has ended, by `invalid_at` if that is given.
    """

    number: int
    source: str
    relation: str
    target: str
    fact: str = ""
    source_type: str = ""
    target_type: str = ""
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    created_at: datetime | None = None
    expired_at: datetime | None = None
    withdrawn_at: datetime | None = None
    believed_invalid_at: datetime | None = None
    episode: str = ""
    ending: str = ""
    episode_uuid: str = ""
    ending_uuid: str = ""
    source_uuid: str = ""
    target_uuid: str = ""
    fact_uuid: str = ""
    valid_at_precision: Precision = "instant"
    invalid_at_precision: Precision = "instant"
    ended_unknown: bool = False
    attributes: Attributes = NO_ATTRIBUTES


@dataclass(frozen=True, slots=True)
class RowProblem:
    """Why a row cannot be taken. `column` is empty when it is about the row as a whole; with `needs_order` the cell
    is a date that can be read once somebody says whether its day or its month comes first."""

    number: int
    column: str
    reason: str
    needs_order: bool = False

    def __str__(self) -> str:
        where = f"row {self.number}, column {self.column}" if self.column else f"row {self.number}"
        return f"{where}: {self.reason}"
