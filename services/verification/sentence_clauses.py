"""The clauses of a sentence: each says one thing of the names in it, at its own dates."""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from services.language.inflection import is_past, stem
from services.language.quantities import Quantity
from services.verification.change_roles import ClauseChange, changes_in
from services.verification.sentence_reading import ReadSentence, ReadWord
from services.verification.stated_dates import StatedDate
from services.verification.word_classes import (
    GENERAL,
    REFUSALS,
    is_ending,
    is_negator,
    is_starting,
    is_stative,
    word_set,
)

_HARD = word_set("; then but while whereas because which who whom where when afterwards subsequently later")
_SOFT = word_set(", and or")
_ORDER = frozenset(("before", "after", "until"))
_SAYING = word_set("""
    is are was were be been being am has have had do does did became become becomes become remained remains
    remain stayed stays kept held got went took began begins started ended will would gets get goes makes says
    can cannot could may might must should""")
_PRONOUNS = word_set("it he she they its his her their this these those them him who which that both each")
_PAST = word_set("was were had did")
_MODALS = word_set("cannot can may might must should shall could would will")
_STATES = word_set("based called named")
_NOW = word_set("now currently still today presently nowadays")


About = Literal["names", "numbers", "verbs"]


@dataclass(frozen=True, slots=True)
class SentenceClause:
    """A part of a sentence that says one thing. `is_bare` is true for names alone; `lower` are its words."""

    words: tuple[ReadWord, ...]
    names: tuple[ReadWord, ...]
    dates: tuple[StatedDate, ...]
    numbers: tuple[Quantity, ...]
    is_bare: bool = False
    tense: str = ""
    end: int = 0
    lower: frozenset[str] = field(default_factory=frozenset)

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the names in it."""
        return frozenset(word.name for word in self.names)

    @property
    def has_pronoun(self) -> bool:
        """True when a word in it stands for a name."""
        return bool(_PRONOUNS & self.lower)

    @property
    def is_no_longer(self) -> bool:
        """True when it says that something is over: "no longer", "not … any more"."""
        return (
            _follows(self.words, "no", "longer")
            or _follows(self.words, "any", "longer")
            or (_follows(self.words, "any", "more") or "anymore" in self.lower)
        )

    @property
    def is_of_the_past(self) -> bool:
        """True for "used to work for": what it says is over."""
        return any(one.lower == "used" and then.lower == "to" for one, then in pairwise(self.words))

    @property
    def changes(self) -> tuple[ClauseChange, ...]:
        """Who loses and who gains what in it."""
        return changes_of(self.words)

    @property
    def is_not_yet(self) -> bool:
        """True when it says that something had not begun."""
        return "yet" in self.lower and "not" in self.lower

    def negators(self) -> list[str]:
        """The stems of the words in it that turn what it says; a number that declines turns nothing."""
        refusals = frozenset() if self.numbers else REFUSALS
        return [
            stem(word.lower)
            for word in self.words
            if not word.name and (is_negator(word.lower) or word.lower.endswith("n't") or stem(word.lower) in refusals)
        ]

    def verb_of(self, date: StatedDate) -> ReadWord | None:
        """The verb that a date belongs to: the nearest before it that tells, else the first after it."""
        telling = [w for w in self.words if not w.name and w.is_word and _tells(w)]
        before = [word for word in telling if word.end <= date.start]
        while len(before) > 1 and before[-1].lower.endswith("ing") and before[-1].start - before[-2].end <= 1:
            before.pop()  # "stopped exporting": the stop is what the date is of
        return before[-1] if before else telling[0] if telling else None


@lru_cache(maxsize=256)
def changes_of(words: tuple[ReadWord, ...]) -> tuple[ClauseChange, ...]:
    """Return the changes that a clause's verbs tell of, among its names."""
    return tuple(changes_in(words, lambda word: bool(word.name)))


def _tells(word: ReadWord) -> bool:
    if is_stative(word.lower) or is_starting(word.lower) or is_ending(word.lower):
        return True
    return word.lower not in GENERAL and (is_past(word.lower) or word.lower in _PAST)


def _follows(words: tuple[ReadWord, ...], one: str, other: str) -> bool:
    return any(first.lower == one and then.lower == other for first, then in pairwise(words))


def clauses(reading: ReadSentence, about: About = "names") -> list[SentenceClause]:
    """The clauses of a sentence in order; a list of names is in one with its verb.

    What makes a clause of its own is a name; for "numbers" a number does too, for "verbs" a verb and nothing else.
    """
    segments = _merged(reading, _segments(reading), about)
    tense, found = "", []
    for words, start, end in segments:
        one = _clause(reading, words, start, end, tense)
        tense = one.tense or tense
        found.append(one)
    return _with_lead([one for one in found if one.words], reading)


def _with_lead(found: list[SentenceClause], reading: ReadSentence) -> list[SentenceClause]:
    """A date that opens the sentence holds for each clause without one of its own."""
    opens = min((name.start for name in reading.names), default=0)
    lead = tuple(date for date in reading.dates if date.start < opens and date.role not in ("until", "to"))
    return [one if one.dates or not lead else replace(one, dates=lead) for one in found]


_Segment = tuple[list[ReadWord], int, int, bool]


def _segments(reading: ReadSentence) -> list[_Segment]:
    """Cut at words that join; True for those that a hard one opens."""
    found: list[_Segment] = []
    current: list[ReadWord] = []
    begun, hard = 0, False
    for i, word in enumerate(reading.words):
        is_hard = not word.name and (word.lower in _HARD or (word.lower in _ORDER and _opens_clause(reading, i)))
        goes_on = hard and not any(one.name or _is_verb(current, n) for n, one in enumerate(current))
        goes_on = goes_on or (word.lower in (",", "or") and _is_of_modal(current))
        if not is_hard and (word.name or word.lower not in _SOFT or goes_on):
            current.append(word)
            continue
        found.append((current, begun, word.start, hard))
        current, begun, hard = [word], word.start, is_hard
    found.append((current, begun, len(reading.text), hard))
    return found


def _is_of_modal(words: list[ReadWord]) -> bool:
    """True behind a modal and a verb, where other verbs may follow: "cannot remove, add or change"."""
    modal = next((n for n, word in enumerate(words) if word.lower in _MODALS), None)
    return modal is not None and len(words) - modal <= MOST_BEHIND_MODAL


MOST_BEHIND_MODAL = 4


def _opens_clause(reading: ReadSentence, i: int) -> bool:
    """True for "before" and "after" that a clause follows, not a date."""
    word = reading.words[i]
    return not any(0 <= date.start - word.end <= 8 for date in reading.dates) and any(
        w.name or _is_verb(list(reading.words), i + n) for n, w in enumerate(reading.words[i:])
    )


def _merged(reading: ReadSentence, segments: list[_Segment], about: About) -> list[tuple[list[ReadWord], int, int]]:
    """Join a segment that says nothing by itself to the one before, at the beginning to the one after."""
    merged: list[_Segment] = []
    for words, start, end, hard in segments:
        has_names = _is_about(reading, words, start, end, about)
        if merged:
            before, first, last, was_hard = merged[-1]
            before_bare = not _is_about(reading, before, first, last, about) or (
                not hard
                and not (about == "numbers" and _has_number(reading, first, last))
                and _is_bare(reading, before, first, last)
            )
            counts = about == "numbers" and _has_number(reading, start, end)
            if (
                not has_names
                or (not counts and _is_bare(reading, words, start, end) and not hard)
                or (len(merged) == 1 and before_bare)
            ):
                merged[-1] = ([*before, *words], first, end, was_hard)
                continue
        merged.append((words, start, end, hard))
    return [(words, start, end) for words, start, end, _ in merged]


def _has_number(reading: ReadSentence, start: int, end: int) -> bool:
    return any(start <= number.start < end for number in reading.numbers)


def _is_about(reading: ReadSentence, words: list[ReadWord], start: int, end: int, about: About) -> bool:
    if about == "verbs":
        return any(_is_verb(words, i) for i in range(len(words)))
    return any(word.name for word in words) or (about == "numbers" and _has_number(reading, start, end))


def _is_bare(reading: ReadSentence, words: list[ReadWord], start: int, end: int) -> bool:
    """True for names without a verb or a date that says something of them."""
    if any(start <= date.start < end for date in reading.dates):
        return False
    return not any(_is_verb(words, i) for i in range(len(words)))


def _is_verb(words: list[ReadWord], i: int) -> bool:
    """True for a word that may be a verb: by its form, or since it follows a name and ends in s."""
    word = words[i]
    if word.name or not word.is_word:
        return False
    if word.lower in _SAYING or word.lower in _PAST or is_past(word.lower):
        return True
    if is_stative(word.lower) or is_starting(word.lower) or is_ending(word.lower):
        return word.lower not in GENERAL
    return _follows_name(words, i)


def _follows_name(words: list[ReadWord], i: int) -> bool:
    """True for "supplies" in "Acme supplies", and in "Acme also supplies"."""
    word = words[i].lower
    if not word.endswith("s") or word.endswith("ss") or word == "'s" or word in GENERAL:
        return False
    before = words[i - 1] if i else None
    return before is not None and bool(before.name)


def _clause(reading: ReadSentence, words: list[ReadWord], start: int, end: int, tense: str) -> SentenceClause:
    dates = tuple(date for date in reading.dates if start <= date.start < end)
    numbers = tuple(number for number in reading.numbers if start <= number.start < end)
    lower = frozenset(word.lower for word in words if not word.name)
    return SentenceClause(
        tuple(words),
        tuple(word for word in words if word.name),
        dates,
        numbers,
        _is_bare(reading, words, start, end),
        _tense(words) or tense,
        end,
        lower,
    )


def _tense(words: list[ReadWord]) -> str:
    """ "present", "past", "perfect" or "future", by the first verb that tells; empty where none does."""
    lower = [word.lower for word in words if not word.name]
    for i, word in enumerate(lower):
        if word in ("will", "shall"):
            return "future"
        if word in ("is", "are", "am") and _is_of_future(lower[i + 1 : i + 4]):
            return "future"
        if word in ("is", "are", "am", "does", "do", "remains", "stays", "remain"):
            return "present"
        if word in ("has", "have"):
            following = [w for w in lower[i + 1 : i + 4] if w not in ("not", "never", "also", "since", "now")]
            if following[:1] == ["been"]:
                return "perfect"
            return "past" if following and (is_past(following[0]) or following[0] == "had") else "present"
        if word in _PAST or (is_past(word) and word not in _STATES):
            return "past"
    if (
        _NOW & set(lower)
        or any(_is_third_person(word) for word in lower)
        or any(_follows_name(words, i) for i in range(len(words)))
    ):
        return "present"
    return ""


def _is_of_future(following: list[str]) -> bool:
    """True for what follows the "is" of "is going to join" and "is to be removed"."""
    return following[:1] == ["to"] or (following[1:2] == ["to"] and following[0] in AHEAD)


AHEAD = word_set("going about due set scheduled planned planning expected supposed meant likely")
"""Words between "is" and "to" that tell of what is to come."""


def _is_third_person(word: str) -> bool:
    """True for a verb's form with an s; plurals that look like one only make a dateless clause speak of now."""
    return (
        len(word) > 3
        and word.endswith("s")
        and not word.endswith("ss")
        and (is_stative(word) or is_starting(word) or is_ending(word) or word in ("says", "goes"))
    )
