"""What came of reading a question as SQL."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SqlDraft:
    """SQL for a question; where it is None, `unexplained` are the words that no table, column or value is called by."""

    sql: str | None = None
    unexplained: tuple[str, ...] = ()
