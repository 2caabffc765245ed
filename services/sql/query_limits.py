"""What one query may cost."""

from dataclasses import dataclass

MEGABYTE = 1 << 20
MOST_VALUES = 1_000_000
"""A result may hold so many values, those within lists and structures counted: 10,000 rows of 100 columns."""


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """What one query may cost: seconds, rows, memory in megabytes, and bytes of what it gives."""

    seconds: float = 30.0
    rows: int = 10_000
    memory_mb: int = 1024
    result_bytes: int = 32 * MEGABYTE


EXPORT_LIMITS = QueryLimits(seconds=120.0, result_bytes=128 * MEGABYTE)
"""What a query may cost whose rows become a file. It gives all of them: `rows` counts for no file."""
