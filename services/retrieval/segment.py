"""One kind of items under one roof: their words and their vectors, in one order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from services.mirror.vectors import Vectors
from services.retrieval.arrays import Arrays, inside, joined, separated, under
from services.retrieval.items import FIELDS, Kind, SearchItem
from services.retrieval.lexical import Field, LexicalIndex, Scores
from services.retrieval.surroundings import Surroundings


@dataclass(frozen=True)
class Segment:
    """Items of one kind that can be scored together. A row of zeros stands for a vector that is not there yet."""

    kind: Kind
    ids: Sequence[str]
    lexical: LexicalIndex
    vectors: Vectors
    surroundings: Surroundings

    @classmethod
    def of(
        cls, kind: Kind, items: Sequence[SearchItem], vectors: Vectors, beside: "Segment | None" = None
    ) -> "Segment":
        """The items of one kind; `beside` a larger segment whose statistics they take over."""
        fields = [
            Field([item.fields[place] for item in items], weight, b) for place, (weight, b) in enumerate(FIELDS[kind])
        ]
        lexical = LexicalIndex.of(fields, beside=beside.lexical if beside and beside.ids else None)
        return cls(kind, [item.id for item in items], lexical, vectors, Surroundings.of(items))

    def cosines(self, question: str, embed: Callable[[str], Vectors]) -> Scores:
        """How alike each item and a question are; messages are compared without the names of those who speak."""
        found: Scores = self.vectors @ embed(question)
        if (unnamed := self.surroundings.unnamed(question)) is not None:
            found = np.where(self.surroundings.threaded, self.vectors @ embed(unnamed), found)
        return found

    def scores(self, question: str, match: Scores) -> Scores:
        """What words and vectors gave the items, with what their surroundings tell beside it."""
        return self.surroundings.scores(question, match, self.lexical.statistics.idf)

    def to_arrays(self) -> Arrays:
        """What `from_arrays` makes the segment of again."""
        return {
            "ids": joined(self.ids),
            "vectors": self.vectors,
            **under("lexical", self.lexical.to_arrays()),
            **under("surroundings", self.surroundings.to_arrays()),
        }

    @classmethod
    def from_arrays(cls, kind: Kind, arrays: Arrays) -> "Segment":
        """The segment that `to_arrays` was called on."""
        lexical = LexicalIndex.from_arrays(inside("lexical", arrays))
        surroundings = Surroundings.from_arrays(inside("surroundings", arrays))
        return cls(kind, separated(arrays["ids"]), lexical, np.asarray(arrays["vectors"], np.float32), surroundings)
