"""BM25 over texts that have fields: each word's weight in each text is worked out once, when the index is built.

Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields" (CIKM 2004); scores are kept in a
sparse matrix, so that a question is a sum of rows (Lù, "BM25S", 2024).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from services.retrieval.arrays import Arrays, joined, packed, separated, unpacked
from services.retrieval.tokens import stems

Scores = NDArray[np.float32]
"""One number for each text, in their order."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of every text; `b` says how strongly a long one is discounted."""

    texts: Sequence[str]
    weight: float = 1.0
    b: float = 0.4


@dataclass(frozen=True)
class Statistics:
    """What texts have in common: how many there are, how many hold each stem, and how long each field usually is."""

    size: int
    frequency: Mapping[str, int]
    lengths: tuple[float, ...]

    def idf(self, stem: str) -> float:
        """How telling a stem is; the more so the fewer texts hold it."""
        held = self.frequency.get(stem, 0)
        return float(np.log(1 + (self.size - held + 0.5) / (held + 0.5)))


class LexicalIndex:
    """Finds texts by their words."""

    def __init__(self, statistics: Statistics, rows: Mapping[str, int], scores: sparse.csr_array) -> None:
        self.statistics = statistics
        self._rows = rows
        self._scores = scores

    @classmethod
    def of(cls, fields: Sequence[Field], k1: float = 0.9, beside: "LexicalIndex | None" = None) -> "LexicalIndex":
        """An index over texts; `beside` a larger one, by whose statistics their scores can be compared."""
        words = [[stems(text) for text in field.texts] for field in fields]
        statistics = _statistics(words) if beside is None else beside.statistics
        rows: dict[str, int] = {}
        counted = _counted(fields, words, statistics, rows)
        idf = np.array([statistics.idf(stem) for stem in rows])
        counted.data *= np.repeat(idf, np.diff(counted.indptr)) / (k1 + counted.data)
        return cls(statistics, rows, counted.astype(np.float32))

    def scores(self, question: str) -> Scores:
        """How well each text matches the words of a question; 0 where none of them stands in it."""
        rows = [self._rows[stem] for stem in stems(question) if stem in self._rows]
        found: Scores = np.zeros(self._scores.shape[1], np.float32)
        for row in rows:
            start, end = self._scores.indptr[row : row + 2]
            found[self._scores.indices[start:end]] += self._scores.data[start:end]
        return found

    def most(self, question: str) -> float:
        """What a text would score that holds every word of a question very often; unknown words count as the rarest."""
        return sum(self.statistics.idf(stem) for stem in set(stems(question)))

    def to_arrays(self) -> Arrays:
        """What `from_arrays` makes the index of again."""
        lengths = np.array([self.statistics.size, *self.statistics.lengths])
        return {"stems": joined(self._rows), "lengths": lengths, **packed("scores", self._scores)}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "LexicalIndex":
        """The index that `to_arrays` was called on."""
        scores, found = unpacked("scores", arrays), separated(arrays["stems"])
        size, *lengths = arrays["lengths"].tolist()
        frequency = dict(zip(found, np.diff(scores.indptr).tolist(), strict=True))
        rows = {stem: row for row, stem in enumerate(found)}
        return cls(Statistics(int(size), frequency, tuple(lengths)), rows, scores)


def _statistics(words: Sequence[Sequence[Sequence[str]]]) -> Statistics:
    held = Counter(stem for parts in zip(*words, strict=True) for stem in {stem for part in parts for stem in part})
    lengths = tuple(max(sum(map(len, field)) / max(len(field), 1), 1.0) for field in words)
    return Statistics(len(words[0]), held, lengths)


def _counted(
    fields: Sequence[Field], words: Sequence[Sequence[Sequence[str]]], statistics: Statistics, stem_rows: dict[str, int]
) -> sparse.csr_array:
    """Stems by texts: how often, weighted by field and discounted by its length. New stems get rows."""
    rows, columns, values = list[int](), list[int](), list[float]()
    for field, found, usual in zip(fields, words, statistics.lengths, strict=True):
        for column, stemmed in enumerate(found):
            discount = 1 - field.b + field.b * len(stemmed) / usual
            for stem, count in Counter(stemmed).items():
                rows.append(stem_rows.setdefault(stem, len(stem_rows)))
                columns.append(column)
                values.append(field.weight * count / discount)
    shape = (len(stem_rows), len(fields[0].texts))
    return sparse.coo_array((values, (rows, columns)), shape=shape).tocsr()
