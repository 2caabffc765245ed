"""Which phrases of dates a text may have, by what it has of their letters: matching each of them would take longer."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from services.language.date_phrases import MONTHS, RELATIVE, RULES, SEASONS, WEEKDAYS, Reader

_DASHES = ("-", "–", "—", "to", "and", "til", "through")
_CLUES: dict[str, Sequence[str]] = {
    r"(?P<d0": _DASHES,
    r"(?P<month0": _DASHES,
    r"(?P<y2": ("-", "–", "—", "/"),
    r"(?P<any": "0123456789",
    r"(?P<sep": ("-", "/", "."),
    r"-(?P<m": ("-",),
    r"[12]\d)/": ("/",),
    r"\d:\d": (":",),
    r"(?P<month": MONTHS,
    r"(?P<weekday": WEEKDAYS,
    r"(?P<season": tuple(SEASONS),
    r"(?P<feast": ("day", "eve", "christmas", "halloween", "july"),
    r"(?P<unit": ("day", "week", "fortnight", "month", "quarter", "year", "decade", "century"),
    r"[\s-]century": ("century",),
    r"quarter\s": ("quarter",),
    r"half\s": ("half",),
    r"yesterday": ("day", "tomorrow"),
    r"(?P<tens": ("0s", "ies"),
    r"['’]?s)": ("0s", "0'", "0’"),
    r"W(?P": ("w",),
    r"q(?P": ("q",),
    r"])q": ("q",),
}
"""What a text in lower case must have one of for the rules with this part: most texts need few of the rules."""

_YEAR = re.compile(r"[12]\d{3}|['’]\d\d")
_NAMES_YEAR = "(?P<y>"


@cache
def _compiled() -> tuple[tuple[str, re.Pattern[str], Reader], ...]:
    """Compile the phrases, surest first; this takes 40 ms."""
    return tuple((pattern, re.compile(pattern), read) for pattern, read in (*RULES, *RELATIVE))


@lru_cache(maxsize=1024)
def _rules_without(missing: frozenset[str], is_dated: bool) -> Sequence[tuple[re.Pattern[str], Reader]]:
    return [
        (rule, read)
        for pattern, rule, read in _compiled()
        if not any(part in pattern for part in missing) and (is_dated or (pattern, read) not in RELATIVE)
    ]


def rules(text: str, *, is_dated: bool) -> Sequence[tuple[re.Pattern[str], Reader]]:
    """Return the phrases that may be in a text, each with its reader, surest first.

    Of a text that is not dated itself, those that count from its date are left out.
    """
    has = text.lower().__contains__
    missing = [part for part, words in _CLUES.items() if not any(map(has, words))]
    return _rules_without(frozenset(missing if _YEAR.search(text) else (*missing, _NAMES_YEAR)), is_dated)
