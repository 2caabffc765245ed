"""Words of a question's second part that point to the time of its first part: "afterwards", "before that"."""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Literal

from services.analyst.fact_lookup import TICK
from services.analyst.graph_lexicon import Lexicon
from services.analyst.parsed_question import masked
from services.core import clock
from services.language.changes import change_verbs, starting_verbs
from services.language.inflection import possible_bases

_WAYS: dict[Literal["before", "after"], re.Pattern[str]] = {
    "before": re.compile(
        r"\b(?:before|prior to|preceding) (?:that|this|then)\b|\b(?:previously|earlier|beforehand)\b(?! than)"
        r"|\bbefore(?=\W*$)",
        re.IGNORECASE,
    ),
    "after": re.compile(
        r"\b(?:after|following) (?:that|this|then)\b|\b(?:afterwards?|thereafter|subsequently|later|next)\b(?! than)"
        r"|\bafter(?=\W*$)|^\W*then\b",
        re.IGNORECASE,
    ),
}
_THEN = re.compile(r"\bthen\b(?=\W*$)", re.IGNORECASE)
"""What somebody did then came next; what somebody was then was so at the time."""
_COMES = frozenset(("go", "come", "happen"))


@dataclass(frozen=True, slots=True)
class RelativeTime:
    """The order that a question has to the time of another one; `rest` is it without the words for that."""

    way: Literal["before", "after"]
    rest: str
    words: str

    def dated(self, first: datetime, last: datetime | None) -> str:
        """Return the question with the date that its words point to: before the first instant, or after the last."""
        end = first if last is None else max(first, last - TICK)
        at = clock.instant(first if self.way == "before" else end).date()
        return f"{self.rest} {self.way} {at.isoformat()}?"


def relative_time(question: str, lexicon: Lexicon) -> RelativeTime | None:
    """Return what in a question points to the time of the one before; None where nothing does."""
    if not any(pattern.search(question) for pattern in (*_WAYS.values(), _THEN)):
        return None
    nameless = masked(question, lexicon)  # a name may be "Next" or "Day After"
    for way, pattern in _WAYS.items():
        if match := pattern.search(nameless):
            return RelativeTime(way, _without(question, match), match[0].strip())
    match = _THEN.search(nameless)
    if match is not None and any(_happens(word) for word in re.findall(r"[a-z]+", nameless.lower())):
        return RelativeTime("after", _without(question, match), match[0])
    return None


def _happens(word: str) -> bool:
    """True for a verb that tells of a change."""
    return bool(possible_bases(word) & _changing_verbs())


@cache
def _changing_verbs() -> frozenset[str]:
    own = (verb for verb, changes in change_verbs().items() if any(len(one.words) == 1 for one in changes))
    return _COMES.union(own, starting_verbs())


def _without(question: str, match: re.Match[str]) -> str:
    rest = f"{question[: match.start()]} {question[match.end() :]}"
    return " ".join(rest.split()).rstrip(" ,?.!")
