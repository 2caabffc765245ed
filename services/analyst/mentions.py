"""Which names of the graph a question mentions: whole ones, short forms, values by their stem, misspelt ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from services.analyst.fuzzy import closest
from services.analyst.graph_lexicon import Lexicon
from services.analyst.question_words import (
    FUNCTION_WORDS,
    LIGHT_WORDS,
    MONTHS,
    SMALL_WORDS,
    Key,
    QuestionWord,
    WordSpan,
    key_of,
)
from services.analyst.vocabulary import is_of_people

How = Literal["whole", "short", "stem", "misspelt", "unknown"]

_SUFFIXES = {""} | set(
    str.split(
        "e ed d s es n en al ing ion ation ance ence ment ised ized ising izing ise ize isation ization ated ating ate "
        "ity y ive able t"
    )
)
_AFTER_A_DAY = MONTHS | {"st", "nd", "rd", "th"}
_OPENERS = frozenset(("till", "until", "since", "before", "after", "once", "upon", "will", "may", "can", "could"))
_LEAST_STEM = 4
_LEAST_IN_A_SERIES = 5
_LONGEST_MISSPELT = 4
_LONGEST_SHORT = 10
_BETWEEN_SHAPE_AND_NUMBER = frozenset(("number", "no", "nr", "num", "version", "v", "release"))


@dataclass(frozen=True, slots=True)
class NameMention(WordSpan):
    """Words `first` to before `last` that mean one of `names`; of an unknown number, the name that the graph lacks."""

    names: tuple[str, ...]
    how: How

    @property
    def name(self) -> str:
        """The name that is meant, the busiest first."""
        return self.names[0]


def mentions_in(words: Sequence[QuestionWord], lexicon: Lexicon) -> list[NameMention]:
    """The names in a question, in order, none over another."""
    cased = _is_cased(words)
    taken: dict[int, NameMention] = {}
    _take(taken, _whole(words, lexicon, cased))
    _take(taken, _numbered(words, lexicon, taken))
    for length in range(_LONGEST_SHORT, 0, -1):
        _take(taken, _short(words, lexicon, cased, taken, length))
        if 1 < length <= _LONGEST_MISSPELT:
            _take(taken, _misspelt(words, lexicon, cased, taken, length))
    _take(taken, _by_stem(words, lexicon, taken))
    _take(taken, _misspelt(words, lexicon, cased, taken, 1))
    found = sorted(set(taken.values()), key=lambda mention: mention.first)
    return [_with_other_forms(mention, lexicon) for mention in found]


def _with_other_forms(mention: NameMention, lexicon: Lexicon) -> NameMention:
    """A value, then others that are forms of the same word, for what the first is no value of."""
    if not lexicon.is_value(mention.name):
        return mention
    word = mention.name.casefold()
    forms = [name for name in lexicon.values if name not in mention.names and is_form_of(word, name.casefold())]
    return replace(mention, names=(*mention.names, *sorted(forms, key=lambda name: -lexicon.degrees.get(name, 0))))


def _take(taken: dict[int, NameMention], found: Iterator[NameMention]) -> None:
    for mention in found:
        if not any(place in taken for place in mention.places):
            taken.update(dict.fromkeys(mention.places, mention))


def _is_cased(words: Sequence[QuestionWord]) -> bool:
    """True where capitals tell names: any word but the first and those of dates has one, and not all letters are."""
    telling = (word for word in words[1:] if word.is_capitalised and word.low not in _AFTER_A_DAY)
    return any(telling) and not all(word.text.isupper() for word in words)


def _whole(words: Sequence[QuestionWord], lexicon: Lexicon, cased: bool) -> Iterator[NameMention]:
    place = 0
    while place < len(words):
        step = 1
        for length in range(min(lexicon.longest, len(words) - place), 0, -1):
            key = _key(words, place, place + length)
            names = lexicon.full.get(key) or lexicon.full.get((*key[:-1], key[-1].removesuffix("s")))
            if names and _is_meant(words, place, length, names, lexicon, cased):
                yield NameMention(place, place + length, names, "whole")
                step = length
                break
        place += step


def _is_meant(
    words: Sequence[QuestionWord], place: int, length: int, names: tuple[str, ...], lexicon: Lexicon, cased: bool
) -> bool:
    """A name that is an everyday word is meant where it is a value of the graph, or is written with a capital."""
    if length > 1:
        return True
    word = words[place]
    if word.is_number:
        return "." in word.low
    if lexicon.is_value(names[0]):
        return word.low not in FUNCTION_WORDS
    if _is_everyday(word, lexicon):
        return word.is_capitalised and place > 0
    return word.is_capitalised or not cased or names[0].islower()


def _is_everyday(word: QuestionWord, lexicon: Lexicon) -> bool:
    return word.low in SMALL_WORDS or word.stem in lexicon.words or len(word.low) < 3


def _numbered(words: Sequence[QuestionWord], lexicon: Lexicon, taken: dict[int, NameMention]) -> Iterator[NameMention]:
    """Numbers in a series of names, written in other ways ("PEP no. 8", "PEPs 8 and 20", "version 3.5")."""
    for place in range(len(words)):
        shape, number = _shape_at(words, lexicon, place)
        first = place
        if shape is None and place not in taken and "." in words[place].low and words[place].is_number:
            yield from _by_number_alone(words, lexicon, place)
        while shape is not None and number < len(words) and words[number].is_number:
            if _is_in_date(words, lexicon, shape, first, number):
                break
            if first not in taken:
                yield _of_series(words, lexicon, shape, first, number)
            first = number = number + 1
            if number < len(words) and words[number].low in ("and", "or"):
                first = number = number + 1
            elif number < len(words) and words[number].gap.strip() not in (",", "&", "/"):
                break


def _is_in_date(words: Sequence[QuestionWord], lexicon: Lexicon, shape: Key, first: int, number: int) -> bool:
    """True for a number that the series lacks and a date has: "rejected PEPs 2005-05-05", "PEPs 2010"."""
    follows = words[number + 1] if number + 1 < len(words) else None
    if first == number and follows is not None and follows.low in _AFTER_A_DAY:
        return True  # "PEP 572, 1 March 2018"
    if (*shape, words[number].low) in lexicon.full:
        return False
    dated = follows is not None and ((follows.is_number and follows.gap in ("-", "/")) or follows.low in _AFTER_A_DAY)
    plural = first < number and (words[first].low not in shape and words[first].low.endswith("s"))
    return dated or (plural and 1900 <= float(words[number].low) <= 2100)


def _by_number_alone(words: Sequence[QuestionWord], lexicon: Lexicon, place: int) -> Iterator[NameMention]:
    """ "3.5" for "Python 3.5", where no other series has that number."""
    found = [names for shape in lexicon.shapes if (names := lexicon.full.get((*shape, words[place].low)))]
    if len(found) == 1:
        yield NameMention(place, place + 1, found[0], "whole")


def _of_series(words: Sequence[QuestionWord], lexicon: Lexicon, shape: Key, first: int, number: int) -> NameMention:
    names = lexicon.full.get((*shape, words[number].low)) or lexicon.full.get((words[number].low,))
    if names:
        return NameMention(first, number + 1, names, "whole")
    lacking = " ".join((*(word.text for word in words[first:number]), words[number].text))
    return NameMention(first, number + 1, (lacking,), "unknown")


def _shape_at(words: Sequence[QuestionWord], lexicon: Lexicon, place: int) -> tuple[Key | None, int]:
    """The series whose name stands here, and where its number would."""
    for length in (3, 2, 1):
        after = place + length
        if after >= len(words):
            continue
        key = _key(words, place, after)
        singular = (*key[:-1], key[-1].removesuffix("s"))
        shape = next((k for k in (key, singular) if k in lexicon.shapes), None)
        if shape is None and length == 1 and (kind := lexicon.type_named(key[0])):
            shape = next((k for k, of in lexicon.shapes.items() if of == kind), None)
            if not words[after].is_number and words[after].low not in _BETWEEN_SHAPE_AND_NUMBER:
                shape = None
        if shape is not None:
            if words[after].low in _BETWEEN_SHAPE_AND_NUMBER:
                after += 1
            return shape, after
    return None, place


def _short(
    words: Sequence[QuestionWord], lexicon: Lexicon, cased: bool, taken: dict[int, NameMention], length: int
) -> Iterator[NameMention]:
    for place in range(len(words) - length + 1):
        if any(at in taken for at in range(place, place + length)):
            continue
        key = _key(words, place, place + length)
        names = lexicon.short.get(key)
        if (
            names
            and not _opens(words, place, length)
            and (
                _is_short_meant(words[place : place + length], lexicon, cased)
                or (cased and _is_called(words, place, key, names, lexicon))
            )
        ):
            yield NameMention(place, place + length, names, "short")


def _is_short_meant(words: Sequence[QuestionWord], lexicon: Lexicon, cased: bool) -> bool:
    """A short form has a capital wherever the question has any; else it is no everyday word."""
    if cased:
        return words[0].is_capitalised and (len(words) > 1 or words[0].low not in FUNCTION_WORDS)
    telling = [word for word in words if not _is_everyday(word, lexicon)]
    return len(telling) == len(words) if len(words) == 1 else len(telling) * 2 >= len(words)


def _opens(words: Sequence[QuestionWord], place: int, length: int) -> bool:
    """True for a word that opens a question and has its capital by that alone: "Till when?"."""
    return place == 0 and length == 1 and words[place].low in _OPENERS


def _is_called(words: Sequence[QuestionWord], place: int, key: Key, names: tuple[str, ...], lexicon: Lexicon) -> bool:
    """Small letters mean a name beside ones with capitals where a person has it ("guido"), or after "the" ("the foxes")
    where names end with it.
    """
    telling = [word for word in words[place : place + len(key)] if not _is_everyday(word, lexicon)]
    if len(telling) < len(key):
        return False
    if all(is_of_people(lexicon.type_of(name)) for name in names):
        return True
    return place > 0 and words[place - 1].low == "the" and all(key_of(name)[-len(key) :] == key for name in names)


def _by_stem(words: Sequence[QuestionWord], lexicon: Lexicon, taken: dict[int, NameMention]) -> Iterator[NameMention]:
    """Values in another form of the word: "acceptance" and "accepts" for "Accepted"."""
    for place, word in enumerate(words):
        if place in taken or len(word.low) < _LEAST_STEM or word.low in FUNCTION_WORDS or word.stem in lexicon.words:
            continue
        found = [name for name in lexicon.values if is_form_of(word.low, name.casefold())]
        if found:
            best = min(found, key=lambda name: (abs(len(name) - len(word.low)), -lexicon.degrees.get(name, 0)))
            yield NameMention(place, place + 1, (best,), "stem")


def is_form_of(word: str, value: str) -> bool:
    """True for two forms of one word: "withdrawal" and "withdrawn"."""
    if not value.isalpha() or word[:_LEAST_STEM] != value[:_LEAST_STEM]:
        return False
    shared = next((n for n, (a, b) in enumerate(zip(word, value, strict=False)) if a != b), min(len(word), len(value)))
    return any(
        cut >= max(_LEAST_STEM, len(value) - 3) and word[cut:] in _SUFFIXES and value[cut:] in _SUFFIXES
        for cut in range(shared, _LEAST_STEM - 1, -1)
    )


def _misspelt(
    words: Sequence[QuestionWord], lexicon: Lexicon, cased: bool, taken: dict[int, NameMention], length: int
) -> Iterator[NameMention]:
    for place in range(len(words) - length + 1):
        if any(at in taken for at in range(place, place + length)):
            continue
        if _may_be_misspelt(words[place : place + length], lexicon, cased):
            asked = _key(words, place, place + length)
            found = closest(" ".join(asked), lexicon.fuzzy.get(length, ()))
            if found and not _is_another_series(asked, tuple(found.split(" "))):
                yield NameMention(place, place + length, lexicon.full[tuple(found.split(" "))], "misspelt")


def _is_another_series(asked: Key, found: Key) -> bool:
    """True for "JEP 302" beside "PEP 302": a short word before a number is no slip, unless its letters are swapped."""
    return any(word[0].isdigit() for word in found) and any(
        one != two and len(one) < _LEAST_IN_A_SERIES and sorted(one) != sorted(two)
        for one, two in zip(asked, found, strict=True)
    )


def _may_be_misspelt(words: Sequence[QuestionWord], lexicon: Lexicon, cased: bool) -> bool:
    if all(word.is_number for word in words) or all(_is_everyday(word, lexicon) for word in words):
        return False
    if words[0].low in FUNCTION_WORDS or words[-1].low in FUNCTION_WORDS:
        return False
    if len(words) == 1 and (words[0].low in LIGHT_WORDS or words[0].low in lexicon.words):
        return False
    return not cased or any(word.is_capitalised for word in words)


def _key(words: Sequence[QuestionWord], first: int, last: int) -> Key:
    return tuple(word.low for word in words[first:last])
