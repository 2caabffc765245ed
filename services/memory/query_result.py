"""What a memory query answers with."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from services.core.json_documents import Json
from services.core.memory_records import Properties


@dataclass(frozen=True, slots=True)
class MemoryResult:
    """The result of a memory query; true where something was found.

    `data` is a record or a list of them; of related code a pair of `primary` and `related`, or a list of such pairs.
    `confidence` is between 0 and 1. `query_time_ms` is at least 1 where the graph was asked, and otherwise 0.
    """

    found: bool
    data: Any
    confidence: float
    query_time_ms: int
    message: str | None = None

    def __bool__(self) -> bool:
        return self.found

    @property
    def was_asked(self) -> bool:
        """False where the question could not be put to the graph: an input is invalid, or the database is down."""
        return self.query_time_ms > 0

    @property
    def rows(self) -> Sequence[Any]:
        """The records, or pairs, one by one."""
        if self.data is None:
            return ()
        return self.data if isinstance(self.data, list) else (self.data,)

    @property
    def records(self) -> tuple[Properties, ...]:
        """The records that were asked for, without those that are related to them."""
        return tuple(row["primary"] if row.keys() == {"primary", "related"} else row for row in self.rows)

    def document(self) -> Json:
        """Return the result for JSON."""
        return asdict(self)


def nothing_found(message: str, query_time_ms: int = 0) -> MemoryResult:
    """Return the result of a query that found nothing, or could not be asked."""
    return MemoryResult(False, None, 0.0, query_time_ms, message)
