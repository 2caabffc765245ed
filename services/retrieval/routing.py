"""What a question asks for: a part of somebody's document, that part of all documents, or a meaning."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from services.retrieval.tokens import STOP_WORDS, stems, tokens

Kind = Literal["section_based_scoped", "section_based_cross_document", "semantic"]

ATTRIBUTES = frozenset(
    (
        "skill",
        "experience",
        "education",
        "qualification",
        "role",
        "position",
        "project",
        "background",
        "certification",
        "achievement",
        "award",
        "publication",
        "language",
        "interest",
        "responsibility",
        "summary",
        "objective",
        "training",
        "reference",
    )
)
"""What documents have parts on, in the singular."""

_NOT_NAMES = frozenset(
    (
        "the",
        "this",
        "that",
        "what",
        "when",
        "where",
        "who",
        "why",
        "how",
        "tell",
        "show",
        "give",
        "find",
        "search",
        "get",
        "which",
        "whose",
        "list",
        "describe",
        "summarise",
        "summarize",
        "explain",
        "compare",
        "does",
        "did",
        "are",
        "was",
        "can",
        "has",
        "have",
        "please",
        "any",
        "all",
        "every",
        "each",
        "across",
        "and",
        "for",
        "with",
        "from",
    )
)
_NOT_TOPICS = STOP_WORDS | frozenset(
    (
        "tell",
        "show",
        "get",
        "find",
        "list",
        "give",
        "section",
        "work",
        "worked",
        "all",
        "every",
        "each",
        "any",
        "across",
        "please",
        "documents",
        "document",
        "everybody",
        "everyone",
    )
)
_EVERYBODY = frozenset(("all", "every", "each", "any", "everybody", "everyone", "across"))
_LEAST_LETTERS = 3
MOST_ELSE = 3
"""So many words that tell may stand beside the part and the names in a question for that part."""


@dataclass(frozen=True, slots=True)
class Route:
    """Where to look. `section_query` names the part of a document, where the question asks for one."""

    kind: Kind
    section_query: str | None
    names: tuple[str, ...]

    @property
    def routing(self) -> Literal["hard", "soft"]:
        """Hard: only what is in matching sections; soft: they only count for more."""
        return "soft" if self.kind == "semantic" else "hard"

    def asks_for_little_else(self, question: str) -> bool:
        """True for a question that names a part of documents and says little more.

        A sentence that says much else is on that: "language" in it seldom means the section "Languages".
        """
        known = {stem for text in (*self.names, self.section_query or "") for stem in stems(text)}
        return len(set(stems(question)) - known) <= MOST_ELSE


def route(question: str, named: Callable[[str], tuple[str, ...]] = lambda _: ()) -> Route:
    """Read a question. `named` gives the names in it that the graph knows; failing those, capitals tell."""
    known = named(question)
    words = tokens(question)
    everybody = not known and bool(_EVERYBODY & {word.lower() for word in words})
    names = known or (() if everybody else _by_capitals(words))
    place = _attribute(words, names)
    if place is None:
        return Route("semantic", None, names)
    if names:
        return Route("section_based_scoped", words[place].lower(), names)
    start = place  # what qualifies the attribute: the words before it, back to the first that says nothing
    while start and words[start - 1].lower() not in _NOT_TOPICS:
        start -= 1
    return Route("section_based_cross_document", " ".join(words[start : place + 1]).lower(), names)


def _by_capitals(words: list[str]) -> tuple[str, ...]:
    return tuple(
        word
        for word in words
        if word[0].isupper()
        and len(word) >= _LEAST_LETTERS
        and word.lower() not in _NOT_NAMES
        and not _is_attribute(word)
    )


def _attribute(words: list[str], names: tuple[str, ...]) -> int | None:
    """Where the attribute stands: "summary" is one only where no other is."""
    taken = {part.lower() for name in names for part in tokens(name)}
    places = [i for i, word in enumerate(words) if _is_attribute(word) and word.lower() not in taken]
    telling = [i for i in places if words[i].lower() != "summary"]
    return next(iter((*telling, *places)), None)


def _is_attribute(word: str) -> bool:
    lower = word.lower()
    return lower in ATTRIBUTES or lower.removesuffix("s") in ATTRIBUTES or lower.removesuffix("ies") + "y" in ATTRIBUTES
