"""Whether a question is still a sentence without the words that were not understood."""

from collections.abc import Sequence, Set

from services.analyst.parsed_question import ParsedQuestion
from services.analyst.question_cues import BE, DO, HAVE, OF
from services.analyst.question_words import QuestionWord, places_of

_MODAL = frozenset(("can", "could", "may", "might", "must", "shall", "should", "will", "would"))
_AUXILIARIES = BE | DO | HAVE | _MODAL
_BEFORE_NOUNS = frozenset(
    ("the", "a", "an", "'s", "its", "his", "her", "their", "whose", "which", "many", "much", "every", "each", "any")
)
_ASKING_FOR_ONE = frozenset(("which", "whose", "many", "much"))
_REASON_OR_WAY = frozenset(("why", "how"))
_LINKING = OF | {"by", "with", "as", "about", "and", "or"}
_ADVERBS = frozenset(("not", "ever", "also", "then", "already", "still", "first", "last"))


def is_whole(question: ParsedQuestion, left: Sequence[int]) -> bool:
    """True where a question keeps its verb, and each of its small words what it stands before.

    Without "why" or "how" it asks for something else.
    """
    if any(question.words[place].low in _REASON_OR_WAY for place in left):
        return False
    return _keeps_verb(question, set(left)) and not any(_is_stranded(question, place, left) for place in left)


def _keeps_verb(question: ParsedQuestion, left: Set[int]) -> bool:
    """False where the word behind the subject of an auxiliary is left out, or one before the only name without any."""
    words, names = question.words, places_of(question.mentions)
    kept = [place for place, word in enumerate(words) if word.low in _AUXILIARIES and place not in names | left]
    if not kept:
        return min(left) > min(names, default=len(words))
    behind = [place for place in range(kept[0] + 1, len(words)) if words[place].low not in _ADVERBS]
    subject = [place for place in behind if place in names]
    if not subject:
        return words[kept[0]].low in BE | HAVE or not left & set(behind)
    last = next(mention.last for mention in question.mentions if subject[0] in mention.places)
    return next((place for place in behind if place >= last), -1) not in left


def _is_stranded(question: ParsedQuestion, place: int, left: Sequence[int]) -> bool:
    """True where the noun behind "which" or "the" is left out, or what a preposition or "is" would lead to."""
    words = question.words
    before = next((words[at].low for at in range(place - 1, -1, -1) if at not in left), "")
    after = next((at for at in range(place + 1, len(words)) if at not in left), None)
    is_end = after is None or after in question.dated or _is_small(words[after])
    if before in _BEFORE_NOUNS:
        return is_end or (before in _ASKING_FOR_ONE and after in places_of(question.mentions))
    return before in _LINKING and is_end


def _is_small(word: QuestionWord) -> bool:
    return word.low in _AUXILIARIES | _LINKING | {"'s"}
