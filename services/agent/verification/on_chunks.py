"""Whether a passage bears out a sentence: its part that says the most has its names, numbers, dates and direction."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import combinations, pairwise

from services.agent.verification.case import Problem
from services.agent.verification.chunks import HeldChunk, Part, Said, clause_roots, is_content, names_in, roots_of
from services.agent.verification.clauses import Clause
from services.agent.verification.dates import Dated
from services.agent.verification.lexicon import (
    NEGATORS,
    is_ending,
    is_negative,
    is_past,
    negated_forms,
    opposites,
    stem,
    word_set,
)
from services.agent.verification.quantities import DAYS, Quantity
from services.agent.verification.reading import Reading, Word, read
from services.agent.verification.sides import are_swapped

LEAST_SAID = 0.4
LEAST_TOLD = 0.3
"""So much of all that a sentence says, and of what is no name in it, a part must have."""

NEARLY = 0.6
"""A part that says so much of what the best one does may be meant as well."""

FIGURE = 1.5
"""A number or a date tells as much as so many words."""

_STILL = word_set("still ongoing")


def on_chunks(reading: Reading, chunks: Sequence[HeldChunk]) -> Problem | None:
    """What keeps passages from bearing out a sentence; None where a part of one bears it out, or parts each clause."""
    said = Said(reading)
    known = frozenset[str]().union(*(chunk.vocabulary for chunk in chunks))
    if odd := next((word.text for word in said.names if not _is_known(word.lower, known)), None):
        return Problem(f"it does not name “{odd}”", chunks[0].n, 1)
    problem = _on_any(said, chunks)
    if problem is None:
        return None
    pieces = list(pieces_of(said))
    return None if len(pieces) > 1 and all(_on_any(piece, chunks) is None for piece in pieces) else problem


def pieces_of(said: Said) -> Iterator[Said]:
    """The clauses of a sentence, each with what the first is about where it does not say that itself."""
    subject = ""
    for clause in said.clauses:
        words = [
            word
            for word in clause.words
            if word.is_word and word.lower not in ("and", "but", "then", "after", "before")
        ]
        if not words:
            continue
        text = said.reading.text[words[0].start : clause.end]
        opening = _opening(words)
        subject = subject or (said.reading.text[opening[0].start : opening[-1].end] if opening else "")
        yield Said(read(text if opening else f"{subject} {text}", ()))


def _opening(words: Sequence[Word]) -> list[Word]:
    """The words of content before the verb."""
    opening: list[Word] = []
    for word in words:
        if word.lower in _VERBS or (is_past(word.lower) and opening):
            break
        if is_content(word):
            opening.append(word)
    return opening


def _is_known(name: str, known: frozenset[str]) -> bool:
    return stem(name) in known or all(stem(part) in known for part in name.replace("-", " ").replace(".", " ").split())


def _on_any(said: Said, chunks: Sequence[HeldChunk]) -> Problem | None:
    told = [(_words_told(said, part), part, chunk) for chunk in chunks for part in chunk.parts]
    most = max((words for words, _, _ in told), default=0.0)
    problems = []
    for words, part, chunk in told:
        if words < NEARLY * most:
            continue
        problem = _on_part(_Case(said, part, chunks), chunk.n)
        if problem is None:
            return None
        problems.append(problem)
    return max(problems, key=lambda one: one.near, default=Problem("it does not say this", chunks[0].n))


def _words_told(said: Said, part: Part) -> float:
    """How many of a sentence's words of content a part says; less for what its pronouns and common nouns stand for."""
    all_roots = [roots_of(word.lower) for word in said.content]
    return sum(
        1.0 if r & part.roots else 0.8 if r & part.linked else 0.6 if r & part.before else 0.0 for r in all_roots
    )


@dataclass(frozen=True, slots=True)
class _Case:
    """A sentence held against a part of one of the passages that it cites."""

    said: Said
    part: Part
    chunks: Sequence[HeldChunk]


def _on_part(case: _Case, n: int) -> Problem | None:
    if not _is_said(case):
        return Problem("it does not say this", n)
    for near, check in enumerate((_names, _subject, _numbers, _dates, _polarity, _direction, _time), 1):
        if reason := check(case):
            return Problem(reason, n, near)
    return None


def _is_said(case: _Case) -> bool:
    """True when a part has enough of the words, with what its pronouns stand for, and of those that are no names."""
    part, reading = case.part, case.said.reading
    figures = [_is_number_of(number, case) for number in reading.numbers]
    stated = [*part.dates, *(date for chunk in case.chunks for date in chunk.worked_out)]
    figures += [any(_is_within(date, other) for other in stated) for date in reading.dates]
    said = told = FIGURE * sum(figures)
    whole = plain_words = FIGURE * len(figures)
    for word in case.said.content:
        roots = roots_of(word.lower)
        has = 1.0 if roots & part.roots else 0.8 if roots & part.linked else 0.0
        said, whole = said + has, whole + 1
        if word not in case.said.names:
            told, plain_words = told + (has == 1.0), plain_words + 1
    return said >= LEAST_SAID * whole and told >= LEAST_TOLD * plain_words


def _names(case: _Case) -> str:
    """A name that the part does not say stands in no other name's place."""
    said, part = case.said, case.part
    near = part.beside(said)
    here = frozenset[str]().union(*(clause_roots(clause) for clause in near))
    missing = [word for word in said.names if not (roots_of(word.lower) & here)]
    if not missing:
        return ""
    stems = frozenset(map(stem, said.words))
    beside = [word.lower for word in names_in(part.reading) if any(word in clause.words for clause in near)]
    others = [name for name in beside if not _is_known(name, stems)]
    if others:
        return f"it says “{others[0].capitalize()}”, not “{missing[0].text}”"
    meant = part.roots | part.linked | part.before
    odd = next((word.text for word in missing if not roots_of(word.lower) & meant), None)
    return f"it does not say this of “{odd}”" if odd else ""


def _subject(case: _Case) -> str:
    """What the sentence is about, its words of content before the verb, is there or meant there."""
    opening = _opening(case.said.reading.words)
    if not opening or any(roots_of(word.lower) & (case.part.roots | case.part.linked) for word in opening):
        return ""
    theirs = _opening(case.part.reading.words)
    if not theirs or any(word.lower in _PERSONS for word in case.part.reading.words[: len(theirs) + 4]):
        return ""
    known = any(stem(word.lower) in chunk.vocabulary for word in opening for chunk in case.chunks)
    return f"it does not say this of “{opening[0].text}”" if known else ""


_PERSONS = word_set("we you us it they he she i")
_VERBS = word_set("is are was were has have had can may must will would should did does do be been")


def _numbers(case: _Case) -> str:
    """Each number is in the part, or worked out of the passage's numbers and dates."""
    reading = case.said.reading
    wrong = next((number for number in reading.numbers if not _is_number_of(number, case)), None)
    return "" if wrong is None else f"it does not say {reading.text[wrong.start : wrong.end].strip()}"


def _is_number_of(number: Quantity, case: _Case) -> bool:
    if any(number.says(other.value) and _same_unit(number, other) for other in case.part.numbers):
        return True
    before = case.said.reading.text[: number.start].lower().rstrip()
    if number.says(2) and before.endswith(("the", "these", "both")):
        return True
    lengths = [other.value * DAYS[other.unit] for other in case.part.numbers if other.unit in DAYS]
    if number.unit in DAYS and any(number.lasts(days) for days in lengths):
        return True
    if number.value == 1 and number.unit and number.unit in case.part.roots:
        return True
    return _is_length(number, case.chunks) or _is_worked_out(number, (one for c in case.chunks for one in c.numbers))


def _same_unit(one: Quantity, other: Quantity) -> bool:
    return one.unit == other.unit or not one.unit or not other.unit


def _is_length(number: Quantity, chunks: Sequence[HeldChunk]) -> bool:
    """True for the time between two dates of the passages."""
    if number.unit not in DAYS:
        return False
    told = [date for chunk in chunks for date in chunk.dates]
    return any(number.lasts(abs((a.first - b.first) / timedelta(days=1))) for a, b in combinations(told, 2))


def _is_worked_out(number: Quantity, known: Iterable[Quantity]) -> bool:
    """True for a difference of two numbers, and for one's part or multiple that the passage speaks of."""
    known = list(known)
    values = {other.value for other in known if not other.unit}
    if number.unit in ("percent", "ratio"):
        return number.is_part(values)
    ratios = {other.value for other in known if other.unit == "ratio" and other.value}
    worked = {abs(one - other) for one, other in combinations(values, 2)}
    worked |= {value / ratio for value in values for ratio in ratios} | {v * r for v in values for r in ratios}
    return not number.unit and number.value > 2 and any(number.says(value) for value in worked)


def _is_within(date: Dated, other: Dated) -> bool:
    """True when what is stated is the same as what is claimed, or named more finely."""
    if date.first <= other.first and other.last <= date.last:
        return True
    overlap = min(date.last, other.last) - max(date.first, other.first)
    mine, theirs = date.last - date.first, other.last - other.first
    return overlap >= 0.9 * min(mine, theirs) and theirs <= 3 * mine


def _dates(case: _Case) -> str:
    """Each date is in the part; where the part has none, anywhere in the passage."""
    part, reading = case.part, case.said.reading
    near = [
        one
        for clause in case.said.clauses
        for same in _same_verb(clause, part)
        for date in same.dates
        for one in (date, date.to)
        if one
    ]
    everywhere = [date for chunk in case.chunks for date in chunk.dates]
    stated = {(date.first, date.last) for chunk in case.chunks for one in chunk.parts for date in one.dates}
    for date in (one for ranged in reading.dates for one in (ranged, ranged.to) if one is not None):
        if any(_is_within(date, other) for other in near or part.dates):
            continue
        told = [other for other in everywhere if _is_within(date, other)]
        worked_out = any((other.first, other.last) not in stated for other in told)
        if not told or (part.dates and not worked_out):
            return f"it does not say {reading.text[date.start : date.end].strip()}"
    return ""


def _polarity(case: _Case) -> str:
    """The clause of the part that says the most of each clause is negated as that is."""
    for one in case.said.clauses:
        nearest = case.part.nearest(one, _same_verb(one, case.part))
        said = [roots_of(word.lower) | opposites(stem(word.lower)) for word in one.words if is_content(word)]
        shared = max((sum(bool(roots & clause_roots(other)) for roots in said) for other in nearest), default=0)
        if 3 * shared < len(said):
            nearest = case.part.clauses
        if nearest and all(_is_turned(one, other) for other in nearest):
            return "it says the opposite"
    return ""


def _same_verb(one: Clause, part: Part) -> list[Clause]:
    """The clauses of a part that have a verb of another clause."""
    verbs = [roots_of(word.lower) for word in one.words if is_content(word) and is_past(word.lower)]
    return [clause for clause in part.clauses if any(roots & clause_roots(clause) for roots in verbs)]


def _is_turned(one: Clause, other: Clause) -> bool:
    """True when one is negated and the other is not; "no longer" and "used to" are the same."""
    if _is_contrasted(one, other):
        return True
    same = any(is_ending(word) and word in other.lower for word in one.lower)
    if _is_over(one) and _is_over(other) and not same:
        return False
    turns = _negatives(one) + _negatives(other) + len(_opposed(one, other)) + _other_side(one, other)
    return turns % 2 == 1


def _is_contrasted(one: Clause, other: Clause) -> bool:
    """True for a clause on rain, beside "meltwater, not rain, …"."""
    if _CONTRAST & one.lower:
        return False
    at = next((i for i in range(len(other.words)) if _is_contrast(other, i)), None)
    apart = [] if at is None else [word for word in other.words[at + 1 : at + 4] if is_content(word)][:1]
    return any(roots_of(word.lower) & clause_roots(one) for word in apart)


_CONTRAST = NEGATORS | {"rather"}


def _other_side(one: Clause, other: Clause) -> bool:
    """True for "below 25" beside "above 25"."""
    sides = {"over": "under", "under": "over"}
    return any(a.value == b.value and sides.get(a.about) == b.about for a in one.numbers for b in other.numbers)


def _opposed(one: Clause, other: Clause) -> set[str]:
    """The words of a clause whose opposites the other has in their place."""
    here = {stem(word.lower) for word in other.words if word.is_word}
    turned = {stem(base) for word in other.words for base in negated_forms(word.lower)}
    said = {word.lower for word in one.words if is_content(word) and stem(word.lower) not in here}
    return {word for word in said if opposites(stem(word)) & here or negated_forms(word) & here or stem(word) in turned}


def _is_over(clause: Clause) -> bool:
    used_to = any(a.lower == "used" and b.lower == "to" for a, b in pairwise(clause.words))
    return clause.is_no_longer or used_to or bool(_OVER & clause.lower) or any(is_ending(word) for word in clause.lower)


_OVER = word_set("former formerly previously once closed retired")


def _negatives(clause: Clause) -> int:
    return sum(is_negative(word.lower) and not _is_contrast(clause, i) for i, word in enumerate(clause.words))


def _is_contrast(clause: Clause, i: int) -> bool:
    """True for the "not" of "meltwater, not rain, …"."""
    before = clause.words[i - 1].lower if i else ","
    return clause.words[i].lower == "not" and before == "," and any(w.lower == "," for w in clause.words[i + 1 : i + 4])


def _direction(case: _Case) -> str:
    """Who does it in the sentence does it in the part."""
    return "it has it the other way round" if are_swapped(case.said.reading.words, case.part.reading.words) else ""


def _time(case: _Case) -> str:
    """What is said of now has not ended in the part."""
    said, here = case.said, {word.lower for word in case.part.reading.words}
    tenses = {clause.tense for clause in case.part.clauses}
    if said.reading.dates or "past" not in tenses or any(is_ending(word) for word in said.words):
        return ""
    if any(_is_over(clause) for clause in said.clauses):
        return ""
    if said.words & _STILL and not here & _STILL and "present" not in tenses:
        return "it tells of the past"
    near = case.part.beside(said)
    words = {word for clause in near for word in clause.lower} - said.words
    ended = any(is_ending(word) or word in ("closed", "lost") for word in words) or any(map(_is_over, near))
    speaks_of_now = any(clause.tense in ("present", "perfect", "") for clause in said.clauses)
    return "it says that this ended" if speaks_of_now and ended else ""
