"""How tools write facts down: lines for a model, rows and documents for everybody else."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from services.core import clock, date_wording
from services.core.json_documents import Json, spelled
from services.core.models import Fact, Instants
from services.core.wording import counted as counted
from services.tools.tool import ResultItem


def day(value: datetime | None, otherwise: str = "undated") -> str:
    """An instant in UTC as a reader writes it: the date alone, where it is the start of a day."""
    if value is None:
        return otherwise
    return date_wording.moment(value)


def when(given: datetime | None) -> str:
    """The instant that an answer is about, as a sentence ends: "now", where nobody gave one, or "at 2015-03-01"."""
    return "now" if given is None else f"at {day(given)}"


def shortened(text: str, most: int) -> str:
    """A text on one line, of at most so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 2]} …"


def statement(fact: Fact) -> str:
    """What a fact says, on one line."""
    return " ".join((fact.text or f"{fact.source} {fact.relation} {fact.target}").split())


def relation_line(fact: Fact) -> str:
    """A fact as known at K, with its relation and its span."""
    span = f"valid: {date_wording.start(fact)}, invalidated: {date_wording.stop(fact, missing='current')}"
    return f"- {statement(fact)} (relationship: {fact.relation}, {span})"


def status(fact: Fact, at: Instants) -> str:
    """How a fact as known at K stands at T: "current", or since when it no longer holds.

    Within the year or month that it began or ended in, nobody knows that exactly.
    """
    if fact.invalid_at is None or fact.invalid_at > at.as_of:
        begun = date_wording.doubt(fact, at.as_of)
        return f"current, started {begun}" if begun else "current"
    if fact.ended_unknown:
        return date_wording.stop(fact)
    return date_wording.doubt(fact, at.as_of).replace("ended", "superseded") or f"superseded {date_wording.stop(fact)}"


def history_line(fact: Fact, at: Instants) -> str:
    """A fact as known at K, with when it was recorded and how it stands at T."""
    return f"- [{day(fact.created_at, 'unknown')}] {statement(fact)} ({status(fact, at)})"


def fact_item(fact: Fact, text: str) -> ResultItem:
    """A fact with its line and the names that it joins."""
    return ResultItem(text, fact=fact, nodes=(fact.source, fact.target))


def fact_row(fact: Fact) -> Json:
    """A fact as a row of a result that is cited as a whole."""
    return {
        "uuid": fact.uuid,
        "source": fact.source,
        "relation": fact.relation,
        "target": fact.target,
        "valid_at": spelled(fact.valid_at),
        "invalid_at": spelled(fact.invalid_at),
    }


def rows(facts: Sequence[Fact]) -> tuple[dict[str, Any], ...]:
    """Facts as rows."""
    return tuple(map(fact_row, facts))


def newest_first(facts: Sequence[Fact]) -> list[Fact]:
    """Facts by start, the latest first; undated ones last."""
    return sorted(facts, key=lambda f: (f.valid_at is not None, f.valid_at or clock.EARLIEST, f.uuid), reverse=True)


def names(all_names: Sequence[str], most: int = 12) -> str:
    """Some names for a message, and how many more there are."""
    more = len(all_names) - most
    return ", ".join(all_names[:most]) + (f" and {more:,} more" if more > 0 else "")
