"""The recipe `graphrag`: similarity, plus a boost for keywords, plus what links to similar chunks give.

It stands beside the tuned recipe for those who know its figures: 12 candidates, keywords any or all with a boost of
0.3 (0.4 where the question names somebody and a part of their documents, which then joins the keywords), one or two
hops over SEMANTICALLY_SIMILAR, a boost for chunks in sections that the question is on, and a cut at 0.3. Scores are
sums, so they may be above 1.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from services.mirror.mirror import Mirror
from services.retrieval.index import Scored
from services.retrieval.routing import Route
from services.retrieval.tokens import stems

KeywordMatch = Literal["any", "all"]

CANDIDATES = 12
KEYWORD_BOOST, SCOPED_KEYWORD_BOOST = 0.3, 0.4
SECTION_BOOST = 0.1
CUT = 0.3
HOP = 0.5
"""How much of a candidate's similarity each hop hands on, times the link's own."""


@dataclass(frozen=True, slots=True)
class Keywords:
    """What a chunk should hold: any of these words, or all."""

    words: tuple[str, ...]
    match: KeywordMatch = "any"
    boost: float = KEYWORD_BOOST

    @classmethod
    def of(
        cls, asked: Route, given: Sequence[str] = (), match: KeywordMatch = "any", boost: float | None = None
    ) -> "Keywords":
        """The keywords that are given; failing that, the names in the question. So it is with their `boost`."""
        words = [word.lower() for word in given or asked.names]
        if asked.kind == "section_based_scoped" and asked.section_query:
            return cls((*words, asked.section_query), match, SCOPED_KEYWORD_BOOST if boost is None else boost)
        return cls(tuple(words), match, KEYWORD_BOOST if boost is None else boost)

    def score(self, text: str) -> float:
        """How many of the keywords stand in a text, from 0 to 1; for `all` it is 1 or 0."""
        if not self.words:
            return 0.0
        held = set(stems(text)) | set(text.lower().split())
        found = sum(set(stems(word)) <= held for word in self.words) / len(self.words)
        return found if self.match == "any" else float(found == 1.0)


def rank(
    mirror: Mirror, cosines: Mapping[str, float], keywords: Keywords, hops: int, on_topic: Collection[str]
) -> list[Scored]:
    """Chunks by the sum of what they score; `cosines` are those of the chunks that may be found.

    `on_topic` are the chunks in sections that the question is on.
    """
    nearest = sorted(cosines, key=lambda id: (-cosines[id], id))[:CANDIDATES]
    linked = _linked(mirror, {id: cosines[id] for id in nearest}, hops, cosines)
    texts = {id: chunk.text for id, chunk in mirror.chunks({*nearest, *linked}).items()}
    found = []
    for id, text in texts.items():
        keyword, graph = keywords.score(text), linked.get(id, 0.0)
        score = cosines[id] + keywords.boost * keyword + graph + SECTION_BOOST * (id in on_topic)
        found.append(Scored("chunk", id, -1, score, score, keyword, cosines[id], graph, 0.0))
    return sorted((one for one in found if one.score >= CUT), key=lambda one: (-one.score, one.id))


def _linked(mirror: Mirror, found: Mapping[str, float], hops: int, allowed: Mapping[str, float]) -> dict[str, float]:
    """What the likest candidates hand on to the chunks that they are linked to."""
    scores: dict[str, float] = {}
    frontier = dict(found)
    for _ in range(hops):
        reached: dict[str, float] = {}
        for near, far, similarity in mirror.links_of(frontier):
            handed = HOP * similarity * frontier[near]
            if far in allowed and far not in found and handed > max(scores.get(far, 0), reached.get(far, 0)):
                reached[far] = handed
        scores |= reached
        frontier = reached
    return scores
