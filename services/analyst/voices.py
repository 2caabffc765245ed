"""On which side of a relation the words of a question put its subject."""

import re
from collections.abc import Sequence

from services.analyst.evidence import BE, DO, HAVE, OF, Told
from services.analyst.mentions import Mention
from services.analyst.vocabulary import Side, other
from services.analyst.words import Word

_ARTICLES = frozenset(
    ("the", "a", "an", "'s", "its", "his", "her", "their", "whose", "any", "all", "other", "current", "first", "last")
)


def side_told(words: Sequence[Word], told: Sequence[Told], subject: Mention, *, stative: bool) -> Side | None:
    """By the hint that says most: a noun names who is on its side, a verb's voice tells who does it to whom."""
    best = max((t for t in told if t.hint.side is not None), key=lambda t: t.hint.weight, default=None)
    if best is None or best.hint.side is None:
        return None
    if _is_noun(words, best):
        named = best.hint.named or best.hint.side
        return named if _names_subject(words, best, subject) else other(named)
    acts = _acts(words, best, subject, stative=stative)
    return None if acts is None else best.hint.side if acts else other(best.hint.side)


def _just_before(words: Sequence[Word], verb: int, subject: Mention) -> Sequence[int]:
    """The auxiliaries that belong to a verb: back over the subject and adverbs, to the first other word."""
    found = []
    for place in range(verb - 1, -1, -1):
        low = words[place].low
        if low in BE or low in DO or low in HAVE:
            found.append(place)
        elif not (
            subject.first <= place < subject.last
            or low in ("not", "ever", "also", "then", "already")
            or low.endswith("ly")
        ):
            break
    return found


def _is_noun(words: Sequence[Word], told: Told) -> bool:
    if told.hint.form == "noun":
        return True
    before = words[told.first - 1].low if told.first else ""
    after = words[told.last].low if told.last < len(words) else ""
    if before == "all" and told.first > 1 and words[told.first - 2].low in ("who", "what"):
        before = ""  # "Who all depends on it?"
    bare = not re.search(r"(?:ed|ing)$", words[told.first].low)
    return bare and ((before in _ARTICLES and after != "by") or after == "of")


def _names_subject(words: Sequence[Word], told: Told, subject: Mention) -> bool:
    """True where the noun is said of the subject: "Which PEPs is Guido the delegate of?"."""
    if subject.first > told.first:
        return told.first > 0 and words[told.first - 1].low == "whose"
    between = [word.low for word in words[subject.last : told.first]]
    after = words[told.last].low if told.last < len(words) else ""
    if "'s" in between:
        return False
    inverted = any(word.low in BE for word in words[max(0, subject.first - 2) : subject.first])
    return (any(word in BE for word in between) or inverted) and after in OF


def _acts(words: Sequence[Word], told: Told, subject: Mention, *, stative: bool) -> bool | None:
    """True where the subject does what the verb says, False where it is done to it."""
    if any(word.low == "namely" for word in words[subject.last : told.first]):
        return None  # "Who pays for it, namely sponsors it?"
    verb = words[told.first].low
    before = [words[at].low for at in _just_before(words, told.first, subject)]
    subject_first = subject.first < told.first
    by = next((place for place in range(told.last, min(told.last + 2, len(words))) if words[place].low == "by"), None)
    led = any(word.low == "by" for word in words[:2])
    participle = bool(re.search(r"(?:ed|en|wn|ne|ld|ght|um|un|ung|ade|ept|eft|et)$", verb))
    passive = (
        not stative
        and participle
        and not any(word in DO for word in before)
        and (by is not None or led or any(word in BE for word in before))
    )
    if not passive:
        return subject_first
    if subject_first:
        return False
    return True if by is not None and subject.first >= by else None
