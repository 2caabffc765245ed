"""Rows that other rows lead to, or none: "members who never borrowed anything", "hives without an inspection"."""

from collections.abc import Sequence

from services.analyst.question_words import FUNCTION_WORDS
from services.analyst.sql_conditions import NEGATIONS, ConditionReader
from services.analyst.sql_cues import DIRECTION_STEMS
from services.analyst.sql_plan import RowCondition, TableJoin
from services.analyst.sql_tags import DETERMINERS, TableReading, Tag
from services.analyst.sql_words import words_named
from services.analyst.table_words import EVENT_STEMS, NamedColumn
from services.analyst.value_lookup import FoundValue
from services.analyst.word_likeness import share_root
from services.language.inflection import is_past

_LEAST = 0.75
_BETWEEN = (
    DETERMINERS
    | FUNCTION_WORDS
    | words_named("before_missing")
    | words_named("links")
    | {"single", "anything", "yet", "ever"}
)
_MOST_BETWEEN = 4
_BEFORE_VALUE = {"of", "for", "in", "at", "from", "with", "on", "a", "an", "the"}


def find_without_rows(reading: TableReading, chosen: ConditionReader) -> None:
    """Take a negation before what another table's rows are called for rows that none of those lead to.

    Values of that table beside its name, and a date behind it, say of which rows there are none.
    """
    for place, word in enumerate(reading.words):
        if word.low not in NEGATIONS or place in chosen.used:
            continue
        found = _named_behind(reading, place)
        if found is None or found[1] - 1 in reading.taken | chosen.used:
            continue
        join, last = found
        chosen.used |= {*range(place, last)}
        inner = [RowCondition(one.column, "in", (one.value,)) for one in _values_between(reading, join, place, last)]
        flags = [flag for at in range(place + 1, last) if (flag := _flag(reading, join, at))]
        inner += [RowCondition(flag, "true") for flag in flags]
        inner += _behind(reading, chosen, join, last)
        first = join.via or join
        chosen.conditions.append(RowCondition(first.column, "without rows", rows=join, inner=tuple(inner)))


def _named_behind(reading: TableReading, place: int) -> tuple[TableJoin, int] | None:
    """Return the one table that is named behind a negation, and where its name ends; only small words, what was
    done and values of that table may stand between them."""
    words = reading.words
    between: list[int] = []
    for at in range(place + 1, min(place + 2 + _MOST_BETWEEN, len(words))):
        for last in (at + 2, at + 1):
            stems = [word.stem for word in words[at:last]]
            named = [join for join in reading.leading() if len(stems) == last - at and _is_named(join, stems)]
            if len(named) == 1 and _are_values(reading, named[0], between):
                return named[0], last
        if words[at].low not in _BETWEEN and not (words[at].stem in EVENT_STEMS and is_past(words[at].low)):
            between.append(at)
    return None


def _are_values(reading: TableReading, join: TableJoin, places: Sequence[int]) -> bool:
    """True where words are values of another table, and of none that rows lead to."""
    own = {place for one in reading.values for place in range(one.first, one.last)}
    found = reading.values_in(join.table) if places else ()
    known = {place for one in found for place in range(one.first, one.last)} - own
    return all(place in known or _flag(reading, join, place) for place in places)


def _flag(reading: TableReading, join: TableJoin, place: int) -> NamedColumn | None:
    """Return the column of yes and no that a word names: "failed" beside inspections."""
    flags = [one for one in join.table.columns if one.kind == "flag"]
    return next((one for one in flags if one.fit([reading.words[place].stem]) >= _LEAST), None)


def _values_between(reading: TableReading, join: TableJoin, first: int, last: int) -> list[FoundValue]:
    """Return the longest values of another table among words; of several columns the first."""
    found = [one for one in reading.values_in(join.table) if first < one.first and one.last <= last]
    longest = sorted(found, key=lambda one: one.first - one.last)
    kept: list[FoundValue] = []
    for one in longest:
        if all(one.last <= other.first or other.last <= one.first for other in kept):
            kept.append(one)
    return kept


def _behind(reading: TableReading, chosen: ConditionReader, join: TableJoin, last: int) -> list[RowCondition]:
    """Return what a date or a value right behind the name of a table asks of its rows; fails for other dates."""
    found: list[RowCondition] = []
    words = reading.words
    place = last
    while place < len(words) and words[place].low in _BEFORE_VALUE:
        place += 1
    value = next((one for one in reading.values_in(join.table) if one.first == place > last), None)
    if value is not None:
        found.append(RowCondition(value.column, "in", (value.value,)))
        chosen.used |= {*range(last, value.last)}
        last = value.last
    dates = join.table.dates()
    if reading.when.way != "none":
        chosen.failed |= last not in reading.taken or not dates or reading.when.way == "pair"
        chosen.has_placed_dates = True
        found += [chosen.dated(dates[0])] if dates else []
    return found


def _is_named(join: TableJoin, stems: Sequence[str]) -> bool:
    """True for the name of a table's rows, or for what was done: "inspected" beside inspections, "seen" on a date."""
    root = stems[0]
    if len(stems) > 1:
        return join.table.fit(stems) >= _LEAST
    is_done = any(one.core == (root,) for one in join.table.dates())
    is_done |= any(root in cues and meant & set(join.other.words) for cues, meant in DIRECTION_STEMS)
    return join.table.fit([root]) >= _LEAST or is_done or any(share_root(root, word) for word in join.table.words)


def find_used_up(reading: TableReading, chosen: ConditionReader, tags: list[Tag]) -> None:
    """Take "out of stock" for rows that have 0 of it."""
    for tag in list(tags):
        column = tag.column("number")
        before = [word.low for word in reading.words[max(0, tag.first - 2) : tag.first]]
        if column is not None and before == ["out", "of"] and not tag.values:
            tags.remove(tag)
            chosen.used |= {tag.first - 2, tag.first - 1, *tag.places}
            chosen.conditions.append(RowCondition(column, "in", (0.0,)))
