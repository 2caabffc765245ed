"""Whether a passage's part says the opposite of a sentence, or that it is over."""

from collections.abc import Callable, Iterator, Sequence
from itertools import dropwhile, pairwise, takewhile

from services.language.inflection import is_past, stem
from services.language.quantities import DAYS
from services.verification.passage_figures import numbers_together
from services.verification.passage_parts import AUXILIARIES, PassageMatch, clause_roots, is_content, roots_of
from services.verification.sentence_clauses import SentenceClause
from services.verification.sentence_reading import ReadSentence, ReadWord
from services.verification.word_classes import REFUSALS, is_ending, is_negative, opposites, word_set

_STILL = word_set("still ongoing")


def polarity_problem(match: PassageMatch) -> str:
    """The clause of the part that says the most of each clause is negated as that is."""
    for one in match.claim.clauses:
        nearest = match.part.nearest(one)
        verbs = match.part.with_verb_of(one)
        nearest = [own for own in nearest if own in verbs] or nearest
        if nearest and all(_is_turned(one, other) for other in nearest):
            return "the passage says the opposite"
    return ""


def _is_turned(one: SentenceClause, other: SentenceClause) -> bool:
    """True when one is negated and the other is not; "no longer" and "used to" are the same."""
    if apart := _contrasted_in(one, other):
        return not _is_denied(one, apart)
    if negatives(one) and _is_superlative_of(one, other):
        return False
    if _denies_harm(one, other) or _denies_harm(other, one):
        return True
    theirs = frozenset(map(stem, other.lower))
    same = any(is_ending(word) and stem(word) in theirs for word in one.lower)
    if is_over(one) and is_over(other) and not same:
        return False
    if (one.is_no_longer and _STILL & other.lower) or (other.is_no_longer and _STILL & one.lower):
        return _says_as_much(one, other)
    opposed = len(_opposed(one, other))
    turns = negatives(one) + negatives(other) + opposed
    if turns == 1 and not opposed and (_refusals(one, other) or _is_meant_by(one, other) or _is_meant_by(other, one)):
        return False
    return turns % 2 == 1 and bool(opposed or _denies(one, other) or _denies(other, one) or _says_as_much(one, other))


def _is_meant_by(one: SentenceClause, other: SentenceClause) -> bool:
    """True where a word of the other says what the one's negator does: "avoid confusion", "without asking users"."""
    unsaid = _UNSAID - {stem(word.lower) for word in one.words}
    denied = _behind(one, lambda word: is_negative(word.lower))
    return bool(denied & _behind(other, lambda word: stem(word.lower) in unsaid))


def _behind(clause: SentenceClause, is_such: Callable[[ReadWord], bool]) -> frozenset[str]:
    """The roots of the words of content behind the first such word of a clause; a "but" that opens it joins it."""
    behind = dropwhile(lambda word: not is_such(word), clause.words[clause.words[0].lower == "but" :])
    return frozenset(root for word in behind if is_content(word) for root in roots_of(word.lower))


_UNSAID = frozenset(
    map(
        stem,
        word_set(
            "avoid prevent exclude reject refuse decline deny lack omit forbid prohibit ban remove abandon fail miss "
            "without except only but too unlike free devoid impossible unable rule stop keep protect"
        ),
    )
)


def _refusals(one: SentenceClause, other: SentenceClause) -> bool:
    """True where one of two clauses says that somebody refused, as "did not take a seat" beside "declined a seat"."""
    return _refuses(one) != _refuses(other)


def _refuses(clause: SentenceClause) -> bool:
    """True for "declined a seat", not for "the reason for declining it"."""
    return any(
        stem(word.lower) in REFUSALS and is_past(word.lower) and before.lower not in ("for", "of")
        for before, word in pairwise(clause.words)
    )


def _is_superlative_of(one: SentenceClause, other: SentenceClause) -> bool:
    """True for "no peak is higher than …" beside "the highest peak"."""
    return "than" in one.lower and any(w.endswith("er") and f"{w[:-2]}est" in other.lower for w in one.lower)


def _denies_harm(one: SentenceClause, other: SentenceClause) -> bool:
    """True for "reads failed" beside "reads were never affected"."""
    if negatives(one) or not any(stem(word.lower) in _HURTS for word in _denied(other)):
        return False
    return any(stem(word.lower) in _FAILS for word in one.words if is_content(word))


_HURTS = frozenset(map(stem, word_set("affect harm damage hurt injure interrupt disrupt disturb impair")))
_FAILS = _HURTS | frozenset(map(stem, word_set("fail break crash stop suffer destroy collapse")))


def _says_as_much(one: SentenceClause, other: SentenceClause) -> bool:
    """True when half of what a clause says after its verb, or its negator, is in the other."""
    start = next((i for i, w in enumerate(one.words) if is_negative(w.lower) or w.lower in AUXILIARIES), -1)
    words = [word for word in one.words[start + 1 :] if is_content(word)]
    shared = sum(bool(roots_of(word.lower) & clause_roots(other)) for word in words)
    return bool(words) and 2 * shared >= len(words)


def _denies(one: SentenceClause, other: SentenceClause) -> bool:
    """True when what a negator of the one is said of, the other has too."""
    return any(roots_of(word.lower) & clause_roots(other) for word in _denied(one))


def _denied(clause: SentenceClause) -> Iterator[ReadWord]:
    """What the negators of a clause are said of: the next word of content."""
    for i, word in enumerate(clause.words):
        if is_negative(word.lower) and not _is_contrast(clause, i):
            yield from [after for after in clause.words[i + 1 :] if is_content(after)][:1]


def _contrasted_in(one: SentenceClause, other: SentenceClause) -> ReadWord | None:
    """The "rain" of a clause on rain, beside "meltwater, not rain, …"."""
    own, apart = set(_contrasted(one)), _contrasted(other)
    words = [word for word in one.words if is_content(word) and word not in own] if apart else []
    return next((word for word in words if any(roots_of(word.lower) & roots_of(a.lower) for a in apart)), None)


def _is_denied(clause: SentenceClause, word: ReadWord) -> bool:
    """True for a word with a negator between the same commas."""
    commas = [mark.start for mark in clause.words if mark.lower == ","]
    first = max((place for place in commas if place < word.start), default=-1)
    last = min((place for place in commas if place > word.start), default=clause.end)
    return any(is_negative(other.lower) for other in clause.words if first < other.start < last)


def _contrasted(clause: SentenceClause) -> list[ReadWord]:
    """What a clause sets apart: "rain" in "meltwater, not rain", HR in "by the lead, never by HR"."""
    at = next((i for i in range(len(clause.words)) if _is_contrast(clause, i)), None)
    following = () if at is None else takewhile(lambda word: word.lower not in _ENDS, clause.words[at + 1 : at + 4])
    return [word for word in following if is_content(word)][:2]


def _opposed(one: SentenceClause, other: SentenceClause) -> set[str]:
    """The words of a clause whose opposites the other has in their place."""
    here = {stemmed for word in other.words if word.is_word for stemmed in _stems(word.lower)}
    beside = [opposites(word) for word in here]
    changing = {word.lower for word in one.words if is_content(word) or (word.is_word and word.lower.endswith("ly"))}

    def is_opposed(stemmed: str) -> bool:
        return bool(opposites(stemmed) & here) and not any(opposites(stemmed) & others for others in beside)

    return {word for word in changing if stem(word) not in here and any(map(is_opposed, {*_stems(word)} - here))}


def _stems(word: str) -> Iterator[str]:
    """The stem of a word, those of the parts of "low-budget", and those of what "easier" and "easily" come from."""
    for part in (word, *(word.split("-") if "-" in word else ())):
        yield stem(part)
        for ending, others in _FORMS:
            if part.endswith(ending):
                yield from (stem(part.removesuffix(ending) + other) for other in others)


_FORMS = (("ier", ("y",)), ("iest", ("y",)), ("er", ("", "e")), ("est", ("", "e")), ("ily", ("y",)), ("ly", ("",)))


def is_over(clause: SentenceClause) -> bool:
    """True for a clause that tells that something is over: "no longer", "used to", "closed"."""
    used_to = any(a.lower == "used" and b.lower == "to" for a, b in pairwise(clause.words))
    return clause.is_no_longer or used_to or bool(OVER & clause.lower) or any(is_ending(word) for word in clause.lower)


OVER = word_set("former formerly previously once closed retired abolished discontinued removed handed")


def negatives(clause: SentenceClause) -> int:
    """How many words of a clause turn it: not those of "rain, not snow" and of "no harm"."""
    following = (*clause.words[1:], None)
    return sum(
        is_negative(word.lower)
        and word.lower != "without"
        and not _is_contrast(clause, i)
        and not (after and stem(after.lower) in _HARMS)
        for i, (word, after) in enumerate(zip(clause.words, following, strict=True))
    )


_HARMS = frozenset(map(stem, word_set("harm problem trouble objection damage danger doubt obstacle fault reason")))


def _is_contrast(clause: SentenceClause, i: int) -> bool:
    """True for the "not" of "meltwater, not rain, …" and for "by the lead, never by HR": no verb follows it."""
    before = clause.words[i - 1].lower if i else ""
    after = clause.words[i + 1].lower if i + 1 < len(clause.words) else ""
    if (clause.words[i].lower, after) in (("rather", "than"), ("instead", "of")):
        return True
    if clause.words[i].lower not in ("not", "never") or before != ",":
        return False
    following = clause.words[i + 1 : i + 6]
    end = next((n for n, word in enumerate(following) if word.lower in _ENDS), len(following))
    return end < MOST_CONTRASTED and not any(w.lower in AUXILIARIES or is_past(w.lower) for w in following[:end])


MOST_CONTRASTED = 5
_ENDS = word_set(", . ; :")


def time_problem(match: PassageMatch) -> str:
    """What is said of now has not ended in the part."""
    claim, here = match.claim, {word.lower for word in match.part.reading.words}
    if claim.reading.dates or any(is_ending(word) for word in claim.words) or any(map(is_over, claim.clauses)):
        return ""
    tenses = {clause.tense for clause in match.part.clauses}
    if claim.words & _STILL and not here & _STILL and "past" in tenses and "present" not in tenses:
        return "the passage is about the past"
    if (
        any(clause.tense in ("past", "future") for clause in claim.clauses)
        or claim.words & _WAS
        or _lasts(claim.reading)
    ):
        return ""
    near = match.part.beside(claim)
    if any(date.role in ("until", "to") and date.last <= match.turn.at.as_of for one in near for date in one.dates):
        return "the passage says that this ended"
    after = match.part.clauses[match.part.clauses.index(near[-1]) + 1 :] if near else []
    ended = any(_ended(one, match) for one in near) or any(_ended(one, match) for one in after if one.has_pronoun)
    return "the passage says that this ended" if ended else ""


def _lasts(reading: ReadSentence) -> bool:
    return any(number.unit in DAYS and number.value != 1 for number in reading.numbers)


_WAS = word_set("was were had did")


def _ended(clause: SentenceClause, match: PassageMatch) -> bool:
    """True when a clause that says what is said tells that it is over, or that another came in its place."""
    roots = frozenset(root for word in match.claim.content for root in roots_of(word.lower))
    if clause.tense != "present" and is_over(clause) and not any(map(negatives, match.claim.clauses)):
        return any(is_past(word.lower) or word.lower in OVER for word in clause.words)
    if any(stem(word.lower) in _REPLACES for word in match.claim.content):
        return False
    for i, word in enumerate(clause.words):
        if stem(word.lower) in _REPLACES and _shares(_replaced(clause, i), roots):
            return True
        if stem(word.lower) in _CHANGES and _shares(_left_behind(clause.words[i + 1 :]), roots):
            return True
    numbers = [number.value for number in match.claim.reading.numbers]
    return any(
        joint == "to" and one in numbers and other not in numbers
        for joint, one, other in numbers_together(match.part.reading)
    )


def _left_behind(words: Sequence[ReadWord]) -> list[ReadWord]:
    """Of "from the gym to a hall", the gym."""
    if not words or words[0].lower != "from":
        return []
    return list(takewhile(lambda word: word.lower not in ("to", ","), words[1:]))


def _replaced(clause: SentenceClause, verb: int) -> list[ReadWord]:
    """The Folake of "who replaced her aunt Folake"; nobody in a passive."""
    if any(word.lower in AUXILIARIES for word in clause.words[max(0, verb - 2) : verb]):
        return []
    return [word for word in clause.words[verb + 1 : verb + 5] if word.text[:1].isupper()]


def _shares(words: Sequence[ReadWord], roots: frozenset[str]) -> bool:
    return any(roots_of(word.lower) & roots for word in words)


_CHANGES = frozenset(map(stem, ("switch", "move", "change", "migrate", "convert")))
_REPLACES = frozenset(map(stem, ("replace", "supersede", "succeed")))
