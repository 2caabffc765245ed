"""Which names of the graph a question mentions: whole ones, short forms, values by their stem, misspelt ones."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from services.analyst.fuzzy import closest
from services.analyst.graph_lexicon import Lexicon
from services.analyst.question_words import (
    FUNCTION_WORDS,
    MONTHS,
    SMALL_WORDS,
    Key,
    QuestionWord,
    WordSpan,
    key_of,
    stem,
)
from services.analyst.vocabulary import is_of_people
from services.language.given_names import are_different, other_forms
from services.language.inflection import is_form_of
from services.language.numbers import ORDINALS

How = Literal["whole", "short", "stem", "misspelt", "unknown"]

_ENDS_OF_ORDINALS = frozenset(("st", "nd", "rd", "th"))
_AFTER_A_DAY = MONTHS | _ENDS_OF_ORDINALS
_DEFINITE = frozenset(("the", "his", "her", "their", "our", "my"))
_OPENERS = frozenset(("till", "until", "since", "before", "after", "once", "upon", "will", "may", "can", "could"))
_LED = re.compile(r"^(?:in|at|on|under|out of|being) ")
"""A preposition that opens a value."""
_LEAST_STEM = 4
_LEAST_IN_A_SERIES = 5
_LONGEST_MISSPELT = 4
_LONGEST_SHORT = 10
_LONGEST_TURNED = 3
_TURNING = frozenset(("in", "of", "at"))
_LONGEST_FIELD = 3
_BEFORE_A_NUMBER = frozenset(("does", "did", "is", "was", "and", "or"))
_OF_EDITIONS = frozenset(("edition", "of", "the", "'s", "season", "instalment", "issue"))
_COUNTED = frozenset(("other", "more", "time", "day", "week", "month", "year", "author", "of", "people", "fact"))
_BETWEEN_NUMBERS = ("and", "or", ",", "&", "/")
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
    cased, series = _is_cased(words), _series_places(words, lexicon)
    taken: dict[int, NameMention] = {}
    _take(taken, _editions(words, lexicon))
    _take(taken, _beyond_whole(words, lexicon, cased, series))
    _take(taken, _turned(words, lexicon))
    _take(taken, _whole(words, lexicon, cased, series))
    _take(taken, _numbered(words, lexicon))
    _take(taken, _by_field(words, lexicon, taken))
    for length in range(_LONGEST_SHORT, 0, -1):
        _take(taken, _by_given_name(words, lexicon, cased, taken, length))
        _take(taken, _short(words, lexicon, cased, series, taken, length))
        if 1 < length <= _LONGEST_MISSPELT:
            _take(taken, _misspelt(words, lexicon, cased, taken, length))
    _take(taken, _by_stem(words, lexicon, taken))
    _take(taken, _misspelt(words, lexicon, cased, taken, 1))
    return sorted(set(taken.values()), key=lambda mention: mention.first)


def _take(taken: dict[int, NameMention], found: Iterator[NameMention]) -> None:
    for mention in found:
        if not any(place in taken for place in mention.places):
            taken.update(dict.fromkeys(mention.places, mention))


def _free(words: Sequence[QuestionWord], taken: dict[int, NameMention], length: int) -> Iterator[int]:
    """The places from which so many words are part of no name so far."""
    places = range(len(words) - length + 1)
    free = (place for place in places if not any(at in taken for at in range(place, place + length)))
    return (place for place in free if length > 1 or not _is_month(words, place))


def _is_month(words: Sequence[QuestionWord], place: int) -> bool:
    """True for "Jan" in a date, though somebody may be called so: beside a number, or after "in"."""
    before, after = words[max(0, place - 2) : place], words[place + 1 : place + 2]
    beside = [word for word in (*before[-1:], *after) if word.is_number or word.low in _ENDS_OF_ORDINALS]
    leads = [word.low for word in before]
    dated = bool(beside) or leads[-1:] == ["in"] or (leads[-1:] == ["of"] and leads[0] in _ENDS_OF_ORDINALS)
    return words[place].low in MONTHS and dated


def _is_cased(words: Sequence[QuestionWord]) -> bool:
    """True where capitals tell names: any word but the first and those of dates has one, and not all letters are."""
    telling = (word for word in words[1:] if word.is_capitalised and word.low not in _AFTER_A_DAY)
    return any(telling) and not all(word.text.isupper() for word in words)


def _whole(
    words: Sequence[QuestionWord], lexicon: Lexicon, cased: bool, series: frozenset[int]
) -> Iterator[NameMention]:
    for place in range(len(words)):
        for length in range(min(lexicon.longest, len(words) - place), 0, -1):
            if series.issuperset(range(place, place + length)):
                continue
            key = _key(words, place, place + length)
            names = lexicon.full.get(key) or lexicon.full.get((*key[:-1], key[-1].removesuffix("s")))
            if names and _is_meant(words, place, length, names, lexicon, cased):
                yield NameMention(place, place + length, (*names, *lexicon.short.get(key, ())), "whole")


def _turned(words: Sequence[QuestionWord], lexicon: Lexicon) -> Iterator[NameMention]:
    """Names whose first words stand behind the others: "the flood wall in Saltmarsh" for "Saltmarsh Flood Wall"."""
    for place in range(1, len(words) - 1):
        behind = place + 1 + (words[place + 1].low == "the")
        for first in range(max(0, place - _LONGEST_TURNED), place - 1) if words[place].low in _TURNING else ():
            for last in range(behind + 1, min(behind + _LONGEST_TURNED, len(words)) + 1):
                names = lexicon.full.get((*_key(words, behind, last), *_key(words, first, place)))
                if names:
                    yield NameMention(first, last, names, "whole")


def _beyond_whole(
    words: Sequence[QuestionWord], lexicon: Lexicon, cased: bool, series: frozenset[int]
) -> Iterator[NameMention]:
    """Beginnings of names that begin with a whole name: "Leeds United" for a club, where Leeds is a town."""
    for length in range(_LONGEST_SHORT, 1, -1):
        for mention in _short(words, lexicon, cased, series, {}, length):
            ends = range(mention.first + 1, min(mention.first + lexicon.longest, len(words)) + 1)
            whole = [end for end in ends if _key(words, mention.first, end) in lexicon.full]
            if whole and max(whole) < mention.last:
                yield mention


def _is_meant(
    words: Sequence[QuestionWord], place: int, length: int, names: tuple[str, ...], lexicon: Lexicon, cased: bool
) -> bool:
    """A name that is an everyday word is meant where it is a value of the graph, or is written with a capital."""
    if length > 1:
        return True
    if _is_month(words, place):
        return False
    word = words[place]
    if word.is_number:
        return "." in word.low
    if lexicon.is_value(names[0]):
        return word.low not in FUNCTION_WORDS
    if _is_everyday(word, lexicon):
        return word.is_capitalised and place > 0
    return word.is_capitalised or not cased or names[0].islower()


def _is_everyday(word: QuestionWord, lexicon: Lexicon) -> bool:
    return word.low in SMALL_WORDS or word.low in ORDINALS or word.stem in lexicon.words or len(word.low) < 3


def _numbered(words: Sequence[QuestionWord], lexicon: Lexicon) -> Iterator[NameMention]:
    """Numbers in a series of names, written in other ways ("PEP no. 8", "PEPs 8 and 20"), or that the series lacks."""
    shape, end = Key(), 0
    for place, word in enumerate(words):
        if not word.is_number or _is_in_date(words, place):
            continue
        if (found := _series_before(words, lexicon, place)) is not None:
            shape, first = found
        elif shape and (" ".join(w.low for w in words[end:place]) or word.gap.strip()) in _BETWEEN_NUMBERS:
            first = place
        else:
            if "." in word.low:
                yield from _by_number_alone(words, lexicon, place)
            else:
                yield from _of_series_elsewhere(words, lexicon, place)
            continue
        end = place + 1
        names = lexicon.full.get((*shape, word.low)) or lexicon.full.get((word.low,))
        lacking = " ".join(w.text for w in words[first:end])
        yield NameMention(first, end, names or (lacking,), "whole" if names else "unknown")


def _editions(words: Sequence[QuestionWord], lexicon: Lexicon) -> Iterator[NameMention]:
    """Names of a series with their year before them or behind "of" and "in": "the 2014 edition of the Harbour Cup"."""
    for place, word in enumerate(words):
        for shape in lexicon.shapes if word.is_number else ():
            names = lexicon.full.get((*shape, word.low))
            for part in (shape, shape[-1:]) if names else ():
                if names and (span := _beside_year(words, place, part)) is not None:
                    yield NameMention(*span, names, "whole")


def _beside_year(words: Sequence[QuestionWord], place: int, shape: Key) -> tuple[int, int] | None:
    """Return the words of a year and of the series that it belongs to, where both stand together."""
    first = place + 1
    while first < len(words) and words[first].low in _OF_EDITIONS:
        first += 1
    if _key(words, first, first + len(shape)) == shape and "," not in words[place + 1].gap:
        return place, first + len(shape)
    if place and words[place - 1].low in ("of", "in") and _key(words, place - 1 - len(shape), place - 1) == shape:
        return place - 1 - len(shape), place + 1
    return None


def _is_in_date(words: Sequence[QuestionWord], place: int) -> bool:
    """True for a number that a date goes on from: "PEP 572, 1 March 2018", "rejected PEPs 2005-05-05"."""
    return any(
        word.low in _AFTER_A_DAY or (word.is_number and word.gap in ("-", "/")) for word in words[place + 1 : place + 2]
    )


def _by_number_alone(words: Sequence[QuestionWord], lexicon: Lexicon, place: int) -> Iterator[NameMention]:
    """ "3.5" for "Python 3.5", where no other series has that number."""
    found = [names for shape in lexicon.shapes if (names := lexicon.full.get((*shape, words[place].low)))]
    if len(found) == 1:
        yield NameMention(place, place + 1, found[0], "whole")


def _of_series_elsewhere(words: Sequence[QuestionWord], lexicon: Lexicon, place: int) -> Iterator[NameMention]:
    """ "Which PEP does 566 replace?": a number by itself, where the question names its series elsewhere. No number that
    counts what follows, and no year."""
    after = words[place + 1].low if place + 1 < len(words) else ""
    is_led = place and (words[place - 1].low in _BEFORE_A_NUMBER or "," in words[place].gap)
    if not is_led or after.removesuffix("s") in _heads(lexicon) | _COUNTED or lexicon.type_named(after):
        return
    named = {(word.low.removesuffix("s"),) for word in words} & lexicon.shapes.keys()
    if len(named) == 1 and not 1400 <= int(words[place].low) < 2200:
        (shape,) = named
        if names := lexicon.full.get((*shape, words[place].low)):
            yield NameMention(place, place + 1, names, "whole")


def _heads(lexicon: Lexicon) -> frozenset[str]:
    return frozenset(shape[-1] for shape in lexicon.shapes)


def _series_before(words: Sequence[QuestionWord], lexicon: Lexicon, place: int) -> tuple[Key, int] | None:
    """The series whose name stands before a number, in the singular or the plural, and where that begins."""
    end = place - (place > 0 and words[place - 1].low in _BETWEEN_SHAPE_AND_NUMBER)
    for first in range(max(0, end - 3), end):
        key = _key(words, first, end)
        for shape in (key, (*key[:-1], key[-1].removesuffix("s"))):
            if shape in lexicon.shapes:
                return shape, first
    return None


def _short(
    words: Sequence[QuestionWord],
    lexicon: Lexicon,
    cased: bool,
    series: frozenset[int],
    taken: dict[int, NameMention],
    length: int,
) -> Iterator[NameMention]:
    for place in _free(words, taken, length):
        key = _key(words, place, place + length)
        names = lexicon.short.get(key)
        if (
            names
            and not series.intersection(range(place, place + length))
            and not _opens(words, place, length)
            and not _is_asked_kind(words, place, length)
            and (
                _is_short_meant(words[place : place + length], lexicon, cased)
                or ((cased or length > 1) and _is_called(words, place, key, names, lexicon))
            )
        ):
            yield NameMention(place, place + length, names, "short")


def _is_asked_kind(words: Sequence[QuestionWord], place: int, length: int) -> bool:
    """True for a noun in small letters behind "which": "which network" asks for one, and names none."""
    asks = place > 0 and words[place - 1].low in ("which", "what")
    return asks and length == 1 and not words[place].is_capitalised


def _series_places(words: Sequence[QuestionWord], lexicon: Lexicon) -> frozenset[int]:
    """The places of the name of a series of several words, such as "Harbour Cups", where no number stands behind it."""
    found: set[int] = set()
    for shape in lexicon.shapes:
        for place in range(len(words) - len(shape) + 1 if len(shape) > 1 else 0):
            key = _key(words, place, place + len(shape))
            if shape in (key, (*key[:-1], key[-1].removesuffix("s"))):
                found.update(range(place, place + len(shape)))
    return frozenset(found)


def _by_given_name(
    words: Sequence[QuestionWord], lexicon: Lexicon, cased: bool, taken: dict[int, NameMention], length: int
) -> Iterator[NameMention]:
    """People by another form of their given name: "Bernie Sanders" for "Bernard Sanders"."""
    for place in _free(words, taken, length):
        if not cased or words[place].is_capitalised:
            rest = _key(words, place + 1, place + length)
            keys = [(form, *rest) for form in sorted(other_forms(words[place].low))]
            called = [name for key in keys for name in lexicon.full.get(key) or lexicon.short.get(key, ())]
            names = tuple(name for name in called if is_of_people(lexicon.type_of(name)))
            if names:
                yield NameMention(place, place + length, names, "short")


def _by_field(words: Sequence[QuestionWord], lexicon: Lexicon, taken: dict[int, NameMention]) -> Iterator[NameMention]:
    """What an office is called after, where the office is told: "the minister of finance", "textiles curator"."""
    for length in range(_LONGEST_FIELD, 0, -1):
        for place in _free(words, taken, length):
            names = lexicon.fields.get(_key(words, place, place + length), ())
            others = [word.stem for at, word in enumerate(words) if not place <= at < place + length]
            hints = [pair for word in others for pair in lexicon.hints.get((word,), ())]
            stated = {relation for relation, hint in hints if hint.form != "verb" or hint.named is not None}
            meant = tuple(name for name in names if stated & lexicon.sides.get(name, {}).keys())
            if meant:
                yield NameMention(place, place + length, meant, "short")


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
    own = words[place : place + len(key)]
    is_phrase = len(key) == 1 or len(names) > 1 or tuple(word.stem for word in own) in lexicon.hints
    if is_phrase and any(_is_everyday(word, lexicon) for word in own):
        return False
    if all(is_of_people(lexicon.type_of(name)) for name in names):
        return True
    return place > 0 and words[place - 1].low in _DEFINITE and all(key_of(name)[-len(key) :] == key for name in names)


def _by_stem(words: Sequence[QuestionWord], lexicon: Lexicon, taken: dict[int, NameMention]) -> Iterator[NameMention]:
    """Values in another form of the word: "acceptance" and "accepts" for "Accepted", "repairs" for "under repair"."""
    for place, word in enumerate(words):
        if place in taken or len(word.low) < _LEAST_STEM or word.low in FUNCTION_WORDS or word.stem in lexicon.words:
            continue
        found = [name for name in lexicon.values if is_form_of(word.low, _LED.sub("", name.casefold()))]
        if found:
            best = min(found, key=lambda name: (abs(len(name) - len(word.low)), -lexicon.degrees.get(name, 0)))
            yield NameMention(place, place + 1, (best,), "stem")


def _misspelt(
    words: Sequence[QuestionWord], lexicon: Lexicon, cased: bool, taken: dict[int, NameMention], length: int
) -> Iterator[NameMention]:
    for place in _free(words, taken, length):
        if _may_be_misspelt(words[place : place + length], lexicon, cased):
            asked = _key(words, place, place + length)
            found = closest(" ".join(asked), lexicon.fuzzy.get(length, ()))
            if found and not _is_another_name(asked, tuple(found.split(" ")), lexicon):
                yield NameMention(place, place + length, lexicon.full[tuple(found.split(" "))], "misspelt")


def _is_another_name(asked: Key, found: Key, lexicon: Lexicon) -> bool:
    """True for "minister of finance" beside "Ministry of Finance", and for "JEP 302" beside "PEP 302": a word that says
    something of the graph is no slip, nor is a short one before a number, unless its letters are swapped."""
    pairs = zip(asked, found, strict=True)
    if len(asked) > 1 and is_of_people(lexicon.type_of(lexicon.full[found][0])) and are_different(asked[0], found[0]):
        return True
    if len(asked) > 1 and any(
        one != two and stem(one) in lexicon.words and stem(one) != stem(two) for one, two in pairs
    ):
        return True
    return any(word[0].isdigit() for word in found) and any(
        one != two and len(one) < _LEAST_IN_A_SERIES and sorted(one) != sorted(two)
        for one, two in zip(asked, found, strict=True)
    )


def _may_be_misspelt(words: Sequence[QuestionWord], lexicon: Lexicon, cased: bool) -> bool:
    if all(word.is_number for word in words) or all(_is_everyday(word, lexicon) for word in words):
        return False
    if words[0].low in FUNCTION_WORDS or words[-1].low in FUNCTION_WORDS:
        return False
    return not cased or any(word.is_capitalised for word in words)


def _key(words: Sequence[QuestionWord], first: int, last: int) -> Key:
    return tuple(word.low for word in words[first:last])
