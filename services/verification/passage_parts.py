"""Passages as the check reads them, and the sentence that is held against them."""

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property
from itertools import combinations

from services.core.answer_records import Evidence
from services.language.answer_sentences import split
from services.language.inflection import is_past, stem
from services.language.quantities import DAYS, Quantity
from services.retrieval.tokens import STOP_WORDS
from services.verification.argument_order import SPEAKER
from services.verification.evidence_index import TurnInstants, stems_in
from services.verification.sentence_clauses import SentenceClause, clauses
from services.verification.sentence_reading import ReadSentence, ReadWord, plain, read
from services.verification.stated_dates import StatedDate
from services.verification.word_classes import FUNCTION, meanings, opposites, root, word_set

AUXILIARIES = word_set("is are was were has have had can may must will would should did does do be been")
_LIGHT = word_set("get gets got take takes took taken taking make makes made go goes went come comes came give gives")
_LINKS = word_set("he she it they his her its their him them this these those such")


CALENDAR = word_set("""
    january february march april june july august september october november december monday tuesday wednesday thursday
    friday saturday sunday""")


class CheckedSentence:
    """A sentence that a passage should bear out, read once."""

    def __init__(self, reading: ReadSentence) -> None:
        self.reading = reading
        self.clauses = clauses(reading, "verbs")
        self.content = [word for word in reading.words if is_content(word)]
        self.names = names_in(reading)
        self.words = frozenset(word.lower for word in reading.words)


class PassagePart:
    """A sentence of a passage.

    `linked` are the roots of what its pronouns and common nouns may stand for, `before` those of all names before it.
    """

    def __init__(
        self, reading: ReadSentence, linked: frozenset[str], before: frozenset[str], numbers: tuple[Quantity, ...]
    ) -> None:
        self.reading = reading
        self.numbers = numbers
        self.linked = linked
        self.before = before
        self.clauses = _completed(clauses(reading, "verbs"))

    @cached_property
    def roots(self) -> frozenset[str]:
        """The roots of its words and all that they mean."""
        return frozenset(root for word in self.reading.words for root in roots_of(word.lower))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its words."""
        return frozenset(stem(word.lower) for word in self.reading.words)

    def beside(self, claim: "CheckedSentence") -> list[SentenceClause]:
        """Its clauses that say the most of each clause of a sentence."""
        return [one for clause in claim.clauses for one in self.nearest(clause)]

    def nearest(self, clause: SentenceClause, among: Sequence[SentenceClause] = ()) -> list[SentenceClause]:
        """Its clauses, or those among them, that have most words of another clause."""
        among = among or self.clauses
        claimed = [(roots_of(w.lower), opposites(stem(w.lower))) for w in clause.words if is_content(w)]
        has = [clause_roots(own) for own in among]
        shared = [sum(1.0 if one & own else 1.5 if other & own else 0.0 for one, other in claimed) for own in has]
        return [own for own, count in zip(among, shared, strict=True) if count == max(shared) > 0]

    def with_verb_of(self, clause: SentenceClause) -> list[SentenceClause]:
        """Its clauses that have a verb of another clause."""
        verbs = [roots_of(word.lower) for word in clause.words if is_content(word) and is_past(word.lower)]
        return [own for own in self.clauses if any(roots & clause_roots(own) for roots in verbs)]

    @cached_property
    def dates(self) -> tuple[StatedDate, ...]:
        """Its dates, both of a range."""
        return tuple(one for date in self.reading.dates for one in (date, date.to) if one is not None)


def _completed(found: Sequence[SentenceClause]) -> list[SentenceClause]:
    """The clauses, each "but not …" with what it leaves out."""
    whole: list[SentenceClause] = []
    for clause in found:
        cut = next(
            (
                i
                for i, word in enumerate(clause.words)
                if word.lower == "not" and i and clause.words[i - 1].lower == "but"
            ),
            0,
        )
        if cut:
            positive = replace(
                clause, words=clause.words[: cut - 1], lower=frozenset(w.lower for w in clause.words[: cut - 1])
            )
            whole += [positive, clause]
        else:
            whole.append(clause)
    return whole


class IndexedPassage:
    """A passage as the check asks it."""

    def __init__(self, evidence: Evidence) -> None:
        self.n = evidence.n
        self.text = evidence.chunk.text if evidence.chunk is not None else evidence.text
        self.title = evidence.document.title if evidence.document is not None else ""

    @cached_property
    def parts(self) -> tuple[PassagePart, ...]:
        """Its sentences."""
        alone = [read(plain(sentence.text), ()) for sentence in split(self.text)]
        roots = [frozenset(r for word in reading.words for r in roots_of(word.lower)) for reading in alone]
        titled = frozenset(r for word in stems_in(self.title) for r in roots_of(word))
        named = [frozenset(r for word in names_in(reading) for r in roots_of(word.lower)) for reading in alone]
        linked: list[frozenset[str]] = []
        for i, reading in enumerate(alone):
            linked.append(
                titled
                | self._linked(alone, roots, i)
                | (linked[-1] if i and _opens_with_link(reading) else frozenset())
            )
        return tuple(
            PassagePart(reading, linked[i], titled.union(*named[:i]), self._numbers(alone, i))
            for i, reading in enumerate(alone)
        )

    def _numbers(self, readings: Sequence[ReadSentence], i: int) -> tuple[Quantity, ...]:
        """The numbers of a sentence, and of the one before where it goes on about the same."""
        before = readings[i - 1].numbers if i and _opens_with_link(readings[i]) else ()
        return (*readings[i].numbers, *before)

    def _linked(self, readings: Sequence[ReadSentence], roots: Sequence[frozenset[str]], i: int) -> frozenset[str]:
        """What the words of a sentence may stand for: what was said before, if it has a pronoun; and apposed names."""
        words = {word.lower for word in readings[i].words}
        found = roots[i - 1] if i and _LINKS & words else frozenset[str]()
        return found | frozenset(self._apposed(readings, roots[i]))

    def _apposed(self, readings: Sequence[ReadSentence], roots: frozenset[str]) -> Iterator[str]:
        """The roots of names that stand beside a word: after "the rover Tansy", "the rover" is Tansy."""
        for reading in readings:
            for one, name in zip(reading.words, reading.words[1:], strict=False):
                if (
                    name.text[:1].isupper()
                    and one.text[:1].islower()
                    and is_content(one)
                    and roots_of(one.lower) & roots
                ):
                    yield from roots_of(name.lower)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The stems of all that it says, and of its title."""
        return stems_in(f"{self.text} {self.title}") | stems_in(plain(self.text))

    def is_day(self, number: Quantity) -> bool:
        """True for the number of a day: "3 November"."""
        return number.figure in _DAY_OF.findall(self.text)

    @cached_property
    def numbers(self) -> tuple[Quantity, ...]:
        """All its numbers."""
        return tuple(number for part in self.parts for number in part.reading.numbers)

    @cached_property
    def between_times(self) -> tuple[float, ...]:
        """How many days lie between each two times of day that it tells."""
        times = [int(hour) / 24 + int(minute) / 1440 for hour, minute in _TIME_OF_DAY.findall(self.text)]
        return tuple(abs(one - other) for one, other in combinations(times, 2))

    @cached_property
    def worked_out(self) -> tuple[StatedDate, ...]:
        """The dates that it tells by "two days later" and "the following year"."""
        return tuple(date for date in self.dates if date.start == date.end)

    @cached_property
    def dates(self) -> tuple[StatedDate, ...]:
        """All its dates, and those that it tells by "two days later"."""
        stated = tuple(dict.fromkeys(date for part in self.parts for date in part.dates))
        following = [_FOLLOWING[unit] for unit in _FOLLOWING if re.search(rf"\b(?:following|next) {unit}\b", self.text)]
        stated += tuple(_moved(date, one) for one in following for date in stated)
        ages = [number for part in self.parts for number in part.reading.numbers if _is_age(number, part.reading.text)]
        stated += tuple(_moved(date, replace(age, unit="year")) for age in ages for date in stated)
        later = (number for part in self.parts for number in part.reading.numbers if number.unit in DAYS)
        if " later" not in self.text:
            return stated
        return (*stated, *(_moved(date, number) for number in later for date in stated))


@dataclass(frozen=True, slots=True)
class PassageMatch:
    """A sentence held against a part of one of the passages that it cites."""

    claim: CheckedSentence
    part: PassagePart
    chunks: Sequence[IndexedPassage]
    turn: TurnInstants


def _opens_with_link(reading: ReadSentence) -> bool:
    """True when a pronoun is among its first words: it goes on about what the sentence before was about."""
    return any(word.lower in _LINKS for word in reading.words[:4])


_TIME_OF_DAY = re.compile(r"\b([01]?\d|2[0-3])[:.]([0-5]\d)(?=\D|$)(?!\.\d)")
_DAY_OF = re.compile(rf"\b(\d\d?)\s+(?:{'|'.join(CALENDAR)}|may)\b", re.IGNORECASE)
_FOLLOWING = {unit: Quantity(0, 0, 1.0, unit=unit) for unit in ("day", "week", "month", "year")}


def _is_age(number: Quantity, text: str) -> bool:
    """True for the "twelve" of "at the age of twelve" and of "aged twelve"."""
    return text[: number.start].lower().rstrip().endswith(("age of", "aged", "at age"))


def _moved(date: StatedDate, by: Quantity) -> StatedDate:
    length = timedelta(days=round(by.value * DAYS[by.unit]))
    return StatedDate(0, 0, date.first + length, date.last + length)


def is_content(word: ReadWord) -> bool:
    """True for a word that free text could say otherwise."""
    lower = word.lower
    return (
        word.is_word
        and lower not in FUNCTION
        and lower not in _LIGHT
        and lower not in STOP_WORDS
        and not lower.endswith("ly")
        and len(lower) > 1
    )


@functools.lru_cache(maxsize=65_536)
def roots_of(word: str) -> frozenset[str]:
    """The stem and the root of a lower-case word, and what it means; "I" is the user."""
    word = SPEAKER.get(word, word)
    return frozenset((stem(word), root(word), *(meaning for meaning, _ in meanings(word))))


def names_in(reading: ReadSentence) -> list[ReadWord]:
    """The capitalised words of a sentence; one that opens it only where another follows, or an "'s"."""
    found = []
    words = [word for word in reading.words if word.is_word]
    for i, word in enumerate(words):
        if not word.text[:1].isupper() or word.lower in _NO_NAMES or word.lower in SPEAKER:
            continue
        opens = word.start == 0 or reading.text[: word.start].rstrip()[-1:] in tuple('":(')
        following = words[i + 1] if i + 1 < len(words) else None
        goes_on = following is not None and following.text[:1].isupper() and following.start - word.end <= 2
        is_subject = following is not None and is_past(following.lower) and not word.lower.endswith(("s", "ing", "y"))
        if not opens or goes_on or is_subject or (following is not None and following.lower == "'s"):
            found.append(word)
    return found


_NO_NAMES = (
    FUNCTION
    | CALENDAR
    | {f"{day}s" for day in CALENDAR}
    | word_set("""
    may anyone everyone
    someone nobody everybody somebody anybody none nothing everything according although though unlike despite upon
    whether either neither two three four five six seven eight nine ten half both yes""")
)


def clause_roots(clause: SentenceClause) -> set[str]:
    """The roots of the words of content of a clause."""
    return {root for word in clause.words if is_content(word) for root in roots_of(word.lower)}
