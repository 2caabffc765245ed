"""Whether a name stands with another in a passage than in a sentence: who directed which film, and of which year."""

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile, pairwise

from services.language.inflection import is_past
from services.verification.capitalised_names import CapitalisedName, runs, with_list
from services.verification.passage_parts import AUXILIARIES, PassageMatch
from services.verification.sentence_reading import ReadSentence
from services.verification.word_classes import root, word_set

_AS, _BY, _AS_BY = "as", "by", "as by"
_BREAKS = word_set(", ; : . ( ) and or but who which that while than not him her them it he she they to")
_PLAYING = word_set("play plays played portray portrays portrayed")
_PREPOSITIONS = word_set("by on of from for at with in as")
_MOST_BETWEEN = 6
_NEAR_NAME = 3
_YEAR_BEHIND = re.compile(r"""["'”’\s]*\(\s*(\d{4})\s*\)""")


_Binding = tuple[CapitalisedName, str, CapitalisedName]


def binding_problem(match: PassageMatch) -> str:
    """The name that stands in a passage where the sentence has another, and the year that is another's."""
    claims = list(_bound(match.claim.reading))
    parts = [part for chunk in match.chunks for part in chunk.parts] if claims else []
    theirs = [bound for part in parts for bound in _bound(part.reading)]
    for first, preposition, last in claims:
        there = [other for one, joint, other in theirs if _is_same(joint, preposition) and one.is_same_as(first)]
        if there and not any(last.roots & one.roots for one in there):
            return f"the passage says “{there[0].text}”, not “{last.text}”"
        players = [one for one, joint, other in theirs if joint == preposition == _AS and other.is_same_as(last)]
        if players and not any(first.roots & one.roots for one in players):
            return f"the passage says “{players[0].text}”, not “{first.text}”"
    return _year_of_another(match)


def _is_same(joint: str, other: str) -> bool:
    """True also for a "by" without a verb beside a "directed by"."""
    return joint == other or ({_BY} < {joint, other} and joint.split()[0] == other.split()[0] == _BY)


def _year_of_another(match: PassageMatch) -> str:
    """The year in brackets behind another name of the part, where it has one behind the sentence's as well."""
    years = list(_years(match.part.reading))
    claimed = {str(date.first.year) for date in match.claim.reading.dates}
    for run in runs(match.claim.reading):
        own = {year for name, year in years if name.is_same_as(run)}
        others = {year for name, year in years if not name.is_same_as(run)}
        if own and not own & claimed and others & claimed:
            return f"the passage says {min(own)} about “{run.text}”"
    return ""


def _years(reading: ReadSentence) -> Iterator[tuple[CapitalisedName, str]]:
    for run in runs(reading):
        if year := _YEAR_BEHIND.match(reading.text, run.end):
            yield run, year[1]


def _bound(reading: ReadSentence) -> Iterator[_Binding]:
    """Each two names that only a few words with a preposition or a verb stand between; a list counts as one name."""
    names = list(runs(reading))
    made = None
    for i, (one, other) in enumerate(pairwise(names)):
        between = [word for word in reading.words if one.end <= word.start < other.start]
        lower = _without_aside([word.lower for word in between])
        listed = with_list(names[i + 1 :], reading.text)
        if made is not None and lower[:1] == ["and"] and lower[2:] == ["by"]:
            yield made, _by(lower[1]), listed  # "directed by Alan Gibson and produced by Hammer"
        elif len(between) <= _MOST_BETWEEN and not _BREAKS & {*lower}:
            joint = _joint(lower)
            if joint.startswith(_BY):
                made = one
            if joint:
                yield one, joint, listed
            elif joint := _done_to(lower):
                yield (listed, joint, one) if joint != _AS else (one, joint, listed)


def _without_aside(between: Sequence[str]) -> Sequence[str]:
    """Without what closes the name before: the `" (1987),` of `"Winter Harbour" (1987), directed by`."""
    words = list(dropwhile(lambda word: not word[:1].isalnum(), between))
    return words if words[1:2] == [_BY] and is_past(words[0]) else between


def _joint(between: Sequence[str]) -> str:
    """The preposition right before a name, with its verb: "directed by the"; "" where another verb is there."""
    place = next((i for i in reversed(range(len(between))) if between[i] in _PREPOSITIONS), None)
    if place is None or len(between) - place > _NEAR_NAME or list(between) == ["of"]:
        return ""
    verbs = [word for word in between if is_past(word) and word not in AUXILIARIES]
    if between[place] == _AS and place + 1 < len(between):
        return ""
    if between[place] == _BY:
        return _AS_BY if _PLAYING & {*between} else _by(verbs[-1]) if verbs else _BY
    return "" if verbs or AUXILIARIES & {*between} else between[place]


def _done_to(between: Sequence[str]) -> str:
    """Of "Ada directed Bo" that Bo was directed by Ada, of "Ada plays Bo" that she stands there as Bo."""
    if _PLAYING & {*between}:
        return _AS
    verbs = [word for word in between if is_past(word) and word not in AUXILIARIES]
    return _by(verbs[0]) if between[:1] == verbs and len(between) <= _NEAR_NAME else ""


def _by(verb: str) -> str:
    return f"{_BY} {root(verb)}"
