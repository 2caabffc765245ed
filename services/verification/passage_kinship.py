"""Whether a sentence turns a passage's kinship round: who is whose child, and who the younger."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services.verification.capitalised_names import CapitalisedName, runs, with_list
from services.verification.passage_parts import PassageMatch
from services.verification.sentence_reading import ReadSentence, ReadWord
from services.verification.word_classes import word_set

_YOUNGER = word_set("son daughter child grandson granddaughter grandchild nephew niece heir descendant pupil disciple")
_OLDER = word_set("father mother parent grandfather grandmother grandparent uncle aunt ancestor teacher tutor mentor")
_OWNERS = word_set("his her their its")
_ADJECTIVES = 3
"""So many words at most stand between "his" and the noun: "his eldest surviving son"."""
_MOST_AFTER = 3


@dataclass(frozen=True, slots=True)
class _Kinship:
    """Two names of which the first is the child, the pupil or the like of the second."""

    younger: CapitalisedName
    older: CapitalisedName


def kinship_problem(match: PassageMatch) -> str:
    """What the part has the other way round: "Karl was the father of Franz" beside "Karl, a son of Franz"."""
    about = _of_title(match)
    claims = list(_kinships(match.claim.reading, about))
    parts = [part for chunk in match.chunks for part in chunk.parts] if claims else []
    theirs = [one for part in parts for one in _kinships(part.reading, about)]
    for claim in claims:
        if any(_is_same(claim, one.younger, one.older) for one in theirs):
            continue
        if any(_is_same(claim, one.older, one.younger) for one in theirs):
            return "the passage has this the other way round"
    return ""


def _is_same(claim: _Kinship, younger: CapitalisedName, older: CapitalisedName) -> bool:
    return claim.younger.is_same_as(younger) and claim.older.is_same_as(older)


def _of_title(match: PassageMatch) -> CapitalisedName | None:
    """The name that pronouns stand for: what the document is on."""
    titled = match.chunks[0].title
    return CapitalisedName(0, 0, titled, match.chunks[0].titled) if titled else None


def _kinships(reading: ReadSentence, about: CapitalisedName | None) -> Iterator[_Kinship]:
    names = list(runs(reading))
    for place, word in enumerate(reading.words):
        kind = _kind(word.lower)
        if kind is None:
            continue
        for holder, kin in _pairs(reading, names, place, about):
            if not holder.is_same_as(kin):
                yield _Kinship(kin, holder) if kind else _Kinship(holder, kin)


def _kind(word: str) -> bool | None:
    """True for a noun that names the younger of two, False for the older, None for any other word."""
    bare = word.removesuffix("s")
    last = bare.rsplit("-", 1)[-1]
    return True if last in _YOUNGER else False if last in _OLDER else None


def _pairs(
    reading: ReadSentence, names: Sequence[CapitalisedName], place: int, about: CapitalisedName | None
) -> Iterator[tuple[CapitalisedName, CapitalisedName]]:
    """Whose kin a noun names, and who that is: of "Karl was a son of Franz" Franz and Karl."""
    words = reading.words
    before = [name for name in names if name.end <= words[place].start]
    after = [name for name in names if name.start >= words[place].end]
    following = words[place + 1].lower if place + 1 < len(words) else ""
    if following == "of":
        if after and after[0].start - words[place + 1].end <= _FAR:
            subject = _subject(words[:place], before, about)
            if subject is not None:
                yield with_list(after, reading.text), subject
        return
    owner = _owner(words, place, before, about)
    if owner is None:
        return
    if after and _is_beside(words, place, after[0]):
        yield owner, with_list(after, reading.text)
    elif before and before[-1] is not owner and any(w.lower in _BE for w in words[:place]):
        yield owner, before[0]


_FAR = 25
_BE = word_set("is was were are became being")


def _subject(
    words: Sequence[ReadWord], before: Sequence[CapitalisedName], about: CapitalisedName | None
) -> CapitalisedName | None:
    """Who is "a son of": the first name before it, or what the document is on for a pronoun."""
    apart = [word.lower for word in words if before and word.start >= before[-1].end]
    if apart[:1] == [","] and len(apart) <= _ADJECTIVES:
        return before[-1]
    return about if _opens_with_pronoun(words) else before[0] if before else None


def _opens_with_pronoun(words: Sequence[ReadWord]) -> bool:
    return any(word.lower in ("he", "she", "his", "her") for word in words[:1])


def _owner(
    words: Sequence[ReadWord], place: int, before: Sequence[CapitalisedName], about: CapitalisedName | None
) -> CapitalisedName | None:
    """Whose a noun is: of "his eldest son" what the document is on, of "Karl's son" Karl."""
    for back in range(1, _ADJECTIVES + 2):
        word = words[place - back] if place >= back else None
        if word is None or word.lower in (",", "of", "and"):
            return None
        if word.lower in _OWNERS:
            return before[0] if before and not _opens_with_pronoun(words) else about
        if word.lower == "'s":
            return before[-1] if before and word.start - before[-1].end <= 1 else None
    return None


def _is_beside(words: Sequence[ReadWord], place: int, name: CapitalisedName) -> bool:
    """True for "his son Karl", "his son, Karl" and "his son was Karl"."""
    between = [word.lower for word in words[place + 1 :] if word.start < name.start]
    return len(between) <= _MOST_AFTER and set(between) <= _BETWEEN


_BETWEEN = _BE | {",", "the", "king", "queen", "prince"}
