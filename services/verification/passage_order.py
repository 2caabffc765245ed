"""Whether a passage has it otherwise: what came first, what is to come, who gained, and which number is whose."""

from collections.abc import Sequence
from itertools import pairwise

from services.language.inflection import is_past
from services.language.quantities import Quantity
from services.verification.argument_order import is_name_like
from services.verification.change_roles import ClauseChange, changes_in
from services.verification.event_order import orders
from services.verification.passage_parts import PassageMatch, is_content, roots_of
from services.verification.sentence_clauses import AHEAD, SentenceClause
from services.verification.sentence_reading import ReadSentence, ReadWord
from services.verification.word_classes import is_negative, word_set

_BE = word_set("is are was were be been being")
_WILL = word_set("will shall")


def order_problem(match: PassageMatch) -> str:
    """Which of two events came first, who gained what another lost, and which number belongs to which verb."""
    claim, part = match.claim.reading, match.part.reading
    if _is_later(claim, part):
        return "it has that in the other order"
    if _gains_and_loses(claim, part):
        return "it has it the other way round"
    return _number_of_another_verb(claim, part)


def _is_later(claim: ReadSentence, part: ReadSentence) -> bool:
    """True when what the one has first the other has last."""
    for first, last in ((_roots(a), _roots(b)) for a, b in orders(claim)):
        for first_there, last_there in ((_roots(a), _roots(b)) for a, b in orders(part)):
            crossed = len(first & last_there), len(last & first_there)
            if all(crossed) and sum(crossed) > len(first & first_there) + len(last & last_there):
                return True
    return False


def _roots(words: Sequence[ReadWord]) -> frozenset[frozenset[str]]:
    return frozenset(roots_of(word.lower) for word in words if is_content(word))


def _gains_and_loses(claim: ReadSentence, part: ReadSentence) -> bool:
    """True when who gains something in the one loses it in the other."""
    theirs = list(changes_in(part.words, is_name_like))
    return any(
        _is_turned(one, other) for one in (changes_in(claim.words, is_name_like) if theirs else ()) for other in theirs
    )


def _is_turned(one: ClauseChange, other: ClauseChange) -> bool:
    mine, theirs = ((_names(change.loses), _names(change.gains)) for change in (one, other))
    if one.loses == one.gains or other.loses == other.gains:
        return False
    return bool(mine[0] & theirs[1] and mine[1] & theirs[0]) and not (mine[0] & theirs[0] or mine[1] & theirs[1])


def _names(words: Sequence[ReadWord]) -> frozenset[str]:
    return frozenset(word.lower for word in words)


def _number_of_another_verb(claim: ReadSentence, part: ReadSentence) -> str:
    """The number that a sentence has beside a verb, and the part beside another verb only."""
    theirs = [(roots_of(verb.lower), number) for number in part.numbers for verb in _verbs_beside(number, part)]
    for number in claim.numbers if len(part.numbers) > 1 else ():
        verb = min(_verbs_beside(number, claim), key=lambda word: _apart(word, number), default=None)
        same = [other for roots, other in theirs if verb and roots & roots_of(verb.lower)]
        if same and not any(number.says(one.value) for one in same) and any(number.says(n.value) for _, n in theirs):
            return f"it says {same[0].value:g} of that"
    return ""


def _verbs_beside(number: Quantity, reading: ReadSentence) -> list[ReadWord]:
    """The past verb before a number, and one right behind it."""
    verbs = [word for word in reading.words if not word.name and is_past(word.lower) and is_content(word)]
    before = [word for word in verbs if word.end <= number.start][-1:]
    return before + [word for word in verbs if 0 <= word.start - number.end <= MOST_BEHIND][:1]


def _apart(word: ReadWord, number: Quantity) -> int:
    return number.start - word.end if word.end <= number.start else word.start - number.end


MOST_BEHIND = 12
"""So many characters stand between a number and the verb that it is the subject of: "4.1 had introduced"."""


def mode_problem(match: PassageMatch) -> str:
    """What is said to have come about is not still to come in the part; nor the other way round."""
    for clause in match.claim.clauses:
        ahead, done = _is_ahead(clause), _is_done(clause)
        near = [own for own in match.part.clauses if _verbs(own) & _verbs(clause)] if ahead or done else []
        if near and ahead and all(map(_is_done, near)):
            return "it says that this has come about"
        if near and done and all(map(_is_ahead, near)) and not any(is_negative(word) for word in clause.lower):
            return "it says that this was to come"
    return ""


def _is_ahead(clause: SentenceClause) -> bool:
    """True for "will", "is to be", "was to be" and "is going to"."""
    if clause.lower & _WILL:
        return True
    return any(one.lower in _BE | AHEAD and other.lower == "to" for one, other in pairwise(clause.words))


def _is_done(clause: SentenceClause) -> bool:
    return not _is_ahead(clause) and clause.tense in ("past", "perfect")


def _verbs(clause: SentenceClause) -> set[str]:
    """The roots of its verbs: pasts, and what follows "will" and "to"."""
    words = [word for word in clause.words if is_content(word) and is_past(word.lower)]
    words += [b for a, b in pairwise(clause.words) if a.lower in _WILL | {"to", "be"} and is_content(b)]
    return {root for word in words for root in roots_of(word.lower)}
