"""Which words of a question nothing explains: where there are any, the answer would be a guess."""

import re
from collections.abc import Sequence
from typing import Protocol

from services.analyst.evidence import Evidence
from services.analyst.mentions import Mention
from services.analyst.relations import Choice
from services.analyst.skeleton import Skeleton
from services.analyst.time_frame import TimeFrame
from services.analyst.vocabulary import OWN
from services.analyst.words import FUNCTION_WORDS, LIGHT_WORDS, Word
from services.core import clock

STRONG = 0.9
"""So strongly words must speak for a relation that verbs like "become" and "hold" need no other explanation."""

_ORDERS = frozenset(
    ("tell", "find", "get", "name", "state", "identify", "display", "print", "fetch", "return", "say", "see")
)
"""Verbs that only ask, where they open the question."""
_BELIEF = frozenset(
    ("would", "believe", "believed", "think", "thought", "know", "known", "say", "said", "assume", "assumed", "suppose")
)
"""What one does on the graph's clock."""
_HOW = re.compile(r" how (?:far along )?(?:is|was|are|were|did|does|has|had) ")


class Asked(Protocol):
    """A question taken apart."""

    @property
    def words(self) -> Sequence[Word]:
        """Its words."""

    @property
    def mentions(self) -> Sequence[Mention]:
        """The names in it."""

    @property
    def when(self) -> TimeFrame:
        """Its dates."""

    @property
    def evidence(self) -> Evidence:
        """What its words say of relations."""

    @property
    def skeleton(self) -> Skeleton:
        """Its words around names and dates."""


def unexplained(question: Asked, explained: frozenset[int], choice: Choice | None) -> tuple[str, ...]:
    """The words that are neither name, date, cue, part of the relation nor a word without content.

    Without a choice no relation is asked for.
    """
    known = {place for mention in question.mentions for place in range(mention.first, mention.last)} | explained
    known |= _compounds(question.words, known) | _kinds(question)
    if choice is not None and choice.evidence >= STRONG:
        known |= _said_again(question.words, choice)
    light = choice is None or choice.evidence >= STRONG or choice.sure
    left = []
    for place, word in enumerate(question.words):
        if (
            place in known
            or word.low in FUNCTION_WORDS
            or (not place and word.low in _ORDERS)
            or any(a <= word.start < b for a, b in question.when.spans)
        ):
            continue
        if word.low == "present" and place + 1 in known:
            continue
        if (light and word.low in LIGHT_WORDS and not _means_another(question, place, choice)) or _is_small(
            question, word, choice
        ):
            continue
        left.append(word.text)
    return tuple(left)


def _means_another(question: Asked, place: int, choice: Choice | None) -> bool:
    """True for a word that names another relation of the subject: "reported" is no light word then."""
    return choice is not None and any(
        told.first <= place < told.last and told.hint.weight >= OWN and told.relation in choice.others
        for told in question.evidence.told
    )


def _is_small(question: Asked, word: Word, choice: Choice | None) -> bool:
    """ "Will" of a date to come, and "how" of what the relation itself is asked for."""
    if word.low == "like":
        return bool(re.search(r" look(?:ed|s)? like ", question.skeleton.text))
    if word.low in _BELIEF and question.when.known_at is not None:
        return True
    if word.low in ("will", "would", "going", "supposed"):
        return question.when.first is not None and question.when.first > clock.now()
    return (
        word.low == "how"
        and choice is not None
        and choice.evidence >= STRONG
        and bool(_HOW.search(question.skeleton.text))
    )


def _said_again(words: Sequence[Word], choice: Choice) -> set[int]:
    """What is said before or after "namely" means the same as the side that is understood."""
    again = next((place for place, word in enumerate(words) if word.low == "namely"), None)
    if again is None or not choice.places:
        return set()
    if all(place > again for place in choice.places):
        return set(range(again))
    return set(range(again, len(words))) if all(place < again for place in choice.places) else set()


def _kinds(question: Asked) -> set[int]:
    """What a name is, right before it ("the dog Biscuit") or behind it."""
    found = set()
    for mention in question.mentions:
        kinds = question.evidence.lexicon.kinds_of(mention.name)
        for place in (mention.first - 1, mention.last, mention.last + 1):
            if 0 <= place < len(question.words) and question.words[place].stem in kinds:
                found.add(place)
    return found


def _compounds(words: Sequence[Word], known: set[int]) -> set[int]:
    """Words that a hyphen joins with one that is explained: "BDFL-delegate"."""
    return {
        place
        for place in range(len(words))
        if (place + 1 in known and place + 1 < len(words) and words[place + 1].gap == "-")
        or (place and place - 1 in known and words[place].gap == "-")
    }
