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
    if (reading.counts and not is_counted) or reading.rank or reading.units or len(reading.compared) != 1:
        return None
    start, end, sign = reading.compared[0]
    if any(last + 1 != start for _, last in reading.marks):  # but for "shared by at least 2"
        return None
    words = reading.words
    behind = [place for place, word in enumerate(words) if word.start >= end][:1]
    at = next((place for place in (*reading.places(start, end), *behind) if words[place].is_number), None)
    group = reading.tags[0] if reading.tags else None
    if at is None or at in reading.taken or group is None or group.values or words[group.last - 1].end > start:
        return None
    found = _counted(reading, max((at, *reading.places(start, end)))) or _measured(reading, start)
    if found is None or found[0] is group:
        return None
    named, aggregate, measure = found
    reading.compared.clear()
    figure = float(words[at].text)
    return GroupCondition(group, sign, figure, aggregate, measure, (group, named), frozenset({at}))


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
