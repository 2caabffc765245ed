"""The dates of facts in words, as exactly as they are known: "1974", "since June 2017", "ended sometime in 1979".

Instants are written by whoever asks: a page writes them in the viewer's time zone, the rest in UTC.
"""

from collections.abc import Callable
from datetime import datetime, time

from services.core import clock, time_rule
from services.core.models import Fact, Instants, Precision
from services.core.precision import is_imprecise, may_have_ended_at, period_of, start_is_imprecise_at

Spell = Callable[[datetime], str]


def day(at: datetime) -> str:
    """Return the day of an instant in UTC."""
    return clock.instant(at).date().isoformat()


def moment(at: datetime) -> str:
    """Return an instant in UTC: the day alone, where it is the start of one, else ISO 8601."""
    return day(at) if clock.instant(at).time() == time() else clock.spell(at)


def in_utc(at: datetime) -> str:
    """Return an instant for people: `2018-06-27` where a day starts, else `2018-06-27 14:30 UTC`, with its seconds."""
    utc = clock.instant(at)
    return day(utc) if utc.time() == time() else f"{day(utc)} {utc:%H:%M:%S}".removesuffix(":00") + " UTC"


def dated(at: datetime, precision: Precision, spell: Spell = moment) -> str:
    """Return a date as exactly as it is known: "1974", "June 2017", "2017-06-30"; `spell` writes an instant."""
    utc = clock.instant(at)
    if precision == "year":
        return str(utc.year)
    if precision == "month":
        return f"{utc:%B} {utc.year}"
    return day(utc) if precision == "day" else spell(at)


def on(at: datetime, precision: Precision, spell: Spell = moment) -> str:
    """Return a date with its preposition: "in 1974", "on 2017-06-30"."""
    return f"{'in' if is_imprecise(precision) else 'on'} {dated(at, precision, spell)}"


def start(fact: Fact, spell: Spell = moment, missing: str = "undated") -> str:
    """Return when a fact began; `missing` where nobody knows."""
    return missing if fact.valid_at is None else dated(fact.valid_at, fact.valid_at_precision, spell)


def stop(fact: Fact, spell: Spell = moment, missing: str = "now") -> str:
    """Return when a fact ended, `missing` where it has not; an end on an unknown date is no date."""
    if fact.ended_unknown:
        return ended_unknown(fact)
    return missing if fact.invalid_at is None else dated(fact.invalid_at, fact.invalid_at_precision, spell)


def ended_unknown(fact: Fact) -> str:
    """Say of a fact that has ended nobody knows when: "ended, date unknown (before 23 November 2026)"."""
    learned = fact.invalid_at or fact.expired_at
    if learned is None:
        return "ended, date unknown"
    utc = clock.instant(learned)
    return f"ended, date unknown (before {utc.day} {utc:%B} {utc.year})"


def span(fact: Fact, spell: Spell = moment) -> str:
    """Return when a fact holds, for a list: "1974 → June 2017", "2015-05-22 → now", "in 2013", "undated"."""
    if fact.valid_at is None and fact.invalid_at is None and not fact.ended_unknown:
        return "undated"
    if _within_one_period(fact):
        return f"in {start(fact, spell)}"
    return f"{start(fact, spell)} → {stop(fact, spell)}"


def when(fact: Fact, spell: Spell = moment, *, is_event: bool = False) -> str:
    """Return when a fact holds, for a sentence: "since 1974", "from 1974 until June 2017", "in 2013"; "" if undated.

    An event did not go on from its start: "in 1974", "on 2017-06-30".
    """
    began = start(fact, spell, "")
    if fact.ended_unknown:
        return f"from {began}; {ended_unknown(fact)}" if began else ended_unknown(fact)
    if _within_one_period(fact):
        return f"in {began}"
    if fact.invalid_at is not None:
        return f"{f'from {began} ' if began else ''}until {stop(fact, spell)}"
    if fact.valid_at is not None and is_event:
        return on(fact.valid_at, fact.valid_at_precision, spell)
    return f"since {began}" if began else ""


def _within_one_period(fact: Fact) -> bool:
    """True for "January 2013 to January 2013", of which only the month is known."""
    if fact.valid_at is None or fact.invalid_at is None or fact.ended_unknown:
        return False
    began, ended = fact.valid_at_precision, fact.invalid_at_precision
    return (
        began == ended and is_imprecise(began) and period_of(fact.valid_at, began) == period_of(fact.invalid_at, ended)
    )


def of(fact: Fact, at: datetime | None, spell: Spell = moment, missing: str = "") -> str:
    """Return an instant at which a fact began or ended, as exactly as the fact knows it; `missing` for none."""
    if at is None:
        return missing
    if fact.ended_unknown and at in (fact.invalid_at, fact.expired_at):
        return f"before {spell(at)}"
    return dated(at, precision_of(fact, at), spell)


def on_its(fact: Fact, at: datetime) -> str:
    """Return the day at which a fact began or ended, as exactly as it knows that, with its preposition: "in 1974"."""
    if fact.ended_unknown and at in (fact.invalid_at, fact.expired_at):
        return f"before {day(at)}"
    return on(at, precision_of(fact, at), day)


def precision_of(fact: Fact, at: datetime) -> Precision:
    """Return how an instant at which a fact began or ended was given; any other one counts as an instant."""
    if at == fact.valid_at:
        return fact.valid_at_precision
    return fact.invalid_at_precision if at == fact.invalid_at else "instant"


def doubt(known: Fact, as_of: datetime) -> str:
    """Say what the dates of a fact as known leave open at an instant: "sometime in 1974"; "" where nothing is.

    The fact holds within the year or month of its start, and no longer within that of its end.
    """
    if known.invalid_at is not None and may_have_ended_at(known, as_of):
        return f"ended sometime in {stop(known)}"
    if known.invalid_at is not None and known.invalid_at <= as_of:
        return ""
    return f"sometime in {start(known)}" if start_is_imprecise_at(known, as_of) else ""


def doubt_at(fact: Fact, at: Instants) -> str:
    """Say the same of a fact as it is recorded."""
    if not (is_imprecise(fact.valid_at_precision) or is_imprecise(fact.invalid_at_precision)):
        return ""
    return doubt(time_rule.as_known(fact, at.known_at), at.as_of)


def may_have_ended(fact: Fact, at: Instants) -> bool:
    """True for a recorded fact that ended sometime in the year or month of `at.as_of`, maybe after it.

    It does not hold by the rule; lists show it apart, as they do what has no date.
    """
    if not is_imprecise(fact.invalid_at_precision) or not time_rule.recorded(fact, at.known_at):
        return False
    return may_have_ended_at(time_rule.as_known(fact, at.known_at), at.as_of)
