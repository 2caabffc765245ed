"""Conditions on groups: "cities with more than 10 people", "rooms with an average temperature above 17"."""

from dataclasses import dataclass

from services.analyst.sql_plan import Aggregate
from services.analyst.sql_tags import TableReading, Tag
from services.analyst.table_words import NamedColumn

_LEAST_OF_TABLE = 0.9


@dataclass(frozen=True, slots=True)
class GroupCondition:
    """The groups that are asked for: what names them, and what has to be beyond a number in each.

    Without `measure` their rows are counted. `named` are the tags that it takes, `places` the other words.
    """

    start: int
    """Where its comparison begins in the question."""
    group: Tag
    sign: str
    figure: float
    aggregate: Aggregate
    measure: NamedColumn | None
    named: tuple[Tag, ...]
    places: frozenset[int]


def take_having(reading: TableReading) -> GroupCondition | None:
    """Return the condition on groups that a question has, and take its comparison out of the reading."""
    is_counted = bool(reading.tags) and len(reading.counts) == 1 and reading.follows(reading.tags[0], reading.counts)
    if (reading.counts and not is_counted) or reading.rank or reading.units:
        return None
    found = (_condition(reading, *compared) for compared in reading.compared)
    having = next((one for one in found if one is not None), None)
    if having is not None:
        reading.compared = [one for one in reading.compared if one[0] != having.start]
    return having


def _condition(reading: TableReading, start: int, end: int, sign: str) -> GroupCondition | None:
    """Return what a comparison says of groups; None where it is one of single rows."""
    if any(last + 1 != start for _, last in reading.marks):  # but for "shared by at least 2"
        return None
    words = reading.words
    behind = [place for place, word in enumerate(words) if word.start >= end][:1]
    at = next((place for place in (*reading.places(start, end), *behind) if words[place].is_number), None)
    group = reading.tags[0] if reading.tags else None
    if at is None or at in reading.taken or group is None or group.values or words[group.last - 1].end > start:
        return None
    figure, last = float(words[at].text), max((at, *reading.places(start, end)))
    if _is_often(reading, group, last):
        return GroupCondition(start, group, sign, figure, "count", None, (group,), frozenset({at, last + 1}))
    found = _counted(reading, last) or (_measured(reading, start) if len(reading.compared) == 1 else None)
    if found is None or found[0] is group:
        return None
    named, aggregate, measure = found
    return GroupCondition(start, group, sign, figure, aggregate, measure, (group, named), frozenset({at}))


def _is_often(reading: TableReading, group: Tag, at: int) -> bool:
    """True for "fewer than 9 times" behind what the rows of a table are grouped by."""
    is_times = at + 1 < len(reading.words) and reading.words[at + 1].low == "times"
    return is_times and group.fit(reading.table) < _LEAST_OF_TABLE and not reading.aggregates


def _counted(reading: TableReading, at: int) -> tuple[Tag, Aggregate, None] | None:
    """Return the name of the table's rows right behind the number."""
    for tag in reading.tags:
        if tag.first == at + 1 and tag.fit(reading.table) >= _LEAST_OF_TABLE and not reading.aggregates:
            return tag, "count", None
    return None


def _measured(reading: TableReading, start: int) -> tuple[Tag, Aggregate, NamedColumn] | None:
    """Return the column before the comparison that an aggregate stands before."""
    if len(reading.aggregates) != 1 or reading.aggregates[0][1] > start:
        return None
    for tag in reading.tags:
        column, aggregate = tag.column("number"), reading.aggregate_before(tag)
        gap = start - reading.words[tag.last - 1].end
        if column is not None and aggregate and not tag.values and 0 <= gap <= 1:
            return tag, aggregate, column
    return None
