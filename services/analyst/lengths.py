"""How long facts have held, in words: "4 years and 2 months (1,540 days)"."""

import re
from datetime import date, datetime
from typing import Literal

from services.core import clock
from services.core.models import Fact
from services.core.precision import is_imprecise
from services.core.wording import counted

Unit = Literal["", "day", "week", "month", "year"]

_IN_UNITS = re.compile(r" how many (?P<unit>day|week|month|year)s ")
_DAYS_OF_A_WEEK = 7


def unit_asked(text: str) -> Unit:
    """Return the unit in which a question wants a length: "for how many months"; empty where it names none."""
    match = _IN_UNITS.search(text)
    units: dict[str, Unit] = {"day": "day", "week": "week", "month": "month", "year": "year"}
    return units[match["unit"]] if match else ""


def length(fact: Fact, now: datetime, unit: Unit = "") -> str:
    """How long a fact has held by now: in years and months, or in a unit, and in days."""
    assert fact.valid_at is not None, "a fact that began"
    first, last = (clock.instant(at).date() for at in (fact.valid_at, min(fact.invalid_at or now, now)))
    days = counted((last - first).days, "day")  # as readers count between the days that are shown
    about = "about " if is_imprecise(fact.valid_at_precision) or is_imprecise(fact.invalid_at_precision) else ""
    rounded = _rounded(first, last, unit)
    return f"{about}{rounded} ({days})" if rounded else f"{about}{days}"


def _rounded(first: date, last: date, unit: Unit) -> str:
    """Return the whole months and years between two days, or the whole months or weeks; empty where there are none."""
    if unit == "day":
        return ""
    if unit == "week":
        weeks = (last - first).days // _DAYS_OF_A_WEEK
        return counted(weeks, "week") if weeks else ""
    whole = 12 * (last.year - first.year) + last.month - first.month - (last.day < first.day)
    years, months = (0, whole) if unit == "month" else divmod(whole, 12)
    return " and ".join(counted(number, noun) for number, noun in ((years, "year"), (months, "month")) if number)
