"""How passages hang together: who mentions what another is about, and who shares rare names with whom.

A question walks over it: personalised PageRank (Haveliwala, WWW 2002), each step drawn to passages that match the
question themselves, so that what is two mentions away is found without everything else that is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from services.retrieval.lexical import Scores
from services.retrieval.names import NameIndex
from services.retrieval.words import capitalised_names, sentences


@dataclass(frozen=True, slots=True)
class Weights:
    """How strong each kind of edge is, and how far a walk goes (docs/benchmarks.md says how they were chosen)."""

    mention: float = 1.0
    mentioned_by: float = 0.2
    shared_names: float = 0.03
    least_shared: float = 0.05
    most_sharing: int = 10
    commonest_name: int = 50
    restart: float = 0.5
    steps: int = 8
    pull: float = 0.05


WEIGHTS = Weights()


class PassageGraph:
    """The edges between passages, and walks over them."""

    def __init__(self, texts: Sequence[str], names: NameIndex) -> None:
        self._size = len(texts)
        self._names = _NameTable(texts)
        edges = [*_mentions(texts, names), *self._names.neighbours()]
        sources, targets, strengths = zip(*edges, strict=True) if edges else ((), (), ())
        shape = (self._size, self._size)
        self._edges = sparse.coo_array((strengths, (sources, targets)), shape=shape, dtype=np.float64).tocsr()

    def mentioning(self, name: str) -> NDArray[np.int32]:
        """The passages in which a capitalised name stands, given in lower case."""
        return self._names.passages(name)

    def walk(self, seeds: NDArray[np.float64], match: Scores) -> NDArray[np.float64]:
        """How often a walk from `seeds` comes by each passage, the most visited 1; `match` is what draws it."""
        start = seeds / seeds.sum()
        strengths = self._edges.data * (WEIGHTS.pull + match[self._edges.indices])
        leaving = np.add.reduceat(np.append(strengths, 0.0), self._edges.indptr[:-1])
        stuck = np.diff(self._edges.indptr) == 0
        leaving[stuck] = 1.0
        steps = sparse.csc_array(
            (strengths / np.repeat(leaving, np.diff(self._edges.indptr)), self._edges.indices, self._edges.indptr),
            shape=self._edges.shape,
        )
        place = start.copy()
        for _ in range(WEIGHTS.steps):
            onward = steps @ place + place[stuck].sum() * start
            place = (1 - WEIGHTS.restart) * onward + WEIGHTS.restart * start
        return place / place.max()


Edge = tuple[int, int, float]


def _mentions(texts: Sequence[str], names: NameIndex) -> Iterator[Edge]:
    """A sentence leads to the passages that are about the names in it, and a little way back."""
    for passage, text in enumerate(texts):
        for sentence in sentences(text):
            for name in names.mentioned(sentence):
                for other in names.about(name):
                    if other != passage:
                        yield passage, other, WEIGHTS.mention
                        yield other, passage, WEIGHTS.mentioned_by


class _NameTable:
    """Which capitalised names stand in which passages."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._rows: dict[str, int] = {}
        pairs = [(self._rows.setdefault(name, len(self._rows)), passage)
                 for passage, text in enumerate(texts) for name in dict.fromkeys(capitalised_names(text))]  # fmt: skip
        rows, columns = zip(*pairs, strict=True) if pairs else ((), ())
        shape = (len(self._rows), len(texts))
        self._stands_in = sparse.coo_array((np.ones(len(pairs)), (rows, columns)), shape=shape).tocsr()

    def passages(self, name: str) -> NDArray[np.int32]:
        """The passages with that name, in order."""
        row = self._rows.get(name)
        if row is None:
            return np.empty(0, np.int32)
        start, end = self._stands_in.indptr[row : row + 2]
        found: NDArray[np.int32] = self._stands_in.indices[start:end]
        return found

    def neighbours(self) -> Iterator[Edge]:
        """Each passage's likest in rare names, by the cosine of their squared idf.

        Common names are left out, which keeps the product from growing with the square of the passages.
        """
        spread = np.diff(self._stands_in.indptr)
        size = self._stands_in.shape[1]
        rare = (spread >= 2) & (spread <= WEIGHTS.commonest_name)
        idf = np.where(rare, np.log(size / np.maximum(spread, 1)), 0.0)
        table = (sparse.diags_array(idf) @ self._stands_in).T.tocsr()
        table.eliminate_zeros()
        length = np.sqrt(np.asarray(table.power(2).sum(axis=1)).ravel())
        unit = sparse.diags_array(1 / np.where(length > 0, length, 1.0)) @ table
        alike = (unit @ unit.T).tocsr()
        for passage in range(size):
            start, end = alike.indptr[passage : passage + 2]
            others, cosines = alike.indices[start:end], alike.data[start:end]
            for place in np.argsort(-cosines, kind="stable")[: WEIGHTS.most_sharing + 1]:
                if others[place] != passage and cosines[place] >= WEIGHTS.least_shared:
                    yield passage, int(others[place]), WEIGHTS.shared_names * float(cosines[place])
