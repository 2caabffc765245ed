"""What a sentence says came first: the words of the earlier event and those of the later one."""

from collections.abc import Iterator, Sequence

from services.language.inflection import is_past
from services.verification.sentence_reading import ReadSentence, ReadWord
from services.verification.word_classes import word_set

_PRONOUNS = word_set("him her them it he she they that this which whom ,")
_BE = word_set("is are was were be being been becoming had has have")
MOST_APART = 8
"""So many characters at most stand between "before" and its date."""

Events = tuple[Sequence[ReadWord], Sequence[ReadWord]]


def orders(reading: ReadSentence) -> Iterator[Events]:
    """The words of each two events that "before", "after", "then" or "followed by" put in order, the earlier first."""
    words = reading.words
    for i, word in enumerate(words):
        if word.name:
            continue
        following = words[i + 1].lower if i + 1 < len(words) else ""
        if word.lower in ("before", "after") and not _is_of_date(reading, word) and not _stands_alone(words, i):
            main, other = _main_and_other(words, i)
            yield (main, other) if word.lower == "before" else (other, main)
        elif word.lower == "then" and i:
            yield words[:i], words[i + 1 :]
        elif word.lower == "followed" and following == "by":
            yield words[:i], words[i + 2 :]


def _is_of_date(reading: ReadSentence, word: ReadWord) -> bool:
    return any(0 <= date.start - word.end <= MOST_APART for date in reading.dates)


def _stands_alone(words: Sequence[ReadWord], i: int) -> bool:
    """True for "before him" and "after that": no clause follows."""
    if i + 1 == len(words) or words[i + 1].lower not in _PRONOUNS:
        return i + 1 == len(words)
    return not any(word.lower in _BE or is_past(word.lower) for word in words[i + 2 : i + 4])


def _main_and_other(words: Sequence[ReadWord], i: int) -> Events:
    """What "before" at a place belongs to, and what follows it; where it opens the sentence, the other way round."""
    comma = next((n for n in range(i + 1, len(words)) if words[n].lower == ","), 0)
    if comma and not any(word.is_word and word.lower != "only" for word in words[:i]):
        return words[comma + 1 :], words[i + 1 : comma]
    return words[:i], words[i + 1 :]
