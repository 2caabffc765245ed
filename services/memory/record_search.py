"""Finds an agent's records by words, whatever their type: each word is in one of the record's texts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from services.context import OpenWorkspace
from services.core import clock
from services.core.memory_records import RECORD_TYPES, Properties, RecordType
from services.graph.memory_store import RecordFilter
from services.memory.record_fields import lists_of, recorded_at, texts_of, title_of
from services.retrieval.query import check_text

MOST_READ = 2_000
"""So many records of a type that hold the longest word are read to look for the others."""


@dataclass(frozen=True, slots=True)
class RecordHit:
    """A record that was found, and which share of the words are in its title."""

    type: RecordType
    record: Properties
    score: float

    @property
    def title(self) -> str:
        """What people know the record by."""
        return title_of(self.type, self.record)


def search_records(
    workspace: OpenWorkspace, words: str, limit: int = 8, known_at: datetime | None = None
) -> tuple[RecordHit, ...]:
    """Return records that hold every word, those with most of them in their title first, then the newest.

    Raises `GraphUnavailable`, since records are asked of the graph itself, and `BadInput` for endless words.
    """
    check_text(words)
    wanted = [word.casefold() for word in words.replace("\0", " ").split()]
    if not wanted:
        return ()
    hits = [hit for type in RECORD_TYPES for hit in _hits(workspace, type, wanted) if _is_known(hit, known_at)]
    return tuple(sorted(hits, key=_order)[:limit])


def _hits(workspace: OpenWorkspace, type: RecordType, words: Sequence[str]) -> Iterator[RecordHit]:
    store, name = workspace.graph.memory, workspace.name
    first = (max(words, key=len),)
    wanted = RecordFilter(within=texts_of(type), listed=lists_of(type), texts=first)
    found = workspace.run(store.fitting(name, type, wanted, ()))
    records = workspace.run(store.read(name, [one.own_id for one in found[:MOST_READ]]))
    for record in records.values():
        text = " ".join(_texts(record)).casefold()
        if all(word in text for word in words):
            title = title_of(type, record).casefold()
            yield RecordHit(type, record, sum(word in title for word in words) / len(words))


def _texts(record: Properties) -> Iterator[str]:
    for value in record.values():
        items: Sequence[Any] = value if isinstance(value, list) else (value,)
        yield from (item for item in items if isinstance(item, str))


def _is_known(hit: RecordHit, known_at: datetime | None) -> bool:
    at = recorded_at(hit.record)
    return known_at is None or at is None or at <= known_at


def _order(hit: RecordHit) -> tuple[Any, ...]:
    at = recorded_at(hit.record) or clock.EARLIEST
    return -hit.score, -at.timestamp(), hit.type, str(hit.record.get("id"))
