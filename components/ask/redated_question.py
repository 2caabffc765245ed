"""A question asked at another date: in its own words where it names one, else by the clocks that go with it."""

import re
from datetime import datetime

from components.dates import short
from services.accounts import Message
from services.core.answer_records import Answer, Asked

_KEPT = re.compile(r"(?:before|after|since|until|till|by)\s+", re.IGNORECASE)
"""Words that say what kind of question it is: "before 2015" becomes "before 2018-06-27"."""
_VERB_S = re.compile(r"\w+\s+(?=(?:in|on|at|during|as of)\s)", re.IGNORECASE)
"""A word of the verb that came along, as in "work for on 2015-01-01"."""
_BEFORE_IT = re.compile(r"\b(?:in|on|at|during|as of)\s+$", re.IGNORECASE)


def date_words(dated_by: str) -> str:
    """The words of a question that its date was taken from, without the end of a verb that came along."""
    return _VERB_S.sub("", dated_by, count=1)


def redated(
    asked: Message, answer: Answer | None, as_of: datetime, until: datetime | None, known_at: datetime | None
) -> Asked:
    """The question at `as_of`, or from there to `until`. A date that it names beats every clock, so it is rewritten."""
    words = date_words(answer.dated_by) if answer else ""
    if not words:
        return Asked(asked.content, as_of, known_at)
    date = f"from {short(as_of)} to {short(until)}" if until else f"on {short(as_of)}"
    at = asked.content.casefold().find(words.casefold())
    if at < 0:  # it was carried over from an earlier question
        return Asked(f"{asked.content.rstrip().rstrip('?.!')} {date}?", as_of, known_at)
    before, after = asked.content[:at], asked.content[at + len(words) :]
    if (kept := _KEPT.match(words)) and not until:
        date = f"{kept[0]}{short(as_of)}"
    elif not kept:
        before = _BEFORE_IT.sub("", before)
    return Asked(f"{before}{date}{after}", as_of, known_at)
