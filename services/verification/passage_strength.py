"""Whether a sentence says more than a passage, or less: of how many, how strictly, and of these alone."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from services.verification.passage_parts import PassageMatch, is_content, roots_of
from services.verification.sentence_reading import ReadSentence, ReadWord
from services.verification.word_classes import is_negative, word_set

_FEW, _SOME, _MOST, _ALL = range(4)
_HOW_MANY: Mapping[str, int] = {
    "few": _FEW, "little": _FEW, "some": _SOME, "several": _SOME, "many": _SOME, "numerous": _SOME, "most": _MOST,
    "all": _ALL, "every": _ALL, "each": _ALL,
}  # fmt: skip
_NEAR_NOUN = 4
"""So many words from "all" to its noun: "all of the other historians"."""

_MAY, _MUST = word_set("may can could might"), word_set("must shall")
_HAS_TO = word_set("have has had need needs needed")
_OBLIGED = word_set("required obliged compelled")
_ALONE = word_set("sole solely exclusively")
_LIMITS = _ALONE | word_set("only alone just merely but limited restricted except unique single")
_PREPOSITIONS = word_set("by in on at for to with as from of through about under within")


def strength_problem(match: PassageMatch) -> str:
    """What the sentence says of more or of fewer, more or less strictly, or of these alone."""
    return _quantity_problem(match) or _duty_problem(match) or _limit_problem(match)


def _quantity_problem(match: PassageMatch) -> str:
    """The "many historians" of a part beside the "all historians" of a sentence."""
    theirs = list(_counted(match.part.reading))
    for rank, noun, _ in _counted(match.claim.reading):
        same = [(rank_there, shown) for rank_there, noun_there, shown in theirs if noun & noun_there]
        if same and all(rank != rank_there for rank_there, _ in same):
            return f"the passage says “{same[0][1]}”"
    return ""


def _counted(reading: ReadSentence) -> Iterator[tuple[int, frozenset[str], str]]:
    """Each word that says of how many, as a rank, with the roots of its noun and how both are written."""
    words = reading.words
    for i, word in enumerate(words):
        rank = _HOW_MANY.get(word.lower)
        following = [w for w in islice(words, i + 1, i + 1 + _NEAR_NOUN) if is_content(w)]
        if rank is None or not following or not following[0].is_word:
            continue
        rank = _SOME if rank > _MOST and i and words[i - 1].lower == "not" else rank
        yield rank, roots_of(following[0].lower), f"{word.text} {following[0].text}"


def _duty_problem(match: PassageMatch) -> str:
    """The "may apply" of a part beside the "must apply" of a sentence, or the other way round."""
    theirs = list(_duties(match.part.reading.words))
    for is_duty, verb in _duties(match.claim.reading.words):
        same = [duty for duty, verb_there in theirs if verb & verb_there]
        if same and is_duty not in same:
            return "the passage says only that this is allowed" if is_duty else "the passage says that this is required"
    return ""


def _duties(words: Sequence[ReadWord]) -> Iterator[tuple[bool, frozenset[str]]]:
    """For each "must" and "may" that nothing negates whether it is a duty, and the roots of its verb."""
    for i, word in enumerate(words):
        following = words[i + 1 : i + 6]
        is_duty = word.lower in _MUST or (
            word.lower in _HAS_TO | _OBLIGED and [w.lower for w in following[:1]] == ["to"]
        )
        if not is_duty and word.lower not in _MAY:
            continue
        if any(is_negative(one.lower) for one in (*words[max(0, i - 2) : i], *following[:2])):
            continue
        if verb := next((one for one in following if is_content(one)), None):
            yield is_duty, roots_of(verb.lower)


def _limit_problem(match: PassageMatch) -> str:
    """The "only" of "worked only on", the "sole" of "the sole founder", where the part knows no limit."""
    if _LIMITS & {word.lower for word in match.part.reading.words}:
        return ""
    limit = next(_limits(match.claim.reading), None)
    return f"the passage does not say “{limit.text}”" if limit else ""


def _limits(reading: ReadSentence) -> Iterator[ReadWord]:
    """The words that say that something holds of these alone, not those of "only two" and "only after"."""
    words = reading.words
    for i, word in enumerate(words):
        following = words[i + 1].lower if i + 1 < len(words) else ""
        ends = following in ("", ".", ",", ";")
        is_only = word.lower == "only" and (following in _PREPOSITIONS or ends)
        is_behind_name = word.lower == "alone" and ends and words[i - 1].text[:1].isupper()
        if word.lower in _ALONE or is_only or is_behind_name:
            yield word
