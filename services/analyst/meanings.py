"""Words that neither a relation's name nor any synonym knows, told by what a model of language takes for alike."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from services.analyst.lexicon import Lexicon
from services.analyst.question import Question
from services.analyst.vocabulary import Hint, taken_apart
from services.analyst.words import FUNCTION_WORDS, LIGHT_WORDS, Key, Word

Alike = Callable[[str, str], float]
"""How much two words mean the same, up to 1."""

LEAST = 0.62
"""So alike two words are that mean the same. Below it are many that merely occur together ("born" and "lives")."""
WEIGHT = 0.9
_LEAST_LETTERS = 4
_MOST_WORDS = 3


def with_meanings(question: Question, alike: Alike) -> Lexicon | None:
    """The lexicon with what the question's strange words may mean for its entities; None where they mean nothing."""
    found: dict[Key, tuple[tuple[str, Hint], ...]] = {}
    own = {relation for m in question.mentions for name in m.names for relation in question.lexicon.sides.get(name, {})}
    for word in _strange(question):
        hints = _meant(word, own, alike)
        if hints:
            found[word.stem,] = tuple((relation, Hint(weight)) for relation, weight in hints.items())
    return replace(question.lexicon, hints={**question.lexicon.hints, **found}) if found else None


def _strange(question: Question) -> list[Word]:
    """Words in small letters that nothing explains so far."""
    evidence = question.evidence
    known = {place for told in evidence.told for place in range(told.first, told.last)} | set(evidence.types)
    known |= evidence.dated | {place for m in question.mentions for place in range(m.first, m.last)}
    return [
        word
        for place, word in enumerate(question.words)
        if place not in known
        and word.low not in FUNCTION_WORDS
        and word.low not in LIGHT_WORDS
        and word.text.islower()
        and len(word.low) >= _LEAST_LETTERS
    ][:_MOST_WORDS]


def _meant(word: Word, relations: set[str], alike: Alike) -> Mapping[str, float]:
    likeness = {r: max(alike(word.low, part) for part in taken_apart(r).content) for r in relations}
    return {relation: WEIGHT * like for relation, like in likeness.items() if like >= LEAST}
