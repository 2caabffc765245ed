"""Passages as the check reads them, and the sentence that is held against them."""

import functools
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from itertools import combinations, takewhile

from services.core.answer_records import Evidence
from services.language.answer_sentences import split
from services.language.inflection import is_past, stem
from services.language.peoples import words_of_land
from services.language.quantities import DAYS, Quantity
from services.retrieval.tokens import STOP_WORDS
from services.verification.argument_order import SPEAKER
from services.verification.evidence_index import TurnInstants, stems_in
from services.verification.sentence_clauses import SentenceClause, clauses
from services.verification.sentence_reading import ReadSentence, ReadWord, plain, read
from services.verification.stated_dates import StatedDate
from services.verification.word_classes import COARSE, FUNCTION, meanings, opposites, root, word_set

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

    def __init__(self, reading: ReadSentence, linked: frozenset[str], before: frozenset[str]) -> None:
        self.reading = reading
        self.linked = linked
        self.before = before
        self.clauses = clauses(reading, "verbs")

    @cached_property
    def roots(self) -> frozenset[str]:
        """The roots of its words and all that they mean."""
        return frozenset(root for word in self.reading.words for root in roots_of(word.lower))

    def beside(self, claim: "CheckedSentence") -> list[SentenceClause]:
        """Its clauses that say the most of each clause of a sentence."""
        return [one for clause in claim.clauses for one in self.nearest(clause)]

    def nearest(self, clause: SentenceClause, among: Sequence[SentenceClause] = ()) -> list[SentenceClause]:
        """Its clauses, or those among them, that have most words of another clause."""
        among = among or self.clauses
        has = [clause_roots(own) for own in among]
        meant = [before if _goes_on(own) else set[str]() for own, before in zip(among, [set(), *has], strict=False)]
        words = [word for word in clause.words if is_content(word)]
        first = {root for word in _before_verb(words) for root in roots_of(word.lower)}
        of_subject = [here for here, before in zip(has, meant, strict=True) if not first or first & (here | before)]
        shared = [0.0] * len(among)
        for word in words:
            roots, opposed, weight = (
                roots_of(word.lower),
                opposites(stem(word.lower)),
                2.0 if is_past(word.lower) else 1.0,
            )
            if opposed and any(roots & here for here in of_subject):
                opposed = frozenset()
            for i, (here, before) in enumerate(zip(has, meant, strict=True)):
                shared[i] += (
                    weight if roots & here else 1.5 * weight if opposed & here else 0.6 if roots & before else 0.0
                )
        return [own for own, count in zip(among, shared, strict=True) if count == max(shared) > 0]

    def with_verb_of(self, clause: SentenceClause) -> list[SentenceClause]:
        """Its clauses that have a verb of another clause."""
        verbs = [roots_of(word.lower) for word in clause.words if is_content(word) and is_past(word.lower)]
        return [own for own in self.clauses if any(roots & clause_roots(own) for roots in verbs)]

    @cached_property
    def dates(self) -> tuple[StatedDate, ...]:
        """Its dates, both of a range."""
        return tuple(one for date in self.reading.dates for one in (date, date.to) if one is not None)


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
        titled = self.titled
        named = [frozenset(r for word in names_in(reading) for r in roots_of(word.lower)) for reading in alone]
        linked = [titled | _meant(alone[i], roots[i - 1]) if i else titled for i in range(len(alone))]
        return tuple(PassagePart(reading, linked[i], titled.union(*named[:i])) for i, reading in enumerate(alone))

    @cached_property
    def titled(self) -> frozenset[str]:
        """The roots of the words of its title."""
        return frozenset(r for word in stems_in(self.title) for r in roots_of(word))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The stems of all that it says, and of its title."""
        return stems_in(f"{self.text} {self.title}") | stems_in(plain(self.text))

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
    def dates(self) -> tuple[StatedDate, ...]:
        """All its dates, and those that it tells by "two days later" and "at the age of twelve"."""
        stated = tuple(dict.fromkeys(date for part in self.parts for date in part.dates))
        lengths = [days for part in self.parts for number in part.reading.numbers if (days := _length(number, part))]
        return (*stated, *(later for days in lengths for date in stated for later in _moved(date, days)))


@dataclass(frozen=True, slots=True)
class PassageMatch:
    """A sentence held against a part of one of the passages that it cites."""

    claim: CheckedSentence
    part: PassagePart
    chunks: Sequence[IndexedPassage]
    turn: TurnInstants


_TIME_OF_DAY = re.compile(r"\b([01]?\d|2[0-3])[:.]([0-5]\d)(?=\D|$)(?!\.\d)")


def _length(number: Quantity, part: PassagePart) -> float:
    """Return the days of the "two weeks" of "two weeks later" and the "twelve" of "at the age of twelve", else 0."""
    text = part.reading.text
    if text[: number.start].lower().rstrip().endswith(("age of", "aged", "at age")):
        return number.value * DAYS["year"]
    return number.value * DAYS[number.unit] if number.unit in DAYS and text.startswith(" later", number.end) else 0


def _moved(date: StatedDate, days: float) -> Iterator[StatedDate]:
    with suppress(OverflowError):  # "20,000 years later" is in no calendar
        length = timedelta(days=round(days))
        yield StatedDate(0, 0, date.first + length, date.last + length)


def _before_verb(words: Sequence[ReadWord]) -> Iterator[ReadWord]:
    return takewhile(lambda word: not is_past(word.lower), words)


def _goes_on(clause: SentenceClause) -> bool:
    """True for a clause that leaves out what it is about, or has a pronoun for it: "and cannot be added later"."""
    words = [word.lower for word in clause.words if word.is_word]
    return clause.has_pronoun or (
        words[:1] in (["and"], ["but"]) and words[1:2] != [] and words[1] in AUXILIARIES | {"cannot"}
    )


def _meant(reading: ReadSentence, roots_before: frozenset[str]) -> frozenset[str]:
    """Return what the pronouns of a sentence may stand for: all that the sentence before it says."""
    return roots_before if has_link(reading) else frozenset()


def has_link(reading: ReadSentence) -> bool:
    """True where a word stands for something in the sentence before."""
    return any(word.lower in _LINKS for word in reading.words)


def is_content(word: ReadWord) -> bool:
    """True for a word that free text could say otherwise."""
    lower = word.lower
    return (
        word.is_word
        and lower not in FUNCTION
        and lower not in _LIGHT
        and lower not in STOP_WORDS
        and (not lower.endswith("ly") or lower in _NO_ADVERBS)
        and len(lower) > 1
    )


_NO_ADVERBS = word_set(
    "italy sicily july family assembly monopoly anomaly ally apply supply reply rely comply imply multiply fly"
)


@functools.lru_cache(maxsize=65_536)
def roots_of(word: str) -> frozenset[str]:
    """The stem and the root of a lower-case word, and what it means; "I" is the user."""
    word = SPEAKER.get(word, word)
    meant = [name for name, _ in meanings(word) if name not in COARSE]
    return frozenset((stem(word), root(word), *meant, *words_of_land(word)[:1]))


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
        is_subject = following is not None and is_past(following.lower) and not word.lower.endswith(_NOUN_ENDINGS)
        if not opens or goes_on or is_subject or (following is not None and following.lower == "'s"):
            found.append(word)
    return found


_NOUN_ENDINGS = ("s", "ing", "y", "tion", "sion", "ness", "ship", "people", "men", "women", "children")

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
