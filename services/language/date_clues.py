"""Which phrases of dates a text may have, by what it has of their letters: matching each of them would take longer."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from services.language.date_phrases import RELATIVE, RULES
from services.language.date_readers import Reader
from services.language.date_words import FEASTS, MONTHS, SEASONS, WEEKDAYS

_FEAST_WORDS = tuple({name.split()[-1][:5] for name in FEASTS})
_CLUES: dict[str, Sequence[str]] = {
    "month": MONTHS,
    "weekday": WEEKDAYS,
    "season": tuple(SEASONS),
    "feast": _FEAST_WORDS,
    "recurring": (*MONTHS, *SEASONS, *_FEAST_WORDS, *WEEKDAYS, "weekend"),
    "unit": ("day", "w", "mo", "quarter", "y", "decade", "hour", "hr", "min", "night"),
    "week": ("w",),
    "weekend": ("weekend",),
    "dash": ("-", "–", "—", "to", "and", "til", "through", "&"),
    "joint": ("-", "–", "—", "/", "."),
    "colon": (":",),
    "slash": ("/",),
    "era": ("ad", "a.d", "ce", "c.e"),
    "tens": ("0s", "0'", "0’", "ies"),
    "nth": ("st", "nd", "rd", "th"),
    "q": ("q",),
    "half": ("h1", "h2", "1h", "2h"),
    "fiscal": ("fy", "fiscal"),
    "century": ("cent", "c."),
    "night": ("night", "morning", "afternoon", "evening"),
    "today": ("day", "tomorrow"),
    "ago": ("ago", "back", "now", "hence"),
}
"""What a text in lower case must have one of for the rules with such a comment: most texts need few of the rules."""

_YEAR = re.compile(r"[12]\d{3}|['’]\d\d|\d/\d\d")


_compiled = cache(re.compile)
"""A phrase is compiled when a text first has its clues, since compiling all of them takes 50 ms."""


@cache
def _all_rules() -> list[tuple[frozenset[str], str, Reader, bool]]:
    """Return the phrases with the clues that each needs, surest first."""
    return [
        (frozenset(re.findall(r"\(\?#(\w+)\)", pattern)), pattern, read, rules is RELATIVE)
        for rules in (RULES, RELATIVE)
        for pattern, read in rules
    ]


@lru_cache(maxsize=1024)
def _rules_without(missing: frozenset[str], is_dated: bool) -> Sequence[tuple[re.Pattern[str], Reader]]:
    return [
        (_compiled(pattern), read)
        for needs, pattern, read, is_relative in _all_rules()
        if not needs & missing and (is_dated or not is_relative)
    ]


def rules(text: str, *, is_dated: bool) -> Sequence[tuple[re.Pattern[str], Reader]]:
    """Return the phrases that may be in a text, each with its reader, surest first.

    Of a text that is not dated itself, those that count from its date are left out.
    """
    has = text.lower().__contains__
    missing = [clue for clue, words in _CLUES.items() if not any(map(has, words))]
    return _rules_without(frozenset(missing if _YEAR.search(text) else (*missing, "year")), is_dated)
