"""What a question asks for: a part of somebody's document, that part of all documents, or a meaning."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from services.retrieval.question_names import NameRun, QuestionNames
from services.retrieval.section_variants import part_of, variant_in
from services.retrieval.tokens import STOP_WORDS, stems

Kind = Literal["section_based_scoped", "section_based_cross_document", "semantic"]

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
_EVERYBODY = frozenset(
    [
        "all",
        "every",
        "each",
        "any",
        "everybody",
        "everyone",
        "anybody",
        "anyone",
        "across",
        "who",
        "people",
        "candidates",
        "applicants",
    ]
)
MOST_ELSE = 3
"""So many words that tell may stand beside the part and the names in a question for that part."""


@dataclass(frozen=True, slots=True)
class Route:
    """Where to look. `section_query` names the part of a document, where the question asks for one.

    `names` are whose part it is; `topics` the names that the part has to mention.
    """

    kind: Kind
    section_query: str | None
    names: tuple[str, ...]
    topics: tuple[str, ...] = ()

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


def route(
    question: str,
    named: Callable[[str], tuple[str, ...]] = lambda _: (),
    is_heading: Callable[[tuple[str, ...], str], bool] = lambda _names, _heading: False,
) -> Route:
    """Read a question. `named` gives the names in it that the graph knows, beside those that capitals tell.

    `is_heading` tells whether something of these names has such a heading, which a question may ask for as well.
    """
    found = QuestionNames(question, named(question), lambda word: part_of(word) is not None)
    place = _part(found)
    owners, topics = _sorted_out(found, place)
    names = tuple(run.text for run in owners)
    if place is None:
        return _of_a_heading(found, owners, is_heading)
    if names:
        return Route("section_based_scoped", found.pieces[place].word.lower(), names)
    words = [piece.word for piece in found.pieces]
    start = place  # what qualifies the part: the words before it, back to the first that says nothing
    while start and words[start - 1].lower() not in _NOT_TOPICS:
        start -= 1
    section_query = " ".join(words[start : place + 1]).lower()
    return Route("section_based_cross_document", section_query, (), tuple(run.text for run in topics))


def _part(found: QuestionNames) -> int | None:
    """Where the part stands: "summary" is one only where no other is."""
    places = [
        place
        for place, piece in enumerate(found.pieces)
        if part_of(piece.word) is not None and not found.is_named(place)
    ]
    telling = [place for place in places if part_of(found.pieces[place].word) != "summary"]
    return next(iter((*telling, *places)), None)


def _sorted_out(found: QuestionNames, part: int | None) -> tuple[list[NameRun], list[NameRun]]:
    """Whose part a question asks for, and which names say what has to stand in it."""
    qualifying = [
        run for run in found.runs if part is not None and not run.is_possessive and _leads_to(found, run, part)
    ]
    owners = [run for run in found.owners() if run not in qualifying]
    if owners:
        return owners, []
    if any(piece.word.lower() in _EVERYBODY for piece in found.pieces):
        return [], [run for run in found.runs if run in qualifying or found.stands_beside(run)]
    return [run for run in found.runs if not found.stands_beside(run)], []


def _leads_to(found: QuestionNames, run: NameRun, part: int) -> bool:
    """True where nothing but words that tell stand between a name and the part."""
    between = [piece.word.lower() for piece in found.pieces[run.end : part]]
    return run.end <= part and not any(word in _NOT_TOPICS for word in between)


def _of_a_heading(
    found: QuestionNames, owners: list[NameRun], is_heading: Callable[[tuple[str, ...], str], bool]
) -> Route:
    """The route to a part by another of its names, or to a section by its heading."""
    names = tuple(run.text for run in owners)
    named = {place for run in owners for place in range(run.first, run.end)}
    rest = [piece.word for place, piece in enumerate(found.pieces) if place not in named]
    if names and (variant := variant_in(rest)):
        return Route("section_based_scoped", variant, names)
    heading = " ".join(word.lower() for word in rest if word.lower() not in _NOT_TOPICS)
    if names and heading and is_heading(names, heading):
        return Route("section_based_scoped", heading, names)
    return Route("semantic", None, names)
