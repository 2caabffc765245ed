"""Whether a name stands with another one in a passage than in a sentence: who directed which film, and of which year."""

import re
from collections.abc import Iterator
from itertools import pairwise

from services.language.inflection import is_past
from services.verification.name_runs import NameRun, runs, with_list
from services.verification.passage_parts import AUXILIARIES, PassageMatch
from services.verification.sentence_reading import ReadSentence
from services.verification.word_classes import word_set

_AS = "as"
_PLAYING = word_set("play plays played portray portrays portrayed")
_PREPOSITIONS = word_set("by on of from for at with in as")
_MOST_BETWEEN = 6
_NEAR_NAME = 3
_YEAR_BEHIND = re.compile(r"""["'”’\s]*\(\s*(\d{4})\s*\)""")


def binding_problem(match: PassageMatch) -> str:
    """The name that stands in a part where the sentence has another, and the year that is another's."""
    claim, part = match.claim.reading, match.part.reading
    theirs = list(_bound(part))
    for first, preposition, last in _bound(claim):
        there = [other for one, joint, other in theirs if joint == preposition and one.is_same_as(first)]
        if there and not any(last.roots & one.roots for one in there):
            return f"it says “{there[0].text}”, not “{last.text}”"
        players = [one for one, joint, other in theirs if joint == preposition == _AS and other.is_same_as(last)]
        if players and not any(first.roots & one.roots for one in players):
            return f"it says “{players[0].text}”, not “{first.text}”"
    return _year_of_another(match)


def _year_of_another(match: PassageMatch) -> str:
    """The year in brackets behind another name of the part, where it has one behind the sentence's as well."""
    years = list(_years(match.part.reading))
    claimed = {str(date.first.year) for date in match.claim.reading.dates}
    for run in runs(match.claim.reading):
        own = {year for name, year in years if name.is_same_as(run)}
        others = {year for name, year in years if not name.is_same_as(run)}
        if own and not own & claimed and others & claimed:
            return f"it says {min(own)} of “{run.text}”"
    return ""


def _years(reading: ReadSentence) -> Iterator[tuple[NameRun, str]]:
    for run in runs(reading):
        if year := _YEAR_BEHIND.match(reading.text, run.end):
            yield run, year[1]


def _bound(reading: ReadSentence) -> Iterator[tuple[NameRun, str, NameRun]]:
    """Each two names that only a few words with a preposition stand between, or that one plays the other."""
    names = list(runs(reading))
    for i, (one, other) in enumerate(pairwise(names)):
        between = [word for word in reading.words if one.end <= word.start < other.start]
        joint = next((word.lower for word in between[::-1][:_NEAR_NAME] if word.lower in _PREPOSITIONS), "")
        lower = [word.lower for word in between]
        if _PLAYING & set(lower) and len(between) <= _MOST_BETWEEN and not _BREAKS & set(lower):
            yield (other, _AS, one) if "by" in lower else (one, _AS, other)
            continue
        if not joint or len(between) > _MOST_BETWEEN or lower == ["of"] or _BREAKS & set(lower):
            continue
        if joint == "by" or not any(is_past(word) or word in AUXILIARIES for word in lower):
            yield one, joint, with_list(names[i + 1 :], reading.text)


_BREAKS = word_set(", ; : . ( ) and or but who which that while as than not him her them it he she they to")
