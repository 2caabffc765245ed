"""On which side of a relation a question's words put its subject: who does it, or to whom it is done."""

import re
from collections.abc import Iterator, Sequence

from services.analyst.mentions import NameMention
from services.analyst.question_cues import BE, DO, HAVE, OF, RelationCue
from services.analyst.question_words import QuestionWord
from services.analyst.vocabulary import Side, other, taken_apart

_ADVERBS = ("not", "ever", "also", "then", "already")
_DOING = frozenset(("make", "made", "makes", "making", "undertook", "conducted", "completed"))
_FAR = 5
"""So many words may stand between a verb that says nothing by itself and the noun that does."""
_VERB_ENDING = re.compile(r"(?:ed|ing)$")
_PARTICIPLE = re.compile(r"(?:ed|en|wn|ne|ld|ght|um|un|ung|ade|ept|eft|et)$")
_ARTICLES = frozenset(
    ("the", "a", "an", "'s", "its", "his", "her", "their", "whose", "any", "all", "other", "current", "first", "last")
)


def subject_side(
    words: Sequence[QuestionWord], cues: Sequence[RelationCue], subject: NameMention, *, stative: bool
) -> Side | None:
    """Read the cue that says most: a noun names who is on its side, a verb's voice tells who does it to whom."""
    if (done := next((cue for cue in cues if _is_done(words, cue, subject)), None)) is not None:
        return taken_apart(done.relation).doer
    best = max((cue for cue in cues if cue.hint.side is not None), key=lambda cue: cue.hint.weight, default=None)
    if best is None or best.hint.side is None:
        return None
    if _is_noun(words, best):
        named = best.hint.named or best.hint.side
        return named if _names_subject(words, best, subject) else other(named)
    acts = _acts(words, best, subject, stative=stative)
    return None if acts is None else best.hint.side if acts else other(best.hint.side)


def _is_done(words: Sequence[QuestionWord], cue: RelationCue, subject: NameMention) -> bool:
    """True for what the subject does by a noun: "A made the most acquisitions"."""
    return any(subject.last <= place < cue.first for place in done_by_noun(words, cue))


def done_by_noun(words: Sequence[QuestionWord], cue: RelationCue) -> frozenset[int]:
    """Return the places of "made" beside a noun that says what was done: "made the most acquisitions"."""
    if not is_bare(words, cue):
        return frozenset()
    near = range(max(0, cue.first - _FAR), min(len(words), cue.last + _FAR))
    return frozenset(at for at in near if words[at].low in _DOING)


def is_bare(words: Sequence[QuestionWord], cue: RelationCue) -> bool:
    """True for a cue that may be a noun of what is done: "purchases", "acquisition"."""
    return cue.hint.form != "noun" and not _VERB_ENDING.search(words[cue.first].low)


def _auxiliaries(words: Sequence[QuestionWord], verb: int, subject: NameMention) -> Iterator[str]:
    """Return the auxiliaries that belong to a verb: back over the subject and adverbs, to the first other word."""
    for place in range(verb - 1, -1, -1):
        low = words[place].low
        if low in BE | DO | HAVE:
            yield low
        elif not (place in subject.places or low in _ADVERBS or low.endswith("ly")):
            return


def _around(words: Sequence[QuestionWord], cue: RelationCue) -> tuple[str, str]:
    """Return the word before a cue and the one after it; empty where there is none."""
    before = words[cue.first - 1].low if cue.first else ""
    return before, words[cue.last].low if cue.last < len(words) else ""


def _is_noun(words: Sequence[QuestionWord], cue: RelationCue) -> bool:
    before, after = _around(words, cue)
    if before == "all" and cue.first > 1 and words[cue.first - 2].low in ("who", "what"):
        before = ""  # "Who all depends on it?"
    stands_as_noun = (before in _ARTICLES and after != "by") or after == "of"
    return cue.hint.form == "noun" or (is_bare(words, cue) and stands_as_noun)


def _names_subject(words: Sequence[QuestionWord], cue: RelationCue, subject: NameMention) -> bool:
    """True where the noun is said of the subject: "Which PEPs is Guido the delegate of?"."""
    before, after = _around(words, cue)
    if _is_had_as(words, cue, subject):
        return True
    if subject.first > cue.first:
        return before == "whose"
    between = {word.low for word in words[subject.last : cue.first]}
    inverted = {word.low for word in words[max(0, subject.first - 2) : subject.first]}
    return "'s" not in between and bool(BE & (between | inverted)) and after in OF


def _is_had_as(words: Sequence[QuestionWord], cue: RelationCue, subject: NameMention) -> bool:
    """True for "who had Ada as a doctor" and "who had doctor Ada": the noun is what the subject is to them."""
    lead = [word.low for word in words[: min(cue.first, subject.first)] if word.low not in _ARTICLES]
    between = [word.low for word in words[subject.last : cue.first] if word.low not in _ARTICLES]
    is_beside = cue.last == subject.first or (subject.last <= cue.first and between == ["as"])
    return is_beside and bool(HAVE.intersection(lead[-1:]))


def _acts(words: Sequence[QuestionWord], cue: RelationCue, subject: NameMention, *, stative: bool) -> bool | None:
    """True where the subject does what the verb says, False where it is done to it."""
    if any(word.low == "namely" for word in words[subject.last : cue.first]):
        return None  # "Who pays for it, namely sponsors it?"
    before = set(_auxiliaries(words, cue.first, subject))
    by = next((cue.last + n for n, word in enumerate(words[cue.last : cue.last + 2]) if word.low == "by"), None)
    led = by is not None or any(word.low == "by" for word in words[:2])
    participle = not stative and _PARTICIPLE.search(words[cue.first].low)
    if not participle or before & DO or not (led or before & BE):
        return subject.first < cue.first
    if subject.first < cue.first:
        return False
    return True if by is not None and subject.first >= by else None
