"""What is looked for."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from services.core.errors import BadInput
from services.retrieval.graphrag_recipe import KeywordMatch
from services.retrieval.items import KINDS, Kind
from services.retrieval.recipes import RECIPES, TUNED

Mode = Literal["hybrid", "vector", "keyword"]
MODES: tuple[Mode, ...] = ("hybrid", "vector", "keyword")

MOST_HITS = 200
LONGEST_TEXT = 4_000
"""Characters: as many as a question has at the most."""


def check_text(text: str) -> None:
    """Raise `BadInput` for a text that is too long to be looked for."""
    if len(text) > LONGEST_TEXT:
        raise BadInput(f"The query has {len(text):,} characters.", f"Use at most {LONGEST_TEXT:,} characters.")


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for. With `as_of` facts that do not hold then are left out; without it all recorded ones count.
    With `undated` those are found too that may hold then, since nobody knows when they began.

    `use_graph` False gives plain similarity. `keywords`, how they match, what they add and `hops` are for the recipe
    `graphrag`; without keywords of its own the names in the question are taken. `documents`, `types`, `relations`
    and `section` narrow what may be found; empty ones do not. So do `since` and `until`, for the reference time of
    documents, half-open.
    """

    text: str
    kinds: tuple[Kind, ...] = KINDS
    k: int = 8
    as_of: datetime | None = None
    known_at: datetime | None = None
    mode: Mode = "hybrid"
    recipe: str = TUNED.name
    use_graph: bool = True
    keywords: tuple[str, ...] = ()
    keyword_match: KeywordMatch = "any"
    keyword_boost: float | None = None
    hops: int = 1
    documents: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    section: str = ""
    since: datetime | None = None
    until: datetime | None = None
    undated: bool = False

    def check(self) -> None:
        """Raise `BadInput` for what cannot be asked so."""
        check_text(self.text)
        if not 1 <= self.k <= MOST_HITS:
            raise BadInput(f"{self.k} is not a valid number of hits.", f"Choose 1 to {MOST_HITS} hits.")
        if self.hops not in (1, 2):
            raise BadInput(f"{self.hops} is not a valid number of hops.", "Choose 1 or 2 hops.")
        if self.recipe not in RECIPES:
            raise BadInput(f"There is no recipe “{self.recipe}”.", f"Available: {', '.join(RECIPES)}.")
