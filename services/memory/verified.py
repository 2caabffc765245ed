"""Compares records that a database gave with what was asked of it, so that nothing else is passed on."""

import math
from collections.abc import Iterable
from typing import Any

from services.core.memory_records import Properties
from services.graph.memory_store import RecordFilter


def verify(wanted: RecordFilter, record: Properties) -> None:
    """Raise `ValueError` for a record that does not fit, or that holds what is not a number."""
    id = record.get("id")
    for name, texts in wanted.equal.items():
        if _folded(record, name) not in {text.casefold() for text in texts}:
            raise ValueError(f"Result doesn't match query {name}: {id}")
    if wanted.texts and not any(_holds(record, name, wanted.texts) for name in wanted.within):
        raise ValueError(f"Result doesn't match query {' or '.join(wanted.within)}: {id}")
    for name, least in wanted.at_least.items():
        number = record.get(name)
        if not isinstance(number, int | float) or not number >= least:
            raise ValueError(f"Result doesn't match query {name}: {id}")
    for name, value in record.items():
        if any(isinstance(item, float) and not math.isfinite(item) for item in _items(value)):
            raise ValueError(f"{name} of {id} is not a number")


def _items(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list) else (value,)


def _folded(record: Properties, name: str) -> str | None:
    value = record.get(name)
    return value.casefold() if isinstance(value, str) else None


def _holds(record: Properties, name: str, texts: Iterable[str]) -> bool:
    folded = _folded(record, name)
    return folded is not None and any(text.casefold() in folded for text in texts)
