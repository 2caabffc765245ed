"""Which date of a passage starts a fact, and which ends it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import get_args

import numpy as np

from services.extraction.learned.network import Array, Network, distances
from services.extraction.learned.passages import Passage
from services.extraction.rules.date_expressions import DateExpression, Kind, date_expressions

LEAST = 0.5
"""The probability from which on a date is taken for a fact's."""
KINDS: tuple[Kind, ...] = get_args(Kind)
DISTANCES = 16


@dataclass(frozen=True, slots=True)
class Date:
    """A date expression of a passage, and its first and last pieces."""

    when: DateExpression
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class DateEdge:
    """How probable the network finds it that a date starts a fact, and that it ends it."""

    when: DateExpression
    starts: float
    ends: float


def dates(passage: Passage, reference: datetime | None) -> list[Date]:
    """The date expressions of a passage, its title included, in order."""
    found: list[Date] = []
    for when in date_expressions(passage.shown, reference):
        pieces = [n for n, (start, end) in enumerate(passage.places) if start < when.end and when.start < end]
        if pieces:
            found.append(Date(when, pieces[0], pieces[-1]))
    return found


def features(
    x: Array, paired: Array, relation: int, relations: int, ends: tuple[int, int], among: Sequence[Date]
) -> Array:
    """A row for each date: the pair of mentions, the date's pieces, the relation, its kind, how far from both ends.

    `ends` are the first pieces of source and target.
    """
    first = np.array([date.first for date in among])
    return np.concatenate(
        [
            np.tile(paired, (len(among), 1)),
            x[first],
            x[[date.last for date in among]],
            np.tile(np.eye(relations, dtype=np.float32)[relation], (len(among), 1)),
            np.eye(len(KINDS), dtype=np.float32)[[KINDS.index(date.when.kind) for date in among]],
            *(np.eye(DISTANCES, dtype=np.float32)[distances(first - end)] for end in ends),
        ],
        axis=1,
    )


def edges(network: Network, rows: Array, among: Sequence[Date]) -> tuple[DateEdge, ...]:
    """How probably each date starts the fact of these rows, and ends it.

    "Until" starts nothing, and "since" ends nothing.
    """
    probable = network.edges(rows) * [[date.when.kind != "until", date.when.kind != "since"] for date in among]
    return tuple(
        DateEdge(one.when, float(start), float(end)) for one, (start, end) in zip(among, probable, strict=True)
    )


def likeliest(dates: Sequence[DateEdge]) -> tuple[datetime | None, datetime | None]:
    """The start and the end of a fact by its dates; no end that is not after the start."""
    start = max(dates, key=lambda one: one.starts, default=None)
    end = max(dates, key=lambda one: one.ends, default=None)
    valid_at = start.when.first if start and start.starts >= LEAST else None
    invalid_at = (end.when.last or end.when.first) if end and end.ends >= LEAST else None
    if valid_at and invalid_at and invalid_at <= valid_at:
        return valid_at, None
    return valid_at, invalid_at
