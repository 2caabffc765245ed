"""Which words of a question nothing explains: where there are any, the answer would be a guess."""

import re
from collections.abc import Sequence, Set

from services.analyst.parsed_question import ParsedQuestion
from services.analyst.question_words import FUNCTION_WORDS, LIGHT_WORDS, QuestionWord, places_of
from services.analyst.relation_choice import RelationChoice
from services.analyst.vocabulary import OWN
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
_LIKE = re.compile(r" look(?:ed|s)? like ")
_HOW = re.compile(r" how (?:far along )?(?:is|was|are|were|did|does|has|had) ")


def unexplained(question: ParsedQuestion, explained: frozenset[int], choice: RelationChoice | None) -> tuple[str, ...]:
    """Return the words that are neither name, date, cue, part of the relation nor a word without content.

    Without a choice no relation is asked for.
    """
    known = places_of(question.mentions) | question.dated | explained
    known |= _compounds(question.words, known) | _kinds(question)
    strong = choice is not None and choice.word_score >= STRONG
    if choice is not None and strong:
        known |= _repeated(question.words, choice)
    left = [
        (place, word)
        for place, word in enumerate(question.words)
        if place not in known and word.low not in FUNCTION_WORDS
    ]
    light = choice is None or strong or choice.sure
    return tuple(
        word.text
        for place, word in left
        if not (
            (not place and word.low in _ORDERS)
            or (word.low == "present" and place + 1 in known)
            or (light and word.low in LIGHT_WORDS and not _means_another(question, place, choice))
            or _is_small(question, word, strong)
        )
    )


def _means_another(question: ParsedQuestion, place: int, choice: RelationChoice | None) -> bool:
    """True for a word that names another relation of the subject: "reported" is no light word then."""
    own = (cue for cue in question.cues.relations if place in cue.places and cue.hint.weight >= OWN)
    return choice is not None and any(cue.relation in choice.others for cue in own)


def _is_small(question: ParsedQuestion, word: QuestionWord, strong: bool) -> bool:
    """ "Will" of a date to come, and "how" of what the relation itself is asked for."""
    text, when = question.template.text, question.when
    if word.low in ("will", "would", "going", "supposed") and when.first is not None and when.first > clock.now():
        return True
    if word.low in _BELIEF and when.known_at is not None:
        return True
    pattern = _HOW if word.low == "how" and strong else _LIKE if word.low == "like" else None
    return pattern is not None and bool(pattern.search(text))


def _repeated(words: Sequence[QuestionWord], choice: RelationChoice) -> frozenset[int]:
    """Return what before or after "namely" means the same as the side that is understood."""
    again = next((place for place, word in enumerate(words) if word.low == "namely"), len(words))
    before, after = frozenset(range(again)), frozenset(range(again, len(words)))
    return before if choice.places <= after else after if choice.places <= before else frozenset()


def _kinds(question: ParsedQuestion) -> frozenset[int]:
    """Return where it says what a name is, right before it ("the dog Biscuit") or behind it."""
    words = question.words
    return frozenset(
        place
        for mention in question.mentions
        for place in (mention.first - 1, mention.last, mention.last + 1)
        if 0 <= place < len(words) and words[place].stem in question.lexicon.kinds_of(mention.name)
    )


def _compounds(words: Sequence[QuestionWord], known: Set[int]) -> frozenset[int]:
    """Return the words that a hyphen joins with one that is explained: "BDFL-delegate"."""
    joined = [place for place, word in enumerate(words) if place and word.gap == "-"]
    return frozenset(place - 1 for place in joined if place in known) | {p for p in joined if p - 1 in known}
