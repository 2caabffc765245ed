"""Whether a name stands with another one in a passage than in a sentence: who directed which film, and of which year."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from services.language.inflection import is_past
from services.verification.passage_parts import AUXILIARIES, PassageMatch, is_content, names_in, roots_of
from services.verification.sentence_reading import ReadSentence, ReadWord
from services.verification.word_classes import word_set

_PREPOSITIONS = word_set("by on of from for at with in")
_INSIDE = word_set("the de von van la")
_MOST_BETWEEN = 6
_NEAR_NAME = 3
_YEAR_BEHIND = re.compile(r"""["'”’\s]*\(\s*(\d{4})\s*\)""")


@dataclass(frozen=True, slots=True)
class _NameRun:
    """Capitalised words that follow each other, as one name."""

    start: int
    end: int
    text: str
    roots: frozenset[str]

    def is_same_as(self, other: "_NameRun") -> bool:
        return self.roots <= other.roots or other.roots <= self.roots


def binding_problem(match: PassageMatch) -> str:
    """The name that stands in a part where the sentence has another, and the year that is another's."""
    claim, part = match.claim.reading, match.part.reading
    theirs = list(_bound(part))
    for first, preposition, last in _bound(claim):
        there = [other for one, joint, other in theirs if joint == preposition and one.is_same_as(first)]
        if there and not any(last.roots & one.roots for one in there):
            return f"it says “{there[0].text}”, not “{last.text}”"
    return _year_of_another(match)


def _year_of_another(match: PassageMatch) -> str:
    """The year in brackets behind another name of the part, where it has one behind the sentence's as well."""
    years = list(_years(match.part.reading))
    claimed = {str(date.first.year) for date in match.claim.reading.dates}
    for run in _runs(match.claim.reading):
        own = {year for name, year in years if name.is_same_as(run)}
        others = {year for name, year in years if not name.is_same_as(run)}
        if own and not own & claimed and others & claimed:
            return f"it says {min(own)} of “{run.text}”"
    return ""


def _years(reading: ReadSentence) -> Iterator[tuple[_NameRun, str]]:
    for run in _runs(reading):
        if year := _YEAR_BEHIND.match(reading.text, run.end):
            yield run, year[1]


def _bound(reading: ReadSentence) -> Iterator[tuple[_NameRun, str, _NameRun]]:
    """Each two names that only a few words with a preposition stand between; a list's names count as one."""
    runs = list(_runs(reading))
    for i, (one, other) in enumerate(pairwise(runs)):
        between = [word for word in reading.words if one.end <= word.start < other.start]
        joint = next((word.lower for word in between[::-1][:_NEAR_NAME] if word.lower in _PREPOSITIONS), "")
        lower = [word.lower for word in between]
        if not joint or len(between) > _MOST_BETWEEN or lower == ["of"] or _BREAKS & set(lower):
            continue
        if joint == "by" or not any(is_past(word) or word in AUXILIARIES for word in lower):
            yield one, joint, _with_list(runs[i + 1 :], reading.text)


_BREAKS = word_set(", ; : . ( ) and or but who which that while as than not him her them it he she they to")


def _with_list(runs: Sequence[_NameRun], text: str) -> _NameRun:
    """A name with those that a comma or an "and" joins to it."""
    found = runs[0]
    for run in runs[1:]:
        if text[found.end : run.start].strip(" \"'") not in (",", "and", "or", ", and", ""):
            break
        found = _NameRun(found.start, run.end, text[found.start : run.end], found.roots | run.roots)
    return found


def _runs(reading: ReadSentence) -> Iterator[_NameRun]:
    """The names of a sentence, each with all of its words: "The Lost City", "Empress Dowager Du of Song"."""
    current: list[ReadWord] = []
    for word in names_in(reading):
        if current and not _goes_on(reading.text[current[-1].end : word.start]):
            yield _run(current, reading.text)
            current = []
        current.append(word)
    if current:
        yield _run(current, reading.text)


def _goes_on(between: str) -> bool:
    inside = set(between.split())
    return between in (" ", "-", ". ", "- ") or (bool(inside) and inside <= _INSIDE)


def _run(words: Sequence[ReadWord], text: str) -> _NameRun:
    roots = frozenset(root for word in words if is_content(word) for root in roots_of(word.lower))
    return _NameRun(words[0].start, words[-1].end, text[words[0].start : words[-1].end], roots)
