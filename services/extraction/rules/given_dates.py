"""How the dates of a text were given: how exactly, and whether their year is told."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from services.core.draft_records import Draft
from services.core.models import Precision
from services.extraction.rules.date_expressions import DateExpression
from services.language.calendar import Closed

_EXACT: dict[str, Precision] = {"instant": "instant", "day": "day", "week": "day", "month": "month"}
"""The precision of a fact's date by that of its words; of quarters, seasons and halves only the year is sure."""

_COARSE: tuple[Precision, ...] = ("instant", "day", "month", "year")


class GivenDates:
    """The dates of a text by their instants. Of two ways in which one was given the less exact counts."""

    def __init__(self, expressions: Iterable[DateExpression]) -> None:
        sure: set[datetime] = set()
        assumed: set[datetime] = set()
        self._precisions: dict[datetime, Precision] = {}
        for one in expressions:
            (assumed if one.is_assumed else sure).update(period.first for period in one.periods)
            for period in one.periods:
                self._note(period)
        self._unsure = assumed - sure

    def _note(self, period: Closed) -> None:
        way = _precision(period)
        known = self._precisions.get(period.first, way)
        self._precisions[period.first] = max(way, known, key=_COARSE.index)

    def added_to(self, draft: Draft) -> Draft:
        """Return a draft with the precision of its dates, and those beside it whose year is not told."""
        given = replace(
            draft,
            valid_at_precision=self._precision_of(draft.valid_at or draft.unsure_valid_at),
            invalid_at_precision=self._precision_of(draft.invalid_at or draft.unsure_invalid_at),
        )
        if draft.valid_at in self._unsure:
            given = replace(given, valid_at=None, unsure_valid_at=draft.valid_at)
        if draft.invalid_at in self._unsure:
            given = replace(given, invalid_at=None, unsure_invalid_at=draft.invalid_at)
        return given

    def _precision_of(self, at: datetime | None) -> Precision:
        """Return how a date was given; one that no words of its own name is the year of a work or of an event."""
        if at is None:
            return "instant"
        return self._precisions.get(at, "year" if (at.month, at.day) == (1, 1) else "day")


def _precision(period: Closed) -> Precision:
    if period.edge_of:
        return _precision(period.edge_of)
    if period.precision == "part":
        return "month" if (period.last - period.first).days < 20 else "year"
    return _EXACT.get(period.precision, "year")
