"""The words of a question that say what to do with rows: count, sum, rank, group, compare."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import get_args

from services.analyst.question_words import QuestionWord, lines_of, stem
from services.analyst.sql_plan import Aggregate, TimeUnit
from services.analyst.sql_words import words_named
from services.language.inflection import is_past
from services.language.numbers import number

Span = tuple[int, int]

_NUMBER = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)"
_UNIT = rf"(?P<unit>{'|'.join(get_args(TimeUnit))})"
_DOWN = "most|highest|largest|biggest|greatest|top|best|maximum|max"
_UP = "least|fewest|lowest|smallest|minimum|min|bottom|worst"
_UPWARDS = frozenset(_UP.split("|"))


def _cues() -> dict[str, list[re.Pattern[str]]]:
    found: dict[str, list[re.Pattern[str]]] = {}
    for line in lines_of("sql_cues.txt"):
        name, pattern = line.split(": ", 1)
        whole = pattern.replace("UNIT", _UNIT).replace("NUMBER", _NUMBER)
        ending = "" if whole.endswith("$") else r"\b"
        found.setdefault(name, []).append(re.compile(rf"(?<!\w)(?:{whole}){ending}"))
    return found


_CUES = _cues()
_ADVERB = re.compile(r"\b(?P<unit>year|month|quarter|week|dai|annual)ly\b|\bannual\b")
_ADVERBS = {"dai": "day", "annual": "year", None: "year"}
_RANK = re.compile(rf"\b(?:(?:top|bottom|first|last)(?: {_NUMBER})?|(?:{_NUMBER} )?(?:{_DOWN}|{_UP}))\b")
_LIMIT = re.compile(
    rf"""\b(?P<a>{_NUMBER})\b(?=\ (?:\w+\ ){{0,3}}(?:with|have|has|had|by|that|who)\b)
    |\b(?P<b>{_NUMBER})\b(?=\ (?:most|least|\w+est)\b)
    |\b(?:top|bottom|first|last)\ (?P<c>{_NUMBER})\b
    |\b\w+est\ (?P<e>(?!\d{{3}}){_NUMBER})\b(?=\ (?:\w+\ )?\w+s\b)
    |\b(?:which|what|who|list|show|name|are|were)(?:\ the)?\ (?P<d>{_NUMBER})\b""",
    re.VERBOSE,
)
_NEEDS_LIMIT = ("first", "last")
_NEEDS_ASKING = ("maximum", "max", "minimum", "min")
BESIDE = re.compile(
    r"(?: (?:of|for)(?: each| every| the| all| all the)? [\w ]{2,24})?"
    r",? (?:and|along with|with|as well as|together with)"
    r"(?: the| their| its| list| show)*(?: corresponding)? "
)
HIGHEST = re.compile(r"\b(?:highest|lowest|largest|smallest|maximum|minimum|biggest|greatest)\b")
DIRECTIONS = (
    (
        "from leaving leave leaves left departing depart departed departure departures",
        "origin source departure from start src",
    ),
    (
        "to towards arriving arrive arrived arrival arrivals into landing land reach reached reaching",
        "destination arrival to target end dest",
    ),
)
"""Words of a question, and those of the columns that they mean."""
DIRECTION_STEMS = [tuple(frozenset(map(stem, words.split())) for words in pair) for pair in DIRECTIONS]
LITTLE = words_named("little")
"""Adjectives whose superlatives are of the least."""


@dataclass(frozen=True, slots=True)
class Rank:
    """What ranks: which way, how many, by how often, or by the columns that an adjective means."""

    descending: bool
    limit: int | None
    is_often: bool = False
    adjective: str = ""


@dataclass(frozen=True, slots=True)
class Measured:
    """The words of a column that an adjective compares by; `ascending` where less of it is more."""

    column: tuple[str, ...]
    ascending: bool


def _adjectives() -> dict[str, tuple[Measured, ...]]:
    """Return the columns of each adjective in the order of their likelihood."""
    found: dict[str, tuple[Measured, ...]] = {}
    for line in lines_of("measuring_adjectives.txt"):
        words, columns = line.split(":")
        measured = tuple(
            Measured(tuple(map(stem, one.lstrip("-").split("_"))), one.startswith("-")) for one in columns.split()
        )
        found |= dict.fromkeys(words.split(), measured)
    return found


ADJECTIVES = _adjectives()
_IRREGULAR = {
    "best": "good",
    "worst": "bad",
    "better": "good",
    "worse": "bad",
    "furthest": "far",
    "farthest": "far",
    "priciest": "pricey",
    "latest": "new",
    "earliest": "early",
    "later": "new",
    "earlier": "early",
}


def adjective_of(word: str, ending: str) -> str:
    """Return the adjective that a word with "est" or "er" is of; nothing where it is none that measures."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not word.endswith(ending):
        return ""
    base = word.removesuffix(ending)
    doubled = base[:-1] if base[-1:] == base[-2:-1] else base
    bases = (base, f"{base}e", doubled, f"{base[:-1]}y" if base.endswith("i") else base)
    return next((one for one in bases if one in ADJECTIVES), "")


def spans(name: str, text: str) -> list[Span]:
    """Return where cues of a kind stand in a text."""
    return [match.span() for pattern in _CUES[name] for match in pattern.finditer(text)]


def has(name: str, text: str) -> bool:
    """True where a cue of a kind stands in a text."""
    return any(pattern.search(text) for pattern in _CUES[name])


def order_in(text: str) -> tuple[Span, bool] | None:
    """Return where a question says which way to sort, and whether that is downwards."""
    found = [(span, name == "descending") for name in ("ascending", "descending") for span in spans(name, text)]
    return found[0] if found else None


def units_in(text: str) -> list[tuple[int, int, TimeUnit]]:
    """Return where a question asks for one row for each year or another unit of time, and which."""
    matches = [match for pattern in _CUES["unit"] for match in pattern.finditer(text)]
    found: list[tuple[int, int, str]] = [(*match.span(), match["unit"]) for match in matches]
    joined = [match for pattern in _CUES["and_unit"] for match in pattern.finditer(text)]
    found += [(match.start("unit") - 4, match.end("unit"), match["unit"]) for match in joined]
    found += [(*match.span("unit"), match["unit"]) for pattern in _CUES["of_unit"] for match in pattern.finditer(text)]
    found += [(*one.span(), _ADVERBS.get(one["unit"], one["unit"])) for one in _ADVERB.finditer(text)]
    return found or which_units(text)  # type: ignore[return-value]


def which_units(text: str) -> list[tuple[int, int, TimeUnit]]:
    """Return where a question asks which year, or another unit of time, and which."""
    matches = [match for pattern in _CUES["which_unit"] for match in pattern.finditer(text)]
    return [(*match.span(), match["unit"]) for match in matches]  # type: ignore[misc]


def aggregates_in(text: str) -> list[tuple[int, int, Aggregate]]:
    """Return where a question asks for a sum, an average or an extreme, in order."""
    names: tuple[Aggregate, ...] = ("avg", "median", "sum", "max", "min")
    return sorted((*span, name) for name in names for span in spans(name, text))


def compared_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where a value is compared with a number, and how."""
    taken: list[Span] = []
    for sign in (">=", "<=", ">", "<", "="):
        for first, last in spans(sign, text):
            if not any(start < last and first < end for start, end in taken):
                taken.append((first, last))
                yield first, last, sign


def rank_in(text: str, words: Sequence[QuestionWord]) -> tuple[list[Span], Rank] | None:
    """Return what a question ranks by, and where it says so."""
    for start, end, _ in compared_in(text):
        text = text[:start] + "#" * (end - start) + text[end:]
    limited = _LIMIT.search(text)
    figure = next((one for one in limited.groups() if one), None) if limited else None
    limit = int(number(figure)) if figure else None
    more = [limited.span()] if limited else []
    if often := spans("often", text):
        is_least = text[often[0][0] :].startswith(("least", "less"))
        return [*often, *more], Rank(not is_least, limit, is_often=True)
    if found := _superlative(text, words):
        span, adjective, is_least = found
        return [span, *more], Rank(not is_least, limit, adjective=adjective)
    match = _RANK.search(text)
    if match is None or not _is_rank(match[0], figure, text):
        return None
    return [match.span(), *more], Rank(not _UPWARDS & set(re.split(r"\W+", match[0])), limit)


def without_done(text: str, words: Sequence[QuestionWord], chosen: Set[int]) -> str:
    """Blot out the "cancelled" of "most cancelled orders", where it is one of the words that choose rows."""
    for _, end in spans("most_done", text):
        place, done = next((place, word) for place, word in enumerate(words) if word.end == end)
        if place in chosen:
            text = text[: done.start] + "#" * len(done.text) + text[end:]
    return text


def before_units(units: Sequence[tuple[int, int, str]], words: Sequence[QuestionWord], dated: Set[str]) -> set[int]:
    """Return the places of the "sale" of "by sale year", which says of which date the year is."""
    starts = {start for start, *_ in units}
    return {
        place - 1
        for place, word in enumerate(words)
        if word.start in starts
        and place > 1
        and words[place - 1].stem in dated
        and words[place - 2].low in ("by", "per", "each")
    }


def _is_rank(found: str, limit: str | None, text: str) -> bool:
    """False for "first" and "maximum" where nothing says that rows are to be ranked by it."""
    if found.split()[0] in _NEEDS_LIMIT:
        return limit is not None
    return found.split()[-1] not in _NEEDS_ASKING or limit is not None or has("asks_who", text)


def _superlative(text: str, words: Sequence[QuestionWord]) -> tuple[Span, str, bool] | None:
    """Return where a superlative stands, its adjective, and whether it is of the least: "least expensive"."""
    for word, following in zip(words, [*words[1:], None], strict=True):
        if "#" in text[word.start : word.end]:
            continue
        if word.low in ("most", "least") and following and following.low in ADJECTIVES:
            return (word.start, following.end), following.low, word.low == "least"
        if word.low == "most" and following and following.low == "recently":
            behind = next((one for one in words if one.start > following.end), None)
            return (word.start, behind.end if behind and is_past(behind.low) else following.end), "recent", False
        is_of_number = following is not None and following.low in ("number", "count", "amount", "total")
        if not is_of_number and (adjective := adjective_of(word.low, "est")):
            return (word.start, word.end), adjective, False
    return None
