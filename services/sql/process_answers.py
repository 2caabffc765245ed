"""What the processes that read databases answer, whatever the database: rows, tables, or its error."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from services.sql.query_results import rows_in_json

_LONGEST_ERROR = 600


def answered(work: Callable[[], Any], *errors: type[Exception]) -> Any:
    """Return what `work` gives; where it raises one of a database's `errors`, what that says, or that memory ended."""
    try:
        return work()
    except MemoryError:
        return {"error": "memory"}
    except errors as error:
        return {"error": error_text(error) or "The server closed the connection"}


def error_text(error: Exception) -> str:
    """Return what a database says is wrong, without the statement that it shows again below."""
    return str(error).partition("\nLINE ")[0].strip()[:_LONGEST_ERROR]


def answered_rows(columns: Iterable[str], types: Iterable[str], rows: Iterable[Sequence[Any]]) -> dict[str, Any]:
    """Return rows with the names and types of their columns."""
    return {"columns": list(columns), "types": list(types), "rows": rows_in_json(rows)}
