"""Whether a passage has it otherwise: what came first, what is to come, who gained, and which number is whose."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from services.language.inflection import is_past
from services.language.quantities import Quantity
from services.verification.argument_order import is_name_like
from services.verification.change_roles import ClauseChange, changes_in
from services.verification.event_order import orders
from services.verification.passage_figures import is_within
from services.verification.passage_parts import (
    AUXILIARIES,
    PassageMatch,
    PassagePart,
    clause_roots,
    is_content,
    roots_of,
)
from services.verification.sentence_clauses import AHEAD, SentenceClause
from services.verification.sentence_reading import ReadSentence, ReadWord
from services.verification.stated_dates import StatedDate
from services.verification.word_classes import is_negative, is_starting, says_end, word_set

_BE = word_set("is are was were be been being")
_BREAKS = word_set(", ; that which who")
_WILL = word_set("will shall")


def order_problem(match: PassageMatch) -> str:
    """Which of two events came first, who gained what another lost, and which number belongs to which verb."""
    claim, part = match.claim.reading, match.part.reading
    if _is_later(claim, part) or _is_dated_later(claim, match.part):
        return "the passage gives the reverse order"
    if _gains_and_loses(claim, part):
        return "the passage has this the other way round"
    return _figure_of_another_verb(claim, part)


def _is_later(claim: ReadSentence, part: ReadSentence) -> bool:
    """True when what the one has first the other has last."""
    for first, last in ((_roots(a), _roots(b)) for a, b in orders(claim)):
        for first_there, last_there in ((_roots(a), _roots(b)) for a, b in orders(part)):
            crossed = len(first & last_there), len(last & first_there)
            if all(crossed) and sum(crossed) > len(first & first_there) + len(last & last_there):
                return True
    return False


def _is_dated_later(claim: ReadSentence, part: PassagePart) -> bool:
    """True when the part gives what the sentence has first a later date than what it has last."""
    for first, last in orders(claim):
        one, other = _dated(first, part), _dated(last, part)
        if one is not None and other is not None and one.first > other.last:
            return True
    return False


def _dated(words: Sequence[ReadWord], part: PassagePart) -> StatedDate | None:
    """The one date of the clause that says the most of an event, where it has its verb."""
    event = _roots(words)
    verbs = {root for word in words if is_past(word.lower) and is_content(word) for root in roots_of(word.lower)}
    shared = [(len({roots for roots in event if roots & clause_roots(one)}), one) for one in part.clauses]
    most = max((count for count, _ in shared), default=0)
    best = [one for count, one in shared if count == most > 0 and (not verbs or verbs & clause_roots(one))]
    return best[0].dates[0] if len(best) == 1 and len(best[0].dates) == 1 else None


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


def _figure_of_another_verb(claim: ReadSentence, part: ReadSentence) -> str:
    """The number, version or date that a sentence has beside a verb, and the part beside another verb only."""
    figures = list(_figures(part))
    theirs = [(_meant(verb), figure) for figure in figures for verb in _verbs_beside(figure, part)]
    for figure in _figures(claim) if len(figures) > 1 else ():
        verb = min(_verbs_beside(figure, claim), key=lambda word: _apart(word, figure), default=None)
        shared = _meant(verb) if verb else frozenset[str]()
        if isinstance(figure.value, StatedDate):
            shared &= _KINDS  # any other verb may be dated by more than one word
        same = [other for meant, other in theirs if meant & shared]
        if same and not any(map(figure.is_same_as, same)) and any(figure.is_same_as(other) for _, other in theirs):
            return f"the passage says {part.text[same[0].start : same[0].end].strip()} about this"
    return ""


@dataclass(frozen=True, slots=True)
class _Figure:
    """A number, a date or a version at a place of a sentence."""

    start: int
    end: int
    value: Quantity | StatedDate | str

    def is_same_as(self, other: "_Figure") -> bool:
        if isinstance(self.value, Quantity) and isinstance(other.value, Quantity):
            return self.value.says_as(other.value)
        if isinstance(self.value, StatedDate) and isinstance(other.value, StatedDate):
            return is_within(self.value, other.value)
        return self.value == other.value


def _figures(reading: ReadSentence) -> Iterator[_Figure]:
    for number in reading.numbers:
        if number.figure:
            yield _Figure(number.start, number.end, number)
    for date in reading.dates:
        if date.to is None and date.role == "at":
            yield _Figure(date.start, date.end, date)
    for word in reading.words:
        if not word.name and any(character.isdigit() for character in word.text):
            yield _Figure(word.start, word.end, word.lower)


def _meant(verb: ReadWord) -> frozenset[str]:
    """The roots of a verb, and whether it tells of a beginning or an end."""
    kinds = (kind for kind, tells in (("=start", is_starting), ("=end", says_end)) if tells(verb.lower))
    return roots_of(verb.lower).union(kinds)


_KINDS = frozenset(("=start", "=end"))


def _verbs_beside(figure: _Figure, reading: ReadSentence) -> list[ReadWord]:
    """The past verb before a figure in its clause, or else one right behind it."""
    verbs = [word for word in reading.words if not word.name and is_past(word.lower) and word.lower not in AUXILIARIES]
    breaks = [word.start for word in reading.words if word.lower in _BREAKS]
    before = [verb for verb in verbs if verb.end <= figure.start][-1:]
    if before and not any(before[0].end <= place < figure.start for place in breaks):
        return before
    return [verb for verb in verbs if 0 <= verb.start - figure.end <= MOST_BEHIND][:1]


def _apart(word: ReadWord, figure: _Figure) -> int:
    return figure.start - word.end if word.end <= figure.start else word.start - figure.end


MOST_BEHIND = 12
"""So many characters stand between a number and the verb that it is the subject of: "4.1 had introduced"."""


def mode_problem(match: PassageMatch) -> str:
    """What is said to have come about is not still to come in the part; nor the other way round."""
    for clause in match.claim.clauses:
        ahead, done = _is_ahead(clause), _is_done(clause)
        near = [own for own in match.part.clauses if _verbs(own) & _verbs(clause)] if ahead or done else []
        if near and ahead and all(map(_is_done, near)):
            return "the passage says that this has already happened"
        if near and done and all(map(_is_ahead, near)) and not any(is_negative(word) for word in clause.lower):
            return "the passage says that this was still to come"
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
