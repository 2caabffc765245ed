"""An index in step with its mirror: which of its items are still as they were, and which facts may be found."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from services.mirror.search_rows import Keys
from services.mirror.vectors import VectorModel
from services.retrieval.catalog import Signatures
from services.retrieval.index import Allowed, SearchIndex
from services.retrieval.items import Kind


@dataclass(frozen=True)
class LiveIndex:
    """An index in step with a version of its mirror.

    `alive` are the items that are still as they were indexed, `keys` stand for their ids. `waiting` items are not
    findable yet, or not by vectors; `stale_model` is the model of the vectors there are, where that is not the one of
    the settings: they are not used then.
    """

    index: SearchIndex
    version: int
    alive: Allowed
    keys: Mapping[Kind, Keys]
    waiting: int = 0
    stale_model: VectorModel | None = None

    def having(self, kind: Kind, keys: Keys) -> NDArray[np.bool_]:
        """Which items of a kind have one of these keys, by position."""
        known, where = self._known_keys[kind]
        if not len(known):
            return np.zeros(0, bool)
        places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        chosen = np.zeros(len(known), bool)
        chosen[places[known[places] == keys]] = True
        return chosen[where]

    @cached_property
    def _known_keys(self) -> dict[Kind, tuple[Keys, NDArray[np.intp]]]:
        """For each kind its keys in order, each once, and for each item the place of its own."""
        return {kind: np.unique(held, return_inverse=True) for kind, held in self.keys.items()}


def count_later(index: SearchIndex) -> int:
    """How many items stand beside an index."""
    return sum(len(segment.ids) for segment in index.later.values())


def alive(index: SearchIndex, kind: Kind, now: Signatures, built: Signatures) -> NDArray[np.bool_]:
    """Which items are as they were indexed; the later ones always are."""
    main = [now.get(id) == built[id] for id in index.main[kind].ids]
    return np.array([*main, *(True for _ in index.later[kind].ids)], bool)


def embedded(index: SearchIndex, kind: Kind) -> NDArray[np.bool_]:
    """Which items have a vector."""
    return np.concatenate([part.vectors.any(axis=1) for part in (index.main[kind], index.later[kind])])
