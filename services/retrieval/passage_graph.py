"""How passages hang together: who mentions what another is about, and who shares rare names with whom.

A question walks over it: personalised PageRank (Haveliwala, WWW 2002), each step drawn to passages that match the
question themselves, so that what is two mentions away is found without everything else that is.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from services.language.sentences import sentences
from services.retrieval.arrays import Arrays, inside, joined, packed, separated, under, unpacked
from services.retrieval.lexical import Scores
from services.retrieval.name_index import NameIndex
from services.retrieval.tokens import capitalised_names

_MENTION, _MENTIONED_BY, _SHARED_NAMES = 1.0, 0.2, 0.03
"""How strong each kind of edge is (docs/benchmarks.md says how these and the following were chosen)."""
_LEAST_SHARED, _MOST_SHARING, _COMMONEST_NAME = 0.05, 10, 50
"""How alike passages that share names have to be, how many such neighbours one has, and how common a name may be."""
_RESTART, _STEPS, _PULL = 0.5, 8, 0.05
"""How often a walk begins anew, how far it goes, and what draws it to a passage that does not match."""

Edge = tuple[int, int, float]
"""From which node to which, and how strong."""


class PassageGraph:
    """The edges between nodes (passages, entities, facts), and walks over them."""

    def __init__(self, edges: sparse.csr_array, names: "NameTable") -> None:
        self._edges = edges
        self._names = names
        self._stuck = np.diff(edges.indptr) == 0

    @classmethod
    def of(
        cls, texts: Sequence[str], names: NameIndex, links: Iterable[Edge] = (), flat: NDArray[np.bool_] | None = None
    ) -> "PassageGraph":
        """The graph of nodes by their texts, which mention names, and of `links` that are known otherwise.

        Those that are `flat`, all without it, are also joined by rare names that they share: what stands in a
        conversation or under a heading shares names with everything around it.
        """
        cut = [sentences(text) for text in texts]
        table = NameTable.of(cut)
        edges = [*_mentions(cut, names), *table.neighbours(flat), *links]
        sources, targets, strengths = zip(*edges, strict=True) if edges else ((), (), ())
        shape = (len(texts), len(texts))
        return cls(sparse.coo_array((strengths, (sources, targets)), shape=shape, dtype=np.float32).tocsr(), table)

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return int(self._edges.shape[0])

    def mentioning(self, name: str) -> NDArray[np.int32]:
        """The nodes in whose text a capitalised name stands, given in lower case."""
        return self._names.passages(name)

    def leading_to(self, node: int) -> int:
        """How many edges lead to a node."""
        return int(np.count_nonzero(self._edges.indices == node))

    def walk(self, seeds: Scores, match: Scores, open_to: NDArray[np.bool_] | None = None) -> Scores:
        """How often a walk from `seeds` comes by each node, the most visited 1; `match` is what draws it.

        Nodes after the graph's own have no edges. What is not `open_to` the walk is never entered.
        """
        start = (seeds / seeds.sum()).astype(np.float32)
        draw = _PULL + match[: self.size]
        if open_to is not None:
            draw *= open_to[: self.size]
        strengths = self._edges.data * draw[self._edges.indices]
        leaving = np.add.reduceat(np.append(strengths, np.float32(0)), self._edges.indptr[:-1]) if self.size else draw
        stuck = np.ones(len(start), bool)
        stuck[: self.size] = self._stuck | (leaving <= 0)
        onward = sparse.csc_array((strengths, self._edges.indices, self._edges.indptr), shape=self._edges.shape)
        share = np.where(stuck[: self.size], 0, 1 / np.where(leaving > 0, leaving, 1)).astype(np.float32)
        place = start.copy()
        for _ in range(_STEPS):
            reached = place[stuck].sum() * start
            reached[: self.size] += onward @ (place[: self.size] * share)
            place = (1 - _RESTART) * reached + _RESTART * start
        found: Scores = place / place.max()
        return found

    def to_arrays(self) -> Arrays:
        """What `from_arrays` makes the graph of again."""
        return {**packed("edges", self._edges), **under("names", self._names.to_arrays())}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "PassageGraph":
        """The graph that `to_arrays` was called on."""
        return cls(unpacked("edges", arrays), NameTable.from_arrays(inside("names", arrays)))


def _mentions(texts: Sequence[Sequence[str]], names: NameIndex) -> Iterator[Edge]:
    """A sentence leads to the passages that are about the names in it, and a little way back."""
    for passage, text in enumerate(texts):
        for sentence in text:
            for name in names.mentioned(sentence):
                for other in names.about(name):
                    if other != passage:
                        yield passage, other, _MENTION
                        yield other, passage, _MENTIONED_BY


class NameTable:
    """Which capitalised names stand in which passages."""

    def __init__(self, rows: Mapping[str, int], stands_in: sparse.csr_array) -> None:
        self._rows = rows
        self._stands_in = stands_in

    @classmethod
    def of(cls, texts: Sequence[Sequence[str]]) -> "NameTable":
        """The names of each text, which is given by its sentences."""
        known: dict[str, int] = {}
        pairs = [
            (known.setdefault(name, len(known)), passage)
            for passage, text in enumerate(texts)
            for name in dict.fromkeys(capitalised_names(text))
        ]
        rows, columns = zip(*pairs, strict=True) if pairs else ((), ())
        ones = np.ones(len(pairs), np.float32)
        return cls(known, sparse.coo_array((ones, (rows, columns)), shape=(len(known), len(texts))).tocsr())

    def to_arrays(self) -> Arrays:
        """What `from_arrays` makes the table of again."""
        return {"names": joined(self._rows), **packed("stands_in", self._stands_in)}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "NameTable":
        """The table that `to_arrays` was called on."""
        names = separated(arrays["names"])
        return cls({name: row for row, name in enumerate(names)}, unpacked("stands_in", arrays))

    def passages(self, name: str) -> NDArray[np.int32]:
        """The passages with that name, in order."""
        row = self._rows.get(name)
        if row is None:
            return np.empty(0, np.int32)
        start, end = self._stands_in.indptr[row : row + 2]
        found: NDArray[np.int32] = self._stands_in.indices[start:end]
        return found

    def neighbours(self, flat: NDArray[np.bool_] | None = None) -> Iterator[Edge]:
        """Each passage's likest in rare names, by the cosine of their squared idf.

        Common names are left out, which keeps the product from growing with the square of the passages.
        """
        spread = np.diff(self._stands_in.indptr)
        size = self._stands_in.shape[1]
        rare = (spread >= 2) & (spread <= _COMMONEST_NAME)
        idf = np.where(rare, np.log(size / np.maximum(spread, 1)), 0.0)
        table = (sparse.diags_array(idf) @ self._stands_in).T.tocsr()
        if flat is not None:
            table = sparse.diags_array(flat.astype(np.float32)).tocsr() @ table
        table.eliminate_zeros()
        length = np.sqrt(np.asarray(table.power(2).sum(axis=1)).ravel())
        unit = sparse.diags_array(1 / np.where(length > 0, length, 1.0)) @ table
        alike = (unit @ unit.T).tocsr()
        for passage in range(size):
            start, end = alike.indptr[passage : passage + 2]
            others, cosines = alike.indices[start:end], alike.data[start:end]
            for place in np.argsort(-cosines, kind="stable")[: _MOST_SHARING + 1]:
                if others[place] != passage and cosines[place] >= _LEAST_SHARED:
                    yield passage, int(others[place]), _SHARED_NAMES * float(cosines[place])
