"""BM25 over texts that have fields: each word's weight in each text is worked out once, when the index is built.

Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields" (CIKM 2004); scores are kept in a
sparse matrix, so that a question is a sum of rows (Lù, "BM25S", 2024).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from services.retrieval.words import stems

Scores = NDArray[np.float32]
"""One number for each passage, in their order."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of every text; `b` says how strongly a long one is discounted."""

    texts: Sequence[str]
    weight: float = 1.0
    b: float = 0.4


class LexicalIndex:
    """Finds texts by their words."""

    def __init__(self, fields: Sequence[Field], k1: float = 0.9) -> None:
        self._size = len(fields[0].texts)
        self._rows: dict[str, int] = {}
        counted = self._counted(fields)
        frequency = np.diff(counted.indptr)
        idf = np.log(1 + (self._size - frequency + 0.5) / (frequency + 0.5))
        counted.data *= np.repeat(idf, frequency) / (k1 + counted.data)
        self._scores = counted.astype(np.float32)

    def _counted(self, fields: Sequence[Field]) -> sparse.csr_array:
        """Stems by texts: how often, weighted by field and discounted by its length."""
        rows, columns, values = list[int](), list[int](), list[float]()
        for field in fields:
            words = [stems(text) for text in field.texts]
            usual = max(sum(map(len, words)) / max(len(words), 1), 1.0)
            for column, found in enumerate(words):
                discount = 1 - field.b + field.b * len(found) / usual
                for stem, count in Counter(found).items():
                    rows.append(self._rows.setdefault(stem, len(self._rows)))
                    columns.append(column)
                    values.append(field.weight * count / discount)
        shape = (len(self._rows), self._size)
        return sparse.coo_array((values, (rows, columns)), shape=shape).tocsr()

    def scores(self, question: str) -> Scores:
        """How well each text matches the words of a question; 0 where none of them stands in it."""
        rows = [self._rows[stem] for stem in stems(question) if stem in self._rows]
        found: Scores = np.zeros(self._size, np.float32)
        for row in rows:
            start, end = self._scores.indptr[row : row + 2]
            found[self._scores.indices[start:end]] += self._scores.data[start:end]
        return found
