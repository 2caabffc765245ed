"""Whether a passage bears out a sentence: its part that says the most has its names, numbers, dates and direction."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from services.language.inflection import is_past, stem
from services.language.peoples import words_of_land
from services.verification.argument_order import are_swapped, slots
from services.verification.evidence_index import TurnInstants
from services.verification.fact_match import Mismatch
from services.verification.passage_bindings import binding_problem
from services.verification.passage_figures import (
    dates_problem,
    is_number_of,
    is_within,
    numbers_problem,
    ordinal_problem,
)
from services.verification.passage_kinship import kinship_problem
from services.verification.passage_order import mode_problem, order_problem
from services.verification.passage_parts import (
    AUXILIARIES,
    CALENDAR,
    CheckedSentence,
    IndexedPassage,
    PassageMatch,
    PassagePart,
    has_link,
    is_content,
    names_in,
    roots_of,
)
from services.verification.passage_polarity import polarity_problem, time_problem
from services.verification.passage_strength import strength_problem
from services.verification.sentence_reading import ReadSentence, ReadWord, read
from services.verification.word_classes import word_set

LEAST_SHARED = 0.25
LEAST_PLAIN = 0.2
"""So much of all that a sentence says, and of what is no name in it, a part must have."""

NEARLY = 0.7
"""A part that says so much of what the best one does may be meant as well."""

AGAINST = 5
"""From here on a problem is one that says the opposite, not one that something is not found."""

OF_WHOLE = 8
"""A problem of how the clauses of a sentence go together, which none of them has alone."""

FIGURE = 1.5
"""A number or a date tells as much as so many words."""


def check_passages(reading: ReadSentence, chunks: Sequence[IndexedPassage], turn: TurnInstants) -> Mismatch | None:
    """What keeps passages from bearing out a sentence; None where a part of one bears it out, or parts each clause."""
    claim = CheckedSentence(reading)
    known = frozenset[str]().union(*(chunk.vocabulary for chunk in chunks))
    dated = (word for word in reading.words if word.lower.removesuffix("s") in CALENDAR or word.text == "May")
    named = [*claim.names, *dated]
    if odd := next((word.text for word in named if not _is_known(word.lower, known)), None):
        return Mismatch(f"the passage does not name “{odd}”", chunks[0].n, 1)
    problem = _on_any(claim, chunks, turn)
    if problem is None or problem.near == OF_WHOLE:
        return problem
    for pieces in (list(pieces_of(claim)), list(_halves(claim))):
        if len(pieces) > 1 and all(_on_any(piece, chunks, turn) is None for piece in pieces):
            return None
    return problem


def _halves(claim: CheckedSentence) -> Iterator[CheckedSentence]:
    """What a sentence says on each side of "while", "but" and the like, where no verb tells its clauses."""
    for text in _HALVES.split(claim.reading.text):
        if len(text.split()) > MOST_SHORT:
            yield CheckedSentence(read(text, ()))


_HALVES = re.compile(r"\s*(?:;|,?\s(?:while|whereas|but|though|although)\s|,\s(?:and|so|which)\s)\s*", re.IGNORECASE)
MOST_SHORT = 2


def pieces_of(claim: CheckedSentence) -> Iterator[CheckedSentence]:
    """The clauses of a sentence, each with what the first is about where it does not say that itself."""
    subject = ""
    for clause in claim.clauses:
        words = [
            word
            for word in clause.words
            if word.is_word and word.lower not in ("and", "but", "then", "after", "before")
        ]
        if not words:
            continue
        text = claim.reading.text[words[0].start : clause.end]
        opening = _opening(words)
        subject = subject or (claim.reading.text[opening[0].start : opening[-1].end] if opening else "")
        yield CheckedSentence(read(text if opening else f"{subject} {text}", ()))


def _opening(words: Sequence[ReadWord]) -> list[ReadWord]:
    """The words of content before the verb."""
    opening: list[ReadWord] = []
    for word in words:
        if word.lower in AUXILIARIES or (is_past(word.lower) and opening):
            break
        if is_content(word):
            opening.append(word)
    return opening


def _is_known(name: str, known: frozenset[str]) -> bool:
    parts = name.replace("-", " ").replace(".", " ").split()
    return stem(name) in known or all(stem(part) in known or known & _kin(part) for part in parts)


def _kin(name: str) -> frozenset[str]:
    return frozenset(map(stem, words_of_land(name)))


def _on_any(claim: CheckedSentence, chunks: Sequence[IndexedPassage], turn: TurnInstants) -> Mismatch | None:
    """What keeps every part from bearing out a sentence; a part that says more of it may say the opposite."""
    matches = [(PassageMatch(claim, part, chunks, turn), chunk.n) for chunk in chunks for part in chunk.parts]
    ranked = sorted(((_shared_with(match), match, n) for match, n in matches), key=lambda one: -one[0])
    problems: list[tuple[float, float, Mismatch]] = []
    borne = -1.0
    for words, match, n in ranked:
        if words < max(NEARLY * ranked[0][0], borne):
            break
        problem = _on_part(match, n)
        if problem is None:
            borne = words
        else:
            problems.append((words, _more_by(problem, match.part), problem))
    if borne >= 0:
        return next((one for count, more, one in problems if count >= borne + more), None)
    return max(
        (one for *_, one in problems),
        key=lambda one: one.near,
        default=Mismatch("the passage does not say this", chunks[0].n),
    )


def _more_by(problem: Mismatch, part: PassagePart) -> float:
    """By how much a part must say more than another that bears the sentence out, for its problem to stand."""
    if problem.near >= AGAINST:
        return 0.0
    if problem.near in (1, 2):
        return 0.3 * problem.near
    figures = {3: part.reading.numbers, 4: part.dates}.get(problem.near)
    return 0.3 if figures else float("inf")


def _shared_with(match: PassageMatch) -> float:
    """How much of a sentence a part says; less for what its pronouns and common nouns stand for."""
    part, reading = match.part, match.claim.reading
    all_roots = [roots_of(word.lower) for word in match.claim.content]
    figures = sum(any(one.says_as(other) for other in part.reading.numbers) for one in reading.numbers)
    figures += sum(any(is_within(date, other) for other in part.dates) for date in reading.dates)
    return figures + sum(
        1.0 if r & part.roots else 0.8 if r & part.linked else 0.4 if r & part.before else 0.0 for r in all_roots
    )


def _on_part(match: PassageMatch, n: int) -> Mismatch | None:
    """Return what keeps a part from bearing out a sentence; `near` says how near it came that fails there."""
    if not _says_enough(match):
        return Mismatch("the passage does not say this", n)
    checks = (
        (OF_WHOLE, order_problem),
        (1, _names),
        (AGAINST, polarity_problem),
        (2, _subject),
        (3, numbers_problem),
        (4, dates_problem),
        (6, _direction),
        (7, ordinal_problem),
        (7, binding_problem),
        (7, kinship_problem),
        (7, strength_problem),
        (7, mode_problem),
        (7, time_problem),
    )
    for near, check in checks:
        if reason := check(match):
            return Mismatch(reason, n, near)
    return None


def _says_enough(match: PassageMatch) -> bool:
    """True when a part has enough of the words, with what its pronouns stand for, and of those that are no names."""
    part, reading = match.part, match.claim.reading
    figures = [is_number_of(number, match) for number in reading.numbers]
    figures += [any(is_within(date, other) for other in part.dates) for date in reading.dates]
    shared = plain_shared = FIGURE * sum(figures)
    whole = plain_words = FIGURE * len(figures)
    for word in match.claim.content:
        roots = roots_of(word.lower)
        has = 1.0 if roots & part.roots else 0.8 if roots & part.linked else 0.5 if roots & part.before else 0.0
        shared, whole = shared + has, whole + 1
        if word not in match.claim.names:
            plain_shared, plain_words = plain_shared + has, plain_words + 1
    return shared >= LEAST_SHARED * whole and plain_shared >= LEAST_PLAIN * plain_words


def _names(match: PassageMatch) -> str:
    """A name that the part does not say stands in no other name's place."""
    claim, part = match.claim, match.part
    near = [own for one in claim.clauses for own in part.with_verb_of(one)] or part.beside(claim)
    here = frozenset(root for clause in near for word in clause.words for root in roots_of(word.lower))
    missing = [word for word in claim.names if not (roots_of(word.lower) & here)]
    missing = [word for word in missing if not _is_beside(word, claim.names, here) and not _is_of_title(word, match)]
    if not missing:
        return ""
    stems = frozenset(map(stem, claim.words))
    beside = [word for word in names_in(part.reading) if any(word in clause.words for clause in near)]
    others = [word for word in beside if not _is_known(word.lower, stems) and not _is_beside(word, beside, stems)]
    if others and (replaced := _in_place_of(missing, others, match)):
        return f"the passage says “{others[0].text}”, not “{replaced.text}”"
    meant = part.roots | part.linked | part.before
    odd = next((word.text for word in missing if not roots_of(word.lower) & meant), None)
    return f"the passage does not say this about “{odd}”" if odd else ""


def _in_place_of(missing: Sequence[ReadWord], others: Sequence[ReadWord], match: PassageMatch) -> ReadWord | None:
    """The name that another one stands for: one that the part does not speak of, or has in another place.

    A pronoun of the part may stand for a name before it. Both may be names of what the document is on, as its title
    tells.
    """
    part, titled = match.part, frozenset[str]().union(*(chunk.titled for chunk in match.chunks))
    own, theirs = slots(match.claim.reading.words), slots(part.reading.words)
    here = part.roots | part.linked if has_link(part.reading) else part.roots
    for name in missing:
        taken = {theirs[other.start] for other in others if not _are_both(name, other, titled)}
        if not roots_of(name.lower) & here or own[name.start] in taken:
            return name
    return None


def _is_of_title(name: ReadWord, match: PassageMatch) -> bool:
    """True for the "PEP" of "PEP 8" where that is the document: it says what the passage says."""
    beside = any(0 <= number.start - name.end <= 1 for number in match.claim.reading.numbers)
    return beside and any(roots_of(name.lower) & chunk.titled for chunk in match.chunks)


def _are_both(one: ReadWord, other: ReadWord, titled: frozenset[str]) -> bool:
    return bool(roots_of(one.lower) & titled and roots_of(other.lower) & titled)


def _is_beside(name: ReadWord, names: Sequence[ReadWord], stems: frozenset[str]) -> bool:
    """True for "Mikael" in "Mikael Sato", where the sentence says "Sato"."""
    joined = [other for other in names if other.start - name.end == 1 or name.start - other.end == 1]
    return any(_is_known(other.lower, stems) for other in joined)


def _subject(match: PassageMatch) -> str:
    """What the sentence is about, its words before the verb, is there or meant there, where the part has another's."""
    opening, part = _opening(match.claim.reading.words), match.part
    if agent := _done_by_another(match):
        return f"the passage says this about “{agent}” instead"
    if not opening or any(roots_of(word.lower) & (part.roots | part.linked | part.before) for word in opening):
        return ""
    theirs = _opening(part.reading.words)
    if not theirs or any(word.lower in _PERSONS for word in part.reading.words[: len(theirs) + 4]):
        return ""
    if any(word in match.claim.names for word in opening):
        return ""
    known = any(stem(word.lower) in chunk.vocabulary for word in opening for chunk in match.chunks)
    return f"the passage does not say this about “{opening[0].text}”" if known else ""


def _done_by_another(match: PassageMatch) -> str:
    """The "producer" of "split by the producer", where the sentence has a "consumer" do that."""
    words, theirs = match.claim.reading.words, match.part.reading.words
    heads = [word for word in takewhile(lambda word: word.lower not in _BEHIND_HEADS, words) if is_content(word)]
    known = all(stem(word.lower) in chunk.vocabulary for word in heads for chunk in match.chunks)
    if (
        not heads
        or not known
        or set(heads) & set(match.claim.names)
        or any(word.lower == "by" or word.lower in _BE for word in words)
    ):
        return ""
    for verb, by, article, agent in zip(theirs, theirs[1:], theirs[2:], theirs[3:], strict=False):
        is_same_verb = any(stem(word.lower) == stem(verb.lower) for word in words if word not in heads)
        if by.lower == "by" and article.lower in ("the", "a", "an") and is_content(agent) and is_same_verb:
            same = any(roots_of(word.lower) & roots_of(agent.lower) for word in words)
            return "" if same else agent.text
    return ""


_BE = word_set("is are was were be been being")
_BEHIND_HEADS = AUXILIARIES | {"that", "which", "who", ","}
_PERSONS = word_set("we you us it they he she i")


def _direction(match: PassageMatch) -> str:
    """Who does it in the sentence does it in the part."""
    words = [word for word in match.claim.reading.words if not _is_of_title(word, match)]
    return "the passage has this the other way round" if are_swapped(words, match.part.reading.words) else ""
