"""Words that neither a relation's name nor any synonym knows, told by what a model of language takes for alike."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from services.analyst.graph_lexicon import Lexicon
from services.analyst.parsed_question import ParsedQuestion
from services.analyst.question_words import SMALL_WORDS, Key, QuestionWord, places_of
from services.analyst.vocabulary import Hint, taken_apart

Alike = Callable[[str, str], float]
"""How much two words mean the same, up to 1."""

LEAST = 0.62
"""So alike two words are that mean the same. Below it are many that merely occur together ("born" and "lives")."""
WEIGHT = 0.9
_LEAST_LETTERS = 4
_MOST_WORDS = 3


def with_embedding_synonyms(question: ParsedQuestion, alike: Alike) -> Lexicon | None:
    """The lexicon with what the question's strange words may mean for its entities; None where they mean nothing."""
    found: dict[Key, tuple[tuple[str, Hint], ...]] = {}
    own = {relation for m in question.mentions for name in m.names for relation in question.lexicon.sides.get(name, {})}
    for word in _strange(question):
        if hints := _meant(word, own, alike):
            found[word.stem,] = tuple((relation, Hint(weight)) for relation, weight in hints.items())
    return replace(question.lexicon, hints={**question.lexicon.hints, **found}) if found else None


def _strange(question: ParsedQuestion) -> list[QuestionWord]:
    """Return the words in small letters that nothing explains so far."""
    cues = question.cues
    known = places_of(cues.relations) | cues.taken | set(cues.types)
    strange = (w for at, w in enumerate(question.words) if at not in known and w.low not in SMALL_WORDS)
    return [word for word in strange if word.text.islower() and len(word.low) >= _LEAST_LETTERS][:_MOST_WORDS]


def _meant(word: QuestionWord, relations: set[str], alike: Alike) -> Mapping[str, float]:
    likeness = {r: max(alike(word.low, part) for part in taken_apart(r).content) for r in relations}
    return {relation: WEIGHT * like for relation, like in likeness.items() if like >= LEAST}
