"""What a sentence says came first: the words of the earlier event and those of the later one."""

from collections.abc import Iterator, Sequence

from services.language.inflection import is_past
from services.verification.sentence_reading import ReadSentence, ReadWord
from services.verification.word_classes import word_set

_OBJECTS = word_set("him her them that this these those which whom ,")
_SUBJECTS = word_set("it he she they")
_BE = word_set("is are was were be being been becoming had has have")
_BOUNDS = word_set("before after until once")
_LATER = word_set("then later afterwards subsequently")
_JOINTS = word_set("and but only , ;")
_INVERTED = word_set("did does do can could may")
"""Verbs that come before their subject behind "only after …"."""

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
        if word.lower in _BOUNDS and not _is_of_date(reading, word) and not _stands_alone(words, i):
            main, other = _main_and_other(words, i)
            is_before = word.lower == "before" or (word.lower == "until" and not _says_no(main))
            yield (main, other) if is_before else (other, main)
        elif word.lower in _LATER and i and (word.lower == "then" or words[i - 1].lower in _JOINTS):
            yield words[:i], words[i + 1 :]
        elif word.lower == "followed" and following == "by":
            yield words[:i], words[i + 2 :]


def _is_of_date(reading: ReadSentence, word: ReadWord) -> bool:
    return any(0 <= date.start - word.end <= MOST_APART for date in reading.dates)


def _stands_alone(words: Sequence[ReadWord], i: int) -> bool:
    """True for "before him" and "after that": no clause follows."""
    if i + 1 == len(words) or (words[i].lower == "once" and words[i - 1].lower in _BE):
        return True
    following = words[i + 1].lower
    if following in _OBJECTS:
        return True
    return following in _SUBJECTS and not any(w.lower in _BE or is_past(w.lower) for w in words[i + 2 : i + 3])


def _main_and_other(words: Sequence[ReadWord], i: int) -> Events:
    """What "before" at a place belongs to, and what follows it; where it opens the sentence, the other way round."""
    comma = next((n for n in range(i + 1, len(words)) if words[n].lower == ","), 0)
    if any(word.is_word and word.lower != "only" for word in words[:i]):
        return words[:i], words[i + 1 :]
    turned = next((n for n in range(i + 1, len(words)) if words[n].lower in _INVERTED), 0) if i else 0
    end = comma or turned or len(words)
    return words[end:], words[i + 1 : end]


def _says_no(words: Sequence[ReadWord]) -> bool:
    return any(word.lower in ("not", "never", "only") for word in words)
