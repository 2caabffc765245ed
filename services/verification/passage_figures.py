"""Whether the numbers and dates of a sentence are those of a passage's part, or follow from what passages state."""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import combinations, pairwise

from services.language.numbers import ORDINALS
from services.language.quantities import DAYS, Quantity
from services.verification.passage_parts import PassageMatch, PassagePart
from services.verification.sentence_reading import ReadSentence
from services.verification.stated_dates import StatedDate


def numbers_problem(match: PassageMatch) -> str:
    """Each number is in the part, or worked out of the passage's numbers and dates."""
    reading = match.claim.reading
    wrong = next((number for number in reading.numbers if not is_number_of(number, match)), None)
    wrong = wrong or next((number for number in reading.numbers if _is_bound_otherwise(number, match)), None)
    if wrong is not None:
        return f"the passage does not say {reading.text[wrong.start : wrong.end].strip()}"
    theirs = list(numbers_together(match.part.reading))
    for joint, one, other in numbers_together(reading):
        same = [(a, b) for joint_there, a, b in theirs if joint_there == joint and (one in (a, b) or other in (a, b))]
        if same and (one, other) not in same:
            return f"the passage has {same[0][0]:g} {joint} {same[0][1]:g}"
    return ""


def ordinal_problem(match: PassageMatch) -> str:
    """The "third highest" of a part beside the "second highest" of a sentence."""
    own, theirs = (list(_ordered(reading)) for reading in (match.claim.reading, match.part.reading))
    known = {there for there, _ in theirs}
    for one, what in own:
        others = [there for there, same in theirs if same == what]
        if others and one not in others and (one not in known or len(own) > 1):
            return f"the passage says {others[0]} {what}"
    return ""


def _ordered(reading: ReadSentence) -> Iterator[tuple[str, str]]:
    """Each ordinal with the word that follows it."""
    for one, other in pairwise(word for word in reading.words if word.is_word):
        if one.lower in ORDINALS:
            yield one.lower, other.lower


def _is_bound_otherwise(number: Quantity, match: PassageMatch) -> bool:
    """True for "at most two" where the part says "at least two"."""
    same = [other for other in match.part.reading.numbers if other.value == number.value]
    return bool(same) and all(number.is_opposite_of(other) for other in same)


def numbers_together(reading: ReadSentence) -> Iterator[tuple[str, float, float]]:
    """Two numbers that are said together: "nine votes to four", "two of the five", "from nine crossings to five"."""
    for one, other in pairwise(reading.numbers):
        between = reading.text[one.end : other.start].lower().split()
        joint = next((word for word in between if word in ("to", "of", "against")), "")
        if joint and len(between) <= MOST_BETWEEN:
            yield joint, one.value, other.value


MOST_BETWEEN = 4


def is_number_of(number: Quantity, match: PassageMatch) -> bool:
    """True for a number that the part states, or that can be worked out of what the passages state."""
    known = [one for chunk in match.chunks for one in chunk.numbers]
    here = match.part.reading.numbers
    if any(number.says_as(other) for other in match.part.reading.numbers):
        return True
    if "." in number.figure and any(number.figure == other.figure for other in known):
        return True  # a version is a name
    text = match.claim.reading.text
    if _is_of_name(number, match):
        return True
    before = text[: number.start].lower().rstrip()
    if (number.value == 1 and not number.figure and before.endswith(_NO_COUNT)) or (
        number.says(2) and before.endswith(("the", "these", "both"))
    ):
        return True
    if number.value == 1 and (not number.unit or number.unit in match.part.roots) and not number.figure:
        return True
    lengths = [other.value * DAYS[other.unit] for other in match.part.reading.numbers if other.unit in DAYS]
    if number.unit in DAYS and any(number.lasts(days) for days in lengths):
        return True
    return _is_length(number, match) or _is_worked_out(number, known, here) or _is_listed(number, match.part)


def _is_of_name(number: Quantity, match: PassageMatch) -> bool:
    """True for the 8 of "PEP 8" where the title or the text of a passage has that name."""
    name = _NAME_BEFORE.search(match.claim.reading.text[: number.start])
    if name is None or not number.figure:
        return False
    named = re.compile(rf"\b{re.escape(name[1])}s?[\s-]+{re.escape(number.figure)}\b")
    return any(named.search(f"{chunk.title}\n{chunk.text}") for chunk in match.chunks)


_NAME_BEFORE = re.compile(r"\b([A-Z]\w*?)s?[\s-]+$")
_NO_COUNT = ("of", "once", "twice", "times", "per")


def _is_listed(number: Quantity, part: PassagePart) -> bool:
    """True for how many names or things stand in a list there, and for two where a "second" is spoken of."""
    if number.unit or number.figure or number.value not in _ORDINAL_WORDS:
        return False
    names = [word for word in part.reading.words if word.text[:1].isupper()]
    between = [part.reading.text[a.end : b.start].strip(" ,") for a, b in pairwise(names)]
    listed = longest = 1
    for joint in between:
        listed = listed + 1 if joint in ("", "and", "or") else 1
        longest = max(longest, listed)
    if number.value >= LEAST_OF_A_LIST and any(len(items) == number.value for items in _lists(part.reading.text)):
        return True
    return longest == number.value or bool({_ORDINAL_WORDS[number.value]} & {word.lower for word in part.reading.words})


def _lists(text: str) -> Iterator[Sequence[str]]:
    """What stands in each list of a sentence: all but the first and the last have a few words."""
    for part in re.split(r"[;:()]", text):
        items = _BETWEEN_ITEMS.split(part)
        if all(len(item.split()) <= MOST_OF_AN_ITEM for item in items[1:-1]):
            yield items


LEAST_OF_A_LIST = 3
MOST_OF_AN_ITEM = 5
_BETWEEN_ITEMS = re.compile(r",\s*(?:and|or)\s+|,\s*|\s(?:and|or)\s")
_ORDINAL_WORDS = {float(number): word for word, number in ORDINALS.items() if number > 1}


def _is_length(number: Quantity, match: PassageMatch) -> bool:
    """True for the time between two dates of the passages, the sentence's own or the answer's, or two times of day."""
    if number.unit not in DAYS:
        return False
    if any(number.lasts(days) for chunk in match.chunks for days in chunk.between_times):
        return True
    stated = [date.first for chunk in match.chunks for date in chunk.dates]
    until = [*stated, match.turn.at.as_of, *(date.first for date in match.claim.reading.dates)]
    return any(number.lasts(abs((a - b) / timedelta(days=1))) for a in stated for b in until if a != b)


def _is_worked_out(number: Quantity, known: Sequence[Quantity], here: Sequence[Quantity]) -> bool:
    """True for a difference or a sum of two numbers, and for one's part or multiple that the passage speaks of."""
    if number.unit in DAYS:
        values = {other.value for other in known if other.unit in (number.unit, "")}
        return any(number.value == abs(one - other) for one, other in combinations(values, 2))
    values = {other.value for other in known if not other.unit}
    if number.unit in ("percent", "ratio"):
        return number.is_part(values)
    ratios = {other.value for other in known if other.unit == "ratio" and other.value}
    worked = {value / ratio for value in values for ratio in ratios} | {v * r for v in values for r in ratios}
    worked |= {abs(one - other) for one, other in combinations(values, 2)}
    pairs = [(a.value, b.value) for a, b in combinations(here, 2)]
    worked |= {x for a, b in pairs for x in (abs(a - b), a + b)}
    worked |= {max(a, b) / min(a, b) for a, b in pairs if min(a, b) > 1}
    return not number.unit and number.value > 2 and any(number.value == value for value in worked)


def is_within(date: StatedDate, other: StatedDate) -> bool:
    """True when what is stated is the same as what is claimed, or named more finely."""
    if date.first <= other.first and other.last <= date.last:
        return True
    overlap = min(date.last, other.last) - max(date.first, other.first)
    mine, theirs = date.last - date.first, other.last - other.first
    return overlap >= 0.9 * min(mine, theirs) and theirs <= 3 * mine


def dates_problem(match: PassageMatch) -> str:
    """Each date is in the part; where the part has none, anywhere in the passage."""
    part, reading = match.part, match.claim.reading
    near = [
        one
        for clause in match.claim.clauses
        for same in part.with_verb_of(clause)
        for date in same.dates
        for one in (date, date.to)
        if one
    ]
    everywhere = [date for chunk in match.chunks for date in chunk.dates]
    everywhere += [date for date in reading.dates if match.turn.is_its_own(date) or _is_as_of(date, match)]
    stated = {(date.first, date.last) for chunk in match.chunks for one in chunk.parts for date in one.dates}
    for date in (one for ranged in reading.dates for one in (ranged, ranged.to) if one is not None):
        if any(is_within(date, other) for other in near or part.dates):
            continue
        within = [other for other in everywhere if is_within(date, other)]
        worked_out = any((other.first, other.last) not in stated for other in within)
        if not within or (part.dates and not worked_out):
            return f"the passage does not say {reading.text[date.start : date.end].strip()}"
    return ""


def _is_as_of(date: StatedDate, match: PassageMatch) -> bool:
    """True for "as of November 2026" in an answer at a day of that month."""
    return date.holds(match.turn.at.as_of) and "as of" in match.claim.reading.text[: date.start + 6].lower()
